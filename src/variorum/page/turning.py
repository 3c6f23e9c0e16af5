"""Turning a page so that its sideways text stands upright, and boxes back to the page as displayed.

The turned view of a page holds only the words of that direction; rules, fills and images turn with them.
"""

from __future__ import annotations

from dataclasses import replace

from variorum.geometry import Box
from variorum.page.model import Char, ImageBox, PageEvidence, Rule, Word
from variorum.thresholds import COORDINATE_DIGITS, QUARTER_TURN

UPWARDS = int(QUARTER_TURN)  # text that reads from bottom to top
UPSIDE_DOWN = UPWARDS * 2  # text that reads from right to left, its feet up
DOWNWARDS = UPSIDE_DOWN + UPWARDS  # text that reads from top to bottom


def turned(page: PageEvidence, angle: int) -> PageEvidence:
    """Return the page turned so that words of the angle (90, 180 or 270 degrees counter-clockwise) are upright; others are
    left out."""

    def box(b: Box) -> Box:
        return upright(b, angle, page.width, page.height)

    words = tuple(_word(w, angle, page) for w in page.words if w.angle == angle)
    return replace(
        page,
        width=page.width if angle == UPSIDE_DOWN else page.height,
        height=page.height if angle == UPSIDE_DOWN else page.width,
        words=words,
        rules=tuple(sorted((_rule(r, angle, page) for r in page.rules), key=lambda r: (r.orientation, r.position, r.start))),
        images=tuple(ImageBox(box(i.box), i.width_px, i.height_px) for i in page.images),
        fills=tuple(sorted(map(box, page.fills))),
        drawings=tuple(sorted(map(box, page.drawings))),
    )


def upright(box: Box, angle: int, width: float, height: float) -> Box:
    """Return a box of the page (its size given) in the view in which words of the angle are upright."""
    if angle == UPWARDS:
        return Box(height - box.y1, box.x0, height - box.y0, box.x1).rounded(COORDINATE_DIGITS)
    if angle == DOWNWARDS:
        return Box(box.y0, width - box.x1, box.y1, width - box.x0).rounded(COORDINATE_DIGITS)
    return _upside_down(box, width, height) if angle == UPSIDE_DOWN else box


def displayed(box: Box, angle: int, width: float, height: float) -> Box:
    """Return a box of the upright view as it lies on the page as displayed, whose size is given."""
    if angle == UPWARDS:
        return Box(box.y0, height - box.x1, box.y1, height - box.x0).rounded(COORDINATE_DIGITS)
    if angle == DOWNWARDS:
        return Box(width - box.y1, box.x0, width - box.y0, box.x1).rounded(COORDINATE_DIGITS)
    return _upside_down(box, width, height) if angle == UPSIDE_DOWN else box


def _upside_down(box: Box, width: float, height: float) -> Box:
    return Box(width - box.x1, height - box.y1, width - box.x0, height - box.y0).rounded(COORDINATE_DIGITS)


def _word(word: Word, angle: int, page: PageEvidence) -> Word:
    def box(b: Box) -> Box:
        return upright(b, angle, page.width, page.height)

    def line(value: float) -> float:
        if angle == UPSIDE_DOWN:
            return round(page.height - value, COORDINATE_DIGITS)
        return round(value if angle == UPWARDS else page.width - value, COORDINATE_DIGITS)

    chars = tuple(Char(c.text, box(c.box), line(c.baseline), c.size, c.font) for c in word.chars)
    return replace(word, box=box(word.box), baseline=line(word.baseline), angle=0, chars=chars)


def _rule(rule: Rule, angle: int, page: PageEvidence) -> Rule:
    box = upright(rule.box, angle, page.width, page.height)
    if angle == UPSIDE_DOWN:
        level = rule.orientation == "horizontal"
        start, end = (box.x0, box.x1) if level else (box.y0, box.y1)
        return Rule(rule.orientation, box.centre[1] if level else box.centre[0], start, end, rule.thickness)
    if rule.orientation == "vertical":
        return Rule("horizontal", box.centre[1], box.x0, box.x1, rule.thickness)
    return Rule("vertical", box.centre[0], box.y0, box.y1, rule.thickness)
