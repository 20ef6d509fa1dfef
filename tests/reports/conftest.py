"""A network whose labels would run as code on a page that did not escape them."""

from __future__ import annotations

import pytest

import triadic

LABELS = ["<script>alert(1)</script>", "A & B", '"><img src=x onerror=alert(2)>', "{{ 7 * 7 }}"]


@pytest.fixture(scope="session")
def hostile():
    """Return a directed random network whose first vertices, with hostile labels, are in the lists of the report."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("jinja2")
    source, target = triadic.generate.rmat(6, seed=3, directed=True).edges()
    first = [(i, j) for i in range(4, 64) for j in range(4)]
    ends = [[*source.tolist(), *(u for u, _ in first)], [*target.tolist(), *(v for _, v in first)]]
    labels = [*LABELS, *(f"vertex {i}" for i in range(4, 64))]
    return triadic.Graph.from_edges(*ends, directed=True, labels=labels)


@pytest.fixture(scope="session")
def hostile_page(hostile, tmp_path_factory):
    """Return the path of the network's report."""
    path = tmp_path_factory.mktemp("reports") / "hostile.html"
    triadic.report(hostile, path, title="<b>Hostile</b>", samples=10, seed=1)
    return path
