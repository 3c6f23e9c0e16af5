"""What the index is made of: chunks with their way back into the document, and what was found for a question.

All data is frozen. `page_num` counts from 1; page labels are what is printed on the page, None where nothing is; boxes are PDF
points of the page as displayed, origin top-left; offsets are characters of a component's text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from variorum.document import SectionLabel
from variorum.geometry import Box

ChunkKind = Literal["passage", "table", "figure", "record"]
"""A stretch of running text; a table or a figure (or a part of a large one); what the library says of an item."""

CHUNK_KINDS: Final[tuple[ChunkKind, ...]] = ("passage", "table", "figure", "record")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Characters `start` to `end` of a component's text, which stand in the chunk's text from character `at` on."""

    component: str
    start: int
    end: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One entry of the index.

    `text` is what is shown and counted; `context` is searched with it, with less weight, and embedded before it: the paper's
    title and the heading above, where the text does not hold them. `citing` (of tables and figures) are the words around the
    places that name it. `spans` lead back into the document. `target` is the id of the table or figure. `page_end` is the last
    page that the text reaches; `bbox` bounds what stands on `page_num`.
    """

    kind: ChunkKind
    text: str
    context: str = ""
    citing: str = ""
    section: SectionLabel = "unknown"
    heading: str = ""
    page_num: int | None = None
    page_end: int | None = None
    page_label: str | None = None
    bbox: Box | None = None
    spans: tuple[Span, ...] = ()
    target: str | None = None
