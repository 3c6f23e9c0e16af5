"""Pages whose text stands on its head."""

from __future__ import annotations

from pathlib import Path

import pymupdf

import variorum


def test_a_page_turned_on_its_head_is_read(tmp_path: Path) -> None:
    path = tmp_path / "turned.pdf"
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        for i in range(6):
            text = f"This is line number {chr(97 + i)} of a paragraph of running text"
            page.insert_text((100, 100 + 12 * i), text, fontsize=10)
        page.set_rotation(180)
        pdf.save(path)
    document = variorum.extract(path, config="fast")
    text = " ".join(c.text for c in document.components)
    assert text.startswith("This is line number a of a paragraph")
    assert "line number f" in text
    box = document.components[0].provenance.bbox
    assert box is not None
    assert box.y0 > document.pages[0].height / 2  # as displayed, the text stands at the foot
