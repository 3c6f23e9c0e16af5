"""The tools that bring the index to where the library is: begin a run, see how far it is, break it off."""

from __future__ import annotations

from typing import Annotated, Final

from mcp.server.mcpserver import Context
from pydantic import Field

from variorum.apps.indexing import IndexWishes
from variorum.apps.mcp.arguments import MOST_SECONDS, JobName, Names
from variorum.apps.mcp.jobs import Jobs
from variorum.apps.mcp.results import JobStatus
from variorum.apps.mcp.settings import Settings
from variorum.libraries.selecting import Selection

Limit = Annotated[int | None, Field(ge=0, le=1_000_000, description="PDFs to read at most in this run; null for all.")]
Seconds = Annotated[
    float, Field(ge=0, le=MOST_SECONDS, description="Wait so long at most for the end of the run; 0 answers at once.")
]


_STAGES: Final = ("items", "papers", "vectors")


class JobTools:
    """The tools about runs of indexing."""

    def __init__(self, jobs: Jobs, settings: Settings) -> None:
        self._jobs = jobs
        self._settings = settings

    async def index_library(
        self,
        limit: Limit = None,
        items: Names = [],  # noqa: B006 (never changed)
        collections: Names = [],  # noqa: B006
        tags: Names = [],  # noqa: B006
        libraries: Names = [],  # noqa: B006
        retry: bool = False,
    ) -> JobStatus:
        """Begin to read what is new or changed in the library, and take out what is gone; returns at once with a job.

        Reading a paper takes from seconds to a minute. Searches work meanwhile and find what is read so far. `items` are keys;
        `retry` reads again what failed before. Follow it with get_index_job, break it off with cancel_index_job.
        """
        settings = self._settings
        wishes = IndexWishes(
            place=settings.place,
            index=settings.index,
            model=settings.model,
            jobs=settings.jobs,
            limit=limit,
            retry=retry,
            selection=Selection(
                keys=tuple(items), collections=tuple(collections), tags=tuple(tags), libraries=tuple(libraries)
            ),
        )
        return await self._jobs.begin(wishes)

    async def get_index_job(self, job: JobName, context: Context, wait_seconds: Seconds = 0) -> JobStatus:
        """Return how far a run of indexing is, or how it ended: counts, and which PDFs are not in the index and why.

        With `wait_seconds` it answers when the run is over or the time is; progress is notified meanwhile to a client that
        asks for it.
        """

        reached = 0.0

        async def tell(status: JobStatus) -> None:
            nonlocal reached
            here = _share(status)
            if here > reached:  # a step back is none, by the protocol
                reached = here
                await context.report_progress(here, len(_STAGES), f"{status.stage}: {status.now}".rstrip(": "))

        return await self._jobs.watch(job, wait_seconds, tell)

    async def cancel_index_job(self, job: JobName) -> JobStatus:
        """Break a run of indexing off. What it has read stays in the index, and the next run goes on from there."""
        return await self._jobs.cancel(job)


def _share(status: JobStatus) -> float:
    """Return how far a run is: the stages behind it, and the share of the one that it is in."""
    if status.stage not in _STAGES or not status.total:
        return 0.0
    return _STAGES.index(status.stage) + status.done / status.total
