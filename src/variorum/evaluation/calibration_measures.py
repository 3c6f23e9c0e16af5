"""Whether each item of a truth was read, and read right, in one document: a measure a type of component.

An item is *read* where the document has something that is meant to be it, and *right* where that says the same:

  heading           same words and level (as both count levels, `same_levels`); told by its words, in order
  figure            same caption; told by its printed number, else by its caption
  table             the share of its texts that stand in the right place, what was invented counted against it (`score_pct` of
                    `compare_extraction`); told by place and content
  equation_display  same signs in the same order, numbered ones alone; told by the printed number
  citation          cites the entry; an item is one cited entry, since sources part lists of them differently; told by order
  bibliography      same text; told by its text

Two texts are the same when at least nine of ten of their letters and digits are common, in order, as outside scorers have it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from variorum.document import Document
from variorum.evaluation.calibration_truth import PaperTruth, last_number
from variorum.evaluation.ground_truth import PERCENT, TruthTable, compare_extraction, pair_tables
from variorum.evaluation.text_distance import common_subsequence
from variorum.fusion.model import ComponentType

SAME: Final = 0.9
"""Share of letters in common from which on two texts say the same."""
MEANT: Final = 0.7
"""Share from which on a text is meant to be another: below it unrelated short titles are paired, above it damaged ones lost."""
_MARKS: Final = re.compile(r"[_^{}]")
_TEX_COMMAND: Final = re.compile(r"\\(?:[A-Za-z]+|.)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one item of the truth: whether it was read, and how right, in [0, 1]; 0 where it was not read.

    `name` says in a few words which item it is, for people who look at what went wrong.
    """

    name: str
    is_read: bool
    right: float


def outcomes(truth: PaperTruth, document: Document) -> dict[ComponentType, tuple[Outcome, ...]]:
    """Return what became of every item of the truth, by type; types of which the truth has nothing are left out."""
    entries = paired_entries(truth, document)
    found: dict[ComponentType, tuple[Outcome, ...]] = {
        "heading": _headings(truth, document),
        "figure": _figures(truth, document),
        "table": _tables(truth, document),
        "equation_display": _equations(truth, document),
        "citation": _citations(truth, document, entries),
        "bibliography": _entries(truth, document, entries),
    }
    return {kind: items for kind, items in found.items() if items}


def letters(text: str) -> str:
    """Return the letters and digits of a text in their plain form, without case and accents: what print and source share."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


def likeness(one: str, other: str) -> float:
    """Return the share of two texts' signs that they have in common, in order, in [0, 1]; 0 where one of them is empty."""
    return 2 * common_subsequence(one, other) / (len(one) + len(other)) if one and other else 0.0


# ---- headings -------------------------------------------------------------------------------------------------------


def _headings(truth: PaperTruth, document: Document) -> tuple[Outcome, ...]:
    read = [c for c in document.components if c.kind == "heading"]
    keys = [{letters(c.text), letters(c.text.removeprefix(c.number or ""))} for c in read]
    true = [letters(h.text) for h in truth.headings]
    pairs = in_order(len(true), len(read), lambda i, j: max(likeness(true[i], key) for key in keys[j]))
    levels = same_levels([(truth.headings[i].level, read[j].level or 1) for i, (j, _) in pairs.items()])
    found = []
    for i, heading in enumerate(truth.headings):
        j, score = pairs.get(i, (None, 0.0))
        is_right = j is not None and score >= SAME and levels.get(heading.level) == (read[j].level or 1)
        found.append(Outcome(name=heading.text, is_read=j is not None, right=float(is_right)))
    return tuple(found)


