"""Whether the page below a caption draws anything at all: PDFs are about whose pictures were lost when they were made."""

from __future__ import annotations

from variorum.errors import VariorumError
from variorum.stress.model import PaperSubject

NO_PICTURE = "the page draws no picture"


def draws_nothing(subject: PaperSubject, page_num: int | None) -> bool:
    """Return whether a page (from 1) of the paper's PDF has no image, no path and no filled area: text and rules alone.

    False where the PDF is not at hand: then nothing speaks for it.
    """
    from variorum.page.reader import PdfFile

    path = subject.truth.sources.get("pdf") if subject.truth is not None else None
    if path is None or page_num is None:
        return False
    try:
        with PdfFile(path) as pdf:
            evidence = pdf.page(page_num - 1).evidence
    except VariorumError:
        return False
    return not (evidence.images or evidence.drawings or evidence.fills)
