"""Claims about values without braces: what TeX reads as a setting is no text, and what is text stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources.latex_samples import read, texts

SETTINGS = [
    r"\looseness=-1 ",
    r"\looseness -1 ",
    r"\looseness=-1" + "%\n",
    r"\parindent=0pt ",
    r"\parindent 0pt ",
    r"\hsize 3in ",
    r"\hsize=3 true in ",
    r"\hsize=.5\textwidth ",
    r"\leftskip=\parindent ",
    r"\parskip = 2pt plus 1pt minus .5pt ",
    r"\rightskip 0pt plus 1fil ",
    r"\vskip 2pt plus 1pt ",
    r"\vskip\baselineskip ",
    r"\vskip-\parskip ",
    r"\kern-1pt ",
    r"\penalty10000 ",
    r"\penalty-\hyphenpenalty ",
    r"\tolerance 500 ",
    r"\global\tolerance=500 ",
    r"\count0=5 ",
    r"\dimen255=3pt ",
    r"\advance\parindent by 1em ",
    r"\advance\count0 by -1 ",
    r"\newdimen\gap \gap=3pt \advance\gap 2pt \hskip\gap ",
    r"\newcount\steps \steps 12 \multiply\steps by 2 ",
    r"\catcode`\@=11 ",
    r"\hyphenchar\font=-1 ",
    r"\fontdimen2\font=3pt ",
    r"\hrule height 1pt width 2in ",
    r"\everypar={\hfil} ",
    r"\linespread{1.2}\selectfont ",
    r"\parshape 2 0pt 10cm 1cm 9cm ",
    r"\parshape=1 0pt \hsize ",
    r"\parshape0 ",
    r"\newlength\gap \gap=3pt plus 1fil ",
    r"\newlength{\gap}\setlength{\gap}{2em}\gap 4pt ",
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_is_no_text(tmp_path: Path, setting: str) -> None:
    assert texts(read(tmp_path, f"{setting}In the rapidly growing field."), "paragraph") == ["In the rapidly growing field."]
    assert texts(read(tmp_path, f"Before. {setting}After."), "paragraph") == ["Before. After."]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\looseness=-1 12 apples", "12 apples"),
        (r"\hskip 1em plus others", "plus others"),
        (r"\vskip 2pt minus signs", "minus signs"),
        (r"A \hbox to 3in{word} more", "A word more"),
        (r"\raise 2pt\hbox{up} and \lower.5ex\hbox{down}", "up and down"),
        (r"\parshape 1 0pt 5cm 12 apples", "12 apples"),
        (r"\penalty0 -1 degrees", "-1 degrees"),
        (r"\the\parindent{} is the indent", "is the indent"),
        (r"\kern1pt in the text", "in the text"),
        (r"\hsize=", ""),
        (r"\advance", ""),
    ],
)
def test_text_behind_a_value_stays(tmp_path: Path, source: str, text: str) -> None:
    assert texts(read(tmp_path, f"First words.\n\n{source}"), "paragraph") == ["First words.", *([text] if text else [])]


def test_a_value_in_a_formula_is_not_read_and_its_tex_is_kept(tmp_path: Path) -> None:
    document = read(tmp_path, r"We see $a\kern-1pt+b$ here.")
    assert texts(document, "paragraph") == ["We see a+b here."]
    assert [e.tex for e in document.inline_equations] == [r"a\kern-1pt+b"]
