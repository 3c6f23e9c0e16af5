"""Whether a PDF has text at all: the cheap question, asked before it is read."""

from __future__ import annotations

from variorum.page.reader import PdfFile


def first_page_with_text(pdf: PdfFile) -> int | None:
    """Return the 0-based index of the first page with any text, hidden or not; None where no page has any, as in a scan.

    A page that cannot be read counts as one without text.
    """
    for index in range(pdf.page_count):
        try:
            text: str = pdf.live[index].get_text("text")
        except Exception:  # whatever the library calls it: this page shows no text
            continue
        if text.strip():
            return index
    return None
