"""Fusing: per position the reading with the highest confidence, completed with what it lacks, every decision kept.

After ADR-002, confidence-weighted fusion. No model takes part in it, nothing is random, and the order in which sources are
given does not matter: the same sources, tenant and release give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

from variorum._version import __version__
from variorum.errors import UsageError
from variorum.fusion.alignment import align, in_order
from variorum.fusion.composing import Composed, Composer
from variorum.fusion.evidence import PaperEvidence
from variorum.fusion.finishing import finished, paper_key_of
from variorum.fusion.inline_setting import Contest, by_parent
from variorum.fusion.lost_words import lost_words, with_losses
from variorum.fusion.model import Alignment, Candidate, Decision, Fusion, Position, Source, SourceRecord
from variorum.fusion.ordering import in_order_of
from variorum.fusion.scoring import candidates_of, reason_of
from variorum.fusion.tenants import Tenant
from variorum.sources.gathering import Gatherer

SOFTWARE = f"variorum {__version__}"


def fuse(sources: Sequence[Source], tenant: Tenant, alignment: Alignment | None = None) -> Fusion:
    """Return the fused document of one paper's sources, with every decision.

    `alignment` is that of `align` unless another one is given. Raises UsageError without a source, where a kind is given twice,
    or where a source that the tenant requires is missing.
    """
    ordered = in_order(sources)
    if not ordered:
        raise UsageError("no source is given", hint="one of pdf, ar5iv, latex, docling")
    check_required([source.kind for source in ordered], tenant)
    aligned = align(ordered) if alignment is None else alignment
    paper = PaperEvidence.of(ordered, aligned)
    positions = in_order_of(ordered, aligned, paper.orders) if tenant.signals else aligned.positions
    contests: list[Contest] = [(position, candidates_of(position, paper, tenant)) for position in positions]
    inline = by_parent(contest for contest in contests if contest[0].part == "inline")
    composer = Composer(paper, Gatherer("fusion", paper_key_of(ordered)), inline)
    for position, candidates in contests:
        if position.part != "inline":
            composer.add(position, candidates)
    composed = composer.composed()
    document = finished(composer.gatherer, composed, ordered, sha256=_sha256(ordered))
    lost = [loss for position, candidates in contests for loss in lost_words(position, candidates, paper)]
    return Fusion(
        document=with_losses(document, lost, composed.ids, tenant),
        decisions=tuple(_decision(position, candidates, composed) for position, candidates in contests),
        left_overs=aligned.left_overs,
        agreements=aligned.agreements,
        sources=tuple(_record(source) for source in ordered),
        tenant=tenant.name,
        tenant_sha256=tenant.sha256,
        matrix_version=tenant.version,
        software=SOFTWARE,
    )


def check_required(given: Collection[str], tenant: Tenant) -> None:
    """Return nothing; raises UsageError where a source that the tenant requires is not among those given."""
    missing = [kind for kind in tenant.required_sources if kind not in given]
    if missing:
        what = f"the tenant {tenant.name} requires {' and '.join(missing)}"
        raise UsageError(what, where="sources", hint=" ".join(f"--{kind} PATH" for kind in missing))


def _decision(position: Position, candidates: Sequence[Candidate], composed: Composed) -> Decision:
    """Return the decision at a position; an inline reading that was not set into its text says so in the reason."""
    reason, remark = reason_of(candidates), composed.remarks.get(position.id, "")
    return Decision(
        position=position.id,
        part=position.part,
        type=position.type,
        components=composed.ids.get(position.id, ()),
        winner=candidates[0].source,
        candidates=tuple(candidates),
        reason=f"{reason.removesuffix('.')}; {remark}." if remark else reason,
        borrowed=composed.borrowed.get(position.id, ()),
        is_sole=len(candidates) == 1,
        item=composed.items.get(position.id),
    )


def _sha256(sources: Sequence[Source]) -> str:
    """Return the SHA-256 that stands for all sources together: of their kinds and hashes, a line each."""
    lines = "".join(f"{source.kind} {source.sha256}\n" for source in sources)
    return hashlib.sha256(lines.encode()).hexdigest()


def _record(source: Source) -> SourceRecord:
    return SourceRecord(
        kind=source.kind,
        name=source.name,
        sha256=source.sha256,
        n_components=len(source.document.components),
        software=source.document.software,
    )
