"""Mathematics within lines of print: small fractions, roots, and parts that the PDF keeps as lines of their own.

A numerator, a raised index or an accent is often a line of its own in a PDF, above or below the line that it belongs to. Small
type belongs to the line of larger type that has room for it: it stands in the height of that line, between its ends, where no
word of the line stands. A fraction is what stands close above and below a bar that is as long as the longer of the two; it is
one piece of the line whose axis the bar is. Roots reach as far as the bar over them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from variorum.geometry import Box, Interval
from variorum.layout.model import is_size
from variorum.page.fraction_bars import fills, hull_of, is_central, stands_at
from variorum.page.model import Char, Rule, Word
from variorum.thresholds import ASCENT_EM, DESCENT_EM, SCRIPT_SHIFT_EM, WORD_SPACES_PER_GAP

ROOT: Final = "√"
AXIS_EM: Final = (ASCENT_EM - DESCENT_EM) / 2
"""The height of a line's middle over its baseline: there stand the bars of fractions and the middles of brackets."""


@dataclass(frozen=True, slots=True)
class Fraction:
    """A fraction: its bar, and the indices of the words above and below it."""

    bar: Rule
    above: tuple[int, ...]
    below: tuple[int, ...]

    @property
    def words(self) -> tuple[int, ...]:
        """Return the indices of all its words."""
        return (*self.above, *self.below)


@dataclass(frozen=True, slots=True)
class Unit:
    """Words that stay together: a line of the PDF, or a fraction. `box` is the band of writing that it takes in its line."""

    words: tuple[int, ...]
    box: Box
    size: float


@dataclass(frozen=True, slots=True)
class Setting:
    """The fractions and bars over roots of a page."""

    fractions: tuple[Fraction, ...] = ()
    roots: tuple[Rule, ...] = ()

    def renumbered(self, new: Sequence[int]) -> Setting:
        """Return the same with the words called by other indices: `new` holds that of each."""
        fractions = (Fraction(f.bar, tuple(new[i] for i in f.above), tuple(new[i] for i in f.below)) for f in self.fractions)
        return Setting(tuple(fractions), self.roots)


def main_type(words: Sequence[Word]) -> tuple[float, float]:
    """Return the font size and the y of the writing line of some words.

    The size is that of most characters, unless all of that size are off the writing line of larger ones: then they are scripts.
    """
    chars = [(c.size, c.baseline) for w in words for c in w.chars] or [(w.size, w.baseline) for w in words]
    counts = Counter(size for size, _ in chars)
    order = sorted(counts, key=lambda s: (-counts[s], -s))
    size = order[0]
    for larger in sorted(s for s in counts if s > size and not is_size(s, size)):
        line = _usual(b for s, b in chars if s == larger)
        if all(abs(b - line) > SCRIPT_SHIFT_EM * larger for s, b in chars if s == size):
            size = larger
    return size, _usual(b for s, b in chars if s == size)


def _usual(baselines: Iterable[float]) -> float:
    counts = Counter(baselines)
    return max(counts, key=lambda b: (counts[b], b))


# ---- fractions ---------------------------------------------------------------------------------------------------------


def units_of(
    pieces: Sequence[Sequence[int]], words: Sequence[Word], rules: Sequence[Rule], space_em: float
) -> tuple[list[Unit], Setting]:
    """Return the pieces as units, cut where a fraction stands in them, the fractions among them, and what was found.

    `space_em` is the page's word space in em: a side of a fraction has no wider white in it than a line.
    """
    level = sorted(
        (_unit((i,), words) for i, w in enumerate(words) if w.angle == 0), key=lambda u: (u.box.y_interval.middle, u.words)
    )
    middles = [u.box.y_interval.middle for u in level]
    tallest = max((u.size for u in level), default=0.0)
    signs = [c for w in words if ROOT in w.text for c in w.chars if c.text == ROOT]
    roots, fractions, wholes = [], [], list[Unit]()
    gone: set[int] = set()
    for bar in sorted((r for r in rules if r.orientation == "horizontal"), key=lambda r: (r.length, r.position, r.start)):
        if any(_begins_at(bar, sign) for sign in signs):
            roots.append(bar)
            continue
        near = level[bisect_left(middles, bar.position - 2 * tallest) : bisect_right(middles, bar.position + 2 * tallest)]
        inside = [u for u in (*wholes, *near) if gone.isdisjoint(u.words) or u in wholes]
        inside = [u for u in inside if stands_at(u, bar)]
        above = _side([u for u in inside if u.box.y_interval.middle < bar.position], bar, space_em)
        below = _side([u for u in inside if u.box.y_interval.middle > bar.position], bar, space_em)
        if above and below and fills(bar, above, below):
            over, under = (tuple(i for u in part for i in u.words) for part in (above, below))
            fractions.append(Fraction(bar, over, under))
            gone.update(over, under)
            wholes = [u for u in wholes if u not in above and u not in below]
            wholes.append(_fraction_unit(bar, [*above, *below]))
    return _cut(pieces, words, gone) + wholes, Setting(tuple(fractions), tuple(roots))


