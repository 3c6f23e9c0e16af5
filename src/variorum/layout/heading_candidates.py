"""Which lines could be headings: those of a type of their own, those with a number, and first words in a type of their own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from variorum.geometry import Box, Interval
from variorum.layout.heading_numbers import HeadingNumber, numbers_at_start
from variorum.layout.model import BodyStyle, PaperPrint, PrintLine, Run, is_bold, is_italic, is_monospaced, is_size
from variorum.layout.scripts import text_of_runs
from variorum.thresholds import WORD_GAP_IN_LABEL_EM, WORD_SPACES_PER_GAP

CLOSING: Final = (".", ":", "—", "–", "?", "!")
"""What the words of a heading that runs in end with."""
_BULLET: Final = re.compile(r"(?:[•◦▪‣●○■–—\-*·∙►▶✓†‡§¶∗]|\[\d+\])(?!\w)")
_MATHEMATICAL: Final = ("cmmi", "cmsy", "cmex", "msam", "msbm", "math", "symbol", "rsfs", "eufm", "mtmi", "stix")


@dataclass(frozen=True, slots=True)
class TypeStyle:
    """How a stretch of print is set: its size (the same for sizes that look the same), font, weight, slant, and whether all
    its letters are capitals."""

    size: float
    font: str
    is_bold: bool
    is_italic: bool
    is_caps: bool


@dataclass(frozen=True, slots=True)
class Row:
    """What stands on one baseline of a column: mostly one line, several where a number or the words of a heading that runs in
    are set off by wide white. `start` and `stop` are positions in the given lines."""

    start: int
    stop: int
    lines: tuple[PrintLine, ...]
    runs: tuple[Run, ...]
    box: Box
    style: TypeStyle

    @property
    def main(self) -> PrintLine:
        """Return the line with most of the text."""
        return max(self.lines, key=lambda line: len(line.plain))

    @property
    def page_index(self) -> int:
        """Return the page on which the row stands."""
        return self.lines[0].page_index

    @property
    def text(self) -> str:
        """Return the whole text."""
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Lines that may be a heading.

    `start` and `stop` are positions in the lines that were given. `is_run_in` says that a paragraph goes on behind the words;
    `runs` is how many runs of the last line are then the heading's, None where it is the whole line. `above` and `below` are
    the distances of the baselines to the lines above and below in its column (None: there is none on the page), `column` is
    where the column lies. `before` and `after` are the rows around it in reading order on its page; `rest` and `separation`
    are the text on the same line behind the words of a heading that runs in, and the white before it.
    """

    start: int
    stop: int
    lines: tuple[PrintLine, ...]
    is_run_in: bool
    runs: int | None
    text: str
    numbers: tuple[HeadingNumber, ...]
    style: TypeStyle
    box: Box
    above: float | None
    below: float | None
    column: Interval
    before: Row | None
    after: Row | None
    rest: str = ""
    separation: float = 0.0
    n_rows: int = 1

    @property
    def first(self) -> PrintLine:
        """Return the first line."""
        return self.lines[0]

    @property
    def last(self) -> PrintLine:
        """Return the last line."""
        return self.lines[-1]

    @property
    def name(self) -> str:
        """Return the words behind the number that is read first."""
        return self.text[self.numbers[0].end :] if self.numbers else self.text

    @property
    def begins_small(self) -> bool:
        """Return whether the first letter or digit of the words is a small letter."""
        return next((c for c in self.name if c.isalnum()), "").islower()


@dataclass(frozen=True, slots=True)
class TypeScale:
    """The types of a paper: which size stands for each, the type of running text, the share of each in [0, 1]."""

    sizes: Mapping[float, float]
    body: TypeStyle
    shares: Mapping[TypeStyle, float]

    def style_of(self, runs: Sequence[Run]) -> TypeStyle:
        """Return the type of most letters of the runs, at the largest size of any word in it."""
        return _style_of(runs, self.sizes)


