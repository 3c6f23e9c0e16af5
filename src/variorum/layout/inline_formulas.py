"""Formulas in running text: which characters of a line are mathematics, and where these stand in the text of a paragraph.

What is set in a mathematical font is mathematics, and what is raised or lowered beside it. Figures, brackets, operators and
names of functions belong to it where they stand close to it: behind an operator, within its brackets. Nothing else is taken for
mathematics, so that a paper without mathematical fonts has no formulas here: letters in italics are emphasis as often.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from variorum.layout.formula_signs import FUNCTIONS, RELATIONS, is_mathematical_font
from variorum.layout.model import PrintLine, Run
from variorum.layout.scripts import texts_of_runs

Kind = Literal["sign", "operator", "script", "number", "letter", "function", "open", "close", "comma", "text"]
_ATOM: Final = re.compile(
    r"(?P<number>\d+(?:[.,]\d+)*)|(?P<word>[^\W\d_]+)|(?P<open>[(\[{⟨⌊⌈])|(?P<close>[)\]}⟩⌋⌉])|(?P<comma>[,;.:])|(?P<other>\S)"
)
_GLUE: Final = frozenset("all and for if not or otherwise st subject to where with".split())  # noqa: SIM905
_MARKS: Final = "∗*†‡§¶•◦★♯✓✗■□▪▫●○"
"""Signs of mathematical fonts that are marks in a text as often."""
_STARS: Final = "∗*"
_PAIRS: Final = dict(zip("([{⟨⌊⌈", ")]}⟩⌋⌉", strict=True))
_NO_BEGINNING: Final = ("comma", "close", "letter", "function")
_POWER_OF: Final = "10"
_HYPHENS: Final = "-\u2010\u00ad"


@dataclass(frozen=True, slots=True)
class _Atom:
    """A piece of a line's text: where it stands there, what it is, and whether it is mathematics by itself (`is_sure`)."""

    start: int
    end: int
    text: str
    kind: Kind
    space_before: bool
    is_sure: bool


def formulas_in(line: PrintLine) -> tuple[tuple[int, int], ...]:
    """Return where the formulas of a line stand in its text, in order: from which character, to before which."""
    atoms = list(_atoms(line))
    chains = (_trimmed(chain, atoms[-1]) for chain in _chains(atoms))
    return tuple((chain[0].start, chain[-1].end) for chain in chains if any(a.is_sure for a in chain))


def formulas_in_text(lines: Sequence[PrintLine], text: str) -> tuple[tuple[int, int], ...]:
    """Return where the formulas of lines stand in the text that these make when they are joined.

    One that goes on in the next line is one; those of a line whose text is not found in the text are left out.
    """
    found: list[tuple[int, int]] = []
    at = 0
    for line in lines:
        own = line.text
        place, shift = _place(own, text, at)
        if place < 0:
            continue
        for start, end in formulas_in(line):
            if start < shift or text[place + start - shift : place + end - shift] != own[start:end]:
                continue
            start, end = place + start - shift, place + end - shift
            if found and _goes_on(text, found[-1], start):
                found[-1] = (found[-1][0], end)
            else:
                found.append((start, end))
        at = place + len(own.rstrip(_HYPHENS)) - shift
    return tuple(found)


