"""Texts of one source that are the cells of a table of another: what a reader makes of a table that it did not see as one.

They would stand twice in the fused text, once in the table and once as headings and paragraphs that only this source has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from variorum.fusion.contents import Contents, words_in
from variorum.fusion.likeness import Spot
from variorum.fusion.model import Source, SourceKind
from variorum.fusion.pieces import Piece, words_of

Named = frozenset[tuple[SourceKind, str]]
"""Components by source and id."""


def table_texts(sources: Sequence[Source], texts: Sequence[Spot], floats: Sequence[Spot], contents: Contents) -> Named:
    """Return the texts that only their source has, one after the other, and that hold a table which this source lacks.

    Texts that follow each other hold a table when they have more than half of its words; of these texts those are meant that
    have more than half of their words from such tables.
    """
    found: set[tuple[SourceKind, str]] = set()
    for source in sources:
        tables = [_words_of_table(s, contents) for s in floats if s.type == "table" and s.of(source.kind) is None]
        if not tables:
            continue
        said = {c.id: Counter(words_of(c.text)) for c in source.document.components}
        for run in _sole_runs(source, texts):
            whole = sum((said[name] for name in run), Counter())
            held = sum((t for t in tables if 2 * (t & whole).total() > t.total()), Counter())
            found |= {(source.kind, name) for name in run if 2 * (said[name] & held).total() > said[name].total()}
    return frozenset(found)


def without(texts: Sequence[Spot], named: Named) -> list[Spot]:
    """Return the spots but for those whose texts are all named."""
    return [s for s in texts if not all((p.source, name) in named for p in s.pieces for name in p.components)]


def _words_of_table(spot: Spot, contents: Contents) -> Counter[str]:
    """Return the words of a table as the source has it that says most."""
    return max((words_in(p, contents) for p in spot.pieces), key=lambda words: words.total())


def _sole_runs(source: Source, texts: Sequence[Spot]) -> list[list[str]]:
    """Return the texts of the flow that only this source has, those together between which it has nothing that others have."""
    flow: Mapping[str, bool] = {
        name: len(s.pieces) == 1 for s in texts for p in s.pieces if _is_flow(p, source) for name in p.components
    }
    runs: list[list[str]] = [[]]
    for component in source.document.components:
        if flow.get(component.id):
            runs[-1].append(component.id)
        elif component.id in flow:
            runs.append([])
    return [run for run in runs if run]


def _is_flow(piece: Piece, source: Source) -> bool:
    return piece.source == source.kind and piece.part == "flow"
