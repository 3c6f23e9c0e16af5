"""The report's content out of a document: what is drawn where, and what is said of it.

A table whose text runs sideways has its dividers and edges at positions in the view turned upright; here they are turned back,
so that every box is one of the page as displayed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from variorum.document import Caption, Cell, Divider, Document, RegionEdge, Table, TableApparatus
from variorum.document.apparatus import Axis
from variorum.document.explain import dropped_reason, table_name
from variorum.document.flow import page_of
from variorum.document.selecting import printed_number
from variorum.document.voices import counts_weight, dissent, edge_moves, edge_verdict, silence, speakers, verdict, weight
from variorum.geometry import Box
from variorum.page.turning import displayed, upright
from variorum.report.pages import PageSight
from variorum.report.paper_data import has_text, paper_of
from variorum.report.placed import Corners, corners, rounded
from variorum.report.view import (
    AXES,
    ApparatusView,
    CandidateView,
    CellView,
    DividerView,
    NoticeView,
    OutcomeView,
    PageView,
    PartView,
    Point,
    ReportView,
    State,
    TableView,
    VoteView,
)


def view_of(document: Document, sights: Mapping[int, PageSight], problem: str = "") -> ReportView:
    """Return the report's content; `sights` is what is seen of the pages by number, `problem` what is wrong with the file."""
    methods = _methods(document)
    sizes = {p.page_num: (p.width, p.height) for p in document.pages if p.width > 0 and p.height > 0}
    labels = {p.page_num: p.label or "" for p in document.pages}
    notices = [_notice(n.severity, n.what, n.page_num, n.component, n.traceback) for n in document.notices]
    if problem:
        notices.append(_notice("warning", problem))
    spots = [
        (table.parts[index].page_num if table.parts else page_of(table), number, index, table)
        for number, table in enumerate(document.tables, start=1)
        for index in range(max(1, len(table.parts)))
    ]
    pages: dict[int, PageView] = {}
    for page_num in (*(spot[0] for spot in spots), *(p.page_num for p in document.pages if has_text(document))):
        sight = sights.get(page_num, PageSight(page_num=page_num))
        width, height = sizes.get(page_num, (sight.width, sight.height))
        pages[page_num] = PageView(
            page_num=page_num,
            label=labels.get(page_num, ""),
            width=rounded(width),
            height=rounded(height),
            picture=sight.picture,
            words=[corners(b) for b in sight.words],
            rules=[corners(b) for b in sight.rules],
            problem=sight.problem,
            tables=[],
        )
    for page_num, number, index, table in spots:
        pages[page_num]["tables"].append(_table(table, number, index, pages[page_num], methods))
    return ReportView(
        key=document.key,
        source=document.source_name,
        sha256=document.sha256,
        software=document.software,
        page_count=document.page_count,
        pages_read=len(document.pages),
        methods=methods,
        pages=[pages[n] for n in sorted(pages)],
        notices=notices,
        config=dict(document.config),
        paper=paper_of(document, sights),
    )


def _methods(document: Document) -> list[str]:
    """Return every structure method that is named anywhere, in registry order, then those outside the registry by name.

    Behind them stand those who voted on edges of regions.
    """
    heard = [a for t in document.tables for a in t.apparatuses()]
    registered = [m for a in heard for m in a.methods]
    others = sorted({v.method for a in heard for d in a.dividers for v in d.votes} | {m for a in heard for m in _spoken(a)})
    proposers = sorted({v.method for a in heard for e in a.region_edges for place in e.places for v in place.votes})
    return list(dict.fromkeys([*registered, *others, *proposers]))


def _spoken(apparatus: TableApparatus) -> set[str]:
    return {m for axis in AXES for m in speakers(axis, apparatus)}


def _notice(severity: str, what: str, page: int | None = None, component: str | None = None, trace: str = "") -> NoticeView:
    return NoticeView(severity=severity, what=what, page_num=page, component=component or "", traceback=trace)


# ---- a table --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Spot:
    """What is read in one place: a table, or one part of it, with its own rows in the whole and in its own grid."""

    page_num: int
    bbox: Box | None
    caption: Caption | None
    column_edges: tuple[float, ...]
    row_edges: tuple[float, ...]
    apparatus: TableApparatus | None
    first_row: int
    own_rows: list[int]
    own_count: int

    @property
    def end(self) -> int:
        return self.first_row + len(self.own_rows)


