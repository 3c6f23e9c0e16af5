"""The explanation of what a fusion decided on a component: all readings with weight, signals, score, and what was borrowed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from variorum.document import Table
from variorum.errors import UsageError
from variorum.fusion.model import Candidate, Decision
from variorum.fusion.record import FusionRecord
from variorum.fusion.tenants import DASH
from variorum.sources.gathering import split_caption
from variorum.suggestions import nearest_name_hint

_INDENT: Final = "  "
_CALLED: Final = re.compile(r"(?P<kind>tab(?:le)?|fig(?:ure)?)s?[.\s\u00a0-]+(?P<number>[^\s-]\S*)", re.IGNORECASE)


def explain_component(record: FusionRecord, component: str) -> str:
    """Return in lines what was decided on a component of the fused document, and on what stands inside it.

    `component` is an id of the fused document or of a position, the id of the place or caption of a float (``at-fig-3``,
    ``cap-fig-3``), or what a float is called: ``Table 2``, ``tab-2``, ``Figure A.1``. Raises UsageError when the record has
    none of that name.
    """
    found = _decisions_on(record, component)
    if not found:
        names = list(dict.fromkeys(name for d in record.decisions for name in d.components))
        hint = nearest_name_hint(component, names)
        raise UsageError(f"the fusion has no component {component!r}", where="--component", hint=_short(hint))
    head = f"Tenant {record.tenant} {record.matrix_version}, sources {', '.join(s.kind for s in record.sources)}."
    return "\n\n".join([head, *("\n".join(_told(decision)) for decision in found)])


def _decisions_on(record: FusionRecord, asked: str) -> list[Decision]:
    """Return the decisions on what is asked for: by ids, else on the floats that are called so."""
    own = asked.strip()
    bare = re.sub(r"^(?:at|cap)-", "", own)
    for name in dict.fromkeys((own, bare)):
        found = [d for d in record.decisions if name in d.components or name == d.position]
        if found:
            return found
    called = _CALLED.fullmatch(own)
    if called is None:
        return []
    kind = "table" if called["kind"].casefold().startswith("t") else "figure"
    floats = [d for d in record.decisions if d.part == "float" and d.type == kind]
    return [d for d in floats if _plain(called["number"]) in _numbers(d)]


def _numbers(decision: Decision) -> set[str]:
    """Return the printed numbers of a float, as its readings have them, in the form in which numbers are compared."""
    tables = [c.table.number for c in decision.candidates if c.table is not None]
    captions = [split_caption(c.text)[1] for c in decision.candidates]
    lent = [b.value for b in decision.borrowed if b.attribute == "number"]
    return {_plain(number) for number in (*tables, *captions, *lent) if number}


def _plain(number: str) -> str:
    return number.strip("().: ").replace("-", ".").casefold()


def _short(hint: str) -> str:
    """Return a hint that lists hundreds of names as where they stand."""
    return hint if hint.startswith("did you mean") else "an id of the document.json beside it, or of the report"


def _told(decision: Decision) -> Iterator[str]:
    kind = decision.type.replace("_", " ")
    names = ", ".join(decision.components) or "in no text"
    yield f"{kind} {names} (position {decision.position})"
    yield f"{_INDENT}{decision.reason}"
    for candidate in decision.candidates:
        yield from _candidate(candidate)
    for borrowed in decision.borrowed:
        yield f"{_INDENT}borrowed from {borrowed.source} ({', '.join(borrowed.components)}): {borrowed.attribute}"
        yield from _quoted(borrowed.value)


def _candidate(candidate: Candidate) -> Iterator[str]:
    weight = DASH if candidate.weight is None else f"{candidate.weight:g}"
    score = DASH if candidate.score is None else f"{candidate.score:g}"
    shape = "" if candidate.table is None else f", {candidate.table.n_rows}×{candidate.table.n_cols}"
    yield f"{_INDENT}{candidate.source} ({', '.join(candidate.components)}{shape}): weight {weight}, score {score}"
    for signal in candidate.signals:
        yield f"{_INDENT * 2}{signal.name} × {signal.factor:g}: {signal.reason}"
    yield from _quoted(candidate.text)
    if candidate.table is not None:
        yield from _rows(candidate.table)


def _quoted(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield f"{_INDENT * 2}| {line}"


def _rows(table: Table) -> Iterator[str]:
    for row in table.matrix():
        yield f"{_INDENT * 2}| {' | '.join(' '.join(cell.split()) for cell in row)}"
