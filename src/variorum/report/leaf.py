"""The page picture of one table with everything that can be drawn on it: an SVG, the view buttons above and the legend below.

Lines keep their width and signs their size at every zoom: strokes do not scale, and signs stand in groups that the script
scales back. Accepted, rejected and refused dividers differ in line and sign, not in colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from variorum.document.apparatus import Axis
from variorum.document.voices import counted
from variorum.geometry import Box
from variorum.page.turning import upright
from variorum.report.markup import lines, siglum, text
from variorum.report.placed import Corners
from variorum.report.view import AXES, ApparatusView, DividerView, PageView, State, TableView

COLOURS = 16
"""Colours of methods that style.css defines; further methods begin again with dashed lines."""

_SIDE_MARGIN_PT, _TOP_MARGIN_PT = 32.0, 22.0  # room for the signs of row and of column dividers
_LANE = 10  # from one method's letter to the next, in pixels; a pixel is about a point in the table's view
_CROWDED_PT = 13.0  # names of column dividers closer than this stand at two heights
_STATES: tuple[tuple[State, bool], ...] = (("accepted", True), ("rejected", True), ("refused", False))
_LAYERS = (("words", "words", False), ("rules", "rules", False), ("cells", "cells", True))
_EDGE_LAYERS = (("edges", "accepted"), ("edge-places", "rejected"))
_SIGNS: dict[State, str] = {
    "accepted": "M0-4.5L4.5 0L0 4.5L-4.5 0Z",
    "rejected": "M0-3.5A3.5 3.5 0 1 1 0 3.5A3.5 3.5 0 1 1 0-3.5Z",
    "refused": "M-3.2-3.2L3.2 3.2M3.2-3.2L-3.2 3.2",
}


def defs(page: PageView) -> str:
    """Return what the drawings of one page share: picture, and where it has tables words and rules, as an SVG that shows
    nothing itself."""
    n = page["page_num"]
    size = f'width="{page["width"]:g}" height="{page["height"]:g}"'
    picture = f'<image id="p{n}-picture" {size} href="{page["picture"]}"/>' if page["picture"] else ""
    return lines(
        [
            '<svg class="shared" width="0" height="0" aria-hidden="true"><defs>',
            picture,
            f'<path id="p{n}-words" d="{"".join(map(outline, page["words"]))}"/>' if page["tables"] else "",
            f'<path id="p{n}-rules" d="{"".join(map(outline, page["rules"]))}"/>' if page["tables"] else "",
            "</defs></svg>",
        ]
    )


def leaf(page: PageView, table: TableView, methods: list[str]) -> str:
    """Return the ``<figure>`` of one table; only words when the size of its page is unknown."""
    if page["width"] <= 0 or page["height"] <= 0:
        reason = page["problem"] or "The source of this table has no pages to show."
        return f'<figure class="leaf"><p class="problem">{text(reason)}</p></figure>'
    problem = f'<p class="problem">{text(page["problem"])}</p>' if page["problem"] else ""
    return lines(
        [
            '<figure class="leaf">',
            problem,
            _views(page, table),
            f'<div class="stage">{_drawing(page, table)}</div>',
            _legend(table, methods),
            "</figure>",
        ]
    )


# ---- views ----------------------------------------------------------------------------------------------------------


def _turn(table: TableView) -> str:
    """Return the SVG transform that turns the table's text upright, or ''."""
    width, height = table["page_width"], table["page_height"]
    return {90: f"matrix(0 1 -1 0 {height:g} 0)", 270: f"matrix(0 -1 1 0 0 {width:g})"}.get(table["angle"], "")


