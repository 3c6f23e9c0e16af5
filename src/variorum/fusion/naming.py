"""What the texts of a fused paper name: each text is read with the numbers of the source that it comes from.

Sources number the same float or heading otherwise: the TeX counts a figure of the appendix as 9, the pages print A.9. The fused
figure has the printed number, and a sentence from the TeX that names Figure 9 leads to it all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from variorum.document import Document, Mention, TextComponent
from variorum.fusion.model import Source, SourceKind
from variorum.layout.mentions import Numbered, find_mentions

_NAMING: Final = ("paragraph", "list_item", "footnote", "caption", "heading")
Names = Mapping[tuple[SourceKind, str], str]
"""The fused id of a component of a source."""


def mentions_by_source(document: Document, sources: Sequence[Source], names: Names) -> tuple[Mention, ...]:
    """Return the mentions in the texts of a fused document, in order of text.

    A number means what the source of the text calls by it; where that source has nothing of this number, what has it in the
    fused document. A section is also known by the number that another source gives it: ``II-C`` where the pages print ``C``.
    """
    fused = _numbered(document)
    own_names = {s.kind: _translated(_numbered(s.document), s.kind, names, fused) for s in sources}
    sections = [entry for numbered in own_names.values() for entry in numbered[-1]]
    known = {kind: _joined(own, fused, sections) for kind, own in own_names.items()}
    texts: dict[SourceKind | None, list[TextComponent]] = {}
    for component in document.components:
        if component.kind in _NAMING:
            texts.setdefault(_source_of(component, sources), []).append(component)
    found: dict[str, list[Mention]] = {}
    for kind, components in texts.items():
        for mention in find_mentions([(c.id, c.text) for c in components], *(fused if kind is None else known[kind])):
            found.setdefault(mention.component, []).append(mention)
    return tuple(mention for component in document.components for mention in found.get(component.id, ()))


def _source_of(component: TextComponent, sources: Sequence[Source]) -> SourceKind | None:
    return next((s.kind for s in sources if s.kind == component.provenance.source), None)


def _numbered(document: Document) -> list[Numbered]:
    """Return what can be named, as (number, id): tables, figures, equations and headings."""

    def of_kind(kind: str) -> Numbered:
        return [(c.number, c.id) for c in document.components if c.kind == kind]

    tables = [(t.number, t.id) for t in document.tables]
    figures = [(f.number, f.id) for f in document.figures]
    return [tables, figures, of_kind("equation"), of_kind("heading")]


def _translated(own: Iterable[Numbered], source: SourceKind, names: Names, fused: Iterable[Numbered]) -> list[Numbered]:
    """Return what a source numbers by the ids that the fused document has for it, where it is of the same kind there."""
    found: list[Numbered] = []
    for numbered, others in zip(own, fused, strict=True):
        ids = {name for _, name in others}
        found.append([(number, name) for number, old in numbered if (name := names.get((source, old))) in ids and name])
    return found


def _joined(own: Sequence[Numbered], fused: Sequence[Numbered], sections: Numbered) -> list[Numbered]:
    """Return all that a number may mean, the surest first; the headings, which come last, with those of all sources."""
    *floats, headings = [[*one, *other] for one, other in zip(own, fused, strict=True)]
    return [*floats, [*headings, *sections]]
