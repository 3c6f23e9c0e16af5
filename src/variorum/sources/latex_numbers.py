"""The numbers that LaTeX prints: counters, how they are reset, and how they are written (``3.1``, ``IV``, ``A.2``, ``S1``).

The common classes differ: journals of the IEEE number sections and tables in Roman figures, books begin with chapters. What the
source says itself (``\\renewcommand{\\thetable}``, ``\\setcounter``, ``\\numberwithin``, ``\\appendix``) goes before the class.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from variorum.layout.roman import roman
from variorum.sources.latex_signs import alphabetic
from variorum.sources.latex_text import tidy
from variorum.sources.latex_tree import Item, Node, Reader, plain

LEVELS: Final = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_BOOKS: Final = ("book", "report", "scrbook", "scrreprt", "memoir", "svmono", "thesis")
_ROMAN_SECTIONS: Final = ("IEEEtran", "revtex4", "revtex4-1", "revtex4-2", "ieeeconf")
_ROMAN_TABLES: Final = _ROMAN_SECTIONS
_SHALLOW: Final = ("llncs",)
_STYLES: Final = ("\\arabic", "\\roman", "\\Roman", "\\alph", "\\Alph", "\\value", "\\number", "\\fnsymbol")


@dataclass(slots=True)
class Counters:
    """The counters of one document of a class; `formats` are what ``\\theNAME`` was defined as."""

    document_class: str
    values: dict[str, int] = field(default_factory=dict)
    formats: dict[str, list[Item]] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    within: set[str] = field(default_factory=set)
    """Counters that the source itself counts within others: these print the other one even while it is zero."""
    depth: int = 0
    is_appendix: bool = False
    sub_of: str | None = None

    def __post_init__(self) -> None:
        self.depth = LEVELS.index("subsection" if self.document_class in _SHALLOW else "subsubsection")
        for outer, inner in itertools.pairwise(LEVELS[1:]):
            self.parents[inner] = outer
        if self.is_book:
            for name in ("equation", "table", "figure"):
                self.parents[name] = "chapter"
        if self.document_class.startswith("siam"):
            self.parents["equation"] = "section"

    @property
    def is_book(self) -> bool:
        """Whether the class has chapters."""
        return self.document_class in _BOOKS

    def level(self, command: str) -> int:
        """Return the level of a heading from 1: of sections in articles, of chapters in books."""
        top = LEVELS.index("chapter" if self.is_book else "section")
        return max(1, LEVELS.index(command) - top + 1)

    def is_numbered(self, command: str) -> bool:
        """Whether headings of this command have numbers here."""
        return LEVELS.index(command) <= self.depth

    def step(self, name: str) -> str:
        """Return the next number of a counter as printed; those that are counted within it begin anew."""
        self.values[name] = self.values.get(name, 0) + 1
        self._reset(name, set())
        return self.printed(name)

    def _reset(self, name: str, seen: set[str]) -> None:
        for inner, outer in self.parents.items():
            if outer == name and inner not in seen:
                seen.add(inner)
                self.values[inner] = 0
                self._reset(inner, seen)

    def appendix(self) -> None:
        """Number sections (or chapters) by letters from here on."""
        top = "chapter" if self.is_book else "section"
        self.is_appendix = True
        self.values[top] = 0
        self._reset(top, set())
        self.formats.pop(top, None)
        if self.document_class.startswith("aastex"):  # its appendices count their equations with their letter: A1
            self.parents["equation"] = top
            self.formats["equation"] = ["\\thesection", "\\arabic", Node("group", "", list("equation"))]

    def printed(self, name: str) -> str:
        """Return a counter as printed."""
        return self._printed(name, frozenset())

    def _printed(self, name: str, within: frozenset[str]) -> str:
        if name in within:
            return ""
        if name == "equation" and self.sub_of is not None:
            return self.sub_of + alphabetic(self.values.get(name, 0))
        if name in self.formats:
            return tidy(self._evaluated(self.formats[name], within | {name}))
        value = self.values.get(name, 0)
        top = "chapter" if self.is_book else "section"
        if name == top:
            if self.is_appendix:
                return alphabetic(value).upper()
            return roman(value).upper() if self.document_class in _ROMAN_SECTIONS else str(value)
        if name == "table" and self.document_class in _ROMAN_TABLES:
            return roman(value).upper()
        if name == "subsection" and self.document_class in _ROMAN_SECTIONS:
            return f"{self._printed('section', within)}-{alphabetic(value).upper()}"
        parent = self.parents.get(name)
        if parent is None or name in (top, "part"):
            return str(value)
        if name in LEVELS or name in self.within or self.values.get(parent, 0):
            return f"{self._printed(parent, within)}.{value}"
        return str(value)

    def _evaluated(self, items: Sequence[Item], within: frozenset[str]) -> str:
        out: list[str] = []
        reader = Reader(items)
        for item in reader:
            if isinstance(item, Node):
                out.append(self._evaluated(item.children, within))
            elif item in _STYLES:
                name = plain(reader.argument()).strip()
                out.append(_styled(item, self.values.get(name.removeprefix("\\c@"), 0)))
            elif item.startswith("\\the"):
                out.append(self._printed(item[len("\\the") :], within))
            elif item[0] != "\\":
                out.append(item)
        return "".join(out)


def _styled(style: str, value: int) -> str:
    if style in ("\\roman", "\\Roman"):
        text = roman(value)
        return text.upper() if style == "\\Roman" else text
    if style in ("\\alph", "\\Alph"):
        text = alphabetic(value)
        return text.upper() if style == "\\Alph" else text
    if style == "\\fnsymbol":
        signs = "∗†‡§¶‖"
        return signs[(value - 1) % len(signs)] if value > 0 else ""
    return str(value)
