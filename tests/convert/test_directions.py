"""Directions that may not mean what the caller expects are said, and the table of networkx's names is right."""

from __future__ import annotations

import pickle
import re
import warnings
from functools import partial
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import triadic
from triadic import Graph
from triadic.core.arcs import Arcs, Origin
from triadic.errors import DirectionWarning
from triadic.measures.directed_clustering import cycle_transitivity

PAGE = Path(__file__).parents[2] / "docs" / "networkx.md"
IGNORING = [
    triadic.triangles,
    triadic.triangle_count,
    triadic.clustering,
    triadic.average_clustering,
    triadic.transitivity,
    triadic.square_clustering,
    triadic.local_closure,
    triadic.edge_support,
    triadic.trussness,
    partial(triadic.graphlets, by="edge"),
    triadic.graphlet_transform,
]
COUNTING = [
    triadic.triad_census,
    partial(triadic.triad_census, by="vertex"),
    triadic.dyad_census,
    triadic.directed_clustering,
    triadic.directed_transitivity,
    cycle_transitivity,
    partial(triadic.directed_clustering, method="ldbc"),
]


def assumed(source, target):
    """Return a graph that was read as directed although nothing said so."""
    ends = np.array([source, target], dtype=np.int32)
    return Graph.from_arcs(Arcs(*ends, int(ends.max()) + 1, directed=True, origin=Origin(direction="assumed")))


def warned(function, graph):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(graph)
    return [str(warning.message) for warning in caught if warning.category is DirectionWarning]


@pytest.mark.parametrize("measure", IGNORING)
def test_a_measure_that_ignores_directions_says_so_of_a_directed_networkx_graph(measure):
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3)])
    messages = warned(measure, graph)
    assert len(messages) == 1
    assert "directions of this networkx graph are ignored" in messages[0]
    assert not warned(measure, graph.to_undirected())
    assert not warned(measure, Graph(graph, directed=False))
    assert warned(measure, Graph(graph)) == messages


@pytest.mark.parametrize("measure", COUNTING)
def test_a_measure_that_counts_directions_does_not_warn_of_a_networkx_graph(measure):
    assert not warned(measure, nx.DiGraph([(0, 1), (1, 2), (0, 2)]))


@pytest.mark.parametrize("measure", COUNTING)
def test_arcs_that_look_undirected_are_said_where_nothing_states_the_direction(measure):
    assert "from the smaller vertex to the larger" in warned(measure, assumed([0, 1, 0], [1, 2, 2]))[0]
    mixed = warned(measure, assumed([0, 2, 0], [1, 1, 2]))[0]
    assert "none of the 3 arcs has a reverse arc;" in mixed
    assert "each of the 4 arcs has a reverse arc;" in warned(measure, assumed([0, 1, 1, 2], [1, 0, 2, 1]))[0]
    assert not warned(measure, assumed([0, 1, 1], [1, 0, 2])), "some arcs have a reverse arc"
    assert not warned(measure, Graph.from_edges([0, 1, 0], [1, 2, 2], directed=True)), "the caller said directed"


def test_a_measure_made_of_others_warns_once():
    tangle = assumed([0, 1, 0, 3, 1, 2], [1, 2, 2, 4, 3, 4])
    for measure in (
        *COUNTING,
        lambda graph: triadic.significance(graph, samples=2, seed=1),
        lambda graph: triadic.vertex_table(graph, of=["triads"]),
    ):
        assert len(warned(measure, tangle)) == 1


def test_a_graph_whose_direction_is_assumed_may_be_measured_without_directions():
    assert not warned(triadic.clustering, assumed([0, 1, 0], [1, 2, 2]))


@pytest.mark.parametrize("measure", [triadic.clustering, lambda graph: triadic.vertex_table(graph, ["triangles"])])
def test_the_warning_names_the_line_of_the_caller(measure):
    with pytest.warns(DirectionWarning) as caught:
        measure(nx.DiGraph([(0, 1)]))
    assert [warning.filename for warning in caught] == [__file__]


def test_an_origin_survives_pickling():
    graph = pickle.loads(pickle.dumps(Graph(nx.DiGraph([(0, 1)]))))
    assert graph.origin == Origin(direction="stated", library="networkx")


def rows():
    """Return the cells of the table of networkx's functions and ours."""
    text = PAGE.read_text(encoding="utf-8").partition("## Functions of triadic and of networkx")[2]
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    return [
        tuple(re.match("`(.*)`$", cell.strip())[1] for cell in (line.split("|")[1], line.split("|")[3]))
        for line in lines
    ]


def flat(value):
    """Return a result of either library as sorted numbers."""
    if isinstance(value, nx.Graph):
        return sorted(tuple(sorted(edge)) for edge in value.edges)
    if isinstance(value, Graph):
        return sorted(tuple(sorted(map(int, value.labels[[u, v]]))) for u, v in zip(*value.edges(), strict=True))
    if hasattr(value, "toarray"):
        return [{k: int(times) for k, times in enumerate(row) if times} for row in value.toarray()]
    if isinstance(value, dict) and value and isinstance(next(iter(value)), int):
        found = list(value.values())
        return [dict(counter) for counter in found] if isinstance(found[0], dict) else pytest.approx(np.array(found))
    if isinstance(value, np.ndarray) and value.ndim == 2:
        return sorted(tuple(sorted(row)) for row in value.tolist())
    return value


@pytest.mark.parametrize(("theirs", "ours"), rows())
def test_each_row_of_the_table_of_names_is_true(theirs, ours):
    names = {
        "G": nx.gnp_random_graph(30, 0.2, seed=1),
        "D": nx.gnp_random_graph(30, 0.15, seed=1, directed=True),
        "k": 3,
        "Graph": Graph,
    }
    for u, v, data in [*names["G"].edges(data=True), *names["D"].edges(data=True)]:
        data["weight"] = u + v + 1
    expected = eval(theirs, {**vars(nx), **names})
    with warnings.catch_warnings():
        warnings.simplefilter("error", DirectionWarning)
        found = eval(ours, {**vars(triadic), **{name: getattr(triadic, name) for name in triadic.__all__}, **names})
    if theirs.startswith("overall_reciprocity"):
        found = 2 * found["mutual"] / (2 * found["mutual"] + found["asymmetric"])
    if theirs.startswith("triadic_census"):
        assert dict(found) == expected
    elif theirs.startswith("all_triangles"):
        assert flat(found) == sorted(tuple(sorted(triangle)) for triangle in expected)
    else:
        assert flat(found) == flat(expected) if not isinstance(expected, float) else found == pytest.approx(expected)


def test_reverse_arcs_that_a_filter_leaves_out_tell_of_directions_too():
    ends = np.array([[0, 1, 0, 1], [1, 0, 2, 2]], dtype=np.int32)
    weights = np.array([3.0, 1.0, 3.0, 3.0])
    graph = Graph.from_arcs(Arcs(*ends, 3, directed=True, weights=weights, origin=Origin(direction="assumed")))
    assert not warned(triadic.triad_census, graph.filter(weights=(2, None)))
    assert warned(triadic.triad_census, assumed([0, 0, 1], [1, 2, 2]))
