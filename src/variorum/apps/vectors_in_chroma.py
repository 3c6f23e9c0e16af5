"""The vectors of an index in Chroma, brought up to date after a run and checked, where a user keeps them there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from variorum.search.chroma_vectors import Change
    from variorum.search.vector_choice import VectorChoice


def keep_vectors(place: Path, choice: VectorChoice) -> tuple[Change | None, tuple[str, ...]]:
    """Return what was changed so that Chroma has what the index has, and what must be said of it; None for the exact store.

    Raises what `open_chroma` and `ChromaVectors.bring_up_to_date` raise.
    """
    if choice.store == "exact":
        return None, ()
    from variorum.search.store import open_index
    from variorum.search.vector_choice import open_chroma

    with open_index(place) as index, open_chroma(index, choice) as vectors:
        change = vectors.bring_up_to_date()
        return change, vectors.said()


def chroma_faults(place: Path, choice: VectorChoice) -> tuple[str, ...]:
    """Return what is wrong with the vectors in Chroma, a sentence each; nothing for the exact store.

    Damaged ones are set aside. Raises what `open_chroma` raises.
    """
    if choice.store == "exact":
        return ()
    from variorum.search.store import open_index
    from variorum.search.vector_choice import open_chroma

    with open_index(place) as index, open_chroma(index, choice) as vectors:
        return vectors.faults()
