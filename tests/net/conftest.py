"""A host on this machine, and a client whose time passes without anybody waiting."""

from __future__ import annotations

import os
from collections.abc import Generator
from dataclasses import dataclass, field

import pytest

from tests.net.local_host import LocalHost, serving
from variorum.net.polite import PoliteClient


@dataclass(slots=True)
class Time:
    """Time that passes when somebody sleeps."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def clock(self) -> float:
        """Return the time in seconds."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Generator[LocalHost]:
    """Return a host on this machine, which no proxy stands before."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    with serving() as host:
        yield host


@pytest.fixture
def time() -> Time:
    """Return the client's time."""
    return Time()


@pytest.fixture
def client(time: Time) -> PoliteClient:
    """Return a client that waits in that time."""
    return PoliteClient(pause=3.0, clock=time.clock, sleep=time.sleep, today=time.clock)
