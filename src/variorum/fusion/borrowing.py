"""What a winner lacks and takes from the other readings of its position, each attribute with its own provenance.

Page and box come from the PDF, else from Docling; levels of headings from the TeX; the rest from the reading with the highest
score that has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from variorum.document import BibliographyEntry, Figure, Place, Provenance, Table, TablePart, TextComponent
from variorum.fusion.lenders import PLACED, Lenders, lent, paired
from variorum.fusion.model import Borrowed, Reading
from variorum.fusion.ordering import FROM_TEX
from variorum.fusion.pieces import bare_number
from variorum.fusion.printed_numbers import with_printed_heading, with_printed_number
from variorum.fusion.repeating import added_notes

_NUMBERED: Final = ("heading", "equation", "bibliography_entry", "footnote", "caption")
_BOX_DIGITS: Final = 1
_ENTRY_FIELDS: Final = (
    ("label", "number"),
    ("authors", "authors"),
    ("year", "year"),
    ("title", "title"),
    ("doi", "identifier"),
    ("arxiv_id", "identifier"),
    ("url", "identifier"),
)

# ---- texts -----------------------------------------------------------------------------------------------------------


def complete_text(component: TextComponent, index: int, count: int, lenders: Lenders) -> tuple[TextComponent, list[Borrowed]]:
    """Return the winner's component of this index, of `count`, with what it lacks, and what it borrowed."""
    borrowed: list[Borrowed] = []
    for step in (_with_place, _with_level, with_printed_heading, _with_number, _with_tex, _with_text, _with_key):
        component, found = step(component, index, count, lenders)
        borrowed += [] if found is None else [found]
    return component, borrowed


Step = tuple[TextComponent, Borrowed | None]


def _with_place(component: TextComponent, index: int, count: int, lenders: Lenders) -> Step:
    if component.provenance.page_num is not None:
        return component, None
    for reading in lenders.from_sources(PLACED):
        places = tuple(p for c in paired(lenders.texts(reading), index, count) for p in places_of(c))
        if places:
            own = replace(component.provenance, page_num=places[0].page_num, bbox=places[0].bbox)
            found = replace(component, provenance=own, places=places if len(places) > 1 else ())
            return found, lent("place", reading, "; ".join(map(place_text, places)))
    return component, None


def places_of(component: TextComponent) -> tuple[Place, ...]:
    """Return where a component stands, in reading order; nothing where its source has no boxes."""
    own = component.provenance
    if component.places:
        return component.places
    return (Place(page_num=own.page_num, bbox=own.bbox),) if own.page_num is not None and own.bbox is not None else ()


def place_text(place: Place) -> str:
    """Return a place as text: ``page 3, box 72, 90.5, 310, 122.1``."""
    return f"page {place.page_num}, box {', '.join(f'{v:g}' for v in place.bbox.rounded(_BOX_DIGITS).as_tuple())}"


def _with_level(component: TextComponent, index: int, count: int, lenders: Lenders) -> Step:
    """Return a heading with the level that the TeX gives it, else with its own on the scale of the TeX."""
    if component.kind != "heading" or lenders.winner in FROM_TEX:
        return component, None
    for reading in lenders.from_sources(FROM_TEX):
        levels = [c.level for c in paired(lenders.texts(reading), index, count) if c.kind == "heading" and c.level is not None]
        if levels:
            same = levels[0] == component.level
            return replace(component, level=levels[0]), None if same else lent("level", reading, str(levels[0]))
    if component.level is None:
        return component, None
    return replace(component, level=lenders.paper.levels.get((lenders.winner, component.level), component.level)), None


def _with_number(component: TextComponent, index: int, count: int, lenders: Lenders) -> Step:
    """Return a component with the number that it lacks; of several that another source has as one, the last has its number."""
    if component.number or component.kind not in _NUMBERED:
        return component, None
    known = {bare_number(own.number) for own in lenders.texts(lenders.readings[0])}
    for reading in lenders.others:
        own = lenders.texts(reading)
        for other in paired(own, index, count):
            is_own = other.kind == component.kind and (len(own) == count or index == count - 1)
            if other.number and is_own and bare_number(other.number) not in known:
                return replace(component, number=other.number), lent("number", reading, other.number)
    return component, None


