"""Which items a document belongs to, so that hits stand together by paper: PDFs, copies, what the library says of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from variorum.search.candidates import Candidate
from variorum.search.filters import Condition
from variorum.search.found import FoundItem, FoundPaper, Hit
from variorum.search.links import FOLDER
from variorum.search.lookup import Holding, as_hit, holdings, items_by_id, numbers_of


class Groups:
    """The papers of an index, of those items that fulfil a condition (on ``i``).

    Items with the same PDF are one paper, and so are all PDFs of an item. What the library says of items joins none: items of
    which it says the same, as of two files with the same name, share that record and are papers of their own, each with it.
    A paper is known by the id of its first item, in the order of library and key.
    """

    def __init__(self, connection: sqlite3.Connection, items: Condition) -> None:
        self._connection = connection
        self._holdings = holdings(connection, items)
        self._group_of_item = _joined_by_pdfs(connection, self._holdings.values())

    def of(self, document_id: int) -> tuple[int, ...]:
        """Return the papers that a document belongs to: one for a PDF, all that have it for a record, none without an item."""
        held = self._holdings.get(document_id, ())
        return tuple(dict.fromkeys(self._group_of_item[holding.item_id] for holding in held))

    def all(self) -> set[int]:
        """Return all papers."""
        return set(self._group_of_item.values())

    def publications(self) -> dict[int, str]:
        """Return the journal of each document's paper, by the document's id; where it has one."""
        names = dict(self._connection.execute("SELECT id, publication FROM items WHERE publication != ''"))
        found = {document_id: names.get(held[0].item_id, "") for document_id, held in self._holdings.items()}
        return {document_id: name for document_id, name in found.items() if name}

    def papers(self, grouped: Mapping[int, Sequence[Candidate]], scores: Mapping[int, float]) -> tuple[FoundPaper, ...]:
        """Return the papers with their hits, in the order of `grouped`."""
        members: dict[int, list[int]] = {group: [] for group in grouped}
        for item_id, group in self._group_of_item.items():
            if group in members:
                members[group].append(item_id)
        items = items_by_id(self._connection, [item_id for ids in members.values() for item_id in ids])
        numbers = numbers_of(self._connection, [c.stored for each in grouped.values() for c in each])
        return tuple(
            FoundPaper(
                title=self._title(group, items[group]),
                items=_ordered(items[item_id] for item_id in members[group]),
                score=scores[group],
                hits=tuple(self._hit(group, candidate, items, numbers) for candidate in candidates),
            )
            for group, candidates in grouped.items()
        )

    def _title(self, group: int, item: FoundItem) -> str:
        """Return what a paper is called: by its item, or where that is called by a file's name, by itself."""
        if item.in_library != FOLDER:
            return item.title
        row = self._connection.execute(
            "SELECT d.title FROM papers p JOIN documents d ON d.id = p.document_id WHERE p.item_id = ?", (group,)
        ).fetchone()
        return item.title if row is None else str(row[0])

    def _hit(
        self, group: int, candidate: Candidate, items: Mapping[int, FoundItem], numbers: Mapping[tuple[int, str], str]
    ) -> Hit:
        stored = candidate.stored
        holding = next(h for h in self._holdings[stored.document_id] if self._group_of_item[h.item_id] == group)
        number = numbers.get((stored.document_id, stored.target or ""))
        return as_hit(stored, items[holding.item_id], holding.attachment, number, candidate.reasons)

    def holding(self, document_id: int) -> Holding | None:
        """Return the first item that holds a document."""
        held = self._holdings.get(document_id)
        return held[0] if held else None


def _joined_by_pdfs(connection: sqlite3.Connection, held: Iterable[Sequence[Holding]]) -> dict[int, int]:
    """Return the first item of each item's paper: items are joined by the PDFs that they share, over others if need be."""
    together: dict[int, set[int]] = {}
    for holders in held:
        for holding in holders:
            together.setdefault(holding.item_id, {holding.item_id})
        for holding in holders if holders[0].attachment else ():
            first, other = together[holders[0].item_id], together[holding.item_id]
            if first is not other:
                first |= other
                together.update(dict.fromkeys(other, first))
    order = [item_id for (item_id,) in connection.execute("SELECT id FROM items ORDER BY in_library, key, source")]
    first_of: dict[int, int] = {}
    for item_id in filter(together.__contains__, order):
        for member in together[item_id]:
            first_of.setdefault(member, item_id)
    return first_of


def _ordered(items: Iterable[FoundItem]) -> tuple[FoundItem, ...]:
    return tuple(sorted(items, key=lambda item: (item.in_library, item.key)))
