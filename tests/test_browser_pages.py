"""The search for texts that overlap or are cut finds the faults of small pages, and no others."""

from __future__ import annotations

import pytest

from browser_pages import SCHEMES, broken_words, faint_texts, open_page, save_screenshot, text_faults

SOUND = {
    "two paragraphs": "<p>above</p><p>below</p>",
    "tight lines": f"<p style='line-height:1; width:8rem'>{'several lines of text ' * 5}</p>",
    "a raised exponent": "<p>10<sup>12</sup> networks</p>",
    "a table that scrolls": "<div style='overflow-x:auto; width:10rem'><pre>" + "wide " * 40 + "</pre></div>",
    "a closed part": "<details><summary>more</summary><p style='position:absolute; top:0'>less</p></details>",
    "a text for screen readers": "<p>seen</p><span style='position:absolute; top:1rem; width:1px; height:1px; "
    "overflow:hidden; white-space:nowrap'>heard</span>",
    "a menu beyond the left edge": "<nav style='position:absolute; left:-20rem; width:10rem'>menu</nav>",
    "slanted labels": "<svg width='200' height='200'>"
    "<text transform='translate(20 150) rotate(-60)'>a long label</text>"
    "<text transform='translate(45 150) rotate(-60)'>another label</text></svg>",
}
FAULTY = {
    "lines upon each other": (
        "<p style='margin:0'>above</p><p style='position:relative; margin:0; top:-1em'>below</p>",
        '"above" overlaps "below"',
    ),
    "labels upon each other": (
        "<svg width='200' height='50'><text x='5' y='20'>first</text><text x='20' y='22'>second</text></svg>",
        '"first" overlaps "second"',
    ),
    "an ellipsis": (
        "<p class='name' style='width:3rem; overflow:hidden; text-overflow:ellipsis; white-space:nowrap'>long name</p>",
        '"long name" is cut by p.name',
    ),
    "a page that is too wide": (
        "<p style='white-space:nowrap'>" + "wide " * 60 + "</p>",
        "is cut by the edge of the page",
    ),
    "a label outside its plot": (
        "<svg width='60' height='30'><text x='5' y='20'>a long label</text></svg>",
        '"a long label" is cut by svg',
    ),
}


def document(body):
    return f"<!doctype html><meta charset='utf-8'><title>page</title><body>{body}"


@pytest.fixture(scope="module")
def telephone(browser):
    """Return a function that writes a page, and opens it in the same window as all pages before."""
    with open_page(browser, "about:blank", 390) as page:

        def show(body):
            page.set_content(document(body), wait_until="load")
            return page

        yield show


@pytest.mark.parametrize("name", SOUND)
def test_a_page_that_can_be_read_has_no_fault(telephone, name):
    assert text_faults(telephone(SOUND[name])) == []


@pytest.mark.parametrize("name", FAULTY)
def test_texts_that_overlap_or_are_cut_are_found(telephone, name):
    body, fault = FAULTY[name]
    (found,) = text_faults(telephone(body))
    assert fault in found


def test_broken_words_are_found(telephone):
    words = "short words, Wilkes-Barre straightforward Llanfairpwllgwyngyllgogery"
    body = f"<p style='width:4rem; overflow-wrap:anywhere'>{words}</p>"
    assert broken_words(telephone(body)) == ["straightforward"]


def test_faint_texts_are_found(telephone):
    body = "<p>black</p><p style='color:#aaa'>grey</p><p style='background:#222; color:#ddd'>bright</p>"
    assert faint_texts(telephone(body)) == ['"grey" has a contrast of 2.3']


@pytest.mark.parametrize("scheme", [pytest.param(SCHEMES[0], marks=pytest.mark.nightly), SCHEMES[1]])
def test_a_screenshot_is_named_for_its_width_and_scheme(browser, tmp_path, monkeypatch, scheme):
    page_file = tmp_path / "page.html"
    page_file.write_text(document("<p>text</p>"), encoding="utf-8")
    monkeypatch.setenv("TRIADIC_SCREENSHOTS", str(tmp_path / "screenshots"))
    with open_page(browser, page_file.as_uri(), 768, scheme) as page:
        save_screenshot(page, "report-small")
    assert [path.name for path in (tmp_path / "screenshots").iterdir()] == [f"report-small-768-{scheme}.png"]
