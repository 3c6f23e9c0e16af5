"""Opening a PDF and reading its pages, each once.

`PdfFile` owns the PyMuPDF document; `PageHandle` is one page of it: the parsed evidence, and the door for methods that
ask a library. Both are cheap until used. Every fault of the input becomes an error of the family with what to try.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

from variorum.errors import DamagedInputError, EncryptedInputError, InputNotFoundError, PageRangeError
from variorum.geometry import Box
from variorum.page._camelot import camelot_grids
from variorum.page._pdfplumber import PlumbedPage
from variorum.page._pymupdf import forget_pages, layout_model, outlined_characters, pymupdf
from variorum.page.alone import crop_to_shown, page_alone
from variorum.page.hidden import part_hidden
from variorum.page.large_signs import large_signs, may_hold_large_signs
from variorum.page.model import ImageBox, LibraryGrid, PageEvidence, PlainChar, Word
from variorum.page.painted import Painted
from variorum.page.picture import GreyPicture
from variorum.page.reprint import page_of
from variorum.page.rules import graphics_of
from variorum.page.scans import PaperWords, TextLayer, text_layer
from variorum.page.underscores import with_underscores
from variorum.page.words import words_of
from variorum.thresholds import COORDINATE_DIGITS, MAX_OCR_PIXELS, OCR_DPI, PDF_HEADER_BYTES, POINTS_PER_INCH

DAMAGE_SIGNS = ("zlib error", "syntax error", "unknown keyword", "premature end", "corrupt")


class PageHandle:
    """One page of an open PDF: `evidence` is parsed on first use and kept; library grids are asked once per strategy
    and region."""

    def __init__(self, pdf: PdfFile, page_index: int) -> None:
        self._pdf = pdf
        self._page_index = page_index
        self._grids: dict[tuple[str, Box | None], tuple[LibraryGrid, ...]] = {}
        self.is_recognised = False
        self._shown: Any = None

    @property
    def page_index(self) -> int:
        """Return the 0-based index of the page."""
        return self._page_index

    @cached_property
    def _live(self) -> Any:
        page = self._pdf.live[self._page_index]
        if page.rotation:
            # taking the rotation away moves a page whose crop box is not its whole: the crop becomes the whole first
            crop_to_shown(page)
            page.remove_rotation()
            page = self._pdf.live.reload_page(page)
        return page

    @cached_property
    def evidence(self) -> PageEvidence:
        """Return all that was read from the page; what could not be read stands in its `warnings`."""
        return _read_evidence(self._live, self._page_index)

    @cached_property
    def text_layer(self) -> TextLayer:
        """Return what the text of the page is worth, as the PDF has it."""
        return text_layer(self.evidence, _LayerFacts(self._live, self.evidence, self._pdf))

    def found_grids(self, strategy: str, clip: Box | None = None) -> tuple[LibraryGrid, ...]:
        """Return the tables that PyMuPDF's ``find_tables`` sees with the strategy, sorted by place; boxes as displayed."""
        key = (strategy, clip)
        if strategy != "text" and not self._has_edges_that_meet:
            return ()
        if key not in self._grids:
            area = pymupdf().Rect(*clip.as_tuple()) if clip else None
            found = self._live.find_tables(strategy=strategy, clip=area)
            self._grids[key] = tuple(sorted((_grid(t) for t in found.tables), key=lambda g: g.bbox))
        return self._grids[key]

    @property
    def _has_edges_that_meet(self) -> bool:
        """Whether rules of both directions, or shaded areas, are drawn: without them no cell has four edges, and a search for
        drawn tables finds none."""
        page = self.evidence
        return bool(page.fills) or len({rule.orientation for rule in page.rules}) > 1

    def camelot_grids(self, flavor: str, region: Box | None = None) -> tuple[LibraryGrid, ...]:
        """Return the tables that camelot sees with the flavor (``lattice``, ``hybrid``, ``network``), sorted by place; boxes
        as displayed. With a region it is told that the table lies there."""
        key = (f"camelot {flavor}", region)
        if key not in self._grids:
            self._grids[key] = camelot_grids(self._alone, flavor, *self._size, region)
        return self._grids[key]

    def pdfplumber_grids(self, strategy: str, clip: Box | None = None) -> tuple[LibraryGrid, ...]:
        """Return the tables that pdfplumber sees with the strategy (``lines``, ``text``), sorted by place; boxes as
        displayed."""
        key = (f"pdfplumber {strategy}", clip)
        if key not in self._grids:
            self._grids[key] = self._plumbed.grids(strategy, clip)
        return self._grids[key]

    @cached_property
    def pdfminer_chars(self) -> tuple[PlainChar, ...]:
        """Return the characters of the page as pdfminer reads them, in the PDF's order, without white space and without those
        of hidden words."""
        hidden = [word.box for word in self.evidence.hidden]
        if not hidden:
            return self._plumbed.chars
        return tuple(c for c in self._plumbed.chars if not any(box.contains_centre_of(c.box) for box in hidden))

    @cached_property
    def _alone(self) -> bytes:
        return page_alone(self._live)

    @cached_property
    def _plumbed(self) -> PlumbedPage:
        return PlumbedPage(self._alone, *self._size)

    @property
    def _size(self) -> tuple[float, float]:
        return float(self._live.rect.width), float(self._live.rect.height)

    @cached_property
    def _layout(self) -> tuple[Any, ...]:
        """The groups of the layout model, kept: tables carry the lines of the grid model."""
        return tuple(layout_model()(self._live, return_raw=True) or ())

    @cached_property
    def layout_boxes(self) -> tuple[tuple[str, Box], ...]:
        """Return the boxes of PyMuPDF's bundled layout model as (class, box), by place; its text is not used (see
        `_pymupdf`)."""
        found = [(str(g["class_name"]), Box.of(g["group_bbox"]).rounded(COORDINATE_DIGITS)) for g in self._layout]
        return tuple(sorted(found, key=lambda x: (x[1], x[0])))

    @cached_property
    def model_grids(self) -> tuple[LibraryGrid, ...]:
        """Return the tables of the layout model with the cells that PyMuPDF's bundled grid model makes in them, by place."""
        return tuple(sorted(filter(None, map(_model_grid, self._layout)), key=lambda g: g.bbox))

    def render_png(self, dpi: int, clip: Box | None = None) -> bytes:
        """Return the page (or the clip, in points) as PNG bytes at the resolution."""
        area = pymupdf().Rect(*clip.as_tuple()) if clip else None
        shown = self._live if self._shown is None else self._shown
        data: bytes = shown.get_pixmap(dpi=dpi, clip=area, alpha=False).tobytes("png")
        return data

    def picture(self) -> GreyPicture:
        """Return the page as a picture in grey for OCR, without what is hidden; of a page too large for it at a lower
        resolution."""
        mu, page = pymupdf(), self.evidence
        most = MAX_OCR_PIXELS / page.box.area * POINTS_PER_INCH**2 if page.box.area else OCR_DPI
        dpi = max(1, min(OCR_DPI, int(math.sqrt(most))))
        found = self._live.get_pixmap(dpi=dpi, colorspace=mu.csGRAY, alpha=False)
        return GreyPicture(int(found.width), int(found.height), bytes(found.samples), dpi)

    def adopt(self, evidence: PageEvidence) -> None:
        """Take the evidence for the page's own from now on, and show libraries a page with its words and rules only.

        For a page that was read by OCR: libraries then see the words that were recognised, as text, and no hidden ones.
        """
        self._shown = self._live
        self._live = page_of(evidence)
        self.evidence = evidence
        self.is_recognised = True

    def close(self) -> None:
        """Drop the parsed page and everything kept with it."""
        self.is_recognised, self._shown = False, None
        self.__dict__.pop("_live", None)
        self.__dict__.pop("evidence", None)
        if "_plumbed" in self.__dict__:
            self._plumbed.close()
        for kept in ("text_layer", "layout_boxes", "model_grids", "pdfminer_chars", "_layout", "_alone", "_plumbed"):
            self.__dict__.pop(kept, None)
        self._grids.clear()
        forget_pages()


