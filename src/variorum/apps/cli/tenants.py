"""``variorum tenants``: which tenants there are, and of one the matrix in effect and where each number comes from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from variorum.apps.cli.console import complain, emit, emit_json, printable
from variorum.errors import ConfigError

if TYPE_CHECKING:
    from variorum.fusion.tenants import Tenant

_GAP = "  "


def run_tenants(name: str | None, *, folder: Path | None, as_json: bool) -> int:
    """Return 0 once the tenants, or the matrix of the one named, are on stdout.

    Raises ConfigError as `load_tenant` does for the one named. Where all are listed, those that cannot be read are named on
    stderr, and the code is that of ConfigError.
    """
    from variorum.fusion.tenants import load_tenant, tenant_names

    if name is not None:
        tenant = load_tenant(name, folder)
        if as_json:
            emit_json(_as_data(tenant))
        else:
            emit(_as_text(tenant))
        return 0
    tenants: list[Tenant] = []
    faults: list[ConfigError] = []
    for known in tenant_names(folder):
        try:
            tenants.append(load_tenant(known, folder))
        except ConfigError as error:
            faults.append(error)
    if as_json:
        emit_json([_as_data(tenant) for tenant in tenants])
    else:
        emit("\n".join(printable(_headline(tenant)) for tenant in tenants))
    for fault in faults:
        complain(str(fault))
    return ConfigError.exit_code if faults else 0


def _as_data(tenant: Tenant) -> dict[str, object]:
    weights: dict[str, dict[str, object]] = {}
    for entry in tenant.weights:
        weights.setdefault(entry.source, {})[entry.type] = {"weight": entry.value, "from": entry.origin}
    return {
        "name": tenant.name,
        "version": tenant.version,
        "sha256": tenant.sha256,
        "inherits": list(tenant.inherits),
        "signals": list(tenant.signals),
        "required_sources": list(tenant.required_sources),
        "weights": weights,
    }


def _headline(tenant: Tenant) -> str:
    from variorum.fusion.signals import SIGNAL_NAMES

    inherits = f", inherits from {' and '.join(tenant.inherits)}" if tenant.inherits else ""
    count = len(tenant.signals)
    signals = "no signals" if not count else "all signals" if count == len(SIGNAL_NAMES) else f"{count} signals"
    required = f", requires {' and '.join(tenant.required_sources)}" if tenant.required_sources else ""
    return f"{tenant.name} {tenant.version}: {signals}{required}{inherits}"


def _number(value: float) -> str:
    """Return a confidence with two digits, or as many as it has more."""
    return max(f"{value:.2f}", f"{value:g}", key=len)


def _as_text(tenant: Tenant) -> str:
    """Return the matrix as lines: a row a type, a column a source; behind a number from another tenant a letter for it."""
    from variorum.fusion.model import SOURCES
    from variorum.fusion.signals import SIGNAL_NAMES
    from variorum.fusion.tenants import DASH, TYPES

    origins = [name for name in dict.fromkeys(w.origin for w in tenant.weights) if name != tenant.name]
    marks = {tenant.name: "", **{name: chr(ord("a") + i) for i, name in enumerate(sorted(origins))}}
    rows = [["", *SOURCES]]
    for kind in TYPES:
        row = [kind.replace("_", " ")]
        for source in SOURCES:
            entry = tenant.entry(source, kind)
            mark = marks[entry.origin]
            row.append(" ".join(filter(None, (DASH if entry.value is None else _number(entry.value), mark))))
        rows.append(row)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [printable(_headline(tenant)), ""]
    lines += [(_GAP + _GAP.join(text.ljust(w) for text, w in zip(row, widths, strict=True))).rstrip() for row in rows]
    lines.append("")
    lines += [printable(f"{_GAP}{mark}: from {name}") for name, mark in marks.items() if mark]
    if tenant.signals and len(tenant.signals) < len(SIGNAL_NAMES):
        lines.append(f"{_GAP}signals: {', '.join(tenant.signals)}")
    lines.append(f"{_GAP}sha256 {tenant.sha256}")
    return "\n".join(lines)
