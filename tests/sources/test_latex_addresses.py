"""Claims about lists of references as astronomy's styles write them: addresses made by macros, short names of journals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources.latex_samples import read, texts
from variorum.errors import DamagedInputError

ENTRY = r"\begin{thebibliography}{}\bibitem[Kim(2019)]{kim} Kim, A. 2019, %s\end{thebibliography}"


def test_an_argument_stands_in_the_address_that_a_macro_makes(tmp_path: Path) -> None:
    macro = r"\providecommand{\dodoi}[1]{doi:~\href{http://doi.org/#1}{\nolinkurl{#1}}}"
    document = read(tmp_path, ENTRY % r"AJ, 3, 742, \dodoi{10.1086/34\_5}", preamble=macro)
    assert texts(document, "bibliography_entry") == ["Kim, A. 2019, AJ, 3, 742, doi: 10.1086/34_5"]
    assert document.bibliography[0].doi == "10.1086/34_5"


def test_a_sign_for_a_place_in_a_page_stays(tmp_path: Path) -> None:
    document = read(tmp_path, r"See \url{example.org/a#2} and \nolinkurl{b#c}.")
    assert texts(document, "paragraph") == ["See example.org/a#2 and b#c."]


def test_short_names_of_journals_are_printed(tmp_path: Path) -> None:
    document = read(tmp_path, ENTRY % r"\apj, 397, L95; \aap, 558; \mnras, 471")
    assert texts(document, "bibliography_entry") == ["Kim, A. 2019, ApJ, 397, L95; A&A, 558; MNRAS, 471"]


def test_an_author_may_give_such_a_name_another_meaning(tmp_path: Path) -> None:
    document = read(tmp_path, r"All \na{} ions.", preamble=r"\newcommand{\na}{sodium}")
    assert texts(document, "paragraph") == ["All sodium ions."]


def test_addresses_that_grow_without_end_are_refused(tmp_path: Path) -> None:
    preamble = r"\def\a#1{\url{" + "#1" * 20_000 + "}}"
    with pytest.raises(DamagedInputError, match="macros do not come to an end"):
        read(tmp_path, r"\a{" + "x" * 20_000 + "}", preamble=preamble)
