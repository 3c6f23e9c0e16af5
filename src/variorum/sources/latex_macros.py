"""The whole source as one row of tokens: files put in where they are asked for, macros expanded, branches not taken left out.

The author's own ``\\newcommand``, ``\\def``, ``\\let`` and ``\\newenvironment`` are expanded; commands that say what the parts
of a paper are (sections, captions, citations, tables) keep their meaning whatever the source makes of them. Nothing is run: no
file is written, no program called. How many tokens macros may give and how many files may be asked for is limited, so that
macros that call themselves, or double themselves, end with an error.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from variorum.errors import DamagedInputError
from variorum.layout.whole_numbers import whole_number
from variorum.sources.latex_cycles import OpenCalls
from variorum.sources.latex_delimiters import DECLARING, KINDS, delimited_body, has_surroundings, is_counted
from variorum.sources.latex_files import SourceFiles
from variorum.sources.latex_tokens import ADDRESS, BEGIN, END, LEAVE_FILE, THE, VERBATIM, tokenize
from variorum.thresholds import MACRO_TOKENS, SOURCE_DEPTH, SOURCE_FILES, SOURCE_NESTING, SOURCE_TEXT_BYTES, TEX_ARGUMENTS

PROTECTED: Final = frozenset(
    "\\" + name
    for name in [
        "begin",
        "end",
        "part",
        "chapter",
        "section",
        "subsection",
        "subsubsection",
        "paragraph",
        "subparagraph",
        "caption",
        "captionof",
        "label",
        "ref",
        "eqref",
        "autoref",
        "cref",
        "Cref",
        "pageref",
        "nameref",
        "cite",
        "citep",
        "citet",
        "citealt",
        "citealp",
        "citeauthor",
        "citeyear",
        "citeyearpar",
        "citeauthoryear",
        "textcite",
        "parencite",
        "autocite",
        "footcite",
        "nocite",
        "bibitem",
        "bibliography",
        "printbibliography",
        "footnote",
        "footnotemark",
        "footnotetext",
        "item",
        "title",
        "author",
        "date",
        "abstract",
        "maketitle",
        "includegraphics",
        "multicolumn",
        "multirow",
        "hline",
        "toprule",
        "midrule",
        "bottomrule",
        "cline",
        "cmidrule",
        "tabularnewline",
        "input",
        "include",
        "subfile",
        "appendix",
        "text",
        "textbf",
        "textit",
        "emph",
        "mathrm",
        "mathbf",
        "mathit",
        "frac",
        "sqrt",
        "left",
        "right",
        "url",
        "href",
        "tablehead",
        "colhead",
        "startdata",
        "enddata",
        "tablecaption",
        "tablenotetext",
        "tablecomments",
        "affiliation",
        "thanks",
        "keywords",
        "newcommand",
        "renewcommand",
        "def",
        "let",
        "newenvironment",
        "documentclass",
        "usepackage",
        "makecell",
        "thead",
        "par",
        "makeatletter",
        "makeatother",
        "protect",
        "subfloat",
        "subcaption",
        "subref",
        "figurename",
        "tablename",
    ]
)
_DEFINING: Final = ("\\newcommand", "\\renewcommand", "\\providecommand", "\\DeclareRobustCommand", "\\NewDocumentCommand")
_UNDEFINED: Final = ("\\undefined", "\\@undefined")
_INPUTS: Final = ("\\input", "\\include", "\\subfile", "\\subfileinclude", "\\subimport", "\\import", "\\InputIfFileExists")
_NOT_CONDITIONS: Final = ("\\iff", "\\ifthenelse", "\\ifstrequal", "\\ifblank", "\\ifstrempty", "\\ifthispageodd", "\\ifx@")
_COUNTERS: Final = [
    "section",
    "subsection",
    "subsubsection",
    "chapter",
    "part",
    "equation",
    "table",
    "figure",
    "footnote",
    "theorem",
    "paragraph",
    "parentequation",
    "subfigure",
    "subtable",
    "enumi",
    "enumii",
    "page",
    "appendix",
]
_COMPARISON: Final = re.compile(r"\s*(-?\d{1,9})\s*([<>=])\s*(-?\d{1,9})\s*")
_NUMBER: Final = re.compile(r"[-+]?\d+")


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro: what stands around its arguments (``#1`` is "#", "1"), the default of a first optional one, its body."""

    arguments: int
    body: tuple[str, ...]
    default: tuple[str, ...] | None = None
    pattern: tuple[str, ...] | None = None
    kinds: str = ""


