"""The body of a LaTeX document in reading order: headings, text, lists, equations, floats, code, notes, with their numbers.

Footnotes are lifted out of the text that they stand in and follow it. Each row of an ``align`` or ``eqnarray`` is an equation
of its own, as it is printed. Floats stand where the source has them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from variorum.document.keys import make_component_id
from variorum.document.model import ComponentKind
from variorum.sources.latex_authors import first_line, names_of, split_authors
from variorum.sources.latex_bibliography import Reference, read_bibitems, read_biblatex
from variorum.sources.latex_floats import LABEL, FloatPart, float_parts, labels_in, without
from variorum.sources.latex_formulas import without_formula_signs
from variorum.sources.latex_numbers import LEVELS, Counters
from variorum.sources.latex_signs import alphabetic
from variorum.sources.latex_tables import TABULARS, Grid, read_tabular
from variorum.sources.latex_text import TextSetter, is_length, take, tidy
from variorum.sources.latex_tokens import THE, VERBATIM
from variorum.sources.latex_tree import Item, Node, Reader, plain
from variorum.sources.latex_words import (
    ALGORITHM_WORDS,
    EQUATION_ROWS,
    FIGURES,
    FRONT,
    GRAPHICS,
    HEADINGS,
    KEPT_FRONT,
    KEYWORDS,
    LISTS,
    NUMBERED_LISTS,
    ONE_EQUATION,
    OTHER_FLOATS,
    READ_LATER,
    SETTINGS,
    SKIPPED,
    TABLES,
    THEOREMS,
    TRANSPARENT,
    UNNUMBERED,
)

_LARGE: Final = ("\\Large", "\\LARGE", "\\huge", "\\Huge")
_NUMBER: Final = re.compile(r"-?\d{1,6}")


@dataclass(slots=True)
class Piece:
    """A component as read, its text with marks still in it; `labels` name it in the source."""

    id: str
    kind: ComponentKind
    text: str
    method: str
    number: str | None = None
    level: int | None = None
    target: str | None = None
    tex: str | None = None
    note: str = ""


@dataclass(slots=True)
class FloatPiece:
    """A table or figure as read: its caption without a label, its grid (of a table), the files of its pictures."""

    id: str
    kind: str
    label: str
    number: str | None
    caption: str | None
    grid: Grid | None = None
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """What a label names: its kind, its number as printed, and the id of the component, if it is one."""

    kind: str
    number: str
    id: str | None


@dataclass(slots=True)
class Flow:
    """Reads the body; the results are its `pieces`, `floats`, `labels`, `references`, title and authors."""

    where: str
    counters: Counters
    theorems: Mapping[str, tuple[str, str, bool]]
    setter: TextSetter = field(default_factory=TextSetter)
    pieces: list[Piece] = field(default_factory=list)
    floats: list[FloatPiece] = field(default_factory=list)
    labels: dict[str, Target] = field(default_factory=dict)
    references: list[Reference] = field(default_factory=list)
    title: str = ""
    authors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    has_empty_list: bool = False
    list_at: int | None = None
    _buffer: list[Item] = field(default_factory=list)
    _taken: set[str] = field(default_factory=set)
    _counts: Counter[str] = field(default_factory=Counter)
    _current: Target | None = None
    _kind: ComponentKind = "paragraph"
    _number: str | None = None
    _level: int | None = None
    _footnotes: list[tuple[str, str | None]] = field(default_factory=list)
    _front: list[tuple[str, list[Item]]] = field(default_factory=list)
    _front_done: bool = False
    _early_abstract: list[Item] = field(default_factory=list)
    _lists: list[str] = field(default_factory=list)
    _waiting: list[Piece] = field(default_factory=list)  # floats that stand behind the paragraph in which the source has them

    def __post_init__(self) -> None:
        self.setter.on_label = self._label
        self.setter.next_footnote = lambda: self.counters.step("footnote")
        self.setter.on_footnote = lambda text, number: self._footnotes.append((text, number))

    # ---- walking ---------------------------------------------------------------------------------------------------

    def read(self, items: Sequence[Item]) -> None:
        """Read a whole document: what stands before its body is searched for title and authors alone."""
        body = next((i for i in items if isinstance(i, Node) and i.kind == "env" and i.name == "document"), None)
        if body is None:
            self._walk(items)
        else:
            before = items[: next(n for n, i in enumerate(items) if i is body)]
            self._preamble(before)
            self._walk(body.children)
        self._flush()
        self._put_front()

    def _preamble(self, items: Sequence[Item]) -> None:
        reader = Reader(items)
        for item in reader:
            if isinstance(item, str) and (item in FRONT or item[0] == THE or item in SETTINGS or item == "\\abstract"):
                self._command(item, reader)
            elif isinstance(item, Node) and item.name == "abstract":
                self._early_abstract = item.children
        self._buffer.clear()

    def _walk(self, items: Sequence[Item]) -> None:
        reader = Reader(items)
        for item in reader:
            if isinstance(item, Node):
                if item.kind == "env":
                    self._environment(item)
                elif item.kind == "display":
                    self._flush()
                    self._equation(item.children, numbered=False)
                elif self._is_large_title(item):
                    self._flush()
                    self.title = self.setter.running_text(item.children)
                    self._add("title", self.title, "front matter")
                elif item.kind == "group" and _has_blocks(item.children):
                    self._walk(item.children)
                else:
                    self._buffer.append(item)
            elif item == "\\par":
                self._flush()
            elif item[0] == VERBATIM and not item.startswith((f"{VERBATIM}verb{VERBATIM}", f"{VERBATIM}url{VERBATIM}")):
                self._flush()
                self._add("code", item.split(VERBATIM)[-1], "listings")
            elif item[0] not in ("\\", THE) or not self._command(item, reader):
                self._buffer.append(item)

    def _is_large_title(self, item: Node) -> bool:
        """Whether a group in large type above everything else is the title of a source that has no ``\\title``."""
        if item.kind != "group" or self.title or self._front or self._front_done or self.pieces or self._buffer_has_text():
            return False
        first = next((i for i in item.children if i != " "), None)
        return isinstance(first, str) and first in _LARGE and any(c.isalpha() for c in TextSetter().text(item.children))

    def _buffer_has_text(self) -> bool:
        return any(isinstance(i, Node) or i[0] not in ("\\", " ") for i in self._buffer)

    def _command(self, item: str, reader: Reader) -> bool:
        """Read a command that is no text, with its arguments; return False for one that is."""
        if item in HEADINGS:
            self._heading(HEADINGS[item], reader)
        elif item[0] == THE:
            self._redefinition(item[1:], reader)
        elif item in FRONT:
            self._front_matter(item, reader)
        elif item in SETTINGS:
            self._setting(item, reader)
        elif item in ("\\appendix", "\\appendices"):
            self._flush()
            self.counters.appendix()
        elif item == "\\maketitle":
            self._flush()
            self._put_front()
        elif item == "\\abstract":
            self._flush()
            self._abstract(reader.argument())
        elif item == "\\keywords":
            self._flush()
            self._buffer += _keywords(reader.argument())
            self._flush()
        elif item in ("\\item", "\\newpage", "\\clearpage", "\\bigskip", "\\medskip", "\\smallskip", "\\cleardoublepage"):
            self._flush()
        elif item in ("\\caption", "\\captionof"):
            self._loose_caption(item, reader)
        elif item in GRAPHICS:
            self._picture(item, reader)
        elif item in ("\\centerline", "\\resizebox", "\\scalebox", "\\adjustbox", "\\rotatebox", "\\makebox", "\\parbox"):
            return self._box(item, reader)
        elif item in {"\\acknowledgments", "\\acknowledgements", "\\acknowledgment", "\\acks"}:
            self._flush()
            inside = reader.group()
            self._put_heading("section", "Acknowledgments", None)
            if inside is not None:
                self._walk(inside)
                self._flush()
        else:
            return False
        return True

    def _box(self, item: str, reader: Reader) -> bool:
        """Walk what stands in a box where it holds tables or paragraphs."""
        mark = reader.at
        take(
            reader,
            {"\\resizebox": "*mm", "\\scalebox": "mo", "\\adjustbox": "m", "\\rotatebox": "om", "\\makebox": "oo"}.get(
                item, "ooom"
            ),
            _SILENT,
        )
        inside = reader.argument() if item != "\\centerline" else []
        if item == "\\centerline":
            reader.at = mark
            inside = reader.argument()
        if not _has_blocks(inside):
            reader.at = mark
            return False
        self._walk(inside)
        return True

    # ---- text ------------------------------------------------------------------------------------------------------

    def _new_id(self, kind: str, number: str | None, text: str = "") -> str:
        self._counts[kind] += 1
        made = make_component_id(kind, number, self._counts[kind], text=text, taken=self._taken)
        self._taken.add(made)
        return made

    def _add(
        self, kind: ComponentKind, text: str, method: str, *, number: str | None = None, level: int | None = None
    ) -> Piece:
        if kind not in ("title", "byline"):
            self._put_front()
        name = self._new_id(kind, None if kind == "list_item" else number, without_formula_signs(text))
        piece = Piece(name, kind, text, method, number, level)
        self.pieces.append(piece)
        return piece

    def _flush(self) -> None:
        """End the paragraph."""
        items, self._buffer = self._buffer, []
        kind, number, level = self._kind, self._number, self._level
        text = self.setter.running_text(items)
        if text and any(c.isalnum() for c in text):
            self._kind, self._number, self._level = "paragraph", None, None
            self._add(kind, text, "paragraphs", number=number, level=level)
        waiting, self._waiting = self._waiting, []
        self.pieces += waiting
        self._put_footnotes()

    def _put_footnotes(self) -> None:
        notes, self._footnotes = self._footnotes, []
        for text, number in notes:
            self._add("footnote", text, "footnotes", number=number or self.counters.step("footnote"))

    def _label(self, label: str) -> None:
        if label and self._current is not None:
            self.labels.setdefault(label, self._current)

    def _heading(self, level: str, reader: Reader) -> None:
        self._flush()
        star = reader.star()
        reader.optional()
        items = reader.argument()
        number = None
        if not star and self.counters.is_numbered(level):
            number = self.counters.step(level)
        self._put_heading(level, self.setter.running_text(items), number)

    def _put_heading(self, level: str, text: str, number: str | None) -> None:
        text = text.rstrip(" .") if level in ("paragraph", "subparagraph") else text
        footnotes, self._footnotes = self._footnotes, []
        if text:
            shown = number.rsplit("-", 1)[-1] if number else None
            whole = f"{shown} {text}" if shown else text
            piece = self._add("heading", whole, "headings", number=shown, level=self.counters.level(level))
            self._current = Target("section", number or "", piece.id)
        self._footnotes = footnotes
        self._put_footnotes()

    def _redefinition(self, name: str, reader: Reader) -> None:
        body = reader.argument()
        if name.startswith("within "):
            self.counters.parents[plain(body)] = name.removeprefix("within ")
        elif name.startswith("\\"):
            self.names[name] = self.setter.text(body)
        else:
            self.counters.formats[name] = body

    def _setting(self, item: str, reader: Reader) -> None:
        name = plain(reader.argument()).strip()
        if item in ("\\numberwithin", "\\counterwithin", "\\@addtoreset"):
            other = plain(reader.argument()).strip()
            if item == "\\@addtoreset":
                name, other = other, name
            self.counters.parents[name] = other
            self.counters.within.add(name)
            self.counters.formats.pop(name, None)
            return
        if item in ("\\stepcounter", "\\refstepcounter"):
            self.counters.step(name)
            return
        if item == "\\counterwithout":
            reader.argument()
            self.counters.parents.pop(name, None)
            return
        match = _NUMBER.search(plain(reader.argument()))
        value = int(match[0]) if match else 0
        if name == "secnumdepth":
            self.counters.depth = value + LEVELS.index("section") - 1
        elif item == "\\setcounter":
            self.counters.values[name] = value
        else:
            self.counters.values[name] = self.counters.values.get(name, 0) + value

    # ---- front matter ----------------------------------------------------------------------------------------------

    def _front_matter(self, item: str, reader: Reader) -> None:
        reader.star()
        for kind in FRONT[item]:
            if kind == "o":
                reader.optional()
        inside = reader.group() or []
        for kind in FRONT[item]:
            if kind == "1":
                reader.group()
        if item in KEPT_FRONT:
            if self._front_done and self.title and "title" in item:
                self._second_title(inside)
                return
            self._front.append((item, inside))
            if self._front_done and "title" in item and not self.title:
                self._front_done = False
        elif item in READ_LATER:
            self._flush()
            name = item[1:].capitalize()
            self._buffer += [f"{VERBATIM}verb{VERBATIM}{name}: ", Node("group", "", inside)]
            self._flush()

    def _second_title(self, items: Sequence[Item]) -> None:
        """Put the title of what follows the paper, a supplement, where it stands."""
        self._flush()
        text = self.setter.running_text(without(items, ("\\thanks", "\\footnote")))
        if text and text != self.title:
            self._add("title", text, "front matter")

    def _put_front(self) -> None:
        """Put title and authors, once, before the first text."""
        if self._front_done or not self._front:
            return
        self._front_done = True
        front, self._front = self._front, []
        kept, self._footnotes = self._footnotes, []
        self.setter.on_footnote = None
        for command, items in front:
            if command in ("\\title", "\\icmltitle") and not self.title:
                self.title = self.setter.running_text(without(items, ("\\thanks", "\\footnote")))
                if self.title:
                    self._add("title", self.title, "front matter")
        for command, items in front:
            if command in ("\\author", "\\icmlauthor"):
                for person in split_authors(items):
                    text = self.setter.text(
                        without(person, ("\\thanks", "\\footnote", "\\inst", "\\orcidID", "\\corref", "\\fnref"))
                    )
                    name = self.setter.text(first_line(person))
                    if any(c.isalpha() for c in text):
                        self.authors += names_of(name)
                        self._add("byline", text, "front matter")
        self.setter.on_footnote = lambda text, number: self._footnotes.append((text, number))
        self._footnotes = kept
        if self._early_abstract:
            early, self._early_abstract = self._early_abstract, []
            buffer, self._buffer = self._buffer, []
            self._abstract(early)
            self._buffer = buffer

    def _abstract(self, items: Sequence[Item]) -> None:
        self._put_front()
        first = next((i for i in items if i not in (" ", "\\par", "\\noindent")), None)
        if not (isinstance(first, str) and first in HEADINGS):
            self._put_heading("section", self.names.get("\\abstractname", "Abstract"), None)
        self._walk(items)
        self._flush()

    # ---- environments ----------------------------------------------------------------------------------------------

    def _environment(self, node: Node) -> None:
        name = node.name
        bare = name.rstrip("*")
        if name in SKIPPED:
            return
        if name in ONE_EQUATION:
            self._flush()
            self._equation(node.children, numbered=not name.endswith("*") and name not in UNNUMBERED)
        elif name in EQUATION_ROWS:
            self._flush()
            self._equation_rows(node)
        elif name == "subequations":
            self._flush()
            self._subequations(node)
        elif name in TABLES or name in FIGURES:
            self._pause(lambda: self._float(node, "table" if name in TABLES else "figure"))
        elif name in OTHER_FLOATS:
            self._flush()
            self._other_float(node, OTHER_FLOATS[name])
        elif name in TABULARS and name != "array":
            self._pause(lambda: self._float(Node("env", "table", [node]), "table", is_inner=True))
        elif name == "abstract":
            self._flush()
            self._abstract(node.children)
        elif name == "thebibliography":
            self._flush()
            self._bibliography(node)
        elif name == "variorumbib":
            self._flush()
            self.has_empty_list = True
            self._start_list()
        elif name in LISTS:
            self._list(node)
        elif name in self.theorems or name in THEOREMS:
            self._theorem(node)
        elif bare in ("acknowledgments", "acknowledgements", "acknowledgment", "acks"):
            self._flush()
            self._put_heading("section", "Acknowledgments", None)
            self._walk(node.children)
            self._flush()
        elif name == "appendices":
            self._flush()
            self.counters.appendix()
            self._walk(node.children)
            self._flush()
        elif name in KEYWORDS:
            self._flush()
            self._buffer += _keywords(node.children)
            self._flush()
        elif name in ("quote", "quotation", "verse", "center", "flushleft", "flushright", "quoting"):
            self._flush()
            self._walk(node.children)
            self._flush()
        elif name == "variorumbbl" and any(isinstance(i, str) and i == "\\entry" for i in node.children):
            self._biblatex(node.children)
        else:
            reader = Reader(node.children)
            take(reader, TRANSPARENT.get(name, "o"), _SILENT)
            self._walk(list(reader))

    def _pause(self, read: Callable[[], None]) -> None:
        """Read a float in the middle of a paragraph without ending it."""
        buffer, self._buffer = self._buffer, []
        state = self._kind, self._number, self._level
        notes, self._footnotes = self._footnotes, []
        current = self._current
        self._kind, self._number, self._level = "paragraph", None, None
        has_text = any(not (isinstance(i, str) and i.isspace()) for i in buffer)
        behind = len(self.pieces)
        read()
        if has_text:
            self._waiting += self.pieces[behind:]
            del self.pieces[behind:]
        self._buffer, self._footnotes, self._current = buffer, notes, current
        self._kind, self._number, self._level = state

    def _list(self, node: Node) -> None:
        self._flush()
        reader = Reader(node.children)
        take(reader, TRANSPARENT.get(node.name, "o"), _SILENT)
        self._lists.append(node.name)
        depth = len(self._lists)
        count = 0
        part: list[Item] = []

        def end_item() -> None:
            if part:
                self._walk(part)
                self._flush()
                part.clear()
            self._kind, self._number, self._level = "paragraph", None, None

        for item in reader:
            if item == "\\item":
                end_item()
                given = reader.optional()
                self._kind, self._level = "list_item", depth
                if given is not None:
                    mark = self.setter.text(given)
                    is_word = node.name == "description" or len(mark.split()) > 1
                    self._number = None if is_word else mark
                    if is_word:
                        part += [Node("group", "", list(given)), " "]
                elif node.name in NUMBERED_LISTS:
                    count += 1
                    self._number = f"{count}."
                    self._current = Target("item", str(count), None)
                else:
                    self._number = "•"
            else:
                part.append(item)
        end_item()
        self._lists.pop()

    def _theorem(self, node: Node) -> None:
        self._flush()
        reader = Reader(node.children)
        given = reader.optional()
        title, counter, numbered = self.theorems.get(node.name, (THEOREMS.get(node.name, ""), "", False))
        head = title
        if node.name in THEOREMS and given is not None:
            head, given = self.setter.text(given), None
        if numbered:
            number = self.counters.step(counter)
            self._current = Target("theorem", number, None)
            head = f"{title} {number}"
        if given is not None:
            head += f" ({self.setter.running_text(given)})"
        self._buffer += [f"{VERBATIM}verb{VERBATIM}{head}. "]
        self._walk(list(reader))
        self._flush()

    # ---- equations -------------------------------------------------------------------------------------------------

    def _equation(self, items: Sequence[Item], *, numbered: bool) -> None:
        labels, number, kept = self._stripped(items)
        if numbered and number is None:
            number = self.counters.step("equation")
        text = self._formula(kept)
        if not text:
            return
        piece = self._add("equation", text, "equations", number=number or None)
        piece.tex = tidy(plain(kept))
        for label in labels:
            self.labels.setdefault(label, Target("equation", number or "", piece.id))
        self._put_footnotes()

    def _formula(self, items: Sequence[Item]) -> str:
        return tidy(self.setter._spaced(self.setter.run(items, math=True)))

    def _stripped(self, items: Sequence[Item]) -> tuple[list[str], str | None, list[Item]]:
        """Return the labels and the tag of an equation, and what remains; an empty tag stands for no number."""
        labels: list[str] = []
        number: str | None = None
        kept: list[Item] = []
        reader = Reader(items)
        for item in reader:
            if item == "\\label":
                labels.append(plain(reader.argument()).strip())
            elif item == "\\tag":
                reader.star()
                number = self.setter.text(reader.argument()).strip("()")
            elif item in ("\\nonumber", "\\notag"):
                number = ""
            elif isinstance(item, Node) and item.kind == "env" and item.name in ("split", "aligned", "gathered", "array"):
                inner, tag, rest = self._stripped(item.children)
                labels += inner
                number = tag if tag else number
                kept.append(Node("env", item.name, rest))
            else:
                kept.append(item)
        return labels, number, kept

    def _equation_rows(self, node: Node) -> None:
        reader = Reader(node.children)
        if node.name.startswith(("alignat", "xalignat", "IEEEeqnarray")):
            reader.optional()
            reader.group()
        numbered = not node.name.endswith("*")
        row: list[Item] = []
        for item in reader:
            if item == "\\\\":
                reader.star()
                if is_length(reader):
                    reader.optional()
                self._equation_row(row, numbered=numbered)
                row = []
            elif item == "\\intertext":
                self._equation_row(row, numbered=numbered)
                row = []
                self._walk(reader.argument())
                self._flush()
            else:
                row.append(item)
        self._equation_row(row, numbered=numbered)

    def _equation_row(self, row: Sequence[Item], *, numbered: bool) -> None:
        if any(not (isinstance(i, str) and (i.isspace() or i in ("&", "\\par"))) for i in row):
            self._equation(row, numbered=numbered)

    def _subequations(self, node: Node) -> None:
        parent = self.counters.step("equation")
        value = self.counters.values["equation"]
        self.counters.sub_of = parent
        self.counters.values["equation"] = 0
        labels, _, rest = self._stripped(node.children)
        for label in labels:
            self.labels.setdefault(label, Target("equation", parent, None))
        self._walk(rest)
        self._flush()
        self.counters.sub_of = None
        self.counters.values["equation"] = value

    # ---- floats ----------------------------------------------------------------------------------------------------

    def _float(self, node: Node, kind: str, *, is_inner: bool = False) -> None:
        footnotes, self._footnotes = self._footnotes, []
        units = float_parts(node, self.setter)
        if not any(u.captions or u.grids or u.files for u in units) and not is_inner:  # a float of text or formulae
            reader = Reader(node.children)
            reader.optional()
            self._walk(list(reader))
            self._flush()
            self._footnotes = footnotes
            return
        for unit in units:
            own = unit.captions[0][0] if unit.captions else kind
            self._put_float(unit, own if own in ("table", "figure") else kind, is_inner=is_inner)
            for equation in unit.equations:
                self._environment(equation)
        self._footnotes = footnotes

    def _put_float(self, unit: FloatPart, kind: str, *, is_inner: bool = False) -> None:
        caption_items = unit.captions[0][1] if unit.captions else None
        number: str | None = None
        caption: str | None = None
        label_name = self._float_name(kind)
        if caption_items is not None:
            caption = self.setter.running_text(without(caption_items, LABEL))
            number = self.counters.step(kind)
            unit.labels += labels_in(caption_items)
        made: list[FloatPiece] = []
        extra = [self.setter.text(n) if not isinstance(n, str) else n for n in unit.notes]
        if kind == "table" or (unit.grids and not unit.files and is_inner):
            for grid_node in unit.grids:
                grid = read_tabular(grid_node, self.setter, self.where)
                if grid is not None:
                    lifted = [f"{n} {t}" if n else t for t, n in self._footnotes]
                    self._footnotes = []
                    notes = (*grid.notes, *(x for x in (*extra, *lifted) if x))
                    made.append(FloatPiece("", "table", label_name, number, caption, grid, tuple(unit.files), notes))
            if not made and caption is not None:
                made.append(FloatPiece("", "table", label_name, number, caption, None, tuple(unit.files), tuple(extra)))
        elif unit.files or caption is not None:
            made.append(FloatPiece("", "figure", label_name, number, caption, None, tuple(unit.files), tuple(extra)))
        if not made:
            return
        self._put_front()
        for each in made:
            each.id = self._new_id(each.kind, number)
            self.floats.append(each)
            marker = Piece(
                self._unique(f"at-{each.id}"), "table" if each.kind == "table" else "figure", "", each.kind + "s", number
            )
            marker.target = each.id
            names = ", ".join(dict.fromkeys(unit.labels))
            marker.note = "; ".join(
                x for x in (f"label {names}" if names else "", f"files {', '.join(each.files)}" if each.files else "") if x
            )
            self.pieces.append(marker)
        for place, (items, labels) in enumerate(unit.parts, start=1):
            letter = alphabetic(place)
            piece = Piece(self._unique(f"cap-{made[0].id}-{letter}"), "caption", "", "captions", f"{number or ''}{letter}")
            piece.text = f"({letter}) {self.setter.running_text(without(items, LABEL))}".rstrip()
            piece.target = made[0].id
            self.pieces.append(piece)
            for label in [*labels, *labels_in(items)]:
                self.labels.setdefault(label, Target(kind, f"{number or ''}{letter}", made[0].id))
        if caption is not None:
            text = f"{label_name} {number}: {caption}" if caption else f"{label_name} {number}"
            piece = Piece(self._unique(f"cap-{made[0].id}"), "caption", text, "captions", number)
            piece.target = made[0].id
            self.pieces.append(piece)
        for label in unit.labels:
            self.labels.setdefault(label, Target(kind, number or "", made[0].id))

    def _unique(self, name: str) -> str:
        found, again = name, 1
        while found in self._taken:
            again += 1
            found = f"{name}-{again}"
        self._taken.add(found)
        return found

    def _float_name(self, kind: str) -> str:
        given = self.names.get(f"\\{kind}name")
        if given:
            return given
        if self.counters.document_class.startswith("IEEE"):
            return "TABLE" if kind == "table" else "Fig."
        return kind.capitalize()

    def _picture(self, item: str, reader: Reader) -> None:
        reader.star()
        reader.optional(), reader.optional()
        name = plain(reader.argument()).strip()
        files = [name] + ([plain(reader.argument()).strip()] if item == "\\plottwo" else [])
        self._pause(lambda: self._put_float(FloatPart(files=files), "figure"))

    def _loose_caption(self, item: str, reader: Reader) -> None:
        kind = plain(reader.argument()) if item == "\\captionof" else ""
        reader.star()
        reader.optional()
        inside = list(reader.argument())
        if kind not in ("table", "figure"):
            kind = "figure"
        unit = FloatPart(captions=[(kind, inside)])
        self._pause(lambda: self._put_float(unit, kind))

    def _other_float(self, node: Node, name: str) -> None:
        counter = name.lower()
        reader = Reader(node.children)
        take(reader, TRANSPARENT.get(node.name, "o"), _SILENT)
        lines: list[Item] = []
        for item in reader:
            if item == "\\caption":
                reader.optional()
                number = self.counters.step(counter)
                self._current = Target(counter, number, None)
                text = self.setter.running_text(reader.argument())
                self._add("caption", f"{name} {number}: {text}", "captions", number=number)
            else:
                lines.append(item)
        self._code(lines)

    def _code(self, items: Sequence[Item]) -> None:
        """Put the lines of an algorithm as code."""
        lines: list[list[Item]] = [[]]
        for item in _opened(items, ("algorithmic", "algorithmicx", "group")):
            if isinstance(item, str) and (item in ("\\\\", "\\par", "\\;") or item in ALGORITHM_WORDS):
                lines.append([])
                if ALGORITHM_WORDS.get(item):
                    lines[-1].append(f"{VERBATIM}verb{VERBATIM}{ALGORITHM_WORDS[item]} ")
            elif isinstance(item, str) and item[0] == VERBATIM and "\n" in item:
                lines += [[item], []]
            else:
                lines[-1].append(item)
        texts = [_block_text(line) or self.setter.text(line) for line in lines]
        text = "\n".join(t for t in texts if t.strip())
        if text:
            self._add("code", text, "algorithms")
        self._put_footnotes()

    # ---- references ------------------------------------------------------------------------------------------------

    def _start_list(self) -> None:
        last = next((p for p in reversed(self.pieces) if p.kind in ("heading", "paragraph")), None)
        if last is None or last.kind != "heading" or last.text.casefold().strip() not in ("references", "bibliography"):
            self._put_heading("section", self.names.get("\\refname", "References"), None)
        self.list_at = len(self.pieces)

    def _bibliography(self, node: Node) -> None:
        reader = Reader(node.children)
        reader.group()
        found = read_bibitems(list(reader), self.setter)
        if self.list_at is None:
            self._start_list()
        self._footnotes = []
        self.references += found

    def _biblatex(self, items: Sequence[Item]) -> None:
        found = read_biblatex(items, self.setter)
        if found:
            self._flush()
            self._start_list()
            self.references += found


_SILENT: Final = TextSetter()


def _has_blocks(items: Sequence[Item]) -> bool:
    """Whether the items hold more than running text."""
    for item in items:
        if isinstance(item, Node):
            if item.kind == "display" or (item.kind == "env" and item.name not in ("array", "math")):
                return True
            if item.kind == "group" and _has_blocks(item.children):
                return True
        elif item == "\\par" or item in HEADINGS or item in GRAPHICS or item in FRONT or item[0] == THE:
            return True
    return False


def _block_text(line: Sequence[Item]) -> str:
    """Return the text of a line that is nothing but verbatim text, else nothing."""
    only = line[0] if len(line) == 1 else ""
    return only.split(VERBATIM)[-1] if isinstance(only, str) and only[:1] == VERBATIM else ""


def _opened(items: Sequence[Item], names: Sequence[str]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Node) and item.kind == "env" and item.name in names:
            reader = Reader(item.children)
            reader.optional()
            yield from _opened(list(reader), names)
        else:
            yield item


def _keywords(items: Sequence[Item]) -> list[Item]:
    """Return keywords as running text: what stands between them is printed as a dot."""
    dot = f"{VERBATIM}verb{VERBATIM} · "
    between = ("\\and", "\\sep")
    return [f"{VERBATIM}verb{VERBATIM}Keywords: ", *(dot if isinstance(i, str) and i in between else i for i in items)]
