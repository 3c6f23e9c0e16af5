"""What differs between a true table and its reading, place by place: values, shape, spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from variorum.evaluation.ground_truth import ComparisonResult, TruthTable, compare_extraction
from variorum.evaluation.normalising import normalise, normalise_loosely
from variorum.evaluation.truth_table import GridCell


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongValue:
    """A value that is not what the truth says: row and column of the truth from 1, header rows counted."""

    row: int
    col: int
    expected: str
    found: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldTables:
    """A true table and its reading, wholly blank rows and columns left out on both sides where the truth does not know them."""

    truth: TruthTable
    reading: TruthTable

    @classmethod
    def of(cls, truth: TruthTable, reading: TruthTable) -> HeldTables:
        """Return the two as they are compared."""
        if truth.is_verbatim:
            return cls(truth=truth, reading=reading)
        return cls(truth=_without_notes(truth.without_blanks(), reading), reading=reading.without_blanks())

    @property
    def has_same_shape(self) -> bool:
        """Whether both have as many rows and as many columns."""
        return (self.truth.n_rows, self.truth.n_cols) == (self.reading.n_rows, self.reading.n_cols)

    @property
    def differs_in_heads_alone(self) -> bool:
        """Whether the same heads stand over the same rows, but in another number of lines: read down, they are all there."""
        return self.compared().is_perfect

    def clean(self, text: str) -> str:
        """Return a text in the form in which it is compared."""
        return normalise(text) if self.truth.is_verbatim else normalise_loosely(text)

    def compared(self) -> ComparisonResult:
        """Return the comparison that aligns rows and columns by what stands in them."""
        return compare_extraction(self.truth, self.reading)


def _without_notes(truth: TruthTable, reading: TruthTable) -> TruthTable:
    """Return the truth without its last rows that are a single text and that the reading has as notes: sources set them so."""
    notes = normalise_loosely(" ".join(reading.footnotes or ()))
    rows = truth.rows
    while rows and len(texts := [text for text in rows[-1] if text.strip()]) == 1 and normalise_loosely(texts[0]) in notes:
        rows = rows[:-1]
    last = len(truth.header_rows) + len(rows)
    return replace(truth, rows=rows, spans=tuple(span for span in truth.spans if span.row + span.rowspan <= last))


def wrong_values(held: HeldTables) -> tuple[WrongValue, ...]:
    """Return the values that differ: of tables of one shape place by place, else those of the rows and columns that were found.

    A value is right when it stands anywhere in the extent of its true cell: where a spanning cell was read as several, the
    span is wrong, and not the value.
    """
    if held.has_same_shape:
        return tuple(_by_place(held))
    result = held.compared()
    first = held.truth.n_rows - result.gt_shape[0] + 1
    heads = [WrongValue(row=1, col=d.col + 1, expected=d.expected, found=d.actual) for d in result.header_diffs]
    cells = [WrongValue(row=d.row + first, col=d.col + 1, expected=d.expected, found=d.actual) for d in result.cell_diffs]
    return (*heads, *cells)


def _by_place(held: HeldTables) -> Iterator[WrongValue]:
    rows = held.reading.all_rows
    for row, col, rowspan, colspan, text in held.truth.cells():
        found = [rows[r][c] for r in range(row, row + rowspan) for c in range(col, col + colspan) if rows[r][c].strip()]
        wanted, read = held.clean(text), {held.clean(each) for each in found}
        if read != ({wanted} if wanted else set()) and held.clean("".join(found)) != wanted:
            yield WrongValue(row=row + 1, col=col + 1, expected=text, found=" ".join(found))


def lost_parts(result: ComparisonResult) -> tuple[str, ...]:
    """Return what became of rows and columns, in words: lost, invented, split, merged. Counted from 1, rows without headers."""
    said = []
    for name, lost, extra in (
        ("columns", result.missing_columns, result.extra_columns),
        ("rows", result.missing_rows, result.extra_rows),
    ):
        said += [f"{name} {_counted(lost)} not found"] if lost else []
        said += [f"{name} {_counted(extra)} of the reading invented"] if extra else []
    for name, splits, merges in (
        ("column", result.column_splits, result.column_merges),
        ("row", result.row_splits, result.row_merges),
    ):
        said += [f"{name} {whole + 1} split into {len(parts)}" for whole, parts in splits]
        said += [f"{name}s {_counted(parts)} merged" for parts, _ in merges]
    return tuple(said)


def _counted(indices: tuple[int, ...]) -> str:
    return ", ".join(str(i + 1) for i in indices)


def wrong_spans(held: HeldTables) -> tuple[str, ...]:
    """Return the spans that only one side has, in words: by their place where the shapes are the same, else by their text.

    Blank cells count for nothing. A cell that was read over positions that are blank in the truth is no fault: print does not
    tell one from the other.
    """
    if held.has_same_shape:
        true = {cell[:4]: cell for cell in _spanning(held.truth)}
        read = {cell[:4]: cell for cell in _spanning(held.reading)}
        blank = _blank_places(held.truth)
        lost = [cell for key, cell in true.items() if key not in read]
        more = [cell for key, cell in read.items() if key not in true and not _covered(cell) <= blank]
        return (*(f"{_span(c)} is not read so" for c in lost), *(f"{_span(c)} is none of the truth's" for c in more))
    sizes = [
        Counter((held.clean(c.text), c.rowspan, c.colspan) for c in _spanning(table)) for table in (held.truth, held.reading)
    ]
    missing = sizes[0] - sizes[1]
    return tuple(
        f"{_span(c)} is not read so" for c in _spanning(held.truth) if (held.clean(c.text), c.rowspan, c.colspan) in missing
    )


def _spanning(table: TruthTable) -> list[GridCell]:
    return [c for c in table.cells() if (c.rowspan > 1 or c.colspan > 1) and c.text.strip()]


def _covered(cell: GridCell) -> set[tuple[int, int]]:
    """Return the positions of a cell but its first."""
    every = {(r, c) for r in range(cell.row, cell.row + cell.rowspan) for c in range(cell.col, cell.col + cell.colspan)}
    return every - {(cell.row, cell.col)}


def _blank_places(table: TruthTable) -> set[tuple[int, int]]:
    return {(c.row, c.col) for c in table.cells() if not c.text.strip() and c.rowspan == c.colspan == 1}


def _span(cell: GridCell) -> str:
    return f"“{' '.join(cell.text.split())}” at row {cell.row + 1}, column {cell.col + 1} over {cell.rowspan} × {cell.colspan}"
