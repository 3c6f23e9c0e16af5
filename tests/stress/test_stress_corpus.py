"""Which papers a stress test is about: found in folders and libraries, chosen by name and number, each with its truth."""

from __future__ import annotations

from pathlib import Path

import pytest

from variorum.errors import InputNotFoundError, UsageError
from variorum.libraries.model import Attachment, CitationKey, Library, LibraryItem, LibraryRef
from variorum.stress.corpus import StressPaper, chosen, papers_of_corpus, papers_of_library, with_truths

USER = LibraryRef(id="user", name="My Library", kind="user")
GROUP = LibraryRef(id="groups/7", name="Ice", kind="group")


def put(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"%PDF-1.7")
    return root


def keys(papers: tuple[StressPaper, ...]) -> list[str]:
    return [paper.key for paper in papers]


class TestFolders:
    def test_a_folder_with_a_paper_under_its_known_name_is_one_paper_with_its_truth(self, tmp_path: Path) -> None:
        put(tmp_path, "ice/paper.pdf", "ice/truth.json", "snow/paper.pdf", "snow/paper.jats", "rain/paper.pdf")
        found = papers_of_corpus(tmp_path)
        assert [(p.key, p.short_name, p.truth and p.truth.name) for p in found.papers] == [
            ("ice", "ice", "truth.json"),
            ("rain", "rain", None),
            ("snow", "snow", "paper.jats"),
        ]

    def test_pictures_beside_the_source_of_a_paper_are_no_papers(self, tmp_path: Path) -> None:
        put(tmp_path, "ice/paper.pdf", "ice/latex/figure.pdf", "snow/latex/figure.pdf", "snow/ar5iv.html")
        found = papers_of_corpus(tmp_path)
        assert keys(found.papers) == ["ice"]
        assert found.notices == ("passed over: a folder that holds no paper.pdf (snow)",)

    def test_all_that_is_passed_over_is_said_once(self, tmp_path: Path) -> None:
        put(tmp_path, "ice/paper.pdf", "a/snow/ar5iv.html", "a/rain/ar5iv.html", "zotero/zotero.sqlite")
        assert papers_of_corpus(tmp_path).notices == (
            "passed over: 2 folders that hold no paper.pdf (a/rain, a/snow), and a Zotero library (zotero), to be tested with"
            " --zotero",
        )

    def test_the_structure_file_of_a_competition_is_the_truth_of_the_pdf_beside_it(self, tmp_path: Path) -> None:
        put(tmp_path, "a-1.pdf", "a-1-str.xml", "a-1-reg.xml", "a-2.PDF")
        found = papers_of_corpus(tmp_path)
        assert [(p.key, p.truth and p.truth.name) for p in found.papers] == [("a-1", "a-1-str.xml"), ("a-2", None)]

    def test_papers_of_one_name_in_several_sets_have_keys_of_their_own(self, tmp_path: Path) -> None:
        put(tmp_path, "one/ice/paper.pdf", "two/ice/paper.pdf", "three/ice.pdf")
        found = papers_of_corpus(tmp_path)
        assert keys(found.papers) == ["one/ice", "three/ice", "two/ice"]
        assert {p.short_name for p in found.papers} == {"ice"}

    def test_the_folder_of_one_paper_is_a_corpus_of_one(self, tmp_path: Path) -> None:
        put(tmp_path, "ice/paper.pdf")
        assert keys(papers_of_corpus(tmp_path / "ice").papers) == ["ice"]

    def test_results_and_hidden_files_are_passed_over(self, tmp_path: Path) -> None:
        put(tmp_path, "ice.pdf", ".snow.pdf", "ice.variorum/pages.pdf", ".cache/rain.pdf")
        assert keys(papers_of_corpus(tmp_path).papers) == ["ice"]

    def test_a_library_inside_is_named_and_left_alone(self, tmp_path: Path) -> None:
        put(tmp_path, "ice.pdf", "zotero/zotero.sqlite", "zotero/storage/ABCD2345/snow.pdf")
        found = papers_of_corpus(tmp_path)
        assert keys(found.papers) == ["ice"]
        assert "--zotero" in found.notices[0]

    @pytest.mark.parametrize(("names", "words"), [((), "no PDF"), (("zotero.sqlite",), "Zotero library")])
    def test_a_folder_without_papers_is_an_error(self, tmp_path: Path, names: tuple[str, ...], words: str) -> None:
        with pytest.raises(InputNotFoundError, match=words):
            papers_of_corpus(put(tmp_path, *names))

    def test_a_file_is_no_corpus(self, tmp_path: Path) -> None:
        with pytest.raises(InputNotFoundError, match="not a folder"):
            papers_of_corpus(put(tmp_path, "ice.pdf") / "ice.pdf")


