"""The section of a stress test's report that holds the named configurations against each other: accuracy and speed."""

from __future__ import annotations

from collections.abc import Sequence

from variorum.document.voices import counted
from variorum.report.stress_blocks import Block, Section, Value, Words, percentage
from variorum.report.stress_data import StressData, VariantTable


def variants(data: StressData) -> Section:
    """Return the named configurations side by side, over the true tables that all of them met."""
    configs = data.configs
    if not configs:
        return Section(
            key="variants",
            title="Variant comparison",
            notes=("The papers were read by no other configuration than the test's own.",),
        )
    tables = common_tables(data)
    left_out = len({(t.paper, t.truth_id) for t in data.variants}) - len({(t.paper, t.truth_id) for t in tables})
    notes = [_most_accurate(configs, tables)]
    if left_out:
        notes.append(f"{counted(left_out, 'true table')} that not every configuration met are left out.")
    failed = [p for p in data.variant_papers if p.reason]
    parts = [
        Block(
            title="The configurations",
            plot="variants",
            note=(
                "True tables missed and without any difference, data cells read right, mean score, and the processor time of"
                " reading the tables alone. A missed table has a score of 0."
            ),
            headings=(
                "configuration", "tables", "missed", "perfect", "cells right", "of", "share", "mean score", "processor seconds",
                "pages", "seconds a page",
            ),
            rows=tuple(_variant_row(data, config, [t for t in tables if t.config == config]) for config in configs),
            sql="SELECT config, COUNT(*) AS tables, SUM(is_missed) AS missed, SUM(is_perfect) AS perfect, SUM(cells_right),\n"
            "    SUM(cells_total), AVG(score_pct) FROM variant_results GROUP BY config;",
        ),
        _differing(configs, tables),
    ]  # fmt: skip
    if failed:
        parts.append(
            Block(
                title="Papers that a configuration could not read",
                headings=("paper", "configuration", "reason"),
                rows=tuple((p.paper, p.config, Words(p.reason)) for p in failed),
                tone="major",
            )
        )
    return Section(key="variants", title="Variant comparison", notes=tuple(notes), parts=tuple(p for p in parts if p.rows))


def common_tables(data: StressData) -> tuple[VariantTable, ...]:
    """Return the readings of the true tables of which every configuration has one."""
    met: dict[tuple[str, str], set[str]] = {}
    for table in data.variants:
        met.setdefault((table.paper, table.truth_id), set()).add(table.config)
    whole = set(data.configs)
    return tuple(t for t in data.variants if met[t.paper, t.truth_id] == whole)


def _most_accurate(configs: Sequence[str], tables: Sequence[VariantTable]) -> str:
    if not tables:
        return "No true table was met by all configurations, so nothing can be compared."
    right = {c: sum(t.right for t in tables if t.config == c) for c in configs}
    best = [c for c in configs if right[c] == max(right.values())]
    total = sum(t.total for t in tables if t.config == configs[0])
    named = " and ".join(best)
    rest = ", ".join(f"{c} {right[c]}" for c in configs if c not in best)
    said = f"Most accurate: {named}, with {right[best[0]]} of {total} data cells right"
    return f"{said}; {rest}." if rest else f"{said}."


def _variant_row(data: StressData, config: str, tables: Sequence[VariantTable]) -> tuple[Value, ...]:
    right, total = sum(t.right for t in tables), sum(t.total for t in tables)
    timed = [p for p in data.variant_papers if p.config == config and p.cpu_seconds is not None]
    seconds, pages = sum(p.cpu_seconds or 0.0 for p in timed), sum(p.pages for p in timed)
    return (
        config,
        len(tables),
        sum(t.is_missed for t in tables),
        sum(t.is_perfect for t in tables),
        right,
        total,
        percentage(right, total),
        sum(t.score for t in tables) / len(tables) if tables else None,
        seconds if timed else None,
        pages,
        seconds / pages if pages else None,
    )


def _differing(configs: Sequence[str], tables: Sequence[VariantTable]) -> Block:
    """Return the tables on which the configurations have different scores, those that lose most against the best first."""
    scores: dict[tuple[str, str], dict[str, float]] = {}
    for table in tables:
        scores.setdefault((table.paper, table.truth_id), {})[table.config] = table.score
    apart = [(place, found) for place, found in scores.items() if len(set(found.values())) > 1]
    apart.sort(key=lambda item: (min(item[1].values()) - max(item[1].values()), item[0]))
    return Block(
        title="Tables on which they differ",
        note=f"Scores from 0 to 100. On the other {len(scores) - len(apart)} tables all configurations have the same score.",
        headings=("paper", "true table", *configs),
        rows=tuple((paper, truth, *(found[c] for c in configs)) for (paper, truth), found in apart),
        sql="SELECT item_key, truth_id, GROUP_CONCAT(config || ' ' || ROUND(score_pct, 2), ', ') AS scores\n"
        "FROM variant_results GROUP BY item_key, truth_id HAVING COUNT(DISTINCT score_pct) > 1;",
        is_folded=True,
    )
