"""The report of a fusion: what differs between readings is found, everything is told, nothing of a source is mark-up."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import candidate, decision, grid, made_fusion

from variorum.fusion.model import Fusion
from variorum.report.assets import asset
from variorum.report.fusion_data import decision_views
from variorum.report.fusion_differences import differing_cells, differing_words, is_same_text, missing_words
from variorum.report.fusion_html import fusion_report
from variorum.report.fusion_text import placeless

ATTACK = "</script></style><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">' onfocus='x"


def told(report: str) -> Any:
    """Return what the script of the report is given."""
    return json.loads(re.search(r'<script type="application/json" id="decisions">(.*?)</script>', report, re.DOTALL)[1])


def cut(text: str, spans: list[tuple[int, int]]) -> list[str]:
    return [text[start:end] for start, end in spans]


# ---- differences ----------------------------------------------------------------------------------------------------


def test_words_without_a_counterpart_differ() -> None:
    text, other = "Gulls follow the high tides.", "Gulls follow all tides."
    assert cut(text, differing_words(text, other)) == ["the high"]
    assert cut(other, differing_words(other, text)) == ["all"]
    assert missing_words(other, text) == []


def test_a_word_that_is_missing_has_its_place() -> None:
    assert missing_words("Gulls follow tides", "Gulls follow the tides") == [(12, "the")]
    assert missing_words("follow", "Gulls follow tides") == [(0, "Gulls"), (6, "tides")]
    assert missing_words("", "Gulls") == [(0, "Gulls")]


def test_spacing_and_signs_that_look_alike_are_no_difference() -> None:
    assert is_same_text("a − b ⋅ c", "a -b\n· c")
    assert not differing_words("a − b ⋅ c", "a -b\n· c")
    assert not is_same_text("n²", "n2")


@given(st.text("ab .", max_size=30), st.text("ab .", max_size=30))
def test_a_text_without_its_differences_is_in_the_other(text: str, other: str) -> None:
    kept, at = "", 0
    for start, end in differing_words(text, other):
        kept, at = kept + text[at:start] + " ", end
    words = (kept + text[at:]).replace(".", " . ").split()
    rest = iter(other.replace(".", " . ").split())
    assert all(word in rest for word in words)
    assert not differing_words(text, text)
    assert not missing_words(text, text)


def test_a_very_long_text_is_compared_at_both_ends() -> None:
    middle = " ".join(f"w{i}" for i in range(6000))
    other = " ".join(f"v{i}" for i in range(6000))
    text = f"begin {middle} end"
    assert cut(text, differing_words(text, f"begin {other} end")) == [middle]


def test_only_the_cells_that_differ_are_marked() -> None:
    right = grid("t", ("A", "B", "C"), ("1", "2", "3"), ("4", "5", "6"))
    wrong = grid("t", ("A", "B", "C"), ("1", "2", "8"), ("4", "5", "6"))
    assert differing_cells(right, wrong) == differing_cells(wrong, right) == {(1, 2)}


def test_a_lost_row_does_not_shift_the_others() -> None:
    right = grid("t", ("A", "B"), ("1", "2"), ("3", "4"), ("5", "6"))
    lost = grid("t", ("A", "B"), ("3", "4"), ("5", "6"))
    assert differing_cells(right, lost) == {(1, 0), (1, 1)}
    assert differing_cells(lost, right) == set()


def test_a_lost_column_does_not_shift_the_others() -> None:
    right = grid("t", ("A", "B", "C"), ("1", "2", "3"))
    lost = grid("t", ("A", "C"), ("1", "3"))
    assert differing_cells(right, lost) == {(0, 1), (1, 1)}
    assert differing_cells(lost, right) == set()


# ---- what the report says -------------------------------------------------------------------------------------------


def test_every_decision_is_reached_from_the_text() -> None:
    fusion = made_fusion()
    assert placeless(fusion, decision_views(fusion)) == []


def test_a_decision_without_a_place_in_the_text_is_listed_apart() -> None:
    lost = decision("p-x", "paragraph", (), candidate("paragraph", "latex", "Lost words."))
    fusion = made_fusion()
    fusion = replace(fusion, decisions=(*fusion.decisions, lost))
    assert placeless(fusion, decision_views(fusion)) == [len(fusion.decisions) - 1]
    assert "Lost words." in fusion_report(fusion)


def test_flags_say_what_is_special() -> None:
    flags = {view["position"]: view["flags"] for view in decision_views(made_fusion())}
    assert flags["p-title"] == []
    assert flags["p-by"] == ["sole"]
    assert flags["p-p1"] == ["contested", "lowered", "turned", "borrowed"]
    assert flags["p-t1"] == ["contested", "lowered"]


def test_words_of_the_winner_say_who_has_them_not() -> None:
    views = {view["position"]: view for view in decision_views(made_fusion())}
    winner = views["p-p1"]["readings"][0]
    assert [(winner["text"][start:end], sigla) for start, end, sigla in winner["marks"]] == [
        ("Gulls follow", "D"),
        ("the", "L"),
        ("t < 1", "D"),
    ]


def test_a_sole_reading_without_weight_is_shown() -> None:
    lone = decision("p-f9", "figure", ("f1",), candidate("figure", "latex", "Figure 9"))
    view = decision_views(made_fusion(decisions=(lone,)))[0]
    assert (view["winner"], view["readings"][0]["weight"]) == ("L", None)


def test_everything_that_is_asked_of_the_report_stands_in_it() -> None:
    fusion = made_fusion()
    report = html.unescape(fusion_report(fusion))
    for source in fusion.sources:
        assert source.sha256 in report
        assert source.name in report
    for words in (fusion.tenant, fusion.tenant_sha256, fusion.matrix_version, "J. Shores 3", "docling: 1 formula has no text"):
        assert words in report
    readings = told(fusion_report(fusion))["decisions"][3]["readings"]
    assert [(r["siglum"], r["weight"], r["score"]) for r in readings] == [("A", 0.85, 0.85), ("D", 0.9, 0.81), ("L", 0.8, 0.8)]
    assert readings[1]["signals"] == [["run_together", 0.9, "Gullsfollow"]]


def test_a_score_of_nothing_is_a_score() -> None:
    lost = decision("p-x", "paragraph", ("p1",), candidate("paragraph", "latex", "A"), reason="r")
    lost = replace(lost, candidates=(replace(lost.candidates[0], score=0.0),))
    assert told(fusion_report(made_fusion(decisions=(lost,))))["decisions"][0]["readings"][0]["score"] == 0


def test_the_same_fusion_gives_the_same_report() -> None:
    assert fusion_report(made_fusion()) == fusion_report(made_fusion())


def test_an_empty_fusion_has_a_report() -> None:
    fusion = made_fusion()
    bare = replace(fusion.document, components=(), tables=(), figures=(), citations=(), inline_equations=(), sections=())
    empty = Fusion(
        document=replace(bare, bibliography=(), completeness=None, notices=()),
        decisions=(),
        left_overs=(),
        agreements=(),
        sources=(),
        tenant="t",
        tenant_sha256="",
        matrix_version="1",
        software="",
    )
    assert "0 decisions between 0 sources" in fusion_report(empty)


def test_no_words_of_a_source_become_mark_up() -> None:
    report = fusion_report(made_fusion(ATTACK))
    assert report.count("<script") == 2
    assert report.count("</script>") == 2
    assert report.count("<style>") == report.count("</style>") == 1
    assert "<img" not in report
    assert "' onfocus" not in re.sub(r"<script type=.*?</script>", "", report, flags=re.DOTALL)
    assert told(report)["decisions"][3]["readings"][0]["text"].endswith(ATTACK)


def test_nothing_leads_out_of_the_report() -> None:
    report = fusion_report(made_fusion())
    assert not re.search(r"(?:src|href)\s*=|url\(|@import|https?:", re.sub(r'content="[^"]*"', "", report))
    assert "default-src 'none'" in report


# ---- colours --------------------------------------------------------------------------------------------------------

_SEEN_BY = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red cones": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green cones": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue cones": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Linear RGB as people see it who lack one kind of cones: Machado, Oliveira, Fernandes 2009, doi 10.1109/TVCG.2009.113."""
_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))


