"""Truth from files: JSON in the project's own form or with cells (papers made from their LaTeX source), text files that people
edit, and ICDAR-2013 XML.

Own form: an object ``{"table_id", "rows", "headers" or "header_rows", "spans", "footnotes", "caption", "page", "bbox",
"paper"}``, a list of such objects, or ``{"tables": [...]}``; see `TruthTable`. A ``paper`` beside ``tables`` counts for all.

With cells: ``{"id", "tables": [{"id" or "number", "page", "n_rows", "n_cols", "header_rows", "caption", "bbox", "exact",
"cells": [{"row", "col", "rowspan", "colspan", "text"}]}]}``. Header rows there are guessed, and the text is not the page's own.

Text: ``NAME.truth.txt``, a table a file, as ``variorum truth new`` writes it; see `variorum.evaluation.truth_text`.

ICDAR-2013 (Göbel et al., ICDAR 2013, doi:10.1109/ICDAR.2013.292): ``NAME-str.xml``, for the tables' boxes with ``NAME-reg.xml``
and ``pages.json`` (page sizes) beside it. It knows no header rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

from variorum.errors import DamagedInputError, InputNotFoundError, SchemaError, UsageError
from variorum.evaluation.truth_table import GridCell, TruthTable
from variorum.evaluation.truth_text import SUFFIX, read_truth_text
from variorum.geometry import Box

GRADES: Final = ("exact", "ok", "any")
_STRUCTURE, _REGIONS, _PAGES = "-str.xml", "-reg.xml", "pages.json"
_TABLE: Final = '{"table_id": "t1", "headers": ["a", "b"], "rows": [["1", "2"]]}'
_XML: Final = f"ICDAR-2013 truth: NAME{_STRUCTURE}, with NAME{_REGIONS} and {_PAGES} beside it"
MOST_ROWS: Final = 65534
"""Rows of a true table: as many as a cell of HTML can span. A number above it is a slip, and would fill the memory."""
MOST_COLS: Final = 1000
"""The same of columns. https://html.spec.whatwg.org/multipage/tables.html#attributes-common-to-td-and-th-elements"""
_FORM: Final = f"a table is {_TABLE}; several are a list of them"


def load_truth(path: str | Path, *, grade: str = "exact", with_unchecked: bool = False) -> tuple[TruthTable, ...]:
    """Return the tables of a file, or of all truth files in a folder in order of their names.

    A folder: its ``*-str.xml`` files, or its ``*.truth.txt`` files, or its ``truth.json``, or the text files and ``truth.json``
    of the folders in it (text files where a folder has both), or its ``*.json`` files, the first of these that there are.
    `grade`: of truth with cells only the tables that are marked ``exact`` or ``ok``; ``any`` takes all. Of text files only the
    tables that a person has checked, the others only `with_unchecked`. Raises InputNotFoundError, DamagedInputError (not JSON,
    not XML), SchemaError with the file and the path to the fault, and UsageError where there are tables and none is checked.
    """
    if grade not in GRADES:
        raise UsageError(f"no grade {grade!r}", where="grade", hint=", ".join(GRADES))
    place = Path(path)
    if not place.exists():
        raise InputNotFoundError("no such truth file or folder", where=str(place), hint="check the path")
    tables: list[TruthTable] = []
    unchecked = 0
    for file in truth_files_in(place) if place.is_dir() else [place]:
        if file.name.lower().endswith(SUFFIX):
            text = read_truth_text(read_text_file(file), str(file))
            is_wanted = text.is_checked or with_unchecked
            unchecked += not is_wanted
            tables += [text.table] if is_wanted else []
            continue
        is_xml = file.suffix.lower() == ".xml"
        try:
            tables += _from_xml(file) if is_xml else _from_json(file, grade)
        except SchemaError as error:
            raise SchemaError(error.what, where=error.where, hint=error.hint or (_XML if is_xml else _FORM)) from None
    if unchecked and not tables:
        hint = "compare each with its page, then turn its line into: checked: yes"
        raise UsageError(f"no table is checked yet, of {unchecked}", where=str(place), hint=hint)
    return tuple(tables)


