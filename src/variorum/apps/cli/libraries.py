"""``variorum library``: what a Zotero library or a folder of PDFs holds, and whether its PDFs can be read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from variorum.apps.chosen_library import LibraryPlace, read_library
from variorum.apps.cli.console import complain, emit, emit_json, printable, progress_bar
from variorum.errors import PartialFailureError, UsageError

if TYPE_CHECKING:
    from variorum.libraries import Attachment, CheckReport, Duplicates, FileCheck, Library, LibraryItem, LibraryRef

_AUTHOR_WIDTH: Final = 20
_DIGEST_SHOWN: Final = 12
_STATES: Final = {
    "readable": "readable",
    "without-text": "without text",
    "encrypted": "encrypted",
    "damaged": "damaged",
    "no-file": "without a file",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which items are meant, as the user typed it; of several values of one kind any must hold."""

    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    title: str | None = None
    with_trash: bool = False


def open_library(place: LibraryPlace) -> Library:
    """Return the library at the place, once its notices are on stderr; raises what `read_library` raises."""
    library = read_library(place)
    for notice in library.notices:
        complain(f"warning: {library.sources[0].path}: {notice}")
    return library


def run_list(place: LibraryPlace, filters: Filters, *, as_json: bool) -> int:
    """Return 0 once a line an item is on stdout, and a sum; raises what `open_library` and `select` raise."""
    from variorum.libraries.describing import library_as_data

    library = open_library(place)
    items = _chosen(library, filters)
    if as_json:
        emit_json(library_as_data(library, items))
        return 0
    lines = [line for ref in library.libraries for line in _listing(ref, items, is_only=len(library.libraries) == 1)]
    _emit_lines([*lines, "", *_sums(library, items)] if lines else _sums(library, items))
    return 0


def run_show(place: LibraryPlace, key: str, *, as_json: bool) -> int:
    """Return 0 once all that is known of an item is on stdout; raises what `open_library` and `one_key` raise."""
    from variorum.libraries import one_key
    from variorum.libraries.describing import item_as_data

    item = one_key(open_library(place), key)
    if as_json:
        emit_json(item_as_data(item))
    else:
        _emit_lines(_whole_item(item))
    return 0


def run_check(place: LibraryPlace, filters: Filters, *, jobs: int, as_json: bool, quiet: bool) -> int:
    """Return the exit code once it is on stdout what became of every PDF: that of PartialFailureError where one is unreadable.

    Raises UsageError for a number of jobs below 1, and what `open_library`, `select` and `check` raise.
    """
    from variorum.libraries import check
    from variorum.libraries.describing import report_as_data

    if jobs < 1:
        raise UsageError(f"{jobs} is no number of processes", where="--jobs", hint="1 or more")
    library = open_library(place)
    items = _chosen(library, filters)
    with progress_bar("opening PDFs", quiet=quiet) as update:
        told = None if update is None else lambda done, total: update(done, total, "")
        report = check(items, jobs=jobs, done=told)
    if as_json:
        emit_json(report_as_data(library, report))
    elif not quiet:
        _emit_lines(_report(library, items, report))
    return PartialFailureError.exit_code if report.has_faults else 0


def _chosen(library: Library, filters: Filters) -> tuple[LibraryItem, ...]:
    from variorum.libraries import Selection, select

    return select(
        library,
        Selection(
            collections=filters.collections,
            tags=filters.tags,
            libraries=filters.libraries,
            title=filters.title,
            with_trash=filters.with_trash,
        ),
    )


def _emit_lines(lines: Sequence[str]) -> None:
    emit("\n".join(map(printable, lines)))


def _listing(ref: LibraryRef, items: Sequence[LibraryItem], *, is_only: bool) -> Iterator[str]:
    """Yield the lines of one library, under its name where there are several."""
    own = [item for item in items if item.in_library == ref]
    if not own:
        return
    if not is_only:
        yield f"{ref.name} ({ref.id})"
    width = max(len(item.key) for item in own)
    for item in own:
        if ref.kind == "folder":
            yield f"{item.key:<{width}}  {item.attachments[0].stored_path}"
            continue
        year = item.year if item.year is not None else "-"
        marks = "".join(
            f" [{mark}]" for mark, holds in (("trash", item.in_trash), ("retracted", item.retraction is not None)) if holds
        )
        title = item.plain_title or f"({item.item_type} without a title)"
        yield f"{item.key:<{width}}  {year:>4}  {_authors(item)}  {title}{marks}  ({_files(item)})"


def _authors(item: LibraryItem) -> str:
    """Return the authors in short, cut or filled to the width of their column on a terminal."""
    names = [creator.last or creator.first for creator in item.authors]
    text = unicodedata.normalize("NFC", f"{names[0]} et al." if len(names) > 2 else " & ".join(names))
    if _width(text) > _AUTHOR_WIDTH:
        while _width(text) >= _AUTHOR_WIDTH:
            text = text[:-1]
        text += "…"
    return text + " " * (_AUTHOR_WIDTH - _width(text))


def _width(text: str) -> int:
    """Return how many columns of a terminal the text takes: two for a sign of Chinese, none for an accent of its own."""
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text if not unicodedata.combining(sign))


def _files(item: LibraryItem) -> str:
    """Return in words which PDFs an item has."""
    pdfs = item.pdfs
    missing = sum(pdf.path is None for pdf in pdfs)
    if not pdfs:
        return "no PDF"
    return f"{len(pdfs)} PDF{'s' if len(pdfs) > 1 else ''}" + (f", {missing} without a file" if missing else "")


