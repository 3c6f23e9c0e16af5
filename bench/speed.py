"""Measure time and memory as ratios to a plain tool on the same pages in the same run, and what an import costs.

  extract      CPU seconds of `variorum.extract` (fast and default) over those of PyMuPDF's `find_tables` alone (layout
               model off), each in a process of its own, imports not counted; a fixed sample of the corpus
  memory       peak resident size on the longest PDF of the corpus, in a fresh process
  import       CPU seconds of `import variorum` and of ``variorum --help`` over those of ``python -c pass`` (medians, runs
               interleaved); no heavy library may be loaded after either

  python -m bench.speed          writes bench/results/speed.json
  python -m bench.speed --ci     a smaller sample; writes nothing without --json

Ends with code 1 when a heavy library is loaded. Ratios of one run can be compared; seconds of two machines cannot.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from bench._common import EVERY, REPOSITORY, RESULTS, ask_child, corpus_or_exit, environment, parser_for, text_table, write_json

SECONDS_PER_QUESTION = 3600.0
IMPORT_RUNS = 9
PROGRAMS = {
    "python -c pass": "pass",
    "import variorum": "import variorum",
    "variorum --help": "import sys; sys.argv = ['variorum', '--help']; from variorum.apps.cli.main import run; run()",
}


def ask(question: str, **request: Any) -> Any:
    """Return the answer of `bench._measure`; raises ChildFailedError."""
    print(f"measuring: {question} {request.get('config', '')}".rstrip(), file=sys.stderr)
    return ask_child("bench._measure", {"question": question, **request}, seconds=SECONDS_PER_QUESTION)


def sample(corpus: Path, *, ci: bool) -> list[Path]:
    """Return every third PDF of papers and icdar2013-eu in order of name; for CI every third of those."""
    step = EVERY * EVERY if ci else EVERY
    papers, reports = sorted((corpus / "papers").glob("*/paper.pdf")), sorted((corpus / "icdar2013-eu").glob("*.pdf"))
    return papers[::step] + reports[::step]


def extraction(pdfs: Sequence[Path]) -> dict[str, Any]:
    """Return CPU seconds of find_tables and of both configurations on the same pages, and the ratios."""
    names = [str(pdf) for pdf in pdfs]
    pages = ask("page_counts", pdfs=names)
    answers = {"find_tables": ask("find_tables", pdfs=names)}
    answers |= {config: ask("extract", pdfs=names, config=config) for config in ("fast", "default")}
    totals = {name: sum(answer["cpu_s"].values()) for name, answer in answers.items()}
    return {
        "documents": len(names),
        "pages": sum(pages.values()),
        "cpu_s": {name: round(seconds, 2) for name, seconds in totals.items()},
        "ratio": {name: round(seconds / totals["find_tables"], 2) for name, seconds in totals.items()},
        "peak_mb": {name: answer["peak_mb"] for name, answer in answers.items()},
        "per_document": [
            {"document": _label(pdf), "pages": pages[str(pdf)], **{name: a["cpu_s"][str(pdf)] for name, a in answers.items()}}
            for pdf in pdfs
        ],
    }


def longest_document(corpus: Path) -> dict[str, Any]:
    """Return the peak memory on the corpus PDF with the most pages."""
    pages = ask(
        "page_counts",
        pdfs=sorted(map(str, corpus.rglob("paper.pdf"))) + sorted(map(str, (corpus / "icdar2013-eu").glob("*.pdf"))),
    )
    longest = max(pages, key=pages.__getitem__)
    sizes = {config: ask("memory", pdf=longest, config=config) for config in ("fast", "default")}
    return {"document": _label(Path(longest)), "pages": pages[longest], **sizes}


def imports() -> dict[str, Any]:
    """.

    Eturn CPU seconds of starting, importing and asking for help, their ratios to starting, and the heavy libraries loaded.
    """
    print("measuring: imports", file=sys.stderr)
    runs: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(IMPORT_RUNS + 1):
        for name, program in PROGRAMS.items():
            runs[name].append(_cpu_of(program))
    seconds = {name: median(values[1:]) for name, values in runs.items()}  # the first run compiles and fills caches
    heavy = {name: ask("heavy_modules", help=name == "variorum --help") for name in list(PROGRAMS)[1:]}
    start = seconds["python -c pass"]
    return {
        "runs": IMPORT_RUNS,
        "cpu_s": {name: round(value, 4) for name, value in seconds.items()},
        "ratio": {name: round(value / start, 2) for name, value in seconds.items()},
        "heavy_modules": heavy,
    }


def _cpu_of(program: str) -> float:
    """Return the CPU seconds of one run of Python; raises CalledProcessError when it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, check=True, capture_output=True, env=os.environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _label(pdf: Path) -> str:
    """Return the folder and name of a corpus file, without the machine's path."""
    return f"{pdf.parent.name}/{pdf.name}"


def report(result: dict[str, Any]) -> str:
    """Return the figures as tables."""
    reading, memory, start = result["extract"], result["memory"], result["import"]
    names = {"find_tables": "PyMuPDF find_tables", "fast": "extract, config fast", "default": "extract, config default"}
    parts = [
        text_table(
            f"reading {reading['pages']} pages of {reading['documents']} documents",
            ["CPU s", "ratio", "peak MB"],
            [(label, [reading["cpu_s"][n], reading["ratio"][n], reading["peak_mb"][n]]) for n, label in names.items()],
        ),
        text_table(
            f"memory on the longest document ({memory['document']}, {memory['pages']} pages)",
            ["imports MB", "peak MB"],
            [(names[c], [memory[c]["imports_mb"], memory[c]["peak_mb"]]) for c in ("fast", "default")],
        ),
        text_table(
            f"start-up, median of {start['runs']} runs",
            ["CPU s", "ratio", "heavy libraries"],
            [
                (n, [start["cpu_s"][n], start["ratio"][n], ", ".join(start["heavy_modules"].get(n, [])) or "none"])
                for n in PROGRAMS
            ],
        ),
    ]
    return "\n\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0, or 1 when a heavy library is loaded at start-up; 3 without a corpus."""
    options = parser_for(__doc__).parse_args(arguments)
    corpus = corpus_or_exit(options)
    result: dict[str, Any] = {
        "bench": "speed",
        "environment": environment(),
        "import": imports(),
        "extract": extraction(sample(corpus, ci=options.ci)),
        "memory": longest_document(corpus),
    }
    target = options.json or (None if options.ci else RESULTS / "speed.json")
    if target:
        write_json(target, result)
    print(report(result))
    loaded = [f"{name} loads {', '.join(modules)}" for name, modules in result["import"]["heavy_modules"].items() if modules]
    for line in loaded:
        print(f"HEAVY: {line}")
    return 1 if loaded else 0


if __name__ == "__main__":
    raise SystemExit(main())
