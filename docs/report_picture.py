"""Photograph the top of a report for docs/gallery.md: writes docs/figures/report.png and report-dark.png.

Needs playwright and the chromium of the system.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx
from playwright.sync_api import sync_playwright

import triadic

FOLDER = Path(__file__).parent / "figures"
WINDOW = {"width": 1000, "height": 820}


def main() -> None:
    """Photograph the report of the characters of Les Misérables, in both colour schemes."""
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        page = Path(name) / "report.html"
        triadic.report(nx.les_miserables_graph(), page, title="Les Misérables", samples=50, seed=1)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for scheme, ending in (("light", ""), ("dark", "-dark")):
            window = browser.new_page(viewport=WINDOW, color_scheme=scheme)
            window.goto(page.as_uri())
            window.screenshot(path=FOLDER / f"report{ending}.png")
        browser.close()


if __name__ == "__main__":
    main()
