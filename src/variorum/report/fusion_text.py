"""The fused document as HTML: each component with the siglum of its source, and what stands in a text marked in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from variorum.document import Document, Table, TextComponent
from variorum.document.flow import FlowItem, equation_text, float_name, list_mark, page_of, reading_flow
from variorum.report.fusion_view import SIGLA, SOURCE_NAMES, TYPE_NAMES, DecisionView
from variorum.report.markup import lines, text

_NAME_OF: Final = {siglum: SOURCE_NAMES[kind] for kind, siglum in SIGLA.items()}
_DEEPEST_HEADING: Final = 6
_KINDS: Final = {"bibliography_entry": "entry", "list_item": "item"}
_CALLED: Final = {"byline": "byline", "list_item": "item of a list", "footnote": "footnote", "code": "code", "title": "title"}


def fused_text(document: Document, decisions: Sequence[DecisionView]) -> str:
    """Return the document in the order of reading, a block a component; its decision is named by its number in `decisions`."""
    own = {
        component: number
        for number, decision in reversed(list(enumerate(decisions)))
        if decision["span"] is None
        for component in decision["components"]
        if decision["type"] not in ("citation", "equation_inline")
    }
    blocks, page_num = [], 0
    for item in reading_flow(document):
        here = page_of(item) if not isinstance(item, TextComponent) else item.provenance.page_num or 0
        number = own.get(item.id)
        label = f'<span class="page-num">p. {here}</span>' if here and here != page_num else ""
        page_num = here or page_num
        blocks.append(_block(item, number, decisions, label))
    return lines(blocks)


def placeless(document: Document, decisions: Sequence[DecisionView]) -> list[int]:
    """Return the numbers of the decisions that can be reached from no block of the text."""
    shown = {item.id for item in reading_flow(document)}
    reached = {n for n, d in enumerate(decisions) if shown & set(d["components"])}
    return [n for n in range(len(decisions)) if n not in reached]


def called(decision: DecisionView, item: FlowItem | None = None) -> str:
    """Return what a decision is about in words: ``footnote``, ``display equation``, ``Table 3``."""
    if isinstance(item, TextComponent) and item.kind in _CALLED:
        return _CALLED[item.kind]
    if item is not None and not isinstance(item, TextComponent):
        return float_name(item)
    return TYPE_NAMES[decision["type"]][0]


def _block(item: FlowItem, number: int | None, decisions: Sequence[DecisionView], page: str) -> str:
    kind: str = item.kind if isinstance(item, TextComponent) else "table" if isinstance(item, Table) else "figure"
    kind = _KINDS.get(kind, kind)
    if number is None:
        return (
            f'<div class="unit {kind} none"><span class="siglum" aria-hidden="true"></span>{_content(item, [], [])}{page}</div>'
        )
    decision = decisions[number]
    signs = "".join(sign for flag, sign in (("sole", "°"), ("turned", "⇄")) if flag in decision["flags"])
    told = [f"readings of {called(decision, item)}: {_NAME_OF[decision['winner']]}", *decision["flags"]]
    button = (
        f'<button type="button" class="siglum" tabindex="-1" aria-expanded="false" aria-controls="readings"'
        f' aria-label="{text(", ".join(told))}">{decision["winner"]}<i>{signs}</i></button>'
    )
    return (
        f'<div class="unit {kind} {decision["winner"]}" id="d{number}" data-d="{number}">'
        f"{button}{_content(item, decision['inside'], decisions)}{page}</div>"
    )


def _content(item: FlowItem, inside: Sequence[int], decisions: Sequence[DecisionView]) -> str:
    if isinstance(item, Table):
        return f'<div class="content">{_table(item)}</div>'
    if not isinstance(item, TextComponent):
        caption = item.caption.text if item.caption is not None else float_name(item)
        place = f"{item.kind} on page {page_of(item)}" if page_of(item) else "without a page"
        picture = f'<p class="picture-of">{text(f"{float_name(item)}, {place}")}</p>'
        return f'<div class="content">{picture}<p>{text(caption)}</p></div>'
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


def _is_apart(item: TextComponent) -> bool:
    """Return whether the number of an equation is no part of its text."""
    return bool(item.number) and equation_text(item) != item.text.rstrip()


def _marked(item: TextComponent, inside: Sequence[int], decisions: Sequence[DecisionView]) -> str:
    """Return the text with what was decided within it marked, each stretch by its source; what overlaps is marked once."""
    spans = sorted((span, n) for n in inside if (span := decisions[n]["span"]) is not None)
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


def _table(table: Table) -> str:
    """Return the table as read, with its caption and notes."""
    caption = f"<caption><span>{text(table.caption.text)}</span></caption>" if table.caption is not None else ""
    starts = {(c.row, c.col): c for c in table.cells}
    covered = {
        (r, c)
        for cell in table.cells
        for r in range(cell.row, cell.row + cell.rowspan)
        for c in range(cell.col, cell.col + cell.colspan)
    }
    rows = []
    for r in range(table.n_rows):
        cells = []
        for c in range(table.n_cols):
            cell = starts.get((r, c))
            if cell is None:
                cells.append("" if (r, c) in covered else "<td></td>")
                continue
            name = "th" if cell.is_header else "td"
            spans = "".join(f' {n}="{v}"' for n, v in (("rowspan", cell.rowspan), ("colspan", cell.colspan)) if v > 1)
            cells.append(f"<{name}{spans}>{text(cell.text).replace(chr(10), '<br>')}</{name}>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    notes = "".join(f'<p class="note">{text(note)}</p>' for note in table.footnotes)
    return f'<div class="scroll"><table class="reading">{caption}<tbody>{"".join(rows)}</tbody></table></div>{notes}'
