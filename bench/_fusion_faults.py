"""Part ``faults`` of bench.fusion: faults planted in the source that would be followed, and whether the fusion follows another.

Every fault is planted where it would do harm: at a position where the undamaged source is followed and another has a reading.
A fault is *dropped* when the fusion follows another source there (rows merged, another table, TeX in a text), has the table all
the same (a lost table), or has the text in the order that it has without the fault (sections shuffled). It is *explained* when
a signal names it in the decision on that place; a lost table, when the decision says which source has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from bench._common import text_table
from bench._document_truth import papers_of
from bench._fusion_planting import (
    KINDS,
    broken_tex,
    foreign_table,
    merged_rows,
    shuffled_sections,
    with_table,
    without_table,
)
from variorum.document import Document, Table
from variorum.fusion.fusing import fuse
from variorum.fusion.model import Decision, Fusion, Source
from variorum.fusion.tenants import load_tenant
from variorum.sources import read_source

TENANT: Final = "default-dynamic"
COUNT: Final = 200
_TEXTS: Final = ("heading", "paragraph")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One planted fault: its kind, the paper, the source that was damaged, the component or table, and the damaged document."""

    kind: str
    paper: str
    source: str
    component: str
    document: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a fault: whether it was dropped, whether the decision explains it, and what the decision says."""

    fault: Fault
    is_dropped: bool
    is_explained: bool
    told: str


def measure(corpus: Path, pdf_documents: Path | None = None, only: Sequence[str] = (), count: int = COUNT) -> dict[str, Any]:
    """Return how many of `count` planted faults were dropped and explained, by kind and source, and those that were not.

    `pdf_documents` is a folder with NAME/document.json for each paper: the PDF is read from there and not anew.
    """
    papers = dict(_papers(corpus, pdf_documents, only))
    tenant = load_tenant(TENANT)
    whole = {name: fuse(sources, tenant) for name, sources in papers.items()}
    tables = {name: [t for s in sources for t in s.document.tables] for name, sources in papers.items()}
    outcomes = []
    for seed in range(count):
        fault = _planted(KINDS[seed % len(KINDS)], papers, whole, tables, Random(seed))
        damaged = [
            replace(source, document=fault.document) if source.kind == fault.source else source
            for source in papers[fault.paper]
        ]
        outcomes.append(_judged(fault, fuse(damaged, tenant), whole[fault.paper]))
    return _figures(outcomes, len(papers))


def lines(found: Mapping[str, Any]) -> list[str]:
    """Return the rates by kind and by source, and every fault that was not dropped."""
    columns = ("planted", "dropped", "explained", "share")
    rows = [(name, [row[c] for c in columns]) for name, row in found["kinds"].items()]
    rows += [(f"in {name}", [row[c] for c in columns]) for name, row in found["sources"].items()]
    out = [text_table(f"faults in {found['papers']} papers", columns, [*rows, ("all", [found["all"][c] for c in columns])])]
    return [*out, *(f"followed all the same: {s['kind']} in {s['source']} of {s['paper']}: {s['told']}" for s in found["left"])]


# ---- papers ---------------------------------------------------------------------------------------------------------


def _papers(corpus: Path, pdf_documents: Path | None, only: Sequence[str]) -> Iterator[tuple[str, list[Source]]]:
    for paper in papers_of(corpus, "papers"):
        if only and paper.name not in only:
            continue
        folder = paper.pdf.parent
        stored = None if pdf_documents is None else pdf_documents / paper.name / "document.json"
        documents = {
            "latex": read_source(folder / "source.tar.gz", "latex"),
            "ar5iv": read_source(folder / "ar5iv.html", "ar5iv"),
            "pdf": read_source(paper.pdf, "pdf") if stored is None else read_source(stored, "document"),
        }
        yield paper.name, [Source(kind=k, name=k, sha256=d.sha256, document=d) for k, d in documents.items()]  # type: ignore[arg-type]


# ---- planting -------------------------------------------------------------------------------------------------------


def _planted(
    kind: str,
    papers: Mapping[str, Sequence[Source]],
    whole: Mapping[str, Fusion],
    tables: Mapping[str, Sequence[Table]],
    rng: Random,
) -> Fault:
    """Return a fault of this kind somewhere; places where it cannot be planted are passed over."""
    while True:
        paper = rng.choice(list(papers))
        documents = {source.kind: source.document for source in papers[paper]}
        if kind == "shuffled_sections":
            source = papers[paper][0]  # the first one gives the order
            shuffled = shuffled_sections(source.document, rng)
            if shuffled is not None:
                return Fault(kind=kind, paper=paper, source=source.kind, component="", document=shuffled)
            continue
        fitting = [d for d in whole[paper].decisions if _is_place(d, kind)]
        if not fitting:
            continue
        decision = rng.choice(fitting)
        document, names = documents[decision.winner], decision.candidates[0].components
        foreign = [t for other, theirs in tables.items() if other != paper for t in theirs]
        damaged = _damaged(kind, document, names, foreign, rng)
        if damaged is not None:
            return Fault(kind=kind, paper=paper, source=decision.winner, component=names[0], document=damaged)


def _is_place(decision: Decision, kind: str) -> bool:
    """Return whether a fault of this kind can do harm at a position."""
    if len(decision.candidates) < 2:
        return False
    if kind == "broken_tex":
        return decision.type in _TEXTS and decision.part == "flow"
    return decision.type == "table" and all(c.table is not None for c in decision.candidates)


def _damaged(kind: str, document: Document, names: Sequence[str], foreign: Sequence[Table], rng: Random) -> Document | None:
    if kind == "broken_tex":
        return broken_tex(document, names, rng)
    ids = [t.id for t in document.tables if t.id in names]
    ids += [c.target for c in document.components if c.id in names and c.kind == "table" and c.target]
    table = next((t for t in document.tables if t.id in ids), None)
    if table is None:
        return None
    if kind == "lost_table":
        return without_table(document, table.id)
    changed = merged_rows(table, rng) if kind == "merged_rows" else foreign_table(table, foreign, rng)
    return None if changed is None else with_table(document, changed)


# ---- judging --------------------------------------------------------------------------------------------------------


def _judged(fault: Fault, fusion: Fusion, whole: Fusion) -> Outcome:
    if fault.kind == "shuffled_sections":
        return _judged_order(fault, fusion, whole)
    if fault.kind == "lost_table":
        return _judged_loss(fault, fusion, whole)
    decision = _decision_on(fusion, fault)
    own = next(c for c in decision.candidates if c.source == fault.source)
    return Outcome(
        fault=fault,
        is_dropped=decision.winner != fault.source,
        is_explained=any(s.factor < 1 and s.reason and s.reason in decision.reason for s in own.signals),
        told=decision.reason,
    )


def _judged_order(fault: Fault, fusion: Fusion, whole: Fusion) -> Outcome:
    """Return whether the headings stand in the order that they have without the fault.

    Judged are those of which another source has a reading, and that both texts have: a title that runs into its paragraph is a
    heading for one source and none for another.
    """
    first, second = (_shared_headings(f, fault.source) for f in (fusion, whole))
    orders = [h for h in first if h in second], [h for h in second if h in first]
    signals = [
        signal
        for decision in fusion.decisions
        for candidate in decision.candidates
        if candidate.source == fault.source
        for signal in candidate.signals
        if signal.name == "out_of_order"
    ]
    told = signals[0].reason if signals else "no reading was found out of order"
    return Outcome(fault=fault, is_dropped=orders[0] == orders[1], is_explained=bool(signals), told=told)


def _shared_headings(fusion: Fusion, damaged: str) -> list[str]:
    """Return the headings of the fused text, in its order, of which a source other than the damaged one has a reading."""
    shared = {
        component
        for decision in fusion.decisions
        if decision.type == "heading" and any(c.source != damaged for c in decision.candidates)
        for component in decision.components
    }
    return [c.text for c in fusion.document.components if c.id in shared]


def _judged_loss(fault: Fault, fusion: Fusion, whole: Fusion) -> Outcome:
    """Return whether the table that one source lost is that of another, to the cell."""
    was = _decision_on(whole, fault)
    others = {c.source: c.components for c in was.candidates if c.source != fault.source}
    for decision in fusion.decisions:
        winner = decision.candidates[0]
        if decision.type == "table" and set(others.get(decision.winner, ())) & set(winner.components):
            shown = {t.id: t.matrix() for t in fusion.document.tables}
            is_there = winner.table is not None and winner.table.matrix() in [shown.get(c) for c in decision.components]
            return Outcome(
                fault=fault, is_dropped=is_there, is_explained=decision.winner in decision.reason, told=decision.reason
            )
    return Outcome(fault=fault, is_dropped=False, is_explained=False, told="no other reading was followed")


def _decision_on(fusion: Fusion, fault: Fault) -> Decision:
    """Return the decision in which the damaged component stands."""
    return next(
        d
        for d in fusion.decisions
        if d.part != "inline"
        for c in d.candidates
        if c.source == fault.source and fault.component in c.components
    )


def _figures(outcomes: Sequence[Outcome], papers: int) -> dict[str, Any]:
    def row(chosen: Sequence[Outcome]) -> dict[str, Any]:
        dropped = sum(o.is_dropped for o in chosen)
        return {
            "planted": len(chosen),
            "dropped": dropped,
            "explained": sum(o.is_explained for o in chosen),
            "share": round(dropped / len(chosen), 4) if chosen else None,
        }

    sources = sorted({o.fault.source for o in outcomes})
    left = [o for o in outcomes if not o.is_dropped]
    return {
        "papers": papers,
        "tenant": TENANT,
        "all": row(outcomes),
        "kinds": {kind: row([o for o in outcomes if o.fault.kind == kind]) for kind in KINDS},
        "sources": {source: row([o for o in outcomes if o.fault.source == source]) for source in sources},
        "left": [{"kind": o.fault.kind, "paper": o.fault.paper, "source": o.fault.source, "told": o.told} for o in left],
    }
