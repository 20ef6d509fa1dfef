"""The triad census: equal to the oracle, to networkx and igraph, and to what must hold of any census."""

from __future__ import annotations

import copy
import pickle
import sys
import tracemalloc
from functools import partial
from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.core import memory
from triadic.errors import ArgumentError, MissingExtraError, OutOfMemoryError
from triadic.measures.census import Census
from triadic.measures.triads import census_of

cycle_transitivity = partial(triadic.count, of="cycle_transitivity")
MEASURES = [
    triadic.triad_census,
    partial(triadic.triad_census, by="vertex"),
    cycle_transitivity,
    triadic.dyad_census,
]
THREADS = [1, 2, 3, 5, 8, 16]


def simple_arcs(network):
    return naive.simple(network.arcs, directed=network.directed).arcs


def random_digraph(n, density, seed):
    """Arcs at random, and a hub that is joined to nearly all."""
    network = nx.gnp_random_graph(n, density, seed=seed, directed=True)
    network.add_edges_from((0, v) for v in range(1, n - 5))
    return network, Graph.from_edges(*np.array(network.edges).T, num_vertices=n, directed=True)


@pytest.fixture(scope="module")
def crowd():
    """A directed R-MAT network: hubs, mutual arcs, isolated vertices."""
    return triadic.generate.rmat(12, seed=3, directed=True)


@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_the_census_equals_the_oracle(network, threads):
    found = triadic.triad_census(network.graph(), threads=threads)
    assert found == naive.triad_census(network.vertices, simple_arcs(network))
    assert tuple(found) == triadic.TRIAD_NAMES == tuple(naive.TRIADS)


@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_the_64_types_equal_the_oracle(network, threads):
    found = triadic.triad_census(network.graph(), labelled=True, threads=threads)
    assert list(found) == [str(code) for code in range(64)]
    assert list(found.values()) == naive.labelled_census(network.vertices, simple_arcs(network))


@examples(20)
@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_the_census_of_each_vertex_equals_the_oracle(network, threads):
    found = triadic.triad_census(network.graph(), threads=threads, by="vertex")
    assert found.shape == (network.vertices, 16)
    assert found.tolist() == naive.triad_census_by_vertex(network.vertices, simple_arcs(network))


@examples(20)
@given(network=networks(), draw=st.data())
def test_the_census_of_a_subset_holds_the_triads_that_touch_it(network, draw):
    """Also where loops and repeats lie outside it, which networkx counts as arcs."""
    chosen = draw.draw(st.sets(st.integers(0, network.vertices - 1)) if network.vertices else st.just(set()))
    expected = naive.triad_census(network.vertices, simple_arcs(network), touching=chosen)
    graph = network.graph()
    assert triadic.triad_census(graph, vertices=sorted(chosen, reverse=True)) == expected
    mask = np.isin(np.arange(network.vertices), list(chosen))
    assert triadic.triad_census(graph, vertices=mask) == expected
    labelled = triadic.triad_census(graph, labelled=True, vertices=mask)
    assert fold(labelled) == expected
    assert triadic.triad_census(graph, vertices=chosen) == expected


def test_a_loop_outside_the_subset_changes_nothing():
    arcs = [(0, 1), (1, 2), (3, 4), (4, 3)]
    plain = Graph.from_edges(*np.array(arcs).T, directed=True)
    looped = Graph.from_edges(*np.array([*arcs, (2, 2), (3, 3), (3, 3)]).T, directed=True)
    census = triadic.triad_census(looped, vertices=[0])
    assert census == triadic.triad_census(plain, vertices=[0])
    assert sum(census.values()) == comb(4, 2)


@given(network=networks())
def test_the_dyads_equal_the_oracle(network):
    found = triadic.dyad_census(network.graph())
    assert found == naive.dyad_census(network.vertices, simple_arcs(network))
    assert sum(found.values()) == comb(network.vertices, 2)


@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_cycle_transitivity_is_the_share_of_paths_that_an_arc_closes(network, threads):
    found = cycle_transitivity(network.graph(), threads=threads)
    assert found == float(naive.cycle_transitivity(simple_arcs(network)))


