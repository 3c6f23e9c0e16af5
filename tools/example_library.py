"""Make a small Zotero library of the example papers, to try `variorum index` and the searches on.

    python tools/example_library.py DIR        DIR/zotero.sqlite and DIR/storage; a library that is there is made anew

Its three papers are in examples/; examples/library/library.json says what the library knows of them. A folder that this script
did not make is never touched. Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # run as a file: the folder of the script is there, not the one above it
    sys.path.insert(0, str(ROOT))

from tools.zotero_writer import ZoteroWriter  # noqa: E402

PAPERS = ROOT / "examples" / "library" / "library.json"
MARK = "example-library"


def main() -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=Path, help="where the library goes")
    folder: Path = parser.parse_args().folder
    if folder.exists() and not (folder / MARK).is_file():
        print(f"{folder}: is there, and was not made by this script. To try: another folder", file=sys.stderr)
        return 1
    make_example_library(folder)
    print(f"{folder}: a Zotero library of {len(_papers())} papers")
    return 0


def make_example_library(folder: Path) -> None:
    """Write the library, in place of one that this function made there before."""
    if (folder / MARK).is_file():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / MARK).touch()
    with ZoteroWriter(folder, journal="rollback") as writer:
        collections = {name: writer.collection(name) for name in sorted({paper["collection"] for paper in _papers()})}
        for paper in _papers():
            item = writer.item(
                paper["name"],
                "report",
                fields={"title": paper["title"], "date": "2026-11-00 11/2026", "citationKey": paper["citation_key"]},
                creators=(("author", "", "The variorum developers"),),
                collections=(collections[paper["collection"]],),
                tags=paper["tags"],
            )
            pdf = PAPERS.parent / paper["pdf"]
            writer.attachment(f"pdf of {paper['name']}", item, path=f"storage:{pdf.name}", file=pdf.read_bytes())


def _papers() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(PAPERS.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    sys.exit(main())
