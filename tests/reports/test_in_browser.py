"""A report in a browser: nothing is asked of the network, nothing complains, nothing is wider than a phone."""

from __future__ import annotations

import os
import shutil

import pytest

from .conftest import LABELS

PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


def refuse(reason):
    """Skip, or fail where TRIADIC_REQUIRE says that there must be a browser."""
    required = "chromium" in os.environ.get("TRIADIC_REQUIRE", "").split(",")
    (pytest.fail if required else pytest.skip)(reason)


@pytest.fixture(scope="module")
def browser():
    program = shutil.which("chromium")
    if program is None:
        refuse("there is no chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        refuse("playwright is not installed")
    with sync_playwright() as playwright:
        # The page is our own, and root has no sandbox.
        found = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module", params=[PHONE, DESKTOP], ids=["phone", "desktop"])
def shown(browser, hostile_page, request):
    """The page, and what went on while it was loaded."""
    page = browser.new_page(viewport=request.param)
    happened = []
    page.on("request", lambda asked: happened.append(asked.url))
    page.on("console", lambda message: happened.append(message.text))
    page.on("pageerror", lambda error: happened.append(str(error)))
    page.on("dialog", lambda dialog: (happened.append(dialog.message), dialog.dismiss()))
    page.goto(hostile_page.as_uri(), wait_until="load")
    yield page, happened
    page.close()


def test_the_page_alone_is_loaded_and_nothing_complains(shown, hostile_page):
    page, happened = shown
    asked = [one for one in happened if not one.startswith("data:")]
    assert asked == [hostile_page.as_uri()]
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0


def test_labels_show_as_text(shown):
    page, _ = shown
    seen = page.inner_text("body")
    assert all(label in seen for label in LABELS)
    assert page.title() == "<b>Hostile</b>: network report"


def test_nothing_is_wider_than_the_screen(shown):
    page, _ = shown
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    outside = page.evaluate(
        "[...document.querySelectorAll('svg, td, th, p, code')].filter(e => e.getClientRects().length"
        " && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert outside == []


def test_all_six_plots_are_seen_and_their_text_stays_within_them(shown):
    page, _ = shown
    assert page.locator("figure > svg").count() == 6
    outside = page.evaluate(
        """[...document.querySelectorAll('figure > svg')].flatMap(svg => {
            const box = svg.getBoundingClientRect()
            return [...svg.querySelectorAll('text')].filter(text => {
                const its = text.getBoundingClientRect()
                return its.left < box.left - 2 || its.right > box.right + 2
                    || its.top < box.top - 2 || its.bottom > box.bottom + 2
            }).map(text => text.textContent)
        })"""
    )
    assert outside == []


def test_it_prints_on_paper_that_is_wide_enough(browser, hostile_page):
    page = browser.new_page(viewport={"width": 688, "height": 1000})  # A4 within the margins
    page.emulate_media(media="print")
    page.goto(hostile_page.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.close()
