"""What surrounds the fused text in the report of a fusion: sources, who won what, switches, left-overs, agreements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variorum.document.voices import counted
from variorum.fusion.model import Agreement, Fusion
from variorum.report.fusion_data import left_over_view, source_view
from variorum.report.fusion_text import called
from variorum.report.fusion_view import (
    FLAGS,
    SIGLA,
    SOURCE_NAMES,
    TYPE_NAMES,
    TYPES,
    DecisionView,
    LeftOverView,
    SourceView,
)
from variorum.report.markup import lines, share, text

_LONGEST = 160


def head(fusion: Fusion, decisions: Sequence[DecisionView]) -> str:
    """Return the title with a summary, the sources, and how many of each type each of them won."""
    document = fusion.document
    title = document.identity.title or document.source_name or document.key
    found = ", ".join(
        f"{count} {name}" for flag, (name, _) in FLAGS.items() if (count := sum(flag in d["flags"] for d in decisions))
    )
    grade = f"; completeness {document.completeness.grade}" if document.completeness is not None else ""
    return lines(
        [
            f'<header class="title"><p class="kind">variorum · fusion</p><h1>{text(" ".join(title.split()))}</h1>',
            f'<p class="summary">{counted(len(decisions), "decision")} between {counted(len(fusion.sources), "source")} under'
            f" the tenant <b>{text(fusion.tenant)}</b> (matrix {text(fusion.matrix_version)}){text(grade)}. {text(found)}.</p>",
            '</header><div class="overviews">',
            _sources([source_view(s) for s in fusion.sources]),
            _won(decisions, [SIGLA[s.kind] for s in fusion.sources]),
            "</div>",
        ]
    )


def _sources(sources: Sequence[SourceView]) -> str:
    rows = lines(
        f'<tr><th scope="row">{_siglum(s["siglum"])} {_source_name(s["siglum"])}</th><td class="file">{text(s["name"])}</td>'
        f'<td class="figure">{s["n_components"]}</td><td>{text(s["software"])}</td>'
        f'<td class="hash"><code>{text(s["sha256"])}</code></td></tr>'
        for s in sources
    )
    return (
        '<section class="overview" aria-labelledby="sources"><h2 id="sources">Sources</h2><div class="scroll"><table>'
        '<thead><tr><th scope="col">source</th><th scope="col">file</th><th scope="col" class="figure">components</th>'
        f'<th scope="col">read by</th><th scope="col">SHA-256</th></tr></thead><tbody>{rows}</tbody></table></div></section>'
    )


def _won(decisions: Sequence[DecisionView], sigla: Sequence[str]) -> str:
    """Return for each type and source how many positions it won of those at which it has a reading."""
    rows = []
    for type_ in TYPES:
        of_type = [d for d in decisions if d["type"] == type_]
        if not of_type:
            continue
        cells = "".join(f'<td class="figure">{_share_won(of_type, siglum)}</td>' for siglum in sigla)
        rows.append(f'<tr><th scope="row">{TYPE_NAMES[type_][1]}</th><td class="figure">{len(of_type)}</td>{cells}</tr>')
    heads = "".join(f'<th scope="col" class="figure">{_siglum(s)} {_source_name(s)}</th>' for s in sigla)
    return (
        '<section class="overview" aria-labelledby="won"><h2 id="won">Who was followed</h2><div class="scroll"><table>'
        f'<thead><tr><td></td><th scope="col" class="figure">positions</th>{heads}</tr></thead>'
        f"<tbody>{lines(rows)}</tbody></table></div>"
        '<p class="how">Positions at which the source was followed, of those at which it has a reading.</p></section>'
    )


def _share_won(decisions: Iterable[DecisionView], siglum: str) -> str:
    has = [d for d in decisions if any(r["siglum"] == siglum for r in d["readings"])]
    won = sum(d["winner"] == siglum for d in has)
    return f"<b>{won}</b> of {len(has)}" if has else "–"


def _siglum(siglum: str) -> str:
    return f'<b class="letter-of {siglum}">{siglum}</b>'


def _source_name(siglum: str) -> str:
    return next(SOURCE_NAMES[kind] for kind, letter in SIGLA.items() if letter == siglum)


# ---- switches -------------------------------------------------------------------------------------------------------


def switches(decisions: Sequence[DecisionView], sigla: Sequence[str]) -> str:
    """Return the legend, which is also the filter: sources, types, and what is special about a decision."""
    sources = [
        _switch("source", s, f'<b class="letter-of {s}">{s}</b> {_source_name(s)}', sum(d["winner"] == s for d in decisions))
        for s in sigla
    ]
    types = [_switch("type", t, TYPE_NAMES[t][1], count) for t in TYPES if (count := sum(d["type"] == t for d in decisions))]
    flags = [
        _switch("flag", flag, name, count, means, is_on=False)
        for flag, (name, means) in FLAGS.items()
        if (count := sum(flag in d["flags"] for d in decisions))
    ]
    return lines(
        [
            '<form class="switches" aria-label="What is shown">',
            _group("From", sources),
            _group("Types", types),
            _group("Only", flags) if flags else "",
            '<p class="shown"><output aria-live="polite"></output> <button type="reset">show all</button></p>',
            "</form>",
        ]
    )


def _group(name: str, switches: Sequence[str]) -> str:
    return f'<div role="group" aria-label="{name}"><span class="what">{name}</span>{"".join(switches)}</div>'


def _switch(group: str, value: str, name: str, count: int, means: str = "", *, is_on: bool = True) -> str:
    title = f' title="{text(means)}"' if means else ""
    checked = " checked" if is_on else ""
    return (
        f'<label{title}><input type="checkbox" name="{group}" value="{value}" autocomplete="off"{checked}>'
        f"<span>{name}</span> <small>{count}</small></label>"
    )


# ---- what stands below the text -------------------------------------------------------------------------------------


def elsewhere(decisions: Sequence[DecisionView], numbers: Sequence[int]) -> str:
    """Return the decisions that no block of the text leads to; nothing where there are none."""
    if not numbers:
        return ""
    units = lines(
        f'<div class="unit {decisions[n]["winner"]}" id="d{n}" data-d="{n}"><button type="button" class="siglum" tabindex="-1"'
        f' aria-expanded="false" aria-controls="readings" aria-label="readings of {text(called(decisions[n]))}">'
        f"{decisions[n]['winner']}</button>"
        f'<p class="content">{text(called(decisions[n]))}: {_short(decisions[n]["readings"][0]["text"])}</p></div>'
        for n in numbers
    )
    return (
        '<section class="overview" aria-labelledby="elsewhere"><h2 id="elsewhere">Decided, and not in the text</h2>'
        f"{units}</section>"
    )


def left_overs(fusion: Fusion) -> str:
    """Return what no position has, by source and reason."""
    groups: dict[tuple[str, str], list[LeftOverView]] = {}
    for view in map(left_over_view, fusion.left_overs):
        groups.setdefault((view["siglum"], view["reason"]), []).append(view)
    listed = lines(
        f"<details><summary>{_siglum(siglum)} {text(reason)} <small>{counted(len(items), 'component')}</small></summary>"
        f"<ul>{lines(map(_left_over, items))}</ul></details>"
        for (siglum, reason), items in sorted(groups.items(), key=lambda group: list(SIGLA.values()).index(group[0][0]))
    )
    return (
        '<section class="overview left-overs" aria-labelledby="left-overs"><h2 id="left-overs">Left over</h2>'
        '<p class="how">Components of a source that are no reading of the text at any position.</p>'
        f"{listed or '<p class=none>Nothing.</p>'}</section>"
    )


def _left_over(view: LeftOverView) -> str:
    words = _short(view["text"]) or "<i>without text</i>"
    return f"<li>{words} <small>{text(view['kind'])} {text(view['component'])}</small></li>"


def _short(words: str) -> str:
    line = " ".join(words.split())
    return text(line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…")


def agreements(fusion: Fusion) -> str:
    """Return for each pair of sources and type how many components of each share a position with the other."""
    pairs = list(dict.fromkeys((a.first, a.second) for a in fusion.agreements))
    types = [t for t in TYPES if any(a.type == t for a in fusion.agreements)]
    if not pairs:
        return ""
    at = {(a.first, a.second, a.type): a for a in fusion.agreements}
    heads = "".join(f'<th scope="col">{TYPE_NAMES[t][1]}</th>' for t in types)
    rows = lines(
        f'<tr><th scope="row">{_siglum(SIGLA[first])} {_siglum(SIGLA[second])}</th>'
        f"{''.join(_agreed(at.get((first, second, t))) for t in types)}</tr>"
        for first, second in pairs
    )
    return (
        '<section class="overview agreements" aria-labelledby="agreements">'
        '<h2 id="agreements">How the sources were aligned</h2>'
        f'<div class="scroll"><table><thead><tr><td></td>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
        '<p class="how">Components of the first source that share a position with the second, of how many; then the same for '
        "the second.</p></section>"
    )


def _agreed(agreement: Agreement | None) -> str:
    if agreement is None:
        return "<td>–</td>"
    a = agreement
    ratio = (a.shared_of_first + a.shared_of_second) / max(1, a.of_first + a.of_second)
    low = ' class="low"' if a.shared_of_first < a.of_first or a.shared_of_second < a.of_second else ""
    return (
        f'<td{low} title="{share(ratio)} of all">{a.shared_of_first} of {a.of_first}<br>'
        f"{a.shared_of_second} of {a.of_second}</td>"
    )


def notices(fusion: Fusion) -> str:
    """Return the reasons of the grade and the notices; nothing where there are none."""
    completeness = fusion.document.completeness
    reasons = [] if completeness is None else completeness.reasons
    told = [*(text(r) for r in reasons), *(text(n.what) for n in fusion.document.notices)]
    if not told:
        return ""
    items = "".join(f"<li>{t}</li>" for t in told)
    return (
        '<section class="overview" aria-labelledby="told"><h2 id="told">Completeness and notices</h2>'
        f'<details><summary>{counted(len(told), "sentence")}</summary><ul class="told">{items}</ul></details></section>'
    )


def foot(fusion: Fusion) -> str:
    """Return by which rules it was decided, with their hash."""
    return (
        f'<footer><p class="file">Tenant {text(fusion.tenant)}, matrix {text(fusion.matrix_version)}, SHA-256 '
        f"<code>{text(fusion.tenant_sha256)}</code>; {text(fusion.software)}; "
        f"fused document <code>{text(fusion.document.key)}</code>.</p></footer>"
    )
