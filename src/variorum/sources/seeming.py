"""What bytes seem to be, for the message about a file that is not what it was given as.

A file is told by the signs that its format begins with (RFC 1952, APPNOTE.TXT of PKWARE, ISO 32000 and so on), a text by what
it begins with. How a source is read does not depend on it, only whether it is refused.
"""

from __future__ import annotations

import re
from typing import Final

_BEGINNINGS: Final = (
    (b"%PDF-", "a PDF"),
    (b"\x1f\x8b", "a gzip archive, as of a LaTeX source"),
    (b"PK\x03\x04", "a zip archive, as of a LaTeX source or a Word file"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%!PS", "PostScript"),
    (b"\xd0\xcf\x11\xe0", "an old Office file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"version https://git-lfs", "a pointer of Git LFS, without the file itself"),
)
_TAR_SIGN: Final = re.compile(rb".{257}ustar", re.DOTALL)
_HTML: Final = re.compile(
    rb"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_LATEX: Final = re.compile(rb"\\(?:documentclass|documentstyle|begin\s*\{document\}|section|chapter)\b")
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0b\x0e-\x19\x1c-\x1f]")
"""Control characters that no text has: all but white space, the end of a file, and escape."""
_BYTE_ORDER: Final = (b"\xff\xfe", b"\xfe\xff")
_MARK: Final = b"\xef\xbb\xbf"


def is_binary(data: bytes) -> bool:
    """Return whether bytes are no text in any encoding: not UTF-16 by its mark, not UTF-8, and with control characters."""
    if data.startswith(_BYTE_ORDER) or not _CONTROLS.search(data):
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def is_latex(data: bytes) -> bool:
    """Return whether bytes have a command that a LaTeX source has and hardly another file."""
    return _LATEX.search(data) is not None


def seems_to_be(data: bytes) -> str:
    """Return what bytes seem to be, in words that follow "seems to be": ``a PDF``, ``HTML``, ``data that is no text``."""
    for beginning, name in _BEGINNINGS:
        if data.startswith(beginning):
            return name
    if _TAR_SIGN.match(data):
        return "a tar archive, as of a LaTeX source"
    if is_binary(data):
        return "data that is no text"
    text = data.removeprefix(_MARK).lstrip()
    if not text:
        return "an empty file"
    if _HTML.match(text):
        return "HTML"
    if text.startswith(b"<"):
        return "XML"
    if text.startswith((b"{", b"[")):
        return "JSON"
    return "LaTeX" if is_latex(data) else "plain text"
