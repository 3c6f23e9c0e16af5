"""Files whose content is known before they are fetched: each is named with the SHA-256 that it must have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from variorum.errors import NetworkError
from variorum.net.partial import sha256_of
from variorum.net.polite import PoliteClient, Wanted

_TYPES: Final = frozenset({"application/octet-stream", "binary/octet-stream", "application/json", "text/plain"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedFile:
    """A file by its name at the host and here, its size in bytes, and the SHA-256 of its content."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class PinnedOutcome:
    """What became of a file: ``fetched``, or ``kept`` because it was there as it should be."""

    file: PinnedFile
    state: Literal["fetched", "kept"]


def fetch_pinned(
    files: Sequence[PinnedFile],
    url: str,
    folder: Path,
    client: PoliteClient,
    on_file: Callable[[str], None] = lambda _: None,
) -> tuple[PinnedOutcome, ...]:
    """Return what became of the files, all of which are in the folder now, with the content that they must have.

    They are asked for in their order, at ``URL/NAME``; what broke off before is gone on with. `on_file` hears of each that is
    asked for. Raises NetworkError when a file cannot be had or is another one, OutputError when it cannot be written.
    """
    outcomes = []
    for file in files:
        path = folder / file.name
        if path.is_file() and sha256_of(path) == file.sha256:
            outcomes.append(PinnedOutcome(file, "kept"))
            continue
        on_file(file.name)
        wanted = Wanted(url=f"{url.rstrip('/')}/{file.name}", path=path, types=_TYPES, largest=file.size, check=_check(file))
        if client.fetch(wanted) is None:
            raise NetworkError("the host has no such file", where=wanted.url, hint="another host, or the files in another way")
        outcomes.append(PinnedOutcome(file, "fetched"))
    return tuple(outcomes)


def _check(file: PinnedFile) -> Callable[[Path], str]:
    """Return the function that says what is wrong with a file that has come."""

    def check(path: Path) -> str:
        found = sha256_of(path)
        return "" if found == file.sha256 else f"is another file than the one that is known: its SHA-256 is {found}"

    return check
