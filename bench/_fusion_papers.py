"""Part ``papers`` of bench.fusion: each source alone and their fusion, on the papers of the corpus with PDF, HTML and LaTeX.

Headings (F1, and with the right level), captions (precision and recall by kind and number), references (precision and recall)
by the rules of bench.document; tables by the outside scorer, where no source but the PDF has places: pages and boxes count for
none of the sources, tables are paired by what they hold, and those that the truth has without vouching for them are left out.
What a source has beyond the truth is not counted: the truth lacks tables without a caption, and only boxes could excuse them;
the signs for raised and lowered characters are not compared, since the truth joins them without a mark.

The truth of all of these was made from the same TeX by LaTeXML. So a comparison between `ar5iv` or `latex` and the PDF is
circular: a convention of LaTeXML counts as truth. `CIRCULAR` names the figures for which that is so. Comparisons between the
fusion and each source by one and the same truth show whether fusing loses what a source has.

Where LaTeXML lost something, the truth punishes the sources that have it, and the fusion most of all, which has what any of
them has. So all figures are given twice: by the truth as it stands, and ``as_printed``, where what the TeX has and the page
prints is not counted as invented (`bench._fusion_lost` has the rules).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bench._common import load_referee, text_table
from bench._document_form import scorer_form
from bench._document_latex import latex_truth
from bench._document_measures import text_figures
from bench._document_truth import Paper, Scorers, load_scorers, papers_of
from bench._fusion_lost import as_printed, lost_of, without_accents
from variorum.document import Document
from variorum.fusion.alignment import align
from variorum.fusion.fusing import fuse
from variorum.fusion.model import Source
from variorum.fusion.tenants import load_tenant
from variorum.sources import read_source

Said = Callable[[str], str]
TENANTS: Final = ("default", "default-dynamic")
SOURCES: Final = ("latex", "ar5iv", "pdf")
FIGURES: Final = ("head_f1", "head_level_f1", "cap_p", "cap_r", "cap_text", "ref_p", "ref_r", "title")
TABLES: Final = ("cell", "perfect", "adj_r")
HELD: Final = {
    "headings": ("head_f1", "head_level_f1"),
    "captions": ("cap_p", "cap_r"),
    "tables": ("cell", "perfect", "adj_r"),
    "references": ("ref_p", "ref_r"),
}
"""The figures of each of the four things in which a fusion must not be worse than its best single source."""
CIRCULAR: Final = (
    "the truth of headings, captions, tables and references was made from the TeX by LaTeXML, as ar5iv.html was: between"
    " ar5iv or latex and the PDF these figures compare a source with what was made of itself"
)


def measure(corpus: Path, pdf_documents: Path | None = None, only: Sequence[str] = ()) -> dict[str, Any]:
    """Return the figures of every paper, source and tenant, their means, and where a fusion is below its best source.

    `pdf_documents` is a folder with NAME/document.json of papers whose PDF was read before; others are read anew.
    """
    scorers, referee = load_scorers(corpus), load_referee(corpus)
    truth, bare_truth = all_tables(referee, corpus, unmarked), all_tables(referee, corpus, bare)
    rows: dict[str, dict[str, dict[str, float | None]]] = {}
    printed: dict[str, dict[str, dict[str, float | None]]] = {}
    for paper in papers_of(corpus, "papers"):
        if only and paper.name not in only:
            continue
        documents = dict(readings(paper, pdf_documents))
        rows[paper.name] = {name: figures(scorers, referee, paper, d, truth[paper.name]) for name, d in documents.items()}
        printed[paper.name] = {
            name: rows[paper.name][name] | printed_figures(scorers, referee, paper, d, bare_truth[paper.name])
            for name, d in documents.items()
        }
    means, means_printed = means_of(rows), means_of(printed)
    return {
        "papers": rows,
        "mean": means,
        "below": below(means),
        "as_printed": {
            "papers": {name: changed(rows[name], row) for name, row in printed.items() if row != rows[name]},
            "mean": means_printed,
            "below": below(means_printed),
            "lost_captions": {name: places for name, places in lost_captions(corpus) if name in rows and places},
        },
        "circular": CIRCULAR,
    }


def means_of(rows: Mapping[str, Mapping[str, Mapping[str, float | None]]]) -> dict[str, dict[str, float | None]]:
    """Return the means of all figures over the papers, by source and tenant."""
    return {
        name: {figure: mean([row[name][figure] for row in rows.values()]) for figure in (*FIGURES, *TABLES)}
        for name in (*SOURCES, *TENANTS)
    }


def lost_captions(corpus: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each paper with kind and number of the captions that its truth lost."""
    for paper in papers_of(corpus, "papers"):
        yield paper.name, [" ".join(place) for place in sorted(lost_of(paper.pdf).captions)]


def changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, dict[str, float | None]]:
    """Return the figures of each source and tenant that differ from those before."""
    rows = {name: {k: v for k, v in row.items() if v != before[name][k]} for name, row in now.items()}
    return {name: row for name, row in rows.items() if row}


def readings(paper: Paper, pdf_documents: Path | None) -> Iterator[tuple[str, Document]]:
    """Yield what each source of a paper says alone, then the fused document by each tenant."""
    folder = paper.pdf.parent
    stored = None if pdf_documents is None else pdf_documents / paper.name / "document.json"
    documents = {
        "latex": read_source(folder / "source.tar.gz", "latex"),
        "ar5iv": read_source(folder / "ar5iv.html", "ar5iv"),
        "pdf": read_source(stored, "document") if stored and stored.is_file() else read_source(paper.pdf, "pdf"),
    }
    sources = [Source(kind=k, name=k, sha256=d.sha256, document=d) for k, d in documents.items()]  # type: ignore[arg-type]
    yield from documents.items()
    alignment = align(sources)
    for name in TENANTS:
        yield name, fuse(sources, load_tenant(name), alignment).document


def figures(scorers: Scorers, referee: Any, paper: Paper, document: Document, truth: Any) -> dict[str, float | None]:
    """Return the figures of one document of a paper; None where the truth has nothing to compare.

    Captions of algorithms are left out: the truth has those of tables and figures.
    """
    return {**text_figures(scorers, latex_truth(paper.pdf), _form(document)), **table_figures(referee, document, truth)}


def printed_figures(
    scorers: Scorers, referee: Any, paper: Paper, document: Document, truth: Any
) -> dict[str, float | int | None]:
    """Return the figures of headings, captions and tables where what the truth lost is not counted as invented; the tables of
    this truth are `bare`."""
    return {**as_printed(scorers, paper, _form(document)), **table_figures(referee, document, truth, bare)}


def _form(document: Document) -> dict[str, Any]:
    """Return a document for the scorer: without the captions of algorithms, which the truth has not, and without the citations
    in headings, whose keys are taken out of the titles of the truth as well."""
    bare = {c.id: c for c in document.components if c.kind == "heading"}
    for mark in sorted(document.citations, key=lambda m: -m.start):
        if mark.component in bare:
            own = bare[mark.component]
            bare[mark.component] = replace(own, text=(own.text[: mark.start] + own.text[mark.end :]).strip())
    form = scorer_form(replace(document, components=tuple(bare.get(c.id, c) for c in document.components)))
    form["captions"] = [c for c in form["captions"] if not re.match(r"\W*algorithm", c["text"], re.IGNORECASE)]
    return form


