"""Display equations: which lines of a page are mathematics set apart, the number of each, and its text.

A display stands between lines of prose, in one column, set in from its left edge or filled with mathematics from edge to edge.
Evidence: mathematical fonts and signs, words that are no words of prose, the place in the column, the number in brackets at the
column's edge, and the boxes of class ``formula`` of the layout model where it was asked. Prose with mathematics in it begins at
the column's edge and has words; it is left alone, and so are figures' labels, code and lists.

One entry for each number: the lines of an aligned display that carry their own numbers are equations of their own, and lines
that go on with a relation or an operator belong to the equation that they go on with.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from variorum.geometry import Box, Interval
from variorum.layout.formula_signs import (
    CONTINUING,
    FUNCTIONS,
    LARGE,
    RELATIONS,
    is_mathematical_font,
    is_mathematical_sign,
)
from variorum.layout.formula_text import formula_text
from variorum.layout.model import BodyStyle, LineId, PagePrint, PrintLine, is_bold, is_monospaced, is_size
from variorum.thresholds import LINES_APART

_NUMBER: Final = re.compile(r"[(（]\s*((?:[A-Z]{1,2}|[IVX]+)?[.\-]?\d{1,3}(?:[.\-]\d{1,3})*\s?[a-z]?['′*]?)\s*[)）]$")

_STEP: Final = re.compile(r"\d+:?\s+[^\W\d]")


@dataclass(frozen=True, slots=True)
class FoundEquation:
    """A display equation: the lines that belong to it, its box in the page's view, its printed number without brackets (None
    without one), its text in reading order, and by what it was found."""

    lines: tuple[LineId, ...]
    box: Box
    number: str | None
    text: str
    evidence: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """A free line in its column: what share of it is mathematics and prose, and the number that it is or ends in."""

    line: PrintLine
    maths: float
    prose: float
    words: int
    number: str | None
    is_number: bool
    has_relation: bool
    opens_with_word: bool

    @property
    def box(self) -> Box:
        return self.line.box


def find_equations(page: PagePrint, lines: Sequence[PrintLine], style: BodyStyle) -> tuple[FoundEquation, ...]:
    """Return the display equations among the free lines of a page, from top to bottom, column by column.

    `lines` are those that no table, figure, caption or furniture has claimed; each is in one equation at most. Boxes are
    points of the page's view and hold the number.
    """
    level = [line for line in lines if line.angle == 0]
    columns = text_columns(level, style)
    formulas = [box for kind, box in page.layout_boxes if kind == "formula"]
    found: list[FoundEquation] = []
    for column in columns:
        own = [line for line in level if _column_of(line, columns) is column]
        pieces = [_piece(line, column, style) for line in own]
        for zone in _zones(pieces, column, style, formulas):
            found.extend(_equations(zone, style))
    return tuple(found)


def text_columns(lines: Sequence[PrintLine], style: BodyStyle) -> tuple[Interval, ...]:
    """Return the columns of text of a page from left to right, measured over its lines of prose; the whole extent of the lines
    where no two lines begin and end alike."""
    prose = [line for line in lines if is_size(line.size, style.size) and len(line.words) > 2 and _letters(line) > 0]
    starts: Counter[int] = Counter()
    for line in prose:
        starts[_step(line.box.x0, style)] += round(line.box.width)
    chosen: list[Interval] = []
    for start, _ in sorted(starts.items(), key=lambda item: (-item[1], item[0])):
        own = [line for line in prose if abs(_step(line.box.x0, style) - start) <= 1]
        if len(own) > 1:
            usual = sorted(line.box.x1 for line in own)[len(own) // 2]
            extent = Interval(min(line.box.x0 for line in own), usual)
            if all(extent.overlap(other) == 0 for other in chosen):
                chosen.append(extent)
    if not chosen:
        boxes = [line.box for line in lines]
        return (Box.around(boxes).x_interval,) if boxes else ()
    return tuple(_whole(chosen, prose, style))


def _whole(chosen: Sequence[Interval], prose: Sequence[PrintLine], style: BodyStyle) -> Iterator[Interval]:
    """Yield the columns, none reaching into another: from the leftmost edge that two lines share to where most lines end."""
    ordered = sorted(chosen)
    for i, core in enumerate(ordered):
        low = ordered[i - 1].end if i else float("-inf")
        high = ordered[i + 1].start if i + 1 < len(ordered) else float("inf")
        own = [line.box for line in prose if line.box.x_interval.overlap(core) > 0 and low < line.box.x0 and line.box.x1 < high]
        lefts, rights = Counter(_step(b.x0, style) for b in own), Counter(_step(b.x1, style) for b in own)
        start = min((b.x0 for b in own if lefts[_step(b.x0, style)] > 1), default=core.start)
        edge = max(rights, key=lambda step: (rights[step], step), default=None)
        end = max((b.x1 for b in own if _step(b.x1, style) == edge and rights[edge] > 1), default=core.end)
        yield Interval(min(start, core.start), max(end, core.end))


def _step(x: float, style: BodyStyle) -> int:
    return round(2 * x / style.size)


def _letters(line: PrintLine) -> int:
    return sum(c.isalpha() for c in line.plain)


def _column_of(line: PrintLine, columns: Sequence[Interval]) -> Interval | None:
    """Return the column in which most of a line stands; None for a line across columns."""
    shared = [c for c in columns if c.overlap(line.box.x_interval) > 0]
    if not shared:
        middle = line.box.x_interval.middle
        return min(columns, key=lambda c: (abs(c.middle - middle), c), default=None)
    return max(shared, key=lambda c: (c.overlap(line.box.x_interval), -c.start))


# ---- lines -------------------------------------------------------------------------------------------------------------


def _tokens(line: PrintLine) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a line between spaces, and whether each is all in text fonts."""
    text, plain = "", True
    for run in line.runs:
        is_text = not is_mathematical_font(run.font) and not run.script
        for k, part in enumerate(run.text.split(" ")):
            if (k or run.space_before) and text:
                yield text, plain
                text, plain = "", True
            text += part
            plain = plain and is_text
    if text:
        yield text, plain


