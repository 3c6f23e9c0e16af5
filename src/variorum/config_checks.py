"""Checks for values that came from a configuration file; each raises ConfigError with the path to the fault.

They know nothing of what the values are for, and every room may use them. `where` is the path so far:
``my.toml: confidence_multipliers``.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path

from variorum.errors import ConfigError
from variorum.suggestions import nearest_name_hint

_EXAMPLE = 'inherit = "default"'
_RIGHT = {
    "text": 'text in quotes, such as "default"',
    "a number": "digits without quotes, such as 1.5",
    "a whole number": "digits without quotes or point, such as 4",
    "a list of names": 'names in quotes and brackets: ["one", "two"]',
    "a table": "[the key] on a line, and NAME = VALUE below it",
    "an object": "names and values in braces, as variorum tune writes them",
}
_TYPE_NAMES = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
    tuple: "a list",
    dict: "a table",
}


def read_toml(path: Path, example: str = _EXAMPLE) -> dict[str, object]:
    """Return the content of a TOML file; raises ConfigError (with the line, where TOML says it) when it cannot be read.

    `example` is a line that may stand in such a file, for the hint.
    """
    hint = f"one KEY = VALUE a line, as in: {example}"
    if path.is_dir():
        raise ConfigError(
            "is a folder, not a TOML file", where=str(path), hint="the file in it, or the name of a configuration"
        )
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ConfigError("no such configuration file", where=str(path), hint="check the path") from None
    except UnicodeDecodeError as error:
        raise ConfigError("is not UTF-8 text", where=f"{path}: byte {error.start}", hint="save it as UTF-8") from None
    except OSError as error:
        raise ConfigError(
            f"cannot be read ({error.strerror or error})", where=str(path), hint="check path and permissions"
        ) from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where, what = _toml_fault(str(error), text)
        raise ConfigError(f"not valid TOML: {what}", where=f"{path}: {where}", hint=hint) from None
    except RecursionError:
        raise ConfigError("not a configuration: its values are nested too deeply", where=str(path), hint=hint) from None
    except ValueError as error:  # a number of more digits than Python reads
        raise ConfigError(f"not a configuration: {error}", where=str(path), hint=hint) from None


def _toml_fault(message: str, text: str) -> tuple[str, str]:
    """Return (``line 3, column 5``, what is wrong) from the message of a TOML error."""
    place = re.search(r" \(at (line \d+, column \d+|end of document)\)$", message)
    if place is None:
        return "somewhere", message
    at = place.group(1)
    if at == "end of document":
        at = f"line {len(text.rstrip().splitlines())}, at the end"
    return at, message[: place.start()]


def join(where: str, key: str) -> str:
    """Return the path to a key: ``my.toml: a`` for a file, ``a.b`` below a key."""
    if not where:
        return key
    return f"{where}{key}" if where.endswith(": ") or key.startswith("[") else f"{where}.{key}"


def refuse_unknown(name: str, valid: Collection[str], where: str, what: str) -> None:
    """Return None when the name is valid; raises ConfigError with the nearest valid name otherwise."""
    if name not in valid:
        raise ConfigError(f"unknown {what} {name!r}", where=where, hint=nearest_name_hint(name, valid))


def wrong_type(value: object, wanted: str, where: str) -> ConfigError:
    """Return the error that says which type was wanted, what is there, and what a right value looks like."""
    found = _TYPE_NAMES.get(type(value), type(value).__name__)
    return ConfigError(f"must be {wanted}, not {found} ({value!r})", where=where, hint=_RIGHT.get(wanted, ""))


def text(value: object, where: str) -> str:
    """Return the value as text; raises ConfigError when it is not, or is empty."""
    if not isinstance(value, str):
        raise wrong_type(value, "text", where)
    if not value.strip():
        raise ConfigError("must not be empty", where=where, hint=_RIGHT["text"])
    return value


def one_of(value: object, valid: Collection[str], where: str, what: str) -> str:
    """Return the value when it is one of the valid names; raises ConfigError otherwise."""
    name = text(value, where)
    refuse_unknown(name, valid, where, what)
    return name


def names(value: object, valid: Collection[str], where: str, what: str, *, empty: bool = True) -> tuple[str, ...]:
    """Return a list of valid names without repeats as a tuple; raises ConfigError otherwise, with the index of the fault."""
    if not isinstance(value, list | tuple):
        raise wrong_type(value, "a list of names", where)
    found: list[str] = []
    for index, item in enumerate(value):
        place = join(where, f"[{index}]")
        name = one_of(item, valid, place, what)
        if name in found:
            raise ConfigError(f"{name!r} stands twice", where=place, hint="name it once")
        found.append(name)
    if not found and not empty:
        raise ConfigError(f"must name at least one {what}", where=where, hint=f"one of {', '.join(valid)}")
    return tuple(found)


def mapping(value: object, valid: Collection[str], where: str, what: str) -> Mapping[str, object]:
    """Return a table whose keys are valid names; raises ConfigError otherwise."""
    if not isinstance(value, Mapping):
        raise wrong_type(value, "a table", where)
    for key in value:
        if not isinstance(key, str):
            raise wrong_type(key, "text", where)
        refuse_unknown(key, valid, join(where, key), what)
    return value


def positive_number(value: object, where: str, *, hint: str = "") -> float:
    """Return a finite number above 0 as float; raises ConfigError otherwise."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong_type(value, "a number", where)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not (math.isfinite(number) and number > 0):
        hint = hint or "a number such as 0.5 or 2"
        raise ConfigError(f"must be a finite number above 0, not {number}", where=where, hint=hint)
    return number


def positive_count(value: object, where: str) -> int:
    """Return a whole number above 0; raises ConfigError otherwise."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_type(value, "a whole number", where)
    if value <= 0:
        raise ConfigError(f"must be above 0, not {value}", where=where, hint="a whole number from 1 up")
    return value
