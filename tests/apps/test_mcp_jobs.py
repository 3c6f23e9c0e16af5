"""Claims about runs of indexing that a client begins: watched, cancelled, and gone with their server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp_clients import EXAMPLE, asked, in_memory, until_over

from variorum.apps.chosen_library import LibraryPlace
from variorum.apps.indexing import IndexWishes
from variorum.apps.mcp.indexing_process import wishes_as_data, wishes_of
from variorum.libraries.selecting import Selection
from variorum.search.verifying import verify


def test_a_run_is_cancelled_while_it_reads_and_the_index_stays_whole(tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"

    async def talk() -> Any:
        async with in_memory(index) as client:
            reading = asyncio.Event()

            async def told(done: float, total: float | None, message: str | None) -> None:
                if "papers" in (message or ""):
                    reading.set()

            await client.ask("index_library")
            watching = asyncio.create_task(
                client.client.call_tool("get_index_job", {"job": "index-1", "wait_seconds": 60}, progress_callback=told)
            )
            await reading.wait()
            cancelled = await client.ask("cancel_index_job", job="index-1")
            seen = (await watching).structured_content
            assert seen == cancelled == await client.ask("cancel_index_job", job="index-1")
            again = await client.ask("index_library", limit=0)
            return cancelled, await until_over(client, again["job"])

    cancelled, again = asked(talk)
    assert cancelled["state"] == "cancelled"
    assert (again["state"], again["counts"]["skipped"]) == ("done", 1)
    assert "left for a later run" in again["papers"][0]["reason"]
    assert verify(index) == ()


@pytest.mark.parametrize(
    ("arguments", "reason"), [({"items": ["../../etc"]}, "../../etc"), ({"collections": ["none"]}, "--collection")]
)
def test_a_run_that_makes_no_sense_ends_with_the_reason(tmp_path: Path, arguments: dict[str, Any], reason: str) -> None:
    async def talk() -> Any:
        async with in_memory(tmp_path / "index.sqlite") as client:
            job = await client.ask("index_library", **arguments)
            return await until_over(client, job["job"])

    status = asked(talk)
    assert status["state"] == "failed"
    assert reason in status["error"]


def test_a_run_ends_with_the_server_that_began_it(tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    wishes = IndexWishes(place=LibraryPlace(folder=EXAMPLE), index=index)
    call = [sys.executable, "-P", "-m", "variorum.apps.mcp.indexing_process"]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(wishes_as_data(wishes)) + "\n")
        process.stdin.flush()
        while '"papers"' not in process.stdout.readline():
            pass
        process.stdin.close()
        assert process.wait() == 1
    assert verify(index) == ()


def test_wishes_come_through_as_they_were() -> None:
    wishes = IndexWishes(
        place=LibraryPlace(zotero=Path("/z"), base_dir="b"),
        index=Path("/i/index.sqlite"),
        selection=Selection(collections=("A/B",), tags=("t",), libraries=("user",), keys=("K",)),
        model=Path("/m"),
        limit=3,
        jobs=2,
        config="fast",
        retry=True,
    )
    assert wishes_of(json.loads(json.dumps(wishes_as_data(wishes)))) == wishes
