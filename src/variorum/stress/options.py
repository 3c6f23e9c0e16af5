"""How a stress test goes, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from variorum.evaluation.truth_table import TruthTable
from variorum.search.model_files import ModelFiles
from variorum.stress.corpus import StressPaper
from variorum.stress.identity import Marks, software, truth_digest
from variorum.stress.keeping import Keep
from variorum.stress.reading import ReadTask
from variorum.tables.config import PipelineConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class StressOptions:
    """How a test goes.

    `config` is how the papers are read: a name or a TOML file. `model` is that of the vectors, None to search by words alone. A
    paper that takes more than `seconds`, or a process that needs more than `memory_mb`, is given up. With `prune` papers that
    the folder holds from another test are taken out; without, they are an error.
    """

    config: str = "default"
    jobs: int = 1
    model: ModelFiles | None = None
    with_variants: bool = True
    seconds: float = 1800.0
    memory_mb: int = 4096
    prune: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """How far a test is: the stage, what of it is done and what there is in all, and what was done last.

    `reused` are those that an earlier run had done.
    """

    name: str
    done: int
    total: int
    what: str = ""
    reused: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What all stages of one test share: where it is kept, what is asked for, the true tables of each paper by its key.

    `tell` is told how far the test is, `say` a sentence that a person should see at once.
    """

    keep: Keep
    run_id: int
    config: PipelineConfig
    options: StressOptions
    true_tables: Mapping[str, tuple[TruthTable, ...]]
    tell: Callable[[Stage], None]
    say: Callable[[str], None]

    def task(self, paper: StressPaper, sha256: str, config: PipelineConfig) -> ReadTask:
        """Return the task of reading a paper by a configuration."""
        return ReadTask(
            pdf=paper.pdf,
            sha256=sha256,
            config=config,
            truths=self.true_tables[paper.key],
            run_id=self.run_id,
            short_name=paper.short_name,
            memory_mb=self.options.memory_mb,
        )

    def marks(self, paper: StressPaper, digest: str) -> Marks:
        """Return what a reading of a paper by the configuration of that digest is made by."""
        return Marks(software(), digest, truth_digest(self.true_tables[paper.key]))
