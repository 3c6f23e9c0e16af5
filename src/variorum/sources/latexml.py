"""HTML made here of a paper's LaTeX by LaTeXML, the program that made ar5iv; the one door to it.

The program works on a copy of the source's texts in a folder of its own: no shell, no network, a limit to the memory, the time
and the size of the files it writes. A binding of ours (`latexml_bindings`) keeps it to that folder: the program by itself reads
any file, and any address, that the TeX names. Programs that a source brings (LaTeXML's own bindings are Perl) are not copied.
The same source gives the same bytes: no date of the day, no order that changes, no TeX installation that is looked into.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from variorum.document import Document, Notice
from variorum.errors import DamagedInputError, DependencyError
from variorum.sources.latex_files import SourceFiles, open_source
from variorum.sources.latex_macros import Expander
from variorum.thresholds import LATEXML_MEMORY_BYTES, LATEXML_SECONDS, MAX_SOURCE_BYTES

PROGRAM: Final = "latexmlc"
_BINDINGS: Final = Path(__file__).parent / "latexml_bindings"
_STAMP: Final = re.compile(rb"<!--\s*Generated[^<>]*?-->")
_VERSION: Final = re.compile(rb"by LaTeXML \(version ([\d.]+)")
_STATUS: Final = re.compile(r"^Status:conversion:(\d)", re.MULTILINE)
_PROBLEM: Final = re.compile(r"^(?:Fatal|Error|Warning):\S+ .*$", re.MULTILINE)
_PLAIN_NAME: Final = re.compile(r"[\w+=][\w+=.-]*\.\w+", re.ASCII)
_FATAL: Final = "3"
_OPTIONS: Final = (
    "--format=html5",
    "--pmml",
    "--nodefaultresources",
    "--nographicimages",
    "--nopictureimages",
    "--timestamp=0",
    "--preload=variorum_room.sty",
)
_KEPT_VARIABLES: Final = ("PATH", "PERL5LIB", "PERL_LOCAL_LIB_ROOT", "SYSTEMROOT", "TMPDIR")
_LAUNCH: Final = """
import os, sys
try:
    import resource as r
    for what, most in zip((r.RLIMIT_AS, r.RLIMIT_CPU, r.RLIMIT_FSIZE), map(int, sys.argv[1:4])):
        hard = r.getrlimit(what)[1]
        r.setrlimit(what, (most if hard == r.RLIM_INFINITY else min(most, hard), hard))
    r.setrlimit(r.RLIMIT_CORE, (0, 0))
except ImportError:
    pass
os.execvp(sys.argv[4], sys.argv[4:])
"""
"""Sets the limits and becomes the program: an interpreter of its own, since code between fork and exec can hang threads."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """What LaTeXML made: the HTML, the lines of its log that name problems, its status (``0`` well, ``1`` warnings, ``2``
    errors), and its version."""

    html: bytes
    problems: tuple[str, ...]
    status: str
    version: str

    @property
    def log(self) -> bytes:
        """Return the log, without what differs from one run to the next; the reader of the HTML asks it for the status."""
        return "".join(f"{line}\n" for line in (*self.problems, f"Status:conversion:{self.status}")).encode()


def convert(path: str | Path) -> Conversion:
    """Return the HTML that LaTeXML makes of a LaTeX source: a folder, a ``.tex`` file, an archive.

    Raises DependencyError when the program is not installed, DamagedInputError when the source is none, the conversion failed,
    asked for a file outside the source, or came to a limit, and what `open_source` raises.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        hint = "install LaTeXML (Debian and Ubuntu: apt install latexml), or give the HTML that ar5iv has of the paper"
        raise DependencyError(f"LaTeXML is not installed: there is no program {PROGRAM}", hint=hint)
    files = open_source(path)
    if Path(path).is_file() and files.folder is not None:
        _read_what_it_asks_for(files)
    with tempfile.TemporaryDirectory(prefix="variorum-latexml-") as name:
        room = Path(name, "source")
        main = _copied(files, room, unread=Path(path).is_dir())
        made = Path(name, "made")
        made.mkdir()
        code = _run(program, main, room, made)
        return _conversion(made, code, files.where, str(room))


def read_with_latexml(path: str | Path) -> tuple[Document, Conversion]:
    """Return the document of the HTML that LaTeXML makes of a LaTeX source, and the conversion.

    Raises what `convert` raises, and DamagedInputError when the HTML holds no paper.
    """
    from variorum.sources.ar5iv import read_ar5iv

    made = convert(path)
    with tempfile.TemporaryDirectory(prefix="variorum-latexml-") as name:
        file = Path(name, "ar5iv.html")
        file.write_bytes(made.html)
        file.with_suffix(".log").write_bytes(made.log)
        try:
            document = read_ar5iv(file)
        except DamagedInputError as error:
            raise DamagedInputError(f"LaTeXML's HTML of it {error.what}", where=str(path), hint=error.hint) from error
    notice = Notice(severity="info", what=f"the HTML was made by LaTeXML {made.version}")
    return replace(document, source_name=Path(path).name, notices=(*document.notices, notice)), made


