"""What each section of a paper is: abstract, introduction, methods … with how sure and why.

By name first, whole or in part; parts of a section are what the section is; then by place: numbered letters behind the
references are an appendix, the first nameless section behind the abstract introduces. An abstract without a heading is the text
between the byline and the first heading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from variorum.document.model import ComponentKind
from variorum.document.paper_model import Section, SectionLabel
from variorum.layout.section_names import is_other_name, label_of_name, label_of_words

_FRONT: Final = ("title", "byline")
_TEXT: Final = ("paragraph", "list_item", "equation", "code")
_LATE: Final = ("results", "discussion", "conclusion")


@dataclass(frozen=True, slots=True)
class SectionPiece:
    """A component of the text in reading order, as far as it tells what a section is: its id, kind, text without a number, and
    of a heading the level from 1 and the printed number."""

    id: str
    kind: ComponentKind
    text: str
    level: int | None = None
    number: str | None = None


@dataclass(frozen=True, slots=True)
class _Label:
    label: SectionLabel
    confidence: float
    reason: str
    is_other: bool = False
    """Whether it is, or is part of, a known part of papers that has no label."""


_UNSEEN: Final = _Label("unknown", 0.0, "")


def label_sections(pieces: Sequence[SectionPiece]) -> tuple[Section, ...]:
    """Return the sections of a paper in reading order, without gaps: each heading of any level begins one.

    `pieces` are the components in reading order. Confidences are 1 for a whole name, a half and less for what is concluded from
    a word, from the section around, or from the place.
    """
    heads = [i for i, p in enumerate(pieces) if p.kind == "heading"]
    labels = _labels(pieces, heads)
    sections = list(_front_sections(pieces, heads[0] if heads else len(pieces), labels[0] if labels else None))
    for k, start in enumerate(heads):
        stop = heads[k + 1] if k + 1 < len(heads) else len(pieces)
        found = labels[k]
        sections.append(
            Section(
                label=found.label,
                confidence=found.confidence,
                reason=found.reason,
                first=pieces[start].id,
                last=pieces[stop - 1].id,
                heading=pieces[start].id,
            )
        )
    return tuple(sections)


def _front_sections(pieces: Sequence[SectionPiece], stop: int, first: _Label | None) -> list[Section]:
    """Return what stands before the first heading: the preamble, and the abstract where there is text that nothing names."""
    if not stop:
        return []
    texts = [i for i in range(stop) if pieces[i].kind in _TEXT]
    names = [i for i in range(stop) if pieces[i].kind in _FRONT]
    begin = next((i for i in texts if not names or i > names[0]), stop)
    if first is None or first.label == "abstract":
        begin = stop
    sections = []
    if begin:
        reason = "before the abstract and the first heading"
        sections.append(Section(label="preamble", confidence=1.0, reason=reason, first=pieces[0].id, last=pieces[begin - 1].id))
    if begin < stop:
        follows = first is not None and first.label == "introduction"
        reason = "text without a heading between the byline and the " + ("introduction" if follows else "first heading")
        sections.append(
            Section(
                label="abstract",
                confidence=1.0 if follows and names else 1 / 2,
                reason=reason,
                first=pieces[begin].id,
                last=pieces[stop - 1].id,
            )
        )
    return sections


def _labels(pieces: Sequence[SectionPiece], heads: Sequence[int]) -> list[_Label]:
    own = [_by_name(pieces[i]) for i in heads]
    levels = [pieces[i].level or 1 for i in heads]
    top = min(levels, default=1)
    own = _late_summaries(own, levels, top)
    own = _appendices(pieces, heads, own, levels, top)
    own = _by_place(own, levels, top)
    return _inherited(pieces, heads, own, levels, top)


def _by_name(piece: SectionPiece) -> _Label:
    if (label := label_of_name(piece.text)) is not None:
        return _Label(label, 1.0, f"sections of this kind are called “{piece.text.strip(' .:')}”")
    if is_other_name(piece.text):
        return _Label("unknown", 1.0, f"“{piece.text.strip(' .:')}” is none of the kinds of sections that are told apart")
    if (label := label_of_words(piece.text)) is not None:
        return _Label(label, 1 / 2, f"a word of “{piece.text.strip(' .:')}” points to it")
    return _UNSEEN


def _late_summaries(own: Sequence[_Label], levels: Sequence[int], top: int) -> list[_Label]:
    """Return the labels with a summary behind results or a discussion as a conclusion."""
    out: list[_Label] = []
    late = False
    for found, level in zip(own, levels, strict=True):
        if found.label == "abstract" and late:
            found = _Label("conclusion", found.confidence / 2, "a summary behind the results")
        late = late or (level == top and found.label in (*_LATE, "methods"))
        out.append(found)
    return out


def _appendices(
    pieces: Sequence[SectionPiece], heads: Sequence[int], own: Sequence[_Label], levels: Sequence[int], top: int
) -> list[_Label]:
    """Return the labels with what stands behind the references, or bears letters at the end, as appendix."""
    out = list(own)
    behind, lettered = False, False
    digits = any((pieces[i].number or "")[:1].isdigit() for i in heads)
    for k, i in enumerate(heads):
        number = pieces[i].number or ""
        if levels[k] == top:
            lettered = (digits and number[:1].isalpha() and number[:1] not in "IVX") or (lettered and not number[:1].isdigit())
        if out[k].label == "appendix" and out[k].confidence >= 1:
            behind = True
            continue
        is_named = out[k].confidence >= 1
        if number[:1].isalpha() and digits and not is_named and (behind or lettered or number[:1] == "A"):
            out[k] = _Label("appendix", 1.0, f"number {number} is a letter, and the sections before have digits")
        elif behind and not is_named and levels[k] == top:
            out[k] = _Label("appendix", 1 / 2, "behind the references")
        behind = behind or out[k].label == "references"
    return out


def _by_place(own: Sequence[_Label], levels: Sequence[int], top: int) -> list[_Label]:
    """Return the labels with a nameless first section as introduction, and one between introduction and results as methods."""
    out = list(own)
    tops = [k for k, level in enumerate(levels) if level == top]
    names = {out[k].label for k in tops}
    if "introduction" not in names:
        first = next((k for k in tops if out[k].label != "abstract"), None)
        if first is not None and out[first] == _UNSEEN:
            out[first] = _Label("introduction", 1 / 2, "the first section of the text")
    if "methods" not in names:
        ends = [k for k in tops if out[k].label in _LATE]
        begins = [k for k in tops if out[k].label in ("introduction", "background")]
        for k in tops:
            if out[k] == _UNSEEN and begins and ends and begins[0] < k < ends[0]:
                out[k] = _Label("methods", 1 / 2, "between introduction and results")
    return out


def _inherited(
    pieces: Sequence[SectionPiece], heads: Sequence[int], own: Sequence[_Label], levels: Sequence[int], top: int
) -> list[_Label]:
    """Return the labels with those of the section around for its parts.

    A known part of papers without a label stays what it is, and hands that to its own parts.
    """
    out: list[_Label] = []
    stack: list[tuple[int, _Label, str]] = []
    for i, found, level in zip(heads, own, levels, strict=True):
        while stack and stack[-1][0] >= level:
            stack.pop()
        around = stack[-1][1] if stack else _UNSEEN
        is_other = found.label == "unknown" and found.confidence >= 1
        if (around.label != "unknown" or around.is_other) and not is_other:
            reason = f"part of “{stack[-1][2]}”"
            found = _Label(around.label, min(around.confidence, 1 / 2), reason, is_other=around.is_other)
        elif is_other:
            found = replace(found, is_other=True)
        elif found == _UNSEEN:
            found = replace(found, confidence=1 / 2, reason="neither name nor place say what it is")
        stack.append((level, found, pieces[i].text.strip(" .:")))
        out.append(found)
    return out
