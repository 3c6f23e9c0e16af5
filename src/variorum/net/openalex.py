"""Who cites a paper and whom it cites, by OpenAlex (https://openalex.org); each answer is kept in a folder and asked for once.

No key is needed. Single works are free to ask for; lists are limited by the day and go by numbered pages, because OpenAlex lets
only those with a key follow a cursor (https://docs.openalex.org).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

from variorum.errors import InputNotFoundError, NetworkError, UsageError
from variorum.net.polite import PoliteClient, Wanted

OPENALEX_URL: Final = "https://api.openalex.org"
PAUSE_S: Final = 1.0
"""Between two requests; more often than ten times a second is refused."""
PAGE: Final = 25
"""Works of one answer; the works of a list may be asked for by a hundred at a time at most."""
_LARGEST: Final = 1 << 24
_FIELDS: Final = "id,doi,display_name,publication_year,cited_by_count,authorships,primary_location"
_DOI_PREFIXES: Final = ("https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "doi:")
_HINT: Final = "a DOI such as 10.48550/arxiv.0704.0001"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A work that OpenAlex knows. `id` is its number there (``W2741809807``), `doi` without an address, '' without one;
    `cited_by` counts the works that cite it."""

    id: str
    title: str
    doi: str
    year: int | None
    authors: tuple[str, ...]
    venue: str
    cited_by: int


@dataclass(frozen=True, slots=True)
class WorkPage:
    """Some of the works of a list, and how many it has in all."""

    works: tuple[Work, ...]
    total: int


class CitationGraph:
    """The works around a paper. `folder` is where answers are kept; with `refresh` they are asked for again."""

    def __init__(self, client: PoliteClient, folder: Path, *, url: str = OPENALEX_URL, refresh: bool = False) -> None:
        self._client = client
        self._folder = folder
        self._url = url.rstrip("/")
        self._refresh = refresh

    def work(self, doi: str) -> Work:
        """Return the work with a DOI.

        Raises UsageError for what is no DOI, InputNotFoundError when OpenAlex has no such work, NetworkError when it cannot be
        asked, OutputError when the folder cannot be written.
        """
        return _work(self._single(doi))

    def citing(self, doi: str, page: int = 1) -> WorkPage:
        """Return the works that cite a paper, most cited first: page by page, from 1. Raises what `work` raises."""
        number = _work(self._single(doi)).id
        query = {"filter": f"cites:{number}", "sort": "cited_by_count:desc", "per-page": PAGE, "page": page}
        found = self._answer("/works", {**query, "select": _FIELDS})
        if found is None:
            return WorkPage((), 0)
        return WorkPage(tuple(map(_work, _results(found))), _whole(found.get("meta", {}).get("count")))

    def references(self, doi: str, page: int = 1) -> WorkPage:
        """Return the works that a paper cites, in OpenAlex's order, page by page, from 1; those it does not know are missing.

        Raises what `work` raises.
        """
        cited = [_number(each) for each in self._single(doi).get("referenced_works") or []]
        wanted = cited[(page - 1) * PAGE : page * PAGE]
        if not wanted:
            return WorkPage((), len(cited))
        found = self._answer("/works", {"filter": f"openalex:{'|'.join(wanted)}", "per-page": PAGE, "select": _FIELDS})
        by_number = {work.id: work for work in map(_work, _results(found or {}))}
        return WorkPage(tuple(by_number[number] for number in wanted if number in by_number), len(cited))

    def _single(self, doi: str) -> Mapping[str, Any]:
        name = plain_doi(doi)
        found = self._answer(f"/works/doi:{quote(name, safe='/')}", {"select": f"{_FIELDS},referenced_works"})
        if found is None:
            raise InputNotFoundError("OpenAlex has no work with this DOI", where=name, hint="the DOI of another version")
        return found

    def _answer(self, path: str, query: Mapping[str, object]) -> Mapping[str, Any] | None:
        """Return what OpenAlex answers, or answered before; None when it has no such thing."""
        url = f"{self._url}{path}?{urlencode(query, safe=':|,')}"
        place = self._folder / f"{hashlib.sha256(url.encode()).hexdigest()}.json"
        if self._refresh or _fault(place):
            self._folder.mkdir(parents=True, exist_ok=True)
            kinds = frozenset({"application/json"})
            if self._client.fetch(Wanted(url=url, path=place, types=kinds, largest=_LARGEST, check=_fault)) is None:
                return None
        found: Mapping[str, Any] = json.loads(place.read_bytes())
        return found


def plain_doi(text: str) -> str:
    """Return a DOI in lower case without the address before it; raises UsageError for what is none."""
    name = text.strip().lower()
    for prefix in _DOI_PREFIXES:
        name = name.removeprefix(prefix)
    if not name.startswith("10.") or "/" not in name or any(c.isspace() or not c.isprintable() for c in name):
        raise UsageError(f"{text!r} is no DOI", hint=_HINT)
    return name


def _fault(path: Path) -> str:
    """Return what is wrong with an answer in a file, '' when nothing is."""
    try:
        return "" if isinstance(json.loads(path.read_bytes()), dict) else "is no JSON object"
    except (OSError, ValueError, RecursionError):
        return "is no JSON"


def _results(found: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    results = found.get("results")
    return [each for each in results if isinstance(each, dict)] if isinstance(results, list) else []


def _work(data: Mapping[str, Any]) -> Work:
    """Return a work of the data that OpenAlex gives; raises NetworkError when it has no number."""
    number = _number(data.get("id"))
    if not number:
        raise NetworkError("OpenAlex gives a work without a number", hint="the same call later")
    year = data.get("publication_year")
    return Work(
        id=number,
        title=_text(data.get("display_name")),
        doi=_text(data.get("doi")).lower().removeprefix(_DOI_PREFIXES[0]),
        year=year if isinstance(year, int) else None,
        authors=tuple(filter(None, (_text(_within(each, "author", "display_name")) for each in _listed(data, "authorships")))),
        venue=_text(_within(data, "primary_location", "source", "display_name")),
        cited_by=_whole(data.get("cited_by_count")),
    )


def _listed(data: Mapping[str, Any], key: str) -> Iterable[Any]:
    value = data.get(key)
    return value if isinstance(value, list) else ()


def _within(data: Any, *keys: str) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _number(value: object) -> str:
    return _text(value).rpartition("/")[-1]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
