"""Coverage, overlap, conflict, accuracy, leave-one-out, deltas and oracle, on votes that can be counted by hand."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from debug_samples import evidence, fill, truths

from variorum.errors import UsageError
from variorum.evaluation.debug_db import open_debug_db
from variorum.evaluation.votes import Ablation, VoteAnalysis, VoterOnAxis, analyse
from variorum.tables.config import COMBINATION_STRATEGIES


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = fill(tmp_path / "a.db", evidence(), truths())
    yield connection
    connection.close()


def of(items: Sequence[VoterOnAxis], method: str, axis: str = "column") -> VoterOnAxis:
    return next(v for v in items if (v.method, v.axis) == (method, axis))


Voice = tuple[str, str, bool, str, str, float, bool | None]


def set_votes(db: sqlite3.Connection, table: str, voices: Sequence[Voice]) -> None:
    """Put these in place of all votes on columns: (divider, reason, accepted, method, stance, place, true or unknown)."""
    key = evidence().document.key
    db.execute("DELETE FROM divider_votes WHERE axis = 'column'")
    db.execute("DELETE FROM reference_dividers WHERE axis = 'column'")
    for divider, reason, accepted, method, stance, at, true in voices:
        place = at if stance == "for" else None
        db.execute(
            "INSERT INTO divider_votes (run_id, item_key, table_id, axis, divider_id, position, accepted, reason, method,"
            " stance, vote_start, vote_end, is_true, reference) VALUES (1, ?, ?, 'column', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (key, table, divider, at, accepted, reason, method, stance, place, place, true, None if true is None else "truth"),
        )


class TestVoters:
    def test_shares_can_be_counted_by_hand(self, db: sqlite3.Connection) -> None:
        key = evidence().document.key
        a, b, c = "pymupdf_lines", "gap_span_hotspot", "baseline_rows"
        set_votes(
            db,
            f"{key}_table_1",
            [
                ("c1", "above_threshold", True, a, "for", 10.0, True),
                ("c1", "above_threshold", True, b, "for", 10.0, True),
                ("c2", "above_threshold", True, a, "for", 20.0, False),
                ("c2", "above_threshold", True, b, "denies", 20.0, False),
                ("cx1", "rejected", False, a, "for", 30.0, False),
                ("cx1", "rejected", False, b, "silent", 30.0, False),
                ("c3", "above_threshold", True, a, "for", 40.0, True),
                ("c3", "above_threshold", True, b, "silent", 40.0, True),
                ("cx2", "refused", False, c, "for", 50.0, False),
            ],
        )
        for i, (low, high) in enumerate(((9.0, 11.0), (39.0, 41.0))):
            db.execute(
                "INSERT INTO reference_dividers VALUES (?, ?, 'column', ?, ?, ?, 'truth')",
                (key, f"{key}_table_1", i, low, high),
            )
        voters = analyse(db).voters
        first, second, third = of(voters, a), of(voters, b), of(voters, c)
        assert (first.tables, first.coverage, first.dividers) == (1, 1 / 3, 4)
        assert (first.overlap, first.conflict, first.rejected) == (1 / 4, 2 / 4, 1 / 4)
        assert (first.known, first.accuracy, first.recall) == (4, 2 / 4, 2 / 2)
        assert (second.dividers, second.overlap, second.conflict, second.accuracy, second.recall) == (1, 1.0, 0.0, 1.0, 1 / 2)
        assert (third.tables, third.dividers, third.refused, third.overlap, third.accuracy) == (0, 0, 1, None, None)

    def test_methods_stand_in_the_order_of_the_configuration(self, db: sqlite3.Connection) -> None:
        methods = [v.method for v in analyse(db).voters if v.axis == "row"]
        assert methods == list(evidence().document.config["structure_methods"])  # type: ignore[call-overload]

    def test_without_truth_votes_are_held_against_the_choice(self, tmp_path: Path) -> None:
        connection = fill(tmp_path / "b.db", evidence())
        analysis = analyse(connection)
        connection.close()
        assert analysis.reference == "chosen"
        assert of(analysis.voters, "gap_span_hotspot").accuracy == 1.0
        assert (analysis.oracle, analysis.deltas, analysis.wins) == (None, (), {})


class TestLeaveOneOut:
    def test_method_that_alone_sees_columns_is_missed(self, db: sqlite3.Connection) -> None:
        """Without the library's grid only the gaps speak of columns: two in each of the first tables, three in the third."""
        none = json.dumps({"method": "pymupdf_lines", "columns": [], "rows": [], "metadata": {}})
        db.execute("UPDATE method_results SET boundary_hypotheses_json = ? WHERE structure_method = 'pymupdf_lines'", (none,))
        ablations = {a.method: a for a in analyse(db).ablations}
        gaps = ablations["gap_span_hotspot"]
        assert (gaps.tables, gaps.changed, gaps.lost, gaps.gained) == (3, 3, 2 + 2 + 3, 0)
        assert (gaps.cells, gaps.perfect, gaps.better, gaps.worse) == (-17, -1, 0, 2)
        assert ablations["pymupdf_lines"] == Ablation(
            method="pymupdf_lines", tables=3, changed=0, lost=0, gained=0, cells=0, perfect=0, better=0, worse=0
        )

    def test_agreeing_methods_do_not_miss_each_other(self, db: sqlite3.Connection) -> None:
        for ablation in analyse(db).ablations:
            assert (ablation.tables, ablation.changed, ablation.cells) == (3, 0, 0)


