"""The debug database: what is in it, that every documented query runs and tells the truth, and that no file is harmed."""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from debug_samples import evidence, fill, truths

from variorum.errors import DamagedInputError, InputNotFoundError, OutputError, SchemaError
from variorum.evaluation import _debug_rows, debug_db
from variorum.evaluation._debug_schema import SCHEMA_VERSION, TABLES
from variorum.evaluation.debug_db import begin_run, open_debug_db, read_debug_db, reading_debug_db, write_paper
from variorum.evaluation.stored import (
    context_from_json,
    context_to_json,
    hypothesis_from_json,
    hypothesis_to_json,
)
from variorum.tables.config import PipelineConfig
from variorum.tables.model import BoundaryHypothesis, BoundaryPoint
from variorum.tables.pipeline import Pipeline

PAGE = Path(__file__).resolve().parents[2] / "docs" / "debug-database.md"
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)

# The columns that the founding documents name.
FOUNDING = {
    "papers": "item_key short_name quality_grade unmatched_table_captions full_markdown",
    "extracted_tables": ("item_key caption headers_json rows_json fill_rate num_rows num_cols bbox artifact_type markdown"),
    "extracted_figures": "caption bbox image_path reference_context",
    "sections": "label heading char_start char_end confidence",
    "chunks": "section page_num text char_start char_end",
    "pages": "markdown",
    "test_results": "test_name paper passed detail severity",
    "run_metadata": "started_at finished_at paper_count table_count",
    "method_results": "table_id method_name boundary_hypotheses_json cell_grid_json quality_score execution_time_ms",
    "pipeline_runs": "table_id pipeline_config_json winning_method final_score",
    "ground_truth_diffs": (
        "table_id run_id diff_json cell_accuracy_pct num_splits num_merges num_cell_diffs gt_shape ext_shape"
    ),
}


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    connection = fill(tmp_path_factory.mktemp("db") / "debug.db", evidence(), truths())
    yield connection
    connection.close()


@pytest.fixture
def key() -> str:
    return evidence().document.key


def query(start: str, db: sqlite3.Connection, table_id: str = "") -> list[tuple[object, ...]]:
    """Return what the documented query that begins (or contains) so answers."""
    found = [q for q in QUERIES if start in q]
    assert len(found) == 1, start
    return db.execute(found[0].replace("<TABLE_ID>", table_id)).fetchall()


class TestSchema:
    @pytest.mark.parametrize("table", FOUNDING)
    def test_columns_of_the_founding_documents_are_there(self, db: sqlite3.Connection, table: str) -> None:
        columns = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
        assert set(FOUNDING[table].split()) <= columns

    @pytest.mark.parametrize("sql", QUERIES)
    def test_every_documented_query_runs(self, db: sqlite3.Connection, sql: str) -> None:
        db.execute(sql).fetchall()

    def test_every_table_is_in_the_documentation(self) -> None:
        page = PAGE.read_text(encoding="utf-8")
        assert [t for t in TABLES if f"`{t}`" not in page] == []


