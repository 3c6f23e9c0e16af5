"""The captions of a reading: those that tables and figures carry, and those that none has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from variorum.document import Caption, Document

FloatKind = Literal["table", "figure"]
_LABELLED: Final = re.compile(
    r"\s*(?P<before>(?:extended data|supplementary|supporting|suppl?\.?|appendix)\s+)?(?P<label>fig(?:ure)?|tab(?:le)?)s?\.?\s*"
    r"(?P<number>(?:[A-Z]{1,2}[.-]?)?\d+(?:[.-]\d+)*[a-z]?|[IVXL]+\b|[A-Z]\b)[.:|]?",
    re.IGNORECASE,
)
_SIGNS: Final = " \n\t.:|\u2013\u2014-"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCaption:
    """A caption as read: what it is of, its number (capitals, empty where none is printed), its text without label and number,
    page, the id of its table or figure (None: none has it) and of its component (None: it has none of its own)."""

    kind: FloatKind
    number: str
    text: str
    page: int | None
    target: str | None
    component: str | None = None

    @property
    def name(self) -> str:
        """What people call the thing: ``Table 3``; without a number the beginning of the text."""
        return f"{self.kind.capitalize()} {self.number}" if self.number else f"{self.kind} “{self.text[:20].strip()}”"


def parted(text: str) -> tuple[FloatKind | None, str, str]:
    """Return of a caption what it is of (None: it does not say), its number, and its text without both."""
    found = _LABELLED.match(text)
    if found is None:
        return None, "", text
    kind: FloatKind = "table" if found["label"].casefold().startswith("tab") else "figure"
    return kind, found["number"].strip(_SIGNS).upper(), text[found.end() :].lstrip(_SIGNS)


def bare_caption(caption: Caption | None) -> str:
    """Return the text of a caption without label and number; empty for none."""
    return parted(caption.text)[2] if caption is not None else ""


def read_captions(document: Document) -> tuple[ReadCaption, ...]:
    """Return the captions of tables and figures: those that a float carries, in order, then those that none does.

    A caption that several floats share stands once. A component that is a caption and that no table or figure has, has none,
    whatever it names as its target.
    """
    carried = list(dict.fromkeys(_carried(document)))
    texts = {" ".join(caption.text.split()) for caption, _, _ in carried}
    found = []
    for caption, kind, target in carried:
        _, number, text = parted(caption.text)
        number = (caption.number or "").strip(_SIGNS).upper() or number
        found.append(ReadCaption(kind=kind, number=number, text=text, page=caption.page_num, target=target))
    for component in document.components:
        if component.kind != "caption" or " ".join(component.text.split()) in texts:
            continue
        said, number, text = parted(component.text)
        if said is not None:
            page = component.provenance.page_num
            found.append(ReadCaption(kind=said, number=number, text=text, page=page, target=None, component=component.id))
    return tuple(found)


def _carried(document: Document) -> Iterator[tuple[Caption, FloatKind, str]]:
    seen: set[Caption] = set()
    for table in document.tables:
        for caption in (table.caption, *(part.caption for part in table.parts)):
            if caption is not None and caption not in seen:
                seen.add(caption)
                yield caption, "table", table.id
    for figure in document.figures:
        if figure.caption is not None and figure.caption not in seen:
            seen.add(figure.caption)
            yield figure.caption, "figure", figure.id
