"""The first stage of a stress test: each paper is read, or what an earlier run made of it is used again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from variorum.document.keys import file_sha256
from variorum.document.voices import counted
from variorum.execution import WorkerLost, run
from variorum.stress.corpus import StressPaper
from variorum.stress.identity import config_digest
from variorum.stress.keeping import PaperRow
from variorum.stress.options import Setting, Stage
from variorum.stress.reading import NotRead, PaperRead, apart, lost, read_evidence

NAME: Final = "reading papers"


def read_papers(setting: Setting, papers: Sequence[StressPaper]) -> tuple[str, ...]:
    """Return sentences on papers that were left out, once each paper has its row, and all that was read of it.

    Raises OutputError when something cannot be kept.
    """
    keep = setting.keep
    waiting, notices = [], []
    for paper, row, is_due in _rows(setting, papers):
        if is_due:
            waiting.append((paper, row))
        elif row.status == "read":
            keep.keep_paper(row)
        else:
            keep.put_paper(row)
        if row.status == "duplicate":
            notices.append(f"{paper.key} was left out: it is {row.reason}")
    _say_why_anew(setting, keep.papers(), [row for _, row in waiting])
    reused, total = len(papers) - len(waiting), len(papers)
    done = reused

    def each(i: int, result: PaperRead | NotRead | WorkerLost) -> None:
        nonlocal done
        done += 1
        paper, row = waiting[i]
        _put(setting, row, lost(result) if isinstance(result, WorkerLost) else result)
        setting.tell(Stage(name=NAME, done=done, total=total, what=paper.key, reused=reused))

    setting.tell(Stage(name=NAME, done=done, total=total, reused=reused))
    run(
        read_evidence,
        [setting.task(paper, row.sha256 or "", setting.config) for paper, row in waiting],
        jobs=setting.options.jobs,
        isolated=True,
        limit_s=setting.options.seconds,
        without=apart,
        each=each,
    )
    return tuple(notices)


def _say_why_anew(setting: Setting, known: Mapping[str, PaperRow], due: Sequence[PaperRow]) -> None:
    """Say of the papers that an earlier run had read and that are due all the same, why they are: a sentence a reason."""
    old = [(known[row.key], row) for row in due if row.key in known and known[row.key].status == "read"]
    reasons = Counter(before.change_to(row) or "what was kept is damaged" for before, row in old)
    for reason, count in sorted(reasons.items()):
        setting.say(f"{counted(count, 'paper')} read anew: {reason}")


def _put(setting: Setting, row: PaperRow, result: PaperRead | NotRead) -> None:
    if isinstance(result, PaperRead):
        path = setting.keep.put_document(row.key, result.document)
        row = replace(row, item_key=result.rows.item_key, document_path=path, num_pages=result.page_count)
        row = replace(row, num_true_tables=result.rows.truth_count)
    else:
        row = replace(row, status=result.status, reason=result.reason, traceback=result.traceback or None)
    if result.cost is not None:
        row = replace(row, cpu_seconds=result.cost.cpu_seconds, wall_seconds=result.cost.wall_seconds)
    setting.keep.put_paper(row, result.rows if isinstance(result, PaperRead) else None)


def _rows(setting: Setting, papers: Sequence[StressPaper]) -> Iterator[tuple[StressPaper, PaperRow, bool]]:
    """Yield each paper with the row that it has or, when it is due to be read, will have."""
    known = setting.keep.papers()
    first_of: dict[str, str] = {}
    for paper in papers:
        row = _new_row(setting, paper)
        try:
            sha256 = file_sha256(paper.pdf)
        except OSError as error:
            yield paper, replace(row, status="unreadable", reason=f"cannot be read ({error.strerror or error})"), False
            continue
        row = replace(row, sha256=sha256)
        first = first_of.setdefault(sha256, paper.key)
        if first != paper.key:
            yield paper, replace(row, status="duplicate", reason=f"the same file as {first}"), False
            continue
        old = known.get(paper.key)
        if old is not None and old.is_reading_of(row) and setting.keep.is_whole(old):
            kept = replace(old, short_name=row.short_name, pdf_path=row.pdf_path, truth_path=row.truth_path)
            yield paper, kept, False
        else:
            yield paper, row, True


def _new_row(setting: Setting, paper: StressPaper) -> PaperRow:
    return PaperRow(
        key=paper.key,
        run_id=setting.run_id,
        short_name=paper.short_name,
        status="read",
        pdf_path=str(paper.pdf.absolute()),
        truth_path=None if paper.truth is None else str(paper.truth.absolute()),
        **setting.marks(paper, config_digest(setting.config))._asdict(),
    )
