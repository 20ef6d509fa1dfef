"""The picture of a network: which part of it is drawn, where its vertices are, and which of them have labels."""

from __future__ import annotations

import sys
import warnings
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

import triadic
from triadic.reports import budget
from triadic.reports.findings import find
from triadic.reports.network_picture import PART, WHOLE, draw_network, drawn_part, for_page, stress_layout

sys.path.append(str(Path(__file__).parents[1] / "plot"))
from drawn_texts import faults

KEYWORDS = {"samples": 0, "seed": 1, "threads": 1, "device": "cpu", "progress": False}


def path(n):
    return triadic.Graph.from_edges(np.arange(n - 1), np.arange(1, n))


def test_steps_along_a_path_are_equal_distances():
    places = stress_layout(path(12))
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert steps == pytest.approx(np.ones(11), abs=0.05)
    assert np.ptp(places[:, 0]) > 10 * np.ptp(places[:, 1])  # its longer axis lies across


def test_no_two_vertices_of_a_complete_graph_or_a_star_are_in_the_same_place():
    pairs = np.array(list(combinations(range(8), 2)))
    for graph in (triadic.Graph.from_edges(*pairs.T), triadic.Graph.from_edges([0] * 7, range(1, 8))):
        places = stress_layout(graph)
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(8, 1)]
        assert apart.min() > 0.2


def test_components_are_apart_and_the_layout_is_the_same_again():
    graph = triadic.Graph.from_edges([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3])
    places = stress_layout(graph)
    assert np.linalg.norm(places[:3].mean(axis=0) - places[3:].mean(axis=0)) > 1
    assert (stress_layout(graph) == places).all()


def test_a_small_network_is_drawn_without_its_isolated_vertices():
    part = drawn_part(find(triadic.Graph.from_edges([0, 1, 4], [1, 4, 0], num_vertices=6), **KEYWORDS))
    assert part.vertices.tolist() == [0, 1, 4]
    assert part.caption == "All 3 vertices that have an edge; 3 have none."
    assert drawn_part(find(triadic.Graph.from_edges([], [], num_vertices=6), **KEYWORDS)) is None


def test_of_a_large_network_the_truss_of_the_smallest_order_that_fits_is_drawn():
    source, target = path(WHOLE + 50).edges()
    clique = np.array(list(combinations(range(20), 2)))
    graph = triadic.Graph.from_edges([*source, *clique[:, 0]], [*target, *clique[:, 1]])
    part = drawn_part(find(graph, **KEYWORDS))
    assert part.vertices.tolist() == list(range(20))
    assert "20 vertices: its 3-truss, in which every edge is in at least 1 triangle of the part" in part.caption


def test_of_a_dense_network_the_vertices_of_largest_degree_in_its_last_truss_are_drawn():
    pairs = np.array(list(combinations(range(WHOLE + 10), 2)))
    part = drawn_part(find(triadic.Graph.from_edges(*pairs.T), **KEYWORDS))
    assert len(part.vertices) == 100
    assert part.caption.endswith("Drawn are the 100 of them with the most neighbours.")


@pytest.mark.parametrize("directed", [False, True])
def test_without_triangles_the_vertex_of_largest_degree_and_its_neighbours_are_drawn(directed):
    leaves = np.arange(1, WHOLE + 20)
    part = drawn_part(find(triadic.Graph.from_edges(0 * leaves, leaves, directed=directed), **KEYWORDS))
    assert len(part.vertices) == PART
    assert part.vertices[0] == 0
    assert f"{PART - 1} of its {len(leaves)} neighbours" in part.caption


def test_without_time_for_trusses_the_neighbourhood_is_drawn(monkeypatch):
    found = find(triadic.generate.barabasi_albert(400, 3, seed=1), **KEYWORDS)
    monkeypatch.setattr(budget, "affords_trusses", lambda seconds: False)
    assert drawn_part(found).caption.startswith("The vertex with the most neighbours, and all")


def drawing(found, vertices):
    ax = Figure(layout="constrained").add_subplot()
    draw_network(found, np.asarray(vertices), ax=ax)
    return ax


def test_labels_do_not_overlap_and_stay_inside_the_drawing():
    graph = triadic.generate.barabasi_albert(120, 4, seed=2)
    names = [f"a vertex with the long name {i} 東京" for i in range(120)]
    ax = drawing(find(triadic.Graph.from_edges(*graph.edges(), labels=names), **KEYWORDS), np.arange(120))
    assert len(ax.texts) > 3
    ax.set(xticks=(), yticks=())  # they are not visible
    assert all("…" in text.get_text() for text in ax.texts)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        assert faults(ax.figure) == []


def test_arcs_have_heads_in_a_small_directed_network_alone():
    cycle = find(triadic.Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True), **KEYWORDS)
    assert sum(isinstance(artist, FancyArrowPatch) for artist in drawing(cycle, range(3)).get_children()) == 3
    (lines,) = drawing(find(path(3), **KEYWORDS), range(3)).collections
    assert len(lines.get_segments()) == 2


def test_discs_have_the_size_of_degrees_and_the_colour_of_clustering():
    paw = find(triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]), **KEYWORDS)
    hub, *_, leaf = drawing(paw, range(4)).patches
    assert hub.radius > leaf.radius
    assert hub.get_gid() == "vertex-2"
    assert hub.get_facecolor() != leaf.get_facecolor()


def test_on_a_page_vertices_say_their_names_and_colours_are_variables():
    edge = find(triadic.Graph.from_edges([0], [1], labels=["<a>", "b"]), **KEYWORDS)
    svg = for_page('<g id="network-vertex-0"><path style="fill: #f2f7fb"/></g>', edge, np.arange(2))
    assert svg == '<g id="network-vertex-0"><title>&lt;a&gt;</title><path style="fill: var(--c0, #f2f7fb)"/></g>'
