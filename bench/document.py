"""Measure the text of whole papers against the corpus, with the referee that lies beside it, next to what a peer reaches.

  jose      18 papers against JATS made from the same source, with ``score_document.py``; the row of PyMuPDF4LLM beside it, and
            what a perfect transcription of the PDF reaches, for the papers that were transcribed by hand; and the means where
            captions that the truth has as paragraphs count as captions
  papers    27 papers against ``truth.json``: section titles, captions, bibliography, numbered equations; and the body text
            against LaTeXML's HTML of the same paper. `bench._document_measures` says how each figure is made.
  words     all papers and reports of the corpus: where the words of the pages went, and what is lost, doubled or misplaced
            (`bench._document_words`)
  docling   the same: whether docling-core accepts the exported document, and its chunker runs on it
  speed     CPU seconds a page of the reading without tables over those of ``pymupdf4llm.to_json``, on the sample of bench.speed
            in one run: every document in a process of its own, one tool after the other, imports not counted

Both sides of a comparison leave the same things out: `bench._document_form` says what is taken from a reading, and
`bench._document_html` what from the HTML. A paper that cannot be read is counted, listed, and scored as "nothing found".

  python -m bench.document                       everything; writes bench/results/document.json
  python -m bench.document jose words            these parts; writes nothing without --json
  python -m bench.document jose --only '*143'    a quick look; writes nothing without --json
  python -m bench.document --details jose.00143  what this paper lacks and has too much, item by item
  python -m bench.document --keep FOLDER         also writes each reading to FOLDER/SET/NAME/document.json
  python -m bench.document --reuse FOLDER        measures the readings that lie there; nothing is read anew
  python -m bench.document --hand FOLDER         measures transcriptions, FOLDER/NAME.json in the scorer's form, and makes them
                                                 the committed bench/results/document-hand.json
  python -m bench.document --ci                  every third paper in order of name; compared with the committed
                                                 bench/results/document-ci.json. Ends with code 1 when a mean falls.
  python -m bench.document --ci --accept         the same, but the figures become the committed ones
"""

from __future__ import annotations

import fnmatch
import json
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import speed
from bench._common import (
    EVERY,
    PEERS,
    RESULTS,
    ChildFailedError,
    ask_child,
    committed_results,
    corpus_or_exit,
    default_target,
    environment,
    parser_for,
    text_table,
    write_json,
)
from bench._document_details import details
from bench._document_form import scorer_form
from bench._document_measures import (
    JOSE_FIGURES,
    PAPERS_FIGURES,
    Figures,
    jose_figures,
    jose_figures_with_typed_captions,
    papers_figures,
)
from bench._document_truth import SETS, WITH_TRUTH, Paper, Scorers, body_of_truth, load_scorers, papers_of
from bench._document_words import CLASSES, accounting
from variorum.document.model import Document
from variorum.errors import SchemaError

COLUMNS: dict[str, tuple[str, ...]] = {"jose": JOSE_FIGURES, "papers": PAPERS_FIGURES}
MEASURES: dict[str, Callable[[Scorers, Paper, Mapping[str, Any]], Figures]] = {"jose": jose_figures, "papers": papers_figures}
PARTS = (*WITH_TRUTH, "words", "docling", "speed")
ALL_SETS = {"words", "docling"}  # the parts that read all papers and reports of the corpus
TOOLS = {"pymupdf4llm": {"question": "pymupdf4llm"}, "text": {"question": "text"}}
HAND_NOTE = (
    "What a perfect transcription of the PDF reaches: papers transcribed by hand from the rendered pages and the text of"
    " the PDF, not from the truth (title, headings with level, paragraphs, items of lists, captions, references; words"
    " broken at the end of a line mended, addresses joined). The transcriptions are no part of the project, as the corpus is"
    " none. What is below 1 no reading of the page can reach: labels that the truth left unresolved ([fig:...], where the"
    " page prints Figure 1), and an entry whose DOI begins with the whole of another's, which the scorer pairs with the"
    " wrong one."
)
HAND = RESULTS / "document-hand.json"
NOTHING: dict[str, Any] = {
    "title": "",
    "headings": [],
    "paragraphs": [],
    "captions": [],
    "equations": [],
    "references": [],
    "citations": 0,
}
SECONDS_PER_DOCUMENT = 1800.0
TOLERANCE = (
    0.002  # another platform may round a coordinate the other way; a lost heading or caption of the CI part is worth more
)


