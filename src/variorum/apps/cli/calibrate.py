"""``variorum calibrate``: from papers whose truth is known to the weights of a tenant."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.apps.cli.console import complain, emit, emit_json, printable, progress_bar

if TYPE_CHECKING:
    from variorum.document import Document
    from variorum.evaluation.calibration_truth import PaperTruth
    from variorum.fusion.model import SourceKind


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrateCall:
    """One call of ``variorum calibrate``, its values as the user typed them."""

    corpus: Path
    output: Path
    readings: Path | None
    base: str
    tenants: Path | None
    name: str | None
    truth_from: str | None
    accepts_circular: bool
    as_json: bool
    quiet: bool


def run_calibrate(call: CalibrateCall) -> int:
    """Return 0 once the tenant's file is written and what it rests on is on stdout.

    Sources that could not be read are on stderr; the code is then that of PartialFailureError. Raises InputNotFoundError for a
    corpus without truths, ConfigError for a base that cannot be read or a name that a tenant cannot have, UsageError for a
    source that does not exist, OutputError when the file cannot be written, and what reading a truth raises.
    """
    from variorum.apps.writing import HINT_FILE, atomic_write
    from variorum.errors import PartialFailureError
    from variorum.evaluation.calibration import calibrate
    from variorum.evaluation.calibration_output import as_lines, to_data, to_toml
    from variorum.fusion.tenants import load_tenant

    base = load_tenant(call.base, call.tenants, option="--base")
    name = _checked(call.name or call.output.stem)
    with progress_bar("calibrate", quiet=call.quiet) as progress:
        found = calibrate(
            call.corpus,
            base,
            reader_of(call.readings),
            made_from=_source(call.truth_from),
            accepts_circular=call.accepts_circular,
            progress=progress,
        )
    for failure in found.failures:
        complain(f"warning: {failure}")
    command = _command(call)
    atomic_write(call.output, to_toml(found, name, command).encode("utf-8", "replace"), hint=HINT_FILE)
    if call.as_json:
        emit_json(to_data(found, command))
    elif not call.quiet:
        given = sum(m.weight is not None for m in found.measured)
        lines = [*as_lines(found), f"{given} weights; written to {call.output}, for: variorum fuse … --tenant {call.output}"]
        emit("\n".join(map(printable, lines)))
    return PartialFailureError.exit_code if found.failures else 0


def _checked(name: str) -> str:
    """Return the name; raises ConfigError for one that a tenant of a user cannot have."""
    from variorum.errors import ConfigError
    from variorum.fusion.tenants import PACKAGED, parse_tenant

    if name in PACKAGED:
        raise ConfigError(
            f"{name!r} is the name of a tenant that comes with variorum", where="--name", hint="a name of your own"
        )
    parse_tenant(f'name = {json.dumps(name)}\nversion = "1"\ninherits = "default"\n', "--name")
    return name


def reader_of(readings: Path | None) -> Callable[[PaperTruth, SourceKind], Document]:
    """Return what reads a source of a paper: of a PDF the stored document, where there is one."""

    def read(truth: PaperTruth, source: SourceKind) -> Document:
        from variorum.fusion.loading import load_source

        stored = readings / truth.name / "document.json" if readings is not None else None
        path = stored if source == "pdf" and stored is not None and stored.is_file() else truth.sources[source]
        return load_source(source, path).document

    return read


def _source(name: str | None) -> SourceKind | None:
    from variorum.errors import UsageError
    from variorum.fusion.model import SOURCES
    from variorum.suggestions import nearest_name_hint

    if name is None:
        return None
    for source in SOURCES:
        if source == name:
            return source
    raise UsageError(f"no source {name!r}", where="--truth-from", hint=nearest_name_hint(name, SOURCES))


def _command(call: CalibrateCall) -> str:
    """Return the call as it may be written again, folders by their last names: a result holds no path of a machine."""
    words = ["variorum", "calibrate", call.corpus.resolve().name, "-o", call.output.name]
    if call.readings is not None:
        words += ["--readings", call.readings.name]
    if call.base != "default":
        words += ["--base", Path(call.base).name]
    if call.truth_from is not None:
        words += ["--truth-from", call.truth_from]
    if call.accepts_circular:
        words.append("--accept-circular")
    return shlex.join(words)
