"""Discrepancies of batches of graphs: equal to the papers' programs, and to the definitions written as loops."""

from __future__ import annotations

from itertools import product
from math import exp, sqrt

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.stats import wasserstein_distance

import naive
import naive_graphlets
import triadic
from strategies import examples, networks
from triadic import Graph, GraphBatch, generate, mmd
from triadic.errors import ArgumentError, DirectionWarning, UnsupportedError
from triadic.measures.discrepancy import cumulative, squared_discrepancy

EVERY = [
    ("degree", "gaussian_tv"),
    ("degree", "gaussian_emd"),
    ("degree", "gaussian"),
    ("clustering", "gaussian_tv"),
    ("clustering", "gaussian_emd"),
    ("clustering", "gaussian"),
    ("orbits", "gaussian_tv"),
    ("orbits", "gaussian"),
]

# Orbits 0 to 14 as columns of the graphlets that `naive_graphlets` counts.
GRAPHLET_OF_ORBIT = [1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10, 11, 13, 14, 15]


def reference():
    return [
        nx.cycle_graph(12),
        nx.grid_2d_graph(4, 5),
        nx.wheel_graph(9),
        nx.petersen_graph(),
        nx.complete_bipartite_graph(3, 5),
        nx.ladder_graph(7),
    ]


def generated():
    """Graphs with the kinds that programs for graphs often forget: no vertex, one vertex, no edge."""
    return [
        nx.path_graph(10),
        nx.star_graph(7),
        nx.complete_graph(6),
        nx.karate_club_graph(),
        nx.lollipop_graph(5, 4),
        nx.empty_graph(0),
        nx.empty_graph(3),
        nx.empty_graph(1),
    ]


def distance(x, y, kernel, positions):
    """Return the distance of two descriptions, that of the earth mover by SciPy."""
    if kernel == "gaussian_emd":
        return wasserstein_distance(positions, positions, x, y)
    apart = [abs(a - b) for a, b in zip(x, y, strict=True)]
    return sum(apart) / 2 if kernel == "gaussian_tv" else sqrt(sum(gap * gap for gap in apart))


def discrepancy(descriptions, others, kernel, sigma, positions=None):
    """Return the squared discrepancy as means over all pairs."""

    def mean(first, second):
        pairs = list(product(first, second))
        return sum(exp(-(distance(x, y, kernel, positions) ** 2) / (2 * sigma**2)) for x, y in pairs) / len(pairs)

    return mean(descriptions, descriptions) + mean(others, others) - 2 * mean(descriptions, others)


def padded(histograms, length):
    return [np.pad(histogram, (0, length - len(histogram))) / sum(histogram) for histogram in histograms]


def by_definition(a, b, of, kernel, *, sigma=None, bins=100):
    """Return the discrepancy of two lists of networkx graphs, with networkx's degrees and clustering coefficients."""
    a, b = ([graph for graph in graphs if len(graph)] for graphs in (a, b))
    if of == "orbits":
        tables = [[mean_orbits(graph) for graph in graphs] for graphs in (a, b)]
        return discrepancy(*tables, kernel, sigma or 30)
    if of == "degree":
        histograms = [[nx.degree_histogram(graph) for graph in graphs] for graphs in (a, b)]
        positions = range(max(len(histogram) for graphs in histograms for histogram in graphs))
        tables = [padded(graphs, len(positions)) for graphs in histograms]
        return discrepancy(*tables, kernel, sigma or 1, positions)
    histograms = [
        [np.histogram(list(nx.clustering(graph).values()), bins=bins, range=(0, 1))[0] for graph in graphs]
        for graphs in (a, b)
    ]
    tables = [padded(graphs, bins) for graphs in histograms]
    return discrepancy(*tables, kernel, sigma or 0.1, np.arange(bins) / bins)


def mean_orbits(graph):
    numbered = nx.convert_node_labels_to_integers(graph)
    rows = np.array(naive_graphlets.net(len(graph), list(numbered.edges)))
    return rows[:, GRAPHLET_OF_ORBIT].sum(axis=0) / len(graph)


