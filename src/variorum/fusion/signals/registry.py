"""All signals, in the order in which they are worked and documented."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from variorum.fusion.evidence import Evidence
from variorum.fusion.model import ComponentType, Signal
from variorum.fusion.signals.differences import differences_of
from variorum.fusion.signals.grids import crowded_cells, empty_columns, ragged_rows, unfamiliar_words
from variorum.fusion.signals.kinds import SignalKind
from variorum.fusion.signals.outvoted import outvoted
from variorum.fusion.signals.reports import docling_confidence, empty_formula, latexml_errors, out_of_order
from variorum.fusion.signals.words import broken_words, joined_words, leftover_tex, missing_characters

_PROSE: Final[tuple[ComponentType, ...]] = ("heading", "paragraph", "figure", "bibliography")
_WORDS: Final[tuple[ComponentType, ...]] = (*_PROSE, "table")
_FORMULAS: Final[tuple[ComponentType, ...]] = ("equation_display", "equation_inline")
_TEXT_ORDER: Final[tuple[ComponentType, ...]] = ("heading", "paragraph", "equation_display")

SIGNALS: Final[tuple[SignalKind, ...]] = (
    SignalKind(
        name="missing_characters",
        types=(*_WORDS, *_FORMULAS),
        idea="characters that are none: `(cid:12)`, U+FFFD, private use",
        find=missing_characters,
    ),
    SignalKind(name="leftover_tex", types=_WORDS, idea="TeX left in a readable text", find=leftover_tex),
    SignalKind(name="joined_words", types=_PROSE, idea="words of another reading run together", find=joined_words),
    SignalKind(name="broken_words", types=_PROSE, idea="words cut at the end of a line", find=broken_words),
    SignalKind(name="empty_formula", types=_FORMULAS, idea="a formula without text and TeX", find=empty_formula),
    SignalKind(
        name="latexml_errors",
        types=(*_WORDS, "equation_display"),
        idea="TeX that LaTeXML did not understand",
        find=latexml_errors,
    ),
    SignalKind(
        name="docling_confidence",
        types=(*_WORDS, "equation_display"),
        idea="Docling's own confidence in what it read",
        find=docling_confidence,
    ),
    SignalKind(name="crowded_cells", types=("table",), idea="two numbers in one cell: rows run together", find=crowded_cells),
    SignalKind(name="empty_columns", types=("table",), idea="columns that hold nothing", find=empty_columns),
    SignalKind(
        name="ragged_rows",
        types=("table",),
        idea="rows of another length than two independent readings say",
        find=ragged_rows,
    ),
    SignalKind(
        name="unfamiliar_words",
        types=("table",),
        idea="another table: its words are not those of the paper's text",
        find=unfamiliar_words,
    ),
    SignalKind(name="outvoted", types=_WORDS, idea="two independent readings agree against it", find=outvoted),
    SignalKind(
        name="out_of_order",
        types=_TEXT_ORDER,
        idea="the text stands elsewhere than two independent sources say",
        find=out_of_order,
    ),
)
SIGNAL_NAMES: Final = tuple(kind.name for kind in SIGNALS)


def signals_of(evidence: Evidence, names: Collection[str]) -> tuple[Signal, ...]:
    """Return the signals of a reading among those named, in the order of the registry; each lowers the confidence in it."""
    asked = [kind for kind in SIGNALS if kind.name in names and evidence.position.type in kind.types]
    if not asked:
        return ()
    differences = differences_of(evidence)
    found = (kind.signal(evidence, differences) for kind in asked)
    return tuple(signal for signal in found if signal is not None)
