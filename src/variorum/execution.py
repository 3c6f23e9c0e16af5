"""Running independent tasks: in this process, or in a pool of processes. Knows nothing of tables.

Results come in the order of the tasks, whatever the number of workers. A worker process that dies costs the tasks it held,
not the run: they are run again one by one, and the one that kills its process again is given back as a `WorkerLost`. An
interruption (Ctrl-C reaches the whole process group) is for this process alone: workers never see it, and are ended at once
instead of waited for. A worker whose parent is gone ends itself.

Workers do not run the caller's script again: it needs no ``if __name__ == "__main__"``. Where no worker comes up at all, that
is an error, not a loss of every task.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker
from types import ModuleType
from typing import TypeVar

from variorum.errors import UsageError

A = TypeVar("A")
R = TypeVar("R")

_begin_lock = threading.Lock()


class WorkerLost(RuntimeError):  # noqa: N818 (given back, never raised)
    """A task whose process died under it (out of memory, or a crash in a library)."""


def run(
    work: Callable[[A], R], tasks: Sequence[A], *, jobs: int = 1, done: Callable[[int], None] | None = None
) -> list[R | WorkerLost]:
    """Return the results of `work` over the tasks, in their order; `done` is told how many are finished.

    With more than one job, `work`, tasks and results must be picklable. What `work` raises is raised here, and ends the run.
    Raises UsageError when no process can be begun.
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
                    _expect_worker(pool, work, task)
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
    try:
        pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_prepare_worker)
    except (OSError, ImportError) as error:  # no semaphores here
        raise _no_workers(error) from error
    try:
        yield pool
    except BaseException:
        for worker in set(multiprocessing.active_children()) - others:
            worker.terminate()
        pool.shutdown(cancel_futures=True)  # waits for nothing but the end of those
        raise
    pool.shutdown()


def _submitted(pool: ProcessPoolExecutor, work: Callable[[A], R], tasks: Sequence[A]) -> list[Future[R]]:
    with _begin_lock, _interrupts_held(), _main_hidden(needed=_needs_main(work, tasks)):
        try:
            return [pool.submit(work, task) for task in tasks]
        except (OSError, AssertionError) as error:  # out of processes or memory; or in a process that may not have children
            raise _no_workers(error) from error


def _expect_worker(pool: ProcessPoolExecutor, work: Callable[[A], R], task: A) -> None:
    """Return None once a worker of the pool, begun as for the task, has answered; raises UsageError when it dies instead."""
    with _begin_lock, _interrupts_held(), _main_hidden(needed=_needs_main(work, [task])):
        answer = pool.submit(os.getpid)
    try:
        answer.result()
    except BrokenProcessPool as error:
        raise _no_workers("they end before they begin to work") from error


def _no_workers(why: object) -> UsageError:
    return UsageError(f"no worker processes can be begun ({why})", where="jobs", hint="jobs 1, which reads in this process")


def _needs_main(work: Callable[[A], R], tasks: Sequence[A]) -> bool:
    """Return whether the work or a task is made of something that the caller's script defines."""
    return b"__main__" in pickle.dumps((work, list(tasks)))


@contextmanager
def _main_hidden(*, needed: bool) -> Iterator[None]:
    """Hide the caller's script from processes begun inside, which would run it again from its first line; unless needed."""
    main = sys.modules.get("__main__")
    if needed or main is None:
        yield
        return
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


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


def _prepare_worker() -> None:
    """Make this process deaf to interruptions, and end it as soon as the one that began it is gone, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
