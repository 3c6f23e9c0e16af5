"""Two stress tests held against each other: which tables, assertions and papers got better or worse, came or went.

The comparison is of summaries (`variorum.stress.summary`), so that a committed one of a few kilobytes can be the yardstick.
Papers that only one test has are named and not compared, and then what is asserted of all papers together is not either: it
depends on which they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from variorum.stress.summary import textless

Turn = Literal["worse", "better", "added", "gone"]
What = Literal["table", "assertion", "paper"]

_STATUSES: Final = ("crash", "unreadable", "duplicate", "read")
"""What becomes of a paper, from the worst to the best."""

Key = tuple[str, str, int]
"""Paper, name, and how many of that name stand before it in the paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that differs between two tests.

    `paper` is its key, empty for all papers together. `name` is the truth id of a table, ``kind: name`` of an assertion,
    ``status`` or ``grade`` of a paper. `old` and `new` say in a few words what was and is, empty where there is nothing.
    `severity` is that of an assertion (MAJOR, MINOR), else empty.
    """

    what: What
    turn: Turn
    paper: str
    name: str
    old: str
    new: str
    severity: str = ""

    @property
    def kind(self) -> str:
        """Return the kind of an assertion; of others nothing."""
        return self.name.partition(": ")[0] if self.what == "assertion" else ""

    def to_dict(self) -> dict[str, Any]:
        """Return the change as JSON values."""
        plain = {"what": self.what, "turn": self.turn, "paper": self.paper, "name": self.name, "old": self.old, "new": self.new}
        return {**plain, "severity": self.severity} if self.severity else plain


@dataclass(frozen=True, slots=True, kw_only=True)
class StressDiff:
    """What differs between two tests.

    `settings` are (name, old, new) of what was not the same in how they went: software, config, corpus, verdict. `only_old` and
    `only_new` are keys of papers. `changes` are in the order worse, better, added, gone, then by kind, paper and name.
    """

    settings: tuple[tuple[str, str, str], ...]
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]
    compared_papers: int
    changes: tuple[Change, ...]

    def turned(self, turn: Turn) -> tuple[Change, ...]:
        """Return the changes of one turn."""
        return tuple(change for change in self.changes if change.turn == turn)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole as JSON values."""
        return {
            "settings": [{"name": name, "old": old, "new": new} for name, old, new in self.settings],
            "only_old": list(self.only_old),
            "only_new": list(self.only_new),
            "compared_papers": self.compared_papers,
            "changes": [change.to_dict() for change in self.changes],
        }


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> StressDiff:
    """Return what differs between the summaries of two tests.

    A table is worse when it is no longer perfect, or its score, accuracy or number of right cells is lower, the first that
    differs. An assertion is worse when it held and fails, or fails and was not there, or fails and was MINOR and is MAJOR. A
    paper is worse when it is no longer read, or its grade is lower.
    """
    papers = {paper["key"]: paper for paper in old["papers"]}, {paper["key"]: paper for paper in new["papers"]}
    both = [key for key in papers[0] if key in papers[1]]
    about = [*both, *([""] if len(both) == len(papers[0]) == len(papers[1]) else [])]
    tables = _tables([papers[0][key] for key in both]), _tables([papers[1][key] for key in both])
    assertions = _assertions(old["assertions"], about), _assertions(new["assertions"], about)
    names = _readable((*old["assertions"], *new["assertions"]))
    changes = [
        *_paper_changes([(key, papers[0][key], papers[1][key]) for key in both]),
        *_changes("table", *tables, _turn_of_table, _told_table),
        *_changes("assertion", *assertions, _turn_of_assertion, _told_assertion),
    ]
    changes = [replace(change, name=names.get(change.name, change.name)) for change in changes]
    turns: tuple[Turn, ...] = ("worse", "better", "added", "gone")
    whats: tuple[What, ...] = ("paper", "table", "assertion")
    return StressDiff(
        settings=tuple(_settings(old, new)),
        only_old=tuple(key for key in papers[0] if key not in papers[1]),
        only_new=tuple(key for key in papers[1] if key not in papers[0]),
        compared_papers=len(both),
        changes=tuple(sorted(changes, key=lambda c: (turns.index(c.turn), whats.index(c.what), c.paper, c.name))),
    )