def item(key: str, path: Path | None, library: LibraryRef = USER, citation_key: str = "") -> LibraryItem:
    pdf = Attachment(
        key=f"F{key[1:]}",
        title="full text",
        link_mode="imported_file",
        content_type="application/pdf",
        stored_path="storage:ice.pdf",
        path=path,
    )
    known = CitationKey(key=citation_key, origin="zotero") if citation_key else None
    return LibraryItem(
        in_library=library,
        key=key,
        item_type="journalArticle",
        title="Ice",
        plain_title="Ice",
        citation_key=known,
        attachments=(pdf,),
    )


def library(*items: LibraryItem) -> Library:
    return Library(libraries=(USER, GROUP), items=items, skipped=(), sources=(), found=len(items))


class TestLibraries:
    def test_an_item_with_a_file_is_a_paper_and_one_without_is_told(self, tmp_path: Path) -> None:
        file = put(tmp_path, "ice.pdf") / "ice.pdf"
        found = papers_of_library(library(item("AAAA2345", file, citation_key="frost2019"), item("BBBB2345", None)))
        assert [(p.key, p.short_name, p.pdf) for p in found.papers] == [("AAAA2345", "frost2019", file)]
        assert [notice.split(":")[0] for notice in found.notices] == ["BBBB2345"]

    def test_one_key_in_two_libraries_is_two_papers(self, tmp_path: Path) -> None:
        file = put(tmp_path, "ice.pdf") / "ice.pdf"
        found = papers_of_library(library(item("AAAA2345", file), item("AAAA2345", file, GROUP)))
        assert keys(found.papers) == ["groups/7/AAAA2345", "user/AAAA2345"]

    def test_a_library_without_files_is_an_error(self) -> None:
        with pytest.raises(InputNotFoundError, match="no item has a PDF"):
            papers_of_library(library(item("AAAA2345", None)))


def papers(*names: str) -> tuple[StressPaper, ...]:
    return tuple(
        StressPaper(key=name, short_name=name.rpartition("/")[2], pdf=Path(f"/c/{name}.pdf"), folder=Path("/c"))
        for name in names
    )


class TestChoosing:
    def test_some_of_many_are_spread_evenly(self) -> None:
        assert keys(chosen(papers(*"abcdefgh"), count=4)) == ["a", "c", "e", "g"]

    def test_more_than_there_are_is_all(self) -> None:
        assert keys(chosen(papers("a", "b"), count=9)) == ["a", "b"]

    def test_a_paper_is_found_by_the_last_part_of_its_key(self) -> None:
        assert keys(chosen(papers("one/a", "one/b"), ["b"])) == ["one/b"]

    def test_a_name_of_two_papers_is_refused_with_both(self) -> None:
        with pytest.raises(UsageError, match="several papers") as error:
            chosen(papers("one/a", "two/a"), ["a"])
        assert error.value.hint == "one of one/a, two/a"

    def test_a_name_of_none_is_refused_with_the_nearest(self) -> None:
        with pytest.raises(UsageError, match="no paper is called 'icee'") as error:
            chosen(papers("ice", "snow"), ["icee"])
        assert error.value.hint == "did you mean ice?"

    def test_no_paper_at_all_cannot_be_asked_for(self) -> None:
        with pytest.raises(UsageError, match="at least 1"):
            chosen(papers("a"), count=0)


class TestTruths:
    def test_a_file_is_the_truth_of_all_papers(self, tmp_path: Path) -> None:
        file = put(tmp_path, "truth.json") / "truth.json"
        assert [p.truth for p in with_truths(papers("a", "b"), file)] == [file, file]

    def test_in_a_folder_the_file_or_folder_of_a_papers_name_is_its_truth(self, tmp_path: Path) -> None:
        put(tmp_path, "a.json", "b/table-1.txt", "c-str.xml", "other.json")
        found = with_truths(papers("x/a", "x/b", "x/c", "x/d"), tmp_path)
        assert [p.truth and p.truth.name for p in found] == ["a.json", "b", "c-str.xml", None]

    def test_a_truth_by_citation_key_comes_before_one_by_item_key(self, tmp_path: Path) -> None:
        put(tmp_path, "ice.pdf", "truth/frost2019.json", "truth/AAAA2345.json")
        paper = papers_of_library(library(item("AAAA2345", tmp_path / "ice.pdf", citation_key="frost2019"))).papers
        assert [p.truth and p.truth.name for p in with_truths(paper, tmp_path / "truth")] == ["frost2019.json"]

    def test_a_folder_with_nothing_for_any_paper_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(InputNotFoundError, match="holds no truth of any of the papers"):
            with_truths(papers("a"), put(tmp_path, "b.json"))
