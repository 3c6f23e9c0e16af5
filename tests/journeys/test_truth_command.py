"""``variorum truth`` as a person uses it: write files, mend them, check them, use them as truth."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from journey_words import Command, MakePdf


def test_a_paper_becomes_a_truth_in_minutes(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("smith.pdf")
    new = command("truth", "new", "smith.pdf")
    assert new.code == 0, new.err
    folder = tmp_path / "smith.truth"
    assert sorted(file.name for file in folder.iterdir()) == ["index.md", "page-1.png", "table-1.truth.txt"]
    assert (folder / "page-1.png").read_bytes().startswith(b"\x89PNG")

    unchecked = command("truth", "check", "smith.truth")
    assert (unchecked.code, unchecked.out.splitlines()[0].partition(".")[0]) == (9, "not checked yet: table-1")
    assert "1 compared with the words of the page" in unchecked.out, "the PDF beside the folder is found"
    refused = command("extract", "smith.pdf", "--debug-db", "debug.db", "--truth", "smith.truth")
    assert (refused.code, "no table is checked yet" in refused.err) == (2, True)

    file = folder / "table-1.truth.txt"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("checked:  no", "checked:  yes"), encoding="utf-8")
    done = command("truth", "check", "smith.truth")
    assert (done.code, done.out.strip().rpartition(", ")[2]) == (0, "nothing left to do")
    read = command("extract", "smith.pdf", "--debug-db", "debug.db", "--truth", "smith.truth")
    assert read.code == 0, read.err
    with sqlite3.connect(tmp_path / "debug.db") as database:
        assert database.execute("SELECT is_perfect FROM ground_truth_diffs").fetchall() == [(1,)]


def test_what_was_edited_is_never_written_over(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("smith.pdf")
    command("truth", "new", "smith.pdf", "-o", "truth")
    again = command("truth", "new", "smith.pdf", "-o", "truth")
    assert again.code == 0, "the same files may be written again"
    file = tmp_path / "truth" / "table-1.truth.txt"
    mended = file.read_text(encoding="utf-8").replace("checked:  no", "checked:  yes")
    file.write_text(mended, encoding="utf-8")
    refused = command("truth", "new", "smith.pdf", "-o", "truth")
    assert (refused.code, "table-1.truth.txt" in refused.err, "--force" in refused.err) == (8, True, True)
    assert file.read_text(encoding="utf-8") == mended
    (tmp_path / "truth" / "mine.truth.txt").write_text(mended, encoding="utf-8")
    forced = command("truth", "new", "smith.pdf", "-o", "truth", "--force")
    assert (forced.code, "also holds mine.truth.txt" in forced.err) == (0, True)
    assert "checked:  no" in file.read_text(encoding="utf-8")


def test_findings_are_json_where_asked(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("smith.pdf")
    command("truth", "new", "smith.pdf", "--pages", "1", "--paper", "Smith 2020")
    file = tmp_path / "smith.truth" / "table-1.truth.txt"
    text = file.read_text(encoding="utf-8")
    assert "paper:    Smith 2020" in text
    file.write_text(text + "| one cell |\n", encoding="utf-8")
    found = command("truth", "check", file, "--json")
    assert found.code == 9
    (finding,) = json.loads(found.out)["findings"]
    assert (finding["kind"], finding["line"]) == ("form", text.count("\n") + 1)


def test_nonsense_is_refused_in_one_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "no.pdf").write_text("no", encoding="utf-8")
    for arguments, code in (
        (("truth", "new", "gone.pdf"), 3),
        (("truth", "new", "no.pdf"), 4),
        (("truth", "check", "gone"), 3),
        (("truth", "check", "empty"), 3),
        (("truth", "check", "no.pdf"), 2),
        (("truth", "chek", "empty"), 2),
    ):
        run = command(*arguments)
        assert (run.code, run.err.count("\n"), "Traceback" in run.err) == (code, 1, False), arguments
