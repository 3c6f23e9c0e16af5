"""Claims about what is ours in a folder of results: each file that a command writes may be written again by the next run."""

from __future__ import annotations

from pathlib import Path

import pytest

from variorum.apps.output_folder import OutputFolder
from variorum.errors import OutputError

WRITTEN = (
    *("document.json", "document.md", "document.html", "document.docling.json", "referee.json", "report.html"),
    *("fusion.json", "readings/latex.json", "tables/table-1.csv", "figures/figure-2.png"),
    *("ar5iv.html", "ar5iv.log"),
)


@pytest.mark.parametrize("name", WRITTEN)
def test_what_a_run_wrote_the_next_run_may_write_again(tmp_path: Path, name: str) -> None:
    for said in (b"one", b"two"):
        OutputFolder(tmp_path).write({name: said}, source_sha256="0" * 64, table_stems=())
    assert (tmp_path / name).read_bytes() == b"two"


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_of_the_user_is_not_written_over(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(b"mine")
    with pytest.raises(OutputError, match="was not written by variorum"):
        OutputFolder(tmp_path).write({name: b"ours"}, source_sha256="0" * 64, table_stems=())
