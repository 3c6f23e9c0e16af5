"""Pages read by the recognition of their picture, where the text layer cannot be read.

What Tesseract sees becomes the words of the page, like those of any other: boxes from the writing line and the size of the
letters, the size from the height of the line. So tables and text are read from them as from any page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import mean, median
from typing import Final, Literal

from variorum.errors import UsageError
from variorum.geometry import Box
from variorum.page._tesseract import RecognitionError, SeenChar, SeenLine, SeenPage, SeenWord, find_tesseract, recognise
from variorum.page.model import Char, ImageBox, PageEvidence, Rule, Word
from variorum.page.picture import GreyPicture, rules_in
from variorum.page.reader import PageHandle
from variorum.page.scans import TextLayer
from variorum.page.turning import DOWNWARDS, UPWARDS
from variorum.thresholds import ASCENT_EM, COORDINATE_DIGITS, DESCENT_EM, OCR_FULL_CONFIDENCE

_LANGUAGE: Final = re.compile(r"[\w/]+(\+[\w/]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrOptions:
    """How pages without a text layer are read: the languages of the paper as Tesseract names them (``eng``, ``eng+deu``)."""

    language: str = "eng"


def check_ocr(options: OcrOptions) -> None:
    """Return when Tesseract is there with the languages; raises UsageError with what to install when it is not."""
    if not _LANGUAGE.fullmatch(options.language):
        raise UsageError(f"{options.language!r} names no languages", where="--ocr-language", hint="--ocr-language eng+deu")
    known = find_tesseract().languages
    missing = [name for name in options.language.split("+") if name not in known]
    if missing:
        raise UsageError(
            f"Tesseract has no data for the language {missing[0]!r}; it has {', '.join(known) or 'none at all'}",
            where="--ocr-language",
            hint=f"apt-get install tesseract-ocr-{missing[0].replace('_', '-')}, or another language",
        )


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """A page with the words of its picture, how many of them were left out as too unsure, and the mean confidence of the others
    in per cent (None without words)."""

    page: PageEvidence
    left_out: int
    confidence: float | None

    def sentence(self, layer: TextLayer, options: OcrOptions) -> str:
        """Return what is to be said of it: why, by what, and how sure."""
        by = f"Tesseract {find_tesseract().version}, {options.language}"
        if self.confidence is None:
            return f"the page was given to OCR ({by}), which found no words on it; before: {layer.reason}"
        sure = f"mean confidence {self.confidence:.0f} %"
        out = f"; {self.left_out} words below half of the full confidence are left out" if self.left_out else ""
        return f"the page was read by OCR ({by}, {sure}{out}), since its text layer is not usable: {layer.reason}"


def read_picture(
    page: PageEvidence, layer: TextLayer, picture: GreyPicture, options: OcrOptions, patience_s: float
) -> RecognisedPage:
    """Return the page with the words and rules of its picture.

    The words of a stamp are kept, and those of the picture in their places left out; of other layers nothing is kept. Images
    and painted letters under recognised words are the page itself and no pictures on it; what Tesseract takes for pictures is.
    Words of less than half of the full confidence, by Tesseract's own account, are left out. Raises RecognitionError.
    """
    seen = recognise(picture.as_pnm(), options.language, picture.dpi, patience_s)
    scale = _Scale(page.width / picture.width_px, page.height / picture.height_px)
    own = page.words if layer.kind == "stamp" else ()
    first_block = max((w.block for w in own), default=-1) + 1
    first_line = max((w.line for w in own), default=-1) + 1
    rules = page.rules
    if seen.lines and page.images:
        heights = median(line.height * scale.down for line in seen.lines)
        rules = _with_rules(rules, rules_in(picture, page.box, heights / (ASCENT_EM + DESCENT_EM)))
    words, sure, left_out = list(own), [], 0
    for number, line in enumerate(seen.lines):
        for whole, confidence in _words(line, scale, first_block + line.block, first_line + number):
            word = _without_rules(whole, rules)
            if word is None or any(stamp.box.contains_centre_of(word.box) for stamp in own):
                continue
            if 2 * confidence < OCR_FULL_CONFIDENCE:
                left_out += 1
                continue
            words.append(word)
            sure.append(confidence)
    recognised = words[len(own) :]
    return RecognisedPage(
        replace(
            page,
            words=tuple(words),
            rules=rules,
            images=(*_not_under(page.images, recognised), *_pictures(seen, scale)),
            drawings=_no_letters(page.drawings, recognised) if layer.kind == "outlined" else page.drawings,
        ),
        left_out,
        mean(sure) if sure else None,
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """Points a pixel, across and down."""

    across: float
    down: float

    def box(self, box: Box) -> Box:
        return Box(box.x0 * self.across, box.y0 * self.down, box.x1 * self.across, box.y1 * self.down).rounded(
            COORDINATE_DIGITS
        )


def _words(line: SeenLine, scale: _Scale, block: int, number: int) -> Iterator[tuple[Word, float]]:
    """Yield the words of a line with their confidences."""
    is_sideways = line.angle in (UPWARDS, DOWNWARDS)
    pixel = scale.across if is_sideways else scale.down
    size = round(2 * line.height * pixel / (ASCENT_EM + DESCENT_EM)) / 2 or line.height * pixel
    for seen in line.words:
        chars = tuple(_char(c, seen, line, scale, size) for c in seen.chars)
        box = Box.around(c.box for c in chars)
        angle = line.angle if is_sideways or not line.angle else -1
        yield Word(seen.text, box, chars[0].baseline, size, "", angle, block, number, chars), seen.confidence


def _char(seen: SeenChar, word: SeenWord, line: SeenLine, scale: _Scale, size: float) -> Char:
    """Return a character as high as all others of its size, on the writing line."""
    up, down = ASCENT_EM * size, DESCENT_EM * size
    box = scale.box(seen.box)
    if line.angle == UPWARDS:
        baseline = scale.box(line.box).x1 - down
        box = Box(baseline - up, box.y0, baseline + down, box.y1)
    elif line.angle == DOWNWARDS:
        baseline = scale.box(line.box).x0 + down
        box = Box(baseline - down, box.y0, baseline + up, box.y1)
    else:
        middle = word.box.centre[0]
        baseline = (line.base_y + line.slope * (middle - line.box.x0)) * scale.down
        box = Box(box.x0, baseline - up, box.x1, baseline + down)
    return Char(seen.text, box.rounded(COORDINATE_DIGITS), round(baseline, COORDINATE_DIGITS), size, "")


def _without_rules(word: Word, rules: tuple[Rule, ...]) -> Word | None:
    """Return the word without signs at its ends that are an upright rule of the page; None when nothing is left of it."""
    chars = list(word.chars)
    while chars and _is_rule(chars[0], rules):
        del chars[0]
    while chars and _is_rule(chars[-1], rules):
        del chars[-1]
    if len(chars) == len(word.chars):
        return word
    if not chars:
        return None
    return replace(word, text="".join(c.text for c in chars), box=Box.around(c.box for c in chars), chars=tuple(chars))


def _is_rule(char: Char, rules: tuple[Rule, ...]) -> bool:
    """Return whether a sign that is no letter or digit lies on an upright rule that runs past it."""
    across, down = char.box.x_interval, char.box.y_interval
    return not char.text.isalnum() and any(
        rule.orientation == "vertical" and across.contains(rule.position) and rule.start <= down.middle <= rule.end
        for rule in rules
    )


def _with_rules(rules: tuple[Rule, ...], seen: tuple[Rule, ...]) -> tuple[Rule, ...]:
    return tuple(sorted((*rules, *seen), key=lambda r: (r.orientation, r.position, r.start)))


def _not_under(images: tuple[ImageBox, ...], words: list[Word]) -> tuple[ImageBox, ...]:
    return tuple(i for i in images if not any(i.box.contains_centre_of(w.box) for w in words))


def _no_letters(drawings: tuple[Box, ...], words: list[Word]) -> tuple[Box, ...]:
    """Return the shapes that are neither letters of the words nor whole lines of them."""
    return tuple(d for d in drawings if not any(w.box.contains_centre_of(d) or d.contains_centre_of(w.box) for w in words))


def _pictures(seen: SeenPage, scale: _Scale) -> tuple[ImageBox, ...]:
    return tuple(ImageBox(scale.box(b), round(b.width), round(b.height)) for b in seen.pictures)


# ---- one page of a file -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScanNotice:
    """What is to be said of a page without a usable text layer, how grave it is, and whether OCR has read words on it."""

    severity: Literal["info", "warning", "error"]
    what: str
    is_read: bool = False


def read_scan(handle: PageHandle, options: OcrOptions | None, patience_s: float) -> ScanNotice | None:
    """Return what is to be said of a page whose text layer is not usable; None where it is.

    With options the page is given to OCR first, and the handle has the words that were recognised from then on. A fault of
    Tesseract costs these words, not the page. `patience_s` are the seconds that Tesseract has.
    """
    try:
        layer = handle.text_layer
        if layer.is_usable:
            return None
        if options is None:
            return ScanNotice("warning", f"{_FAULTS[layer.kind]} ({layer.reason}); --ocr has it read by Tesseract")
        read = read_picture(handle.evidence, layer, handle.picture(), options, patience_s)
        if read.confidence is not None:
            handle.adopt(read.page)
    except RecognitionError as error:
        return ScanNotice("error", f"the page has no usable text layer, and Tesseract could not read it ({error})")
    except Exception as error:  # whatever a library says of a picture: the page is read without it
        return ScanNotice("error", f"the picture of the page could not be read ({type(error).__name__}: {error})")
    is_read = read.confidence is not None
    return ScanNotice("info" if is_read else "warning", read.sentence(layer, options), is_read)


_FAULTS: Final[dict[str, str]] = {
    "absent": "the page has images and no text (a scan?): nothing can be read from it",
    "stamp": "the page is a picture with a few words on it (a scan with a stamp?): only these are read",
    "garbled": "the text of the page is garbled (a bad text layer?): what is read from it is not to be trusted",
    "outlined": "the page has painted shapes and no text (letters as outlines?): nothing can be read from it",
}
