"""Runs of indexing that a client began: one at a time, each in a process of its own, which can be watched and cancelled."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from variorum.apps.indexing import IndexWishes
from variorum.apps.mcp.indexing_process import wishes_as_data
from variorum.apps.mcp.results import JobStatus, PaperOutcomeOut
from variorum.errors import UsageError

_LONGEST_LINE: Final = 2**22
_KEPT: Final = 20
_NOTICES: Final = 20
_COUNTS: Final = ("found", "indexed", "unchanged", "skipped", "failed", "removed", "vectors_made", "vectors_missing")
_PROGRAM: Final = ("-P", "-m", "variorum.apps.mcp.indexing_process")
_AGAIN: Final = "index_library again: it goes on where this run ended"


class Jobs:
    """The runs of a server, by their names ``index-1``, ``index-2`` …; of those that are over the last ones are kept."""

    def __init__(self) -> None:
        self._jobs: dict[str, _Job] = {}
        self._count = 0

    async def begin(self, wishes: IndexWishes) -> JobStatus:
        """Return the status of a new run at once; raises UsageError while another one is running."""
        running = next((job.status for job in self._jobs.values() if not job.status.is_over), None)
        if running is not None:
            hint = f"wait for it with get_index_job, or cancel_index_job {running.job}"
            raise UsageError(f"{running.job} is running, and one run writes an index at a time", where="jobs", hint=hint)
        self._count += 1
        job = _Job(f"index-{self._count}")
        self._jobs[job.status.job] = job
        for name in list(self._jobs)[:-_KEPT]:
            del self._jobs[name]
        await job.begin(wishes)
        return job.status

    def status(self, name: str) -> JobStatus:
        """Return how far a run is; raises UsageError for one that does not exist."""
        return self._job(name).status

    async def watch(self, name: str, seconds: float, tell: Callable[[JobStatus], Awaitable[None]]) -> JobStatus:
        """Return the status of a run once it is over, or so many seconds have passed; `tell` is told of each step meanwhile."""
        job = self._job(name)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not job.status.is_over:
                    step = job.step
                    await tell(job.status)
                    await step.wait()
        return job.status

    async def cancel(self, name: str) -> JobStatus:
        """Return the status of a run once its process is gone; one that is over is left as it is."""
        job = self._job(name)
        await job.cancel()
        return job.status

    async def close(self) -> None:
        """Return None once no run is left."""
        for job in self._jobs.values():
            await job.cancel()

    def _job(self, name: str) -> _Job:
        if name not in self._jobs:
            known = ", ".join(self._jobs) or "none yet"
            raise UsageError(f"{name!r} is no run of this server", where="job", hint=f"one of these: {known}")
        return self._jobs[name]


class _Job:
    """A run, and the process that does it."""

    def __init__(self, name: str) -> None:
        self.status = JobStatus(
            job=name,
            state="running",
            stage="starting",
            done=0,
            total=0,
            now="",
            notices=[],
            error=None,
            counts={},
            papers=[],
        )
        self.step = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._following: asyncio.Task[None] | None = None
        self._is_cancelled = False

    async def begin(self, wishes: IndexWishes) -> None:
        """Return None once the process has its orders."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *_PROGRAM,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
                start_new_session=True,
            )
        except OSError as error:
            self._is_now(state="failed", error=f"no process can be begun ({error.strerror}). To try: {_AGAIN}")
            return
        assert self._process.stdin is not None
        with suppress(ConnectionError):  # one that ends at once is noticed by who follows it
            self._process.stdin.write(json.dumps(wishes_as_data(wishes)).encode() + b"\n")
            await self._process.stdin.drain()
        self._following = asyncio.create_task(self._follow(self._process))

    async def cancel(self) -> None:
        """Return None once the process is gone, which is ended unless its work is done."""
        if self._process is None or self._following is None:
            return
        if not self.status.is_over:
            self._is_cancelled = True
            with suppress(ProcessLookupError):
                _kill(self._process)
        await asyncio.shield(self._following)

    async def _follow(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            if not self.status.is_over:
                for kind, value in json.loads(line).items():
                    self._take(kind, value)
        code = await process.wait()
        if process.stdin is not None:
            process.stdin.close()
        if self.status.is_over:
            return
        if self._is_cancelled:
            self._is_now(state="cancelled", now="")
        else:
            self._is_now(state="failed", error=f"the process ended before its work did (code {code}). To try: {_AGAIN}")

    def _take(self, kind: str, value: Any) -> None:
        match kind:
            case "notice":
                self._is_now(notices=[*self.status.notices, value][:_NOTICES])
            case "progress":
                self._is_now(**value)
            case "error":
                self._is_now(state="failed", error=value, now="")
            case "report":
                self._is_now(
                    state="done",
                    now="",
                    notices=list(dict.fromkeys([*self.status.notices, *value["notices"]]))[:_NOTICES],
                    counts={name: value[name] for name in _COUNTS},
                    papers=[PaperOutcomeOut(**paper) for paper in value["papers"]],
                )

    def _is_now(self, **changes: Any) -> None:
        self.status = self.status.model_copy(update=changes)
        step, self.step = self.step, asyncio.Event()
        step.set()


def _kill(process: asyncio.subprocess.Process) -> None:
    """End a process, and those that it began where the system knows them as its group; raises ProcessLookupError."""
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
