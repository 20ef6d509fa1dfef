"""Neighbourhoods: which entries of a row are joined, as bits, in any number of chunks; and the support of edges."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from shared_fixtures import NIGHTLY
from strategies import networks
from triadic import Graph
from triadic.core.compiled import kernel
from triadic.core.oriented import Oriented
from triadic.devices.cpu.intrinsics import trailing_zeros
from triadic.devices.cpu.triangles import supports as passes
from triadic.devices.cpu.triangles import triangle_work as lists_of_ends
from triadic.devices.cpu.triangles.neighbourhoods import words_before
from triadic.devices.cpu.triangles.supports import Neighbourhoods, by_edge

CHUNKS = [8, 1000, None]
NO_SUPPORT = np.empty(0, dtype=np.int32)


def complete(n):
    return Graph.from_edges(*np.triu_indices(n, k=1)).oriented()


def widened(oriented):
    """The same oriented graph with the 64-bit ids of one that has more than 2**31 vertices."""
    rank, indices = oriented.rank.astype(np.int64), oriented.indices.astype(np.int64)
    return Oriented(rank, oriented.indptr, indices, oriented.state, oriented.degree)


def support_by_sets(oriented):
    """The common neighbours of the ends of each entry's edge."""
    u = np.repeat(np.arange(oriented.num_vertices), np.diff(oriented.indptr)).tolist()
    arcs = list(zip(u, oriented.indices.tolist(), strict=True))
    near = naive.neighbours(oriented.num_vertices, arcs)
    return [len(near[a] & near[b]) for a, b in arcs]


def supports(oriented, **keywords):
    """The support of each entry, chunk by chunk."""
    found = Neighbourhoods(oriented, **keywords)
    support = np.zeros(oriented.num_edges, dtype=np.int32)
    for number in range(found.chunks):
        found.add_supports(found.join(number, support), support)
    return support