# Returned by the programs themselves for `reference()` and `generated()`, with ORCA and pyemd 0.5.1. DiGress's orbits
# were computed without the graph that has no vertices, at which ORCA's parser fails.
PUBLISHED = {
    "GRAN": {
        ("degree", "gaussian_tv"): 0.250868021093,
        ("clustering", "gaussian_tv"): 0.157596366383,
        ("orbits", "gaussian_tv"): 0.166017444360,
    },
    "GraphRNN": {
        ("degree", "gaussian_emd"): 0.580877047873,
        ("clustering", "gaussian_emd"): 0.168214441505,
        ("orbits", "gaussian"): 0.120810143730,
    },
    "DiGress": {
        ("degree", "gaussian_tv"): 0.250867955449,
        ("clustering", "gaussian_tv"): 0.157596366385,
        ("orbits", "gaussian_tv"): 0.166017444360,
        ("degree", "gaussian_emd"): 0.580877057409,
        ("clustering", "gaussian_emd"): 0.168214430025,
        ("orbits", "gaussian"): 0.120810143730,
    },
}
FIGURES = [(program, *key, figure) for program, figures in PUBLISHED.items() for key, figure in figures.items()]


@pytest.mark.parametrize(("program", "of", "kernel", "figure"), FIGURES)
def test_the_figures_are_those_of_the_published_programs(program, of, kernel, figure):
    found = mmd(reference(), generated(), of=of, kernel=kernel)
    # pyemd rounds shares to six decimals, and DiGress adds 0.000001 to the number of vertices.
    rounded = kernel == "gaussian_emd" or (program == "DiGress" and of != "orbits")
    assert found == pytest.approx(figure, rel=0, abs=1e-6 if rounded else 1e-12)


@pytest.mark.parametrize(("of", "kernel"), EVERY)
def test_the_discrepancy_is_that_of_all_pairs(of, kernel):
    a, b = reference(), [*generated(), *(nx.gnm_random_graph(9, 14, seed=seed) for seed in range(5))]
    b = [graph for graph in b if len(graph) < 20]
    for options in ({}, {"sigma": 0.3}, {"sigma": 7}):
        found = mmd(a, b, of=of, kernel=kernel, **options)
        assert found == pytest.approx(by_definition(a, b, of, kernel, **options), rel=0, abs=1e-12)


@pytest.mark.parametrize("bins", [1, 2, 7, 1000])
@pytest.mark.parametrize("kernel", ["gaussian_tv", "gaussian_emd", "gaussian"])
def test_any_number_of_bins(bins, kernel):
    a, b = ([nx.gnm_random_graph(20, edges, seed=seed) for seed in range(6)] for edges in (60, 90))
    found = mmd(a, b, of="clustering", kernel=kernel, bins=bins)
    assert found == pytest.approx(by_definition(a, b, "clustering", kernel, bins=bins), rel=0, abs=1e-12)


@examples(15)
@given(st.lists(networks(), min_size=1, max_size=4), st.lists(networks(), min_size=1, max_size=4))
def test_any_networks_have_the_discrepancies_of_their_naive_degrees_and_clustering(batch, other):
    a, b = ([network for network in batch if network.vertices] for batch in (batch, other))
    if not (a and b):
        return
    degrees = [[np.bincount(naive.degree(n.vertices, n.arcs)) for n in networks] for networks in (a, b)]
    length = max(len(histogram) for histograms in degrees for histogram in histograms)
    tables = [padded(histograms, length) for histograms in degrees]
    graphs = [[network.graph() for network in networks] for networks in (batch, other)]
    wanted = discrepancy(*tables, "gaussian_emd", 1, range(length))
    assert mmd(*graphs, of="degree", kernel="gaussian_emd") == pytest.approx(wanted, rel=0, abs=1e-12)
    coefficients = [[list(map(float, naive.clustering(n.vertices, n.arcs))) for n in networks] for networks in (a, b)]
    tables = [
        [np.histogram(values, bins=100, range=(0, 1))[0] / len(values) for values in lists] for lists in coefficients
    ]
    wanted = discrepancy(*tables, "gaussian_tv", 0.1)
    assert mmd(*graphs, of="clustering") == pytest.approx(wanted, rel=0, abs=1e-12)


