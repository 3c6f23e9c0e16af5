"""Read one document in a process of its own, in all the ways that bench.accuracy asks for (request on stdin, see `answer`)."""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")
LIBRARIES = ("pymupdf", "numpy", "pandas", "pdfplumber", "camelot")
Tables = list[dict[str, Any]]


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of one PDF in the referee's form.

    Of the request: `pdf`, `configs` (a choice for each), `candidates_of` (a config, or null for none) and `regions` (or null
    for end to end). The answer has `choices` and `candidates`, each name -> tables, `cpu_s` of each choice, and `failures`:
    what failed or, as the document's own notices say, was lost. A reading that fails has no tables.
    """
    import variorum
    from variorum.document import Document
    from variorum.document.referee import to_referee

    for library in LIBRARIES:  # so that their import is not part of the first reading's seconds
        with suppress(ImportError):
            import_module(library)
    pdf, regions = request["pdf"], request["regions"]
    failures: list[dict[str, str]] = []
    cpu_s: dict[str, float] = {}

    def attempt(name: str, work: Callable[[], Result], instead: Result) -> Result:
        start = time.process_time()
        try:
            return work()
        except Exception as error:
            traceback.print_exc()
            failures.append({"reading": name, "error": f"{type(error).__name__}: {error}"})
            return instead
        finally:
            cpu_s[name] = round(time.process_time() - start, 3)

    def choice(config: str) -> Tables:
        if regions == []:  # nothing is graded in this document: there is nothing to read
            return []
        document = variorum.extract(pdf, config=config, regions=regions, jobs=1)
        failures.extend({"reading": config, "error": f"notice: {n.what}"} for n in document.notices if n.severity == "error")
        return _tables(to_referee(document))

    def candidates(config: str) -> dict[str, Tables]:
        from variorum.extraction import candidate_tables

        if regions == []:
            return {}
        shell = Document(key="bench", source_name=Path(pdf).name, sha256="", page_count=0, pages=())
        by_name = candidate_tables(pdf, config=config, regions=regions, jobs=1)
        return {name: _tables(to_referee(replace(shell, tables=tuple(tables)))) for name, tables in by_name.items()}

    nothing: Tables = []
    no_candidates: dict[str, Tables] = {}
    choices = {config: attempt(config, partial(choice, config), nothing) for config in request["configs"]}
    of = request["candidates_of"]
    every = attempt("candidates", partial(candidates, of), no_candidates) if of else no_candidates
    return {"choices": choices, "candidates": every, "cpu_s": cpu_s, "failures": failures}


def _tables(reading: Any) -> Tables:
    tables: Tables = reading["tables"]
    return tables


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    Path(asked["answer"]).write_text(json.dumps(answer(asked)), encoding="utf-8")
