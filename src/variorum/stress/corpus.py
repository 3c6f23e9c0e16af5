"""The papers of a stress test: found in a folder, each with what is known of it, or taken from a library.

In a folder, a folder that holds a paper under a known name (``paper.pdf``) or anything that belongs to one (``truth.json``,
``paper.jats``, ``source.tar.gz`` …) is the folder of that paper; without ``truth.json`` and ``paper.jats`` its ``*.truth.txt``
are the truth. Elsewhere every PDF is a paper, and ``NAME-str.xml`` (ICDAR-2013) or the folder ``NAME.truth`` beside it is its
truth. Nothing is opened here but lists of files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from variorum.errors import InputNotFoundError, UsageError
from variorum.evaluation.calibration_truth import FILES, TRUTH
from variorum.evaluation.truth_text import SUFFIX
from variorum.libraries.model import Library, LibraryItem
from variorum.libraries.profiles import DATABASE
from variorum.suggestions import nearest_name_hint

PAPER: Final = "paper.pdf"
JATS: Final = "paper.jats"
STRUCTURE: Final = "-str.xml"
WORKBENCH: Final = ".truth"
_OF_ONE_PAPER: Final = frozenset({PAPER, JATS, TRUTH, *(name for names in FILES.values() for name in names)})


@dataclass(frozen=True, slots=True, kw_only=True)
class StressPaper:
    """A paper of the test.

    `key` is unique in the test: the path in the corpus (``reports/annual-1``), or the key of the item in a
    library. `short_name` is what people call it. `folder` is where its PDF lies. `truth` is the file that says what is true of
    it (``truth.json``, ``paper.jats``, ``NAME-str.xml``), or the file or folder of true tables that was found or given for it;
    None where nothing is known. `item` is what a library says of it, None for a paper of a folder.
    """

    key: str
    short_name: str
    pdf: Path
    folder: Path
    truth: Path | None = None
    item: LibraryItem | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which a truth or a user may call it: citation key, keys, file, the surest first."""
        item = self.item
        found: list[str] = []
        if item is not None:
            found += [item.citation_key.key] if item.citation_key is not None else []
            found += [item.key, *(a.key for a in item.attachments if a.path == self.pdf)]
        stem = [] if self.pdf.name == PAPER else [self.pdf.stem]
        return tuple(dict.fromkeys((*found, self.key, self.key.rpartition("/")[2], *stem)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The papers that were found, in order of their keys, and what was passed over, each with the reason, as sentences."""

    papers: tuple[StressPaper, ...]
    notices: tuple[str, ...] = ()


# ---- a folder -------------------------------------------------------------------------------------------------------


def papers_of_corpus(corpus: Path) -> Found:
    """Return the papers in a folder and below it; raises InputNotFoundError when there is no such folder, or no PDF in it."""
    if not corpus.is_dir():
        what = "is a file, not a folder" if corpus.exists() else "no such folder"
        raise InputNotFoundError(what, where=str(corpus), hint="a folder of PDFs, or of papers with their truth")
    if (corpus / DATABASE).is_file():
        raise InputNotFoundError("is the folder of a Zotero library", where=str(corpus), hint=f"--zotero {corpus}")
    root = corpus.resolve()
    passed = _PassedOver(root)
    papers = list(_papers_in(root, root, passed))
    if not papers:
        raise InputNotFoundError("no PDF in this folder", where=str(corpus), hint="a folder of PDFs, or of papers with truth")
    return Found(papers=tuple(sorted(papers, key=lambda paper: paper.key)), notices=tuple(passed.told()))


@dataclass(slots=True)
class _PassedOver:
    """Folders below the root in which no paper was looked for, or none was found that belongs to it."""

    root: Path
    closed: list[str] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    libraries: list[str] = field(default_factory=list)

    def name(self, folder: Path) -> str:
        return readable(folder.relative_to(self.root).as_posix())

    def told(self) -> Iterator[str]:
        """Yield what cannot be read, a sentence each, and in one sentence what was passed over on purpose."""
        yield from self.closed
        parts = []
        if self.without:
            count = len(self.without)
            what = f"{count} folders that hold" if count > 1 else "a folder that holds"
            parts.append(f"{what} no {PAPER} ({', '.join(self.without)})")
        if self.libraries:
            what = "Zotero libraries" if len(self.libraries) > 1 else "a Zotero library"
            parts.append(f"{what} ({', '.join(self.libraries)}), to be tested with --zotero")
        if parts:
            yield f"passed over: {', and '.join(parts)}"


def _papers_in(root: Path, folder: Path, passed: _PassedOver) -> Iterator[StressPaper]:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        passed.closed.append(f"{folder}: cannot be read ({error.strerror})")
        return
    if _OF_ONE_PAPER.intersection(names):
        if PAPER in names:
            of_tables = folder if any(name.endswith(SUFFIX) for name in names) else None
            truth = next((folder / name for name in (TRUTH, JATS) if name in names), of_tables)
            yield _paper(root, folder if folder != root else folder / folder.name, folder / PAPER, truth)
        else:
            passed.without.append(passed.name(folder))
        return
    if DATABASE in names:
        passed.libraries.append(passed.name(folder))
        return
    for name in names:
        path = folder / name
        if name.startswith(".") or name.endswith(".variorum"):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _papers_in(root, path, passed)
        elif name.lower().endswith(".pdf") and path.is_file():
            beside = (f"{path.stem}{STRUCTURE}", f"{path.stem}{WORKBENCH}")
            truth = next((folder / name for name in beside if name in names), None)
            yield _paper(root, path.with_suffix(""), path, truth)


def _paper(root: Path, named: Path, pdf: Path, truth: Path | None) -> StressPaper:
    key = named.relative_to(root).as_posix()
    return StressPaper(key=readable(key), short_name=readable(named.name), pdf=pdf, folder=pdf.parent, truth=truth)


def readable(name: str) -> str:
    """Return a file's name as text that can be stored: bytes that are no UTF-8 become a mark."""
    return os.fsencode(name).decode("utf-8", "replace")


# ---- a library ------------------------------------------------------------------------------------------------------


def papers_of_library(library: Library) -> Found:
    """Return a paper for each item that is not in the trash and has a PDF: the first of its PDFs that has a file.

    Raises InputNotFoundError when no item has one.
    """
    notices = list(library.notices)
    papers: list[StressPaper] = []
    keys = [item.key for item in library.active]
    for item in library.active:
        files = [pdf for pdf in item.pdfs if pdf.path is not None]
        key = item.key if keys.count(item.key) == 1 else str(item.ref)
        if files and (path := files[0].path) is not None:
            name = item.citation_key.key if item.citation_key is not None else item.name
            papers.append(StressPaper(key=key, short_name=name or key, pdf=path, folder=path.parent, item=item))
            notices += [f"{key}: {pdf.title or pdf.key} was left out: an item is tested by its first PDF" for pdf in files[1:]]
        elif item.pdfs:
            problem = item.pdfs[0].problem
            notices.append(f"{key}: its PDF has no file ({problem.reason if problem is not None else 'unknown'})")
    if not papers:
        where = str(library.sources[0].path) if library.sources else "library"
        raise InputNotFoundError("no item has a PDF with a file", where=where, hint="variorum library check says why")
    return Found(papers=tuple(sorted(papers, key=lambda paper: paper.key)), notices=tuple(notices))


# ---- what is asked for ----------------------------------------------------------------------------------------------


def chosen(papers: Sequence[StressPaper], keys: Sequence[str] = (), count: int | None = None) -> tuple[StressPaper, ...]:
    """Return the papers that have one of the names (all without names), and of these `count`, spread evenly over their order.

    Raises UsageError for a name that no paper has, or that several have, and for a count below 1.
    """
    if count is not None and count < 1:
        raise UsageError(f"must be at least 1, not {count}", where="--papers", hint="--papers 10")
    wanted = {_named(papers, key).key for key in keys}
    left = [paper for paper in papers if not keys or paper.key in wanted]
    if count is None or count >= len(left):
        return tuple(left)
    return tuple(left[i * len(left) // count] for i in range(count))


def _named(papers: Sequence[StressPaper], name: str) -> StressPaper:
    exact = [paper for paper in papers if paper.key == name]
    found = exact or [paper for paper in papers if name in paper.names]
    if len(found) > 1:
        hint = f"one of {', '.join(paper.key for paper in found)}"
        raise UsageError(f"{name!r} is the name of several papers", where="--item", hint=hint)
    if not found:
        hint = nearest_name_hint(name, [paper.key for paper in papers])
        raise UsageError(f"no paper is called {name!r}", where="--item", hint=hint)
    return found[0]


def with_truths(papers: Sequence[StressPaper], place: Path) -> tuple[StressPaper, ...]:
    """Return the papers, each with the truth that a place holds for it, in place of one found beside it.

    A file is the truth of all papers that it names. In a folder, the truth of a paper is the file or folder that has one of the
    paper's names, with or without ``.truth`` behind it. Raises InputNotFoundError when there is no such place, or when a folder
    has nothing for any of the papers.
    """
    if not place.exists():
        raise InputNotFoundError("no such truth file or folder", where=str(place), hint="check the path")
    if not place.is_dir():
        return tuple(replace(paper, truth=place.resolve()) for paper in papers)
    known = {}
    for path in sorted(place.resolve().iterdir(), reverse=True):
        bare = path.name if path.is_dir() else path.name.removesuffix(STRUCTURE).removesuffix(path.suffix)
        known[bare.removesuffix(WORKBENCH)] = path
    found = [next((known[name] for name in paper.names if name in known), None) for paper in papers]
    if not any(found):
        hint = f"a file or folder called as a paper, such as {papers[0].names[0]}.json" if papers else "check the path"
        raise InputNotFoundError("holds no truth of any of the papers", where=str(place), hint=hint)
    return tuple(paper if truth is None else replace(paper, truth=truth) for paper, truth in zip(papers, found, strict=True))
