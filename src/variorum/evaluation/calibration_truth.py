"""What is known of a paper for a calibration: its ``truth.json`` by type, and which source the truth was made from.

A folder a paper: ``truth.json`` beside ``paper.pdf``, ``ar5iv.html``, ``source.tar.gz`` (or a folder ``latex``) and
``docling.json``, as many of them as there are. Keys of the truth, all optional: ``title``, ``abstract``, ``sections``
(``level``, ``title``), ``figures`` (``number``, ``caption``), ``tables`` (as `variorum.evaluation.truth_files` reads them),
``equations`` (``number``, ``latex``), ``bibliography`` (``id``, ``text``), ``citations`` (``refs``: ids of the bibliography).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from variorum.document.keys import file_sha256
from variorum.errors import DamagedInputError, InputNotFoundError, SchemaError
from variorum.evaluation.ground_truth import TruthTable, load_truth
from variorum.fusion.model import SourceKind

TRUTH: Final = "truth.json"
FILES: Final[Mapping[SourceKind, tuple[str, ...]]] = {
    "latex": ("source.tar.gz", "latex"),
    "ar5iv": ("ar5iv.html",),
    "docling": ("docling.json",),
    "pdf": ("paper.pdf",),
}
"""Names under which the sources of a paper lie in its folder, the first that is there."""

_LEVELS: Final = ("section", "subsection", "subsubsection", "paragraph", "subparagraph")
_LIKE_A_SECTION: Final = ("appendix",)
_USABLE_CHARACTERS: Final = 20
"""A shorter entry of a truth's bibliography is the rest of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueHeading:
    """A heading: its level from 1, its text without number."""

    level: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueFigure:
    """A figure: its printed number and its caption without label."""

    number: str
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueTableCaption:
    """The caption of one or several tables: its printed number, empty where none is known, and its text without label."""

    number: str
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOver:
    """A table that is in the paper and not in the truth: its number, page from 1 and shape, as far as they are known."""

    number: str = ""
    page: int = 0
    n_rows: int = 0
    n_cols: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueEquation:
    """A numbered display equation: its number without brackets, and its TeX."""

    number: str
    tex: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueEntry:
    """An entry of the references: its id in the truth and its text; title, year and DOI where the truth has them apart."""

    id: str
    text: str
    title: str = ""
    year: str = ""
    doi: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTruth:
    """What is known of one paper; empty where the truth says nothing. `citations` are the ids of the entries each cites.

    `made_from` is the source whose own ids the truth has, None where it shares ids with none. `sources` maps each source that
    is there to its file or folder.

    `unverified` are the ids of those tables of which the truth itself says that they may be wrong. `has_all_tables` says that
    the paper has no table that is in neither `tables` nor `passed_over`. `cited_in_tables` are those of the `citations`, one by
    one, that stand in cells of tables.
    """

    name: str
    sha256: str
    headings: tuple[TrueHeading, ...]
    figures: tuple[TrueFigure, ...]
    tables: tuple[TruthTable, ...]
    equations: tuple[TrueEquation, ...]
    entries: tuple[TrueEntry, ...]
    citations: tuple[tuple[str, ...], ...]
    made_from: SourceKind | None
    sources: Mapping[SourceKind, Path]
    title: str = ""
    abstract: str = ""
    table_captions: tuple[TrueTableCaption, ...] = ()
    cited_in_tables: tuple[str, ...] = ()
    unverified: frozenset[str] = frozenset()
    passed_over: tuple[PassedOver, ...] = ()
    has_all_tables: bool = False


def papers_in(corpus: str | Path) -> tuple[Path, ...]:
    """Return the folders of a corpus that hold a ``truth.json``, in order of name.

    Raises InputNotFoundError when there is no such folder, or none with a truth in it.
    """
    folder = Path(corpus)
    if not folder.is_dir():
        raise InputNotFoundError("no such folder", where=str(folder), hint="a folder with a folder for each paper")
    found = tuple(sorted(path.parent for path in folder.glob(f"*/{TRUTH}")))
    if not found:
        raise InputNotFoundError(f"holds no paper with a {TRUTH}", where=str(folder), hint=f"CORPUS/PAPER/{TRUTH}")
    return found


