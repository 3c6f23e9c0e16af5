"""What is known of a paper is read from whatever says it, and the limits of a truth are told by what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_index import item

from variorum.errors import DamagedInputError, InputNotFoundError
from variorum.evaluation.calibration_truth import PaperTruth, PassedOver, TrueEntry, TrueFigure, TrueHeading, TrueTableCaption
from variorum.evaluation.truth_table import Span
from variorum.stress.corpus import StressPaper
from variorum.stress.truths import truth_for

JATS = """<?xml version="1.0"?>
<article>
<front><article-meta><title-group><article-title>Ponds in <italic>winter</italic></article-title></title-group>
<abstract><p>They freeze.</p></abstract></article-meta></front>
<body>
<sec><title>Results</title>
<p>Ponds freeze <xref ref-type="bibr" rid="r1">1</xref> as Figure [fig:ice] shows.</p>
<fig><caption><p>Days until the thaw.[fig:ice]</p></caption></fig>
<fig><label>Figure 2</label><caption><p>Wind.</p></caption></fig>
<p>Table 1. Ice by pond.</p>
<table-wrap><table><thead><tr><th></th><th colspan="2">Ice</th></tr></thead>
<tbody>
<tr><td rowspan="2">Mill</td><td>31</td><td>12 <xref ref-type="bibr" rid="r2">2</xref></td></tr>
<tr><td>30</td><td>9</td></tr></tbody></table></table-wrap>
<p>Table 2. Wind by pond.</p>
<table-wrap><table><tbody><tr><td>a</td></tr></tbody></table></table-wrap>
<sec><title>Thaw</title>
<table-wrap><table><thead><tr><th>Before</th><th>After</th></tr></thead>
<tbody><tr><td><inline-graphic/></td><td><inline-graphic/></td></tr></tbody></table></table-wrap>
<disp-formula><label>(3)</label><tex-math>d=a</tex-math></disp-formula>
</sec></sec>
</body>
<back><ref-list>
<ref id="r1"><element-citation><name><surname>Frost</surname></name>
<article-title>How ponds freeze</article-title>
<year>2019</year><pub-id pub-id-type="doi">10.1/x</pub-id></element-citation></ref>
<ref id="r2"><mixed-citation>Thaw.</mixed-citation></ref></ref-list></back>
</article>
"""


def known(folder: Path, name: str, content: str, **fields: Any) -> PaperTruth | None:
    """Return what a file says of the paper beside it."""
    (folder / name).write_text(content, encoding="utf-8")
    return truth_for(
        StressPaper(key="ponds", short_name="ponds", pdf=folder / "paper.pdf", folder=folder, truth=folder / name, **fields)
    )


def json_truth(folder: Path, **parts: Any) -> PaperTruth:
    truth = known(folder, "truth.json", json.dumps(parts))
    assert truth is not None
    return truth


def table(name: str, **fields: Any) -> dict[str, Any]:
    cells = [{"row": 0, "col": 0, "rowspan": 1, "colspan": 1, "text": "31 [2]"}]
    return {"id": name, "n_rows": 1, "n_cols": 1, "cells": cells, "page": 1, "exact": True, "number": "Table 1", **fields}


# ---- JATS -----------------------------------------------------------------------------------------------------------


def test_an_article_says_all_that_it_has(tmp_path: Path) -> None:
    truth = known(tmp_path, "paper.jats", JATS)
    assert truth is not None
    assert (truth.title, truth.abstract, truth.has_all_tables) == ("Ponds in winter", "They freeze.", True)
    assert truth.headings == (TrueHeading(level=1, text="Results"), TrueHeading(level=2, text="Thaw"))
    assert truth.figures == (TrueFigure(number="", caption="Days until the thaw."), TrueFigure(number="2", caption="Wind."))
    assert truth.entries[0] == TrueEntry(
        id="r1", text="Frost How ponds freeze 2019 10.1/x", title="How ponds freeze", year="2019", doi="10.1/x"
    )
    assert (truth.citations, truth.cited_in_tables) == ((("r1",), ("r2",)), ("r2",))
    assert [e.number for e in truth.equations] == ["3"]
    assert truth.sources == {"pdf": tmp_path / "paper.pdf"}


def test_tables_of_an_article_have_their_spans_and_the_captions_beside_them(tmp_path: Path) -> None:
    truth = known(tmp_path, "paper.jats", JATS)
    assert truth is not None
    first, second = truth.tables
    assert first.header_rows == (("", "Ice", ""),)
    assert first.rows == (("Mill", "31", "12 2"), ("", "30", "9"))
    assert first.spans == (Span(0, 1, 1, 2), Span(1, 0, 2, 1))
    assert (first.has_headers, second.has_headers) == (True, False)
    assert truth.table_captions == (
        TrueTableCaption(number="1", caption="Ice by pond."),
        TrueTableCaption(number="2", caption="Wind by pond."),
    )


def test_a_table_of_pictures_is_passed_over(tmp_path: Path) -> None:
    truth = known(tmp_path, "paper.jats", JATS)
    assert truth is not None
    assert truth.passed_over == (PassedOver(n_rows=2, n_cols=2),)


@pytest.mark.parametrize(
    ("content", "what"),
    [("<article", "is not XML"), ("<html/>", "is a <html>"), ("<!DOCTYPE a [<!ENTITY b 'c'>]><article/>", "declares entities")],
)
def test_what_is_no_article_is_an_error_with_its_place(tmp_path: Path, content: str, what: str) -> None:
    with pytest.raises(DamagedInputError, match=what) as error:
        known(tmp_path, "paper.jats", content)
    assert "paper.jats" in error.value.where


def test_a_span_wider_than_any_table_is_a_slip_that_is_named(tmp_path: Path) -> None:
    wide = '<article><body><table-wrap><table><tr><td colspan="99999999999">a</td></tr></table></table-wrap></body></article>'
    with pytest.raises(DamagedInputError, match="has 99999999999 columns in row 1") as error:
        known(tmp_path, "paper.jats", wide)
    assert error.value.where.endswith("paper.jats: table 1")


def test_an_article_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    paper = StressPaper(key="a", short_name="a", pdf=tmp_path / "a.pdf", folder=tmp_path, truth=tmp_path / "none.jats")
    with pytest.raises(InputNotFoundError):
        truth_for(paper)


# ---- truth.json -----------------------------------------------------------------------------------------------------


def test_a_table_that_is_not_exact_is_unverified_and_still_compared(tmp_path: Path) -> None:
    truth = json_truth(tmp_path, tables=[table("T1"), table("T2", exact=False)])
    assert [t.table_id for t in truth.tables] == ["T1", "T2"]
    assert truth.unverified == {"T2"}


def test_a_caption_on_two_pages_is_that_of_neither_table(tmp_path: Path) -> None:
    ice, wind = "Ice by pond.", "Wind by pond."
    truth = json_truth(
        tmp_path, tables=[table("T1", caption=ice), table("T2", caption=ice, page=2), table("T3", caption=wind, page=2)]
    )
    assert [t.caption for t in truth.tables] == ["", "", wind]
    assert [c.caption for c in truth.table_captions] == [ice, wind]


def test_tables_that_the_maker_of_the_truth_did_not_take_are_passed_over(tmp_path: Path) -> None:
    rejected = [{"number_in_pdf": "Table 3", "page": 4}, {"page": 9}]
    skipped = [{"why": "figure", "rows": 9, "cols": 3}]
    truth = json_truth(tmp_path, tables=[], rejected_tables=rejected, skipped_tabulars=skipped)
    assert truth.passed_over == (PassedOver(number="3", page=4), PassedOver(page=9), PassedOver(n_rows=9, n_cols=3))


def test_an_entry_that_runs_on_to_the_end_of_the_list_is_cut(tmp_path: Path) -> None:
    texts = ["Frost: How ponds freeze. 2019", "Thaw: On days without. 2020", "Rain: On other days. 2021"]
    run_on = [" ".join(texts[i:]) for i in range(3)]
    truth = json_truth(tmp_path, tables=[], bibliography=[{"id": f"b{i}", "text": t} for i, t in enumerate(run_on)])
    assert [e.text for e in truth.entries] == texts


def test_citations_in_cells_are_told_by_their_marks(tmp_path: Path) -> None:
    citations = [{"text": "[1]", "refs": ["b1"]}, {"text": "[2]", "refs": ["b2"]}, {"text": "[2]", "refs": ["b2"]}]
    assert json_truth(tmp_path, tables=[table("T1")], citations=citations).cited_in_tables == ("b2",)


# ---- others ---------------------------------------------------------------------------------------------------------


def test_tables_of_a_file_are_those_that_a_person_wrote_and_not_all_of_the_paper(tmp_path: Path) -> None:
    truth = known(tmp_path, "ponds.json", '{"table_id": "t1", "headers": ["a"], "rows": [["1"]], "caption": "Ice."}')
    assert truth is not None
    assert [t.table_id for t in truth.tables] == ["t1"]
    assert (truth.has_all_tables, truth.table_captions) == (False, (TrueTableCaption(number="", caption="Ice."),))


def test_a_library_knows_the_abstract_of_a_paper(tmp_path: Path) -> None:
    paper = StressPaper(
        key="A", short_name="A", pdf=tmp_path / "a.pdf", folder=tmp_path, item=item("A", "Ponds", abstract="They freeze.")
    )
    truth = truth_for(paper)
    assert truth is not None
    assert (truth.title, truth.abstract, truth.tables) == ("Ponds", "They freeze.", ())


def test_of_a_paper_alone_nothing_is_known(tmp_path: Path) -> None:
    assert truth_for(StressPaper(key="A", short_name="A", pdf=tmp_path / "a.pdf", folder=tmp_path)) is None
