"""The passages that name a table, a figure or a reference are found, by id or by the name as printed."""

from __future__ import annotations

import pytest
from document_samples import document_of, provenance, table_of

from variorum.document import BibliographyEntry, Citation, ComponentKind, Document, Figure, Mention, TextComponent
from variorum.document.citing import explain_passages, passages_citing
from variorum.errors import UsageError


def text(name: str, words: str, kind: ComponentKind = "paragraph") -> TextComponent:
    return TextComponent(id=name, kind=kind, text=words, provenance=provenance())


def mention(component: TextComponent, words: str, target: str | None) -> Mention:
    start = component.text.index(words)
    kind, number = words.split()
    return Mention(
        component=component.id,
        start=start,
        end=start + len(words),
        text=words,
        kind="table" if kind == "Table" else "figure",
        number=number,
        target=target,
    )


def paper() -> Document:
    first = text("p1", "As Table 3 shows, and Table 3 again.")
    second = text("p2", "See Figure A.1 and Table 3 [1].")
    third = text("p3", "Table 9 was lost.")
    entry = text("r1", "A. Author. A title. 1999.", "bibliography_entry")
    return document_of(
        table_of([], id="t3", number="3"),
        figures=(Figure(id="f1", provenance=provenance(), kind="vector", number="A.1"),),
        components=(first, second, third, entry),
        mentions=(
            mention(first, "Table 3", "t3"),
            mention(first, "Table 3", "t3"),
            mention(second, "Figure A.1", "f1"),
            mention(second, "Table 3", "t3"),
            mention(third, "Table 9", None),
        ),
        bibliography=(BibliographyEntry(id="r1", label="1"),),
        citations=(Citation(component="p2", start=27, end=30, text="[1]", style="numeric", targets=("r1",)),),
    )


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("t3", ["p1", "p2"]),
        ("Table 3", ["p1", "p2"]),
        ("tab. 3", ["p1", "p2"]),
        ("Figure A.1", ["p2"]),
        ("Fig. a-1:", ["p2"]),
        ("f1", ["p2"]),
        ("r1", ["p2"]),
        ("Table 9", ["p3"]),
        ("Table 4", []),
        ("p1", []),
    ],
)
def test_passages_are_found_in_reading_order_each_once(target: str, found: list[str]) -> None:
    assert [c.id for c in passages_citing(paper(), target)] == found
    assert [c.id for c in paper().passages_citing(target)] == found


@pytest.mark.parametrize("target", ["", "3", "nothing at all", "Chapter 3"])
def test_what_names_nothing_is_refused_with_examples(target: str) -> None:
    with pytest.raises(UsageError, match="names nothing") as caught:
        passages_citing(paper(), target)
    assert "'Table 3'" in caught.value.hint


def test_passages_are_shown_with_page_and_the_words_around_the_name() -> None:
    assert explain_passages(paper(), "t3").splitlines() == [
        "named in the text:",
        "  page 7, paragraph: As Table 3 shows, and Table 3 again.",
        "  page 7, paragraph: See Figure A.1 and Table 3 [1].",
    ]
    assert explain_passages(paper(), "p1") == ""


def test_long_passages_are_cut_between_words_and_a_caption_does_not_name_its_own_table() -> None:
    long = text("p1", "word " * 30 + "in Table 3 it says " + "word " * 30)
    own = TextComponent(id="c1", kind="caption", text="Table 3: Doses.", provenance=provenance(), target="t3")
    document = document_of(
        table_of([], id="t3", number="3"),
        components=(long, own),
        mentions=(mention(long, "Table 3", "t3"), mention(own, "Table 3", "t3")),
    )
    (_, line) = explain_passages(document, "t3").splitlines()
    assert line.startswith("  page 7, paragraph: …word word")
    assert " word in Table 3 it says word " in line
    assert line.endswith("word…")
