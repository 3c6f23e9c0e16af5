"""What each reading made of each truth table, and what follows from it: the oracle, and whether vote and election earn
their place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from bench._common import DataSet

Tables = list[dict[str, Any]]
Predictions = dict[str, Tables]  # document -> tables
CONSENSUS = "consensus"


class Key(NamedTuple):
    """A truth table: its document and its id there."""

    document: str
    table: str


@dataclass(frozen=True, slots=True)
class Read:
    """What one reading made of one truth table: cells right of all, whether it is perfect, adjacency F1, and the table."""

    hits: int
    cells: int
    perfect: bool
    f1: float
    table: dict[str, Any]

    @property
    def rank(self) -> tuple[int, bool, float]:
        """Return what readings are compared by: most cells right, then perfect, then adjacency F1."""
        return (self.hits, self.perfect, self.f1)


@dataclass(frozen=True, slots=True)
class Readings:
    """All readings of the truth tables of one data set: `cells` of each table, and for each table reading name -> `Read`."""

    cells: dict[Key, int]
    reads: dict[Key, dict[str, Read]]

    def best(self, key: Key, names: Sequence[str] | None = None) -> tuple[str, Read] | None:
        """Return name and reading of the best of these (of all) on a table, the first of equally good ones; or None."""
        found = self.reads[key]
        named = [(n, found[n]) for n in (found if names is None else names) if n in found]
        return max(named, key=lambda item: item[1].rank, default=None)

    def hits(self, key: Key, name: str) -> int:
        """Return the cells that a reading has right; 0 where it missed the table."""
        read = self.reads[key].get(name)
        return read.hits if read else 0

    def mean_accuracy(self, name: str) -> float:
        """Return the mean over the tables of the share of cells right, in [0, 1]; a missed table counts 0."""
        return fmean(self.hits(k, name) / n if n else 0.0 for k, n in self.cells.items()) if self.cells else 0.0

    def perfect_share(self, name: str) -> float:
        """Return the share of tables that a reading has perfectly right."""
        found = [name in reads and reads[name].perfect for reads in self.reads.values()]
        return fmean(found) if found else 0.0


def readings_of(referee: Any, data: DataSet, named: Mapping[str, Predictions]) -> Readings:
    """Return what every named reading made of every truth table.

    Where a document has two truths, that of which the best readings have the most cells right.
    """
    cells: dict[Key, int] = {}
    reads: dict[Key, dict[str, Read]] = {}
    for document, truth in data.truth.items():
        variants = [_of_variant(referee, tables, document, named) for tables in truth["variants"]]
        known, found = max(variants, key=_best_hits, default=({}, {}))
        cells |= known
        reads |= found
    return Readings(cells, reads)


def _best_hits(variant: tuple[dict[Key, int], dict[Key, dict[str, Read]]]) -> int:
    return sum(max((r.hits for r in reads.values()), default=0) for reads in variant[1].values())


def _of_variant(
    referee: Any, truth: Sequence[Any], document: str, named: Mapping[str, Predictions]
) -> tuple[dict[Key, int], dict[Key, dict[str, Read]]]:
    keys = [Key(document, t["id"]) for t in truth]
    cells = {key: len(t["sflat"][2]) for key, t in zip(keys, truth, strict=True)}
    reads: dict[Key, dict[str, Read]] = {key: {} for key in keys}
    known: dict[tuple[int, str], Read] = {}  # equal tables of several readings are scored once
    for name, predictions in named.items():
        tables = predictions.get(document, [])
        for i, j in referee.match(truth, [referee.predicted(t) for t in tables]).items():
            table = tables[j]
            same = (i, json.dumps([table["page"], table["bbox"], table["rows"], table["spans"]]))
            if same not in known:
                (entry,) = referee.score_doc([truth[i]], [], [table])["tables"]
                known[same] = Read(entry["hits"], entry["cells"], entry["perfect"], entry["f1"], table)
            reads[keys[i]][name] = known[same]
    return cells, reads


# ---- does the vote earn its place -------------------------------------------------------------------------------------


def oracle(readings: Readings) -> Predictions:
    """Return per document the best reading of each truth table; it knows the truth."""
    tables: Predictions = {}
    for key in readings.cells:
        chosen = tables.setdefault(key.document, [])
        if best := readings.best(key):
            chosen.append(best[1].table)
    return tables


def structure_of(name: str) -> str:
    """Return the structure method of a candidate ``structure:cell``."""
    return name.partition(":")[0]


def sources(names: Sequence[str]) -> list[str]:
    """Return the candidates of single methods: no consensus, no choice."""
    return [n for n in names if ":" in n and not n.startswith(CONSENSUS)]


def comparison(readings: Readings, name: str, rivals: Sequence[str]) -> dict[str, int]:
    """Return on how many tables a reading is better than, as good as and worse than the best of the rivals.

    By cells right, then perfect. Tables that all of them missed are as good.
    """
    counts = {"better": 0, "equal": 0, "worse": 0}
    for key in readings.cells:
        own, best = readings.reads[key].get(name), readings.best(key, rivals)
        one = own.rank[:2] if own else (0, False)
        other = best[1].rank[:2] if best else (0, False)
        counts["better" if one > other else "worse" if one < other else "equal"] += 1
    return counts


def verdict(
    readings: Readings, *, choice: str, consensus: Sequence[str], completed: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return the figures that show whether vote and election earn their place.

    `choice` is the name of the choice, `consensus` those of the consensus it was elected with, one a cell method, `completed`
    the ids of the tables (as read) on which a structure method is silent on an axis. ``choice_share``: cells right of the
    choice over those of the best candidate, summed. ``best_single``: the method (with one cell method) of the highest mean
    cell accuracy; ``margin``: the choice's mean less its. ``consensus_against_sources``: the consensus (with the cell method
    of the highest mean) against the best grid of a single method on each table. ``_whole``: the same, where a method that is
    silent on an axis counts as having missed the table.
    """
    names = sorted({name for reads in readings.reads.values() for name in reads})
    single = sources(names)
    best_hits = sum(best[1].hits if (best := readings.best(key)) else 0 for key in readings.cells)
    choice_hits = sum(readings.hits(key, choice) for key in readings.cells)
    best_consensus = _best_of(readings, consensus)
    whole = Readings(readings.cells, {k: _without_completed(reads, completed) for k, reads in readings.reads.items()})
    return {
        "choice_hits": choice_hits,
        "best_hits": best_hits,
        "choice_share": round(choice_hits / best_hits, 4) if best_hits else 0.0,
        "choice_mean": round(readings.mean_accuracy(choice), 4),
        "choice_perfect": round(readings.perfect_share(choice), 4),
        **_single(readings, choice, single, ""),
        **_single(whole, choice, single, "_whole"),
        "consensus": best_consensus,
        "consensus_mean": round(readings.mean_accuracy(best_consensus), 4),
        "consensus_against_sources": comparison(readings, best_consensus, single),
        "consensus_against_sources_whole": comparison(whole, best_consensus, single),
        "choice_against_sources": comparison(readings, choice, single),
        "choice_against_sources_whole": comparison(whole, choice, single),
    }


def _best_of(readings: Readings, names: Sequence[str]) -> str:
    """Return the reading of the highest mean accuracy, then perfect share, then the first; empty without any."""
    return max(names, key=lambda n: (readings.mean_accuracy(n), readings.perfect_share(n)), default="")


def _single(readings: Readings, choice: str, single: Sequence[str], end: str) -> dict[str, Any]:
    best = _best_of(readings, single)
    return {
        f"best_single{end}": best,
        f"best_single_mean{end}": round(readings.mean_accuracy(best), 4),
        f"best_single_perfect{end}": round(readings.perfect_share(best), 4),
        f"margin{end}": round(readings.mean_accuracy(choice) - readings.mean_accuracy(best), 4),
    }


def _without_completed(reads: Mapping[str, Read], completed: Mapping[str, Sequence[str]]) -> dict[str, Read]:
    return {n: r for n, r in reads.items() if r.table.get("table_id") not in completed.get(structure_of(n), ())}
