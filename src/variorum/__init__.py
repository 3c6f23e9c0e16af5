"""variorum: reads scientific papers, text and tables, with many independent methods that vote, and keeps the votes.

    import variorum

    document = variorum.extract("paper.pdf")
    document.to_markdown()
    document.tables[0].to_dataframe()

Importing the package loads no heavy library; the first call of `extract` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from variorum._version import __version__

if TYPE_CHECKING:
    from variorum.extraction import extract
    from variorum.page.ocr import OcrOptions

__all__ = ["OcrOptions", "__version__", "extract"]


def __getattr__(name: str) -> object:
    """Return `extract` or `OcrOptions` from its room when it is first asked for (PEP 562)."""
    if name == "extract":
        from variorum.extraction import extract

        globals()["extract"] = extract
        return extract
    if name == "OcrOptions":
        from variorum.page.ocr import OcrOptions

        globals()["OcrOptions"] = OcrOptions
        return OcrOptions
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
