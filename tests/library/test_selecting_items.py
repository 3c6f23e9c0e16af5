"""A selection means exactly the items it says, and a name that no item has is an error, not an empty answer."""

from __future__ import annotations

import unicodedata

import pytest

from tools.zotero_library import GROUP_NUMBER
from tools.zotero_writer import key_of
from variorum.errors import UsageError
from variorum.libraries import Library, Selection, one_key, select


def chosen(library: Library, **given: object) -> set[str]:
    return {str(item.ref) for item in select(library, Selection(**given))}  # type: ignore[arg-type]


def refs(*names: str, in_library: str = "user") -> set[str]:
    return {f"{in_library}/{key_of(name)}" for name in names}


def test_without_a_wish_it_is_all_but_the_trash(library: Library) -> None:
    everything = {str(item.ref) for item in library}
    assert chosen(library) == everything - refs("in trash")
    assert chosen(library, with_trash=True) == everything


@pytest.mark.parametrize("name", ["Reading", "reading", " READING ", "/Reading/"])
def test_a_collection_includes_those_inside_it(library: Library, name: str) -> None:
    assert chosen(library, collections=(name,)) == refs("annotated", "two pdfs", "standalone")


@pytest.mark.parametrize("name", ["2024", "Tables/2024", "reading/tables/2024"])
def test_a_collection_is_known_by_any_end_of_its_path(library: Library, name: str) -> None:
    assert chosen(library, collections=(name,)) == refs("annotated")


def test_of_several_collections_any_will_do(library: Library) -> None:
    group = f"groups/{GROUP_NUMBER}"
    assert chosen(library, collections=("2024", "Shared")) == refs("annotated") | refs("annotated", in_library=group)


def test_different_wishes_must_all_hold(library: Library) -> None:
    assert chosen(library, collections=("Reading",), tags=("tables",)) == refs("annotated")
    assert chosen(library, collections=("Shared",), tags=("tables",)) == set()


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_accents_and_case_of_a_name_do_not_matter(library: Library, form: str) -> None:
    assert chosen(library, tags=(unicodedata.normalize(form, "Été"),)) == refs("diacritics")  # type: ignore[arg-type]
    assert chosen(library, title=unicodedata.normalize(form, "numérotation")) == refs("diacritics")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [f"groups/{GROUP_NUMBER}", "Table Readers"])
def test_a_library_is_known_by_name_and_id(library: Library, name: str) -> None:
    assert chosen(library, libraries=(name,)) == refs("annotated", in_library=f"groups/{GROUP_NUMBER}")


def test_a_title_is_searched_as_a_regular_expression(library: Library) -> None:
    assert chosen(library, title=r"^a (damaged|locked) file$") == refs("corrupt", "encrypted")


def test_a_key_may_be_that_of_the_file(library: Library) -> None:
    assert chosen(library, keys=(key_of("supplement"), key_of("book"))) == refs("two pdfs", "book")


def test_a_key_of_several_libraries_needs_the_library(library: Library) -> None:
    key = key_of("annotated")
    with pytest.raises(UsageError, match=f"several libraries. To try: one of user/{key}, groups/{GROUP_NUMBER}/{key}"):
        one_key(library, key)
    assert one_key(library, f"user/{key}").in_library.kind == "user"


def test_a_near_key_is_suggested(library: Library) -> None:
    key = key_of("book")
    with pytest.raises(UsageError, match=f"did you mean {key}"):
        one_key(library, key[:-1] + ("A" if key[-1] != "A" else "B"))


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"collections": ("Redding",)}, r"--collection: no item has 'Redding'. To try: did you mean reading\?"),
        ({"collections": ("",)}, "--collection: no item has ''"),
        ({"tags": ("nothing like it",)}, "--tag: no item has 'nothing like it'. To try: one of"),
        ({"libraries": ("groups/1",)}, "--library: no item has 'groups/1'"),
        ({"keys": ("????????",)}, "no item has the key"),
        ({"title": "("}, "is no regular expression"),
    ],
)
def test_what_can_match_nothing_is_an_error(library: Library, wish: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        chosen(library, **wish)
