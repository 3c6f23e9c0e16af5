"""A realistic Zotero library, made on the spot, with all that real ones have and readers stumble over.

    python -m tools.zotero_library DIR [--journal wal|rollback] [--schema 121|129] [--corpus DIR]

DIR/Zotero is the data directory, DIR/linked the base directory of linked files. Every paper of the corpus (a folder with
``papers/index.json``) becomes an article with its PDF; without a corpus the PDFs are made here. The other items are one a
difficulty, by the names in `CASES`; `key_of(name)` is the key of each. In WAL mode the last item and the last deletion are in
the ``-wal`` only, as Zotero leaves them when it is killed.

Tests and benches import `make_library`.
"""

from __future__ import annotations

import argparse
import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.zotero_schema import NEW_SCHEMA, OLD_SCHEMA
from tools.zotero_writer import JournalMode, ZoteroWriter, key_of

GROUP, FEED = 2, 3
GROUP_NUMBER = 471100
DOI = "10.5555/variorum.{}"

CASES = {
    "annotated": "annotations with page labels, a note with an embedded picture, nested collections, My Publications",
    "two pdfs": "an article with its supplement",
    "snapshot": "a web page saved beside the PDF",
    "key of better bibtex": "proceedings whose citation key is in Better BibTeX's own database",
    "key in extra": "a preprint with citation key and DOI in the field Extra",
    "linked": "a linked file with an absolute path",
    "linked to base": "a linked file below the base directory",
    "linked by address": "a linked file with a file: address",
    "linked on windows": "a linked file with a path of another system",
    "renamed": "a stored file that was renamed outside Zotero",
    "not downloaded": "a file that is on the server only",
    "two candidates": "a stored file that is gone, with two others in its folder",
    "web link": "a link instead of a file",
    "scanned": "a PDF without text",
    "corrupt": "a PDF that is damaged",
    "encrypted": "a PDF that needs a password",
    "empty": "a PDF without a byte",
    "same doi": "the DOI of the article with annotations once more, in other case",
    "same content": "the PDF of the article with annotations once more",
    "cyrillic": "metadata in Russian",
    "chinese": "metadata in Chinese, a name in one field",
    "arabic": "metadata in Arabic",
    "diacritics": "combining diacritics in the title and in the name of the file, in another form on disk",
    "retracted": "a retracted article",
    "in press": "a date that is none",
    "season": "a date that is not in Zotero's two parts",
    "case": "a case, whose title and date are fields of other names",
    "book": "a book without any file",
    "attachment in trash": "an article whose PDF is in the trash",
    "in trash": "an article in the trash, its PDF with it",
    "in deleted collection": "an article whose only collection is in the trash",
    "standalone": "a PDF without a parent",
    "standalone note": "a note without a parent",
    "in group": "an item of a group, with the key of the article with annotations",
    "in wal": "the last item, in the -wal only",
}
FEED_ITEMS = ("feed 1", "feed 2")


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeLibrary:
    """Where the library is, and how many rows of it are items of their own (`n_roots`), in the trash, and of feeds."""

    data_dir: Path
    base_dir: Path
    database: Path
    n_roots: int
    n_trashed: int
    n_feed: int


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper of the corpus, or one made up: its title and its PDF."""

    title: str
    pdf: bytes


def corpus_papers(corpus: Path) -> tuple[Paper, ...]:
    """Return the papers of the corpus in the order of its index."""
    index = json.loads((corpus / "papers" / "index.json").read_text(encoding="utf-8"))
    return tuple(Paper(e["title"], (corpus / "papers" / e["id"] / "paper.pdf").read_bytes()) for e in index)


def make_library(
    folder: Path, *, journal: JournalMode = "wal", schema: int = NEW_SCHEMA, papers: Sequence[Paper] = ()
) -> MadeLibrary:
    """Return a new library below the folder, which is made where it is missing and must hold none yet."""
    data_dir, base_dir = folder / "Zotero", folder / "linked"
    (base_dir / "archive").mkdir(parents=True)
    with ZoteroWriter(data_dir, schema=schema, journal=journal) as writer:
        _Contents(writer, base_dir, papers).write()
        n_roots = len(CASES) + len(FEED_ITEMS) + len(papers)
    _write_better_bibtex(
        data_dir, [(1, key_of("key of better bibtex"), "fontaine_tables_2011"), (1, key_of("annotated"), "stale")]
    )
    write_preferences(data_dir, base_dir)
    return MadeLibrary(
        data_dir=data_dir,
        base_dir=base_dir,
        database=data_dir / "zotero.sqlite",
        n_roots=n_roots,
        n_trashed=1,
        n_feed=len(FEED_ITEMS),
    )


def write_preferences(folder: Path, base_dir: Path) -> None:
    """Write a ``prefs.js`` that sets the base directory of linked files, among other settings."""
    lines = [
        "// Mozilla User Preferences",
        'user_pref("app.update.auto", false);',
        f'user_pref("extensions.zotero.baseAttachmentPath", {json.dumps(str(base_dir))});',
        'user_pref("extensions.zotero.saveRelativeAttachmentPath", true);',
    ]
    (folder / "prefs.js").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_better_bibtex(folder: Path, keys: Sequence[tuple[int, str, str]]) -> None:
    import sqlite3

    db = sqlite3.connect(folder / "better-bibtex.sqlite")
    db.execute("CREATE TABLE citationkey (itemID INTEGER, itemKey TEXT, libraryID INTEGER, citationKey TEXT, pinned INTEGER)")
    rows = [(number, key, library, citation, 0) for number, (library, key, citation) in enumerate(keys)]
    db.executemany("INSERT INTO citationkey VALUES (?, ?, ?, ?, ?)", rows)
    db.commit()
    db.close()


class _Contents:
    """What the library holds."""

    def __init__(self, writer: ZoteroWriter, base_dir: Path, papers: Sequence[Paper]) -> None:
        self._to = writer
        self._base = base_dir
        self._papers = papers
        self._made = 0

    def _pdf(self) -> bytes:
        """Return a PDF that no other item has: the text of the papers made up here counts on."""
        self._made += 1
        return text_pdf([f"Paper {self._made} of a library that was made up.", "It has a page of text."])

    def write(self) -> None:
        """Write everything, in WAL mode the last item alone into the ``-wal``."""
        to = self._to
        reading = to.collection("Reading")
        tables = to.collection("Tables", parent=reading)
        year = to.collection("2024", parent=tables)
        gone = to.collection("Abandoned", deleted=True)
        below_gone = to.collection("Inside", parent=gone)
        self._articles(reading, tables, year)
        self._linked_files()
        self._bad_files()
        self._languages()
        self._states(below_gone)
        self._own_items(reading)
        self._other_libraries()
        for number, paper in enumerate(self._papers, start=1):
            self._article(f"paper {number}", paper.title, file=paper.pdf, collections=(tables,), doi=f"paper.{number}")
        to.settle()
        self._article("in wal", "Written last", tags=("new",))
        to.sql("INSERT INTO deletedItems (itemID) VALUES (?)", to.ids[1, key_of("pdf of attachment in trash")])

    def _article(
        self,
        name: str,
        title: str,
        *,
        kind: str = "journalArticle",
        file: bytes | None = None,
        path: str | None = "storage:article.pdf",
        doi: str = "",
        date: str = "2024-05-00 05/2024",
        fields: dict[str, object] | None = None,
        creators: Sequence[tuple[str, str, str]] = (("author", "Ada", "Fontaine"), ("author", "Bo", "Lindqvist")),
        pdf: dict[str, Any] | None = None,
        **more: Any,
    ) -> tuple[int, int]:
        """Add an article with a PDF, and return the numbers of both."""
        known = {"title": title, "date": date, "publicationTitle": "Journal of Worked Examples", "language": "en"}
        if doi:
            known["DOI"] = DOI.format(doi)
        item = self._to.item(name, kind, fields={**known, **(fields or {})}, creators=creators, **more)
        library = more.get("library", 1)
        content = self._pdf() if file is None else file
        attached = self._to.attachment(f"pdf of {name}", item, path=path, file=content, library=library, **(pdf or {}))
        return item, attached

    def _articles(self, reading: int, tables: int, year: int) -> None:
        to = self._to
        own_key = {"citationKey": "fontaine2024tables"} if to.schema > OLD_SCHEMA else {}
        item, pdf = self._article(
            "annotated",
            "Reading <i>tables</i> by vote",
            file=text_pdf(["Reading tables by vote", "Each divider is voted on."]),
            doi="1",
            date="2024-03-00 03/2024",
            fields={"abstractNote": "Readings vote.\nThe votes are kept.", "volume": 12, **own_key},
            creators=(("author", "Ada", "Fontaine"), ("author", "", "The Table Group"), ("editor", "Bo", "Lindqvist")),
            collections=(year, reading),
            tags=("tables", "to read"),
            published=True,
            pdf={"mode": "imported_url", "url": "https://example.org/tables.pdf", "tags": ("pdf",)},
        )
        to.annotation("mark 2", pdf, text="Each divider", comment="the claim", page_label="xiii", page_index=1, tags=("key",))
        to.annotation("mark 1", pdf, "note", comment="read this", page_label="xii", page_index=0)
        to.annotation("mark 3", pdf, "image", page_label="", page_index=2)
        to.annotation("mark in trash", pdf, "underline", text="no more", page_label="xii", deleted=True)
        note = to.note("note", item, "<h1>Summary</h1><p>Votes &amp; <b>reasons</b>.</p>", title="Summary", tags=("noted",))
        to.attachment(
            "picture", note, path="storage:image.png", mode="embedded_image", content_type="image/png", file=b"\x89PNG"
        )
        item, _ = self._article("two pdfs", "An article with a supplement", doi="2", collections=(tables,))
        to.attachment("supplement", item, path="storage:supplement.pdf", file=self._pdf(), title="Supplement")
        item, _ = self._article("snapshot", "An article with a saved page", doi="3")
        to.attachment(
            "saved page", item, path="storage:page.html", mode="imported_url", content_type="text/html", file=b"<p>Hello"
        )
        proceedings: dict[str, object] = {"proceedingsTitle": "Proceedings of the Third Workshop on Tables"}
        self._article(
            "key of better bibtex",
            "A paper of a workshop",
            kind="conferencePaper",
            doi="4",
            date="2011-00-00 2011",
            fields=proceedings,
        )
        extra = "Citation Key: lindqvist:2023\nDOI: https://doi.org/10.5555/preprint.7.\nnoise"
        self._article(
            "key in extra",
            "A preprint",
            kind="preprint",
            date="2023-11-02 2023-11-02",
            fields={"extra": extra, "repository": "arXiv"},
        )

    def _linked_files(self) -> None:
        def link(name: str, title: str, where: str, place: Path | None) -> None:
            if place is not None:
                place.write_bytes(self._pdf())
            item = self._to.item(name, fields={"title": title, "date": "2020-00-00 2020"})
            self._to.attachment(f"pdf of {name}", item, path=where, mode="linked_file", title="Linked")

        absolute, below, address = (self._base / n for n in ("absolute.pdf", "archive/below base.pdf", "by address é.pdf"))
        link("linked", "A linked file", str(absolute), absolute)
        link("linked to base", "A linked file below the base", "attachments:archive/below base.pdf", below)
        link("linked by address", "A linked file by its address", address.as_uri(), address)
        link("linked on windows", "A linked file of another system", "C:\\Users\\ada\\papers\\table.pdf", None)

    def _bad_files(self) -> None:
        self._article("renamed", "A file under another name", doi="20", pdf={"file_name": "what the user calls it.PDF"})
        item = self._to.item("not downloaded", fields={"title": "A file on the server", "DOI": DOI.format(21)})
        self._to.attachment("pdf of not downloaded", item, path="storage:far.pdf", sync_state=1)
        self._article("two candidates", "Two files, neither of that name", pdf={"file_name": "a.pdf"})
        (self._to.folder / "storage" / key_of("pdf of two candidates") / "b.pdf").write_bytes(self._pdf())
        item = self._to.item("web link", fields={"title": "A link", "url": "https://example.org/a"})
        self._to.attachment("link", item, path=None, mode="linked_url", content_type="text/html", url="https://example.org/a")
        self._article("scanned", "Ein Scan", file=scanned_pdf(), date="1911-00-00 1911")
        self._article("corrupt", "A damaged file", file=b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog")
        self._article("encrypted", "A locked file", file=encrypted_pdf())
        self._article("empty", "A file without a byte", file=b"")
        self._article("same doi", "Reading tables by vote (again)", fields={"DOI": "https://doi.org/10.5555/VARIORUM.1"})
        self._article("same content", "The same file", file=text_pdf(["Reading tables by vote", "Each divider is voted on."]))

    def _languages(self) -> None:
        def article(name: str, title: str, last: str, first: str, tag: str, language: str, journal: str, **more: Any) -> None:
            fields: dict[str, object] = {"language": language, "publicationTitle": journal}
            self._article(name, title, fields=fields, creators=(("author", first, last),), tags=(tag,), **more)

        article("cyrillic", "О чтении таблиц", "Ёлкина", "Анна", "таблицы", "ru", "Вестник таблиц")
        article("chinese", "论表格识别", "王小明", "", "表格", "zh-CN", "计算机学报")
        article("arabic", "قراءة الجداول", "الخوارزمي", "محمد", "جداول", "ar", "مجلة الجداول")
        name = "Les tables numérotées à l’œuvre.pdf"
        article(
            "diacritics",
            unicodedata.normalize("NFD", "Numérotation des équations d’Erdős"),
            unicodedata.normalize("NFD", "Lefèvre"),
            "Zoë",
            unicodedata.normalize("NFD", "été"),
            "fr",
            "Annales",
            path=f"storage:{unicodedata.normalize('NFC', name)}",
            pdf={"file_name": unicodedata.normalize("NFD", name)},
        )

    def _states(self, below_gone: int) -> None:
        reasons = {"doi": DOI.format(30), "reasons": ["Error in Data", "Unreliable Results"], "date": "2021-02-03"}
        self._article("retracted", "A retracted article", doi="30", retraction=reasons)
        self._article("in press", "An article in press", date="0000-00-00 in press")
        self._article("season", "An article of a season", date="Spring 1999")
        self._to.item("case", "case", fields={"caseName": "Rows v. Columns", "dateDecided": "1954-05-17 17 May 1954"})
        self._to.item(
            "book", "book", fields={"title": "The book of tables", "date": "1893"}, creators=(("author", "Ada", "Fontaine"),)
        )
        self._article("attachment in trash", "An article without its PDF")
        self._article("in trash", "An article nobody wants", deleted=True, doi="31")
        self._article("in deleted collection", "An article of an abandoned project", collections=(below_gone,))

    def _own_items(self, reading: int) -> None:
        self._to.attachment(
            "standalone", None, path="storage:manual.pdf", file=self._pdf(), title="manual.pdf", collections=(reading,)
        )
        self._to.note("standalone note", None, "<p>Buy <i>paper</i>.</p><p>And ink.</p>", title="Buy paper.")

    def _other_libraries(self) -> None:
        to = self._to
        to.group(GROUP, GROUP_NUMBER, "Table readers")
        shared = to.collection("Shared", library=GROUP)
        same_key = key_of("annotated")
        _, pdf = self._article(
            "in group", "An item of the group", library=GROUP, collections=(shared,), pdf={"mode": "imported_file"}
        )
        to.sql("UPDATE items SET key = ? WHERE itemID = ?", same_key, to.ids[GROUP, key_of("in group")])
        to.annotation("mark of the group", pdf, text="shared", page_label="7", page_index=6, library=GROUP)
        to.feed(FEED, "News of tables")
        for name in FEED_ITEMS:
            number = to.item(name, library=FEED, fields={"title": f"News: {name}"})
            to.sql("INSERT INTO feedItems (itemID, guid) VALUES (?, ?)", number, name)


def text_pdf(lines: Sequence[str]) -> bytes:
    """Return a PDF of one page with the lines."""

    def draw(pdf: Any) -> None:
        page = pdf.new_page()
        for number, line in enumerate(lines):
            page.insert_text((72, 90 + 16 * number), line, fontsize=11)

    return _pdf_bytes(draw)


def scanned_pdf() -> bytes:
    """Return a PDF of one page that is a picture of text."""
    import pymupdf

    shown = pymupdf.open(stream=text_pdf(["A page that was scanned."]), filetype="pdf")[0].get_pixmap(dpi=72)

    def draw(pdf: Any) -> None:
        page = pdf.new_page()
        page.insert_image(page.rect, pixmap=shown)

    return _pdf_bytes(draw)


def encrypted_pdf() -> bytes:
    """Return a PDF that cannot be opened without a password."""
    import pymupdf

    return _pdf_bytes(lambda pdf: pdf.new_page(), encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="owner", user_pw="secret")


def _pdf_bytes(draw: Callable[[Any], object], **options: object) -> bytes:
    import pymupdf

    pdf = pymupdf.open()
    draw(pdf)
    data: bytes = pdf.tobytes(no_new_id=True, **options)
    pdf.close()
    return data


def main() -> int:
    """Make a library as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--journal", choices=("wal", "rollback"), default="wal")
    parser.add_argument("--schema", type=int, choices=(OLD_SCHEMA, NEW_SCHEMA), default=NEW_SCHEMA)
    parser.add_argument("--corpus", type=Path)
    arguments = parser.parse_args()
    if (arguments.folder / "Zotero").exists() or (arguments.folder / "linked").exists():
        parser.error(f"{arguments.folder} holds a library already; remove it or name another folder")
    papers = corpus_papers(arguments.corpus) if arguments.corpus is not None else ()
    made = make_library(arguments.folder, journal=arguments.journal, schema=arguments.schema, papers=papers)
    print(f"{made.data_dir}: {made.n_roots} items, {made.n_trashed} in the trash, {made.n_feed} of a feed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
