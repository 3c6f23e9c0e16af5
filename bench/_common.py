"""What all benches share: where the corpus is, its referee, what ran, and how figures are printed and kept."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
RESULTS = REPOSITORY / "bench" / "results"
PEERS = REPOSITORY / "bench" / "peers.json"
PACKAGES = ("variorum", "pymupdf", "camelot-py", "pdfplumber", "pandas", "numpy", "onnxruntime")
EVERY = 3  # a CI sample is every third name in sorted order: fixed, spread over the corpus, and chosen by nobody


# ---- the corpus -----------------------------------------------------------------------------------------------------


def corpus_folder(option: Path | None = None) -> Path | None:
    """Return the corpus: the option, else $VARIORUM_CORPUS, else ../shared/corpus beside the repository.

    None when it is not there.
    """
    named = os.environ.get("VARIORUM_CORPUS")
    folder = option or (Path(named) if named else REPOSITORY.parent / "shared" / "corpus")
    return folder.resolve() if (folder / "papers").is_dir() else None


def load_referee(corpus: Path) -> Any:
    """Return the scorer module ``score_tables.py`` that lies in ``bench`` beside the corpus.

    Raises FileNotFoundError without it.
    """
    module = load_beside(corpus, "score_tables")
    _remember(module)
    return module


def load_beside(corpus: Path, name: str) -> Any:
    """Return the module of this name that lies in ``bench`` beside the corpus; raises FileNotFoundError without it."""
    path = corpus.parent / "bench" / f"{name}.py"
    if not path.is_file():
        raise FileNotFoundError(f"no scorer at {path}: the corpus comes with a folder bench beside it")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _remember(referee: Any) -> None:
    """Let the scorer keep what it works out of a table: most candidates of a table are equal, and each is scored in turn."""
    predicted, cell_hits = referee.predicted, referee.cell_hits
    tables: dict[str, Any] = {}
    hits: dict[tuple[int, int], tuple[int, object, object]] = {}

    def predicted_once(table: Mapping[str, Any], where: str = "") -> Any:
        key = json.dumps([table.get(name) for name in ("page", "bbox", "rows", "spans")])
        if key not in tables:
            tables[key] = predicted(table, where)
        return tables[key]

    def cell_hits_once(truth: object, read: object) -> int:
        key = (id(truth), id(read))
        if key not in hits:
            hits[key] = (cell_hits(truth, read), truth, read)  # both are kept, so that no other object can have their ids
        return hits[key][0]

    referee.predicted, referee.cell_hits = predicted_once, cell_hits_once


@dataclass(frozen=True, slots=True)
class DataSet:
    """Documents with truth: `truth` as the referee loads it, and of each document the PDF and the files of its truths."""

    name: str
    truth: dict[str, Any]
    pdfs: dict[str, Path]
    truth_files: dict[str, tuple[Path, ...]] = field(default_factory=dict)

    def regions(self, document: str) -> list[dict[str, Any]]:
        """Return the places of the document's truth tables (of its first truth, where it has two) as ``page`` and ``bbox``."""
        return [{"page": t["page"], "bbox": list(t["bbox"])} for t in self.truth[document]["variants"][0]]

    def only(self, names: Sequence[str]) -> DataSet:
        """Return the part with these documents."""
        files = {n: self.truth_files[n] for n in names if n in self.truth_files}
        return DataSet(self.name, {n: self.truth[n] for n in names}, {n: self.pdfs[n] for n in names}, files)

    def graded(self) -> list[str]:
        """Return the names of the documents with at least one truth table, sorted."""
        return sorted(n for n, t in self.truth.items() if any(t["variants"]))


