"""The files of sources: read whole, within a limit of size, with errors that say what to try."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NoReturn

from variorum.errors import DamagedInputError, InputNotFoundError, SchemaError
from variorum.sources.seeming import seems_to_be
from variorum.thresholds import MAX_SOURCE_BYTES


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file.

    Raises InputNotFoundError when it is missing or no file, DamagedInputError when it is empty or has more than
    `MAX_SOURCE_BYTES`.
    """
    where = str(path)
    try:
        if path.exists() and not path.is_file():
            raise InputNotFoundError("is not a regular file", where=where, hint="the file of the source")
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > MAX_SOURCE_BYTES:
                what = f"has {size:,} bytes, and a source may have {MAX_SOURCE_BYTES:,}"
                raise DamagedInputError(what, where=where, hint="the source of one paper")
            data = file.read(MAX_SOURCE_BYTES)
    except FileNotFoundError as error:
        raise InputNotFoundError("no such file", where=where, hint="check the path") from error
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        what = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InputNotFoundError(what, where=where, hint="check path and permissions") from error
    if not data.strip():
        raise DamagedInputError("is empty", where=where, hint="the source of a paper")
    return data


def parse_json(data: bytes, where: str, hint: str) -> Any:
    """Return what JSON bytes hold; raises SchemaError for bytes that are no JSON, or hold NaN or infinities."""

    def refuse(name: str) -> NoReturn:
        raise SchemaError(f"{name} is not a JSON number", where=where, hint=hint)

    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=refuse)
    except UnicodeDecodeError as error:
        raise SchemaError(f"not JSON: it seems to be {seems_to_be(data)}", where=where, hint=hint) from error
    except json.JSONDecodeError as error:
        if (seeming := seems_to_be(data)) != "JSON":
            raise SchemaError(f"not JSON: it seems to be {seeming}", where=where, hint=hint) from None
        at = f"{where}: line {error.lineno}, column {error.colno}"
        raise SchemaError(f"not JSON: {error.msg}", where=at, hint=hint) from None
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"not JSON that can be read: {error}", where=where, hint=hint) from None
