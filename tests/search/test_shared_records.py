"""What the library says of items belongs to each of them; only PDFs make two items one paper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from made_index import Shelf, item, paper

from variorum.libraries.model import LibraryRef
from variorum.search.filters import Filters
from variorum.search.holdings import put_item
from variorum.search.indexing import record_document
from variorum.search.store import open_writer


@pytest.fixture
def namesakes(shelf: Callable[..., Shelf]) -> Shelf:
    """Return an index of two items of which the library says the same; A, the first by key, has no PDF."""
    index = shelf()
    index.put([(item("B", "Paper"), paper("Ice", "Ponds freeze in winter."))], records=True)
    record = record_document(item("B", "Paper"))
    assert record is not None
    with open_writer(index.path, index.manifest) as opened, opened.transaction() as connection:
        item_id, _ = put_item(connection, "test", item("A", "Paper"))
        connection.execute(
            "UPDATE items SET record_id = (SELECT id FROM documents WHERE sha256 = ?) WHERE id = ?", (record.sha256, item_id)
        )
    return index


def test_a_hit_is_cited_with_the_item_that_has_the_pdf(namesakes: Shelf) -> None:
    with namesakes.searcher() as searcher:
        (found,) = searcher.search("ponds freeze", Filters(kinds=("passage",))).papers
    assert [each.key for each in found.items] == ["B"]
    assert found.hits[0].link == "zotero://open-pdf/library/items/PDFB?page=1"


@pytest.mark.parametrize("way", ["search", "search_topic", "search_boolean"])
def test_a_shared_record_is_found_for_every_item_that_has_it(namesakes: Shelf, way: str) -> None:
    with namesakes.searcher() as searcher:
        answer = getattr(searcher, way)("paper", Filters(kinds=("record",)))
    assert [[each.key for each in found.items] for found in answer.papers] == [["A"], ["B"]]
    assert [found.hits[0].link for found in answer.papers] == [
        "zotero://select/library/items/A",
        "zotero://select/library/items/B",
    ]


def test_a_shared_record_of_another_item_passes_no_filter(namesakes: Shelf) -> None:
    with namesakes.searcher() as searcher:
        (found,) = searcher.search("paper", Filters(items=("A",))).papers
    assert [each.key for each in found.items] == ["A"]


def test_a_limit_counts_the_papers_of_a_shared_record_one_by_one(namesakes: Shelf) -> None:
    with namesakes.searcher() as searcher:
        answer = searcher.search("paper", Filters(kinds=("record",)), limit=1)
    assert (len(answer.papers), answer.more) == (1, True)


def test_items_are_one_paper_over_a_third_that_shares_a_pdf_with_each(shelf: Callable[..., Shelf]) -> None:
    index = shelf()
    first, second = paper("Ice", "Ponds freeze."), paper("Snow", "Lakes freeze.")
    index.put([(item("A", "One"), first), (item("B", "Two"), second), (item("C", "Three"), first)])
    with open_writer(index.path, index.manifest) as opened, opened.transaction() as connection:
        connection.execute(
            "INSERT INTO papers (item_id, attachment, path, size, mtime_ns, sha256, state, reason, document_id)"
            " SELECT (SELECT id FROM items WHERE key = 'C'), 'MORE', '', 0, 0, sha256, 'indexed', '', id FROM documents"
            " WHERE sha256 = ?",
            (second.sha256,),
        )
    with index.searcher() as searcher:
        (found,) = searcher.search("freeze").papers
    assert [each.key for each in found.items] == ["A", "B", "C"]
    assert found.title == "One"


def test_a_file_of_a_folder_has_its_path_in_the_folder_and_an_item_of_zotero_has_none(
    shelf: Callable[..., Shelf], tmp_path: Path
) -> None:
    index = shelf()
    folder = LibraryRef(id="folder", name="papers", kind="folder")
    index.put([(item("A", "Ice", folder), paper("Ice", "Ponds freeze.")), (item("B", "Snow"), paper("Snow", "Lakes freeze."))])
    with open_writer(index.path, index.manifest) as opened, opened.transaction() as connection:
        connection.execute("UPDATE items SET source = ?", (str(tmp_path),))
        connection.execute("UPDATE papers SET path = ?", (str(tmp_path / "sub" / "ice.pdf"),))
    with index.searcher() as searcher:
        found = searcher.search("freeze").papers
    assert {each.item.key: each.item.path for each in found} == {"A": "sub/ice.pdf", "B": None}
