"""Claims about files that are not what they are given as: the message says what the file seems to be."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from pathlib import Path

import pytest

from variorum.errors import VariorumError
from variorum.sources import KINDS, read_source
from variorum.sources.seeming import is_binary, seems_to_be

NOISE = random.Random(5).randbytes(4000)


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "a")
    return file.getvalue()


SEEN = {
    "a PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\x00",
    "a gzip archive, as of a LaTeX source": gzip.compress(b"a"),
    "a zip archive, as of a LaTeX source or a Word file": zipped(),
    "a PNG picture": b"\x89PNG\r\n\x1a\n\x00",
    "HTML": b"<!-- a -->\n<!DOCTYPE html><p>a",
    "XML": b'<?xml version="1.0"?><a/>',
    "JSON": b'\xef\xbb\xbf {"a": 1}',
    "LaTeX": b"% a\n\\documentclass{article}",
    "plain text": "Möwen fliegen.".encode(),
    "data that is no text": NOISE,
    "a pointer of Git LFS, without the file itself": b"version https://git-lfs.github.com/spec/v1\noid",
    "an empty file": b"\n",
}


@pytest.mark.parametrize("name", SEEN)
def test_a_file_is_told_by_how_it_begins(name: str) -> None:
    assert seems_to_be(SEEN[name]) == name


@pytest.mark.parametrize("text", ["Grün".encode("latin-1"), "Grün\x1a".encode("cp1252"), "Grün".encode("utf-16"), b"a\x00b"])
def test_text_in_an_old_encoding_is_text(text: bytes) -> None:
    assert not is_binary(text)


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("pdf", "document")])
@pytest.mark.parametrize("ending", [".html", ".json", ".tar.gz", ".zip", ".tex", ".bin"])
def test_noise_is_refused_whatever_it_is_called(tmp_path: Path, kind: str, ending: str) -> None:
    file = tmp_path / f"noise{ending}"
    file.write_bytes(NOISE)
    with pytest.raises(VariorumError, match="it seems to be data that is no text"):
        read_source(file, kind)


@pytest.mark.parametrize(
    ("kind", "seeming"),
    [
        *(("ar5iv", name) for name in ("a PDF", "LaTeX", "JSON", "plain text")),
        *(("docling", name) for name in ("HTML", "LaTeX")),
        *(("latex", name) for name in ("HTML", "JSON", "a PDF", "a PNG picture")),
    ],
)
def test_another_format_is_named(tmp_path: Path, kind: str, seeming: str) -> None:
    file = tmp_path / "source.txt"
    file.write_bytes(SEEN[seeming])
    with pytest.raises(VariorumError, match=f"it seems to be {seeming}"):
        read_source(file, kind)


def test_a_file_of_no_known_kind_is_named(tmp_path: Path) -> None:
    file = tmp_path / "source"
    file.write_bytes(SEEN["a PNG picture"])
    with pytest.raises(VariorumError, match=r"no source that is known .* it seems to be a PNG picture"):
        read_source(file)


def test_latex_with_a_stray_control_character_is_read(tmp_path: Path) -> None:
    file = tmp_path / "main.tex"
    file.write_bytes(b"\\documentclass{article}\\begin{document}Gr\xfcn \x01 is a colour.\\end{document}")
    assert [c.text for c in read_source(file).components] == ["Grün is a colour."]
