"""A page picture small enough to stand in an HTML file: shades cut to sixteen, so that text stays sharp and packs well.

A page of text is anti-aliased in shades that nobody tells apart; with sixteen a channel it takes half to a third of the bytes,
and no letter gets the halo that JPEG gives it. Photographs, which do not pack, become JPEG. PyMuPDF is a codec here, no more.
"""

from __future__ import annotations

import base64
import struct
import zlib
from dataclasses import dataclass
from typing import Any

PICTURE_DPI = 144
"""Dots per inch of page pictures: two a point, sharp on a screen of twice the usual density and when zoomed to a table."""

COARSE_DPI = 108
"""Dots per inch of pictures of pages without tables, which are shown whole: half the bytes and time of the others."""

_STEPS = 15  # sixteen shades, 0..15
_STEP = 255 // _STEPS
_JPEG_QUALITY = 85
_EFFORT = 7  # of zlib: level 9 takes twice the time and saves a twenty-fifth of the bytes
_SHADES = bytes(round(i / _STEP) * _STEP for i in range(256))
_LOW_NIBBLE = bytes(round(i / _STEP) for i in range(256))
_HIGH_NIBBLE = bytes(round(i / _STEP) << 4 for i in range(256))
_GREY, _RGB = 0, 2  # PNG's colour types


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded picture: its media type and bytes."""

    media_type: str
    data: bytes

    def as_uri(self) -> str:
        """Return the picture as a ``data:`` address."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.data).decode('ascii')}"


def compact(png: bytes) -> Picture:
    """Return the picture in few bytes: 4-bit grey PNG without colour, else PNG of sixteen shades a channel or JPEG.

    Raises what PyMuPDF raises when the bytes are no picture.
    """
    import pymupdf

    pixmap: Any = pymupdf.Pixmap(png)
    if pixmap.alpha or pixmap.n != 3:
        return Picture("image/png", png)
    samples: bytes = pixmap.samples
    width, height = pixmap.width, pixmap.height
    red, green, blue = samples[0::3], samples[1::3], samples[2::3]
    if red == green == blue:
        return Picture("image/png", _grey_png(red, width, height))
    shaded = Picture("image/png", _rgb_png(samples.translate(_SHADES), width, height))
    photographic = Picture("image/jpeg", pixmap.tobytes("jpeg", jpg_quality=_JPEG_QUALITY))
    return min(shaded, photographic, key=lambda p: len(p.data))


def _grey_png(grey: bytes, width: int, height: int) -> bytes:
    """Return a PNG of two pixels a byte."""
    padding = b"\xff" * (width % 2)
    rows = []
    for y in range(height):
        row = grey[y * width : (y + 1) * width] + padding
        left = int.from_bytes(row[0::2].translate(_HIGH_NIBBLE), "big")
        right = int.from_bytes(row[1::2].translate(_LOW_NIBBLE), "big")
        rows.append((left | right).to_bytes(len(row) // 2, "big"))
    return _png(rows, width, height, depth=4, colour=_GREY)


def _rgb_png(samples: bytes, width: int, height: int) -> bytes:
    stride = 3 * width
    return _png([samples[y * stride : (y + 1) * stride] for y in range(height)], width, height, depth=8, colour=_RGB)


def _png(rows: list[bytes], width: int, height: int, *, depth: int, colour: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows), _EFFORT)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
