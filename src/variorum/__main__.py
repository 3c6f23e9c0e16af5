"""``python -m variorum`` is the command ``variorum``; an interruption is silent from the first moment on."""

from __future__ import annotations

import signal
import sys


def run() -> None:
    """Return never: ends the process with the exit code of the command line, also where it is interrupted while it loads."""
    try:
        from variorum.apps.cli.main import main

        code = main()
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    sys.exit(code)


if __name__ == "__main__":
    run()
