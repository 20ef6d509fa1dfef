"""Real networks: what other programs found in them (igraph, ORCA)."""

from __future__ import annotations

import json

import numpy as np
import pytest

import triadic

# The design's rule: a text without a header is directed, whatever its network is said to be.
WITHOUT_HEADER = {"facebook_combined.txt.gz", "cnr-2000.tsv.gz"}
FILES = [
    "NDwww.net.gz",
    "PGPgiantcompo.graph.gz",
    "USAir97.net.gz",
    "USpowerGrid.net.gz",
    "celegans_metabolic.graph.gz",
    "cnr-2000.tsv.gz",
    "delaunay_n16.graph.gz",
    "eatSR.net.gz",
    "ego-twitter.txt.gz",
    "facebook_combined.txt.gz",
    "soc-Slashdot0902.txt.gz",
    "soc-sign-Slashdot090221.txt.gz",
    "web-NotreDame.txt.gz",
    "wiki-Vote.txt.gz",
]


@pytest.fixture(params=FILES, scope="module")
def network(request, real_networks):
    """A network and what is known of it."""
    known = json.loads((real_networks / "expected.json").read_text())
    return request.param, triadic.read(real_networks / request.param), known[request.param]


def test_every_file_with_known_figures_is_read(real_networks):
    assert sorted(json.loads((real_networks / "expected.json").read_text())) == FILES


def test_vertices_edges_and_loops_are_as_many(network):
    name, graph, known = network
    assert graph.directed is (True if name in WITHOUT_HEADER else known["directed"])
    assert graph.num_vertices == known["vertices"]
    assert graph.num_edges == known["edges"]
    assert graph.dropped.loops == known["self_loops"]
    assert graph.degree.max() == known["max_degree"]
    if "arcs" in known:
        assert graph.num_arcs == known["arcs"]


def test_every_entry_of_the_file_is_accounted_for(network):
    _, graph, known = network
    dropped = graph.dropped
    kept = graph.num_arcs if graph.directed else graph.num_edges
    assert kept + dropped.loops + dropped.duplicates + dropped.reciprocal_merged == known["entries"]


def test_triangles_and_clustering_are_what_others_found(network):
    _, graph, known = network
    at_vertex = triadic.triangles(graph)
    assert triadic.triangle_count(graph) == known["triangles"]
    assert at_vertex.sum() == 3 * known["triangles"]
    assert triadic.transitivity(graph) == pytest.approx(known["transitivity"], abs=1e-12)
    assert triadic.average_clustering(graph) == pytest.approx(known["average_clustering"], abs=1e-12)


def test_the_support_of_edges_adds_up_to_triangles(network):
    _, graph, known = network
    support = triadic.edge_support(graph.to_undirected())
    assert len(support) == known["edges"]
    assert support.sum() == 3 * known["triangles"]
    source, target = graph.to_undirected().edges()
    twice = np.bincount(source, support, graph.num_vertices) + np.bincount(target, support, graph.num_vertices)
    np.testing.assert_array_equal(twice, 2 * triadic.triangles(graph))


def test_the_spectrum_adds_up_to_the_average(network):
    _, graph, known = network
    spectrum = triadic.clustering_spectrum(graph)
    assert spectrum.degree[-1] == known["max_degree"]
    assert (spectrum.clustering * spectrum.vertices).sum() / spectrum.vertices.sum() == pytest.approx(
        known["average_clustering"], abs=1e-12
    )
