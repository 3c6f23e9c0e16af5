"""``variorum mcp``: serve the index to language models."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.apps.chosen_library import LibraryPlace
from variorum.apps.mcp.settings import DEFAULT_PORT
from variorum.errors import UsageError
from variorum.search.folders import default_index

if TYPE_CHECKING:
    from variorum.search.vector_choice import VectorChoice


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerCall:
    """One call of ``variorum mcp``, its values as the user typed them."""

    place: LibraryPlace
    index: Path | None
    model: Path | None
    ranking: Path | None
    vectors: VectorChoice
    jobs: int
    http: bool
    port: int | None
    openalex: bool
    openalex_url: str | None


def run_mcp(call: ServerCall) -> int:
    """Return 0 once the client has gone.

    Raises UsageError for a port without HTTP, and what `serve` and `load_ranking` raise.
    """
    from variorum.apps.mcp.serving import serve
    from variorum.apps.mcp.settings import Settings
    from variorum.search.ranking import DEFAULT_RANKING, load_ranking

    if call.port is not None and not call.http:
        raise UsageError("a port is for HTTP", where="--port", hint="--http with it")
    settings = Settings(
        index=call.index or default_index(),
        place=call.place,
        model=call.model,
        ranking=DEFAULT_RANKING if call.ranking is None else load_ranking(call.ranking),
        vectors=call.vectors,
        jobs=call.jobs,
        openalex=call.openalex,
        openalex_url=call.openalex_url,
        port=(DEFAULT_PORT if call.port is None else call.port) if call.http else None,
    )
    serve(settings)
    return 0
