"""Edges in arrays on a card: oriented and counted there, they make the same graph as edges on the host."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import triadic
from triadic import Graph
from triadic.core.arcs import Dropped
from triadic.devices.gpu.orientation import is_on_card
from triadic.devices.gpu.rows import OrientedOnDevice
from triadic.errors import ArgumentError, UnsupportedError
from triadic.generate import RMat, make_arcs

ARCS = make_arcs(RMat(10, seed=5), threads=1)


@pytest.fixture(scope="module")
def cupy():
    cupy = pytest.importorskip("cupy")
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError:
        pytest.skip("no cuda device was found")
    return cupy


class OnlyDLPack:
    """An array of a library with DLPack and without the CUDA array interface."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_an_array_of_the_host_is_on_no_card():
    assert not is_on_card(ARCS.source)
    assert not is_on_card([0, 1])
    assert not is_on_card(None)


@pytest.mark.gpu
@pytest.mark.parametrize("wrap", [lambda array: array, OnlyDLPack])
def test_a_graph_of_arrays_on_a_card_is_the_graph_of_the_same_arrays(cupy, wrap):
    source, target = (wrap(cupy.asarray(ends)) for ends in (ARCS.source, ARCS.target))
    on_card = Graph.from_edges(source, target, num_vertices=ARCS.vertices)
    on_host = Graph.from_edges(ARCS.source, ARCS.target, num_vertices=ARCS.vertices)
    assert isinstance(on_card.oriented(), OrientedOnDevice)
    assert on_card.dropped == on_host.dropped
    for name in ("rank", "indptr", "indices", "degree"):
        np.testing.assert_array_equal(getattr(on_card.oriented(), name), getattr(on_host.oriented(), name))
    for device in ("cuda", "cpu"):
        np.testing.assert_array_equal(
            triadic.clustering(on_card, device=device), triadic.clustering(on_host, device="cpu")
        )
    np.testing.assert_array_equal(on_card.indices, on_host.indices)


@pytest.mark.gpu
@pytest.mark.parametrize("wrap", [lambda array: array, OnlyDLPack])
def test_a_directed_graph_of_arrays_on_a_card_is_the_graph_of_the_same_arrays(cupy, wrap):
    source, target = (wrap(cupy.asarray(ends)) for ends in (ARCS.source, ARCS.target))
    on_card = Graph.from_edges(source, target, num_vertices=ARCS.vertices, directed=True)
    on_host = Graph.from_edges(ARCS.source, ARCS.target, num_vertices=ARCS.vertices, directed=True)
    assert isinstance(on_card.oriented(), OrientedOnDevice)
    assert (on_card.directed, on_card.num_arcs, on_card.dropped) == (True, on_host.num_arcs, on_host.dropped)
    for name in ("rank", "indptr", "indices", "degree", "state"):
        np.testing.assert_array_equal(getattr(on_card.oriented(), name), getattr(on_host.oriented(), name))
    for types in (16, 64):
        for device in ("cuda", "cpu"):
            census = triadic.triad_census(on_card, labelled=types == 64, device=device)
            assert census == triadic.triad_census(on_host, labelled=types == 64, device="cpu")
    by_vertex = triadic.triad_census(on_card, device="cuda", by="vertex")
    np.testing.assert_array_equal(by_vertex, triadic.triad_census(on_host, device="cpu", by="vertex"))
    np.testing.assert_array_equal(on_card.indices, on_host.indices)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64])
def test_the_columns_of_a_table_on_a_card_are_ends_too(cupy, dtype):
    table = cupy.asarray(np.stack([ARCS.source, ARCS.target], axis=1).astype(dtype))
    on_card = Graph.from_edges(table[:, 0], table[:, 1], num_vertices=ARCS.vertices)
    on_host = Graph.from_edges(ARCS.source, ARCS.target, num_vertices=ARCS.vertices)
    assert on_card.dropped == on_host.dropped
    np.testing.assert_array_equal(on_card.indices, on_host.indices)


@pytest.mark.gpu
def test_a_graph_on_a_card_is_pickled_without_it(cupy):
    on_card = Graph.from_edges(cupy.asarray(ARCS.source), cupy.asarray(ARCS.target), num_vertices=ARCS.vertices)
    again = pickle.loads(pickle.dumps(on_card))
    assert not isinstance(again.oriented(), OrientedOnDevice)
    np.testing.assert_array_equal(triadic.triangles(again, device="cpu"), triadic.triangles(on_card, device="cuda"))


@pytest.mark.gpu
def test_a_sparse_matrix_on_a_card_is_the_graph_of_the_same_matrix(cupy):
    sparse = pytest.importorskip("cupyx.scipy.sparse")
    on_host = Graph.from_edges(ARCS.source, ARCS.target, num_vertices=ARCS.vertices)
    on_card = Graph.from_scipy(sparse.csr_matrix(on_host.to_scipy().astype(np.float32)))
    assert (on_card.num_edges, on_card.dropped) == (on_host.num_edges, Dropped())
    arcs = Graph.from_scipy(sparse.csr_matrix(on_host.to_scipy().astype(np.float32)), directed=True)
    assert (arcs.directed, arcs.num_arcs, arcs.dropped) == (True, 2 * on_host.num_edges, Dropped())
    np.testing.assert_array_equal(triadic.triangles(on_card, device="cuda"), triadic.triangles(on_host, device="cpu"))


@pytest.mark.gpu
def test_arrays_on_a_card_that_cannot_be_a_graph_are_refused_in_one_line(cupy):
    two = cupy.asarray([0, 1])
    with pytest.raises(ArgumentError, match="source: expected vertices of at least 0, got -1"):
        Graph.from_edges(-two, two)
    with pytest.raises(ArgumentError, match="target: expected a 1-D array of whole numbers, got float64"):
        Graph.from_edges(two, two / 2)
    with pytest.raises(ArgumentError, match="vertices=1: an edge ends at vertex 1"):
        Graph.from_edges(two, two, num_vertices=1)
    with pytest.raises(ArgumentError, match="target: expected an array on a card, as the other is, got ndarray"):
        Graph.from_edges(two, np.array([1, 0]))
    with pytest.raises(ArgumentError, match="expected the same length, got 2 and 1"):
        Graph.from_edges(two, two[:1])
    with pytest.raises(UnsupportedError, match="graphs without weights"):
        Graph.from_edges(two, two, weights=two)


@pytest.mark.gpu
def test_no_edges_on_a_card_are_a_graph_too(cupy):
    none = cupy.zeros(0, dtype=cupy.int32)
    assert triadic.triangles(Graph.from_edges(none, none, num_vertices=3), device="cuda").tolist() == [0, 0, 0]
