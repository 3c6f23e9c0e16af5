"""Kill the indexing of a library with SIGKILL at random moments, again and again, and see whether anything is lost.

After each kill the index must open and have no faults (`variorum index --verify`); the next run goes on from there. A run that
comes to its end must leave what an undisturbed one does, row by row and byte by byte (`variorum.search.verifying.dump`); then
the index is removed, and the next run begins anew. The moments come from a seeded generator: half are spread over the time of
an undisturbed run, half over what it writes (so many changes of the file, and up to a twentieth of a second), since a loaded
machine may spend its time elsewhere. Ctrl-C ends it early, and what was done until then counts.

  python -m bench.soak                200 kills; writes bench/results/soak.json. Ends with code 1 when anything was lost
  python -m bench.soak --kills 5      a quick look; writes nothing without --json
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench._common import REPOSITORY, RESULTS, environment, parser_for, write_json
from tools.zotero_library import text_pdf
from variorum.errors import VariorumError
from variorum.search.store import open_index
from variorum.search.verifying import dump, verify

KILLS: Final = 200
SEED: Final = 20261130
PAPERS: Final = 5
_LINES: Final = 24
_TEXT: Final = "ice pond snow river stone winter thaw frost lake hill cloud rain wind leaf root bark"
_WORDS: Final = _TEXT.split()
_LATEST_S: Final = 0.05
_LOOK_S: Final = 0.002


@dataclass(frozen=True, slots=True)
class Moment:
    """When a run is killed: so many seconds after it begins to wait, which it does once the file has changed so often."""

    changes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: whether it was killed, how often the file had changed, and the seconds that it took."""

    was_killed: bool
    changes: int
    seconds: float


Runner = Callable[[Path, Path, Moment | None], Ended]
"""Runs over a folder into an index, to a moment or to the end."""


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


def soak(place: Path, kills: int, dice: random.Random, run: Runner | None = None) -> dict[str, Any]:
    """Return what came of so many kills: where they fell, faults found after them, and how many runs ended otherwise."""
    run = run or run_index
    folder = place / "papers"
    make_papers(folder, dice)
    whole = place / "whole.sqlite"
    undisturbed = _to_the_end(run, folder, whole)
    expected = _dumped(whole)
    index = place / "cut.sqlite"
    faults: list[str] = []
    fell: Counter[str] = Counter()
    done = ends = different = 0
    with suppress(KeyboardInterrupt):
        while done < kills:
            is_new = not index.exists()
            ended = run(folder, index, _moment(dice, undisturbed))
            if ended.was_killed:
                done += 1
                fell[_state(index)] += 1
                faults += _faults(index)
                print(f"\r{done}/{kills} kills, {ends} ends", end="", file=sys.stderr)
            else:
                ends += 1
                different += _dumped(index) != expected
                _remove(index)
                undisturbed = ended if is_new else undisturbed  # the machine may be faster or slower by now
    _to_the_end(run, folder, index)
    different += _dumped(index) != expected
    print(file=sys.stderr)
    return {
        "kills": done,
        "fell_with": dict(sorted(fell.items())),
        "faults": faults,
        "runs_to_the_end": ends + 1,
        "different_ends": different,
        "rows_compared": len(expected),
    }


def _moment(dice: random.Random, undisturbed: Ended) -> Moment:
    if dice.random() * 2 < 1:
        return Moment(0, dice.uniform(0, undisturbed.seconds))
    return Moment(dice.randint(1, undisturbed.changes), dice.uniform(0, _LATEST_S))


def _to_the_end(run: Runner, folder: Path, index: Path) -> Ended:
    ended = run(folder, index, None)
    if ended.was_killed:
        raise RuntimeError("a run without a moment was killed")
    return ended


def make_papers(folder: Path, words: random.Random) -> None:
    """Make the PDFs: a page of lines each, one of them damaged, and one there twice."""
    folder.mkdir()
    for number in range(PAPERS):
        lines = [f"Paper {number}.", *(" ".join(words.choices(_WORDS, k=9)) + "." for _ in range(_LINES))]
        (folder / f"paper-{number}.pdf").write_bytes(text_pdf(lines))
    (folder / "copy.pdf").write_bytes((folder / "paper-0.pdf").read_bytes())
    (folder / "damaged.pdf").write_bytes((folder / "paper-1.pdf").read_bytes()[:300])


def run_index(folder: Path, index: Path, moment: Moment | None) -> Ended:
    """Return how a run of ``variorum index`` ended: killed with SIGKILL at the moment, or by itself."""
    command = [sys.executable, "-m", "variorum", "index", "--folder", str(folder), "--index", str(index)]
    begun = time.monotonic()
    with subprocess.Popen([*command, "--config", "minimal", "--quiet"], cwd=REPOSITORY, stderr=subprocess.DEVNULL) as process:
        changes, last, reached = 0, _written(index), None
        while process.poll() is None:
            now = time.monotonic()
            seen = _written(index)
            changes, last = changes + (seen != last), seen
            if moment is not None and changes >= moment.changes:
                reached = now if reached is None else reached
                if now - reached >= moment.seconds:
                    process.kill()
                    return Ended(True, changes, now - begun)
            time.sleep(_LOOK_S)
        return Ended(False, changes, time.monotonic() - begun)


def _written(index: Path) -> tuple[tuple[int, int], ...]:
    """Return sizes and times of the index and of what was written and not yet taken over."""
    found = []
    for path in (index, index.with_name(f"{index.name}-wal")):
        with suppress(FileNotFoundError):
            status = path.stat()
            found.append((status.st_size, status.st_mtime_ns))
    return tuple(found)


def _dumped(index: Path) -> list[str]:
    with open_index(index) as opened:
        return list(dump(opened))


def _faults(index: Path) -> tuple[str, ...]:
    """Return the faults of an index; none where no file was made yet. One that does not open is a fault."""
    try:
        return verify(index) if index.exists() else ()
    except VariorumError as error:
        return (str(error),)


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
