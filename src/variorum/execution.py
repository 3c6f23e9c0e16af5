"""Running independent tasks: in this process, or in a pool of processes. Knows nothing of tables.

Results come in the order of the tasks, whatever the number of workers. A worker process that dies costs the tasks it held,
not the run: they are run again one by one, and the one that kills its process again is given back as a `WorkerLost`. An
interruption (Ctrl-C reaches the whole process group) is for this process alone: workers never see it, and are ended at once
instead of waited for.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TypeVar

A = TypeVar("A")
R = TypeVar("R")


class WorkerLost(RuntimeError):  # noqa: N818 (given back, never raised)
    """A task whose process died under it (out of memory, or a crash in a library)."""


def run(
    work: Callable[[A], R], tasks: Sequence[A], *, jobs: int = 1, done: Callable[[int], None] | None = None
) -> list[R | WorkerLost]:
    """Return the results of `work` over the tasks, in their order; `done` is told how many are finished.

    With more than one job, `work`, tasks and results must be picklable. What `work` raises is raised here, and ends the run.
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
            futures = {future: i for i, future in enumerate(_submitted(pool, work, tasks))}
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
                    found[i] = _submitted(pool, work, [task])[0].result()
            except BrokenProcessPool:
                found[i] = WorkerLost("the process that read it died")
            if done:
                done(len(found))
    return [found[i] for i in range(len(tasks))]


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of processes; left by an exception, it ends them at once and drops what they have not begun."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_ignore_interrupts)
    try:
        yield pool
    except BaseException:
        for worker in set(multiprocessing.active_children()) - others:
            worker.terminate()
        pool.shutdown(cancel_futures=True)  # waits for nothing but the end of those
        raise
    pool.shutdown()


def _submitted(pool: ProcessPoolExecutor, work: Callable[[A], R], tasks: Sequence[A]) -> list[Future[R]]:
    with _interrupts_held():
        return [pool.submit(work, task) for task in tasks]


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold interruptions back until the block is left; processes begun inside are born deaf to them.

    A process that is begun and then left without its task would complain. The mask is what children inherit; for this process
    it is not enough, since a thread of a library may catch the signal, so the handler is held too.
    """
    waiting: list[int] = []
    handler = signal.getsignal(signal.SIGINT)
    is_ours = threading.current_thread() is threading.main_thread() and handler is not None
    if is_ours:
        signal.signal(signal.SIGINT, lambda number, _: waiting.append(number))
    resource_tracker.ensure_running()  # it lets signals through again when it starts, so it must not start behind the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if is_ours:
            signal.signal(signal.SIGINT, handler)
        if waiting:
            signal.raise_signal(signal.SIGINT)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
