"""The fused document: the winner's components in the order of the paper, completed with what they borrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from variorum.document import (
    BibliographyEntry,
    Caption,
    Citation,
    Figure,
    InlineEquation,
    Provenance,
    Table,
    TextComponent,
)
from variorum.document.keys import make_table_id
from variorum.fusion.borrowing import complete_entry, complete_figure, complete_table, complete_text
from variorum.fusion.evidence import PaperEvidence
from variorum.fusion.inline_setting import CitationMark, Contest, Outcome, SetText, renumbered, set_inline
from variorum.fusion.kinds import of_kind
from variorum.fusion.lenders import Lenders
from variorum.fusion.model import Borrowed, Candidate, Position, Reading, SourceKind
from variorum.sources.gathering import Gatherer

METHOD = "fusion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """What became of the positions: for each its ids in the fused document, what was borrowed, a remark for the reason."""

    ids: Mapping[str, tuple[str, ...]]
    borrowed: Mapping[str, tuple[Borrowed, ...]]
    remarks: Mapping[str, str]
    citations: tuple[Citation, ...]
    equations: tuple[InlineEquation, ...]
    items: Mapping[str, int]
    """The index of the mark of an inline position in the citations or equations."""
    names: Mapping[tuple[SourceKind, str], str]
    """The fused id of a component of a source, whether it won or lost."""


@dataclass(slots=True)
class Composer:
    """Makes the components of the fused document, position by position, in the gatherer."""

    paper: PaperEvidence
    gatherer: Gatherer
    inline: Mapping[str, Sequence[Contest]]
    _ids: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _borrowed: dict[str, tuple[Borrowed, ...]] = field(default_factory=dict)
    _remarks: dict[str, str] = field(default_factory=dict)
    _names: dict[tuple[SourceKind, str], str] = field(default_factory=dict)
    _set: list[tuple[str, SetText]] = field(default_factory=list)
    _captioned: dict[tuple[SourceKind, Caption], Caption] = field(default_factory=dict)
    """The fused caption that stands for one of a source."""

    def add(self, position: Position, candidates: Sequence[Candidate]) -> None:
        """Take the winner of a position into the document."""
        lenders = Lenders(position, candidates, self.paper)
        winner = lenders.readings[0]
        self.gatherer.source = winner.source
        texts = [c for c in lenders.texts(winner) if c.kind not in ("table", "figure")]
        made, borrowed = self._texts(position, texts, candidates, lenders)
        floats = lenders.floats(winner)
        for item in floats:
            alike = [f.id for f in floats if type(f) is type(item)]
            name, found = self._float(position, item, alike.index(item.id), len(alike), candidates, lenders)
            made.append(name)
            borrowed += found
        self._ids[position.id] = tuple(made)
        self._borrowed[position.id] = tuple(borrowed)
        self._name_all(position, made)

    def composed(self) -> Composed:
        """Return what became of all positions, with the marks that stand in the texts."""
        citations: list[Citation] = []
        equations: list[InlineEquation] = []
        items: dict[str, int] = {}
        for name, done in self._set:
            for c in done.citations:
                citation = self._citation(name, done.text[c.start : c.end], c)
                if c.position is not None:
                    items[c.position] = len(citations)
                    if c.own is not None and self._led(done.source, c.own) == citation.targets:
                        self._borrowed[c.position] = ()  # both lead to the same entries: nothing was lacking
                citations.append(citation)
            for e in done.equations:
                if e.position is not None:
                    items[e.position] = len(equations)
                text = done.text[e.start : e.end]
                equations.append(InlineEquation(component=name, start=e.start, end=e.end, text=text, tex=e.tex))
        return Composed(
            ids=self._ids,
            borrowed=self._borrowed,
            remarks=self._remarks,
            citations=tuple(citations),
            equations=tuple(equations),
            items=items,
            names=self._names,
        )

    def _citation(self, name: str, text: str, mark: CitationMark) -> Citation:
        """Return a citation of the fused document: what its lender calls the entries leads to the fused ones."""
        targets = self._led(mark.lender, mark.targets)
        return Citation(component=name, start=mark.start, end=mark.end, text=text, style=mark.style, targets=targets)

    def _led(self, source: SourceKind, targets: Sequence[str]) -> tuple[str, ...]:
        """Return the fused entries of what a source calls its entries."""
        known = [(source, target) for target in targets]
        return tuple(dict.fromkeys(self._names[k] for k in known if k in self._names))

    # ---- texts -------------------------------------------------------------------------------------------------------

    def _texts(
        self, position: Position, texts: Sequence[TextComponent], candidates: Sequence[Candidate], lenders: Lenders
    ) -> tuple[list[str], list[Borrowed]]:
        if not texts:
            return [], []
        done = self._set_inline(position, texts, lenders.winner)
        made: list[str] = []
        borrowed: list[Borrowed] = []
        for index, (component, set_text) in enumerate(zip(texts, done.texts, strict=True)):
            own = of_kind(replace(component, text=set_text.text), position, len(texts), lenders)
            whole, found = complete_text(own, index, len(texts), lenders)
            borrowed += found
            name = self._text(whole, candidates[0])
            marked = renumbered(set_text, whole.text)
            if marked is not None:
                self._set.append((name, marked))
            made.append(name)
            if component.kind == "bibliography_entry":
                borrowed += self._entry(component, name, index, len(texts), lenders)
        done.settle(made, self)
        return made, borrowed

    def _text(self, component: TextComponent, winner: Candidate) -> str:
        """Return the id of a new component of the fused document."""
        name = self.gatherer.text(
            component.kind,
            component.text,
            component.provenance.method,
            number=component.number,
            level=component.level,
            note=component.note,
            tex=component.tex,
        )
        own = self.gatherer.components[-1]
        placed = replace(own, provenance=_won(component.provenance, winner), places=component.places)
        self.gatherer.components[-1] = placed
        return name

    def _entry(self, component: TextComponent, name: str, index: int, count: int, lenders: Lenders) -> list[Borrowed]:
        known = self.paper.indexes[lenders.winner].entries.get(component.id, BibliographyEntry(id=component.id))
        entry, borrowed = complete_entry(known, index, count, lenders)
        self.gatherer.entries.append(replace(entry, id=name))
        return borrowed

    # ---- floats ------------------------------------------------------------------------------------------------------

    def _float(
        self,
        position: Position,
        item: Table | Figure,
        index: int,
        count: int,
        candidates: Sequence[Candidate],
        lenders: Lenders,
    ) -> tuple[str, list[Borrowed]]:
        """Return the id of a new table or figure of the fused document, and what it borrowed."""
        winner, own = candidates[0], item.caption
        captions = self._captions(item, lenders.readings[0])
        done = self._set_inline(position, captions, lenders.winner)
        if captions and item.caption is not None:
            item = replace(item, caption=replace(item.caption, text=done.texts[0].text))
        if isinstance(item, Table):
            whole, borrowed = self._with_shared_caption(*complete_table(item, index, count, lenders), own, lenders)
            whole = replace(whole, provenance=_won(whole.provenance, winner))
            name = self.gatherer.table(whole, whole.provenance.method)
            self.gatherer.tables[-1] = self._with_own_parts(self.gatherer.tables[-1])
        else:
            figure, borrowed = complete_figure(item, index, count, lenders)
            figure = replace(figure, provenance=_won(figure.provenance, winner))
            name = self.gatherer.figure(figure, figure.provenance.method)
        made = [f"cap-{name}"] if self.gatherer.components[-1].id == f"cap-{name}" else []
        if made and captions:
            self._set.append((made[0], done.texts[0]))
        done.settle(made or [name], self)
        return name, borrowed

    def _with_shared_caption(
        self, table: Table, borrowed: list[Borrowed], own: Caption | None, lenders: Lenders
    ) -> tuple[Table, list[Borrowed]]:
        """Return a table with the caption of an earlier one where its source has one caption for both, as panels do; `own` is
        what the winner's source has."""
        shared = None if own is None else self._captioned.get((lenders.winner, own))
        if shared is not None:
            table = replace(table, caption=shared)
            borrowed = [b for b in borrowed if b.attribute != "caption_place"]
        if table.caption is not None:
            for reading in lenders.readings:
                for caption in (item.caption for item in lenders.floats(reading)):
                    if caption is not None:
                        self._captioned.setdefault((reading.source, caption), table.caption)
        return table, borrowed

    def _captions(self, item: Table | Figure, reading: Reading) -> list[TextComponent]:
        """Return the component of the source that holds a float's caption, where there is one with its text."""
        index = self.paper.indexes[reading.source]
        found = [index.components[name] for name in index.captions.get(item.id, ())]
        return [c for c in found if item.caption is not None and c.text == item.caption.text][:1]

    def _with_own_parts(self, table: Table) -> Table:
        """Return a table whose parts are named after it."""
        parts = []
        taken = {table.id, *(part.id for other in self.gatherer.tables for part in other.parts[1:])}
        for i, part in enumerate(table.parts):
            name = table.id if not i else make_table_id(self.gatherer.key, table.number, part.page_num, i, taken=taken)
            taken.add(name)
            parts.append(replace(part, id=name))
        return replace(table, parts=tuple(parts))

    # ---- marks -------------------------------------------------------------------------------------------------------

    def _set_inline(self, position: Position, texts: Sequence[TextComponent], source: SourceKind) -> _Set:
        contests = self.inline.get(position.id, ()) if texts else ()
        done, outcomes = set_inline(texts, source, contests, self.paper)
        return _Set(done, outcomes)

    def note_inline(self, outcome: Outcome, name: str) -> None:
        """Take what became of an inline position that stands in the fused component of this id."""
        self._ids[outcome.position] = (name,)
        self._borrowed[outcome.position] = outcome.borrowed
        self._remarks[outcome.position] = outcome.remark

    def _name_all(self, position: Position, made: Sequence[str]) -> None:
        """Take note which fused component stands for each component of every reading of a position."""
        if not made:
            return
        for reading in position.readings:
            index = self.paper.indexes[reading.source]
            own = [*(c.id for c in index.texts_of(reading)), *(f.id for f in index.floats_of(reading))]
            for i, name in enumerate(own):
                self._names.setdefault((reading.source, name), made[i] if len(own) == len(made) else made[0])


@dataclass(frozen=True, slots=True)
class _Set:
    """Texts with their marks set in, and what became of each inline position."""

    texts: Sequence[SetText]
    outcomes: Sequence[Outcome]

    def settle(self, made: Sequence[str], composer: Composer) -> None:
        for outcome in self.outcomes:
            composer.note_inline(outcome, made[min(outcome.text, len(made) - 1)])


def _won(provenance: Provenance, winner: Candidate) -> Provenance:
    """Return the provenance of what won: its source, that it was fused and how its source read it, the score as confidence."""
    method = f"{METHOD}:{provenance.method}"
    return replace(provenance, source=winner.source, method=method, confidence=winner.score)
