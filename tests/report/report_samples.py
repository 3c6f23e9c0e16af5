"""Documents for the tests of the report: a one-page PDF with a small table in it, and the reading of it written by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf

from variorum.document import (
    Candidate,
    Caption,
    Cell,
    Divider,
    Document,
    DroppedRow,
    EdgeMove,
    MethodOutcome,
    MetricValue,
    Notice,
    PageInfo,
    Provenance,
    RegionEdge,
    Repair,
    Table,
    TableApparatus,
    TablePart,
    Vote,
)
from variorum.geometry import Box

WIDTH, HEIGHT = 400.0, 300.0


def pdf_in(folder: Path, *, rotation: int = 0) -> Path:
    """Return the path of a one-page PDF of 400 × 300 points: two rows, two columns, a rule between the rows."""
    path = folder / "paper.pdf"
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=WIDTH, height=HEIGHT)
        for x, y, words in ((110, 115, "Drug"), (210, 115, "Dose"), (110, 145, "A"), (210, 145, "12")):
            page.insert_text((x, y), words)
        page.draw_line((100, 125), (300, 125))
        page.set_rotation(rotation)
        pdf.save(path)
    return path


def vote(method: str, start: float, end: float, raw: float, scaled: float) -> Vote:
    return Vote(method=method, start=start, end=end, confidence=raw, scaled_confidence=scaled)


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


def region_edges() -> tuple[RegionEdge, ...]:
    """Return the edges of the table's region: the top one moved to 100 and seen at 85 too, the left one at 100."""
    top = divider("top", 102.0, 102.0, "above_threshold", vote("rules", 102, 102, 0.9, 0.9), axis="row")
    other = divider(
        "topx1", 85.0, 85.0, "rejected", vote("captions", 85, 85, 0.6, 0.6), axis="row", note="too few reach so far"
    )
    left = divider("left", 100.0, 100.0, "above_threshold", vote("rules", 100, 100, 0.9, 0.9), axis="column")
    return (
        RegionEdge(
            id="top",
            axis="row",
            position=100.0,
            places=(other, top),
            moves=(EdgeMove(position=100.0, reason="grown to a rule"),),
        ),
        RegionEdge(id="bottom", axis="row", position=150.0),
        RegionEdge(id="left", axis="column", position=100.0, places=(left,)),
    )


def apparatus(**fields: Any) -> TableApparatus:
    """Return an apparatus with an accepted, a rejected and a refused column divider, and one for rows that a rule decides."""
    metrics = (MetricValue(metric="fill_rate", value=1.0, rank=1.0), MetricValue(metric="cut_words", value=3.0, rank=2.0))
    return TableApparatus(
        **{
            "methods": ("lines", "text", "hotspot", "lattice"),
            "cell_methods": ("rawdict",),
            "combination_strategy": "median_votes",
            "selection_strategy": "rank_sum",
            "spatial_precision": 2.5,
            "agreement": 0.75,
            "winner": "consensus:rawdict",
            "dividers": (
                divider(
                    "c1", 180.0, 200.0, "above_threshold", vote("text", 180, 200, 0.8, 0.4), vote("hotspot", 185, 195, 1, 1)
                ),
                divider("cx1", 240.0, 240.0, "rejected", vote("text", 240, 240, 0.8, 0.4)),
                divider("cx2", 215.0, 217.0, "refused", vote("hotspot", 215, 217, 1, 1), note="cuts a word"),
                divider("r1", 120.0, 130.0, "ruled_line_override", vote("lines", 124.5, 125.5, 1, 1)),
            ),
            "outcomes": (
                MethodOutcome(method="lines", status="voted", row_count=1),
                MethodOutcome(method="text", status="voted", column_count=2),
                MethodOutcome(method="hotspot", status="voted", column_count=2),
                MethodOutcome(method="lattice", status="failed", detail="ValueError: no", traceback="Traceback of <lattice>"),
                MethodOutcome(method="rawdict", status="voted"),
            ),
            "candidates": (
                Candidate(name="text:rawdict", n_rows=2, n_cols=3, metrics=metrics, rank_sum=3.0, chosen=False, position=0),
                Candidate(
                    name="consensus:rawdict", n_rows=2, n_cols=2, metrics=metrics[:1], rank_sum=1.0, chosen=True, position=1
                ),
            ),
            "repairs": (Repair(name="cell_cleaning", detail="1 ligature resolved"),),
            "region_votes": ("rules",),
            **fields,
        }
    )


