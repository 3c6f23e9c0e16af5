"""Measure time and memory as ratios to plain tools on the same pages in the same run, and what an import costs.

  extract      CPU seconds of `variorum.extract` (tables alone, fast and default; text alone; all of both) over those of
               ``pymupdf4llm.to_json`` and of PyMuPDF's `find_tables` alone (layout model off); every document in a process of
               its own, one tool after the other, imports not counted; a fixed sample of the corpus
  memory       peak resident size of those processes, and on the longest PDF of the corpus
  flatness     CPU seconds a page and peak size for files of 10, 100 and 500 pages, joined from papers of the corpus
  profile      where the time goes: CPU seconds of each kind of step
  import       CPU seconds of `import variorum` and of ``variorum --help`` over those of ``python -c pass`` (medians, runs
               interleaved); no heavy library may be loaded after either

  python -m bench.speed             writes bench/results/speed.json
  python -m bench.speed --full      all of papers instead of a sample; a line of progress a document
  python -m bench.speed --profile   only where the time goes, on a few papers; writes nothing without --json
  python -m bench.speed --flat      only flatness; writes nothing without --json
  python -m bench.speed --ci        a smaller sample, one process a tool, only extract and import; writes nothing without --json

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
FLAT_PAGES = (10, 100, 500)
PROGRAMS = {
    "python -c pass": "pass",
    "import variorum": "import variorum",
    "variorum --help": "import sys; sys.argv = ['variorum', '--help']; from variorum.apps.cli.main import run; run()",
}


def ask(question: str, **request: Any) -> Any:
    """Return the answer of `bench._measure`; raises ChildFailedError."""
    what = [question, request.get("config", ""), *(_label(Path(pdf)) for pdf in request.get("pdfs", ())[:1])]
    print(f"measuring: {' '.join(filter(None, what))}", file=sys.stderr, flush=True)
    return ask_child("bench._measure", {"question": question, **request}, seconds=SECONDS_PER_QUESTION)


def sample(corpus: Path, *, ci: bool, full: bool = False) -> list[Path]:
    """Return every third PDF of papers and icdar2013-eu in order of name, for CI every third of those; in full, all papers."""
    papers, reports = sorted((corpus / "papers").glob("*/paper.pdf")), sorted((corpus / "icdar2013-eu").glob("*.pdf"))
    if full:
        return papers
    step = EVERY * EVERY if ci else EVERY
    return papers[::step] + reports[::step]


TOOLS: dict[str, dict[str, str]] = {
    "find_tables": {"question": "find_tables"},
    "pymupdf4llm": {"question": "pymupdf4llm"},
    "fast": {"question": "extract", "config": "fast", "only": "tables"},
    "default": {"question": "extract", "config": "default", "only": "tables"},
    "text": {"question": "text", "config": "default"},
    "fast_all": {"question": "extract", "config": "fast"},
    "default_all": {"question": "extract", "config": "default"},
}


def extraction(pdfs: Sequence[Path], *, together: bool = False) -> dict[str, Any]:
    """Return CPU seconds and peak sizes of all tools on the same pages, and the ratios to the two plain ones.

    Every document is read in a process of its own, or all of them `together` in one process a tool, which begins quicker.
    """
    names = [str(pdf) for pdf in pdfs]
    pages = ask("page_counts", pdfs=names)
    seconds: dict[str, dict[str, float]] = {tool: {} for tool in TOOLS}
    peaks: dict[str, dict[str, float]] = {tool: {} for tool in TOOLS}
    for part in [names] if together else [[name] for name in names]:
        for tool, request in TOOLS.items():
            answer = ask(**request, pdfs=part)
            seconds[tool] |= answer["cpu_s"]
            peaks[tool][part[0]] = answer["peak_mb"]
    totals = {tool: sum(found.values()) for tool, found in seconds.items()}

    def ratio_to(plain: str) -> dict[str, float]:
        return {tool: round(total / totals[plain], 2) for tool, total in totals.items()}

    return {
        "documents": len(names),
        "pages": sum(pages.values()),
        "cpu_s": {tool: round(total, 2) for tool, total in totals.items()},
        "ratio": ratio_to("pymupdf4llm"),
        "ratio_to_find_tables": ratio_to("find_tables"),
        "peak_mb": {tool: max(found.values()) for tool, found in peaks.items()},
        "per_document": [
            {"document": _label(pdf), "pages": pages[str(pdf)], **{tool: found[str(pdf)] for tool, found in seconds.items()}}
            for pdf in pdfs
        ],
    }


def flatness(corpus: Path) -> list[dict[str, Any]]:
    """Return for files of 10, 100 and 500 pages the CPU seconds a page and the peak size, with both configurations."""
    papers = sorted((corpus / "papers").glob("*/paper.pdf"))
    some = [str(pdf) for pdf in papers[:: max(1, len(papers) // FLAT_PAGES[0])]][: FLAT_PAGES[0]]
    found = []
    for pages in FLAT_PAGES:
        row: dict[str, Any] = {"pages": pages}
        for config in ("fast", "default"):
            row[config] = ask("joined", pdfs=some, pages=pages, config=config)
        found.append(row)
    return found


def profiles(pdfs: Sequence[Path]) -> dict[str, Any]:
    """Return where the time goes, in CPU seconds by step, with both configurations."""
    names = [str(pdf) for pdf in pdfs]
    found = {config: ask("profile", pdfs=names, config=config)["cpu_s"] for config in ("fast", "default")}
    return {"documents": len(names), "pages": sum(ask("page_counts", pdfs=names).values()), **found}


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
    """Return what starting costs.

    CPU seconds of starting, importing and asking for help, their ratios to starting, and the heavy libraries loaded.
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
    reading, start = result["extract"], result["import"]
    names = {
        "find_tables": "PyMuPDF find_tables",
        "pymupdf4llm": "pymupdf4llm.to_json",
        "fast": "extract, config fast, tables alone",
        "default": "extract, config default, tables alone",
        "text": "extract, text alone",
        "fast_all": "extract, config fast, all",
        "default_all": "extract, config default, all",
    }
    whole = {"fast": "extract, config fast", "default": "extract, config default"}
    parts = [
        text_table(
            f"reading {reading['pages']} pages of {reading['documents']} documents; ratios to pymupdf4llm.to_json",
            ["CPU s", "ratio", "peak MB"],
            [
                (label, [reading["cpu_s"][n], reading["ratio"][n], reading["peak_mb"][n]])
                for n, label in names.items()
                if n in reading["cpu_s"]
            ],
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
    if "memory" in result:
        memory = result["memory"]
        parts.append(
            text_table(
                f"memory on the longest document ({memory['document']}, {memory['pages']} pages)",
                ["imports MB", "peak MB"],
                [(whole[c], [memory[c]["imports_mb"], memory[c]["peak_mb"]]) for c in ("fast", "default")],
            )
        )
    if "flatness" in result:
        parts.append(flatness_table(result["flatness"]))
    if "profile" in result:
        parts.append(profile_table(result["profile"]))
    return "\n\n".join(parts)


def flatness_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the cost a page by the length of the file, as a table."""
    heads = [f"{config} {what}" for config in ("fast", "default") for what in ("CPU s/page", "peak MB")]
    return text_table(
        "cost by length of the file",
        heads,
        [
            (f"{row['pages']} pages", [row[c][k] for c in ("fast", "default") for k in ("cpu_s_a_page", "peak_mb")])
            for row in rows
        ],
    )


def profile_table(found: dict[str, Any]) -> str:
    """Return where the time goes, as a table: CPU milliseconds a page by step, the dearest first."""
    steps = sorted({*found["fast"], *found["default"]}, key=lambda s: (-found["default"].get(s, 0.0), s))
    thousandths = 1000 / found["pages"]
    rows = [(step, [round(found[c].get(step, 0.0) * thousandths, 1) for c in ("fast", "default")]) for step in steps]
    rows.append(("all", [round(sum(found[c].values()) * thousandths, 1) for c in ("fast", "default")]))
    return text_table(f"CPU ms a page, {found['pages']} pages of {found['documents']} documents", ["fast", "default"], rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0, or 1 when a heavy library is loaded at start-up; 3 without a corpus."""
    parser = parser_for(__doc__)
    parser.add_argument("--full", action="store_true", help="all of papers instead of a sample")
    parser.add_argument("--profile", action="store_true", help="only where the time goes, on a few papers")
    parser.add_argument("--flat", action="store_true", help="only the cost a page by the length of the file")
    options = parser.parse_args(arguments)
    corpus = corpus_or_exit(options)
    if options.profile or options.flat:
        part: dict[str, Any] = {"bench": "speed", "environment": environment()}
        if options.profile:
            part["profile"] = profiles(sample(corpus, ci=True))
            print(profile_table(part["profile"]))
        if options.flat:
            part["flatness"] = flatness(corpus)
            print(flatness_table(part["flatness"]))
        if options.json:
            write_json(options.json, part)
        return 0
    result: dict[str, Any] = {
        "bench": "speed",
        "environment": environment(),
        "import": imports(),
        "extract": extraction(sample(corpus, ci=options.ci, full=options.full), together=options.ci),
    }
    if not options.ci:
        result["memory"] = longest_document(corpus)
        result |= {"flatness": flatness(corpus), "profile": profiles(sample(corpus, ci=True))}
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
