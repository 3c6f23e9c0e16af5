"""Measure one thing in a process of its own, for bench.speed: the request on stdin, see the functions."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HEAVY = ("pymupdf", "fitz", "pandas", "openpyxl", "numpy", "camelot", "pdfplumber", "onnxruntime", "cv2")


def _cpu_s() -> float:
    """Return the CPU seconds of this process and of the children that it waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _peak_mb() -> float:
    """Return the largest resident size of this process so far, in MB (10**6 bytes)."""
    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, 1)


def _plain_pymupdf() -> Any:
    """Return PyMuPDF as a plain user would have it: no layout model, clean text."""
    import pymupdf

    pymupdf.TOOLS.unset_quad_corrections(False)
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.use_layout(False)
    return pymupdf


def _timed(read: Callable[[str], object], pdfs: list[str]) -> dict[str, Any]:
    """Return the CPU seconds of each reading; what a first reading loads is loaded before, by reading the first file once."""
    read(pdfs[0])
    seconds = {}
    for pdf in pdfs:
        start = _cpu_s()
        read(pdf)
        seconds[pdf] = round(_cpu_s() - start, 4)
    return {"cpu_s": seconds, "peak_mb": _peak_mb()}


def find_tables(request: dict[str, Any]) -> dict[str, Any]:
    """Return the CPU seconds of PyMuPDF's `find_tables` alone on every page of each of the `pdfs`."""
    pymupdf = _plain_pymupdf()

    def read(pdf: str) -> None:
        with pymupdf.open(pdf) as document:
            for page in document:
                page.find_tables()

    return _timed(read, request["pdfs"])


def extract(request: dict[str, Any]) -> dict[str, Any]:
    """Return the CPU seconds of `variorum.extract` with `config` on each of the `pdfs`."""
    import variorum

    return _timed(lambda pdf: variorum.extract(pdf, config=request["config"], jobs=1), request["pdfs"])


def memory(request: dict[str, Any]) -> dict[str, Any]:
    """Return the peak resident size in MB after the imports alone, and after reading the `pdf` with `config`."""
    import variorum

    _plain_pymupdf()
    imported = _peak_mb()
    variorum.extract(request["pdf"], config=request["config"], jobs=1)
    return {"imports_mb": imported, "peak_mb": _peak_mb()}


def page_counts(request: dict[str, Any]) -> dict[str, int]:
    """Return the number of pages of each of the `pdfs`."""
    pymupdf = _plain_pymupdf()
    counts = {}
    for pdf in request["pdfs"]:
        with pymupdf.open(pdf) as document:
            counts[pdf] = document.page_count
    return counts


def heavy_modules(request: dict[str, Any]) -> list[str]:
    """Return the heavy libraries that are loaded after `import variorum`, and with `help` after ``variorum --help``."""
    import variorum  # noqa: F401

    if request["help"]:
        from variorum.apps.cli.main import run

        sys.argv = ["variorum", "--help"]
        try:
            run()
        except SystemExit as end:
            if end.code:
                raise
    return sorted({name.partition(".")[0] for name in sys.modules} & set(HEAVY))


QUESTIONS: dict[str, Callable[[dict[str, Any]], object]] = {
    f.__name__: f for f in (find_tables, extract, memory, page_counts, heavy_modules)
}

if __name__ == "__main__":
    asked = json.load(sys.stdin)
    reply = QUESTIONS[asked["question"]](asked)
    Path(asked["answer"]).write_text(json.dumps(reply), encoding="utf-8")
