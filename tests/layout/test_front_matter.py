"""The title, the bylines and the identifiers of a paper's first page."""

from __future__ import annotations

from dataclasses import replace

from tests.layout.printed import line, page, paper, typed
from variorum.layout.front_matter import FrontMatter, read_front
from variorum.layout.model import PaperPrint, PrintLine, Run


def body(y: float = 300.0, n: int = 12) -> list[PrintLine]:
    return [line(f"and so it goes on in line {chr(97 + i)} ".ljust(60, "w"), y=y + 12 * i) for i in range(n)]


def raised(names: str, mark: str, x: float, y: float) -> PrintLine:
    """Return a name with a raised mark behind it."""
    plain = line(names, x, y)
    run = Run(mark, replace(plain.box, x0=plain.box.x1, x1=plain.box.x1 + 4), plain.font, 7.0, "sup")
    return replace(plain, runs=(*plain.runs, run))


def read(*lines: PrintLine, **kwargs: str) -> tuple[PaperPrint, FrontMatter]:
    made = replace(paper(lines), **kwargs)
    return made, read_front(made, made.pages[0].lines)


def texts(made: PaperPrint, ids: tuple[tuple[int, int], ...]) -> list[str]:
    return [made.pages[p].lines[i].plain for p, i in ids]


TITLE = [line("On the nature of things", y=100, size=17.0), line("and of their names", y=120, size=17.0)]
ABSTRACT = line("Abstract", y=280, font="Serif-Bold")


def test_the_largest_lines_at_the_head_are_the_title() -> None:
    made, front = read(*TITLE, line("Ann Author", y=150), ABSTRACT, *body())
    assert front.identity.title == "On the nature of things and of their names"
    assert texts(made, front.byline_lines) == ["Ann Author"]


def test_a_larger_name_of_the_journal_is_not_the_title_when_the_file_names_another() -> None:
    journal = line("JOURNAL", y=60, size=22.0)
    _, front = read(journal, *TITLE, ABSTRACT, *body(), meta_title="On the nature of things and of their names")
    assert front.identity.title == "On the nature of things and of their names"


def test_the_text_begins_at_its_first_heading() -> None:
    made, front = read(*TITLE, line("Ann Author", y=150), line("Some Institute", y=164), ABSTRACT, *body())
    assert "Abstract" not in texts(made, front.byline_lines)


def test_the_text_begins_where_lines_fill_the_column() -> None:
    made, front = read(*TITLE, line("Ann Author", y=150), *body(y=200))
    assert texts(made, front.byline_lines) == ["Ann Author"]


def test_names_are_parted_at_commas_and_words_for_and() -> None:
    _, front = read(*TITLE, line("Ann Author, Ben de Writer and Cem Poet", y=150), ABSTRACT, *body())
    assert front.identity.authors == ("Ann Author", "Ben de Writer", "Cem Poet")


def test_raised_marks_are_no_part_of_a_name() -> None:
    _, front = read(*TITLE, raised("Ann Author", "1,∗", 100, 150), ABSTRACT, *body())
    assert front.identity.authors == ("Ann Author",)


def test_names_in_capitals_are_written_as_names_are() -> None:
    _, front = read(*TITLE, line("A. N. AUTHOR AND B. WRITER", y=150), ABSTRACT, *body())
    assert front.identity.authors == ("A. N. Author", "B. Writer")


def test_names_that_begin_as_months_or_end_as_countries_are_names() -> None:
    _, front = read(*TITLE, line("Ann Marchand, Kim France", y=150), line("Received 3 March 2020", y=164), ABSTRACT, *body())
    assert front.identity.authors == ("Ann Marchand", "Kim France")


def test_authors_in_a_grid_are_read_row_by_row() -> None:
    def block(name: str, place: str, x: float, y: float) -> list[PrintLine]:
        return [line(name, x, y, font="Serif-Bold"), line(place, x, y + 12)]

    left = [*block("Ann First", "North Lab", 100, 150), *block("Cem Third", "South Lab", 100, 190)]
    right = [*block("Bea Second", "East Lab", 250, 150), *block("Dan Fourth", "West Lab", 250, 190)]
    _, front = read(*TITLE, *left, *right, ABSTRACT, *body())
    assert front.identity.authors == ("Ann First", "Bea Second", "Cem Third", "Dan Fourth")


def test_institutes_are_no_authors() -> None:
    _, front = read(*TITLE, line("Ann Author", y=150), line("University of Somewhere", y=164), ABSTRACT, *body())
    assert front.identity.authors == ("Ann Author",)


def test_a_doi_of_the_margin_is_that_of_the_paper() -> None:
    beside = line("DOI: 10.1234/abc.5", x=10, y=320, width=80)
    made, front = read(*TITLE, ABSTRACT, *body(), beside)
    assert front.identity.doi == "10.1234/abc.5"
    assert texts(made, front.side_lines) == ["DOI: 10.1234/abc.5"]


def test_a_doi_within_the_text_is_another_works() -> None:
    cited = line("see 10.1234/other.7 for".ljust(60, "w"), y=450)
    assert read(*TITLE, ABSTRACT, *body(), cited)[1].identity.doi is None


def test_the_stamp_beside_the_page_has_the_arxiv_number() -> None:
    stamp = line("arXiv:1234.56789v2 [cs.XX] 1 Jan 2020", x=20, y=400, width=12, angle=90)
    assert read(*TITLE, ABSTRACT, *body(), stamp)[1].identity.arxiv_id == "1234.56789v2"


def test_keywords_behind_the_abstract_belong_to_the_bylines() -> None:
    keywords = typed(("Keywords:", "Serif-Bold"), (" things, names", "Serif"), y=460)
    made, front = read(*TITLE, ABSTRACT, *body(), keywords, line("1 Introduction", y=500, font="Serif-Bold"), *body(y=520))
    assert texts(made, front.byline_lines) == ["Keywords: things, names"]


def test_a_page_without_lines_has_no_front() -> None:
    assert read_front(PaperPrint((page([]),)), ()).title_lines == ()
