"""Dropped means lost: loops and repeats. An edge that a format names at both its ends is neither dropped nor merged."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import triadic
from triadic import Graph
from triadic.core.arcs import Dropped

# The path a - b - c, with each edge named at both its ends.
METIS = "3 2\n2\n1 3\n2\n"
PAJEK = "*Vertices 3\n*Edges\n1 2\n2 1\n2 3\n3 2\n"
PAJEK_LISTS = "*Vertices 3\n*Edgeslist\n1 2\n2 1 3\n3 2\n"
SYMMETRIC = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 4\n1 2\n2 1\n3 2\n2 3\n"
ARRAY = "%%MatrixMarket matrix array integer symmetric\n3 3\n0\n1\n0\n0\n1\n0\n"
FILES = {"a.graph": METIS, "a.net": PAJEK, "b.net": PAJEK_LISTS, "a.mtx": SYMMETRIC, "b.mtx": ARRAY}
WEIGHTED = {
    "a.graph": "3 2 1\n2 5\n1 5 3 7\n2 7\n",
    "a.net": "*Vertices 3\n*Edges\n1 2 5\n2 1 5\n2 3 7\n3 2 7\n",
    "a.mtx": "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 5\n1 2 5\n3 2 7\n",
}


def in_memory(path, **options):
    graph = triadic.read(path, **options)
    assert graph.num_edges == 2
    return graph.dropped


def by_tiles(path, **options):
    graph = triadic.tile(path, path.with_suffix(".tiles"), **options)
    assert graph.num_edges == 2
    return graph.dropped


@pytest.fixture(params=[in_memory, by_tiles])
def dropped(request):
    return request.param


@pytest.mark.parametrize("name", FILES)
def test_the_second_mention_of_an_edge_is_not_dropped(tmp_path, dropped, name):
    (tmp_path / name).write_text(FILES[name])
    assert dropped(tmp_path / name) == Dropped()


@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_do_not_change_what_is_dropped(tmp_path, name):
    (tmp_path / name).write_text(WEIGHTED[name])
    graph = triadic.read(tmp_path / name, weights=True)
    assert graph.weights.tolist() == [5, 5, 7, 7]
    assert graph.dropped == Dropped()


def test_the_rows_of_a_serialized_graph_are_no_repeats(tmp_path, dropped):
    path = tmp_path / "a.sg"
    rows = np.array([0, 1, 3, 4], dtype="<i8").tobytes() + np.array([1, 0, 2, 1], dtype="<i4").tobytes()
    path.write_bytes(struct.pack("<?qq", False, 4, 3) + rows)
    assert dropped(path) == Dropped()


def test_the_rows_of_a_stored_graph_are_no_repeats(tmp_path, dropped):
    path = tmp_path / "a.triadic"
    triadic.write(Graph.from_edges([0, 1], [1, 2]), path)
    assert dropped(path) == Dropped()


def test_loops_and_repeats_of_symmetric_formats_are_dropped(tmp_path, dropped):
    path = tmp_path / "a.mtx"
    path.write_text(SYMMETRIC.replace("3 3 4", "3 3 6") + "1 1\n2 1\n")
    assert dropped(path) == Dropped(loops=1, duplicates=1)


@pytest.mark.parametrize("name", ["a.txt", "a.csv"])
def test_rows_of_an_edge_list_in_both_directions_are_merged(tmp_path, dropped, name):
    path = tmp_path / name
    path.write_text("1 2\n2 1\n2 3\n2 3\n3 3\n")
    assert dropped(path, directed=False) == Dropped(loops=1, duplicates=1, reciprocal_merged=1)


def test_a_general_matrix_read_without_directions_merges_its_entries(tmp_path, dropped):
    path = tmp_path / "a.mtx"
    path.write_text(SYMMETRIC.replace("symmetric", "general"))
    assert dropped(path, directed=False) == Dropped(reciprocal_merged=2)


def test_the_neighbours_of_networkx_are_no_repeats():
    nx = pytest.importorskip("networkx")
    assert Graph(nx.path_graph(3)).dropped == Dropped()


def test_the_table_tells_merged_from_dropped(triadic, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1 2\n2 1\n2 3\n2 3\n3 3\n")
    lines = [" ".join(line.split()) for line in triadic("clustering", path, "--undirected").out.splitlines()]
    assert "dropped 2 loops 1, duplicates 1" in lines
    assert "merged 1 reciprocal: u v and v u are one edge" in lines
    assert not [line for line in triadic("clustering", path, "--directed").out.splitlines() if "merged" in line]


def test_the_table_of_a_format_with_both_ends_drops_nothing(triadic, tmp_path):
    path = tmp_path / "a.graph"
    path.write_text(METIS)
    lines = [line.split() for line in triadic("clustering", path).out.splitlines()]
    assert ["dropped", "0"] in lines
    assert "merged" not in [line[0] for line in lines if line]
