"""Captions of tables and figures: label, number, whole text, place.

A caption begins where a line of the PDF's text opens with a label (Table, Tab., Figure, Fig. and their like in other
languages) and a number (digits, Roman, ``A.1``, ``S1``). A sentence of the running text may open so too: a label counts
when something parts it from the text behind it (a colon, a full stop, a dash, other type, the end of the line), or when
its line begins a block. The caption goes on over the following lines while they keep its size and its leading, up to a
rule or a line that columns of white cut apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from variorum.geometry import Box, Interval
from variorum.page.lines import TextRow, join_words, segments
from variorum.page.model import PageEvidence, Rule, Word
from variorum.thresholds import LINES_APART, WORD_GAP_IN_LABEL_EM

KINDS: Final[dict[str, str]] = {
    "table": "table",
    "tables": "table",
    "tab": "table",
    "tableau": "table",
    "tabelle": "table",
    "tabla": "table",
    "tabela": "table",
    "tabella": "table",
    "tabel": "table",
    "cuadro": "table",
    "figure": "figure",
    "figures": "figure",
    "fig": "figure",
    "figs": "figure",
    "figura": "figure",
    "abbildung": "figure",
    "abb": "figure",
    "scheme": "figure",
    "chart": "figure",
    "graph": "figure",
    "algorithm": "algorithm",
    "listing": "algorithm",
}
CONTINUED: Final = (
    "continued",
    "continuation",
    "continues",
    "cont",
    "cont'd",
    "contd",
    "fortsetzung",
    "fortgesetzt",
    "forts",
    "suite",
)
"""The words, without case and full stop, that mark a part of a table which goes on (English, German, French)."""

_NUMBER: Final = re.compile(
    r"^(?P<number>(?:[A-Z]{1,2}[.\-]?)?\d{1,3}(?:[.\-]\d{1,3})*[a-z]?|[IVXLC]{1,6}|[A-Z](?=[.:]|$))(?P<rest>[.:\-\u2013\u2014|]*)$"
)
_LABEL: Final = re.compile(r"^(?P<label>[A-Za-z]+)(?P<dot>[.:]?)$")
_GLUED: Final = re.compile(
    r"^(?P<label>[A-Za-z]+\.?)[\s\u00a0~]?(?P<number>[A-Z]?\d{1,3}(?:[.\-]\d{1,3})*)(?P<rest>[.:\-\u2013\u2014|]*)$"
)


@dataclass(frozen=True, slots=True)
class FoundCaption:
    """A caption on a page: kind (``table``, ``figure``, ``algorithm``), label and number as printed, whole text, box,
    and its words."""

    kind: str
    label: str
    number: str
    text: str
    box: Box
    words: tuple[Word, ...]
    label_box: Box


@dataclass(frozen=True, slots=True)
class _Line:
    words: tuple[Word, ...]

    @property
    def box(self) -> Box:
        return Box.around(w.box for w in self.words)


def find_captions(page: PageEvidence, space_em: float) -> tuple[FoundCaption, ...]:
    """Return the captions of a page from top to bottom, then left to right; `space_em` is the page's word space in em."""
    lines = [_Line(tuple(line)) for line in text_lines(page.words)]
    starts = [i for i, line in enumerate(lines) if _label(line.words) is not None]
    found: list[FoundCaption] = []
    for i in starts:
        label = _label(lines[i].words)
        if label is None or not _stands_alone(lines, i, label):
            continue
        members = _block_of(lines, i, set(starts), page.rules, space_em)
        words = tuple(w for m in members for w in m.words)
        text = " ".join(join_words(m.words, space_em) for m in members)
        found.append(
            FoundCaption(label.kind, label.label, label.number, text, Box.around(w.box for w in words), words, lines[i].box)
        )
    return tuple(sorted(found, key=lambda c: (c.box.y0, c.box.x0)))


@dataclass(frozen=True, slots=True)
class _Label:
    kind: str
    label: str
    number: str
    closed: bool
    length: int


