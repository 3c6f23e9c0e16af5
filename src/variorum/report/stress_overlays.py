"""The pages of tables that differ or fail as the HTML report shows them: small beside the differences, large on request."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from variorum.report.markup import lines, text
from variorum.report.stress_blocks import Block, Words, brief, shown
from variorum.report.stress_comparison import differences
from variorum.report.stress_data import NamedTable, StressData
from variorum.report.stress_sights import Mark, PageImage, Sight, Sights

_SAID_ROWS: Final = 40  # differences beside a page; the article has all of them
_THIN: Final = 0.5  # points: thinner marks are drawn as lines
_LEGEND: Final = (
    ("accepted", "divider, accepted by the vote"),
    ("rejected", "divider, rejected by the vote"),
    ("true", "divider of the truth, where some candidate shows it"),
    ("differs", "cell that differs"),
    ("region", "region of the table"),
    ("missed", "table of the truth that was not found"),
)


class Places:
    """Where in the report the tables that differ or fail, their pages and the pictures are: ids of elements."""

    def __init__(self, data: StressData, sights: Sights) -> None:
        self.data, self.sights = data, sights
        self._articles = {t.table_id: f"t{n}" for n, t in enumerate(data.differing, 1)}
        self._pages = {page: f"p{n}" for n, page in enumerate(sorted(sights.pages), 1)}

    @cached_property
    def shown(self) -> tuple[Sight, ...]:
        """Return the sights whose page is known, in the order of the tables."""
        return tuple(s for s in self.sights.sights if self.page(s) is not None)

    def page(self, sight: Sight) -> PageImage | None:
        """Return the page of a sight, None where there is nothing to draw on."""
        page = None if sight.page is None else self.sights.pages.get((sight.item_key, sight.page))
        return page if page is not None and page.width > 0 else None

    def picture_id(self, sight: Sight) -> str:
        """Return the id of the picture of the page."""
        return self._pages[sight.item_key, sight.page or 0]

    def pictures(self) -> tuple[tuple[str, PageImage], ...]:
        """Return the pictures by their ids."""
        return tuple((self._pages[place], self.sights.pages[place]) for place in sorted(self.sights.pages))

    def article_id(self, table_id: str) -> str:
        """Return the id of a table's article; '' where it does not differ."""
        return self._articles.get(table_id, "")

    def overlay_id(self, sight: Sight) -> str:
        """Return the id of the overlay of a sight."""
        return f"o{self.shown.index(sight) + 1}"

    def target(self, table_id: str) -> str:
        """Return where a link to a table leads: to its first page, else to its article; '' where nothing is wrong with it."""
        return next((self.overlay_id(s) for s in self.shown if s.table_id == table_id), self.article_id(table_id))


def picture_store(places: Places) -> str:
    """Return every picture once, unseen, for the thumbnails and overlays to use."""
    images = [
        f'<image id="{name}" href="{page.picture}" width="{page.width:.1f}" height="{page.height:.1f}"'
        ' preserveAspectRatio="none"/>'
        for name, page in places.pictures()
        if page.picture
    ]
    if not images:
        return ""
    return lines(['<svg class="store" width="0" height="0" aria-hidden="true"><defs>', *images, "</defs></svg>"])


# ---- articles -------------------------------------------------------------------------------------------------------


def article(block: Block, places: Places, table: str) -> str:
    """Return the article of a table that differs: thumbnails of its pages, and `table`, its differences."""
    own = [s for s in places.sights.sights if s.table_id == block.table_id]
    shown = [_thumbnail(s, places) for s in own if places.page(s) is not None]
    without = "" if shown else '<p class="note">No page is known.</p>'
    rows = len(block.rows)
    count = "1 difference" if rows == 1 else f"{rows} differences"
    is_open = " open" if rows <= 4 else ""
    return lines(
        [
            f'<article id="{places.article_id(block.table_id)}" class="differing {block.tone}">',
            f'<div class="thumbs">{"".join(shown)}{without}</div>',
            f'<div><h4>{text(block.title)}</h4><p class="note">{text(block.note)} <code>{text(block.table_id)}</code></p>',
            f"<details{is_open}><summary>{count}</summary>{table}</details></div></article>",
        ]
    )


