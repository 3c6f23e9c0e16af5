"""Claims about planted faults: each does what it says and nothing else, and leaves a document that can be stored."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from paper_sources import document_of, fused, source, table_decision

from bench._fusion_planting import broken_tex, foreign_table, merged_rows, shuffled_sections, with_table, without_table
from variorum.document import Document, Table
from variorum.fusion.model import SourceKind

SEEDS = range(8)
OTHER = "table: Table 9: Ships. | port, ships | Oban, 3 | Ayr, 8"


def table(line: str = "table: Table 1: Gulls. | island, gulls | Foula, 12 | Unst, 31 | Yell, 5") -> Table:
    return replace(document_of("latex", (line,), {}).tables[0], header_rows=1)


def stored(document: Document) -> Document:
    return Document.from_json(document.to_json())


def words_of(found: Table) -> list[str]:
    return sorted(word for row in found.matrix() for text in row for word in text.split())


@pytest.mark.parametrize("seed", SEEDS)
def test_merged_rows_lose_rows_and_no_word(seed: int) -> None:
    merged = merged_rows(table(), Random(seed))
    assert merged is not None
    assert merged.n_rows < table().n_rows
    assert words_of(merged) == words_of(table())
    assert merged.matrix()[0] == table().matrix()[0], "the head stays"


def test_a_table_with_one_row_cannot_be_merged() -> None:
    assert merged_rows(table("table: Table 1: Gulls. | island, gulls | Foula, 12"), Random(1)) is None


def test_another_table_stands_under_the_caption_of_the_first() -> None:
    other = table(OTHER)
    foreign = foreign_table(table(), [table(), other], Random(1))
    assert foreign is not None
    assert foreign.matrix() == other.matrix()
    assert (foreign.id, foreign.caption, foreign.number) == (table().id, table().caption, table().number)


def test_a_lost_table_leaves_no_trace() -> None:
    document = source("latex").document
    name = document.tables[0].id
    left = stored(without_table(document, name))
    assert left.tables == ()
    assert [c.id for c in left.components if c.target == name] == []


@pytest.mark.parametrize("seed", SEEDS)
def test_shuffled_sections_are_the_same_components_in_another_order(seed: int) -> None:
    document = source("latex").document
    shuffled = shuffled_sections(document, Random(seed))
    assert shuffled is not None
    names = [c.id for c in stored(shuffled).components]
    assert names != [c.id for c in document.components]
    assert sorted(names) == sorted(c.id for c in document.components)
    assert shuffled.components[-1] == document.components[-1], "the references stay behind"


@pytest.mark.parametrize("seed", SEEDS)
def test_broken_tex_leaves_tex_in_the_text_and_marks_where_they_belong(seed: int) -> None:
    document = source("latex").document
    cited = document.citations[0].component
    broken = broken_tex(document, [cited], Random(seed))
    assert broken is not None
    texts = {c.id: c.text for c in stored(broken).components}
    assert any(sign in texts[cited] for sign in "\\$")
    assert [c.text for c in broken.citations] == [c.text for c in document.citations]


@pytest.mark.parametrize("kind", ["latex", "ar5iv", "pdf"])
def test_a_damaged_table_is_not_followed(kind: SourceKind) -> None:
    sources = [source("latex"), source("ar5iv"), source("pdf")]
    damaged = next(s for s in sources if s.kind == kind)
    broken = merged_rows(damaged.document.tables[0], Random(3))
    assert broken is not None
    spoilt = replace(damaged, document=with_table(damaged.document, broken))
    fusion = fused(*(spoilt if s.kind == kind else s for s in sources), tenant="default-dynamic")
    assert table_decision(fusion).winner != kind
