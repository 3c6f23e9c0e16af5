"""The components of a source as the alignment compares them: folded to keys, in which sources agree that print differently.

A key holds neither citations, mentions and inline mathematics, where the source marks them, nor case, accents, spaces,
punctuation and single letters. Equations have the key of their signs, and that of their TeX.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from variorum.document import BibliographyEntry, Document, TextComponent
from variorum.fusion.model import ComponentType, Part, Source, SourceKind

_WORD: Final = re.compile(r"[^\W_]+")
_VERSION: Final = re.compile(r"v\d+$")
_SIGN: Final = re.compile(r"[^\s{}^_\\~]")
_TEX_NAME: Final = re.compile(r"\\(?:[A-Za-z]+\*?|.)")
_TEX_DROPPED: Final = re.compile(
    r"\\(?:label|tag|hspace|vspace|ref|eqref)\*?\{[^{}]*\}|\\(?:begin|end)\{[^{}]*\}(?:\{[^{}]*\})?"
)
_TEX_FORM: Final = re.compile(
    r"left|right|middle|[bB]igg?[lr]?|math(?:rm|it|bf|sf|tt|normal|cal|op|bin|rel|ord|open|close|strut)|text(?:rm|it|bf|sf|tt|normal)?|"
    r"[mh]box|rm|it|bf|sf|tt|cal|bm|pmb|boldsymbol|boldmath|operatorname\*?|(?:display|text|(?:script)+)style|(?:no)?limits|"
    r"nonumber|notag|q?quad|thinspace|hline|ensuremath|strut|[vh]?phantom"
)
"""Names in TeX that say how something is set, not what it is."""
_TEX_ALIKE: Final[Mapping[str, str]] = {
    "le": "leq",
    "ge": "geq",
    "ne": "neq",
    "to": "rightarrow",
    "gets": "leftarrow",
    "lbrace": "{",
    "rbrace": "}",
    "vert": "|",
    "mid": "|",
    "Vert": "||",
    "dots": "ldots",
    "dfrac": "frac",
    "tfrac": "frac",
    "over": "frac",
    "lvert": "|",
    "rvert": "|",
    "lVert": "||",
    "rVert": "||",
}
"""Names in TeX that print the same sign."""

TYPE_OF_KIND: Final[Mapping[str, ComponentType]] = {
    "title": "heading",
    "heading": "heading",
    "paragraph": "paragraph",
    "list_item": "paragraph",
    "code": "paragraph",
    "byline": "paragraph",
    "footnote": "paragraph",
    "caption": "paragraph",
    "equation": "equation_display",
    "bibliography_entry": "bibliography",
    "table": "table",
    "figure": "figure",
}
"""The row of the confidence matrix for each kind of component."""
_PART_OF_KIND: Final[Mapping[str, Part]] = {
    "title": "front",
    "byline": "front",
    "footnote": "footnote",
    "bibliography_entry": "bibliography",
}


@dataclass(frozen=True, slots=True)
class Key:
    """What is compared of a text: `bare` without mathematics (as `full` unless `is_marked`), `full` with it, and its `tex`."""

    bare: str
    full: str
    tex: str = ""
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """One component of a source, or a run of them read as one: ids in order, key, features, number, kind of the first.

    `features` are pairs of neighbouring words and the whole key: what finds the same text elsewhere without comparing.
    `identities` name the work that an entry of the references is about: DOI, arXiv number, first author with year. `places` are
    the indices of the components in their document.
    """

    source: SourceKind
    components: tuple[str, ...]
    kind: str
    part: Part
    type: ComponentType
    key: Key
    features: frozenset[str]
    number: str = ""
    identities: frozenset[str] = frozenset()
    places: tuple[int, ...] = (0,)

    @property
    def place(self) -> int:
        """The index of the first component in its document."""
        return self.places[0]


def join(pieces: Sequence[Piece]) -> Piece:
    """Return a run of pieces of one source as one; its kind is that of the first paragraph, else that of the first piece."""
    if len(pieces) == 1:
        return pieces[0]
    first = next((p for p in pieces if p.type == "paragraph"), pieces[0])
    named = [(place, name) for p in pieces for place, name in zip(p.places, p.components, strict=True)]
    named.sort(key=lambda n: n[0])
    return Piece(
        source=first.source,
        components=tuple(name for _, name in named),
        kind=first.kind,
        part=first.part,
        type=first.type,
        key=join_keys([p.key for p in pieces], is_formula=first.type == "equation_display"),
        features=frozenset().union(*(p.features for p in pieces)),
        number=next((p.number for p in pieces if p.number), ""),
        identities=frozenset().union(*(p.identities for p in pieces)),
        places=tuple(place for place, _ in named),
    )


def join_keys(keys: Sequence[Key], *, is_formula: bool) -> Key:
    """Return the key of several texts read as one; TeX only where all are formulas, and all of them have it."""
    return Key(
        "".join(k.bare for k in keys),
        "".join(k.full for k in keys),
        "".join(k.tex for k in keys) if is_formula and all(k.tex for k in keys) else "",
        all(k.is_marked for k in keys),
    )


def fold(text: str) -> str:
    """Return a text without case, accents and the forms of letters (ligatures, raised and double-struck type)."""
    if text.isascii():
        return text.lower()
    spread = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in spread if not unicodedata.combining(c))


def words_of(text: str) -> list[str]:
    """Return the folded words of a text: numbers and what has at least two letters; all of them where there are no others."""
    found = _WORD.findall(fold(text))
    return [w for w in found if len(w) > 1 or w.isdigit()] or found


def signs_key(text: str) -> str:
    """Return the folded signs of a formula as it is read, without spaces and the marks of raised and lowered type."""
    return "".join(_SIGN.findall(fold(text)))


def tex_key(tex: str) -> str:
    """Return the TeX of a formula without what only says how it is set; names that print the same are the same."""

    def named(match: re.Match[str]) -> str:
        name = match[0][1:]
        if _TEX_FORM.fullmatch(name) or not (name[0].isalpha() or name in "|%&#$_"):
            return ""
        return _TEX_ALIKE.get(name, name)

    bare = _TEX_NAME.sub(named, _TEX_DROPPED.sub("", tex))
    return "".join(c for c in bare if c not in "{}& \t\r\n~,.;")


def formula_key(text: str, tex: str | None) -> Key:
    """Return the key of a formula: that of its signs, and that of its TeX where the source has it."""
    signs = signs_key(text)
    return Key(signs, signs, tex_key(tex or ""))


def without(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """Return a text without the stretches, given as (start, end); a space stands for each."""
    kept, done = [], 0
    for start, end in sorted(stretches):
        if start >= done:
            kept += [text[done:start], " "]
        done = max(done, end)
    return "".join([*kept, text[done:]])


@dataclass(frozen=True, slots=True)
class Marks:
    """Where citations and mentions stand in the texts of a document, and where mathematics does: (start, end) by component.

    `has_formulas` says that the document marks its inline mathematics at all.
    """

    named: Mapping[str, list[tuple[int, int]]]
    formulas: Mapping[str, list[tuple[int, int]]]
    has_formulas: bool


def marks_of(document: Document) -> Marks:
    """Return the marks in a document's texts."""
    named: dict[str, list[tuple[int, int]]] = {}
    formulas: dict[str, list[tuple[int, int]]] = {}
    for citation in document.citations:
        named.setdefault(citation.component, []).append((citation.start, citation.end))
    for mention in document.mentions:
        named.setdefault(mention.component, []).append((mention.start, mention.end))
    for formula in document.inline_equations:
        formulas.setdefault(formula.component, []).append((formula.start, formula.end))
    return Marks(named, formulas, bool(formulas))


