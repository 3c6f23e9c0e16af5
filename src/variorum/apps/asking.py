"""Questions to an index and what it holds, as data; shared by the command and the MCP server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from variorum.search.filters import Filters
    from variorum.search.found import Answer, Mode
    from variorum.search.retrieval import Searcher
    from variorum.search.verifying import IndexStats

Way = Literal["passages", "topic", "boolean", "tables", "figures"]
"""How a search goes: by single passages, by whole papers, by an expression, or among tables or figures alone."""

Within = Literal["paper", "passage"]
"""What must fulfil an expression: the whole text of a paper, or one passage."""


def ask(
    searcher: Searcher,
    way: Way,
    question: str,
    filters: Filters,
    *,
    limit: int,
    by: Mode | None = None,
    within: Within = "paper",
) -> Answer:
    """Return the answer; raises what the searches of `Searcher` raise. `within` is for expressions, `by` for all else."""
    match way:
        case "passages":
            return searcher.search(question, filters, limit=limit, by=by)
        case "topic":
            return searcher.search_topic(question, filters, limit=limit, by=by)
        case "boolean":
            return searcher.search_boolean(question, filters, within=within, limit=limit)
        case "tables":
            return searcher.search_tables(question, filters, limit=limit, by=by)
        case "figures":
            return searcher.search_figures(question, filters, limit=limit, by=by)


def stats_as_data(found: IndexStats) -> dict[str, Any]:
    """Return what an index holds as JSON values, counts by name."""
    from variorum.search.found import as_data

    data: dict[str, Any] = as_data(found)
    data["not_in_it"] = [{"item": item, "title": title, "reason": why} for item, title, why in found.not_in_it]
    return {**data, **{name: dict(data[name]) for name in ("papers", "reasons", "chunks")}}
