"""Tenants from TOML: the packaged ones by name, users' own by path or by name in a folder.

A file is read strictly: an unknown key, a number outside [0, 1] or a name that does not exist is refused with the path to it.
A tenant that inherits takes what its file does not state from the tenant named; single numbers replace inherited ones.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

from variorum import config_checks as check
from variorum.errors import ConfigError
from variorum.fusion.model import SOURCES
from variorum.fusion.signals.registry import SIGNAL_NAMES
from variorum.fusion.tenants.model import DASH, TYPES, Tenant, Weight
from variorum.suggestions import nearest_name_hint

PACKAGED: Final = ("default", "default-dynamic")
"""Names of the tenants that come with the package; no other tenant may have one of them."""

_KEYS: Final = ("name", "version", "inherits", "signals", "required_sources", *SOURCES)
_NAME: Final = re.compile(r"[A-Za-z0-9][\w.\-]*")
_DASHES: Final = (DASH, "-", "–")
_HINT_WEIGHT: Final = f'a number from 0 to 1, or "{DASH}" for a source that never beats another'


def tenant_names(folder: str | Path | None = None) -> tuple[str, ...]:
    """Return the names that `load_tenant` knows: the packaged tenants, then those of the files in the folder, in order.

    Raises ConfigError when there is no such folder.
    """
    own = [] if folder is None else sorted(path.stem for path in _files_in(Path(folder)))
    return (*PACKAGED, *(name for name in own if name not in PACKAGED))


def load_tenant(name_or_path: str | Path, folder: str | Path | None = None, *, option: str = "--tenant") -> Tenant:
    """Return a tenant: a packaged one by name, one of the `folder` by the name of its file, or the one in a TOML file.

    `option` is what asked for it, as a message about a name that nothing has says.

    A word that is no name is taken for a file when it ends in ``.toml``, holds a path separator or is one. Raises ConfigError,
    whose `where` is the file and the path to the key: what cannot be read, an unknown key, a number outside [0, 1], a tenant to
    inherit from that does not exist or that inherits from this one, a name that a packaged tenant has.
    """
    asked = str(name_or_path)
    if asked in PACKAGED:
        return _packaged(asked)
    names = tenant_names(folder)
    if folder is not None and asked in names:
        return _of_file(Path(folder) / f"{asked}.toml", ())
    path = Path(name_or_path)
    if not asked or (path.suffix.lower() != ".toml" and path.name == asked and not path.exists()):
        what = f"no tenant of the name {asked!r}" if asked else "the name of a tenant is empty"
        raise ConfigError(what, where=option, hint=f"{nearest_name_hint(asked, names)} (or the path of a TOML file)")
    return _of_file(path, ())


def parse_tenant(text: str, where: str = "tenant") -> Tenant:
    """Return the tenant of a TOML text that inherits from nothing or from a packaged tenant, such as a canonical text.

    Raises ConfigError as `load_tenant` does; `where` begins its paths.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"not valid TOML: {error}", where=where, hint="the text of a tenant as variorum wrote it") from None
    return _built(data, f"{where}: ", where, None, ())


def _files_in(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.suffix == ".toml" and path.is_file()]
    except OSError as error:
        what = f"is no folder that can be read ({error.strerror})"
        raise ConfigError(what, where=str(folder), hint="--tenants with a folder of TOML files") from error


def _packaged(name: str) -> Tenant:
    text = files("variorum.fusion.tenants").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return _built(tomllib.loads(text), f"{name}.toml: ", name, None, ())


def _of_file(path: Path, heirs: tuple[Path, ...]) -> Tenant:
    """Return the tenant of a file; `heirs` are the files that inherit from it, the first asked for first."""
    data = check.read_toml(path, 'inherits = "default"')
    own = path.absolute()
    tenant = _built(data, f"{path}: ", path.stem, path, (*heirs, own))
    if tenant.name in PACKAGED:
        what = f"{tenant.name!r} is the name of a tenant that comes with variorum"
        raise ConfigError(what, where=f"{path}: name", hint="a name of your own")
    return tenant


