"""Captions of tables and figures: label, number, whole text, place.

A caption begins where a line of the PDF's text opens with a label (Table, Tab., Figure, Fig. and their like in other
languages, also ``Supplementary Table``) and a number (digits, Roman, ``A.1``, ``S1``). A sentence of the running text may
open so too: a label counts when something parts it from the text behind it (a colon, a full stop, a dash, other type, the end
of the line), or when its line begins a block; never when the line above is an unfinished one of the same paragraph. The
caption goes on over the following lines while they keep its size and its leading, up to a rule or a line that columns of
white cut apart. Steps are measured from baseline to baseline, so that mathematics in a line does not move it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from variorum.geometry import Box, Interval
from variorum.page.lines import TextRow, join_words, segments
from variorum.page.model import PageEvidence, Rule, Word
from variorum.thresholds import LINES_APART, WORD_GAP_IN_LABEL_EM, WORD_SPACES_PER_GAP

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
SUPPLEMENTS: Final[dict[str, str]] = {
    "supplementary": "S",
    "supplemental": "S",
    "supporting": "S",
    "suppl": "S",
    "supp": "S",
    "si": "S",
    "appendix": "A",
    "online": "S",
    "web": "S",
    "extended": "ED",
}
"""The words before a label that begin a count of their own, and the letters that set its plain numbers apart from the paper's
(``Supplementary Table 3`` is S3, as the same table is called elsewhere)."""
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


_BEHIND: Final = re.compile(r"^(?P<number>[A-Z]{1,2}\d{1,3})$")
_TITLED: Final = re.compile(r"^\([^()]*\)[.:]$")
_PANEL: Final = re.compile(r"^\(?[a-zA-Z]\)")
_ROOTS: Final = "√∛∜"


@dataclass(frozen=True, slots=True)
class FoundCaption:
    """A caption on a page: kind (``table``, ``figure``, ``algorithm``), label and number as printed, whole text, box,
    and its words.

    A plain number behind ``Supplementary`` and the like has the letter of its count in front (``S3``): see `SUPPLEMENTS`.
    `part` are the words of the caption of the first part (``(a) The first group``) where one stands right below.
    """

    kind: str
    label: str
    number: str
    text: str
    box: Box
    words: tuple[Word, ...]
    label_box: Box
    part: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    words: tuple[Word, ...]

    @property
    def box(self) -> Box:
        return Box.around(w.box for w in self.words)

    @property
    def size(self) -> float:
        sizes = sorted(w.size for w in self.words)
        return sizes[len(sizes) // 2]

    @property
    def baseline(self) -> float:
        """The writing line of most characters of the usual size."""
        return _commonest((w.baseline, w) for w in self.words if w.size == self.size)

    @property
    def font(self) -> str:
        return _commonest((w.font, w) for w in self.words)

    @property
    def text(self) -> str:
        return " ".join(w.text for w in self.words)


Value = TypeVar("Value", float, str)


def _commonest(values: Iterable[tuple[Value, Word]]) -> Value:
    counts: Counter[Value] = Counter()
    for value, word in values:
        counts[value] += len(word.text)
    return max(counts, key=lambda v: (counts[v], v))


def find_captions(page: PageEvidence, space_em: float) -> tuple[FoundCaption, ...]:
    """Return the captions of a page from top to bottom, then left to right; `space_em` is the page's word space in em."""
    lines = _printed_lines(page.words, space_em)
    starts = {i: label for i, line in enumerate(lines) if (label := _label(line.words)) is not None}
    found: list[FoundCaption] = []
    for i, label in starts.items():
        if not _stands_alone(lines, i, label) or _is_inside_paragraph(lines, i, label, page.rules, space_em):
            continue
        members, part = _block_of(lines, i, label, set(starts), page.rules, space_em)
        if label.is_behind and not _has_float(page, Box.around(m.box for m in members), lines[i].size):
            continue
        words = tuple(w for m in members for w in m.words)
        text = " ".join(join_words(m.words, space_em) for m in members)
        box = Box.around(w.box for w in words)
        found.append(FoundCaption(label.kind, label.label, label.number, text, box, words, lines[i].box, part))
    return tuple(sorted(found, key=lambda c: (c.box.y0, c.box.x0)))


@dataclass(frozen=True, slots=True)
class _Label:
    kind: str
    label: str
    number: str
    closed: bool
    length: int
    is_behind: bool = False


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


def _printed_lines(words: Sequence[Word], space_em: float) -> list[_Line]:
    """Return the PDF's lines, those that mathematics cuts into blocks of their own put together again; a label begins anew."""
    out: list[_Line] = []
    for piece in text_lines(words):
        line = _Line(tuple(piece))
        if out and _label(piece) is None and _goes_on(out[-1], line, space_em):
            out[-1] = _Line((*out[-1].words, *piece))
        else:
            out.append(line)
    return out


