"""Read one document in a process of its own, for bench.document: the request on stdin, see `answer`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return what `variorum.extract` makes of the `pdf` with the `config`: the JSON text of the document, and CPU seconds."""
    import variorum

    start = time.process_time()
    document = variorum.extract(request["pdf"], config=request["config"], jobs=1)
    return {"document": document.to_json(), "cpu_s": round(time.process_time() - start, 3)}


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    Path(asked["answer"]).write_text(json.dumps(answer(asked)), encoding="utf-8")
