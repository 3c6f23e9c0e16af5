"""What stands before the text of a paper: its title, who wrote it where, and the numbers it is known by.

The title is elected among the groups of lines in one type at the beginning of the first page: by size, by the layout model, and
by the title in the PDF's metadata and bookmarks. The names of authors are in the lines below it that read as names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from variorum.document.paper_model import PaperIdentity
from variorum.geometry import Box, Interval
from variorum.layout.heading_candidates import joined_text
from variorum.layout.heading_numbers import numbers_at_start
from variorum.layout.model import (
    BodyStyle,
    LineId,
    PagePrint,
    PaperPrint,
    PrintLine,
    Run,
    body_style,
    is_bold,
    is_size,
)
from variorum.layout.section_names import is_front_name, is_known_name, label_of_name, plain_name
from variorum.thresholds import LINES_APART, WORD_GAP_IN_LABEL_EM

_DOI: Final = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}]+", re.IGNORECASE)
_ONLY_DOI: Final = re.compile(r"(?:doi\s*:?\s*|https?://(?:dx\.)?doi\.org/)*10\.\d{4,9}/\S+$", re.IGNORECASE)
_ARXIV: Final = re.compile(r"arxiv\s*:\s*((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?)", re.IGNORECASE)
_MARKS: Final = re.compile(r"[*∗†‡§¶‖#◦′⋆★☆✉¤�♯♭\d\[\](){}^_]+")
_BETWEEN: Final = re.compile(r"\s*(?:[,;·•|/]|\band\b|\bAND\b|&|\bund\b|\bet\b|\by\b)\s*")
_PARTICLES: Final = frozenset(
    (
        "de",
        "da",
        "do",
        "dos",
        "das",
        "del",
        "della",
        "der",
        "den",
        "di",
        "du",
        "el",
        "la",
        "las",
        "los",
        "le",
        "van",
        "von",
        "vom",
        "zu",
        "zur",
        "bin",
        "ibn",
        "al",
        "ter",
        "ten",
        "e",
        "i",
    )
)
_PLACES: Final = frozenset(
    [
        "university",
        "universität",
        "universidad",
        "universidade",
        "université",
        "universita",
        "università",
        "institute",
        "institut",
        "instituto",
        "department",
        "dept",
        "departamento",
        "school",
        "college",
        "faculty",
        "fakultät",
        "laboratory",
        "laboratories",
        "lab",
        "labs",
        "center",
        "centre",
        "hospital",
        "academy",
        "company",
        "corporation",
        "inc",
        "ltd",
        "gmbh",
        "llc",
        "group",
        "research",
        "street",
        "avenue",
        "road",
        "box",
        "usa",
        "uk",
        "society",
        "foundation",
        "clinic",
        "observatory",
        "ministry",
        "division",
        "technology",
        "sciences",
        "science",
        "engineering",
        "medicine",
        "program",
        "programme",
        "member",
        "fellow",
        "student",
        "ieee",
        "acm",
    ]
)
_DATES: Final = re.compile(
    r"(?i)\b(?:received|accepted|revised|published|submitted|draft|version|preprint|compiled|typeset|copyright|correspond|equal|"
    r"contribut|deceased|e-?mail|conference|proceedings|journal|volume)\w*\b|©|"
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d|"
    r"\d\s+(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The lines of the title, those around it before the abstract or the text (authors, affiliations, addresses, dates), those
    in the margin beside the text of the first page (a box of information on the article), and what they say."""

    title_lines: tuple[LineId, ...]
    byline_lines: tuple[LineId, ...]
    side_lines: tuple[LineId, ...]
    identity: PaperIdentity


