"""The door to the reports of a stress test: the Markdown for people and repositories, the HTML with plots and pages."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from variorum.document.writing import write_whole
from variorum.errors import OutputError
from variorum.evaluation.debug_db import reading_debug_db
from variorum.report.stress_assertions import failures, passes
from variorum.report.stress_blocks import Section
from variorum.report.stress_comparison import comparison, depth
from variorum.report.stress_data import StressData
from variorum.report.stress_overview import performance, quality, summary
from variorum.report.stress_page import stress_page
from variorum.report.stress_reading import read_stress
from variorum.report.stress_sights import see_tables
from variorum.report.stress_text import stress_markdown
from variorum.report.stress_variants import variants

MARKDOWN_NAME: Final = "STRESS_TEST_REPORT.md"
HTML_NAME: Final = "stress_report.html"


def write_reports(database: Path, folder: Path) -> tuple[Path, ...]:
    """Return the paths of the two reports once they are written into the folder, which is made when it is missing.

    Both are made from the debug database of a stress test alone; the HTML also shows pages of the PDFs at the paths that it
    names. A PDF that is gone costs its pictures, and that is said. The same database and PDFs give the same bytes. Raises
    UsageError when the database holds no stress test, the errors of `reading_debug_db`, and OutputError.
    """
    with reading_debug_db(database) as connection:
        data = read_stress(connection, str(database))
        sights = see_tables(connection, data)
    parts = sections(data)
    markdown, html = folder / MARKDOWN_NAME, folder / HTML_NAME
    texts = (stress_markdown(data.run, parts, database.name), stress_page(data, parts, sights, database.name))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"cannot be made ({reason})", where=str(folder), hint="another folder") from error
    for path, text in zip((markdown, html), texts, strict=True):
        write_whole(path, text.encode("utf-8", errors="replace"))
    return markdown, html


def sections(data: StressData) -> tuple[Section, ...]:
    """Return all sections of the report, in the order of the founding documents."""
    return (
        summary(data),
        performance(data),
        quality(data),
        failures(data),
        passes(data),
        comparison(data),
        depth(data),
        variants(data),
    )
