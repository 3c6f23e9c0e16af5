"""Claims about lists of references whose style names entries by authors and year, and brings commands of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources.latex_samples import read, texts, write
from variorum.sources.latex import read_latex

CITED = "Gulls fly \\cite{gull1980}."
ENTRIES = (
    "\\begin{{thebibliography}}{{2}}{provided}"
    "\\bibitem[\\protect\\citeauthoryear{{{names}}}{{1980}}]{{gull1980}} Gull, A., {others}: On tides, 1980."
    "\\bibitem[\\protect\\citeauthoryear{{Tern}}{{1991}}]{{tern1991}} Tern, B.: On harbours, 1991."
    "\\end{{thebibliography}}"
)


def entries(names: str = "Gull et~al.", others: str = "et al.", provided: str = "") -> str:
    return CITED + ENTRIES.format(names=names, others=others, provided=provided)


def test_an_entry_is_cited_by_the_names_and_the_year_of_its_label(tmp_path: Path) -> None:
    document = read(tmp_path, entries())
    assert texts(document, "paragraph") == ["Gulls fly (Gull et al., 1980)."]
    assert [c.number for c in document.components if c.kind == "bibliography_entry"] == [None, None]


def test_of_a_label_with_all_names_before_the_short_ones_the_short_ones_count(tmp_path: Path) -> None:
    document = read(tmp_path, entries(names="Gull, Wren, and Rook}{Gull et~al."))
    assert texts(document, "paragraph") == ["Gulls fly (Gull et al., 1980)."]


def test_a_class_that_is_asked_for_numbers_prints_numbers(tmp_path: Path) -> None:
    path = write(tmp_path, entries())
    path.write_text(path.read_text(encoding="utf-8").replace("{article}", "[Numbered]{article}"), encoding="utf-8")
    assert texts(read_latex(path), "paragraph") == ["Gulls fly [1]."]


@pytest.mark.parametrize(
    "provided",
    [
        "\\ifx \\betal \\undefined \\def \\betal{et al.}\\fi",
        "\\ifx\\betal\\undefined\\newcommand{\\betal}{et al.}\\fi",
        "\\def\\betal{et al.}\\ifx\\betal\\undefined\\def\\betal{and others}\\fi",
    ],
    ids=["def", "newcommand", "known before"],
)
def test_a_command_that_is_provided_where_nobody_has_it_prints_what_it_is(tmp_path: Path, provided: str) -> None:
    document = read(tmp_path, entries(others="\\betal", provided=provided))
    assert texts(document, "bibliography_entry")[0] == "Gull, A., et al.: On tides, 1980."


def test_a_command_that_every_paper_has_is_not_provided_anew(tmp_path: Path) -> None:
    provided = "\\ifx \\url \\undefined \\def \\url#1{nowhere}\\fi"
    document = read(tmp_path, entries(others="\\url{https://tides.example/1}", provided=provided))
    assert "https://tides.example/1" in texts(document, "bibliography_entry")[0]
