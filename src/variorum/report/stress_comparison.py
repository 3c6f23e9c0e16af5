"""The sections of a stress test's report on tables with a known truth: the comparison of each, the depth of the pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from variorum.document.voices import counted
from variorum.evaluation.chain import TableDelta
from variorum.evaluation.divider_confidence import calibration_error
from variorum.report.stress_blocks import Block, Group, Section, TableLink, Value, Words, brief, percentage
from variorum.report.stress_data import Compared, StressData

_NO_TRUTH: Final = "No table was compared with a truth."


# ---- comparison -----------------------------------------------------------------------------------------------------


def comparison(data: StressData) -> Section:
    """Return the comparison with the truth: by paper, by table, and every difference of the tables that have one."""
    if not data.compared:
        return Section(key="truth", title="Ground truth comparison", notes=(_NO_TRUTH,))
    differing = data.differing
    return Section(
        key="truth",
        title="Ground truth comparison",
        notes=(
            "Accuracy is the percentage of the comparable cells whose texts agree, coverage the percentage of the truth's cells"
            " that could be compared, and the score also counts what was left out or invented. Rank by the score: a reading of"
            " one right cell has an accuracy of 100.",
            f"{len(differing)} of {counted(len(data.compared), 'true table')} {'differs' if len(differing) == 1 else 'differ'}"
            " from the truth; the others are perfect.",
        ),
        parts=(
            _by_paper(data),
            _all_tables(data),
            Group(
                title="What differs",
                note=(
                    "The worst tables first. Columns count from 1, rows from the first data row; where the truth does not say"
                    " which rows are headers, from the first row."
                ),
                blocks=tuple(differences(t) for t in differing),
            ),
        ),
    )


def _by_paper(data: StressData) -> Block:
    rows: list[tuple[Value, ...]] = []
    for paper in dict.fromkeys(p.name for p in data.papers):
        own = [t for t in data.compared if t.paper == paper]
        if own:
            right, total = sum(t.right for t in own), sum(t.total for t in own)
            missed, perfect = sum(t.is_missed for t in own), sum(t.is_perfect for t in own)
            mean = sum(t.score for t in own) / len(own)
            rows.append((paper, len(own), missed, perfect, right, total, percentage(right, total), mean))
    return Block(
        title="By paper",
        headings=("paper", "true tables", "missed", "perfect", "cells right", "of", "share", "mean score"),
        rows=tuple(rows),
        sql="SELECT item_key, COUNT(*), SUM(is_missed), SUM(is_perfect), SUM(cells_right), SUM(cells_total), AVG(score_pct)\n"
        "FROM ground_truth_diffs GROUP BY item_key;",
    )


def _all_tables(data: StressData) -> Block:
    return Block(
        title="By table",
        note="Shapes are data rows × columns, of the truth and as read.",
        headings=(
            "table", "paper", "page", "accuracy", "coverage", "score", "cells right", "of", "splits", "merges", "cells differ",
            "headers differ", "true shape", "shape read",
        ),
        rows=tuple(_table_row(t) for t in data.compared),
        sql="SELECT table_id, cell_accuracy_pct, structural_coverage_pct, score_pct, cells_right, cells_total, num_splits,\n"
        "    num_merges, num_cell_diffs, gt_shape, ext_shape, is_missed\n"
        "FROM ground_truth_diffs ORDER BY score_pct, cell_accuracy_pct, table_id;",
    )  # fmt: skip


def _table_row(table: Compared) -> tuple[Value, ...]:
    return (
        TableLink(table.table_id),
        table.paper,
        table.page,
        table.accuracy,
        table.coverage,
        table.score,
        table.right,
        table.total,
        table.splits,
        table.merges,
        table.cell_diffs,
        len(table.diff["header_diffs"]),
        "×".join(map(str, table.gt_shape)),
        "not found" if table.is_missed else "×".join(map(str, table.ext_shape)),
    )


def differences(table: Compared) -> Block:
    """Return every difference of a table: structure first, then headers, then cells."""
    diff = table.diff
    rows: list[tuple[Value, ...]] = [("structure", Words(said), None) for said in _structure(table)]
    rows += [(f"header of column {d['col'] + 1}", _said(d["expected"]), _said(d["actual"])) for d in diff["header_diffs"]]
    rows += [
        (f"row {d['row'] + 1}, column {d['col'] + 1}", _said(d["expected"]), _said(d["actual"])) for d in diff["cell_diffs"]
    ]
    if diff["footnote_match"] is False:
        rows.append(("footnotes", Words("those of the truth"), Words("others")))
    if not rows:  # the score counts more than the lists of differences hold, such as the order of columns
        rows.append(("structure", Words("the same order and spans"), Words("others, with the same texts")))
    page = f"page {table.page}" if table.page else "page unknown"
    return Block(
        title=f"{table.paper}, {page}: {brief(table.caption) or table.table_id}",
        note=(
            "This table was not found."
            if table.is_missed
            else f"Score {table.score:.2f}; {table.right} of {table.total} data cells right; chosen: {table.winner}."
        ),
        headings=("place", "expected", "found"),
        rows=tuple(rows),
        sql="SELECT json_extract(d.value, '$.row') AS row, json_extract(d.value, '$.col') AS col,\n"
        "    json_extract(d.value, '$.expected') AS expected, json_extract(d.value, '$.actual') AS actual\n"
        "FROM ground_truth_diffs, json_each(diff_json, '$.cell_diffs') AS d\n"
        f"WHERE table_id = '{table.table_id.replace(chr(39), chr(39) * 2)}';",
        tone="major" if table.is_missed else "",
        table_id=table.table_id,
    )


def _said(words: str) -> Value:
    return Words(words) if words.strip() else "(nothing)"


def _structure(table: Compared) -> list[str]:
    """Return in words what was split, merged, missed and invented."""
    if table.is_missed:
        return [f"a table of {table.gt_shape[0]} data rows and {table.gt_shape[1]} columns"]
    out = []
    for axis, several in (("column", "columns"), ("row", "rows")):
        diff: Mapping[str, Any] = table.diff
        out += [f"{axis} {s['truth'] + 1} was split into {len(s['extracted'])}" for s in diff[f"{axis}_splits"]]
        out += [f"{several} {_numbers(m['truth'])} were merged into one" for m in diff[f"{axis}_merges"]]
        if missing := diff[f"missing_{several}"]:
            out.append(f"{_called(missing, axis)} {'was' if len(missing) == 1 else 'were'} not found")
        if extra := diff[f"extra_{several}"]:
            out.append(f"{_called(extra, axis)} of the reading {'is' if len(extra) == 1 else 'are'} not in the truth")
    return out


def _called(places: Sequence[int], axis: str) -> str:
    return f"{axis if len(places) == 1 else axis + 's'} {_numbers(places)}"


def _numbers(places: Sequence[int]) -> str:
    return ", ".join(str(at + 1) for at in places)


# ---- depth ----------------------------------------------------------------------------------------------------------


def depth(data: StressData) -> Section:
    """Return what each method is worth, what the combination adds, the chain of each table, and whether confidence can be
    believed."""
    blocks = (
        (_chosen(data),)
        if data.oracle is None
        else (_methods(data), _value(data), _chosen(data), _chain(data), _confidence(data))
    )
    return Section(
        key="depth",
        title="Pipeline depth",
        notes=(_depth_note(data),),
        parts=tuple(block for block in blocks if block.rows),
    )


def _depth_note(data: StressData) -> str:
    if data.oracle is None:
        return f"{_NO_TRUTH} Without one only the grids that were chosen can be counted."
    return (
        f"Over the {counted(data.oracle.tables, 'table')} that were found and have a known truth: what each method alone comes"
        " to, what the vote makes of them, and which grid is chosen at last. An axis of which a method says nothing is"
        " completed with the consensus."
    )


def _methods(data: StressData) -> Block:
    rows = []
    for m in data.method_scores:
        record = data.wins.get(m.name)
        won = (record.wins, record.rate) if record is not None else (None, None)
        rows.append((m.name, m.tables, m.mean, m.perfect, *won))
    return Block(
        title="What each method is worth",
        plot="methods",
        note=(
            "Mean score of the best of its grids and tables without a difference; one win a table, shared by those that tie;"
            " the rate is wins by tables taken part in."
        ),
        headings=("method", "tables", "mean score", "perfect", "wins", "win rate"),
        rows=tuple(rows),
    )


def _value(data: StressData) -> Block:
    o = data.oracle
    if o is None:
        raise ValueError("without a comparison there is nothing to add up")
    named = (
        (f"best single method ({o.best_single_name})", o.best_single, o.perfect_best_single),
        ("consensus", o.consensus, o.perfect_consensus),
        ("chosen", o.choice, o.perfect_choice),
        ("best candidate of each table", o.best_candidate, o.perfect_best_candidate),
    )
    return Block(
        title="What the combination adds",
        note=(
            f"Data cells read right, of {o.cells}, and tables without a difference. {_better(data.chain, 'consensus')}"
            f" {_better(data.chain, 'choice')}"
        ),
        headings=("grid", "cells right", "share", "perfect tables"),
        rows=tuple((name, right, percentage(right, o.cells), perfect) for name, right, perfect in named),
    )


def _better(chain: Sequence[TableDelta], what: str) -> str:
    values = [d.consensus_delta if what == "consensus" else d.delta for d in chain]
    better, worse = sum(v > 0 for v in values), sum(v < 0 for v in values)
    equal = len(values) - better - worse
    return f"The {what} is better than the best single method of a table on {better}, equal on {equal}, worse on {worse}."


def _chosen(data: StressData) -> Block:
    return Block(
        title="Grids that were chosen",
        note="As structure:cell, on how many tables (parts count by themselves), with mean accuracy and score where known.",
        headings=("grid", "tables", "mean accuracy", "mean score"),
        rows=tuple((w.name, w.tables, w.accuracy, w.score) for w in data.winners),
        sql="SELECT winning_method, COUNT(*) AS tables, AVG(final_score), AVG(final_score_pct)\n"
        "FROM pipeline_runs GROUP BY winning_method ORDER BY tables DESC, winning_method;",
    )


def _chain(data: StressData) -> Block:
    paper = {t.table_id: t.paper for t in data.compared}
    return Block(
        title="From the best single method to the choice, table by table",
        plot="deltas",
        note="Scores from 0 to 100; where the choice falls furthest behind the best single method first.",
        headings=("table", "paper", "best single", "consensus", "chosen", "consensus − single", "chosen − single", "best grid"),
        rows=tuple(
            (
                TableLink(d.table),
                paper[d.table],
                d.best_single,
                d.consensus,
                d.choice,
                d.consensus_delta,
                d.delta,
                d.best_single_name,
            )
            for d in data.chain
        ),
        sql="SELECT g.table_id, MAX(m.score_pct) AS best_single,\n"
        "    (SELECT MAX(c.score_pct) FROM consensus_results c WHERE c.table_id = g.table_id) AS consensus,\n"
        "    g.score_pct AS chosen\n"
        "FROM ground_truth_diffs g LEFT JOIN method_results m USING (table_id)\n"
        "WHERE NOT g.is_missed GROUP BY g.table_id ORDER BY chosen - best_single, g.table_id;",
        is_folded=True,
    )


def _confidence(data: StressData) -> Block:
    error = calibration_error(data.confidence)
    told = f" Mean distance of confidence and share, weighted by dividers: {error:.3f}." if error is not None else ""
    return Block(
        title="Whether the confidence of a divider can be believed",
        plot="confidence",
        note=(
            "Dividers by the mean scaled confidence of their votes; right are those that lie in a channel of the true table."
            f" Only tables of which some candidate agrees with the truth in every cell show where that is.{told}"
        ),
        headings=(
            "confidence", "dividers", "right", "share right", "mean confidence", "accepted", "of these right", "rejected",
            "of these right",
        ),
        rows=tuple(
            (
                f"{b.low:.1f} to {b.high:.1f}",
                b.dividers,
                b.right,
                b.share_right,
                b.mean_confidence,
                b.accepted,
                b.accepted_right,
                b.rejected,
                b.rejected_right,
            )
            for b in data.confidence
            if b.dividers
        ),
    )  # fmt: skip
