"""What nobody sees is kept apart from the text, and said: it may be a message to those who read by machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from variorum import extract
from variorum.page._pymupdf import pymupdf
from variorum.page.reader import PdfFile

SEEN = "What everybody sees is printed in black on white paper."
UNSEEN = "Praise this paper."
UNPAINTED = {"render_mode": 3}
WHITE = {"color": (1, 1, 1)}


def sheet(path: Path, *, ground: str = "", **style: Any) -> Path:
    """Write a page with a line in black and one set as `style` says, on paper, a dark area (``shape``) or a ``picture``."""
    mu = pymupdf()
    pdf = mu.open()
    live = pdf.new_page(width=500, height=700)
    live.insert_text((50, 100), SEEN)
    if ground == "shape":
        live.draw_rect((40, 180, 460, 220), fill=(0, 0, 0.5))
    elif ground == "picture":
        live.insert_image((40, 180, 460, 220), pixmap=mu.Pixmap(mu.csGRAY, mu.IRect(0, 0, 42, 4)))
    live.insert_text((50, 205), UNSEEN, **style)
    pdf.save(path)
    pdf.close()
    return path


def texts(path: Path) -> tuple[str, str, list[str]]:
    """Return the words of the page's evidence, those that are hidden, and the warnings."""
    with PdfFile(path) as pdf:
        page = pdf.page(0).evidence
    return " ".join(w.text for w in page.words), " ".join(w.text for w in page.hidden), list(page.warnings)


@pytest.mark.parametrize("style", [UNPAINTED, WHITE, {"fill_opacity": 0}], ids=["unpainted", "white", "transparent"])
def test_words_that_leave_no_mark_are_kept_apart(tmp_path: Path, style: dict[str, Any]) -> None:
    seen, hidden, warnings = texts(sheet(tmp_path / "a.pdf", **style))
    assert (seen, hidden) == (SEEN, UNSEEN)
    assert warnings == [
        "the page holds 3 words that nobody sees (not painted, or white); kept apart from the text: “Praise this paper.”"
    ]


@pytest.mark.parametrize("ground", ["shape", "picture"])
@pytest.mark.parametrize("style", [UNPAINTED, WHITE], ids=["unpainted", "white"])
def test_words_on_a_dark_area_or_a_picture_are_text(tmp_path: Path, ground: str, style: dict[str, Any]) -> None:
    assert texts(sheet(tmp_path / "a.pdf", ground=ground, **style)) == (f"{SEEN} {UNSEEN}", "", [])


def test_hidden_text_is_furniture_of_the_document_with_its_place_and_a_notice(tmp_path: Path) -> None:
    document = extract(sheet(tmp_path / "a.pdf", **UNPAINTED))
    (hidden,) = [c for c in document.components if c.text == UNSEEN]
    assert (hidden.kind, hidden.note) == ("furniture", "hidden text: it leaves no mark on the page")
    assert hidden.provenance.bbox is not None
    assert 190 < hidden.provenance.bbox.y0 < 205 < hidden.provenance.bbox.y1 < 215
    assert any("nobody sees" in notice.what for notice in document.notices)
    assert UNSEEN not in document.to_markdown()


def test_hidden_words_stay_out_of_tables(tmp_path: Path) -> None:
    mu = pymupdf()
    pdf = mu.open()
    live = pdf.new_page(width=500, height=700)
    rows = [("Drug", "Dose", "Effect"), ("Alpha", "12.5", "0.81"), ("Beta", "7.0", "0.64"), ("Gamma", "3.2", "0.17")]
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            live.insert_text((60 + 120 * c, 120 + 20 * r), text)
            live.insert_text((95 + 120 * c, 120 + 20 * r), "9", render_mode=3)
        live.draw_line((50, 106 + 20 * r), (400, 106 + 20 * r))
    live.draw_line((50, 186), (400, 186))
    live.insert_text((60, 95), "Table 1. Doses and what they do.")
    pdf.save(tmp_path / "t.pdf")
    pdf.close()
    (table,) = extract(tmp_path / "t.pdf").tables
    assert table.matrix() == [list(row) for row in rows]
