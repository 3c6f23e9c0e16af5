"""``variorum votes``: what each voter of a debug database is worth, as text, as JSON, as an HTML page with plots."""

from __future__ import annotations

from pathlib import Path

from variorum.apps.cli.console import emit, emit_json, printable


def run_votes(database: Path, *, as_json: bool, html: Path | None) -> int:
    """Return 0 once the analysis is on stdout and, where asked for, in an HTML file.

    Raises the errors of `reading_debug_db` and `analyse`, and OutputError when the page cannot be written.
    """
    from variorum.apps.writing import HINT_FILE, atomic_write, refuse_to_replace
    from variorum.evaluation.debug_db import reading_debug_db
    from variorum.evaluation.votes import analyse
    from variorum.report.vote_sections import as_text, headline, sections
    from variorum.report.votes_page import write_votes_page

    if html is not None:
        refuse_to_replace(html, database)
    with reading_debug_db(database) as connection:
        analysis = analyse(connection, str(database))
    if html is not None:
        atomic_write(html, write_votes_page(analysis, database.name).encode("utf-8", errors="replace"), hint=HINT_FILE)
    if as_json:
        emit_json(analysis.to_dict())
        return 0
    text = "\n\n".join([headline(analysis), *map(as_text, sections(analysis))])
    lines = text.splitlines() if html is None else [*text.splitlines(), "", f"the page with plots: {html}"]
    emit("\n".join(map(printable, lines)))
    return 0
