r"""The TeX of a display equation as a block of its own: what an exporter can hand to a renderer of mathematics.

The TeX of a component is what stands between its signs, without its number and without the environment around it. So rows and
columns that are not inside an environment of their own get ``aligned`` around them, and the number becomes a ``\tag``.
"""

from __future__ import annotations

import re
from typing import Final

from variorum.document.characters import xml_legal
from variorum.document.model import TextComponent

_ENVIRONMENT: Final = re.compile(r"\\begin\s*\{([^{}]*)\}(?:(?!\\begin\s*\{).)*?\\end\s*\{\1\}", re.DOTALL)
_ROWS: Final = re.compile(r"(?<!\\)(?:\\\\)*&|\\\\")
_TAGGED: Final = re.compile(r"\\tag\b")
_NUMBER: Final = re.compile(r"[\w.,'′’*–-]+")
_ESCAPED: Final = re.compile(r"\\.", re.DOTALL)


def display_tex(component: TextComponent) -> str | None:
    r"""Return the TeX of a display equation in one block without empty lines, its number as ``\tag``.

    None where there is no TeX that a renderer could take: none at all, with braces that do not match, or with a number that is
    none.
    """
    tex = "\n".join(filter(None, map(str.strip, xml_legal(component.tex or "").splitlines())))
    number = (component.number or "").strip()
    if not tex or not _is_balanced(tex) or (number and not _NUMBER.fullmatch(number)):
        return None
    if _ROWS.search(_without_environments(tex)):
        tex = f"\\begin{{aligned}}\n{tex}\n\\end{{aligned}}"
    return tex if not number or _TAGGED.search(tex) else f"{tex} \\tag{{{number}}}"


def _without_environments(tex: str) -> str:
    """Return the TeX without what stands inside environments, the innermost taken out first."""
    count = 1
    while count:
        tex, count = _ENVIRONMENT.subn("", tex)
    return tex


def _is_balanced(tex: str) -> bool:
    depth = 0
    for sign in _ESCAPED.sub("", tex):
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return False
    return not depth
