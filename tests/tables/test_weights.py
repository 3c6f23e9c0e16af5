"""Measured weights: read strictly from package data, boosted by a named configuration, replaced by a user's file, and in the
vote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from variorum.errors import ConfigError
from variorum.geometry import Box
from variorum.page.model import Word
from variorum.tables import weights as weights_module
from variorum.tables.config import COMBINATION_STRATEGIES, DEFAULT_CONFIG, RULED_CONFIG, PipelineConfig, load_config
from variorum.tables.model import TableContext
from variorum.tables.pipeline import Pipeline
from variorum.tables.registry import structure_methods
from variorum.tables.weights import MethodRecord, Weights, in_effect, parse_weights, shipped_weights

MEASURED = {"ruled_lines": 0.5, "gap_span_hotspot": 0.25, "single_point_hotspot": 0.125}


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the package come with `MEASURED`."""
    monkeypatch.setattr(weights_module, "shipped_weights", lambda: Weights(confidence_multipliers=MEASURED))


def words_of(rows: list[list[str]]) -> tuple[Word, ...]:
    """Return words on a grid: columns 80 points apart, rows 14 points apart."""
    return tuple(
        Word(text, Box(80.0 * c, 14.0 * r, 80.0 * c + 6.0 * len(text), 14.0 * r + 10.0), 14.0 * r + 8.0, 10.0, "F", 0, 0, r)
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
    )


def context() -> TableContext:
    words = words_of([["Name", "one", "two"], ["aaa", "1", "2"], ["bbb", "3", "4"], ["ccc", "5", "6"]])
    return TableContext(bbox=Box(-2.0, -2.0, 200.0, 60.0), words=words)


class TestInEffect:
    def test_named_configuration_boosts_what_was_measured(self) -> None:
        effective = in_effect(RULED_CONFIG, MEASURED).confidence_multipliers
        assert effective["ruled_lines"] == 3.0 * 0.5
        assert effective["gap_span_hotspot"] == 0.25

    def test_users_file_comes_last(self, tmp_path: Path) -> None:
        path = tmp_path / "my.toml"
        path.write_text('inherit = "ruled"\n[confidence_multipliers]\ngap_span_hotspot = 2.0\nsingle_point_hotspot = 1\n')
        effective = in_effect(load_config(path), MEASURED).confidence_multipliers
        assert effective["gap_span_hotspot"] == 2.0
        assert effective.get("single_point_hotspot", 1.0) == 1.0
        assert effective["ruled_lines"] == 3.0 * 0.5  # inherited, so it stays a boost

    def test_users_file_may_boost_as_well(self, tmp_path: Path) -> None:
        path = tmp_path / "my.toml"
        path.write_text('inherit = "default"\nfinal_multipliers = []\n[confidence_multipliers]\nruled_lines = 4.0\n')
        assert in_effect(load_config(path), MEASURED).confidence_multipliers["ruled_lines"] == 2.0

    def test_what_is_in_effect_stays_so(self) -> None:
        once = in_effect(RULED_CONFIG, MEASURED)
        assert in_effect(once, {"ruled_lines": 0.9}) == once
        assert PipelineConfig.from_dict(json.loads(json.dumps(once.to_dict()))) == once

    def test_no_weights_leave_the_multipliers_of_the_configuration(self) -> None:
        assert in_effect(RULED_CONFIG, {}).confidence_multipliers == RULED_CONFIG.confidence_multipliers

    def test_unknown_final_multiplier_is_refused(self) -> None:
        with pytest.raises(ConfigError, match=r"final_multipliers\[0\]"):
            PipelineConfig.from_dict({"final_multipliers": ["ruled_linez"]}, base=DEFAULT_CONFIG)


@pytest.mark.usefixtures("measured")
class TestPipeline:
    def test_weights_are_read_when_a_pipeline_is_made(self) -> None:
        assert Pipeline(DEFAULT_CONFIG).config.confidence_multipliers["gap_span_hotspot"] == 0.25

    @pytest.mark.parametrize("strategy", COMBINATION_STRATEGIES)
    def test_multipliers_arrive_in_the_vote_under_every_strategy(self, strategy: str) -> None:
        methods = ("gap_span_hotspot", "single_point_hotspot", "baseline_rows")
        config = PipelineConfig(
            name="test", structure_methods=methods, cell_methods=("word_assignment",), combination_strategy=strategy
        )
        result = Pipeline(config).extract(context())
        votes = [v for d in result.apparatus.dividers for v in d.votes]
        assert {v.method for v in votes} == set(methods)
        for vote in votes:
            assert vote.scaled_confidence == vote.confidence * MEASURED.get(vote.method, 1.0)


