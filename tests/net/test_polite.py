"""Claims about fetching a file: it is whole or it is not there, it goes on where it broke, and hosts are not hurried."""

from __future__ import annotations

import errno
from email.utils import formatdate
from pathlib import Path

import pytest

from tests.net.conftest import Time
from tests.net.local_host import PDF, LocalHost, Reply
from variorum.errors import NetworkError, OutputError, UsageError
from variorum.net.asking import Answer
from variorum.net.partial import opened
from variorum.net.polite import USER_AGENT, PoliteClient, Wanted

FILE = "file:" + "///etc/passwd"
"""An address of a file: not of the web."""


def is_pdf(path: Path) -> str:
    return "" if path.read_bytes().startswith(b"%PDF-") else "is no PDF"


def wanted(host: LocalHost, tmp_path: Path, path: str = "/paper", largest: int = 1_000_000) -> Wanted:
    types = frozenset({"application/pdf"})
    return Wanted(url=host.url + path, path=tmp_path / "paper.pdf", types=types, largest=largest, check=is_pdf)


def left_over(tmp_path: Path) -> list[str]:
    return sorted(p.name for p in tmp_path.iterdir())


def test_a_file_is_fetched_whole_and_nothing_else_is_left(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    host.replies["/paper"] = [Reply(body=PDF, etag='"a"')]
    came = client.fetch(wanted(host, tmp_path))
    assert came is not None
    assert (came.size, came.requests) == (len(PDF), 1)
    assert (tmp_path / "paper.pdf").read_bytes() == PDF
    assert left_over(tmp_path) == ["paper.pdf"]
    (_, headers) = host.asked[0]
    assert headers["User-Agent"] == USER_AGENT
    assert USER_AGENT.startswith("variorum/")


@pytest.mark.parametrize("mark", [{"etag": '"a"'}, {"modified": "Mon, 01 Jan 2024 00:00:00 GMT"}])
def test_a_broken_connection_is_gone_on_with(
    host: LocalHost, client: PoliteClient, tmp_path: Path, mark: dict[str, str]
) -> None:
    host.replies["/paper"] = [Reply(body=PDF, sent=n, **mark) for n in (1_000, 3_000)] + [Reply(body=PDF, **mark)]
    assert client.fetch(wanted(host, tmp_path)) is not None
    assert (tmp_path / "paper.pdf").read_bytes() == PDF
    assert [headers.get("Range") for _, headers in host.asked] == [None, "bytes=1000-", "bytes=3000-"]


def test_a_host_without_ranges_starts_again(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    host.replies["/paper"] = [Reply(body=PDF, etag='"a"', sent=1_000), Reply(body=PDF, etag='"a"', has_ranges=False)]
    assert client.fetch(wanted(host, tmp_path)) is not None
    assert (tmp_path / "paper.pdf").read_bytes() == PDF


def test_another_version_of_the_file_starts_again(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    newer = PDF.replace(b"x", b"y")
    host.replies["/paper"] = [Reply(body=PDF, etag='"a"', sent=1_000), Reply(body=newer, etag='"b"')]
    assert client.fetch(wanted(host, tmp_path)) is not None
    assert (tmp_path / "paper.pdf").read_bytes() == newer


@pytest.mark.parametrize("etag", ["", 'W/"a"'])
def test_without_a_strong_mark_nothing_is_put_together(
    host: LocalHost, client: PoliteClient, tmp_path: Path, etag: str
) -> None:
    host.replies["/paper"] = [Reply(body=PDF, etag=etag, sent=1_000), Reply(body=PDF, etag=etag)]
    assert client.fetch(wanted(host, tmp_path)) is not None
    assert [headers.get("Range") for _, headers in host.asked] == [None, None]


def test_another_part_than_the_one_asked_for_is_not_taken(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    wrong = Reply(
        body=PDF[:500], status=206, etag='"a"', headers=(("Content-Range", f"bytes 0-499/{len(PDF)}"),), has_ranges=False
    )
    host.replies["/paper"] = [Reply(body=PDF, etag='"a"', sent=1_000), wrong, Reply(body=PDF, etag='"a"')]
    assert client.fetch(wanted(host, tmp_path)) is not None
    assert (tmp_path / "paper.pdf").read_bytes() == PDF


def test_a_later_call_goes_on_where_the_last_was_interrupted(
    host: LocalHost, client: PoliteClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.replies["/paper"] = [Reply(body=PDF, etag='"a"')]
    read = Answer.read

    taken: list[bytes] = []

    def once(self: Answer, size: int) -> bytes:
        if taken:
            raise KeyboardInterrupt
        taken.append(read(self, 2_000))
        return taken[0]

    monkeypatch.setattr(Answer, "read", once)
    with pytest.raises(KeyboardInterrupt):
        client.fetch(wanted(host, tmp_path))
    assert left_over(tmp_path) == ["paper.pdf.part", "paper.pdf.part.json"]
    monkeypatch.setattr(Answer, "read", read)
    assert client.fetch(wanted(host, tmp_path)) is not None
    assert host.asked[-1][1]["Range"] == "bytes=2000-"
    assert (tmp_path / "paper.pdf").read_bytes() == PDF
    assert left_over(tmp_path) == ["paper.pdf"]


def test_a_connection_that_breaks_again_and_again_is_given_up_and_keeps_what_came(
    host: LocalHost, client: PoliteClient, tmp_path: Path
) -> None:
    host.replies["/paper"] = [Reply(body=PDF, etag='"a"', sent=1_000)]
    with pytest.raises(NetworkError, match=r"broke off after 1,000 of 5,016 bytes \(1,000 bytes have come and are kept\)"):
        client.fetch(wanted(host, tmp_path))
    assert (tmp_path / "paper.pdf.part").stat().st_size == 1_000


def test_no_file_is_begun_by_a_host_that_has_none(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    assert client.fetch(wanted(host, tmp_path)) is None
    assert left_over(tmp_path) == []


@pytest.mark.parametrize(
    ("reply", "what"),
    [
        (Reply(body=b"<html>busy</html>", kind="text/html; charset=utf-8"), "gives text/html, not application/pdf"),
        (Reply(body=b"<html>busy</html>"), "what came is no PDF"),
        (Reply(body=PDF, status=403), "answers 403"),
        (Reply(body=PDF * 300), "has 1,504,800 bytes or more, and 1,000,000 are fetched"),
        (Reply(body=PDF * 300, announced=-1), "and 1,000,000 are fetched"),
    ],
)
def test_what_is_not_the_file_is_refused(
    host: LocalHost, client: PoliteClient, tmp_path: Path, reply: Reply, what: str
) -> None:
    host.replies["/paper"] = [reply]
    with pytest.raises(NetworkError, match=what) as caught:
        client.fetch(wanted(host, tmp_path))
    assert caught.value.hint
    assert len(host.asked) == 1
    assert left_over(tmp_path) == []


def test_a_file_without_a_length_is_taken_when_it_is_what_it_should_be(
    host: LocalHost, client: PoliteClient, tmp_path: Path
) -> None:
    host.replies["/paper"] = [Reply(body=PDF, announced=-1)]
    assert client.fetch(wanted(host, tmp_path)) is not None


# ---- manners ------------------------------------------------------------------------------------------------------------


def test_requests_to_one_host_are_three_seconds_apart(
    host: LocalHost, client: PoliteClient, time: Time, tmp_path: Path
) -> None:
    host.replies["/paper"] = [Reply(body=PDF)]
    client.fetch(wanted(host, tmp_path))
    time.now += 1
    client.fetch(wanted(host, tmp_path))
    assert time.slept == [2.0]


def test_a_busy_host_is_asked_again_after_the_time_it_names(
    host: LocalHost, client: PoliteClient, time: Time, tmp_path: Path
) -> None:
    said: list[str] = []
    client.tell = said.append
    date = formatdate(time.now + 50, usegmt=True)
    busy = [Reply(status=429, headers=(("Retry-After", "20"),)), Reply(status=503, headers=(("Retry-After", date),))]
    host.replies["/paper"] = [*busy, Reply(body=PDF)]
    assert client.fetch(wanted(host, tmp_path)) is not None
    assert time.slept == [20.0, 30.0]
    assert said[0] == "the host answers 429 (Too Many Requests); the next request is in 20 seconds"


def test_pauses_double_while_a_host_fails(host: LocalHost, client: PoliteClient, time: Time, tmp_path: Path) -> None:
    host.replies["/paper"] = [Reply(status=503)]
    with pytest.raises(NetworkError, match="the host answers 503"):
        client.fetch(wanted(host, tmp_path))
    assert time.slept == [3.0, 6.0, 12.0, 24.0]
    assert len(host.asked) == client.attempts


def test_a_host_that_asks_for_an_hour_is_not_waited_for(
    host: LocalHost, client: PoliteClient, time: Time, tmp_path: Path
) -> None:
    host.replies["/paper"] = [Reply(status=429, headers=(("Retry-After", "3600"),))]
    with pytest.raises(NetworkError, match="asks for a pause of 60 minutes"):
        client.fetch(wanted(host, tmp_path))
    assert time.slept == []


def test_a_wait_that_makes_no_sense_is_the_usual_one(host: LocalHost, client: PoliteClient, time: Time, tmp_path: Path) -> None:
    host.replies["/paper"] = [Reply(status=503, headers=(("Retry-After", "soon"),)), Reply(body=PDF)]
    assert client.fetch(wanted(host, tmp_path)) is not None
    assert time.slept == [3.0]


# ---- what stands in the way ---------------------------------------------------------------------------------------------


def test_a_host_that_refuses_is_named(client: PoliteClient, tmp_path: Path, host: LocalHost) -> None:
    closed = Wanted(
        url="http://127.0.0.1:9/paper", path=tmp_path / "a.pdf", types=frozenset({"application/pdf"}), largest=9, check=is_pdf
    )
    with pytest.raises(NetworkError, match="cannot be reached") as caught:
        client.fetch(closed)
    assert caught.value.where == "127.0.0.1:9"
    assert "check the connection" in caught.value.hint


@pytest.mark.parametrize("url", ["", "paper.pdf", FILE, "ftp://a.org/b", "http://", "http://a b/", "http://a:x/"])
def test_no_address_of_the_web_is_refused(client: PoliteClient, tmp_path: Path, url: str) -> None:
    with pytest.raises(UsageError, match="is no address of the web"):
        client.fetch(Wanted(url=url, path=tmp_path / "a", types=frozenset(), largest=9, check=is_pdf))


@pytest.mark.parametrize("target", [FILE, "ftp://127.0.0.1/x"])
def test_redirections_out_of_the_web_are_not_followed(
    host: LocalHost, client: PoliteClient, tmp_path: Path, target: str
) -> None:
    host.replies["/paper"] = [Reply(status=302, headers=(("Location", target),))]
    with pytest.raises(NetworkError):
        client.fetch(wanted(host, tmp_path))
    assert left_over(tmp_path) == []


def test_redirections_are_followed_to_the_file(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    host.replies["/paper"] = [Reply(status=302, headers=(("Location", "/there"),))]
    host.replies["/there"] = [Reply(body=PDF)]
    assert client.fetch(wanted(host, tmp_path)) is not None
    assert host.paths() == ["/paper", "/there"]


def test_two_processes_do_not_fetch_one_file(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with opened(tmp_path / "paper.pdf"), pytest.raises(OutputError, match="another process fetches this file"):
        client.fetch(wanted(host, tmp_path))


def test_a_full_disk_is_an_error_of_the_family(
    host: LocalHost, client: PoliteClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.replies["/paper"] = [Reply(body=PDF)]

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OutputError, match="No space left"):
        client.fetch(wanted(host, tmp_path))


def test_a_folder_that_is_a_file_is_an_error_of_the_family(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="cannot be written"):
        client.fetch(wanted(host, tmp_path / "file"))