def linear(colour: str) -> list[float]:
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def times(matrix: Any, vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(rgb: list[float]) -> list[float]:
    white = times(_XYZ, [1, 1, 1])
    x, y, z = (
        ratio ** (1 / 3) if (ratio := value / w) > 0.008856 else 7.787 * ratio + 16 / 116
        for value, w in zip(times(_XYZ, rgb), white, strict=True)
    )
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


def contrast(first: str, second: str) -> float:
    light, dark = sorted((times(_XYZ, linear(c))[1] for c in (first, second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("scheme", "grounds"), [(0, ("#fbfaf6", "#ffffff")), (1, ("#191816", "#23211e"))])
def test_colours_of_sources_can_be_told_apart_and_read(scheme: int, grounds: tuple[str, str]) -> None:
    """At a distance of 20 and more in CIELAB for every kind of colour vision, and a contrast of 4.5 as WCAG 2 asks."""
    colours = re.findall(r"--L: (#\w+); --A: (#\w+); --D: (#\w+); --P: (#\w+)", asset("fusion.css"))[scheme]
    for matrix in _SEEN_BY.values():
        seen = [lab([min(1.0, max(0.0, v)) for v in times(matrix, linear(c))]) for c in colours]
        for first, second in combinations(seen, 2):
            assert sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) ** 0.5 >= 20
    assert all(contrast(c, ground) >= 4.5 for c in colours for ground in grounds)
