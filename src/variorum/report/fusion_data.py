"""A fusion as the content of its report: every decision with its readings and what differs between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from variorum.document import Document, Table
from variorum.fusion.model import Candidate, Decision, Fusion, LeftOver, SourceRecord
from variorum.report.fusion_differences import differing_cells, differing_words, is_same_text, missing_words
from variorum.report.fusion_view import SIGLA, CellView, DecisionView, LeftOverView, ReadingView, SourceView, TableView

_INLINE = ("citation", "equation_inline")


def decision_views(fusion: Fusion) -> list[DecisionView]:
    """Return every decision of the fusion in its order; those on what stands in a text are also numbered with that text, or
    with the float whose caption it is."""
    own = decided(fusion)
    views = [_decision(decision, fusion.document) for decision in fusion.decisions]
    for number, decision in enumerate(fusion.decisions):
        if decision.type in _INLINE:
            for parent in {own[c] for c in decision.components if c in own}:
                views[parent]["inside"].append(number)
    return views


def decided(fusion: Fusion) -> dict[str, int]:
    """Return for the components of the fused document, captions of floats among them, the number of the decision on each."""
    own = {
        component: number
        for number, decision in reversed(list(enumerate(fusion.decisions)))
        if decision.type not in _INLINE
        for component in decision.components
    }
    captions = {c.id: own[c.target] for c in fusion.document.components if c.kind == "caption" and c.target in own}
    return {**captions, **own}


def source_view(source: SourceRecord) -> SourceView:
    """Return what the report says of a source."""
    return {
        "siglum": SIGLA[source.kind],
        "kind": source.kind,
        "name": source.name,
        "sha256": source.sha256,
        "n_components": source.n_components,
        "software": source.software,
    }


def left_over_view(left_over: LeftOver) -> LeftOverView:
    """Return what the report says of a component that has no position."""
    return {
        "siglum": SIGLA[left_over.source],
        "component": left_over.component,
        "kind": left_over.kind.replace("_", " "),
        "text": left_over.text,
        "reason": left_over.reason,
    }


def is_contested(decision: Decision) -> bool:
    """Return whether the readings of a position differ in more than spacing."""
    winner, *others = _winner_first(decision)
    return any(not _is_same(other, winner) for other in others)


def _winner_first(decision: Decision) -> list[Candidate]:
    """Return the candidates with the winner in front, the others in their order."""
    return sorted(decision.candidates, key=lambda candidate: candidate.source != decision.winner)


def _is_same(candidate: Candidate, winner: Candidate) -> bool:
    if candidate.table is None or winner.table is None:
        return candidate.table is winner.table and is_same_text(candidate.text, winner.text)
    return not differing_cells(candidate.table, winner.table) and not differing_cells(winner.table, candidate.table)


def _decision(decision: Decision, document: Document) -> DecisionView:
    return {
        "position": decision.position,
        "type": decision.type,
        "winner": SIGLA[decision.winner],
        "flags": _flags(decision),
        "readings": _readings(_winner_first(decision)),
        "reason": decision.reason,
        "borrowed": [(b.attribute, SIGLA[b.source], b.value) for b in decision.borrowed],
        "inside": [],
        "components": list(decision.components),
        "span": _span(decision, document),
    }


def _span(decision: Decision, document: Document) -> tuple[int, int] | None:
    if decision.item is None:
        return None
    mark = document.citations[decision.item] if decision.type == "citation" else document.inline_equations[decision.item]
    return mark.start, mark.end


def _flags(decision: Decision) -> list[str]:
    lowered = any(signal.factor < 1 for candidate in decision.candidates for signal in candidate.signals)
    weights = {candidate.source: candidate.weight for candidate in decision.candidates if candidate.weight is not None}
    turned = bool(weights) and weights.get(decision.winner, max(weights.values())) < max(weights.values())
    holds = {
        "contested": is_contested(decision),
        "lowered": lowered,
        "turned": turned,
        "borrowed": bool(decision.borrowed),
        "sole": decision.is_sole,
    }
    return [flag for flag, is_so in holds.items() if is_so]


def _readings(candidates: Sequence[Candidate]) -> list[ReadingView]:
    """Return the readings with their differences; the first one, the winner, is what the others are compared with."""
    winner, *others = candidates
    first = _reading(winner)
    lacking: dict[tuple[int, int], str] = {}
    for other in others:
        for span in differing_words(winner.text, other.text) if _is_text(winner, other) else []:
            lacking[span] = lacking.get(span, "") + SIGLA[other.source]
    first["marks"] = _without_overlaps(lacking)
    if winner.table is not None:
        different = {place for o in others if o.table is not None for place in differing_cells(winner.table, o.table)}
        first["table"] = _table(winner.table, different)
    return [first, *(_other(other, winner) for other in others)]


def _is_text(winner: Candidate, other: Candidate) -> bool:
    return winner.table is None or other.table is None


def _other(candidate: Candidate, winner: Candidate) -> ReadingView:
    view = _reading(candidate)
    if candidate.table is not None:
        different = differing_cells(candidate.table, winner.table) if winner.table is not None else set()
        view["table"] = _table(candidate.table, different)
    if not _is_text(winner, candidate):
        return view
    if is_same_text(candidate.text, winner.text):
        return {**view, "is_same": True, "text": ""}
    view["marks"] = [(start, end, "") for start, end in differing_words(candidate.text, winner.text)]
    view["gaps"] = missing_words(candidate.text, winner.text)
    return view


def _reading(candidate: Candidate) -> ReadingView:
    return {
        "siglum": SIGLA[candidate.source],
        "weight": candidate.weight,
        "signals": [(s.name, s.factor, s.reason) for s in candidate.signals],
        "score": candidate.score,
        "components": list(candidate.components),
        "text": "" if candidate.table is not None else candidate.text,
        "is_same": False,
        "marks": [],
        "gaps": [],
        "table": None,
    }


def _without_overlaps(lacking: Mapping[tuple[int, int], str]) -> list[tuple[int, int, str]]:
    """Return stretches one after the other, each with the sigla of all that lack it, cut where the sigla change."""
    ends = sorted({place for span in lacking for place in span})
    pieces: list[tuple[int, int, str]] = []
    for start, end in pairwise(ends):
        sigla = "".join(who for (a, b), who in lacking.items() if a <= start and end <= b)
        sigla = "".join(s for s in SIGLA.values() if s in sigla)
        if not sigla:
            continue
        if pieces and pieces[-1][1] == start and pieces[-1][2] == sigla:
            start = pieces.pop()[0]
        pieces.append((start, end, sigla))
    return pieces


def _table(table: Table, different: set[tuple[int, int]]) -> TableView:
    cells: list[CellView] = [
        {
            "row": cell.row,
            "col": cell.col,
            "rowspan": cell.rowspan,
            "colspan": cell.colspan,
            "text": cell.text,
            "is_header": cell.is_header,
            "differs": (cell.row, cell.col) in different,
        }
        for cell in table.cells
    ]
    caption = table.caption.text if table.caption is not None else ""
    return {"n_rows": table.n_rows, "n_cols": table.n_cols, "caption": caption, "cells": cells}
