"""What a stress test says in few words: `stress_summary.json`, which holds nothing of what the papers say, and the last lines.

The summary is made from the debug database alone and holds neither times nor paths: the same papers, code and configuration
give the same bytes, whatever the number of processes.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from variorum.document.json_io import canonical_text
from variorum.stress.model import Severity, Verdict

SCHEMA_VERSION: Final = 1

_DIGITS: Final = 8
_QUOTED: Final = re.compile("“([^”]*)”")
_DIGEST: Final = re.compile(f"#[0-9a-f]{{{_DIGITS}}}")
_STATUSES: Final = {"read": "read", "unreadable": "unreadable", "crash": "crashed", "duplicate": "twice there"}


def summarise(connection: sqlite3.Connection, *, software: str) -> dict[str, Any]:
    """Return the summary of the last test in a debug database, as JSON values.

    Keys: ``schema_version``, ``software``, ``command``, ``corpus``, ``config`` (name, digest), ``verdict``, ``papers`` (key,
    status, pages, grade, ``tables``: a true table each), ``variants`` (a named configuration each), ``assertions`` (kind, name,
    paper, passed, severity). Percentages are from 0 to 100, with two digits after the point.
    """
    run = connection.execute(
        "SELECT corpus, config, config_digest, verdict, command FROM stress_runs JOIN run_metadata USING(run_id)"
        " ORDER BY run_id DESC LIMIT 1"
    ).fetchone()
    corpus, config, digest, verdict, command = run
    return {
        "schema_version": SCHEMA_VERSION,
        "software": software,
        "command": command,
        "corpus": corpus,
        "config": {"name": config, "digest": digest},
        "verdict": verdict,
        "papers": list(_papers(connection)),
        "variants": list(_variants(connection)),
        "assertions": [
            {"kind": kind, "name": name, "paper": paper, "passed": bool(passed), "severity": severity}
            for kind, name, paper, passed, severity in connection.execute(
                "SELECT kind, substr(test_name, length(kind) + 3), paper, passed, severity FROM test_results ORDER BY rowid"
            )
        ],
    }


def _papers(connection: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    rows = connection.execute(
        "SELECT s.key, s.status, s.num_pages, p.quality_grade, p.item_key"
        " FROM stress_papers s LEFT JOIN papers p USING(item_key) ORDER BY s.key"
    ).fetchall()
    for key, status, pages, grade, item_key in rows:
        tables = connection.execute(
            "SELECT truth_id, table_id, score_pct, cell_accuracy_pct, cells_right, cells_total, is_perfect, is_missed"
            " FROM ground_truth_diffs WHERE item_key = ? ORDER BY truth_id, table_id",
            (item_key,),
        )
        yield {
            "key": key,
            "status": status,
            "pages": pages,
            "grade": grade,
            "tables": [
                {
                    "truth_id": truth_id,
                    "table_id": table_id,
                    "score_pct": round(score, 2),
                    "cell_accuracy_pct": round(accuracy, 2),
                    "cells_right": right,
                    "cells_total": total,
                    "is_perfect": bool(perfect),
                    "is_missed": bool(missed),
                }
                for truth_id, table_id, score, accuracy, right, total, perfect, missed in tables
            ],
        }


def _variants(connection: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    rows = connection.execute(
        "SELECT config, count(*), sum(is_perfect), sum(is_missed), avg(score_pct), sum(cells_right), sum(cells_total)"
        " FROM variant_results GROUP BY config ORDER BY config"
    )
    for config, tables, perfect, missed, score, right, total in rows:
        yield {
            "config": config,
            "tables": tables,
            "perfect": perfect,
            "missed": missed,
            "mean_score_pct": round(score, 2),
            "cells_right": right,
            "cells_total": total,
        }


def to_json(summary: Mapping[str, Any]) -> str:
    """Return a summary as canonical JSON text, names of assertions without the words of papers that they quote."""
    named = [{**assertion, "name": textless(assertion["name"])} for assertion in summary["assertions"]]
    return canonical_text({**summary, "assertions": named})


def textless(name: str) -> str:
    """Return the name of an assertion with a digest in place of each text of a paper that it quotes: ``“#0a1b2c3d”``.

    A name without texts, or with digests already, is as it was; equal texts have equal digests.
    """

    def digest(quoted: re.Match[str]) -> str:
        text = quoted.group(1)
        return quoted.group() if _DIGEST.fullmatch(text) else f"“#{hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]}”"

    return _QUOTED.sub(digest, name)


# ---- in words -------------------------------------------------------------------------------------------------------


def lines(summary: Mapping[str, Any]) -> Iterator[str]:
    """Yield the counts of each kind, what became of the papers, and how the named configurations read the true tables."""
    yield from _kinds(summary["assertions"])
    statuses = [paper["status"] for paper in summary["papers"]]
    yield ""
    counted = ", ".join(f"{statuses.count(name)} {told}" for name, told in _STATUSES.items() if name in statuses)
    yield f"papers: {counted or 'none'}"
    for variant in summary["variants"]:
        yield (
            f"{variant['config']}: {variant['perfect']} of {variant['tables']} true tables without a fault,"
            f" {variant['cells_right']} of {variant['cells_total']} values right, mean score {variant['mean_score_pct']:.2f}"
        )


def _kinds(assertions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    names = list(dict.fromkeys(assertion["kind"] for assertion in assertions))
    width = max((len(name) for name in (*names, "kind")), default=0)
    yield f"{'kind':<{width}}  {'passed':>7}  {'MAJOR':>6}  {'MINOR':>6}"
    for name in (*names, ""):
        own = [a for a in assertions if not name or a["kind"] == name]
        yield f"{name or 'all':<{width}}  {_count(own, None):>7}  {_count(own, 'MAJOR'):>6}  {_count(own, 'MINOR'):>6}"


def _count(assertions: Sequence[Mapping[str, Any]], severity: str | None) -> int:
    """Return how many passed, or failed with the severity."""
    if severity is None:
        return sum(a["passed"] for a in assertions)
    return sum(not a["passed"] and a["severity"] == severity for a in assertions)


def verdict_line(summary: Mapping[str, Any]) -> str:
    """Return the last line of a test: its verdict, and what it rests on."""
    assertions = summary["assertions"]
    major, minor = (_count(assertions, severity) for severity in Severity)
    papers = len(summary["papers"])
    verdict = Verdict(summary["verdict"])
    return (
        f"VERDICT: {verdict} – {len(assertions)} assertions, {major} MAJOR and {minor} MINOR failed, "
        f"of {papers} paper{'s' if papers != 1 else ''}"
    )
