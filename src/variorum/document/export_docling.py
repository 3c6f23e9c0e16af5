"""A DoclingDocument, so that the chunkers and serializers made for such documents work on a paper read here.

``docling-core`` is imported here and nowhere else, on the first call. Boxes are points from the top left. What a component says
stands whole in its item; an item in several places has a provenance for each. Furniture is in the furniture layer. Ids of
components do not survive: a DoclingDocument names its items itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from variorum.document.characters import encodable
from variorum.document.flow import LISTED, equation_text, is_ordinal, list_mark, reading_flow
from variorum.document.model import Document, Table, TextComponent
from variorum.document.paper_model import Figure
from variorum.document.placing import Caption
from variorum.errors import UsageError
from variorum.geometry import Box

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument

_HASH: Final = re.compile(r"[0-9a-f]{64}")
_HASH_DIGITS: Final = 16  # docling keeps 64 bits
_LABELS: Final = {"footnote": "FOOTNOTE", "caption": "CAPTION", "bibliography_entry": "REFERENCE"}


def document_to_docling(document: Document) -> DoclingDocument:
    """Return the paper as a DoclingDocument in reading order: title, headings with levels, text, lists, formulas, code, notes,
    references, tables and pictures with their captions; pages with their sizes.

    Raises UsageError when ``docling-core`` is not installed.
    """
    return _Maker(document).made()


def _docling() -> Any:
    """Return the module of docling's document types; the one door to the package."""
    try:
        from docling_core.types.doc import document as types
    except ImportError as error:
        raise UsageError(
            f"a DoclingDocument needs the package docling-core, which cannot be imported ({error})",
            hint="pip install 'variorum[docling]'",
        ) from error
    return types


