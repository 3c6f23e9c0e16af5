"""``variorum library`` as a user calls it: what is printed, what it ends with, and what is said of nonsense."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from library_watch import state_of

from tools.zotero_library import GROUP_NUMBER, MadeLibrary, text_pdf
from tools.zotero_writer import key_of
from variorum.apps.cli.main import main
from variorum.errors import DamagedInputError, InputNotFoundError, PartialFailureError, UsageError

Capture = pytest.CaptureFixture[str]


def lines_of(capsys: Capture, *arguments: str | Path, code: int = 0) -> list[str]:
    assert main(["library", *map(str, arguments)]) == code
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


class TestList:
    def test_a_line_an_item_and_the_sum(self, made: MadeLibrary, capsys: Capture) -> None:
        lines = lines_of(capsys, "list", "--zotero", made.data_dir)
        listed = made.n_roots - made.n_trashed - made.n_feed
        assert lines[0] == "My Library (user)"
        assert f"Table readers (groups/{GROUP_NUMBER})" in lines
        assert f"{made.n_roots} found = {listed} listed + 1 in the trash + 2 left out" in lines
        assert f"{key_of('two pdfs')}  2024  Fontaine & Lindqvist  An article with a supplement  (2 PDFs)" in lines
        assert len([line for line in lines if line[:8].isalnum() and line.endswith(")") and "  " in line]) == listed

    def test_filters_and_what_they_leave(self, made: MadeLibrary, capsys: Capture) -> None:
        lines = lines_of(
            capsys, "list", "--zotero", made.data_dir, "--collection", "Reading/Tables", "--tag", "tables", "--trash"
        )
        left = made.n_roots - 1 - 1 - 2
        assert [line[:8] for line in lines[1:2]] == [key_of("annotated")]
        assert f"{made.n_roots} found = 1 listed + {left} not asked for + 1 in the trash + 2 left out" in lines

    def test_json_holds_everything(self, made: MadeLibrary, capsys: Capture) -> None:
        data = json.loads("\n".join(lines_of(capsys, "list", "--zotero", made.data_dir, "--trash", "--json")))
        assert data["found"] == made.n_roots == len(data["items"]) + len(data["skipped"])
        (annotated,) = [i for i in data["items"] if i["ref"] == f"user/{key_of('annotated')}"]
        assert annotated["collections"][1]["path"] == ["Reading", "Tables", "2024"]
        assert annotated["attachments"][0]["annotations"][0]["page_label"] == "xii"
        assert annotated["date"] == {"raw": "03/2024", "year": 2024, "month": 3, "day": None}

    def test_a_folder_lists_its_files(self, tmp_path: Path, capsys: Capture) -> None:
        (tmp_path / "sub").mkdir()
        (tmp_path / "sub" / "a paper.pdf").write_bytes(text_pdf(["a"]))
        lines = lines_of(capsys, "list", "--folder", tmp_path)
        assert [line[18:] for line in lines[:1]] == ["sub/a paper.pdf"]
        assert lines[-1] == "1 found = 1 listed"

    def test_the_users_own_library_is_the_default(
        self, made: MadeLibrary, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "Zotero").symlink_to(made.data_dir)
        monkeypatch.setenv("HOME", str(tmp_path))
        assert f"{made.n_roots} found" in "\n".join(lines_of(capsys, "list"))

    def test_a_given_base_directory_goes_before_that_of_the_profile(
        self, made: MadeLibrary, capsys: Capture, tmp_path: Path
    ) -> None:
        lines = lines_of(capsys, "list", "--zotero", made.data_dir, "--base-dir", tmp_path, "--title", "below the base")
        assert lines[1].endswith("A linked file below the base  (1 PDF, 1 without a file)")


class TestShow:
    def test_everything_of_an_item(self, made: MadeLibrary, capsys: Capture) -> None:
        lines = lines_of(capsys, "show", f"user/{key_of('annotated')}", "--zotero", made.data_dir)
        text = "\n".join(lines)
        for fact in (
            "Reading tables by vote",
            "The Table Group",
            "03/2024",
            "10.5555/variorum.1",
            "Reading / Tables / 2024",
            "tables, to read",
            "in My Publications",
            "page xiii: “Each divider” the claim",
            "page xii [trash]: “no more”",
            "Votes & reasons.",
            str(made.data_dir / "storage" / key_of("pdf of annotated") / "article.pdf"),
        ):
            assert fact in text

    def test_why_there_is_no_file(self, made: MadeLibrary, capsys: Capture) -> None:
        text = "\n".join(lines_of(capsys, "show", key_of("linked on windows"), "--zotero", made.data_dir))
        assert "no file: its path is one of another operating system: 'C:\\Users\\ada\\papers\\table.pdf'" in text

    def test_json_is_the_item(self, made: MadeLibrary, capsys: Capture) -> None:
        data = json.loads("\n".join(lines_of(capsys, "show", key_of("retracted"), "--zotero", made.data_dir, "--json")))
        assert (data["key"], data["retraction"]) == (key_of("retracted"), "retracted: Error in Data; Unreliable Results")


class TestCheck:
    def test_sums_reasons_and_the_exit_code(self, made: MadeLibrary, capsys: Capture) -> None:
        before = state_of(made.data_dir.parent)
        lines = lines_of(capsys, "check", "--zotero", made.data_dir, code=PartialFailureError.exit_code)
        assert state_of(made.data_dir.parent) == before
        sums = "30 found = 23 readable + 1 without text + 1 encrypted + 2 damaged + 3 without a file"
        assert f"PDFs   {sums}" in lines
        assert lines.index("encrypted:") < lines.index("damaged:") < lines.index("without a file:")
        assert f"  user/{key_of('encrypted')}  A locked file  ({key_of('pdf of encrypted')}): the file is encrypted" in lines

    def test_a_library_without_faults_ends_with_0(self, made: MadeLibrary, capsys: Capture) -> None:
        data = json.loads("\n".join(lines_of(capsys, "check", "--zotero", made.data_dir, "--tag", "tables", "--json")))
        assert data["pdfs"]["found"] == data["pdfs"]["readable"] == 1
        assert data["found"] == data["checked"] + data["not_checked"] + len(data["skipped"])


class TestNonsense:
    @pytest.mark.parametrize(
        ("arguments", "code", "says"),
        [
            (["list", "--zotero", "nowhere"], InputNotFoundError.exit_code, "nowhere: no such folder"),
            (["list", "--zotero", "."], InputNotFoundError.exit_code, "no Zotero library: it holds no zotero.sqlite"),
            (["list", "--folder", "."], InputNotFoundError.exit_code, "no PDF in this folder"),
            (["list"], InputNotFoundError.exit_code, "no Zotero library was found (looked in "),
            (["list", "--zotero", ".", "--folder", "."], UsageError.exit_code, "two places"),
            (["list", "--folder", ".", "--base-dir", "x"], UsageError.exit_code, "no linked files"),
            (["list", "--zotero", ""], UsageError.exit_code, "a path is empty"),
            (["check", "--folder", ".", "--jobs", "0"], UsageError.exit_code, "0 is no number of processes"),
            (["show"], UsageError.exit_code, "Missing argument 'KEY'"),
            (["shwo"], UsageError.exit_code, "did you mean 'show'"),
        ],
    )
    def test_is_one_line_that_says_what_to_try(
        self, arguments: list[str], code: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert main(["library", *arguments]) == code
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert says in err
        assert "To try: " in err

    def test_a_file_that_is_no_database(self, tmp_path: Path, capsys: Capture) -> None:
        (tmp_path / "zotero.sqlite").write_text("nonsense")
        assert main(["library", "list", "--zotero", str(tmp_path)]) == DamagedInputError.exit_code
        assert "not a SQLite database" in capsys.readouterr().err

    def test_an_unknown_collection_is_suggested(self, made: MadeLibrary, capsys: Capture) -> None:
        assert main(["library", "list", "--zotero", str(made.data_dir), "--collection", "Tabels"]) == UsageError.exit_code
        assert "did you mean tables?" in capsys.readouterr().err

    def test_notices_are_on_stderr(self, tmp_path: Path, capsys: Capture) -> None:
        from tools.zotero_writer import ZoteroWriter

        with ZoteroWriter(tmp_path) as writer:
            writer.item("book", "book", fields={"title": "A book"})
        (tmp_path / "better-bibtex.sqlite").write_text("nonsense")
        assert main(["library", "list", "--zotero", str(tmp_path)]) == 0
        out, err = capsys.readouterr()
        assert "A book" in out
        assert err.startswith(f"variorum: warning: {tmp_path}: citation keys of Better BibTeX could not be read")
