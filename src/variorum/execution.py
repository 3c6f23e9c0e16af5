"""Running independent tasks: in this process, or in processes of their own. Knows nothing of tables.

Results come in the order of the tasks, whatever the number of workers. A worker is given one task at a time. While it works
it may `announce` what it is about to do; so when it dies, or says nothing for longer than it is allowed, what it was doing is
known. A worker that is silent too long is killed. The task of a lost worker is run again when all others are done, alone: a
process that dies for want of memory beside others may live then. What is lost again is given back as a `WorkerLost`, unless
the caller knows how to go on without the step that was lost. The others never notice.

An interruption (Ctrl-C reaches the whole process group) is for this process alone: workers never see it, and are ended at once
instead of waited for. A worker whose parent is gone ends itself.

Workers do not run the caller's script again: it needs no ``if __name__ == "__main__"``. Where no worker comes up at all, that
is an error, not a loss of every task.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import connection, resource_tracker
from multiprocessing.reduction import ForkingPickler
from types import ModuleType
from typing import Any, Generic, TypeVar

from variorum.errors import UsageError

A = TypeVar("A")
R = TypeVar("R")

_FAREWELL_S = 5.0  # for a worker that has nothing more to do, until it is killed

_M_MMAP_THRESHOLD = -3  # of <malloc.h>
_LARGE_BYTES = 8 * 2**20  # smaller pieces are asked for so often that giving them back takes time

_begin_lock = threading.Lock()
_to_parent: connection.Connection | None = None  # in a worker, where it tells what it does; None elsewhere


class WorkerLost(RuntimeError):  # noqa: N818 (given back, never raised)
    """A task that was given up: its process died under it (out of memory, or a crash in a library), or was silent too long.

    `step` is what the process announced last, or None; `how` says how it ended; `is_timeout`, whether it was silent and killed.
    """

    def __init__(self, what: str, *, step: object = None, how: str = "", is_timeout: bool = False) -> None:
        super().__init__(what)
        self.step = step
        self.how = how
        self.is_timeout = is_timeout


def announce(step: object) -> None:
    """Return at once, the waiting process told what this one is about to do (a picklable value).

    Does nothing in a process that is no worker.
    """
    if _to_parent is not None:
        _to_parent.send(("step", step))


def run(
    work: Callable[[A], R],
    tasks: Sequence[A],
    *,
    jobs: int = 1,
    done: Callable[[int], None] | None = None,
    isolated: bool = False,
    patience_s: float | None = None,
    limit_s: float | None = None,
    without: Callable[[A, WorkerLost], A | None] | None = None,
    each: Callable[[int, R | WorkerLost], None] | None = None,
) -> list[R | WorkerLost]:
    """Return the results of `work` over the tasks, in their order; `done` is told how many are finished.

    A single job or task is done in this process, unless `isolated`. In other processes `work`, tasks and results must be
    picklable. `patience_s` are the seconds of silence (no result, nothing announced) after which a worker is killed; None waits
    for ever. `limit_s` are the seconds that a task may take in all, whatever is announced. `without` is given a task and how it
    was lost, and returns the task without what was lost, or None to give it up. `each` is given the index of a task and its
    result as soon as there is one, in the order in which they come; none is kept then, and the list is empty. What `work` or
    `each` raises is raised here, and ends the run. Raises UsageError when no process can be begun.
    """
    if not isolated and (jobs <= 1 or len(tasks) <= 1):
        results: list[R | WorkerLost] = []
        for i, task in enumerate(tasks):
            result = work(task)
            if each:
                each(i, result)
            else:
                results.append(result)
            if done:
                done(i + 1)
        return results
    if not tasks:
        return []
    with _Crew(work, tasks, _Limits(patience_s, limit_s), _Listener(done, each)) as crew:
        lost = crew.run_all(dict(enumerate(tasks)), max(1, min(jobs, len(tasks))))
        if lost:
            crew.dismiss()
        for i in sorted(lost):
            crew.run_alone(i, tasks[i], lost[i], without)
        return [] if each else [crew.found[i] for i in range(len(tasks))]


@dataclass(frozen=True, slots=True)
class _Limits:
    """Seconds of silence, and of work on one task, after which a worker is killed; None for no limit."""

    patience_s: float | None
    task_s: float | None


@dataclass(frozen=True, slots=True)
class _Listener(Generic[R]):
    """Who is told how many tasks are finished, and who is given each result."""

    done: Callable[[int], None] | None
    each: Callable[[int, R | WorkerLost], None] | None


class _Worker:
    """A process that was begun, our end of the pipe to it, and what it is known to do."""

    def __init__(self, process: multiprocessing.process.BaseProcess, channel: connection.Connection) -> None:
        self.process = process
        self.channel = channel
        self.has_answered = False
        self.is_gone = False
        self.index: int | None = None
        self.step: object = None
        self.heard_s = self.given_s = time.monotonic()

    def give(self, index: int, task: object) -> None:
        self.index, self.step = index, None
        self.heard_s = self.given_s = time.monotonic()
        with suppress(OSError):  # a dead worker's end is noticed where all are attended to
            self.channel.send(task)

    def end(self, *, at_once: bool) -> None:
        """Let the process go, or kill it, and wait for its end."""
        self.channel.close()
        if not at_once and self.has_answered:
            self.process.join(_FAREWELL_S)
        self.process.kill()
        self.process.join()


class _Crew(Generic[A, R]):
    """The workers of one run, and the results found so far by the index of the task."""

    def __init__(self, work: Callable[[A], R], tasks: Sequence[A], limits: _Limits, listener: _Listener[R]) -> None:
        self._work = work
        self._needs_main = _needs_main(work, tasks)
        self._limits = limits
        self._listener = listener
        self._workers: list[_Worker] = []
        self._settled = 0
        self.found: dict[int, R | WorkerLost] = {}

    def __enter__(self) -> _Crew[A, R]:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.dismiss(at_once=kind is not None)

    def dismiss(self, *, at_once: bool = False) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.channel.close()
        for worker in self._workers:
            worker.end(at_once=at_once)
        self._workers.clear()

    def run_all(self, tasks: dict[int, A], jobs: int) -> dict[int, WorkerLost]:
        """Return how each task was lost that was lost; the results of all others are found."""
        waiting = sorted(tasks, reverse=True)
        lost: dict[int, WorkerLost] = {}
        self._begin(jobs)
        while waiting or any(w.index is not None for w in self._workers):
            idle = [w for w in self._workers if w.has_answered and w.index is None]
            for worker in idle[: len(waiting)]:
                index = waiting.pop()
                worker.give(index, tasks[index])
            for worker, loss in self._attend():
                if worker.index is not None:
                    lost[worker.index] = loss
                self._workers.remove(worker)
                worker.end(at_once=True)
                if waiting and len(self._workers) < jobs:
                    self._begin(1)
        return lost

    def run_alone(self, index: int, task: A, loss: WorkerLost, without: Callable[[A, WorkerLost], A | None] | None) -> None:
        """Find the result of a task that was lost beside others: run it until it is done or nothing more can be left out of it.

        What was silent too long is not tried a second time; what died beside others is.
        """
        remaining: A | None = task
        if loss.is_timeout:
            remaining = without(task, loss) if without else None
        while remaining is not None:
            again = self.run_all({index: remaining}, 1)
            if not again:
                return
            loss = again[index]
            remaining = without(remaining, loss) if without else None
        self._settle(index, loss)

    def _settle(self, index: int, result: R | WorkerLost) -> None:
        self._settled += 1
        if self._listener.each:
            self._listener.each(index, result)
        else:
            self.found[index] = result
        if self._listener.done:
            self._listener.done(self._settled)

    def _begin(self, count: int) -> None:
        """Begin processes until there are `count` without a task; raises UsageError when one cannot be begun."""
        idle = sum(w.index is None for w in self._workers)
        with _begin_lock, _interrupts_held(), _main_hidden(needed=self._needs_main):
            for _ in range(count - idle):
                self._workers.append(_begun(self._work))

    def _attend(self) -> list[tuple[_Worker, WorkerLost]]:
        """Wait until a worker says something, ends or is silent too long; return those that are lost."""
        by_door: dict[Any, _Worker] = {}
        for worker in self._workers:
            by_door[worker.channel] = by_door[worker.process.sentinel] = worker
        ready = connection.wait(list(by_door), self._wait_s())
        for worker in self._workers:
            if worker.channel in ready or worker.process.sentinel in ready:
                self._listen(worker)
        lost: list[tuple[_Worker, WorkerLost]] = []
        now = time.monotonic()
        for worker in self._workers:
            if worker.is_gone or not worker.process.is_alive():
                self._listen(worker)  # what it said between our listening and its end
                how = _how_ended(worker.process)
                if not worker.has_answered:
                    raise _no_workers(f"they end before they begin to work: {how}")
                lost.append((worker, WorkerLost("the process that read it died", step=worker.step, how=how)))
            elif how := self._overdue(worker, now):
                lost.append((worker, WorkerLost(how, step=worker.step, how=how, is_timeout=True)))
        return lost

    def _overdue(self, worker: _Worker, now: float) -> str:
        """Return in words which limit a worker is beyond; empty while it is within them."""
        if worker.index is None:
            return ""
        if self._limits.patience_s is not None and now - worker.heard_s > self._limits.patience_s:
            return f"no answer within {self._limits.patience_s:g} s"
        if self._limits.task_s is not None and now - worker.given_s > self._limits.task_s:
            return f"not done within {self._limits.task_s:g} s"
        return ""

    def _wait_s(self) -> float | None:
        """Return how long to wait at most: until the first worker is beyond a limit."""
        busy = [w for w in self._workers if w.index is not None]
        ends = [w.heard_s + self._limits.patience_s for w in busy] if self._limits.patience_s is not None else []
        ends += [w.given_s + self._limits.task_s for w in busy] if self._limits.task_s is not None else []
        return max(0.0, min(ends) - time.monotonic()) if ends else None

    def _listen(self, worker: _Worker) -> None:
        """Take in all that the worker has said; raises what its work raised."""
        while True:
            try:
                if not worker.channel.poll():
                    return
                kind, value = worker.channel.recv()
            except (EOFError, OSError):  # the end, perhaps in the middle of a word
                worker.is_gone = True
                return
            worker.heard_s = time.monotonic()
            match kind:
                case "ready":
                    worker.has_answered = True
                case "step":
                    worker.step = value
                case "raised":
                    raise value
                case "done" if worker.index is not None:
                    index, worker.index = worker.index, None
                    self._settle(index, value)


def _begun(work: Callable[[Any], Any]) -> _Worker:
    context = multiprocessing.get_context("spawn")
    try:
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(work, theirs))
        process.start()
    except (OSError, ImportError, AssertionError) as error:  # out of processes or memory; or this one may not have children
        raise _no_workers(error) from error
    theirs.close()  # so that its end is the end of the pipe
    return _Worker(process, ours)


def _how_ended(process: multiprocessing.process.BaseProcess) -> str:
    """Return in words how a process ended: by which signal, or with which code."""
    process.join(_FAREWELL_S)
    code = process.exitcode or 0
    if code < 0:
        try:
            return f"killed by {signal.Signals(-code).name}"
        except ValueError:
            return f"killed by signal {-code}"
    return f"ended with code {code}"


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


# ---- in the worker --------------------------------------------------------------------------------------------------


def _serve(work: Callable[[Any], Any], channel: connection.Connection) -> None:
    """Do the tasks that come through the pipe until it is closed, and say what came of each."""
    global _to_parent  # noqa: PLW0603 (what `announce` speaks into: one a process)
    _prepare_worker()
    _to_parent = channel
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # nobody wants anything more
        channel.send(("ready", None))
        _work_on(work, channel)


def _work_on(work: Callable[[Any], Any], channel: connection.Connection) -> None:
    while True:
        task = channel.recv()
        try:
            answer = ForkingPickler.dumps(("done", work(task)))
        except Exception as error:
            answer = ForkingPickler.dumps(("raised", _sendable(error)))
        channel.send_bytes(answer)


def _sendable(error: Exception) -> Exception:
    """Return the error with its traceback as a note, or one that says the same when it cannot be sent to another process."""
    text = "".join(traceback.format_exception(error))
    try:
        copy = pickle.loads(pickle.dumps(error))
    except Exception:  # whatever its author did
        return RuntimeError(text)
    if isinstance(copy, Exception):
        error.add_note(text)
        return error
    return RuntimeError(text)


@contextmanager
def without_cycle_searches() -> Iterator[None]:
    """Hold Python's search for unreachable cycles back until the block is left, where it is on.

    A page makes a million small objects, and hardly a cycle; searching them over and over takes a fifth of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def give_back_memory() -> None:
    """Let this process give large pieces of memory back to the system as soon as they are free; workers do so.

    The C library of Linux otherwise keeps pieces of up to 32 MB once it has seen some freed, and a process that reads one page
    after the other grows with their fragments. Does nothing elsewhere.
    """
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # another C library than glibc
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)


def _prepare_worker() -> None:
    """Make this process deaf to interruptions, and end it as soon as the one that began it is gone, however that ended."""
    give_back_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