def _spot(table: Table, index: int) -> _Spot:
    if not table.parts:
        rows = list(range(table.n_rows))
        boxes = [c.bbox for c in table.cells if c.bbox is not None]
        bbox = table.provenance.bbox or (Box.around(boxes) if boxes else None)
        return _Spot(
            page_of(table),
            bbox,
            table.caption,
            table.column_edges,
            table.row_edges,
            table.apparatus,
            first_row=0,
            own_rows=rows,
            own_count=table.n_rows,
        )
    part = table.parts[index]
    own = part.own_rows()
    return _Spot(
        part.page_num,
        part.bbox,
        part.caption,
        part.column_edges,
        part.row_edges,
        part.apparatus,
        part.first_row,
        own,
        len(own) + len(part.dropped),
    )


def _table(table: Table, number: int, index: int, page: PageView, methods: list[str]) -> TableView:
    """Return a table, or the part of it with this index from 0; `number` is its position in the document from 1."""
    spot = _spot(table, index)
    printed = printed_number(table)
    label = (table.caption.label if table.caption is not None else "") or "Table"
    title = f"{label} {printed}" if printed else f"A table without a number (#{number})"
    is_later = index > 0
    caption = spot.caption if is_later else table.caption
    on_this_page = caption is not None and caption.page_num == page["page_num"]
    cells = [c for c in table.cells if not is_later or spot.first_row <= c.row < spot.end]
    apparatus = spot.apparatus
    return TableView(
        key=_key(number, index),
        cell_key=f"t{number}",
        first_row=spot.first_row if is_later else 0,
        here=(spot.first_row, spot.end),
        part=_part(table, number, index) if table.parts else None,
        agreement=apparatus.agreement if apparatus is not None and not table.parts else table.provenance.confidence,
        winner=apparatus.winner if apparatus is not None and not table.parts else table.provenance.method,
        id=table.parts[index].id if table.parts else table.id,
        title=f"{title}, part {index + 1}" if is_later else title,
        caption=caption.text if caption is not None else "",
        page_num=page["page_num"],
        page_width=page["width"],
        page_height=page["height"],
        angle=table.angle,
        n_rows=len(spot.own_rows) if is_later else table.n_rows,
        n_cols=table.n_cols,
        header_rows=0 if is_later else table.header_rows,
        cells=[_cell(cell, table, spot, page) for cell in cells],
        footnotes=[] if is_later else list(table.footnotes),
        box=None if spot.bbox is None else corners(spot.bbox),
        caption_box=corners(caption.bbox) if caption is not None and caption.bbox is not None and on_this_page else None,
        source=f"{table_name(table)}: {table.provenance.source}, {table.provenance.method}".rstrip(", "),
        apparatus=None if apparatus is None else _apparatus(table, apparatus, spot.bbox, page, methods),
    )


def _key(number: int, index: int) -> str:
    return f"t{number}p{index + 1}" if index else f"t{number}"


def _part(table: Table, number: int, index: int) -> PartView:
    return PartView(
        number=index + 1,
        count=len(table.parts),
        places=[(part.page_num, _key(number, i)) for i, part in enumerate(table.parts)],
        dropped=[(d.row + 1, dropped_reason(d.reason), d.text) for d in table.parts[index].dropped],
    )


def _cell(cell: Cell, table: Table, spot: _Spot, page: PageView) -> CellView:
    is_here = spot.first_row <= cell.row < spot.end
    box = cell.bbox if is_here else None
    if is_here and len(spot.column_edges) == table.n_cols + 1 and len(spot.row_edges) == spot.own_count + 1:
        own = spot.own_rows[cell.row - spot.first_row]
        x0, x1 = spot.column_edges[cell.col], spot.column_edges[cell.col + cell.colspan]
        y0, y1 = spot.row_edges[own], spot.row_edges[own + cell.rowspan]
        box = displayed(Box.of((x0, y0, x1, y1)), table.angle, page["width"], page["height"])
    return CellView(
        row=cell.row,
        col=cell.col,
        rowspan=cell.rowspan,
        colspan=cell.colspan,
        text=cell.text,
        raw_text=cell.raw_text if cell.raw_text != cell.text else None,
        is_header=cell.is_header or cell.row < table.header_rows,
        box=None if box is None else corners(box),
    )


# ---- its apparatus --------------------------------------------------------------------------------------------------


