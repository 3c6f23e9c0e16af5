"""The apparatus of one table in HTML: votes as a matrix of dividers and methods, candidates with ranks, methods, repairs."""

from __future__ import annotations

from collections.abc import Iterable

from variorum.document.apparatus import Axis
from variorum.document.voices import counted
from variorum.report.leaf import colour, state_sign
from variorum.report.markup import breakable, figure, lines, share, siglum, text
from variorum.report.view import AXES, ApparatusView, CandidateView, DividerView, OutcomeView, TableView

_LETTER: dict[Axis, str] = {"column": "x", "row": "y"}
_STATUS = {"voted": "voted", "abstained": "abstained", "not_asked": "not asked", "failed": "failed"}
_STATUS_SIGN = {"voted": "●", "abstained": "○", "not_asked": "–", "failed": "✕"}


def criticus(table: TableView, methods: list[str]) -> str:
    """Return everything that was said about a table; without an apparatus, the sentence that says so."""
    apparatus = table["apparatus"]
    if apparatus is None:
        return (
            '<p class="problem">This table has no apparatus: it was taken as its source gives it '
            f"({text(table['source'])}), without a vote.</p>"
        )
    return lines(
        [
            *(_votes(axis, table, apparatus, methods) for axis in AXES),
            _edges(table, apparatus, methods),
            _candidates(apparatus),
            _outcomes(apparatus, methods),
            _repairs(table, apparatus),
            _dropped(table),
        ]
    )


def summary(table: TableView) -> str:
    """Return the line under a table's title: shape, who read it, how far the methods agree."""
    shape = f"{counted(table['n_rows'], 'row')} × {counted(table['n_cols'], 'column')}{_parts(table)}"
    apparatus = table["apparatus"]
    if apparatus is None:
        return f'<p class="summary">{shape}</p>'
    region = ", ".join(map(breakable, apparatus["region_votes"]))
    facts = [
        shape,
        f"read by <b>{breakable(apparatus['winner'] or 'no candidate')}</b>",
        f"agreement <b>{share(apparatus['agreement'])}</b> {meter(apparatus['agreement'])}",
        f"place proposed by {region}" if region else "",
        f"text turned {table['angle']}°: positions of dividers are in the view turned upright" if table["angle"] else "",
    ]
    incomplete = f'<p class="problem">Incomplete: {text(apparatus["incomplete"])}</p>' if apparatus["incomplete"] else ""
    return f'<p class="summary">{" · ".join(f for f in facts if f)}</p>{incomplete}'


def _parts(table: TableView) -> str:
    """Return which part of its table this is and where the others are; empty for a table in one place."""
    part = table["part"]
    if part is None:
        return ""
    others = [
        f'<a href="#{key}">part {number} on page {page}</a>'
        for number, (page, key) in enumerate(part["places"], start=1)
        if number != part["number"]
    ]
    first, end = table["here"]
    rows = "no row" if end == first else f"row {end}" if end == first + 1 else f"rows {first + 1} to {end}"
    whole = f" in {part['count']} parts" if part["number"] == 1 else ""
    return f"{whole} · part {part['number']} of {part['count']}: {rows} of the table; {', '.join(others)}"


def meter(value: float) -> str:
    """Return a share in [0, 1] as a small bar; the figure stands beside it."""
    filled = f'<rect width="{40 * min(max(value, 0), 1):.1f}" height="6"/>'
    return f'<svg class="meter" viewBox="0 0 40 6" aria-hidden="true"><rect class="whole" width="40" height="6"/>{filled}</svg>'


# ---- votes ----------------------------------------------------------------------------------------------------------


def _votes(axis: Axis, table: TableView, apparatus: ApparatusView, methods: list[str]) -> str:
    dividers = [d for d in apparatus["dividers"] if d["axis"] == axis]
    counts = ", ".join(
        f"{sum(d['state'] == state for d in dividers)} {state}"
        for state in ("accepted", "rejected", "refused")
        if any(d["state"] == state for d in dividers)
    )
    silent = apparatus["silent"][axis]
    shown = " open" if axis == "column" else ""
    return lines(
        [
            f'<details class="votes-on"{shown}><summary>Votes on {axis}s <small>{counts or "no divider"}</small></summary>',
            _matrix(axis, table, dividers, apparatus, methods) if dividers else "",
            _silent(axis, silent) if silent else "",
            "</details>",
        ]
    )


