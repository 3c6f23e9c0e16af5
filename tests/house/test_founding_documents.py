"""The map of the founding documents is true: what is said to exist is in the files that are named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "explanation" / "founding-documents.md"
OURS = re.compile(r"^(?:src|tests|docs|bench|tools)/|^[A-Z]+\.md$")


def rows() -> list[tuple[str, str, str]]:
    """Return the rows of the three-column tables: founding name, place here, state."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    cells = [[part.strip() for part in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")]
    return [(row[0], row[1], row[2].rstrip(" |")) for row in cells if len(row) == 3]


def spans(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


@pytest.mark.parametrize("row", [r for r in rows() if r[2].startswith(("exists", "in part"))], ids=lambda r: r[0])
def test_what_is_said_to_exist_is_there(row: tuple[str, str, str]) -> None:
    name, here, state = row
    paths = [ROOT / span for span in spans(here) if OURS.match(span)]
    assert [str(p) for p in paths if not p.exists()] == []
    text = "".join(p.read_text(encoding="utf-8") for p in paths if p.suffix == ".py")
    if not text or not state.startswith("exists"):
        return
    named_here = [span for span in spans(here) if re.fullmatch(r"[A-Za-z_]\w*", span)]
    assert [n for n in named_here if not re.search(rf"\b{n}\b", text)] == []
    if not named_here and (founding := re.match(r"`(?:\w+::|\w+\.)?(\w+)(?:\(.*?\))?`", name)) and ".py`" not in name:
        assert founding.group(1) in text


@pytest.mark.parametrize("row", rows(), ids=lambda r: r[0])
def test_every_row_has_a_state(row: tuple[str, str, str]) -> None:
    assert row[2] == "state" or row[2].startswith(("exists", "in part", "planned"))


def test_every_planned_piece_is_explained() -> None:
    text = PAGE.read_text(encoding="utf-8")
    explained = {row[0] for row in re.findall(r"^\| ([a-z ]+) \| (.+) \|$", text.split("## Hard rules")[0], re.MULTILINE)}
    used = {word for state in re.findall(r"planned: ([a-z ,]+?) *\|$", text, re.MULTILINE) for word in state.split(", ")}
    assert used == explained - {"planned as"}
