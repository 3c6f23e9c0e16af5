"""What is in a Zotero library is found, with all that belongs to it; and each complaint about other readers is answered."""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from library_watch import held_by_another, state_of

from tools.zotero_library import CASES, FEED_ITEMS, GROUP_NUMBER, MadeLibrary, make_library
from tools.zotero_schema import NEW_SCHEMA
from tools.zotero_writer import ZoteroWriter, key_of
from variorum.errors import DamagedInputError, InputNotFoundError, SchemaError
from variorum.libraries import Attachment, Library, LibraryItem, read_zotero

Find = Callable[..., LibraryItem]
EXCLUSIVE = "PRAGMA locking_mode = EXCLUSIVE"


def only_pdf(item: LibraryItem) -> Attachment:
    (pdf,) = item.pdfs
    return pdf


class TestWholeLibrary:
    def test_every_item_is_there_once(self, library: Library) -> None:
        keys = sorted(key_of(name) for name in CASES if name != "in group")
        assert sorted(item.key for item in library if item.in_library.id == "user") == keys

    def test_found_is_what_is_listed_and_what_is_left_out(self, library: Library, made: MadeLibrary) -> None:
        assert library.found == made.n_roots == len(library) + len(library.skipped)

    def test_feeds_are_left_out_with_the_reason(self, library: Library) -> None:
        assert {row.key for row in library.skipped} == {key_of(name) for name in FEED_ITEMS}
        assert {row.reason for row in library.skipped} == {"it belongs to a feed (News of tables)"}

    def test_nothing_in_the_folder_changes(self, made: MadeLibrary, nobody: Path) -> None:
        before = state_of(made.data_dir.parent)
        read_zotero(made.data_dir, home=nobody)
        assert state_of(made.data_dir.parent) == before

    def test_the_same_library_gives_the_same_data(self, made: MadeLibrary, library: Library, nobody: Path) -> None:
        assert read_zotero(made.data_dir, home=nobody) == library

    def test_it_is_known_where_it_was_read(self, made: MadeLibrary, library: Library) -> None:
        (source,) = library.sources
        assert source.path == made.data_dir
        assert dict(source.facts)["base directory"] == str(made.base_dir)
        assert (dict(source.facts)["schema"], dict(source.facts)["journal"]) in (("129", "wal"), ("121", "rollback"))

    def test_the_database_itself_may_be_named(self, made: MadeLibrary, library: Library, nobody: Path) -> None:
        assert read_zotero(made.database, home=nobody) == library


class TestComplaints:
    """What users of other tools complain about."""

    def test_database_is_locked(self, made: MadeLibrary, library: Library, nobody: Path) -> None:
        with held_by_another(made.database, EXCLUSIVE, "BEGIN EXCLUSIVE"):
            assert read_zotero(made.database, home=nobody).items == library.items

    def test_items_in_the_wal_are_invisible(self, tmp_path: Path, nobody: Path) -> None:
        made = make_library(tmp_path)
        path = made.data_dir / "zotero.sqlite"
        alone = tmp_path / "alone.sqlite"
        alone.write_bytes(path.read_bytes())
        with sqlite3.connect(alone) as without_wal:
            rows = without_wal.execute("SELECT count(*) FROM items WHERE key = ?", (key_of("in wal"),)).fetchone()
        without_wal.close()
        assert rows == (0,)
        library = read_zotero(made.data_dir, home=nobody)
        assert [item.title for item in library.with_key(key_of("in wal"))] == ["Written last"]

    def test_deleted_items_are_still_found(self, item: Find) -> None:
        assert item("in trash").in_trash
        assert not item("in trash").pdfs
        assert all(attachment.in_trash for attachment in item("in trash").attachments)

    def test_an_attachment_in_the_trash_is_still_found(self, item: Find) -> None:
        trashed = item("attachment in trash")
        assert not trashed.in_trash
        assert not trashed.pdfs
        assert [attachment.in_trash for attachment in trashed.attachments] == [True]

    def test_group_libraries_are_missing(self, library: Library, item: Find) -> None:
        group = f"groups/{GROUP_NUMBER}"
        assert [(ref.id, ref.name, ref.kind) for ref in library.libraries] == [
            ("user", "My Library", "user"),
            (group, "Table readers", "group"),
        ]
        shared = item("annotated", group)
        assert shared.title == "An item of the group"
        assert [collection.path for collection in shared.collections] == [("Shared",)]
        assert only_pdf(shared).path is not None

    def test_an_item_of_a_group_hides_one_with_the_same_key(self, library: Library) -> None:
        assert [i.in_library.kind for i in library.with_key(key_of("annotated"))] == ["user", "group"]

    @pytest.mark.parametrize("name", ["linked", "linked to base", "linked by address"])
    def test_linked_files_are_skipped(self, item: Find, name: str) -> None:
        linked = only_pdf(item(name))
        assert linked.link_mode == "linked_file"
        assert linked.path is not None
        assert linked.path.is_file()

    def test_linked_files_are_skipped_without_a_word(self, item: Find) -> None:
        problem = only_pdf(item("linked on windows")).problem
        assert problem is not None
        assert problem.kind == "other-system"
        assert problem.reason.endswith("'C:\\Users\\ada\\papers\\table.pdf'")

    def test_a_renamed_file_is_marked_failed_for_ever(self, item: Find) -> None:
        renamed = only_pdf(item("renamed"))
        assert renamed.path is not None
        assert renamed.path.name == "what the user calls it.PDF"
        assert renamed.is_renamed

    def test_the_pdf_page_is_cited_where_the_printed_label_is_meant(self, item: Find) -> None:
        marks = only_pdf(item("annotated")).annotations
        assert [(mark.page_label, mark.page_index) for mark in marks if mark.kind in ("note", "highlight")] == [
            ("xii", 0),
            ("xiii", 1),
        ]

    @pytest.mark.parametrize(
        ("name", "title", "last", "tag"),
        [
            ("cyrillic", "О чтении таблиц", "Ёлкина", "таблицы"),
            ("chinese", "论表格识别", "王小明", "表格"),
            ("arabic", "قراءة الجداول", "الخوارزمي", "جداول"),
            (
                "diacritics",
                unicodedata.normalize("NFD", "Numérotation des équations d’Erdős"),
                unicodedata.normalize("NFD", "Lefèvre"),
                unicodedata.normalize("NFD", "été"),
            ),
        ],
    )
    def test_text_that_is_not_english_is_lost(self, item: Find, name: str, title: str, last: str, tag: str) -> None:
        found = item(name)
        assert (found.title, found.authors[0].last, found.tags) == (title, last, (tag,))
        assert only_pdf(found).path is not None


