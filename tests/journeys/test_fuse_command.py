"""``variorum fuse`` from outside: one document of several sources, its record, and one line for what cannot be fused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from journey_words import PACKAGE_PARENT, ROWS, Command, MakePdf

from variorum.document import Document

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "technical-report"
HTML, TEX = EXAMPLE / "report.html", EXAMPLE / "report.tex"
BIRDS = "Gulls fly over the northern coast, as the table says, and they come home at dusk with the fishing boats."


def fusion_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "fusion.json").read_text(encoding="utf-8"))
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_html_and_tex_give_one_document_and_its_record(command: Command, tmp_path: Path) -> None:
    run = command("fuse", "--ar5iv", HTML, "--latex", TEX, "-o", "out")
    assert (run.code, run.err) == (0, "")
    assert "from latex, ar5iv, by the tenant default 1.0, written to out" in run.out
    assert "audit log: out/audit.jsonl" in run.out
    files = contents(tmp_path / "out")
    assert {"document.json", "document.md", "document.html", "fusion.json", "report.html", "audit.jsonl"} <= set(files)
    assert {"readings/latex.json", "readings/ar5iv.json", "tables/table-1.csv"} <= set(files)
    document = Document.from_json(files["document.json"].decode())
    assert document.identity.title == "variorum: reading tables by a vote that is kept"
    assert [t.number for t in document.tables] == ["1", "2", "3", "4", "5"]
    assert str(tmp_path).encode() not in b"".join(files.values())


def test_a_component_is_explained_with_all_its_readings(command: Command) -> None:
    command("fuse", "--ar5iv", HTML, "--latex", TEX, "-o", "out", "-q")
    run = command("explain", "out/fusion.json", "--component", "eq-1")
    assert (run.code, run.err) == (0, "")
    assert "latex, 0.95, before ar5iv, 0.90." in run.out
    assert "latex (eq-1): weight 0.95, score 0.95" in run.out
    missing = command("explain", "out/fusion.json", "--component", "eq-99")
    assert missing.code == 2
    assert "the fusion has no component 'eq-99'" in missing.err


def test_the_same_bytes_whatever_the_order_of_options_and_the_seed_of_hashes(tmp_path: Path) -> None:
    written = []
    sources = [["--ar5iv", str(HTML)], ["--latex", str(TEX)]]
    for seed, pairs in (("0", sources), ("1", sources[::-1])):
        folder = tmp_path / seed
        options = [word for pair in pairs for word in pair]
        subprocess.run(
            [
                sys.executable,
                "-m",
                "variorum.apps.cli.main",
                "fuse",
                *options,
                "-o",
                "out",
                "-q",
                "--tenant",
                "default-dynamic",
            ],
            check=True,
            cwd=_made(folder),
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": PACKAGE_PARENT},
        )
        written.append(contents(folder / "out"))
    assert written[0] == written[1]


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_a_pdf_lends_its_pages_to_the_html(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    pdf = make_pdf("paper.pdf", captions=("Table 1: Effects of the drugs.",))
    rows = "".join('<tr class="ltx_tr">' + "".join(f'<td class="ltx_td">{c}</td>' for c in row) + "</tr>" for row in ROWS)
    (tmp_path / "paper.html").write_text(
        '<!DOCTYPE html><html><body><article class="ltx_document"><div class="ltx_para"><p class="ltx_p">'
        "The text of the page, which is not a table.</p></div>"
        '<figure class="ltx_table"><figcaption class="ltx_caption">Table 1: Effects of the drugs.</figcaption>'
        f'<table class="ltx_tabular">{rows}</table></figure></article></body></html>',
        encoding="utf-8",
    )
    run = command("fuse", "--pdf", pdf, "--ar5iv", "paper.html", "-o", "out", "--json")
    assert (run.code, run.err) == (0, "")
    assert ("place", "pdf") in [(b["attribute"], b["source"]) for b in json.loads(run.out)["borrowed"]]
    (table,) = Document.from_json((tmp_path / "out" / "document.json").read_text(encoding="utf-8")).tables
    assert (table.provenance.source, table.provenance.page_num, table.matrix()) == ("ar5iv", 1, [list(r) for r in ROWS])
    again = command("fuse", "--pdf", "out/readings/pdf.json", "--ar5iv", "paper.html", "-o", "again", "-q")
    assert (again.code, again.err) == (0, "")
    first, second = fusion_of(tmp_path / "out"), fusion_of(tmp_path / "again")
    assert first["decisions"] == second["decisions"]


def test_a_source_of_another_paper_is_refused_unless_forced(command: Command, tmp_path: Path) -> None:
    (tmp_path / "birds.tex").write_text(
        "\\documentclass{article}\\begin{document}\\title{Birds}\\maketitle\\section{Gulls}" + BIRDS + "\\end{document}",
        encoding="utf-8",
    )
    refused = command("fuse", "--ar5iv", HTML, "--latex", "birds.tex", "-o", "out")
    assert refused.code != 0
    assert "is of another paper" in refused.err
    assert "--force" in refused.err
    assert not (tmp_path / "out").exists()
    forced = command("fuse", "--ar5iv", HTML, "--latex", "birds.tex", "-o", "out", "--force", "-q")
    assert forced.code == 0


def test_a_required_source_is_missed_before_anything_is_read(command: Command, tmp_path: Path) -> None:
    (tmp_path / "strict.toml").write_text('version = "1"\ninherits = "default"\nrequired_sources = ["pdf"]\n', encoding="utf-8")
    run = command("fuse", "--ar5iv", "no-such-file.html", "--tenant", "strict.toml")
    assert (run.code, run.err.count("\n")) == (2, 1)
    assert "the tenant strict requires pdf. To try: --pdf PATH" in run.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "no source is given"),
        (("--latex", "none.tex"), 3, "none.tex"),
        (("--ar5iv", HTML, "--tenant", "defult"), 7, "did you mean default?"),
        (("--ar5iv", HTML, "--format", "figures"), 2, "figures are drawn from a PDF"),
        (("--ar5iv", HTML, "--format", "wordd"), 2, "unknown format 'wordd'"),
        (("--pdf", HTML), 4, "report.html"),
    ],
    ids=["nothing", "no file", "tenant", "figures", "format", "no PDF"],
)
def test_a_wrong_call_is_one_line(command: Command, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    run = command("fuse", *arguments, "-o", "out")
    assert (run.code, run.err.count("\n")) == (code, 1)
    assert said in run.err
    assert not (tmp_path / "out").exists()


def test_the_name_of_the_program_in_place_of_its_html_says_how_to_make_it(command: Command) -> None:
    run = command("fuse", "--ar5iv", "latexml", "--latex", TEX, "-o", "out")
    assert run.code == 2
    assert "variorum read " in run.err
    assert "--via latexml -o html, then --ar5iv html/ar5iv.html" in run.err


def test_a_document_of_another_kind_of_source_is_refused(command: Command) -> None:
    command("read", HTML, "-o", "html", "-q")
    run = command("fuse", "--latex", "html/document.json", "-o", "out")
    assert run.code == 2
    assert "holds what was read from ar5iv, not from latex. To try: --ar5iv html/document.json" in run.err


def test_readings_of_an_earlier_run_go_with_their_source(command: Command, tmp_path: Path) -> None:
    command("fuse", "--ar5iv", HTML, "--latex", TEX, "-o", "out", "-q")
    command("fuse", "--ar5iv", HTML, "-o", "out", "-q")
    assert [p.name for p in (tmp_path / "out" / "readings").iterdir()] == ["ar5iv.json"]


def test_tenants_are_listed_and_shown(command: Command, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('version = "2"\ninherits = "default"\n[pdf]\ntable = 0.125\n', encoding="utf-8")
    listed = command("tenants", "--tenants", ".")
    assert listed.out.splitlines()[-1] == "own 2: no signals, inherits from default"
    shown = command("tenants", "own", "--tenants", ".")
    (row,) = [line for line in shown.out.splitlines() if line.startswith("  table")]
    assert row.split()[-1] == "0.125"
    assert "a: from default" in shown.out
    data = json.loads(command("tenants", "own", "--tenants", ".", "--json").out)
    assert data["weights"]["pdf"]["table"] == {"weight": 0.125, "from": "own"}
