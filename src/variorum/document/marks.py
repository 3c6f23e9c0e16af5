"""The marks in a text that lead somewhere: citations to their entries, mentions of floats, equations and sections to these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from variorum.document.model import Document
from variorum.document.paper_model import Citation

_NUMBER = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, order=True)
class MarkedStretch:
    """Characters `start` to `end` of a component's text, the id that they lead to, and the kind of mark."""

    start: int
    end: int
    target: str
    kind: str


def marks_by_component(document: Document) -> dict[str, list[MarkedStretch]]:
    """Return for each component with marks that lead somewhere its stretches, in order and without overlap.

    In a numeric citation of several entries each number that is the label of an entry leads to that entry; else the whole mark
    leads to the first entry.
    """
    labels = {entry.id: entry.label for entry in document.bibliography}
    found: dict[str, list[MarkedStretch]] = {}
    for citation in document.citations:
        found.setdefault(citation.component, []).extend(_cited(citation, labels))
    for mention in document.mentions:
        if mention.target is not None:
            own = MarkedStretch(mention.start, mention.end, mention.target, "mention")
            found.setdefault(mention.component, []).append(own)
    return {name: list(_apart(sorted(stretches))) for name, stretches in found.items() if stretches}


def _cited(citation: Citation, labels: Mapping[str, str | None]) -> Iterator[MarkedStretch]:
    by_label = {label: target for target in citation.targets if (label := labels.get(target))}
    numbers = [m for m in _NUMBER.finditer(citation.text) if m[0] in by_label] if citation.style == "numeric" else []
    if not numbers and citation.targets:
        yield MarkedStretch(citation.start, citation.end, citation.targets[0], "citation")
    for number in numbers:
        yield MarkedStretch(citation.start + number.start(), citation.start + number.end(), by_label[number[0]], "citation")


def _apart(stretches: list[MarkedStretch]) -> Iterator[MarkedStretch]:
    done = 0
    for stretch in stretches:
        if stretch.start >= done:
            yield stretch
            done = stretch.end
