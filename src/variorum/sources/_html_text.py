"""Running text of LaTeXML's HTML: white space collapsed, formulas as Unicode, citations marked, footnotes lifted out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from variorum.layout.scripts import lowered, raised
from variorum.sources._mathml import math_text, tex_of
from variorum.sources.gathering import Formula, Mark

UNSEEN: Final = frozenset(
    {"script", "style", "head", "nav", "template", "noscript", "iframe", "object", "button", "audio", "video"}
)
"""Elements that are never text, whatever they hold."""
_UNPRINTED: Final = frozenset({"ltx_TOC", "ltx_page_footer", "ltx_page_logo", "ltx_pagination", "ltx_rdf", "ltx_note_type"})
_ENTRY: Final = "#bib."
_UNKNOWN: Final = "?"
_SPACE: Final = re.compile(r"\s")
_NUMERIC: Final = re.compile(r"[\[(]?[\d\s,;–—\-−?]+[\])]?")
_PARTS: Final = frozenset({"br", "p", "div", "li", "tr", "td", "th", "dd", "dt"})
_PARTED: Final = frozenset({"ltx_tr", "ltx_td", "ltx_p", "ltx_bibblock", "ltx_listingline"})


def classes(element: Any) -> frozenset[str]:
    """Return the classes of an element."""
    return frozenset((element.get("class") or "").split())


def is_seen(element: Any) -> bool:
    """Return whether an element is one that a reader sees: no comment, script, navigation or error mark."""
    return isinstance(element.tag, str) and element.tag not in UNSEEN and not classes(element) & _UNPRINTED


@dataclass(slots=True)
class InlineText:
    """Takes elements of running text; then `text` is what they say.

    `marks` are the citations and the formulas in it, `notes` the footnotes that stood in it (elements), `errors` what LaTeXML
    did not understand. With `keeps_lines`, line ends and indents are kept (code).
    """

    keeps_lines: bool = False
    marks: list[Mark | Formula] = field(default_factory=list)
    notes: list[Any] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)
    _length: int = 0
    _space: bool = False

    @property
    def text(self) -> str:
        """Return the text so far."""
        return "".join(self._parts)

    def put(self, text: str | None) -> None:
        """Take some text."""
        if not text:
            return
        if self.keeps_lines:
            self._append(text)
            return
        words = text.split()
        if not words:
            self._space = True
            return
        self._space = self._space or _SPACE.match(text) is not None
        self._flush()
        self._append(" ".join(words))
        self._space = _SPACE.match(text[-1]) is not None

    def gap(self) -> None:
        """Take the end of a word."""
        self._space = True

    def element(self, element: Any, *, with_tail: bool = True) -> None:
        """Take an element with all it holds, and the text behind it."""
        if is_seen(element):
            self._seen(element)
        if with_tail:
            self.put(element.tail)

    def inside(self, element: Any) -> None:
        """Take what an element holds."""
        self.put(element.text)
        for child in element:
            self.element(child)

    def _seen(self, element: Any) -> None:
        own = classes(element)
        if element.tag == "math":
            self._formula(element)
        elif "ltx_ERROR" in own:
            self.errors.append(" ".join("".join(element.itertext()).split()))
        elif "ltx_note" in own:
            self._note(element, own)
        elif element.tag == "cite":
            self._citation(element)
        elif "ltx_missing_citation" in own:
            self.put(_UNKNOWN)  # LaTeXML writes the key, which no page prints
        elif element.tag in ("sup", "sub"):
            inner = InlineText()
            inner.inside(element)
            start = self._length
            if inner.text:
                self._flush()
                start = self._length
                self._append((raised if element.tag == "sup" else lowered)(inner.text))
            cited = [mark for mark in inner.marks if isinstance(mark, Mark)]
            entries = [e for mark in cited for e in mark.entries]
            if cited and self._length > start:
                self.marks.append(Mark(start, self._length, "superscript", tuple(entries)))
            self.notes += inner.notes
            self.errors += inner.errors
        else:
            is_part = not self.keeps_lines and (element.tag in _PARTS or bool(own & _PARTED))
            self._space = self._space or is_part
            self.inside(element)
            self._space = self._space or is_part

    def _formula(self, element: Any) -> None:
        text = math_text(element)
        if not text:
            return
        self._flush()
        start = self._length
        self.put(text)
        cites = any((e.get("href") or "").startswith(_ENTRY) for e in element.iter("a"))
        if self._length > start and not cites:
            self.marks.append(Formula(start, self._length, tex_of(element)))

    def _note(self, element: Any, own: frozenset[str]) -> None:
        mark = next((e for e in element if isinstance(e.tag, str) and "ltx_note_mark" in classes(e)), None)
        text = "" if mark is None else " ".join("".join(mark.itertext()).split())
        if text:
            self._space = False
            self._append(raised(text))
        if "ltx_role_footnotemark" not in own:
            self.notes.append(element)

    def _citation(self, element: Any) -> None:
        self._flush()
        start, first = self._length, len(self._parts)
        self.inside(element)
        links = [e.get("href") or "" for e in element.iter("a")]
        is_missing = any("ltx_missing_citation" in classes(e) for e in element.iter("span"))
        entries = tuple(href[1:] for href in links if href.startswith(_ENTRY))
        if self._length > start and (entries or is_missing):
            is_numeric = _NUMERIC.fullmatch("".join(self._parts[first:])) is not None
            self.marks.append(Mark(start, self._length, "numeric" if is_numeric else "author-year", entries))

    def _flush(self) -> None:
        if self._space and self._length and not self.keeps_lines:
            self._append(" ")
        self._space = False

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def text_of(element: Any) -> InlineText:
    """Return what an element says."""
    found = InlineText()
    found.inside(element)
    return found
