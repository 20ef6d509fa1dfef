"""Switching within groups and bins of length: what it keeps, and the equal likelihood of all graphs that it reaches."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.dispatcher import Dispatcher
from scipy.stats import chi2

import triadic
from naive_realisations import realisations
from naive_switching import reachable
from strategies import NIGHTLY, examples, networks
from triadic import Graph
from triadic.core.arcs import Dropped
from triadic.core.draws import derive_keys
from triadic.errors import ArgumentError
from triadic.null_models import constrained
from triadic.null_models.constrained import ConstrainedSwitching
from triadic.null_models.constraints import Constraints
from triadic.null_models.randomization import randomize

HEXAGON = [(u, (u + 1) % 6) for u in range(6)]
TANGLE = [(0, 1), (1, 0), (1, 2), (2, 3), (3, 1), (0, 3), (2, 0)]
GRID = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]


def both(edges):
    return [arc for u, v in edges for arc in ((u, v), (v, u))]


def arcs_of(graph):
    arcs = list(zip(*(end.tolist() for end in graph.edges()), strict=True))
    return frozenset(arcs if graph.directed else both(arcs))


def classes_of(graph, constraints):
    """Count the arcs of each class, by the definition."""
    source, target = graph.edges()
    return Counter(map(tuple, constraints.classes(source, target, directed=graph.directed).tolist()))


def kind_of(groups, positions, bins, *, directed):
    """Return a function of an arc's class that knows nothing of the package."""

    def kind(u, v):
        ends = (groups[u], groups[v]) if groups else ()
        length = () if bins is None else int(np.digitize(np.hypot(*np.subtract(positions[u], positions[v])), bins))
        return (ends if directed else tuple(sorted(ends))), length

    return kind


SPACES = {
    "one group is the plain null": (False, "degrees", HEXAGON, [0] * 6, None, 70),
    "a hexagon of two halves": (False, "degrees", HEXAGON, [0, 0, 0, 1, 1, 1], None, 18),
    "a hexagon of two alternating groups": (False, "degrees", HEXAGON, [0, 1, 0, 1, 0, 1], None, 6),
    "three edges between two groups": (False, "degrees", [(0, 1), (2, 3), (4, 5)], [0, 1] * 3, None, 6),
    "a directed tangle of two groups": (True, "degrees", TANGLE, [0, 0, 1, 1], None, 5),
    "a directed triangle of two groups": (True, "mutual", [(0, 1), (1, 2), (2, 0)], [0, 0, 1], None, 2),
    "a directed triangle of three groups": (True, "mutual", [(0, 1), (1, 2), (2, 0)], [0, 1, 2], None, 1),
    "arcs and pairs of two groups": (
        True,
        "mutual",
        [(0, 1), (1, 2), (2, 0), (2, 3), *both([(0, 3), (1, 4), (2, 5)])],
        [0, 0, 0, 1, 1, 1],
        None,
        8,
    ),
    "two lengths": (False, "degrees", HEXAGON, None, [1.2], 18),
    "two lengths of arcs": (True, "degrees", [*HEXAGON, (0, 2), (3, 5)], None, [1.2], 138),
    "two lengths of arcs in two groups": (
        True,
        "degrees",
        [*HEXAGON, (0, 4), (1, 3)],
        [0, 1, 0, 1, 0, 1],
        [1.2],
        10,
    ),
    "two lengths of edges in two groups": (
        False,
        "degrees",
        [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3)],
        [0, 0, 0, 1, 1, 1],
        [1.2],
        1,
    ),
}


@cache
def spaces_of(name):
    """Return all graphs that brute force reaches by single moves, and all with the same degrees and classes."""
    directed, null, arcs, groups, bins, _ = SPACES[name]
    mutual = not directed or null == "mutual"
    start = arcs if directed else both(arcs)
    kind = kind_of(groups, GRID, bins, directed=directed)
    wanted = Counter(kind(*arc) for arc in start)
    every = realisations(int(np.max(arcs)) + 1, start, mutual=mutual)
    alike = {other for other in every if Counter(kind(*arc) for arc in other) == wanted}
    return reachable(start, mutual=mutual, kind=kind), alike


