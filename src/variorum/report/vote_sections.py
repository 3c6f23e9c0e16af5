"""The analysis of votes as titled tables of figures, which the terminal and the HTML page show alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from variorum.document.apparatus import Axis
from variorum.document.voices import counted
from variorum.evaluation.votes import VoteAnalysis

Value = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A table of figures: a title, what the columns mean, their heads, and rows, each with a name in front.

    `key` names the section; shares are floats in [0, 1], None where there was nothing to count.
    """

    key: str
    title: str
    note: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Value, ...]], ...]


def headline(analysis: VoteAnalysis) -> str:
    """Return in one line what was analysed."""
    compared = f"{analysis.compared} compared with a truth" if analysis.compared else "none compared with a truth"
    missed = f", {counted(analysis.missed, 'true table')} missed" if analysis.missed else ""
    return f"{counted(analysis.tables, 'table')} of {counted(analysis.papers, 'paper')}, {compared}{missed}"


def sections(analysis: VoteAnalysis) -> tuple[Section, ...]:
    """Return all sections that have something to show, in order."""
    made = (
        _voters(analysis, "column"),
        _voters(analysis, "row"),
        _outcomes(analysis),
        _ablation(analysis),
        _other_votes(analysis),
        _wins(analysis),
        _chosen(analysis),
        _oracle(analysis),
        _deltas(analysis),
    )
    return tuple(s for s in made if s.rows)


def as_text(section: Section) -> str:
    """Return the section for a terminal: title, explanation, and a line per row."""
    body = [(name, [figure(v) for v in values]) for name, values in section.rows]
    first = max(len(name) for name, _ in body)
    widths = [max(len(h), *(len(v[i]) for _, v in body)) for i, h in enumerate(section.headings)]
    lines = [section.title, f"  {section.note}"]
    lines.append(" " * (first + 2) + _line(section.headings, widths))
    lines += [f"  {name:<{first}}{_line(values, widths)}" for name, values in body]
    return "\n".join(line.rstrip() for line in lines)


def _line(values: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"  {v:>{w}}" for v, w in zip(values, widths, strict=True))


def figure(value: Value) -> str:
    """Return a value of a section as text: shares and scores with two digits, a dash for None."""
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _voters(analysis: VoteAnalysis, axis: Axis) -> Section:
    known = "the truth" if analysis.reference == "truth" else "the chosen grid"
    return Section(
        key=f"{axis}s",
        title=f"Voters on {axis}s",
        note=(
            "coverage: tables it spoke on; of its dividers, overlap: shared by another, conflict: rejected or denied by one"
            f" that claims to see all; accuracy and recall against {known}"
        ),
        headings=("tables", "coverage", "dividers", "refused", "overlap", "conflict", "rejected", "accuracy", "recall"),
        rows=tuple(
            (
                v.method,
                (v.tables, v.coverage, v.dividers, v.refused, v.overlap, v.conflict, v.rejected, v.accuracy, v.recall),
            )
            for v in analysis.voters
            if v.axis == axis
        ),
    )


def _outcomes(analysis: VoteAnalysis) -> Section:
    return Section(
        key="outcomes",
        title="What became of the methods",
        note="tables on which each voted, abstained, was not asked, failed; mean processor time per table asked",
        headings=("voted", "abstained", "not asked", "failed", "ms"),
        rows=tuple((o.method, (o.voted, o.abstained, o.not_asked, o.failed, o.mean_ms)) for o in analysis.outcomes),
    )


def _ablation(analysis: VoteAnalysis) -> Section:
    rows: list[tuple[str, tuple[Value, ...]]] = []
    for a in analysis.ablations:
        told: tuple[Value, ...] = (a.cells, a.perfect, a.better, a.worse) if analysis.compared else (None,) * 4
        rows.append((a.method, (a.tables, a.changed, a.lost, a.gained, *told)))
    return Section(
        key="ablation",
        title="The consensus without each method",
        note=(
            "tables it voted on, those with other dividers without it, dividers lost and gained; data cells right, perfect,"
            " better and worse tables without it (below 0: it helps)"
        ),
        headings=("tables", "changed", "lost", "gained", "cells", "perfect", "better", "worse"),
        rows=tuple(rows),
    )


