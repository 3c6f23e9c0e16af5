"""From the reading of a paper to the components of its document: ids, places, figures, sections, citations and mentions.

Boxes are led back from the views in which pages are read to the pages as displayed.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from variorum.document import (
    BibliographyEntry,
    Caption,
    Citation,
    ComponentKind,
    Figure,
    FigurePanel,
    HeadingDecision,
    InlineEquation,
    Mention,
    PaperIdentity,
    Place,
    Provenance,
    Section,
    Table,
    TextComponent,
)
from variorum.document.keys import make_component_id
from variorum.geometry import Box
from variorum.layout.citations import find_citations
from variorum.layout.entry_parsing import parse_bibliography
from variorum.layout.figures import FoundFigure
from variorum.layout.inline_formulas import cut_at, formulas_in_text
from variorum.layout.joining import Vocabulary, join_lines, vocabulary_of
from variorum.layout.mentions import find_mentions
from variorum.layout.model import PagePrint, PaperPrint, PrintCaption, PrintLine
from variorum.layout.reading import PaperReading, Piece, caption_at
from variorum.layout.section_labels import SectionPiece, label_sections
from variorum.page.turning import displayed, upright

_METHODS: Final[Mapping[str, str]] = {
    "heading": "heading_vote",
    "title": "front_matter",
    "byline": "front_matter",
    "equation": "equations",
    "bibliography_entry": "bibliography",
    "footnote": "footnotes",
    "furniture": "furniture",
    "caption": "captions",
}
_CITING: Final = ("paragraph", "list_item", "footnote", "caption", "heading")
_CITATION_STYLES: Final = ("paragraph", "list_item", "footnote", "caption")
_WITH_FORMULAS: Final = (*_CITING, "title", "bibliography_entry")


@dataclass(frozen=True, slots=True)
class Composition:
    """What the document level adds to the document of a paper."""

    components: tuple[TextComponent, ...] = ()
    figures: tuple[Figure, ...] = ()
    identity: PaperIdentity = field(default_factory=PaperIdentity)
    sections: tuple[Section, ...] = ()
    headings: tuple[HeadingDecision, ...] = ()
    bibliography: tuple[BibliographyEntry, ...] = ()
    citations: tuple[Citation, ...] = ()
    inline_equations: tuple[InlineEquation, ...] = ()
    mentions: tuple[Mention, ...] = ()
    page_labels: Mapping[int, str] = field(default_factory=dict)  # the numbers that pages print, by page number


def compose(paper: PaperPrint, reading: PaperReading, tables: Sequence[Table]) -> Composition:
    """Return the components of a paper; `tables` are its tables, in the order of the keys that the reading names them by."""
    desk = _Composer(paper, reading, tables)
    components = desk.components()
    text = [(c.id, c.text) for c in components if c.kind in _CITING]
    bibliography = parse_bibliography([(c.id, c.text, c.number) for c in components if c.kind == "bibliography_entry"])
    flow = [c for c in components if c.kind != "furniture"]
    sections = label_sections([SectionPiece(c.id, c.kind, _title(c), c.level, c.number) for c in flow])
    figures = desk.figures()
    citations = find_citations([(c.id, c.text) for c in components if c.kind in _CITATION_STYLES], bibliography)
    return Composition(
        components=components,
        figures=figures,
        identity=reading.identity,
        page_labels=_page_labels(reading),
        sections=sections,
        headings=desk.decisions(),
        bibliography=bibliography,
        citations=citations,
        inline_equations=tuple(desk.formulas(components, citations)),
        mentions=find_mentions(
            text,
            [(t.number, t.id) for t in tables if t.number],
            [(f.number, f.id) for f in figures if f.number],
            [(c.number, c.id) for c in components if c.kind == "equation" and c.number],
            [(c.number, c.id) for c in components if c.kind == "heading" and c.number],
        ),
    )


def with_mended_captions(tables: Sequence[Table], paper: PaperPrint) -> list[Table]:
    """Return the tables with their captions as running text: words that line ends cut are whole, what is raised is so."""
    pages = {page.page_num: page for page in paper.pages}
    vocabulary = vocabulary_of(paper)

    def mended(caption: Caption | None) -> Caption | None:
        if caption is None or caption.page_num is None or caption.bbox is None or caption.page_num not in pages:
            return caption
        page = pages[caption.page_num]
        width, height = page.displayed_size
        found = caption_at(page, upright(caption.bbox, page.angle, width, height))
        return caption if found is None else replace(caption, text=_caption_text(found, page, vocabulary, caption.text))

    return [
        replace(
            table,
            caption=mended(table.caption),
            parts=tuple(replace(part, caption=mended(part.caption)) for part in table.parts),
        )
        for table in tables
    ]


def _caption_text(caption: PrintCaption, page: PagePrint, vocabulary: Vocabulary, otherwise: str) -> str:
    """Return the text of a caption's lines joined; where that has other letters than the caption, the caption's own text."""
    text = join_lines([page.lines[i] for i in caption.lines], vocabulary)
    return text if _letters(text) == _letters(otherwise) else otherwise


def _letters(text: str) -> str:
    return "".join(sorted(c for c in unicodedata.normalize("NFKC", text) if c.isalnum()))


def _page_labels(reading: PaperReading) -> dict[int, str]:
    """Return the page numbers as printed, by the number of the page from 1."""
    return {
        piece.lines[0].page_index + 1: piece.text.strip("-–—|•()[] ")
        for piece in reading.pieces
        if piece.kind == "furniture" and piece.note.startswith("page number:")
    }


def _title(component: TextComponent) -> str:
    """Return the text of a component without the number in front of a heading."""
    if component.kind == "heading" and component.number and component.text.startswith(component.number):
        return component.text[len(component.number) :].lstrip(" .:)")
    return component.text


@dataclass(slots=True)
class _Composer:
    paper: PaperPrint
    reading: PaperReading
    tables: Sequence[Table]
    _pages: dict[int, PagePrint] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _counts: Counter[str] = field(default_factory=Counter)
    _written: set[Caption] = field(default_factory=set)
    _vocabulary: Vocabulary = field(init=False)
    _figure_ids: list[str] = field(default_factory=list)
    _heading_ids: dict[int, str] = field(default_factory=dict)
    _lines: dict[str, tuple[PrintLine, ...]] = field(default_factory=dict)  # of the text of each component

    def __post_init__(self) -> None:
        self._pages = {page.page_index: page for page in self.paper.pages}
        self._vocabulary = vocabulary_of(self.paper)
        self._taken = {table.id for table in self.tables}
        for figure in self.reading.figures:
            number = figure.caption.number if figure.caption is not None else None
            self._figure_ids.append(self._new_id("figure", number))

    def _new_id(self, kind: ComponentKind, number: str | None, text: str = "") -> str:
        self._counts[kind] += 1
        made = make_component_id(kind, number, self._counts[kind], text=text, taken=self._taken)
        self._taken.add(made)
        return made

    def _unique(self, name: str) -> str:
        if name in self._taken:
            raise ValueError(f"the float {name} stands twice in the text")
        self._taken.add(name)
        return name

    def components(self) -> tuple[TextComponent, ...]:
        return tuple(component for piece in self.reading.pieces for component in self._of_piece(piece))

    def _of_piece(self, piece: Piece) -> Iterator[TextComponent]:
        if piece.table is not None:
            yield from self._table(self.tables[piece.table])
        elif piece.figure is not None:
            yield from self._figure(piece.figure)
        else:
            yield self._text(piece)

    def _table(self, table: Table) -> Iterator[TextComponent]:
        yield TextComponent(
            id=self._unique(f"at-{table.id}"),
            kind="table",
            text="",
            provenance=replace(table.provenance, confidence=None),
            number=table.number,
            target=table.id,
        )
        if table.caption is not None and table.caption not in self._written:  # several tables may share one
            self._written.add(table.caption)
            yield self._caption(table.caption, table.id)

    def _figure(self, index: int) -> Iterator[TextComponent]:
        found, name = self.reading.figures[index], self._figure_ids[index]
        place = self._provenance("figures", found.page_index, found.box)
        number = found.caption.number if found.caption is not None else None
        marker = self._unique(f"at-{name}")
        yield TextComponent(id=marker, kind="figure", text="", provenance=place, number=number, target=name)
        if found.caption is not None:
            yield self._caption(self._as_caption(found.caption, found.page_index), name)

    def _caption(self, caption: Caption, target: str) -> TextComponent:
        self._lines[f"cap-{target}"] = self._caption_lines(caption)
        place = Provenance(source="pdf", method="captions", page_num=caption.page_num, bbox=caption.bbox)
        return TextComponent(
            id=self._unique(f"cap-{target}"),
            kind="caption",
            text=caption.text,
            provenance=place,
            number=caption.number,
            target=target,
        )

    def _text(self, piece: Piece) -> TextComponent:
        places = tuple(self._places(piece))
        first = places[0]
        method = "ocr" if self._pages[piece.lines[0].page_index].ocr else _METHODS.get(piece.kind, "paragraphs")
        number = piece.number
        name = self._new_id(piece.kind, None if piece.kind == "list_item" else number, piece.text)
        self._lines[name] = piece.lines
        if piece.decision is not None:
            self._heading_ids[id(piece.decision)] = name
        return TextComponent(
            id=name,
            kind=piece.kind,
            text=piece.text,
            provenance=Provenance(source="pdf", method=method, page_num=first.page_num, bbox=first.bbox),
            level=piece.level,
            number=number,
            places=places if len(places) > 1 else (),
            note=piece.note,
        )

    def _places(self, piece: Piece) -> Iterator[Place]:
        """Yield the boxes of a piece: one for each column of a page in which it stands."""
        if piece.box is not None and piece.page_index is not None:
            yield self._place(piece.page_index, piece.box)
            return
        group = [piece.lines[0]]
        for above, line in pairwise(piece.lines):
            if line.page_index != above.page_index or _in_other_column(above, line):
                yield self._place(group[0].page_index, Box.around(x.box for x in group))
                group = []
            group.append(line)
        yield self._place(group[0].page_index, Box.around(x.box for x in group))

    def _place(self, page_index: int, box: Box) -> Place:
        return Place(page_num=page_index + 1, bbox=self._displayed(page_index, box))

    def _displayed(self, page_index: int, box: Box) -> Box:
        page = self._pages[page_index]
        width, height = page.displayed_size
        return displayed(box, page.angle, width, height)

    def _provenance(self, method: str, page_index: int, box: Box) -> Provenance:
        return Provenance(source="pdf", method=method, page_num=page_index + 1, bbox=self._displayed(page_index, box))

    def _as_caption(self, caption: PrintCaption, page_index: int) -> Caption:
        return Caption(
            text=_caption_text(caption, self._pages[page_index], self._vocabulary, caption.text),
            label=caption.label,
            number=caption.number or None,
            page_num=page_index + 1,
            bbox=self._displayed(page_index, caption.box),
        )

    def _caption_lines(self, caption: Caption) -> tuple[PrintLine, ...]:
        page = None if caption.page_num is None else self._pages.get(caption.page_num - 1)
        if page is None or caption.bbox is None:
            return ()
        found = caption_at(page, upright(caption.bbox, page.angle, *page.displayed_size))
        return () if found is None else tuple(page.lines[i] for i in found.lines)

    def formulas(self, components: Sequence[TextComponent], citations: Sequence[Citation]) -> Iterator[InlineEquation]:
        """Yield the formulas in the texts of the components, none of which reaches into a citation."""
        cited: dict[str, list[tuple[int, int]]] = {}
        for citation in citations:
            cited.setdefault(citation.component, []).append((citation.start, citation.end))
        for component in components:
            if component.kind in _WITH_FORMULAS:
                spans = formulas_in_text(self._lines.get(component.id, ()), component.text)
                for start, end in cut_at(spans, component.text, cited.get(component.id, ())):
                    yield InlineEquation(component=component.id, start=start, end=end, text=component.text[start:end])

    def figures(self) -> tuple[Figure, ...]:
        return tuple(self._as_figure(found, name) for found, name in zip(self.reading.figures, self._figure_ids, strict=True))

    def _as_figure(self, found: FoundFigure, name: str) -> Figure:
        lines = self._pages[found.page_index].lines
        return Figure(
            id=name,
            provenance=self._provenance("figures", found.page_index, found.box),
            kind=found.kind,
            number=found.caption.number or None if found.caption is not None else None,
            caption=None if found.caption is None else self._as_caption(found.caption, found.page_index),
            panels=tuple(FigurePanel(label=label, bbox=self._displayed(found.page_index, box)) for label, box in found.panels),
            is_data_table=found.is_data_table,
            text=" ".join(lines[index].text for _, index in found.lines),
        )

    def decisions(self) -> tuple[HeadingDecision, ...]:
        """Return the decisions on headings, each with the id of its heading; to be asked after the components."""
        return tuple(replace(d, component=self._heading_ids.get(id(d))) for d in self.reading.decisions)


def _in_other_column(above: PrintLine, line: PrintLine) -> bool:
    return line.box.y1 < above.box.y0 or (line.box.x_interval.overlap(above.box.x_interval) <= 0 and line.box.y0 < above.box.y0)
