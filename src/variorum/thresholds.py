"""The registry of numbers that decide something and cannot be computed from the page, with reason and alternatives.

Extraction code holds no numeric literal of its own other than 0, 1, -1 and 2; ``tools/check_literals.py`` finds strays. A new
entry needs a reason why the page cannot supply the number, and two alternatives with what speaks against them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Threshold:
    """One registered number: value, unit, why it is fixed, and the two alternatives that were weighed."""

    name: str
    value: float
    unit: str
    reason: str
    alternatives: tuple[tuple[str, str], tuple[str, str]]


_ENTRIES: dict[str, Threshold] = {}


def _register(name: str, value: Number, unit: str, reason: str, first: tuple[str, str], second: tuple[str, str]) -> Number:
    _ENTRIES[name] = Threshold(name, value, unit, reason, (first, second))
    return value


def registry() -> dict[str, Threshold]:
    """Return all registered numbers by name, in order of definition."""
    return dict(_ENTRIES)


# ---- the founding documents' own numbers ------------------------------------------------------------------------------

GARBLED_WORD_LENGTH: Final = _register(
    "GARBLED_WORD_LENGTH",
    25,
    "characters",
    "founding documents: a cell whose words average more than 25 characters is garbled text (words run together)",
    ("the paper's own 99th percentile of word length", "a table of chemical names would call itself normal"),
    ("twice the table's mean word length", "the garbled cells themselves raise the mean"),
)
HEADER_SIMILARITY: Final = _register(
    "HEADER_SIMILARITY",
    0.8,
    "share",
    "founding documents: column headers match when their longest common substring covers 80 %",
    ("exact match only", "hyphenation and footnote marks break it"),
    ("best match whatever its share", "unrelated columns are paired"),
)
SPLIT_MERGE_SPAN: Final = _register(
    "SPLIT_MERGE_SPAN",
    3,
    "rows",
    "founding documents: row splits and merges are looked for over up to three rows",
    ("unbounded", "the walk becomes quadratic and pairs far rows"),
    ("two rows", "three-line cells are common in real tables"),
)
WEIGHT_FLOOR: Final = _register(
    "WEIGHT_FLOOR",
    0.1,
    "multiplier",
    "founding documents: a method that never wins keeps a tenth of a voice",
    ("0", "silences a method for good on a small corpus"),
    ("the lowest rate of a winner", "undefined when one method wins everything"),
)

# ---- the page ---------------------------------------------------------------------------------------------------------

ASCENT_EM: Final = _register(
    "ASCENT_EM",
    0.7,
    "em",
    "height of a line of writing above its baseline; fonts in PDFs declare ascents from 0.4 to 2.9 em, so their own figure is "
    "useless",
    ("the font's declared ascent", "mathematical fonts declare a whole line and more"),
    ("the glyph outlines", "not reachable without rendering every glyph"),
)
DESCENT_EM: Final = _register(
    "DESCENT_EM",
    0.2,
    "em",
    "depth of a line of writing below its baseline, for the same reason as the ascent",
    ("the font's declared descent", "mathematical fonts declare a whole line and more"),
    ("0", "letters with descenders would be cut by row dividers"),
)
COORDINATE_DIGITS: Final = _register(
    "COORDINATE_DIGITS",
    3,
    "decimal digits",
    "PDF numbers carry noise of single precision; a thousandth of a point is below any printer's resolution",
    ("no rounding", "output differs in the last bit between platforms"),
    ("1 digit", "hairlines of 0.1 pt vanish"),
)
LEADER_RUN: Final = _register(
    "LEADER_RUN",
    4,
    "characters",
    "a run of more than three equal dots is a leader, not an ellipsis",
    ("3", "an ellipsis set as three dots would be cut out of the text"),
    ("share of the line's width", "a leader beside a long label is short"),
)
QUARTER_TURN: Final = _register(
    "QUARTER_TURN",
    90,
    "degrees",
    "pages and sideways text turn by right angles; a definition, not a choice",
    ("none", "a right angle has no alternative"),
    ("pi / 2", "the same, in radians"),
)
MAX_PATH_ITEMS: Final = _register(
    "MAX_PATH_ITEMS",
    200_000,
    "path items",
    "count limit that keeps one page of vector art from taking all memory; a page of text and tables has below 5,000",
    ("no limit", "scatter plots with millions of marks take gigabytes"),
    ("a time limit", "load would change the result"),
)
PDF_HEADER_BYTES: Final = _register(
    "PDF_HEADER_BYTES",
    1024,
    "bytes",
    "a PDF's header must stand within its first 1024 bytes (Adobe's implementation note 13 to PDF 1.7, appendix H)",
    ("0", "files with a mail header or byte order mark in front are read by every viewer"),
    ("the whole file", "a PDF attached inside another format would be taken for a PDF"),
)

OCR_DPI: Final = _register(
    "OCR_DPI",
    300,
    "pixels an inch",
    'the resolution that Tesseract\'s own advice asks for ("Improving the quality of the output": at least 300)',
    ("that of the scan", "a page may be made of several images, and outlined text has none"),
    ("600", "four times the pixels and the time, and letters larger than those it was trained with"),
)
OCR_FULL_CONFIDENCE: Final = _register(
    "OCR_FULL_CONFIDENCE",
    100,
    "per cent",
    "Tesseract's confidences run from 0 to 100; a definition, not a choice",
    ("1", "another scale for the same"),
    ("the highest on the page", "a page read badly throughout would keep its worst words"),
)
POINTS_PER_INCH: Final = _register(
    "POINTS_PER_INCH",
    72,
    "points",
    "a PDF point is a 72nd of an inch; a definition, not a choice",
    ("72.27", "that is TeX's point"),
    ("the page's user unit", "it is applied before coordinates reach us"),
)
MAX_OCR_PIXELS: Final = _register(
    "MAX_OCR_PIXELS",
    100_000_000,
    "pixels",
    "count limit on the picture of a page that is given to OCR: larger pages are rendered at a lower resolution; an A4 page "
    "has 9 million, an A0 poster 140 million",
    ("no limit", "a page of 200 inches, which PDF allows, takes 3.6 GB"),
    ("the largest side that Tesseract takes (32,767 pixels)", "a square of it takes 1 GB"),
)

# ---- configurations ---------------------------------------------------------------------------------------------------

RULED_MULTIPLIER: Final = _register(
    "RULED_MULTIPLIER",
    3.0,
    "multiplier",
    "founding documents: RULED_CONFIG lets ruled lines speak with three voices",
    ("accept ruled lines whatever the others say", "the combination already does; the multiplier moves the place of a divider"),
    ("the number of other methods", "the weight would change with every method added"),
)
MAX_SEGMENTS: Final = _register(
    "MAX_SEGMENTS",
    50_000,
    "line segments",
    "count limit above which a library method is not asked about a page: its time grows with the square of the segments",
    ("no limit", "one page with a dense scatter plot takes 20 seconds and more"),
    ("a time limit", "load would change the result"),
)
MAX_LAYOUT_LINES: Final = _register(
    "MAX_LAYOUT_LINES",
    1000,
    "lines of text",
    "count limit above which the layout model is not asked about a page: its time and memory grow with the square of the "
    "lines; 1,000 take 2 s and 150 MB, a page of two columns has 150, the fullest table page that was seen 400",
    ("no limit", "a plot whose 2,000 marks are letters takes 7 s and 450 MB"),
    ("500", "a page of small print with a full-page table comes near it"),
)
MAX_LIBRARY_WORDS: Final = _register(
    "MAX_LIBRARY_WORDS",
    10_000,
    "words",
    "count limit above which library methods are not asked about a table: their time grows with the square of its words, and "
    "is 3 s each for 5,000; a page of small print holds 2,000",
    ("no limit", "a page of 50,000 words, as of a data dump, takes minutes for each method"),
    ("2,000", "the largest tables of appendices would lose voters"),
)
STEP_SECONDS: Final = _register(
    "STEP_SECONDS",
    300,
    "seconds of wall clock",
    "last safety against a method that never answers, where pages are read in worker processes; counts are the limits that "
    "decide, so this one is far above what any of them lets through, and what it ends is marked incomplete",
    ("30", "a loaded machine would change results"),
    ("no limit", "one page could hold up a night's run for ever"),
)
WORD_SPACE_LIMIT_EM: Final = _register(
    "WORD_SPACE_LIMIT_EM",
    1,
    "em",
    "a space between words is below an em by the definition of the em quad; wider gaps are no word spaces and stay out of "
    "their median",
    ("half an em", "justified lines in narrow columns stretch past it"),
    ("no limit", "column gaps of tables enter the median on pages without prose"),
)
USUAL_WORD_SPACE_EM: Final = _register(
    "USUAL_WORD_SPACE_EM",
    0.25,
    "em",
    "the word space of text fonts, used only for a table and page without a single gap to measure",
    ("a third of an em", "that of old-style setting; cuts fewer segments"),
    ("0", "every word would be a cell"),
)
UNDERSCORE_EM: Final = _register(
    "UNDERSCORE_EM",
    0.3,
    "em",
    "TeX draws an underscore as a rule of 0.3 em (plain.tex, \\_); several in a row join to one rule",
    ("one per rule", "two underscores in a row would be read as one"),
    ("the width of a letter", "differs from the drawn rule in every font"),
)
WORD_SPACES_PER_GAP: Final = _register(
    "WORD_SPACES_PER_GAP",
    2,
    "word spaces",
    "white wider than two of the page's usual word spaces parts cells; no gap between the two kinds shows itself on every page",
    ("the largest relative jump in the table's gaps", "a table of one-word cells has no word spaces to jump from"),
    ("1.5", "the space after a full stop and stretched lines of justified cells would be cut"),
)
WORD_SPACES_IN_BRACKETS: Final = _register(
    "WORD_SPACES_IN_BRACKETS",
    4,
    "word spaces",
    "white between a bracket and the one that closes it parts cells only when it is wider than that: around a fraction TeX adds"
    " half a word space on either side to that of the sign beside it",
    ("as many as elsewhere", "a formula with a fraction is cut before its next sign, and a column stands there that is none"),
    ("never part inside brackets", "a bracket in one cell may be closed by that of another far away"),
)
LINES_APART: Final = _register(
    "LINES_APART",
    2,
    "lines",
    "what stands within two lines belongs together: caption and table, the lines of a caption, the parts of a float",
    ("the page's leading", "floats are set off by stretchable white that differs from page to page"),
    ("the nearest thing whatever its distance", "a caption would claim the next paragraph when its table was missed"),
)
WORD_GAP_IN_LABEL_EM: Final = _register(
    "WORD_GAP_IN_LABEL_EM",
    2,
    "em",
    "a quad or less parts a caption's label from its text; two quads are another column",
    ("1", "journals set a quad and stretch it"),
    ("no limit", "the label would join the text of the neighbouring column"),
)

# ---- the paper --------------------------------------------------------------------------------------------------------

SCRIPT_SHIFT_EM: Final = _register(
    "SCRIPT_SHIFT_EM",
    0.1,
    "em",
    "smaller type off the baseline of its line by more than this is raised or lowered; small capitals are not off at all",
    ("any difference", "rounding of the PDF's coordinates raises small capitals"),
    ("a share of the font's x-height", "fonts in PDFs rarely declare it, and mathematical fonts declare it wrongly"),
)

# ---- other sources than PDFs ------------------------------------------------------------------------------------------

MAX_SOURCE_BYTES: Final = _register(
    "MAX_SOURCE_BYTES",
    67_108_864,
    "bytes",
    "64 MiB: a hundred times the HTML or JSON of a long paper; a file is read whole, so its size is what it costs in memory",
    ("no limit", "a file of a hostile sender fills the memory"),
    ("a share of the free memory", "the same file would be read on one machine and refused on another"),
)
MAX_SOURCE_TAGS: Final = _register(
    "MAX_SOURCE_TAGS",
    2_000_000,
    "tags",
    "a hundred times those of a long paper; every element costs memory however short it is",
    ("no limit", "short tags make a tree of gigabytes from a file within the limit of bytes"),
    ("the limit of bytes alone", "a tag of three bytes costs a hundred times as much as three bytes of text"),
)
MAX_SOURCE_DEPTH: Final = _register(
    "MAX_SOURCE_DEPTH",
    256,
    "elements",
    "libxml2 reads no deeper (xmlParserMaxDepth) and drops what lies below; real papers stay below half of it",
    ("no limit", "what the parser drops would be lost without a word"),
    ("Python's recursion limit", "it depends on who calls"),
)
MAX_SOURCE_POSITIONS: Final = _register(
    "MAX_SOURCE_POSITIONS",
    250_000,
    "positions of a grid",
    "a table of 5,000 rows and 50 columns, beyond what is printed; a span may claim any number of them in a few bytes",
    ("no limit", "one cell with a span of a million columns fills the memory"),
    ("the number of cells that have text", "tables of forms and matrices are mostly empty"),
)
SOURCE_HEAD_BYTES: Final = _register(
    "SOURCE_HEAD_BYTES",
    1024,
    "bytes",
    "what a kind of file is recognised by stands in its first kilobyte: PDF readers look for the header there as well",
    ("the whole file", "an archive of many megabytes would be read to be told from a PDF"),
    ("the name alone", "files saved from the web have any name"),
)

# ---- sources of LaTeX -------------------------------------------------------------------------------------------------

SOURCE_FILES: Final = _register(
    "SOURCE_FILES",
    20_000,
    "files",
    "an archive of a paper has tens of files, the largest some thousands of figures; more is an attack or another archive",
    ("no limit", "an archive of a million empty files fills the memory with names"),
    ("1,000", "papers that come with their data and their figures frame by frame were refused"),
)
SOURCE_BYTES: Final = _register(
    "SOURCE_BYTES",
    1 << 30,
    "bytes",
    "an archive says how large its members are; a gigabyte is twenty times what arXiv takes",
    ("no limit", "a small archive that unpacks to terabytes would be walked through to its end"),
    ("a ratio to the packed size", "text of many equal lines is packed a hundredfold too"),
)
SOURCE_TEXT_BYTES: Final = _register(
    "SOURCE_TEXT_BYTES",
    1 << 25,
    "bytes",
    "32 MiB of TeX are ten thousand pages; lists of references kept in full stay below it",
    ("no limit", "one file of a gigabyte would be cut into a thousand million tokens"),
    ("1 MiB", "the list of references of an institute is larger"),
)
SOURCE_DEPTH: Final = _register(
    "SOURCE_DEPTH",
    30,
    "files",
    "files ask for files: a chapter, its parts, their tables; TeX itself opens no more than fifteen at once",
    ("no limit", "a file that asks for itself would never end"),
    ("15, as TeX", "style files that ask for others count here as well"),
)
SOURCE_NESTING: Final = _register(
    "SOURCE_NESTING",
    120,
    "levels",
    "braces and environments in each other: formulae reach twenty, drawings fifty; the reader goes down level by level",
    ("no limit", "a hundred thousand braces would exhaust the stack of the interpreter"),
    ("50", "long formulae made of macros in macros come close"),
)
MACRO_TOKENS: Final = _register(
    "MACRO_TOKENS",
    2_000_000,
    "tokens",
    "what macros may give in all: papers full of formulae made of macros give some hundred thousand tokens",
    ("no limit", "ten macros that each call the one before ten times give ten thousand million signs"),
    ("a depth of calls", "a macro that doubles itself is wide, not deep"),
)
LATEXML_SECONDS: Final = _register(
    "LATEXML_SECONDS",
    600,
    "seconds",
    "a last safety, as its own: LaTeXML takes a minute for a long paper; what loops in TeX loops for ever",
    ("no limit", "a source that loops would hold the machine until somebody ends it"),
    ("a share of the size of the source", "three lines of TeX can draw for minutes, a hundred pages of prose take one"),
)
LATEXML_MEMORY_BYTES: Final = _register(
    "LATEXML_MEMORY_BYTES",
    1 << 32,
    "bytes",
    "4 GiB: long papers with drawings take up to one; macros that double themselves take all there is",
    ("no limit", "one paper could end the other programs of the machine"),
    ("a share of the free memory", "the same paper would be converted on one machine and refused on another"),
)
TEX_ARGUMENTS: Final = _register(
    "TEX_ARGUMENTS",
    9,
    "arguments",
    "the TeXbook, chapter 20: a macro has at most nine, since #1 to #9 are what can be written",
    ("no limit", "a wrong number in a definition would swallow the paper as arguments"),
    ("those that the body uses", "a macro takes the arguments that it does not use as well"),
)
ZIP_MODE_BITS: Final = _register(
    "ZIP_MODE_BITS",
    16,
    "bits",
    "the ZIP format keeps a Unix mode in the upper half of 32 bits of attributes",
    ("leave links unchecked", "a link in an archive may lead to any file"),
    ("ask another library", "the standard one hands the attributes on as they are"),
)
SHOWN_CHARACTERS: Final = _register(
    "SHOWN_CHARACTERS",
    50,
    "characters",
    "how much of a text a sentence quotes: it decides nothing, and the whole text stands in the record beside it",
    ("all of it", "a reason of several paragraphs is read by nobody"),
    ("the first word", "it does not tell which place is meant"),
)
HASH_DIGITS: Final = _register(
    "HASH_DIGITS",
    12,
    "hexadecimal digits",
    "as few digits of a hash as name a record: 48 bits, which one of a million meets once in 280 million times",
    ("all 64", "people copy the beginning that lists show"),
    ("7, as version control has it", "of a million records, some share them by chance"),
)
