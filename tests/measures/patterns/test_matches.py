"""Patterns counted through the public functions: totals, roles, arcs, types, lists, batches, random networks."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_patterns as naive
import triadic
from pattern_texts import patterns
from strategies import examples
from triadic.core.pattern import automorphisms_of
from triadic.errors import ArgumentError, DeviceError, UnsupportedError

LOOP = "A -> B; B -> C; A -> C"


def network(arcs, n=6):
    source, target = [u for u, _ in arcs], [v for _, v in arcs]
    graph = triadic.Graph.from_edges(source, target, num_vertices=n, directed=True)
    return graph.with_vertices({"x": np.arange(n) % 2, "y": np.arange(n) % 3})


def columns(n=6):
    return [{"x": v % 2, "y": v % 3} for v in range(n)]


arc_sets = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda arc: arc[0] != arc[1]), min_size=1)


@given(patterns(most=4, conditions=False), arc_sets, st.booleans())
@examples(20)
def test_counts_are_those_of_brute_force(drawn, arcs, induced):
    pattern, graph, there = triadic.Pattern(drawn.text(), induced=induced), network(arcs), {arc: {} for arc in arcs}
    assert triadic.count(graph, pattern) == naive.subgraphs(pattern.shape, 6, there)
    by_vertex = triadic.count(graph, pattern, by="vertex")
    roles = naive.roles(pattern.shape, 6, there)
    assert [by_vertex[name].tolist() for name in pattern.roles] == roles
    by_edge = triadic.count(graph, pattern, by="edge")
    expected = naive.arc_roles(pattern.shape, pattern.arcs, 6, there)
    pairs = list(zip(*(ends.tolist() for ends in graph.edges()), strict=True))
    assert [by_edge[name].tolist() for name in pattern.arc_roles] == [[each[p] for p in pairs] for each in expected]
    assert len(triadic.list_matches(graph, pattern)["A"]) == triadic.count(graph, pattern)
    by_type = triadic.count(graph, pattern, by="type", types="x")
    found = zip(zip(*(by_type[name].tolist() for name in pattern.names), strict=True), by_type["count"], strict=True)
    assert dict(found) == dict(naive.types(pattern.shape, [v % 2 for v in range(6)], 6, there))


@pytest.fixture
def graph():
    graph = triadic.generate.connectome(200, 1500, types=3, seed=1)
    return graph.graph.with_vertices({"type": np.array(graph.types)})


@pytest.mark.parametrize(
    "pattern", [LOOP, "A -> B -> C -> A", "A <-> B; B - C; C - A", "A -> B; A -> C; B - C", "A - B - C - A"]
)
def test_triangles_by_type_are_those_of_a_list(graph, pattern):
    pattern = triadic.Pattern(pattern)
    types = np.random.default_rng(1).choice(np.array(["x", "y", None]), graph.num_vertices)
    for network in [graph, graph.to_undirected()][: 1 + (pattern.text == "A - B - C - A")]:
        found = triadic.count(network, pattern, by="type", types=types, missing="drop")
        names = zip(*(found[name].tolist() for name in "ABC"), strict=True)
        expected = Counter()
        for row in triadic.list_matches(network, pattern).to_pandas().itertuples(index=False):
            of_row = types[list(row)].tolist()
            if None not in of_row:
                expected[min(tuple(of_row[v] for v in moved) for moved in automorphisms_of(pattern.shape))] += 1
        assert dict(zip(names, found["count"].tolist(), strict=True)) == expected
        assert expected


def test_patterns_and_names_are_counted_together(graph):
    found = triadic.count(graph, [LOOP, "triads"])
    assert found[LOOP] == triadic.count(graph, LOOP)
    table = triadic.vertex_table(graph, ["degree", LOOP, "A -> B; B -> A"])
    assert table.names == ("degree", f"{LOOP}: A", f"{LOOP}: B", f"{LOOP}: C", "A -> B; B -> A: A")
    assert table[f"{LOOP}: A"].sum() == found[LOOP]


def test_rows_of_some_vertices(graph):
    whole = triadic.count(graph, LOOP, by="vertex")
    some = triadic.count(graph, LOOP, by="vertex", vertices=[5, 3])
    assert some["A"].tolist() == whole["A"][[5, 3]].tolist()
    with pytest.raises(ArgumentError, match="vertices="):
        triadic.count(graph, LOOP, vertices=[1])


def test_a_batch_has_a_row_for_each_graph(graph):
    other = triadic.generate.connectome(200, 1500, types=3, seed=2).graph.with_vertices({"type": np.arange(200)})
    batch = triadic.GraphBatch.from_graphs([graph, other])
    assert triadic.count(batch, LOOP)[LOOP].tolist() == [triadic.count(each, LOOP) for each in (graph, other)]


def batch_of(arcs, graph_of_vertex, *, directed=True):
    """Return a batch whose vertices may lie anywhere, with columns x and y."""
    inside = [(u, v) for u, v in arcs if graph_of_vertex[u] == graph_of_vertex[v]]
    source, target = np.array(inside, dtype=np.int64).reshape(-1, 2).T
    number = max(graph_of_vertex) + 1
    batch = triadic.GraphBatch.from_arrays(source, target, graph_of_vertex, num_graphs=number, directed=directed)
    n = batch.num_vertices
    batch._graph = batch.graph.with_vertices({"x": np.arange(n) % 2, "y": np.arange(n) % 3})
    return batch


many_arcs = st.sets(st.tuples(st.integers(0, 10), st.integers(0, 10)).filter(lambda arc: arc[0] != arc[1]), min_size=20)


@given(patterns(most=5), many_arcs, st.booleans(), st.lists(st.integers(0, 2), min_size=11, max_size=11))
@examples(20)
def test_a_batch_counted_at_once_equals_a_loop_over_its_graphs(drawn, arcs, induced, graph_of_vertex):
    pattern, batch = triadic.Pattern(drawn.text(), induced=induced), batch_of(arcs, graph_of_vertex)
    try:
        expected = [triadic.count(each, pattern) for each in batch]
    except ArgumentError:  # a column of numbers is compared with a text
        with pytest.raises(ArgumentError):
            triadic.count(batch, pattern)
    else:
        assert triadic.count(batch, pattern)[pattern.text].tolist() == expected


CLIQUE_OF_FIVE = "; ".join(f"{u} - {v}" for u in "ABCDE" for v in "ABCDE" if u < v)


@given(many_arcs, st.lists(st.integers(0, 1), min_size=12, max_size=12))
@examples(10)
def test_undirected_patterns_and_labels_of_a_batch_equal_a_loop(arcs, graph_of_vertex):
    batch = batch_of(arcs, graph_of_vertex, directed=False)
    for of in (
        triadic.Pattern("A - B - C - D", induced=True),
        triadic.Pattern("A - B - C - D - A; A - E"),
        "A - B; B - C; C - A",
        "A - B; A - C; A - D; B - C; B - D; C - D",
        CLIQUE_OF_FIVE,
        "A - B; A.label = 1",  # the second vertex of each graph
    ):
        expected = [triadic.count(each, of) for each in batch]
        assert next(iter(triadic.count(batch, of).values())).tolist() == expected


def test_random_networks_keep_the_columns_of_vertices(graph):
    of = [f"{LOOP}; A.type = 0", LOOP]
    found = triadic.significance(graph, of=of, null="degrees", groups="type", samples=5, seed=1)
    assert [found[name].count for name in of] == [triadic.count(graph, name) for name in of]
    assert all(0 < few < all_of for few, all_of in found.samples)


@pytest.mark.parametrize("name", ["foo-bar", "square-clustering", "4-cycle"])
def test_a_misspelt_name_is_no_pattern(graph, name):
    with pytest.raises(ArgumentError, match=f"of='{name}': expected one of 'triangles'"):
        triadic.count(graph, name)


@pytest.mark.parametrize("of", [np.zeros((2, 2)), np.array(["triads"]), [np.zeros(2)], None, 3, pd.NA])
def test_what_is_no_name_or_pattern_is_refused(graph, of):
    for count in (triadic.count, triadic.vertex_table):
        with pytest.raises(ArgumentError, match=r"of=.*: expected a name such as 'triangles', a pattern, or several"):
            count(graph, of)
    if of is not None:
        with pytest.raises(ArgumentError, match=r"of=.*: expected a name such as 'triangles', a pattern, or several"):
            triadic.significance(graph, of=of)
    with pytest.raises(ArgumentError, match=r"by=.*: expected one of"):
        triadic.count(graph, "triads", by=pd.NA)


def test_a_plan_is_a_row(graph):
    plan = triadic.explain(graph, LOOP)
    assert plan["automorphisms"].tolist() == [1]
    assert plan["steps"][0] > 0


def test_what_cannot_be_counted_is_refused_in_one_line(graph):
    with pytest.raises(ArgumentError, match="pattern: has arrows, and the graph is undirected"):
        triadic.count(graph.to_undirected(combine="first"), LOOP)
    with pytest.raises(ArgumentError, match="expected one of 'degree'"):
        triadic.count(graph, "square-clustering", by="vertex")
    with pytest.raises(ArgumentError, match="expected types="):
        triadic.count(graph, LOOP, by="type")
    with pytest.raises((UnsupportedError, DeviceError), match="patterns"):
        triadic.count(graph, LOOP, device="cuda")


def test_tiles_refuse_patterns(graph, tmp_path):
    triadic.write(graph, tmp_path / "arcs.csv", lossy=True)
    tiles = triadic.tile(tmp_path / "arcs.csv", tmp_path / "tiles", ranges=2, directed=True)
    for by in (None, "vertex", "edge", "type"):
        with pytest.raises(UnsupportedError, match="TiledGraph"):
            triadic.count(tiles, LOOP, by=by, types="type" if by == "type" else None)


def test_types_whose_tuples_would_not_fit_64_bits_are_refused():
    path = triadic.Graph.from_edges(np.arange(1500), np.arange(1, 1501), directed=True)
    with pytest.raises(ArgumentError, match="1,501 types make too many tuples for 6 vertices"):
        triadic.count(path, "A -> B -> C -> D -> E -> F", by="type", types=np.arange(1501))
