"""TEDS: similarity of two tables as trees of rows and cells, by tree edit distance.

Source: X. Zhong, E. ShafieiBavani, A. Jimeno Yepes, Image-based table recognition: data, model, and evaluation, ECCV 2020,
doi:10.1007/978-3-030-58589-1_34. A table is a tree as in HTML: ``table``, ``thead`` and ``tbody``, ``tr``, ``td`` with
rowspan, colspan and text. To insert or delete a node costs 1; to exchange two costs 1 when tag or spans differ, else for cells
the Levenshtein distance of their texts over the longer one. TEDS = 1 − distance / nodes of the larger tree; as in the authors'
program the root is not counted. TEDS-Struct is the same without texts.

The distance is exact: K. Zhang, D. Shasha, Simple fast algorithms for the editing distance between trees and related problems,
SIAM J. Comput. 18 (1989), doi:10.1137/0218082.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from variorum.evaluation.normalising import normalise, normalise_loosely
from variorum.evaluation.text_distance import levenshtein
from variorum.evaluation.truth_table import GridCell, GridLike, TruthTable


@dataclass(frozen=True, slots=True)
class Node:
    """A node of an ordered tree: its label (for a cell with the spans), its text, its children in order."""

    label: str
    children: tuple[Node, ...] = ()
    text: str = ""
    rowspan: int = 1
    colspan: int = 1

    def size(self) -> int:
        """Return the number of nodes, this one included."""
        return 1 + sum(child.size() for child in self.children)


Exchange = Callable[[Node, Node], float]


def teds(truth: TruthTable, extracted: TruthTable | GridLike, *, structure_only: bool = False) -> float:
    """Return the similarity in [0, 1]: exactly 1 for equal tables, 0 where one has no rows.

    Header rows stand in ``thead`` when the truth knows them, otherwise no table has one. Texts are normalised as in
    `compare_extraction`.
    """
    reading = extracted if isinstance(extracted, TruthTable) else TruthTable.from_reading(extracted)
    if not truth.is_verbatim:
        truth, reading = truth.without_blanks(), reading.without_blanks()
    if not (truth.n_rows and reading.n_rows):
        return 0.0
    clean = normalise if truth.is_verbatim else normalise_loosely
    one, other = (_tree(t, clean, with_head=truth.has_headers) for t in (truth, reading))
    nodes = max(one.size(), other.size()) - 1
    distance = tree_distance(one, other, _exchange_of_structure if structure_only else _exchange)
    return max(0.0, 1.0 - distance / nodes)


def _tree(table: TruthTable, clean: Callable[[str], str], *, with_head: bool) -> Node:
    by_row: list[list[GridCell]] = [[] for _ in range(table.n_rows)]
    for cell in table.cells():
        by_row[cell.row].append(cell)
    rows = tuple(Node("tr", tuple(Node("td", (), clean(c.text), c.rowspan, c.colspan) for c in row)) for row in by_row)
    if not with_head:
        return Node("table", rows)
    heads = len(table.header_rows)
    parts = [("thead", rows[:heads]), ("tbody", rows[heads:])]
    return Node("table", tuple(Node(name, part) for name, part in parts if part))


def _exchange_of_structure(one: Node, other: Node) -> float:
    return float((one.label, one.rowspan, one.colspan) != (other.label, other.rowspan, other.colspan))


def _exchange(one: Node, other: Node) -> float:
    if cost := _exchange_of_structure(one, other):
        return cost
    longer = max(len(one.text), len(other.text))
    return levenshtein(*sorted((one.text, other.text))) / longer if one.text != other.text else 0.0


# ---- tree edit distance -----------------------------------------------------------------------------------------------


def tree_distance(one: Node, other: Node, exchange: Exchange) -> float:
    """Return the least cost of nodes to insert and delete (1 each) and to exchange that turns the one tree into the other."""
    left, right = _Order(one), _Order(other)
    costs = [[exchange(a, b) for b in right.nodes] for a in left.nodes]
    trees = [[0.0] * len(right.nodes) for _ in left.nodes]
    for i in left.keyroots:
        for j in right.keyroots:
            _forests(i, j, left.firsts, right.firsts, costs, trees)
    return trees[-1][-1]


class _Order:
    """The nodes of a tree in postorder, for each the index of its first leaf, and the roots whose first leaf is new."""

    __slots__ = ("firsts", "keyroots", "nodes")

    def __init__(self, root: Node) -> None:
        self.nodes: list[Node] = []
        self.firsts: list[int] = []
        self._visit(root)
        self.keyroots = sorted({first: i for i, first in enumerate(self.firsts)}.values())

    def _visit(self, node: Node) -> int:
        firsts = [self._visit(child) for child in node.children]
        first = firsts[0] if firsts else len(self.nodes)
        self.nodes.append(node)
        self.firsts.append(first)
        return first


def _forests(
    i: int, j: int, ours: Sequence[int], theirs: Sequence[int], costs: Sequence[Sequence[float]], trees: list[list[float]]
) -> None:
    """Fill in the distances of all pairs of subtrees on the leftmost paths of the two roots, from those filled in before."""
    top, left = ours[i], theirs[j]
    above = [float(k) for k in range(j - left + 2)]
    table = [above]
    for a in range(top, i + 1):
        first_a, cost, tree = ours[a], costs[a], trees[a]
        here = [above[0] + 1]
        append, last = here.append, here[0]
        for b in range(left, j + 1):
            at = b - left
            best = min(above[at + 1], last) + 1
            if first_a == top and theirs[b] == left:
                change = above[at] + cost[b]
                last = tree[b] = min(change, best)
            else:
                change = table[first_a - top][theirs[b] - left] + tree[b]
                last = min(change, best)
            append(last)
        table.append(here)
        above = here