def _other_votes(analysis: VoteAnalysis) -> Section:
    rows: list[tuple[str, tuple[Value, ...]]] = []
    for o in analysis.other_votes:
        told: tuple[Value, ...] = (o.cells, o.perfect, o.better, o.worse) if analysis.compared else (None,) * 4
        rows.append((o.name, (o.tables, o.changed, *told)))
    return Section(
        key="rules",
        title="The consensus under each rule",
        note=(
            "the same methods' dividers, combined otherwise: tables with other dividers than the run's, data cells right and"
            " perfect tables of the consensus, tables better and worse than the run's"
        ),
        headings=("tables", "changed", "cells", "perfect", "better", "worse"),
        rows=tuple(rows),
    )


def _wins(analysis: VoteAnalysis) -> Section:
    return Section(
        key="wins",
        title="Wins among the structure methods",
        note="one win a table over all cell methods, shared equally by those that tie; rate: wins by tables taken part in",
        headings=("wins", "tables", "rate"),
        rows=tuple(
            (name, (r.wins, r.participation, r.rate))
            for name, r in sorted(analysis.wins.items(), key=lambda item: (-item[1].wins, item[0]))
        ),
    )


def _chosen(analysis: VoteAnalysis) -> Section:
    return Section(
        key="chosen",
        title="Grids that were chosen",
        note="tables, and mean accuracy and score there (0 to 100) where the truth is known",
        headings=("tables", "accuracy", "score"),
        rows=tuple((w.name, (w.tables, w.accuracy, w.score)) for w in analysis.winners),
    )


def _oracle(analysis: VoteAnalysis) -> Section:
    o = analysis.oracle
    rows: tuple[tuple[str, tuple[Value, ...]], ...] = ()
    if o is not None:
        rows = (
            (f"best single ({o.best_single_name})", (o.best_single, o.perfect_best_single, _ratio(o.best_single, o.cells))),
            ("consensus", (o.consensus, o.perfect_consensus, _ratio(o.consensus, o.cells))),
            ("choice", (o.choice, o.perfect_choice, _ratio(o.choice, o.cells))),
            ("best candidate of each table", (o.best_candidate, o.perfect_best_candidate, _ratio(o.best_candidate, o.cells))),
        )
    ratio = "-" if o is None or o.ratio is None else f"{o.ratio:.3f}"
    return Section(
        key="oracle",
        title="Oracle gap",
        note=(
            f"data cells read right, perfect tables, share of all {o.cells if o else 0} cells of the tables that were found;"
            f" choice / best candidate: {ratio}"
        ),
        headings=("cells", "perfect", "share"),
        rows=rows,
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _deltas(analysis: VoteAnalysis) -> Section:
    """Return the tables on which the choice or the consensus differs from the best single method."""
    shown = [d for d in analysis.deltas if d.delta or d.consensus_delta]
    counts = {
        name: (sum(v > 0 for v in values), sum(v == 0 for v in values), sum(v < 0 for v in values))
        for name, values in (
            ("choice", [d.delta for d in analysis.deltas]),
            ("consensus", [d.consensus_delta for d in analysis.deltas]),
        )
    }
    told = "; ".join(f"{name} better {b}, equal {e}, worse {w}" for name, (b, e, w) in counts.items())
    return Section(
        key="deltas",
        title="Choice and consensus against the best single method of each table",
        note=f"{told}; scores from 0 to 100, tables without any difference are left out",
        headings=("choice", "consensus", "best single", "delta", "consensus delta", "best single grid"),
        rows=tuple(
            (d.table, (d.choice, d.consensus, d.best_single, d.delta, d.consensus_delta, d.best_single_name)) for d in shown
        ),
    )
