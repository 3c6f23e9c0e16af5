"""A run that makes a library searchable, as a user asked for it; shared by ``variorum index`` and the MCP server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.apps.chosen_library import LibraryPlace, read_library
from variorum.errors import UsageError
from variorum.libraries.selecting import Selection

if TYPE_CHECKING:
    from variorum.libraries import Library, LibraryItem
    from variorum.page.ocr import OcrOptions
    from variorum.search.index_report import IndexReport, Progress
    from variorum.search.indexing import IndexOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexWishes:
    """What a user asks of a run.

    `index` is the file of the index, `selection` what is asked for of the library. `config` is how papers are read, None for
    how the index was begun. `limit` are PDFs to read at most; `time_limit` are seconds and `memory_limit`
    megabytes for one paper.
    """

    place: LibraryPlace
    index: Path
    selection: Selection = field(default_factory=Selection)
    limit: int | None = None
    jobs: int = 1
    config: str | None = None
    ocr: bool = False
    ocr_language: str | None = None
    model: Path | None = None
    no_vectors: bool = False
    force: bool = False
    retry: bool = False
    rebuild: bool = False
    time_limit: int = 1800
    memory_limit: int = 4096

    def check(self) -> None:
        """Return None; raises UsageError for a number out of its range, or options that do not go together."""
        numbers = (("--jobs", self.jobs), ("--time-limit", self.time_limit), ("--memory-limit", self.memory_limit))
        for option, value in numbers:
            if value < 1:
                raise UsageError(f"must be at least 1, not {value}", where=option, hint=f"{option} 4")
        if self.limit is not None and self.limit < 0:
            raise UsageError(f"must be at least 0, not {self.limit}", where="--limit", hint="--limit 10")
        if self.model is not None and self.no_vectors:
            raise UsageError("--model and --no-vectors do not go together", where="index", hint="one of them")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRun:
    """A run that is ready to go: the index, the library and what is chosen of it, how it goes."""

    index: Path
    whole: Library
    items: tuple[LibraryItem, ...] | None
    options: IndexOptions

    def carry_out(self, progress: Callable[[Progress], None] | None = None) -> IndexReport:
        """Return what was done, `progress` told meanwhile; raises what `variorum.search.indexing.index_library` raises."""
        from variorum.search.indexing import index_library

        source = str(self.whole.sources[0].path.resolve())
        return index_library(self.index, self.whole, source=source, items=self.items, options=self.options, progress=progress)


def prepare_run(wishes: IndexWishes, warn: Callable[[str], None]) -> IndexRun:
    """Return the run that the wishes ask for; `warn` is told what a user must know, a sentence each.

    Raises UsageError for wishes that make no sense, and what reading the library and looking for the model raise.
    """
    from variorum.search.indexing import IndexOptions
    from variorum.search.model_files import INSTALL_HINT, find_model

    wishes.check()
    ocr = _ocr(wishes)
    model = None if wishes.no_vectors else find_model(wishes.model)
    if model is None and not wishes.no_vectors:
        warn(f"no model for vectors: searches will go by words alone. To try: {INSTALL_HINT}")
    library = read_library(wishes.place)
    for notice in library.notices:
        warn(f"{library.sources[0].path}: {notice}")
    options = IndexOptions(
        config=wishes.config or _config_of(wishes.index),
        ocr=ocr,
        model=model,
        jobs=wishes.jobs,
        limit=wishes.limit,
        force=wishes.force,
        retry=wishes.retry,
        rebuild=wishes.rebuild,
        seconds=float(wishes.time_limit),
        memory_mb=wishes.memory_limit,
    )
    return IndexRun(index=wishes.index, whole=library, items=_chosen(library, wishes.selection), options=options)


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


def _ocr(wishes: IndexWishes) -> OcrOptions | None:
    if not wishes.ocr:
        if wishes.ocr_language is not None:
            raise UsageError("names the language of OCR, which is not asked for", where="--ocr-language", hint="--ocr")
        return None
    from variorum.page.ocr import OcrOptions, check_ocr

    options = OcrOptions() if wishes.ocr_language is None else OcrOptions(language=wishes.ocr_language)
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


def _chosen(library: Library, selection: Selection) -> tuple[LibraryItem, ...] | None:
    """Return the items that are asked for; None for all."""
    from variorum.libraries import select

    return None if selection == Selection() else select(library, selection)
