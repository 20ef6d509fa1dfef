"""Intensity and coherence of closed triads."""

from __future__ import annotations

from itertools import combinations
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.core.triad_types import CLOSED_NAMES
from triadic.errors import ArgumentError, UnsupportedError


def weighted(network, seed, *, zeros=False):
    graph = network.graph()
    source, target = graph.edges()
    weights = np.random.default_rng(seed).integers(0 if zeros else 1, 6, len(source)).astype(float)
    return Graph.from_edges(source, target, weights=weights, num_vertices=graph.num_vertices, directed=graph.directed)


def naive(graph):
    """Add up over all triples; the type of each is that of the census of its subgraph."""
    matrix, joined = graph.to_scipy().todense(), np.zeros((graph.num_vertices,) * 2, dtype=bool)
    joined[np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr)), graph.indices] = True
    sums = {name: np.zeros(3) for name in CLOSED_NAMES}
    for triple in combinations(range(graph.num_vertices), 3):
        arcs = [(u, v) for u in triple for v in triple if joined[u, v]]
        if len({frozenset(arc) for arc in arcs}) < 3:
            continue
        part = Graph.from_edges(*np.array(arcs).T, directed=True, num_vertices=graph.num_vertices)
        census = triadic.triad_census(part)
        name = next(name for name in CLOSED_NAMES if census[name])
        weights = [float(matrix[arc]) for arc in arcs]
        intensity, mean = prod(weights) ** (1 / len(weights)), sum(weights) / len(weights)
        sums[name] += 1, intensity, intensity / mean if mean else 0
    return np.array(list(sums.values()))


@examples(25)
@given(network=networks(), seed=st.integers(0, 99), zeros=st.booleans())
def test_intensities_are_those_of_all_triples(network, seed, zeros):
    graph = weighted(network, seed, zeros=zeros)
    if graph.num_vertices > 10:
        graph = graph.subgraph(range(10))
    found = triadic.motif_intensity(graph)
    assert np.stack([found["count"], found["intensity"], found["coherence"]], axis=1) == pytest.approx(
        naive(graph), rel=1e-9
    )


@pytest.mark.parametrize("directed", [False, True])
def test_of_equal_weights_intensities_and_coherences_are_counts(directed):
    plain = triadic.generate.rmat(8, seed=1, directed=directed)
    source, target = plain.edges()
    graph = Graph.from_edges(source, target, weights=np.full(len(source), 3.0), directed=directed)
    found = triadic.motif_intensity(graph)
    census = triadic.triad_census(plain)
    assert found["count"].tolist() == [census[name] for name in CLOSED_NAMES]
    assert found["intensity"] == pytest.approx(3 * found["count"])
    assert found["coherence"] == pytest.approx(found["count"])


def test_the_result_is_the_same_with_any_number_of_threads():
    plain = triadic.generate.rmat(9, seed=1, directed=True)
    source, target = plain.edges()
    weights = np.random.default_rng(1).lognormal(size=len(source))
    graph = Graph.from_edges(source, target, weights=weights, directed=True)
    one, three = (triadic.motif_intensity(graph, threads=threads) for threads in (1, 3))
    assert one["intensity"].tolist() == three["intensity"].tolist()
    assert one["coherence"].tolist() == three["coherence"].tolist()
    assert one.to_pandas().columns.tolist() == ["count", "intensity", "coherence"]
    assert "Table of 7 types" in repr(one)


def test_heavy_loops_are_intense_among_shuffled_weights():
    """Arcs within feed-forward loops are heavy; the same weights elsewhere make less of them."""
    plain = triadic.generate.watts_strogatz(100, 8, 0.5, seed=1, directed=True)
    source, target = plain.edges()
    support = triadic.edge_support(plain.to_undirected())
    of_edge = dict(zip(zip(*map(np.ndarray.tolist, plain.to_undirected().edges()), strict=True), support, strict=True))
    ends = zip(source.tolist(), target.tolist(), strict=True)
    weights = np.array([1.0 + 5 * (of_edge[min(u, v), max(u, v)] > 2) for u, v in ends])
    graph = Graph.from_edges(source, target, weights=weights, directed=True)
    found = triadic.significance(graph, of="intensity", null="degrees", keep_weights="shuffle", samples=20, seed=1)
    assert found["030T intensity"].z > 5
    assert found.counts[0] == triadic.motif_intensity(graph)["intensity"][0]
    assert list(found.profile) == [f"{name} intensity" for name in CLOSED_NAMES]
    kept = triadic.significance(graph, of=("triads", "intensity"), samples=3, seed=1)
    assert kept.keep_weights == "keep"
    assert kept.names[:16] == triadic.TRIAD_NAMES
    assert len(kept) == 30


def test_bad_graphs_and_devices_are_errors():
    with pytest.raises(ArgumentError, match="has no weights"):
        triadic.motif_intensity(Graph.from_edges([0], [1]))
    with pytest.raises(ArgumentError, match=r"it has the weight -2.0; intensities need weights of at least 0"):
        triadic.motif_intensity(Graph.from_edges([0], [1], weights=[-2.0]))
    with pytest.raises((UnsupportedError, ArgumentError)):
        triadic.motif_intensity(Graph.from_edges([0], [1], weights=[2.0]), device="cuda")
    with pytest.raises(ArgumentError, match="the graph has no weights"):
        triadic.significance(Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True), of="intensity", samples=2)