def _cut(pieces: Sequence[Sequence[int]], words: Sequence[Word], gone: Container[int]) -> list[Unit]:
    """Return what the fractions leave of the pieces."""
    return [
        _unit(tuple(part), words)
        for piece in pieces
        for is_gone, part in groupby(piece, key=lambda i: i in gone)
        if not is_gone
    ]


def _unit(piece: Sequence[int], words: Sequence[Word]) -> Unit:
    own = [words[i] for i in piece]
    box = Box.around(w.box for w in own)
    if own[0].angle != 0:
        return Unit(tuple(piece), box, own[0].size)
    size, baseline = main_type(own)
    return Unit(tuple(piece), Box(box.x0, baseline - ASCENT_EM * size, box.x1, baseline + DESCENT_EM * size), size)


def _begins_at(bar: Rule, sign: Char) -> bool:
    return 2 * abs(sign.box.x1 - bar.start) <= sign.size and abs(sign.box.y_interval.middle - bar.position) <= sign.size


def _side(units: Sequence[Unit], bar: Rule, space_em: float) -> list[Unit]:
    """Return the units on one side of a bar that stand close to it and in its middle, with all that stands beside them; none
    where the white between two of them is that between cells."""
    side = [u for u in units if min(abs(u.box.y0 - bar.position), abs(u.box.y1 - bar.position)) * 2 <= u.size]
    while side:
        tall = Box.around(u.box for u in side).y_interval
        more = [u for u in units if u not in side and u.box.y_interval.overlap(tall) > 0]
        if not more:
            break
        side.extend(more)
    side.sort(key=lambda u: (u.box.x0, u.box.x1, u.words))
    wide = any(b.box.x0 - a.box.x1 > WORD_SPACES_PER_GAP * space_em * max(a.size, b.size) for a, b in pairwise(side))
    return [] if wide or not side or not is_central(bar, side) else side


def _fraction_unit(bar: Rule, parts: Sequence[Unit]) -> Unit:
    size = max(u.size for u in parts)
    baseline = bar.position + AXIS_EM * size
    x = hull_of(parts).hull(Interval(bar.start, bar.end))
    box = Box(x.start, baseline - ASCENT_EM * size, x.end, baseline + DESCENT_EM * size)
    return Unit(tuple(i for u in parts for i in u.words), box, size)


# ---- parts that are lines of their own in the PDF -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    """A line while it is put together: its words, main size, band of writing, and the x extents of its main characters."""

    words: list[int]
    size: float
    band: Interval
    x: Interval
    taken: tuple[Interval, ...]
    is_level: bool
    is_accent: bool


def with_fragments(
    lines: Sequence[Sequence[int]], words: Sequence[Word], setting: Setting, accents: Container[str]
) -> list[list[int]]:
    """Return the lines with small type and accents that stand alone put to the lines that they belong to, in their order."""
    inside = {i for f in setting.fractions for i in f.words}
    made = [_made(line, words, inside, accents) for line in lines]
    by_top = sorted((k for k, m in enumerate(made) if m.is_level), key=lambda k: (made[k].band.start, k))
    tops = [made[k].band.start for k in by_top]
    tallest = max((m.band.length for m in made), default=0.0)
    host_of: dict[int, int] = {}
    for k, fragment in enumerate(made):
        if not fragment.is_level:
            continue
        near = by_top[bisect_left(tops, fragment.band.start - tallest) : bisect_right(tops, fragment.band.end)]
        hosts = [h for h in near if h != k and _has_room(made[h], fragment)]
        if hosts:
            host_of[k] = max(hosts, key=lambda h: (made[h].band.overlap(fragment.band), -h))
    out: dict[int, list[int]] = {k: list(line) for k, line in enumerate(lines) if k not in host_of}
    for k, host in host_of.items():
        while host in host_of:
            host = host_of[host]
        out[host].extend(lines[k])
    grown = set(host_of.values())
    return [
        sorted(line, key=lambda i: (words[i].box.x0, words[i].box.x1, i)) if k in grown else line for k, line in out.items()
    ]


def _made(line: Sequence[int], words: Sequence[Word], inside: set[int], accents: Container[str]) -> _Line:
    own = [words[i] for i in line]
    main = [words[i] for i in line if i not in inside] or own
    size, baseline = main_type(main)
    return _Line(
        words=list(line),
        size=size,
        band=Interval(baseline - ASCENT_EM * size, baseline + DESCENT_EM * size),
        x=Box.around(w.box for w in own).x_interval,
        taken=tuple(c.box.x_interval for w in main for c in w.chars if is_size(c.size, size)),
        is_level=own[0].angle == 0,
        is_accent=all(c in accents for w in own for c in w.text),
    )


def _has_room(host: _Line, part: _Line) -> bool:
    """Return whether a line has the height and a free place for a part: accents stand over a letter, small type beside all."""
    if host.is_accent or not host.x.contains(part.x.middle) or host.band.overlap(part.band) <= 0:
        return False
    if part.is_accent and is_size(host.size, part.size):
        return True
    if part.size >= host.size or is_size(part.size, host.size):
        return False
    return 2 * sum(part.x.overlap(x) for x in host.taken) <= part.x.length