class TestOtherRules:
    def test_every_strategy_is_tried_with_and_without_weights(self, db: sqlite3.Connection) -> None:
        votes = {v.name: v for v in analyse(db).other_votes}
        assert votes.keys() == {*COMBINATION_STRATEGIES, *(f"{name}, equal weights" for name in COMBINATION_STRATEGIES)}
        for vote in votes.values():  # the methods agree, so that every rule comes to the same
            assert (vote.tables, vote.changed, vote.cells, vote.perfect, vote.better, vote.worse) == (3, 0, 17, 1, 0, 0)

    def test_rules_that_differ_show_in_the_dividers(self, db: sqlite3.Connection) -> None:
        """A divider that one method alone sees, denied by none, has weight but no majority."""
        lone = {"method": "baseline_rows", "columns": [], "rows": [], "metadata": {"complete": ["row"]}}
        for table, text in db.execute(
            "SELECT DISTINCT table_id, boundary_hypotheses_json FROM method_results WHERE structure_method = 'pymupdf_lines'"
        ).fetchall():
            said = json.loads(text)
            first = said["columns"][0]
            said["columns"] = [[first[0], first[1], 1.0, None, "pymupdf_lines"]]
            said["metadata"] = {}
            db.execute(
                "UPDATE method_results SET boundary_hypotheses_json = ?"
                " WHERE table_id = ? AND structure_method = 'pymupdf_lines'",
                (json.dumps(said), table),
            )
        db.execute(
            "UPDATE method_results SET boundary_hypotheses_json = ? WHERE structure_method = 'baseline_rows'",
            (json.dumps(lone),),
        )
        votes = {v.name: v for v in analyse(db).other_votes}
        assert votes["plain_majority"].changed == 3
        assert votes["plain_majority"].cells < votes["weighted_votes"].cells
        assert votes["weighted_votes"].changed == 0


class TestChoice:
    def test_oracle_and_deltas(self, db: sqlite3.Connection) -> None:
        analysis = analyse(db)
        oracle = analysis.oracle
        assert oracle is not None
        assert (analysis.compared, analysis.missed, oracle.tables, oracle.cells) == (2, 1, 2, 18)
        assert (oracle.choice, oracle.consensus, oracle.best_single, oracle.best_candidate, oracle.ratio) == (
            17,
            17,
            17,
            17,
            1.0,
        )
        assert (oracle.perfect_choice, oracle.perfect_best_candidate) == (1, 1)
        assert [(d.delta, d.consensus_delta) for d in analysis.deltas] == [(0.0, 0.0), (0.0, 0.0)]

    def test_better_candidate_shows_in_the_gap(self, db: sqlite3.Connection) -> None:
        key = evidence().document.key
        db.execute(
            "UPDATE method_results SET cells_right = 9, score_pct = 100, is_perfect = 1"
            " WHERE table_id = ? AND method_name = 'gap_span_hotspot+rawdict'",
            (f"{key}_table_2",),
        )
        analysis = analyse(db)
        assert analysis.oracle is not None
        assert (analysis.oracle.best_candidate, analysis.oracle.ratio) == (18, 17 / 18)
        assert analysis.oracle.best_single_name == "gap_span_hotspot+rawdict"
        worst = analysis.deltas[0]
        assert (worst.table, worst.best_single_name) == (f"{key}_table_2", "gap_span_hotspot+rawdict")
        assert worst.delta == worst.choice - 100.0 < 0

    def test_winners(self, db: sqlite3.Connection) -> None:
        (winner,) = analyse(db).winners
        assert (winner.name, winner.tables, winner.accuracy) == ("consensus:rawdict", 3, (100.0 + 800 / 9) / 2)


def test_analysis_is_plain_data_and_the_same_each_time(db: sqlite3.Connection) -> None:
    def data(analysis: VoteAnalysis) -> str:
        return json.dumps({k: v for k, v in analysis.to_dict().items() if k != "outcomes"}, sort_keys=True)

    assert data(analyse(db)) == data(analyse(db))
    assert analyse(db).to_dict()["deltas"][0]["delta"] == 0.0


def test_database_without_papers_and_one_without_tables_are_refused_each_with_its_own_reason(tmp_path: Path) -> None:
    connection = open_debug_db(tmp_path / "c.db")
    with pytest.raises(UsageError, match=r"c\.db: holds no paper yet") as caught:
        analyse(connection, "c.db")
    assert caught.value.hint == "variorum extract PDF --debug-db c.db"
    connection.close()
    connection = fill(tmp_path / "d.db", evidence())
    connection.execute("DELETE FROM pipeline_runs")
    with pytest.raises(UsageError, match=r"d\.db: holds no table: none was found in its paper") as caught:
        analyse(connection, "d.db")
    assert "--debug-db" not in caught.value.hint
    connection.close()
