"""The list of references: where it is, and where its entries begin and end."""

from __future__ import annotations

import pytest
from printed import STYLE, printed_column, printed_line

from variorum.layout.bibliography import BibliographyReading, HeadingAt, find_bibliography, is_bibliography_heading
from variorum.layout.entry_text import join_rows
from variorum.layout.model import PrintLine

NUMBERED = """
[1] A. Ahmed and B. Bosu. A tool for reviews of
    code. In Proceedings of Engineering, 2017.
[2] C. Blaz. Tickets for support, pages 235-246, 2016.
[3] D. Dehaene. Two lines are needed for this one, as
    in 1999. Publisher, 2001.
"""
HANGING = """
Ahmed, A., & Bosu, B. (2017). A tool for reviews of
   Code. Proceedings of Engineering, 5, 1-10.
Blaz, C. (2016). Tickets. Press.
Dehaene, D., Ewald, E., & Fischer,
   F. (2001). Lists. Publisher.
"""


def read(lines: list[PrintLine], before: int = 0) -> BibliographyReading:
    found = find_bibliography(lines, [HeadingAt(before, "References")], STYLE)
    assert found is not None
    return found


def test_numbered_list_has_one_entry_a_label() -> None:
    found = read(printed_column(NUMBERED))
    assert [e.label for e in found.entries] == ["[1]", "[2]", "[3]"]
    assert found.entries[0].text == "A. Ahmed and B. Bosu. A tool for reviews of code. In Proceedings of Engineering, 2017."


def test_number_at_the_start_of_a_line_that_does_not_count_on_is_no_label() -> None:
    drawing = "1. Ahmed A. A title. Journal. 2017;\n   12. Epub.\n2. Blaz C. Another. 2016."
    assert [e.label for e in read(printed_column(drawing)).entries] == ["1.", "2."]


def test_lost_label_costs_no_more_than_its_own_entry() -> None:
    drawing = "[1] A. Ahmed. One. 2001.\n[3] C. Carl. Three. 2003.\n[4] D. Dehn. Four. 2004."
    assert [e.label for e in read(printed_column(drawing)).entries] == ["[1]", "[3]", "[4]"]


def test_raised_numbers_are_labels() -> None:
    drawing = "¹ Ahmed A. One. 2001.\n² Blaz C. Two. 2002."
    assert [e.label for e in read(printed_column(drawing)).entries] == ["¹", "²"]


def test_keys_in_brackets_are_labels() -> None:
    drawing = "[Knu84] D. Knuth. Literate\n        programming. 1984.\n[Lam94] L. Lamport. Typesetting. 1994."
    assert [e.label for e in read(printed_column(drawing)).entries] == ["[Knu84]", "[Lam94]"]


def test_hanging_indent_parts_entries() -> None:
    found = read(printed_column(HANGING))
    assert found.evidence == "hanging"
    assert [e.text[:5] for e in found.entries] == ["Ahmed", "Blaz,", "Dehae"]


def test_first_line_indent_parts_entries() -> None:
    drawing = """
       Ahmed, A. (2017). A tool for reviews
    of code and of much else. Engineering.
       Blaz, C. (2016). Tickets for everybody
    who asks for one. Press.
    """
    found = read(printed_column(drawing))
    assert found.evidence == "indented"
    assert len(found.entries) == 2


def test_entry_goes_on_in_the_next_column_and_on_the_next_page() -> None:
    left = printed_column("Ahmed, A. (2017). A tool\n   for reviews of\nBlaz, C. (2016). Tickets for", top=600.0)
    right = printed_column("   everybody. Press.\nCarl, D. (2003). Lists of", x0=320.0, index=3)
    after = printed_column("   lists. Publisher.\nDehn, E. (2004). Ends. Press.", page_index=1)
    found = read([*left, *right, *after])
    assert [e.text for e in found.entries][1:3] == [
        "Blaz, C. (2016). Tickets for everybody. Press.",
        "Carl, D. (2003). Lists of lists. Publisher.",
    ]
    assert found.entries[2].lines == ((0, 4), (1, 0))


def test_columns_that_were_read_across_are_put_right() -> None:
    left = printed_column("[1] A. Ahmed. One of\n    them. 2001.\n[2] B. Blaz. Two of\n    them. 2002.")
    right = printed_column("[3] C. Carl. Three of\n    them. 2003.\n[4] D. Dehn. Four. 2004.", x0=320.0, index=len(left))
    found = read([*left[:1], *right[:2], *left[1:], *right[2:]])
    assert [e.label for e in found.entries] == ["[1]", "[2]", "[3]", "[4]"]
    assert found.entries[0].text == "A. Ahmed. One of them. 2001."


