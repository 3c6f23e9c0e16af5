"""Write the pages of docs/reference that say what the code says: methods, thresholds, exit codes, signals of fusion.

    python tools/build_docs.py [--check]

One page a method, made from the docstring of its module (`variorum methods NAME` prints the same); one page of all registered
numbers; one of all exit codes; one of the signals that lower a confidence. With `--check` nothing is written, and the exit code
is 1 when a page is missing, out of date or left over.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Mapping
from pathlib import Path

from variorum import errors, thresholds
from variorum.apps.cli import console
from variorum.fusion.signals import SIGNALS
from variorum.tables import registry

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
NOTE = "<!-- Made by tools/build_docs.py from the code: change it there. -->\n"
FAMILIES = (
    ("Structure methods", "where rows and columns lie", registry.structure_methods),
    ("Cell methods", "which text belongs to which cell", registry.cell_methods),
    ("Post-processors", "repairs of the chosen grid, in the order in which they run", registry.post_processors),
)


def docstring(cls: type) -> str:
    """Return the docstring of the module that holds the class."""
    text = inspect.getdoc(sys.modules[cls.__module__])
    if not text:
        raise SystemExit(f"variorum: {cls.__module__} has no docstring. To try: say its idea, its evidence, when it abstains")
    return text


def method_page(name: str, family: str, cls: type) -> str:
    """Return the page of one method."""
    path = Path(*cls.__module__.split(".")).with_suffix(".py")
    return f"{NOTE}\n# `{name}`\n\n{family[:-1]}; `src/{path.as_posix()}`.\n\n{docstring(cls)}\n"


def methods_index(families: Mapping[str, tuple[str, Mapping[str, type]]]) -> str:
    """Return the page that lists all methods with their one-line ideas."""
    parts = [NOTE, "# Methods", "", "What takes part in reading a table. `variorum methods` prints the same list."]
    for family, (purpose, members) in families.items():
        parts += ["", f"## {family}: {purpose}", "", "| name | idea |", "|---|---|"]
        parts += [f"| [`{name}`]({name}.md) | {docstring(cls).splitlines()[0]} |" for name, cls in members.items()]
    names = [name for _, members in families.values() for name in members]
    parts += ["", "```{toctree}", ":hidden:", "", *names, "```"]
    return "\n".join(parts) + "\n"


def thresholds_page() -> str:
    """Return the page of registered numbers."""
    parts = [
        NOTE,
        "# Registered numbers",
        "",
        "Extraction code computes its thresholds from the page. The numbers below are those that no page can supply; each",
        "has the two alternatives that were weighed. `tools/check_literals.py` holds that there are no others.",
    ]
    for name, entry in thresholds.registry().items():
        against = [f"- not *{what}*: {why}" for what, why in entry.alternatives]
        parts += ["", f"## `{name}`: {entry.value:g} {entry.unit}", "", sentence(entry.reason), "", *against]
    return "\n".join(parts) + "\n"


def sentence(text: str) -> str:
    """Return the text with a capital and a full stop."""
    return text[0].upper() + text[1:].rstrip(".") + "."


def exit_codes_page() -> str:
    """Return the table of exit codes, made from the exception family and from those that no error stands for."""
    base = errors.VariorumError
    family = [c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, base) and c is not base]
    rows = [(0, "–", "Everything asked for was done.")]
    rows += [(cls.exit_code, f"`{cls.__name__}`", summary(cls)) for cls in sorted(family, key=lambda c: c.__name__)]
    rows += [
        (1, "–", "Something that variorum does not expect: a bug. `--debug` shows the traceback."),
        (console.INTERRUPTED_EXIT_CODE, "–", "Interrupted from the keyboard; every file written so far is whole."),
        (console.CLOSED_PIPE_EXIT_CODE, "–", "The reader of stdout went away, as when it is piped into `head`."),
    ]
    lines = [f"| {code} | {name} | {when} |" for code, name, when in sorted(rows, key=lambda row: row[0])]
    head = [
        "# Exit codes",
        "",
        "What the command `variorum` ends with. An error is one line: where, what, and what to try.",
        "",
    ]
    tail = [
        "",
        "`variorum stress` that came to its end has the code of its verdict: 0 reliable, 1 rough edges, 2 unreliable. A 1 or",
        "2 of it is a verdict where the last line on stdout begins with `VERDICT:` (with `--json`, where stdout holds an",
        "object with the key `verdict`); else nothing is on stdout, and the line on stderr says what went wrong. `variorum",
        "stress diff` ends with 1, and with its findings on stdout, where something got worse that no note names.",
    ]
    return "\n".join([NOTE, *head, "| code | error | when |", "|---|---|---|", *lines, *tail]) + "\n"


def signals_page() -> str:
    """Return the page of the signals that lower the confidence in a reading, with what each finds and its types."""
    lines = [
        NOTE,
        "# Signals of a fusion",
        "",
        "What lowers the confidence in a reading where a tenant has signals on (`default-dynamic`). A signal has a factor from",
        "0 to 1: one less the share that is damaged. The score is the configured weight times all factors; none raises it.",
        "",
        "The share is counted among what is *contested*: the words, or the cells of a table, that at least one other reading",
        "of the same place lacks. What all readings share says nothing about which of them is better. A sole reading is",
        "measured against all that it has. [How sources are fused](../explanation/how-sources-are-fused.md) tells more.",
        "",
        "| signal | finds | for |",
        "|---|---|---|",
    ]
    for kind in SIGNALS:
        types = ", ".join(name.replace("_", " ") for name in kind.types)
        lines.append(f"| `{kind.name}` | {kind.idea} | {types} |")
    lines += [
        "",
        "A tenant turns single signals on or off in its table `[signals]`",
        "([how](../how-to/configure-tenants.md)).",
    ]
    return "\n".join(lines) + "\n"


def summary(cls: type) -> str:
    """Return the first paragraph of a class' docstring on one line."""
    return " ".join((inspect.getdoc(cls) or "").split("\n\n")[0].split())


def pages() -> dict[Path, str]:
    """Return every generated page by its path."""
    families = {title: (purpose, members()) for title, purpose, members in FAMILIES}
    made = {REFERENCE / "methods" / "index.md": methods_index(families)}
    for title, (_, members) in families.items():
        for name, cls in members.items():
            made[REFERENCE / "methods" / f"{name}.md"] = method_page(name, title, cls)
    made[REFERENCE / "thresholds.md"] = thresholds_page()
    made[REFERENCE / "exit-codes.md"] = exit_codes_page()
    made[REFERENCE / "fusion-signals.md"] = signals_page()
    return made


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description="Write the pages of docs/reference that are made from the code.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a page is not what it should be")
    only_check = parser.parse_args(arguments).check
    wanted = pages()
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    left_over = sorted(set((REFERENCE / "methods").glob("*.md")) - set(wanted))
    for path in [*stale, *left_over]:
        state = "left over" if path in left_over else ("out of date" if only_check else "written")
        print(f"{path.relative_to(ROOT)}: {state}")
        if only_check:
            continue
        if path in left_over:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
    print(f"generated pages: {len(wanted)}, {len(stale) + len(left_over)} not as the code says")
    return 1 if only_check and (stale or left_over) else 0


if __name__ == "__main__":
    sys.exit(main())