def _is_word(token: str, is_plain: bool) -> bool:
    bare = token.strip(".,;:()[]“”\"'’-–")
    parts = [p for p in re.split(r"[-–/’']", bare) if p]
    return is_plain and len(bare) > 1 and bool(parts) and all(p.isalpha() for p in parts) and bare.lower() not in FUNCTIONS


def _piece(line: PrintLine, column: Interval, style: BodyStyle) -> _Piece:
    tokens = list(_tokens(line))
    words = [t for t, plain in tokens if _is_word(t, plain)]
    total = sum(len(t) for t, _ in tokens) or 1
    maths = sum(len(r.text) if is_mathematical_font(r.font) else sum(map(is_mathematical_sign, r.text)) for r in line.runs)
    number, alone = _number_at_edge(line, column, style)
    return _Piece(
        line=line,
        maths=maths / total,
        prose=sum(map(len, words)) / total,
        words=len(words),
        number=number,
        is_number=alone,
        has_relation=any(c in RELATIONS for c in line.plain),
        opens_with_word=bool(tokens) and tokens[0][1] and len(tokens[0][0]) > 1 and tokens[0][0].isalpha(),
    )


def _number_at_edge(line: PrintLine, column: Interval, style: BodyStyle) -> tuple[str | None, bool]:
    """Return the number in brackets with which a line ends at the column's right edge, or that stands alone at its left edge;
    and whether the line is nothing else."""
    text = line.plain
    match = _NUMBER.search(text)
    if match is None:
        return None, False
    alone = match.start() == 0
    at_right = line.box.x1 >= column.end - style.size
    at_left = alone and abs(line.box.x0 - column.start) <= style.size
    if not (at_right or at_left) or (not alone and not text[match.start() - 1].isspace()):
        return None, False
    return re.sub(r"\s", "", match.group(1)), alone


# ---- zones -------------------------------------------------------------------------------------------------------------


