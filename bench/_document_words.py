"""Where the words of a paper went: how many stand in which kind of component, which are lost or doubled, which are misplaced.

Words are runs of letters and digits, accents and case not looked at, ligatures and raised characters as plain ones. The words
of the pages are PyMuPDF's own, so that what variorum never saw counts as lost as well. A word that a line's end broke, and one
that is parted or joined at a raised mark (``Turner1``), are the same letters on both sides and no loss.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from variorum.document.model import Document, Table

CLASSES = ("component", "table cell", "figure", "furniture")
LEAST_LETTERS = 4  # shorter words and numbers are missing and found elsewhere by chance
BROKEN_OVER = 3  # a word stands on at most so many pieces: one that goes on over two ends of lines, or with marks on it


def accounting(document: Document, pages: Sequence[str], truth: Sequence[str]) -> dict[str, Any]:
    """Return for one paper:

    words      the number of words on its `pages` (PyMuPDF's text of each)
    share      of the words of the document, the share in each of `CLASSES`
    lost       share of the letters of the pages' words that are in none
    doubled    share, likewise, of letters that the document has beyond them
    misplaced  words of the `truth` (paragraphs of body text) that are missing from the components and table cells and are in
               furniture or a figure: their share of the truth's words, of those with at least four letters; None without truth
    examples   some of the words that are ``lost``, ``doubled``, ``misplaced``
    unfounded  furniture without evidence: the number of such components, of ``furniture`` in all
    """
    words = {kind: [w for text in texts for w in words_of(text)] for kind, texts in texts_by_class(document).items()}
    printed = [w for page in pages for w in words_of(page)]
    lost, doubled = differences(printed, Counter(w for found in words.values() for w in found))
    letters, total = sum(map(len, printed)), sum(map(len, words.values()))
    misplaced = misplaced_words(truth, words)
    furniture = [c for c in document.components if c.kind == "furniture"]
    return {
        "words": len(printed),
        "share": {kind: _share(len(found), total) for kind, found in words.items()},
        "lost": _share(_letters(lost), letters),
        "doubled": _share(_letters(doubled), letters),
        "misplaced": _share(sum(misplaced.values()), sum(map(_is_long, (w for text in truth for w in words_of(text))))),
        "examples": {"lost": _most(lost), "doubled": _most(doubled), "misplaced": _most(misplaced)},
        "items": len(furniture),
        "unfounded": sum(not c.note for c in furniture),
    }


def words_of(text: str) -> Iterator[str]:
    """Return the words of a text: lower case, without accents, ligatures taken apart."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if not unicodedata.combining(c))
    return iter(re.findall(r"[^\W_]+", plain))


def texts_by_class(document: Document) -> dict[str, list[str]]:
    """Return all texts of a document by the class of their words; a caption that is a component counts once."""
    texts: dict[str, list[str]] = {kind: [] for kind in CLASSES}
    captioned = {c.target for c in document.components if c.kind == "caption"}
    for c in document.components:
        if c.kind not in ("table", "figure"):
            texts["furniture" if c.kind == "furniture" else "component"].append(c.text)
    for table in document.tables:
        texts["table cell"] += _table_texts(table)
        if table.id not in captioned and table.caption is not None:
            texts["component"].append(table.caption.text)
    for figure in document.figures:
        texts["figure"].append(figure.text)
        if figure.id not in captioned and figure.caption is not None:
            texts["component"].append(figure.caption.text)
    return texts


def _table_texts(table: Table) -> Iterator[str]:
    yield from (cell.text for cell in table.cells)
    yield from table.footnotes
    for i, part in enumerate(table.parts):
        yield from (row.text for row in part.dropped)
        if i and part.caption is not None:
            yield part.caption.text


def differences(printed: Sequence[str], read: Counter[str]) -> tuple[Counter[str], Counter[str]]:
    """Return the words that are printed and not read, and those that are read and not printed."""
    left = Counter(read)
    rest: list[str] = []
    for word in printed:
        if left[word]:
            left[word] -= 1
        else:
            rest.append(word)
    lost: Counter[str] = Counter()
    i = 0
    while i < len(rest):
        taken = _joined(rest[i : i + BROKEN_OVER], left)
        if not taken and not _parted(rest[i], left):
            lost[rest[i]] += 1
        i += taken or 1
    return lost, +left


def _joined(pieces: Sequence[str], left: Counter[str]) -> int:
    """Return how many of the pieces make one word that is left, which is taken; 0 when they make none."""
    for n in range(2, len(pieces) + 1):
        word = "".join(pieces[:n])
        if left[word]:
            left[word] -= 1
            return n
    return 0


def _parted(word: str, left: Counter[str]) -> bool:
    """Return whether the word is two that are left, which are taken."""
    for cut in range(1, len(word)):
        wanted = Counter([word[:cut], word[cut:]])
        if all(left[piece] >= n for piece, n in wanted.items()):
            left.subtract(wanted)
            return True
    return False


def misplaced_words(truth: Sequence[str], words: Mapping[str, Sequence[str]]) -> Counter[str]:
    """Return the words of the truth's body that a reading has in furniture or a figure only."""
    true = Counter(w for text in truth for w in words_of(text) if _is_long(w))
    body = Counter([*words["component"], *words["table cell"]])
    hidden = Counter([*words["figure"], *words["furniture"]])
    return (true - body) & hidden


def _is_long(word: str) -> bool:
    return len(word) >= LEAST_LETTERS and word.isalpha()


def _letters(words: Mapping[str, int]) -> int:
    return sum(len(word) * n for word, n in words.items())


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 5) if whole else None


def _most(words: Counter[str], shown: int = 12) -> list[str]:
    """Return the words that are most letters in all, each once."""
    ordered: Iterable[str] = sorted(words, key=lambda w: (-len(w) * words[w], w))
    return list(ordered)[:shown]
