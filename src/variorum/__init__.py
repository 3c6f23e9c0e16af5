"""variorum: reads scientific papers, text and tables, with many independent methods that vote, and keeps the votes.

    import variorum

    document = variorum.extract("paper.pdf")
    document.to_markdown()
    document.tables[0].to_dataframe()

    fusion = variorum.fuse(pdf="paper.pdf", ar5iv="paper.html", latex="source.tar.gz")
    fusion.document.to_markdown()

Importing the package loads no heavy library; the first call of `extract` or `fuse` does.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from variorum._version import __version__

if TYPE_CHECKING:
    from variorum.extraction import extract
    from variorum.fusion.paper import fuse
    from variorum.page.ocr import OcrOptions

# onnxruntime, which runs the models of layout and search, keeps an id of the machine under the home folder and sends events to
# its maker as soon as it is imported, unless this is set before. A user's own setting stands.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

__all__ = ["OcrOptions", "__version__", "extract", "fuse"]


def __getattr__(name: str) -> object:
    """Return `extract`, `fuse` or `OcrOptions` from its room when it is first asked for (PEP 562)."""
    if name == "extract":
        from variorum.extraction import extract

        globals()["extract"] = extract
        return extract
    if name == "fuse":
        from variorum.fusion.paper import fuse

        globals()["fuse"] = fuse
        return fuse
    if name == "OcrOptions":
        from variorum.page.ocr import OcrOptions

        globals()["OcrOptions"] = OcrOptions
        return OcrOptions
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
