r"""Values that TeX's own commands take without braces: ``\looseness=-1``, ``\parindent 0pt``, ``\vskip 2pt plus 1pt``.

They are settings and print nothing. What belongs to a value is what TeX reads as one (Knuth, The TeXbook, chapters 24 and 25):
signs, digits or a register, a unit, and for glue what it stretches and shrinks by.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from variorum.layout.whole_numbers import whole_number
from variorum.sources.latex_tree import Node, Reader

_NUMBERS: Final = """
    looseness tolerance pretolerance hyphenpenalty exhyphenpenalty linepenalty clubpenalty widowpenalty displaywidowpenalty
    brokenpenalty binoppenalty relpenalty predisplaypenalty postdisplaypenalty interlinepenalty interfootnotelinepenalty
    floatingpenalty outputpenalty doublehyphendemerits finalhyphendemerits adjdemerits hangafter hbadness vbadness
    delimiterfactor fam language lefthyphenmin righthyphenmin uchyph escapechar endlinechar newlinechar defaulthyphenchar
    spacefactor errorcontextlines pdfoutput pdfcompresslevel pdfminorversion pdfsuppresswarningpagegroup pdfadjustspacing
    pdfprotrudechars tracingonline tracingmacros tracingparagraphs tracingpages showboxdepth showboxbreadth variorumcount
"""
_LENGTHS: Final = """
    hsize vsize parindent parskip baselineskip lineskip lineskiplimit normalbaselineskip leftskip rightskip hangindent hoffset
    voffset hfuzz vfuzz overfullrule emergencystretch maxdepth splitmaxdepth boxmaxdepth prevdepth mathsurround
    nulldelimiterspace delimitershortfall displayindent displaywidth predisplaysize abovedisplayskip belowdisplayskip
    abovedisplayshortskip belowdisplayshortskip topskip splittopskip tabskip parfillskip spaceskip xspaceskip thinmuskip
    medmuskip thickmuskip textwidth textheight linewidth columnwidth columnsep columnseprule topmargin oddsidemargin
    evensidemargin headheight headsep footskip footnotesep textfloatsep floatsep intextsep dbltextfloatsep dblfloatsep
    abovecaptionskip belowcaptionskip tabcolsep arraycolsep arrayrulewidth doublerulesep extrarowheight itemsep parsep topsep
    partopsep leftmargin rightmargin leftmargini labelsep labelwidth itemindent listparindent fboxsep fboxrule jot
    marginparwidth marginparsep marginparpush unitlength paperwidth paperheight pdfpagewidth pdfpageheight bibsep bibhang
    aboverulesep belowrulesep cmidrulekern heavyrulewidth lightrulewidth LTcapwidth variorumskip