def all_tables(referee: Any, corpus: Path, said: Said) -> dict[str, tuple[list[Any], list[Any]]]:
    """Return for each paper the tables of the truth that are vouched for, and the others; all without their place.

    `said` gives of the text of a cell what is compared.
    """
    found = {}
    for path in sorted((corpus / "papers").glob("*/truth.json")):
        vouched: list[Any] = []
        others: list[Any] = []
        for table in json.loads(path.read_text(encoding="utf-8"))["tables"]:
            cells = [_cell(c, said) for c in table["cells"]]
            (vouched if table["exact"] else others).append(referee.table(1, None, cells, table["id"]))
        found[path.parent.name] = vouched, others
    return found


def _cell(cell: Mapping[str, Any], said: Said) -> tuple[int, int, int, int, str]:
    """Return a cell of the truth as the scorer takes it: first row and column, last row and column, text."""
    row, col = cell["row"], cell["col"]
    return row, col, row + cell["rowspan"] - 1, col + cell["colspan"] - 1, said(cell["text"])


def unmarked(text: str) -> str:
    """Return a text without the signs for raised and lowered characters: ``d_{model}`` is ``dmodel``."""
    return re.sub(r"[_^{}]", "", text)


def bare(text: str) -> str:
    """Return a text without these signs, and without what stands over letters."""
    return without_accents(unmarked(text))


def table_figures(
    referee: Any, document: Document, truth: tuple[list[Any], list[Any]], said: Said = unmarked
) -> dict[str, float | None]:
    """Return the share of cells that stand right, of tables that are right in every cell, and of adjacency relations found."""
    vouched, others = truth
    if not vouched:
        return dict.fromkeys(TABLES)
    tables = [_placeless(t, said) for t in document.to_referee()["tables"]]  # type: ignore[attr-defined]
    everything = [*vouched, *others]
    pairs = referee.match(everything, [referee.predicted(t) for t in tables])
    excused = {j for i, j in pairs.items() if i >= len(vouched)}
    scored = referee.score_doc(vouched, [], [t for j, t in enumerate(tables) if j not in excused])
    cells = sum(t["cells"] for t in scored["tables"])
    right, true, _ = scored["rel"]
    return {
        "cell": sum(t["hits"] for t in scored["tables"]) / cells,
        "perfect": sum(t["perfect"] for t in scored["tables"]) / len(vouched),
        "adj_r": right / true if true else 0.0,
    }


def _placeless(table: Mapping[str, Any], said: Said) -> dict[str, Any]:
    """Return a table for the scorer without place, of its cells what is compared."""
    return {**table, "page": 1, "bbox": None, "rows": [[said(text) for text in row] for row in table["rows"]]}


def below(means: Mapping[str, Mapping[str, float | None]]) -> dict[str, dict[str, list[Any]]]:
    """Return for each tenant the held figures in which it is below its best single source: the source and both values."""
    found: dict[str, dict[str, list[Any]]] = {}
    for tenant in TENANTS:
        for figure in (figure for group in HELD.values() for figure in group):
            best = max(SOURCES, key=lambda s: means[s][figure] or 0.0)
            own, theirs = means[tenant][figure] or 0.0, means[best][figure] or 0.0
            if own < theirs:
                found.setdefault(tenant, {})[figure] = [best, theirs, own]
    return found


def mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of the values that there are, with four digits; None of none."""
    known = [v for v in values if v is not None]
    return round(sum(known) / len(known), 4) if known else None


def lines(found: Mapping[str, Any]) -> list[str]:
    """Return the means as tables, by the truth and as printed, what is below the best source in each, and what is circular."""
    columns = (*FIGURES, *TABLES)
    out = []
    for what, part in (("papers", found), ("as printed", found["as_printed"])):
        rows = [(name, [part["mean"][name][c] for c in columns]) for name in (*SOURCES, *TENANTS)]
        out.append(text_table(f"{what}: {len(found['papers'])}", columns, rows))
        for tenant, figures_below in part["below"].items():
            for figure, (best, theirs, own) in figures_below.items():
                out.append(f"below: {tenant} {figure} {own:.4f}, {best} alone {theirs:.4f}")
    return [*out, f"circular: {found['circular']}"]
