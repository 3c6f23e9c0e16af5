"""Claims about starting: what does not read a PDF loads nothing heavy, and is therefore quick."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = (
    "pymupdf",
    "fitz",
    "pandas",
    "numpy",
    "openpyxl",
    "camelot",
    "pdfplumber",
    "onnxruntime",
    "cv2",
    "lxml",
    "mcp",
    "chromadb",
    "pydantic",
)

PROBE = """
import json, sys
try:
    {code}
except SystemExit:
    pass
print()
print(json.dumps(sorted(sys.modules)))
"""


def modules_after(code: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", PROBE.format(code=code)], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "code",
    [
        "import variorum",
        "import variorum; dir(variorum); variorum.__version__",
        "from variorum.document import Document",
        "from variorum.tables.config import DEFAULT_CONFIG, load_config; load_config('fast')",
        "from variorum.apps.cli.main import main; main(['--help'])",
        "from variorum.apps.cli.main import main; main(['--version'])",
        "from variorum.apps.cli.main import main; main(['extract', '--help'])",
        "from variorum.apps.cli.main import main; main(['explain', '--help'])",
        "from variorum.apps.cli.main import main; main(['extract', 'no-such-file.pdf'])",
        "from variorum.apps.cli.main import main; main(['extract', 'a.pdf', '--pages', '5-3'])",
        "from variorum.apps.cli.main import main; main(['methods', '--json'])",
        "from variorum.apps.cli.main import main; main(['votes', '--help'])",
        "from variorum.apps.cli.main import main; main(['votes', 'no-such-file.db'])",
        "from variorum.apps.cli.main import main; main(['tune', 'no-such-file.db'])",
        "from variorum.apps.cli.main import main; main(['read', '--help'])",
        "from variorum.apps.cli.main import main; main(['fuse', '--help'])",
        "from variorum.apps.cli.main import main; main(['fuse', '--ar5iv', 'no-such-file.html'])",
        "from variorum.apps.cli.main import main; main(['tenants', 'default-dynamic'])",
        "from variorum.apps.cli.main import main; main(['read', 'no-such-file.html'])",
        "from variorum.apps.cli.main import main; main(['audit', '--help'])",
        "from variorum.apps.cli.main import main; main(['audit', 'verify', 'no-such-log.jsonl'])",
        "from variorum.apps.cli.main import main; main(['calibrate', 'no-such-folder'])",
        "from variorum.apps.cli.main import main; main(['index', '--help'])",
        "from variorum.apps.cli.main import main; main(['search', '--help'])",
        "from variorum.apps.cli.main import main; main(['search', 'ice', '--index', 'no-such-file.sqlite'])",
        "from variorum.apps.cli.main import main; main(['stats', '--index', 'no-such-file.sqlite'])",
        "from variorum.apps.cli.main import main; main(['mcp', '--help'])",
        "from variorum.apps.cli.main import main; main(['mcp', '--folder', 'no-such-folder'])",
        "from variorum.apps.cli.main import main; main(['library', '--help'])",
        "from variorum.apps.cli.main import main; main(['library', 'list', '--zotero', 'no-such-folder'])",
    ],
)
def test_no_heavy_library_is_loaded(code: str) -> None:
    assert modules_after(code) & set(HEAVY) == set()


def test_extract_is_there_when_asked_for() -> None:
    import variorum
    from variorum.extraction import extract

    assert variorum.extract is extract
    assert "extract" in dir(variorum)


def test_unknown_attribute_is_an_attribute_error() -> None:
    import variorum

    with pytest.raises(AttributeError, match="no attribute 'extrakt'"):
        _ = variorum.extrakt  # type: ignore[attr-defined]
