"""A paper's LaTeX source as a document: `read_latex`.

TeX is never run. The files are put together and macros expanded (`latex_macros`), the tokens made a tree (`latex_tree`), and
the body read in order (`latex_flow`). What citations and references print is settled last, when all numbers are known.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from variorum._version import __version__
from variorum.document.keys import make_component_id, paper_key
from variorum.document.model import Cell, Document, Notice, Table, TextComponent
from variorum.document.paper_model import BibliographyEntry, Citation, Figure, InlineEquation, Mention, PaperIdentity
from variorum.document.placing import Caption, Provenance
from variorum.errors import DamagedInputError
from variorum.layout.entry_parsing import parse_entry
from variorum.layout.section_labels import SectionPiece, label_sections
from variorum.sources.latex_bibliography import Reference, in_alphabet, in_order_cited, is_sorted, read_bib
from variorum.sources.latex_files import SourceFiles, open_source
from variorum.sources.latex_flow import FloatPiece, Flow, Piece, Target
from variorum.sources.latex_formulas import FORMULA_CLOSE, FORMULA_OPEN, OPENING, place_of, without_formula_signs
from variorum.sources.latex_macros import Expander
from variorum.sources.latex_numbers import Counters
from variorum.sources.latex_text import CITES, MARK, Mark, tidy
from variorum.sources.latex_tokens import BEGIN, END
from variorum.sources.latex_tree import build_tree

SOURCE: Final = "latex"
_MARKS: Final = re.compile(f"{MARK.pattern}|{OPENING}|{FORMULA_CLOSE}")
_BODY: Final = "document"
_RASTER: Final = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff")
_AUTHOR_YEAR_STYLES: Final = ("plainnat", "abbrvnat", "apalike", "apj", "yahapj", "aasjournal", "acl_natbib", "agsm", "chicago")
_IN_TEXT: Final = ("\\citet", "\\Citet", "\\textcite", "\\Textcite", "\\citeA", "\\newcite", "\\citeN")
_NUMBERED: Final = ("numbers", "numeric", "numbered")
"""Options of natbib, of biblatex and of classes by which entries are cited by number, though they have names and years."""
_PLAIN: Final = ("\\citealt", "\\citealp", "\\Citealt", "\\citeNP")
_REFERENCE_WORDS: Final = {"table": "Table", "figure": "Figure", "equation": "Equation", "section": "Section"}
_NAMES_BEFORE: Final = (
    r"Tables?|Tabs?\.?|Tbl\.?|Figures?|Figs?\.?|Equations?|Eqs?\.?|Eqns?\.?|Sections?|Secs?\.?|Sect\.?|Append(?:ix|ices)|App\.?"
)
_BEFORE: Final = re.compile(rf"(?:\b(?:{_NAMES_BEFORE})|§§?)\s*\(?$", re.IGNORECASE)


def read_latex(path: str | os.PathLike[str]) -> Document:
    """Return the document that a LaTeX source describes: a folder, a ``.tex`` file, a ``.tar.gz``, ``.zip`` or ``.gz``.

    Components, tables and figures have provenance ``latex`` and neither page nor box. Raises InputNotFoundError when there is
    nothing at the path, DamagedInputError when it is no LaTeX source, leads out of itself, or does not come to an end.
    """
    files = open_source(path)
    expander = Expander(files)
    tokens = expander.expand()
    where = f"{files.where}: {files.main}"
    if BEGIN + _BODY in tokens and END + _BODY not in tokens:
        expander.notes.insert(0, "ends without \\end{document}: it may be cut off, and what is missing is not known")
    flow = Flow(where, Counters(expander.document_class), expander.theorems)
    flow.read(build_tree(tokens, where))
    references = list(flow.references) or _from_bib(flow, expander, files)
    if not flow.pieces and not flow.floats:
        raise DamagedInputError("the source has no text", where=where, hint="give the main file of the paper")
    return _Closing(files, expander, flow, _unique(references)).document(path)


def _unique(references: Sequence[Reference]) -> list[Reference]:
    return list({r.key: r for r in reversed(references)}.values())[::-1]


def _from_bib(flow: Flow, expander: Expander, files: SourceFiles) -> list[Reference]:
    """Return the cited entries of the ``.bib`` files that the source names."""
    found: dict[str, Reference] = {}
    for asked in expander.bibliographies:
        name = files.find(asked, (".bib",))
        if name is None:
            expander.notes.append(f"the list of references {asked!r} is not in the source")
            continue
        for key, entry in read_bib(files.text(name), f"{files.where}: {name}", flow.setter).items():
            found.setdefault(key, entry)
    cited = [key for mark in flow.setter.marks if mark.command in CITES for key in mark.keys]
    listed = in_order_cited(found, cited)
    return list(in_alphabet(listed) if is_sorted(expander.bibliography_style, expander.packages) else listed)


@dataclass(frozen=True, slots=True)
class _Printed:
    """What a mark prints; what kind of mark it is, and what it leads to, or the TeX of a formula."""

    text: str
    kind: Literal["citation", "mention", "formula"] | None = None
    style: Literal["numeric", "superscript", "author-year"] = "numeric"
    targets: tuple[str, ...] = ()
    target: Target | None = None
    tex: str | None = None


class _Closing:
    """Puts the document together: ids of references, what marks print, sections."""

    def __init__(self, files: SourceFiles, expander: Expander, flow: Flow, references: Sequence[Reference]) -> None:
        self.files = files
        self.expander = expander
        self.flow = flow
        self.references = references
        self.entries = {r.key: r for r in references}
        self.places = {r.key: i for i, r in enumerate(references, start=1)}
        labelled = sum(1 for r in references if r.authors)
        options = ",".join((expander.packages.get("natbib", ""), expander.packages.get("biblatex", ""), expander.class_options))
        is_numbered = any(name in options.casefold() for name in _NUMBERED)
        self.is_author_year = 2 * labelled > len(references) and not is_numbered
        if not flow.references:
            self.is_author_year = self.is_author_year and "authoryear" in options
        taken = {p.id for p in flow.pieces} | {f.id for f in flow.floats}
        self.ids: dict[str, str] = {}
        for i, reference in enumerate(references, start=1):
            label = reference.label or (None if self.is_author_year else str(i))
            name = make_component_id("bibliography_entry", label, i, taken=taken)
            taken.add(name)
            self.ids[reference.key] = name
        self.unknown: list[str] = []

    def document(self, path: str | os.PathLike[str]) -> Document:
        """Return the document."""
        components: list[TextComponent] = []
        citations: list[Citation] = []
        mentions: list[Mention] = []
        formulas: list[InlineEquation] = []
        at = self.flow.list_at if self.flow.list_at is not None else len(self.flow.pieces)
        for i, piece in enumerate([*self.flow.pieces, None]):
            if i == at:
                components += [self._entry(r, n, formulas) for n, r in enumerate(self.references, start=1)]
            if piece is not None:
                components.append(self._component(piece, citations, mentions, formulas))
        bibliography: list[BibliographyEntry] = []
        for component in components:
            if component.kind == "bibliography_entry":
                above = bibliography[-1].authors if bibliography else ()
                bibliography.append(parse_entry(component.id, component.text, component.number, above))
        sha256 = self.files.sha256
        notes = [*self.files.notes, *self.expander.notes, *self.flow.notes]
        notes += [f"nothing in the source is called {name!r}" for name in dict.fromkeys(self.unknown)]
        pieces = [SectionPiece(c.id, c.kind, _without_number(c), c.level, c.number) for c in components]
        return Document(
            key=paper_key(Path(path), sha256),
            source_name=Path(path).name,
            sha256=sha256,
            page_count=0,
            pages=(),
            components=tuple(components),
            tables=tuple(self._table(f) for f in self.flow.floats if f.kind == "table"),
            figures=tuple(self._figure(f) for f in self.flow.floats if f.kind == "figure"),
            notices=tuple(Notice(severity="warning", what=f"{self.files.main}: {n}") for n in dict.fromkeys(notes)),
            software=f"variorum {__version__}",
            identity=PaperIdentity(title=self._plain(self.flow.title), authors=tuple(map(self._plain, self.flow.authors))),
            sections=label_sections(pieces),
            bibliography=tuple(bibliography),
            citations=tuple(citations),
            inline_equations=tuple(formulas),
            mentions=tuple(mentions),
        )

    def _entry(self, reference: Reference, place: int, formulas: list[InlineEquation]) -> TextComponent:
        label = reference.label or (None if self.is_author_year else str(place))
        text, marks = self._resolved(reference.text)
        if tidy(text) == text:
            formulas += _formulas(self.ids[reference.key], text, marks)
        return TextComponent(
            id=self.ids[reference.key],
            kind="bibliography_entry",
            text=tidy(text),
            provenance=Provenance(source=SOURCE, method="bibliography"),
            number=f"[{label}]" if label else None,
            note=f"key {reference.key}",
        )

    def _component(
        self, piece: Piece, citations: list[Citation], mentions: list[Mention], formulas: list[InlineEquation]
    ) -> TextComponent:
        text, marks = self._resolved(piece.text)
        formulas += _formulas(piece.id, text, marks)
        for start, end, mark in marks:
            if mark.kind == "citation":
                citations.append(
                    Citation(
                        component=piece.id,
                        start=start,
                        end=end,
                        text=text[start:end],
                        style=mark.style,
                        targets=mark.targets,
                    )
                )
            elif mark.target is not None and mark.target.kind in _REFERENCE_WORDS and mark.target.number:
                kind: Literal["table", "figure", "equation", "section"] = mark.target.kind  # type: ignore[assignment]
                before = _BEFORE.search(text, 0, start)
                begin = before.start() if before else start
                mentions.append(
                    Mention(
                        component=piece.id,
                        start=begin,
                        end=end,
                        text=text[begin:end],
                        kind=kind,
                        number=mark.target.number,
                        target=mark.target.id,
                    )
                )
        return TextComponent(
            id=piece.id,
            kind=piece.kind,
            text=text,
            provenance=Provenance(source=SOURCE, method=piece.method),
            level=piece.level,
            number=piece.number,
            target=piece.target,
            note=piece.note,
            tex=piece.tex,
        )

    # ---- marks -----------------------------------------------------------------------------------------------------

    def _resolved(self, text: str) -> tuple[str, list[tuple[int, int, _Printed]]]:
        """Return the text with what its marks print, and where each stands."""
        out: list[str] = []
        found: list[tuple[int, int, _Printed]] = []
        open_formula: tuple[int, str] | None = None
        length, at = 0, 0
        for match in _MARKS.finditer(text):
            between = text[at : match.start()]
            out.append(between)
            length += len(between)
            at = match.end()
            if match[0] == FORMULA_CLOSE:
                if open_formula is not None and length > open_formula[0]:
                    printed = _Printed("", "formula", tex=open_formula[1] or None)
                    found.append((open_formula[0], length, printed))
                open_formula = None
            elif match[0][0] == FORMULA_OPEN:
                open_formula = (length, self.flow.setter.formulas[place_of(match[0])])
            else:
                printed = self._printed(self.flow.setter.marks[int(match[1])])
                out.append(printed.text)
                if printed.text and printed.kind is not None:
                    found.append((length, length + len(printed.text), printed))
                length += len(printed.text)
        out.append(text[at:])
        return "".join(out), found

    def _plain(self, text: str) -> str:
        return tidy(self._resolved(text)[0]) if _MARKS.search(text) else text

    def _printed(self, mark: Mark) -> _Printed:
        before, behind = self._plain(mark.before), self._plain(mark.behind)
        if mark.command in CITES:
            return self._citation(mark, before, behind)
        return self._reference(mark)

    def _citation(self, mark: Mark, before: str, behind: str) -> _Printed:
        known = [k for k in mark.keys if k in self.places]
        self.unknown += [k for k in mark.keys if k not in self.places and k != "*"]
        targets = tuple(self.ids[k] for k in known)
        head = f"{before} " if before else ""
        tail = f", {behind}" if behind else ""
        is_named = "author" in mark.command or "year" in mark.command
        if self.is_author_year or is_named:
            names = [self.entries[k] for k in known]
            if "\\citeauthor" in mark.command:
                text = ", ".join(r.authors or without_formula_signs(r.text).partition(" ")[0] for r in names)
            elif mark.command.startswith("\\citeyear"):
                text = ", ".join(r.year for r in names)
                text = f"({text})" if mark.command.endswith("par") else text
            elif mark.command in _IN_TEXT or (mark.command == "\\cite" and "natbib" in self._packages):
                text = ", ".join(f"{r.authors} ({head}{r.year}{tail})" for r in names)
            elif mark.command in _PLAIN:
                text = head + "; ".join(f"{r.authors} {r.year}" for r in names) + tail
            else:
                text = "(" + head + "; ".join(f"{r.authors}, {r.year}" for r in names) + tail + ")" if names else ""
            return _Printed(text or "[?]", "citation", "author-year", targets)
        labels = [self.entries[k].label or str(self.places[k]) for k in known] + ["?"] * (len(mark.keys) - len(known))
        text = f"[{head}{', '.join(labels)}{tail}]"
        if mark.command in _IN_TEXT and len(known) == 1 and self.entries[known[0]].authors:
            text = f"{self.entries[known[0]].authors} {text}"
        return _Printed(text, "citation", "numeric", targets)

    @property
    def _packages(self) -> tuple[str, ...]:
        classes = ("aastex", "mnras", "acl")
        implied = ("natbib",) if self.expander.document_class.startswith(classes) else ()
        style = ("natbib",) if any(p.startswith(("acl", "neurips", "icml", "nips")) for p in self.expander.packages) else ()
        return (*self.expander.packages, *implied, *style)

    def _reference(self, mark: Mark) -> _Printed:
        found = [self.flow.labels.get(k) for k in mark.keys]
        self.unknown += [k for k, t in zip(mark.keys, found, strict=True) if t is None]
        numbers = [t.number if t is not None and t.number else "??" for t in found]
        text = ", ".join(numbers)
        first = next((t for t in found if t is not None), None)
        if mark.command == "\\pageref":
            return _Printed("?")
        if mark.command == "\\nameref":
            named = next((p for p in self.flow.pieces if first is not None and p.id == first.id), None)
            title = "??" if named is None else named.text.removeprefix(named.number or "").lstrip()
            return _Printed(_MARKS.sub("", title), "mention", target=first)
        if mark.command == "\\eqref":
            text = f"({text})"
        elif mark.command in ("\\autoref", "\\cref", "\\Cref", "\\vref", "\\Vref", "\\thref") and first is not None:
            word = _REFERENCE_WORDS.get(first.kind, first.kind.capitalize())
            text = f"{word}{'s' if len(numbers) > 1 else ''} {text}"
        return _Printed(text, "mention", target=first)

    # ---- floats ----------------------------------------------------------------------------------------------------

    def _caption(self, found: FloatPiece) -> Caption | None:
        if found.caption is None:
            return None
        text = self._plain(found.caption)
        head = f"{found.label} {found.number}"
        return Caption(text=f"{head}: {text}" if text else head, label=found.label, number=found.number)

    def _table(self, found: FloatPiece) -> Table:
        grid = found.grid
        cells: tuple[Cell, ...] = tuple(replace(c, text=self._plain(c.text)) for c in grid.cells) if grid else ()
        return Table(
            id=found.id,
            n_rows=grid.n_rows if grid else 0,
            n_cols=grid.n_cols if grid else 0,
            cells=cells,
            provenance=Provenance(source=SOURCE, method="tabular"),
            number=found.number,
            caption=self._caption(found),
            header_rows=grid.header_rows if grid else 0,
            footnotes=tuple(self._plain(n) for n in found.notes),
        )

    def _figure(self, found: FloatPiece) -> Figure:
        rasters = [name.lower().endswith(_RASTER) for name in found.files]
        kind: Literal["raster", "vector", "mixed"] = "vector"
        if any(rasters):
            kind = "raster" if all(rasters) else "mixed"
        return Figure(
            id=found.id,
            provenance=Provenance(source=SOURCE, method="figures"),
            kind=kind,
            number=found.number,
            caption=self._caption(found),
        )


def _formulas(name: str, text: str, marks: Sequence[tuple[int, int, _Printed]]) -> Iterator[InlineEquation]:
    for start, end, mark in marks:
        if mark.kind == "formula":
            yield InlineEquation(component=name, start=start, end=end, text=text[start:end], tex=mark.tex)


def _without_number(component: TextComponent) -> str:
    if component.kind == "heading" and component.number:
        return component.text.removeprefix(component.number).lstrip(" .:)")
    return component.text
