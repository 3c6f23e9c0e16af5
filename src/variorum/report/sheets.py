"""Every page of a paper with its blocks: an SVG a page, blocks coloured by kind and numbered in the order of reading.

Blocks are one tab stop a page; the script lets arrow keys go from block to block. What a block is stands in its ``<title>``, so
that a pointer shows it, and a screen reader says it, without the script as well.
"""

from __future__ import annotations

from itertools import pairwise
from math import hypot

from variorum.report.leaf import defs, group, outline, toggle
from variorum.report.markup import lines, text
from variorum.report.paper_view import LAYERS, BlockView, Layer, PaperView, TieView
from variorum.report.placed import Corners
from variorum.report.view import PageView

_HINT_CHARS = 160
_TITLES: dict[Layer, str] = {
    "front": "title, authors",
    "headings": "headings",
    "text": "text",
    "equations": "equations",
    "floats": "tables, figures",
    "notes": "footnotes",
    "references": "references",
    "furniture": "left out",
}
_ARROW_PT = 5.0
_DOT_PT = 2.0
_LINE_PT = 8.0  # numbers of blocks that begin closer than this would overlap
_NUMBER_PX = 10


def legend(paper: PaperView) -> str:
    """Return the switches for the layers of blocks, each with how many blocks it has."""
    counts = {layer: sum(b["layer"] == layer and bool(b["places"]) for b in paper["blocks"]) for layer in LAYERS}
    shown = [
        toggle(f"blocks-{layer}", f"{_TITLES[layer]} {counts[layer]}", f'<i class="swatch block-of {layer}"></i>', True)
        for layer in _TITLES
        if counts[layer]
    ]
    words = sum(map(len, paper["outside"].values()))
    more = [toggle("order", "order of reading", '<i class="swatch order"></i>', False)]
    if paper["ties"]:
        more.append(toggle("ties", "captions to floats", '<i class="swatch ties"></i>', True))
    if words:
        more.append(toggle("outside", f"words in no block {words}", '<i class="swatch outside"></i>', True))
    return f'<div class="legend blocks">{group("Blocks", shown)}{group("Lines", more)}</div>'


def sheet(page: PageView, paper: PaperView) -> str:
    """Return one page of the paper with its blocks, as a ``<figure>``; words alone where its size is not known."""
    n = page["page_num"]
    label = f" <small>printed as {text(page['label'])}</small>" if page["label"] and page["label"] != str(n) else ""
    problem = f'<p class="problem">{text(page["problem"])}</p>' if page["problem"] else ""
    caption = f'<figcaption id="page-{n}" tabindex="-1">Page {n}{label}</figcaption>'
    if page["width"] <= 0 or page["height"] <= 0:
        return f'<figure class="sheet-of">{caption}{problem or "<p>The size of this page is not known.</p>"}</figure>'
    return lines(['<figure class="sheet-of">', caption, problem, defs(page), _drawing(page, paper), "</figure>"])


def _drawing(page: PageView, paper: PaperView) -> str:
    n = page["page_num"]
    here = [
        (index, piece, block, box)
        for index, block in enumerate(paper["blocks"])
        for piece, (page_num, box) in enumerate(block["places"])
        if page_num == n
    ]
    drawn = sorted(here, key=lambda item: (LAYERS.index(item[2]["layer"]), -_area(item[3])))
    heights = _heights([(index, piece, box) for index, piece, block, box in here if block["order"]])
    layers = {
        layer: "".join(
            _block(index, piece, block, box, heights.get((index, piece), 0))
            for index, piece, block, box in drawn
            if block["layer"] == layer
        )
        for layer in LAYERS
    }
    panels = "".join(f'<path class="panel" d="{outline(box)}"/>' for box in paper["panels"].get(n, []))
    layers["floats"] += panels
    ties = "".join(_tie(tie) for tie in paper["ties"] if tie["page_num"] == n)
    outside = "".join(map(outline, paper["outside"].get(n, [])))
    order = _order([box for _, _, block, box in sorted(here, key=lambda i: i[2]["order"]) if block["order"]])
    return lines(
        [
            f'<svg class="drawing page-of" viewBox="0 0 {page["width"]:g} {page["height"]:g}" role="group"'
            f' aria-label="Page {n} with its blocks">',
            f'<rect class="sheet" width="{page["width"]:g}" height="{page["height"]:g}"/>',
            f'<use href="#p{n}-picture" class="picture"/>' if page["picture"] else "",
            *(
                f'<g class="layer blocks {layer}" data-layer="blocks-{layer}">{drawn_layer}</g>'
                for layer, drawn_layer in layers.items()
                if drawn_layer
            ),
            f'<g class="layer order" data-layer="order" hidden><path d="{order}"/></g>',
            f'<g class="layer ties" data-layer="ties">{ties}</g>' if ties else "",
            f'<g class="layer outside" data-layer="outside"><path d="{outside}"><title>words in no block</title></path></g>'
            if outside
            else "",
            "</svg>",
        ]
    )


