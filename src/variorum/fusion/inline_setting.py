"""What stands inside a text, citations and inline equations, once the text of one source has won and others know them better.

The text of the winner is kept. Where another source's reading of an inline item wins, it is set into that text at the place
that the words before and behind it show; where these words differ, the text keeps its own and the decision says so. Of a
citation only what it leads to is taken from another source, its mark stays as the text prints it, unless it leads nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from variorum.document import Citation, InlineEquation, TextComponent
from variorum.fusion.evidence import PaperEvidence, SourceIndex
from variorum.fusion.model import Borrowed, Candidate, Position, Reading, SourceKind
from variorum.fusion.ordering import FROM_TEX
from variorum.fusion.signals.differences import word_key
from variorum.fusion.text_places import around, place_between, says_more, stripped, without_spaces

Contest = tuple[Position, Sequence[Candidate]]
"""A position with its candidates, the winner first."""
_KEPT: Final = "the words around it differ, so the text keeps its own"


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationMark:
    """A citation in a fused text: its characters, style, the entries that it leads to by the names that `lender` has, and the
    inline position that it is."""

    start: int
    end: int
    style: Literal["numeric", "superscript", "author-year"]
    lender: SourceKind
    targets: tuple[str, ...]
    position: str | None = None
    own: tuple[str, ...] | None = None
    """What the text's own source has it lead to, where another one lends the targets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EquationMark:
    """An inline equation in a fused text: its characters, its TeX where a source has it, the inline position that it is."""

    start: int
    end: int
    tex: str | None
    position: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of an inline position: the index of the text it stands in, what was borrowed, and why something was not."""

    position: str
    text: int
    borrowed: tuple[Borrowed, ...] = ()
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetText:
    """A text with its marks, after everything was set in, and the source that the text is from."""

    source: SourceKind
    text: str
    citations: tuple[CitationMark, ...]
    equations: tuple[EquationMark, ...]


@dataclass(slots=True)
class _Item:
    """A mark in the text while it is worked on: its characters, what replaces them, and what it is."""

    start: int
    end: int
    new: str | None
    citation: CitationMark | None = None
    equation: EquationMark | None = None
    offset: int = 0
    """Where the mark begins in what replaces the characters."""
    position: str | None = None


@dataclass(slots=True)
class _Work:
    component: TextComponent
    items: list[_Item] = field(default_factory=list)

    def is_free(self, start: int, end: int) -> bool:
        """Return whether no mark stands in these characters."""
        return all(end <= item.start or item.end <= start for item in self.items)


def set_inline(
    components: Sequence[TextComponent],
    source: SourceKind,
    inline: Sequence[Contest],
    paper: PaperEvidence,
) -> tuple[list[SetText], list[Outcome]]:
    """Return the texts of the winner's components with all marks in them, and what became of each inline position.

    `inline` are the positions that stand in these texts, each with its candidates, the winner first.
    """
    works = [_with_own_marks(component, source, paper.indexes[source]) for component in components]
    outcomes = [_settled(works, source, position, candidates, paper) for position, candidates in inline]
    return [_applied(work, source) for work in works], outcomes


def _with_own_marks(component: TextComponent, source: SourceKind, index: SourceIndex) -> _Work:
    work = _Work(component)
    for citation in index.citations_in(component.id):
        work.items.append(_Item(citation.start, citation.end, None, citation=_citation_mark(citation, source)))
    for equation in index.equations_in(component.id):
        mark = EquationMark(start=equation.start, end=equation.end, tex=equation.tex)
        work.items.append(_Item(equation.start, equation.end, None, equation=mark))
    return work


def _citation_mark(citation: Citation, lender: SourceKind) -> CitationMark:
    return CitationMark(start=citation.start, end=citation.end, style=citation.style, lender=lender, targets=citation.targets)


def _settled(
    works: Sequence[_Work], source: SourceKind, position: Position, candidates: Sequence[Candidate], paper: PaperEvidence
) -> Outcome:
    """Return what became of an inline position; the works hold its mark afterwards, where it has a place."""
    readings = {reading.source: reading for reading in position.readings}
    winner = candidates[0].source
    index = paper.indexes[winner]
    own = readings.get(source)
    at, item = (0, None) if own is None else _own_item(works, position, own, paper.indexes[source])
    if item is not None:
        item.position = position.id
    if winner == source:
        return Outcome(position=position.id, text=at)
    if position.type == "citation":
        citation = index.citation_of(readings[winner])
        if item is None:
            return _found_citation(works, position, citation, winner, index)
        return _retargeted(at, item, position, citation, winner)
    equation = index.equation_of(readings[winner])
    if item is None:
        return _placed_equation(works, position, equation, winner, index)
    return _replaced(at, item, position, equation, winner)


def _own_item(works: Sequence[_Work], position: Position, own: Reading, index: SourceIndex) -> tuple[int, _Item | None]:
    """Return the mark of an inline reading of the text's own source, and the index of the text that it stands in."""
    is_citation = position.type == "citation"
    mark: Citation | InlineEquation = index.citation_of(own) if is_citation else index.equation_of(own)
    for at, work in enumerate(works):
        if work.component.id == mark.component:
            same = [i for i in work.items if (i.start, i.end) == (mark.start, mark.end)]
            return at, next((i for i in same if (i.citation is not None) == is_citation), None)
    return 0, None


