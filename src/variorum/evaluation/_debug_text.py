"""What the debug database says of the text of a paper: grade and completeness, pages, sections and figures, as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from variorum.document import Document
from variorum.document.citing import contexts_naming
from variorum.document.export_markdown import MarkdownPiece, joined_pieces, markdown_pieces
from variorum.evaluation.stored import to_text


def paper_columns(document: Document) -> dict[str, object]:
    """Return the columns of `papers` on the text, the figures and what may be missing.

    What was not asked for is unknown: without the text (`regions` of tables were given) there is no grade and no count.
    """
    titles = [c.text for c in document.components if c.kind == "title"]
    found: dict[str, object] = {
        "title": document.identity.title or (titles[0] if titles else None),
        "full_markdown": document.to_markdown(),
    }
    if document.completeness is None:
        return found
    lone = _lone_figure_captions(document)
    return found | {
        "quality_grade": document.completeness.grade,
        "figures_found": len(document.figures),
        "figures_with_captions": sum(f.caption is not None for f in document.figures),
        "figures_missing": len(lone),
        "unmatched_figure_captions": to_text(lone),
        "has_abstract": any(s.label == "abstract" for s in document.sections),
        "has_references": bool(document.bibliography),
    }


def _lone_figure_captions(document: Document) -> list[str]:
    """Return the texts of the captions whose figure was not found, in order of the gaps."""
    texts = {c.id: c.text for c in document.components}
    gaps = document.completeness.gaps if document.completeness is not None else ()
    own = [g for g in gaps if g.kind == "orphan_caption" and g.what.startswith("no figure")]
    return [texts[g.component] for g in own if g.component in texts]


def text_rows(document: Document, pictures: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the rows of `pages`, `sections` and `extracted_figures`; `pictures` are the files of figures by their ids."""
    pieces = markdown_pieces(document)
    for page in document.pages:
        own = [piece for piece in pieces if piece.page_num == page.page_num]
        row = {"page_num": page.page_num, "label": page.label, "width": page.width, "height": page.height}
        yield "pages", {"item_key": document.key, **row, "markdown": joined_pieces(own) if own else ""}
    spans = _spans(document, pieces)
    headings = {c.id: c.text for c in document.components if c.kind == "heading"}
    for index, section in enumerate(document.sections):
        start, end = spans[index]
        row = {"label": section.label, "confidence": section.confidence, "char_start": start, "char_end": end}
        heading = headings.get(section.heading) if section.heading is not None else None
        yield "sections", {"item_key": document.key, "section_index": index, "heading": heading, **row}
    for index, figure in enumerate(document.figures):
        box = figure.provenance.bbox
        yield (
            "extracted_figures",
            {
                "item_key": document.key,
                "figure_index": index,
                "page_num": figure.provenance.page_num,
                "caption": figure.caption.text if figure.caption is not None else None,
                "bbox": None if box is None else to_text(box.as_tuple()),
                "image_path": pictures.get(figure.id),
                "reference_context": "\n".join(contexts_naming(document, figure.id)),
                "artifact_type": "figure_data" if figure.is_data_table else None,
            },
        )


def _spans(document: Document, pieces: Sequence[MarkdownPiece]) -> list[tuple[int, int]]:
    """Return from where to where each section reaches in the Markdown of the paper: to where the next one begins."""
    place: dict[str, int] = {}
    at = 0
    for i, piece in enumerate(pieces):
        at += len(piece.joint) * (i > 0)
        place.setdefault(piece.id, at)
        at += len(piece.text)
    end = at + 1
    position = {c.id: i for i, c in enumerate(document.components)}
    names = [c.target if c.kind in ("table", "figure") and c.target is not None else c.id for c in document.components]
    starts: list[int] = []
    for section in reversed(document.sections):
        first, last = position[section.first], position[section.last]
        own = (place[name] for name in names[first : last + 1] if name in place)
        starts.insert(0, next(own, starts[0] if starts else end))
    return list(zip(starts, [*starts[1:], end], strict=True))
