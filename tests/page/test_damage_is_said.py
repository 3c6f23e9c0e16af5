"""Damage in a page or a file is said, never swallowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from variorum.errors import DamagedInputError
from variorum.page.model import Rule
from variorum.page.reader import PdfFile
from variorum.page.rules import join_rules

BROKEN_TREE = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[2 0 R]/Count 5>>endobj\ntrailer<</Root 1 0 R/Size 3>>\n%%EOF"
)


def test_broken_page_tree_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "tree.pdf"
    path.write_bytes(BROKEN_TREE)
    with pytest.raises(DamagedInputError):
        PdfFile(path)


def test_page_label_in_hex_is_read_as_text() -> None:
    from variorum.page.reader import _label_text

    assert _label_text("<FEFF00310036>") == "16"
    assert _label_text("iv") == "iv"
    assert _label_text("") is None


def test_touching_strokes_of_one_line_are_one_rule_and_others_stay_apart() -> None:
    strokes = [Rule("horizontal", 100, x, x + 10, 0.5) for x in range(0, 50, 10)]
    apart = Rule("horizontal", 100, 80, 90, 0.5)
    below = Rule("horizontal", 110, 0, 50, 0.5)
    assert join_rules([*strokes, apart, below]) == (Rule("horizontal", 100, 0, 50, 0.5), apart, below)
