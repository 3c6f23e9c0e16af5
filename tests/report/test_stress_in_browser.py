"""The report of a stress test in a real browser: nothing is fetched, all can be reached by keyboard and read at 1280 pixels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from debug_samples import make_paper
from headless import LOW_CONTRAST, Page, browser
from stress_samples import add_failures, make_stress

from variorum.report.stress_report import write_reports


@pytest.fixture(scope="module")
def page(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(chromium, tmp_path_factory.mktemp("browser") / "profile") as opened:
        yield opened


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stress")
    database = make_stress(folder, make_paper(folder / "drugs.pdf"))
    add_failures(database, 40)
    return write_reports(database, folder)[1]


@pytest.fixture
def report(page: Page, file: Path) -> Page:
    page.open(file.as_uri())
    return page


def is_seen(page: Page, selector: str) -> bool:
    return bool(page.run(f"document.querySelector({selector!r}).getClientRects().length > 0"))


def test_nothing_is_fetched_and_nothing_complains(report: Page) -> None:
    report.click(".thumb")
    assert report.complaints == []
    assert [r for r in report.requests if not r.startswith(("file:", "data:"))] == []


def test_a_thumbnail_opens_its_page_and_close_leads_back_by_keyboard(report: Page) -> None:
    report.run("document.querySelector('.thumb').focus()")
    report.press("Enter")
    assert is_seen(report, "#o1")
    assert report.run("document.querySelector('#o1 use').getBoundingClientRect().width") > 500
    report.press("Tab")
    assert report.run("document.activeElement.innerText") == "Close"
    report.press("Enter")
    assert not is_seen(report, "#o1")
    assert report.run("document.querySelector('.differing:target').id") == "t1"


def test_pages_lead_to_each_other(report: Page) -> None:
    report.click(".thumb")
    report.click("#o1 nav a:last-child")
    assert is_seen(report, "#o2")
    assert not is_seen(report, "#o1")
    report.click("#o2 nav a:last-child")
    assert is_seen(report, "#o1")


def test_the_name_of_a_table_in_a_failure_opens_its_page(report: Page) -> None:
    report.click("#failures td a")
    assert is_seen(report, ".overlay:target")


def test_long_lists_are_folded_and_open_by_keyboard(report: Page) -> None:
    folded = "[...document.querySelectorAll('#failures details')].find(d => d.innerText.includes('sections: 41'))"
    assert not report.run(f"{folded}.open")
    report.run(f"{folded}.querySelector('summary').focus()")
    report.press("Enter")
    assert report.run(f"{folded}.open")
    assert report.run(f"{folded}.querySelectorAll('tbody tr').length") == 41


def test_dividers_are_drawn_inside_the_page(report: Page) -> None:
    report.click(".thumb")
    sides = "(e => (r => [r.left, r.top, r.right, r.bottom])(e.getBoundingClientRect()))"
    sheet = report.run(f"{sides}(document.querySelector('#o1 .sheet'))")
    places = report.run(f"[...document.querySelectorAll('#o1 .sheet .mark')].map({sides})")
    for left, top, right, bottom in places:
        assert sheet[0] <= left <= right <= sheet[2]
        assert sheet[1] <= top <= bottom <= sheet[3]


@pytest.mark.parametrize("width", [1280, 1024, 700])
def test_page_is_never_wider_than_the_window(page: Page, file: Path, width: int) -> None:
    page.open(file.as_uri(), width=width)
    page.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    page.click(".thumb")
    assert page.run("document.querySelector('.overlay:target').scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(report: Page, scheme: str) -> None:
    """A contrast of 4.5 to 1, which WCAG 2 asks of text, on the ground that it really has."""
    report.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    report.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    try:
        assert report.run(LOW_CONTRAST) == []
        report.click(".thumb")
        assert report.run(LOW_CONTRAST) == []
    finally:
        report.call("Emulation.setEmulatedMedia", features=[])
