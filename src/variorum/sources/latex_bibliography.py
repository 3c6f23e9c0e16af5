"""The list of references: ``\\bibitem`` entries as BibTeX writes them, biblatex's ``.bbl``, and ``.bib`` files.

What was printed is in the ``.bbl``. Where a source has only the ``.bib``, its cited entries stand in the order that the style
asks for, by names or by first citation, set in one plain way: authors, year, title, where it appeared.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from variorum.sources.latex_formulas import without_formula_signs
from variorum.sources.latex_text import TextSetter, tidy
from variorum.sources.latex_tokens import VERBATIM, tokenize
from variorum.sources.latex_tree import Item, Node, Reader, build_tree, plain


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry: its key, its text without a label, and for author-year citations its authors and year as printed.

    `order` is what lists by names are sorted by; empty where what was printed is known.
    """

    key: str
    text: str
    label: str | None = None
    authors: str = ""
    year: str = ""
    order: str = ""


_ENTRY: Final = re.compile(r"@\s*([A-Za-z]+)\s*[{(]\s*([^,\s{}()]*)\s*,")
_FIELD: Final = re.compile(r"\s*,?\s*([A-Za-z][\w-]*)\s*=\s*")
_SORTED_STYLES: Final = frozenset(
    (
        *(
            "plain",
            "abbrv",
            "alpha",
            "acm",
            "apalike",
            "siam",
            "plainnat",
            "abbrvnat",
            "plainurl",
            "plaindin",
            "apa",
            "chicago",
        ),
        *("amsplain", "amsalpha", "siamplain", "splncs03", "splncs04", "acl_natbib", "agsm", "dcu", "kluwer", "jmb", "mbplain"),
        *("ACM-Reference-Format", "elsarticle-harv", "aaai", "icml", "iclr", "humannat", "newapa", "jmlr2e", "sn-basic"),
    )
)
"""Styles of BibTeX that sort the list by names; the others keep the order of citations. https://ctan.org/pkg/bibtex"""
_NO_ENTRY: Final = ("comment", "preamble", "string")
_YEAR: Final = re.compile(r"(?:1[5-9]|20)\d\d")
_LABEL: Final = re.compile(r"^(.*?)\(([^()]*)\)(.*)$", re.DOTALL)


def read_bibitems(items: Sequence[Item], setter: TextSetter) -> tuple[Reference, ...]:
    """Return the entries of a ``thebibliography`` environment, in order."""
    out: list[Reference] = []
    reader = Reader(items)
    key, label, body = None, None, []  # type: str | None, list[Item] | None, list[Item]

    def finish() -> None:
        if key is not None:
            out.append(_bibitem(key, label, body, setter))

    for item in reader:
        if item == "\\bibitem":
            finish()
            label, body = reader.optional(), []
            key = plain(reader.argument()).strip()
        elif key is not None:
            body.append(item)
    finish()
    return tuple(out)


def _bibitem(key: str, label: list[Item] | None, body: Sequence[Item], setter: TextSetter) -> Reference:
    text = setter.running_text(body)
    if label is None:
        return Reference(key, text)
    named = _named_label(label, setter)
    if named is not None:
        return Reference(key, text, None, *named)
    printed = setter.text(label)
    match = _LABEL.match(printed)
    if match:
        return Reference(key, text, None, match[1].strip(), match[2].strip())
    return Reference(key, text, printed or None)


def _named_label(label: Sequence[Item], setter: TextSetter) -> tuple[str, str] | None:
    """Return authors and year of a label ``\\citeauthoryear{authors}{year}``, before which some styles give all authors."""
    reader = Reader(label)
    for item in reader:
        if item == "\\citeauthoryear":
            groups = []
            while (group := reader.group()) is not None:
                groups.append(setter.text(group).strip())
            return (groups[-2], groups[-1]) if len(groups) > 1 else None
    return None


def read_biblatex(items: Sequence[Item], setter: TextSetter) -> tuple[Reference, ...]:
    """Return the entries of a ``.bbl`` that biblatex wrote (``\\entry`` … ``\\endentry``), in order."""
    out: dict[str, Reference] = {}
    reader = Reader(items)
    key = ""
    fields: dict[str, str] = {}
    names: dict[str, list[str]] = {}
    for item in reader:
        if item == "\\entry":
            key, fields, names = plain(reader.argument()).strip(), {}, {}
            reader.argument(), reader.argument()
        elif item == "\\name":
            role = plain(reader.argument())
            reader.argument(), reader.argument()
            names.setdefault(role, []).extend(_biblatex_names(reader.argument(), setter))
        elif item in ("\\field", "\\strng"):
            name = plain(reader.argument())
            fields[name] = _set(name, reader.argument(), setter)
        elif item == "\\list":
            name = plain(reader.argument())
            reader.argument()
            fields[name] = setter.text(reader.argument())
        elif isinstance(item, str) and item[0] == VERBATIM:
            rest: list[Item] = []
            for part in reader:
                if part == "\\endverb":
                    break
                rest.append(part)
            fields[item.split(VERBATIM)[-1]] = plain(rest).strip()
        elif item == "\\endentry" and key:
            out.setdefault(key, _reference(key, names.get("author") or names.get("editor") or [], fields))
            key = ""
    return tuple(out.values())


