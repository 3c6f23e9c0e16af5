"""No file of the project names a place of one machine, and no file in src/ names a document of the corpora.

    python tools/check_names.py

Code that knows a document by name is tuned to it; a path of one machine works on no other. Tracked files are searched for the
folder that the checkout stands in, the home folder, and `file:` addresses; src/ is searched as well for absolute paths, for the
numbering of the corpora (arXiv and JOSE numbers, ICDAR-2013 names), and, where the corpus is at hand (VARIORUM_CORPUS, default
../shared/corpus), for the names of its folders that are no plain words. Exit code 0 when all is well, 1 otherwise.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ABSOLUTE = re.compile(r"""(?<![\w.:/<-])/(?:home|root|Users|tmp|mnt|opt|srv|var|usr/(?:local|share)|workspace)/\w""")
DOCUMENTS = re.compile(r"\b(?:(?:eu|us)-0\d\d[a-z]?|jose\.\d{5}|\d{4}\.\d{5}(?:v\d+)?|[A-Z0-9]{8}_(?:table|orphan)_\w+)\b")


def tracked(root: Path) -> list[Path]:
    """Return the files under version control."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True, text=True).stdout
    return [root / name for name in listed.split("\0") if name and (root / name).is_file()]


def places_of_this_machine(root: Path) -> list[str]:
    """Return strings that would name this machine: the folders around the checkout and the home folder."""
    around = [root, root.parent, Path.home()]
    return sorted({f"{place}{os.sep}" for place in around if len(place.parts) > 1})


def corpus_names(corpus: Path) -> list[str]:
    """Return the names of the corpus' folders that can't be plain words: those with a digit or a hyphen in them."""
    if not corpus.is_dir():
        return []
    folders = (f.name for room in sorted(corpus.iterdir()) if room.is_dir() for f in sorted(room.iterdir()) if f.is_dir())
    return [name for name in folders if re.search(r"[\d-]", name)]


def faults_in(path: str, text: str, places: list[str], names: list[str]) -> Iterator[str]:
    """Yield what is wrong with one file; `path` is relative to the checkout."""
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])") if names else None
    for number, line in enumerate(text.splitlines(), start=1):
        for place in places:
            if place in line:
                yield f"{path}:{number}: names a place of this machine: {place}"
        if re.search(r"\bfile:///\w", line):
            yield f"{path}:{number}: holds a file: address"
        if not path.startswith("src/"):
            continue
        if found := ABSOLUTE.search(line):
            yield f"{path}:{number}: names an absolute path: {found.group()}"
        for pattern in (DOCUMENTS, named):
            if pattern and (found := pattern.search(line)):
                yield f"{path}:{number}: names a document: {found.group()}"


def main() -> int:
    """Run the check and print its findings; return the exit code."""
    places = places_of_this_machine(ROOT)
    names = corpus_names(Path(os.environ.get("VARIORUM_CORPUS") or ROOT.parent / "shared" / "corpus"))
    faults: list[str] = []
    files = tracked(ROOT)
    for path in files:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        faults += faults_in(path.relative_to(ROOT).as_posix(), text, places, names)
    for fault in faults:
        print(fault)
    print(f"names: {len(files)} files, {len(faults)} findings")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
