"""Regions that the user gives: a JSON list of ``{"page": 7, "bbox": [x0, y0, x1, y1]}``; only these tables are read.

Pages count from 1; boxes are PDF points of the page as displayed, origin top-left.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

from variorum.errors import InputNotFoundError, UsageError
from variorum.suggestions import nearest_name_hint

_KEYS = ("page", "bbox")
_EXAMPLE = '[{"page": 7, "bbox": [72, 100, 300, 260]}]'


def read_regions(path: Path) -> list[dict[str, object]]:
    """Return the regions in a JSON file; raises InputNotFoundError when missing, UsageError with the path to a fault in it."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise InputNotFoundError("no such regions file", where=str(path), hint="check the path") from error
    except OSError as error:
        raise InputNotFoundError(f"cannot be read ({error.strerror})", where=str(path), hint="check the path") from error
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise UsageError(f"not valid JSON: {error.msg}", where=f"{path}: line {error.lineno}", hint=_EXAMPLE) from error
    except (ValueError, RecursionError) as error:
        raise UsageError("not a JSON list of regions in UTF-8", where=str(path), hint=_EXAMPLE) from error
    if not isinstance(raw, list) or not raw:
        raise UsageError("must be a list of at least one region", where=str(path), hint=_EXAMPLE)
    return [_region(item, f"{path}: [{i}]") for i, item in enumerate(raw)]


def _region(item: object, where: str) -> dict[str, object]:
    if not isinstance(item, dict):
        raise UsageError("must be an object with page and bbox", where=where, hint=_EXAMPLE)
    for key in item:
        if key not in _KEYS:
            raise UsageError("unknown key", where=f"{where}.{key}", hint=nearest_name_hint(key, _KEYS))
    for key in _KEYS:
        if key not in item:
            raise UsageError("is missing", where=f"{where}.{key}", hint=_EXAMPLE)
    page, bbox = item["page"], item["bbox"]
    if isinstance(page, bool) or not isinstance(page, int) or page < 1:
        raise UsageError(f"must be a page number from 1, not {page!r}", where=f"{where}.page", hint=_EXAMPLE)
    if not isinstance(bbox, list) or len(bbox) != 4 or not all(map(_is_number, bbox)):
        raise UsageError(f"must be four numbers, not {bbox!r}", where=f"{where}.bbox", hint="[x0, y0, x1, y1] in points")
    if not (bbox[0] < bbox[2] and bbox[1] < bbox[3]):
        raise UsageError(f"{bbox!r} has no area", where=f"{where}.bbox", hint="[x0, y0, x1, y1] with x0 < x1 and y0 < y1")
    return {"page": page, "bbox": [float(value) for value in bbox]}


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond any float
        return False
