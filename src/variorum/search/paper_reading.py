"""Reading one PDF for the index, in a worker process of its own, within limits of time and memory."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from variorum.errors import VariorumError
from variorum.extraction import extract
from variorum.page.ocr import OcrOptions
from variorum.search.contents import Prepared, prepare
from variorum.search.embeddings import ModelTokenizer
from variorum.search.model_files import ModelFiles
from variorum.search.tokens import EstimatedTokens, Tokenizer
from variorum.tables.config import PipelineConfig

_BYTES_A_MB = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTask:
    """A PDF to read: its path, the SHA-256 it must have, how it is read, what its chunks are measured with, its limits.

    `model` is the folder whose tokenizer counts, None for the estimate. With `isolated` pages are read in processes of their
    own, where a method that crashes or hangs costs its vote alone.
    """

    path: Path
    sha256: str
    config: PipelineConfig
    ocr: OcrOptions | None
    model: Path | None
    memory_mb: int
    isolated: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """A PDF that is not in the index, and why: ``failed`` where something went wrong, ``skipped`` where it has no text."""

    state: Literal["skipped", "failed"]
    reason: str


def read_paper(task: ReadTask) -> Prepared | Unread:
    """Return what is written of a PDF, or why there is nothing; whatever is wrong with it, nothing is raised."""
    limit_memory(task.memory_mb)
    try:
        document = extract(task.path, config=task.config, isolated=task.isolated, ocr=task.ocr)
        if document.sha256 != task.sha256:
            return Unread("failed", "the file changed while it was read")
        prepared = prepare(document, tokenizer_of(task.model))
    except VariorumError as error:
        return Unread("failed", error.what)
    except MemoryError:
        return Unread("failed", f"needs more than {task.memory_mb} MB of memory")
    except Exception as error:  # a fault of ours costs this paper only
        return Unread("failed", f"a bug of variorum ({type(error).__name__}: {error})")
    if not prepared.chunks:
        hint = "" if task.ocr is not None else "; with --ocr its pages are read as pictures"
        pages = "its page" if document.page_count == 1 else f"its {document.page_count} pages"
        return Unread("skipped", f"no text in {pages}{hint}")
    return prepared


@cache
def tokenizer_of(model: Path | None) -> Tokenizer:
    """Return the tokenizer of the model in a folder, or the estimate; one a process."""
    return EstimatedTokens() if model is None else ModelTokenizer(ModelFiles(model))


def limit_memory(memory_mb: int) -> None:
    """Let this process, and those it begins, have so much memory of their own; systems that know no such limit have none."""
    if sys.platform == "win32":
        return
    import resource

    limit = memory_mb * _BYTES_A_MB
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
