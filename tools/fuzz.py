"""Feed a reader with damaged inputs for as long as wanted, and keep those on which it fails.

    python tools/fuzz.py html --minutes 20 --found FOLDER [--keep FOLDER] [--seed 1]

Inputs are made from those in tests/fuzz/corpus by the changes of tests/fuzz/mutating.py. With atheris installed
(`pip install -e .[fuzz]`) the reader's code is traced, and inputs that reach new code are built upon and kept in the folder of
--keep; without it the changes are made blindly. What is raised beside the family of variorum.errors, and what takes more than
--slow seconds, is written to the folder of --found, once for each place in the code.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.util
import json
import os
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parent.parent
_MAX_BYTES = 8_000


class Hunt:
    """Reads inputs one after the other and notes what fails; `summary` says how many there were."""

    def __init__(self, language: Any, found: Path, slow_s: float, read: Callable[[Any, bytes, Path], object]) -> None:
        self._language, self._found, self._slow_s, self._read = language, found, slow_s, read
        self._folder = tempfile.TemporaryDirectory()
        self._began = time.monotonic()
        self._refused = self._inputs = 0
        self._slowest = 0.0
        self._places: dict[str, int] = {}

    def try_input(self, data: bytes) -> None:
        """Return when the input has been read; a failure is written down and does not end the hunt."""
        self._inputs += 1
        start = time.process_time()
        try:
            self._refused += self._read(self._language, data, Path(self._folder.name)) is None
        except Exception as error:
            self._note(data, error)
        spent = time.process_time() - start
        self._slowest = max(self._slowest, spent)
        if spent > self._slow_s:
            self._keep(data, "slow", f"{spent:.1f} s")

    def summary(self) -> dict[str, object]:
        """Return how many inputs were read, how many were refused, the slowest, and the failures by place."""
        return {
            "language": self._language,
            "minutes": round((time.monotonic() - self._began) / 60, 1),
            "inputs": self._inputs,
            "refused": self._refused,
            "slowest_s": round(self._slowest, 2),
            "failures": dict(sorted(self._places.items())),
        }

    def _note(self, data: bytes, error: Exception) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        last = ([f for f in frames if "variorum" in f.filename] or frames)[-1]
        place = f"{Path(last.filename).name}-{last.lineno}"
        self._keep(data, f"{type(error).__name__}-{place}", "".join(traceback.format_exception(error)))

    def _keep(self, data: bytes, name: str, told: str) -> None:
        self._places[name] = self._places.get(name, 0) + 1
        file = self._found / f"{self._language}-{name}.input"
        if not file.exists() or file.stat().st_size > len(data):
            file.write_bytes(data)
            file.with_suffix(".txt").write_text(told, encoding="utf-8", errors="replace")


def main() -> int:
    """Return 0 when nothing failed, 1 else."""
    parser = argparse.ArgumentParser(description="Feed a reader with damaged inputs, and keep those on which it fails.")
    parser.add_argument("language", choices=("html", "latex", "docling"))
    parser.add_argument("--minutes", type=float, default=1.0, help="how long (default: 1)")
    parser.add_argument("--found", type=Path, required=True, help="folder for the inputs on which the reader fails")
    parser.add_argument("--keep", type=Path, help="folder for the inputs that reach new code, with atheris")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same inputs (default: 1)")
    parser.add_argument("--slow", type=float, default=5.0, help="seconds of processor time that are noted (default: 5)")
    asked = parser.parse_args()
    sys.path.insert(0, str(_ROOT / "tests" / "fuzz"))
    asked.found.mkdir(parents=True, exist_ok=True)
    if importlib.util.find_spec("atheris") is None:
        return _blindly(asked)
    return _traced(asked)


def _told(hunt: Hunt) -> int:
    summary = hunt.summary()
    print(json.dumps(summary, indent=2), flush=True)
    return 1 if summary["failures"] else 0


def _import(name: str) -> Any:
    """Return a module that is no part of any package, or need not be installed."""
    return importlib.import_module(name)


def _blindly(asked: argparse.Namespace) -> int:
    mutating, reading = _import("mutating"), _import("reading")
    seeds = [p.read_bytes() for p in reading.kept(asked.language)]
    hunt = Hunt(asked.language, asked.found, asked.slow, reading.read_input)
    rng = random.Random(asked.seed)
    end = time.monotonic() + asked.minutes * 60
    while time.monotonic() < end:
        hunt.try_input(mutating.mutated(asked.language, rng.choice(seeds), seeds, rng))
    return _told(hunt)


def _traced(asked: argparse.Namespace) -> int:
    atheris = _import("atheris")
    with atheris.instrument_imports(include=["variorum"]):
        reading = _import("reading")
    mutating = _import("mutating")
    seeds = [p.read_bytes() for p in reading.kept(asked.language)]
    hunt = Hunt(asked.language, asked.found, asked.slow, reading.read_input)
    end = time.monotonic() + asked.minutes * 60

    def one(data: bytes) -> None:
        hunt.try_input(data)
        if time.monotonic() > end:
            os._exit(_told(hunt))  # libFuzzer, which called, ends the process without asking Python

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        return bytes(mutating.mutated(asked.language, data, seeds, random.Random(seed), max_size))

    keep = asked.keep or Path(tempfile.mkdtemp())
    keep.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        (keep / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    options = [f"-seed={asked.seed}", f"-max_len={_MAX_BYTES}", "-timeout=120", "-rss_limit_mb=2048", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={asked.found}/", str(keep)], one, custom_mutator=mutate)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