class TestQueriesTellTheTruth:
    def test_low_fill_rates(self, db: sqlite3.Connection) -> None:
        rows = query("fill_rate < 0.5", db)
        assert rows == [("drugs", "Table 3. What was measured.", 7 / 16, 4, 4)]

    def test_decimal_displacement(self, db: sqlite3.Connection) -> None:
        assert [row[1] for row in query("""rows_json LIKE '%".%'""", db)] == ["Table 2. What was measured."]

    def test_unmatched_captions(self, db: sqlite3.Connection) -> None:
        assert query("unmatched_table_captions != '[]'", db) == [("drugs", '["Table 4. What was measured."]')]

    def test_major_failures(self, db: sqlite3.Connection) -> None:
        assert query("severity = 'MAJOR'", db) == []

    def test_wins_count_every_tie_on_every_table(self, db: sqlite3.Connection) -> None:
        # three methods agree on all three tables, with each cell method
        cells = len(evidence().document.tables[0].apparatus.cell_methods)  # type: ignore[union-attr]
        rows = query("AS structure", db)
        assert sorted(rows) == [(m, 3 * cells) for m in ("baseline_rows", "gap_span_hotspot", "pymupdf_lines")]

    def test_best_single_against_pipeline(self, db: sqlite3.Connection, key: str) -> None:
        rows = query("AS delta", db)
        assert (f"{key}_table_1", 100.0, 100.0, 0.0) in rows
        assert (f"{key}_table_2", 800 / 9, 800 / 9, 0.0) in rows
        assert (f"{key}_table_3", 100 * 7 / 16, None, None) in rows

    def test_combination_hurts_nowhere_here(self, db: sqlite3.Connection) -> None:
        assert query("HAVING MAX(mr.quality_score) > gtd", db) == []

    def test_methods_of_one_table(self, db: sqlite3.Connection, key: str) -> None:
        rows = query("<TABLE_ID>", db, f"{key}_table_1")
        assert {name for name, _ in rows} >= {"pymupdf_lines+rawdict", "gap_span_hotspot+word_assignment"}
        assert all(quality == 100.0 for _, quality in rows)

    def test_winning_methods(self, db: sqlite3.Connection) -> None:
        assert query("AS avg_accuracy", db) == [("consensus:rawdict", 3, (100.0 + 800 / 9) / 2)]

    def test_worst_tables_begin_with_the_missed_one(self, db: sqlite3.Connection, key: str) -> None:
        rows = query("ORDER BY cell_accuracy_pct ASC", db)
        assert rows == [("t9", 0.0, 0, 0, 0), (f"{key}_table_2", 800 / 9, 0, 0, 1), (f"{key}_table_1", 100.0, 0, 0, 0)]

    def test_dividers(self, db: sqlite3.Connection) -> None:
        assert query("accepted = 0 AND is_true = 1", db) == []
        assert query("HAVING MAX(is_true) = 0", db) == []


class TestContent:
    def test_quality_kind_says_truth_only_where_a_truth_was_compared(self, db: sqlite3.Connection, key: str) -> None:
        rows = db.execute("SELECT DISTINCT table_id, quality_kind FROM candidates ORDER BY table_id").fetchall()
        assert rows == [(f"{key}_table_1", "truth"), (f"{key}_table_2", "truth"), (f"{key}_table_3", "fill_rate")]

    def test_candidates_are_those_of_the_document(self, db: sqlite3.Connection) -> None:
        for table in evidence().document.tables:
            assert table.apparatus is not None
            rows = db.execute("SELECT method_name FROM candidates WHERE table_id = ?", (table.id,))
            assert sorted(name.replace("+", ":") for (name,) in rows) == sorted(c.name for c in table.apparatus.candidates)

    def test_exactly_one_candidate_is_chosen(self, db: sqlite3.Connection) -> None:
        assert {n for (n,) in db.execute("SELECT SUM(is_chosen) FROM candidates GROUP BY table_id")} == {1}

    def test_times_are_there_and_not_in_the_document(self, db: sqlite3.Connection) -> None:
        (least,) = db.execute("SELECT MIN(execution_time_ms) FROM candidates").fetchone()
        assert least is not None
        assert least >= 0
        assert "cpu_seconds" not in evidence().document.to_json()

    def test_votes_are_those_of_the_apparatus(self, db: sqlite3.Connection) -> None:
        table = evidence().document.tables[0]
        assert table.apparatus is not None
        said = [(d.id, v.method, v.start, v.confidence) for d in table.apparatus.dividers for v in d.votes]
        rows = db.execute(
            "SELECT divider_id, method, vote_start, confidence FROM divider_votes WHERE stance = 'for' AND table_id = ?",
            (table.id,),
        )
        assert rows.fetchall() == said

    def test_dividers_are_judged_by_the_perfect_grid_by_the_choice_or_not_at_all(
        self, db: sqlite3.Connection, key: str
    ) -> None:
        rows = db.execute("SELECT DISTINCT table_id, reference, is_true FROM divider_votes ORDER BY table_id").fetchall()
        assert rows == [
            (f"{key}_table_1", "truth", 1),
            (f"{key}_table_2", None, None),  # no grid agrees with this truth
            (f"{key}_table_3", "chosen", 1),
        ]
        (count,) = db.execute("SELECT COUNT(*) FROM reference_dividers WHERE table_id = ?", (f"{key}_table_1",)).fetchone()
        assert count == 2 + 3

    def test_run_counts_its_papers(self, db: sqlite3.Connection) -> None:
        papers, tables, true, seconds = db.execute(
            "SELECT paper_count, table_count, truth_count, method_cpu_seconds FROM run_metadata WHERE finished_at IS NOT NULL"
        ).fetchone()
        assert (papers, tables, true) == (1, 3, 3)
        assert seconds > 0

    def test_config_in_the_database_is_the_one_in_effect(self, db: sqlite3.Connection) -> None:
        for (text,) in db.execute("SELECT pipeline_config_json FROM pipeline_runs"):
            assert json.loads(text) == evidence().document.config


