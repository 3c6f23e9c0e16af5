"""An index follows its library: new, changed, moved, copied, trashed, deleted papers; numbers add up, nothing is read twice."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_index import USER, item, paper

from variorum.errors import UsageError
from variorum.execution import WorkerLost
from variorum.libraries.model import Attachment, Library, LibraryItem, Problem, SkippedItem
from variorum.search import indexing
from variorum.search.contents import Prepared, prepare
from variorum.search.embeddings import OnnxEmbedder
from variorum.search.index_report import OUTCOMES, IndexReport
from variorum.search.indexing import IndexOptions, index_library
from variorum.search.model_files import find_model
from variorum.search.paper_reading import ReadTask, Unread
from variorum.search.retrieval import Searcher
from variorum.search.store import open_index
from variorum.search.tokens import EstimatedTokens
from variorum.search.verifying import dump, verify


class Readings:
    """Stands in for the worker processes: files are text, and what was read is written down."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def run(self, work: Callable[..., Any], tasks: Sequence[ReadTask], *, each: Callable[..., None], **_: Any) -> list[Any]:
        for i, task in enumerate(tasks):
            self.read.append(task.path.name)
            each(i, self._result(task))
        return []

    def _result(self, task: ReadTask) -> Prepared | Unread | WorkerLost:
        words = task.path.read_text()
        if words.startswith("damaged"):
            return Unread("failed", "damaged beyond reading")
        if words.startswith("scanned") and task.ocr is None:
            return Unread("skipped", "no text in its page")
        if words.startswith("endless"):
            return WorkerLost("not done within 9 s", how="not done within 9 s", is_timeout=True)
        return prepare(replace(paper(words[:10], words), sha256=task.sha256), EstimatedTokens())


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> Readings:
    made = Readings()
    monkeypatch.setattr(indexing, "run", made.run)
    return made


class Bench:
    """A library on disk, and the index that follows it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.index = place / "index.sqlite"
        self.items: dict[str, LibraryItem] = {}
        self.skipped: tuple[SkippedItem, ...] = ()

    def put(self, key: str, words: str | None, name: str | None = None, **more: Any) -> Path:
        """Return the file of an item's PDF, which holds the words; with None there is no file."""
        path = self.place / (name or f"{key}.pdf")
        problem = None
        if words is None:
            problem = Problem(kind="missing", reason="there is no such file")
        else:
            path.write_text(words)
        attachment = Attachment(
            key=f"PDF{key}",
            title="",
            link_mode="imported_file",
            content_type="application/pdf",
            stored_path=f"storage:{path.name}",
            path=None if problem else path,
            problem=problem,
        )
        self.items[key] = item(key, f"Title {key}", attachments=(attachment,), **more)
        return path

    def run(self, keys: Sequence[str] | None = None, **options: Any) -> IndexReport:
        every = tuple(self.items.values())
        library = Library(
            libraries=(USER,), items=every, skipped=self.skipped, sources=(), found=len(every) + len(self.skipped)
        )
        chosen = None if keys is None else tuple(self.items[key] for key in keys)
        report = index_library(self.index, library, source="made", items=chosen, options=IndexOptions(**options))
        assert report.found == sum(report.count(outcome) for outcome in OUTCOMES)
        assert verify(self.index) == ()
        return report

    def found(self, question: str) -> list[str]:
        with open_index(self.index) as opened:
            return [found.item.key for found in Searcher(opened).search(question).papers]

    def dumped(self) -> list[str]:
        with open_index(self.index) as opened:
            return list(dump(opened))


@pytest.fixture
def bench(tmp_path: Path, readings: Readings) -> Bench:
    return Bench(tmp_path)


def counts(report: IndexReport) -> dict[str, int]:
    return {outcome: report.count(outcome) for outcome in OUTCOMES if report.count(outcome)}


def test_every_paper_is_accounted_for(bench: Bench) -> None:
    bench.put("A", "ice on ponds")
    bench.put("B", "damaged")
    bench.put("C", "scanned")
    bench.put("D", None)
    bench.put("E", "endless")
    bench.items["F"] = item("F", "A book without a file")
    bench.skipped = (SkippedItem(in_library="groups/9", key="Z", item_type="news", reason="it belongs to a feed"),)
    report = bench.run()
    assert counts(report) == {"indexed": 1, "skipped": 4, "failed": 2}
    assert {p.item: p.reason for p in report.papers} == {
        "user/A": "",
        "user/B": "damaged beyond reading",
        "user/C": "no text in its page",
        "user/D": "there is no such file",
        "user/E": "not done within 9 s",
        "user/F": "no PDF",
        "groups/9/Z": "it belongs to a feed",
    }


def test_a_second_run_on_an_unchanged_library_does_no_work(bench: Bench, readings: Readings) -> None:
    bench.put("A", "ice on ponds")
    bench.put("B", "damaged")
    bench.run()
    before, bytes_before = bench.dumped(), bench.index.read_bytes()
    readings.read.clear()
    report = bench.run()
    assert readings.read == []
    assert counts(report) == {"unchanged": 1, "failed": 1}
    assert bench.dumped() == before
    assert bench.index.read_bytes() == bytes_before


