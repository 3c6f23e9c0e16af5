"""Which table of a reading is which table of the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from variorum.document.model import Document, Table
from variorum.evaluation.normalising import normalise_loosely
from variorum.evaluation.truth_table import TruthTable
from variorum.geometry import Box


def truth_of_paper(truths: Sequence[TruthTable], *names: str) -> tuple[TruthTable, ...]:
    """Return the tables of the paper that has one of the names (its key, its file's name without suffix, its folder's).

    Tables that name no paper, and tables that are all of one paper, are anybody's.
    """
    papers = {t.paper for t in truths}
    if len(papers) < 2:
        return tuple(truths)
    return tuple(t for t in truths if not t.paper or t.paper in names)


def pair_tables(truths: Sequence[TruthTable], tables: Sequence[Table]) -> dict[int, int]:
    """Return for indices of the truth the index of the table that is it, one to one, in order of the truth.

    Equal ids first. Then, among tables of the same page (any, where the truth knows none), those with the most equal texts,
    then with the largest overlap of their boxes; tables with neither in common are no pair.
    """
    ids = {table.id: j for j, table in reversed(list(enumerate(tables)))}
    pairs = {i: ids[truth.table_id] for i, truth in enumerate(truths) if truth.table_id in ids}
    texts = [_texts([c.text for c in truth.cells()]) for truth in truths], [_texts([c.text for c in t.cells]) for t in tables]
    ranked = []
    for i, truth in enumerate(truths):
        for j, table in enumerate(tables):
            if truth.page and table.provenance.page_num and truth.page != table.provenance.page_num:
                continue
            common, overlap = (texts[0][i] & texts[1][j]).total(), _overlap(truth.bbox, table.provenance.bbox)
            if common or overlap:
                ranked.append((-common, -overlap, i, j))
    for _, _, i, j in sorted(ranked):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return dict(sorted(pairs.items()))


def truths_read(truths: Sequence[TruthTable], document: Document) -> tuple[TruthTable, ...]:
    """Return the true tables that a reading of the paper could find, in order: what is on a page not read is not missed.

    Where all pages were read that is every one; else those that are a table of the reading, and those of pages that were read
    (also of a page that was asked for and lost).
    """
    read = {page.page_num for page in document.pages} | {n.page_num for n in document.notices if n.page_num is not None}
    if len(read) >= document.page_count:
        return tuple(truths)
    pairs = pair_tables(truths, document.tables)
    return tuple(truth for i, truth in enumerate(truths) if i in pairs or truth.page in read)


def is_truth_of(truths: Sequence[TruthTable], document: Document) -> bool:
    """Return whether one of the true tables is in the reading: the table that is its pair has more than half of its words.

    Two papers share a few numbers and names, and tables of both stand in the same place of the same page; so a pair alone
    does not show that the truth is that of the paper.
    """
    pairs = pair_tables(truths, document.tables)
    for i, j in pairs.items():
        true, read = (
            _texts([w for c in cells for w in c.text.split()]) for cells in (truths[i].cells(), document.tables[j].cells)
        )
        if 2 * (true & read).total() > true.total():
            return True
    return False


def _texts(texts: Sequence[str]) -> Counter[str]:
    return Counter(clean for text in texts if (clean := normalise_loosely(text)))


def _overlap(one: Box | None, other: Box | None) -> float:
    """Return the common area's share of the area of both, in [0, 1]; 0 where a box is not known."""
    if one is None or other is None:
        return 0.0
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / (one.width * one.height + other.width * other.height - width * height)
