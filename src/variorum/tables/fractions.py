"""Fractions in cells: what stands above and below a short bar within one line of text is read as ``a/b``.

The bar is drawn, stands within the line's height and is as long as the longer of its sides; the rules of tables part lines of
text and are as long as columns. Read from left to right without the bar, a half of PP would be ``PP2``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from variorum.geometry import Box
from variorum.page.fraction_bars import fills, is_central, needs_brackets, stands_at
from variorum.page.lines import join_words
from variorum.page.model import Rule, Word


def with_fractions(words: Sequence[Word], rules: Iterable[Rule], space_em: float) -> list[Word]:
    """Return the words of one line from left to right, each fraction as one word at its place.

    `rules` are those near the line; `space_em` is the usual space between words in em. A side that is more than one word or
    number stands in brackets: ``(a+b)/c``. Bars within a fraction come first.
    """
    line = sorted(words, key=_place)
    if len(line) < 2:
        return line
    height = Box.around(w.box for w in line)
    bars = [r for r in rules if r.orientation == "horizontal" and height.y0 < r.position < height.y1]
    for bar in sorted(bars, key=lambda r: (r.length, r.position, r.start)):
        inside = [w for w in line if stands_at(w, bar)]
        above = [w for w in inside if w.box.y_interval.middle < bar.position]
        below = [w for w in inside if w.box.y_interval.middle > bar.position]
        if above and below and fills(bar, above, below) and is_central(bar, above) and is_central(bar, below):
            text = f"{_side(above, space_em)}/{_side(below, space_em)}"
            box = Box.around([bar.box, *(w.box for w in inside)])
            whole = replace(inside[0], text=text, box=box, size=max(w.size for w in line), chars=())
            line = sorted([w for w in line if w not in inside] + [whole], key=_place)
    return line


def _place(word: Word) -> tuple[float, float, str]:
    return word.box.x0, word.box.x1, word.text


def _side(words: Sequence[Word], space_em: float) -> str:
    text = join_words(sorted(words, key=_place), space_em)
    return f"({text})" if needs_brackets(text) else text