def _thumbnail(sight: Sight, places: Places) -> str:
    page = places.page(sight)
    if page is None:
        return ""
    marks = "".join(_drawn(m) for m in sight.marks if m.kind in ("region", "missed"))
    return (
        f'<a class="thumb" href="#{places.overlay_id(sight)}" aria-label="Open page {sight.page} with the dividers">'
        f'<svg viewBox="0 0 {page.width:.1f} {page.height:.1f}" width="120" aria-hidden="true">{_paper(sight, page, places)}'
        f"{marks}</svg>page {sight.page}</a>"
    )


def _paper(sight: Sight, page: PageImage, places: Places) -> str:
    sheet = f'<rect class="paper" width="{page.width:.1f}" height="{page.height:.1f}"/>'
    return f'{sheet}<use href="#{places.picture_id(sight)}"/>' if page.picture else sheet


# ---- overlays -------------------------------------------------------------------------------------------------------


def overlays(places: Places) -> str:
    """Return the pages, each large with its dividers and what differs; one is seen when the address names it."""
    said = {t.table_id: differences(t) for t in places.data.differing}
    said |= {t.table_id: _failures(t, places.data) for t in places.data.named}
    return lines(_overlay(at, sight, said[sight.table_id], places) for at, sight in enumerate(places.shown))


def _failures(table: NamedTable, data: StressData) -> Block:
    """Return what failed of a table that differs from no truth."""
    own = [j.said for j in data.failures if j.table_id == table.table_id]
    return Block(
        title=f"{table.paper}, page {table.page}: {brief(table.caption) or table.table_id}",
        note="No difference from a truth is known; these assertions fail.",
        headings=("place", "what", "found"),
        rows=tuple((f"{said.severity} {said.kind}: {said.name}", Words(said.detail), None) for said in own),
        table_id=table.table_id,
    )


def _overlay(at: int, sight: Sight, block: Block, places: Places) -> str:
    page = places.page(sight)
    if page is None:
        return ""
    kinds = {m.kind for m in sight.marks}
    back = places.article_id(sight.table_id) or "failures"
    legend = "".join(
        f'<li><svg width="22" height="12" aria-hidden="true">{_sample(kind)}</svg>{text(said)}</li>'
        for kind, said in _LEGEND
        if kind in kinds
    )
    problem = f'<p class="problem">{text(page.problem)}</p>' if page.problem else ""
    return lines(
        [
            f'<section class="overlay" id="o{at + 1}" aria-label="{text(block.title)}"><div class="said"><nav>'
            f'<a class="close" href="#{back}">Close</a>{_neighbours(at, len(places.shown))}</nav>',
            f'<h2>{text(block.title)}</h2><p class="note">{text(block.note)}</p>{problem}<ul class="legend">{legend}</ul>',
            _said(block),
            "</div>",
            f'<svg class="sheet" viewBox="0 0 {page.width:.1f} {page.height:.1f}" role="img" '
            f'aria-label="Page {sight.page} with the dividers of the table">{_paper(sight, page, places)}',
            "".join(map(_drawn, sight.marks)),
            "</svg></section>",
        ]
    )


def _neighbours(at: int, count: int) -> str:
    before = f'<a href="#o{at}">Previous</a>' if at else ""
    after = f'<a href="#o{at + 2}">Next</a>' if at + 1 < count else ""
    return before + after


def _said(block: Block) -> str:
    items = []
    for place, expected, found in block.rows[:_SAID_ROWS]:
        what = text(shown(expected))
        if found is not None:
            what = f"<span>expected</span> <q>{what}</q> <span>found</span> <q>{text(shown(found))}</q>"
        items.append(f"<li><b>{text(shown(place))}</b> {what}</li>")
    left = len(block.rows) - _SAID_ROWS
    more = f'<p class="note">and {left} more</p>' if left > 0 else ""
    return f'<ol class="differences">{"".join(items)}</ol>{more}'


def _drawn(mark: Mark) -> str:
    box = mark.box
    said = f"<title>{text(mark.said)}</title>"
    if box.width < _THIN or box.height < _THIN:
        x0, y0, x1, y1 = box.as_tuple()
        ends = f'x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}"'
        return f'<line class="mark {mark.kind}" {ends}>{said}</line>'
    place = f'x="{box.x0:.1f}" y="{box.y0:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
    return f'<rect class="mark {mark.kind}" {place}>{said}</rect>'


def _sample(kind: str) -> str:
    if kind in ("accepted", "rejected"):
        return f'<line class="mark {kind}" x1="1" y1="6" x2="21" y2="6"/>'
    return f'<rect class="mark {kind}" x="1" y="1" width="20" height="10"/>'
