"""Every public measure takes other libraries' objects as it takes a Graph."""

from __future__ import annotations

import inspect
from itertools import islice

import pytest

import triadic
from triadic import Graph

MORE = {
    "count": {"of": "graphlets"},
    "estimate": {"of": "triads", "samples": 100, "seed": 1},
    "sample": {"of": triadic.TRIAD_NAMES, "samples": 9, "seed": 1},
    "list_triads": {"of": "030T"},
    "explain": {"of": "A -> B -> C"},
    "list_matches": {"of": "A -> B -> C"},
    "k_truss": {"k": 3},
    "significance": {"seed": 1, "samples": 5},
    "randomize": {"seed": 1},
}
OF_EVENTS = {"temporal_motifs", "over_time", "shuffle_events"}
# These write files, or take timed events.
NOT_OF_ONE_GRAPH = {"write", "report", "mmd", *OF_EVENTS}
# These take a Graph that was made with weights.
OF_WEIGHTS = {"weighted_clustering", "motif_intensity", "signed_triangles", "structural_balance"}


def measures():
    for name in triadic.__all__:
        found = getattr(triadic, name)
        if inspect.isfunction(found) and name not in NOT_OF_ONE_GRAPH:
            first = next(iter(inspect.signature(found).parameters.values()), None)
            if first is not None and first.name in ("graph", "a"):
                yield name


@pytest.mark.parametrize("name", [name for name in measures() if name not in OF_WEIGHTS])
def test_every_measure_of_an_edge_index_is_that_of_its_graph(name):
    graph = Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 0], directed=True)
    measure, keywords = getattr(triadic, name), MORE.get(name, {})
    given = graph.to_edge_index()
    both = "b" in inspect.signature(measure).parameters
    ours, theirs = (measure(*([form, form] if both else [form]), **keywords) for form in (graph, given))
    if inspect.isgenerator(ours) or hasattr(ours, "__next__"):
        ours, theirs = list(islice(ours, 99)), list(islice(theirs, 99))
    assert repr(ours) == repr(theirs)
    annotation = str(inspect.signature(measure).parameters["a" if both else "graph"].annotation)
    assert "Graph" in annotation.replace("OrbitSource", "GraphLike | GraphletTransform | Int64Array")


@pytest.mark.parametrize("name", list(measures()))
def test_every_measure_refuses_an_object_that_is_no_graph(name):
    measure, keywords = getattr(triadic, name), MORE.get(name, {})
    both = "b" in inspect.signature(measure).parameters
    with pytest.raises(triadic.errors.ArgumentError, match=r"got dict; expected a Graph, a graph of networkx"):
        list(measure(*([{}, {}] if both else [{}]), **keywords))
