"""Claims about a TeX file that ends too early."""

from __future__ import annotations

from pathlib import Path

import pytest

from variorum.sources import read_source

WHOLE = r"\documentclass{article}\begin{document}\section{Tides} Gulls feed. \section{Methods} We counted. \end{document}"


def said(folder: Path, text: str) -> list[str]:
    path = folder / "paper.tex"
    path.write_text(text)
    return [n.what for n in read_source(path).notices]


@pytest.mark.parametrize("share", [2, 3])
def test_a_source_that_ends_early_is_said_first_of_all(tmp_path: Path, share: int) -> None:
    cut = WHOLE[: -len(WHOLE) // (2 * share)] + r" \cite{unknown}"
    assert said(tmp_path, cut)[0].startswith(r"paper.tex: ends without \end{document}")


def test_a_whole_source_is_not_said_to_be_cut_off(tmp_path: Path) -> None:
    assert said(tmp_path, WHOLE) == []


def test_an_end_in_a_comment_is_none(tmp_path: Path) -> None:
    assert len(said(tmp_path, WHOLE.replace(r"\end{document}", r"%\end{document}"))) == 1
