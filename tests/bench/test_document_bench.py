"""The document bench: both sides leave the same out, words are neither lost nor counted twice, falls are named."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench import document as bench
from bench._common import PEERS, ChildFailedError
from bench._document_details import details
from bench._document_form import scorer_form, without_label
from bench._document_html import body_paragraphs, caption_number, caption_numbers, other_headings
from bench._document_latex import (
    latex_truth,
    printed_captions,
    printed_headings,
    truth_captions,
    truth_headings,
    usable_entries,
)
from bench._document_measures import (
    body_figures,
    caption_figures,
    equation_figures,
    heading_figures,
    jose_figures,
    papers_figures,
    reference_figures,
    tight,
)
from bench._document_truth import Scorers, jats_truth, load_scorers, papers_of, with_typed_captions
from bench._document_words import accounting, differences, words_of
from variorum.document.model import Document, TextComponent
from variorum.document.paper_model import Figure, Section
from variorum.document.placing import Provenance

HERE = Provenance(source="pdf", method="test", page_num=1)


def component(name: str, kind: Any, text: str, **more: Any) -> TextComponent:
    """Return a component of the text."""
    return TextComponent(id=name, kind=kind, text=text, provenance=HERE, **more)


def paper(*components: TextComponent, **more: Any) -> Document:
    """Return a document of these components."""
    return Document(key="k", source_name="p.pdf", sha256="0", page_count=1, pages=(), components=components, **more)


# ---- the scorer's form ----------------------------------------------------------------------------------------------


def test_heading_over_the_references_is_left_out_and_a_summary_is_not() -> None:
    document = paper(
        component("z", "heading", "A b s t r a c t", level=1),
        component("a", "heading", "Summary", level=1),
        component("b", "heading", "Works cited", level=1),
        sections=(
            Section(label="abstract", confidence=1.0, reason="", first="a", last="a", heading="a"),
            Section(label="references", confidence=1.0, reason="", first="b", last="b", heading="b"),
        ),
    )
    assert [h["text"] for h in scorer_form(document)["headings"]] == ["Summary"]


@pytest.mark.parametrize(
    ("printed", "number", "text"),
    [
        ("Figure 1: A thing.", "1", "A thing."),
        ("TABLE IV. What was found", "IV", "What was found"),
        ("Supporting Figure S1 A thing", "S1", "A thing"),
        ("Fig. 2 | Counts", "2", "Counts"),
        ("Figure 12: A thing.", "1", "Figure 12: A thing."),
        ("What was found in Table 4", "4", "What was found in Table 4"),
        ("A thing.", None, "A thing."),
    ],
)
def test_caption_loses_its_own_label_only(printed: str, number: str | None, text: str) -> None:
    assert without_label(printed, number) == text


@pytest.mark.parametrize(
    "printed", ["• Bring a pen", "1. Bring a pen", "(a) Bring a pen", "iv) Bring a pen", "– Bring a pen", "Bring a pen"]
)
def test_item_of_a_list_loses_what_stands_before_it(printed: str) -> None:
    assert scorer_form(paper(component("a", "list_item", printed)))["paragraphs"] == ["Bring a pen"]


def test_paragraph_keeps_its_first_word() -> None:
    assert scorer_form(paper(component("a", "paragraph", "1. is a number")))["paragraphs"] == ["1. is a number"]


def test_only_paragraphs_and_items_are_body_text() -> None:
    kinds = ("byline", "footnote", "code", "furniture", "caption", "equation", "bibliography_entry", "paragraph")
    document = paper(*(component(str(i), kind, kind) for i, kind in enumerate(kinds)))
    assert scorer_form(document)["paragraphs"] == ["paragraph"]


# ---- the HTML side --------------------------------------------------------------------------------------------------

PAGE = """<html><body><article>
<div class="ltx_para"><p class="ltx_p">A. Name, Some University</p></div>
<div class="ltx_abstract"><h6 class="ltx_title ltx_title_abstract">Abstract</h6><p class="ltx_p">In short.</p></div>
<section class="ltx_section"><h2 class="ltx_title ltx_title_section"><span class="ltx_tag">1 </span>Start</h2>
<div class="ltx_para"><p class="ltx_p">Take <math display="inline"><mi>x</mi><msub><mi></mi><mn>1</mn></msub>
<annotation>x_{1}</annotation></math>
of <cite class="ltx_cite">(<a href="#bib.bib7" class="ltx_ref">vaswani17, </a>;
<a href="#bib.bib2" class="ltx_ref">cho2014, </a>)</cite>
and <cite class="ltx_cite"><span class="ltx_ref ltx_missing_citation">nobody</span></cite><span
class="ltx_note ltx_role_footnote">A note.</span>:</p>
<table class="ltx_equation"><tr><td>y = 2</td></tr></table>
<p class="ltx_p">after <cite class="ltx_cite"><a href="#bib.bib2" class="ltx_ref">Cho et al., 2014</a></cite>.</p></div>
<figure class="ltx_figure"><p class="ltx_p">in the picture</p>
<figcaption><span class="ltx_tag ltx_tag_figure">Figure 2: </span>Words</figcaption></figure>
<figure class="ltx_figure"><figcaption><span class="ltx_tag ltx_tag_figure">(a) </span>Panel</figcaption></figure>
<div class="ltx_theorem"><h6 class="ltx_title ltx_title_theorem"><span class="ltx_tag">Lemma 1</span>.</h6>
<div class="ltx_para"><p class="ltx_p">All is well.</p></div><div class="ltx_para"><p class="ltx_p">More.</p></div></div>
<ul class="ltx_itemize"><li
class="ltx_item"><span class="ltx_tag ltx_tag_item">•</span><div class="ltx_para"><p class="ltx_p">One</p></div></li></ul>
</section><section class="ltx_bibliography"><p class="ltx_p">[1] An entry</p></section></article></body></html>"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_html_gives_the_body_as_a_page_prints_it(page: Path) -> None:
    bibliography = [{"id": "bib.bib7", "label": "[7]"}, {"id": "bib.bib2", "label": "(2)"}]
    assert body_paragraphs(page, bibliography) == [
        "In short.",
        "Take x1 of [7, 2] and (?):",
        "after Cho et al., 2014.",
        "Lemma 1. All is well.",
        "More.",
        "One",
    ]


