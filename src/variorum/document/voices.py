"""Who spoke for a divider, who against, who kept silent, and the verdict in a sentence.

What `explain` prints and the report shows is said here once.
"""

from __future__ import annotations

from variorum.document.apparatus import Axis, Divider, RegionEdge, TableApparatus

_SILENCE = {"not_asked": "not asked", "failed": "failed", "abstained": "abstained"}


def verdict(divider: Divider, apparatus: TableApparatus) -> str:
    """Return what became of the divider and why: ``accepted, 6 of 9 methods able to see columns here (needed: 4)``.

    Where a strategy counts weight and not heads, the weight for the divider stands beside the threshold.
    """
    if divider.reason == "refused":
        return f"refused before the vote ({divider.note or 'no reason given'})"
    able = len({*speakers(divider.axis, apparatus), *(v.method for v in divider.votes)})
    count = f"{divider.method_count} of {counted(able, 'method')} able to see {divider.axis}s here"
    if counts_weight(apparatus):
        threshold = f"weight {weight(divider):.2f}, needed: {divider.threshold:.2f}"
    else:
        rule = "median of all clusters" if "median" in apparatus.combination_strategy else "needed"
        threshold = f"{rule}: {divider.threshold:g}"
    note = f"; {divider.note}" if divider.note else ""
    if divider.reason == "ruled_line_override":
        return f"accepted because a ruled line stands there, {count} ({threshold}){note}"
    if divider.reason in ("above_threshold", "rejected"):
        return f"{'accepted' if divider.accepted else 'rejected'}, {count} ({threshold}){note}"
    return f"{'accepted' if divider.accepted else 'rejected'} ({divider.reason}), {count} ({threshold}){note}"


def edge_verdict(edge: RegionEdge, place: Divider) -> str:
    """Return what became of one place of an edge, and why: ``accepted, 2 proposers; weight 2.31 of 3.10 …``."""
    if place.reason == "refused":
        return f"refused before the vote ({place.note})"
    if not place.accepted:
        return f"rejected, {counted(place.method_count, 'proposer')}, weight {weight(place):.2f} ({place.note})"
    voted = [p for p in edge.places if p.reason != "refused"]
    total = sum(weight(p) for p in voted)
    reached = sum(weight(p) for p in voted[: voted.index(place) + 1])
    return (
        f"accepted, {counted(place.method_count, 'proposer')}; weight {reached:.2f} of {total:.2f} sees the table reach so far "
        f"or farther (needed: {place.threshold:.2f})"
    )


def edge_moves(edge: RegionEdge) -> list[str]:
    """Return the steps from the accepted place to where the edge lies: ``to 98.0, grown to hold whole words``."""
    return [f"to {move.position:.1f}, {move.reason}" for move in edge.moves]


def counts_weight(apparatus: TableApparatus) -> bool:
    """Return whether the vote compared summed confidences, and not numbers of methods."""
    return "weight" in apparatus.combination_strategy


def weight(divider: Divider) -> float:
    """Return the summed scaled confidences of the methods for the divider, each method counted once, with its best."""
    best: dict[str, float] = {}
    for vote in divider.votes:
        best[vote.method] = max(vote.scaled_confidence, best.get(vote.method, 0.0))
    return sum(best[method] for method in sorted(best))


def speakers(axis: Axis, apparatus: TableApparatus) -> list[str]:
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


def silence(axis: Axis, apparatus: TableApparatus) -> list[tuple[str, str]]:
    """Return the structure methods that said nothing about the axis, each with its reason, in registry order."""
    spoke = set(speakers(axis, apparatus))
    other = "rows" if axis == "column" else "columns"
    outcomes = {o.method: o for o in apparatus.outcomes if o.method not in apparatus.cell_methods}
    found = []
    for method in dict.fromkeys([*apparatus.methods, *outcomes]):
        if method in spoke:
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
        found.append((method, reason))
    return found


def dissent(divider: Divider, apparatus: TableApparatus) -> list[tuple[str, str]]:
    """Return the methods that spoke on the axis but not for the divider, each with what it sees there instead.

    None is against a divider that was refused before the vote.
    """
    if divider.reason == "refused":
        return []
    voters = {v.method for v in divider.votes}
    return [(m, _instead(m, divider, apparatus)) for m in speakers(divider.axis, apparatus) if m not in voters]


def counted(number: int, noun: str) -> str:
    """Return the number with its noun: ``1 method``, ``3 methods``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


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
