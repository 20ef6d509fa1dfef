"""Patterns are counted as trying all maps of their vertices counts them."""

from __future__ import annotations

import json
import operator
import threading
import time
from collections import Counter
from itertools import permutations
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import triadic
from triadic import Graph, generate
from triadic.core.graphlets import EDGES_OF_GRAPHLETS, GRAPH_NAMES, ORBITS_OF_GRAPHLETS
from triadic.core.pattern import (
    ANY,
    BACKWARD,
    FORWARD,
    MUTUAL,
    NONE,
    Condition,
    Shape,
    Term,
    automorphisms_of,
    has_arc,
    pair_index,
    states_between,
)
from triadic.core.triad_types import CANONICAL, ROLES
from triadic.counts import homomorphisms, patterns
from triadic.devices.cpu.patterns import matcher
from triadic.errors import ArgumentError, OutOfMemoryError

DATA = Path("/work/shared/data")
OPERATORS = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
AT_LEAST = {"->": 1 << FORWARD | 1 << MUTUAL, "<->": 1 << MUTUAL, "-": 0b1110, "!>": 1 << NONE | 1 << BACKWARD}


def shape_of(text, *conditions, induced=False):
    """Return the shape of parts such as "A -> B; B - C", with vertices in the order of their names."""
    parts = [part.split() for part in text.split(";")]
    names = sorted({part[0] for part in parts} | {part[2] for part in parts})
    allowed = {}
    for first, arrow, second in parts:
        i, j = names.index(first), names.index(second)
        states = AT_LEAST[arrow]
        if i > j:
            i, j, states = j, i, turned(states)
        allowed[i, j] = allowed.get((i, j), ANY) & states
    if induced:
        for j in range(len(names)):
            for i in range(j):
                states = allowed.get((i, j), ANY)
                least = next(s for s in ((NONE,), (FORWARD,), (BACKWARD,), (MUTUAL,)) if states >> s[0] & 1)
                allowed[i, j] = states if states == AT_LEAST["-"] else 1 << least[0]
    pairs = [allowed.get((i, j), ANY) for j in range(len(names)) for i in range(j)]
    return Shape(len(names), tuple(pairs), conditions, arrows=">" in text)


def turned(states):
    return states & 0b1001 | (states & 2) << 1 | (states & 4) >> 1


def at(vertices, column):
    return Term((vertices,) if isinstance(vertices, int) else vertices, column)


def naive_embeddings(graph, shape):  # noqa: C901 - dumb on purpose
    """Return all maps that meet the pattern."""
    arcs = set(zip(*(end.tolist() for end in graph.edges()), strict=True))
    columns = {name: values.tolist() for name, values in graph.vertex_columns.items()}
    labels = list(range(graph.num_vertices)) if graph.labels is None else graph.labels.tolist()
    of_arcs = {}
    if graph.columns:
        rows = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr)).tolist()
        for name, values in graph.columns.items():
            of_arcs[name] = dict(zip(zip(rows, graph.indices.tolist(), strict=True), values.tolist(), strict=True))
    if not graph.directed:
        arcs |= {(v, u) for u, v in arcs}

    def value(side, found):
        if not isinstance(side, Term):
            return side
        ends = tuple(found[vertex] for vertex in side.vertices)
        if len(ends) == 2:
            return of_arcs[side.column][ends]
        return labels[ends[0]] if side.column == "label" else columns[side.column][ends[0]]

    def meets(condition, found):
        left, right = value(condition.left, found), value(condition.right, found)
        if left is None or right is None or left != left or right != right:  # noqa: PLR0124 - NaN
            return condition.operator == "not ="
        name = condition.operator.removeprefix("not ")
        if name in OPERATORS:
            met = getattr(operator, OPERATORS[name])(left, right)
        else:
            met = right in left if name == "contains" else left in right
        return met != condition.operator.startswith("not ")

    kept = []
    for found in permutations(range(graph.num_vertices), shape.size):
        fits = all(
            shape.allowed[pair_index(i, j)] >> ((found[i], found[j]) in arcs) + 2 * ((found[j], found[i]) in arcs) & 1
            for j in range(shape.size)
            for i in range(j)
        )
        if fits and all(meets(condition, found) for condition in shape.conditions):
            kept.append(found)
    return kept


def made(n, arcs, *, directed, vertex_columns=None, **columns):
    graph = Graph.from_edges(
        *np.array(arcs, dtype=np.int64).reshape(-1, 2).T, directed=directed, num_vertices=n, **columns
    )
    return graph._with(vertex_columns=vertex_columns or {})


