"""Papers as HTML that LaTeXML made, as ar5iv serves it: one component for each of its blocks.

LaTeXML names what everything is by classes (``ltx_section``, ``ltx_bibitem``), so nothing is guessed but where it did not
understand the TeX; then the marks that it left (``ltx_ERROR``) become notices. The text of an equation is what a person reads,
its `tex` what LaTeXML keeps of the source. There are no pages and no boxes. Levels of headings are those of LaTeX: section 1,
subsection 2, subsubsection 3, paragraph 4; with chapters, one more. A theorem's title begins its first paragraph. Scripts are
never run, no other file is read and nothing is fetched.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from variorum.document import Caption, Document, Figure, PaperIdentity, Table
from variorum.document.characters import xml_legal
from variorum.document.keys import paper_key
from variorum.errors import DamagedInputError, UsageError
from variorum.layout.entry_parsing import find_arxiv_id, find_doi
from variorum.sources._html_citations import number_citations
from variorum.sources._html_tables import is_tabular, read_tabular
from variorum.sources._html_text import InlineText, classes, is_seen, text_of
from variorum.sources._mathml import math_text, tex_of
from variorum.sources.files import read_bytes
from variorum.sources.gathering import Formula, Gatherer, Mark, shifted, split_caption
from variorum.sources.seeming import is_binary, seems_to_be
from variorum.thresholds import MAX_SOURCE_DEPTH, MAX_SOURCE_TAGS

SOURCE: Final = "ar5iv"
_HINT: Final = "the HTML of the paper from ar5iv, or made by latexml --dest=paper.html"
_LEVELS: Final = ("section", "subsection", "subsubsection", "paragraph", "subparagraph")
_TOP: Final = ("section", "appendix", "bibliography", "abstract", "acknowledgements", "index", "glossary")
_FLOATS: Final = frozenset({"ltx_figure", "ltx_table", "ltx_float"})
_LISTS: Final = frozenset({"ltx_itemize", "ltx_enumerate", "ltx_description", "ltx_inline-itemize"})
_BLOCKS: Final = frozenset(
    {
        *_FLOATS,
        *_LISTS,
        "ltx_para",
        "ltx_p",
        "ltx_equation",
        "ltx_equationgroup",
        "ltx_listing",
        "ltx_verbatim",
        "ltx_biblist",
        "ltx_bibitem",
        "ltx_theorem",
        "ltx_proof",
        "ltx_abstract",
        "ltx_keywords",
        "ltx_classification",
        "ltx_acknowledgements",
        "ltx_dates",
        "ltx_authors",
        "ltx_quote",
    }
)
_BLOCK_TAGS: Final = frozenset(
    {"section", "article", "div", "p", "ul", "ol", "dl", "figure", "table", "pre", "blockquote", "main"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "body", "header", "footer", "aside"}
)
_BUILT: Final = re.compile(rb"<!--\s*Generated on .*?-->|Generated\s+on [^<]{0,80}", re.DOTALL)
_STATUS: Final = re.compile(rb"^Status:conversion:(\d)", re.MULTILINE)
_AUTHORS: Final = re.compile(r"&|\\AND|\\And")
_FATAL: Final = "3"
_WITH_ERRORS: Final = "2"


def read_ar5iv(path: str | Path) -> Document:
    """Return the document that HTML of LaTeXML describes; its provenance says ``ar5iv``.

    The SHA-256 is that of the file without the time at which it was made, so that two conversions of one paper have one key.
    A log of LaTeXML beside the file (``NAME.log`` or ``latexml.log``) is asked how the conversion went.

    Raises InputNotFoundError when there is no such file; DamagedInputError when it is no HTML of LaTeXML, when the conversion
    had failed (no title and no paragraph, or the log says so), and when it has more tags, or tags nested deeper, than papers
    have.
    """
    file = Path(path)
    where = str(file)
    data = read_bytes(file)
    sha256 = hashlib.sha256(_BUILT.sub(b"", data)).hexdigest()
    gatherer = Gatherer(SOURCE, paper_key(file, sha256))
    status = _conversion_status(file)
    if status == _FATAL:
        raise DamagedInputError("LaTeXML's log says that the conversion failed", where=where, hint="convert the paper again")
    article = _article(data, where, gatherer)
    if renamed := number_citations(article):
        many = "citation shows a key" if renamed == 1 else "citations show keys"
        gatherer.warn(f"{renamed} {many}; the number of the entry stands in its place", is_info=True)
    reader = _Reader(gatherer, where, has_chapters=bool(article.xpath(".//section[contains(@class,'ltx_chapter')]")))
    reader.block(article)
    if not reader.title and not any(c.kind in ("paragraph", "list_item") for c in gatherer.components):
        what = "has no title and no paragraph: the conversion by LaTeXML failed"
        raise DamagedInputError(what, where=where, hint=_HINT)
    reader.report(status)
    front = " ".join(c.text for c in gatherer.components if c.kind == "byline")
    identity = PaperIdentity(
        title=reader.title, authors=tuple(reader.authors), doi=find_doi(front), arxiv_id=find_arxiv_id(front)
    )
    return gatherer.document(source_name=file.name, sha256=sha256, identity=identity, are_citations_linked=True)


def looks_like_ar5iv(head: bytes) -> bool:
    """Return whether the beginning of a file looks like HTML."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html", b"<!--", b"<article")) or b"ltx_document" in head


