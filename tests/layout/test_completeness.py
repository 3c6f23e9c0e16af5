"""What may be missing is named, and the worst of it gives the grade."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from variorum.document import (
    BibliographyEntry,
    Caption,
    Citation,
    ComponentKind,
    Document,
    Figure,
    Mention,
    PageInfo,
    Provenance,
    Section,
    Table,
    TextComponent,
)
from variorum.document.consistency import check_document
from variorum.geometry import Box
from variorum.layout.completeness import assess

BOX = Box(100, 100, 200, 120)


def place(page: int = 1) -> Provenance:
    return Provenance(source="pdf", method="hand", page_num=page, bbox=BOX)


def text(name: str, words: str, kind: ComponentKind = "paragraph", **fields: Any) -> TextComponent:
    return TextComponent(id=name, kind=kind, text=words, provenance=place(), **fields)


def caption_of(label: str, number: str) -> Caption:
    return Caption(text=f"{label} {number}: Words.", label=label, number=number, page_num=1, bbox=BOX)


def table(number: str | None, **fields: Any) -> Table:
    name = f"t{number or '-'}"
    own = {"id": name, "number": number, "caption": caption_of("Table", number) if number else None, **fields}
    return Table(n_rows=0, n_cols=0, cells=(), provenance=place(), **own)


def figure(number: str | None) -> Figure:
    caption = caption_of("Figure", number) if number else None
    return Figure(id=f"f{number or '-'}", provenance=place(), kind="vector", number=number, caption=caption)


ABSTRACT = text("a", "What was found.")
HEADING = text("h1", "1 Words", "heading", level=1, number="1")


def paper(*components: TextComponent, **fields: Any) -> Document:
    every = (ABSTRACT, HEADING, *components)
    whole = {
        "page_count": 1,
        "pages": (PageInfo(page_num=1, width=612, height=792),),
        "sections": (
            Section(label="abstract", confidence=1, reason="", first="a", last="a"),
            Section(label="unknown", confidence=1, reason="", first="h1", last=every[-1].id, heading="h1"),
        ),
    }
    return Document(key="k", source_name="p.pdf", sha256="0" * 64, components=every, **{**whole, **fields})


def kinds(document: Document) -> list[str]:
    return [gap.kind for gap in assess(document, {}).gaps]


def test_paper_from_which_nothing_is_known_to_be_missing_has_an_a() -> None:
    found = assess(paper(tables=(table("1"), table("2")), figures=(figure("1"),)), {})
    assert (found.grade, found.reasons, found.gaps) == ("A", ("A: nothing is known to be missing.",), ())


def test_table_left_out_of_the_count_is_named_and_costs_two_steps() -> None:
    found = assess(paper(tables=(table("1"), table("3"))), {})
    assert found.grade == "C"
    assert found.reasons == ("C: Table 2 is left out before Table 3.",)


@pytest.mark.parametrize(
    ("numbers", "left_out"),
    [
        (["1", "2", "3"], None),
        (["2"], "Figure 1 is left out before Figure 2"),
        (["1", "4"], "Figures 2 to 3 are left out before Figure 4"),
        (["I", "III"], "Figure II is left out before Figure III"),
        (["I", "V"], "Figures II to IV are left out before Figure V"),
        (["A", "C"], "Figure B is left out before Figure C"),
        (["1", "A.1", "A.3"], "Figure A.2 is left out before Figure A.3"),
        (["1", "S2"], None),  # goes on with the count of the paper
        (["1", "2", "S2"], "Figure S1 is left out before Figure S2"),
        (["1", "2", "A.3", "A.4"], None),  # goes on with the count of the paper
        (["2a", "2b", "1"], None),
    ],
)
def test_every_series_is_counted_by_itself(numbers: list[str], left_out: str | None) -> None:
    found = assess(paper(figures=tuple(figure(n) for n in numbers)), {})
    assert [gap.what for gap in found.gaps] == ([left_out] if left_out else [])


def test_several_missing_floats_make_a_d() -> None:
    assert assess(paper(tables=(table("1"), table("4"))), {}).grade == "D"
    assert assess(paper(tables=(table("2"),), figures=(figure("2"),)), {}).grade == "D"


def test_caption_without_its_float_is_missed_once() -> None:
    lone = text("c", "Table 2: Doses in mg. As given.", "caption", number="2", note="no table was found for it")
    document = paper(lone, tables=(table("1"), table("3")))
    found = assess(document, {})
    assert found.reasons == ("C: no table was found for the caption “Table 2: Doses in mg”.",)
    assert [(gap.kind, gap.component) for gap in found.gaps] == [("orphan_caption", "c")]
    named = text("p", "In Table 2.")
    mention = Mention(component="p", start=3, end=10, text="Table 2", kind="table", number="2")
    assert assess(paper(lone, named, tables=(table("1"), table("3")), mentions=(mention,)), {}).reasons == found.reasons
    assert assess(document, {}, with_tables=False).grade == "A"


def test_year_beside_a_formula_is_no_count_of_formulas() -> None:
    formulas = [text(f"e{n}", "x = y", "equation", number=n) for n in ("1", "2", "2014")]
    assert kinds(paper(*formulas)) == []
    missing = [text(f"e{n}", "x = y", "equation", number=n) for n in ("1", "2", "4")]
    assert assess(paper(*missing), {}).reasons == ("C: Equation 3 is left out before Equation 4.",)


def test_number_that_two_have_is_named_but_parts_under_one_caption_have_one() -> None:
    twice = (table("1"), replace(table("1"), id="other", caption=replace(caption_of("Table", "1"), text="Table 1: Other.")))
    assert kinds(paper(tables=twice)) == ["duplicate_number"]
    assert kinds(paper(tables=(table("1"), replace(table("1"), id="other")))) == []


def test_float_without_a_caption_is_missed_where_others_have_one() -> None:
    assert kinds(paper(figures=(figure(None),))) == []
    assert kinds(paper(figures=(figure("1"), figure(None)))) == ["uncaptioned"]
    logo = table(None, artifact="article_info")
    assert kinds(paper(tables=(table("1"), logo))) == []


@pytest.mark.parametrize(("unread", "grade"), [({2: "a scan"}, "D"), ({2: "a scan", 3: "a scan"}, "F")])
def test_pages_that_were_not_read_are_named(unread: dict[int, str], grade: Literal["D", "F"]) -> None:
    pages = tuple(PageInfo(page_num=n, width=612, height=792) for n in (1, 2, 3))
    found = assess(paper(pages=pages, page_count=3), unread)
    assert found.grade == grade
    assert found.reasons[0].endswith(f"{', '.join(map(str, unread))} could not be read.")
    assert [gap.page_num for gap in found.gaps] == list(unread)


def test_paper_without_text_has_an_f() -> None:
    assert assess(Document(key="k", source_name="", sha256="", page_count=1, pages=()), {1: "lost"}).grade == "F"


def test_missing_abstract_costs_one_step_and_missing_headings_two() -> None:
    no_abstract = paper(sections=())
    assert assess(no_abstract, {}).reasons == ("B: no abstract was found.",)
    bare = Document(key="k", source_name="", sha256="", page_count=0, pages=(), components=(ABSTRACT,))
    assert assess(bare, {}).reasons == ("C: no heading was found.", "B: no abstract was found.")


def test_citations_and_mentions_that_lead_nowhere_are_counted() -> None:
    words = text("p", "As [7] and [8] say, Table 9 and [?].")
    entry = text("r", "[7] A. Author.", "bibliography_entry")

    def cited(mark: str, *targets: str) -> Citation:
        start = words.text.index(mark)
        return Citation(component="p", start=start, end=start + len(mark), text=mark, style="numeric", targets=targets)

    start = words.text.index("Table 9")
    mention = Mention(component="p", start=start, end=start + 7, text="Table 9", kind="table", number="9")
    document = paper(
        words,
        entry,
        bibliography=(BibliographyEntry(id="r", label="7"),),
        citations=(cited("[7]", "r"), cited("[8]"), cited("[?]")),
        mentions=(mention,),
    )
    found = assess(document, {})
    assert found.grade == "B"
    assert found.reasons == ("B: 1 of 2 citations lead nowhere: “[8]”.", "B: 1 of 1 mentions lead nowhere: Table 9.")
    check_document(replace(document, completeness=found))
    lost = replace(document, bibliography=(), components=(*document.components[:-1],), citations=(cited("[7]"), cited("[8]")))
    assert assess(lost, {}).reasons[0] == "C: no list of references was found, and the text cites: “[7]” and 1 more."


def test_grade_of_some_pages_says_so_and_asks_for_nothing_that_may_stand_elsewhere() -> None:
    found = assess(paper(page_count=9, tables=(table("4"),), sections=()), {})
    assert found.grade == "A"
    assert found.reasons == ("A: only 1 page was read of 9, and only what stands there is judged.",)
