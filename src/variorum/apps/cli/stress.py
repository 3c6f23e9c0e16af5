"""``variorum stress``: the papers of a corpus or a library through the whole product, assertions, reports, a verdict."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from variorum.apps.chosen_library import LibraryPlace, read_library
from variorum.apps.cli.console import complain, emit, emit_json, printable
from variorum.errors import UsageError

if TYPE_CHECKING:
    from variorum.search.model_files import ModelFiles
    from variorum.stress.corpus import Found, StressPaper
    from variorum.stress.options import Stage

_LINE_EVERY_S: Final = 10.0
_MINUTE_S: Final = 60.0
_RATE_FROM_S: Final = 1.0  # a stage that takes less has no rate that says anything


@dataclass(frozen=True, slots=True, kw_only=True)
class StressCall:
    """One call of ``variorum stress``, as the user typed it."""

    corpus: Path | None
    zotero: Path | None
    folder: Path | None
    base_dir: str | None
    output: Path | None
    truth: Path | None
    items: tuple[str, ...]
    count: int | None
    jobs: int
    config: str
    with_variants: bool
    model: Path | None
    no_vectors: bool
    time_limit: int
    memory_limit: int
    prune: bool
    as_json: bool
    quiet: bool

    @property
    def place(self) -> tuple[str, Path]:
        """Return the option that says where the papers are, and where; raises UsageError for none or several."""
        given = {"--corpus": self.corpus, "--zotero": self.zotero, "--folder": self.folder}
        named = [(option, path) for option, path in given.items() if path is not None]
        if len(named) != 1:
            what = (
                f"{' and '.join(option for option, _ in named)} are several places" if named else "says nothing of the papers"
            )
            raise UsageError(what, where="stress", hint="one of --corpus DIR, --zotero DIR, --folder DIR")
        return named[0]

    def check(self) -> Path:
        """Return the folder of the output; raises UsageError for what is missing, out of its range or contradictory."""
        _ = self.place
        if self.output is None:
            raise UsageError("says nothing of the output", where="stress", hint="-o DIR, where everything is kept")
        if self.base_dir is not None and self.zotero is None:
            raise UsageError("only a Zotero library has linked files", where="--base-dir", hint="--zotero DIR with it")
        numbers = (("--jobs", self.jobs), ("--time-limit", self.time_limit), ("--memory-limit", self.memory_limit))
        for option, value in numbers:
            if value < 1:
                raise UsageError(f"must be at least 1, not {value}", where=option, hint=f"{option} 4")
        if self.model is not None and self.no_vectors:
            raise UsageError("--model and --no-vectors do not go together", where="stress", hint="one of them")
        return self.output

    def said(self) -> str:
        """Return what was asked for, without what changes no result: processes, the place of the output, folders above."""
        option, path = self.place
        parts = ["variorum stress", option, path.resolve().name]
        parts += [f"--item {key}" for key in self.items]
        parts += [f"--papers {self.count}"] if self.count is not None else []
        parts += [f"--truth {self.truth.resolve().name}"] if self.truth is not None else []
        parts += ["--config", Path(self.config).name]
        parts += ["--no-variants"] if not self.with_variants else []
        return " ".join(parts)


def run_stress_command(call: StressCall) -> int:
    """Return the exit code of the verdict, once the test is done, the reports are written, and the verdict is on stdout.

    Raises what finding the papers and `run_stress` raise.
    """
    from variorum.stress.keeping import alone_in
    from variorum.stress.options import StressOptions
    from variorum.stress.running import run_stress
    from variorum.stress.summary import lines, to_json, verdict_line

    output = call.check()
    papers = _papers(call)
    options = StressOptions(
        config=call.config,
        jobs=call.jobs,
        model=_model(call),
        with_variants=call.with_variants,
        seconds=float(call.time_limit),
        memory_mb=call.memory_limit,
        prune=call.prune,
    )
    with alone_in(output):
        with _progress(quiet=call.quiet) as tell:
            outcome = run_stress(
                papers,
                output,
                options,
                corpus=call.place[1].resolve().name,
                command=call.said(),
                tell=tell,
                say=(lambda sentence: None) if call.quiet else complain,
            )
        for notice in outcome.notices:
            complain(notice)
        written = _reports(output)
    if call.as_json:
        emit_json({**json.loads(to_json(outcome.summary)), "files": [str(path) for path in written]})
        return outcome.verdict.exit_code
    if not call.quiet:
        emit("\n".join(map(printable, (*lines(outcome.summary), *(f"written: {path}" for path in written)))))
    emit(verdict_line(outcome.summary))
    return outcome.verdict.exit_code


def _papers(call: StressCall) -> tuple[StressPaper, ...]:
    """Return the papers that are asked for, each with its truth; what was passed over is on stderr then."""
    from variorum.stress.corpus import chosen, with_truths

    found = _found(call)
    if not call.quiet:
        for notice in found.notices:
            complain(f"warning: {notice}")
    papers = chosen(found.papers, call.items, call.count)
    return papers if call.truth is None else with_truths(papers, call.truth)


def _found(call: StressCall) -> Found:
    from variorum.stress.corpus import papers_of_corpus, papers_of_library

    if call.corpus is not None:
        return papers_of_corpus(call.corpus)
    return papers_of_library(read_library(LibraryPlace(zotero=call.zotero, folder=call.folder, base_dir=call.base_dir)))


def _model(call: StressCall) -> ModelFiles | None:
    from variorum.search.model_files import INSTALL_HINT, find_model

    if call.no_vectors:
        return None
    model = find_model(call.model)
    if model is None:
        complain(f"warning: no model for vectors: searches will go by words alone. To try: {INSTALL_HINT}")
    return model


def _reports(output: Path) -> tuple[Path, ...]:
    """Return the files of a test, once the reports are among them."""
    from variorum.report.stress_report import write_reports
    from variorum.stress.keeping import DATABASE, SUMMARY

    return (*write_reports(output / DATABASE, output), output / DATABASE, output / SUMMARY)


# ---- progress -------------------------------------------------------------------------------------------------------


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[Stage], None]]:
    """Yield a function that tells on stderr how far a test is: bars on a terminal, elsewhere a line now and then."""
    if quiet:
        yield lambda stage: None
    elif sys.stderr.isatty():
        with _bars() as tell:
            yield tell
    else:
        yield _Lines().tell


class _Lines:
    """Progress as lines: the first and last of each stage, and one every few seconds."""

    def __init__(self) -> None:
        self._began: dict[str, float] = {}
        self._last_s = 0.0

    def tell(self, stage: Stage) -> None:
        now = time.monotonic()
        began = self._began.setdefault(stage.name, now)
        is_end = stage.done >= stage.total
        if not stage.total or (began != now and not is_end and now - self._last_s < _LINE_EVERY_S):
            return
        self._last_s = now
        parts = [f"{stage.name}: {stage.done} of {stage.total}"]
        parts += [f"{stage.reused} known before"] if stage.reused else []
        own, seconds = stage.done - stage.reused, now - began
        if own > 0 and seconds > _RATE_FROM_S:
            parts += [f"{_MINUTE_S * own / seconds:.1f} a minute"]
            parts += [f"{seconds / own * (stage.total - stage.done) / _MINUTE_S:.0f} min left"] if not is_end else []
        told = ", ".join(parts) + (f": {stage.what}" if stage.what else "")
        print(printable(told), file=sys.stderr, flush=True)


@contextmanager
def _bars() -> Iterator[Callable[[Stage], None]]:
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

        def tell(stage: Stage) -> None:
            if stage.name not in tasks:
                tasks[stage.name] = drawn.add_task(stage.name, total=stage.total, rate="", what="")
            task = tasks[stage.name]
            drawn.update(task, completed=stage.done, total=stage.total, what=escape(printable(stage.what)))
            speed = next(t.speed for t in drawn.tasks if t.id == task)
            drawn.update(task, rate=f"{speed * _MINUTE_S:.1f} a minute" if speed else "")

        yield tell
