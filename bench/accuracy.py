"""Measure the accuracy of tables against the corpus, with the referee that lies beside it, next to what peers reach.

Two data sets (``papers``, ``icdar2013-eu``), each end to end and with the truth's regions given. In each:

  choice CONFIG    what ``variorum.extract`` returns under a named configuration
  METHOD (CELL)    the grids of one structure method alone, with the cell method that gives it the highest cell_F1; a table
                   that the method does not speak about counts as missed. ``consensus`` is the vote.
  oracle           per truth table the best of all candidates and the choice: most cells right, then perfect, then
                   adjacency F1. It knows the truth: an upper bound for the selector.

A document that cannot be read is counted, listed, and scored as "no tables found".

  python -m bench.accuracy                     everything; writes bench/results/accuracy.json
  python -m bench.accuracy --docs 3 --tables   a quick look, a line per truth table; writes nothing without --json
  python -m bench.accuracy --ci                every third graded document in order of name, the choice of the default
                                               configuration only; compared with the committed
                                               bench/results/accuracy-ci.json. Ends with code 1 when a figure falls.
  python -m bench.accuracy --ci --accept       the same, but the figures become the committed ones
"""

from __future__ import annotations

import fnmatch
import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench._common import (
    EVERY,
    PEERS,
    RESULTS,
    ChildFailedError,
    DataSet,
    ask_child,
    corpus_or_exit,
    environment,
    load_data_sets,
    load_referee,
    parser_for,
    text_table,
    write_json,
)

CONFIGS = ("default", "fast", "ruled", "minimal")
SETTINGS = ("end to end", "regions given")
FIGURES = ("adj_F1", "grid", "cell", "cell_F1", "perfect", "perfect_F1", "perfect_spans", "spans_F1", "det0.5", "predicted")
RANKED = ("adj_F1", "cell_F1", "perfect_F1")
# With pinned packages the figures repeat exactly; another platform may round a coordinate the other way and move a cell or two.
# One perfect table of the CI part is worth more than this, so a lost table always shows.
TOLERANCE = 0.005
SECONDS_PER_DOCUMENT = 1800.0

Tables = list[dict[str, Any]]
Predictions = dict[str, Tables]  # document -> tables


# ---- reading --------------------------------------------------------------------------------------------------------


def read_all(data: DataSet, setting: str, *, configs: Sequence[str], candidates_of: str | None, jobs: int) -> dict[str, Any]:
    """Return the answer of `bench._predict` for each document of the data set, `jobs` documents at a time."""

    def read(name: str) -> dict[str, Any]:
        regions = data.regions(name) if setting == "regions given" else None
        request = {"pdf": str(data.pdfs[name]), "configs": configs, "candidates_of": candidates_of, "regions": regions}
        try:
            answer: dict[str, Any] = ask_child("bench._predict", request, seconds=SECONDS_PER_DOCUMENT)
        except ChildFailedError as error:
            answer = {"choices": {}, "candidates": {}, "cpu_s": {}, "failures": [{"reading": "process", "error": str(error)}]}
        print(f"{data.name}, {setting}: {name} read{' with failures' if answer['failures'] else ''}", file=sys.stderr)
        return answer

    names = sorted(data.truth)
    with ThreadPoolExecutor(jobs) as pool:
        return dict(zip(names, pool.map(read, names), strict=True))


def by_candidate(answers: Mapping[str, Any]) -> dict[str, Predictions]:
    """Return for each candidate ``structure:cell`` its tables by document."""
    names = sorted({name for answer in answers.values() for name in answer["candidates"]})
    return {name: {document: a["candidates"].get(name, []) for document, a in answers.items()} for name in names}


# ---- scoring --------------------------------------------------------------------------------------------------------


def score(referee: Any, data: DataSet, tables: Predictions) -> dict[str, Any]:
    """Return the referee's figures, and its detail under ``docs``."""
    result: dict[str, Any] = referee.score(data.truth, lambda name: tables.get(name, []))
    return result


def figures(summary: Mapping[str, Any], **more: object) -> dict[str, Any]:
    """Return the figures that are reported, in their order."""
    return {name: summary[name] for name in FIGURES} | more


