"""What every test may ask for: the corpus of real papers, a headless browser, and the rule that CI skips nothing.

`VARIORUM_CORPUS` names the folder of the corpus (default: ``../shared/corpus`` beside the checkout). A test that needs it takes
the `corpus` fixture or carries the mark of that name. With `VARIORUM_NO_SKIPS=1` a skipped test, or a test file skipped as a
whole, is a failure: CI sets it, so that a missing corpus or browser can't pass for a green run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("variorum", parent=settings(), deadline=None)  # how long an example takes is no claim
settings.load_profile("variorum")

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def corpus_path() -> Path:
    """Return where the corpus should be."""
    return Path(os.environ.get("VARIORUM_CORPUS") or ROOT.parent / "shared" / "corpus").resolve()


def corpus_missing() -> str | None:
    """Return why there is no corpus, or None when it is there."""
    path = corpus_path()
    if path.is_dir():
        return None
    return f"no corpus of real papers at {path}; VARIORUM_CORPUS=FOLDER names another place"


@pytest.fixture(scope="session")
def project_root() -> Path:
    """Return the folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the folder of the corpus, to be read in place; skip when it is not there."""
    if reason := corpus_missing():
        pytest.skip(reason)
    return corpus_path()


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of a Chromium or Chrome on PATH; skip when there is none."""
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    pytest.skip(f"no headless browser on PATH (looked for {', '.join(BROWSERS)})")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked `corpus` when there is none."""
    if item.get_closest_marker("corpus") and (reason := corpus_missing()):
        pytest.skip(reason)


def skips_are_failures() -> bool:
    """Return whether this run may skip nothing."""
    return os.environ.get("VARIORUM_NO_SKIPS", "") not in ("", "0")


def skip_reason(longrepr: object) -> str:
    """Return the reason that pytest keeps for a skip."""
    return str(longrepr[2]) if isinstance(longrepr, tuple) else str(longrepr)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure when this run may skip nothing; an expected failure stays one."""
    report = yield
    if skips_are_failures() and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped although VARIORUM_NO_SKIPS is set: {skip_reason(report.longrepr)}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Do the same for a test file that is skipped as a whole."""
    report = yield
    if skips_are_failures() and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped although VARIORUM_NO_SKIPS is set: {skip_reason(report.longrepr)}"
    return report
