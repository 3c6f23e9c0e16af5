"""Lines in the order of reading put together to paragraphs, list items and blocks of code, over columns and pages.

A line begins a paragraph when it is indented against those below it, stands at more than the usual distance, is set in another
size, or opens with the label of a list. Where a paper does neither indent nor set apart its paragraphs, and over the ends of
columns and pages, the line before decides: it ends a paragraph when it stops short although the next word would have had room
on it, in justified text when it stops short at all. In a paper that does, a short line alone is a line broken by hand. What
interrupts the text without ending it (a float, a footnote, the end of a column or page) is looked through.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from variorum.geometry import Box, Interval
from variorum.layout.model import BodyStyle, LineId, PrintLine, Run, is_monospaced, is_size
from variorum.thresholds import LINES_APART

_SIGNS: Final = "•◦▪▸►‣∙●○■□✓✔➢➤⋄"
_DASHES: Final = "–—*·"  # bullets too, but they also stand in sentences, and may come to stand at the beginning of a line
_BULLETS: Final = _SIGNS + _DASHES
_BULLET: Final = re.compile(rf"(?P<label>[{_BULLETS}])(?:\s+|(?=\w))")
_ENUMERATOR: Final = re.compile(
    r"(?P<label>\((?:\d{1,2}|[a-z]|[ivx]{1,4})\)|(?:\d{1,2}|[a-z]|[ivx]{1,4})\)|\d{1,2}\.|[a-z]\.)\s+(?=\S)"
)
_SENTENCE_END: Final = re.compile(r"[.!?:;][\"'”’)\]]*$")

BlockKind = Literal["paragraph", "list_item", "code"]


@dataclass(frozen=True, slots=True)
class FlowLine:
    """A line of running text in its place: the column it stands in, and a number that grows with every column of the paper.

    `follows` says what stands between it and the line before: nothing, something that the text flows around (``float``), or
    something that ends a paragraph (``break``).
    """

    line: PrintLine
    column: Interval
    column_number: int
    follows: Literal["", "float", "break"] = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that make one paragraph, list item or block of code; `label` is the bullet or number of an item, '' without one."""

    kind: BlockKind
    lines: tuple[PrintLine, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class _Setting:
    """How text is set: the leading for each size, the left and right edges of lines for each column, the right edge of the
    block in which each line stands, whether lines are justified, and whether most paragraphs are indented or set apart."""

    style: BodyStyle
    leading: Mapping[float, float]
    left: Mapping[int, float]
    right: Mapping[int, float]
    block_right: Mapping[LineId, float]
    is_justified: bool
    shows_paragraphs: bool = False


def find_blocks(flow: Sequence[FlowLine], style: BodyStyle) -> tuple[Block, ...]:
    """Return the blocks of the flow, in order; every line is in exactly one."""
    setting = _setting(flow, style)
    groups: list[list[FlowLine]] = []
    for i, item in enumerate(flow):
        following = flow[i + 1] if i + 1 < len(flow) else None
        if groups and item.follows != "break" and not _begins(groups[-1], item, following, setting):
            groups[-1].append(item)
        else:
            groups.append([item])
    return tuple(_block(group) for group in groups)


def _block(group: Sequence[FlowLine]) -> Block:
    lines = tuple(item.line for item in group)
    if all(_is_code(line) for line in lines):
        return Block("code", lines)
    label = list_label(lines[0])
    if label and _is_item(group, label):
        return Block("list_item", (_without(lines[0], label), *lines[1:]), label)
    return Block("paragraph", lines)


def _is_item(group: Sequence[FlowLine], label: str) -> bool:
    """Return whether what looks like a label is one: a bullet always; a number when the item's lines hang under its text or are
    indented, or when the item is one line."""
    first = group[0].line
    if label in _SIGNS or (len(group) == 1 and label not in _DASHES):
        return True
    same = [item.line for item in group[1:] if item.column_number == group[0].column_number]
    return not same or min(line.box.x0 for line in same) > first.box.x0 or first.box.x0 > group[0].column.start + first.size / 2


def list_label(line: PrintLine) -> str:
    """Return the label with which a line opens (a bullet, ``(1)``, ``2.``, ``a)``), or an empty text."""
    text = line.plain
    match = _BULLET.match(text) or _ENUMERATOR.match(text)
    return match["label"] if match else ""


def _without(line: PrintLine, label: str) -> PrintLine:
    """Return the line without the label that opens it; its words and box stay."""
    left = len(label)
    runs: list[Run] = []
    for run in line.runs:
        cut = min(left, len(run.text))
        left -= cut
        rest = run.text[cut:]
        if rest.strip():
            runs.append(replace(run, text=rest.lstrip() if not runs else rest, space_before=bool(runs) and run.space_before))
    return replace(line, runs=tuple(runs) or line.runs)


# ---- how the text is set ---------------------------------------------------------------------------------------------


def _setting(flow: Sequence[FlowLine], style: BodyStyle) -> _Setting:
    columns: dict[int, list[PrintLine]] = defaultdict(list)
    for item in flow:
        columns[item.column_number].append(item.line)
    left = {number: _edge([line.box.x0 for line in lines], min) for number, lines in columns.items()}
    right = {number: _edge([line.box.x1 for line in lines], max) for number, lines in columns.items()}
    full = [item for item in flow if len(item.line.words) > 1]
    reaching = [item for item in full if abs(item.line.box.x1 - right[item.column_number]) < style.word_space / 2]
    is_justified = 2 * len(reaching) > len(full)
    setting = _Setting(style, _leadings(columns.values(), style), left, right, _block_edges(flow), is_justified)
    return replace(setting, shows_paragraphs=_shows_paragraphs(flow, setting))


def _block_edges(flow: Sequence[FlowLine]) -> dict[LineId, float]:
    """Return for each line the right edge of those that follow each other from the same left edge in its column."""
    edges: dict[LineId, float] = {}
    run: list[FlowLine] = []
    for item in [*flow, None]:
        if run and (item is None or not _in_block(run[-1], item)):
            edge = max(other.line.box.x1 for other in run) if len(run) > 1 else math.inf
            edges |= {other.line.id: edge for other in run}
            run = []
        if item is not None:
            run.append(item)
    return edges


def _in_block(above: FlowLine, item: FlowLine) -> bool:
    near = abs(above.line.box.x0 - item.line.box.x0) < item.line.size / 2
    return near and above.column_number == item.column_number and item.follows != "break"


def _shows_paragraphs(flow: Sequence[FlowLine], setting: _Setting) -> bool:
    """Return whether most lines that follow a short line in running text are indented or set apart from it."""
    shown = hidden = 0
    for above, item in pairwise(flow):
        body = is_size(above.line.size, setting.style.size) and is_size(item.line.size, setting.style.size)
        if item.follows or item.column_number != above.column_number or not body or list_label(item.line):
            continue
        room = setting.right[above.column_number] - above.line.box.x1
        if room <= _first_width(item.line, 2) + setting.style.word_space:
            continue
        is_apart = _step(above.line, item.line) > _usual_step(item.line, setting)
        is_indented = item.line.box.x0 - setting.left[item.column_number] > setting.style.word_space
        if is_apart or is_indented:
            shown += 1
        else:
            hidden += 1
    return shown > hidden


def _usual_step(line: PrintLine, setting: _Setting) -> float:
    """Return the largest distance from the line before at which a line still goes on with it."""
    return setting.leading.get(_half_points(line.size), setting.style.leading) + line.size / 2


def _edge(values: Sequence[float], outermost: object) -> float:
    """Return where most lines of a column begin or end; of several such places, and without any, the outermost."""
    pick = min if outermost is min else max
    counts = Counter(round(value) for value in values)
    most = max(counts.values())
    if most == 1:
        return float(pick(values))
    near = pick(place for place, count in counts.items() if 2 * count > most)
    own = sorted(value for value in values if round(value) == near)
    return own[len(own) // 2]


def _leadings(columns: Iterable[Sequence[PrintLine]], style: BodyStyle) -> dict[float, float]:
    """Return the commonest distance of lines that follow each other, for each size to half a point."""
    steps: dict[float, Counter[float]] = defaultdict(Counter)
    for lines in columns:
        for above, below in pairwise(lines):
            step = round(below.baseline - above.baseline, 1)
            if is_size(above.size, below.size) and 0 < step < LINES_APART * style.leading:
                steps[_half_points(below.size)][step] += 1
    return {size: max(counts, key=lambda s: (counts[s], -s)) for size, counts in steps.items()}


def _half_points(size: float) -> float:
    return round(2 * size) / 2


# ---- where a paragraph begins ----------------------------------------------------------------------------------------


def _begins(group: Sequence[FlowLine], item: FlowLine, following: FlowLine | None, setting: _Setting) -> bool:
    """Return whether a line begins a new block, instead of going on with the lines of the group."""
    above, line = group[-1].line, item.line
    if len(group) == 1 and is_drop_cap(above, setting.style) and above.box.y_interval.overlap(line.box.y_interval) > 0:
        return False
    if len(group) > 1 and is_drop_cap(group[0].line, setting.style) and _is_beside(group[0].line, line):
        return False
    if _is_code(above) != _is_code(line) or _is_other_size(above, line):
        return True
    if _is_code(above):
        return item.column_number == group[-1].column_number and _step(above, line) > LINES_APART * setting.style.leading
    label = list_label(line)
    if label and label in _SIGNS:
        return True
    if label and _is_next_item(group, item, label, setting):
        return True
    same_column = item.column_number == group[-1].column_number
    if same_column and not item.follows and _step(above, line) > _usual_step(line, setting):
        return True
    if _is_indented(group, item, following, setting) or _is_left_of_item(group, item, setting):
        return True
    if above.plain[-1:] in "-\u2010" and not same_column:
        return False
    if same_column and not item.follows and setting.shows_paragraphs:
        return False
    return _ends_early(group, item, setting)


def is_drop_cap(line: PrintLine, style: BodyStyle) -> bool:
    """Return whether a line is one capital as high as two lines of text, with which a paragraph begins."""
    return len(line.plain) == 1 and line.plain.isupper() and line.size / 2 > style.size - style.size / 2 / 2


def _is_beside(cap: PrintLine, line: PrintLine) -> bool:
    """Return whether a line stands beside a drop cap."""
    return line.box.x0 > cap.box.centre[0] and cap.box.y0 < line.box.centre[1] < cap.box.y1 + line.size / 2


def _is_code(line: PrintLine) -> bool:
    return line.share_of(lambda run: is_monospaced(run.font)) == 1 and len(line.plain) > 1


def _is_other_size(above: PrintLine, line: PrintLine) -> bool:
    """Return whether no type of one line has the size of the other's: a line of small capitals is none of another size."""
    mine, theirs = [run.size for run in line.runs if not run.script], [run.size for run in above.runs if not run.script]
    return not any(is_size(size, above.size) for size in mine) and not any(is_size(size, line.size) for size in theirs)


def _step(above: PrintLine, below: PrintLine) -> float:
    return below.baseline - above.baseline


def _is_next_item(group: Sequence[FlowLine], item: FlowLine, label: str, setting: _Setting) -> bool:
    """Return whether a line that opens with a number is an item of a list: the text before it ended, or it goes on with the
    numbers of an item before."""
    if list_label(group[0].line) and abs(group[0].line.box.x0 - item.line.box.x0) < item.line.size / 2:
        return True
    left = setting.left[item.column_number]
    return item.line.box.x0 > left + item.line.size / 2 or _SENTENCE_END.search(group[-1].line.plain) is not None


def _is_indented(group: Sequence[FlowLine], item: FlowLine, following: FlowLine | None, setting: _Setting) -> bool:
    """Return whether the line is set in against the text it would go on with, as the first line of a paragraph is."""
    line = item.line
    same = [other.line for other in group if other.column_number == item.column_number]
    if list_label(group[0].line) and len(group) == 1:
        return False  # the second line of an item hangs under its text
    if len(same) > 1:
        left = min(other.box.x0 for other in same[1:])
    elif following is not None and following.column_number == item.column_number and not following.follows:
        left = following.line.box.x0
        if same:
            left = min(left, same[0].box.x0)
    else:
        left = same[0].box.x0 if same else setting.left[item.column_number]
    return line.box.x0 - left > setting.style.word_space


def _is_left_of_item(group: Sequence[FlowLine], item: FlowLine, setting: _Setting) -> bool:
    """Return whether the line stands left of the list's label that the group opens with: the list is over."""
    first = group[0]
    if first.column_number != item.column_number or not list_label(first.line):
        return False
    return first.line.box.x0 - item.line.box.x0 > setting.style.word_space


def _ends_early(group: Sequence[FlowLine], item: FlowLine, setting: _Setting) -> bool:
    """Return whether the last line of the group stops short although the line's first word would have had room."""
    last, line = group[-1], item.line
    room = min(setting.right[last.column_number], setting.block_right[last.line.id]) - last.line.box.x1
    space = setting.style.word_space
    if setting.is_justified:
        ended = room > setting.style.size and room > _first_width(line, 1) - space
        return ended or (room > space and _is_sentence_between(last.line, line))
    if room > _first_width(line, 2) + space:
        return True
    return room > _first_width(line, 1) + space and _is_sentence_between(last.line, line)


def _is_sentence_between(above: PrintLine, below: PrintLine) -> bool:
    first = below.plain[:1]
    return _SENTENCE_END.search(above.plain) is not None and (first.isupper() or not first.isalpha())


def _first_width(line: PrintLine, count: int) -> float:
    """Return the width of the first words of a line, in points, measured by their share of its characters."""
    words = line.plain.split()
    share = len(" ".join(words[:count])) / max(1, len(line.plain))
    return line.box.width * min(1.0, share)


def box_of(lines: Sequence[PrintLine]) -> Box:
    """Return the box around lines of one page."""
    return Box.around(line.box for line in lines)
