"""Whether a server that somebody named answers at an address: asked once, without waiting for long."""

from __future__ import annotations

import http.client
from contextlib import closing


def refusal_of(host: str, port: int, path: str, *, within_s: float) -> int | None:
    """Return None when a server answers a path with 200, else the HTTP status that it gives; raises OSError when nothing
    answers within the seconds, and HTTPException when what answers speaks no HTTP.

    Nothing is sent but the request for the path (RFC 9110), and no redirection is followed.
    """
    with closing(http.client.HTTPConnection(host, port, timeout=within_s)) as connection:
        connection.request("GET", path)
        status = connection.getresponse().status
    return None if status == http.HTTPStatus.OK else status
