"""Claims about Docling run here: what is missing is named, what it makes is read as a stored document, its scores are kept.

Docling itself is not installed for tests: packages of its name and shape stand in for it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import textwrap
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from docling_json import stored, text

from variorum.apps.cli.main import main
from variorum.errors import DamagedInputError, DependencyError, InputNotFoundError
from variorum.sources import read_source
from variorum.sources.docling_live import read_with_docling

Installed = Callable[[str], None]
DOCUMENT = stored(
    text("section_header", "Birds of the Coast"), text("section_header", "1 Introduction"), text("text", "Gulls.")
)
CONVERTER = """
    import json, os
    from types import SimpleNamespace as Some

    class DocumentConverter:
        def convert(self, source, raises_on_error=True):
            assert os.environ["HF_HUB_OFFLINE"] == "1"
            assert not raises_on_error
            made = json.loads({document!r})
            document = Some(export_to_dict=lambda: made)
            return Some(document=document, {more})
"""
GOOD = "status='success', errors=[]"
SCORES = (
    "status='partial_success', errors=[Some(error_message='page 2 is blank')], confidence=Some(pages={first}: "
    "Some(ocr_score=float('nan'), table_score=None, layout_score=0.5, parse_score=0.25, mean_grade=Some(value='poor'))}})"
)


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    """Return a file that begins as a PDF does."""
    path = tmp_path / "paper.pdf"
    path.write_bytes(b"%PDF-1.4\n%%EOF\n")
    return path


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Installed]:
    """Return what makes a package docling whose module `document_converter` is the given text."""
    monkeypatch.delenv("DOCLING_ARTIFACTS_PATH", raising=False)
    before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "docling"}
    for name in before:
        del sys.modules[name]

    def install(code: str) -> None:
        folder = tmp_path / "packages" / "docling"
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("")
        (folder / "document_converter.py").write_text(textwrap.dedent(code))
        monkeypatch.syspath_prepend(folder.parent)

    yield install
    for name in [name for name in sys.modules if name.partition(".")[0] == "docling"]:
        del sys.modules[name]
    sys.modules.update(before)


def converter(more: str = GOOD) -> str:
    return CONVERTER.format(document=json.dumps(DOCUMENT), more=more)


def test_what_docling_makes_is_read_as_a_stored_document(installed: Installed, pdf: Path) -> None:
    installed(converter())
    document = read_source(pdf, "docling")
    assert [(c.kind, c.text) for c in document.components] == [
        ("title", "Birds of the Coast"),
        ("heading", "1 Introduction"),
        ("paragraph", "Gulls."),
    ]
    assert document.source_name == "paper.pdf"
    assert document.sha256 == hashlib.sha256(pdf.read_bytes()).hexdigest()
    assert {c.provenance.confidence for c in document.components} == {None}
    assert "HF_HUB_OFFLINE" not in os.environ


@pytest.mark.parametrize("first", [0, 1])
def test_scores_of_a_page_are_the_confidence_of_what_stands_on_it(installed: Installed, pdf: Path, first: int) -> None:
    installed(converter(SCORES.format(first="{" + str(first))))
    document = read_source(pdf, "docling")
    assert {c.provenance.confidence for c in document.components} == {0.375}
    assert [(n.what, n.page_num) for n in document.notices][-2:] == [
        ("Docling: page 2 is blank", None),
        ("Docling calls its own reading of this page poor", 1),
    ]
    document.to_json()


def test_command_reads_a_pdf_with_docling(installed: Installed, pdf: Path, tmp_path: Path) -> None:
    installed(converter())
    assert main(["read", str(pdf), "--kind", "docling", "-q", "-o", str(tmp_path / "out")]) == 0
    assert "Gulls." in (tmp_path / "out" / "document.md").read_text()


def test_docling_slim_without_torch_says_what_it_lacks(installed: Installed, pdf: Path) -> None:
    """Release 2.143 of docling-slim has the converter, whose import ends in this error."""
    installed("raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')")
    with pytest.raises(DependencyError, match="Docling is installed without torch") as caught:
        read_with_docling(pdf)
    assert "docling-slim" in caught.value.hint
    assert "variorum read paper.json" in caught.value.hint


def test_docling_that_is_not_installed_is_named(installed: Installed, pdf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(sys, "path_importer_cache", {})
    with pytest.raises(DependencyError, match="Docling is not installed"):
        read_with_docling(pdf)


def test_package_of_that_name_without_a_converter_is_no_docling(installed: Installed, pdf: Path) -> None:
    installed("")
    with pytest.raises(DependencyError, match="Docling cannot be imported"):
        read_with_docling(pdf)


@pytest.mark.parametrize(
    "raised",
    [
        "FileNotFoundError(\"Missing safe tensors file: '/models/model.safetensors'\")",
        "RuntimeError('Cannot find the snapshot folder, and outgoing traffic has been disabled')",
    ],
)
def test_absent_models_are_no_fault_of_the_file(installed: Installed, pdf: Path, raised: str) -> None:
    installed(f"class DocumentConverter:\n    def convert(self, *_, **__):\n        raise {raised}\n")
    with pytest.raises(DependencyError, match="Docling's models are not here") as caught:
        read_with_docling(pdf)
    assert "DOCLING_ARTIFACTS_PATH" in caught.value.hint


def test_folder_of_models_that_is_not_there_is_named(
    installed: Installed, pdf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(converter())
    monkeypatch.setenv("DOCLING_ARTIFACTS_PATH", str(tmp_path / "nowhere"))
    with pytest.raises(DependencyError, match="names no folder"):
        read_with_docling(pdf)


@pytest.mark.parametrize("more", ["status='failure', errors=[Some(error_message='it is torn')]", "status='skipped'"])
def test_file_that_docling_cannot_read_is_damaged(installed: Installed, pdf: Path, more: str) -> None:
    installed(converter(more))
    with pytest.raises(DamagedInputError, match="Docling cannot read it"):
        read_with_docling(pdf)


def test_fault_within_docling_is_an_error_of_the_family(installed: Installed, pdf: Path) -> None:
    installed(
        "class DocumentConverter:\n    def convert(self, *_, **__):\n        raise ZeroDivisionError('division by zero')\n"
    )
    with pytest.raises(DamagedInputError, match=r"Docling cannot read it \(division by zero\)"):
        read_with_docling(pdf)


def test_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputNotFoundError):
        read_with_docling(tmp_path / "none.pdf")
