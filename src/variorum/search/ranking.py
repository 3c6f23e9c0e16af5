"""How what was found is put in order: ranks of words and of vectors fused, then weighed by section and journal, and explained.

Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009, https://doi.org/10.1145/1571941.1572114): a chunk has
``1 / (60 + rank)`` from each list that it stands in. The sum is multiplied by the weight of its section and of its paper's
journal. With a constant of 60 a weight of 0.9 costs the first of a list about seven places; so weights say which of two similar
passages comes first, and do not hide what fits far better.

There are three lists: by words, by meaning (vectors), and by wording, of the texts that have the words of the question all
together. The last counts twice, as much as the other two: what says the very thing that was asked for comes before what is
merely second or third in both. A text whose vector is still to be made cannot be in the list by meaning, and its rank by words
stands for that one too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from variorum.errors import ConfigError, InputNotFoundError
from variorum.search.filters import SECTIONS
from variorum.search.holdings import folded
from variorum.search.model import CHUNK_KINDS
from variorum.suggestions import nearest_name_hint

RANK_CONSTANT: Final = 60
"""The constant of the method's authors."""
WORDING_WEIGHT: Final = 2
"""The list by wording counts as much as the two others together."""

SECTION_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "abstract": 1.0,
        "results": 1.0,
        "conclusion": 1.0,
        "discussion": 1.0,
        "methods": 1.0,
        "unknown": 0.98,
        "introduction": 0.97,
        "background": 0.97,
        "appendix": 0.95,
        "preamble": 0.9,
        "references": 0.75,
    }
)
"""What a paper found and did itself comes before what it says of others; a list of references answers no question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The weights of a ranking, each greater than 0; what is not named weighs 1.

    `sections` and `kinds` are by their names in the index, `journals` by the name of the publication (case and diacritics do
    not count).
    """

    sections: Mapping[str, float] = field(default_factory=lambda: SECTION_WEIGHTS)
    kinds: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    journals: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def section_weight(self, section: str) -> float:
        """Return the weight of a section."""
        return self.sections.get(section, 1.0)

    def kind_weight(self, kind: str) -> float:
        """Return the weight of a kind of chunk."""
        return self.kinds.get(kind, 1.0)

    def journal_weight(self, publication: str) -> float:
        """Return the weight of a journal."""
        return self.journals.get(folded(publication), 1.0)

    @classmethod
    def of(cls, data: Mapping[str, Any], where: str = "ranking") -> Ranking:
        """Return the ranking that tables ``sections``, ``kinds`` and ``journals`` of weights describe; sections that are not
        named keep their weight.

        Raises ConfigError with the path to an unknown key or a weight that is no number greater than 0.
        """
        known = ("sections", "kinds", "journals")
        for key in data:
            if key not in known:
                raise ConfigError("unknown key", where=f"{where}.{key}", hint=nearest_name_hint(key, known))
        return cls(
            sections=MappingProxyType({**SECTION_WEIGHTS, **_weights(data, "sections", SECTIONS, where)}),
            kinds=MappingProxyType(_weights(data, "kinds", CHUNK_KINDS, where)),
            journals=MappingProxyType({folded(k): v for k, v in _weights(data, "journals", None, where).items()}),
        )

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return the weights as tables that `of` reads."""
        return {"sections": dict(self.sections), "kinds": dict(self.kinds), "journals": dict(self.journals)}


DEFAULT_RANKING: Final = Ranking()


def load_ranking(path: Path) -> Ranking:
    """Return the ranking of a TOML file; raises InputNotFoundError or ConfigError."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputNotFoundError(f"cannot be read ({error.strerror})", where=str(path), hint="a TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"no TOML ({error})", where=str(path), hint="[sections] with lines such as methods = 1.1") from None
    return Ranking.of(data, str(path))


def _weights(data: Mapping[str, Any], key: str, known: Sequence[str] | None, where: str) -> dict[str, float]:
    table = data.get(key, {})
    if not isinstance(table, Mapping):
        raise ConfigError("expected a table of weights", where=f"{where}.{key}", hint=f"[{key}] with lines such as name = 1.1")
    found = {}
    for name, value in table.items():
        if known is not None and name not in known:
            raise ConfigError("unknown key", where=f"{where}.{key}.{name}", hint=nearest_name_hint(name, known))
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
            raise ConfigError(f"{value!r} is no number greater than 0", where=f"{where}.{key}.{name}", hint="1.0")
        found[name] = float(value)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasons:
    """Why a hit stands where it stands.

    Its ranks from 1 among words, among vectors, and among the texts with the words of the question together (None where it is
    in none of the first), whether it has no vector yet and its rank among words counts for that too, BM25 (greater is better)
    and cosine, the fused score of its ranks, and the weights that this was multiplied by.
    """

    word_rank: int | None = None
    vector_rank: int | None = None
    wording_rank: int | None = None
    lacks_vector: bool = False
    bm25: float | None = None
    cosine: float | None = None
    fused: float
    section_weight: float = 1.0
    kind_weight: float = 1.0
    journal_weight: float = 1.0

    @property
    def weight(self) -> float:
        """The product of the weights."""
        return self.section_weight * self.kind_weight * self.journal_weight

    @property
    def score(self) -> float:
        """The fused score times the weights."""
        return self.fused * self.weight

    def sentence(self) -> str:
        """Return the reasons as a person reads them."""
        lists = (("words", self.word_rank), ("meaning", self.vector_rank), ("wording", self.wording_rank))
        ranks = [f"{name} rank {rank}" for name, rank in lists if rank]
        if self.lacks_vector:
            ranks.append("no vector yet: words count for meaning")
        named = (("section", self.section_weight), ("kind", self.kind_weight), ("journal", self.journal_weight))
        weights = [f"{name} × {value:g}" for name, value in named if value != 1]
        return ", ".join([*ranks, *weights])


def fused(word_rank: int | None, vector_rank: int | None, wording_rank: int | None = None) -> float:
    """Return the sum of ``1 / (60 + rank)`` over the ranks that are there, of which that by wording counts twice."""
    ranks = ((word_rank, 1), (vector_rank, 1), (wording_rank, WORDING_WEIGHT))
    return sum(weight / (RANK_CONSTANT + rank) for rank, weight in ranks if rank is not None)
