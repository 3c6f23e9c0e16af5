"""Claims about what the truth of a paper lost: only what its TeX has and its page prints is excused."""

from __future__ import annotations

import re

from bench._fusion_lost import Lost, arguments, printed_places, readable, whole_caption, without_accents

CAPTION = "Gulls counted from the northern cliffs in every summer"


def lost(tex: str = "", pdf: str = "") -> Lost:
    return Lost(headings=frozenset(), captions=frozenset(), tex=tex, pdf=pdf)


def test_the_argument_of_a_command_ends_with_its_own_brace() -> None:
    tex = r"\section{Gulls {\em and} \} terns} \section{Nests"
    assert list(arguments(tex, re.compile(r"\\section(?=\{)"))) == [r"Gulls {\em and} \} terns"]


def test_tex_is_readable_without_its_commands() -> None:
    assert readable(r"\textbf{Gulls}\label{s:g} on \cite{smith} cliffs") == "{Gulls} on cliffs"


def test_a_caption_is_printed_where_it_begins_behind_a_label() -> None:
    page = f"as Table 7 shows. Table 8 | {CAPTION}. Figure 2: Terns in the harbour of the island at dusk."
    assert set(printed_places([CAPTION], page)) == {("table", "8")}


def test_a_caption_with_a_command_of_its_own_in_it_is_told_by_its_words() -> None:
    page = f"Table 8: Of GULLS, {CAPTION.lower()}."
    assert set(printed_places([f"Of {{}}, {CAPTION}"], page)) == {("table", "8")}


def test_a_caption_that_the_page_does_not_print_is_at_no_place() -> None:
    assert not list(printed_places([CAPTION], "Table 8: Terns in the harbour of the largest island at dusk, by month."))


def test_a_longer_caption_is_right_only_where_tex_and_page_have_all_of_it() -> None:
    place, read = ("table", "1"), [{"kind": "table", "number": "1", "text": CAPTION}]
    short = "Gulls counted"
    assert whole_caption(short, place, read, lost(tex=CAPTION, pdf=CAPTION)) == CAPTION
    assert whole_caption(short, place, read, lost(tex=short, pdf=CAPTION)) == short
    assert whole_caption(short, place, read, lost(tex=CAPTION, pdf=short)) == short
    assert whole_caption(short, ("table", "2"), read, lost(tex=CAPTION, pdf=CAPTION)) == short


def test_what_stands_over_letters_is_taken_away_and_nothing_else() -> None:
    assert without_accents("S\u0304 ∩ R\u0304 = é·2") == "S ∩ R = e·2"
