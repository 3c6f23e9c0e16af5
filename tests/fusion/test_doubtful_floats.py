"""Claims about floats that few sources have, and about where their captions stand."""

from __future__ import annotations

from dataclasses import replace

from paper_sources import PAPER, fused, source

from variorum.document import Document, Figure, Place
from variorum.fusion.model import Fusion, Source
from variorum.geometry import Box

PLACE = Place(page_num=3, bbox=Box(72, 300, 500, 320))


def with_a_picture(one: Source) -> Source:
    """Return the source with a picture without a caption at the end, as TeX has one that is printed nowhere."""
    known = one.document.figures[0]
    bare = Figure(id="fig-x1", provenance=replace(known.provenance, page_num=None, bbox=None), kind="raster")
    last = one.document.components[-1]
    marker = replace(last, id="at-fig-x1", kind="figure", text="", number=None, target="fig-x1")
    components = (*one.document.components, marker)
    return replace(one, document=replace(one.document, components=components, figures=(*one.document.figures, bare)))


def with_placed_caption(one: Source) -> Source:
    def placed(document: Document) -> Document:
        own = tuple(
            replace(f, caption=f.caption and replace(f.caption, page_num=PLACE.page_num, bbox=PLACE.bbox))
            for f in document.figures
        )
        return replace(document, figures=own)

    return replace(one, document=placed(one.document))


def faults(fusion: Fusion) -> list[str]:
    assert fusion.document.completeness is not None
    return [gap.what for gap in fusion.document.completeness.gaps if gap.kind == "uncaptioned"]


def test_a_picture_that_only_a_doubtful_source_has_costs_no_grade() -> None:
    fusion = fused(with_a_picture(source("latex")), source("ar5iv"), source("pdf"))
    assert [f.caption is None for f in fusion.document.figures] == [False, True]
    assert faults(fusion) == []


def test_with_one_other_source_a_picture_without_a_caption_is_named_by_its_id() -> None:
    fusion = fused(with_a_picture(source("latex")), source("pdf"))
    assert faults(fusion) == [f"the figure {fusion.document.figures[-1].id} has no caption"]


def test_a_figure_without_a_page_says_none_in_markdown() -> None:
    text = fused(with_a_picture(source("latex")), source("ar5iv"), source("pdf")).document.to_markdown()
    assert "<!-- figure without a caption -->" in text


def test_the_caption_of_a_figure_stands_where_the_pdf_has_it() -> None:
    fusion = fused(source("latex", *PAPER), source("ar5iv"), with_placed_caption(source("pdf")))
    (figure,) = fusion.document.figures
    assert figure.caption is not None
    assert (figure.caption.page_num, figure.caption.bbox) == (PLACE.page_num, PLACE.bbox)
    (written,) = [c for c in fusion.document.components if c.target == figure.id and c.kind == "caption"]
    assert written.provenance.page_num == PLACE.page_num
    (decision,) = [d for d in fusion.decisions if figure.id in d.components]
    assert [b.source for b in decision.borrowed if b.attribute == "caption_place"] == ["pdf"]
