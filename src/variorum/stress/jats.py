"""What a JATS article says of its paper: headings, captions, tables with their spans, references, citations.

JATS (ANSI/NISO Z39.96) that was made from the same source as the PDF is truth about it. Numbers that the print counts up and
the source does not hold are not known. Labels that the source left unresolved (``[fig:flow]``) are no words of the paper. A
table that has nothing below its head but pictures is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from variorum.document.keys import file_sha256
from variorum.errors import DamagedInputError, InputNotFoundError
from variorum.evaluation.calibration_truth import (
    PaperTruth,
    PassedOver,
    TrueEntry,
    TrueEquation,
    TrueFigure,
    TrueHeading,
    TrueTableCaption,
)
from variorum.evaluation.truth_files import MOST_COLS
from variorum.evaluation.truth_table import GridCell, TruthTable

_UNRESOLVED: Final = re.compile(r"\[(?:fig|tab|tbl|sec|eq):[^\]]*\]")
_LABELLED: Final = re.compile(
    r"(?P<label>Table|Tab|Figure|Fig)\.?\s+(?P<number>[A-Z]?\.?\d+[a-z]?|[IVXLC]+)\b[.:]?\s*(?P<rest>.*)", re.DOTALL
)
_HINT: Final = "the JATS article of the paper"


def read_jats(file: Path, name: str) -> PaperTruth:
    """Return what the article in the file says of the paper called `name`.

    Raises InputNotFoundError when it cannot be read and DamagedInputError when it is no JATS article.
    """
    root = _root(file)
    body = root.find("body")
    parts = _Parts()
    if body is not None:
        _block(body, 1, parts)
    tables = [_table(i, element, caption, name, file) for i, (element, caption) in enumerate(parts.tables, start=1)]
    pictures = [t for t in tables if not any(text for row in t.rows for text in row)]
    return PaperTruth(
        name=name,
        sha256=file_sha256(file),
        headings=tuple(parts.headings),
        figures=tuple(parts.figures),
        tables=tuple(table for table in tables if table not in pictures),
        equations=tuple(parts.equations),
        entries=tuple(_entries(root)),
        citations=tuple((ref,) for ref in _cited(body)),
        made_from=None,
        sources={},
        title=_text(root.find("front/article-meta/title-group/article-title")),
        abstract=_text(root.find("front/article-meta/abstract")),
        table_captions=tuple(parts.captions),
        cited_in_tables=tuple(ref for table, _ in parts.tables for ref in _cited(table)),
        passed_over=tuple(PassedOver(n_rows=t.n_rows, n_cols=t.n_cols) for t in pictures),
        has_all_tables=body is not None,
    )


def _root(file: Path) -> Element:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise InputNotFoundError(what, where=str(file), hint="check path and permissions") from None
    except UnicodeDecodeError as error:
        raise DamagedInputError("is not UTF-8 text", where=f"{file}: byte {error.start}", hint=_HINT) from None
    if "<!ENTITY" in text:
        raise DamagedInputError("declares entities, which truth never needs", where=str(file), hint="a file without them")
    try:
        root = ElementTree.fromstring(text.encode())
    except ElementTree.ParseError as error:
        line, column = error.position
        what = f"is not XML ({error.msg.partition(':')[0]})"
        raise DamagedInputError(what, where=f"{file}: line {line}, column {column}", hint=_HINT) from None
    if root.tag != "article":
        raise DamagedInputError(f"is a <{root.tag}>, no <article>", where=str(file), hint=_HINT)
    return root


@dataclass(slots=True)
class _Parts:
    """What was met in the body, in order."""

    headings: list[TrueHeading] = field(default_factory=list)
    figures: list[TrueFigure] = field(default_factory=list)
    captions: list[TrueTableCaption] = field(default_factory=list)
    tables: list[tuple[Element, str]] = field(default_factory=list)
    equations: list[TrueEquation] = field(default_factory=list)
    adopted: set[int] = field(default_factory=set)
    """Paragraphs (by identity) that are the captions of tables."""


def _block(parent: Element, level: int, parts: _Parts) -> None:
    """Gather what stands in a section, at any depth; `level` is that of the headings right below it."""
    children = list(parent)
    for at, child in enumerate(children):
        if child.tag == "sec":
            if title := _text(child.find("title")):
                parts.headings.append(TrueHeading(level=level, text=title))
            _block(child, level + 1, parts)
        elif child.tag == "fig":
            number, caption = _caption(child)
            if caption:
                parts.figures.append(TrueFigure(number=number, caption=caption))
        elif child.tag == "table-wrap":
            number, caption = _caption(child) if child.find("caption") is not None else _caption_beside(children, at, parts)
            if caption:
                parts.captions.append(TrueTableCaption(number=number, caption=caption))
            parts.tables += [(table, caption) for table in child.iter("table")]
        elif child.tag == "disp-formula":
            tex = child.find(".//tex-math")
            if number := _text(child.find("label")).strip("()[] ."):
                parts.equations.append(TrueEquation(number=number, tex=(tex.text or "") if tex is not None else _text(child)))
        elif child.tag not in ("title", "label", "caption"):
            _block(child, level, parts)


def _caption(element: Element) -> tuple[str, str]:
    """Return number and text of the caption of a figure or table; the number may stand in the text."""
    text = _text(element.find("caption"))
    label = _LABELLED.match(_text(element.find("label")))
    inside = _LABELLED.match(text)
    if label is not None:
        return label["number"], text
    return (inside["number"], inside["rest"]) if inside is not None else ("", text)


def _caption_beside(children: Sequence[Element], at: int, parts: _Parts) -> tuple[str, str]:
    """Return number and text of a paragraph that is the caption of the table at a position: above it, else below it."""
    for beside in (at - 1, at + 1):
        if 0 <= beside < len(children) and id(children[beside]) not in parts.adopted:
            found = _LABELLED.match(_text(children[beside]))
            if found is not None and found["label"].startswith("Tab"):
                parts.adopted.add(id(children[beside]))
                return found["number"], found["rest"]
    return "", ""


def _table(position: int, element: Element, caption: str, paper: str, file: Path) -> TruthTable:
    """Return the table in a ``<table>``; rows that are heads there are its header rows.

    Raises DamagedInputError for more columns than a table can have.
    """
    rows = list(element.iter("tr"))
    heads = {id(row) for head in element.iter("thead") for row in head.iter("tr")}
    cells: list[GridCell] = []
    taken: set[tuple[int, int]] = set()
    for r, row in enumerate(rows):
        c = 0
        for cell in row:
            if cell.tag not in ("td", "th"):
                continue
            while (r, c) in taken:
                c += 1
            down, right = min(_extent(cell, "rowspan"), len(rows) - r), _extent(cell, "colspan")
            if c + right > MOST_COLS:
                what = f"has {c + right} columns in row {r + 1}, more than a table can have ({MOST_COLS})"
                raise DamagedInputError(what, where=f"{file}: table {position}", hint=_HINT)
            taken.update((r + i, c + j) for i in range(down) for j in range(right))
            cells.append(GridCell(r, c, down, right, _text(cell)))
            c += right
    n_cols = max((c + 1 for _, c in taken), default=0)
    leading = next((r for r, row in enumerate(rows) if id(row) not in heads), len(rows))
    while leading and not any(c.text for c in cells if c.row == leading - 1):
        leading -= 1
    fields = {"caption": caption, "paper": paper, "has_headers": leading > 0, "is_verbatim": False}
    return TruthTable.from_cells(f"table_{position}", len(rows), n_cols, cells, leading, **fields)


def _extent(cell: Element, name: str) -> int:
    value = cell.get(name, "1")
    return max(1, int(value)) if value.isdecimal() else 1


def _entries(root: Element) -> Iterator[TrueEntry]:
    for ref in root.iter("ref"):
        title = next((t for tag in ("article-title", "chapter-title", "source") if (t := _text(ref.find(f".//{tag}")))), "")
        doi = next((_text(each) for each in ref.iter("pub-id") if each.get("pub-id-type") == "doi"), "")
        text = " ".join(" ".join(ref.itertext()).split())
        yield TrueEntry(id=ref.get("id", ""), text=text, title=title, year=_text(ref.find(".//year")), doi=doi)


def _cited(part: Element | None) -> list[str]:
    """Return the ids that a part of the article cites, mark by mark, in order."""
    marks = part.iter("xref") if part is not None else ()
    return [mark.get("rid", "") for mark in marks if mark.get("ref-type") == "bibr"]


def _text(element: Element | None) -> str:
    """Return the text as a reader sees it; of a formula in several forms only one."""
    if element is None:
        return ""
    return " ".join(_UNRESOLVED.sub(" ", "".join(_pieces(element))).split())


def _pieces(element: Element) -> Iterator[str]:
    tag = str(element.tag).rpartition("}")[2]
    if tag in ("tex-math", "graphic", "inline-graphic"):
        return
    if tag == "alternatives":
        forms = [form for form in element if str(form.tag).rpartition("}")[2] == "math"] or list(element)[:1]
        yield from _pieces(forms[0]) if forms else ()
        return
    yield element.text or ""
    for child in element:
        yield from _pieces(child)
        yield child.tail or ""