def test_what_is_new_is_found_though_it_came_late(bench: Bench, readings: Readings) -> None:
    bench.put("B", "ice on ponds")
    bench.run()
    path = bench.put("A", "snow on hills")  # sorts before, and its file is older than the last run
    os.utime(path, (1, 1))
    readings.read.clear()
    assert counts(bench.run()) == {"indexed": 1, "unchanged": 1}
    assert (readings.read, bench.found("snow")) == (["A.pdf"], ["A"])


def test_a_changed_file_is_read_again_and_its_old_words_are_gone(bench: Bench) -> None:
    bench.put("A", "ice on ponds")
    bench.run()
    bench.put("A", "snow on hills")
    assert counts(bench.run()) == {"indexed": 1}
    assert (bench.found("snow"), bench.found("ponds")) == (["A"], [])


def test_a_moved_renamed_or_touched_file_is_not_read_again(bench: Bench, readings: Readings) -> None:
    path = bench.put("A", "ice on ponds")
    bench.run()
    readings.read.clear()
    os.utime(path, (1, 1))
    assert counts(bench.run()) == {"unchanged": 1}
    path.unlink()
    bench.put("A", "ice on ponds", "another name.pdf")
    assert counts(bench.run()) == {"unchanged": 1}
    assert (readings.read, bench.found("ice")) == ([], ["A"])


def test_a_trashed_item_is_found_no_more_and_comes_back_unread(bench: Bench, readings: Readings) -> None:
    bench.put("A", "ice on ponds")
    bench.put("B", "ice on lakes")
    bench.run()
    bench.items["A"] = replace(bench.items["A"], in_trash=True)
    report = bench.run()
    assert (report.removed, bench.found("ice"), counts(report)) == (1, ["B"], {"unchanged": 1})
    bench.items["A"] = replace(bench.items["A"], in_trash=False)
    bench.run()
    assert sorted(bench.found("ice")) == ["A", "B"]


def test_a_deleted_item_is_found_no_more_even_by_a_run_for_others(bench: Bench) -> None:
    bench.put("A", "ice on ponds")
    bench.put("B", "ice on lakes")
    bench.run()
    del bench.items["A"]
    assert bench.run(["B"]).removed == 1
    assert bench.found("ice") == ["B"]


def test_a_deleted_pdf_of_an_item_that_stays_is_found_no_more(bench: Bench) -> None:
    bench.put("A", "ice on ponds")
    bench.run()
    bench.items["A"] = replace(bench.items["A"], attachments=())
    assert bench.run().removed == 1
    assert bench.found("ponds") == []


def test_items_with_the_same_content_are_read_once(bench: Bench, readings: Readings) -> None:
    bench.put("A", "ice on ponds")
    bench.put("B", "ice on ponds")
    assert counts(bench.run()) == {"indexed": 2}
    bench.put("C", "ice on ponds")
    assert counts(bench.run()) == {"indexed": 1, "unchanged": 2}
    assert len(readings.read) == 1


def test_a_copy_keeps_what_its_twin_loses(bench: Bench) -> None:
    bench.put("A", "ice on ponds")
    bench.put("B", "ice on ponds")
    bench.run()
    del bench.items["A"]
    bench.run()
    assert bench.found("ponds") == ["B"]


def test_a_failure_is_not_tried_again_until_its_file_changes_or_it_is_asked_for(bench: Bench, readings: Readings) -> None:
    bench.put("A", "damaged")
    bench.run()
    readings.read.clear()
    assert [p.reason for p in bench.run().having("failed")] == ["damaged beyond reading"]
    assert readings.read == []
    bench.run(retry=True)
    assert readings.read == ["A.pdf"]
    bench.put("A", "mended")
    assert counts(bench.run()) == {"indexed": 1}


def test_force_reads_all_again_and_changes_nothing(bench: Bench, readings: Readings) -> None:
    bench.put("A", "ice on ponds")
    bench.put("B", "snow")
    bench.run()
    before = bench.dumped()
    readings.read.clear()
    assert counts(bench.run(force=True)) == {"indexed": 2}
    assert sorted(readings.read) == ["A.pdf", "B.pdf"]
    assert bench.dumped() == before


def test_a_scan_is_read_once_ocr_is_asked_for(bench: Bench) -> None:
    from variorum.page.ocr import OcrOptions

    bench.put("A", "scanned ice")
    assert counts(bench.run()) == {"skipped": 1}
    assert counts(bench.run(ocr=OcrOptions())) == {"indexed": 1}
    assert counts(bench.run()) == {"unchanged": 1}


def test_a_file_that_is_away_for_a_while_keeps_what_was_read(bench: Bench) -> None:
    bench.put("A", "ice on ponds")
    bench.run()
    bench.put("A", None)
    (skipped,) = bench.run().having("skipped")
    assert "can still be found" in skipped.reason
    assert bench.found("ponds") == ["A"]


