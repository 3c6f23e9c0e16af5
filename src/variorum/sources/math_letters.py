"""Which forms of letters a formula keeps, the same for every source that has mathematics.

Script, Fraktur and double-struck letters are other letters to a mathematician, and stay: ``ℒ`` is no ``L``, ``ℝ`` no ``R``.
Weight, slant and family of a letter are type: ``𝐱``, ``𝒙``, ``𝗑`` and ``𝚡`` read ``x``, and a bold ``𝟏`` reads ``1``, so that
a search for the letter finds it. Unicode has a sign for each of them (Unicode Technical Report 25, 2.2).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Final

_KEPT: Final = {
    "script": ("SCRIPT", "BOLD SCRIPT"),
    "fraktur": ("FRAKTUR", "BLACK-LETTER", "BOLD FRAKTUR"),
    "double-struck": ("DOUBLE-STRUCK",),
}
"""By form: how the names of its letters begin, behind MATHEMATICAL."""
_FORM_OF: Final = {
    "script": "script",
    "bold-script": "script",
    "fraktur": "fraktur",
    "bold-fraktur": "fraktur",
    "double-struck": "double-struck",
}
"""By ``mathvariant`` of MathML: the form that is kept."""


def script(text: str) -> str:
    """Return letters in script (``ℒ``), other signs as they are: what ``\\mathcal`` prints."""
    return "".join(_in_form("script", c) for c in text)


def fraktur(text: str) -> str:
    """Return letters in Fraktur (``𝔤``), other signs as they are."""
    return "".join(_in_form("fraktur", c) for c in text)


def double_struck(text: str) -> str:
    """Return letters and figures double-struck (``ℝ``, ``𝟙``), other signs as they are."""
    return "".join(_in_form("double-struck", c) for c in text)


def read_letters(text: str, variant: str | None = None) -> str:
    """Return the letters of a formula in the forms that are kept; `variant` is the ``mathvariant`` of MathML around them."""
    if text.isascii() and variant is None:
        return text
    setting: Callable[[str], str] | None = {"script": script, "fraktur": fraktur, "double-struck": double_struck}.get(
        _FORM_OF.get(variant or "", "")
    )
    plain = "".join(map(_plain, text))
    return plain if setting is None else setting(plain)


@cache
def _plain(sign: str) -> str:
    """Return a sign without weight, slant and family; one in a form that is kept keeps the form."""
    name = unicodedata.name(sign, "")
    if not name.startswith("MATHEMATICAL ") or unicodedata.category(sign) not in ("Lu", "Ll", "Nd"):
        return sign
    bare = unicodedata.normalize("NFKC", sign)
    rest = name.removeprefix("MATHEMATICAL ")
    form = next((form for form, names in _KEPT.items() if rest.startswith(names)), None)
    return bare if form is None else _in_form(form, bare)


@cache
def _in_form(form: str, sign: str) -> str:
    """Return a letter or figure in a form; one that Unicode does not have in it as it is."""
    if not (sign.isascii() and sign.isalnum()):
        return sign
    case = "DIGIT" if sign.isdigit() else "CAPITAL" if sign.isupper() else "SMALL"
    bare = unicodedata.name(sign).rpartition(" ")[2]
    for kind in _KEPT[form]:
        for name in (f"MATHEMATICAL {kind} {case} {bare}", f"{kind} {case} {bare}"):
            try:
                return unicodedata.lookup(name)
            except KeyError:
                continue
    return sign
