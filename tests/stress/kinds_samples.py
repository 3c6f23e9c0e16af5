"""A made paper with all that is known of it, a made library, and how faults are planted in copies of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from made_index import HashedWords, Shelf, document, figure, item, text

from tests.document.document_samples import table_of
from variorum.document import Caption, Citation, Document, Section, Table
from variorum.evaluation.calibration_truth import (
    PaperTruth,
    TrueEntry,
    TrueEquation,
    TrueFigure,
    TrueHeading,
    TrueTableCaption,
)
from variorum.evaluation.ground_truth import TruthTable
from variorum.geometry import Box
from variorum.search import Searcher
from variorum.stress.kinds import KINDS
from variorum.stress.model import Assertion, LibrarySubject, PaperSubject, Severity

F = TypeVar("F", bound=Callable[..., Any])

ABSTRACT = (
    "We measured how thick the ice of forty ponds became in one winter. It was thickest where no water flows, and no pond froze"
    " to its ground."
)
ENTRIES = (
    "Ada Frost. How ponds freeze from their edges to the middle. Journal of Cold Waters, 2019.",
    "Bo Thaw. On days without frost and what they do to ice. Annals of Winter, 2021.",
)


def plants(*kinds: str) -> Callable[[F], F]:
    """Return a decorator that says which kinds' faults a test plants; `test_kinds_all_planted` reads it from the source."""
    return lambda test: test


def ice_table(**fields: Any) -> Table:
    """Return the table of the made paper: two header rows, a head over two columns, a row name over two rows."""
    rows = [
        ["Pond", "Ice in mm", None],
        [None, "January", "March"],
        ["Mill pond", "31", "12"],
        ["Goose pond", "27", "9"],
        ["Deep pond", "18", "0"],
    ]
    own = Caption(text="Table 1: Ice by pond and month.", label="Table", number="1", page_num=1, bbox=Box(50, 60, 550, 100))
    known = {"id": "tab-1", "number": "1", "caption": own, "header_rows": 2, "footnotes": ("Deep pond was measured once.",)}
    return table_of(rows, {(0, 0): (2, 1), (0, 1): (1, 2)}, **{**known, **fields})


def pond_paper(*tables: Table) -> Document:
    """Return the made paper, read without a fault."""
    components = (
        text("title-1", "Ponds in winter", "title"),
        text("sec-1", "Abstract", "heading", level=1),
        text("par-1", ABSTRACT),
        text("sec-2", "1 Introduction", "heading", level=1, number="1"),
        text(
            "par-2", "Ponds freeze from the edge [1]. Other waters are known to freeze later than ponds of their size do [2]."
        ),
        text("sec-3", "2 Results", "heading", level=1, number="2"),
        text("par-3", "Most of the ponds that we measured froze in January, and the mill pond was the last of them to thaw."),
        text("cap-1", "Table 1: Ice by pond and month.", "caption", target="tab-1"),
        text("sec-4", "2.1 Days until the thaw", "heading", level=2, number="2.1"),
        text("par-4", "The thaw came late in every pond, and it came latest where the banks are steep and the sun is low."),
        text("eq-1", "d = a + b t", "equation", number="(1)"),
        text("cap-2", "Figure 1: Days until the thaw of each pond.", "caption", target="fig-1"),
        text("sec-5", "References", "heading", level=1),
        *(text(f"ref-{i}", words, "bibliography_entry") for i, words in enumerate(ENTRIES, start=1)),
    )
    names = ["preamble", "abstract", "introduction", "results", "unknown", "references"]
    starts = ["title-1", "sec-1", "sec-2", "sec-3", "sec-4", "sec-5"]
    ids = [c.id for c in components]
    ends = [ids[ids.index(start) - 1] for start in starts[1:]] + [ids[-1]]
    sections = [
        Section(label=name, confidence=1, reason="name", first=a, last=b, heading=a if a.startswith("sec") else None)  # type: ignore[arg-type]
        for name, a, b in zip(names, starts, ends, strict=True)
    ]
    citations = (
        Citation(component="par-2", start=27, end=30, text="[1]", style="numeric", targets=("ref-1",)),
        Citation(component="par-2", start=99, end=102, text="[2]", style="numeric", targets=("ref-2",)),
    )
    return document(
        *components,
        title="Ponds in winter",
        sections=sections,
        tables=tables or (ice_table(),),
        figures=(figure("fig-1", "Figure 1: Days until the thaw of each pond.", "1"),),
        citations=citations,
    )


def pond_truth(**fields: Any) -> PaperTruth:
    """Return all that is known of the made paper."""
    table = replace(TruthTable.from_reading(ice_table()), table_id="T1", caption="Ice by pond and month.", page=0)
    known: dict[str, Any] = {
        "name": "ponds",
        "sha256": "",
        "headings": (
            TrueHeading(level=1, text="Introduction"),
            TrueHeading(level=1, text="Results"),
            TrueHeading(level=2, text="Days until the thaw"),
        ),
        "figures": (TrueFigure(number="1", caption="Days until the thaw of each pond."),),
        "tables": (table,),
        "equations": (TrueEquation(number="1", tex="d = a + b t"),),
        "entries": tuple(TrueEntry(id=f"bib{i}", text=words) for i, words in enumerate(ENTRIES, start=1)),
        "citations": (("bib1",), ("bib2",)),
        "made_from": None,
        "sources": {},
        "title": "Ponds in winter",
        "abstract": ABSTRACT,
        "table_captions": (TrueTableCaption(number="1", caption="Ice by pond and month."),),
        "has_all_tables": True,
    }
    return PaperTruth(**{**known, **fields})


