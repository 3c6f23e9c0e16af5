"""The whole paper in the report: grade and gaps, its pages with outline and details, votes on headings, what was left out."""

from __future__ import annotations

from collections.abc import Iterable

from variorum.document.voices import counted
from variorum.report.markup import lines, share, text
from variorum.report.paper_view import BlockView, DecisionView, GapView, PaperView, SectionView
from variorum.report.sheets import legend, sheet
from variorum.report.view import PageView

_ITEM_CHARS = 70
_UNCERTAIN = 0.5
_COUNTED = (
    ("table", "table"),
    ("figure", "figure"),
    ("heading", "heading"),
    ("equation", "equation"),
    ("bibliography_entry", "reference"),
)


def inventory(paper: PaperView) -> str:
    """Return how many of each kind the paper has: ``4 tables, 6 figures, 17 headings``."""
    counts = [(sum(b["kind"] == kind for b in paper["blocks"]), name) for kind, name in _COUNTED]
    return ", ".join(counted(count, name) for count, name in counts if count) or "text"


def completeness(paper: PaperView) -> str:
    """Return the grade with its reasons and the gaps; empty for a document without a grade."""
    if not paper["grade"]:
        return ""
    reasons = "".join(f"<li>{text(reason)}</li>" for reason in paper["reasons"])
    gaps = lines(_gap(gap) for gap in paper["gaps"])
    return lines(
        [
            '<section class="grade" aria-labelledby="completeness"><h2 id="completeness">Completeness</h2>',
            f'<p class="letter {text(paper["grade"])}">{text(paper["grade"])}</p><ul class="reasons">{reasons}</ul>',
            f'<details class="gaps"><summary>{counted(len(paper["gaps"]), "gap")}</summary><ul>{gaps}</ul></details>'
            if gaps
            else '<p class="none">No gaps are known.</p>',
            "</section>",
        ]
    )


def jumps(paper: PaperView, has_tables: bool) -> str:
    """Return links to the parts of the report."""
    parts = [("paper", "Pages", True), ("headings", "Votes on headings", bool(paper["headings"]))]
    parts += [("left-out", "Left out of the text", bool(_groups(paper))), ("t1", "Tables and their votes", has_tables)]
    links = " · ".join(f'<a href="#{name}">{title}</a>' for name, title, exists in parts if exists)
    return f'<nav class="jumps" aria-label="Parts of the report">{links}</nav>'


def whole_paper(paper: PaperView, pages: list[PageView]) -> str:
    """Return the pages of the paper with their blocks, the votes on headings, and what was left out of the text."""
    return lines(
        [
            '<section class="paper" aria-labelledby="paper"><h2 id="paper">Pages</h2>',
            _missing(paper),
            legend(paper),
            f'<div class="desk">{_outline(paper)}<div class="sheets">',
            *(sheet(page, paper) for page in pages if page["page_num"]),
            '</div><aside id="block" class="about" role="region" aria-label="The selected block" aria-live="polite">'
            '<p class="none">Select a block on a page to read its text, where it stands, what it cites and what cites it. '
            "Tab goes to a page, arrow keys from block to block, Enter selects.</p></aside></div></section>",
            _headings(paper["headings"]),
            _left_out(paper),
        ]
    )


def _missing(paper: PaperView) -> str:
    if paper["blocks"]:
        return ""
    return '<p class="problem">No text was read on these pages; the notices may say why.</p>'


def _to(block: int | None, words: str, page_num: int | None = None) -> str:
    """Return a link to a block, or to a page where there is no block; `words` are mark-up."""
    if block is not None:
        return f'<a href="#b{block}" data-goto="{block}">{words}</a>'
    return f'<a href="#page-{page_num}">{words}</a>' if page_num else f"<span>{words}</span>"


def _short(words: str) -> str:
    line = " ".join(words.split())
    return text(line if len(line) <= _ITEM_CHARS else line[: _ITEM_CHARS - 1].rstrip() + "…")


def _gap(gap: GapView) -> str:
    where = "" if gap["page_num"] is None and gap["block"] is None else f" {_to(gap['block'], 'show', gap['page_num'])}"
    page = f" <small>page {gap['page_num']}</small>" if gap["page_num"] else ""
    return f"<li><small>{text(gap['kind'].replace('_', ' '))}</small> {text(gap['what'])}{page}{where}</li>"


# ---- outline --------------------------------------------------------------------------------------------------------


