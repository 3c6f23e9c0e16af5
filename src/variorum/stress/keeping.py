"""What a stress test keeps: its tables of the debug database and the documents beside it, and what of them can be used again.

Every paper and every reading of a variant is one transaction, so that a test that is cut off loses what was in flight alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from variorum.document import Document
from variorum.document.export_markdown import markdown_pieces
from variorum.document.writing import write_whole
from variorum.errors import OutputError, VariorumError
from variorum.evaluation.debug_db import PaperRows, insert_rows, put_paper_rows, writing
from variorum.search.locks import exclusive_lock
from variorum.search.model import Chunk
from variorum.stress.identity import Marks
from variorum.stress.model import Assertion, Kind

DATABASE: Final = "debug.db"
PAPERS: Final = "papers"
DOCUMENT: Final = "document.json"
INDEX: Final = "index.sqlite"
VECTORS: Final = "vectors.sqlite"
SUMMARY: Final = "stress_summary.json"
_LOCK: Final = f"{DATABASE}.lock"

_RESULT_COLUMNS: Final = (
    "table_id",
    "truth_id",
    "score_pct",
    "cell_accuracy_pct",
    "cells_right",
    "cells_total",
    "is_perfect",
    "is_missed",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRow:
    """A row of `stress_papers`: what became of a paper of the test. Columns as documented in ``docs/debug-database.md``."""

    key: str
    run_id: int
    short_name: str
    status: str
    pdf_path: str
    software: str
    config_digest: str
    truth_digest: str
    reason: str = ""
    item_key: str | None = None
    traceback: str | None = None
    truth_path: str | None = None
    document_path: str | None = None
    sha256: str | None = None
    num_pages: int | None = None
    num_true_tables: int | None = None
    cpu_seconds: float | None = None
    wall_seconds: float | None = None

    def is_reading_of(self, new: PaperRow) -> bool:
        """Return whether what was read is what the new row would be: file, code, configuration and truth are the same."""
        return self.status == new.status and not self.change_to(new)

    def change_to(self, new: PaperRow) -> str:
        """Return what of the two differs, so that what was read cannot be used again; empty where nothing does."""
        if self.sha256 != new.sha256:
            return "the file has changed"
        if self.software != new.software:
            return f"the code that reads papers has changed, from {self.software} to {new.software}"
        if self.config_digest != new.config_digest:
            return "the configuration has changed"
        return "the truth has changed" if self.truth_digest != new.truth_digest else ""

    def as_row(self) -> dict[str, object]:
        """Return the columns with their values."""
        return {name: getattr(self, name) for name in _PAPER_COLUMNS}


_PAPER_COLUMNS: Final = tuple(field.name for field in fields(PaperRow))


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the folder of a stress test, which is made where there is none, while the block writes into it.

    Raises OutputError when it cannot be made or written, and when another process holds it.
    """
    hint = "another folder with -o"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        is_file = isinstance(error, FileExistsError)
        what = "is a file, not a folder" if is_file else f"no folder can be made here ({error.strerror or error})"
        raise OutputError(what, where=str(folder), hint=hint) from error
    busy = "another stress test is writing into this folder"
    lock = exclusive_lock(
        folder / _LOCK, where=folder, busy=busy, busy_hint=f"wait until it is done, or {hint}", place_hint=hint
    )
    with closing(lock):
        yield


