"""One HTML file out of the report's content: the skeleton, style and script beside this file, and what the other modules write.

The file asks nothing of a network and lets nothing in: its content policy allows only its own style and script, by their hash,
and pictures that stand in it.
"""

from __future__ import annotations

import json
import os
from string import Template
from typing import Any

from variorum.document import Document
from variorum.document.flow import page_of
from variorum.document.voices import counted
from variorum.report.assets import asset, content_policy
from variorum.report.criticus import criticus, meter, summary
from variorum.report.data import view_of
from variorum.report.leaf import colour, defs, leaf
from variorum.report.markup import breakable, lines, script_json, share, siglum, text
from variorum.report.pages import see_pages
from variorum.report.paper_data import has_text
from variorum.report.paper_page import completeness, inventory, jumps, whole_paper
from variorum.report.paper_view import BlockView
from variorum.report.reading import reading
from variorum.report.view import NoticeView, PageView, ReportView, TableView

_SEVERITY_SIGN = {"info": "i", "warning": "!", "error": "✕"}


def write_report(document: Document, pdf_path: str | os.PathLike[str], password: str | None = None) -> str:
    """Return the report of a reading as one HTML file that needs no other: the same document and PDF give the same text.

    Its pages (of a document that has only tables, those with tables) are drawn from the PDF, which is opened again; when it, or
    a page of it, can't be read, the report says so and holds the rest. Raises no errors of its own.
    """
    zoomed = {n for table in document.tables for n in table.page_nums() or (page_of(table),)} - {0}
    whole = {page.page_num for page in document.pages} - zoomed if has_text(document) else set[int]()
    sights, problem = see_pages(os.fspath(pdf_path), zoomed | whole, password, document.sha256, whole)
    return render(view_of(document, sights, problem))


def render(view: ReportView) -> str:
    """Return the HTML file that shows the view."""
    style, script = asset("style.css"), asset("script.js")
    if view["paper"] is not None:
        style, script = style + asset("paper.css"), script + asset("paper.js")
    return Template(asset("page.html")).substitute(
        policy=content_policy(style, script),
        title=text(" ".join(f"{view['source'] or view['key']}: {_kind(view)}".split())),
        style=style,
        body=_body(view),
        data=script_json(_script_data(view)),
        script=script,
    )


def _script_data(view: ReportView) -> dict[str, Any]:
    """Return what the script needs: methods with letter and colour, and for each table its dividers and edges."""
    paper = view["paper"]
    return {
        "blocks": [] if paper is None else [_told(block) for block in paper["blocks"]],
        "methods": [{"name": m, "siglum": siglum(i), "colour": colour(i)} for i, m in enumerate(view["methods"])],
        "tables": {
            t["key"]: {d["id"]: d for d in (*t["apparatus"]["edges"], *t["apparatus"]["dividers"])}
            for page in view["pages"]
            for t in page["tables"]
            if t["apparatus"] is not None
        },
    }


def _told(block: BlockView) -> dict[str, Any]:
    """Return what the script needs of a block: what is empty is left out, and places are in the drawing."""
    pages = [page_num for page_num, _ in block["places"]]
    told = {name: value for name, value in block.items() if value and name not in ("places", "layer", "order", "sign")}
    return {**told, "order": block["order"], "pages": pages}


# ---- parts ----------------------------------------------------------------------------------------------------------


def _body(view: ReportView) -> str:
    return lines(
        [
            _head(view),
            jumps(view["paper"], bool(_wholes(view))) if view["paper"] is not None else "",
            completeness(view["paper"]) if view["paper"] is not None else "",
            _contents(view),
            _notices(view["notices"]),
            whole_paper(view["paper"], view["pages"]) if view["paper"] is not None else "",
            *(_page(page, view) for page in view["pages"] if page["tables"]),
            _foot(view),
        ]
    )


def _head(view: ReportView) -> str:
    count = len(_wholes(view))
    pages = counted(view["pages_read"], "page")
    if view["pages_read"] != view["page_count"]:
        pages += f" of {view['page_count']}"
    found = f"{counted(count, 'table')} on {pages}" if count else f"no tables on {pages}"
    if view["paper"] is not None:
        found = f"{inventory(view['paper'])} on {pages}"
    software = f" · {text(view['software'])}" if view["software"] else ""
    return (
        f'<header class="title"><p class="kind">variorum · {_kind(view)}</p><h1>{text(view["source"] or view["key"])}</h1>'
        f'<p class="summary">{found} read · key <code>{text(view["key"])}</code>{software}</p></header>'
    )


