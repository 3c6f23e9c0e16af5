"""HTML as LaTeXML writes it, small enough to be read."""

from __future__ import annotations

from pathlib import Path

from variorum.document import Document
from variorum.sources.ar5iv import read_ar5iv

TITLE = '<h1 class="ltx_title ltx_title_document">Birds of the Coast</h1>'


def paragraph(text: str) -> str:
    """Return a paragraph."""
    return f'<div class="ltx_para"><p class="ltx_p">{text}</p></div>'


def section(title: str, body: str, *, number: str = "", kind: str = "section") -> str:
    """Return a section with its heading."""
    tag = f'<span class="ltx_tag ltx_tag_{kind}">{number} </span>' if number else ""
    return f'<section class="ltx_{kind}"><h2 class="ltx_title ltx_title_{kind}">{tag}{title}</h2>{body}</section>'


def table(rows: str, caption: str = "Birds by coast.", number: str = "1") -> str:
    """Return a float with a tabular of these rows."""
    tag = f'<span class="ltx_tag ltx_tag_table">Table {number}: </span>'
    tabular = f'<table class="ltx_tabular"><tbody>{rows}</tbody></table>'
    return f'<figure class="ltx_table"><figcaption class="ltx_caption">{tag}{caption}</figcaption>{tabular}</figure>'


def row(*cells: str, tag: str = "td") -> str:
    """Return a row of cells."""
    kind = "ltx_td ltx_th ltx_th_column" if tag == "th" else "ltx_td"
    return '<tr class="ltx_tr">' + "".join(f'<{tag} class="{kind}">{cell}</{tag}>' for cell in cells) + "</tr>"


def page(*blocks: str) -> str:
    """Return a whole page with the title in front."""
    body = "".join((TITLE, *blocks))
    head = "<!DOCTYPE html><html><head><!--Generated on Mon by LaTeXML--></head>"
    return f'{head}<body><article class="ltx_document">{body}</article></body></html>'


def read(tmp_path: Path, *blocks: str) -> Document:
    """Return the document of a page with these blocks; it is checked as when it is written."""
    file = tmp_path / "paper.html"
    file.write_text(page(*blocks), encoding="utf-8")
    document = read_ar5iv(file)
    assert Document.from_json(document.to_json()).to_json() == document.to_json()
    return document