# ---- reading --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a paper: the document, or why there is none."""

    document: Document | None
    error: str = ""

    def form(self) -> dict[str, Any]:
        """Return the document in the scorer's form; a paper that could not be read has nothing."""
        return NOTHING if self.document is None else scorer_form(self.document)


def read_all(papers: Sequence[Paper], options: Namespace) -> dict[Paper, Reading]:
    """Return the reading of each paper, `options.jobs` at a time, each in a process of its own."""

    def one(paper: Paper) -> Reading:
        try:
            reading = Reading(Document.from_json(_document_text(paper, options)))
        except (ChildFailedError, OSError, SchemaError) as error:
            reading = Reading(None, str(error))
        print(f"{paper.data_set}: {paper.name} {reading.error or 'read'}", file=sys.stderr, flush=True)
        return reading

    with ThreadPoolExecutor(options.jobs) as pool:
        return dict(zip(papers, pool.map(one, papers), strict=True))


def _document_text(paper: Paper, options: Namespace) -> str:
    if options.reuse:
        return _kept(options.reuse, paper).read_text(encoding="utf-8")
    request = {"question": "read", "pdf": str(paper.pdf), "config": options.config}
    text: str = ask_child("bench._document_read", request, seconds=SECONDS_PER_DOCUMENT)["document"]
    if options.keep:
        target = _kept(options.keep, paper)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return text


def _kept(folder: Path, paper: Paper) -> Path:
    return folder / paper.data_set / paper.name / "document.json"


# ---- measuring ------------------------------------------------------------------------------------------------------


def measure(scorers: Scorers, readings: Mapping[Paper, Reading], data_set: str) -> dict[str, Any]:
    """Return the figures of every paper of a data set, their means and lowest values, and what failed."""
    rows = {p.name: MEASURES[data_set](scorers, p, r.form()) for p, r in readings.items() if p.data_set == data_set}
    typed = {}
    if data_set == "jose":
        again = [jose_figures_with_typed_captions(scorers, p, r.form()) for p, r in readings.items() if p.data_set == data_set]
        typed = {"mean_with_typed_captions": {c: _rounded(mean_of([row[c] for row in again])) for c in COLUMNS[data_set]}}
    return {
        "papers": {name: {k: _rounded(v) for k, v in row.items()} for name, row in rows.items()},
        **typed,
        "mean": {c: _rounded(mean_of([row[c] for row in rows.values()])) for c in COLUMNS[data_set]},
        "lowest": {
            c: _rounded(min((v for row in rows.values() if (v := row[c]) is not None), default=None)) for c in COLUMNS[data_set]
        },
        "failures": {p.name: r.error for p, r in readings.items() if p.data_set == data_set and r.error},
    }


def measure_words(scorers: Scorers, readings: Mapping[Paper, Reading], options: Namespace) -> dict[str, Any]:
    """Return where the words of every paper that could be read went, and of each data set the means and the highest shares."""

    def one(paper: Paper) -> dict[str, Any] | None:
        document = readings[paper].document
        if document is None:
            return None
        pages = ask_child(
            "bench._document_read", {"question": "page_texts", "pdf": str(paper.pdf)}, seconds=SECONDS_PER_DOCUMENT
        )
        return accounting(document, pages, body_of_truth(scorers, paper))

    with ThreadPoolExecutor(options.jobs) as pool:
        rows = {p: row for p, row in zip(readings, pool.map(one, readings), strict=True) if row is not None}
    found = {}
    for data_set in dict.fromkeys(p.data_set for p in rows):
        own = {p.name: row for p, row in rows.items() if p.data_set == data_set}
        found[data_set] = {
            "papers": own,
            "share": {c: _rounded(mean_of([row["share"][c] for row in own.values()])) for c in CLASSES},
            **{
                f"{kind}_{what}": of([row[what] for row in own.values() if row[what] is not None] or [None])
                for what in ("lost", "doubled", "misplaced")
                for kind, of in (("mean", _rounded_mean), ("highest", max))
            },
            "unfounded": sum(row["unfounded"] for row in own.values()),
        }
    return found


