"""Hostile LaTeX: nothing outside the source is read, everything comes to an end, and each fault is an error of the family."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.sources.latex_samples import read, tar, texts, write
from variorum.errors import DamagedInputError, InputNotFoundError, VariorumError
from variorum.sources import latex_files, latex_macros
from variorum.sources.latex import read_latex

MAIN = b"\\documentclass{article}\\begin{document}Plain text of a paper.\\end{document}"


def refusal(path: Path) -> str:
    """Return the message with which a source is refused; it says where and what to try."""
    with pytest.raises(DamagedInputError) as caught:
        read_latex(path)
    assert caught.value.where
    assert caught.value.hint
    return caught.value.what


@pytest.mark.parametrize(
    "asked",
    ["/etc/passwd", "../secret", "../../etc/passwd", "sub/../../secret", "~/secret", "|ls", "C:/secret", "..\\secret"],
)
@pytest.mark.parametrize("command", ["\\input{%s}", "\\include{%s}", "\\subfile{%s}", "\\input %s ", "\\bibliography{%s}"])
def test_files_outside_the_source_are_refused(tmp_path: Path, asked: str, command: str) -> None:
    (tmp_path / "secret.tex").write_text("the secret", encoding="utf-8")
    (tmp_path / "secret.bib").write_text("@misc{a, title={the secret}}", encoding="utf-8")
    inside = tmp_path / "paper"
    inside.mkdir()
    path = write(inside, "Text. \\cite{a} " + command.replace("%s", asked))
    assert "outside the source" in refusal(path)


def test_symbolic_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("the secret", encoding="utf-8")
    inside = tmp_path / "paper"
    inside.mkdir()
    (inside / "linked.tex").symlink_to(tmp_path / "secret.tex")
    (inside / "folder").symlink_to(tmp_path)
    assert "link" in refusal(write(inside, "Text. \\input{linked}"))
    assert "link" in refusal(write(inside, "Text. \\input{folder/secret}"))


def test_a_folder_does_not_take_a_link_for_its_main_file(tmp_path: Path) -> None:
    inside = tmp_path / "paper"
    inside.mkdir()
    (tmp_path / "outside.tex").write_bytes(MAIN)
    (inside / "main.tex").symlink_to(tmp_path / "outside.tex")
    assert "no LaTeX document" in refusal(inside)


@pytest.mark.parametrize("name", ["/etc/main.tex", "../main.tex", "a/../../main.tex", "..\\main.tex", "C:\\main.tex"])
def test_members_that_lead_out_of_an_archive_are_refused(tmp_path: Path, name: str) -> None:
    path = tar(tmp_path / "s.tar.gz", [(tarfile.TarInfo("main.tex"), MAIN), (tarfile.TarInfo(name), MAIN)])
    assert "refused" in refusal(path)
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        archive.writestr("main.tex", MAIN)
        archive.writestr(name, MAIN)
    assert "refused" in refusal(tmp_path / "s.zip")


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_archives_are_refused(tmp_path: Path, kind: bytes) -> None:
    special = tarfile.TarInfo("notes.tex")
    special.type = kind
    special.linkname = "/etc/passwd"
    assert "refused" in refusal(tar(tmp_path / "s.tar.gz", [(tarfile.TarInfo("main.tex"), MAIN), (special, b"")]))


def test_links_in_zip_archives_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        archive.writestr("main.tex", MAIN)
        link = zipfile.ZipInfo("linked.tex")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert "link" in refusal(tmp_path / "s.zip")


def test_archives_that_unpack_to_too_much_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latex_files, "SOURCE_TEXT_BYTES", 10_000)
    monkeypatch.setattr(latex_files, "SOURCE_BYTES", 100_000)
    much = b"a" * 20_000
    path = tar(tmp_path / "s.tar.gz", [(tarfile.TarInfo("main.tex"), MAIN), (tarfile.TarInfo("b.tex"), much)])
    assert "too large" in refusal(path)
    assert "too large" in refusal(tar(tmp_path / "p.tar.gz", [(tarfile.TarInfo("p.png"), much * 10)]))
    with zipfile.ZipFile(tmp_path / "s.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("main.tex", MAIN)
        archive.writestr("b.tex", much)
    assert "too large" in refusal(tmp_path / "s.zip")
    (tmp_path / "s.gz").write_bytes(gzip.compress(MAIN + much))
    assert "too large" in refusal(tmp_path / "s.gz")


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latex_files, "SOURCE_FILES", 3)
    members = [(tarfile.TarInfo(f"f{i}.tex"), MAIN) for i in range(5)]
    assert "too large" in refusal(tar(tmp_path / "s.tar.gz", members))
    folder = tmp_path / "folder"
    folder.mkdir()
    for i in range(5):
        (folder / f"f{i}.tex").write_bytes(MAIN)
    assert "too large" in refusal(folder)


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    whole = tar(tmp_path / "w.tar.gz", [(tarfile.TarInfo("main.tex"), MAIN * 100)]).read_bytes()
    for cut in (len(whole) // 2, len(whole) - 4):
        (tmp_path / "cut.tar.gz").write_bytes(whole[:cut])
        with pytest.raises(VariorumError):
            read_latex(tmp_path / "cut.tar.gz")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("main.tex", MAIN)
    (tmp_path / "cut.zip").write_bytes(buffer.getvalue()[:40])
    with pytest.raises(VariorumError):
        read_latex(tmp_path / "cut.zip")


@pytest.mark.parametrize(
    "preamble",
    [
        "\\def\\a{\\a}",
        "\\def\\a{\\a\\a}",
        "\\def\\a{x\\b}\\def\\b{y\\a}",
        "\\newcommand{\\a}[1]{\\a{#1#1}}",
        "\\def\\a{\\b\\b\\b\\b\\b\\b\\b\\b\\b\\b}"
        + "".join("\\def\\" + x + "{" + ("\\" + y) * 10 + "}" for x, y in zip("bcdefghi", "cdefghij", strict=True))
        + "\\def\\j{xxxxxxxxxx}",
        "\\newenvironment{loop}{\\begin{loop}}{\\end{loop}}\\def\\a{\\begin{loop}}",
        "\\def\\a{\\csname a\\endcsname}",
        "\\let\\b\\emph\\def\\a#1{\\a{\\b{#1}}}",
    ],
)
def test_macros_without_end_are_refused(tmp_path: Path, preamble: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latex_macros, "MACRO_TOKENS", 100_000)
    path = write(tmp_path, "Text. \\a{z} More.", preamble=preamble)
    assert "do not come to an end" in refusal(path) or "deep" in refusal(path)


def test_files_that_ask_for_themselves_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b.tex").write_text("Text \\input{b} \\input{b}", encoding="utf-8")
    assert "deep" in refusal(write(tmp_path, "\\input{b}"))


@pytest.mark.parametrize("piece", ["{", "\\begin{center}", "\\begin{a}", "\\textbf{", "\\begin{tabular}{c}", "$\\text{"])
def test_depth_is_limited(tmp_path: Path, piece: str) -> None:
    assert "deep" in refusal(write(tmp_path, "Text. " + piece * 100_000))


@pytest.mark.parametrize(
    "piece", ["}", "\\end{center}", "$", "\\]", "\\fi", "\\else", "]", "&", "\\\\", "\\item ", "\\caption", "[", "#1"]
)
def test_what_is_never_opened_is_let_be(tmp_path: Path, piece: str) -> None:
    assert texts(read(tmp_path, "Text.\n\n" + piece * 1_000 + "\n\nMore."), "paragraph")[0] == "Text."


def test_wrong_numbers_in_tables_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "\\begin{tabular}{c}\\multicolumn{99999}{c}{a}\\\\" + "b\\\\" * 100 + "\\end{tabular}")
    assert "limit" in refusal(path)
    document = read(tmp_path, "\\begin{tabular}{*{999999999}{c}}a&b\\\\c&\\multirow{99999999999}{*}{d}\\end{tabular}")
    assert [c.text for c in document.tables[0].cells] == ["a", "b", "c", "d"]


def test_nul_and_control_signs_are_left_out(tmp_path: Path) -> None:
    path = write(tmp_path, "One\0 two\x01verb\x01 three \ue0007\ue001 four.")
    document = read_latex(path)
    assert texts(document, "paragraph") == ["One twoverb three 7 four."]
    assert any("NUL" in n.what for n in document.notices)


def test_other_encodings_are_read_and_named(tmp_path: Path) -> None:
    path = tmp_path / "main.tex"
    path.write_bytes("\\documentclass{article}\\begin{document}Größe und Maß\\end{document}".encode("latin-1"))
    document = read_latex(path)
    assert texts(document, "paragraph") == ["Größe und Maß"]
    assert any("Latin-1" in n.what for n in document.notices)
    path.write_bytes("\\documentclass{article}\\begin{document}Größe\\end{document}".encode("utf-16"))
    assert texts(read_latex(path), "paragraph") == ["Größe"]


def test_what_is_no_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputNotFoundError):
        read_latex(tmp_path / "missing.tex")
    for name, data in (
        ("a.tex", b""),
        ("b.tex", b"%PDF-1.7"),
        ("c.tex", b"\\documentclass{article}"),
        ("d.zip", b"PK\x03\x04"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(DamagedInputError):
            read_latex(tmp_path / name)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no LaTeX document" in refusal(empty)


@pytest.mark.parametrize(
    "piece", ["\\cite[", "\\\\[", "\\verb", "\\csname", "\\if", "\\footnote[", "\\bibitem[", "\\item[", "\\ifnum", "\\let"]
)
def test_what_is_never_closed_is_not_searched_for_again_and_again(tmp_path: Path, piece: str) -> None:
    assert texts(read(tmp_path, "Text.\n\n" + piece * 30_000), "paragraph")[0] == "Text."


@pytest.mark.parametrize("piece", ["\\url{", "\\begin{tabular}[", "\\frac{", "\\begin{a}{"])
def test_depth_is_limited_in_arguments(tmp_path: Path, piece: str) -> None:
    assert "deep" in refusal(write(tmp_path, "Text.\n\n" + piece * 30_000))
