"""Underscores that are drawn: TeX sets ``_`` as a short rule on the baseline, not as a character.

A rule shorter than the type is high, just below a word's baseline and between two of its characters (or between two
words that it joins without a gap), is an underscore of the text. It becomes a character of the word and is no longer a
rule of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from variorum.geometry import Box
from variorum.page.model import Char, Rule, Word
from variorum.thresholds import DESCENT_EM, UNDERSCORE_EM


def with_underscores(words: Sequence[Word], rules: Sequence[Rule]) -> tuple[tuple[Word, ...], tuple[Rule, ...]]:
    """Return the words with the underscores that rules draw, and the rules that are none."""
    out = list(words)
    kept: list[Rule] = []
    for rule in rules:
        if rule.orientation != "horizontal" or not _insert(rule, out):
            kept.append(rule)
    return tuple(out), tuple(kept)


def _insert(rule: Rule, words: list[Word]) -> bool:
    near = [i for i, w in enumerate(words) if _is_at(rule, w)]
    left = max((i for i in near if words[i].box.x0 < rule.start), key=lambda i: words[i].box.x1, default=None)
    right = min((i for i in near if words[i].box.x1 > rule.end), key=lambda i: words[i].box.x0, default=None)
    if left is None or right is None:
        return False
    host = words[left]
    chars = sorted((*host.chars, *(() if left == right else words[right].chars)), key=lambda c: c.box.x0)
    before = [c for c in chars if c.box.centre[0] < rule.start]
    after = [c for c in chars if c.box.centre[0] > rule.end]
    slack = rule.length / 2
    if not before or not after or len(before) + len(after) != len(chars):
        return False
    if rule.start - before[-1].box.x1 > slack or after[0].box.x0 - rule.end > slack:
        return False
    count = max(1, round(rule.length / (UNDERSCORE_EM * host.size)))
    box = Box(rule.start, host.box.y0, rule.end, host.box.y1)
    drawn = [Char("_", box, host.baseline, host.size, host.font)] * count
    merged = [*before, *drawn, *after]
    words[left] = replace(
        host,
        text="".join(c.text for c in merged),
        box=Box(min(c.box.x0 for c in merged), host.box.y0, max(c.box.x1 for c in merged), host.box.y1),
        chars=tuple(merged),
    )
    if right != left:
        del words[right]
    return True


def _is_at(rule: Rule, word: Word) -> bool:
    """Return whether the rule is shorter than the word's type is high, and lies between its baseline and the depth of
    its letters."""
    if word.angle != 0 or rule.length / 2 > word.size or not word.chars:
        return False
    depth = rule.position - word.baseline
    if not -rule.thickness <= depth <= word.size * DESCENT_EM + rule.thickness:
        return False
    return word.box.x0 - rule.length <= rule.end and rule.start <= word.box.x1 + rule.length
