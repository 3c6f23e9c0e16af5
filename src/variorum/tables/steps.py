"""The steps of reading a page, told before they are taken, and left out when they were lost before.

A method may hang, or take its process with it. Nothing in that process can help then; another one must know what was being
done. So every step is told to a `Watch` first. When the step is lost, the page is read again, and the watch of that reading
says that the step is to be left out, and why: it costs the vote of one method on one table, nothing else. A method that is lost
twice on a page is not asked again on that page. Where nobody waits, a watch tells nobody and leaves out nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from variorum.geometry import Box

StepKind = Literal["page", "region proposer", "table", "structure method", "cell method", "post-processor"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of reading the page `page_num`.

    `method` is who is asked (empty for the engine's own work on a page or table), `angle` and `box` say about what: the view
    whose text is upright at that angle, and the table in it in points. `structure` is whose grid a cell method or
    post-processor works on.
    """

    kind: StepKind
    page_num: int
    method: str = ""
    angle: int = 0
    box: Box | None = None
    structure: str = ""


@dataclass(frozen=True, slots=True)
class LostStep:
    """A step under which a process was lost, how (``killed by SIGSEGV``), and whether that was for its silence."""

    step: Step
    how: str
    is_timeout: bool

    @property
    def reason(self) -> str:
        """Return why the step is left out, in words."""
        return f"timeout: {self.how}" if self.is_timeout else f"its process was lost ({self.how})"


class Watch:
    """Told of every step of one page before it is taken.

    `tell` is called with the step; `lost` are the steps lost in earlier readings of the page, which are left out of this one.
    """

    def __init__(self, tell: Callable[[Step], None] | None = None, lost: Sequence[LostStep] = ()) -> None:
        self._tell = tell
        self._lost = {item.step: item for item in lost}
        counts = Counter((s.kind, s.method) for s in self._lost if s.method)
        self._given_up = {key for key, count in counts.items() if count > 1}

    def enter(self, step: Step) -> str:
        """Return an empty text when the step may be taken (it is told then), or why it is left out."""
        item = self._lost.get(step)
        if item is None and (step.kind, step.method) in self._given_up:
            item = next(i for s, i in self._lost.items() if (s.kind, s.method) == (step.kind, step.method))
        if item is not None:
            return item.reason
        if self._tell is not None:
            self._tell(step)
        return ""

    def timeouts(self, box: Box | None, angle: int) -> list[str]:
        """Return in words what was left out for its silence: of the table with this box, or without one of the page itself."""
        return [
            f"{item.step.method or item.step.kind}: {item.how}"
            for step, item in self._lost.items()
            if item.is_timeout and step.box == box and (box is None or step.angle == angle)
        ]


class TableWatch:
    """A watch on the steps of one table: that with the box (points) in the view of the page that is upright at the angle."""

    def __init__(self, watch: Watch, page_num: int, angle: int, box: Box | None) -> None:
        self._watch = watch
        self._place = (page_num, angle, box)

    def enter(self, kind: StepKind, method: str = "", structure: str = "") -> str:
        """Return what `Watch.enter` returns for this step of the table."""
        page_num, angle, box = self._place
        return self._watch.enter(Step(kind, page_num, method, angle, box, structure))


UNWATCHED = Watch()
UNWATCHED_TABLE = TableWatch(UNWATCHED, 1, 0, None)
