"""What the report shows of a whole paper, out of its document: blocks in order of reading, links both ways, sections, votes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from variorum.document import BibliographyEntry, Caption, Document, Figure, HeadingDecision, Provenance, Table, TextComponent
from variorum.document.explain_headings import heading_verdict
from variorum.document.flow import float_name
from variorum.document.voices import counted
from variorum.geometry import Box
from variorum.report.pages import PageSight
from variorum.report.paper_view import BallotView, BlockView, DecisionView, GapView, Layer, PaperView, SectionView, TieView
from variorum.report.placed import Corners, corners, rounded

_LAYER_OF: Mapping[str, Layer] = {
    "title": "front",
    "byline": "front",
    "heading": "headings",
    "equation": "equations",
    "figure": "floats",
    "table": "floats",
    "caption": "floats",
    "footnote": "notes",
    "bibliography_entry": "references",
    "furniture": "furniture",
}
_NAMES: Mapping[str, str] = {"bibliography_entry": "entry", "list_item": "list item"}
_ARTIFACTS: Mapping[str, str] = {
    "contents_list": "a list of contents",
    "article_info": "facts about the article",
    "figure_data": "data of a figure",
}
_REACH_PT = 10.0  # how far the line of a caption reaches into its float
_MARKERS = ("table", "figure")

Place = tuple[int, Box]


def has_text(document: Document) -> bool:
    """Return whether the document has more than tables: text, figures or votes on headings."""
    return bool(document.components or document.figures or document.headings)


def paper_of(document: Document, sights: Mapping[int, PageSight]) -> PaperView | None:
    """Return what is shown of the paper; None for a document that has only tables.

    `sights` is what is seen of the pages by number; of a page that was not seen nobody knows which words lie in no block.
    """
    if not has_text(document):
        return None
    desk = _Desk(document)
    figures = [f for f in document.figures if f.provenance.page_num is not None]
    panels: dict[int, list[Corners]] = defaultdict(list)
    for figure in figures:
        if figure.provenance.page_num is not None and figure.panels:
            panels[figure.provenance.page_num] += [corners(p.bbox) for p in figure.panels]
    complete = document.completeness
    return PaperView(
        title=document.identity.title,
        grade="" if complete is None else complete.grade,
        reasons=[] if complete is None else list(complete.reasons),
        gaps=[
            GapView(kind=g.kind, what=g.what, page_num=g.page_num, block=desk.at(g.component))
            for g in (() if complete is None else complete.gaps)
        ],
        blocks=desk.blocks,
        ties=desk.ties(),
        panels=dict(panels),
        outside=desk.outside(sights),
        sections=desk.sections(),
        headings=[_decision(d, desk.at(d.component)) for d in document.headings],
    )


class _Desk:
    """The blocks of a document by their ids, and where each stands."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.blocks: list[BlockView] = []
        self._places: list[list[Place]] = []
        self._index: dict[str, int] = {}
        floats: dict[str, tuple[int, Table | Figure]] = {t.id: (i, t) for i, t in enumerate(document.tables, start=1)}
        floats |= {f.id: (i, f) for i, f in enumerate(document.figures, start=1)}
        entries = {entry.id: entry for entry in document.bibliography}
        order = 0
        for component in document.components:
            is_marker = component.kind in _MARKERS and component.target in floats
            order += component.kind != "furniture"
            if is_marker and component.target is not None and component.target not in self._index:
                self._float(*floats[component.target], order)
                self._index[component.id] = self._index[component.target]
            elif not is_marker:
                self._text(component, 0 if component.kind == "furniture" else order, entries.get(component.id))
        for number, item in floats.values():
            if item.id not in self._index:
                self._float(number, item, 0)
        self._link()

    def at(self, name: str | None) -> int | None:
        """Return the position of the block with this id; None when there is none."""
        return None if name is None else self._index.get(name)

    def _add(self, block: BlockView, places: list[Place]) -> None:
        self._index[block["id"]] = len(self.blocks)
        self.blocks.append(block)
        self._places.append(places)

    def _text(self, component: TextComponent, order: int, entry: BibliographyEntry | None) -> None:
        places = [(p.page_num, p.bbox) for p in component.places] or _one_place(component.provenance)
        kind = _NAMES.get(component.kind, component.kind)
        title = f"{kind} of level {component.level}" if component.kind == "heading" and component.level else kind
        if component.number and component.kind != "caption":
            title += f" {component.number}"
        facts = [("read by", component.provenance.method), *_entry_facts(entry)]
        block = _block(component.id, component.kind, title, order, component.text, places, facts, component.note)
        block["sign"] = _sign(component)
        self._add(block, places)

    def _float(self, number: int, item: Table | Figure, order: int) -> None:
        if isinstance(item, Table):
            places = _part_places(item) or _one_place(item.provenance)
            shape = f"{counted(item.n_rows, 'row')} × {counted(item.n_cols, 'column')}"
            facts = [("shape", shape), ("read by", item.provenance.method)]
            if item.artifact is not None:
                facts.append(("none of the paper's data", _ARTIFACTS.get(item.artifact, item.artifact)))
            block = _block(item.id, "table", float_name(item), order, _caption_text(item.caption), places, facts)
            block["anchor"] = f"t{number}"
        else:
            places = _one_place(item.provenance)
            facts = [("drawn as", item.kind), ("read by", item.provenance.method)]
            if item.panels:
                labels = ", ".join(p.label or "without a label" for p in item.panels)
                facts.append(("panels", f"{len(item.panels)} ({labels})"))
            if item.is_data_table:
                facts.append(("counted as a figure", "its picture shows a table of data"))
            if item.text:
                facts.append(("words inside", item.text))
            block = _block(item.id, "figure", float_name(item), order, _caption_text(item.caption), places, facts)
        self._add(block, places)

    def _link(self) -> None:
        """Fill in what leads from block to block: captions and floats, citations and mentions, and back."""
        for component in self.document.components:
            if component.kind == "caption" and component.target in self._index:
                caption, target = self._index[component.id], self._index[component.target]
                self.blocks[caption]["names"].append(target)
                self.blocks[target]["names"].append(caption)
        found: dict[int, list[tuple[int, int, list[int]]]] = defaultdict(list)
        for c in self.document.citations:
            found[self._index[c.component]].append((c.start, c.end, [self._index[t] for t in c.targets]))
        for m in self.document.mentions:
            targets = [] if m.target is None else [self._index[m.target]]
            found[self._index[m.component]].append((m.start, m.end, targets))
        for at, marks in sorted(found.items()):
            end = 0
            for mark in sorted(marks):
                if mark[0] >= end:  # of marks that share characters the first is shown
                    self.blocks[at]["marks"].append(mark)
                    end = mark[1]
                for target in mark[2]:
                    if at not in (*self.blocks[target]["cited_by"], *self.blocks[target]["names"]):
                        self.blocks[target]["cited_by"].append(at)

    def ties(self) -> list[TieView]:
        """Return the lines between captions and floats that stand on one page."""
        made = []
        for at, block in enumerate(self.blocks):
            if block["kind"] != "caption" or not self._places[at]:
                continue
            page_num, box = self._places[at][0]
            for target in block["names"]:
                there = next((b for n, b in self._places[target] if n == page_num), None)
                if there is not None:
                    made.append(_tie(page_num, box, there))
        return made

    def outside(self, sights: Mapping[int, PageSight]) -> dict[int, list[Corners]]:
        """Return the words of each page that lie in no block."""
        taken: dict[int, list[Box]] = defaultdict(list)
        for places in self._places:
            for page_num, box in places:
                taken[page_num].append(box)
        found = {}
        for page_num, sight in sorted(sights.items()):
            boxes = taken[page_num]
            words = [corners(word) for word in sight.words if not any(box.contains_centre_of(word) for box in boxes)]
            if words:
                found[page_num] = words
        return found

    def sections(self) -> list[SectionView]:
        texts = {c.id: c for c in self.document.components}
        made = []
        for section in self.document.sections:
            first = texts[section.first]
            heading = None if section.heading is None else texts[section.heading]
            made.append(
                SectionView(
                    label=section.label,
                    confidence=section.confidence,
                    reason=section.reason,
                    title="" if heading is None else heading.text,
                    level=(1 if heading is None else heading.level) or 1,
                    page_num=first.provenance.page_num or 0,
                    block=self.at(section.first if heading is None else heading.id),
                )
            )
        return made