@pytest.mark.parametrize("name", SPACES)
def test_all_graphs_that_moves_reach_are_equally_likely(name):
    """Chi-squared test over all graphs that brute force reaches by single moves."""
    directed, null, arcs, groups, bins, size = SPACES[name]
    graph = Graph.from_edges(*np.array(arcs).T, directed=directed)
    space, alike = spaces_of(name)
    assert len(space) == size
    assert space <= alike
    constraints = Constraints.of(graph, groups=groups, positions=None if bins is None else GRID, bins=bins)
    model = ConstrainedSwitching.of(graph, constraints, mutual=null == "mutual", steps=3200)
    each = 50 if NIGHTLY else 15  # walks that are expected to end at a graph
    seen = Counter()
    for key in derive_keys(1, each * len(space)).tolist():
        walk = model.walk(key)
        walk.go(model.steps)
        ends = zip(*(end.tolist() for end in walk.edges()), strict=True)
        seen[frozenset(ends if directed else both(ends))] += 1
    assert set(seen) == space
    if size > 1:
        statistic = sum((seen[arcs] - each) ** 2 / each for arcs in space)
        assert chi2.sf(statistic, len(space) - 1) > 0.001


def test_some_graphs_with_the_same_bins_are_not_reached():
    """The example of docs/significance.md: eight of 146 graphs need two moves, the first of which changes a bin."""
    reached, alike = spaces_of("two lengths of arcs")
    assert (len(alike), len(reached)) == (146, 138)


@pytest.mark.filterwarnings("ignore:.*of all arcs stay as they are")
@pytest.mark.filterwarnings("ignore:bins. all arcs")  # of few arcs, or of long bins
@examples(30)
@given(
    network=networks(),
    mutual=st.booleans(),
    grouped=st.booleans(),
    placed=st.booleans(),
    data=st.data(),
    seed=st.integers(0, 2**64 - 1),
)
def test_degrees_and_classes_are_kept_and_no_loop_or_repeat_is_made(network, mutual, grouped, placed, data, seed):
    graph = network.graph()
    n = graph.num_vertices
    mutual = mutual and graph.directed
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    groups = rng.integers(0, data.draw(st.integers(1, 6)), n) if grouped or not placed else None
    positions = rng.random((n, data.draw(st.sampled_from([2, 3])))) if placed else None
    bins = data.draw(st.sampled_from([2, 5, [0.3], [0.1, 0.2, 0.6]])) if placed else None
    drawn = randomize(
        graph,
        null="mutual" if mutual else "degrees",
        groups=groups,
        positions=positions,
        bins=bins,
        steps=300,
        seed=seed,
    )
    assert drawn.dropped == Dropped()
    assert (drawn.directed, drawn.num_vertices, drawn.num_arcs) == (graph.directed, n, graph.num_arcs)
    for ends in zip(graph.edges(), drawn.edges(), strict=True) if graph.directed else ():
        a, b = (np.bincount(end, minlength=n) for end in ends)
        assert a.tolist() == b.tolist()
    if mutual or not graph.directed:
        assert graph.degree.tolist() == drawn.degree.tolist()
    if mutual:
        assert triadic.dyad_census(graph) == triadic.dyad_census(drawn)
    constraints = Constraints.of(graph, groups=groups, positions=positions, bins=bins)
    assert classes_of(graph, constraints) == classes_of(drawn, constraints)


def test_stubs_and_table_stay_right_in_a_larger_graph():
    graph = triadic.generate.rmat(10, seed=1, directed=True)
    rng = np.random.default_rng(1)
    groups, positions = rng.integers(0, 20, graph.num_vertices), rng.random((graph.num_vertices, 3))
    for null in ("degrees", "mutual"):
        for keywords in ({"groups": groups}, {"positions": positions}, {"groups": groups, "positions": positions}):
            constraints = Constraints.of(graph, **keywords)
            model = ConstrainedSwitching.of(graph, constraints, mutual=null == "mutual")
            walk = model.walk(7)
            assert walk.go(model.steps) > 10_000
            again = ConstrainedSwitching.of(walk.graph(), constraints, mutual=null == "mutual")
            assert np.array_equal(walk._dyads, again.dyads)  # matrices of bits
            rows = walk._rows
            assert (rows[rows[:, 2], 2] == np.arange(len(rows))).all()
            assert (rows[rows[:, 2], 0] == rows[:, 1]).all()
            assert classes_of(walk.graph(), constraints) == classes_of(graph, constraints)
            before, after = (np.stack(one.edges()) for one in (model.walk(1), walk))
            moved = walk.moved()
            assert np.array_equal(before[:, ~moved], after[:, ~moved])


