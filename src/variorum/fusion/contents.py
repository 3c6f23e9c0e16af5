"""The words in a place, whatever their order: how tables, figures and the names of authors are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from variorum.document import Document, TextComponent
from variorum.fusion.model import Source, SourceKind
from variorum.fusion.pieces import Piece, words_of

Contents = Mapping[tuple[SourceKind, str], Counter[str]]
"""The words in each float, each byline and each text before the first heading, by source and id."""


def contents_of(sources: Iterable[Source]) -> Contents:
    """Return the words in the floats and at the front of each source."""
    found: dict[tuple[SourceKind, str], Counter[str]] = {}
    for source in sources:
        for table in source.document.tables:
            found[source.kind, table.id] = Counter(w for cell in table.cells for w in words_of(cell.text))
        for figure in source.document.figures:
            found[source.kind, figure.id] = Counter(words_of(figure.text))
        for component in (*front_of(source.document), *(c for c in source.document.components if c.kind == "byline")):
            found[source.kind, component.id] = Counter(words_of(component.text))
    return found


def front_of(document: Document) -> list[TextComponent]:
    """Return the paragraphs and bylines before the first heading."""
    front = []
    for component in document.components:
        if component.kind == "heading":
            break
        if component.kind in ("paragraph", "byline"):
            front.append(component)
    return front


def words_in(piece: Piece, contents: Contents) -> Counter[str]:
    """Return the words in all components of a piece."""
    words: Counter[str] = Counter()
    for name in piece.components:
        words.update(contents[piece.source, name])
    return words


def common_words(one: Piece, other: Piece, contents: Contents) -> float:
    """Return the share of words that two pieces have in common, of all in both, in [0, 1]; 0 where both have none."""
    first, second = words_in(one, contents), words_in(other, contents)
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0
