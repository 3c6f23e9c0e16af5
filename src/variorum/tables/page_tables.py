"""The table regions of one page, proposed and elected, and what a method may look at in each.

Sideways text is read in a turned view.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from variorum.document import Notice
from variorum.geometry import Box
from variorum.page.lines import text_rows, word_space
from variorum.page.model import PageEvidence
from variorum.page.reader import PageHandle
from variorum.page.turning import DOWNWARDS, UPWARDS, upright
from variorum.regions.captions import FoundCaption, find_captions
from variorum.regions.continuing import PageLine, lines_of
from variorum.regions.edge_moves import unvoted
from variorum.regions.model import ProposerContext, TableRegion
from variorum.regions.registry import region_proposers
from variorum.regions.tables import table_regions
from variorum.tables.config import REGION_PROPOSERS, PipelineConfig
from variorum.tables.model import ExtractionResult, TableContext
from variorum.tables.registry import imported
from variorum.tables.steps import UNWATCHED, Step, Watch
from variorum.thresholds import LINES_APART, MAX_LAYOUT_LINES, USUAL_WORD_SPACE_EM


@dataclass(frozen=True, slots=True)
class PageTable:
    """One table of a page: its region (in the view whose text is upright at `angle`), and what the engine made of it.

    `context` is what it was read from, without the page, where that was asked for; `rivals` is what other configurations
    made of the same hypotheses.
    """

    region: TableRegion
    angle: int
    result: ExtractionResult
    context: TableContext | None = None
    rivals: Mapping[str, ExtractionResult] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageReading:
    """All tables of one page, its size and label, the table captions found on it, and notices of what went wrong.

    `incomplete` says what was left out because it gave no answer in time. `lines` are the lines of text of a page with tables
    or captions of tables.
    """

    page_num: int
    width: float
    height: float
    label: str | None
    tables: tuple[PageTable, ...]
    table_captions: tuple[FoundCaption, ...]
    notices: tuple[Notice, ...]
    incomplete: tuple[str, ...] = ()
    lines: tuple[PageLine, ...] = ()


def page_lines(view: PageEvidence, angle: int) -> tuple[PageLine, ...]:
    """Return the lines of text of a view, which show whether a table goes on elsewhere."""
    return lines_of(view, angle, _space_em(view))


def find_regions(
    handle: PageHandle,
    view: PageEvidence,
    angle: int,
    config: PipelineConfig,
    notices: list[Notice],
    given: Sequence[Box] | None,
    watch: Watch = UNWATCHED,
) -> tuple[tuple[FoundCaption, ...], list[TableRegion]]:
    """Return the captions of the view, and its table regions as the proposers of the configuration see them, or those given.

    What a proposer could not do becomes a notice.
    """
    space_em = _space_em(view)
    captions = find_captions(view, space_em)
    if given is not None:
        page = handle.evidence
        boxes = [upright(b, angle, page.width, page.height) for b in given if _main_angle(b, page) == angle]
        return captions, [_given_region(b, captions) for b in boxes]
    ctx = ProposerContext(view, captions, space_em, handle, angle)
    proposals: dict[str, list[Box]] = {}
    for name in sorted(config.region_proposers, key=_place_in_order):
        reason = _too_much_for(name, handle.evidence, config)
        if reason:
            notices.append(Notice(severity="info", what=f"{name} was not asked for regions: {reason}", page_num=view.page_num))
            continue
        left_out = watch.enter(Step("region proposer", view.page_num, name, angle))
        if left_out:
            what = f"the region proposer {name} was left out: {left_out}"
            notices.append(Notice(severity="error", what=what, page_num=view.page_num))
            continue
        try:
            proposals[name] = _few_enough(_proposed(name, ctx), view)
        except (Exception, SystemExit) as error:
            notices.append(fault_notice(f"the region proposer {name} failed", error, view.page_num))
    watch.enter(Step("page", view.page_num, angle=angle))
    return captions, table_regions(view, proposals, captions, space_em)


def _place_in_order(proposer: str) -> tuple[int, str]:
    """Return the key of a proposer in the order in which they are asked: as written down, others behind them by name."""
    return REGION_PROPOSERS.index(proposer) if proposer in REGION_PROPOSERS else len(REGION_PROPOSERS), proposer


def _few_enough(boxes: list[Box], view: PageEvidence) -> list[Box]:
    """Return the boxes of a proposer; raises ValueError when they are more than the page has points along two edges."""
    limit = int(view.width + view.height)
    if len(boxes) > limit:
        raise ValueError(f"it proposes {len(boxes):,} tables, the limit is {limit:,}: the page's width and height in points")
    return boxes


def _too_much_for(proposer: str, page: PageEvidence, config: PipelineConfig) -> str:
    """Return why the page has too much on it for a proposer whose time grows with the square of it, or an empty text."""
    if proposer.startswith("find_tables") and page.segment_count > config.max_segments:
        return f"the page has {page.segment_count:,} line segments, the limit is {config.max_segments:,}"
    lines = len({(w.block, w.line) for w in page.words})
    if proposer == "layout_boxes" and lines > MAX_LAYOUT_LINES:
        return f"the page has {lines:,} lines of text, the limit is {MAX_LAYOUT_LINES:,}"
    return ""


def _main_angle(box: Box, page: PageEvidence) -> int:
    counts = dict.fromkeys((0, UPWARDS, DOWNWARDS), 0)
    for word in page.words:
        if word.angle in counts and box.contains_centre_of(word.box):
            counts[word.angle] += 1
    return max(counts, key=lambda a: (counts[a], -a))


def _given_region(box: Box, captions: Sequence[FoundCaption]) -> TableRegion:
    """Return a region that the user gave, with the nearest table caption right above or below it."""
    near = [
        (min(abs(box.y0 - c.box.y1), abs(c.box.y0 - box.y1)), i)
        for i, c in enumerate(captions)
        if c.kind == "table" and 2 * c.box.x_interval.overlap(box.x_interval) >= min(box.width, c.box.width)
    ]
    close = [n for n in near if n[0] <= LINES_APART * captions[n[1]].box.height]
    return TableRegion(box, captions[min(close)[1]] if close else None, ("given",), unvoted(box))


def _proposed(name: str, ctx: ProposerContext) -> list[Box]:
    """Return what a proposer sees in the view; one from outside is a function from a PageEvidence to boxes."""
    known = region_proposers().get(name)
    if known is not None:
        return known.propose(ctx)
    propose: Callable[[PageEvidence], Iterable[Box]] = imported(name, "region proposer")
    return list(propose(ctx.view))


def _space_em(view: PageEvidence) -> float:
    measured = word_space(text_rows(w for w in view.words if w.angle == 0))
    return USUAL_WORD_SPACE_EM if measured is None else measured


def context_of(region: TableRegion, view: PageEvidence, handle: PageHandle | None) -> TableContext:
    box = region.box
    foreign = {id(w) for w in region.caption.words} if region.caption else set()
    return TableContext(
        bbox=box,
        words=tuple(w for w in view.words if w.angle == 0 and box.contains_centre_of(w.box) and id(w) not in foreign),
        rules=tuple(r for r in view.rules if box.grown(r.thickness).intersection(r.box) is not None),
        page=view,
        handle=handle,
        caption=region.caption.text if region.caption else "",
        vocabulary=frozenset(w.text.casefold().strip(".,;:()[]") for w in view.words),
        page_word_space_em=word_space(text_rows(w for w in view.words if w.angle == 0)),
    )


def fault_notice(what: str, error: BaseException, page_num: int | None) -> Notice:
    return Notice(
        severity="error",
        what=f"{what} ({type(error).__name__}: {error})",
        page_num=page_num,
        traceback="".join(traceback.format_exception(error)),
    )
