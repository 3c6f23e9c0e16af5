"""Claims about the weights of the PDF that come with the package: they are those that were measured, or last in the order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from variorum.fusion.tenants import TYPES, load_tenant

COMMITTED = Path(__file__).resolve().parents[2] / "bench" / "results" / "calibration.json"


def committed() -> dict[str, Mapping[str, Any]]:
    """Return what the committed figures say of the PDF, by type."""
    figures = json.loads(COMMITTED.read_text(encoding="utf-8"))["results"]["measured"]
    return {m["type"]: m for m in figures if m["source"] == "pdf"}


@pytest.mark.parametrize("kind", TYPES)
def test_a_weight_of_the_pdf_is_the_measured_one_or_comes_last(kind: Any) -> None:
    packaged, measured = load_tenant("default"), committed()[kind]["weight"]
    row = sorted({w for s in ("latex", "ar5iv", "docling") if (w := packaged.weight(s, kind)) is not None})  # type: ignore[arg-type]
    step = min(high - low for low, high in pairwise(row))
    expected = round(row[0] - step, 2) if measured is None else measured
    assert packaged.weight("pdf", kind) == expected


def test_every_refusal_has_its_reason() -> None:
    assert all(m["refused"] for m in committed().values() if m["weight"] is None)


def test_no_measured_weight_comes_before_the_source_of_the_truth() -> None:
    packaged = load_tenant("default")
    for kind, measured in committed().items():
        if measured["weight"] is not None:
            assert measured["weight"] <= packaged.weight("ar5iv", kind)  # type: ignore[arg-type, operator]