def _table_view(page: PageView, table: TableView) -> str:
    """Return the viewBox that holds the table and its caption, turned upright, with a margin."""
    boxes = [b for b in (table["box"], table["caption_box"]) if b is not None]
    if not boxes:
        return _page_view(page)
    box = upright(Box.around(Box.of(b) for b in boxes), table["angle"], page["width"], page["height"])
    dividers = table["apparatus"]["dividers"] if table["apparatus"] is not None else []
    right, bottom = (max(_TOP_MARGIN_PT, _LANE * (1 + len(_voters(dividers, axis)))) for axis in ("row", "column"))
    x0, y0 = box.x0 - _SIDE_MARGIN_PT, box.y0 - _TOP_MARGIN_PT
    return f"{x0:g} {y0:g} {box.x1 + right - x0:g} {box.y1 + bottom - y0:g}"


def _page_view(page: PageView) -> str:
    return f"0 0 {page['width']:g} {page['height']:g}"


def _views(page: PageView, table: TableView) -> str:
    turn = _turn(table)
    name = "Table, turned upright" if turn else "Table"
    return lines(
        [
            '<div class="views" role="group" aria-label="What the picture shows">',
            f'<button type="button" data-view="{_table_view(page, table)}" data-turn="{turn}" aria-pressed="true">',
            f"{name}</button>",
            f'<button type="button" data-view="{_page_view(page)}" data-turn="" aria-pressed="false">Whole page</button>',
            "</div>",
        ]
    )


# ---- drawing --------------------------------------------------------------------------------------------------------


def _drawing(page: PageView, table: TableView) -> str:
    n, apparatus = page["page_num"], table["apparatus"]
    dividers = apparatus["dividers"] if apparatus is not None else []
    raised = _raised(dividers)
    label = text(f"Page {n} with {table['title']}, its cells and dividers")
    turn = f' transform="{_turn(table)}"' if _turn(table) else ""
    return lines(
        [
            f'<svg class="drawing" viewBox="{_table_view(page, table)}" role="group" aria-label="{label}">',
            f'<g class="turn"{turn}>',
            f'<rect class="sheet" width="{page["width"]:g}" height="{page["height"]:g}"/>',
            f'<use href="#p{n}-picture" class="picture"/>' if page["picture"] else "",
            _layer("words", f'<use href="#p{n}-words"/>', shown=False),
            _layer("rules", f'<use href="#p{n}-rules"/>', shown=False),
            _layer("cells", _cells(table), shown=True),
            f'<path class="extent" d="{outline(table["box"])}"/>' if table["box"] else "",
            *_votes(table, dividers),
            *(
                _layer(state, lines(_divider(d, table, raised) for d in dividers if d["state"] == state), shown=shown)
                for state, shown in _STATES
            ),
            *(
                _layer(name, drawn, shown=name == "edges", classes=state)
                for name, state in _EDGE_LAYERS
                if (drawn := _edges(table, name))
            ),
            '<g class="spot" aria-hidden="true"></g>',
            "</g></svg>",
        ]
    )


def _layer(name: str, content: str, *, shown: bool, classes: str = "") -> str:
    names = f"layer {name} {classes}".strip()
    return f'<g class="{names}" data-layer="{name}"{"" if shown else " hidden"}>{content}</g>'


def _cells(table: TableView) -> str:
    return "".join(
        f'<path class="place{" head" if c["is_header"] else ""}" data-cell="{table["cell_key"]}-{c["row"]}-{c["col"]}"'
        f' d="{outline(c["box"])}"/>'
        for c in table["cells"]
        if c["box"] is not None
    )


def _votes(table: TableView, dividers: list[DividerView]) -> Iterable[str]:
    """Yield a layer a method that voted on this table: its boundaries, each with the method's letter at its foot."""
    lanes = {axis: _voters(dividers, axis) for axis in AXES}
    for method in sorted({m for voters in lanes.values() for m in voters}):
        drawn = []
        for d in dividers:
            for v in d["votes"]:
                if v["method"] != method or v["box"] is None or d["tail"] is None:
                    continue
                middle = [(v["box"][0] + v["box"][2]) / 2, (v["box"][1] + v["box"][3]) / 2]
                lane = lanes[d["axis"]].index(method)
                drawn.append(f'<path d="{outline(v["box"])}"/>')
                drawn.append(_sign(_foot(d, middle), _letter(siglum(method), d, lane), table["angle"]))
        yield _layer(f"method-{method}", "".join(drawn), shown=False, classes=f"votes {colour(method)}")