def _matrix(axis: Axis, table: TableView, dividers: list[DividerView], apparatus: ApparatusView, methods: list[str]) -> str:
    """Return a row a divider and a column a method: the confidence of its vote, a point where it saw no divider there."""
    spoke = apparatus["speakers"][axis]
    by_weight = apparatus["counts_weight"]
    weight = '<th scope="col" class="figure">weight</th>' if by_weight else ""
    heads = "".join(
        f'<th scope="col" class="turned"><span>{text(methods[m])} <b class="{colour(m)}">{siglum(m)}</b></span></th>'
        for m in spoke
    )
    return lines(
        [
            f'<div class="scroll"><table class="matrix"><thead><tr><th scope="col">{axis}</th>'
            f'<th scope="col" class="figure">{_LETTER[axis]}, pt</th>{heads}'
            f'<th scope="col" class="figure">for</th>{weight}<th scope="col" class="figure">needed</th>'
            '<th scope="col">verdict</th></tr></thead><tbody>',
            *(_matrix_row(d, table, spoke, by_weight=by_weight) for d in dividers),
            "</tbody></table></div>",
        ]
    )


def _matrix_row(divider: DividerView, table: TableView, spoke: list[int], *, by_weight: bool) -> str:
    raw: dict[int, float] = {}
    for v in divider["votes"]:
        raw[v["method"]] = max(v["raw"], raw.get(v["method"], 0.0))
    cells = "".join(
        f'<td class="vote {colour(m)}">{share(raw[m])}</td>' if m in raw else '<td class="against">·</td>' for m in spoke
    )
    name = f"{text(table['key'])}:{text(divider['id'])}"
    reason = divider["note"] or {"ruled_line_override": "a ruled line stands there"}.get(divider["reason"], "")
    weight = f'<td class="figure">{share(divider["weight"])}</td>' if by_weight else ""
    note = f": <small>{text(reason)}</small>" if reason else ""
    return (
        f'<tr class="{divider["state"]}" data-row="{name}">'
        f'<th scope="row"><button type="button" data-show="{name}" aria-label="Show divider {text(divider["id"])} on the page">'
        f"{state_sign(divider['state'])} {text(divider['id'])}</button></th>"
        f'<td class="figure">{divider["position"]:.1f}</td>{cells}'
        f'<td class="figure">{divider["count"]}</td>{weight}<td class="figure">{_needed(divider, by_weight=by_weight)}</td>'
        f"<td>{divider['state']}{note}</td></tr>"
    )


def _needed(divider: DividerView, *, by_weight: bool) -> str:
    return share(divider["threshold"]) if by_weight else figure(divider["threshold"])


def _silent(axis: Axis, silent: Iterable[tuple[str, str]]) -> str:
    said = "; ".join(f"<b>{breakable(method)}</b> ({text(reason)})" for method, reason in silent)
    return f'<p class="silent">Silent on {axis}s: {said}.</p>'


# ---- edges of the region ---------------------------------------------------------------------------------------------


def _edges(table: TableView, apparatus: ApparatusView, methods: list[str]) -> str:
    """Return a row for each place of each edge: who saw it, its weight, what became of it; nothing without a vote."""
    edges = apparatus["edges"]
    if not edges:
        return ""
    accepted = sum(e["state"] == "accepted" for e in edges)
    return lines(
        [
            '<details class="votes-on"><summary>Votes on the edges of the region'
            f" <small>{accepted} accepted of {counted(len(edges), 'place')}</small></summary>",
            '<div class="scroll"><table class="matrix edges"><thead><tr><th scope="col">edge</th>'
            '<th scope="col" class="figure">pt</th><th scope="col">for</th><th scope="col" class="figure">weight</th>'
            '<th scope="col" class="figure">needed</th><th scope="col">verdict</th></tr></thead><tbody>',
            *(_edge_row(e, table, methods) for e in edges),
            "</tbody></table></div></details>",
        ]
    )


