"""Tabulars of LaTeXML's HTML, built from table elements or wholly from spans, also one in a cell of another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from variorum.sources._grids import Grid, SourceCell, as_grid, laid_out
from variorum.sources._html_text import InlineText, classes, is_seen, text_of

_SPAN: Final = re.compile(r"ltx_(?P<axis>row|col)span_(?P<count>\d{1,6})")
_COUNT: Final = re.compile(r"\d{1,6}")


@dataclass(frozen=True, slots=True)
class Tabular:
    """A tabular as read: its grid, the footnotes that stood in its cells, and what LaTeXML did not understand in it."""

    grid: Grid
    notes: tuple[Any, ...]
    errors: tuple[str, ...]


def is_tabular(element: Any) -> bool:
    """Return whether an element is a tabular."""
    return "ltx_tabular" in classes(element)


def read_tabular(element: Any, where: str) -> Tabular:
    """Return a tabular; one that holds nothing but a single other one is that other. Raises what `laid_out` raises."""
    rows = list(_rows(element))
    cells = [cell for row in rows for cell in _cells(row)]
    if len(cells) == 1:
        inner = [e for e in cells[0].iter() if e is not cells[0] and is_tabular(e)]
        if inner and text_of(inner[0]).text == text_of(cells[0]).text:
            return read_tabular(inner[0], where)
    notes: list[Any] = []
    errors: list[str] = []
    table: list[list[SourceCell]] = []
    for row in rows:
        line = []
        for cell in _cells(row):
            said = InlineText()
            said.inside(cell)
            notes += said.notes
            errors += said.errors
            own = classes(cell)
            is_header = "ltx_th_column" in own or "ltx_th_row" in own
            line.append(SourceCell(said.text, _span(cell, own, "row"), _span(cell, own, "col"), is_header))
        table.append(line)
    return Tabular(as_grid(laid_out(table, where), _heads(rows)), tuple(notes), tuple(errors))


def _rows(element: Any) -> Iterator[Any]:
    for child in element:
        if not is_seen(child):
            continue
        own = classes(child)
        if child.tag == "tr" or "ltx_tr" in own:
            yield child
        elif child.tag in ("thead", "tbody", "tfoot") or own & {"ltx_thead", "ltx_tbody", "ltx_tfoot"}:
            yield from _rows(child)


def _cells(row: Any) -> Iterator[Any]:
    for child in row:
        if is_seen(child) and (child.tag in ("td", "th") or "ltx_td" in classes(child)):
            yield child


def _span(cell: Any, own: frozenset[str], axis: str) -> int:
    given = _COUNT.fullmatch((cell.get(f"{axis}span") or "").strip())
    if given:
        return int(given[0])
    named = (_SPAN.fullmatch(name) for name in sorted(own))
    return next((int(m["count"]) for m in named if m and m["axis"] == axis), 1)


def _heads(rows: list[Any]) -> int:
    """Return how many of the first rows are headers: those in a head of the table, or with nothing but headers of columns."""
    count = 0
    for row in rows:
        cells = list(_cells(row))
        in_head = row.getparent() is not None and (row.getparent().tag == "thead" or "ltx_thead" in classes(row.getparent()))
        all_heads = bool(cells) and all("ltx_th_column" in classes(c) for c in cells)
        if not (in_head or all_heads):
            break
        count += 1
    return count
