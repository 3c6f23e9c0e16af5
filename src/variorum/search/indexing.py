"""Bringing an index to where its library is: what is new or changed is read, what is gone is taken out, the rest is left alone.

A run goes in steps, each of which may be cut off at any moment; the next run goes on from there:

1. items: what is no longer in the library is taken out; metadata are written, and what is to be read is decided, item by item;
2. papers: PDFs are read in worker processes, and each is written in a transaction of its own as soon as it is read;
3. vectors: made for all chunks that have none, document by document. Searches by words find the papers meanwhile.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from variorum.document import Document, Provenance, TextComponent
from variorum.execution import WorkerLost, run
from variorum.libraries.model import Library, LibraryItem
from variorum.page.ocr import OcrOptions
from variorum.search.chunking import MAX_TOKENS
from variorum.search.contents import (
    Prepared,
    document_of,
    prepare,
    put_document,
    put_parts,
    remove_all_chunks,
    remove_damaged,
    sweep,
    unpacked,
)
from variorum.search.embeddings import OnnxEmbedder
from variorum.search.holdings import PaperState, put_item, put_paper, record_text, remove_items, remove_papers
from variorum.search.index_report import IndexReport, PaperOutcome, Progress
from variorum.search.manifest import Manifest, refuse_other_model, refuse_other_reading, refuse_other_rules
from variorum.search.model_files import ModelFiles
from variorum.search.paper_reading import ReadTask, Unread, read_paper, tokenizer_of
from variorum.search.planning import Copy, Plan, Wishes, plan_item
from variorum.search.store import IndexFile, open_writer
from variorum.search.tokens import EstimatedTokens, Tokenizer
from variorum.search.vector_making import make_vectors, pending_vectors
from variorum.tables.config import NAMED_CONFIGS, PipelineConfig, load_config

_DIGITS_SHOWN: Final = 12
_RECORD_SOURCE: Final = "library"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexOptions:
    """How a run goes.

    `config` is how papers are read; an index keeps to the one it was begun with. `model` is the folder of the model of the
    vectors, None to go without. `limit` are PDFs to read at most; `force` reads all again, `retry` what failed before;
    `rebuild` makes chunks and vectors anew from the documents that the index keeps; a damaged one is read again. A paper that
    takes more than `seconds`, or a process that needs more than `memory_mb`, is given up. `jobs` are worker processes, and
    threads for the vectors.
    """

    config: str | PipelineConfig = "default"
    ocr: OcrOptions | None = None
    model: ModelFiles | None = None
    jobs: int = 1
    limit: int | None = None
    force: bool = False
    retry: bool = False
    rebuild: bool = False
    seconds: float = 1800.0
    memory_mb: int = 4096


def index_library(
    path: Path,
    library: Library,
    *,
    source: str,
    items: Sequence[LibraryItem] | None = None,
    options: IndexOptions | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> IndexReport:
    """Return what was done to bring the index at the path to where the library is.

    `source` names where the library comes from (its folder); an index may hold several, and a run takes out only what is gone
    from its own. `items` are those that are asked for, None for all that are not in the trash. Raises errors of the family:
    another process writes the index, it was made by another configuration, model or version, it cannot be written.
    """
    options = options or IndexOptions()
    config = load_config(options.config) if isinstance(options.config, str) else options.config
    job = _Job(path, library, source, items, options, config, progress)
    with open_writer(path, job.new_manifest()) as index:
        return job.run(index)


def reading_name(config: str | PipelineConfig) -> str:
    """Return what an index calls a configuration: its name, if it has one, and the beginning of its SHA-256."""
    loaded = load_config(config) if isinstance(config, str) else config
    text = json.dumps(loaded.to_dict(), sort_keys=True)
    name = config if isinstance(config, str) and config.isidentifier() else "custom"
    return f"{name}@{hashlib.sha256(text.encode()).hexdigest()[:_DIGITS_SHOWN]}"


def named_reading(reading: str) -> str | None:
    """Return the configuration that an index calls so, where it is one of the named ones and still the same; else None."""
    name = reading.partition("@")[0]
    return name if name in NAMED_CONFIGS and reading_name(name) == reading else None


@dataclass(slots=True)
class _Job:
    path: Path
    whole: Library
    source: str
    items: Sequence[LibraryItem] | None
    options: IndexOptions
    config: PipelineConfig
    progress: Callable[[Progress], None] | None
    _removed: int = field(default=0, init=False)
    _counted_by: Path | None = field(default=None, init=False)
    _embedder: OnnxEmbedder | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.options.model is not None:
            self._counted_by = self.options.model.folder
            self._embedder = OnnxEmbedder(self.options.model, threads=self.options.jobs)

    def new_manifest(self) -> Manifest:
        return Manifest(
            reading=reading_name(self.options.config),
            tokenizer=tokenizer_of(self._counted_by).name,
            max_tokens=MAX_TOKENS,
        )

    def run(self, index: IndexFile) -> IndexReport:
        self._refuse_or_rebuild(index)
        if index.manifest().tokenizer == EstimatedTokens.name:
            self._counted_by = None  # an index keeps to the measure that it was begun with, until it is rebuilt
        plan = self._items(index)
        self._papers(index, plan)
        self._chunks(index)
        with index.transaction() as connection:
            sweep(connection)
        made = self._vectors(index)
        waiting = pending_vectors(index)
        notices = () if self.options.model is not None else ("no model for vectors: searches go by words alone",)
        return IndexReport(
            papers=(*plan.outcomes, *self._left_out()), removed=self._removed, vectors=made, waiting=waiting, notices=notices
        )

    def _left_out(self) -> tuple[PaperOutcome, ...]:
        """Return what the library itself left out, as skipped; nothing where the user asked for some of its items."""
        if self.items is not None:
            return ()
        return tuple(
            PaperOutcome(item=f"{s.in_library}/{s.key}", attachment="", title="", outcome="skipped", reason=s.reason)
            for s in self.whole.skipped
        )

    def _tokenizer(self) -> Tokenizer:
        return tokenizer_of(self._counted_by)

    def _refuse_or_rebuild(self, index: IndexFile) -> None:
        manifest, new = index.manifest(), self.new_manifest()
        refuse_other_reading(manifest, new.reading, str(self.path))
        if self.options.rebuild:
            with index.transaction() as connection:
                remove_all_chunks(connection)
                remove_damaged(connection)
                index.write_manifest(new)
            return
        refuse_other_rules(manifest, str(self.path))
        if self._embedder is not None:
            identity = self._embedder.identity
            refuse_other_model(manifest, identity.id, identity.dimension, str(self.path))

    def _items(self, index: IndexFile) -> Plan:
        """Return the plan for the papers, once the items are as the library has them; each is written by itself."""
        wanted = self.whole.active if self.items is None else tuple(item for item in self.items if not item.in_trash)
        options = self.options
        plan = Plan(Wishes(force=options.force, retry=options.retry, ocr=options.ocr is not None, limit=options.limit))
        with index.transaction() as connection:
            kept = {(item.in_library.id, item.key) for item in self.whole.active}
            self._removed += remove_items(connection, self.source, kept)
        for done, item in enumerate(wanted):
            self._tell(Progress("items", done, len(wanted), item.plain_title))
            with index.transaction() as connection:
                item_id, _ = put_item(connection, self.source, item)
                self._removed += remove_papers(connection, item_id, {pdf.key for pdf in item.pdfs})
                self._record(connection, item_id, item)
                plan_item(connection, plan, item_id, item)
        with index.transaction() as connection:
            sweep(connection)
        return plan

    def _record(self, connection: sqlite3.Connection, item_id: int, item: LibraryItem) -> None:
        """Return None once what the library says of an item can be found."""
        document = record_document(item)
        (known,) = connection.execute(
            "SELECT d.sha256 FROM items i LEFT JOIN documents d ON d.id = i.record_id WHERE i.id = ?", (item_id,)
        ).fetchone()
        if known == (None if document is None else document.sha256):
            return
        record_id = None if document is None else document_of(connection, document.sha256, "record")
        if document is not None and record_id is None:
            record_id = put_document(connection, document.sha256, prepare(document, self._tokenizer(), "record"), "record")
        connection.execute("UPDATE items SET record_id = ? WHERE id = ?", (record_id, item_id))

    def _papers(self, index: IndexFile, plan: Plan) -> None:
        """Return None once every PDF of the plan is read and written, or its failure is."""
        contents = list(plan.to_read)
        tasks = [
            ReadTask(
                path=plan.to_read[sha256][0].path,
                sha256=sha256,
                config=self.config,
                ocr=self.options.ocr,
                model=self._counted_by,
                memory_mb=self.options.memory_mb,
            )
            for sha256 in contents
        ]
        done = 0

        def each(i: int, result: Prepared | Unread | WorkerLost) -> None:
            nonlocal done
            done += 1
            copies = plan.to_read[contents[i]]
            self._settle(index, plan, contents[i], copies, result)
            self._tell(Progress("papers", done, len(tasks), plan.outcomes[copies[0].place].title))

        self._tell(Progress("papers", 0, len(tasks)))
        run(
            read_paper,
            tasks,
            jobs=self.options.jobs,
            isolated=True,
            limit_s=self.options.seconds,
            without=_apart,
            each=each,
        )

    def _settle(
        self, index: IndexFile, plan: Plan, sha256: str, copies: Sequence[Copy], result: Prepared | Unread | WorkerLost
    ) -> None:
        """Return None once what came of reading a PDF is written, for every item that has it."""
        if isinstance(result, WorkerLost):
            result = Unread("failed", str(result) if result.is_timeout else f"{result} ({result.how})")
        with index.transaction() as connection:
            document_id = put_document(connection, sha256, result) if isinstance(result, Prepared) else None
            state: PaperState = "indexed" if isinstance(result, Prepared) else result.state
            reason = "" if isinstance(result, Prepared) else result.reason
            for copy in copies:
                put_paper(connection, copy.item_id, copy.attachment, copy.path, copy.stat, sha256, state, reason, document_id)
        for copy in copies:
            plan.settle(copy.place, state, reason)

    def _chunks(self, index: IndexFile) -> None:
        """Return None once documents whose chunks were removed have them again."""
        rows = index.connection.execute("SELECT id, kind FROM documents WHERE is_chunked = 0 ORDER BY kind, sha256").fetchall()
        for document_id, kind in rows:
            (data,) = index.connection.execute("SELECT json FROM documents WHERE id = ?", (document_id,)).fetchone()
            prepared = prepare(unpacked(data), self._tokenizer(), kind)
            with index.transaction() as connection:
                put_parts(connection, document_id, prepared)

    def _vectors(self, index: IndexFile) -> int:
        total = pending_vectors(index)
        if self._embedder is None or not total:
            return 0
        self._tell(Progress("vectors", 0, total))
        return make_vectors(index, self._embedder, lambda done: self._tell(Progress("vectors", done, total)))

    def _tell(self, progress: Progress) -> None:
        if self.progress is not None and progress.total:
            self.progress(progress)


def record_document(item: LibraryItem) -> Document | None:
    """Return what a library says of an item as a document, a paragraph a line; None where it says nothing."""
    text = record_text(item)
    origin = Provenance(source=_RECORD_SOURCE, method=_RECORD_SOURCE)
    components = tuple(
        TextComponent(id=f"line-{i}", kind="paragraph", text=line, provenance=origin)
        for i, line in enumerate(text.split("\n"), start=1)
    )
    digest = hashlib.sha256(text.encode()).hexdigest()
    name = item.plain_title
    return Document(key="", source_name=name, sha256=digest, page_count=0, pages=(), components=components) if text else None


def _apart(task: ReadTask, loss: WorkerLost) -> ReadTask | None:
    """Return how a paper is read again whose process died or took too long: each method where it can be stopped alone."""
    return None if task.isolated else replace(task, isolated=True)
