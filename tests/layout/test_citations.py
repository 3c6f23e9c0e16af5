"""Marks in the text, and the entries that they cite."""

from __future__ import annotations

import pytest

from variorum.document.paper_model import BibliographyEntry
from variorum.layout.citations import find_citations

NUMBERED = [BibliographyEntry(id=f"e{n}", label=str(n), authors=(f"Author{n}, A.",), year="2001") for n in range(1, 8)]
NAMED = [
    BibliographyEntry(id="lee20a", authors=("Lee, A.", "Kim, B.", "Ott, C."), year="2020a"),
    BibliographyEntry(id="lee20b", authors=("Lee, A.", "Kim, B.", "Ott, C."), year="2020b"),
    BibliographyEntry(id="smith", authors=("Smith, D.",), year="2019"),
    BibliographyEntry(id="smith-ray", authors=("Smith, D.", "Ray, E."), year="2019"),
    BibliographyEntry(id="berg", authors=("van der Berg, F.",), year="2003"),
    BibliographyEntry(id="gaia", authors=("Gaia Collaboration", "Brown, G."), year="2018"),
    BibliographyEntry(id="muller", authors=("Müller, H.",), year="n.d."),
]


def cited(text: str, entries: list[BibliographyEntry]) -> list[tuple[str, tuple[str, ...]]]:
    return [(c.text, c.targets) for c in find_citations([("p1", text)], entries)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As in [3].", [("[3]", ("e3",))]),
        ("As in [1, 5–7].", [("[1, 5–7]", ("e1", "e5", "e6", "e7"))]),
        ("As in [2,3] and [4].", [("[2,3]", ("e2", "e3")), ("[4]", ("e4",))]),
        ("The interval [0, 1] and [1990] and x[12].", []),
        ("Nothing was found [?, ?].", [("[?, ?]", ())]),
    ],
)
def test_numbers_in_brackets(text: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert cited(text, NUMBERED) == expected


def test_raised_numbers_count_where_they_reach_most_of_the_list() -> None:
    text = "The model.¹⁻³ was shown before,⁴ and others⁵,⁶ said so of 10² cm³ and m²."
    assert [t for _, t in cited(text, NUMBERED)] == [("e1", "e2", "e3"), ("e4",), ("e5", "e6")]


def test_exponents_and_marks_of_affiliations_are_no_citations() -> None:
    assert cited("An area of 5 m² in Ann Author¹ and x³.", NUMBERED) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shown (Smith, 2019; Lee et al., 2020a).", [("(Smith, 2019; Lee et al., 2020a)", ("smith", "lee20a"))]),
        ("Smith (2019) says", [("Smith (2019)", ("smith",))]),
        ("By Smith and Ray (2019) it", [("Smith and Ray (2019)", ("smith-ray",))]),
        ("Lee et al. (2020a,b) say", [("Lee et al. (2020a,b)", ("lee20a", "lee20b"))]),
        (
            "(e.g., Lee et al. 2020b, and references therein)",
            [("(e.g., Lee et al. 2020b, and references therein)", ("lee20b",))],
        ),
        ("the set (Lee et al. (2020a)).", [("Lee et al. (2020a)", ("lee20a",))]),
        ("Smith’s (2019) rule", [("Smith’s (2019)", ("smith",))]),
        ("However, van der Berg (2003) did", [("van der Berg (2003)", ("berg",))]),
        ("data (Gaia Collaboration et al. 2018)", [("(Gaia Collaboration et al. 2018)", ("gaia",))]),
        ("(Muller, n.d.)", [("(Muller, n.d.)", ("muller",))]),
        ("(Nobody et al., 2011)", [("(Nobody et al., 2011)", ())]),
        ("In March (2019) and at 12 stars (2001).", []),
    ],
)
def test_names_and_years(text: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert cited(text, NAMED) == expected


def test_keys_in_brackets() -> None:
    keyed = [BibliographyEntry(id="k", label="Knu84"), BibliographyEntry(id="l", label="Lam94")]
    assert cited("See [Knu84, Lam94] and [Xyz].", keyed) == [("[Knu84, Lam94]", ("k", "l"))]


def test_places_are_those_of_the_component() -> None:
    text = "First words, then [2]."
    (found,) = find_citations([("p0", "none"), ("p1", text)], NUMBERED)
    assert (found.component, text[found.start : found.end]) == ("p1", found.text)
