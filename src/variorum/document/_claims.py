"""The small claims that the consistency of a document is made of: each returns nothing, or raises SchemaError with the path."""

from __future__ import annotations

from variorum.document.placing import Provenance
from variorum.errors import SchemaError


def check_at_least(least: int, value: float, path: str) -> None:
    """Return nothing; raises SchemaError for a value below the least."""
    if value < least:
        raise SchemaError(f"{value} is too small", where=path, hint=f"{least} or more")


def check_in_unit(value: float, path: str) -> None:
    """Return nothing; raises SchemaError for a value outside 0..1."""
    if not 0 <= value <= 1:
        raise SchemaError(f"{value} is not in [0, 1]", where=path)


def check_in_order(start: float, end: float, path: str) -> None:
    """Return nothing; raises SchemaError for a range that ends before it starts."""
    if start > end:
        raise SchemaError(f"the range starts at {start}, after its end {end}", where=f"{path}.start")


def check_provenance(provenance: Provenance, path: str) -> None:
    """Return nothing; raises SchemaError for a page below 1 or a confidence outside 0..1."""
    if provenance.page_num is not None:
        check_at_least(1, provenance.page_num, f"{path}.page_num")
    if provenance.confidence is not None:
        check_in_unit(provenance.confidence, f"{path}.confidence")
