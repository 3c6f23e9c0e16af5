"""Claims about readers and any input at all: a document that can be stored comes out, or an error of the family."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutating import mutated
from reading import CORPUS, LANGUAGES, Language, kept, read_input

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


def test_the_kept_inputs_stay_small() -> None:
    assert sum(p.stat().st_size for p in CORPUS.rglob("*") if p.is_file()) < _MAX_CORPUS_BYTES
