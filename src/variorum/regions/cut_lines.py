"""Lines that white or vertical rules cut into columns, and how far a run of them goes: what proposers that read words share."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from variorum.geometry import Box
from variorum.page.lines import Segment, TextRow, segments, text_rows
from variorum.page.model import PageEvidence, Rule, Word
from variorum.regions.captions import FoundCaption
from variorum.thresholds import LINES_APART


@dataclass(frozen=True, slots=True)
class Run:
    """Lines that follow each other down (or up) the page, from the first cut one to the last; `cut` are those that are cut."""

    lines: tuple[TextRow, ...]
    cut: tuple[TextRow, ...]

    @property
    def box(self) -> Box:
        """Return the box around the words."""
        return Box.around(line.box for line in self.lines)


def is_cut(line: TextRow, space_em: float, verticals: Sequence[Rule] = ()) -> bool:
    """Return whether white of twice the usual column gap, or a vertical rule, cuts the line."""
    return len(segments(line, 2 * space_em, verticals)) > 1


def run_at_start(lines: Sequence[TextRow], space_em: float, verticals: Sequence[Rule] = ()) -> Run | None:
    """Return the run with which the lines begin, or None: cut ones, with at most two others in a row before and between them.

    The run ends where the next line stands farther away than lines that belong together do. A single cut line is no run.
    """
    end, cut, pending = 0, [], 0
    for i, line in enumerate(lines):
        if i and _is_apart(lines[i - 1], line):
            break
        if is_cut(line, space_em, verticals):
            cut.append(line)
            end, pending = i + 1, 0
        else:
            pending += 1
            if pending > 2:
                break
    return Run(tuple(lines[:end]), tuple(cut)) if len(cut) > 1 else None


def runs_of(lines: Sequence[TextRow], space_em: float, verticals: Sequence[Rule] = ()) -> list[Run]:
    """Return all runs in the lines, each from a cut line to a cut line."""
    found: list[Run] = []
    start = 0
    while start < len(lines):
        run = run_at_start(lines[start:], space_em, verticals) if is_cut(lines[start], space_em, verticals) else None
        if run is None:
            start += 1
        else:
            found.append(run)
            start += len(run.lines)
    return found


def _is_apart(line: TextRow, other: TextRow) -> bool:
    return abs(other.band.middle - line.band.middle) > LINES_APART * (other.band.length + line.band.length)


def two_columns(page: PageEvidence) -> bool:
    """Return whether most words keep clear of the page's middle on lines that have words on both sides of it."""
    middle = page.width / 2
    lines = text_rows(w for w in page.words if w.angle == 0)
    both = [line for line in lines if line.words[0].box.x1 < middle < line.words[-1].box.x0]
    crossed = [line for line in both if any(w.box.x0 < middle < w.box.x1 for w in line.words)]
    single = [line for line in lines if any(w.box.x0 < middle < w.box.x1 for w in line.words)]
    return len(both) - len(crossed) > len(single)


def halves(page: PageEvidence) -> tuple[Box, Box]:
    """Return the left and the right half of the page."""
    middle = page.width / 2
    return Box(0.0, 0.0, middle, page.height), Box(middle, 0.0, page.width, page.height)


def _holds_prose(run: Run, space_em: float) -> bool:
    """Return whether in most lines one piece is wider than half of the run: prose beside something, not cells."""
    width = run.box.width
    wide = [any(2 * s.box.width > width for s in segments(line, 2 * space_em)) for line in run.lines]
    return 2 * sum(wide) > len(wide)


def aligned_runs(view: PageEvidence, captions: Sequence[FoundCaption], space_em: float) -> list[Run]:
    """Return the runs, down each text column and the whole page, most of whose pieces stand under others and are no prose."""
    foreign = {id(w) for c in captions for w in c.words}
    words = [w for w in view.words if w.angle == 0 and id(w) not in foreign]
    return [
        run
        for strip in _strips(view)
        for run in runs_of(text_rows(_inside(words, strip)), space_em)
        if _is_aligned(run, space_em) and not _holds_prose(run, space_em)
    ]


def _strips(view: PageEvidence) -> tuple[Box, ...]:
    return (view.box, *halves(view)) if two_columns(view) else (view.box,)


def _inside(words: Sequence[Word], strip: Box) -> list[Word]:
    return [w for w in words if strip.contains_centre_of(w.box)]


def _is_aligned(run: Run, space_em: float) -> bool:
    """Return whether most pieces of the cut lines stand under pieces of other lines, in two columns or more."""
    pieces = [(i, s) for i, line in enumerate(run.cut) for s in segments(line, 2 * space_em)]
    edges = [sorted(kind) for kind in zip(*[[(e, i) for e in _edges(s)] for i, s in pieces], strict=True)]
    lined_up = [s for i, s in pieces if any(_has_fellow(e, i, s, edges[k]) for k, e in enumerate(_edges(s)))]
    return 2 * len(lined_up) > len(pieces) and min(s.box.x1 for s in lined_up) < max(s.box.x0 for s in lined_up)


def _edges(piece: Segment) -> tuple[float, float, float]:
    """Return the left edge, the right edge and the middle."""
    return piece.box.x0, piece.box.x1, piece.box.centre[0]


def _has_fellow(edge: float, line: int, piece: Segment, edges: Sequence[tuple[float, int]]) -> bool:
    """Return whether an edge of another line, of all edges of this kind in order, lies within half the type's size."""
    reach = piece.words[0].size / 2
    for at in range(bisect_left(edges, (edge - reach, 0)), len(edges)):
        position, other = edges[at]
        if position > edge + reach:
            return False
        if other != line:
            return True
    return False
