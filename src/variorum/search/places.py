"""On which page a stretch of a component stands, and where: from its places, by the share of the text that each holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from variorum.document import Place, TextComponent
from variorum.geometry import Box
from variorum.search.model import Span


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """First and last page of a chunk, from 1, and the box of what stands on the first; None where the source has no pages."""

    page_num: int | None
    page_end: int | None
    bbox: Box | None


def chunk_place(spans: Sequence[Span], components: Mapping[str, TextComponent]) -> ChunkPlace:
    """Return where the spans stand.

    A component in several places (columns, pages) does not say which of its characters stand where; its text is taken to be
    spread over its boxes evenly, by their area.
    """
    places = [place for span in spans for place in _places_of(span, components[span.component])]
    if not places:
        return ChunkPlace(None, None, None)
    first = places[0].page_num
    box = Box.around(place.bbox for place in places if place.page_num == first)
    return ChunkPlace(first, max(p.page_num for p in places), box)


def _places_of(span: Span, component: TextComponent) -> list[Place]:
    """Return the places of a component that a span reaches into, in reading order."""
    own = component.provenance
    if not component.places:
        return [] if own.page_num is None or own.bbox is None else [Place(page_num=own.page_num, bbox=own.bbox)]
    areas = [p.bbox.area for p in component.places]
    whole, length = sum(areas), max(1, len(component.text))
    if whole <= 0:
        return list(component.places)
    reached, done = [], 0.0
    for place, area in zip(component.places, areas, strict=True):
        start, done = done, done + area / whole
        if span.start / length < done and span.end / length > start:
            reached.append(place)
    return reached or [component.places[-1]]
