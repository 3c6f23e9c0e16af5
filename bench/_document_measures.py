"""The measures of bench.document: a paper of ``jose`` with the outside scorer, a paper of ``papers`` against ``truth.json``.

Everything that tells whether two texts are the same (headings, references) is the scorer's own rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bench._document_form import is_optional
from bench._document_html import caption_number
from bench._document_latex import LatexTruth, Place, equation_number, latex_truth
from bench._document_truth import Paper, Scorers, jats_truth, with_typed_captions

Form = Mapping[str, Any]
Figures = dict[str, float | int | None]

# the scorer's names, those that the truth of jose has (it has no display equations)
JOSE_FIGURES = ("order", "words_p", "words_r", "paras", "head_f1", "head_level", "cap_p", "cap_r", "ref_p", "ref_r", "title")
PAPERS_FIGURES = (
    "order",
    "words_p",
    "words_r",
    "head_f1",
    "head_level_f1",
    "cap_p",
    "cap_r",
    "cap_text",
    "ref_p",
    "ref_r",
    "eq_p",
    "eq_r",
    "title",
)
SAME_CAPTION = 90  # of 100; the scorer's own for captions


def jose_figures(scorers: Scorers, paper: Paper, form: Form) -> Figures:
    """Return the outside scorer's figures of one paper of ``jose``; None where the truth has nothing to compare."""
    scored = scorers.score.score(jats_truth(scorers, paper), form)
    return {name: scored[name] for name in JOSE_FIGURES}


def jose_figures_with_typed_captions(scorers: Scorers, paper: Paper, form: Form) -> Figures:
    """Return the same where captions that the truth has as paragraphs count as captions."""
    scored = scorers.score.score(with_typed_captions(jats_truth(scorers, paper)), form)
    return {name: scored[name] for name in JOSE_FIGURES}


def papers_figures(scorers: Scorers, paper: Paper, form: Form) -> Figures:
    """Return the figures of one paper of ``papers``; None where its truth has nothing to compare, or nothing that can be used.

    order, words_p, words_r  body text against the HTML, by the scorer's definitions; white space beside a sign that is no
                             letter or digit is not compared, since formulas are set with and without it;
                             nor are the signs for raised and lowered characters
    head_f1, head_level_f1   section titles matched in order, F1; and with the right level, up to one constant shift
    cap_p, cap_r, cap_text   captions by kind and number; and the share of the found ones whose text is the same as well
    ref_p, ref_r             entries of the bibliography, where the truth has at least five that can be used
    eq_p, eq_r               display equations by their printed number
    title
    """
    truth = latex_truth(paper.pdf)
    found = body_figures(scorers, truth.paragraphs, form["paragraphs"]) | text_figures(scorers, truth, form)
    return found | equation_figures(truth.equations, form["equations"])


def text_figures(scorers: Scorers, truth: LatexTruth, form: Form) -> Figures:
    """Return those of these figures that tell of headings, captions, references and the title."""
    found = heading_figures(scorers, truth.headings, form["headings"], others=truth.other_headings)
    found |= caption_figures(scorers, truth.captions, form["captions"], others=truth.others)
    found |= reference_figures(scorers, truth.references, form["references"])
    title = scorers.score.key(truth.title)
    found["title"] = scorers.score.fuzz.ratio(title, scorers.score.key(form["title"])) / 100 if title else None
    return found


# ---- body text ------------------------------------------------------------------------------------------------------


def body_figures(scorers: Scorers, true: Sequence[str], read: Sequence[str]) -> Figures:
    """Return `order`, `words_p` and `words_r` of the scorer."""
    scored = scorers.score.score({"paragraphs": [tight(p) for p in true]}, {"paragraphs": [tight(p) for p in read]})
    return {name: scored[name] for name in ("order", "words_p", "words_r")}


def tight(text: str) -> str:
    """Return the text without the signs for raised and lowered characters (``v_{eq}`` is ``veq``, as the HTML has it), and
    without white space beside a sign that is no letter or digit (``N = 6`` is ``N=6``)."""
    return re.sub(r"\s*([^\w\s])\s*", r"\1", re.sub(r"[_^{}]", "", unicodedata.normalize("NFKC", text)))


