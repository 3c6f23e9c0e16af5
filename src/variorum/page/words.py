"""Words from characters.

A word is a run of characters without white space on one line of the PDF's text. Leaders (runs of dots that lead the eye
from a label to a number) are cut out, so that they do not glue the two together. Boxes are set from the baseline and
the font size, since the ascents that fonts declare are useless (see `ASCENT_EM`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from variorum.geometry import Box
from variorum.page.hidden import is_invisible
from variorum.page.large_signs import BRACKET_PARTS, LargeSign, SignPlace, place_of
from variorum.page.model import Char, Word
from variorum.thresholds import ASCENT_EM, COORDINATE_DIGITS, DESCENT_EM, LEADER_RUN, QUARTER_TURN

LEADER_SIGNS = frozenset(".·…․‥_")


def words_of(raw: Mapping[str, Any], signs: Mapping[SignPlace, LargeSign] = MappingProxyType({})) -> tuple[Word, ...]:
    """Return the words of a PyMuPDF ``rawdict`` in its own order; boxes in points of the page as displayed.

    `signs` are the large signs of mathematics: level ones stand on the writing line that they belong to.
    """
    found: list[Word] = []
    line_number = 0
    for block_number, block in enumerate(raw["blocks"]):
        for line in block.get("lines", ()):
            angle = _angle(line["dir"])
            for spans, is_visible in _by_visibility(line["spans"]):
                for run in _runs(_characters(spans, angle, signs)):
                    parts = (part for stretch in _on_one_line(run, angle) for part in _without_leaders(stretch))
                    words = (_word(part, angle, block_number, line_number) for part in parts)
                    found.extend(words if is_visible else (replace(w, is_visible=False) for w in words))
            line_number += 1
    return tuple(found)


def _angle(direction: tuple[float, float]) -> int:
    """Return the direction of writing in degrees counter-clockwise, to the nearest quarter turn; -1 when it is oblique."""
    dx, dy = round(direction[0]), round(direction[1])
    quarter = {(1, 0): 0, (0, -1): 1, (-1, 0): 2, (0, 1): -1}.get((dx, dy))
    if quarter is None:
        return -1
    return quarter * QUARTER_TURN if quarter >= 0 else QUARTER_TURN * 2 + QUARTER_TURN


def _by_visibility(spans: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Sequence[Mapping[str, Any]], bool]]:
    """Yield the spans of a line that can be seen, and those that cannot; mostly there are no others."""
    unseen = [span for span in spans if is_invisible(span)]
    if len(unseen) < len(spans):
        yield [span for span in spans if span not in unseen] if unseen else spans, True
    if unseen:
        yield unseen, False


def _characters(spans: Sequence[Mapping[str, Any]], angle: int, signs: Mapping[SignPlace, LargeSign]) -> Iterator[Char]:
    spanned = [(span, char) for span in spans for char in span["chars"]]
    for i, (span, char) in enumerate(spanned):
        size, font = float(span["size"]), str(span["font"])
        sign = signs.get(place_of(font, char)) if signs else None
        if sign is not None and not char["c"].isspace():
            y = sign.baseline if angle == 0 else char["origin"][1]
            yield _character({**char, "c": sign.text, "origin": (char["origin"][0], y)}, size, font, angle)
            continue
        if angle == 0 and i + 1 < len(spanned) and _is_in_ligature(char, spanned[i + 1][1]):
            x0, y0, _, y1 = char["bbox"]
            char = {**char, "bbox": (x0, y0, x0, y1)}
        yield _character(char, size, font, angle)


def _is_in_ligature(char: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether a letter takes no room of its own, as those of a ligature behind its first do: what follows begins where
    the letter does."""
    return str(char["c"]).isalpha() and bool(char["origin"] == after["origin"])


def _character(char: Mapping[str, Any], size: float, font: str, angle: int) -> Char:
    x0, y0, x1, y1 = char["bbox"]
    ox, oy = char["origin"]
    up, down = ASCENT_EM * size, DESCENT_EM * size
    if angle == 0:
        box, baseline = Box.of((x0, oy - up, x1, oy + down)), oy
    elif angle == QUARTER_TURN:
        box, baseline = Box.of((ox - up, y0, ox + down, y1)), ox
    elif angle == 2 * QUARTER_TURN:
        box, baseline = Box.of((x0, oy - down, x1, oy + up)), oy
    elif angle > 0:
        box, baseline = Box.of((ox - down, y0, ox + up, y1)), ox
    else:
        box, baseline = Box.of((x0, y0, x1, y1)), oy
    return Char(
        char["c"], box.rounded(COORDINATE_DIGITS), round(baseline, COORDINATE_DIGITS), round(size, COORDINATE_DIGITS), font
    )


def _runs(chars: Iterable[Char]) -> Iterator[list[Char]]:
    """Yield runs of characters between white space; control characters separate too."""
    run: list[Char] = []
    for char in chars:
        if char.text.isspace() or not char.text.isprintable():
            if char.text == "\u00ad":  # a soft hyphen is a printed hyphen at a line's end
                run.append(Char("-", char.box, char.baseline, char.size, char.font))
                continue
            if not char.text.isspace() and ord(char.text[:1] or "\0") >= ord(" "):
                run.append(char)  # private-use and unassigned signs are printed signs all the same
                continue
            if run:
                yield run
                run = []
        else:
            run.append(char)
    if run:
        yield run


def _on_one_line(run: list[Char], angle: int) -> Iterator[list[Char]]:
    """Yield the parts of a run on one writing line each: type of one size that is shifted by more than half of it is no index
    and no accent, but the numerator of a fraction, say. The parts that a tall bracket is made of stay together."""
    part: list[Char] = []
    for char in run:
        last = next((c for c in reversed(part) if c.size == char.size), None)
        is_shifted = last is not None and angle >= 0 and 2 * abs(char.baseline - last.baseline) > char.size
        if is_shifted and char.text not in BRACKET_PARTS and char.size >= max(c.size for c in part):
            yield part
            part = []
        part.append(char)
    if part:
        yield part


def _without_leaders(run: list[Char]) -> Iterator[list[Char]]:
    """Yield the parts of a run between leaders."""
    part: list[Char] = []
    i = 0
    while i < len(run):
        j = i
        while j < len(run) and run[j].text == run[i].text and run[i].text in LEADER_SIGNS:
            j += 1
        if j - i >= LEADER_RUN:
            if part:
                yield part
            part, i = [], j
        else:
            part.append(run[i])
            i += 1
    if part:
        yield part


def _word(chars: list[Char], angle: int, block: int, line: int) -> Word:
    sizes = Counter(c.size for c in chars)
    size = max(sizes, key=lambda s: (sizes[s], s))
    fonts = Counter(c.font for c in chars if c.size == size)
    font = max(fonts, key=lambda f: (fonts[f], f))
    base = Counter(c.baseline for c in chars if c.size == size)
    baseline = max(base, key=lambda b: (base[b], b))
    main = [c.box for c in chars if c.size == size]
    whole, core = Box.around(c.box for c in chars), Box.around(main)
    # across the writing direction the word is as tall as its main characters; exponents do not make it taller
    if angle in (0, 2 * QUARTER_TURN):
        box = Box(whole.x0, core.y0, whole.x1, core.y1)
    elif angle > 0:
        box = Box(core.x0, whole.y0, core.x1, whole.y1)
    else:
        box = whole
    return Word("".join(c.text for c in chars), box, baseline, size, font, angle, block, line, tuple(chars))
