"""For any sources: nothing is lost or placed twice, order of sources and runs do not matter, readings are in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fusion.aligned_documents import component, figure, paragraphs, prose, source, table
from variorum.fusion.alignment import align
from variorum.fusion.model import SOURCES, Alignment, Source, SourceKind

KINDS = (
    "title",
    "byline",
    "heading",
    "paragraph",
    "list_item",
    "code",
    "equation",
    "footnote",
    "caption",
    "furniture",
    "bibliography_entry",
)
TEXTS = st.one_of(
    st.integers(1, 12).map(prose),
    st.tuples(st.integers(1, 6), st.integers(1, 6)).map(lambda n: f"{prose(n[0], 8)} <ref-{n[1]}> $x_{n[1]}$ {prose(n[1], 8)}"),
    st.sampled_from(["", "x", "References", "Results", "≥", "1", "a b", "$y$ <>", "E = mc²"]),
    st.text(max_size=12),
)
NUMBERS = st.sampled_from([None, "1", "2", "A.1", "[1]"])


@st.composite
def documents(draw: st.DrawFn, kind: SourceKind) -> Source:
    """Return a source of a few components, tables and figures, in any order and with any text."""
    parts = draw(st.lists(st.tuples(st.sampled_from(KINDS), TEXTS, NUMBERS), max_size=14))
    components = [component(f"{kind}-{n}", k, text, number=number) for n, (k, text, number) in enumerate(parts)]
    captions = st.sampled_from(["", "Table 1: Gulls.", "Figure 2: Terns of the harbour.", "Gulls <ref-1>"])
    words = st.sampled_from(["gulls", "terns", "", "12"])
    rows = st.lists(st.lists(words, min_size=2, max_size=2), max_size=3)
    tables = [table(f"{kind}-t{n}", draw(rows), draw(NUMBERS), draw(captions)) for n in range(draw(st.integers(0, 3)))]
    figures = [figure(f"{kind}-f{n}", draw(NUMBERS), draw(captions), draw(words)) for n in range(draw(st.integers(0, 3)))]
    return source(kind, components, tables=tables, figures=figures)


@st.composite
def papers(draw: st.DrawFn) -> list[Source]:
    """Return one to four sources, in any order."""
    kinds = draw(st.lists(st.sampled_from(SOURCES), unique=True, max_size=len(SOURCES)))
    return [draw(documents(kind)) for kind in kinds]


def placed(alignment: Alignment, sources: Sequence[Source]) -> Counter[tuple[str, str]]:
    """Return how often each component is in a reading, by itself or with its float, or left over."""
    count = Counter(
        (r.source, name) for p in alignment.positions for r in p.readings if r.item is None for name in r.components
    )
    for s in sources:
        for c in s.document.components:
            if c.target is not None and count[s.kind, c.target]:
                count[s.kind, c.id] += 1
    count.update((x.source, x.component) for x in alignment.left_overs if x.kind not in ("citation", "equation_inline"))
    return count


@given(papers())
@settings(max_examples=200, deadline=None)
def test_every_component_is_in_one_reading_or_left_over(sources: list[Source]) -> None:
    alignment = align(sources)
    count = placed(alignment, sources)
    for s in sources:
        document = s.document
        floats = [*(t.id for t in document.tables), *(f.id for f in document.figures)]
        for name in [*(c.id for c in document.components), *floats]:
            assert count[s.kind, name] == 1, (s.kind, name)
    assert sum(count.values()) == sum(
        len(s.document.components) + len(s.document.tables) + len(s.document.figures) for s in sources
    )


@given(papers())
@settings(max_examples=200, deadline=None)
def test_every_citation_and_inline_equation_is_in_one_reading_or_left_over(sources: list[Source]) -> None:
    alignment = align(sources)
    for s in sources:
        for type_, marks in (("citation", s.document.citations), ("equation_inline", s.document.inline_equations)):
            read = [r for p in alignment.positions if p.type == type_ for r in p.readings if r.source == s.kind]
            left = [x for x in alignment.left_overs if x.kind == type_ and x.source == s.kind]
            items = [r.item for r in read]
            assert len(set(items)) == len(items)
            assert len(items) + len(left) == len(marks)
            assert all(r.components == (marks[r.item].component,) for r in read if r.item is not None)


@given(papers())
@settings(max_examples=100, deadline=None)
def test_positions_are_well_formed_and_the_order_given_does_not_matter(sources: list[Source]) -> None:
    alignment = align(sources)
    assert align(sources[::-1]) == alignment
    ids = [p.id for p in alignment.positions]
    assert len(set(ids)) == len(ids)
    order = {(s.kind, c.id): n for s in sources for n, c in enumerate(s.document.components)}
    for position in alignment.positions:
        assert 0 <= position.similarity <= 1
        assert [r.source for r in position.readings] == [k for k in SOURCES if k in {r.source for r in position.readings}]
        assert (position.parent is None) == (position.part != "inline")
        assert position.parent is None or ids.index(position.parent) < ids.index(position.id)
        for reading in position.readings:
            assert reading.components
            known = [order[reading.source, name] for name in reading.components if (reading.source, name) in order]
            assert known == sorted(known)


@given(st.lists(st.integers(1, 60), unique=True, max_size=25), st.lists(st.integers(1, 60), unique=True, max_size=25))
@settings(max_examples=100, deadline=None)
def test_the_same_texts_find_each_other_and_no_others_in_any_order(first: list[int], second: list[int]) -> None:
    alignment = align([source("latex", paragraphs(*first)), source("pdf", paragraphs(*second))])
    shared = {r.components for p in alignment.positions for r in p.readings if len(p.readings) == 2}
    assert shared == {(f"par-{n}",) for n in set(first) & set(second)}
    assert all(p.similarity == 1 for p in alignment.positions)
