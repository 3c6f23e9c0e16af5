"""The `no_literal_thresholds` check: no number decides anything in extraction code unless it is in the registry.

    python tools/check_literals.py [FOLDER-OR-FILE ...]

Without arguments it reads the extraction rooms of src/variorum (`ROOMS` below). A number in them comes from the page, or from
`variorum.thresholds`, where it stands with its reason and two alternatives. What may be written as a literal:

- 0, 1 and -1 anywhere (index, step, empty, whole), as int or float;
- 2 as an int, for a count (`len(rows) < 2`), a half (`gap > height / 2`, `2 * part > whole`) or a doubling, but not as a factor
  or exponent on the right of an ordering comparison: `gap > 2 * median` is a threshold. `2.0` only as a divisor;
- any int inside the brackets of a subscript or slice (`bbox[3]`, `digest[:8]`), which includes `Literal[...]` annotations;
- the number of digits of `round(x, 3)` when written in the call, and whatever a format specification holds.

Everything else is refused, wherever it stands: arithmetic, comparisons, defaults, constants, `range(5)`, keyword arguments. So
are its disguises: a number made of literals alone (`1 + 2`, `1 / 4`; `1 / 2` is a half), one read from a string
(`float("0.3")`) and one counted from it (`len("abc")`, but for cutting a prefix off: `text[len("abc") :]`).

The count of registry entries is kept in tools/literals-count.txt; when it rises, a line with a note must be added there.
Exit code 0 when all is well, 1 otherwise.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from variorum import thresholds

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "variorum"
ROOMS = ("page", "regions", "tables", "layout", "sources", "fusion", "voting.py")
COUNT_FILE = ROOT / "tools" / "literals-count.txt"
ORDERINGS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
NUMBER_READERS = ("int", "float", "complex", "Decimal", "Fraction")


@dataclass(frozen=True)
class Finding:
    """One literal that should not be there."""

    path: Path
    line: int
    text: str
    why: str

    def __str__(self) -> str:
        path = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        return f"{path}:{self.line}: {self.text}: {self.why}"


def number_of(node: ast.AST) -> complex | None:
    """Return the value of a numeric literal, with its sign, or None when the node is something else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = number_of(node.operand)
        return None if value is None else (-value if isinstance(node.op, ast.USub) else value)
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex)) and not isinstance(node.value, bool):
        return node.value
    return None


def folded(node: ast.expr) -> complex | None:
    """Return the value of an expression made of numeric literals alone, or None."""
    operators = (ast.operator, ast.unaryop)
    if not all(
        isinstance(part, (ast.BinOp, ast.UnaryOp, *operators)) or number_of(part) is not None for part in ast.walk(node)
    ):
        return None
    try:
        value = eval(compile(ast.Expression(node), "<literal>", "eval"), {"__builtins__": {}})
    except (ArithmeticError, TypeError, ValueError):
        return None
    return value if isinstance(value, (int, float, complex)) else None


