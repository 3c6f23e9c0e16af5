"""LaTeX written for tests: a file with a document around a body, and archives of given members."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from variorum.document.model import Document
from variorum.sources.latex import read_latex


def write(folder: Path, body: str, *, preamble: str = "", document_class: str = "article") -> Path:
    """Return a ``main.tex`` in the folder with the body in a document."""
    path = folder / "main.tex"
    text = f"\\documentclass{{{document_class}}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, body: str, *, preamble: str = "", document_class: str = "article") -> Document:
    """Return the document that the body is read as, checked as when it is written."""
    document = read_latex(write(folder, body, preamble=preamble, document_class=document_class))
    document.to_json()
    return document


def texts(document: Document, kind: str) -> list[str]:
    """Return the texts of the components of a kind, in order."""
    return [c.text for c in document.components if c.kind == kind]


def tar(path: Path, members: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    """Return the path of a ``.tar.gz`` with the members."""
    with tarfile.open(path, "w:gz") as archive:
        for info, data in members:
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path
