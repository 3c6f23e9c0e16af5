"""The report of a stress test as Markdown: all sections, long lists up to a limit, with the count of what is left out and the
query that shows all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from variorum.document.export_markdown import escape_block, escape_inline
from variorum.report.stress_blocks import Block, Group, Section, TableLink, Value, Words, column_kind, shown
from variorum.report.stress_data import Run

ROW_LIMIT: Final = 100
"""Rows of a table that the Markdown shows: what a person reads of one kind before asking the database instead."""

WORD_LIMIT: Final = 600
"""Characters of one cell: enough for a detail with what was expected and found, and for some forty names of places."""


def stress_markdown(run: Run, sections: Sequence[Section], source: str) -> str:
    """Return the report; `source` is the file name of the debug database. The same sections give the same text.

    A section is a heading of the second level, groups and blocks are below it. Every text of a paper is escaped.
    """
    parts = ["# Stress test report", *_head(run, source)]
    for section in sections:
        parts += [f"## {section.title}", *map(escape_block, section.notes)]
        for part in section.parts:
            parts += _group(part) if isinstance(part, Group) else _block(part, "###")
    return "\n\n".join(parts) + "\n"


def _head(run: Run, source: str) -> list[str]:
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items() if name != "variorum")
    told = (
        f"- software: {run.software}; {versions}",
        f"- command: `{run.command}`",
        f"- begun: {run.started_at}; ended: {run.finished_at or 'not noted'}",
        f"- everything below can be asked of `{source}`, see the documentation of the debug database",
    )
    return ["\n".join(told)]


def _group(group: Group) -> list[str]:
    parts = [f"### {group.title}", escape_block(group.note)]
    for block in group.blocks:
        parts += _block(block, "####")
    return parts


def _block(block: Block, mark: str) -> list[str]:
    parts = [f"{mark} {escape_block(cut(block.title))}"]
    if block.note:
        parts.append(escape_block(block.note))
    if block.rows:
        parts.append(_table(block))
    left = len(block.rows) - ROW_LIMIT
    is_cut = left > 0 or any(len(shown(v)) > WORD_LIMIT for row in block.rows for v in row)
    if is_cut and block.sql:
        what = (
            f"{left} more rows are left out." if left > 1 else "1 more row is left out." if left == 1 else "Long texts are cut."
        )
        parts += [f"{what} All of them:", f"```sql\n{block.sql}\n```"]
    return parts


def _table(block: Block) -> str:
    rows = block.rows[:ROW_LIMIT]
    kinds = [column_kind(row[at] for row in rows) for at in range(len(block.headings))]
    rule = (" ---: |" if kind == "figure" else " --- |" for kind in kinds)
    return "\n".join([_row(block.headings), "|" + "".join(rule), *(_row(map(_cell, row)) for row in rows)])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: Value) -> str:
    if isinstance(value, TableLink):
        return (
            f"`{value.table_id}`" if "`" not in value.table_id and "|" not in value.table_id else escape_inline(value.table_id)
        )
    if isinstance(value, Words | str):
        return escape_inline(cut(" ".join(shown(value).split())))
    return shown(value)


def cut(words: str) -> str:
    """Return the words, those past the limit replaced by an ellipsis and their count."""
    if len(words) <= WORD_LIMIT:
        return words
    return f"{words[:WORD_LIMIT]}… ({len(words) - WORD_LIMIT} more characters)"
