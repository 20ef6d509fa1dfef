"""Orbits of vertices and edges equal those of ORCA, cell by cell; skipped where ``orca`` is not on the path."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest

import triadic
from triadic import Graph

ORCA = shutil.which("orca")
NETWORKS = ["celegans_metabolic.graph.gz", "USpowerGrid.net.gz", "PGPgiantcompo.graph.gz"]
INTERACTOMES = ["HSapiens.el.gz", "SCerevisiae.el.gz"]  # as a whole they take ORCA minutes
SAMPLED = 1500  # vertices of an induced sample

pytestmark = pytest.mark.skipif(ORCA is None, reason="orca is not on the path")


def counted_by_orca(folder, graph, what, size):
    """The orbits of a graph's vertices ("node") or edges ("edge"): a row for each, edges in the order of the file."""
    source, target = graph.edges()
    lines = [f"{graph.num_vertices} {len(source)}", *(f"{u} {v}" for u, v in zip(source, target, strict=True))]
    (folder / "graph.in").write_text("\n".join(lines) + "\n", encoding="ascii")
    words = [ORCA, what, str(size), folder / "graph.in", folder / "graph.out"]
    subprocess.run(words, check=True, capture_output=True)
    return np.loadtxt(folder / "graph.out", dtype=np.int64, ndmin=2)


@pytest.fixture(params=[*NETWORKS, *INTERACTOMES], scope="module")
def graph(request, real_networks):
    """The skeleton of a network, or of an induced sample of an interactome."""
    found = triadic.read(real_networks / request.param)
    source, target = found.edges()
    n = found.num_vertices
    if request.param in INTERACTOMES:
        kept = np.sort(np.random.default_rng(1).permutation(n)[:SAMPLED])
        new = np.full(n, -1)
        new[kept] = np.arange(SAMPLED)
        inside = (new[source] >= 0) & (new[target] >= 0)
        source, target, n = new[source[inside]], new[target[inside]], SAMPLED
    return Graph.from_edges(source, target, vertices=n)


@pytest.mark.parametrize("size", [4, 5])
def test_orbits_of_vertices_are_those_of_orca(graph, size, tmp_path):
    expected = counted_by_orca(tmp_path, graph, "node", size)
    np.testing.assert_array_equal(triadic.orbit_degrees(graph, size=size), expected)


@pytest.mark.parametrize("size", [4, 5])
def test_orbits_of_edges_are_those_of_orca(graph, size, tmp_path):
    expected = counted_by_orca(tmp_path, graph, "edge", size)
    np.testing.assert_array_equal(triadic.edge_orbit_degrees(graph, size=size), expected)
