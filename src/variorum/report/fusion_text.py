"""The fused document as HTML: each component with the siglum of its source, and what stands in a text marked in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from variorum.document import Figure, Table, TextComponent
from variorum.document.export_html import table_rows
from variorum.document.flow import FlowItem, equation_text, float_name, list_mark, page_of, reading_flow
from variorum.fusion.model import Fusion
from variorum.report.fusion_data import decided
from variorum.report.fusion_view import SIGLA, SOURCE_NAMES, TYPE_NAMES, DecisionView
from variorum.report.markup import lines, text

_NAME_OF: Final = {siglum: SOURCE_NAMES[kind] for kind, siglum in SIGLA.items()}
_DEEPEST_HEADING: Final = 6
_KINDS: Final = {"bibliography_entry": "entry", "list_item": "item"}
_CALLED: Final = {"byline": "byline", "list_item": "item of a list", "footnote": "footnote", "code": "code", "title": "title"}


def fused_text(fusion: Fusion, decisions: Sequence[DecisionView]) -> str:
    """Return the document in the order of reading, a block a component; its decision is named by its number in `decisions`."""
    own = decided(fusion)
    captions = {c.target: c for c in fusion.document.components if c.kind == "caption" and c.target is not None}
    blocks, page_num = [], 0
    for item in reading_flow(fusion.document):
        here = page_of(item) if not isinstance(item, TextComponent) else item.provenance.page_num or 0
        label = f'<span class="page-num">p. {here}</span>' if here and here != page_num else ""
        page_num = here or page_num
        blocks.append(_block(item, captions.get(item.id), own.get(item.id), decisions, label))
    return lines(blocks)


def placeless(fusion: Fusion, decisions: Sequence[DecisionView]) -> list[int]:
    """Return the numbers of the decisions that can be reached from no block of the text."""
    own = decided(fusion)
    shown = {own[item.id] for item in reading_flow(fusion.document) if item.id in own}
    reached = shown | {inner for number in shown for inner in decisions[number]["inside"]}
    return [number for number in range(len(decisions)) if number not in reached]


def called(decision: DecisionView, item: FlowItem | None = None) -> str:
    """Return what a decision is about in words: ``footnote``, ``display equation``, ``Table 3``."""
    if isinstance(item, TextComponent) and item.kind in _CALLED:
        return _CALLED[item.kind]
    if item is not None and not isinstance(item, TextComponent):
        return float_name(item)
    return TYPE_NAMES[decision["type"]][0]


def _block(
    item: FlowItem, caption: TextComponent | None, number: int | None, decisions: Sequence[DecisionView], page: str
) -> str:
    kind: str = item.kind if isinstance(item, TextComponent) else "table" if isinstance(item, Table) else "figure"
    kind = _KINDS.get(kind, kind)
    inside = decisions[number]["inside"] if number is not None else []
    content = _content(item, caption, inside, decisions)
    if number is None:
        return f'<div class="unit of-{kind} none"><span class="siglum" aria-hidden="true"></span>{content}{page}</div>'
    decision = decisions[number]
    signs = "".join(sign for flag, sign in (("sole", "°"), ("turned", "⇄")) if flag in decision["flags"])
    told = [f"readings of {called(decision, item)}: {_NAME_OF[decision['winner']]}", *decision["flags"]]
    button = (
        f'<button type="button" class="siglum" tabindex="-1" aria-expanded="false" aria-controls="readings"'
        f' aria-label="{text(", ".join(told))}">{decision["winner"]}<i>{signs}</i></button>'
    )
    return f'<div class="unit of-{kind} {decision["winner"]}" id="d{number}" data-d="{number}">{button}{content}{page}</div>'


def _content(item: FlowItem, caption: TextComponent | None, inside: Sequence[int], decisions: Sequence[DecisionView]) -> str:
    if not isinstance(item, TextComponent):
        said = _caption(item, caption, inside, decisions)
        return f'<div class="content">{_table(item, said) if isinstance(item, Table) else _figure(item, said)}</div>'
    words = _marked(item, inside, decisions)
    match item.kind:
        case "title":
            return f'<h2 class="content">{words}</h2>'
        case "heading":
            level = min(2 + (item.level or 1), _DEEPEST_HEADING)
            return f'<h{level} class="content">{words}</h{level}>'
        case "code":
            return f'<pre class="content">{words}</pre>'
        case "equation":
            plain = item.text.strip() or (item.tex or "").strip()
            number = f'<span class="number">({text(item.number)})</span>' if _is_apart(item) else ""
            return f'<div class="content"><span class="formula">{text(plain)}</span>{number}</div>'
        case "list_item" | "bibliography_entry":
            mark = list_mark(item) or ("•" if item.kind == "list_item" else "")
            return f'<p class="content"><span class="mark">{text(mark)}</span> {words}</p>'
        case _:
            return f'<p class="content">{words}</p>'


def _caption(
    item: Table | Figure, caption: TextComponent | None, inside: Sequence[int], decisions: Sequence[DecisionView]
) -> str:
    """Return the caption of a float with its marks; empty where it has none."""
    if item.caption is None:
        return ""
    if caption is None or caption.text != item.caption.text:
        return text(item.caption.text)
    return _marked(caption, inside, decisions)


def _figure(figure: Figure, caption: str) -> str:
    place = f"{figure.kind} on page {page_of(figure)}" if page_of(figure) else "without a page"
    return f'<p class="picture-of">{text(f"{float_name(figure)}, {place}")}</p><p>{caption}</p>'


def _is_apart(item: TextComponent) -> bool:
    """Return whether the number of an equation is no part of its text."""
    return bool(item.number) and equation_text(item) != item.text.rstrip()


def _marked(item: TextComponent, inside: Sequence[int], decisions: Sequence[DecisionView]) -> str:
    """Return the text with what was decided within it marked, each stretch by its source; what overlaps is marked once."""
    own = [n for n in inside if item.id in decisions[n]["components"]]
    spans = sorted((span, n) for n in own if (span := decisions[n]["span"]) is not None)
    return "".join(_pieces(item, spans, decisions)).replace("\n", "<br>" if item.kind != "code" else "\n")


def _pieces(
    item: TextComponent, spans: Sequence[tuple[tuple[int, int], int]], decisions: Sequence[DecisionView]
) -> Iterator[str]:
    at = 0
    for (start, end), number in spans:
        if start < at or end > len(item.text):
            continue
        decision = decisions[number]
        yield text(item.text[at:start])
        label = f"{TYPE_NAMES[decision['type']][0]} {item.text[start:end]}: {_NAME_OF[decision['winner']]}"
        yield (
            f'<span class="inside {decision["winner"]}" role="button" tabindex="-1" aria-expanded="false" id="d{number}"'
            f' data-d="{number}" aria-label="{text(label)}">{text(item.text[start:end])}</span>'
        )
        at = end
    yield text(item.text[at:])


def _table(table: Table, words: str) -> str:
    """Return the table as read, with the words of its caption, and its notes."""
    caption = f"<caption><span>{words}</span></caption>" if words else ""
    notes = "".join(f'<p class="note">{text(note)}</p>' for note in table.footnotes)
    return (
        f'<div class="scroll"><table class="reading">{caption}<tbody>{"".join(table_rows(table))}</tbody></table></div>{notes}'
    )