class TestVoteCanBeHeldAgain:
    def test_context_comes_back_whole(self) -> None:
        for item in evidence().tables:
            text = context_to_json(item.context)
            again = context_from_json(text)
            assert (again.words, again.rules, again.bbox) == (item.context.words, item.context.rules, item.context.bbox)
            assert context_to_json(again) == text

    def test_consensus_and_grids_from_the_stored_text_are_those_of_the_run(self) -> None:
        paper = evidence()
        pipeline = Pipeline(PipelineConfig.from_dict(paper.document.config))
        for item in paper.tables:
            context = context_from_json(context_to_json(item.context))
            said = [hypothesis_from_json(hypothesis_to_json(h)) for h in item.result.boundary_hypotheses]
            consensus, _ = pipeline.consensus_of(context, said)
            assert consensus.col_boundaries == item.result.consensus.col_boundaries
            assert consensus.row_boundaries == item.result.consensus.row_boundaries
            own = tuple(g for g in item.result.candidates if g.structure_method == "consensus")
            assert pipeline.grids_of(context, item.result.consensus) == own

    def test_faulty_numbers_survive(self) -> None:
        point = BoundaryPoint(float("nan"), float("inf"), 0.5, "m")
        again = hypothesis_from_json(hypothesis_to_json(BoundaryHypothesis((point,), (), "m", {"complete": ("row",)})))
        assert again.metadata == {"complete": ("row",)}
        low, high = again.col_boundaries[0].min_pos, again.col_boundaries[0].max_pos
        assert math.isnan(low)
        assert math.isnan(high)


