"""Readable Unicode text of pieces of LaTeX: text, inline formulae, citations and references.

Inline formulae are set as text (``x²``, ``x_{max}``, ``a = b``), the way the PDF is read, so that readings can be compared; in
the cells of tables scripts stand plainly in the line (``x2``). What a citation or reference prints is known only at the end of
the document: until then a mark between two private characters stands for it, which `marks` remembers.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from variorum.layout.roman import roman
from variorum.layout.scripts import lowered, raised
from variorum.sources.latex_assignments import ARGUMENTS, KINDS, skip_value
from variorum.sources.latex_formulas import enclosed, tex_of
from variorum.sources.latex_signs import ACCENTS, accented, sign_of
from variorum.sources.latex_tokens import THE, VERBATIM
from variorum.sources.latex_tree import Item, Node, Reader, plain
from variorum.sources.math_letters import double_struck, fraktur, script

MARK_OPEN: Final = "\ue000"
MARK_CLOSE: Final = "\ue001"
MARK: Final = re.compile(MARK_OPEN + r"(\d+)" + MARK_CLOSE)
CITES: Final = frozenset(
    "\\" + c
    for c in [
        "cite",
        "citep",
        "citet",
        "citealt",
        "citealp",
        "citeauthor",
        "citeyear",
        "citeyearpar",
        "Citet",
        "Citep",
        "Citealt",
        "textcite",
        "Textcite",
        "parencite",
        "Parencite",
        "autocite",
        "Autocite",
        "footcite",
        "smartcite",
        "supercite",
        "fullcite",
        "citenum",
        "citetext",
        "citeA",
        "citeNP",
        "shortcite",
        "onlinecite",
        "citeN",
        "citeauthoryear",
        "cites",
        "parencites",
        "textcites",
        "autocites",
        "newcite",
        "citestyle",
    ]
    if c != "citestyle"
)
REFERENCES: Final = frozenset(
    "\\" + c
    for c in [
        "ref",
        "eqref",
        "autoref",
        "cref",
        "Cref",
        "vref",
        "Vref",
        "labelcref",
        "crefrange",
        "Crefrange",
        "pageref",
        "nameref",
        "subref",
        "thref",
    ]
)
_DROPPED: Final = {
    **ARGUMENTS,
    "\\linespread": "m",
    "\\vspace": "*m",
    "\\hspace": "*m",
    "\\rule": "omm",
    "\\label": "m",
    "\\index": "m",
    "\\includegraphics": "*oom",
    "\\color": "om",
    "\\rowcolor": "omoo",
    "\\cellcolor": "om",
    "\\columncolor": "omoo",
    "\\rowcolors": "*ommm",
    "\\fontsize": "mm",
    "\\setlength": "mm",
    "\\addtolength": "mm",
    "\\settowidth": "mm",
    "\\setcounter": "mm",
    "\\addtocounter": "mm",
    "\\phantom": "m",
    "\\hphantom": "m",
    "\\vphantom": "m",
    "\\nocite": "m",
    "\\thispagestyle": "m",
    "\\pagestyle": "m",
    "\\bibliographystyle": "m",
    "\\hypertarget": "mt",
    "\\textcolor": "omt",
    "\\colorbox": "omt",
    "\\fcolorbox": "mmt",
    "\\resizebox": "*mmt",
    "\\scalebox": "mot",
    "\\rotatebox": "omt",
    "\\raisebox": "moot",
    "\\parbox": "ooomt",
    "\\makebox": "oot",
    "\\framebox": "oot",
    "\\adjustbox": "mt",
    "\\multicolumn": "mmt",
    "\\multirow": "omomot",
    "\\href": "omt",
    "\\hyperref": "ot",
    "\\hyperlink": "mt",
    "\\texorpdfstring": "tm",
    "\\stackrel": "tt",
    "\\overset": "mt",
    "\\underset": "mt",
    "\\foreignlanguage": "mt",
    "\\selectlanguage": "m",
    "\\enlargethispage": "*m",
    "\\pdfbookmark": "omm",
    "\\phantomsection": "",
    "\\addcontentsline": "mmm",
    "\\markboth": "mm",
    "\\markright": "m",
    "\\captionsetup": "om",
    "\\bibinfo": "mt",
    "\\bibnamefont": "t",
    "\\bibfnamefont": "t",
    "\\bibfield": "mt",
    "\\BibitemShut": "m",
    "\\smashoperator": "ot",
    "\\replaced": "otm",
    "\\added": "ot",
    "\\deleted": "om",
    "\\enquote": "q",
    "\\Eprint": "mt",
    "\\natexlab": "t",
    "\\resetlinenumber": "o",
    "\\arraystretch": "",
    "\\tabularnewline": "",
    "\\noalign": "m",
    "\\orcidlink": "m",
    "\\orcid": "m",
    "\\email": "m",
    "\\allowdisplaybreaks": "o",
    "\\pagebreak": "o",
    "\\nopagebreak": "o",
    "\\linebreak": "o",
    "\\cline": "m",
    "\\cmidrule": "o(m",
    "\\addlinespace": "o",
    "\\specialrule": "mmm",
    "\\setcitestyle": "m",
    "\\providecommand": "",
    "\\DeclareRobustCommand": "",
    "\\urlstyle": "m",
    "\\begingroup": "",
    "\\fontfamily": "m",
    "\\ensuremath": "M",
    "\\lowercase": "t",
    "\\uppercase": "t",
    "\\num": "ot",
    "\\si": "ou",
    "\\unit": "ou",
    "\\ang": "ot",
    "\\translation": "m",
    "\\altaffilmark": "r",
    "\\tablenotemark": "r",
    "\\tnote": "r",
    "\\textsuperscript": "r",
    "\\textsubscript": "b",
    "\\citestyle": "m",
}
_ENVIRONMENT_ARGUMENTS: Final = {
    "tabular": "om",
    "tabular*": "mom",
    "tabularx": "mom",
    "tabulary": "mom",
    "array": "om",
    "minipage": "ooom",
    "adjustbox": "m",
    "subfigure": "om",
    "subtable": "om",
    "threeparttable": "o",
    "tablenotes": "o",
    "wrapfigure": "omom",
    "wraptable": "omom",
    "spacing": "m",
    "multicols": "mo",
    "adjustwidth": "mm",
    "itemize": "o",
    "enumerate": "o",
    "description": "o",
    "list": "mm",
    "CJK": "mm",
    "CJK*": "mm",
    "alignedat": "m",
    "alignat": "m",
    "alignat*": "m",
    "aligned": "o",
    "scope": "o",
    "landscape": "",
    "turn": "m",
    "rotate": "m",
}
_RELATIONS: Final = frozenset("=<>≤≥≈≠≡∼≃≅∝∈∉⊂⊆⊃⊇→←↔⇒⇐⇔≪≫≲≳↦⟹⟺⟶")
_UNITS: Final = {
    "\\meter": "m",
    "\\metre": "m",
    "\\second": "s",
    "\\kilo": "k",
    "\\milli": "m",
    "\\micro": "µ",
    "\\nano": "n",
    "\\centi": "c",
    "\\mega": "M",
    "\\giga": "G",
    "\\gram": "g",
    "\\kelvin": "K",
    "\\celsius": "°C",
    "\\degreeCelsius": "°C",
    "\\percent": "%",
    "\\hertz": "Hz",
    "\\volt": "V",
    "\\watt": "W",
    "\\per": "/",
    "\\hour": "h",
    "\\minute": "min",
    "\\day": "d",
    "\\electronvolt": "eV",
    "\\joule": "J",
    "\\pascal": "Pa",
    "\\newton": "N",
    "\\mole": "mol",
    "\\litre": "L",
    "\\liter": "L",
    "\\ampere": "A",
    "\\byte": "B",
    "\\bit": "bit",
    "\\radian": "rad",
    "\\squared": "²",
    "\\cubed": "³",
    "\\degree": "°",
}
_LIGATURES: Final = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("`", "‘"), ("'", "’"), ("?‘", "¿"), ("!‘", "¡"))
_DINGBATS: Final = {
    "51": "✓",
    "52": "✔",
    "53": "✕",
    "54": "✖",
    "55": "✗",
    "56": "✘",
    "72": "★",
    "73": "☆",
    "108": "●",
    "109": "❍",
}
_SET_APART: Final = frozenset(("\\par", "\\\\", "\\newline", "\\cr", "\\linebreak", "\\item", "\\tabularnewline", "\\newpage"))
_LONGEST_LENGTH: Final = "[ -0.123456789 \\baselineskip ]"


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation or reference in the text: its command, the keys or labels it names, what it says before and behind."""

    command: str
    keys: tuple[str, ...]
    before: str = ""
    behind: str = ""