def test_groups_and_bins_that_hold_arcs_fast_are_named():
    """A star of a hub in one group, and leaves in another, beside a ring."""
    ends = [*((u, (u + 1) % 60) for u in range(60)), (60, 61), (60, 62), (60, 63)]
    ring = Graph.from_edges(*np.array(ends).T)
    groups = [*["c"] * 60, "a", "b", "b", "b"]
    found = r"no arc of group 'a' \(3 arcs\), 'b' \(3 arcs\) was moved in [\d,]+ steps, and 0\.048 of all arcs"
    with pytest.warns(UserWarning, match=found) as warned:
        triadic.randomize(ring, groups=groups, seed=1)
    assert warned[0].filename == __file__
    positions = np.zeros((64, 2))
    positions[:60, 0], positions[60:, 0] = np.arange(60), [1000, 1100, 1100, 1100]
    with pytest.warns(UserWarning, match=r"no arc of bin of length 1 \(3 arcs\) was moved"):
        triadic.randomize(ring, positions=positions, bins=[60.0], seed=1)


def test_a_class_that_cannot_move_is_named_with_its_arcs():
    """All arcs from one group to another, while arcs within each of them move."""
    ring = [(u, (u + 1) % 20) for u in range(20)]
    ends = [*ring, *((u + 20, v + 20) for u, v in ring), *((u, v + 20) for u in range(4) for v in range(4))]
    graph = Graph.from_edges(*np.array(ends).T, directed=True)
    groups = np.array(["a"] * 20 + ["b"] * 20)
    with pytest.warns(UserWarning, match=r"no arc of class 'x' to 'y' \(16 arcs\) was moved"):
        triadic.randomize(
            graph, groups=np.where(np.arange(40) % 20 < 4, np.where(groups == "a", "x", "y"), groups), seed=1
        )


def test_a_walk_in_parts_is_the_same_walk():
    graph = triadic.generate.rmat(6, seed=1, directed=True)
    constraints = Constraints.of(graph, positions=np.random.default_rng(1).random((64, 2)), bins=3)
    model = ConstrainedSwitching.of(graph, constraints, mutual=True)
    whole, parts = model.walk(3), model.walk(3)
    assert whole.go(1000) == sum(parts.go(steps) for steps in (1, 0, 499, 500))
    assert arcs_of(whole.graph()) == arcs_of(parts.graph())


def test_the_same_seed_gives_the_same_graphs_on_any_number_of_threads():
    graph = triadic.generate.watts_strogatz(50, 4, 0.1, seed=1)
    groups = np.arange(50) % 3
    one, three = (randomize(graph, groups=groups, samples=5, seed=5, threads=threads) for threads in (1, 3))
    assert [arcs_of(sample) for sample in one] == [arcs_of(sample) for sample in three]
    assert len({arcs_of(sample) for sample in one}) == 5


def test_squares_of_lengths_have_the_bins_of_lengths():
    """`Constraints.limits` is exact for numbers next to the edges, and far from them."""
    edges = np.array([-1.0, 0.0, 1e-200, 0.1, 1.0, np.sqrt(2), 2.0, np.sqrt(5), 1e200])
    limits = Constraints(np.zeros(0, np.int32), np.zeros(0), np.zeros((0, 3)), edges).limits
    squares = np.concatenate([[0.0], *(np.nextafter(limits[1:-1], way) for way in (0, np.inf)), limits[1:-1]])
    squares = np.append(squares[np.isfinite(squares)], np.random.default_rng(1).random(1000) * 6)
    assert np.array_equal(np.digitize(squares, limits) - 1, np.digitize(np.sqrt(squares), edges))