def cut_at(spans: Sequence[tuple[int, int]], text: str, others: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans of a text as far as they stand before any of `others` (citations): none reaches into one."""
    for start, end in spans:
        inside = [at for at, before in others if at < end and start < before]
        stop = min(inside, default=end)
        while stop > start and text[stop - 1].isspace():
            stop -= 1
        if stop > start:
            yield start, stop


def _place(own: str, text: str, at: int) -> tuple[int, int]:
    """Return where a line's text stands in the whole from `at` on, -1 when it does not, and how much of its beginning the
    whole lacks: the label of an item, a footnote or an entry."""
    bare = own.rstrip(_HYPHENS)
    place = text.find(bare, at)
    if place >= 0 or at > 0:
        return place, 0
    label = re.match(r"\S+\s*", bare)
    shift = label.end() if label is not None else 0
    return (text.find(bare[shift:]) if bare[shift:] else -1), shift


def _goes_on(text: str, before: tuple[int, int], start: int) -> bool:
    if text[before[1] : start].strip():
        return False
    last, first = text[before[1] - 1], text[start]
    return _is_operator(last) or _is_operator(first)


# ---- atoms -------------------------------------------------------------------------------------------------------------


def _atoms(line: PrintLine) -> Iterator[_Atom]:
    at = 0
    before: _Atom | None = None
    for text, runs in texts_of_runs(line.runs):
        space = runs[0].space_before and at > 0
        at += space
        for atom in _atoms_of(text, runs, at, space=space, before=before):
            yield atom
            before = atom
        at += len(text)


def _atoms_of(text: str, runs: Sequence[Run], at: int, *, space: bool, before: _Atom | None) -> Iterator[_Atom]:
    """Yield the atoms of a text that begins at a place of the line, behind the atom `before`."""
    is_maths = any(is_mathematical_font(run.font) for run in runs)
    if runs[0].script:
        plain = "".join(run.text for run in runs)
        yield _Atom(at, at + len(text), text, "script", space, _is_index(plain, is_maths=is_maths, before=before, space=space))
        return
    end = 0
    for match in _ATOM.finditer(text):
        kind = _kind(match, is_maths=is_maths)
        is_spaced = text[end : match.start()] != "" or (end == 0 and space)
        if is_maths and match[0] in _STARS and before is not None and before.is_sure and not is_spaced:
            kind = "sign"  # the conjugate of what is before it
        is_sure = is_maths and kind in ("sign", "operator", "number") and match[0] not in _MARKS
        before = _Atom(at + match.start(), at + match.end(), match[0], kind, is_spaced, is_sure)
        yield before
        end = match.end()


def _kind(match: re.Match[str], *, is_maths: bool) -> Kind:
    if match["number"]:
        return "number"
    if match["word"]:
        word = match["word"]
        if is_maths:
            return "sign"
        if word in FUNCTIONS and word not in _GLUE:
            return "function"
        return "letter" if len(word) == 1 else "text"
    if match["open"]:
        return "open"
    if match["close"]:
        return "close"
    if match["comma"]:
        return "comma"
    if _is_operator(match[0]):
        return "operator"
    return "sign" if is_maths and match[0] not in _MARKS else "text"


def _is_operator(sign: str) -> bool:
    return (unicodedata.category(sign) == "Sm" or sign in "/|∣·") and sign not in _MARKS


def _is_index(text: str, *, is_maths: bool, before: _Atom | None, space: bool) -> bool:
    """Return whether small type is an index or a power, and no mark of a note: by its font, its signs, or what it stands at."""
    if before is None or all(c in _MARKS for c in text) or (space and not (is_maths and before.is_sure)):
        return False
    is_greek = unicodedata.name(before.text[-1], "").startswith("GREEK")
    if (
        before.is_sure
        or (before.kind == "letter" and is_greek)
        or (is_maths and before.kind in ("letter", "close", "number", "script"))
    ):
        return True
    if before.kind == "number":
        return before.text == _POWER_OF or any(unicodedata.category(c) == "Sm" for c in text)
    return before.kind == "letter" and before.space_before and any(unicodedata.category(c) == "Sm" for c in text)


# ---- chains ------------------------------------------------------------------------------------------------------------


def _chains(atoms: Sequence[_Atom]) -> Iterator[list[_Atom]]:
    """Yield the atoms in chains that may be formulas, those of the text alone left out."""
    chain: list[_Atom] = []
    depth = 0
    for i, atom in enumerate(atoms):
        following = atoms[i + 1] if i + 1 < len(atoms) else None
        if chain and not _holds(chain, atom, following, depth):
            yield chain
            chain, depth = [], 0
        if atom.kind == "text":
            continue
        depth = max(0, depth + (atom.kind == "open") - (atom.kind == "close"))
        chain.append(atom)
    if chain:
        yield chain


def _holds(chain: Sequence[_Atom], atom: _Atom, following: _Atom | None, depth: int) -> bool:
    """Return whether an atom goes on with the chain before it; `depth` is the number of brackets that are open."""
    last = chain[-1]
    if atom.kind == "text":
        return False
    if atom.kind == "script":
        return atom.is_sure or not atom.space_before
    if not atom.space_before:
        if atom.kind == "comma" and last.kind == "number" and following is not None:
            return depth > 0 or (following.kind == "number" and not following.space_before)
        return last.kind != "comma" or depth > 0 or atom.is_sure or atom.kind == "number"
    base = next((a for a in reversed(chain) if a.kind != "script"), last)
    if atom.kind == "operator" or last.kind == "function" or base.kind == "operator":
        return True
    return depth > 0 and (last.kind == "comma" or atom.kind == "function") and atom.kind != "letter"


def _trimmed(chain: list[_Atom], line_end: _Atom) -> list[_Atom]:
    """Return a chain without what belongs to the sentence: signs of punctuation, brackets around it or without their other.

    An operator ends a formula only where it ends the line, and the next one may go on with it.
    """
    while chain:
        first, last = chain[0], chain[-1]
        lone = _lone_brackets(chain)
        if first.kind == "script" or (first.kind in _NO_BEGINNING and not first.is_sure and not _is_base(chain)):
            chain = chain[1:]
        elif (
            last.kind in ("comma", "open")
            or (last.kind == "operator" and last is not line_end)
            or (last.kind in ("letter", "function") and last.space_before)
        ):
            chain = chain[:-1]
        elif 0 in lone:
            chain = chain[1:]
        elif len(chain) - 1 in lone:
            chain = chain[:-1]
        elif lone:
            cut = min(lone)
            left, right = chain[:cut], chain[cut + 1 :]
            chain = max(left, right, key=lambda part: sum(a.is_sure for a in part))
        elif _encloses(chain) and not any(a.kind == "comma" for a in chain):
            chain = chain[1:-1]
        else:
            return chain
    return chain


def _is_base(chain: Sequence[_Atom]) -> bool:
    """Return whether the first atom of a chain carries the second: the base of an index, a function's name before it."""
    if len(chain) < 2:
        return False
    first, second = chain[0], chain[1]
    if first.kind == "letter":
        is_beside = not second.space_before and (second.is_sure or second.kind in ("open", "script"))
        return is_beside or second.text in RELATIONS
    return first.kind == "function"


def _lone_brackets(chain: Sequence[_Atom]) -> set[int]:
    """Return the positions of brackets whose other is not in the chain; halves of an interval are taken for each other's."""
    opened: list[int] = []
    lone: set[int] = set()
    for i, atom in enumerate(chain):
        if atom.kind == "open":
            opened.append(i)
        elif atom.kind == "close":
            if opened:
                opened.pop()
            else:
                lone.add(i)
    return lone | set(opened)


def _encloses(chain: Sequence[_Atom]) -> bool:
    """Return whether the first and last atoms are a pair of brackets around all others."""
    if len(chain) < 2 or _PAIRS.get(chain[0].text) != chain[-1].text:
        return False
    depth = 0
    for atom in chain[:-1]:
        depth += (atom.kind == "open") - (atom.kind == "close")
        if depth == 0:
            return False
    return True
