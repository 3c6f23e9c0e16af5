"""Kill the indexing of a library with SIGKILL at random moments, again and again, and see whether anything is lost.

After each kill the index must open and have no faults (`variorum index --verify`); the next run goes on from there. A run that
comes to its end must leave what an undisturbed one does, row by row and byte by byte (`variorum.search.verifying.dump`); then
the index is removed, and the next run begins anew. The moments come from a seeded generator, spread over the time of an
undisturbed run. Ctrl-C ends it early, and what was done until then counts.

  python -m bench.soak                200 kills; writes bench/results/soak.json. Ends with code 1 when anything was lost
  python -m bench.soak --kills 5      a quick look; writes nothing without --json
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from bench._common import REPOSITORY, RESULTS, environment, parser_for, write_json
from tools.zotero_library import text_pdf
from variorum.search.store import open_index
from variorum.search.verifying import dump, verify

KILLS: Final = 200
SEED: Final = 20261130
PAPERS: Final = 5
_LINES: Final = 24
_TEXT: Final = "ice pond snow river stone winter thaw frost lake hill cloud rain wind leaf root bark"
_WORDS: Final = _TEXT.split()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory() as place:
        figures = soak(Path(place), options.kills, random.Random(SEED))
    print(json.dumps(figures, indent=1))
    target = options.json or (RESULTS / "soak.json" if options.kills == KILLS else None)
    if target is not None:
        write_json(target, {"environment": environment(), **figures})
    return 1 if figures["faults"] or figures["different_ends"] else 0


def _options(arguments: Sequence[str] | None) -> Namespace:
    parser = parser_for(__doc__)
    parser.add_argument("--kills", type=int, default=KILLS, metavar="N", help=f"how often (default: {KILLS})")
    return parser.parse_args(arguments)


def soak(place: Path, kills: int, moments: random.Random) -> dict[str, Any]:
    """Return what came of so many kills: where they fell, faults found after them, and how many runs ended otherwise."""
    folder = place / "papers"
    make_papers(folder, moments)
    begun = time.monotonic()
    whole = place / "whole.sqlite"
    if _run(folder, whole, None):
        raise RuntimeError("the undisturbed run did not come to its end")
    seconds = time.monotonic() - begun
    expected = _dumped(whole)
    index = place / "cut.sqlite"
    faults: list[str] = []
    fell: Counter[str] = Counter()
    done = ends = different = 0
    with suppress(KeyboardInterrupt):
        while done < kills:
            is_new, begun = not index.exists(), time.monotonic()
            if _run(folder, index, moments.uniform(0, seconds)):
                done += 1
                fell[_state(index)] += 1
                faults += verify(index) if index.exists() else ()
                print(f"\r{done}/{kills} kills, {ends} ends", end="", file=sys.stderr)
            else:
                ends += 1
                different += _dumped(index) != expected
                _remove(index)
                seconds = time.monotonic() - begun if is_new else seconds  # the machine may be faster or slower by now
    if _run(folder, index, None):
        raise RuntimeError("the last run did not come to its end")
    ends += 1
    different += _dumped(index) != expected
    print(file=sys.stderr)
    return {
        "kills": done,
        "fell_with": dict(sorted(fell.items())),
        "faults": faults,
        "runs_to_the_end": ends,
        "different_ends": different,
        "rows_compared": len(expected),
    }


def make_papers(folder: Path, words: random.Random) -> None:
    """Make the PDFs: a page of lines each, one of them damaged, and one there twice."""
    folder.mkdir()
    for number in range(PAPERS):
        lines = [f"Paper {number}.", *(" ".join(words.choices(_WORDS, k=9)) + "." for _ in range(_LINES))]
        (folder / f"paper-{number}.pdf").write_bytes(text_pdf(lines))
    (folder / "copy.pdf").write_bytes((folder / "paper-0.pdf").read_bytes())
    (folder / "damaged.pdf").write_bytes((folder / "paper-1.pdf").read_bytes()[:300])


def _run(folder: Path, index: Path, kill_after_s: float | None) -> bool:
    """Return whether a run over the folder was killed; False when it came to its end before."""
    command = [sys.executable, "-m", "variorum", "index", "--folder", str(folder), "--index", str(index)]
    with subprocess.Popen([*command, "--config", "minimal", "--quiet"], cwd=REPOSITORY, stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(kill_after_s)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            return True
        return False


def _dumped(index: Path) -> list[str]:
    with open_index(index) as opened:
        return list(dump(opened))


def _state(index: Path) -> str:
    """Return in words how far an index is."""
    if not index.exists():
        return "0: no file"
    try:
        with open_index(index) as opened:
            query = "SELECT (SELECT count(*) FROM documents WHERE kind = 'paper'), (SELECT count(*) FROM vectors)"
            papers, vectors = opened.connection.execute(query).fetchone()
    except Exception as error:  # it must open whatever happened: counted, and a fault
        return f"x: does not open: {error}"
    return f"{'2' if vectors else '1'}: {papers} papers{', vectors begun' if vectors else ''}"


def _remove(index: Path) -> None:
    for path in index.parent.glob(f"{index.name}*"):
        path.unlink()


if __name__ == "__main__":
    sys.exit(main())
