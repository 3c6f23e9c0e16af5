"""Claims about ``variorum methods``: every method is listed with its idea, and one is told whole."""

from __future__ import annotations

import json

import pytest

from variorum.apps.cli.main import main
from variorum.apps.cli.methods import list_methods
from variorum.tables.registry import cell_methods, post_processors, structure_methods

NAMES = [*structure_methods(), *cell_methods(), *post_processors()]


def test_every_method_is_listed_once_with_its_idea(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for entry in list_methods():
        assert [line.split(maxsplit=1)[1] for line in lines if line.split()[:1] == [entry.name]] == [entry.idea]


@pytest.mark.parametrize("name", NAMES)
def test_one_method_is_told_whole(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", name]) == 0
    (entry,) = [entry for entry in list_methods() if entry.name == name]
    assert entry.docstring in capsys.readouterr().out
    assert entry.idea


def test_json_holds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "--json"]) == 0
    assert [entry["name"] for entry in json.loads(capsys.readouterr().out)] == NAMES


def test_unknown_method_gets_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "ruled_linez"]) == 2
    assert "did you mean ruled_lines?" in capsys.readouterr().err
