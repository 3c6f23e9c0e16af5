"""Which lines could be headings: those of a type of their own, those with a number, and first words in a type of their own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from variorum.geometry import Box, Interval
from variorum.layout.heading_numbers import HeadingNumber, numbers_at_start
from variorum.layout.model import BodyStyle, PaperPrint, PrintLine, Run, is_bold, is_italic, is_monospaced, is_size
from variorum.thresholds import WORD_GAP_IN_LABEL_EM

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
    """A line of print, with its number where that is a line of its own: positions in the given lines, runs, type."""

    start: int
    stop: int
    lines: tuple[PrintLine, ...]
    runs: tuple[Run, ...]
    box: Box
    style: TypeStyle

    @property
    def line(self) -> PrintLine:
        """Return the line that has the words."""
        return self.lines[-1]

    @property
    def text(self) -> str:
        """Return the text, a number of its own in front."""
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Lines that may be a heading.

    `start` and `stop` are positions in the lines that were given. `runs` is None for a heading in lines of its own, else how
    many runs of its last line are its own. `above` and `below` are the distances of the baselines to the lines above and below
    in its column (None: there is none on the page), `column` is where the column lies. `after` is the row that follows in
    reading order, on the same page; `separation` is the white behind the words of a heading that runs in.
    """

    start: int
    stop: int
    lines: tuple[PrintLine, ...]
    runs: int | None
    text: str
    numbers: tuple[HeadingNumber, ...]
    style: TypeStyle
    above: float | None
    below: float | None
    column: Interval
    before: Row | None
    after: Row | None
    rest: str = ""
    separation: float = 0.0

    @property
    def first(self) -> PrintLine:
        """Return the first line."""
        return self.lines[0]

    @property
    def last(self) -> PrintLine:
        """Return the last line."""
        return self.lines[-1]

    @property
    def box(self) -> Box:
        """Return the box around the lines; for a heading that runs in, around its own runs of the last one."""
        if self.runs is None:
            return Box.around(line.box for line in self.lines)
        return Box.around([line.box for line in self.lines[:-1]] + [r.box for r in self.last.runs[: self.runs]])


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
    """Return the lines as rows, a number of a heading joined to the words behind it."""
    rows = []
    i = 0
    while i < len(lines):
        j = i + 1
        if j < len(lines) and _is_number_of(lines[i], lines[j]):
            j += 1
        own = tuple(lines[i:j])
        runs = tuple(r for line in own for r in line.runs)
        rows.append(Row(i, j, own, runs, Box.around(line.box for line in own), scale.style_of(own[-1].runs)))
        i = j
    return rows


