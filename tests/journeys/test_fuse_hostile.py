"""Claims about ``variorum fuse`` and sources made to do harm: refused in one line, nothing outside the folder is touched."""

from __future__ import annotations

import io
import json
import re
import tarfile
import zipfile
from pathlib import Path

import pytest
from docling_json import stored, text
from journey_words import Command
from latex_samples import write as write_latex
from latexml_html import page, paragraph, section

from variorum.errors import DamagedInputError, DifferentPapersError, InputNotFoundError, OutputError, SchemaError

GULLS = "Gulls follow the tides along the northern coast, and we counted them on four islands over two summers."
WALKS = "Each island was walked twice a day by two people, at dawn and at dusk, in an order that was drawn by lot."
SHIPS = "Freight rates rose in the third quarter because insurers left the market after the closure of two canals."
PORTS = "We estimate demand for berths from customs records with a model of queues at eleven container terminals."
ATTACK = "<script>document.title='taken'</script><img src=x onerror=alert(1)>"


def html(folder: Path, *texts: str, name: str = "paper.html") -> Path:
    path = folder / name
    path.write_text(page(section("Introduction", "".join(map(paragraph, texts)), number="1")), encoding="utf-8")
    return path


def latex(folder: Path, *texts: str, preamble: str = "") -> Path:
    where = folder / "tex"
    where.mkdir(exist_ok=True)
    return write_latex(where, "\n\n".join(("\\section{Introduction}", *texts)), preamble=preamble)


def docling(folder: Path, *texts: str) -> Path:
    path = folder / "paper.json"
    items = [text("section_header", "1 Introduction", level=1), *(text("text", words) for words in texts)]
    path.write_text(json.dumps(stored(*items)), encoding="utf-8")
    return path


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


# ---- sources --------------------------------------------------------------------------------------------------------


def reaching_out(folder: Path) -> Path:
    return latex(folder, GULLS, "\\input{/etc/passwd}")


def reaching_up(folder: Path) -> Path:
    (folder / "secret.tex").write_text("hidden words")
    return latex(folder, GULLS, "\\input{../secret}")


def without_end(folder: Path) -> Path:
    return latex(folder, GULLS, "\\x", preamble="\\def\\x{\\x\\x}")


def linking_archive(folder: Path) -> Path:
    path = folder / "source.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        link = tarfile.TarInfo("main.tex")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return path


def climbing_archive(folder: Path) -> Path:
    path = folder / "source.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        member = tarfile.TarInfo("../../outside.tex")
        member.size = 4
        archive.addfile(member, io.BytesIO(b"text"))
    return path


def growing_archive(folder: Path) -> Path:
    path = folder / "source.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("main.tex", b"\\documentclass{article}" + b" " * 200_000_000)
    return path


LATEX = [reaching_out, reaching_up, without_end, linking_archive, climbing_archive, growing_archive]


@pytest.mark.parametrize("make", LATEX, ids=lambda make: make.__name__)
def test_latex_made_to_do_harm_is_refused_in_one_line(command: Command, tmp_path: Path, make: object) -> None:
    given = make(tmp_path)  # type: ignore[operator]
    before = tree(tmp_path)
    run = command("fuse", "--latex", given, "--ar5iv", html(tmp_path, GULLS, WALKS), "-o", tmp_path / "out", "--quiet")
    assert run.code == DamagedInputError.exit_code
    assert len(run.err_lines) == 1
    assert "To try:" in run.err
    assert "root:" not in run.err
    assert not (tmp_path / "out").exists()
    assert {name: data for name, data in tree(tmp_path).items() if name != "paper.html"} == before


EMPTY = {
    "ar5iv": [("paper.html", b""), ("paper.html", b"<html><body></body></html>"), ("paper.html", b"\n \n")],
    "latex": [
        ("main.tex", b""),
        ("main.tex", b"\\documentclass{article}\\begin{document}\\end{document}"),
        ("source.zip", b"PK\x05\x06" + bytes(18)),
    ],
    "docling": [("paper.json", b""), ("paper.json", b"{}"), ("paper.json", json.dumps(stored()).encode())],
    "pdf": [("paper.pdf", b""), ("paper.pdf", b"%PDF-1.7\n%%EOF")],
}


