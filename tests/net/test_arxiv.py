"""Claims about papers of arXiv: how their numbers are read, what is fetched, what is not asked for again."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.net.local_host import HTML, PDF, SOURCE, LocalHost, Reply
from variorum.errors import UsageError
from variorum.net.arxiv import ArxivId, PaperFile, fetch_paper, parse_arxiv_id
from variorum.net.polite import PoliteClient
from variorum.sources import read_source

PAPER = ArxivId("2305.03393")
PATHS = ["/pdf/2305.03393", "/e-print/2305.03393", "/html/2305.03393"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2305.03393", "2305.03393"),
        ("0704.0001", "0704.0001"),
        ("arxiv:2305.03393v2", "2305.03393v2"),
        ("arXiv: 2305.03393v2 [cs.CV]", "2305.03393v2"),
        (" hep-th/9901001 ", "hep-th/9901001"),
        ("math.GT/0309136v1", "math/0309136v1"),
        ("https://arxiv.org/abs/2305.03393v1", "2305.03393v1"),
        ("http://www.arxiv.org/pdf/2305.03393v1.pdf", "2305.03393v1"),
        ("arxiv.org/abs/hep-th/9901001", "hep-th/9901001"),
        ("https://arxiv.org/abs/2305.03393?context=cs#top", "2305.03393"),
        ("https://ar5iv.labs.arxiv.org/html/2305.03393", "2305.03393"),
        ("https://ar5iv.org/abs/2305.03393", "2305.03393"),
        ("https://doi.org/10.48550/arXiv.2305.03393", "2305.03393"),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, number: str) -> None:
    assert str(parse_arxiv_id(text)) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2305",
        "2313.03393",
        "2305.03393v0",
        "2305.033931",
        "../2305.03393",
        "2305.03393/..",
        "hep-th/99010",
        "https://a.org/1",
        "arxiv:",
        "/etc/passwd",
        "2305.03393 and more",
        "2305.０3393",
    ],
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no number of arXiv"):
        parse_arxiv_id(text)


def test_folder_of_an_old_number_is_one_folder() -> None:
    assert parse_arxiv_id("hep-th/9901001v2").folder == "hep-th_9901001v2"


# ---- fetching -----------------------------------------------------------------------------------------------------------


def ready(host: LocalHost, source: Reply | None = None) -> None:
    """Have all three files served."""
    replies = [
        Reply(body=PDF),
        source or Reply(body=SOURCE, kind="application/gzip"),
        Reply(body=HTML, kind="text/html; charset=utf-8"),
    ]
    host.replies |= {path: [reply] for path, reply in zip(PATHS, replies, strict=True)}


def fetch(host: LocalHost, client: PoliteClient, folder: Path, *, force: bool = False) -> tuple[PaperFile, ...]:
    return fetch_paper(PAPER, folder, client, arxiv_url=host.url, ar5iv_url=host.url + "/", force=force)


def states(files: tuple[PaperFile, ...]) -> list[tuple[str, str]]:
    return [(f.name, f.state) for f in files]


def test_all_three_files_come_and_can_be_read(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    ready(host)
    files = fetch(host, client, tmp_path / "p")
    assert states(files) == [("paper.pdf", "fetched"), ("source.tar.gz", "fetched"), ("ar5iv.html", "fetched")]
    assert host.paths() == PATHS
    assert sorted(p.name for p in (tmp_path / "p").iterdir()) == ["ar5iv.html", "fetched.json", "paper.pdf", "source.tar.gz"]
    for name in ("source.tar.gz", "ar5iv.html"):
        assert read_source(tmp_path / "p" / name).components


def test_what_is_there_is_not_asked_for_again(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    ready(host)
    first = fetch(host, client, tmp_path)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    host.asked.clear()
    again = fetch(host, client, tmp_path)
    assert host.asked == []
    assert [(f.name, f.sha256, f.size) for f in again] == [(f.name, f.sha256, f.size) for f in first]
    assert {f.state for f in again} == {"kept"}
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_paper_without_html_is_remembered_to_have_none(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    ready(host)
    del host.replies[PATHS[2]]
    for _ in range(2):
        assert fetch(host, client, tmp_path)[2].state == "absent"
    assert host.paths() == PATHS
    assert json.loads((tmp_path / "fetched.json").read_text())["files"][2]["state"] == "absent"


def test_page_of_the_paper_in_place_of_its_html_means_none(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    ready(host)
    host.replies[PATHS[2]] = [Reply(status=302, headers=(("Location", "/abs/2305.03393"),))]
    host.replies["/abs/2305.03393"] = [Reply(body=b"<html>the paper's page</html>", kind="text/html")]
    assert fetch(host, client, tmp_path)[2].state == "absent"


def test_force_asks_for_everything_again(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    ready(host)
    fetch(host, client, tmp_path)
    host.replies[PATHS[0]] = [Reply(body=PDF + b"\n")]
    files = fetch(host, client, tmp_path, force=True)
    assert host.paths() == PATHS * 2
    assert files[0].size == len(PDF) + 1


def test_file_that_fails_leaves_the_others_and_one_that_was_there(
    host: LocalHost, client: PoliteClient, tmp_path: Path
) -> None:
    ready(host)
    fetch(host, client, tmp_path)
    host.replies[PATHS[0]] = [Reply(body=b"<html>busy</html>", kind="text/html")]
    files = fetch(host, client, tmp_path, force=True)
    assert [f.state for f in files] == ["failed", "fetched", "fetched"]
    assert "gives text/html" in files[0].what
    assert (tmp_path / "paper.pdf").read_bytes() == PDF


def test_damaged_file_that_is_there_is_fetched_again(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    ready(host)
    (tmp_path / "paper.pdf").write_bytes(PDF[:100])
    assert fetch(host, client, tmp_path)[0].state == "fetched"
    assert (tmp_path / "paper.pdf").read_bytes() == PDF


@pytest.mark.parametrize(
    ("body", "kind", "name"),
    [
        (SOURCE, "application/x-eprint-tar", "source.tar.gz"),
        (gzip.compress(b"\\documentclass{article}", mtime=0), "application/x-eprint", "source.gz"),
        (gzip.decompress(SOURCE), "application/x-tar", "source.tar"),
        (b"\\documentstyle{article}", "text/plain", "source.tex"),
        (PDF, "application/pdf", "source.pdf"),
    ],
    ids=["tar.gz", "gz", "tar", "tex", "pdf"],
)
def test_source_is_called_by_what_it_is(
    host: LocalHost, client: PoliteClient, tmp_path: Path, body: bytes, kind: str, name: str
) -> None:
    ready(host, Reply(body=body, kind=kind))
    assert fetch(host, client, tmp_path)[1].name == name
    assert (tmp_path / name).read_bytes() == body
    assert fetch(host, client, tmp_path)[1].state == "kept"
    assert len(host.asked) == len(PATHS)


@pytest.mark.parametrize(
    ("part", "reply", "what"),
    [
        (0, Reply(body=PDF[:-10], announced=-1), "is a PDF that breaks off"),
        (0, Reply(body=b"%PDF nothing"), "is no PDF"),
        (1, Reply(body=SOURCE[:-10], kind="application/gzip", announced=-1), "is an archive that breaks off"),
        (1, Reply(body=SOURCE[:20] + b"??" + SOURCE[22:], kind="application/gzip"), "is a damaged archive"),
        (1, Reply(body=b"nothing", kind="text/plain"), "is neither an archive nor TeX"),
        (2, Reply(body=b"<html>please wait</html>", kind="text/html"), "is no HTML of LaTeXML"),
        (2, Reply(body=HTML[:-20], kind="text/html", announced=-1), "is HTML that breaks off"),
    ],
)
def test_file_that_is_not_what_it_should_be_is_missing(
    host: LocalHost, client: PoliteClient, tmp_path: Path, part: int, reply: Reply, what: str
) -> None:
    ready(host)
    host.replies[PATHS[part]] = [reply]
    files = fetch(host, client, tmp_path)
    assert [f.state for f in files].count("failed") == 1
    assert f"what came {what}" in files[part].what


def test_host_that_does_not_answer_is_not_asked_for_the_next_file(
    client: PoliteClient, tmp_path: Path, host: LocalHost
) -> None:
    ready(host)
    heard: list[str] = []
    files = fetch_paper(
        PAPER, tmp_path / "p", client, arxiv_url="http://127.0.0.1:9", ar5iv_url="http://127.0.0.1:9", on_part=heard.append
    )
    assert [f.state for f in files] == ["failed"] * 3
    assert heard == ["paper.pdf"]
    assert not (tmp_path / "p").exists()


def test_record_that_is_damaged_is_none(host: LocalHost, client: PoliteClient, tmp_path: Path) -> None:
    ready(host)
    (tmp_path / "fetched.json").write_text('{"files": [1]}')
    assert {f.state for f in fetch(host, client, tmp_path)} == {"fetched"}
