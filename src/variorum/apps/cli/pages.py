"""Page ranges as people write them: ``3-5,8`` and ``8-``. Page numbers are 1-based positions in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from variorum.errors import PageRangeError, UsageError

_PART = re.compile(r"(?P<first>[0-9]+)\s*(?P<dash>-)?\s*(?P<last>[0-9]+)?")


@dataclass(frozen=True, slots=True)
class PageRange:
    """Pages `first..last`, both included; `last` is None for "to the end"."""

    first: int
    last: int | None

    def __str__(self) -> str:
        if self.last is None:
            return f"{self.first}-"
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def parse_page_ranges(text: str) -> tuple[PageRange, ...]:
    """Return the ranges in a text such as ``3-5,8,12-``, in the order written; raises UsageError when it is malformed."""
    return tuple(_parse_part(part.strip(), text) for part in text.split(","))


def _parse_part(part: str, text: str) -> PageRange:
    match = _PART.fullmatch(part)
    # more digits than any file has pages; Python refuses to convert some thousands of them
    if match is None or (match["last"] and not match["dash"]) or any(len(match[g] or "") > 9 for g in ("first", "last")):
        what = "an empty part" if not part else f"{part!r} is no page or range of pages"
        raise UsageError(f"{what} in {text!r}", where="--pages", hint="--pages 3-5,8 or --pages 8-")
    first = int(match["first"])
    last = None if match["dash"] and not match["last"] else int(match["last"] or first)
    if first == 0 or last == 0:
        raise UsageError(f"{part!r}: pages count from 1", where="--pages", hint="--pages 1-")
    if last is not None and last < first:
        raise UsageError(f"{part!r} ends before it begins", where="--pages", hint=f"--pages {last}-{first}")
    return PageRange(first, last)


def expand_page_ranges(ranges: Sequence[PageRange], page_count: int, *, where: str = "") -> list[int]:
    """Return the pages of the ranges in a document of so many pages, each once, in rising order.

    Raises PageRangeError that names the first range which goes past the end; `where` is the document.
    """
    pages: set[int] = set()
    for item in ranges:
        last = page_count if item.last is None else item.last
        if last > page_count or item.first > page_count:
            raise _past_the_end(item, page_count, where)
        pages.update(range(item.first, last + 1))
    return sorted(pages)


def _past_the_end(item: PageRange, page_count: int, where: str) -> PageRangeError:
    has = f"which has {page_count} page{'' if page_count == 1 else 's'}"
    if item.first == item.last:
        what = f"page {item} is outside the document, {has}"
    elif item.first > page_count:
        what = f"pages {item} are outside the document, {has}"
    else:
        return PageRangeError(
            f"pages {item} go past the end of the document, {has}", where=where, hint=f"--pages {item.first}-"
        )
    return PageRangeError(what, where=where, hint=f"--pages 1-{page_count}")
