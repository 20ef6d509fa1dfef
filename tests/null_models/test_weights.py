"""Weights of random networks."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

import triadic
from strategies import NIGHTLY, examples, networks
from triadic import Graph
from triadic.core.arcs import Dropped
from triadic.core.draws import derive_keys
from triadic.errors import ArgumentError
from triadic.graph.graph import edge_weights
from triadic.null_models.model import Null
from triadic.null_models.randomization import randomize
from triadic.null_models.switching import SignedSwitching
from triadic.null_models.weights import Weighted


def strengths(graph):
    """Return the strengths of each vertex by their definition: positive and negative, out and in."""
    off = np.zeros((graph.num_vertices, 4))
    row = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    for u, v, weight in zip(row.tolist(), graph.indices.tolist(), graph.weights.tolist(), strict=True):
        negative = 2 * (weight < 0)
        off[u, negative] += weight
        if graph.directed:
            off[v, negative + 1] += weight
    return off


def weights_of_edges(graph):
    return Counter(graph.weights.tolist())


def weighted(network, rng, *, signed=False):
    graph = network.graph()
    source, target = graph.edges()
    weights = rng.integers(1, 9, len(source)) * (rng.choice([-1, 1], len(source)) if signed else 1)
    return Graph.from_edges(source, target, weights=weights, num_vertices=graph.num_vertices, directed=graph.directed)


@pytest.mark.filterwarnings("ignore:.*of all arcs stay as they are")
@examples(40)
@given(network=networks(), mutual=st.booleans(), grouped=st.booleans(), seed=st.integers(0, 999))
def test_weights_travel_with_their_arcs(network, mutual, grouped, seed):
    rng = np.random.default_rng(seed)
    graph = weighted(network, rng, signed=True)
    mutual = mutual and graph.directed
    null = "mutual" if mutual else "degrees"
    groups = rng.integers(0, 2, graph.num_vertices) if grouped else None
    drawn = randomize(graph, null=null, groups=groups, keep_weights="keep", steps=200, seed=seed)
    plain = randomize(graph, null=null, groups=groups, steps=200, seed=seed)
    assert [end.tolist() for end in drawn.edges()] == [end.tolist() for end in plain.edges()]
    assert weights_of_edges(drawn) == weights_of_edges(graph)
    if graph.directed and not mutual:
        assert np.array_equal(strengths(drawn)[:, [0, 2]], strengths(graph)[:, [0, 2]])


@pytest.mark.parametrize("directed", [False, True])
def test_an_arc_that_was_not_moved_keeps_its_weight(directed):
    graph = triadic.generate.watts_strogatz(40, 6, 0.0, seed=1, directed=directed)
    source, target = graph.edges()
    graph = Graph.from_edges(source, target, weights=np.arange(1, len(source) + 1), directed=directed)
    for keywords in ({}, {"groups": [0, 1] * 20}):
        model = Null("degrees", keep_weights="keep", **keywords).of(graph)
        walk = model.walk(1)
        before = np.stack(walk.edges())
        assert walk.go(15) > 5
        after = np.stack(walk.edges())
        assert 5 < (before == after).all(axis=0).sum() < len(source)
        for ends, one in ((before, graph), (after, walk.graph())):
            assert np.array_equal(one.to_scipy().todense()[*ends], model.weights)


@pytest.mark.parametrize("null", ["degrees", "mutual", "gnm"])
def test_shuffled_weights_are_all_there_and_elsewhere(null):
    rng = np.random.default_rng(1)
    graph = triadic.generate.rmat(6, seed=1, directed=True)
    source, target = graph.edges()
    graph = Graph.from_edges(source, target, weights=rng.random(len(source)), directed=True, num_vertices=64)
    one, other = randomize(graph, null=null, keep_weights="shuffle", samples=2, seed=1)
    assert weights_of_edges(one) == weights_of_edges(other) == weights_of_edges(graph)
    assert not np.array_equal(strengths(one), strengths(other))


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_strengths_are_kept_within_the_tolerance(directed, signed):
    rng = np.random.default_rng(1)
    graph = triadic.generate.rmat(8, seed=1, directed=directed)
    source, target = graph.edges()
    weights = rng.lognormal(size=len(source)) * (rng.choice([-1, 1, 1], len(source)) if signed else 1)
    graph = Graph.from_edges(source, target, weights=weights, directed=directed, num_vertices=256)
    wanted = strengths(graph)
    for tolerance in (0.1, 0.05):
        drawn = randomize(graph, keep_weights="strength", tolerance=tolerance, samples=3, seed=1)
        for one in drawn:
            assert np.abs(strengths(one) - wanted).sum() <= tolerance * np.abs(wanted).sum()
            assert weights_of_edges(one) == weights_of_edges(graph)
        assert not np.array_equal(drawn[0].weights, drawn[1].weights)
    shuffled = strengths(randomize(graph, keep_weights="shuffle", seed=1))
    assert np.abs(shuffled - wanted).sum() > 0.2 * np.abs(wanted).sum()


def test_strengths_of_real_connectomes_are_kept(real_networks):
    for file, keywords in (("celegansneural.gml.gz", {"weights": "value"}), ("USAir97.net.gz", {"weights": True})):
        graph = triadic.read(real_networks / file, **keywords)
        drawn = randomize(graph, keep_weights="strength", seed=1)
        wanted = strengths(graph)
        assert np.abs(strengths(drawn) - wanted).sum() <= 0.05 * np.abs(wanted).sum()


def test_strengths_that_no_permutation_has_are_an_error():
    """A matching with one heavy edge: the heavy edge has to lie at the two vertices that it joined."""
    graph = Graph.from_edges([0, 2, 4, 6], [1, 3, 5, 7], weights=[1000.0, 1, 1, 1])
    with pytest.raises(ArgumentError, match=r"tolerance=0.01: the strengths of a sample differ by .*'shuffle'"):
        randomize(graph, keep_weights="strength", tolerance=0.01, samples=20, seed=1)


def test_the_networks_that_significance_counts_can_be_drawn():
    graph = triadic.generate.rmat(6, seed=1, directed=True)
    source, target = graph.edges()
    weights = np.random.default_rng(1).integers(1, 5, len(source))
    graph = Graph.from_edges(source, target, weights=weights, directed=True, num_vertices=64)
    keywords = {"null": "mutual", "keep_weights": "strength", "samples": 2, "seed": 3}
    found = triadic.significance(graph, of="intensity", **keywords)
    for drawn, counted in zip(randomize(graph, **keywords), found.samples, strict=True):
        sums = triadic.motif_intensity(drawn)
        again = {f"{name} intensity": value for name, value in zip(sums["name"], sums["intensity"], strict=True)}
        assert {name: dict(zip(found.names, counted, strict=True))[name] for name in again} == pytest.approx(again)


def test_a_tolerance_that_signs_within_groups_do_not_reach_is_explained():
    rng = np.random.default_rng(1)
    graph = triadic.generate.rmat(7, seed=1, directed=True)
    source, target = graph.edges()
    weights = rng.lognormal(size=len(source)) * np.where(source % 2, 1, -1)  # as of neurons that inhibit
    graph = Graph.from_edges(source, target, weights=weights, directed=True, num_vertices=128)
    with pytest.raises(ArgumentError, match=r"larger tolerance.*within groups= .*positive and of negative arcs"):
        randomize(graph, keep_weights="strength", groups=np.zeros(128, dtype=int), tolerance=0.001, seed=1)


WEIGHTED = Graph.from_edges([0, 2], [1, 3], weights=[1.0, 2.0])


@pytest.mark.parametrize(
    ("graph", "keywords", "found"),
    [
        (WEIGHTED, {"keep_weights": "all"}, "keep_weights='all': expected 'keep', 'shuffle' or 'strength'"),
        (Graph.from_edges([0], [1]), {"keep_weights": "keep"}, "the graph has no weights"),
        (WEIGHTED, {"keep_weights": "keep", "null": "gnm"}, "have other edges; expected 'shuffle'"),
        (WEIGHTED, {"keep_weights": "shuffle", "null": "configuration"}, "erases edges"),
        (WEIGHTED, {"keep_weights": "keep", "tolerance": 0.1}, "only keep_weights='strength' has a tolerance"),
        (WEIGHTED, {"keep_weights": "strength", "tolerance": 0}, "tolerance=0: expected a share"),
    ],
    ids=str,
)
def test_a_bad_argument_is_named(graph, keywords, found):
    with pytest.raises(ArgumentError, match=found):
        randomize(graph, **keywords)


def signed_degrees(graph):
    """Return the numbers of positive and of negative arcs out of and into each vertex."""
    matrix = graph.to_scipy().toarray()
    return [(part > 0).sum(axis=axis).tolist() for part in (matrix, -matrix) for axis in (0, 1)]


@examples(30)
@given(network=networks(), mutual=st.booleans(), share=st.sampled_from([0.1, 0.5, 0.9]), seed=st.integers(0, 2**64 - 1))
def test_each_vertex_keeps_its_degrees_of_each_sign(network, mutual, share, seed):
    source, target = network.graph().edges()
    rng = np.random.default_rng(seed)
    weights = np.where(rng.random(len(source)) < share, 1.0, -1.0)
    directed = network.graph().directed
    graph = Graph.from_edges(
        source, target, weights=weights, directed=directed, num_vertices=network.graph().num_vertices
    )
    mutual = mutual and directed
    model = SignedSwitching.of(graph, edge_weights(graph), mutual=mutual, steps=300)
    drawn, _ = Weighted.of(graph, model, "strength", 1e-9).draw(seed)
    assert drawn.dropped == Dropped()
    assert signed_degrees(drawn) == signed_degrees(graph)
    assert np.array_equal(strengths(drawn), strengths(graph))
    if mutual:
        assert triadic.dyad_census(drawn) == triadic.dyad_census(graph)
        both = [one.to_scipy().toarray() for one in (graph, drawn)]
        assert len({((one * one.T) > 0).sum() for one in both}) == 1  # pairs of equal signs
        assert len({tuple(((one != 0) & (one.T != 0)).sum(axis=0).tolist()) for one in both}) == 1


def test_all_graphs_with_the_degrees_of_each_sign_are_equally_likely():
    """Chi-squared test over all pairs of disjoint matchings, one of each sign, that single switches reach."""
    tails, start = np.arange(4), ((4, 5, 6, 7), (5, 4))
    space, fresh = {start}, [start]
    while fresh:
        signs = fresh.pop()
        for sign, heads in enumerate(signs):
            for i, j in permutations(range(len(heads)), 2):
                turned = list(heads)
                turned[i], turned[j] = turned[j], turned[i]
                found = tuple(tuple(turned) if sign == other else signs[other] for other in (0, 1))
                if all(a != b for a, b in zip(*found, strict=False)) and found not in space:
                    space.add(found)
                    fresh.append(found)
    assert len(space) > 20
    source, target = np.concatenate([tails, tails[:2]]), np.concatenate(start)
    graph = Graph.from_edges(source, target, weights=np.array([1.0] * 4 + [-1.0] * 2), directed=True)
    model = SignedSwitching.of(graph, edge_weights(graph), mutual=False, steps=200)
    each = 60 if NIGHTLY else 20  # walks that are expected to end at a graph
    seen = Counter()
    for key in derive_keys(1, each * len(space)).tolist():
        walk = model.walk(key)
        walk.go(2000)
        tail, head = (end.tolist() for end in walk.edges())
        signs = [dict(zip(tail[part], head[part], strict=True)) for part in (slice(4), slice(4, 6))]
        seen[tuple(tuple(sign[u] for u in sorted(sign)) for sign in signs)] += 1
    assert set(seen) == space
    statistic = sum((seen[one] - each) ** 2 / each for one in space)
    assert chi2.sf(statistic, len(space) - 1) > 0.001


def test_a_signed_walk_in_parts_is_the_same_walk():
    rng = np.random.default_rng(2)
    source, target = triadic.generate.rmat(7, seed=1, directed=True).edges()
    weights = rng.choice([-1.0, 1.0, 1.0], len(source))
    graph = Graph.from_edges(source, target, weights=weights, directed=True, num_vertices=128)
    for mutual in (False, True):
        model = SignedSwitching.of(graph, edge_weights(graph), mutual=mutual, steps=None)
        whole, parts = model.walk(3), model.walk(3)
        taken = whole.go(20_000)
        assert taken == sum(parts.go(steps) for steps in (1, 0, 4095, 1, 10_000, 5903)) > 1000
        assert [end.tolist() for end in whole.edges()] == [end.tolist() for end in parts.edges()]


def test_strengths_of_a_real_network_of_friends_and_foes_are_kept(real_networks):
    """Arcs without regard to signs have no placement of the signs that misses less than 6% of the strengths."""
    graph = triadic.read(real_networks / "soc-sign-Slashdot090221.txt.gz", weights=True)
    drawn = randomize(graph, keep_weights="strength", tolerance=1e-9, steps=1_000_000, seed=1)
    for sign in (1, -1):
        for end in (0, 1):
            before, after = (
                np.bincount(one.edges()[end][one.weights == sign], minlength=graph.num_vertices)
                for one in (graph, drawn)
            )
            assert np.array_equal(before, after)
    assert not np.array_equal(drawn.edges()[1], graph.edges()[1])


@pytest.mark.parametrize("signed", [False, True])
def test_a_tolerance_of_two_percent_is_reached(signed):
    rng = np.random.default_rng(3)
    source, target = triadic.generate.rmat(9, seed=1, directed=True).edges()
    weights = rng.lognormal(size=len(source)) * (rng.choice([-1, 1], len(source)) if signed else 1)
    graph = Graph.from_edges(source, target, weights=weights, directed=True, num_vertices=512)
    wanted = strengths(graph)
    one, other = randomize(graph, keep_weights="strength", tolerance=0.02, samples=2, seed=1)
    for drawn in (one, other):
        assert np.abs(strengths(drawn) - wanted).sum() <= 0.02 * np.abs(wanted).sum()
    assert not np.array_equal(one.weights, other.weights)
