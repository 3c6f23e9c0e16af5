"""Measure the weights of the PDF in the packaged matrix, and hold them against what the package says.

The papers of the corpus with ``truth.json``, each source against it (`variorum.evaluation.calibration` says how), circular
numbers included, with the share without each paper. Reading the PDFs takes most of the time.

  python -m bench.calibration                    reads everything; writes bench/results/calibration.json
  python -m bench.calibration --reuse FOLDER     takes the PDFs' readings from FOLDER/PAPER/document.json, where they are there

Ends with code 1 when a weight of the tenant ``default`` is not the one that is measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench._common import RESULTS, corpus_or_exit, environment, write_json
from variorum.apps.cli.calibrate import reader_of
from variorum.evaluation.calibration import Calibration, calibrate
from variorum.evaluation.calibration_output import as_lines, to_data
from variorum.fusion.tenants import load_tenant


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0, or 1 when the packaged weights are not the measured ones; 3 without a corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, help="default: $VARIORUM_CORPUS, else ../shared/corpus beside the repository")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures here")
    parser.add_argument("--reuse", type=Path, metavar="FOLDER", help="take the readings of PDFs that lie there")
    options = parser.parse_args(arguments)
    papers = corpus_or_exit(options) / "papers"
    found = calibrate(papers, load_tenant("default"), reader_of(options.reuse), progress=_told)
    reused = "" if options.reuse is None else " --reuse READINGS"
    data = {
        "bench": "calibration",
        "command": f"python -m bench.calibration{reused}",
        "environment": environment(),
        "readings_reused": [] if options.reuse is None else sorted(p for p in found.papers if (options.reuse / p).is_dir()),
        "results": to_data(found, "variorum calibrate papers"),
    }
    write_json(options.json or RESULTS / "calibration.json", data)
    print("\n".join(as_lines(found)))
    wrong = differing(found)
    for line in wrong:
        print(f"DIFFERS: {line}")
    return 1 if wrong else 0


def differing(found: Calibration) -> list[str]:
    """Return a line for each weight of the PDF in the packaged matrix that is not the measured one."""
    packaged = load_tenant("default")
    return [
        f"pdf {m.type}: the package has {packaged.weight('pdf', m.type)}, measured is {m.weight}"
        for m in found.measured
        if m.source == "pdf" and m.weight is not None and m.weight != packaged.weight("pdf", m.type)
    ]


def _told(done: int, total: int, what: str) -> None:
    print(f"{done + 1} of {total}: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
