"""What is known again, what the index says of papers, what a broken kind costs, and what the summary holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_index import paper

from tests.document.document_samples import document_of, voted_table
from variorum.document import Document, Notice, PaperIdentity
from variorum.errors import OutputError
from variorum.evaluation.debug_db import begin_run, open_debug_db
from variorum.evaluation.truth_table import TruthTable
from variorum.search import Searcher
from variorum.search.document_indexing import IndexedPaper, index_documents
from variorum.search.store import open_index
from variorum.stress.corpus import StressPaper
from variorum.stress.faults import FAULT_KINDS
from variorum.stress.identity import config_digest, software, truth_digest
from variorum.stress.items import item_of
from variorum.stress.judging import judge
from variorum.stress.keeping import Keep, PaperRow, alone_in
from variorum.stress.model import Assertion, Kind, LibrarySubject, PaperSubject, Severity, Verdict, verdict
from variorum.stress.summary import lines, summarise, verdict_line
from variorum.tables.config import DEFAULT_CONFIG, FAST_CONFIG


def assertion(**fields: Any) -> Assertion:
    known = {"kind": "ice", "name": "pond 1", "paper": "a", "passed": True, "severity": Severity.MAJOR, "detail": "as it is"}
    return Assertion(**{**known, **fields})


def subject(key: str, document: Document | None = None) -> PaperSubject:
    return PaperSubject(key=key, short_name=key, document=document or paper(f"Of {key}", "Ice is thin."), truth=None)


def row(**fields: Any) -> PaperRow:
    known: dict[str, Any] = {"key": "a", "run_id": 1, "short_name": "a", "status": "read", "pdf_path": "/c/a.pdf"}
    return PaperRow(**{**known, "software": "v 1 (aa)", "config_digest": "cc", "truth_digest": "", **fields})


@pytest.fixture
def searcher(tmp_path: Path) -> Iterator[Searcher]:
    stress_paper = StressPaper(key="a", short_name="a", pdf=tmp_path / "a.pdf", folder=tmp_path)
    document = paper("Of ice", "Ice is thin in March.")
    item = item_of(stress_paper, document)
    index_documents(tmp_path / "i.sqlite", [IndexedPaper(item=item, document=document, path=stress_paper.pdf)])
    with open_index(tmp_path / "i.sqlite") as index:
        yield Searcher(index, None)


class TestVerdict:
    def test_one_major_failure_is_unreliable(self) -> None:
        assert verdict([assertion(), assertion(passed=False)]) is Verdict.UNRELIABLE

    def test_minor_failures_alone_are_rough_edges(self) -> None:
        assert verdict([assertion(), assertion(passed=False, severity=Severity.MINOR)]) is Verdict.ROUGH_EDGES

    def test_no_failure_is_reliable(self) -> None:
        assert verdict([assertion()]) is Verdict.RELIABLE

    def test_the_codes_are_nought_one_and_two(self) -> None:
        assert [v.exit_code for v in Verdict] == [0, 1, 2]


class TestJudging:
    def judged(self, searcher: Searcher, *kinds: Kind, unread: tuple[PaperRow, ...] = ()) -> Any:
        papers = (subject("b"), subject("c"))
        return judge(papers, unread, LibrarySubject(papers=papers, searcher=searcher), kinds)

    def kind(self, name: str, check: Any, scope: Any = "paper") -> Kind:
        return Kind(name=name, severity=Severity.MINOR, asserts="It is so.", scope=scope, check=check)

    def test_every_paper_is_looked_at_in_order_then_the_library(self, searcher: Searcher) -> None:
        of_paper = self.kind("one", lambda s: [assertion(kind="one", paper=s.key)])
        of_library = self.kind("all", lambda s: [assertion(kind="all", paper="")], "library")
        found = self.judged(searcher, of_library, of_paper).assertions
        assert [(a.kind, a.paper) for a in found] == [("one", "b"), ("one", "c"), ("all", "")]

    @pytest.mark.parametrize("scope", ["paper", "library"])
    def test_a_kind_that_breaks_is_a_grave_failure_and_the_rest_goes_on(self, searcher: Searcher, scope: str) -> None:
        def breaks(_: object) -> Iterator[Assertion]:
            yield assertion(kind="bad", name="before")
            raise ZeroDivisionError("no ice")

        sound = self.kind("good", lambda s: [assertion(kind="good", paper=s.key)])
        judgement = self.judged(searcher, self.kind("bad", breaks, scope), sound)
        broken = [a for a in judgement.assertions if a.kind == "crash"]
        assert {(a.name, a.severity, a.passed) for a in broken} == {("the kind bad", Severity.MAJOR, False)}
        assert "ZeroDivisionError: no ice" in broken[0].detail
        assert [a.paper for a in judgement.assertions if a.kind == "good"] == ["b", "c"]
        assert [a.name for a in judgement.assertions if a.kind == "bad"] == ["before"] * len(broken)
        places = [i for i, a in enumerate(judgement.assertions) if a.kind == "crash"]
        assert list(judgement.tracebacks) == places
        assert all("in breaks" in trace for trace in judgement.tracebacks.values())

    def test_a_paper_that_broke_the_reading_is_major_and_a_bad_file_minor(self, searcher: Searcher) -> None:
        unread = (
            row(key="a", status="crash", reason="IndexError", traceback="T"),
            row(key="d", status="unreadable", reason="torn"),
        )
        judgement = self.judged(searcher, unread=unread)
        assert [(a.paper, a.kind, a.severity, a.passed) for a in judgement.assertions] == [
            ("a", "crash", Severity.MAJOR, False),
            ("d", "unreadable", Severity.MINOR, False),
        ]
        assert judgement.tracebacks == {0: "T"}


class TestFaults:
    def failed(self, document: Document) -> list[tuple[str, Severity]]:
        found = [a for kind in FAULT_KINDS for a in kind.check(subject("a", document))]  # type: ignore[arg-type]
        assert {a.kind for a in found} == {kind.name for kind in FAULT_KINDS}
        return [(a.kind, a.severity) for a in found if not a.passed]

    def test_a_sound_reading_passes(self) -> None:
        assert self.failed(document_of(voted_table())) == []

    def test_a_lost_page_is_a_grave_crash(self) -> None:
        notice = Notice(severity="error", what="the page could not be read (IndexError: x)", page_num=2)
        assert self.failed(document_of(voted_table(), notices=(notice,))) == [("crash", Severity.MAJOR)]

    def test_a_method_that_failed_is_told(self) -> None:
        table = voted_table()
        assert table.apparatus is not None
        first, *others = table.apparatus.outcomes
        outcomes = (replace(first, status="failed", detail="ValueError: x"), *others)
        broken = replace(table, apparatus=replace(table.apparatus, outcomes=outcomes))
        assert self.failed(document_of(broken)) == [("failed methods", Severity.MINOR)]


class TestIdentity:
    def test_a_configuration_is_known_by_what_it_does(self) -> None:
        assert config_digest(DEFAULT_CONFIG) == config_digest(replace(DEFAULT_CONFIG))
        assert config_digest(DEFAULT_CONFIG) != config_digest(FAST_CONFIG)

    def test_another_truth_is_another_reading(self) -> None:
        one, two = (TruthTable(table_id="t", rows=((text,),)) for text in ("1", "2"))
        assert len({truth_digest([]), truth_digest([one]), truth_digest([two]), truth_digest([one, two])}) == 4

    def test_the_code_is_part_of_the_software(self) -> None:
        assert software().startswith("variorum ")
        assert software().endswith(")")

    @pytest.mark.parametrize("mark", ["sha256", "software", "config_digest", "truth_digest", "status"])
    def test_a_reading_by_another_mark_is_not_used_again(self, mark: str) -> None:
        assert row().is_reading_of(row(run_id=2, short_name="z"))
        assert not row().is_reading_of(row(status="crash"))
        assert not row().is_reading_of(row(**{mark: "other"}))


class TestItems:
    def paper(self, folder: Path, truth: Path | None = None) -> StressPaper:
        return StressPaper(key="one/a", short_name="a", pdf=folder / "paper.pdf", folder=folder, truth=truth)

    def test_without_a_library_the_first_page_says_who_wrote_it(self, tmp_path: Path) -> None:
        document = replace(paper("x", "y"), identity=PaperIdentity(title="Of ice", authors=("Ada B. Frost",)))
        item = item_of(self.paper(tmp_path), document)
        assert (item.key, item.plain_title, item.year) == ("one/a", "Of ice", None)
        assert [(c.first, c.last) for c in item.creators] == [("Ada B.", "Frost")]

    def test_jats_says_title_authors_and_year(self, tmp_path: Path) -> None:
        jats = tmp_path / "paper.jats"
        jats.write_text(
            "<article><front><article-meta><title-group><article-title>Of <i>ice</i></article-title></title-group>"
            "<contrib-group><contrib contrib-type='author'><name>"
            "<surname>Frost</surname><given-names>Ada</given-names></name></contrib>"
            "</contrib-group><pub-date><year>2019</year></pub-date></article-meta></front></article>",
            encoding="utf-8",
        )
        item = item_of(self.paper(tmp_path, jats), paper("x", "y"))
        assert (item.plain_title, item.year, [c.name for c in item.creators]) == ("Of ice", 2019, ["Ada Frost"])


class TestIndex:
    def test_documents_at_hand_are_found_by_words_where_there_is_no_model(self, searcher: Searcher) -> None:
        answer = searcher.search("thin ice in March")
        assert [found.item.key for found in answer.papers] == ["a"]
        assert searcher.index.manifest().model is None


class TestKeeping:
    @pytest.fixture
    def keep(self, tmp_path: Path) -> Iterator[Keep]:
        connection = open_debug_db(tmp_path / "debug.db")
        begin_run(connection, "test")
        yield Keep(tmp_path, connection)
        connection.close()

    def test_a_document_that_is_gone_or_torn_is_no_reading(self, keep: Keep) -> None:
        document = document_of(voted_table())
        kept = row(document_path=keep.put_document("one/a", document.to_json().encode()), item_key=document.key)
        assert keep.document(kept) == document
        (keep.folder / "papers" / "one" / "a" / "document.json").write_text("{", encoding="utf-8")
        assert keep.document(kept) is None
        assert not keep.is_whole(kept)

    def test_a_place_that_cannot_be_written_is_an_error_of_the_family(self, keep: Keep) -> None:
        (keep.folder / "papers").write_text("a file", encoding="utf-8")
        with pytest.raises(OutputError):
            keep.put_document("a", b"{}")

    def test_assertions_of_the_last_run_replace_those_before(self, keep: Keep) -> None:
        for name in ("first", "second"):
            keep.put_assertions(1, FAULT_KINDS, [assertion(name=name)], {})
        assert keep.connection.execute("SELECT test_name FROM test_results").fetchall() == [("ice: second",)]
        assert keep.connection.execute("SELECT count(*) FROM test_kinds").fetchall() == [(len(FAULT_KINDS),)]

    def test_the_summary_counts_what_the_database_holds(self, keep: Keep) -> None:
        keep.put_paper(row())
        keep.put_paper(row(key="b", status="unreadable", reason="torn"))
        about = {"run_id": 1, "corpus": "c", "config": "default", "config_digest": "cc", "jobs": 2, "verdict": "unreliable"}
        keep.put_run(about)
        failed = assertion(passed=False, name="pond 2: the deep one")
        minor = assertion(kind="snow", passed=False, severity=Severity.MINOR)
        keep.put_assertions(1, (), [assertion(), failed, minor], {})
        summary = summarise(keep.connection, software="v 1")
        assert verdict_line(summary) == "VERDICT: unreliable – 3 assertions, 1 MAJOR and 1 MINOR failed, of 2 papers"
        assert list(lines(summary)) == [
            "kind   passed   MAJOR   MINOR",
            "ice         1       1       0",
            "snow        0       0       1",
            "all         1       1       1",
            "",
            "papers: 1 read, 1 unreadable",
        ]
        assert summary["assertions"][1]["name"] == "pond 2: the deep one"

    def test_a_paper_that_is_taken_out_takes_its_document_with_it(self, keep: Keep) -> None:
        keep.put_paper(row(document_path=keep.put_document("a", b"{}")))
        keep.remove_paper("a")
        assert keep.papers() == {}
        assert not (keep.folder / "papers" / "a").exists()


def test_broken_rows_leave_the_database_as_it_was(tmp_path: Path) -> None:
    connection = open_debug_db(tmp_path / "debug.db")
    try:
        begin_run(connection, "test")
        keep = Keep(tmp_path, connection)
        keep.put_paper(row())
        with pytest.raises(OutputError):
            keep.put_paper(row(status="no such status"))
        assert list(keep.papers()) == ["a"]
    finally:
        connection.close()


class TestTheFolder:
    def test_a_second_test_is_refused_while_the_first_writes(self, tmp_path: Path) -> None:
        with alone_in(tmp_path / "out"):
            with pytest.raises(OutputError, match="another stress test is writing") as error, alone_in(tmp_path / "out"):
                pytest.fail("both write")
            with alone_in(tmp_path / "other"):
                pass
        assert error.value.where == str(tmp_path / "out")
        with alone_in(tmp_path / "out"):
            pass

    def test_a_file_is_no_folder(self, tmp_path: Path) -> None:
        (tmp_path / "out").write_text("")
        with pytest.raises(OutputError, match="is a file, not a folder"), alone_in(tmp_path / "out"):
            pytest.fail("it is a file")
        with pytest.raises(OutputError, match="no folder can be made here"), alone_in(tmp_path / "out" / "below"):
            pytest.fail("it is below a file")
