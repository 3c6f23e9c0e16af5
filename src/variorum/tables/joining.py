"""The parts of a table that goes on over columns or pages put together: one table with all rows, its head once.

Which parts belong together is said elsewhere (`continuation`). Here rows are left out that are none of the whole: a head that a
later part repeats, and notes such as ``Table 2 continued``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from variorum.document import Cell, DroppedRow, Table, TablePart
from variorum.regions.continuing import continuation_note, squashed

_PARTED: Final = ", "


def joined(parts: Sequence[Table]) -> Table:
    """Return the whole of tables that are parts of one, in reading order; the first part names it. One part is itself.

    Its `parts` say what each of them was; see `variorum.document.Table`. Parts may have different numbers of columns: the
    whole has the most of them.
    """
    if len(parts) < 2:
        return parts[0]
    first = parts[0]
    cells: list[Cell] = []
    kept: list[TablePart] = []
    row = 0
    for i, part in enumerate(parts):
        dropped = dropped_rows(part, parts[:i])
        place = _places(part, dropped, row)
        cells += [
            _moved(cell, place[cell.row], is_later=i > 0, head=part.header_rows) for cell in part.cells if cell.row in place
        ]
        kept.append(_as_part(part, dropped, row, len(place)))
        row += len(place)
    notes = [note for part in parts for note in part.footnotes if continuation_note(note) is None]
    gone = sum(d.row < first.header_rows for d in kept[0].dropped)
    return replace(
        first,
        n_rows=row,
        n_cols=max(part.n_cols for part in parts),
        cells=tuple(cells),
        provenance=replace(
            first.provenance,
            method=_PARTED.join(dict.fromkeys(part.provenance.method for part in parts)),
            confidence=_agreement(parts),
        ),
        header_rows=first.header_rows - gone,
        footnotes=tuple(dict.fromkeys(notes)),
        column_edges=(),
        row_edges=(),
        apparatus=None,
        parts=tuple(kept),
    )


def dropped_rows(part: Table, before: Sequence[Table]) -> tuple[DroppedRow, ...]:
    """Return the rows of a part that are none of the whole: notes at its edges, and a head that a part before has, too."""
    texts = row_texts(part)
    notes = _note_rows(texts)
    rows = [r for r in range(part.n_rows) if r not in notes]
    repeated = max((repeated_head(other, part) for other in before), default=0)
    while repeated and _is_crossed(part, rows, repeated):
        repeated -= 1
    head = set(rows[:repeated])
    return tuple(
        DroppedRow(row=r, reason="note" if r in notes else "repeated_head", text=" ".join(filter(None, texts[r])))
        for r in sorted(notes | head)
    )


def repeated_head(earlier: Table, later: Table) -> int:
    """Return how many rows at the top of a part, notes aside, are the head of an earlier one again; 0 when it is not repeated.

    Rows are compared by their whole text, since the same head may be cut into cells differently: the common rows must reach as
    far down as the smaller of both heads. Where a head's cells lie in other rows, all its texts must be the same.
    """
    one, other = _without_notes(earlier), _without_notes(later)
    heads = _head_rows(earlier), _head_rows(later)
    common = 0
    for a, b in zip(one, other, strict=False):
        if "".join(a) != "".join(b) or not any(a):
            break
        common += 1
    if common and common >= min(heads):
        return min(common, max(*heads, 1))
    texts = [sorted(t for row in rows[:n] for t in row if t) for rows, n in zip((one, other), heads, strict=True)]
    return heads[1] if texts[0] and texts[0] == texts[1] else 0


def row_texts(table: Table) -> list[list[str]]:
    """Return the rows as lists of text, white space collapsed."""
    return [[" ".join(text.split()) for text in row] for row in table.matrix()]


def edge_notes(table: Table) -> tuple[list[str], list[str]]:
    """Return the texts of the rows above the first row proper, and below the last, that say that the table goes on."""
    texts = row_texts(table)
    notes = _note_rows(texts)
    rows = [r for r in range(table.n_rows) if r not in notes]
    first = rows[0] if rows else table.n_rows
    said = {r: " ".join(filter(None, texts[r])) for r in sorted(notes)}
    return [t for r, t in said.items() if r < first], [t for r, t in said.items() if r > first]


def _note_rows(texts: Sequence[Sequence[str]]) -> set[int]:
    """Return the rows at the top and at the bottom that say that the table goes on, and nothing else."""
    found: set[int] = set()
    for rows in (range(len(texts)), range(len(texts) - 1, -1, -1)):
        for r in rows:
            text = " ".join(filter(None, texts[r]))
            if text and continuation_note(text) is None:
                break
            if text:
                found.add(r)
    return found


def _without_notes(table: Table) -> list[list[str]]:
    texts = row_texts(table)
    notes = _note_rows(texts)
    return [[squashed(text) for text in row] for r, row in enumerate(texts) if r not in notes]


def _head_rows(table: Table) -> int:
    return table.header_rows - sum(r < table.header_rows for r in _note_rows(row_texts(table)))


def _is_crossed(part: Table, rows: Sequence[int], count: int) -> bool:
    """Return whether a cell reaches over the lower edge of the first `count` of these rows."""
    edge = rows[count] if count < len(rows) else part.n_rows
    return any(c.row < edge < c.row + c.rowspan for c in part.cells)


def _places(part: Table, dropped: Sequence[DroppedRow], first_row: int) -> dict[int, int]:
    """Return for each kept row of a part its row in the whole."""
    gone = {d.row for d in dropped}
    return {r: first_row + i for i, r in enumerate(r for r in range(part.n_rows) if r not in gone)}


def _moved(cell: Cell, row: int, *, is_later: bool, head: int) -> Cell:
    """Return the cell in its row of the whole; what heads a later part without repeating the head is a row like others."""
    return replace(cell, row=row, is_header=cell.is_header and not (is_later and cell.row < head))


def _as_part(part: Table, dropped: tuple[DroppedRow, ...], first_row: int, n_rows: int) -> TablePart:
    if part.provenance.page_num is None:
        raise ValueError("a part of a table stands on a page")
    return TablePart(
        id=part.id,
        page_num=part.provenance.page_num,
        bbox=part.provenance.bbox,
        first_row=first_row,
        n_rows=n_rows,
        method=part.provenance.method,
        dropped=dropped,
        caption=part.caption,
        column_edges=part.column_edges,
        row_edges=part.row_edges,
        apparatus=part.apparatus,
    )


def _agreement(parts: Sequence[Table]) -> float | None:
    """Return the mean agreement over the accepted dividers of all parts, None where no part has an apparatus."""
    heard = [part.apparatus for part in parts if part.apparatus is not None]
    counts = [sum(d.accepted for d in a.dividers) for a in heard]
    if not any(counts):
        return 0.0 if heard else None
    return sum(a.agreement * n for a, n in zip(heard, counts, strict=True)) / sum(counts)
