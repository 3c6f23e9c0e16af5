"""What the commands of LaTeX for signs and accents print: the tables of `pylatexenc` (its one door), and what they lack."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

from variorum.sources.latex_journals import JOURNALS

ACCENTS: Final = {
    "\\'": "\u0301",
    "\\`": "\u0300",
    "\\^": "\u0302",
    '\\"': "\u0308",
    "\\~": "\u0303",
    "\\=": "\u0304",
    "\\.": "\u0307",
    "\\u": "\u0306",
    "\\v": "\u030c",
    "\\H": "\u030b",
    "\\c": "\u0327",
    "\\k": "\u0328",
    "\\r": "\u030a",
    "\\d": "\u0323",
    "\\b": "\u0331",
    "\\t": "\u0361",
    "\\hat": "\u0302",
    "\\widehat": "\u0302",
    "\\tilde": "\u0303",
    "\\widetilde": "\u0303",
    "\\bar": "\u0304",
    "\\dot": "\u0307",
    "\\ddot": "\u0308",
    "\\vec": "\u20d7",
    "\\acute": "\u0301",
    "\\grave": "\u0300",
    "\\breve": "\u0306",
    "\\check": "\u030c",
    "\\mathring": "\u030a",
}
_OWN: Final = {
    "\\ldots": "…",
    "\\dots": "…",
    "\\cdots": "⋯",
    "\\dotsc": "…",
    "\\dotsb": "⋯",
    "\\textellipsis": "…",
    "\\prime": "′",
    "\\ast": "∗",
    "\\star": "⋆",
    "\\circ": "∘",
    "\\textdegree": "°",
    "\\degree": "°",
    "\\checkmark": "✓",
    "\\cmark": "✓",
    "\\xmark": "✗",
    "\\textbar": "|",
    "\\textless": "<",
    "\\textgreater": ">",
    "\\lt": "<",
    "\\gt": ">",
    "\\textasciitilde": "~",
    "\\textasciicircum": "^",
    "\\textbackslash": "\\",
    "\\textunderscore": "_",
    "\\_": "_",
    "\\%": "%",
    "\\&": "&",
    "\\#": "#",
    "\\$": "$",
    "\\{": "{",
    "\\}": "}",
    "\\lbrace": "{",
    "\\rbrace": "}",
    "\\lbrack": "[",
    "\\rbrack": "]",
    "\\|": "∥",
    "\\Vert": "∥",
    "\\lVert": "∥",
    "\\rVert": "∥",
    "\\lg": "lg",
    "\\CIRCLE": "●",
    "\\Circle": "○",
    "\\LEFTcircle": "◐",
    "\\vert": "|",
    "\\lvert": "|",
    "\\rvert": "|",
    "\\mid": "∣",
    "\\colon": ":",
    "\\S": "§",
    "\\P": "¶",
    "\\dag": "†",
    "\\ddag": "‡",
    "\\textdagger": "†",
    "\\textdaggerdbl": "‡",
    "\\textasteriskcentered": "∗",
    "\\copyright": "©",
    "\\textregistered": "®",
    "\\texttrademark": "™",
    "\\pounds": "£",
    "\\euro": "€",
    "\\texteuro": "€",
    "\\LaTeX": "LaTeX",
    "\\TeX": "TeX",
    "\\BibTeX": "BibTeX",
    "\\textbullet": "•",
    "\\textmu": "µ",
    "\\micron": "µm",
    "\\textonehalf": "½",
    "\\lq": "‘",
    "\\rq": "’",
    "\\textquotesingle": "'",
    "\\textquoteleft": "‘",
    "\\textquoteright": "’",
    "\\textquotedblleft": "“",
    "\\textquotedblright": "”",
    "\\textendash": "–",
    "\\textemdash": "—",
    "\\newblock": " ",
    "\\i": "ı",
    "\\j": "ȷ",
    "\\arcsec": "″",
    "\\arcmin": "′",
    "\\deg": "deg",
    "\\ion": "",
    "\\Sun": "⊙",
    "\\odot": "⊙",
    "\\sun": "⊙",
    "\\earth": "⊕",
    "\\lesssim": "≲",
    "\\gtrsim": "≳",
    "\\setminus": "∖",
    "\\implies": "⟹",
    "\\iff": "⟺",
    "\\mod": "mod",
    "\\bmod": "mod",
    "\\nodata": "…",
    "\\And": " ",
    "\\AND": " ",
    "\\and": " ",
    "\\varnothing": "∅",
    "\\emptyset": "∅",
    "\\epsilon": "ϵ",
    "\\phi": "ϕ",
    "\\varepsilon": "ε",
    "\\varphi": "φ",
}
_SPACES: Final = frozenset(
    ("\\quad", "\\qquad", "\\ ", "\\enspace", "\\enskip", "\\hfill", "\\hfil", "\\space", "\\\t", "\\\n")
)
_THIN: Final = frozenset(("\\,", "\\;", "\\:", "\\>", "\\thinspace", "\\medspace", "\\thickspace"))
_NOTHING: Final = frozenset(("\\!", "\\/", "\\@", "\\-", "\\left", "\\right", "\\middle", "\\null"))


@cache
def _signs() -> dict[str, str]:
    from pylatexenc.latex2text import get_default_latex_context_db

    found = {}
    for spec in get_default_latex_context_db().iter_macro_specs():
        if isinstance(spec.simplify_repl, str) and "%" not in spec.simplify_repl and "\n" not in spec.simplify_repl:
            found["\\" + spec.macroname] = spec.simplify_repl
    return found | JOURNALS | _OWN


def sign_of(command: str, *, math: bool = False) -> str | None:
    """Return what a command without arguments prints, a space for spaces, None for a command that is not known."""
    if command in _NOTHING:
        return ""
    if command in _SPACES:
        return " "
    if command in _THIN:
        return "" if math else "\u2009"
    return _signs().get(command)


def accented(command: str, text: str) -> str:
    """Return the text with the accent of a command on its first letter."""
    if not text:
        return ""
    base = {"ı": "i", "ȷ": "j"}.get(text[0], text[0])
    return unicodedata.normalize("NFC", base + ACCENTS[command]) + text[1:]


_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def alphabetic(value: int) -> str:
    """Return a count as a letter: 1 is ``a``; behind ``z`` comes ``aa``."""
    text = ""
    while value > 0:
        value, rest = divmod(value - 1, len(_LETTERS))
        text = _LETTERS[rest] + text
    return text