def load_data_sets(corpus: Path, referee: Any) -> list[DataSet]:
    """Return the data sets with table truth: ``papers`` (tables of grade exact) and ``icdar2013-eu``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the referee leaves the closing of its files to Python
        papers = referee.load_papers(str(corpus / "papers"), "exact")
        icdar = referee.load_icdar2013(str(corpus / "icdar2013-eu"))
    # where a document has two truths it has two PDFs (a, b) that are the same
    pdfs = {n: next(p for p in (corpus / "icdar2013-eu" / f"{n}{end}.pdf" for end in ("", "a")) if p.exists()) for n in icdar}
    return [
        DataSet(
            "papers",
            papers,
            {n: corpus / "papers" / n / "paper.pdf" for n in papers},
            {n: (corpus / "papers" / n / "truth.json",) for n in papers},
        ),
        DataSet("icdar2013-eu", icdar, pdfs, {n: tuple(sorted(p.parent.glob(f"{n}*-str.xml"))) for n, p in pdfs.items()}),
    ]


# ---- the command line -----------------------------------------------------------------------------------------------


def parser_for(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options of every bench."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, help="default: $VARIORUM_CORPUS, else ../shared/corpus beside the repository")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures here (default: bench/results/NAME.json)")
    parser.add_argument("--ci", action="store_true", help=f"a fixed small part: every {EVERY}rd document in order of name")
    return parser


def corpus_or_exit(arguments: argparse.Namespace) -> Path:
    """Return the corpus, or end the run with a message and code 3.

    A CI run that measured nothing must not pass for a green one.
    """
    corpus = corpus_folder(arguments.corpus)
    if corpus is None:
        print("bench: the corpus is not there: name it with --corpus or $VARIORUM_CORPUS", file=sys.stderr)
        raise SystemExit(3)
    return corpus


# ---- child processes ------------------------------------------------------------------------------------------------


class ChildFailedError(Exception):
    """A child process ended without an answer; the message says how."""


def ask_child(module: str, request: Mapping[str, Any], *, seconds: float) -> Any:
    """Return what ``python -m MODULE`` answers to the request; raises ChildFailedError when it dies or takes too long.

    A process of its own for each question: it may crash or hang, and what it needs in time and memory is its own. It reads the
    request from stdin and writes the answer to the file that the request names, since libraries print what they like on stdout.
    """
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        try:
            done = subprocess.run(
                [sys.executable, "-m", module],
                input=json.dumps({**request, "answer": str(answer)}),
                cwd=REPOSITORY,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise ChildFailedError(f"no answer after {seconds:.0f} s") from None
        if done.returncode or not answer.exists():
            last = (done.stderr.strip().splitlines() or ["nothing on stderr"])[-1]
            raise ChildFailedError(f"ended with code {done.returncode}: {last}")
        return json.loads(answer.read_text(encoding="utf-8"))


# ---- results --------------------------------------------------------------------------------------------------------


def environment() -> dict[str, Any]:
    """Return what ran: commit (with ``+changes`` where tracked files were changed), Python, platform and package versions."""
    return {
        "commit": _git("rev-parse", "HEAD")
        + ("+changes" if _git("status", "--porcelain", "--untracked-files=no", "--", "src", "bench") else ""),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        if package != "variorum":
            return None
    from variorum import __version__

    return __version__


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Write the figures, one key a line, and say on stderr where they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"written: {path}", file=sys.stderr)


def text_table(title: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[object]]]) -> str:
    """Return a table for the terminal: a title line, the column names, and a line per row; None becomes a dash."""
    body = [(name, [_figure(v) for v in values]) for name, values in rows]
    first = max((len(name) for name, _ in body), default=0)
    widths = [max([len(c), *(len(v[i]) for _, v in body)]) for i, c in enumerate(columns)]
    lines = [title, " " * first + "".join(f"  {c:>{w}}" for c, w in zip(columns, widths, strict=True))]
    lines += [f"{name:<{first}}" + "".join(f"  {v:>{w}}" for v, w in zip(values, widths, strict=True)) for name, values in body]
    return "\n".join(lines)


def _figure(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


# ---- where figures go, and what they are compared with --------------------------------------------------------------


def default_target(options: argparse.Namespace, *, is_part: bool, committed: Path, whole: str) -> Path | None:
    """Return where figures go unless told: nowhere for a part of the corpus or a CI run, which is compared instead.

    `committed` are the figures of CI, written when they are to be accepted; `whole` is the name of the file of all figures.
    """
    if is_part or (options.ci and not options.accept):
        return None
    return committed if options.ci else RESULTS / whole


def committed_results(path: Path, module: str) -> dict[str, Any]:
    """Return the committed figures of a bench; raises SystemExit when there are none."""
    if not path.exists():
        raise SystemExit(f"bench: no committed figures at {path}; to make them: python -m {module} --ci --accept")
    results: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["results"]
    return results