def _area(box: Corners) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _heights(numbered: list[tuple[int, int, Corners]]) -> dict[tuple[int, int], int]:
    """Return how many numbers each number stands above, so that those of blocks that begin at one point do not overlap."""
    heights: dict[tuple[int, int], int] = {}
    taken: list[Corners] = []
    for index, piece, box in sorted(numbered, key=lambda item: (-item[0], item[1])):
        heights[index, piece] = sum(abs(box[0] - b[0]) < _LINE_PT and abs(box[1] - b[1]) < _LINE_PT for b in taken)
        taken.append(box)
    return heights


def _block(index: int, piece: int, block: BlockView, box: Corners, height: int) -> str:
    """Return one place of a block: its area, its number at the left, its sign at the right, and its hint."""
    name = f' id="b{index}"' if piece == 0 else ""
    number = ""
    if block["order"]:
        mark = f"{block['order']}{'↳' if piece else ''}"
        number = (
            f'<g transform="translate({box[0]:g} {box[1]:g})"><g class="px">'
            f'<text x="-2" y="{9 - _NUMBER_PX * height}" text-anchor="end">{mark}</text></g></g>'
        )
    if block["sign"] and not piece:
        number += (
            f'<g transform="translate({box[2]:g} {box[1]:g})"><g class="px">'
            f'<text class="sort-of" x="3" y="9">{text(block["sign"])}</text></g></g>'
        )
    return (
        f'<g class="block {block["kind"]}"{name} data-block="{index}" data-order="{block["order"]}" tabindex="-1" role="button"'
        f' aria-pressed="false"><title>{text(_hint(block, piece))}</title><path d="{outline(box)}"/>{number}</g>'
    )


def _hint(block: BlockView, piece: int) -> str:
    front = f"{block['order']} " if block["order"] else ""
    goes_on = ", goes on here" if piece else ""
    if block["note"]:
        return f"{front}{block['title']}{goes_on}: {block['note']}"
    words = " ".join(block["text"].split())
    cut = words if len(words) <= _HINT_CHARS else words[:_HINT_CHARS].rstrip() + "…"
    return f"{front}{block['title']}{goes_on}: {cut}" if cut else f"{front}{block['title']}{goes_on}"


def _tie(tie: TieView) -> str:
    (x0, y0), (x1, y1) = tie["start"], tie["end"]
    return f'<path d="M{x0:g} {y0:g}L{x1:g} {y1:g}"/><circle cx="{x1:g}" cy="{y1:g}" r="{_DOT_PT:g}"/>'


def _order(boxes: list[Corners]) -> str:
    """Return the path from the middle of each block to that of the next, an open arrow at its end."""
    middles = [((b[0] + b[2]) / 2, (b[1] + b[3]) / 2) for b in boxes]
    steps = []
    for (x0, y0), (x1, y1) in pairwise(middles):
        length = hypot(x1 - x0, y1 - y0)
        if length == 0:
            continue
        along, across = (_ARROW_PT * (x1 - x0) / length, _ARROW_PT * (y1 - y0) / length), _ARROW_PT / length / 2
        left = (x1 - along[0] - (y1 - y0) * across, y1 - along[1] + (x1 - x0) * across)
        right = (x1 - along[0] + (y1 - y0) * across, y1 - along[1] - (x1 - x0) * across)
        steps.append(
            f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}M{left[0]:.1f} {left[1]:.1f}L{x1:.1f} {y1:.1f}L{right[0]:.1f} {right[1]:.1f}"
        )
    return "".join(steps)