def best_cell_methods(scores: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return for each structure method its candidate with the highest cell_F1 (then adj_F1, then the first by name)."""
    best: dict[str, str] = {}
    for name in sorted(scores):
        structure = name.partition(":")[0]
        if structure not in best or _rank(scores[name]) > _rank(scores[best[structure]]):
            best[structure] = name
    return best


def _rank(summary: Mapping[str, Any]) -> tuple[float, float]:
    return (summary["cell_F1"], summary["adj_F1"])


def oracle(
    referee: Any, data: DataSet, candidates: Mapping[str, Predictions]
) -> tuple[Predictions, dict[tuple[str, str], tuple[str, int]]]:
    """.

    Eturn per document the best candidate of each truth table, and for (document, table) the candidate's name and cells right.
    """
    tables: Predictions = {}
    winners: dict[tuple[str, str], tuple[str, int]] = {}
    for document, truth in data.truth.items():
        by_variant = []
        for truth_tables in truth["variants"]:
            picks = [(t["id"], _best_for(referee, truth_tables, i, document, candidates)) for i, t in enumerate(truth_tables)]
            by_variant.append((sum(key[0] for _, (key, _, _) in picks), [p for p in picks if p[1][2] is not None]))
            winners.update({(document, name): (candidate, key[0]) for name, (key, candidate, _) in picks})
        _, chosen = max(by_variant, key=lambda variant: variant[0], default=(0, []))
        tables[document] = [table for _, (_, _, table) in chosen if table is not None]
    return tables, winners


def _best_for(
    referee: Any, truth_tables: Sequence[Any], index: int, document: str, candidates: Mapping[str, Predictions]
) -> tuple[tuple[int, bool, float], str, dict[str, Any] | None]:
    """Return (cells right, perfect, adjacency F1), the name and the table of the candidate that reads one truth table best."""
    best: tuple[tuple[int, bool, float], str, dict[str, Any] | None] = ((0, False, 0.0), "", None)
    for name, tables in candidates.items():
        read = tables.get(document, [])
        match = referee.match(truth_tables, [referee.predicted(t) for t in read])
        if index in match:
            table = read[match[index]]
            (entry,) = referee.score_doc([truth_tables[index]], [], [table])["tables"]
            key = (entry["hits"], entry["perfect"], entry["f1"])
            if best[2] is None or key > best[0]:
                best = (key, name, table)
    return best


def measure(referee: Any, data: DataSet, setting: str, arguments: Namespace) -> dict[str, Any]:
    """Return all rows of figures of one data set in one setting, the failures, and a line of detail per truth table."""
    candidates_of = None if arguments.choice_only else arguments.config[0]
    answers = read_all(data, setting, configs=arguments.config, candidates_of=candidates_of, jobs=arguments.jobs)
    choices = {c: {d: a["choices"].get(c, []) for d, a in answers.items()} for c in arguments.config}
    rows: dict[str, dict[str, Any]] = {}
    scored = {config: score(referee, data, tables) for config, tables in choices.items()}
    for config, summary in scored.items():
        rows[f"choice {config}"] = figures(summary, cpu_s=round(sum(a["cpu_s"].get(config, 0.0) for a in answers.values()), 1))
    winners: dict[tuple[str, str], tuple[str, int]] = {}
    candidates = by_candidate(answers)
    if candidates:
        alone = {name: score(referee, data, tables) for name, tables in candidates.items()}
        for structure, name in sorted(best_cell_methods(alone).items(), key=lambda item: _rank(alone[item[1]]), reverse=True):
            rows[f"{structure} ({name.partition(':')[2]})"] = figures(alone[name])
        best_tables, winners = oracle(referee, data, {"choice": choices[arguments.config[0]], **candidates})
        rows["oracle"] = figures(score(referee, data, best_tables))
    detail = [table_line(document, table, winners) for document, table in _truth_tables(scored[arguments.config[0]])]
    failures = [{"document": d, **f} for d, a in answers.items() for f in a["failures"]]
    size = {"documents": len(data.truth), "graded_tables": len(detail)}
    return {**size, "figures": rows, "failures": failures, "tables": detail}


def _truth_tables(summary: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for document, scored in summary["docs"].items():
        for table in scored["tables"]:
            yield document, table


def table_line(document: str, table: Mapping[str, Any], winners: Mapping[tuple[str, str], tuple[str, int]]) -> dict[str, Any]:
    """Return what the choice made of one truth table, and which candidate would have been best."""
    status = next((s for s in ("perfect", "grid", "found") if table[s]), "MISSED")
    best, best_hits = winners.get((document, table["id"]), ("", 0))
    return {
        "document": document,
        "table": table["id"],
        "page": table["page"],
        "status": status,
        "shape": list(table["shape"]),
        "read_shape": list(table.get("pred_shape", [])),
        "cells": table["cells"],
        "hits": table["hits"],
        "adj_F1": round(table["f1"], 4),
        "best": best,
        "best_hits": best_hits,
    }


# ---- reporting ------------------------------------------------------------------------------------------------------


def peer_rows(data_set: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the peers' names and figures for one data set."""
    peers = json.loads(PEERS.read_text(encoding="utf-8"))
    return [(" ".join(filter(None, (p["tool"], p["version"], p["setting"]))), p) for p in peers[data_set]]


def report(results: Mapping[str, Any], *, whole: bool) -> str:
    """Return the figures as tables, peers first where the whole data set was read; then the failures."""
    columns = [*FIGURES, "cpu_s"]
    parts, failures = [], []
    for data_set, settings in results.items():
        for setting, result in settings.items():
            peers = peer_rows(data_set) if whole and setting == "end to end" else []
            rows = [(name, [row.get(c) for c in columns]) for name, row in [*peers, *result["figures"].items()]]
            title = f"{data_set}, {setting}: {result['graded_tables']} truth tables in {result['documents']} documents"
            parts.append(text_table(title, columns, rows))
            if "oracle" in result["figures"]:
                behind = [t for t in result["tables"] if t["best_hits"] > t["hits"]]
                parts.append(f"the choice has fewer cells right than the best candidate on {len(behind)} tables (see --tables)")
            failures += [f"  {data_set}, {setting}: {f['document']}: {f['reading']}: {f['error']}" for f in result["failures"]]
    parts.append("\n".join([f"failed readings: {len(failures)}", *failures]))
    return "\n\n".join(parts)


def table_lines(results: Mapping[str, Any]) -> Iterator[str]:
    """Return a line per truth table."""
    for data_set, settings in results.items():
        for setting, result in settings.items():
            for t in result["tables"]:
                best = f"best {t['best']} {t['best_hits']}" if t["best"] else ""
                shapes = f"{t['shape']} read as {t['read_shape'] or '-'}"
                fields = (
                    data_set,
                    setting,
                    t["document"],
                    t["table"],
                    f"p{t['page']}",
                    t["status"],
                    shapes,
                    f"{t['hits']}/{t['cells']}",
                    best,
                )
                yield "\t".join(fields)


def falls(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return a line for each ranked figure of a choice that is more than the tolerance below the committed one, or is gone."""
    lines = []
    for data_set, settings in before.items():
        for setting, result in settings.items():
            for row, old in result["figures"].items():
                new = now.get(data_set, {}).get(setting, {}).get("figures", {}).get(row, {})
                for name in RANKED:
                    if new.get(name, -1.0) < old[name] - TOLERANCE:
                        lines.append(
                            f"{data_set}, {setting}, {row}: {name} fell from {old[name]} to {new.get(name, 'nothing')}"
                        )
    return lines


# ---- the command ----------------------------------------------------------------------------------------------------


def chosen_documents(data: DataSet, arguments: Namespace) -> DataSet:
    """Return the part of the data set that the options ask for."""
    names = data.graded()[::EVERY] if arguments.ci else sorted(data.truth)
    if arguments.only:
        names = [n for n in names if fnmatch.fnmatch(n, arguments.only)]
    return data.only(names[: arguments.docs])


def parse(arguments: Sequence[str] | None) -> Namespace:
    """Return the options of the command line."""
    parser = parser_for(__doc__)
    parser.add_argument("--docs", type=int, metavar="N", help="only the first N documents of each data set")
    parser.add_argument("--only", metavar="GLOB", help="only the documents whose name matches")
    parser.add_argument("--jobs", type=int, default=2, help="documents read at a time (default 2)")
    parser.add_argument(
        "--config", action="append", metavar="NAME", help="may be repeated; default: all four. Candidates come from the first"
    )
    parser.add_argument("--setting", choices=SETTINGS, help="default: both")
    parser.add_argument("--choice-only", action="store_true", help="no single methods and no oracle")
    parser.add_argument("--tables", action="store_true", help="print a line per truth table")
    parser.add_argument("--accept", action="store_true", help="with --ci: make these figures the committed ones")
    options = parser.parse_args(arguments)
    options.config = options.config or (["default"] if options.ci else list(CONFIGS))
    options.choice_only = options.choice_only or options.ci
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0, or 1 when a CI run is worse than the committed figures; 3 without a corpus."""
    options = parse(arguments)
    corpus = corpus_or_exit(options)
    referee = load_referee(corpus)
    asked = [chosen_documents(data, options) for data in load_data_sets(corpus, referee)]
    data_sets = [data for data in asked if data.graded()]
    if not data_sets:
        print("bench: no document with graded tables has such a name", file=sys.stderr)
        return 2
    settings = [options.setting] if options.setting else list(SETTINGS)
    results = {data.name: {setting: measure(referee, data, setting, options) for setting in settings} for data in data_sets}
    part = bool(options.docs or options.only or options.setting)
    committed = RESULTS / "accuracy-ci.json"
    target = options.json or _default_target(options, part=part, committed=committed)
    lost = [] if part or not options.ci or options.accept else falls(_committed(committed), results)
    if target:
        write_json(target, {"bench": "accuracy", "environment": environment(), "results": results})
    if options.tables:
        print("\n".join(table_lines(results)), end="\n\n")
    print(report(results, whole=not (part or options.ci)))
    for line in lost:
        print(f"WORSE: {line}")
    return 1 if lost else 0


def _default_target(options: Namespace, *, part: bool, committed: Path) -> Path | None:
    """Return where figures go unless told: nowhere for a part of the corpus or a CI run, which is compared instead."""
    if part or (options.ci and not options.accept):
        return None
    return committed if options.ci else RESULTS / "accuracy.json"


def _committed(path: Path) -> dict[str, Any]:
    """Return the committed figures; raises SystemExit when there are none."""
    if not path.exists():
        raise SystemExit(f"bench: no committed figures at {path}; to make them: python -m bench.accuracy --ci --accept")
    results: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["results"]
    return results


if __name__ == "__main__":
    raise SystemExit(main())