def _read_what_it_asks_for(files: SourceFiles) -> None:
    """Return once the files that a single one asks for are read: what else is beside it is none of the source."""
    expander = Expander(files)
    expander.expand()
    lists = [(asked, (".bib",)) for asked in expander.bibliographies] + [(Path(files.main).stem, (".bbl",))]
    for asked, endings in lists:
        name = files.find(asked, endings)
        if name is not None:
            files.text(name)


def _copied(files: SourceFiles, room: Path, *, unread: bool) -> Path:
    """Return the path of the main file in the folder that now holds the texts of the source."""
    for name, data in files.texts(unread=unread):
        target = room / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        except (OSError, ValueError) as error:
            what = f"its file {name!r} cannot be copied ({getattr(error, 'strerror', None) or error})"
            raise DamagedInputError(what, where=files.where, hint="a shorter or plainer name") from error
    main = room / files.main
    if _PLAIN_NAME.fullmatch(main.name):
        return main
    plain = main.with_name("paper.tex")  # LaTeXML takes no other names; the list of references has that of the main file
    for ending in (".tex", ".bbl"):
        if (given := main.with_suffix(ending) if ending == ".bbl" else main).is_file():
            shutil.copyfile(given, plain.with_suffix(ending))
    return plain


def _run(program: str, main: Path, room: Path, made: Path) -> int:
    """Return the exit code of the program, None of whose processes is left."""
    limits = (LATEXML_MEMORY_BYTES, LATEXML_SECONDS, MAX_SOURCE_BYTES)
    command = [
        *(sys.executable, "-I", "-S", "-c", _LAUNCH, *map(str, limits), program, *_OPTIONS),
        f"--timeout={LATEXML_SECONDS}",
        *(["--preload=[nobibtex]latexml.sty"] if main.with_suffix(".bbl").is_file() else []),  # what was printed is in it
        f"--path={_BINDINGS}",
        f"--destination={made / 'paper.html'}",
        f"--log={made / 'paper.log'}",
        main.name,
    ]
    environment = {name: value for name in _KEPT_VARIABLES if (value := os.environ.get(name)) is not None}
    environment |= {
        "HOME": str(made),
        "LANG": "C.UTF-8",
        "PERL_HASH_SEED": "0",
        "PERL_PERTURB_KEYS": "0",
        "LATEXML_KPSEWHICH": str(made / "no-kpsewhich"),
        "VARIORUM_ROOM": str(room),
        "http_proxy": "http://127.0.0.1:0",
        "https_proxy": "http://127.0.0.1:0",
    }
    silent = subprocess.DEVNULL
    process = subprocess.Popen(
        command, cwd=main.parent, env=environment, stdin=silent, stdout=silent, stderr=silent, start_new_session=True
    )
    try:
        return process.wait(timeout=2 * LATEXML_SECONDS)
    except subprocess.TimeoutExpired:
        return -signal.SIGALRM
    finally:
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _conversion(made: Path, code: int, where: str, room: str) -> Conversion:
    """Return what stands in the folder of results; raises DamagedInputError when that is nothing of worth."""
    hint = "variorum read --kind latex, which reads the source without LaTeXML"
    log = _text(made / "paper.log").replace(f"{room}/", "")
    statuses = _STATUS.findall(log)
    problems = tuple(_PROBLEM.findall(log))
    fatal = next((p for p in problems if p.startswith("Fatal:")), None)
    if fatal is not None or (statuses and statuses[-1] == _FATAL):
        reason = fatal.partition(" ")[2] if fatal else "it does not say why"
        raise DamagedInputError(f"LaTeXML gave it up: {reason.rstrip('.')}", where=where, hint=hint)
    if not statuses or not (made / "paper.html").is_file():
        limits = {-signal.SIGXCPU: "of time", -signal.SIGALRM: "of time", -signal.SIGXFSZ: "on the size of files"}
        ended = f"came to the limit {limits[code]}" if code in limits else f"ended without a result (exit code {code})"
        raise DamagedInputError(f"LaTeXML {ended}", where=where, hint=hint)
    html = (made / "paper.html").read_bytes()
    version = _VERSION.search(html)
    return Conversion(
        html=_STAMP.sub(b"", html),
        problems=problems,
        status=statuses[-1],
        version=version[1].decode() if version else "of an unknown version",
    )


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", errors="replace")
    except OSError:
        return ""
