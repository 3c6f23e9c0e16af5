"""Pages of the PDF as the report shows them: picture, words and rules, read again from the file.

A page or file that can't be read costs its picture, not the report: the reason stands in `problem`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from variorum.errors import VariorumError
from variorum.geometry import Box
from variorum.page.reader import PageHandle, PdfFile
from variorum.report.pictures import COARSE_DPI, PICTURE_DPI, compact


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSight:
    """What is seen of one page: size in points as displayed, picture as a ``data:`` address ('' without), words, rules."""

    page_num: int
    width: float = 0.0
    height: float = 0.0
    picture: str = ""
    words: tuple[Box, ...] = ()
    rules: tuple[Box, ...] = ()
    problem: str = ""


def see_pages(
    pdf_path: str, page_nums: Iterable[int], password: str | None, sha256: str, coarse: Collection[int] = ()
) -> tuple[dict[int, PageSight], str]:
    """Return what is seen of the pages by number, and what is wrong with the file ('' when nothing is).

    Of the `coarse` pages, into which nobody zooms, the pictures are smaller. `sha256` is that of the file that was read: when
    another file stands at the path by now, that is said, and its pages shown.
    """
    wanted = sorted(set(page_nums))
    if not wanted:
        return {}, ""
    try:
        pdf = PdfFile(pdf_path, password)
    except VariorumError as error:
        problem = f"The PDF could not be opened again, so there are no page pictures ({error.what})."
        return {n: PageSight(page_num=n, problem=problem) for n in wanted}, problem
    with pdf:
        sights = {n: _see(pdf, n, COARSE_DPI if n in coarse else PICTURE_DPI) for n in wanted}
        changed = (
            "The PDF has changed since it was read: the pictures may not fit what was read." if pdf.sha256 != sha256 else ""
        )
    return sights, changed


def _see(pdf: PdfFile, page_num: int, dpi: int) -> PageSight:
    try:
        handle = pdf.page(page_num - 1)
    except VariorumError as error:
        return PageSight(page_num=page_num, problem=f"The page could not be read ({error.what}).")
    try:
        evidence = handle.evidence
        picture, problem = _picture(handle, dpi)
        return PageSight(
            page_num=page_num,
            width=evidence.width,
            height=evidence.height,
            picture=picture,
            words=tuple(w.box for w in evidence.words),
            rules=tuple(r.box for r in evidence.rules),
            problem=problem,
        )
    except Exception as error:  # a page that can't be read again must not take the report with it
        return PageSight(page_num=page_num, problem=f"The page could not be read ({type(error).__name__}: {error}).")
    finally:
        handle.close()


def _picture(handle: PageHandle, dpi: int) -> tuple[str, str]:
    try:
        return compact(handle.render_png(dpi)).as_uri(), ""
    except Exception as error:  # whatever the library says of a broken page, the rest is shown
        return "", f"The page could not be drawn ({type(error).__name__}: {error})."
