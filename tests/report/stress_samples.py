"""A finished stress test in a debug database: a paper with three true tables, a file that cannot be read, assertions by hand.

The paper is drawn and read for real (`debug_samples`), so that tables, votes and comparison are those that the engine makes.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from debug_samples import evidence, fill, truths

KINDS = (
    ("crash", "MAJOR", "paper", "nothing breaks"),
    ("table values", "MAJOR", "paper", "every cell of a true table is read as it is printed"),
    ("sections", "MINOR", "paper", "every heading of the truth is found"),
    ("search", "MAJOR", "library", "a sentence of a paper finds its paper"),
    ("weights", "MINOR", "library", "other weights give another ranking"),
)
HOSTILE = "<script>alert(1)</script> | *bold* `code` & </style>"
CONFIGS = ("default", "fast", "ruled", "minimal")


def make_stress(folder: Path, pdf: Path | None = None, *, software: str = "variorum 1") -> Path:
    """Return the path of the database in the folder; `pdf` is where the paper lies (default: a place where nothing is)."""
    path = folder / "debug.db"
    connection = fill(path, evidence(), truths())
    run = int(connection.execute("SELECT MAX(run_id) FROM run_metadata").fetchone()[0])
    key = evidence().document.key
    connection.execute("UPDATE run_metadata SET command = 'variorum stress', software = ?", (software,))
    _insert(
        connection,
        "stress_runs",
        {
            "run_id": run,
            "corpus": "shelf/measured",
            "config": "default",
            "config_digest": "d",
            "jobs": 2,
            "read_seconds": 75.4,
            "index_seconds": 3.25,
            "variant_seconds": 130.0,
            "assertion_seconds": 0.5,
            "num_chunks": 12,
            "num_vectors": 0,
            "verdict": "unreliable",
        },
    )
    read = {"sha256": _digest(pdf) if pdf else evidence().document.sha256, "num_pages": 4, "num_true_tables": 3}
    place = str(pdf or folder / "gone.pdf")
    _paper(connection, run, "set/drugs", key, "drugs", "read", "", place, cpu_seconds=5.0, wall_seconds=6.0, **read)
    _paper(connection, run, "set/locked", None, "locked", "unreadable", "is encrypted", str(folder / "locked.pdf"))
    for position, (kind, severity, scope, asserts) in enumerate(KINDS):
        row = {"kind": kind, "position": position, "severity": severity, "scope": scope, "asserts": asserts}
        _insert(connection, "test_kinds", row)
    _assertions(connection, run, key)
    _variants(connection, key)
    connection.close()
    return path


def add_failures(path: Path, count: int) -> None:
    """Return None once the database has so many more failures of the kind "sections"."""
    connection = sqlite3.connect(path)
    run, key = connection.execute("SELECT run_id, item_key FROM stress_papers WHERE status = 'read'").fetchone()
    for n in range(count):
        assertion(connection, run, "sections", f"heading {n}", "set/drugs", False, "MINOR", "not found", item_key=key)
    connection.commit()
    connection.close()


def assertion(
    connection: sqlite3.Connection,
    run: int,
    kind: str,
    name: str,
    paper: str,
    passed: bool,
    severity: str,
    detail: str,
    **more: object,
) -> None:
    """Return None once a row of `test_results` is there."""
    row = {"test_name": f"{kind}: {name}", "paper": paper, "passed": passed, "detail": detail, "severity": severity}
    _insert(connection, "test_results", {**row, "run_id": run, "kind": kind, **more})


def _assertions(connection: sqlite3.Connection, run: int, key: str) -> None:
    at = {"item_key": key, "page": 2, "table_id": f"{key}_table_2"}
    wrong = "row 2, column 3: expected '999', found '118'"
    assertion(connection, run, "table values", "table 1", "set/drugs", True, "MAJOR", "9 cells", item_key=key, page=1)
    assertion(connection, run, "table values", "table 2", "set/drugs", False, "MAJOR", wrong, **at)
    assertion(connection, run, "sections", HOSTILE, "set/drugs", False, "MINOR", f"expected {HOSTILE}", item_key=key, page=1)
    assertion(connection, run, "sections", "Results", "set/drugs", True, "MINOR", "found", item_key=key, page=2)
    assertion(connection, run, "search", "sentence 1", "", True, "MAJOR", "rank 1")
    assertion(connection, run, "weights", "sections", "", True, "MINOR", "another order")
    broken = "Traceback (most recent call last):\n  File one\nKeyError: 'gone'"
    assertion(connection, run, "crash", "weights", "", False, "MAJOR", "the kind broke", traceback=broken)


def _variants(connection: sqlite3.Connection, key: str) -> None:
    """Store three tables by four configurations: all agree on t1, the last loses t2, nobody has t9."""
    for number, config in enumerate(CONFIGS):
        is_last = config == CONFIGS[-1]
        run = {"config": config, "item_key": key, "cpu_seconds": 4.0 / (number + 1), "pages": 4, "status": "read", "reason": ""}
        _insert(connection, "variant_runs", {**run, "software": "v", "config_digest": "d", "truth_digest": "t"})
        for truth, right, total, score in (
            ("t1", 9, 9, 100.0),
            ("t2", 0 if is_last else 8, 9, 0.0 if is_last else 92.5),
            ("t9", 0, 2, 0.0),
        ):
            row = {"config": config, "item_key": key, "table_id": truth, "truth_id": truth, "score_pct": score}
            measures = {"cells_right": right, "cells_total": total, "cell_accuracy_pct": score}
            flags = {"is_perfect": truth == "t1", "is_missed": truth == "t9" or (truth == "t2" and is_last)}
            _insert(connection, "variant_results", {**row, **measures, **flags})


def _paper(
    connection: sqlite3.Connection,
    run: int,
    key: str,
    item_key: str | None,
    name: str,
    status: str,
    reason: str,
    pdf: str,
    **more: object,
) -> None:
    row = {"key": key, "run_id": run, "item_key": item_key, "short_name": name, "status": status, "reason": reason}
    digests = {"software": "v", "config_digest": "d", "truth_digest": "t"}
    _insert(connection, "stress_papers", {**row, "pdf_path": pdf, **digests, **more})


def _insert(connection: sqlite3.Connection, table: str, row: Mapping[str, object]) -> None:
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))


def _digest(pdf: Path) -> str:
    return hashlib.sha256(pdf.read_bytes()).hexdigest()


def place_missed_table(path: Path, box: tuple[float, float, float, float]) -> None:
    """Return None once the truth of the table that was missed says where it is."""
    connection = sqlite3.connect(path)
    (text,) = connection.execute("SELECT truth_json FROM ground_truth_diffs WHERE is_missed").fetchone()
    truth = {**json.loads(text), "bbox": box}
    connection.execute("UPDATE ground_truth_diffs SET truth_json = ? WHERE is_missed", (json.dumps(truth),))
    connection.commit()
    connection.close()
