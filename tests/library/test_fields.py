"""Dates, DOIs, citation keys, titles and notes are read from the forms in which libraries have them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.libraries.citation_keys import citation_key, read_better_bibtex
from variorum.libraries.dates import parse_date
from variorum.libraries.identifiers import doi_in_extra, plain_doi
from variorum.libraries.plain_text import plain_note, plain_title


class TestDates:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("2013-03-00 03/2013", ("03/2013", 2013, 3, None)),
            ("2009-11-01 2009-11-1", ("2009-11-1", 2009, 11, 1)),
            ("2024-00-00 2024", ("2024", 2024, None, None)),
            ("0000-00-00 in press", ("in press", None, None, None)),
            ("0000-12-00 December", ("December", None, None, None)),
            ("2009-11-01", ("2009-11-01", 2009, 11, 1)),
            ("2001/5", ("2001/5", 2001, 5, None)),
            ("2020-13-40 nonsense", ("nonsense", 2020, None, None)),
            ("Spring 1999", ("Spring 1999", 1999, None, None)),
            ("c. 1850–1852", ("c. 1850–1852", 1850, None, None)),
            ("2001年5月", ("2001年5月", 2001, None, None)),
            ("pages 12345", ("pages 12345", None, None, None)),
        ],
    )
    def test_parts_are_those_that_are_said(self, text: str, expected: tuple[object, ...]) -> None:
        date = parse_date(text)
        assert date is not None
        assert (date.raw, date.year, date.month, date.day) == expected

    @pytest.mark.parametrize("text", ["", "  "])
    def test_no_text_is_no_date(self, text: str) -> None:
        assert parse_date(text) is None

    @given(st.text() | st.from_regex(r"\d{4}-\d{2}-\d{2}( .*)?"))
    def test_parts_are_always_in_range(self, text: str) -> None:
        date = parse_date(text)
        if date is not None:
            assert date.year is None or date.year > 0
            assert date.month is None or (1 <= date.month <= 12 and date.year)
            assert date.day is None or (1 <= date.day <= 31 and date.month)


class TestDois:
    @pytest.mark.parametrize(
        "text",
        ["10.1000/abc(1)", "https://doi.org/10.1000/abc(1)", "doi:10.1000/abc(1)", " DOI 10.1000/abc(1). "],
    )
    def test_all_forms_give_the_bare_one(self, text: str) -> None:
        assert plain_doi(text) == "10.1000/abc(1)"

    @pytest.mark.parametrize("text", ["", "none", "10/abc", "arXiv:2301.1"])
    def test_what_is_none_gives_none(self, text: str) -> None:
        assert plain_doi(text) == ""

    def test_a_line_of_extra_is_read_and_no_other_text(self) -> None:
        assert doi_in_extra("note: 10.1/x\nDOI: 10.1000/abc\ntex.foo: bar") == "10.1000/abc"
        assert doi_in_extra("see 10.1000/abc") == ""


class TestCitationKeys:
    def test_the_places_are_asked_in_order(self) -> None:
        extra = "Citation Key: c"
        found = [citation_key(*texts) for texts in (("a", "b", extra), ("", "b", extra), ("", "", extra), ("", "", ""))]
        assert [(key.key, key.origin) if key else None for key in found] == [
            ("a", "zotero"),
            ("b", "better-bibtex"),
            ("c", "extra"),
            None,
        ]

    @pytest.mark.parametrize(
        "extra",
        ["Citation Key: smith:2020", "x: y\ncitation key:smith:2020\nz", "Citation-Key : smith:2020", "bibtex: smith:2020"],
    )
    def test_the_line_has_several_spellings(self, extra: str) -> None:
        found = citation_key("", "", extra)
        assert found is not None
        assert found.key == "smith:2020"

    @pytest.mark.parametrize("extra", ["Citation Key:", "Citation Key: two words", "my citation key: no"])
    def test_what_is_no_key_is_none(self, extra: str) -> None:
        assert citation_key("", "", extra) is None

    def test_the_old_form_of_better_bibtex_is_read(self, tmp_path: Path) -> None:
        entries = [{"itemID": 4, "libraryID": 1, "itemKey": "ABCD2345", "citekey": "old2015"}, {"itemKey": "X", "citekey": ""}]
        with sqlite3.connect(tmp_path / "better-bibtex.sqlite") as db:
            db.execute('CREATE TABLE "better-bibtex" (name TEXT, data TEXT)')
            db.execute('INSERT INTO "better-bibtex" VALUES (?, ?)', ("better-bibtex.citekey", json.dumps({"data": entries})))
        db.close()
        assert read_better_bibtex(tmp_path) == ({(1, "ABCD2345"): "old2015"}, "")

    @pytest.mark.parametrize(
        "statement",
        [
            "CREATE TABLE other (a)",
            "CREATE TABLE \"better-bibtex\" AS SELECT 'better-bibtex.citekey' AS name, '[1, 2]' AS data",
            "CREATE TABLE \"better-bibtex\" AS SELECT 'better-bibtex.citekey' AS name, '{\"data\": [3]}' AS data",
            "CREATE TABLE \"better-bibtex\" AS SELECT 'better-bibtex.citekey' AS name, NULL AS data",
            "CREATE TABLE citationkey (itemKey, citationKey)",
            "CREATE TABLE citationkey AS SELECT 'x' AS libraryID, 'K' AS itemKey, 'c' AS citationKey",
        ],
    )
    def test_another_form_costs_the_keys_and_is_said(self, tmp_path: Path, statement: str) -> None:
        with sqlite3.connect(tmp_path / "better-bibtex.sqlite") as db:
            db.execute(statement)
        db.close()
        keys, notice = read_better_bibtex(tmp_path)
        assert (dict(keys), notice.startswith("citation keys of Better BibTeX could not be read")) == ({}, True)

    def test_without_the_extension_there_is_nothing_to_say(self, tmp_path: Path) -> None:
        assert read_better_bibtex(tmp_path) == ({}, "")

    def test_keys_that_were_handed_over_are_not_read_again(self, tmp_path: Path) -> None:
        (tmp_path / "better-bibtex.migrated").write_text("whatever")
        assert read_better_bibtex(tmp_path) == ({}, "")


class TestText:
    @pytest.mark.parametrize(
        ("title", "plain"),
        [
            ("<i>E. coli</i> in H<sub>2</sub>O", "E. coli in H2O"),
            ('<span style="font-variant:small-caps;">Small</span> caps', "Small caps"),
            ("a < b and b > c", "a < b and b > c"),
            ("List<String> in  Java", "List<String> in Java"),
        ],
    )
    def test_titles_lose_only_the_tags_that_zotero_knows(self, title: str, plain: str) -> None:
        assert plain_title(title) == plain

    @pytest.mark.parametrize(
        ("html", "plain"),
        [
            ("<h1>A</h1>\n<p>B <em>c</em>&nbsp;&lt;d&gt;</p>", "A\nB c <d>"),
            ("<ul><li>one</li><li>two</li></ul>", "one\ntwo"),
            ("line<br/>break", "line\nbreak"),
            ("<style>p {}</style><p>x<script>y</script></p>", "x"),
            ("<table><tr><td>1</td><td>2</td></tr></table>", "1 2"),
            ("plain & simple", "plain & simple"),
            ("<p>never <b>closed", "never closed"),
            ("", ""),
        ],
    )
    def test_notes_keep_their_words_a_line_a_block(self, html: str, plain: str) -> None:
        assert plain_note(html) == plain

    @given(st.text())
    def test_no_text_makes_it_raise(self, text: str) -> None:
        assert plain_note(text) is not None
        assert plain_title(text) is not None
