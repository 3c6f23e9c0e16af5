"""A document in the form in which outside scorers read it (``--format referee``).

A stable interface: change it by addition only.
"""

from __future__ import annotations

import re

from variorum.document.flow import page_of
from variorum.document.model import Document, Table, TextComponent

_COORDINATE_DIGITS = 2


def to_referee(document: Document) -> dict[str, object]:
    """Return ``{"tables": [...], "document": {...}}``, plain JSON data.

    A table: ``page`` from 1, ``bbox`` in points of the page as displayed or None, ``rows`` of text with header rows first,
    ``spans`` as ``[row, col, rowspan, colspan]`` for cells larger than one position (text stands in the first), ``caption``,
    ``table_id``; lists of contents and other artifacts are left out. The document: title, headings with level and number,
    paragraphs (items of lists too, without their marks; no footnotes, code or bylines), captions of tables and figures, once
    each, with kind and number, equations and references with their number or label, and the number of citations, in reading
    order; empty where nothing was read.
    """
    proper = [table for table in document.tables if table.artifact is None]
    return {"tables": [_table(table) for table in proper], "document": _document(document)}


def _table(table: Table) -> dict[str, object]:
    box = table.provenance.bbox
    return {
        "page": max(1, page_of(table)),  # a source without pages is one page to a scorer
        "bbox": None if box is None else list(box.rounded(_COORDINATE_DIGITS).as_tuple()),
        "rows": table.matrix(),
        "spans": [[c.row, c.col, c.rowspan, c.colspan] for c in table.cells if c.rowspan > 1 or c.colspan > 1],
        "caption": table.caption.text if table.caption is not None else "",
        "table_id": table.id,
    }


def _document(document: Document) -> dict[str, object]:
    def texts(*kinds: str) -> list[str]:
        return [c.text for c in document.components if c.kind in kinds]

    return {
        "title": next(iter(texts("title")), document.identity.title),
        "headings": [{"level": c.level or 1, **_numbered(c)} for c in document.components if c.kind == "heading"],
        "paragraphs": texts("paragraph", "list_item"),
        "captions": _captions(document),
        "equations": [_numbered(c) for c in document.components if c.kind == "equation"],
        "references": [_numbered(c) for c in document.components if c.kind == "bibliography_entry"],
        "citations": len(document.citations) or len(texts("citation")),
    }


def _numbered(component: TextComponent) -> dict[str, object]:
    plain: dict[str, object] = {"text": component.text}
    return plain if component.number is None else {**plain, "number": component.number}


def _captions(document: Document) -> list[dict[str, object]]:
    """Return the captions of the tables, of the figures, and those that stand alone: each once."""
    captioned = {table.id for table in document.tables if table.caption is not None}
    captioned |= {figure.id for figure in document.figures if figure.caption is not None}
    found: list[dict[str, object]] = [
        {"kind": _kind(caption.label or caption.text), "number": caption.number, "text": caption.text}
        for caption in document.iter_captions()
    ]
    found += [
        {"kind": "figure", "number": figure.caption.number, "text": figure.caption.text}
        for figure in document.figures
        if figure.caption is not None
    ]
    found += [
        {"kind": _kind(c.text), "number": c.number, "text": c.text}
        for c in document.components
        if c.kind == "caption" and c.target not in captioned
    ]
    return found


def _kind(label: str) -> str:
    return "figure" if re.match(r"\W*fig", label, re.IGNORECASE) else "table"
