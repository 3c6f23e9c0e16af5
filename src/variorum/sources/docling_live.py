"""A PDF read by Docling itself, where it is installed with its models; the one door to the package.

Docling's models are never fetched: it runs with ``HF_HUB_OFFLINE``, and where ``DOCLING_ARTIFACTS_PATH`` names their folder it
takes them from there. What it makes is read as a stored DoclingDocument is. Its own scores of a page, between 0 and 1, become
the confidence of what stands on that page.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from variorum.document import Document, Notice, Provenance
from variorum.document.keys import file_sha256
from variorum.errors import DamagedInputError, DependencyError, InputNotFoundError
from variorum.sources.docling import document_of

_STORED: Final = "variorum read paper.json: what Docling saved on another machine (document.save_as_json) is read without it"
_OFFLINE: Final = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
_ARTIFACTS: Final = "DOCLING_ARTIFACTS_PATH"
_SCORES: Final = ("ocr_score", "table_score", "layout_score", "parse_score")
_POOR: Final = "poor"


def read_with_docling(path: str | Path) -> Document:
    """Return the document that Docling makes of a PDF; its provenance says ``docling``, its SHA-256 is that of the PDF.

    Raises InputNotFoundError when there is no such file, DependencyError when Docling, what it needs, or its models are not
    there, DamagedInputError when it cannot read the file.
    """
    file = Path(path)
    try:
        sha256 = file_sha256(file)
    except (OSError, ValueError) as error:
        what = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InputNotFoundError(what, where=str(file), hint="check path and permissions") from error
    _refuse_wrong_folder()
    with _offline():
        converter = _converter()
        result = _converted(converter, file)
    data = json.loads(json.dumps(result.document.export_to_dict()))
    document = document_of(data, file, sha256)
    scores = dict(_page_scores(result))
    notices = [*document.notices, *_notices(result)]
    return replace(_with_confidence(document, scores), notices=tuple(notices))


@contextlib.contextmanager
def _offline() -> Generator[None]:
    """Keep the hub of models from being asked, for as long as Docling is at work."""
    before = {name: os.environ.get(name) for name in _OFFLINE}
    os.environ.update(_OFFLINE)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _refuse_wrong_folder() -> None:
    folder = os.environ.get(_ARTIFACTS)
    if folder and not Path(folder).expanduser().is_dir():
        hint = "docling-tools models download -o FOLDER, on a machine with a network, and that folder here"
        raise DependencyError("names no folder", where=f"{_ARTIFACTS}={folder}", hint=hint)


def _converter() -> Any:
    """Return Docling's converter; raises DependencyError that says what is missing."""
    try:
        from docling.document_converter import DocumentConverter
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "docling":
            raise DependencyError("Docling is not installed", hint=f"pip install docling, or {_STORED}") from error
        what = f"Docling is installed without {missing}, which it needs to read PDFs"
        raise DependencyError(what, hint=f"pip install docling (docling-slim comes without it), or {_STORED}") from error
    except ImportError as error:
        raise DependencyError(f"Docling cannot be imported ({error})", hint=f"pip install docling, or {_STORED}") from error
    return DocumentConverter()


def _converted(converter: Any, file: Path) -> Any:
    """Return Docling's result for a file."""
    try:
        result = converter.convert(file, raises_on_error=False)
    except Exception as error:  # whatever a model or a library beneath Docling raises
        raise _failure(str(error) or type(error).__name__, file, error) from error
    if _plain(result.status) not in ("success", "partial_success"):
        raise _failure("; ".join(_errors(result)) or "it does not say why", file, None)
    return result


def _failure(said: str, file: Path, error: Exception | None) -> DependencyError | DamagedInputError:
    """Return the error for what Docling said: models that are not there are no fault of the file."""
    line = " ".join(said.split())
    names = {cls.__name__ for cls in type(error).__mro__} if error is not None else set()
    absent = ("LocalEntryNotFoundError", "OfflineModeIsEnabled", "FileNotFoundError")
    words = ("HF_HUB_OFFLINE", "outgoing traffic has been disabled", "artifacts", "safetensors", "snapshot")
    if any(name in names for name in absent) or any(word in line for word in words):
        hint = f"docling-tools models download -o FOLDER, then {_ARTIFACTS}=FOLDER; or {_STORED}"
        return DependencyError(f"Docling's models are not here ({line})", hint=hint)
    return DamagedInputError(f"Docling cannot read it ({line})", where=str(file), hint="variorum read --kind pdf")


def _errors(result: Any) -> Iterable[str]:
    return (str(getattr(e, "error_message", e)) for e in getattr(result, "errors", None) or ())


def _plain(value: object) -> str:
    return str(getattr(value, "value", value)).lower()


# ---- Docling's own confidence -----------------------------------------------------------------------------------------


def _pages(result: Any) -> dict[int, Any]:
    """Return Docling's scores by page number from 1; its older releases count from 0."""
    pages = getattr(getattr(result, "confidence", None), "pages", None)
    if not isinstance(pages, Mapping) or not all(isinstance(page, int) for page in pages):
        return {}
    return {page + (0 in pages): scores for page, scores in pages.items()}


def _page_scores(result: Any) -> Iterable[tuple[int, float]]:
    """Yield for each page number the mean of Docling's scores of the page; those that it did not give are left out."""
    for page_num, scores in _pages(result).items():
        given = [getattr(scores, name, None) for name in _SCORES]
        known = [float(s) for s in given if isinstance(s, (int, float)) and math.isfinite(s)]
        if known:
            yield page_num, min(1.0, max(0.0, sum(known) / len(known)))


def _notices(result: Any) -> Iterable[Notice]:
    for what in _errors(result):
        yield Notice(severity="warning", what=f"Docling: {' '.join(what.split())}")
    for page_num, scores in sorted(_pages(result).items()):
        if _plain(getattr(scores, "mean_grade", "")) == _POOR:
            yield Notice(severity="warning", what="Docling calls its own reading of this page poor", page_num=page_num)


def _with_confidence(document: Document, scores: Mapping[int, float]) -> Document:
    """Return the document with the score of its page as the confidence of each component, table and figure."""

    def scored(place: Provenance) -> Provenance:
        score = scores.get(place.page_num) if place.page_num is not None else None
        return place if score is None else replace(place, confidence=score)

    return replace(
        document,
        components=tuple(replace(c, provenance=scored(c.provenance)) for c in document.components),
        tables=tuple(replace(t, provenance=scored(t.provenance)) for t in document.tables),
        figures=tuple(replace(f, provenance=scored(f.provenance)) for f in document.figures),
    )
