"""Measure the alignment and the fusion of several sources of one paper.

  alignment   the paper with four sources, and all papers with LaTeX, HTML and PDF: how many components of each source share a
              position with each other source, what only one source has, what is left over (`bench._fusion_alignment`)
  scale       how the time of aligning grows with the number of components; alignment and fusion of the longest paper against
              the extraction of its PDF in one run, and peak memory (`bench._fusion_scale`)
  papers      each source alone and the fusion, against truth (`bench._fusion_papers`)
  faults      damage planted in one source: whether the fusion follows another (`bench._fusion_faults`)

Each part stands in bench/results/fusion.json with the command, commit and machine that made it; a run of some parts leaves the
others as they are.

  python -m bench.fusion                                everything; writes bench/results/fusion.json
  python -m bench.fusion alignment scale                these parts
  python -m bench.fusion alignment --only NAME          a quick look at one paper; writes nothing without --json
  python -m bench.fusion papers --pdf-documents FOLDER  reads FOLDER/NAME/document.json where it would read PDFs anew
"""

from __future__ import annotations

import importlib
import json
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench._common import RESULTS, corpus_or_exit, environment, parser_for, write_json

PARTS = ("alignment", "scale", "papers", "faults")
TARGET = RESULTS / "fusion.json"


def measured(part: str, corpus: Path, options: Namespace) -> tuple[dict[str, Any], list[str]]:
    """Return the figures of a part, and the lines that tell them; the part is the module ``bench._fusion_PART``."""
    module = importlib.import_module(f"bench._fusion_{part}")
    figures: dict[str, Any] = module.measure(corpus, options.pdf_documents, options.only)
    return figures, list(module.lines(figures))


def merged(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of the file of results: all parts in their order, those measured now in place of older ones."""
    parts = {**before.get("parts", {}), **now}
    return {"bench": "fusion", "parts": {part: parts[part] for part in PARTS if part in parts}}


def parse(arguments: Sequence[str] | None) -> Namespace:
    """Return the options of the command line."""
    parser = parser_for(__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; default: all")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this paper; may be repeated")
    parser.add_argument(
        "--pdf-documents", type=Path, metavar="FOLDER", help="NAME/document.json of papers whose PDF was read before"
    )
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.parts) - set(PARTS))
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    options.parts = [p for p in PARTS if p in options.parts] or list(PARTS)
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 once the parts were measured; 2 for an unknown part, 3 without a corpus."""
    options = parse(arguments)
    corpus = corpus_or_exit(options)
    target = options.json or (None if options.only else TARGET)
    command = " ".join(["python -m bench.fusion", *_named(sys.argv[1:] if arguments is None else arguments)])
    for part in options.parts:
        figures, lines = measured(part, corpus, options)
        print("\n".join(lines), end="\n\n", flush=True)
        if target:
            before = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
            section = {"command": command, "environment": environment(), "figures": figures}
            write_json(target, merged(before, {part: section}))
    return 0


def _named(arguments: Sequence[str]) -> list[str]:
    """Return the arguments without the places of this machine."""
    return ["FOLDER" if Path(a).is_absolute() else a for a in arguments]


if __name__ == "__main__":
    raise SystemExit(main())
