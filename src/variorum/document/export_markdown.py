"""Markdown as GitHub reads it; what a Markdown reader shows is the text that was read.

GitHub's tables have one header row and no spans. So several header rows become one: per column their texts from top to bottom,
joined by `` / ``, a text that spans columns standing in each of them. In the body a spanning text stands once, at its top-left
position: a number repeated would be a number invented. A table without header rows gets an empty one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from variorum.document.characters import xml_legal
from variorum.document.flow import reading_flow
from variorum.document.model import Document, Table, TextComponent

_BLOCK_MARK = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=#{1,6}(?:\s|$)|>|[+*-](?:\s|$)|-{2}|\*{2}|~{3}))")
_BOUNDARY_UNDERSCORE = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")


def table_to_markdown(table: Table) -> str:
    """Return caption, table and footnotes as Markdown, ending with a newline."""
    filled = table.filled_matrix()
    head = [_joined(row[c] for row in filled[: table.header_rows]) for c in range(table.n_cols)]
    lines = [_row(head), "|" + " --- |" * table.n_cols, *map(_row, table.data_rows())] if table.n_cols else []
    blocks = [escape_block(table.caption.text)] if table.caption is not None else []
    blocks += ["\n".join(lines)] if lines else []
    blocks += [escape_block(note) for note in table.footnotes]
    return "\n\n".join(filter(None, blocks)) + "\n"


def document_to_markdown(document: Document) -> str:
    """Return the paper as Markdown in reading order, ending with a newline."""
    blocks: list[str] = []
    previous = ""
    for item in reading_flow(document):
        if isinstance(item, Table):
            block, kind = table_to_markdown(item).rstrip("\n"), "table"
        else:
            block, kind = _component(item), item.kind
        if not block:
            continue
        if kind == previous == "list_item":
            blocks[-1] += "\n" + block
        else:
            blocks.append(block)
        previous = kind
    return "\n\n".join(blocks) + "\n"


def escape_inline(text: str) -> str:
    r"""Return the text with a backslash before every sign that Markdown would take for a mark, and newlines as ``<br>``.

    Signs that cannot be taken for one are left as they are, so that ``0.05***`` and ``snake_case`` stay readable.
    """
    text = re.sub(r"[ \t]*\n[ \t]*", "\n", xml_legal(text).strip())
    text = re.sub(r"\\(?=[!-/:-@\[-`{-~\n]|$)", r"\\\\", text)
    text = text.replace("`", r"\`").replace("|", r"\|")
    text = re.sub(r"<(?=[A-Za-z/!?]|[^\s<>]*>)", r"\\<", text)
    text = re.sub(r"&(?=#?\w+;)", r"\\&", text)
    for sign in "*~$":
        if len(re.findall(re.escape(sign) + "+", text)) > 1:
            text = text.replace(sign, "\\" + sign)
    if re.search(r"\][(:\[]", text):
        text = text.replace("[", r"\[")
    text = _BOUNDARY_UNDERSCORE.sub(lambda m: m.group().replace("_", r"\_"), text)
    return text.replace("\n", "<br>")


def escape_block(text: str) -> str:
    """Return the text as one Markdown paragraph: white space collapsed, and no block mark at its start or end."""
    line = _BLOCK_MARK.sub(r"\1\\", escape_inline(" ".join(text.split())))
    return re.sub(r"(?<=\s)(?=#+$)", r"\\", line)


def _joined(texts: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(filter(None, map(str.strip, texts))))


def _row(texts: list[str]) -> str:
    return "| " + " | ".join(map(escape_inline, texts)) + " |"


def _component(component: TextComponent) -> str:
    text = escape_block(component.text)
    if not text:
        return ""
    if component.kind == "title":
        return f"# {text}"
    if component.kind == "heading":
        return f"{'#' * min(6, (component.level or 1) + 1)} {text}"
    return f"- {text}" if component.kind == "list_item" else text
