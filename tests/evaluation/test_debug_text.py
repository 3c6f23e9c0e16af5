"""What the debug database says of the text of a paper, its sections, pages and figures."""

from __future__ import annotations

from dataclasses import replace

from variorum.document import Caption, ComponentKind, Document, PageInfo, Provenance, TextComponent
from variorum.document.paper_model import Completeness, Figure, Gap, Mention, PaperIdentity, Section
from variorum.evaluation._debug_text import paper_columns, text_rows
from variorum.geometry import Box


def component(name: str, kind: ComponentKind, text: str, page: int) -> TextComponent:
    place = Provenance(page_num=page, source="text", method="rules", confidence=1.0)
    return TextComponent(id=name, kind=kind, text=text, provenance=place)


COMPONENTS = (
    component("t", "title", "On things", 1),
    component("p", "paragraph", "What stands before.", 1),
    component("h", "heading", "Methods", 1),
    component("m", "paragraph", "As Figure 1 shows.", 2),
    component("c", "caption", "Figure 2: Lost.", 2),
)
FIGURE = Figure(
    id="f",
    provenance=Provenance(page_num=2, source="figures", method="rules", confidence=1.0),
    kind="raster",
    number="1",
    is_data_table=True,
)
PAPER = Document(
    key="k",
    source_name="a.pdf",
    sha256="0",
    page_count=2,
    pages=(PageInfo(page_num=1, width=600, height=800), PageInfo(page_num=2, width=600, height=800)),
    components=COMPONENTS,
    figures=(FIGURE,),
    identity=PaperIdentity(title="On things"),
    sections=(
        Section(label="preamble", confidence=1.0, reason="", first="t", last="p"),
        Section(label="methods", confidence=0.5, reason="", first="h", last="c", heading="h"),
    ),
    mentions=(Mention(component="m", start=3, end=11, text="Figure 1", kind="figure", number="1", target="f"),),
    completeness=Completeness(
        grade="C",
        reasons=("C: lost.",),
        gaps=(Gap(kind="orphan_caption", what="no figure was found for the caption", page_num=2, component="c"),),
    ),
)


def rows(table: str, document: Document = PAPER) -> list[dict[str, object]]:
    return [dict(row) for name, row in text_rows(document, {"f": "figures/figure-1.png"}) if name == table]


def test_grade_and_what_is_missing_stand_beside_the_paper() -> None:
    columns = paper_columns(PAPER)
    assert (columns["quality_grade"], columns["title"], columns["has_abstract"]) == ("C", "On things", False)
    assert (columns["figures_found"], columns["figures_with_captions"], columns["figures_missing"]) == (1, 0, 1)
    assert columns["unmatched_figure_captions"] == '["Figure 2: Lost."]'


def test_what_was_not_asked_for_is_unknown() -> None:
    assert "quality_grade" not in paper_columns(replace(PAPER, completeness=None))


def test_sections_are_places_in_the_markdown() -> None:
    text = PAPER.to_markdown()
    first, second = rows("sections")
    assert (first["char_start"], second["char_end"], first["heading"]) == (0, len(text), None)
    assert first["char_end"] == second["char_start"] == text.index("## Methods")
    assert (second["heading"], second["confidence"]) == ("Methods", 0.5)


def test_every_page_has_its_markdown() -> None:
    first, second = rows("pages")
    assert first["markdown"] == "# On things\n\nWhat stands before.\n\n## Methods\n"
    assert str(second["markdown"]).startswith("As Figure 1 shows.")


def test_a_figure_has_its_picture_and_the_passages_that_name_it() -> None:
    (figure,) = rows("extracted_figures")
    assert (figure["image_path"], figure["reference_context"]) == ("figures/figure-1.png", "As Figure 1 shows.")
    assert (figure["page_num"], figure["artifact_type"]) == (2, "figure_data")


def test_a_caption_of_a_figure_is_its_own() -> None:
    caption = Caption(text="Figure 1: Things.", label="Figure", number="1", page_num=2, bbox=Box(0, 0, 1, 1))
    (figure,) = rows("extracted_figures", replace(PAPER, figures=(replace(FIGURE, caption=caption),)))
    assert figure["caption"] == "Figure 1: Things."
