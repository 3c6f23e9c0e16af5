"""How often a divider of a confidence is right: counted from votes that are written by hand."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from debug_samples import evidence, fill, truths

from variorum.evaluation.debug_db import open_debug_db
from variorum.evaluation.divider_confidence import CONFIDENCE_BINS, calibration_error, confidence_bins


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = open_debug_db(tmp_path / "votes.db")
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("INSERT INTO reference_dividers VALUES ('p', 't', 'column', 0, 100, 110, 'truth')")
    yield connection
    connection.close()


def vote(db: sqlite3.Connection, divider: str, position: float, *confidences: float, **fields: object) -> None:
    row = {"axis": "column", "accepted": 1, "reason": "x", "stance": "for", "reference": "truth", "table_id": "t", **fields}
    for n, confidence in enumerate(confidences):
        one = {"run_id": 1, "item_key": "p", "divider_id": divider, "position": position, "method": f"m{n}", **row}
        names, marks = ", ".join([*one, "scaled_confidence"]), ", ".join("?" * (len(one) + 1))
        db.execute(f"INSERT INTO divider_votes ({names}) VALUES ({marks})", (*one.values(), confidence))


def test_a_divider_has_the_mean_of_its_votes_and_is_right_inside_a_true_channel(db: sqlite3.Connection) -> None:
    vote(db, "c1", 105, 0.2, 0.6)  # mean 0.4, right
    vote(db, "c2", 111, 0.42, accepted=0)  # beside the channel
    found = confidence_bins(db)
    assert len(found) == CONFIDENCE_BINS
    (one,) = (b for b in found if b.dividers)
    assert (one.low, one.high) == (0.4, 0.5)
    assert (one.accepted, one.accepted_right, one.rejected, one.rejected_right) == (1, 1, 1, 0)
    assert one.share_right == 1 / 2
    assert one.mean_confidence == pytest.approx(0.41)


def test_confidences_of_one_and_more_are_in_the_last_bin(db: sqlite3.Connection) -> None:
    vote(db, "c1", 105, 1.0)
    vote(db, "c2", 106, 3.0)
    assert confidence_bins(db)[-1].dividers == 2


@pytest.mark.parametrize(
    "fields",
    [{"reason": "refused"}, {"stance": "silent"}, {"reference": "chosen"}, {"reference": None}],
    ids=["refused before the vote", "silence", "held against the chosen grid", "not known"],
)
def test_what_says_nothing_of_a_divider_is_not_counted(db: sqlite3.Connection, fields: dict[str, object]) -> None:
    vote(db, "c1", 105, 0.5, **fields)
    assert confidence_bins(db) == ()
    assert calibration_error(()) is None


def test_a_channel_of_the_other_axis_or_another_table_makes_nothing_right(db: sqlite3.Connection) -> None:
    vote(db, "r1", 105, 0.5, axis="row")
    vote(db, "c1", 105, 0.5, table_id="other")
    assert sum(b.right for b in confidence_bins(db)) == 0


def test_calibration_error_is_the_distance_weighted_by_dividers(db: sqlite3.Connection) -> None:
    for n in range(3):
        vote(db, f"c{n}", 105, 0.75)  # always right: a quarter too low
    vote(db, "c9", 50, 0.25)  # wrong: a quarter too high
    assert calibration_error(confidence_bins(db)) == pytest.approx((3 * 0.25 + 0.25) / 4)


def test_real_votes_are_all_counted(tmp_path: Path) -> None:
    connection = fill(tmp_path / "real.db", evidence(), truths())
    (known,) = connection.execute(
        "SELECT COUNT(*) FROM (SELECT DISTINCT table_id, axis, divider_id FROM divider_votes"
        " WHERE reference = 'truth' AND stance = 'for' AND reason <> 'refused')"
    ).fetchone()
    assert sum(b.dividers for b in confidence_bins(connection)) == known > 0
    connection.close()
