"""Fetching files without being a burden: one at a time, with a pause between requests, no more often than is needed.

A broken connection is gone on with where it broke, if the host can (`Range` with `If-Range`). A host that says "not now" is
asked again after the time it names, or after pauses that double. A file has its name only when it is whole: its length is the
one announced, its kind the one asked for.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final

from variorum._version import __version__
from variorum.errors import NetworkError
from variorum.net.asking import Answer, NotNowError, ask, host_of
from variorum.net.partial import Origin, PartialFile, opened

USER_AGENT: Final = f"variorum/{__version__} (reads scientific papers; one request at a time)"
ARXIV_PAUSE_S: Final = 3.0
"""arXiv's terms of use for its interfaces: no more than one request in three seconds, one connection at a time."""
_LONGEST_WAIT_S: Final = 120.0
"""A host that asks for more is not waited for: the user is told when to come back."""
_TIMEOUT_S: Final = 60.0
_ATTEMPTS: Final = 5
"""Requests without a new byte before it is given up."""
_REQUESTS: Final = 50
"""Requests for one file, with whatever progress."""
_BLOCK: Final = 1 << 16
_RANGE: Final = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A file to fetch: its address, where it goes, and what it must be.

    `types` are the content types that it may have; `check` says what is wrong with a file that has come, '' when nothing is;
    `largest` is in bytes. `means_absent` tells by the address at the end of redirections that the host has no such file.
    """

    url: str
    path: Path
    types: frozenset[str]
    largest: int
    check: Callable[[Path], str]
    means_absent: Callable[[str], bool] = lambda _: False


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that has come: its size in bytes, its SHA-256, and how many requests it took."""

    size: int
    sha256: str
    requests: int