def _outline(paper: PaperView) -> str:
    if not paper["sections"]:
        return '<nav class="outline" aria-label="Sections"><p class="none">No sections were read.</p></nav>'
    entries = lines(map(_section, paper["sections"]))
    return f'<nav class="outline" aria-label="Sections"><h3>Sections</h3><ol>{entries}</ol></nav>'


def _section(section: SectionView) -> str:
    name = text(section["title"]) if section["title"] else f"<i>{text(section['label'])}, without a heading</i>"
    doubt = " doubt" if section["confidence"] < _UNCERTAIN else ""
    level = min(section["level"], 6)
    return (
        f'<li class="level-{level}">{_to(section["block"], name, section["page_num"])}'
        f'<small class="label{doubt}" title="{text(section["reason"])}">{text(section["label"])} '
        f"{share(section['confidence'])}</small></li>"
    )


# ---- votes on headings ----------------------------------------------------------------------------------------------


def _headings(headings: list[DecisionView]) -> str:
    if not headings:
        return ""
    accepted, rejected = ([h for h in headings if h["accepted"] is wanted] for wanted in (True, False))
    folded = (
        f'<details class="rejected-ones"><summary>Rejected <small>{len(rejected)}</small></summary>'
        f"{lines(map(_decision, rejected))}</details>"
    )
    return lines(
        [
            '<section class="heading-votes" aria-labelledby="headings"><h2 id="headings">Votes on headings</h2>',
            f'<p class="how">{counted(len(headings), "candidate")}: {len(accepted)} accepted, {len(rejected)} rejected. '
            "Each opens to its votes.</p>",
            *map(_decision, accepted),
            folded if rejected else "",
            "</section>",
        ]
    )


def _decision(decision: DecisionView) -> str:
    level = f"H{decision['level']}" if decision["accepted"] and decision["level"] else "✓" if decision["accepted"] else "✕"
    rows = "".join(
        f'<tr><th scope="row">{text(v["voter"])}</th><td>{"for" if v["is_heading"] else "against"}</td>'
        f'<td class="figure">{share(v["confidence"])}</td><td>{"" if v["level"] is None else v["level"]}</td>'
        f"<td>{text(v['reason'])}</td></tr>"
        for v in decision["votes"]
    )
    votes = (
        '<div class="scroll"><table class="ballots"><thead><tr><th scope="col">voter</th><th scope="col">says</th>'
        '<th scope="col" class="figure">sure</th><th scope="col">level</th><th scope="col">why</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
        if rows
        else '<p class="none">It was not put to the vote.</p>'
    )
    where = _to(decision["block"], f"page {decision['page_num']}", decision["page_num"])
    return (
        f'<details class="decision"><summary><b>{level}</b> {_short(decision["text"])} '
        f"<small>page {decision['page_num']} · {text(decision['verdict'])}</small></summary>"
        f"<p>{where}</p>{votes}</details>"
    )


# ---- what was left out ----------------------------------------------------------------------------------------------


def _left_out(paper: PaperView) -> str:
    """Return what stands on the pages and not in the text, by the reason."""
    groups = _groups(paper)
    if not groups:
        return ""
    return lines(
        [
            '<section class="left-out" aria-labelledby="left-out"><h2 id="left-out">Left out of the text</h2>',
            *(_group(why, items) for why, items in groups.items()),
            "</section>",
        ]
    )


def _groups(paper: PaperView) -> dict[str, list[tuple[int, BlockView]]]:
    """Return furniture by its evidence, floats that are no data by what they are, and captions that belong to none."""
    groups: dict[str, list[tuple[int, BlockView]]] = {}
    for index, block in enumerate(paper["blocks"]):
        if block["kind"] == "furniture":
            groups.setdefault(block["note"] or "no evidence is recorded", []).append((index, block))
        elif block["kind"] == "caption" and not block["names"]:
            groups.setdefault("captions without a table or figure", []).append((index, block))
        else:
            for what, value in block["facts"]:
                if what in ("none of the paper's data", "counted as a figure"):
                    groups.setdefault(value, []).append((index, block))
    return groups


def _group(why: str, items: Iterable[tuple[int, BlockView]]) -> str:
    listed = [
        f"<li>{_to(index, _short(block['text'] or block['title']))} <small>{_pages(block)}</small></li>"
        for index, block in items
    ]
    return (
        f'<details class="why"><summary>{text(why)} <small>{counted(len(listed), "item")}</small></summary>'
        f"<ul>{lines(listed)}</ul></details>"
    )


def _pages(block: BlockView) -> str:
    pages = list(dict.fromkeys(page_num for page_num, _ in block["places"]))
    return f"page{'' if len(pages) == 1 else 's'} {', '.join(map(str, pages))}" if pages else ""
