"""Levels of headings on one scale: that of the TeX, which says what a heading is, where others conclude it from the print.

TeX counts by the names of its commands: a ``\\paragraph`` is of level 4 also in a paper without subsubsections, where a reader
of the PDF sees a third level. The headings that two sources share show which level of one is which of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from variorum.fusion.model import Alignment, SourceKind
from variorum.fusion.ordering import FROM_TEX

LevelScale = Mapping[tuple[SourceKind, int], int]
"""For a level of a source that is not TeX, the level that TeX calls it."""


def level_scale(levels: Mapping[tuple[SourceKind, str], int], alignment: Alignment) -> LevelScale:
    """Return how the levels of each source are called in the scale of the TeX, where headings that both have show it.

    `levels` are those of the headings of all sources, by source and id. Of several levels that TeX gives to one, the most
    frequent counts, of these the highest (the least number).
    """
    seen: dict[tuple[SourceKind, int], Counter[int]] = {}
    for position in alignment.positions:
        if position.type != "heading":
            continue
        found = [(r.source, levels.get((r.source, r.components[0]))) for r in position.readings]
        true = next((level for source, level in found if source in FROM_TEX and level is not None), None)
        for source, level in found:
            if true is not None and level is not None and source not in FROM_TEX:
                seen.setdefault((source, level), Counter())[true] += 1
    return {key: min(counts, key=lambda level: (-counts[level], level)) for key, counts in seen.items()}
