"""From a PDF file to a Document: pages read one by one or in several processes, tables numbered and named over the
whole paper."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from variorum._version import __version__
from variorum.document import Caption, Cell, Document, Notice, PageInfo, Provenance, Table
from variorum.document.json_io import rounded
from variorum.document.keys import make_table_id, paper_key
from variorum.errors import PageRangeError, UsageError
from variorum.execution import WorkerLost, announce, run, without_cycle_searches
from variorum.geometry import Box
from variorum.layout.artifacts import is_contents_list, tagged
from variorum.layout.captions_over_pages import CaptionAt, captions_over_pages
from variorum.layout.completeness import assess
from variorum.layout.composing import Composition, compose, with_mended_captions
from variorum.layout.model import PagePrint, PaperPrint
from variorum.layout.prints import page_print
from variorum.layout.reading import TableClaim, read_paper
from variorum.page.bookmarks import OutlineEntry, metadata_of, outline_of
from variorum.page.ocr import OcrOptions, ScanNotice, check_ocr, read_scan
from variorum.page.reader import PageHandle, PdfFile, load_library
from variorum.page.turning import displayed, upright
from variorum.regions.captions import FoundCaption
from variorum.regions.edge_turning import displayed_edges
from variorum.regions.registry import family_of, only_seconds
from variorum.tables.config import PipelineConfig, load_config
from variorum.tables.continuation import Place, find_continuations
from variorum.tables.joining import joined
from variorum.tables.model import CellGrid, ExtractionResult, TableContext, decision_of
from variorum.tables.page_tables import PageReading, PageTable, fault_notice
from variorum.tables.pipeline import Pipeline
from variorum.tables.steps import LostStep, Step, Watch
from variorum.tables.weights import in_effect
from variorum.thresholds import MAX_LAYOUT_LINES

Progress = Callable[[int, int, str], None]


def extract(
    path: str | PathLike[str],
    *,
    config: str | PipelineConfig = "default",
    pages: int | Sequence[int] | None = None,
    regions: Sequence[Mapping[str, Any]] | None = None,
    password: str | None = None,
    jobs: int = 1,
    isolated: bool = False,
    progress: Progress | None = None,
    ocr: OcrOptions | None = None,
    only: Literal["all", "tables", "text"] = "all",
) -> Document:
    """Return the document that a PDF holds: its text in reading order, its figures and references, and its tables with the
    apparatus of every reading.

    `config` is a named configuration (``default``, ``fast``, ``ruled``, ``minimal``), a path to a TOML file, or a
    PipelineConfig. `pages` are 1-based (one, or several); None reads all. `regions` is a list of ``{"page": n, "bbox": [x0,
    y0, x1, y1]}`` in points of the page as displayed, origin top-left: only those tables are read. `progress` is told (pages
    done, pages in all, what). With `ocr` pages without a usable text layer are read by Tesseract; else they are named in the
    notices. With `only` ``tables`` the text is left alone; with ``text`` the tables are: what stands in them is text, and the
    layout model, whose cost is that of finding tables, is not asked.

    With `jobs` 1 pages are read in this process: a method that raises costs its vote, but one that crashes or hangs takes
    this process with it. With `isolated`, or more jobs, pages are read in so many worker processes (they take half a second to
    begin), and then such a method costs its vote too; what gave no answer within the configuration's ``max_step_seconds`` is
    listed in the document's `incomplete`. Else the result does not depend on the number of processes. A script needs no
    ``__main__`` guard for them. Raises errors of the family of `variorum.errors`: input missing, damaged, encrypted, page
    outside the document, unknown configuration, Tesseract or a language of it missing.
    """
    if only not in ("all", "tables", "text"):
        raise UsageError(f"{only!r} is no part of a paper", where="only", hint='"all", "tables" or "text"')
    extras = _Extras(ocr=ocr, only="tables" if regions is not None else only)
    read, head = _read(path, config, pages, regions, password, jobs, progress, extras, isolated=isolated)
    return _document(read, head, _Kept([page.reading for page in read]), extras.only)


@dataclass(frozen=True, slots=True)
class RivalReading:
    """What another configuration made of what the methods said of one table: its choice (None without one), its candidates,
    and the processor time of its decision in seconds."""

    table: Table | None
    candidates: tuple[Table, ...]
    cpu_s: float


@dataclass(frozen=True, slots=True)
class TableEvidence:
    """One table as it was read in one place, and all that led to it: every candidate as a table, the engine's result, words and
    rules.

    Of a table that goes on over columns or pages each part is one of these, with `table` the part alone, under its own id.
    `candidates` are in the order of ``result.candidates``; `result` and `context` are in the view whose text is upright.
    `rivals` has the readings of the other configurations that were asked for.
    """

    table: Table
    candidates: tuple[Table, ...]
    result: ExtractionResult
    context: TableContext
    rivals: Mapping[str, RivalReading] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PaperEvidence:
    """A document with the evidence of each of its tables, in their order, and the table captions that have no table.

    A table of the document with parts has the evidence of each of them, one after the other.
    """

    document: Document
    tables: tuple[TableEvidence, ...]
    unmatched_captions: tuple[str, ...]

    def by_table(self) -> tuple[tuple[TableEvidence, ...], ...]:
        """Return for each table of the document, in order, the evidence of its parts; of a table in one place, its own."""
        found, start = [], 0
        for table in self.document.tables:
            end = start + max(1, len(table.parts))
            found.append(self.tables[start:end])
            start = end
        return tuple(found)


def extract_evidence(
    path: str | PathLike[str],
    *,
    config: str | PipelineConfig = "default",
    pages: int | Sequence[int] | None = None,
    regions: Sequence[Mapping[str, Any]] | None = None,
    password: str | None = None,
    jobs: int = 1,
    isolated: bool = False,
    progress: Progress | None = None,
    rivals: Mapping[str, PipelineConfig] | None = None,
    ocr: OcrOptions | None = None,
    only: Literal["all", "tables"] = "all",
) -> PaperEvidence:
    """Return the document of `extract` with everything that led to it, for the debug database.

    `rivals` are configurations by name, each of which decides on what the methods of `config` said in the regions of `config`:
    votes and elections side by side for the price of one reading. With `only` ``tables`` the text is left alone. Other
    arguments and errors as for `extract`.
    """
    extras = _Extras(keep_contexts=True, rivals=rivals or {}, ocr=ocr, only="tables" if regions is not None else only)
    read, head = _read(path, config, pages, regions, password, jobs, progress, extras, isolated=isolated)
    readings = [page.reading for page in read]
    kept = _Kept(readings)
    document = _document(read, head, kept, extras.only)
    parts = kept.tables(document.key)
    own = rounded(replace(document, tables=tuple(table for table, _, _ in parts))).tables
    tables = []
    for table, (_, item, reading) in zip(own, parts, strict=True):
        if item.context is None:
            raise ValueError("contexts were asked for and not kept")
        candidates = tuple(_with_grid(table, grid, item, reading) for grid in item.result.candidates)
        others = {name: _rival(table, result, item, reading) for name, result in item.rivals.items()}
        tables.append(TableEvidence(table, candidates, item.result, item.context, others))
    unmatched = [c.text for r in readings for c in kept.unmatched(r)]
    return PaperEvidence(document, tuple(tables), tuple(unmatched))


def _rival(table: Table, result: ExtractionResult, item: PageTable, reading: PageReading) -> RivalReading:
    choice = None if result.grid is None else _with_grid(table, result.grid, item, reading)
    candidates = tuple(_with_grid(table, grid, item, reading) for grid in result.candidates)
    return RivalReading(choice, candidates, result.cpu_seconds["decision"])


# ---- reading --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Extras:
    """What is wanted: tables, text or all; beside the document the context of every table, decisions of other configurations;
    scans read."""

    keep_contexts: bool = False
    rivals: Mapping[str, PipelineConfig] = field(default_factory=dict)
    ocr: OcrOptions | None = None
    only: Literal["all", "tables", "text"] = "all"

    def pipeline(self, config: PipelineConfig) -> Pipeline:
        return Pipeline(config, keep_contexts=self.keep_contexts, rivals=self.rivals)


@dataclass(frozen=True, slots=True)
class _Head:
    """What is known of the file before its pages are read."""

    path: Path
    sha256: str
    page_count: int
    is_repaired: bool
    config: PipelineConfig
    outline: tuple[OutlineEntry, ...] = ()
    metadata: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class _ReadPage:
    """What was read from one page: its tables, and its lines of print (None where the text is not wanted or was lost).

    `unread` says why the page could not be read; it is empty where it could.
    """

    reading: PageReading
    print: PagePrint | None = None
    unread: str = ""


@dataclass(frozen=True, slots=True)
class _PageTask:
    """One page to be read, the regions given on it (None: to be found), and the steps that were lost in reading it before."""

    page_index: int
    given: tuple[Box, ...] | None
    lost: tuple[LostStep, ...] = ()


def _read(
    path: str | PathLike[str],
    config: str | PipelineConfig,
    pages: int | Sequence[int] | None,
    regions: Sequence[Mapping[str, Any]] | None,
    password: str | None,
    jobs: int,
    progress: Progress | None,
    extras: _Extras | None = None,
    *,
    isolated: bool = False,
) -> tuple[list[_ReadPage], _Head]:
    settings = in_effect(config if isinstance(config, PipelineConfig) else load_config(config))
    if not isinstance(jobs, int) or jobs < 1:
        raise UsageError(f"jobs must be a whole number, at least 1, not {jobs!r}", where="jobs", hint="jobs=2")
    extras = extras or _Extras()
    if extras.ocr is not None:
        check_ocr(extras.ocr)
    with PdfFile(Path(path), password) as pdf:
        outline, metadata = outline_of(pdf), metadata_of(pdf)
        head = _Head(pdf.path, pdf.sha256, pdf.page_count, pdf.is_repaired, settings, outline, metadata)
        wanted = _wanted(pages, head)
        given = None if regions is None else _given(regions, head)
        if given is not None:
            wanted = tuple(index for index in wanted if index in given)
            if not wanted:
                raise UsageError("no region is on the pages asked for", where="regions", hint="without pages")
        tasks = [_PageTask(index, None if given is None else given[index]) for index in wanted]

        def done(count: int) -> None:
            if progress:
                progress(count, len(tasks), "pages")

        reader = _PageReader(str(path), password, settings, extras)
        if jobs == 1 and not isolated:
            return [r for r in run(reader.on(pdf), tasks, done=done) if isinstance(r, _ReadPage)], head
    results = run(
        reader, tasks, jobs=jobs, done=done, isolated=True, patience_s=settings.max_step_seconds, without=_without_lost_step
    )
    return [_lost(task.page_index, r) if isinstance(r, WorkerLost) else r for task, r in zip(tasks, results, strict=True)], head


class _PageReader:
    """Reads pages of one file, which it opens at the first of them and keeps open; goes to another process unopened.

    Raises ConfigError for a method that there is not.
    """

    def __init__(self, path: str, password: str | None, config: PipelineConfig, extras: _Extras) -> None:
        self._source = (path, password, config, extras)
        self._pdf: PdfFile | None = None
        self._pipeline = extras.pipeline(config)

    def __reduce__(self) -> tuple[object, ...]:
        return (_reader_in_worker, self._source)

    def on(self, pdf: PdfFile) -> _PageReader:
        """Return this reader, with the file open already."""
        self._pdf = pdf
        return self

    def __call__(self, task: _PageTask) -> _ReadPage:
        """Return the reading of the page; a fault that is not of the family of `variorum.errors` costs this page only."""
        announce(Step("page", task.page_index + 1))
        path, password, config, extras = self._source
        self._pdf = self._pdf or PdfFile(path, password)
        handle = self._pdf.page(task.page_index)
        try:
            scan = read_scan(handle, extras.ocr, config.max_step_seconds / 2)
            watch = Watch(announce, task.lost)
            with without_cycle_searches():
                if extras.only == "text":
                    reading = _without_tables(handle)
                else:
                    reading = self._pipeline.extract_page(handle, task.given, watch=watch)
            if not extras.keep_contexts:  # what led to the tables is many times larger than they are, and not wanted
                tables = tuple(replace(table, result=decision_of(table.result)) for table in reading.tables)
                reading = replace(reading, tables=tables)
            reading = reading if scan is None else _with_scan_notice(reading, scan)
            unread = "" if scan is None or scan.is_read else scan.what
            if extras.only == "tables":
                return _ReadPage(reading, unread=unread)
            return replace(_printed(reading, handle, _wants_layout(config, extras), watch), unread=unread)
        except Exception as error:  # one bad page never takes down the rest
            return _lost(task.page_index, error)
        finally:
            handle.close()


def _without_tables(handle: PageHandle) -> PageReading:
    page = handle.evidence
    notices = tuple(Notice(severity="warning", what=what, page_num=page.page_num) for what in page.warnings)
    return PageReading(page.page_num, page.width, page.height, page.label, (), (), notices)


def _wants_layout(config: PipelineConfig, extras: _Extras) -> bool:
    """Return whether the layout model is to be heard on the text: where the tables ask it anyway. It takes more time than all
    other steps of the text together, and is one voter of eight."""
    return "layout_boxes" in config.region_proposers and extras.only != "text"


def _printed(reading: PageReading, handle: PageHandle, wants_layout: bool, watch: Watch) -> _ReadPage:
    """Return the reading of a page with its lines of print; what the layout model could not do becomes a notice."""
    boxes: tuple[tuple[str, Box], ...] = ()
    lines = len({(word.block, word.line) for word in handle.evidence.words})
    step = Step("region proposer", reading.page_num, "layout_boxes")
    if wants_layout and lines <= MAX_LAYOUT_LINES and not watch.enter(step):
        try:
            boxes = handle.layout_boxes
        except (Exception, SystemExit) as error:  # one voter of many: the text is read without it
            notice = fault_notice("the layout model failed", error, reading.page_num)
            if not any(notice.what[len("the ") :] in other.what for other in reading.notices):
                reading = replace(reading, notices=(*reading.notices, notice))
    watch.enter(Step("page", reading.page_num))
    return _ReadPage(reading, page_print(handle.evidence, boxes, ocr=handle.is_recognised))


def _reader_in_worker(path: str, password: str | None, config: PipelineConfig, extras: _Extras) -> _PageReader:
    """Return the reader in the process that it was sent to; what takes time to import is imported before any page is due."""
    load_library()
    return _PageReader(path, password, config, extras)


def _without_lost_step(task: _PageTask, loss: WorkerLost) -> _PageTask | None:
    """Return the task without the step under which its process was lost; None when the page cannot be read without it."""
    if not isinstance(loss.step, Step) or loss.step.kind == "page":
        return None
    return replace(task, lost=(*task.lost, LostStep(loss.step, loss.how, loss.is_timeout)))


def _with_scan_notice(reading: PageReading, scan: ScanNotice) -> PageReading:
    notice = Notice(severity=scan.severity, what=scan.what, page_num=reading.page_num)
    return replace(reading, notices=(*reading.notices, notice))


def _lost(index: int, error: Exception) -> _ReadPage:
    is_timeout = isinstance(error, WorkerLost) and error.is_timeout
    if isinstance(error, WorkerLost):
        why = f"timeout: {error.how}" if is_timeout else f"{error}: {error.how}"
    else:
        why = f"{type(error).__name__}: {error}"
    notice = Notice(severity="error", what=f"the page could not be read ({why})", page_num=index + 1)
    incomplete = (f"page {index + 1}: {why}",) if is_timeout else ()
    return _ReadPage(PageReading(index + 1, 0.0, 0.0, None, (), (), (notice,), incomplete), unread=why)


def _wanted(pages: int | Sequence[int] | None, head: _Head) -> tuple[int, ...]:
    if pages is None:
        return tuple(range(head.page_count))
    if isinstance(pages, str):
        raise UsageError(f"pages are whole numbers, not the text {pages!r}", where="pages", hint="pages=[3, 4, 5]")
    try:
        pages = [operator.index(pages)] if not isinstance(pages, Iterable) else [operator.index(page) for page in pages]
    except TypeError as error:
        raise UsageError(f"pages are whole numbers, counted from 1 ({error})", where="pages", hint="pages=[3, 4, 5]") from error
    _check_pages(pages, head)
    if not pages:
        raise UsageError("no pages are asked for", hint=f"--pages 1-{head.page_count}")
    return tuple(sorted({p - 1 for p in pages}))


def _check_pages(pages: Sequence[int], head: _Head) -> None:
    for page in pages:
        if not 1 <= page <= head.page_count:
            raise PageRangeError(
                f"page {page} is outside the document, which has {head.page_count} page{'s' if head.page_count > 1 else ''}",
                where=str(head.path),
                hint=f"--pages 1-{head.page_count}",
            )


def _given(regions: Sequence[Mapping[str, Any]], head: _Head) -> dict[int, tuple[Box, ...]]:
    out: dict[int, tuple[Box, ...]] = {}
    if not regions:
        raise UsageError("must hold at least one region", where="regions", hint="None, to read all tables")
    for i, region in enumerate(regions):
        try:
            page, box = operator.index(region["page"]), Box.of(float(v) for v in region["bbox"])
            if not (all(map(math.isfinite, box.as_tuple())) and box.x0 < box.x1 and box.y0 < box.y1):
                raise ValueError("the box has no area")
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(
                f"a region needs a page and a bbox of four numbers ({error})",
                where=f"regions[{i}]",
                hint='{"page": 1, "bbox": [72, 100, 540, 300]}',
            ) from error
        _check_pages([page], head)
        out[page - 1] = (*out.get(page - 1, ()), box)
    return out


# ---- the document ---------------------------------------------------------------------------------------------------


def _document(read: Sequence[_ReadPage], head: _Head, kept: _Kept, only: str) -> Document:
    readings = [page.reading for page in read]
    key = paper_key(head.path, head.sha256)
    notices = [n for r in readings for n in r.notices]
    if head.is_repaired:
        notices.insert(
            0, Notice(severity="warning", what="the file is damaged and was repaired; pages or objects may be missing")
        )
    for i, reading in enumerate(readings):
        given = [t for t in reading.tables if t.region.proposers == ("given",)]
        notices += [
            Notice(severity="warning", what=f"no table was read in the region {_place(t, reading)}", page_num=reading.page_num)
            for t in given
            if t.result.grid is None
        ]
        notices += [
            Notice(severity="warning", what=f"no table was found for the caption: {c.text}", page_num=reading.page_num)
            for c in kept.unmatched(reading)
        ]
        notices += [Notice(severity="warning", what=why, page_num=reading.page_num) for why in kept.apart(i)]
    parts = {table.id: table for table, _, _ in kept.tables(key)}
    tables = [joined([parts[name] for name in names]) for names in kept.ids(key)]
    whole, composition = _composed(read, head, kept, tables, notices, with_tables=only != "text")
    document = Document(
        key=key,
        source_name=head.path.name,
        sha256=head.sha256,
        page_count=head.page_count,
        pages=tuple(_page_info(r, composition.page_labels.get(r.page_num)) for r in readings if r.width),
        tables=tuple(whole),
        notices=tuple(notices),
        config=head.config.to_dict(),
        software=f"variorum {__version__}",
        incomplete=tuple(what for r in readings for what in r.incomplete),
        components=composition.components,
        figures=composition.figures,
        identity=composition.identity,
        sections=composition.sections,
        headings=composition.headings,
        bibliography=composition.bibliography,
        citations=composition.citations,
        inline_equations=composition.inline_equations,
        mentions=composition.mentions,
    )
    document = tagged(document)
    if only != "tables":
        unread = {page.reading.page_num: page.unread for page in read if page.unread}
        document = replace(document, completeness=assess(document, unread, with_tables=only == "all"))
    return rounded(document)


def _page_info(reading: PageReading, printed: str | None) -> PageInfo:
    label = printed if printed is not None else reading.label
    return PageInfo(page_num=reading.page_num, width=reading.width, height=reading.height, label=label)


def _composed(
    read: Sequence[_ReadPage],
    head: _Head,
    kept: _Kept,
    tables: Sequence[Table],
    notices: list[Notice],
    *,
    with_tables: bool,
) -> tuple[Sequence[Table], Composition]:
    """Return the tables with their captions as running text, and the text of the paper; a fault in it becomes a notice, and the
    tables are there all the same."""
    pages = tuple(page.print for page in read if page.print is not None)
    if not pages:
        return tables, Composition()
    paper = PaperPrint(pages, head.outline, *head.metadata)
    try:
        with without_cycle_searches():
            claims = kept.claims({page.page_index: page for page in pages})
            mended = with_mended_captions(tables, paper)
            return mended, compose(paper, read_paper(paper, claims, with_tables=with_tables), mended)
    except Exception as error:  # the document level never takes down the tables
        notices.append(fault_notice("the text of the paper could not be put in order", error, None))
        return tables, Composition()


class _Kept:
    """Which regions of the pages are tables of the paper, which of them are parts of one, and what they are called."""

    def __init__(self, readings: Sequence[PageReading]) -> None:
        self._readings = readings
        self._habit = _has_habit(readings)
        lists = [item for reading in readings for item in reading.tables if _lists_contents(item, reading)]
        self._named = {id(item) for item in lists}
        self._captions = captions_over_pages(readings, lambda item: item.result.grid is not None)
        self._named |= {id(self._item(place)) for place in self._captions}
        self._continuations = find_continuations(readings, self._is_kept)

    def _is_kept(self, item: PageTable) -> bool:
        return id(item) in self._named or _is_kept(item, self._habit)

    def chains(self) -> list[tuple[Place, ...]]:
        """Return the places of each table, in order of page and position of its first part."""
        later = self._continuations.later
        starts = [
            Place(i, j)
            for i, reading in enumerate(self._readings)
            for j, item in enumerate(reading.tables)
            if Place(i, j) not in later and self._is_kept(item)
        ]
        return [self._continuations.chain(start) for start in starts]

    def ids(self, key: str) -> list[list[str]]:
        """Return for each table the ids of its parts; the first of them is its own."""
        names: set[str] = set()
        found = []
        for chain in self.chains():
            number = self._number(chain)
            ids = []
            for place in chain:
                index = self._position(place)
                ids.append(make_table_id(key, number, self._readings[place.reading].page_num, index, taken=names))
                names.add(ids[-1])
            found.append(ids)
        return found

    def _number(self, chain: tuple[Place, ...]) -> str | None:
        caption = self._caption(chain[0])
        return None if caption is None else caption.caption.number

    def _caption(self, place: Place) -> CaptionAt | None:
        """Return the caption of a part and the reading of the page on which it stands."""
        own = self._item(place).region.caption
        return self._captions.get(place) or (None if own is None else CaptionAt(place.reading, own))

    def _position(self, place: Place) -> int:
        """Return the position of a table among those of the paper on its page, from 0."""
        later = self._continuations.later
        tables = self._readings[place.reading].tables
        return sum(self._is_kept(item) or Place(place.reading, j) in later for j, item in enumerate(tables[: place.table]))

    def _item(self, place: Place) -> PageTable:
        return self._readings[place.reading].tables[place.table]

    def tables(self, key: str) -> list[tuple[Table, PageTable, PageReading]]:
        """Return every part as a table of its own, with what was read, in the order of `ids`."""
        found = []
        for chain, ids in zip(self.chains(), self.ids(key), strict=True):
            for place, name in zip(chain, ids, strict=True):
                item, reading = self._item(place), self._readings[place.reading]
                caption = self._caption(place)
                shown = None if caption is None else _as_caption(caption.caption, item.angle, self._readings[caption.reading])
                found.append((_table(name, item, reading, shown), item, reading))
        return found

    def claims(self, pages: Mapping[int, PagePrint]) -> list[TableClaim]:
        """Return where the parts of the tables and their captions stand, in the views of the pages; their keys count the
        tables."""
        found = []
        for key, chain in enumerate(self.chains()):
            for place in chain:
                item, caption = self._item(place), self._caption(place)
                page = pages.get(self._readings[place.reading].page_num - 1)
                other = None if caption is None else pages.get(self._readings[caption.reading].page_num - 1)
                beside = None if caption is None or other is None else _in_view(caption.caption.box, item.angle, other)
                if page is not None:
                    own = _in_view(item.region.box, item.angle, page)
                    found.append(TableClaim(key, page.page_index, own, beside if other is page else None))
                if beside is not None and other is not None and other is not page:
                    found.append(TableClaim(key, other.page_index, beside, beside))
        return found

    def apart(self, reading: int) -> list[str]:
        """Return why parts on a page were not joined to the table that their captions name."""
        return [why for place, why in self._continuations.refused.items() if place.reading == reading]

    def unmatched(self, reading: PageReading) -> list[FoundCaption]:
        """Return the table captions of the page that no kept table has; none where the user gave the regions."""
        if any(t.region.proposers == ("given",) for t in reading.tables):
            return []
        kept = [t.region.caption for t in reading.tables if self._is_kept(t)]
        given = [c.caption for c in self._captions.values() if self._readings[c.reading] is reading]
        return [c for c in reading.table_captions if c not in kept and c not in given]


def _in_view(box: Box, angle: int, page: PagePrint) -> Box:
    """Return a box of the view at an angle in the view in which the page is read."""
    width, height = page.displayed_size
    return box if angle == page.angle else upright(displayed(box, angle, width, height), page.angle, width, height)


def _has_habit(readings: Sequence[PageReading]) -> bool:
    """Return whether the paper captions its tables."""
    return any(c for r in readings for c in r.table_captions)


def _is_kept(item: PageTable, habit: bool) -> bool:
    """Return whether a region is a table of the paper.

    Captioned regions are, and those that the user gave. Of the others, where a paper captions its tables, those are that
    the layout model and something drawn agree on; where it has no captions at all, all are. A region without a grid is none.
    """
    if item.result.grid is None:
        return False
    if item.region.caption is not None or item.region.proposers == ("given",):
        return True
    families = {family_of(p) for p in item.region.proposers if not only_seconds(p)}
    return not habit or ("layout_boxes" in families and len(families) > 1)


def _lists_contents(item: PageTable, reading: PageReading) -> bool:
    """Return whether a region without a caption is a list of contents, which is kept as such in every paper."""
    grid, box = item.result.grid, item.region.box
    if grid is None or item.region.caption is not None:
        return False
    rows = [[""] * grid.n_cols for _ in range(grid.n_rows)]
    for cell in grid.cells:
        rows[cell.row][cell.col] = cell.text
    level = [line for line in reading.lines if line.angle == item.angle and line.box.x_interval.overlap(box.x_interval) > 0]
    above = max((line for line in level if line.box.centre[1] < box.y0), key=lambda line: line.box.y1, default=None)
    return is_contents_list(rows, "" if above is None else above.text)


def _place(item: PageTable, reading: PageReading) -> str:
    """Return the region of a table as its user gives it, in whole points."""
    box = displayed(item.region.box, item.angle, reading.width, reading.height)
    return f"[{', '.join(f'{value:.0f}' for value in box.as_tuple())}]"


def _as_caption(found: FoundCaption, angle: int, reading: PageReading) -> Caption:
    box = displayed(found.box, angle, reading.width, reading.height)
    return Caption(text=found.text, label=found.label.rstrip("."), number=found.number, page_num=reading.page_num, bbox=box)


def _table(name: str, item: PageTable, reading: PageReading, caption: Caption | None) -> Table:
    grid, apparatus = item.result.grid, item.result.apparatus
    if grid is None:
        raise ValueError("a table without a grid is never kept")
    base = Table(
        id=name,
        n_rows=grid.n_rows,
        n_cols=grid.n_cols,
        cells=(),
        provenance=Provenance(source="pdf", method=grid.name, page_num=reading.page_num, confidence=apparatus.agreement),
        number=caption.number if caption else None,
        caption=caption,
        angle=item.angle,
        apparatus=replace(
            apparatus,
            region_votes=item.region.proposers,
            region_edges=displayed_edges(item.region.edges, item.angle, reading.width, reading.height),
        ),
    )
    return _with_grid(base, grid, item, reading)


def _with_grid(table: Table, grid: CellGrid, item: PageTable, reading: PageReading) -> Table:
    box = displayed(item.region.box, item.angle, reading.width, reading.height)
    return replace(
        table,
        n_rows=grid.n_rows,
        n_cols=grid.n_cols,
        cells=tuple(_cell(c, item.angle, reading) for c in grid.cells),
        header_rows=grid.header_rows,
        footnotes=grid.footnotes,
        column_edges=grid.col_edges,
        row_edges=grid.row_edges,
        provenance=replace(table.provenance, bbox=box, method=grid.name),
    )


def _cell(cell: Cell, angle: int, reading: PageReading) -> Cell:
    if cell.bbox is None or not angle:
        return cell
    return replace(cell, bbox=displayed(cell.bbox, angle, reading.width, reading.height))