def _voters(dividers: list[DividerView], axis: Axis) -> list[int]:
    return sorted({v["method"] for d in dividers if d["axis"] == axis for v in d["votes"]})


def _foot(divider: DividerView, middle: list[float]) -> tuple[float, float]:
    """Return the foot of a vote's line: the divider's tail, moved along the axis to the middle of the vote."""
    mark, tail = divider["mark"] or (0.0, 0.0), divider["tail"] or (0.0, 0.0)
    return (middle[0], tail[1]) if mark[0] == tail[0] else (tail[0], middle[1])


def _letter(letter: str, divider: DividerView, lane: int) -> str:
    across = (
        f'x="0" y="{10 + _LANE * lane}" text-anchor="middle"'
        if divider["axis"] == "column"
        else f'x="{4 + _LANE * lane}" y="4"'
    )
    return f"<text {across}>{letter}</text>"


def _raised(dividers: list[DividerView]) -> set[str]:
    """Return the accepted column dividers whose names stand higher, because the one to the left is too close."""
    raised: set[str] = set()
    last: DividerView | None = None
    for d in (d for d in dividers if d["axis"] == "column" and d["state"] == "accepted"):
        if last is not None and d["position"] - last["position"] < _CROWDED_PT and last["id"] not in raised:
            raised.add(d["id"])
        last = d
    return raised


def _edges(table: TableView, layer: str) -> str:
    """Return the edges of the region, or (in the other layer) the places where they were seen too and are not."""
    edges = table["apparatus"]["edges"] if table["apparatus"] is not None else []
    shown = [e for e in edges if (e["state"] == "accepted") == (layer == "edges")]
    return lines(_divider(e, table, set(), short=e["id"][0].upper() + e["id"].partition("x")[2]) for e in shown)


def _divider(divider: DividerView, table: TableView, raised: set[str], short: str = "") -> str:
    """Return one divider: its range, line and sign, and a wide invisible target; reached by Tab, read out as a sentence."""
    band, line, mark = divider["band"], divider["line"], divider["mark"]
    if band is None or line is None or mark is None:
        return ""
    is_column, state = divider["axis"] == "column", divider["state"]
    label = f"{divider['name'] if short else divider['axis'] + ' ' + divider['name']}: {divider['verdict']}"
    above = -19 if divider["id"] in raised else -8
    at, letter_at = (
        ("0 -6", f'x="0" y="{above}" text-anchor="middle"') if is_column else ("-6 0", 'x="-8" y="4" text-anchor="end"')
    )
    sign = (
        f'<g transform="translate({at})"><path class="form" d="{_SIGNS[state]}"/>'
        f"<text {letter_at}>{text(short or divider['id'])}</text></g>"
    )
    name = f"{text(table['key'])}:{text(divider['id'])}"
    return (
        f'<g class="divider {divider["axis"]}" data-divider="{name}" tabindex="0" role="button" aria-pressed="false"'
        f' aria-label="{text(label)}">'
        f'<path class="band" d="{outline(band)}"/><path class="line" d="M{line[0]:g} {line[1]:g}L{line[2]:g} {line[3]:g}"/>'
        f'<path class="target" d="{outline(band)}"/>{_sign(mark, sign, table["angle"])}</g>'
    )


def _sign(at: tuple[float, float], content: str, angle: int) -> str:
    """Return content drawn in pixels at a point of the page, turned as the table's text is."""
    turn = f" rotate({-angle})" if angle in (90, 270) else ""
    return f'<g transform="translate({at[0]:g} {at[1]:g}){turn}"><g class="px">{content}</g></g>'