@dataclass(slots=True)
class TextSetter:
    """Sets pieces as text; keeps the marks met, and hands footnotes, labels and commands of the document on."""

    marks: list[Mark] = field(default_factory=list)
    on_footnote: Callable[[str, str | None], None] | None = None
    on_label: Callable[[str], None] | None = None
    next_footnote: Callable[[], str] | None = None
    formulas: list[str] = field(default_factory=list)
    flat: bool = False
    _marks_formulas: bool = False

    def text(self, items: Sequence[Item]) -> str:
        """Return the items as one line of text."""
        return self._text(items, marks_formulas=False)

    def running_text(self, items: Sequence[Item]) -> str:
        """Return the items as one line of text in which formulas are marked; `formulas` has the TeX of each."""
        return self._text(items, marks_formulas=True)

    def _text(self, items: Sequence[Item], *, marks_formulas: bool) -> str:
        before, self._marks_formulas = self._marks_formulas, marks_formulas
        try:
            return tidy(self.run(items))
        finally:
            self._marks_formulas = before

    def flat_text(self, items: Sequence[Item]) -> str:
        """Return the items as the text of a cell: raised and lowered signs stand plainly in the line."""
        before, self.flat = self.flat, True
        try:
            return self.text(items)
        finally:
            self.flat = before

    def run(self, items: Sequence[Item], *, math: bool = False) -> str:
        """Return the text of the items, white space as it comes."""
        out: list[str] = []
        reader = Reader(items)
        plain_run: list[str] = []

        def flush() -> None:
            if plain_run:
                out.append(_typeset("".join(plain_run), math=math))
                plain_run.clear()

        for item in reader:
            if isinstance(item, str) and len(item) == 1 and item not in "~&^_":
                plain_run.append(item)
                continue
            flush()
            out.append(self._item(item, reader, math=math))
        flush()
        return "".join(out)

    def _item(self, item: Item, reader: Reader, *, math: bool) -> str:
        if isinstance(item, Node):
            if item.kind in ("math", "display"):
                return self.formula(item.children, math=math)
            if item.kind == "env":
                return self._environment(item, math=math)
            return self.run(item.children, math=math)
        if item == "~":
            return "" if math and self.flat else " "
        if item == "&":
            return " "
        if item in ("^", "_"):
            if not math:
                return item
            inside = self.run(reader.script(), math=True).strip()
            if self.flat:
                return inside
            return self._script(item, inside)
        if item[0] == VERBATIM:
            return item.split(VERBATIM)[-1]
        if item[0] == THE:
            reader.group()
            return ""
        return self._command(item, reader, math=math)

    def _script(self, sign: str, inside: str) -> str:
        if not inside:
            return ""
        if MARK_OPEN in inside:
            return inside
        if inside == "∘" and sign == "^":
            return "°"
        if inside and all(c in "′" for c in inside):
            return inside
        return raised(inside) if sign == "^" else lowered(inside)

    def bare_run(self, items: Sequence[Item], *, math: bool = False) -> str:
        """Return the text of the items without marks of formulas, white space as it comes."""
        before, self._marks_formulas = self._marks_formulas, False
        try:
            return self.run(items, math=math)
        finally:
            self._marks_formulas = before

    def formula(self, items: Sequence[Item], *, math: bool) -> str:
        """Return a formula as text, marked where the text is one with marks; `math` when it stands in another formula."""
        text = self._spaced(self.bare_run(items, math=True))
        is_marked = self._marks_formulas and not math and not self.flat
        if not is_marked or not text.strip() or any(self.marks[int(i)].command in CITES for i in MARK.findall(text)):
            return text
        self.formulas.append(tex_of(items))
        return enclosed(text, len(self.formulas) - 1)

    def _spaced(self, text: str) -> str:
        """Return a formula with a space around each sign of relation that stands between two things."""
        text = re.sub(r"\s+", " ", text).strip()
        if self.flat:
            return text
        out = []
        for i, c in enumerate(text):
            is_single = c in _RELATIONS and (i + 1 >= len(text) or text[i + 1] not in _RELATIONS)
            before = text[:i].rstrip()[-1:]
            between = before and i < len(text) - 1 and before not in "({[,^_" and before not in _RELATIONS
            out.append(f" {c} " if is_single and between else c)
        return re.sub(r" +", " ", "".join(out))

    def _environment(self, node: Node, *, math: bool) -> str:
        reader = Reader(node.children)
        take(reader, _ENVIRONMENT_ARGUMENTS.get(node.name, ""), self)
        inside = self.run(list(reader), math=math)
        return inside if math else f" {inside} "

    def _command(self, item: str, reader: Reader, *, math: bool) -> str:
        if item in _SET_APART:
            if item in ("\\\\", "\\newline", "\\linebreak"):
                reader.star()
                take(reader, "o" if is_length(reader) else "", self)
            return " "
        if item in CITES:
            return self._citation(item, reader)
        if item in REFERENCES:
            reader.star()
            keys = plain(reader.argument()).split(",")
            if "range" in item:
                keys.append(plain(reader.argument()))
            return self._mark(Mark(item, tuple(k.strip() for k in keys if k.strip())))
        if item == "\\label":
            label = plain(reader.argument()).strip()
            if self.on_label is not None:
                self.on_label(label)
            return ""
        if item in ("\\footnote", "\\thanks", "\\footnotetext", "\\tablefootnote"):
            number = reader.optional()
            inside = self.running_text(reader.argument())
            if self.on_footnote is not None and inside:
                self.on_footnote(inside, self.text(number) if number is not None else None)
            return ""
        if item == "\\footnotemark":
            number = reader.optional()
            printed = self.text(number) if number is not None else self.next_footnote() if self.next_footnote else ""
            return self._raised(printed) if printed else ""
        if item == "\\char":
            return _character(reader)
        if item == "\\ding":
            return _DINGBATS.get(plain(reader.argument()).strip(), "")
        if item in ("\\SI", "\\qty"):
            take(reader, "o", self)
            amount, unit = self.run(reader.argument(), math=math), self._unit(reader.argument())
            return f"{amount} {unit}"
        if item in ("\\frac", "\\dfrac", "\\tfrac", "\\nicefrac", "\\cfrac", "\\sfrac", "\\textfrac"):
            above, below = (self.run(reader.argument(), math=math).strip() for _ in range(2))
            return f"{_bracketed(above)}/{_bracketed(below)}"
        if item == "\\sqrt":
            take(reader, "o", self)
            inside = self.run(reader.argument(), math=math)
            return f"√{inside}" if self.flat else f"√{_bracketed(inside)}"
        if item in ("\\binom", "\\dbinom", "\\tbinom"):
            above, below = (self.run(reader.argument(), math=math).strip() for _ in range(2))
            return f"({above}{below})" if self.flat else f"({above} over {below})"
        if item in ("\\text", "\\textrm", "\\mbox", "\\hbox", "\\textnormal", "\\textbf", "\\textit", "\\textsf", "\\texttt"):
            take(reader, "x" if item == "\\hbox" else "", self)
            return self.run(reader.argument())
        if item in ("\\mathbb", "\\mathds"):
            return double_struck(self.run(reader.argument(), math=True))
        if item in ("\\mathcal", "\\mathscr", "\\EuScript"):
            return script(self.run(reader.argument(), math=True))
        if item == "\\mathfrak":
            return fraktur(self.run(reader.argument(), math=True))
        if item == "\\cal" and math:
            return script(self.run(list(reader), math=True))
        if item in ("\\left", "\\right", "\\big", "\\Big", "\\bigg", "\\Bigg", "\\bigl", "\\bigr", "\\Bigl", "\\Bigr"):
            if reader.peek() == ".":
                reader.argument()
            return ""
        if item in ("\\not",):
            return unicodedata.normalize("NFC", self.bare_run(reader.argument(), math=math).strip() + "\u0338")
        if item in ACCENTS and (len(item) > 2 or not math or item not in ("\\=", "\\.")):
            inside = self.bare_run(reader.argument(), math=math).strip()
            return accented(item, inside) if inside else ""
        if item in ("\\ion",):
            element, level = self.run(reader.argument()), self.run(reader.argument()).strip()
            return f"{element} {roman(int(level)).upper() if level.isdecimal() and level.isascii() else level.upper()}"
        if item in ("\\overline", "\\underline", "\\uline"):
            return self.run(reader.argument(), math=math)
        if (spec := _DROPPED.get(item)) is not None:
            return take(reader, spec, self, math=math)
        if item in ("\\operatorname", "\\mathrm", "\\mathop", "\\mathit", "\\mathsf", "\\mathtt", "\\mathbf", "\\bm"):
            reader.star()
            return self.run(reader.argument(), math=math)
        sign = sign_of(item, math=math)
        if sign is None:
            return ""
        if math and len(sign) > 1 and sign.isalpha():
            following = reader.peek()
            behind = isinstance(following, str) and (following[0].isalpha() or following[0] == "\\")
            return sign + (" " if behind and not self.flat else "")
        return sign

    def _raised(self, text: str) -> str:
        return text if self.flat or MARK_OPEN in text else raised(text)

    def _unit(self, items: Sequence[Item]) -> str:
        out = []
        for item in items:
            if isinstance(item, str):
                out.append(_UNITS.get(item) or self.run([item]))
            else:
                out.append(self._unit(item.children))
        return "".join(out)

    def _citation(self, item: str, reader: Reader) -> str:
        reader.star()
        first, second = reader.optional(), reader.optional()
        keys = plain(reader.argument())
        if second is None:
            first, second = None, first
        found = tuple(k.strip() for k in keys.split(",") if k.strip())
        return self._mark(Mark(item, found, self.text(first or ()), self.text(second or ())))

    def _mark(self, mark: Mark) -> str:
        self.marks.append(mark)
        return f"{MARK_OPEN}{len(self.marks) - 1}{MARK_CLOSE}"