def _with_tex(component: TextComponent, index: int, count: int, lenders: Lenders) -> Step:
    """Return an equation with the TeX of another reading; several rows that are one here are joined as TeX joins them."""
    if component.tex or component.kind != "equation":
        return component, None
    for reading in lenders.from_sources(FROM_TEX):
        own = lenders.texts(reading)
        rows = [c.tex for c in paired(own, index, count) if c.kind == "equation" and c.tex]
        if rows and (len(own) == count or count == 1):
            tex = " \\\\\n".join(rows)
            return replace(component, tex=tex), lent("tex", reading, tex)
    return component, None


def _with_text(component: TextComponent, index: int, count: int, lenders: Lenders) -> Step:
    """Return an equation that has no text with that of another reading."""
    if component.text.strip() or component.kind != "equation":
        return component, None
    for reading, other in _same_kind(component, index, count, lenders):
        if other.text.strip():
            return replace(component, text=other.text), lent("text", reading, other.text)
    return component, None


def _with_key(component: TextComponent, index: int, count: int, lenders: Lenders) -> Step:
    """Return an entry of the references with the key that LaTeX cites it by, which is its note there."""
    if component.note or component.kind != "bibliography_entry":
        return component, None
    for reading in lenders.from_sources(("latex",)):
        for other in paired(lenders.texts(reading), index, count):
            if other.note:
                return replace(component, note=other.note), lent("key", reading, other.note)
    return component, None


def _same_kind(component: TextComponent, index: int, count: int, lenders: Lenders) -> Iterator[tuple[Reading, TextComponent]]:
    for reading in lenders.others:
        for other in paired(lenders.texts(reading), index, count):
            if other.kind == component.kind:
                yield reading, other


def complete_entry(
    entry: BibliographyEntry, index: int, count: int, lenders: Lenders
) -> tuple[BibliographyEntry, list[Borrowed]]:
    """Return what an entry of the references says, with what only other readings of it say, and what it borrowed."""
    borrowed = []
    for name, attribute in _ENTRY_FIELDS:
        if getattr(entry, name):
            continue
        for reading in lenders.others:
            known = lenders.paper.indexes[reading.source].entries
            values = [getattr(known[c.id], name) for c in paired(lenders.texts(reading), index, count) if c.id in known]
            if len(values) == 1 and values[0]:
                entry = replace(entry, **{name: values[0]})
                said = values[0] if isinstance(values[0], str) else ", ".join(values[0])
                borrowed.append(lent(attribute, reading, said))
                break
    return entry, borrowed


# ---- tables and figures ----------------------------------------------------------------------------------------------


def complete_table(table: Table, index: int, count: int, lenders: Lenders) -> tuple[Table, list[Borrowed]]:
    """Return the winner's table of this index, of `count`, with what it lacks, and what it borrowed."""
    table, borrowed = _with_caption(table, index, count, lenders)
    if not table.header_rows:
        for reading, other in _tables(index, count, lenders, lenders.others):
            if other.header_rows and (other.n_rows, other.n_cols) == (table.n_rows, table.n_cols):
                cells = tuple(replace(c, is_header=c.is_header or c.row < other.header_rows) for c in table.cells)
                table = replace(table, header_rows=other.header_rows, cells=cells)
                borrowed.append(lent("headers", reading, str(other.header_rows)))
                break
    for reading, other in _tables(index, count, lenders, lenders.others):
        if notes := added_notes(table.footnotes, other.footnotes):
            table = replace(table, footnotes=(*table.footnotes, *notes))
            borrowed.append(lent("notes", reading, " ".join(notes)))
    if table.provenance.page_num is None:
        for reading, other in _tables(index, count, lenders, lenders.from_sources(PLACED)):
            if other.provenance.page_num is not None:
                table = _placed_table(table, other)
                borrowed.append(lent("place", reading, _where(other.provenance)))
                break
    return table, borrowed


def _tables(index: int, count: int, lenders: Lenders, readings: Sequence[Reading]) -> Iterator[tuple[Reading, Table]]:
    for reading in readings:
        own = [item for item in lenders.floats(reading) if isinstance(item, Table)]
        yield from ((reading, other) for other in paired(own, index, count)[:1])