def _apparatus(table: Table, apparatus: TableApparatus, place: Box | None, page: PageView, methods: list[str]) -> ApparatusView:
    on_page, unturned = _drawer(place, table.angle, page), _drawer(place, 0, page)
    index = {m: i for i, m in enumerate(methods)}
    metrics = list(dict.fromkeys(m.metric for c in apparatus.candidates for m in c.metrics))
    order = sorted(apparatus.dividers, key=lambda d: (AXES.index(d.axis), d.position, d.start, d.id))
    elections = sorted(apparatus.candidates, key=lambda c: (not c.chosen, c.rank_sum, c.position))
    return ApparatusView(
        winner=apparatus.winner,
        agreement=apparatus.agreement,
        combination=apparatus.combination_strategy,
        counts_weight=counts_weight(apparatus),
        selection=apparatus.selection_strategy,
        precision=rounded(apparatus.spatial_precision),
        region_votes=list(apparatus.region_votes),
        incomplete=apparatus.incomplete,
        edges=[_place(e, d, unturned, index) for e in apparatus.region_edges for d in e.places],
        dividers=[_divider(d, apparatus, on_page, index) for d in order],
        speakers={axis: [index[m] for m in speakers(axis, apparatus)] for axis in AXES},
        silent={axis: silence(axis, apparatus) for axis in AXES},
        metrics=metrics,
        candidates=[
            CandidateView(
                name=c.name,
                n_rows=c.n_rows,
                n_cols=c.n_cols,
                metrics=[next(((m.value, m.rank) for m in c.metrics if m.metric == name), None) for name in metrics],
                rank_sum=c.rank_sum,
                chosen=c.chosen,
                position=c.position,
            )
            for c in elections
        ],
        outcomes=[
            OutcomeView(
                method=o.method,
                is_cell_method=o.method in apparatus.cell_methods,
                status=o.status,
                columns=o.column_count,
                rows=o.row_count,
                detail=o.detail,
                traceback=o.traceback,
            )
            for o in apparatus.outcomes
        ],
        repairs=[(r.name, r.detail) for r in apparatus.repairs],
    )


Drawer = Callable[[Axis, float, float, float, float], Box | None]


def _drawer(place: Box | None, angle: int, page: PageView) -> Drawer:
    """Return what turns a range on an axis into a box on the page; its positions are in the view of text turned by `angle`.

    The last two numbers say from where to where it reaches across the table: 0 is the table's top (for columns) or left edge
    (for rows) as the text reads, 1 the bottom or right edge.
    """
    width, height = page["width"], page["height"]
    area = None if place is None else upright(place, angle, width, height)

    def on_page(axis: Axis, start: float, end: float, head: float, foot: float) -> Box | None:
        if area is None:
            return None
        if axis == "column":
            across = (start, area.y0 + head * area.height, end, area.y0 + foot * area.height)
        else:
            across = (area.x0 + head * area.width, start, area.x0 + foot * area.width, end)
        return displayed(Box.of(across), angle, width, height)

    return on_page


def _place(edge: RegionEdge, place: Divider, on_page: Drawer, index: Mapping[str, int]) -> DividerView:
    """Return one place of an edge of the region; the accepted one lies where the edge is."""
    moves = "; ".join([f"from {place.position:.1f}", *edge_moves(edge)]) if place.accepted and edge.moves else place.note
    return _view(
        replace(place, axis=edge.axis, position=edge.position if place.accepted else place.position, note=moves),
        f"{edge.id} edge" if place.accepted else f"{edge.id} edge, place {place.id}",
        edge_verdict(edge, place),
        on_page,
        index,
    )


def _divider(divider: Divider, apparatus: TableApparatus, on_page: Drawer, index: Mapping[str, int]) -> DividerView:
    made = _view(divider, f"divider {divider.id}", verdict(divider, apparatus), on_page, index)
    made["against"] = [(index[m], instead) for m, instead in dissent(divider, apparatus)]
    return made


def _view(divider: Divider, name: str, said: str, on_page: Drawer, index: Mapping[str, int]) -> DividerView:
    """Return a divider, or a place of an edge, with nobody against it; `said` is its verdict."""
    axis, position = divider.axis, divider.position
    state: State = "accepted" if divider.accepted else "refused" if divider.reason == "refused" else "rejected"
    return DividerView(
        id=divider.id,
        name=name,
        axis=axis,
        state=state,
        verdict=said,
        reason=divider.reason,
        note=divider.note,
        start=divider.start,
        end=divider.end,
        position=position,
        confidence=divider.confidence,
        count=divider.method_count,
        weight=weight(divider),
        threshold=divider.threshold,
        votes=[
            VoteView(
                method=index[v.method],
                start=v.start,
                end=v.end,
                raw=v.confidence,
                scaled=v.scaled_confidence,
                box=_optional(on_page(axis, v.start, v.end, 0, 1)),
            )
            for v in sorted(divider.votes, key=lambda v: (index[v.method], v.start, v.end))
        ],
        against=[],
        band=_optional(on_page(axis, divider.start, divider.end, 0, 1)),
        line=_optional(on_page(axis, position, position, 0, 1)),
        mark=_point(on_page(axis, position, position, 0, 0)),
        tail=_point(on_page(axis, position, position, 1, 1)),
    )


def _optional(box: Box | None) -> Corners | None:
    return None if box is None else corners(box)


def _point(box: Box | None) -> Point | None:
    return None if box is None else (rounded(box.x0), rounded(box.y0))
