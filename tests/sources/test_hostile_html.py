"""Claims about HTML made to do harm: it is refused or read as text, never run, and nothing else is opened."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path

import pytest
from latexml_html import page, paragraph, row, table

from variorum.errors import DamagedInputError
from variorum.sources import read_source
from variorum.thresholds import MAX_SOURCE_TAGS


def read_bytes(tmp_path: Path, data: bytes) -> list[str]:
    file = tmp_path / "paper.html"
    file.write_bytes(data)
    document = read_source(file)
    document.to_json()
    return [c.text for c in document.components]


def read_text(tmp_path: Path, *blocks: str) -> list[str]:
    return read_bytes(tmp_path, page(*blocks).encode())


REFUSED = {
    "a million tags in one another": ("<div>" * 10**6, "nested 256 deep"),
    "formula without end": ("<p class='ltx_p'><math>" + "<mrow>" * 10**5, "nested 256 deep"),
    "more tags than any paper": ("<b>" * MAX_SOURCE_TAGS, "2,000,000"),
    "spans that claim a table without end": (
        table('<tr><td class="ltx_td" rowspan="999999" colspan="999999">a</td></tr>' * 9),
        "250,000 positions",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_count(tmp_path: Path, name: str) -> None:
    block, what = REFUSED[name]
    with pytest.raises(DamagedInputError, match=what):
        read_text(tmp_path, paragraph("Text."), block)


@pytest.mark.parametrize("data", [b"", b"  \n", b"<html><body><p>hi", page("x").encode("utf-16"), b"<html>\0\0"])
def test_no_html_of_latexml_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(DamagedInputError):
        read_bytes(tmp_path, data)


def test_entities_open_no_file_and_do_not_grow(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden")
    inner = "".join(f'<!ENTITY e{i + 1} "{f"&e{i};" * 9}">' for i in range(20))
    head = f'<!DOCTYPE html [<!ENTITY x SYSTEM "{secret.as_uri()}"><!ENTITY e0 "ha">{inner}]>'
    data = page(paragraph("a &x; &e20; b")).replace("<!DOCTYPE html>", head)
    said = " ".join(read_bytes(tmp_path, data.encode()))
    assert "hidden" not in said
    assert "haha" not in said


def test_nothing_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    block = '<link rel="stylesheet" href="http://127.0.0.1:9/a.css"><img src="http://127.0.0.1:9/a.png"><p class="ltx_p">ok</p>'
    assert "ok" in read_text(tmp_path, block)


def test_scripts_are_no_text_and_written_tags_stay_text(tmp_path: Path) -> None:
    file = tmp_path / "paper.html"
    script = '<script>alert("run")</script><p class="ltx_p">a &lt;script&gt;alert("said")&lt;/script&gt;</p>'
    file.write_text(page(script, '<p class="ltx_p" onclick="alert(1)">b</p>'))
    html = read_source(file).to_html()
    assert "run" not in html
    assert "onclick" not in html
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html


def test_bytes_that_are_no_utf8_are_seen_and_said(tmp_path: Path) -> None:
    file = tmp_path / "paper.html"
    file.write_bytes(page(paragraph("caf@")).encode().replace(b"@", b"\xe9"))
    document = read_source(file)
    assert [c.text for c in document.components if c.kind == "paragraph"] == ["caf\ufffd"]
    assert ["1 characters are no UTF-8" in n.what for n in document.notices] == [True]


@pytest.mark.parametrize(
    "mathml",
    [
        "<msub><mi>a</mi></msub>",
        "<msup></msup>",
        "<mfrac></mfrac>",
        "<mover></mover>",
        "<mroot><mi>x</mi></mroot>",
        "<mtable/>",
        "<semantics></semantics>",
        "<msub><annotation>x</annotation></msub>",
        "<mrow><mi>a</mi><annotation>x</annotation><mi>b</mi></mrow>",
        "<msubsup><mi>x</mi></msubsup>",
        "<mrow>" * 200 + "<mi>x</mi>",
    ],
)
def test_broken_formulas_are_read_as_they_are(tmp_path: Path, mathml: str) -> None:
    assert "Text." in read_text(tmp_path, paragraph("Text."), f'<p class="ltx_p"><math alttext="x">{mathml}</math></p>')


def test_cut_at_every_place_is_read_or_refused(tmp_path: Path) -> None:
    whole = page(paragraph('A <cite class="ltx_cite">[<a href="#bib.bib1">1</a>]</cite>'), table(row("a", "b"))).encode()
    for end in range(0, len(whole), 7):
        with suppress(DamagedInputError):
            read_bytes(tmp_path, whole[:end])
