"""Characters that a file format cannot hold, replaced where they can be seen."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n?")


def encodable(text: str) -> str:
    """Return the text with U+FFFD for half characters (lone surrogates), which UTF-8 cannot hold."""
    return _SURROGATE.sub("\ufffd", text)


def xml_legal(text: str) -> str:
    """Return the text with U+FFFD for characters that XML and HTML forbid, and every line end as a newline."""
    return _NOT_XML.sub("\ufffd", _LINE_ENDS.sub("\n", text))
