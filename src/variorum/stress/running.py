"""The stress test from end to end: read, index, read by the other configurations, judge, keep.

What an earlier run left in the folder is used again where file, configuration, truth and code are the same; the index and the
assertions are made anew in every run. Nothing else may write into the folder meanwhile: `alone_in` sees to that.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from variorum.document.writing import write_whole
from variorum.errors import DamagedInputError, OutputError, UsageError
from variorum.evaluation.calibration_truth import PaperTruth
from variorum.evaluation.debug_db import begin_run, finish_run, open_debug_db
from variorum.evaluation.pairing import is_truth_of
from variorum.evaluation.truth_table import TruthTable
from variorum.search.document_indexing import DocumentIndex, IndexedPaper, index_documents
from variorum.search.opening import open_searcher
from variorum.stress.corpus import StressPaper
from variorum.stress.faults import FAULT_KINDS
from variorum.stress.identity import config_digest, software
from variorum.stress.items import item_of
from variorum.stress.judging import Judgement, judge
from variorum.stress.keeping import DATABASE, INDEX, SUMMARY, VECTORS, Keep
from variorum.stress.model import Kind, LibrarySubject, PaperSubject, Verdict, verdict
from variorum.stress.options import Setting, Stage, StressOptions
from variorum.stress.stage_papers import read_papers
from variorum.stress.stage_variants import read_variants
from variorum.stress.summary import summarise, to_json
from variorum.tables.config import load_config

_SHOWN: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a test says: its verdict, its summary as JSON values, where all is kept; `notices` are sentences on papers that were
    left out, and on truths that seem to be those of other papers."""

    verdict: Verdict
    summary: Mapping[str, Any]
    notices: tuple[str, ...]
    folder: Path


def run_stress(
    papers: Sequence[StressPaper],
    folder: Path,
    options: StressOptions,
    *,
    corpus: str,
    command: str,
    tell: Callable[[Stage], None] = lambda stage: None,
    say: Callable[[str], None] = lambda sentence: None,
) -> Outcome:
    """Return what the test of the papers says, once all of it is kept in the folder.

    `corpus` and `command` say in the database what was tested and how it was called. `tell` is told how far the test is, `say`
    why papers are read anew that an earlier run had read. Truths are read first, so that a faulty one is an error before any
    paper is read. Raises what `truth_for` and `load_config` raise, UsageError when the folder holds papers that are not asked
    for, DamagedInputError when no paper can be read, and OutputError when the folder cannot be used or written.
    """
    from variorum.stress.kinds import KINDS
    from variorum.stress.truths import truth_for

    config = load_config(options.config)
    kinds = (*FAULT_KINDS, *KINDS)
    truths = {paper.key: truth_for(paper) for paper in papers}
    true_tables = {key: _vouched_for(truth) for key, truth in truths.items()}
    connection = _database(folder)
    try:
        keep = Keep(folder, connection)
        _prune(keep, papers, prune=options.prune)
        run_id = begin_run(connection, command)
        about = _about(run_id, corpus, config_digest(config), options, config.name)
        keep.begin(about)
        clock = _Clock()
        setting = Setting(keep=keep, run_id=run_id, config=config, options=options, true_tables=true_tables, tell=tell, say=say)
        with clock.stage("read_seconds"):
            notices = read_papers(setting, papers)
        _refuse_nothing(keep)
        with clock.stage("index_seconds"):
            indexed = _index(setting, papers, _subjects(keep, truths))
        if options.with_variants:
            with clock.stage("variant_seconds"):
                read_variants(setting, papers)
        with clock.stage("assertion_seconds"):
            subjects = _subjects(keep, truths)
            judgement = _judge(setting, subjects, kinds)
        keep.put_assertions(run_id, kinds, judgement.assertions, judgement.tracebacks)
        found = verdict(judgement.assertions)
        counts = {"num_chunks": sum(map(len, indexed.chunks)), "num_vectors": indexed.vectors, "vector_model": indexed.model}
        keep.put_run({**about, **clock.seconds, **counts, "verdict": str(found)})
        finish_run(connection, run_id)
        summary = summarise(connection, software=software())
    finally:
        connection.close()
    write_whole(folder / SUMMARY, to_json(summary).encode(), hint="another folder with -o")
    notices += tuple(_of_other_papers(subjects, papers))
    return Outcome(verdict=found, summary=summary, notices=notices, folder=folder)


def _database(folder: Path) -> sqlite3.Connection:
    """Return a connection to the database of the folder; raises OutputError when there is one that cannot be used."""
    try:
        return open_debug_db(folder / DATABASE)
    except OutputError as error:
        hint = "another folder with -o; or remove the file, and all papers are read anew"
        raise OutputError(error.what, where=error.where, hint=hint) from error