def table(**fields: Any) -> Table:
    """Return the table of the PDF: one header row, two columns split at 190, two rows split at 125."""
    return Table(
        **{
            "id": "paper_table_1",
            "n_rows": 2,
            "n_cols": 2,
            "cells": (
                Cell(row=0, col=0, text="Drug", is_header=True, bbox=Box(110, 105, 135, 117)),
                Cell(row=0, col=1, text="Dose", is_header=True, bbox=Box(210, 105, 235, 117)),
                Cell(row=1, col=0, text="A", bbox=Box(110, 135, 118, 147)),
                Cell(row=1, col=1, text="12", raw_text="1 2", bbox=Box(210, 135, 222, 147)),
            ),
            "provenance": Provenance(source="pdf", method="consensus:rawdict", page_num=1, bbox=Box(100, 100, 300, 150)),
            "number": "1",
            "caption": Caption(text="Table 1. Doses", label="Table", number="1", page_num=1, bbox=Box(100, 80, 300, 92)),
            "header_rows": 1,
            "column_edges": (100.0, 190.0, 300.0),
            "row_edges": (100.0, 125.0, 150.0),
            "apparatus": apparatus(),
            **fields,
        }
    )


def parted(**fields: Any) -> Table:
    """Return the table in two parts: both rows of the PDF, and one more at the right of the page under the head again."""
    plain = table()
    again = Box(310, 100, 390, 150)
    parts = (
        TablePart(
            id=plain.id,
            page_num=1,
            bbox=plain.provenance.bbox,
            first_row=0,
            n_rows=2,
            method="consensus:rawdict",
            caption=plain.caption,
            column_edges=plain.column_edges,
            row_edges=plain.row_edges,
            apparatus=apparatus(),
        ),
        TablePart(
            id=f"{plain.id}_p1",
            page_num=1,
            bbox=again,
            first_row=2,
            n_rows=1,
            method="consensus:rawdict",
            dropped=(DroppedRow(row=0, reason="repeated_head", text="Drug Dose"),),
            caption=Caption(text="Table 1 (continued)", label="Table", number="1", page_num=1, bbox=Box(310, 80, 390, 92)),
            column_edges=(310.0, 350.0, 390.0),
            row_edges=(100.0, 125.0, 150.0),
            apparatus=apparatus(
                agreement=0.25, dividers=(divider("c1", 345.0, 355.0, "above_threshold", vote("text", 345, 355, 1, 1)),)
            ),
        ),
    )
    more = (Cell(row=2, col=0, text="B"), Cell(row=2, col=1, text="20", raw_text="2 0"))
    return replace(
        plain,
        **{
            "n_rows": 3,
            "cells": (*plain.cells, *more),
            "column_edges": (),
            "row_edges": (),
            "apparatus": None,
            "provenance": replace(plain.provenance, confidence=0.65),
            "parts": parts,
            **fields,
        },
    )


def document(*tables: Table, **fields: Any) -> Document:
    return Document(
        **{
            "key": "0badcafe",
            "source_name": "paper.pdf",
            "sha256": "0" * 64,
            "page_count": 1,
            "pages": (PageInfo(page_num=1, width=WIDTH, height=HEIGHT),),
            "tables": tables,
            "config": {"name": "default"},
            "software": "variorum 0",
            **fields,
        }
    )


def hostile(words: str) -> Document:
    """Return a document that has the words wherever a document may hold words."""
    said = apparatus(
        methods=(words,),
        cell_methods=(words,),
        combination_strategy=words,
        selection_strategy=words,
        winner=words,
        dividers=(divider("c1", 180.0, 200.0, words, vote(words, 180, 200, 1, 1), note=words),),
        outcomes=(MethodOutcome(method=words, status="failed", detail=words, traceback=words),),
        candidates=(
            Candidate(
                name=words,
                n_rows=2,
                n_cols=2,
                metrics=(MetricValue(metric=words, value=1, rank=1),),
                rank_sum=1,
                chosen=True,
                position=0,
            ),
        ),
        repairs=(Repair(name=words, detail=words),),
        region_votes=(words,),
        incomplete=words,
    )
    plain = table()
    said_table = replace(
        plain,
        id=words,
        cells=tuple(replace(c, text=words, raw_text=f"{words} ") for c in plain.cells),
        number=words,
        caption=Caption(text=words, label=words, number=words, page_num=1, bbox=Box(100, 80, 300, 92)),
        footnotes=(words,),
        apparatus=said,
    )
    silent_table = replace(
        plain, id=f"{words} 2", apparatus=None, provenance=replace(plain.provenance, source=words, method=words)
    )
    whole = parted()
    said_parts = tuple(
        replace(
            part,
            id=f"{words} 3{i}",
            method=words,
            dropped=(DroppedRow(row=0, reason="note", text=words),),
            caption=said_table.caption,
            apparatus=said,
        )
        for i, part in enumerate(whole.parts)
    )
    parted_table = replace(whole, id=f"{words} 30", caption=said_table.caption, parts=said_parts)
    return document(
        said_table,
        silent_table,
        parted_table,
        key=words,
        source_name=words,
        software=words,
        config={words: words},
        pages=(PageInfo(page_num=1, width=WIDTH, height=HEIGHT, label=words),),
        notices=(Notice(severity="warning", what=words, page_num=1, component=words, traceback=words),),
    )