def _placed_table(table: Table, other: Table) -> Table:
    """Return the table where the other one stands; with its boxes of cells, edges and parts where the grids agree in shape."""
    own = replace(table.provenance, page_num=other.provenance.page_num, bbox=other.provenance.bbox)
    table = replace(table, provenance=own, angle=other.angle)
    if (table.n_rows, table.n_cols) != (other.n_rows, other.n_cols):
        return table
    boxes = {(cell.row, cell.col): cell.bbox for cell in other.cells}
    cells = tuple(replace(c, bbox=boxes.get((c.row, c.col))) for c in table.cells)
    parts = other.parts if _cuts_no_cell(table, other.parts) else ()
    return replace(
        table,
        cells=cells,
        column_edges=other.column_edges,
        row_edges=other.row_edges,
        parts=tuple(replace(part, apparatus=None) for part in parts),
    )


def _cuts_no_cell(table: Table, parts: Sequence[TablePart]) -> bool:
    starts = [part.first_row for part in parts]
    return not any(cell.row < start < cell.row + cell.rowspan for cell in table.cells for start in starts)


def complete_figure(figure: Figure, index: int, count: int, lenders: Lenders) -> tuple[Figure, list[Borrowed]]:
    """Return the winner's figure of this index, of `count`, with what it lacks, and what it borrowed."""
    figure, borrowed = _with_caption(figure, index, count, lenders)
    for reading in lenders.from_sources(PLACED):
        own = [item for item in lenders.floats(reading) if isinstance(item, Figure)]
        for other in paired(own, index, count)[:1]:
            if figure.provenance.page_num is None and other.provenance.page_num is not None:
                place = replace(figure.provenance, page_num=other.provenance.page_num, bbox=other.provenance.bbox)
                figure = replace(figure, provenance=place, kind=other.kind, is_data_table=other.is_data_table)
                borrowed.append(lent("place", reading, _where(other.provenance)))
            if other.panels and not figure.panels and _hold(figure.provenance, other):
                figure = replace(figure, panels=other.panels)
                borrowed.append(lent("panels", reading, ", ".join(p.label for p in other.panels)))
            if other.text and not figure.text:
                figure = replace(figure, text=other.text)
                borrowed.append(lent("text", reading, other.text))
    return figure, borrowed


def _hold(place: Provenance, other: Figure) -> bool:
    """Return whether the panels of another figure lie in this place."""
    box = place.bbox
    if box is None or place.page_num != other.provenance.page_num:
        return False
    return all(box.union(panel.bbox) == box for panel in other.panels)


Float = TypeVar("Float", Table, Figure)


def _with_caption(item: Float, index: int, count: int, lenders: Lenders) -> tuple[Float, list[Borrowed]]:
    """Return a float with caption and number, from the reading with the highest score that has them."""
    borrowed: list[Borrowed] = []
    for reading in lenders.others:
        for other in paired(lenders.floats(reading), index, count):
            if item.caption is None and other.caption is not None and not lenders.has_section_of(other.caption.text):
                item = replace(item, caption=other.caption)
                borrowed.append(lent("caption", reading, other.caption.text))
            if item.number is None and other.number is not None:
                item = replace(item, number=other.number)
                borrowed.append(lent("number", reading, other.number))
    item = _with_placed_caption(item, index, count, lenders, borrowed)
    return with_printed_number(item, index, count, lenders, borrowed)


def _with_placed_caption(item: Float, index: int, count: int, lenders: Lenders, borrowed: list[Borrowed]) -> Float:
    """Return a float whose caption has page and box, where a source with pages has that caption."""
    if item.caption is None or item.caption.page_num is not None:
        return item
    for reading in lenders.from_sources(PLACED):
        for other in paired(lenders.floats(reading), index, count):
            if other.caption is not None and other.caption.page_num is not None:
                place = replace(other.provenance, page_num=other.caption.page_num, bbox=other.caption.bbox)
                borrowed.append(lent("caption_place", reading, _where(place)))
                caption = replace(item.caption, page_num=place.page_num, bbox=place.bbox)
                return replace(item, caption=caption)
    return item


def _where(provenance: Provenance) -> str:
    page_num, box = provenance.page_num, provenance.bbox
    return f"page {page_num}" if box is None or page_num is None else place_text(Place(page_num=page_num, bbox=box))
