"""What there is to do for each PDF of a library: read it, nothing, or say why not. Decided by content, not by time."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field, replace
from pathlib import Path

from variorum.document.keys import file_sha256
from variorum.libraries.model import Attachment, LibraryItem
from variorum.search.contents import document_of
from variorum.search.holdings import StoredPaper, papers_of, put_paper
from variorum.search.index_report import Outcome, PaperOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A PDF of an item whose content has to be read, and where the outcome of that goes."""

    item_id: int
    attachment: str
    path: Path
    stat: tuple[int, int]
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What is read again although it is known: everything (`force`), what failed (`retry`), what had no text (`ocr`).

    `limit` are contents to read at most.
    """

    force: bool = False
    retry: bool = False
    ocr: bool = False
    limit: int | None = None


@dataclass(slots=True)
class Plan:
    """What was decided: the outcomes in the order of the library, and the PDFs to read by their content.

    An outcome that is not known before its PDF is read stands as a failure without a reason.
    """

    wishes: Wishes
    outcomes: list[PaperOutcome] = field(default_factory=list)
    to_read: dict[str, list[Copy]] = field(default_factory=dict)

    def add(self, item: LibraryItem, attachment: str, outcome: Outcome, reason: str) -> int:
        """Return the place of a new outcome."""
        self.outcomes.append(
            PaperOutcome(item=str(item.ref), attachment=attachment, title=item.name, outcome=outcome, reason=reason)
        )
        return len(self.outcomes) - 1

    def settle(self, place: int, outcome: Outcome, reason: str = "") -> None:
        """Return None; the outcome of a paper is known now."""
        self.outcomes[place] = replace(self.outcomes[place], outcome=outcome, reason=reason)


def plan_item(connection: sqlite3.Connection, plan: Plan, item_id: int, item: LibraryItem) -> None:
    """Return None once the plan has the PDFs of an item, by its id in the index, inside the caller's transaction.

    A PDF whose size and time are those of the last run is not opened. One that was moved, renamed or touched is known by its
    content, and its place is written anew. Content that another item's PDF has already is not read twice.
    """
    known = papers_of(connection, item_id)
    if not item.pdfs:
        plan.add(item, "", "skipped", "no PDF")
    for attachment in item.pdfs:
        _plan_one(connection, plan, item, item_id, attachment, known.get(attachment.key))


def _plan_one(
    connection: sqlite3.Connection,
    plan: Plan,
    item: LibraryItem,
    item_id: int,
    attachment: Attachment,
    known: StoredPaper | None,
) -> None:
    wishes, path = plan.wishes, attachment.path
    if path is None:
        why = attachment.problem.reason if attachment.problem is not None else "no file"
        if known is None or (known.state != "indexed" and known.reason != why):
            put_paper(connection, item_id, attachment.key, "", (0, 0), "", "skipped", why)
        plan.add(item, attachment.key, "skipped", why + _still_found(known))
        return
    try:
        seen = path.stat()
        stat = (seen.st_size, seen.st_mtime_ns)
        is_as_before = known is not None and (known.path, known.size, known.mtime_ns) == (str(path), *stat)
        sha256 = known.sha256 if known is not None and is_as_before else file_sha256(path)
    except OSError as error:
        plan.add(item, attachment.key, "failed", f"cannot be read ({error.strerror or error}){_still_found(known)}")
        return
    if known is not None and known.sha256 == sha256 and not _is_wanted_again(known, wishes):
        if not is_as_before:
            put_paper(connection, item_id, attachment.key, path, stat, sha256, known.state, known.reason, known.document_id)
        plan.add(item, attachment.key, "unchanged" if known.state == "indexed" else known.state, known.reason)
        return
    document_id = None if wishes.force else document_of(connection, sha256)
    if document_id is not None:
        put_paper(connection, item_id, attachment.key, path, stat, sha256, "indexed", "", document_id)
        plan.add(item, attachment.key, "indexed", "the content is known already")
        return
    if wishes.limit is not None and sha256 not in plan.to_read and len(plan.to_read) >= wishes.limit:
        plan.add(item, attachment.key, "skipped", f"left for a later run (--limit {wishes.limit}){_still_found(known)}")
        return
    place = plan.add(item, attachment.key, "failed", "")
    copy = Copy(item_id=item_id, attachment=attachment.key, path=path, stat=stat, place=place)
    plan.to_read.setdefault(sha256, []).append(copy)


def _is_wanted_again(known: StoredPaper, wishes: Wishes) -> bool:
    return (
        wishes.force
        or (wishes.retry and known.state == "failed")
        or ((wishes.retry or wishes.ocr) and known.state == "skipped")
    )


def _still_found(known: StoredPaper | None) -> str:
    return "; what was read of it before can still be found" if known is not None and known.state == "indexed" else ""
