"""The files that a reading proposes: one a table, one a caption without its table, none for what is no table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.document.document_samples import caption, document_of, provenance, spanned_table, table_of
from variorum.document import Document, Provenance, TablePart, TextComponent
from variorum.evaluation.ground_truth import TruthTable
from variorum.evaluation.truth_text import TruthPlace, read_truth_text
from variorum.evaluation.truth_workbench import index_text, name_of_paper, workbench_files
from variorum.geometry import Box

KEY = "b9b73969"


def numbered(number: str | None, page: int = 7, **fields: Any) -> Any:
    table_id = f"{KEY}_table_{number}" if number else f"{KEY}_orphan_p{page}_t0"
    text = None if number is None else caption(f"Table {number}. Outcomes", number, page)
    own = {"id": table_id, "number": number, "caption": text, "provenance": provenance(page), **fields}
    return spanned_table(**own)


def document(*tables: Any, components: tuple[TextComponent, ...] = ()) -> Document:
    return replace(document_of(*tables), key=KEY, components=components)


def lone_caption(text: str, number: str, page: int = 9) -> TextComponent:
    return TextComponent(id=f"cap-{number}", kind="caption", text=text, number=number, provenance=provenance(page))


def test_each_table_is_a_file_that_reads_as_the_table_unchecked() -> None:
    table = numbered("2")
    (file,) = workbench_files(document(table), "smith-2020")
    found = read_truth_text(file.text, file.name)
    assert found.table == replace(TruthTable.from_reading(table), paper="smith-2020")
    assert (file.name, found.table.number, found.is_checked) == ("table-2.truth.txt", "2", False)
    assert "page-7.png" in file.text


def test_a_caption_without_its_table_is_a_file_to_write() -> None:
    captions = (lone_caption("Table 4. Costs", "4"), lone_caption("Figure 1. A map", "1"))
    first, second = workbench_files(document(numbered("2"), components=captions), "p")
    assert (first.name, second.name) == ("table-2.truth.txt", "table-4.truth.txt")
    assert (second.truth.table.caption, second.truth.table.page, second.truth.table.bbox) == ("Table 4. Costs", 9, None)
    assert "No table was found for this caption" in second.text


def test_what_is_no_table_has_no_file_and_is_named_in_the_index() -> None:
    contents = numbered(None, 1, artifact="contents_list")
    made = document(contents, numbered("2"))
    files = workbench_files(made, "p")
    assert [file.name for file in files] == ["table-2.truth.txt"]
    assert "orphan\\_p1\\_t0 on page 1, which is no data of the paper (contents list)" in index_text(
        made, files, "p.truth", "p.pdf"
    )


def test_names_of_files_never_meet() -> None:
    tables = (numbered("a"), numbered("A", 8), numbered("S/1"), numbered(None, 3))
    names = [file.name for file in workbench_files(document(*tables), "p")]
    assert names == ["orphan-p3-t0.truth.txt", "table-a.truth.txt", "table-S-1.truth.txt", "table-A-2.truth.txt"]


def test_a_table_that_goes_on_names_its_other_places() -> None:
    parts = tuple(
        TablePart(id=f"{KEY}_table_2_p{page}", page_num=page, bbox=Box(1, 2, 3, page), first_row=row, n_rows=2, method="m")
        for row, page in ((0, 7), (2, 8))
    )
    (file,) = workbench_files(document(numbered("2", parts=parts)), "p")
    assert read_truth_text(file.text, file.name).continues == (TruthPlace(8, Box(1, 2, 3, 8)),)
    assert "page-7.png and page-8.png" in file.text


def test_a_table_without_a_place_is_written_all_the_same() -> None:
    table = table_of([["a"]], id="t", provenance=Provenance(source="latex", method="m"))
    (file,) = workbench_files(document(table), "p")
    assert read_truth_text(file.text, file.name).table.rows == (("a",),)


def test_the_index_lists_files_and_commands() -> None:
    made = document(numbered("2", caption=caption("Table 2. Share of a | b")))
    text = index_text(made, workbench_files(made, "p"), "'my papers/p.truth'", "p.pdf")
    assert "| [table-2.truth.txt](table-2.truth.txt) | [page-7.png](page-7.png) | 5 × 3 | Table 2. Share of a \\| b |" in text
    assert "variorum truth check 'my papers/p.truth' --pdf p.pdf" in text


def test_a_paper_is_called_by_its_zotero_key_its_file_or_its_folder() -> None:
    assert name_of_paper(Path("/zotero/storage/5SIZVS65/Smith 2020.pdf"), "5SIZVS65") == "5SIZVS65"
    assert name_of_paper(Path("/papers/smith-2020.pdf"), KEY) == "smith-2020"
    assert name_of_paper(Path("/papers/smith-2020/paper.pdf"), KEY) == "smith-2020"
