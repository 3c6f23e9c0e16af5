"""How complete the reading of a paper is: what may be missing, and a grade from A to F with a sentence for every step down.

The evidence is in the paper itself: numbers that are left out, captions without their float, marks in the text that lead
nowhere, pages of which nothing could be read. The worst thing found gives the grade, whatever else there is:

- **A**: nothing is known to be missing.
- **B**: nothing is known to be missing, but something leads nowhere or has no name: a citation, a mention, a float without a
  caption in a paper that captions them, a number that two have; or no abstract was found.
- **C**: one float is missing (a caption without it, or a number left out), or numbers of equations or sections are; there is no
  heading; there is no list of references though the text cites; something was left out for want of time; words are missing that
  two independent sources of the paper have.
- **D**: several floats are missing, or a page could not be read.
- **F**: most pages could not be read, or there is no text at all.

Of some pages only, what these pages show is judged: the rest has the other numbers, the abstract and the references. A mark
that the print itself leaves open (``[?]``) is no gap.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast, get_args

from variorum.document.model import Document, Table, TextComponent
from variorum.document.paper_model import Citation, Completeness, Figure, Gap, Grade
from variorum.document.placing import Caption
from variorum.layout.roman import roman, roman_value
from variorum.layout.whole_numbers import whole_number
from variorum.regions.captions import KINDS, SUPPLEMENTS

_GRADES: Final[tuple[Grade, ...]] = get_args(Grade)
_NOTHING: Final = "A: nothing is known to be missing."
_PRINTED: Final = re.compile(r"(?P<before>.*?)(?P<count>\d+|[A-Za-z]+)(?P<part>[a-z]?)")
_FLOATS: Final = ("table", "figure")
_SEVERAL: Final = ("Tables", "Figures")


def assess(
    document: Document, unread: Mapping[int, str], *, with_tables: bool = True, uncounted: Collection[str] = ()
) -> Completeness:
    """Return how complete the reading is; `unread` says of pages, from 1, that could not be read, why.

    Without `with_tables` the tables were not asked for, and are not missed. `uncounted`: ids of floats that may not belong to
    the paper: they need no caption. The document's own `completeness` is not looked at.
    """
    is_whole = len({p.page_num for p in document.pages} | set(unread)) >= document.page_count
    gaps = [*_pages(unread), *_floats(document, uncounted, with_tables=with_tables)]
    if is_whole:
        gaps += _numbers(document, with_tables=with_tables)
        gaps += _parts_of_a_paper(document)
        gaps += _dead_ends(document, with_tables=with_tables)
    found = [*_reasons(document, gaps, unread)]
    reasons = [f"{_GRADES[step]}: {sentence}" for step, sentence in sorted(found, key=lambda r: -r[0])]
    grade = _GRADES[max((step for step, _ in found), default=0)]
    if not is_whole:
        count = len(document.pages)
        were = "1 page was" if count == 1 else f"{count} pages were"
        scope = f"{grade}: only {were} read of {document.page_count}, and only what stands there is judged."
        reasons.insert(0, scope)
    return Completeness(grade=grade, reasons=tuple(reasons or [_NOTHING]), gaps=tuple(gaps))


def with_reason(known: Completeness, grade: Grade, sentence: str, gaps: Sequence[Gap]) -> Completeness:
    """Return what is known of a reading with one more reason for a step down, and the gaps that it stands for.

    For what the document alone does not show: that other sources of the paper have more. The grade is the lower of the two.
    """
    own = [reason for reason in known.reasons if reason != _NOTHING]
    reasons = sorted([*own, f"{grade}: {sentence}"], key=lambda r: -_GRADES.index(cast("Grade", r[:1])))
    return Completeness(grade=max(known.grade, grade, key=_GRADES.index), reasons=tuple(reasons), gaps=(*known.gaps, *gaps))


# ---- the grade -------------------------------------------------------------------------------------------------------


def _reasons(document: Document, gaps: Sequence[Gap], unread: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """Yield the reasons for steps down, each as the position of its grade and a sentence."""
    b, c, d, f = range(1, len(_GRADES))
    by_kind: dict[str, list[Gap]] = {}
    for gap in gaps:
        by_kind.setdefault(gap.kind, []).append(gap)
    if not document.components:
        yield f, "no text was read."
    if unread:
        most = 2 * len(unread) > document.page_count
        noun = "page" if len(unread) == 1 else "pages"
        yield (f if most else d), f"{noun} {_listed(map(str, sorted(unread)))} could not be read."
    lost = [g for g in by_kind.get("numbering", []) if _is_of_float(g)]
    missing = [*by_kind.get("orphan_caption", []), *lost]
    step = d if len(missing) > 1 or any(g.what.startswith(_SEVERAL) for g in lost) else c
    for gap in missing:
        yield step, f"{gap.what}."
    for gap in by_kind.get("numbering", []):
        if gap not in lost:
            yield c, f"{gap.what}."
    for kind in ("no_sections", "no_references"):
        for gap in by_kind.get(kind, []):
            yield c, f"{gap.what}."
    if document.incomplete:
        yield c, f"left out for want of time: {_listed(document.incomplete)}."
    for kind in ("no_abstract", "duplicate_number", "uncaptioned"):
        for gap in by_kind.get(kind, []):
            yield b, f"{gap.what}."
    marks = _own_citations(document)
    dead_citations = sum(not c.targets for c in marks)
    dead_mentions = sum(m.target is None for m in document.mentions)
    for kind, said in (
        ("unresolved_citation", f"{dead_citations} of {len(marks)} citations lead nowhere"),
        ("unresolved_mention", f"{dead_mentions} of {len(document.mentions)} mentions lead nowhere"),
    ):
        if kind in by_kind:
            yield b, f"{said}: {_listed(g.what.split(':')[0] for g in by_kind[kind])}."


def _is_of_float(gap: Gap) -> bool:
    return gap.what.casefold().startswith(_FLOATS)


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(texts)


# ---- what may be missing ---------------------------------------------------------------------------------------------


def _pages(unread: Mapping[int, str]) -> Iterator[Gap]:
    for page, why in sorted(unread.items()):
        yield Gap(kind="unreadable_page", what=f"page {page}: {why}", page_num=page)


def _floats(document: Document, uncounted: Collection[str], *, with_tables: bool) -> Iterator[Gap]:
    """Yield captions without their float, and floats without a caption where the paper captions those of their kind."""
    for component in document.components:
        if _is_lone_caption(component):
            kind = kind_of_caption(component.text)
            if kind in _FLOATS and (with_tables or kind != "table"):
                what = f"no {kind} was found for the caption “{_start(component.text)}”"
                yield Gap(kind="orphan_caption", what=what, page_num=component.provenance.page_num, component=component.id)
    tables = [t for t in document.tables if t.artifact is None]
    for kind, own in (("table", tables), ("figure", document.figures)):
        if any(item.caption is not None for item in own):
            for item in own:
                if item.caption is None and item.id not in uncounted:
                    page = item.provenance.page_num
                    what = f"a {kind} on page {page} has no caption" if page else f"the {kind} {item.id} has no caption"
                    yield Gap(kind="uncaptioned", what=what, page_num=page, component=item.id)


def _is_lone_caption(component: TextComponent) -> bool:
    return component.kind == "caption" and component.target is None


def kind_of_caption(text: str) -> str:
    """Return what a caption is of, by the label that it begins with: ``table``, ``figure`` …, empty without a label."""
    for word in text.split():
        bare = re.match(r"[^\W\d_]*", word.casefold())
        kind = KINDS.get(bare[0]) if bare else None
        if kind is not None:
            return kind
        if bare and bare[0] not in SUPPLEMENTS and not any(c.isdigit() for c in word):
            break
    return ""


def _start(text: str) -> str:
    """Return the beginning of a text: its words up to the first that ends a sentence behind the label."""
    words = text.split()
    end = next((i for i, w in enumerate(words) if i > 2 and w.endswith((".", ":", ";"))), len(words))
    return " ".join(words[: end + 1]).rstrip(".:; ")


@dataclass(frozen=True, slots=True)
class _Numbered:
    """Something with a printed number: the number, the series it counts in, its id, and its page."""

    number: str
    name: str
    page_num: int | None


def _numbers(document: Document, *, with_tables: bool) -> Iterator[Gap]:
    """Yield numbers that are left out, and those that two things of a kind have."""
    orphans = [c for c in document.components if _is_lone_caption(c) and c.number]
    heads = [c for c in document.components if c.kind == "heading" and c.number]
    groups: list[tuple[str, list[_Numbered]]] = []
    if with_tables:
        groups.append(("Table", _numbered([t for t in document.tables if t.artifact is None])))
    groups.append(("Figure", _numbered(document.figures)))
    for label, own in groups:
        yield from _twice(label, own)
        lone = [c for c in orphans if kind_of_caption(c.text) == label.casefold()]
        known = [_Numbered(c.number or "", c.id, c.provenance.page_num) for c in lone]
        yield from _left_out(label, [*own, *known])
    equations = [c for c in document.components if c.kind == "equation" and c.number]
    formulas = [_Numbered(c.number or "", c.id, c.provenance.page_num) for c in equations]
    yield from _left_out("Equation", formulas, is_dense=True)
    for level in sorted({c.level or 1 for c in heads}):
        own = [_Numbered(c.number or "", c.id, c.provenance.page_num) for c in heads if (c.level or 1) == level]
        yield from _left_out("Section", own, is_dense=True)


def _numbered(floats: Sequence[Table] | Sequence[Figure]) -> list[_Numbered]:
    """Return the floats with a number; of several under one caption the first."""
    found: dict[Caption | str, _Numbered] = {}
    for item in floats:
        if item.number:
            found.setdefault(item.caption or item.id, _Numbered(item.number, item.id, item.provenance.page_num))
    return list(found.values())


def _twice(label: str, items: Sequence[_Numbered]) -> Iterator[Gap]:
    counts = Counter(_plain(item.number) for item in items)
    for number, count in counts.items():
        if count > 1:
            last = [item for item in items if _plain(item.number) == number][-1]
            yield Gap(
                kind="duplicate_number",
                what=f"{label} {last.number} is there {'twice' if count == 2 else f'{count} times'}",
                page_num=last.page_num,
                component=last.name,
            )


def _left_out(label: str, items: Sequence[_Numbered], *, is_dense: bool = False) -> Iterator[Gap]:
    """Yield a gap for the numbers that are left out before a higher one of their series.

    A series counts from 1, or goes on where another of its kind ends (``8``, ``A.9``). In a dense one, a number that more are
    left out before than there are in all is none of it: a year in brackets beside a formula.
    """
    series: dict[str, dict[int, _Numbered]] = {}
    is_roman = _all_roman([_plain(item.number) for item in items])
    for item in items:
        match = _PRINTED.fullmatch(_plain(item.number))
        count = None if match is None else _count(match["count"], is_roman=is_roman)
        if match is not None and count is not None:
            series.setdefault(match["before"], {}).setdefault(count, item)
    ends = {before: max(known) for before, known in series.items()}
    for before, known in sorted(series.items()):
        last = 0
        goes_on = {end for other, end in ends.items() if other != before}
        for count in sorted(known):
            gap = count - last - 1
            if is_dense and gap > len(known):
                continue
            is_first, last = not last, count
            if gap > 0 and not (is_first and count - 1 in goes_on):
                after = known[count]
                printed = _bare(after.number)
                start, like = printed[: len(before)], printed[len(before) :]
                names = [start + _as_printed(n, like, is_roman=is_roman) for n in (count - gap, count - 1)]
                what = f"{label} {names[0]} is" if gap == 1 else f"{label}s {names[0]} to {names[1]} are"
                what += f" left out before {label} {printed}"
                yield Gap(kind="numbering", what=what, page_num=after.page_num, component=after.name)


def _bare(number: str) -> str:
    """Return a number without the word before it and the signs around it."""
    return re.sub(r"^(?:appendix|section|§)\s*", "", number.strip(), flags=re.IGNORECASE).strip("().: ")


def _plain(number: str) -> str:
    """Return a number in the form in which two ways of printing it are the same."""
    return _bare(number).replace("-", ".").casefold()


def _all_roman(numbers: Sequence[str]) -> bool:
    """Return whether the numbers that are letters only are Roman ones: ``I``, ``IV``; else they are letters, ``A``, ``B``."""
    letters = [n for n in numbers if n.isalpha()]
    return bool(letters) and all(roman_value(n) is not None for n in letters)


def _count(printed: str, *, is_roman: bool) -> int | None:
    """Return the count that the last part of a number stands for; None for letters that are no number."""
    if printed.isdecimal():
        return whole_number(printed)
    if is_roman:
        return roman_value(printed)
    return ord(printed) - ord("a") + 1 if len(printed) == 1 else None


def _as_printed(count: int, like: str, *, is_roman: bool) -> str:
    """Return a count in the style of a printed number: a figure, a letter or a Roman number."""
    if any(c.isdigit() for c in like):
        return str(count)
    text = roman(count) if is_roman else chr(ord("a") + count - 1)
    return text.upper() if like.isupper() else text


def _parts_of_a_paper(document: Document) -> Iterator[Gap]:
    """Yield the parts that a paper has and that were not found."""
    if not document.components:
        return
    if not any(s.label == "abstract" for s in document.sections):
        yield Gap(kind="no_abstract", what="no abstract was found")
    if not any(c.kind == "heading" for c in document.components):
        yield Gap(kind="no_sections", what="no heading was found")
    marks = _own_citations(document)
    if marks and not document.bibliography:
        first, count = marks[0], len(marks)
        more = f" and {count - 1} more" if count > 1 else ""
        what = f"no list of references was found, and the text cites: “{first.text}”{more}"
        yield Gap(kind="no_references", what=what, component=first.component)


def _own_citations(document: Document) -> list[Citation]:
    """Return the citations that say what they cite: not those that the print itself leaves open."""
    return [c for c in document.citations if any(sign.isalnum() for sign in c.text)]


def _dead_ends(document: Document, *, with_tables: bool) -> Iterator[Gap]:
    """Yield citations and mentions that lead nowhere, each once, with how often they stand in the text."""
    pages = {c.id: c.provenance.page_num for c in document.components}
    if document.bibliography:
        dead = [c for c in _own_citations(document) if not c.targets]
        counts = Counter(c.text for c in dead)
        for text, count in counts.items():
            first = next(c for c in dead if c.text == text)
            what = f"“{text}”: {_places(count)}, fits no entry of the references"
            yield Gap(kind="unresolved_citation", what=what, page_num=pages.get(first.component), component=first.component)
    captions = [c for c in document.components if _is_lone_caption(c) and c.number]  # named already
    lone = {(kind_of_caption(c.text), _plain(c.number or "")) for c in captions}
    dead_mentions = [m for m in document.mentions if m.target is None and (with_tables or m.kind != "table")]
    lost = [m for m in dead_mentions if (m.kind, _plain(m.number)) not in lone]
    named = Counter((m.kind, m.number) for m in lost)
    for (kind, number), count in named.items():
        first_lost = next(m for m in lost if (m.kind, m.number) == (kind, number))
        what = f"{kind.capitalize()} {number}: named in {_places(count)}, was not found"
        yield Gap(
            kind="unresolved_mention", what=what, page_num=pages.get(first_lost.component), component=first_lost.component
        )


def _places(count: int) -> str:
    return "1 place" if count == 1 else f"{count} places"
