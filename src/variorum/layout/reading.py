"""The reading of a whole paper: every line of print is claimed once, the rest is running text, and all stands in order.

The order of work: tables and their captions; furniture; figures, captions alone and algorithms; display formulas; the order of
reading of each page; title and bylines, headings, the list of references, footnotes; what is left are paragraphs, joined
over columns and pages. Each step is a pure function of a module of its own; this one hands the lines from step to step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, groupby
from typing import Final, Literal

from variorum.document import ComponentKind, HeadingDecision, PaperIdentity
from variorum.geometry import Box, Interval
from variorum.layout.algorithms import FoundAlgorithm, find_algorithms
from variorum.layout.bibliography import BibliographyReading, HeadingAt, find_bibliography
from variorum.layout.bylines import byline_groups
from variorum.layout.equations import FoundEquation, find_equations
from variorum.layout.figures import Figures, FoundFigure, find_figures
from variorum.layout.footnotes import find_footnotes
from variorum.layout.front_matter import FrontMatter, read_front
from variorum.layout.furniture import find_furniture
from variorum.layout.headings import FoundHeading, decide_headings
from variorum.layout.joining import Vocabulary, join_lines, vocabulary_of
from variorum.layout.model import BodyStyle, LineId, PagePrint, PaperPrint, PrintCaption, PrintLine, body_style
from variorum.layout.order import Item, Placed, reading_order
from variorum.layout.paragraphs import Block, FlowLine, find_blocks, is_drop_cap


@dataclass(frozen=True, slots=True)
class TableClaim:
    """A table, or a part of one, as the table engine read it: its key (parts of one table share it), page, box and the box of
    its caption (None without one), both in the page's view."""

    key: int
    page_index: int
    box: Box
    caption: Box | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A component of the paper in its place: what it is, its lines and text.

    `table` and `figure` are the key of a table and the position of a figure among `PaperReading.figures`: they stand where the
    float stands in the text. `box` is that of a formula or float; of text it is that of its lines.
    """

    kind: ComponentKind
    lines: tuple[PrintLine, ...] = ()
    text: str = ""
    level: int | None = None
    number: str | None = None
    table: int | None = None
    figure: int | None = None
    decision: HeadingDecision | None = None
    page_index: int | None = None
    box: Box | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class PaperReading:
    """A paper as read: its pieces in the order of reading, then its furniture; and what every line was claimed for.

    `orphans` are captions of figures and tables that were not found, with their page indices. `claims` maps each line of each
    page to ``table``, ``figure``, ``caption``, ``furniture``, or the kind of its piece.
    """

    pieces: tuple[Piece, ...]
    figures: tuple[FoundFigure, ...]
    orphans: tuple[tuple[int, PrintCaption], ...]
    decisions: tuple[HeadingDecision, ...]
    identity: PaperIdentity
    claims: Mapping[LineId, str]
    style: BodyStyle | None = None


_LONE = {"figure": "no picture was found for it", "table": "no table was found for it"}
_NOT_ASKED = {**_LONE, "table": "tables were not read"}
_HIDDEN: Final = "hidden text: it leaves no mark on the page"
_PARTING: Final = "—–-.:· "  # between a heading and the text that it runs into
NOTHING = PaperReading((), (), (), (), PaperIdentity(), {})


@dataclass(slots=True)
class _Desk:
    """The lines of the paper that are not claimed yet, and what the others were claimed for."""

    paper: PaperPrint
    claims: dict[LineId, str] = field(default_factory=dict)

    def free(self, page: PagePrint) -> list[PrintLine]:
        return [line for line in page.lines if line.id not in self.claims]

    def claim(self, lines: Iterable[LineId], kind: str) -> None:
        for line in lines:
            self.claims.setdefault(line, kind)


def read_paper(paper: PaperPrint, tables: Sequence[TableClaim] = (), *, with_tables: bool = True) -> PaperReading:
    """Return the reading of a paper whose tables are known; of one without any line of print, an empty one.

    Without `with_tables` nobody has looked for tables, and a caption of one says so.
    """
    style = body_style(paper.pages)
    if style is None:
        return NOTHING
    desk = _Desk(paper)
    _claim_tables(desk, tables)
    furniture = find_furniture(paper, style, frozenset(desk.claims))
    evidence = {item.line: f"{item.kind}: {item.evidence}" for item in furniture}
    desk.claim(evidence, "furniture")
    found = find_figures(paper, _table_boxes(tables), frozenset(desk.claims))
    for figure in found.figures:
        own = [line for line in figure.lines if line not in desk.claims]
        desk.claim(own, "figure")
        if figure.caption is not None:
            desk.claim(((figure.page_index, i) for i in figure.caption.lines), "caption")
    found = replace(found, orphans=(*found.orphans, *_lone_table_captions(desk)))
    for page_index, orphan in found.orphans:
        desk.claim(((page_index, i) for i in orphan.lines), "caption")
    algorithms = _claim_algorithms(desk)
    vocabulary = vocabulary_of(paper)
    lone = _LONE if with_tables else _NOT_ASKED
    placed, equations = _in_order(desk, tables, found, algorithms, style)
    return _Writer(
        desk, style, vocabulary, placed, equations, algorithms, found.figures, found.orphans, evidence, lone
    ).written()


# ---- claims ----------------------------------------------------------------------------------------------------------


def _claim_tables(desk: _Desk, tables: Sequence[TableClaim]) -> None:
    pages = {page.page_index: page for page in desk.paper.pages}
    for table in tables:
        page = pages[table.page_index]
        inside = [line.id for line in page.lines if table.box.contains_centre_of(line.box)]
        if table.caption is not None:
            caption = caption_at(page, table.caption)
            own = caption.lines if caption else [i for i, x in enumerate(page.lines) if table.caption.contains_centre_of(x.box)]
            desk.claim(((page.page_index, i) for i in own), "caption")
        desk.claim(inside, "table")


def _claim_algorithms(desk: _Desk) -> list[FoundAlgorithm]:
    found = []
    for page in desk.paper.pages:
        for algorithm in find_algorithms(page, desk.claims.keys()):
            desk.claim((line.id for line in algorithm.lines), "code")
            found.append(algorithm)
    return found


def _lone_table_captions(desk: _Desk) -> list[tuple[int, PrintCaption]]:
    """Return the captions of tables that no table has, with their page indices."""
    return [
        (page.page_index, caption)
        for page in desk.paper.pages
        for caption in page.captions
        if caption.kind == "table" and not any((page.page_index, i) in desk.claims for i in caption.lines)
    ]


def caption_at(page: PagePrint, box: Box) -> PrintCaption | None:
    """Return the caption of the page that stands in the box."""
    shares = [(caption.box.intersection(box), caption) for caption in page.captions]
    best = max(((shared.area, i) for i, (shared, _) in enumerate(shares) if shared is not None), default=None)
    return None if best is None or 2 * best[0] < box.area else shares[best[1]][1]


def _table_boxes(tables: Sequence[TableClaim]) -> dict[int, list[Box]]:
    boxes: dict[int, list[Box]] = {}
    for table in tables:
        boxes.setdefault(table.page_index, []).append(table.box)
    return boxes


# ---- order -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Float:
    """What stands in the order of reading as one: a table, a figure, a caption without one, an algorithm or a formula, by its
    key."""

    kind: Literal["table", "figure", "orphan", "code", "equation"]
    key: int


def _in_order(
    desk: _Desk, tables: Sequence[TableClaim], found: Figures, algorithms: Sequence[FoundAlgorithm], style: BodyStyle
) -> tuple[list[tuple[PagePrint, tuple[Placed, ...]]], list[FoundEquation]]:
    """Return for each page its items in the order of reading, and the formulas that were found."""
    equations: list[FoundEquation] = []
    pages = []
    first: set[int] = set()  # tables that have their place in the text: where their first part stands
    for page in desk.paper.pages:
        items: list[Item] = []
        for table in tables:
            if table.page_index == page.page_index and table.key not in first:
                first.add(table.key)
                boxes = [table.box] if table.caption is None else [table.box, table.caption]
                items.append(Item(Box.around(boxes), _Float("table", table.key)))
        for i, figure in enumerate(found.figures):
            if figure.page_index == page.page_index:
                boxes = [figure.box] if figure.caption is None else [figure.box, figure.caption.box]
                items.append(Item(Box.around(boxes), _Float("figure", i)))
        for i, (page_index, orphan) in enumerate(found.orphans):
            if page_index == page.page_index:
                items.append(Item(orphan.box, _Float("orphan", i)))
        for i, algorithm in enumerate(algorithms):
            if algorithm.lines[0].page_index == page.page_index:
                items.append(Item(algorithm.box, _Float("code", i)))
        level = [line for line in desk.free(page) if line.angle == 0]
        for equation in find_equations(page, level, style):
            items.append(Item(equation.box, _Float("equation", len(equations))))
            equations.append(equation)
            desk.claim(equation.lines, "equation")
        items += [Item(line.box, line.id, line) for line in desk.free(page) if line.angle == 0]
        pages.append((page, reading_order(items, Box(0.0, 0.0, page.width, page.height), style.leading)))
    return pages, equations


# ---- writing ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Writer:
    """Puts the pieces of a paper together from its items in order."""

    desk: _Desk
    style: BodyStyle
    vocabulary: Vocabulary
    placed: Sequence[tuple[PagePrint, tuple[Placed, ...]]]
    equations: Sequence[FoundEquation]
    algorithms: Sequence[FoundAlgorithm]
    figures: Sequence[FoundFigure]
    orphans: Sequence[tuple[int, PrintCaption]]
    furniture: Mapping[LineId, str]
    lone: Mapping[str, str]

    def written(self) -> PaperReading:
        is_whole = self.desk.paper.pages[0].page_index == 0
        front = read_front(self.desk.paper, self._lines()) if is_whole else FrontMatter((), (), (), PaperIdentity())
        beside = dict.fromkeys(front.side_lines, "margin: set beside the text of the first page")
        self.furniture = {**self.furniture, **beside}
        self.desk.claim(front.side_lines, "furniture")
        self.desk.claim(front.title_lines, "title")
        self.desk.claim(front.byline_lines, "byline")
        lines = self._lines()
        headings = decide_headings(self.desk.paper, lines, self.style)
        by_line = {line: i for i, heading in enumerate(headings.headings) for line in heading.lines}
        bibliography = self._bibliography(lines, headings.headings, by_line)
        entry_of = {line: i for i, entry in enumerate(bibliography.entries if bibliography else ()) for line in entry.lines}
        notes = self._notes({*by_line, *entry_of})
        pieces = self._front_pieces(front.title_lines, front.byline_lines)
        pieces += self._flow(headings.headings, by_line, bibliography, entry_of, notes)
        pieces += self._left_over()
        pieces += self._furniture_pieces()
        return PaperReading(
            pieces=tuple(pieces),
            figures=tuple(self.figures),
            orphans=tuple(self.orphans),
            decisions=headings.decisions,
            identity=front.identity,
            claims=self.desk.claims,
            style=self.style,
        )

    def _bibliography(
        self, lines: Sequence[PrintLine], headings: Sequence[FoundHeading], by_line: Mapping[LineId, int]
    ) -> BibliographyReading | None:
        """Return the list of references among the lines that are no headings."""
        others = [line for line in lines if line.id not in by_line]
        position = {line.id: i for i, line in enumerate(lines)}
        before = list(accumulate((line.id not in by_line for line in lines), initial=0))
        marks = [HeadingAt(before[position[heading.lines[-1]]], heading.text) for heading in headings]
        return find_bibliography(others, marks, self.style)

    def _lines(self) -> list[PrintLine]:
        """Return the lines that are not claimed, in the order of reading."""
        lines = [p.item.line for _, items in self.placed for p in items if p.item.line is not None]
        return [line for line in lines if line.id not in self.desk.claims]

    def _text(self, lines: Sequence[PrintLine]) -> str:
        if len(lines) > 1 and is_drop_cap(lines[0], self.style):
            return lines[0].text + join_lines(lines[1:], self.vocabulary)
        return join_lines(lines, self.vocabulary)

    def _notes(self, others: set[LineId]) -> dict[LineId, Piece]:
        """Return the footnotes by their first line; their lines are claimed."""
        pieces: dict[LineId, Piece] = {}
        for page, items in self.placed:
            lines = [p for p in items if p.item.line is not None and p.item.line.id not in self.desk.claims]
            columns = [
                [FlowLine(p.item.line, p.column, number) for p in members if p.item.line is not None]
                for number, members in groupby((p for p in lines if p.item.key not in others), key=lambda p: p.column_number)
            ]
            for note in find_footnotes(page, columns, self.style):
                text = self._text(note.lines)
                pieces[note.lines[0].id] = Piece(
                    "footnote", note.lines, text, number=note.mark.strip("()") or None, note=note.evidence
                )
                self.desk.claim((line.id for line in note.lines), "footnote")
        return pieces

    def _front_pieces(self, title: Sequence[LineId], bylines: Sequence[LineId]) -> list[Piece]:
        lines = [self._line(key) for key in title]
        pieces = [Piece("title", tuple(lines), self._text(lines))] if lines else []
        groups = byline_groups([self._line(key) for key in bylines])
        return pieces + [Piece("byline", own, self._text(own)) for own in groups]

    def _flow(
        self,
        headings: Sequence[FoundHeading],
        by_line: Mapping[LineId, int],
        bibliography: BibliographyReading | None,
        entry_of: Mapping[LineId, int],
        notes: Mapping[LineId, Piece],
    ) -> list[Piece]:
        flow: list[FlowLine] = []
        between: list[tuple[int, Piece]] = []  # pieces that are no paragraphs, by the number of flow lines before them
        state: Literal["", "float", "break"] = "break"
        done_headings: set[int] = set()
        done_entries: set[int] = set()
        for item, column, number in self._numbered():
            line = item.line
            if line is None:
                piece = self._float(item)
                between.append((len(flow), piece))
                state = "break" if piece.kind == "equation" else state or "float"
            elif line.id in notes:
                between.append((len(flow), notes[line.id]))
                state = state or "float"
            elif line.id in by_line:
                index = by_line[line.id]
                heading = headings[index]
                if index not in done_headings:
                    done_headings.add(index)
                    between.append((len(flow), self._heading(heading)))
                state = "break"
                if heading.runs is not None and line.id == heading.lines[-1]:
                    rest = _behind(line, heading.runs)
                    if rest is not None:
                        flow.append(FlowLine(rest, column, number, "break"))
                        state = ""
            elif line.id in entry_of:
                index = entry_of[line.id]
                if index not in done_entries and bibliography is not None:
                    done_entries.add(index)
                    entry = bibliography.entries[index]
                    own = tuple(self._line(key) for key in entry.lines)
                    between.append((len(flow), Piece("bibliography_entry", own, entry.text, number=entry.label)))
                state = "break"
            elif line.id not in self.desk.claims:
                flow.append(FlowLine(line, column, number, state))
                state = ""
        self.desk.claim(by_line, "heading")
        self.desk.claim(entry_of, "bibliography_entry")
        return list(self._merged(flow, between))

    def _numbered(self) -> Iterator[tuple[Item, Interval, int]]:
        """Yield the items of the paper in order, each with its column and the number of that column in the paper."""
        number, last = -1, None
        for page, items in self.placed:
            for placed in items:
                if (page.page_index, placed.column_number) != last:
                    number, last = number + 1, (page.page_index, placed.column_number)
                yield placed.item, placed.column, number

    def _line(self, key: LineId) -> PrintLine:
        page = next(page for page in self.desk.paper.pages if page.page_index == key[0])
        return page.lines[key[1]]

    def _float(self, item: Item) -> Piece:
        key = item.key
        if not isinstance(key, _Float):
            raise TypeError("an item without a line is a float")
        if key.kind == "table":
            return Piece("table", table=key.key, box=item.box)
        if key.kind == "figure":
            return Piece("figure", figure=key.key, page_index=self.figures[key.key].page_index, box=item.box)
        if key.kind == "orphan":
            page_index, caption = self.orphans[key.key]
            own = tuple(self._line((page_index, i)) for i in caption.lines)
            return Piece(
                "caption",
                own,
                caption.text,
                number=caption.number or None,
                note=self.lone.get(caption.kind, self.lone["figure"]),
            )
        if key.kind == "code":
            steps = self.algorithms[key.key].lines
            return Piece("code", steps, _code_text(steps), note="an algorithm between rules")
        equation = self.equations[key.key]
        lines = tuple(self._line(line) for line in equation.lines)
        page_index = lines[0].page_index
        return Piece(
            kind="equation",
            lines=lines,
            text=equation.text,
            number=equation.number,
            page_index=page_index,
            box=equation.box,
            note=equation.evidence,
        )

    def _heading(self, heading: FoundHeading) -> Piece:
        lines = tuple(self._line(line) for line in heading.lines)
        return Piece("heading", lines, heading.text, level=heading.level, number=heading.number, decision=heading.decision)

    def _merged(self, flow: Sequence[FlowLine], between: Sequence[tuple[int, Piece]]) -> Iterator[Piece]:
        """Yield blocks of text and the other pieces in order; what stands inside a block follows it."""
        waiting = list(between)
        start = 0
        for block in find_blocks(flow, self.style):
            while waiting and waiting[0][0] <= start:
                yield waiting.pop(0)[1]
            yield self._paragraph(block)
            start += len(block.lines)
        yield from (piece for _, piece in waiting)

    def _paragraph(self, block: Block) -> Piece:
        self.desk.claim((line.id for line in block.lines), block.kind)
        if block.kind == "code":
            return Piece("code", block.lines, _code_text(block.lines))
        return Piece(block.kind, block.lines, self._text(block.lines), number=block.label or None)

    def _left_over(self) -> list[Piece]:
        """Return as paragraphs what no step has claimed: lines in another direction than their page."""
        lines = [line for page in self.desk.paper.pages for line in self.desk.free(page)]
        self.desk.claim((line.id for line in lines), "paragraph")
        notes = [f"written at {line.angle} degrees" if line.angle > 0 else "written obliquely" for line in lines]
        return [Piece("paragraph", (line,), line.text, note=note) for line, note in zip(lines, notes, strict=True)]

    def _furniture_pieces(self) -> list[Piece]:
        lines = [(self._line(key), why) for key, why in sorted(self.furniture.items())]
        lines += [(line, _HIDDEN) for page in self.desk.paper.pages for line in page.hidden]
        return [Piece("furniture", (line,), line.text, note=why) for line, why in lines]


def _behind(line: PrintLine, runs: int) -> PrintLine | None:
    """Return the line without its first runs and what parts them from the text (``Abstract—We``); None when nothing is left."""
    rest = line.runs[runs:]
    while rest and not (text := rest[0].text.lstrip(_PARTING)):
        rest = rest[1:]
    if not rest:
        return None
    rest = (replace(rest[0], text=text), *rest[1:])
    return replace(line, runs=rest, box=Box(rest[0].box.x0, line.box.y0, line.box.x1, line.box.y1))


def _code_text(lines: Sequence[PrintLine]) -> str:
    """Return lines of code with their indents, a space for the width of a character; what stands on one line is one."""
    rows = [list(row) for _, row in groupby(lines, key=lambda line: (line.page_index, round(line.baseline)))]
    widths = sorted(line.box.width / max(1, len(line.plain)) for line in lines)
    width = widths[len(widths) // 2]
    left = min(line.box.x0 for line in lines)
    indents = [round((row[0].box.x0 - left) / width) if width else 0 for row in rows]
    return "\n".join(" " * n + " ".join(line.text for line in row) for n, row in zip(indents, rows, strict=True))
