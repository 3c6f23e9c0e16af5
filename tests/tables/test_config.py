"""Claims about configurations: the named ones hold what exists, and a file is refused at its first fault, with its path."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from variorum.errors import ConfigError
from variorum.tables.config import (
    DEFAULT_CONFIG,
    FAST_CONFIG,
    MINIMAL_CONFIG,
    NAMED_CONFIGS,
    RULED_CONFIG,
    PipelineConfig,
    load_config,
)
from variorum.tables.registry import cell_methods, post_processors, structure_methods


def refused(folder: Path, text: str) -> ConfigError:
    path = folder / "my.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert caught.value.exit_code == 7
    assert "\n" not in str(caught.value)
    return caught.value


def loaded(folder: Path, text: str) -> PipelineConfig:
    path = folder / "my.toml"
    path.write_text(text, encoding="utf-8")
    return load_config(str(path))


class TestNamedConfigs:
    @pytest.mark.parametrize("name", NAMED_CONFIGS)
    def test_names_only_what_exists(self, name: str) -> None:
        config = load_config(name)
        assert config is NAMED_CONFIGS[name]
        assert set(config.structure_methods) <= set(structure_methods())
        assert set(config.cell_methods) <= set(cell_methods())
        assert set(config.post_processors) <= set(post_processors())

    @pytest.mark.parametrize("config", [DEFAULT_CONFIG, RULED_CONFIG], ids=["default", "ruled"])
    def test_the_thirteen_are_in(self, config: PipelineConfig) -> None:
        thirteen = {
            "single_point_hotspot",
            "gap_span_hotspot",
            "global_cliff",
            "per_row_cliff",
            "header_anchor",
            "ruled_lines",
            "pymupdf_lines",
            "pymupdf_lines_strict",
            "pymupdf_text",
            "camelot_lattice",
            "camelot_hybrid",
            "pdfplumber_lines",
            "pdfplumber_text",
        }
        assert len(thirteen) == 13
        assert thirteen | {"baseline_rows"} <= set(config.structure_methods)
        assert len(set(config.structure_methods)) == len(config.structure_methods)

    @pytest.mark.parametrize("config", [DEFAULT_CONFIG, RULED_CONFIG], ids=["default", "ruled"])
    def test_camelot_reads_ruled_tables_and_cliffs_are_asked_of_others(self, config: PipelineConfig) -> None:
        assert config.activation_rule("camelot_lattice") == config.activation_rule("camelot_hybrid") == "ruled"
        assert config.activation_rule("global_cliff") == config.activation_rule("per_row_cliff") == "unruled"

    def test_default_has_every_cell_method_and_post_processor(self) -> None:
        assert set(DEFAULT_CONFIG.cell_methods) == set(cell_methods())
        assert set(DEFAULT_CONFIG.post_processors) == set(post_processors())

    def test_post_processors_run_in_the_order_of_the_registry(self) -> None:
        order = list(post_processors())
        for config in NAMED_CONFIGS.values():
            assert list(config.post_processors) == [name for name in order if name in config.post_processors]

    def test_ruled_differs_from_default_by_three_voices_for_ruled_lines(self) -> None:
        assert replace(RULED_CONFIG, name="default", confidence_multipliers={}) == replace(
            DEFAULT_CONFIG, confidence_multipliers={}
        )
        assert RULED_CONFIG.confidence_multipliers["ruled_lines"] == 3.0

    def test_fast_and_minimal_are_the_founding_documents(self) -> None:
        assert {"pymupdf_lines", "gap_span_hotspot"} <= set(FAST_CONFIG.structure_methods)
        assert MINIMAL_CONFIG.structure_methods == ("pymupdf_lines",)
        assert MINIMAL_CONFIG.cell_methods == ("rawdict",)
        assert MINIMAL_CONFIG.post_processors == ("absorbed_caption_strip", "cell_cleaning")


class TestPipelineConfig:
    def test_is_frozen_all_the_way_down(self) -> None:
        with pytest.raises(FrozenInstanceError):
            DEFAULT_CONFIG.name = "mine"  # type: ignore[misc]
        with pytest.raises(TypeError):
            RULED_CONFIG.confidence_multipliers["ruled_lines"] = 1.0  # type: ignore[index]

    @pytest.mark.parametrize("name", NAMED_CONFIGS)
    def test_survives_pickle_copy_and_json(self, name: str) -> None:
        config = NAMED_CONFIGS[name]
        assert pickle.loads(pickle.dumps(config)) == config
        assert copy.deepcopy(config) == config
        assert PipelineConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config

    def test_method_without_rule_is_always_asked(self) -> None:
        config = replace(DEFAULT_CONFIG, activation_rules={"pymupdf_lines": "ruled"})
        assert config.activation_rule("pymupdf_lines") == "ruled"
        assert config.activation_rule("pymupdf_text") == "always"

    @pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), True, "3"])
    def test_multiplier_in_python_is_checked_too(self, value: float) -> None:
        with pytest.raises(ConfigError, match=r"confidence_multipliers\.ruled_lines"):
            replace(DEFAULT_CONFIG, confidence_multipliers={"ruled_lines": value})


class TestFiles:
    def test_inherited_lists_are_replaced_and_tables_merged(self, tmp_path: Path) -> None:
        config = loaded(
            tmp_path,
            """
            inherit = "ruled"
            structure_methods = ["ruled_lines", "pymupdf_text"]
            [confidence_multipliers]
            pymupdf_text = 2
            """,
        )
        assert config.name == "my"
        assert config.structure_methods == ("ruled_lines", "pymupdf_text")
        assert config.cell_methods == RULED_CONFIG.cell_methods
        assert dict(config.confidence_multipliers) == {**RULED_CONFIG.confidence_multipliers, "pymupdf_text": 2.0}

    def test_complete_file_needs_no_inheritance(self, tmp_path: Path) -> None:
        config = loaded(tmp_path, 'name = "mine"\nstructure_methods = ["ruled_lines"]\ncell_methods = ["rawdict"]')
        assert config == PipelineConfig(name="mine", structure_methods=("ruled_lines",), cell_methods=("rawdict",))

    def test_byte_order_mark_is_no_fault(self, tmp_path: Path) -> None:
        assert loaded(tmp_path, '\ufeffinherit = "fast"').cell_methods == FAST_CONFIG.cell_methods

    def test_incomplete_file_without_inheritance_is_refused(self, tmp_path: Path) -> None:
        error = refused(tmp_path, 'structure_methods = ["ruled_lines"]')
        assert error.where == f"{tmp_path / 'my.toml'}: cell_methods"
        assert "inherit" in error.hint

    @pytest.mark.parametrize(
        ("text", "path", "hint"),
        [
            ("structure_method = []", "structure_method", "did you mean structure_methods?"),
            ("inherits = 'fast'", "inherits", "did you mean inherit?"),
            ("zzz = 1", "zzz", "one of name, structure_methods"),
            ("inherit = 'fats'", "inherit", "did you mean fast?"),
            ("[confidence_multipliers]\nruled_linez = 3.0", "confidence_multipliers.ruled_linez", "did you mean ruled_lines?"),
            ("structure_methods = ['ruled_lines', 'pymupdf_line']", "structure_methods[1]", "did you mean pymupdf_lines?"),
            ("cell_methods = ['rawdikt']", "cell_methods[0]", "did you mean rawdict?"),
            ("post_processors = ['cell_cleaner']", "post_processors[0]", "did you mean cell_cleaning?"),
            ("[activation_rules]\nruled_lines = 'rulled'", "activation_rules.ruled_lines", "did you mean ruled?"),
            ("combination_strategy = 'median_vote'", "combination_strategy", "did you mean median_votes?"),
            ("selection_strategy = 'rank_sums'", "selection_strategy", "did you mean rank_sum?"),
        ],
    )
    def test_unknown_name_is_refused_with_path_and_nearest(self, tmp_path: Path, text: str, path: str, hint: str) -> None:
        error = refused(tmp_path, text)
        assert error.where == f"{tmp_path / 'my.toml'}: {path}"
        assert error.hint.startswith(hint)

    @pytest.mark.parametrize(
        ("text", "path"),
        [
            ("name = 3", "name"),
            ("name = ''", "name"),
            ("structure_methods = 'ruled_lines'", "structure_methods"),
            ("structure_methods = [1]", "structure_methods[0]"),
            ("structure_methods = []", "structure_methods"),
            ("structure_methods = ['ruled_lines', 'ruled_lines']", "structure_methods[1]"),
            ("confidence_multipliers = 3.0", "confidence_multipliers"),
            ("confidence_multipliers.ruled_lines = '3'", "confidence_multipliers.ruled_lines"),
            ("confidence_multipliers.ruled_lines = true", "confidence_multipliers.ruled_lines"),
            ("confidence_multipliers.ruled_lines = -1", "confidence_multipliers.ruled_lines"),
            ("confidence_multipliers.ruled_lines = 0", "confidence_multipliers.ruled_lines"),
            ("confidence_multipliers.ruled_lines = nan", "confidence_multipliers.ruled_lines"),
            ("confidence_multipliers.ruled_lines = inf", "confidence_multipliers.ruled_lines"),
            ("confidence_multipliers.ruled_lines = 1" + "0" * 400, "confidence_multipliers.ruled_lines"),
            ("activation_rules.ruled_lines = 1", "activation_rules.ruled_lines"),
            ("max_segments = 0", "max_segments"),
            ("max_segments = 1.5", "max_segments"),
            ("max_segments = true", "max_segments"),
            ("region_proposers = []", "region_proposers"),
            ("inherit = 1", "inherit"),
        ],
    )
    def test_wrong_value_is_refused_with_its_path(self, tmp_path: Path, text: str, path: str) -> None:
        assert refused(tmp_path, text).where == f"{tmp_path / 'my.toml'}: {path}"

    @pytest.mark.parametrize(
        ("text", "line"),
        [("a = ", "line 1"), ("name = 'a'\n\nb =\n", "line 3"), ("name = 'a'\nname = 'b'", "line 2"), ("a = [", "line 1")],
    )
    def test_broken_toml_is_refused_with_its_line(self, tmp_path: Path, text: str, line: str) -> None:
        assert f"my.toml: {line}" in refused(tmp_path, text).where

    @pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = 1" + "0" * 5000, "a = " + "{b=" * 5000])
    def test_monstrous_toml_is_refused(self, tmp_path: Path, text: str) -> None:
        assert "my.toml" in refused(tmp_path, text).where

    def test_bytes_that_are_no_text_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "my.toml"
        path.write_bytes(b"name = '\xff'")
        with pytest.raises(ConfigError, match="UTF-8"):
            load_config(path)

    def test_missing_file_and_folder_are_refused(self, tmp_path: Path) -> None:
        for path in (tmp_path / "none.toml", tmp_path):
            with pytest.raises(ConfigError) as caught:
                load_config(path)
            assert caught.value.where == str(path)

    def test_unknown_name_gets_the_nearest(self) -> None:
        with pytest.raises(ConfigError) as caught:
            load_config("ruld")
        assert caught.value.hint.startswith("did you mean ruled?")
