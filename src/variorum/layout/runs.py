"""The runs of a line: its characters in one font, size and position each, in the order in which they are read.

Accents are put on the letters that they stand over, fractions are written with a stroke and the brackets that they need, what
stands under the bar of a root is put in brackets, lowered type is read before raised type over it, and indices of indices
become Unicode signs within their run.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from variorum.geometry import Box
from variorum.layout.formula_signs import LARGE, is_mathematical_font
from variorum.layout.inline_math import ROOT, Fraction, Setting, main_type
from variorum.layout.model import Run, Script, is_size
from variorum.layout.scripts import lowered, raised, text_of_runs
from variorum.page.fraction_bars import needs_brackets
from variorum.page.model import Char, Rule, Word
from variorum.thresholds import DESCENT_EM, SCRIPT_SHIFT_EM

ACCENTS: Final = {
    "´": "\u0301",
    "ˊ": "\u0301",
    "`": "\u0300",
    "ˋ": "\u0300",
    "¨": "\u0308",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "¸": "\u0327",
    "˚": "\u030a",
    "ˇ": "\u030c",
    "¯": "\u0304",
    "˘": "\u0306",
    "˙": "\u0307",
    "˝": "\u030b",
    "˛": "\u0328",
    "\u20d7": "\u20d7",
    "\u0338": "\u0338",
}
"""Accents that stand as characters of their own, and the combining characters that they are."""
_STROKE: Final = "\u0338"
_DOTLESS: Final = {"ı": "i", "ȷ": "j"}
_CLOSE: Final = frozenset("()[]}⟩,;.:")
_VARIANTS: Final = "".join(map(chr, range(ord("\ufe00"), ord("\ufe0f") + 1)))
_LIGATURES: Final = "ﬀﬁﬂﬃﬄﬅﬆ"


@dataclass(frozen=True, slots=True)
class _Part:
    """A run, and the bar of the root that it stands under."""

    run: Run
    root: Rule | None = None


@dataclass(frozen=True, slots=True)
class _Type:
    """What a stretch of writing is measured against: its size and writing line, the page's word space, what is set on it."""

    size: float
    baseline: float
    space_em: float
    setting: Setting
    is_level: bool


def runs_of(
    members: Sequence[int],
    words: Mapping[int, Word],
    size: float,
    baseline: float,
    space_em: float,
    setting: Setting,
    *,
    is_level: bool,
) -> tuple[Run, ...]:
    """Return the runs of the words of a line, given its main size and writing line."""
    chars = _with_accents([(i, words[i]) for i in members])
    parts = list(_parts(members, words, chars, _Type(size, baseline, space_em, setting, is_level)))
    return tuple(_with_scripts([part.run for part in _with_roots(parts)]))


def _parts(members: Sequence[int], words: Mapping[int, Word], chars: Mapping[int, list[Char]], own: _Type) -> Iterator[_Part]:
    last: Word | None = None
    for item in _items(members, words, own.setting):
        if isinstance(item, Fraction):
            mark = _as_word(item, words)
            space = last is not None and _is_apart(last, mark, own.space_em)
            yield from _fraction(item, words, chars, own, space=space)
            last = mark
            continue
        word = words[item]
        space = last is not None and (not own.is_level or _is_apart(last, word, own.space_em))
        if not word.chars:
            yield _Part(Run(word.text, word.box, word.font, word.size, "", space))
        before: Char | None = None
        for part in _of_one_type(chars[item], own):
            if before is not None and own.is_level:
                space = _is_spaced(before, part[0], own)
            yield _Part(_run(part, own, space_before=space), _root_over(part[0], own.setting))
            before, space = part[-1], False
        last = word


def _items(members: Sequence[int], words: Mapping[int, Word], setting: Setting) -> list[int | Fraction]:
    """Return the words of a stretch and its outermost fractions, from left to right where there are fractions."""
    free, found = set(members), []
    for fraction in sorted(setting.fractions, key=lambda f: -len(f.words)):
        if free.issuperset(fraction.words):
            found.append(fraction)
            free.difference_update(fraction.words)
    if not found:
        return list(members)
    placed: list[tuple[float, int, int | Fraction]] = [(words[i].box.x0, k, i) for k, i in enumerate(members) if i in free]
    placed += [(f.bar.start, -1, f) for f in found]
    return [item for _, _, item in sorted(placed, key=lambda p: (p[0], p[1]))]


def _as_word(fraction: Fraction, words: Mapping[int, Word]) -> Word:
    """Return a fraction as a word that stands where it stands, to measure spaces against."""
    own = [words[i] for i in fraction.words]
    box = Box.around(w.box for w in own)
    return replace(own[0], text="", box=box, size=max(w.size for w in own), block=-1, line=-1, chars=())


