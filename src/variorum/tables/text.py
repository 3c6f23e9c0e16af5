"""Text of a cell from its lines: joined by spaces, web addresses without; hyphenation at line ends is mended with evidence
from the page's own vocabulary."""

from __future__ import annotations

from collections.abc import Collection, Sequence

HYPHENS = "-\u2010"


def join_lines(lines: Sequence[str], vocabulary: Collection[str]) -> str:
    """Return the lines as one text; `vocabulary` holds the page's words in small letters.

    A hyphen at a line's end before a small letter is the typesetter's and dropped, unless the page shows that it
    belongs to the word: the page has the word with it and never without, or has both its halves as words of their own,
    or the first half has capitals inside (a name or an acronym, which is not divided).
    """
    out = ""
    for line in lines:
        if not out:
            out = line
        elif len(out) > 1 and out[-1] in HYPHENS and out[-2].isalnum() and line[:1].islower():
            head, tail = out.split()[-1].rstrip(HYPHENS), line.split()[0].rstrip(".,;:)")
            out = (out if _keeps_hyphen(head, tail, vocabulary) else out[:-1]) + line
        elif _goes_on_as_address(out, line):
            out = out + line
        else:
            out = f"{out} {line}" if line else out
    return out


def _goes_on_as_address(upper: str, lower: str) -> bool:
    """Return whether a web address is broken between the lines: after its scheme, or before or after a slash."""
    last = upper.rsplit(maxsplit=1)[-1]
    if last.endswith(":"):
        return lower.startswith("//")
    return "://" in last and (last.endswith("/") or lower.startswith("/"))


def _keeps_hyphen(head: str, tail: str, vocabulary: Collection[str]) -> bool:
    last = head.rsplit("-", maxsplit=1)[-1]
    whole, parted = (head + tail).casefold(), f"{head}-{tail}".casefold()
    if whole in vocabulary:
        return False
    if parted in vocabulary or any(c.isupper() or c.isdigit() for c in last[1:]):
        return True
    return last.casefold() in vocabulary and tail.casefold() in vocabulary
