"""The print of a page: its words put together to lines, the characters of a line to runs of one type.

A line of the PDF is often a part of a line of print only: superscripts, mathematics and words behind a wide space are lines of
their own there. Parts that stand on one band of writing with no more than a word space or two between are one line.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from variorum.geometry import Box
from variorum.layout.inline_math import Setting, Unit, main_type, units_of, with_fragments
from variorum.layout.model import PagePrint, PrintCaption, PrintLine
from variorum.layout.runs import ACCENTS, runs_of
from variorum.page.lines import text_rows, word_space
from variorum.page.model import PageEvidence, Word
from variorum.page.turning import DOWNWARDS, UPSIDE_DOWN, UPWARDS, turned, upright
from variorum.regions.captions import find_captions
from variorum.thresholds import USUAL_WORD_SPACE_EM, WORD_GAP_IN_LABEL_EM, WORD_SPACES_PER_GAP

_LABEL: Final = re.compile(r"[\[(]?(?:[A-Z]?\d+(?:\.\d+)*|[A-Za-z]|[IVXLC]+|[ivxlc]+)[\])]?[.:)]?$|[•◦▪‣●○■–—\-*·]$")
_SENTENCE_END: Final = re.compile(r"[.!?:;][\"'”’)\]]*$")


def page_print(page: PageEvidence, layout_boxes: Sequence[tuple[str, Box]] = (), *, ocr: bool = False) -> PagePrint:
    """Return the lines of print of a page, in the PDF's order of text, with its captions, rules and pictures.

    Every word of the page is in exactly one line. `layout_boxes` are those of the layout model as displayed, where it was
    asked; `ocr` says that the words were recognised in a picture.
    """
    angle = _main_angle(page.words)
    view, own = page, list(range(len(page.words)))
    if angle:
        view, own = turned(page, angle), [i for i, w in enumerate(page.words) if w.angle == angle]
    measured = word_space(text_rows(w for w in view.words if w.angle == 0))
    space_em = USUAL_WORD_SPACE_EM if measured is None else measured
    units, setting = units_of(_pieces(view.words), view.words, view.rules, space_em)
    joined = with_fragments(_joined(units, view.words, space_em), view.words, setting, ACCENTS)
    groups = [[own[i] for i in g] for g in joined]
    setting = setting.renumbered(own)
    words = dict(zip(own, view.words, strict=True))
    if angle:  # what is written in other directions stands in lines of its own
        others = [i for i, w in enumerate(page.words) if w.angle != angle]
        words |= {i: _beside(page.words[i], angle, page) for i in others}
        groups += [[others[k] for k in piece] for piece in _pieces([page.words[i] for i in others])]
    groups.sort(key=lambda g: _place(g, words))
    lines = tuple(_line(page.page_index, i, members, words, space_em, setting) for i, members in enumerate(groups))
    return PagePrint(
        page_index=page.page_index,
        width=view.width,
        height=view.height,
        label=page.label,
        lines=lines,
        captions=tuple(_captions(view, {id(view.words[k]): i for k, i in enumerate(own)}, lines, space_em)),
        rules=view.rules,
        images=tuple((i.box, i.width_px, i.height_px) for i in view.images),
        drawings=view.drawings,
        fills=view.fills,
        layout_boxes=tuple((kind, upright(box, angle, page.width, page.height)) for kind, box in layout_boxes),
        angle=angle,
        space_em=space_em,
        n_words=len(page.words),
        ocr=ocr,
        hidden=tuple(_hidden_lines(page, angle, len(lines), space_em)),
    )


def _hidden_lines(page: PageEvidence, angle: int, first: int, space_em: float) -> Iterator[PrintLine]:
    """Yield the lines of words that nobody sees, by the PDF's own lines; the first has the number `first`."""
    view = turned(replace(page, words=page.hidden), angle) if angle else page
    level = list(view.words if angle else page.hidden)
    words = [*level, *(_beside(w, angle, page) for w in page.hidden if angle and w.angle != angle)]
    for i, members in enumerate(_pieces(words)):
        yield _line(page.page_index, first + i, members, dict(enumerate(words)), space_em, Setting())


def _main_angle(words: Sequence[Word]) -> int:
    """Return the direction of most characters among those that a page can be turned for; words alone on a line, as the labels
    of an axis are, do not count beside lines of several."""
    companions = Counter((word.block, word.line) for word in words)
    counts = dict.fromkeys((0, UPWARDS, UPSIDE_DOWN, DOWNWARDS), 0)
    for word in words:
        if word.angle in counts and companions[word.block, word.line] > 1:
            counts[word.angle] += len(word.text)
    return max(counts, key=lambda a: (counts[a], -a))


def _beside(word: Word, angle: int, page: PageEvidence) -> Word:
    """Return a word of another direction with its box in the turned view."""
    return replace(word, box=upright(word.box, angle, page.width, page.height), angle=word.angle or -1)


