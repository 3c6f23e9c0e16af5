"""Signs of mathematics that hang from their writing line: sums, integrals, roots and brackets that grow.

TeX keeps them in fonts of their own (``cmex`` and those that follow its encoding, called OMX). They mostly have no Unicode in
the PDF, and hang from their origin, so that they seem to stand in the line above. What they are follows from their place in the
encoding (D. E. Knuth, "Computer Modern Typefaces", 1986; LaTeX's encoding guide); where they stand from their outlines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from variorum.thresholds import ASCENT_EM, COORDINATE_DIGITS, DESCENT_EM

_EXTENSION: Final = re.compile(
    r"(cmex|txexs?|pxexs?|yhcmex|euex|mtex|lmmathextension|ntxexx?|fourier-mex)[-\d]*(-reg[a-z]*)?",
    re.IGNORECASE,
)
_SYMBOLS: Final = re.compile(r"(cmb?sy|txsys?|pxsys?|lmmathsymbols|mtsy)[-\d]*(-reg[a-z]*)?", re.IGNORECASE)
_ROOT: Final = "√"
_OMX: Final = (
    "()[]⌊⌋⌈⌉{}⟨⟩|∥/\\"  # 00: brackets, first size
    "()()[]⌊⌋⌈⌉{}⟨⟩/\\"  # 10: second and third size
    "()[]⌊⌋⌈⌉{}⟨⟩/\\/\\"  # 20: fourth size
    "⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪|"  # 30: the parts of brackets of any size
    "⎝⎠⎜⎟⟨⟩⊔⊔∮∮⨀⨀⨁⨁⨂⨂"  # 40: and signs with limits, for text and for displays
    "∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁"  # 50
    "∐∐ˆˆˆ˜˜˜[]⌊⌋⌈⌉{}"  # 60: wide accents
    "√√√√√||∥↑↓⏞⏞⏟⏟⇑⇓"  # 70: roots; tips of braces over and under
)
_ACCENTS: Final = "ˆ˜⏞⏟"
_PARTS: Final = dict(
    zip(
        "\uf8eb\uf8ec\uf8ed\uf8ee\uf8ef\uf8f0\uf8f1\uf8f2\uf8f3\uf8f4\uf8f5\uf8f6\uf8f7\uf8f8\uf8f9\uf8fa\uf8fb\uf8fc\uf8fd\uf8fe",
        "⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭",
        strict=True,
    )
)
"""The parts of brackets as Adobe's Symbol font has them in the private use area, and as Unicode does."""
BRACKET_PARTS: Final = frozenset(_PARTS.values())
"""The parts that brackets of any height are made of."""
_UNKNOWN: Final = "\ufffd"


@dataclass(frozen=True, slots=True)
class LargeSign:
    """What a hanging sign is, and the y of the writing line that it belongs to: its middle stands on the axis of that line."""

    text: str
    baseline: float


SignPlace = tuple[str, float, float]
"""Font and origin of a sign, by which it is found again."""


def may_hold_large_signs(raw: Mapping[str, Any]) -> bool:
    """Return whether a PyMuPDF ``rawdict`` has a font of large signs, or a root in a font of symbols."""
    return any(_is_extension(font) or (char["c"] == _ROOT and _is_symbols(font)) for font, _, char in _chars(raw))


def large_signs(exact: Mapping[str, Any]) -> dict[SignPlace, LargeSign]:
    """Return the large signs of a page by place, from a ``rawdict`` read with the boxes of outlines and with codes of
    characters in place of unknown Unicode."""
    found: dict[SignPlace, LargeSign] = {}
    for font, size, char in _chars(exact):
        text = char["c"]
        if _is_extension(font):
            code = ord(text[:1] or _UNKNOWN)
            sign = _PARTS.get(text) or (_OMX[code] if code < len(_OMX) else text)
        elif text == _ROOT and _is_symbols(font):
            sign = text
        else:
            continue
        top, bottom, origin = char["bbox"][1], char["bbox"][3], char["origin"][1]
        hangs = sign not in _ACCENTS and sign not in BRACKET_PARTS and bottom > top
        baseline = (top + bottom + (ASCENT_EM - DESCENT_EM) * size) / 2 if hangs else origin
        found.setdefault(place_of(font, char), LargeSign(sign, baseline))
    return found


def place_of(font: str, char: Mapping[str, Any]) -> SignPlace:
    """Return the place of a character of a ``rawdict``."""
    x, y = char["origin"]
    return font, round(x, COORDINATE_DIGITS), round(y, COORDINATE_DIGITS)


def _chars(raw: Mapping[str, Any]) -> Iterator[tuple[str, float, Mapping[str, Any]]]:
    for block in raw["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                for char in span["chars"]:
                    yield str(span["font"]), float(span["size"]), char


def _is_extension(font: str) -> bool:
    return _EXTENSION.fullmatch(font.rpartition("+")[2]) is not None


def _is_symbols(font: str) -> bool:
    return _SYMBOLS.fullmatch(font.rpartition("+")[2]) is not None
