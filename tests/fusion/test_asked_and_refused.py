"""Claims about what a user asks a fusion, its log and its tenants, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from paper_sources import fused, source

import variorum
from variorum.apps.cli.main import main
from variorum.errors import ConfigError, UsageError, VariorumError
from variorum.fusion.audit import append_run, verify
from variorum.fusion.explaining import explain_component
from variorum.fusion.loading import load_sources
from variorum.fusion.record import record_from_json, to_json
from variorum.fusion.tenants import load_tenant

FUSION = fused(source("latex"), source("ar5iv"), source("pdf"))
TABLE = FUSION.document.tables[0].id
GOOD = 'inherits = "default"\nversion = "1"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "fusion.json").write_text(to_json(FUSION), encoding="utf-8")
    (tmp_path / "document.json").write_text(FUSION.document.to_json(), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("asked", ["tab-1", "Table 1", "table 1.", "Tab. 1", f"at-{TABLE}", f"cap-{TABLE}"])
def test_a_table_is_found_by_what_it_is_called(asked: str) -> None:
    record = record_from_json(to_json(FUSION))
    assert explain_component(record, asked) == explain_component(record, TABLE)


def test_a_figure_is_found_by_its_printed_number_and_not_by_that_of_a_table() -> None:
    record = record_from_json(to_json(FUSION))
    assert explain_component(record, "Figure 1") == explain_component(record, FUSION.document.figures[0].id)
    with pytest.raises(UsageError):
        explain_component(record, "Figure 2")


def test_table_option_answers_for_a_fusion(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--table", "1"], ["--component", TABLE]):
        assert main(["explain", str(folder / "fusion.json"), *arguments]) == 0
    by_number, by_id = capsys.readouterr().out.split("Tenant ")[1:]
    assert by_number.strip() == by_id.strip()


def test_without_a_question_a_fusion_proposes_what_it_can_answer(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(folder / "fusion.json")]) == UsageError.exit_code
    assert "--component" in capsys.readouterr().err
    assert main(["explain", str(folder / "fusion.json"), "--headings"]) == UsageError.exit_code
    assert "document.json" in capsys.readouterr().err


def test_the_first_digits_of_a_head_vouch_for_a_log(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    sources = (source("latex"), source("ar5iv"), source("pdf"))
    append_run(log, FUSION, load_tenant("default"), sources, None)
    head = verify(log).head
    assert verify(log, expect_head=head[:12]).is_sound
    assert not verify(log, expect_head=head[:11] + ("0" if head[11] != "0" else "1")).is_sound
    for wrong in ("", head[:11], "z" * 12, head + "0"):
        with pytest.raises(UsageError, match="is no hash"):
            verify(log, expect_head=wrong)


def test_a_missing_version_hides_no_other_fault(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('inherits = "default"\n[pdf]\ntable = 7\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"not in \[0, 1\]"):
        load_tenant(tmp_path / "a.toml")
    (tmp_path / "a.toml").write_text('inherits = "default"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="is missing"):
        load_tenant(tmp_path / "a.toml")


def test_a_bad_tenant_is_named_and_the_good_ones_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad.toml").write_text("inherits = \n", encoding="utf-8")
    assert main(["tenants", "--tenants", str(tmp_path)]) == ConfigError.exit_code
    said = capsys.readouterr()
    assert "good 1" in said.out
    assert "bad.toml" in said.err
    assert 'as in: inherits = "default"' in said.err


@pytest.mark.parametrize(("option", "error"), [(("--jobs", "0"), UsageError), (("--config", "nope"), ConfigError)])
def test_a_wrong_option_is_refused_though_no_pdf_is_read(
    folder: Path, option: tuple[str, str], error: type[VariorumError]
) -> None:
    (folder / "latex.json").write_text(source("latex").document.to_json(), encoding="utf-8")
    arguments = ["fuse", "--latex", str(folder / "latex.json"), "-o", str(folder / "out"), *option]
    assert main(arguments) == error.exit_code
    assert not (folder / "out").exists()


def test_no_processes_are_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        load_sources(latex=folder / "latex.json", jobs=0)


@pytest.mark.parametrize("value", [5, b"paper.pdf", ["paper.pdf"]])
def test_what_is_no_path_is_refused(value: Any) -> None:
    with pytest.raises(UsageError, match="must be a path"):
        variorum.fuse(pdf=value)


def test_the_function_is_called_as_users_call_it() -> None:
    assert variorum.fuse.__name__ == "fuse"


def test_an_interruption_while_the_command_loads_is_silent() -> None:
    script = (
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'variorum.apps.cli.main': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from variorum.__main__ import run\n"
        "run()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