class Keep:
    """The folder of a stress test: an open debug database, and the documents that were read."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self.connection = connection

    # ---- papers -----------------------------------------------------------------------------------------------------

    def papers(self) -> dict[str, PaperRow]:
        """Return the papers of the last test by their keys, in the order of the keys."""
        rows = self.connection.execute(f"SELECT {', '.join(_PAPER_COLUMNS)} FROM stress_papers ORDER BY key").fetchall()
        return {row[0]: PaperRow(**dict(zip(_PAPER_COLUMNS, row, strict=True))) for row in rows}

    def is_whole(self, row: PaperRow) -> bool:
        """Return whether the rows of a paper that was read are all there, and its document."""
        found = self.connection.execute("SELECT sha256 FROM papers WHERE item_key = ?", (row.item_key,)).fetchone()
        return found is not None and found[0] == row.sha256 and self.document(row) is not None

    def document(self, row: PaperRow) -> Document | None:
        """Return the stored document of a paper; None where there is none, or none that can be read."""
        if row.document_path is None:
            return None
        try:
            return Document.from_json((self.folder / row.document_path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, VariorumError):
            return None

    def put_document(self, key: str, data: bytes) -> str:
        """Return the path of a paper's stored document, relative to the folder, once it holds the data.

        Raises OutputError when it cannot be written.
        """
        place = Path(PAPERS, *key.split("/"), DOCUMENT)
        try:
            (self.folder / place).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            what = f"no folder can be made here ({error.strerror})"
            raise OutputError(what, where=str((self.folder / place).parent), hint="another folder with -o") from error
        write_whole(self.folder / place, data, hint="another folder with -o")
        return place.as_posix()

    def put_paper(self, row: PaperRow, rows: PaperRows | None = None) -> None:
        """Return None once it is kept what became of a paper, with all rows of its reading, in one transaction."""
        with writing(self.connection):
            self._remove(row.key)
            if rows is not None:
                put_paper_rows(self.connection, rows, run_id=row.run_id)
            insert_rows(self.connection, [("stress_papers", row.as_row())])

    def keep_paper(self, row: PaperRow) -> None:
        """Return None once a paper whose reading is used again is among those of this test, as the row says."""
        with writing(self.connection):
            self.connection.execute("DELETE FROM stress_papers WHERE key = ?", (row.key,))
            insert_rows(self.connection, [("stress_papers", row.as_row())])
            self.connection.execute("UPDATE papers SET short_name = ? WHERE item_key = ?", (row.short_name, row.item_key))

    def remove_paper(self, key: str) -> None:
        """Return None once nothing of a paper is kept."""
        row = self.papers().get(key)
        with writing(self.connection):
            self._remove(key)
        if row is not None and row.document_path is not None:
            place = (self.folder / row.document_path).parent
            with suppress(OSError):
                (place / DOCUMENT).unlink()
                place.rmdir()

    def _remove(self, key: str) -> None:
        old = "SELECT item_key FROM stress_papers WHERE key = ?"
        self.connection.execute(f"DELETE FROM papers WHERE item_key = ({old})", (key,))
        self.connection.execute("DELETE FROM stress_papers WHERE key = ?", (key,))

    # ---- chunks -----------------------------------------------------------------------------------------------------

    def put_chunks(self, papers: Iterable[tuple[Document, Sequence[Chunk]]]) -> None:
        """Return None once the chunks of these papers, and no others, are in the database."""
        with writing(self.connection):
            self.connection.execute("DELETE FROM chunks")
            self.connection.execute("UPDATE papers SET num_chunks = NULL")
            for document, chunks in papers:
                insert_rows(self.connection, (("chunks", row) for row in _chunk_rows(document, chunks)))
                values = (len(chunks), document.key)
                self.connection.execute("UPDATE papers SET num_chunks = ? WHERE item_key = ?", values)

    # ---- variants ---------------------------------------------------------------------------------------------------

    def variants(self) -> dict[tuple[str, str | None], Marks]:
        """Return by what each reading that succeeded is known again, by configuration and paper."""
        columns = ", ".join(("config", "item_key", *Marks._fields))
        rows = self.connection.execute(f"SELECT {columns} FROM variant_runs WHERE status = 'read'")
        return {(config, item): Marks(*marks) for config, item, *marks in rows}

    def put_variant(self, run: Mapping[str, object], results: Sequence[Mapping[str, object]]) -> None:
        """Return None once a reading by one of the named configurations is kept, in one transaction."""
        name = {"config": run["config"], "item_key": run["item_key"]}
        with writing(self.connection):
            for table in ("variant_results", "variant_runs"):
                self.connection.execute(f"DELETE FROM {table} WHERE config = :config AND item_key = :item_key", name)
            insert_rows(self.connection, [("variant_runs", run), *(("variant_results", {**name, **row}) for row in results)])

    def own_results(self, item_key: str | None) -> tuple[dict[str, object], ...]:
        """Return how the test's own configuration read the true tables of a paper, as rows of `variant_results`."""
        sql = f"SELECT {', '.join(_RESULT_COLUMNS)} FROM ground_truth_diffs WHERE item_key = ? ORDER BY table_id"
        return tuple(dict(zip(_RESULT_COLUMNS, row, strict=True)) for row in self.connection.execute(sql, (item_key,)))

    # ---- assertions -------------------------------------------------------------------------------------------------

    def put_assertions(
        self, run_id: int, kinds: Sequence[Kind], assertions: Sequence[Assertion], tracebacks: Mapping[int, str]
    ) -> None:
        """Return None once the assertions, and no others, are kept; `tracebacks` are those of broken ones by their places."""
        item_keys = {key: row.item_key for key, row in self.papers().items()}
        tables = {table_id for (table_id,) in self.connection.execute("SELECT table_id FROM extracted_tables")}
        with writing(self.connection):
            self.connection.execute("DELETE FROM test_results")
            self.connection.execute("DELETE FROM test_kinds")
            for position, kind in enumerate(kinds):
                row = {"kind": kind.name, "position": position, "severity": kind.severity, "scope": kind.scope}
                insert_rows(self.connection, [("test_kinds", {**row, "asserts": kind.asserts})])
            for place, assertion in enumerate(assertions):
                row = {
                    "test_name": f"{assertion.kind}: {assertion.name}",
                    "paper": assertion.paper,
                    "passed": assertion.passed,
                    "detail": assertion.detail,
                    "severity": str(assertion.severity),
                    "run_id": run_id,
                    "kind": assertion.kind,
                    "item_key": item_keys.get(assertion.paper),
                    "page": assertion.page,
                    "component": assertion.component,
                    "table_id": assertion.component if assertion.component in tables else None,
                    "traceback": tracebacks.get(place),
                }
                insert_rows(self.connection, [("test_results", row)])

    # ---- the run ----------------------------------------------------------------------------------------------------

    def begin(self, row: Mapping[str, object]) -> None:
        """Return None once the row of `stress_runs` is kept, and the assertions of the run before are gone."""
        self.put_assertions(0, (), (), {})
        self.put_run(row)

    def put_run(self, row: Mapping[str, object]) -> None:
        """Return None once the row of `stress_runs` is kept, in place of one of the same run."""
        with writing(self.connection):
            self.connection.execute("DELETE FROM stress_runs WHERE run_id = ?", (row["run_id"],))
            insert_rows(self.connection, [("stress_runs", row)])


def _chunk_rows(document: Document, chunks: Sequence[Chunk]) -> Iterable[dict[str, object]]:
    """Yield a row a chunk; its place in the paper's Markdown is from its first component to the end of its last."""
    places: dict[str, tuple[int, int]] = {}
    at = 0
    for i, piece in enumerate(markdown_pieces(document)):
        at += len(piece.joint) * (i > 0)
        places.setdefault(piece.id, (at, at + len(piece.text)))
        at += len(piece.text)
    for index, chunk in enumerate(chunks):
        own = [places[name] for name in (chunk.target or "", *(span.component for span in chunk.spans)) if name in places]
        yield {
            "item_key": document.key,
            "chunk_index": index,
            "section": chunk.section,
            "page_num": chunk.page_num,
            "text": chunk.text,
            "char_start": min(start for start, _ in own) if own else None,
            "char_end": max(end for _, end in own) if own else None,
        }
