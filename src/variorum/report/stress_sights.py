"""Where a table stands on its page: the picture, the dividers that were voted on, those of the truth, the cells that differ.

The votes come from the debug database, the pictures are drawn from the PDFs again. A PDF that is not there any more costs the
picture, and what is wrong is said. A table printed sideways has its dividers in the view turned upright; here they are turned
back.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from variorum.errors import VariorumError
from variorum.geometry import Box
from variorum.page.reader import PdfFile
from variorum.page.turning import DOWNWARDS, UPSIDE_DOWN, UPWARDS, displayed
from variorum.report.pictures import COARSE_DPI, compact
from variorum.report.stress_data import Compared, NamedTable, Paper, StressData

_ANGLES: Final = (0, UPWARDS, UPSIDE_DOWN, DOWNWARDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageImage:
    """A page as displayed: size in points, picture as a ``data:`` address ('' without, and then the `problem`)."""

    width: float
    height: float
    picture: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Something drawn over a page: its box in points of the page as displayed, and what it is.

    `kind` is ``region``, ``true`` (a channel of the true table), ``accepted``, ``rejected``, ``differs`` (a cell) or ``missed``
    (where the truth says the table is); `said` describes it.
    """

    kind: str
    box: Box
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """One part of a table on its page; a table that goes on has several, in order. `page` is None where it is not known."""

    table_id: str
    item_key: str
    page: int | None
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sights:
    """What there is to see of the tables that differ or fail: their sights in order, and the pages by item key and number."""

    sights: tuple[Sight, ...] = ()
    pages: Mapping[tuple[str, int], PageImage] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def of(self, table_id: str) -> tuple[Sight, ...]:
        """Return the sights of a table."""
        return tuple(s for s in self.sights if s.table_id == table_id)


def see_tables(connection: sqlite3.Connection, data: StressData) -> Sights:
    """Return the sights of all tables that differ from their truth or that a failed assertion names."""
    sizes = {
        (item, page): (width, height)
        for item, page, width, height in connection.execute("SELECT item_key, page_num, width, height FROM pages")
    }
    tables: tuple[Compared | NamedTable, ...] = (*data.differing, *data.named)
    sights = [s for table in tables for s in _sights(connection, table, sizes)]
    wanted: dict[str, set[int]] = {}
    for sight in sights:
        if sight.page is not None:
            wanted.setdefault(sight.item_key, set()).add(sight.page)
    pages: dict[tuple[str, int], PageImage] = {}
    problems: list[str] = []
    for paper in data.papers:
        if paper.status == "read" and paper.item_key in wanted:
            seen, problem = _pictures(paper, wanted[paper.item_key])
            for number, (picture, what) in seen.items():
                width, height = sizes.get((paper.item_key, number), (0.0, 0.0))
                pages[paper.item_key, number] = PageImage(width=width, height=height, picture=picture, problem=what)
            problems += [f"{paper.name}: {problem}"] if problem else []
    return Sights(sights=tuple(sights), pages=pages, problems=tuple(problems))


def _pictures(paper: Paper, numbers: Iterable[int]) -> tuple[dict[int, tuple[str, str]], str]:
    """Return for each page its picture or what is wrong with it, and what is wrong with the file."""
    try:
        pdf = PdfFile(paper.pdf_path)
    except VariorumError as error:
        problem = f"its PDF could not be opened again, so there are no pictures of its pages ({error.what})"
        return dict.fromkeys(sorted(numbers), ("", "There is no picture: the PDF could not be opened again.")), problem
    with pdf:
        changed = "its PDF has changed since it was read: the pictures may not fit the dividers"
        return {n: _picture(pdf, n) for n in sorted(numbers)}, changed if pdf.sha256 != paper.sha256 else ""


def _picture(pdf: PdfFile, number: int) -> tuple[str, str]:
    try:
        handle = pdf.page(number - 1)
    except VariorumError as error:
        return "", f"There is no picture: the page could not be read ({error.what})."
    try:
        return compact(handle.render_png(COARSE_DPI)).as_uri(), ""
    except Exception as error:  # whatever the library says of a broken page, the rest is shown
        return "", f"There is no picture: the page could not be drawn ({type(error).__name__})."
    finally:
        handle.close()


# ---- marks ----------------------------------------------------------------------------------------------------------


def _sights(
    connection: sqlite3.Connection, table: Compared | NamedTable, sizes: Mapping[tuple[str, int], tuple[float, float]]
) -> list[Sight]:
    if isinstance(table, Compared) and table.is_missed:
        return [Sight(table_id=table.table_id, item_key=table.item_key, page=table.page, marks=_missed(connection, table))]
    parts = connection.execute(
        "SELECT part_id, page_num, bbox FROM table_parts WHERE table_id = ? ORDER BY part_index", (table.table_id,)
    ).fetchall()
    whole = connection.execute(
        "SELECT table_id, page_num, bbox FROM extracted_tables WHERE table_id = ?", (table.table_id,)
    ).fetchall()
    found = []
    for part_id, page, bbox in parts or whole:
        size = sizes.get((table.item_key, page))
        box = None if bbox is None else Box.of(json.loads(bbox))
        compared = table if isinstance(table, Compared) and not parts else None
        marks = () if size is None else _marks(connection, part_id, box, size, compared)
        found.append(Sight(table_id=table.table_id, item_key=table.item_key, page=page, marks=marks))
    return found


def _missed(connection: sqlite3.Connection, table: Compared) -> tuple[Mark, ...]:
    (bbox,) = connection.execute(
        "SELECT json_extract(truth_json, '$.bbox') FROM ground_truth_diffs WHERE table_id = ?", (table.table_id,)
    ).fetchone()
    return () if bbox is None else (Mark(kind="missed", box=Box.of(json.loads(bbox)), said="here the truth has a table"),)


