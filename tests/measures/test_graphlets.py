"""The graphlet transform: equal to every set of four vertices, to formulas by matrices, to what is known by hand."""

from __future__ import annotations

import tracemalloc
from functools import partial
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import known_graphlets
import naive_graphlets
import triadic
from strategies import Network, arc_lists, bipartite, cliques, cores_with_leaves, examples, networks, stars
from triadic import Graph
from triadic.counts import graphlet_formulas
from triadic.errors import CountOverflowError
from triadic.generate import barabasi_albert, delaunay, rmat, watts_strogatz
from triadic.measures.graphlets import transform as graphlets


def directed_or_not(shapes):
    return st.builds(lambda shape, directed: Network(*shape, directed), shapes, st.booleans())


# So small that every set of four vertices can be looked at.
small_networks = directed_or_not(
    st.one_of(arc_lists(10, 30), cliques(8), stars(9), bipartite(5), cores_with_leaves(most_core=6, most_leaves=5))
)


def graph_of(known):
    source, target = np.array(known.edges, dtype=np.int64).reshape(-1, 2).T
    return Graph.from_edges(source, target, num_vertices=known.vertices)


def by_matrices(graph):
    """The sixteen raw frequencies at each vertex by their formulas, with scipy's sparse matrices."""
    a = graph.to_undirected().to_scipy().astype(np.int64)
    a.data[:] = 1
    k = np.asarray(a.sum(axis=1)).ravel()
    common = (a @ a).tocsr()
    c = (a * common).tocsr()
    t = c.sum(axis=1) // 2
    near = [a.indices[a.indptr[v] : a.indptr[v + 1]] for v in range(len(k))]
    parts = [a[chosen][:, chosen] for chosen in near]
    across = (a * (common - a)).tocsr()
    apart = common.copy()
    apart.setdiag(0)
    apart.data = apart.data * (apart.data - 1) // 2
    on = c.copy()
    on.data = on.data * (on.data - 1) // 2
    d2 = a @ (k - 1)
    return np.stack(
        [
            np.ones_like(k),
            k,
            d2,
            k * (k - 1) // 2,
            t,
            a @ d2 - k * (k - 1) - 2 * t,
            d2 * (k - 1) - 2 * t,
            a @ ((k - 1) * (k - 2) // 2),
            k * (k - 1) * (k - 2) // 6,
            a @ t - 2 * t,
            c @ (k - 2),
            (k - 2) * t,
            apart.sum(axis=1),
            ((a @ across) * a).sum(axis=1) // 2,
            on.sum(axis=1),
            np.array([((part @ part) * part).sum() // 6 for part in parts], dtype=np.int64),
        ],
        axis=1,
    )


def ends_meet(sums):
    """Whole graphs must be as many from each of their places."""
    for graph in known_graphlets.GRAPHS:
        seen = {divmod(sums[g], times) for g, (of, times) in enumerate(known_graphlets.PLACES) if of == graph}
        assert len(seen) == 1
        assert seen.pop()[1] == 0


MODELS = {
    "R-MAT": lambda: rmat(10, seed=3),
    "directed R-MAT": lambda: rmat(9, seed=4, directed=True),
    "scale-free": lambda: barabasi_albert(600, 6, seed=3),
    "small world": lambda: watts_strogatz(400, 12, 0.1, seed=3),
    "mesh": lambda: delaunay(600, seed=3),
}


@pytest.fixture(scope="module", params=list(MODELS))
def model(request):
    return MODELS[request.param]()


@pytest.fixture(scope="module")
def crowd():
    return rmat(10, seed=3)


# Equal to other ways of counting


@given(network=small_networks, threads=st.sampled_from([1, 2, 16]))
def test_raw_and_net_are_those_of_every_set_of_vertices(network, threads):
    found = triadic.graphlet_transform(network.graph(), threads=threads)
    n, arcs = network.vertices, network.arcs
    assert found.net.tolist() == naive_graphlets.net(n, arcs)
    assert found.raw.tolist() == naive_graphlets.raw(n, arcs)
    assert found.raw.dtype == found.net.dtype == np.int64
    assert found.raw.shape == found.net.shape == (n, 16)


@examples(25)
@given(network=networks())
def test_squares_diamonds_and_tetrahedra_are_those_by_neighbours(network):
    raw = triadic.graphlet_transform(network.graph()).raw
    n, arcs = network.vertices, network.arcs
    assert raw[:, 12].tolist() == naive_graphlets.squares(n, arcs)
    assert raw[:, 13].tolist() == naive_graphlets.diamonds_off_chord(n, arcs)
    assert raw[:, 14].tolist() == naive_graphlets.diamonds_on_chord(n, arcs)
    assert raw[:, 15].tolist() == naive_graphlets.tetrahedra(n, arcs)


@examples(25)
@given(network=networks())
def test_the_formulas_by_matrices_give_the_raw_frequencies(network):
    graph = network.graph()
    assert triadic.graphlet_transform(graph).raw.tolist() == by_matrices(graph).tolist()


def test_a_model_network_has_the_frequencies_of_the_formulas(model):
    np.testing.assert_array_equal(triadic.graphlet_transform(model).raw, by_matrices(model))


def assert_known(known):
    found = triadic.graphlet_transform(graph_of(known))
    assert found.totals == known.totals
    assert list(found.net_sums) == known.net_sums
    assert found.net.min(initial=0) >= 0
    if known.alike:
        assert (found.net == found.net[:1]).all()
        assert (found.raw == found.raw[:1]).all()
    five = triadic.graphlet_transform(graph_of(known), size=3)
    assert five.totals == {name: known.totals[name] for name in known_graphlets.GRAPHS[:4]}


@pytest.mark.parametrize("known", known_graphlets.SMALL, ids=lambda known: known.name)
def test_a_small_network_has_the_frequencies_known_by_hand(known):
    assert_known(known)


LARGE = {
    "star": lambda: known_graphlets.star(10**5),
    "K70": lambda: known_graphlets.complete(70),
    "K130": lambda: known_graphlets.complete(130),
    "K200": lambda: known_graphlets.complete(200),
    "K60,90": lambda: known_graphlets.complete_bipartite(60, 90),
    "K3,5000": lambda: known_graphlets.complete_bipartite(3, 5000),
    "path": lambda: known_graphlets.path(10**4),
    "cycle": lambda: known_graphlets.cycle(10**4),
    "wheel": lambda: known_graphlets.wheel(5000),
    "windmill": lambda: known_graphlets.windmill(5000),
    "cocktail party": lambda: known_graphlets.cocktail_party(80),
    "isolated vertices": lambda: known_graphlets.empty(10**4),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_network_has_the_frequencies_known_by_hand(name):
    assert_known(LARGE[name]())


def test_the_hub_of_a_large_star_is_the_root_of_every_claw():
    n = 10**5
    found = triadic.graphlet_transform(graph_of(known_graphlets.star(n)))
    assert found.net[0].tolist() == [1, n, 0, comb(n, 2), 0, 0, 0, 0, comb(n, 3), *[0] * 7]
    assert found.net[1].tolist() == [1, 1, n - 1, 0, 0, 0, 0, comb(n - 1, 2), 0, *[0] * 7]


def test_a_vertex_of_a_clique_has_every_raw_graphlet_by_formula():
    n = 200
    found = triadic.graphlet_transform(graph_of(known_graphlets.complete(n)))
    pairs, triples = comb(n - 1, 2), comb(n - 1, 3)
    of_four = [6 * triples, 6 * triples, 3 * triples, triples, *[3 * triples, 6 * triples, 3 * triples]]
    assert found.raw[7].tolist() == [1, n - 1, 2 * pairs, pairs, pairs, *of_four, *[3 * triples] * 3, triples]


# Identities


def test_raw_frequencies_agree_with_the_other_measures(model):
    raw = triadic.graphlet_transform(model).raw
    k, t = model.degree, triadic.triangles(model)
    assert (raw[:, 0] == 1).all()
    expected = {1: k, 3: k * (k - 1) // 2, 4: t, 6: raw[:, 2] * (k - 1) - 2 * t, 11: (k - 2) * t}
    expected[8] = k * (k - 1) * (k - 2) // 6
    skeleton = model.to_undirected()
    support, n = triadic.edge_support(skeleton), model.num_vertices
    source, target = skeleton.edges()
    pairs = support * (support - 1) // 2
    expected[14] = np.bincount(source, pairs, n) + np.bincount(target, pairs, n)
    near_pairs = (k - 1) * (k - 2) // 2
    expected[7] = np.bincount(source, near_pairs[target], n) + np.bincount(target, near_pairs[source], n)
    expected[9] = np.bincount(source, t[target], n) + np.bincount(target, t[source], n) - 2 * t
    for graphlet, column in expected.items():
        np.testing.assert_array_equal(raw[:, graphlet], column, err_msg=str(graphlet))


def test_net_frequencies_are_raw_frequencies_without_subgraphs_that_are_not_induced(model):
    found = triadic.graphlet_transform(model)
    assert found.net.min() >= 0
    assert (found.raw >= found.net).all()
    for graphlet in (0, 1, 4, 15):
        np.testing.assert_array_equal(found.raw[:, graphlet], found.net[:, graphlet])


def test_totals_are_the_same_from_each_graphlet_of_a_graph(model):
    found = triadic.graphlet_transform(model)
    for sums, table in ((found.raw_sums, found.raw), (found.net_sums, found.net)):
        assert list(sums) == table.sum(axis=0).tolist()
        ends_meet(sums)
    assert found.totals["edge"] == model.num_edges
    assert found.totals["triangle"] == triadic.triangle_count(model)


@examples(25)
@given(network=networks())
def test_totals_of_any_network_are_the_same_from_each_graphlet_of_a_graph(network):
    found = triadic.graphlet_transform(network.graph())
    ends_meet(found.raw_sums)
    ends_meet(found.net_sums)
    assert found.net.min(initial=0) >= 0
    assert found.totals == {
        graph: found.net_sums[g] // times for g, (graph, times) in enumerate(known_graphlets.PLACES)
    }


@examples(25)
@given(network=networks(), random=st.randoms(use_true_random=False))
def test_renumbering_the_vertices_renumbers_the_counts(network, random):
    name = list(range(network.vertices))
    random.shuffle(name)
    renumbered = network._replace(arcs=[(name[u], name[v]) for u, v in network.arcs])
    found = triadic.graphlet_transform(renumbered.graph()).raw
    np.testing.assert_array_equal(found[name], triadic.graphlet_transform(network.graph()).raw)


@examples(25)
@given(network=networks(directed=True))
def test_a_directed_graph_is_taken_as_its_skeleton(network):
    graph = network.graph()
    skeleton = graph.to_undirected()
    np.testing.assert_array_equal(triadic.graphlet_transform(graph).raw, triadic.graphlet_transform(skeleton).raw)
    five = triadic.graphlet_transform(graph, size=3).raw
    np.testing.assert_array_equal(five, triadic.graphlet_transform(skeleton, size=3).raw)
    np.testing.assert_array_equal(triadic.graphlets(graph, by="vertex"), triadic.graphlets(skeleton, by="vertex"))


@examples(25)
@given(network=networks())
def test_a_disjoint_union_keeps_the_counts_of_its_parts(network):
    n, raw = network.vertices, triadic.graphlet_transform(network.graph()).raw
    twice = network._replace(vertices=2 * n, arcs=network.arcs + [(u + n, v + n) for u, v in network.arcs])
    np.testing.assert_array_equal(triadic.graphlet_transform(twice.graph()).raw, np.concatenate([raw, raw]))


@pytest.mark.parametrize("threads", [2, 5, 16])
def test_any_number_of_threads_returns_the_same_counts(crowd, threads):
    for wanted in (5, 16):
        expected = triadic.graphlet_transform(crowd, size=3 if wanted == 5 else 4, threads=1).raw
        np.testing.assert_array_equal(
            triadic.graphlet_transform(crowd, size=3 if wanted == 5 else 4, threads=threads).raw, expected
        )


@examples(25)
@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_chunks_of_vertices_have_the_same_counts(network, threads):
    graph = network.graph()
    expected = {wanted: triadic.graphlet_transform(graph, size=3 if wanted == 5 else 4) for wanted in (5, 16)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graphlet_formulas, "_BLOCK", 7 * 16)
        for wanted in (5, 16):
            found = triadic.graphlet_transform(graph, size=3 if wanted == 5 else 4, threads=threads)
            np.testing.assert_array_equal(found.raw, expected[wanted].raw)
            np.testing.assert_array_equal(found.net, expected[wanted].net)


def test_many_threads_lose_no_update_of_a_hub():
    book = [(u, v) for u in range(8) for v in range(u)] + [(8 + page, v) for page in range(2000) for v in range(8)]
    graph = Graph.from_edges(*np.array(book).T)
    expected = triadic.graphlet_transform(graph, threads=1).raw
    at_spine = comb(7, 3) + comb(7, 2) * 2000
    assert set(expected[:8, 15].tolist()) == {at_spine}
    for _ in range(25):
        np.testing.assert_array_equal(triadic.graphlet_transform(graph, threads=16).raw, expected)


EMPTY = {
    "no vertices": ([], [], 0),
    "one vertex": ([], [], 1),
    "vertices without edges": ([], [], 70),
    "only loops": ([0, 1, 1, 3], [0, 1, 1, 3], 5),
}


@pytest.mark.parametrize("case", EMPTY)
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("threads", [1, 16])
def test_a_network_without_edges_has_only_the_graphlet_of_one_vertex(case, directed, threads):
    source, target, n = EMPTY[case]
    graph = Graph.from_edges(source, target, num_vertices=n, directed=directed)
    for wanted in (5, 16):
        found = triadic.graphlet_transform(graph, size=3 if wanted == 5 else 4, threads=threads)
        assert found.raw.tolist() == found.net.tolist() == [[1] + [0] * (wanted - 1)] * n
        assert len(found) == found.totals["vertex"] == n
        assert sum(found.totals.values()) == n
    assert triadic.graphlets(graph, threads=threads, by="vertex").tolist() == [[0] * 15] * n


# Five, and orbits


@examples(25)
@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_five_graphlets_are_the_first_of_sixteen(network, threads):
    graph = network.graph()
    five, all_of_them = (triadic.graphlet_transform(graph, size=3 if g == 5 else 4, threads=threads) for g in (5, 16))
    assert five.raw.shape == five.net.shape == (network.vertices, 5)
    np.testing.assert_array_equal(five.raw, all_of_them.raw[:, :5])
    np.testing.assert_array_equal(five.net, all_of_them.net[:, :5])
    assert five.names == all_of_them.names[:5]
    assert five.totals.items() <= all_of_them.totals.items()
    assert list(five.totals) == ["vertex", "edge", "2-path", "triangle"]


def test_orbits_are_net_frequencies_in_orca_s_order(crowd):
    net = triadic.graphlet_transform(crowd).net
    orbits = triadic.graphlets(crowd, by="vertex")
    assert orbits.shape == (crowd.num_vertices, 15)
    assert orbits.dtype == np.int64
    np.testing.assert_array_equal(orbits[:, :8], net[:, 1:9])
    np.testing.assert_array_equal(orbits[:, 8], net[:, 12])
    np.testing.assert_array_equal(orbits[:, 9:12], net[:, 9:12])
    np.testing.assert_array_equal(orbits[:, 12:], net[:, 13:])


ORBITS_OF = {
    "square": ([(0, 1), (1, 2), (2, 3), (3, 0)], [{0: 2, 1: 2, 2: 1, 8: 1}] * 4),
    "claw": ([(0, 1), (0, 2), (0, 3)], [{0: 3, 2: 3, 7: 1}, *[{0: 1, 1: 2, 6: 1}] * 3]),
    "path": ([(0, 1), (1, 2), (2, 3)], [{0: 1, 1: 1, 4: 1}, *[{0: 2, 1: 1, 2: 1, 5: 1}] * 2, {0: 1, 1: 1, 4: 1}]),
    "paw": (
        [(0, 1), (1, 2), (0, 2), (0, 3)],
        [{0: 3, 2: 2, 3: 1, 11: 1}, *[{0: 2, 1: 1, 3: 1, 10: 1}] * 2, {0: 1, 1: 2, 9: 1}],
    ),
    "diamond": (
        [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)],
        [{0: 3, 2: 1, 3: 2, 13: 1}, {0: 2, 1: 2, 3: 1, 12: 1}] * 2,
    ),
    "clique": ([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], [{0: 3, 3: 3, 14: 1}] * 4),
}


@pytest.mark.parametrize("name", ORBITS_OF)
def test_the_orbits_of_a_graph_of_four_are_those_that_przulj_drew(name):
    edges, expected = ORBITS_OF[name]
    found = triadic.graphlets(Graph.from_edges(*np.array(edges).T), by="vertex")
    assert found.tolist() == [[at.get(orbit, 0) for orbit in range(15)] for at in expected]


def test_results_belong_to_the_caller():
    graph = graph_of(known_graphlets.wheel(6))
    triadic.graphlets(graph, by="vertex")[:] = 7
    assert 7 not in triadic.graphlets(graph, by="vertex")
    triadic.square_clustering(graph)[:] = 7
    assert 7 not in triadic.square_clustering(graph)


# Width


@pytest.fixture(scope="module")
def vast_star():
    return 4_000_000


@pytest.mark.parametrize("labelled", [False, True])
def test_claws_beyond_64_bits_are_an_error_that_names_vertex_and_degree(vast_star, labelled):
    hub = 17
    leaves = np.delete(np.arange(vast_star + 1), hub)
    labels = np.arange(vast_star + 1) + 1000 if labelled else None
    graph = Graph.from_edges(np.full(vast_star, hub), leaves, labels=labels)
    name = hub + 1000 if labelled else hub
    message = f"vertex {name} has 4,000,000 neighbours: .*claws.* may exceed 2\\*\\*63; size=3 counts"
    for measure in (triadic.graphlet_transform, partial(triadic.graphlets, by="vertex")):
        with pytest.raises(CountOverflowError, match=message) as raised:
            measure(graph)
        assert "\n" not in str(raised.value)
    if not labelled:
        found = triadic.graphlet_transform(graph, size=3)
        assert found.net[hub].tolist() == [1, vast_star, 0, comb(vast_star, 2), 0]
        assert found.net[0].tolist() == [1, 1, vast_star - 1, 0, 0]
        assert found.totals == {
            "vertex": vast_star + 1,
            "edge": vast_star,
            "2-path": comb(vast_star, 2),
            "triangle": 0,
        }


def test_the_width_is_checked_to_the_last_neighbour():
    most = 3_810_779
    assert comb(most, 3) < 2**63 <= comb(most + 1, 3)

    def check(degree, edges):
        graphlets.check_width(SimpleNamespace(degree=np.array([degree, 1]), labels=None), edges, degree)

    check(most, most)
    with pytest.raises(CountOverflowError, match="vertex 0 has 3,810,780 neighbours"):
        check(most + 1, most + 1)
    check(10**6, 2**42)
    with pytest.raises(CountOverflowError):
        check(10**6, 2**43)


def test_claws_are_divided_before_they_are_multiplied():
    k = np.concatenate([np.arange(2000), np.arange(2_097_150, 2_097_160), np.arange(3_810_760, 3_810_780)])
    none, rank = np.zeros_like(k), np.arange(len(k), dtype=np.int32)
    raw = np.empty((len(k), 16), dtype=np.int64)
    graphlet_formulas.sixteen(rank, 0, len(k), k, (none,) * 10, raw)
    assert raw[:, 8].tolist() == [comb(degree, 3) for degree in k.tolist()]


# Memory


def communities():
    """Friends in 2,000 circles of 12 to 60, each vertex in a few of them: cliques that overlap."""
    random = np.random.default_rng(8)
    sources, targets = [], []
    for size in random.integers(12, 60, 2000):
        members = random.integers(0, 20_000, size)
        u, v = np.triu_indices(size, k=1)
        some = random.random(len(u)) < 0.3
        sources.append(members[u[some]])
        targets.append(members[v[some]])
    return Graph.from_edges(np.concatenate(sources), np.concatenate(targets), num_vertices=20_000)


@pytest.mark.parametrize("network", [lambda: rmat(14, seed=1), communities], ids=["R-MAT", "communities"])
def test_beside_the_graph_there_are_48_bytes_an_edge_and_16_counts_a_vertex(network):
    triadic.graphlet_transform(rmat(8, seed=1), threads=2)  # what compiling takes is not counting's
    graph = network()
    graph.release()
    graph.oriented(threads=2)
    tracemalloc.start()
    try:
        found = triadic.graphlet_transform(graph, threads=2)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found) == graph.num_vertices
    assert peak <= 48 * graph.num_edges + 16 * 8 * graph.num_vertices
