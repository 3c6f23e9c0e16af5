"""The names of all methods, in the order in which they are asked and, where ranks tie, preferred.

The order is written down here once, so that it does not depend on the order in which methods are registered or named.
"""

from __future__ import annotations

from typing import Final

STRUCTURE_METHODS: Final = (
    "pymupdf_lines",
    "pymupdf_lines_strict",
    "pymupdf_text",
    "ruled_lines",
    "single_point_hotspot",
    "gap_span_hotspot",
    "global_cliff",
    "per_row_cliff",
    "header_anchor",
    "camelot_lattice",
    "camelot_hybrid",
    "pdfplumber_lines",
    "pdfplumber_text",
    "baseline_rows",  # beyond the founding thirteen
)
"""The structure methods that vote by default."""

FURTHER_STRUCTURE_METHODS: Final = ("camelot_network", "pymupdf_grid_model")
"""Structure methods that only vote where a configuration names them."""

CELL_METHODS: Final = ("rawdict", "word_assignment", "pdfminer")

POST_PROCESSORS: Final = (
    "absorbed_caption_strip",
    "header_detection",
    "header_data_split",
    "inline_header_fill",
    "continuation_merge",
    "footnote_strip",
    "cell_cleaning",
)

ORDER: Final = (*STRUCTURE_METHODS, *FURTHER_STRUCTURE_METHODS, *CELL_METHODS, *POST_PROCESSORS)
