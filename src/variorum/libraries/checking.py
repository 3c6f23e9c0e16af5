"""Whether the PDFs of a library can be read: each is opened, in processes of their own, so that a bad one costs itself only.

What is counted adds up: every PDF is readable, without text (a scan: it needs OCR), encrypted, damaged, or has no file. Items
without any PDF, and things that are there twice, are listed; they are no faults.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from variorum import execution
from variorum.document.keys import file_sha256
from variorum.errors import EncryptedInputError, VariorumError
from variorum.libraries.model import Attachment, ItemRef, LibraryItem

FileState = Literal["readable", "without-text", "encrypted", "damaged", "no-file"]
STATES: Final[tuple[FileState, ...]] = get_args(FileState)
FAULTS: Final[tuple[FileState, ...]] = ("encrypted", "damaged", "no-file")

_OWN_KINDS: Final = ("attachment", "note")
"""Types of items that are nothing but a file or a note: they have no PDF to miss."""

_PATIENCE_S: Final = 60.0
"""For one PDF; one that takes longer to open counts as damaged. Real papers take less than a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCheck:
    """What came of one PDF: its item and attachment, its state, pages and content, and the reason where it cannot be read.

    `title` is, of a file in a folder, the path in it. `sha256` is that of the file's bytes, empty without a file;
    `n_pages` is 0 where they could not be counted.
    """

    item: ItemRef
    attachment_key: str
    title: str
    state: FileState
    reason: str = ""
    n_pages: int = 0
    sha256: str = ""
    is_renamed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicates:
    """Items of one library with the same DOI, or PDFs of one library with the same content; keys in order.

    `value` is the DOI or the SHA-256; of contents, `keys` are those of the attachments.
    """

    kind: Literal["doi", "content"]
    value: str
    in_library: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What a check found: a result a PDF, the items without a PDF, what is there twice, and how many other attachments."""

    files: tuple[FileCheck, ...]
    without_pdf: tuple[ItemRef, ...]
    duplicates: tuple[Duplicates, ...]
    n_items: int
    n_other_attachments: int

    def count(self, state: FileState) -> int:
        """Return how many PDFs are in that state; over all of `STATES` they are all files."""
        return sum(file.state == state for file in self.files)

    @property
    def has_faults(self) -> bool:
        """Whether a PDF cannot be read."""
        return any(file.state in FAULTS for file in self.files)


@dataclass(frozen=True, slots=True)
class _Opened:
    """What a worker says of a file."""

    state: FileState
    reason: str
    n_pages: int
    sha256: str


def check(
    items: Sequence[LibraryItem], *, jobs: int = 1, done: Callable[[int, int], None] | None = None, isolated: bool = True
) -> CheckReport:
    """Return what became of every PDF of the items that is not in the trash.

    `jobs` processes open files; `done` is told how many of how many are finished. Without `isolated` a single job is this
    process, and a file that crashes the library that reads it ends it. Raises UsageError when no process can be begun.
    """
    wanted = [(item, attachment) for item in items for attachment in item.pdfs]
    paths = [attachment.path for _, attachment in wanted if attachment.path is not None]
    total = len(paths)
    told = (lambda count: done(count, total)) if done is not None else None
    opened = execution.run(_open, paths, jobs=jobs, done=told, isolated=isolated, patience_s=_PATIENCE_S)
    answers = iter(opened)
    files = tuple(_result(item, a, next(answers) if a.path is not None else None) for item, a in wanted)
    return CheckReport(
        files=files,
        without_pdf=tuple(item.ref for item in items if not item.pdfs and item.item_type not in _OWN_KINDS),
        duplicates=(*_same_doi(items), *_same_content(files)),
        n_items=len(items),
        n_other_attachments=sum(not a.in_trash and not a.is_pdf for item in items for a in item.attachments),
    )


def _open(path: Path) -> _Opened:
    """Return what a PDF is worth; runs in a worker."""
    from variorum.page.first_text import first_page_with_text
    from variorum.page.reader import PdfFile

    try:
        with PdfFile(path) as pdf:
            state: FileState = "readable" if first_page_with_text(pdf) is not None else "without-text"
            reason = "" if state == "readable" else "no page has text: a scan, to be read with OCR"
            return _Opened(state, reason, pdf.page_count, pdf.sha256)
    except VariorumError as error:
        state = "encrypted" if isinstance(error, EncryptedInputError) else "damaged"
        return _Opened(state, error.what, 0, _sha256(path))


def _sha256(path: Path) -> str:
    try:
        return file_sha256(path)
    except OSError:  # gone meanwhile, which is said of it already
        return ""


def _result(item: LibraryItem, attachment: Attachment, opened: _Opened | execution.WorkerLost | None) -> FileCheck:
    if opened is None:
        reason = attachment.problem.reason if attachment.problem is not None else "no file"
        opened = _Opened("no-file", reason, 0, "")
    elif isinstance(opened, execution.WorkerLost):
        opened = _Opened("damaged", f"{opened} ({opened.how})", 0, _sha256(attachment.path) if attachment.path else "")
    return FileCheck(
        item=item.ref,
        attachment_key=attachment.key,
        title=item.name or attachment.title,
        state=opened.state,
        reason=opened.reason,
        n_pages=opened.n_pages,
        sha256=opened.sha256,
        is_renamed=attachment.is_renamed,
    )


def _same_doi(items: Sequence[LibraryItem]) -> tuple[Duplicates, ...]:
    with_doi = [((item.in_library.id, item.doi.lower()), item.key) for item in items if item.doi]
    return tuple(Duplicates(kind="doi", in_library=lib, value=doi, keys=keys) for (lib, doi), keys in _repeated(with_doi))


def _same_content(files: Sequence[FileCheck]) -> tuple[Duplicates, ...]:
    contents = [((file.item.in_library, file.sha256), file.attachment_key) for file in files if file.sha256]
    return tuple(Duplicates(kind="content", in_library=lib, value=sha, keys=keys) for (lib, sha), keys in _repeated(contents))


def _repeated(pairs: Sequence[tuple[tuple[str, str], str]]) -> list[tuple[tuple[str, str], tuple[str, ...]]]:
    """Return what more than one key has, with its keys in order; sorted by the first of them."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for what, key in pairs:
        groups[what].append(key)
    several = [(what, tuple(sorted(keys))) for what, keys in groups.items() if len(keys) > 1]
    return sorted(several, key=lambda group: (group[0][0], group[1]))