def _kind(view: ReportView) -> str:
    return "tables and votes" if view["paper"] is None else "the paper, its tables and votes"


def _contents(view: ReportView) -> str:
    tables = _wholes(view)
    if not tables:
        return '<p class="empty">No tables were found on the pages that were read. The notices below, if any, may say why.</p>'
    return lines(
        [
            '<nav aria-label="Tables"><table class="contents"><thead><tr>'
            '<th scope="col">table</th><th scope="col" class="figure">page</th>'
            '<th scope="col">caption</th><th scope="col" class="figure">shape</th><th scope="col">read by</th>'
            '<th scope="col" colspan="2">agreement</th></tr></thead><tbody>',
            *map(_entry, tables),
            "</tbody></table></nav>",
        ]
    )


def _wholes(view: ReportView) -> list[TableView]:
    """Return the tables, of those in parts the first part, in order."""
    return [t for p in view["pages"] for t in p["tables"] if t["part"] is None or t["part"]["number"] == 1]


def _entry(table: TableView) -> str:
    is_voted = table["apparatus"] is not None
    agreement = "<td></td><td></td>"
    if is_voted and table["agreement"] is not None:
        agreement = f'<td class="figure">{share(table["agreement"])}</td><td>{meter(table["agreement"])}</td>'
    pages = [table["page_num"]] if table["part"] is None else [page for page, _ in table["part"]["places"]]
    numbers = ", ".join(str(page) for page in dict.fromkeys(pages) if page)
    return (
        f'<tr><th scope="row"><a href="#{table["key"]}">{text(table["title"])}</a></th>'
        f'<td class="figure">{numbers}</td><td class="words">{text(table["caption"])}</td>'
        f'<td class="figure">{table["n_rows"]} × {table["n_cols"]}</td>'
        f"<td>{breakable(table['winner']) if is_voted else ''}</td>{agreement}</tr>"
    )


def _notices(notices: list[NoticeView]) -> str:
    if not notices:
        return ""
    return f'<section class="notices"><h2>Notices</h2><ul>{lines(map(_notice, notices))}</ul></section>'


def _notice(notice: NoticeView) -> str:
    where = ", ".join(filter(None, (f"page {notice['page_num']}" if notice["page_num"] else "", text(notice["component"]))))
    trace = (
        f"<details><summary>traceback</summary><pre>{text(notice['traceback'])}</pre></details>" if notice["traceback"] else ""
    )
    severity = text(notice["severity"])
    sign = _SEVERITY_SIGN.get(notice["severity"], "i")
    place = f" <small>({where})</small>" if where else ""
    return (
        f'<li class="{severity}"><span class="severity" role="img" aria-label="{severity}">{sign}</span> '
        f"{text(notice['what'])}{place}{trace}</li>"
    )


def _page(page: PageView, view: ReportView) -> str:
    """Return the tables of a page; its picture stands here when the page has not been shown whole before."""
    n = page["page_num"]
    name = f"Page {n}" if n else "Tables without a page"
    label = f" <small>printed as {text(page['label'])}</small>" if page["label"] and page["label"] != str(n) else ""
    return lines(
        [
            f'<section class="page" aria-labelledby="p{n}"><h2 id="p{n}">{name}{label}</h2>',
            defs(page) if page["width"] > 0 and view["paper"] is None else "",
            *(_table(page, table, view["methods"]) for table in page["tables"]),
            "</section>",
        ]
    )


def _table(page: PageView, table: TableView, methods: list[str]) -> str:
    key = table["key"]
    return lines(
        [
            f'<article id="{key}" data-table="{key}" aria-labelledby="{key}-title">',
            f'<header><h3 id="{key}-title">{text(table["title"])}</h3>{summary(table)}</header>',
            '<div class="spread">',
            leaf(page, table, methods),
            f'<div class="text">{reading(table)}{criticus(table, methods)}</div>',
            "</div></article>",
        ]
    )


def _foot(view: ReportView) -> str:
    config = json.dumps(view["config"], ensure_ascii=False, indent=2, sort_keys=True, default=str)
    return (
        f'<footer><details><summary>Configuration</summary><pre class="config">{text(config)}</pre></details>'
        f'<p class="file">SHA-256 of the PDF: <code>{text(view["sha256"])}</code></p></footer>'
    )