def test_html_names_captions_and_no_panels(page: Path) -> None:
    assert caption_numbers(page) == {("figure", "2")}


def test_html_tells_headings_that_the_source_has_not_as_such(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(
        """<article><section><p class="ltx_p"><span class="ltx_text ltx_font_bold">Cache.</span> We keep all.</p>
        <p class="ltx_p">A <em class="ltx_emph">plain</em> one.</p></section>
        <div class="ltx_acknowledgements"><h6 class="ltx_title">Thanks</h6>We thank all.</div></article>""",
        encoding="utf-8",
    )
    assert other_headings(path) == {"Cache.", "Acknowledgements"}
    assert body_paragraphs(path, []) == ["Cache. We keep all.", "A plain one.", "We thank all."]


def test_number_of_a_caption_is_its_last_word() -> None:
    assert [caption_number(x) for x in ("Table 3", "TABLE IV:", "Supporting Figure s1.", "(b)", "")] == [
        "3",
        "IV",
        "S1",
        "",
        "",
    ]


# ---- measures -------------------------------------------------------------------------------------------------------


def test_levels_of_a_truth_are_those_that_the_paper_uses() -> None:
    sections = [("abstract", "Abstract"), ("section", "A"), ("paragraph", "B"), ("appendix", "C"), ("bibliography", "D")]
    truth = {"sections": [{"level": level, "title": title} for level, title in sections]}
    assert [(h["level"], h["text"]) for h in truth_headings(truth)] == [(1, "A"), (2, "B"), (1, "C"), (1, "D")]


def test_caption_has_the_number_that_the_page_prints() -> None:
    truth: dict[str, Any] = {
        "tables": [{"number": "Table 3", "number_in_pdf": "Table A1", "caption": "x"}, {"number": "TABLE II", "caption": "y"}],
        "rejected_tables": [{"number": None, "caption": "z"}],
        "figures": [{"number": "Fig 1", "caption": "f"}, {"number": "(a)", "caption": "panel"}],
    }
    assert truth_captions(truth) == {("table", "A1"): "x", ("table", "II"): "y", ("figure", "1"): "f"}


def test_caption_is_asked_for_under_the_number_that_is_printed() -> None:
    text = "as Figure 1 shows. Figure 1: A thing. Figure A1. Rates of the flares of all stars of the sample."
    captions = {
        ("figure", "1"): "A thing.",
        ("figure", "10"): "Rates of the flares of all stars.",
        ("table", "7"): "Never printed.",
    }
    assert printed_captions(captions, text) == {
        ("figure", "1"): "A thing.",
        ("figure", "A1"): "Rates of the flares of all stars.",
    }


def test_heading_is_asked_for_where_it_is_printed() -> None:
    headings = [{"level": 1, "text": t} for t in ("A long heading over two lines", "Never printed here at all")]
    assert printed_headings(headings, "Text. A long heading over 202 two lines Text.") == headings[:1]


def test_keys_of_citations_in_a_title_are_taken_out() -> None:
    truth = {"sections": [{"level": "section", "title": "ERRANT (bryant-etal-2017-automatic; xu2020)"}]}
    assert [h["text"] for h in truth_headings(truth)] == ["ERRANT"]


def test_equations_are_compared_by_number_only() -> None:
    read = [{"number": "(1)"}, {"number": None}, {"number": "2a, 2b"}, {"number": "(9)"}]
    assert equation_figures(["1", "2a", "2b", "3"], read) == {"eq_p": 0.75, "eq_r": 0.75}
    assert equation_figures([], read) == {"eq_p": None, "eq_r": None}
    assert equation_figures(["1"], []) == {"eq_p": 0.0, "eq_r": 0.0}


def test_white_space_beside_signs_is_not_compared() -> None:
    assert tight("v_{eq} and x^{*}") == "veq and x*"
    assert tight("N = 6 , or more words") == tight("N=6, or more words") == "N=6,or more words"


def test_fewer_than_five_entries_make_no_share() -> None:
    entries = [{"text": f"{i} an entry that is long enough to be one"} for i in range(5)]
    assert len(usable_entries(entries)) == 5
    assert usable_entries([*entries[:4], {"text": "a rest"}]) == []


# ---- words ----------------------------------------------------------------------------------------------------------


def test_words_are_without_case_accents_and_ligatures() -> None:
    assert list(words_of("Eﬃcient Café², x_1")) == ["efficient", "cafe2", "x", "1"]


def test_word_broken_at_a_line_end_is_not_lost() -> None:
    assert differences(["infor", "mation", "is"], Counter(["information", "is"])) == (Counter(), Counter())


def test_word_parted_at_a_raised_mark_is_not_lost() -> None:
    assert differences(["turner1", "sat"], Counter(["turner", "1", "sat"])) == (Counter(), Counter())


def test_lost_and_doubled_words_are_named() -> None:
    assert differences(["one", "two", "two"], Counter({"two": 3})) == (Counter(["one"]), Counter(["two"]))


def test_accounting_finds_what_is_misplaced_and_what_has_no_evidence() -> None:
    document = paper(
        component("a", "paragraph", "Alpha beta"),
        component("b", "furniture", "gamma 17"),
        component("c", "furniture", "Page one", note="at the foot of each page"),
        figures=(Figure(id="f", provenance=HERE, kind="vector", text="axis"),),
    )
    found = accounting(document, ["Alpha beta gamma 17", "Page one axis delta"], ["Alpha beta gamma 17"])
    assert found["share"] == {"component": 0.28571, "table cell": 0.0, "figure": 0.14286, "furniture": 0.57143}
    assert found["examples"] == {"lost": ["delta"], "doubled": [], "misplaced": ["gamma"]}
    assert (found["words"], found["items"], found["unfounded"]) == (8, 2, 1)
    assert found["misplaced"] == pytest.approx(1 / 3, abs=1e-5)


def test_caption_that_is_a_component_counts_once() -> None:
    figure = Figure(id="f", provenance=HERE, kind="raster")
    document = paper(
        component("c", "caption", "Figure 1: Here", target="f"), component("m", "figure", "", target="f"), figures=(figure,)
    )
    found = accounting(document, ["Figure 1: Here"], [])
    assert (found["lost"], found["doubled"], found["misplaced"]) == (0.0, 0.0, None)


# ---- the command ----------------------------------------------------------------------------------------------------


def means(order: float | None) -> dict[str, Any]:
    """Return results of one data set with this mean."""
    return {"jose": {"mean": {"order": order, "title": None}}}


def test_fall_of_a_mean_is_named() -> None:
    assert bench.falls(means(0.5), means(0.5 - bench.TOLERANCE / 2)) == []
    assert bench.falls(means(0.5), means(0.4)) == ["jose: order fell from 0.5 to 0.4"]
    assert bench.falls(means(0.5), {}) == ["jose: order fell from 0.5 to nothing"]
    assert bench.falls({"words": {}}, {}) == []


def test_peers_have_the_figures_of_the_bench() -> None:
    peers = json.loads(PEERS.read_text(encoding="utf-8"))["documents"]
    for data_set, rows in peers.items():
        for peer in rows:
            assert set(peer) == {"tool", "version", "setting", *bench.COLUMNS[data_set]}


def test_figures_of_transcriptions_are_committed_with_how_they_were_made() -> None:
    hand = json.loads(bench.HAND.read_text(encoding="utf-8"))
    assert "by hand" in hand["note"]
    assert len(hand["results"]["jose"]) == 3
    assert all(set(row) == set(bench.COLUMNS["jose"]) for row in hand["results"]["jose"].values())


def test_unknown_part_is_refused_with_the_choices(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bench.parse(["josie"])
    assert "jose, papers, words" in capsys.readouterr().err


def test_run_without_corpus_does_not_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        bench.main(["--ci", "--corpus", str(tmp_path)])
    assert end.value.code == 3
    assert "--corpus" in capsys.readouterr().err


# ---- with the corpus ------------------------------------------------------------------------------------------------


@pytest.fixture
def scorers(corpus: Path) -> Scorers:
    return load_scorers(corpus)


def perfect(scorers: Scorers, sheet: Any) -> dict[str, Any]:
    """Return the form of a reading that has all that the truth of a paper has."""
    if sheet.data_set == "jose":
        return jats_truth(scorers, sheet)
    truth = latex_truth(sheet.pdf)
    return {
        "title": truth.title,
        "headings": truth.headings,
        "paragraphs": truth.paragraphs,
        "captions": [{"kind": kind, "number": n, "text": text} for (kind, n), text in truth.captions.items()],
        "equations": [{"number": n} for n in truth.equations],
        "references": truth.references,
    }


@pytest.mark.corpus
@pytest.mark.parametrize(("data_set", "measure"), [("jose", jose_figures), ("papers", papers_figures)])
def test_reading_that_is_the_truth_has_one_everywhere(corpus: Path, scorers: Scorers, data_set: str, measure: Any) -> None:
    for sheet in papers_of(corpus, data_set)[::5]:
        figures = measure(scorers, sheet, perfect(scorers, sheet))
        assert set(figures) == set(bench.COLUMNS[data_set])
        assert {k: v for k, v in figures.items() if v not in (1, None)} == {}, sheet.name


@pytest.mark.corpus
def test_reading_of_nothing_has_zero_where_there_is_something(corpus: Path, scorers: Scorers) -> None:
    sheet = next(p for p in papers_of(corpus, "papers") if latex_truth(p.pdf).references)
    figures = papers_figures(scorers, sheet, bench.NOTHING)
    assert all(v in (0, None) for v in figures.values())
    assert figures["order"] == figures["ref_r"] == figures["head_f1"] == 0


@pytest.mark.corpus
def test_each_kind_of_fault_lowers_its_figure(scorers: Scorers) -> None:
    headings = [{"level": n, "text": t} for n, t in ((1, "Introduction"), (1, "Methods"), (2, "Samples"), (1, "Results"))]
    deeper = [{**h, "level": h["level"] + 1} for h in headings]
    assert heading_figures(scorers, headings, deeper) == {"head_f1": 1.0, "head_level_f1": 1.0}
    flat = [{**h, "level": 1} for h in headings]
    assert heading_figures(scorers, headings, flat) == {"head_f1": 1.0, "head_level_f1": 0.75}
    assert heading_figures(scorers, headings, [*headings, {"level": 1, "text": "References"}])["head_f1"] == 1.0
    more = [*headings, {"level": 2, "text": "Cache."}]
    assert heading_figures(scorers, headings, more, others=["Cache"])["head_f1"] == 1.0
    assert heading_figures(scorers, headings, more)["head_f1"] == pytest.approx(8 / 9)
    assert heading_figures(scorers, headings, headings[1:])["head_f1"] == pytest.approx(6 / 7)
    true = {("table", "1"): "What was found", ("figure", "1"): "A thing"}
    read = [{"kind": k, "number": n, "text": t} for (k, n), t in true.items()]
    assert caption_figures(scorers, true, read, others=frozenset()) == {"cap_p": 1.0, "cap_r": 1.0, "cap_text": 1.0}
    assert caption_figures(scorers, true, [*read, read[0]], others=frozenset())["cap_p"] == pytest.approx(2 / 3)
    wrong = [{**read[0], "number": "2"}, read[1]]
    assert caption_figures(scorers, true, wrong, others=frozenset()) == {"cap_p": 0.5, "cap_r": 0.5, "cap_text": 1.0}
    assert caption_figures(scorers, true, wrong, others=frozenset({("table", "2")}))["cap_p"] == 1.0
    entries = [{"text": f"Name {i}. The {word} of some long title. Journal, {1990 + i}."} for i, word in enumerate("abcdef")]
    assert reference_figures(scorers, entries, entries) == {"ref_p": 1.0, "ref_r": 1.0}
    text = ["One two three four.", "Five six seven eight."]
    assert body_figures(scorers, text, text[::-1])["order"] < 1


@pytest.mark.corpus
def test_details_name_what_is_missed_and_invented(corpus: Path, scorers: Scorers) -> None:
    sheet = papers_of(corpus, "jose")[0]
    form = bench.NOTHING | perfect(scorers, sheet)
    first, *others = form["headings"]
    lines = list(details(scorers, sheet, {**form, "headings": [*others, {"level": 1, "text": "No such heading"}]}))
    assert any("missed" in line and first["text"] in line for line in lines)
    assert any("invented" in line and "No such heading" in line for line in lines)


@pytest.mark.corpus
def test_paper_that_cannot_be_read_counts_as_nothing_found(
    corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object, **__: object) -> Any:
        raise ChildFailedError("ended with code 9")

    monkeypatch.setattr(bench, "ask_child", dies)
    name = papers_of(corpus, "jose")[0].name
    assert bench.main(["jose", "--only", name]) == 0
    out = capsys.readouterr().out
    assert f"  {name}: ended with code 9" in out
    assert next(line for line in out.splitlines() if line.startswith(f"{name}  ")).split()[1] == "0.000"


def test_a_caption_typed_as_a_paragraph_counts_as_a_caption_where_no_other_has_its_number() -> None:
    truth = {
        "paragraphs": ["Table 1. What was used.", "Table 2. Again.", "Table 1 shows it."],
        "captions": [{"kind": "table", "number": "2", "text": "x"}],
    }
    found = with_typed_captions(truth)
    assert found["paragraphs"] == ["Table 2. Again.", "Table 1 shows it."]
    assert found["captions"][1:] == [{"kind": "table", "number": "1", "text": "What was used."}]