@given(
    st.integers(1, 6).flatmap(lambda k: st.lists(st.lists(st.integers(0, 9), min_size=k, max_size=k), min_size=2)),
    st.randoms(use_true_random=False),
)
def test_rows_of_cumulative_distributions_differ_by_the_earth_movers_distance(rows, random):
    shares = np.array([np.divide(row, sum(row)) for row in rows if sum(row)])
    if len(shares) == 0:
        return
    positions = np.cumsum([random.uniform(0.1, 3) for _ in shares[0]])
    table = cumulative(shares, positions)
    for i, j in product(range(len(shares)), repeat=2):
        wanted = wasserstein_distance(positions, positions, shares[i], shares[j])
        assert abs(table[i] - table[j]).sum() == pytest.approx(wanted, abs=1e-12)


def hub_with(neighbours, triangles):
    """Make a hub whose coefficient is the number of triangles divided by that of pairs of neighbours."""
    pairs = [(u, v) for v in range(1, neighbours + 1) for u in range(1, v)]
    return nx.Graph([*((0, v) for v in range(1, neighbours + 1)), *pairs[:triangles]])


@pytest.mark.parametrize(
    "bins", [3, pytest.param(7, marks=pytest.mark.nightly), pytest.param(10, marks=pytest.mark.nightly), 100]
)
def test_coefficients_on_the_edges_of_bins_are_in_the_bins_of_numpy(bins):
    a = [hub_with(25, triangles) for triangles in range(0, 301, 3)]  # 0, 0.01, 0.02, ...
    b = [hub_with(neighbours, triangles) for neighbours in (3, 5, 7) for triangles in range(0, 22, neighbours - 2)]
    found = mmd(a, b, of="clustering", kernel="gaussian", bins=bins, sigma=0.05)
    wanted = by_definition(a, b, "clustering", "gaussian", bins=bins, sigma=0.05)
    assert found == pytest.approx(wanted, rel=0, abs=1e-12)


@pytest.mark.parametrize(("of", "kernel"), EVERY)
def test_equal_batches_in_any_order_have_no_discrepancy(of, kernel):
    graphs = [generate.barabasi_albert(40, 3, seed=seed) for seed in range(9)]
    assert mmd(graphs, graphs[4:] + graphs[:4], of=of, kernel=kernel) == 0
    others = [generate.erdos_renyi(40, 111, seed=seed) for seed in range(7)]
    apart = mmd(graphs, others, of=of, kernel=kernel)
    assert apart > 0
    assert mmd(others[::-1], graphs, of=of, kernel=kernel) == apart
    # Twice the same graphs are the same distribution.
    assert mmd(graphs * 2, graphs, of=of, kernel=kernel) == 0


def test_graphs_that_share_nothing_are_two_apart_if_each_batch_repeats_one_graph():
    empty, clique = nx.empty_graph(5), nx.complete_graph(5)
    for of in ("degree", "clustering", "orbits"):
        assert mmd([empty] * 3, [clique] * 2, of=of, sigma=1e-3) == 2
        assert mmd([empty], [clique], of=of, sigma=1e-300) == 2
        assert mmd([empty], [clique], of=of, sigma=1e300) == 0


def test_graphs_without_vertices_are_left_out():
    some, nobody = [nx.path_graph(4), nx.complete_graph(4)], nx.empty_graph(0)
    for of in ("degree", "clustering", "orbits"):
        without = mmd(some, [nx.star_graph(3)], of=of)
        assert mmd([nobody, some[0], nobody, some[1]], [nx.star_graph(3), nobody], of=of) == without