def read_front(paper: PaperPrint, lines: Sequence[PrintLine]) -> FrontMatter:
    """Return the front matter of a paper.

    `lines` are those of the text in reading order, without furniture and floats; only those of the first page are looked at.
    Identifiers are also looked for among the other lines of that page, as in its foot or beside it.
    """
    style = body_style(paper.pages)
    if style is None:
        return FrontMatter((), (), (), PaperIdentity())
    page = paper.pages[0]
    own = [line for line in lines if line.page_index == page.page_index and line.angle == 0]
    column = _text_column(own, style)
    side = [line for line in own if line.box.x_interval.overlap(column) <= 0]
    main = [line for line in own if line not in side]
    groups = _groups(main)
    end = _end_of_front(main, groups, style, 0)
    title = _elected_title(groups, main[:end], page, paper) or _elected_title(groups, main, page, paper)
    if title and end <= main.index(title[-1]):
        end = _end_of_front(main, groups, style, main.index(title[-1]) + 1)
    byline = [line for line in main[:end] if line not in title]
    byline += _front_blocks([line for line in lines if line.angle == 0 and line not in main[:end] and line not in side])
    below = [line for line in main[:end] if title and main.index(line) > main.index(title[-1])]
    text = {line.id for line in main[end:] if line not in byline}
    identity = PaperIdentity(
        title=_text_of(title),
        authors=tuple(_authors(below)),
        doi=_doi(page, text),
        arxiv_id=_arxiv(page, text),
    )
    return FrontMatter(_ids(title), _ids(byline), _ids(side), identity)


def _ids(lines: Sequence[PrintLine]) -> tuple[LineId, ...]:
    return tuple(line.id for line in lines)


def _text_column(lines: Sequence[PrintLine], style: BodyStyle) -> Interval:
    """Return from where to where running text reaches on the page: around its lines that are not short."""
    prose = [line for line in lines if is_size(line.size, style.size)] or list(lines)
    widths = sorted(line.box.width for line in prose)
    if not widths:
        return Interval(0.0, 0.0)
    usual = widths[len(widths) // 2]
    wide = [line.box for line in prose if 2 * line.box.width > usual]
    return Interval(min(b.x0 for b in wide), max(b.x1 for b in wide))


def _groups(lines: Sequence[PrintLine]) -> list[list[PrintLine]]:
    """Return the lines in groups of one type, each a line below the one before."""
    groups: list[list[PrintLine]] = []
    for line in lines:
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and is_size(last.size, line.size)
            and last.font == line.font
            and 0 < line.baseline - last.baseline < LINES_APART * line.size
            and last.box.x_interval.overlap(line.box.x_interval) > 0
        ):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _end_of_front(lines: Sequence[PrintLine], groups: Sequence[Sequence[PrintLine]], style: BodyStyle, start: int) -> int:
    """Return where the abstract or the text begins: at a known name, or at lines that fill a column."""
    for i in range(start, len(lines)):
        if _is_first_heading(lines[i]):
            return i
        if _is_prose(lines[i:]):
            before = lines[i - 1] if i > start else None
            is_heading = before is not None and (
                (is_bold(before.font) and not is_bold(style.font)) or before.size > style.size + 1
            )
            is_heading = is_heading and before is not None and not _DATES.search(before.plain) and bool(_words(before.plain))
            return i - 1 if is_heading else i
    return len(lines)


def _front_blocks(lines: Sequence[PrintLine]) -> list[PrintLine]:
    """Return the lines of keywords, classifications and how to cite that stand between the abstract and the first section."""
    found: list[PrintLine] = []
    inside = False
    for i, line in enumerate(lines):
        last = lines[i - 1] if i else None
        if i and _is_first_heading(line) and not _opens_abstract(line):
            break
        if _opens_front_block(line):
            inside = True
        elif inside and last is not None:
            is_label = last in found and is_front_name(last.plain)
            step = line.baseline - last.baseline
            goes_on = line.page_index == last.page_index and 0 < step < LINES_APART * line.size and _is_set_as(line, last)
            inside = goes_on or (is_label and step < LINES_APART * last.size)
        if inside:
            found.append(line)
    return found


