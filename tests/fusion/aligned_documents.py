"""Sources made by hand for the tests of alignment: components in order, with the marks in them, and texts of made-up words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from random import Random

from variorum.document import (
    BibliographyEntry,
    Caption,
    Cell,
    Citation,
    Document,
    Figure,
    InlineEquation,
    Provenance,
    Table,
    TextComponent,
)
from variorum.fusion.model import Alignment, Position, Source, SourceKind

_SYLLABLES = ("ba", "den", "ki", "lor", "mu", "na", "pi", "ras", "sol", "tem", "vu", "zek", "hor", "gri", "fel", "yo")
_MARK = re.compile(r"<(?P<cite>[\w,-]*)>|\$(?P<tex>[^$]*)\$")
WORDS = tuple(a + b + c for a in _SYLLABLES[:8] for b in _SYLLABLES[4:12] for c in _SYLLABLES[8:])


def prose(number: int, n_words: int = 40) -> str:
    """Return a sentence of made-up words, another one for each number."""
    rng = Random(number)
    return " ".join(rng.choice(WORDS) for _ in range(n_words)).capitalize() + "."


def component(name: str, kind: str, text: str = "", **fields: object) -> TextComponent:
    """Return a component of a document."""
    return TextComponent(id=name, kind=kind, text=text, provenance=Provenance(source="test", method="hand"), **fields)  # type: ignore[arg-type]


def table(name: str, rows: Sequence[Sequence[str]], number: str | None = None, caption: str = "") -> Table:
    """Return a table with these rows of text."""
    cells = tuple(Cell(row=r, col=c, text=text) for r, row in enumerate(rows) for c, text in enumerate(row))
    said = Caption(text=caption, label="Table", number=number) if caption else None
    place = Provenance(source="test", method="hand")
    n_cols = len(rows[0]) if rows else 0
    return Table(id=name, n_rows=len(rows), n_cols=n_cols, cells=cells, provenance=place, number=number, caption=said)


def figure(name: str, number: str | None = None, caption: str = "", text: str = "") -> Figure:
    """Return a figure."""
    said = Caption(text=caption, label="Figure", number=number) if caption else None
    place = Provenance(source="test", method="hand")
    return Figure(id=name, provenance=place, kind="raster", number=number, caption=said, text=text)


def source(
    kind: SourceKind,
    components: Iterable[TextComponent],
    *,
    tables: Sequence[Table] = (),
    figures: Sequence[Figure] = (),
    entries: Mapping[str, BibliographyEntry] | None = None,
) -> Source:
    """Return a source with these components.

    In their texts ``<ref-1,ref-2>`` is a citation of these entries, printed as ``[1,2]``, ``<>`` one that leads nowhere
    (``[?]``), and ``$x$`` inline mathematics. Floats that no component stands for come last, with their captions.
    """
    marked = [_marked(c) for c in components]
    standing = {c.target for c, _, _ in marked if c.kind in ("table", "figure")}
    floats = [("table", t.id, t.caption) for t in tables] + [("figure", f.id, f.caption) for f in figures]
    kept = [c for c, _, _ in marked]
    for float_kind, name, caption in floats:
        if name not in standing:
            kept.append(component(f"at-{name}", float_kind, target=name))
        if caption is not None:
            kept.append(component(f"cap-{name}", "caption", caption.text, number=caption.number, target=name))
    bibliography = [c for c in kept if c.kind == "bibliography_entry"]
    document = Document(
        key=kind,
        source_name=kind,
        sha256="0" * 64,
        page_count=0,
        pages=(),
        components=tuple(kept),
        tables=tuple(tables),
        figures=tuple(figures),
        bibliography=tuple((entries or {}).get(c.id, BibliographyEntry(id=c.id)) for c in bibliography),
        citations=tuple(m for _, marks, _ in marked for m in marks),
        inline_equations=tuple(m for _, _, marks in marked for m in marks),
    )
    return Source(kind=kind, name=f"{kind}.file", sha256="0" * 64, document=document)


def _marked(given: TextComponent) -> tuple[TextComponent, list[Citation], list[InlineEquation]]:
    text, done = "", 0
    citations: list[Citation] = []
    formulas: list[InlineEquation] = []
    for match in _MARK.finditer(given.text):
        text += given.text[done : match.start()]
        start, done = len(text), match.end()
        if match["tex"] is not None:
            text += match["tex"]
            formulas.append(InlineEquation(component=given.id, start=start, end=len(text), text=match["tex"], tex=match["tex"]))
        else:
            targets = tuple(name for name in match["cite"].split(",") if name)
            text += f"[{','.join(t.rpartition('-')[2] for t in targets) or '?'}]"
            citations.append(
                Citation(component=given.id, start=start, end=len(text), text=text[start:], style="numeric", targets=targets)
            )
    text += given.text[done:]
    fields = {name: getattr(given, name) for name in ("level", "number", "target", "note", "tex")}
    return component(given.id, given.kind, text, **fields), citations, formulas


def paragraphs(*numbers: int, prefix: str = "par") -> list[TextComponent]:
    """Return a paragraph of made-up words for each number; its id has the number."""
    return [component(f"{prefix}-{n}", "paragraph", prose(n)) for n in numbers]


def said(position: Position) -> dict[str, tuple[str, ...]]:
    """Return what each source says at a position: ids by source; of an inline item its text's id and its index."""
    return {r.source: r.components if r.item is None else (*r.components, str(r.item)) for r in position.readings}


def places(alignment: Alignment, part: str | None = None) -> list[dict[str, tuple[str, ...]]]:
    """Return what the sources say at each position of a part, inline items aside; of all parts without one."""
    return [said(p) for p in alignment.positions if p.part == part or (part is None and p.part != "inline")]


def inline(alignment: Alignment, type_: str) -> list[dict[str, tuple[str, ...]]]:
    """Return what the sources say at each position of inline items of a type."""
    return [said(p) for p in alignment.positions if p.part == "inline" and p.type == type_]
