"""Markdown as GitHub reads it; what a Markdown reader shows is the text that was read.

GitHub's tables have one header row and no spans. So several header rows become one: per column their texts from top to bottom,
joined by `` / ``, a text that spans columns standing in each of them. In the body a spanning text stands once, at its top-left
position: a number repeated would be a number invented. A table without header rows gets an empty one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from variorum.document.characters import xml_legal
from variorum.document.flow import LISTED, equation_text, float_name, is_ordinal, list_mark, note_mark, page_of, reading_flow
from variorum.document.model import Document, Table, TextComponent
from variorum.document.paper_model import Figure
from variorum.document.tex import display_tex

_BLOCK_MARK = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=#{1,6}(?:\s|$)|>|[+*-](?:\s|$)|-{2}|\*{2}|~{3}))")


def table_to_markdown(table: Table) -> str:
    """Return caption, table and footnotes as Markdown, ending with a newline."""
    filled = table.filled_matrix()
    head = [_joined(row[c] for row in filled[: table.header_rows]) for c in range(table.n_cols)]
    lines = [_row(head), "|" + " --- |" * table.n_cols, *map(_row, table.data_rows())] if table.n_cols else []
    blocks = [escape_block(table.caption.text)] if table.caption is not None else []
    blocks += ["\n".join(lines)] if lines else []
    blocks += [escape_block(note) for note in table.footnotes]
    return "\n\n".join(filter(None, blocks)) + "\n"


@dataclass(frozen=True, slots=True)
class MarkdownPiece:
    """A piece of a paper's Markdown: the id of the component, table or figure it is ('' for none), its page from 1 (0 unknown),
    its text, and what stands between it and the piece before."""

    id: str
    page_num: int
    text: str
    joint: str = "\n\n"


def document_to_markdown(document: Document, pictures: Mapping[str, str] | None = None) -> str:
    """Return the paper as Markdown in reading order, ending with a newline.

    `pictures` are links to the pictures of figures by the figures' ids; a figure without one is its caption. Tables and figures
    have their captions once. Lists keep their numbers; bullets of any form become ``-``. Footnotes are paragraphs at the end of
    the text below a heading. A display equation whose TeX is known is a block ``math``, which GitHub and GitLab set as a
    formula and others show as it is written; one without TeX is its text.
    """
    return joined_pieces(markdown_pieces(document, pictures))


def joined_pieces(pieces: Iterable[MarkdownPiece]) -> str:
    """Return pieces that follow each other as one text, ending with a newline."""
    return "".join(piece.joint * (i > 0) + piece.text for i, piece in enumerate(pieces)) + "\n"


def markdown_pieces(document: Document, pictures: Mapping[str, str] | None = None) -> tuple[MarkdownPiece, ...]:
    """Return the Markdown of `document_to_markdown` in pieces, in order."""
    links = pictures or {}
    pieces: list[MarkdownPiece] = []
    if document.identity.title and not any(c.kind == "title" for c in document.components):
        pieces.append(MarkdownPiece("", 0, f"# {escape_block(document.identity.title)}"))
    previous = ""
    for item in reading_flow(document):
        if isinstance(item, Table):
            block, kind = table_to_markdown(item).rstrip("\n"), "table"
        elif isinstance(item, Figure):
            block, kind = _figure(item, links.get(item.id)), "figure"
        elif item.kind in LISTED:
            block, kind = _list_item(item)
        else:
            block, kind = _component(item), item.kind
        if not block:
            continue
        is_same_list = kind == previous and kind.startswith(LISTED)
        if not is_same_list and previous.startswith(LISTED) and kind.startswith(LISTED):
            pieces.append(MarkdownPiece("", 0, "<!-- -->"))  # or the second list would be taken for a part of the first
        page_num = (item.provenance.page_num or 0) if isinstance(item, TextComponent) else page_of(item)
        pieces.append(MarkdownPiece(item.id, page_num, block, "\n" if is_same_list else "\n\n"))
        previous = kind
    return tuple(pieces)


def escape_inline(text: str) -> str:
    r"""Return the text with a backslash before every sign that Markdown would take for a mark, and newlines as ``<br>``.

    Signs that cannot be taken for one are left as they are, so that ``0.05***`` and ``snake_case`` stay readable.
    """
    text = re.sub(r"[ \t]*\n[ \t]*", "\n", xml_legal(text).strip())
    text = re.sub(r"\\(?=[!-/:-@\[-`{-~\n]|$)", r"\\\\", text)
    text = text.replace("`", r"\`").replace("|", r"\|")
    text = re.sub(r"<(?=[A-Za-z/!?]|[^\s<>]*>)", r"\\<", text)
    text = re.sub(r"&(?=#?\w+;)", r"\\&", text)
    if re.search(r"\][(:\[]", text):
        text = text.replace("[", r"\[")
    for sign in "~$":
        if len(re.findall(re.escape(sign) + "+", text)) > 1:
            text = text.replace(sign, "\\" + sign)
    text = text.replace("\n", "<br>")
    for sign in "*_":
        if _can_emphasise(text, sign):
            text = text.replace(sign, "\\" + sign)
    return text


def _can_emphasise(text: str, sign: str) -> bool:
    """Return whether one run of the sign can open emphasis and a later one close it, by the rules of CommonMark 0.31, 6.2."""
    is_open = False
    for run in re.finditer(re.escape(sign) + "+", text):
        before, after = _class_of(text[: run.start()][-1:]), _class_of(text[run.end() :][:1])
        left = after != "space" and (after == "letter" or before != "letter")
        right = before != "space" and (before == "letter" or after != "letter")
        if is_open and right and (sign == "*" or not left or after == "sign"):
            return True
        is_open |= left and (sign == "*" or not right or before == "sign")
    return False


def _class_of(char: str) -> str:
    """Return ``space`` (also for the end of a text), ``sign`` or ``letter``: what CommonMark tells apart beside marks."""
    if not char or char.isspace():
        return "space"
    return "sign" if unicodedata.category(char)[0] in "PS" else "letter"


def escape_block(text: str) -> str:
    """Return the text as one Markdown paragraph: white space collapsed, and no block mark at its start or end."""
    line = _BLOCK_MARK.sub(r"\1\\", escape_inline(" ".join(text.split())))
    return re.sub(r"(?<=\s)(?=#+$)", r"\\", line)


def _joined(texts: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(filter(None, map(str.strip, texts))))


def _row(texts: list[str]) -> str:
    return "| " + " | ".join(map(escape_inline, texts)) + " |"


def _component(component: TextComponent) -> str:
    if component.kind == "code":
        return _code(component.text)
    if component.kind == "equation" and (tex := display_tex(component)) is not None:
        return _code(tex, "math")
    text = escape_block(
        equation_text(component) if component.kind == "equation" else f"{note_mark(component)} {component.text}"
    )
    if not text:
        return ""
    if component.kind == "title":
        return f"# {text}"
    if component.kind == "heading":
        return f"{'#' * min(6, (component.level or 1) + 1)} {text}"
    return text


def _list_item(component: TextComponent) -> tuple[str, str]:
    """Return the item of a list, and what all items of one list have in common."""
    mark, text = list_mark(component), component.text
    if is_ordinal(mark):
        return f"{mark} {escape_block(text)}".rstrip(), component.kind + mark[-1]
    block = escape_block(f"{mark} {text}")
    return f"- {block}" if block else "", component.kind


def _figure(figure: Figure, link: str | None) -> str:
    caption = escape_block(figure.caption.text) if figure.caption is not None else ""
    if link is None:
        page = f", page {page_of(figure)}" if page_of(figure) else ""
        return caption or f"<!-- figure without a caption{page} -->"
    return "\n\n".join(filter(None, [f"![{escape_inline(float_name(figure))}]({quote(link)})", caption]))


def _code(text: str, language: str = "") -> str:
    """Return the text between fences longer than any in it, its lines and their indents as they are."""
    code = xml_legal(text).strip("\n")
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(len("```"), longest + 1)
    return f"{fence}{language}\n{code}\n{fence}" if code.strip() else ""
