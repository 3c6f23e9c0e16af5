"""What came of a difference between two runs: whether other readings were followed, or alone the words around them differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from variorum.fusion.audit.records import compared

Record = Mapping[str, Any]


def outcome(then: Sequence[Record], now: Sequence[Record]) -> str:
    """Return in one clause how the decisions of a run differ from those of the log; empty where all are the same.

    It names the component that was decided otherwise first, with the winners of both, and counts those that were, and those
    that differ in what they say alone. Decisions belong together that are about the same components of the fused document.
    """
    old, new = _by_component(then), _by_component(now)
    shared = [key for key in old if key in new]
    otherwise = [key for key in shared if old[key]["winner"] != new[key]["winner"]]
    worded = [k for k in shared if k not in otherwise and _said(old[k]) != _said(new[k])]
    gone, come = [k for k in old if k not in new], [k for k in new if k not in old]
    told = []
    if otherwise:
        first = otherwise[0]
        winners = f"{old[first]['winner']} then, {new[first]['winner']} now"
        told.append(f"{len(otherwise)} of {len(then)} decided otherwise, first {_named(first)}: {winners}")
    elif not gone and not come and worded:
        told.append("the winner is the same at every place")
    told += [f"{len(gone)} are gone, first {_named(gone[0])}"] if gone else []
    told += [f"{len(come)} are new, first {_named(come[0])}"] if come else []
    told += [f"{len(worded)} differ in text, scores or what was borrowed alone"] if worded else []
    return "; ".join(told)


Key = tuple[str, tuple[str, ...], int]


def _by_component(decisions: Sequence[Record]) -> dict[Key, Record]:
    """Return the decisions by type, components and the place among those of the same ones."""
    found: dict[Key, Record] = {}
    count: dict[tuple[str, tuple[str, ...]], int] = {}
    for decision in decisions:
        own = (decision["type"], tuple(decision["components"]))
        found[*own, count.get(own, 0)] = decision
        count[own] = count.get(own, 0) + 1
    return found


def _said(decision: Record) -> dict[str, Any]:
    """Return what a decision says, without the name of its place, which counts the places before it."""
    return {key: value for key, value in compared(dict(decision)).items() if key != "position"}


def _named(key: Key) -> str:
    kind, components, _ = key
    return f"{kind.replace('_', ' ')} {', '.join(components) or 'without a component'}"
