"""Texts made comparable: what of a cell's text is an accident of printing, and what is its content."""

from __future__ import annotations

import unicodedata

from variorum.tables.post.cell_cleaning import LIGATURES

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"), "-")
_LIGATURES = {ord(sign): letters for sign, letters in LIGATURES.items()}
_LOOK_ALIKES = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u2032\u00b4`"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u2033"), '"'),
    0x2217: "*",
    0x223C: "~",
    0x2223: "|",
    0x22C5: "\u00b7",
}


def normalise(text: str) -> str:
    """Return the text with white space collapsed, dashes, hyphens and minus signs as ``-``, and ligatures as letters."""
    return " ".join(text.translate(_DASHES).translate(_LIGATURES).split())


def normalise_loosely(text: str) -> str:
    """Return the text without white space and format characters, in NFKC, with dashes, quotes and look-alike signs folded.

    For truth that was not taken from the page itself: its white space and its choice among equal signs are not the page's.
    Case and all other signs count.
    """
    folded = unicodedata.normalize("NFKC", text.translate(_LOOK_ALIKES)).translate(_LOOK_ALIKES).translate(_DASHES)
    return "".join(c for c in folded if not c.isspace() and unicodedata.category(c) not in ("Cc", "Cf"))
