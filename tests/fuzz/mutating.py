"""Inputs made of other inputs: pieces of the language are lost, doubled, moved, nested, and taken from elsewhere.

A change of single bytes mostly gives text with a wrong letter in it. These changes know what a tag, a command or a value is,
and so get deeper into a reader. The same seed gives the same input. The folder ``pieces`` has what is put in, a line each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from reading import LANGUAGES, Language

MAX_BYTES: Final = 8_000
_MOST_STEPS: Final[dict[Language, int]] = {"html": 6, "latex": 6, "docling": 2}  # one fault in JSON is enough to refuse it
_NUMBERS: Final = (0, -1, 1, 2, 3, 7, 255, 65_536, 2**31, 2**63, 10**30, -(10**30))
_LONG: Final = "9" * 4_500  # more digits than Python reads
_STRANGE: Final = (
    "\0",
    "\ufeff",
    "\ud7ff",
    "\uffff",
    "\u202e",
    "é",
    "e\u0301",
    "𝔄",
    "²",
    "٣",
    "Ⅷ",
    "\u2028",
    "\x1b",
    "ﬁ",
    "\u00ad",
)

_TOKENS: Final[dict[Language, re.Pattern[str]]] = {
    "html": re.compile(r"<!--.*?-->|<[^<>]*>?|&[#\w]+;?|[^<&]+", re.DOTALL),
    "latex": re.compile(r"\\[A-Za-z@]+\*?|\\.|%[^\n]*\n?|[{}$&#^_~\[\]]|\s+|[^\\{}$&#^_~\[\]%\s]+|.", re.DOTALL),
    "docling": re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^"{}\[\]:,]+', re.DOTALL),
}
_PIECES: Final[dict[Language, tuple[str, ...]]] = {
    language: tuple((Path(__file__).parent / "pieces" / f"{language}.txt").read_text(encoding="utf-8").splitlines())
    for language in LANGUAGES
}
_LABELS: Final = (
    *("title", "section_header", "text", "paragraph", "list_item", "formula", "caption", "footnote", "page_header", "code"),
    *("reference", "table", "picture", "chart", "document_index", "checkbox_selected", "marker", "field_item", "", "nonsense"),
)


def mutated(language: Language, data: bytes, others: Sequence[bytes], rng: Random, max_bytes: int = MAX_BYTES) -> bytes:
    """Return another input: the given one after a few changes; `others` lend pieces."""
    for _ in range(1 + rng.randrange(_MOST_STEPS[language])):
        other = rng.choice(others) if others else data
        if language == "docling" and rng.randrange(40):
            data = _json_changed(data, other, rng)
        elif rng.randrange(20) == 0:
            data = _bytes_changed(data, rng)
        else:
            data = _text_changed(language, data, other, rng)
    return data[:max_bytes]


# ---- text as pieces of its language ---------------------------------------------------------------------------------


def _text_changed(language: Language, data: bytes, other: bytes, rng: Random) -> bytes:
    find = _TOKENS[language].findall
    tokens, lent = (find(d.decode("utf-8", errors="replace")) for d in (data, other))
    change = rng.choice(_CHANGES)
    changed = change(tokens, lent or ["a"], _PIECES[language], rng)
    return "".join(changed).encode("utf-8", errors="replace")


def _stretch(tokens: Sequence[str], rng: Random, most: int = 30) -> tuple[int, int]:
    start = rng.randrange(len(tokens) + 1)
    return start, min(len(tokens), start + 1 + rng.randrange(most))


def _lose(tokens: list[str], _lent: list[str], _pieces: tuple[str, ...], rng: Random) -> list[str]:
    start, end = _stretch(tokens, rng)
    return tokens[:start] + tokens[end:]


def _double(tokens: list[str], _lent: list[str], _pieces: tuple[str, ...], rng: Random) -> list[str]:
    start, end = _stretch(tokens, rng)
    times = rng.choice((1, 1, 2, 60))
    return tokens[:end] + tokens[start:end] * times + tokens[end:]


def _move(tokens: list[str], _lent: list[str], _pieces: tuple[str, ...], rng: Random) -> list[str]:
    start, end = _stretch(tokens, rng)
    rest = tokens[:start] + tokens[end:]
    at = rng.randrange(len(rest) + 1)
    return rest[:at] + tokens[start:end] + rest[at:]


def _lend(tokens: list[str], lent: list[str], _pieces: tuple[str, ...], rng: Random) -> list[str]:
    start, end = _stretch(lent, rng, 80)
    at = rng.randrange(len(tokens) + 1)
    return tokens[:at] + lent[start:end] + tokens[at + rng.randrange(2) :]


def _insert(tokens: list[str], _lent: list[str], pieces: tuple[str, ...], rng: Random) -> list[str]:
    at = rng.randrange(len(tokens) + 1)
    new = [rng.choice(pieces) for _ in range(1 + rng.randrange(3))]
    return tokens[:at] + new + tokens[at:]


def _nest(tokens: list[str], _lent: list[str], pieces: tuple[str, ...], rng: Random) -> list[str]:
    at = rng.randrange(len(tokens) + 1)
    return tokens[:at] + [rng.choice(pieces)] * rng.choice((3, 40, 400)) + tokens[at:]


def _spoil(tokens: list[str], _lent: list[str], _pieces: tuple[str, ...], rng: Random) -> list[str]:
    if not tokens:
        return tokens
    at = rng.randrange(len(tokens))
    token = tokens[at]
    cut = rng.randrange(len(token) + 1)
    numbers = [*re.finditer(r"\d+", token)]
    if numbers and rng.randrange(2):
        found = rng.choice(numbers)
        token = f"{token[: found.start()]}{rng.choice((*_NUMBERS, _LONG))}{token[found.end() :]}"
    else:
        token = token[:cut] + rng.choice(("", *_STRANGE)) + token[cut + rng.randrange(2) :]
    return [*tokens[:at], token, *tokens[at + 1 :]]


_CHANGES: Final[tuple[Callable[[list[str], list[str], tuple[str, ...], Random], list[str]], ...]] = (
    _lose,
    _double,
    _move,
    _lend,
    _insert,
    _insert,
    _nest,
    _spoil,
)


def _bytes_changed(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.randrange(4)) + data[at + rng.randrange(4) :]


# ---- JSON as a tree -------------------------------------------------------------------------------------------------


def _json_changed(data: bytes, other: bytes, rng: Random) -> bytes:
    try:
        tree, lent = json.loads(data), json.loads(other)
    except (ValueError, RecursionError):
        return _text_changed("docling", data, other, rng)
    places, lent_places = list(_places(tree)), list(_places(lent))
    if not places:
        return data
    holder, key = rng.choice(places)
    value = holder[key]
    match rng.randrange(8):
        case 0:
            del holder[key]
        case 1:
            holder[key] = rng.choice((None, True, "", [], {}, 0.5, *_NUMBERS, *_STRANGE))
        case 2 if lent_places:
            their_holder, their_key = rng.choice(lent_places)
            holder[key] = their_holder[their_key]
        case 3:
            holder[key] = [value, value] if rng.randrange(2) else {"children": [value]}
        case 4 if isinstance(holder, list):
            holder.insert(rng.randrange(len(holder) + 1), value)
        case 5 if isinstance(value, str):
            texts = [
                rng.choice(_LABELS),
                f"#/texts/{rng.randrange(12)}",
                f"#/groups/{rng.randrange(3)}",
                value + rng.choice(_STRANGE),
            ]
            holder[key] = rng.choice(texts)
        case 6 if isinstance(value, int | float):
            holder[key] = value + rng.choice((-1, 1, 0.5, *_NUMBERS))
        case _:
            their_holder, their_key = rng.choice(places)
            holder[key], their_holder[their_key] = their_holder[their_key], value
    try:
        return json.dumps(tree, ensure_ascii=False).encode("utf-8", errors="replace")
    except (ValueError, RecursionError):  # a value was put into itself
        return data


def _places(tree: Any) -> Any:
    """Yield each (list or object, index or key) of the tree."""
    open_ones = [tree]
    while open_ones:
        node = open_ones.pop()
        if isinstance(node, dict | list):
            for key in list(node) if isinstance(node, dict) else range(len(node)):
                yield node, key
                open_ones.append(node[key])
