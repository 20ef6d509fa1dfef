"""Networks compared by their graphlets: equal to the definitions written out, to pyfglt's own, and to known values."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from functools import partial
from math import inf, isnan, log, prod, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csc_matrix

import known_graphlets
import triadic
from known_graphlets import PLACES
from strategies import examples, networks
from triadic import Graph, generate
from triadic.errors import ArgumentError

# The graphlet that each of ORCA's orbits is.
GRAPHLET = [1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10, 11, 13, 14, 15]
CORRELATION, DEGREE, FREQUENCY = (
    partial(triadic.compare, method=name) for name in ("correlation", "degree", "frequency")
)
DISTANCES = [CORRELATION, FREQUENCY]
EVERY = [*DISTANCES, DEGREE]
SIZED = [FREQUENCY, DEGREE]
OF_FIVE = [
    lambda a, b, **keywords: triadic.compare(a, b, size=5, **keywords),
    *(lambda a, b, measure=measure, **keywords: measure(a, b, size=5, **keywords) for measure in SIZED),
]


def graph_of(known, **keywords):
    edges = np.array(known.edges, dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(edges[:, 0], edges[:, 1], num_vertices=known.vertices, directed=False, **keywords)


def transform_of(known):
    return triadic.graphlet_transform(graph_of(known))


def ranks(values):
    """Return the rank of each value, 1 for the smallest; equal values share the mean of their ranks."""
    return [sum(w < v for w in values) + (sum(w == v for w in values) + 1) / 2 for v in values]


def centred_ranks(values):
    return [r - (len(values) + 1) / 2 for r in ranks(values)]


def correlation(x, y):
    """Return the correlation of two lists of centred ranks."""
    both, one, other = (sum(a * b for a, b in zip(*pair, strict=True)) for pair in ((x, y), (x, x), (y, y)))
    return both / sqrt(one * other) if one and other else float("nan")


def correlations(rows, chosen, *, one_more):
    columns = [centred_ranks([row[graphlet] for row in rows] + [1] * one_more) for graphlet in chosen]
    return np.array([[correlation(a, b) for b in columns] for a in columns])


def agreements(rows, other_rows, columns=GRAPHLET):
    found = []
    for graphlet in columns:
        scaled = []
        for table in (rows, other_rows):
            spread = Counter(row[graphlet] for row in table if row[graphlet])
            total = sum(vertices / k for k, vertices in spread.items())
            scaled.append({k: vertices / k / total for k, vertices in spread.items()})
        a, b = scaled
        found.append(1 - sqrt(sum((a.get(k, 0) - b.get(k, 0)) ** 2 for k in {*a, *b}) / 2))
    return found


def frequencies(rows):
    counts = {graph: sum(row[k] for row in rows) // PLACES[k][1] for k, (graph, _) in enumerate(PLACES) if k > 1}
    return {graph: -log(count / sum(counts.values())) for graph, count in counts.items() if count}


@examples(20)
@given(networks())
def test_correlations_are_those_of_ranks_with_one_more_vertex(network):
    transform = triadic.graphlet_transform(network.graph())
    rows = transform.net.tolist()
    for redundant, left_out in ((False, {3, 12, 13, 14}), (True, set())):
        chosen = [graphlet for orbit, graphlet in enumerate(GRAPHLET) if orbit not in left_out]
        matrix = triadic.graphlet_correlation_matrix(transform, redundant=redundant)
        assert matrix.shape == (15 - len(left_out),) * 2
        np.testing.assert_allclose(matrix, correlations(rows, chosen, one_more=1), rtol=0, atol=1e-12)


@examples(20)
@given(networks(), networks())
def test_the_correlation_distance_is_euclidean_above_the_diagonal(network, other):
    a, b = (triadic.graphlet_transform(chosen.graph()) for chosen in (network, other))
    matrices = [triadic.graphlet_correlation_matrix(transform) for transform in (a, b)]
    wanted = sqrt(sum((matrices[0][i, j] - matrices[1][i, j]) ** 2 for j in range(11) for i in range(j)))
    assert triadic.compare(a, b) == pytest.approx(wanted, abs=1e-12, nan_ok=True)
    assert isnan(wanted) or wanted <= 2 * sqrt(55)


@examples(20)
@given(networks(), networks())
def test_the_degree_agreement_is_the_mean_over_orbits(network, other):
    a, b = (triadic.graphlet_transform(chosen.graph()) for chosen in (network, other))
    wanted = agreements(a.net.tolist(), b.net.tolist())
    assert triadic.compare(a, b, method="degree") == pytest.approx(sum(wanted) / 15, abs=1e-12)
    geometric = prod(max(agreement, 0) for agreement in wanted) ** (1 / 15)
    # The root of what is nearly nothing is far from nothing.
    assert triadic.compare(a, b, mean="geometric", method="degree") == pytest.approx(geometric, rel=1e-9, abs=0.1)


@given(networks(), networks())
def test_the_frequency_distance_is_that_of_logarithms(network, other):
    a, b = (triadic.graphlet_transform(chosen.graph()) for chosen in (network, other))
    ours, theirs = frequencies(a.net.tolist()), frequencies(b.net.tolist())
    shared = [abs(ours[graph] - theirs[graph]) for graph in {*ours} & {*theirs}]
    one_only = {*ours} ^ {*theirs}
    assert triadic.compare(a, b, method="frequency") == (inf if one_only else pytest.approx(sum(shared), abs=1e-12))
    skipping = triadic.compare(a, b, absent="skip", method="frequency")
    assert isnan(skipping) if one_only and not shared else skipping == pytest.approx(sum(shared), abs=1e-12)


@examples(20)
@given(networks(), st.randoms(use_true_random=False))
def test_a_renumbered_network_is_the_same(network, random):
    name = list(range(network.vertices))
    random.shuffle(name)
    again = network._replace(arcs=[(name[u], name[v]) for u, v in network.arcs])
    a, b = network.graph(), again.graph()
    matrices = [triadic.graphlet_correlation_matrix(transform) for transform in (a, b)]
    np.testing.assert_allclose(*matrices, rtol=0, atol=1e-12)
    assert triadic.compare(a, b, method="degree") == pytest.approx(1, abs=1e-12)
    assert triadic.compare(a, b, method="frequency") == 0


@examples(20)
@given(networks(directed=True), networks())
def test_a_directed_network_compares_as_its_skeleton(network, other):
    directed, skeleton, another = network.graph(), network._replace(directed=False).graph(), other.graph()
    for measure in EVERY:
        np.testing.assert_equal(measure(directed, another), measure(skeleton, another))


@pytest.mark.parametrize("measure", EVERY)
@pytest.mark.parametrize("definition", ["published", "pyfglt"])
def test_graphs_and_transforms_return_the_same_in_either_order(measure, definition):
    a, b = generate.watts_strogatz(90, 6, 0.2, seed=1), generate.barabasi_albert(120, 3, seed=2)
    found = measure(a, b, definition=definition, threads=1)
    assert 0 < found < inf
    assert measure(triadic.graphlet_transform(a), b, definition=definition) == found
    assert measure(b, a, definition=definition, threads=3, device="cpu") == pytest.approx(found, abs=1e-12)


# Graphlets of up to five vertices


@examples(6, nightly=240)
@given(networks(), networks())
def test_graphlets_of_five_vertices_compare_by_the_same_definitions(network, other):
    a, b = (triadic.graphlets(chosen.graph(), size=5, by="vertex") for chosen in (network, other))
    matrices = [correlations(orbits.tolist(), range(73), one_more=1) for orbits in (a, b)]
    found = triadic.graphlet_correlation_matrix(network.graph(), size=5)
    np.testing.assert_allclose(found, matrices[0], rtol=0, atol=1e-12)
    wanted = sqrt(sum((matrices[0][i, j] - matrices[1][i, j]) ** 2 for j in range(73) for i in range(j)))
    distance = triadic.compare(a, b, size=5)
    assert distance == pytest.approx(wanted, abs=1e-11, nan_ok=True)
    assert isnan(wanted) or wanted <= 2 * sqrt(2628)

    shares = agreements(a.tolist(), b.tolist(), range(73))
    agreement = triadic.compare(network.graph(), b, size=5, method="degree")
    assert agreement == pytest.approx(sum(shares) / 73, abs=1e-12)
    if min(shares) > 1e-6:  # the root of what is nearly nothing is far from nothing
        geometric = prod(shares) ** (1 / 73)
        assert triadic.compare(a, b, size=5, mean="geometric", method="degree") == pytest.approx(geometric, rel=1e-9)

    ours, theirs = (
        {name: count for name, count in triadic.graphlets(chosen.graph(), size=5).items() if name != "edge" and count}
        for chosen in (network, other)
    )
    log_shares = [{name: -log(n / sum(counts.values())) for name, n in counts.items()} for counts in (ours, theirs)]
    shared = sum(abs(log_shares[0][name] - log_shares[1][name]) for name in {*ours} & {*theirs})
    distance = triadic.compare(a, other.graph(), size=5, method="frequency")
    assert distance == (inf if {*ours} ^ {*theirs} else pytest.approx(shared, abs=1e-12))


@pytest.mark.parametrize("measure", OF_FIVE)
def test_graphs_and_arrays_of_orbits_return_the_same(measure):
    a, b = generate.watts_strogatz(90, 6, 0.4, seed=1), generate.rmat(7, seed=2)
    found = measure(a, b, threads=1)
    assert found > 0
    assert measure(triadic.graphlets(a, size=5, by="vertex"), b, threads=2, device="cpu") == found
    assert measure(a, triadic.graphlets(b, size=5, by="vertex")) == found


@pytest.mark.parametrize("measure", EVERY)
def test_an_array_of_the_orbits_of_four_vertices_is_a_network(measure):
    a, b = generate.watts_strogatz(90, 6, 0.4, seed=1), generate.rmat(7, seed=2)
    assert measure(triadic.graphlets(a, by="vertex"), triadic.graphlets(b, by="vertex")) == measure(a, b)


@pytest.mark.parametrize("measure", EVERY)
def test_an_array_of_two_rows_is_an_edge_index_unless_its_numbers_are_orbits(measure):
    random = np.random.default_rng(1)
    edges = random.integers(0, 9, (2, 15))
    other = graph_of(known_graphlets.paw())
    np.testing.assert_equal(measure(edges, other), measure(Graph(edges), other))
    pair = Graph.from_edges([0], [1])
    np.testing.assert_equal(measure(triadic.graphlets(pair, by="vertex"), other), measure(pair, other))


@pytest.mark.parametrize("measure", OF_FIVE)
def test_an_array_that_no_network_has_is_an_error_that_names_the_row(measure):
    graph = generate.rmat(6, seed=1)
    orbits = triadic.graphlets(graph, size=5, by="vertex")
    with pytest.raises(ArgumentError, match=r"^b: got an array of shape \(64, 15\); expected .* shape \(n, 73\)"):
        measure(graph, triadic.graphlets(graph, by="vertex"))
    with pytest.raises(ArgumentError, match=r"^b: expected whole numbers.*float64"):
        measure(graph, orbits * 1.0)
    wrong = orbits.copy()
    wrong[7, 23] += 1
    with pytest.raises(ArgumentError, match=rf"^b\[7\]: no vertex with {orbits[7, 0]} neighbours has these numbers"):
        measure(graph, wrong)
    with pytest.raises(ArgumentError, match=r"^a: a transform has graphlets of up to four vertices; expected a graph"):
        measure(triadic.graphlet_transform(graph), graph)


def test_pyfglt_compares_no_arrays():
    orbits = triadic.graphlets(graph_of(known_graphlets.paw()), by="vertex")
    for measure in EVERY:
        with pytest.raises(ArgumentError, match="definition='pyfglt': expected graphs or transforms"):
            measure(orbits, orbits, definition="pyfglt")


def test_a_triangle_and_a_4_clique():
    a, b = (transform_of(known_graphlets.complete(n)) for n in (3, 4))
    # Degrees and triangles are apart, the 4-clique is in one only, and neither has the other 12.
    assert triadic.compare(a, b, method="degree") == pytest.approx((12 + 1 - 1 / sqrt(2)) / 15)
    assert triadic.compare(a, b, mean="geometric", method="degree") == 0
    assert triadic.compare(a, b, definition="pyfglt", method="degree") == pytest.approx(13 / 16)
    assert triadic.compare(a, b, method="frequency") == inf
    assert triadic.compare(a, b, absent="skip", method="frequency") == pytest.approx(log(5 / 4))
    assert triadic.compare(a, b, definition="pyfglt", method="frequency") == pytest.approx(0.5)


def test_two_stars():
    a, b = (transform_of(known_graphlets.star(leaves)) for leaves in (3, 4))
    assert triadic.compare(a, b, method="frequency") == pytest.approx(log(0.75 / 0.6) + log(0.4 / 0.25))


def test_networks_without_triangles_have_nan_correlations_with_pyfglt():
    a, b = graph_of(known_graphlets.star(5)), graph_of(known_graphlets.complete_bipartite(3, 5))
    assert not np.isnan(triadic.graphlet_correlation_matrix(a)).any()
    assert np.isnan(triadic.graphlet_correlation_matrix(a, definition="pyfglt")).sum() == 15**2 - 5**2
    assert triadic.compare(a, b) > 0
    assert isnan(triadic.compare(a, b, definition="pyfglt"))


def test_an_orbit_that_every_vertex_touches_once_has_no_correlation():
    matching = Graph.from_edges([0, 2, 4], [1, 3, 5])
    matrix = triadic.graphlet_correlation_matrix(matching)
    assert np.isnan(matrix[0]).all()
    assert np.isnan(matrix[:, 0]).all()
    assert (matrix[1:, 1:] == 1).all()


def test_networks_without_vertices():
    nobody, someone = graph_of(known_graphlets.empty(0)), graph_of(known_graphlets.paw())
    assert np.isnan(triadic.graphlet_correlation_matrix(nobody)).all()
    assert isnan(triadic.compare(nobody, someone))
    assert triadic.compare(nobody, nobody, method="degree") == 1
    assert triadic.compare(nobody, someone, method="degree") < 1
    assert isnan(triadic.compare(nobody, someone, definition="pyfglt", method="degree"))
    assert triadic.compare(nobody, nobody, method="frequency") == 0
    assert triadic.compare(nobody, nobody, absent="skip", method="frequency") == 0
    assert triadic.compare(nobody, someone, method="frequency") == inf
    assert isnan(triadic.compare(nobody, someone, absent="skip", method="frequency"))
    assert triadic.compare(nobody, someone, definition="pyfglt", method="frequency") == pytest.approx(1)


def test_large_counts_take_no_more_memory_than_small_ones():
    """Bins for every count up to the claws of these stars would take terabytes."""
    a, b = (graph_of(known_graphlets.star(leaves)) for leaves in (20_000, 30_000))
    for definition in ("published", "pyfglt"):
        assert 0 < triadic.compare(a, b, definition=definition, method="degree") < 1


@pytest.mark.parametrize(
    ("measure", "keywords", "found"),
    [
        (DEGREE, {"mean": "harmonic"}, "mean='harmonic': expected one of 'arithmetic', "),
        (DEGREE, {"mean": "geometric", "definition": "pyfglt"}, "arithmetic mean only"),
        (FREQUENCY, {"absent": "zero"}, "absent='zero'"),
        *((measure, {"definition": "GraphCrunch"}, "definition='GraphCrunch'") for measure in EVERY),
        (triadic.compare, {"size": 6}, "size=6: expected 4 or 5"),
        (triadic.compare, {"size": 5, "redundant": True}, "size=5: redundant=True correlates the 15 orbits"),
        (triadic.compare, {"size": 5, "definition": "pyfglt"}, "size=5: pyfglt correlates the 15 orbits"),
        *((measure, {"size": 5, "definition": "pyfglt"}, "size=5: pyfglt compares") for measure in SIZED),
        *((measure, {"size": 3}, "size=3: expected 4 or 5") for measure in SIZED),
        *((measure, {"device": "abacus"}, "abacus") for measure in EVERY),
        *((measure, {"threads": 0}, "threads=0") for measure in EVERY),
    ],
)
def test_an_invalid_option_is_an_error(measure, keywords, found):
    graph = graph_of(known_graphlets.paw())
    with pytest.raises(ArgumentError, match=found.replace("(", r"\(")):
        measure(graph, graph, **keywords)


@pytest.mark.parametrize("measure", EVERY)
def test_a_transform_of_five_graphlets_is_an_error(measure):
    graph = graph_of(known_graphlets.paw())
    with pytest.raises(ArgumentError, match="all 16 graphlets, got one of 5"):
        measure(graph, triadic.graphlet_transform(graph, size=3))
    with pytest.raises(ArgumentError, match=r"got list; expected a Graph"):
        measure([(0, 1)], graph)


def test_comparing_imports_no_library_of_statistics_or_tables():
    code = (
        "import sys, triadic; graph = triadic.Graph.from_edges([0, 1, 2], [1, 2, 0]);"
        "[triadic.compare(graph, graph, method=name) for name in ('correlation', 'degree', 'frequency')];"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    loaded = done.stdout.split()
    assert not {"scipy.stats", "scipy.sparse", "pandas"} & set(loaded)


@pytest.fixture(scope="module")
def pyfglt():
    return pytest.importorskip("pyfglt.fglt", reason="pyfglt is not installed; it comes with the bench group")


PAIRS = {
    "small worlds": (generate.watts_strogatz(60, 6, 0.1, seed=1), generate.watts_strogatz(80, 6, 0.5, seed=1)),
    "hubs and none": (generate.barabasi_albert(70, 3, seed=1), generate.delaunay(50, seed=1)),
    "isolated vertices": (generate.rmat(6, seed=1), generate.erdos_renyi(90, 60, seed=1)),
    "no triangles": (generate.grid(5, 6), graph_of(known_graphlets.petersen())),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_the_definitions_of_pyfglt_return_the_values_of_pyfglt(pyfglt, pair):
    frames = [pyfglt.compute(csc_matrix(graph.to_scipy())) for graph in PAIRS[pair]]
    matrices = [pyfglt.compute_graphlet_correlation_matrix(frame) for frame in frames]
    for graph, matrix in zip(PAIRS[pair], matrices, strict=True):
        found = triadic.graphlet_correlation_matrix(graph, definition="pyfglt")
        np.testing.assert_allclose(found, matrix.to_numpy(), rtol=0, atol=1e-12)
    for measure, wanted in {
        CORRELATION: pyfglt.gcm_distance(*matrices),
        DEGREE: pyfglt.compute_gdd_agreement(*frames),
        FREQUENCY: pyfglt.compute_rgf_distance(*frames),
    }.items():
        found = measure(*PAIRS[pair], definition="pyfglt")
        assert found == pytest.approx(wanted, rel=1e-12, abs=1e-12, nan_ok=True)
