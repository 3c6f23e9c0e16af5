"""Dividers drawn on the page: axis-parallel strokes and thin filled rectangles inside the table.

A vertical rule is a column divider and a horizontal rule a row divider where it parts words: words stand on both of its
sides within its reach, and it cuts none. A rule that is shorter than the table is no divider of the whole axis when it
stands under part of a line only: partial horizontal rules (under a spanning header, under a word) say where spans end,
not where rows do, unless together they cover what lies beneath. Evidence: rules only. Boundaries are as thick as the
rule, in PDF points. Abstains on a table without such rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from variorum.geometry import Box, Interval, merge_intervals
from variorum.page.model import Rule
from variorum.tables.model import Abstain, BoundaryHypothesis, BoundaryPoint, TableContext
from variorum.tables.ruling import ruled_axes


class RuledLines:
    """Votes on rows and columns from rules."""

    name = "ruled_lines"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return dividers where rules part the words, in points; abstains without rules that do.

        Confidence is the share of the words' extent on the other axis that the rule covers, in (0, 1].
        """
        if not ctx.words:
            raise Abstain("no words in the region")
        around = Box.around(w.box for w in ctx.words)
        cols = self._points([r for r in ctx.rules if r.orientation == "vertical"], ctx, around, vertical=True)
        rows = self._points([r for r in ctx.rules if r.orientation == "horizontal"], ctx, around, vertical=False)
        if not cols and not rows:
            raise Abstain("no rule in the table parts words" if ctx.rules else "the table has no rules")
        return BoundaryHypothesis(tuple(cols), tuple(rows), self.name, {"complete": ruled_axes(ctx)})

    def _points(self, rules: Sequence[Rule], ctx: TableContext, around: Box, *, vertical: bool) -> list[BoundaryPoint]:
        points: list[BoundaryPoint] = []
        whole = around.y_interval if vertical else around.x_interval
        for line in _collinear(rules):
            position = line[0].position
            covered = sum(whole.overlap(i) for i in merge_intervals(Interval(r.start, r.end) for r in line))
            share = covered / whole.length if whole.length > 0 else 0.0
            if 2 * share <= 1 or not _parts_words(position, ctx, vertical=vertical):
                continue
            half = max(r.thickness for r in line) / 2
            points.append(BoundaryPoint(position - half, position + half, min(share, 1.0), self.name))
        return points


def _collinear(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Return the rules grouped by position: those closer than their thickness are one line."""
    lines: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda r: (r.position, r.start)):
        if lines and rule.position - lines[-1][-1].position <= max(rule.thickness, lines[-1][-1].thickness, 1):
            lines[-1].append(rule)
        else:
            lines.append([rule])
    return lines


def _parts_words(position: float, ctx: TableContext, *, vertical: bool) -> bool:
    middles = [w.box.centre[0] if vertical else w.box.centre[1] for w in ctx.words]
    return any(m < position for m in middles) and any(m > position for m in middles)
