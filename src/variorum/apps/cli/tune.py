"""``variorum tune``: from a debug database to the weights of the structure methods."""

from __future__ import annotations

from pathlib import Path

from variorum.apps.cli.console import emit, printable


def run_tune(database: Path, *, output: Path, quiet: bool) -> int:
    """Return 0 once the weights are in the output file and a line per method is on stdout.

    Raises the errors of `reading_debug_db` and `tune`, and OutputError when the file cannot be written.
    """
    from variorum.apps.writing import HINT_FILE, atomic_write, refuse_to_replace
    from variorum.document.voices import counted
    from variorum.evaluation.debug_db import reading_debug_db
    from variorum.evaluation.tuning import tune

    refuse_to_replace(output, database)
    with reading_debug_db(database) as connection:
        weights = tune(connection, str(database))
    atomic_write(output, weights.to_json().encode("utf-8"), hint=HINT_FILE)
    if quiet:
        return 0
    width = max(map(len, weights.records))
    lines = [f"{'method':<{width}}  {'wins':>6}  tables  {'rate':>5}  multiplier"]
    for name, r in sorted(weights.records.items(), key=lambda item: (-item[1].rate, item[0])):
        multiplier = weights.confidence_multipliers.get(name)
        told = "-" if multiplier is None else f"{multiplier:.4f}"
        lines.append(f"{name:<{width}}  {r.wins:>6.2f}  {r.participation:>6}  {r.rate:>5.3f}  {told:>10}")
    measured = f"{counted(weights.table_count, 'table')} of {counted(weights.paper_count, 'paper')}"
    lines.append(f"{measured}; written to {output}, for: variorum extract PDF --weights {output}")
    emit("\n".join(map(printable, lines)))
    return 0
