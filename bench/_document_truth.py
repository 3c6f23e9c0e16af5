"""What bench.document measures against: the papers with truth, and the scorers that lie beside the corpus.

Two data sets have truth of the text. ``jose``: JATS made from the same source as the PDF, turned into the scorer's form by
``jats_truth.py`` beside the corpus. ``papers``: ``truth.json`` (`bench._document_latex`) and the body of the same paper as
LaTeXML's HTML (`bench._document_html`). Two more have pages without such a truth.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench._common import load_beside
from bench._document_latex import latex_truth

SETS = ("jose", "papers", "icdar2013-eu", "three-sources")
WITH_TRUTH = ("jose", "papers")


@dataclass(frozen=True, slots=True)
class Paper:
    """One PDF of the corpus: its data set, its name in it, and where it lies."""

    data_set: str
    name: str
    pdf: Path


@dataclass(frozen=True, slots=True)
class Scorers:
    """The modules ``score_document`` and ``jats_truth`` that lie beside the corpus."""

    score: Any
    jats: Any


def load_scorers(corpus: Path) -> Scorers:
    """Return the scorers; raises FileNotFoundError without them."""
    return Scorers(load_beside(corpus, "score_document"), load_beside(corpus, "jats_truth"))


def papers_of(corpus: Path, data_set: str) -> list[Paper]:
    """Return the papers of a data set in order of name."""
    folder = corpus / data_set
    if data_set == "icdar2013-eu":
        return [Paper(data_set, pdf.stem, pdf) for pdf in sorted(folder.glob("*.pdf"))]
    return [Paper(data_set, pdf.parent.name, pdf) for pdf in sorted(folder.glob("*/*.pdf"))]


def jats_truth(scorers: Scorers, paper: Paper) -> dict[str, Any]:
    """Return the truth of a paper of ``jose`` in the scorer's form."""
    truth: dict[str, Any] = scorers.jats.truth(str(paper.pdf.with_name("paper.jats")))
    return truth


def with_typed_captions(truth: Mapping[str, Any]) -> dict[str, Any]:
    """Return the truth with paragraphs that are captions counted as such.

    Some authors type a caption as a paragraph (``Table 1. …``) because their template has none for it. A reader sees a caption,
    and so does a faithful reading; the paragraph counts as one where no other caption of the truth has its number.
    """
    known = {(c["kind"], c["number"]) for c in truth["captions"]}
    paragraphs, captions = [], list(truth["captions"])
    for text in truth["paragraphs"]:
        label = re.match(r"(Table|Figure) (\d+)[.:] ", text)
        if label is None or (label[1].lower(), label[2]) in known:
            paragraphs.append(text)
        else:
            captions.append({"kind": label[1].lower(), "number": label[2], "text": text[label.end() :]})
    return {**truth, "paragraphs": paragraphs, "captions": captions}


def body_of_truth(scorers: Scorers, paper: Paper) -> list[str]:
    """Return the paragraphs of the body that the truth has; none in a data set without such a truth."""
    if paper.data_set == "jose":
        return list(jats_truth(scorers, paper)["paragraphs"])
    if paper.data_set == "papers":
        return list(latex_truth(paper.pdf).paragraphs)
    return []
