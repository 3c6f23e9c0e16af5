"""Claims about which PDFs a call reads, and that no result is written over another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from variorum.apps.inputs import find_inputs
from variorum.apps.naming import output_folders, table_stems
from variorum.apps.output_folder import OutputFolder
from variorum.document import Document, Provenance, Table
from variorum.errors import InputNotFoundError


def pdf(path: Path, content: str = "%PDF-1.7") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def table(index: int, number: str | None, page_num: int) -> Table:
    provenance = Provenance(source="pdf", method="consensus:rawdict", page_num=page_num)
    return Table(id=f"t{index}", n_rows=0, n_cols=0, cells=(), provenance=provenance, number=number)


def document(*tables: Table) -> Document:
    return Document(key="K", source_name="a.pdf", sha256="0" * 64, page_count=9, pages=(), tables=tables)


class TestFindInputs:
    def test_folder_stands_for_its_pdfs_in_order(self, tmp_path: Path) -> None:
        wanted = [pdf(tmp_path / name) for name in ("a.pdf", "b.PDF", "sub/c.pdf")]
        for other in ("notes.txt", ".hidden.pdf", ".git/d.pdf", "a.variorum/e.pdf"):
            pdf(tmp_path / other)
        inputs, errors = find_inputs([tmp_path])
        assert [item.path for item in inputs] == wanted
        assert errors == []

    def test_file_is_taken_whatever_its_ending(self, tmp_path: Path) -> None:
        inputs, _ = find_inputs([pdf(tmp_path / "paper")])
        assert [item.path.name for item in inputs] == ["paper"]

    def test_file_named_twice_is_read_once(self, tmp_path: Path) -> None:
        path = pdf(tmp_path / "a.pdf")
        os.symlink(path, tmp_path / "link.pdf")
        inputs, _ = find_inputs([path, tmp_path, tmp_path / "link.pdf"])
        assert [item.path for item in inputs] == [path]

    def test_missing_file_costs_itself_only(self, tmp_path: Path) -> None:
        path = pdf(tmp_path / "a.pdf")
        inputs, errors = find_inputs([tmp_path / "none.pdf", path])
        assert [item.path for item in inputs] == [path]
        assert [type(error) for error in errors] == [InputNotFoundError]

    def test_folder_without_pdf_is_an_error(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        inputs, errors = find_inputs([tmp_path / "empty"])
        assert inputs == []
        assert [error.where for error in errors] == [str(tmp_path / "empty")]

    def test_pipe_is_refused_and_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.pdf")
        _, errors = find_inputs([tmp_path / "pipe.pdf"])
        assert "regular file" in errors[0].what


class TestOutputFolders:
    def test_default_is_named_after_the_paper_in_the_current_folder(self) -> None:
        assert output_folders([(Path("papers/a.pdf"), "1" * 64)], None) == [Path("a.variorum")]

    def test_one_input_goes_to_the_folder_itself(self) -> None:
        assert output_folders([(Path("papers/a.pdf"), "1" * 64)], Path("out")) == [Path("out")]

    def test_several_inputs_get_a_folder_each_below_it(self) -> None:
        inputs = [(Path("a.pdf"), "1" * 64), (Path("b.pdf"), "2" * 64)]
        assert output_folders(inputs, Path("out")) == [Path("out/a.variorum"), Path("out/b.variorum")]

    def test_inputs_of_one_name_get_their_keys(self) -> None:
        inputs = [(Path("x/Paper.pdf"), "1" * 64), (Path("storage/ABCD2345/paper.pdf"), "2" * 64)]
        assert output_folders(inputs, None) == [Path("Paper-11111111.variorum"), Path("paper-ABCD2345.variorum")]

    def test_copies_of_one_file_get_a_counter(self) -> None:
        inputs = [(Path("x/a.pdf"), "1" * 64), (Path("y/a.pdf"), "1" * 64)]
        assert output_folders(inputs, None) == [Path("a-11111111.variorum"), Path("a-11111111-2.variorum")]

    def test_results_of_another_paper_are_not_written_over(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        OutputFolder(Path("a.variorum")).write({"document.md": b"x"}, source_sha256="1" * 64, table_stems=())
        assert output_folders([(Path("x/a.pdf"), "1" * 64)], None) == [Path("a.variorum")]
        assert output_folders([(Path("y/a.pdf"), "2" * 64)], None) == [Path("a-22222222.variorum")]


class TestTableStems:
    def test_printed_number_or_page_and_place(self) -> None:
        paper = document(table(1, "1", 2), table(2, None, 2), table(3, "A.1", 3), table(4, None, 3), table(5, None, 3))
        assert table_stems(paper) == ["table-1", "table-p2-1", "table-A.1", "table-p3-1", "table-p3-2"]

    def test_number_printed_twice_gets_the_page_then_a_counter(self) -> None:
        paper = document(table(1, "1", 2), table(2, "1", 3), table(3, "1", 3))
        assert table_stems(paper) == ["table-1-p2", "table-1-p3", "table-1-p3-2"]

    def test_names_differ_where_capitals_do_not_count(self) -> None:
        stems = table_stems(document(table(1, "a1", 2), table(2, "A1", 3)))
        assert len({stem.casefold() for stem in stems}) == 2

    @pytest.mark.parametrize("number", ["../../etc", "a/b", "a\\b", "..", "-", "\0", " "])
    def test_no_number_leads_out_of_the_folder(self, number: str) -> None:
        (stem,) = table_stems(document(table(1, number, 2)))
        assert stem.startswith("table-")
        assert not set(stem) & set("/\\\0 ")
