"""What a journey needs: the real command in a process of its own, and PDFs made on the spot."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from journey_words import PACKAGE_PARENT, ROWS, Command, MakePdf, Run


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Return a function that calls ``variorum`` in the test's own folder."""

    def call(*arguments: str | Path) -> Run:
        environment = {k: v for k, v in os.environ.items() if k != "VARIORUM_DEBUG"}
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [PACKAGE_PARENT, os.environ.get("PYTHONPATH")]))
        done = subprocess.run(
            [sys.executable, "-m", "variorum.apps.cli.main", *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            timeout=300,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def make_pdf(tmp_path: Path) -> MakePdf:
    """Return a function that makes a PDF in the test's own folder.

    One page per entry of `captions`, each with that caption above a ruled table of `rows` (an empty caption: text only).
    """

    def make(
        name: str = "paper.pdf",
        *,
        captions: Sequence[str] = ("Table 1. Effects of the drugs.",),
        rows: Sequence[Sequence[str]] = ROWS,
        password: str | None = None,
    ) -> Path:
        import pymupdf

        pdf = pymupdf.open()
        for caption in captions:
            page = pdf.new_page(width=595, height=842)
            page.insert_text((72, 80), "The text of the page, which is not a table.", fontsize=10)
            if caption:
                _draw_table(page, caption, rows)
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if password is None:
            pdf.save(path)
        else:
            pdf.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="owner", user_pw=password)
        pdf.close()
        return path

    return make


def _draw_table(page: object, caption: str, rows: Sequence[Sequence[str]]) -> None:
    left, top, width, height = 72, 160, 110, 18
    right, bottom = left + width * len(rows[0]), top + height * len(rows)
    page.insert_text((left, top - 14), caption, fontsize=10)  # type: ignore[attr-defined]
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            page.insert_text((left + 6 + c * width, top + 13 + r * height), text, fontsize=10)  # type: ignore[attr-defined]
    for r in range(len(rows) + 1):
        page.draw_line((left, top + r * height), (right, top + r * height), width=0.6)  # type: ignore[attr-defined]
    for c in range(len(rows[0]) + 1):
        page.draw_line((left + c * width, top), (left + c * width, bottom), width=0.6)  # type: ignore[attr-defined]
