"""What the server may touch: decided by who starts it, never by a client."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from variorum.apps.chosen_library import LibraryPlace
from variorum.errors import InputNotFoundError, UsageError

if TYPE_CHECKING:
    from variorum.search.ranking import Ranking
    from variorum.search.vector_choice import VectorChoice

DEFAULT_PORT: Final = 8642
_LAST_PORT: Final = 65535


def _exact() -> VectorChoice:
    from variorum.search.vector_choice import EXACT

    return EXACT


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One server: the file of its index, the library that it may index, and how.

    `model` is the folder of the model of the vectors, None to look for one; `ranking` the weights of the searches, `vectors`
    what finds the nearest vectors, `jobs` the processes that read PDFs. `port` is that of HTTP on this computer (0 for any
    that is free), None for stdio.
    With `openalex` there are tools that ask OpenAlex, or the site at `openalex_url`; without it the network is not touched.
    """

    index: Path
    place: LibraryPlace = field(default_factory=LibraryPlace)
    model: Path | None = None
    ranking: Ranking
    vectors: VectorChoice = field(default_factory=_exact)
    jobs: int = 1
    port: int | None = None
    openalex: bool = False
    openalex_url: str | None = None

    def check(self) -> None:
        """Return None; raises UsageError for a port that is none, InputNotFoundError for a named folder that is not there."""
        self.place.check()
        if self.port is not None and not 0 <= self.port <= _LAST_PORT:
            raise UsageError(f"{self.port} is no port", where="--port", hint=f"--port {DEFAULT_PORT}")
        if self.jobs < 1:
            raise UsageError(f"must be at least 1, not {self.jobs}", where="--jobs", hint="--jobs 2")
        if self.openalex_url is not None and not self.openalex:
            raise UsageError("an address of OpenAlex is for --openalex", where="--openalex-url", hint="--openalex with it")
        for option, folder in (("--zotero", self.place.zotero), ("--folder", self.place.folder), ("--model", self.model)):
            if folder is not None and not folder.is_dir():
                raise InputNotFoundError(f"the folder of {option} is not there", where=str(folder), hint="another folder")
