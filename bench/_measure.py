"""Measure one thing in a process of its own, for bench.speed: the request on stdin, see the functions."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench._common import ask_child

SECONDS = 7200.0
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
    """Return the CPU seconds of each reading; a small page of our own is read before, to load what that loads."""
    with tempfile.TemporaryDirectory() as folder:
        read(_small_page(Path(folder)))
    seconds = {}
    for pdf in pdfs:
        start = _cpu_s()
        read(pdf)
        seconds[pdf] = round(_cpu_s() - start, 4)
    return {"cpu_s": seconds, "peak_mb": _peak_mb()}


def _small_page(folder: Path) -> str:
    """Return the path of a PDF of one page with two tables, a ruled and an unruled one, so that every method is asked."""
    import pymupdf

    path = folder / "small.pdf"
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        for number, top in ((1, 120), (2, 420)):
            page.insert_text((72, top - 20), f"Table {number}. Numbers of this bench.")
            for row in range(5):
                for column in range(4):
                    page.insert_text((80 + 90 * column, top + 18 * row + 12), f"{row * 7 + column * 3}.{column}")
            edges = range(5 + 1) if number == 1 else (0, 1, 5)
            for row in edges:
                page.draw_line((72, top + 18 * row), (432, top + 18 * row))
            for column in range(4 + 1) if number == 1 else ():
                page.draw_line((72 + 90 * column, top), (72 + 90 * column, top + 90))
        pdf.save(path)
    return str(path)


def find_tables(request: dict[str, Any]) -> dict[str, Any]:
    """Return the CPU seconds of PyMuPDF's `find_tables` alone on every page of each of the `pdfs`."""
    pymupdf = _plain_pymupdf()

    def read(pdf: str) -> None:
        with pymupdf.open(pdf) as document:
            for page in document:
                page.find_tables()

    return _timed(read, request["pdfs"])


def pymupdf4llm(request: dict[str, Any]) -> dict[str, Any]:
    """Return the CPU seconds of ``pymupdf4llm.to_json`` on each of the `pdfs`, as its user would have it.

    Tesseract is left out, which it would ask for pages with pictures where it is installed: variorum asks it only when told to.
    """
    import pymupdf
    import pymupdf4llm as library  # type: ignore[import-untyped]

    def read(pdf: str) -> None:
        with pymupdf.open(pdf) as document:
            library.to_json(document, use_ocr=False)

    return _timed(read, request["pdfs"])


def extract(request: dict[str, Any]) -> dict[str, Any]:
    """Return the CPU seconds of `variorum.extract` with `config` on each of the `pdfs`: of all it does, or `only` of the tables
    or the text."""
    import variorum

    only = request.get("only", "all")
    return _timed(lambda pdf: variorum.extract(pdf, config=request["config"], jobs=1, only=only), request["pdfs"])


def text(request: dict[str, Any]) -> dict[str, Any]:
    """Return the CPU seconds of `variorum.extract` with `config` on each of the `pdfs`, tables left alone."""
    import variorum

    return _timed(lambda pdf: variorum.extract(pdf, config=request["config"], jobs=1, only="text"), request["pdfs"])


def profile(request: dict[str, Any]) -> dict[str, Any]:
    """Return the CPU seconds of each kind of step of reading the `pdfs` with `config`, as the engine tells its steps."""
    from variorum.page.reader import PdfFile
    from variorum.tables.config import load_config
    from variorum.tables.pipeline import Pipeline
    from variorum.tables.steps import Step, Watch

    pipeline = Pipeline(load_config(request["config"]))
    seconds: dict[str, float] = {}
    since: list[tuple[str, float]] = [("", 0.0)]

    def tell(step: Step | None) -> None:
        clock, (label, start) = time.process_time(), since[0]
        if label:
            seconds[label] = seconds.get(label, 0.0) + clock - start
        since[0] = (_label(step, previous=label) if step else "", clock)

    def read(pdf: str) -> None:
        with PdfFile(pdf) as file:
            for handle in file.pages():
                pipeline.extract_page(handle, watch=Watch(tell))
                tell(None)
                handle.close()

    with tempfile.TemporaryDirectory() as folder:
        read(_small_page(Path(folder)))
    seconds.clear()
    for pdf in request["pdfs"]:
        read(pdf)
    return {"cpu_s": {name: round(value, 3) for name, value in seconds.items()}}


def _label(step: Any, *, previous: str) -> str:
    """Return what the time until the next step is spent on."""
    match step.kind:
        case "page":
            return "regions: election" if previous.startswith("regions") else "page: text, rules, captions"
        case "region proposer":
            return f"regions: {step.method}"
        case "table":
            return "table: vote and election"
        case kind:
            return f"{kind}: {step.method}"


def joined(request: dict[str, Any]) -> dict[str, Any]:
    """Return CPU seconds a page and peak MB with `config` on a file of `pages` pages: a page of each of the `pdfs`, over and
    over."""
    import pymupdf

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "joined.pdf"
        with pymupdf.open() as out:
            while out.page_count < request["pages"]:
                for pdf in request["pdfs"]:
                    with pymupdf.open(pdf) as source:
                        middle = source.page_count // 2
                        out.insert_pdf(source, from_page=middle, to_page=middle)
            out.save(path)
        del out
        answer = ask_child(
            "bench._measure", {"question": "extract", "pdfs": [str(path)], "config": request["config"]}, seconds=SECONDS
        )
    return {"cpu_s_a_page": answer["cpu_s"][str(path)] / request["pages"], "peak_mb": answer["peak_mb"]}


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
    f.__name__: f for f in (find_tables, pymupdf4llm, extract, text, profile, joined, memory, page_counts, heavy_modules)
}

if __name__ == "__main__":
    from variorum.execution import give_back_memory

    give_back_memory()  # as a worker of variorum does; the other tools gain by it as well
    asked = json.load(sys.stdin)
    reply = QUESTIONS[asked["question"]](asked)
    Path(asked["answer"]).write_text(json.dumps(reply), encoding="utf-8")
