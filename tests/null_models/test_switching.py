"""Switching: the properties that it keeps, and the equal likelihood of all graphs that it reaches."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.dispatcher import Dispatcher
from scipy.stats import chi2

import triadic
from naive_realisations import realisations
from strategies import NIGHTLY, examples, networks
from triadic import Graph
from triadic.core.arcs import Dropped
from triadic.core.draws import GOLDEN, derive_keys
from triadic.devices.cpu.intrinsics import LINE
from triadic.errors import ArgumentError, OutOfMemoryError
from triadic.null_models import dyads, switching
from triadic.null_models.constrained import ConstrainedSwitching
from triadic.null_models.constraints import Constraints
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
    return Graph.from_edges(*np.array(arcs).T, directed=directed, num_vertices=vertices)


@pytest.fixture(params=["matrix", "table", "table of wide entries", "table with full buckets"])
def container(request, monkeypatch):
    """Let walks keep their dyads in a matrix or in a table, whatever the size of the graph."""
    if request.param != "matrix":
        monkeypatch.setattr(dyads, "_MATRIX_BYTES", 0)
    filled = {"table of wide entries": {8: 3.2}, "table with full buckets": {4: 15.0}}.get(request.param)
    if filled is not None:
        monkeypatch.setattr(dyads, "_MOST_FILLED", filled)
    return request.param


def place(table, u, v, state, ordered):
    """Return the first slot of the bucket of a dyad, and its entry, as kernels pass them on."""
    return tuple(map(np.uint64, dyads.place(table, u, v, np.int64(state), ordered)))


def check_dyads(found, graph, *, ordered):
    """Check that a matrix or a table holds the dyads of a graph, and nothing else."""
    arcs = arcs_of(graph)
    if found.ndim == dyads.MATRIX:
        bits = np.unpackbits(found, axis=1, bitorder="little")[:, : graph.num_vertices]
        assert bits.diagonal().all()
        assert set(zip(*(end.tolist() for end in np.nonzero(bits)), strict=True)) == arcs | {
            (u, u) for u in range(graph.num_vertices)
        }
        return
    pairs = arcs if ordered else {(min(arc), max(arc)) for arc in arcs}
    for u, v in pairs:
        state = 1 if ordered else ((u, v) in arcs) + 2 * ((v, u) in arcs)
        slot = dyads.slot_of(found, *place(found, u, v, state, ordered))
        assert slot > 0
        assert int(found[slot]) & 3 == state
    assert (found != found.dtype.type(2**64 - 1 & int(np.iinfo(found.dtype).max))).sum() - 2 == len(pairs)


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
@pytest.mark.parametrize("most_bytes", [0, 1 << 21], ids=["table", "matrix"])
def test_all_realisations_are_equally_likely(monkeypatch, most_bytes, directed, null, arcs, size):
    """Chi-squared test over the whole space, which brute force enumerates."""
    monkeypatch.setattr(dyads, "_MATRIX_BYTES", most_bytes)
    graph = graph_of(arcs, directed=directed)
    space = realisations(graph.num_vertices, arcs if directed else both(arcs), mutual=not directed or null == "mutual")
    assert len(space) == size
    model = Switching.of(graph, mutual=null == "mutual", steps=200)
    each = 60 if NIGHTLY else 20  # walks that are expected to end at a graph
    seen = Counter()
    for key in derive_keys(1, each * len(space)).tolist():
        walk = model.walk(key)
        walk.go(model.steps)
        ends = zip(*(end.tolist() for end in walk.edges()), strict=True)
        seen[frozenset(ends if directed else both(ends))] += 1
    assert set(seen) == set(space)
    statistic = sum((seen[arcs] - each) ** 2 / each for arcs in space)
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


@examples(20)
@given(network=networks(), mutual=st.booleans(), seed=st.integers(0, 2**64 - 1))
def test_degrees_are_kept_and_no_loop_or_repeat_is_made(network, mutual, seed):
    graph = network.graph()
    mutual = mutual and graph.directed
    drawn = randomize(graph, null="mutual" if mutual else "degrees", steps=300, seed=seed)
    assert drawn.dropped == Dropped()
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


def test_a_larger_graph_is_thoroughly_mixed_and_its_dyads_stay_right(container):
    graph = triadic.generate.rmat(10, seed=1, directed=True)
    for null in ("degrees", "mutual"):
        model = Switching.of(graph, mutual=null == "mutual")
        walk = model.walk(7)
        assert walk.go(model.steps) > 0.3 * model.steps
        again = Switching.of(walk.graph(), mutual=null == "mutual")
        assert (model.dyads.ndim == dyads.MATRIX) == (container == "matrix")
        check_dyads(walk._dyads, walk.graph(), ordered=null == "degrees")
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
        assert randomize(Graph.from_edges([], [], num_vertices=3), null=null, seed=1).num_vertices == 3


def walked(graph, *, mutual, steps, seed, constraints=None):
    """Return the ends of all arcs after a walk, and the number of accepted proposals."""
    model = (
        Switching.of(graph, mutual=mutual)
        if constraints is None
        else ConstrainedSwitching.of(graph, constraints, mutual=mutual, steps=steps)
    )
    walk = model.walk(seed)
    taken = walk.go(steps)
    return [end.tolist() for end in walk.edges()], taken


def tables(*filled, grouped):
    """Return the tables of which each test takes all, but those of 8 bytes an entry for walks in groups at night only.

    These compile the kernels of walks in groups once more, which access tables by the functions that other walks call.
    """
    return [each for each in filled if NIGHTLY or not grouped or 8 not in each]


@examples(15)
@given(network=networks(), mutual=st.booleans(), grouped=st.booleans(), seed=st.integers(0, 2**64 - 1))
def test_a_walk_with_a_matrix_is_the_walk_with_a_table(network, mutual, grouped, seed):
    graph = network.graph()
    groups = np.arange(graph.num_vertices) % 2 if grouped else None
    keywords = {
        "mutual": mutual and graph.directed,
        "steps": 300,
        "seed": seed,
        "constraints": Constraints.of(graph, groups=groups),
    }
    expected = walked(graph, **keywords)
    for filled in tables({4: 9.6}, {8: 3.2}, {4: 15.0}, grouped=grouped):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dyads, "_MATRIX_BYTES", 0)
            patch.setattr(dyads, "_MOST_FILLED", filled)
            assert walked(graph, **keywords) == expected


@pytest.mark.parametrize("mutual", [False, True], ids=["degrees", "mutual"])
@pytest.mark.parametrize("shape", ["hubs", "nearly every arc", "a tournament"])
def test_a_long_walk_does_not_depend_on_where_its_dyads_are(monkeypatch, shape, mutual):
    rng = np.random.default_rng(4)
    graph = {
        "hubs": lambda: triadic.generate.rmat(10, seed=1, directed=True),
        "nearly every arc": lambda: Graph.from_edges(*np.nonzero(rng.random((40, 40)) < 0.8), directed=True),
        "a tournament": lambda: Graph.from_edges(*np.nonzero(np.triu(np.ones((70, 70)), 1)), directed=True),
    }[shape]()
    if shape == "a tournament":  # with 3-cycles
        source, target = graph.edges()
        turned = rng.random(len(source)) < 0.5
        graph = Graph.from_edges(
            np.where(turned, target, source), np.where(turned, source, target), directed=True, num_vertices=70
        )
    groups = rng.integers(0, 3, graph.num_vertices)
    for constraints in (None, Constraints.of(graph, groups=groups)):
        keywords = {"mutual": mutual, "steps": 40_000, "seed": 5, "constraints": constraints}
        expected = walked(graph, **keywords)
        assert expected[1] > 20
        for filled in tables({4: 9.6}, {8: 3.2}, {4: 15.0}, {8: 7.0}, grouped=constraints is not None):
            with monkeypatch.context() as patch:
                patch.setattr(dyads, "_MATRIX_BYTES", 0)
                patch.setattr(dyads, "_MOST_FILLED", filled)
                assert walked(graph, **keywords) == expected


@given(
    changes=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.sampled_from([1, 2, 3])), max_size=150),
    ordered=st.booleans(),
    filled=st.sampled_from([{4: 9.6}, {4: 15.5}, {8: 3.2}, {8: 7.5}]),
)
@examples(60)
def test_the_table_is_a_dictionary(changes, ordered, filled):
    """Insert a dyad that is missing, remove one that is not; look-ups still find all others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dyads, "_MOST_FILLED", filled)
        table = dyads.empty_table(31, 40)
    empty, states = np.iinfo(table.dtype).max, {}
    for u, v, state in changes:
        if u == v:
            continue
        name = (u, v) if ordered or u < v else (v, u)
        seen = np.int64(1 if ordered else state)
        start, entry = place(table, u, v, seen, ordered)
        assert dyads.contains(table, start, entry) == (name in states)
        if name in states:
            dyads.remove(table, start, entry)
            del states[name]
        elif len(states) < 40:
            dyads.insert(table, start, entry)
            states[name] = int(seen) if (u, v) == name else int(3 if seen == 3 else 3 - seen)
        assert (table != empty).sum() - 2 == len(states)
        for (a, b), kept in states.items():
            slot = dyads.slot_of(table, *place(table, a, b, kept, ordered))
            assert slot >= dyads.lanes(table)
            assert int(table[slot]) & 3 == kept


