"""Claims about HTML made here by LaTeXML: it is that of ar5iv, always the same; nothing outside is read or run."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest

from tests.sources.latex_samples import write
from variorum.apps.cli.main import main
from variorum.document import Document
from variorum.errors import DamagedInputError, DependencyError
from variorum.sources import latexml, read_source
from variorum.sources.latexml import convert, read_with_latexml

needs_latexml = pytest.mark.skipif(shutil.which("latexmlc") is None, reason="LaTeXML is not installed")
SECRET = "the birds know"


def texts(document: Document) -> list[str]:
    return [c.text for c in document.components if c.text]


@needs_latexml
def test_source_is_converted_and_always_the_same(tmp_path: Path) -> None:
    body = (
        "\\title{Birds}\\maketitle\\today\\section{One}At \\SI{5}{\\kg\\per\\m}, \\qty{3}{\\parsec}; $a\\pm b$ \\cite{k}."
        "\\lipsum[1]\\input{part}\\bibliography{none}"
    )
    preamble = "\\usepackage{siunitx,lipsum,listings}\\DeclareSIUnit\\parsec{pc}"
    path = write(tmp_path, body, preamble=preamble)
    (tmp_path / "part.tex").write_text("\n\nTwo.\n")
    (tmp_path / "main.bbl").write_text("\\begin{thebibliography}{1}\\bibitem{k} A. Gull. 2019.\\end{thebibliography}")
    document, made = read_with_latexml(path)
    assert texts(document) == ["Birds", "1 One", "At 5 kg m⁻¹, 3 pc; a ± b [1].", "Two.", "References", "A. Gull. 2019."]
    assert [e.tex for e in document.inline_equations][-1] == "a\\pm b"
    assert (document.source_name, made.status) == ("main.tex", "1")
    assert document.notices[-1].what.startswith("the HTML was made by LaTeXML ")
    assert str(tmp_path).encode() not in made.html + made.log
    again = convert(path)
    assert (again.html, again.log) == (made.html, made.log)


@needs_latexml
@pytest.mark.parametrize(
    "body",
    [
        "\\input{%s}",
        "\\input{../outside}",
        "\\expandafter\\input\\csname @firstofone\\endcsname{%s}",
        "\\newread\\f\\openin\\f=%s \\read\\f to\\x\\x",
        "\\lstinputlisting{%s}",
        "\\verbatiminput{%s}",
        "\\input{http://127.0.0.1:9/outside.tex}",
        "\\usepackage{%s}",
    ],
)
def test_nothing_outside_the_source_is_read(tmp_path: Path, body: str) -> None:
    (tmp_path / "outside.tex").write_text(SECRET)
    (tmp_path / "paper").mkdir()
    outside = tmp_path / "outside.tex"
    path = write(
        tmp_path / "paper", "A " + (body % outside if "%s" in body else body), preamble="\\usepackage{verbatim,listings}"
    )
    with contextlib.suppress(DamagedInputError):
        assert SECRET.encode() not in convert(path.parent).html


@needs_latexml
def test_source_that_asks_for_a_file_outside_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "outside.tex").write_text(SECRET)
    (tmp_path / "paper").mkdir()
    body = f"\\input{{{tmp_path / 'outside.tex'}}}"
    with pytest.raises(DamagedInputError, match=r"LaTeXML gave it up: The source asks for '.*outside.*nothing outside is read"):
        convert(write(tmp_path / "paper", body).parent)


@needs_latexml
def test_programs_that_a_source_brings_are_not_run(tmp_path: Path) -> None:
    mark = tmp_path / "was-run"
    (tmp_path / "paper").mkdir()
    path = write(tmp_path / "paper", f"Birds.\\immediate\\write18{{touch {mark}}}", preamble="\\usepackage{evil}")
    for name in ("evil.sty.ltxml", "main.latexml", "LaTeX.pool.ltxml", "article.cls.ltxml"):
        (tmp_path / "paper" / name).write_text(f"open(my $f, '>', '{mark}'); print $f 1; close $f; 1;")
    document, _ = read_with_latexml(path.parent)
    assert "Birds." in texts(document)
    assert not mark.exists()


@needs_latexml
def test_files_beside_a_single_file_are_none_of_its_source(tmp_path: Path) -> None:
    path = write(tmp_path, "\\IfFileExists{part}{Asked for.}{}\\input{part}\\IfFileExists{hidden}{}{Not there.}")
    (tmp_path / "part.tex").write_text("Two. ")
    (tmp_path / "hidden.tex").write_text(SECRET)
    assert texts(read_with_latexml(path)[0]) == ["Asked for.Two. Not there."]


@needs_latexml
def test_source_that_loops_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latexml, "LATEXML_SECONDS", 2)
    with pytest.raises(DamagedInputError, match=r"LaTeXML (gave it up: |came to the limit of time)") as caught:
        convert(write(tmp_path, "\\def\\x{\\y}\\def\\y{a\\x}\\loop\\iftrue\\repeat"))
    assert "--kind latex" in caught.value.hint


@needs_latexml
def test_conversion_without_room_ends_with_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latexml, "LATEXML_MEMORY_BYTES", 1 << 26)
    with pytest.raises(DamagedInputError, match="ended without a result"):
        convert(write(tmp_path, "Birds."))


@needs_latexml
def test_names_that_latexml_does_not_take_are_no_hindrance(tmp_path: Path) -> None:
    path = write(tmp_path, "Birds \\cite{k}.\\bibliography{none}").rename(tmp_path / "-my paper (1).tex")
    (tmp_path / "-my paper (1).bbl").write_text("\\begin{thebibliography}{1}\\bibitem{k} Gull.\\end{thebibliography}")
    assert texts(read_with_latexml(path)[0]) == ["Birds [1].", "References", "Gull."]


@needs_latexml
def test_command_leaves_the_html_with_its_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "\\title{Birds}\\maketitle Many. \\unknowncommand")
    assert main(["read", str(path), "--kind", "ar5iv", "--via", "latexml", "-o", str(tmp_path / "out")]) == 0
    assert "LaTeXML did not understand the TeX in 1 place" in capsys.readouterr().err
    assert (tmp_path / "out" / "ar5iv.log").read_text().endswith("Status:conversion:2\n")
    again = read_source(tmp_path / "out" / "ar5iv.html")
    assert texts(again) == texts(read_source(tmp_path / "out" / "document.json"))


@pytest.mark.parametrize(
    ("more", "what"), [(["--via", "tex4ht"], "there is no way 'tex4ht'"), (["--via", "latexml", "--kind", "pdf"], "makes HTML")]
)
def test_ways_that_lead_nowhere_are_refused(
    tmp_path: Path, more: list[str], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", str(write(tmp_path, "Birds.")), *more]) == 2
    assert what in capsys.readouterr().err


def test_absent_program_is_named_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DependencyError, match=r"there is no program latexmlc.*apt install latexml"):
        convert(write(tmp_path, "Birds."))


@needs_latexml
@pytest.mark.corpus
def test_html_of_a_real_paper_is_that_of_ar5iv(corpus: Path) -> None:
    folder = corpus / "papers" / "mistral7b"
    made, stored = read_with_latexml(folder / "source.tar.gz")[0], read_source(folder / "ar5iv.html")
    assert texts(made) == texts(stored)
    assert [t.cells for t in made.tables] == [t.cells for t in stored.tables]
    assert [(e.text, e.tex) for e in made.inline_equations] == [(e.text, e.tex) for e in stored.inline_equations]