def _conversion_status(path: Path) -> str | None:
    """Return the digit with which LaTeXML's log ends (0 well, 1 warnings, 2 errors, 3 fatal); None without a log."""
    for log in (path.with_suffix(".log"), path.with_name("latexml.log")):
        try:
            found = _STATUS.findall(read_bytes(log)) if log.is_file() else []
        except (DamagedInputError, OSError):
            continue
        if found:
            return str(found[-1].decode())
    return None


def _lxml() -> Any:
    """Return lxml's trees; the one door to the package."""
    try:
        from lxml import etree
    except ImportError as error:
        what = f"reading HTML needs the package lxml, which cannot be imported ({error})"
        raise UsageError(what, hint="pip install lxml") from error
    return etree


def _article(data: bytes, where: str, gatherer: Gatherer) -> Any:
    """Return the element of the paper; raises DamagedInputError when there is none, or it is none of a paper's size."""
    seeming = seems_to_be(data)
    if is_binary(data) and not looks_like_ar5iv(data):
        raise DamagedInputError(f"is no HTML of LaTeXML: it seems to be {seeming}", where=where, hint=_HINT)
    tags = data.count(b"<")
    if tags > MAX_SOURCE_TAGS:
        raise DamagedInputError(f"has {tags:,} tags, and a paper may have {MAX_SOURCE_TAGS:,}", where=where, hint=_HINT)
    text = xml_legal(data.decode("utf-8-sig", errors="replace"))
    if "\ufffd" in text:
        count = text.count("\ufffd")
        gatherer.warn(f"{count} characters are no UTF-8, are no text, or were replaced before, and stand as U+FFFD")
    etree = _lxml()
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        root = etree.fromstring(text.encode("utf-8", errors="replace"), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise DamagedInputError(f"is no HTML ({error})", where=where, hint=_HINT) from None
    if root is None:
        raise DamagedInputError("is no HTML", where=where, hint=_HINT)
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth >= MAX_SOURCE_DEPTH:
            what = f"its tags are nested {MAX_SOURCE_DEPTH} deep or deeper, as those of no paper are"
            raise DamagedInputError(what, where=where, hint=_HINT)
    found = [e for e in root.iter("article", "div", "body") if "ltx_document" in classes(e)]
    if not found:
        why = "nothing in it has the class ltx_document" if seeming == "HTML" else f"it seems to be {seeming}"
        raise DamagedInputError(f"is no HTML of LaTeXML: {why}", where=where, hint=_HINT)
    return found[0]


@dataclass(slots=True)
class _Reader:
    """Walks the blocks in order and hands them on."""

    gatherer: Gatherer
    where: str
    has_chapters: bool = False
    title: str = ""
    authors: list[str] = field(default_factory=list)
    _errors: list[str] = field(default_factory=list)
    _authors_seen: set[str] = field(default_factory=set)
    _item: bool = False  # whether the next paragraph begins an item of a list
    _item_mark: str | None = None
    _lead: str = ""  # the title of a theorem, which begins its first paragraph

    def report(self, status: str | None) -> None:
        """Take the notices on what LaTeXML did not understand."""
        if self._errors:
            names = sorted(set(filter(None, self._errors)))
            shown = ", ".join(names[:4]) + (", …" if names[4:] else "")
            many = "places" if len(self._errors) > 1 else "place"
            self.gatherer.warn(f"LaTeXML did not understand the TeX in {len(self._errors)} {many} ({shown})")
        if status == _WITH_ERRORS:
            self.gatherer.warn("LaTeXML's log says that the conversion had errors")

    # ---- blocks ----------------------------------------------------------------------------------------------------

    def block(self, element: Any) -> None:
        """Take an element of the text, with all blocks in it."""
        own = classes(element)
        tag = element.tag
        if "ltx_ERROR" in own:
            self._errors.append(" ".join("".join(element.itertext()).split()))
        elif re.fullmatch("h[1-6]", tag) or "ltx_title" in own:
            self._heading(element, own)
        elif "ltx_authors" in own:
            self._authors(element)
        elif "ltx_note" in own:
            self._note(element, "byline")
        elif own & {"ltx_equation", "ltx_equationgroup"}:
            self._equations(element)
        elif own & _FLOATS or tag == "figure":
            self._float(element, own)
        elif "ltx_bibitem" in own:
            self._entries(element)
        elif own & _LISTS or (tag in ("ul", "ol", "dl") and "ltx_biblist" not in own):
            self._list(element)
        elif own & {"ltx_listing", "ltx_verbatim"} or tag == "pre":
            self._code(element)
        elif is_tabular(element):
            self._lone_tabular(element)
        elif own & {"ltx_keywords", "ltx_classification", "ltx_dates"}:
            said = self._said(element)
            if said.text:
                self.gatherer.text("byline", said.text, "latexml")
        elif "ltx_p" in own or tag == "p":
            self._paragraph([element])
        else:
            self._blocks(element)

    def _blocks(self, element: Any) -> None:
        """Take the blocks in an element; what stands between them as running text is a paragraph of its own."""
        run: list[Any] = []
        lead = element.text
        for child in element:
            if not is_seen(child):
                lead = _joined(lead, child.tail)
                continue
            if self._is_block(child):
                self._paragraph(run, lead)
                run, lead = [], child.tail
                self.block(child)
            else:
                run.append(child)
        self._paragraph(run, lead)

    def _is_block(self, element: Any) -> bool:
        own = classes(element)
        return bool(
            element.tag in _BLOCK_TAGS
            or own & _BLOCKS
            or is_tabular(element)
            or "ltx_ERROR" in own
            or ("ltx_note" in own and "ltx_document" in classes(element.getparent()))
            or (own & {"ltx_inline-block", "ltx_transformed_outer", "ltx_transformed_inner"} and _has_blocks(element))
        )

    def _paragraph(self, elements: Sequence[Any], lead: str | None = None) -> None:
        """Take running text: a paragraph, with a tabular or a float that stands in it behind it."""
        tabulars = [t for e in elements for t in _outer_tabulars(e) if _is_table(t)]
        if len(elements) == 1 and tabulars and text_of(tabulars[0]).text == text_of(elements[0]).text:
            self._lone_tabular(tabulars[0])
            return
        said = InlineText()
        said.put(lead)
        for element in elements:
            if classes(element) & {"ltx_p"} or element.tag == "p":
                said.inside(element)
            else:
                said.element(element)
        self._said_at_end(said)
        if not said.text and not said.notes:
            return
        shift = 0
        text = said.text
        if self._lead and text:
            shift, text = len(self._lead) + 1, f"{self._lead} {text}"
            self._lead = ""
        marks = shifted(said.marks, shift)
        if text:
            if self._item:
                self.gatherer.text("list_item", text, "latexml", number=self._item_mark, marks=marks)
                self._item = False
            else:
                self.gatherer.text("paragraph", text, "latexml", marks=marks)
        self._notes(said.notes)

    def _heading(self, element: Any, own: frozenset[str]) -> None:
        said = self._said(element)
        number = self._tag(element)
        kind = next((name.removeprefix("ltx_title_") for name in sorted(own) if name.startswith("ltx_title_")), "")
        if kind == "document":
            self.title = said.text
            if said.text:
                self.gatherer.text("title", said.text, "latexml")
        elif kind in ("theorem", "proof", "keywords", "classification", "contents"):
            self._lead = said.text if kind in ("theorem", "proof") else self._lead
        elif said.text:
            text = said.text
            if number and kind == "appendix":  # LaTeXML writes the word whatever the class of the paper prints
                text = re.sub(rf"^\w+\s+(?={re.escape(number)}(?!\w))", "", text)
            marks = said.marks if text == said.text else ()
            level = self._level(kind, element.tag)
            self.gatherer.text("heading", text, "latexml", number=number, level=level, marks=marks)
        self._notes(said.notes)

    def _level(self, kind: str, tag: str) -> int:
        shift = 1 if self.has_chapters else 0
        if kind in ("part", "chapter"):
            return 1
        if kind in _LEVELS:
            return 1 + shift + _LEVELS.index(kind)
        return 1 + shift if kind in _TOP else max(1, int(tag[1:]) - 1 if tag[1:].isdecimal() else 1)

    def _tag(self, element: Any) -> str | None:
        """Return the number of a heading, caption or equation, from its tag."""
        for tag in element.iter("span"):
            if "ltx_tag" in classes(tag) and not any("ltx_note" in classes(a) for a in tag.iterancestors()):
                text = re.sub(r"^(?:appendix|chapter|section|part|§)\s*", "", text_of(tag).text, flags=re.IGNORECASE)
                return text.strip(" .:()") or None
        return None

    def _authors(self, element: Any) -> None:
        """Take a block of authors; once where LaTeXML repeats it, below the title of a supplement."""
        said = " ".join("".join(element.itertext()).split())
        if said in self._authors_seen:
            return
        self._authors_seen.add(said)
        creators = [e for e in element.iter("span", "div") if "ltx_creator" in classes(e)]
        for creator in creators or [element]:
            names = [e for e in creator.iter("span") if "ltx_personname" in classes(e) and _creator_of(e) is creator]
            for name in names:
                self._authors_of(name)
            for contact in creator.iter("span"):
                if "ltx_contact" in classes(contact) and _creator_of(contact) is creator:
                    self._byline(self._said(contact).text)
        if not creators:
            self._byline(self._said(element).text)

    def _authors_of(self, name: Any) -> None:
        """Take the names of one element: LaTeX's ``\\and`` and columns part authors, the first line of each is the name."""
        lines: list[str] = [""]
        notes: list[Any] = []
        self._lines(name, lines, notes)
        starts = True
        for line in lines:
            for i, piece in enumerate(_AUTHORS.split(line)):
                starts = starts or i > 0
                said = " ".join(piece.split())
                if said:
                    self._byline(said)
                    bare = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹*∗†‡§¶,]+$|\^\{[^}]*\}", "", said).strip()
                    if starts and bare:
                        self.authors.append(bare)
                    starts = False
        self._notes(notes, "byline")

    def _lines(self, element: Any, lines: list[str], notes: list[Any]) -> None:
        """Take the lines of an element: a line break begins the next; a mark of ``\\AND`` parts authors."""
        lines[-1] += element.text or ""
        for child in element:
            if is_seen(child):
                own = classes(child)
                if child.tag == "br":
                    lines.append("")
                elif "ltx_ERROR" in own:
                    self._errors.append(text_of(child).text)
                    lines[-1] += "&" if _AUTHORS.search(text_of(child).text) else ""
                elif "ltx_note" in own or child.tag in ("math", "sup", "cite"):
                    said = InlineText()
                    said.element(child, with_tail=False)
                    lines[-1] += said.text
                    notes += said.notes
                else:
                    self._lines(child, lines, notes)
            lines[-1] += child.tail or ""

    def _byline(self, text: str) -> None:
        if text:
            self.gatherer.text("byline", text, "latexml")

    def _list(self, element: Any) -> None:
        for item in element:
            if not is_seen(item):
                continue
            tag = next((e for e in item if isinstance(e.tag, str) and "ltx_tag" in classes(e)), None)
            mark = None if tag is None else text_of(tag).text or None
            if tag is not None:
                _take_out(tag)
            self._item, self._item_mark = True, mark
            self._blocks(item)
            self._item = False

    def _code(self, element: Any) -> None:
        said = InlineText(keeps_lines=True)
        lines = [e for e in element.iter("div") if "ltx_listingline" in classes(e)]
        if lines:
            rows = []
            for line in lines:
                row = InlineText(keeps_lines=True)
                row.inside(line)
                self._said_at_end(row)
                rows.append(re.sub(r"\s*\n\s*", " ", row.text.strip("\n")).rstrip())
            text = "\n".join(rows)
        else:
            said.inside(element)
            self._said_at_end(said)
            text = said.text.strip("\n")
        if text.strip():
            self.gatherer.text("code", text, "latexml")

    def _entries(self, item: Any) -> None:
        """Take an entry, and those that stand in it because a tag before them was not closed."""
        inner = next((e for e in item.iter() if e is not item and _is_entry(e)), None)
        while inner is not None:
            _take_out(inner)
            self._entry(item)
            item = inner
            inner = next((e for e in item.iter() if e is not item and _is_entry(e)), None)
        self._entry(item)

    def _entry(self, item: Any) -> None:
        label = next((e for e in item if isinstance(e.tag, str) and "ltx_tag" in classes(e)), None)
        said = InlineText()
        said.put(item.text)
        for child in item:
            if label is not None and child is label:
                said.put(label.tail)
            else:
                said.element(child)
        self._said_at_end(said)
        if said.text:
            self.gatherer.entry(
                said.text,
                "latexml",
                None if label is None else text_of(label).text or None,
                name=item.get("id"),
                formulas=[m for m in said.marks if isinstance(m, Formula)],
            )
        else:
            self.gatherer.warn(f"the entry {item.get('id') or '(without a name)'} of the references is empty")

    def _equations(self, element: Any) -> None:
        rows = [r for r in element.iter() if isinstance(r.tag, str) and "ltx_eqn_row" in classes(r)] or [element]
        for row in rows:
            maths = [m for m in row.iter("math") if not any("ltx_note" in classes(a) for a in m.iterancestors())]
            if not maths:
                said = self._said(row)
                if said.text:
                    self.gatherer.text("paragraph", said.text, "latexml", marks=said.marks)
                self._notes(said.notes)
                continue
            tex = " ".join(filter(None, map(tex_of, maths)))
            text = " ".join(filter(None, map(math_text, maths)))
            self._errors += [text_of(e).text for e in row.iter("merror")]
            self.gatherer.text("equation", text, "latexml", number=self._tag(row), tex=tex or None)
            self._notes(self._said(row).notes)

    # ---- floats ----------------------------------------------------------------------------------------------------

    def _float(self, element: Any, own: frozenset[str], around: Caption | None = None) -> None:
        """Take a float: its tabulars are tables, else it is a figure; floats in it with a number of their own stand alone."""
        sections = list(element.iter("section"))  # they stand in a float whose end LaTeXML did not see
        strays = [s for s in sections if next(a for a in s.iterancestors() if a is element or a.tag == "section") is element]
        for stray in strays:
            _take_out(stray)
        captions = [e for e in element if isinstance(e.tag, str) and e.tag == "figcaption"]
        captions = captions or [e for e in element.iter("figcaption") if _float_of(e) is element]
        said = InlineText()
        for caption_element in captions[:1]:
            said.inside(caption_element)
        self._said_at_end(said)
        caption = self._caption(said.text) if said.text else None
        inner = [e for e in element.iter("figure", "div") if e is not element and _is_float(e) and _float_of(e) is element]
        if "ltx_table" in own or (around is not None and around.label.casefold().startswith("tab")):
            self._table_float(element, caption, around, said, inner)
        elif "ltx_figure" in own:
            numbered = [e for e in inner if self._is_numbered(e)]
            if len(numbered) < len(inner) or caption is not None or not inner:
                self._figure(element, caption, said)
            for equations in element.iter("table"):
                if "ltx_eqn_table" in classes(equations) and _float_of(equations) is element:
                    self._equations(equations)
            for part in numbered:
                self._float(part, classes(part))
        else:
            if said.text:
                self.gatherer.text(
                    "caption", said.text, "latexml", number=None if caption is None else caption.number, marks=said.marks
                )
            for child in element:
                if is_seen(child) and child not in captions:
                    self.block(child) if self._is_block(child) else self._paragraph([child])
        for extra in captions[1:]:
            self._paragraph([extra])
        self._notes(said.notes)
        for stray in strays:
            self.block(stray)

    def _caption(self, text: str) -> Caption:
        label, number = split_caption(text)
        return Caption(text=text, label=label, number=number)

    def _is_numbered(self, element: Any) -> bool:
        found = [e for e in element.iter("figcaption") if _float_of(e) is element]
        return bool(found) and bool(split_caption(text_of(found[0]).text)[0])

    def _table_float(
        self, element: Any, caption: Caption | None, around: Caption | None, said: InlineText, inner: Sequence[Any]
    ) -> None:
        """Take the tables of a float; a panel without a number of its own has the caption of the float around it."""
        is_panel = around is not None and (caption is None or not caption.label)
        shared = around if is_panel else caption
        before = len(self.gatherer.tables)
        for tabular in (t for t in _outer_tabulars(element) if _float_of(t) is element):
            self._table(tabular, shared, said)
        for part in inner:
            self._float(part, classes(part), shared)
        if is_panel and caption is not None and len(self.gatherer.tables) > before:
            self.gatherer.text("paragraph", caption.text, "latexml", note="the caption of a panel", marks=said.marks)
        if len(self.gatherer.tables) > before or is_panel:
            others = (e for e in element if is_seen(e) and e.tag == "p" and not _outer_tabulars(e))
            for other in others:
                self._paragraph([other])
        elif caption is not None:
            kind: Literal["raster"] = "raster"
            if any(True for _ in element.iter("img")):
                figure = Figure(
                    id="",
                    provenance=self.gatherer.provenance("latexml"),
                    kind=kind,
                    number=caption.number,
                    caption=caption,
                    is_data_table=True,
                )
                self.gatherer.figure(figure, "latexml", said.marks)
            else:
                self.gatherer.text("caption", caption.text, "latexml", number=caption.number, marks=said.marks)
                self.gatherer.warn(f"{caption.label} {caption.number}: the table is missing, its caption is there")
                for part in inner:  # it has been read
                    _take_out(part)
                others = (e for e in element if is_seen(e) and e.tag != "figcaption")
                for other in others:
                    self.block(other) if self._is_block(other) else self._paragraph([other])

    def _table(self, tabular: Any, caption: Caption | None, said: InlineText) -> None:
        found = read_tabular(tabular, self.where)
        self._errors += found.errors
        if not found.grid.cells:
            return
        notes = []
        for note in found.notes:
            _, text, _ = self._note_text(note)
            if text:
                notes.append(text)
        table = Table(
            id="",
            n_rows=found.grid.n_rows,
            n_cols=found.grid.n_cols,
            cells=found.grid.cells,
            provenance=self.gatherer.provenance("latexml"),
            number=None if caption is None else caption.number,
            caption=caption,
            header_rows=found.grid.header_rows,
            footnotes=tuple(notes),
        )
        name = self.gatherer.table(table, "latexml", said.marks)
        if found.errors:
            self.gatherer.warn(f"LaTeXML did not understand {', '.join(sorted(set(found.errors)))} in this table", name)

    def _lone_tabular(self, element: Any) -> None:
        if _is_table(element):
            self._table(element, None, InlineText())
        else:
            said = self._said(element)
            if said.text:
                self.gatherer.text("paragraph", said.text, "latexml", marks=said.marks)
            self._notes(said.notes)

    def _figure(self, element: Any, caption: Caption | None, said: InlineText) -> None:
        images = any(True for _ in element.iter("img"))
        drawn = any(True for _ in element.iter("svg"))
        words = InlineText()
        for child in element:
            if isinstance(child.tag, str) and child.tag != "figcaption":
                words.element(child)
        figure = Figure(
            id="",
            provenance=self.gatherer.provenance("latexml"),
            kind="mixed" if images == drawn else "raster" if images else "vector",
            number=None if caption is None else caption.number,
            caption=caption,
            is_data_table=not images and not drawn and any(map(_is_table, _outer_tabulars(element))),
            text=words.text,
        )
        self.gatherer.figure(figure, "latexml", said.marks)

    # ---- running text and notes ---------------------------------------------------------------------------------------

    def _said(self, element: Any) -> InlineText:
        said = text_of(element)
        self._said_at_end(said)
        return said

    def _said_at_end(self, said: InlineText) -> None:
        self._errors += said.errors

    def _notes(self, notes: Sequence[Any], kind: Literal["footnote", "byline"] = "footnote") -> None:
        for note in notes:
            self._note(note, kind)

    def _note(self, element: Any, kind: Literal["footnote", "byline"]) -> None:
        mark, text, marks = self._note_text(element)
        if text:
            name: Literal["footnote", "byline"] = kind if "ltx_role_footnote" not in classes(element) else "footnote"
            self.gatherer.text(name, text, "latexml", number=mark if name == "footnote" else None, marks=marks)

    def _note_text(self, element: Any) -> tuple[str | None, str, Sequence[Mark | Formula]]:
        """Return the mark of a footnote, its text and the marks in this; notes within it stand at the end of its text."""
        content = next((e for e in element.iter("span") if "ltx_note_content" in classes(e)), element)
        said = InlineText()
        said.put(content.text)
        mark = None
        for child in content:
            own = classes(child) if isinstance(child.tag, str) else frozenset()
            if own & {"ltx_note_mark", "ltx_tag_note", "ltx_tag"}:
                mark = mark or " ".join("".join(child.itertext()).split())
                said.put(child.tail)
            else:
                said.element(child)
        self._said_at_end(said)
        inner = [self._note_text(n)[1] for n in said.notes]
        return mark or None, " ".join(filter(None, [said.text, *inner])), said.marks