def pieces_of(source: Source) -> list[Piece]:
    """Return the pieces of a source's text in order: all components but furniture, captions of floats and floats themselves."""
    marks = marks_of(source.document)
    entries = {entry.id: identities_of(entry) for entry in source.document.bibliography}
    return [
        replace(_piece(component, source.kind, marks, entries.get(component.id, frozenset())), places=(place,))
        for place, component in enumerate(source.document.components)
        if component.kind not in ("table", "figure", "furniture") and (component.kind != "caption" or component.target is None)
    ]


def keys_of_captions(document: Document) -> dict[str, Key]:
    """Return the key of the caption of each float that has one, by the float's id."""
    marks = marks_of(document)
    captions = [c for c in document.components if c.kind == "caption"]
    return {c.target: _text_key(c, marks)[0] for c in captions if c.target is not None}


def _piece(component: TextComponent, source: SourceKind, marks: Marks, identities: frozenset[str]) -> Piece:
    if component.kind == "equation":
        key = formula_key(component.text, component.tex)
        features = frozenset(k for k in (key.full, key.tex) if k)
    else:
        key, features = _text_key(component, marks)
    return Piece(
        source=source,
        components=(component.id,),
        kind=component.kind,
        part=_PART_OF_KIND.get(component.kind, "flow"),
        type=TYPE_OF_KIND[component.kind],
        key=key,
        features=features | identities,
        number=bare_number(component.number),
        identities=identities,
    )


def identities_of(entry: BibliographyEntry) -> frozenset[str]:
    """Return what names the work of an entry: its DOI, its arXiv number, the first author's family name with the year."""
    found = [f"doi {fold(entry.doi)}"] if entry.doi else []
    if entry.arxiv_id:
        found.append(f"arxiv {_VERSION.sub('', entry.arxiv_id)}")
    if entry.authors and entry.year:
        author = entry.authors[0]
        names = words_of(author.split(",")[0]) if "," in author else words_of(author)[-1:]
        found.append(" ".join(["by", *names, entry.year]))
    return frozenset(found)


def _text_key(component: TextComponent, marks: Marks) -> tuple[Key, frozenset[str]]:
    cut = [*_label(component), *marks.named.get(component.id, [])]
    formulas = marks.formulas.get(component.id, [])
    full = words_of(without(component.text, cut))
    bare = words_of(without(component.text, [*cut, *formulas])) if formulas else full
    key = Key("".join(bare), "".join(full) or signs_key(component.text), "", marks.has_formulas and bool(bare))
    return key, frozenset([*(f"{a} {b}" for a, b in pairwise(full)), *([key.full] if key.full else [])])


def _label(component: TextComponent) -> list[tuple[int, int]]:
    """Return where the number of a heading or an entry stands, or the label of a caption (``Fig. 3.``)."""
    number = component.number or ""
    if component.kind == "caption":
        label = re.match(rf"\W*[^\W\d_]+\.?\s*{re.escape(number)}(?!\w)", component.text) if number else None
        return [label.span()] if label else []
    return [(0, len(number))] if number and component.text.startswith(number) else []


def bare_number(number: str | None) -> str:
    """Return a printed number without brackets, dots at its end and case: ``(3.a).`` is ``3.a``; empty where there is none."""
    return fold(number or "").strip("()[] .:")
