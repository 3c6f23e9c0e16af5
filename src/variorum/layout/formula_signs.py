"""What mathematics is made of, by fonts and signs: which type is mathematical, which words are names of functions."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_FONT: Final = re.compile(
    r"cm(mi|sy|ex|bsy|mib)|lmmath|ms[ab]m|eufm|eusm|rsfs|wasy|stmary|bbm|dsrom|euler|eurm|eurb|euex|"
    r"tx(mia|sys|exs|sy|ex|bmia|bsys)|px(mia|sys|exs|sy|ex)|math|symbol|mt(mi|sy|ex)|zptm|psy(m|ro)|fourier-|esint|"
    r"stix\w*(var|siz|int|nonuni)|mtextra|mjx|yhcmex|lasy",
    re.IGNORECASE,
)
_FUNCTIONS: Final = """
arccos arcsin arctan arg argmax argmin cos cosh cot cov csc deg det diag dim erf exp gcd hom id inf ker lim liminf limsup ln log
max min mod pr rank re sec sgn sign sin sinh sup tan tanh tr var vec softmax sigmoid relu
all and for if not or otherwise st subject to where with
"""
FUNCTIONS: Final = frozenset(_FUNCTIONS.split())
"""Words that stand in formulas as names of functions or as glue, and do not make a line a sentence."""
RELATIONS: Final = frozenset("=≈≃≅≡≠<>≤≥⩽⩾≪≫∼∝∈∉⊂⊆⊃⊇→←↔⇒⇐⇔↦≜≐≺≻⪯⪰⊢⊨≲≳≔")
"""Signs between the two sides of a statement."""
LARGE: Final = frozenset("∑∏∐∫∬∭∮⋃⋂⨁⨂⨀⨄⋁⋀⨆")
"""Signs that carry limits above and below."""
CONTINUING: Final = frozenset("=≈≃≅≡≠<>≤≥⩽⩾≪≫∼∝∈⊂⊆→⇒⇔≜+−-±×·⋅∪∩∧∨⊕⊗⊙/")
"""Signs with which a line goes on that the line above has begun."""
LIMITED: Final = frozenset(("lim", "max", "min", "sup", "inf", "argmax", "argmin", "liminf", "limsup"))
"""Names of functions that carry limits as large signs do."""
BRACES: Final = "⏞⏟⎜⎢⎪⎟⎥⎮"
"""The tips of braces over and under, and what makes brackets tall: they say nothing in a line of text."""


def is_mathematical_font(font: str) -> bool:
    """Return whether a font's name says that it holds mathematical letters or signs."""
    return _FONT.search(font) is not None


def is_mathematical_sign(char: str) -> bool:
    """Return whether a character is an operator, a relation, a Greek letter or a letter from the mathematical alphabets."""
    if unicodedata.category(char) == "Sm":
        return True
    name = unicodedata.name(char, "")
    return name.startswith(
        ("MATHEMATICAL", "GREEK", "DOUBLE-STRUCK", "SCRIPT CAPITAL", "SCRIPT SMALL", "BLACK-LETTER", "PRIME")
    )
