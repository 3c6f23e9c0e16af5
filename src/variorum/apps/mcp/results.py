"""What the tools give back: the schemas that clients see. Field by field they follow `variorum.search.found`.

Pages count from 1 in the file (`page_num`, what links open); `page_label` is what the page prints and what a citation needs.
Boxes are x0, y0, x1, y1 in PDF points of the page as displayed, origin top-left. `next_cursor` stands where there is more.
"""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from variorum.apps.asking import stats_as_data
from variorum.search.found import FoundItem, FoundPaper, Hit, as_data
from variorum.search.verifying import IndexStats

CREATORS_SHOWN: Final = 20


class Result(BaseModel):
    """Base of all: a field that the schema does not name is a fault of ours."""

    model_config = ConfigDict(extra="forbid")


class Item(Result):
    """An item of the library: what to cite, and the link that shows it in Zotero."""

    reference: str = Field(description="Library and key, such as user/ABCD2345; a value for filters.items.")
    in_library: str
    key: str = Field(description="The item's key in Zotero; for a folder of PDFs, the file's name.")
    citation_key: str | None
    item_type: str
    title: str
    creators: list[str] = Field(description=f"The first {CREATORS_SHOWN}.")
    creator_count: int
    year: int | None
    publication: str
    doi: str
    retraction: str | None = Field(description="Why the paper was retracted; null for one that stands.")
    link: str | None = Field(description="zotero://select/… shows the item; null for a folder of PDFs.")
    path: str | None = Field(description="Path of a file in a folder of PDFs, relative to the folder; null for Zotero.")

    @classmethod
    def of(cls, item: FoundItem) -> Item:
        """Return an item as clients see it."""
        data = as_data(item)
        return cls(**{**data, "creators": data["creators"][:CREATORS_SHOWN], "creator_count": len(item.creators)})


class Passage(Result):
    """A passage, table, figure or record that was found."""

    chunk: str = Field(description="Names it: an argument of get_passage_context.")
    document: str | None = Field(description="Names its paper: an argument of get_table; null for a record of the library.")
    kind: Literal["passage", "table", "figure", "record"]
    text: str
    section: str
    heading: str
    page_num: int | None = Field(description="Page of the PDF, from 1, which need not be the printed one.")
    page_end: int | None
    page_label: str | None = Field(description="The printed page, to be cited; null where none is known.")
    bbox: list[float] | None
    target: str | None = Field(description="Id of the table or figure: an argument of get_table.")
    number: str | None = Field(description="Printed number of the table or figure.")
    link: str | None = Field(description="zotero://open-pdf/…?page= opens the PDF on this page.")
    score: float
    why: str = Field(description="Why it stands where it stands: ranks by words and meaning, weights.")

    @classmethod
    def of(cls, hit: Hit) -> Passage:
        """Return a hit as clients see it."""
        data = as_data(hit)
        del data["spans"], data["reasons"]
        return cls(**data, why=hit.reasons.sentence() if hit.reasons is not None else "")


class Paper(Result):
    """A paper with what was found in it, best first; `items` are the items that hold it."""

    title: str
    items: list[Item]
    score: float
    hits: list[Passage]

    @classmethod
    def of(cls, paper: FoundPaper, hits: list[Hit]) -> Paper:
        """Return a paper with some of its hits."""
        return cls(
            title=paper.title,
            items=[Item.of(item) for item in paper.items],
            score=as_data(paper.score),
            hits=[Passage.of(hit) for hit in hits],
        )


class SearchResult(Result):
    """Papers best first. `notices` say what a reader must know, such as that no item has the tag that was asked for."""

    mode: Literal["hybrid", "words", "vectors"]
    papers: list[Paper]
    notices: list[str]
    next_cursor: str | None


class PassageContext(Result):
    """Passages in reading order around one of them."""

    item: Item
    passages: list[Passage]


class CitingPassageOut(Result):
    """A component of a document that names something."""

    component: str
    kind: str
    text: str
    page_num: int | None
    page_label: str | None
    link: str | None


class CitingPassages(Result):
    """The passages of a paper that name a table, figure, equation or section, or cite an entry of its references."""

    item: Item
    passages: list[CitingPassageOut]
    next_cursor: str | None


class Span(Result):
    """A cell that covers more than its own place: row and column from 0, and how far it extends."""

    row: int
    col: int
    rowspan: int
    colspan: int


class RawText(Result):
    """What the PDF has in a cell whose text a repair changed."""

    row: int
    col: int
    text: str


