"""The parts of a figure that have labels of their own, ``(a)`` and ``(b)``: which label stands for which part of the picture.

Labels are lines that begin with a letter in brackets, or are a single letter, and that count up from the first. They stand
under their parts, over them, or in a corner; each part of the picture goes to the label that is nearest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from variorum.geometry import Box
from variorum.layout.figure_marks import Cluster
from variorum.layout.model import PrintLine

_IN_BRACKETS: Final = re.compile(r"^\(?(?P<label>[a-zA-Z])\)(?:\s|$)")
_ALONE: Final = re.compile(r"^(?P<label>[a-zA-Z])[.)]?$")


def panels_of(box: Box, clusters: Sequence[Cluster], lines: Sequence[PrintLine]) -> tuple[tuple[str, Box], ...]:
    """Return (label, box) of the parts of a figure in the order of their labels; none where fewer than two are labelled.

    `box` is that of the whole figure, `clusters` its painted parts, `lines` the lines inside it. Boxes are in points of the
    page's view and lie within the figure's.
    """
    labels = _labels(lines)
    if len(labels) <= 1:
        return ()
    parts: dict[str, list[Box]] = {label: [line.box] for label, line in labels}
    pieces = [c.box for c in clusters]
    if len(pieces) < len(labels):
        return tuple((label, _share(box, line.box, [other.box for _, other in labels])) for label, line in labels)
    under = all(any(line.box.y0 >= piece.centre[1] for _, line in labels) for piece in pieces)
    for piece in pieces:
        near = [item for item in labels if item[1].box.y0 >= piece.centre[1]] if under else labels
        nearest = min(near, key=lambda item: (_apart(piece, item[1].box), item[0]))
        parts[nearest[0]].append(piece)
    return tuple((label, Box.around(parts[label])) for label, _ in labels)


def _labels(lines: Sequence[PrintLine]) -> list[tuple[str, PrintLine]]:
    """Return the labels that count up from the first letter, each with its line."""
    for pattern in (_IN_BRACKETS, _ALONE):
        found: dict[str, PrintLine] = {}
        for line in lines:
            match = pattern.match(line.plain)
            if match and match["label"].casefold() not in found:
                found[match["label"].casefold()] = line
        counted = sorted(found)
        if counted[:1] == ["a"]:
            end = next((i + 1 for i, (a, b) in enumerate(pairwise(counted)) if ord(b) - ord(a) != 1), len(counted))
            if end > 1:
                return [(label, found[label]) for label in counted[:end]]
    return []


def _apart(piece: Box, label: Box) -> float:
    """Return how far a part of the picture is from a label: the white between, then the distance of the middles."""
    white = max(0.0, piece.y0 - label.y1, label.y0 - piece.y1) + max(0.0, piece.x0 - label.x1, label.x0 - piece.x1)
    return white + abs(piece.centre[0] - label.centre[0])


def _share(box: Box, label: Box, labels: Sequence[Box]) -> Box:
    """Return the part of the whole that is nearer to a label than to the others, cut half way to the next across and down.

    Labels on one height part the figure into columns, labels on different heights into rows: a label in a corner or in the
    middle of its part cannot be told by one picture alone, so the cut is at equal shares between neighbours.
    """
    across = sorted({other.centre[0] for other in labels if _beside(other, label)})
    down = sorted({other.centre[1] for other in labels if not _beside(other, label)} | {label.centre[1]})
    k, n = across.index(label.centre[0]), len(across)
    i, m = down.index(label.centre[1]), len(down)
    rows = _rows(down)
    row = next(r for r, members in enumerate(rows) if down[i] in members) if m else 0
    return Box(
        box.x0 + box.width * k / n,
        box.y0 + box.height * row / len(rows),
        box.x0 + box.width * (k + 1) / n,
        box.y0 + box.height * (row + 1) / len(rows),
    )


def _beside(one: Box, other: Box) -> bool:
    return one.y_interval.overlap(other.y_interval) > 0


def _rows(heights: Sequence[float]) -> list[list[float]]:
    """Return the heights in groups of those that are the same to a point."""
    rows: list[list[float]] = []
    for height in heights:
        if rows and height - rows[-1][-1] <= 1:
            rows[-1].append(height)
        else:
            rows.append([height])
    return rows