def _retargeted(at: int, item: _Item, position: Position, other: Citation, lender: SourceKind) -> Outcome:
    """Let the winner of a citation say where it leads; its mark stays as the text prints it.

    But where a text made from the TeX has a citation that leads nowhere, its mark is a bare key or a question mark, and the
    winner's is set in its place.
    """
    own = item.citation
    if own is None or not other.targets:
        return Outcome(position=position.id, text=at, remark="it leads nowhere, so the text keeps its own")
    item.citation = replace(own, lender=lender, targets=other.targets, own=own.targets)
    value = ", ".join(other.targets)
    lent = [Borrowed(attribute="targets", source=lender, components=(other.component,), value=value)]
    if own.lender in FROM_TEX and not own.targets:
        item.new = other.text
        item.citation = replace(item.citation, start=0, end=len(other.text), style=other.style)
        lent.append(Borrowed(attribute="inline", source=lender, components=(other.component,), value=other.text))
    return Outcome(position=position.id, text=at, borrowed=tuple(lent))


def _replaced(at: int, item: _Item, position: Position, other: InlineEquation, lender: SourceKind) -> Outcome:
    """Set the winner's equation in place of the one that the text has."""
    if not other.text.strip():
        return Outcome(position=position.id, text=at, remark="it has no text, so the text keeps its own")
    item.new = other.text
    item.equation = EquationMark(start=0, end=len(other.text), tex=other.tex)
    return Outcome(position=position.id, text=at, borrowed=(_inline(other, lender),))


def _found_citation(
    works: Sequence[_Work], position: Position, citation: Citation, lender: SourceKind, index: SourceIndex
) -> Outcome:
    """Mark the citation in a text that has its words without knowing that they cite."""
    theirs = index.components[citation.component].text
    for at, work in enumerate(works):
        place = place_between(theirs, citation.start, citation.end, work.component.text)
        if place is None:
            continue
        start, end = stripped(work.component.text, *place)
        if start < end and word_key(work.component.text[start:end]) == word_key(citation.text) and work.is_free(start, end):
            mark = replace(_citation_mark(citation, lender), start=start, end=end)
            work.items.append(_Item(start, end, None, citation=mark, position=position.id))
            value = ", ".join(citation.targets)
            lent = Borrowed(attribute="targets", source=lender, components=(citation.component,), value=value)
            return Outcome(position=position.id, text=at, borrowed=(lent,))
    return Outcome(position=position.id, text=0, remark="the text has no such mark where the words around it stand")


