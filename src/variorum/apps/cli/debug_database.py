"""``--debug-db`` of ``variorum extract``: one run that writes paper after paper into the debug database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.apps.cli.console import complain
from variorum.errors import DamagedInputError

if TYPE_CHECKING:
    import sqlite3

    from variorum.evaluation.truth_table import TruthTable
    from variorum.extraction import PaperEvidence


class DebugRun:
    """A run that is open: `add` writes a paper."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        run_id: int,
        truths: Sequence[TruthTable],
        truth_name: str,
        short_names: Mapping[Path, str],
    ) -> None:
        self._connection, self._run_id, self._short_names = connection, run_id, short_names
        self._truths, self._truth_name = truths, truth_name

    def add(self, path: Path, evidence: PaperEvidence, pictures: Mapping[str, str]) -> None:
        """Return None once the paper and its comparison with its truth are in the database; raises OutputError.

        `pictures` are the files that were written of its figures, by the figures' ids.
        """
        from variorum.evaluation.debug_db import write_paper
        from variorum.evaluation.pairing import is_truth_of, truth_of_paper, truths_read

        full = path.absolute()
        truths = truth_of_paper(self._truths, evidence.document.key, full.stem, full.parent.name)
        readable = truths_read(truths, evidence.document)
        if self._truths and not truths:
            complain(f"warning: {path}: no table of {self._truth_name} is of this paper")
        elif truths and not readable:
            complain(f"warning: {path}: no table of {self._truth_name} is on the pages that were read: nothing was compared")
        elif truths and not is_truth_of(readable, evidence.document):
            missed = f"no table of {self._truth_name} was found in it; is this the truth of this paper?"
            complain(f"warning: {path}: {missed}")
        short_name = self._short_names.get(path, full.stem)
        write_paper(self._connection, evidence, run_id=self._run_id, truths=truths, short_name=short_name, pictures=pictures)


@contextmanager
def debug_run(database: Path | None, truth: Path | None, papers: Sequence[Path]) -> Iterator[DebugRun | None]:
    """Yield an open run for the papers, None without a database.

    Raises OutputError, the errors of `load_truth`, and DamagedInputError for a truth without tables, before anything is read.
    """
    if database is None:
        yield None
        return
    from variorum.evaluation.debug_db import begin_run, finish_run, open_debug_db
    from variorum.evaluation.truth_files import load_truth

    truths = () if truth is None else load_truth(truth)
    if truth is not None and not truths:
        hint = "a file with tables, or without --truth"
        raise DamagedInputError("holds no true table: there is nothing to compare with", where=str(truth), hint=hint)
    connection = open_debug_db(database)
    try:
        run_id = begin_run(connection, "variorum extract")
        yield DebugRun(connection, run_id, truths, str(truth), short_names(papers))
        finish_run(connection, run_id)
    finally:
        connection.close()


def short_names(papers: Sequence[Path]) -> dict[Path, str]:
    """Return what each paper is called: its file's name without ending, where several share it with their folder's in front."""
    stems = Counter(path.stem for path in papers)
    return {p: p.stem if stems[p.stem] == 1 else f"{p.absolute().parent.name}/{p.stem}" for p in papers}