def _built(data: Mapping[str, object], where: str, stem: str, path: Path | None, heirs: tuple[Path, ...]) -> Tenant:
    """Return the tenant that the data describes; `path` is its file, for what it inherits from that stands beside it."""
    for key in data:
        if key not in _KEYS:
            raise ConfigError(f"unknown key {key!r}", where=f"{where}{key}", hint=nearest_name_hint(key, _KEYS))
    name = check.text(data.get("name", stem), f"{where}name")
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{name!r} is no name", where=f"{where}name", hint="letters, digits, dots and hyphens")
    base = _base(data["inherits"], f"{where}inherits", path, heirs) if "inherits" in data else None
    required = data.get("required_sources", list(base.required_sources) if base is not None else [])
    names = check.names(required, SOURCES, f"{where}required_sources", "source")
    weights = _weights(data, where, name, base)
    signals = _signals(data.get("signals"), f"{where}signals", base)
    if "version" not in data:  # last: every other fault tells more
        raise ConfigError("is missing", where=f"{where}version", hint='the version of your numbers: version = "1"')
    return Tenant(
        name=name,
        version=check.text(data["version"], f"{where}version"),
        weights=weights,
        signals=signals,
        required_sources=tuple(source for source in SOURCES if source in names),
        inherits=() if base is None else (base.name, *base.inherits),
    )


def _base(value: object, where: str, path: Path | None, heirs: tuple[Path, ...]) -> Tenant:
    """Return the tenant that is inherited from: a packaged one, or one of the files beside the heir."""
    name = check.text(value, where)
    if name in PACKAGED:
        return _packaged(name)
    beside = None if path is None else path.parent / f"{name}.toml"
    if beside is None or not _NAME.fullmatch(name) or not beside.is_file():
        known = tenant_names(None if path is None else path.parent)
        raise ConfigError(f"no tenant of the name {name!r}", where=where, hint=nearest_name_hint(name, known))
    if beside.absolute() in heirs:
        circle = " inherits from ".join(file.stem for file in (*heirs[heirs.index(beside.absolute()) :], beside))
        raise ConfigError(f"inherits from itself: {circle}", where=where, hint='end the chain with inherits = "default"')
    return _of_file(beside, heirs)


def _weights(data: Mapping[str, object], where: str, name: str, base: Tenant | None) -> tuple[Weight, ...]:
    """Return a weight for every source and type: that of the data, else the inherited one."""
    found = []
    for source in SOURCES:
        at = f"{where}[{source}]"
        section = check.mapping(data.get(source, {}), TYPES, at, "type of component")
        for kind in TYPES:
            if kind in section:
                value = _weight(section[kind], f"{at}.{kind}")
                found.append(Weight(source=source, type=kind, value=value, origin=name))
            elif base is not None:
                found.append(base.entry(source, kind))
            else:
                hint = 'inherits = "default", or all numbers of the matrix'
                raise ConfigError("is missing", where=f"{at}.{kind}", hint=hint)
    return tuple(found)


def _weight(value: object, where: str) -> float | None:
    if isinstance(value, str) and value.strip() in _DASHES:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"{value!r} is no confidence", where=where, hint=_HINT_WEIGHT)
    if not 0 <= value <= 1:
        raise ConfigError(f"{value} is not in [0, 1]", where=where, hint=_HINT_WEIGHT)
    return float(value) + 0.0  # the sum turns -0.0 into 0.0


def _signals(value: object, where: str, base: Tenant | None) -> tuple[str, ...]:
    """Return the names of the signals that are on: all, none, or the inherited ones but for those that a table names."""
    inherited = () if base is None else base.signals
    if value is None:
        return inherited
    if isinstance(value, bool):
        return SIGNAL_NAMES if value else ()
    if not isinstance(value, Mapping):
        raise ConfigError(f"must be true, false or a table, not {value!r}", where=where, hint="signals = true")
    named = check.mapping(value, SIGNAL_NAMES, where, "signal")
    for name, is_on in named.items():
        if not isinstance(is_on, bool):
            raise ConfigError(f"must be true or false, not {is_on!r}", where=f"{where}.{name}", hint=f"{name} = true")
    return tuple(name for name in SIGNAL_NAMES if named.get(name, name in inherited))
