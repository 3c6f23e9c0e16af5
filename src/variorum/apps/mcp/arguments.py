"""What the arguments of tools must be.

There is no path among them: which files are read and written is decided by who starts the server.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from variorum.document import SectionLabel
from variorum.search.filters import Filters
from variorum.search.model import ChunkKind

_LONGEST_QUESTION: Final = 2000
_LONGEST_NAME: Final = 300
_MOST_NAMES: Final = 50
_LAST_YEAR: Final = 9999
MOST_HITS: Final = 50
MOST_AROUND: Final = 10
MOST_SECONDS: Final = 60

Name = Annotated[str, Field(min_length=1, max_length=_LONGEST_NAME)]
Names = Annotated[list[Name], Field(max_length=_MOST_NAMES)]
Year = Annotated[int, Field(ge=0, le=_LAST_YEAR)]

Question = Annotated[
    str, Field(min_length=1, max_length=_LONGEST_QUESTION, description="Words or a whole sentence, in any language.")
]
Expression = Annotated[
    str,
    Field(
        min_length=1,
        max_length=_LONGEST_QUESTION,
        description='AND, OR, NOT, brackets, "phrases", words with a * at the end.',
    ),
]
Limit = Annotated[int, Field(ge=1, le=MOST_HITS, description="Hits of one answer at most; next_cursor leads to more.")]
By = Annotated[
    Literal["hybrid", "words", "vectors"] | None,
    Field(description="By words, by vectors (meaning), or both; null for both where there are vectors."),
]
Cursor = Annotated[
    str | None,
    Field(max_length=_LONGEST_NAME, description="next_cursor of the answer before, with all other arguments as they were."),
]
Chunk = Annotated[
    str,
    Field(pattern="^[0-9a-f]{6,64}:[0-9]{1,9}$", description="`chunk` of a hit, such as 53aa51172d14:12."),
]
DocumentName = Annotated[
    str,
    Field(pattern="^[0-9a-f]{6,64}(:[0-9]{1,9})?$", description="`document` or `chunk` of a hit, such as 53aa51172d14."),
]
TableName = Annotated[
    Name, Field(description="`target` of a hit, a printed number (2, A.1, IV), or a position in the document (#3).")
]
Around = Annotated[int, Field(ge=0, le=MOST_AROUND)]
JobName = Annotated[Name, Field(description="`job` as index_library gave it, such as index-1.")]


class SearchFilters(BaseModel):
    """What may be found, applied before anything is ranked; an empty field restricts nothing.

    Of authors, tags and required terms all must fit, of every other field one. Case and diacritics do not count.
    """

    model_config = ConfigDict(extra="forbid")

    authors: Names = Field(default=[], description="Last names, or any whole words of a name.")
    year_from: Year | None = None
    year_to: Year | None = None
    tags: Names = []
    collections: Names = Field(default=[], description="A name, a path (Physics / Optics) or a key; those below it count.")
    libraries: Names = Field(default=[], description="A name or an id: user, groups/4711.")
    item_types: Names = Field(default=[], description="journalArticle, conferencePaper, preprint …")
    items: Names = Field(default=[], description="Keys, references (user/ABCD2345) or citation keys.")
    kinds: Annotated[list[ChunkKind], Field(max_length=_MOST_NAMES)] = []
    sections: Annotated[list[SectionLabel], Field(max_length=_MOST_NAMES)] = []
    required: Names = Field(default=[], description="Words or phrases that must stand in what is found.")

    def as_filters(self) -> Filters:
        """Return the filters of a search; raises UsageError for years in the wrong order and terms without a word."""
        return Filters(
            authors=tuple(self.authors),
            year_from=self.year_from,
            year_to=self.year_to,
            tags=tuple(self.tags),
            collections=tuple(self.collections),
            libraries=tuple(self.libraries),
            item_types=tuple(self.item_types),
            items=tuple(self.items),
            kinds=tuple(self.kinds),
            sections=tuple(self.sections),
            required=tuple(self.required),
        )
