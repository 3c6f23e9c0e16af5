"""Nothing of a page is lost or doubled: every word is in exactly one line of print, and every line is claimed for one thing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from variorum.layout.model import PaperPrint
from variorum.layout.prints import page_print
from variorum.layout.reading import PaperReading, read_paper
from variorum.page.bookmarks import metadata_of, outline_of
from variorum.page.reader import PdfFile

TURNS = 8


def read(path: Path) -> tuple[PaperPrint, PaperReading]:
    """Return a paper's print and reading; its tables are not read, so what stands in them is text."""
    with PdfFile(path) as pdf:
        pages = []
        for handle in pdf.pages():
            pages.append(page_print(handle.evidence))
            handle.close()
        paper = PaperPrint(tuple(pages), outline_of(pdf), *metadata_of(pdf))
    return paper, read_paper(paper)


@pytest.mark.corpus
@pytest.mark.parametrize("turn", range(TURNS))
def test_every_word_is_in_one_place(turn: int, corpus: Path) -> None:
    for path in sorted(corpus.rglob("*.pdf"))[turn::TURNS]:
        paper, reading = read(path)
        lines = {line.id: line for page in paper.pages for line in page.lines}
        for page in paper.pages:
            words = Counter(word for line in page.lines for word in line.words)
            assert words == Counter(range(page.n_words)), (path, page.page_num)
        assert set(reading.claims) == set(lines), path
        _check_pieces(path, reading)


def _check_pieces(path: Path, reading: PaperReading) -> None:
    """Check that each line claimed for text stands in a piece of that kind, in no other, and that furniture says why it is."""
    places: dict[tuple[int, int], list[str]] = {}
    for piece in reading.pieces:
        for line in piece.lines:
            places.setdefault(line.id, []).append(piece.kind)
    elsewhere = {"table", "figure", "caption"}
    for line, kind in reading.claims.items():
        kinds = places.get(line, [])
        if kind in elsewhere:
            assert set(kinds) <= {"caption"}, (path, line, kinds)
        elif kind == "heading":  # a heading that runs in shares its last line with the paragraph behind it
            assert "heading" in kinds, (path, line, kinds)
            assert len(kinds) <= 2, (path, line, kinds)
        else:
            assert kinds == [kind], (path, line, kind, kinds)
    assert all(piece.note for piece in reading.pieces if piece.kind == "furniture"), path
