"""From what a source says, in order, to a `Document`: ids, floats in the flow, sections, citations, mentions, completeness.

What every reader of a source shares, so that components of different sources have the same form. Nothing here knows a format.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from variorum._version import __version__
from variorum.document import (
    BibliographyEntry,
    Caption,
    Citation,
    ComponentKind,
    Document,
    Figure,
    InlineEquation,
    Notice,
    PageInfo,
    PaperIdentity,
    Place,
    Provenance,
    Table,
    TextComponent,
)
from variorum.document.keys import make_component_id, make_table_id
from variorum.layout.citations import find_citations
from variorum.layout.completeness import assess
from variorum.layout.entry_parsing import parse_entry
from variorum.layout.mentions import find_mentions
from variorum.layout.section_labels import SectionPiece, label_sections
from variorum.regions.captions import KINDS

_CITING: Final = ("paragraph", "list_item", "footnote", "caption")
_MENTIONING: Final = (*_CITING, "heading")
_LABEL: Final = re.compile(
    r"(?P<label>(?:[^\W\d_]+\s)??[^\W\d_]+\.?)(?:[\s\u00a0]+|(?<=\.)|(?=\d))"
    r"(?P<number>(?:[A-Z]{1,2}[.\-]?)?\d+(?:[.\-]\d+)*[a-z]?|[IVXLC]+(?=[.:\s]|$)|[A-Z](?=[.:]|$))(?=\W|$)"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation in a text as its source links it: characters `start` to `end`, style, the source's names of entries."""

    start: int
    end: int
    style: Literal["numeric", "superscript", "author-year"]
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """Mathematics in a text as its source sets it apart: characters `start` to `end`, and its TeX where the source has it."""

    start: int
    end: int
    tex: str | None


def shifted(marks: Iterable[Mark | Formula], by: int) -> tuple[Mark | Formula, ...]:
    """Return the marks where they stand when `by` characters are put before their text."""
    return tuple(replace(mark, start=mark.start + by, end=mark.end + by) for mark in marks)


def split_caption(text: str) -> tuple[str, str | None]:
    """Return the label (``Table``, ``Fig``) and number with which a caption begins; else ``("", None)``."""
    match = _LABEL.match(text)
    if match is None or match["label"].split()[-1].rstrip(".").casefold() not in KINDS:
        return "", None
    return match["label"].rstrip("."), match["number"]


