"""Part ``scale`` of bench.fusion: how the time of aligning grows, and what it costs beside reading the PDF.

``components`` strings real components of the corpus' papers together, as LaTeX and as HTML, until there are as many as asked
for, and aligns the two: CPU seconds, the best of three. The exponent is that of the power law through all sizes by least
squares of the logarithms; 1 would be linear.

``longest`` reads the paper with most pages as PDF in a process of its own, then aligns and fuses its three sources in another:
CPU seconds of both, their ratio, and the peak memory of the second, which has read all sources before.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from bench._common import ask_child, text_table
from bench._document_truth import Paper, papers_of
from bench._measure import _peak_mb
from variorum.document import Document
from variorum.fusion.alignment import align
from variorum.fusion.model import Source
from variorum.sources import read_source

SIZES: Final = (250, 500, 1000, 2000, 4000)
RUNS: Final = 3
SECONDS: Final = 3600.0
TENANT: Final = "default"
_RESTS: Final = ("tables", "figures", "bibliography", "citations", "inline_equations")


def measure(corpus: Path, pdf_documents: Path | None = None, only: Sequence[str] = ()) -> dict[str, Any]:
    """Return the CPU seconds by number of components with the fitted exponent, and the figures of the longest paper.

    `only` names another paper than the longest. The PDF is always read anew: its time is what is compared with.
    """
    papers = papers_of(corpus, "papers")
    own = next((p for p in papers if p.name in only), None) or max(papers, key=_page_count)
    return {"components": growth(papers), "longest": beside_the_pdf(own)}


def growth(papers: Sequence[Paper]) -> dict[str, Any]:
    """Return for each size the number of components of both sources and the CPU seconds; ratios of neighbours; the exponent."""
    parts = [_documents(p) for p in papers]
    rows: list[dict[str, Any]] = []
    for size in SIZES:
        sources = strung_together(parts, size)
        seconds = min(_cpu_s(lambda s=sources: align(s)) for _ in range(RUNS))  # type: ignore[misc]
        rows.append({"components": [len(s.document.components) for s in sources], "cpu_s": round(seconds, 3)})
    sizes, times = [r["components"][0] for r in rows], [r["cpu_s"] for r in rows]
    ratios = [round(b / a, 2) for a, b in pairwise(times)]
    return {"rows": rows, "ratios": ratios, "exponent": round(exponent(sizes, times), 2)}


def strung_together(parts: Sequence[tuple[Document, Document]], size: int) -> list[Source]:
    """Return a LaTeX and an HTML source of papers one after the other, cut where the first has this many components."""
    latex, html = _Strung("latex"), _Strung("ar5iv")
    for number, (first, second) in enumerate(_endless(parts)):
        left = size - len(latex.components)
        if left <= 0:
            break
        share = min(1.0, left / len(first.components))
        latex.add(first, number, share)
        html.add(second, number, share)
    return [latex.source(), html.source()]


def _endless(parts: Sequence[tuple[Document, Document]]) -> Iterator[tuple[Document, Document]]:
    while True:
        yield from parts


class _Strung:
    """A document in the making: papers one after the other, each with ids of its own."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.components: list[Any] = []
        self.rest: dict[str, list[Any]] = {
            n: [] for n in ("tables", "figures", "bibliography", "citations", "inline_equations")
        }

    def add(self, document: Document, number: int, share: float) -> None:
        """Add the beginning of a paper: this share of its components, and all that stands in them."""

        def named(name: str) -> str:
            return f"{number}-{name}"

        kept = document.components[: math.ceil(share * len(document.components))]
        targets = {c.target for c in kept if c.target}
        ids = {c.id for c in kept}
        self.components += [replace(c, id=named(c.id), target=named(c.target) if c.target else None) for c in kept]
        self.rest["tables"] += [replace(t, id=named(t.id)) for t in document.tables if t.id in targets]
        self.rest["figures"] += [replace(f, id=named(f.id)) for f in document.figures if f.id in targets]
        self.rest["bibliography"] += [replace(b, id=named(b.id)) for b in document.bibliography if b.id in ids]
        self.rest["citations"] += [
            replace(c, component=named(c.component), targets=tuple(named(t) for t in c.targets if t in ids))
            for c in document.citations
            if c.component in ids
        ]
        self.rest["inline_equations"] += [
            replace(e, component=named(e.component)) for e in document.inline_equations if e.component in ids
        ]

    def source(self) -> Source:
        """Return the source of all papers."""
        parts: dict[str, Any] = {name: tuple(found) for name, found in self.rest.items()}
        document = Document(
            key="strung", source_name="", sha256="", page_count=0, pages=(), components=tuple(self.components), **parts
        )
        return Source(kind=self.kind, name=self.kind, sha256="", document=document)  # type: ignore[arg-type]


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """Return the exponent of the power law through the points by least squares of the logarithms."""
    xs, ys = [math.log(s) for s in sizes], [math.log(t) for t in times]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def _documents(paper: Paper) -> tuple[Document, Document]:
    folder = paper.pdf.parent
    return read_source(folder / "source.tar.gz", "latex"), read_source(folder / "ar5iv.html", "ar5iv")