def _fraction(
    fraction: Fraction, words: Mapping[int, Word], chars: Mapping[int, list[Char]], line: _Type, *, space: bool
) -> Iterator[_Part]:
    sides = [list(_side(part, words, chars, line)) for part in (fraction.above, fraction.below)]
    bar = fraction.bar.box
    for k, side in enumerate(sides):
        text = text_of_runs(list(_with_scripts([p.run for p in _with_roots(side)])))
        first, needs = side[0].run, needs_brackets(text)
        opening = ("/" if k else "") + ("(" if needs else "")
        if opening:
            yield _Part(Run(opening, bar, first.font, first.size, "", space and not k))
        for n, part in enumerate(side):
            yield replace(
                part, run=replace(part.run, space_before=part.run.space_before if n else space and not k and not needs)
            )
        if needs:
            yield _Part(Run(")", bar, first.font, first.size))


def _side(members: Sequence[int], words: Mapping[int, Word], chars: Mapping[int, list[Char]], line: _Type) -> Iterator[_Part]:
    """Yield the parts of a numerator or denominator, measured against its own type."""
    order = sorted(members, key=lambda i: (words[i].box.x0, words[i].box.x1, i))
    size, baseline = main_type([words[i] for i in order])
    yield from _parts(order, words, chars, replace(line, size=size, baseline=baseline))


def _is_spaced(left: Char, right: Char, own: _Type) -> bool:
    """Return whether there is a space between two characters of different type within a word: TeX sets mathematics without
    any; the slant of a letter is no space before its index or a bracket."""
    if _script(right, own) or (_is_slanted(left) and right.text in _CLOSE):
        return False
    return (right.box.x0 - left.box.x1) * 2 >= own.space_em * max(right.size, left.size)


def _is_slanted(char: Char) -> bool:
    return char.text.isalpha() and is_mathematical_font(char.font)


def _is_apart(left: Word, right: Word, space_em: float) -> bool:
    if left.chars and right.chars and _is_slanted(left.chars[-1]) and right.chars[0].text in _CLOSE:
        return False
    if (left.block, left.line) == (right.block, right.line):
        gap = max(right.box.x0 - left.box.x1, left.box.x0 - right.box.x1)  # the next word stands left of one written leftwards
        return gap * 2 >= space_em * min(left.size, right.size)
    return (right.box.x0 - left.box.x1) * 2 >= space_em * max(left.size, right.size)


def _of_one_type(chars: Sequence[Char], own: _Type) -> Iterator[list[Char]]:
    def kind(char: Char) -> tuple[str, float, Script, Rule | None, bool]:
        return char.font, char.size, _script(char, own), _root_over(char, own.setting), char.text == ROOT

    for _, part in groupby(chars, key=kind):
        yield list(part)


def _run(chars: Sequence[Char], own: _Type, *, space_before: bool) -> Run:
    first = chars[0]
    return Run(
        text="".join(map(_text, chars)),
        box=Box.around(c.box for c in chars),
        font=first.font,
        size=first.size,
        script=_script(first, own) if own.is_level else "",
        space_before=space_before,
    )


def _text(char: Char) -> str:
    """Return the text of a character: ligatures as their letters, without the selectors of a variant of its shape."""
    text = unicodedata.normalize("NFKC", char.text) if char.text in _LIGATURES else char.text
    return text.rstrip(_VARIANTS) or text


def _script(char: Char, own: _Type) -> Script:
    """Return whether a character is set smaller than its line and off its baseline."""
    shift = own.baseline - char.baseline
    if char.size >= own.size or abs(shift) <= SCRIPT_SHIFT_EM * own.size:
        return ""
    return "sup" if shift > 0 else "sub"


# ---- roots -------------------------------------------------------------------------------------------------------------


def _root_over(char: Char, setting: Setting) -> Rule | None:
    """Return the shortest bar of a root that a character stands under."""
    over = [
        bar
        for bar in setting.roots
        if bar.start <= char.box.x_interval.middle <= bar.end and 2 * abs(char.box.y0 - bar.position) <= char.size
    ]
    return min(over, key=lambda bar: (bar.length, bar.position), default=None)


def _with_roots(parts: Sequence[_Part]) -> Iterator[_Part]:
    """Yield the parts with brackets around what is more than a letter or a number under the bar of a root."""
    for root, group in groupby(parts, key=lambda p: p.root):
        held = list(group)
        letters = sum(len(p.run.text) for p in held if not p.run.script)
        if root is None or letters <= 1 or "".join(p.run.text for p in held).isdigit():
            yield from held
            continue
        first, last = held[0], held[-1]
        plain = replace(first.run, text="(", script="")
        yield replace(first, run=plain)
        yield replace(first, run=replace(first.run, space_before=False))
        yield from held[1:]
        yield replace(last, run=replace(last.run, text=")", script="", space_before=False))


# ---- scripts -----------------------------------------------------------------------------------------------------------


def _with_scripts(runs: Sequence[Run]) -> Iterator[Run]:
    """Yield the runs with lowered type before the raised type that stands over it, and indices of indices as signs."""
    i = 0
    while i < len(runs):
        j = i
        while j < len(runs) and runs[j].script and (j == i or not runs[j].space_before):
            j += 1
        if j < len(runs) and j > i and runs[j].text[:1] in LARGE and _overlap(runs[i], runs[j]):  # a limit over its sign
            yield replace(runs[j], space_before=runs[i].space_before)
            yield from _nested([replace(r, space_before=False) for r in runs[i:j]])
            j += 1
        elif j - i > 1:
            yield from _stacked(runs[i:j])
        elif j > i:
            yield runs[i]
        else:
            yield runs[i]
            j = i + 1
        i = j


