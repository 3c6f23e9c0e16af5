"""The names that sections of papers bear, and what kind of section each name says.

Whole names are told apart from words within a name (``Experimental setup`` has a word of methods); the names of the great
European languages of publishing are there where they are not ambiguous.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from variorum.document.paper_model import SectionLabel

_WHOLE: Final[dict[SectionLabel, tuple[str, ...]]] = {
    "abstract": (
        "abstract",
        "summary",
        "executive summary",
        "author summary",
        "authors summary",
        "plain language summary",
        "significance",
        "significance statement",
        "highlights",
        "synopsis",
        "zusammenfassung",
        "kurzfassung",
        "résumé",
        "resumen",
        "resumo",
        "riassunto",
    ),
    "introduction": (
        "introduction",
        "introduction and motivation",
        "motivation",
        "overview",
        "statement of need",
        "statement of the problem",
        "einleitung",
        "einführung",
        "introducción",
        "introdução",
        "introduzione",
    ),
    "background": (
        "background",
        "related work",
        "related works",
        "previous work",
        "prior work",
        "preliminaries",
        "literature review",
        "state of the art",
        "theory",
        "theoretical background",
        "grundlagen",
        "stand der forschung",
        "état de l'art",
        "antecedentes",
        "marco teórico",
        "trabalhos relacionados",
    ),
    "methods": (
        "methods",
        "method",
        "methodology",
        "methodologies",
        "materials and methods",
        "material and methods",
        "methods and materials",
        "patients and methods",
        "data and methods",
        "methods and data",
        "data",
        "dataset",
        "datasets",
        "model",
        "approach",
        "experimental setup",
        "experimental procedures",
        "experimental section",
        "implementation",
        "design",
        "study design",
        "methoden",
        "methodik",
        "méthodes",
        "matériel et méthodes",
        "métodos",
        "materiales y métodos",
        "metodología",
        "metodologia",
        "metodi",
    ),
    "results": (
        "results",
        "result",
        "findings",
        "experiments",
        "experiments and results",
        "experimental results",
        "evaluation",
        "main results",
        "ergebnisse",
        "résultats",
        "resultados",
        "risultati",
    ),
    "discussion": (
        "discussion",
        "discussions",
        "results and discussion",
        "discussion and limitations",
        "limitations",
        "threats to validity",
        "general discussion",
        "diskussion",
        "discusión",
        "discussão",
        "discussione",
    ),
    "conclusion": (
        "conclusion",
        "conclusions",
        "conclusion and future work",
        "conclusions and future work",
        "discussion and conclusion",
        "discussion and conclusions",
        "summary and conclusions",
        "summary and conclusion",
        "summary and discussion",
        "concluding remarks",
        "outlook",
        "future work",
        "future directions",
        "schluss",
        "fazit",
        "schlussfolgerungen",
        "conclusión",
        "conclusiones",
        "conclusão",
        "conclusões",
        "conclusioni",
    ),
    "references": (
        "references",
        "bibliography",
        "literature cited",
        "works cited",
        "literature",
        "references and notes",
        "notes and references",
        "literatur",
        "literaturverzeichnis",
        "références",
        "bibliographie",
        "referencias",
        "bibliografía",
        "referências",
        "bibliografia",
        "riferimenti bibliografici",
    ),
    "appendix": (
        "appendix",
        "appendices",
        "annex",
        "supplementary material",
        "supplementary materials",
        "supplemental material",
        "supplemental materials",
        "supplementary information",
        "supporting information",
        "supplement",
        "anhang",
        "annexe",
        "apéndice",
        "apêndice",
        "appendice",
    ),
}
_FRONT: Final = (
    "keywords",
    "key words",
    "keywords and phrases",
    "index terms",
    "subject headings",
    "ccs concepts",
    "categories and subject descriptors",
    "general terms",
    "acm reference format",
    "facility",
    "facilities",
    "software",
    "pacs",
    "pacs numbers",
    "jel classification",
    "msc",
    "schlüsselwörter",
    "mots clés",
    "mots-clés",
    "palabras clave",
    "palavras-chave",
    "parole chiave",
)
_OTHERS: Final = (
    "acknowledgements",
    "acknowledgments",
    "acknowledgement",
    "acknowledgment",
    "danksagung",
    "remerciements",
    "agradecimientos",
    "agradecimentos",
    "funding",
    "financial disclosure",
    "author contributions",
    "authors contributions",
    "contributions",
    "credit authorship contribution statement",
    "competing interests",
    "conflict of interest",
    "conflicts of interest",
    "declaration of competing interest",
    "declarations",
    "disclosures",
    "ethics statement",
    "ethical considerations",
    "data availability",
    "data availability statement",
    "data and code availability",
    "code availability",
    "availability of data and materials",
    "abbreviations",
    "nomenclature",
    "disclaimer",
    "reproducibility statement",
    "broader impact",
    "notes",
    "footnotes",
    "endnotes",
    "contents",
    "table of contents",
)
_WORDS: Final[tuple[tuple[SectionLabel, tuple[str, ...]], ...]] = (
    ("appendix", ("appendix", "supplementary", "supplemental")),
    ("conclusion", ("conclusion", "conclusions", "concluding", "outlook")),
    ("discussion", ("discussion", "limitations", "implications", "interpretation", "lessons")),
    ("results", ("results", "findings", "evaluation", "experiments", "ablation", "ablations", "performance", "comparison")),
    ("background", ("background", "related", "literature", "preliminaries", "previous")),
    (
        "methods",
        (
            "method",
            "methods",
            "methodology",
            "materials",
            "model",
            "models",
            "architecture",
            "approach",
            "algorithm",
            "algorithms",
            "dataset",
            "datasets",
            "data",
            "corpus",
            "observations",
            "implementation",
            "setup",
            "training",
            "design",
            "procedure",
            "framework",
            "analysis",
        ),
    ),
    ("introduction", ("introduction", "motivation")),
)


def plain_name(text: str) -> str:
    """Return the words of a heading in small letters, without a mark at its end and with ``and`` for ``&``."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("&", "and").replace("’", "'")
    return re.sub(r"\s+", " ", re.sub(r"[^\w\s'-]", " ", text)).replace("'", "").strip(" -—–_")


def _plain(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(plain_name(n) for n in names)


_WHOLE_NAMES: Final = {label: _plain(names) for label, names in _WHOLE.items()}
_FRONT_NAMES: Final = _plain(_FRONT)
_OTHER_NAMES: Final = _plain(_OTHERS) | _FRONT_NAMES


def label_of_name(name: str) -> SectionLabel | None:
    """Return the kind of section that bears this name, where the whole name is a known one."""
    plain = plain_name(name)
    return next((label for label, names in _WHOLE_NAMES.items() if plain in names), None)


def label_of_words(name: str) -> SectionLabel | None:
    """Return the kind of section that a word of the name points to, where there is one."""
    words = set(plain_name(name).split())
    return next((label for label, marks in _WORDS if words & set(marks)), None)


def is_other_name(name: str) -> bool:
    """Return whether a name is that of a known part of papers without a label: keywords, acknowledgements, funding …"""
    return plain_name(name) in _OTHER_NAMES


def is_front_name(name: str) -> bool:
    """Return whether a name is that of a line or block of the front matter or of credits: keywords, classifications, how to
    cite, instruments and software used."""
    return plain_name(name) in _FRONT_NAMES


def is_known_name(name: str) -> bool:
    """Return whether the whole name is that of a known part of papers."""
    return label_of_name(name) is not None or is_other_name(name)
