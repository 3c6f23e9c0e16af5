"""What the command prints: results on stdout, one line a fault on stderr, progress on stderr when it is a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from variorum.errors import OutputError, VariorumError

CLOSED_PIPE_EXIT_CODE = 141
INTERRUPTED_EXIT_CODE = 130
PROGRAM = "variorum"

_debug = False


def set_debug(wanted: bool) -> None:
    """Return None; tracebacks are printed from now on when it is wanted here or ``VARIORUM_DEBUG=1`` is set."""
    global _debug  # noqa: PLW0603  (one process, one command line)
    _debug = _debug or wanted or os.environ.get("VARIORUM_DEBUG") == "1"


def prepare_streams() -> None:
    """Return None; signs that the terminal's encoding lacks are printed as escapes from now on, not fatal."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def emit(text: str) -> None:
    """Return None once the text and a line end are on stdout; ends the program when its reader has closed the pipe.

    Raises OutputError when stdout cannot be written, as on a full disk.
    """
    try:
        print(text, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains once more at its exit
        if isinstance(error, BrokenPipeError):
            raise SystemExit(CLOSED_PIPE_EXIT_CODE) from None
        what = f"cannot be written ({error.strerror or error})"
        raise OutputError(what, where="stdout", hint="another place to send it to") from error


def printable(text: str) -> str:
    """Return the text with every sign that a terminal would act on, or cannot show, as an escape such as ``\\n``."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def emit_json(value: object) -> None:
    """Return None once the value is on stdout as JSON."""
    is_utf8 = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    emit(json.dumps(value, ensure_ascii=not is_utf8, indent=2))


def complain(text: str) -> None:
    """Return None once ``variorum: text`` is on stderr as exactly one line."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    print(f"{PROGRAM}: {line}", file=sys.stderr, flush=True)


def report_error(error: BaseException, source: str = "") -> int:
    """Return the exit code of the error, once it is on stderr in one line (and its traceback, when debugging).

    `source` names the input that an error of another family was met with.
    """
    if isinstance(error, VariorumError):
        complain(str(error))
        code = error.exit_code
    elif isinstance(error, KeyboardInterrupt):
        complain("interrupted; every file written so far is whole")
        code = INTERRUPTED_EXIT_CODE
    else:
        complain(f"{source}: {describe_bug(error)}" if source else describe_bug(error))
        code = 1
    if _debug:
        import traceback

        traceback.print_exception(error, file=sys.stderr)
    return code


def describe_bug(error: BaseException) -> str:
    """Return the sentence for an error that is not of the family."""
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"this is a bug of variorum ({message}). To try: the same call with --debug, and report what it says"


@contextmanager
def progress_bar(what: str, *, quiet: bool) -> Iterator[Callable[[int, int, str], None] | None]:
    """Yield a function ``(done, total, what)`` that draws progress on stderr; None when quiet or stderr is no terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(escape(what), total=None)

        def update(done: int, total: int, now: str) -> None:
            progress.update(task, completed=done, total=total, description=escape(f"{what}: {now}" if now else what))

        yield update
