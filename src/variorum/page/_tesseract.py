"""The one door to Tesseract: the program is started for one picture, on one core, and its answer read as hOCR.

The program is called and not a binding: a crash or hang of it is that of another process, and languages are found where the
system keeps them. hOCR has what its TSV lacks: the writing line and the height of each line, and the box of every letter.
The same picture gives the same words: one thread, no adaptive state between pictures.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final
from xml.etree import ElementTree

from variorum.errors import UsageError
from variorum.geometry import Box

PROGRAM: Final = "tesseract"
_TITLE: Final = re.compile(r"(\w+)((?:\s+-?[\d.]+)+)")
_SCAN_LINES: Final = frozenset({"ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat"})
_XHTML: Final = "{http://www.w3.org/1999/xhtml}"


class RecognitionError(Exception):
    """Tesseract gave no answer for a picture: it failed, took too long, or said what cannot be read."""


@dataclass(frozen=True, slots=True)
class Tesseract:
    """The installed program: its version and the languages that it has data for, sorted."""

    version: str
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeenChar:
    """One recognised character and its box in pixels."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class SeenWord:
    """One recognised word: its box in pixels, Tesseract's confidence (0 to 100), and its characters, without white space."""

    text: str
    box: Box
    confidence: float
    chars: tuple[SeenChar, ...]


@dataclass(frozen=True, slots=True)
class SeenLine:
    """One recognised line of writing, in pixels: its box, height from the top of tall letters to the foot of low ones, and
    writing line (its y at the left edge of the box, and how much it sinks a pixel).

    `angle` is the direction in degrees counter-clockwise; `block` the position of its block of text.
    """

    box: Box
    height: float
    base_y: float
    slope: float
    angle: int
    block: int
    words: tuple[SeenWord, ...]


@dataclass(frozen=True, slots=True)
class SeenPage:
    """What Tesseract made of a picture: its lines in reading order, and the boxes that it takes for pictures, in pixels."""

    lines: tuple[SeenLine, ...]
    pictures: tuple[Box, ...]


@cache
def find_tesseract() -> Tesseract:
    """Return the installed program; raises UsageError when there is none, or it does not say what it is."""
    if shutil.which(PROGRAM) is None:
        raise UsageError(
            "Tesseract is not installed (there is no program `tesseract`)",
            where="--ocr",
            hint="apt-get install tesseract-ocr, brew install tesseract, or without --ocr",
        )
    try:
        version = _ask("--version").split("\n", 1)[0].removeprefix(PROGRAM).strip()
        languages = _ask("--list-langs").splitlines()[1:]
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(f"Tesseract does not start ({error})", where="--ocr", hint="tesseract --version") from error
    return Tesseract(version, tuple(sorted(name.strip() for name in languages if name.strip())))


def _ask(option: str) -> str:
    done = subprocess.run([PROGRAM, option], capture_output=True, check=True, text=True, stdin=subprocess.DEVNULL)
    return done.stdout or done.stderr  # old versions say it on stderr


def recognise(picture: bytes, language: str, dpi: int, patience_s: float) -> SeenPage:
    """Return what stands in a picture (PNM or PNG) of the resolution; raises RecognitionError.

    The program is ended when it has not answered within so many seconds.
    """
    command = [PROGRAM, "stdin", "stdout", "-l", language, "--dpi", str(dpi), "-c", "hocr_char_boxes=1", "hocr"]
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(command, input=picture, capture_output=True, env=environment, timeout=patience_s, check=False)
    except subprocess.TimeoutExpired as error:
        raise RecognitionError(f"no answer within {patience_s:g} s") from error
    except OSError as error:
        raise RecognitionError(f"it does not start: {error}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit code {done.returncode}"
        raise RecognitionError(f"{how}: {said[-1]}" if said else how)
    return read_hocr(done.stdout)


def read_hocr(data: bytes) -> SeenPage:
    """Return the lines and pictures of an hOCR page, as Tesseract 4 and 5 write it; raises RecognitionError."""
    try:
        root = ElementTree.fromstring(data)
        blocks = list(root.iter(f"{_XHTML}div"))
        lines = [_line(part, block) for block, area in enumerate(_of(blocks, "ocr_carea")) for part in _lines_in(area)]
        pictures = [_box(_title(part)["bbox"]) for part in _of(blocks, "ocr_photo")]
    except (ElementTree.ParseError, KeyError, ValueError) as error:
        raise RecognitionError(f"its answer cannot be read ({type(error).__name__}: {error})") from error
    return SeenPage(tuple(line for line in lines if line.words), tuple(pictures))


def _of(parts: list[ElementTree.Element], kind: str) -> Iterator[ElementTree.Element]:
    return (part for part in parts if part.get("class") == kind)


def _lines_in(area: ElementTree.Element) -> Iterator[ElementTree.Element]:
    return (part for part in area.iter(f"{_XHTML}span") if part.get("class") in _SCAN_LINES)


def _title(part: ElementTree.Element) -> dict[str, list[float]]:
    """Return the properties of an element: ``bbox 1 2 3 4; x_size 9`` and so on."""
    return {name: [float(v) for v in values.split()] for name, values in _TITLE.findall(part.get("title", ""))}


def _box(values: list[float]) -> Box:
    return Box.of(values)


def _line(part: ElementTree.Element, block: int) -> SeenLine:
    title = _title(part)
    box = _box(title["bbox"])
    slope, offset = title.get("baseline", [0.0, 0.0])
    angle = int(title.get("textangle", [0.0])[0])
    height = title.get("x_size", [box.height])[0]
    words = tuple(w for w in (_word(item) for item in part if item.get("class") == "ocrx_word") if w.text)
    return SeenLine(box, height, box.y1 + offset, slope, angle, block, words)


def _word(part: ElementTree.Element) -> SeenWord:
    title = _title(part)
    chars = tuple(
        SeenChar(text, _box(_title(item)["x_bboxes"]))
        for item in part.iter(f"{_XHTML}span")
        if item.get("class") == "ocrx_cinfo" and (text := "".join((item.text or "").split()))
    )
    return SeenWord("".join(c.text for c in chars), _box(title["bbox"]), title["x_wconf"][0], chars)
