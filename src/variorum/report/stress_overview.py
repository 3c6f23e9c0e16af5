"""The sections of a stress test's report that tell of the whole: summary, performance, quality per paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from variorum.document.voices import counted
from variorum.report.stress_blocks import Block, Section, Value, Words, duration, percentage
from variorum.report.stress_data import WHOLE_LIBRARY, Judged, Paper, StressData
from variorum.stress.model import Severity, Verdict, verdict

MEANINGS: Final = {
    Verdict.RELIABLE: "every assertion holds",
    Verdict.ROUGH_EDGES: "what fails is annoying and misleads nobody",
    Verdict.UNRELIABLE: "a researcher may be misled, or may not find what is there",
}
_NOT_READ: Final = {
    "unreadable": "cannot be read",
    "crash": "variorum broke on it",
    "duplicate": "is the same file as another",
}
_SLOWEST: Final = 10  # papers that are listed as the slowest; the quality section has all


def verdict_of(data: StressData) -> Verdict:
    """Return the verdict that the assertions amount to."""
    return verdict([j.said for j in data.judged])


def count_failed(judged: Sequence[Judged]) -> tuple[int, int]:
    """Return how many MAJOR and MINOR assertions do not hold."""
    failed = [j.said.severity for j in judged if not j.said.passed]
    return failed.count(Severity.MAJOR), failed.count(Severity.MINOR)


# ---- summary --------------------------------------------------------------------------------------------------------


def summary(data: StressData) -> Section:
    """Return the executive summary: the verdict, the totals, and a row a kind of assertion."""
    found = verdict_of(data)
    major, minor = count_failed(data.judged)
    total = len(data.judged)
    if not total:
        said = "No assertion was made, so nothing is said of the papers."
    elif major or minor:
        said = f"Of {counted(total, 'assertion')} {major} MAJOR and {minor} MINOR ones fail: {MEANINGS[found]}."
    else:
        said = f"All {total} assertions hold."
    return Section(
        key="summary",
        title="Executive summary",
        notes=(f"Verdict: {found if total else 'none'}.", said),
        parts=(_totals(data, major, minor), _by_kind(data)),
    )


def _totals(data: StressData, major: int, minor: int) -> Block:
    read = [p for p in data.papers if p.status == "read"]
    total, failed = len(data.judged), major + minor
    there = [t for t in data.compared if not t.is_missed]
    right, cells = sum(t.right for t in data.compared), sum(t.total for t in data.compared)
    rows: list[tuple[Value, ...]] = [
        ("papers in the test", len(data.papers), None),
        ("papers that were read", len(read), percentage(len(read), len(data.papers))),
        ("pages that were read", sum(p.pages or 0 for p in read), None),
        ("assertions", total, None),
        ("assertions that hold", total - failed, percentage(total - failed, total)),
        ("MAJOR failures", major, percentage(major, total)),
        ("MINOR failures", minor, percentage(minor, total)),
    ]
    if data.compared:
        perfect = sum(t.is_perfect for t in data.compared)
        rows += [
            ("true tables", len(data.compared), None),
            ("true tables that were found", len(there), percentage(len(there), len(data.compared))),
            ("true tables without any difference", perfect, percentage(perfect, len(data.compared))),
            ("data cells of all true tables", cells, None),
            ("data cells that were read right", right, percentage(right, cells)),
        ]
    return Block(title="In figures", headings=("", "count", "share"), rows=tuple(rows))


def _by_kind(data: StressData) -> Block:
    rows: list[tuple[str, int, int, int, int, str]] = []
    for name in kind_names(data):
        own = [j for j in data.judged if j.said.kind == name]
        major, minor = count_failed(own)
        rows.append((name, len(own), len(own) - major - minor, major, minor, percentage(len(own) - major - minor, len(own))))
    rows.sort(key=lambda row: (-row[3], -row[4], not row[1]))
    return Block(
        title="Assertions by kind",
        note="Those that fail most gravely and most often first. What a kind asserts stands with its failures and passes.",
        headings=("kind", "asserted", "hold", "MAJOR failed", "MINOR failed", "share that holds"),
        rows=tuple(rows),
        sql="SELECT kind, COUNT(*) AS asserted, SUM(passed) AS hold, SUM(NOT passed AND severity = 'MAJOR') AS major_failed,\n"
        "    SUM(NOT passed AND severity = 'MINOR') AS minor_failed\nFROM test_results GROUP BY kind;",
    )


def kind_names(data: StressData) -> tuple[str, ...]:
    """Return the kinds in their order, those that only an assertion names (such as a crash) last."""
    return tuple(dict.fromkeys((*(k.name for k in data.kinds), *(j.said.kind for j in data.judged))))


# ---- performance ----------------------------------------------------------------------------------------------------


def performance(data: StressData) -> Section:
    """Return what the run took: stages, the rate of reading, the index, the slowest papers, the methods."""
    run = data.run
    read = [p for p in data.papers if p.status == "read" and p.pages]
    timed = [p for p in read if p.cpu_seconds is not None]
    pages, cpu = sum(p.pages or 0 for p in timed), sum(p.cpu_seconds or 0.0 for p in timed)
    stages: list[tuple[Value, ...]] = [(name, duration(seconds)) for name, seconds in run.stages]
    rate: list[tuple[Value, ...]] = [
        ("papers read", len(read)),
        ("pages of those papers", sum(p.pages or 0 for p in read)),
        ("processor time of reading them", duration(cpu) if timed else "–"),
        ("processor time a page", duration(cpu / pages) if pages else "–"),
        ("pages a minute of one processor", round(60 * pages / cpu) if cpu else "–"),
        ("chunks in the index", run.chunks),
        ("vectors in the index", run.vectors),
    ]
    slow = sorted(timed, key=lambda p: (-(p.cpu_seconds or 0.0), p.key))
    return Section(
        key="performance",
        title="Performance",
        notes=(
            f"Read in {'one process' if run.jobs == 1 else f'{run.jobs} processes'}. Papers that an earlier run had read keep"
            " the time of that reading; the times of the stages are those of the last run alone.",
        ),
        parts=(
            Block(title="Stages of the last run", note="Seconds of the clock.", headings=("stage", "time"), rows=tuple(stages)),
            Block(
                title="Rate",
                note=f"Vectors by {run.vector_model}."
                if run.vector_model
                else "Words alone were searched: no model was at hand.",
                headings=("", "value"),
                rows=tuple(rate),
            ),
            Block(
                title="The slowest papers",
                note=f"The {_SLOWEST} that took most processor time." if len(slow) > _SLOWEST else "",
                headings=("paper", "pages", "processor seconds", "seconds a page", "clock seconds"),
                rows=tuple(_speed(p) for p in slow[:_SLOWEST]),
                sql="SELECT key, num_pages, cpu_seconds, cpu_seconds / num_pages AS seconds_a_page, wall_seconds\n"
                "FROM stress_papers WHERE status = 'read' ORDER BY cpu_seconds DESC, key;",
            ),
            Block(
                title="Time of the structure methods",
                note=(
                    "Tables on which a method was asked (parts of a table count by themselves), processor seconds there, each"
                    " with the quickest of its cell methods, and tables on which it failed."
                ),
                headings=("method", "tables", "processor seconds", "seconds a table", "failed"),
                rows=tuple((m.name, m.tables, m.seconds, m.seconds / m.tables, m.failed) for m in data.method_times),
            ),
        ),
    )


def _speed(paper: Paper) -> tuple[Value, ...]:
    seconds, pages = paper.cpu_seconds or 0.0, paper.pages or 0
    return (paper.name, pages, seconds, seconds / pages if pages else None, paper.wall_seconds)


# ---- quality --------------------------------------------------------------------------------------------------------


def quality(data: StressData) -> Section:
    """Return a row a paper: what was found in it, what is missing, what fails."""
    rows = []
    for paper in data.papers:
        major, minor = count_failed([j for j in data.judged if j.said.paper == paper.key])
        rows.append(_quality_row(paper, major, minor))
    together = count_failed([j for j in data.judged if j.paper == WHOLE_LIBRARY])
    notes = [
        "Grades run from A to F and say whether something may be missing; captions that no table or figure answers to are"
        " named."
    ]
    if any(together):
        notes.append(f"Beside these, {together[0]} MAJOR and {together[1]} MINOR assertions about all papers together fail.")
    return Section(
        key="quality",
        title="Extraction quality per paper",
        notes=tuple(notes),
        parts=(
            Block(
                title="Papers",
                headings=(
                    "paper", "grade", "pages", "sections", "tables", "tables missing", "figures", "figures missing", "chunks",
                    "abstract", "references", "MAJOR", "MINOR", "issues",
                ),
                rows=tuple(rows),
                sql="SELECT key, status, reason, quality_grade, s.num_pages, tables_found, tables_missing, figures_found,\n"
                "    figures_missing, p.num_chunks, has_abstract, has_references, unmatched_table_captions\n"
                "FROM stress_papers s LEFT JOIN papers p USING (item_key) ORDER BY key;",
            ),
        ),
    )  # fmt: skip


def _quality_row(paper: Paper, major: int, minor: int) -> tuple[Value, ...]:
    return (
        paper.name,
        paper.grade,
        paper.pages,
        paper.sections,
        paper.tables,
        paper.tables_missing,
        paper.figures,
        paper.figures_missing,
        paper.chunks,
        _yes(paper.has_abstract),
        _yes(paper.has_references),
        major,
        minor,
        Words(_issues(paper)),
    )


def _yes(flag: bool | None) -> Value:
    return None if flag is None else "yes" if flag else "no"


def _issues(paper: Paper) -> str:
    """Return what keeps a paper from being whole, in words."""
    if paper.status != "read":
        said = _NOT_READ.get(paper.status, paper.status)
        return f"{said}: {paper.reason}" if paper.reason else said
    return f"nothing answers to: {'; '.join(paper.unmatched)}" if paper.unmatched else ""