def _cpu_s(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


# ---- the longest paper ------------------------------------------------------------------------------------------------


def _page_count(paper: Paper) -> int:
    import pymupdf

    with pymupdf.open(paper.pdf) as pdf:
        return int(pdf.page_count)


def beside_the_pdf(paper: Paper) -> dict[str, Any]:
    """Return the CPU seconds of reading a PDF, of aligning and of fusing its paper's sources, their ratio, and peak memory."""
    question = {"question": "read", "pdf": str(paper.pdf), "config": "default"}
    read = ask_child("bench._document_read", question, seconds=SECONDS)
    request = {"folder": str(paper.pdf.parent), "pdf": read["document"]}
    fused = ask_child("bench._fusion_scale", request, seconds=SECONDS)
    return {
        "paper": paper.name,
        "pages": _page_count(paper),
        "pdf_cpu_s": read["cpu_s"],
        **fused,
        "ratio": round((fused["align_cpu_s"] + fused["fuse_cpu_s"]) / read["cpu_s"], 4),
    }


def _fuse(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the CPU seconds of aligning and of fusing the sources of a paper, and the peak memory of this process in MB."""
    from variorum.fusion.fusing import fuse
    from variorum.fusion.tenants import load_tenant

    folder = Path(request["folder"])
    documents = {
        "latex": read_source(folder / "source.tar.gz", "latex"),
        "ar5iv": read_source(folder / "ar5iv.html", "ar5iv"),
        "pdf": Document.from_json(request["pdf"]),
    }
    sources = [Source(kind=k, name=k, sha256=d.sha256, document=d) for k, d in documents.items()]  # type: ignore[arg-type]
    tenant = load_tenant(TENANT)
    start = time.process_time()
    alignment = align(sources)
    aligned = time.process_time()
    fuse(sources, tenant, alignment)
    fused = time.process_time()
    return {
        "components": [len(s.document.components) for s in sources],
        "align_cpu_s": round(aligned - start, 3),
        "fuse_cpu_s": round(fused - aligned, 3),
        "peak_mb": _peak_mb(),
    }


def lines(found: Mapping[str, Any]) -> list[str]:
    """Return the curve, the exponent, and the figures of the longest paper."""
    rows = [(str(r["components"][0]), [r["components"][1], r["cpu_s"]]) for r in found["components"]["rows"]]
    grown, longest = found["components"], found["longest"]
    return [
        text_table("components of LaTeX and HTML, CPU seconds of aligning them", ["html", "cpu_s"], rows),
        f"from each size to the next: {', '.join(map(str, grown['ratios']))}; exponent {grown['exponent']}",
        f"{longest['paper']}, {longest['pages']} pages: PDF {longest['pdf_cpu_s']} s, aligning {longest['align_cpu_s']} s, "
        f"fusing {longest['fuse_cpu_s']} s, ratio {longest['ratio']}, peak {longest['peak_mb']} MB",
    ]


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    Path(asked["answer"]).write_text(json.dumps(_fuse(asked)), encoding="utf-8")
