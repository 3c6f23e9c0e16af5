"""The door to the package ``chromadb``, and what it raises, told apart: no answer of a server, or vectors that cannot be read.

Chroma raises exceptions of its own, of SQLite, of HTTP, plain ones, and panics of its Rust core, which are no `Exception`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from variorum.errors import DependencyError, NetworkError, VariorumError

PACKAGE_HINT: Final = 'pip install "variorum[chroma]"; or --vectors exact, which needs nothing'
SERVER_HINT: Final = "start it (chroma run --path FOLDER --port PORT); or --vectors exact, which needs none"
_PANIC: Final = "PanicException"
_LONGEST: Final = 200


class ChromaFault(Exception):  # noqa: N818 (caught where it arises: what is damaged is set aside and made anew)
    """What is kept in Chroma cannot be read or is not what was put there."""


def chroma() -> Any:
    """Return the module ``chromadb``, the only way to it; raises DependencyError when it is not installed or does not load."""
    try:
        return importlib.import_module("chromadb")
    except ImportError as error:
        raise DependencyError(f"Chroma cannot be loaded ({error})", where="--vectors chroma", hint=PACKAGE_HINT) from error


def quiet_settings() -> Any:
    """Return settings of Chroma that keep it from telling its makers what is done with it, and from keeping connections open,
    which it would never close."""
    return chroma().Settings(anonymized_telemetry=False, chroma_http_max_keepalive_connections=0)


@contextmanager
def told_apart(server: str | None) -> Iterator[None]:
    """Turn what Chroma raises into `ChromaFault`, or into NetworkError where the server (its address) gives no answer."""
    try:
        yield
    except (VariorumError, ChromaFault):
        raise
    except Exception as error:
        if server is not None and _is_of_the_network(error):
            raise NetworkError(f"Chroma gives no answer ({one_line(error)})", where=server, hint=SERVER_HINT) from error
        raise ChromaFault(one_line(error)) from error
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        raise ChromaFault(one_line(error)) from error


def one_line(error: BaseException) -> str:
    """Return what an error says in one line that is not too long, or its kind where it says nothing."""
    text = " ".join(str(error).split())
    return f"{text[:_LONGEST]}…" if len(text) > _LONGEST else text or type(error).__name__


def _is_of_the_network(error: BaseException | None) -> bool:
    """Return whether an error, or what it arose from, is one of HTTP or of the system's sockets."""
    while error is not None:
        if isinstance(error, OSError) or type(error).__module__.partition(".")[0] in ("httpx", "httpcore"):
            return True
        error = error.__cause__ or error.__context__
    return False
