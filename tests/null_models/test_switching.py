"""Switching: the properties that it keeps, and the equal likelihood of all graphs that it reaches."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.dispatcher import Dispatcher
from scipy.stats import chi2

import triadic
from naive_realisations import realisations
from strategies import networks
from triadic import Graph
from triadic.errors import ArgumentError, OutOfMemoryError
from triadic.generate.draws import derive_keys
from triadic.null_models import dyad_table, switching_kernels
from triadic.null_models.randomization import randomize
from triadic.null_models.switching import Switching

CYCLE = [(0, 1), (1, 2), (2, 0)]


def both(edges):
    return [arc for u, v in edges for arc in ((u, v), (v, u))]


def arcs_of(graph):
    source, target = graph.edges()
    arcs = list(zip(source.tolist(), target.tolist(), strict=True))
    return frozenset(arcs if graph.directed else both(arcs))


def graph_of(arcs, *, directed, vertices=None):
    return Graph.from_edges(*np.array(arcs).T, directed=directed, vertices=vertices)


SPACES = {
    "three edges apart": (False, "degrees", [(0, 1), (2, 3), (4, 5)], 15),
    "one hexagon or two triangles": (False, "degrees", [(u, (u + 1) % 6) for u in range(6)], 70),
    "uneven degrees": (False, "degrees", [(0, 1), (0, 2), (0, 3), (1, 2), (3, 4), (4, 5)], 36),
    "a directed triangle": (True, "degrees", CYCLE, 2),
    "derangements of four": (True, "degrees", [(0, 1), (1, 0), (2, 3), (3, 2)], 9),
    "a tangle": (True, "degrees", [(0, 1), (1, 0), (1, 2), (2, 3), (3, 1), (0, 3), (2, 0)], 7),
    "a directed triangle, mutual degrees kept": (True, "mutual", CYCLE, 2),
    "arcs, mutual degrees kept": (True, "mutual", [(0, 1), (2, 3), (4, 5)], 6),
    "a triangle and edges": (True, "mutual", [*CYCLE, (2, 3), *both([(0, 3), (1, 4), (2, 5)])], 8),
}


@pytest.mark.parametrize(("directed", "null", "arcs", "size"), SPACES.values(), ids=SPACES)
def test_all_realisations_are_equally_likely(directed, null, arcs, size):
    """Chi-squared test over the whole space, which brute force enumerates."""
    graph = graph_of(arcs, directed=directed)
    space = realisations(graph.num_vertices, arcs if directed else both(arcs), mutual=not directed or null == "mutual")
    assert len(space) == size
    model = Switching.of(graph, mutual=null == "mutual", steps=200)
    seen = Counter()
    for key in derive_keys(1, 60 * len(space)).tolist():
        walk = model.walk(key)
        walk.go(model.steps)
        ends = zip(*(end.tolist() for end in walk.edges()), strict=True)
        seen[frozenset(ends if directed else both(ends))] += 1
    assert set(seen) == set(space)
    statistic = sum((seen[arcs] - 60) ** 2 / 60 for arcs in space)
    assert chi2.sf(statistic, len(space) - 1) > 0.001


def test_a_directed_triangle_is_reversed():
    """No two of its arcs can exchange heads, so only the reversal of 3-cycles changes it."""
    graph = graph_of(CYCLE, directed=True)
    drawn = Counter(arcs_of(sample) for sample in randomize(graph, samples=100, steps=200, seed=1))
    assert len(drawn) == 2
    assert min(drawn.values()) > 30


def test_some_graphs_with_the_same_mutual_degrees_are_not_reached():
    """The example of docs/significance.md: a path through two vertices in one order, and in the other."""
    path = [(0, 3), (3, 1), (1, 2)]
    assert len(realisations(4, path, mutual=True)) == 2
    found = {arcs_of(sample) for sample in randomize(graph_of(path, directed=True), null="mutual", samples=20, seed=1)}
    assert found == {frozenset(path)}


@settings(max_examples=40)
@given(network=networks(), mutual=st.booleans(), seed=st.integers(0, 2**64 - 1))
def test_degrees_are_kept_and_no_loop_or_repeat_is_made(network, mutual, seed):
    graph = network.graph()
    mutual = mutual and graph.directed
    drawn = randomize(graph, null="mutual" if mutual else "degrees", steps=300, seed=seed)
    assert drawn.dropped == triadic.Dropped()
    assert (drawn.directed, drawn.num_vertices, drawn.num_arcs) == (
        graph.directed,
        graph.num_vertices,
        graph.num_arcs,
    )
    for ends in zip(graph.edges(), drawn.edges(), strict=True) if graph.directed else ():
        a, b = (np.bincount(end, minlength=graph.num_vertices) for end in ends)
        assert a.tolist() == b.tolist()
    if mutual or not graph.directed:
        assert graph.degree.tolist() == drawn.degree.tolist()
    if mutual:
        assert triadic.dyad_census(graph) == triadic.dyad_census(drawn)


def test_a_larger_graph_is_thoroughly_mixed_and_its_table_stays_right():
    graph = triadic.generate.rmat(10, seed=1, directed=True)
    for null in ("degrees", "mutual"):
        model = Switching.of(graph, mutual=null == "mutual")
        walk = model.walk(7)
        assert walk.go(model.steps) > 0.3 * model.steps
        again = Switching.of(walk.graph(), mutual=null == "mutual")
        assert sorted(walk._table.tolist()) == sorted(again.table.tolist())
        assert np.array_equal(again.indptr, model.indptr)
        assert len(arcs_of(graph) & arcs_of(walk.graph())) < 0.5 * graph.num_arcs


def test_the_same_seed_gives_the_same_graphs_on_any_number_of_threads_and_however_many_are_drawn():
    graph = triadic.generate.watts_strogatz(50, 4, 0.1, seed=1)
    two = [arcs_of(sample) for sample in randomize(graph, samples=2, seed=5, threads=1)]
    five = [arcs_of(sample) for sample in randomize(graph, samples=5, seed=5, threads=3)]
    assert five[:2] == two
    assert len(set(five)) == 5
    assert arcs_of(randomize(graph, seed=5)) == two[0]


def test_a_walk_in_parts_is_the_same_walk():
    model = Switching.of(triadic.generate.rmat(6, seed=1, directed=True), mutual=True)
    whole, parts = model.walk(3), model.walk(3)
    assert whole.go(1000) == sum(parts.go(steps) for steps in (1, 0, 499, 500))
    assert arcs_of(whole.graph()) == arcs_of(parts.graph())


@pytest.mark.parametrize("arcs", [[(0, 1), (0, 2), (0, 3)], [(0, 1), (0, 2), (1, 2)], [(0, 1)]], ids=str)
def test_the_only_graph_with_its_degrees_is_returned(arcs):
    for directed in (False, True):
        if not directed or len(arcs) != 3 or arcs[2] != (1, 2):
            graph = graph_of(arcs, directed=directed)
            assert arcs_of(randomize(graph, seed=1)) == arcs_of(graph)


def test_more_walks_at_a_time_than_fit_in_memory_raise(monkeypatch):
    graph = triadic.generate.rmat(10, seed=1)
    monkeypatch.setattr("triadic.core.memory.available_bytes", lambda: 400 * graph.num_edges)
    assert len(randomize(graph, samples=8, seed=1, threads=2)) == 8
    for draw in (randomize, triadic.significance):
        with pytest.raises(OutOfMemoryError, match=r"drawing 8 random graphs at a time takes about .*fewer threads"):
            draw(graph, samples=8, threads=16)


def test_labels_are_kept_and_a_graph_without_edges_is_accepted():
    graph = Graph.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])
    assert randomize(graph, seed=1).labels.tolist() == ["a", "b", "c"]
    for null in ("degrees", "gnm", "configuration"):
        assert randomize(Graph.from_edges([], [], vertices=3), null=null, seed=1).num_vertices == 3


@given(
    changes=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([1, 2, 3])), max_size=60),
    ordered=st.booleans(),
)
@settings(max_examples=60)
def test_the_table_is_a_dictionary(changes, ordered):
    """Insert a dyad that is missing, remove one that is not; look-ups still find all others."""
    table, entries = dyad_table.empty_table(45), {}
    for u, v, state in changes:
        if u == v:
            continue
        name = (u, v) if ordered or u < v else (v, u)
        entry = dyad_table.entry(u, v, 1 if ordered else state, ordered)
        if name in entries:
            dyad_table.remove(table, entries.pop(name))
        elif len(entries) < len(table) // 2:
            dyad_table.insert(table, entry)
            entries[name] = entry
        assert sorted(table[table != dyad_table.EMPTY].tolist()) == sorted(entries.values())
        assert all(table[dyad_table.slot_of(table, other)] == other for other in entries.values())
        assert dyad_table.contains(table, entry) == (name in entries)


def test_no_kernel_makes_floats_of_integers():
    test_the_same_seed_gives_the_same_graphs_on_any_number_of_threads_and_however_many_are_drawn()
    kernels = [member for module in (dyad_table, switching_kernels) for member in vars(module).values()]
    kernels = [member for member in kernels if isinstance(member, Dispatcher)]
    assert len(kernels) > 8
    for kernel in kernels:
        assert kernel.targetoptions["nogil"] is True
        for signature in kernel.signatures:
            assert ":: float" not in str(kernel.overloads[signature].type_annotation), kernel


UNDIRECTED = graph_of([(0, 1), (2, 3)], directed=False)


@pytest.mark.parametrize(
    ("keywords", "found"),
    [
        ({"null": "chance"}, "null='chance': expected 'degrees', 'mutual', 'gnm' or 'configuration'"),
        ({"null": ["degrees"]}, "null="),
        ({"null": "mutual"}, "the graph is undirected"),
        ({"steps": -1}, "steps=-1: expected a whole number from 1"),
        ({"steps": 1.5}, "steps=1.5"),
        ({"null": "gnm", "steps": 5}, "drawn directly"),
        ({"samples": 0}, "samples=0"),
        ({"seed": -1}, "seed=-1"),
        ({"threads": 0}, "threads=0"),
    ],
)
def test_a_bad_argument_is_named(keywords, found):
    with pytest.raises(ArgumentError, match=found):
        randomize(UNDIRECTED, **keywords)
