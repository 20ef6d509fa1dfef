"""The picture of a network: which part of it is drawn, where its vertices are, and which of them have labels."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

import triadic
from triadic.reports import budget
from triadic.reports.findings import find
from triadic.reports.network_svg import (
    LABEL,
    PART,
    SMALL_LABEL,
    WHOLE,
    WIDTH,
    Label,
    _box,
    drawn_part,
    network_svg,
    stress_layout,
)

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


def labels_of(svg):
    for kind, x, y, anchor, text in re.findall(
        r'<text( class="small")? x="([\d.-]+)" y="([\d.-]+)"(?: text-anchor="(\w+)")?>([^<]*)</text>', svg
    ):
        yield Label(text, float(x), float(y), anchor or "start", SMALL_LABEL if kind else LABEL)


def test_labels_do_not_overlap_at_either_size_and_stay_inside_the_drawing():
    graph = triadic.generate.barabasi_albert(120, 4, seed=2)
    graph = triadic.Graph.from_edges(*graph.edges(), labels=[f"a vertex with the long name {i}" for i in range(120)])
    found = find(graph, **KEYWORDS)
    svg = network_svg(found, np.arange(120))
    height = float(re.search(r'viewBox="0 0 600 (\d+)"', svg)[1])
    labels = list(labels_of(svg))
    assert len(labels) > 5
    assert all("…" in label.text for label in labels)
    for size, shown in ((LABEL, [label for label in labels if label.size == LABEL]), (SMALL_LABEL, labels)):
        boxes = [_box(label._replace(size=size)) for label in shown]
        assert all(box.left >= 0 and box.right <= WIDTH and box.top >= 0 and box.bottom <= height + 1 for box in boxes)
        assert not any(one.meets(other) for one, other in combinations(boxes, 2))


def test_arcs_have_heads_in_a_small_directed_network_alone():
    cycle = find(triadic.Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True), **KEYWORDS)
    assert re.search(r'class="heads" d="([^"]*)"', network_svg(cycle, np.arange(3)))[1].count("M") == 3
    assert "heads" not in network_svg(find(path(3), **KEYWORDS), np.arange(3))
