"""Every drawing shows the graph that its name says."""

from __future__ import annotations

from math import dist

import pytest

import triadic
from triadic.core.graphlets import GRAPH_NAMES, GRAPHS, ORBITS_OF_GRAPHLETS
from triadic.core.triad_types import TRIAD_NAMES
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES, TRIAD_SHAPES, strokes_of


@pytest.mark.parametrize("name", TRIAD_NAMES)
def test_the_arcs_of_a_drawn_triad_make_its_type(name):
    shape = TRIAD_SHAPES[name]
    source, target = zip(*shape.arcs, strict=True) if shape.arcs else ((), ())
    assert triadic.triad_census(triadic.Graph.from_edges(source, target, num_vertices=3, directed=True))[name] == 1
    assert {frozenset(arc) for arc in shape.arcs} == {frozenset(edge) for edge in shape.edges}


@pytest.mark.parametrize("name", GRAPHS)
def test_the_edges_of_a_drawn_graphlet_make_its_graph(name):
    shape = GRAPHLET_SHAPES[name]
    source, target = zip(*shape.edges, strict=True) if shape.edges else ((), ())
    graph = triadic.Graph.from_edges(source, target, num_vertices=len(shape.places))
    totals = triadic.graphlet_transform(graph).totals
    assert totals[name] == 1 or name == "vertex"
    assert sum(len(GRAPHLET_SHAPES[other].places) == len(shape.places) for other in GRAPHS if totals[other]) == 1


@pytest.mark.parametrize("name", GRAPH_NAMES)
def test_the_vertices_of_a_drawn_graphlet_have_the_orbits_of_its_number(name):
    shape = GRAPHLET_SHAPES[name]
    source, target = zip(*shape.edges, strict=True)
    orbits = triadic.graphlets(triadic.Graph.from_edges(source, target), size=5, by="vertex")
    number = GRAPH_NAMES.index(name)
    # The whole graphlet is the only subgraph of its size, and no larger orbit occurs.
    assert [int(row.nonzero()[0][-1]) for row in orbits] == list(ORBITS_OF_GRAPHLETS[number])


@pytest.mark.parametrize("name", GRAPHLET_SHAPES)
def test_no_vertex_of_a_drawn_graphlet_lies_on_another_or_on_an_edge(name):
    shape = GRAPHLET_SHAPES[name]
    for vertex, place in enumerate(shape.places):
        assert all(dist(place, other) > 0.3 for other in shape.places if other != place)
        for u, v in shape.edges:
            if vertex not in (u, v):
                start, end = shape.places[u], shape.places[v]
                steps = [i / 50 for i in range(51)]
                line = [(a + t * (b - a) for a, b in zip(start, end, strict=True)) for t in steps]
                assert all(dist(place, tuple(point)) > 0.15 for point in line)


@pytest.mark.parametrize("shape", [*TRIAD_SHAPES.values(), *GRAPHLET_SHAPES.values()])
def test_strokes_stay_in_their_box_and_heads_touch_their_vertex(shape):
    strokes = strokes_of(shape, 30, 20)
    points = [*strokes.discs, *(point for line in strokes.lines for point in line)]
    assert all(0 <= x <= 30 and 0 <= y <= 20 for x, y in points)
    for (_, end), (tip, left, right) in zip(shape.arcs, strokes.heads, strict=True):
        assert dist(tip, strokes.discs[end]) == pytest.approx(strokes.radius)
        assert dist(tip, left) == pytest.approx(dist(tip, right))
