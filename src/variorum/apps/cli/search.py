"""``variorum search``, ``tables``, ``figures`` and ``stats``: ask the index, and print what was found, to be cited."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from variorum.apps.asking import Way, ask, stats_as_data
from variorum.apps.cli.console import complain, emit, emit_json, printable
from variorum.errors import UsageError
from variorum.search.folders import default_index

if TYPE_CHECKING:
    from variorum.search.filters import Filters
    from variorum.search.found import Answer, FoundItem, FoundPaper, Hit
    from variorum.search.vector_choice import VectorChoice
    from variorum.search.verifying import IndexStats

_YEARS: Final = re.compile(r"(?P<first>\d{1,4})?(?P<dash>-)?(?P<last>\d{1,4})?")
_WIDEST: Final = 100
_EXCERPT: Final = 320
_NAMED: Final = 20
_ECHOED: Final = 100
_AUTHORS_SHOWN: Final = 2
_MEGABYTE: Final = 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterTexts:
    """What a search is restricted to, as the user typed it."""

    authors: tuple[str, ...] = ()
    years: str | None = None
    tags: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    item_types: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    required: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchCall:
    """One call of a command that searches, its values as the user typed them."""

    question: str
    how: Way
    within: str = "paper"
    filters: FilterTexts = field(default_factory=FilterTexts)
    limit: int
    by: str | None
    ranking: Path | None
    explain: bool
    index: Path | None
    model: Path | None
    vectors: VectorChoice
    as_json: bool


def run_search(call: SearchCall) -> int:
    """Return 0 once the answer is on stdout, as text or as JSON, also when nothing was found.

    Raises UsageError for a question, filter or number that makes no sense, and what opening the index raises.
    """
    from variorum.search.found import as_data
    from variorum.search.opening import open_searcher
    from variorum.search.ranking import DEFAULT_RANKING, load_ranking
    from variorum.search.vector_choice import EXACT

    filters = _filters(call.filters)
    _check(call)
    by: Any = call.by
    within: Any = call.within
    ranking = DEFAULT_RANKING if call.ranking is None else load_ranking(call.ranking)
    vectors = EXACT if call.by == "words" or call.how == "boolean" else call.vectors  # words need no store to be opened
    with open_searcher(call.index or default_index(), model=call.model, ranking=ranking, vectors=vectors) as searcher:
        answer = ask(searcher, call.how, call.question, filters, limit=call.limit, by=by, within=within)
    if call.as_json:
        emit_json(as_data(answer))
        return 0
    for notice in answer.notices:
        complain(notice)
    emit("\n".join(map(printable, _lines(answer, call))))
    return 0


def _check(call: SearchCall) -> None:
    if call.by not in (None, "words", "vectors", "hybrid"):
        raise UsageError(f"{call.by!r} is no way to search", where="--by", hint="words, vectors or hybrid")
    if call.within not in ("paper", "passage"):
        raise UsageError(f"{call.within!r} is neither", where="--within", hint="paper or passage")
    if call.how == "boolean" and call.by not in (None, "words"):
        raise UsageError("a search by --boolean goes by words", where="--by", hint="leave it out")


def _filters(texts: FilterTexts) -> Filters:
    """Return the filters, checked; raises UsageError for what does not exist."""
    from variorum.search.filters import Filters

    first, last = _years(texts.years)
    kinds: Any = texts.kinds
    sections: Any = texts.sections
    return Filters(
        authors=texts.authors,
        year_from=first,
        year_to=last,
        tags=texts.tags,
        collections=texts.collections,
        libraries=texts.libraries,
        item_types=texts.item_types,
        items=texts.items,
        kinds=kinds,
        sections=sections,
        required=texts.required,
    )


def _years(text: str | None) -> tuple[int | None, int | None]:
    """Return the first and last year of ``2017``, ``2015-2020``, ``2015-`` or ``-2020``."""
    if text is None:
        return None, None
    match = _YEARS.fullmatch(text.strip())
    if match is None or not (match["first"] or match["last"]):
        raise UsageError(f"{text!r} are no years", where="--year", hint="2017, 2015-2020, 2015- or -2020")
    first, last = (int(match[name]) if match[name] else None for name in ("first", "last"))
    return (first, last) if match["dash"] else (first, first)


def _lines(answer: Answer, call: SearchCall) -> Iterator[str]:
    """Yield the answer, paper by paper."""
    if not answer.papers:
        asked = call.question if len(call.question) <= _ECHOED else f"{call.question[:_ECHOED]}…"
        yield f"nothing found for {asked!r}"
        return
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    for place, paper in enumerate(answer.papers, start=1):
        yield f"{place}. {_heading(paper)}"
        for path in (item.path for item in paper.items if item.path is not None):
            yield f"   {path}"
        for hit in paper.hits:
            yield f"   {where(hit)}"
            if call.explain and hit.reasons is not None:
                yield f"   why: {hit.reasons.sentence()}"
            yield from _quoted(hit, call.question, width)
            if hit.link is not None:
                yield f"      {hit.link}"
        yield ""
    more = "; more with --limit" if answer.more else ""
    named = {"hybrid": "words and meaning", "words": "words", "vectors": "meaning"}[answer.mode]
    yield f"{_count(len(answer.hits), 'hit')} in {_count(len(answer.papers), 'paper')}, found by {named}{more}"


def _heading(paper: FoundPaper) -> str:
    item = paper.item
    names = ", ".join(item.creators[:_AUTHORS_SHOWN]) + (" et al." if len(item.creators) > _AUTHORS_SHOWN else "")
    known = " ".join(filter(None, (names, f"({item.year})" if item.year else "")))
    title = paper.title or "without a title"
    retracted = "  [RETRACTED]" if item.retraction is not None else ""
    copies = f", {len(paper.items)} copies" if len(paper.items) > 1 else ""
    return f"{known}: {title}{retracted}  [{_key(item)}{copies}]" if known else f"{title}{retracted}  [{_key(item)}{copies}]"


def _key(item: FoundItem) -> str:
    return f"@{item.citation_key}, {item.reference}" if item.citation_key else item.reference


def where(hit: Hit) -> str:
    """Return where a hit stands: printed page, page of the file where the two differ, section, what it is."""
    if hit.kind == "record":
        return "what the library says of it"
    pages = "" if hit.page_label is None else f"p. {hit.page_label}"
    if hit.page_num is not None and hit.page_label != str(hit.page_num):
        pages = f"{pages} (page {hit.page_num} of the PDF)" if pages else f"page {hit.page_num} of the PDF"
    name = "" if hit.kind == "passage" else f"{hit.kind.capitalize()} {hit.number or ''}".strip()
    return ", ".join(filter(None, (pages, name, " ".join(hit.heading.split()) or hit.section, hit.chunk)))


def _quoted(hit: Hit, question: str, width: int) -> Iterator[str]:
    from variorum.search.excerpts import excerpt

    yield from textwrap.wrap(excerpt(hit.text, question, _EXCERPT), width, initial_indent="      ", subsequent_indent="      ")


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"


def run_stats(index: Path | None, *, as_json: bool) -> int:
    """Return 0 once it is on stdout what the index holds; raises what opening it raises."""
    from variorum.search.store import open_index
    from variorum.search.verifying import stats

    place = index or default_index()
    with open_index(place) as opened:
        found = stats(opened)
    if as_json:
        emit_json({"index": str(place), **stats_as_data(found)})
    else:
        emit("\n".join(map(printable, _stats_lines(found, place))))
    return 0


def _stats_lines(found: IndexStats, place: Path) -> Iterator[str]:
    made = found.manifest
    chunks = sum(count for _, count in found.chunks)
    yield f"index      {place} ({found.size_bytes / _MEGABYTE:.1f} MB)"
    libraries = ", ".join(f"{name} {count}" for name, count in found.libraries)
    yield f"items      {found.items}" + (f" ({libraries})" if libraries else "")
    yield f"PDFs       {', '.join(f'{count} {state}' for state, count in found.papers) or 'none'}"
    yield f"documents  {found.documents} with {found.pages} pages, {found.tables} tables, {found.figures} figures"
    yield f"chunks     {chunks} ({', '.join(f'{count} of kind {kind}' for kind, count in found.chunks)})"
    yield f"vectors    {found.vectors} of {chunks}, by {made.model or 'no model'}"
    yield f"made by    reading {made.reading}, chunks {made.chunker} ({made.max_tokens} tokens of {made.tokenizer})"
    for reason, count in found.reasons:
        yield f"not in it  {count}: {reason}"
        named = [f"{item} {title}".strip() for item, title, why in found.not_in_it if why == reason]
        yield from (f"             {name}" for name in named[:_NAMED])
        if len(named) > _NAMED:
            yield f"             and {len(named) - _NAMED} more, all in --json"
