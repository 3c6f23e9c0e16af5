"""The sections of a stress test's report on its assertions: every failure with its place, and every pass by its name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from variorum.document.voices import counted
from variorum.report.stress_blocks import Block, Group, Section, TableLink, Tone, Value, Words
from variorum.report.stress_data import WHOLE_LIBRARY, Judged, StressData
from variorum.report.stress_overview import kind_names
from variorum.stress.model import Severity

_TONES: Final[dict[Severity, Tone]] = {Severity.MAJOR: "major", Severity.MINOR: "minor"}
_MEANINGS: Final = {
    Severity.MAJOR: "A researcher may be misled, or cannot find what is in the paper.",
    Severity.MINOR: "Annoying, but it leads nobody to a wrong conclusion.",
}


def failures(data: StressData) -> Section:
    """Return all failures by severity and kind, in the order of papers: what was expected, what was found, where."""
    groups = tuple(g for severity in Severity if (g := _failed(data, severity)).blocks)
    if groups:
        note = "Each says what was expected, what was found, and where."
    else:
        note = "None: every assertion holds." if data.judged else "No assertion was made."
    return Section(key="failures", title="Failures", notes=(note,), parts=groups)


def _failed(data: StressData, severity: Severity) -> Group:
    failed = [j for j in data.failures if j.said.severity is severity]
    blocks = []
    for kind in sorted(kind_names(data), key=lambda name: -sum(j.said.kind == name for j in failed)):
        own = [j for j in failed if j.said.kind == kind]
        if own:
            blocks.append(_kind_block(data, kind, severity, own))
    return Group(title=f"{severity} ({len(failed)})", note=_MEANINGS[severity], blocks=tuple(blocks), tone=_TONES[severity])


def _kind_block(data: StressData, kind: str, severity: Severity, failed: Sequence[Judged]) -> Block:
    return Block(
        title=_counted(kind, len(failed), {j.paper for j in failed}),
        note=_asserts(data, kind),
        headings=("paper", "place", "page", "table", "expected and found"),
        rows=tuple(_failure_row(j) for j in failed),
        sql="SELECT paper, test_name, page, table_id, component, detail FROM test_results\n"
        f"WHERE passed = 0 AND severity = '{severity}' AND kind = {_quoted(kind)};",
        tone=_TONES[severity],
    )


def _counted(kind: str, count: int, papers: Collection[str]) -> str:
    """Return the kind with how many there are, and in how many papers."""
    single = len(set(papers).difference([WHOLE_LIBRARY]))
    return f"{kind}: {count} in {counted(single, 'paper')}" if single else f"{kind}: {count}"


def _failure_row(judged: Judged) -> tuple[Value, ...]:
    said = judged.said
    table = TableLink(judged.table_id) if judged.table_id else None
    last = judged.traceback.strip().splitlines()[-1:] if judged.traceback else []
    detail = " ".join([said.detail, *(f"[{line}]" for line in last if line not in said.detail)])
    return (judged.paper, Words(said.name), said.page, table, Words(detail))


def _asserts(data: StressData, kind: str) -> str:
    """Return what a kind asserts, as a sentence."""
    words = next((k.asserts for k in data.kinds if k.name == kind), "").rstrip(".")
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def _quoted(words: str) -> str:
    """Return the words as a string of SQL."""
    return "'" + words.replace("'", "''") + "'"


# ---- passes ---------------------------------------------------------------------------------------------------------


def passes(data: StressData) -> Section:
    """Return the assertions that hold: a block a kind, a row a paper with the names of its places."""
    held = [j for j in data.judged if j.said.passed]
    blocks = []
    for kind in kind_names(data):
        by_paper: dict[str, list[str]] = {}
        for judged in held:
            if judged.said.kind == kind:
                by_paper.setdefault(judged.paper, []).append(judged.said.name)
        if by_paper:
            count = sum(map(len, by_paper.values()))
            blocks.append(
                Block(
                    title=_counted(kind, count, by_paper),
                    note=_asserts(data, kind),
                    headings=("paper", "hold", "places"),
                    rows=tuple((paper, len(names), Words("; ".join(names))) for paper, names in by_paper.items()),
                    sql=f"SELECT paper, test_name, detail FROM test_results WHERE passed = 1 AND kind = {_quoted(kind)};",
                    is_folded=True,
                    tone="good",
                )
            )
    note = f"{counted(len(held), 'assertion')} {'holds' if len(held) == 1 else 'hold'}." if held else "None."
    return Section(key="passes", title="Passes", notes=(note,), parts=tuple(blocks))