def type_scale(paper: PaperPrint, body: BodyStyle) -> TypeScale:
    """Return the types of all level lines of a paper, and how much is set in each."""
    lines = [line for page in paper.pages for line in page.lines if line.angle == 0]
    counts: Counter[float] = Counter()
    for line in lines:
        for run in line.runs:
            counts[run.size] += len(run.text)
    sizes: dict[float, float] = {}
    leaders: list[float] = []
    for size, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        near = [s for s in leaders if is_size(s, size)]
        sizes[size] = min(near, key=lambda s: (abs(s - size), s)) if near else size
        if not near:
            leaders.append(size)
    chars: Counter[TypeStyle] = Counter()
    for line in lines:
        chars[_style_of(line.runs, sizes)] += len(line.plain)
    total = sum(chars.values())
    own = [s for s in chars if is_size(s.size, body.size) and s.font == body.font and not s.is_caps]
    main = max(own, key=lambda s: (chars[s], s.size)) if own else max(chars, key=lambda s: (chars[s], s.size))
    return TypeScale(sizes, main, {s: n / total for s, n in chars.items()})


def _style_of(runs: Sequence[Run], sizes: Mapping[float, float]) -> TypeStyle:
    worded = [r for r in runs if not r.script and any(c.isalpha() for c in r.text) and not is_mathematical(r.font)]
    worded = worded or list(runs)
    counts: Counter[str] = Counter()
    for run in worded:
        counts[run.font] += len(run.text)
    font = max(counts, key=lambda f: (counts[f], f))
    letters = [c for r in worded for c in r.text if c.isalpha()]
    return TypeStyle(
        size=max(sizes.get(r.size, r.size) for r in worded if r.font == font),
        font=font,
        is_bold=is_bold(font),
        is_italic=is_italic(font),
        is_caps=len(letters) > 1 and all(c.isupper() for c in letters),
    )


def is_mathematical(font: str) -> bool:
    """Return whether a font's name says that it is one of signs and variables."""
    return any(mark in font.lower() for mark in _MATHEMATICAL)


def rows_of(lines: Sequence[PrintLine], scale: TypeScale) -> list[Row]:
    """Return the lines as rows."""
    rows = []
    i = 0
    while i < len(lines):
        j = i + 1
        while j < len(lines) and _is_on_one_line(lines[j - 1], lines[j]):
            j += 1
        own = tuple(lines[i:j])
        runs = own[0].runs + tuple(r for line in own[1:] for r in (replace(line.runs[0], space_before=True), *line.runs[1:]))
        rows.append(Row(i, j, own, runs, Box.around(line.box for line in own), scale.style_of(runs)))
        i = j
    return rows


def _is_on_one_line(left: PrintLine, right: PrintLine) -> bool:
    size = max(left.size, right.size)
    return (
        left.page_index == right.page_index
        and 2 * abs(left.baseline - right.baseline) < size
        and 0 <= right.box.x0 - left.box.x1 <= WORD_GAP_IN_LABEL_EM * size
    )


def find_candidates(
    paper: PaperPrint, lines: Sequence[PrintLine], body: BodyStyle, scale: TypeScale, named: frozenset[int]
) -> tuple[Candidate, ...]:
    """Return the candidates in reading order.

    `named` are the positions of lines that are candidates whatever their type: a bookmark or a known name says the same.
    """
    rows = rows_of(lines, scale)
    page_lines = {p.page_index: [line for line in p.lines if line.angle == 0] for p in paper.pages}
    found: list[Candidate] = []
    k = 0
    while k < len(rows):
        group = _group(rows, k, body, scale, named)
        if not group:
            k += 1
            continue
        found.append(_candidate(rows, k, group, body, scale, page_lines))
        k += len(group.rows)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Group:
    """The rows of a candidate, and how many runs of the last one are its own (None: all)."""

    rows: tuple[Row, ...]
    runs: int | None = None


def _group(rows: Sequence[Row], k: int, body: BodyStyle, scale: TypeScale, named: frozenset[int]) -> _Group | None:
    """Return the rows of the candidate that begins at row k, or None."""
    first = rows[k]
    if not _has_word(first.runs) or begins_item(first.text) or all(is_monospaced(r.font) for r in first.runs):
        return None
    lead = leading_runs(first, body, scale)
    if lead is not None:
        return _Group((first,), lead)
    is_named = any(p in named for p in range(first.start, first.stop))
    if is_plain(first.style, scale) and not is_named and not _is_numbered(first):
        return None
    group = [first]
    while k + len(group) < len(rows):
        nxt = rows[k + len(group)]
        lead = leading_runs(nxt, body, scale)
        if not _goes_on(group[-1], nxt, lead, body, scale, column_of(rows, k, k + 1)):
            break
        if lead is not None and is_named:
            break
        group.append(nxt)
        if lead is not None:
            return _Group(tuple(group), lead)
    return _Group(tuple(group))


