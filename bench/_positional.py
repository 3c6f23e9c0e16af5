"""GriTS and TEDS of readings in the referee's form, as means over the truth tables of a data set."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bench._candidates import Key, Readings
from bench._common import DataSet

if TYPE_CHECKING:
    from variorum.evaluation.truth_table import TruthTable

POSITIONAL = ("GriTS_Top", "GriTS_Con", "TEDS", "TEDS_S")


class Positional:
    """The scores of readings of one data set; equal tables are scored once."""

    def __init__(self, data: DataSet) -> None:
        from variorum.evaluation.ground_truth import load_truth

        self._truths = {
            Key(document, truth.table_id): truth
            for document, files in data.truth_files.items()
            for file in files
            for truth in load_truth(file)
        }
        self._known: dict[tuple[Key, str], dict[str, float]] = {}

    def means(self, readings: Readings, name: str) -> dict[str, float]:
        """Return the mean of each score over the truth tables, in [0, 1]; a missed table counts 0."""
        rows = [self._scores(key, reads[name].table) for key, reads in readings.reads.items() if name in reads]
        count = len(readings.cells)
        return {metric: round(sum(row[metric] for row in rows) / count, 4) if count else 0.0 for metric in POSITIONAL}

    def _scores(self, key: Key, read: Mapping[str, Any]) -> dict[str, float]:
        same = (key, json.dumps([read["rows"], read["spans"]]))
        if same not in self._known:
            self._known[same] = self._compute(key, read)
        return self._known[same]

    def _compute(self, key: Key, read: Mapping[str, Any]) -> dict[str, float]:
        from variorum.errors import SchemaError
        from variorum.evaluation.grits import grits_con, grits_top
        from variorum.evaluation.teds import teds
        from variorum.evaluation.truth_table import TruthTable

        truth = self._truths[key]
        try:
            table = TruthTable.from_dict({"table_id": key.table, "rows": read["rows"], "spans": read["spans"]})
        except SchemaError as error:  # a reading that contradicts itself counts as missed
            print(f"{key.document}, {key.table}: no GriTS and TEDS: {error}", file=sys.stderr)
            return dict.fromkeys(POSITIONAL, 0.0)
        if _cells(truth) == _cells(table):  # each score is exactly 1 on identity; there is no need to search for it
            return dict.fromkeys(POSITIONAL, 1.0)
        return {
            "GriTS_Top": grits_top(truth, table).f_score,
            "GriTS_Con": grits_con(truth, table).f_score,
            "TEDS": teds(truth, table),
            "TEDS_S": teds(truth, table, structure_only=True),
        }


def _cells(table: TruthTable) -> list[tuple[int, int, int, int, str]]:
    """Return the cells as the scores compare them where the truth is not verbatim."""
    from variorum.evaluation.normalising import normalise_loosely

    return [(c.row, c.col, c.rowspan, c.colspan, normalise_loosely(c.text)) for c in table.without_blanks().cells()]
