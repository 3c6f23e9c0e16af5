"""The methods by name, in the order of `variorum.tables.method_names`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final, TypeVar

from variorum.errors import ConfigError
from variorum.suggestions import nearest_name_hint
from variorum.tables.method_names import ORDER
from variorum.tables.model import CellMethod, PostProcessor, StructureMethod

LIBRARY_METHODS: Final = frozenset(
    {
        "pymupdf_lines",
        "pymupdf_lines_strict",
        "pymupdf_text",
        "pymupdf_grid_model",
        "camelot_lattice",
        "camelot_hybrid",
        "camelot_network",
        "pdfplumber_lines",
        "pdfplumber_text",
    }
)


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of methods in their order, those of other packages (``module:Class``) behind them by name."""
    return tuple(sorted(names, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name)))


Method = TypeVar("Method")


def class_of(name: str, known: Mapping[str, type[Method]]) -> type[Method]:
    """Return the class of a method by its name, or the one that ``module:Class`` names; raises ConfigError without one."""
    if name in known:
        return known[name]
    found: type[Method] = imported(name, "method", known)
    return found


def imported(name: str, what: str, known: Iterable[str] = ()) -> Any:
    """Return what another package defines under ``module:attribute``; raises ConfigError when there is no such thing."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        hint = nearest_name_hint(name, list(known)) or "a name that `variorum methods` lists, or module:attribute"
        raise ConfigError(f"no {what} of the name {name!r} ({error})", hint=hint) from error


@cache
def structure_methods() -> dict[str, type[StructureMethod]]:
    """Return the structure methods by name."""
    from variorum.tables.structure.baseline_rows import BaselineRows
    from variorum.tables.structure.camelot_hybrid import CamelotHybrid
    from variorum.tables.structure.camelot_lattice import CamelotLattice
    from variorum.tables.structure.camelot_network import CamelotNetwork
    from variorum.tables.structure.gap_span_hotspot import GapSpanHotspot
    from variorum.tables.structure.global_cliff import GlobalCliff
    from variorum.tables.structure.header_anchor import HeaderAnchor
    from variorum.tables.structure.pdfplumber_lines import PdfplumberLines
    from variorum.tables.structure.pdfplumber_text import PdfplumberText
    from variorum.tables.structure.per_row_cliff import PerRowCliff
    from variorum.tables.structure.pymupdf_grid_model import PyMuPDFGridModel
    from variorum.tables.structure.pymupdf_lines import PyMuPDFLines
    from variorum.tables.structure.pymupdf_lines_strict import PyMuPDFLinesStrict
    from variorum.tables.structure.pymupdf_text import PyMuPDFText
    from variorum.tables.structure.ruled_lines import RuledLines
    from variorum.tables.structure.single_point_hotspot import SinglePointHotspot

    classes: tuple[type[StructureMethod], ...] = (
        PyMuPDFLines,
        PyMuPDFLinesStrict,
        PyMuPDFText,
        RuledLines,
        SinglePointHotspot,
        GapSpanHotspot,
        GlobalCliff,
        PerRowCliff,
        HeaderAnchor,
        CamelotLattice,
        CamelotHybrid,
        PdfplumberLines,
        PdfplumberText,
        BaselineRows,
        CamelotNetwork,
        PyMuPDFGridModel,
    )
    return {c.name: c for c in classes}


@cache
def cell_methods() -> dict[str, type[CellMethod]]:
    """Return the cell methods by name."""
    from variorum.tables.cells.pdfminer import Pdfminer
    from variorum.tables.cells.rawdict import Rawdict
    from variorum.tables.cells.word_assignment import WordAssignment

    classes: tuple[type[CellMethod], ...] = (Rawdict, WordAssignment, Pdfminer)
    return {c.name: c for c in classes}


@cache
def post_processors() -> dict[str, type[PostProcessor]]:
    """Return the post-processors by name, in canonical order."""
    from variorum.tables.post.absorbed_caption_strip import AbsorbedCaptionStrip
    from variorum.tables.post.cell_cleaning import CellCleaning
    from variorum.tables.post.continuation_merge import ContinuationMerge
    from variorum.tables.post.footnote_strip import FootnoteStrip
    from variorum.tables.post.header_data_split import HeaderDataSplit
    from variorum.tables.post.header_detection import HeaderDetection
    from variorum.tables.post.inline_header_fill import InlineHeaderFill

    classes: tuple[type[PostProcessor], ...] = (
        AbsorbedCaptionStrip,
        HeaderDetection,
        HeaderDataSplit,
        InlineHeaderFill,
        ContinuationMerge,
        FootnoteStrip,
        CellCleaning,
    )
    return {c.name: c for c in classes}
