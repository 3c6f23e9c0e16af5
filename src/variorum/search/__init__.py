"""Finding passages, tables and figures of a library: index, words, vectors, ranking.

`open_searcher` opens an index for asking; `variorum.search.indexing.index_library` makes one and keeps it up to date.
"""

from variorum.search.filters import Filters
from variorum.search.folders import default_index
from variorum.search.found import Answer, CitingPassage, FoundItem, FoundPaper, Hit, as_data
from variorum.search.opening import open_searcher
from variorum.search.ranking import DEFAULT_RANKING, Ranking, Reasons, load_ranking
from variorum.search.retrieval import Searcher

__all__ = [
    "DEFAULT_RANKING",
    "Answer",
    "CitingPassage",
    "Filters",
    "FoundItem",
    "FoundPaper",
    "Hit",
    "Ranking",
    "Reasons",
    "Searcher",
    "as_data",
    "default_index",
    "load_ranking",
    "open_searcher",
]
