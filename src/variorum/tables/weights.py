"""How strongly each structure method speaks: the measured weights in ``pipeline_weights.json``, and what a configuration
makes of them.

The file is package data, written by ``variorum tune``; a file of the user's may take its place. The multiplier in effect is
the measured one times that of the configuration, so that a named configuration boosts or damps what was measured; a
multiplier that a user's configuration sets stands as it is (``final_multipliers`` names those).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

from variorum import config_checks as check
from variorum.errors import ConfigError
from variorum.suggestions import nearest_name_hint
from variorum.tables.config import PipelineConfig

WEIGHTS_FILE: Final = "pipeline_weights.json"
_HINT: Final = "a file written by: variorum tune"


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodRecord:
    """What a method's weight was measured on: tables won (a tie shared), tables it took part in, and wins / participation."""

    wins: float
    participation: int
    rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Measured multipliers by structure method, and what they were measured on.

    `records` has the counts per method, `versions` variorum and the libraries that vote, `corpus_sha256` the digest of the
    papers' own, `config` the configuration that read them, `paper_count` and `table_count` how many there were.
    `out_of_fold` has for each paper's key the multipliers measured on all other papers.
    """

    confidence_multipliers: Mapping[str, float] = field(default_factory=dict)
    records: Mapping[str, MethodRecord] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    corpus_sha256: str = ""
    config: str = ""
    paper_count: int = 0
    table_count: int = 0
    out_of_fold: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def weights_without(self, paper: str) -> Mapping[str, float]:
        """Return the multipliers measured on all papers but this one; for a paper that took no part, the multipliers."""
        return self.out_of_fold.get(paper, self.confidence_multipliers)

    def to_json(self) -> str:
        """Return the weights as the text of a weights file, which `parse_weights` reads back."""
        plain = {
            "confidence_multipliers": dict(self.confidence_multipliers),
            "records": {
                name: {"wins": r.wins, "participation": r.participation, "rate": r.rate} for name, r in self.records.items()
            },
            "versions": dict(self.versions),
            "corpus_sha256": self.corpus_sha256,
            "config": self.config,
            "paper_count": self.paper_count,
            "table_count": self.table_count,
            "out_of_fold": {paper: dict(multipliers) for paper, multipliers in self.out_of_fold.items()},
        }
        return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def parse_weights(text: str, where: str) -> Weights:
    """Return the weights in the text of a weights file.

    Raises ConfigError with `where` and the path to the fault: no JSON, an unknown key, an unknown method, a multiplier that is
    no finite number above 0.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"not JSON ({error})", where=where, hint=_HINT) from None
    if not isinstance(data, Mapping):
        raise ConfigError("must be an object", where=where, hint=_HINT)
    if "confidence_multipliers" not in data:
        raise ConfigError("is missing", where=f"{where}: confidence_multipliers", hint=_HINT)
    settings: dict[str, object] = {}
    for key, value in data.items():
        at = f"{where}: {key}"
        match key:
            case "confidence_multipliers":
                settings[key] = _multipliers(value, at)
            case "records":
                settings[key] = {m: _record(v, f"{at}.{m}") for m, v in _of_methods(value, at).items()}
            case "versions":
                settings[key] = {k: check.text(v, f"{at}.{k}") for k, v in _object(value, at).items()}
            case "corpus_sha256" | "config":
                settings[key] = value if value == "" else check.text(value, at)
            case "paper_count" | "table_count":
                settings[key] = _count(value, at)
            case "out_of_fold":
                settings[key] = {k: _multipliers(v, f"{at}.{k}") for k, v in _object(value, at).items()}
            case _:
                raise ConfigError("unknown key", where=at, hint=nearest_name_hint(key, Weights.__dataclass_fields__))
    return Weights(**settings)  # type: ignore[arg-type]


def read_weights(path: str | Path) -> Weights:
    """Return the weights in a file that ``variorum tune`` wrote.

    Raises ConfigError with the file and the path to the fault: a file that is not there or cannot be read, and what
    `parse_weights` refuses.
    """
    place = Path(path)
    if place.is_dir():
        raise ConfigError("is a folder, not a weights file", where=str(place), hint=_HINT)
    try:
        text = place.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigError("no such weights file", where=str(place), hint=_HINT) from None
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8 text", where=str(place), hint=_HINT) from None
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise ConfigError(what, where=str(place), hint="check path and permissions") from None
    return parse_weights(text, str(place))


@cache
def shipped_weights() -> Weights:
    """Return the weights that come with the package; raises ConfigError with the file and the path to a fault in it."""
    source = files("variorum.tables").joinpath(WEIGHTS_FILE)
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read ({error})", where=str(source), hint="install variorum again") from None
    return parse_weights(text, str(source))


def in_effect(config: PipelineConfig, measured: Mapping[str, float] | None = None) -> PipelineConfig:
    """Return the configuration with the multipliers that its methods really have, all of them final.

    `measured` are multipliers by method; None takes those that come with the package. A method's multiplier is the measured one
    times that of the configuration; a final one stays. What is in effect already comes back unchanged. Raises ConfigError
    when the package's weights are faulty.
    """
    weights = shipped_weights().confidence_multipliers if measured is None else measured
    effective: dict[str, float] = {}
    for method in config.structure_methods:
        own = config.confidence_multipliers.get(method, 1.0)
        effective[method] = own if method in config.final_multipliers else own * weights.get(method, 1.0)
    return replace(
        config,
        confidence_multipliers=MappingProxyType({m: v for m, v in effective.items() if v != 1}),
        final_multipliers=config.structure_methods,
    )


# ---- checks ---------------------------------------------------------------------------------------------------------


def _object(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise check.wrong_type(value, "an object", where)
    return value


def _of_methods(value: object, where: str) -> Mapping[str, object]:
    from variorum.tables.registry import structure_methods

    return check.mapping(_object(value, where), tuple(structure_methods()), where, "structure method")


def _multipliers(value: object, where: str) -> dict[str, float]:
    return {m: check.positive_number(v, f"{where}.{m}") for m, v in _of_methods(value, where).items()}


def _record(value: object, where: str) -> MethodRecord:
    found = _object(value, where)
    for key in found:
        if key not in MethodRecord.__dataclass_fields__:
            raise ConfigError(
                "unknown key", where=f"{where}.{key}", hint=nearest_name_hint(key, MethodRecord.__dataclass_fields__)
            )
    return MethodRecord(
        wins=_number(found.get("wins"), f"{where}.wins"),
        participation=_count(found.get("participation"), f"{where}.participation"),
        rate=_number(found.get("rate"), f"{where}.rate"),
    )


def _number(value: object, where: str) -> float:
    return 0.0 if value == 0 and not isinstance(value, bool) else check.positive_number(value, where)


def _count(value: object, where: str) -> int:
    return 0 if value == 0 and not isinstance(value, bool) else check.positive_count(value, where)
