"""A calibration as the file of a tenant, and as JSON: numbers with all that stands behind them, refusals with their reasons."""

from __future__ import annotations

import json
from typing import Any

from variorum import __version__
from variorum.document.voices import counted
from variorum.evaluation.calibration import Calibration, Measured
from variorum.fusion.model import SOURCES

_MIDDLE = "of the items of the truth that the source has a reading of, how many are right"


def to_toml(calibration: Calibration, name: str, command: str) -> str:
    """Return a tenant that inherits from the one calibrated against: a number a line, its evidence above it.

    What was refused is a comment, so that the inherited number stays in effect. `command` is how it was made.
    """
    base = calibration.base
    lines = [
        f"# Weights measured by: {command}",
        f"# variorum {__version__}; {counted(len(calibration.papers), 'paper')}, their truths {calibration.corpus_sha256}",
        *_origin(calibration),
        f"# A share is, {_MIDDLE}, with its 95 % interval (papers drawn anew, and Wilson's).",
        *(f"# Not read: {failure}" for failure in calibration.failures),
        "",
        f"name = {json.dumps(name, ensure_ascii=False)}",
        f'version = "{calibration.corpus_sha256[:8]}"',
        f"inherits = {json.dumps(base.name, ensure_ascii=False)}",
    ]
    for source in SOURCES:
        entries = [m for m in calibration.measured if m.source == source]
        if all(m.share is None and not m.true for m in entries):
            lines += ["", f"# [{source}]: no paper of the corpus has this source"]
            continue
        lines += ["", f"[{source}]"]
        for measured in entries:
            lines += _entry(measured, calibration)
    return "\n".join(lines) + "\n"


def to_data(calibration: Calibration, command: str) -> dict[str, Any]:
    """Return the calibration as plain JSON data: every number and refusal, shares without each paper, failures."""
    return {
        "command": command,
        "software": f"variorum {__version__}",
        "corpus_sha256": calibration.corpus_sha256,
        "papers": list(calibration.papers),
        "truth_made_from": calibration.made_from,
        "accepts_circular": calibration.accepts_circular,
        "base": {"name": calibration.base.name, "version": calibration.base.version, "sha256": calibration.base.sha256},
        "measured": [_measured_data(m) for m in calibration.measured],
        "failures": list(calibration.failures),
    }


def as_lines(calibration: Calibration) -> list[str]:
    """Return the calibration as a table for people: a line a source and type that has a truth, and why there is no number."""
    rows = [("source", "type", "true", "read", "papers", "share", "95 % interval", "weight", "")]
    for m in calibration.measured:
        if m.share is None and not m.true:
            continue
        items, papers = (str(m.share.items), str(m.share.papers)) if m.share else ("0", "0")
        share, ends = (f"{m.share.value:.3f}", f"{m.share.low:.3f}-{m.share.high:.3f}") if m.share else ("-", "-")
        weight = "-" if m.weight is None else f"{m.weight:.2f}"
        rows.append((m.source, m.type, str(m.true), items, papers, share, ends, weight, m.refused))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return ["  ".join([*map(str.ljust, row, widths), row[-1]]).rstrip() for row in rows]


def _origin(calibration: Calibration) -> list[str]:
    if calibration.made_from is None:
        return ["# The truths were made from none of the sources."]
    used = "used as asked" if calibration.accepts_circular else "not used"
    return [
        f"# The truths were made from {calibration.made_from}: what it and its twin reach against them is circular, and {used}."
    ]


def _entry(m: Measured, calibration: Calibration) -> list[str]:
    inherited = calibration.base.weight(m.source, m.type)
    stays = "—" if inherited is None else f"{inherited:.2f}"
    if m.share is None:
        return [f"# {m.type}: {m.refused}; {stays} stays"]
    share = m.share
    told = (
        f"# {m.type}: share {share.value:.3f} [{share.low:.3f}, {share.high:.3f}] of {counted(share.items, 'item')} in"
        f" {counted(share.papers, 'paper')}; {share.items} of {m.true} were read"
    )
    if m.weight is None:
        return [told, f"#   {m.refused}; {stays} stays"]
    scaled = f"#   times {m.scale:.3f}, since {m.anchor}: [{m.low:.3f}, {m.high:.3f}]"
    error = "" if share.held_out_error is None else f"; a paper left out differs by {share.held_out_error:.3f} from the others"
    held = f"#   the order of the sources is the same without any one paper in {m.holds_in} of {share.papers}{error}"
    return [told, scaled, held, f"{m.type} = {m.weight:.2f}"]


def _measured_data(m: Measured) -> dict[str, Any]:
    share = m.share
    return {
        "source": m.source,
        "type": m.type,
        "true": m.true,
        "read": share.items if share else 0,
        "papers": share.papers if share else 0,
        "share": _rounded(share.value) if share else None,
        "interval": [_rounded(share.low), _rounded(share.high)] if share else None,
        "held_out_error": _rounded(share.held_out_error) if share else None,
        "without": {name: _rounded(value) for name, value in share.without.items()} if share else {},
        "is_circular": m.is_circular,
        "scale": _rounded(m.scale),
        "anchor": m.anchor,
        "scaled_interval": None if m.low is None else [_rounded(m.low), _rounded(m.high)],
        "weight": m.weight,
        "order_holds_in": m.holds_in,
        "refused": m.refused,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
