"""``python -m variorum`` is the command ``variorum``."""

from variorum.apps.cli.main import run

if __name__ == "__main__":
    run()
