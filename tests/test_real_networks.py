"""Counts on real networks equal the counts of other programs (igraph, ORCA)."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb

import numpy as np
import pytest

import naive
import triadic
from triadic.core.exact import exact_column_sums
from triadic.core.graphlets import ORBITS_OF_GRAPHLETS

# An edge list without a header is read as directed, even if the network is undirected.
WITHOUT_HEADER = {"facebook_combined.txt.gz", "cnr-2000.tsv.gz"}
# These files name every edge at both its ends, by their format (METIS) or in fact (Pajek).
FROM_BOTH_ENDS = {
    "PGPgiantcompo.graph.gz",
    "USpowerGrid.net.gz",
    "celegans_metabolic.graph.gz",
    "delaunay_n16.graph.gz",
}
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


DIRECTED = [
    "eatSR.net.gz",
    "soc-Slashdot0902.txt.gz",
    "soc-sign-Slashdot090221.txt.gz",
    "web-NotreDame.txt.gz",
    "wiki-Vote.txt.gz",
]


# Each takes seconds. That they are read, in their formats, is tested in tests/io; other networks have their shapes.
SLOW = {"cnr-2000.tsv.gz", "ego-twitter.txt.gz", "soc-sign-Slashdot090221.txt.gz", "NDwww.net.gz"}


def nightly_if_slow(files):
    return [pytest.param(file, marks=pytest.mark.nightly) if file in SLOW else file for file in files]


@pytest.fixture(params=nightly_if_slow(FILES), scope="module")
def network(request, real_networks):
    """A network and its known figures."""
    known = json.loads((real_networks / "expected.json").read_text())
    return request.param, triadic.read(real_networks / request.param), known[request.param]


def test_every_file_with_known_figures_is_read(real_networks):
    assert sorted(json.loads((real_networks / "expected.json").read_text())) == FILES


def test_vertices_edges_and_loops_have_the_known_numbers(network):
    name, graph, known = network
    assert graph.directed is (True if name in WITHOUT_HEADER else known["directed"])
    assert graph.num_vertices == known["vertices"]
    assert graph.num_edges == known["edges"]
    assert graph.dropped.loops == known["self_loops"]
    assert graph.degree.max() == known["max_degree"]
    if "arcs" in known:
        assert graph.num_arcs == known["arcs"]


def test_every_entry_of_the_file_is_accounted_for(network):
    name, graph, known = network
    dropped = graph.dropped
    kept = graph.num_arcs if graph.directed or name in FROM_BOTH_ENDS else graph.num_edges
    assert name not in FROM_BOTH_ENDS or dropped.reciprocal_merged == 0
    assert kept + dropped.loops + dropped.duplicates + dropped.reciprocal_merged == known["entries"]


def test_triangles_and_clustering_equal_the_figures_of_other_programs(network):
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
    assert spectrum["degree"][-1] == known["max_degree"]
    assert (spectrum["clustering"] * spectrum["vertices"]).sum() / spectrum["vertices"].sum() == pytest.approx(
        known["average_clustering"], abs=1e-12
    )


@pytest.fixture(params=nightly_if_slow(DIRECTED), scope="module")
def digraph(request, real_networks):
    """A directed network, its number of vertices and its census by other programs."""
    known = json.loads((real_networks / "expected.json").read_text())[request.param]
    return triadic.read(real_networks / request.param), known["vertices"], known["triad_census"]


def test_every_known_census_is_compared(real_networks):
    known = json.loads((real_networks / "expected.json").read_text())
    assert sorted(name for name in known if "triad_census" in known[name]) == DIRECTED


def test_the_triad_census_equals_the_census_of_other_programs(digraph):
    graph, n, known = digraph
    census = triadic.triad_census(graph)
    assert census == known
    assert sum(census.values()) == comb(n, 3)


def test_the_triads_of_vertices_add_up_to_the_census_of_other_programs(digraph):
    graph, n, known = digraph
    by_vertex = triadic.triad_census(graph, by="vertex")
    assert by_vertex.sum(axis=0).tolist() == [3 * known[name] for name in triadic.TRIAD_NAMES]
    assert by_vertex.min() >= 0
    assert set(by_vertex.sum(axis=1).tolist()) == {comb(n - 1, 2)}


def test_the_64_types_add_up_to_the_census_of_other_programs(digraph):
    graph, _, known = digraph
    folded = dict.fromkeys(known, 0)
    for code, count in triadic.triad_census(graph, labelled=True).items():
        assert count >= 0
        folded[naive.TYPE_OF_CODE[int(code)]] += count
    assert folded == known


GRAPHLETS = [
    "PGPgiantcompo.graph.gz",
    "USAir97.net.gz",
    "USpowerGrid.net.gz",
    "celegans_metabolic.graph.gz",
    "delaunay_n16.graph.gz",
    "facebook_combined.txt.gz",
    "wiki-Vote.txt.gz",
]


@pytest.fixture(params=GRAPHLETS, scope="module")
def graphlets(request, real_networks):
    """A network, its graphlet transform, and its known figures."""
    known = json.loads((real_networks / "expected.json").read_text())[request.param]
    graph = triadic.read(real_networks / request.param)
    return graph, triadic.graphlet_transform(graph), known


def test_every_known_sum_of_graphlets_is_compared(real_networks):
    known = json.loads((real_networks / "expected.json").read_text())
    assert sorted(name for name in known if "net_graphlet_sums_d1_to_d15" in known[name]) == GRAPHLETS


def test_the_graphlets_add_up_to_the_sums_of_orca(graphlets):
    graph, found, known = graphlets
    expected = [known["vertices"], *known["net_graphlet_sums_d1_to_d15"]]
    assert list(found.net_sums) == found.net.sum(axis=0).tolist() == expected
    assert found.net.min() >= 0
    assert found.totals["edge"] == known["edges"]
    assert found.totals["triangle"] == known["triangles"]
    np.testing.assert_array_equal(found.net[:, 4], triadic.triangles(graph))


def test_orbit_degrees_are_in_the_order_of_orca(graphlets):
    graph, _, known = graphlets
    orbits = triadic.graphlets(graph, by="vertex")
    sums = known["net_graphlet_sums_d1_to_d15"]
    # Orbits 0 to 7 and 9 to 14 have the order of the transform; graphlet 12, the cycle, is orbit 8.
    assert orbits.sum(axis=0).tolist() == [*sums[:8], sums[11], *sums[8:11], *sums[12:]]


ORBITS_OF_FIVE = ["HSapiens.el.gz", "PGPgiantcompo.graph.gz", "USpowerGrid.net.gz", "celegans_metabolic.graph.gz"]


@pytest.fixture(scope="module")
def sums_of_orca(real_networks):
    return json.loads((real_networks / "expected_orbits5.json").read_text())["orca_orbit_sums_0_to_72"]


def test_every_known_sum_of_orbits_is_compared(sums_of_orca):
    assert sorted(sums_of_orca) == ORBITS_OF_FIVE


@pytest.mark.parametrize(
    "file",
    [pytest.param(file, marks=pytest.mark.nightly) if file.startswith("HSapiens") else file for file in ORBITS_OF_FIVE],
)
def test_the_73_orbits_add_up_to_the_sums_of_orca(file, real_networks, sums_of_orca):
    orbits = triadic.graphlets(triadic.read(real_networks / file), size=5, by="vertex")
    assert orbits.min() >= 0
    assert orbits.sum(axis=0).tolist() == sums_of_orca[file]


@pytest.mark.parametrize(
    "file",
    [
        "SCerevisiae.el.gz",
        pytest.param("soc-Slashdot0902.txt.gz", marks=pytest.mark.nightly),
        pytest.param("facebook_combined.txt.gz", marks=pytest.mark.nightly),
    ],
)
def test_the_orbits_of_each_graphlet_have_the_same_total(file, real_networks):
    orbits = triadic.graphlets(triadic.read(real_networks / file), size=5, by="vertex")
    assert orbits.min() >= 0
    sums = exact_column_sums(orbits)
    for places in ORBITS_OF_GRAPHLETS:
        assert len({Fraction(sums[orbit], places.count(orbit)) for orbit in places}) == 1


def test_each_position_of_a_graphlet_has_the_same_total(graphlets):
    _, found, _ = graphlets
    for sums in (found.raw_sums, found.net_sums):
        assert sums[1] == 2 * found.totals["edge"]
        assert (sums[2], sums[5]) == (2 * sums[3], sums[6])
        assert (sums[7], sums[10], sums[9], sums[13]) == (3 * sums[8], 2 * sums[11], sums[11], sums[14])


def test_counting_only_the_first_five_graphlets_gives_the_same_counts(graphlets):
    graph, found, _ = graphlets
    five = triadic.graphlet_transform(graph, size=3)
    np.testing.assert_array_equal(five.raw, found.raw[:, :5])
    np.testing.assert_array_equal(five.net, found.net[:, :5])


def test_the_edges_of_a_vertex_by_support_add_up_to_its_degree(network):
    _, graph, known = network
    found = triadic.generalized_degree(graph)
    np.testing.assert_array_equal(found.sum(axis=1), graph.degree)
    assert (found @ np.arange(found.shape[1])).sum() == 6 * known["triangles"]


def test_square_clustering_follows_from_the_graphlets(graphlets):
    graph, found, _ = graphlets
    squares, paths = found.raw[:, 12], found.raw[:, 6]
    expected = np.divide(squares, paths - squares, out=np.zeros(len(paths)), where=paths > squares)
    np.testing.assert_array_equal(triadic.square_clustering(graph), expected)