def _overlap(run: Run, other: Run) -> bool:
    return run.box.x_interval.overlap(other.box.x_interval) > 0


def _stacked(runs: Sequence[Run]) -> Iterator[Run]:
    groups = _indices(runs)
    under, over = ([g for g in groups if g[0].script == script] for script in ("sub", "sup"))
    if any(_overlap(u[0], o[0]) for u in under for o in over):
        groups = under + over
    space = runs[0].space_before
    for run in (run for group in groups for run in _nested(group)):
        yield replace(run, space_before=space)
        space = False


def _indices(runs: Sequence[Run]) -> list[list[Run]]:
    """Return the runs by index: smaller type right behind an index belongs to it, wherever it stands against the line."""
    groups: list[list[Run]] = []
    for run in runs:
        first = groups[-1][0] if groups else None
        behind = first is not None and run.box.x0 >= groups[-1][-1].box.x_interval.middle
        if first is not None and behind and (run.script == first.script or _is_smaller(run, first)):
            groups[-1].append(replace(run, script=first.script))
        else:
            groups.append([run])
    return groups


def _is_smaller(run: Run, other: Run) -> bool:
    return run.size < other.size and not is_size(run.size, other.size)


def _nested(runs: Sequence[Run]) -> Iterator[Run]:
    """Yield the runs of one index, in which smaller type off its line is an index of its own."""
    size = max(r.size for r in runs)
    base = next(_baseline(r) for r in runs if r.size == size)
    for run in runs:
        shift = base - _baseline(run)
        if is_size(run.size, size) or abs(shift) <= SCRIPT_SHIFT_EM * size:
            yield run
        else:
            yield replace(run, text=raised(run.text) if shift > 0 else lowered(run.text))


def _baseline(run: Run) -> float:
    return run.box.y1 - DESCENT_EM * run.size


# ---- accents -----------------------------------------------------------------------------------------------------------


def _with_accents(members: Sequence[tuple[int, Word]]) -> dict[int, list[Char]]:
    """Return the characters of each word, accents put on the letters that they stand over, in whatever word these stand."""
    chars = {i: list(word.chars) for i, word in members}
    for i, word in members:
        if not any(c.text in ACCENTS for c in word.chars):
            continue
        for char in word.chars:
            accent = ACCENTS.get(char.text)
            if accent is None or not any(c is char for c in chars[i]):
                continue
            at = _under(char, i, chars)
            if at is not None:
                k, n = at
                letter = chars[k][n]
                chars[k][n] = replace(letter, text=_accented(letter.text, accent))
                chars[i] = [c for c in chars[i] if c is not char]
    return chars


def _under(accent: Char, word: int, chars: Mapping[int, list[Char]]) -> tuple[int, int] | None:
    """Return the letter that an accent stands over: the one behind it, the one before it, else one of another word."""
    at = next(n for n, c in enumerate(chars[word]) if c is accent)
    beside = [(word, n) for n in (at + 1, at - 1) if 0 <= n < len(chars[word])]
    others = [(k, n) for k in chars if k != word for n in range(len(chars[k]))]
    over = next((place for place in (*beside, *others) if _stands_over(accent, chars[place[0]][place[1]])), None)
    return over or (_struck(accent, [*others, *((word, n) for n in range(len(chars[word])))], chars))


def _struck(accent: Char, places: Sequence[tuple[int, int]], chars: Mapping[int, list[Char]]) -> tuple[int, int] | None:
    """Return the sign that a stroke of no width stands before: TeX sets it first, a space may be between."""
    if accent.text != _STROKE or accent.box.width:
        return None
    behind = [(k, n) for k, n in places if chars[k][n] is not accent and chars[k][n].box.x_interval.middle > accent.box.x0]
    first = min(behind, key=lambda place: (chars[place[0]][place[1]].box.x0, place), default=None)
    if first is None:
        return None
    sign = chars[first[0]][first[1]]
    is_near = 2 * (sign.box.x0 - accent.box.x1) < sign.size and sign.baseline == accent.baseline
    return first if is_near and unicodedata.category(sign.text[0]) == "Sm" else None


def _stands_over(accent: Char, letter: Char) -> bool:
    if accent.text == _STROKE:
        return not letter.text.isalnum() and letter.text not in ACCENTS and _shares(accent, letter)
    return letter.text.isalpha() and letter.text not in ACCENTS and _shares(accent, letter)


def _shares(accent: Char, letter: Char) -> bool:
    if accent.box.width == 0:
        return letter.box.x_interval.contains(accent.box.x0)
    shared = accent.box.x_interval.overlap(letter.box.x_interval)
    return 2 * shared > min(accent.box.width, letter.box.width)


def _accented(letter: str, accent: str) -> str:
    return unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + accent)