def text_lines(words: Sequence[Word]) -> list[list[Word]]:
    """Return the upright words by the PDF's own lines, in its order; pieces on one baseline of a block are one line."""
    out: list[list[Word]] = []
    for word in words:
        if word.angle != 0:
            continue
        last = out[-1][-1] if out else None
        if last is not None and last.block == word.block and (last.line == word.line or _continues_line(last, word)):
            out[-1].append(word)
        else:
            out.append([word])
    return out


def _continues_line(last: Word, word: Word) -> bool:
    shared = last.box.y_interval.overlap(word.box.y_interval)
    gap = word.box.x0 - last.box.x1
    return 2 * shared > min(last.box.height, word.box.height) and 0 <= gap < WORD_GAP_IN_LABEL_EM * word.size


def _label(words: Sequence[Word]) -> _Label | None:
    first = words[0].text
    glued = _GLUED.match(first)
    if glued and (kind := KINDS.get(glued["label"].rstrip(".").casefold())):
        return _Label(kind, glued["label"], glued["number"], bool(glued["rest"]), 1)
    match = _LABEL.match(first)
    kind = KINDS.get(match["label"].casefold()) if match else None
    if kind is None or len(words) <= 1 or not first[0].isupper():
        return None
    number = _NUMBER.match(words[1].text)
    if number is None:
        return None
    closed = bool(number["rest"])
    length = 2
    if not closed and len(words) > 2 and words[2].text[0] in ".:-\u2013\u2014|":
        closed = True
    return _Label(kind, first, number["number"], closed, length)


def _stands_alone(lines: Sequence[_Line], i: int, label: _Label) -> bool:
    """Return whether the label is set apart as a caption's is, not the opening of a sentence that refers to the float."""
    words = lines[i].words
    rest = words[label.length :]
    if label.closed or not rest:
        return True
    if words[0].font != rest[0].font or abs(words[0].size - rest[0].size) > 1 / 2:
        return True
    starts_block = i == 0 or lines[i - 1].words[-1].block != words[0].block
    wide_gap = rest[0].box.x0 - words[label.length - 1].box.x1 > words[0].size
    return wide_gap or (starts_block and rest[0].text[:1].isupper())


def _block_of(lines: Sequence[_Line], i: int, starts: set[int], rules: Sequence[Rule], space_em: float) -> list[_Line]:
    """Return the caption's lines: the first and those that go on with it."""
    members = [lines[i]]
    leading: float | None = None
    for j in range(i + 1, len(lines)):
        line, last = lines[j], members[-1]
        step = line.box.y0 - last.box.y0
        size = _size(last)
        same_block = line.words[0].block == last.words[0].block
        if j in starts or step <= 0 or abs(_size(line) - size) > size * space_em / 2:
            break
        if leading is None and step > LINES_APART * size:
            break
        if leading is not None and step > leading + size / 2:
            break
        if not same_block and (leading is None or abs(step - leading) > size / 2) and step > size + size / 2:
            break
        if line.box.x_interval.overlap(Box.around(w.box for m in members for w in m.words).x_interval) <= 0:
            break
        if _rule_parts(rules, last.box, line.box) or _is_cut(line, space_em):
            break
        if leading is not None and len(members) > 1 and _ended_early(members):
            break
        members.append(line)
        leading = step if leading is None else min(leading, step)
    return members


def _ended_early(members: Sequence[_Line]) -> bool:
    """Return whether the last line stops well short of the others and closes a sentence: the caption is over."""
    right = max(m.box.x1 for m in members[:-1])
    last = members[-1]
    room = right - last.box.x1
    return last.words[-1].text[-1] in ".!?" and room * 2 > right - last.box.x0


def _size(line: _Line) -> float:
    sizes = sorted(w.size for w in line.words)
    return sizes[len(sizes) // 2]


def _rule_parts(rules: Sequence[Rule], upper: Box, lower: Box) -> bool:
    low, high = sorted((upper.centre[1], lower.centre[1]))
    return any(
        r.orientation == "horizontal" and low < r.position < high and Interval(r.start, r.end).overlap(lower.x_interval) > 0
        for r in rules
    )


def _is_cut(line: _Line, space_em: float) -> bool:
    row = TextRow(tuple(sorted(line.words, key=lambda w: w.box.x0)), line.box.y_interval)
    return len(segments(row, 2 * space_em)) > 1