class Reader(ast.NodeVisitor):
    """Walks one module and collects the literals that the rules above refuse."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.findings: list[Finding] = []
        self._in_ordering = False
        self._divisor = False
        self._factor = False

    def refuse(self, node: ast.expr, why: str) -> None:
        """Note the node."""
        self.findings.append(Finding(self.path, node.lineno, ast.unparse(node), why))

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Let ints pass inside the brackets."""
        self.visit(node.value)
        for part in ast.walk(node.slice):
            if isinstance(part, ast.Constant) and isinstance(part.value, float):
                self.visit(part)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Look into the fields of an f-string, not into their format specifications."""
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_Call(self, node: ast.Call) -> None:
        """Let the digits of `round` pass; refuse numbers read from strings."""
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        arguments: list[ast.expr] = [*node.args, *(k.value for k in node.keywords)]
        if name == "round" and isinstance(node.func, ast.Name) and len(arguments) > 1 and number_of(arguments[1]) is not None:
            arguments = arguments[:1]
        if name in NUMBER_READERS and any(isinstance(a, ast.Constant) and _reads_as_number(a.value) for a in arguments):
            self.refuse(node, "a number read from a string is a literal all the same")
        if name == "len" and arguments and isinstance(arguments[0], ast.Constant):
            self.refuse(node, "a number counted from a string is a literal all the same")
        self.visit(node.func)
        for argument in arguments:
            self._visit_plain(argument)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Note that what stands on the right of an ordering is what something is measured by."""
        self._visit_plain(node.left)
        before = self._in_ordering
        self._in_ordering = any(isinstance(op, ORDERINGS) for op in node.ops)
        for comparator in node.comparators:
            self.visit(comparator)
        self._in_ordering = before

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Look at products, quotients and sums of literals."""
        value = folded(node)
        if value is not None:
            if value not in (0, 1, -1, 2, 1 / 2):
                self.refuse(node, "a number made of literals is a literal all the same")
            return
        multiplies = isinstance(node.op, (ast.Mult, ast.Pow))
        divides = isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod))
        for operand, is_right in ((node.left, False), (node.right, True)):
            before = (self._factor, self._divisor)
            self._factor, self._divisor = multiplies or (divides and not is_right), divides and is_right
            self.visit(operand)
            self._factor, self._divisor = before

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Read a sign together with its number."""
        value = number_of(node)
        if value is None:
            self.generic_visit(node)
        elif value not in (0, 1, -1):
            self.refuse(node, "not computed from the page and not in the registry")

    def visit_Constant(self, node: ast.Constant) -> None:
        """Judge one bare number."""
        value = number_of(node)
        if value is None or value in (0, 1):
            return
        if value != 2:
            self.refuse(node, "not computed from the page and not in the registry")
        elif isinstance(node.value, float) and not self._divisor:
            self.refuse(node, "2.0 is a half only as a divisor; a count is an int")
        elif self._in_ordering and self._factor:
            self.refuse(node, "a factor on the right of a comparison is a threshold")

    def _visit_plain(self, node: ast.expr) -> None:
        """Visit an argument of a call: what stands around the call is no longer around it."""
        before = (self._in_ordering, self._factor, self._divisor)
        self._in_ordering = self._factor = self._divisor = False
        self.visit(node)
        self._in_ordering, self._factor, self._divisor = before


def _reads_as_number(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return complex(value) not in (0, 1, -1, 2) and abs(complex(value)) < float("inf")
    except ValueError:
        return "/" in value and all(part.strip().lstrip("-").isdigit() for part in value.split("/"))


def findings_in(path: Path) -> list[Finding]:
    """Return what is refused in one file."""
    reader = Reader(path)
    reader.visit(ast.parse(path.read_text(encoding="utf-8"), filename=str(path)))
    return sorted(reader.findings, key=lambda finding: finding.line)


def python_files(places: Iterable[Path]) -> Iterator[Path]:
    """Yield the Python files of folders and files, in order."""
    for place in places:
        yield from sorted(place.rglob("*.py")) if place.is_dir() else [place]


def registry_faults() -> list[str]:
    """Return what is wrong with the registry itself: a name without its constant, a reason or an alternative left empty."""
    faults = []
    for name, entry in thresholds.registry().items():
        if getattr(thresholds, name, None) != entry.value or entry.name != name:
            faults.append(f"variorum.thresholds: {name} is registered under another name or value than its constant")
        if len(entry.alternatives) != 2 or not all(what and against for what, against in entry.alternatives):
            faults.append(f"variorum.thresholds: {name} needs two alternatives, each with what speaks against it")
        if not entry.reason or not entry.unit:
            faults.append(f"variorum.thresholds: {name} needs a reason and a unit")
    return faults


def count_faults(count: int, record: str) -> list[str]:
    """Compare the number of registry entries with the last line of the record: `COUNT  NOTE`, one line a change."""
    lines = [line for line in record.splitlines() if line.strip() and not line.startswith("#")]
    last, _, note = lines[-1].strip().partition(" ") if lines else ("0", "", "-")
    if not last.isdigit() or not note.strip():
        return [f"{COUNT_FILE.name}: its last line is not `COUNT  NOTE`"]
    if count > int(last):
        return [f"the registry grew from {last} to {count} entries: add a line `{count}  WHY` to tools/{COUNT_FILE.name}"]
    return []


def main(arguments: list[str] | None = None) -> int:
    """Run the check and print its findings; return the exit code."""
    given = [Path(a) for a in (sys.argv[1:] if arguments is None else arguments)]
    places = given or [PACKAGE / room for room in ROOMS if (PACKAGE / room).exists()]
    findings = [finding for path in python_files(places) for finding in findings_in(path)]
    entries = len(thresholds.registry())
    faults = [*map(str, findings), *registry_faults(), *count_faults(entries, COUNT_FILE.read_text(encoding="utf-8"))]
    for fault in faults:
        print(fault)
    print(f"no_literal_thresholds: {entries} numbers in the registry, {len(findings)} literals outside it (0 allowed)")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