def begins_item(text: str) -> bool:
    """Return whether a text begins with a bullet, a mark or a reference's number in brackets."""
    return _BULLET.match(text) is not None


def is_plain(style: TypeStyle, scale: TypeScale) -> bool:
    """Return whether a type is that of running text, or the same font in a smaller size."""
    return not style.is_caps and style.font == scale.body.font and style.size <= scale.body.size


def _has_word(runs: Sequence[Run]) -> bool:
    return any(a.isalpha() and b.isalpha() for r in runs for a, b in zip(r.text, r.text[1:], strict=False))


def _is_numbered(row: Row) -> bool:
    """Return whether a row in the type of running text begins with a number that is no word."""
    return any(n.kind != "letter" or n.word or n.is_closed or len(n.parts) > 1 for n in numbers_at_start(row.text))


def _goes_on(row: Row, nxt: Row, lead: int | None, body: BodyStyle, scale: TypeScale, column: Interval) -> bool:
    """Return whether a row is the next line of the same heading: same type, one line below, and the words needed a new line."""
    step = nxt.main.baseline - row.main.baseline
    leading = body.leading * row.style.size / body.size
    style = nxt.style if lead is None else scale.style_of(nxt.runs[:lead])
    if (
        row.page_index != nxt.page_index
        or step <= 0
        or 2 * (step - leading) > leading
        or style != row.style
        or row.box.x_interval.overlap(nxt.box.x_interval) <= 0
        or is_plain(style, scale)
        or (numbers_at_start(nxt.text) and numbers_at_start(row.text))
    ):
        return False
    if nxt.text[0].islower():
        return True
    width = nxt.box.width * len(nxt.text.split()[0]) / len(nxt.text)
    is_centred = all(2 * abs(r.box.x_interval.middle - column.middle) < row.style.size for r in (row, nxt))
    at_left = 2 * abs(row.box.x0 - column.start) < row.style.size
    return (is_centred and not at_left) or row.box.x1 + body.word_space + width > column.end


def leading_runs(row: Row, body: BodyStyle, scale: TypeScale) -> int | None:
    """Return how many runs at the beginning of a row are set in a type of their own, where text in another follows, or text
    behind wide white; else None.

    Mathematics and marks between words of one type are part of it.
    """
    runs = row.runs
    worded = [i for i, r in enumerate(runs) if not r.script and _letters(r) and not is_mathematical(r.font)]
    if not worded or any(r.font != runs[worded[0]].font for r in runs[: worded[0]] if not r.script):
        return None
    first = runs[worded[0]]
    if _is_plain(first, scale):
        return None
    end = 0
    wide = WORD_SPACES_PER_GAP * _word_space(runs, first, body)
    for i in worded:
        if runs[i].font != first.font and not is_small_caps_of(first, runs[i]):
            break
        is_apart = i > 0 and runs[i].box.x0 - runs[i - 1].box.x1 > wide
        if is_apart and end and not _is_number(runs[:i]):
            break
        end = i + 1
    while end < len(runs) and runs[end].font == first.font and not _letters(runs[end]):
        end += 1
    rest = [runs[i] for i in worded if i >= end]
    is_wide = end < len(runs) and runs[end].box.x0 - runs[end - 1].box.x1 > wide
    if not rest or (any(r.font == first.font for r in rest) and not is_wide and not any(_is_plain(r, scale) for r in rest)):
        return None
    while end < len(runs) and _is_closing(runs[end]):
        end += 1
    return end if end < len(runs) else None