class TestFile:
    def test_the_package_comes_with_weights(self) -> None:
        assert shipped_weights().confidence_multipliers.keys() <= structure_methods().keys()

    def test_round_trip(self) -> None:
        weights = Weights(
            confidence_multipliers={"ruled_lines": 1.0, "pymupdf_text": 0.1},
            records={"ruled_lines": MethodRecord(wins=1.5, participation=2, rate=0.75)},
            versions={"variorum": "1"},
            corpus_sha256="ab",
            config="default",
            paper_count=2,
            table_count=3,
            out_of_fold={"k": {"ruled_lines": 1.0}},
        )
        assert parse_weights(weights.to_json(), "x") == weights

    def test_weights_without_a_paper(self) -> None:
        weights = Weights(confidence_multipliers={"ruled_lines": 1.0}, out_of_fold={"k": {"ruled_lines": 0.5}})
        assert weights.weights_without("k") == {"ruled_lines": 0.5}
        assert weights.weights_without("another") == {"ruled_lines": 1.0}

    @pytest.mark.parametrize(
        ("text", "where", "what"),
        [
            ("", "w.json", "not JSON"),
            ("[" * 100_000, "w.json", "not JSON"),
            ("[]", "w.json", "must be an object"),
            ("{}", "w.json: confidence_multipliers", "is missing"),
            ('{"confidence_multipliers": []}', "w.json: confidence_multipliers", "must be an object"),
            ('{"confidence_multipliers": {"x": 1}}', "w.json: confidence_multipliers.x", "unknown structure method"),
            ('{"confidence_multipliers": {"ruled_lines": 0}}', "w.json: confidence_multipliers.ruled_lines", "above 0"),
            ('{"confidence_multipliers": {"ruled_lines": NaN}}', "w.json: confidence_multipliers.ruled_lines", "finite"),
            ('{"confidence_multipliers": {"ruled_lines": "1"}}', "w.json: confidence_multipliers.ruled_lines", "a number"),
            ('{"confidence_multipliers": {}, "recods": {}}', "w.json: recods", "unknown key"),
            (
                '{"confidence_multipliers": {}, "records": {"ruled_lines": {"win": 1}}}',
                "w.json: records.ruled_lines.win",
                "unk",
            ),
            ('{"confidence_multipliers": {}, "out_of_fold": {"k": {"x": 1}}}', "w.json: out_of_fold.k.x", "unknown structure"),
            ('{"confidence_multipliers": {}, "paper_count": -1}', "w.json: paper_count", "above 0"),
        ],
    )
    def test_fault_is_named_by_its_path(self, text: str, where: str, what: str) -> None:
        with pytest.raises(ConfigError, match=what) as caught:
            parse_weights(text, "w.json")
        assert caught.value.where == where


class TestFileOfTheUser:
    """``--weights FILE``, and ``weights = "FILE"`` in a configuration."""

    def test_takes_the_place_of_the_shipped_weights_and_is_boosted_like_them(self, tmp_path: Path) -> None:
        path = tmp_path / "w.json"
        path.write_text(Weights(confidence_multipliers=MEASURED).to_json(), encoding="utf-8")
        assert load_config("ruled", weights=path) == in_effect(RULED_CONFIG, MEASURED)

    def test_arrives_in_the_vote(self, tmp_path: Path) -> None:
        path = tmp_path / "w.json"
        path.write_text(Weights(confidence_multipliers=MEASURED).to_json(), encoding="utf-8")
        pipeline = Pipeline(load_config("fast", weights=path))
        assert pipeline.config.confidence_multipliers == {"gap_span_hotspot": 0.25}
        votes = [v for d in pipeline.extract(context()).apparatus.dividers for v in d.votes]
        assert {v.method for v in votes} >= {"gap_span_hotspot", "baseline_rows"}
        for vote in votes:
            assert vote.scaled_confidence == vote.confidence * MEASURED.get(vote.method, 1.0)

    def test_configuration_names_it_from_its_own_folder_and_the_argument_comes_first(self, tmp_path: Path) -> None:
        (tmp_path / "w.json").write_text('{"confidence_multipliers": {"gap_span_hotspot": 0.5, "baseline_rows": 0.5}}')
        (tmp_path / "other.json").write_text('{"confidence_multipliers": {"gap_span_hotspot": 0.75}}')
        config = tmp_path / "my.toml"
        config.write_text('inherit = "fast"\nweights = "w.json"\n[confidence_multipliers]\nbaseline_rows = 2.0\n')
        assert load_config(config).confidence_multipliers == {"gap_span_hotspot": 0.5, "baseline_rows": 2.0}
        chosen = load_config(config, weights=tmp_path / "other.json")
        assert chosen.confidence_multipliers == {"gap_span_hotspot": 0.75, "baseline_rows": 2.0}

    @pytest.mark.parametrize(
        ("data", "what"),
        [(None, "no such weights file"), (b"\xff", "is not UTF-8"), (b"{", "not JSON"), (b"{}", "is missing")],
    )
    def test_fault_is_named_by_the_file(self, tmp_path: Path, data: bytes | None, what: str) -> None:
        path = tmp_path / "w.json"
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(ConfigError, match=what) as caught:
            load_config("fast", weights=path)
        assert caught.value.where.startswith(str(path))
        assert caught.value.hint == "a file written by: variorum tune"

    def test_folder_is_no_weights_file(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="is a folder"):
            load_config("fast", weights=tmp_path)