def _goes_on(line: _Line, piece: _Line, space_em: float) -> bool:
    """Return whether a piece stands on the line, a word space or two behind its end; large signs hang from their baseline."""
    box, other = line.box, piece.box
    if not -line.size < other.x0 - box.x1 <= WORD_SPACES_PER_GAP * space_em * line.size:
        return False
    if not any(c.isalnum() for c in piece.text):
        return box.y0 - line.size < other.centre[1] < box.y1 + line.size
    return abs(piece.baseline - line.baseline) * 2 < line.size


def _label(words: Sequence[Word]) -> _Label | None:
    first = words[0].text
    prefix = SUPPLEMENTS.get(first.rstrip(".").casefold()) if first[0].isupper() else None
    if prefix is not None:
        skipped = 2 if len(words) > 1 and words[1].text.casefold() == "data" else 1
        own = _label(words[skipped:]) if len(words) > skipped else None
        if own is None or own.is_behind:
            return None
        before = " ".join(w.text for w in words[:skipped])
        number = prefix + own.number if own.number[0].isdigit() else own.number
        return _Label(own.kind, f"{before} {own.label}", number, own.closed, skipped + own.length)
    glued = _GLUED.match(first)
    if glued and (kind := KINDS.get(glued["label"].rstrip(".").casefold())):
        return _Label(kind, glued["label"], glued["number"], bool(glued["rest"]), 1)
    behind = _BEHIND.match(first)
    if behind and len(words) > 1 and (match := _LABEL.match(words[1].text)) and match["dot"]:
        kind = KINDS.get(match["label"].casefold())
        return None if kind is None else _Label(kind, match["label"], behind["number"], True, 2, is_behind=True)
    match = _LABEL.match(first)
    kind = KINDS.get(match["label"].casefold()) if match else None
    if kind is None or len(words) <= 1 or not first[0].isupper():
        return None
    found = _NUMBER.match(words[1].text)
    if found is None:
        return None
    closed = bool(found["rest"])
    if not closed and len(words) > 2 and (words[2].text[0] in ".:-\u2013\u2014|" or _TITLED.match(words[2].text)):
        closed = True
    return _Label(kind, first, found["number"], closed, 2)


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


def _is_inside_paragraph(lines: Sequence[_Line], i: int, label: _Label, rules: Sequence[Rule], space_em: float) -> bool:
    """Return whether the line goes on with a sentence of the line above: full, unfinished, of the same type, a leading away."""
    if i == 0:
        return False
    above, line = lines[i - 1], lines[i]
    rest = _Line(line.words[label.length :] or line.words)
    step = line.baseline - above.baseline
    if above.font != rest.font or abs(above.size - line.size) > 1 / 2 or not 0 < step <= LINES_APART * line.size:
        return False
    if above.words[-1].text[-1] in ".!?:;" or _label(above.words) is not None:
        return False
    if _is_cut(above, space_em) or _rule_parts(rules, above, line):
        return False
    below = lines[i + 1] if i + 1 < len(lines) else None
    if below is not None and below.box.x_interval.overlap(line.box.x_interval) > 0:
        next_step = below.baseline - line.baseline
        if 0 < next_step <= LINES_APART * line.size and abs(next_step - step) * 2 > line.size:
            return False
    return above.box.x0 <= line.box.x0 + LINES_APART * line.size and above.box.x1 >= line.box.x1 - line.size


def _block_of(
    lines: Sequence[_Line], i: int, label: _Label, starts: set[int], rules: Sequence[Rule], space_em: float
) -> tuple[list[_Line], tuple[Word, ...]]:
    """Return the caption's lines, the first and those that go on with it, and the words of the caption of a part below them."""
    members = [lines[i]]
    title = _title_beside(lines, i, label, starts)
    if title is not None:
        members.append(title)
    leading: float | None = None
    for j in range(i + len(members), len(lines)):
        line, last = lines[j], members[-1]
        if _is_margin_number(line, last):
            continue
        step = line.baseline - last.baseline
        size = last.size
        same_block = line.words[0].block == last.words[-1].block
        if j in starts or step <= 0:
            break
        if title is not None and 2 * abs(line.box.x0 - title.box.x0) >= size:
            break
        if abs(line.size - size) > size * space_em / 2 and not (
            len(members) == 1
            and len(last.words) == label.length
            and (_is_centred_under(line, last) or _is_title_under(line, last))
        ):
            break
        is_hyphenated = last.words[-1].text[-1] == "-" and line.words[0].text[0].islower()
        if leading is None and step > LINES_APART * size:
            break
        if leading is not None and step > leading + size / 2:
            break
        is_new_step = leading is None or abs(step - leading) > size / 2
        if not same_block and not is_hyphenated and is_new_step and step > size + size / 2:
            break
        if line.box.x_interval.overlap(Box.around(m.box for m in members).x_interval) <= 0:
            break
        if _rule_parts(rules, last, line) or _is_cut(line, space_em):
            break
        is_panel = _PANEL.match(line.words[0].text) is not None
        if is_panel and not same_block:
            return members, line.words
        if leading is not None and len(members) > 1 and _ended_early(members) and not is_panel:
            break
        members.append(line)
        if len(members) == 2 and _is_title_under(line, last):  # its own lines are set closer
            continue
        leading = step if leading is None else min(leading, step)
    return members, ()


