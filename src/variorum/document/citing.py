"""Which passages of a paper name a table, figure, equation or section, or cite an entry of the list of references."""

from __future__ import annotations

import re
from typing import Final

from variorum.document.model import Document, TextComponent
from variorum.errors import UsageError

_KINDS: Final = (
    ("table", re.compile(r"tab(?:le)?s?\.?", re.IGNORECASE)),
    ("figure", re.compile(r"fig(?:ure)?s?\.?", re.IGNORECASE)),
    ("equation", re.compile(r"(?:eq(?:uatio)?n?s?|formula)\.?", re.IGNORECASE)),
    ("section", re.compile(r"(?:(?:sub)?sect?(?:ion)?s?|appendix|app)\.?|§", re.IGNORECASE)),
)
_WORDS_AROUND: Final = 60
"""Characters shown on either side of a name."""
_NAME: Final = re.compile(r"(?P<label>[^\W\d_]+\.?|§)\s*(?P<number>\S+)")


def passages_citing(document: Document, target: str) -> tuple[TextComponent, ...]:
    """Return the components whose text names the target, in reading order, each once.

    The target is an id (of a table or a part of it, a figure, an equation, a heading, an entry of the references), or a name as
    printed: ``Table 3``, ``Figure A.1``, ``Eq. (4)``, ``Section 2.1``. A name that the text has, of a float that was not found,
    is answered too. Raises UsageError when it is neither an id nor a name.
    """
    asked = target.strip()
    wanted = {table.id for table in document.tables for name in (table.id, *(p.id for p in table.parts)) if name == asked}
    ids = {c.id for c in document.components} | {f.id for f in document.figures}
    wanted |= {asked} & ids
    if wanted:
        citing = {m.component for m in document.mentions if m.target in wanted}
        citing |= {c.component for c in document.citations if not wanted.isdisjoint(c.targets)}
    else:
        kind, number = _named(document, asked)
        citing = {m.component for m in document.mentions if m.kind == kind and _plain(m.number) == number}
    return tuple(component for component in document.components if component.id in citing)


def explain_passages(document: Document, target: str) -> str:
    """Return the passages that name the target, a line each with page and words around the name; empty where none does.

    Raises UsageError when the target is neither an id nor a name.
    """
    lines = [
        f"  page {c.provenance.page_num or '?'}, {c.kind}: {_around(document, c, target)}" for c in _naming(document, target)
    ]
    return "\n".join(["named in the text:", *lines]) if lines else ""


def contexts_naming(document: Document, target: str) -> tuple[str, ...]:
    """Return the words around each passage that names the target, in reading order; raises UsageError as `passages_citing`."""
    return tuple(_around(document, component, target) for component in _naming(document, target))


def _naming(document: Document, target: str) -> list[TextComponent]:
    """Return the passages that name the target, without its own caption."""
    own = {c.id for c in document.components if c.kind == "caption" and c.target == target}
    return [c for c in passages_citing(document, target) if c.id not in own]


def _around(document: Document, component: TextComponent, target: str) -> str:
    """Return the words around the first place of a component that names the target."""
    marks = [m for m in document.mentions if m.component == component.id and m.target == target]
    text = component.text
    start, end = (marks[0].start, marks[0].end) if marks else (0, 0)
    before, after = text[max(0, start - _WORDS_AROUND) : start], text[end : end + _WORDS_AROUND]
    if start > _WORDS_AROUND:
        before = "…" + before.partition(" ")[2]
    if end + _WORDS_AROUND < len(text):
        after = after.rpartition(" ")[0] + "…"
    return " ".join(f"{before}{text[start:end]}{after}".split())


def _named(document: Document, asked: str) -> tuple[str, str]:
    """Return the kind and number of a name as printed."""
    match = _NAME.fullmatch(asked)
    kind = next((k for k, label in _KINDS if match and label.fullmatch(match["label"])), None)
    if match is None or kind is None:
        hint = "an id of this document, or a name such as 'Table 3', 'Figure A.1', 'Eq. (4)', 'Section 2.1'"
        raise UsageError(f"{asked!r} names nothing in the paper", where=document.source_name or document.key, hint=hint)
    return kind, _plain(match["number"])


def _plain(number: str) -> str:
    return number.strip("().: ").replace("-", ".").casefold()
