"""What an entry of a list of references says, in the ways of several journals."""

from __future__ import annotations

import pytest

from variorum.layout.entry_parsing import find_arxiv_id, find_doi, parse_bibliography, parse_entry


@pytest.mark.parametrize(
    ("text", "authors", "year", "title"),
    [
        (  # APA
            "Carroll, B. W., & van der Berg, D. (2006a). An introduction to stars. Cambridge University Press.",
            ("Carroll, B. W.", "van der Berg, D."),
            "2006a",
            "An introduction to stars",
        ),
        (  # BibTeX's plain
            "Jimmy Lei Ba, Jamie R. Kiros, and Geoffrey E Hinton. Layer order. arXiv preprint arXiv:1607.06450, 2016.",
            ("Ba, Jimmy Lei", "Kiros, Jamie R.", "Hinton, Geoffrey E"),
            "2016",
            "Layer order",
        ),
        (  # a surname of two letters before the full stop
            "J. Gonzalez and W. Yu. Non-linear models. IFAC, 51(13):485-489, 2018.",
            ("Gonzalez, J.", "Yu, W."),
            "2018",
            "Non-linear models",
        ),
        (  # Vancouver
            "Conant GC, Wolfe K. Turning a hobby into a job. Nat Rev Genet. 2008 Dec;9(12):938-950.",
            ("Conant, GC", "Wolfe, K"),
            "2008",
            "Turning a hobby into a job",
        ),
        (  # LNCS
            "Deng, Y., Mann, G.: Challenges of tables. In: Conference. pp. 894-901. IEEE (2019)",
            ("Deng, Y.", "Mann, G."),
            "2019",
            "Challenges of tables",
        ),
        (  # IEEE
            "H. C. Mayer and R. Krech, “Walking with coffee: Why?,” Physical Review E, vol. 85, no. 4, pp. 1-7, 2012.",
            ("Mayer, H. C.", "Krech, R."),
            "2012",
            "Walking with coffee: Why?",
        ),
        (  # ACM
            "Steven Bird, Ewan Klein, and Edward Loper. 2009. Natural language. O'Reilly.",
            ("Bird, Steven", "Klein, Ewan", "Loper, Edward"),
            "2009",
            "Natural language",
        ),
        (
            "Agol, E., Luger, R., & Foreman-Mackey, D. 2020, AJ, 159, 123",
            ("Agol, E.", "Luger, R.", "Foreman-Mackey, D."),
            "2020",
            None,
        ),
        (
            "Gaia Collaboration, Brown, A. G. A., et al. 2018, A&A, 616, A1",
            ("Gaia Collaboration", "Brown, A. G. A."),
            "2018",
            None,
        ),
        ("OpenAI. Introducing questions, 2024c. URL https://x.org/q", ("OpenAI",), "2024c", "Introducing questions"),
        ("R Core Team. (2024). R: A language. https://r.org", ("R Core Team",), "2024", "R: A language"),
        ("Becker, E. (n.d.). Handbook. Retrieved June 1, 2023.", ("Becker, E.",), "n.d.", "Handbook"),
    ],
)
def test_ways_of_journals(text: str, authors: tuple[str, ...], year: str, title: str | None) -> None:
    entry = parse_entry("e1", text)
    assert (entry.authors, entry.year, entry.title) == (authors, year, title)


def test_dash_stands_for_the_authors_above() -> None:
    first, second = parse_bibliography([("e1", "Rebull, L. M. 2016, AJ, 152, 1", None), ("e2", "—. 2018, AJ, 155, 196", None)])
    assert second.authors == first.authors == ("Rebull, L. M.",)
    assert second.year == "2018"


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("See https://doi.org/10.1000/abc(80)80396-4.", "10.1000/abc(80)80396-4"),
        ("(doi: 10.1000/abc).", "10.1000/abc"),
        ("doi:10.1000/a.b URL https://x.org", "10.1000/a.b"),
        ("pages 10.5-12", None),
    ],
)
def test_doi_is_cleaned(text: str, doi: str | None) -> None:
    assert find_doi(text) == doi


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("arXiv preprint arXiv:1607.06450v2, 2016", "1607.06450"),
        ("CoRR, abs/1409.0473, 2014", "1409.0473"),
        ("arXiv:hep-th/9901001", "hep-th/9901001"),
        ("Journal 1607.06450", None),
    ],
)
def test_arxiv_id(text: str, found: str | None) -> None:
    assert find_arxiv_id(text) == found


@pytest.mark.parametrize(("printed", "label"), [("[12]", "12"), ("3.", "3"), ("¹²", "12"), ("[Knu84]", "Knu84"), (None, None)])
def test_label_is_bare(printed: str | None, label: str | None) -> None:
    assert parse_entry("e1", "Blaz, C. (2016). Tickets.", printed).label == label