class TestMetadata:
    def test_creators_keep_order_and_role_and_a_body_has_one_name(self, item: Find) -> None:
        creators = [(creator.role, creator.name) for creator in item("annotated").creators]
        assert creators == [("author", "Ada Fontaine"), ("author", "The Table Group"), ("editor", "Bo Lindqvist")]
        assert [creator.last for creator in item("annotated").authors] == ["Fontaine", "The Table Group"]

    def test_collections_have_their_whole_path(self, item: Find) -> None:
        assert [c.path for c in item("annotated").collections] == [("Reading",), ("Reading", "Tables", "2024")]

    def test_a_collection_in_the_trash_is_none_nor_is_one_inside_it(self, item: Find) -> None:
        kept = item("in deleted collection")
        assert not kept.in_trash
        assert kept.collections == ()

    @pytest.mark.parametrize(
        ("name", "parts"),
        [
            ("annotated", ("03/2024", 2024, 3, None)),
            ("key of better bibtex", ("2011", 2011, None, None)),
            ("in press", ("in press", None, None, None)),
            ("season", ("Spring 1999", 1999, None, None)),
            ("case", ("17 May 1954", 1954, 5, 17)),
        ],
    )
    def test_dates_are_read_in_parts(self, item: Find, name: str, parts: tuple[object, ...]) -> None:
        date = item(name).date
        assert date is not None
        assert (date.raw, date.year, date.month, date.day) == parts

    def test_an_item_without_a_date_has_none(self, item: Find) -> None:
        assert item("web link").date is None

    @pytest.mark.parametrize(
        ("name", "place"),
        [
            ("annotated", "Journal of Worked Examples"),
            ("key of better bibtex", "Proceedings of the Third Workshop on Tables"),
            ("key in extra", "Journal of Worked Examples"),
            ("book", ""),
        ],
    )
    def test_where_it_appeared_is_known_whatever_the_field_is_called(self, item: Find, name: str, place: str) -> None:
        assert item(name).publication == place

    def test_a_title_under_another_name_is_the_title(self, item: Find) -> None:
        assert item("case").title == "Rows v. Columns"

    def test_markup_in_titles_is_kept_and_can_be_left_out(self, item: Find) -> None:
        found = item("annotated")
        assert (found.title, found.plain_title) == ("Reading <i>tables</i> by vote", "Reading tables by vote")

    @pytest.mark.parametrize(
        ("name", "doi"),
        [
            ("annotated", "10.5555/variorum.1"),
            ("key in extra", "10.5555/preprint.7"),
            ("same doi", "10.5555/VARIORUM.1"),
            ("book", ""),
        ],
    )
    def test_the_doi_is_bare_wherever_it_stands(self, item: Find, name: str, doi: str) -> None:
        assert item(name).doi == doi

    def test_citation_keys_come_from_three_places(self, item: Find, library: Library) -> None:
        found = {n: item(n).citation_key for n in ("annotated", "key of better bibtex", "key in extra", "book")}
        has_field = dict(library.sources[0].facts)["schema"] == str(NEW_SCHEMA)
        assert {name: (key.key, key.origin) for name, key in found.items() if key is not None} == {
            "annotated": ("fontaine2024tables", "zotero") if has_field else ("stale", "better-bibtex"),
            "key of better bibtex": ("fontaine_tables_2011", "better-bibtex"),
            "key in extra": ("lindqvist:2023", "extra"),
        }

    def test_a_retraction_says_why(self, item: Find) -> None:
        assert item("retracted").retraction == "retracted: Error in Data; Unreliable Results"
        assert item("annotated").retraction is None

    def test_my_publications_are_marked(self, item: Find, library: Library) -> None:
        assert [i.key for i in library if i.in_my_publications] == [key_of("annotated")]

    def test_all_fields_are_kept(self, item: Find) -> None:
        fields = dict(item("annotated").fields)
        assert fields["volume"] == "12"
        assert fields["abstractNote"] == "Readings vote.\nThe votes are kept."
        assert list(fields) == sorted(fields)


