"""What is said of a fused paper as a whole: title and authors, pages, sections, mentions, notices, votes on headings, grade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from variorum.document import Document, Figure, HeadingDecision, Notice, PaperIdentity, Table
from variorum.fusion.composing import Composed
from variorum.fusion.model import Source, SourceKind
from variorum.fusion.naming import mentions_by_source
from variorum.fusion.pieces import fold
from variorum.layout.completeness import assess
from variorum.sources.gathering import Gatherer

Value = TypeVar("Value")


def finished(gatherer: Gatherer, composed: Composed, sources: Sequence[Source], *, sha256: str) -> Document:
    """Return the fused document: pages and votes of the PDF, identity by vote, notices of every source, completeness anew."""
    _close_levels(gatherer)
    paged = next((s.document for s in reversed(sources) if s.document.pages), None)
    whole = gatherer.document(
        source_name=named(sources).name,
        sha256=sha256,
        identity=_identity(gatherer, sources),
        pages=() if paged is None else paged.pages,
        are_citations_linked=True,
    )
    kinds = {c.id: c.kind for c in whole.components}
    document = replace(
        whole,
        page_count=0 if paged is None else paged.page_count,
        config={"sources": [s.kind for s in sources]},
        citations=composed.citations,
        inline_equations=composed.equations,
        mentions=mentions_by_source(whole, sources, composed.names),
        headings=tuple(h for s in sources for h in _votes(s, composed, kinds)),
        notices=tuple(n for s in sources for n in _notices(s, composed)),
        incomplete=tuple(f"{s.kind}: {what}" for s in sources for what in s.document.incomplete),
        completeness=None,
    )
    return replace(document, completeness=assess(document, {}, uncounted=_doubtful(document, composed, len(sources))))


def _doubtful(document: Document, composed: Composed, n_sources: int) -> set[str]:
    """Return the floats that one source alone holds, which is not trusted with them, while two others know nothing of them."""
    found = set()
    floats: list[Table | Figure] = [*document.tables, *document.figures]
    for item in floats:
        holding = {source for (source, _), name in composed.names.items() if name == item.id}
        if item.provenance.confidence is None and len(holding) == 1 and n_sources - len(holding) > 1:
            found.add(item.id)
    return found


def _close_levels(gatherer: Gatherer) -> None:
    """Let the levels of headings count from 1 without gaps: TeX's names of levels leave some out, depths do not."""
    used = sorted({c.level for c in gatherer.components if c.kind == "heading" and c.level is not None})
    depth = {level: i for i, level in enumerate(used, start=1)}
    gatherer.components[:] = [
        replace(c, level=depth[c.level]) if c.kind == "heading" and c.level is not None else c for c in gatherer.components
    ]


def named(sources: Sequence[Source]) -> Source:
    """Return the source whose name and key the fused document takes: the PDF, else the first."""
    return next((s for s in sources if s.kind == "pdf"), sources[0])


def paper_key_of(sources: Sequence[Source]) -> str:
    """Return the key of the paper."""
    return named(sources).document.key


def _identity(gatherer: Gatherer, sources: Sequence[Source]) -> PaperIdentity:
    """Return title, authors and identifiers, each that of most sources; ties fall to the order of `SOURCES`."""
    known = [s.document.identity for s in sources]
    fused = next((c.text for c in gatherer.components if c.kind == "title"), "")
    title = most_said([i.title for i in known if i.title], fold)
    return PaperIdentity(
        title=title or fused,
        authors=most_said([i.authors for i in known if i.authors], lambda names: tuple(map(fold, names))) or (),
        doi=most_said([i.doi for i in known if i.doi], fold),
        arxiv_id=most_said([i.arxiv_id for i in known if i.arxiv_id], fold),
    )


def most_said(values: Sequence[Value], key: Callable[[Value], Hashable]) -> Value | None:
    """Return the first of the values that most of them agree on by their keys; None of none."""
    counts = Counter(map(key, values))
    return max(values, key=lambda v: counts[key(v)], default=None)


def _votes(source: Source, composed: Composed, kinds: Mapping[str, str]) -> list[HeadingDecision]:
    """Return a source's votes on headings: those rejected, and those accepted that are headings of the fused document."""
    found = []
    for decision in source.document.headings:
        if decision.component is None:
            found.append(decision)
        elif kinds.get(name := composed.names.get((source.kind, decision.component), "")) in ("heading", "title"):
            found.append(replace(decision, component=name))
    return found


def _notices(source: Source, composed: Composed) -> list[Notice]:
    """Return the notices of a source, which name it and the components of the fused document."""
    kind: SourceKind = source.kind
    return [
        replace(n, what=f"{kind}: {n.what}", component=composed.names.get((kind, n.component or "")))
        for n in source.document.notices
    ]
