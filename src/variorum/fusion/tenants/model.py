"""What a tenant is: a weight for every source and type, the signals that are on, the sources that must be there."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Final, get_args

from variorum.fusion.model import SOURCES, ComponentType, SourceKind
from variorum.fusion.signals.registry import SIGNAL_NAMES

TYPES: Final[tuple[ComponentType, ...]] = get_args(ComponentType)
"""All types of components, in the order of the matrix."""

DASH: Final = "—"
"""What stands in a matrix where a source never beats another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """One number of the matrix: the confidence in [0, 1] in what a source says of a type, None for ``—``; `origin` is the name
    of the tenant that states it."""

    source: SourceKind
    type: ComponentType
    value: float | None
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """One configuration of a fusion, with all that it inherits.

    `weights` has one for every source and type, by source in the order of `SOURCES`, then by type in that of `TYPES`. `signals`
    are the names of those that are on, in the order of the registry. `inherits` are the names of the tenants that it is built
    on, the nearest first.
    """

    name: str
    version: str
    weights: tuple[Weight, ...]
    signals: tuple[str, ...] = ()
    required_sources: tuple[SourceKind, ...] = ()
    inherits: tuple[str, ...] = ()

    def entry(self, source: SourceKind, kind: ComponentType) -> Weight:
        """Return the number of the matrix for a source and a type."""
        return self.weights[SOURCES.index(source) * len(TYPES) + TYPES.index(kind)]

    def weight(self, source: SourceKind, kind: ComponentType) -> float | None:
        """Return the confidence in [0, 1] for a source and a type; None for ``—``."""
        return self.entry(source, kind).value

    def canonical_text(self) -> str:
        """Return the tenant as TOML that inherits from nothing: all numbers, signals and required sources in effect.

        The same configuration gives the same text, however it was written; `parse_tenant` reads it back.
        """
        required = ", ".join(_quoted(source) for source in self.required_sources)
        lines = [
            f"name = {_quoted(self.name)}",
            f"version = {_quoted(self.version)}",
            f"required_sources = [{required}]",
            "",
            "[signals]",
            *(f"{name} = {'true' if name in self.signals else 'false'}" for name in SIGNAL_NAMES),
        ]
        for source in SOURCES:
            lines += ["", f"[{source}]"]
            for kind in TYPES:
                value = self.weight(source, kind)
                lines.append(f"{kind} = {_quoted(DASH) if value is None else repr(value)}")
        return "\n".join(lines) + "\n"

    @property
    def sha256(self) -> str:
        """The SHA-256 of the canonical text, as 64 hex digits."""
        return hashlib.sha256(self.canonical_text().encode()).hexdigest()


def _quoted(text: str) -> str:
    """Return a text as TOML writes it; a JSON string without escapes of half characters is one."""
    return json.dumps(text, ensure_ascii=False)
