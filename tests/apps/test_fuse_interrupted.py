"""Claims about a fusion that is cut short: the log tells of no run whose files are not all there."""

from __future__ import annotations

from pathlib import Path

import pytest

from variorum.apps import output_folder
from variorum.apps.cli.fuse import FuseCall, run_fuse
from variorum.errors import OutputError
from variorum.fusion.audit import runs_of, verify

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "technical-report"


def call(folder: Path, **changed: object) -> FuseCall:
    values: dict[str, object] = {
        "paths": {"ar5iv": EXAMPLE / "report.html", "latex": EXAMPLE / "report.tex"},
        "output": folder,
        "tenant": "default",
        "tenants": None,
        "formats": ("json", "md"),
        "dpi": 150,
        "config": "default",
        "jobs": 1,
        "password": None,
        "audit_log": None,
        "stamp": None,
        "force": False,
        "as_json": False,
        "quiet": True,
    }
    return FuseCall(**{**values, **changed})  # type: ignore[arg-type]


def stop_at(name: str, fault: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let writing the file of this name in a folder of results fail."""
    whole = output_folder.atomic_write

    def write(path: Path, data: bytes) -> None:
        if path.name == name:
            raise fault
        whole(path, data)

    monkeypatch.setattr(output_folder, "atomic_write", write)


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OutputError("cannot be written", where="fusion.json")])
def test_a_run_that_did_not_write_all_files_is_not_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    assert run_fuse(call(tmp_path)) == 0
    before = (tmp_path / "audit.jsonl").read_bytes()
    with monkeypatch.context() as cut:
        stop_at("fusion.json", fault, cut)
        with pytest.raises(type(fault)):
            run_fuse(call(tmp_path, stamp="second"))
    assert (tmp_path / "audit.jsonl").read_bytes() == before
    assert verify(tmp_path / "audit.jsonl").is_sound
    assert run_fuse(call(tmp_path, stamp="third")) == 0
    assert [run.opening.get("stamp") for run in runs_of(tmp_path / "audit.jsonl")] == [None, "third"]


def test_the_first_run_may_be_cut_short_and_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as cut:
        stop_at("document.json", KeyboardInterrupt(), cut)
        with pytest.raises(KeyboardInterrupt):
            run_fuse(call(tmp_path))
    assert runs_of(tmp_path / "audit.jsonl") == ()
    assert run_fuse(call(tmp_path)) == 0
    assert len(runs_of(tmp_path / "audit.jsonl")) == 1


def test_a_log_that_refuses_the_run_keeps_its_files_from_being_written(tmp_path: Path) -> None:
    run_fuse(call(tmp_path / "one"))
    log = tmp_path / "one" / "audit.jsonl"
    with pytest.raises(Exception, match="is the log of the tenant 'default'"):
        run_fuse(call(tmp_path / "two", audit_log=log, tenant="default-dynamic"))
    assert not (tmp_path / "two" / "document.json").exists()
