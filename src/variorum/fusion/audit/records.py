"""What a run writes into the log: its opening record, a record a decision, its closing record.

Texts longer than a hash stand as their SHA-256, length and beginning, tables as their SHA-256 and shape: the log proves what
was decided on, and is no second copy of the paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from variorum.document._codec import encode
from variorum.fusion.audit.chain import NO_RECORD, Record, canonical, sha256_of
from variorum.fusion.model import Decision, Fusion, Source, SourceRecord

if TYPE_CHECKING:
    from variorum.fusion.tenants import Tenant

SCHEMA_VERSION: Final = "1.0"
LONG: Final = len(sha256_of(NO_RECORD))
"""Characters of a text from which on its hash is shorter than the text."""
NOT_OF_THE_RUN: Final = ("seq", "prev", "hash", "run")
"""Keys of a record that say where it stands in a log; another log has other values for the same run."""


def run_bodies(
    run: int,
    fusion: Fusion,
    tenant: Tenant,
    sources: Sequence[Source],
    *,
    stamp: str | None = None,
    paths: Mapping[str, str] | None = None,
) -> Iterator[Record]:
    """Return the records of one run in order, without their places in the chain.

    `paths` are those of the inputs relative to the log, where they can be given so.
    """
    yield opening(run, fusion, tenant, sources, stamp=stamp, paths=paths or {})
    for decision in fusion.decisions:
        yield decided(run, decision)
    yield closing(run, fusion)


def opening(
    run: int,
    fusion: Fusion,
    tenant: Tenant,
    sources: Sequence[Source],
    *,
    stamp: str | None,
    paths: Mapping[str, str],
) -> Record:
    """Return the record that begins a run: inputs and what was read from them, tenant with its whole text, versions."""
    documents = {s.kind: sha256_of(s.document.to_json()) for s in sources}
    inputs = []
    for source in fusion.sources:
        entry = {**encode(source, SourceRecord), "document_sha256": documents[source.kind]}
        inputs.append({**entry, "path": paths[source.kind]} if source.kind in paths else entry)
    record = {
        "kind": "run",
        "run": run,
        "schema": SCHEMA_VERSION,
        "software": fusion.software,
        "tenant": {
            "name": fusion.tenant,
            "version": fusion.matrix_version,
            "sha256": fusion.tenant_sha256,
            "text": tenant.canonical_text(),
        },
        "inputs": inputs,
    }
    return record if stamp is None else {**record, "stamp": stamp}


def decided(run: int, decision: Decision) -> Record:
    """Return the record of a decision: all that it says, long texts and tables by their hashes."""
    plain = encode(decision, Decision)
    return {
        **plain,
        "kind": "decision",
        "run": run,
        "candidates": [_short_candidate(c) for c in plain["candidates"]],
        "borrowed": [_short(b, "value") for b in plain["borrowed"]],
    }


def closing(run: int, fusion: Fusion) -> Record:
    """Return the record that ends a run: how much was decided, and the hashes of ``document.json`` and ``fusion.json``."""
    from variorum.fusion.record import to_json

    return {
        "kind": "end",
        "run": run,
        "decisions": len(fusion.decisions),
        "left_overs": len(fusion.left_overs),
        "document_sha256": sha256_of(fusion.document.to_json()),
        "fusion_sha256": sha256_of(to_json(fusion)),
    }


def _short_candidate(candidate: Record) -> Record:
    kept = {key: value for key, value in _short(candidate, "text").items() if key != "table"}
    table = candidate["table"]
    if table is None:
        return kept
    return {**kept, "table": {"sha256": sha256_of(canonical(table)), "n_rows": table["n_rows"], "n_cols": table["n_cols"]}}


def _short(entry: Record, key: str) -> Record:
    """Return the entry with a long text under the key as hash, length and beginning."""
    text: str = entry[key]
    if len(text) <= LONG:
        return entry
    rest = {name: value for name, value in entry.items() if name != key}
    return {**rest, f"{key}_sha256": sha256_of(text), f"{key}_length": len(text), f"{key}_begins": text[:LONG]}


def compared(record: Record) -> dict[str, Any]:
    """Return what of a record must be the same when the run is made again: all but its place in the log."""
    return {key: value for key, value in record.items() if key not in NOT_OF_THE_RUN}
