"""How a kind says what it saw: assertions of one kind and paper, with names that tell places apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from variorum.stress.model import Assertion, Severity

SHOWN: Final = 5
"""Places that a detail names of many: enough to find the fault, few enough to be read in a line."""
_SHOWN_CHARACTERS: Final = 60
"""Of a text, so that a line with two of them can be read."""

_NO_NUMBER: Final = re.compile(r"orphan_p(?P<page>\d+)_t(?P<index>\d+)")
_NUMBERED: Final = re.compile(r"(?P<kind>[a-z]+)[_-](?P<number>[^_]+)(?:_p(?P<page>\d+)(?:_t(?P<index>\d+))?)?")


@dataclass(slots=True)
class Judge:
    """Makes the assertions of one kind about one paper; `severity` is that of a failure where nothing else is said.

    A name that was given before gets a count behind it, in the order of the paper: ``Introduction (2)``.
    """

    kind: str
    severity: Severity
    paper: str
    _given: dict[str, int] = field(default_factory=dict)

    def says(
        self,
        name: str,
        passed: bool,
        detail: str,
        *,
        page: int | None = None,
        component: str | None = None,
        severity: Severity | None = None,
    ) -> Assertion:
        """Return the assertion about one place."""
        count = self._given[name] = self._given.get(name, 0) + 1
        return Assertion(
            kind=self.kind,
            name=name if count == 1 else f"{name} ({count})",
            paper=self.paper,
            passed=passed,
            severity=severity or self.severity,
            detail=detail,
            page=page or None,
            component=component,
        )


def quoted(text: str) -> str:
    """Return a text in quotes on one line, shortened in its middle where it is long."""
    line = " ".join(text.split())
    half = _SHOWN_CHARACTERS // 2
    return f"“{line}”" if len(line) <= _SHOWN_CHARACTERS else f"“{line[:half]} … {line[-half:]}”"


def listed(items: Iterable[str]) -> str:
    """Return the first of many items, and how many there are."""
    every: Sequence[str] = list(items)
    more = f"; {len(every)} in all" if len(every) > SHOWN else ""
    return "; ".join(every[:SHOWN]) + more


def called(kind: str, name: str, paper_key: str) -> str:
    """Return what a table or figure is called by its id, that of a truth or of a reading: ``table 2``, ``figure 3``.

    `kind` is ``table`` or ``figure``, `paper_key` the key of the document, which says nothing in the name of a place. The
    rest of a table that goes on is ``table 2, page 5``, a table without a number ``table 1 of page 3``. An id of another form
    stands behind the kind as it is.
    """
    bare = name.removeprefix(f"{paper_key}_")
    if found := _NO_NUMBER.fullmatch(bare):
        return f"{kind} {int(found['index']) + 1} of page {found['page']}"
    found = _NUMBERED.fullmatch(bare)
    if found is None or not kind.startswith(found["kind"]):
        return f"{kind} {bare}"
    parts = [f"{kind} {found['number']}"]
    parts += [f"page {found['page']}"] if found["page"] else []
    parts += [f"place {int(found['index']) + 1}"] if found["index"] else []
    return ", ".join(parts)
