"""What is known of a paper of the stress test, from whatever says it: ``truth.json``, JATS, ICDAR-2013, tables a person wrote.

Limits of a truth are told by what it says itself: a table that it does not call exact is unverified, an entry of the references
without text is none, a caption that it gives to two tables is the caption of neither for sure. Nothing is known by name.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from variorum.document.keys import file_sha256
from variorum.evaluation.calibration_truth import (
    TRUTH,
    PaperTruth,
    PassedOver,
    TrueEntry,
    TrueTableCaption,
    last_number,
    truth_of,
)
from variorum.evaluation.pairing import truth_of_paper
from variorum.evaluation.truth_files import load_truth
from variorum.evaluation.truth_table import TruthTable
from variorum.stress.corpus import STRUCTURE, StressPaper
from variorum.stress.jats import read_jats

_ANY: Final = "any"
_JATS: Final = ".jats"


def truth_for(paper: StressPaper) -> PaperTruth | None:
    """Return what is known of a paper of the test; None where nothing is.

    Raises the errors of `truth_of`, `load_truth` and `read_jats`, each with the file and the place of the fault.
    """
    truth = _known(paper)
    return None if truth is None else replace(truth, sources={**truth.sources, "pdf": paper.pdf})


def _known(paper: StressPaper) -> PaperTruth | None:
    file = paper.truth
    if file is None:
        return _of_item(paper)
    if file.name == TRUTH and file.parent == paper.folder:
        return _of_folder(paper, file)
    if file.suffix.lower() == _JATS:
        return read_jats(file, paper.short_name)
    tables = truth_of_paper(load_truth(file, grade=_ANY), *paper.names)
    return replace(
        _of_item(paper) or _nothing(paper.short_name),
        sha256=file_sha256(file) if file.is_file() else "",
        tables=tables,
        table_captions=_captions_of(tables),
        has_all_tables=file.name.endswith(STRUCTURE),
    )


def _nothing(name: str) -> PaperTruth:
    """Return the truth of which nothing is known."""
    return PaperTruth(
        name=name,
        sha256="",
        headings=(),
        figures=(),
        tables=(),
        equations=(),
        entries=(),
        citations=(),
        made_from=None,
        sources={},
    )


def _of_item(paper: StressPaper) -> PaperTruth | None:
    """Return what the library says of a paper: title and abstract."""
    item = paper.item
    if item is None or not item.abstract.strip():
        return None
    return replace(_nothing(paper.short_name), title=item.plain_title, abstract=item.abstract)


# ---- truth.json -----------------------------------------------------------------------------------------------------


def _of_folder(paper: StressPaper, file: Path) -> PaperTruth:
    known = truth_of(file.parent)
    data: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8-sig"))
    if "tables" not in data:
        return known
    items = [item for item in data["tables"] if isinstance(item, dict)]
    tables = load_truth(file, grade=_ANY)
    shared = _shared_captions(items)
    return replace(
        known,
        tables=tuple(replace(t, caption="") if t.caption in shared else t for t in tables),
        table_captions=_captions_in(items) or _captions_of(tables),
        unverified=frozenset(str(item["id"]) for item in items if "id" in item and item.get("exact", True) is not True),
        passed_over=tuple(_passed_over(data)),
        entries=_each_alone(known.entries),
        cited_in_tables=tuple(_cited_in_cells(data, tables)),
        has_all_tables=True,
    )


def _shared_captions(items: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Return the captions that the truth gives to tables on several pages: a float stands on one, so it mistook some."""
    pairs = {(str(item["caption"]), item.get("page")) for item in items if item.get("caption") and item.get("page")}
    counts = Counter(caption for caption, _ in pairs)
    return frozenset(caption for caption, count in counts.items() if count > 1)


def _captions_in(items: Sequence[Mapping[str, Any]]) -> tuple[TrueTableCaption, ...]:
    """Return the captions of the tables with their printed numbers; panels of one table share one."""
    found = [
        TrueTableCaption(
            number=last_number(str(item.get("number_in_pdf") or item.get("number") or "")), caption=str(item["caption"])
        )
        for item in items
        if item.get("caption")
    ]
    return tuple(dict.fromkeys(found))


def _captions_of(tables: Sequence[TruthTable]) -> tuple[TrueTableCaption, ...]:
    return tuple(dict.fromkeys(TrueTableCaption(number="", caption=t.caption) for t in tables if t.caption))


def _each_alone(entries: Sequence[TrueEntry]) -> tuple[TrueEntry, ...]:
    """Return the entries of the references without the entries after them, where the text of one runs on to the list's end."""
    texts = [entry.text for entry in entries]
    bare = [text.removesuffix(after).rstrip() or text for text, after in zip(texts, [*texts[1:], ""], strict=False)]
    return tuple(replace(entry, text=text) for entry, text in zip(entries, bare, strict=True))


def _cited_in_cells(data: Mapping[str, Any], tables: Sequence[TruthTable]) -> Iterator[str]:
    """Yield the entries that cells of the tables cite: citations whose mark stands in a cell, as often as it does."""
    cells = Counter[str]()
    marks = [(" ".join(str(item.get("text") or "").split()), item.get("refs") or []) for item in data.get("citations", [])]
    for mark in {mark for mark, _ in marks if mark}:
        cells[mark] = sum(mark in cell.text for table in tables for cell in table.cells())
    for mark, refs in marks:
        if cells[mark] > 0:
            cells[mark] -= 1
            yield from refs


def _passed_over(data: Mapping[str, Any]) -> Iterator[PassedOver]:
    """Yield the tables that the maker of the truth met and did not take."""
    for key in ("rejected_tables", "skipped_tabulars"):
        listed = data.get(key)
        for item in listed if isinstance(listed, list) else ():
            yield PassedOver(
                number=last_number(str(item.get("number_in_pdf") or item.get("number") or "")),
                page=_whole(item.get("page")),
                n_rows=_whole(item.get("n_rows", item.get("rows"))),
                n_cols=_whole(item.get("n_cols", item.get("cols"))),
            )


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
