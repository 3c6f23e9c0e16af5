"""Part ``alignment`` of bench.fusion: which components of several sources of one paper are found at common positions.

For each pair of sources and each type: how many components each has, and how many of them share a position. ``groups`` counts
the positions of the text in order (title, headings, paragraphs, formulas) of a pair aligned alone whose two readings are alike
by 0.8 or more: the figure of the first trials, before there was any code. What only one source has is counted by source and
type, what is left over by source and kind. Every component must be in one reading or left over: ``unplaced`` counts what is
not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from bench._common import text_table
from bench._document_truth import papers_of
from variorum.fusion.alignment import align
from variorum.fusion.model import Alignment, Source
from variorum.sources import read_source

ALIKE: Final = 0.8
TYPES: Final = ("heading", "paragraph", "equation_display", "equation_inline", "table", "figure", "citation", "bibliography")
FLOW: Final = ("title", "byline", "heading", "paragraph", "list_item", "equation", "code")
_SHOWN: Final = 60


def measure(corpus: Path, pdf_documents: Path | None = None, only: Sequence[str] = ()) -> dict[str, Any]:
    """Return the figures of every paper, and the sums over the papers with LaTeX, HTML and PDF.

    `pdf_documents` is a folder with NAME/document.json of papers: PDFs are read from there and not anew, and a paper that has
    none there is measured without its PDF, as its `sources` say.
    """
    found = {}
    for name, sources in _all_papers(corpus, pdf_documents, only):
        found[name] = figures_of(sources)
    three = [row for row in found.values() if row["sources"] == ["latex", "ar5iv", "pdf"]]
    return {"papers": found, "of_three_sources": len(three), "sum": _summed(three)}


def figures_of(sources: Sequence[Source]) -> dict[str, Any]:
    """Return the figures of one paper."""
    alignment = align(sources)
    kinds: list[str] = [s.kind for s in sources]
    sole = [p for p in alignment.positions if len(p.readings) == 1]
    return {
        "sources": kinds,
        "positions": len(alignment.positions),
        "pairs": {
            f"{a.first}-{a.second}": {
                b.type: [b.shared_of_first, b.of_first, b.shared_of_second, b.of_second]
                for b in alignment.agreements
                if (b.first, b.second) == (a.first, a.second)
            }
            for a in alignment.agreements
        },
        "groups": {f"{a.kind}-{b.kind}": _groups(a, b) for a, b in combinations(sources, 2)},
        "sole": {k: dict(sorted(Counter(p.type for p in sole if p.readings[0].source == k).items())) for k in kinds},
        "sole_texts": list(_sole_lines(alignment, sources))[:_SHOWN],
        "left_over": dict(sorted(Counter(f"{x.source}: {x.kind}" for x in alignment.left_overs).items())),
        "unplaced": unplaced(alignment, sources),
    }


def unplaced(alignment: Alignment, sources: Sequence[Source]) -> int:
    """Return how many components of the text, tables and figures are neither in a reading nor left over, or are in two."""
    count = Counter(
        (r.source, name) for p in alignment.positions for r in p.readings if r.item is None for name in r.components
    )
    count.update((x.source, x.component) for x in alignment.left_overs if x.kind not in ("citation", "equation_inline"))
    wrong = 0
    for source in sources:
        document = source.document
        floats = {t.id for t in document.tables} | {f.id for f in document.figures}
        texts = {c.id for c in document.components if c.target not in floats or c.kind not in ("table", "figure", "caption")}
        wrong += sum(count[source.kind, name] != 1 for name in floats | texts)
    return wrong


def _groups(one: Source, other: Source) -> list[int]:
    """Return how many positions of the text in order are alike, and how many components of it each of the two sources has."""
    alignment = align([one, other])
    shared = [p for p in alignment.positions if p.part in ("front", "flow") and len(p.readings) > 1]
    sizes = [
        sum(
            c.kind in ("title", "byline", "heading", "paragraph", "list_item", "equation", "code")
            for c in s.document.components
        )
        for s in (one, other)
    ]
    return [sum(p.similarity >= ALIKE for p in shared), *sizes]


def _sole_lines(alignment: Alignment, sources: Sequence[Source]) -> Iterator[str]:
    """Yield what only one source has, without inline items: source, type, and the beginning of the text."""
    texts = {(s.kind, c.id): c.text for s in sources for c in s.document.components}
    for s in sources:
        texts |= {(s.kind, t.id): t.caption.text if t.caption else "" for t in s.document.tables}
        texts |= {(s.kind, f.id): f.caption.text if f.caption else "" for f in s.document.figures}
    for position in alignment.positions:
        if len(position.readings) == 1 and position.part != "inline":
            reading = position.readings[0]
            text = " ".join(texts[reading.source, name] for name in reading.components)
            yield f"{reading.source} {position.type} {', '.join(reading.components)}: {text[:_SHOWN]}"


def _summed(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, list[int]]]:
    total: dict[str, dict[str, list[int]]] = {}
    for row in rows:
        for pair, types in row["pairs"].items():
            for type_, values in types.items():
                own = total.setdefault(pair, {}).setdefault(type_, [0] * len(values))
                total[pair][type_] = [a + b for a, b in zip(own, values, strict=True)]
    return total


def _all_papers(corpus: Path, pdf_documents: Path | None, only: Sequence[str]) -> Iterator[tuple[str, list[Source]]]:
    """Yield the papers with three or four sources, and those with LaTeX and HTML alone, each with its sources in order."""
    for folder in sorted(p for p in (corpus / "three-sources").iterdir() if p.is_dir()):
        if not only or folder.name in only:
            paths = {"latex": "latex", "ar5iv": "ar5iv.html", "docling": "docling.json", "pdf": "paper.pdf"}
            present = {kind: folder / name for kind, name in paths.items() if (folder / name).exists()}
            yield folder.name, _sources(folder.name, present, pdf_documents)
    for paper in papers_of(corpus, "papers"):
        if not only or paper.name in only:
            own = paper.pdf.parent
            paths_of = {"latex": own / "source.tar.gz", "ar5iv": own / "ar5iv.html", "pdf": paper.pdf}
            yield paper.name, _sources(paper.name, paths_of, pdf_documents)


def _sources(name: str, paths: Mapping[str, Path], pdf_documents: Path | None) -> list[Source]:
    found = []
    for kind, path in paths.items():
        stored = pdf_documents / name / "document.json" if kind == "pdf" and pdf_documents else None
        if stored is not None and not stored.is_file():
            continue
        document = read_source(path, kind) if stored is None else read_source(stored, "document")
        found.append(Source(kind=kind, name=path.name, sha256=document.sha256, document=document))  # type: ignore[arg-type]
    return found


def lines(found: Mapping[str, Any]) -> list[str]:
    """Return the figures as tables: of the paper with most sources in full, of the others the sums, and what is not shared."""
    out = []
    for name, row in found["papers"].items():
        if len(row["sources"]) > 3:
            out.append(text_table(f"{name}: shared of all, of the first and the second source", TYPES, _rows(row["pairs"])))
            out.append("groups alike by 0.8, of components: " + "; ".join(_fraction(p, g) for p, g in row["groups"].items()))
            out += [f"  only in {line}" for line in row["sole_texts"]]
            out.append("  left over: " + ", ".join(f"{n} {what}" for what, n in row["left_over"].items()))
    if found["sum"]:
        title = f"{found['of_three_sources']} papers with LaTeX, HTML and PDF"
        out.append(text_table(title, TYPES, _rows(found["sum"])))
    columns = ["positions", "sole", "left over", "unplaced"]
    rows = [
        (n, [r["positions"], sum(sum(t.values()) for t in r["sole"].values()), sum(r["left_over"].values()), r["unplaced"]])
        for n, r in found["papers"].items()
    ]
    return [*out, text_table("papers", columns, rows)]


def _rows(pairs: Mapping[str, Mapping[str, Sequence[int]]]) -> list[tuple[str, list[str | None]]]:
    return [(pair, [_shared(types[t]) if t in types else None for t in TYPES]) for pair, types in pairs.items()]


def _shared(values: Sequence[int]) -> str:
    return f"{values[0]}/{values[1]} {values[2]}/{values[3]}"


def _fraction(pair: str, group: Sequence[int]) -> str:
    return f"{pair} {group[0]} of {group[1]}/{group[2]}"
