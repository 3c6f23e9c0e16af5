"""``variorum methods``: the registry, a line a method; or one method's whole docstring."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from variorum.apps.cli.console import emit, emit_json
from variorum.errors import UsageError
from variorum.suggestions import nearest_name_hint


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodEntry:
    """One method of the registry: its kind (``structure``, ``cell``, ``post-processor``), name, and what it says of itself."""

    kind: str
    name: str
    docstring: str

    @property
    def idea(self) -> str:
        """Return the first line of the docstring."""
        return self.docstring.partition("\n")[0].strip()


def list_methods() -> list[MethodEntry]:
    """Return every method of the registry, in its order."""
    return list(_entries())


def _entries() -> Iterator[MethodEntry]:
    from variorum.tables.registry import cell_methods, post_processors, structure_methods

    kinds: dict[str, Mapping[str, type]] = {
        "structure": structure_methods(),
        "cell": cell_methods(),
        "post-processor": post_processors(),
    }
    for kind, methods in kinds.items():
        for name, method in methods.items():
            docstring = sys.modules[method.__module__].__doc__ or method.__doc__ or ""
            yield MethodEntry(kind=kind, name=name, docstring=inspect.cleandoc(docstring))


def run_methods(name: str | None, *, as_json: bool) -> int:
    """Return 0 once the methods, or the named one, are on stdout; raises UsageError when there is no method of that name."""
    entries = list_methods()
    if name is not None:
        entries = [entry for entry in entries if entry.name == name]
        if not entries:
            near = nearest_name_hint(name, [entry.name for entry in list_methods()])
            hint = near if near.startswith("did you mean") else "variorum methods, which lists them all"
            raise UsageError(f"no method of the name {name!r}", where="methods", hint=hint)
    if as_json:
        plain = [{"kind": e.kind, "name": e.name, "idea": e.idea, "docstring": e.docstring} for e in entries]
        emit_json(plain if name is None else plain[0])
    elif name is not None:
        emit(f"{entries[0].name} ({entries[0].kind})\n\n{entries[0].docstring}")
    else:
        width = max(len(entry.name) for entry in entries)
        kinds = dict.fromkeys(entry.kind for entry in entries)
        blocks = [
            "\n".join([f"{kind} methods" if kind != "post-processor" else "post-processors", *_lines(entries, kind, width)])
            for kind in kinds
        ]
        emit("\n\n".join(blocks))
    return 0


def _lines(entries: list[MethodEntry], kind: str, width: int) -> list[str]:
    return [f"  {entry.name:<{width}}  {entry.idea}" for entry in entries if entry.kind == kind]