def test_strays_in_other_type_are_no_entries() -> None:
    entries = printed_column(HANGING)
    footer = [printed_line("Lee (2020). A journal.", x0=40.0, baseline=700.0, size=7.0, index=len(entries))]
    rest = printed_column("Ewing, F. (2005). More. Press.\nFine, G. (2006).\n   Lists. Press.", page_index=1)
    found = read([*entries, *footer, *rest])
    assert [e.text[:4] for e in found.entries] == ["Ahme", "Blaz", "Deha", "Ewin", "Fine"]
    assert footer[0].id not in found.lines


def test_white_parts_entries_without_indent() -> None:
    drawing = """
    Ahmed, A. (2017). A tool for reviews of
    Code and Colour. Engineering.

    Blaz, C. (2016). Tickets for everybody
    who asks. Press.

    United Nations. (2022). Storms.
    """
    found = read(printed_column(drawing))
    assert found.evidence == "apart"
    assert len(found.entries) == 3


def test_names_part_entries_where_nothing_else_does() -> None:
    drawing = """
    Ahmed, A. (2017). A tool for reviews of code,
    and of much else. Engineering.
    Blaz, C. (2016). Tickets for everybody who
    asks. Press.
    """
    found = read(printed_column(drawing))
    assert (found.evidence, len(found.entries)) == ("words", 2)


def test_stretched_line_in_pieces_is_one_row() -> None:
    first = [printed_line(t, x0=x, index=i) for i, (t, x) in enumerate([("Ahmed,", 72.0), ("A.", 130.0), ("(2017).", 170.0)])]
    rest = printed_column("   A tool. Press.\nBlaz, C. (2016). Tickets.", top=112.0, index=3)
    found = read([*first, *rest])
    assert [e.text for e in found.entries] == ["Ahmed, A. (2017). A tool. Press.", "Blaz, C. (2016). Tickets."]


def test_list_ends_at_the_next_heading_and_every_line_of_it_is_in_one_entry() -> None:
    body = printed_column("Some words before.")
    entries = printed_column(NUMBERED, top=200.0, index=1)
    appendix = printed_column("More words after.", top=400.0, index=1 + len(entries))
    lines = [*body, *entries, *appendix]
    headings = [HeadingAt(1, "7. References"), HeadingAt(1 + len(entries), "A Proofs")]
    found = find_bibliography(lines, headings, STYLE)
    assert found is not None
    assert found.lines == tuple(line.id for line in entries)
    assert found.lines == tuple(i for e in found.entries for i in e.lines)


def test_list_ends_where_the_type_changes() -> None:
    entries = printed_column(NUMBERED)
    after = printed_column("Words in large type.", top=200.0, size=14.0, index=len(entries))
    assert read([*entries, *after]).lines == tuple(line.id for line in entries)


def test_list_without_heading_is_found_behind_the_text() -> None:
    body = printed_column("We thank everybody who helped us in\nthis work, and those who did not.")
    entries = printed_column(HANGING, top=150.0, index=2)
    found = find_bibliography([*body, *entries], [], STYLE)
    assert found is not None
    assert len(found.entries) == 3


def test_plain_text_is_no_list() -> None:
    body = printed_column("The first of these sentences is long,\nand so is the second one. It\nends here in 2017.")
    assert find_bibliography(body, [HeadingAt(0, "Methods")], STYLE) is None


@pytest.mark.parametrize(
    "text", ["References", "7. REFERENCES", "Literature Cited", "VI. Bibliography", "References and Notes:"]
)
def test_headings_that_announce_a_list(text: str) -> None:
    assert is_bibliography_heading(text)


@pytest.mark.parametrize("text", ["Reference implementation", "Sources of error", "Related literature and methods"])
def test_headings_that_do_not(text: str) -> None:
    assert not is_bibliography_heading(text)


@pytest.mark.parametrize(
    ("rows", "joined"),
    [
        (["See https:", "//doi.org/10.1000/", "abc.", "12-x"], "See https://doi.org/10.1000/abc.12-x"),
        (["At https://example.org/a-", "page."], "At https://example.org/a-page."),
        (["At https://example.org/page.", "Accessed 2020."], "At https://example.org/page. Accessed 2020."),
        (["At https://example.org/Engi", "ne. Accessed 2020."], "At https://example.org/Engine. Accessed 2020."),
        (["At https://example.org/page", "Zenodo."], "At https://example.org/page Zenodo."),
        (["https://doi.org/10.", "1093/nar/gkw1070"], "https://doi.org/10.1093/nar/gkw1070"),
        (["a compu-", "tational tool"], "a computational tool"),
        (["by Romo-", "Sandoval"], "by Romo-Sandoval"),
    ],
)
def test_ends_of_rows_are_mended(rows: list[str], joined: str) -> None:
    assert join_rows(rows) == joined
