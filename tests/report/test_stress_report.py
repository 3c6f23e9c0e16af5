"""The reports of a stress test: whole, in agreement with the database, escaped, and made without the PDFs if need be."""

from __future__ import annotations

import base64
import hashlib
import re
import sqlite3
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from debug_samples import evidence, fill, make_paper
from stress_samples import CONFIGS, HOSTILE, add_failures, assertion, make_stress, place_missed_table

from variorum.errors import DamagedInputError, InputNotFoundError, OutputError, UsageError
from variorum.evaluation.debug_db import reading_debug_db
from variorum.report.stress_blocks import Block, Group, Section, brief, duration, percentage, shown
from variorum.report.stress_reading import read_stress
from variorum.report.stress_report import HTML_NAME, MARKDOWN_NAME, sections, write_reports
from variorum.report.stress_text import ROW_LIMIT

TITLES = [
    "Executive summary",
    "Performance",
    "Extraction quality per paper",
    "Failures",
    "Passes",
    "Ground truth comparison",
    "Pipeline depth",
    "Variant comparison",
]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stress")
    path = make_stress(folder, make_paper(folder / "drugs.pdf"))
    place_missed_table(path, (80, 170, 260, 230))
    return path


@pytest.fixture(scope="module")
def db(database: Path) -> Iterator[sqlite3.Connection]:
    with reading_debug_db(database) as connection:
        yield connection