@pytest.mark.parametrize(
    ("kind", "name", "data"), [(k, n, d) for k, given in EMPTY.items() for n, d in given], ids=lambda v: str(v)[:24]
)
def test_an_empty_source_is_refused_by_name(command: Command, tmp_path: Path, kind: str, name: str, data: bytes) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    (folder / name).write_bytes(data)
    other = ("--ar5iv", html(tmp_path, GULLS)) if kind != "ar5iv" else ("--latex", latex(tmp_path, GULLS))
    run = command("fuse", f"--{kind}", folder / name, *other, "-o", tmp_path / "out", "--quiet")
    assert run.code in (DamagedInputError.exit_code, SchemaError.exit_code)
    assert name in run.err
    assert len(run.err_lines) == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_without_tex_is_refused(command: Command, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    run = command("fuse", "--latex", tmp_path / "nothing", "--ar5iv", html(tmp_path, GULLS), "--quiet")
    assert run.code in (DamagedInputError.exit_code, InputNotFoundError.exit_code)
    assert len(run.err_lines) == 1


@pytest.mark.parametrize(
    "data",
    ['{"schema_name": "DoclingDocument"}', "[]", '{"schema_name": "DoclingDocument", "version": "1.0", "texts": {}}', "nul"],
)
def test_json_of_the_wrong_shape_is_refused_with_its_place(command: Command, tmp_path: Path, data: str) -> None:
    (tmp_path / "wrong.json").write_text(data)
    run = command("fuse", "--docling", tmp_path / "wrong.json", "--ar5iv", html(tmp_path, GULLS), "--quiet")
    assert run.code == SchemaError.exit_code
    assert "wrong.json" in run.err
    assert len(run.err_lines) == 1


def test_a_failed_conversion_is_refused(command: Command, tmp_path: Path) -> None:
    (tmp_path / "paper.log").write_text("Status:conversion:3\n")
    run = command("fuse", "--ar5iv", html(tmp_path, GULLS), "--latex", latex(tmp_path, GULLS), "--quiet")
    assert run.code == DamagedInputError.exit_code
    assert "failed" in run.err


def test_a_source_of_another_paper_is_refused_unless_forced(command: Command, tmp_path: Path) -> None:
    call = ("fuse", "--ar5iv", html(tmp_path, GULLS, WALKS), "--latex", latex(tmp_path, GULLS, WALKS))
    call = (*call, "--docling", docling(tmp_path, SHIPS, PORTS), "-o", tmp_path / "out", "--quiet")
    run = command(*call)
    assert run.code == DifferentPapersError.exit_code
    assert "docling" in run.err
    assert "--force" in run.err
    assert not (tmp_path / "out").exists()
    forced = command(*call, "--force")
    assert forced.code == 0, forced.err
    assert (tmp_path / "out" / "document.json").is_file()


# ---- the folder of the results --------------------------------------------------------------------------------------


def fused(command: Command, folder: Path, *more: str | Path) -> tuple[int, str]:
    run = command("fuse", "--ar5iv", html(folder, GULLS), "--latex", latex(folder, GULLS), "--quiet", *more)
    return run.code, run.err


def test_nothing_outside_the_folder_is_written(command: Command, tmp_path: Path) -> None:
    (tmp_path / "beside.txt").write_text("mine")
    before = tree(tmp_path)
    assert fused(command, tmp_path, "-o", tmp_path / "out") == (0, "")
    after = {name: data for name, data in tree(tmp_path).items() if not name.startswith("out/")}
    assert {**before, "paper.html": after["paper.html"], "tex/main.tex": after["tex/main.tex"]} == after


@pytest.mark.parametrize("name", ["readings", "tables"])
def test_a_folder_that_is_a_link_is_not_written_through(command: Command, tmp_path: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).symlink_to(elsewhere)
    table = "\\begin{table}\\caption{Gulls.}\\begin{tabular}{ll} a & b \\\\ 1 & 2 \\end{tabular}\\end{table}"
    run = command("fuse", "--latex", latex(tmp_path, GULLS, table), "-o", tmp_path / "out", "--quiet")
    assert run.code == OutputError.exit_code
    assert "is a link" in run.err
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("name", ["report.html", "document.json", "audit.jsonl", "fusion.json"])
def test_a_file_that_is_a_link_is_not_written_through(command: Command, tmp_path: Path, name: str) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).symlink_to(mine)
    code, err = fused(command, tmp_path, "-o", tmp_path / "out")
    assert code == OutputError.exit_code
    assert name in err
    assert mine.read_text() == "mine"
    assert list((tmp_path / "out").iterdir()) == [tmp_path / "out" / name]


def test_a_dangling_link_is_not_replaced(command: Command, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "report.html").symlink_to(tmp_path / "later.html")
    code, _ = fused(command, tmp_path, "-o", tmp_path / "out")
    assert code == OutputError.exit_code
    assert (tmp_path / "out" / "report.html").is_symlink()
    assert not (tmp_path / "later.html").exists()


# ---- what is written ------------------------------------------------------------------------------------------------


def test_no_source_becomes_mark_up_of_the_report(command: Command, tmp_path: Path) -> None:
    written = ATTACK.replace("<", "&lt;")
    sources = ("--ar5iv", html(tmp_path, f"{GULLS} {written}", name="<img src=x onerror=alert(1)>.html"))
    sources = (*sources, "--latex", latex(tmp_path, f"{GULLS} {ATTACK}"))
    sources = (*sources, "--docling", docling(tmp_path, f"{GULLS} {ATTACK}"))
    run = command("fuse", *sources, "-o", tmp_path / "out", "--quiet")
    assert run.code == 0, run.err
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert report.count("<script") == report.count("</script>") == 2
    assert "<img" not in report
    assert not re.search(r"\son\w+\s*=", re.sub(r"<script.*?</script>|&lt;.*?&gt;", "", report, flags=re.DOTALL))
    whole = (tmp_path / "out" / "document.html").read_text(encoding="utf-8")
    assert "<script" not in whole
    assert "<img" not in whole


def test_scripts_of_a_page_are_no_text_of_the_fusion(command: Command, tmp_path: Path) -> None:
    given = html(tmp_path, f"{GULLS} <script>stolen()</script><style>p {{ color: red }}</style>")
    run = command("fuse", "--ar5iv", given, "--latex", latex(tmp_path, GULLS), "-o", tmp_path / "out", "--quiet")
    assert run.code == 0, run.err
    assert all(b"stolen" not in data for data in tree(tmp_path / "out").values())
