"""Every drawing shows the graph that its name says."""

from __future__ import annotations

from math import dist

import pytest

import triadic
from triadic.core.graphlet_types import GRAPHS
from triadic.core.triad_types import TRIAD_NAMES
from triadic.plot.shape import strokes_of
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES, TRIAD_SHAPES


@pytest.mark.parametrize("name", TRIAD_NAMES)
def test_the_arcs_of_a_drawn_triad_make_its_type(name):
    shape = TRIAD_SHAPES[name]
    source, target = zip(*shape.arcs, strict=True) if shape.arcs else ((), ())
    assert triadic.triad_census(triadic.Graph.from_edges(source, target, vertices=3, directed=True))[name] == 1
    assert {frozenset(arc) for arc in shape.arcs} == {frozenset(edge) for edge in shape.edges}


@pytest.mark.parametrize("name", GRAPHS)
def test_the_edges_of_a_drawn_graphlet_make_its_graph(name):
    shape = GRAPHLET_SHAPES[name]
    source, target = zip(*shape.edges, strict=True) if shape.edges else ((), ())
    graph = triadic.Graph.from_edges(source, target, vertices=len(shape.places))
    totals = triadic.graphlet_transform(graph).totals
    assert totals[name] == 1 or name == "vertex"
    assert sum(len(GRAPHLET_SHAPES[other].places) == len(shape.places) for other in GRAPHS if totals[other]) == 1


@pytest.mark.parametrize("shape", [*TRIAD_SHAPES.values(), *GRAPHLET_SHAPES.values()])
def test_strokes_stay_in_their_box_and_heads_touch_their_vertex(shape):
    strokes = strokes_of(shape, 30, 20)
    points = [*strokes.discs, *(point for line in strokes.lines for point in line)]
    assert all(0 <= x <= 30 and 0 <= y <= 20 for x, y in points)
    for (_, end), (tip, left, right) in zip(shape.arcs, strokes.heads, strict=True):
        assert dist(tip, strokes.discs[end]) == pytest.approx(strokes.radius)
        assert dist(tip, left) == pytest.approx(dist(tip, right))
