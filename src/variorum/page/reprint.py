"""A page printed anew from what is known of it: its words as text and its rules as lines, for libraries that read PDFs.

A page that was read by OCR has none of this in its PDF, or text that is wrong.
"""

from __future__ import annotations

from typing import Any

from variorum.page._pymupdf import pymupdf
from variorum.page.model import PageEvidence, Word
from variorum.page.turning import DOWNWARDS, UPWARDS


def page_of(page: PageEvidence) -> Any:
    """Return the only page of a new PyMuPDF document: each word in Helvetica (another face for letters that it lacks),
    stretched to its box on its writing line; each rule as a stroke."""
    mu = pymupdf()
    printed = mu.open().new_page(width=page.width, height=page.height)
    font = mu.Font("helv")
    shape = printed.new_shape()
    for word in page.words:
        length = font.text_length(word.text, fontsize=word.size)
        if length > 0:
            start, morph = _place(word, length)
            if _is_plain(word.text):
                shape.insert_text(start, word.text, fontname="helv", fontsize=word.size, morph=morph)
            else:
                writer = mu.TextWriter(printed.rect)
                writer.append(start, word.text, font=font, fontsize=word.size)
                writer.write_text(printed, morph=morph)
    for rule in page.rules:
        ends = ((rule.start, rule.position), (rule.end, rule.position))
        shape.draw_line(*(mu.Point(*(end if rule.orientation == "horizontal" else end[::-1])) for end in ends))
        shape.finish(width=rule.thickness)
    shape.commit()
    return printed


def _is_plain(text: str) -> bool:
    """Return whether the built-in Helvetica has all the letters."""
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True


def _place(word: Word, length: float) -> tuple[Any, tuple[Any, Any]]:
    """Return where a word of the length begins, and how it is stretched and turned there."""
    mu, box = pymupdf(), word.box
    start, along = mu.Point(box.x0, word.baseline), box.width
    if word.angle == UPWARDS:
        start, along = mu.Point(word.baseline, box.y1), box.height
    elif word.angle == DOWNWARDS:
        start, along = mu.Point(word.baseline, box.y0), box.height
    turn = mu.Matrix(word.angle) if word.angle in (UPWARDS, DOWNWARDS) else mu.Matrix(1, 1)
    return start, (start, mu.Matrix(along / length, 1) * turn)
