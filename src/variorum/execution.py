"""Running independent tasks: in this process, or in a pool of processes. Knows nothing of tables.

Results come in the order of the tasks, whatever the number of workers. A worker process that dies costs the tasks it held, not the run: they
are run again one by one, and the one that kills its process again is given back as a `WorkerLost`.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

A = TypeVar("A")
R = TypeVar("R")


class WorkerLost(RuntimeError):
    """A task whose process died under it (out of memory, or a crash in a library)."""


def run(
    work: Callable[[A], R], tasks: Sequence[A], *, jobs: int = 1, done: Callable[[int], None] | None = None
) -> list[R | WorkerLost]:
    """Return the results of `work` over the tasks, in their order; `done` is told how many are finished.

    With more than one job, `work`, tasks and results must be picklable. What `work` raises is raised here.
    """
    if jobs <= 1 or len(tasks) <= 1:
        results: list[R | WorkerLost] = []
        for task in tasks:
            results.append(work(task))
            if done:
                done(len(results))
        return results
    return _pooled(work, tasks, min(jobs, len(tasks)), done)


def _pooled(work: Callable[[A], R], tasks: Sequence[A], jobs: int, done: Callable[[int], None] | None) -> list[R | WorkerLost]:
    found: dict[int, R | WorkerLost] = {}
    try:
        with _pool(jobs) as pool:
            futures = {pool.submit(work, task): i for i, task in enumerate(tasks)}
            for future in as_completed(futures):
                found[futures[future]] = future.result()
                if done:
                    done(len(found))
    except BrokenProcessPool:
        for i, task in enumerate(tasks):
            if i in found:
                continue
            try:
                with _pool(1) as pool:
                    found[i] = pool.submit(work, task).result()
            except BrokenProcessPool:
                found[i] = WorkerLost("the process that read it died")
            if done:
                done(len(found))
    return [found[i] for i in range(len(tasks))]


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
