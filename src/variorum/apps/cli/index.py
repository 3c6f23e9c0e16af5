"""``variorum index``: make a library searchable, show how far it is, and account for every PDF."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from variorum.apps.cli.console import complain, emit, emit_json, printable
from variorum.apps.indexing import IndexWishes, prepare_run, report_as_data
from variorum.apps.vectors_in_chroma import chroma_faults, keep_vectors
from variorum.errors import DamagedInputError, PartialFailureError
from variorum.search.folders import default_index

if TYPE_CHECKING:
    from variorum.search.chroma_vectors import Change
    from variorum.search.index_report import IndexReport, PaperOutcome, Progress
    from variorum.search.vector_choice import VectorChoice

_SHOWN: Final = 20
_STAGES: Final = {"items": "looking at files", "papers": "reading papers", "vectors": "making vectors"}


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexCall:
    """One call of ``variorum index``: what is asked of the run, and how it is told."""

    wishes: IndexWishes
    vectors: VectorChoice
    as_json: bool
    quiet: bool


def run_index(call: IndexCall) -> int:
    """Return the exit code once the library is searchable: that of PartialFailureError when a PDF could not be read.

    Raises what preparing the run and carrying it out raise, and what opening Chroma does where vectors are kept there.
    """
    run = prepare_run(call.wishes, lambda notice: complain(f"warning: {notice}"))
    with _progress(quiet=call.quiet) as progress:
        report = run.carry_out(progress)
    change, said = keep_vectors(run.index, call.vectors)
    for sentence in said:
        complain(f"warning: {sentence}")
    if call.as_json:
        in_chroma = {} if change is None else {"in_chroma": asdict(change)}
        emit_json({**report_as_data(report, run.index), **in_chroma})
    elif not call.quiet:
        emit("\n".join(map(printable, _lines(report, run.index, change))))
    return PartialFailureError.exit_code if report.count("failed") else 0


def run_verify(index: Path | None, choice: VectorChoice, *, as_json: bool) -> int:
    """Return 0 when the index, and where they are kept in Chroma its vectors there, are whole, else the code of
    DamagedInputError, once the faults are on stdout.

    Raises what `verify` and `open_chroma` raise.
    """
    from variorum.search.verifying import verify

    place = index or default_index()
    faults = verify(place)
    in_chroma = () if faults else chroma_faults(place, choice)
    if as_json:
        emit_json({"index": str(place), "faults": [*faults, *in_chroma]})
    else:
        emit("\n".join((*faults, *in_chroma)) if faults or in_chroma else f"{place}: whole")
    if faults:
        complain(f"{place}: damaged. To try: remove it, and variorum index makes it anew")
    return DamagedInputError.exit_code if faults or in_chroma else 0


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """Yield a function that draws progress with rate and time left on a terminal; None elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich import progress as bars
    from rich.console import Console
    from rich.markup import escape

    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn("{task.fields[rate]}"),
        bars.TimeRemainingColumn(),
        bars.TextColumn("{task.fields[what]}"),
    )
    with bars.Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=600) as drawn:
        tasks: dict[str, bars.TaskID] = {}

        def update(now: Progress) -> None:
            if now.stage not in tasks:
                tasks[now.stage] = drawn.add_task(_STAGES[now.stage], total=now.total, rate="", what="")
            task = tasks[now.stage]
            drawn.update(task, completed=now.done, total=now.total, what=escape(printable(now.what)))
            speed = next(t.speed for t in drawn.tasks if t.id == task)
            drawn.update(task, rate=f"{speed * 60:.1f} a minute" if speed else "")

        yield update


def _lines(report: IndexReport, place: Path, change: Change | None) -> Iterator[str]:
    """Yield the sum, then what failed and what was skipped, a line a paper."""
    from variorum.search.index_report import OUTCOMES

    counts = " + ".join(f"{report.count(outcome)} {outcome}" for outcome in OUTCOMES)
    yield f"{report.found} found = {counts}"
    if report.removed:
        yield f"{report.removed} removed, because the library has them no more"
    waiting = f", {report.waiting} still to be made" if report.waiting else ""
    if report.vectors or report.waiting:
        yield f"{report.vectors} vectors made{waiting}"
    if change is not None:
        yield f"{change.rows} vectors in Chroma: {change.added} added, {change.removed} taken out"
    yield from _listed("failed", report.having("failed"))
    yield from _listed("skipped", report.having("skipped"))
    yield f"index: {place}"


def _listed(what: str, papers: Sequence[PaperOutcome]) -> Iterator[str]:
    if papers:
        yield f"{what}:"
    for paper in papers[:_SHOWN]:
        name = f"{paper.item} {paper.title}".strip()
        yield f"  {name}: {paper.reason}"
    if len(papers) > _SHOWN:
        yield f"  and {len(papers) - _SHOWN} more, all in --json"
