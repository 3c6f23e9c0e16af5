"""Whether a run that was made again is the run of the log: the same documents, decisions and bytes, or what differs first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from variorum.fusion.audit.outcomes import outcome
from variorum.fusion.audit.records import compared, run_bodies
from variorum.fusion.audit.runs import Run, decisions_of
from variorum.fusion.model import Fusion, Source

if TYPE_CHECKING:
    from variorum.fusion.tenants import Tenant

_OF_THE_CALL: Final = ("path", "stamp")
"""Keys that say how the run was called and not what came of it."""


def first_difference(log: str | Path, run: Run, fusion: Fusion, tenant: Tenant, sources: Sequence[Source]) -> str | None:
    """Return a sentence on what differs first between the run of the log and this fusion of the same inputs; None: nothing.

    Compared in order: the inputs and the documents read from them, versions and tenant, every decision, and at last the hashes
    of ``document.json`` and ``fusion.json``. Behind it stands what came of it: which decision was another one first, or that
    the winners are the same and alone what they say differs.
    """
    logged = [run.opening, *decisions_of(log, run.number), run.closing]
    again = list(run_bodies(run.number, fusion, tenant, sources))
    for old, new in zip_longest(logged, again, fillvalue=None):
        if old is None or new is None:
            return "the log has more decisions than this run" if new is None else "the log has fewer decisions than this run"
        then, now = compared(old), compared(new)
        found = _opening_difference(then, now) if old["kind"] == "run" else _told(_name(old), difference(then, now))
        if found is not None:
            came = outcome([r for r in logged if r["kind"] == "decision"], [r for r in again if r["kind"] == "decision"])
            return f"{found} ({came})" if came else found
    return None


def difference(then: Any, now: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Return where two JSON values differ first (in order of keys and items), and both values there; None: they are equal."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in sorted({*then, *now}):
            place = f"{path}.{key}" if path else key
            if key not in then or key not in now:
                return place, then.get(key), now.get(key)
            if found := difference(then[key], now[key], place):
                return found
        return None
    if isinstance(then, list) and isinstance(now, list):
        for at, (one, other) in enumerate(zip_longest(then, now)):
            if found := difference(one, other, f"{path}[{at}]"):
                return found
        return None
    return None if then == now else (path, then, now)


def _opening_difference(then: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """Return what differs first in the inputs and rules of a run: the software is named where it is another."""
    by = "" if then["software"] == now["software"] else f" ({then['software']} then, {now['software']} now)"
    for old, new in zip_longest(then["inputs"], now["inputs"], fillvalue=None):
        if old is None or new is None:
            return "the run has not the inputs of the log"
        found = difference(_without(old, _OF_THE_CALL), _without(new, _OF_THE_CALL))
        if found is not None and found[0] == "document_sha256":
            return f"{old['kind']}: {old['name']} is read otherwise than then{by}"
        if found is not None:
            return _told(old["kind"], found)
    others = (*_OF_THE_CALL, "inputs")
    return _told("rules", difference(_without(then, others), _without(now, others)))


def _without(record: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in keys}


def _told(what: str, found: tuple[str, Any, Any] | None) -> str | None:
    return None if found is None else f"{what}: {found[0]} was {found[1]!r} and is now {found[2]!r}"


def _name(record: Mapping[str, Any]) -> str:
    return f"decision {record['position']}" if record["kind"] == "decision" else "result"
