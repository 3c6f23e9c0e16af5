"""Searches for tables and figures: by caption, and of tables by the words of their heads and rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from variorum.document import Caption, Figure, Table
from variorum.search import Answer
from variorum.stress.kinds.captions_read import bare_caption
from variorum.stress.kinds.saying import Judge, called, quoted
from variorum.stress.kinds.texts_of_all import distinct_papers, is_of, plain, words_of
from variorum.stress.model import Assertion, Kind, LibrarySubject, PaperSubject, Severity

FIRST: Final = 5
"""Tables or figures among which the one must be whose caption is asked for: panels and parts share captions, and papers of one
field have captions that differ in a word."""
FIRST_BY_WORDS: Final = 10
"""Tables among which the one must be whose heads and row names are asked for: tables of one paper have them in common."""
WORDS: Final = 12
"""Words of such a question: as many as a person would type, and some."""
_LEAST_WORDS: Final = 3
"""Words of a caption, without label and number, that is asked for: by fewer no table can be told."""
_LEAST_NAMES: Final = 4
"""Names of rows and columns that are asked for: they are no sentence, and many tables have some in common."""


def table_recall(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for each table with a caption whether the caption finds it, or one under the same caption, near the top."""
    for paper in distinct_papers(subject):
        judge = Judge(TABLE, Severity.MAJOR, paper.key)
        for table in _proper(paper):
            caption = table.caption
            if caption is not None and len(words_of(bare_caption(caption))) >= _LEAST_WORDS:
                answer = subject.searcher.search_tables(caption.text, limit=FIRST)
                twins = {other.id for other in paper.document.tables if _is_same(other.caption, caption)}
                yield _says(judge, table, answer, paper, twins, caption.text, FIRST)


def table_recall_by_words(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for each table whether the words of its heads and of its first column find it among the tables."""
    for paper in distinct_papers(subject):
        judge = Judge(HEADERS, Severity.MAJOR, paper.key)
        for table in _proper(paper):
            words = _words(table)
            if len(words) >= _LEAST_NAMES:
                question = " ".join(words)
                answer = subject.searcher.search_tables(question, limit=FIRST_BY_WORDS)
                twins = {other.id for other in paper.document.tables if set(words) <= set(_every_word(other))}
                yield _says(judge, table, answer, paper, twins, question, FIRST_BY_WORDS)


def figure_recall(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for each figure with a caption whether the caption finds it near the top of the figures."""
    for paper in distinct_papers(subject):
        judge = Judge(FIGURE, Severity.MAJOR, paper.key)
        for figure in paper.document.figures:
            caption = figure.caption
            if caption is not None and len(words_of(bare_caption(caption))) >= _LEAST_WORDS:
                answer = subject.searcher.search_figures(caption.text, limit=FIRST)
                twins = {other.id for other in paper.document.figures if _is_same(other.caption, caption)}
                yield _says(judge, figure, answer, paper, twins, caption.text, FIRST)


def _says(
    judge: Judge, item: Table | Figure, answer: Answer, paper: PaperSubject, twins: set[str], question: str, first: int
) -> Assertion:
    """Return whether an answer has a table or figure, or one that the question fits as well."""
    hits = answer.hits
    place = next((at for at, hit in enumerate(hits, 1) if is_of(hit, paper) and hit.target in {item.id, *twins}), None)
    detail = f"{quoted(question)}: at {place or 'none'} of the first {first}"
    page = item.provenance.page_num
    name = called("table" if isinstance(item, Table) else "figure", item.id, paper.document.key)
    return judge.says(name, place is not None, detail, page=page, component=item.id)


def _proper(paper: PaperSubject) -> list[Table]:
    return [table for table in paper.document.tables if table.artifact is None]


def _is_same(one: Caption | None, other: Caption) -> bool:
    return one is not None and plain(one.text) == plain(other.text)


def _words(table: Table) -> list[str]:
    """Return words of the heads and of the first column by turns, without numbers."""
    heads = words_of(" ".join(table.headers()))
    names = words_of(" ".join(row[0] for row in table.data_rows() if row))
    both = [word for pair in zip(heads, names, strict=False) for word in pair]
    rest = [*heads[len(names) :], *names[len(heads) :]]
    return [word for word in dict.fromkeys([*both, *rest]) if word.isalpha()][:WORDS]


def _every_word(table: Table) -> list[str]:
    return words_of(" ".join(cell.text for cell in table.cells))


TABLE: Final = "table search by caption"
HEADERS: Final = "table search by words"
FIGURE: Final = "figure search by caption"

KINDS: Final = tuple(
    Kind(name=name, severity=Severity.MAJOR, asserts=asserts, scope="library", check=check)
    for name, asserts, check in (
        (TABLE, f"The caption of a table finds it among the first {FIRST} tables.", table_recall),
        (
            HEADERS,
            f"Words of a table's heads and row names find it among the first {FIRST_BY_WORDS} tables.",
            table_recall_by_words,
        ),
        (FIGURE, f"The caption of a figure finds it among the first {FIRST} figures.", figure_recall),
    )
)
