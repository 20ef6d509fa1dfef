"""Orbits of vertices and edges equal those of ORCA, cell by cell.

Where the program ``orca`` is on the path, it counts in five networks; otherwise the package orca-graphlets, which is
ORCA's code in Python and thousands of times slower, counts in samples of these.
"""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest

import triadic
from strategies import NIGHTLY
from triadic import Graph

ORCA = shutil.which("orca")
# Vertices of an induced sample; None: the whole network. As a whole the interactomes take ORCA minutes.
NETWORKS = {
    "celegans_metabolic.graph.gz": None if ORCA else 220 if NIGHTLY else 110,
    "USpowerGrid.net.gz": None if ORCA else 3000 if NIGHTLY else 1500,
    "PGPgiantcompo.graph.gz": None if ORCA else 2500 if NIGHTLY else 1500,
    "HSapiens.el.gz": 1500 if ORCA else 1100,
    "SCerevisiae.el.gz": 1500 if ORCA else 400 if NIGHTLY else 250,
}


def counted_by_orca(folder, graph, what, size):
    """The orbits of a graph's vertices ("node") or edges ("edge"): a row for each, edges in the order of the file."""
    source, target = graph.edges()
    if ORCA is None:
        package = pytest.importorskip("orca", reason="neither orca nor orca-graphlets is installed")
        count = package.orca_nodes if what == "node" else package.orca_edges
        return count(np.stack([source, target], axis=1), graph.num_vertices, size)
    lines = [f"{graph.num_vertices} {len(source)}", *(f"{u} {v}" for u, v in zip(source, target, strict=True))]
    (folder / "graph.in").write_text("\n".join(lines) + "\n", encoding="ascii")
    words = [ORCA, what, str(size), folder / "graph.in", folder / "graph.out"]
    subprocess.run(words, check=True, capture_output=True)
    return np.loadtxt(folder / "graph.out", dtype=np.int64, ndmin=2)


@pytest.fixture(params=NETWORKS, scope="module")
def graph(request, real_networks):
    """The skeleton of a network, or of an induced sample of it."""
    found = triadic.read(real_networks / request.param)
    source, target = found.edges()
    n, sampled = found.num_vertices, NETWORKS[request.param]
    if sampled is not None:
        kept = np.sort(np.random.default_rng(1).permutation(n)[:sampled])
        new = np.full(n, -1)
        new[kept] = np.arange(sampled)
        inside = (new[source] >= 0) & (new[target] >= 0)
        source, target, n = new[source[inside]], new[target[inside]], sampled
    return Graph.from_edges(source, target, num_vertices=n)


@pytest.mark.parametrize("size", [4, 5])
def test_orbits_of_vertices_are_those_of_orca(graph, size, tmp_path):
    expected = counted_by_orca(tmp_path, graph, "node", size)
    np.testing.assert_array_equal(triadic.graphlets(graph, size=size, by="vertex"), expected)


@pytest.mark.parametrize("size", [4, 5])
def test_orbits_of_edges_are_those_of_orca(graph, size, tmp_path):
    expected = counted_by_orca(tmp_path, graph, "edge", size)
    np.testing.assert_array_equal(triadic.graphlets(graph, size=size, by="edge"), expected)
