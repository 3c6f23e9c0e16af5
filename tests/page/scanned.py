"""Scanned papers made at test time: pages of a PDF as pictures in a new one, with what is to lie over or under them."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pymupdf
import pytest

REPORT = Path(__file__).resolve().parents[2] / "examples" / "technical-report" / "report.pdf"
Overlay = Callable[[Any, Any], None]
"""What is put on the new page (first) of the old one (second)."""

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="no program `tesseract`: apt-get install tesseract-ocr tesseract-ocr-eng"
)


def scan(source: Path, target: Path, *overlays: Overlay, pages: Sequence[int] | None = None, dpi: int = 300) -> Path:
    """Return a PDF whose pages are pictures of those of the source (0-based, None: all), each with the overlays."""
    with pymupdf.open(source) as old, pymupdf.open() as new:
        for index in range(old.page_count) if pages is None else pages:
            page = new.new_page(width=old[index].rect.width, height=old[index].rect.height)
            picture = old[index].get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY, alpha=False)
            page.insert_image(page.rect, stream=picture.tobytes("png"))
            for overlay in overlays:
                overlay(page, old[index])
        new.save(target)
    return target


def stamp(page: Any, _: Any) -> None:
    """Put "Downloaded from ..." at the foot of the page."""
    page.insert_text((40, page.rect.height - 20), "Downloaded from library.example.org on 1 April 2024", fontsize=8)


def good_layer(page: Any, old: Any) -> None:
    """Put the words of the old page under the picture, hidden, in their places."""
    for x0, _, _, y1, text, *_ in old.get_text("words"):
        page.insert_text((x0, y1), text, fontsize=8, render_mode=3)


def layer_of_noise(page: Any, old: Any) -> None:
    """Put as many hidden words of random letters, digits and signs in the places of the words."""
    chance = random.Random(old.number)
    for x0, _, _, y1, text, *_ in old.get_text("words"):
        noise = "".join(chance.choice("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP0123456789#;~^|") for _ in text)
        page.insert_text((x0, y1), noise, fontsize=8, render_mode=3)


def layer_of_random_words(page: Any, old: Any) -> None:
    """Put hidden words that look like words, and are none of the paper."""
    chance = random.Random(old.number)
    for x0, _, _, y1, text, *_ in old.get_text("words"):
        pairs = (chance.choice("bcdfghklmnprstvz") + chance.choice("aeiou") for _ in range(1 + len(text) // 2))
        page.insert_text((x0, y1), "".join(pairs), fontsize=8, render_mode=3)


def misplaced_layer(page: Any, old: Any) -> None:
    """Put the words of the old page, hidden, all over the empty left margin."""
    for n, (*_, text, _, _, _) in enumerate(old.get_text("words")):
        page.insert_text((1, n % old.rect.height), text, fontsize=2, render_mode=3)
