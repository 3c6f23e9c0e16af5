"""Weights of a confidence matrix from papers whose truth is known: how often what a source says of a type is right.

What is measured is the share of right items among those that a source has a reading of, for a weight is only asked for where
there is one; how many it has none of stands beside it. `calibration_measures` says what right means for each type.

A measured share is not yet a weight beside inherited ones, which nobody measured. It is put on their scale by an anchor: the
inherited weight of a source whose share is known as well. Where the truth was made from one of the sources, that source is
right by construction: its share is 1, its weight is what agreeing with the truth is worth on the scale, and its own numbers and
those of the same TeX are circular and not used. Where the truth is nobody's, all measured sources that have an inherited weight
are the anchor together. The decision record on the weights of the PDF tells the reasons.

A weight with too little evidence is not given: its interval must be narrower than the smallest distance between two different
weights that the matrix has for the type, for a number that is less sure than that tells no two sources apart.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from variorum.document import Document
from variorum.errors import VariorumError
from variorum.evaluation.calibration_measures import outcomes
from variorum.evaluation.calibration_shares import Share, Tally, share_of
from variorum.evaluation.calibration_truth import PaperTruth, papers_in, truth_of
from variorum.fusion.model import SOURCES, ComponentType, SourceKind
from variorum.fusion.tenants import TYPES, Tenant

SAME_ORIGIN: Final[tuple[frozenset[SourceKind], ...]] = (frozenset({"latex", "ar5iv"}), frozenset({"docling", "pdf"}))
"""Sources that come from the same file: the TeX, the PDF. A truth made from one is no witness for the other."""
WEIGHT_DIGITS: Final = 2
"""Digits of a weight, as the matrix has them."""

Key = tuple[SourceKind, ComponentType]
ReadSource = Callable[[PaperTruth, SourceKind], Document]
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One number of the matrix, or why there is none.

    `true` is how many items the truth has in the papers of the source, `share` what was measured, None where nothing was.
    `weight` is None where `refused` says why. `scale` is what the share was multiplied by, in the words of `anchor`. `holds_in`
    is in how many of the papers the order among the sources stays the same when that paper is left out.
    """

    source: SourceKind
    type: ComponentType
    true: int
    share: Share | None
    is_circular: bool
    weight: float | None = None
    low: float | None = None
    high: float | None = None
    scale: float | None = None
    anchor: str = ""
    refused: str = ""
    holds_in: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What a corpus says of the weights: a number or a refusal for every source and type, and all that it was made from.

    `failures` are sentences on sources that could not be read; `made_from` is the source that the truths were made from.
    """

    corpus_sha256: str
    papers: tuple[str, ...]
    made_from: SourceKind | None
    accepts_circular: bool
    base: Tenant
    measured: tuple[Measured, ...]
    failures: tuple[str, ...]


def calibrate(
    corpus: str | Path,
    base: Tenant,
    read: ReadSource,
    *,
    made_from: SourceKind | None = None,
    accepts_circular: bool = False,
    progress: Progress | None = None,
) -> Calibration:
    """Return the weights that the papers of a corpus give, on the scale of the tenant `base`.

    `read` gives the document of one source of a paper; one that raises an error of the family is a failure and counts for
    nothing. `made_from` is the source that the truths were made from; None is to see for oneself: where a truth has the ids of
    a source, it was made from it. Raises what reading a truth raises.
    """
    truths = [truth_of(folder) for folder in papers_in(corpus)]
    tallies: dict[Key, dict[str, Tally]] = {}
    asked: dict[Key, int] = {}
    failures = []
    for done, truth in enumerate(truths):
        if progress is not None:
            progress(done, len(truths), truth.name)
        for source in (s for s in SOURCES if s in truth.sources):
            try:
                found = outcomes(truth, read(truth, source))
            except VariorumError as error:
                failures.append(f"{truth.name}: {source}: {error}")
                continue
            for kind, items in found.items():
                counted = [item for item in items if item.is_read]
                tally = Tally(len(counted), math.fsum(item.right for item in counted))
                tallies.setdefault((source, kind), {})[truth.name] = tally
                asked[source, kind] = asked.get((source, kind), 0) + len(items)
    made_from = made_from or next((truth.made_from for truth in truths if truth.made_from is not None), None)
    shares = {key: share_of(by_paper, "/".join(key)) for key, by_paper in tallies.items()}
    judge = _Judge(base=base, shares=shares, made_from=made_from, accepts_circular=accepts_circular)
    return Calibration(
        corpus_sha256=_corpus_sha256(truths),
        papers=tuple(truth.name for truth in truths),
        made_from=made_from,
        accepts_circular=accepts_circular,
        base=base,
        measured=tuple(judge.judged(source, kind, asked.get((source, kind), 0)) for source in SOURCES for kind in TYPES),
        failures=tuple(failures),
    )


def _corpus_sha256(truths: Sequence[PaperTruth]) -> str:
    """Return one hash of the truths: of their names and bytes, in order of name."""
    plain = [[truth.name, truth.sha256] for truth in truths]
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judge:
    """What decides whether a share becomes a weight."""

    base: Tenant
    shares: Mapping[Key, Share | None]
    made_from: SourceKind | None
    accepts_circular: bool

    def judged(self, source: SourceKind, kind: ComponentType, true: int) -> Measured:
        """Return the number of one source and type, or why there is none."""
        share = self.shares.get((source, kind))
        is_circular = self._is_circular(source)
        plain = Measured(source=source, type=kind, true=true, share=share, is_circular=is_circular)
        if share is None:
            what = f"none of the {true} items of the truth was read" if true else "no truth in this corpus"
            return replace(plain, refused=what)
        if is_circular and not self.accepts_circular:
            return replace(plain, refused=f"circular: the truth was made from {self.made_from}, of the same TeX or PDF")
        scale, anchor = self._scale(kind)
        if scale is None:
            return replace(plain, refused=anchor)
        low, high = (min(1.0, end * scale) for end in (share.low, share.high))
        placed = replace(plain, low=low, high=high, scale=scale, anchor=anchor)
        step = self._resolution(source, kind)
        if step is None:
            return replace(placed, refused="the matrix has no two weights of this type to tell apart")
        if high - low >= step:
            return replace(placed, refused=f"too little evidence: {low:.3f} to {high:.3f}, and weights differ by {step:.2f}")
        weight = round(min(1.0, share.value * scale), WEIGHT_DIGITS)
        return replace(placed, weight=weight, holds_in=self._holds_in(source, kind, share, scale))

    def _is_circular(self, source: SourceKind) -> bool:
        return any({source, self.made_from} <= origin for origin in SAME_ORIGIN)

    def _scale(self, kind: ComponentType) -> tuple[float | None, str]:
        """Return the factor from a share to the scale of the matrix, and in words what anchors it, or why there is none."""
        if self.made_from is not None and not self.accepts_circular:
            weight = self.base.weight(self.made_from, kind)
            if weight is None:
                return None, f"{self.made_from}, which the truth was made from, has no weight that it could be compared with"
            return weight, f"{self.made_from}, which the truth was made from, has {weight:.2f}"
        known = [
            (weight, share.value)
            for source in SOURCES
            if source != "pdf" and (weight := self.base.weight(source, kind)) is not None
            if (share := self.shares.get((source, kind))) is not None and share.value > 0
        ]
        if not known:
            return None, "no other source was measured that has a weight it could be compared with"
        scale = math.fsum(w for w, _ in known) / math.fsum(s for _, s in known)
        return scale, f"the {len(known)} other measured sources have {scale:.2f} of their shares as weights"

    def _others(self, source: SourceKind, kind: ComponentType) -> list[float]:
        """Return the different weights that other sources have; that of the PDF is no part of ADR-002, and itself measured."""
        weights = (self.base.weight(other, kind) for other in SOURCES if other not in (source, "pdf"))
        return sorted({weight for weight in weights if weight is not None})

    def _resolution(self, source: SourceKind, kind: ComponentType) -> float | None:
        """Return the smallest distance between two different weights that the other sources have for the type."""
        return min((high - low for low, high in pairwise(self._others(source, kind))), default=None)

    def _holds_in(self, source: SourceKind, kind: ComponentType, share: Share, scale: float) -> int:
        others = self._others(source, kind)

        def place(value: float) -> list[bool]:
            return [round(min(1.0, value * scale), WEIGHT_DIGITS) > weight for weight in others]

        rest = [value for value in share.without.values() if value is not None]
        return sum(place(value) == place(share.value) for value in rest)
