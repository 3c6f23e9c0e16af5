"""Signs of damage in tables: rows run together, empty columns, rows of a length that no other reading has, another table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Final

from variorum.document import Table
from variorum.fusion.evidence import Evidence, SourceIndex
from variorum.fusion.model import Reading
from variorum.fusion.ordering import independent_pairs
from variorum.fusion.pieces import words_of
from variorum.fusion.signals.differences import Differences, cell_key, listed
from variorum.fusion.signals.kinds import Finding

_NUMBER: Final = re.compile(r"[-+−–]?(?:\d[\d.,]*|\.\d+)%?")
_THOUSANDS: Final = re.compile(r"[-+−–]?\d{1,3}(?:\s\d{3})+(?:[.,]\d+)?%?")


def crowded_cells(evidence: Evidence, found: Differences) -> Finding | None:
    """Return the share of the contested cells that stand in rows where a cell holds two numbers.

    Where there are other readings, one of them must have each of the numbers in a cell of its own; or, for numbers with signs
    around them (``0.3 ± 0.1``), below each other in one column.
    """
    contested = {found.own.keys[i] for i in found.contested()}
    apart = Counter(key for _, items, _ in found.others for key in set(items.keys)) if found.others else None
    stacked = {pair for index, reading in evidence.others() for pair in _stacked(index.tables_of(reading))}
    bad: list[str] = []
    crowded: list[str] = []
    total = 0
    for row in _rows(evidence.index.tables_of(evidence.reading)):
        disputed = [text for text in row if cell_key(text) in contested]
        total += len(disputed)
        full = [text for text in disputed if _is_crowded(text, apart) or _is_stack(text, stacked)]
        if full:
            crowded += full
            bad += disputed
    if not bad:
        return None
    scope = "on which the readings differ" if found.others else "that it has"
    return len(bad) / total, f"{len(bad)} of {total} cells {scope} stand in rows run together: {listed(crowded)}"


def _is_crowded(text: str, apart: Counter[str] | None) -> bool:
    parts = text.split()
    if len(parts) < 2 or _THOUSANDS.fullmatch(" ".join(parts)) or not all(map(_NUMBER.fullmatch, parts)):
        return False
    return apart is None or all(cell_key(part) in apart for part in parts)


def _is_stack(text: str, stacked: Collection[tuple[str, str]]) -> bool:
    """Return whether a text is made of pieces of one form, with numbers, that stand below each other in another reading."""
    words = text.split()
    for count in range(2, len(words) + 1):
        size, rest = divmod(len(words), count)
        pieces = [" ".join(words[i : i + size]) for i in range(0, len(words), size)]
        if rest or len({_NUMBER.sub("0", piece) for piece in pieces}) > 1 or not _NUMBER.search(pieces[0]):
            continue
        if all(pair in stacked for pair in pairwise(map(cell_key, pieces))):
            return True
    return False


def _stacked(tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    """Yield the keys of each filled cell and of the filled cell below it in its column."""
    for table in tables:
        above: dict[int, str] = {}
        for cell in sorted(table.cells, key=lambda c: c.row):
            if cell.text.strip():
                key = cell_key(cell.text)
                if cell.col in above:
                    yield above[cell.col], key
                above[cell.col] = key


def empty_columns(evidence: Evidence, found: Differences) -> Finding | None:
    """Return the share of a table's columns that hold nothing."""
    columns, empty = 0, 0
    for table in evidence.index.tables_of(evidence.reading):
        filled = {col for c in table.cells if c.text.strip() for col in range(c.col, c.col + c.colspan)}
        columns += table.n_cols
        empty += table.n_cols - len(filled)
    return (empty / columns, f"{empty} of {columns} columns are empty") if empty else None


def ragged_rows(evidence: Evidence, found: Differences) -> Finding | None:
    """Return the share of a table's rows of a length that two independent readings, which agree on all lengths, do not have."""
    own = _lengths(evidence.index, evidence.reading)
    others = {index.source.kind: _lengths(index, reading) for index, reading in evidence.others()}
    worst: Finding | None = None
    for first, second in independent_pairs(list(others)):
        if others[first] != others[second] or not own:
            continue
        odd = own - others[first]
        count = sum(odd.values())
        share = count / sum(own.values())
        if count and (worst is None or share > worst[0]):
            sizes = ", ".join(map(str, sorted(odd)))
            worst = share, f"{count} of {sum(own.values())} rows have {sizes} cells, where {first} and {second} have other rows"
    return worst


def unfamiliar_words(evidence: Evidence, found: Differences) -> Finding | None:
    """Return how much less of a table's contested words the paper's own text has than those of the reading that fits it best.

    Nothing is said where the readings have most cells in common: then they are the same table.
    """
    if not found.others or 2 * len(found.contested()) < len(found.own.raw):
        return None
    known = evidence.paper.words
    own = _familiar(found.own.raw, known)
    best_kind, best = None, 0.0
    for kind, items, _ in found.others:
        other = _familiar(items.raw, known)
        if other is not None and other > best:
            best_kind, best = kind, other
    if own is None or best_kind is None or own >= best:
        return None
    return 1 - own / best, f"the paper's text has {own:.0%} of its words, and {best:.0%} of those that {best_kind} has here"


def _familiar(cells: Sequence[str], known: frozenset[str]) -> float | None:
    """Return the share of the words of cells, numbers apart, that are known; None without words."""
    words = [word for cell in cells for word in words_of(cell) if not any(c.isdigit() for c in word)]
    return sum(word in known for word in words) / len(words) if words else None


def _lengths(index: SourceIndex, reading: Reading) -> Counter[int]:
    """Return how many rows have how many filled cells; rows without any are none."""
    return Counter(len(row) for row in _rows(index.tables_of(reading)))


def _rows(tables: Sequence[Table]) -> Iterator[list[str]]:
    """Yield the texts of the filled cells of each row that has any."""
    for table in tables:
        rows: dict[int, list[str]] = {}
        for cell in table.cells:
            if cell.text.strip():
                rows.setdefault(cell.row, []).append(cell.text)
        yield from rows.values()
