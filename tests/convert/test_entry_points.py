"""The functions of triadic.convert that a Graph finds by name."""

from __future__ import annotations

import inspect

import pytest

import triadic
from triadic import Graph, GraphBatch, TemporalGraph
from triadic.convert.recognise import as_graph
from triadic.errors import UnsupportedError
from triadic.graph.exports import ENTRY_POINTS, entry_point


@pytest.mark.parametrize("name", sorted(ENTRY_POINTS))
def test_every_name_leads_to_a_function_of_the_same_name(name):
    assert inspect.isfunction(entry_point(name))
    assert entry_point(name).__name__ == name
    owners = (Graph, TemporalGraph)
    assert name in ("graph_of", "batch_of_table", "to_frame") or any(
        callable(getattr(owner, name, None)) for owner in owners
    )


def test_conversion_takes_the_keywords_of_graph():
    parameters = [list(inspect.signature(taker).parameters.values()) for taker in (Graph, entry_point("graph_of"))]
    assert parameters[0] == parameters[1]
    takers = (GraphBatch.from_table, entry_point("batch_of_table"))
    of_table, of_entry_point = (list(inspect.signature(taker).parameters) for taker in takers)
    assert of_table == of_entry_point


@pytest.fixture
def tiles(tmp_path):
    triadic.write(Graph.from_edges([0, 1, 2], [1, 2, 0]), tmp_path / "edges.txt")
    triadic.tile(tmp_path / "edges.txt", tmp_path / "tiles", ranges=1)
    return triadic.TiledGraph(tmp_path / "tiles")


def test_a_refusal_of_tiles_names_the_function_that_was_called(tiles):
    with pytest.raises(UnsupportedError, match=r"^edge_support does not take a TiledGraph"):
        triadic.edge_support(tiles)
    with pytest.raises(UnsupportedError, match=r"^compare does not|^graphlet_transform does not"):
        triadic.compare(tiles, tiles, method="degree")
    with pytest.raises(UnsupportedError, match=r"^test_a_refusal_of_tiles_names_the_function_that_was_called does not"):
        as_graph(tiles)
    assert as_graph(tiles, tiled=True) is tiles
