"""Papers as Docling read them: a stored DoclingDocument (JSON), checked here, without any package of Docling.

The body alone is walked, each item once; texts inside pictures are the words of the figure, captions those of their float.
What Docling does not say is concluded from the text:

- every heading of a PDF has level 1: where it is numbered, the number says the level;
- the title is a heading like others: the first one, when it has no number and no name of a section;
- what stands between the title and an abstract or heading are bylines;
- the references are the items below their heading;
- citations are found in the text.

Formulas have no text unless Docling's enrichment ran. Boxes are points of the page, turned to an origin at the top left.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from variorum.document import Caption, Cell, Document, Figure, PageInfo, PaperIdentity, Place, Table
from variorum.document.keys import paper_key
from variorum.errors import DamagedInputError, SchemaError
from variorum.geometry import Box
from variorum.layout.entry_parsing import find_arxiv_id, find_doi
from variorum.layout.heading_numbers import numbers_at_start
from variorum.layout.section_names import is_known_name, label_of_name
from variorum.sources._grids import as_grid, without_overlaps
from variorum.sources.docling_words import abstract_apart, mended, names_of, words_of
from variorum.sources.files import parse_json, read_bytes
from variorum.sources.gathering import Formula, Gatherer, split_caption
from variorum.thresholds import MAX_SOURCE_POSITIONS

SOURCE: Final = "docling"
SCHEMA: Final = "DoclingDocument"
_HINT: Final = "a DoclingDocument as Docling saves it (document.save_as_json)"
_LISTS: Final = ("texts", "tables", "pictures", "groups", "key_value_items", "form_items")
_FURNITURE: Final = ("page_header", "page_footer")
_SKIPPED: Final = ("checkbox_selected", "checkbox_unselected", "empty_value", "field_item", "marker")
_ABSTRACT: Final = re.compile(r"abstract\b", re.IGNORECASE)
_EQUATION_NUMBER: Final = re.compile(r"\(([A-Z]?\.?\d+(?:\.\d+)*[a-z]?)\)\s*$")
_ENTRY_LABEL: Final = re.compile(r"(\[[^\]]{1,40}\]|\d{1,3}\.)\s+(?=\S)")
_BULLET: Final = re.compile(r"([-–—•·∙◦▪*])\s*(?=\S)")
_MAJOR: Final = "1"
_RUN_IN: Final = "the word stands at the head of the abstract itself"
_STRAY: Final = "docling: text; one sign by itself, as of a drawing or formula that was not recognised"


def read_docling(path: str | Path) -> Document:
    """Return the document that a stored DoclingDocument describes; its provenance says ``docling``.

    Raises InputNotFoundError when there is no such file, SchemaError, with the path to the fault, when it is no JSON or no
    DoclingDocument of schema 1, refers to what is not there or to one item twice, or holds a number that is none;
    DamagedInputError when it is empty or has no text.
    """
    file = Path(path)
    where = str(file)
    data = read_bytes(file)
    return document_of(parse_json(data, where, _HINT), file, hashlib.sha256(data).hexdigest())


def document_of(data: Any, file: Path, sha256: str) -> Document:
    """Return the document of a DoclingDocument given as JSON's values; `file` and `sha256` say where it comes from.

    Raises what `read_docling` raises.
    """
    where = str(file)
    root = _Node(data, where, "")
    if root.text("schema_name") != SCHEMA:
        raise SchemaError(f"is no {SCHEMA}", where=f"{where}: schema_name", hint=_HINT)
    version = root.text("version")
    if version.split(".")[0] != _MAJOR:
        what = f"schema {version} is not supported; this release reads {_MAJOR}.x"
        raise SchemaError(what, where=f"{where}: version", hint="a newer variorum, or another version of docling-core")
    reader = _Reader(root, Gatherer(SOURCE, paper_key(file, sha256)))
    reader.read()
    gatherer = reader.gatherer
    if not gatherer.components:
        raise DamagedInputError("has no text, no tables and no figures", where=where, hint=_HINT)
    front = " ".join(
        c.text for c in gatherer.components if c.kind in ("byline", "furniture") and _is_first(c.provenance.page_num)
    )
    identity = PaperIdentity(title=reader.title, doi=find_doi(front), arxiv_id=find_arxiv_id(front))
    return gatherer.document(
        source_name=file.name, sha256=sha256, identity=identity, pages=reader.pages(), are_citations_linked=False
    )


def _is_first(page_num: int | None) -> bool:
    return page_num is None or page_num == 1


@dataclass(frozen=True, slots=True)
class _Node:
    """An object of the JSON, asked for values of a type; what is wrong is a SchemaError with the path to it."""

    data: Any
    where: str
    path: str

    def __post_init__(self) -> None:
        if not isinstance(self.data, dict):
            self.fail("expected an object")

    def fail(self, what: str, key: str = "") -> None:
        path = f"{self.path}.{key}" if self.path and key else self.path or key
        raise SchemaError(what, where=f"{self.where}: {path}" if path else self.where, hint=_HINT)

    def text(self, key: str, default: str | None = None) -> str:
        value = self.data.get(key, default)
        if not isinstance(value, str):
            self.fail("expected a text", key)
        return str(value)

    def whole(self, key: str, default: int | None = None) -> int:
        value = self.data.get(key, default)
        if type(value) is not int:
            self.fail("expected a whole number", key)
            raise AssertionError
        return value

    def number(self, key: str) -> float:
        value = self.data.get(key)
        if type(value) not in (int, float) or not abs(value) < sys.maxsize:  # no NaN, no infinity
            self.fail("expected a finite number", key)
            raise AssertionError
        return float(value)

    def flag(self, key: str) -> bool:
        value = self.data.get(key, False)
        if not isinstance(value, bool):
            self.fail("expected true or false", key)
        return bool(value)

    def node(self, key: str) -> _Node:
        return _Node(self.data.get(key), self.where, f"{self.path}.{key}" if self.path else key)

    def nodes(self, key: str) -> list[_Node]:
        value = self.data.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fail("expected a list", key)
        path = f"{self.path}.{key}" if self.path else key
        return [_Node(item, self.where, f"{path}[{i}]") for i, item in enumerate(value)]

    def refs(self, key: str) -> list[str]:
        """Return the names that a list of references holds."""
        return [ref.text("$ref", ref.data.get("cref")) for ref in self.nodes(key)]


@dataclass(slots=True)
class _Reader:
    """Walks the body and hands on what it finds."""

    root: _Node
    gatherer: Gatherer
    title: str = ""
    _items: dict[str, _Node] = field(default_factory=dict)
    _heights: dict[int, float] = field(default_factory=dict)
    _sizes: dict[int, tuple[float, float]] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _words: Counter[str] = field(default_factory=Counter)
    _in_references: bool = False
    _in_front: bool = False
    _empty_formulas: int = 0
    _other: int = 0

    def read(self) -> None:
        """Take everything of the body in order."""
        for name in _LISTS:
            for i, item in enumerate(self.root.nodes(name)):
                self._items[f"#/{name}/{i}"] = item
        self._words = words_of(item.text("text", "") for item in self.root.nodes("texts"))
        self._read_pages()
        flow = list(self._flow())
        self._in_front = self._has_abstract(flow)
        title = self._title_of(flow)
        for name, item in flow:
            self._take(name, item, is_title=name == title)
        if self._empty_formulas:
            what = f"{self._empty_formulas} formulas have no text: Docling's enrichment of formulas did not run"
            self.gatherer.warn(what, is_info=True)
        if self._other:
            self.gatherer.warn(f"{self._other} items of kinds that are no text (checkboxes, forms) were left out", is_info=True)

    def pages(self) -> list[PageInfo]:
        """Return the pages in order."""
        return [PageInfo(page_num=n, width=w, height=h) for n, (w, h) in sorted(self._sizes.items())]

    def _read_pages(self) -> None:
        pages = self.root.node("pages") if self.root.data.get("pages") is not None else None
        for key in () if pages is None else pages.data:
            assert pages is not None
            page = pages.node(key)
            number = page.whole("page_no")
            size = page.node("size")
            width, height = size.number("width"), size.number("height")
            if number < 1 or width <= 0 or height <= 0:
                page.fail("expected a page from 1, with a size")
            self._sizes[number] = (width, height)

    # ---- the body ---------------------------------------------------------------------------------------------------

    def _flow(self) -> Iterator[tuple[str, _Node]]:
        """Yield the items of the body in reading order with their names; groups give way to what they hold, pictures and tables
        keep theirs.

        Raises SchemaError for a reference to nothing, or to an item that stands twice (a circle).
        """
        floats = [item for name, item in self._items.items() if name.startswith(("#/tables/", "#/pictures/"))]
        claimed = {name for item in floats for key in ("captions", "footnotes") for name in item.refs(key)}
        body = self.root.node("body")
        stack = [(name, body, "children") for name in reversed(body.refs("children"))]
        while stack:
            name, holder, key = stack.pop()
            item = self._item(name, holder, key)
            if name in self._seen:
                holder.fail(f"{name} stands twice in the body", key)
            self._seen.add(name)
            kind = name.split("/")[1]
            is_inline = kind == "groups" and item.text("label", "") == "inline"
            if name in claimed:
                continue
            if kind != "groups" or is_inline:
                yield name, item
            if kind not in ("tables", "pictures") and not is_inline:
                stack += [(child, item, "children") for child in reversed(item.refs("children"))]

    def _item(self, name: str, holder: _Node, key: str) -> _Node:
        found = self._items.get(name)
        if found is None:
            holder.fail(f"refers to {name!r}, which is not there", key)
            raise AssertionError
        return found

    def _has_abstract(self, flow: Sequence[tuple[str, _Node]]) -> bool:
        """Return whether text before the first known section names an abstract: then what stands before it is none."""
        for name, item in flow:
            if name.startswith("#/texts/"):
                text = item.text("text", "")
                if _ABSTRACT.match(text):
                    return True
                if item.text("label") == "section_header" and label_of_name(_bare(text)) not in (None, "abstract"):
                    return False
        return False

    def _title_of(self, flow: Sequence[tuple[str, _Node]]) -> str | None:
        """Return the name of the item that is the title: one that is called so, else the first heading before any section."""
        texts = [(name, item) for name, item in flow if name.startswith("#/texts/")]
        called = [name for name, item in texts if item.text("label") == "title"]
        if called:
            return called[0]
        heads = [(name, item.text("text")) for name, item in texts if item.text("label") == "section_header"]
        if len(heads) > 1 and not numbers_at_start(heads[0][1]) and not is_known_name(heads[0][1]):
            return heads[0][0]
        return None

    def _take(self, name: str, item: _Node, *, is_title: bool) -> None:
        kind = name.split("/")[1]
        if kind == "tables":
            self._table(item)
        elif kind == "pictures":
            self._picture(item)
        elif kind == "groups":
            self._inline(item)
        elif kind == "texts":
            self._text(item, is_title=is_title)
        else:
            self._other += 1

    def _inline(self, group: _Node) -> None:
        """Take a group of texts that are one paragraph; formulas among them are inline equations."""
        said = ""
        formulas = []
        for name in group.refs("children"):
            item = self._item(name, group, "children")
            words = self._said(item)
            if not words:
                continue
            said = f"{said} {words}" if said else words
            if item.text("label", "") == "formula":
                printed = " ".join(item.text("orig", "").split())
                tex = words if printed and words != printed else None
                formulas.append(Formula(len(said) - len(words), len(said), tex))
        if said:
            self.gatherer.text("paragraph", said, "docling", marks=formulas)

    def _text(self, item: _Node, *, is_title: bool) -> None:
        label = item.text("label")
        text = self._said(item)
        places = self._places(item)
        layer = item.text("content_layer", "body")
        if layer != "body" or label in _FURNITURE:
            if text:
                self.gatherer.text("furniture", text, "docling", places=places, note=f"docling: {label}")
        elif label == "formula":
            self._formula(item, text, places)
        elif not text:
            return
        elif is_title:
            self.title = self.title or text
            self.gatherer.text("title", text, "docling", places=places)
        elif label in ("title", "section_header"):
            self._heading(item, text, places)
        elif label == "code":
            self.gatherer.text("code", item.text("text"), "docling", places=places)
        elif label == "footnote":
            match = re.match(r"([\d*†‡§¶]{1,3})\s*(?=\D)", text)
            number, words = (match[1], text[match.end() :]) if match and match.end() < len(text) else (None, text)
            self.gatherer.text("footnote", words, "docling", number=number, places=places)
        elif label == "caption":
            caption_label, number = split_caption(text)
            self.gatherer.text("caption", text, "docling", number=number if caption_label else None, places=places)
        elif label in _SKIPPED:
            self._other += 1
        elif self._in_references or label == "reference":
            self._entry(item, text, places)
        elif label == "list_item":
            self._list_item(item.text("marker", ""), text, places)
        else:
            self._running(text, places)

    def _said(self, item: _Node) -> str:
        """Return the text of an item in one line, words that a line's end has cut mended; formulas and code as they are."""
        text = " ".join(item.text("text", "").split())
        return text if item.text("label", "") in ("formula", "code") else mended(text, self._words)

    def _list_item(self, marker: str, text: str, places: Sequence[Place]) -> None:
        bullet = _BULLET.match(text) if not marker.strip() else None
        if bullet is not None:
            marker, text = bullet[1], text[bullet.end() :]
        self.gatherer.text("list_item", text, "docling", number=marker or None, places=places)

    def _running(self, text: str, places: Sequence[Place]) -> None:
        if self._in_front and _ABSTRACT.match(text):
            self._in_front = False
            if (parts := abstract_apart(text)) is not None:
                name, text = parts
                self.gatherer.text("heading", name, "docling", level=1, places=places, note=_RUN_IN)
        if self._in_front and self.title:
            if names := names_of(text):
                self.gatherer.text("byline", names, "docling", places=places)
        elif len(text) == 1:
            self.gatherer.text("furniture", text, "docling", places=places, note=_STRAY)
        else:
            self.gatherer.text("paragraph", text, "docling", places=places)

    def _heading(self, item: _Node, text: str, places: Sequence[Place]) -> None:
        self._in_front = False
        numbers = numbers_at_start(text)
        own = max(1, item.whole("level", 1))
        number = numbers[0] if numbers and numbers[0].end < len(text) else None
        level, note = own, ""
        if number is not None and own == 1 and len(number.parts) > 1:
            level, note = len(number.parts), "the level is that of the number; docling says 1"
        self._in_references = label_of_name(text[number.end :] if number else text) == "references"
        self.gatherer.text(
            "heading", text, "docling", number=None if number is None else number.printed, level=level, places=places, note=note
        )

    def _formula(self, item: _Node, text: str, places: Sequence[Place]) -> None:
        printed = " ".join(item.text("orig", "").split())
        self._empty_formulas += not text and not printed
        match = _EQUATION_NUMBER.search(printed)
        words = printed[: match.start()].rstrip() if match else printed
        has_tex = text and text != printed
        self.gatherer.text(
            "equation",
            words or text,
            "docling",
            number=match[1] if match else None,
            places=places,
            tex=text if has_tex else None,
            note="" if words or text else "docling gives no text for this formula",
        )

    def _entry(self, item: _Node, text: str, places: Sequence[Place]) -> None:
        marker = item.text("marker", "")
        match = None if any(map(str.isalnum, marker)) else _ENTRY_LABEL.match(text)
        label, words = (match[1], text[match.end() :]) if match else (marker or None, text)
        self.gatherer.entry(words, "docling", label if label and any(map(str.isalnum, label)) else None, places=places)

    # ---- floats ----------------------------------------------------------------------------------------------------

    def _caption(self, item: _Node) -> Caption | None:
        texts = []
        places: list[Place] = []
        for name in item.refs("captions"):
            part = self._item(name, item, "captions")
            texts.append(self._said(part))
            places += self._places(part)
        text = " ".join(" ".join(texts).split())
        if not text:
            return None
        label, number = split_caption(text)
        first = places[0] if places else None
        return Caption(
            text=text,
            label=label,
            number=number if label else None,
            page_num=None if first is None else first.page_num,
            bbox=None if first is None else first.bbox,
        )

    def _table(self, item: _Node) -> None:
        data = item.node("data")
        places = self._places(item)
        height = self._sizes[places[0].page_num][1] if places and places[0].page_num in self._sizes else None
        n_rows, n_cols = data.whole("num_rows", 0), data.whole("num_cols", 0)
        if n_rows < 0 or n_cols < 0 or n_rows * n_cols > MAX_SOURCE_POSITIONS:
            data.fail(f"a table of {n_rows} × {n_cols} positions; {MAX_SOURCE_POSITIONS:,} are read")
        cells = [self._cell(cell, n_rows, n_cols, height) for cell in data.nodes("table_cells")]
        whole = without_overlaps([c for c, _ in cells])
        heads = {(c.row, c.col) for c, is_head in cells if is_head}
        header_rows = 0
        while header_rows < n_rows:
            row = [c for c in whole if c.row <= header_rows < c.row + c.rowspan and c.text.strip()]
            if not row or not all((c.row, c.col) in heads for c in row):
                break
            header_rows += 1
        grid = as_grid(whole, header_rows)
        caption = self._caption(item)
        if not grid.cells:
            self.gatherer.warn("a table without any text was left out")
            if caption is not None:
                self.gatherer.text("caption", caption.text, "docling", number=caption.number)
            return
        notes = [self._said(self._item(name, item, "footnotes")) for name in item.refs("footnotes")]
        table = Table(
            id="",
            n_rows=grid.n_rows,
            n_cols=grid.n_cols,
            cells=grid.cells,
            provenance=self.gatherer.provenance("docling", places),
            number=None if caption is None else caption.number,
            caption=caption,
            header_rows=grid.header_rows,
            footnotes=tuple(filter(None, (" ".join(n.split()) for n in notes))),
            artifact="contents_list" if item.text("label", "table") == "document_index" else None,
        )
        made = self.gatherer.table(table, "docling")
        if len(whole) < len(cells):
            self.gatherer.warn(f"{len(cells) - len(whole)} cells stood where others do, and were left out", made)

    def _cell(self, cell: _Node, n_rows: int, n_cols: int, height: float | None) -> tuple[Cell, bool]:
        row, end_row = cell.whole("start_row_offset_idx"), cell.whole("end_row_offset_idx")
        col, end_col = cell.whole("start_col_offset_idx"), cell.whole("end_col_offset_idx")
        if not (0 <= row < end_row <= n_rows and 0 <= col < end_col <= n_cols):
            cell.fail(f"reaches over rows {row} to {end_row} and columns {col} to {end_col} of {n_rows} × {n_cols}")
        box = self._box(cell.node("bbox"), height) if cell.data.get("bbox") is not None else None
        text = " ".join(cell.text("text", "").split())
        is_head = cell.flag("column_header")
        made = Cell(
            row=row,
            col=col,
            text=text,
            rowspan=end_row - row,
            colspan=end_col - col,
            is_header=is_head or cell.flag("row_header"),
            bbox=box if text else None,
        )
        return made, is_head

    def _picture(self, item: _Node) -> None:
        caption = self._caption(item)
        captions = set(item.refs("captions"))
        words = [self._item(n, item, "children").data.get("text", "") for n in item.refs("children") if n not in captions]
        figure = Figure(
            id="",
            provenance=self.gatherer.provenance("docling", self._places(item)),
            kind="mixed",
            number=None if caption is None else caption.number,
            caption=caption,
            text=" ".join(" ".join(w for w in words if isinstance(w, str)).split()),
        )
        self.gatherer.figure(figure, "docling")

    # ---- places -----------------------------------------------------------------------------------------------------

    def _places(self, item: _Node) -> list[Place]:
        found = []
        for place in item.nodes("prov"):
            page_num = place.whole("page_no")
            if page_num not in self._sizes:
                place.fail(f"page {page_num} is not there", "page_no")
            found.append(Place(page_num=page_num, bbox=self._box(place.node("bbox"), self._sizes[page_num][1])))
        return found

    def _box(self, box: _Node, height: float | None) -> Box:
        left, top, right, bottom = (box.number(side) for side in ("l", "t", "r", "b"))
        origin = box.text("coord_origin", "TOPLEFT")
        if origin not in ("TOPLEFT", "BOTTOMLEFT"):
            box.fail(f"{origin!r} is no origin of a page", "coord_origin")
        if origin == "BOTTOMLEFT" and height is not None:
            top, bottom = height - top, height - bottom
        return Box(min(left, right), min(top, bottom), max(left, right), max(top, bottom))


def _bare(text: str) -> str:
    """Return a heading without its number."""
    numbers = numbers_at_start(text)
    return text[numbers[0].end :] if numbers else text
