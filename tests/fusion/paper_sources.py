"""Sources of small papers, made on the spot: a line a component, as ``kind: text``; what is in brackets is cited."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from variorum.document import Caption, Cell, Document, Figure, InlineEquation, Notice, PaperIdentity, Place, Table
from variorum.fusion.alignment import align
from variorum.fusion.fusing import fuse
from variorum.fusion.model import Decision, Fusion, Source, SourceKind
from variorum.fusion.tenants import load_tenant
from variorum.geometry import Box
from variorum.sources.gathering import Gatherer, split_caption

PAPER = (
    "title: On the flight of gulls",
    "byline: Jane Smith",
    "heading: 1 Introduction",
    "paragraph: Gulls are birds of the coast that glide on the wind for hours [1].",
    "paragraph: We counted them on four islands in the north over two long summers.",
    "table: Table 1: Gulls by island. | island, gulls, terns | Foula, 12, 40 | Unst, 31, 7 | Yell, 5, 19 | Mousa, 44, 3",
    "heading: 2 Methods",
    "paragraph: Each island was walked twice a day, at dawn and at dusk, by two people.",
    "paragraph: The order of the walks was drawn by lot, and no bird was disturbed.",
    "equation: n = a + b",
    "heading: 3 Results",
    "paragraph: Most gulls were seen at dusk, when the fishing boats come home with their catch [2].",
    "paragraph: Terns were few wherever gulls were many, as older surveys of the coast have found.",
    "figure: Figure 1: A gull above the harbour of the largest island.",
    "heading: References",
    "entry: [1] J. Smith. Gliding birds of the northern coast. 2001.",
    "entry: [2] A. Wu. Fishing boats and the gulls that follow them. 2010.",
)
PLACED = ("pdf", "docling")


def source(kind: SourceKind, *lines: str, mend: dict[str, str] | None = None, **fields: Any) -> Source:
    """Return a source of the kind with the paper's lines, or with those given; `mend` replaces words in them."""
    document = document_of(kind, lines or PAPER, mend or {})
    digest = hashlib.sha256(document.to_json().encode()).hexdigest()
    return Source(kind=kind, name=f"{kind}.made", sha256=digest, document=replace(document, **fields))


def document_of(kind: SourceKind, lines: Sequence[str], mend: dict[str, str]) -> Document:
    gatherer = Gatherer(kind, f"key{kind}")
    title, entries = "", 0
    for at, line in enumerate(lines):
        for old, new in mend.items():
            line = line.replace(old, new)
        name, _, text = line.partition(": ")
        place = [Place(page_num=1, bbox=Box(72, 20.0 * at + 10, 500, 20.0 * at + 28))] if kind in PLACED else []
        if name == "table":
            gatherer.table(_table(text, gatherer.provenance("made", place)), "made")
        elif name == "figure":
            label, number = split_caption(text)
            caption = Caption(text=text, label=label, number=number)
            found = Figure(id="", provenance=gatherer.provenance("made", place), kind="raster", number=number, caption=caption)
            gatherer.figure(found, "made")
        elif name == "entry":
            entries += 1
            gatherer.entry(text, "made", f"[{entries}]", places=place)
        else:
            number = re.match(r"\d+(?:\.\d+)*(?= )", text) if name == "heading" else None
            gatherer.text(
                cast("Any", name),
                text,
                "made",
                number=None if number is None else number[0],
                level=1 if name == "heading" else None,
                places=place,
                tex=text.replace("=", "&=") if name == "equation" and kind not in PLACED else None,
            )
            title = text if name == "title" else title
    return gatherer.document(
        source_name=f"{kind}.made",
        sha256=hashlib.sha256("\n".join(lines).encode()).hexdigest(),
        identity=PaperIdentity(title=title),
        are_citations_linked=False,
    )


def _table(text: str, provenance: Any) -> Table:
    caption_text, *rows = [part.strip() for part in text.split(" | ")]
    label, number = split_caption(caption_text)
    grid = [[cell.strip() for cell in row.split(",")] for row in rows]
    cells = [Cell(row=r, col=c, text=t) for r, row in enumerate(grid) for c, t in enumerate(row) if t]
    return Table(
        id="",
        n_rows=len(grid),
        n_cols=max(map(len, grid)),
        cells=tuple(cells),
        provenance=provenance,
        number=number,
        caption=Caption(text=caption_text, label=label, number=number),
    )


def with_formula(made: Source, words: str, formula: str, tex: str | None) -> Source:
    """Return the source with the words of a text marked as an inline equation, its text replaced by the formula."""
    document = made.document
    at = next(c for c in document.components if words in c.text)
    start = at.text.index(words)
    changed = replace(at, text=at.text.replace(words, formula, 1))
    equation = InlineEquation(component=at.id, start=start, end=start + len(formula), text=formula, tex=tex)
    components = tuple(changed if c.id == at.id else c for c in document.components)
    shift = len(formula) - len(words)
    citations = tuple(
        replace(c, start=c.start + shift, end=c.end + shift) if c.component == at.id and c.start > start else c
        for c in document.citations
    )
    return replace(made, document=replace(document, components=components, citations=citations, inline_equations=(equation,)))


def with_notice(made: Source, what: str, component: str | None = None) -> Source:
    notices = (*made.document.notices, Notice(severity="warning", what=what, component=component))
    return replace(made, document=replace(made.document, notices=notices))


def fused(*sources: Source, tenant: str = "default") -> Fusion:
    return fuse(sources, load_tenant(tenant), align(sources))


def decision_on(fusion: Fusion, text: str) -> Decision:
    """Return the decision that has this text in one of its readings."""
    return next(d for d in fusion.decisions if any(text in c.text for c in d.candidates))


def table_decision(fusion: Fusion) -> Decision:
    return next(d for d in fusion.decisions if d.type == "table")
