"""``variorum index``: make a library searchable, show how far it is, and account for every PDF."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from variorum.apps.cli.console import complain, emit, emit_json, printable
from variorum.apps.cli.library import Filters, LibraryPlace, open_library
from variorum.errors import DamagedInputError, PartialFailureError, UsageError
from variorum.search.folders import default_index

if TYPE_CHECKING:
    from variorum.library import Library, LibraryItem
    from variorum.page.ocr import OcrOptions
    from variorum.search.index_report import IndexReport, PaperOutcome, Progress

_SHOWN: Final = 20
_STAGES: Final = {"items": "looking at files", "papers": "reading papers", "vectors": "making vectors"}


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexCall:
    """One call of ``variorum index``, its values as the user typed them."""

    place: LibraryPlace
    filters: Filters
    keys: tuple[str, ...]
    index: Path | None
    limit: int | None
    jobs: int
    config: str | None
    ocr: bool
    ocr_language: str | None
    model: Path | None
    no_vectors: bool
    force: bool
    retry: bool
    rebuild: bool
    time_limit: int
    memory_limit: int
    as_json: bool
    quiet: bool


def run_index(call: IndexCall) -> int:
    """Return the exit code once the library is searchable: that of PartialFailureError when a PDF could not be read.

    Raises UsageError for values out of their range, and what reading the library and `index_library` raise.
    """
    from variorum.search.indexing import IndexOptions, index_library
    from variorum.search.model_files import INSTALL_HINT, find_model

    _check(call)
    place = call.index or default_index()
    ocr = _ocr(call)
    model = None if call.no_vectors else find_model(call.model)
    if model is None and not call.no_vectors:
        complain(f"warning: no model for vectors: searches will go by words alone. To try: {INSTALL_HINT}")
    library = open_library(call.place)
    options = IndexOptions(
        config=call.config or _config_of(place),
        ocr=ocr,
        model=model,
        jobs=call.jobs,
        limit=call.limit,
        force=call.force,
        retry=call.retry,
        rebuild=call.rebuild,
        seconds=float(call.time_limit),
        memory_mb=call.memory_limit,
    )
    with _progress(quiet=call.quiet) as progress:
        report = index_library(
            place,
            library,
            source=str(library.sources[0].path.resolve()),
            items=_chosen(library, call),
            options=options,
            progress=progress,
        )
    if call.as_json:
        emit_json(report_as_data(report, place))
    elif not call.quiet:
        emit("\n".join(map(printable, _lines(report, place))))
    return PartialFailureError.exit_code if report.count("failed") else 0


def run_verify(index: Path | None, *, as_json: bool) -> int:
    """Return 0 when the index is whole, else the code of DamagedInputError, once its faults are on stdout.

    Raises what `verify` raises.
    """
    from variorum.search.verifying import verify

    place = index or default_index()
    faults = verify(place)
    if as_json:
        emit_json({"index": str(place), "faults": list(faults)})
    else:
        emit("\n".join(faults) if faults else f"{place}: whole")
    if faults:
        complain(f"{place}: damaged. To try: remove it, and variorum index makes it anew")
    return DamagedInputError.exit_code if faults else 0


def report_as_data(report: IndexReport, place: Path) -> dict[str, object]:
    """Return the report as JSON values."""
    from variorum.search.index_report import OUTCOMES

    return {
        "index": str(place),
        "found": report.found,
        **{outcome: report.count(outcome) for outcome in OUTCOMES},
        "removed": report.removed,
        "vectors_made": report.vectors,
        "vectors_missing": report.waiting,
        "notices": list(report.notices),
        "papers": [
            {"item": p.item, "attachment": p.attachment, "title": p.title, "outcome": p.outcome, "reason": p.reason}
            for p in report.papers
        ],
    }


def _check(call: IndexCall) -> None:
    for option, value in (("--jobs", call.jobs), ("--time-limit", call.time_limit), ("--memory-limit", call.memory_limit)):
        if value < 1:
            raise UsageError(f"must be at least 1, not {value}", where=option, hint=f"{option} 4")
    if call.limit is not None and call.limit < 0:
        raise UsageError(f"must be at least 0, not {call.limit}", where="--limit", hint="--limit 10")
    if call.model is not None and call.no_vectors:
        raise UsageError("--model and --no-vectors do not go together", where="index", hint="one of them")


def _ocr(call: IndexCall) -> OcrOptions | None:
    if not call.ocr:
        if call.ocr_language is not None:
            raise UsageError("names the language of OCR, which is not asked for", where="--ocr-language", hint="--ocr")
        return None
    from variorum.page.ocr import OcrOptions, check_ocr

    options = OcrOptions() if call.ocr_language is None else OcrOptions(language=call.ocr_language)
    check_ocr(options)
    return options


def _config_of(place: Path) -> str:
    """Return the configuration that an index was begun with, where it has a name of its own; else the default."""
    from variorum.search.indexing import named_reading
    from variorum.search.store import open_index

    if not place.is_file():
        return "default"
    with open_index(place, any_rules=True) as index:
        return named_reading(index.manifest().reading) or "default"


def _chosen(library: Library, call: IndexCall) -> tuple[LibraryItem, ...] | None:
    """Return the items that are asked for; None for all."""
    from variorum.library import Selection, one_key, select

    if not (call.keys or call.filters != Filters()):
        return None
    filters = call.filters
    selection = Selection(collections=filters.collections, tags=filters.tags, libraries=filters.libraries, title=filters.title)
    chosen = select(library, selection)
    if not call.keys:
        return chosen
    wanted = {one_key(library, key).ref for key in call.keys}
    return tuple(item for item in chosen if item.ref in wanted)


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


def _lines(report: IndexReport, place: Path) -> Iterator[str]:
    """Yield the sum, then what failed and what was skipped, a line a paper."""
    from variorum.search.index_report import OUTCOMES

    counts = " + ".join(f"{report.count(outcome)} {outcome}" for outcome in OUTCOMES)
    yield f"{report.found} found = {counts}"
    if report.removed:
        yield f"{report.removed} removed, because the library has them no more"
    waiting = f", {report.waiting} still to be made" if report.waiting else ""
    if report.vectors or report.waiting:
        yield f"{report.vectors} vectors made{waiting}"
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