@dataclass(slots=True)
class Gatherer:
    """Takes what a reader finds, in reading order, and makes the document of it.

    `source` is the name that stands in every provenance; `key` that of the paper.
    """

    source: str
    key: str
    components: list[TextComponent] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    entries: list[BibliographyEntry] = field(default_factory=list)
    _marks: list[tuple[str, str, Mark | Formula]] = field(default_factory=list)
    _entry_ids: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _counts: Counter[str] = field(default_factory=Counter)
    _on_page: Counter[int] = field(default_factory=Counter)
    _again: Counter[str] = field(default_factory=Counter)
    _shared: set[Caption] = field(default_factory=set)

    def text(
        self,
        kind: ComponentKind,
        text: str,
        method: str,
        *,
        number: str | None = None,
        level: int | None = None,
        places: Sequence[Place] = (),
        note: str = "",
        tex: str | None = None,
        marks: Sequence[Mark | Formula] = (),
    ) -> str:
        """Return the id of a new component; `marks` are the citations that the source links in it, and the formulas."""
        name = self._new_id(kind, None if kind == "list_item" else number, text)
        component = TextComponent(
            id=name,
            kind=kind,
            text=text,
            provenance=self.provenance(method, places),
            level=level,
            number=number,
            places=tuple(places) if len(places) > 1 else (),
            note=note,
            tex=tex,
        )
        self.components.append(component)
        self._marks += [(name, text[m.start : m.end], m) for m in marks]
        return name

    def entry(
        self,
        text: str,
        method: str,
        label: str | None,
        *,
        name: str | None = None,
        places: Sequence[Place] = (),
        formulas: Sequence[Formula] = (),
    ) -> None:
        """Take an entry of the list of references; `name` is what the source's own links call it.

        A label of names and a year is none that is printed: it is kept with what the entry says, not as its number.
        """
        is_printed = label is not None and re.fullmatch(r"\[[^\]]+\]|\(?\d+[.)]?", label) is not None
        own = self.text("bibliography_entry", text, method, number=label if is_printed else None, places=places, marks=formulas)
        above = self.entries[-1].authors if self.entries else ()
        self.entries.append(parse_entry(own, text, label, above))
        if name is not None:
            self._entry_ids.setdefault(name, own)

    def table(self, table: Table, method: str, marks: Sequence[Mark | Formula] = ()) -> str:
        """Return the id of a table, which is made here, with its place in the flow and its caption behind it."""
        page_num = table.provenance.page_num or 0
        on_page = self._on_page[page_num]
        self._on_page[page_num] += 1
        name = make_table_id(self.key, table.number, page_num, on_page, taken=self._taken)
        name = name if name not in self._taken else f"{name}_{len(self.tables)}"
        self._taken.add(name)
        self.tables.append(replace(table, id=name))
        self._marker("table", name, table.number, table.provenance)
        if table.caption is not None and table.caption not in self._shared:  # panels share that of their float
            self._shared.add(table.caption)
            self._caption(table.caption, name, method, marks)
        return name

    def figure(self, figure: Figure, method: str, marks: Sequence[Mark | Formula] = ()) -> str:
        """Return the id of a figure, which is made here, with its place in the flow and its caption behind it."""
        name = self._new_id("figure", figure.number)
        self.figures.append(replace(figure, id=name))
        self._marker("figure", name, figure.number, figure.provenance)
        if figure.caption is not None:
            self._caption(figure.caption, name, method, marks)
        return name

    def warn(self, what: str, component: str | None = None, *, is_info: bool = False) -> None:
        """Take a notice: something that a reader must know."""
        self.notices.append(Notice(severity="info" if is_info else "warning", what=what, component=component))

    def provenance(self, method: str, places: Sequence[Place] = ()) -> Provenance:
        """Return the provenance of something in these places."""
        first = places[0] if places else None
        return Provenance(
            source=self.source,
            method=method,
            page_num=None if first is None else first.page_num,
            bbox=None if first is None else first.bbox,
        )

    def _marker(self, kind: ComponentKind, target: str, number: str | None, place: Provenance) -> None:
        name = f"at-{target}"
        self._taken.add(name)
        self.components.append(TextComponent(id=name, kind=kind, text="", provenance=place, number=number, target=target))

    def _caption(self, caption: Caption, target: str, method: str, marks: Sequence[Mark | Formula]) -> None:
        name = f"cap-{target}"
        self._taken.add(name)
        place = Provenance(source=self.source, method=method, page_num=caption.page_num, bbox=caption.bbox)
        self.components.append(
            TextComponent(id=name, kind="caption", text=caption.text, provenance=place, number=caption.number, target=target)
        )
        self._marks += [(name, caption.text[m.start : m.end], m) for m in marks]

    def _new_id(self, kind: ComponentKind, number: str | None, text: str = "") -> str:
        self._counts[kind] += 1
        name = make_component_id(kind, number, self._counts[kind], text=text)
        made = name
        while made in self._taken:  # goes on where the last of that name was, so that thousands of one name cost no more
            self._again[name] += 1
            made = f"{name}-{self._again[name] + 1}"
        self._taken.add(made)
        return made

    def document(
        self,
        *,
        source_name: str,
        sha256: str,
        identity: PaperIdentity,
        pages: Sequence[PageInfo] = (),
        are_citations_linked: bool,
    ) -> Document:
        """Return the document of all that was taken.

        Citations are those that the source links, or those found in the text where it links none.
        """
        components = tuple(self.components)
        flow = [c for c in components if c.kind != "furniture"]
        texts = [(c.id, c.text) for c in components if c.kind in _CITING]
        citations = self._linked() if are_citations_linked else find_citations(texts, self.entries)
        document = Document(
            key=self.key,
            source_name=source_name,
            sha256=sha256,
            page_count=len(pages),
            pages=tuple(pages),
            tables=tuple(self.tables),
            components=components,
            notices=tuple(self.notices),
            config={"source": self.source},
            software=f"variorum {__version__}",
            figures=tuple(self.figures),
            identity=identity,
            sections=label_sections([SectionPiece(c.id, c.kind, _words(c), c.level, c.number) for c in flow]),
            bibliography=tuple(self.entries),
            citations=citations,
            inline_equations=tuple(self._formulas()),
            mentions=find_mentions(
                [(c.id, c.text) for c in components if c.kind in _MENTIONING],
                [(t.number, t.id) for t in self.tables],
                [(f.number, f.id) for f in self.figures],
                [(c.number, c.id) for c in components if c.kind == "equation"],
                [(c.number, c.id) for c in components if c.kind == "heading"],
            ),
        )
        return replace(document, completeness=assess(document, {}))

    def _linked(self) -> tuple[Citation, ...]:
        out = []
        for component, text, mark in self._marks:
            if isinstance(mark, Formula):
                continue
            targets = tuple(dict.fromkeys(self._entry_ids[e] for e in mark.entries if e in self._entry_ids))
            out.append(
                Citation(component=component, start=mark.start, end=mark.end, text=text, style=mark.style, targets=targets)
            )
        return tuple(out)

    def _formulas(self) -> Iterator[InlineEquation]:
        for component, text, mark in self._marks:
            if isinstance(mark, Formula) and text:
                yield InlineEquation(component=component, start=mark.start, end=mark.end, text=text, tex=mark.tex)


def _words(component: TextComponent) -> str:
    """Return the text of a component without the number in front of a heading."""
    if component.kind == "heading" and component.number and component.text.startswith(component.number):
        return component.text[len(component.number) :].lstrip(" .:)")
    return component.text
