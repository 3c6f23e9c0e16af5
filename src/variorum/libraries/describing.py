"""Items of a library as plain data for JSON; every key is always there, what is not known is null or empty.

Its form is described in ``docs/reference/library.md``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from variorum.libraries.checking import STATES, CheckReport
from variorum.libraries.model import Annotation, Attachment, Library, LibraryItem, Note


def library_as_data(library: Library, items: Iterable[LibraryItem]) -> dict[str, Any]:
    """Return the library with the chosen items, and what was left out of it."""
    return {
        "libraries": [asdict(ref) for ref in library.libraries],
        "sources": [{"path": str(s.path), "what": s.what, "facts": dict(s.facts)} for s in library.sources],
        "found": library.found,
        "in_trash": sum(item.in_trash for item in library),
        "skipped": [asdict(row) for row in library.skipped],
        "notices": list(library.notices),
        "items": [item_as_data(item) for item in items],
    }


def item_as_data(item: LibraryItem) -> dict[str, Any]:
    """Return all that is known of an item."""
    return {
        "ref": str(item.ref),
        "library": asdict(item.in_library),
        "key": item.key,
        "type": item.item_type,
        "title": item.title,
        "creators": [asdict(creator) for creator in item.creators],
        "date": asdict(item.date) if item.date is not None else None,
        "doi": item.doi,
        "url": item.url,
        "publication": item.publication,
        "language": item.language,
        "citation_key": asdict(item.citation_key) if item.citation_key is not None else None,
        "tags": list(item.tags),
        "collections": [{"key": c.key, "path": list(c.path)} for c in item.collections],
        "abstract": item.abstract,
        "extra": item.extra,
        "fields": dict(item.fields),
        "date_added": item.date_added,
        "date_modified": item.date_modified,
        "in_trash": item.in_trash,
        "retraction": item.retraction,
        "in_my_publications": item.in_my_publications,
        "attachments": [_attachment(attachment) for attachment in item.attachments],
        "notes": [_note(note) for note in item.notes],
    }


def _attachment(attachment: Attachment) -> dict[str, Any]:
    return {
        "key": attachment.key,
        "title": attachment.title,
        "link_mode": attachment.link_mode,
        "content_type": attachment.content_type,
        "stored_path": attachment.stored_path,
        "url": attachment.url,
        "path": str(attachment.path) if attachment.path is not None else None,
        "problem": asdict(attachment.problem) if attachment.problem is not None else None,
        "is_renamed": attachment.is_renamed,
        "tags": list(attachment.tags),
        "note": attachment.note,
        "in_trash": attachment.in_trash,
        "annotations": [_annotation(annotation) for annotation in attachment.annotations],
    }


def _annotation(annotation: Annotation) -> dict[str, Any]:
    return {**asdict(annotation), "tags": list(annotation.tags)}


def _note(note: Note) -> dict[str, Any]:
    return {**asdict(note), "tags": list(note.tags)}


def report_as_data(library: Library, report: CheckReport) -> dict[str, Any]:
    """Return a check with its sums: ``found`` is items, items in the trash or not asked for, and skipped rows together."""
    counts: dict[str, int] = {state: report.count(state) for state in STATES}
    return {
        "found": library.found,
        "checked": report.n_items,
        "not_checked": len(library) - report.n_items,
        "skipped": [asdict(row) for row in library.skipped],
        "notices": list(library.notices),
        "pdfs": {"found": len(report.files), **counts},
        "other_attachments": report.n_other_attachments,
        "files": [{**asdict(file), "item": str(file.item)} for file in report.files],
        "without_pdf": [str(ref) for ref in report.without_pdf],
        "duplicates": [{**asdict(found), "keys": list(found.keys)} for found in report.duplicates],
    }