@st.composite
def shapes(draw, *, most=5, directed=True):
    """Draw a pattern whose present arcs connect it."""
    k = draw(st.integers(2, most))
    present = [s for s in range(1, 15) if not s & 1] if directed else [0b1110]
    free = list(range(1, 16)) if directed else [0b1110, 0b0001, ANY]
    tree = {(draw(st.integers(0, j - 1)), j) for j in range(1, k)}
    pairs = [draw(st.sampled_from(present if (i, j) in tree else [ANY, *free])) for j in range(k) for i in range(j)]
    conditions = []
    for _ in range(draw(st.integers(0, 2))):
        i, j = draw(st.integers(0, k - 1)), draw(st.integers(0, k - 1))
        sign = draw(st.sampled_from(list(OPERATORS)))
        conditions.append(
            draw(
                st.sampled_from(
                    [
                        Condition(at(i, "size"), sign, 1.5),
                        Condition(at(i, "kind"), "in", ("a", "b")),
                        Condition(at(i, "kind"), draw(st.sampled_from(["contains", "not contains"])), "a"),
                        Condition(at(i, "kind"), draw(st.sampled_from(["within", "not within"])), "cab"),
                        Condition(at(i, "kind"), "not =", "a"),
                        Condition(at(i, "label"), "<", 4),
                        *([Condition(at(i, "size"), sign, at(j, "size"))] if i != j else []),
                        *([Condition(at(i, "kind"), sign, at(j, "kind"))] if i != j else []),
                    ]
                )
            )
        )
    arrows = directed
    arcs = [
        (i, j) if states & ~0b1010 == 0 else (j, i)
        for j in range(k)
        for i in range(j)
        for states in [pairs[pair_index(i, j)]]
        if not states & 1 and (not directed or states & ~0b1010 == 0 or states & ~0b1100 == 0)
    ]
    if arcs:
        for _ in range(draw(st.integers(0, 2))):
            one, other = draw(st.sampled_from(arcs)), draw(st.sampled_from(arcs))
            sign = draw(st.sampled_from(list(OPERATORS)))
            sides = [2, *([at(other, "n")] if other != one else []), at(one[0], "size")]
            conditions.append(Condition(at(one, "n"), sign, draw(st.sampled_from(sides))))
            if draw(st.booleans()):
                conditions.append(Condition(at(other, "n"), "not =", 2))
    return Shape(k, tuple(pairs), tuple(conditions), arrows)


@st.composite
def networks(draw, *, directed=True, most=7):
    n = draw(st.integers(1, most))
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v]
    arcs = (
        sorted({pair if directed else tuple(sorted(pair)) for pair in draw(st.lists(st.sampled_from(pairs)))})
        if pairs
        else []
    )
    numbers = draw(st.lists(st.integers(0, 3), min_size=len(arcs), max_size=len(arcs)))
    sizes = draw(st.lists(st.sampled_from([0.0, 1.0, 2.0, np.nan]), min_size=n, max_size=n))
    kinds = draw(st.lists(st.sampled_from(["a", "b", "ca", None]), min_size=n, max_size=n))
    columns = {"size": np.array(sizes), "kind": np.array(kinds, dtype=object)}
    return made(n, arcs, directed=directed, vertex_columns=columns, columns={"n": np.array(numbers, dtype=np.int64)})


def check(graph, shape):
    """Compare all results of a pattern with those of trying all maps."""
    found = naive_embeddings(graph, shape)
    symmetries = automorphisms_of(shape)
    assert patterns.count_pattern(graph, shape, threads=2) == len(found)
    expected = np.zeros((graph.num_vertices, shape.size), dtype=np.int64)
    for embedding in found:
        expected[embedding, range(shape.size)] += 1
    np.testing.assert_array_equal(patterns.pattern_at_vertices(graph, shape, threads=2), expected)
    listed = patterns.list_pattern(graph, shape)
    images = {tuple(row[list(moved)]) for row in listed for moved in symmetries}
    assert images == set(found)
    assert len(listed) * len(symmetries) == len(found)
    np.testing.assert_array_equal(patterns.list_pattern(graph, shape, 2), listed[:2])
    types = np.arange(graph.num_vertices) % 3 - 1
    tuples, counts = patterns.pattern_by_type(graph, shape, types)
    of_types = Counter(
        min(tuple(types[embedding[i]] for i in moved) for moved in symmetries)
        for embedding in found
        if types[list(embedding)].min() >= 0
    )
    assert dict(zip(map(tuple, tuples.tolist()), (counts * len(symmetries)).tolist(), strict=True)) == of_types
    ends = list(zip(*(end.tolist() for end in graph.edges()), strict=True))
    size, states = range(shape.size), lambda i, j: states_between(shape, i, j)
    pairs = [(i, j) for i in size for j in size if i != j and not states(i, j) & 1]
    arcs = [(i, j) for i, j in pairs if has_arc(states(i, j)) or (i < j and not has_arc(states(j, i)))]
    at_edges = patterns.pattern_at_edges(graph, shape, arcs)
    for column, (i, j) in enumerate(arcs):
        pairs = [(embedding[i], embedding[j]) for embedding in found]
        if not graph.directed:
            pairs = [tuple(sorted(pair)) for pair in pairs]
        elif states_between(shape, i, j) & 1 << BACKWARD:
            pairs += [pair[::-1] for pair in pairs]
        times = Counter(pairs)
        assert at_edges[:, column].tolist() == [times[end] for end in ends]


