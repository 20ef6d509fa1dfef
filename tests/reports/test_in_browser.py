"""A report in a browser: it loads nothing else, logs no error, and fits the width of a phone."""

from __future__ import annotations

import pytest

from .conftest import LABELS

PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@pytest.fixture(scope="module", params=[PHONE, DESKTOP], ids=["phone", "desktop"])
def shown(browser, hostile_page, request):
    """Yield the page and the list of requests, messages and errors while it loaded."""
    page = browser.new_page(viewport=request.param)
    log = []
    page.on("request", lambda sent: log.append(sent.url))
    page.on("console", lambda message: log.append(message.text))
    page.on("pageerror", lambda error: log.append(str(error)))
    page.on("dialog", lambda dialog: (log.append(dialog.message), dialog.dismiss()))
    page.goto(hostile_page.as_uri(), wait_until="load")
    yield page, log
    page.close()


def test_the_page_alone_is_loaded_and_no_error_is_logged(shown, hostile_page):
    page, log = shown
    events = [event for event in log if not event.startswith("data:")]
    assert events == [hostile_page.as_uri()]
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


def test_all_six_plots_are_shown_with_their_text_inside(shown):
    page, _ = shown
    assert page.locator("figure > svg").count() == 6
    outside = page.evaluate(
        """[...document.querySelectorAll('figure > svg')].flatMap(svg => {
            const box = svg.getBoundingClientRect()
            return [...svg.querySelectorAll('text')].filter(text => {
                const inner = text.getBoundingClientRect()
                return inner.left < box.left - 2 || inner.right > box.right + 2
                    || inner.top < box.top - 2 || inner.bottom > box.bottom + 2
            }).map(text => text.textContent)
        })"""
    )
    assert outside == []


def test_the_page_fits_printed_paper(browser, hostile_page):
    page = browser.new_page(viewport={"width": 688, "height": 1000})  # A4 within the margins
    page.emulate_media(media="print")
    page.goto(hostile_page.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.close()
