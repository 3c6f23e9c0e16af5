"""The files beside this one that stand in a report, and the content policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files


def asset(name: str) -> str:
    """Return the text of a file of this room."""
    return files("variorum.report").joinpath(name).read_text(encoding="utf-8")


def content_policy(style: str, script: str = "") -> str:
    """Return the policy under which a browser uses this style and script alone, by their hash, and pictures that stand in the
    file; nothing is fetched and no other script runs."""
    scripts = f"; script-src '{_hash(script)}'" if script else ""
    return f"default-src 'none'; img-src data:; style-src '{_hash(style)}'{scripts}; base-uri 'none'; form-action 'none'"


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode('utf-8')).digest()).decode('ascii')}"
