"""Claims about what becomes of an error: one line on stderr, the code of its class, a traceback only when asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import variorum
from variorum import errors
from variorum.apps.cli import console, main, methods

PACKAGE_PARENT = str(Path(variorum.__file__).parents[1])
FAMILY = [cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.VariorumError)]


@pytest.fixture(autouse=True)
def _no_debugging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "_debug", False)
    monkeypatch.delenv("VARIORUM_DEBUG", raising=False)


def raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object, **__: object) -> int:
        raise error

    monkeypatch.setattr(methods, "run_methods", fail)


@pytest.mark.parametrize("cls", FAMILY, ids=lambda cls: cls.__name__)
def test_error_of_the_family_is_one_line_and_its_code(
    cls: type[errors.VariorumError], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(monkeypatch, cls("what\nhappened", where="a\tb.pdf", hint="that"))
    assert main.main(["methods"]) == cls.exit_code
    assert capsys.readouterr() == ("", "variorum: a b.pdf: what happened. To try: that\n")


def test_other_error_is_called_a_bug(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    raising(monkeypatch, ZeroDivisionError("division\nby zero"))
    assert main.main(["methods"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("variorum: this is a bug of variorum (ZeroDivisionError: division by zero)")
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--debug", "methods"], ["methods", "--debug"]])
def test_debug_prints_the_traceback(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(monkeypatch, ZeroDivisionError())
    assert main.main(arguments) == 1
    assert "Traceback" in capsys.readouterr().err


def test_debug_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("VARIORUM_DEBUG", "1")
    raising(monkeypatch, errors.ConfigError("what"))
    assert main.main(["methods"]) == 7
    assert "Traceback" in capsys.readouterr().err


def test_interruption_is_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    raising(monkeypatch, KeyboardInterrupt())
    assert main.main(["methods"]) == 130
    assert capsys.readouterr().err.startswith("variorum: interrupted")


@pytest.mark.parametrize(
    "arguments",
    [
        ["extract"],
        ["extract", "--no-such-option", "a.pdf"],
        ["no-such-command"],
        ["extract", "a.pdf", "--jobs", "many"],
        ["extract", "a.pdf", "--jobs", "0"],
        ["extract", "a.pdf", "-o"],
        ["explain", "a.pdf"],
        ["explain", "a.pdf", "--table", "1", "--heading", "2"],
        ["explain", "a.pdf", "--heading", "2", "--headings"],
        ["explain", "a.pdf", "--heading", "2", "--divider", "c1"],
        ["explain", "a.pdf", "b.pdf", "--table", "1"],
        ["methods", "no_such_method"],
    ],
)
def test_wrong_call_is_one_line_and_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("variorum: ")
    assert err.count("\n") == 1


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["--version"]) == 0
    assert capsys.readouterr().out == f"variorum {variorum.__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_help_names_the_commands(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(arguments) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {name} " in out for name in ("extract", "explain", "methods"))


def test_closed_pipe_is_no_bug() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "variorum.apps.cli.main", "methods"], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert done.returncode == console.CLOSED_PIPE_EXIT_CODE
    assert done.stderr == b""


def test_sign_that_the_terminal_lacks_is_no_bug(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONPATH": PACKAGE_PARENT}
    done = subprocess.run(
        [sys.executable, "-m", "variorum.apps.cli.main", "extract", "caf\u00e9.pdf"],
        capture_output=True,
        env=environment,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr == b"variorum: caf\\xe9.pdf: no such file. To try: check the path\n"


@pytest.mark.parametrize(
    "arguments",
    [["extract", ""], ["extract", "a.pdf", "-o", ""], ["extract", "a.pdf", "--regions", ""], ["explain", "", "-t", "2"]],
)
def test_empty_path_does_not_mean_the_current_folder(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(arguments) == errors.UsageError.exit_code
    assert "a path is empty" in capsys.readouterr().err


def test_slip_in_a_command_is_one_sentence_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["extrct"]) == errors.UsageError.exit_code
    assert capsys.readouterr().err == ("variorum: No such command 'extrct', did you mean 'extract'. To try: variorum --help\n")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--config", ""], 7, "--config: the name of a configuration is empty. To try: one of default, fast, ruled, minimal"),
        (["--config", "nonsense"], 7, "To try: one of default, fast, ruled, minimal (or the path of a TOML file)"),
        (["--config", "."], 7, ".: is a folder, not a TOML file. To try: "),
        (["--config", "none.toml"], 7, "none.toml: no such configuration file. To try: "),
        (["--config", "broken.toml"], 7, "broken.toml: line 1, "),
        (["--config", "broken.toml"], 7, 'To try: one KEY = VALUE a line, as in: inherit = "default"'),
        (["--config", "typed.toml"], 7, "typed.toml: max_segments: must be a whole number, not text ('many'). To try: digits"),
        (["--config", "weighted.toml"], 7, "none.json: no such weights file. To try: a file written by: variorum tune"),
        (["--weights", "none.json"], 7, "none.json: no such weights file. To try: a file written by: variorum tune"),
        (["--weights", "broken.toml"], 7, "broken.toml: not JSON"),
        (["--weights", "w.json"], 7, "w.json: confidence_multipliers.ruled_linez: unknown structure method"),
        (["--jobs", "x"], 2, "'x' is no whole number. To try: "),
    ],
)
def test_option_that_is_faulty_is_refused_before_anything_is_read(
    arguments: list[str],
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.toml").write_text("name = [")
    Path("typed.toml").write_text('inherit = "fast"\nmax_segments = "many"')
    Path("weighted.toml").write_text('inherit = "fast"\nweights = "none.json"')
    Path("w.json").write_text('{"confidence_multipliers": {"ruled_linez": 1}}')
    assert main.main(["extract", "a.pdf", *arguments]) == code
    err = capsys.readouterr().err
    assert said in err
    assert ". To try: " in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("option", ["--pages", "--config", "--password", "--weights"])
def test_document_that_was_read_is_not_explained_as_if_read_otherwise(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["explain", "document.json", "--table", "1", option, "1"]) == 2
    said = f"variorum: {option}: says how to read a PDF, and document.json is a document that was read already. To try: the PDF"
    assert capsys.readouterr().err.startswith(said)


def test_unknown_method_is_not_answered_with_all_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["methods", "nonsense"]) == 2
    assert capsys.readouterr().err.endswith("To try: variorum methods, which lists them all\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_full_stdout_is_no_bug() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "variorum.apps.cli.main", "methods"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": PACKAGE_PARENT},
            check=False,
        )
    assert done.returncode == errors.OutputError.exit_code
    assert done.stderr.startswith("variorum: stdout: cannot be written")
    assert done.stderr.count("\n") == 1
