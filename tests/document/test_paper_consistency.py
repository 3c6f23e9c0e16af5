"""A paper that contradicts itself is refused with the path to the fault, when it is written and when it is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from document_samples import document_of, figure_of, spanned_table, text

from variorum.document import (
    BibliographyEntry,
    Citation,
    Completeness,
    Document,
    FigurePanel,
    Gap,
    HeadingDecision,
    HeadingVote,
    Mention,
    Place,
    Section,
)
from variorum.errors import SchemaError
from variorum.geometry import Box


def paper() -> Document:
    """Return a small paper in which every kind of value leads to another one."""
    ballot = HeadingVote(voter="type", is_heading=True, confidence=0.9, reason="bold", level=1)
    places = (Place(page_num=1, bbox=Box(100, 200, 400, 300)), Place(page_num=2, bbox=Box(100, 80, 400, 90)))
    return document_of(
        spanned_table(),
        figures=(figure_of(panels=(FigurePanel(label="a", bbox=Box(100, 200, 250, 300)),)),),
        components=[
            text("title", "A paper", id="title"),
            text("furniture", "Journal", id="head-1", note="repeated on 9 pages"),
            text("heading", "1 Methods", id="sec-1", level=1, number="1"),
            text("paragraph", "See Table 2 and [1].", id="p-1", places=places),
            text("equation", "a = b", id="eq-1", number="1"),
            text("table", "", id="at-t1", target="t1"),
            text("figure", "", id="at-fig-3", target="fig-3"),
            text("bibliography_entry", "[1] Doe 2020", id="ref-1"),
            text("furniture", "9", id="foot-1"),
        ],
        sections=(
            Section(label="preamble", confidence=1, reason="", first="title", last="title"),
            Section(label="methods", confidence=1, reason="", first="sec-1", last="ref-1", heading="sec-1"),
        ),
        headings=(
            HeadingDecision(
                text="1 Methods", page_num=1, accepted=True, reason="", votes=(ballot,), component="sec-1", level=1
            ),
        ),
        bibliography=(BibliographyEntry(id="ref-1", label="[1]", authors=("Doe",), year="2020"),),
        citations=(Citation(component="p-1", start=16, end=19, text="[1]", style="numeric", targets=("ref-1",)),),
        mentions=(Mention(component="p-1", start=4, end=11, text="Table 2", kind="table", number="2", target="t1"),),
        completeness=Completeness(
            grade="B", reasons=("one gap",), gaps=(Gap(kind="numbering", what="Table 1", page_num=1, component="t1"),)
        ),
    )


def test_paper_that_agrees_with_itself_is_written_and_read() -> None:
    assert Document.from_json(paper().to_json()) == paper()


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("components[2].id", lambda d: d["components"][2].update(id="title")),
        ("components[2].id", lambda d: d["components"][2].update(id="t1")),
        ("components[2].id", lambda d: d["components"][2].update(id="fig-3")),
        ("figures[0].id", lambda d: d["figures"][0].update(id="t1")),
        ("figures[0].panels[0].bbox", lambda d: d["figures"][0]["panels"][0].update(bbox=[90, 200, 250, 300])),
        ("figures[0].panels[0].bbox", lambda d: d["figures"][0]["provenance"].update(bbox=None)),
        ("figures[0].provenance.page_num", lambda d: d["figures"][0]["provenance"].update(page_num=0)),
        ("figures[0].caption.page_num", lambda d: d["figures"][0]["caption"].update(page_num=0)),
        ("components[2].level", lambda d: d["components"][2].update(level=0)),
        ("components[2].target", lambda d: d["components"][2].update(target="nowhere")),
        ("components[5].target", lambda d: d["components"][5].update(target="fig-3")),
        ("components[6].target", lambda d: d["components"][6].update(target=None)),
        ("components[3].places", lambda d: d["components"][3].update(places=d["components"][3]["places"][:1])),
        ("components[3].places[0]", lambda d: d["components"][3]["places"].reverse()),
        ("sections[0].confidence", lambda d: d["sections"][0].update(confidence=2)),
        ("sections[1].first", lambda d: d["sections"][1].update(first="p-1", heading=None)),
        ("sections[1].first", lambda d: d["sections"][1].update(first="title")),
        ("sections[1].first", lambda d: d["sections"][1].update(first="nowhere")),
        ("sections[1].last", lambda d: d["sections"][1].update(last="title")),
        ("sections[1].heading", lambda d: d["sections"][1].update(heading="p-1")),
        ("sections[0].heading", lambda d: d["sections"][0].update(heading="sec-1")),
        ("sections", lambda d: d["sections"][1].update(last="eq-1")),
        ("headings[0].component", lambda d: d["headings"][0].update(component=None)),
        ("headings[0].component", lambda d: d["headings"][0].update(accepted=False)),
        ("headings[0].component", lambda d: d["headings"][0].update(component="p-1")),
        ("headings[0].level", lambda d: d["headings"][0].update(level=0)),
        ("headings[0].votes[0].confidence", lambda d: d["headings"][0]["votes"][0].update(confidence=-1)),
        ("bibliography[0].id", lambda d: d["bibliography"][0].update(id="p-1")),
        ("bibliography[1].id", lambda d: d["bibliography"].append(d["bibliography"][0])),
        ("citations[0].component", lambda d: d["citations"][0].update(component="t1")),
        ("citations[0].start", lambda d: d["citations"][0].update(start=-1)),
        ("citations[0].end", lambda d: d["citations"][0].update(end=16)),
        ("citations[0].end", lambda d: d["citations"][0].update(end=99)),
        ("citations[0].text", lambda d: d["citations"][0].update(text="[2]")),
        ("citations[0].targets[0]", lambda d: d["citations"][0].update(targets=["p-1"])),
        ("mentions[0].target", lambda d: d["mentions"][0].update(target="fig-3")),
        ("mentions[0].target", lambda d: d["mentions"][0].update(kind="section", target="eq-1")),
        ("completeness.gaps[0].page_num", lambda d: d["completeness"]["gaps"][0].update(page_num=0)),
        ("completeness.gaps[0].component", lambda d: d["completeness"]["gaps"][0].update(component="nowhere")),
    ],
)
def test_contradiction_is_named_by_its_path(path: str, change: Callable[[Any], object]) -> None:
    data = json.loads(paper().to_json())
    change(data)
    with pytest.raises(SchemaError) as caught:
        Document.from_json(json.dumps(data))
    assert caught.value.where == path


@pytest.mark.parametrize(("kind", "target"), [("equation", "eq-1"), ("section", "sec-1"), ("figure", "fig-3"), ("table", None)])
def test_mention_leads_to_what_it_names_or_nowhere(kind: str, target: str | None) -> None:
    data = json.loads(paper().to_json())
    data["mentions"][0].update(kind=kind, target=target)
    assert Document.from_json(json.dumps(data)).mentions[0].target == target


def test_furniture_belongs_to_no_section_wherever_it_stands() -> None:
    data = json.loads(paper().to_json())
    data["sections"][0]["last"] = "head-1"
    assert Document.from_json(json.dumps(data)).sections[0].last == "head-1"
