"""The bench of large indexes: what it makes is whole and the same each time, and what it counts is what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_index import HashedWords, Shelf, item, paper

from bench._scale_index import CHUNKS_A_PAPER, EVERY_TAG, Source, make_large, plain_table_bytes
from bench._scale_queries import answer
from bench.scale import FILTERS, _p95, _ratios, _shared
from variorum.search.store import open_index
from variorum.search.verifying import dump, verify

TEXTS = ("Ice on the pond. It thawed late.", "A heron stood there. It left.", "Reeds and mud. Carp below. Snow above.")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    shelf = Shelf(tmp_path / "source.sqlite", HashedWords())
    shelf.put([(item(f"K{i}", f"Title {i}"), paper(f"Title {i}", text)) for i, text in enumerate(TEXTS)])
    shelf.embed()
    return shelf.path


def made(source: Path, name: str, papers: int) -> Path:
    path = source.with_name(name)
    make_large(path, Source(source), papers * CHUNKS_A_PAPER)
    return path


def test_a_large_index_is_whole_and_the_same_each_time(source: Path) -> None:
    first, second = made(source, "one.sqlite", 3), made(source, "two.sqlite", 3)
    assert verify(first) == ()
    with open_index(first) as one, open_index(second) as two:
        assert list(dump(one)) == list(dump(two))
        (chunks,) = one.connection.execute("SELECT count(*) FROM chunks").fetchone()
    assert chunks == 3 * CHUNKS_A_PAPER
    assert 0 < plain_table_bytes(first, source.with_name("plain.sqlite")) < first.stat().st_size


def test_every_filter_is_asked_and_a_store_by_itself_tells_what_it_found(source: Path) -> None:
    path = made(source, "large.sqlite", EVERY_TAG)
    questions = {text: HashedWords().embed([text])[0].tolist() for text in TEXTS}
    request = {"index": str(path), "questions": questions, "chroma": None, "filters": FILTERS}
    asked = answer({**request, "mode": "hybrid"})
    assert all(len(asked[name]) == len(TEXTS) for name in ("plain", *FILTERS))
    assert asked["peak_mb"] > 0
    alone = answer({**request, "mode": None})
    tagged = {tuple(ids) for ids in alone["a tag of one in ten ids"]}
    assert {len(ids) for ids in tagged} == {CHUNKS_A_PAPER}
    assert _shared(alone["no filter ids"], alone["no filter ids"]) == {"mean": 1.0, "least": 1.0}


def test_figures_are_ratios_to_the_plain_query() -> None:
    assert _ratios([2.0, 4.0, 6.0], 2.0)["p50"] == 2.0
    assert _p95([float(i) for i in range(1, 101)]) == pytest.approx(95, abs=1)
    assert _shared([[1, 2], [3, 4]], [[2, 1], [3, 9]]) == {"mean": 0.75, "least": 0.5}