def truth_files_in(folder: Path) -> list[Path]:
    """Return the files that `load_truth` reads of a folder, in order; raises InputNotFoundError when there are none."""
    text = f"*{SUFFIX}"
    for pattern in (f"*{_STRUCTURE}", text, "truth.json"):
        if files := sorted(folder.glob(pattern)):
            return files
    below = [
        file
        for place in sorted({file.parent for pattern in (text, "truth.json") for file in folder.glob(f"*/{pattern}")})
        for file in (sorted(place.glob(text)) or [place / "truth.json"])
    ]
    if files := below or sorted(folder.glob("*.json")):
        return files
    hint = f"a folder of truth.json, *.json, *{SUFFIX} or *{_STRUCTURE} files"
    raise InputNotFoundError("holds no truth", where=str(folder), hint=hint)


def read_text_file(file: Path) -> str:
    """Return the text of a file; raises InputNotFoundError, and DamagedInputError where it is not UTF-8."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputNotFoundError("no such truth file", where=str(file), hint="check the path") from None
    except UnicodeDecodeError as error:
        raise DamagedInputError("is not UTF-8 text", where=f"{file}: byte {error.start}", hint="save it as UTF-8") from None
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise InputNotFoundError(what, where=str(file), hint="check path and permissions") from None


# ---- JSON -------------------------------------------------------------------------------------------------------------


def _json(file: Path) -> Any:
    try:
        return json.loads(read_text_file(file))
    except json.JSONDecodeError as error:
        where = f"{file}: line {error.lineno}, column {error.colno}"
        raise DamagedInputError(f"is not JSON ({error.msg})", where=where, hint=_FORM) from None
    except RecursionError:
        raise DamagedInputError("is nested too deeply", where=str(file), hint=_FORM) from None


def _from_json(file: Path, grade: str) -> list[TruthTable]:
    data = _json(file)
    single = isinstance(data, dict) and "tables" not in data
    if single and not any(key in data for key in ("table_id", "rows", "cells")):
        raise SchemaError("is no table, and has no key 'tables'", where=str(file))
    items = data["tables"] if isinstance(data, dict) and not single else [data] if single else data
    if not isinstance(items, list):
        at = f"{file}: tables" if isinstance(data, dict) else str(file)
        raise SchemaError("must be a list of tables, or an object with one", where=at)
    name = data.get("paper", data.get("id", "")) if isinstance(data, dict) and not single else ""
    tables = []
    for i, item in enumerate(items):
        where = f"{file}: " + ("table" if single else f"tables[{i}]" if isinstance(data, dict) else f"[{i}]")
        if isinstance(item, dict) and "cells" in item:
            if grade == "any" or item.get(grade, True) is True:
                tables.append(_from_cells(item, str(name), where))
        else:
            own = {"paper": name} if isinstance(name, str) and name and isinstance(item, dict) else {}
            tables.append(TruthTable.from_dict({**own, **item} if own else item, where))
    return tables


def _from_cells(item: Mapping[str, Any], paper: str, where: str) -> TruthTable:
    cells = _listed(item, "cells", where)
    found = []
    for i, cell in enumerate(cells):
        at = f"{where}.cells[{i}]"
        if not isinstance(cell, dict):
            raise SchemaError("a cell must be an object", where=at)
        numbers = [_whole(cell, key, at, least) for key, least in (("row", 0), ("col", 0), ("rowspan", 1), ("colspan", 1))]
        text = cell.get("text")
        if not isinstance(text, str):
            raise SchemaError("must be text", where=f"{at}.text")
        row, col, rowspan, colspan = numbers
        found.append(GridCell(row, col, rowspan, colspan, text))
    return _table(
        found,
        where,
        table_id=str(item["id"] if "id" in item else f"table_{item['number']}" if "number" in item else ""),
        shape=(_whole(item, "n_rows", where, 0), _whole(item, "n_cols", where, 0)),
        header_rows=_whole(item, "header_rows", where, 0, instead=0),
        number=(str(item.get("number") or "").split() or [""])[-1].rstrip(".:"),
        caption=str(item.get("caption") or ""),
        page=_whole(item, "page", where, 0, instead=0),
        bbox=_box(item.get("bbox"), f"{where}.bbox"),
        paper=paper,
    )


def _table(
    cells: Sequence[GridCell], where: str, *, table_id: str, shape: tuple[int, int], header_rows: int, **fields: Any
) -> TruthTable:
    """Return the table of the cells, which come from another source than the page; raises SchemaError with the cell."""
    for count, most, what in ((shape[0], MOST_ROWS, "rows"), (shape[1], MOST_COLS, "columns")):
        if count > most:
            raise SchemaError(f"has {count} {what}, more than a table can have ({most})", where=where)
    taken: dict[tuple[int, int], int] = {}
    for i, (row, col, rowspan, colspan, _) in enumerate(cells):
        if row + rowspan > shape[0] or col + colspan > shape[1]:
            raise SchemaError(f"ends outside the grid of {shape[0]} × {shape[1]}", where=f"{where}.cells[{i}]")
        for place in ((r, c) for r in range(row, row + rowspan) for c in range(col, col + colspan)):
            if place in taken:
                raise SchemaError(f"overlaps cells[{taken[place]}]", where=f"{where}.cells[{i}]")
            taken[place] = i
    heads = {"has_headers": False, "is_verbatim": False, **fields}
    return TruthTable.from_cells(table_id, *shape, cells, min(header_rows, shape[0]), **heads)


def _listed(data: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = data.get(key)
    if not isinstance(value, list):
        raise SchemaError("must be a list", where=f"{where}.{key}")
    return value


def _whole(data: Mapping[str, Any], key: str, where: str, least: int, instead: int | None = None) -> int:
    value = data.get(key, instead)
    if value is None and instead is not None:
        return instead
    if type(value) is not int or value < least:
        raise SchemaError(f"must be a whole number from {least} up", where=f"{where}.{key}")
    return value


def _box(value: object, where: str) -> Box | None:
    if value is None:
        return None
    if not isinstance(value, list) or any(type(n) not in (int, float) for n in value):
        raise SchemaError("must be four numbers: [x0, y0, x1, y1]", where=where)
    try:
        return Box.of(float(n) for n in value)
    except (TypeError, ValueError):
        raise SchemaError("must be four numbers: [x0, y0, x1, y1]", where=where) from None


# ---- ICDAR-2013 -------------------------------------------------------------------------------------------------------


def _xml(file: Path) -> ElementTree.Element:
    text = read_text_file(file)
    if "<!ENTITY" in text:
        raise DamagedInputError("declares entities, which truth never needs", where=str(file), hint="a file without them")
    try:
        return ElementTree.fromstring(text.encode())
    except ElementTree.ParseError as error:
        line, column = error.position
        raise DamagedInputError(
            f"is not XML ({error.msg.partition(':')[0]})", where=f"{file}: line {line}, column {column}", hint=_XML
        ) from None


def _from_xml(file: Path) -> list[TruthTable]:
    name = file.name.removesuffix(_STRUCTURE)
    if name == file.name:
        raise UsageError(f"truth in XML is a file NAME{_STRUCTURE}", where=str(file), hint=_XML)
    boxes = _boxes(file.with_name(f"{name}{_REGIONS}"))
    heights = _heights(file.with_name(_PAGES), name)
    tables = []
    for i, element in enumerate(_xml(file).iter("table")):
        where = f"{file}: table {i + 1}"
        cells: dict[GridCell, None] = {}  # as a set in order: a cell that two regions repeat is one cell
        page = 0
        for region in element.findall("region"):
            page = page or _number(region, "page", where, 0)
            down, right = _number(region, "row-increment", where, 0), _number(region, "col-increment", where, 0)
            for cell in region.findall("cell"):
                cells.setdefault(_cell(cell, down, right, where))
        if not cells:
            raise SchemaError("has no cells", where=where)
        top, left = min(c.row for c in cells), min(c.col for c in cells)
        moved = [c._replace(row=c.row - top, col=c.col - left) for c in cells]
        shape = max(c.row + c.rowspan for c in moved), max(c.col + c.colspan for c in moved)
        box, height = boxes[i] if i < len(boxes) else None, heights.get(page)
        bbox = Box(box.x0, height - box.y1, box.x1, height - box.y0) if box is not None and height is not None else None
        tables.append(
            _table(moved, where, table_id=f"{name}#{i + 1}", shape=shape, header_rows=0, page=page, bbox=bbox, paper=name)
        )
    return tables


def _cell(cell: ElementTree.Element, down: int, right: int, where: str) -> GridCell:
    row, col = _number(cell, "start-row", where), _number(cell, "start-col", where)
    last_row, last_col = _number(cell, "end-row", where, row), _number(cell, "end-col", where, col)
    if last_row < row or last_col < col:
        raise SchemaError(f"the cell at {row}, {col} ends before it starts", where=where)
    return GridCell(row + down, col + right, last_row - row + 1, last_col - col + 1, cell.findtext("content") or "")


def _number(element: ElementTree.Element, key: str, where: str, instead: int | None = None) -> int:
    value = element.get(key) or (None if instead is None else str(instead))
    try:
        return int(value or "")
    except ValueError:
        raise SchemaError(f"<{element.tag}> needs a whole number as {key}, not {value!r}", where=where) from None


def _boxes(file: Path) -> list[Box]:
    """Return the box around all regions of each table in points, origin bottom-left; none without the file."""
    if not file.is_file():
        return []
    boxes = []
    for i, element in enumerate(_xml(file).iter("table")):
        where = f"{file}: table {i + 1}"
        found = [_bottom_left_box(region.find("bounding-box"), where) for region in element.findall("region")]
        if not found:
            raise SchemaError("has no region", where=where)
        lows = [min(box.as_tuple()[k] for box in found) for k in (0, 1)]
        highs = [max(box.as_tuple()[k] for box in found) for k in (2, 3)]
        boxes.append(Box(lows[0], lows[1], highs[0], highs[1]))
    return boxes


def _bottom_left_box(element: ElementTree.Element | None, where: str) -> Box:
    if element is None:
        raise SchemaError("a region has no bounding-box", where=where)
    numbers = []
    for key in ("x1", "y1", "x2", "y2"):
        digits = "".join(c for c in element.get(key) or "" if c.isdigit() or c == ".")  # a few files have stray signs
        try:
            numbers.append(float(digits))
        except ValueError:
            raise SchemaError(f"<bounding-box> needs a number as {key}", where=where) from None
    return Box.of(numbers)


def _heights(file: Path, name: str) -> dict[int, float]:
    """Return the height in points of each page, as displayed; of ``NAMEb`` that of ``NAME``; none without the file."""
    if not file.is_file():
        return {}
    sizes = _json(file)
    if not isinstance(sizes, dict):
        raise SchemaError("must be an object of documents", where=str(file))
    pages: object = sizes.get(name, sizes.get(name.rstrip("ab"), {}))
    try:
        if not isinstance(pages, dict):
            raise TypeError("pages must be an object")
        return {int(page): float(size[1]) for page, size in pages.items()}
    except (IndexError, KeyError, TypeError, ValueError):
        raise SchemaError("must map page numbers to [width, height, rotation]", where=f"{file}: {name}") from None
