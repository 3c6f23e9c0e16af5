"""Claims about citations by OpenAlex, asked of a host on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.net.local_host import LocalHost, Reply
from variorum.errors import InputNotFoundError, NetworkError, UsageError
from variorum.net.openalex import CitationGraph, plain_doi
from variorum.net.polite import PoliteClient

FIELDS = "id,doi,display_name,publication_year,cited_by_count,authorships,primary_location"
SINGLE = f"/works/doi:10.1/birds?select={FIELDS},referenced_works"


def work(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.1/W{number}",
        "display_name": f"Work {number}",
        "publication_year": 2000 + number,
        "cited_by_count": 7,
        "authorships": [{"author": {"display_name": "Ada Lake"}}, {"author": None}],
        "primary_location": {"source": {"display_name": "Journal of Birds"}},
        **more,
    }


def as_json(value: object) -> list[Reply]:
    return [Reply(body=json.dumps(value).encode(), kind="application/json")]


def listed(query: dict[str, object]) -> str:
    return "/works?" + urlencode({**query, "select": FIELDS}, safe=":|,")


@pytest.fixture
def graph(host: LocalHost, client: PoliteClient, tmp_path: Path) -> CitationGraph:
    """Return the works around a paper that cites 40 others."""
    cited = [f"https://openalex.org/W{i}" for i in range(40)]
    host.replies[SINGLE] = as_json(work(99, doi="https://doi.org/10.1/Birds", referenced_works=cited))
    for first in (0, 25):
        numbers = [i for i in range(first, min(40, first + 25)) if i != 3]
        names = "|".join(f"W{i}" for i in range(first, min(40, first + 25)))
        reply = {"meta": {"count": len(numbers)}, "results": [work(i) for i in reversed(numbers)]}
        host.replies[listed({"filter": f"openalex:{names}", "per-page": 25})] = as_json(reply)
    citing = listed({"filter": "cites:W99", "sort": "cited_by_count:desc", "per-page": 25, "page": 1})
    host.replies[citing] = as_json({"meta": {"count": 812}, "results": [work(i) for i in range(25)]})
    return CitationGraph(client, tmp_path / "kept", url=host.url)


def test_a_work_is_known_by_its_doi_in_any_form(graph: CitationGraph, host: LocalHost) -> None:
    found = graph.work("https://doi.org/10.1/BIRDS")
    assert (found.id, found.doi, found.year, found.cited_by) == ("W99", "10.1/birds", 2099, 7)
    assert (found.authors, found.venue) == (("Ada Lake",), "Journal of Birds")
    assert graph.work("doi:10.1/birds") == found
    assert host.paths() == [SINGLE]


def test_references_come_in_their_order_and_what_is_not_known_is_missing(graph: CitationGraph) -> None:
    first, second, none = (graph.references("10.1/birds", page) for page in (1, 2, 3))
    assert [each.id for each in first.works] == [f"W{i}" for i in range(25) if i != 3]
    assert [each.id for each in second.works] == [f"W{i}" for i in range(25, 40)]
    assert (first.total, none.works) == (40, ())


def test_citing_works_say_how_many_there_are(graph: CitationGraph) -> None:
    found = graph.citing("10.1/birds")
    assert (len(found.works), found.total) == (25, 812)


def test_what_was_answered_is_not_asked_for_again_unless_it_is_to_be_fresh(
    graph: CitationGraph, host: LocalHost, client: PoliteClient, tmp_path: Path
) -> None:
    graph.citing("10.1/birds")
    asked = len(host.paths())
    assert CitationGraph(client, tmp_path / "kept", url=host.url).citing("10.1/birds").total == 812
    assert len(host.paths()) == asked
    CitationGraph(client, tmp_path / "kept", url=host.url, refresh=True).work("10.1/birds")
    assert len(host.paths()) == asked + 1


def test_an_answer_that_was_damaged_on_the_disk_is_asked_for_again(
    graph: CitationGraph, host: LocalHost, tmp_path: Path
) -> None:
    graph.work("10.1/birds")
    (kept,) = (tmp_path / "kept").glob("*.json")
    kept.write_bytes(kept.read_bytes()[:-9])
    assert graph.work("10.1/birds").id == "W99"
    assert len(host.paths()) == 2


def test_a_work_that_openalex_does_not_have_is_said(graph: CitationGraph) -> None:
    with pytest.raises(InputNotFoundError, match="has no work with this DOI"):
        graph.work("10.1/fish")


def test_without_a_network_it_is_said_once_in_words(client: PoliteClient, tmp_path: Path) -> None:
    graph = CitationGraph(client, tmp_path, url="http://127.0.0.1:1")
    with pytest.raises(NetworkError, match="cannot be reached"):
        graph.work("10.1/birds")


@pytest.mark.parametrize("body", [b"[]", b"nonsense", b'{"id": 3}', b"[" * 100_000])
def test_an_answer_that_is_none_is_refused(host: LocalHost, client: PoliteClient, tmp_path: Path, body: bytes) -> None:
    host.replies[SINGLE] = [Reply(body=body, kind="application/json")]
    with pytest.raises(NetworkError):
        CitationGraph(client, tmp_path, url=host.url).work("10.1/birds")


@pytest.mark.parametrize("text", ["", "birds", "10.1", "10.1/a b", "../etc/passwd", "W99"])
def test_what_is_no_doi_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no DOI"):
        plain_doi(text)
