"""A document as JSON text and back: one canonical form, and every fault of a file named by its path.

The schema is described in ``docs/reference/document-json.md``.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from variorum.document._codec import decode, encode
from variorum.document.consistency import check_document
from variorum.document.model import SCHEMA_VERSION, Document
from variorum.errors import SchemaError

_LINE_LENGTH = 200
_HINT = "a document.json that variorum extract wrote"
_SURROGATE = re.compile("[\ud800-\udfff]")


def to_json(document: Document) -> str:
    """Return the document as canonical JSON text: the same document gives the same characters on every machine.

    Keys stand in the order of the fields, those of `config` sorted; measured numbers have at most 4 digits after the point;
    text is not escaped to ASCII; the last line ends with a newline. Raises SchemaError when the document contradicts itself or
    holds a number that is not finite.
    """
    check_document(document)
    return canonical_text({"schema_version": SCHEMA_VERSION, **encode(document, Document)})


def canonical_text(value: dict[str, Any]) -> str:
    """Return a JSON object as canonical text: the same data gives the same characters on every machine.

    Keys stand in their order; text is not escaped to ASCII; the last line ends with a newline.
    """
    text = _laid_out(value, "") + "\n"
    return _SURROGATE.sub(lambda m: f"\\u{ord(m.group()):04x}", text)  # half a character has no UTF-8, but an escape


def rounded(document: Document) -> Document:
    """Return the document with its measured numbers rounded as `to_json` writes them, so that it equals what is read back.

    Raises SchemaError for a value that is not what its type says, or is not finite.
    """
    found: Document = decode(Document, encode(document, Document))
    return found


def from_json(text: str) -> Document:
    """Return the document that the JSON text describes.

    Raises SchemaError with `where` the path to the fault (``tables[2].cells[5].rowspan``): text that is not JSON, a schema
    version that this release does not read, a missing or unknown key, a value of the wrong type or outside its range, cells
    that overlap or lie outside their grid.
    """
    data = parse_object(text, "document", _HINT)
    _check_version(data)
    document: Document = decode(Document, {k: v for k, v in data.items() if k != "schema_version"})
    check_document(document)
    return document


def parse_object(text: str, what: str, hint: str) -> dict[str, Any]:
    """Return the JSON object of a text; raises SchemaError when it is none, or holds a key twice or a number that is none.

    `what` is what the text should be, for the errors, `hint` what to try.
    """
    try:
        data = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise SchemaError(f"not JSON: {error.msg}", where=f"line {error.lineno}, column {error.colno}", hint=hint) from None
    except SchemaError:
        raise
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"not JSON that can be read: {error}", where=what, hint=hint) from None
    if not isinstance(data, dict):
        raise SchemaError("expected an object", where=what, hint=hint)
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise SchemaError(f"{name} is not a JSON number", where="document", hint="null, or leave the value out")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        double = next(key for key in keys if keys.count(key) > 1)
        raise SchemaError(f"the key {double!r} stands twice in one object", where=double)
    return found


def _check_version(data: dict[str, Any]) -> None:
    where = "schema_version"
    if where not in data:
        raise SchemaError("is missing: this is no document of variorum", where=where, hint=_HINT)
    version = data[where]
    if not isinstance(version, str) or not re.fullmatch(r"[0-9]{1,6}\.[0-9]{1,6}", version):
        raise SchemaError("expected a text such as '1.0'", where=where, hint=_HINT)
    major, minor = map(int, version.split("."))
    own_major, own_minor = map(int, SCHEMA_VERSION.split("."))
    if major != own_major or minor > own_minor:
        newer = (major, minor) > (own_major, own_minor)
        raise SchemaError(
            f"schema {version} is not supported; this release reads {own_major}.0 to {SCHEMA_VERSION}",
            where=where,
            hint="a newer variorum" if newer else "extract the paper again",
        )


def _laid_out(value: Any, indent: str) -> str:
    """Return JSON where an object or list that fits stands on one line, so that a cell or a vote is a line of the file."""
    flat = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if not isinstance(value, dict | list) or not value or len(indent) + len(flat) < _LINE_LENGTH:
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        items = [f"{json.dumps(k, ensure_ascii=False)}: {_laid_out(v, inner)}" for k, v in value.items()]
        opening, closing = "{", "}"
    else:
        items = [_laid_out(v, inner) for v in value]
        opening, closing = "[", "]"
    return opening + "\n" + ",\n".join(inner + item for item in items) + "\n" + indent + closing
