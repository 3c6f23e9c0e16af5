"""Rows whose entries are a number and, below it, a number in brackets: `10` over `(27%)`, beside a wrapped label.

A number in brackets below a number is as a rule a row of its own: the standard error below a coefficient, with no label
beside it. Here the label tells: where a label goes on beside every line of brackets, and never would its next word have fitted
above, and elsewhere in the table labels run on below such a line, then the brackets are second lines of their cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from variorum.page.lines import Segment

Cells = Mapping[int, Sequence[Segment]]
Fits = Callable[[Sequence[Segment], Sequence[Segment]], bool]
_BRACKETED = re.compile(r"[(\[][^()\[\]]*\d[^()\[\]]*[)\]]")


def joined_with_brackets(groups: list[list[int]], cells: Sequence[Cells], fits: Fits) -> list[list[int]]:
    """Return the groups of lines, those that begin with a line of brackets joined to the one above, where labels show that.

    `cells` are the texts of each line by column, those that span columns under negative keys. `fits` says of a label and the
    one below whether the lower would have begun on the line of the upper.
    """
    below = [k for k in range(1, len(groups)) if _is_of_brackets(cells[groups[k][0]])]
    if not below or any(k - 1 in below for k in below):
        return groups
    for k in below:
        above, here = cells[groups[k - 1][-1]], cells[groups[k][0]]
        if 0 not in above or 0 not in here or fits(above[0], here[0]) or not _has_numbers(above):
            return groups
    if not any(set(cells[i]) == {0} for k in below for i in groups[k][1:]):
        return groups
    out: list[list[int]] = []
    for k, group in enumerate(groups):
        if k in below:
            out[-1] = [*out[-1], *group]
        else:
            out.append(group)
    return out


def _is_of_brackets(line: Cells) -> bool:
    """Return whether all texts of a line but its label are numbers in brackets, two or more of them."""
    words = [w.text for column, parts in line.items() if column != 0 for part in parts for w in part.words]
    return len(words) > 1 and all(_BRACKETED.fullmatch(word) for word in words)


def _has_numbers(line: Cells) -> bool:
    """Return whether most texts of a line but its label are plain numbers."""
    words = [w.text for column, parts in line.items() if column != 0 for part in parts for w in part.words]
    return 2 * sum(any(c.isdigit() for c in word) and not any(c.isalpha() for c in word) for word in words) > len(words)
