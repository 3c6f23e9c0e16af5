"""What a paper's lines are read as, all steps together."""

from __future__ import annotations

import pytest

from tests.layout.printed import line, page
from variorum.geometry import Box
from variorum.layout.model import PaperPrint, PrintCaption
from variorum.layout.reading import read_paper


@pytest.mark.parametrize(("with_tables", "note"), [(True, "no table was found for it"), (False, "tables were not read")])
def test_a_caption_alone_says_whether_tables_were_looked_for(*, with_tables: bool, note: str) -> None:
    body = [line(f"and so it goes on in line {chr(97 + i)} ".ljust(60, "w"), y=200 + 12 * i) for i in range(9)]
    label = line("Table 1: Doses.", y=400)
    caption = PrintCaption("table", "Table", "1", label.plain, Box(*label.box.as_tuple()), (len(body),))
    paper = PaperPrint((page([*body, label], captions=(caption,)),))
    (found,) = (p for p in read_paper(paper, with_tables=with_tables).pieces if p.kind == "caption")
    assert found.note == note
