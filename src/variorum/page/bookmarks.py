"""The bookmarks of a PDF and what its metadata say of title and author."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from variorum.page.reader import PdfFile


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One bookmark of the PDF: its level from 1, its title, the 0-based page it leads to, and the y there (None: unknown).

    `y` is in points from the top of the page as displayed.
    """

    level: int
    title: str
    page_index: int
    y: float | None = None


def outline_of(pdf: PdfFile) -> tuple[OutlineEntry, ...]:
    """Return the bookmarks of a PDF that lead to one of its pages, in order; none where they cannot be read."""
    try:
        return tuple(_entries(pdf))
    except Exception:  # a broken outline is no reason to lose the paper: it is one voter of many
        return ()


def _entries(pdf: PdfFile) -> Iterator[OutlineEntry]:
    for level, title, page_num, details, *_ in pdf.live.get_toc(simple=False):
        if page_num > 0 and title.strip():
            target = details.get("to")
            yield OutlineEntry(int(level), " ".join(title.split()), page_num - 1, None if target is None else float(target.y))


def metadata_of(pdf: PdfFile) -> tuple[str, str]:
    """Return title and author from the PDF's metadata, empty where it has none."""
    data = pdf.live.metadata or {}
    return (data.get("title") or "").strip(), (data.get("author") or "").strip()