def load_library() -> None:
    """Return once the library that reads pages is imported and set up, which takes half a second the first time."""
    pymupdf()


class PdfFile:
    """An open PDF. Use as a context manager; raises an error of the family when the file can't be read."""

    def __init__(self, path: str | Path, password: str | None = None) -> None:
        self.path = Path(path)
        self.data = _read_bytes(self.path)
        self.sha256 = hashlib.sha256(self.data).hexdigest()
        self.live = self._open(password)
        self.page_count = self._count_pages()
        self.is_repaired: bool = bool(self.live.is_repaired)
        if self.page_count == 0:
            self.live.close()
            if self.is_repaired:
                raise DamagedInputError(
                    "damaged: no page could be found in it", where=str(self.path), hint="another copy of the file"
                )
            raise PageRangeError("the document has no pages", where=str(self.path), hint="another copy of the file")

    def _count_pages(self) -> int:
        try:
            return int(self.live.page_count)
        except Exception as error:  # a broken page tree, whatever the library calls it
            self.live.close()
            where = str(self.path)
            raise DamagedInputError(
                f"damaged: its pages cannot be counted ({error})", where=where, hint="another copy of the file"
            ) from error

    def _open(self, password: str | None) -> Any:
        mu, where = pymupdf(), str(self.path)
        try:
            live = mu.open(stream=self.data, filetype="pdf")
        except Exception as error:  # every fault of the library means the same to the user: unreadable
            raise DamagedInputError(
                f"damaged beyond reading ({error})", where=where, hint="another copy of the file"
            ) from error
        if live.needs_pass:
            if password is None:
                live.close()
                raise EncryptedInputError("the file is encrypted", where=where, hint="--password")
            if not live.authenticate(password):
                live.close()
                raise EncryptedInputError("the password does not open the file", where=where, hint="another --password")
        return live

    @cached_property
    def words(self) -> PaperWords:
        """Return the words of all pages, as they are compared; a page whose text cannot be read has none."""
        return PaperWords([_plain_text(self.live, i) for i in range(self.page_count)])

    def __enter__(self) -> PdfFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the document; handles of its pages are dead afterwards."""
        self.live.close()

    def page(self, page_index: int) -> PageHandle:
        """Return the handle of one page, by 0-based index; raises PageRangeError outside the document."""
        if not 0 <= page_index < self.page_count:
            raise PageRangeError(
                f"page {page_index + 1} is outside the document, which has {self.page_count} pages",
                where=str(self.path),
                hint=f"--pages 1-{self.page_count}",
            )
        return PageHandle(self, page_index)

    def pages(self) -> Iterator[PageHandle]:
        """Return handles of all pages, in order."""
        return (self.page(i) for i in range(self.page_count))


def _read_bytes(path: Path) -> bytes:
    where = str(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise InputNotFoundError("no such file", where=where, hint="check the path") from error
    except IsADirectoryError as error:
        raise InputNotFoundError("is a folder, not a PDF", where=where, hint="a PDF in it") from error
    except OSError as error:
        raise InputNotFoundError(f"cannot be read ({error.strerror})", where=where, hint="check the permissions") from error
    if not data:
        raise DamagedInputError("the file is empty", where=where, hint="another copy of the file")
    if b"%PDF" not in data[:PDF_HEADER_BYTES]:
        raise DamagedInputError("not a PDF (it does not begin with %PDF)", where=where, hint="a PDF file")
    return data


class _LayerFacts(Painted):
    """What is painted on a page, and the words of its paper."""

    def __init__(self, live: Any, page: PageEvidence, pdf: PdfFile) -> None:
        super().__init__(live, page)
        self._pdf = pdf

    def paper_words(self) -> PaperWords:
        return self._pdf.words


def _plain_text(live: Any, page_index: int) -> str:
    try:
        text: str = live[page_index].get_text("text")
    except Exception:  # said of that page when it is read
        return ""
    return text


def _grid(table: Any) -> LibraryGrid:
    rows = tuple(tuple(Box.of(c) if c else None for c in row.cells) for row in table.rows)
    return LibraryGrid(Box.of(table.bbox), rows)


def _model_grid(group: Any) -> LibraryGrid | None:
    """Return the grid of a table group of the layout model, or None for other groups; its lines count from the group's
    upper left corner."""
    lines = group.get("table_grid")
    if group["class_name"] != "table" or lines is None:
        return None
    box = Box.of(group["group_bbox"])
    xs = [box.x0, *sorted(box.x0 + float(x) for x in lines.v_lines if 0 < x < box.width), box.x1]
    ys = [box.y0, *sorted(box.y0 + float(y) for y in lines.h_lines if 0 < y < box.height), box.y1]
    rows = tuple(
        tuple(Box(x0, y0, x1, y1).rounded(COORDINATE_DIGITS) for x0, x1 in itertools.pairwise(xs))
        for y0, y1 in itertools.pairwise(ys)
    )
    return LibraryGrid(box.rounded(COORDINATE_DIGITS), rows)


def _label_text(label: str) -> str | None:
    """Return a page label as text, None for an empty one; PyMuPDF gives some as raw UTF-16 in hex digits (``<FEFF0031>``)."""
    if label.startswith("<FEFF") and label.endswith(">"):
        label = bytes.fromhex(label[1:-1]).decode("utf-16")
    return label or None


def _read_evidence(page: Any, page_index: int) -> PageEvidence:
    mu = pymupdf()
    warnings: list[str] = []
    mu.TOOLS.reset_mupdf_warnings()
    area = Box(0.0, 0.0, float(page.rect.width), float(page.rect.height))
    try:
        flags = mu.TEXT_PRESERVE_LIGATURES | mu.TEXT_PRESERVE_WHITESPACE | mu.TEXT_MEDIABOX_CLIP
        raw = page.get_text("rawdict", flags=flags)
        words = words_of(raw, large_signs(outlined_characters(page, flags)) if may_hold_large_signs(raw) else {})
    except Exception as error:
        words = ()
        warnings.append(f"the text of the page could not be read ({type(error).__name__}: {error})")
    damage = [line for line in mu.TOOLS.mupdf_warnings().splitlines() if any(sign in line for sign in DAMAGE_SIGNS)]
    if damage:
        warnings.append(f"a part of the page is damaged; text may be missing ({damage[0]})")
    words = tuple(w for w in words if area.contains_centre_of(w.box))
    text_size = min((w.size for w in words if w.size > 0), default=1.0)
    try:
        graphics = graphics_of(page.get_drawings(), area, text_size)
        rules, fills, drawings = graphics.rules, graphics.fills, graphics.drawings
        segment_count = graphics.segment_count
        words, rules = with_underscores(words, rules)
        if graphics.truncated:
            warnings.append("the page has more vector graphics than are read; rules may be missing")
    except Exception as error:
        rules, fills, drawings, segment_count = (), (), (), 0
        warnings.append(f"the graphics of the page could not be read ({type(error).__name__}: {error})")
    try:
        images = tuple(
            ImageBox(Box.of(i["bbox"]).rounded(COORDINATE_DIGITS), int(i["width"]), int(i["height"]))
            for i in page.get_image_info()
        )
    except Exception as error:
        images = ()
        warnings.append(f"the images of the page could not be read ({type(error).__name__}: {error})")
    words, hidden = part_hidden(words, (*(i.box for i in images), *drawings, *fills))
    if hidden:
        count = f"{len(hidden)} words that nobody sees" if len(hidden) > 1 else "a word that nobody sees"
        warnings.append(f"the page holds {count} (not painted, or white); kept apart from the text: {_first_line(hidden)}")
    try:
        label = _label_text(page.get_label())
    except Exception:  # a damaged label tree is no reason to lose the page; the label is then unknown
        label = None
    return PageEvidence(
        page_index,
        area.width,
        area.height,
        words,
        rules,
        images,
        fills,
        drawings,
        label,
        tuple(warnings),
        segment_count,
        hidden,
    )


def _first_line(words: Sequence[Word]) -> str:
    """Return the words that stand on the line of the first, in quotation marks; an ellipsis for the rest."""
    own = [w.text for w in words if (w.block, w.line) == (words[0].block, words[0].line)]
    return f"“{' '.join(own)}{' …' if len(own) < len(words) else ''}”"
