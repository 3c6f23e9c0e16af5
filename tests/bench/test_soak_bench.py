"""The soak notices what a kill would do: an index that is not whole, and a run that ends with something lost."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bench.soak import Ended, Moment, soak
from variorum.document import Document, PageInfo, PaperIdentity, Provenance, TextComponent
from variorum.libraries.model import LibraryItem, LibraryRef
from variorum.search.contents import prepare, put_document
from variorum.search.holdings import put_item, put_paper
from variorum.search.manifest import Manifest
from variorum.search.store import open_writer
from variorum.search.tokens import EstimatedTokens

HERE = LibraryRef(id="folder", name="papers", kind="folder")
TEXTS = ("Ice on ponds is thin.", "Snow lies on hills.")


def _document(text: str) -> Document:
    paragraph = TextComponent(id="par-1", kind="paragraph", text=text, provenance=Provenance(source="test", method="test"))
    page = PageInfo(page_num=1, width=600, height=800, label="1")
    return Document(
        key=text[:3],
        source_name="a.pdf",
        sha256=text,
        page_count=1,
        pages=(page,),
        components=(paragraph,),
        identity=PaperIdentity(title=text),
    )


def _write(path: Path, texts: Sequence[str]) -> None:
    tokens = EstimatedTokens()
    with open_writer(path, Manifest(reading="test", tokenizer=tokens.name, max_tokens=256)) as index:
        for text in texts:
            with index.transaction() as connection:
                document = put_document(connection, text, prepare(_document(text), tokens))
                item = LibraryItem(in_library=HERE, key=text[:3], item_type="document", title=text, plain_title=text)
                item_id, _ = put_item(connection, "test", item)
                put_paper(connection, item_id, "pdf", "a.pdf", (0, 0), text, "indexed", "", document)


class Runs:
    """Runs that write an index from a list: the first as it should be, the others as they are named."""

    def __init__(self, place: Path, *, killed: str, ended: str) -> None:
        self._made = {
            "whole": place / "made.sqlite",
            "less": place / "less.sqlite",
            "torn": place / "torn.sqlite",
            "empty": place / "empty.sqlite",
        }
        _write(self._made["whole"], TEXTS)
        _write(self._made["less"], TEXTS[:1])
        _write(self._made["torn"], TEXTS)
        with closing(sqlite3.connect(self._made["torn"])) as connection, connection:
            connection.execute("DELETE FROM chunks WHERE document_id = 1")
        self._made["empty"].touch()
        self._killed, self._ended, self._is_first = killed, ended, True

    def __call__(self, folder: Path, index: Path, moment: Moment | None) -> Ended:
        """Return an end at once, with the index in the state that is named."""
        state = "whole" if self._is_first else self._ended if moment is None else self._killed
        self._is_first = False
        for name in (index, *index.parent.glob(f"{index.name}-*")):
            name.unlink(missing_ok=True)
        shutil.copy(self._made[state], index)
        return Ended(moment is not None, 3, 1.0)


@pytest.mark.parametrize(
    ("killed", "ended", "faults", "different"),
    [
        ("whole", "whole", 0, 0),
        ("less", "whole", 0, 0),
        ("torn", "whole", 2, 0),
        ("empty", "whole", 2, 0),
        ("whole", "less", 0, 1),
    ],
)
def test_the_soak_notices_a_fault_after_a_kill_and_a_loss_at_the_end(
    tmp_path: Path, killed: str, ended: str, faults: int, different: int
) -> None:
    figures = soak(tmp_path, 2, random.Random(1), Runs(tmp_path, killed=killed, ended=ended))
    assert figures["kills"] == 2
    assert len(figures["faults"]) == faults
    assert figures["different_ends"] == different
