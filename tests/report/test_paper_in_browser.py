"""The pages of a paper in a real browser: blocks are selected by click, link and keyboard, and layers are switched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from headless import Page, browser
from paper_samples import paper, two_pages_in

from variorum.report import write_report

PANE = "document.getElementById('block')"
TITLE, TABLE, TEXT, FIGURE, ENTRY, FURNITURE = 0, 2, 4, 6, 9, 10


@pytest.fixture(scope="module")
def page(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(chromium, tmp_path_factory.mktemp("browser") / "profile") as opened:
        yield opened


@pytest.fixture
def report(page: Page, tmp_path: Path) -> Page:
    path = tmp_path / "report.html"
    path.write_text(write_report(paper(), two_pages_in(tmp_path)), encoding="utf-8")
    page.open(path.as_uri(), width=1440, height=900)
    return page


def chosen(page: Page) -> list[str]:
    found: list[str] = page.run("[...document.querySelectorAll('.block.chosen')].map(e => e.dataset.block)")
    return found


def told(page: Page) -> str:
    return str(page.run(f"{PANE}.innerText"))


def test_nothing_is_fetched_and_nothing_complains(report: Page) -> None:
    report.click(f"[data-block='{TEXT}'] path")
    report.click("[data-toggle=order]")
    assert report.complaints == []
    assert [r for r in report.requests if not r.startswith(("file:", "data:"))] == []


def test_click_on_a_block_shows_its_text_places_and_links(report: Page) -> None:
    report.click(f"[data-block='{TEXT}'] path")
    assert chosen(report) == [str(TEXT)] * 2
    for said in ("Paragraph", "Doses (Table 1) grow", "par-1", "page 1, then page 2", "Cites and names", "Figure 7 (block 7)"):
        assert said in told(report)
    assert report.run("document.querySelectorAll('.block.linked').length") == 3


def test_link_in_the_text_leads_to_what_it_cites_and_that_leads_back(report: Page) -> None:
    report.click(f"[data-block='{TEXT}'] path")
    report.click(f"#block .words-of [data-goto='{ENTRY}']")
    assert chosen(report) == [str(ENTRY)]
    assert "10.1/x" in told(report)
    assert report.run("document.activeElement.dataset.block") == str(ENTRY)
    report.click(f"#block [data-goto='{TEXT}']")
    assert chosen(report) == [str(TEXT)] * 2


def test_furniture_tells_why_it_was_left_out(report: Page) -> None:
    report.click(f"[data-block='{FURNITURE}'] path")
    assert "the same words at this height of 2 pages" in told(report)


def test_table_leads_to_its_cells_and_votes(report: Page) -> None:
    report.click(f"[data-block='{TABLE}'] path")
    assert report.run(f"{PANE}.querySelector('a[href=\"#t1\"]').innerText") == "its cells and votes"


def test_section_leads_to_its_heading(report: Page) -> None:
    report.click(".outline [data-goto='1']")
    assert chosen(report) == ["1"]
    assert "Heading of level 1" in told(report)


def test_address_of_a_block_opens_it(report: Page, tmp_path: Path) -> None:
    report.open(f"{(tmp_path / 'report.html').as_uri()}#b{FIGURE}")
    assert chosen(report) == [str(FIGURE)]


def test_blocks_are_reached_by_keyboard_in_the_order_of_reading(report: Page) -> None:
    assert report.run("document.querySelectorAll(\".block[tabindex='0']\").length") == 2
    report.run(f"document.querySelector(\"[data-block='{TITLE}']\").focus()")
    reached = []
    for _ in range(5):
        report.press("ArrowDown")
        reached.append(report.run("document.activeElement.dataset.order"))
    assert reached == ["2", "3", "4", "5", "0"]
    report.press("ArrowDown")
    assert report.run("document.activeElement.closest('figure').innerText").startswith("Page 2")
    report.press("ArrowUp")
    report.press("ArrowUp")
    report.press("Enter")
    assert chosen(report) == [str(TEXT)] * 2
    report.press("Escape")
    assert chosen(report) == []
    assert "Select a block" in told(report)


def test_closing_the_pane_gives_the_focus_back(report: Page) -> None:
    report.click(f"[data-block='{FIGURE}'] path")
    report.click("#block .close")
    assert chosen(report) == []
    assert report.run("document.activeElement.dataset.block") == str(FIGURE)


@pytest.mark.parametrize("layer", ["blocks-text", "blocks-furniture", "order", "ties", "outside"])
def test_switch_shows_and_hides_its_layer_on_every_page(report: Page, layer: str) -> None:
    drawn = f"[...document.querySelectorAll('.layer[data-layer={layer}]')].map(e => e.getClientRects().length > 0)"
    before = report.run(drawn)
    assert before
    report.click(f"[data-toggle={layer}]")
    assert report.run(drawn) == [not was for was in before]


def test_link_to_a_block_shows_the_layer_that_was_hidden(report: Page) -> None:
    report.click("[data-toggle=blocks-headings]")
    report.click(".outline [data-goto='1']")
    assert report.run("document.querySelector('[data-toggle=blocks-headings]').checked")
    assert chosen(report) == ["1"]


def test_everything_that_acts_has_a_name_and_a_visible_focus(report: Page) -> None:
    named = "(e.ariaLabel || e.labels?.[0]?.innerText || e.textContent).trim()"
    acting = "button, input, a, summary, [role=button], [role=grid], [role=group], [role=region], nav"
    assert report.run(f"[...document.querySelectorAll('{acting}')].filter(e => !{named}).length") == 0
    report.run("document.querySelector('.toggles input').focus()")
    report.run(f"document.querySelector(\"[data-block='{TITLE}']\").focus()")
    report.press("ArrowDown")
    assert report.run("getComputedStyle(document.activeElement.querySelector('path')).strokeWidth") == "3px"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(report: Page, scheme: str) -> None:
    """A contrast of 4.5 to 1, which WCAG 2 asks of text."""
    report.click(f"[data-block='{FURNITURE}'] path")
    report.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    script = """(() => {
      const light = (c) => c.map((v) => v / 255).map((v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4))
        .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
      const numbers = (c) => c.match(/[\\d.]+/g).slice(0, 3).map(Number);
      const ground = light(numbers(getComputedStyle(document.body).backgroundColor));
      const asked = [".letter", ".reasons li", ".gaps summary", ".jumps a", ".outline a", ".outline .label", ".why-not",
        ".about dt", ".about dd", ".words-of", ".decision summary small", ".decision summary b", ".left-out summary"];
      return asked.map((s) => {
        const ink = light(numbers(getComputedStyle(document.querySelector(s)).color));
        return [s, (Math.max(ink, ground) + .05) / (Math.min(ink, ground) + .05)];
      });
    })()"""
    try:
        assert [s for s, contrast in report.run(script) if contrast < 4.5] == []
    finally:
        report.call("Emulation.setEmulatedMedia", features=[])


@pytest.mark.parametrize("width", [1440, 1024, 700])
def test_page_is_never_wider_than_the_window(page: Page, tmp_path: Path, width: int) -> None:
    path = tmp_path / "report.html"
    path.write_text(write_report(paper(), two_pages_in(tmp_path)), encoding="utf-8")
    page.open(path.as_uri(), width=width)
    page.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    page.run(f"document.querySelector(\"[data-block='{TEXT}']\").dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    assert page.run("document.documentElement.scrollWidth <= innerWidth")


def test_hostile_words_do_nothing(page: Page, tmp_path: Path) -> None:
    attack = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
    path = tmp_path / "report.html"
    path.write_text(write_report(paper(attack), two_pages_in(tmp_path)), encoding="utf-8")
    page.open(path.as_uri())
    for block in (TEXT, FIGURE, ENTRY, FURNITURE):
        page.run(
            f"document.querySelector(\"[data-block='{block}']\").dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"
        )
        assert page.run(f"{PANE}.querySelectorAll('script, img').length") == 0
    assert page.run("document.title") != "taken"
    assert page.complaints == []
