"""What a fusion did, in short: who won what, what was borrowed from whom, the grade; as data and as lines for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.apps.cli.console import printable

if TYPE_CHECKING:
    from variorum.fusion.model import ComponentType, Fusion, SourceKind

_GAP = "  "


def fusion_as_data(fusion: Fusion, folder: Path, files: Sequence[str], log: Path) -> Mapping[str, object]:
    """Return what ``fuse --json`` says."""
    document = fusion.document
    return {
        "key": document.key,
        "sha256": document.sha256,
        "tenant": {"name": fusion.tenant, "version": fusion.matrix_version, "sha256": fusion.tenant_sha256},
        "sources": [asdict(source) for source in fusion.sources],
        "winners": {kind: dict(row) for kind, row in _winners(fusion).items()},
        "sole": sum(decision.is_sole for decision in fusion.decisions),
        "borrowed": [
            {"attribute": attribute, "source": source, "count": count}
            for (attribute, source), count in sorted(_borrowed(fusion).items())
        ],
        "left_over": len(fusion.left_overs),
        "completeness": None if document.completeness is None else asdict(document.completeness),
        "incomplete": list(document.incomplete),
        "output": str(folder),
        "audit_log": str(log),
        "files": list(files),
    }


def fusion_as_text(fusion: Fusion, folder: Path, files: Sequence[str], log: Path) -> str:
    """Return what ``fuse`` prints: what was fused, a row a type with the wins of each source, what was borrowed, the grade."""
    title = " ".join(fusion.document.identity.title.split()) or fusion.document.key
    named = ", ".join(source.kind for source in fusion.sources)
    lines = [
        printable(f"“{title}” from {named}, by the tenant {fusion.tenant} {fusion.matrix_version}, written to {folder}"),
        _wins_as_grid(fusion),
    ]
    borrowed = [f"{attribute} from {source}: {count}" for (attribute, source), count in sorted(_borrowed(fusion).items())]
    lines.append(f"borrowed: {', '.join(borrowed) or 'nothing'}")
    if fusion.left_overs:
        kinds = Counter((left.source, left.kind) for left in fusion.left_overs)
        lines.append("left over: " + ", ".join(f"{n} {kind} of {source}" for (source, kind), n in sorted(kinds.items())))
    if fusion.document.completeness is not None:
        lines += [printable(f"completeness {reason}") for reason in fusion.document.completeness.reasons]
    if "report.html" in files:
        lines.append(printable(f"report: {folder / 'report.html'}"))
    lines.append(printable(f"audit log: {log}"))
    return "\n".join(lines)


def _winners(fusion: Fusion) -> dict[ComponentType, Counter[SourceKind]]:
    """Return for each type, in the order of the matrix, how many positions each source won."""
    from variorum.fusion.tenants import TYPES

    found: dict[ComponentType, Counter[SourceKind]] = {kind: Counter() for kind in TYPES}
    for decision in fusion.decisions:
        found[decision.type][decision.winner] += 1
    return {kind: row for kind, row in found.items() if row}


def _borrowed(fusion: Fusion) -> Counter[tuple[str, str]]:
    return Counter((b.attribute, b.source) for decision in fusion.decisions for b in decision.borrowed)


def _wins_as_grid(fusion: Fusion) -> str:
    """Return a heading and a line a type: its name, the positions, those won by each source, those that only one has."""
    kinds = [source.kind for source in fusion.sources]
    sole = Counter(decision.type for decision in fusion.decisions if decision.is_sole)
    rows = [["", "positions", *kinds, "sole"]]
    for kind, row in _winners(fusion).items():
        counts = [row.total(), *(row[source] for source in kinds), sole[kind]]
        rows.append([kind.replace("_", " "), *(str(n) if n else "" for n in counts)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    shown = [[row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))] for row in rows]
    return "\n".join((_GAP + _GAP.join(row)).rstrip() for row in shown)
