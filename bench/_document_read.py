"""Ask one thing of one paper in a process of its own, for bench.document: the request on stdin, see the functions."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def read(request: dict[str, Any]) -> dict[str, Any]:
    """Return what `variorum.extract` makes of the `pdf` with the `config`: the JSON text of the document, and CPU seconds."""
    import variorum

    start = time.process_time()
    document = variorum.extract(request["pdf"], config=request["config"], jobs=1)
    return {"document": document.to_json(), "cpu_s": round(time.process_time() - start, 3)}


def page_texts(request: dict[str, Any]) -> list[str]:
    """Return PyMuPDF's words of each page of the `pdf`, with a space between, as a plain user would have them."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    with pymupdf.open(request["pdf"]) as pdf:
        return [" ".join(word[4] for word in page.get_text("words")) for page in pdf]


def docling(request: dict[str, Any]) -> dict[str, Any]:
    """Return what docling-core says of the exported `document` (its JSON text): the number of chunks, or the fault.

    The exported document is read anew from its own JSON, as another program would.
    """
    from docling_core.transforms.chunker import HierarchicalChunker
    from docling_core.types.doc.document import DoclingDocument

    from variorum.document.model import Document

    document = Document.from_json(request["document"])
    try:
        exported = DoclingDocument.model_validate_json(document.to_docling().model_dump_json())
        return {"chunks": sum(1 for _ in HierarchicalChunker().chunk(exported)), "error": ""}
    except Exception as error:
        return {"chunks": 0, "error": f"{type(error).__name__}: {error}"}


QUESTIONS: dict[str, Callable[[dict[str, Any]], object]] = {f.__name__: f for f in (read, page_texts, docling)}

if __name__ == "__main__":
    asked = json.load(sys.stdin)
    reply = QUESTIONS[asked["question"]](asked)
    Path(asked["answer"]).write_text(json.dumps(reply), encoding="utf-8")
