"""Faults to plant in what a source says of a paper: merged rows, a lost table, shuffled sections, another table, TeX in a text.

Each takes a document and gives another one, with the fault. The same random numbers give the same fault. What has marks in it
(citations, formulas) keeps those whose text is left as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Final, TypeVar

from variorum.document import Cell, Citation, Document, InlineEquation, Mention, Table, TextComponent

KINDS: Final = ("merged_rows", "lost_table", "shuffled_sections", "foreign_table", "broken_tex")
_LEFT: Final[tuple[Callable[[str], str], ...]] = (
    lambda word: f"\\textbf{{{word}}}",
    lambda word: f"{{\\em {word}",
    lambda word: f"{word}~\\cite{{{word.lower()}22}}",
    lambda word: f"${word}_{{i}}$",
    lambda word: f"{word}\\\\",
    lambda word: f"\\ref{{sec:{word.lower()}}}",
    lambda word: f"{word} \\hskip 1em plus 0.5em",
    lambda word: f"\\textcolor{{red}}{{{word}}}",
)
"""What a reader leaves of TeX that it does not know, around a word."""
Mark = TypeVar("Mark", Citation, InlineEquation, Mention)


def merged_rows(table: Table, rng: Random) -> Table | None:
    """Return the table with some neighbouring rows below its head run together, cell by cell; None where it has too few.

    From two rows to all of them become one, at one place or, in one of three, at every second row.
    """
    first, rows = table.header_rows, table.n_rows - table.header_rows
    if rows < 2 or any(cell.rowspan > 1 for cell in table.cells if cell.row + cell.rowspan > first):
        return None
    if rng.randrange(3):
        start = first + rng.randrange(rows - 1)
        end = start + 2 + rng.randrange(table.n_rows - start - 1)
        to = [start if start <= row < end else row for row in range(table.n_rows)]
    else:
        to = [row if row < first else row - (row - first) % 2 for row in range(table.n_rows)]
    order = {row: i for i, row in enumerate(dict.fromkeys(to))}
    merged: dict[tuple[int, int], Cell] = {}
    for cell in table.cells:
        place = order[to[cell.row]], cell.col
        above = merged.get(place)
        words = cell.text if above is None else " ".join(filter(None, (above.text, cell.text)))
        merged[place] = replace(cell if above is None else above, row=place[0], text=words, raw_text=None)
    cells = [merged[place] for place in sorted(merged)]
    if _overlap(cells):
        return None
    return _changed(table, cells, len(order), table.n_cols)


def foreign_table(table: Table, others: Sequence[Table], rng: Random) -> Table | None:
    """Return the table with the cells of one of the others, of another paper, under its own number and caption."""
    fitting = [other for other in others if other.cells and other.matrix() != table.matrix()]
    if not fitting:
        return None
    other = rng.choice(fitting)
    bare = [replace(cell, bbox=None, raw_text=None) for cell in other.cells]
    return replace(_changed(table, bare, other.n_rows, other.n_cols), header_rows=other.header_rows, footnotes=other.footnotes)


def with_table(document: Document, table: Table) -> Document:
    """Return the document with the table in the place of that of the same id."""
    return replace(document, tables=tuple(table if t.id == table.id else t for t in document.tables))


def without_table(document: Document, name: str) -> Document:
    """Return the document without a table: its marker and caption are gone, and what names it leads nowhere."""
    gone = {c.id for c in document.components if c.target == name and c.kind in ("table", "caption")} | {name}
    kept = tuple(c for c in document.components if c.id not in gone)
    return _without(replace(document, tables=tuple(t for t in document.tables if t.id != name), components=kept), gone)


def shuffled_sections(document: Document, rng: Random) -> Document | None:
    """Return the document with its sections of the highest level in another order; None where there are fewer than three.

    What stands before the first heading keeps its place, and so do the references.
    """
    components = list(document.components)
    starts = [i for i, c in enumerate(components) if c.kind == "heading" and (c.level or 1) == 1]
    last = next((i for i, c in enumerate(components) if c.kind == "bibliography_entry"), len(components))
    starts = [i for i in starts if i < last]
    if starts and last < len(components):
        last = starts.pop()  # the heading of the references
    if len(starts) < 3:
        return None
    parts = [components[a:b] for a, b in zip(starts, [*starts[1:], last], strict=True)]
    order = list(range(len(parts)))
    while order == sorted(order):
        rng.shuffle(order)
    moved = [c for i in order for c in parts[i]]
    return replace(document, components=(*components[: starts[0]], *moved, *components[last:]), sections=())


def broken_tex(document: Document, names: Sequence[str], rng: Random) -> Document | None:
    """Return the document with TeX left around words of these components; from one word in twenty to one in two.

    None where none of the words is changed.
    """
    share = rng.uniform(0.05, 0.5)
    changed: dict[str, TextComponent] = {}
    for component in document.components:
        if component.id in names:
            words = component.text.split(" ")
            fit = [i for i, word in enumerate(words) if word.isalpha()]
            for i in rng.sample(fit, min(len(fit), max(1, round(share * len(fit))))):
                words[i] = rng.choice(_LEFT)(words[i])
            changed[component.id] = replace(component, text=" ".join(words))
    if all(c.text == changed[c.id].text for c in document.components if c.id in changed):
        return None
    components = tuple(changed.get(c.id, c) for c in document.components)
    old = {c.id: c.text for c in document.components}
    new = {c.id: c.text for c in components}
    return replace(
        document,
        components=components,
        citations=_still_there(document.citations, old, new),
        inline_equations=_still_there(document.inline_equations, old, new),
        mentions=_still_there(document.mentions, old, new),
    )


def _still_there(marks: Sequence[Mark], old: dict[str, str], new: dict[str, str]) -> tuple[Mark, ...]:
    """Return the marks, moved to where their text stands now: as many occurrences of it from the start as before."""
    kept = []
    for mark in marks:
        was, now = old[mark.component], new[mark.component]
        if was == now:
            kept.append(mark)
            continue
        at = -1
        for _ in range(was[: mark.start].count(mark.text) + 1):
            at = now.find(mark.text, at + 1)
        if at >= 0:
            kept.append(replace(mark, start=at, end=at + len(mark.text)))
    return tuple(kept)


def _without(document: Document, gone: set[str]) -> Document:
    return replace(
        document,
        citations=tuple(c for c in document.citations if c.component not in gone),
        inline_equations=tuple(e for e in document.inline_equations if e.component not in gone),
        mentions=tuple(
            replace(m, target=None) if m.target in gone else m for m in document.mentions if m.component not in gone
        ),
        sections=(),
        completeness=None,
    )


def _changed(table: Table, cells: Sequence[Cell], n_rows: int, n_cols: int) -> Table:
    return replace(
        table, cells=tuple(cells), n_rows=n_rows, n_cols=n_cols, column_edges=(), row_edges=(), apparatus=None, parts=()
    )


def _overlap(cells: Sequence[Cell]) -> bool:
    places = [(cell.row, col) for cell in cells for col in range(cell.col, cell.col + cell.colspan)]
    return len(places) != len(set(places))
