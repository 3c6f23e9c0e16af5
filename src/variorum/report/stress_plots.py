"""The plots of a stress test's report, as inline SVG: methods, deltas, calibration of confidence, configurations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from variorum.evaluation.divider_confidence import ConfidenceBin
from variorum.report.markup import text
from variorum.report.plots import Series, bars, dots
from variorum.report.stress_blocks import duration
from variorum.report.stress_data import StressData, VariantTable
from variorum.report.stress_variants import common_tables

_FULL: Final = 100.0
_CLASSES: Final = (  # of scores, from the worst; the last is reached by tables without any difference alone
    ("missed", -1.0),
    ("below 50", 50.0),
    ("50 to 90", 90.0),
    ("90 and more", _FULL),
    ("no difference", _FULL),
)
_SIDE, _LEFT, _TOP, _FOOT = 360, 62, 18, 46
_LARGEST, _SMALLEST = 15.0, 3.0
_ROW, _BAR, _WIDTH, _TIME, _GAP, _NAMES = 44, 24, 560, 170, 64, 110


def method_plot(data: StressData) -> str:
    """Return the accuracy of each method, of the consensus and of the choice, as shares in [0, 1]; '' without a comparison."""
    if not data.chain or data.oracle is None:
        return ""
    n = len(data.chain)
    rows: list[tuple[str, float, float, float | None]] = [
        (f"chosen ({n})", sum(d.choice for d in data.chain) / n, data.oracle.perfect_choice / n, None),
        (f"consensus ({n})", sum(d.consensus for d in data.chain) / n, data.oracle.perfect_consensus / n, None),
    ]
    for m in data.method_scores:
        record = data.wins.get(m.name)
        rows.append((f"{m.name} ({m.tables})", m.mean, m.perfect / m.tables, record.rate if record else None))
    return dots(
        "Accuracy of each method",
        [name for name, *_ in rows],
        [
            Series("mean score", tuple(mean / _FULL for _, mean, _, _ in rows)),
            Series("tables without a difference", tuple(perfect for _, _, perfect, _ in rows)),
            Series("win rate", tuple(rate for _, _, _, rate in rows)),
        ],
    )


def delta_plot(data: StressData) -> str:
    """Return the consensus and the choice minus the best single method, a row a table where one differs; '' without any."""
    paper = {t.table_id: (t.paper, t.item_key) for t in data.compared}
    shown = [d for d in data.chain if d.delta or d.consensus_delta]
    if not shown:
        return ""
    names = [f"{paper[d.table][0]} {d.table.removeprefix(paper[d.table][1]).strip('_').replace('_', ' ')}" for d in shown]
    return bars(
        "Points of score against the best single method, per table",
        names,
        [
            Series("consensus − best single", tuple(d.consensus_delta for d in shown)),
            Series("chosen − best single", tuple(d.delta for d in shown)),
        ],
    )


# ---- calibration ----------------------------------------------------------------------------------------------------


def calibration_plot(bins: Sequence[ConfidenceBin]) -> str:
    """Return the share of right dividers over their confidence, a disc a bin, its area by the number of dividers; '' without
    bins."""
    most = max((b.dividers for b in bins), default=0)
    if not most:
        return ""
    parts = [_frame()]
    for one in bins:
        share, confidence = one.share_right, one.mean_confidence
        if share is None or confidence is None:
            continue
        x, y = _across(min(confidence, 1.0)), _up(share)
        radius = max(_SMALLEST, _LARGEST * (one.dividers / most) ** 0.5)
        said = f"confidence {one.low:.1f} to {one.high:.1f}: {one.right} of {one.dividers} dividers right"
        parts.append(f'<circle class="s1 disc" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"><title>{text(said)}</title></circle>')
        if share > 1 / 2:
            label = f'x="{x:.1f}" y="{y + radius + 13:.1f}" text-anchor="middle"'
        else:
            label = f'x="{x + radius + 4:.1f}" y="{y - 4:.1f}"'
        parts.append(f'<text class="value" {label}>{one.dividers}</text>')
    return _svg("How often a divider of a confidence is right", _LEFT + _SIDE + 24, _TOP + _SIDE + _FOOT, parts)


def _frame() -> str:
    parts = [f'<line class="ideal" x1="{_across(0):.1f}" y1="{_up(0):.1f}" x2="{_across(1):.1f}" y2="{_up(1):.1f}"/>']
    for tick in range(0, 11, 2):
        at = tick / 10
        parts.append(
            f'<line class="grid" x1="{_across(at):.1f}" x2="{_across(at):.1f}" y1="{_up(0):.1f}" y2="{_up(1):.1f}"/>'
            f'<line class="grid" x1="{_across(0):.1f}" x2="{_across(1):.1f}" y1="{_up(at):.1f}" y2="{_up(at):.1f}"/>'
            f'<text class="tick" x="{_across(at):.1f}" y="{_up(0) + 16:.1f}" text-anchor="middle">{at:g}</text>'
            f'<text class="tick" x="{_LEFT - 8}" y="{_up(at) + 4:.1f}" text-anchor="end">{at:g}</text>'
        )
    middle = _TOP + _SIDE / 2
    parts.append(
        f'<text class="name" x="{_across(0.5):.1f}" y="{_up(0) + 36:.1f}" text-anchor="middle">confidence of the divider</text>'
        f'<text class="name" x="16" y="{middle:.1f}" text-anchor="middle" transform="rotate(-90 16 {middle:.1f})">'
        "share that is right</text>"
    )
    return "".join(parts)


def _across(share: float) -> float:
    return _LEFT + _SIDE * share


def _up(share: float) -> float:
    return _TOP + _SIDE * (1 - share)


# ---- configurations -------------------------------------------------------------------------------------------------


def variant_plot(data: StressData) -> str:
    """Return for each configuration how its scores are spread, as one bar of classes, beside its processor time a page; ''
    where none were compared."""
    tables = common_tables(data)
    if not tables:
        return ""
    speeds = {config: _seconds_a_page(data, config) for config in data.configs}
    slowest = max((s for s in speeds.values() if s), default=0.0)
    time_at = _NAMES + _WIDTH + _GAP
    parts = [_legend(), f'<text class="tick" x="{time_at}" y="46">processor time a page</text>']
    for i, config in enumerate(data.configs):
        y = 60 + _ROW * i
        own = [t for t in tables if t.config == config]
        parts.append(f'<text class="name" x="{_NAMES - 12}" y="{y + 16}" text-anchor="end">{text(config)}</text>')
        parts.append(_spread(own, y))
        seconds = speeds[config]
        if seconds is not None:
            width = _TIME * seconds / slowest if slowest else 0.0
            parts.append(f'<rect class="time" x="{time_at}" y="{y}" width="{width:.1f}" height="{_BAR}"/>')
            parts.append(f'<text class="value" x="{time_at + width + 6:.1f}" y="{y + 16}">{text(duration(seconds))}</text>')
    title = "Scores of each configuration, and its processor time"
    return _svg(title, time_at + _TIME + 70, 60 + _ROW * len(data.configs), parts)


def _seconds_a_page(data: StressData, config: str) -> float | None:
    timed = [p for p in data.variant_papers if p.config == config and p.cpu_seconds is not None]
    pages = sum(p.pages for p in timed)
    return sum(p.cpu_seconds or 0.0 for p in timed) / pages if pages else None


def _class_of(table: VariantTable) -> int:
    if table.is_missed:
        return 0
    if table.is_perfect:
        return len(_CLASSES) - 1
    return next((at for at, (_, end) in enumerate(_CLASSES[1:-1], 1) if table.score < end), len(_CLASSES) - 2)


def _spread(tables: Sequence[VariantTable], y: float) -> str:
    parts, x = [], float(_NAMES)
    for at in reversed(range(len(_CLASSES))):
        count = sum(_class_of(t) == at for t in tables)
        if count:
            width = _WIDTH * count / len(tables)
            said = f"<title>{text(_CLASSES[at][0])}: {count} of {len(tables)} tables</title>"
            parts.append(f'<rect class="c{at}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}">{said}</rect>')
            if width > 9 * len(str(count)):
                parts.append(
                    f'<text class="count c{at}-ink" x="{x + width / 2:.1f}" y="{y + 16}" text-anchor="middle">{count}</text>'
                )
            x += width
    return "".join(parts)


def _legend() -> str:
    parts, x = [], float(_NAMES)
    for at in reversed(range(len(_CLASSES))):
        name = _CLASSES[at][0]
        parts.append(f'<rect class="c{at}" x="{x:.1f}" y="7" width="12" height="12"/>')
        parts.append(f'<text class="name" x="{x + 18:.1f}" y="17">{text(name)}</text>')
        x += 40 + 7.3 * len(name)
    return "".join(parts) + f'<text class="tick" x="{_NAMES}" y="46">tables by score</text>'


def _svg(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img" '
        f'aria-label="{text(title)}"><title>{text(title)}</title>{"".join(parts)}</svg>'
    )
