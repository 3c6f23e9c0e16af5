"""HTML that says what the table says: spans, header cells with their scope, caption, notes; every text escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import quote

from variorum.document.characters import encodable, xml_legal
from variorum.document.flow import LISTED, equation_text, float_name, is_ordinal, list_mark, note_mark, reading_flow
from variorum.document.marks import MarkedStretch, marks_by_component
from variorum.document.model import Cell, Document, Table, TextComponent
from variorum.document.paper_model import Figure
from variorum.document.tex import display_tex

_STYLE = """
body { font: 16px/1.5 Georgia, serif; color: #1c1c1c; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
.scroll { overflow-x: auto; margin: 1.5rem 0; }
table { border-collapse: collapse; font: 14px/1.4 system-ui, sans-serif; border-top: 2px solid; border-bottom: 2px solid; }
caption { text-align: left; padding-bottom: .4rem; }
th, td { padding: .2rem .7rem; text-align: left; vertical-align: top; }
thead { border-bottom: 1px solid; }
tfoot { border-top: 1px solid; font-size: 90%; }
.equation { text-align: center; }
.equation .number { float: right; }
.equation p { margin-bottom: 0; }
.equation details { font-size: 85%; color: #555; }
.equation details pre { text-align: left; white-space: pre-wrap; }
.caption, .byline, .footnote, .bibliography, figcaption { font-size: 90%; }
.bibliography, .labelled { padding-left: 0; }
ul.bibliography, ul.labelled { list-style: none; }
ol.bibliography { padding-left: 2.5rem; }
figure { margin: 1.5rem 0; }
figure img { max-width: 100%; }
pre { overflow-x: auto; }
a { color: inherit; }
"""


def table_to_html(table: Table) -> str:
    """Return the table as one ``<table>`` element: caption, ``<thead>``, ``<tbody>``, footnotes in ``<tfoot>``.

    Positions covered by no cell become empty ``<td>``. When a cell reaches from the header rows into the body, all rows stand
    in the body (HTML would cut the cell in two); its header cells are ``<th>`` all the same.
    """
    parts = [f"<table{_id(table.id)}>"]
    if table.caption is not None:
        parts.append(f"<caption>{_text(table.caption.text)}</caption>")
    rows = table_rows(table)
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


def document_to_html(document: Document, pictures: Mapping[str, str] | None = None) -> str:
    """Return the paper as one page in reading order, ending with a newline.

    `pictures` are links to the pictures of figures by the figures' ids; without them the page needs no other file. Every
    component, table and figure is an element with its id, and citations and mentions are links to these.
    """
    title = next((c.text for c in document.components if c.kind == "title"), "") or document.identity.title
    parts: list[str] = []
    if document.identity.title and not any(c.kind == "title" for c in document.components):
        parts.append(f"<h1>{_text(document.identity.title)}</h1>")
    marks, links = marks_by_component(document), pictures or {}
    listed = ""
    for item in reading_flow(document):
        opening = _list_opening(item) if isinstance(item, TextComponent) and item.kind in LISTED else ""
        if opening != listed:
            parts += [f"</{listed[1:3]}>"] if listed else []
            parts += [opening] if opening else []
            listed = opening
        if isinstance(item, Table):
            parts.append(_scrolling(item))
        elif isinstance(item, Figure):
            parts.append(_figure(item, links.get(item.id)))
        else:
            parts.append(_component(item, marks.get(item.id, [])))
    if listed:
        parts.append(f"</{listed[1:3]}>")
    return _page(title or document.source_name or document.key, parts)


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


def table_rows(table: Table) -> list[str]:
    """Return the rows of a table as ``<tr>`` elements, with spans, scopes of heads, and all text escaped."""
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
    text = _lined(_text(cell.text))
    if in_head and text:
        return f'<th scope="col"{spans}>{text}</th>'
    if cell.is_header and text and not in_head:
        return f'<th scope="row"{spans}>{text}</th>'
    return f"<td{spans}>{text}</td>"


def _component(component: TextComponent, marks: Sequence[MarkedStretch]) -> str:
    name, text = _id(component.id), _linked(component.text, marks)
    if mark := note_mark(component):
        text = f"{_text(mark)} {text}"
    if component.kind == "title":
        return f"<h1{name}>{text}</h1>"
    if component.kind == "heading":
        level = min(6, (component.level or 1) + 1)
        return f"<h{level}{name}>{text}</h{level}>"
    if component.kind in LISTED:
        return _list_item(component, name, text)
    if component.kind == "code":
        return f"<pre{name}><code>{_text(component.text)}</code></pre>"
    if component.kind == "equation":
        return _equation(component, name)
    return f"<p{name}>{text}</p>" if component.kind == "paragraph" else f'<p{name} class="{component.kind}">{text}</p>'


def _equation(component: TextComponent, name: str) -> str:
    """Return an equation as it is read, with its TeX to unfold where the source has it."""
    number = equation_text(component)[len(component.text.rstrip()) :].strip()
    shown = f' <span class="number">{_text(number)}</span>' if number else ""
    said = f"{_lined(_text(component.text.rstrip()))}{shown}"
    tex = display_tex(component)
    if tex is None:
        return f'<p{name} class="equation">{said}</p>'
    source = f"<details><summary>TeX</summary><pre><code>{_text(tex)}</code></pre></details>"
    return f'<div{name} class="equation"><p>{said}</p>\n{source}</div>'


def _list_opening(component: TextComponent) -> str:
    """Return the tag that opens the list of an item; items of different lists have different ones."""
    mark, is_entry = list_mark(component), component.kind == "bibliography_entry"
    if is_ordinal(mark):
        return '<ol class="bibliography">' if is_entry else "<ol>"
    return '<ul class="bibliography">' if is_entry else '<ul class="labelled">' if mark else "<ul>"


def _list_item(component: TextComponent, name: str, text: str) -> str:
    mark = list_mark(component)
    if is_ordinal(mark):
        return f'<li{name} value="{int(mark[:-1])}">{text}</li>'
    return f'<li{name}><span class="label">{_text(mark)}</span> {text}</li>' if mark else f"<li{name}>{text}</li>"


def _figure(figure: Figure, link: str | None) -> str:
    """Return a ``<figure>`` with its picture, where there is a link to one, and its caption once."""
    alternative = escape(xml_legal(float_name(figure)))
    parts = [f'<img src="{escape(quote(link))}" alt="{alternative}">'] if link is not None else []
    if figure.caption is not None:
        parts.append(f"<figcaption>{_text(figure.caption.text)}</figcaption>")
    elif link is None:
        parts.append(f"<figcaption>[{_text(float_name(figure))}]</figcaption>")
    return "\n".join([f"<figure{_id(figure.id)}>", *parts, "</figure>"])


def _linked(text: str, marks: Sequence[MarkedStretch]) -> str:
    """Return the text escaped, with its marks as links to the elements that they name."""
    parts, done = [], 0
    for mark in marks:
        link = f'<a class="{mark.kind}" href="#{escape(quote(_anchor(mark.target)))}">{_text(text[mark.start : mark.end])}</a>'
        parts += [_text(text[done : mark.start]), link]
        done = mark.end
    return "".join([*parts, _text(text[done:])])


def _anchor(identity: str) -> str:
    return re.sub(r"\s+", "-", encodable(xml_legal(identity)).strip())


def _id(identity: str) -> str:
    """Return the attribute that names an element, with a space before it; nothing for an id of white space."""
    anchor = _anchor(identity)
    return f' id="{escape(anchor)}"' if anchor else ""


def _lined(text: str) -> str:
    return text.replace("\n", "<br>")


def _text(text: str) -> str:
    return escape(xml_legal(text))
