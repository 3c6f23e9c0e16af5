r"""Macros that never come to an end, found at their second call and not after millions of signs.

A macro without arguments whose expansion calls it again before anything below it was read does the same for ever: nothing that
it could depend on has changed. That is a proof, and not a guess by depth or length. Whatever could change the course (a
definition, a condition, a look at what follows) begins the proof anew, so that loops which do end are never refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class OpenCalls:
    """The calls in whose expansion the reading stands, each with the number of tokens that lay below it."""

    _calls: list[tuple[str, int]] = field(default_factory=list)
    _names: set[str] = field(default_factory=set)

    def is_endless(self, name: str, below: int) -> bool:
        """Return whether this call of a macro without arguments is one of its own expansion; it is open from now on.

        `below` is how many tokens are left behind the call.
        """
        self.reach(below)
        if name in self._names:
            return True
        self._calls.append((name, below))
        self._names.add(name)
        return False

    def reach(self, below: int) -> None:
        """Close the calls whose expansion was left: so few tokens are not left as long as it is read."""
        while self._calls and self._calls[-1][1] > below:
            self._names.discard(self._calls.pop()[0])

    def forget(self) -> None:
        """Close all calls: something was done on which what follows may depend."""
        if self._calls:
            self._calls.clear()
            self._names.clear()
