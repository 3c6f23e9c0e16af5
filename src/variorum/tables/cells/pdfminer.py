"""The characters that pdfminer reads, in the places of the table's words.

Two readers of one PDF do not always agree on what a glyph says: fonts carry several maps from glyphs to text, and each reader
trusts another one. Every character of pdfminer goes to the word on whose line it stands, and there to the character that it
covers; its text takes the place of that character's. Where pdfminer reads nothing (a drawn underscore, a glyph without a map),
the word keeps the text that it has. Words are cut at dividers as ``rawdict`` does. Evidence: characters of pdfminer.six by way
of pdfplumber, in PDF points. Abstains where the page is read in a rotated view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from variorum.page.model import Char, PlainChar, Word
from variorum.tables.glued_words import cut_glued
from variorum.tables.model import Abstain, TableContext


class Pdfminer:
    """Assigns pdfminer's characters."""

    name = "pdfminer"

    def pieces(self, ctx: TableContext, col_positions: Sequence[float]) -> tuple[Word, ...]:
        """Return the words of the table with pdfminer's text, those glued over a divider (points) cut in two or more.

        Raises Abstain without a live page.
        """
        words = ctx.once("pdfminer_words", lambda: _reread(ctx))
        return tuple(part for word in words for part in cut_glued(word, col_positions))


def _reread(ctx: TableContext) -> tuple[Word, ...]:
    if not ctx.words:
        return ()
    if ctx.handle is None:
        raise Abstain("the page is read in a rotated view; pdfminer sees it unrotated")
    lines = _lines(ctx.words)
    found: dict[int, dict[int, list[PlainChar]]] = {}
    for char in ctx.handle.pdfminer_chars:
        at = _place(char, ctx.words, lines) if char.text and char.is_level else None
        if at is not None:
            found.setdefault(at[0], {}).setdefault(at[1], []).append(char)
    return tuple(_with_text(word, found.get(i, {})) for i, word in enumerate(ctx.words))


def _lines(words: Sequence[Word]) -> dict[int, list[int]]:
    """Return for every whole y (points) the words whose box is there."""
    lines: dict[int, list[int]] = {}
    for i, word in enumerate(words):
        for y in range(int(word.box.y0), int(word.box.y1) + 1):
            lines.setdefault(y, []).append(i)
    return lines


def _place(char: PlainChar, words: Sequence[Word], lines: dict[int, list[int]]) -> tuple[int, int] | None:
    """Return the indices of the word and of its character that the character covers, or None."""
    middle = char.box.centre[0]
    near = [
        i
        for i in lines.get(int(char.baseline), ())
        if words[i].box.y0 <= char.baseline <= words[i].box.y1 and words[i].box.x0 <= middle <= words[i].box.x1
    ]
    if not near:
        return None
    word = min(near, key=lambda i: (abs(words[i].baseline - char.baseline), i))
    chars = words[word].chars
    shares = [c.box.x_interval.overlap(char.box.x_interval) for c in chars]
    if not any(shares):
        return None
    return word, max(range(len(chars)), key=lambda k: (shares[k], -k))


def _with_text(word: Word, found: dict[int, list[PlainChar]]) -> Word:
    """Return the word with the texts found for its characters; characters that a glyph of several letters covers are part of
    it."""
    chars = tuple(
        replace(char, text=_text(found[i])) if i in found else char
        for i, char in enumerate(word.chars)
        if i in found or not _is_covered(char, found)
    )
    return replace(word, text="".join(c.text for c in chars), chars=chars) if found else word


def _text(found: Sequence[PlainChar]) -> str:
    """Return the texts from left to right; one that was printed twice over itself counts once."""
    ordered = sorted(found, key=lambda c: (c.box.x0, c.box.x1))
    return "".join(dict.fromkeys(c.text for c in ordered))


def _is_covered(char: Char, found: dict[int, list[PlainChar]]) -> bool:
    middle = char.box.centre[0]
    return any(len(c.text) > 1 and c.box.x0 <= middle <= c.box.x1 for same in found.values() for c in same)
