"""Work for the workers: top-level functions, so that a process begun anew can find them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from pathlib import Path

from variorum.execution import announce


def square(value: int) -> int:
    return value * value


def last_first(task: tuple[int, Sequence[str]]) -> int:
    """Return the number once the marks of all later tasks are there: the tasks end in reverse order."""
    number, marks = task
    for mark in marks[number + 1 :]:
        with open(mark, "rb") as pipe:  # a named pipe: opening it waits for the one who writes
            pipe.read()
    if number:
        for _ in range(number):  # every earlier task reads it once
            with open(marks[number], "wb"):
                pass
    return number


def fall_over(value: int) -> int:
    """Return the square of the number; the process dies of 3, as of a crash in a library."""
    if value == 3:
        os._exit(1)
    return value * value


def fall_over_once(task: tuple[int, str]) -> int:
    """Return the number; the process dies the first time that anybody is given 2."""
    value, mark = task
    if value == 2 and not Path(mark).exists():
        Path(mark).touch()
        os._exit(1)
    return value


def refuse(value: int) -> int:
    if value == 1:
        raise LookupError("no such number")
    return value


def process_id(_: int) -> int:
    return os.getpid()


def announce_and_fall_over(task: tuple[int, tuple[str, ...]]) -> tuple[int, tuple[str, ...]]:
    """Return the number and the steps that were taken: three, of which the second kills the process, unless it is left out."""
    number, left_out = task
    taken = []
    for step in ("first", "second", "third"):
        if step in left_out:
            continue
        announce(step)
        if number == 3 and step == "second":
            os._exit(5)
        taken.append(step)
    return number, tuple(taken)


def announce_and_wait(value: int) -> int:
    """Return the number; of 3, announce it and never end."""
    announce(f"number {value}")
    if value == 3:
        threading.Event().wait()
    return value


def hears_interrupts(_: int) -> bool:
    """Return whether this process would notice a Ctrl-C."""
    is_ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    return not is_ignored and signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def say_and_wait(number: int) -> int:
    """Say that the work has begun, and never end."""
    print(f"began {number}", flush=True)
    threading.Event().wait()
    return number


def talk_on(number: int) -> int:
    """Return the number; 2 says something over and over, and never ends."""
    while number == 2:
        announce(number)
        threading.Event().wait(0.01)
    return number
