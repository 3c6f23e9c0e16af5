"""Cursors: where an answer goes on. They name the call and the state of the index, and are worth nothing for any other."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from variorum.errors import UsageError

T = TypeVar("T")

MOST_CHARACTERS: Final = 40_000
"""Characters of text in one answer: about ten thousand tokens of a language model."""
_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class Call:
    """A call that may go on: its tool, its arguments without the cursor, and what tells the state of the index that it asks."""

    tool: str
    arguments: Mapping[str, Any]
    state: Callable[[], str]

    def start(self, cursor: str | None) -> int:
        """Return the place at which the answer goes on, 0 without a cursor.

        Raises UsageError for a text that is no cursor, or one of another call, or of the index as it was before.
        """
        if cursor is None:
            return 0
        hint = "the same call without a cursor, from the beginning"
        try:
            place, call, state = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii")))
        except (ValueError, TypeError, RecursionError, binascii.Error):
            raise UsageError("this is no cursor that a tool gave", where="cursor", hint=hint) from None
        if call != self._name():
            raise UsageError("this cursor belongs to a call with other arguments", where="cursor", hint=hint)
        if state != self.state()[:_DIGITS]:
            raise UsageError("the index has changed since this cursor was given", where="cursor", hint=hint)
        if isinstance(place, bool) or not isinstance(place, int) or place < 0:
            raise UsageError("this is no cursor that a tool gave", where="cursor", hint=hint)
        return place

    def cursor(self, place: int) -> str:
        """Return the cursor of a place."""
        text = json.dumps([place, self._name(), self.state()[:_DIGITS]])
        return base64.urlsafe_b64encode(text.encode()).decode("ascii")

    def _name(self) -> str:
        text = json.dumps([self.tool, dict(self.arguments)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def page(sizes: Sequence[int], start: int, most: int) -> int:
    """Return where a page that begins at `start` ends: `most` parts at most, and of what is too long at least one.

    `sizes` are the characters of all parts.
    """
    total = 0
    for place in range(start, min(len(sizes), start + most)):
        total += sizes[place]
        if total > MOST_CHARACTERS and place > start:
            return place
    return min(len(sizes), start + most)
