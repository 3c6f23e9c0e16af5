"""The words by which texts are found: one form for the index and for questions, so that the two agree.

SQLite's FTS5 then splits that form into words and takes off English endings (Porter 1980). What the form does before:

- compatibility forms are plain (``ﬁ`` is fi, ``²`` is 2), case is folded;
- marks above and below letters fall away in Latin, Greek, Cyrillic, Hebrew and Arabic script (``Müller`` is found by muller),
  and letters with a stroke are the plain ones (``ø`` is o); in the scripts of India marks are vowels, and stay;
- in scripts that put no spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), and in Korean, where endings hang
  on to words, each sign is a word of its own; a question's word is then a phrase of signs, found anywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

FORM: Final = "words-1"
"""The name and version of these rules; an index made by others is refused."""
TOKENIZER: Final = "porter unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
"""The tokenizer of FTS5: letters, numbers and marks make words; diacritics are the business of the form."""

_STROKES: Final = str.maketrans(
    {"ø": "o", "đ": "d", "ł": "l", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
_BARE_SCRIPTS: Final = ("LATIN", "GREEK", "CYRILLIC", "HEBREW", "ARABIC")
_UNSPACED: Final = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff])"
)
_LETTER: Final = r"(?:[^\W_]|[\u0900-\u0963\u0966-\u0dff])"  # marks of the scripts of India are no letters to Python
_WORD: Final = re.compile(rf"{_LETTER}+(?:[-'’.,/+_^]+{_LETTER}+)*")
_TOKEN: Final = re.compile(rf"{_LETTER}+")
_JOINTS: Final = re.compile(r"[-'’.,/+_^]+")
_MARKUP: Final = re.compile(r"[\^_]\{([^{}]*)\}")  # raised and lowered text of a document
_COMMON: Final = (
    "a about after all also am an and any are as at be because been before being between both but by can could did do does"
    " doing down during each few for from further had has have having he her here hers him his how i if in into is it its"
    " itself just me more most my no nor not now of off on once only or other our out over own same she should so some such"
    " than that the their them then there these they this those through to too under until up us very was we were what when"
    " where which while who whom why will with would you your"
)
STOP_WORDS: Final = frozenset(_COMMON.split())
"""Words of English that every text has; a question is asked without them."""


def search_form(text: str) -> str:
    """Return the form of a text that is indexed and asked for."""
    if text.isascii():
        return _MARKUP.sub(r" \1 ", text).lower()
    folded = unicodedata.normalize("NFKD", _MARKUP.sub(r" \1 ", text)).casefold()
    plain = unicodedata.normalize("NFC", _without_marks(folded)).translate(_STROKES)
    return _UNSPACED.sub(r" \1 ", plain)


def query_words(question: str) -> list[str]:
    """Return the words of a question in their search form, in order, each once, without those that every text has.

    A question made of such words alone keeps them.
    """
    form = search_form(question)
    spread = [" ".join(word.split()) for word in _joined_signs(form)]
    words = list(dict.fromkeys(filter(None, spread)))
    return [word for word in words if word not in STOP_WORDS] or words


def asked_words(question: str) -> list[str]:
    """Return the words of a question, and the parts of compounds that have letters: ``gpt-4`` asks for gpt too.

    A text that has the compound has its parts as well, so it still comes first.
    """
    words = query_words(question)
    parts = [part for word in words for part in _JOINTS.split(word) if any(map(str.isalpha, part))]
    return list(dict.fromkeys([*words, *(part for part in parts if part not in STOP_WORDS and " " not in part)]))


def phrase(words: str) -> str:
    """Return words in search form as a phrase of FTS5's language, with nothing in it that the language would act on."""
    return '"' + words.replace('"', " ") + '"'


def any_of(words: Sequence[str]) -> str:
    """Return the expression of FTS5 that texts with any of the words match."""
    return " OR ".join(map(phrase, words))


def all_of(words: Sequence[str]) -> str:
    """Return the expression of FTS5 that texts with all of the words match."""
    return " AND ".join(map(phrase, words))


def close_together(question: str) -> str | None:
    """Return the expression of FTS5 that texts match which have all words of a question within no more words than the question
    has, in any order; None for a question of one word.

    Words that every text has need not be there. What stands above a text, and around the places that name it, does not count.
    """
    words = query_words(question)
    if len(words) < 2:
        return None
    length = len(_TOKEN.findall(search_form(question)))
    return f"text : NEAR({' '.join(map(phrase, words))}, {length})"


def in_a_row(question: str) -> str:
    """Return the expression of FTS5 that texts match which have a question word for word."""
    return f"text : {phrase(search_form(question))}"


def has_words(text: str) -> bool:
    """Return whether anything in the text can be searched for."""
    return any(unicodedata.category(sign)[0] in "LN" for sign in text)


def _joined_signs(form: str) -> list[str]:
    """Return the words of a form; signs of unspaced scripts that stood together are one word again, spelt with spaces."""
    return [match[0] for match in re.finditer(rf"(?:{_UNSPACED.pattern}(?:  )?)+|{_WORD.pattern}", form)]


def _without_marks(text: str) -> str:
    """Return decomposed text without the marks on letters of scripts that are read without them."""
    kept: list[str] = []
    is_bare = False
    for sign in text:
        if unicodedata.category(sign) == "Mn":
            if not is_bare:
                kept.append(sign)
            continue
        is_bare = unicodedata.name(sign, "").startswith(_BARE_SCRIPTS)
        kept.append(sign)
    return "".join(kept)
