"""``variorum fetch``: a paper of arXiv in a folder: its PDF, its LaTeX source, and the HTML that ar5iv made of it.

Beside it only ``variorum fetch-model`` and ``variorum mcp --openalex`` touch the network.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from variorum.apps.cli.console import complain, emit, emit_json, progress_bar
from variorum.apps.writing import refuse_unwritable
from variorum.errors import InputNotFoundError, NetworkError, PartialFailureError, UsageError
from variorum.net.arxiv import ArxivId, PaperFile, fetch_paper, parse_arxiv_id
from variorum.net.polite import PoliteClient


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchCall:
    """One call of ``variorum fetch``, its values as the user typed them."""

    paper: str
    output: Path | None
    force: bool
    arxiv_url: str
    ar5iv_url: str
    pause: float
    as_json: bool
    quiet: bool


def run_fetch(call: FetchCall) -> int:
    """Return the exit code once the paper's files are in its folder.

    A paper without HTML on ar5iv is none the worse (0); where the PDF or the source is missing, or a host failed, it is that of
    PartialFailureError. Raises UsageError for what is no number of arXiv, InputNotFoundError when arXiv has no such paper,
    NetworkError when nothing could be got, OutputError when the folder cannot be written.
    """
    paper = parse_arxiv_id(call.paper)
    if not call.pause >= 0:
        raise UsageError(f"{call.pause} is no time in seconds", where="--pause", hint="--pause 3")
    folder = (call.output or Path()) / paper.folder
    refuse_unwritable(folder)
    client = PoliteClient(pause=call.pause, tell=complain)
    with progress_bar(f"arXiv:{paper}", quiet=call.quiet) as update:
        done = iter(range(len(_NAMES)))

        def on_part(name: str) -> None:
            if update is not None:
                update(next(done), len(_NAMES), name)

        files = fetch_paper(
            paper,
            folder,
            client,
            arxiv_url=call.arxiv_url,
            ar5iv_url=call.ar5iv_url,
            force=call.force,
            on_part=on_part,
        )
    _refuse_nothing(paper, files)
    for file in files:
        if file.state == "failed":
            complain(file.what)
    if call.as_json:
        emit_json({"arxiv": str(paper), "folder": str(folder), "files": [asdict(f) for f in files]})
    elif not call.quiet:
        emit(_summary(paper, folder, files))
    is_whole = all(f.name or (f.part == "ar5iv" and f.state == "absent") for f in files)
    return 0 if is_whole else PartialFailureError.exit_code


_NAMES = {"pdf": "paper.pdf", "source": "source.tar.gz", "ar5iv": "ar5iv.html"}


def _refuse_nothing(paper: ArxivId, files: tuple[PaperFile, ...]) -> None:
    """Raise the error of a call that got nothing: the paper does not exist, or no host answered."""
    if any(f.name for f in files):
        return
    pdf = next(f for f in files if f.part == "pdf")
    if pdf.state == "absent":
        hint = "the number as it stands on the paper's page, with a version that exists"
        raise InputNotFoundError(f"arXiv has no paper {paper}", where=pdf.url, hint=hint)
    first, *others = dict.fromkeys(f.what for f in files if f.state == "failed")
    for what in others:
        complain(what)
    raise NetworkError(first)


def _summary(paper: ArxivId, folder: Path, files: tuple[PaperFile, ...]) -> str:
    lines = [f"arXiv:{paper} → {folder}"]
    for file in files:
        name = file.name or _NAMES[file.part]
        size = f"{file.size / 1e6:.1f} MB" if file.name else "–"
        said = {"fetched": "fetched", "kept": "was there", "absent": "is not there: the host has none", "failed": "is missing"}
        lines.append(f"  {name:<14} {size:>9}  {said[file.state]}")
    made = {f.part: folder / f.name for f in files if f.name and f.name != "source.pdf"}
    if "ar5iv" not in made and "source" in made:
        lines.append(f"  LaTeXML makes the HTML here: variorum read {made['source']} --kind ar5iv --via latexml")
    if any(f.name == "source.pdf" for f in files):
        lines.append("  the authors gave arXiv a PDF and no source")
    return "\n".join(lines)
