"""A paper of two pages for the tests of the report: its PDF, and the reading of it written by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymupdf
from report_samples import HEIGHT, WIDTH, document, table

from variorum.document import (
    BibliographyEntry,
    Caption,
    Citation,
    Completeness,
    Document,
    Figure,
    FigurePanel,
    Gap,
    HeadingDecision,
    HeadingVote,
    Mention,
    PageInfo,
    PaperIdentity,
    Place,
    Provenance,
    Section,
    TextComponent,
)
from variorum.geometry import Box

TEXT = "Doses (Table 1) grow [1], see Figure 7 and"
ENTRY = "Doe, J. Doses. 2001."
STRAY = "stray"


def two_pages_in(folder: Path) -> Path:
    """Return the path of a PDF of two pages of 400 × 300 points; on page 2 the word ``stray`` lies in no block."""
    path = folder / "paper.pdf"
    with pymupdf.open() as pdf:
        first = pdf.new_page(width=WIDTH, height=HEIGHT)
        for x, y, words in ((20, 30, "On doses"), (20, 50, "1 Results"), (110, 115, "Drug"), (110, 145, "12"), (20, 190, TEXT)):
            first.insert_text((x, y), words, fontsize=8)
        second = pdf.new_page(width=WIDTH, height=HEIGHT)
        for x, y, words in ((20, 30, "so on."), (20, 240, ENTRY), (300, 200, STRAY)):
            second.insert_text((x, y), words, fontsize=8)
        pdf.save(path)
    return path


def piece(
    name: str, kind: Any, text: str, page_num: int, box: tuple[float, float, float, float], **fields: Any
) -> TextComponent:
    place = Provenance(source="pdf", method="paragraphs", page_num=page_num, bbox=Box.of(box))
    return TextComponent(id=name, kind=kind, text=text, provenance=place, **fields)


def ballot(voter: str, confidence: float, *, is_heading: bool = True, level: int | None = None) -> HeadingVote:
    return HeadingVote(voter=voter, is_heading=is_heading, confidence=confidence, reason=f"{voter} says so", level=level)


def paper(words: str = "", **fields: Any) -> Document:
    """Return the reading: title, heading, table, text over both pages, formula, figure with a part, note, entry and furniture.

    `words` stand, where they are given, wherever a paper may hold words.
    """
    said = words or "running foot: the same words at this height of 2 pages"
    text = f"{TEXT} {words}"
    figure_caption = Caption(
        text=f"Figure 7. Growth {words}", label=words or "Figure", number="7", page_num=2, bbox=Box(20, 120, 200, 132)
    )
    components = (
        piece("title-1", "title", f"On doses {words}", 1, (20, 22, 120, 32)),
        piece("sec-1", "heading", f"1 Results {words}", 1, (20, 42, 80, 52), level=1, number="1"),
        piece("at-table", "table", "", 1, (100, 100, 300, 150), target="paper_table_1"),
        piece("cap-1", "caption", "Table 1. Doses", 1, (100, 80, 300, 92), target="paper_table_1"),
        piece(
            "par-1",
            "paragraph",
            text,
            1,
            (20, 182, 300, 192),
            places=(Place(page_num=1, bbox=Box(20, 182, 300, 192)), Place(page_num=2, bbox=Box(20, 22, 60, 32))),
        ),
        piece("eq-3", "equation", f"a = b {words}", 2, (20, 40, 200, 50), number=words or "3"),
        piece("at-fig", "figure", "", 2, (20, 60, 200, 110), target="fig-7"),
        piece("cap-2", "caption", figure_caption.text, 2, (20, 120, 200, 132), target="fig-7"),
        piece("note-1", "footnote", f"A note {words}", 2, (20, 260, 200, 268)),
        piece("ref-1", "bibliography_entry", f"{ENTRY} {words}", 2, (20, 232, 200, 242), number=words or "[1]"),
        piece("furniture-1", "furniture", f"Draft {words}", 1, (20, 280, 60, 288), note=said),
        piece("furniture-2", "furniture", f"Draft {words}", 2, (20, 280, 60, 288), note=said),
    )
    figure = Figure(
        id="fig-7",
        provenance=Provenance(source="pdf", method="figures", page_num=2, bbox=Box(20, 60, 200, 110)),
        kind="vector",
        number="7",
        caption=figure_caption,
        panels=(FigurePanel(label=words or "a", bbox=Box(20, 60, 100, 110)),),
        is_data_table=True,
        text=f"days {words}",
    )
    headings = (
        HeadingDecision(
            text=f"1 Results {words}",
            page_num=1,
            accepted=True,
            reason=words or "2 of 2 voters stand for it",
            votes=(ballot("numbering", 0.9, level=1), ballot("spacing", 0.4)),
            component="sec-1",
            level=1,
        ),
        HeadingDecision(
            text=f"Drug {words}",
            page_num=1,
            accepted=False,
            reason="0 of 1 voters stand for it",
            votes=(ballot(words or "position", 0.5, is_heading=False),),
        ),
    )
    sections = (
        Section(label="preamble", confidence=1.0, reason=words or "it stands first", first="title-1", last="title-1"),
        Section(label="results", confidence=0.4, reason="by its name", first="sec-1", last="ref-1", heading="sec-1"),
    )
    return document(
        table(),
        **{
            "page_count": 2,
            "pages": tuple(PageInfo(page_num=n, width=WIDTH, height=HEIGHT, label=words or None) for n in (1, 2)),
            "components": components,
            "figures": (figure,),
            "identity": PaperIdentity(title=f"On doses {words}"),
            "sections": sections,
            "headings": headings,
            "bibliography": (BibliographyEntry(id="ref-1", authors=("Doe, J.", words or "Roe"), year="2001", doi="10.1/x"),),
            "citations": (
                Citation(component="par-1", start=21, end=24, text=TEXT[21:24], style="numeric", targets=("ref-1",)),
            ),
            "mentions": (
                Mention(component="par-1", start=7, end=14, text="Table 1", kind="table", number="1", target="paper_table_1"),
                Mention(component="par-1", start=30, end=38, text="Figure 7", kind="figure", number="7", target="fig-7"),
            ),
            "completeness": Completeness(
                grade="C",
                reasons=(f"C: figures are missing {words}",),
                gaps=(
                    Gap(kind="numbering", what=f"Figure 7 stands alone {words}", page_num=2, component="fig-7"),
                    Gap(kind="no_abstract", what="there is no abstract"),
                ),
            ),
            **fields,
        },
    )
