"""Words are found whatever their script, marks and endings; nothing in a question is taken for an operator."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_index import Shelf, item, paper

from variorum.search.words import asked_words, has_words, query_words, search_form


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("Müller and Ångström", "muller angstrom"),
        ("Muller", "Müller"),
        ("the ﬁnite eﬀect", "finite effect"),
        ("Łódź and Øresund", "lodz oresund"),
        ("10^{−3} of d_{model}", "d_model"),
        ("ελληνικά έρευνα", "ΕΡΕΥΝΑ"),
        ("Ёлка и йод", "елка"),
        ("الْعَرَبِيَّة", "العربية"),
        ("量子计算的进展", "计算"),
        ("表とテキスト", "テキスト"),
        ("데이터를 분석했다", "데이터"),
        ("การวิจัยทางวิทยาศาสตร์", "วิจัย"),
        ("हिन्दी भाषा में", "भाषा"),
        ("measurements were running", "measurement runs"),
        ("GPT-4 against BERT", "gpt-4"),
    ],
)
def test_a_text_is_found_by_its_words_in_any_form(shelf: Callable[..., Shelf], written: str, asked: str) -> None:
    index = shelf()
    index.put([(item("A"), paper("One", written)), (item("B"), paper("Two", "Something else altogether."))])
    with index.searcher() as searcher:
        found = searcher.search(asked)
    assert [p.item.key for p in found.papers] == ["A"]


def test_signs_of_unspaced_scripts_are_found_as_they_stand_together(shelf: Callable[..., Shelf]) -> None:
    index = shelf()
    index.put([(item("A"), paper("One", "计算机")), (item("B"), paper("Two", "算计"))])
    with index.searcher() as searcher:
        assert [p.item.key for p in searcher.search("计算").papers] == ["A"]


def test_words_that_every_text_has_are_not_asked_for() -> None:
    assert query_words("What is the effect of the ice?") == ["effect", "ice"]


def test_a_compound_asks_for_its_parts_too() -> None:
    assert asked_words("GPT-4 on x-ray data at 0.05") == ["gpt-4", "x-ray", "data", "0.05", "gpt", "x", "ray"]
    assert asked_words("量子计算") == ["量 子 计 算"]


def test_a_question_of_such_words_alone_keeps_them() -> None:
    assert query_words("to be or not to be") == ["to", "be", "or", "not"]


@pytest.mark.parametrize("sign", ['"', "*", "(", ")", "NEAR(a b)", "text:ice", "a AND", "-ice", "^ice", "{ice}", "ice; DROP"])
def test_no_sign_of_a_question_is_an_operator(shelf: Callable[..., Shelf], sign: str) -> None:
    index = shelf()
    index.put([(item("A"), paper("One", "ice on ponds"))])
    with index.searcher() as searcher:
        assert [p.item.key for p in searcher.search(f"ponds {sign}").papers] == ["A"]


@given(st.text())
def test_the_form_of_a_form_has_the_same_words(text: str) -> None:
    form = search_form(text)
    assert search_form(form).split() == form.split()


@given(st.text())
def test_every_question_with_a_letter_has_a_word(text: str) -> None:
    if has_words(text) and any(map(str.isalpha, text)):
        assert query_words(text)