class _Maker:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._types = _docling()
        types = self._types
        is_hash = _HASH.fullmatch(document.sha256) is not None
        origin = types.DocumentOrigin(
            mimetype="application/pdf",
            binary_hash=int(document.sha256[-_HASH_DIGITS:], 16) if is_hash else 0,
            filename=encodable(document.source_name),
        )
        name = PurePath(document.source_name).stem or document.key
        self._doc: Any = types.DoclingDocument(name=encodable(name), origin=origin)
        self._sizes = {page.page_num: (page.width, page.height) for page in document.pages}
        for page in document.pages:
            self._doc.add_page(page_no=page.page_num, size=types.Size(width=page.width, height=page.height))

    def made(self) -> Any:
        """Return the document with everything added."""
        title = self._document.identity.title
        if title and not any(c.kind == "title" for c in self._document.components):
            self._doc.add_title(text=encodable(title))
        group: Any = None
        for item in reading_flow(self._document):
            if isinstance(item, TextComponent) and item.kind == "list_item":
                group = self._doc.add_list_group() if group is None else group
                self._list_item(item, group)
                continue
            group = None
            if isinstance(item, Table):
                self._table(item)
            elif isinstance(item, Figure):
                self._picture(item)
            else:
                self._text(item)
        for component in self._document.components:
            if component.kind == "furniture":
                self._furniture(component)
        return self._doc

    def _text(self, component: TextComponent) -> None:
        doc, labels = self._doc, self._types.DocItemLabel
        text = encodable(component.text)
        if component.kind == "title":
            item = doc.add_title(text=text)
        elif component.kind == "heading":
            item = doc.add_heading(text=text, level=component.level or 1)
        elif component.kind == "equation":
            text = encodable(equation_text(component))
            item = doc.add_formula(text=encodable(component.tex or "") or text, orig=text)  # so Docling's enrichment has it
        elif component.kind == "code":
            item = doc.add_code(text=text)
        else:
            if component.kind in LISTED:
                text = f"{encodable(list_mark(component))} {text}".strip()
            item = doc.add_text(label=getattr(labels, _LABELS.get(component.kind, "TEXT")), text=text)
        self._place(item, component)

    def _list_item(self, component: TextComponent, group: Any) -> None:
        mark = list_mark(component)
        item = self._doc.add_list_item(
            text=encodable(component.text), enumerated=is_ordinal(mark), marker=encodable(mark) or None, parent=group
        )
        self._place(item, component)

    def _furniture(self, component: TextComponent) -> None:
        """Add what stands in the upper half of its page as a header, the rest as a footer."""
        labels, place = self._types.DocItemLabel, component.provenance
        height = self._sizes.get(place.page_num or 0, (0.0, 0.0))[1]
        is_header = place.bbox is not None and 2 * place.bbox.centre[1] < height
        item = self._doc.add_text(
            label=labels.PAGE_HEADER if is_header else labels.PAGE_FOOTER,
            text=encodable(component.text),
            content_layer=self._types.ContentLayer.FURNITURE,
        )
        self._place(item, component)

    def _place(self, item: Any, component: TextComponent) -> None:
        own = component.provenance
        places: list[tuple[int | None, Box | None]] = [(p.page_num, p.bbox) for p in component.places]
        places = places or [(own.page_num, own.bbox)]
        item.prov = list(self._provenances(places, len(item.text)))

    def _provenances(self, places: Sequence[tuple[int | None, Box | None]], length: int) -> Iterator[Any]:
        types = self._types
        for page_num, box in places:
            if page_num in self._sizes and box is not None:
                own = self._box(_within(box, *self._sizes[page_num]))
                yield types.ProvenanceItem(page_no=page_num, bbox=own, charspan=(0, length))

    def _box(self, box: Box) -> Any:
        origin = self._types.CoordOrigin.TOPLEFT
        return self._types.BoundingBox(l=box.x0, t=box.y0, r=box.x1, b=box.y1, coord_origin=origin)

    def _table(self, table: Table) -> None:
        types = self._types
        data = types.TableData(
            num_rows=table.n_rows,
            num_cols=table.n_cols,
            table_cells=[
                types.TableCell(
                    text=encodable(cell.text),
                    row_span=cell.rowspan,
                    col_span=cell.colspan,
                    start_row_offset_idx=cell.row,
                    end_row_offset_idx=cell.row + cell.rowspan,
                    start_col_offset_idx=cell.col,
                    end_col_offset_idx=cell.col + cell.colspan,
                    column_header=cell.row < table.header_rows,
                    row_header=cell.is_header and cell.row >= table.header_rows,
                    bbox=None if cell.bbox is None else self._box(cell.bbox),
                )
                for cell in table.cells
            ],
        )
        labels = types.DocItemLabel
        label = labels.DOCUMENT_INDEX if table.artifact == "contents_list" else labels.TABLE
        item = self._doc.add_table(data=data, label=label)
        places: list[tuple[int | None, Box | None]] = [(p.page_num, p.bbox) for p in table.parts]
        places = places or [(table.provenance.page_num, table.provenance.bbox)]
        item.prov = list(self._provenances(places, 0))
        self._caption(item, table.caption)
        for note in table.footnotes:
            child = self._doc.add_text(label=labels.FOOTNOTE, text=encodable(note), parent=item)
            item.footnotes.append(child.get_ref())

    def _picture(self, figure: Figure) -> None:
        item = self._doc.add_picture()
        item.prov = list(self._provenances([(figure.provenance.page_num, figure.provenance.bbox)], 0))
        self._caption(item, figure.caption)

    def _caption(self, item: Any, caption: Caption | None) -> None:
        if caption is None:
            return
        text = encodable(caption.text)
        child = self._doc.add_text(label=self._types.DocItemLabel.CAPTION, text=text, parent=item)
        child.prov = list(self._provenances([(caption.page_num, caption.bbox)], len(text)))
        item.captions.append(child.get_ref())


def _within(box: Box, width: float, height: float) -> Box:
    """Return the part of a box that lies on its page: docling takes no box that reaches out of it, as overfull lines do."""
    x0, x1 = (min(max(x, 0.0), width) for x in (box.x0, box.x1))
    y0, y1 = (min(max(y, 0.0), height) for y in (box.y0, box.y1))
    return Box(x0, y0, x1, y1)
