"""The report of a fusion in a real browser: readings open by click and keyboard, switches hide what is not asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from headless import LOW_CONTRAST, Page, browser
from made import made_fusion
from test_fusion_report import ATTACK

from variorum.report.fusion_html import fusion_report

TITLE, TEXT, FORMULA, CITATION, UNMARKED, TABLE = 0, 3, 4, 5, 6, 8
DOCK = "document.getElementById('readings')"


@pytest.fixture(scope="module")
def page(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(chromium, tmp_path_factory.mktemp("browser") / "profile") as opened:
        yield opened


def opened(page: Page, folder: Path, words: str = "", width: int = 1280) -> Page:
    path = folder / "report.html"
    path.write_text(fusion_report(made_fusion(words)), encoding="utf-8")
    page.open(path.as_uri(), width=width)
    return page


@pytest.fixture
def report(page: Page, tmp_path: Path) -> Page:
    return opened(page, tmp_path)


def chosen(page: Page) -> list[str]:
    found: list[str] = page.run("[...document.querySelectorAll('.chosen')].map(e => e.dataset.d)")
    return found


def told(page: Page) -> str:
    return str(page.run(f"{DOCK}.innerText"))


def shown(page: Page) -> list[str]:
    found: list[str] = page.run(
        "[...document.querySelectorAll('.unit[data-d]')].filter(e => e.getClientRects().length).map(e => e.dataset.d)"
    )
    return found


def test_nothing_is_fetched_and_nothing_complains(report: Page) -> None:
    report.click(f"#d{TEXT} .siglum")
    report.click("[name=flag][value=sole]")
    assert report.complaints == []
    assert [r for r in report.requests if not r.startswith(("file:", "data:"))] == []


def test_a_click_shows_all_readings_with_weights_signals_and_reason(report: Page) -> None:
    report.click(f"#d{TEXT} .content")
    assert chosen(report) == [str(TEXT)]
    for said in (
        "before docling, 0.81 lowered from 0.90",
        "weight 0.90 × 0.90 = 0.81",
        "run together × 0.90 Gullsfollow",
        "place from D Docling: page 1, 72 100 300 120",
        "In this text",
    ):
        assert said in told(report)
    assert report.run("[...document.querySelectorAll('.reading-of h4')].map(e => e.innerText[0]).join('')") == "ADL"


def test_differing_words_are_marked_and_missing_ones_have_a_sign(report: Page) -> None:
    report.click(f"#d{TEXT} .siglum")
    assert report.run("[...document.querySelectorAll('.reading-of.D mark')].map(e => e.innerText)") == ["Gullsfollow"]
    assert report.run("[...document.querySelectorAll('.reading-of.L .gap')].map(e => e.title)") == ["missing: the"]


def test_differing_cells_are_marked(report: Page) -> None:
    report.click(f"#d{TABLE} .siglum")
    assert report.run("document.querySelectorAll('.reading-of.A .differs').length") == 8
    assert report.run("document.querySelectorAll('.reading-of.D .differs').length") == 3
    assert "ragged rows × 0.70" in told(report)


def test_what_stands_in_a_text_has_readings_of_its_own(report: Page) -> None:
    report.click(f"#d{FORMULA}")
    assert chosen(report) == [str(FORMULA)]
    assert "Inline equation" in told(report)
    report.click(f"#d{TEXT} .siglum")
    report.click("#readings .inner li:nth-child(3) button")
    assert "Citation" in told(report)
    assert "sole" in told(report)


def test_a_second_click_and_escape_close_the_readings(report: Page) -> None:
    report.click(f"#d{TEXT} .siglum")
    report.click(f"#d{TEXT} .siglum")
    assert report.run(f"{DOCK}.hidden")
    report.click(f"#d{TABLE} .siglum")
    report.press("Escape")
    assert report.run(f"{DOCK}.hidden")
    assert chosen(report) == []


def test_closing_the_readings_gives_the_focus_back(report: Page) -> None:
    report.click(f"#d{TABLE} .siglum")
    report.click("#readings [aria-label='Close the readings']")
    assert report.run("document.activeElement.closest('.unit').dataset.d") == str(TABLE)


def test_the_text_is_one_tab_stop_and_arrows_go_on_from_there(report: Page) -> None:
    assert report.run("document.querySelectorAll(\".siglum[tabindex='0']\").length") == 1
    report.run("document.querySelector('.switches .shown button').focus()")
    report.run("document.querySelector('[name=flag][value=sole]').focus()")
    report.press("Tab")
    assert report.run("document.activeElement.closest('.unit')?.dataset.d") == str(TITLE)
    for _ in range(3):
        report.press("ArrowDown")
    assert report.run("document.activeElement.closest('.unit').dataset.d") == str(TEXT)
    report.press("Enter")
    assert chosen(report) == [str(TEXT)]
    report.press("ArrowRight")
    assert chosen(report) == [str(FORMULA)]
    report.press("ArrowRight")
    assert "Citation" in told(report)
    report.press("Enter")
    assert chosen(report) == []
    report.press("ArrowUp")
    assert report.run("document.activeElement.closest('.unit').dataset.d") == str(TEXT - 1)


def test_what_is_chosen_is_not_hidden_behind_the_readings(report: Page) -> None:
    report.run("document.documentElement.style.scrollBehavior = 'auto'")
    report.click(f"#d{TEXT} .siglum")
    for _ in range(9):
        report.click("#readings [aria-label='Next component']")
        bottom, top = report.run(
            f"[document.querySelector('.chosen').getBoundingClientRect().bottom, {DOCK}.getBoundingClientRect().top]"
        )
        assert bottom <= top
    assert chosen(report) == ["13"]


def test_an_address_opens_a_place(report: Page, tmp_path: Path) -> None:
    report.open(f"{(tmp_path / 'report.html').as_uri()}#d{TABLE}")
    assert chosen(report) == [str(TABLE)]


@pytest.mark.parametrize(
    ("switch", "left"),
    [
        ("[name=flag][value=sole]", ["1", str(TEXT), "10"]),
        ("[name=flag][value=turned]", [str(TEXT)]),
        ("[name=flag][value=lowered]", [str(TEXT), str(TABLE)]),
    ],
)
def test_a_switch_leaves_what_it_asks_for(report: Page, switch: str, left: list[str]) -> None:
    report.click(switch)
    assert shown(report) == left
    report.click(".switches [type=reset]")
    report.run("new Promise(done => setTimeout(done))")
    assert len(shown(report)) == 11


def test_a_source_and_a_type_are_switched_off(report: Page) -> None:
    report.click("[name=source][value=D]")
    assert str(TITLE) not in shown(report)
    assert str(TEXT) in shown(report)
    report.click("[name=type][value=paragraph]")
    assert str(TEXT) in shown(report), "its formula and citation are still asked for"
    report.click("[name=type][value=equation_inline]")
    report.click("[name=type][value=citation]")
    assert str(TEXT) not in shown(report)


def test_everything_that_acts_has_a_name(report: Page) -> None:
    report.click(f"#d{TEXT} .siglum")
    acting = "button, input, a, summary, [role=button], [role=group], [role=region], nav"
    named = "(e.ariaLabel || e.labels?.[0]?.innerText || e.textContent).trim()"
    assert report.run(f"[...document.querySelectorAll('{acting}')].filter(e => !{named}).map(e => e.outerHTML)") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(report: Page, scheme: str) -> None:
    """A contrast of 4.5 to 1, which WCAG 2 asks of text, on the ground that it really has."""
    report.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    report.click(f"#d{TEXT} .siglum")
    report.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    try:
        assert report.run(LOW_CONTRAST) == []
    finally:
        report.call("Emulation.setEmulatedMedia", features=[])


@pytest.mark.parametrize("width", [1280, 1024, 700, 390])
@pytest.mark.parametrize("words", ["", "w" * 300])
def test_page_is_never_wider_than_the_window(page: Page, tmp_path: Path, width: int, words: str) -> None:
    report = opened(page, tmp_path, words, width)
    report.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    for place in (TEXT, TABLE):
        report.run(f"document.querySelector('#d{place} .siglum').click()")
        assert report.run("document.documentElement.scrollWidth <= innerWidth")
        assert report.run(f"{DOCK}.scrollWidth <= {DOCK}.clientWidth")


def test_hostile_words_do_nothing(page: Page, tmp_path: Path) -> None:
    report = opened(page, tmp_path, ATTACK)
    for place in range(14):
        report.run(f"document.querySelector('#d{place}')?.click()")
        assert report.run(f"{DOCK}.querySelectorAll('script, img, [onfocus]').length") == 0
    assert report.run("document.querySelectorAll('img, [onfocus]').length") == 0
    assert report.run("document.title") != "taken"
    assert report.complaints == []