def test_a_limit_leaves_the_rest_for_later_and_says_so(bench: Bench) -> None:
    for key in "ABC":
        bench.put(key, f"ice {key}")
    report = bench.run(limit=2)
    assert counts(report) == {"indexed": 2, "skipped": 1}
    assert "left for a later run" in report.having("skipped")[0].reason
    assert counts(bench.run(limit=2)) == {"indexed": 1, "unchanged": 2}


def test_changed_metadata_are_found_without_reading(bench: Bench, readings: Readings) -> None:
    bench.put("A", "ice on ponds")
    bench.run()
    bench.put("A", "ice on ponds", tags=("winter",), abstract="About skating.")
    readings.read.clear()
    bench.run()
    assert (readings.read, bench.found("skating"), bench.found("winter")) == ([], ["A"], ["A"])


def test_the_order_of_a_library_does_not_matter(bench: Bench) -> None:
    for key in "ABC":
        bench.put(key, f"ice {key}")
    bench.run()
    first = bench.dumped()
    bench.index.unlink()
    bench.items = dict(reversed(bench.items.items()))
    bench.run()
    assert bench.dumped() == first


def test_a_rebuild_gives_the_same_and_reads_nothing(bench: Bench, readings: Readings) -> None:
    bench.put("A", "ice on ponds")
    bench.put("B", "scanned")
    bench.run()
    before = bench.dumped()
    readings.read.clear()
    report = bench.run(rebuild=True)
    assert (readings.read, counts(report)) == ([], {"unchanged": 1, "skipped": 1})
    assert bench.dumped() == before


def test_a_rebuild_reads_again_what_is_kept_damaged(bench: Bench, readings: Readings) -> None:
    bench.put("A", "ice on ponds")
    bench.put("B", "snow on hills")
    bench.run()
    before = bench.dumped()
    for kind in ("paper", "record"):
        query = "UPDATE documents SET json = X'00' WHERE id = (SELECT min(id) FROM documents WHERE kind = ?)"
        with closing(sqlite3.connect(bench.index)) as connection, connection:
            connection.execute(query, (kind,))
    assert verify(bench.index) != ()
    readings.read.clear()
    report = bench.run(rebuild=True)
    assert (len(readings.read), counts(report)) == (1, {"indexed": 1, "unchanged": 1})
    assert verify(bench.index) == ()
    assert bench.dumped() == before


def test_libraries_share_an_index_and_do_not_take_each_other_out(bench: Bench) -> None:
    bench.put("A", "ice on ponds")
    bench.run()
    other = Bench(bench.place / "other")
    other.place.mkdir()
    other.put("A", "ice on lakes")
    library = Library(libraries=(USER,), items=tuple(other.items.values()), skipped=(), sources=(), found=1)
    index_library(bench.index, library, source="another", options=IndexOptions())
    assert len(bench.found("ice")) == 2


def test_another_model_is_refused_before_anything_is_read(bench: Bench, readings: Readings, minilm: OnnxEmbedder) -> None:
    files = find_model()
    assert files is not None
    bench.put("A", "ice on ponds")
    bench.run(model=files)
    with sqlite3.connect(bench.index) as connection:
        connection.execute("UPDATE manifest SET value = 'older@1' WHERE key = 'model'")
    connection.close()
    bench.put("B", "snow")
    readings.read.clear()
    with pytest.raises(UsageError, match="vectors are those of older@1"):
        bench.run(model=files)
    assert readings.read == []
    assert bench.run(model=files, rebuild=True).vectors > 0


def test_an_index_begun_without_a_model_gets_its_vectors_once_there_is_one(bench: Bench, minilm: OnnxEmbedder) -> None:
    files = find_model()
    assert files is not None
    bench.put("A", "ice on ponds")
    report = bench.run()
    assert (report.vectors, report.waiting) == (0, 2)
    report = bench.run(model=files)
    assert (counts(report), report.vectors, report.waiting) == ({"unchanged": 1}, 2, 0)
    with open_index(bench.index) as opened:
        manifest = opened.manifest()
    assert (manifest.tokenizer, manifest.model) == ("estimate-1", minilm.identity.id)


def test_another_configuration_is_refused(bench: Bench) -> None:
    bench.put("A", "ice")
    bench.run(config="fast")
    with pytest.raises(UsageError, match="read with fast@"):
        bench.run(config="default")


def test_a_file_that_changed_while_it_was_read_is_not_taken_for_what_it_was(tmp_path: Path) -> None:
    from tools.zotero_library import text_pdf
    from variorum.search.paper_reading import read_paper
    from variorum.tables.config import load_config

    path = tmp_path / "a.pdf"
    path.write_bytes(text_pdf(["Ice."]))
    digest = hashlib.sha256(b"what it was").hexdigest()
    config = load_config("minimal")
    task = ReadTask(path=path, sha256=digest, config=config, ocr=None, model=None, memory_mb=2**20)
    assert read_paper(task) == Unread("failed", "the file changed while it was read")
