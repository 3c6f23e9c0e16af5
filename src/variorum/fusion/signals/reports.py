"""What a source says of its own reading, and whether it has the text in the order of the others."""

from __future__ import annotations

from variorum.fusion.evidence import Evidence
from variorum.fusion.signals.differences import Differences
from variorum.fusion.signals.kinds import Finding


def empty_formula(evidence: Evidence, found: Differences) -> Finding | None:
    """Return the share of the formulas of a reading that have neither text nor TeX."""
    if evidence.position.type == "equation_inline":
        equation = evidence.index.equation_of(evidence.reading)
        said = [equation.text.strip() or (equation.tex or "").strip()]
    else:
        formulas = [c for c in evidence.index.texts_of(evidence.reading) if c.kind == "equation"]
        said = [c.text.strip() or (c.tex or "").strip() for c in formulas]
    empty = said.count("")
    return (empty / len(said), f"{empty} of {len(said)} formulas are empty") if empty else None


def latexml_errors(evidence: Evidence, found: Differences) -> Finding | None:
    """Return the share of an ar5iv reading's components of which LaTeXML says that it did not understand their TeX."""
    if evidence.reading.source != "ar5iv":
        return None
    names = evidence.reading.components
    said = {n.component: n.what for n in evidence.index.document.notices if n.severity != "info" and n.component in names}
    return (len(said) / len(names), "; ".join(said.values())) if said else None


def docling_confidence(evidence: Evidence, found: Differences) -> Finding | None:
    """Return what Docling's own confidence in a component lacks to 1, the mean of the components that have one."""
    if evidence.reading.source != "docling":
        return None
    parts = (*evidence.index.texts_of(evidence.reading), *evidence.index.floats_of(evidence.reading))
    stated = [c for part in parts if (c := part.provenance.confidence) is not None]
    if not stated:
        return None
    mean = sum(stated) / len(stated)
    return 1 - mean, f"Docling's own confidence is {mean:.2f}"


def out_of_order(evidence: Evidence, found: Differences) -> Finding | None:
    """Return the share of a source's text that stands elsewhere than two independent others say, where it does so here."""
    source = evidence.reading.source
    if evidence.position.id not in evidence.paper.orders.displaced.get(source, ()):
        return None
    share = 1 - evidence.paper.orders.share_in_order(source)
    return share, f"it stands elsewhere than two independent sources say, as does {share:.0%} of the source's text"
