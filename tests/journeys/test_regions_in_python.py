"""Regions given in Python are held to the same rules as those of a file."""

from __future__ import annotations

import math
from typing import Any

import pytest
from journey_words import MakePdf

import variorum
from variorum.errors import UsageError


@pytest.mark.parametrize(
    "regions",
    [
        [],
        [{"page": 1}],
        [{"page": 1.5, "bbox": [1, 1, 50, 50]}],
        [{"page": "1", "bbox": [1, 1, 50, 50]}],
        [{"page": 1, "bbox": [5, 5, 5, 9]}],
        [{"page": 1, "bbox": [0, 0, math.nan, 9]}],
        [{"page": 1, "bbox": [0, 0, math.inf, 9]}],
        [{"page": 1, "bbox": [0, 0, 9]}],
    ],
)
def test_region_that_is_none_is_refused(regions: list[dict[str, Any]], make_pdf: MakePdf) -> None:
    with pytest.raises(UsageError, match="regions"):
        variorum.extract(make_pdf(), regions=regions)
