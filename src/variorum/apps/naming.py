"""Names of output: one folder a paper, one file name a table; no two the same, also where capitals do not count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from variorum.apps.output_folder import read_manifest
from variorum.document import Document, Figure, Table
from variorum.document.keys import paper_key

_FOLDER_ENDING = ".variorum"


def table_stems(document: Document) -> list[str]:
    """Return a file name without ending for each table, in order.

    ``table-2`` for the printed number 2, ``table-2-p7`` where several tables have that number, ``table-p7-1`` for the first
    table without a number on page 7.
    """
    return _stems("table", document.tables)


def figure_stems(document: Document) -> list[str]:
    """Return a file name without ending for each figure, in order: ``figure-2``, ``figure-p7-1``, as for tables."""
    return _stems("figure", document.figures)


def figure_files(document: Document) -> dict[str, str]:
    """Return the name of each figure's picture in the output folder, by the figure's id: ``figures/figure-2.png``."""
    return {f.id: f"figures/{stem}.png" for f, stem in zip(document.figures, figure_stems(document), strict=True)}


def _stems(kind: str, items: Sequence[Table | Figure]) -> list[str]:
    numbers = Counter(_safe(item.number).casefold() for item in items if item.number)
    unnumbered: Counter[int] = Counter()
    taken: set[str] = set()
    stems = []
    for item in items:
        page = item.provenance.page_num or 0
        if not (item.number and _safe(item.number)):
            unnumbered[page] += 1
            wanted = f"{kind}-p{page}-{unnumbered[page]}"
        elif numbers[_safe(item.number).casefold()] == 1:
            wanted = f"{kind}-{_safe(item.number)}"
        else:
            wanted = f"{kind}-{_safe(item.number)}-p{page}"
        stems.append(_free(wanted, taken))
    return stems


def table_position(document: Document, table: Table) -> int:
    """Return the 1-based position of the table in the document, as in ``--table '#3'``."""
    return 1 + next(i for i, other in enumerate(document.tables) if other is table)


def _safe(number: str | None) -> str:
    """Return the number with only characters that every file system takes; dots and hyphens inside it stay."""
    return re.sub(r"[^\w.\-]+", "-", number or "").strip(".-")


def _free(wanted: str, taken: set[str]) -> str:
    """Return the name, or the name with a counter when it is taken; it is taken afterwards."""
    name, count = wanted, 1
    while name.casefold() in taken:
        count += 1
        name = f"{wanted}-{count}"
    taken.add(name.casefold())
    return name


def output_folders(inputs: Sequence[tuple[Path, str]], output: Path | None) -> list[Path]:
    """Return the folder for each (PDF, SHA-256): `output` for one input, else ``NAME.variorum`` in it or in the current folder.

    Inputs of the same name get their key as well, and so does a paper whose default folder holds the results of another one.
    """
    if output is not None and len(inputs) == 1:
        return [output]
    parent = output if output is not None else Path()
    stems = Counter(path.stem.casefold() for path, _ in inputs)
    taken: set[str] = set()
    folders = []
    for path, sha256 in inputs:
        stem = path.stem
        if stems[stem.casefold()] > 1 or _holds_another(parent / f"{stem}{_FOLDER_ENDING}", sha256):
            stem = f"{stem}-{paper_key(path, sha256)}"
        folders.append(parent / f"{_free(stem, taken)}{_FOLDER_ENDING}")
    return folders


def _holds_another(folder: Path, sha256: str) -> bool:
    manifest = read_manifest(folder)
    return manifest is not None and manifest.source_sha256 != sha256
