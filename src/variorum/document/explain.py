"""The apparatus of a table in sentences: who voted for a divider, who kept silent, and why this grid won."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variorum.document.apparatus import Axis, Candidate, Divider, TableApparatus, Vote
from variorum.document.model import Table
from variorum.errors import UsageError

_LINE_LENGTH = 128
_LABEL_WIDTH = 12
_AXES: tuple[Axis, ...] = ("column", "row")
_LETTER = {"column": "x", "row": "y"}
_SILENCE = {"not_asked": "not asked", "failed": "failed", "abstained": "abstained"}


def explain_table(table: Table, divider: str | None = None) -> str:
    """Return the apparatus of a table in sentences, ending with a newline; of one divider only when its id (``c3``) is given.

    Positions are PDF points of the page, confidences as the methods gave them, the scaled one beside it where it differs.
    Raises UsageError that lists the ids when there is no such divider.
    """
    apparatus = table.apparatus
    name = table_name(table)
    if apparatus is None:
        who = f"{table.provenance.source}, {table.provenance.method}".strip(", ")
        return f"{name} has no apparatus: it was taken as its source gives it ({who}), without a vote.\n"
    if divider is not None:
        found = apparatus.divider(divider)
        if found is None:
            ids = [d.id for d in apparatus.dividers]
            hint = f"one of {', '.join(ids)}" if ids else "the whole table: it has no dividers"
            raise UsageError(f"no divider {divider!r}", where=name, hint=hint)
        return "\n".join(_divider(found, apparatus) + _silent(found.axis, apparatus, "silent:")) + "\n"
    lines = _summary(table, apparatus, name)
    for axis in _AXES:
        lines += ["", *_axis(axis, apparatus)]
    lines += ["", *_candidates(apparatus)]
    repairs = [f"  {repair.name}: {repair.detail}" for repair in apparatus.repairs]
    lines += ["", *(["repairs:", *repairs] if repairs else ["repairs: none"])]
    return "\n".join(lines) + "\n"


def table_name(table: Table) -> str:
    """Return what a sentence calls the table: ``table 2 on page 7``."""
    name = f"table {table.number or table.id}"
    return name if table.provenance.page_num is None else f"{name} on page {table.provenance.page_num}"


def _summary(table: Table, apparatus: TableApparatus, name: str) -> list[str]:
    shape = f"{_count(table.n_rows, 'row')} × {_count(table.n_cols, 'column')}"
    lines = [
        f"{name}: {shape}, read by {apparatus.winner or 'no candidate'}; agreement {_fraction(apparatus.agreement)}",
        f"  votes combined by {apparatus.combination_strategy}, spatial precision {apparatus.spatial_precision:.2f} pt; "
        f"grid chosen by {apparatus.selection_strategy}",
    ]
    lines += _listed("region:", apparatus.region_votes) if apparatus.region_votes else []
    lines += [f"  incomplete: {apparatus.incomplete}"] if apparatus.incomplete else []
    return lines


# ---- the votes ------------------------------------------------------------------------------------------------------


def _axis(axis: Axis, apparatus: TableApparatus) -> list[str]:
    dividers = [d for d in apparatus.dividers if d.axis == axis]
    accepted = sum(d.accepted for d in dividers)
    refused = sum(d.reason == "refused" for d in dividers)
    rejected = len(dividers) - accepted - refused
    counts = f"{accepted} accepted, {rejected} rejected, {refused} refused before the vote"
    lines = [f"{axis} dividers: {counts if dividers else 'none, no method put one here'}"]
    for divider in dividers:
        lines += _divider(divider, apparatus)
    silent = _silent(axis, apparatus, "")
    return [*lines, f"silent on {axis}s:", *silent] if silent else lines


def _divider(divider: Divider, apparatus: TableApparatus) -> list[str]:
    """Return the sentence on one divider, with the votes for and against it."""
    where = f"divider {divider.id} at {_LETTER[divider.axis]} = {_range(divider.start, divider.end)}"
    lines = [f"{where}: {_verdict(divider, apparatus)}"]
    lines += _listed("for:", [_vote(v) for v in sorted(divider.votes, key=lambda v: (-v.confidence, v.method))])
    if divider.reason != "refused":
        against = [m for m in _speakers(divider.axis, apparatus) if m not in {v.method for v in divider.votes}]
        lines += _listed("against:", [f"{m} ({_instead(m, divider, apparatus)})" for m in against])
    return lines


def _verdict(divider: Divider, apparatus: TableApparatus) -> str:
    if divider.reason == "refused":
        return f"refused before the vote ({divider.note or 'no reason given'})"
    able = len({*_speakers(divider.axis, apparatus), *(v.method for v in divider.votes)})
    count = f"{divider.method_count} of {_count(able, 'method')} able to see {divider.axis}s here"
    rule = "median of all clusters" if "median" in apparatus.combination_strategy else "needed"
    threshold = f"{rule}: {divider.threshold:g}"
    note = f"; {divider.note}" if divider.note else ""
    if divider.reason == "ruled_line_override":
        return f"accepted because a ruled line stands there, {count} ({threshold}){note}"
    if divider.reason in ("above_threshold", "rejected"):
        return f"{'accepted' if divider.accepted else 'rejected'}, {count} ({threshold}){note}"
    return f"{'accepted' if divider.accepted else 'rejected'} ({divider.reason}), {count} ({threshold}){note}"


def _speakers(axis: Axis, apparatus: TableApparatus) -> list[str]:
    """Return the structure methods that said something about the axis, in registry order."""
    voters = {v.method for d in apparatus.dividers if d.axis == axis for v in d.votes}
    voters |= {
        o.method
        for o in apparatus.outcomes
        if o.status == "voted"
        and o.method not in apparatus.cell_methods
        and (o.column_count if axis == "column" else o.row_count)
    }
    known = list(apparatus.methods)
    return sorted(voters, key=lambda m: (known.index(m) if m in known else len(known), m))


def _silent(axis: Axis, apparatus: TableApparatus, label: str) -> list[str]:
    """Return the lines on the methods that said nothing about the axis, with their reasons."""
    speakers = set(_speakers(axis, apparatus))
    other = "rows" if axis == "column" else "columns"
    outcomes = {o.method: o for o in apparatus.outcomes if o.method not in apparatus.cell_methods}
    items = []
    for method in dict.fromkeys([*apparatus.methods, *outcomes]):
        if method in speakers:
            continue
        outcome = outcomes.get(method)
        if outcome is None:
            reason = "nothing is recorded"
        elif outcome.status == "voted":
            reason = f"spoke of {other} only"
        elif outcome.status == "abstained":
            reason = outcome.detail or "abstained"
        else:
            reason = ": ".join(filter(None, (_SILENCE[outcome.status], outcome.detail)))
        items.append(f"{method} ({reason})")
    return _listed(label, items)


def _instead(method: str, divider: Divider, apparatus: TableApparatus) -> str:
    """Return what the method says where the divider stands: the column or row it sees running across."""
    on_axis = [(d, v) for d in apparatus.dividers if d.axis == divider.axis for v in d.votes if v.method == method]
    own = [v for d, v in on_axis if d.reason != "refused"]
    if on_axis and not own:
        return "its own dividers were refused"
    before = max((v.end for v in own if v.end <= divider.position), default=None)
    after = min((v.start for v in own if v.start >= divider.position), default=None)
    if before is not None and after is not None:
        return f"one {divider.axis} from {before:.1f} to {after:.1f}"
    if before is not None:
        return f"one {divider.axis} from {before:.1f} on"
    if after is not None:
        return f"one {divider.axis} up to {after:.1f}"
    return f"no {divider.axis} divider"


def _vote(vote: Vote) -> str:
    raw, scaled = _fraction(vote.confidence), _fraction(vote.scaled_confidence)
    return f"{vote.method} {raw}" if raw == scaled else f"{vote.method} {raw} (scaled {scaled})"


# ---- the election ---------------------------------------------------------------------------------------------------


def _candidates(apparatus: TableApparatus) -> list[str]:
    """Return the ranks of every candidate as a text table, the winner first and marked with a star."""
    if not apparatus.candidates:
        return ["candidates: none recorded"]
    order = sorted(apparatus.candidates, key=lambda c: (not c.chosen, c.rank_sum, c.position))
    metrics = list(dict.fromkeys(m.metric for c in order for m in c.metrics))
    rows = [["", "candidate", "rows × columns", *metrics, "rank sum"], *(_candidate(c, metrics) for c in order)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        f"candidates: {_count(len(order), 'grid')}, with rank (and value) per metric; rank 1 is best, the lowest sum wins (*)",
        *("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows),
    ]
    structure = apparatus.winner.partition(":")[0]
    if structure in apparatus.methods:
        lines.append(f"the grid is that of {structure} alone: dividers accepted above need not all stand in it")
    return lines


def _candidate(candidate: Candidate, metrics: Sequence[str]) -> list[str]:
    by_name = {m.metric: f"{m.rank:g} ({_fraction(m.value)})" for m in candidate.metrics}
    shape = f"{candidate.n_rows} × {candidate.n_cols}"
    return [
        "*" if candidate.chosen else "",
        candidate.name,
        shape,
        *(by_name.get(m, "-") for m in metrics),
        f"{candidate.rank_sum:g}",
    ]


# ---- words and figures ----------------------------------------------------------------------------------------------


def _listed(label: str, items: Iterable[str]) -> list[str]:
    """Return items behind a label, as many a line as fit; none without items."""
    lines: list[str] = []
    current = f"  {label}".ljust(_LABEL_WIDTH) if label else "  "
    indent = " " * len(current)
    empty = True
    for item in items:
        if not empty and len(current) + len(item) + 2 > _LINE_LENGTH:
            lines.append(current)
            current, empty = indent, True
        current += item if empty else "  " + item
        empty = False
    return lines if empty else [*lines, current]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _range(start: float, end: float) -> str:
    return f"{start:.1f}..{end:.1f}"


def _fraction(value: float) -> str:
    """Return two digits after the point, without a zero before it: ``.92``, ``1.15``."""
    text = f"{value:.2f}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