@dataclass(slots=True)
class Expander:
    """Expands one source; `notes` say what was not found."""

    files: SourceFiles
    notes: list[str] = field(default_factory=list)
    macros: dict[str, Macro] = field(default_factory=dict)
    environments: dict[str, tuple[Macro, tuple[str, ...]]] = field(default_factory=dict)
    theorems: dict[str, tuple[str, str, bool]] = field(default_factory=dict)
    """By environment: its printed name, the counter it shares (its own name without one), whether it is numbered."""
    bibliographies: list[str] = field(default_factory=list)
    bibliography_style: str = ""
    packages: dict[str, str] = field(default_factory=dict)
    document_class: str = ""
    class_options: str = ""
    _stack: list[str] = field(default_factory=list)
    _out: list[str] = field(default_factory=list)
    _scopes: list[list[tuple[str, Macro | None]]] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)
    _ends: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    _pushed: int = 0
    _asked: int = 0
    _entered: int = 0
    _flags: dict[str, bool] = field(default_factory=dict)
    _list_done: bool = False
    _only_definitions: bool = False
    _calls: OpenCalls = field(default_factory=OpenCalls)

    def expand(self) -> list[str]:
        """Return the tokens of the whole document.

        Raises DamagedInputError when macros or files do not come to an end.
        """
        self._enter(self.files.main)
        self._run()
        return self._out

    # ---- reading tokens --------------------------------------------------------------------------------------------

    def _run(self) -> None:
        stack, out = self._stack, self._out
        while stack:
            token = stack.pop()
            first = token[0]
            if first == "\\":
                if self._only_definitions:
                    if token in _DEFINITIONS:
                        _HANDLERS[token](self, token)
                elif token in self.macros:
                    self._call(token, self.macros[token])
                elif (handler := _HANDLERS.get(token)) is not None:
                    self._calls.forget()
                    handler(self, token)
                elif token.startswith("\\if") and token not in _NOT_CONDITIONS:
                    self._calls.forget()
                    self._condition(token)
                elif token == "\\else":
                    self._calls.forget()
                    self._skip_branch(stop_at_else=False)
                elif token != "\\fi":
                    out.append(token)
            elif first == "{":
                self._scopes.append([])
                out.append(token)
            elif first == "}":
                self._leave_scope()
                out.append(token)
            elif first == LEAVE_FILE:
                if self._open:
                    self._open.pop()
            else:
                out.append(token)

    def _leave_scope(self) -> None:
        if self._scopes and (changed := self._scopes.pop()):
            self._calls.forget()
            for name, old in reversed(changed):
                if old is None:
                    self.macros.pop(name, None)
                else:
                    self.macros[name] = old

    def _push(self, tokens: Iterable[str]) -> None:
        rows = list(tokens)
        self._pushed += len(rows) + 1
        if self._pushed > MACRO_TOKENS:
            raise self._endless(f"more than {MACRO_TOKENS:,} tokens were made")
        self._stack.extend(reversed(rows))

    def _endless(self, why: str) -> DamagedInputError:
        return DamagedInputError(
            f"its macros do not come to an end: {why}",
            where=f"{self.files.where}: {self._open[-1] if self._open else self.files.main}",
            hint="look for a macro that calls itself",
        )

    def _enter(self, name: str) -> None:
        where = f"{self.files.where}: {self._open[-1] if self._open else name}"
        self._asked += 1
        if len(self._open) >= SOURCE_DEPTH or self._asked > SOURCE_FILES:
            raise DamagedInputError(
                f"{name!r} is asked for {SOURCE_DEPTH} files deep or {SOURCE_FILES:,} times",
                where=where,
                hint="look for a file that asks for itself",
            )
        text = self.files.text(name)
        begin = re.search(r"^[^%\n]*\\begin\s*\{document\}", text, re.MULTILINE)
        if self._open and begin is not None:
            text = text[begin.end() :]
        self._entered += len(text)
        if self._entered > SOURCE_TEXT_BYTES:
            raise DamagedInputError(
                f"its files ask for each other for more than {SOURCE_TEXT_BYTES:,} signs of text",
                where=where,
                hint="look for files that are asked for again and again",
            )
        tokens = tokenize(text, at_is_letter=name.endswith((".sty", ".cls", ".def")))
        self._open.append(name)
        self._stack += [LEAVE_FILE, *reversed(tokens)]

    def _spaces(self) -> None:
        while self._stack and self._stack[-1] == " ":
            self._stack.pop()

    def _argument(self) -> tuple[str, ...]:
        """Return the next argument without its braces: a group or one token."""
        while self._stack and self._stack[-1] in (" ", "\\par"):
            self._stack.pop()
        if not self._stack:
            return ()
        if self._stack[-1][0] == LEAVE_FILE:
            return ()
        token = self._stack.pop()
        return self._rest_of_group() if token == "{" else (token,)

    def _rest_of_group(self) -> tuple[str, ...]:
        depth, out = 1, []
        while self._stack:
            token = self._stack.pop()
            if token == "{":
                depth += 1
            elif token == "}":
                depth -= 1
                if not depth:
                    break
            elif token[0] == LEAVE_FILE:
                self._stack.append(token)
                break
            out.append(token)
        return tuple(out)

    def _optional(self) -> tuple[str, ...] | None:
        """Return an optional argument without its brackets, None where there is none."""
        mark = len(self._stack)
        self._spaces()
        if not self._stack or self._stack[-1] != "[":
            if len(self._stack) < mark:
                self._stack.append(" ")
            return None
        self._stack.pop()
        depth, out = 0, []
        while self._stack:
            token = self._stack.pop()
            if token == "{":
                depth += 1
            elif token == "}":
                depth -= 1
            elif (token == "]" and not depth) or token[0] == LEAVE_FILE:
                break
            out.append(token)
        return tuple(out)

    def _star(self) -> bool:
        self._spaces()
        if self._stack and self._stack[-1] == "*":
            self._stack.pop()
            return True
        return False

    def _name(self) -> str:
        return "".join(t.split(VERBATIM)[-1] if t[0] == VERBATIM else t for t in self._argument()).strip()

    # ---- macros ----------------------------------------------------------------------------------------------------

    def _call(self, token: str, macro: Macro) -> None:
        arguments: list[tuple[str, ...]] = []
        looks_ahead = macro.pattern is not None or macro.kinds or macro.default is not None
        if looks_ahead:
            self._calls.forget()
        elif not macro.arguments and macro.body and self._calls.is_endless(token, len(self._stack)):
            raise self._endless(f"{token} calls itself, or a macro that calls it, again and again")
        if macro.pattern is not None:
            arguments = self._delimited(macro.pattern)
        elif macro.kinds:
            for kind in macro.kinds:
                if kind == "s":
                    arguments.append(("1",) if self._star() else ("0",))
                elif kind in "oO":
                    arguments.append(self._optional() or ())
                else:
                    arguments.append(self._argument())
        else:
            count = macro.arguments
            if macro.default is not None:
                given = self._optional()
                arguments.append(macro.default if given is None else given)
                count -= 1
            arguments += [self._argument() for _ in range(count)]
        self._calls.reach(len(self._stack))
        self._push(self._fill(macro.body, arguments))

    def _fill(self, body: tuple[str, ...], arguments: list[tuple[str, ...]]) -> list[str]:
        """Return the body with its arguments; an address, one token, counts by its signs, for each call makes it anew."""
        addresses = [token for token in body if _holds_parameter(token)]
        if addresses:
            longest = max((sum(map(len, argument)) for argument in arguments), default=0)
            self._pushed += sum(len(token) + token.count("#") * longest for token in addresses)
            self._push([])  # too much is refused before it is made
        return _filled(body, arguments)

    def _delimited(self, pattern: tuple[str, ...]) -> list[tuple[str, ...]]:
        arguments: list[tuple[str, ...]] = []
        i = 0
        while i < len(pattern):
            if pattern[i] == "#" and i + 1 < len(pattern):
                i += 2
                stop: list[str] = []
                while i < len(pattern) and pattern[i] != "#":
                    stop.append(pattern[i])
                    i += 1
                arguments.append(self._until(stop) if stop else self._argument())
            else:
                self._spaces() if pattern[i] != " " else None
                if self._stack and self._stack[-1] == pattern[i]:
                    self._stack.pop()
                i += 1
        return arguments

    def _until(self, stop: list[str]) -> tuple[str, ...]:
        depth, out = 0, []
        while self._stack:
            if not depth and self._stack[-len(stop) :] == stop[::-1]:
                del self._stack[-len(stop) :]
                break
            if self._stack[-1][0] == LEAVE_FILE:
                break
            token = self._stack.pop()
            depth += (token == "{") - (token == "}")
            out.append(token)
        return tuple(out)

    def _set(self, name: str, macro: Macro | None, *, everywhere: bool = False) -> None:
        if not everywhere and self._scopes:
            self._scopes[-1].append((name, self.macros.get(name)))
        if macro is None:
            self.macros.pop(name, None)
        else:
            self.macros[name] = macro

    def _define(self, token: str) -> None:
        self._star()
        name = "".join(self._argument()).strip()
        kinds, count, default, body = "", 0, None, ()  # type: str, int, tuple[str, ...] | None, tuple[str, ...]
        if token == "\\NewDocumentCommand":
            kinds = re.sub(r"[^smoO]", "", re.sub(r"\{[^}]*\}", "", "".join(self._argument())))
        else:
            number = _NUMBER.search("".join(self._optional() or ()))
            count = _count_of(number[0]) if number else 0
            default = self._optional() if count else None
        body = self._argument()
        if not name.startswith("\\") or name in PROTECTED or (token == "\\providecommand" and name in self.macros):
            return
        if self._is_number_format(name, body):
            return
        self._set(name, Macro(max(count, 0), body, default, None, kinds))

    def _is_number_format(self, name: str, body: tuple[str, ...]) -> bool:
        """Whether the macro says how a counter is printed; if so, hand it on in the place where it stands."""
        counter = name.removeprefix("\\the")
        if name.startswith("\\the") and (counter in _COUNTERS or counter in self.theorems):
            self._out += [THE + counter, "{", *body, "}"]
            return True
        if name in ("\\figurename", "\\tablename", "\\refname", "\\abstractname", "\\bibname"):
            self._out += [THE + name, "{", *body, "}"]
            return True
        return False

    def _def(self, token: str) -> None:
        self._spaces()
        if not self._stack:
            return
        name = self._stack.pop()
        pattern: list[str] = []
        while self._stack and self._stack[-1] != "{" and self._stack[-1][0] != LEAVE_FILE:
            pattern.append(self._stack.pop())
        body = self._argument()
        if not name.startswith("\\") or name in PROTECTED or self._is_number_format(name, body):
            return
        if token in ("\\edef", "\\xdef") and name in body:
            old = self.macros.get(name)
            body = tuple(t for part in body for t in ((old.body if old else ()) if part == name else (part,)))
        while pattern and pattern[-1] == " ":
            pattern.pop()
        count = pattern.count("#")
        is_plain = pattern == [part for i in range(count) for part in ("#", str(i + 1))]
        macro = Macro(count, body, None, None if is_plain else tuple(pattern))
        self._set(name, macro, everywhere=token in ("\\gdef", "\\xdef"))

    def _let(self, _: str) -> None:
        self._spaces()
        name = self._stack.pop() if self._stack else ""
        self._spaces()
        if self._stack and self._stack[-1] == "=":
            self._stack.pop()
            self._spaces()
        other = self._stack.pop() if self._stack else ""
        if not name.startswith("\\") or name in PROTECTED or name == other or not other or other[0] in (LEAVE_FILE, "{", "}"):
            return
        self._set(name, self.macros.get(other) or Macro(0, (other,)))

    def _operator(self, _: str) -> None:
        self._star()
        name = "".join(self._argument()).strip()
        body = self._argument()
        if name.startswith("\\") and name not in PROTECTED:
            self._set(name, Macro(0, ("\\operatorname", "{", *body, "}")))

    def _delimiter(self, token: str) -> None:
        """Define a command for what stands between two signs."""
        name = "".join(self._argument()).strip()
        number = _NUMBER.search("".join(self._optional() or ())) if is_counted(token) else None
        count = _count_of(number[0]) if number else 1
        before = self._argument() if has_surroundings(token) else ()
        left, right = self._argument(), self._argument()
        behind = self._argument() if has_surroundings(token) else ()
        between = self._argument() if is_counted(token) else ("#", "1")
        if name.startswith("\\") and name not in PROTECTED:
            body = delimited_body((*before, *left, *between, *right, *behind))
            self._set(name, Macro(0, body, kinds=KINDS + "m" * count))

    def _environment(self, _: str) -> None:
        self._star()
        name = self._name()
        number = _NUMBER.search("".join(self._optional() or ()))
        count = _count_of(number[0]) if number else 0
        default = self._optional() if count else None
        before, after = self._argument(), self._argument()
        known = ("document", "abstract", "table", "figure", "tabular", "equation", "align", "thebibliography", "verbatim")
        if name and name not in known:
            self.environments[name] = (Macro(max(count, 0), before, default), after)

    def _theorem(self, token: str) -> None:
        star = self._star()
        name = self._name()
        shared = self._optional()
        title = self._argument()
        within = self._optional()
        if name:
            counter = "".join(shared).strip() if shared else name
            self.theorems[name] = ("".join(title), counter, not star)
            if within is not None:
                parent = "".join(within).strip()
                text = ["\\the" + parent, ".", "\\arabic", "{", name, "}"]
                self._out += [THE + name, "{", *text, "}", THE + f"within {parent}", "{", *name, "}"]

    # ---- conditions ------------------------------------------------------------------------------------------------

    def _new_register(self, token: str) -> None:
        """Let a register of the author's own stand for one that is known: it prints nothing, and a value may follow it."""
        self._spaces()
        is_named = bool(self._stack) and (self._stack[-1][0] == "\\" or token == "\\newlength")
        name = "".join(self._argument()).strip() if is_named else ""
        if name.startswith("\\") and name not in PROTECTED:
            stand_in = "\\variorumcount" if token == "\\newcount" else "\\variorumskip"
            self._set(name, Macro(0, (stand_in,)), everywhere=True)

    def _new_if(self, _: str) -> None:
        self._spaces()
        name = self._stack.pop() if self._stack else ""
        if name.startswith("\\if"):
            bare = name[len("\\if") :]
            self._flags[name] = False
            self._set(f"\\{bare}true", Macro(0, ("\\variorumflag", "{", name, "1", "}")), everywhere=True)
            self._set(f"\\{bare}false", Macro(0, ("\\variorumflag", "{", name, "0", "}")), everywhere=True)

    def _flag(self, _: str) -> None:
        name, *value = self._argument()
        self._flags[name] = value == ["1"]

    def _condition(self, token: str) -> None:
        if not self._holds(token):
            self._skip_branch(stop_at_else=True)

    def _holds(self, token: str) -> bool:
        if token in self._flags:
            return self._flags[token]
        if token == "\\iftrue":
            return True
        if token in ("\\ifx", "\\if", "\\ifcat"):
            self._spaces()
            first = self._stack.pop() if self._stack else ""
            self._spaces()
            second = self._stack.pop() if self._stack else ""
            if second in _UNDEFINED and first not in PROTECTED and self._defines(first):
                return first not in self.macros
            a, b = self.macros.get(first), self.macros.get(second)
            return a == b if a is not None or b is not None else first == second
        if token in ("\\ifdefined", "\\ifcsname"):
            self._spaces()
            name = self._stack.pop() if self._stack else ""
            return name in self.macros
        if token in ("\\ifnum", "\\ifdim", "\\ifodd", "\\ifcase"):
            seen = self._until([]) if not self._stack else self._comparison()
            match = _COMPARISON.fullmatch("".join(seen))
            if match is None:
                return False
            return _compared(int(match[1]), match[2], int(match[3]))
        return False

    def _defines(self, name: str) -> bool:
        """Return whether what comes next is a definition of this name: a command is provided where nobody has it."""
        ahead: list[str] = []
        at = len(self._stack)
        while at and len(ahead) < 2:
            at -= 1
            ahead += [] if self._stack[at] in (" ", "{", "*") else [self._stack[at]]
        return ahead[1:] == [name] and _HANDLERS.get(ahead[0]) in (Expander._define, Expander._def, Expander._let)

    def _comparison(self) -> tuple[str, ...]:
        """Return the tokens of a comparison of numbers: up to the end of the second one."""
        out: list[str] = []
        behind_sign = False
        while self._stack and self._stack[-1][0] not in (LEAVE_FILE, "{", "}"):
            token = self._stack[-1]
            if behind_sign and token in (" ", "\\relax"):
                if out and out[-1] not in "<>=":
                    break
            elif behind_sign and not (token.isdigit() or token == "-"):
                if token[0] == "\\" and out[-1] in "<>=":
                    out.append(self._stack.pop())
                break
            behind_sign = behind_sign or token in "<>="
            out.append(self._stack.pop())
        return tuple(out)

    def _skip_branch(self, *, stop_at_else: bool) -> None:
        depth = 0
        while self._stack:
            token = self._stack.pop()
            if token[0] != "\\":
                continue
            if token == "\\fi":
                if not depth:
                    return
                depth -= 1
            elif token == "\\else" and stop_at_else and not depth:
                return
            elif token.startswith("\\if") and token not in _NOT_CONDITIONS:
                depth += 1

    # ---- files and environments ------------------------------------------------------------------------------------

    def _input(self, token: str) -> None:
        base = None
        if token in ("\\import", "\\subimport"):
            self._star()
            base = posixpath.join(posixpath.dirname(self.files.main), self._name())
        self._spaces()
        if self._stack and self._stack[-1] == "{":
            asked = self._name()
        else:
            word: list[str] = []
            while (
                self._stack and self._stack[-1] not in (" ", "\\par", "}", "{") and self._stack[-1][0] not in (LEAVE_FILE, "\\")
            ):
                word.append(self._stack.pop())
            asked = "".join(word)
        if token == "\\InputIfFileExists":
            self._argument(), self._argument()
        if not asked:
            return
        name = self.files.find(asked, base=base)
        if name is None:
            self.notes.append(f"the file {asked!r} that {self._open[-1] if self._open else 'it'} asks for is not in the source")
        elif name.endswith((".tex", ".bbl", ".ltx", ".sty", ".def", ".txt", ".tikz", ".pgf")) or "." not in posixpath.basename(
            name
        ):
            self._enter(name)

    def _package(self, token: str) -> None:
        options = "".join(self._optional() or ())
        for name in self._name().split(","):
            name = name.strip()
            if token == "\\documentclass":
                self.document_class, self.class_options = name, options
            else:
                self.packages.setdefault(name, options)
                if re.fullmatch(r"[\w.-]+(?:/[\w.-]+)*", name) and (found := self.files.find(name, (".sty",))) is not None:
                    self._definitions_of(found)
        self._optional()

    def _definitions_of(self, name: str) -> None:
        """Take over the plain definitions of a style file of the source's own: those that use nothing internal."""
        other = Expander(self.files, _only_definitions=True)
        other._pushed = self._pushed
        other._asked, other._entered = self._asked, self._entered
        other._open = [*self._open]
        try:
            other._enter(name)
            other._run()
        finally:
            self._pushed, self._asked, self._entered = other._pushed, other._asked, other._entered
        for macro_name, macro in other.macros.items():
            if "@" not in macro_name and not any("@" in t for t in macro.body) and macro_name not in self.macros:
                self.macros[macro_name] = macro
        for env, (macro, after) in other.environments.items():
            if not any("@" in t for t in (*macro.body, *after)):
                self.environments.setdefault(env, (macro, after))
        for env, theorem in other.theorems.items():
            self.theorems.setdefault(env, theorem)

    def _begin(self, _: str) -> None:
        name = self._name()
        self._scopes.append([])
        if name in self.environments:
            macro, after = self.environments[name]
            arguments: list[tuple[str, ...]] = []
            count = macro.arguments
            if macro.default is not None:
                given = self._optional()
                arguments.append(macro.default if given is None else given)
                count -= 1
            arguments += [self._argument() for _ in range(count)]
            self._ends.append((name, tuple(self._fill(after, arguments))))
            if len(self._ends) > SOURCE_NESTING:
                raise DamagedInputError(
                    f"the environment {name!r} and others stand more than {SOURCE_NESTING} deep in each other",
                    where=f"{self.files.where}: {self._open[-1] if self._open else self.files.main}",
                    hint="look for an environment that is opened again and again and never closed",
                )
            self._push(self._fill(macro.body, arguments))
        else:
            self._out.append(BEGIN + name)

    def _end(self, _: str) -> None:
        name = self._name()
        if name in self.environments and any(n == name for n, _ in self._ends):
            while self._ends:
                opened, after = self._ends.pop()
                if opened == name:
                    self._push(after)
                    break
        elif name == "document":
            self._out.append(END + name)
            self._stack.clear()
        else:
            self._out.append(END + name)
        self._leave_scope()

    def _bibliography_style(self, token: str) -> None:
        self.bibliography_style = self._name().strip()

    def _bibliography(self, token: str) -> None:
        if token == "\\addbibresource":
            self._optional()
        names = [n.strip() for n in self._name().split(",")] if token != "\\printbibliography" else []
        if token == "\\printbibliography":
            self._optional()
        self.bibliographies += [n for n in names if n and n not in self.bibliographies]
        if token == "\\addbibresource" or self._list_done:
            return
        self._list_done = True
        stem = posixpath.splitext(posixpath.basename(self.files.main))[0]
        found = self.files.find(stem, (".bbl",))
        if found is None:
            here = posixpath.dirname(self.files.main)
            others = [n for n in sorted(self.files.blobs) if n.endswith(".bbl") and posixpath.dirname(n) == here]
            found = others[0] if len(others) == 1 else None
        if found is not None:
            self._out.append(BEGIN + "variorumbbl")
            self._stack.append(END + "variorumbbl")
            self._enter(found)
        else:
            self._out += [BEGIN + "variorumbib", END + "variorumbib"]

    # ---- small things ----------------------------------------------------------------------------------------------

    def _csname(self, _: str) -> None:
        name = "".join(self._until(["\\endcsname"]))
        self._push(("\\" + name,) if re.fullmatch(r"[A-Za-z@*]+", name) else ())

    def _skip_one(self, _: str) -> None:
        self._argument()

    def _nothing(self, _: str) -> None:
        return

    def _if_then_else(self, _: str) -> None:
        test = "".join(self._argument())
        yes, no = self._argument(), self._argument()
        flag = re.search(r"\\boolean\s*\{?(\w+)", test)
        equal = re.fullmatch(r"\s*\\equal\{([^{}]*)\}\{([^{}]*)\}\s*", test)
        number = _COMPARISON.fullmatch(test)
        holds = False
        if flag:
            holds = self._flags.get(f"\\if{flag[1]}", False)
        elif equal:
            holds = equal[1] == equal[2]
        elif number:
            holds = _compared(int(number[1]), number[2], int(number[3]))
        self._push(yes if holds else no)

    def _expand_after(self, _: str) -> None:
        self._spaces()

    def _group(self, token: str) -> None:
        if token in ("\\begingroup", "\\bgroup"):
            self._scopes.append([])
        else:
            self._leave_scope()

    def _xspace(self, _: str) -> None:
        behind = self._stack[-1] if self._stack else " "
        if behind[0].isalnum() or behind in ("(", "$", "\\textbf", "\\emph"):
            self._out.append(" ")