class TestBelongings:
    def test_an_item_has_all_its_pdfs(self, item: Find) -> None:
        assert [pdf.title for pdf in item("two pdfs").pdfs] == ["Full Text PDF", "Supplement"]

    def test_a_saved_page_is_no_pdf(self, item: Find) -> None:
        assert [a.is_pdf for a in item("snapshot").attachments] == [True, False]

    def test_a_pdf_without_a_parent_is_an_item(self, item: Find) -> None:
        alone = item("standalone")
        assert (alone.item_type, alone.title) == ("attachment", "manual.pdf")
        assert only_pdf(alone).path is not None
        assert [c.path for c in alone.collections] == [("Reading",)]

    def test_a_note_without_a_parent_is_an_item(self, item: Find) -> None:
        alone = item("standalone note")
        assert (alone.item_type, alone.title) == ("note", "Buy paper.")
        assert alone.notes[0].text == "Buy paper.\nAnd ink."

    def test_notes_are_text(self, item: Find) -> None:
        (note,) = item("annotated").notes
        assert (note.title, note.text, note.tags) == ("Summary", "Summary\nVotes & reasons.", ("noted",))

    def test_the_picture_of_a_note_belongs_to_its_item(self, item: Find) -> None:
        assert [a.content_type for a in item("annotated").attachments if a.link_mode == "embedded_image"] == ["image/png"]

    def test_annotations_are_in_the_order_of_their_places(self, item: Find) -> None:
        marks = only_pdf(item("annotated")).annotations
        assert [(m.kind, m.text, m.comment, m.in_trash) for m in marks] == [
            ("note", "", "read this", False),
            ("underline", "no more", "", True),
            ("highlight", "Each divider", "the claim", False),
            ("image", "", "", False),
        ]

    def test_tags_belong_to_what_bears_them(self, item: Find) -> None:
        found = item("annotated")
        pdf = only_pdf(found)
        highlight = next(mark for mark in pdf.annotations if mark.kind == "highlight")
        assert (found.tags, pdf.tags, highlight.tags) == (("tables", "to read"), ("pdf",), ("key",))


