"""What must hold between the values of a whole paper: ids lead somewhere, marks stand where they say, sections are in order."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from variorum.document._claims import check_at_least, check_in_unit, check_provenance
from variorum.document.model import Document, TextComponent
from variorum.document.paper_model import Citation, Figure, InlineEquation, Mention
from variorum.errors import SchemaError

_MENTIONED = {"equation": "equation", "section": "heading"}
"""The kind of component that a mention of an equation or a section leads to."""


def check_paper(document: Document) -> None:
    """Return nothing; raises SchemaError with the path to the first value that contradicts another."""
    texts = {component.id: component for component in document.components}
    tables, figures = {t.id for t in document.tables}, {f.id for f in document.figures}
    every = {*texts, *tables, *figures}
    for i, figure in enumerate(document.figures):
        _check_figure(figure, f"figures[{i}]")
    for i, component in enumerate(document.components):
        _check_component(component, f"components[{i}]", {"table": tables, "figure": figures}.get(component.kind, every))
    _check_sections(document)
    _check_headings(document, texts)
    entries = {c.id for c in document.components if c.kind == "bibliography_entry"}
    seen: set[str] = set()
    for i, entry in enumerate(document.bibliography):
        _check_named(entry.id, entries, f"bibliography[{i}].id", "component of kind bibliography_entry")
        if entry.id in seen:
            raise SchemaError(f"the entry {entry.id!r} stands twice", where=f"bibliography[{i}].id")
        seen.add(entry.id)
    for i, citation in enumerate(document.citations):
        _check_mark(citation, texts, f"citations[{i}]")
        for j, target in enumerate(citation.targets):
            _check_named(target, entries, f"citations[{i}].targets[{j}]", "component of kind bibliography_entry")
    for i, equation in enumerate(document.inline_equations):
        _check_mark(equation, texts, f"inline_equations[{i}]")
    for i, mention in enumerate(document.mentions):
        _check_mark(mention, texts, f"mentions[{i}]")
        if mention.target is not None:
            kind = _MENTIONED.get(mention.kind)
            choices = {c.id for c in document.components if c.kind == kind}
            choices = {"table": tables, "figure": figures}.get(mention.kind, choices)
            _check_named(mention.target, choices, f"mentions[{i}].target", kind or mention.kind)
    for i, gap in enumerate(document.completeness.gaps if document.completeness is not None else ()):
        if gap.page_num is not None:
            check_at_least(1, gap.page_num, f"completeness.gaps[{i}].page_num")
        if gap.component is not None:
            _check_named(gap.component, every, f"completeness.gaps[{i}].component")


def _check_figure(figure: Figure, path: str) -> None:
    check_provenance(figure.provenance, f"{path}.provenance")
    if figure.caption is not None and figure.caption.page_num is not None:
        check_at_least(1, figure.caption.page_num, f"{path}.caption.page_num")
    box = figure.provenance.bbox
    for i, panel in enumerate(figure.panels):
        if box is None or box.union(panel.bbox) != box:
            raise SchemaError(
                "the panel reaches out of its figure", where=f"{path}.panels[{i}].bbox", hint="cut it to the figure"
            )


def _check_component(component: TextComponent, path: str, targets: Collection[str]) -> None:
    check_provenance(component.provenance, f"{path}.provenance")
    if component.level is not None:
        check_at_least(1, component.level, f"{path}.level")
    if component.target is not None:
        known = component.kind if component.kind in ("table", "figure") else "component, table or figure"
        _check_named(component.target, targets, f"{path}.target", known)
    elif component.kind in ("table", "figure"):
        raise SchemaError(f"names no {component.kind}", where=f"{path}.target", hint=f"the id of a {component.kind}")
    if len(component.places) == 1:
        raise SchemaError("text in one place", where=f"{path}.places", hint="no places for it: the provenance has its box")
    for i, place in enumerate(component.places):
        check_at_least(1, place.page_num, f"{path}.places[{i}].page_num")
    own = component.provenance
    if component.places and (own.page_num, own.bbox) != (component.places[0].page_num, component.places[0].bbox):
        raise SchemaError("the first place is not that of the provenance", where=f"{path}.places[0]")


def _check_sections(document: Document) -> None:
    """Check that the sections share out the text in order; furniture is none of it."""
    order = {component.id: i for i, component in enumerate(document.components)}
    body = [i for i, component in enumerate(document.components) if component.kind != "furniture"]
    done = 0  # of the body's components
    for i, section in enumerate(document.sections):
        path = f"sections[{i}]"
        check_in_unit(section.confidence, f"{path}.confidence")
        for name in ("first", "last"):
            _check_named(getattr(section, name), order, f"{path}.{name}")
        first, last = order[section.first], order[section.last]
        if first > last:
            raise SchemaError(f"ends at {section.last!r}, before it begins", where=f"{path}.last")
        if done < len(body) and first > body[done]:
            left_out = document.components[body[done]].id
            raise SchemaError(f"the component {left_out!r} before it is in no section", where=f"{path}.first")
        if done and first <= body[done - 1]:
            raise SchemaError("begins within the section before it", where=f"{path}.first")
        while done < len(body) and body[done] <= last:
            done += 1
        if section.heading is not None:
            _check_named(section.heading, order, f"{path}.heading")
            if document.components[order[section.heading]].kind != "heading" or not first <= order[section.heading] <= last:
                raise SchemaError(f"{section.heading!r} is no heading in this section", where=f"{path}.heading")
    if document.sections and done < len(body):
        left_out = document.components[body[done]].id
        raise SchemaError(f"the component {left_out!r} behind the last is in no section", where="sections")


def _check_headings(document: Document, texts: Mapping[str, TextComponent]) -> None:
    for i, decision in enumerate(document.headings):
        path = f"headings[{i}]"
        check_at_least(1, decision.page_num, f"{path}.page_num")
        if decision.level is not None:
            check_at_least(1, decision.level, f"{path}.level")
        for j, vote in enumerate(decision.votes):
            check_in_unit(vote.confidence, f"{path}.votes[{j}].confidence")
            if vote.level is not None:
                check_at_least(1, vote.level, f"{path}.votes[{j}].level")
        if (decision.component is not None) != decision.accepted:
            what = "an accepted heading without its component" if decision.accepted else "a component for a rejected heading"
            raise SchemaError(what, where=f"{path}.component")
        if decision.component is not None:
            kinds = ("heading", "title")
            choices = {name for name, component in texts.items() if component.kind in kinds}
            _check_named(decision.component, choices, f"{path}.component", "component of kind heading")


def _check_mark(mark: Citation | InlineEquation | Mention, texts: Mapping[str, TextComponent], path: str) -> None:
    """Check that the mark stands in its component where it says."""
    _check_named(mark.component, texts, f"{path}.component")
    text = texts[mark.component].text
    check_at_least(0, mark.start, f"{path}.start")
    if mark.start >= mark.end:
        raise SchemaError(f"ends at {mark.end}, not after its start {mark.start}", where=f"{path}.end")
    if mark.end > len(text):
        raise SchemaError(f"ends at {mark.end}, in a text of {len(text)} characters", where=f"{path}.end")
    if text[mark.start : mark.end] != mark.text:
        raise SchemaError(f"its place holds {text[mark.start : mark.end]!r}, not {mark.text!r}", where=f"{path}.text")


def _check_named(name: str, known: Collection[str], path: str, what: str = "component") -> None:
    if name not in known:
        raise SchemaError(f"there is no {what} {name!r}", where=path, hint="an id of this document")
