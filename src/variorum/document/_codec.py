"""Frozen dataclasses to plain JSON values and back, driven by their type hints; a fault is named by its path.

Knows texts, numbers, truth values, `Literal`, `T | None`, `tuple[T, ...]`, `dict[str, object]`, `Box` (four numbers) and
dataclasses made of these. Nothing is coerced but a whole number where a float belongs.
"""

from __future__ import annotations

import math
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from variorum.errors import SchemaError
from variorum.geometry import Box
from variorum.suggestions import nearest_name_hint

T = TypeVar("T")

FLOAT_DIGITS = 4
"""Digits after the point of every measured number: a ten-thousandth of a point is far below what a PDF can place."""

_SCALAR_NAMES: dict[object, str] = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def encode(value: Any, hint: Any, path: str = "") -> Any:
    """Return the value as plain JSON data: dataclasses as dicts in field order, tuples and boxes as lists, floats rounded.

    Raises SchemaError where the value is not what its hint says, or is not finite.
    """
    if hint is Box:
        return [_encode_float(v, f"{path}[{i}]") for i, v in enumerate(_of_class(value, Box, path).as_tuple())]
    if is_dataclass(hint):
        return _encode_dataclass(value, hint, path)
    origin = get_origin(hint)
    if origin is tuple:
        items = _of_class(value, tuple, path)
        return [encode(item, get_args(hint)[0], f"{path}[{i}]") for i, item in enumerate(items)]
    if origin in (Union, UnionType):
        return None if value is None else encode(value, _inner_of_optional(hint), path)
    if origin is dict:
        return _plain(value, path)
    if hint is float:
        return _encode_float(value, path)
    return decode(hint, value, path)


def decode(hint: type[T] | Any, value: Any, path: str = "") -> T:
    """Return the JSON value as the type of the hint; raises SchemaError with the path to the fault."""
    return cast("T", _decode(hint, value, path))


def _decode(hint: Any, value: Any, path: str) -> Any:
    if hint in _SCALAR_NAMES:
        return _decode_scalar(hint, value, path)
    if hint is Box:
        return _decode_box(value, path)
    if is_dataclass(hint):
        return _decode_dataclass(hint, value, path)
    origin = get_origin(hint)
    if origin is Literal:
        return _decode_literal(get_args(hint), value, path)
    if origin in (Union, UnionType):
        return None if value is None else _decode(_inner_of_optional(hint), value, path)
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong("a list", value, path)
        return tuple(_decode(get_args(hint)[0], item, f"{path}[{i}]") for i, item in enumerate(value))
    if origin is dict:
        return _plain(value, path)
    raise TypeError(f"no JSON form for {hint!r}")


def join(path: str, key: str) -> str:
    """Return the path one key further: ``tables[2]`` and ``rows`` give ``tables[2].rows``."""
    return f"{path}.{key}" if path else key


@cache
def _fields_of(cls: Any) -> tuple[tuple[str, Any, bool], ...]:
    """Return (name, hint, required) for each field of a dataclass."""
    hints = get_type_hints(cls)
    return tuple((f.name, hints[f.name], f.default is MISSING and f.default_factory is MISSING) for f in fields(cls))


@cache
def _inner_of_optional(hint: Any) -> Any:
    """Return T of ``T | None``."""
    inner = [a for a in get_args(hint) if a is not NoneType]
    if len(inner) != 1:
        raise TypeError(f"no JSON form for {hint!r}")
    return inner[0]


def _encode_dataclass(value: Any, cls: Any, path: str) -> dict[str, Any]:
    _of_class(value, cls, path)
    return {name: encode(getattr(value, name), hint, join(path, name)) for name, hint, _ in _fields_of(cls)}


