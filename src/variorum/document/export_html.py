"""HTML that says what the table says: spans, header cells with their scope, caption, notes; every text escaped."""

from __future__ import annotations

import re
from html import escape

from variorum.document.characters import xml_legal
from variorum.document.flow import reading_flow
from variorum.document.model import Cell, Document, Table, TextComponent

_STYLE = """
body { font: 16px/1.5 Georgia, serif; color: #1c1c1c; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
.scroll { overflow-x: auto; margin: 1.5rem 0; }
table { border-collapse: collapse; font: 14px/1.4 system-ui, sans-serif; border-top: 2px solid; border-bottom: 2px solid; }
caption { text-align: left; padding-bottom: .4rem; }
th, td { padding: .2rem .7rem; text-align: left; vertical-align: top; }
thead { border-bottom: 1px solid; }
tfoot { border-top: 1px solid; font-size: 90%; }
.equation { text-align: center; }
.caption, .bibliography_entry { font-size: 90%; }
"""


def table_to_html(table: Table) -> str:
    """Return the table as one ``<table>`` element: caption, ``<thead>``, ``<tbody>``, footnotes in ``<tfoot>``.

    Positions covered by no cell become empty ``<td>``. When a cell reaches from the header rows into the body, all rows stand
    in the body (HTML would cut the cell in two); its header cells are ``<th>`` all the same.
    """
    identity = re.sub(r"\s+", "-", xml_legal(table.id).strip())
    parts = [f'<table id="{escape(identity)}">' if identity else "<table>"]
    if table.caption is not None:
        parts.append(f"<caption>{_text(table.caption.text)}</caption>")
    rows = _rows(table)
    head = table.header_rows
    if any(cell.row < head < cell.row + cell.rowspan for cell in table.cells):
        head = 0
    if head:
        parts += ["<thead>", *rows[:head], "</thead>"]
    if rows[head:]:
        parts += ["<tbody>", *rows[head:], "</tbody>"]
    if table.footnotes and table.n_cols:
        span = f' colspan="{table.n_cols}"' if table.n_cols > 1 else ""
        parts += ["<tfoot>", *(f"<tr><td{span}>{_text(note)}</td></tr>" for note in table.footnotes), "</tfoot>"]
    return "\n".join([*parts, "</table>"]) + "\n"


def document_to_html(document: Document) -> str:
    """Return the paper as one page that needs no other file, in reading order, ending with a newline."""
    title = next((c.text for c in document.components if c.kind == "title"), "") or document.source_name or document.key
    parts: list[str] = []
    in_list = False
    for item in reading_flow(document):
        is_item = isinstance(item, TextComponent) and item.kind == "list_item"
        if is_item != in_list:
            parts.append("<ul>" if is_item else "</ul>")
            in_list = is_item
        parts.append(_scrolling(item) if isinstance(item, Table) else _component(item))
    if in_list:
        parts.append("</ul>")
    return _page(title, parts)


def table_to_page(table: Table) -> str:
    """Return the table as a page of its own, ending with a newline."""
    return _page(table.caption.text if table.caption is not None else f"Table {table.number or table.id}", [_scrolling(table)])


def _page(title: str, body: list[str]) -> str:
    head = [
        "<!DOCTYPE html>",
        "<html>",
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_text(' '.join(title.split())) or 'untitled'}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
    ]
    return "\n".join([*head, *body, "</body>", "</html>"]) + "\n"


def _scrolling(table: Table) -> str:
    return f'<div class="scroll">\n{table_to_html(table)}</div>'


def _rows(table: Table) -> list[str]:
    starts = {(cell.row, cell.col): cell for cell in table.cells}
    covered = {
        (r, c)
        for cell in table.cells
        for r in range(cell.row, cell.row + cell.rowspan)
        for c in range(cell.col, cell.col + cell.colspan)
    }
    rows = []
    for r in range(table.n_rows):
        cells = []
        for c in range(table.n_cols):
            if (r, c) in starts:
                cells.append(_cell(starts[r, c], in_head=r < table.header_rows))
            elif (r, c) not in covered:
                cells.append("<td></td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return rows


def _cell(cell: Cell, *, in_head: bool) -> str:
    spans = (f' rowspan="{cell.rowspan}"' if cell.rowspan > 1 else "") + (
        f' colspan="{cell.colspan}"' if cell.colspan > 1 else ""
    )
    text = _text(cell.text).replace("\n", "<br>")
    if in_head and text:
        return f'<th scope="col"{spans}>{text}</th>'
    if cell.is_header and text and not in_head:
        return f'<th scope="row"{spans}>{text}</th>'
    return f"<td{spans}>{text}</td>"


def _component(component: TextComponent) -> str:
    text = _text(component.text)
    if component.kind == "title":
        return f"<h1>{text}</h1>"
    if component.kind == "heading":
        level = min(6, (component.level or 1) + 1)
        return f"<h{level}>{text}</h{level}>"
    if component.kind == "list_item":
        return f"<li>{text}</li>"
    return f"<p>{text}</p>" if component.kind == "paragraph" else f'<p class="{component.kind}">{text}</p>'


def _text(text: str) -> str:
    return escape(xml_legal(text))
