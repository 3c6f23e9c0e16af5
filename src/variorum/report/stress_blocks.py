"""What the report of a stress test consists of, before it is Markdown or HTML: sections of tables, each with what they mean.

Both forms are made from the same sections, so that their numbers cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class TableLink:
    """The name of a table that leads to its place on the page, where there is a picture of it."""

    table_id: str


@dataclass(frozen=True, slots=True)
class Words:
    """Text of a paper or a detail: may be long, is wrapped, and stands on the left."""

    text: str


Value = str | int | float | None | TableLink | Words
_UNITS: Final = ("%", "s", "min")

Tone = Literal["", "good", "minor", "major"]
Plot = Literal["", "methods", "deltas", "confidence", "variants"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A table of figures under a title: heads of the columns and rows, the first value of a row being its name.

    `note` says in sentences what the columns mean. `sql` asks the debug database for the same rows, or for all there is to say
    of them: it stands where a list is cut. `is_folded` where it is long and not what a reader looks for first. `tone` colours
    the title. `plot` names the plot that shows the same in HTML. `table_id` names the one table that the block is about.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: str = ""
    sql: str = ""
    is_folded: bool = False
    tone: Tone = ""
    plot: Plot = ""
    table_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Blocks under one head, such as all failures of one severity."""

    title: str
    note: str
    blocks: tuple[Block, ...]
    tone: Tone = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of the report: its key for links, its title, paragraphs, and its blocks or groups of blocks in order."""

    key: str
    title: str
    notes: tuple[str, ...]
    parts: tuple[Block | Group, ...] = ()


def shown(value: Value) -> str:
    """Return a value as text: floats with two digits, a dash for None; words as they are, unescaped."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, TableLink):
        return value.table_id
    return value.text if isinstance(value, Words) else str(value)


def percentage(part: int, whole: int) -> str:
    """Return the part of a whole in percent with one digit, never rounded up to all or down to nothing; a dash without a
    whole."""
    if not whole:
        return "–"
    value = 100 * part / whole
    if 0 < part < whole:
        value = min(max(value, 0.1), 99.9)
    return f"{value:.1f} %"


def duration(seconds: float | None) -> str:
    """Return a time as people say it: ``0.42 s``, ``75 s``, ``12 min``, ``3 h 05 min``; a dash for None."""
    if seconds is None:
        return "–"
    if seconds < 10:
        return f"{seconds:.2f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02d} min"


def brief(words: str, limit: int = 160) -> str:
    """Return the words, of long ones the beginning up to the limit, which ends with a word and an ellipsis."""
    words = " ".join(words.split())
    return words if len(words) <= limit else f"{words[:limit].rsplit(maxsplit=1)[0]} …"


def column_kind(values: Iterable[Value]) -> Literal["", "words", "figure"]:
    """Return what stands in a column: figures (which stand on the right), words (which wrap), or short names."""
    there = [v for v in values if v is not None]
    if any(isinstance(v, Words) for v in there):
        return "words"
    return "figure" if there and all(isinstance(v, int | float) or _is_figure(v) for v in there) else ""


def _is_figure(value: Value) -> bool:
    """Return whether a text is a figure with a unit, or stands for none."""
    return isinstance(value, str) and (value == "–" or (value[:1].isdigit() and value.rpartition(" ")[2] in _UNITS))
