"""The text of a formula from the places of its parts: fractions as ``(a)/(b)``, roots as ``√(a)``, limits and scripts as
Unicode signs where there are such, else ``x_{max,q}``.

The parts are put together as they are set (the reading of two-dimensional mathematics by baselines and dominating signs follows
R. Zanibbi, D. Blostein, J. R. Cordy, "Recognizing mathematical expressions using tree transformation", IEEE TPAMI 24 (2002),
doi:10.1109/TPAMI.2002.1046157): fraction bars from the innermost out, roots, limits of large signs, then scripts along the
lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from variorum.geometry import Box, Interval
from variorum.layout.formula_signs import LARGE, ROOT
from variorum.layout.model import PrintLine, is_size
from variorum.layout.scripts import lowered, raised
from variorum.page.model import Rule
from variorum.thresholds import ASCENT_EM, SCRIPT_SHIFT_EM, USUAL_WORD_SPACE_EM


@dataclass(frozen=True, slots=True)
class Atom:
    """A part of a formula: its text, box, baseline and size in points, and whether a space stands before it."""

    text: str
    box: Box
    baseline: float
    size: float
    space_before: bool = False


def formula_text(lines: Sequence[PrintLine], bars: Sequence[Rule] = ()) -> str:
    """Return the text of the lines of one equation; `bars` are the horizontal rules among them."""
    return text_of_atoms(list(_atoms(lines)), bars)


def _atoms(lines: Iterable[PrintLine]) -> Iterable[Atom]:
    for line in lines:
        for run in line.runs:
            yield Atom(run.text, run.box, run.box.y0 + ASCENT_EM * run.size, run.size, run.space_before)


def text_of_atoms(atoms: list[Atom], bars: Sequence[Rule]) -> str:
    """Return the text of the parts of one formula, in the order in which it is read."""
    for bar in sorted(bars, key=lambda r: (r.length, r.position, r.start)):
        atoms = _with_bar(atoms, bar)
    atoms = _with_limits(atoms)
    return " ".join(filter(None, map(_row_text, _rows(atoms))))


def _with_bar(atoms: list[Atom], bar: Rule) -> list[Atom]:
    """Return the parts with what a bar holds together put into one: a root, or a fraction."""
    under = Interval(bar.start, bar.end)
    inside = [
        a for a in atoms if under.contains(a.box.x_interval.middle) and a.box.width <= under.length + 2 * bar.thickness + a.size
    ]
    below = _nearest([a for a in inside if a.box.y_interval.middle > bar.position], bar.position)
    root = next(
        (a for a in atoms if a.text.endswith(ROOT) and abs(a.box.x1 - bar.start) < a.size / 2 and _touches(a, bar)), None
    )
    if root is not None and below:
        held = [a for a in below if a is not root]
        if held:
            box = Box.around([root.box, *(a.box for a in held)])
            text = _joined(root.text[:-1] + ROOT, held)
            whole = Atom(text, box, max(held, key=lambda a: a.size).baseline, max(a.size for a in held), root.space_before)
            return [a for a in atoms if a is not root and a not in held] + [whole]
    above = _nearest([a for a in inside if a.box.y_interval.middle < bar.position], bar.position)
    if not above or not below:
        return atoms
    box = Box.around([a.box for a in (*above, *below)])
    size = max(a.size for a in (*above, *below))
    text = f"{_bracketed(_flat(above))}/{_bracketed(_flat(below))}"
    # a bar stands on the axis of its line, a good quarter of an em above the baseline
    whole = Atom(text, box, bar.position + size * USUAL_WORD_SPACE_EM, size, True)
    held = [*above, *below]
    return [a for a in atoms if a not in held] + [whole]


def _touches(root: Atom, bar: Rule) -> bool:
    return root.box.y0 - root.size <= bar.position <= root.box.y1 + root.size


def _nearest(atoms: list[Atom], position: float) -> list[Atom]:
    """Return the parts on one side of a bar that stand in its nearest line of writing, with what overlaps it in height."""
    if not atoms:
        return []
    first = min(atoms, key=lambda a: (abs(a.box.y_interval.middle - position), a.box.x0))
    if min(abs(first.box.y0 - position), abs(first.box.y1 - position)) > first.size:
        return []
    held, hull = [first], first.box.y_interval
    rest = [a for a in atoms if a is not first]
    grew = True
    while grew:
        near = [a for a in rest if a.box.y_interval.overlap(hull) > 0]
        grew = bool(near)
        held.extend(near)
        rest = [a for a in rest if a not in near]
        for atom in near:
            hull = hull.hull(atom.box.y_interval)
    return held


def _flat(atoms: list[Atom]) -> str:
    return " ".join(filter(None, map(_row_text, _rows(_with_limits(atoms)))))


def _joined(mark: str, held: list[Atom]) -> str:
    return mark + _bracketed(_flat(held))


def _bracketed(text: str) -> str:
    return text if len(text) == 1 or text.isdigit() else f"({text})"


def _with_limits(atoms: list[Atom]) -> list[Atom]:
    """Return the parts with the limits of large signs put behind them."""
    large = sorted((a for a in atoms if any(c in LARGE for c in a.text)), key=lambda a: (a.box.x0, a.box.y0))
    for sign in large:
        reach = Interval(sign.box.x0 - sign.size / 2, sign.box.x1 + sign.size / 2)
        near = [
            a
            for a in atoms
            if a is not sign
            and a.size < sign.size
            and not is_size(a.size, sign.size)
            and reach.contains(a.box.x_interval.middle)
        ]
        over = [a for a in near if a.box.y_interval.middle < sign.box.y0 + sign.box.height / 2]
        under = [a for a in near if a not in over]
        if over or under:
            text = sign.text + (lowered(_flat(under)) if under else "") + (raised(_flat(over)) if over else "")
            atoms = [a for a in atoms if a is not sign and a not in near] + [replace(sign, text=text)]
    return atoms


def _rows(atoms: list[Atom]) -> list[list[Atom]]:
    """Return the parts by line of writing, from top to bottom: large type makes the lines, small type joins the nearest."""
    rows: list[list[Atom]] = []
    for atom in sorted(atoms, key=lambda a: (-a.size, a.baseline, a.box.x0)):
        near = [row for row in rows if _belongs(atom, row)]
        if near:
            min(near, key=lambda row: (abs(row[0].baseline - atom.baseline), row[0].baseline)).append(atom)
        else:
            rows.append([atom])
    return sorted(
        (sorted(row, key=lambda a: (a.box.x0, a.baseline)) for row in rows), key=lambda row: min(a.baseline for a in row)
    )


def _belongs(atom: Atom, row: list[Atom]) -> bool:
    main = row[0]
    return 2 * atom.box.y_interval.overlap(main.box.y_interval) > min(atom.box.height, main.box.height) or (
        atom.size < main.size and atom.box.y_interval.overlap(main.box.y_interval) > 0
    )


def _row_text(row: list[Atom]) -> str:
    """Return the text of one line of writing: small type off its baseline as scripts, lowered before raised."""
    if not row:
        return ""
    size = max(a.size for a in row)
    main = [a for a in row if is_size(a.size, size)]
    base = main[0].baseline if main else row[0].baseline
    out, under, over = "", "", ""
    last: Atom | None = None
    for atom in row:
        shift = base - atom.baseline
        small = atom.size < size and not is_size(atom.size, size) and abs(shift) > SCRIPT_SHIFT_EM * size
        if small and shift > 0:
            over += atom.text
        elif small:
            under += atom.text
        else:
            out += (lowered(under) if under else "") + (raised(over) if over else "")
            under, over = "", ""
            wide = last is not None and atom.box.x0 - last.box.x1 >= USUAL_WORD_SPACE_EM * size / 2
            out += (" " if out and (wide or atom.space_before) else "") + atom.text
        last = atom
    return out + (lowered(under) if under else "") + (raised(over) if over else "")