@pytest.mark.parametrize("vertices", [2, 3, 17, 1000])
def test_no_two_dyads_have_one_place(vertices):
    table = dyads.empty_table(vertices, vertices)
    some = np.random.default_rng(1).integers(0, vertices, (2000, 2)).tolist()
    pairs = {(u, v) for u, v in some if u != v}
    places = {place(table, u, v, 1, True) for u, v in pairs}
    assert len(places) == len(pairs)


STRUCTURES = {
    "a ring": lambda u: (u, (u + 1) % 40_000),
    "a grid": lambda u: (u, u + 200),
    "a star": lambda u: (0 * u, u + 1),
    "even vertices": lambda u: (2 * u % 50_000, 64 * u % 65_536),
}


@pytest.mark.parametrize("structure", STRUCTURES)
def test_regular_networks_are_spread_over_the_buckets(structure):
    source, target = STRUCTURES[structure](np.arange(40_000, dtype=np.int32))
    table = dyads.empty_table(1 << 16, 40_000)
    dyads.fill_table(table, source.astype(np.int32), target.astype(np.int32), dyads.ARC, True)
    empty = (table.reshape(-1, LINE // table.itemsize)[1:] == np.iinfo(table.dtype).max).sum(axis=1)
    assert (empty == 0).mean() < 0.03
    assert empty.max() >= 12


def dyads_of_one_bucket(count):
    """Return ordered pairs of 65,536 vertices whose hashes begin alike: the scattering of `place`, in reverse."""
    width, inside = 16, (1 << 32) - 1
    code = np.arange(count + 100, dtype=np.uint64)  # the upper bits, which name the bucket, are zeros
    for factor in (int(GOLDEN), 0xD6E8FEB86659FD93):
        code = (code * np.uint64(pow(factor, -1, 1 << 32))) & np.uint64(inside)
        code ^= code >> np.uint64(width)
    source, target = (code >> np.uint64(width)).astype(np.int32), (code & np.uint64(0xFFFF)).astype(np.int32)
    keep = np.flatnonzero(source != target)[:count]
    return source[keep], target[keep]


def test_a_table_whose_entries_would_pass_too_many_buckets_is_refused():
    source, target = dyads_of_one_bucket(5000)
    table = dyads.empty_table(1 << 16, 5000)
    assert table.itemsize == 4
    assert len({int(place(table, u, v, 1, True)[0]) for u, v in zip(source, target, strict=True)}) == 1
    some = slice(128 * 16)  # the home bucket and 127 others
    dyads.fill_table(table, source[some], target[some], dyads.ARC, True)
    with pytest.raises(OverflowError, match="too many full buckets"):
        dyads.fill_table(table, source[128 * 16 :], target[128 * 16 :], dyads.ARC, True)
    for i in range(5000):
        assert dyads.contains(table, *place(table, source[i], target[i], 1, True)) == (i < 128 * 16)


def test_a_graph_whose_dyads_share_a_bucket_has_wide_entries():
    source, target = dyads_of_one_bucket(5000)
    graph = Graph.from_edges(source, target, directed=True, num_vertices=1 << 16)
    model = Switching.of(graph, mutual=False)
    assert model.dyads.itemsize == 8
    drawn, moved = model.draw(1)
    assert moved
    assert drawn.num_arcs == 5000
    for before, after in zip(graph.edges(), drawn.edges(), strict=True):
        assert np.array_equal(np.bincount(before, minlength=1 << 16), np.bincount(after, minlength=1 << 16))


def test_the_line_of_a_bucket_is_a_line_of_the_cache():
    table = dyads.empty_table(1000, 1000)
    for one in (table, dyads.copy_dyads(table)):
        assert one.ctypes.data % 64 == 0
        assert np.array_equal(one, table)


def test_no_kernel_makes_floats_of_integers(monkeypatch):
    test_the_same_seed_gives_the_same_graphs_on_any_number_of_threads_and_however_many_are_drawn()
    test_a_long_walk_does_not_depend_on_where_its_dyads_are(monkeypatch, "hubs", False)
    kernels = [member for module in (dyads, switching) for member in vars(module).values()]
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
        ({"null": "chance"}, "null='chance': expected 'degrees', 'mutual', 'gnm', 'configuration' or 'types'"),
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
