"""The shape of the report's content: JSON-able dictionaries that `data` fills and the other modules put into HTML.

Boxes are ``[x0, y0, x1, y1]`` in points of the page as displayed, also for a table whose text runs sideways.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from variorum.document.apparatus import Axis
from variorum.report.paper_view import PaperView
from variorum.report.placed import Corners

Point = tuple[float, float]
State = Literal["accepted", "rejected", "refused"]
AXES: tuple[Axis, ...] = ("column", "row")


class VoteView(TypedDict):
    """One vote: who (position among the report's methods), the channel in points, both confidences, its place on the page."""

    method: int
    start: float
    end: float
    raw: float
    scaled: float
    box: Corners | None


class DividerView(TypedDict):
    """One divider, or one place of an edge of the region: its verdict in a sentence, votes for it, methods against it with what
    they see, and its place.

    `band` is the cluster, `line` its position (a box without width); `mark` is the end of the line where its sign stands (top
    of a column divider, left of a row divider, as the text reads), `tail` the other. `name` is what it is called:
    ``divider c3``, ``top edge``.
    """

    id: str
    name: str
    axis: Axis
    state: State
    verdict: str
    reason: str
    note: str
    start: float
    end: float
    position: float
    confidence: float
    count: int
    weight: float
    threshold: float
    votes: list[VoteView]
    against: list[tuple[int, str]]
    band: Corners | None
    line: Corners | None
    mark: Point | None
    tail: Point | None


class CellView(TypedDict):
    """One cell: its place in the grid, its text, the PDF's text where a repair changed it, its place on the page."""

    row: int
    col: int
    rowspan: int
    colspan: int
    text: str
    raw_text: str | None
    is_header: bool
    box: Corners | None


class PartView(TypedDict):
    """Which part of a table this is: its number from 1 and how many there are, (page, key) of each of them in order, and the
    rows that were read here and are none of the table, each as (row of this part from 1, why, text)."""

    number: int
    count: int
    places: list[tuple[int, str]]
    dropped: list[tuple[int, str, str]]


class TableView(TypedDict):
    """One table in one place: what was read, where, and everything that was said about it (empty without an apparatus).

    Of a table that goes on over columns or pages each part is one of these. The first holds the cells of the whole table, those
    of other parts without a box; each later one holds its own rows, counted as in the whole, from `first_row` on. The rows from
    the first to before the second of `here` stand in this place. `cell_key` names the cells, in all parts alike.
    """

    key: str
    cell_key: str
    first_row: int
    here: tuple[int, int]
    part: PartView | None
    agreement: float | None
    winner: str
    id: str
    title: str
    caption: str
    page_num: int
    page_width: float
    page_height: float
    angle: int
    n_rows: int
    n_cols: int
    header_rows: int
    cells: list[CellView]
    footnotes: list[str]
    box: Corners | None
    caption_box: Corners | None
    source: str
    apparatus: ApparatusView | None


class OutcomeView(TypedDict):
    """What became of one method: its name, whether it reads cells, status, boundaries on both axes, reason, traceback."""

    method: str
    is_cell_method: bool
    status: str
    columns: int
    rows: int
    detail: str
    traceback: str


class CandidateView(TypedDict):
    """One grid that stood for election: per metric of the table its (value, rank), or None where it was not measured."""

    name: str
    n_rows: int
    n_cols: int
    metrics: list[tuple[float, float] | None]
    rank_sum: float
    chosen: bool
    position: int


class ApparatusView(TypedDict):
    """All that was said of one table, methods by their position among the report's methods."""

    winner: str
    agreement: float
    combination: str
    counts_weight: bool
    selection: str
    precision: float
    region_votes: list[str]
    incomplete: str
    edges: list[DividerView]
    dividers: list[DividerView]
    speakers: dict[Axis, list[int]]
    silent: dict[Axis, list[tuple[str, str]]]
    metrics: list[str]
    candidates: list[CandidateView]
    outcomes: list[OutcomeView]
    repairs: list[tuple[str, str]]


class PageView(TypedDict):
    """One page: number (0 where the source has no pages), printed label, size, what is seen of it, its tables."""

    page_num: int
    label: str
    width: float
    height: float
    picture: str
    words: list[Corners]
    rules: list[Corners]
    problem: str
    tables: list[TableView]


class NoticeView(TypedDict):
    """Something a reader must know."""

    severity: str
    what: str
    page_num: int | None
    component: str
    traceback: str


class ReportView(TypedDict):
    """The whole report; `paper` is None for a document that has nothing but tables."""

    key: str
    source: str
    sha256: str
    software: str
    page_count: int
    pages_read: int
    methods: list[str]
    pages: list[PageView]
    notices: list[NoticeView]
    config: dict[str, object]
    paper: PaperView | None
