"""``explain --heading`` and ``--headings``: the same of a PDF and of its document, and one clear line where nothing fits."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from journey_words import Command
from test_bad_input import one_clear_line

_TEXT = "These are the words of a paragraph that goes on for some lines, as they do in papers of this kind, and then ends."


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """Return the path of a paper of one page: a title, and two numbered headings in bold type above paragraphs."""
    path = tmp_path / "paper.pdf"
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((72, 80), "On the Doses of Drugs", fontsize=20, fontname="hebo")
        y = 130.0
        for title in ("1 Introduction", "2 Methods"):
            page.insert_text((72, y), title, fontsize=14, fontname="hebo")
            page.insert_textbox((72, y + 14, 400, y + 100), " ".join([_TEXT] * 3), fontsize=10, fontname="helv")
            y += 140
        pdf.save(path)
    return path


def test_heading_is_explained_alike_from_pdf_and_document(command: Command, paper: Path) -> None:
    assert command("extract", "paper.pdf", "--format", "json,report").code == 0
    of_pdf = command("explain", "paper.pdf", "--heading", "2")
    of_json = command("explain", "paper.variorum/document.json", "--heading", "methods")
    assert (of_pdf.code, of_pdf.err) == (0, "")
    assert of_pdf.out == of_json.out
    assert of_pdf.out.startswith("heading '2 Methods' on page 1 (#")
    assert "\n  for:      " in of_pdf.out
    listed = command("explain", "paper.variorum/document.json", "--headings")
    assert listed.code == 0
    assert "1 Introduction" in listed.out
    report = (paper.parent / "paper.variorum" / "report.html").read_text(encoding="utf-8")
    assert "Page 1 with its blocks" in report
    assert "accepted at level 1" in report


def test_heading_that_is_not_there_is_one_line_with_choices(command: Command, paper: Path) -> None:
    assert command("extract", "paper.pdf", "--format", "json").code == 0
    for wanted in ("9.9", "#99", "", "Conclusions"):
        run = command("explain", "paper.variorum/document.json", "--heading", wanted)
        one_clear_line(run, 2, "no heading", "--headings", "1 Introduction")


def test_document_read_already_is_not_read_otherwise(command: Command) -> None:
    one_clear_line(command("explain", "document.json", "--headings", "--pages", "1"), 2, "--pages", "read already")
