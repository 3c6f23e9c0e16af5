"""One call from the files of a paper to its fusion, for Python; the command has the same steps."""

from __future__ import annotations

from pathlib import Path

from variorum.fusion.alignment import align
from variorum.fusion.fusing import check_required
from variorum.fusion.fusing import fuse as fuse_sources
from variorum.fusion.loading import Progress, load_sources
from variorum.fusion.model import Fusion
from variorum.fusion.sameness import check_same_paper
from variorum.fusion.tenants import Tenant, load_tenant


def fuse(
    *,
    pdf: str | Path | None = None,
    ar5iv: str | Path | None = None,
    latex: str | Path | None = None,
    docling: str | Path | None = None,
    tenant: str | Path | Tenant = "default",
    tenants: str | Path | None = None,
    force: bool = False,
    password: str | None = None,
    config: str = "default",
    jobs: int = 1,
    progress: Progress | None = None,
) -> Fusion:
    """Return the fusion of one paper's sources: its `document`, and every decision that led to it.

    The sources and `password`, `config`, `jobs`, `progress` are those of `variorum.fusion.loading.load_sources`. `tenant` is a
    name, a TOML file or a `Tenant`; names are also looked for in the folder `tenants`. With `force` sources are fused that seem
    to be of different papers.

    Raises UsageError without a source or one that the tenant requires, ConfigError for a tenant that cannot be read,
    DifferentPapersError for a source of another paper; and what reading a source raises.
    """
    rules = tenant if isinstance(tenant, Tenant) else load_tenant(tenant, tenants)
    given = {"latex": latex, "ar5iv": ar5iv, "docling": docling, "pdf": pdf}
    check_required([kind for kind, path in given.items() if path is not None], rules)
    sources = load_sources(
        pdf=pdf,
        ar5iv=ar5iv,
        latex=latex,
        docling=docling,
        password=password,
        config=config,
        jobs=jobs,
        progress=progress,
    )
    alignment = align(sources)
    check_same_paper(sources, alignment, force=force)
    return fuse_sources(sources, rules, alignment)