def test_bins_that_hold_all_arcs_in_one_are_a_warning():
    ring = triadic.generate.watts_strogatz(60, 4, 0.0, seed=1)
    positions = np.random.default_rng(1).random((60, 2)) * 1e6  # in nanometres, and the edges in millimetres
    with pytest.warns(UserWarning, match=r"are in one bin of length.*inner edges are from 0.1 to 0.5"):
        triadic.randomize(ring, positions=positions, bins=[0.1, 0.5], seed=1)
    with pytest.warns(UserWarning, match="are in one bin of length.*arcs are from 0 to 0 long"):
        triadic.randomize(ring, positions=np.zeros((60, 2)), seed=1)


def test_a_number_of_bins_cuts_at_quantiles_of_the_lengths_of_arcs():
    graph = Graph.from_edges(np.arange(10), np.arange(1, 11))
    positions = np.stack([np.cumsum(np.arange(11)), np.zeros(11)], axis=1)
    constraints = Constraints.of(graph, positions=positions, bins=5)
    source, target = graph.edges()
    assert np.bincount(constraints.classes(source, target, directed=False)[:, 2]).tolist() == [2] * 5
    assert constraints.describe() == "5 bins of length"


def test_groups_are_taken_by_label_too():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], labels=["a", "b", "c", "d"])
    by_label = Constraints.of(graph, groups={"d": "y", "c": "x", "b": "y", "a": "x", "e": "z"})
    assert by_label.group.tolist() == [0, 1, 0, 1]
    assert by_label.names.tolist() == ["x", "y"]


def test_no_kernel_makes_floats_of_integers():
    test_the_same_seed_gives_the_same_graphs_on_any_number_of_threads()
    kernels = [member for member in vars(constrained).values() if isinstance(member, Dispatcher)]
    integral = [kernel for kernel in kernels if kernel.__name__ in {"_join", "mix", "below"}]
    assert len(integral) == 3
    for kernel in integral:
        for signature in kernel.signatures:
            assert ":: float" not in str(kernel.overloads[signature].type_annotation), kernel


PATH = Graph.from_edges([0, 1, 2], [1, 2, 3], labels=["a", "b", "c", "d"])
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]


@pytest.mark.parametrize(
    ("keywords", "found"),
    [
        ({"groups": [0, 1]}, r"groups: expected one label for each of the 4 vertices, got shape \(2,\)"),
        ({"groups": [[0], [1, 2]]}, "groups: expected one label"),
        ({"groups": ["x", None, "y", ""]}, r"groups: vertex b has none, and 2 vertices in all"),
        ({"groups": [0.0, 1.0, float("nan"), 1.0]}, r"groups: vertex c has none"),
        ({"groups": {"a": 1}}, "groups: the mapping lacks the label 'b'"),
        ({"positions": SQUARE[:3]}, r"positions: expected numbers of shape \(4, 2\) or \(4, 3\)"),
        ({"positions": [0, 1, 2, 3]}, r"got shape \(4,\)"),
        ({"positions": [*SQUARE[:3], (0, np.nan)]}, r"positions: vertex d is at \[0.0, nan\]"),
        ({"positions": "here"}, "positions: no column of the vertices is named 'here'; it has none"),
        ({"positions": np.array(SQUARE) * 1e200}, "up to 1e\\+150"),
        ({"bins": 3}, "bins=3: bins of length need positions="),
        ({"positions": SQUARE, "bins": 1}, "bins=1: expected from 2"),
        ({"positions": SQUARE, "bins": [2.0, 1.0]}, "rising inner edges"),
        ({"positions": SQUARE, "bins": []}, "rising inner edges"),
        ({"positions": SQUARE, "bins": [1.0, np.nan]}, "rising inner edges"),
        ({"positions": SQUARE, "bins": "ten"}, "rising inner edges"),
        ({"groups": [0] * 4, "null": "gnm"}, "null='gnm'.*groups"),
        ({"positions": SQUARE, "null": "configuration"}, "null='configuration'"),
        ({"groups": [0] * 4, "steps": 0}, "steps=0"),
    ],
    ids=str,
)
def test_a_bad_argument_is_named(keywords, found):
    with pytest.raises(ArgumentError, match=found):
        randomize(PATH, **keywords)