# ---- headings -------------------------------------------------------------------------------------------------------


def asked_headings(
    scorers: Scorers, true: Sequence[Form], read: Sequence[Form], others: Collection[str]
) -> tuple[list[Form], list[Form]]:
    """Return the headings of both sides that count."""
    same = scorers.score.same_heading
    true = [h for h in true if not is_optional(h["text"])]
    excused = [t for t in others if not any(same(t, h["text"]) for h in true)]
    return true, [h for h in read if not is_optional(h["text"]) and not any(same(t, h["text"]) for t in excused)]


def heading_figures(scorers: Scorers, true: Sequence[Form], read: Sequence[Form], *, others: Collection[str] = ()) -> Figures:
    """Return `head_f1` and `head_level_f1`.

    The headings that the scorer's form leaves out (abstract, references) are neither asked for nor counted as invented; those
    of `others` are not counted as invented where they are read.
    """
    true, read = asked_headings(scorers, true, read, others)
    if not true:
        return {"head_f1": None, "head_level_f1": None}
    pairs = scorers.score.pairs_in_order(true, read, lambda x, y: scorers.score.same_heading(x["text"], y["text"]))
    shifts = Counter(read[j]["level"] - true[i]["level"] for i, j in pairs)
    right = max(shifts.values(), default=0)
    return {"head_f1": _f1(len(pairs), len(true), len(read)), "head_level_f1": _f1(right, len(true), len(read))}


# ---- captions -------------------------------------------------------------------------------------------------------


def caption_figures(scorers: Scorers, true: Mapping[Place, str], read: Sequence[Form], *, others: frozenset[Place]) -> Figures:
    """Return `cap_p`, `cap_r` and `cap_text`.

    `others` are captions that the paper has besides: they are not asked for, and not counted as invented. A number that is
    found twice is invented once.
    """
    if not true and not others:
        return {"cap_p": None, "cap_r": None, "cap_text": None}
    found = [((c["kind"], caption_number(c["number"] or "")), c["text"]) for c in read]
    counts = Counter(place for place, _ in found)
    right = sum(place in true or place in others for place in counts)
    hits = [(true[place], text) for place, text in dict(reversed(found)).items() if place in true]
    key, ratio = scorers.score.key, scorers.score.fuzz.ratio
    same = sum(ratio(key(a), key(b)) >= SAME_CAPTION for a, b in hits)
    return {
        "cap_p": _share(right, len(found)) if found else 0.0,
        "cap_r": _share(len(hits), len(true)),
        "cap_text": _share(same, len(hits)),
    }


# ---- references, equations ------------------------------------------------------------------------------------------


def reference_figures(scorers: Scorers, entries: Sequence[Form], read: Sequence[Form]) -> Figures:
    """Return `ref_p` and `ref_r` by the scorer's rule."""
    if not entries:
        return {"ref_p": None, "ref_r": None}
    hits = scorers.score.one_to_one(entries, read, scorers.score.reference, 0.9)
    return {"ref_p": _share(hits, len(read)) if read else 0.0, "ref_r": _share(hits, len(entries))}


def equation_figures(true: Sequence[str], read: Sequence[Form]) -> Figures:
    """Return `eq_p` and `eq_r`: display equations by number, those without one left out on both sides."""
    numbers = Counter(true)
    if not numbers:
        return {"eq_p": None, "eq_r": None}
    found = Counter(n for e in read for n in equation_numbers(e.get("number")))
    hits = sum((numbers & found).values())
    return {"eq_p": _share(hits, sum(found.values())) if found else 0.0, "eq_r": _share(hits, sum(numbers.values()))}


def equation_numbers(label: str | None) -> list[str]:
    """Return the numbers of an equation that may have several (``(3), (4)``)."""
    return [n for n in map(equation_number, re.split(r"[,;]|\)\s*\(", label or "")) if n]


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _f1(hits: int, true: int, read: int) -> float:
    return 2 * hits / (true + read) if true + read else 0.0