def _edge_row(edge: DividerView, table: TableView, methods: list[str]) -> str:
    name = f"{text(table['key'])}:{text(edge['id'])}"
    votes = ", ".join(f"{breakable(methods[v['method']])} {share(v['raw'])}" for v in edge["votes"])
    note = f": <small>{text(edge['note'])}</small>" if edge["note"] else ""
    return (
        f'<tr class="{edge["state"]}" data-row="{name}">'
        f'<th scope="row"><button type="button" data-show="{name}" aria-label="Show the {text(edge["name"])} on the page">'
        f"{state_sign(edge['state'])} {text(edge['id'])}</button></th>"
        f'<td class="figure">{edge["position"]:.1f}</td><td>{votes}</td>'
        f'<td class="figure">{share(edge["weight"])}</td><td class="figure">{share(edge["threshold"])}</td>'
        f"<td>{edge['state']}{note}</td></tr>"
    )


# ---- election -------------------------------------------------------------------------------------------------------


def _candidates(apparatus: ApparatusView) -> str:
    candidates = apparatus["candidates"]
    if not candidates:
        return "<details><summary>Candidates <small>none recorded</small></summary></details>"
    heads = "".join(_sortable(breakable(m.replace("_", " ")), "turned") for m in apparatus["metrics"])
    structure = apparatus["winner"].partition(":")[0]
    alone = any(o["method"] == structure for o in apparatus["outcomes"])
    return lines(
        [
            f"<details><summary>Candidates <small>{counted(len(candidates), 'grid')}, ranked by"
            f" {counted(len(apparatus['metrics']), 'metric')}</small></summary>",
            '<p class="how">Rank in each metric (1 is best, ties share it) over its value; the lowest sum of ranks wins.',
            f"The grid is that of {text(structure)} alone: dividers accepted above need not all stand in it." if alone else "",
            "</p>",
            f'<div class="scroll"><table class="candidates"><thead><tr>{_sortable("candidate", "", ascending=False)}'
            f"{_sortable('shape', 'figure')}{heads}{_sortable('sum of ranks', 'turned', ascending=True)}</tr></thead><tbody>",
            *map(_candidate, candidates),
            "</tbody></table></div></details>",
        ]
    )


def _sortable(name: str, classes: str, *, ascending: bool = False) -> str:
    order = ' aria-sort="ascending"' if ascending else ""
    return f'<th scope="col" class="{classes}"{order}><button type="button" class="sort">{name}</button></th>'


def _candidate(candidate: CandidateView) -> str:
    metrics = "".join(map(_rank, candidate["metrics"]))
    chosen = candidate["chosen"]
    winner = ' class="winner"' if chosen else ""
    name = f"{breakable(candidate['name'])}{' <em>chosen</em>' if chosen else ''}"
    shape = f"{candidate['n_rows']} × {candidate['n_cols']}"
    return (
        f'<tr{winner}><th scope="row" data-value="{text(candidate["name"])}">{name}</th>'
        f'<td class="figure" data-value="{candidate["n_rows"] * candidate["n_cols"]}">{shape}</td>{metrics}'
        f'<td class="figure sum" data-value="{figure(candidate["rank_sum"])}">{figure(candidate["rank_sum"])}</td></tr>'
    )


def _rank(metric: tuple[float, float] | None) -> str:
    if metric is None:
        return '<td class="figure" data-value="">–</td>'
    value, rank = figure(metric[0]), figure(metric[1])
    best = " best" if metric[1] == 1 else ""
    return f'<td class="figure{best}" data-value="{rank}">{rank}<small>{value}</small></td>'


# ---- methods and repairs --------------------------------------------------------------------------------------------


