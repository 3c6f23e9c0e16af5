"""DoclingDocuments as stored, small enough to be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from variorum.document import Document
from variorum.sources.docling import read_docling

Item = dict[str, Any]


def text(label: str, words: str, **more: Any) -> Item:
    """Return an item of text."""
    return {"label": label, "text": words, "orig": words, "children": [], "prov": [place()], **more}


def place(page: int = 1, origin: str = "BOTTOMLEFT") -> Item:
    """Return a place on a page of 600 × 800 points: 100 points from the left, 50 high, its top 100 below that of the page."""
    top, bottom = (700.0, 650.0) if origin == "BOTTOMLEFT" else (100.0, 150.0)
    return {"page_no": page, "bbox": {"l": 100.0, "t": top, "r": 300.0, "b": bottom, "coord_origin": origin}}


def cell(row: int, col: int, words: str, *, rowspan: int = 1, colspan: int = 1, head: bool = False) -> Item:
    """Return a cell of a table."""
    return {
        "text": words,
        "start_row_offset_idx": row,
        "end_row_offset_idx": row + rowspan,
        "start_col_offset_idx": col,
        "end_col_offset_idx": col + colspan,
        "column_header": head,
    }


def stored(*items: Item, **more: Any) -> Item:
    """Return a document whose body holds these texts in order."""
    return {
        "schema_name": "DoclingDocument",
        "version": "1.10.0",
        "name": "paper",
        "body": {"children": [{"$ref": f"#/texts/{i}"} for i in range(len(items))]},
        "texts": list(items),
        "pages": {"1": {"page_no": 1, "size": {"width": 600.0, "height": 800.0}}},
        **more,
    }


def write(tmp_path: Path, data: Any) -> Path:
    """Return the file that holds the data."""
    file = tmp_path / "paper.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return file


def read(tmp_path: Path, data: Item) -> Document:
    """Return the document of the data; it is checked as when it is written."""
    document = read_docling(write(tmp_path, data))
    assert Document.from_json(document.to_json()).to_json() == document.to_json()
    return document
