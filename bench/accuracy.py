"""Measure the accuracy of tables against the corpus, with the referee that lies beside it, next to what peers reach.

Two data sets (``papers``, ``icdar2013-eu``), each end to end and with the truth's regions given. In each:

  choice CONFIG       what ``variorum.extract`` returns under a named configuration
  choice STRATEGY     the election among the same methods' readings under another strategy of combination or selection, or
                      with other weights
  consensus STRATEGY  the grid of the vote alone, under each strategy of combination (with the cell method that gives it the
                      highest cell_F1)
  METHOD (CELL)       the grids of one structure method alone, likewise; a table that the method does not speak about counts as
                      missed. A star: on some tables it is silent on an axis, which the consensus completed.
  oracle              per truth table the best of all these: most cells right, then perfect, then adjacency F1. It knows the
                      truth: an upper bound for the selector.

Methods are asked once per document and setting; strategies and weights are compared on what they said. GriTS and TEDS (arXiv
2203.12555, 1911.10683) are means over the truth tables, for choices, consensus and oracle. Below each table: the election's
share of what the best candidates have right, its margin over the best single method, and the consensus against the best
single reading of each table.

Weights: ``out-of-fold`` judges a paper with the weights that all other papers gave (from the package's weights file),
``shipped`` with the file's own, ``none`` with those of the configuration alone. No figure is made with a truth at hand: neither
``variorum.extract`` nor its parts can be given one.

A document that cannot be read is counted, listed, and scored as "no tables found".

  python -m bench.accuracy                     everything; writes bench/results/accuracy.json
  python -m bench.accuracy --docs 3 --tables   a quick look, a line per truth table; writes nothing without --json
  python -m bench.accuracy --ci                every third graded document in order of name, the choice of the default
                                               configuration only; compared with the committed
                                               bench/results/accuracy-ci.json. Ends with code 1 when a figure falls.
  python -m bench.accuracy --ci --accept       the same, but the figures become the committed ones
  python -m bench.accuracy --debug-db FILE     also writes every reading of the first setting into a debug database
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

from bench._candidates import CONSENSUS, Key, Predictions, Readings, oracle, readings_of, structure_of, verdict
from bench._common import (
    EVERY,
    PEERS,
    RESULTS,
    ChildFailedError,
    DataSet,
    ask_child,
    committed_results,
    corpus_or_exit,
    default_target,
    environment,
    load_data_sets,
    load_referee,
    parser_for,
    text_table,
    write_json,
)
from bench._positional import POSITIONAL, Positional
from bench._predict import WEIGHTS

CONFIGS = ("default", "fast", "ruled", "minimal")
SETTINGS = ("end to end", "regions given")
FIGURES = ("adj_F1", "grid", "cell", "cell_F1", "perfect", "perfect_F1", "perfect_spans", "spans_F1", "det0.5", "predicted")
RANKED = ("adj_F1", "cell_F1", "perfect_F1")
# With pinned packages the figures repeat exactly; another platform may round a coordinate the other way and move a cell or two.
# One perfect table of the CI part is worth more than this, so a lost table always shows.
TOLERANCE = 0.005
SECONDS_PER_DOCUMENT = 1800.0


# ---- reading --------------------------------------------------------------------------------------------------------


def read_all(data: DataSet, setting: str, options: Namespace, *, debug: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the answer of `bench._predict` for each document of the data set, `options.jobs` documents at a time.

    `debug` names a debug database and a run in it, where the readings go.
    """

    def read(name: str) -> dict[str, Any]:
        request: dict[str, Any] = {
            "pdf": str(data.pdfs[name]),
            "regions": data.regions(name) if setting == "regions given" else None,
            "configs": options.config,
            "weights": options.weights,
            "is_whole": not options.choice_only,
        }
        if debug:
            request |= {**debug, "truth": str(data.truth_files[name][0]), "name": name}
        try:
            answer: dict[str, Any] = ask_child("bench._predict", request, seconds=SECONDS_PER_DOCUMENT)
        except ChildFailedError as error:
            failures = [{"reading": "process", "error": str(error)}]
            answer = {"choices": {}, "candidates": {}, "completed": {}, "cpu_s": {}, "failures": failures}
        print(f"{data.name}, {setting}: {name} read{' with failures' if answer['failures'] else ''}", file=sys.stderr)
        return answer

    names = sorted(data.truth)
    with ThreadPoolExecutor(options.jobs) as pool:
        return dict(zip(names, pool.map(read, names), strict=True))


