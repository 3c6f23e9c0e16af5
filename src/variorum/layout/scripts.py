"""Raised and lowered characters as readable Unicode (``x²``, ``H₂O``); without such signs, ``x_{max,q}``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from variorum.layout.model import Run

_RAISED: Final = dict(
    zip(
        "0123456789+-−–=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδθφχ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᶿᵠᵡ",
        strict=True,
    )
)
_LOWERED: Final = dict(
    zip(
        "0123456789+-−–=()aehijklmnoprstuvxβγρφχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
        strict=True,
    )
)
# signs that are raised by nature or cannot be mistaken for anything but a mark: they need no brackets to be read
_MARKS: Final = frozenset(",;*∗†‡§¶‖#◦′″°'’ᵃªº⋆★☆✉")


def raised(text: str) -> str:
    """Return the text as superscript."""
    return _set(text, _RAISED, "^")


def lowered(text: str) -> str:
    """Return the text as subscript."""
    return _set(text, _LOWERED, "_")


def _set(text: str, signs: dict[str, str], mark: str) -> str:
    if all(c in signs or c in _MARKS for c in text):
        return "".join(signs.get(c, c) for c in text)
    return f"{mark}{text}" if len(text) == 1 else f"{mark}{{{text}}}"


def text_of_runs(runs: Sequence[Run]) -> str:
    """Return the text of runs, with spaces where they stand and scripts as Unicode."""
    return "".join((" " if group[0].space_before else "") + text for text, group in texts_of_runs(runs)).strip()


def texts_of_runs(runs: Sequence[Run]) -> Iterator[tuple[str, Sequence[Run]]]:
    """Yield the texts that make up that of the runs, without the spaces between, each with its runs: several for a script."""
    i = 0
    while i < len(runs):
        j = i + 1
        while j < len(runs) and runs[j].script == runs[i].script and runs[i].script and not runs[j].space_before:
            j += 1
        text = "".join(r.text for r in runs[i:j])
        yield raised(text) if runs[i].script == "sup" else lowered(text) if runs[i].script == "sub" else text, runs[i:j]
        i = j
