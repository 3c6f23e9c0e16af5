"""Where paragraphs begin and end, and how words cut by a line's end are mended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from tests.layout.printed import BODY, line, paper
from variorum.geometry import Interval
from variorum.layout.joining import Vocabulary, join_texts, vocabulary_of
from variorum.layout.model import PaperPrint, PrintLine
from variorum.layout.paragraphs import FlowLine, find_blocks, list_label

COLUMN = Interval(100.0, 400.0)  # sixty characters wide
FULL = "every " * 9 + "letter"  # a line from edge to edge


def flow(*lines: PrintLine, columns: Sequence[int] | None = None, follows: Sequence[str] | None = None) -> list[FlowLine]:
    """Return lines in their columns, numbered in order; the first follows a break."""
    numbers = columns or [0] * len(lines)
    states = follows or ["break", *[""] * (len(lines) - 1)]
    placed = [
        PrintLine(item.page_index, i, item.box, item.baseline, item.size, item.font, item.runs, item.words, item.block)
        for i, item in enumerate(lines)
    ]
    return [FlowLine(item, COLUMN, n, state) for item, n, state in zip(placed, numbers, states, strict=True)]  # type: ignore[arg-type]


def texts(items: Sequence[FlowLine]) -> list[list[str]]:
    return [[item.plain for item in block.lines] for block in find_blocks(items, BODY)]


def test_lines_from_edge_to_edge_are_one_paragraph() -> None:
    lines = [line(FULL, y=100 + 12 * i) for i in range(4)]
    assert len(find_blocks(flow(*lines), BODY)) == 1


def test_an_indented_line_begins_a_paragraph() -> None:
    lines = [line(FULL), line("short end.", y=112), line("a" * 57, x=115, y=124), line(FULL, y=136)]
    assert [len(block) for block in texts(flow(*lines))] == [2, 2]


def test_white_between_lines_begins_a_paragraph() -> None:
    lines = [line(FULL), line("short end.", y=112), line(FULL, y=130), line(FULL, y=142)]
    assert [len(block) for block in texts(flow(*lines))] == [2, 2]


def test_a_line_broken_by_hand_ends_no_paragraph_where_paragraphs_are_set_apart() -> None:
    lines = [
        line(FULL),
        line("ends here.", y=112),
        line(FULL, y=130),
        line("ends too.", y=142),
        line(FULL, y=160),
        line("broken by hand", y=172),
        line(FULL, y=184),
    ]
    assert [len(block) for block in texts(flow(*lines))] == [2, 2, 3]


def test_a_paragraph_goes_on_in_the_next_column() -> None:
    lines = [line(FULL, y=700), line(FULL, y=712), line(FULL, y=100), line("the end.", y=112)]
    assert len(find_blocks(flow(*lines, columns=[0, 0, 1, 1]), BODY)) == 1


def test_a_short_line_at_the_foot_of_a_column_ends_its_paragraph() -> None:
    lines = [line(FULL, y=700), line("the end.", y=712), line(FULL, y=100), line(FULL, y=112)]
    assert [len(block) for block in texts(flow(*lines, columns=[0, 0, 1, 1]))] == [2, 2]


def test_text_flows_around_a_float() -> None:
    lines = [line(FULL, y=100), line(FULL, y=112), line(FULL, y=400), line("the end.", y=412)]
    assert len(find_blocks(flow(*lines, follows=["break", "", "float", ""]), BODY)) == 1


def test_items_of_a_list_are_apart_and_lose_their_bullets() -> None:
    lines = [
        line("• " + "a" * 50, x=110),
        line("b" * 20, x=120, y=112),
        line("• the second", x=110, y=124),
        line(FULL, y=136),
    ]
    blocks = find_blocks(flow(*lines), BODY)
    assert [(block.kind, block.label) for block in blocks] == [("list_item", "•"), ("list_item", "•"), ("paragraph", "")]
    assert blocks[0].lines[0].text == "a" * 50


def test_a_dash_at_the_beginning_of_a_line_goes_on_with_the_sentence() -> None:
    lines = [line(FULL), line("— that is, it " + "goes on " * 5 + "always", y=112), line(FULL, y=124)]
    assert [block.kind for block in find_blocks(flow(*lines), BODY)] == ["paragraph"]


def test_dashes_set_in_are_items() -> None:
    lines = [line("It has:"), line("– one", x=115, y=112), line("– two", x=115, y=124), line(FULL, y=136)]
    assert [block.kind for block in find_blocks(flow(*lines), BODY)] == ["paragraph", "list_item", "list_item", "paragraph"]


def test_a_drop_cap_begins_the_paragraph_beside_it() -> None:
    lines = [
        line("C", size=26.0, y=118),
        line("a" * 52, x=120, y=106),
        line("b" * 55, x=120, y=118),
        line(FULL, y=130),
    ]
    assert [block.kind for block in find_blocks(flow(*lines), BODY)] == ["paragraph"]


def test_type_of_one_width_is_code() -> None:
    lines = [line(FULL), line("def f(x):", font="CMTT10", y=112), line("return x", x=120, font="CMTT10", y=124)]
    assert [block.kind for block in find_blocks(flow(*lines), BODY)] == ["paragraph", "code"]


def test_every_line_is_in_exactly_one_block() -> None:
    lines = [line(FULL, y=100 + 12 * i, size=9.0 if i % 3 else 10.0) for i in range(9)]
    seen = Counter(item.index for block in find_blocks(flow(*lines), BODY) for item in block.lines)
    assert seen == Counter(range(9))


@pytest.mark.parametrize(
    ("text", "label"),
    [("• a", "•"), ("(1) a", "(1)"), ("2. a", "2."), ("a) b", "a)"), ("1.5 mm", ""), ("A word", ""), ("[12] Smith", "")],
)
def test_labels_of_lists(text: str, label: str) -> None:
    assert list_label(line(text)) == label


class TestJoining:
    def joined(self, *lines: str, words: str = "") -> str:
        return join_texts(lines, Vocabulary(Counter(words.casefold().split())))

    def test_lines_are_joined_by_a_space(self) -> None:
        assert self.joined("one", "two") == "one two"

    def test_the_typesetters_hyphen_goes(self) -> None:
        assert self.joined("the multi-", "plicative law") == "the multiplicative law"

    def test_the_words_own_hyphen_stays_where_the_paper_has_it_elsewhere(self) -> None:
        assert self.joined("a high-", "level language", words="high-level") == "a high-level language"

    def test_two_words_of_the_paper_keep_their_hyphen(self) -> None:
        assert self.joined("an open-", "source tool", words="open source") == "an open-source tool"

    def test_a_whole_word_of_the_paper_wins_over_its_parts(self) -> None:
        assert self.joined("some-", "times", words="some times sometimes") == "sometimes"

    def test_a_capital_keeps_the_hyphen(self) -> None:
        assert self.joined("Vlasov-", "Poisson") == "Vlasov-Poisson"

    def test_an_address_is_joined_without_a_space(self) -> None:
        assert self.joined("see https://example.org/a/", "b-c.html") == "see https://example.org/a/b-c.html"

    def test_words_cut_by_a_line_end_are_no_words_of_the_paper(self) -> None:
        made: PaperPrint = paper([line("the multi-"), line("plicative multiplicative", y=112)])
        assert vocabulary_of(made).has("multiplicative")
        assert not vocabulary_of(made).has("plicative")