def _count_of(printed: str) -> int:
    """Return how many arguments a macro is said to have; not more than TeX lets it have."""
    digits = printed.lstrip("+")
    count = whole_number(digits)
    return 0 if digits.startswith("-") else TEX_ARGUMENTS if count is None else min(count, TEX_ARGUMENTS)


def _compared(first: int, sign: str, second: int) -> bool:
    return first < second if sign == "<" else first > second if sign == ">" else first == second


def _filled(body: tuple[str, ...], arguments: list[tuple[str, ...]]) -> list[str]:
    """Return the body of a macro with its arguments in their places, also in an address; ``##`` is ``#``."""
    if "#" not in body and not any(map(_holds_parameter, body)):
        return list(body)
    out: list[str] = []
    i = 0
    while i < len(body):
        token = body[i]
        if token == "#" and i + 1 < len(body):
            following = body[i + 1]
            i += 2
            if following == "#":
                out.append("#")
            elif following.isdecimal() and following.isascii() and 0 < int(following) <= len(arguments):
                out += arguments[int(following) - 1]
        else:
            out.append(_filled_address(token, arguments) if _holds_parameter(token) else token)
            i += 1
    return out


def _holds_parameter(token: str) -> bool:
    """Return whether a token is an address in which an argument may stand (``\\nolinkurl{#1}``)."""
    return token.startswith(ADDRESS) and "#" in token


