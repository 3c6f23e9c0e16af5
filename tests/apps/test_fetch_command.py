"""Claims about ``variorum fetch``: what it prints, its exit codes, and that nothing touches the network unasked."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.net.local_host import HTML, PDF, SOURCE, LocalHost, Reply, serving
from variorum.apps.cli.main import main
from variorum.sources import read_source

NETWORK = {"socket", "ssl", "http", "urllib.request", "urllib.error", "ftplib", "smtplib", "asyncio", "requests", "httpx"}


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Generator[LocalHost]:
    """Return a host on this machine that has one paper without HTML."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    with serving() as host:
        host.replies = {
            "/pdf/2305.03393": [Reply(body=PDF)],
            "/e-print/2305.03393": [Reply(body=SOURCE, kind="application/gzip")],
        }
        yield host


def fetch(host: LocalHost, tmp_path: Path, *more: str, paper: str = "arxiv:2305.03393") -> int:
    sites = ["--arxiv-url", host.url, "--ar5iv-url", host.url, "--pause", "0"]
    return main(["fetch", paper, "-o", str(tmp_path), *sites, *more])


def test_paper_without_html_is_fetched_and_the_way_to_make_it_said(
    host: LocalHost, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch(host, tmp_path) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert "ar5iv.html             –  is not there: the host has none" in said.out
    assert f"variorum read {tmp_path}/2305.03393/source.tar.gz --kind ar5iv --via latexml" in said.out


def test_files_are_told_as_json(host: LocalHost, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    host.replies["/html/2305.03393"] = [Reply(body=HTML, kind="text/html")]
    assert fetch(host, tmp_path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [f["name"] for f in told["files"]] == ["paper.pdf", "source.tar.gz", "ar5iv.html"]
    assert told["folder"] == str(tmp_path / "2305.03393")


def test_part_of_a_paper_is_kept_and_the_rest_said_to_be_missing(
    host: LocalHost, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host.replies["/e-print/2305.03393"] = [Reply(status=403, kind="text/html")]
    assert fetch(host, tmp_path) == 9
    said = capsys.readouterr()
    assert "/e-print/2305.03393: the host answers 403" in said.err
    assert "source.tar.gz          –  is missing" in said.out
    assert (tmp_path / "2305.03393" / "paper.pdf").read_bytes() == PDF


def test_number_that_arxiv_does_not_have_is_an_error(
    host: LocalHost, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch(host, tmp_path, paper="2305.00000") == 3
    assert "arXiv has no paper 2305.00000" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_host_that_cannot_be_found_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], host: LocalHost) -> None:
    nowhere = "http://nowhere.invalid"
    call = ["fetch", "2305.03393", "-o", str(tmp_path), "--arxiv-url", nowhere, "--ar5iv-url", nowhere]
    assert main(call) == 11
    said = capsys.readouterr().err
    assert said.startswith("variorum: nowhere.invalid: the host cannot be found")
    assert "check the connection" in said
    assert len(said.splitlines()) == 1
    assert host.asked == []


@pytest.mark.parametrize(
    "call", [["fetch", "birds"], ["fetch", "2305.03393", "--pause", "-1"], ["fetch", "2305.03393", "--pause", "nan"]]
)
def test_nonsense_is_refused(call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*call, "-o", str(tmp_path)]) == 2
    assert "To try:" in capsys.readouterr().err


def test_nothing_but_the_room_of_the_network_can_reach_it(project_root: Path) -> None:
    strays = []
    for path in sorted((project_root / "src" / "variorum").rglob("*.py")):
        name = path.relative_to(project_root / "src" / "variorum").as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            asks = {n for n in names if n in NETWORK or n.partition(".")[0] in NETWORK}
            uses = {n for n in names if n.startswith("variorum.net")}
            if (asks and not name.startswith(("net/", "apps/http", "apps/mcp"))) or (
                uses and not name.startswith(("net/", "apps/cli/fetch", "apps/mcp/citation_tools", "search/chroma_server"))
            ):
                strays.append((name, sorted(asks | uses)))
    assert strays == []


def test_reading_opens_no_connection(tmp_path: Path) -> None:
    """A hook of the interpreter ends the process when anything asks for a connection or the address of a host."""
    (tmp_path / "paper.html").write_bytes(HTML.replace(b"</article>", b'<img src="http://a.org/b"></article>'))
    read_source(tmp_path / "paper.html")
    script = (
        "import os, sys\n"
        "def hook(event, _):\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo', 'socket.bind', 'urllib.Request'):\n"
        "        os.write(2, event.encode()); os._exit(77)\n"
        "sys.addaudithook(hook)\n"
        "from variorum.apps.cli.main import main\n"
        "sys.exit(main(['read', 'paper.html', '-o', 'out', '--format', 'json,html,md']))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
