"""Claims about readers and any input at all: a document that can be stored comes out, or an error of the family.

What comes out of damaged sources can be aligned, fused and shown.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutating import mutated
from reading import CORPUS, LANGUAGES, Language, kept, read_input

from variorum.document import Document
from variorum.fusion.fusing import fuse
from variorum.fusion.model import Source, SourceKind
from variorum.fusion.tenants import load_tenant
from variorum.report.fusion_html import fusion_report

KINDS: dict[Language, SourceKind] = {"latex": "latex", "html": "ar5iv", "docling": "docling"}
_MAX_CORPUS_BYTES = 200_000


@pytest.mark.parametrize(("language", "name"), [(language, p.name) for language in LANGUAGES for p in kept(language)], ids=str)
def test_a_kept_input_is_read_or_refused(language: Language, name: str, tmp_path: Path) -> None:
    read_input(language, (CORPUS / language / name).read_bytes(), tmp_path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_undamaged_input_is_read(language: Language, tmp_path: Path) -> None:
    whole = [p for p in kept(language) if p.name.startswith("seed-")]
    assert whole
    assert all(read_input(language, p.read_bytes(), tmp_path) is not None for p in whole)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_input_is_read_or_refused(language: Language, tmp_path: Path, data: st.DataObject) -> None:
    whole = [p.read_bytes() for p in kept(language)]
    seed = data.draw(st.sampled_from(whole))
    rng: Random = data.draw(st.randoms(use_true_random=False))
    read_input(language, mutated(language, seed, whole, rng), tmp_path)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_sources_are_fused_and_shown(tmp_path: Path, data: st.DataObject) -> None:
    sources = []
    for language, kind in KINDS.items():
        whole = [p.read_bytes() for p in kept(language)]
        rng: Random = data.draw(st.randoms(use_true_random=False))
        document = read_input(language, mutated(language, data.draw(st.sampled_from(whole)), whole, rng), tmp_path)
        if document is not None:
            sources.append(Source(kind=kind, name=language, sha256=document.sha256, document=document))
    if sources:
        fusion = fuse(sources, load_tenant("default-dynamic"))
        written = fusion.document.to_json()
        assert Document.from_json(written).to_json() == written
        assert fusion_report(fusion).count("<script") == 2


def test_the_kept_inputs_stay_small() -> None:
    assert sum(p.stat().st_size for p in CORPUS.rglob("*") if p.is_file()) < _MAX_CORPUS_BYTES
