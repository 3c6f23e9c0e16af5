"""Claims about footnotes in exports: the mark that the text prints stands in front of the note, once."""

from __future__ import annotations

import pytest
from document_samples import document_of, text


@pytest.mark.parametrize(
    ("number", "words", "shown"),
    [
        ("1", "A note.", "¹ A note."),
        ("12", "A note.", "¹² A note."),
        ("1", "¹A note.", "¹A note."),
        ("1", "1 A note.", "1 A note."),
        ("†", "A note.", "† A note."),
        (None, "A note.", "A note."),
    ],
)
def test_a_note_has_its_mark_once(number: str | None, words: str, shown: str) -> None:
    document = document_of(components=[text("footnote", words, id="n", number=number)])
    assert document.to_markdown() == f"{shown}\n"
    assert f'<p id="n" class="footnote">{shown}</p>' in document.to_html()
