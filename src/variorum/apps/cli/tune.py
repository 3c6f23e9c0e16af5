"""``variorum tune``: from a debug database to the weights of the structure methods."""

from __future__ import annotations

from pathlib import Path

from variorum.apps.cli.console import emit


def run_tune(database: Path, *, output: Path, quiet: bool) -> int:
    """Return 0 once the weights are in the output file and a line per method is on stdout.

    Raises the errors of `read_debug_db` and `tune`, and OutputError when the file cannot be written.
    """
    from variorum.apps.writing import atomic_write, refuse_to_replace
    from variorum.evaluation.debug_db import read_debug_db
    from variorum.evaluation.tuning import tune

    refuse_to_replace(output, database)
    connection = read_debug_db(database)
    try:
        weights = tune(connection, str(database))
    finally:
        connection.close()
    atomic_write(output, weights.to_json().encode("utf-8"))
    if quiet:
        return 0
    width = max(map(len, weights.records))
    lines = [f"{'method':<{width}}  {'wins':>6}  tables  {'rate':>5}  multiplier"]
    for name, r in sorted(weights.records.items(), key=lambda item: (-item[1].rate, item[0])):
        multiplier = weights.confidence_multipliers.get(name)
        told = "-" if multiplier is None else f"{multiplier:.4f}"
        lines.append(f"{name:<{width}}  {r.wins:>6.2f}  {r.participation:>6}  {r.rate:>5.3f}  {told:>10}")
    lines.append(f"{weights.table_count} tables of {weights.paper_count} papers; written to {output}")
    emit("\n".join(lines))
    return 0
