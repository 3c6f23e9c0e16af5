"""Where a component stands and who read it.

All data is frozen. Pages are 1-based (`page_num`); boxes are PDF points of the page as displayed, origin top-left.
"""

from __future__ import annotations

from dataclasses import dataclass

from variorum.geometry import Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a component stands and who read it: source (``pdf``, ``ar5iv`` …), method, 1-based page, box, confidence in [0, 1].

    What the source does not tell is None.
    """

    source: str
    method: str
    page_num: int | None = None
    bbox: Box | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a piece of a component stands: 1-based page and box."""

    page_num: int
    bbox: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """A caption: whole text, printed label (``Table``) and number (``3``, ``A.1``, ``IV``) where they could be read, place.

    Page and box are None where the source has no pages.
    """

    text: str
    label: str
    number: str | None
    page_num: int | None = None
    bbox: Box | None = None
