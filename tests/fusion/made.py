"""A small fusion written by hand: three sources of a paper on gulls, with every type of component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from variorum.document import (
    BibliographyEntry,
    Caption,
    Cell,
    Citation,
    Completeness,
    Document,
    Figure,
    InlineEquation,
    Notice,
    PageInfo,
    PaperIdentity,
    Provenance,
    Section,
    Table,
    TextComponent,
)
from variorum.fusion.model import (
    Agreement,
    Borrowed,
    Candidate,
    ComponentType,
    Decision,
    Fusion,
    LeftOver,
    Part,
    Signal,
    SourceKind,
    SourceRecord,
)
from variorum.geometry import Box

TEXT = "Gulls follow the tides t < 1 closely [1]."
MATRIX = {
    "heading": {"docling": 0.95, "ar5iv": 0.85, "latex": 0.80},
    "paragraph": {"docling": 0.90, "ar5iv": 0.85, "latex": 0.80},
    "equation_display": {"docling": 0.70, "ar5iv": 0.90, "latex": 0.95},
    "equation_inline": {"docling": 0.65, "ar5iv": 0.95, "latex": 0.90},
    "table": {"docling": 0.80, "ar5iv": 0.92, "latex": 0.75},
    "figure": {"docling": 0.88, "ar5iv": 0.82, "latex": None},
    "citation": {"docling": 0.75, "ar5iv": 0.85, "latex": 0.95},
    "bibliography": {"docling": 0.70, "ar5iv": 0.80, "latex": 0.95},
}


def candidate(type_: ComponentType, source: SourceKind, text: str, *signals: Signal, table: Table | None = None) -> Candidate:
    """Return the reading of a source with its weight in the default matrix, lowered by the signals."""
    weight = MATRIX[type_][source]
    score = weight
    for signal in signals:
        score = None if score is None else round(score * signal.factor, 4)
    return Candidate(
        source=source,
        components=(f"{source}-1",),
        weight=weight,
        score=score,
        text=text,
        signals=signals,
        table=table,
    )


def decision(
    position: str, type_: ComponentType, components: Sequence[str], *candidates: Candidate, part: Part = "flow", **fields: Any
) -> Decision:
    """Return the decision that the candidate with the highest score won."""
    ranked = sorted(candidates, key=lambda c: (c.score is None, -(c.score or 0.0)))
    fields.setdefault("reason", f"{ranked[0].source}, {ranked[0].score}, has the highest score.")
    return Decision(
        position=position,
        part=part,
        type=type_,
        components=tuple(components),
        winner=ranked[0].source,
        candidates=tuple(ranked),
        is_sole=len(ranked) == 1,
        **fields,
    )


def grid(name: str, *rows: Sequence[str], caption: str = "Table 1: Gulls by coast.") -> Table:
    """Return a table of these rows, the first of them its head."""
    cells = tuple(Cell(row=r, col=c, text=t, is_header=r == 0) for r, row in enumerate(rows) for c, t in enumerate(row))
    return Table(
        id=name,
        n_rows=len(rows),
        n_cols=max(map(len, rows)),
        cells=cells,
        provenance=_from("ar5iv"),
        number="1",
        caption=Caption(text=caption, label="Table", number="1"),
        header_rows=1,
    )


def made_fusion(words: str = "", **fields: Any) -> Fusion:
    """Return the fusion; `words` stand, where they are given, wherever a source may hold words."""
    return replace(
        Fusion(
            document=fused_document(words),
            decisions=_decisions(words),
            left_overs=(
                LeftOver(
                    source="docling",
                    component="f-1",
                    kind="furniture",
                    text=f"J. Shores 3 {words}",
                    reason=words or "furniture",
                ),
                LeftOver(source="latex", component="c-9", kind="caption", text="North", reason=f"caption of a float {words}"),
            ),
            agreements=(
                Agreement(
                    first="latex",
                    second="ar5iv",
                    type="paragraph",
                    of_first=3,
                    of_second=3,
                    shared_of_first=3,
                    shared_of_second=3,
                ),
                Agreement(
                    first="latex",
                    second="docling",
                    type="paragraph",
                    of_first=3,
                    of_second=4,
                    shared_of_first=2,
                    shared_of_second=2,
                ),
                Agreement(
                    first="ar5iv",
                    second="docling",
                    type="table",
                    of_first=1,
                    of_second=1,
                    shared_of_first=1,
                    shared_of_second=1,
                ),
            ),
            sources=tuple(
                SourceRecord(
                    kind=kind, name=f"gulls.{ending}{words}", sha256=digit * 64, n_components=n, software=f"reader {words}"
                )
                for kind, ending, digit, n in (("latex", "tex", "a", 9), ("ar5iv", "html", "b", 9), ("docling", "json", "c", 8))
            ),
            tenant=f"default-dynamic{words}",
            tenant_sha256="d" * 64,
            matrix_version=f"1.0{words}",
            software=f"variorum 0 {words}",
        ),
        **fields,
    )


def fused_document(words: str = "") -> Document:
    """Return the fused document of the paper."""
    text = f"{TEXT} {words}".strip()
    caption = Caption(text=f"Figure 1: Where we stood. {words}", label=words or "Figure", number="1")
    return Document(
        key="gulls",
        source_name=f"gulls.tex {words}",
        sha256="e" * 64,
        page_count=1,
        pages=(PageInfo(page_num=1, width=600, height=800),),
        components=(
            _piece("title", "title", f"Gulls and Tides {words}", "docling"),
            _piece("by", "byline", f"Ada Coast {words}", "latex"),
            _piece("h1", "heading", f"1 Introduction {words}", "docling", level=1, number="1"),
            _piece("p1", "paragraph", text, "ar5iv"),
            _piece("e1", "equation", f"E = mc² {words}", "latex", number="1", tex="E = mc^2"),
            _piece("t1-mark", "table", "", "ar5iv", target="t1"),
            _piece("i1", "list_item", f"count at dawn {words}", "latex"),
            _piece("c1", "code", f"x = 1 {words}", "latex"),
            _piece("f1-mark", "figure", "", "docling", target="f1"),
            _piece("n1", "footnote", f"Not in winter. {words}", "latex"),
            _piece("b1", "bibliography_entry", f"A. Coast. Gulls at sea. 2020. {words}", "latex", number="[1]"),
        ),
        tables=(grid("t1", ("Coast", "low", f"high{words}"), ("North", "12", "3"), ("South", "9", "2")),),
        figures=(
            Figure(
                id="f1",
                provenance=Provenance(
                    source="docling", method="fusion", page_num=1, bbox=Box(72, 100, 300, 200), confidence=0.88
                ),
                kind="raster",
                number="1",
                caption=caption,
            ),
        ),
        identity=PaperIdentity(title=f"Gulls and Tides {words}"),
        sections=(
            Section(label="preamble", confidence=1.0, reason="first", first="title", last="by"),
            Section(label="introduction", confidence=1.0, reason="by its name", first="h1", last="b1", heading="h1"),
        ),
        bibliography=(BibliographyEntry(id="b1", year="2020", doi="10.1234/gull"),),
        citations=(Citation(component="p1", start=37, end=40, text="[1]", style="numeric", targets=("b1",)),),
        inline_equations=(InlineEquation(component="p1", start=23, end=28, text="t < 1", tex="t < 1"),),
        notices=(Notice(severity="warning", what=f"docling: 1 formula has no text {words}"),),
        completeness=Completeness(grade="B", reasons=(f"B: a number is left out {words}",)),
        software="variorum 0",
    )


def _decisions(words: str) -> tuple[Decision, ...]:
    ragged = Signal(name=f"ragged_rows{words}", factor=0.7, reason=f"rows of 2 and 3 cells {words}")
    right = grid("t1", ("Coast", "low", f"high{words}"), ("North", "12", "3"), ("South", "9", "2"))
    merged = grid("t1", ("Coast", "low high"), ("North South", "12 9"), caption=f"Table 1. Gulls {words}")
    return (
        decision("p-title", "heading", ("title",), *_three("heading", f"Gulls and Tides {words}"), part="front"),
        decision("p-by", "paragraph", ("by",), candidate("paragraph", "latex", f"Ada Coast {words}"), part="front"),
        decision("p-h1", "heading", ("h1",), *_three("heading", f"1 Introduction {words}", latex=f"Introduction {words}")),
        decision(
            "p-p1",
            "paragraph",
            ("p1",),
            candidate("paragraph", "latex", f"Gulls follow tides t < 1 closely [1]. {words}"),
            candidate("paragraph", "ar5iv", f"{TEXT} {words}".strip()),
            candidate(
                "paragraph",
                "docling",
                "Gullsfollow the tides closely [1].",
                Signal(name="run_together", factor=0.9, reason="Gullsfollow"),
            ),
            borrowed=(
                Borrowed(
                    attribute="place", source="docling", components=("docling-1",), value=f"page 1, 72 100 300 120 {words}"
                ),
            ),
            reason=f"ar5iv, 0.85, before docling, 0.81 lowered from 0.90 by words run together {words}.",
        ),
        decision(
            "p-p1-m1",
            "equation_inline",
            ("p1",),
            candidate("equation_inline", "ar5iv", "t < 1"),
            candidate("equation_inline", "latex", f"t<1{words}"),
            part="inline",
            item=0,
        ),
        decision("p-p1-c1", "citation", ("p1",), *_three("citation", "[1]", latex=f"coast20{words}"), part="inline", item=0),
        decision("p-p1-c2", "citation", ("p1",), candidate("citation", "docling", f"[9]{words}"), part="inline"),
        decision("p-e1", "equation_display", ("e1",), *_three("equation_display", f"E = mc² {words}", docling="")),
        decision(
            "p-t1",
            "table",
            ("t1",),
            candidate("table", "latex", "", ragged, table=merged),
            candidate("table", "ar5iv", "", table=right),
            candidate("table", "docling", "", table=merged),
            part="float",
        ),
        decision("p-i1", "paragraph", ("i1",), *_three("paragraph", f"count at dawn {words}")),
        decision("p-c1", "paragraph", ("c1",), candidate("paragraph", "latex", f"x = 1 {words}")),
        decision("p-f1", "figure", ("f1",), *_three("figure", f"Figure 1: Where we stood. {words}"), part="float"),
        decision("p-n1", "paragraph", ("n1",), *_three("paragraph", f"Not in winter. {words}"), part="footnote"),
        decision(
            "p-b1",
            "bibliography",
            ("b1",),
            *_three("bibliography", f"A. Coast. Gulls at sea. 2020. {words}", docling=f"A. Coast. Gulls at see. 2020. {words}"),
            part="bibliography",
            borrowed=(Borrowed(attribute="identifier", source="ar5iv", components=("ar5iv-1",), value=f"10.1234/gull{words}"),),
        ),
    )


def _three(type_: ComponentType, text: str, **others: str) -> tuple[Candidate, ...]:
    return tuple(candidate(type_, source, others.get(source, text)) for source in ("latex", "ar5iv", "docling"))


def _from(source: str) -> Provenance:
    return Provenance(source=source, method="fusion", confidence=0.9)


def _piece(name: str, kind: Any, text: str, source: str, **fields: Any) -> TextComponent:
    return TextComponent(id=name, kind=kind, text=text, provenance=_from(source), **fields)
