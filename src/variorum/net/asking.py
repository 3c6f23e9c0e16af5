"""One request over HTTP, and what came of it; the one place that opens a connection.

The standard library does it: nothing here needs more, and what it does with proxies and certificates is what the system says.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPMessage
from typing import IO, Any, Final
from urllib.parse import urlsplit

from variorum.errors import NetworkError, UsageError

_SCHEMES: Final = ("http", "https")
_SOON: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Answers that say: not now."""
_OFFLINE: Final = "check the connection (and the proxy, if there is one), then the same call again: it goes on where it stopped"


class NotNowError(Exception):
    """The request failed in a way that may be over soon; `after` is what the host asked to wait (its own words), or ''.

    `is_silent` says that the host gave no answer at all.
    """

    def __init__(self, what: str, after: str = "", *, is_silent: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.after = after
        self.is_silent = is_silent


@dataclass(slots=True)
class Answer:
    """What a host answers: the status, its headers, the address at the end of redirections, and the body to be read."""

    status: int
    headers: Message
    url: str
    body: Any

    def header(self, name: str) -> str:
        """Return a header's value, '' without."""
        return str(self.headers.get(name) or "").strip()

    def read(self, size: int) -> bytes:
        """Return the next bytes of the body, none at its end; raises NotNowError when the connection breaks."""
        try:
            return bytes(self.body.read(size))
        except http.client.IncompleteRead as error:
            raise NotNowError("the connection broke off") from error
        except (OSError, http.client.HTTPException) as error:
            raise NotNowError(f"the connection broke off ({_said(error)})") from error


def host_of(url: str) -> str:
    """Return the host of an address, with its port if it names one; raises UsageError for one that is no address of the web."""
    try:
        parts = urlsplit(url)
        host, _ = parts.netloc.rpartition("@")[-1], parts.port
    except ValueError as error:
        raise UsageError(f"{url!r} is no address of the web ({error})", hint="https://export.arxiv.org") from None
    if parts.scheme not in _SCHEMES or not host or any(c.isspace() or not c.isprintable() for c in url):
        raise UsageError(f"{url!r} is no address of the web", hint="https://export.arxiv.org")
    return host


def ask(url: str, headers: Mapping[str, str], timeout: float) -> Answer:
    """Return the answer of a host, also one that says no; the caller closes its body.

    `timeout` is how many seconds the host may be silent. Raises NotNowError for what may be over soon, NetworkError for a host
    that cannot be found or whose certificate is wrong, UsageError for no address of the web.
    """
    host = host_of(url)
    request = urllib.request.Request(url, headers=dict(headers))
    try:
        response = urllib.request.build_opener(_Redirects).open(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        if error.code in _SOON:
            after = str(error.headers.get("Retry-After") or "").strip()
            error.close()
            raise NotNowError(f"the host answers {error.code} ({error.reason})", after) from None
        return Answer(error.code, error.headers, error.url or url, error)
    except urllib.error.URLError as error:
        raise _failure(host, error.reason) from error
    except (OSError, http.client.HTTPException) as error:
        raise _failure(host, error) from error
    return Answer(response.status, response.headers, response.url, response)


def _failure(host: str, reason: object) -> Exception:
    """Return the error that a reason for having no answer is; one that says the host itself is at fault names no more."""
    if isinstance(reason, socket.gaierror):
        return NetworkError(f"the host cannot be found ({_said(reason)})", where=host, hint=_OFFLINE)
    if isinstance(reason, ssl.SSLCertVerificationError):
        what = f"its certificate cannot be trusted ({_said(reason)})"
        return NetworkError(what, where=host, hint="SSL_CERT_FILE names the certificates of your network")
    if isinstance(reason, TimeoutError):
        return NotNowError("the host does not answer", is_silent=True)
    return NotNowError(f"the host cannot be reached ({_said(reason)})", is_silent=True)


def _said(reason: object) -> str:
    said = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return " ".join(str(said).split())


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirections within the web, never from a safe connection to an open one."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        is_open = urlsplit(newurl).scheme == "http" and urlsplit(req.full_url).scheme == "https"
        if urlsplit(newurl).scheme not in _SCHEMES or is_open:
            raise NetworkError(f"{host_of(req.full_url)} leads to {newurl!r}, which is not followed", where=req.full_url)
        return super().redirect_request(req, fp, code, msg, headers, newurl)
