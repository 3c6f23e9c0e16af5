"""How far two texts are apart: longest common subsequence and Levenshtein distance, bit-parallel, exact.

Both walk once through the one text with a bit vector over the other; Python's integers make the vector as long as the text.
Sources: H. Hyyrö, Bit-parallel LCS-length computation revisited, AWOCA 2004; G. Myers, A fast bit-vector algorithm for
approximate string matching based on dynamic programming, J. ACM 46 (1999), doi:10.1145/316542.316550, in Hyyrö's form for the
distance of whole texts.
"""

from __future__ import annotations

from functools import lru_cache

_CACHED_PAIRS = 1 << 16


@lru_cache(_CACHED_PAIRS)
def common_subsequence(one: str, other: str) -> int:
    """Return the length of the longest sequence of characters that both texts hold in this order, not necessarily adjacent."""
    places = _places(one)
    full = (1 << len(one)) - 1
    row = full
    for char in other:
        found = row & places.get(char, 0)
        row = ((row + found) | (row - found)) & full
    return len(one) - row.bit_count()


@lru_cache(_CACHED_PAIRS)
def levenshtein(one: str, other: str) -> int:
    """Return the least number of characters to insert, delete or replace that turns the one text into the other."""
    if not one:
        return len(other)
    places = _places(one)
    full, last = (1 << len(one)) - 1, 1 << (len(one) - 1)
    up, down, distance = full, 0, len(one)  # up: the distance grows from this character to the next; down: it falls
    for char in other:
        here = places.get(char, 0)
        diagonal = (((here & up) + up) ^ up) | here | down
        grows, falls = down | (~(diagonal | up) & full), up & diagonal
        distance += bool(grows & last) - bool(falls & last)
        grows, falls = ((grows << 1) | 1) & full, (falls << 1) & full
        up, down = falls | (~(diagonal | grows) & full), grows & diagonal
    return distance


def _places(text: str) -> dict[str, int]:
    """Return for each character a number whose bits are set where the character stands."""
    places: dict[str, int] = {}
    for i, char in enumerate(text):
        places[char] = places.get(char, 0) | 1 << i
    return places
