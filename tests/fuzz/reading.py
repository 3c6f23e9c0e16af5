"""What must hold for every input of a reader: it gives a document that can be written and read again, or an error of the
family."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from variorum.document import Document
from variorum.errors import VariorumError
from variorum.sources.ar5iv import read_ar5iv
from variorum.sources.docling import read_docling
from variorum.sources.latex import read_latex

Language = Literal["html", "latex", "docling"]
LANGUAGES: Final[tuple[Language, ...]] = ("html", "latex", "docling")
CORPUS: Final = Path(__file__).resolve().parent / "corpus"
_READERS: Final[dict[Language, tuple[str, Callable[[Path], Document]]]] = {
    "html": ("paper.html", read_ar5iv),
    "latex": ("paper.tex", read_latex),
    "docling": ("paper.json", read_docling),
}


def kept(language: Language) -> list[Path]:
    """Return the inputs of a language that are kept in the repository, by name."""
    return sorted(p for p in (CORPUS / language).iterdir() if p.is_file())


def read_input(language: Language, data: bytes, folder: Path) -> Document | None:
    """Return the document of an input, None where it was refused by an error of the family.

    Whatever else is raised is a fault of the reader. `folder` is one of our own: the input is written there.
    """
    name, reader = _READERS[language]
    file = folder / name
    file.write_bytes(data)
    try:
        document = reader(file)
    except VariorumError:
        return None
    written = document.to_json()
    assert Document.from_json(written).to_json() == written
    return document
