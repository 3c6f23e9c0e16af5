"""The tools about one table: its cells, the votes that made it, the passages that name it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from variorum.apps.mcp.arguments import Cursor, DocumentName, Name, TableName
from variorum.apps.mcp.cursors import Call, page
from variorum.apps.mcp.index_door import IndexDoor, state_of
from variorum.apps.mcp.results import (
    CitingPassageOut,
    CitingPassages,
    DividerOut,
    Item,
    RawText,
    Span,
    TableCells,
    TablePlace,
    TableVotes,
)
from variorum.document import Cell, Document, Table
from variorum.document.apparatus import Divider
from variorum.errors import UsageError
from variorum.search.found import FoundItem, as_data
from variorum.search.links import open_pdf_link
from variorum.search.lookup import REFERENCE_DIGITS, chunk_by_reference, document_by_reference, read_document
from variorum.search.retrieval import Searcher

_MOST_PASSAGES: Final = 50
_CELL_CHARACTERS: Final = 12
_DIVIDER_CHARACTERS: Final = 220
_VOTE_CHARACTERS: Final = 40
"""What a cell takes beside its text; what a divider and each of its votes take."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A document, the item that holds it, and the key of its PDF there."""

    paper: Document
    item: FoundItem
    attachment: str

    def place(self, table: Table) -> TablePlace:
        """Return which table it is and where it stands."""
        labels = {page.page_num: page.label for page in self.paper.pages}
        page_nums = list(table.page_nums())
        return TablePlace(
            document=self.paper.sha256[:REFERENCE_DIGITS],
            id=table.id,
            number=table.number,
            caption=table.caption.text if table.caption is not None else "",
            n_rows=table.n_rows,
            n_cols=table.n_cols,
            page_nums=page_nums,
            page_labels=[labels.get(page_num) for page_num in page_nums],
            link=open_pdf_link(self.item.in_library, self.attachment, page_nums[0] if page_nums else None),
        )


class TableTools:
    """The tools about tables of an index."""

    def __init__(self, door: IndexDoor) -> None:
        self._door = door

    async def get_table(self, document: DocumentName, table: TableName | None = None, cursor: Cursor = None) -> TableCells:
        """Return the cells of a table, row by row, with headers and spans; no prose.

        `table` may be left out where `document` is the chunk of a table. A long table comes in pages of whole rows.
        """

        def answer(searcher: Searcher) -> TableCells:
            held, found = _table(searcher, document, table)
            call = Call("get_table", {"document": document, "table": table}, partial(state_of, searcher.index))
            first = call.start(cursor)
            rows = found.matrix()
            end = page([sum(len(text) + _CELL_CHARACTERS for text in row) for row in rows], first, found.n_rows)
            cells = [cell for cell in found.cells if first <= cell.row < end]
            return TableCells(
                item=Item.of(held.item),
                table=held.place(found),
                header_rows=found.header_rows,
                footnotes=list(found.footnotes),
                first_row=first,
                rows=rows[first:end],
                spans=[_span(cell) for cell in cells if cell.rowspan > 1 or cell.colspan > 1],
                headers_below=[(cell.row, cell.col) for cell in cells if cell.is_header and cell.row >= found.header_rows],
                repaired=[
                    RawText(row=cell.row, col=cell.col, text=cell.raw_text) for cell in cells if cell.raw_text is not None
                ],
                next_cursor=call.cursor(end) if end < found.n_rows else None,
            )

        return await self._door.ask(answer)

    async def explain_table(
        self, document: DocumentName, table: TableName | None = None, divider: Name | None = None, cursor: Cursor = None
    ) -> TableVotes:
        """Return who voted for every divider of a table, who kept silent and why, and why this grid won.

        With `divider` (c3, r2, top) only of this one. `table` may be left out where `document` is the chunk of a table.
        """

        def answer(searcher: Searcher) -> TableVotes:
            held, found = _table(searcher, document, table)
            arguments = {"document": document, "table": table, "divider": divider}
            call = Call("explain_table", arguments, partial(state_of, searcher.index))
            lines = found.explain(divider).splitlines(keepends=True)
            votes = _votes(found, divider)
            first = call.start(cursor)
            sizes = [*map(len, lines), *(_DIVIDER_CHARACTERS + _VOTE_CHARACTERS * len(each.votes) for each in votes)]
            end = page(sizes, first, len(sizes))
            return TableVotes(
                item=Item.of(held.item),
                table=held.place(found),
                agreement=[as_data(apparatus.agreement) for apparatus in found.apparatuses()],
                explanation="".join(lines[first:end]),
                dividers=votes[max(0, first - len(lines)) : max(0, end - len(lines))],
                next_cursor=call.cursor(end) if end < len(sizes) else None,
            )

        return await self._door.ask(answer)

    async def get_citing_passages(self, document: DocumentName, target: TableName, cursor: Cursor = None) -> CitingPassages:
        """Return the passages of a paper that name a table, figure, equation or section, or cite an entry of its references.

        `target` is an id, or a name as the paper prints it: Table 3, Figure A.1.
        """

        def answer(searcher: Searcher) -> CitingPassages:
            held = _held(searcher, document)
            passages = searcher.citing(document, target)
            call = Call("get_citing_passages", {"document": document, "target": target}, partial(state_of, searcher.index))
            first = call.start(cursor)
            end = page([len(passage.text) for passage in passages], first, _MOST_PASSAGES)
            return CitingPassages(
                item=Item.of(held.item),
                passages=[CitingPassageOut(**as_data(passage)) for passage in passages[first:end]],
                next_cursor=call.cursor(end) if end < len(passages) else None,
            )

        return await self._door.ask(answer)


def _held(searcher: Searcher, document: str) -> _Held:
    connection = searcher.index.connection
    document_id = document_by_reference(connection, document.partition(":")[0])
    return _Held(read_document(connection, document_id), *searcher.holder(document_id))


def _table(searcher: Searcher, document: str, table: str | None) -> tuple[_Held, Table]:
    """Return the table that is meant, by its name or by the chunk that it is; raises UsageError when there is none."""
    if table is None:
        chunk = chunk_by_reference(searcher.index.connection, document).chunk if ":" in document else None
        if chunk is None or chunk.kind != "table" or chunk.target is None:
            hint = "table: the target of a hit, a printed number, or #1 for the first one"
            raise UsageError("which table is meant is not said", where="table", hint=hint)
        table = chunk.target
    return _held(searcher, document), searcher.table(document, table)


def _span(cell: Cell) -> Span:
    return Span(row=cell.row, col=cell.col, rowspan=cell.rowspan, colspan=cell.colspan)


def _votes(table: Table, divider: str | None) -> list[DividerOut]:
    """Return the dividers that were put to the vote, part by part; only the one that is named, if one is."""
    return [
        _divider(each, part)
        for part, apparatus in enumerate(table.apparatuses(), start=1)
        for each in apparatus.dividers
        if divider is None or each.id == divider
    ]


def _divider(divider: Divider, part: int) -> DividerOut:
    return DividerOut(
        id=divider.id,
        part=part,
        axis=divider.axis,
        position=as_data(divider.position),
        accepted=divider.accepted,
        reason=divider.reason,
        method_count=divider.method_count,
        threshold=as_data(divider.threshold),
        votes={vote.method: as_data(vote.confidence) for vote in divider.votes},
    )
