"""Rules: axis-parallel strokes, thin filled rectangles, and the edges of stroked boxes, joined where they touch.

A filled rectangle is a rule when it is too thin to hold a line of the page's own text; thicker ones are shading
(`fills`). Everything that is not axis-parallel (curves, slanted strokes) is a drawing: evidence of a figure, never of a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from variorum.geometry import Box
from variorum.page.model import Rule
from variorum.thresholds import COORDINATE_DIGITS, MAX_PATH_ITEMS


@dataclass(frozen=True, slots=True)
class Graphics:
    """The vector graphics of a page: rules, shaded areas, boxes of all other paths, and whether the count limit cut
    them short."""

    rules: tuple[Rule, ...]
    fills: tuple[Box, ...]
    drawings: tuple[Box, ...]
    truncated: bool
    segment_count: int


def graphics_of(paths: Iterable[Mapping[str, Any]], page: Box, text_size: float) -> Graphics:
    """Return rules, shading and drawings of PyMuPDF drawings; `text_size` in points is the page's smallest size of text."""
    rules: list[Rule] = []
    fills: list[Box] = []
    drawings: list[Box] = []
    count, truncated = 0, False
    for path in paths:
        count += len(path["items"])
        if count > MAX_PATH_ITEMS:
            truncated = True
            break
        stroke, fill = "s" in path["type"], "f" in path["type"]
        width = float(path.get("width") or 0.0)
        if _is_invisible(path):
            continue
        other: list[Box] = []
        for item in path["items"]:
            if item[0] == "l":
                line = _segment(item[1], item[2], width)
                if line is None:
                    other.append(Box.of((*item[1], *item[2])))
                elif stroke:
                    rules.append(line)
            elif item[0] in ("re", "qu"):
                rect = item[1]
                box = (
                    Box.of((min(rect[0], rect[2]), min(rect[1], rect[3]), max(rect[0], rect[2]), max(rect[1], rect[3])))
                    if item[0] == "re"
                    else Box.of(tuple(rect.rect))
                )
                _rectangle(box, stroke, fill, width, text_size, rules, fills)
            else:
                points = [p for p in item[1:] if hasattr(p, "x")]
                other.append(Box.around(Box(p.x, p.y, p.x, p.y) for p in points))
        if fill and not stroke and not other and all(i[0] == "l" for i in path["items"]):
            box = Box.of(tuple(path["rect"]))
            _rectangle(box, False, True, width, text_size, rules, fills)
        if other:
            drawings.append(Box.around(other))
    visible = [_clipped(r, page) for r in rules]
    return Graphics(
        join_rules(r for r in visible if r is not None),
        tuple(sorted({c.rounded(COORDINATE_DIGITS) for f in fills if (c := f.intersection(page)) is not None})),
        tuple(sorted({c.rounded(COORDINATE_DIGITS) for d in drawings if (c := d.intersection(page)) is not None})),
        truncated,
        count,
    )


def _is_invisible(path: Mapping[str, Any]) -> bool:
    return path.get("stroke_opacity") == 0 and path.get("fill_opacity") in (0, None)


def _segment(a: Any, b: Any, width: float) -> Rule | None:
    """Return the stroke from a to b as a rule, or None when it is slanted by more than its own thickness."""
    dx, dy = abs(b.x - a.x), abs(b.y - a.y)
    if dx >= dy and dy <= max(width, 1):
        return Rule("horizontal", (a.y + b.y) / 2, min(a.x, b.x), max(a.x, b.x), width)
    if dy > dx and dx <= max(width, 1):
        return Rule("vertical", (a.x + b.x) / 2, min(a.y, b.y), max(a.y, b.y), width)
    return None


def _rectangle(box: Box, stroke: bool, fill: bool, width: float, text_size: float, rules: list[Rule], fills: list[Box]) -> None:
    thin = min(box.width, box.height)
    if fill and thin < text_size / 2:
        if box.width >= box.height:
            rules.append(Rule("horizontal", (box.y0 + box.y1) / 2, box.x0, box.x1, box.height))
        else:
            rules.append(Rule("vertical", (box.x0 + box.x1) / 2, box.y0, box.y1, box.width))
        return
    if fill:
        fills.append(box)
    if stroke:
        rules.append(Rule("horizontal", box.y0, box.x0, box.x1, width))
        rules.append(Rule("horizontal", box.y1, box.x0, box.x1, width))
        rules.append(Rule("vertical", box.x0, box.y0, box.y1, width))
        rules.append(Rule("vertical", box.x1, box.y0, box.y1, width))


def _clipped(rule: Rule, page: Box) -> Rule | None:
    along, across = (
        (page.x_interval, page.y_interval) if rule.orientation == "horizontal" else (page.y_interval, page.x_interval)
    )
    if not across.contains(rule.position) or rule.end < along.start or rule.start > along.end:
        return None
    return Rule(
        rule.orientation,
        round(rule.position, COORDINATE_DIGITS),
        round(max(rule.start, along.start), COORDINATE_DIGITS),
        round(min(rule.end, along.end), COORDINATE_DIGITS),
        round(rule.thickness, COORDINATE_DIGITS),
    )


def join_rules(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return the rules with collinear ones joined where they touch within their thickness; sorted, deterministic.

    Rules are collinear when they lie within their thickness (at least 1 pt) of the first of their line. Costs n log n.
    """
    joined: list[Rule] = []
    line: list[Rule] = []
    for rule in sorted(rules, key=lambda r: (r.orientation, r.position, r.start, r.end, r.thickness)):
        if line and (rule.orientation != line[0].orientation or rule.position - line[0].position > _reach(line[0], rule)):
            joined += _joined_line(line)
            line = []
        line.append(rule)
    joined += _joined_line(line)
    return tuple(sorted(joined, key=lambda r: (r.orientation, r.position, r.start, r.end)))


def _joined_line(line: Sequence[Rule]) -> list[Rule]:
    out: list[Rule] = []
    for rule in sorted(line, key=lambda r: (r.start, r.end, r.position)):
        last = out[-1] if out else None
        if last is None or rule.start > last.end + _reach(last, rule):
            out.append(rule)
            continue
        longer = last if last.length >= rule.length else rule
        out[-1] = Rule(
            rule.orientation, longer.position, last.start, max(last.end, rule.end), max(last.thickness, rule.thickness)
        )
    return out


def _reach(a: Rule, b: Rule) -> float:
    return max(a.thickness, b.thickness, 1)