def truth_of(folder: Path) -> PaperTruth:
    """Return what is known of the paper in a folder.

    Raises DamagedInputError when the truth is no JSON, SchemaError with the path to what has the wrong form.
    """
    file = folder / TRUTH
    data = _json(file)
    where = f"{file}: "
    sources = {kind: path for kind, names in FILES.items() if (path := _first(folder, names)) is not None}
    entries = tuple(
        TrueEntry(id=_text(e, "id", at), text=text)
        for e, at in _items(data, "bibliography", where)
        if len(text := _text(e, "text", at)) > _USABLE_CHARACTERS
    )
    return PaperTruth(
        name=folder.name,
        sha256=file_sha256(file),
        headings=_headings(data, where),
        figures=tuple(
            TrueFigure(number=number, caption=_text(f, "caption", at))
            for f, at in _items(data, "figures", where)
            if (number := last_number(_text(f, "number", at)))
        ),
        tables=load_truth(file) if "tables" in data else (),
        equations=tuple(
            TrueEquation(number=number, tex=_text(e, "latex", at))
            for e, at in _items(data, "equations", where)
            if (number := _text(e, "number", at).strip("()[] ."))
        ),
        entries=entries,
        citations=_citations(data, where),
        made_from=_made_from(data, sources),
        sources=sources,
        title=_text(data, "title", str(file)),
        abstract=_text(data, "abstract", str(file)),
    )


def last_number(label: str) -> str:
    """Return the number of a printed label (``Figure S1:`` is ``S1``); empty for a panel (``(a)``) and for none."""
    last = (label.split() or [""])[-1].rstrip(".:|").upper()
    return "" if last.startswith("(") else last


def _headings(data: Mapping[str, Any], where: str) -> tuple[TrueHeading, ...]:
    """Return the headings with their level among those that the paper uses, those of abstract and references left out."""
    named = [(_text(s, "level", at), _text(s, "title", at).strip()) for s, at in _items(data, "sections", where)]
    named = [(_LEVELS[0] if level in _LIKE_A_SECTION else level, title) for level, title in named]
    named = [(level, title) for level, title in named if level in _LEVELS and title]
    used = sorted({_LEVELS.index(level) for level, _ in named})
    return tuple(TrueHeading(level=used.index(_LEVELS.index(level)) + 1, text=title) for level, title in named)


def _citations(data: Mapping[str, Any], where: str) -> tuple[tuple[str, ...], ...]:
    """Return what each citation cites, in order."""
    found = []
    for item, at in _items(data, "citations", where):
        refs = item.get("refs", [])
        if not isinstance(refs, list) or not all(isinstance(ref, str) for ref in refs):
            raise SchemaError("must be a list of ids", where=f"{at}.refs")
        found.append(tuple(refs))
    return tuple(found)


def _made_from(data: Mapping[str, Any], sources: Mapping[SourceKind, Path]) -> SourceKind | None:
    """Return the source that has all ids of the truth: LaTeXML's HTML names what it holds, and a truth made by it as well."""
    ids = [str(item["id"]) for key in ("tables", "bibliography") for item, _ in _items(data, key, "") if "id" in item]
    if not ids or "ar5iv" not in sources:
        return None
    try:
        page = sources["ar5iv"].read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    named = set(re.findall(r"""\bid=["']([^"']+)["']""", page))
    return "ar5iv" if named.issuperset(ids) else None


def _first(folder: Path, names: tuple[str, ...]) -> Path | None:
    return next((folder / name for name in names if (folder / name).exists()), None)


def _json(file: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputNotFoundError(
            f"cannot be read ({error.strerror or error})", where=str(file), hint="check permissions"
        ) from None
    except (ValueError, RecursionError) as error:
        raise DamagedInputError(f"is not JSON ({error})", where=str(file), hint="the truth of one paper") from None
    if not isinstance(data, dict):
        raise SchemaError("must be an object", where=str(file), hint="sections, figures, tables …: lists, all optional")
    return data


def _items(data: Mapping[str, Any], key: str, where: str) -> list[tuple[Mapping[str, Any], str]]:
    """Return the objects of a list in the truth, each with the path to it; none where the truth has no such list."""
    value = data.get(key, [])
    if not isinstance(value, list):
        raise SchemaError("must be a list", where=f"{where}{key}")
    for at, item in enumerate(value):
        if not isinstance(item, dict):
            raise SchemaError("must be an object", where=f"{where}{key}[{at}]")
    return [(item, f"{where}{key}[{at}]") for at, item in enumerate(value)]


def _text(item: Mapping[str, Any], key: str, where: str) -> str:
    value = item.get(key) or ""
    if not isinstance(value, str):
        raise SchemaError("must be text", where=f"{where}.{key}")
    return value