def test_isolated_vertices_count():
    triangle = Graph.from_edges([0, 1, 2], [1, 2, 0])
    with_one_more = Graph.from_edges([0, 1, 2], [1, 2, 0], num_vertices=4)
    for of in ("degree", "clustering", "orbits"):
        assert mmd([triangle], [with_one_more], of=of) > 0


def test_batches_of_any_kind_and_any_mixture():
    graphs = [nx.petersen_graph(), nx.path_graph(7), nx.wheel_graph(6)]
    mixed = [
        Graph(graphs[0]),
        csr_array(nx.to_scipy_sparse_array(graphs[1])),
        np.array([*graphs[2].edges, *((v, u) for u, v in graphs[2].edges)]).T,
    ]
    for of in ("degree", "clustering", "orbits"):
        assert mmd(graphs, mixed, of=of) == 0
        assert mmd(tuple(graphs), (graph for graph in mixed), of=of) == 0
        assert mmd(graphs, GraphBatch.from_graphs(graphs), of=of) == 0


@pytest.mark.parametrize(("of", "kernel"), EVERY)
def test_a_batch_whose_vertices_are_in_any_order_is_compared_as_its_graphs(of, kernel):
    graphs = [generate.watts_strogatz(12, 4, 0.3, seed=seed) for seed in range(5)]
    order = np.random.default_rng(1).permutation(60)
    ends = [np.concatenate([graph.edges()[end] + 12 * i for i, graph in enumerate(graphs)]) for end in (0, 1)]
    graph_of_vertex = np.empty(60, dtype=np.int64)
    graph_of_vertex[order] = np.repeat([0, 2, 3, 5, 6], 12)  # graphs 1, 4 and 7 have no vertices
    batch = GraphBatch.from_arrays(order[ends[0]], order[ends[1]], graph_of_vertex, num_graphs=8)
    assert mmd(batch, graphs, of=of, kernel=kernel) == 0
    others = [generate.erdos_renyi(12, 24, seed=seed) for seed in range(4)]
    assert mmd(batch, others, of=of, kernel=kernel) == mmd(graphs, others, of=of, kernel=kernel) > 0


def test_labels_weights_and_directions_may_differ_within_a_list():
    plain = Graph.from_edges([0, 1], [1, 2])
    labelled = Graph.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])
    weighted = Graph.from_edges([0, 1], [1, 2], weights=[0.5, 2])
    directed = Graph.from_edges([0, 1], [1, 2], directed=True)
    for of in ("degree", "clustering", "orbits"):
        assert mmd([plain, labelled, weighted, directed], [plain], of=of) == 0
        assert mmd(GraphBatch.from_graphs([directed, directed]), [plain], of=of) == 0


def test_directions_and_loops_are_ignored():
    arcs = [0, 1, 2, 0, 3], [1, 0, 0, 2, 3]
    directed = Graph.from_edges(*arcs, directed=True)
    for of in ("degree", "clustering", "orbits"):
        assert mmd([directed], [nx.Graph([(0, 1), (0, 2), (3, 3)])], of=of) == 0
    with pytest.warns(DirectionWarning):
        mmd([nx.DiGraph([(0, 1)])], [directed], of="degree")


def test_a_hub_takes_no_more_columns_than_other_vertices():
    """With a column for each degree up to the largest, these tables would take 16 GB."""
    path = Graph.from_edges([0, 1], [1, 2])
    hub = Graph.from_edges(np.zeros(1_000_000, dtype=np.int64), np.arange(1, 1_000_001))
    assert 0 < mmd([*[path] * 1999, hub], [path], of="degree", kernel="gaussian_emd") < 1e-6