def take(reader: Reader, spec: str, setter: TextSetter, *, math: bool = False) -> str:
    """Take the arguments of a command as its `spec` says and return the text of those that print.

    ``*`` a star, ``o`` optional, ``(`` optional in round brackets, ``m`` dropped, ``t`` printed, ``r`` raised, ``b`` lowered,
    ``q`` in quotes, ``u`` a unit, ``M`` a formula; the letters of `skip_value` a value without braces.
    """
    out: list[str] = []
    for kind in spec:
        if kind == "*":
            reader.star()
        elif kind == "o":
            reader.optional()
        elif kind == "(":
            reader.optional("(", ")")
        elif kind == "m":
            reader.argument()
        elif kind == "t":
            out.append(setter.run(reader.argument(), math=math))
        elif kind in "rb":
            inside = setter.bare_run(reader.argument(), math=math).strip()
            is_plain = setter.flat or MARK_OPEN in inside or not inside
            out.append(inside if is_plain else raised(inside) if kind == "r" else lowered(inside))
        elif kind == "q":
            out.append(f"“{setter.run(reader.argument())}”")
        elif kind == "u":
            out.append(setter._unit(reader.argument()))
        elif kind == "M":
            out.append(setter.formula(reader.argument(), math=math))
        elif kind in KINDS:
            skip_value(reader, kind)
    return "".join(out)


