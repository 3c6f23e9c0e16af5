"""Claims about altered logs: whatever is changed, taken out, put in or moved is found, with the line where it shows."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fusion.audit_samples import fusion, sources, tenant
from variorum.errors import AuditError
from variorum.fusion.audit import append_run, head_path, read_head, records, verify
from variorum.fusion.audit.chain import line_of, own_hash, sealed

Lines = list[bytes]
SEEDS = range(100)


def untouched(folder: Path, *, winner: str = "latex", runs: int = 3) -> Path:
    """Return a log of three runs."""
    folder.mkdir(exist_ok=True)
    log = folder / "audit.jsonl"
    for _ in range(runs):
        append_run(log, fusion(winner=winner), tenant(), sources())
    return log


def flip_a_bit(lines: Lines, dice: random.Random) -> Lines:
    data = bytearray(b"".join(lines))
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return [bytes(data)]


def take_out(lines: Lines, dice: random.Random) -> Lines:
    at = dice.randrange(len(lines))
    return lines[:at] + lines[at + dice.randint(1, 3) :]


def double(lines: Lines, dice: random.Random) -> Lines:
    at = dice.randrange(len(lines))
    return [*lines[: at + 1], lines[at], *lines[at + 1 :]]


def swap(lines: Lines, dice: random.Random) -> Lines:
    one, other = dice.sample(range(len(lines)), 2)
    moved = list(lines)
    moved[one], moved[other] = moved[other], moved[one]
    return moved


def edit_with_its_hash(lines: Lines, dice: random.Random) -> Lines:
    """Change a value of one record and give it the hash of what it says now."""
    at = dice.randrange(len(lines))
    record = json.loads(lines[at])
    if record["kind"] == "decision":
        record["reason"] += " indeed"
    elif record["kind"] == "run":
        record["software"] = "variorum 9.9.9"
    else:
        record["document_sha256"] = "0" * 64
    record["hash"] = own_hash(record)
    return [*lines[:at], line_of(record), *lines[at + 1 :]]


def cut_the_end(lines: Lines, dice: random.Random) -> Lines:
    data = b"".join(lines)
    return [data[: dice.randrange(len(data))]]


def cut_whole_runs(lines: Lines, dice: random.Random) -> Lines:
    return lines[: dice.choice([6, 12])]


def white_space(lines: Lines, dice: random.Random) -> Lines:
    at = dice.randrange(len(lines))
    return [*lines[:at], lines[at].replace(b",", b", ", 1), *lines[at + 1 :]]


TAMPERINGS: tuple[Callable[[Lines, random.Random], Lines], ...] = (
    flip_a_bit,
    take_out,
    double,
    swap,
    edit_with_its_hash,
    cut_the_end,
    cut_whole_runs,
    white_space,
)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_tampering_is_found(tmp_path: Path, seed: int) -> None:
    log = untouched(tmp_path)
    lines = log.read_bytes().splitlines(keepends=True)
    dice = random.Random(seed)
    if seed % (len(TAMPERINGS) + 1) == len(TAMPERINGS):
        other = untouched(tmp_path / "other", winner="pdf").read_bytes().splitlines(keepends=True)
        at = dice.randrange(1, len(lines))
        altered = lines[:at] + other[at:]
    else:
        altered = TAMPERINGS[seed % (len(TAMPERINGS) + 1)](lines, dice)
    assert b"".join(altered) != log.read_bytes()
    log.write_bytes(b"".join(altered))
    assert not verify(log).is_sound


def test_an_untouched_log_is_sound(tmp_path: Path) -> None:
    report = verify(untouched(tmp_path))
    assert report.is_sound
    assert report.anchor == "audit.jsonl.head vouches for 18 records"


def test_the_first_altered_line_is_named_with_its_seq(tmp_path: Path) -> None:
    log = untouched(tmp_path)
    lines = log.read_bytes().splitlines(keepends=True)
    lines[7] = lines[7].replace(b'"winner":"latex"', b'"winner":"ar5iv"')
    log.write_bytes(b"".join(lines))
    first = verify(log).faults[0]
    assert (first.line, first.seq) == (8, 8)
    assert "does not have the hash of what it says" in first.what


def written_anew(log: Path, until: int) -> None:
    """Write the log anew from some record on, whole in itself, as somebody may who knows the format."""
    lines, prev = [], ""
    for record in records(log):
        body = {key: value for key, value in record.items() if key not in ("seq", "prev", "hash")}
        if record["seq"] == until:
            body["software" if record["kind"] == "run" else "reason"] = "something else"
        new = sealed(body, record["seq"], prev)
        lines.append(line_of(new))
        prev = new["hash"]
    log.write_bytes(b"".join(lines))


def test_a_log_written_anew_is_found_by_its_head(tmp_path: Path) -> None:
    log = untouched(tmp_path)
    written_anew(log, 2)
    assert "the log was written anew" in str(verify(log).faults[0])


def test_a_log_written_anew_with_its_head_is_found_by_a_hash_kept_elsewhere(tmp_path: Path) -> None:
    log = untouched(tmp_path)
    kept = read_head(log)
    assert kept is not None
    written_anew(log, 2)
    head_path(log).unlink()
    report = verify(log)
    assert report.is_sound  # the chain alone cannot tell
    assert report.anchor.startswith("nothing vouches for the end")
    assert not verify(log, expect_head=kept.hash).is_sound


def test_a_hash_kept_from_an_earlier_time_vouches_for_what_was_there_then(tmp_path: Path) -> None:
    log = untouched(tmp_path, runs=1)
    then = read_head(log)
    assert then is not None
    untouched(tmp_path, runs=2)
    report = verify(log, expect_head=then.hash)
    assert report.is_sound
    assert "record 6 has the expected hash; nothing vouches for the 12 after it" in report.anchor


def test_a_run_of_another_tenant_put_into_a_log_is_found(tmp_path: Path) -> None:
    log = untouched(tmp_path, runs=1)
    other = tmp_path / "other.jsonl"
    append_run(other, fusion("pharma"), tenant("pharma"), sources())
    prev, seq, lines = verify(log).head, 6, []
    for record in records(other):
        body = {key: value for key, value in record.items() if key not in ("seq", "prev", "hash")} | {"run": 2}
        seq += 1
        new = sealed(body, seq, prev)
        lines.append(line_of(new))
        prev = new["hash"]
    log.write_bytes(log.read_bytes() + b"".join(lines))
    assert any("is a run of the tenant 'pharma' in a log of 'default'" in fault.what for fault in verify(log).faults)


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"not JSON\n", b"[1]\n", b"{}\n", b"\x00" * 100, b'{"a": 1e999}\n', b"[" * 100_000 + b"\n"]
)
def test_what_is_no_log_is_said_to_be_none(tmp_path: Path, data: bytes) -> None:
    log = tmp_path / "audit.jsonl"
    log.write_bytes(data)
    assert not verify(log).is_sound


def test_a_log_cut_within_its_last_line_is_said_in_sentences_that_agree(tmp_path: Path) -> None:
    log = untouched(tmp_path, runs=1)
    log.write_bytes(log.read_bytes()[:-9])
    said = [str(fault) for fault in verify(log).faults]
    assert any(one.endswith("has no end: it was cut, or its writing interrupted") for one in said)
    assert any(one.endswith("and the last of them is not here: the end was cut off") for one in said)
    with pytest.raises(AuditError, match=r"its last line has no end"):
        append_run(log, fusion(), tenant(), sources())