def _captions(
    view: PageEvidence, index: Mapping[int, int], lines: Sequence[PrintLine], space_em: float
) -> Iterator[PrintCaption]:
    line_of = {word: line.index for line in lines for word in line.words}
    for caption in find_captions(view, space_em):
        own = sorted({line_of[index[id(w)]] for w in caption.words if id(w) in index})
        yield PrintCaption(caption.kind, caption.label.rstrip("."), caption.number, caption.text, caption.box, tuple(own))


def _pieces(words: Sequence[Word]) -> list[list[int]]:
    """Return the indices of the words by the PDF's own lines, in its order."""
    return [
        [i for i, _ in members]
        for _, members in groupby(enumerate(words), key=lambda item: (item[1].block, item[1].line, item[1].angle))
    ]


def _joined(units: Sequence[Unit], words: Sequence[Word], space_em: float) -> list[list[int]]:
    """Return the units that make one line of print together, in the order of the first of each."""
    pieces = [unit.words for unit in units]
    boxes = [unit.box for unit in units]
    sizes = [unit.size for unit in units]
    parent = list(range(len(pieces)))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    level = [k for k, piece in enumerate(pieces) if words[piece[0]].angle == 0]
    by_top = sorted(level, key=lambda k: (boxes[k].y0, k))
    tops = [boxes[k].y0 for k in by_top]
    tallest = max((boxes[k].height for k in level), default=0.0)
    for k in level:
        near = by_top[bisect_left(tops, boxes[k].y0 - tallest) : bisect_right(tops, boxes[k].y1)]
        for other in near:
            if other == k or boxes[other].x0 < boxes[k].x0:
                continue
            if _is_next(k, other, boxes, sizes, space_em, is_label=_is_label(pieces[k], pieces[other], words)):
                low, high = sorted((root(k), root(other)))
                parent[high] = low
    groups: dict[int, list[int]] = {}
    for k in range(len(pieces)):
        groups.setdefault(root(k), []).append(k)
    out: list[list[int]] = []
    for members in groups.values():
        found = [i for k in members for i in pieces[k]]
        out.append(sorted(found, key=lambda i: (words[i].box.x0, words[i].box.x1, i)) if len(members) > 1 else found)
    return out


def _place(line: Sequence[int], words: Mapping[int, Word]) -> int:
    """Return the place of a line in the PDF's order of text: that of the first of its words of its main size."""
    size, _ = main_type([words[i] for i in line])
    return min((i for i in line if words[i].size == size), default=min(line))


def _is_next(left: int, right: int, boxes: Sequence[Box], sizes: Sequence[float], space_em: float, *, is_label: bool) -> bool:
    """Return whether the right piece goes on where the left one ends, on the same line; behind a label (a bullet, the number of
    a heading) the white may be wide."""
    a, b = boxes[left], boxes[right]
    small, large = sorted((sizes[left], sizes[right]))
    if large / 2 > small:  # a drop cap, or a large sign beside small type, would join lines that it stands beside
        return False
    if 2 * a.y_interval.overlap(b.y_interval) <= min(a.height, b.height):
        return False
    reach = WORD_GAP_IN_LABEL_EM if is_label else WORD_SPACES_PER_GAP * space_em
    return -small <= b.x0 - a.x1 <= reach * large


def _is_label(piece: Sequence[int], after: Sequence[int], words: Sequence[Word]) -> bool:
    """Return whether a piece is a label alone (``3.2``, ``IV.``, ``[12]``, ``(a)``, a bullet) or ends a sentence, in the block
    and on the writing line of what follows: behind both the white may be wide."""
    first, last, second = words[piece[0]], words[piece[-1]], words[after[0]]
    if first.block != second.block:
        return False
    if len(piece) == 1 and _LABEL.match(first.text) is not None:
        return True
    return _SENTENCE_END.search(last.text) is not None and last.baseline == second.baseline


def _line(
    page_index: int, index: int, members: Sequence[int], words: Mapping[int, Word], space_em: float, setting: Setting
) -> PrintLine:
    own = [words[i] for i in members]
    inside = {i for f in setting.fractions for i in f.words}
    chars = [c for i in members if i not in inside for c in words[i].chars] or [c for w in own for c in w.chars]
    size, baseline = main_type([words[i] for i in members if i not in inside] or own)
    fonts: Counter[str] = Counter(c.font for c in chars if c.size == size)
    font = max(fonts, key=lambda f: (fonts[f], f)) if fonts else own[0].font
    angle = own[0].angle
    return PrintLine(
        page_index=page_index,
        index=index,
        box=Box.around(w.box for w in own),
        baseline=baseline,
        size=size,
        font=font,
        runs=runs_of(members, words, size, baseline, space_em, setting, is_level=angle == 0),
        words=tuple(members),
        block=own[0].block,
        angle=angle,
    )