def pond(read: Document | None = None, truth: PaperTruth | None = None, *, is_known: bool = True) -> PaperSubject:
    """Return the made paper as a subject: as it should be read, or as it was."""
    known = (truth or pond_truth()) if is_known else None
    return PaperSubject(key="papers/ponds", short_name="ponds", document=read or pond_paper(), truth=known)


def without(read: Document, *ids: str) -> Document:
    """Return a reading that lacks components; sections that begin or end with one of them shrink to what is left."""
    kept = [c for c in read.components if c.id not in ids]
    names = [c.id for c in read.components]

    def shrunk(section: Section) -> Section | None:
        inside = [n for n in names[names.index(section.first) : names.index(section.last) + 1] if n not in ids]
        head = section.heading if section.heading not in ids else None
        return replace(section, first=inside[0], last=inside[-1], heading=head) if inside else None

    sections = tuple(s for s in map(shrunk, read.sections) if s is not None)
    return replace(read, components=tuple(kept), sections=sections)


def retold(read: Document, name: str, **fields: Any) -> Document:
    """Return a reading in which one component is another."""
    return replace(read, components=tuple(replace(c, **fields) if c.id == name else c for c in read.components))


# ---- a library ------------------------------------------------------------------------------------------------------


def library_papers() -> tuple[PaperSubject, ...]:
    """Return three papers of different words."""
    bees = document(
        text("title-1", "Bees and early flowers", "title"),
        text("sec-1", "1 Methods", "heading", level=1),
        text("par-1", "We counted how many bees came to each of the early flowers on every morning of April and May."),
        text("par-2", "Crocuses were visited by bumblebees alone, and hazel was visited by no insect that we could name."),
        title="Bees and early flowers",
        sections=[Section(label="methods", confidence=1, reason="name", first="title-1", last="par-2", heading="sec-1")],
    )
    bells = document(
        text("title-1", "The sound of cracked bells", "title"),
        text("sec-1", "1 Results", "heading", level=1),
        text("par-1", "A bell with a crack sounds lower than the same bell did before it cracked, and it sounds shorter."),
        text("par-2", "In the winter bells ring higher, whether they are cracked or not, and the ponds near them freeze."),
        text("cap-1", "Figure 1: Pitch of nine bells before and after.", "caption", target="fig-1"),
        title="The sound of cracked bells",
        sections=[Section(label="results", confidence=1, reason="name", first="title-1", last="cap-1", heading="sec-1")],
        figures=(figure("fig-1", "Figure 1: Pitch of nine bells before and after.", "1"),),
    )
    return (
        pond(),
        PaperSubject(key="papers/bees", short_name="bees", document=bees, truth=None),
        PaperSubject(key="papers/bells", short_name="bells", document=bells, truth=None),
    )


OWNERS = {"papers/ponds": ("Frost", 2019), "papers/bees": ("Bloom", 2021), "papers/bells": ("Ring", 2023)}


@contextmanager
def library(
    folder: Path,
    papers: Sequence[PaperSubject] = (),
    indexed: Sequence[Document] = (),
    searcher: Callable[[Searcher], Any] = lambda s: s,
    *,
    vectors: bool = False,
) -> Iterator[LibrarySubject]:
    """Yield papers and an index of them, of other documents in their place where a fault is planted in the index.

    `searcher` is called with the searches of the index and gives those that are judged.
    """
    subjects = tuple(papers or library_papers())
    shelf = Shelf(folder / "index.sqlite", HashedWords())
    contents = indexed or [subject.document for subject in subjects]
    names = {s.document.sha256: s.key for s in subjects}
    pairs = []
    for content in contents:
        key = names.get(content.sha256, content.key)
        author, year = OWNERS.get(key, ("Nobody", 1999))
        pairs.append((item(key, content.identity.title, authors=[author], year=year), content))
    shelf.put(pairs)
    if vectors:
        shelf.embed()
    with shelf.searcher(vectors=vectors) as found:
        yield LibrarySubject(papers=subjects, searcher=searcher(found))


class Bent:
    """Searches that go to others but for the methods that a test bends, given as functions of the searches and arguments."""

    def __init__(self, searcher: Searcher, **bent: Callable[..., Any]) -> None:
        self._searcher = searcher
        self._bent = bent

    def __getattr__(self, name: str) -> Any:
        if name in self._bent:
            return lambda *values, **more: self._bent[name](self._searcher, *values, **more)
        return getattr(self._searcher, name)


# ---- judging --------------------------------------------------------------------------------------------------------


def judged(kind: str, subject: Any) -> list[Assertion]:
    """Return all that a kind says of a subject; it says something, each of another place, all of its kind."""
    own = next(k for k in KINDS if k.name == kind)
    found: list[Assertion] = list(own.check(subject))
    assert found, f"{kind} says nothing"
    assert {a.kind for a in found} == {kind}
    assert len({(a.paper, a.name) for a in found}) == len(found)
    return found


def failed(kind: str, subject: Any) -> list[Assertion]:
    """Return what a kind finds wrong with a subject."""
    return [a for a in judged(kind, subject) if not a.passed]


def the_fault(kind: str, subject: Any, severity: Severity = Severity.MAJOR) -> Assertion:
    """Return the one thing that a kind finds wrong with a subject, which has this severity."""
    found = failed(kind, subject)
    assert len(found) == 1, [f"{a.name}: {a.detail}" for a in found]
    assert found[0].severity is severity
    assert found[0].detail
    return found[0]
