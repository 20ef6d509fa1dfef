"""Weighted clustering of tiles: 20 cuts of five networks, exact to the last bit against sums of fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import triadic
from tiled_networks import CUTS, NETWORKS, NIGHTLY, cluster, draw_cuts, store_tiles
from triadic.counts.count import run
from triadic.counts.tile_weights import EXACT_PAIRS, EXACT_PRODUCTS, STRENGTHS
from triadic.devices.cpu.fixed_point import PRODUCT_FRACTION, VALUE_FRACTION, VALUE_LIMBS, rounded, rounded_pairs
from triadic.graph.weighted import entry_weights
from triadic.tiles.memory_tiles import MemoryTiles

METHODS = ("onnela", "barrat", "zhang-horvath")
KINDS = {"undirected": False, "directed": True}


def with_weights(graph, *, directed, seed=4):
    """The network with weights over many powers of ten; of a directed one, some are negative."""
    source, target = graph.edges()
    chance = np.random.default_rng(seed)
    weights = chance.random(len(source)) * 10.0 ** chance.integers(-9, 4, len(source))
    if directed:
        weights *= chance.choice([1, 1, 1, -1], len(source))
    return triadic.Graph.from_edges(
        source, target, vertices=graph.num_vertices, weights=weights, directed=directed, combine="max"
    )


def tiles_of(graph, folder, number):
    cuts = draw_cuts(graph.num_vertices, number)
    weights = entry_weights(graph, threads=1)
    store_tiles(MemoryTiles(graph.oriented(), cuts, arcs=graph.num_arcs, weights=weights), folder)
    return folder


def naive_sums(oriented, values):
    """At each rank the sums of products and of pairs over its triangles, as fractions, from the dictionary of edges."""
    n = oriented.num_vertices
    row = np.repeat(np.arange(n), np.diff(oriented.indptr)).tolist()
    value = dict(zip(zip(row, oriented.indices.tolist(), strict=True), values.tolist(), strict=True))
    below = [set() for _ in range(n)]
    for u, v in value:
        below[u].add(v)
    products, pairs = [Fraction(0)] * n, [Fraction(0)] * n
    for (u, v), x in value.items():
        for w in below[u] & below[v]:
            y, z = value[u, w], value[v, w]
            product = cut_off((y * z) * x, PRODUCT_FRACTION)
            for rank, pair in ((u, x + y), (v, x + z), (w, y + z)):
                products[rank] += product
                pairs[rank] += cut_off(pair, PRODUCT_FRACTION)
    return products, pairs


def naive_strengths(oriented, values):
    """At each rank the sum of the values of its edges, and of the products of all pairs of them, as fractions."""
    at = [[] for _ in range(oriented.num_vertices)]
    row = np.repeat(np.arange(oriented.num_vertices), np.diff(oriented.indptr)).tolist()
    for u, v, x in zip(row, oriented.indices.tolist(), values.tolist(), strict=True):
        for rank in (u, v):
            at[rank].append(cut_off(x, VALUE_FRACTION))
    sums = [sum(of_rank, Fraction(0)) for of_rank in at]
    squares = [sum((x * x for x in of_rank), Fraction(0)) for of_rank in at]
    return sums, [(s * s - q) / 2 for s, q in zip(sums, squares, strict=True)]


def cut_off(value, fraction):
    units = abs(Fraction(value)) * 2**fraction
    return (1 if value >= 0 else -1) * Fraction(units.numerator // units.denominator, 2**fraction)


@pytest.fixture(scope="module")
def clients():
    with cluster(1) as one, cluster(2) as two, cluster(4) as four:
        yield {1: one, 2: two, 4: four}


@pytest.fixture(scope="module", params=[f"{name}, {kind}" for name in NETWORKS for kind in KINDS])
def case(request, tmp_path_factory):
    """A network with weights, its tiles in 20 cuts, and its coefficients in memory and in one tile."""
    name, kind = request.param.split(", ")
    graph = with_weights(NETWORKS[name](), directed=KINDS[kind])
    folders = [tiles_of(graph, tmp_path_factory.mktemp("tiles") / "tiles", number) for number in range(CUTS)]
    methods = METHODS[:1] if graph.directed else METHODS
    whole = triadic.TiledGraph(folders[0], results=tmp_path_factory.mktemp("results"))
    in_one = {method: np.array(triadic.weighted_clustering(whole, method=method)) for method in methods}
    return graph, folders, in_one


def test_one_tile_agrees_with_the_graph_in_memory(case):
    graph, _, in_one = case
    for method, found in in_one.items():
        expected = triadic.weighted_clustering(graph, method=method)
        scale = np.abs(expected) if graph.directed is False else magnitude(graph)
        np.testing.assert_array_less(np.abs(found - expected), 1e-12 * scale + 1e-300)


def magnitude(graph):
    """The coefficients with the absolute values of the weights: the scale of sums that cancel."""
    source, target = graph.edges()
    absolute = triadic.Graph.from_edges(
        source, target, vertices=graph.num_vertices, weights=np.abs(graph.weights), directed=True
    )
    return triadic.weighted_clustering(absolute, largest=graph.weights.max())


@pytest.mark.parametrize("number", range(CUTS))
def test_on_one_machine(case, number, tmp_path):
    _, folders, in_one = case
    for threads in (1, 2, 3) if NIGHTLY else (number % 3 + 1,):
        tiled = triadic.TiledGraph(folders[number], results=tmp_path / f"{threads}")
        for method, expected in in_one.items():
            found = triadic.weighted_clustering(tiled, method=method, threads=threads)
            assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("number", range(CUTS))
def test_on_a_cluster(case, clients, number, tmp_path):
    """In the nightly run each cut on each cluster, otherwise on one of them in turn, by one method."""
    _, folders, in_one = case
    methods = in_one if NIGHTLY else [list(in_one)[number % len(in_one)]]
    for workers in clients if NIGHTLY else (list(clients)[number % 3],):
        tiled = triadic.TiledGraph(folders[number], results=tmp_path / f"{workers}", client=clients[workers])
        for method in methods:
            assert triadic.weighted_clustering(tiled, method=method).tobytes() == in_one[method].tobytes()


@pytest.mark.parametrize("name", NETWORKS)
def test_sums_are_exact_sums_of_rounded_products(name):
    graph = with_weights(NETWORKS[name](), directed=False)
    oriented, weights = graph.oriented(), entry_weights(graph, threads=1).out
    values = np.cbrt(weights / weights.max()) / 2
    values[::5] *= -1
    products, pairs = naive_sums(oriented, values)
    for count, expected in ((EXACT_PRODUCTS, products), (EXACT_PAIRS, pairs)):
        limbs = run(count, oriented, values, threads=2)
        assert [exact(row, PRODUCT_FRACTION) for row in limbs.tolist()] == expected
        assert rounded(limbs, PRODUCT_FRACTION, threads=2).tolist() == list(map(float, expected))


@pytest.mark.parametrize("name", NETWORKS)
def test_strengths_and_pairs_are_exact(name):
    graph = with_weights(NETWORKS[name](), directed=False)
    oriented, weights = graph.oriented(), entry_weights(graph, threads=1).out
    values = weights / weights.max()
    sums, pairs = naive_strengths(oriented, values)
    limbs = run(STRENGTHS, oriented, values, threads=2)
    assert rounded(limbs, VALUE_FRACTION, threads=2, count=VALUE_LIMBS).tolist() == list(map(float, sums))
    assert rounded_pairs(limbs, threads=2).tolist() == list(map(float, pairs))


def exact(limbs, fraction):
    return Fraction(sum(limb << (32 * place) for place, limb in enumerate(limbs)), 2**fraction)
