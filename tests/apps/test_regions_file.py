"""Claims about files of regions: what is taken, and that a fault is named with its path."""

from __future__ import annotations

from pathlib import Path

import pytest

from variorum.apps.cli.regions import read_regions
from variorum.errors import InputNotFoundError, UsageError


def write(folder: Path, text: str) -> Path:
    path = folder / "regions.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_regions_are_read(tmp_path: Path) -> None:
    path = write(tmp_path, '[{"page": 7, "bbox": [72, 100.5, 300, 260]}]')
    assert read_regions(path) == [{"page": 7, "bbox": [72.0, 100.5, 300.0, 260.0]}]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "line 1"),
        ('[{"page": 7,\n "bbox": [1, 2, 3, 4]', "line 2"),
        ("{}", ""),
        ("[]", ""),
        ("7", ""),
        ("[7]", "[0]"),
        ('[{"page": 7, "box": [1, 2, 3, 4]}]', "[0].box"),
        ('[{"page": 7}]', "[0].bbox"),
        ('[{"bbox": [1, 2, 3, 4]}]', "[0].page"),
        ('[{"page": 1, "bbox": [1, 2, 3, 4]}, {"page": 0, "bbox": [1, 2, 3, 4]}]', "[1].page"),
        ('[{"page": true, "bbox": [1, 2, 3, 4]}]', "[0].page"),
        ('[{"page": 1.5, "bbox": [1, 2, 3, 4]}]', "[0].page"),
        ('[{"page": 1, "bbox": [1, 2, 3]}]', "[0].bbox"),
        ('[{"page": 1, "bbox": [1, 2, 3, "4"]}]', "[0].bbox"),
        ('[{"page": 1, "bbox": [1, 2, 3, NaN]}]', "[0].bbox"),
        ('[{"page": 1, "bbox": [1, 2, 3, 1e999]}]', "[0].bbox"),
        ('[{"page": 1, "bbox": [1, 2, 3, 1' + "0" * 400 + "]}]", "[0].bbox"),
        ('[{"page": 1, "bbox": [1, 2, 3, 1' + "0" * 5000 + "]}]", ""),
        ('[{"page": 1, "bbox": [3, 2, 1, 4]}]', "[0].bbox"),
        ('[{"page": 1, "bbox": [1, 2, 1, 4]}]', "[0].bbox"),
        ("[" * 100_000, ""),
    ],
)
def test_a_fault_is_named_with_its_path(tmp_path: Path, text: str, where: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        read_regions(path)
    assert caught.value.where == (f"{path}: {where}" if where else str(path))
    assert caught.value.hint


def test_misspelt_key_gets_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean bbox"):
        read_regions(write(tmp_path, '[{"page": 7, "bboxx": [1, 2, 3, 4]}]'))


def test_missing_file_is_an_input_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputNotFoundError):
        read_regions(tmp_path / "none.json")


def test_folder_is_an_input_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputNotFoundError):
        read_regions(tmp_path)
