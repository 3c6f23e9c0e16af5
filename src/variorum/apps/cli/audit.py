"""``variorum audit``: whether a log is as it was written, whether its runs can be made again, and what it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from variorum.apps.cli.console import complain, emit, emit_json, printable
from variorum.errors import AuditError, UsageError

if TYPE_CHECKING:
    from variorum.apps.replaying import Replay, ReplayInputs
    from variorum.fusion.audit import AuditReport


def run_verify(log: Path, *, expect_head: str | None, as_json: bool) -> int:
    """Return 0 when nothing is wrong with the log, else the code of AuditError, with the faults on stderr.

    Raises InputNotFoundError when there is no such log, AuditError when the file of its head cannot be understood.
    """
    from variorum.fusion.audit import verify

    report = verify(log, expect_head)
    if as_json:
        emit_json(_report_data(report))
    elif report.is_sound:
        runs = "1 run" if report.runs == 1 else f"{report.runs} runs"
        emit(printable(f"{log}: sound. {report.records} records, {runs} of the tenant {report.tenant}."))
        emit(printable(f"head: {report.head}"))
        emit(printable(f"end: {report.anchor}."))
    for fault in report.faults:
        complain(f"{log}: {fault}")
    if report.n_faults > len(report.faults):
        complain(f"{log}: {report.n_faults} faults in all; of each kind the first is shown")
    if report.is_only_torn:
        complain(f"{log}: records up to {report.whole.records} are whole. To try: variorum audit repair {log}")
    return 0 if report.is_sound else AuditError.exit_code


def run_repair(log: Path, *, quiet: bool) -> int:
    """Return 0 once an interrupted end was moved aside or the head renewed; raises as `repair` does."""
    from variorum.fusion.audit import repair

    done = repair(log)
    if not quiet:
        moved = f"{done.moved_bytes} bytes of an interrupted run moved to {done.moved_to}" if done.moved_to else ""
        renewed = f"{done.unvouched} records that the head did not vouch for are vouched for now" if done.unvouched else ""
        told = "; ".join(filter(None, (moved, renewed))) or "the head was renewed"
        emit(printable(f"{log}: {told}; the log says so in record {done.head.records}"))
    return 0


def run_replay(log: Path, *, run: int | None, inputs: ReplayInputs, as_json: bool, quiet: bool) -> int:
    """Return 0 when every run asked for gives the same bytes again, else the code of AuditError.

    Raises AuditError when the log is not sound or an input is another one, InputNotFoundError when one is missing, UsageError
    for a run that the log does not have.
    """
    from variorum.apps.replaying import replay
    from variorum.fusion.audit import find_run, require_sound, runs_of

    require_sound(log)
    chosen = runs_of(log) if run is None else (find_run(log, run),)
    done: list[Replay] = []
    for one in chosen:
        result = replay(log, one, inputs)
        done.append(result)
        if not as_json and not quiet:
            emit("\n".join(map(printable, _replayed(result))))
        if result.difference is not None:
            complain(f"{log}: run {result.run} is not made again: {result.difference}")
    if as_json:
        emit_json([_replay_data(result) for result in done])
    return 0 if all(result.difference is None for result in done) else AuditError.exit_code


def run_show(log: Path, *, run: int | None, component: str | None, as_json: bool) -> int:
    """Return 0 once the runs of the log are on stdout: what went in, every decision or those on a component, what came out.

    Raises UsageError when no decision is about the component, and as `records` does.
    """
    from variorum.fusion.audit import decisions_of, find_run, runs_of

    chosen = runs_of(log) if run is None else (find_run(log, run),)
    told = []
    for one in chosen:
        decisions = [d for d in decisions_of(log, one.number) if component is None or _is_about(d, component)]
        if decisions or component is None:
            told.append((one, decisions))
    if component is not None and not told:
        raise UsageError(f"no decision is about {component!r}", where=str(log), hint="an id of document.json, or of a source")
    if as_json:
        emit_json([{"opening": one.opening, "decisions": decisions, "closing": one.closing} for one, decisions in told])
        return 0
    for one, decisions in told:
        emit("\n".join(map(printable, [*_opened(one.opening), *_told_all(decisions), *_closed(one.closing)])))
    return 0


def _is_about(decision: Mapping[str, Any], component: str) -> bool:
    """Return whether a decision is on the component, by its id in the fused document or in a source, or on the position."""
    own = {decision["position"], *decision["components"]}
    return component in own.union(*(candidate["components"] for candidate in decision["candidates"]))


def _opened(opening: Mapping[str, Any]) -> Iterator[str]:
    tenant = opening["tenant"]
    yield f"run {opening['run']}: {opening['software']}, tenant {tenant['name']} {tenant['version']} ({tenant['sha256'][:12]})"
    if "stamp" in opening:
        yield f"  stamp    {opening['stamp']}"
    for entry in opening["inputs"]:
        yield f"  {entry['kind']:<8} {entry['name']}, SHA-256 {entry['sha256'][:12]}, {entry['n_components']} components"


def _told_all(decisions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for decision in decisions:
        names = ", ".join(decision["components"]) or "nothing of the fused document"
        yield f"  {decision['position']} {decision['type']} ({names}): {decision['winner']}. {decision['reason']}"
        for candidate in decision["candidates"]:
            weight, score = ("—" if candidate[key] is None else f"{candidate[key]:.2f}" for key in ("weight", "score"))
            said = candidate.get("text", candidate.get("text_begins", ""))
            more = "…" if "text_begins" in candidate else ""
            yield f"    {candidate['source']:<8} weight {weight}, score {score}: {said}{more}"
            for signal in candidate["signals"]:
                yield f"      {signal['name']} × {signal['factor']:.2f}: {signal['reason']}"
        for taken in decision["borrowed"]:
            value = taken.get("value", taken.get("value_begins", ""))
            yield f"    {taken['attribute']} from {taken['source']}: {value}"


def _closed(closing: Mapping[str, Any]) -> Iterator[str]:
    yield f"  {closing['decisions']} decisions, {closing['left_overs']} left over"
    yield f"  document.json {closing['document_sha256']}"
    yield f"  fusion.json   {closing['fusion_sha256']}"


def _replayed(result: Replay) -> Iterator[str]:
    for kind, told in result.sources.items():
        yield f"run {result.run}: {kind} from {told}"
    if result.difference is None:
        yield f"run {result.run}: made again, {result.decisions} decisions and both files byte by byte"
        yield f"  document.json {result.document_sha256}"
        yield f"  fusion.json   {result.fusion_sha256}"


def _replay_data(result: Replay) -> dict[str, Any]:
    return {
        "run": result.run,
        "sources": dict(result.sources),
        "decisions": result.decisions,
        "document_sha256": result.document_sha256,
        "fusion_sha256": result.fusion_sha256,
        "is_same": result.difference is None,
        "difference": result.difference,
    }


def _report_data(report: AuditReport) -> dict[str, Any]:
    return {
        "log": report.log,
        "is_sound": report.is_sound,
        "records": report.records,
        "runs": report.runs,
        "tenant": report.tenant,
        "head": report.head,
        "end": report.anchor,
        "faults": [{"line": f.line, "seq": f.seq, "what": f.what} for f in report.faults],
        "n_faults": report.n_faults,
    }
