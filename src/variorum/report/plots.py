"""Plots as inline SVG: dots on a common axis, bars from a zero line. No script, no network, no library.

Every plot has a row a name, from top to bottom; lengths are in CSS pixels. Colours come from the page's style sheet, by the
classes ``s0``, ``s1`` … of the series; shapes differ as well, so that the plots can be read without colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from variorum.report.markup import figure, text

_ROW, _TOP, _PLOT, _LETTER = 30, 30, 560, 7.3
_APART = 3.5
_BAR = 12
_VALUE_ROOM = 96
_LEGEND = 20


@dataclass(frozen=True, slots=True)
class Series:
    """One measure of all rows: its name and a value per row, None where there is none."""

    name: str
    values: tuple[float | None, ...]


def dots(title: str, names: Sequence[str], series: Sequence[Series]) -> str:
    """Return a dot plot of shares in [0, 1]: a row a name, a sign a series."""
    left = _left(names)
    parts = [_legend(series, left)]
    top = _TOP + _LEGEND
    height = top + _ROW * len(names) + 8
    for tick in range(0, 11, 2):
        x = left + _PLOT * tick / 10
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top - 6}" y2="{height - 6}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{top - 10}" text-anchor="middle">{tick / 10:g}</text>')
    for i, name in enumerate(names):
        y = top + _ROW * i + _ROW / 2
        parts.append(_name(name, left, y))
        parts.append(f'<line class="grid" x1="{left}" x2="{left + _PLOT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        for k, one in enumerate(series):
            value = one.values[i]
            if value is not None:
                said = f"{name}: {one.name} {value:.3f}"
                at = y + _APART * (k - (len(series) - 1) / 2)  # so that equal values stay apart
                parts.append(_sign(k, left + _PLOT * min(max(value, 0.0), 1.0), at, said))
    return _svg(title, left + _PLOT + 24, height, parts)


def bars(title: str, names: Sequence[str], series: Sequence[Series], *, unit: str = "", whole: float | None = None) -> str:
    """Return bars from a zero line, to the left where values are below 0; several series are bars below each other.

    `whole` is the length of the axis where it is more than the largest value; `unit` stands behind each value.
    """
    left = _left(names)
    values = [v for one in series for v in one.values if v is not None]
    low, high = min([0.0, *values]), max([0.0, *values, whole or 0.0])
    span = (high - low) or 1.0
    room = _VALUE_ROOM if low < 0 else 0
    zero = left + room + _PLOT * -low / span
    top = _TOP + (_LEGEND if len(series) > 1 else 0) - 18
    row = 6 + _BAR * len(series)
    height = top + row * len(names) + 8
    parts = [_legend(series, left)] if len(series) > 1 else []
    for i, name in enumerate(names):
        y = top + row * i
        parts.append(_name(name, left, y + row / 2))
        for k, one in enumerate(series):
            value = one.values[i]
            if value is None:
                continue
            width = _PLOT * abs(value) / span
            x, at = (zero, y + 3 + _BAR * k) if value >= 0 else (zero - width, y + 3 + _BAR * k)
            label = f"{figure(round(value, 2))}{unit}"
            said = f"{name}: {one.name} {label}"
            parts.append(
                f'<rect class="s{k}" x="{x:.1f}" y="{at:.1f}" width="{width:.1f}" height="{_BAR - 2}">'
                f"<title>{text(said)}</title></rect>"
            )
            end, anchor = (zero + width + 5, "start") if value >= 0 else (zero - width - 5, "end")
            parts.append(f'<text class="value" x="{end:.1f}" y="{at + _BAR - 3:.1f}" text-anchor="{anchor}">{label}</text>')
    parts.append(f'<line class="zero" x1="{zero:.1f}" x2="{zero:.1f}" y1="{top}" y2="{height - 6}"/>')
    return _svg(title, left + room + _PLOT + _VALUE_ROOM, height, parts)


def _left(names: Sequence[str]) -> float:
    return 12 + _LETTER * max(map(len, names), default=0)


def _name(name: str, left: float, y: float) -> str:
    return f'<text class="name" x="{left - 10:.1f}" y="{y + 4:.1f}" text-anchor="end">{text(name)}</text>'


def _legend(series: Sequence[Series], left: float) -> str:
    parts, x = [], left
    for k, one in enumerate(series):
        parts.append(_sign(k, x + 5, 12, one.name))
        parts.append(f'<text class="name" x="{x + 15:.1f}" y="16">{text(one.name)}</text>')
        x += 34 + _LETTER * len(one.name)
    return "".join(parts)


def _sign(index: int, x: float, y: float, said: str) -> str:
    """Return the sign of a series at a place: circle, square, diamond, triangle, cross; past those they begin again."""
    shapes = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5"',
        f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"',
        f'<path d="M{x:.1f} {y - 5.5:.1f}l5.5 5.5-5.5 5.5-5.5-5.5z"',
        f'<path d="M{x:.1f} {y - 5:.1f}l5 9h-10z"',
        f'<path d="M{x - 4.5:.1f} {y - 3:.1f}l1.5-1.5 3 3 3-3 1.5 1.5-3 3 3 3-1.5 1.5-3-3-3 3-1.5-1.5 3-3z"',
    )
    shape = shapes[index % len(shapes)]
    element = shape[1:].partition(" ")[0]
    return f'{shape} class="s{index}"><title>{text(said)}</title></{element}>'


def _svg(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img" '
        f'aria-label="{text(title)}"><title>{text(title)}</title>{"".join(parts)}</svg>'
    )
