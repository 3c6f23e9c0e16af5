"""The text of a display: its lines in reading order, limits put to the signs that carry them.

The lines of print have their fractions, roots and indices already (`variorum.layout.runs`); what stands above and below a sum
or a maximum is a line of its own in print, and becomes the sign's index here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from variorum.layout.formula_signs import BRACES, LARGE, LIMITED
from variorum.layout.model import PrintLine, Run, Script, is_size
from variorum.layout.scripts import text_of_runs

_OPENING: Final = "{⎧⎨⎩⎪"
_MIDDLES: Final = frozenset("{⎨")


def formula_text(lines: Sequence[PrintLine]) -> str:
    """Return the text of the lines of one display, row by row from left to right."""
    if not lines:
        return ""
    largest = max(line.size for line in lines)
    runs = {line.id: list(line.runs) for line in lines}
    hosts = [line for line in lines if is_size(line.size, largest)]
    for part in sorted((x for x in lines if x not in hosts), key=lambda x: (x.box.x0, x.box.y0, x.id)):
        at = _sign_of(part, hosts, runs)
        if at is None:
            hosts.append(part)
            continue
        host, place = at
        script: Script = "sub" if part.baseline > host.baseline else "sup"
        limit = [replace(r, script=script, space_before=r.space_before and k > 0) for k, r in enumerate(part.runs)]
        text = "".join((" " if r.space_before else "") + r.text for r in limit)
        behind = place + 1
        if script == "sup" and behind < len(runs[host.id]) and runs[host.id][behind].script == "sub":
            behind += 1
        runs[host.id].insert(behind, replace(limit[0], text=text))
    left, brace, right = _cases(hosts, runs)
    texts = [_text(row, runs) for row in _rows(left)] + ["{" * bool(brace)] + [_text(row, runs) for row in _rows(right)]
    return " ".join(filter(None, texts))


def _cases(
    lines: Sequence[PrintLine], runs: dict[tuple[int, int], list[Run]]
) -> tuple[list[PrintLine], list[Run], list[PrintLine]]:
    """Return the lines before a brace that opens several rows, its pieces, and the lines behind it; without one, all lines as
    those behind.

    Such a brace stands left of all but what it defines, which is one row; its pieces are taken out of the runs.
    """
    pieces = [r for x in lines for r in runs[x.id] if r.text and not r.text.strip(_OPENING)]
    middles = [r for r in pieces if r.text in _MIDDLES]
    if not middles:
        return [], [], list(lines)
    edge = min(middles, key=lambda r: r.box.x0).box
    brace = [r for r in pieces if r.box.x_interval.overlap(edge.x_interval) > 0]
    sides: tuple[list[PrintLine], list[PrintLine]] = ([], [])
    parts: dict[tuple[int, int], list[Run]] = {}
    for line in lines:
        before = [r for r in runs[line.id] if r not in brace and r.box.x_interval.middle < edge.x0]
        behind = [r for r in runs[line.id] if r not in brace and r.box.x_interval.middle >= edge.x0]
        if before and behind:
            return [], [], list(lines)
        if before or behind:
            sides[bool(behind)].append(line)
            parts[line.id] = before or behind
    if len(_rows(sides[0])) > 1 or len(_rows(sides[1])) <= 1:
        return [], [], list(lines)
    runs.update(parts)
    return sides[0], brace, sides[1]


def _sign_of(
    part: PrintLine, hosts: Sequence[PrintLine], runs: dict[tuple[int, int], list[Run]]
) -> tuple[PrintLine, int] | None:
    """Return the line and the place in it of the sign that small type stands over or under, the nearest in height."""
    found = [
        (abs(host.baseline - part.baseline), host.id, k, host)
        for host in hosts
        if part.size < host.size and abs(host.baseline - part.baseline) <= host.size + host.size
        for k, run in enumerate(runs[host.id])
        if (any(c in LARGE for c in run.text) or run.text.lower() in LIMITED) and _is_over(part, run)
    ]
    if not found:
        return None
    _, _, k, host = min(found, key=lambda f: f[:-1])
    return host, k


def _is_over(part: PrintLine, run: Run) -> bool:
    return run.box.x_interval.contains(part.box.x_interval.middle) or part.box.x_interval.contains(run.box.x_interval.middle)


def _rows(lines: Sequence[PrintLine]) -> list[list[PrintLine]]:
    """Return the lines by row of writing, from top to bottom: lines that overlap by half of the lower one are one row."""
    rows: list[list[PrintLine]] = []
    for line in sorted(lines, key=lambda x: (x.baseline, x.box.x0, x.id)):
        last = rows[-1][0] if rows else None
        if last is not None and 2 * abs(line.baseline - last.baseline) <= min(line.size, last.size):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda x: (x.box.x0, x.id)) for row in rows]


def _text(row: Sequence[PrintLine], runs: dict[tuple[int, int], list[Run]]) -> str:
    texts = (text_of_runs(_without_parts([r for r in runs[x.id] if r.text.strip(BRACES)])) for x in row)
    return " ".join(filter(None, texts))


def _without_parts(runs: Sequence[Run]) -> list[Run]:
    """Return the runs with a stroke or bracket once that is made of several pieces, one over the other."""
    kept: list[Run] = []
    for run in runs:
        last = kept[-1] if kept else None
        if last is None or run.text != last.text or run.box.x_interval != last.box.x_interval:
            kept.append(run)
    return kept
