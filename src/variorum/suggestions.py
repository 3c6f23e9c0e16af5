"""A hint for a name that does not exist: the nearest valid one, or all of them."""

from __future__ import annotations

from collections.abc import Iterable


def nearest_name_hint(name: str, valid: Iterable[str]) -> str:
    """Return ``did you mean NAME?`` when a valid name is close, else ``one of A, B, C``; empty when there is no valid name."""
    from difflib import get_close_matches

    names = list(valid)
    close = get_close_matches(name.lower(), names, n=1)
    if close:
        return f"did you mean {close[0]}?"
    return f"one of {', '.join(names)}" if names else ""
