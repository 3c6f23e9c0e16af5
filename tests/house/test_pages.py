"""What the documents promise is there: make targets, files behind links, pages made from the code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")


def targets() -> set[str]:
    """Return the targets of the Makefile."""
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    titles = re.findall(r"^#+ +(.+?)\s*$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", title.lower()).strip()) for title in titles}


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_make_targets_in_pages_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    promised = set(re.findall(r"(?:`|^ *|; *)make (?:-\w+ )?([a-z][a-z-]*)", text, re.MULTILINE))
    assert promised <= targets()


def test_readme_shows_the_first_commands() -> None:
    first_screen = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:40])
    assert "make demo" in first_screen
    assert "make test" in first_screen


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    dead = []
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        target, _, anchor = unquote(link).partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        place = (page.parent / target).resolve() if target else page
        if not place.exists() or (anchor and place.suffix == ".md" and anchor not in anchors(place)):
            dead.append(link)
    assert dead == []


def test_files_named_by_ci_and_make_exist() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8") + (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for path in sorted(set(re.findall(r"\b(?:tools|examples)/[\w./-]+\.\w+", text))):
        assert (ROOT / path).is_file(), path


def test_every_target_is_explained_by_make_help() -> None:
    shown = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in ("demo", "test", "check", "bench", "bench-ci", "docs", "clean"):
        assert f"make {target} " in shown


def test_generated_pages_are_up_to_date() -> None:
    run = subprocess.run(
        [sys.executable, "tools/build_docs.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_licence_is_the_whole_agpl() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.lstrip().startswith("GNU AFFERO GENERAL PUBLIC LICENSE")
    assert "END OF TERMS AND CONDITIONS" in text
    assert "13. Remote Network Interaction" in text


def test_constraints_pin_versions_and_name_no_place() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert pins
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", pin) for pin in pins)