def measure_docling(readings: Mapping[Paper, Reading], options: Namespace) -> dict[str, Any]:
    """Return by data set and paper the number of chunks of the exported document, and the fault where it is not accepted."""

    def one(reading: Reading) -> dict[str, Any]:
        if reading.document is None:
            return {"chunks": 0, "error": f"not read: {reading.error}"}
        request = {"question": "docling", "document": reading.document.to_json()}
        try:
            answer: dict[str, Any] = ask_child("bench._document_read", request, seconds=SECONDS_PER_DOCUMENT)
        except ChildFailedError as error:
            return {"chunks": 0, "error": str(error)}
        return answer

    found: dict[str, Any] = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for paper, answer in zip(readings, pool.map(one, readings.values()), strict=True):
            found.setdefault(paper.data_set, {})[paper.name] = answer
    return found


def measure_speed(corpus: Path, options: Namespace) -> dict[str, Any]:
    """Return CPU seconds of both tools on the same documents, their sums, and the ratio."""
    rows = []
    for pdf in speed.sample(corpus, ci=options.ci):
        row: dict[str, Any] = {
            "document": f"{pdf.parent.name}/{pdf.name}",
            "pages": speed.ask("page_counts", pdfs=[str(pdf)])[str(pdf)],
        }
        for tool, request in TOOLS.items():
            row[tool] = speed.ask(**request, config=options.config, pdfs=[str(pdf)])["cpu_s"][str(pdf)]
        rows.append(row)
    totals = {tool: round(sum(row[tool] for row in rows), 2) for tool in TOOLS}
    return {
        "documents": len(rows),
        "pages": sum(row["pages"] for row in rows),
        "cpu_s": totals,
        "ratio": round(totals["text"] / totals["pymupdf4llm"], 3),
        "per_document": rows,
    }


def _rounded_mean(values: Sequence[float | None]) -> float | int | None:
    return _rounded(mean_of(values))


def by_hand(scorers: Scorers, papers: Sequence[Paper], folder: Path) -> dict[str, Any]:
    """Return the figures of the transcriptions that lie in the folder, by data set and paper."""
    found: dict[str, Any] = {}
    for paper in papers:
        path = folder / f"{paper.name}.json"
        if path.exists():
            form = NOTHING | json.loads(path.read_text(encoding="utf-8"))
            row = MEASURES[paper.data_set](scorers, paper, form)
            found.setdefault(paper.data_set, {})[paper.name] = {name: _rounded(value) for name, value in row.items()}
    return found


def mean_of(values: Sequence[float | int | None]) -> float | None:
    """Return the mean of the values that there are, as the scorer takes it; None of none."""
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known else None


def _rounded(value: float | int | None) -> float | int | None:
    return round(value, 4) if isinstance(value, float) else value


# ---- reporting ------------------------------------------------------------------------------------------------------


def report(results: Mapping[str, Any], *, whole: bool) -> str:
    """Return the figures of all parts as tables."""
    parts = []
    for name, result in results.items():
        if name == "words":
            parts += words_report(result)
        elif name == "docling":
            parts.append(docling_report(result))
        elif name == "speed":
            parts.append(speed_report(result))
        else:
            parts += text_report(name, result, whole=whole)
    return "\n\n".join(parts)


