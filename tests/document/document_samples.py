"""Tables and documents for the tests of the document room: small ones by hand, arbitrary ones from Hypothesis."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from hypothesis import strategies as st

from variorum.document import (
    BibliographyEntry,
    Candidate,
    Caption,
    Cell,
    Citation,
    Completeness,
    ComponentKind,
    Divider,
    Document,
    DroppedRow,
    EdgeMove,
    Figure,
    FigurePanel,
    Gap,
    HeadingDecision,
    HeadingVote,
    Mention,
    MethodOutcome,
    MetricValue,
    Notice,
    PageInfo,
    PaperIdentity,
    Place,
    Provenance,
    RegionEdge,
    Repair,
    Section,
    Table,
    TableApparatus,
    TablePart,
    TextComponent,
    Vote,
)
from variorum.geometry import Box

COMPONENT_KINDS = get_args(ComponentKind)


def provenance(page_num: int | None = 7, source: str = "pdf", method: str = "consensus:rawdict") -> Provenance:
    return Provenance(source=source, method=method, page_num=page_num, bbox=Box(100, 200, 400, 300))


def caption(text: str = "Table 2. Outcomes", number: str | None = "2", page_num: int = 7) -> Caption:
    return Caption(text=text, label="Table", number=number, page_num=page_num, bbox=Box(100, 180, 400, 195))


def table_of(
    rows: Sequence[Sequence[str | None]], spans: Mapping[tuple[int, int], tuple[int, int]] | None = None, **fields: Any
) -> Table:
    """Return a table of the rows; None is a position without a cell, spans map (row, col) to (rowspan, colspan)."""
    sizes = spans or {}
    cells = tuple(
        Cell(row=r, col=c, text=text, rowspan=sizes.get((r, c), (1, 1))[0], colspan=sizes.get((r, c), (1, 1))[1])
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if text is not None
    )
    n_cols = max(map(len, rows), default=0)
    return Table(**{"id": "t1", "n_rows": len(rows), "n_cols": n_cols, "cells": cells, "provenance": provenance(), **fields})


def spanned_table(**fields: Any) -> Table:
    """Return a table with two header rows, a header over two columns, a row label over two rows, and a section title."""
    return table_of(
        [
            ["Group", "Outcome", None],
            [None, "b", "se"],
            ["A", "1", "2"],
            [None, "3", "4"],
            ["Panel B", None, None],
        ],
        {(0, 0): (2, 1), (0, 1): (1, 2), (2, 0): (2, 1), (4, 0): (1, 3)},
        **{"header_rows": 2, "number": "2", "caption": caption(), **fields},
    )


def text(kind: Any, words: str, page_num: int | None = 1, **fields: Any) -> TextComponent:
    own = {"id": f"{kind}-{words[:8]}", "provenance": provenance(page_num), **fields}
    return TextComponent(kind=kind, text=words, **own)


def document_of(*tables: Table, components: Sequence[TextComponent] = (), **fields: Any) -> Document:
    return Document(
        **{
            "key": "0badcafe",
            "source_name": "paper.pdf",
            "sha256": "0" * 64,
            "page_count": 9,
            "pages": (PageInfo(page_num=1, width=612, height=792),),
            "tables": tables,
            "components": tuple(components),
            **fields,
        }
    )


def vote(method: str, start: float, end: float, confidence: float = 0.5, scaled: float | None = None) -> Vote:
    scaled = confidence if scaled is None else scaled
    return Vote(method=method, start=start, end=end, confidence=confidence, scaled_confidence=scaled)


def divider(name: str, start: float, end: float, reason: str, *votes: Vote, **fields: Any) -> Divider:
    return Divider(
        **{
            "id": name,
            "axis": "column" if name.startswith("c") else "row",
            "start": start,
            "end": end,
            "position": (start + end) / 2,
            "accepted": reason in ("above_threshold", "ruled_line_override"),
            "reason": reason,
            "confidence": 0.5,
            "method_count": len({v.method for v in votes}),
            "threshold": 2.0,
            "votes": votes,
            **fields,
        }
    )


def voted_table(**fields: Any) -> Table:
    """Return a table with an apparatus: of five methods three speak of columns, one of rows, one is never asked."""
    apparatus = TableApparatus(
        methods=("lines", "text", "hotspot", "ruled", "lattice"),
        cell_methods=("rawdict",),
        combination_strategy="median_votes",
        selection_strategy="rank_sum",
        spatial_precision=2.5,
        agreement=0.75,
        winner="consensus:rawdict",
        dividers=(
            divider("c1", 150.2, 160, "above_threshold", vote("text", 150.2, 160, 0.88), vote("lines", 152, 158, 0.5, 1.5)),
            divider("c2", 213.4, 219, "above_threshold", vote("text", 213.4, 219, 0.88), vote("hotspot", 213.4, 219, 0.92)),
            divider("cx1", 300, 302, "rejected", vote("lines", 300, 302, 0.5)),
            divider("cx2", 310, 312, "refused", vote("hotspot", 310, 312), note="through a word"),
            divider("r1", 220, 222, "ruled_line_override", vote("ruled", 220, 222, 1.0)),
        ),
        outcomes=(
            MethodOutcome(method="ruled", status="voted", row_count=1),
            MethodOutcome(method="lattice", status="not_asked", detail="not ruled"),
            MethodOutcome(method="rawdict", status="voted"),
        ),
        candidates=(
            Candidate(
                name="text:rawdict",
                n_rows=12,
                n_cols=3,
                metrics=(MetricValue(metric="fill", value=0.5, rank=2), MetricValue(metric="alignment", value=0.7, rank=1.5)),
                rank_sum=3.5,
                chosen=False,
                position=0,
            ),
            Candidate(
                name="consensus:rawdict",
                n_rows=5,
                n_cols=3,
                metrics=(MetricValue(metric="fill", value=0.9, rank=1), MetricValue(metric="alignment", value=0.7, rank=1.5)),
                rank_sum=2.5,
                chosen=True,
                position=1,
            ),
        ),
        repairs=(Repair(name="cell_cleaning", detail="3 ligatures resolved"),),
        region_votes=("captions",),
    )
    return spanned_table(apparatus=apparatus, **fields)


def parted_table(**fields: Any) -> Table:
    """Return a table of a head and four rows: two on page 7, and below a repeated head two on page 8, each part voted on."""
    whole = table_of(
        [
            ["Drug", "Dose", "Effect"],
            ["Alpha", "10", ".31"],
            ["Beta", "20", ".45"],
            ["Gamma", "30", ".62"],
            ["Delta", "40", ".8"],
        ],
        **{"header_rows": 1, "number": "2", "caption": caption(), **fields},
    )
    apparatus = voted_table().apparatus
    assert apparatus is not None
    more = replace(apparatus, agreement=0.25, dividers=apparatus.dividers[:1])
    parts = (
        TablePart(
            id=whole.id,
            page_num=7,
            bbox=Box(100, 200, 400, 260),
            first_row=0,
            n_rows=3,
            method="consensus:rawdict",
            caption=caption(),
            column_edges=(100, 155, 215, 400),
            row_edges=(200, 220, 240, 260),
            apparatus=apparatus,
        ),
        TablePart(
            id=f"{whole.id}_p8",
            page_num=8,
            bbox=Box(100, 80, 400, 140),
            first_row=3,
            n_rows=2,
            method="consensus:rawdict",
            dropped=(DroppedRow(row=0, reason="repeated_head", text="Drug Dose Effect"),),
            caption=caption("Table 2 (continued)", page_num=8),
            column_edges=(100, 157, 218, 400),
            row_edges=(80, 100, 120, 140),
            apparatus=more,
        ),
    )
    return replace(whole, provenance=replace(whole.provenance, bbox=parts[0].bbox, confidence=0.65), parts=parts)


# ---- arbitrary documents --------------------------------------------------------------------------------------------

numbers = st.integers(-(10**7), 10**7).map(lambda n: round(n / 10_000, 4) + 0.0)
lengths = st.integers(0, 10**7).map(lambda n: round(n / 10_000, 4))
shares = st.integers(0, 10_000).map(lambda n: n / 10_000)
page_nums = st.integers(1, 999)
words = st.text(max_size=12)
boxes = st.lists(numbers, min_size=4, max_size=4).map(Box.of)
ranges = st.tuples(numbers, numbers).map(sorted)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner, max_size=2),
    max_leaves=5,
)
provenances = st.builds(
    Provenance,
    source=words,
    method=words,
    page_num=st.none() | page_nums,
    bbox=st.none() | boxes,
    confidence=st.none() | shares,
)
captions = st.builds(Caption, text=words, label=words, number=st.none() | words, page_num=page_nums, bbox=boxes)


@st.composite
def votes(draw: st.DrawFn) -> Vote:
    start, end = draw(ranges)
    return vote(draw(words), start, end, draw(lengths), draw(lengths))


@st.composite
def dividers(draw: st.DrawFn) -> Divider:
    start, end = draw(ranges)
    fields = draw(st.fixed_dictionaries({"position": numbers, "confidence": lengths, "threshold": lengths, "note": words}))
    reason = draw(st.sampled_from(["above_threshold", "rejected", "refused"]))
    return divider(draw(st.sampled_from(["c1", "r2"])), start, end, reason, *draw(st.lists(votes(), max_size=2)), **fields)


@st.composite
def edges(draw: st.DrawFn) -> RegionEdge:
    name = draw(st.sampled_from(["top", "bottom", "left", "right"]))
    return RegionEdge(
        id=name,
        axis="row" if name in ("top", "bottom") else "column",
        position=draw(numbers),
        places=tuple(draw(st.lists(dividers(), max_size=2))),
        moves=tuple(draw(st.lists(st.builds(EdgeMove, position=numbers, reason=words), max_size=2))),
    )


apparatuses = st.builds(
    TableApparatus,
    methods=st.lists(words, max_size=2).map(tuple),
    cell_methods=st.lists(words, max_size=2).map(tuple),
    combination_strategy=words,
    selection_strategy=words,
    spatial_precision=lengths,
    agreement=shares,
    winner=words,
    dividers=st.lists(dividers(), max_size=2).map(tuple),
    outcomes=st.lists(
        st.builds(MethodOutcome, method=words, status=st.sampled_from(["voted", "abstained", "not_asked", "failed"])),
        max_size=2,
    ).map(tuple),
    candidates=st.lists(
        st.builds(
            Candidate,
            name=words,
            n_rows=st.integers(0, 9),
            n_cols=st.integers(0, 9),
            metrics=st.lists(st.builds(MetricValue, metric=words, value=numbers, rank=lengths), max_size=2).map(tuple),
            rank_sum=lengths,
            chosen=st.booleans(),
            position=st.integers(0, 9),
        ),
        max_size=2,
    ).map(tuple),
    repairs=st.lists(st.builds(Repair, name=words, detail=words), max_size=2).map(tuple),
    region_votes=st.lists(words, max_size=2).map(tuple),
    region_edges=st.lists(edges(), max_size=2, unique_by=lambda e: e.id).map(tuple),
    incomplete=words,
)


@st.composite
def tables(draw: st.DrawFn, cell_texts: st.SearchStrategy[str] = words) -> Table:
    """Any table up to 4 × 4: spans, positions without a cell, blank and strange text."""
    n_rows, n_cols = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    taken: set[tuple[int, int]] = set()
    cells = []
    for r in range(n_rows):
        for c in range(n_cols):
            rowspan, colspan = draw(st.integers(0, 2)), draw(st.integers(1, 2))
            covered = {(y, x) for y in range(r, r + rowspan) for x in range(c, c + colspan)}
            fits = covered and r + rowspan <= n_rows and c + colspan <= n_cols
            if fits and not covered & taken:
                taken |= covered
                extra = draw(st.fixed_dictionaries({"raw_text": st.none() | words, "bbox": st.none() | boxes}))
                cell = Cell(
                    row=r,
                    col=c,
                    rowspan=rowspan,
                    colspan=colspan,
                    text=draw(cell_texts),
                    is_header=draw(st.booleans()),
                    **extra,
                )
                cells.append(cell)
    return Table(
        id=draw(words),
        n_rows=n_rows,
        n_cols=n_cols,
        cells=tuple(cells),
        provenance=draw(provenances),
        number=draw(st.none() | words),
        caption=draw(st.none() | captions),
        header_rows=draw(st.integers(0, n_rows)),
        footnotes=tuple(draw(st.lists(words, max_size=2))),
        column_edges=tuple(sorted(draw(st.lists(numbers, max_size=3)))),
        angle=draw(st.sampled_from([0, 90, 180, 270])),
        apparatus=draw(st.none() | apparatuses),
    )


def figure_of(**fields: Any) -> Figure:
    """Return figure 3 on page 4, a photograph with its caption below."""
    return Figure(
        **{
            "id": "fig-3",
            "provenance": Provenance(source="pdf", method="figures", page_num=4, bbox=Box(100, 200, 400, 300)),
            "kind": "raster",
            "number": "3",
            "caption": Caption(text="Figure 3: A bird.", label="Figure", number="3", page_num=4, bbox=Box(100, 310, 400, 322)),
            **fields,
        }
    )


@st.composite
def figures(draw: st.DrawFn) -> Figure:
    box = draw(boxes)
    return Figure(
        id=draw(words),
        provenance=replace(draw(provenances), bbox=box),
        kind=draw(st.sampled_from(["raster", "vector", "mixed"])),
        number=draw(st.none() | words),
        caption=draw(st.none() | captions),
        panels=tuple(draw(st.lists(st.builds(FigurePanel, label=words, bbox=st.just(box)), max_size=2))),
        is_data_table=draw(st.booleans()),
        text=draw(words),
    )


@st.composite
def components(draw: st.DrawFn, name: str, floats: Mapping[str, Sequence[str]]) -> TextComponent:
    """Any component that leads to none but the floats."""
    own = draw(provenances)
    kind = draw(st.sampled_from([k for k in COMPONENT_KINDS if k not in ("table", "figure") or floats[k]]))
    target = draw(st.sampled_from(floats[kind]) if kind in floats else st.sampled_from([None, *floats["table"]]))
    places = draw(st.lists(st.builds(Place, page_num=page_nums, bbox=boxes), max_size=2)) if own.page_num and own.bbox else []
    if places and own.page_num and own.bbox:
        places.insert(0, Place(page_num=own.page_num, bbox=own.bbox))
    return TextComponent(
        id=name,
        kind=kind,
        text=draw(words),
        provenance=own,
        level=draw(st.none() | st.integers(1, 9)),
        number=draw(st.none() | words),
        target=target,
        places=tuple(places),
        note=draw(words),
    )


@st.composite
def marks(draw: st.DrawFn, texts: Sequence[TextComponent]) -> dict[str, Any]:
    """Any stretch of the text of a component."""
    component = draw(st.sampled_from(texts))
    start = draw(st.integers(0, len(component.text) - 1))
    end = draw(st.integers(start + 1, len(component.text)))
    return {"component": component.id, "start": start, "end": end, "text": component.text[start:end]}


@st.composite
def sections_of(draw: st.DrawFn, body: Sequence[TextComponent]) -> tuple[Section, ...]:
    """Any sections that share out the components."""
    cuts = sorted({0, *draw(st.lists(st.integers(0, len(body) - 1), max_size=2)), len(body)})
    return tuple(
        Section(
            label=draw(st.sampled_from(["preamble", "methods", "unknown"])),
            confidence=draw(shares),
            reason=draw(words),
            first=body[start].id,
            last=body[end - 1].id,
            heading=next((c.id for c in body[start:end] if c.kind == "heading"), None),
        )
        for start, end in itertools.pairwise(cuts)
    )


@st.composite
def decisions(draw: st.DrawFn, headings: Sequence[str]) -> HeadingDecision:
    component = draw(st.sampled_from([None, *headings]))
    levels = st.none() | st.integers(1, 6)
    ballots = st.builds(HeadingVote, voter=words, is_heading=st.booleans(), confidence=shares, reason=words, level=levels)
    return HeadingDecision(
        text=draw(words),
        page_num=draw(page_nums),
        accepted=component is not None,
        reason=draw(words),
        votes=tuple(draw(st.lists(ballots, max_size=2))),
        component=component,
        level=draw(levels),
    )


@st.composite
def any_document(draw: st.DrawFn) -> Document:
    """Any document that does not contradict itself."""
    names = draw(st.lists(words, min_size=9, max_size=9, unique=True))
    own_tables = tuple(replace(t, id=names.pop()) for t in draw(st.lists(tables(), max_size=2)))
    own_figures = tuple(replace(f, id=names.pop()) for f in draw(st.lists(figures(), max_size=2)))
    floats = {"table": [t.id for t in own_tables], "figure": [f.id for f in own_figures]}
    texts = tuple(draw(components(names.pop(), floats)) for _ in range(draw(st.integers(0, 4))))
    body = [c for c in texts if c.kind != "furniture"]
    marked = [c for c in texts if c.text]
    headings = [c.id for c in texts if c.kind == "heading"]
    entries = [c.id for c in texts if c.kind == "bibliography_entry"]
    stretches = draw(st.lists(marks(marked), max_size=2)) if marked else []
    mentioned = {**floats, "section": headings, "equation": [c.id for c in texts if c.kind == "equation"]}
    kinds = [draw(st.sampled_from(sorted(mentioned))) for _ in stretches]
    gaps = st.builds(Gap, kind=st.just("numbering"), what=words, page_num=st.none() | page_nums)
    return Document(
        key=draw(words),
        source_name=draw(words),
        sha256=draw(words),
        page_count=draw(st.integers(0, 999)),
        pages=tuple(
            draw(
                st.lists(
                    st.builds(PageInfo, page_num=page_nums, width=lengths, height=lengths, label=st.none() | words), max_size=2
                )
            )
        ),
        tables=own_tables,
        components=texts,
        notices=tuple(
            draw(
                st.lists(
                    st.builds(
                        Notice,
                        severity=st.sampled_from(["info", "warning", "error"]),
                        what=words,
                        page_num=st.none() | page_nums,
                    ),
                    max_size=2,
                )
            )
        ),
        config=draw(st.dictionaries(words, json_values, max_size=2)),
        software=draw(words),
        figures=own_figures,
        identity=draw(st.builds(PaperIdentity, title=words, doi=st.none() | words)),
        sections=draw(st.just(()) | sections_of(body)) if body else (),
        headings=tuple(draw(st.lists(decisions(headings), max_size=2))),
        bibliography=tuple(BibliographyEntry(id=e, year=draw(st.none() | words)) for e in entries),
        citations=tuple(Citation(**s, style="numeric", targets=tuple(entries)) for s in stretches),
        mentions=tuple(
            Mention(**s, kind=k, number="1", target=draw(st.sampled_from([None, *mentioned[k]])))
            for s, k in zip(stretches, kinds, strict=True)
        ),
        completeness=draw(
            st.none() | st.builds(Completeness, grade=st.just("B"), reasons=st.just(("why",)), gaps=st.tuples(gaps))
        ),
    )


documents = any_document()
