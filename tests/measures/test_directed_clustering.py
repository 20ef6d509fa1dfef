"""Directed clustering: equal to the oracle and to networkx, in parts and in total, on every device."""

from __future__ import annotations

from functools import partial

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_clustering
import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.core.triad_types import CLOSED_ROLES
from triadic.counts.count import run
from triadic.counts.triads import CLOSED_ROLES_OF_VERTICES
from triadic.devices.runtimes import registry as gpus
from triadic.measures.directed_clustering import _ARCS_ACROSS, _PARTS_OF_ROLE

MEASURES = [
    triadic.directed_clustering,
    triadic.directed_transitivity,
    partial(triadic.directed_clustering, method="ldbc"),
]


def simple_arcs(network):
    return naive.simple(network.arcs, directed=network.directed).arcs


def digraph(network):
    found = nx.DiGraph()
    found.add_nodes_from(range(network.vertices))
    found.add_edges_from(network.arcs)
    return found


@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
@examples(25)
def test_every_measure_equals_the_oracle(network, threads):
    n, arcs, graph = network.vertices, simple_arcs(network), network.graph()
    expected = [[float(share) for share in shares] for shares in naive_clustering.directed_clustering(n, arcs)]
    parts = triadic.directed_clustering(graph, parts=True, threads=threads)
    assert parts.to_numpy().tolist() == expected
    assert triadic.directed_clustering(graph, threads=threads).tolist() == [shares[0] for shares in expected]
    assert triadic.directed_clustering(graph, threads=threads, method="ldbc").tolist() == [
        float(share) for share in naive_clustering.ldbc_clustering(n, arcs)
    ]
    assert triadic.directed_transitivity(graph, threads=threads) == float(
        naive_clustering.directed_transitivity(n, arcs)
    )


@given(network=networks(directed=True))
@examples(25)
def test_a_digraph_has_the_results_of_networkx(network):
    theirs, graph = digraph(network), network.graph()
    local = list(nx.clustering(theirs).values())
    np.testing.assert_allclose(triadic.directed_clustering(graph), local, rtol=1e-12, atol=1e-15)
    assert triadic.directed_transitivity(graph) == pytest.approx(nx.transitivity(theirs), rel=1e-12)


@given(network=networks(directed=False))
def test_an_undirected_graph_has_its_clustering(network):
    graph = network.graph()
    expected = triadic.clustering(graph)
    np.testing.assert_array_equal(triadic.directed_clustering(graph, method="ldbc"), expected)
    for part in triadic.directed_clustering(graph, parts=True).values():
        np.testing.assert_array_equal(part, expected)
    assert triadic.directed_transitivity(graph) == triadic.transitivity(graph)


@given(network=networks(directed=True))
def test_reversing_all_arcs_exchanges_into_and_out(network):
    graph = network.graph()
    turned = Graph.from_edges(network.target, network.source, num_vertices=network.vertices, directed=True)
    here, there = (triadic.directed_clustering(digraph, parts=True) for digraph in (graph, turned))
    for one, other in ((here["into"], there["out"]), (here["out"], there["into"]), (here["cycle"], there["cycle"])):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(here["total"], there["total"])
    np.testing.assert_array_equal(
        triadic.directed_clustering(graph, method="ldbc"), triadic.directed_clustering(turned, method="ldbc")
    )


def test_a_directed_triangle_has_the_cycle_pattern_alone():
    parts = triadic.directed_clustering(Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True), parts=True)
    assert [part.tolist() for part in parts.values()] == [[0.5] * 3, [1.0] * 3, [0.0] * 3, [0.0] * 3, [0.0] * 3]


def test_each_pattern_is_counted_at_its_vertex():
    first, between, last = 0, 1, 2
    parts = triadic.directed_clustering(Graph.from_edges([0, 0, 1], [1, 2, 2], directed=True), parts=True)
    assert (parts["out"][first], parts["middle"][between], parts["into"][last]) == (0.5, 1.0, 0.5)
    assert sum(np.count_nonzero(part) for part in list(parts.values())[1:]) == 3
    assert not parts["cycle"].any()


