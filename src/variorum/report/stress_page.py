"""The report of a stress test as one HTML file: all sections, plots, and the pages of the tables that differ.

It needs no other file, no network and no script: pages open by their address in the document (``:target``), long lists by
``details``. Each page picture stands in it once, however often it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from variorum.report.assets import asset, content_policy
from variorum.report.markup import breakable, lines, text
from variorum.report.stress_blocks import Block, Group, Section, TableLink, Value, column_kind, shown
from variorum.report.stress_data import StressData
from variorum.report.stress_overlays import Places, article, overlays, picture_store
from variorum.report.stress_overview import summary, verdict_of
from variorum.report.stress_plots import calibration_plot, delta_plot, method_plot, variant_plot
from variorum.report.stress_sights import Sights
from variorum.stress.model import Verdict

_OPEN_ROWS: Final = 25
_OPEN_FAILURES: Final = 12
"""Rows up to which a table stands open; longer ones are folded, so that the page can be read from top to bottom."""
_WHOLE: Final = ("summary", "quality")  # sections whose tables are what one comes for

_CALIBRATION: Final = (
    "A disc for each tenth of confidence; its area is the number of dividers, which stands beside it. Above the broken line"
    " dividers are right more often than their confidence says, below it less often."
)
_TONES: Final = {Verdict.RELIABLE: "good", Verdict.ROUGH_EDGES: "minor", Verdict.UNRELIABLE: "major"}


def stress_page(data: StressData, sections: Sequence[Section], sights: Sights, source: str) -> str:
    """Return the HTML file; `source` is the file name of the debug database. The same data give the same text."""
    style = asset("stress.css")
    places = Places(data, sights)
    name = PurePath(data.run.corpus).name or data.run.corpus
    return lines(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{content_policy(style)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{text(name)}: stress test</title>",
            f"<style>{style}</style></head><body>",
            picture_store(places),
            '<main><header><p class="kind">variorum · stress test</p>',
            f"<h1>{text(name)}</h1>",
            _verdict(data, sections),
            _facts(data, source),
            "</header>",
            _contents(sections),
            *(_section(s, data, places) for s in sections),
            "</main>",
            overlays(places),
            "</body></html>",
            "",
        ]
    )


def _verdict(data: StressData, sections: Sequence[Section]) -> str:
    if not data.judged:
        return f'<p class="verdict"><b>no verdict</b> {text(summary(data).notes[-1])}</p>'
    found = verdict_of(data)
    return f'<p class="verdict {_TONES[found]}"><b>{text(found)}</b> {text(summary(data).notes[-1])}</p>'


def _facts(data: StressData, source: str) -> str:
    run = data.run
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items() if name != "variorum")
    told = (
        ("software", f"{run.software}; {versions}"),
        ("command", run.command),
        ("begun, ended", f"{run.started_at}, {run.finished_at or 'not noted'}"),
        ("debug database", source),
    )
    return "<dl>" + "".join(f"<div><dt>{text(name)}</dt><dd>{text(value)}</dd></div>" for name, value in told) + "</dl>"


def _contents(sections: Sequence[Section]) -> str:
    links = "".join(f'<li><a href="#{s.key}">{text(s.title)}</a></li>' for s in sections)
    return f'<nav aria-label="Sections"><ul>{links}</ul></nav>'


# ---- sections -------------------------------------------------------------------------------------------------------


def _section(section: Section, data: StressData, places: Places) -> str:
    notes = () if section.key == "summary" else section.notes  # the verdict stands above
    body = [f'<section id="{section.key}"><h2>{text(section.title)}</h2>', *(f'<p class="note">{text(n)}</p>' for n in notes)]
    if section.key == "truth":
        body += [f'<p class="problem">{text(p)}</p>' for p in places.sights.problems]
    for part in section.parts:
        is_whole = section.key in _WHOLE
        body += [_group(part, places) if isinstance(part, Group) else _block(part, data, places, is_whole=is_whole)]
    return lines([*body, "</section>"])


def _group(group: Group, places: Places) -> str:
    head = f'<h3 class="{group.tone}">{text(group.title)}</h3><p class="note">{text(group.note)}</p>'
    blocks = (article(b, places, _table(b, places)) if b.table_id else _fold(b, places) for b in group.blocks)
    return lines([f'<div class="group">{head}', *blocks, "</div>"])


def _block(block: Block, data: StressData, places: Places, *, is_whole: bool) -> str:
    if block.tone:
        return _fold(block, places)
    plot = _plot_of(block, data)
    table = _table(block, places)
    if block.is_folded or plot or (len(block.rows) > _OPEN_ROWS and not is_whole):
        rows = len(block.rows)
        table = f"<details><summary>{'1 row' if rows == 1 else f'{rows} rows'}</summary>{table}</details>"
    note = f'<p class="note">{text(block.note)}</p>' if block.note else ""
    return lines([f'<div class="block"><h3>{text(block.title)}</h3>{note}', plot, table, "</div>"])


def _plot_of(block: Block, data: StressData) -> str:
    match block.plot:
        case "methods":
            return _figure("In brackets: tables on which it has a grid. Few of them say little.", method_plot(data))
        case "deltas":
            return _figure("Tables on which all three have the same score are left out.", delta_plot(data))
        case "confidence":
            return _figure(_CALIBRATION, calibration_plot(data.confidence))
        case "variants":
            return _figure("How the scores of the tables are spread, and what it costs.", variant_plot(data))
        case _:
            return ""


def _figure(caption: str, plot: str) -> str:
    if not plot:
        return ""
    told = f"<figcaption>{text(caption)}</figcaption>" if caption else ""
    return f'<figure class="scroll">{told}{plot}</figure>'


def _fold(block: Block, places: Places) -> str:
    is_open = " open" if len(block.rows) <= _OPEN_FAILURES and not block.is_folded else ""
    note = f'<p class="note">{text(block.note)}</p>' if block.note else ""
    table = _table(block, places)
    return f'<details class="fold {block.tone}"{is_open}><summary>{text(block.title)}</summary>{note}{table}</details>'


# ---- tables ---------------------------------------------------------------------------------------------------------


def _table(block: Block, places: Places) -> str:
    kinds = [column_kind(row[at] for row in block.rows) for at in range(len(block.headings))]
    heads = "".join(f'<th scope="col" class="{kind}">{text(h)}</th>' for h, kind in zip(block.headings, kinds, strict=True))
    rows = (_row(row, kinds, places) for row in block.rows)
    return lines([f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>', *rows, "</tbody></table></div>"])


def _row(row: Sequence[Value], kinds: Sequence[str], places: Places) -> str:
    first, *rest = row
    cells = "".join(f'<td class="{kind}">{_cell(v, places)}</td>' for v, kind in zip(rest, kinds[1:], strict=True))
    return f'<tr><th scope="row" class="{kinds[0]}">{_cell(first, places)}</th>{cells}</tr>'


def _cell(value: Value, places: Places) -> str:
    if isinstance(value, TableLink):
        target = places.target(value.table_id)
        name = f"<code>{breakable(value.table_id)}</code>"
        return f'<a href="#{target}">{name}</a>' if target else name
    return text(shown(value))
