"""Which items of a library a call is about: by collection, tag, library, key, title, and whether those in the trash count.

Names are compared without regard to case and to the form of accents. A filter that nothing can ever match, because the library
has no such name, is an error that lists near ones: a misspelt collection is not an empty result.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from variorum.errors import UsageError
from variorum.libraries.model import Library, LibraryItem
from variorum.suggestions import nearest_name_hint

_SEPARATOR: Final = "/"
_NAMES_SHOWN: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is asked for; all that is given must hold, and of several values of one kind any.

    A collection is given by its name or by its path (``Reading/Tables``) and includes those inside it; a key as for `one_key`.
    `title` is a regular expression, looked for anywhere in the title.
    """

    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    title: str | None = None
    with_trash: bool = False


def select(library: Library, selection: Selection) -> tuple[LibraryItem, ...]:
    """Return the items that are asked for, in the order of the library.

    Raises UsageError for a collection, tag, library or key that the library does not have, and for a faulty expression.
    """
    title = _pattern(selection.title)
    collections = [_parts(text) for text in selection.collections]
    _refuse_unknown("--collection", selection.collections, collections, _collection_names(library))
    tags = [_plain(tag) for tag in selection.tags]
    _refuse_unknown("--tag", selection.tags, tags, {_plain(t): t for item in library for t in item.tags})
    libraries = [_plain(text) for text in selection.libraries]
    known = {_plain(name): ref.id for ref in library.libraries for name in (ref.id, ref.name)}
    _refuse_unknown("--library", selection.libraries, libraries, known)
    wanted_ids = {known[name] for name in libraries}
    wanted = {one_key(library, key, where="--item").ref for key in selection.keys}

    def is_wanted(item: LibraryItem) -> bool:
        return (
            (selection.with_trash or not item.in_trash)
            and (not collections or any(_is_in(item, parts) for parts in collections))
            and (not tags or any(_plain(tag) in tags for tag in item.tags))
            and (not wanted_ids or item.in_library.id in wanted_ids)
            and (not wanted or item.ref in wanted)
            and (title is None or title.search(unicodedata.normalize("NFC", item.plain_title)) is not None)
        )

    return tuple(item for item in library if is_wanted(item))


def one_key(library: Library, key: str, *, where: str = "KEY") -> LibraryItem:
    """Return the item with this key (``ABCD2345``) or reference (``user/ABCD2345``), or the one an attachment of it belongs to.

    `where` is what errors call the place that the key was given in. Raises UsageError when there is none, or one in several
    libraries.
    """
    items = library.with_key(key) or tuple(
        item for item in library if any(key in (a.key, f"{item.in_library.id}/{a.key}") for a in item.attachments)
    )
    if len(items) > 1:
        names = ", ".join(str(item.ref) for item in items)
        raise UsageError(f"{key!r} is a key in several libraries", where=where, hint=f"one of {names}")
    if not items:
        keys = [str(item.ref) if _SEPARATOR in key else item.key for item in library]
        near = {k.lower(): k for k in keys}
        hint = nearest_name_hint(key, near)
        known = hint.removeprefix("did you mean ").removesuffix("?")
        hint = f"did you mean {near[known]}?" if known in near else "variorum library list, which shows the keys"
        raise UsageError(f"no item has the key {key!r}", where=where, hint=hint)
    return items[0]


def _pattern(text: str | None) -> re.Pattern[str] | None:
    try:
        return None if text is None else re.compile(unicodedata.normalize("NFC", text), re.IGNORECASE)
    except re.error as error:
        raise UsageError(f"is no regular expression ({error})", where=f"--title {text}", hint="plain words") from error


def _plain(text: str) -> str:
    """Return the text for comparison: one form of accents, no case, single spaces."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in map(_plain, path.split(_SEPARATOR)) if part)


def _is_in(item: LibraryItem, wanted: tuple[str, ...]) -> bool:
    """Return whether a collection of the item, or one around it, has this path at its end; or its name as a whole."""
    return any(_holds(collection.path, wanted) for collection in item.collections)


def _holds(path: Sequence[str], wanted: tuple[str, ...]) -> bool:
    names = tuple(_plain(name) for name in path)
    whole = _SEPARATOR.join(wanted)
    return any(
        names[:end][-len(wanted) :] == wanted or _SEPARATOR.join(_parts(names[end - 1])) == whole
        for end in range(1, len(names) + 1)
        if wanted
    )


def _collection_names(library: Library) -> dict[tuple[str, ...], str]:
    """Return how each collection, and each around it, may be called: by every end of its path."""
    names: dict[tuple[str, ...], str] = {}
    for path in {c.path for item in library for c in item.collections}:
        for end in range(1, len(path) + 1):
            plain = tuple(_plain(name) for name in path[:end])
            for start in range(end):
                names.setdefault(plain[start:], _SEPARATOR.join(path[:end]))
            names.setdefault(_parts(path[end - 1]), _SEPARATOR.join(path[:end]))
    return names


def _refuse_unknown(option: str, given: Sequence[str], plain: Sequence[object], known: Iterable[object]) -> None:
    """Return nothing; raises UsageError for the first name that is not known, with near ones."""
    names = dict.fromkeys(known)
    for text, name in zip(given, plain, strict=True):
        if name in names:
            continue
        shown = sorted({_SEPARATOR.join(n) if isinstance(n, tuple) else str(n) for n in names})
        near = nearest_name_hint(_SEPARATOR.join(_parts(text)), shown)
        if not near.startswith("did you mean"):
            more = len(shown) - _NAMES_SHOWN
            near = "one of " + ", ".join(shown[:_NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "") if shown else ""
        raise UsageError(f"no item has {text!r}", where=option, hint=near or "leave it out: no item has any")