@given(network=networks(directed=False))
def test_cycle_transitivity_of_an_undirected_graph_is_its_transitivity(network):
    graph = network.graph()
    assert cycle_transitivity(graph) == triadic.transitivity(graph)


# Other programs


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("density", [0.01, 0.1, 0.6])
def test_a_random_digraph_has_the_census_that_networkx_finds(density, seed):
    network, graph = random_digraph(60, density, seed)
    assert triadic.triad_census(graph) == nx.triadic_census(network)


@pytest.mark.parametrize("size", [1, 2, 7, 39, 40])
def test_a_subset_has_the_census_that_networkx_finds(size):
    network, graph = random_digraph(40, 0.08, size)
    chosen = np.random.default_rng(size).permutation(40)[:size].tolist()
    assert triadic.triad_census(graph, vertices=chosen) == nx.triadic_census(network, nodelist=chosen)


def test_each_vertex_has_the_census_that_networkx_finds():
    network, graph = random_digraph(30, 0.15, 5)
    found = triadic.triad_census(graph, by="vertex")
    for v in range(30):
        assert dict(zip(triadic.TRIAD_NAMES, found[v].tolist(), strict=True)) == nx.triadic_census(network, [v])


@pytest.mark.parametrize("seed", range(3))
def test_a_random_digraph_has_the_census_that_igraph_finds(seed):
    igraph = pytest.importorskip("igraph", reason="igraph comes with the benchmarks")
    network, graph = random_digraph(200, 0.03, seed)
    found = igraph.Graph(200, list(network.edges), directed=True).triad_census()
    assert list(triadic.triad_census(graph).values()) == [int(count) for count in found]


# Identities


def fold(labelled):
    """Add up the 64 types to the 16."""
    counts = dict.fromkeys(naive.TRIADS, 0)
    for code, count in labelled.items():
        counts[naive.TYPE_OF_CODE[int(code)]] += count
    return counts


@pytest.mark.parametrize("directed", [True, False])
def test_all_ways_to_count_agree(crowd, directed):
    graph = crowd if directed else crowd.to_undirected()
    n, census = graph.num_vertices, triadic.triad_census(graph)
    by_vertex = triadic.triad_census(graph, by="vertex")
    assert all(census[name] > 0 for name in (triadic.TRIAD_NAMES if directed else ("003", "102", "201", "300")))
    assert sum(census.values()) == comb(n, 3)
    assert by_vertex.sum(axis=0).tolist() == [3 * count for count in census.values()]
    assert set(by_vertex.sum(axis=1).tolist()) == {comb(n - 1, 2)}
    assert fold(triadic.triad_census(graph, labelled=True)) == census
    assert triadic.triad_census(graph, vertices=np.arange(n)) == census
    summed = census_of(graph, by_vertex.sum(axis=0).tolist())
    assert (summed, summed.mutual, summed.asymmetric) == (census, census.mutual, census.asymmetric)


def test_the_triangles_are_the_closed_triads(crowd):
    census, by_vertex = triadic.triad_census(crowd), triadic.triad_census(crowd, by="vertex")
    closed = [triadic.TRIAD_NAMES.index(name) for name in ("030T", "030C", "120D", "120U", "120C", "210", "300")]
    assert triadic.triangle_count(crowd) == sum(list(census.values())[column] for column in closed)
    np.testing.assert_array_equal(triadic.triangles(crowd), by_vertex[:, closed].sum(axis=1))


@given(network=networks(), random=st.randoms(use_true_random=False))
def test_the_names_of_vertices_change_nothing(network, random):
    name = list(range(network.vertices))
    random.shuffle(name)
    renamed = network._replace(arcs=[(name[u], name[v]) for u, v in network.arcs])
    assert triadic.triad_census(renamed.graph()) == triadic.triad_census(network.graph())
    by_vertex = triadic.triad_census(network.graph(), by="vertex")
    assert triadic.triad_census(renamed.graph(), by="vertex")[name].tolist() == by_vertex.tolist()


