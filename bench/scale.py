"""Measure searches of a large index: CPU time beside a plain FTS5 query, memory, size; and Chroma beside exact comparison.

The index has 100,000 chunks in 2,000 papers: texts of the abstracts of SciFact, a sentence exchanged for one of another, and
their vectors with noise, drawn by a fixed seed. The questions are SciFact's claims; their vectors are made beforehand.

    queries   median and 95th percentile of the CPU time of a search, without filter and with three, as ratios to the median
              of a plain FTS5 query (the same words, BM25, ten rows) in the same process; and that median in milliseconds
    memory    peak resident size of a process that searches so, in MB and as a ratio to one that only asks FTS5
    size      bytes of the index a chunk, and as a ratio to a file with a plain FTS5 table of the same texts
    chroma    10,000 chunks: the store of vectors alone, exact and Chroma in a folder; how many of the 200 nearest Chroma finds

python -m bench.scale                   everything; writes bench/results/scale.json
python -m bench.scale --keep FOLDER     keeps the indexes and vectors; with the folder of bench.search --keep no text is
                                        embedded twice
python -m bench.scale --chunks 20000    a smaller index; writes nothing unless --json names a file
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench._common import RESULTS, ask_child, corpus_or_exit, environment, parser_for, text_table, write_json
from bench._scale_index import CHUNKS_A_PAPER, Source, make_large, plain_table_bytes
from bench._search_index import build, model_or_exit, plain_document
from variorum.search.kept_vectors import KeptVectors
from variorum.search.store import index_size

CHUNKS: Final = 100_000
CHROMA_CHUNKS: Final = 10_000
QUESTIONS: Final = 60
FILTERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "no filter": {},
    "half of the years": {"year_from": 2010},
    "a tag of one in ten": {"tags": ("tag3",)},
    "an author of one in 200": {"authors": ("Author7",)},
}
_MODES: Final = ("words", "vectors", "hybrid")
_PATIENCE_S: Final = 3600.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    options = _options(arguments)
    corpus = corpus_or_exit(options) / "scifact"
    model = model_or_exit()
    with tempfile.TemporaryDirectory() as made:
        folder = options.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        embedder = KeptVectors(model, folder / "vectors.sqlite")
        source = _source(corpus, folder, embedder)
        questions = _questions(corpus, embedder)
        figures = {
            "queries": _large(folder / f"scale-{options.chunks}.sqlite", source, options.chunks, questions),
            "chroma": _chroma(folder / f"scale-{CHROMA_CHUNKS}.sqlite", source, questions, Path(made)),
        }
    print(_shown(figures))
    target = options.json or (RESULTS / "scale.json" if options.chunks == CHUNKS else None)
    if target is not None:
        write_json(target, {"environment": environment(), "model": model.identity.id, "questions": QUESTIONS, **figures})
    return 0


def _options(arguments: Sequence[str] | None) -> Namespace:
    parser = parser_for(__doc__)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the indexes and the vectors stay")
    parser.add_argument("--chunks", type=int, default=CHUNKS, metavar="N", help=f"of the large index (default: {CHUNKS})")
    options = parser.parse_args(arguments)
    if options.chunks < CHUNKS_A_PAPER:
        parser.error(f"--chunks: at least {CHUNKS_A_PAPER}, the chunks of one paper")
    return options


def _source(corpus: Path, folder: Path, embedder: KeptVectors) -> Path:
    """Return the index of the abstracts, made where it is not there yet."""
    abstracts = [json.loads(line) for line in (corpus / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    build(folder / "scifact.sqlite", ((a["id"], plain_document(a["id"], a["title"], a["text"])) for a in abstracts), embedder)
    return folder / "scifact.sqlite"


def _questions(corpus: Path, embedder: KeptVectors) -> dict[str, list[float]]:
    """Return the first claims with their vectors."""
    lines = (corpus / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines[:QUESTIONS]]
    return {text: vector.tolist() for text, vector in zip(texts, embedder.embed(texts), strict=True)}


def _made(path: Path, source: Path, chunks: int) -> None:
    """Return None once there is a large index at the path, made beside it first: a broken-off run leaves none."""
    if not path.exists():
        new = path.with_suffix(".new")
        for file in path.parent.glob(f"{new.name}*"):
            file.unlink()
        make_large(new, Source(source), chunks)
        new.rename(path)


# ---- the large index ------------------------------------------------------------------------------------------------


def _large(path: Path, source: Path, chunks: int, questions: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    _made(path, source, chunks)
    request: dict[str, Any] = {"index": str(path), "questions": questions, "chroma": None}
    plain = _asked({**request, "mode": "words", "filters": {}})
    modes = {}
    for mode in _MODES:
        print(f"asking by {mode}", file=sys.stderr)
        found = _asked({**request, "mode": mode, "filters": FILTERS})
        base = statistics.median(found["plain"])
        modes[mode] = {
            "plain_ms": _ms(base),
            **{name: _ratios(found[name], base) for name in FILTERS},
            "peak_mb": found["peak_mb"],
            "peak_ratio": round(found["peak_mb"] / plain["peak_mb"], 2),
        }
    with tempfile.TemporaryDirectory() as made:
        table = plain_table_bytes(path, Path(made) / "plain.sqlite")
    size = index_size(path)
    return {
        "chunks": chunks,
        "papers": chunks // CHUNKS_A_PAPER,
        "modes": modes,
        "plain_peak_mb": plain["peak_mb"],
        "size": {
            "index_bytes_a_chunk": round(size / chunks),
            "plain_table_bytes_a_chunk": round(table / chunks),
            "ratio": round(size / table, 2),
        },
    }


def _ratios(seconds: Sequence[float], base: float) -> dict[str, float]:
    return {"p50": round(statistics.median(seconds) / base, 2), "p95": round(_p95(seconds) / base, 2)}


def _p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 2)


def _asked(request: Mapping[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = ask_child("bench._scale_queries", request, seconds=_PATIENCE_S)
    return answer


# ---- Chroma beside exact comparison ---------------------------------------------------------------------------------


def _chroma(path: Path, source: Path, questions: Mapping[str, Sequence[float]], scratch: Path) -> dict[str, Any]:
    """Return what each store takes for the nearest 200, on the same index, and how many of the exact ones Chroma finds."""
    print("Chroma beside exact comparison", file=sys.stderr)
    _made(path, source, CHROMA_CHUNKS)
    folder = scratch / "chroma"
    request: dict[str, Any] = {"index": str(path), "questions": questions, "mode": None, "filters": FILTERS}
    start = time.perf_counter()
    exact = _asked({**request, "chroma": None})
    filling = _asked({**request, "chroma": str(folder), "filters": {}})
    chroma = _asked({**request, "chroma": str(folder)})
    figures: dict[str, Any] = {"chunks": CHROMA_CHUNKS, "made_in_cpu_s": round(filling["first_s"], 1)}
    for name, found in (("exact", exact), ("chroma", chroma)):
        base = statistics.median(found["plain"])
        figures[name] = {
            **{name: {"p50_ms": _ms(statistics.median(found[name])), **_ratios(found[name], base)} for name in FILTERS},
            "opened_in_cpu_s": round(found["first_s"], 2),
            "peak_mb": found["peak_mb"],
        }
    figures["found_of_the_nearest_200"] = {name: _shared(exact[f"{name} ids"], chroma[f"{name} ids"]) for name in FILTERS}
    figures["folder_bytes_a_chunk"] = round(sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / CHROMA_CHUNKS)
    print(f"done in {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return figures


def _shared(exact: Sequence[Sequence[int]], found: Sequence[Sequence[int]]) -> dict[str, float]:
    shares = [len(set(a) & set(b)) / len(a) for a, b in zip(exact, found, strict=True) if a]
    return {"mean": round(statistics.mean(shares), 4), "least": round(min(shares), 4)}


def _shown(figures: Mapping[str, Any]) -> str:
    large, chroma = figures["queries"], figures["chroma"]
    columns = [f"{name} {what}" for name in FILTERS for what in ("p50", "p95")]
    rows = [
        (mode, [found[name][what] for name in FILTERS for what in ("p50", "p95")]) for mode, found in large["modes"].items()
    ]
    title = f"{large['chunks']} chunks: CPU time of a search, as a ratio to a plain FTS5 query"
    rest = {key: value for key, value in large.items() if key != "modes"}
    return "\n".join((text_table(title, columns, rows), json.dumps(rest), json.dumps(chroma, indent=1)))


if __name__ == "__main__":
    sys.exit(main())
