"""Tokens as a tree of groups, environments and formulae, made without recursion; unbalanced braces are mended, not fatal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from variorum.errors import DamagedInputError
from variorum.sources.latex_tokens import BEGIN, END, VERBATIM
from variorum.thresholds import SOURCE_NESTING

_OPENS: Final = {"\\(": "\\)", "\\[": "\\]"}


@dataclass(slots=True, eq=False)
class Node:
    """A group in braces (``group``), an environment (``env``), inline math (``math``) or a display (``display``)."""

    kind: str
    name: str = ""
    children: list[Item] = field(default_factory=list)


Item: TypeAlias = str | Node


def build_tree(tokens: Sequence[str], where: str) -> list[Item]:
    """Return the tree of the tokens; raises DamagedInputError when it is deeper than the limit."""
    root = Node("group")
    stack = [root]
    i = 0
    while i < len(tokens):
        token = tokens[i]
        top = stack[-1]
        first = token[0]
        opened: Node | None = None
        if token == "{":
            opened = Node("group")
        elif token == "}":
            _close(stack, lambda n: n.kind == "group", until="env")
        elif first == BEGIN:
            opened = Node("env", token[1:])
        elif first == END:
            name = token[1:]
            _close(stack, _named_env(name))
        elif token == "$":
            double = i + 1 < len(tokens) and tokens[i + 1] == "$"
            if top.kind == "math" and top.name == "$":
                stack.pop()
            elif top.kind == "display" and top.name == "$$":
                stack.pop()
                i += double
            elif double and top.kind != "math":
                opened = Node("display", "$$")
                i += 1
            else:
                opened = Node("math", "$")
        elif token in _OPENS:
            opened = Node("math" if token == "\\(" else "display", _OPENS[token])
        elif token in ("\\)", "\\]"):
            _close(stack, _named(token), until="env")
        elif token == "\\par" and top.kind == "math":
            stack.pop()  # a formula never goes on behind a blank line: a sign was forgotten
            stack[-1].children.append(token)
        else:
            top.children.append(token)
        if opened is not None:
            if len(stack) > SOURCE_NESTING:
                raise DamagedInputError(
                    f"braces or environments stand more than {SOURCE_NESTING} deep in each other",
                    where=where,
                    hint="look for an environment or brace that is opened again and again and never closed",
                )
            stack[-1].children.append(opened)
            stack.append(opened)
        i += 1
    return root.children


def _named_env(name: str) -> Callable[[Node], bool]:
    return lambda node: node.kind == "env" and node.name == name


def _named(name: str) -> Callable[[Node], bool]:
    return lambda node: node.name == name


def _close(stack: list[Node], fits: Callable[[Node], bool], until: str = "") -> None:
    """Close the nearest open node that fits, and all within it; do nothing when there is none before an open `until`."""
    for i in range(len(stack) - 1, 0, -1):
        if fits(stack[i]):
            del stack[i:]
            return
        if until and stack[i].kind == until:
            return


@dataclass(slots=True)
class Reader:
    """Walks one list of items and takes the arguments of commands."""

    items: Sequence[Item]
    at: int = 0
    _last: dict[str, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Item]:
        while self.at < len(self.items):
            self.at += 1
            yield self.items[self.at - 1]

    def skip_spaces(self) -> None:
        """Go on to the next item that is no space."""
        while self.at < len(self.items) and self.items[self.at] in (" ", "\\par"):
            self.at += 1

    def peek(self) -> Item | None:
        """Return the next item without taking it, None at the end."""
        return self.items[self.at] if self.at < len(self.items) else None

    def star(self) -> bool:
        """Return whether a star follows, and take it."""
        if self.peek() == "*":
            self.at += 1
            return True
        return False

    def argument(self) -> list[Item]:
        """Return the next argument: the inside of a group, or one item; nothing at the end."""
        self.skip_spaces()
        item = self.peek()
        if item is None:
            return []
        self.at += 1
        return item.children if isinstance(item, Node) and item.kind == "group" else [item]

    def script(self) -> list[Item]:
        """Return what is raised or lowered: an argument, or a command with the groups behind it (``T_\\mathrm{max}``)."""
        found = self.argument()
        if len(found) == 1 and isinstance(found[0], str) and found[0][0] == "\\":
            while isinstance(following := self.peek(), Node) and following.kind == "group":
                found = [*found, following]
                self.at += 1
        return found

    def group(self) -> list[Item] | None:
        """Return the inside of a group that follows, None where none follows."""
        mark = self.at
        self.skip_spaces()
        item = self.peek()
        if isinstance(item, Node) and item.kind == "group":
            self.at += 1
            return item.children
        self.at = mark
        return None

    def optional(self, opening: str = "[", closing: str = "]") -> list[Item] | None:
        """Return an optional argument, None where none follows."""
        mark = self.at
        while self.peek() == " ":
            self.at += 1
        if self.peek() != opening:
            self.at = mark
            return None
        if closing not in self._last:  # a bracket that is never closed would send each search for it to the end
            behind = (i for i in range(len(self.items) - 1, -1, -1) if self.items[i] == closing)
            self._last[closing] = next(behind, -1)
        for stop in range(self.at + 1, self._last[closing] + 1):
            if self.items[stop] == closing:
                inside = list(self.items[self.at + 1 : stop])
                self.at = stop + 1
                return inside
        self.at = mark
        return None


def plain(items: Sequence[Item]) -> str:
    """Return the items as they stand in the source: names, keys, lengths, formulae."""
    out: list[str] = []
    for item in items:
        if isinstance(item, Node):
            inside = plain(item.children)
            if item.kind == "group":
                inside = "{" + inside + "}"
            elif item.kind == "env":
                inside = f"\\begin{{{item.name}}}{inside}\\end{{{item.name}}}"
            else:
                inside = f"${inside}$"
        elif item[0] == VERBATIM:
            inside = item.split(VERBATIM)[-1]
        else:
            inside = item
        if out and inside[:1].isalpha() and out[-1][:1] == "\\" and out[-1][-1:].isalpha():
            out.append(" ")
        out.append(inside)
    return "".join(out)
