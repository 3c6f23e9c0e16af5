"""Lines of writing are those of the plain definition, however they are found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from variorum.geometry import Box, Interval
from variorum.page.lines import text_rows
from variorum.page.model import Word

PLACES = st.integers(0, 40)
SIZES = st.sampled_from([6.0, 8.0, 10.0, 24.0])


@st.composite
def words(draw: st.DrawFn) -> Word:
    x, y, size = draw(PLACES) * 3.0, draw(PLACES) * 1.5, draw(SIZES)
    text = draw(st.sampled_from(["a", "bc", "12"]))
    return Word(text, Box(x, y - 0.7 * size, x + size, y + 0.2 * size), y, size, "font", 0, 0, 0)


def plain_rows(given_words: list[Word]) -> list[list[Word]]:
    """Return the lines by comparing every word with every line: largest words first, each to the line it shares most with."""
    rows: list[tuple[Interval, list[Word]]] = []
    for word in sorted(given_words, key=lambda w: (-w.size, w.baseline, w.box.x0, w.text)):
        band = word.box.y_interval
        shared = [other.overlap(band) for other, _ in rows]
        fits = [i for i, (other, _) in enumerate(rows) if 2 * shared[i] > min(band.length, other.length)]
        if fits:
            rows[max(fits, key=lambda i: (shared[i], -i))][1].append(word)
        else:
            rows.append((band, [word]))
    rows.sort(key=lambda r: (r[0].start, r[0].end))
    return [sorted(ws, key=lambda w: (w.box.x0, w.box.x1, w.text)) for _, ws in rows]


@given(st.lists(words(), max_size=25))
def test_lines_are_those_of_the_plain_definition(some: list[Word]) -> None:
    assert [list(row.words) for row in text_rows(some)] == plain_rows(some)
