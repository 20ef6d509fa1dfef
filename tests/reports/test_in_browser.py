"""Reports in a browser: they load nothing else, log no error, and every text can be read at any width and on paper."""

from __future__ import annotations

from itertools import cycle, pairwise

import pytest

from browser_pages import HEIGHT, SCHEMES, WIDTHS, broken_words, faint_texts, open_page, save_screenshot, text_faults

from .conftest import LABELS, NETWORKS

PAPER = 688  # pixels of A4 within the margins
NAMES = ["hostile", *NETWORKS]


@pytest.fixture(scope="module")
def shown(browser, hostile_page):
    """Yield the page, and the list of requests, messages and errors while it loaded and while its width changed."""
    page = browser.new_page(viewport={"width": WIDTHS[0], "height": HEIGHT})
    log = []
    page.on("request", lambda sent: log.append(sent.url))
    page.on("console", lambda message: log.append(message.text))
    page.on("pageerror", lambda error: log.append(str(error)))
    page.on("dialog", lambda dialog: (log.append(dialog.message), dialog.dismiss()))
    page.goto(hostile_page.as_uri(), wait_until="load")
    for width in WIDTHS[1:]:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.evaluate("document.body.offsetWidth")  # the layout of this width
    yield page, log
    page.close()


# The pages with most kinds of plots, and one with none, in each run.
@pytest.fixture(
    scope="module",
    params=[
        name if name in ("hostile", "messages", "weighted", "empty") else pytest.param(name, marks=pytest.mark.nightly)
        for name in NAMES
    ],
)
def named(browser, page_of, request):
    """Yield the name of a network and the page of its report, which has no scripts: no test leaves a trace in it."""
    with open_page(browser, page_of(request.param).as_uri(), WIDTHS[0]) as page:
        yield request.param, page


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


# Colours move no text, so that a width needs one scheme; each scheme is looked at.
def test_no_text_overlaps_another_is_cut_or_is_faint(named):
    name, page = named
    for width, scheme in [*zip(WIDTHS, cycle(SCHEMES), strict=False)]:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(media="screen", color_scheme=scheme)
        save_screenshot(page, f"report-{name}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert text_faults(page) == [], width
        assert faint_texts(page) == [], scheme
        assert broken_words(page) == [], width
        page.evaluate("document.querySelectorAll('details:not([open])').forEach(part => part.className += ' closed')")
        page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
        assert text_faults(page) == [], width
        page.evaluate("document.querySelectorAll('details.closed').forEach(part => part.open = false)")


def test_the_page_fits_printed_paper_with_all_its_parts(named):
    name, page = named
    page.set_viewport_size({"width": PAPER, "height": HEIGHT})
    page.emulate_media(media="print", color_scheme="dark")
    save_screenshot(page, f"report-{name}-paper")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert text_faults(page) == []
    assert faint_texts(page) == []  # black on white, whatever the screen has
    assert page.locator("details dd").last.is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_each_link_of_the_contents_leads_to_a_heading(shown):
    page, _ = shown
    sections = page.eval_on_selector_all("nav a", "links => links.map(link => link.getAttribute('href'))")
    assert sections
    assert all(page.locator(f"h2{section}").is_visible() for section in sections)
    levels = page.eval_on_selector_all("h1, h2, h3", "all => all.map(heading => Number(heading.localName[1]))")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_every_plot_and_drawing_has_a_name_for_screen_readers(shown):
    page, _ = shown
    nameless = "all => all.filter(svg => !svg.closest('[aria-hidden]') && !svg.getAttribute('aria-label')).length"
    assert page.eval_on_selector_all("svg", nameless) == 0
