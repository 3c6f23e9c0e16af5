"""``variorum fetch-model``: only the files that are known come in, a broken download is gone on with, a search finds them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.net.local_host import LocalHost, Reply
from variorum.apps.cli.main import main
from variorum.errors import NetworkError
from variorum.net import sentence_model
from variorum.net.pinned import PinnedFile
from variorum.search import model_files

NAMES = ("config.json", "tokenizer.json", "model.safetensors")
BODIES = {"config.json": b'{"hidden_size": 2}', "tokenizer.json": b'{"version": "1.0"}', "model.safetensors": b"\x00" * 70_000}


def pinned(name: str) -> PinnedFile:
    return PinnedFile(name=name, size=len(BODIES[name]), sha256=hashlib.sha256(BODIES[name]).hexdigest())


@pytest.fixture
def small(host: LocalHost, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> LocalHost:
    """Return a host that has a small model, which is the default one meanwhile; the user's data folder is empty."""
    monkeypatch.setattr(sentence_model, "MODEL_FILES", tuple(map(pinned, NAMES)))
    monkeypatch.setattr("variorum.apps.cli.fetch_model._PAUSE_S", 0.0)
    monkeypatch.setattr(model_files, "PACKAGE", "no_such_package")
    monkeypatch.setenv("VARIORUM_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.delenv("VARIORUM_MODEL", raising=False)
    kind = "application/octet-stream"
    host.replies = {f"/{name}": [Reply(body=body, kind=kind, etag=f'"{name}"')] for name, body in BODIES.items()}
    return host


def test_a_model_that_was_fetched_is_found_by_searches(small: LocalHost, tmp_path: Path) -> None:
    assert model_files.find_model() is None
    assert main(["fetch-model", "--from", small.url, "-q"]) == 0
    found = model_files.find_model()
    assert found is not None
    assert found.folder == tmp_path / "data" / "models" / "all-MiniLM-L6-v2"
    assert {path.name for path in found.folder.iterdir()} == set(NAMES)
    assert found.weights_path.read_bytes() == BODIES["model.safetensors"]


def test_what_is_there_is_not_asked_for_again(small: LocalHost, capsys: pytest.CaptureFixture[str]) -> None:
    states = []
    for _ in range(2):
        assert main(["fetch-model", "--from", small.url, "--json"]) == 0
        states.append({file["state"] for file in json.loads(capsys.readouterr().out)["files"]})
        assert len(small.asked) == len(NAMES)
    assert states == [{"fetched"}, {"kept"}]


def test_a_download_that_broke_off_is_gone_on_with(small: LocalHost) -> None:
    body = BODIES["model.safetensors"]
    whole = Reply(body=body, kind="application/octet-stream", etag='"w"')
    cut = Reply(body=body, kind="application/octet-stream", etag='"w"', sent=50_000)
    small.replies["/model.safetensors"] = [cut, whole]
    assert main(["fetch-model", "--from", small.url, "-q"]) == 0
    headers = [headers for path, headers in small.asked if path == "/model.safetensors"]
    assert headers[-1]["Range"].startswith("bytes=")
    assert model_files.find_model() is not None


@pytest.mark.parametrize(
    ("reply", "what"),
    [
        (Reply(body=b"\x01" * 70_000, kind="application/octet-stream"), "is another file than the one that is known"),
        (Reply(body=b"\x00" * 70_001, kind="application/octet-stream"), "are fetched"),
        (Reply(body=b"<html>sign in</html>", kind="text/html"), "the host gives text/html"),
        (Reply(status=404, kind="text/html"), "the host has no such file"),
    ],
)
def test_another_file_than_the_known_one_is_refused_and_no_model_is_there(
    small: LocalHost, capsys: pytest.CaptureFixture[str], reply: Reply, what: str
) -> None:
    small.replies["/model.safetensors"] = [reply]
    assert main(["fetch-model", "--from", small.url, "-q"]) == NetworkError.exit_code
    assert what in capsys.readouterr().err
    assert model_files.find_model() is None


def test_an_address_that_is_none_is_refused(small: LocalHost, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fetch-model", "--from", "ftp://example.org/model", "-q"]) == 2
    assert "is no address of the web" in capsys.readouterr().err
    assert small.asked == []


def test_the_known_weights_are_those_that_searches_call_the_default_model() -> None:
    known = {file.name: file.sha256 for file in sentence_model.MODEL_FILES}
    assert known["model.safetensors"] == model_files.WEIGHTS_SHA256
    assert [file.name for file in sentence_model.MODEL_FILES][-1] == "model.safetensors"