def _block(
    name: str,
    kind: str,
    title: str,
    order: int,
    text: str,
    places: Sequence[Place],
    facts: list[tuple[str, str]],
    note: str = "",
) -> BlockView:
    return BlockView(
        id=name,
        kind=kind,
        layer=_LAYER_OF.get(kind, "text"),
        title=title,
        sign="",
        order=order,
        text=text,
        note=note,
        places=[(page_num, corners(box)) for page_num, box in places],
        marks=[],
        names=[],
        cited_by=[],
        facts=[(what, value) for what, value in facts if value],
        anchor="",
    )


def _sign(component: TextComponent) -> str:
    if component.kind == "heading" and component.level:
        return f"H{component.level}"
    return f"({component.number})" if component.kind == "equation" and component.number else ""


def _one_place(provenance: Provenance) -> list[Place]:
    if provenance.page_num is None or provenance.bbox is None:
        return []
    return [(provenance.page_num, provenance.bbox)]


def _part_places(table: Table) -> list[Place]:
    """Return where the parts of a table stand; with a later part goes the caption above it, which has no block of its own."""
    places = []
    for i, part in enumerate(table.parts):
        if part.bbox is not None:
            caption = part.caption if i and part.caption is not None and part.caption.page_num == part.page_num else None
            above = None if caption is None else caption.bbox
            places.append((part.page_num, part.bbox if above is None else part.bbox.union(above)))
    return places


