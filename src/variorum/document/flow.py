"""A document in the order in which it is read: its text components with the tables where they belong.

Shared by the exporters that write a whole paper, so that Markdown and HTML never disagree about the order.
"""

from __future__ import annotations

from collections.abc import Iterator

from variorum.document.model import Document, Table, TextComponent

_NOT_BODY = ("furniture", "citation")


def reading_flow(document: Document) -> Iterator[TextComponent | Table]:
    """Return text components and tables in reading order; each table stands once.

    A table stands where a component of kind ``table`` names it as `target`, else after the last text of its page. Left out:
    running heads and feet, citations (their marks stand in the paragraphs already), and captions of tables that carry them.
    """
    tables = {table.id: table for table in document.tables}
    placed = {c.target for c in document.components if c.kind == "table" and c.target in tables}
    floating = [table for table in document.tables if table.id not in placed]
    captioned = {table.id for table in document.tables if table.caption is not None}
    written: set[str] = set()
    for component in document.components:
        page_num = component.provenance.page_num
        while floating and page_num is not None and page_of(floating[0]) < page_num:
            yield floating.pop(0)
        if component.kind == "table" and component.target in tables:
            if component.target not in written:
                written.add(component.target)
                yield tables[component.target]
        elif component.kind not in _NOT_BODY and not (component.kind == "caption" and component.target in captioned):
            yield component
    yield from floating


def page_of(table: Table) -> int:
    """Return the 1-based page of a table, or of its caption; 0 where the source has no pages."""
    if table.provenance.page_num is not None:
        return table.provenance.page_num
    return table.caption.page_num if table.caption is not None else 0
