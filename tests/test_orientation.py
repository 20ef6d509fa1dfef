"""In the oriented graph ranks follow degree, and each edge occurs once, in the row of its larger rank."""

from __future__ import annotations

from math import isqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from strategies import examples, networks
from triadic import Graph
from triadic.core import blocks
from triadic.devices.cpu.orient import bucket_keys, row_orientation, row_sort, rows
from triadic.errors import ArgumentError
from triadic.graph.orientation import orient, orient_csr


def entries(oriented):
    """Return each entry as (vertex of the row, vertex of the column)."""
    order = oriented.order
    row = np.repeat(order, np.diff(oriented.indptr))
    return list(zip(row.tolist(), order[oriented.indices].tolist(), strict=True))


@examples(20)
@given(network=networks(), from_rows=st.booleans(), threads=st.sampled_from([1, 2, 16]))
def test_each_edge_occurs_once_in_the_row_of_its_larger_rank(network, from_rows, threads):
    graph = network.graph()
    if from_rows:
        graph = Graph.from_csr(graph.indptr, graph.indices, directed=graph.directed, trusted=True)
    oriented = graph.oriented(threads=threads)
    row = np.repeat(np.arange(oriented.num_vertices), np.diff(oriented.indptr))
    assert sorted(tuple(sorted(pair)) for pair in entries(oriented)) == naive.edges(network.arcs)
    assert np.all(oriented.indices < row)
    assert all(np.all(np.diff(part) > 0) for part in np.split(oriented.indices, oriented.indptr[1:-1]))
    assert sorted(oriented.rank.tolist()) == list(range(network.vertices))
    assert oriented.degree[oriented.rank].tolist() == naive.degree(network.vertices, network.arcs)


@given(network=networks())
def test_ranks_follow_falling_degree_without_repeated_arcs(network):
    simple = sorted(set(naive.edges(network.arcs)))
    graph = Graph.from_edges([u for u, _ in simple], [v for _, v in simple], num_vertices=network.vertices)
    oriented = graph.oriented()
    assert np.all(np.diff(oriented.degree) <= 0)
    assert np.diff(oriented.indptr).max(initial=0) <= isqrt(2 * oriented.num_edges) + 1


@given(network=networks(directed=True), from_rows=st.booleans())
def test_the_state_of_an_edge_is_the_direction_of_its_arcs(network, from_rows):
    graph = network.graph()
    if from_rows:
        graph = Graph.from_csr(graph.indptr, graph.indices, directed=True, trusted=True)
    oriented = graph.oriented()
    arcs = set(network.arcs)
    expected = [((u, v) in arcs) + 2 * ((v, u) in arcs) for u, v in entries(oriented)]
    assert oriented.state.tolist() == expected


def test_an_undirected_graph_has_no_state():
    assert Graph.from_edges([0], [1]).oriented().state is None


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_threads_and_pieces_make_no_difference(directed, dtype, monkeypatch):
    """Pieces and buckets are so small that each pass has many of them."""
    monkeypatch.setattr(blocks, "piece", lambda _: 500)
    monkeypatch.setattr(row_sort, "_BUCKET", 64)
    random = np.random.default_rng(1)
    source = (random.pareto(0.8, 20_000) * 10).astype(dtype) % 3000
    target = random.integers(0, 3000, 20_000).astype(dtype)
    pairs = list(zip(source.tolist(), target.tolist(), strict=True))
    expected, arcs = naive.simple(pairs, directed=directed), naive.simple(pairs, directed=True).arcs
    edges = naive.edges(expected.arcs)
    for threads in (1, 2, 16):
        oriented, met = orient(rows.ArcList(source, target), 3000, directed=directed, threads=threads)
        assert met.loops == expected.loops
        assert met.duplicates == expected.duplicates
        found = entries(oriented)
        assert len(found) == len(set(found))
        assert sorted(tuple(sorted(pair)) for pair in found) == edges
        if directed:
            assert met.arcs == len(expected.arcs)
        else:
            assert met.reciprocal == expected.reciprocal_merged
        made = row_sort.sort_rows(
            rows.ArcList(source, target), 3000, None, row_sort.FORWARD, with_state=False, threads=threads
        )
        row = np.repeat(np.arange(3000), np.diff(made.indptr))
        assert list(zip(row.tolist(), made.indices.tolist(), strict=True)) == arcs


