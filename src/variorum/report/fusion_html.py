"""The report of a fusion as one HTML file: the fused text, and at its foot, on request, all readings of a place."""

from __future__ import annotations

from string import Template
from typing import Any

from variorum.fusion.model import Fusion
from variorum.report.assets import asset, content_policy
from variorum.report.fusion_data import decision_views
from variorum.report.fusion_page import agreements, elsewhere, foot, head, left_overs, notices, switches
from variorum.report.fusion_text import fused_text, placeless
from variorum.report.fusion_view import FLAGS, SIGLA, SOURCE_NAMES, TYPE_NAMES, DecisionView, ReadingView
from variorum.report.markup import lines, script_json, text


def fusion_report(fusion: Fusion) -> str:
    """Return the report of a fusion as one HTML file that needs no other and no network.

    Every text of a source is escaped, and the file's content policy lets no script run but its own. The same fusion gives the
    same text. Raises no errors of its own.
    """
    decisions = decision_views(fusion)
    sigla = [SIGLA[source.kind] for source in fusion.sources]
    style, script = asset("style.css") + asset("fusion.css"), asset("fusion.js")
    title = fusion.document.identity.title or fusion.document.source_name or fusion.document.key
    return Template(asset("fusion.html")).substitute(
        policy=content_policy(style, script),
        title=text(f"{' '.join(title.split())}: fusion"),
        style=style,
        head=head(fusion, decisions),
        switches=switches(decisions, sigla),
        text=fused_text(fusion, decisions),
        below=lines(
            [
                elsewhere(decisions, placeless(fusion, decisions)),
                left_overs(fusion),
                agreements(fusion),
                notices(fusion),
                foot(fusion),
            ]
        ),
        data=script_json(_script_data(decisions)),
        script=script,
    )


def _script_data(decisions: list[DecisionView]) -> dict[str, Any]:
    """Return what the script needs to show the readings of a place."""
    return {
        "sources": {siglum: SOURCE_NAMES[kind] for kind, siglum in SIGLA.items()},
        "types": {type_: one for type_, (one, _) in TYPE_NAMES.items()},
        "flags": {flag: {"name": name, "means": means} for flag, (name, means) in FLAGS.items()},
        "decisions": [_told(decision) for decision in decisions],
    }


def _told(decision: DecisionView) -> dict[str, Any]:
    """Return a decision for the script: what is empty is left out."""
    told = _filled({name: value for name, value in decision.items() if name not in ("readings", "span")})
    return {**told, "readings": [_reading(r) for r in decision["readings"]], "placed": decision["span"] is not None}


def _reading(reading: ReadingView) -> dict[str, Any]:
    told = _filled({name: value for name, value in reading.items() if name != "table"})
    table = reading["table"]
    if table is None:
        return told
    cells = [
        [c["row"], c["col"], c["rowspan"], c["colspan"], c["text"], int(c["is_header"]), int(c["differs"])]
        for c in table["cells"]
    ]
    return {**told, "table": {"rows": table["n_rows"], "cols": table["n_cols"], "caption": table["caption"], "cells": cells}}


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values without those that say nothing; a score of 0 says something."""
    return {name: value for name, value in values.items() if value or (value == 0 and value is not False)}
