"""Text without markup: notes, which Zotero keeps as HTML, and titles, which may hold a few tags for italics and the like."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

_BLOCKS: Final = frozenset(
    ("p", "div", "br", "hr", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "table", "tr")
)
_NOT_TEXT: Final = frozenset(("script", "style"))
_TITLE_TAGS: Final = re.compile(r"</?(?:i|b|sub|sup|sc)>|<span(?: [^<>]*)?>|</span>", re.IGNORECASE)


def plain_title(title: str) -> str:
    """Return the title without the tags that Zotero knows in titles, white space as single spaces. Other ``<`` stay."""
    return " ".join(_TITLE_TAGS.sub("", title).split())


def plain_note(html: str) -> str:
    """Return the text of a note, a line a block, white space as single spaces. Never raises, whatever the markup."""
    reader = _Text()
    reader.feed(html)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).split("\n"))
    return "\n".join(line for line in lines if line)


class _Text(HTMLParser):
    """Collects the text of an HTML document, with a line end where a block begins or ends."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _NOT_TEXT:
            self._silent += 1
        elif tag in _BLOCKS:
            self.parts.append("\n")
        elif tag == "td":
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _NOT_TEXT:
            self._silent = max(0, self._silent - 1)
        elif tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data.replace("\n", " "))
