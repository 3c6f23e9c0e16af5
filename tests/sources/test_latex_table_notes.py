"""Claims about running text in a float of a table: it is a note of the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from variorum.document import Table
from variorum.sources import read_source

GRID = r"\begin{tabular}{ll} Coast & gulls \\ North & 12 \\ \end{tabular}"


def read(folder: Path, inside: str) -> Table:
    path = folder / "paper.tex"
    text = rf"\section{{Gulls}} See Table~\ref{{t}}. \begin{{table}}{inside}\end{{table}}"
    path.write_text(rf"\documentclass{{article}}\begin{{document}}{text}\end{{document}}")
    document = read_source(path)
    assert len(document.tables) == 1
    assert [c.text for c in document.components if c.kind == "paragraph"] == ["See Table 1."]
    return document.tables[0]


@pytest.mark.parametrize("name", ["flushleft", "flushright", "center", "quote"])
def test_text_below_a_tabular_is_its_note(tmp_path: Path, name: str) -> None:
    note = rf"\begin{{{name}}}\small Counted at \emph{{dusk}}, $n = 2$.\end{{{name}}}"
    found = read(tmp_path, rf"\caption{{Gulls.}}{GRID}{note}\label{{t}}")
    assert found.footnotes == ("Counted at dusk, n = 2.",)


@pytest.mark.parametrize(
    "inside",
    [
        rf"\begin{{center}}{GRID}\end{{center}}\caption{{Gulls.}}\label{{t}}",
        rf"{GRID}\begin{{center}}\caption{{Gulls.}}\label{{t}}\end{{center}}",
        rf"\caption{{Gulls.}}{GRID}\begin{{center}}\label{{t}}\end{{center}}",
        rf"\caption{{Gulls.}}{GRID}\begin{{center}}\end{{center}}\label{{t}}",
    ],
)
def test_what_else_stands_in_such_an_environment_is_read_as_before(tmp_path: Path, inside: str) -> None:
    found = read(tmp_path, inside)
    assert found.footnotes == ()
    assert found.caption is not None
    assert found.caption.text == "Table 1: Gulls."
