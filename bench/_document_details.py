"""What a reading of one paper lacks and has too much, item by item: for the person who looks for the cause of a figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bench._document_html import caption_number
from bench._document_latex import Place, latex_truth
from bench._document_measures import asked_headings, equation_numbers, tight
from bench._document_truth import Paper, Scorers, jats_truth

Form = Mapping[str, Any]
SHOWN_WORDS = 40
SHOWN_CHARACTERS = 160
SAME_PARAGRAPH = 0.95  # the scorer's own
SAME_ITEM = 0.9  # the scorer's own, of captions and references


def details(scorers: Scorers, paper: Paper, form: Form) -> Iterator[str]:
    """Return the lines of the report on one paper: headings, captions, references, equations, paragraphs, words."""
    yield f"== {paper.data_set} {paper.name}"
    if paper.data_set == "jose":
        truth = jats_truth(scorers, paper)
        yield from _headings(scorers, truth["headings"], form["headings"])
        yield from _texts(
            "caption",
            [c for c in truth["captions"] if scorers.score.key(c["text"])],
            [c for c in form["captions"] if scorers.score.key(c["text"])],
            lambda x, y: (x["kind"] == y["kind"]) * _ratio(scorers, x["text"], y["text"]),
        )
        title, references, paragraphs = truth["title"], truth["references"], truth["paragraphs"]
    else:
        asked = latex_truth(paper.pdf)
        yield from _headings(scorers, *asked_headings(scorers, asked.headings, form["headings"], asked.other_headings))
        yield from _numbered_captions(asked.captions, form["captions"], asked.others)
        yield from _equations(asked.equations, form["equations"])
        title, references, paragraphs = asked.title, asked.references, [tight(p) for p in asked.paragraphs]
    yield from _texts("reference", references, form["references"], scorers.score.reference)
    if title:
        yield f"title {_ratio(scorers, title, form['title']):.3f}: {title!r} read as {form['title']!r}"
    yield from _paragraphs(scorers, paragraphs, form["paragraphs"])
    read = form["paragraphs"] if paper.data_set == "jose" else [tight(p) for p in form["paragraphs"]]
    yield from _words(scorers, paragraphs, read)


def _headings(scorers: Scorers, true: Sequence[Form], read: Sequence[Form]) -> Iterator[str]:
    pairs = scorers.score.pairs_in_order(true, read, lambda x, y: scorers.score.same_heading(x["text"], y["text"]))
    shifts = Counter(read[j]["level"] - true[i]["level"] for i, j in pairs)
    usual = max(shifts, key=shifts.__getitem__, default=0)
    yield f"headings: {len(pairs)} of {len(true)} found, {len(read)} read"
    yield from (f"  missed    level {h['level']}: {h['text']}" for i, h in enumerate(true) if i not in {i for i, _ in pairs})
    yield from (f"  invented  level {h['level']}: {h['text']}" for j, h in enumerate(read) if j not in {j for _, j in pairs})
    for i, j in pairs:
        if read[j]["level"] - true[i]["level"] != usual:
            yield f"  level     {true[i]['level']} read as {read[j]['level']} (shift of the paper {usual}): {true[i]['text']}"


def _texts(what: str, true: Sequence[Form], read: Sequence[Form], score: Callable[[Form, Form], float]) -> Iterator[str]:
    pairs = matched(true, read, score, SAME_ITEM)
    yield f"{what}s: {len(pairs)} of {len(true)} found, {len(read)} read"
    for i, item in enumerate(true):
        if i not in pairs:
            best = max(((score(item, other), j) for j, other in enumerate(read)), default=(0.0, -1))
            near = f"; nearest {best[0]:.2f}: {_short(read[best[1]]['text'])}" if best[0] else ""
            yield f"  missed    {_short(item['text'])}{near}"
    yield from (f"  invented  {_short(item['text'])}" for j, item in enumerate(read) if j not in pairs.values())


def _numbered_captions(true: Mapping[Place, str], read: Sequence[Form], others: frozenset[Place]) -> Iterator[str]:
    found = Counter((c["kind"], caption_number(c["number"] or "")) for c in read)
    yield f"captions: {sum(place in found for place in true)} of {len(true)} found, {len(read)} read"
    yield from (
        f"  missed    {kind} {number}: {_short(text)}" for (kind, number), text in true.items() if (kind, number) not in found
    )
    for (kind, number), count in found.items():
        if (kind, number) not in true and (kind, number) not in others:
            yield f"  invented  {kind} {number or 'without a number'}"
        elif count > 1:
            yield f"  {count} times   {kind} {number}"


def _equations(true: Sequence[str], read: Sequence[Form]) -> Iterator[str]:
    numbers, found = Counter(true), Counter(n for e in read for n in equation_numbers(e.get("number")))
    yield f"numbered equations: {sum((numbers & found).values())} of {sum(numbers.values())} found, {sum(found.values())} read"
    yield from (f"  missed    ({n})" for n in (numbers - found).elements())
    yield from (f"  invented  ({n})" for n in (found - numbers).elements())


def _paragraphs(scorers: Scorers, true: Sequence[str], read: Sequence[str]) -> Iterator[str]:
    def score(x: str, y: str) -> float:
        return _ratio(scorers, x, y)

    pairs = matched(true, read, score, SAME_PARAGRAPH)
    yield f"paragraphs: {len(pairs)} of {len(true)} found, {len(read)} read"
    worst = []
    for i, text in enumerate(true):
        if i not in pairs:
            best = max(((score(text, other), j) for j, other in enumerate(read)), default=(0.0, -1))
            worst.append((best[0], i, best[1]))
    for value, i, j in sorted(worst):
        yield f"  {value:.2f} true  {_short(true[i])}"
        yield f"       read  {_short(read[j]) if j >= 0 else '-'}"


def _words(scorers: Scorers, true: Sequence[str], read: Sequence[str]) -> Iterator[str]:
    a, b = (scorers.score.words([scorers.score.ws(p) for p in side]) for side in (true, read))
    for what, words in (("lost", a - b), ("invented or doubled", b - a)):
        top = sorted(words.items(), key=lambda item: (-item[1], item[0]))[:SHOWN_WORDS]
        yield f"words {what}: {sum(words.values())}: {', '.join(f'{w} {n}' if n > 1 else w for w, n in top)}"


def matched(true: Sequence[Any], read: Sequence[Any], score: Callable[[Any, Any], float], least: float) -> dict[int, int]:
    """Return which read item each true one is, as the scorer's ``one_to_one`` pairs them: the surest pair first."""
    candidates = sorted(
        ((score(x, y), i, j) for i, x in enumerate(true) for j, y in enumerate(read)), key=lambda t: (-t[0], t[1], t[2])
    )
    pairs: dict[int, int] = {}
    for value, i, j in candidates:
        if value >= least and i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def _ratio(scorers: Scorers, x: str, y: str) -> float:
    return float(scorers.score.fuzz.ratio(scorers.score.key(x), scorers.score.key(y)) / 100)


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS // 2]} … {text[-SHOWN_CHARACTERS // 2 :]}"
