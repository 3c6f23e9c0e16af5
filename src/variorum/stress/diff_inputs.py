"""What a comparison of stress tests reads: a debug database or a ``stress_summary.json``, and the notes on what got worse."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from variorum.config_checks import read_toml
from variorum.errors import ConfigError, DamagedInputError, InputNotFoundError, SchemaError
from variorum.evaluation.debug_db import reading_debug_db
from variorum.stress.diff import Change
from variorum.stress.summary import SCHEMA_VERSION, summarise, textless
from variorum.suggestions import nearest_name_hint

_WRITTEN: Final = "a debug.db or stress_summary.json that variorum stress wrote"
_SQLITE: Final = b"SQLite format 3\0"

_NUMBER: Final = (int, float)
_TEXT: Final = (str,)
_TABLE: Final[Mapping[str, tuple[type, ...]]] = {
    "truth_id": _TEXT,
    "score_pct": _NUMBER,
    "cell_accuracy_pct": _NUMBER,
    "cells_right": (int,),
    "cells_total": (int,),
    "is_perfect": (bool,),
    "is_missed": (bool,),
}
_PAPER: Final[Mapping[str, tuple[type, ...]]] = {"key": _TEXT, "status": _TEXT, "grade": (str, type(None)), "tables": (list,)}
_ASSERTION: Final[Mapping[str, tuple[type, ...]]] = {
    "kind": _TEXT,
    "name": _TEXT,
    "paper": _TEXT,
    "passed": (bool,),
    "severity": _TEXT,
}
_SUMMARY: Final[Mapping[str, tuple[type, ...]]] = {
    "software": _TEXT,
    "corpus": _TEXT,
    "config": (dict,),
    "verdict": (str, type(None)),
    "papers": (list,),
    "assertions": (list,),
}
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "status": ("read", "unreadable", "crash", "duplicate"),
    "severity": ("MAJOR", "MINOR"),
}


def load_summary(path: Path) -> dict[str, Any]:
    """Return the summary of the stress test in a file.

    Raises InputNotFoundError, DamagedInputError and SchemaError when it is no debug database with a stress test and no summary;
    `where` has the path to the fault.
    """
    if path.is_dir():
        raise InputNotFoundError("is a folder", where=str(path), hint=_WRITTEN)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputNotFoundError("no such file", where=str(path), hint=_WRITTEN) from None
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise InputNotFoundError(what, where=str(path), hint="check the permissions") from None
    return _from_database(path) if data.startswith(_SQLITE) else _from_json(path, data)


def _from_database(path: Path) -> dict[str, Any]:
    with reading_debug_db(path) as connection:
        last = connection.execute("SELECT verdict FROM stress_runs ORDER BY run_id DESC LIMIT 1").fetchone()
        if last is None:
            raise DamagedInputError("holds no stress test", where=str(path), hint=_WRITTEN)
        if last[0] is None:
            what = "its last stress test did not come to its end"
            raise DamagedInputError(what, where=str(path), hint="the same call of variorum stress again, which goes on")
        known = connection.execute("SELECT DISTINCT software FROM stress_papers ORDER BY software").fetchall()
        return summarise(connection, software=", ".join(software for (software,) in known))


def _from_json(path: Path, data: bytes) -> dict[str, Any]:
    try:
        summary = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        what = f"is no debug database and no JSON ({error})" if data else "is an empty file"
        raise DamagedInputError(what, where=str(path), hint=_WRITTEN) from None
    if not isinstance(summary, dict):
        raise SchemaError("must be an object", where=str(path), hint=_WRITTEN)
    if summary.get("schema_version") != SCHEMA_VERSION:
        what = f"has schema version {summary.get('schema_version')!r}; this variorum compares {SCHEMA_VERSION}"
        raise SchemaError(what, where=str(path), hint=_WRITTEN)
    where = f"{path}: "
    _check(summary, _SUMMARY, where)
    _check(summary["config"], {"name": _TEXT, "digest": _TEXT}, f"{where}config.")
    for i, paper in enumerate(summary["papers"]):
        _check(paper, _PAPER, f"{where}papers[{i}].")
        for j, table in enumerate(paper["tables"]):
            _check(table, _TABLE, f"{where}papers[{i}].tables[{j}].")
    for i, assertion in enumerate(summary["assertions"]):
        _check(assertion, _ASSERTION, f"{where}assertions[{i}].")
    return summary


def _check(value: object, keys: Mapping[str, tuple[type, ...]], where: str) -> None:
    """Raise SchemaError unless the value is an object that has the keys, with values of these types."""
    if not isinstance(value, dict):
        raise SchemaError("must be an object", where=where.rstrip("."), hint=_WRITTEN)
    for key, types in keys.items():
        if key not in value:
            raise SchemaError("is missing", where=f"{where}{key}", hint=_WRITTEN)
        if type(value[key]) not in types:
            raise SchemaError(f"is {value[key]!r}, of another type than expected", where=f"{where}{key}", hint=_WRITTEN)
        if key in _CHOICES and value[key] not in _CHOICES[key]:
            raise SchemaError(f"is {value[key]!r}", where=f"{where}{key}", hint=f"one of {', '.join(_CHOICES[key])}")


# ---- notes ----------------------------------------------------------------------------------------------------------

_KEYS: Final = ("paper", "table", "assertion", "reason")
_EXAMPLE: Final = '[[note]] with paper = "KEY", table = "ID" or assertion = "kind: name", reason = "why"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note on what may be worse: the paper (empty for all together), a table of it by its truth id, or an assertion as
    ``kind: name``, or all of a ``kind``; with neither the paper's own status or grade. `reason` says why it may be.
    `where` is its place in the file.
    """

    paper: str
    table: str
    assertion: str
    reason: str
    where: str

    def names(self, change: Change) -> bool:
        """Return whether the note is on the change."""
        if change.paper != self.paper:
            return False
        if self.table:
            return change.what == "table" and change.name == self.table
        if self.assertion:
            return change.what == "assertion" and self.assertion in (change.name, textless(change.name), change.kind)
        return change.what == "paper"

    @property
    def subject(self) -> str:
        """Return what the note names, in words."""
        name = f"table {self.table}" if self.table else self.assertion
        return ", ".join(filter(None, (self.paper or "all papers together", name)))


