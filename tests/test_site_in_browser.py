"""Every page of the site at three widths, light and dark: no text is cut, none overlaps another, nothing fails to load.

``make pages`` builds the site and runs these tests. They check the site in the folder that TRIADIC_SITE names.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread

import pytest

from browser_pages import HEIGHT, SCHEMES, WIDTHS, open_page, save_screenshot, text_faults

_SITE = os.environ.get("TRIADIC_SITE")
_PAGES = sorted(page.parent.relative_to(_SITE).as_posix() for page in Path(_SITE).rglob("index.html")) if _SITE else []

_PHOTOGRAPHED = (".", "choosing", "command-line", "gallery", "how-to/connectome", "how-to/notebook", "performance")
_PHOTOGRAPHED += ("reference/clustering", "studies", "studies/cstn117", "studies/cstn117-paper", "tutorial")

pytestmark = pytest.mark.skipif(not _SITE, reason="`make pages` builds the site and checks its pages")


class _Silent(SimpleHTTPRequestHandler):
    """Serve files without printing each request."""

    def log_message(self, *_):
        pass


class _Server(ThreadingHTTPServer):
    """A server whose browser may leave a page before everything has arrived."""

    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@pytest.fixture(scope="module")
def site():
    """Serve the site and return its address."""
    with _Server(("127.0.0.1", 0), partial(_Silent, directory=_SITE)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def address(site, path):
    """Return the address of a page by its folder in the site."""
    return f"{site}/" if path == "." else f"{site}/{path}/"


@pytest.fixture(scope="module")
def reader(browser):
    """A window in which all pages are opened one after another: a new window for each takes half as long again."""
    with open_page(browser, "about:blank", WIDTHS[0]) as page:
        yield page


@pytest.mark.parametrize("path", _PAGES)
def test_no_text_is_cut_or_overlaps_another_and_everything_is_there(reader, site, path):
    failed, outside, faults = [], [], {}
    ours = (site, "data:", "blob:")
    watchers = {
        "response": lambda answer: failed.append(answer.url) if answer.status >= 400 else None,
        "request": lambda sent: None if sent.url.startswith(ours) else outside.append(sent.url),
    }
    reader.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
    reader.emulate_media(color_scheme=SCHEMES[0])
    for event, watch in watchers.items():
        reader.on(event, watch)
    try:
        reader.goto(address(site, path), wait_until="load")
        reader.evaluate("document.fonts.ready")
        for width, scheme in product(WIDTHS, SCHEMES):
            reader.set_viewport_size({"width": width, "height": HEIGHT})
            reader.emulate_media(color_scheme=scheme)
            if path in _PHOTOGRAPHED:
                save_screenshot(reader, f"site-{'home' if path == '.' else path.replace('/', '-')}", height=6000)
            faults[width, scheme] = text_faults(reader)
    finally:
        for event, watch in watchers.items():
            reader.remove_listener(event, watch)
    assert (failed, outside) == ([], [])
    assert {place: found for place, found in faults.items() if found} == {}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_page_takes_the_colours_that_the_reader_prefers(browser, site, scheme):
    with open_page(browser, address(site, "gallery"), WIDTHS[-1], scheme) as page:
        red, green, blue = page.evaluate(
            "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
        )
        assert (red + green + blue < 3 * 128) == (scheme == "dark")
        shown = page.locator("article img:visible").evaluate_all("all => all.map(image => image.getAttribute('src'))")
        assert shown
        assert all(f"#only-{scheme}" in source for source in shown)
