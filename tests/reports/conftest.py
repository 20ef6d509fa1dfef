"""Networks and the pages of their reports; the labels of one would run as code on a page that did not escape them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import triadic

LABELS = ["<script>alert(1)</script>", "A & B", '"><img src=x onerror=alert(2)>', "{{ 7 * 7 }}"]


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


def weighted():
    """Return a directed network with weights, a column of its vertices with missing values, and one of its edges."""
    random = np.random.default_rng(1)
    source, target = random.integers(0, 40, (2, 300))
    region = np.array(["antennal lobe", "mushroom body"], dtype=object)[random.integers(0, 2, 300)]
    graph = triadic.Graph.from_edges(
        source,
        target,
        weights=random.integers(1, 40, 300),
        columns={"region": region},
        combine={"weight": "sum", "region": "first"},
        num_vertices=40,
        directed=True,
    )
    kind = np.array(["sensory", "motor", None], dtype=object)[random.integers(0, 3, 40)]
    return graph.with_vertices({"type": kind, "x": random.random(40)})


NETWORKS = {
    "weighted": weighted,
    "messages": messages,
    "small-world": small_world,
    "hubs": lambda: triadic.generate.barabasi_albert(800, 4, seed=1),
    "estimated": lambda: triadic.generate.rmat(9, seed=1),
    "cycle": lambda: triadic.Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True),
    "empty": lambda: triadic.Graph.from_edges([], [], num_vertices=0),
}


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


@pytest.fixture(scope="session")
def page_of(hostile_page, tmp_path_factory):
    """A function that returns the path of the report of a network: "hostile", or a name in NETWORKS."""
    folder = tmp_path_factory.mktemp("pages")

    @cache
    def write(name):
        if name == "hostile":
            return hostile_page
        chosen = {"estimated": {"samples": 0, "estimate": True}, "messages": {"samples": 3, "delta": "2h"}}
        triadic.report(NETWORKS[name](), folder / f"{name}.html", seed=1, **chosen.get(name, {"samples": 10}))
        return folder / f"{name}.html"

    return write
