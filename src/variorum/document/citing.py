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