def _opens_front_block(line: PrintLine) -> bool:
    if is_front_name(line.plain):
        return True
    lead = re.match(r"([^:—–.]+)[:—–.]", line.plain)
    opening = "".join((" " if r.space_before else "") + r.text for r in line.runs if r.font == line.runs[0].font)
    return (lead is not None and is_front_name(lead[1])) or is_front_name(opening)


def _is_set_as(line: PrintLine, last: PrintLine) -> bool:
    """Return whether a line has the size of the one before and stands no further from it than lines of a paragraph."""
    step = line.baseline - last.baseline
    return is_size(line.size, last.size) and 2 * (step - line.size) < line.size


def _opens_abstract(line: PrintLine) -> bool:
    return _is_first_heading(line) and line.plain.casefold().lstrip().startswith(
        ("abstract", "summary", "zusammenfassung", "résumé")
    )


def _is_first_heading(line: PrintLine) -> bool:
    text = line.plain
    names = {text, *(text[n.end :] for n in numbers_at_start(text))}
    if any(label_of_name(n) is not None for n in names):
        return True
    lead = [r for r in line.runs if r.font == line.runs[0].font]
    opening = "".join((" " if r.space_before else "") + r.text for r in lead)
    return label_of_name(opening) == "abstract" or re.match(r"abstract\s*[.:—–-]", text, re.IGNORECASE) is not None


def _is_prose(lines: Sequence[PrintLine]) -> bool:
    """Return whether three lines in one type follow each other that begin and end at the same places, and most of their words
    begin with small letters, as those of names and addresses do not."""
    if len(lines) <= 2:
        return False
    words = [w for line in lines[:2] for w in _words(line.plain)]
    if 2 * sum(w[0].islower() for w in words) <= len(words):
        return False
    em = lines[0].size
    return all(
        is_size(a.size, b.size)
        and 0 < b.baseline - a.baseline < LINES_APART * em
        and 2 * abs(a.box.x1 - b.box.x1) < em
        and abs(a.box.x0 - b.box.x0) / 2 < em
        for a, b in ((lines[0], lines[1]), (lines[1], lines[2]))
    )


def _elected_title(
    groups: Sequence[Sequence[PrintLine]], within: Sequence[PrintLine], page: PagePrint, paper: PaperPrint
) -> list[PrintLine]:
    """Return the group of lines that most speaks for as the title; of equals, the first."""
    allowed = {line.id for line in within}
    choices = [list(g) for g in groups if g[0].id in allowed and _may_be_title(g)]
    if not choices:
        return []
    sizes = sorted({_size(g) for g in choices})
    names = [paper.meta_title, *(e.title for e in paper.outline if e.level == 1 and e.page_index == page.page_index)][:2]
    best, best_score = choices[0], -1.0
    for group in choices:
        text = _text_of(group)
        rank = (sizes.index(_size(group)) + 1) / len(sizes)
        named = max((_likeness(text, n) for n in names if n), default=0.0)
        box = Box.around(line.box for line in group)
        seen = any(kind == "title" and bool(box.intersection(b)) for kind, b in page.layout_boxes)
        headed = any(kind == "section-header" and b.contains_centre_of(box) for kind, b in page.layout_boxes)
        several = len(_words(text)) > 2
        score = 2 * rank + 2 * named + seen + headed / 2 + several / 2
        if score > best_score:
            best, best_score = group, score
    return best


def _may_be_title(group: Sequence[PrintLine]) -> bool:
    text = _text_of(group)
    letters = sum(c.isalpha() for c in text)
    return 2 * letters > len(text) and "@" not in text and not _ARXIV.search(text) and not _ONLY_DOI.match(text)


def _size(group: Sequence[PrintLine]) -> float:
    return round(2 * max(r.size for line in group for r in line.runs if not r.script)) / 2


def _words(text: str) -> list[str]:
    return [w for w in text.split() if any(c.isalpha() for c in w)]


def _likeness(a: str, b: str) -> float:
    first, second = plain_name(a).replace(" ", ""), plain_name(b).replace(" ", "")
    return SequenceMatcher(None, first, second, autojunk=False).ratio() if first and second else 0.0