def _placed_equation(
    works: Sequence[_Work], position: Position, equation: InlineEquation, lender: SourceKind, index: SourceIndex
) -> Outcome:
    """Set an equation into a text that does not know it as one, between the words that stand around it in its own text."""
    theirs = index.components[equation.component].text
    if not equation.text.strip():
        return Outcome(position=position.id, text=0, remark="it has no text, so the text keeps its own")
    for at, work in enumerate(works):
        place = place_between(theirs, equation.start, equation.end, work.component.text)
        if place is None:
            continue
        before, behind = without_spaces(theirs, around(theirs, equation.start, equation.end))
        place = without_spaces(work.component.text, place)
        others = [(e.start, e.end) for e in index.equations_in(equation.component) if e != equation]
        others += [(c.start, c.end) for c in index.citations_in(equation.component)]
        is_alone = all(end <= before or start >= behind for start, end in others)
        if is_alone and work.is_free(*place) and not says_more(work.component.text[slice(*place)], theirs[before:behind]):
            new = theirs[before:behind]
            offset = equation.start - before
            mark = EquationMark(start=0, end=len(equation.text), tex=equation.tex)
            work.items.append(_Item(*place, new, equation=mark, offset=offset, position=position.id))
            return Outcome(position=position.id, text=at, borrowed=(_inline(equation, lender),))
    return Outcome(position=position.id, text=0, remark=_KEPT)


def _inline(equation: InlineEquation, lender: SourceKind) -> Borrowed:
    value = equation.text if equation.tex is None else f"{equation.text} ({equation.tex})"
    return Borrowed(attribute="inline", source=lender, components=(equation.component,), value=value)


# ---- putting it together ---------------------------------------------------------------------------------------------


def _applied(work: _Work, source: SourceKind) -> SetText:
    """Return the text with all replacements made, and its marks where they stand then."""
    citations: list[CitationMark] = []
    equations: list[EquationMark] = []
    parts: list[str] = []
    done = length = 0
    for item in _in_order(work.items):
        kept = work.component.text[done : item.start]
        own = work.component.text[item.start : item.end] if item.new is None else item.new
        parts += [kept, own]
        start = length + len(kept) + item.offset
        length += len(kept) + len(own)
        done = item.end
        if item.citation is not None:
            mark = item.citation
            citations.append(replace(mark, start=start, end=start + mark.end - mark.start, position=item.position))
        if item.equation is not None:
            size = item.equation.end - item.equation.start
            equations.append(replace(item.equation, start=start, end=start + size, position=item.position))
    parts.append(work.component.text[done:])
    return SetText(source=source, text="".join(parts), citations=tuple(citations), equations=tuple(equations))


def _in_order(items: Iterable[_Item]) -> list[_Item]:
    """Return the items in order, without those that begin inside another one."""
    found: list[_Item] = []
    for item in sorted(items, key=lambda i: (i.start, i.end)):
        if not found or item.start >= found[-1].end:
            found.append(item)
    return found


def renumbered(done: SetText, text: str) -> SetText | None:
    """Return a text with its marks after another number was set in front of it; None where the rest is not the same."""
    kept = next((i for i, (a, b) in enumerate(zip(done.text[::-1], text[::-1], strict=False)) if a != b), None)
    same = min(len(done.text), len(text)) if kept is None else kept
    by = len(text) - len(done.text)
    starts = [*(c.start for c in done.citations), *(e.start for e in done.equations)]
    if any(start < len(done.text) - same for start in starts):
        return None
    return replace(
        done,
        text=text,
        citations=tuple(replace(c, start=c.start + by, end=c.end + by) for c in done.citations),
        equations=tuple(replace(e, start=e.start + by, end=e.end + by) for e in done.equations),
    )


def by_parent(inline: Iterable[Contest]) -> Mapping[str, list[Contest]]:
    """Return the inline positions by the id of the position in whose text they stand."""
    found: dict[str, list[Contest]] = {}
    for position, candidates in inline:
        found.setdefault(position.parent or "", []).append((position, candidates))
    return found