def outline(box: Corners) -> str:
    """Return the box as the data of an SVG path."""
    x0, y0, x1, y1 = box
    return f"M{x0:g} {y0:g}H{x1:g}V{y1:g}H{x0:g}Z"


def colour(method: int) -> str:
    """Return the classes that give a method its colour."""
    return f"method m{method % COLOURS}{'' if method < COLOURS else ' again'}"


# ---- legend ---------------------------------------------------------------------------------------------------------


def _legend(table: TableView, methods: list[str]) -> str:
    apparatus = table["apparatus"]
    page = [toggle(name, name, f'<i class="swatch {name}"></i>', shown) for name, name, shown in _LAYERS]
    groups = [group("Page", page)]
    if apparatus is not None:
        groups += [_consensus(apparatus), _region(apparatus), _methods(apparatus, methods)]
    return lines(['<div class="legend">', *groups, "</div>"])


def group(name: str, toggles: list[str], classes: str = "", button: str = "") -> str:
    """Return toggles with their name in front."""
    return (
        f'<div class="toggles {classes}" role="group" aria-label="{name}"><span class="what">{name}{button}</span>'
        f"{''.join(toggles)}</div>"
    )


def _consensus(apparatus: ApparatusView) -> str:
    counts = {state: sum(d["state"] == state for d in apparatus["dividers"]) for state, _ in _STATES}
    return group("Consensus", [toggle(state, f"{state} {counts[state]}", _form(state), shown) for state, shown in _STATES])


def _region(apparatus: ApparatusView) -> str:
    """Return the toggles for the edges of the region and for the places where they were seen too; nothing without a vote."""
    accepted = sum(e["state"] == "accepted" for e in apparatus["edges"])
    if not accepted:
        return ""
    others = len(apparatus["edges"]) - accepted
    toggles = [toggle("edges", f"edges {accepted}", _form("accepted"), True)]
    toggles += [toggle("edge-places", f"other places {others}", _form("rejected"), False)] if others else []
    return group("Region", toggles)


def _methods(apparatus: ApparatusView, methods: list[str]) -> str:
    """Return a toggle for each method that has boundaries here; its name tells how many."""
    counts: dict[int, dict[str, int]] = {}
    for d in apparatus["dividers"]:
        for v in d["votes"]:
            on_axis = counts.setdefault(v["method"], dict.fromkeys(AXES, 0))
            on_axis[d["axis"]] += 1
    toggles = []
    for method in sorted(counts):
        boundaries = " and ".join(counted(counts[method][axis], f"{axis} divider") for axis in AXES if counts[method][axis])
        name = f'<b>{siglum(method)}</b> <span title="{text(boundaries)}">{text(methods[method])}</span>'
        toggles.append(toggle(f"method-{method}", name, f'<i class="swatch vote {colour(method)}"></i>', False, is_markup=True))
    if not toggles:
        return ""
    every = ' <button type="button" class="all" data-all="method-" aria-pressed="false">all</button>'
    return group("Methods", toggles, "methods", every)


def toggle(layer: str, name: str, swatch: str, shown: bool, *, is_markup: bool = False) -> str:
    """Return the switch of a layer, for all drawings that have it; `name` is words, or mark-up where that is said."""
    checked = " checked" if shown else ""
    words = name if is_markup else text(name)
    return (
        f'<label><input type="checkbox" data-toggle="{layer}" autocomplete="off"{checked}>{swatch}<span>{words}</span></label>'
    )


def _form(state: State) -> str:
    """Return the sign and line of a state as they are drawn on the page."""
    return (
        f'<svg class="swatch form {state}" viewBox="-5 -6 22 12" aria-hidden="true">'
        f'<path class="form" d="{_SIGNS[state]}"/><path class="line" d="M6 0H17"/></svg>'
    )


def state_sign(state: State) -> str:
    """Return the sign of a state alone, for a table of dividers."""
    return f'<svg class="sign {state}" viewBox="-6 -6 12 12" aria-hidden="true"><path class="form" d="{_SIGNS[state]}"/></svg>'
