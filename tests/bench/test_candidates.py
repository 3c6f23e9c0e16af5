"""What follows from the readings of single tables: figures that can be checked by hand."""

from __future__ import annotations

import pytest

from bench._candidates import Key, Read, Readings, comparison, oracle, sources, verdict

A, B, C = Key("d", "a"), Key("d", "b"), Key("e", "c")


def read(hits: int, cells: int = 10, table_id: str = "t", f1: float = 0.5) -> Read:
    return Read(hits, cells, hits == cells, f1, {"table_id": table_id, "hits": hits})


READINGS = Readings(
    {A: 10, B: 10, C: 20},
    {
        A: {"choice": read(8), "consensus v:x": read(9), "lines:x": read(10), "text:x": read(2, table_id="silent")},
        B: {"choice": read(6), "consensus v:x": read(6), "lines:x": read(5), "text:x": read(6, table_id="silent")},
        C: {},
    },
)


def test_best_reading_has_most_cells_right() -> None:
    assert [READINGS.best(k)[0] if READINGS.best(k) else "" for k in READINGS.cells] == ["lines:x", "choice", ""]  # type: ignore[index]
    assert [t["hits"] for t in oracle(READINGS)["d"]] == [10, 6]
    assert oracle(READINGS)["e"] == []


def test_missed_table_counts_zero_in_the_mean() -> None:
    assert READINGS.mean_accuracy("lines:x") == pytest.approx((10 / 10 + 5 / 10 + 0) / 3)
    assert READINGS.perfect_share("lines:x") == pytest.approx(1 / 3)


def test_sources_are_single_methods() -> None:
    assert sources(["choice default", "consensus v:x", "lines:x", "oracle"]) == ["lines:x"]


def test_comparison_counts_tables() -> None:
    assert comparison(READINGS, "choice", ["lines:x", "text:x"]) == {"better": 0, "equal": 2, "worse": 1}
    assert comparison(READINGS, "choice", ["text:x"]) == {"better": 1, "equal": 2, "worse": 0}


def test_verdict_can_be_checked_by_hand() -> None:
    found = verdict(READINGS, choice="choice", consensus=["consensus v:x"], completed={"text": ["silent"]})
    assert (found["choice_hits"], found["best_hits"], found["choice_share"]) == (14, 16, 0.875)
    assert (found["best_single"], found["best_single_mean"]) == ("lines:x", 0.5)
    assert found["margin"] == pytest.approx((0.8 + 0.6) / 3 - 1.5 / 3, abs=1e-4)
    assert found["consensus_against_sources"] == {"better": 0, "equal": 2, "worse": 1}
    assert found["consensus_against_sources_whole"] == {"better": 1, "equal": 1, "worse": 1}


def test_verdict_of_nothing_is_no_success() -> None:
    found = verdict(Readings({}, {}), choice="choice", consensus=[], completed={})
    assert (found["choice_share"], found["choice_mean"], found["best_single"]) == (0.0, 0.0, "")