@pytest.fixture(scope="module")
def written(database: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return the Markdown and the HTML."""
    markdown, html = write_reports(database, tmp_path_factory.mktemp("out") / "deeper")
    assert (markdown.name, html.name) == (MARKDOWN_NAME, HTML_NAME)
    return markdown.read_text(encoding="utf-8"), html.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def parts(db: sqlite3.Connection) -> tuple[Section, ...]:
    return sections(read_stress(db))


def made(folder: Path, path: Path) -> tuple[str, str]:
    markdown, html = write_reports(path, folder)
    return markdown.read_text(encoding="utf-8"), html.read_text(encoding="utf-8")


def blocks(parts: tuple[Section, ...]) -> list[Block]:
    found = [p for s in parts for p in s.parts]
    return [b for p in found for b in (p.blocks if isinstance(p, Group) else (p,))]


def block(parts: tuple[Section, ...], title: str) -> Block:
    (found,) = (b for b in blocks(parts) if b.title == title)
    return found


def rows(parts: tuple[Section, ...], title: str) -> dict[str, tuple[object, ...]]:
    return {shown(row[0]): row[1:] for row in block(parts, title).rows}


class TestWhole:
    def test_all_sections_of_the_founding_documents_stand_in_their_order(self, written: tuple[str, str]) -> None:
        markdown, html = written
        assert re.findall(r"^## (.*)$", markdown, re.MULTILINE) == TITLES
        assert re.findall(r"<h2>(.*?)</h2>", html)[: len(TITLES)] == TITLES

    def test_headings_of_the_markdown_never_skip_a_level(self, written: tuple[str, str]) -> None:
        levels = [len(marks) for marks in re.findall(r"^(#+) ", written[0], re.MULTILINE)]
        assert all(after <= before + 1 for before, after in pairwise(levels))

    def test_needs_no_network_and_no_script(self, written: tuple[str, str]) -> None:
        html = written[1]
        assert re.findall(r"https?://|<script|<link|<img|url\(|style=", html) == []
        style = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(style[0].encode()).digest()).decode()
        assert f"style-src 'sha256-{digest}'" in html

    def test_every_drawing_is_whole_xml_and_every_plot_has_a_name(self, written: tuple[str, str]) -> None:
        drawings = [ElementTree.fromstring(d) for d in re.findall(r"<svg.*?</svg>", written[1], re.DOTALL)]
        assert sum(d.get("role") == "img" and bool(d.get("aria-label")) for d in drawings) >= 4

    def test_every_link_leads_somewhere(self, written: tuple[str, str]) -> None:
        html = written[1]
        ids = re.findall(r'\bid="([^"]*)"', html)
        assert len(ids) == len(set(ids))
        assert set(re.findall(r'href="#([^"]*)"', html)) <= set(ids)

    def test_same_database_gives_the_same_bytes(self, database: Path, tmp_path: Path) -> None:
        assert made(tmp_path / "a", database) == made(tmp_path / "b", database)


class TestAgreement:
    """The numbers of the report are those that SQL gives."""

    def test_totals(self, parts: tuple[Section, ...], db: sqlite3.Connection) -> None:
        total, held = db.execute("SELECT COUNT(*), SUM(passed) FROM test_results").fetchone()
        (major,) = db.execute("SELECT COUNT(*) FROM test_results WHERE NOT passed AND severity = 'MAJOR'").fetchone()
        tables, cells, right, perfect = db.execute(
            "SELECT COUNT(*), SUM(cells_total), SUM(cells_right), SUM(is_perfect) FROM ground_truth_diffs"
        ).fetchone()
        figures = rows(parts, "In figures")
        assert (total, held, major) == (7, 4, 2)
        assert figures["assertions"][0] == total
        assert figures["assertions that hold"] == (held, percentage(held, total))
        assert figures["MAJOR failures"][0] == major
        assert figures["MINOR failures"][0] == total - held - major
        assert figures["true tables"][0] == tables == 3
        assert figures["true tables that were found"][0] == 2
        assert figures["true tables without any difference"][0] == perfect == 1
        assert figures["data cells of all true tables"][0] == cells
        assert figures["data cells that were read right"][0] == right

    def test_kinds(self, parts: tuple[Section, ...], db: sqlite3.Connection) -> None:
        found = db.execute(
            "SELECT kind, COUNT(*), SUM(passed), SUM(NOT passed AND severity = 'MAJOR'), SUM(NOT passed AND severity = 'MINOR')"
            " FROM test_results GROUP BY kind"
        )
        assert {name: row[:4] for name, row in rows(parts, "Assertions by kind").items()} == {k: tuple(r) for k, *r in found}

    def test_every_failure_stands_in_the_failures_and_every_pass_in_the_passes(
        self, parts: tuple[Section, ...], db: sqlite3.Connection
    ) -> None:
        (failures,) = (s for s in parts if s.key == "failures")
        (passes,) = (s for s in parts if s.key == "passes")
        (failed,) = db.execute("SELECT COUNT(*) FROM test_results WHERE NOT passed").fetchone()
        (held,) = db.execute("SELECT COUNT(*) FROM test_results WHERE passed").fetchone()
        assert sum(len(b.rows) for b in blocks((failures,))) == failed
        assert sum(int(str(row[1])) for b in blocks((passes,)) for row in b.rows) == held

    def test_failures_are_told_apart_by_severity_and_name_the_place(self, written: tuple[str, str]) -> None:
        for text in written:
            at = [text.index(words) for words in ("MAJOR (2)", "MINOR (1)")]
            assert at == sorted(at)
            for said in ("the kind broke [KeyError:", "found '118'" if text is written[0] else "found &#x27;118&#x27;"):
                assert at[0] < text.index(said) < at[1]

    def test_tables(self, parts: tuple[Section, ...], db: sqlite3.Connection) -> None:
        found = db.execute(
            "SELECT table_id, cell_accuracy_pct, score_pct, cells_right, cells_total, num_cell_diffs FROM ground_truth_diffs"
        )
        there = {name: (r[2], r[4], r[5], r[6], r[9]) for name, r in rows(parts, "By table").items()}
        assert there == {name: tuple(rest) for name, *rest in found}

    def test_chain(self, parts: tuple[Section, ...], db: sqlite3.Connection) -> None:
        title = "From the best single method to the choice, table by table"
        found = db.execute(block(parts, title).sql).fetchall()
        assert {name: tuple(r[1:4]) for name, r in rows(parts, title).items()} == {name: tuple(rest) for name, *rest in found}

    def test_dividers_of_the_confidence_table_are_those_with_a_known_truth(
        self, parts: tuple[Section, ...], db: sqlite3.Connection
    ) -> None:
        (known,) = db.execute(
            "SELECT COUNT(*) FROM (SELECT DISTINCT table_id, axis, divider_id FROM divider_votes"
            " WHERE reference = 'truth' AND stance = 'for' AND reason <> 'refused')"
        ).fetchone()
        assert known
        table = block(parts, "Whether the confidence of a divider can be believed")
        assert sum(int(str(row[1])) for row in table.rows) == known

    def test_variants(self, parts: tuple[Section, ...], db: sqlite3.Connection) -> None:
        found = db.execute(
            "SELECT config, COUNT(*), SUM(is_missed), SUM(is_perfect), SUM(cells_right), SUM(cells_total) FROM variant_results"
            " GROUP BY config"
        )
        table = rows(parts, "The configurations")
        assert list(table) == list(CONFIGS)
        assert {name: row[:5] for name, row in table.items()} == {name: tuple(rest) for name, *rest in found}
        assert [row[0] for row in block(parts, "Tables on which they differ").rows] == ["drugs"]

    def test_markdown_and_html_say_the_same_figures(self, written: tuple[str, str], parts: tuple[Section, ...]) -> None:
        markdown, html = written
        for one in blocks(parts):
            for row in one.rows:
                for value in row:
                    if isinstance(value, int | float):
                        assert shown(value) in markdown
                        assert f">{shown(value)}<" in html

    def test_every_query_of_the_report_runs_and_those_of_lists_give_their_rows(
        self, parts: tuple[Section, ...], db: sqlite3.Connection
    ) -> None:
        queries = [b for b in blocks(parts) if b.sql]
        assert len(queries) > 8
        (failures,) = (s for s in parts if s.key == "failures")
        lists = [
            *blocks((failures,)),
            *(block(parts, t) for t in ("By table", "By paper", "Papers", "Tables on which they differ", "Assertions by kind")),
        ]
        for one in queries:
            answer = db.execute(one.sql).fetchall()
            if one in lists:
                assert len(answer) == len(one.rows), one.title


class TestHostileAndLong:
    def test_texts_of_papers_are_escaped(self, written: tuple[str, str]) -> None:
        markdown, html = written
        assert "<script>" not in html.partition("</style>")[2]
        assert "\\<script>" in markdown
        assert " | *bold*" not in markdown
        assert "<script>" not in markdown.replace("\\<script>", "")
        assert HOSTILE.split()[0] not in html

    def test_a_long_list_is_cut_in_markdown_with_its_count_and_query_and_whole_in_html(
        self, database: Path, tmp_path: Path
    ) -> None:
        path = tmp_path / "debug.db"
        path.write_bytes(database.read_bytes())
        add_failures(path, ROW_LIMIT + 4)
        markdown, html = made(tmp_path / "out", path)
        assert "5 more rows are left out. All of them:" in markdown
        assert "WHERE passed = 0 AND severity = 'MINOR' AND kind = 'sections';" in markdown
        assert f"heading {ROW_LIMIT + 3} |" not in markdown
        assert f">heading {ROW_LIMIT + 3}<" in html
        assert f"sections: {ROW_LIMIT + 5} in 1 paper" in html


class TestPages:
    def test_each_table_that_differs_has_a_thumbnail_that_opens_its_page(self, written: tuple[str, str]) -> None:
        html = written[1]
        assert len(re.findall('class="thumb"', html)) == 2  # table 2 and the one that was missed
        assert len(re.findall('<section class="overlay"', html)) == 2
        assert len(re.findall('<image id="p', html)) == 2
        assert html.count("data:image/png;base64,") == 2

    def test_the_page_shows_dividers_and_the_cell_that_differs(self, written: tuple[str, str]) -> None:
        overlay = next(o for o in written[1].split('<section class="overlay"')[1:] if "Table 2" in o)
        assert overlay.count('class="mark accepted"') >= 5  # two between three columns, three between four rows
        place = r'x="(\d+\.\d)" y="(\d+\.\d)" width="(\d+\.\d)" height="(\d+\.\d)"'
        (cell,) = re.findall(rf'<rect class="mark differs" {place}', overlay)
        x, y, width, height = map(float, cell)
        assert x < 300 < x + width  # the third column is drawn from 272 to 372 points,
        assert y < 205 < y + height  # the third row, with the header, from 196 to 214

    def test_a_table_that_was_missed_is_shown_where_the_truth_has_it(self, written: tuple[str, str]) -> None:
        (overlay,) = (o for o in written[1].split('<section class="overlay"')[1:] if "not found" in o)
        assert '<rect class="mark missed" x="80.0" y="170.0" width="180.0" height="60.0">' in overlay

    def test_a_table_without_a_truth_that_an_assertion_names_has_its_page_with_what_fails(self, tmp_path: Path) -> None:
        path = make_stress(tmp_path, make_paper(tmp_path / "drugs.pdf"))
        key = evidence().document.key
        connection = sqlite3.connect(path)
        (run,) = connection.execute("SELECT run_id FROM stress_runs").fetchone()
        named = {"item_key": key, "page": 3, "table_id": f"{key}_table_3"}
        assertion(connection, run, "fill", "table 3", "set/drugs", False, "MINOR", "less than half is filled", **named)
        connection.commit()
        connection.close()
        html = made(tmp_path / "out", path)[1]
        (overlay,) = (o for o in html.split('<section class="overlay"')[1:] if "Table 3" in o)
        name = re.match(r' id="(o\d+)"', overlay)
        assert name is not None
        assert f'<a href="#{name[1]}"><code>{key}_<wbr>table_<wbr>3</code></a>' in html
        assert "less than half is filled" in overlay
        assert 'href="#failures">Close' in overlay
        assert 'class="mark accepted"' in overlay

    def test_a_missing_pdf_costs_the_pictures_and_is_said(self, tmp_path: Path) -> None:
        markdown, html = made(tmp_path / "out", make_stress(tmp_path))
        assert "data:image" not in html
        assert "drugs: its PDF could not be opened again" in html
        assert html.count('class="mark accepted"') >= 5
        assert "gone.pdf" not in markdown + html  # where it lay is nobody's business

    def test_a_pdf_that_changed_is_said(self, tmp_path: Path) -> None:
        pdf = make_paper(tmp_path / "drugs.pdf")
        path = make_stress(tmp_path, pdf)
        pdf.write_bytes(pdf.read_bytes() + b"%")
        assert "drugs: its PDF has changed since it was read" in made(tmp_path / "out", path)[1]

    def test_a_pdf_with_fewer_pages_costs_the_pictures_of_those_that_are_gone(self, tmp_path: Path) -> None:
        import pymupdf

        path = make_stress(tmp_path, make_paper(tmp_path / "drugs.pdf"))
        with pymupdf.open() as short:
            short.new_page(width=595, height=842)
            short.save(tmp_path / "drugs.pdf")
        html = made(tmp_path / "out", path)[1]
        assert html.count("There is no picture: the page could not be read") == 2


class TestLittle:
    def test_a_database_without_a_stress_test_is_refused(self, tmp_path: Path) -> None:
        fill(tmp_path / "plain.db", evidence()).close()
        with pytest.raises(UsageError, match="holds no stress test"):
            write_reports(tmp_path / "plain.db", tmp_path)

    def test_what_is_no_database_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "text.db").write_text("no database", encoding="utf-8")
        with pytest.raises(DamagedInputError):
            write_reports(tmp_path / "text.db", tmp_path)
        with pytest.raises(InputNotFoundError):
            write_reports(tmp_path / "absent.db", tmp_path)

    def test_a_folder_that_cannot_be_made_is_an_error_of_the_family(self, database: Path, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("", encoding="utf-8")
        with pytest.raises(OutputError, match="cannot be made"):
            write_reports(database, tmp_path / "file" / "folder")

    def test_nothing_asserted_compared_or_varied_is_said(self, database: Path, tmp_path: Path) -> None:
        path = tmp_path / "debug.db"
        path.write_bytes(database.read_bytes())
        connection = sqlite3.connect(path)
        for table in ("test_results", "test_kinds", "ground_truth_diffs", "variant_runs", "variant_results"):
            connection.execute(f"DELETE FROM {table}")
        connection.commit()
        connection.close()
        markdown, html = made(tmp_path / "out", path)
        for text in (markdown, html):
            assert "No assertion was made, so nothing is said of the papers." in text
            assert "No table was compared with a truth." in text
            assert "read by no other configuration" in text
            assert "reliable" not in text.partition("Performance")[0].partition("</style>")[2 if text is html else 0]
        assert re.findall(r"^## (.*)$", markdown, re.MULTILINE) == TITLES


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(None, "–"), (0.421, "0.42 s"), (75.4, "75 s"), (720.0, "12 min"), (11100.0, "3 h 05 min")],
)
def test_times_are_said_as_people_say_them(seconds: float | None, said: str) -> None:
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("part", "whole", "said"), [(0, 0, "–"), (3, 3, "100.0 %"), (9999, 10000, "99.9 %"), (1, 9999, "0.1 %")]
)
def test_a_share_is_never_rounded_to_all_or_nothing(part: int, whole: int, said: str) -> None:
    assert percentage(part, whole) == said


def test_a_long_caption_is_cut_after_a_word() -> None:
    assert brief("one two three", 13) == "one two three"
    assert brief("one two three four", 15) == "one two three …"
    assert len(brief("w" * 400)) <= 162
