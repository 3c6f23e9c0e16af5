"""Measure what a search finds: of abstracts with relevance judgements, and of papers with questions whose answers are known.

scifact   5,183 abstracts and 300 claims with judgements (Wadden et al. 2020, https://doi.org/10.18653/v1/2020.emnlp-main.609):
          nDCG@10 and Recall@10 by words, by vectors, and by both. Each abstract goes the way of a paper: chunks, words,
            vectors
papers    the questions of bench/search_queries.json, written for this bench, over papers of the corpus: Recall@1 and Recall@5
          of tables, figures and passages, each searched for among its kind in all papers at hand

python -m bench.search                          everything; writes bench/results/search.json
python -m bench.search papers --reuse FOLDER    reads no PDF anew: takes FOLDER/NAME/document.json, as bench.document --keep
                                                writes them. Papers that are not there are left out, with their questions, and
                                                named in the result
python -m bench.search --keep FOLDER            keeps the indexes and the vectors; the next run with it makes nothing twice
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench._common import REPOSITORY, RESULTS, corpus_or_exit, environment, parser_for, write_json
from bench._search_index import build, model_or_exit, plain_document
from variorum.document import Document
from variorum.search.filters import Filters
from variorum.search.found import Hit, Mode
from variorum.search.kept_vectors import KeptVectors
from variorum.search.retrieval import Searcher
from variorum.search.store import open_index

PARTS: Final = ("scifact", "papers")
MODES: Final[tuple[Mode, ...]] = ("words", "vectors", "hybrid")
QUERIES: Final = REPOSITORY / "bench" / "search_queries.json"
_DEPTH: Final = 10
_NEAR: Final = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    options = _options(arguments)
    corpus = corpus_or_exit(options)
    model = model_or_exit()
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as made:
        folder = options.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        embedder = KeptVectors(model, folder / "vectors.sqlite")
        if "scifact" in options.parts:
            figures["scifact"] = scifact(corpus / "scifact", folder / "scifact.sqlite", embedder)
        if "papers" in options.parts:
            figures["papers"] = papers(corpus / "papers", options.reuse, folder / "papers.sqlite", embedder)
    print(json.dumps(figures, indent=1))
    target = options.json or (RESULTS / "search.json" if set(options.parts) == set(PARTS) else None)
    if target is not None:
        write_json(target, {"environment": environment(), "model": model.identity.id, **figures})
    return 0


def _options(arguments: Sequence[str] | None) -> Namespace:
    parser = parser_for(__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="default: all")
    parser.add_argument("--reuse", type=Path, metavar="FOLDER", help="readings of papers, FOLDER/NAME/document.json")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the indexes and the vectors stay")
    options = parser.parse_args(arguments)
    options.parts = options.parts or list(PARTS)
    return options


# ---- abstracts with judgements --------------------------------------------------------------------------------------


def scifact(place: Path, index: Path, embedder: KeptVectors) -> dict[str, Any]:
    """Return nDCG@10 and Recall@10 over all claims with a judgement, by mode."""
    abstracts = [json.loads(line) for line in (place / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    made = build(index, ((a["id"], plain_document(a["id"], a["title"], a["text"])) for a in abstracts), embedder)
    relevant = _judgements(place / "qrels.tsv")
    claims = [json.loads(line) for line in (place / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    asked = {claim["id"]: claim["text"] for claim in claims if claim["id"] in relevant}
    with open_index(index) as opened:
        searcher = Searcher(opened, embedder)
        scores: dict[str, dict[str, float]] = {mode: _ranking_scores(searcher, asked, relevant, mode) for mode in MODES}
        scores |= {f"{mode} by topic": _ranking_scores(searcher, asked, relevant, mode, topic=True) for mode in MODES}
    return {"index": made, "claims": len(asked), "scores": scores}


def _judgements(path: Path) -> dict[str, dict[str, int]]:
    """Return the grades of the relevant abstracts, by claim."""
    found: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        claim, abstract, grade = line.split("\t")
        if grade.isdigit() and int(grade) > 0:
            found.setdefault(claim, {})[abstract] = int(grade)
    return found


def _ranking_scores(
    searcher: Searcher,
    asked: Mapping[str, str],
    relevant: Mapping[str, Mapping[str, int]],
    mode: Mode,
    *,
    topic: bool = False,
) -> dict[str, float]:
    gains, recalls = [], []
    for claim, text in asked.items():
        ask = searcher.search_topic if topic else searcher.search
        found = [paper.item.key for paper in ask(text, limit=_DEPTH, by=mode).papers]
        gains.append(ndcg(found, relevant[claim]))
        recalls.append(sum(key in relevant[claim] for key in found) / len(relevant[claim]))
    return {"ndcg@10": round(sum(gains) / len(gains), 4), "recall@10": round(sum(recalls) / len(recalls), 4)}


def ndcg(found: Sequence[str], relevant: Mapping[str, int], depth: int = _DEPTH) -> float:
    """Return the normalised discounted cumulative gain of the first `depth` (Järvelin and Kekäläinen 2002)."""

    def gain(grades: Sequence[int]) -> float:
        return sum(grade / math.log2(place + 2) for place, grade in enumerate(grades[:depth]))

    best = gain(sorted(relevant.values(), reverse=True))
    return gain([relevant.get(key, 0) for key in found]) / best if best else 0.0


# ---- papers with questions ------------------------------------------------------------------------------------------


def papers(place: Path, reuse: Path | None, index: Path, embedder: KeptVectors) -> dict[str, Any]:
    """Return Recall@1 and Recall@5 of the questions, by kind and mode, and what was not found in the first five by both."""
    queries = json.loads(QUERIES.read_text(encoding="utf-8"))["queries"]
    made = build(index, _readings(place, reuse, {q["paper"] for q in queries}), embedder)
    with open_index(index) as opened:
        held = {key for (key,) in opened.connection.execute("SELECT key FROM items")}
        asked = [query for query in queries if query["paper"] in held]
        searcher = Searcher(opened, embedder)
        found = {mode: [_place_of(searcher, query, mode) for query in asked] for mode in MODES}
    kinds = sorted({query["kind"] for query in asked})
    return {
        "index": made,
        "questions": len(asked),
        "left_out": sorted({query["paper"] for query in queries} - held),
        "scores": {mode: {kind: _recalls(asked, found[mode], kind) for kind in kinds} for mode in MODES},
        "missed": [
            {**{k: v for k, v in query.items() if k != "has"}, "place": place}
            for query, place in zip(asked, found["hybrid"], strict=True)
            if place is None or place > _NEAR
        ],
    }


def _readings(place: Path, reuse: Path | None, wanted: set[str]) -> Iterator[tuple[str, Document]]:
    """Yield the papers: those that were read before, or those that are asked about, read now."""
    if reuse is not None:
        for path in sorted(reuse.glob("*/document.json")):
            yield path.parent.name, Document.from_json(path.read_text(encoding="utf-8"))
        return
    from variorum import extract

    for name in sorted(wanted):
        print(f"reading {name}", file=sys.stderr)
        yield name, extract(place / name / "paper.pdf")


def _place_of(searcher: Searcher, query: Mapping[str, str], mode: Mode) -> int | None:
    """Return the place, from 1, of the first hit that answers a question; None beyond the first ten."""
    question = query["question"]
    match query["kind"]:
        case "table":
            answer = searcher.search_tables(question, limit=_DEPTH, by=mode)
        case "figure":
            answer = searcher.search_figures(question, limit=_DEPTH, by=mode)
        case _:
            answer = searcher.search(question, Filters(kinds=("passage",)), limit=_DEPTH, hits_a_paper=_DEPTH, by=mode)
    papers_of = {hit.chunk: paper.item.key for paper in answer.papers for hit in paper.hits}
    fits = (i for i, hit in enumerate(answer.hits, start=1) if papers_of[hit.chunk] == query["paper"] and _answers(hit, query))
    return next((place for place in fits if place <= _DEPTH), None)


def _answers(hit: Hit, query: Mapping[str, str]) -> bool:
    if query["kind"] == "passage":
        return query["has"].casefold() in hit.text.casefold()
    return hit.number == query["number"]


def _recalls(asked: Sequence[Mapping[str, str]], places: Sequence[int | None], kind: str) -> dict[str, float | int]:
    own = [place for query, place in zip(asked, places, strict=True) if query["kind"] == kind]
    within = {depth: sum(place is not None and place <= depth for place in own) / len(own) for depth in (1, _NEAR)}
    return {"questions": len(own), **{f"recall@{depth}": round(share, 4) for depth, share in within.items()}}


if __name__ == "__main__":
    sys.exit(main())
