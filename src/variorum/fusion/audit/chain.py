"""Records in a chain: each holds the hash of the one before and its own, over one canonical form.

A record is a JSON object of one line. `seq` counts from 1, `prev` is the hash of the record before (empty for the first),
`hash` the SHA-256 of the canonical JSON of the record without `hash`: keys sorted, no white space, ASCII with escapes. Since a
line must be exactly that form, every changed byte is seen. The page ``docs/reference/audit-log.md`` has all keys.

After Haber and Stornetta, How to time-stamp a digital document, J. Cryptology 3 (1991), doi:10.1007/BF00196791.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from variorum.thresholds import MAX_SOURCE_BYTES

Record = dict[str, Any]
NO_RECORD: Final = ""
"""What the first record has as the hash of the record before it."""


class BrokenLineError(Exception):
    """A line is no record: the message says why. It stays inside this room."""


def canonical(value: object) -> str:
    """Return the one JSON text of a value: keys sorted, no white space, signs beyond ASCII as escapes."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sha256_of(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8 as hex digits; half a character counts as its escape."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def own_hash(record: Record) -> str:
    """Return the hash that a record must have."""
    return sha256_of(canonical({key: value for key, value in record.items() if key != "hash"}))


def sealed(body: Record, seq: int, prev: str) -> Record:
    """Return the record of this body at a place of the chain."""
    record = {**body, "seq": seq, "prev": prev}
    return {**record, "hash": own_hash(record)}


def line_of(record: Record) -> bytes:
    """Return the line of a record, with its end."""
    return canonical(record).encode("ascii") + b"\n"


def record_of(line: bytes) -> Record:
    """Return the record of a line.

    Raises BrokenLineError for a line without its end, one that is no JSON object or not in canonical form, and a record without
    a place in the chain. Whether the hashes are right is for others to ask.
    """
    if not line.endswith(b"\n"):
        raise BrokenLineError("has no end: it was cut, or its writing interrupted")
    try:
        record = json.loads(line.decode("ascii"))
        is_canonical = isinstance(record, dict) and line_of(record) == line
    except (ValueError, RecursionError):
        raise BrokenLineError("is no JSON record") from None
    if not is_canonical:
        raise BrokenLineError("is not as it was written: not in canonical form")
    wanted = (("seq", int), ("prev", str), ("hash", str), ("kind", str), ("run", int))
    for key, kind in wanted:
        if type(record.get(key)) is not kind:
            raise BrokenLineError(f"has no {key!r}")
    found: Record = record
    return found


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Return the lines of a log from where the file stands, one at a time; one without end is the last, or too long."""
    while line := file.readline(MAX_SOURCE_BYTES):
        yield line
