"""Text of a cell from its lines: joined by spaces, hyphenation at line ends mended with evidence from the page's own vocabulary."""

from __future__ import annotations

from collections.abc import Collection, Sequence

HYPHENS = "-\u2010"


def join_lines(lines: Sequence[str], vocabulary: Collection[str]) -> str:
    """Return the lines as one text.

    A hyphen at a line's end between a letter and a small letter is dropped when the page has the word without it, kept when the page
    has it with it; with no such evidence it is taken for the typesetter's and dropped.
    """
    out = ""
    for line in lines:
        if not out:
            out = line
        elif len(out) > 1 and out[-1] in HYPHENS and out[-2].isalpha() and line[:1].islower():
            head = out.split()[-1].rstrip(HYPHENS)
            tail = line.split()[0]
            hyphenated = f"{head}-{tail}".casefold() in vocabulary
            out = out + line if hyphenated and (head + tail).casefold() not in vocabulary else out[:-1] + line
        else:
            out = f"{out} {line}" if line else out
    return out