def _outcomes(apparatus: ApparatusView, methods: list[str]) -> str:
    outcomes = apparatus["outcomes"]
    counts = ", ".join(
        f"{sum(o['status'] == status for o in outcomes)} {name}"
        for status, name in _STATUS.items()
        if any(o["status"] == status for o in outcomes)
    )
    failed = " open" if any(o["status"] == "failed" for o in outcomes) else ""
    rows = [_outcome(o, methods) for o in outcomes]
    how = (
        f"Votes combined by {breakable(apparatus['combination'])}, spatial precision {figure(apparatus['precision'])} pt;"
        f" grid chosen by {breakable(apparatus['selection'])}."
    )
    return lines(
        [
            f"<details{failed}><summary>Methods <small>{counts or 'nothing is recorded'}</small></summary>",
            f'<p class="how">{how}</p>',
            '<div class="scroll"><table class="outcomes"><thead><tr><th scope="col">method</th><th scope="col">outcome</th>'
            '<th scope="col" class="figure">columns</th><th scope="col" class="figure">rows</th><th scope="col">reason</th>'
            f"</tr></thead><tbody>{lines(rows)}</tbody></table></div>"
            if rows
            else "",
            "</details>",
        ]
    )


def _outcome(outcome: OutcomeView, methods: list[str]) -> str:
    name = breakable(outcome["method"])
    if outcome["method"] in methods:
        index = methods.index(outcome["method"])
        name = f'<b class="{colour(index)}">{siglum(index)}</b> {name}'
    elif outcome["is_cell_method"]:
        name += " <small>(cells)</small>"
    trace = (
        f"<details><summary>traceback</summary><pre>{text(outcome['traceback'])}</pre></details>"
        if outcome["traceback"]
        else ""
    )
    columns, rows = (outcome["columns"], outcome["rows"]) if outcome["status"] == "voted" else ("", "")
    return (
        f'<tr class="{text(outcome["status"])}"><th scope="row">{name}</th>'
        f'<td class="status"><span aria-hidden="true">{_STATUS_SIGN.get(outcome["status"], "?")}</span>'
        f" {text(_STATUS.get(outcome['status'], outcome['status']))}</td>"
        f'<td class="figure">{columns}</td><td class="figure">{rows}</td>'
        f"<td>{text(outcome['detail'])}{trace}</td></tr>"
    )


def _repairs(table: TableView, apparatus: ApparatusView) -> str:
    first, end = table["here"]
    changed = [c for c in table["cells"] if c["raw_text"] is not None and first <= c["row"] < end]
    if not apparatus["repairs"] and not changed:
        return '<p class="none">No repairs.</p>'
    steps = "".join(f"<li><b>{breakable(name)}</b>: {text(detail)}</li>" for name, detail in apparatus["repairs"])
    texts = "".join(
        f"<tr><td>row {c['row'] + 1}, column {c['col'] + 1}</td><td><del>{text(c['raw_text'])}</del></td>"
        f"<td><ins>{text(c['text'])}</ins></td></tr>"
        for c in changed
    )
    counts = [counted(len(apparatus["repairs"]), "step"), f"{counted(len(changed), 'cell')} changed" if changed else ""]
    return lines(
        [
            f"<details><summary>Repairs <small>{', '.join(c for c in counts if c)}</small></summary>",
            f"<ol>{steps}</ol>" if steps else "",
            '<div class="scroll"><table class="changes"><thead><tr><th scope="col">cell</th><th scope="col">in the PDF</th>'
            f'<th scope="col">as read</th></tr></thead><tbody>{texts}</tbody></table></div>'
            if texts
            else "",
            "</details>",
        ]
    )


def _dropped(table: TableView) -> str:
    """Return the rows that were read in this part and are none of the table; empty without any."""
    dropped = [] if table["part"] is None else table["part"]["dropped"]
    if not dropped:
        return ""
    rows = "".join(f"<li>Row {row} here, {text(why)}: {text(words)}</li>" for row, why, words in dropped)
    return f"<details><summary>Rows left out <small>{counted(len(dropped), 'row')}</small></summary><ul>{rows}</ul></details>"
