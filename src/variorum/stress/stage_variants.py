"""The named configurations side by side: each really reads every paper whose tables are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from variorum.execution import WorkerLost, run
from variorum.stress.corpus import StressPaper
from variorum.stress.identity import config_digest
from variorum.stress.keeping import PaperRow
from variorum.stress.options import Setting, Stage
from variorum.stress.reading import NotRead, ReadTask, VariantRead, apart, lost, read_variant
from variorum.tables.config import NAMED_CONFIGS

NAME: Final = "reading variants"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Due:
    """A reading that is to be made: its row of `variant_runs`, its task, what is told of it."""

    row: dict[str, object]
    task: ReadTask
    what: str


def read_variants(setting: Setting, papers: Sequence[StressPaper]) -> None:
    """Return None once each named configuration has read each paper with true tables, in this run or before.

    The test's own configuration is not run twice: where it is a named one, what it read is what the debug database says.
    Raises OutputError when something cannot be kept.
    """
    rows = {key: row for key, row in setting.keep.papers().items() if row.status == "read" and setting.true_tables[key]}
    chosen = [(paper, rows[paper.key]) for paper in papers if paper.key in rows]
    waiting = list(_due(setting, chosen))
    total = len(NAMED_CONFIGS) * len(chosen)
    done = reused = total - len(waiting)

    def each(i: int, result: VariantRead | NotRead | WorkerLost) -> None:
        nonlocal done
        done += 1
        _put(setting, waiting[i].row, lost(result) if isinstance(result, WorkerLost) else result)
        setting.tell(Stage(name=NAME, done=done, total=total, what=waiting[i].what, reused=reused))

    setting.tell(Stage(name=NAME, done=done, total=total, reused=reused))
    run(
        read_variant,
        [due.task for due in waiting],
        jobs=setting.options.jobs,
        isolated=True,
        limit_s=setting.options.seconds,
        without=apart,
        each=each,
    )


def _due(setting: Setting, chosen: Sequence[tuple[StressPaper, PaperRow]]) -> Iterator[_Due]:
    """Yield the readings that are to be made; those of the test's own configuration are kept at once."""
    known = setting.keep.variants()
    own = config_digest(setting.config)
    for paper, row in chosen:
        for name, config in NAMED_CONFIGS.items():
            digest = config_digest(config)
            marks = setting.marks(paper, digest)
            run_row: dict[str, object] = {"config": name, "item_key": row.item_key, "pages": row.num_pages}
            run_row |= {"status": "read", "reason": "", **marks._asdict()}
            if digest == own:
                setting.keep.put_variant({**run_row, "cpu_seconds": row.cpu_seconds}, setting.keep.own_results(row.item_key))
            elif known.get((name, row.item_key)) != marks:
                task = setting.task(paper, row.sha256 or "", config)
                yield _Due(row=run_row, task=task, what=f"{name}: {paper.key}")


def _put(setting: Setting, row: dict[str, object], result: VariantRead | NotRead) -> None:
    seconds = None if result.cost is None else result.cost.cpu_seconds
    if isinstance(result, NotRead):
        setting.keep.put_variant({**row, "status": "failed", "reason": result.reason, "cpu_seconds": seconds}, ())
    else:
        setting.keep.put_variant({**row, "cpu_seconds": seconds}, result.results)
