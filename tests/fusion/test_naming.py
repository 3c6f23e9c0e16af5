"""Claims about mentions of floats and sections that the sources number otherwise."""

from __future__ import annotations

import pytest
from aligned_documents import component, figure, paragraphs, prose, source

from variorum.document import Document, TextComponent
from variorum.fusion.fusing import fuse
from variorum.fusion.model import SourceKind
from variorum.fusion.tenants import parse_tenant

CAPTION = "Where gulls were counted on the northern coast."


def fused(trusted: SourceKind, text: str, one: TextComponent, other: TextComponent) -> Document:
    """Return the fusion of a TeX that calls a figure of the appendix 9, and a PDF that prints A.9; `trusted` has the text."""
    weights = "\n".join(f"[{kind}]\nparagraph = {0.9 if kind == trusted else 0.5}" for kind in ("latex", "pdf"))
    tenant = parse_tenant(f'name = "t"\nversion = "1"\ninherits = "default"\n{weights}\n')
    printed = text.replace("Figure 9", "Figure A.9")
    tex = source(
        "latex",
        [one, *paragraphs(1), component("p", "paragraph", f"{text} {prose(8)}")],
        figures=[figure("f", "9", f"Figure 9: {CAPTION}")],
    )
    pages = source(
        "pdf",
        [other, *paragraphs(1), component("p", "paragraph", f"{printed} {prose(8)}")],
        figures=[figure("f", "A.9", f"Figure A.9: {CAPTION}")],
    )
    return fuse([tex, pages], tenant).document


def heading(number: str) -> TextComponent:
    return component("h", "heading", f"{number} Counting", level=2, number=number)


def targets(document: Document) -> list[tuple[str, str | None]]:
    texts = {c.id for c in document.components if c.kind == "paragraph"}
    return [(m.text, m.target) for m in document.mentions if m.component in texts]


def test_a_figure_is_found_by_the_number_of_the_source_of_the_text() -> None:
    found = fused("latex", "We counted as Figure 9 shows.", heading("1"), heading("1"))
    assert [f.number for f in found.figures] == ["A.9"]
    assert targets(found) == [("Figure 9", found.figures[0].id)]


def test_a_figure_is_found_by_its_printed_number_in_the_text_of_the_pages() -> None:
    found = fused("pdf", "We counted as Figure 9 shows.", heading("1"), heading("1"))
    assert targets(found) == [("Figure A.9", found.figures[0].id)]


@pytest.mark.parametrize("trusted", ["latex", "pdf"])
def test_a_section_is_found_by_its_whole_number_where_the_pages_print_its_letter(trusted: SourceKind) -> None:
    found = fused(trusted, "We counted as in Section II-C.", heading("II-C"), heading("C"))
    printed = next(c for c in found.components if c.kind == "heading")
    assert printed.number == "C"
    assert targets(found) == [("Section II-C", printed.id)]


def test_a_number_that_no_source_knows_leads_nowhere() -> None:
    found = fused("latex", "We counted as Figure 12 shows.", heading("1"), heading("1"))
    assert targets(found) == [("Figure 12", None)]
