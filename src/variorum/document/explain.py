"""The apparatus of a table in sentences: who voted for a divider, who kept silent, and why this grid won."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variorum.document.apparatus import Axis, Candidate, Divider, RegionEdge, TableApparatus, Vote
from variorum.document.model import Table, TablePart
from variorum.document.voices import counted, dissent, edge_moves, edge_verdict, silence, verdict
from variorum.errors import UsageError

_LINE_LENGTH = 128
_LABEL_WIDTH = 12
_AXES: tuple[Axis, ...] = ("column", "row")
_LETTER = {"column": "x", "row": "y"}


def explain_table(table: Table, divider: str | None = None) -> str:
    """Return the apparatus of a table in sentences, ending with a newline; of one divider or edge only when its id (``c3``,
    ``top``) is given.

    Positions are PDF points of the page, confidences as the methods gave them, the scaled one beside it where it differs. A
    table that goes on over columns or pages is explained part by part, a divider in each part that has it. Raises UsageError
    that lists the ids when there is no such divider.
    """
    name = table_name(table)
    if table.parts:
        return "\n".join(_in_parts(table, name) if divider is None else _divider_in_parts(table, divider, name)) + "\n"
    apparatus = table.apparatus
    if apparatus is None:
        who = f"{table.provenance.source}, {table.provenance.method}".strip(", ")
        return f"{name} has no apparatus: it was taken as its source gives it ({who}), without a vote.\n"
    if divider is not None:
        found = _one(divider, apparatus)
        if not found:
            raise _no_such_divider(divider, _ids(apparatus), name)
        return "\n".join(found) + "\n"
    shape = f"{counted(table.n_rows, 'row')} × {counted(table.n_cols, 'column')}"
    return "\n".join(_whole(apparatus, f"{name}: {shape}")) + "\n"


def table_name(table: Table) -> str:
    """Return what a sentence calls the table: ``table 2 on page 7``, ``table 5 on pages 20, 21``."""
    name, pages = f"table {table.number or table.id}", table.page_nums()
    if not pages:
        return name
    return f"{name} on {'page' if len(pages) == 1 else 'pages'} {', '.join(map(str, pages))}"


def _no_such_divider(divider: str, ids: Sequence[str], name: str) -> UsageError:
    hint = f"one of {', '.join(ids)}" if ids else "the whole table: it has no dividers"
    return UsageError(f"no divider {divider!r}", where=name, hint=hint)


def _one(name: str, apparatus: TableApparatus) -> list[str]:
    """Return what is said of one divider or edge; nothing when there is none of that name."""
    edge, divider = apparatus.edge(name), apparatus.divider(name)
    if edge is not None:
        return _edge(edge)
    return [] if divider is None else _divider(divider, apparatus) + _silent(divider.axis, apparatus, "silent:")


def _ids(apparatus: TableApparatus) -> list[str]:
    return [*(d.id for d in apparatus.dividers), *(e.id for e in apparatus.region_edges)]


def _whole(apparatus: TableApparatus, what: str) -> list[str]:
    """Return all that is said of one table, or of one part of it; `what` are its name and shape."""
    lines = _summary(apparatus, what)
    if apparatus.region_edges:
        lines += ["", "edges of the region:", *(line for edge in apparatus.region_edges for line in _edge(edge))]
    for axis in _AXES:
        lines += ["", *_axis(axis, apparatus)]
    lines += ["", *_candidates(apparatus)]
    repairs = [f"  {repair.name}: {repair.detail}" for repair in apparatus.repairs]
    return [*lines, "", *(["repairs:", *repairs] if repairs else ["repairs: none"])]


def _summary(apparatus: TableApparatus, what: str) -> list[str]:
    lines = [
        f"{what}, read by {apparatus.winner or 'no candidate'}; agreement {_fraction(apparatus.agreement)}",
        f"  votes combined by {apparatus.combination_strategy}, spatial precision {apparatus.spatial_precision:.2f} pt; "
        f"grid chosen by {apparatus.selection_strategy}",
    ]
    lines += _listed("region:", apparatus.region_votes) if apparatus.region_votes else []
    lines += [f"  incomplete: {apparatus.incomplete}"] if apparatus.incomplete else []
    return lines


# ---- parts ----------------------------------------------------------------------------------------------------------


def _in_parts(table: Table, name: str) -> list[str]:
    shape = f"{counted(table.n_rows, 'row')} × {counted(table.n_cols, 'column')}"
    agreement = "" if table.provenance.confidence is None else f"; agreement {_fraction(table.provenance.confidence)}"
    lines = [f"{name}: {shape} in {len(table.parts)} parts{agreement}"]
    for i, part in enumerate(table.parts):
        lines += ["", *_part(part, f"part {i + 1} on page {part.page_num}")]
    return lines


def _part(part: TablePart, name: str) -> list[str]:
    what = f"{name}: {part_rows(part)}"
    lines = [f"{what}, read by {part.method}, without a vote"] if part.apparatus is None else _whole(part.apparatus, what)
    dropped = [f"  row {d.row + 1}: {dropped_reason(d.reason)}: {d.text}" for d in part.dropped]
    return [*lines, *(["", "rows that are none of the table:", *dropped] if dropped else [])]


def _divider_in_parts(table: Table, divider: str, name: str) -> list[str]:
    lines = []
    for i, part in enumerate(table.parts):
        found = [] if part.apparatus is None else _one(divider, part.apparatus)
        if found:
            lines += [f"part {i + 1} on page {part.page_num}:", *found]
    if not lines:
        ids = [name for part in table.parts if part.apparatus is not None for name in _ids(part.apparatus)]
        raise _no_such_divider(divider, list(dict.fromkeys(ids)), name)
    return lines


def part_rows(part: TablePart) -> str:
    """Return which rows of the table stand in a part, counted from 1: ``rows 24 to 60 of the table``."""
    if part.n_rows < 2:
        return f"row {part.first_row + 1} of the table" if part.n_rows else "no row of the table"
    return f"rows {part.first_row + 1} to {part.first_row + part.n_rows} of the table"


def dropped_reason(reason: str) -> str:
    """Return in words why a row that was read is no row of the table."""
    return {"repeated_head": "the head again", "note": "it says that the table goes on"}.get(reason, reason)


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
    lines = [f"{where}: {verdict(divider, apparatus)}"]
    lines += _listed("for:", [_vote(v) for v in sorted(divider.votes, key=lambda v: (-v.confidence, v.method))])
    lines += _listed("against:", [f"{method} ({instead})" for method, instead in dissent(divider, apparatus)])
    return lines


def _silent(axis: Axis, apparatus: TableApparatus, label: str) -> list[str]:
    """Return the lines on the methods that said nothing about the axis, with their reasons."""
    return _listed(label, [f"{method} ({reason})" for method, reason in silence(axis, apparatus)])


def _vote(vote: Vote) -> str:
    raw, scaled = _fraction(vote.confidence), _fraction(vote.scaled_confidence)
    return f"{vote.method} {raw}" if raw == scaled else f"{vote.method} {raw} (scaled {scaled})"


def _edge(edge: RegionEdge) -> list[str]:
    """Return the sentences on one edge of the region: the accepted place, how it moved from there, and the other places."""
    head = f"{edge.id} edge at {_LETTER[edge.axis]} = {edge.position:.1f}"
    if not edge.places:
        return [f"{head}: given, not voted on"]
    lines: list[str] = []
    for place in sorted(edge.places, key=lambda p: not p.accepted):
        where = head if place.accepted else f"  {place.id} at {_LETTER[place.axis]} = {_range(place.start, place.end)}"
        lines.append(f"{where}: {edge_verdict(edge, place)}")
        lines += _listed("for:", [_vote(v) for v in sorted(place.votes, key=lambda v: (-v.confidence, v.method))])
        if place.accepted and edge.moves:
            lines += _listed("moved:", [f"from {place.position:.1f}", *edge_moves(edge)])
    return lines


# ---- the election ---------------------------------------------------------------------------------------------------


def _candidates(apparatus: TableApparatus) -> list[str]:
    """Return the ranks of every candidate as a text table, the winner first and marked with a star."""
    if not apparatus.candidates:
        return ["candidates: none recorded"]
    order = sorted(apparatus.candidates, key=lambda c: (not c.chosen, c.rank_sum, c.position))
    every = list(dict.fromkeys(m.metric for c in order for m in c.metrics))
    metrics = [m for m in every if len(order) == 1 or len({_ranked(c, m) for c in order}) > 1]
    rows = [["", "candidate", "rows × columns", *metrics, "rank sum"], *(_candidate(c, metrics) for c in order)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        f"candidates: {counted(len(order), 'grid')}, with rank (and value) per metric; rank 1 is best, the lowest sum wins (*)",
        *("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows),
    ]
    if len(metrics) < len(every):
        lines += _listed("tied:", [f"{m} {_ranked(order[0], m)}" for m in every if m not in metrics])
    structure = apparatus.winner.partition(":")[0]
    if structure in apparatus.methods:
        lines.append(f"the grid is that of {structure} alone: dividers accepted above need not all stand in it")
    return lines


def _ranked(candidate: Candidate, metric: str) -> str:
    return next((f"{m.rank:g} ({_fraction(m.value)})" for m in candidate.metrics if m.metric == metric), "-")


def _candidate(candidate: Candidate, metrics: Sequence[str]) -> list[str]:
    shape = f"{candidate.n_rows} × {candidate.n_cols}"
    return [
        "*" if candidate.chosen else "",
        candidate.name,
        shape,
        *(_ranked(candidate, m) for m in metrics),
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


def _range(start: float, end: float) -> str:
    return f"{start:.1f}..{end:.1f}"


def _fraction(value: float) -> str:
    """Return two digits after the point, without a zero before it: ``.92``, ``1.15``."""
    text = f"{value:.2f}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
