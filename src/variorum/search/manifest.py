"""What an index was made by: versions of its tables and rules, configuration of the reading, tokenizer, model of the vectors.

What two of them must agree on is compared when an index is opened, not when a question comes back empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from variorum.errors import DamagedInputError, OtherRulesError, UsageError
from variorum.search.chunking import CHUNKER
from variorum.search.schema import SCHEMA
from variorum.search.words import FORM

REBUILD_HINT: Final = "variorum index --rebuild, which makes chunks and vectors anew from the documents that are kept"
ANEW_HINT: Final = "another file (--index FILE), or remove this one; the papers are read again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What an index was made by.

    `reading` names the configuration that papers are read by and the beginning of its SHA-256. `tokenizer` is what chunks were
    measured with, of `max_tokens` each. `model` and `dimension` are those of the vectors, None while there are none.
    """

    schema: str = SCHEMA
    words: str = FORM
    chunker: str = CHUNKER
    reading: str
    tokenizer: str
    max_tokens: int
    model: str | None = None
    dimension: int | None = None

    def to_rows(self) -> list[tuple[str, str]]:
        """Return the manifest as rows of its table."""
        rows = [(field.name, getattr(self, field.name)) for field in fields(self)]
        return [(key, str(value)) for key, value in rows if value is not None]

    @classmethod
    def from_rows(cls, rows: Mapping[str, str], where: str) -> Manifest:
        """Return the manifest that rows say; raises DamagedInputError when one is missing or no number."""
        try:
            return cls(
                schema=rows["schema"],
                words=rows["words"],
                chunker=rows["chunker"],
                reading=rows["reading"],
                tokenizer=rows["tokenizer"],
                max_tokens=int(rows["max_tokens"]),
                model=rows.get("model"),
                dimension=int(rows["dimension"]) if "dimension" in rows else None,
            )
        except (KeyError, ValueError) as error:
            raise DamagedInputError(f"the manifest of the index lacks {error}", where=where, hint=ANEW_HINT) from None


def refuse_other_rules(manifest: Manifest, where: str) -> None:
    """Return None; raises OtherRulesError when the index was made by rules that this release does not have, with the remedy."""
    if manifest.schema != SCHEMA:
        what = f"the index has tables of version {manifest.schema}; this release reads version {SCHEMA}"
        raise OtherRulesError(what, where=where, hint=ANEW_HINT)
    for name, has, wants in (("words", manifest.words, FORM), ("chunks", manifest.chunker, CHUNKER)):
        if has != wants:
            what = f"the index holds {name} of {has}; this release makes {wants}"
            raise OtherRulesError(what, where=where, hint=REBUILD_HINT)


def refuse_other_reading(manifest: Manifest, reading: str, where: str) -> None:
    """Return None; raises UsageError when papers of the index were read by another configuration."""
    if manifest.reading != reading:
        what = f"the papers of this index are read with {manifest.reading}, not with {reading}"
        raise UsageError(what, where=where, hint=f"the same configuration; or {ANEW_HINT}")


def refuse_other_model(manifest: Manifest, model: str, dimension: int, where: str) -> None:
    """Return None; raises UsageError when the vectors of the index are those of another model."""
    if manifest.model is not None and (manifest.model, manifest.dimension) != (model, dimension):
        what = f"the vectors are those of {manifest.model} ({manifest.dimension} numbers), not of {model} ({dimension})"
        raise UsageError(what, where=where, hint=f"--model with that one; or for the new one {REBUILD_HINT}")
