"""The report in a real browser, from a file: nothing is fetched; everything can be reached, shown and closed by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from headless import Page, browser
from report_samples import apparatus, document, hostile, parted, pdf_in, region_edges, table

from variorum.report import write_report

CARD = "document.getElementById('card')"


@pytest.fixture(scope="module")
def page(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("browser")
    with browser(chromium, folder / "profile") as opened:
        yield opened


@pytest.fixture
def report(page: Page, tmp_path: Path) -> Page:
    """Return the page with the report of the sample freshly opened."""
    path = tmp_path / "report.html"
    path.write_text(write_report(document(table()), pdf_in(tmp_path)), encoding="utf-8")
    page.open(path.as_uri())
    return page


def is_drawn(page: Page, layer: str) -> bool:
    return bool(page.run(f"document.querySelector('.layer[data-layer={layer}]').getClientRects().length > 0"))


def is_open(page: Page) -> bool:
    return bool(page.run(f"!{CARD}.hidden && {CARD}.getClientRects().length > 0"))


def test_nothing_is_fetched_and_nothing_complains(report: Page) -> None:
    for name in ("words", "rules", "refused", "method-1"):
        report.click(f"[data-toggle={name}]")
    assert report.complaints == []
    assert [r for r in report.requests if not r.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize("layer", ["words", "rules", "cells", "accepted", "rejected", "refused", "method-0", "method-2"])
def test_toggle_shows_and_hides_its_layer(report: Page, layer: str) -> None:
    before = is_drawn(report, layer)
    report.click(f"[data-toggle={layer}]")
    assert is_drawn(report, layer) is not before
    report.click(f"[data-toggle={layer}]")
    assert is_drawn(report, layer) is before


def test_one_button_shows_all_methods(report: Page) -> None:
    report.click("[data-all]")
    assert all(is_drawn(report, f"method-{m}") for m in (0, 1, 2))
    report.click("[data-all]")
    assert not any(is_drawn(report, f"method-{m}") for m in (0, 1, 2))


def test_divider_reached_by_tab_shows_its_votes(report: Page) -> None:
    report.run("document.querySelector('[data-view]:last-of-type').focus()")
    report.press("Tab")
    assert report.run("document.activeElement.dataset.divider") == "t1:c1"
    assert is_open(report)
    words = report.run(f"{CARD}.innerText")
    for said in (
        "Divider c1",
        "2 of 2 methods",
        "median of all clusters: 2",
        "180.0–200.0",
        "text",
        ".80",
        ".40",
        "above threshold",
    ):
        assert said in words
    assert report.run("document.querySelectorAll('.spot path').length") == 2


def test_enter_pins_and_escape_closes(report: Page) -> None:
    report.run("document.querySelector('.divider').focus()")
    report.press("Enter")
    assert report.run("document.querySelector('.divider').getAttribute('aria-pressed')") == "true"
    report.press("Tab")
    assert report.run("document.querySelector('.divider.pinned').dataset.divider") == "t1:r1"
    report.press("Escape")
    assert not is_open(report)
    assert report.run("document.querySelectorAll('[aria-pressed=true].divider').length") == 0
    assert report.run("document.activeElement.dataset.divider") == "t1:r1"


def test_arrows_go_to_the_next_divider_of_the_axis(report: Page) -> None:
    report.run("document.querySelector('.divider').focus()")
    report.press("ArrowRight")
    assert report.run("document.activeElement.dataset.divider") == "t1:cx1"
    report.press("ArrowLeft")
    assert report.run("document.activeElement.dataset.divider") == "t1:c1"


def test_pointer_on_a_divider_shows_and_click_keeps_its_votes(report: Page) -> None:
    report.point("[data-divider='t1:c1'] .band")
    assert is_open(report)
    report.click("[data-divider='t1:c1'] .band")
    report.point("h1")
    report.run("new Promise(done => setTimeout(done, 400))")
    assert is_open(report)
    report.click(".card .close")
    assert not is_open(report)


def test_reason_of_a_refused_divider_is_told(report: Page) -> None:
    report.click("[data-show='t1:cx2']")
    assert is_drawn(report, "refused")
    assert "refused before the vote (cuts a word)" in report.run(f"{CARD}.innerText")


def test_edge_of_the_region_is_selected_like_a_divider(page: Page, tmp_path: Path) -> None:
    sample = document(table(apparatus=apparatus(region_edges=region_edges())))
    path = tmp_path / "report.html"
    path.write_text(write_report(sample, pdf_in(tmp_path)), encoding="utf-8")
    page.open(path.as_uri())
    page.run("document.querySelector('[data-show=\"t1:top\"]').closest('details').open = true")
    page.click('[data-show="t1:top"]')
    assert is_open(page)
    told = page.run(f"{CARD}.textContent")
    assert told.startswith("Top edgeaccepted, 1 proposer")
    assert "grown to a rule" in told
    page.click('[data-show="t1:topx1"]')
    assert is_drawn(page, "edge-places")
    assert page.complaints == []


def test_click_on_a_cell_marks_its_place(report: Page) -> None:
    report.click("td[data-cell='t1-1-1']")
    assert report.run("[...document.querySelectorAll('.chosen')].map(e => e.localName + e.dataset.cell).sort()") == [
        "patht1-1-1",
        "tdt1-1-1",
    ]
    report.press("Escape")
    assert report.run("document.querySelectorAll('.chosen').length") == 0


def test_click_on_a_place_marks_its_cell(report: Page) -> None:
    report.click("path[data-cell='t1-1-0']")
    assert report.run("document.querySelector('td.chosen').innerText") == "A"
    assert report.run("document.querySelectorAll('.chosen').length") == 2


def test_click_in_a_part_marks_the_cell_beside_it_and_in_the_whole_table(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "parts.html"
    path.write_text(write_report(document(parted()), pdf_in(tmp_path)), encoding="utf-8")
    page.open(path.as_uri())
    page.click("#t1p2 path[data-cell=t1-2-1]")
    assert page.run("[...document.querySelectorAll('.reading .chosen')].map((c) => c.closest('article').id)") == ["t1", "t1p2"]
    assert page.run("document.querySelector('#t1p2 .reading [data-cell=t1-2-1]').tabIndex") == 0
    assert page.complaints == []


def test_cells_are_reached_by_keyboard(report: Page) -> None:
    report.run("document.querySelector('.reading [tabindex=\"0\"]').focus()")
    report.press("ArrowRight")
    report.press("ArrowDown")
    assert report.run("document.activeElement.innerText") == "12"
    report.press("Enter")
    assert report.run("document.querySelector('path.chosen').dataset.cell") == "t1-1-1"


def test_view_goes_to_the_whole_page_and_back(report: Page) -> None:
    report.click("[data-view]:last-of-type")
    assert report.run("document.querySelector('.drawing').getAttribute('viewBox')") == "0 0 400 300"
    report.click("[data-view]")
    assert report.run("document.querySelector('.drawing').getAttribute('viewBox')") != "0 0 400 300"


def test_candidates_sort_both_ways(report: Page) -> None:
    report.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    names = "[...document.querySelectorAll('.candidates tbody th')].map(e => e.dataset.value)"
    assert report.run(names) == ["consensus:rawdict", "text:rawdict"]
    report.click(".candidates th:last-child .sort")
    assert report.run(names) == ["text:rawdict", "consensus:rawdict"]
    report.click(".candidates th:first-child .sort")
    assert report.run(names) == ["consensus:rawdict", "text:rawdict"]
    assert report.run("document.querySelector('.candidates th:first-child').ariaSort") == "ascending"


def test_everything_that_acts_has_a_name_and_a_visible_focus(report: Page) -> None:
    named = "(e.ariaLabel || e.labels?.[0]?.innerText || e.textContent).trim()"
    acting = "button, input, [role=button], [role=grid], [role=group]"
    assert report.run(f"[...document.querySelectorAll('{acting}')].filter(e => !{named}).length") == 0
    report.run("document.querySelector('[data-view]:last-of-type').focus()")
    report.press("Tab")
    assert report.run("getComputedStyle(document.activeElement.querySelector('.target')).strokeOpacity") == "1"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(report: Page, scheme: str) -> None:
    """A contrast of 4.5 to 1, which WCAG 2 asks of text."""
    report.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    script = """(() => {
      const light = (c) => c.map((v) => v / 255).map((v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4))
        .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
      const numbers = (c) => c.match(/[\\d.]+/g).slice(0, 3).map(Number);
      const ground = light(numbers(getComputedStyle(document.body).backgroundColor));
      return ["h1", ".summary", "h2", ".kind", ".contents td", "summary small", ".how", ".silent", ".sort"].map((s) => {
        const ink = light(numbers(getComputedStyle(document.querySelector(s)).color));
        return [s, (Math.max(ink, ground) + .05) / (Math.min(ink, ground) + .05)];
      });
    })()"""
    try:
        assert [s for s, contrast in report.run(script) if contrast < 4.5] == []
    finally:
        report.call("Emulation.setEmulatedMedia", features=[])


@pytest.mark.parametrize("width", [1280, 1440, 700])
def test_page_is_never_wider_than_the_window(page: Page, tmp_path: Path, width: int) -> None:
    path = tmp_path / "report.html"
    path.write_text(write_report(document(table()), pdf_in(tmp_path)), encoding="utf-8")
    page.open(path.as_uri(), width=width)
    page.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert page.run("document.documentElement.scrollWidth <= innerWidth")


def test_hostile_words_do_nothing(page: Page, tmp_path: Path) -> None:
    attack = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
    path = tmp_path / "report.html"
    path.write_text(write_report(hostile(attack), pdf_in(tmp_path)), encoding="utf-8")
    page.open(path.as_uri())
    page.run("document.querySelector('.divider').focus()")
    assert page.run("document.title") != "taken"
    assert page.run(f"{CARD}.querySelectorAll('script, img').length") == 0
    assert page.run("document.querySelectorAll('img').length") == 0
