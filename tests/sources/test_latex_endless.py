"""Claims about macros that do not come to an end: they are refused at once, and loops that end are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources.latex_samples import read, texts
from variorum.errors import DamagedInputError
from variorum.sources.latex_cycles import OpenCalls

ENDLESS = [
    r"\def\a{\a}\a",
    r"\def\a{x\a}\a",
    r"\def\a{\a x}\a",
    r"\def\a{\b}\def\b{y\a}\a",
    r"\def\a{\textbf{x}\a}\a",
    r"\newcommand{\a}{\b\a}\newcommand{\b}{z}\a",
    r"\def\eat#1{}\def\a{\eat{x}\a}\a",
]


@pytest.mark.parametrize("body", ENDLESS)
def test_a_macro_that_calls_itself_is_named(tmp_path: Path, body: str) -> None:
    with pytest.raises(DamagedInputError, match=r"\\[ab] calls itself"):
        read(tmp_path, body)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\def\eat#1{}\def\a{x\eat\a}\a y", "xy"),
        (r"\def\a{x\def\a{y}\a}\a", "xy"),
        (r"\newif\ifmore\moretrue\def\a{x\ifmore\morefalse\a\fi}\a", "xx"),
        (r"\def\a{x}\def\b{\a\a\a}\b\b", "xxxxxx"),
        (r"\def\a{x}\a\a{\a}", "xxx"),
        (r"\def\b{x}\def\a{\def\b{z}\b}{\a\b}\b", "zzx"),
        (r"\def\twice#1{#1#1}\def\a{x}\twice{\twice{\a}}", "xxxx"),
    ],
)
def test_what_comes_to_an_end_is_read(tmp_path: Path, body: str, text: str) -> None:
    assert texts(read(tmp_path, body), "paragraph") == [text]


def test_a_call_behind_the_expansion_of_the_same_macro_is_none_of_it() -> None:
    calls = OpenCalls()
    assert not calls.is_endless("a", below=5)
    assert not calls.is_endless("a", below=4)
    assert calls.is_endless("a", below=4)


def test_a_macro_that_doubles_itself_with_arguments_is_refused_by_its_size(tmp_path: Path) -> None:
    with pytest.raises(DamagedInputError, match="tokens were made"):
        read(tmp_path, r"\def\a#1{\a{#1#1}}\a{x}")
