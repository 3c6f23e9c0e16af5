"""Methods that do what no method should. A configuration names them as ``fault_methods:Class``; workers import them as well."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from typing import Any

from variorum.geometry import Box
from variorum.page.model import PageEvidence, Word
from variorum.tables.model import BoundaryHypothesis, BoundaryPoint, CellGrid, TableContext

MARK = "Gamma"  # what a deadly method does it does to tables that hold this word


def is_marked(words: Sequence[Word]) -> bool:
    return any(word.text == MARK for word in words)


class Structure:
    """A method that stands for one divider at the middle of the table, unless it is told to do worse."""

    name = "faulty"

    def detect(self, ctx: TableContext) -> Any:
        if not is_marked(ctx.words):
            return self.answer(ctx.bbox.centre[0])
        return self.misbehave(ctx)

    def misbehave(self, ctx: TableContext) -> Any:
        raise NotImplementedError

    def answer(self, *positions: float, confidence: float = 1.0, width: float = 0.0) -> BoundaryHypothesis:
        points = tuple(BoundaryPoint(x, x + width, confidence, self.name) for x in positions)
        return BoundaryHypothesis(points, (), self.name)


class Raises(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        raise LookupError("no such thing")


class Leaves(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        raise SystemExit(3)


class Recurses(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        return self.misbehave(ctx)


class SaysNothingAtAll(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        return [1, 2, 3]


class SaysWords(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        return BoundaryHypothesis((BoundaryPoint("left", "right", 1.0, self.name),), (), self.name)  # type: ignore[arg-type]


class SaysAMillion(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        return BoundaryHypothesis((BoundaryPoint(200.0, 201.0, 1.0, self.name),) * 1_000_000, (), self.name)


class SpeaksAsAnother(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        return BoundaryHypothesis((BoundaryPoint(200.0, 201.0, 1.0, "ruled_lines"),), (), self.name)


class SaysNan(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        return self.answer(float("nan"), ctx.bbox.centre[0])


class SaysInfinite(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        return self.answer(float("inf"), float("-inf"))


class SaysNanConfidence(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        return self.answer(ctx.bbox.centre[0], confidence=float("nan"))


class SaysOutside(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        return self.answer(-5000.0, 1e9)


class Exits(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        os._exit(7)


class KillsItself(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)
        threading.Event().wait()


class Segfaults(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGSEGV)
        threading.Event().wait()


class Hangs(Structure):
    def misbehave(self, ctx: TableContext) -> Any:
        threading.Event().wait()


# ---- cell methods ---------------------------------------------------------------------------------------------------


class Cells:
    name = "faulty_cells"

    def pieces(self, ctx: TableContext, col_positions: Sequence[float]) -> Any:
        if not is_marked(ctx.words):
            return ctx.words
        return self.misbehave(ctx)

    def misbehave(self, ctx: TableContext) -> Any:
        raise NotImplementedError


class CellsRaise(Cells):
    def misbehave(self, ctx: TableContext) -> Any:
        raise ZeroDivisionError("of cells")


class CellsSayAMillion(Cells):
    def misbehave(self, ctx: TableContext) -> Any:
        return ctx.words[:1] * 1_000_000


class CellsSayNothing(Cells):
    def misbehave(self, ctx: TableContext) -> Any:
        return None


class CellsExit(Cells):
    def misbehave(self, ctx: TableContext) -> Any:
        os._exit(8)


# ---- post-processors ------------------------------------------------------------------------------------------------


class Overlaps:
    name = "faulty_repair"

    def process(self, grid: CellGrid, ctx: TableContext) -> Any:
        from dataclasses import replace

        return replace(grid, cells=(*grid.cells, *grid.cells)), "twice"


class RepairExits:
    name = "faulty_repair"

    def process(self, grid: CellGrid, ctx: TableContext) -> Any:
        if is_marked(ctx.words):
            os._exit(9)
        return grid, ""


# ---- region proposers -----------------------------------------------------------------------------------------------


def propose_exit(view: PageEvidence) -> list[Box]:
    if is_marked(view.words):
        os._exit(10)
    return []


def propose_hang(view: PageEvidence) -> list[Box]:
    if is_marked(view.words):
        threading.Event().wait()
    return []


def propose_million(view: PageEvidence) -> list[Box]:
    return [Box(0.0, 0.0, 1.0, 1.0)] * 1_000_000