def _decode_dataclass(cls: Any, value: Any, path: str) -> Any:
    if not isinstance(value, dict):
        raise _wrong("an object", value, path)
    known = _fields_of(cls)
    names = [name for name, _, _ in known]
    for key in value:
        if key not in names:
            raise SchemaError(f"unknown key {key!r}", where=join(path, key), hint=nearest_name_hint(key, names))
    found = {}
    for name, hint, required in known:
        if name in value:
            found[name] = _decode(hint, value[name], join(path, name))
        elif required:
            raise SchemaError(f"the key {name!r} is missing", where=join(path, name), hint=f"add {name!r}: {_describe(hint)}")
    return cls(**found)


def _decode_scalar(hint: Any, value: Any, path: str) -> Any:
    if hint is float and type(value) is int:
        try:
            value = float(value)
        except OverflowError:
            raise _wrong("a finite number", value, path) from None
    if type(value) is not hint:
        raise _wrong(_SCALAR_NAMES[hint], value, path)
    if hint is float and not math.isfinite(value):
        raise _wrong("a finite number", value, path)
    return value


def _decode_literal(choices: tuple[str, ...], value: Any, path: str) -> Any:
    if value not in choices:
        hint = nearest_name_hint(value, choices) if isinstance(value, str) else "one of " + ", ".join(map(repr, choices))
        raise SchemaError(f"{_found(value)} is not allowed here", where=path, hint=hint)
    return value


def _decode_box(value: Any, path: str) -> Box:
    if not isinstance(value, list) or len(value) != 4:
        raise _wrong("a box, four numbers [x0, y0, x1, y1],", value, path)
    x0, y0, x1, y1 = (_decode_scalar(float, v, f"{path}[{i}]") for i, v in enumerate(value))
    if x0 > x1 or y0 > y1:
        raise SchemaError(f"the corners of the box {value} are swapped", where=path, hint="x0 <= x1 and y0 <= y1")
    return Box(x0, y0, x1, y1)


def _encode_float(value: Any, path: str) -> float:
    number: float = _decode_scalar(float, value, path)
    return round(number, FLOAT_DIGITS) + 0.0  # the sum turns -0.0 into 0.0


def _plain(value: Any, path: str) -> dict[str, Any]:
    """Return a copy of an object of settings: keys sorted, tuples as lists, numbers as they are."""
    if not isinstance(value, dict):
        raise _wrong("an object", value, path)
    for key in value:
        if not isinstance(key, str):
            raise _wrong("a text as key", key, path)
    return {key: _plain_value(value[key], join(path, key)) for key in sorted(value)}


def _plain_value(value: Any, path: str) -> Any:
    if isinstance(value, dict):
        return _plain(value, path)
    if isinstance(value, list | tuple):
        return [_plain_value(v, f"{path}[{i}]") for i, v in enumerate(value)]
    if value is not None and not isinstance(value, bool | int | float | str):
        raise _wrong("a JSON value", value, path)
    if isinstance(value, float) and not math.isfinite(value):
        raise _wrong("a finite number", value, path)
    return value


def _of_class(value: Any, cls: type[T], path: str) -> T:
    if not isinstance(value, cls):
        raise _wrong(f"a {cls.__name__}", value, path)
    return value


def _wrong(expected: str, value: Any, path: str) -> SchemaError:
    return SchemaError(f"expected {expected}, found {_found(value)}", where=path or "document")


def _found(value: Any) -> str:
    """Return a short name of a JSON value for a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, str):
        return f"the text {value if len(value) <= 40 else value[:39] + '…'!r}"
    if isinstance(value, int) and value.bit_length() > 128:
        return "a very large number"
    return f"the number {value}" if isinstance(value, int | float) else f"a {type(value).__name__}"


def _describe(hint: Any) -> str:
    """Return what a key should hold, for a hint."""
    if get_origin(hint) in (Union, UnionType):
        return f"{_describe(_inner_of_optional(hint))} or null"
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(map(repr, get_args(hint)))
    if hint is Box:
        return "four numbers"
    return _SCALAR_NAMES.get(hint) or ("a list" if get_origin(hint) is tuple else "an object")