def load_notes(path: Path) -> tuple[Note, ...]:
    """Return the notes of a TOML file, in order; raises ConfigError with the path to a fault."""
    data = read_toml(path, _EXAMPLE)
    for key in data:
        if key != "note":
            raise ConfigError(f"unknown key {key!r}", where=str(path), hint=_EXAMPLE)
    entries = data.get("note", [])
    if not isinstance(entries, list):
        raise ConfigError("must be a list of tables", where=f"{path}: note", hint=_EXAMPLE)
    return tuple(_note(entry, f"{path}: note[{i}]") for i, entry in enumerate(entries))


def _note(entry: object, where: str) -> Note:
    if not isinstance(entry, dict):
        raise ConfigError("must be a table", where=where, hint=_EXAMPLE)
    for key, value in entry.items():
        if key not in _KEYS:
            raise ConfigError(f"unknown key {key!r}", where=where, hint=nearest_name_hint(str(key), _KEYS))
        if not isinstance(value, str) or (not value.strip() and key != "paper"):
            raise ConfigError(f"must be text, not {value!r}", where=f"{where}.{key}", hint=_EXAMPLE)
    for key in ("paper", "reason"):
        if key not in entry:
            raise ConfigError(f"the key {key!r} is missing", where=where, hint=_EXAMPLE)
    if "table" in entry and "assertion" in entry:
        raise ConfigError("names a table and an assertion", where=where, hint="two notes")
    if not entry["paper"] and "assertion" not in entry:
        raise ConfigError("names neither a paper nor an assertion", where=where, hint=_EXAMPLE)
    return Note(
        paper=entry["paper"],
        table=entry.get("table", ""),
        assertion=entry.get("assertion", ""),
        reason=entry["reason"],
        where=where,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What got worse, each with the reason of the note that names it ('' without one), and the notes that name nothing."""

    worse: tuple[tuple[Change, str], ...]
    stale: tuple[Note, ...]

    @property
    def is_fine(self) -> bool:
        """Return whether all that got worse has a note, and every note names something that did."""
        return not self.stale and all(reason for _, reason in self.worse)


def judge(worse: Sequence[Change], notes: Sequence[Note]) -> Judgement:
    """Return which note names what got worse; of several the first."""
    reasons = [(change, next((note.reason for note in notes if note.names(change)), "")) for change in worse]
    stale = tuple(note for note in notes if not any(note.names(change) for change in worse))
    return Judgement(worse=tuple(reasons), stale=stale)