"""
_NUMBERED: Final = ("\\count", "\\dimen", "\\skip", "\\muskip", "\\wd", "\\ht", "\\dp")
ARGUMENTS: Final = {
    **dict.fromkeys(("\\" + name for name in _NUMBERS.split()), "n"),
    **dict.fromkeys(("\\" + name for name in _LENGTHS.split()), "="),
    **dict.fromkeys(("\\vskip", "\\hskip", "\\kern", "\\mkern", "\\mskip"), "l"),
    **dict.fromkeys(("\\raise", "\\lower", "\\moveleft", "\\moveright"), "l"),
    **dict.fromkeys(("\\penalty", "\\box", "\\copy", "\\unhbox", "\\unvbox", "\\unhcopy", "\\unvcopy"), "#"),
    **dict.fromkeys(("\\count", "\\catcode", "\\lccode", "\\uccode", "\\mathcode", "\\sfcode", "\\delcode"), "#n"),
    **dict.fromkeys(("\\dimen", "\\skip", "\\muskip", "\\wd", "\\ht", "\\dp"), "#="),
    **dict.fromkeys(("\\hyphenchar", "\\skewchar"), "cn"),
    **dict.fromkeys(("\\advance", "\\multiply", "\\divide"), "y"),
    **dict.fromkeys(("\\hrule", "\\vrule"), "w"),
    **dict.fromkeys(("\\vbox", "\\vtop", "\\vcenter"), "x"),
    **dict.fromkeys(("\\everypar", "\\everymath", "\\everydisplay", "\\everyhbox", "\\everyvbox", "\\everycr"), "e"),
    "\\fontdimen": "#c=",
    "\\parshape": "p",
}
"""By command what follows it, in the letters of `skip_value`."""

KINDS: Final = "ln=#cywxep"
_UNITS: Final = ("filll", "fill", "fil", "pt", "em", "ex", "cm", "mm", "in", "bp", "pc", "sp", "mu", "dd", "cc", "px")
_CONSTANTS: Final = ("\\z@", "\\p@", "\\m@ne", "\\@M", "\\@m", "\\maxdimen", "\\fill", "\\z@skip")
_COUNTS: Final = frozenset(["\\count", *("\\" + name for name in _NUMBERS.split())])
_REGISTERS: Final = frozenset([*_CONSTANTS, *("\\" + name for name in (*_NUMBERS.split(), *_LENGTHS.split()))])
_DIGITS: Final = "0123456789"


def skip_value(reader: Reader, kind: str) -> None:
    """Return nothing, with the reader behind a value, where one of this kind follows; else it stays where it is.

    ``l`` a length with what it stretches by, ``=`` the assignment of one, ``#`` a number, ``n`` the assignment of one, ``c`` a
    command, ``y`` a register and by what it changes, ``w`` the measures of a rule, ``x`` the measure of a box, ``e`` the
    assignment of tokens in braces, ``p`` the shape of a paragraph: a number, and two lengths for each of so many lines.
    """
    if kind == "l":
        _glue(reader)
    elif kind == "#":
        _number(reader)
    elif kind in "=n":
        _assigned(reader, is_length=kind == "=")
    elif kind == "c":
        _command(reader)
    elif kind == "y":
        register = _command(reader)
        if register:
            _word(reader, ("by",))
            _number(reader) if register in _COUNTS else _glue(reader)
    elif kind == "w":
        while _measure(reader, ("height", "width", "depth")):
            pass
    elif kind == "x":
        _measure(reader, ("to", "spread"))
    elif kind == "e":
        _equals(reader)
        reader.group()
    elif kind == "p":
        _paragraph_shape(reader)


def _paragraph_shape(reader: Reader) -> None:
    """Take the number of lines, where it is given in figures, and the indent and the width of each."""
    mark = reader.at
    _assigned(reader, is_length=False)
    digits = "".join(item for item in reader.items[mark : reader.at] if isinstance(item, str) and item in _DIGITS)
    for _ in range(whole_number(digits) or 0):
        for _side in ("indent", "width"):
            _spaces(reader)
            if not _length(reader):
                return


def _assigned(reader: Reader, *, is_length: bool) -> None:
    mark = reader.at
    is_given = _equals(reader)
    if not (_glue(reader) if is_length else _number(reader)) and not is_given:
        reader.at = mark


def _equals(reader: Reader) -> bool:
    mark = reader.at
    _spaces(reader)
    if reader.peek() == "=":
        reader.at += 1
        return True
    reader.at = mark
    return False


def _command(reader: Reader) -> str:
    """Return the command that follows, "" where none does, and take it with its number where it has one (``\\count0``)."""
    mark = reader.at
    _spaces(reader)
    item = reader.peek()
    if isinstance(item, str) and item[0] == "\\":
        reader.at += 1
        if item in _NUMBERED:
            _number(reader)
        return item
    reader.at = mark
    return ""


def _number(reader: Reader) -> bool:
    """Return whether a number follows, and take it with the space that ends it."""
    mark = reader.at
    _signs(reader)
    if _register(reader):
        return True
    first = reader.peek()
    if first == "`":
        reader.at += 2
    elif first in ('"', "'"):
        reader.at += 1
        _signs_of(reader, _DIGITS + "ABCDEF")
    elif not _signs_of(reader, _DIGITS):
        reader.at = mark
        return False
    if reader.peek() == " ":
        reader.at += 1
    return True


def _glue(reader: Reader) -> bool:
    """Return whether a length follows, and take it with what it stretches and shrinks by."""
    if not _length(reader):
        return False
    for word in ("plus", "minus"):
        _measure(reader, (word,))
    return True


def _measure(reader: Reader, words: Sequence[str]) -> bool:
    """Return whether one of the words and a length follow, and take them."""
    mark = reader.at
    if _word(reader, words) and _length(reader):
        return True
    reader.at = mark
    return False


def _length(reader: Reader) -> bool:
    mark = reader.at
    _signs(reader)
    if _register(reader):
        return True
    if not _signs_of(reader, _DIGITS + ".,"):
        reader.at = mark
        return False
    _word(reader, ("true",))
    if not _word(reader, _UNITS):
        _register(reader)
    return True


def _register(reader: Reader) -> bool:
    item = reader.peek()
    is_numbered = isinstance(item, str) and item in _NUMBERED
    if not is_numbered and not (isinstance(item, str) and item in _REGISTERS):
        return False
    reader.at += 1
    if is_numbered:
        _number(reader)
    return True


def _spaces(reader: Reader) -> None:
    while reader.peek() == " ":
        reader.at += 1


def _signs(reader: Reader) -> None:
    """Take the signs in front of a number."""
    while reader.peek() in (" ", "+", "-"):
        reader.at += 1


def _signs_of(reader: Reader, allowed: str) -> bool:
    """Return whether signs of those allowed follow, and take them."""
    mark = reader.at
    while isinstance(item := reader.peek(), str) and len(item) == 1 and item in allowed:
        reader.at += 1
    return reader.at > mark


def _word(reader: Reader, words: Sequence[str]) -> bool:
    """Return whether one of the words follows, and take it."""
    mark = reader.at
    _spaces(reader)
    for word in words:
        items = reader.items[reader.at : reader.at + len(word)]
        if len(items) == len(word) and all(
            not isinstance(i, Node) and i.lower() == c for i, c in zip(items, word, strict=True)
        ):
            reader.at += len(word)
            return True
    reader.at = mark
    return False