def text_report(data_set: str, result: Mapping[str, Any], *, whole: bool) -> list[str]:
    """Return a row a paper, means and lowest values, peers where the whole set was read, perfect transcriptions; failures."""
    columns = COLUMNS[data_set]
    rows = [*result["papers"].items(), ("mean", result["mean"]), ("lowest", result["lowest"])]
    if "mean_with_typed_captions" in result:
        rows.append(("mean, typed captions are captions", result["mean_with_typed_captions"]))
    rows += (peer_rows(data_set) if whole else []) + hand_rows(data_set, result["papers"])
    table = text_table(
        f"{data_set}: {len(result['papers'])} papers", columns, [(name, [row.get(c) for c in columns]) for name, row in rows]
    )
    failures = [f"  {name}: {error}" for name, error in result["failures"].items()]
    return [table, "\n".join([f"failed readings: {len(failures)}", *failures])]


def words_report(result: Mapping[str, Any]) -> list[str]:
    """Return a table a data set: the shares of words by class, and what is lost, doubled or misplaced, with examples."""
    counts = ("lost", "doubled", "misplaced", "items", "unfounded")
    found = []
    for data_set, part in result.items():
        rows = [
            (n, [r["words"], *(r["share"][c] for c in CLASSES), *(r[c] for c in counts)]) for n, r in part["papers"].items()
        ]
        for kind in ("mean", "highest"):
            shares = [part["share"][c] if kind == "mean" else None for c in CLASSES]
            rows.append((kind, [None, *shares, *(part[f"{kind}_{c}"] for c in counts[:3]), None, None]))
        found.append(text_table(f"words of {data_set}", ["words", *CLASSES, *counts], rows))
        lines = [f"  {n}: {what}: {' '.join(w)}" for n, r in part["papers"].items() for what, w in r["examples"].items() if w]
        found.append("\n".join(["examples", *lines]))
    return found


def docling_report(result: Mapping[str, Any]) -> str:
    """Return how many exported documents docling-core accepted, and each that it did not with its fault."""
    answers = [(f"{data_set} {name}", answer) for data_set, part in result.items() for name, answer in part.items()]
    faults = [f"  {name}: {a['error'].splitlines()[0]}" for name, a in answers if a["error"]]
    chunks = sum(a["chunks"] for _, a in answers)
    return "\n".join([f"docling-core: {len(answers) - len(faults)} of {len(answers)} accepted, {chunks} chunks", *faults])


def speed_report(result: Mapping[str, Any]) -> str:
    """Return the CPU seconds a page of both tools, and the ratio of all."""
    rows = [
        (r["document"], [r["pages"], *(r[t] / r["pages"] for t in TOOLS), r["text"] / r["pymupdf4llm"]])
        for r in result["per_document"]
    ]
    pages = result["pages"]
    rows.append(("all", [pages, *(result["cpu_s"][t] / pages for t in TOOLS), result["ratio"]]))
    return text_table("CPU seconds a page", ["pages", *TOOLS, "ratio"], rows)


