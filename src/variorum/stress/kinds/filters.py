"""Filters by author and year: nothing outside of them is found, and what they let pass is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from variorum.search import Answer, Filters, FoundItem
from variorum.stress.kinds.saying import Judge, listed, quoted
from variorum.stress.kinds.texts_of_all import distinct_papers, holds, plain, rank_of
from variorum.stress.model import LIBRARY, Assertion, Kind, LibrarySubject, PaperSubject, Severity

_ALL: Final = 1000
"""Papers asked for: all that pass, so that one outside the filter cannot hide behind the limit."""
_NEAR: Final = 20
"""Papers among which a paper is looked up by its title; that it comes first is the business of another kind."""


def author_filter(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for the first author of each paper whether the filter finds papers of that name alone, this one among them."""
    for paper, item in _owners(subject):
        if item.creators and (name := item.creators[0].strip()):
            answer = subject.searcher.search(_question(paper), Filters(authors=(name,)), limit=_ALL)
            outside = [i.title for p in answer.papers for i in p.items if not any(_is_name(name, c) for c in i.creators)]
            yield _says(Judge(AUTHOR, Severity.MAJOR, paper.key), paper, answer, f"author {name}", outside)


def year_filter(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for each year of the library whether the filter finds papers of that year alone, and each paper of it."""
    for paper, item in _owners(subject):
        if item.year is not None:
            filters = Filters(year_from=item.year, year_to=item.year)
            answer = subject.searcher.search(_question(paper), filters, limit=_ALL)
            outside = [f"{i.title} ({i.year})" for p in answer.papers for i in p.items if i.year != item.year]
            yield _says(Judge(YEAR, Severity.MAJOR, paper.key), paper, answer, f"year {item.year}", outside)


def year_bounds(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield whether "up to" and "from" a year that lies between those of the library part its papers, none in both."""
    owners = _owners(subject)
    years = Counter(item.year for _, item in owners if item.year is not None)
    if len(years) > 1:
        middle = sorted(years)[len(years) // 2]
        judge = Judge(BOUNDS, Severity.MAJOR, LIBRARY)
        question = " ".join(_question(paper) for paper, item in owners if item.year is not None)
        for name, filters in (
            (f"before {middle}", Filters(year_to=middle - 1)),
            (f"from {middle} on", Filters(year_from=middle)),
        ):
            wanted = {
                item.reference for _, item in owners if item.year is not None and (item.year < middle) == ("before" in name)
            }
            answer = subject.searcher.search(question, filters, limit=_ALL)
            found = {item.reference for paper in answer.papers for item in paper.items}
            wrong = sorted(found - wanted)
            detail = f"{len(found)} papers" + (f", of other years {listed(wrong)}" if wrong else "")
            yield judge.says(name, bool(found) and not wrong, detail)


def _owners(subject: LibrarySubject) -> list[tuple[PaperSubject, FoundItem]]:
    """Return the papers with what the index says of the items that hold them: under the paper's key, else found by title."""
    found = []
    for paper in distinct_papers(subject):
        for filters in (Filters(items=(paper.key,)), Filters()):
            answer = subject.searcher.search(_question(paper), filters, limit=_NEAR, by="words")
            items = [each.item for each in answer.papers if holds(each, paper)]
            if items:
                found.append((paper, items[0]))
                break
    return found


def _question(paper: PaperSubject) -> str:
    """Return words that a paper has: its title, else those of its first component that has any."""
    texts = [paper.document.identity.title, *(c.text for c in paper.document.components if c.kind != "furniture")]
    return next((text for text in texts if plain(text)), paper.short_name)


def _is_name(name: str, creator: str) -> bool:
    """Return whether a name is that of a creator, or whole words of it."""
    return f" {plain(name)} " in f" {plain(creator)} "


def _says(judge: Judge, paper: PaperSubject, answer: Answer, name: str, outside: list[str]) -> Assertion:
    rank = rank_of(answer, paper)
    said = [f"{len(answer.papers)} papers pass"]
    said += [] if rank else ["this one is not found"]
    said += [f"outside the filter: {listed(map(quoted, outside))}"] if outside else []
    return judge.says(name, rank is not None and not outside, "; ".join(said))


AUTHOR: Final = "author filter"
YEAR: Final = "year filter"
BOUNDS: Final = "year bounds"

KINDS: Final = tuple(
    Kind(name=name, severity=Severity.MAJOR, asserts=asserts, scope="library", check=check)
    for name, asserts, check in (
        (AUTHOR, "A filter by author lets papers of that name pass and no others, and this paper is found.", author_filter),
        (YEAR, "A filter by year lets papers of that year pass and no others, and this paper is found.", year_filter),
        (BOUNDS, "Filters up to and from a year let no paper of another year pass.", year_bounds),
    )
)
