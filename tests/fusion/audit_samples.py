"""Fusions by hand for the tests of the audit log: a paper of a few paragraphs and a table, in two readings."""

from __future__ import annotations

from dataclasses import replace

from tests.document.document_samples import document_of, provenance, table_of, text
from variorum.fusion.model import Borrowed, Candidate, Decision, Fusion, Signal, Source, SourceRecord
from variorum.fusion.tenants import Tenant, load_tenant

LONG_TEXT = "Wheat was sown in rows of twelve and harvested by hand in the last week of July, as in the years before."


def tenant(name: str = "default") -> Tenant:
    """Return the default tenant under a name."""
    return replace(load_tenant("default"), name=name)


def sources(paragraphs: int = 3) -> tuple[Source, ...]:
    """Return a LaTeX source and a PDF that say the same."""
    found = []
    for kind in ("latex", "pdf"):
        parts = [text("paragraph", f"{LONG_TEXT} {n}", id=f"par-{n}") for n in range(1, paragraphs + 1)]
        found.append(
            Source(
                kind=kind,  # type: ignore[arg-type]
                name=f"paper.{kind}",
                sha256=kind.encode().hex().ljust(64, "0"),
                document=document_of(components=parts),
            )
        )
    return tuple(found)


def decided(n: int, winner: str = "latex") -> Decision:
    """Return the decision on a paragraph: two candidates, one of them lowered, a place borrowed."""
    both = (
        Candidate(source="latex", components=(f"par-{n}",), weight=0.8, score=0.8, text=f"{LONG_TEXT} {n}"),
        Candidate(
            source="pdf",
            components=(f"par-{n}",),
            weight=0.86,
            score=0.774,
            text=f"Wheat {n}",
            signals=(Signal(name="glued_words", factor=0.9, reason="1 of 10 words is two run together"),),
        ),
    )
    return Decision(
        position=f"flow-{n}",
        part="flow",
        type="paragraph",
        components=(f"par-{n}",),
        winner=winner,  # type: ignore[arg-type]
        candidates=both,
        reason="latex, 0.80, before pdf, 0.77 lowered from 0.86",
        borrowed=(Borrowed(attribute="place", source="pdf", components=(f"par-{n}",), value="page 1"),),
    )


def of_the_table() -> Decision:
    """Return the decision on a table that only the PDF has."""
    grid = table_of([["Year", "Yield"], ["1912", "3.4"]], id="tab-1", provenance=provenance())
    alone = Candidate(source="pdf", components=("tab-1",), weight=0.85, score=0.85, text="Year Yield", table=grid)
    return Decision(
        position="float-1",
        part="float",
        type="table",
        components=("tab-1",),
        winner="pdf",
        candidates=(alone,),
        reason="only pdf has it",
        is_sole=True,
    )


def fusion(tenant_name: str = "default", paragraphs: int = 3, winner: str = "latex") -> Fusion:
    """Return a fusion of `sources` with a decision a paragraph and one on a table."""
    given = sources(paragraphs)
    return Fusion(
        document=given[0].document,
        decisions=(*(decided(n, winner) for n in range(1, paragraphs + 1)), of_the_table()),
        left_overs=(),
        agreements=(),
        sources=tuple(
            SourceRecord(kind=s.kind, name=s.name, sha256=s.sha256, n_components=paragraphs, software="variorum 0.1.0")
            for s in given
        ),
        tenant=tenant_name,
        tenant_sha256=tenant(tenant_name).sha256,
        matrix_version="1.0",
        software="variorum 0.1.0",
    )