def _biblatex_names(items: Sequence[Item], setter: TextSetter) -> Iterator[str]:
    for node in items:
        if not isinstance(node, Node):
            continue
        found = dict(re.findall(r"(family|given)=\{*([^{}=]*)", setter.text(node.children) or ""))
        text = plain(node.children)
        for part in ("family", "given"):
            match = re.search(part + r"=\{((?:[^{}]|\{[^{}]*\})*)\}", text)
            if match:
                found[part] = setter.text(build_tree(tokenize(match[1]), "a name"))
        if found.get("family"):
            yield " ".join(x for x in (found.get("given", ""), found["family"]) if x)


def read_bib(text: str, where: str, setter: TextSetter) -> Mapping[str, Reference]:
    """Return the entries of a ``.bib`` file by key."""
    out: dict[str, Reference] = {}
    for kind, key, fields in _bib_entries(text):
        if kind in _NO_ENTRY or not key or key in out:
            continue
        set_fields = {name: _set(name, build_tree(tokenize(value), where), setter) for name, value in fields.items()}
        names = [_natural(n) for n in re.split(r"\s+and\s+", set_fields.get("author") or set_fields.get("editor") or "") if n]
        out[key] = _reference(key, names, set_fields)
    return out


def _set(name: str, value: Sequence[Item], setter: TextSetter) -> str:
    """Return a field as text; formulas are marked in a title alone, as the others are looked into."""
    return setter.running_text(value) if name == "title" else setter.text(value)


def _natural(name: str) -> str:
    """Return a name as printed: ``Family, Given`` turned round."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma else name.strip()


def _bib_entries(text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    at = 0
    while (match := _ENTRY.search(text, at)) is not None:
        fields: dict[str, str] = {}
        at = match.end()
        while (field := _FIELD.match(text, at)) is not None:
            value, at = _bib_value(text, field.end())
            fields.setdefault(field[1].lower(), value)
        yield match[1].lower(), match[2], fields


def _bib_value(text: str, at: int) -> tuple[str, int]:
    """Return a value (braced, quoted, a word, or several joined by ``#``) and where it ends."""
    parts: list[str] = []
    while at < len(text):
        while at < len(text) and text[at].isspace():
            at += 1
        if at >= len(text):
            break
        closing = {"{": "}", '"': '"'}.get(text[at])
        if closing is None:
            word = re.compile(r"[^\s,#}]+").match(text, at)
            if word is None:
                break
            parts.append(word[0])
            at = word.end()
        else:
            start, depth = at + 1, 0
            at += 1
            while at < len(text) and not (text[at] == closing and not depth):
                depth += (text[at] == "{") - (text[at] == "}")
                at += 2 if text[at] == "\\" else 1
            parts.append(text[start:at])
            at += 1
        joined = re.compile(r"\s*#\s*").match(text, at)
        if joined is None:
            break
        at = joined.end()
    return "".join(parts), at


def _reference(key: str, names: Sequence[str], fields: Mapping[str, str]) -> Reference:
    year = fields.get("year") or fields.get("date", "")[: len("2000")]
    title = fields.get("title", "")
    source = fields.get("journal") or fields.get("journaltitle") or fields.get("booktitle") or fields.get("publisher") or ""
    issue = fields.get("volume", "") + (f"({fields['number']})" if fields.get("number") else "")
    place = ", ".join(x for x in (source or fields.get("howpublished", ""), issue, fields.get("pages", "")) if x)
    doi = fields.get("doi", "")
    eprint = fields.get("eprint", "")
    parts = [_listed(names), title, place, year, f"doi:{doi}" if doi else "", f"arXiv:{eprint}" if eprint else ""]
    if not doi and fields.get("url"):
        parts.append(fields["url"])
    text = " ".join(p if p.endswith((".", "?", "!")) else f"{p}." for p in map(tidy, parts) if p)
    families = [n.split()[-1] for n in names if n.split()]
    short = families[0] + " et al." if len(families) > 2 else " and ".join(families)
    short = short or without_formula_signs(title)
    found = _YEAR.search(year)
    order = "\n".join(("\t".join(map(_by_family, names)) or title, year, title))
    return Reference(key, text, None, short, found[0] if found else year, _plain_letters(order))


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " and " + names[-1]


def _by_family(name: str) -> str:
    """Return a printed name with the family name first."""
    given, _, family = name.rpartition(" ")
    return f"{family} {given}"


def _plain_letters(text: str) -> str:
    """Return a text in small letters without accents, as BibTeX compares it."""
    return "".join(c for c in unicodedata.normalize("NFD", text.casefold()) if c in "\n\t " or c.isalnum())


def is_sorted(style: str, packages: Mapping[str, str]) -> bool:
    """Return whether a list of references is sorted by names: what the style of BibTeX does (conferences append
    year and number to its name), or biblatex unless its options say ``sorting=none``."""
    if "biblatex" in packages:
        return re.search(r"sorting\s*=\s*none", packages["biblatex"]) is None
    name = style.rsplit("/", 1)[-1]
    return name in _SORTED_STYLES or re.sub(r"[-_\d]*(?:conference)?[-_\d]*$", "", name) in _SORTED_STYLES


def in_alphabet(references: Iterable[Reference]) -> tuple[Reference, ...]:
    """Return the entries sorted by their authors, year and title."""
    return tuple(sorted(references, key=lambda r: r.order))


def in_order_cited(found: Mapping[str, Reference], cited: Iterable[str]) -> tuple[Reference, ...]:
    """Return the entries that are cited, in the order of their first citation; ``*`` stands for all."""
    keys = dict.fromkeys(cited)
    out = [found[k] for k in keys if k in found]
    return tuple(out) + (tuple(r for k, r in found.items() if k not in keys) if "*" in keys else ())