class TablePlace(Result):
    """Which table it is, and where it stands."""

    document: str
    id: str
    number: str | None
    caption: str
    n_rows: int
    n_cols: int
    page_nums: list[int]
    page_labels: list[str | None]
    link: str | None


class TableCells(Result):
    """The cells of a table. Rows and columns count from 0; the first `header_rows` rows are headers.

    `rows` are those from `first_row` on, each with the text of all its columns; that of a spanning cell stands once, at its
    top-left place, the others it covers are empty. `headers_below` are header cells under the header rows: row and column.
    """

    item: Item
    table: TablePlace
    header_rows: int
    first_row: int
    rows: list[list[str]]
    spans: list[Span]
    headers_below: list[tuple[int, int]]
    repaired: list[RawText]
    footnotes: list[str]
    next_cursor: str | None


class DividerOut(Result):
    """A divider that was put to the vote: its place in points, and who stood for it with which confidence."""

    id: str = Field(description="c1, r1 … are accepted columns and rows, cx1, rx1 … others.")
    part: int = Field(description="The part of a table that goes on over pages, from 1.")
    axis: Literal["column", "row"]
    position: float
    accepted: bool
    reason: str
    method_count: int
    threshold: float
    votes: dict[str, float]


class TableVotes(Result):
    """The apparatus of a table: sentences, and the votes as data."""

    item: Item
    table: TablePlace
    agreement: list[float] = Field(description="For each part: mean share of the methods that stand for its dividers, 0 to 1.")
    explanation: str
    dividers: list[DividerOut]
    next_cursor: str | None


class ManifestOut(Result):
    """What the index was made by."""

    schema_version: str
    words: str
    reading: str
    chunker: str
    tokenizer: str
    max_tokens: int
    model: str | None
    dimension: int | None


class LibraryCount(Result):
    """A library and how many of its items are in the index."""

    name: str
    items: int


class IndexStatsOut(Result):
    """What the index holds; `reasons` say why PDFs are not in it."""

    made_by: ManifestOut
    size_bytes: int
    items: int
    libraries: list[LibraryCount]
    papers: dict[str, int]
    reasons: dict[str, int]
    documents: int
    pages: int
    tables: int
    figures: int
    chunks: dict[str, int]
    vectors: int

    @classmethod
    def of(cls, stats: IndexStats) -> IndexStatsOut:
        """Return what an index holds as clients see it."""
        data = stats_as_data(stats)
        made_by = data.pop("manifest")
        del data["not_in_it"]  # may be long; `reasons` counts them
        libraries = [LibraryCount(name=name, items=count) for name, count in data.pop("libraries")]
        manifest = ManifestOut(schema_version=made_by.pop("schema"), **made_by)
        return cls(made_by=manifest, libraries=libraries, **data)


class RankingOut(Result):
    """How hits are ranked: 1 / (rank_constant + rank) of each list, by words, by meaning, and by wording (of what has the words
    of the question all together), the last times wording_weight, added; times the weights. What is not named weighs 1."""

    rank_constant: int
    wording_weight: int
    sections: dict[str, float]
    kinds: dict[str, float]
    journals: dict[str, float]


class WorkOut(Result):
    """A work as OpenAlex knows it; `in_library` are the items of the index that have its DOI."""

    openalex_id: str
    title: str
    doi: str
    year: int | None
    authors: list[str] = Field(description=f"The first {CREATORS_SHOWN}.")
    author_count: int
    venue: str
    cited_by: int
    in_library: list[str]


class CitationCount(Result):
    """A paper, with how many works cite it."""

    work: WorkOut


class RelatedWorks(Result):
    """Works that cite a paper, or that it cites, and how many there are in all."""

    doi: str
    works: list[WorkOut]
    total: int
    next_page: int | None


class PaperOutcomeOut(Result):
    """What became of one PDF."""

    item: str
    attachment: str
    title: str
    outcome: Literal["indexed", "unchanged", "skipped", "failed"]
    reason: str


class JobStatus(Result):
    """A run of indexing: how far it is, or how it ended.

    `counts` say what became of all PDFs; `papers` lists those that are not in the index, the first ones if they are many.
    """

    job: str
    state: Literal["running", "done", "failed", "cancelled"]
    stage: str
    done: int
    total: int
    now: str
    notices: list[str]
    error: str | None
    counts: dict[str, int]
    papers: list[PaperOutcomeOut]

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state != "running"
