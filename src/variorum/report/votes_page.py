"""The analysis of votes as one HTML file that needs no other: a plot a section, and its figures below."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from variorum.evaluation.votes import VoteAnalysis
from variorum.report.assets import asset, content_policy
from variorum.report.markup import lines, text
from variorum.report.plots import Series, bars, dots
from variorum.report.vote_sections import Section, Value, figure, headline, sections

_PLOTTED = {
    "outcomes": "mean processor time per table asked",
    "ablation": "data cells read right without the method, as against with it",
    "wins": "wins",
    "chosen": "tables",
    "rules": "data cells read right by the consensus; the axis ends at all cells",
    "oracle": "data cells read right; the axis ends at all cells",
    "deltas": "points of score",
}
_SHOWN_SHARES = ("coverage", "overlap", "conflict", "accuracy", "recall")


def write_votes_page(analysis: VoteAnalysis, source: str) -> str:
    """Return the HTML file; `source` is the name of the debug database. The same analysis gives the same text."""
    style = asset("votes.css")
    return lines(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{content_policy(style)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{text(source)}: what the voters are worth</title>",
            f"<style>{style}</style></head><body><main>",
            f'<header><p class="kind">variorum · voters</p><h1>{text(source)}</h1>',
            f'<p class="note">{text(headline(analysis))}</p></header>',
            *(_section(s, analysis) for s in sections(analysis)),
            "</main></body></html>",
            "",
        ]
    )


def _section(section: Section, analysis: VoteAnalysis) -> str:
    plot = _plot(section, analysis)
    table = _table(section)
    return lines(
        [
            f'<section id="{section.key}"><h2>{text(section.title)}</h2><p class="note">{text(_sentence(section.note))}</p>',
            f'<figure class="scroll">{plot}</figure><details><summary>figures</summary>{table}</details>' if plot else table,
            "</section>",
        ]
    )


def _sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:]}."


def _table(section: Section) -> str:
    heads = "".join(f'<th scope="col">{text(h)}</th>' for h in section.headings)
    rows = (
        f'<tr><th scope="row">{text(name)}</th>{"".join(f"<td>{text(figure(v))}</td>" for v in values)}</tr>'
        for name, values in section.rows
    )
    return lines(
        ['<div class="scroll"><table><thead><tr><td></td>', heads, "</tr></thead><tbody>", *rows, "</tbody></table></div>"]
    )


def _plot(section: Section, analysis: VoteAnalysis) -> str:
    """Return the plot of a section, empty where its figures say all."""
    match section.key:
        case "columns" | "rows":
            spoke = [(name, values) for name, values in section.rows if values[0]]
            if not spoke:
                return ""
            return dots(section.title, [name for name, _ in spoke], _series(section, spoke, _SHOWN_SHARES))
        case "outcomes":
            wanted: tuple[str, ...] = ("ms",)
        case "ablation":
            wanted = ("cells",) if analysis.compared else ("lost", "gained")
        case "wins":
            wanted = ("wins",)
        case "chosen":
            wanted = ("tables",)
        case "oracle" | "rules":
            if not analysis.compared:
                return ""
            wanted = ("cells",)
        case "deltas":
            wanted = ("delta", "consensus delta")
        case _:
            return ""
    whole = float(analysis.oracle.cells) if section.key in ("oracle", "rules") and analysis.oracle else None
    unit = " ms" if section.key == "outcomes" else ""
    names = [name for name, _ in section.rows]
    plot = bars(section.title, names, _series(section, section.rows, wanted), unit=unit, whole=whole)
    told = _PLOTTED[section.key]
    if section.key == "ablation" and not analysis.compared:
        told = "dividers lost and gained without the method"
    return f"<figcaption>{text(told)}</figcaption>{plot}"


def _series(section: Section, rows: Sequence[tuple[str, tuple[Value, ...]]], wanted: Collection[str]) -> list[Series]:
    return [
        Series(h, tuple(v if isinstance(v := values[at], int | float) else None for _, values in rows))
        for at, h in enumerate(section.headings)
        if h in wanted
    ]
