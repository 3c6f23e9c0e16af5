"""The record of a fusion as JSON text and back: all that `Fusion` holds but the document, which has a file of its own."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from variorum.document import Document
from variorum.document._codec import decode, encode
from variorum.document.json_io import canonical_text, parse_object
from variorum.errors import SchemaError
from variorum.fusion.model import Agreement, Decision, Fusion, LeftOver, SourceRecord

SCHEMA_VERSION: Final = "1.0"
_HINT: Final = "the fusion.json that variorum fuse wrote"


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionRecord:
    """What stands in ``fusion.json``: the schema's version, and the fields of `Fusion` but for the document."""

    schema_version: str
    tenant: str
    tenant_sha256: str
    matrix_version: str
    software: str
    sources: tuple[SourceRecord, ...]
    decisions: tuple[Decision, ...]
    left_overs: tuple[LeftOver, ...]
    agreements: tuple[Agreement, ...]


def to_json(fusion: Fusion) -> str:
    """Return the record as canonical JSON text: the same fusion gives the same characters on every machine."""
    own = {f.name: getattr(fusion, f.name) for f in fields(FusionRecord) if f.name != "schema_version"}
    return canonical_text(encode(FusionRecord(schema_version=SCHEMA_VERSION, **own), FusionRecord))


def is_record(data: bytes) -> bool:
    """Return whether bytes are JSON with what the record of a fusion has and no other file of variorum's."""
    try:
        found = parse_object(data.decode("utf-8"), "fusion", _HINT)
    except (SchemaError, UnicodeDecodeError):
        return False
    return {"decisions", "tenant", "matrix_version"} <= found.keys()


def record_from_json(text: str) -> FusionRecord:
    """Return the record that the JSON text describes; raises SchemaError with the path to a fault."""
    data = parse_object(text, "fusion", _HINT)
    if data.get("schema_version") != SCHEMA_VERSION:
        found = repr(data["schema_version"]) if "schema_version" in data else "none"
        what = f"expected the schema {SCHEMA_VERSION} of a fusion, found {found}"
        raise SchemaError(what, where="schema_version", hint=_HINT)
    record: FusionRecord = decode(FusionRecord, data)
    return record


def from_json(text: str, document: Document) -> Fusion:
    """Return the fusion of a record and its document.

    Raises SchemaError with the path to a fault: text that is no record, a decision on a component that the document has not.
    """
    record = record_from_json(text)
    known = {c.id for c in document.components} | {t.id for t in document.tables} | {f.id for f in document.figures}
    for i, decision in enumerate(record.decisions):
        for j, name in enumerate(decision.components):
            if name not in known:
                where = f"decisions[{i}].components[{j}]"
                raise SchemaError(f"the document has no component {name!r}", where=where, hint="the document.json beside it")
    own = {f.name: getattr(record, f.name) for f in fields(FusionRecord) if f.name != "schema_version"}
    return Fusion(document=document, **own)