def _text_of(lines: Sequence[PrintLine]) -> str:
    """Return the lines as one text, without raised marks of footnotes at the end of a word."""
    parts = ["".join((" " if r.space_before else "") + r.text for r in line.runs if not _is_mark(r)).strip() for line in lines]
    return joined_text(parts)


def _is_mark(run: Run) -> bool:
    return run.script == "sup" and not any(c.isalpha() for c in run.text)


def _authors(lines: Sequence[PrintLine]) -> Iterator[str]:
    """Yield the names in the lines below the title, in the order in which they stand: row by row, also where each stands over
    an address of its own."""
    lines = _by_row(lines)
    first = next((line for line in lines if _names_in(_unmarked(line))), None)
    if first is None:
        return
    own = [line for line in lines if line is first or (is_size(_size([line]), _size([first])) and line.font == first.font)]
    text = ""
    last: PrintLine | None = None
    taken: list[str] = []
    for line in own:
        part = _unmarked(line)
        is_address = _is_place(part) and (not _names_in(part) or (last is not None and not part[:1].isalpha()))
        if last is not None and is_address:
            break
        if _DATES.search(part) or "@" in part or is_address:
            continue
        if last is not None and _is_apart(last, line):
            text += ","
        text += " " + part
        last = line
    for name in _names_in(text):
        if name not in taken:
            taken.append(name)
            yield name


def _by_row(lines: Sequence[PrintLine]) -> list[PrintLine]:
    """Return the lines from top to bottom, those on one writing line from left to right."""
    rows: list[list[PrintLine]] = []
    for line in sorted(lines, key=lambda item: (item.baseline, item.box.x0, item.index)):
        if rows and 2 * (line.baseline - rows[-1][0].baseline) < line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda item: (item.box.x0, item.index))]


def _is_apart(last: PrintLine, line: PrintLine) -> bool:
    """Return whether two lines of names do not go on in one another: others stand between, or wide white."""
    if 2 * abs(line.baseline - last.baseline) < line.size:
        return line.box.x0 - last.box.x1 > WORD_GAP_IN_LABEL_EM * line.size
    return line.index != last.index + 1


def _unmarked(line: PrintLine) -> str:
    """Return the text of a line of names with a comma for every raised mark."""
    out = []
    for run in line.runs:
        text = "," if run.script == "sup" else run.text
        out.append((" " if run.space_before and not run.script else "") + text)
    return "".join(out).strip()


def _names_in(text: str) -> list[str]:
    parts = (re.sub(r"\s+", " ", _MARKS.sub("", p)).strip(" .:-—") for p in _BETWEEN.split(_MARKS.sub(",", text)))
    return [_in_small_letters(p) for p in parts if _is_name(p)]


def _is_name(text: str) -> bool:
    words = text.split()
    if len(words) < 2 or _is_place(text) or _DATES.search(text) or is_known_name(text):
        return False
    return all(w.casefold() in _PARTICLES or (w[0].isupper() and not any(c.isdigit() for c in w)) for w in words) and any(
        sum(c.isalpha() for c in w) > 1 for w in words
    )


def _is_place(text: str) -> bool:
    return any(w in _PLACES for w in re.findall(r"\w+", text.casefold()))


def _in_small_letters(name: str) -> str:
    """Return a name that is set in capitals as it is usually written."""
    if not name.isupper():
        return name
    return re.sub(r"[^\W\d_]{2,}", lambda m: m[0][0] + m[0][1:].lower(), name)


def _doi(page: PagePrint, text: set[LineId]) -> str | None:
    for line in page.lines:
        found = _DOI.search(line.plain)
        if found and (line.id not in text or _ONLY_DOI.match(line.plain.strip())):
            return found[0].rstrip(".,;:)]")
    return None


def _arxiv(page: PagePrint, text: set[LineId]) -> str | None:
    for line in page.lines:
        found = _ARXIV.search(unicodedata.normalize("NFKC", line.plain))
        if found and line.id not in text:
            return found[1]
    return None
