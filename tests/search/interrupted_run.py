"""A run of the indexing over a folder of PDFs, which says a line for each step: to be killed from outside."""

from __future__ import annotations

import sys
from pathlib import Path

from made_index import HashedWords

from variorum.libraries import read_folder
from variorum.search.index_report import Progress
from variorum.search.indexing import IndexOptions, index_library
from variorum.search.store import open_index, open_writer
from variorum.search.vector_making import make_vectors


def say(progress: Progress) -> None:
    """Say how far the run is, and wait until somebody says to go on."""
    print(progress.stage, progress.done, flush=True)
    sys.stdin.readline()


def main() -> None:
    """Index the folder of the first argument in the file of the second; then make the vectors."""
    folder, path = Path(sys.argv[1]), Path(sys.argv[2])
    index_library(path, read_folder(folder), source="made", options=IndexOptions(config="minimal"), progress=say)
    with open_index(path) as index:
        manifest = index.manifest()
    with open_writer(path, manifest) as index:
        make_vectors(index, HashedWords(), lambda done: say(Progress("vectors", done, done)))
    print("done", flush=True)


if __name__ == "__main__":
    main()
