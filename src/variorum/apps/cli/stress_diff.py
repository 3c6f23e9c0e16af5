"""``variorum stress diff``: what got better or worse between two stress tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from variorum.apps.cli.console import emit, emit_json, printable
from variorum.apps.cli.options import Debug, Json, path
from variorum.errors import UsageError

if TYPE_CHECKING:
    from variorum.stress.diff import Change, StressDiff
    from variorum.stress.diff_inputs import Judgement

WORSE_EXIT_CODE: Final = 1
"""That something got worse that no note names, or a note names nothing."""

_NAMED: Final = 4
"""Papers that one line names."""


def stress_diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", parser=path, help="debug.db or stress_summary.json of a test.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", parser=path, help="The same of another test.")],
    notes: Annotated[
        Path | None,
        typer.Option("--notes", metavar="FILE", parser=path, help="TOML that names what may be worse, each with its reason."),
    ] = None,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Say what got better or worse between two stress tests; exit code 1 when something got worse that no note names."""
    return run_diff(old, new, notes=notes, as_json=as_json)


def run_diff(old: Path, new: Path, *, notes: Path | None, as_json: bool) -> int:
    """Return 0 when nothing got worse but what a note names, and every note names something; else 1.

    Raises the errors of `load_summary` and `load_notes`, and UsageError when the tests have no paper in common.
    """
    from variorum.stress.diff import compare
    from variorum.stress.diff_inputs import judge, load_notes, load_summary

    of_file = () if notes is None else load_notes(notes)
    diff = compare(load_summary(old), load_summary(new))
    if not diff.compared_papers:
        what = f"has none of the papers of {old}: there is nothing to compare"
        raise UsageError(what, where=str(new), hint="two tests of the same papers")
    judgement = judge(diff.turned("worse"), of_file)
    if as_json:
        emit_json(_as_json(diff, judgement))
    else:
        emit("\n".join(map(printable, lines(diff, judgement))))
    return 0 if judgement.is_fine else WORSE_EXIT_CODE


def _as_json(diff: StressDiff, judgement: Judgement) -> dict[str, object]:
    noted = [{"note": reason, **change.to_dict()} for change, reason in judgement.worse if reason]
    stale = [{"where": note.where, "names": note.subject, "reason": note.reason} for note in judgement.stale]
    return {**diff.to_dict(), "noted": noted, "stale_notes": stale, "is_fine": judgement.is_fine}


def lines(diff: StressDiff, judgement: Judgement) -> Iterator[str]:
    """Yield the comparison as lines for a terminal; the last one sums it up."""
    for name, old, new in diff.settings:
        yield f"{name}: {old} → {new}"
    for title, papers in (("papers only in OLD", diff.only_old), ("papers only in NEW", diff.only_new)):
        if papers:
            yield f"{title}: {', '.join(papers)}"
    if diff.only_old or diff.only_new:
        yield "what is asserted of all papers together was not compared: the papers are not the same"
    sections = (
        ("worse", [_told(change, reason) for change, reason in judgement.worse]),
        ("notes that name nothing that got worse", [f"{note.where}: {note.subject}" for note in judgement.stale]),
        ("better", [_told(change) for change in diff.turned("better")]),
        ("new, and right", list(_counted(diff.turned("added")))),
        ("no longer there", list(_counted(diff.turned("gone")))),
    )
    for title, items in sections:
        if items:
            yield f"{title}:"
            yield from (f"  {item}" for item in items)
    yield _summary(diff, judgement)


def _counted(changes: Sequence[Change]) -> Iterator[str]:
    """Yield the changes, assertions as their number by kind: of a new kind there are as many as there are places."""
    kinds: dict[str, list[Change]] = {}
    for change in changes:
        if change.what == "assertion":
            kinds.setdefault(change.kind, []).append(change)
        else:
            yield _told(change)
    for kind, own in kinds.items():
        papers = list(dict.fromkeys(change.paper or "all papers" for change in own))
        yield f"{kind}: {len(own)} in {', '.join(papers[:_NAMED])}{' …' if len(papers) > _NAMED else ''}"


def _told(change: Change, reason: str = "") -> str:
    subject = {"table": f"table {change.name}", "assertion": change.name, "paper": change.name}[change.what]
    turn = f"{change.old or 'not there'} → {change.new or 'not there'}"
    note = f" (noted: {reason})" if reason else ""
    return f"{change.paper or 'all papers'}: {subject}: {turn}{note}"


def _summary(diff: StressDiff, judgement: Judgement) -> str:
    from variorum.document.voices import counted

    noted = sum(1 for _, reason in judgement.worse if reason)
    parts = [f"{len(judgement.worse)} worse" + (f" ({noted} of them noted)" if noted else "")]
    parts.append(f"{len(diff.turned('better'))} better")
    parts += [counted(len(judgement.stale), "stale note")] if judgement.stale else []
    return f"{', '.join(parts)}, of {counted(diff.compared_papers, 'paper')} that both tests have"