@dataclass(slots=True)
class PoliteClient:
    """Fetches files; `clock` and `sleep` count seconds, `today` is the time of the day in seconds since 1970.

    `pause` is the least time between two requests to one host, `tell` hears of every wait that is longer.
    """

    pause: float = ARXIV_PAUSE_S
    attempts: int = _ATTEMPTS
    timeout: float = _TIMEOUT_S
    longest_wait: float = _LONGEST_WAIT_S
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    today: Callable[[], float] = time.time
    tell: Callable[[str], None] = lambda _: None
    _asked: dict[str, float] = field(default_factory=dict)

    def fetch(self, wanted: Wanted) -> Fetched | None:
        """Return the file that was fetched, None when the host has none.

        Raises NetworkError when the host cannot be reached, fails again and again, or gives something else; what has come by
        then is gone on with by the next call. Raises OutputError when the file cannot be written.
        """
        with opened(wanted.path) as partial:
            failures = 0
            for requests in range(1, _REQUESTS + 1):
                before = partial.size
                try:
                    is_there = self._request(wanted, partial)
                except NotNowError as error:
                    failures = 1 if partial.size > before else failures + 1
                    if failures >= self.attempts or requests == _REQUESTS:
                        raise self._given_up(wanted, error, partial) from error
                    self._wait(wanted, error, failures)
                    continue
                if not is_there:
                    partial.discard()
                    return None
                self._refuse_wrong(wanted, partial)
                size = partial.size
                return Fetched(size, partial.finish(), requests)
        raise AssertionError("a loop that ends with its last request")

    # ---- one request -----------------------------------------------------------------------------------------------

    def _request(self, wanted: Wanted, partial: PartialFile) -> bool:
        """Return whether the file is there, and now is whole; raises NotNowError when some of it is still to come."""
        headers = {"User-Agent": USER_AGENT, "Accept": "*/*", "Accept-Encoding": "identity"}
        origin = partial.origin()
        if partial.size and origin is not None and origin.mark and origin.url == wanted.url:
            headers |= {"Range": f"bytes={partial.size}-", "If-Range": origin.mark}
        else:
            partial.restart()
        self._keep_pace(host_of(wanted.url))
        answer = ask(wanted.url, headers, self.timeout)
        try:
            return self._taken(wanted, partial, answer)
        finally:
            answer.body.close()

    def _taken(self, wanted: Wanted, partial: PartialFile, answer: Answer) -> bool:
        if answer.status in (404, 410) or wanted.means_absent(answer.url):
            return False
        if answer.status == 416:
            partial.restart()
            raise NotNowError("the rest of the file is not there any more")
        if answer.status not in (200, 206):
            what = f"the host answers {answer.status}"
            raise NetworkError(what, where=wanted.url, hint="open the address in a browser, which shows what it says")
        kind = answer.header("Content-Type").partition(";")[0].strip().lower()
        if kind and kind not in wanted.types:
            partial.discard()
            hint = "open the address in a browser, which shows what it says; then the same call again"
            raise NetworkError(f"the host gives {kind}, not {min(wanted.types)}", where=wanted.url, hint=hint)
        self._begin(wanted, partial, answer)
        total = (partial.origin() or Origin("", "", None)).total
        self._refuse_large(wanted, partial, total or 0)
        while block := answer.read(_BLOCK):
            partial.add(block)
            self._refuse_large(wanted, partial, partial.size)
        if total is not None and partial.size < total:
            raise NotNowError(f"the connection broke off after {partial.size:,} of {total:,} bytes")
        if total is not None and partial.size > total:
            partial.restart()
            raise NotNowError(f"more came than the {total:,} bytes that were announced")
        return True

    def _begin(self, wanted: Wanted, partial: PartialFile, answer: Answer) -> None:
        """Make the partial file ready for the body: empty, unless the body goes on where the file ends."""
        length = answer.header("Content-Length")
        if answer.status == 206:
            match = _RANGE.fullmatch(answer.header("Content-Range"))
            origin = partial.origin()
            is_next = match is not None and int(match[1]) == partial.size and partial.size > 0
            if not is_next or match is None or origin is None or match[3] not in ("*", str(origin.total)):
                partial.restart()
                raise NotNowError("the host gives another part of the file than the one asked for")
            return
        etag = answer.header("ETag")
        mark = etag if etag.startswith('"') else answer.header("Last-Modified")
        partial.restart(Origin(wanted.url, mark, int(length) if length.isdecimal() and length.isascii() else None))

    def _refuse_large(self, wanted: Wanted, partial: PartialFile, size: int) -> None:
        if size > wanted.largest:
            partial.discard()
            what = f"has {size:,} bytes or more, and {wanted.largest:,} are fetched"
            raise NetworkError(what, where=wanted.url, hint="fetch it in another way, if it is what you want")

    def _refuse_wrong(self, wanted: Wanted, partial: PartialFile) -> None:
        partial.flush()
        if wrong := wanted.check(partial.path):
            partial.discard()
            hint = "the same call again; if it stays so, open the address in a browser"
            raise NetworkError(f"what came {wrong}", where=wanted.url, hint=hint)

    # ---- time ------------------------------------------------------------------------------------------------------

    def _keep_pace(self, host: str) -> None:
        last = self._asked.get(host)
        rest = 0.0 if last is None else last + self.pause - self.clock()
        if rest > 0:
            self.sleep(rest)
        self._asked[host] = self.clock()

    def _wait(self, wanted: Wanted, error: NotNowError, failures: int) -> None:
        asked = self._seconds(error.after)
        seconds = min(self.pause * 2 ** (failures - 1), self.longest_wait) if asked is None else asked
        if seconds > self.longest_wait:
            hint = f"the same call in {_duration(seconds)}: it goes on where it stopped"
            raise NetworkError(f"{error.what}, and asks for a pause of {_duration(seconds)}", where=wanted.url, hint=hint)
        if seconds > self.pause:
            self.tell(f"{error.what}; the next request is in {_duration(seconds)}")
        self.sleep(seconds)

    def _seconds(self, after: str) -> float | None:
        """Return the time that ``Retry-After`` asks for, given in seconds or as a date; None when it says neither."""
        if after.isascii() and after.isdecimal():
            return float(after)
        try:
            return max(0.0, parsedate_to_datetime(after).timestamp() - self.today()) if after else None
        except (ValueError, TypeError, OverflowError):
            return None

    def _given_up(self, wanted: Wanted, error: NotNowError, partial: PartialFile) -> NetworkError:
        """Return the error of a file that is given up; `where` is the host when it never answered, else the file's address."""
        kept = f" ({partial.size:,} bytes have come and are kept)" if partial.size else ""
        where = host_of(wanted.url) if error.is_silent else wanted.url
        hint = "check the connection, then the same call again: it goes on where it stopped"
        return NetworkError(f"{error.what}{kept}", where=where, hint=hint)


def _duration(seconds: float) -> str:
    """Return a time in words: seconds below two minutes, else minutes, rounded up."""
    whole = int(-(-seconds // 1))
    return f"{whole} seconds" if whole < 120 else f"{-(-whole // 60)} minutes"