class TestWriting:
    def test_paper_read_again_replaces_itself(self, tmp_path: Path) -> None:
        connection = fill(tmp_path / "a.db", evidence(), truths())
        before = [connection.execute(f"SELECT COUNT(*) FROM {t}").fetchone() for t in TABLES if t != "run_metadata"]
        connection.close()
        connection = fill(tmp_path / "a.db", evidence(), truths())
        after = [connection.execute(f"SELECT COUNT(*) FROM {t}").fetchone() for t in TABLES if t != "run_metadata"]
        assert before == after
        assert connection.execute("SELECT COUNT(*) FROM run_metadata").fetchone() == (2,)
        connection.close()

    @pytest.mark.parametrize("fault", [KeyboardInterrupt(), sqlite3.OperationalError("disk I/O error")])
    def test_interrupted_paper_is_not_there_in_part(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
    ) -> None:
        connection = fill(tmp_path / "a.db", evidence())
        before = list(connection.iterdump())
        insert, calls = debug_db._insert, 0

        def stop_half_way(*arguments: object) -> None:
            nonlocal calls
            calls += 1
            if calls > 20:
                raise fault
            insert(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(debug_db, "_insert", stop_half_way)
        with pytest.raises(OutputError if isinstance(fault, sqlite3.Error) else KeyboardInterrupt):
            write_paper(connection, evidence(), run_id=1, truths=truths())
        assert list(connection.iterdump()) == before
        connection.close()

    def test_same_paper_gives_the_same_rows_but_times(self, tmp_path: Path) -> None:
        dumps = []
        for name in ("a.db", "b.db"):
            connection = fill(tmp_path / name, evidence(), truths())
            rows = [r for t in TABLES if t != "run_metadata" for r in connection.execute(f"SELECT * FROM {t} ORDER BY rowid")]
            dumps.append(rows)
            connection.close()
        assert dumps[0] == dumps[1]

    def test_half_a_surrogate_is_written_as_a_question_mark(self) -> None:
        assert debug_db._storable("a\ud800b") == "a?b"


class TestForeignFiles:
    def refuse(self, path: Path, what: str) -> None:
        before = path.read_bytes()
        with pytest.raises(OutputError, match=what) as caught:
            open_debug_db(path)
        assert caught.value.where == str(path)
        assert path.read_bytes() == before

    def test_text_file(self, tmp_path: Path) -> None:
        path = tmp_path / "notes.txt"
        path.write_text("notes " * 500)
        self.refuse(path, "not a database")
        with pytest.raises(DamagedInputError):
            read_debug_db(path)

    def test_other_sqlite_file(self, tmp_path: Path) -> None:
        path = tmp_path / "other.db"
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE papers (item_key TEXT)")
        other.close()
        self.refuse(path, "something else")
        with pytest.raises(DamagedInputError, match="something else"):
            read_debug_db(path)

    def test_other_schema_version(self, tmp_path: Path) -> None:
        path = tmp_path / "old.db"
        connection = open_debug_db(path)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        connection.close()
        self.refuse(path, f"schema version {SCHEMA_VERSION + 1}")
        with pytest.raises(SchemaError, match=f"schema version {SCHEMA_VERSION + 1}"):
            read_debug_db(path)

    def test_folder_and_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(OutputError, match="folder"):
            open_debug_db(tmp_path)
        with pytest.raises(InputNotFoundError, match="is a folder"):
            read_debug_db(tmp_path)
        with pytest.raises(InputNotFoundError, match="no such debug database"):
            read_debug_db(tmp_path / "none.db")
        assert not (tmp_path / "none.db").exists()

    def test_missing_folder_is_made_and_a_file_in_its_place_refused(self, tmp_path: Path) -> None:
        open_debug_db(tmp_path / "no" / "such" / "folder.db").close()
        read_debug_db(tmp_path / "no" / "such" / "folder.db").close()
        with pytest.raises(OutputError, match="cannot be opened"):
            open_debug_db(tmp_path / "no" / "such" / "folder.db" / "x.db")

    def test_database_that_lacks_a_table_or_a_column_is_damaged(self, tmp_path: Path) -> None:
        path = tmp_path / "a.db"
        connection = fill(path, evidence())
        connection.execute("ALTER TABLE papers RENAME COLUMN short_name TO name")
        connection.close()
        with pytest.raises(DamagedInputError, match="no such column") as caught, reading_debug_db(path) as reading:
            reading.execute("SELECT short_name FROM papers")
        assert caught.value.hint.startswith("read the papers again")
        with sqlite3.connect(path) as other:
            other.execute("DROP TABLE divider_votes")
        other.close()
        with pytest.raises(DamagedInputError, match="lacks divider_votes") as caught:
            read_debug_db(path)
        assert caught.value.hint.startswith("read the papers again")
        self.refuse(path, "lacks divider_votes")

    def test_empty_file_is_a_new_database_to_write_and_none_to_read(self, tmp_path: Path) -> None:
        path = tmp_path / "new.db"
        path.touch()
        with pytest.raises(DamagedInputError, match="is an empty file"):
            read_debug_db(path)
        open_debug_db(path).close()
        read_debug_db(path).close()

    def test_reading_cannot_write(self, tmp_path: Path) -> None:
        open_debug_db(tmp_path / "a.db").close()
        connection = read_debug_db(tmp_path / "a.db")
        with pytest.raises(OutputError, match="readonly"):
            begin_run(connection, "test")
        connection.close()


def test_cells_right_counts_data_cells_only() -> None:
    """Table 2 has one figure of nine data cells wrong; its three header cells do not count."""
    from variorum.evaluation.ground_truth import compare_extraction

    truth = truths()[1]
    result = compare_extraction(truth, evidence().document.tables[1])
    assert _debug_rows.cells_right(truth, result) == (8, 9)