@settings(max_examples=60)
@given(networks(), shapes())
def test_directed_patterns_with_conditions(graph, shape):
    check(graph, shape)


@settings(max_examples=40)
@given(networks(directed=False), shapes(directed=False))
def test_undirected_patterns_with_conditions(graph, shape):
    check(graph, shape)


@settings(max_examples=5)
@given(networks(), shapes(most=6))
def test_patterns_of_six_vertices_and_types_without_a_table(graph, shape):
    with mock.patch.object(patterns, "_TABLE", 0):
        check(graph, shape)


@settings(max_examples=40)
@given(networks(), st.tuples(*[st.sampled_from([2, 4, 8, 6, 10, 12, 14])] * 3))
def test_three_joined_vertices(graph, allowed):
    check(graph, Shape(3, allowed, arrows=True))


@settings(max_examples=40)
@given(networks(), shapes())
def test_homomorphisms_with_conditions(graph, shape):
    with mock.patch.object(patterns, "_MATCHING", 1e9):
        check(graph, shape)


@settings(max_examples=20)
@given(networks(directed=False), shapes(directed=False))
def test_orbits_of_graphlets(graph, shape):
    ways = {size: (count, 0.0) for size, (count, _) in patterns._ORBITS.items()}
    with mock.patch.object(patterns, "_ORBITS", ways):
        check(graph, Shape(shape.size, shape.allowed))


@pytest.mark.parametrize("place", range(1, 30))
def test_every_graphlet_from_its_orbits(place):
    graph = generate.rmat(6, seed=3)
    edges, orbits = EDGES_OF_GRAPHLETS[place].split(), ORBITS_OF_GRAPHLETS[place]
    pattern = triadic.Pattern("; ".join(f"{'ABCDE'[int(u)]} - {'ABCDE'[int(v)]}" for u, v in edges), induced=True)
    for ways in (patterns._ORBITS, {}):
        with mock.patch.object(patterns, "_ORBITS", ways):
            assert triadic.count(graph, pattern) == triadic.graphlets(graph, size=5)[GRAPH_NAMES[place]]
            found = triadic.count(graph, pattern, by="vertex")
            expected = triadic.graphlets(graph, size=5, by="vertex")
            for role in pattern.roles:
                orbit = orbits["ABCDE".index(role)]
                np.testing.assert_array_equal(found[role], expected[:, orbit])


