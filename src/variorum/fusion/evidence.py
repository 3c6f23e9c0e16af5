"""What a source has at a position: components, tables, figures and marks of a reading, looked up by their ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from variorum.document import BibliographyEntry, Caption, Citation, Document, Figure, InlineEquation, Table, TextComponent
from variorum.fusion.levels import LevelScale, level_scale
from variorum.fusion.model import Alignment, Position, Reading, Source, SourceKind
from variorum.fusion.ordering import Orders, compare_orders
from variorum.fusion.pieces import words_of

_MARKERS: Final = ("table", "figure")
_RUNNING: Final = ("heading", "paragraph", "list_item", "footnote")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceIndex:
    """The document of one source: its parts by id, citations and equations by their text, captions by their float."""

    source: Source
    components: Mapping[str, TextComponent]
    tables: Mapping[str, Table]
    figures: Mapping[str, Figure]
    entries: Mapping[str, BibliographyEntry]
    citations: Mapping[str, Sequence[Citation]]
    equations: Mapping[str, Sequence[InlineEquation]]
    captions: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, source: Source) -> SourceIndex:
        """Return the index of a source."""
        document = source.document
        citations: dict[str, list[Citation]] = {}
        equations: dict[str, list[InlineEquation]] = {}
        for citation in document.citations:
            citations.setdefault(citation.component, []).append(citation)
        captions: dict[str, list[str]] = {}
        for component in document.components:
            if component.kind == "caption" and component.target is not None:
                captions.setdefault(component.target, []).append(component.id)
        for equation in document.inline_equations:
            equations.setdefault(equation.component, []).append(equation)
        return cls(
            source=source,
            components={c.id: c for c in document.components},
            tables={t.id: t for t in document.tables},
            figures={f.id: f for f in document.figures},
            entries={e.id: e for e in document.bibliography},
            citations=citations,
            equations=equations,
            captions=captions,
        )

    @property
    def document(self) -> Document:
        """The document that was read from the source."""
        return self.source.document

    def texts_of(self, reading: Reading) -> tuple[TextComponent, ...]:
        """Return the text components of a reading, in order; markers of floats and captions that a float carries are none."""
        found = [self.components[name] for name in reading.components if name in self.components]
        return tuple(c for c in found if c.kind not in _MARKERS and not (c.kind == "caption" and c.target is not None))

    def floats_of(self, reading: Reading) -> tuple[Table | Figure, ...]:
        """Return the tables and figures of a reading, in order, each once: those named, or whose marker or caption is."""
        names: dict[str, None] = {}
        for name in reading.components:
            component = self.components.get(name)
            target = name if component is None else component.target
            if target is not None:
                names[target] = None
        found = [self.tables.get(name) or self.figures.get(name) for name in names]
        return tuple(item for item in found if item is not None)

    def tables_of(self, reading: Reading) -> tuple[Table, ...]:
        """Return the tables of a reading, in order."""
        return tuple(item for item in self.floats_of(reading) if isinstance(item, Table))

    def captions_of(self, reading: Reading) -> tuple[Caption, ...]:
        """Return the captions of a reading's tables and figures, each once, in order."""
        return tuple(dict.fromkeys(item.caption for item in self.floats_of(reading) if item.caption is not None))

    def citations_in(self, component: str) -> Sequence[Citation]:
        """Return the citations that stand in the text of a component, in order."""
        return self.citations.get(component, ())

    def equations_in(self, component: str) -> Sequence[InlineEquation]:
        """Return the inline equations that stand in the text of a component, in order."""
        return self.equations.get(component, ())

    def citation_of(self, reading: Reading) -> Citation:
        """Return the citation that an inline reading names."""
        return self.document.citations[reading.item or 0]

    def equation_of(self, reading: Reading) -> InlineEquation:
        """Return the inline equation that an inline reading names."""
        return self.document.inline_equations[reading.item or 0]

    def has_section_of(self, text: str) -> bool:
        """Return whether a heading and the whole texts that follow it have just these words."""
        wanted = "".join(words_of(text))
        flow = [c for c in self.components.values() if c.kind in _RUNNING]
        for i, heading in enumerate(flow):
            found, at = "", i
            while heading.kind == "heading" and at < len(flow) and len(found) < len(wanted) and wanted.startswith(found):
                found += "".join(words_of(flow[at].text))
                at += 1
            if found == wanted and at > i + 1:
                return True
        return False

    def said(self, position: Position, reading: Reading) -> str:
        """Return what a reading says, as text: its words, the caption of a float, the TeX of an equation without text."""
        if position.type == "citation":
            return self.citation_of(reading).text
        if position.type == "equation_inline":
            equation = self.equation_of(reading)
            return equation.text or equation.tex or ""
        words = [c.text or c.tex or "" for c in self.texts_of(reading)]
        return "\n".join(filter(None, [*words, *(caption.text for caption in self.captions_of(reading))]))


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperEvidence:
    """All sources of a paper, the order in which each has the text, how each calls the levels of headings, and the folded words
    of their running text."""

    indexes: Mapping[SourceKind, SourceIndex]
    orders: Orders
    levels: LevelScale
    words: frozenset[str]

    @classmethod
    def of(cls, sources: Sequence[Source], alignment: Alignment) -> PaperEvidence:
        """Return the evidence of aligned sources."""
        texts = [c.text for s in sources for c in s.document.components if c.kind in _RUNNING]
        heads = [(s.kind, c) for s in sources for c in s.document.components if c.kind == "heading"]
        levels = {(kind, c.id): c.level for kind, c in heads if c.level is not None}
        return cls(
            indexes={source.kind: SourceIndex.of(source) for source in sources},
            orders=compare_orders(sources, alignment),
            levels=level_scale(levels, alignment),
            words=frozenset(word for text in texts for word in words_of(text)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One reading and all that can be asked about it: its position, the other readings there, and the paper."""

    position: Position
    reading: Reading
    paper: PaperEvidence

    @property
    def index(self) -> SourceIndex:
        """The source of the reading."""
        return self.paper.indexes[self.reading.source]

    def others(self) -> Sequence[tuple[SourceIndex, Reading]]:
        """Return the other readings of the position with their sources, in the order of `SOURCES`."""
        return [(self.paper.indexes[r.source], r) for r in self.position.readings if r.source != self.reading.source]
