"""The page of the voters: whole in one file, no network, no script, every section and method on it."""

from __future__ import annotations

import base64
import hashlib
import re
from xml.etree import ElementTree

import pytest

from variorum.evaluation.chain import Oracle, TableDelta, Winner
from variorum.evaluation.votes import Ablation, OtherVote, Outcomes, VoteAnalysis, VoterOnAxis
from variorum.report.vote_sections import as_text, headline, sections
from variorum.report.votes_page import write_votes_page
from variorum.tables.weights import MethodRecord


def voter(method: str, axis: str, *, tables: int = 2, share: float | None = 0.5) -> VoterOnAxis:
    return VoterOnAxis(
        method=method,
        axis=axis,  # type: ignore[arg-type]
        tables=tables,
        coverage=tables / 2,
        dividers=4,
        refused=1,
        overlap=share,
        conflict=share,
        rejected=share,
        known=4,
        accuracy=share,
        recall=share,
    )


def analysis(*, compared: bool = True, name: str = "gaps") -> VoteAnalysis:
    none = {"cells": 0, "perfect": 0, "better": 0, "worse": 0}
    oracle = Oracle(
        tables=2,
        cells=40,
        choice=36,
        consensus=35,
        best_single=30,
        best_single_name=f"{name}+rawdict",
        best_candidate=38,
        perfect_choice=1,
        perfect_consensus=1,
        perfect_best_single=0,
        perfect_best_candidate=1,
        ratio=36 / 38,
    )
    delta = TableDelta(
        paper="p", table="p_t1", choice=80.0, consensus=90.0, best_single=85.0, best_single_name=f"{name}+rawdict"
    )
    return VoteAnalysis(
        papers=1,
        tables=2,
        compared=2 if compared else 0,
        missed=1 if compared else 0,
        reference="truth" if compared else "chosen",
        voters=(
            voter(name, "column"),
            voter("rules", "column", tables=0, share=None),
            voter(name, "row"),
            voter("rules", "row"),
        ),
        outcomes=(Outcomes(method=name, voted=2, abstained=0, not_asked=0, failed=0, mean_ms=None),),
        ablations=(
            Ablation(method=name, tables=2, changed=1, lost=1, gained=0, cells=-4, perfect=0, better=0, worse=1),
            Ablation(method="rules", tables=1, changed=0, lost=0, gained=0, **none),
        ),
        other_votes=(OtherVote(name="median_votes", tables=2, changed=1, cells=30, perfect=0, better=0, worse=1),),
        winners=(Winner(name=f"{name}:rawdict", tables=2, accuracy=None, score=None),),
        wins={name: MethodRecord(wins=1.5, participation=2, rate=0.75)} if compared else {},
        deltas=(delta,) if compared else (),
        oracle=oracle if compared else None,
    )


@pytest.fixture(params=[True, False], ids=["with truth", "without truth"])
def page(request: pytest.FixtureRequest) -> str:
    return write_votes_page(analysis(compared=request.param), "my.db")


def test_needs_no_network_and_no_script(page: str) -> None:
    assert re.findall(r"https?://|<script|<link|<img|url\(", page) == []
    style = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style[0].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in page
    assert "style=" not in page


def test_every_plot_is_whole_xml(page: str) -> None:
    plots = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert plots
    for plot in plots:
        root = ElementTree.fromstring(plot)
        assert root.get("aria-label")
        width = float(root.get("width", "0"))
        for element in root.iter():
            for name in ("x", "x1", "x2", "cx"):
                assert -0.1 <= float(element.get(name, "0")) <= width


def test_same_analysis_gives_the_same_page() -> None:
    assert write_votes_page(analysis(), "a.db") == write_votes_page(analysis(), "a.db")


def test_names_are_escaped() -> None:
    page = write_votes_page(analysis(name="<b>&"), "<i>.db")
    assert "<b>&" not in page
    assert "<i>" not in page


def test_sections_with_truth() -> None:
    keys = [s.key for s in sections(analysis())]
    assert keys == ["columns", "rows", "outcomes", "ablation", "rules", "wins", "chosen", "oracle", "deltas"]
    assert headline(analysis()) == "2 tables of 1 paper, 2 compared with a truth, 1 true table missed"


def test_sections_without_truth() -> None:
    shown = sections(analysis(compared=False))
    assert [s.key for s in shown] == ["columns", "rows", "outcomes", "ablation", "rules", "chosen"]
    ablation = next(s for s in shown if s.key == "ablation")
    assert ablation.rows[0][1] == (2, 1, 1, 0, None, None, None, None)
    assert headline(analysis(compared=False)) == "2 tables of 1 paper, none compared with a truth"


def test_text_is_a_table() -> None:
    (delta,) = (s for s in sections(analysis()) if s.key == "deltas")
    assert as_text(delta).splitlines() == [
        "Choice and consensus against the best single method of each table",
        "  choice better 0, equal 0, worse 1; consensus better 1, equal 0, worse 0; scores from 0 to 100, tables without any"
        " difference are left out",
        "        choice  consensus  best single  delta  consensus delta  best single grid",
        "  p_t1   80.00      90.00        85.00  -5.00             5.00      gaps+rawdict",
    ]