def _settings(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    told = [
        {
            "software": summary["software"],
            "config": f"{summary['config']['name']} ({summary['config']['digest']})",
            "corpus": summary["corpus"],
            "verdict": summary["verdict"] or "none",
        }
        for summary in (old, new)
    ]
    for name in told[0]:
        if told[0][name] != told[1][name]:
            yield name, told[0][name], told[1][name]


# ---- papers ---------------------------------------------------------------------------------------------------------


def _paper_changes(pairs: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> Iterator[Change]:
    for key, old, new in pairs:
        if old["status"] != new["status"]:
            is_worse = _STATUSES.index(new["status"]) < _STATUSES.index(old["status"])
            turn: Turn = "worse" if is_worse else "better"
            yield Change(what="paper", turn=turn, paper=key, name="status", old=old["status"], new=new["status"])
        elif old["grade"] and new["grade"] and old["grade"] != new["grade"]:
            turn = "worse" if new["grade"] > old["grade"] else "better"  # A is the best
            yield Change(what="paper", turn=turn, paper=key, name="grade", old=old["grade"], new=new["grade"])


# ---- tables and assertions ------------------------------------------------------------------------------------------


def _changes(
    what: What,
    old: Mapping[Key, Mapping[str, Any]],
    new: Mapping[Key, Mapping[str, Any]],
    turn_of: Callable[[Mapping[str, Any] | None, Mapping[str, Any] | None], Turn | None],
    told: Callable[[Mapping[str, Any]], str],
) -> Iterator[Change]:
    """Yield a change for each thing that turned, over all that either test has."""
    for key in dict.fromkeys((*old, *new)):
        before, after = old.get(key), new.get(key)
        turn = turn_of(before, after)
        if turn is None:
            continue
        there = after if after is not None else before
        assert there is not None  # a key of one of the two
        name = key[1] if not key[2] else f"{key[1]} #{key[2] + 1}"
        yield Change(
            what=what,
            turn=turn,
            paper=key[0],
            name=name,
            old="" if before is None else told(before),
            new="" if after is None else told(after),
            severity=there.get("severity", ""),
        )


def _keyed(items: Sequence[tuple[str, str, Mapping[str, Any]]]) -> dict[Key, Mapping[str, Any]]:
    found: dict[Key, Mapping[str, Any]] = {}
    for paper, name, item in items:
        at = 0
        while (paper, name, at) in found:
            at += 1
        found[paper, name, at] = item
    return found


def _tables(papers: Sequence[Mapping[str, Any]]) -> dict[Key, Mapping[str, Any]]:
    return _keyed([(paper["key"], table["truth_id"], table) for paper in papers for table in paper["tables"]])


def _turn_of_table(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> Turn | None:
    if old is None or new is None:
        return "added" if old is None else "gone"
    before, after = (tuple(t[k] for k in ("is_perfect", "score_pct", "cell_accuracy_pct", "cells_right")) for t in (old, new))
    return None if before == after else "worse" if after < before else "better"


def _told_table(table: Mapping[str, Any]) -> str:
    if table["is_missed"]:
        return "not found"
    cells = f"{table['cells_right']} of {table['cells_total']} cells"
    return f"{'perfect' if table['is_perfect'] else 'score {:.2f}'.format(table['score_pct'])}, {cells}"


def _assertions(assertions: Sequence[Mapping[str, Any]], papers: Sequence[str]) -> dict[Key, Mapping[str, Any]]:
    """Return the assertions on these papers, their names without quoted texts."""
    known = set(papers)
    return _keyed([(a["paper"], textless(f"{a['kind']}: {a['name']}"), a) for a in assertions if a["paper"] in known])


def _readable(assertions: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return for names without quoted texts those with them, where one of the tests has them: a summary in a file has not."""
    found: dict[str, str] = {}
    for assertion in assertions:
        name = f"{assertion['kind']}: {assertion['name']}"
        if textless(name) != name:
            found[textless(name)] = name
    return found


def _turn_of_assertion(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> Turn | None:
    if new is None:
        return "gone"
    if old is None:
        return "added" if new["passed"] else "worse"
    before, after = _rank(old), _rank(new)
    return None if before == after else "worse" if after < before else "better"


def _rank(assertion: Mapping[str, Any]) -> int:
    """Return 2 for an assertion that holds, 1 for a MINOR failure, 0 for a MAJOR one."""
    return 2 if assertion["passed"] else int(assertion["severity"] != "MAJOR")


def _told_assertion(assertion: Mapping[str, Any]) -> str:
    return "passed" if assertion["passed"] else f"failed ({assertion['severity']})"
