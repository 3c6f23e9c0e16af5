"""Bad input, by the real command: one clear line on stderr, the documented exit code, never a traceback, nothing half done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from journey_words import Command, MakePdf, Run


def one_clear_line(run: Run, code: int, *parts: str) -> None:
    """Hold that the call was refused with the code, on one line that says all the parts and what to try."""
    assert run.code == code, run.err
    assert "Traceback" not in run.err + run.out
    assert len(run.err_lines) == 1, run.err
    assert run.err.startswith("variorum: ")
    assert ". To try: " in run.err
    for part in parts:
        assert part in run.err
    assert "bug of variorum" not in run.err


def made_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


class TestInputs:
    def test_missing_file(self, command: Command, tmp_path: Path) -> None:
        one_clear_line(command("extract", "nowhere.pdf"), 3, "nowhere.pdf", "no such file")
        assert made_below(tmp_path) == []

    def test_folder_without_pdfs(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "notes.txt").write_text("no PDF")
        one_clear_line(command("extract", "folder"), 3, "folder", "no PDF")

    def test_not_a_pdf(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / "page.pdf").write_text("<!doctype html><p>Please log in to download")
        one_clear_line(command("extract", "page.pdf"), 4, "page.pdf", "not a PDF")
        assert made_below(tmp_path) == ["page.pdf"]

    def test_empty_file(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / "empty.pdf").write_bytes(b"")
        one_clear_line(command("extract", "empty.pdf"), 4, "empty.pdf", "empty")

    def test_nothing_but_a_header(self, command: Command, tmp_path: Path) -> None:
        (tmp_path / "stub.pdf").write_bytes(b"%PDF-1.7\n")
        run = command("extract", "stub.pdf")
        one_clear_line(run, run.code, "stub.pdf")
        assert run.code in (4, 6)

    @pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
    def test_truncated_pdf_is_read_as_far_as_it_goes_or_refused(
        self, share: float, command: Command, make_pdf: MakePdf, tmp_path: Path
    ) -> None:
        whole = make_pdf("whole.pdf", captions=["Table 1. First.", "Table 2. Second."]).read_bytes()
        (tmp_path / "cut.pdf").write_bytes(whole[: int(len(whole) * share)])
        run = command("extract", "cut.pdf", "--format", "json")
        assert "Traceback" not in run.err + run.out
        if run.code == 0:  # then what was lost is said, on stderr and in the document
            assert "cut.pdf" in run.err
            document = json.loads((tmp_path / "cut.variorum" / "document.json").read_text())
            assert any(notice["severity"] != "info" for notice in document["notices"])
        else:
            one_clear_line(run, run.code, "cut.pdf")
            assert run.code in (4, 6)

    def test_encrypted_without_password(self, command: Command, make_pdf: MakePdf) -> None:
        make_pdf("secret.pdf", password="right")
        one_clear_line(command("extract", "secret.pdf"), 5, "secret.pdf", "encrypted", "--password")

    def test_encrypted_with_the_wrong_password(self, command: Command, make_pdf: MakePdf) -> None:
        make_pdf("secret.pdf", password="right")
        one_clear_line(command("extract", "secret.pdf", "--password", "wrong"), 5, "secret.pdf", "password")

    def test_encrypted_with_the_right_password(self, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf("secret.pdf", password="right")
        run = command("extract", "secret.pdf", "--password", "right", "--format", "csv")
        assert (run.code, run.err) == (0, "")
        assert "Alpha" in (tmp_path / "secret.variorum" / "tables" / "table-1.csv").read_text()

    def test_one_bad_input_of_several_costs_itself_only(self, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf("a.pdf")
        make_pdf("b.pdf")
        (tmp_path / "broken.pdf").write_text("no PDF")
        run = command("extract", "a.pdf", "broken.pdf", "nowhere.pdf", "b.pdf", "--format", "csv", "--json")
        assert run.code == 9
        assert "Traceback" not in run.err
        assert sorted(line.split(":")[1].strip() for line in run.err_lines) == ["broken.pdf", "nowhere.pdf"]
        for name in ("a", "b"):
            assert (tmp_path / f"{name}.variorum" / "tables" / "table-1.csv").is_file()
        assert not (tmp_path / "broken.variorum").exists()
        results = {Path(result["input"]).name: result["error"] for result in json.loads(run.out)}
        assert results.keys() == {"a.pdf", "b.pdf", "broken.pdf", "nowhere.pdf"}
        assert [name for name, error in results.items() if error is None] == ["a.pdf", "b.pdf"]
        assert (results["broken.pdf"]["exit_code"], results["nowhere.pdf"]["exit_code"]) == (4, 3)


class TestPages:
    @pytest.mark.parametrize("ranges", ["2", "1-3", "5-", "1,9", "1-999999999"])
    def test_outside_the_document(self, ranges: str, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf("paper.pdf")
        one_clear_line(command("extract", "paper.pdf", "--pages", ranges), 6, "paper.pdf", "--pages 1")
        assert made_below(tmp_path) == ["paper.pdf"]

    @pytest.mark.parametrize("ranges", ["", "a", "0", "3-1", "1,,2", "1-2-3"])
    def test_malformed(self, ranges: str, command: Command, make_pdf: MakePdf) -> None:
        make_pdf("paper.pdf")
        one_clear_line(command("extract", "paper.pdf", "--pages", ranges), 2, "--pages")
        one_clear_line(command("explain", "paper.pdf", "--table", "1", "--pages", ranges), 2, "--pages")


class TestOptions:
    def test_unknown_option_and_command(self, command: Command) -> None:
        one_clear_line(command("extract", "a.pdf", "--formt", "csv"), 2, "--formt")
        one_clear_line(command("extrakt", "a.pdf"), 2, "extrakt")

    def test_unknown_format(self, command: Command, make_pdf: MakePdf) -> None:
        make_pdf("paper.pdf")
        one_clear_line(command("extract", "paper.pdf", "--format", "md,xlxs"), 2, "--format", "xlxs", "did you mean xlsx")

    def test_unknown_config_name(self, command: Command, make_pdf: MakePdf) -> None:
        make_pdf("paper.pdf")
        one_clear_line(command("extract", "paper.pdf", "--config", "fats"), 7, "fats", "did you mean fast")

    def test_unknown_config_key(self, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf("paper.pdf")
        (tmp_path / "my.toml").write_text('inherit = "default"\n[confidence_multipliers]\nruled_linez = 3.0\n')
        run = command("extract", "paper.pdf", "--config", "my.toml")
        one_clear_line(run, 7, "my.toml: confidence_multipliers.ruled_linez", "did you mean ruled_lines")

    def test_broken_config_file(self, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf("paper.pdf")
        (tmp_path / "my.toml").write_text('inherit = "default"\n\nmax_segments =\n')
        one_clear_line(command("extract", "paper.pdf", "--config", "my.toml"), 7, "my.toml: line 3")

    def test_malformed_regions(self, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf("paper.pdf")
        (tmp_path / "regions.json").write_text('[{"page": 1, "bbox": [72, 160, 402]}]')
        run = command("extract", "paper.pdf", "--regions", "regions.json")
        one_clear_line(run, 2, "regions.json: [0].bbox", "four numbers")

    def test_region_on_a_page_that_is_not_there(self, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf("paper.pdf")
        (tmp_path / "regions.json").write_text('[{"page": 7, "bbox": [72, 160, 402, 232]}]')
        run = command("extract", "paper.pdf", "--regions", "regions.json")
        assert run.code in (2, 6)
        one_clear_line(run, run.code, "7")

    def test_regions_for_several_papers(self, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf("a.pdf")
        make_pdf("b.pdf")
        (tmp_path / "regions.json").write_text('[{"page": 1, "bbox": [72, 160, 402, 232]}]')
        one_clear_line(command("extract", "a.pdf", "b.pdf", "--regions", "regions.json"), 2, "--regions")


class TestOutput:
    @pytest.mark.parametrize("folder", ["file", "file/below", "file/below/deep"])
    def test_folder_that_cannot_be_made(self, folder: str, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf("paper.pdf")
        (tmp_path / "file").write_text("a file, not a folder")
        one_clear_line(command("extract", "paper.pdf", "-o", folder), 8, "file", "-o")
        assert made_below(tmp_path) == ["file", "paper.pdf"]

    def test_file_of_the_user_is_not_written_over(self, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf("paper.pdf")
        (tmp_path / "document.md").write_text("mine")
        one_clear_line(command("extract", "paper.pdf", "-o", "."), 8, "document.md", "not written by variorum")
        assert made_below(tmp_path) == ["document.md", "paper.pdf"]
        assert (tmp_path / "document.md").read_text() == "mine"


class TestExplain:
    def test_ambiguous_number_lists_the_choices(self, command: Command, make_pdf: MakePdf) -> None:
        make_pdf("paper.pdf", captions=["Table 1. First.", "Table 1. Second."])
        run = command("explain", "paper.pdf", "--table", "1")
        one_clear_line(run, 2, "#1", "#2", "First", "Second")

    def test_table_or_divider_that_is_not_there(self, command: Command, make_pdf: MakePdf) -> None:
        make_pdf("paper.pdf")
        assert command("extract", "paper.pdf", "-o", "out", "--format", "json").code == 0
        for table in ("7", "#7", "", "nonsense"):
            one_clear_line(command("explain", "out/document.json", "--table", table), 2, "no table", "#1")
        run = command("explain", "out/document.json", "--table", "1", "--divider", "c99")
        one_clear_line(run, 2, "c99", "c1")

    def test_page_that_was_not_read_is_named(self, command: Command, make_pdf: MakePdf) -> None:
        make_pdf("paper.pdf", captions=["Table 1. First.", "Table 2. Second."])
        run = command("explain", "paper.pdf", "--table", "2", "--pages", "1", "--config", "fast")
        one_clear_line(run, 2, "no table '2' on page 1 of 2", "or other pages")

    def test_missing_file(self, command: Command) -> None:
        one_clear_line(command("explain", "nowhere.pdf", "--table", "1"), 3, "nowhere.pdf")
        one_clear_line(command("explain", "nowhere.json", "--table", "1"), 3, "nowhere.json")

    @pytest.mark.parametrize("text", ["", "{}", "[]", "no JSON", '{"schema_version": "99.0"}'])
    def test_document_that_is_none(self, text: str, command: Command, tmp_path: Path) -> None:
        (tmp_path / "document.json").write_text(text)
        one_clear_line(command("explain", "document.json", "--table", "1"), 4, "document.json")

    def test_document_with_a_fault_is_refused_with_the_path(self, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf("paper.pdf")
        assert command("extract", "paper.pdf", "--format", "json").code == 0
        path = tmp_path / "paper.variorum" / "document.json"
        path.write_text(path.read_text().replace('"n_rows": ', '"n_rowz": ', 1))
        one_clear_line(command("explain", path, "--table", "1"), 4, "n_rowz")


class TestRegionsAndScans:
    def test_region_without_a_table_is_said(self, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf()
        (tmp_path / "r.json").write_text('[{"page": 1, "bbox": [400, 700, 420, 720]}]')
        run = command("extract", "paper.pdf", "--regions", "r.json", "--format", "json")
        assert run.code == 0
        assert run.err_lines == ["variorum: warning: paper.pdf page 1: no table was read in the region [400, 700, 420, 720]"]

    def test_pages_choose_among_the_regions(self, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        make_pdf(captions=["Table 1. First.", "Table 2. Second."])
        box = [60, 140, 520, 400]
        (tmp_path / "r.json").write_text(json.dumps([{"page": 1, "bbox": box}, {"page": 2, "bbox": box}]))
        call = ("extract", "paper.pdf", "--regions", "r.json", "--format", "json", "--config", "fast", "--json")
        (paper,) = json.loads(command(*call, "--pages", "2").out)
        assert [table["page"] for table in paper["tables"]] == [2]
        (tmp_path / "r.json").write_text(json.dumps([{"page": 1, "bbox": box}]))
        one_clear_line(command(*call[:-1], "--pages", "2"), 2, "no region is on the pages asked for")
        one_clear_line(command(*call[:-1], "--pages", "9"), 6, "page 9 is outside")

    def test_page_of_a_scan_is_said_to_have_no_text(self, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
        import pymupdf

        with pymupdf.open(make_pdf()) as pdf, pymupdf.open() as scan:
            page = scan.new_page()
            page.insert_image(page.rect, pixmap=pdf[0].get_pixmap())
            scan.save(tmp_path / "scan.pdf")
        run = command("extract", "scan.pdf", "--format", "json")
        assert run.code == 0
        assert len(run.err_lines) == 1
        assert "page 1: the page has images and no text" in run.err

    def test_explain_of_a_result_folder_names_the_document(self, command: Command, make_pdf: MakePdf) -> None:
        make_pdf()
        assert command("extract", "paper.pdf", "--format", "json", "--config", "fast").code == 0
        one_clear_line(command("explain", "paper.variorum", "-t", "1"), 3, str(Path("paper.variorum/document.json")))