@examples(20)
@given(network=networks(directed=True))
def test_reversing_every_arc_exchanges_down_and_up(network):
    turned = network._replace(arcs=[(v, u) for u, v in network.arcs])
    census = triadic.triad_census(network.graph()).to_dict()
    for down, up in (("021D", "021U"), ("111D", "111U"), ("120D", "120U")):
        census[down], census[up] = census[up], census[down]
    assert triadic.triad_census(turned.graph()) == census


@examples(20)
@given(network=networks(directed=False))
def test_an_undirected_graph_counts_with_every_edge_mutual(network):
    undirected = network.graph()
    both_ways = network._replace(directed=True, arcs=network.arcs + [(v, u) for u, v in network.arcs]).graph()
    for types in (16, 64):
        assert triadic.triad_census(undirected, labelled=types == 64) == triadic.triad_census(
            both_ways, labelled=types == 64
        )
    assert triadic.dyad_census(undirected) == triadic.dyad_census(both_ways)
    by_vertex = triadic.triad_census(undirected, by="vertex")
    np.testing.assert_array_equal(by_vertex, triadic.triad_census(both_ways, by="vertex"))
    assert not by_vertex[:, [triadic.TRIAD_NAMES.index(name) for name in ("012", "021C", "030T", "210")]].any()


@pytest.mark.parametrize("name", naive.TRIADS)
def test_a_triad_alone_is_of_its_type(name):
    arcs = np.array(naive.TRIADS[name], dtype=np.int64).reshape(-1, 2)
    graph = Graph.from_edges(*arcs.T, num_vertices=3, directed=True)
    expected = {other: int(other == name) for other in triadic.TRIAD_NAMES}
    assert triadic.triad_census(graph) == expected
    assert triadic.triad_census(graph, by="vertex").tolist() == [list(expected.values())] * 3


# Any number of threads


@pytest.mark.parametrize("threads", THREADS)
def test_every_number_of_threads_returns_the_same_counts(crowd, threads):
    assert triadic.triad_census(crowd, threads=threads) == triadic.triad_census(crowd, threads=1)
    assert triadic.triad_census(crowd, labelled=True, threads=threads) == triadic.triad_census(
        crowd, labelled=True, threads=1
    )
    expected = triadic.triad_census(crowd, threads=1, by="vertex")
    np.testing.assert_array_equal(triadic.triad_census(crowd, threads=threads, by="vertex"), expected)
    assert cycle_transitivity(crowd, threads=threads) == cycle_transitivity(crowd, threads=1)
    assert triadic.dyad_census(crowd, threads=threads) == triadic.dyad_census(crowd, threads=1)


# Large and small