class TestFaults:
    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(InputNotFoundError, match=r"nowhere: no such folder. To try: the folder that Zotero shows"):
            read_zotero(tmp_path / "nowhere")

    def test_a_folder_of_something_else(self, tmp_path: Path) -> None:
        with pytest.raises(InputNotFoundError, match=r"it holds no zotero.sqlite"):
            read_zotero(tmp_path)

    @pytest.mark.parametrize(
        ("inside", "message"), [("storage", "it holds no zotero.sqlite"), ("prefs.js", "is a file, not a Zotero data")]
    )
    def test_a_place_inside_the_library_leads_to_the_library(self, made: MadeLibrary, inside: str, message: str) -> None:
        with pytest.raises(InputNotFoundError, match=message) as found:
            read_zotero(made.data_dir / inside)
        assert found.value.hint == f"--zotero {made.data_dir}"

    def test_a_path_that_no_system_has(self) -> None:
        with pytest.raises(InputNotFoundError):
            read_zotero("a\0b")

    def test_another_programs_database(self, tmp_path: Path) -> None:
        with sqlite3.connect(tmp_path / "zotero.sqlite") as db:
            db.execute("CREATE TABLE bookmarks (url TEXT)")
        db.close()
        with pytest.raises(SchemaError, match="not a database of Zotero"):
            read_zotero(tmp_path)

    def test_a_schema_before_zotero_5(self, tmp_path: Path, nobody: Path) -> None:
        with ZoteroWriter(tmp_path, journal="rollback") as writer:
            writer.sql("UPDATE version SET version = 76 WHERE schema = 'userdata'")
            writer.sql("ALTER TABLE creators RENAME TO creatorData")
        with pytest.raises(SchemaError, match=r"its schema \(76\) has no creators: not a library of Zotero 5 or later"):
            read_zotero(tmp_path, home=nobody)

    def test_a_missing_column_is_named(self, tmp_path: Path, nobody: Path) -> None:
        with ZoteroWriter(tmp_path, journal="rollback") as writer:
            writer.sql("ALTER TABLE itemAttachments RENAME COLUMN path TO place")
        with pytest.raises(SchemaError, match=r"has no itemAttachments.path"):
            read_zotero(tmp_path, home=nobody)

    def test_a_newer_schema_is_read_with_a_notice(self, tmp_path: Path, nobody: Path) -> None:
        with ZoteroWriter(tmp_path) as writer:
            writer.item("book", "book", fields={"title": "A book"})
            writer.sql("UPDATE version SET version = 199 WHERE schema = 'userdata'")
            writer.sql("ALTER TABLE items ADD COLUMN somethingNew TEXT")
        library = read_zotero(tmp_path, home=nobody)
        assert [item.title for item in library] == ["A book"]
        assert library.notices == (f"its schema (199) is newer than those known here (up to {NEW_SCHEMA})",)

    def test_a_damaged_database(self, tmp_path: Path, nobody: Path) -> None:
        made = make_library(tmp_path, journal="rollback")
        data = bytearray(made.database.read_bytes())
        data[8192:40960] = b"\x5a" * (40960 - 8192)
        made.database.write_bytes(data)
        with pytest.raises(DamagedInputError, match="damaged"):
            read_zotero(made.data_dir, home=nobody, pause=lambda seconds: None)

    def test_an_unreadable_better_bibtex_costs_its_keys_only(self, tmp_path: Path, nobody: Path) -> None:
        made = make_library(tmp_path)
        (made.data_dir / "better-bibtex.sqlite").write_text("not a database")
        library = read_zotero(made.data_dir, home=nobody)
        assert len(library) == made.n_roots - made.n_feed
        assert "Better BibTeX" in library.notices[0]

    def test_what_belongs_to_nothing_is_left_out_with_the_reason(self, tmp_path: Path, nobody: Path) -> None:
        with ZoteroWriter(tmp_path) as writer:
            item = writer.item("gone")
            writer.attachment("orphan", item, path=None)
            writer.sql("DELETE FROM items WHERE itemID = ?", item)
            first = writer.note("first", None, "<p>a</p>")
            second = writer.note("second", first, "<p>b</p>")
            writer.sql("UPDATE itemNotes SET parentItemID = ? WHERE itemID = ?", second, first)
        library = read_zotero(tmp_path, home=nobody)
        assert library.items == ()
        assert {row.key for row in library.skipped} == {key_of(name) for name in ("orphan", "first", "second")}
        assert {row.reason for row in library.skipped} == {"what it belongs to is not in the database"}

    def test_a_group_without_its_row_is_read_all_the_same(self, tmp_path: Path, nobody: Path) -> None:
        with ZoteroWriter(tmp_path) as writer:
            writer.new_library(2, "group")
            writer.item("lost", library=2, fields={"title": "Lost"})
        library = read_zotero(tmp_path, home=nobody)
        assert [(item.title, item.in_library.kind) for item in library] == [("Lost", "group")]

    def test_values_of_strange_kinds_do_no_harm(self, tmp_path: Path, nobody: Path) -> None:
        with ZoteroWriter(tmp_path) as writer:
            item = writer.item("strange", fields={"title": 1984, "date": b"\xff\xfe", "extra": "Citation Key:"})
            pdf = writer.attachment("file", item, path="storage:a.pdf")
            mark = writer.annotation("mark", pdf)
            writer.sql("UPDATE itemAttachments SET linkMode = 99, contentType = NULL WHERE itemID = ?", pdf)
            writer.sql("UPDATE itemAnnotations SET position = '[]', type = 77, pageLabel = NULL WHERE itemID = ?", mark)
            writer.sql("INSERT INTO retractedItems (itemID, data) VALUES (?, 'no json')", item)
        (found,) = read_zotero(tmp_path, home=nobody)
        assert (found.title, found.citation_key, found.retraction) == ("1984", None, "retracted")
        assert (found.attachments[0].link_mode, found.attachments[0].is_pdf) == ("unknown", True)
        assert found.attachments[0].annotations[0].page_index is None