def _sums(library: Library, items: Sequence[LibraryItem]) -> list[str]:
    """Return the line in which everything that was found is accounted for, and a line a reason for what was left out."""
    trashed = sum(item.in_trash for item in library)
    shown_trash = sum(item.in_trash for item in items)
    parts = [f"{len(items)} listed"]
    if rest := len(library) - trashed - (len(items) - shown_trash):
        parts.append(f"{rest} not asked for")
    if hidden := trashed - shown_trash:
        parts.append(f"{hidden} in the trash")
    if library.skipped:
        parts.append(f"{len(library.skipped)} left out")
    return [f"{library.found} found = {' + '.join(parts)}", *_left_out(library)]


def _left_out(library: Library) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for row in library.skipped:
        reasons.setdefault(row.reason, []).append(row.key)
    return [f"  left out: {', '.join(keys)}: {reason}" for reason, keys in reasons.items()]


def _whole_item(item: LibraryItem) -> list[str]:
    """Return all that is known of an item, a line a fact."""
    date = item.date
    facts: list[tuple[str, str]] = [
        ("item", f"{item.ref} ({item.item_type} in {item.in_library.name})"),
        ("title", item.plain_title),
        *((creator.role, creator.name) for creator in item.creators),
        ("date", date.raw if date is not None else ""),
        ("in", item.publication),
        ("DOI", item.doi),
        ("URL", item.url),
        ("language", item.language),
        ("citation key", f"{item.citation_key.key} (from {item.citation_key.origin})" if item.citation_key else ""),
        *(("collection", str(collection)) for collection in item.collections),
        ("tags", ", ".join(item.tags)),
        ("state", ", ".join(_states(item))),
        ("added", item.date_added),
        ("changed", item.date_modified),
        ("abstract", item.abstract),
        ("extra", item.extra),
    ]
    facts = [(name, "\n".join(" ".join(line.split()) for line in text.splitlines())) for name, text in facts]
    for attachment in item.attachments:
        facts += _attachment_facts(attachment)
    for note in item.notes:
        facts.append(("note", f"{note.key} {note.title}{' [trash]' if note.in_trash else ''}"))
        facts += [("", line) for line in note.text.splitlines()]
    width = max(len(name) for name, text in facts if text)
    return [
        f"{name if i == 0 else '':<{width}}  {line}".rstrip()
        for name, text in facts
        for i, line in enumerate(text.splitlines())
    ]


def _states(item: LibraryItem) -> Iterator[str]:
    if item.in_trash:
        yield "in the trash"
    if item.retraction is not None:
        yield item.retraction
    if item.in_my_publications:
        yield "in My Publications"


def _attachment_facts(attachment: Attachment) -> Iterator[tuple[str, str]]:
    kind = attachment.link_mode.replace("_", " ")
    marks = "".join(f" [{m}]" for m, holds in (("renamed", attachment.is_renamed), ("trash", attachment.in_trash)) if holds)
    yield "attachment", f"{attachment.key} {attachment.title} ({kind}, {attachment.content_type or 'type not said'}){marks}"
    if attachment.path is not None:
        yield "", str(attachment.path)
    elif attachment.problem is not None:
        yield "", f"no file: {attachment.problem.reason}"
    if attachment.note:
        yield "", attachment.note
    for mark in attachment.annotations:
        page = f"page {mark.page_label}" if mark.page_label else "page not said"
        text = " ".join(" ".join(filter(None, [f"“{mark.text}”" if mark.text else "", mark.comment])).split())
        head = f"{mark.key} {page}{' [trash]' if mark.in_trash else ''}"
        yield mark.kind, f"{head}: {text}" if text else head


def _report(library: Library, items: Sequence[LibraryItem], report: CheckReport) -> list[str]:
    """Return the check as text: sums, then each PDF that cannot be read, then what is there twice."""
    from variorum.libraries.checking import FAULTS, STATES

    counts = " + ".join(f"{report.count(state)} {_STATES[state]}" for state in STATES if report.count(state))
    sums = _sums(library, items)
    lines = [
        f"items  {sums[0].replace(' listed', ' checked')}",
        *sums[1:],
        f"PDFs   {len(report.files)} found{f' = {counts}' if counts else ''}",
        f"other  attachments of other kinds: {report.n_other_attachments}, items without a PDF: {len(report.without_pdf)}",
    ]
    for state in (*FAULTS, "without-text"):
        lines += _section(_STATES[state], [_file_line(f) for f in report.files if f.state == state])
    lines += _section("under another name", [_file_line(f) for f in report.files if f.is_renamed])
    lines += _section("without a PDF", [f"{i.ref}  {i.plain_title}" for i in items if i.ref in set(report.without_pdf)])
    lines += _section("there twice", [_duplicate_line(found) for found in report.duplicates])
    return lines


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"{title}:", *(f"  {line}" for line in lines)] if lines else []


def _file_line(file: FileCheck) -> str:
    text = f"{file.item}  {file.title}  ({file.attachment_key})"
    return f"{text}: {file.reason}" if file.reason else text


def _duplicate_line(found: Duplicates) -> str:
    what = f"same DOI {found.value}" if found.kind == "doi" else f"same content {found.value[:_DIGEST_SHOWN]}"
    return f"{found.in_library}: {', '.join(found.keys)}  {what}"
