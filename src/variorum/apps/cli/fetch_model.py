"""``variorum fetch-model``: the model of the vectors, into this user's data folder, where every search finds it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from variorum.apps.cli.console import complain, emit, emit_json, progress_bar
from variorum.apps.writing import refuse_unwritable
from variorum.errors import UsageError

_PAUSE_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One call of ``variorum fetch-model``, its values as the user typed them."""

    url: str | None
    output: Path | None
    as_json: bool
    quiet: bool


def run_fetch_model(call: ModelCall) -> int:
    """Return 0 once the files of the default model are in the folder, each with the SHA-256 that it must have.

    Raises UsageError for what is no address, NetworkError when a file cannot be had, OutputError when it cannot be written.
    """
    from variorum.net.pinned import fetch_pinned
    from variorum.net.polite import PoliteClient
    from variorum.net.sentence_model import MODEL_FILES, MODEL_URL
    from variorum.search.model_files import DEFAULT_MODEL, own_model_folder

    url = MODEL_URL if call.url is None else call.url
    if not url.startswith(("https://", "http://")):
        raise UsageError(f"{url!r} is no address of the web", where="--from", hint=MODEL_URL)
    folder = call.output or own_model_folder()
    refuse_unwritable(folder)
    with progress_bar(DEFAULT_MODEL, quiet=call.quiet) as update:

        def on_file(name: str) -> None:
            if update is not None:
                update([file.name for file in MODEL_FILES].index(name), len(MODEL_FILES), name)

        outcomes = fetch_pinned(MODEL_FILES, url, folder, PoliteClient(pause=_PAUSE_S, tell=complain), on_file)
    if call.as_json:
        files = [{"name": o.file.name, "size": o.file.size, "sha256": o.file.sha256, "state": o.state} for o in outcomes]
        emit_json({"model": DEFAULT_MODEL, "folder": str(folder), "files": files})
    elif not call.quiet:
        named = "" if call.output is None else f"\nto use it: --model {folder}"
        is_new = any(outcome.state == "fetched" for outcome in outcomes)
        emit(f"{DEFAULT_MODEL} {'is now' if is_new else 'was already'} in {folder}{named}")
    return 0
