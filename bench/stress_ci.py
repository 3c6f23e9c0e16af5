"""Run the stress test on a few short papers and hold it against the committed one: what got worse must have a note.

python -m bench.stress_ci            the papers of bench/stress-ci.toml, by the default configuration, searched by words only;
                                     writes build/stress-ci and compares with bench/results/stress-ci.json. Ends with code 1
                                     when something is worse that bench/stress-notes.toml does not name, or a note names nothing
python -m bench.stress_ci --accept   the same, but its summary becomes the committed one

Without the corpus nothing is tested, which is said; the code is 0, with VARIORUM_NO_SKIPS=1 it is 1.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench._common import REPOSITORY, RESULTS, corpus_folder
from variorum.apps.cli.main import main as variorum
from variorum.config_checks import read_toml

PAPERS: Final = REPOSITORY / "bench" / "stress-ci.toml"
NOTES: Final = REPOSITORY / "bench" / "stress-notes.toml"
BASELINE: Final = RESULTS / "stress-ci.json"
OUTPUT: Final = REPOSITORY / "build" / "stress-ci"
SUMMARY: Final = "stress_summary.json"
_JOBS: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 when nothing is worse without a note, or nothing could be tested; 1 otherwise, and when the test did not end."""
    options = _options(arguments)
    corpus = corpus_folder(options.corpus)
    if corpus is None:
        print("stress-ci: no corpus of real papers (VARIORUM_CORPUS=FOLDER names it): nothing was tested", file=sys.stderr)
        return int(os.environ.get("VARIORUM_NO_SKIPS", "") not in ("", "0"))
    summary = run(corpus, options.output)
    if summary is None:
        print("stress-ci: the stress test did not come to its end", file=sys.stderr)
        return 1
    if options.accept:
        BASELINE.write_bytes(summary.read_bytes())
        print(f"stress-ci: {BASELINE.relative_to(REPOSITORY)} is now this test; notes on what was worse have no use any more")
        return 0
    if not BASELINE.is_file():
        print(f"stress-ci: no {BASELINE.relative_to(REPOSITORY)}; make stress-ci-baseline makes it", file=sys.stderr)
        return 1
    print()
    return 1 if variorum(["stress", "diff", str(BASELINE), str(summary), "--notes", str(NOTES)]) else 0


def run(corpus: Path, output: Path) -> Path | None:
    """Return the summary of a test of the papers, None when it was not written; what an earlier call has read is taken."""
    papers = read_toml(PAPERS, 'papers = ["KEY"]')["papers"]
    assert isinstance(papers, list)
    summary = output / SUMMARY
    summary.unlink(missing_ok=True)
    items = [word for key in papers for word in ("--item", str(key))]
    call = ["stress", "--corpus", str(corpus), *items, "--no-variants", "--no-vectors", "--prune", "-j", str(_JOBS)]
    variorum([*call, "-o", str(output)])
    return summary if summary.is_file() else None


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.stress_ci", description="The stress test on a few short papers.")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="where the papers are (default: VARIORUM_CORPUS)")
    parser.add_argument(
        "--output", type=Path, metavar="DIR", default=OUTPUT, help="where all is kept (default: build/stress-ci)"
    )
    parser.add_argument("--accept", action="store_true", help="make this test the committed one")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
