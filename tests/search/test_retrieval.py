"""What a search finds, in what order and why; filters come before ranking, and hits can be cited and opened."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from made_index import GROUP, HashedWords, Shelf, item, paper, with_floats

from variorum.errors import UsageError
from variorum.search.embeddings import ModelIdentity
from variorum.search.filters import Filters
from variorum.search.found import as_data
from variorum.search.ranking import Ranking
from variorum.search.retrieval import Searcher
from variorum.search.store import open_index

MakeShelf = Callable[..., Shelf]


def keys(answer: object) -> list[str]:
    return [found.item.key for found in answer.papers]  # type: ignore[attr-defined]


@pytest.fixture
def ponds(shelf: MakeShelf) -> Shelf:
    """Return an index of three papers, one of them with a table and a figure."""
    index = shelf()
    index.put(
        [
            (item("A", "Ponds in winter", authors=["Thoreau"], year=1854, citation_key="thoreau1854"), with_floats()),
            (
                item("B", "Lakes", authors=["Møller"], year=2001, tags=("ice", "To read")),
                paper("Lakes", "Ice on lakes is thin."),
            ),
            (
                item("C", "Rivers", GROUP, authors=["Curie"], year=2010, collections=[("Water", "Running")]),
                paper("Rivers", "Rivers carry ice and stones.", "Stones are round."),
            ),
        ],
        records=True,
    )
    index.embed()
    return index


def test_a_hit_can_be_cited_and_opened(ponds: Shelf) -> None:
    with ponds.searcher(vectors=True) as searcher:
        best = searcher.search_tables("thickness of the ice on Mill pond").papers[0]
    (hit,) = best.hits
    assert (best.item.citation_key, best.item.reference, best.item.year) == ("thoreau1854", "user/A", 1854)
    assert best.item.link == "zotero://select/library/items/A"
    assert (hit.page_num, hit.page_label) == (1, "1161")
    assert hit.link == "zotero://open-pdf/library/items/PDFA?page=1"
    assert (hit.kind, hit.target, hit.number) == ("table", "tab-1", "1")
    assert hit.bbox is not None


def test_an_item_of_a_group_is_opened_in_its_group(ponds: Shelf) -> None:
    with ponds.searcher() as searcher:
        (found,) = searcher.search("stones").papers
    assert found.item.link == "zotero://select/groups/4711/items/C"
    assert found.hits[0].link == "zotero://open-pdf/groups/4711/items/PDFC?page=1"


def test_figures_are_found_by_the_passages_that_name_them(ponds: Shelf) -> None:
    with ponds.searcher() as searcher:
        (hit,) = searcher.search_figures("came late").hits
    assert (hit.kind, hit.number) == ("figure", "2")


def test_several_hits_of_a_paper_stand_together(ponds: Shelf) -> None:
    with ponds.searcher(vectors=True) as searcher:
        answer = searcher.search("ice on ponds")
    assert keys(answer)[0] == "A"
    assert len(keys(answer)) == len(set(keys(answer)))
    assert len(answer.papers[0].hits) > 1


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), ["A", "B", "C"]),
        (Filters(authors=("moller",)), ["B"]),
        (Filters(authors=("ada curie",)), ["C"]),
        (Filters(authors=("Ada",), year_to=2001), ["A", "B"]),
        (Filters(year_from=2001), ["B", "C"]),
        (Filters(year_from=2001, year_to=2005), ["B"]),
        (Filters(tags=("ICE",)), ["B"]),
        (Filters(tags=("ice", "to read")), ["B"]),
        (Filters(collections=("Water",)), ["C"]),
        (Filters(collections=("water / running",)), ["C"]),
        (Filters(libraries=("Table readers",)), ["C"]),
        (Filters(libraries=("user",)), ["A", "B"]),
        (Filters(item_types=("book",)), []),
        (Filters(items=("thoreau1854", "groups/4711/C")), ["A", "C"]),
        (Filters(kinds=("table",)), ["A"]),
        (Filters(sections=("results",)), ["A"]),
        (Filters(required=("stones",)), ["C"]),
        (Filters(required=("carry ice",)), ["C"]),
    ],
)
def test_filters_restrict_what_is_found(ponds: Shelf, filters: Filters, expected: list[str]) -> None:
    for vectors in (False, True):
        with ponds.searcher(vectors=vectors) as searcher:
            assert sorted(keys(searcher.search("ice", filters))) == expected


def test_filters_are_applied_before_ranking(shelf: MakeShelf) -> None:
    index = shelf()
    others = [(item(f"X{i:03}", f"Other {i}"), paper(f"Other {i}", f"Ice ice ice {i}.")) for i in range(250)]
    wanted = (item("W", "Wanted", tags=("mine",)), paper("Wanted", "A long text that mentions among many other things ice."))
    index.put([*others, wanted])
    index.embed()
    for vectors in (False, True):
        with index.searcher(vectors=vectors) as searcher:
            assert keys(searcher.search("ice", Filters(tags=("mine",)), limit=1)) == ["W"]


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        (Filters(tags=("snow",)), "no item has the tag 'snow'; there are: "),
        (Filters(collections=("Snow",)), "no item has the collection 'Snow'"),
        (Filters(authors=("Nobody",)), "no item has an author 'Nobody'"),
        (Filters(items=("ZZZZ",)), "no item is called 'ZZZZ'"),
    ],
)
def test_a_value_that_no_item_has_is_said(ponds: Shelf, filters: Filters, said: str) -> None:
    with ponds.searcher() as searcher:
        answer = searcher.search("ice", filters)
    assert answer.papers == ()
    assert any(said in notice for notice in answer.notices)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"kinds": ("tabel",)}, "did you mean table"),
        ({"sections": ("result",)}, "did you mean results"),
        ({"year_from": 2020, "year_to": 2010}, "the years 2020 to 2010"),
        ({"required": ("…",)}, "no word to look for"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        Filters(**wrong)  # type: ignore[arg-type]
    assert said in str(caught.value)


def test_a_search_without_a_model_goes_by_words_and_says_why(ponds: Shelf) -> None:
    with ponds.searcher(notices=["there is no model"]) as searcher:
        answer = searcher.search("ice")
    assert answer.mode == "words"
    assert answer.notices == ("there is no model",)


def test_words_are_found_while_vectors_are_still_to_be_made(shelf: MakeShelf) -> None:
    index = shelf()
    index.put([(item("A", "Old"), paper("Old", "Ice is cold."))])
    with index.searcher(vectors=True) as searcher:
        answer = searcher.search("ice")
        assert (answer.mode, keys(answer)) == ("words", ["A"])
        assert "no vectors yet" in answer.notices[0]
    index.embed()
    index.put([(item("B", "New"), paper("New", "More ice."))])
    with index.searcher(vectors=True) as searcher:
        answer = searcher.search("ice")
    assert (answer.mode, sorted(keys(answer))) == ("hybrid", ["A", "B"])
    assert answer.notices == ("vectors of 1 of 2 documents are still to be made",)


def test_a_search_sees_what_was_written_after_it_was_opened(shelf: MakeShelf) -> None:
    index = shelf()
    index.put([(item("A"), paper("One", "Ice is cold."))])
    index.embed()
    with index.searcher(vectors=True) as searcher:
        assert keys(searcher.search("snow")) == ["A"]
        index.put([(item("B"), paper("Two", "Snow is white."))])
        index.embed()
        assert keys(searcher.search("snow"))[0] == "B"


def test_vectors_of_another_model_are_refused_with_the_remedy(ponds: Shelf) -> None:
    other = HashedWords()
    other.identity = ModelIdentity(id="another@2", dimension=64, max_tokens=256)
    with open_index(ponds.path) as opened, pytest.raises(UsageError) as caught:
        Searcher(opened, other)
    assert "vectors are those of hashed-words@1" in str(caught.value)
    assert "--rebuild" in caught.value.hint


def test_every_hit_says_why_it_stands_where_it_stands(ponds: Shelf) -> None:
    with ponds.searcher(vectors=True) as searcher:
        for hit in searcher.search("ice on ponds").hits:
            assert hit.reasons is not None
            ranks = (hit.reasons.word_rank, hit.reasons.vector_rank, hit.reasons.wording_rank, hit.reasons.wording_rank)
            assert hit.reasons.fused == pytest.approx(sum(1 / (60 + rank) for rank in ranks if rank is not None))
            assert hit.score == pytest.approx(hit.reasons.fused * hit.reasons.section_weight)
            assert hit.reasons.sentence()


def test_weights_of_sections_and_journals_move_what_is_alike(shelf: MakeShelf) -> None:
    index = shelf()
    index.put(
        [
            (item("A", "First", publication="Ice Letters"), paper("First", "Ice is cold.")),
            (item("B", "Second", publication="Journal of Snów"), paper("Second", "Ice is cold.")),
        ]
    )
    with index.searcher() as searcher:
        first = keys(searcher.search("ice is cold"))
    behind = "Ice Letters" if first[0] == "B" else "journal of snow"
    with index.searcher(ranking=Ranking.of({"journals": {behind: 1.2}})) as searcher:
        answer = searcher.search("ice is cold")
    assert keys(answer) == first[::-1]
    assert answer.papers[0].hits[0].reasons is not None
    assert "journal × 1.2" in answer.papers[0].hits[0].reasons.sentence()


def test_items_with_the_same_pdf_are_one_paper(shelf: MakeShelf) -> None:
    index = shelf()
    content = paper("One", "Ice is cold.")
    index.put([(item("A", "One"), content), (item("B", "One again"), content)], records=True)
    with index.searcher() as searcher:
        (found,) = searcher.search("ice one").papers
    assert [held.key for held in found.items] == ["A", "B"]


def test_what_the_library_says_is_found_and_stands_with_the_paper(shelf: MakeShelf) -> None:
    index = shelf()
    index.put([(item("A", "Ponds", abstract="About skating."), paper("Ponds", "Ice is cold."))], records=True)
    with index.searcher() as searcher:
        (found,) = searcher.search("skating on ice").papers
    assert {hit.kind for hit in found.hits} == {"record", "passage"}
    assert all(hit.document is None for hit in found.hits if hit.kind == "record")


def test_a_topic_ranks_papers_and_not_passages(shelf: MakeShelf) -> None:
    index = shelf()
    many = paper("Many", *(f"Ice and rock number {i}. " * 30 for i in range(12)))
    index.put(
        [(item("M", "Many"), many), (item("O", "One"), paper("One", "Ice.")), (item("Z", "None"), paper("None", "Sand."))]
    )
    with index.searcher() as searcher:
        answer = searcher.search_topic("ice", limit=1)
        assert answer.more
        assert sorted(keys(searcher.search_topic("ice"))) == ["M", "O"]


def test_the_passages_around_a_hit_come_in_reading_order(shelf: MakeShelf) -> None:
    index = shelf()
    parts = [f"Paragraph {name}. " + "Filling words stand here. " * 30 for name in ("one", "two", "three", "four", "five")]
    index.put([(item("A"), paper("Long", *parts))])
    with index.searcher() as searcher:
        (hit,) = searcher.search("three", hits_a_paper=1).hits
        around = searcher.context(hit.chunk, before=1, after=2)
        order = [int(found.chunk.partition(":")[2]) for found in around]
        place = int(hit.chunk.partition(":")[2])
        assert order == list(range(place - 1, place + 3))
        with pytest.raises(UsageError, match="names no passage"):
            searcher.context(f"{hit.document}:999")
        with pytest.raises(UsageError, match="no reference"):
            searcher.context("../../etc/passwd")


def test_the_passages_that_cite_a_table_are_given(ponds: Shelf) -> None:
    with ponds.searcher() as searcher:
        (hit,) = searcher.search_tables("ice").hits
        assert hit.document is not None
        passages = searcher.citing(hit.document, "Table 1")
    assert [(p.component, p.page_label) for p in passages] == [("par-1", "1161")]


def test_a_table_is_given_with_its_cells(ponds: Shelf) -> None:
    with ponds.searcher() as searcher:
        (hit,) = searcher.search_tables("ice").hits
        assert hit.document is not None
        assert hit.target is not None
        assert searcher.table(hit.document, hit.target).matrix()[1] == ["Mill pond", "31 mm"]
        assert searcher.table(hit.document, "1").id == "tab-1"


def test_an_answer_is_json(ponds: Shelf) -> None:
    with ponds.searcher(vectors=True) as searcher:
        data = json.loads(json.dumps(as_data(searcher.search("ice"))))
    assert data["mode"] == "hybrid"
    assert len(data["papers"][0]["hits"][0]["bbox"]) == 4


@pytest.mark.parametrize("question", ["", "  ", "…?!", "-- ()"])
def test_a_question_without_a_word_is_refused(ponds: Shelf, question: str) -> None:
    with ponds.searcher() as searcher, pytest.raises(UsageError, match="no word"):
        searcher.search(question)


@pytest.mark.parametrize("limit", [0, -1, 100_000])
def test_a_limit_out_of_its_range_is_refused(ponds: Shelf, limit: int) -> None:
    with ponds.searcher() as searcher, pytest.raises(UsageError, match="from 1 to 1000"):
        searcher.search("ice", limit=limit)


def test_the_same_papers_in_another_order_give_the_same_answer(shelf: MakeShelf) -> None:
    held = [
        (item(f"K{i}", f"T{i}"), paper(f"T{i}", f"Ice is {word}.")) for i, word in enumerate(["cold", "thin", "blue", "hard"])
    ]
    answers = []
    for name, pairs in (("one.sqlite", held), ("two.sqlite", held[::-1])):
        index = shelf(name)
        index.put(pairs)
        index.embed()
        with index.searcher(vectors=True) as searcher:
            answers.append(as_data(searcher.search("cold ice")))
    assert answers[0] == answers[1]


def test_an_answer_without_any_word_of_the_question_says_so(ponds: Shelf) -> None:
    with ponds.searcher(vectors=True) as searcher:
        for way in (searcher.search, searcher.search_topic, searcher.search_tables):
            answer = way("zzqq blarg")
            assert answer.papers
            assert (answer.mode, answer.notices) == ("vectors", ("no word of the question was found; by meaning alone",))
        assert searcher.search("zzqq ice").notices == ()
        assert searcher.search("zzqq blarg", by="vectors").notices == ()


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        (Filters(authors=("Thoreua",)), "no item has an author 'Thoreua'; did you mean Thoreau?"),
        (Filters(tags=("qq",)), "no item has the tag 'qq'; there are: ice, To read"),
        (Filters(collections=("qq",)), "no item has the collection 'qq'; there are: Running, Water, Water / Running"),
        (Filters(year_from=1900, year_to=1950), "no item is of these years; there are items from 1854 to 2010"),
    ],
)
def test_a_filter_that_nothing_passes_says_what_there_is(ponds: Shelf, filters: Filters, said: str) -> None:
    with ponds.searcher() as searcher:
        assert said in searcher.search("ice", filters).notices


def test_years_and_tags_of_items_that_have_none_are_said_to_be_none(shelf: MakeShelf) -> None:
    index = shelf()
    index.put([(item("A", "Ponds"), paper("Ponds", "Ice."))])
    with index.searcher() as searcher:
        notices = searcher.search("ice", Filters(year_from=2000, tags=("qq",))).notices
    assert notices == ("no item has the tag 'qq'; none has any tag", "no item has a year")


def test_a_search_by_meaning_without_vectors_says_what_makes_them(shelf: MakeShelf) -> None:
    index = shelf()
    index.put([(item("A", "Ponds"), paper("Ponds", "Ice."))])
    with index.searcher() as searcher, pytest.raises(UsageError, match=r"the index has no vectors.*variorum index"):
        searcher.search("ice", by="vectors")
