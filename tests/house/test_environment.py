"""The environment is made once, made anew when its inputs change, and never in a folder that is somebody else's."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import environment


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("a", encoding="utf-8")
    (tmp_path / "constraints.txt").write_text("b", encoding="utf-8")
    return tmp_path


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace the two slow steps by notes of what was done."""
    done: list[str] = []

    def create(venv: Path) -> None:
        venv.mkdir()
        environment.interpreter(venv).parent.mkdir()
        environment.interpreter(venv).touch()
        done.append("create")

    def install(venv: Path, root: Path, extras: set[str]) -> None:
        done.append("install " + " ".join(sorted(extras)))

    monkeypatch.setattr(environment, "create", create)
    monkeypatch.setattr(environment, "install", install)
    return done


def test_second_call_does_nothing(project: Path, calls: list[str]) -> None:
    for _ in range(2):
        environment.ensure(project / ".venv", project, {"dev"})
    assert calls == ["create", "install dev"]


def test_further_extras_are_added_to_those_held(project: Path, calls: list[str]) -> None:
    environment.ensure(project / ".venv", project, {"dev"})
    environment.ensure(project / ".venv", project, {"docs"})
    environment.ensure(project / ".venv", project, {"dev"})
    assert calls == ["create", "install dev", "install dev docs"]


@pytest.mark.parametrize("changed", ["pyproject.toml", "constraints.txt"])
def test_changed_inputs_make_it_anew(project: Path, calls: list[str], changed: str) -> None:
    environment.ensure(project / ".venv", project, {"dev"})
    (project / changed).write_text("changed", encoding="utf-8")
    environment.ensure(project / ".venv", project, set())
    assert calls == ["create", "install dev", "create", "install "]


def test_interrupted_install_is_made_anew(project: Path, calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(venv: Path, root: Path, extras: set[str]) -> None:
        environment.write_stamp(venv, "", set())
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(environment, "install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            environment.ensure(project / ".venv", project, {"dev"})
    environment.ensure(project / ".venv", project, {"dev"})
    assert calls == ["create", "create", "install dev"]


def test_foreign_folder_is_left_alone(project: Path, calls: list[str]) -> None:
    (project / ".venv").mkdir()
    (project / ".venv" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(environment.SetupError, match="not made by this script"):
        environment.ensure(project / ".venv", project, set())
    assert calls == []


def test_old_python_gets_a_clear_message(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "OLDEST", (sys.version_info[0], sys.version_info[1] + 1))
    with pytest.raises(environment.SetupError, match=r"or newer\. To try"):
        environment.ensure(project / ".venv", project, set())


def test_python_without_any_way_to_make_one_says_what_to_install(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(environment.SetupError, match="python3-venv"):
        environment.create(project / ".venv")