def same_levels(pairs: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return which level of a reading is which level of the truth, for pairs of both, deeper ones below higher ones.

    Sources count levels differently where a paper leaves some out: a paragraph right below a section is of level 2 or 4. Of all
    ways to tell them the one is taken by which most headings have the right level.
    """
    counts = Counter(pairs)
    true, read = sorted({t for t, _ in pairs}), sorted({r for _, r in pairs})
    best = heaviest_pairing([[counts[t, r] for r in read] for t in true])
    return {true[i]: read[j] for i, j in best.items()}


def in_order(n: int, m: int, score: Callable[[int, int], float]) -> dict[int, tuple[int, float]]:
    """Return for items of one list the item of the other that is meant to be it, and how alike they are, both in order.

    Pairs below `MEANT` are none.
    """
    alike = [[s if (s := score(i, j)) >= MEANT else 0.0 for j in range(m)] for i in range(n)]
    return {i: (j, alike[i][j]) for i, j in heaviest_pairing(alike).items()}


def heaviest_pairing(weights: Sequence[Sequence[float]]) -> dict[int, int]:
    """Return the pairing of rows with columns, both in order, whose weights have the highest sum; weights of 0 pair nothing."""
    n, m = len(weights), len(weights[0]) if weights else 0
    best = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + weights[i][j])
    found = {}
    i = j = 0
    while i < n and j < m:
        if weights[i][j] and best[i][j] == best[i + 1][j + 1] + weights[i][j]:
            found[i] = j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


# ---- figures, tables, equations -------------------------------------------------------------------------------------


def _figures(truth: PaperTruth, document: Document) -> tuple[Outcome, ...]:
    read = [(last_number(f.number or ""), letters(_bare_caption(f.caption))) for f in document.figures]
    found = []
    for figure in truth.figures:
        key = letters(figure.caption)
        numbered = [text for number, text in read if number == figure.number]
        alike = [likeness(key, text) for text in numbered]
        elsewhere = any(likeness(key, text) >= SAME for number, text in read if number != figure.number)
        right = max(alike, default=0.0) >= SAME
        found.append(Outcome(name=f"Figure {figure.number}", is_read=bool(numbered) or elsewhere, right=float(right)))
    return tuple(found)


def _bare_caption(caption: object) -> str:
    """Return the text of a caption without its label and number."""
    text, label, number = (getattr(caption, name, None) or "" for name in ("text", "label", "number"))
    head = re.match(rf"\s*{re.escape(label)}\.?\s*{re.escape(number)}\W*", text) if number else None
    return text[head.end() :] if head else text


def _tables(truth: PaperTruth, document: Document) -> tuple[Outcome, ...]:
    pairs = pair_tables(truth.tables, document.tables)
    found = []
    for i, table in enumerate(truth.tables):
        read = TruthTable.from_reading(document.tables[pairs[i]]) if i in pairs else None
        score = compare_extraction(_without_marks(table), _without_marks(read)).score_pct / PERCENT if read else 0.0
        found.append(Outcome(name=table.table_id, is_read=read is not None, right=score))
    return tuple(found)


def _without_marks(table: TruthTable) -> TruthTable:
    """Return the table without the signs for raised and lowered characters, which a truth from a flat page has not."""
    head, rows = (
        tuple(tuple(_MARKS.sub("", text) for text in row) for row in part) for part in (table.header_rows, table.rows)
    )
    return replace(table, header_rows=head, rows=rows)


def _equations(truth: PaperTruth, document: Document) -> tuple[Outcome, ...]:
    read: dict[str, str] = {}
    for component in document.components:
        if component.kind == "equation" and component.number:
            for number in re.split(r"[,;]|\)\s*\(", component.number):
                read.setdefault(
                    number.strip("()[] ."), signs_of_tex(component.tex) if component.tex else letters(component.text)
                )
    found = []
    for equation in truth.equations:
        is_read = equation.number in read
        right = is_read and likeness(signs_of_tex(equation.tex), read[equation.number]) >= SAME
        found.append(Outcome(name=f"({equation.number})", is_read=is_read, right=float(right)))
    return tuple(found)


def signs_of_tex(tex: str) -> str:
    """Return the letters and digits that TeX prints, in the order of the source: named signs as signs, the rest dropped."""
    from variorum.sources.latex_signs import sign_of

    def printed(match: re.Match[str]) -> str:
        return f" {sign_of(match.group(), math=True) or ''} "

    body = re.sub(r"\\(?:label|tag|begin|end|hspace|vspace)\*?\s*\{[^{}]*\}", " ", tex)
    return letters(_TEX_COMMAND.sub(printed, body))


# ---- references and citations ---------------------------------------------------------------------------------------


def paired_entries(truth: PaperTruth, document: Document) -> dict[int, tuple[str, float]]:
    """Return for entries of the truth the id of the entry that is meant to be it, one to one, and how alike their texts are."""
    read = [(c.id, letters(c.text)) for c in document.components if c.kind == "bibliography_entry"]
    true = [letters(e.text) for e in truth.entries]
    bags = [Counter(text) for text in true], [Counter(text) for _, text in read]
    ranked = []
    for i, text in enumerate(true):
        for j, (_, other) in enumerate(read):
            most = 2 * (bags[0][i] & bags[1][j]).total() / (len(text) + len(other)) if text and other else 0.0
            if most >= MEANT and (score := likeness(text, other)) >= MEANT:
                ranked.append((-score, i, j))
    found: dict[int, tuple[str, float]] = {}
    taken: set[int] = set()
    for negative, i, j in sorted(ranked):
        if i not in found and j not in taken:
            found[i] = (read[j][0], -negative)
            taken.add(j)
    return found


def _entries(truth: PaperTruth, document: Document, pairs: Mapping[int, tuple[str, float]]) -> tuple[Outcome, ...]:
    return tuple(
        Outcome(name=entry.id, is_read=i in pairs, right=float(i in pairs and pairs[i][1] >= SAME))
        for i, entry in enumerate(truth.entries)
    )


def _citations(truth: PaperTruth, document: Document, pairs: Mapping[int, tuple[str, float]]) -> tuple[Outcome, ...]:
    """Return the outcomes of all entries that are cited, place by place, in order.

    Entries of the list that were not read are left out: that is the fault of the list. A mark of the reading that leads to no
    entry stands for one, but for a mark that names none (``[?]``, as LaTeX prints what it cannot resolve): it says nothing.
    """
    ids = {entry.id: pairs[i][0] for i, entry in enumerate(truth.entries) if i in pairs}
    known = set(ids.values())
    true = [ids[ref] for refs in truth.citations for ref in refs if ref in ids]
    marks = [c for c in document.citations if c.targets or letters(c.text)]
    read = [name for c in marks for name in c.targets or ("",) if not name or name in known]
    paired = _by_order(true, read)
    return tuple(
        Outcome(name=name, is_read=i in paired, right=float(i in paired and read[paired[i]] == name))
        for i, name in enumerate(true)
    )


def _by_order(true: Sequence[str], read: Sequence[str]) -> dict[int, int]:
    """Return which cited entry is meant to be which, in order: equal ones, and what stands between them by turns.

    Where less stands between two that are equal in the reading than in the truth, the last ones there were not read.
    """
    found = heaviest_pairing([[float(name == other) for other in read] for name in true])
    ends = [(-1, -1), *sorted(found.items()), (len(true), len(read))]
    for (i, j), (k, m) in pairwise(ends):
        found |= dict(zip(range(i + 1, k), range(j + 1, m), strict=False))
    return found