def joined_pairs(oriented, **keywords):
    """The pairs of entries of each row whose bits are set, as triangles of three ranks."""
    found = Neighbourhoods(oriented, **keywords)
    triangles = Counter()
    for number in range(found.chunks):
        chunk = found.join(number, NO_SUPPORT)
        at = 0
        for u in range(chunk.first, chunk.last):
            row = oriented.indices[oriented.indptr[u] : oriented.indptr[u + 1]].tolist()
            for i in range(1, len(row)):
                words = chunk.words[2][at : at + (i + 63) // 64].view(np.uint64).tolist()
                at += len(words)
                bits = sum(word << 64 * x for x, word in enumerate(words))
                assert bits < 1 << i
                triangles.update((u, row[i], row[j]) for j in range(i) if bits >> j & 1)
        assert at == len(chunk.words[2])
    return triangles


def triangles_by_sets(oriented):
    u = np.repeat(np.arange(oriented.num_vertices), np.diff(oriented.indptr)).tolist()
    arcs = set(zip(u, oriented.indices.tolist(), strict=True))
    near = naive.neighbours(oriented.num_vertices, arcs)
    return Counter((a, b, c) for a, b in arcs for c in near[a] & near[b] if c < b)


@pytest.fixture(scope="module")
def long_rows():
    """A dense network of 250 vertices and 100 leaves: rows of up to some 150 entries, words of which few are full."""
    network = nx.gnp_random_graph(190, 0.8, seed=11)
    network.add_edges_from((190 + leaf, leaf) for leaf in range(100))
    oriented = Graph.from_edges(*np.array(network.edges).T).oriented()
    assert np.diff(oriented.indptr).max() > 128
    return oriented


@pytest.fixture(scope="module")
def triangles_of_long_rows(long_rows):
    return triangles_by_sets(long_rows)


@pytest.fixture(scope="module")
def support_of_long_rows(long_rows):
    return support_by_sets(long_rows)


# Bits


def test_a_row_of_a_lower_triangle_has_a_word_for_each_64_bits():
    before = 0
    for row in range(1, 700):
        assert words_before(row) == before
        before += (row + 63) // 64


@kernel
def lowest_bit(word):
    return trailing_zeros(word)


@given(st.integers(0, 63), st.integers(0, 2**64 - 1))
def test_the_lowest_bit_of_a_word_is_found(place, others):
    word = (others << place | 1 << place) & (2**64 - 1)
    assert lowest_bit(np.uint64(word).astype(np.int64)) == place


@given(network=networks(), threads=st.sampled_from([1, 2, 16]), chunk_bytes=st.sampled_from(CHUNKS))
def test_a_bit_is_set_for_each_pair_of_a_row_that_is_joined(network, threads, chunk_bytes):
    oriented = network.graph().oriented()
    found = joined_pairs(oriented, threads=threads, chunk_bytes=chunk_bytes)
    assert found == triangles_by_sets(oriented)


@pytest.mark.parametrize("n", [64, 65, 66, *(pytest.param(n, marks=pytest.mark.nightly) for n in (128, 130, 200)), 129])
def test_every_bit_of_a_clique_is_set(n):
    found = joined_pairs(complete(n), threads=2, chunk_bytes=1000)
    assert len(found) == n * (n - 1) * (n - 2) // 6
    assert set(found.values()) == {1}


@pytest.mark.parametrize("chunk_bytes", CHUNKS)
def test_long_rows_have_the_bits_of_their_triangles(long_rows, triangles_of_long_rows, chunk_bytes):
    assert joined_pairs(long_rows, threads=2, chunk_bytes=chunk_bytes) == triangles_of_long_rows


@given(network=networks(), chunk_bytes=st.sampled_from(CHUNKS))
def test_each_end_stands_at_the_middle_vertex_s_place_in_its_row(network, chunk_bytes):
    oriented = network.graph().oriented()
    found = Neighbourhoods(oriented, threads=2, chunk_bytes=chunk_bytes)
    for number in range(found.chunks):
        found.join(number, NO_SUPPORT)
    middle = np.repeat(np.arange(oriented.num_vertices), np.diff(found.lists.ptr))
    at = oriented.indptr[found.lists.ends.astype(np.int64)] + found.place
    np.testing.assert_array_equal(oriented.indices[at], middle)


# Chunks


@pytest.mark.parametrize("chunk_bytes", [1, 8, 1000, 10**6, None])
def test_the_chunks_are_all_rows_once_and_no_longer_than_asked_for(long_rows, chunk_bytes):
    found = Neighbourhoods(long_rows, threads=1, chunk_bytes=chunk_bytes)
    chunks = [found.join(number, NO_SUPPORT) for number in range(found.chunks)]
    ends = [chunk.last for chunk in chunks]
    assert [chunk.first for chunk in chunks] == [0, *ends[:-1]]
    assert ends[-1] == long_rows.num_vertices
    words = [len(chunk.words[2]) for chunk in chunks]
    assert [chunk.words[1] for chunk in chunks] == [sum(words[:i]) for i in range(len(words))]
    longest = int(np.diff(long_rows.indptr).max())
    in_longest_row = words_before(longest)
    assert max(words) <= (sum(words) if chunk_bytes is None else chunk_bytes // 8 + 2 * in_longest_row)
    if chunk_bytes == 8:
        assert len(chunks) > 150
    if chunk_bytes is None:
        assert len(chunks) == 1


def test_dense_parts_are_gone_through_in_chunks(monkeypatch):
    monkeypatch.setattr(passes, "_BYTES_AT_LEAST", 1)
    oriented = complete(700)
    found = Neighbourhoods(oriented, threads=2)
    assert found.chunks > 1
    longest = max(len(found.join(number, NO_SUPPORT).words[2]) for number in range(found.chunks))
    assert longest * 8 < 20 * oriented.num_edges
    assert set(by_edge(oriented, threads=2).tolist()) == {698}


# Support


@given(network=networks(), threads=st.sampled_from([1, 2, 16]), chunk_bytes=st.sampled_from(CHUNKS))
def test_the_support_of_an_entry_is_the_common_neighbours_of_its_ends(network, threads, chunk_bytes):
    oriented = network.graph().oriented()
    expected = support_by_sets(oriented)
    assert supports(oriented, threads=threads, chunk_bytes=chunk_bytes).tolist() == expected
    assert by_edge(oriented, threads=threads).tolist() == expected


@pytest.mark.parametrize(
    ("threads", "chunk_bytes"), [(1, 8), (3, 8), (2, 1000), (5, 1000), (2, None), (5, None), (16, None)]
)
def test_long_rows_have_the_same_support_for_any_threads_and_chunks(
    long_rows, support_of_long_rows, threads, chunk_bytes
):
    assert supports(long_rows, threads=threads, chunk_bytes=chunk_bytes).tolist() == support_of_long_rows


@pytest.mark.nightly  # the tests of triangles and of declared counts have 64-bit ids in every run
@pytest.mark.parametrize("chunk_bytes", CHUNKS)
def test_64_bit_ids_have_the_same_support(long_rows, chunk_bytes, monkeypatch):
    def wide_lists(*arguments, **keywords):
        found = lists_of_ends.middle_lists(*arguments, **keywords)
        return replace(found, ends=found.ends.astype(np.uint64))

    expected = supports(long_rows, threads=1)
    monkeypatch.setattr(passes, "middle_lists", wide_lists)
    wide = widened(long_rows)
    assert Neighbourhoods(wide, threads=1).lists.ends.dtype == np.uint64
    np.testing.assert_array_equal(supports(wide, threads=2, chunk_bytes=chunk_bytes), expected)


def test_no_update_is_lost_where_sixteen_threads_write_side_by_side():
    oriented = complete(220)
    expected = np.full(oriented.num_edges, 218)
    for _ in range(100 if NIGHTLY else 8):
        np.testing.assert_array_equal(supports(oriented, threads=16, chunk_bytes=100_000), expected)


@pytest.mark.parametrize("n", [0, 1, 70])
@pytest.mark.parametrize("chunk_bytes", CHUNKS)
def test_a_network_without_edges_has_no_support(n, chunk_bytes):
    oriented = Graph.from_edges([], [], num_vertices=n).oriented()
    assert supports(oriented, threads=16, chunk_bytes=chunk_bytes).shape == (0,)
    assert by_edge(oriented, threads=16).dtype == np.int32