def by_name(answers: Mapping[str, Any], kind: str) -> dict[str, Predictions]:
    """Return for each name of the ``choices`` or ``candidates`` its tables by document; choices in the order of the answers."""
    names = list(dict.fromkeys(name for answer in answers.values() for name in answer[kind]))
    names = names if kind == "choices" else sorted(names)
    return {name: {document: a[kind].get(name, []) for document, a in answers.items()} for name in names}


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


def measure(
    referee: Any, data: DataSet, setting: str, options: Namespace, debug: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return all rows of figures of one data set in one setting, the verdict, the failures, and a line per truth table."""
    answers = read_all(data, setting, options, debug=debug)
    found = by_name(answers, "choices")
    choices = {name: found.get(name, {}) for name in dict.fromkeys([*options.config, *found])}
    scored = {name: score(referee, data, tables) for name, tables in choices.items()}
    rows = {f"choice {name}": figures(summary, cpu_s=_cpu(answers, name)) for name, summary in scored.items()}
    candidates = by_name(answers, "candidates")
    completed: dict[str, list[str]] = {}
    for answer in answers.values():
        for structure, tables in answer["completed"].items():
            completed.setdefault(structure, []).extend(tables)
    readings = readings_of(referee, data, {**{f"choice {n}": tables for n, tables in choices.items()}, **candidates})
    positional = Positional(data)
    for name in choices:
        rows[f"choice {name}"] |= positional.means(readings, f"choice {name}")
    earned: dict[str, Any] = {}
    if candidates:
        alone = {name: score(referee, data, tables) for name, tables in candidates.items()}
        for structure, name in sorted(best_cell_methods(alone).items(), key=lambda item: _rank(alone[item[1]]), reverse=True):
            row = figures(alone[name])
            if structure.startswith(CONSENSUS):
                row |= positional.means(readings, name)
            rows[f"{structure} ({name.partition(':')[2]}){'*' if structure in completed else ''}"] = row
        rows["oracle"] = figures(score(referee, data, oracle(readings)))
        best = Readings(readings.cells, {k: {"oracle": b[1]} if (b := readings.best(k)) else {} for k in readings.cells})
        rows["oracle"] |= positional.means(best, "oracle")
        earned = verdict(
            readings,
            choice=f"choice {options.config[0]}",
            consensus=[n for n in candidates if structure_of(n) == _own_consensus(options.config[0])],
            completed=completed,
        )
    rivals = readings if candidates else None
    detail = [table_line(document, table, rivals) for document, table in _truth_tables(scored[options.config[0]])]
    failures = [{"document": d, **f} for d, a in answers.items() for f in a["failures"]]
    size = {"documents": len(data.truth), "graded_tables": len(detail)}
    return {**size, "figures": rows, "verdict": earned, "failures": failures, "tables": detail}


def _truth_tables(summary: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for document, scored in summary["docs"].items():
        for table in scored["tables"]:
            yield document, table


def _own_consensus(config: str) -> str:
    """Return the name of the consensus that the choice was elected with."""
    from variorum.tables.config import load_config

    return f"{CONSENSUS} {load_config(config).combination_strategy}"


def _cpu(answers: Mapping[str, Any], name: str) -> float | None:
    """Return the seconds of all documents, None for what was decided beside another reading."""
    seconds = [a["cpu_s"][name] for a in answers.values() if name in a["cpu_s"]]
    return round(sum(seconds), 1) if seconds else None


def table_line(document: str, table: Mapping[str, Any], readings: Readings | None) -> dict[str, Any]:
    """Return what the choice made of one truth table, and which reading would have been best, where there are several."""
    key = Key(document, table["id"])
    found = readings.best(key) if readings and key in readings.cells else None
    best, best_hits = (found[0], found[1].hits) if found else ("", 0)
    status = next((s for s in ("perfect", "grid", "found") if table[s]), "MISSED")
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
    columns = [*FIGURES, *POSITIONAL, "cpu_s"]
    parts, failures = [], []
    for data_set, settings in results.items():
        for setting, result in settings.items():
            peers = peer_rows(data_set) if whole and setting == "end to end" else []
            rows = [(name, [row.get(c) for c in columns]) for name, row in [*peers, *result["figures"].items()]]
            title = f"{data_set}, {setting}: {result['graded_tables']} truth tables in {result['documents']} documents"
            parts.append(text_table(title, columns, rows))
            if result.get("verdict"):
                parts.append("\n".join(verdict_lines(result["verdict"], result["tables"])))
            failures += [f"  {data_set}, {setting}: {f['document']}: {f['reading']}: {f['error']}" for f in result["failures"]]
    parts.append("\n".join([f"failed readings: {len(failures)}", *failures]))
    return "\n\n".join(parts)


def verdict_lines(earned: Mapping[str, Any], tables: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Return what shows whether vote and election earn their place, in sentences."""
    behind = sum(t["best_hits"] > t["hits"] for t in tables)
    yield (
        f"choice / best candidate: {earned['choice_hits']} of {earned['best_hits']} cells, {earned['choice_share']:.4f};"
        f" fewer cells right on {behind} tables (see --tables)"
    )
    for end, whole in (("", ""), ("_whole", ", where it speaks on both axes")):
        yield (
            f"choice against the best single method{whole}: mean cell accuracy {earned['choice_mean']:.4f} against"
            f" {earned[f'best_single_mean{end}']:.4f} of {earned[f'best_single{end}'] or 'none'}, margin"
            f" {earned[f'margin{end}']:+.4f}; perfect {earned['choice_perfect']:.4f} against"
            f" {earned[f'best_single_perfect{end}']:.4f}"
        )
    for end, whole in (("", ""), ("_whole", " that speaks on both axes")):
        for title, name in ((earned["consensus"], "consensus"), ("choice", "choice")):
            counts = earned[f"{name}_against_sources{end}"]
            yield (
                f"{title} against the best single reading{whole}: better on {counts['better']} tables, equal on"
                f" {counts['equal']}, worse on {counts['worse']}"
            )
    yield "* on some tables the method is silent on an axis, which the consensus completed"


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
    parser.add_argument("--weights", choices=WEIGHTS, default=WEIGHTS[0], help=f"default: {WEIGHTS[0]}")
    parser.add_argument("--debug-db", type=Path, metavar="FILE", help="write every reading of the first setting there")
    parser.add_argument("--tables", action="store_true", help="print a line per truth table")
    parser.add_argument("--accept", action="store_true", help="with --ci: make these figures the committed ones")
    options = parser.parse_args(arguments)
    options.config = options.config or (["default"] if options.ci else list(CONFIGS))
    options.choice_only = options.choice_only or options.ci
    if options.debug_db and options.choice_only:
        parser.error("--debug-db needs the candidates: not with --ci or --choice-only")
    return options


def measure_all(referee: Any, data_sets: Sequence[DataSet], settings: Sequence[str], options: Namespace) -> dict[str, Any]:
    """Return the results by data set and setting; readings of the first setting go into the debug database, if there is one."""
    if options.debug_db is None:
        return {data.name: {setting: measure(referee, data, setting, options) for setting in settings} for data in data_sets}
    from variorum.evaluation.debug_db import begin_run, finish_run, open_debug_db

    connection = open_debug_db(options.debug_db)
    try:
        run_id = begin_run(connection, "python -m bench.accuracy")
        debug = {"debug_db": str(options.debug_db.resolve()), "run_id": run_id}
        results: dict[str, Any] = {}
        for data in data_sets:
            first, *others = settings
            results[data.name] = {first: measure(referee, data, first, options, debug)}
            results[data.name] |= {setting: measure(referee, data, setting, options) for setting in others}
        finish_run(connection, run_id)
    finally:
        connection.close()
    return results


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
    results = measure_all(referee, data_sets, settings, options)
    part = bool(options.docs or options.only or options.setting)
    committed = RESULTS / "accuracy-ci.json"
    target = options.json or default_target(options, is_part=bool(part), committed=committed, whole="accuracy.json")
    lost = [] if part or not options.ci or options.accept else falls(committed_results(committed, "bench.accuracy"), results)
    if target:
        write_json(target, {"bench": "accuracy", "environment": environment(), "weights": options.weights, "results": results})
    if options.tables:
        print("\n".join(table_lines(results)), end="\n\n")
    print(report(results, whole=not (part or options.ci)))
    for line in lost:
        print(f"WORSE: {line}")
    return 1 if lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