@pytest.mark.parametrize("types", [16, 64])
def test_four_million_isolated_vertices_and_one_mutual_arc_are_counted_exactly(types):
    n = 4_000_000
    graph = Graph.from_edges([n // 2, n - 1], [n - 1, n // 2], num_vertices=n, directed=True)
    census = triadic.triad_census(graph, labelled=types == 64)
    counts = census if types == 16 else fold(census)
    assert comb(n, 3) > 2**63
    assert counts == dict.fromkeys(triadic.TRIAD_NAMES, 0) | {"102": n - 2, "003": comb(n, 3) - (n - 2)}
    assert all(type(count) is int for count in census.values())
    if types == 64:
        # Below the two vertices, between them and above.
        assert (census["48"], census["12"], census["3"]) == (n // 2, n // 2 - 2, 0)


def test_the_pairs_at_a_hub_pass_32_bits():
    leaves = 200_000
    graph = Graph.from_edges(np.zeros(leaves, dtype=int), np.arange(1, leaves + 1), directed=True)
    census = triadic.triad_census(graph)
    assert census["021D"] == comb(leaves, 2) > 2**32
    assert census["003"] == comb(leaves, 3)
    assert sum(census.values()) == comb(leaves + 1, 3)
    by_vertex = triadic.triad_census(graph, by="vertex")
    assert by_vertex[0].tolist() == [comb(leaves, 2) if name == "021D" else 0 for name in triadic.TRIAD_NAMES]


@pytest.mark.parametrize("arcs", [[], [(0, 1)], [(0, 1), (1, 0)], [(0, 0), (1, 1)]])
@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("threads", [1, 16])
def test_fewer_than_three_vertices_have_no_triad(n, arcs, directed, threads):
    inside = [arc for arc in arcs if max(arc) < n]
    source, target = np.array(inside, dtype=np.int64).reshape(-1, 2).T
    graph = Graph.from_edges(source, target, num_vertices=n, directed=directed)
    census = triadic.triad_census(graph, threads=threads)
    assert set(census.values()) == {0}
    assert set(census.expected().values()) == {0.0}
    assert np.isnan(list(census.z_scores().values())).all()
    assert set(triadic.triad_census(graph, labelled=True, threads=threads).values()) == {0}
    assert set(triadic.triad_census(graph, vertices=range(n), threads=threads).values()) == {0}
    assert triadic.triad_census(graph, threads=threads, by="vertex").tolist() == [[0] * 16] * n
    assert triadic.triad_census(graph, threads=threads, by="vertex").shape == (n, 16)
    assert cycle_transitivity(graph, threads=threads) == 0.0
    expected = naive.dyad_census(n, naive.simple(inside, directed=directed).arcs)
    assert triadic.dyad_census(graph, threads=threads) == expected


# Memory


@pytest.mark.parametrize("types", [16, 64])
def test_a_census_takes_at_most_24_bytes_an_edge_beyond_the_graph(types):
    graph = triadic.generate.rmat(14, seed=2, directed=True)
    triadic.triad_census(graph, labelled=types == 64, threads=2)
    tracemalloc.start()
    try:
        triadic.triad_census(graph, labelled=types == 64, threads=2)
        assert tracemalloc.get_traced_memory()[1] <= 24 * graph.num_edges
    finally:
        tracemalloc.stop()


def test_a_census_by_vertex_beyond_memory_is_an_error_before_it_is_counted(monkeypatch):
    graph = triadic.generate.rmat(13, seed=2, directed=True)
    monkeypatch.setattr(memory, "available_bytes", lambda: 100 * graph.num_vertices)
    with pytest.raises(
        OutOfMemoryError, match=r"counting triads in a graph of 8,192 vertices and .* on 2 threads takes about"
    ):
        triadic.triad_census(graph, threads=2, by="vertex")


# What comes out


def test_a_census_is_a_mapping_that_cannot_be_changed(crowd):
    census = triadic.triad_census(crowd)
    assert census.to_dict() == dict(census) == census
    assert (len(census), census["300"], "300" in census, "301" in census) == (16, census.counts[-1], True, False)
    assert census != {**census, "300": -1}
    assert census != 7
    with pytest.raises(KeyError, match="301"):
        census["301"]
    with pytest.raises(AttributeError):
        census.counts = ()
    with pytest.raises(TypeError):
        census["300"] = 0
    same = triadic.triad_census(crowd)
    assert hash(census) == hash(same)
    assert {census: 1}[same] == 1
    backwards = Census(census.names[::-1], census.counts[::-1])
    assert backwards == census
    assert hash(backwards) == hash(census)
    assert pickle.loads(pickle.dumps(census)) == copy.copy(census) == census
    assert pickle.loads(pickle.dumps(census)).expected() == census.expected()


def test_a_census_reads_as_a_table():
    graph = Graph.from_edges([0, 1], [1, 2], num_vertices=20, directed=True)
    lines = repr(triadic.triad_census(graph)).splitlines()
    assert lines[0] == "TriadCensus"
    assert len(lines) == 17
    assert lines[1].split() == ["003", "1,105"]
    assert lines[6].split() == ["021C", "1"]
    assert len({len(line) for line in lines[1:]}) == 1
    expected = ["Census", "  mutual       0", "  asymmetric   2", "  null       188"]
    assert repr(triadic.dyad_census(graph)).splitlines() == expected
    assert repr(Census((), ())) == "Census"


def test_an_unknown_name_is_an_error_that_lists_the_names_of_the_census(crowd):
    with pytest.raises(KeyError, match=r"'301': expected one of the names '003', '012', .*, '300'"):
        triadic.triad_census(crowd)["301"]
    with pytest.raises(KeyError, match="5: expected one of the names '0' to '63'"):
        triadic.triad_census(crowd, labelled=True)[5]


def test_a_census_becomes_a_frame_of_pandas(crowd):
    pytest.importorskip("pandas")
    census = triadic.triad_census(crowd)
    frame = census.to_pandas()
    assert list(frame.columns) == ["count", "expected", "z"]
    assert frame["count"].dtype == "int64"
    assert frame["count"].to_dict() == census
    assert frame["expected"].to_dict() == census.expected()
    assert frame["z"].to_dict() == census.z_scores()
    wide = type(census)(census.names, (2**70, *census.counts[1:]), crowd.num_vertices, census.mutual, census.asymmetric)
    assert wide.to_pandas().loc["003", "count"] == 2**70
    labelled = triadic.triad_census(crowd, labelled=True)
    assert labelled.to_pandas().to_dict() == {"count": labelled.to_dict()}
    assert Census((), ()).to_pandas().shape == (0, 1)


def test_a_missing_pandas_is_named(crowd, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match="to_pandas needs pandas, which is not installed: pip install pandas"):
        triadic.triad_census(crowd).to_pandas()


def test_results_have_the_documented_types(crowd):
    for types in (16, 64):
        assert {type(count) for count in triadic.triad_census(crowd, labelled=types == 64).values()} == {int}
    by_vertex = triadic.triad_census(crowd, by="vertex")
    assert by_vertex.dtype == np.int64
    assert type(cycle_transitivity(crowd)) is float
    by_vertex[:] = -1
    assert (triadic.triad_census(crowd, by="vertex") >= 0).all()


# What cannot be


@pytest.mark.parametrize(
    ("vertices", "words"),
    [
        ([0, 4096], "vertices: expected numbers below 4096, got 4096"),
        ([3, -1], r"vertices\[1\] = -1: expected vertices of at least 0"),
        (range(4094, 4108), "vertices: expected numbers below 4096, got 4096, 4097, 4098 and 9 more"),
        ([5, 7, 5], "vertices: expected each vertex once, got more often 5"),
        ([9, 7, 9, 7, 1], "vertices: expected each vertex once, got more often 7, 9"),
        ({1, 5000}, "vertices: expected numbers below 4096, got 5000"),
        ([0.5], "vertices: expected a 1-D array of whole numbers"),
        ([True, False], r"vertices: expected a mask of shape \(4096,\), got \(2,\)"),
    ],
)
def test_invalid_vertices_are_named(crowd, vertices, words):
    with pytest.raises(ArgumentError, match=words):
        triadic.triad_census(crowd, vertices=vertices)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"labelled": 64}, "labelled=64: expected True or False"),
        ({"by": "edge"}, "by='edge': expected one of None, 'vertex'"),
        ({"by": "vertex", "labelled": True}, "by='vertex': labelled=True counts triads of the whole graph"),
        ({"by": "vertex", "vertices": [0]}, "by='vertex': vertices= counts triads of the whole graph"),
    ],
)
def test_an_invalid_option_is_named(crowd, wrong, message):
    with pytest.raises(ArgumentError, match=message):
        triadic.triad_census(crowd, **wrong)


@pytest.mark.parametrize(
    "measure", [*MEASURES, lambda graph, **rest: triadic.triad_census(graph, labelled=True, **rest)]
)
@pytest.mark.parametrize(
    ("keywords", "error", "words"),
    [
        ({"threads": 0}, ArgumentError, "threads=0: expected None or a whole number of at least 1"),
        ({"device": "tpu"}, ArgumentError, "device='tpu': expected"),
        ({"progress": "yes"}, ArgumentError, "progress='yes': expected False, True or a function"),
    ],
)
def test_an_invalid_argument_is_named(crowd, measure, keywords, error, words):
    with pytest.raises(error, match=words):
        measure(crowd, **keywords)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("threads", [1, 3])
def test_progress_rises_from_zero_to_the_total(crowd, measure, threads):
    seen = []
    measure(crowd, threads=threads, progress=lambda done, total: seen.append((done, total)))
    done, totals = zip(*seen, strict=True)
    assert len(set(totals)) == 1
    assert list(done) == sorted(done)
    assert (done[0], done[-1]) == (0, totals[0])
    assert totals[0] > 0
