"""The exception family: what happened, where, and what to try; every member has an exit code.

A message is one line for a person. `str(error)` gives it whole: ``where: what. To try: hint``. Exit codes are documented in
``docs/reference/exit-codes.md``; a test holds that the two agree.
"""

from __future__ import annotations

from typing import ClassVar


class VariorumError(Exception):
    """Base of all errors that variorum raises on purpose.

    `what` says what happened, `where` names file, page or component, `hint` what to try.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(what, where, hint)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}. To try: {self.hint}" if self.hint else head

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.what, self.where, self.hint))


def _rebuild(cls: type[VariorumError], what: str, where: str, hint: str) -> VariorumError:
    return cls(what, where=where, hint=hint)


class UsageError(VariorumError):
    """The call itself is wrong: a bad option value, a malformed page range, an ambiguous table number."""

    exit_code = 2


class InputNotFoundError(VariorumError):
    """The input file is missing or may not be read."""

    exit_code = 3


class DamagedInputError(VariorumError):
    """The input is empty, not a PDF, or damaged beyond reading."""

    exit_code = 4


class OtherRulesError(VariorumError):
    """An index of papers was made by rules that this release does not have."""

    exit_code = 4


class EncryptedInputError(VariorumError):
    """The PDF is encrypted and no password, or a wrong one, was given."""

    exit_code = 5


class PageRangeError(VariorumError):
    """The pages asked for are outside the document, or the document has none."""

    exit_code = 6


class ConfigError(VariorumError):
    """A configuration holds an unknown key or a value of the wrong kind; `where` is the path to it."""

    exit_code = 7


class OutputError(VariorumError):
    """An output file or folder cannot be written."""

    exit_code = 8


class PartialFailureError(VariorumError):
    """Some inputs failed, or some of their methods gave no answer in time; what could be read was written."""

    exit_code = 9


class SchemaError(ConfigError):
    """A JSON document does not follow the schema; `where` is the path to the fault."""

    exit_code = 4


class AuditError(VariorumError):
    """An audit log was altered or ends in the middle of a run, or what it records cannot be made again from the inputs."""

    exit_code = 10


class TenantMismatchError(AuditError):
    """The audit log is that of another tenant: logs of two tenants never mix."""

    exit_code = 10


class NetworkError(VariorumError):
    """A host cannot be reached, or does not give what was asked for."""

    exit_code = 11


class DependencyError(VariorumError):
    """A program, package or model that was asked for is not installed, or does not work."""

    exit_code = 12


class DifferentPapersError(VariorumError):
    """A source that is to be fused is of another paper than the rest."""

    exit_code = 13