def _title_beside(lines: Sequence[_Line], i: int, label: _Label, starts: set[int]) -> _Line | None:
    """Return the line that a label alone on its line has for its title, as a hanging indent sets it: to its right on the same
    baseline, in the same block and type, with nothing further on that baseline, which would make it a row of a table."""
    own, title = lines[i], lines[i + 1] if i + 1 < len(lines) else None
    if title is None or len(own.words) != label.length or i + 1 in starts or len(title.words) <= 1:
        return None
    if title.font != own.font or title.size != own.size or title.words[0].block != own.words[0].block:
        return None
    beside = [k for k in lines if 2 * abs(k.baseline - own.baseline) < own.size and k.box.x0 >= own.box.x1]
    return title if beside == [title] else None


def _is_margin_number(line: _Line, last: _Line) -> bool:
    """Return whether a line is a bare number beside the last one, as journals count lines in the margin for reviewers."""
    box, other = line.box, last.box
    is_beside = 2 * box.y_interval.overlap(other.y_interval) > box.height and box.x_interval.overlap(other.x_interval) <= 0
    return is_beside and line.text.isdigit()


def _is_centred_under(line: _Line, label: _Line) -> bool:
    """Return whether a line stands centred under a label that has its line for itself, as small capitals do in their size."""
    return abs(line.box.centre[0] - label.box.centre[0]) < label.size


def _is_title_under(line: _Line, label: _Line) -> bool:
    """Return whether a line stands flush under a label that is set as a heading: alone, in larger type than its title."""
    return line.size < label.size and 2 * abs(line.box.x0 - label.box.x0) < label.size


def _has_float(page: PageEvidence, box: Box, size: float) -> bool:
    """Return whether something drawn stands within two lines of a caption, above or below it."""
    near = Box(box.x0, box.y0 - LINES_APART * size, box.x1, box.y1 + LINES_APART * size)
    drawn = (*page.drawings, *page.fills, *(i.box for i in page.images), *(r.box for r in page.rules))
    return any(near.intersection(d) is not None and box.intersection(d) is None for d in drawn)


def _ended_early(members: Sequence[_Line]) -> bool:
    """Return whether the last line stops well short of the others and closes a sentence: the caption is over."""
    right = max(m.box.x1 for m in members[:-1])
    last = members[-1]
    room = right - last.box.x1
    return last.words[-1].text[-1] in ".!?" and room * 2 > right - last.box.x0


def _rule_parts(rules: Sequence[Rule], upper: _Line, lower: _Line) -> bool:
    """Return whether a rule lies in the white between two lines; one within a line is a fraction's, a root's, an underline, and
    one that begins at a root sign of the lower line is the bar of that root, however high it stands."""
    low, high = sorted((upper.box.centre[1], lower.box.centre[1]))
    return any(
        r.orientation == "horizontal"
        and low < r.position < high
        and not any(b.y0 < r.position < b.y1 for b in (upper.box, lower.box))
        and Interval(r.start, r.end).overlap(lower.box.x_interval) > 0
        and not _is_bar_of_root(r, lower)
        for r in rules
    )


def _is_bar_of_root(rule: Rule, line: _Line) -> bool:
    """Return whether a rule begins in a word with a root sign, or right behind it, and ends within the line."""
    roots = [w for w in line.words if any(sign in w.text for sign in _ROOTS)]
    return rule.end <= line.box.x1 and any(w.box.x0 <= rule.start and 2 * (rule.start - w.box.x1) < w.size for w in roots)


def _is_cut(line: _Line, space_em: float) -> bool:
    row = TextRow(tuple(sorted(line.words, key=lambda w: w.box.x0)), line.box.y_interval)
    return len(segments(row, 2 * space_em)) > 1