def test_the_patterns_have_equal_sums_over_the_graph():
    """Each transitive triple stands once in the middle, once into and once out; each cycle three times."""
    graph = triadic.generate.rmat(10, seed=5, directed=True)
    oriented = graph.oriented()
    roles = run(CLOSED_ROLES_OF_VERTICES, oriented, threads=2, device="cpu", progress=False)
    cycle, middle, into, out = (roles @ _PARTS_OF_ROLE).sum(axis=0).tolist()
    assert middle == into == out > 0
    types = triadic.triad_census(graph).to_dict()
    assert cycle == 3 * (types["030C"] + types["120C"] + types["210"] + 2 * types["300"])


def test_every_role_has_parts_and_arcs_across():
    mutual = CLOSED_ROLES.index(("300", 2, 0, 0))
    assert _PARTS_OF_ROLE[mutual].tolist() == [2, 2, 2, 2]
    assert _PARTS_OF_ROLE.any(axis=1).all()
    assert set(_ARCS_ACROSS.tolist()) == {1, 2}
    for (name, *at), across, parts in zip(CLOSED_ROLES, _ARCS_ACROSS, _PARTS_OF_ROLE, strict=True):
        here = 2 * at[0] + at[1] + at[2]
        arcs_in_all = 2 * int(name[0]) + int(name[1])
        assert here + across == arcs_in_all
        # Arcs at the vertex on either side, times those across.
        sides = {4: 4, 3: 2, 2: 1}[here]
        assert parts.sum() == sides * across


@given(network=networks(directed=True))
@examples(15)
def test_a_gpu_returns_the_result_of_the_cpu(gpu_device, network):
    graph = network.graph()
    for measure in MEASURES:
        np.testing.assert_array_equal(measure(graph, device=gpu_device), measure(graph, device="cpu"))


@pytest.mark.parametrize("measure", MEASURES)
def test_a_measure_runs_on_the_given_device(gpu_device, measure):
    graph = triadic.generate.rmat(9, seed=4, directed=True)
    before = gpus.runtime(gpu_device).launches
    found = measure(graph, device=gpu_device)
    assert gpus.runtime(gpu_device).launches > before
    np.testing.assert_array_equal(found, measure(graph, device="cpu"))


@pytest.mark.parametrize("n", [0, 1, 40])
@pytest.mark.parametrize("directed", [False, True])
def test_a_network_without_triangles_has_results(n, directed):
    graph = Graph.from_edges([], [], num_vertices=n, directed=directed)
    assert (
        triadic.directed_clustering(graph).tolist()
        == triadic.directed_clustering(graph, method="ldbc").tolist()
        == [0.0] * n
    )
    assert [part.tolist() for part in triadic.directed_clustering(graph, parts=True).values()] == [[0.0] * n] * 5
    assert triadic.directed_transitivity(graph) == 0.0


def test_a_real_network_has_the_results_of_networkx(real_networks):
    graph = triadic.read(real_networks / "celegansneural.gml.gz", directed=True)
    theirs = nx.DiGraph(zip(*(ends.tolist() for ends in graph.edges()), strict=True))
    local = nx.clustering(theirs)
    found = triadic.directed_clustering(graph)
    np.testing.assert_allclose([found[v] for v in local], list(local.values()), rtol=1e-12)
    assert triadic.directed_transitivity(graph) == pytest.approx(nx.transitivity(theirs), rel=1e-12)


def test_results_have_the_documented_types():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True)
    assert type(triadic.directed_transitivity(graph)) is float
    assert (
        triadic.directed_clustering(graph).dtype
        == triadic.directed_clustering(graph, method="ldbc").dtype
        == np.float64
    )
    parts = triadic.directed_clustering(graph, parts=True)
    assert isinstance(parts, triadic.Table)
    assert {part.dtype for part in parts.values()} == {np.dtype(np.float64)}