def _word_space(runs: Sequence[Run], first: Run, body: BodyStyle) -> float:
    """Return the word space of a row in points: that of running text at its size, or what most of its own spaces reach in a
    line that is stretched to fill its column."""
    own = body.word_space * max(first.size / body.size, 1.0)
    gaps = sorted(b.box.x0 - a.box.x1 for a, b in pairwise(runs) if b.space_before and a.font == b.font == first.font)
    return max(own, gaps[(len(gaps) - 1) // 2]) if len(gaps) > 2 else own


def _is_number(runs: Sequence[Run]) -> bool:
    text = "".join((" " if r.space_before else "") + r.text for r in runs)
    return any(n.end == len(text) for n in numbers_at_start(text))


def is_small_caps_of(first: Run, run: Run) -> bool:
    """Return whether a run is small capitals that go on with a run of capitals: the same font, smaller."""
    return run.font == first.font and run.text.isupper() and first.text.isupper()


def _letters(run: Run) -> int:
    return sum(c.isalpha() for c in run.text)


def _is_plain(run: Run, scale: TypeScale) -> bool:
    return (not is_bold(run.font) and not is_italic(run.font)) or run.font == scale.body.font or is_mathematical(run.font)


def _is_closing(run: Run) -> bool:
    return run.text in CLOSING or run.text in (".—", ".–", ":—")


def column_of(rows: Sequence[Row], start: int, stop: int) -> Interval:
    """Return where the column of some rows lies: around the rows that follow in it; where none does, those before."""
    own = rows[start].box.x_interval
    for others, down in ((range(stop, len(rows)), True), (range(start - 1, -1, -1), False)):
        near = list(_in_column(rows, others, own, rows[start], down=down))
        if near:
            return Interval(min(b.x0 for b in near), max(b.x1 for b in near)).hull(own)
    return own


def _in_column(rows: Sequence[Row], places: Sequence[int], own: Interval, first: Row, *, down: bool) -> Iterator[Box]:
    for i in places:
        box = rows[i].box
        if rows[i].page_index != first.page_index or box.x_interval.overlap(own) <= 0:
            return
        if box.y0 < first.box.y0 if down else box.y0 > first.box.y0:
            return
        yield box


def _candidate(
    rows: Sequence[Row],
    k: int,
    group: _Group,
    body: BodyStyle,
    scale: TypeScale,
    page_lines: Mapping[int, Sequence[PrintLine]],
) -> Candidate:
    own = group.rows
    last = own[-1]
    head, tail = _cut(last, group.runs)
    lines = tuple(line for row in own[:-1] for line in row.lines) + head
    column = column_of(rows, k, k + len(own))
    styled = last.runs[: group.runs]
    runs = group.runs
    if runs is not None:
        runs -= sum(len(line.runs) for line in head[:-1])
    text = joined_text([r.text for r in own[:-1]] + [text_of_runs(styled)])
    page = page_lines[last.page_index]
    after = rows[k + len(own)] if k + len(own) < len(rows) else None
    before = rows[k - 1] if k else None
    return Candidate(
        start=own[0].start,
        stop=last.stop,
        lines=lines,
        is_run_in=group.runs is not None,
        runs=None if runs is None or runs == len(head[-1].runs) else runs,
        text=text,
        numbers=numbers_at_start(text),
        style=scale.style_of(styled if group.runs else tuple(r for row in own for r in row.runs)),
        box=Box.around([row.box for row in own[:-1]] + [r.box for r in styled]),
        above=_above(own[0].main, page, column),
        below=_below(last.main, page, column),
        column=column,
        before=before if before and before.page_index == own[0].page_index else None,
        after=after if after and after.page_index == last.page_index else None,
        rest=text_of_runs(tail),
        separation=tail[0].box.x0 - styled[-1].box.x1 if tail else 0.0,
        n_rows=len(own),
    )


def _cut(row: Row, runs: int | None) -> tuple[tuple[PrintLine, ...], tuple[Run, ...]]:
    """Return the lines of a row that the first runs reach into, and the runs behind them."""
    if runs is None:
        return row.lines, ()
    lines: list[PrintLine] = []
    count = 0
    for line in row.lines:
        if count >= runs:
            break
        lines.append(line)
        count += len(line.runs)
    return tuple(lines), row.runs[runs:]


def joined_text(parts: Sequence[str]) -> str:
    """Return the lines of a heading as one text; a hyphen at the end of a line stays, without a space behind it."""
    text = ""
    for part in parts:
        text += part if not text or text.endswith("-") else f" {part}"
    return text


def _above(line: PrintLine, page: Sequence[PrintLine], column: Interval) -> float | None:
    steps = [
        line.baseline - o.baseline for o in page if _is_beside(o, line, column) and 2 * (line.baseline - o.baseline) > line.size
    ]
    return min(steps, default=None)


def _below(line: PrintLine, page: Sequence[PrintLine], column: Interval) -> float | None:
    steps = [
        o.baseline - line.baseline for o in page if _is_beside(o, line, column) and 2 * (o.baseline - line.baseline) > line.size
    ]
    return min(steps, default=None)


def _is_beside(other: PrintLine, line: PrintLine, column: Interval) -> bool:
    return other.index != line.index and other.box.x_interval.overlap(column) > 0