@pytest.mark.parametrize("name", list(ROLES))
def test_every_triad_from_the_census(name):
    graph = generate.rmat(7, seed=1, directed=True)
    shape = Shape(3, tuple(1 << state for state in CANONICAL[name]), arrows=True)
    assert patterns.count_pattern(graph, shape) == triadic.triad_census(graph)[name] * len(automorphisms_of(shape))
    at = patterns.pattern_at_vertices(graph, shape)
    by_vertex = triadic.count(graph, "triads", by="vertex")[f"triad {name}"]
    np.testing.assert_array_equal(at.sum(axis=1) // len(automorphisms_of(shape)), by_vertex)


def network(name):
    if not DATA.exists():
        pytest.skip("the networks of the project are not on this machine")
    file = {"celegansneural": "celegansneural.gml.gz", "USAir97": "USAir97.net.gz"}.get(
        name, "celegans_metabolic.graph.gz"
    )
    graph = triadic.read(DATA / file, directed=True) if name == "celegansneural" else triadic.read(DATA / file)
    return graph._with(vertex_columns={"type": np.arange(graph.num_vertices) % 3})


@pytest.mark.parametrize("name", ["celegansneural", "USAir97", "CElegansMetabolic"])
def test_patterns_that_igraph_counted(name):
    graph = network(name)
    expected = json.loads((DATA / "expected_patterns.json").read_text())[name]["patterns"]
    for figures in expected.values():
        text = figures["pattern"].replace("->", " -> ").replace("-", " - ").replace(" - >", "->")
        names = list(dict.fromkeys(letter for letter in text if letter.isalpha()))
        for induced in (False, True):
            shape = shape_of(text, induced=induced)
            # Vertices of the shape are in the order of the alphabet, types in the order of appearance.
            typed = shape_of(
                text,
                *(
                    Condition(at(sorted(names).index(letter), "type"), "=", place % 3)
                    for place, letter in enumerate(names)
                ),
                induced=induced,
            )
            words = "induced embeddings" if induced else "embeddings"
            if words in figures:
                assert patterns.count_pattern(graph, shape) == figures[words]
                assert len(automorphisms_of(shape)) == figures["automorphisms"]
            if f"typed {words}" in figures:
                assert patterns.count_pattern(graph, typed) == figures[f"typed {words}"]


def test_a_condition_and_its_opposite_add_up():
    graph = network("celegansneural")
    whole = patterns.count_pattern(graph, shape_of("A -> B; B -> C; A -> C"))
    parts = [
        patterns.count_pattern(graph, shape_of("A -> B; B -> C; A -> C", Condition(at(0, "type"), sign, at(1, "type"))))
        for sign in ("=", "<", ">")
    ]
    assert sum(parts) == whole


@pytest.mark.parametrize("conditions", [(), (Condition(at(1, "label"), "!=", at(2, "label")),)])
def test_results_are_equal_on_any_number_of_threads(monkeypatch, conditions):
    monkeypatch.setattr(matcher, "_BLOCK", 64)
    monkeypatch.setattr(homomorphisms, "_LEAST_BLOCK", 8)
    graph = generate.rmat(9, seed=3, directed=True)
    shape = shape_of("A -> B; A -> C; B -> D; C -> D; A !> D", *conditions)
    assert patterns.plan_of(graph, shape).way == ("matching" if conditions else "homomorphisms")
    one, three = (patterns.pattern_at_vertices(graph, shape, threads=threads) for threads in (1, 3))
    np.testing.assert_array_equal(one, three)
    told = []
    patterns.count_pattern(graph, shape, threads=2, progress=lambda *pair: told.append(pair))
    assert told[-1][0] == told[-1][1]


def test_ctrl_c_ends_a_walk_within_one_root():
    hub = Graph.from_edges(np.zeros(3000, dtype=np.int64), np.arange(1, 3001))
    shape = shape_of("A - B; A - C; A - D; A - E; A - F", Condition(at(1, "label"), "!=", at(2, "label")))
    began = []

    def interrupt():
        began.append(time.monotonic())
        __import__("_thread").interrupt_main()

    patterns.count_pattern(Graph.from_edges([0], [1]), shape)  # compiles
    timer = threading.Timer(0.5, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        patterns.count_pattern(hub, shape, threads=2)
    assert time.monotonic() - began[0] < 2
    timer.join()


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (shape_of("A -> B"), "pattern: has arrows"),
        (
            shape_of("A - B", Condition(at(0, "colour"), "=", 1)),
            "'colour' is no column of the vertices; expected one of: label, size",
        ),
        (shape_of("A - B", Condition(at((0, 1), "colour"), "=", 1)), "no column of the edges; expected one of: none"),
        (shape_of("A - B", Condition(at(0, "size"), "=", "large")), "holds numbers, and = 'large'"),
        (shape_of("A - B", Condition(at(0, "size"), "contains", "large")), "holds numbers"),
        (shape_of("A - B", Condition(at(0, "size"), "not within", "12")), "holds numbers, and within '12'"),
        (shape_of("A - B", Condition(at(0, "kind"), "<", 3)), "holds texts"),
        (shape_of("A - B", Condition(at(0, "kind"), "<", at(1, "size"))), "cannot compare texts with numbers"),
    ],
)
def test_what_cannot_be_counted_is_refused(shape, message):
    columns = {"size": np.array([1, 2]), "kind": np.array(["a", "b"], dtype=object)}
    graph = made(2, [(0, 1)], directed=False, vertex_columns=columns)
    with pytest.raises(ArgumentError, match=message):
        patterns.count_pattern(graph, shape)


def test_the_condition_of_an_arc_needs_a_direction():
    graph = made(2, [(0, 1)], directed=True, columns={"n": np.array([1])})
    with pytest.raises(ArgumentError, match="either direction"):
        patterns.count_pattern(graph, shape_of("A - B", Condition(at((0, 1), "n"), "=", 1)))


def test_memory_is_refused_before_it_is_taken():
    graph = generate.rmat(9, seed=3)
    with triadic.core.memory.memory_limit(4000), pytest.raises(OutOfMemoryError, match="matching a pattern"):
        patterns.pattern_at_vertices(graph, shape_of("A - B; B - C; C - D; D - A"))


def test_a_plan_says_what_is_expected():
    plan = patterns.plan_of(
        generate.rmat(9, seed=3), shape_of("A - B; B - C; C - A; A - D", Condition(at(3, "label"), "=", 5))
    )
    assert plan.order[0] == 3
    assert plan.work > 0
    assert plan.memory > 0
