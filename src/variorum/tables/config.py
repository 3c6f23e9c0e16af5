"""What the table engine is told to do: which methods vote, with what weight, and how the votes are counted.

Four named configurations, and TOML files. A file is read strictly: an unknown key, a wrong type or an unknown name is refused
with the path to it and the nearest valid name. Lists of a file replace inherited lists; its tables
(``[confidence_multipliers]``) are merged key by key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from variorum import config_checks as check
from variorum.errors import ConfigError
from variorum.suggestions import nearest_name_hint
from variorum.tables.method_names import CELL_METHODS, POST_PROCESSORS, STRUCTURE_METHODS
from variorum.thresholds import MAX_SEGMENTS, RULED_MULTIPLIER, STEP_SECONDS, WEIGHT_FLOOR

ACTIVATION_RULES: Final = ("always", "ruled", "unruled")
COMBINATION_STRATEGIES: Final = ("weighted_votes", "median_votes", "plain_majority")
SELECTION_STRATEGIES: Final = ("fewer_faults", "rank_sum_without_faults", "rank_sum")
REGION_PROPOSERS: Final = (
    "rules",
    "find_tables_lines",
    "find_tables_lines_strict",
    "find_tables_text",
    "layout_boxes",
    "captions",
    "text_density",
)

_NO_ZERO = "to leave a method out, take it from structure_methods"


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineConfig:
    """One configuration of the table engine.

    `confidence_multipliers` scale a method's confidences (1 where a method is not named), on top of the measured weights that
    come with the package (`variorum.tables.weights`); those of the methods in `final_multipliers` take their place.
    `activation_rules` say when a method is asked: ``always`` (where it is not named), on ``ruled`` tables only, on ``unruled``
    ones only. `max_segments` is the count of line segments on a page above which library methods are not asked.
    `max_step_seconds` of wall clock end a step that gives no answer, where pages are read in worker processes. Raises
    ConfigError when a multiplier or one of these is not above 0.

    A method may also be given as ``module:Class``, a class of the protocol in `variorum.tables.model` that another package
    defines; a region proposer as ``module:function``, from a `PageEvidence` to boxes.
    """

    name: str
    structure_methods: tuple[str, ...]
    cell_methods: tuple[str, ...]
    post_processors: tuple[str, ...] = ()
    confidence_multipliers: Mapping[str, float] = field(default_factory=dict)
    final_multipliers: tuple[str, ...] = ()
    activation_rules: Mapping[str, str] = field(default_factory=dict)
    combination_strategy: str = COMBINATION_STRATEGIES[0]
    selection_strategy: str = SELECTION_STRATEGIES[0]
    region_proposers: tuple[str, ...] = tuple(name for name in REGION_PROPOSERS if name != "find_tables_text")
    max_segments: int = int(MAX_SEGMENTS)
    max_step_seconds: int = int(STEP_SECONDS)

    def __post_init__(self) -> None:
        multipliers = {
            method: check.positive_number(value, f"confidence_multipliers.{method}", hint=_NO_ZERO)
            for method, value in self.confidence_multipliers.items()
        }
        check.positive_count(self.max_segments, "max_segments")
        check.positive_count(self.max_step_seconds, "max_step_seconds")
        object.__setattr__(self, "confidence_multipliers", MappingProxyType(multipliers))
        object.__setattr__(self, "activation_rules", MappingProxyType(dict(self.activation_rules)))

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (self.to_dict(),))

    def activation_rule(self, method: str) -> str:
        """Return the rule of a structure method: ``always``, ``ruled`` or ``unruled``."""
        return self.activation_rules.get(method, ACTIVATION_RULES[0])

    def to_dict(self) -> dict[str, object]:
        """Return the configuration as plain lists, dicts, text and numbers, for JSON; `from_dict` reads it back."""
        plain: dict[str, object] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            plain[item.name] = list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value
        return plain

    @classmethod
    def from_dict(cls, data: Mapping[str, object], *, where: str = "", base: PipelineConfig | None = None) -> PipelineConfig:
        """Return the configuration that the data describes, on top of `base` where one is given.

        Multipliers in the data are final unless its `final_multipliers` say otherwise; inherited ones stay what they were.
        Raises ConfigError with `where` and the path to the key: unknown keys and names, wrong types, missing lists of methods.
        """
        settings = _checked(data, where)
        if base is not None:
            for key in ("confidence_multipliers", "activation_rules"):
                if key in settings:
                    settings[key] = {**getattr(base, key), **settings[key]}  # type: ignore[dict-item]
            if "final_multipliers" in settings:
                settings["final_multipliers"] = tuple(
                    dict.fromkeys((*base.final_multipliers, *settings["final_multipliers"]))  # type: ignore[misc]
                )
            return replace(base, **settings)  # type: ignore[arg-type]
        for key in ("name", "structure_methods", "cell_methods"):
            if key not in settings:
                raise ConfigError("is missing", where=check.join(where, key), hint='set it, or begin with inherit = "default"')
        return cls(**settings)  # type: ignore[arg-type]


def _rebuild(plain: Mapping[str, object]) -> PipelineConfig:
    """Return a pickled configuration; its names were checked where it was made."""
    return PipelineConfig(**{k: tuple(v) if isinstance(v, list) else v for k, v in plain.items()})  # type: ignore[arg-type]


def _checked(data: Mapping[str, object], where: str) -> dict[str, object]:
    """Return the settings in the data, each checked; raises ConfigError at the first fault."""
    from variorum.tables.registry import cell_methods, post_processors, structure_methods

    structures = tuple(structure_methods())
    valid_keys = [item.name for item in fields(PipelineConfig)]
    settings: dict[str, object] = {}
    for key, value in data.items():
        at = check.join(where, key)
        match key:
            case "name":
                settings[key] = check.text(value, at)
            case "structure_methods":
                settings[key] = check.names(value, structures, at, "structure method", empty=False)
            case "cell_methods":
                settings[key] = check.names(value, tuple(cell_methods()), at, "cell method", empty=False)
            case "post_processors":
                settings[key] = check.names(value, tuple(post_processors()), at, "post-processor")
            case "confidence_multipliers":
                table = check.mapping(value, structures, at, "structure method")
                settings[key] = {m: check.positive_number(v, check.join(at, m), hint=_NO_ZERO) for m, v in table.items()}
                settings.setdefault("final_multipliers", tuple(table))
            case "final_multipliers":
                settings[key] = check.names(value, structures, at, "structure method")
            case "activation_rules":
                table = check.mapping(value, structures, at, "structure method")
                settings[key] = {m: check.one_of(v, ACTIVATION_RULES, check.join(at, m), "rule") for m, v in table.items()}
            case "combination_strategy":
                settings[key] = check.one_of(value, COMBINATION_STRATEGIES, at, "combination strategy")
            case "selection_strategy":
                settings[key] = check.one_of(value, SELECTION_STRATEGIES, at, "selection strategy")
            case "region_proposers":
                settings[key] = check.names(value, REGION_PROPOSERS, at, "region proposer", empty=False)
            case "max_segments" | "max_step_seconds":
                settings[key] = check.positive_count(value, at)
            case _:
                raise ConfigError("unknown key", where=at, hint=nearest_name_hint(key, [*valid_keys, "inherit", "weights"]))
    return settings


# ---- the named configurations -----------------------------------------------------------------------------------------

_ACTIVATION: Final = {
    "camelot_lattice": "ruled",
    "camelot_hybrid": "ruled",
    "global_cliff": "unruled",
    "per_row_cliff": "unruled",
}
# Imagined lines (text) are mostly noise. Cliffs say again what the hotspots say, of the same words, and less well.
_FLOORED: Final = ("pymupdf_text", "pdfplumber_text", "global_cliff", "per_row_cliff")

DEFAULT_CONFIG: Final = PipelineConfig(
    name="default",
    structure_methods=STRUCTURE_METHODS,
    cell_methods=CELL_METHODS,
    post_processors=POST_PROCESSORS,
    confidence_multipliers=dict.fromkeys(_FLOORED, WEIGHT_FLOOR),
    activation_rules=_ACTIVATION,
)
FAST_CONFIG: Final = PipelineConfig(
    name="fast",
    structure_methods=("pymupdf_lines", "gap_span_hotspot", "baseline_rows"),
    cell_methods=("rawdict", "word_assignment"),
    post_processors=POST_PROCESSORS,
    region_proposers=("rules", "find_tables_lines", "captions"),
)
RULED_CONFIG: Final = PipelineConfig(
    name="ruled",
    structure_methods=STRUCTURE_METHODS,
    cell_methods=CELL_METHODS,
    post_processors=POST_PROCESSORS,
    confidence_multipliers={"ruled_lines": RULED_MULTIPLIER, **dict.fromkeys(_FLOORED, WEIGHT_FLOOR)},
    activation_rules=_ACTIVATION,
)
MINIMAL_CONFIG: Final = PipelineConfig(
    name="minimal",
    structure_methods=("pymupdf_lines",),
    cell_methods=("rawdict",),
    post_processors=("absorbed_caption_strip", "cell_cleaning"),
    region_proposers=("find_tables_lines", "captions"),
)
NAMED_CONFIGS: Final[Mapping[str, PipelineConfig]] = MappingProxyType(
    {config.name: config for config in (DEFAULT_CONFIG, FAST_CONFIG, RULED_CONFIG, MINIMAL_CONFIG)}
)


def load_config(name_or_path: str | Path, *, weights: str | Path | None = None) -> PipelineConfig:
    """Return a named configuration (``default``, ``fast``, ``ruled``, ``minimal``), or the one in a TOML file.

    A word that is no name is taken for a file when it ends in ``.toml``, holds a path separator or is one. `weights` is a file
    that ``variorum tune`` wrote: its multipliers take the place of those that come with the package, as if the TOML file named
    it under its key ``weights`` (a path from the TOML file's folder), and of that key. Raises ConfigError, whose `where` is
    the file and the path to the key.
    """
    asked = str(name_or_path)
    if isinstance(name_or_path, str) and asked in NAMED_CONFIGS:
        return _weighted(NAMED_CONFIGS[asked], weights)
    path = Path(name_or_path)
    if not asked or (path.suffix.lower() != ".toml" and path.name == asked and not path.exists()):
        what = f"no configuration of the name {asked!r}" if asked else "the name of a configuration is empty"
        hint = nearest_name_hint(asked, NAMED_CONFIGS)
        raise ConfigError(what, where="--config", hint=f"{hint} (or the path of a TOML file)")
    config, own = _config_of_file(path)
    return _weighted(config, own if weights is None else weights)


def _weighted(config: PipelineConfig, weights: str | Path | None) -> PipelineConfig:
    """Return the configuration with the multipliers that the weights file gives it; without a file as it is."""
    if weights is None:
        return config
    from variorum.tables.weights import in_effect, read_weights

    return in_effect(config, read_weights(weights).confidence_multipliers)


def _config_of_file(path: Path) -> tuple[PipelineConfig, Path | None]:
    """Return the configuration in a TOML file, and the weights file that it names."""
    data = check.read_toml(path)
    where = f"{path}: "
    base = None
    if "inherit" in data:
        inherited = check.one_of(data.pop("inherit"), tuple(NAMED_CONFIGS), f"{where}inherit", "configuration")
        base = NAMED_CONFIGS[inherited]
    weights = path.parent / check.text(data.pop("weights"), f"{where}weights") if "weights" in data else None
    data.setdefault("name", path.stem)
    return PipelineConfig.from_dict(data, where=where, base=base), weights
