"""Photograph a report for the pages: docs/figures/report.png is its top, network.png its drawing of the network.

Each picture has a variant for dark pages, whose name ends in ``-dark``. Needs playwright and the system's chromium.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx
from playwright.sync_api import sync_playwright

import triadic

FOLDER = Path(__file__).parent / "figures"
WINDOW = {"width": 1000, "height": 700}


def main() -> None:
    """Photograph the report of the characters of Les Misérables, in both colour schemes."""
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        report = Path(name) / "report.html"
        triadic.report(nx.les_miserables_graph(), report, title="Les Misérables", samples=50, seed=1)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for scheme, ending in (("light", ""), ("dark", "-dark")):
            page = browser.new_page(viewport=WINDOW, color_scheme=scheme)
            page.goto(report.as_uri())
            page.screenshot(path=FOLDER / f"report{ending}.png")
            page.locator("figure.network").screenshot(path=FOLDER / f"network{ending}.png")
        browser.close()


if __name__ == "__main__":
    main()