def _marks(
    connection: sqlite3.Connection, part_id: str, box: Box | None, size: tuple[float, float], table: Compared | None
) -> tuple[Mark, ...]:
    row = connection.execute(
        "SELECT json_extract(context_json, '$.bbox') FROM pipeline_runs WHERE table_id = ?", (part_id,)
    ).fetchone()
    if row is None:
        return ()
    region = Box.of(json.loads(row[0]))
    angle = 0 if box is None else max(_ANGLES, key=lambda a: (displayed(region, a, *size).iou(box), -a))
    marks = [Mark(kind="region", box=region, said="the region of the table")]
    marks += _true_channels(connection, part_id, region)
    marks += _differing(connection, part_id, table) if table is not None else []
    marks += _dividers(connection, part_id, region)
    return tuple(Mark(kind=m.kind, box=displayed(m.box, angle, *size), said=m.said) for m in marks)


def _across(region: Box, axis: str, start: float, end: float) -> Box:
    """Return the range of an axis over the whole region."""
    return Box(start, region.y0, end, region.y1) if axis == "column" else Box(region.x0, start, region.x1, end)


def _true_channels(connection: sqlite3.Connection, part_id: str, region: Box) -> list[Mark]:
    rows = connection.execute(
        "SELECT axis, channel_start, channel_end FROM reference_dividers WHERE table_id = ? AND reference = 'truth'"
        " ORDER BY axis, divider_index",
        (part_id,),
    )
    return [Mark(kind="true", box=_across(region, axis, a, b), said=f"a {axis} divider of the truth") for axis, a, b in rows]


def _dividers(connection: sqlite3.Connection, part_id: str, region: Box) -> list[Mark]:
    rows = connection.execute(
        """
        SELECT axis, divider_id, position, accepted, GROUP_CONCAT(method, ', ') FROM (
            SELECT DISTINCT axis, divider_id, position, accepted, method FROM divider_votes
            WHERE table_id = ? AND stance = 'for' AND reason <> 'refused' ORDER BY method)
        GROUP BY axis, divider_id ORDER BY accepted, axis, position
        """,
        (part_id,),
    )
    return [
        Mark(
            kind="accepted" if accepted else "rejected",
            box=_across(region, axis, position, position),
            said=f"{axis} divider {divider}, {'accepted' if accepted else 'rejected'}; for it: {methods}",
        )
        for axis, divider, position, accepted, methods in rows
    ]


def _differing(connection: sqlite3.Connection, table_id: str, table: Compared) -> list[Mark]:
    """Return the cells of the chosen grid that differ; one that does not hold the text that was compared is left out."""
    row = connection.execute(
        "SELECT cell_grid_json FROM method_results WHERE table_id = ? AND is_chosen AND cell_grid_json IS NOT NULL"
        " UNION ALL SELECT cell_grid_json FROM consensus_results WHERE table_id = ? AND is_chosen",
        (table_id, table_id),
    ).fetchone()
    (is_verbatim,) = connection.execute(
        "SELECT json_extract(truth_json, '$.is_verbatim') FROM ground_truth_diffs WHERE table_id = ?", (table_id,)
    ).fetchone()
    grid = None if row is None else _Grid.from_json(row[0], is_verbatim=is_verbatim is None or bool(is_verbatim))
    if grid is None or len(grid.cols) != table.ext_shape[1]:
        return []
    heads = len(grid.rows) - table.ext_shape[0]
    rows, cols = dict(table.diff["matched_rows"]), dict(table.diff["matched_columns"])
    marks = []
    for diff in table.diff["cell_diffs"]:
        if diff["row"] in rows and diff["col"] in cols:
            box = grid.box_of(heads + rows[diff["row"]], cols[diff["col"]], diff["actual"])
            said = f"expected {diff['expected']!r}, found {diff['actual']!r}"
            marks += [Mark(kind="differs", box=box, said=said)] if box is not None else []
    return marks


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """A stored grid, with the rows and columns that took part in the comparison: all, or those that hold a text."""

    cells: Mapping[tuple[int, int], tuple[int, int, str]]
    rows: Sequence[int]
    cols: Sequence[int]
    column_edges: Sequence[float]
    row_edges: Sequence[float]

    @classmethod
    def from_json(cls, text: str, *, is_verbatim: bool) -> _Grid | None:
        """Return the grid, None where it has no edges; where the truth is not verbatim, blank rows and columns take no part."""
        plain = json.loads(text)
        n_rows, n_cols = plain["n_rows"], plain["n_cols"]
        if len(plain["column_edges"]) != n_cols + 1 or len(plain["row_edges"]) != n_rows + 1:
            return None
        there = [c for c in plain["cells"] if is_verbatim or c[-1].strip()]
        rows = {r for row, _, rowspan, _, _ in there for r in range(row, row + rowspan)}
        cols = {c for _, col, _, colspan, _ in there for c in range(col, col + colspan)}
        return cls(
            cells={(row, col): (rowspan, colspan, words) for row, col, rowspan, colspan, words in plain["cells"]},
            rows=range(n_rows) if is_verbatim else sorted(rows),
            cols=range(n_cols) if is_verbatim else sorted(cols),
            column_edges=plain["column_edges"],
            row_edges=plain["row_edges"],
        )

    def box_of(self, row: int, col: int, words: str) -> Box | None:
        """Return the box of the cell that was compared at a place, None where the grid has another text there."""
        if not 0 <= row < len(self.rows):
            return None
        r, c = self.rows[row], self.cols[col]
        rowspan, colspan, there = self.cells.get((r, c), (1, 1, ""))
        if there != words:
            return None
        return Box(self.column_edges[c], self.row_edges[r], self.column_edges[c + colspan], self.row_edges[r + rowspan])