@pytest.mark.parametrize("key_bits", [0, 32], ids=["long keys", "short keys"])
@pytest.mark.parametrize("threads", [1, 2, 16])
def test_symmetric_rows_are_oriented_as_their_arcs_are(key_bits, threads, monkeypatch):
    """Pieces and buckets are small, most vertices have no edge, and a hub has a row longer than a piece."""
    monkeypatch.setattr(blocks, "piece", lambda _: 500)
    monkeypatch.setattr(row_sort, "_BUCKET", 64)
    monkeypatch.setattr(row_orientation, "_KEY_BITS", key_bits)
    random = np.random.default_rng(2)
    source = np.r_[(random.pareto(0.8, 10_000) * 10).astype(int) % 3000, np.full(1500, 7)]
    target = np.r_[random.integers(0, 3000, 10_000), np.arange(1500)]
    graph = Graph.from_edges(source, target, num_vertices=20_000)
    expected, found = graph.oriented(), orient_csr(graph.indptr, graph.indices, directed=False, threads=threads)
    for name in ("indptr", "indices", "degree"):
        by_arcs = Graph.from_edges(*graph.edges(), num_vertices=20_000).oriented()
        np.testing.assert_array_equal(getattr(found, name), getattr(by_arcs, name))
    assert sorted(entries(found)) == sorted(entries(by_arcs))
    assert found.num_edges == expected.num_edges
    assert found.indices.dtype == np.int32


@pytest.mark.parametrize(
    ("indptr", "indices"),
    [([0, 1, 1], [1]), ([0, 0, 2, 2], [0, 2]), ([0, 2, 3, 3, 3], [1, 2, 3])],
    ids=["an odd number of entries", "an empty row", "neighbours without rows"],
)
def test_rows_that_cannot_be_symmetric_are_refused(indptr, indices):
    graph = Graph.from_csr(indptr, np.array(indices, dtype=np.int32), trusted=True)
    with pytest.raises(ArgumentError, match="indices: the rows of an undirected graph are not symmetric"):
        graph.oriented()


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 8191, 8192, 8193, 100_000])
def test_a_ring_of_any_length_is_sorted(n):
    """The numbers of bits for groups and columns change near powers of two."""
    here = np.random.default_rng(n).permutation(n)
    graph = Graph.from_edges(here, (here + 1) % n)
    near = np.sort(np.stack([(np.arange(n) - 1) % n, (np.arange(n) + 1) % n], axis=1), axis=1)
    if n <= 2:
        near = near[:, :0] if n == 1 else near[:, :1]
    np.testing.assert_array_equal(graph.indices, near.ravel())
    np.testing.assert_array_equal(graph.degree, near.shape[1])


def test_one_vertex_may_hold_nearly_all_arcs():
    n = 200_000
    graph = Graph.from_edges(np.zeros(2 * n, int), np.r_[1 : n + 1, 1 : n + 1], directed=True)
    assert graph.dropped.duplicates == n
    assert graph.indices.tolist() == list(range(1, n + 1))
    assert graph.degree[0] == n


def test_rows_of_64_bit_ids_are_unpacked_whole():
    """Columns beyond 32 bits; a graph with such columns is too large for a test."""
    column_bits = 40
    columns = np.array([3, 2**31 + 5, 2**39 + 1])
    keys = (columns << 1 | np.array([0, 1, 0])) | (np.array([0, 0, 1]) << (column_bits + 1))
    keys = np.concatenate([keys, keys[:2] ^ 1])  # two of them both ways
    row_length, bounds = np.zeros(2, dtype=np.int64), (np.array([0, 5]), np.array([0, 2]))
    bucket = bucket_keys.BucketKeys(keys, None)
    found = bucket.sort(*bounds, column_bits, row_length, threads=1)
    indices, state = np.empty(3, dtype=np.int64), np.empty(3, dtype=np.uint8)
    bucket.unpack(bounds[0], found, column_bits, indices, state, [], threads=1)
    assert found[0, :2].tolist() == [3, 5]
    assert row_length.tolist() == [2, 1]
    assert indices.tolist() == columns.tolist()
    assert state.tolist() == [3, 3, 1]