def _of_other_papers(subjects: Sequence[PaperSubject], papers: Sequence[StressPaper]) -> Iterator[str]:
    """Yield of each paper none of whose true tables is in its reading that the truth may be that of another."""
    files = {paper.key: paper.truth for paper in papers}
    for subject in subjects:
        tables, file = _vouched_for(subject.truth), files[subject.key]
        if tables and file is not None and not is_truth_of(tables, subject.document):
            yield f"warning: {subject.key}: no table of {file.name} was read in it: is it the truth of another paper?"


def _refuse_nothing(keep: Keep) -> None:
    """Return None where something was read, or broke; raises DamagedInputError where no file could be read."""
    rows = list(keep.papers().values())
    if all(row.status == "unreadable" for row in rows):
        names = ", ".join(f"{row.key} ({row.reason})" for row in rows[:_SHOWN])
        what = f"no paper of the test can be read: {names}"
        raise DamagedInputError(what, where=str(keep.folder), hint="PDFs that are not damaged and not encrypted")


class _Clock:
    """The seconds of the stages, by the names of their columns."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, column: str) -> Iterator[None]:
        start = time.monotonic()
        yield
        self.seconds[column] = time.monotonic() - start


def _vouched_for(truth: PaperTruth | None) -> tuple[TruthTable, ...]:
    """Return the tables of a truth, those left out of which it says itself that they may be wrong."""
    return () if truth is None else tuple(table for table in truth.tables if table.table_id not in truth.unverified)


def _prune(keep: Keep, papers: Sequence[StressPaper], *, prune: bool) -> None:
    """Return None once the folder holds no paper that is not asked for; raises UsageError where it would lose one unasked."""
    wanted = {paper.key for paper in papers}
    others = [key for key in keep.papers() if key not in wanted]
    if others and not prune:
        names = ", ".join(others[:_SHOWN]) + (f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else "")
        what = f"holds papers that are not asked for: {names}"
        raise UsageError(what, where=str(keep.folder), hint="another folder with -o, or --prune to take them out")
    for key in others:
        keep.remove_paper(key)


def _about(run_id: int, corpus: str, digest: str, options: StressOptions, config: str) -> dict[str, object]:
    return {
        "run_id": run_id,
        "corpus": corpus,
        "config": config,
        "config_digest": digest,
        "jobs": options.jobs,
    }


def _subjects(keep: Keep, truths: Mapping[str, PaperTruth | None]) -> tuple[PaperSubject, ...]:
    """Return the papers that were read, from their stored documents, in the order of their keys."""
    documents = ((row, keep.document(row)) for row in keep.papers().values() if row.status == "read")
    return tuple(
        PaperSubject(key=row.key, short_name=row.short_name, document=document, truth=truths[row.key])
        for row, document in documents
        if document is not None
    )


def _index(setting: Setting, papers: Sequence[StressPaper], subjects: Sequence[PaperSubject]) -> DocumentIndex:
    """Return what is in the index of the papers, made anew; their chunks are in the database then."""
    place = setting.keep.folder / INDEX
    for name in (INDEX, f"{INDEX}-wal", f"{INDEX}-shm"):
        try:
            (setting.keep.folder / name).unlink(missing_ok=True)
        except OSError as error:
            what = f"cannot be made anew ({error.strerror})"
            raise OutputError(what, where=str(place), hint="another folder with -o") from error
    by_key = {paper.key: paper for paper in papers}
    indexed = index_documents(
        place,
        [IndexedPaper(item=item_of(by_key[s.key], s.document), document=s.document, path=by_key[s.key].pdf) for s in subjects],
        config=setting.config,
        model=setting.options.model,
        kept=setting.keep.folder / VECTORS,
        progress=lambda done, total: setting.tell(Stage(name="making vectors", done=done, total=total)),
    )
    setting.keep.put_chunks(zip((s.document for s in subjects), indexed.chunks, strict=True))
    return indexed


def _judge(setting: Setting, subjects: Sequence[PaperSubject], kinds: Sequence[Kind]) -> Judgement:
    unread = [row for row in setting.keep.papers().values() if row.status in ("crash", "unreadable")]
    model = None if setting.options.model is None else setting.options.model.folder

    def tell(done: int, total: int, what: str) -> None:
        setting.tell(Stage(name="judging", done=done, total=total, what=what))

    with open_searcher(setting.keep.folder / INDEX, model=model) as searcher:
        return judge(subjects, unread, LibrarySubject(papers=subjects, searcher=searcher), kinds, tell)
