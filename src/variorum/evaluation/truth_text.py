"""A true table as a text file that a person edits: a head of ``key: value`` lines, the grid, the notes under it.

    variorum truth 1
    checked:  no
    table:    1f8f2b5a_table_2
    paper:    smith-2020
    page:     3
    bbox:     72 100.5 523.2 220.1
    number:   2
    caption:  Table 2. Outcomes by group

    | Group   | Outcome | <  |
    | ^       | n       | %  |
    ===========================
    | Control | 12      | 40 |

    note: Percentages of all patients.

A line that begins with ``#`` is a remark, an indented one goes on with the line above. Grid and escapes: `truth_text_grid`,
`truth_text_signs`. ``checked: no`` says that nobody has compared it with the page. All keys: `KEYS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from variorum.errors import SchemaError
from variorum.evaluation.truth_table import TruthTable
from variorum.evaluation.truth_text_grid import BAR, HEAD_LINE, INDENT, GridRow, grid_lines, row_of, rows_and_spans
from variorum.evaluation.truth_text_signs import BLANKS, EscapeError, broken, escaped, unescaped
from variorum.geometry import Box
from variorum.suggestions import nearest_name_hint

SUFFIX: Final = ".truth.txt"
"""How the names of such files end."""

FIRST_LINE: Final = "variorum truth 1"
KEYS: Final = {
    "checked": "yes or no: whether a person has compared it with the page",
    "table": "the id of the table",
    "paper": "the key, file name or folder name of the paper",
    "page": "the page, counted from 1",
    "bbox": "left, top, right and bottom in points of the page as displayed",
    "continues": "page, left, top, right and bottom of a further part of the table; once a part",
    "number": "the printed number",
    "caption": "the caption as printed",
    "headers": "known, or guessed where it is not sure which rows are headers",
    "text": "verbatim, or other where the text was not taken from the page itself",
    "accepted": "words of the cells that are right and that the text of the PDF has otherwise, parted by spaces",
    "note": "a note under the table; once a note",
    "notes": "none or unknown, where there is no note",
}
_REQUIRED: Final = ("checked", "table")
_SEVERAL: Final = ("note", "continues")
_CHOICES: Final[Mapping[str, Mapping[str, object]]] = {
    "checked": {"yes": True, "no": False},
    "headers": {"known": True, "guessed": False},
    "text": {"verbatim": True, "other": False},
    "notes": {"none": (), "unknown": None},
}
_TEXT_WIDTH: Final = 100
_KEY_WIDTH: Final = len("accepted:")

HELP: Final = (
    "Mend what differs from the page, then turn the next line into  checked: yes",
    "Cells stand between |. A < is no text: there the cell to its left goes on; a ^: there the cell above does.",
    "The line of === parts the header rows from the rest. An indented line goes on with the line above it.",
    "For a sign itself write \\| \\< \\^ and \\\\ ; for a line break in a cell \\/",
)


class TruthPlace(NamedTuple):
    """Where a part of a table stands: page from 1, box in points of the page as displayed."""

    page: int
    bbox: Box


class TextFault(NamedTuple):
    """What is wrong with a text, the number of the line (0: the whole), and what to try."""

    line: int
    what: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthText:
    """A true table and what a person says of it: whether it was compared with the page, the words accepted though the text of
    the PDF has them otherwise, and where the table goes on, part by part, after its first place.

    `lines` are the numbers of the lines of its cells, row by row, where it was read from a text.
    """

    table: TruthTable
    is_checked: bool
    accepted: tuple[str, ...] = ()
    continues: tuple[TruthPlace, ...] = ()
    lines: tuple[tuple[int, ...], ...] = field(default=(), compare=False)

    @property
    def places(self) -> tuple[TruthPlace, ...]:
        """Return all places of the table, from the first on; none where its page or box is not known."""
        table = self.table
        return (TruthPlace(table.page, table.bbox), *self.continues) if table.page and table.bbox else ()


# ---- writing --------------------------------------------------------------------------------------------------------


def write_truth_text(truth: TruthText, remarks: Sequence[str] = HELP) -> str:
    """Return the text of the file, from which `read_truth_text` gives the same truth; `remarks` stand on top, a line each.

    Spans come back in row-major order, those of one position not at all. Raises SchemaError for a grid that cannot be printed.
    """
    table = truth.table
    lines = [FIRST_LINE, *(f"# {' '.join(remark.split())}".rstrip() for remark in remarks)]
    lines += _head("checked", "yes" if truth.is_checked else "no")
    lines += _head("table", escaped(table.table_id)) + _head("paper", escaped(table.paper))
    lines += _head("page", str(table.page) if table.page else "")
    lines += _head("bbox", _numbers(table.bbox) if table.bbox is not None else "")
    for place in truth.continues:
        lines += _head("continues", f"{place.page} {_numbers(place.bbox)}")
    lines += _head("number", escaped(table.number)) + _head("caption", escaped(table.caption))
    lines += [] if table.has_headers else _head("headers", "guessed")
    lines += [] if table.is_verbatim else _head("text", "other")
    lines += _head("accepted", " ".join(map(escaped, truth.accepted))) if truth.accepted else []
    lines += ["", *grid_lines(table), ""]
    for note in table.footnotes or ():
        lines += _head("note", escaped(note))
    if not table.footnotes:
        lines += _head("notes", "unknown" if table.footnotes is None else "none")
    return "\n".join(lines) + "\n"


def _head(key: str, value: str) -> list[str]:
    first, *rest = broken(value, _TEXT_WIDTH)
    return [f"{f'{key}:':<{_KEY_WIDTH}} {first}".rstrip(BLANKS), *(f"{INDENT}{more}" for more in rest)]


def _numbers(box: Box) -> str:
    return " ".join(repr(float(x)).removesuffix(".0") for x in box.as_tuple())


# ---- reading --------------------------------------------------------------------------------------------------------


def read_truth_text(text: str, where: str) -> TruthText:
    """Return the truth that the text of a file describes; raises SchemaError at the first fault, with `where` and its line."""
    truth, faults = parse_truth_text(text)
    if truth is None:
        line, what, hint = faults[0]
        raise SchemaError(what, where=f"{where}: line {line}" if line else where, hint=hint)
    return truth


def parse_truth_text(text: str) -> tuple[TruthText | None, tuple[TextFault, ...]]:
    """Return the truth and no fault, or None and every fault that can be told, from top to bottom."""
    parsed = _Parsed()
    lines = text.split("\n")
    if lines[0].strip() != FIRST_LINE:
        return None, (TextFault(1, f"does not begin with {FIRST_LINE!r}", "a file that variorum truth new wrote"),)
    for line in _joined(lines[1:]):
        parsed.take(line)
    truth = parsed.truth()
    return truth, tuple(sorted(parsed.faults))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with those that go on with it: the whole text, and for each of them where in it it begins, and its number."""

    text: str
    starts: tuple[tuple[int, int], ...]

    @property
    def number(self) -> int:
        return self.starts[0][1]

    def line_at(self, place: int) -> int:
        return max(number for start, number in self.starts if start <= place or number == self.number)