def peer_rows(data_set: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the peers' names and figures for the text of a data set."""
    peers = json.loads(PEERS.read_text(encoding="utf-8"))["documents"].get(data_set, [])
    return [(" ".join(filter(None, (p["tool"], p["version"], p["setting"]))), p) for p in peers]


def hand_rows(data_set: str, names: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the figures of the perfect transcriptions of the papers of these names."""
    if not HAND.exists():
        return []
    hand = json.loads(HAND.read_text(encoding="utf-8"))
    return [(f"{name} by hand", row) for name, row in hand["results"].get(data_set, {}).items() if name in names]


def falls(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return a line for each mean that is more than the tolerance below the committed one, or is gone."""
    lines = []
    for data_set, result in before.items():
        if data_set not in COLUMNS:
            continue
        means = now.get(data_set, {}).get("mean", {})
        for name, old in result["mean"].items():
            new = means.get(name)
            if old is not None and (new is None or new < old - TOLERANCE):
                lines.append(f"{data_set}: {name} fell from {old} to {'nothing' if new is None else new}")
    return lines


# ---- the command ----------------------------------------------------------------------------------------------------


def parse(arguments: Sequence[str] | None) -> Namespace:
    """Return the options of the command line."""
    parser = parser_for(__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; default: all, with --ci those with truth"
    )
    parser.add_argument("--only", metavar="GLOB", help="only the papers whose name matches")
    parser.add_argument("--jobs", type=int, default=2, help="papers read at a time (default 2)")
    parser.add_argument("--config", default="default", metavar="NAME", help="default: default")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write each reading there")
    parser.add_argument("--reuse", type=Path, metavar="FOLDER", help="measure the readings that lie there")
    parser.add_argument(
        "--details", metavar="GLOB", help="print what the papers of these names lack and have too much, and no figures"
    )
    parser.add_argument(
        "--hand", type=Path, metavar="FOLDER", help="measure transcriptions; their figures become the committed ones"
    )
    parser.add_argument("--accept", action="store_true", help="with --ci: make these figures the committed ones")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.parts) - set(PARTS))
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    options.is_part = bool(options.parts or options.only)
    options.parts = [p for p in PARTS if p in options.parts] or list(WITH_TRUTH if options.ci else PARTS)
    return options


def chosen_papers(corpus: Path, options: Namespace) -> list[Paper]:
    """Return the papers that the options ask for."""
    sets = [s for s in SETS if s in options.parts or not ALL_SETS.isdisjoint(options.parts)]
    found = []
    for data_set in sets:
        papers = papers_of(corpus, data_set)[:: EVERY if options.ci else 1]
        found += [p for p in papers if fnmatch.fnmatch(p.name, options.details or options.only or "*")]
    return found


def measure_all(scorers: Scorers, corpus: Path, readings: Mapping[Paper, Reading], options: Namespace) -> dict[str, Any]:
    """Return the results of the parts that are asked for, and have papers, in their order."""
    present = {p.data_set for p in readings}
    results = {part: measure(scorers, readings, part) for part in options.parts if part in present}
    if "words" in options.parts:
        results["words"] = measure_words(scorers, readings, options)
    if "docling" in options.parts:
        results["docling"] = measure_docling(readings, options)
    if "speed" in options.parts:
        results["speed"] = measure_speed(corpus, options)
    return results


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0, or 1 when a CI run is worse than the committed figures; 2 when no paper is asked for, 3 without a corpus."""
    options = parse(arguments)
    corpus = corpus_or_exit(options)
    scorers, papers = load_scorers(corpus), chosen_papers(corpus, options)
    if options.hand:
        write_json(
            options.json or HAND, {"bench": "document", "note": HAND_NOTE, "results": by_hand(scorers, papers, options.hand)}
        )
        return 0
    if not papers and options.parts != ["speed"]:
        print("bench: no paper has such a name", file=sys.stderr)
        return 2
    readings = read_all(papers, options)
    if options.details:
        shown = [(p, r) for p, r in readings.items() if p.data_set in WITH_TRUTH]
        print("\n\n".join("\n".join(details(scorers, p, r.form())) for p, r in shown))
        return 0
    results = measure_all(scorers, corpus, readings, options)
    committed = RESULTS / "document-ci.json"
    target = options.json or default_target(
        options, is_part=bool(options.is_part or options.reuse), committed=committed, whole="document.json"
    )
    lost = (
        []
        if options.is_part or not options.ci or options.accept
        else falls(committed_results(committed, "bench.document"), results)
    )
    if target:
        command = " ".join(["python -m bench.document", *(sys.argv[1:] if arguments is None else arguments)])
        write_json(
            target,
            {
                "bench": "document",
                "command": command,
                "environment": environment(),
                "config": options.config,
                "results": results,
            },
        )
    print(report(results, whole=not (options.only or options.ci)))
    for line in lost:
        print(f"WORSE: {line}")
    return 1 if lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