def test_tables_larger_than_a_block_are_those_of_all_pairs():
    random = np.random.default_rng(1)
    a, b = random.random((900, 3)), random.random((700, 3))
    a[1:] = a[0]
    for kernel, factor in (("gaussian_tv", 0.5), ("gaussian_emd", 1)):
        apart = [factor * abs(x[:, None] - y).sum(axis=2) for x, y in ((a, a), (b, b), (a, b))]
        means = [np.exp(-(values**2) / (2 * 0.5**2)).mean() for values in apart]
        wanted = means[0] + means[1] - 2 * means[2]
        assert squared_discrepancy(a, b, kernel, 0.5) == pytest.approx(wanted, rel=0, abs=1e-12)


def test_threads_and_devices_return_the_same_and_progress_is_reported():
    a, b = ([generate.watts_strogatz(50, 6, p, seed=seed) for seed in range(4)] for p in (0.1, 0.5))
    steps = []
    for of in ("clustering", "orbits"):
        found = mmd(a, b, of=of, threads=1, device="cpu", progress=lambda *step: steps.append(step))
        assert found == mmd(a, b, of=of, threads=3)
        assert steps[-1][0] == steps[-1][1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"of": "spectrum"}, "of='spectrum': expected one of 'degree', 'clustering', 'orbits'"),
        ({"kernel": "emd"}, "kernel='emd': expected one of 'gaussian_tv', 'gaussian_emd', 'gaussian'"),
        ({"of": "orbits", "kernel": "gaussian_emd"}, "kernel='gaussian_emd': orbits have no order; expected "),
        ({"sigma": 0}, "sigma=0: expected a number above 0"),
        ({"sigma": -1.5}, "sigma=-1.5: expected"),
        ({"sigma": float("nan")}, "sigma=nan: expected"),
        ({"sigma": float("inf")}, "sigma=inf: expected"),
        ({"sigma": True}, "sigma=True: expected"),
        ({"sigma": "1"}, "sigma='1': expected"),
        ({"of": "clustering", "bins": 0}, "bins=0: expected a whole number of at least 1"),
        ({"of": "clustering", "bins": 2.5}, "bins=2.5: expected a whole number"),
        ({"bins": 50}, "bins=50: of='degree' has no bins; expected of='clustering'"),
        ({"of": "clustering", "threads": 0}, "threads=0"),
        ({"of": "clustering", "device": "abacus"}, "abacus"),
    ],
)
def test_an_invalid_option_is_an_error_of_one_line(options, message):
    with pytest.raises(ArgumentError) as raised:
        mmd([nx.path_graph(3)], [nx.path_graph(4)], **{"of": "degree"} | options)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        ([], "b: the batch is empty; expected at least one graph with a vertex"),
        ([nx.empty_graph(0)] * 2, "b: none of the 2 graphs has a vertex; expected at least one"),
        (GraphBatch.from_arrays([], [], offsets=[0, 0, 0]), "b: none of the 2 graphs has a vertex"),
        (nx.path_graph(3), "b: got one networkx.classes.graph.Graph; expected a list or a dict of graphs"),
        (generate.grid(2, 2), "b: got one triadic.graph.graph.Graph; expected a list or a dict of graphs"),
        (np.zeros((3, 4, 4)), "b: got numpy.ndarray; expected a list or a dict of graphs"),
        ([nx.path_graph(3), "graph.txt"], "b[1]: got str; expected a Graph, "),
        ([np.zeros((4, 4), dtype=int)], "b[0]: got ndarray of shape (4, 4); expected an edge_index"),
    ],
)
def test_a_batch_that_is_not_one_is_an_error_of_one_line(batch, message):
    with pytest.raises(ArgumentError) as raised:
        mmd([nx.path_graph(3)], batch, of="degree")
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_graphs_larger_than_memory_are_refused(tmp_path):
    triadic.write(generate.grid(5, 5), tmp_path / "grid.txt")
    tiled = triadic.tile(tmp_path / "grid.txt", tmp_path / "tiles")
    with pytest.raises(UnsupportedError, match="mmd does not take a TiledGraph"):
        mmd([tiled], [tiled], of="degree")
