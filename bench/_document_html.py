"""The body of a paper as LaTeXML's HTML has it, as paragraphs of plain text in reading order.

Left out, as they are left out of the paragraphs of a reading: what stands before abstract and first section (the title block,
however it was set), headings, figures, tables, algorithms and listings, display equations, footnotes, the list of references,
contents lists. The abstract stays in.

What is changed, so that the text is that of a printed page:

  - Inline mathematics is its presentation text, letter by letter (``x_{1}`` is ``x1``). The other form at hand is TeX source,
    which no page shows.
  - A citation whose text is a key of the author's (``vaswani17``) is the number of the entry in brackets where the list is
    numbered, and ``?`` where the entry is missing, as LaTeX prints it.
  - The name of a theorem stands at the beginning of its first paragraph, where it is printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

_LEFT_OUT_TAGS = frozenset(
    {"figure", "table", "nav", "footer", "annotation", "annotation-xml", "script", "style", "svg", "img"}
)
_LEFT_OUT = frozenset(
    {
        "ltx_authors",
        "ltx_role_footnote",
        "ltx_role_footnotemark",
        "ltx_note",
        "ltx_bibliography",
        "ltx_tabular",
        "ltx_listing",
        "ltx_ERROR",
        "ltx_rule",
        "ltx_pagination",
        "ltx_TOC",
        "ltx_tag_item",
        "ltx_equation",
        "ltx_equationgroup",
        "ltx_dates",
        "ltx_classification",
        "ltx_keywords",
    }
)
_TEXT = frozenset({"ltx_p", "ltx_acknowledgements"})
_FONTS = frozenset({"ltx_emph", "ltx_font_bold", "ltx_font_italic", "ltx_font_smallcaps", "ltx_font_sansserif"})
_HEADS_OF_TEXT = frozenset({"ltx_title_theorem", "ltx_title_proof"})  # printed in the first line of what they head
_KEY = re.compile(r"[^\W\d_][^\s,;()]*")  # one word that begins with a letter, no name and year


def body_paragraphs(path: Path, bibliography: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the paragraphs of the HTML file; `bibliography` are the entries of the truth, whose labels number them."""
    from lxml import html

    root = html.parse(str(path), parser=html.HTMLParser(encoding="utf-8")).getroot()
    numbers = {entry["id"]: _digits(entry["label"]) for entry in bibliography}
    found = []
    begins = next(iter(root.xpath("//section | //div[contains(concat(' ', @class, ' '), ' ltx_abstract ')]")), None)
    order = {element: i for i, element in enumerate(root.iter())}
    for paragraph, name in _paragraphs(root, ""):
        if begins is not None and order[paragraph] < order[begins]:
            continue
        text = _plain(f"{name} {''.join(_pieces(paragraph, numbers))}")
        if text:
            found.append(text)
    return found


def other_headings(path: Path) -> set[str]:
    """Return what a page shows as headings and the source has not as such: the first words of a paragraph, where they are set
    in another font (bold, italic, small capitals), and the heading of acknowledgements."""
    from lxml import html

    root = html.parse(str(path), parser=html.HTMLParser(encoding="utf-8")).getroot()
    found = {"Acknowledgements"} if root.xpath("//div[contains(@class, 'ltx_acknowledgements')]") else set()
    for paragraph, _ in _paragraphs(root, ""):
        first = next(iter(paragraph), None)
        if first is not None and not (paragraph.text or "").strip() and not _FONTS.isdisjoint(_classes(first)):
            found.add(_plain(first.text_content()))
    return found


def caption_numbers(path: Path) -> set[tuple[str, str]]:
    """Return kind (``table``, ``figure``) and number of every caption of the HTML file, those of panels left out."""
    from lxml import html

    root = html.parse(str(path), parser=html.HTMLParser(encoding="utf-8")).getroot()
    found = set()
    for kind in ("table", "figure"):
        for tag in root.xpath(f"//figcaption//span[contains(concat(' ', @class, ' '), ' ltx_tag_{kind} ')]"):
            number = caption_number(tag.text_content())
            if number:
                found.add((kind, number))
    return found


def caption_number(label: str) -> str:
    """Return the number of a printed label (``Figure S1:`` is ``S1``); empty for a panel (``(a)``)."""
    last = (label.split() or [""])[-1].rstrip(".:|").upper()
    return "" if last.startswith("(") else last


def _classes(element: Any) -> frozenset[str]:
    return frozenset((element.get("class") or "").split())


def _is_left_out(element: Any) -> bool:
    if not isinstance(element.tag, str) or element.tag in _LEFT_OUT_TAGS or not _LEFT_OUT.isdisjoint(_classes(element)):
        return True
    return bool(element.tag == "math" and element.get("display") == "block")


def _paragraphs(element: Any, name: str) -> Iterator[tuple[Any, str]]:
    """Return the elements that are paragraphs, in order, each with the name of the theorem that it begins."""
    for child in element:
        if _is_left_out(child):
            continue
        classes = _classes(child)
        if "ltx_title" in classes:
            name = _plain(child.text_content()) if _HEADS_OF_TEXT & classes else name
        elif not _TEXT.isdisjoint(classes):
            yield child, name
            name = ""
        else:
            yield from _paragraphs(child, name)
            name = ""


def _pieces(element: Any, numbers: Mapping[str, str]) -> Iterator[str]:
    """Return the text of an element and of all in it but what is left out, piece by piece."""
    if element.tag == "cite":
        yield _citation(element, numbers)
        return
    if element.tag == "br":
        yield " "
    yield element.text or ""
    for child in element:
        if not _is_left_out(child) and "ltx_title" not in _classes(child):
            if element.tag != "math" and "ltx_p" in _classes(child):
                yield " "
            yield from _pieces(child, numbers)
        yield child.tail or ""


def _citation(cite: Any, numbers: Mapping[str, str]) -> str:
    links = [e for e in cite.iter("a", "span") if "ltx_ref" in _classes(e)]
    keys = [e for e in links if _KEY.fullmatch(e.text_content().strip(" ,"))]
    if any("ltx_missing_citation" in _classes(e) for e in keys):
        return f"({'?' * len(keys)})"
    printed = [numbers.get((e.get("href") or "").lstrip("#"), "") for e in keys]
    if keys and len(keys) == len(links) and all(printed):
        return f"[{', '.join(printed)}]"
    return str(cite.text_content())


def _digits(label: str) -> str:
    """Return the number of a label that is one (``[3]``, ``3.``, ``(3)``), else nothing."""
    match = re.fullmatch(r"[\[(]?(\d+)[\])]?\.?", label.strip())
    return match.group(1) if match else ""


def _plain(text: str) -> str:
    """Return the text with single spaces and without the signs that stand for an operation and are not printed."""
    return re.sub(r"\s+", " ", re.sub("[\u2061-\u2064\u00ad\u200b]", "", text)).strip()
