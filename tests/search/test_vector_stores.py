"""Stores of vectors: the same contract for all, and what Chroma's are tested for besides: staying true to the index file."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from chroma_server_run import chroma_server, free_port
from made_index import HashedWords, Shelf, item, paper

from variorum.document import Document
from variorum.errors import DamagedInputError, NetworkError, OutputError, UsageError
from variorum.libraries.model import LibraryItem
from variorum.search.chroma_server import ChromaServer
from variorum.search.contents import sweep
from variorum.search.filters import Filters
from variorum.search.retrieval import Searcher
from variorum.search.store import IndexFile, open_index, open_writer
from variorum.search.vector_choice import EXACT, VectorChoice, open_chroma, open_vectors
from variorum.search.vectors import ExactVectors, _greatest
from variorum.search.verifying import dump, verify

WORDS = (
    *("pond", "lake", "ice", "snow", "thaw", "frost", "reed", "carp", "otter"),
    *("heron", "mud", "silt", "wave", "shore", "dam", "mill", "goose", "duck"),
)
ABSENT = "chromadb is not installed: pip install 'variorum[chroma]'"


def many(count: int, start: int = 0) -> list[tuple[LibraryItem, Document]]:
    """Return items with papers of a few words each, all different."""
    draw = np.random.default_rng(start)
    found = []
    for i in range(start, start + count):
        words = " ".join(draw.choice(WORDS, 12))
        found.append((item(f"K{i}", f"Title {i}"), paper(f"Title {i}", f"{words}.", f"Number {i} {words[:20]}.")))
    return found


class Store:
    """An opened store with its index."""

    def __init__(self, index: IndexFile, vectors: Any) -> None:
        self.index = index
        self.vectors = vectors

    def ask(self, text: str, count: int, allowed: set[int] | None = None) -> list[tuple[int, float]]:
        found: list[tuple[int, float]] = self.vectors.nearest(HashedWords().embed([text])[0], count, allowed)
        return found


@pytest.fixture(scope="session")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    pytest.importorskip("chromadb", reason=ABSENT)
    with chroma_server(tmp_path_factory.mktemp("chroma")) as port:
        yield port


@pytest.fixture
def folder_choice() -> VectorChoice:
    pytest.importorskip("chromadb", reason=ABSENT)
    return VectorChoice(store="chroma")


@pytest.fixture(params=["exact", "folder", "server"])
def choice(request: pytest.FixtureRequest) -> VectorChoice:
    if request.param == "exact":
        return EXACT
    if request.param == "folder":
        return request.getfixturevalue("folder_choice")
    return VectorChoice(store="chroma", host="127.0.0.1", port=request.getfixturevalue("port"))


@pytest.fixture(params=["folder", "server"])
def in_chroma(request: pytest.FixtureRequest) -> VectorChoice:
    if request.param == "folder":
        return request.getfixturevalue("folder_choice")
    return VectorChoice(store="chroma", host="127.0.0.1", port=request.getfixturevalue("port"))


@pytest.fixture
def filled(shelf: Callable[..., Shelf]) -> Shelf:
    index = shelf()
    index.put(many(30))
    index.embed()
    return index


@pytest.fixture
def opened() -> Iterator[Callable[..., Store]]:
    with ExitStack() as stack:

        def open_it(shelf: Shelf, choice: VectorChoice) -> Store:
            index = stack.enter_context(open_index(shelf.path))
            return Store(index, stack.enter_context(open_vectors(index, choice)))

        yield open_it


def chunk_ids(index: IndexFile) -> list[int]:
    return [i for (i,) in index.connection.execute("SELECT id FROM chunks ORDER BY id")]


def remove_paper(shelf: Shelf, key: str) -> None:
    with open_writer(shelf.path, shelf.manifest) as index, index.transaction() as connection:
        connection.execute("DELETE FROM items WHERE key = ?", (key,))
        assert sweep(connection) == 1


def chroma_folder(shelf: Shelf) -> Path:
    return shelf.path.with_name(f"{shelf.path.name}.chroma")


def synced(shelf: Shelf, choice: VectorChoice) -> tuple[str, ...]:
    """Return what is said while the vectors are brought up to date."""
    with open_index(shelf.path) as index, open_chroma(index, choice) as vectors:
        vectors.bring_up_to_date()
        return vectors.said()


# ---- the contract ---------------------------------------------------------------------------------------------------


def test_every_store_finds_what_comparing_one_by_one_finds(
    filled: Shelf, choice: VectorChoice, opened: Callable[..., Store]
) -> None:
    store, exact = opened(filled, choice), opened(filled, EXACT)
    for question in ("ice on the pond", "heron", "Title 7"):
        found, wanted = store.ask(question, 10), exact.ask(question, 10)
        assert [cosine for _, cosine in found] == pytest.approx([cosine for _, cosine in wanted], abs=1e-5)
        assert len({i for i, _ in found}) == 10
        cosines = dict(exact.ask(question, 1000))
        assert all(cosine == pytest.approx(cosines[i], abs=1e-5) for i, cosine in found)


def test_only_allowed_chunks_are_found_and_all_of_them(
    filled: Shelf, choice: VectorChoice, opened: Callable[..., Store]
) -> None:
    store = opened(filled, choice)
    best = [i for i, _ in store.ask("ice on the pond", 100)]
    worst = set(best[-5:])
    assert {i for i, _ in store.ask("ice on the pond", 10, worst)} == worst
    assert store.ask("ice on the pond", 3, worst) == store.ask("ice on the pond", 10, worst)[:3]
    assert store.ask("ice on the pond", 10, set()) == []


def test_allowed_chunks_without_a_vector_are_passed_over(
    filled: Shelf, choice: VectorChoice, opened: Callable[..., Store]
) -> None:
    filled.put([(item("LATE", "Late"), paper("Late", "Ice on the pond."))])
    store = opened(filled, choice)
    found = store.ask("ice on the pond", 1000, set(chunk_ids(store.index)) | {10**9})
    assert found == store.ask("ice on the pond", 1000)
    assert len(found) == len(chunk_ids(store.index)) - len(chunk_ids_of(store.index, "LATE"))


def chunk_ids_of(index: IndexFile, key: str) -> list[int]:
    rows = index.connection.execute(
        "SELECT c.id FROM chunks c JOIN papers p ON p.document_id = c.document_id JOIN items i ON i.id = p.item_id"
        " WHERE i.key = ?",
        (key,),
    )
    return [i for (i,) in rows]


def test_chunks_that_fit_equally_stand_in_the_order_of_their_documents(
    shelf: Callable[..., Shelf], choice: VectorChoice, opened: Callable[..., Store]
) -> None:
    index = shelf()
    index.put([(item(f"T{i}", "Same"), paper(f"Twin {i}", "Ice.", "Reed.")) for i in range(6)])
    index.embed()
    store = opened(index, choice)
    order = [
        i
        for (i,) in store.index.connection.execute(
            "SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document_id ORDER BY d.kind, d.sha256, c.seq"
        )
    ]
    found = store.ask("ice", 100)
    assert found == sorted(found, key=lambda pair: (-pair[1], order.index(pair[0])))


def test_what_was_added_and_taken_out_meanwhile_is_noticed(
    filled: Shelf, choice: VectorChoice, opened: Callable[..., Store]
) -> None:
    store = opened(filled, choice)
    store.ask("zeppelin", 1)
    filled.put([(item("NEW", "Zeppelin"), paper("Zeppelin", "A zeppelin zeppelin."))])
    filled.embed()
    remove_paper(filled, "K3")
    ids = {i for i, _ in store.ask("zeppelin", 1000)}
    assert ids == set(chunk_ids(store.index))
    assert store.ask("zeppelin", 1)[0][0] in chunk_ids_of(store.index, "NEW")


def test_an_index_without_vectors_finds_nothing(
    shelf: Callable[..., Shelf], choice: VectorChoice, opened: Callable[..., Store]
) -> None:
    index = shelf()
    index.put(many(2))
    assert opened(index, choice).ask("ice", 5) == []


def test_searches_answer_the_same_by_every_store(filled: Shelf, choice: VectorChoice, opened: Callable[..., Store]) -> None:
    store = opened(filled, choice)
    exact, searcher = (Searcher(store.index, HashedWords(), vectors=vectors) for vectors in (None, store.vectors))
    for filters in (Filters(), Filters(items=("K1", "K2", "K5")), Filters(required=("heron",))):
        wanted, found = (each.search("ice on the pond", filters, limit=100, by="vectors") for each in (exact, searcher))
        assert {paper.item.key for paper in found.papers} == {paper.item.key for paper in wanted.papers}
        assert [p.hits[0].reasons.cosine for p in found.papers if p.hits[0].reasons] == pytest.approx(
            [p.hits[0].reasons.cosine for p in wanted.papers if p.hits[0].reasons], abs=1e-5
        )
        assert not found.notices


# ---- Chroma: true to the index --------------------------------------------------------------------------------------


def test_only_what_changed_is_written(filled: Shelf, in_chroma: VectorChoice) -> None:
    with open_index(filled.path) as index, open_chroma(index, in_chroma) as vectors:
        whole = vectors.bring_up_to_date()
        assert (whole.rows, whole.added, whole.removed) == (len(chunk_ids(index)), len(chunk_ids(index)), 0)
    removed = len_of(filled, "K3")
    remove_paper(filled, "K3")
    filled.put([(item("NEW", "Zeppelin"), paper("Zeppelin", "A zeppelin zeppelin."))])
    filled.embed()
    with open_index(filled.path) as index, open_chroma(index, in_chroma) as vectors:
        part = vectors.bring_up_to_date()
        assert (part.added, part.removed) == (len(chunk_ids_of(index, "NEW")), removed)
        again = vectors.bring_up_to_date()
        assert (again.rows, again.added, again.removed) == (len(chunk_ids(index)), 0, 0)


def len_of(shelf: Shelf, key: str) -> int:
    with open_index(shelf.path) as index:
        return len(chunk_ids_of(index, key))


def test_a_chunk_that_took_the_id_of_another_has_its_own_vector(
    filled: Shelf, in_chroma: VectorChoice, opened: Callable[..., Store]
) -> None:
    synced(filled, in_chroma)
    ids = len_of(filled, "K29")
    remove_paper(filled, "K29")
    filled.put([(item("NEW", "Zeppelin"), paper("Zeppelin", "A zeppelin zeppelin."))])
    filled.embed()
    store = opened(filled, in_chroma)
    assert ids == len(chunk_ids_of(store.index, "NEW"))
    assert store.ask("zeppelin", 1)[0][0] in chunk_ids_of(store.index, "NEW")


def test_vectors_of_another_model_are_made_anew(filled: Shelf, in_chroma: VectorChoice) -> None:
    synced(filled, in_chroma)
    with open_writer(filled.path, filled.manifest) as index:
        index.write_manifest(replace(index.manifest(), model="other-words@2"))
    said = synced(filled, in_chroma)
    assert said == ("the vectors in Chroma were those of hashed-words@1, and were made anew",)
    assert synced(filled, in_chroma) == ()


def test_two_indexes_share_a_server_or_a_folder(
    filled: Shelf, shelf: Callable[..., Shelf], in_chroma: VectorChoice, tmp_path: Path
) -> None:
    other = shelf("other.sqlite")
    other.put(many(5, 100))
    other.embed()
    shared = in_chroma if in_chroma.host else replace(in_chroma, folder=tmp_path / "shared")
    for index in (filled, other, filled, other):
        synced(index, shared)
    for index in (filled, other):
        with open_index(index.path) as file, open_chroma(file, shared) as vectors:
            change = vectors.bring_up_to_date()
            assert (change.rows, change.added) == (len(chunk_ids(file)), 0)


def test_a_half_written_collection_is_completed(filled: Shelf, in_chroma: VectorChoice) -> None:
    synced(filled, in_chroma)
    with open_index(filled.path) as index, open_chroma(index, in_chroma) as vectors:
        vectors.bring_up_to_date()
        collection = vectors._collection
        collection.delete(ids=[str(i) for i in chunk_ids(index)[:7]])
        collection.modify(metadata={**collection.metadata, "state": "writing"})
    with open_index(filled.path) as index, open_chroma(index, in_chroma) as vectors:
        change = vectors.bring_up_to_date()
        assert (change.added, change.removed) == (7, 0)


def test_lost_rows_are_noticed_when_the_store_is_opened(filled: Shelf, in_chroma: VectorChoice) -> None:
    synced(filled, in_chroma)
    with open_index(filled.path) as index, open_chroma(index, in_chroma) as vectors:
        vectors.bring_up_to_date()
        vectors._collection.delete(ids=[str(chunk_ids(index)[0])])
    with open_index(filled.path) as index, open_chroma(index, in_chroma) as vectors:
        assert vectors.bring_up_to_date().added == 1


def test_a_collection_that_vanished_is_made_anew(filled: Shelf, in_chroma: VectorChoice, opened: Callable[..., Store]) -> None:
    store = opened(filled, in_chroma)
    before = store.ask("heron", 5)
    client = store.vectors._place.client()
    client.delete_collection(store.vectors._name)
    assert store.ask("heron", 5) == before
    (said,) = store.vectors.said()
    assert "made anew" in said


@pytest.mark.parametrize("harm", ["a vector", "a row too many", "a row too few", "half-written"])
def test_verifying_finds_what_is_not_as_in_the_index_and_sets_it_aside(
    filled: Shelf, in_chroma: VectorChoice, harm: str
) -> None:
    synced(filled, in_chroma)
    with open_index(filled.path) as index, open_chroma(index, in_chroma) as vectors:
        assert vectors.faults() == ()
        vectors.bring_up_to_date()
        collection, first = vectors._collection, str(chunk_ids(index)[0])
        other = [0.0] * 63 + [1.0]
        match harm:
            case "a vector":
                collection.update(ids=[first], embeddings=[other])
            case "a row too many":
                collection.add(ids=["999999"], embeddings=[other], metadatas=[{"digest": "0"}])
            case "a row too few":
                collection.delete(ids=[first])
            case _:
                collection.modify(metadata={**collection.metadata, "state": "writing"})
        fault, aside = vectors.faults()
        assert "Chroma" in fault
        assert "set aside as" in aside
        assert "damaged" in aside
    with open_index(filled.path) as index, open_chroma(index, in_chroma) as vectors:
        assert vectors.bring_up_to_date().added == len(chunk_ids(index))
        assert vectors.faults() == ()


def test_what_the_index_got_since_is_no_fault(filled: Shelf, in_chroma: VectorChoice) -> None:
    synced(filled, in_chroma)
    remove_paper(filled, "K3")
    filled.put(many(1, 200))
    filled.embed()
    with open_index(filled.path) as index, open_chroma(index, in_chroma) as vectors:
        assert vectors.faults() == ()


def test_chroma_adds_nothing_to_the_index(filled: Shelf, in_chroma: VectorChoice) -> None:
    def content() -> list[str]:
        with open_index(filled.path) as index:
            return list(dump(index))

    before = content()
    synced(filled, in_chroma)
    assert content() == before
    assert verify(filled.path) == ()


def test_an_index_keeps_its_id_and_no_dump_shows_it(filled: Shelf, shelf: Callable[..., Shelf]) -> None:
    with open_index(filled.path) as index:
        name = index.id()
        assert name is not None
        assert name not in "".join(dump(index))
    with open_writer(filled.path, filled.manifest) as index:
        index.write_manifest(index.manifest())
        assert index.id() == name
    other = shelf("other.sqlite")
    other.put(many(1))
    with open_index(other.path) as index:
        assert index.id() != name


def test_an_index_without_an_id_gets_one_when_it_is_written(filled: Shelf, folder_choice: VectorChoice) -> None:
    with closing(sqlite3.connect(filled.path)) as connection, connection:
        connection.execute("DELETE FROM manifest WHERE key = 'id'")
    with (
        open_index(filled.path) as index,
        pytest.raises(UsageError, match="variorum index"),
        open_chroma(index, folder_choice),
    ):
        pass
    with open_writer(filled.path, filled.manifest):
        pass
    synced(filled, folder_choice)


# ---- Chroma in a folder ---------------------------------------------------------------------------------------------


def largest_file(shelf: Shelf) -> Path:
    return max((f for f in chroma_folder(shelf).glob("vectors-*/**/*") if f.is_file()), key=lambda f: f.stat().st_size)


@pytest.mark.parametrize("harm", ["truncated", "a bit", "removed", "foreign"])
def test_files_that_changed_since_they_were_sealed_are_set_aside_and_made_anew(
    filled: Shelf, folder_choice: VectorChoice, harm: str, opened: Callable[..., Store]
) -> None:
    synced(filled, folder_choice)
    victim = largest_file(filled)
    match harm:
        case "truncated":
            os.truncate(victim, victim.stat().st_size // 2)
        case "a bit":
            data = bytearray(victim.read_bytes())
            data[len(data) // 2] ^= 1
            victim.write_bytes(data)
        case "removed":
            victim.unlink()
        case _:
            (victim.parent / "foreign").write_text("x")
    store = opened(filled, folder_choice)
    assert len(store.ask("heron", 5)) == 5
    (said,) = store.vectors.said()
    assert "vectors-1.damaged" in said
    assert (chroma_folder(filled) / "vectors-1.damaged").is_dir()
    assert (chroma_folder(filled) / "vectors-2").is_dir()


def test_files_left_open_by_a_kill_are_used_when_they_can_be_read(filled: Shelf, folder_choice: VectorChoice) -> None:
    synced(filled, folder_choice)
    script = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from variorum.search.store import open_index\n"
        "from variorum.search.vector_choice import VectorChoice, open_chroma\n"
        "with open_index(Path(sys.argv[1])) as index, open_chroma(index, VectorChoice(store='chroma')) as vectors:\n"
        "    vectors.bring_up_to_date()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(filled.path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert '"seal": null' in (chroma_folder(filled) / "variorum.json").read_text()
    assert synced(filled, folder_choice) == ()
    assert not list(chroma_folder(filled).glob("*.damaged"))


@pytest.mark.parametrize("content", [b"", b"no database"])
def test_files_left_open_by_a_kill_are_set_aside_when_they_cannot_be_read(
    filled: Shelf, folder_choice: VectorChoice, content: bytes
) -> None:
    synced(filled, folder_choice)
    mark = chroma_folder(filled) / "variorum.json"
    mark.write_text('{"made_by": "vectors of an index of variorum", "folder": "vectors-1", "seal": null}')
    for file in (chroma_folder(filled) / "vectors-1").rglob("*"):
        if file.is_file():
            file.write_bytes(content)
    said = synced(filled, folder_choice)
    if content:
        assert "set aside" in said[0]
    with open_index(filled.path) as index, open_chroma(index, folder_choice) as vectors:
        assert vectors.faults() == ()


def test_damage_that_chroma_meets_while_it_is_asked_is_mended(
    filled: Shelf, folder_choice: VectorChoice, opened: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(filled, folder_choice)
    before = store.ask("heron", 5)

    def broken(**_: object) -> None:
        raise RuntimeError("segment gone")

    monkeypatch.setattr(store.vectors._collection, "query", broken)
    kept = type(store.vectors)._is_current  # the same collection object, as long as nothing was set aside
    monkeypatch.setattr(type(store.vectors), "_is_current", lambda self: self._collection is not None or kept(self))
    assert store.ask("heron", 5) == before
    (said,) = store.vectors.said()
    assert "segment gone" in said
    assert (chroma_folder(filled) / "vectors-1.damaged").is_dir()


def test_a_folder_is_open_for_one_process_at_a_time(filled: Shelf, folder_choice: VectorChoice) -> None:
    with (
        open_index(filled.path) as index,
        open_chroma(index, folder_choice),
        pytest.raises(OutputError, match="another process"),
        open_chroma(index, folder_choice),
    ):
        pass
    assert synced(filled, folder_choice) == ()


@pytest.mark.parametrize("mark", [None, "{}", '{"made_by": "x", "folder": "../..", "seal": null}', "no JSON"])
def test_a_folder_with_something_else_is_left_alone(
    filled: Shelf, folder_choice: VectorChoice, tmp_path: Path, mark: str | None
) -> None:
    place = tmp_path / "mine"
    place.mkdir()
    (place / "thesis.txt").write_text("x")
    if mark is not None:
        (place / "variorum.json").write_text(mark)
    before = sorted(place.iterdir())
    with (
        open_index(filled.path) as index,
        pytest.raises(UsageError, match="did not put there"),
        open_chroma(index, replace(folder_choice, folder=place)),
    ):
        pass
    assert sorted(place.iterdir()) == before


def test_a_place_that_is_a_file_is_refused(filled: Shelf, folder_choice: VectorChoice) -> None:
    choice = replace(folder_choice, folder=filled.path)
    with open_index(filled.path) as index, pytest.raises(UsageError, match="is a file"), open_chroma(index, choice):
        pass


def test_the_same_vectors_make_the_same_answers_whenever_they_are_put_there(
    filled: Shelf, folder_choice: VectorChoice, opened: Callable[..., Store]
) -> None:
    filled.put(many(300, 1000))
    filled.embed()
    first = opened(filled, folder_choice).ask("ice reed goose", 50)
    second = opened(filled, replace(folder_choice, folder=filled.path.with_name("second"))).ask("ice reed goose", 50)
    assert first == second


# ---- Chroma on a server ---------------------------------------------------------------------------------------------


def test_a_server_that_is_not_there_is_said(filled: Shelf) -> None:
    pytest.importorskip("chromadb", reason=ABSENT)
    choice = VectorChoice(store="chroma", host="127.0.0.1", port=free_port())
    with open_index(filled.path) as index, pytest.raises(NetworkError, match="chroma run"), open_chroma(index, choice):
        pass


def test_what_holds_the_port_and_does_not_answer_is_no_server(filled: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("chromadb", reason=ABSENT)
    monkeypatch.setattr("variorum.search.chroma_server._ANSWERS_WITHIN_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        choice = VectorChoice(store="chroma", host="127.0.0.1", port=silent.getsockname()[1])
        with open_index(filled.path) as index, pytest.raises(NetworkError, match="timed out"), open_chroma(index, choice):
            pass


def test_another_server_is_no_server_of_chroma(filled: Shelf) -> None:
    pytest.importorskip("chromadb", reason=ABSENT)
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as other:
        answering = Thread(target=other.handle_request)
        answering.start()
        choice = VectorChoice(store="chroma", host="127.0.0.1", port=other.server_port)
        with (
            open_index(filled.path) as index,
            pytest.raises(NetworkError, match="no server of Chroma"),
            open_chroma(index, choice),
        ):
            pass
        answering.join()


def test_no_question_to_a_server_waits_without_end(filled: Shelf, port: int) -> None:
    place = ChromaServer("127.0.0.1", port, filled.path)
    try:
        waits = place.client()._server._session.timeout
        assert all(limit is not None and limit > 0 for limit in waits.as_dict().values())
    finally:
        place.close()


def test_a_server_that_ends_meanwhile_is_said_and_sets_nothing_aside(filled: Shelf, tmp_path: Path) -> None:
    pytest.importorskip("chromadb", reason=ABSENT)
    with ExitStack() as stack, chroma_server(tmp_path / "one") as port:
        choice = VectorChoice(store="chroma", host="127.0.0.1", port=port)
        index = stack.enter_context(open_index(filled.path))
        store = Store(index, stack.enter_context(open_vectors(index, choice)))
        assert store.ask("heron", 3)
        kept = stack.pop_all()
    with kept, pytest.raises(NetworkError, match="gives no answer"):
        store.ask("heron", 3)


def test_two_processes_see_each_others_writing(filled: Shelf, port: int, opened: Callable[..., Store]) -> None:
    choice = VectorChoice(store="chroma", host="127.0.0.1", port=port)
    store = opened(filled, choice)
    store.ask("heron", 3)
    filled.put(many(1, 300))
    filled.embed()
    other = opened(filled, choice)
    with store.vectors._place.writing(), pytest.raises(OutputError, match="another process is bringing"):
        other.ask("heron", 3)
    assert len(opened(filled, choice).ask("heron", 1000)) == len(store.ask("heron", 1000))


# ---- choosing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"store": "choma"}, "--vectors"),
        ({"folder": Path("x")}, "--chroma-path"),
        ({"host": "h"}, "--chroma-host"),
        ({"store": "chroma", "folder": Path("x"), "host": "h"}, "--chroma-path"),
        ({"store": "chroma", "port": 8000}, "--chroma-port"),
        ({"store": "chroma", "host": "h", "port": 0}, "--chroma-port"),
        ({"store": "chroma", "host": "h", "port": 70000}, "--chroma-port"),
        ({"store": "chroma", "host": "http://h"}, "--chroma-host"),
        ({"store": "chroma", "host": ""}, "--chroma-host"),
    ],
)
def test_choices_that_make_no_sense_are_refused(given: dict[str, object], where: str) -> None:
    with pytest.raises(UsageError) as caught:
        VectorChoice(**given)  # type: ignore[arg-type]
    assert caught.value.where == where
    assert caught.value.hint


def test_chroma_tells_its_makers_nothing() -> None:
    pytest.importorskip("chromadb", reason=ABSENT)
    from variorum.search.chroma_door import quiet_settings

    assert quiet_settings().anonymized_telemetry is False


def test_vectors_that_do_not_fit_their_chunks_are_said(filled: Shelf, folder_choice: VectorChoice) -> None:
    with closing(sqlite3.connect(filled.path)) as connection, connection:
        connection.execute("UPDATE vectors SET count = count + 1")
    with (
        open_index(filled.path) as index,
        open_chroma(index, folder_choice) as vectors,
        pytest.raises(DamagedInputError, match="--rebuild"),
    ):
        vectors.bring_up_to_date()


@pytest.mark.parametrize("count", [1, 2, 5, 8, 9, 100])
def test_equal_cosines_stand_in_their_order_however_many_are_wanted(count: int) -> None:
    values = np.array([0.5, 0.25, 0.5, 0.75, 0.25, 0.5, 0.75, 0.25, 0.5], dtype=np.float32)
    assert list(_greatest(values, count)) == [3, 6, 0, 2, 5, 8, 1, 4, 7][:count]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE vectors SET data = substr(data, 1, length(data) - 4 * count)", "63 numbers"),
        ("UPDATE vectors SET data = zeroblob(length(data) - 1)", "chunks"),
        ("UPDATE vectors SET count = count + 1", "chunks"),
    ],
)
def test_stored_vectors_of_another_length_are_said(filled: Shelf, change: str, said: str) -> None:
    with closing(sqlite3.connect(filled.path)) as connection, connection:
        connection.execute(f"{change} WHERE document_id = (SELECT max(document_id) FROM vectors)")
    with open_index(filled.path) as index, pytest.raises(DamagedInputError, match=said):
        Store(index, ExactVectors(index)).ask("heron", 3)


def test_papers_that_are_kept_between_questions_are_those_of_the_index_now(filled: Shelf) -> None:
    with filled.searcher() as searcher:
        assert searcher.search("pond ice", limit=100).papers
        assert not searcher.search("zeppelin").papers
        filled.put([(item("NEW", "Zeppelin"), paper("Zeppelin", "A zeppelin."))])
        remove_paper(filled, "K3")
        assert [found.item.key for found in searcher.search("zeppelin").papers] == ["NEW"]
        found = searcher.search("pond ice reed heron", limit=100).papers
        assert "K3" not in {each.item.key for each in found}
