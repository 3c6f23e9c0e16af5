"""The process that indexes for the server: ``python -P -m variorum.apps.mcp.indexing_process``.

It is told what to do in one line of JSON on stdin and says how far it is in lines of JSON on stdout: ``notice``, ``progress``,
at last ``report`` or ``error``. It ends with the process that began it: when stdin is closed it is gone at once, and the index
stands as after its last whole paper.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TextIO

from variorum.apps.chosen_library import LibraryPlace
from variorum.apps.indexing import IndexWishes, prepare_run, report_as_data
from variorum.errors import VariorumError
from variorum.libraries.selecting import Selection

PAPERS_LISTED: Final = 50
"""Papers that are not in the index, at most so many of which are named in the report."""


def wishes_as_data(wishes: IndexWishes) -> dict[str, Any]:
    """Return as JSON values what `wishes_of` reads: of the wishes those that a server has."""
    place, selection = wishes.place, wishes.selection
    return {
        "place": {"zotero": _text(place.zotero), "folder": _text(place.folder), "base_dir": place.base_dir},
        "selection": {
            "collections": list(selection.collections),
            "tags": list(selection.tags),
            "libraries": list(selection.libraries),
            "keys": list(selection.keys),
        },
        "index": str(wishes.index),
        "model": _text(wishes.model),
        "limit": wishes.limit,
        "jobs": wishes.jobs,
        "config": wishes.config,
        "retry": wishes.retry,
    }


def wishes_of(data: Mapping[str, Any]) -> IndexWishes:
    """Return the wishes that `wishes_as_data` made data of."""
    place, selection = data["place"], data["selection"]
    return IndexWishes(
        place=LibraryPlace(zotero=_path(place["zotero"]), folder=_path(place["folder"]), base_dir=place["base_dir"]),
        selection=Selection(
            collections=tuple(selection["collections"]),
            tags=tuple(selection["tags"]),
            libraries=tuple(selection["libraries"]),
            keys=tuple(selection["keys"]),
        ),
        index=Path(data["index"]),
        model=_path(data["model"]),
        limit=data["limit"],
        jobs=data["jobs"],
        config=data["config"],
        retry=data["retry"],
    )


def main() -> int:
    """Return 0 once the report is on stdout, 1 once an error is."""
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no message
    wishes = wishes_of(json.loads(sys.stdin.buffer.readline()))
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    tell = _teller(wire)
    try:
        run = prepare_run(wishes, lambda notice: tell("notice", notice))
        report = report_as_data(
            run.carry_out(lambda p: tell("progress", {"stage": p.stage, "done": p.done, "total": p.total, "now": p.what})),
            wishes.index,
        )
    except VariorumError as error:
        tell("error", str(error))
        return 1
    except Exception as error:
        traceback.print_exc()
        tell("error", f"this is a bug of variorum ({type(error).__name__}: {error}). To try: report what the server's log says")
        return 1
    tell("report", _shortened(report))
    return 0


def _teller(wire: TextIO) -> Callable[[str, object], None]:
    def tell(kind: str, value: object) -> None:
        print(json.dumps({kind: value}), file=wire, flush=True)

    return tell


def _shortened(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the report with the papers that are not in the index alone, and of these the first."""
    missing = [paper for paper in report["papers"] if paper["outcome"] in ("failed", "skipped")]
    missing.sort(key=lambda paper: paper["outcome"])
    return {**report, "papers": missing[:PAPERS_LISTED]}


def _end_with_the_server() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path.absolute())


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # the thread that waits for the server would keep a lock on stdin
