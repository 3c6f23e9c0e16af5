"""What each section of a paper is."""

from __future__ import annotations

from variorum.document import Section
from variorum.layout.section_labels import SectionPiece, label_sections


def pieces(*items: str) -> list[SectionPiece]:
    """Return pieces: ``# name`` a heading (a sign a level; ``#A`` with number A), ``title``, ``byline``, text."""
    made = []
    for i, item in enumerate(items):
        if item.startswith("#"):
            signs, _, name = item.partition(" ")
            number = signs.lstrip("#") or None
            made.append(SectionPiece(f"c{i}", "heading", name, signs.count("#"), number))
        elif item in ("title", "byline"):
            made.append(SectionPiece(f"c{i}", "title" if item == "title" else "byline", item))
        else:
            made.append(SectionPiece(f"c{i}", "paragraph", item))
    return made


def labels(*items: str) -> list[str]:
    return [s.label for s in label_sections(pieces(*items))]


def by_heading(*items: str) -> dict[str, Section]:
    made = pieces(*items)
    names = {p.id: p.text for p in made}
    return {names[s.heading]: s for s in label_sections(made) if s.heading}


def test_names_say_what_a_section_is() -> None:
    names = ("Abstract", "Introduction", "Related Work", "Methods", "Results", "Discussion", "Conclusions", "References")
    assert labels(*[x for n in names for x in (f"# {n}", "text")]) == [
        "abstract",
        "introduction",
        "background",
        "methods",
        "results",
        "discussion",
        "conclusion",
        "references",
    ]


def test_names_of_other_languages_are_known() -> None:
    assert labels("# Einleitung", "# Méthodes", "# Resultados", "# Literaturverzeichnis") == [
        "introduction",
        "methods",
        "results",
        "references",
    ]


def test_a_whole_name_is_surer_than_a_word() -> None:
    found = by_heading("# Introduction", "# Methods", "# Model Architecture")
    assert found["Methods"].confidence == 1.0
    assert found["Model Architecture"].label == "methods"
    assert found["Model Architecture"].confidence == 1 / 2


def test_parts_are_what_their_section_is() -> None:
    found = by_heading("# Introduction", "# Results", "## The first set", "### Part of it", "# Discussion")
    assert found["Part of it"].label == "results"
    assert found["Part of it"].reason == "part of “The first set”"


def test_an_abstract_without_a_heading_is_the_text_before_the_introduction() -> None:
    made = label_sections(pieces("title", "byline", "We show this.", "# Introduction", "text"))
    assert [s.label for s in made] == ["preamble", "abstract", "introduction"]
    assert made[1].heading is None
    assert (made[1].first, made[1].last) == ("c2", "c2")


def test_the_first_nameless_section_introduces() -> None:
    assert labels("title", "# Abstract", "text", "# Why we did it", "text", "# Results", "text") == [
        "preamble",
        "abstract",
        "introduction",
        "results",
    ]


def test_a_nameless_section_between_introduction_and_results_is_methods() -> None:
    found = by_heading("# Introduction", "# What we took", "# Results")
    assert found["What we took"].label == "methods"
    assert found["What we took"].confidence == 1 / 2


def test_letters_behind_the_references_are_an_appendix() -> None:
    assert labels("#1 Introduction", "# References", "#A Proofs", "##A.1 More", "#B Tables")[2:] == ["appendix"] * 3


def test_a_summary_at_the_end_concludes() -> None:
    assert labels("# Introduction", "# Results", "# Summary")[-1] == "conclusion"


def test_acknowledgements_are_none_of_the_kinds() -> None:
    found = by_heading("# Introduction", "# Acknowledgements")
    assert (found["Acknowledgements"].label, found["Acknowledgements"].confidence) == ("unknown", 1.0)


def test_sections_follow_each_other_without_a_gap() -> None:
    made = pieces("title", "byline", "# Abstract", "a", "b", "# Introduction", "c", "## Part", "d")
    sections = label_sections(made)
    ids = [p.id for p in made]
    assert [ids.index(s.first) for s in sections] == [0, 2, 5, 7]
    assert [ids.index(s.last) for s in sections] == [1, 4, 6, 8]


def test_a_text_without_headings_is_a_preamble_and_text() -> None:
    assert labels("title") == ["preamble"]
    assert label_sections([]) == ()


def test_acknowledgements_within_a_conclusion_do_not_conclude() -> None:
    found = by_heading("# Conclusion", "text", "## Acknowledgements", "thanks")
    assert found["Acknowledgements"].label == "unknown"


def test_parts_of_a_known_part_without_a_label_have_none() -> None:
    found = by_heading("# Introduction", "text", "# Author contributions", "## Methodology:", "who did what")
    assert found["Methodology:"].label == "unknown"
    assert found["Methodology:"].reason == "part of “Author contributions”"


def test_a_part_is_no_surer_than_a_conclusion_from_the_section_around() -> None:
    found = by_heading("# Results", "## The first set", "text")
    assert (found["Results"].confidence, found["The first set"].confidence) == (1.0, 1 / 2)
