"""A reading of a document in the form of the outside scorer, with what its truths leave out left out here as well.

The scorer's form is described in ``score_document.py`` beside the corpus. `Document.to_referee` gives all text as it is
printed; the truths have less, and the difference is taken away here, by the document's own structure and by nothing else:

  headings    without the title, the heading of the abstract and the one over the list of references (`optional_headings`)
  paragraphs  paragraphs and items of lists in reading order, items without the bullet or number in front of them; footnotes,
              code, bylines, captions and display equations are none
  captions    without the printed label and number (``Figure 3:``), which stand beside the text
"""

from __future__ import annotations

import re
from typing import Any

from variorum.document.model import Document, TextComponent

# what may stand in front of an item of a list: a bullet, or a number or letter with a bracket or full stop behind it
_ITEM = re.compile(r"^(?:[•◦‣∙·▪■○●–—*+-]|\(?(?:\d{1,2}|[a-z]|[ivx]+)[.)])\s+", re.IGNORECASE)
_LABEL = r"(?:\w+\s+)?(?:fig(?:ure|s)?|tab(?:le|s)?|exhibit|chart|plate|scheme)\b"  # with a word before it: Supplementary
_LEFT_OUT = frozenset({"abstract", "references", "bibliography", "literaturecited"})


def scorer_form(document: Document) -> dict[str, Any]:
    """Return title, headings, paragraphs, captions, equations, references and the number of citations, as plain JSON data."""
    form: dict[str, Any] = document.to_referee()["document"]  # type: ignore[assignment]
    left_out = optional_headings(document)
    return {
        "title": document.identity.title or form["title"],
        "headings": [
            {"level": c.level or 1, "text": c.text} for c in document.components if c.kind == "heading" and c.id not in left_out
        ],
        "paragraphs": [_paragraph(c) for c in document.components if c.kind in ("paragraph", "list_item")],
        "captions": [{**caption, "text": without_label(caption["text"], caption["number"])} for caption in form["captions"]],
        "equations": [{"text": c.text, "number": c.number} for c in document.components if c.kind == "equation"],
        "references": form["references"],
        "citations": len(document.citations) or form["citations"],
    }


def optional_headings(document: Document) -> frozenset[str]:
    """Return the ids of the headings of the abstract and of the list of references.

    The latter by the document's own label of its section, the former by its word: a section that stands for an abstract under
    another name (``Summary``) has a heading in the truths.
    """
    over = {s.heading for s in document.sections if s.heading is not None and s.label == "references"}
    return frozenset(c.id for c in document.components if c.kind == "heading" and (c.id in over or is_optional(c.text)))


def is_optional(title: str) -> bool:
    """Return whether a heading is called abstract, or is that of a list of references."""
    return re.sub(r"\W", "", title).casefold() in _LEFT_OUT


def without_label(text: str, number: str | None) -> str:
    """Return the text of a caption without ``Table 3:`` in front of it; a text that does not begin so is returned as it is."""
    if number is None:
        return text
    label = rf"^\W*{_LABEL}\.?\s*{re.escape(number)}(?!\w)[\s.:|)–—-]*"
    return re.sub(label, "", text, count=1, flags=re.IGNORECASE)


def _paragraph(component: TextComponent) -> str:
    return _ITEM.sub("", component.text, count=1) if component.kind == "list_item" else component.text