def _take_out(element: Any) -> None:
    """Take an element out of the tree, without the text behind it."""
    parent, before = element.getparent(), element.getprevious()
    if before is None:
        parent.text = _joined(parent.text, element.tail)
    else:
        before.tail = _joined(before.tail, element.tail)
    parent.remove(element)


def _joined(text: str | None, more: str | None) -> str:
    return xml_legal(f"{text or ''}{more or ''}")


def _is_entry(element: Any) -> bool:
    return isinstance(element.tag, str) and "ltx_bibitem" in classes(element)


def _creator_of(element: Any) -> Any:
    return next((a for a in element.iterancestors() if "ltx_creator" in classes(a)), None)


def _is_float(element: Any) -> bool:
    return bool(classes(element) & _FLOATS)


def _float_of(element: Any) -> Any:
    return next((a for a in element.iterancestors() if _is_float(a) or a.tag == "figure"), None)


def _outer_tabulars(element: Any) -> list[Any]:
    """Return the tabulars in an element (itself, if it is one) that stand in no other of them."""
    if is_tabular(element):
        return [element]
    found: list[Any] = []
    inside: set[Any] = set()
    for e in element.iter():
        if isinstance(e.tag, str) and is_tabular(e) and not any(a in inside for a in e.iterancestors()):
            found.append(e)
            inside.add(e)
    return found


def _is_table(tabular: Any) -> bool:
    """Return whether a tabular outside of a float is a table, and not lines set one below the other."""
    rows = [e for e in tabular.iter() if isinstance(e.tag, str) and (e.tag == "tr" or "ltx_tr" in classes(e))]
    cells = max((sum(isinstance(c.tag, str) for c in row) for row in rows), default=0)
    return len(rows) > 1 and cells > 1


def _has_blocks(element: Any) -> bool:
    return any(isinstance(e.tag, str) and (classes(e) & _BLOCKS or is_tabular(e)) for e in element.iter() if e is not element)