def _caption_text(caption: Caption | None) -> str:
    return "" if caption is None else caption.text


def _entry_facts(entry: BibliographyEntry | None) -> list[tuple[str, str]]:
    if entry is None:
        return []
    return [
        ("authors", "; ".join(entry.authors)),
        ("year", entry.year or ""),
        ("title", entry.title or ""),
        ("DOI", entry.doi or ""),
        ("arXiv", entry.arxiv_id or ""),
        ("address", entry.url or ""),
    ]


def _tie(page_num: int, caption: Box, there: Box) -> TieView:
    """Return the line from the middle of a caption into the near edge of its float."""
    shared_x, shared_y = caption.x_interval.overlap(there.x_interval), caption.y_interval.overlap(there.y_interval)
    if shared_x >= shared_y:  # one above the other
        x = (max(caption.x0, there.x0) + min(caption.x1, there.x1)) / 2 if shared_x > 0 else (there.x0 + there.x1) / 2
        reach = min(_REACH_PT, there.height / 2)
        y = there.y1 - reach if caption.y0 + caption.y1 > there.y0 + there.y1 else there.y0 + reach
        start, end = (x, (caption.y0 + caption.y1) / 2), (x, y)
    else:
        y = (max(caption.y0, there.y0) + min(caption.y1, there.y1)) / 2
        reach = min(_REACH_PT, there.width / 2)
        x = there.x1 - reach if caption.x0 + caption.x1 > there.x0 + there.x1 else there.x0 + reach
        start, end = ((caption.x0 + caption.x1) / 2, y), (x, y)
    return TieView(page_num=page_num, start=(rounded(start[0]), rounded(start[1])), end=(rounded(end[0]), rounded(end[1])))


def _decision(decision: HeadingDecision, block: int | None) -> DecisionView:
    votes = sorted(decision.votes, key=lambda v: (not v.is_heading, -v.confidence, v.voter))
    return DecisionView(
        text=decision.text,
        page_num=decision.page_num,
        accepted=decision.accepted,
        level=decision.level,
        verdict=heading_verdict(decision),
        votes=[
            BallotView(voter=v.voter, is_heading=v.is_heading, confidence=rounded(v.confidence), level=v.level, reason=v.reason)
            for v in votes
        ],
        block=block,
    )
