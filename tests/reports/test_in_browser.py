"""Reports in a browser: they load nothing else, log no error, and every text can be read at any width and on paper."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import triadic
from browser_pages import SCHEMES, WIDTHS, broken_words, faint_texts, open_page, save_screenshot, text_faults
from pairs import pairs

from .conftest import LABELS

PAPER = 688  # pixels of A4 within the margins
LONG = [
    "Wilkes-Barre/Scranton International Airport",
    "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
    "東京国際空港",
]


def small_world():
    """Return a network whose vertices with the most neighbours have long names."""
    graph = triadic.generate.watts_strogatz(60, 6, 0.1, seed=1)
    labels = [f"vertex {i}" for i in range(60)]
    for name, vertex in zip(LONG, graph.degree.argsort()[::-1], strict=False):
        labels[vertex] = name
    return triadic.Graph.from_edges(*graph.edges(), labels=labels)


def messages():
    """Return events in time, some of which answer others."""
    random = np.random.default_rng(1)
    source, target = random.integers(0, 40, (2, 1000))
    time = random.integers(0, 10**6, 1000)
    ends = [np.concatenate(pair) for pair in ((source, target), (target, source), (time, time + 600))]
    return triadic.TemporalGraph.from_edges(*ends)


NETWORKS = {
    "messages": messages,
    "small-world": small_world,
    "hubs": lambda: triadic.generate.barabasi_albert(800, 4, seed=1),
    "cycle": lambda: triadic.Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True),
    "empty": lambda: triadic.Graph.from_edges([], [], vertices=0),
}


@pytest.fixture(scope="module")
def pages(hostile_page, tmp_path_factory):
    """Return the paths of the reports of several networks."""
    folder = tmp_path_factory.mktemp("pages")
    for name, network in NETWORKS.items():
        triadic.report(network(), folder / f"{name}.html", samples=10, seed=1)
    triadic.report(NETWORKS["hubs"](), folder / "estimated.html", samples=0, seed=1, estimate=True)
    return {"hostile": hostile_page, "estimated": folder / "estimated.html"} | {
        name: folder / f"{name}.html" for name in NETWORKS
    }


@pytest.fixture(scope="module", params=WIDTHS)
def shown(browser, hostile_page, request):
    """Yield the page and the list of requests, messages and errors while it loaded."""
    page = browser.new_page(viewport={"width": request.param, "height": 900})
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


# Colours move no text.
@pytest.mark.parametrize(("name", "width", "scheme"), pairs(["hostile", *NETWORKS], WIDTHS, SCHEMES))
def test_no_text_overlaps_another_is_cut_or_is_faint(browser, pages, name, width, scheme):
    with open_page(browser, pages[name].as_uri(), width, scheme) as page:
        save_screenshot(page, f"report-{name}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert text_faults(page) == []
        assert faint_texts(page) == []
        assert broken_words(page) == []
        page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
        assert text_faults(page) == []


@pytest.mark.parametrize("name", ["hostile", *NETWORKS])
def test_the_page_fits_printed_paper_with_all_its_parts(browser, pages, name):
    with open_page(browser, pages[name].as_uri(), PAPER, "dark", media="print") as page:
        save_screenshot(page, f"report-{name}-paper")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert text_faults(page) == []
        assert faint_texts(page) == []  # black on white, whatever the screen has
        assert page.locator("details dd").last.is_visible()
        assert page.pdf(format="A4").startswith(b"%PDF")


def test_each_link_of_the_contents_leads_to_a_heading(browser, pages):
    with open_page(browser, pages["hostile"].as_uri(), 1280) as page:
        sections = page.eval_on_selector_all("nav a", "links => links.map(link => link.getAttribute('href'))")
        assert sections
        assert all(page.locator(f"h2{section}").is_visible() for section in sections)
        levels = page.eval_on_selector_all("h1, h2, h3", "all => all.map(heading => Number(heading.localName[1]))")
        assert levels[0] == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))


def test_every_plot_and_drawing_has_a_name_for_screen_readers(browser, pages):
    with open_page(browser, pages["hostile"].as_uri(), 1280) as page:
        nameless = "all => all.filter(svg => !svg.closest('[aria-hidden]') && !svg.getAttribute('aria-label')).length"
        assert page.eval_on_selector_all("svg", nameless) == 0