def _joined(lines: Sequence[str]) -> Iterator[_Line]:
    """Yield the lines that say something, each with the indented ones right below it; the first is the second of the file."""
    text = ""
    starts: list[tuple[int, int]] = []
    for number, raw in enumerate(lines, start=2):
        line = raw.rstrip(f"{BLANKS}\r")
        if starts and line[:1] in (" ", "\t"):
            starts.append((len(text) + 1, number))
            text = f"{text} {line.strip(BLANKS)}"
            continue
        if starts:
            yield _Line(text, tuple(starts))
        text, starts = line.strip(BLANKS), [(0, number)] if line and not line.startswith("#") else []
    if starts:
        yield _Line(text, tuple(starts))


@dataclass(slots=True)
class _Parsed:
    """What was read so far: values by key with the number of their line, rows, where the header rows end, faults."""

    values: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    rows: list[GridRow] = field(default_factory=list)
    heads: int | None = None
    faults: list[TextFault] = field(default_factory=list)

    def take(self, line: _Line) -> None:
        if line.text.startswith(BAR):
            self.rows.append(row_of(line.text, line.line_at))
        elif not line.text.strip(HEAD_LINE):
            if self.heads is not None:
                self.faults.append(TextFault(line.number, "a second line of ===", "one, between header rows and data rows"))
            self.heads = len(self.rows)
        else:
            self._take_value(line)

    def _take_value(self, line: _Line) -> None:
        key, colon, value = line.text.partition(":")
        key = key.strip(BLANKS)
        if not colon:
            hint = "a line is key: value, a row between |, a line of ===, or a remark behind #"
            self.faults.append(TextFault(line.number, f"is none of the lines of a truth: {line.text[:40]!r}", hint))
        elif key not in KEYS:
            self.faults.append(TextFault(line.number, f"unknown key {key!r}", nearest_name_hint(key, KEYS)))
        elif key in self.values and key not in _SEVERAL:
            first = self.values[key][0][0]
            self.faults.append(TextFault(line.number, f"{key} stands twice, first in line {first}", "one of the two"))
        else:
            try:
                self.values.setdefault(key, []).append((line.number, _value(key, value.strip(BLANKS))))
            except EscapeError as fault:
                self.faults.append(TextFault(line.number, str(fault), fault.hint))
            except ValueError as fault:
                self.values.setdefault(key, [])
                self.faults.append(TextFault(line.number, f"{key}: {fault}", KEYS[key]))

    def truth(self) -> TruthText | None:
        """Return the whole, or None where there is any fault; the faults of the whole are added."""
        for key in _REQUIRED:
            if key not in self.values:
                self.faults.append(TextFault(0, f"has no line {key}:", f"{key}: {KEYS[key]}"))
        if "note" in self.values and "notes" in self.values:
            line = self.values["notes"][0][0] if self.values["notes"] else 0
            self.faults.append(TextFault(line, "says notes: and has a note:", "one of the two"))
        if self.heads is None:
            hint = "=== below the last header row; above the first row where there is none"
            self.faults.append(TextFault(self.rows[0].lines[0] if self.rows else 0, "no line of === in the grid", hint))
        rows, spans, faults = rows_and_spans(self.rows)
        self.faults += [TextFault(*fault) for fault in faults]
        if self.faults or self.heads is None:
            return None
        notes = [note for _, note in self.values.get("note", [])]
        table = TruthTable(
            table_id=self._one("table", ""),
            paper=self._one("paper", ""),
            page=self._one("page", 0),
            bbox=self._one("bbox", None),
            number=self._one("number", ""),
            caption=self._one("caption", ""),
            header_rows=rows[: self.heads],
            rows=rows[self.heads :],
            spans=spans,
            footnotes=tuple(notes) if notes else self._one("notes", None),
            has_headers=self._one("headers", True),
            is_verbatim=self._one("text", True),
        )
        return TruthText(
            table=table,
            is_checked=self._one("checked", False),
            accepted=self._one("accepted", ()),
            continues=tuple(place for _, place in self.values.get("continues", [])),
            lines=tuple(row.lines for row in self.rows),
        )

    def _one(self, key: str, instead: Any) -> Any:
        found = self.values.get(key)
        return found[0][1] if found else instead


def _value(key: str, text: str) -> Any:
    """Return the value of a key; raises EscapeError, and ValueError with what is wrong."""
    if key in _CHOICES:
        choices = _CHOICES[key]
        if text.lower() not in choices:
            raise ValueError(f"must be {' or '.join(choices)}, not {text!r}")
        return choices[text.lower()]
    if key == "page":
        return _page(text) if text else 0
    if key == "bbox":
        return _box(text) if text else None
    if key == "continues":
        page, _, box = text.replace(",", " ").partition(" ")
        return TruthPlace(_page(page), _box(box))
    if key == "accepted":
        return tuple(map(unescaped, text.split()))
    return unescaped(text)


def _page(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ValueError(f"must be a whole number from 1 up, not {text!r}")
    return int(text)


def _box(text: str) -> Box:
    try:
        numbers = [float(part) for part in text.replace(",", " ").split()]
        left, top, right, bottom = numbers
        return Box(left, top, right, bottom)
    except ValueError:
        raise ValueError(f"must be four numbers, left top right bottom, not {text!r}") from None