def _zones(pieces: Sequence[_Piece], column: Interval, style: BodyStyle, formulas: Sequence[Box]) -> Iterator[list[_Piece]]:
    """Yield the stretches between lines of prose that hold mathematics, each as its lines from top to bottom."""
    prose = [p for p in pieces if _is_prose(p, pieces, column, style, formulas)]
    prose += [p for p in pieces if p not in prose and _goes_on_from(p, prose, style)]
    fixed = {p.line.index for p in prose}
    zone: list[_Piece] = []
    for piece in sorted(pieces, key=lambda p: (p.box.y_interval.middle, p.box.x0)):
        if piece.line.index in fixed:
            if zone:
                yield from _parted(zone, style)
            zone = []
        elif not any(2 * p.box.y_interval.overlap(piece.box.y_interval) > piece.box.height for p in prose):
            zone.append(piece)
    if zone:
        yield from _parted(zone, style)


def _parted(zone: list[_Piece], style: BodyStyle) -> Iterator[list[_Piece]]:
    """Yield the parts of a stretch that white of more than two lines parts, where they hold mathematics."""
    part: list[_Piece] = []
    low = 0.0
    for piece in sorted(zone, key=lambda p: (p.box.y0, p.box.x0)):
        if part and piece.box.y0 - low > LINES_APART * style.leading:
            if _is_display(part, style):
                yield part
            part = []
        low = max(low, piece.box.y1) if part else piece.box.y1
        part.append(piece)
    if part and _is_display(part, style):
        yield part


def _is_prose(piece: _Piece, pieces: Sequence[_Piece], column: Interval, style: BodyStyle, formulas: Sequence[Box]) -> bool:
    """Return whether a line is running text: words, from the column's edge, and no number of an equation beside it."""
    is_set_in = piece.box.x0 - column.start > style.size
    if piece.number is None and piece.opens_with_word and not is_set_in:
        return True
    if piece.is_number or not piece.words:
        return False
    if is_monospaced(piece.line.font):
        return True
    if piece.number is not None and is_set_in and (piece.has_relation or piece.maths > piece.prose):
        return False
    ends_early = column.end - piece.box.x1 > style.size
    beside = [p for p in pieces if p is not piece and _are_level(p, piece)]
    states = piece.maths > 0 or any(p.has_relation for p in (piece, *beside))
    if is_set_in and ends_early and states and any(p.is_number for p in beside):
        return False
    in_formula = any(box.contains_centre_of(piece.box) for box in formulas)
    if in_formula and is_set_in and piece.has_relation:
        return False
    if not is_set_in:
        return True
    return piece.prose >= piece.maths or not ends_early


def _are_level(piece: _Piece, other: _Piece) -> bool:
    shared = piece.box.y_interval.overlap(other.box.y_interval)
    return 2 * shared > min(piece.box.height, other.box.height)


def _goes_on_from(piece: _Piece, prose: Sequence[_Piece], style: BodyStyle) -> bool:
    """Return whether a line without a number is the next line of a paragraph: it begins where that begins, at its leading."""
    return piece.number is None and any(
        piece.line.baseline > p.line.baseline
        and 2 * (piece.line.baseline - p.line.baseline - style.leading) <= style.leading
        and abs(piece.box.x0 - p.box.x0) * 2 <= style.size
        for p in prose
    )


def _is_display(zone: Sequence[_Piece], style: BodyStyle) -> bool:
    """Return whether a stretch is an equation: it states something in mathematical type of the text's size."""
    core = [p for p in zone if not p.is_number]
    if not core:
        return False
    length = sum(len(p.line.plain) for p in core)
    maths = sum(p.maths * len(p.line.plain) for p in core)
    states = any(p.has_relation for p in core) or any(c in LARGE for p in core for c in p.line.plain)
    numbered = any(p.number is not None for p in zone)
    if numbered:
        return maths > 0 or states
    if any(_is_step(p.line) for p in core):
        return False
    of_size = any(is_size(r.size, style.size) for p in core for r in p.line.runs)
    return states and of_size and 2 * maths > length * 1 / 2


def _is_step(line: PrintLine) -> bool:
    """Return whether a line is one of an algorithm: it has a word in bold text type, or begins with its number."""
    bold = any(is_bold(r.font) and len(r.text) > 1 and r.text.isalpha() and not is_mathematical_font(r.font) for r in line.runs)
    return bold or _STEP.match(line.plain) is not None


# ---- equations ---------------------------------------------------------------------------------------------------------


