"""Tables drawn with letters, so that a test's input can be seen: every character is 6 pt wide, a line of writing 14 pt high.

Words stand where they are drawn. Single spaces (6 pt) are word spaces; three spaces and more (18 pt) are column gaps. A line of
``---`` is a rule of 0.5 pt, ``|`` a vertical rule as high as its line, ``+`` where the two meet; an empty line is white. The
upper left corner of the drawing lies at (60, 100) on a page of 595 x 842 pt. Type is 10 pt on a baseline 9 pt below the line's
top: a word is 9 pt high, from 2 to 11 pt below that top. `pdf_of` draws the same in Courier, which is 6 pt wide at 10 pt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from variorum.geometry import Box
from variorum.page.model import Char, PageEvidence, Rule, Word
from variorum.tables.model import TableContext

LEFT, TOP, WIDTH, HEIGHT = 60.0, 100.0, 595.0, 842.0
ADVANCE, SIZE, LINE, RULE_LINE, BASELINE, ASCENT, DESCENT, THICKNESS = 6.0, 10.0, 14.0, 4.0, 9.0, 7.0, 2.0, 0.5
_RULED = re.compile(r"^[-+| ]*--[-+| ]*$")


class Drawn(NamedTuple):
    """The words and rules of a drawing, and the box from its upper left corner to its last character and line."""

    words: tuple[Word, ...]
    rules: tuple[Rule, ...]
    box: Box


def word(
    text: str, x0: float, baseline: float, *, size: float = SIZE, font: str = "Courier", angle: int = 0, line: int = 0
) -> Word:
    """Return a word of characters 0.6 em wide that begins at x0."""
    wide = size * ADVANCE / SIZE
    top, bottom = baseline - size * ASCENT / SIZE, baseline + size * DESCENT / SIZE
    chars = tuple(
        Char(sign, Box(x0 + i * wide, top, x0 + (i + 1) * wide, bottom), baseline, size, font) for i, sign in enumerate(text)
    )
    return Word(text, Box(x0, top, x0 + len(text) * wide, bottom), baseline, size, font, angle, line, line, chars)


def across(y: float, x0: float, x1: float, thickness: float = THICKNESS) -> Rule:
    """Return a horizontal rule."""
    return Rule("horizontal", y, x0, x1, thickness)


def down(x: float, y0: float, y1: float, thickness: float = THICKNESS) -> Rule:
    """Return a vertical rule."""
    return Rule("vertical", x, y0, y1, thickness)


def drawn(picture: str, left: float = LEFT, top: float = TOP) -> Drawn:
    """Return the words and rules of a drawing."""
    lines = picture.strip("\n").split("\n")
    words: list[Word] = []
    rules: list[Rule] = []
    posts: dict[int, tuple[float, float]] = {}
    block, y = 0, top

    def x_of(column: float) -> float:
        return left + column * ADVANCE

    def post(column: int, start: float, end: float) -> None:
        old = posts.get(column)
        if old is not None and old[1] < start - RULE_LINE:
            rules.append(down(x_of(column + 1 / 2), *old))
            old = None
        posts[column] = (start if old is None else old[0], end)

    for number, line in enumerate(lines):
        if _RULED.match(line):
            middle = y + RULE_LINE / 2
            rules += [across(middle, x_of(m.start()), x_of(m.end())) for m in re.finditer(r"[-+]+", line)]
            for m in re.finditer(r"[|+]", line):
                post(m.start(), middle, middle)
            y += RULE_LINE
            continue
        for m in re.finditer(r"\|", line):
            post(m.start(), y, y + LINE)
        if not line.strip():
            block += 1
        for m in re.finditer(r"[^\s|]+", line):
            words.append(replace(word(m.group(), x_of(m.start()), y + BASELINE, line=number), block=block))
        y += LINE
    rules += [down(x_of(column + 1 / 2), *ends) for column, ends in posts.items()]
    rules.sort(key=lambda r: (r.orientation, r.position, r.start))
    return Drawn(tuple(words), tuple(rules), Box(left, top, x_of(max(map(len, lines))), y))


def page(*drawings: str | Drawn, width: float = WIDTH, height: float = HEIGHT) -> PageEvidence:
    """Return a page with these drawings on it; no two share a block of the PDF's text."""
    parts = [drawn(d) if isinstance(d, str) else d for d in drawings]
    words = tuple(replace(w, block=w.block + 100 * i) for i, p in enumerate(parts) for w in p.words)
    rules = tuple(r for p in parts for r in p.rules)
    return PageEvidence(0, width, height, words, rules, (), (), ())


def table(picture: str, caption: str = "") -> TableContext:
    """Return the table of a drawing."""
    words, rules, box = drawn(picture)
    return TableContext(box, words, rules, page(picture), caption=caption)


def pdf_of(picture: str, path: Path) -> Box:
    """Write a PDF of one page with the drawing on it; return the drawing's box."""
    import pymupdf

    words, rules, box = drawn(picture)
    pdf = pymupdf.open()
    sheet = pdf.new_page(width=WIDTH, height=HEIGHT)
    for item in words:
        sheet.insert_text((item.box.x0, item.baseline), item.text, fontsize=SIZE, fontname="cour")
    for r in rules:
        ends = (
            ((r.start, r.position), (r.end, r.position))
            if r.orientation == "horizontal"
            else ((r.position, r.start), (r.position, r.end))
        )
        sheet.draw_line(*ends, width=THICKNESS)
    pdf.save(path)
    pdf.close()
    return box


def words_by_text(words: tuple[Word, ...]) -> Callable[[str], Word]:
    """Return a function that gives the first word of that text."""

    def find(text: str) -> Word:
        for item in words:
            if item.text == text:
                return item
        raise LookupError(f"no word {text!r} in the drawing")

    return find


def rows_of(matrix: list[list[str]]) -> Iterator[str]:
    """Yield the rows of a grid in one line each, to be compared at a glance."""
    for row in matrix:
        yield " | ".join(row)
