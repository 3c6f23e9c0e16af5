"""The audit log of fusions: an append-only chain of records that shows what was decided, from what, and by which rules.

`append_run` adds a fusion, `verify` finds what was altered, `first_difference` compares a run with the same run made again, and
`repair` mends what an interruption left. ``docs/reference/audit-log.md`` describes the file.
"""

from __future__ import annotations

from variorum.fusion.audit.appending import append_run, appended_behind
from variorum.fusion.audit.files import Head, head_path, read_head
from variorum.fusion.audit.repairing import Repair, repair
from variorum.fusion.audit.replaying import first_difference
from variorum.fusion.audit.runs import Run, decisions_of, find_run, records, runs_of
from variorum.fusion.audit.verifying import AuditReport, Fault, require_sound, verify

__all__ = [
    "AuditReport",
    "Fault",
    "Head",
    "Repair",
    "Run",
    "append_run",
    "appended_behind",
    "decisions_of",
    "find_run",
    "first_difference",
    "head_path",
    "read_head",
    "records",
    "repair",
    "require_sound",
    "runs_of",
    "verify",
]