def _equations(zone: Sequence[_Piece], style: BodyStyle) -> Iterator[FoundEquation]:
    for group in _groups(zone, style):
        numbers = [p.number for p in group if p.number is not None]
        number = numbers[0] if numbers else None
        text = formula_text([p.line for p in group if not p.is_number])
        if number is not None:
            text = _NUMBER.sub("", text).strip()
        yield FoundEquation(
            lines=tuple(sorted(p.line.id for p in group)),
            box=Box.around(box for p in group for box in (p.box, *(run.box for run in p.line.runs))),
            number=number,
            text=text,
            evidence="a number at the column's edge" if number is not None else "mathematical type set apart from the text",
        )


def _groups(zone: Sequence[_Piece], style: BodyStyle) -> list[list[_Piece]]:
    """Return the lines of a stretch by equation: one for each number, rows that go on with it, rows without any."""
    groups: list[list[list[_Piece]]] = []
    for row in _rows(zone, style):
        numbered = groups and any(p.number is not None for r in groups[-1] for p in r)
        goes_on = groups and not _has_number(row) and (_goes_on(row) or _is_open(groups[-1][-1]))
        if groups and (not numbered or goes_on):
            groups[-1].append(row)
        else:
            groups.append([row])
    return [[p for row in group for p in row] for group in groups]


def _has_number(row: Sequence[_Piece]) -> bool:
    return any(p.number is not None for p in row)


def _goes_on(row: Sequence[_Piece]) -> bool:
    first = min((p for p in row if not p.is_number), key=lambda p: p.box.x0, default=None)
    return first is None or first.line.plain[:1] in CONTINUING


def _is_open(row: Sequence[_Piece]) -> bool:
    """Return whether a row ends in an operator or leaves a bracket open, so that the next goes on with it."""
    text = "".join(p.line.plain for p in sorted(row, key=lambda p: p.box.x0) if not p.is_number)
    opened = sum(text.count(a) - text.count(b) for a, b in ("()", "[]", "{}"))
    return opened > 0 or text[-1:] in CONTINUING


def _rows(zone: Sequence[_Piece], style: BodyStyle) -> list[list[_Piece]]:
    """Return the lines of a stretch by row: what overlaps in height is one row, unless it holds two numbers; limits and other
    small type between rows go to the nearest."""
    numbers = [p for p in zone if p.is_number]
    small = [
        p
        for p in zone
        if p.line.size < style.size and not is_size(p.line.size, style.size) and not any(_are_level(p, n) for n in numbers)
    ]
    large = [p for p in zone if p not in small] or list(zone)
    rows: list[list[_Piece]] = []
    low = float("-inf")
    for piece in sorted(large, key=lambda p: (p.box.y0, p.box.x0)):
        if rows and piece.box.y0 < low:
            rows[-1].append(piece)
            low = max(low, piece.box.y1)
        else:
            rows.append([piece])
            low = piece.box.y1
    rows = list(itertools.chain.from_iterable(_by_number(row) for row in rows))
    for piece in small if len(large) < len(zone) else ():
        nearest = min(range(len(rows)), key=lambda k: (min(_apart(piece, p) for p in rows[k] if p not in small), k))
        rows[nearest].append(piece)
    return rows


def _apart(piece: _Piece, other: _Piece) -> float:
    """Return how far two lines are from each other: in height, or beside each other where they are on one height."""
    aside = max(0.0, piece.box.x0 - other.box.x1, other.box.x0 - piece.box.x1)
    return max(0.0, piece.box.y0 - other.box.y1, other.box.y0 - piece.box.y1) + aside


def _by_number(row: list[_Piece]) -> list[list[_Piece]]:
    """Return a row cut between its numbers, where it has several: every piece goes to the number nearest in height."""
    numbers = sorted((p for p in row if p.number is not None), key=lambda p: p.line.baseline)
    if len(numbers) < 2:
        return [row]
    out: list[list[_Piece]] = [[] for _ in numbers]
    for piece in row:
        nearest = min(
            range(len(numbers)), key=lambda k: (abs(numbers[k].box.y_interval.middle - piece.box.y_interval.middle), k)
        )
        out[nearest].append(piece)
    return [part for part in out if part]
