"""Every structure method on drawings: what it must find, and beside it the near miss that it must leave alone.

A case is a file in ``structure/METHOD/``: the reason in ``#`` lines, the drawing (see `pictures`), and what is expected::

    expect columns: "Alpha" | "12.5" | "0.81"    two dividers, each in the white between the words named
    expect rows: "Drug" | "Alpha"                one divider, between these two lines
    expect rows: none                            no divider on this axis
    expect: abstains, "no rule"                  it says nothing, and its reason holds these words

Library methods read the same drawing from a PDF.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from pictures import pdf_of, table, words_by_text

from variorum.page.reader import PdfFile
from variorum.tables.model import Abstain, BoundaryPoint, TableContext, Word
from variorum.tables.registry import LIBRARY_METHODS, structure_methods

FOLDER = Path(__file__).resolve().parent / "structure"
NEAR_MISS = ".nearmiss"
SLACK = 0.01  # points: a PDF's numbers are rounded


@dataclass(frozen=True)
class Case:
    """One file: its reason, drawing, and expectations as (what, value)."""

    method: str
    name: str
    reason: str
    drawing: str
    expectations: tuple[tuple[str, str], ...]


def read_case(path: Path) -> Case:
    """Return the case of a file."""
    lines = path.read_text().splitlines()
    reason = [line for line in lines if line.startswith("#")]
    expected = [m.groups() for line in lines if (m := re.match(r"expect ?(columns|rows|): (.+)$", line))]
    drawing = [line for line in lines if not line.startswith(("#", "expect"))]
    return Case(path.parent.name, path.stem, " ".join(reason), "\n".join(drawing).strip("\n"), tuple(expected))


CASES = [read_case(path) for path in sorted(FOLDER.glob("*/*.txt"))]


@pytest.mark.parametrize("method", structure_methods())
def test_every_method_has_a_case_and_a_near_miss(method: str) -> None:
    names = {case.name for case in CASES if case.method == method}
    assert any(name + NEAR_MISS in names for name in names)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.method}/{c.name}")
def test_case_says_why_and_expects_something(case: Case) -> None:
    assert case.method in structure_methods()
    assert len(case.reason) > len("# ")
    assert case.expectations


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.method}/{c.name}")
def test_method_finds_what_is_there_and_leaves_the_rest_alone(case: Case, tmp_path: Path) -> None:
    ctx = table(case.drawing)
    if case.method not in LIBRARY_METHODS:
        check(case, ctx)
        return
    box = pdf_of(case.drawing, tmp_path / "drawing.pdf")
    with PdfFile(tmp_path / "drawing.pdf") as pdf:
        handle = pdf.page(0)
        page = handle.evidence
        check(case, TableContext(box, page.words, page.rules, page, handle))


def check(case: Case, ctx: TableContext) -> None:
    method = structure_methods()[case.method]()
    expected = dict(case.expectations)
    if "" in expected:
        found = re.fullmatch(r'abstains, "(.*)"', expected[""])
        assert found is not None
        with pytest.raises(Abstain, match=found[1]):
            method.detect(ctx)
        return
    hypothesis = method.detect(ctx)
    assert hypothesis is not None
    if "columns" in expected:
        check_axis(hypothesis.col_boundaries, words_of(expected["columns"], ctx), "x0", "x1")
    if "rows" in expected:
        check_axis(hypothesis.row_boundaries, words_of(expected["rows"], ctx), "y0", "y1")


def words_of(expectation: str, ctx: TableContext) -> list[Word]:
    return [] if expectation == "none" else list(map(words_by_text(ctx.words), re.findall(r'"([^"]+)"', expectation)))


def check_axis(points: Sequence[BoundaryPoint], words: Sequence[Word], low: str, high: str) -> None:
    """Check that there is one divider between each word and the next, and no other."""
    assert [p.provenance for p in points] == [p.provenance for p in points[:1]] * len(points)
    between = [(getattr(a.box, high), getattr(b.box, low)) for a, b in itertools.pairwise(words)]
    found = [(p.min_pos, p.max_pos) for p in points]
    assert len(found) == len(between), (found, between)
    for (start, end), (left, right) in zip(found, between, strict=True):
        assert left - SLACK <= start <= end <= right + SLACK


def test_case_of_nothing_is_refused_by_the_check() -> None:
    """The runner itself: a divider too many is noticed."""
    ctx = table("A   B\nC   D")
    point = BoundaryPoint(ctx.words[0].box.x1, ctx.words[1].box.x0, 1.0, "any")
    check_axis([point], [ctx.words[0], ctx.words[1]], "x0", "x1")
    with pytest.raises(AssertionError):
        check_axis([point, replace(point, min_pos=0.0)], [ctx.words[0], ctx.words[1]], "x0", "x1")
    with pytest.raises(AssertionError):
        check_axis([replace(point, max_pos=point.max_pos + 1)], [ctx.words[0], ctx.words[1]], "x0", "x1")
