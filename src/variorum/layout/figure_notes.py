"""The notes under the captions of figures: text in smaller type that stands between a caption and the picture below it.

Journals of economics set the title of a figure above it, and what it shows in small type under the title. Such a note does not
part the caption from its picture, as running text does. It stays a paragraph of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from variorum.layout.figure_marks import PageMarks
from variorum.layout.model import BodyStyle, PagePrint, PrintCaption, PrintLine, is_size
from variorum.thresholds import LINES_APART


def notes_of(page: PagePrint, prose: frozenset[int], marks: PageMarks, style: BodyStyle) -> frozenset[int]:
    """Return the indices of the lines of running text on a page that are notes under captions of figures.

    A note follows the last line of a caption as its lines follow each other, in one type smaller than the caption's, and a
    picture begins within a leading below it. `prose` are the indices of the page's lines of running text.
    """
    text = sorted((line for line in page.lines if line.index in prose and line.angle == 0), key=lambda n: n.baseline)
    notes: set[int] = set()
    for caption in page.captions:
        if caption.kind == "figure":
            note = list(_under(caption, page.lines, text))
            if note and _leads_to_picture(note, marks, style):
                notes |= {line.index for line in note}
    return frozenset(notes)


def _under(caption: PrintCaption, lines: Sequence[PrintLine], text: Sequence[PrintLine]) -> Iterator[PrintLine]:
    """Yield the lines of text that go on below a caption in one smaller type, from top to bottom."""
    own = set(caption.lines)
    last = max((line for line in lines if line.index in own), key=lambda n: n.baseline, default=None)
    if last is None:
        return
    size, font = last.size, ""
    for line in text:
        step = line.baseline - last.baseline
        if step <= 0 or line.box.x_interval.overlap(caption.box.x_interval) <= 0:
            continue
        is_first = not font
        is_such = (
            line.size < size and not is_size(line.size, size) if is_first else line.font == font and is_size(line.size, size)
        )
        if step > LINES_APART * last.size or not is_such:
            return
        size, font, last = line.size, line.font, line
        yield line


def _leads_to_picture(note: Sequence[PrintLine], marks: PageMarks, style: BodyStyle) -> bool:
    """Return whether a picture begins within a leading below the last line of a note, over a part of its width."""
    last = note[-1].box
    return any(
        cluster.is_picture
        and abs(cluster.box.y0 - last.y1) <= style.leading
        and cluster.box.x_interval.overlap(last.x_interval) > 0
        for cluster in marks.clusters
    )