def _character(reader: Reader) -> str:
    """Return the sign that ``\\char`` names by its number: decimal, ``"`` hexadecimal, ``'`` octal, or a sign itself."""
    first = reader.peek()
    if first == "`":
        reader.at += 1
        return plain(reader.argument()).removeprefix("\\")
    allowed = {'"': "0123456789ABCDEF", "'": "01234567"}.get(first if isinstance(first, str) else "", "")
    reader.at += bool(allowed)
    allowed = allowed or "0123456789"
    digits: str = ""
    while isinstance(following := reader.peek(), str) and following in allowed and len(digits) < len(str(sys.maxunicode)):
        digits += following
        reader.at += 1
    code = int(digits, len(allowed)) if digits else 0
    return chr(code) if code >= ord(" ") and code <= sys.maxunicode and not _is_private(chr(code)) else ""


def _is_private(sign: str) -> bool:
    return unicodedata.category(sign) in ("Co", "Cs", "Cc")


def is_length(reader: Reader) -> bool:
    """Whether what follows in brackets is a length (``\\\\[2pt]``) and no text of the next row."""
    at = reader.at
    while at < len(reader.items) and reader.items[at] == " ":
        at += 1
    inside: list[Item] = []
    for item in reader.items[at : at + len(_LONGEST_LENGTH)]:
        inside.append(item)
        if item == "]":
            break
    return re.fullmatch(r"\[\s*[-+]?[\d.]*\s*\\?[a-zA-Z@]*\s*\]", plain(inside)) is not None


def _bracketed(text: str) -> str:
    text = text.strip()
    is_one = len(text) < 2 or text.isalnum() or (text[0] == "(" and text[-1] == ")" and text.count("(") == 1)
    return text if is_one else f"({text})"


def _typeset(text: str, *, math: bool) -> str:
    if math:
        return re.sub(r"\s+", "", text).replace("-", "−").replace("*", "∗").replace("'", "′")
    for old, new in _LIGATURES:
        if old in text:
            text = text.replace(old, new)
    return text


def tidy(text: str) -> str:
    """Return the text in one line, without space at its ends."""
    return re.sub(r"[ \t\n\u2009]+", " ", unicodedata.normalize("NFC", text)).strip()