def _is_number_of(number: PrintLine, words: PrintLine) -> bool:
    text = number.plain
    reach = WORD_GAP_IN_LABEL_EM * max(number.size, words.size)
    return (
        number.page_index == words.page_index
        and 2 * abs(number.baseline - words.baseline) < words.size
        and 0 <= words.box.x0 - number.box.x1 <= reach
        and any(n.end == len(text) and n.kind not in ("arabic)", "letter)") for n in numbers_at_start(text))
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
    rows: tuple[Row, ...]
    runs: int | None = None


def _group(rows: Sequence[Row], k: int, body: BodyStyle, scale: TypeScale, named: frozenset[int]) -> _Group | None:
    """Return the rows of the candidate that begins at row k, or None."""
    first = rows[k]
    if not _has_word(first.runs) or _BULLET.match(first.text) or all(is_monospaced(r.font) for r in first.runs):
        return None
    lead = leading_runs(first.line, scale)
    if len(first.lines) == 1 and lead is not None:
        return _Group((first,), lead)
    is_plain = first.style == scale.body or (first.style.font == scale.body.font and first.style.size <= scale.body.size)
    is_plain = is_plain and not first.style.is_caps
    if is_plain and not any(p in named for p in range(first.start, first.stop)) and not _is_numbered(first):
        return None
    group = [first]
    while k + len(group) < len(rows) and not is_plain:
        nxt = rows[k + len(group)]
        if not _goes_on(group[-1], nxt, body, scale, rows, k):
            break
        lead = leading_runs(nxt.line, scale)
        group.append(nxt)
        if lead is not None:
            return _Group(tuple(group), lead)
    return _Group(tuple(group))


def _has_word(runs: Sequence[Run]) -> bool:
    return any(a.isalpha() and b.isalpha() for r in runs for a, b in zip(r.text, r.text[1:], strict=False))


def _is_numbered(row: Row) -> bool:
    """Return whether a row in the type of running text begins with a number that is no word."""
    return any(n.kind != "letter" or n.word or n.is_closed or len(n.parts) > 1 for n in numbers_at_start(row.text))


def _goes_on(row: Row, nxt: Row, body: BodyStyle, scale: TypeScale, rows: Sequence[Row], k: int) -> bool:
    """Return whether a row is the next line of the same heading: same type, one line below, and the words needed a new line."""
    step = nxt.line.baseline - row.line.baseline
    leading = body.leading * row.style.size / body.size
    lead = leading_runs(nxt.line, scale)
    style = nxt.style if lead is None else scale.style_of(nxt.line.runs[:lead])
    if (
        row.line.page_index != nxt.line.page_index
        or step <= 0
        or 2 * (step - leading) > leading
        or replace(style, is_caps=False) != replace(row.style, is_caps=False)
        or row.box.x_interval.overlap(nxt.box.x_interval) <= 0
        or len(nxt.lines) > 1
    ):
        return False
    if row.style.is_caps != style.is_caps and numbers_at_start(nxt.text):
        return False
    column = column_of(rows, k, k + 1)
    word = nxt.text.split()[0]
    width = nxt.box.width * len(word) / len(nxt.text)
    is_centred = 2 * abs(row.box.x_interval.middle - nxt.box.x_interval.middle) < row.style.size
    return is_centred or row.box.width + width + body.word_space > column.length - (row.box.x0 - column.start)


def leading_runs(line: PrintLine, scale: TypeScale) -> int | None:
    """Return how many runs at the beginning of a line are set in a type of their own, where text in another follows; else None.

    Mathematics and marks between words of one type are part of it.
    """
    worded = [i for i, r in enumerate(line.runs) if not r.script and _letters(r) and not is_mathematical(r.font)]
    if not worded or (
        worded[0] != 0 and any(r.font != line.runs[worded[0]].font for r in line.runs[: worded[0]] if not r.script)
    ):
        return None
    first = line.runs[worded[0]]
    face = (first.font, scale.sizes.get(first.size, first.size))
    if _is_plain(first, scale):
        return None
    end = 0
    for i in worded:
        run = line.runs[i]
        if run.font != face[0] and not (is_small_caps_of(first, run)):
            break
        end = i + 1
    rest = [line.runs[i] for i in worded if i >= end]
    if not rest:
        return None
    while end < len(line.runs) and _is_closing(line.runs[end]):
        end += 1
    if not any(is_bold(r.font) != is_bold(face[0]) or is_italic(r.font) != is_italic(face[0]) for r in rest[:1]):
        return None
    return end if end < len(line.runs) else None


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
    page = rows[start].line.page_index
    for others, down in ((range(stop, len(rows)), True), (range(start - 1, -1, -1), False)):
        near = list(_in_column(rows, others, own, page, rows[start].box.y0, down=down))
        if near:
            return Interval(min(b.x0 for b in near), max(b.x1 for b in near)).hull(own)
    return own


def _in_column(rows: Sequence[Row], places: Sequence[int], own: Interval, page: int, y: float, *, down: bool) -> Iterator[Box]:
    for i in places:
        box = rows[i].box
        if rows[i].line.page_index != page or box.x_interval.overlap(own) <= 0 or (box.y0 < y if down else box.y0 > y):
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
    lines = tuple(line for row in own for line in row.lines)
    last = own[-1].line
    page = page_lines[last.page_index]
    column = column_of(rows, k, k + len(own))
    text = joined_text([r.text for r in own[:-1]] + [_text_of(last.runs, group.runs) if group.runs else own[-1].text])
    after = rows[k + len(own)] if k + len(own) < len(rows) else None
    before = rows[k - 1] if k else None
    runs = last.runs
    gap = runs[group.runs].box.x0 - runs[group.runs - 1].box.x1 if group.runs else 0.0
    styled = runs[: group.runs] if group.runs else tuple(r for row in own for r in row.runs)
    return Candidate(
        start=own[0].start,
        stop=own[-1].stop,
        lines=lines,
        runs=group.runs,
        text=text,
        numbers=numbers_at_start(text),
        style=scale.style_of(styled),
        above=_above(own[0].line, page, column),
        below=_below(last, page, column),
        column=column,
        before=before if before and before.line.page_index == own[0].line.page_index else None,
        after=after if after and after.line.page_index == last.page_index else None,
        rest=_text_of(runs[group.runs :], None) if group.runs else "",
        separation=gap,
    )


def _text_of(runs: Sequence[Run], stop: int | None) -> str:
    from variorum.layout.scripts import text_of_runs

    return text_of_runs(runs[:stop])


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