def _filled_address(token: str, arguments: list[tuple[str, ...]]) -> str:
    """Return an address, which is one token, with the arguments of the macro that it stands in."""

    def text(match: re.Match[str]) -> str:
        number = int(match[1])
        if not 0 < number <= len(arguments):
            return ""
        parts = (part.rpartition(VERBATIM)[2] for part in arguments[number - 1])
        return "".join(part.removeprefix("\\") for part in parts if part not in ("{", "}"))

    return re.sub(r"#([0-9])", text, token)


_DEFINITIONS: Final = (
    *_DEFINING,
    *DECLARING,
    "\\def",
    "\\gdef",
    "\\DeclareMathOperator",
    "\\newenvironment",
    "\\newtheorem",
)
_HANDLERS: Final = {
    **dict.fromkeys(_DEFINING, Expander._define),
    **dict.fromkeys(("\\def", "\\gdef", "\\edef", "\\xdef"), Expander._def),
    **dict.fromkeys(("\\let",), Expander._let),
    **dict.fromkeys(("\\DeclareMathOperator",), Expander._operator),
    **dict.fromkeys(DECLARING, Expander._delimiter),
    **dict.fromkeys(("\\newenvironment", "\\renewenvironment"), Expander._environment),
    **dict.fromkeys(("\\newtheorem",), Expander._theorem),
    **dict.fromkeys(_INPUTS, Expander._input),
    **dict.fromkeys(("\\usepackage", "\\RequirePackage", "\\documentclass"), Expander._package),
    **dict.fromkeys(("\\bibliography", "\\printbibliography", "\\addbibresource"), Expander._bibliography),
    "\\bibliographystyle": Expander._bibliography_style,
    **dict.fromkeys(("\\begingroup", "\\bgroup", "\\endgroup", "\\egroup"), Expander._group),
    **dict.fromkeys(
        ("\\long", "\\global", "\\protect", "\\outer", "\\makeatletter", "\\makeatother", "\\relax"), Expander._nothing
    ),
    "\\begin": Expander._begin,
    "\\end": Expander._end,
    "\\newif": Expander._new_if,
    **dict.fromkeys(("\\newcount", "\\newdimen", "\\newskip", "\\newmuskip", "\\newlength"), Expander._new_register),
    "\\variorumflag": Expander._flag,
    "\\csname": Expander._csname,
    "\\ifthenelse": Expander._if_then_else,
    "\\expandafter": Expander._expand_after,
    "\\xspace": Expander._xspace,
    "\\includeonly": Expander._skip_one,
    "\\hypersetup": Expander._skip_one,
    "\\AtBeginDocument": Expander._skip_one,
    "\\pgfplotsset": Expander._skip_one,
    "\\tikzset": Expander._skip_one,
    "\\lstset": Expander._skip_one,
    "\\captionsetup": Expander._skip_one,
}
