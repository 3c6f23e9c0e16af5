"""``variorum read`` from outside: any one source, the same files as of a PDF, and one line for what cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from journey_words import Command, MakePdf

HTML = (
    '<!DOCTYPE html><html><body><article class="ltx_document"><h1 class="ltx_title ltx_title_document">Birds</h1>'
    '<section class="ltx_section"><h2 class="ltx_title ltx_title_section"><span class="ltx_tag">1 </span>Gulls</h2>'
    '<div class="ltx_para"><p class="ltx_p">Gulls fly, as Table 1 says.</p></div>'
    '<figure class="ltx_table"><figcaption class="ltx_caption">Table 1: Birds.</figcaption><table class="ltx_tabular">'
    '<tr class="ltx_tr"><th class="ltx_td ltx_th_column">bird</th><th class="ltx_td ltx_th_column">count</th></tr>'
    '<tr class="ltx_tr"><td class="ltx_td">gull</td><td class="ltx_td">7</td></tr></table></figure></section>'
    "</article></body></html>"
)
DOCLING = {
    "schema_name": "DoclingDocument",
    "version": "1.10.0",
    "body": {"children": [{"$ref": "#/texts/0"}]},
    "texts": [{"label": "text", "text": "Gulls fly.", "prov": []}],
    "pages": {"1": {"page_no": 1, "size": {"width": 600, "height": 800}}},
}


def test_html_gives_the_files_of_a_paper(command: Command, tmp_path: Path) -> None:
    (tmp_path / "paper.html").write_text(HTML)
    run = command("read", "paper.html", "-o", "out", "--format", "md,json,html,csv,xlsx,referee")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("paper.html: 1 table, 1 heading, 1 paragraph, written to out\n")
    assert "2×2" in run.out
    assert (tmp_path / "out" / "tables" / "table-1.csv").read_text() == "bird,count\ngull,7\n"
    names = {p.name for p in (tmp_path / "out").iterdir()}
    assert names >= {"document.md", "document.json", "document.html", "referee.json", "tables"}


def test_what_was_read_can_be_read_again(command: Command, tmp_path: Path) -> None:
    (tmp_path / "paper.html").write_text(HTML)
    assert command("read", "paper.html", "--quiet").out == ""
    stored = tmp_path / "paper.variorum" / "document.json"
    run = command("read", stored, "-o", "again", "--json")
    assert run.code == 0
    assert json.loads(run.out)["tables"][0]["number"] == "1"
    assert (tmp_path / "again" / "document.json").read_bytes() == stored.read_bytes()


def test_docling_is_recognised(command: Command, tmp_path: Path) -> None:
    (tmp_path / "paper.json").write_text(json.dumps(DOCLING))
    run = command("read", "paper.json", "--format", "md")
    assert (run.code, run.err) == (0, "")
    assert (tmp_path / "paper.variorum" / "document.md").read_text() == "Gulls fly.\n"


def test_pdf_is_read_by_the_engine(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("paper.pdf")
    run = command("read", "paper.pdf", "--format", "json,referee")
    assert (run.code, run.err) == (0, "")
    assert "1 table on 1 page" in run.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("no.html",), 3, "no.html: no such file. To try: check the path"),
        (("words.txt",), 2, "is no source that is known"),
        (("words.txt", "--kind", "ar5iv"), 4, "is no HTML of LaTeXML"),
        (("words.txt", "--kind", "docling"), 4, "not JSON"),
        (("words.txt", "--kind", "word"), 2, "unknown kind of source 'word'"),
        (("other.json",), 4, "neither a DoclingDocument nor a document of variorum"),
        (("failed.html",), 4, "the conversion by LaTeXML failed"),
        (("paper.html", "--format", "report"), 2, "report draws pages"),
        (("paper.html", "--format", "pdf"), 2, "unknown format 'pdf'"),
        (("paper.html", "-o", "words.txt"), 8, "is a file, not a folder"),
    ],
)
def test_fault_is_one_line_and_a_code(
    command: Command, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "words.txt").write_text("words")
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "failed.html").write_text('<html><body><article class="ltx_document"></article></body></html>')
    (tmp_path / "paper.html").write_text(HTML)
    run = command("read", *arguments)
    assert run.code == code
    assert run.out == ""
    assert said in run.err
    assert run.err.count("\n") == 1
    assert "Traceback" not in run.err
