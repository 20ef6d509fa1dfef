"""Triangles: every number of hubs, every cut into blocks, every number of threads and every device counts the same."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from shared_fixtures import NIGHTLY
from strategies import examples, networks
from triadic import Graph
from triadic.core import memory
from triadic.core.oriented import Oriented
from triadic.counts.count import run
from triadic.counts.edges import EDGE_SUPPORT, at_edges
from triadic.counts.triangles import TRIANGLE_COUNT, TRIANGLES
from triadic.devices.cpu.intrinsics import Rows
from triadic.devices.cpu.orient import middle_lists as row_walks
from triadic.devices.cpu.orient.rows import slots_of_edges
from triadic.devices.cpu.triangles import supports as neighbourhoods
from triadic.devices.cpu.triangles import triangle_work
from triadic.devices.cpu.triangles import triangles as cpu
from triadic.devices.cpu.triangles import triangles as triangle_kernels
from triadic.errors import OutOfMemoryError
from triadic.generate import rmat

THREADS = [1, 2, 3, 5, 8, 16]


def complete(n):
    return Graph.from_edges(*np.triu_indices(n, k=1))


@given(network=networks(), hubs=st.sampled_from([0, 1, 3, 25, 64, 10**6]), threads=st.sampled_from([1, 2, 16]))
def test_any_number_of_hubs_and_threads_counts_what_the_oracle_counts(network, hubs, threads):
    n, arcs, oriented = network.vertices, network.arcs, network.graph().oriented()
    at_vertex = cpu.by_vertex(oriented, threads=threads, hubs=hubs)
    support = neighbourhoods.by_edge(oriented, threads=threads)
    skeleton = np.array(naive.edges(arcs), dtype=oriented.rank.dtype).reshape(-1, 2)
    assert cpu.total(oriented, threads=threads, hubs=hubs) == naive.triangle_count(n, arcs)
    assert at_vertex[oriented.rank].tolist() == naive.triangles(n, arcs)
    assert support[slots_of_edges(oriented, *skeleton.T, threads=threads)].tolist() == naive.edge_support(n, arcs)
    assert (at_vertex.dtype, support.dtype) == (np.int64, np.int32)


@given(network=networks(), hubs=st.sampled_from([0, 1, 3, 25]), threads=st.sampled_from([1, 2, 16]))
def test_walks_of_rows_without_lists_count_what_the_oracle_counts(network, hubs, threads):
    n, arcs, oriented = network.vertices, network.arcs, network.graph().oriented()
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(row_walks, "FEW_ENTRIES", 0)
        monkeypatch.setattr(row_walks, "_SORTED", 1e9)
        assert cpu.total(oriented, threads=threads, hubs=hubs) == naive.triangle_count(n, arcs)
        at_vertex = cpu.by_vertex(oriented, threads=threads, hubs=hubs)
    assert at_vertex[oriented.rank].tolist() == naive.triangles(n, arcs)


def test_rows_are_walked_without_lists_where_degrees_differ_little():
    uniform = Graph.from_edges(*np.random.default_rng(1).integers(0, 6000, (2, 60_000))).oriented()
    with_hubs = rmat(12, seed=1).oriented()
    for oriented, walks in ((uniform, True), (with_hubs, False)):
        work = triangle_work.prepare(oriented, threads=2, hubs=0, without_lists=True)
        assert (work.walked_from is not None) == walks
        assert triangle_work.prepare(oriented, threads=2, hubs=0).walked_from is None
        assert cpu.total(oriented, threads=2, hubs=0) == cpu.total(oriented, threads=2, hubs=2048)


@examples(25)
@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_every_device_counts_what_the_oracle_counts(any_device, network, threads):
    n, arcs, oriented = network.vertices, network.arcs, network.graph().oriented()
    keywords = {"threads": threads, "device": any_device, "progress": False}
    skeleton = np.array(naive.edges(arcs), dtype=oriented.rank.dtype).reshape(-1, 2)
    at_vertex = run(TRIANGLES, oriented, **keywords)
    support = at_edges(oriented, run(EDGE_SUPPORT, oriented, **keywords), *skeleton.T[::-1], threads=2)
    assert run(TRIANGLE_COUNT, oriented, **keywords) == naive.triangle_count(n, arcs)
    assert at_vertex[oriented.rank].tolist() == naive.triangles(n, arcs)
    assert support.tolist() == naive.edge_support(n, arcs)
    assert run(EDGE_SUPPORT, oriented, **keywords).dtype == np.int32
    assert at_vertex.dtype == support.dtype == np.int64


@pytest.fixture(scope="module")
def wide_core():
    """A core of 2,600 vertices, each joined to about 50 others in it, and 400 leaves: rows of hubs past 2,048 bits."""
    random = np.random.default_rng(7)
    core = random.integers(0, 2600, size=(2, 70_000))
    leaves = np.stack([np.arange(2600, 3000).repeat(4), random.integers(0, 2600, 1600)])
    return Graph.from_edges(*np.concatenate([core, leaves], axis=1))


@pytest.fixture(scope="module")
def counted_by_hand(wide_core):
    """Triangles of the wide core at each vertex, and at each of its edges in their order."""
    arcs = list(zip(*(ends.tolist() for ends in wide_core.edges()), strict=True))
    return naive.triangles(wide_core.num_vertices, arcs), naive.edge_support(wide_core.num_vertices, arcs)


@pytest.mark.parametrize("hubs", [0, 1, 40, 2047, 2048, 2049, 2500, 3000])
def test_rows_of_many_hubs_span_groups_of_words(wide_core, counted_by_hand, hubs):
    oriented = wide_core.oriented()
    work = triangle_work.prepare(oriented, threads=2, hubs=hubs)
    if hubs > 2048:
        assert work.bits.shape[1] == 2 * triangle_kernels.WORDS
        assert np.max(work.split - work.rows.indptr[:-1]) > triangle_kernels.FEW
    at_vertex = counted_by_hand[0]
    assert cpu.by_vertex(oriented, threads=2, hubs=hubs)[oriented.rank].tolist() == at_vertex
    assert cpu.total(oriented, threads=2, hubs=hubs) == sum(at_vertex) // 3


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("hubs", [None, 0, 64, 3000])
def test_every_number_of_threads_gives_the_same_counts(wide_core, counted_by_hand, hubs, threads):
    oriented, at_vertex = wide_core.oriented(), counted_by_hand[0]
    assert cpu.by_vertex(oriented, threads=threads, hubs=hubs)[oriented.rank].tolist() == at_vertex
    assert cpu.total(oriented, threads=threads, hubs=hubs) == sum(at_vertex) // 3


def test_every_device_gives_the_same_counts(any_device, wide_core, counted_by_hand):
    oriented, (at_vertex, support) = wide_core.oriented(), counted_by_hand
    keywords = {"threads": 2, "device": any_device, "progress": False}
    assert run(TRIANGLE_COUNT, oriented, **keywords) == sum(at_vertex) // 3
    assert run(TRIANGLES, oriented, **keywords)[oriented.rank].tolist() == at_vertex
    assert (
        at_edges(oriented, run(EDGE_SUPPORT, oriented, **keywords), *wide_core.edges(), threads=2).tolist() == support
    )


@pytest.mark.parametrize("threads", THREADS)
def test_every_number_of_threads_gives_the_same_support(wide_core, counted_by_hand, threads):
    oriented = wide_core.oriented()
    support = neighbourhoods.by_edge(oriented, threads=threads)
    assert support[slots_of_edges(oriented, *wide_core.edges(), threads=threads)].tolist() == counted_by_hand[1]


def book(spine, pages):
    """A clique, and pages that are joined to all of it: few vertices have nearly all lists."""
    arcs = [(u, v) for u in range(spine) for v in range(u)]
    arcs += [(spine + page, v) for page in range(pages) for v in range(spine)]
    return arcs


@pytest.mark.parametrize("spine", [2, 3, 30])
def test_the_lists_of_one_vertex_may_be_shared_out_over_blocks(spine):
    arcs = book(spine, 3000)
    graph = Graph.from_edges(*np.array(arcs).T)
    work = triangle_work.prepare(graph.oriented(), threads=16, hubs=0)
    blocks_that_begin_in = np.bincount(work.list_vertex)
    assert blocks_that_begin_in.max() >= 4
    pages = graph.num_vertices - spine
    support_in_spine, support_of_page = spine - 2 + pages, spine - 1
    at_spine = comb(spine - 1, 2) + (spine - 1) * pages
    for threads in (1, 2, 16):
        oriented = graph.oriented()
        assert cpu.total(oriented, threads=threads, hubs=0) == comb(spine, 3) + pages * comb(spine, 2)
        at_vertex = cpu.by_vertex(oriented, threads=threads, hubs=0)[oriented.rank]
        assert set(at_vertex[:spine]) == {at_spine}
        assert set(at_vertex[spine:]) == {comb(spine, 2)}
        source, target = graph.edges()
        support = neighbourhoods.by_edge(oriented, threads=threads)[
            slots_of_edges(oriented, source, target, threads=threads)
        ]
        assert set(support[target < spine]) == {support_in_spine}
        assert set(support[target >= spine]) == {support_of_page}


def test_a_book_counts_by_formula(any_device):
    spine, pages = 12, 3000
    graph = Graph.from_edges(*np.array(book(spine, pages)).T)
    oriented, keywords = graph.oriented(), {"threads": 2, "device": any_device, "progress": False}
    assert run(TRIANGLE_COUNT, oriented, **keywords) == comb(spine, 3) + pages * comb(spine, 2)
    at_vertex = run(TRIANGLES, oriented, **keywords)[oriented.rank]
    assert set(at_vertex[:spine]) == {comb(spine - 1, 2) + (spine - 1) * pages}
    assert set(at_vertex[spine:]) == {comb(spine, 2)}
    source, target = graph.edges()
    support = at_edges(oriented, run(EDGE_SUPPORT, oriented, **keywords), source, target, threads=2)
    assert set(support[target < spine]) == {spine - 2 + pages}
    assert set(support[target >= spine]) == {spine - 1}


@pytest.mark.parametrize("hubs", [None, pytest.param(0, marks=pytest.mark.nightly)])
def test_a_complete_graph_has_more_triangles_than_32_bits_hold(hubs):
    n = 2400 if hubs == 0 else 3000
    graph = complete(n)
    assert comb(n, 3) > (2**31 if hubs == 0 else 2**32)
    assert cpu.total(graph.oriented(), threads=2, hubs=hubs) == comb(n, 3)


def test_a_gpu_counts_more_triangles_than_32_bits_hold(gpu_device):
    n = 3000
    total = run(TRIANGLE_COUNT, complete(n).oriented(), threads=2, device=gpu_device, progress=False)
    assert total == comb(n, 3) > 2**32


def test_each_vertex_and_edge_of_a_complete_graph_counts_by_formula():
    n = 3000
    graph = complete(n)
    at_vertex = cpu.by_vertex(graph.oriented(), threads=2)
    assert set(at_vertex.tolist()) == {comb(n - 1, 2)}
    assert int(at_vertex.sum()) == 3 * comb(n, 3) > 2**33
    small = complete(700)
    assert set(neighbourhoods.by_edge(small.oriented(), threads=2).tolist()) == {698}


def widened(oriented):
    """The same oriented graph with the 64-bit ids of one that has more than 2**31 vertices."""
    return Oriented(
        oriented.rank.astype(np.int64),
        oriented.indptr,
        oriented.indices.astype(np.int64),
        oriented.state,
        oriented.degree,
    )


@pytest.mark.parametrize("hubs", [40, *(pytest.param(hubs, marks=pytest.mark.nightly) for hubs in (0, 2500))])
def test_64_bit_vertex_ids_count_the_same(wide_core, hubs, monkeypatch):
    def prepare_wide(*arguments, **keywords):
        work = triangle_work.prepare(*arguments, **keywords)
        assert work.rows.indices.dtype == np.uint64
        return replace(work, lists=Rows(work.lists.indptr, work.lists.indices.astype(np.uint64)))

    monkeypatch.setattr(cpu, "prepare", prepare_wide)
    narrow, wide = wide_core.oriented(), widened(wide_core.oriented())
    monkeypatch.setattr(cpu, "prepare", prepare_wide)
    total = cpu.total(wide, threads=2, hubs=hubs)
    at_vertex = cpu.by_vertex(wide, threads=2, hubs=hubs)
    support = neighbourhoods.by_edge(wide, threads=2)
    source, target = wide_core.edges()
    slots = slots_of_edges(wide, source.astype(np.int64), target.astype(np.int64), threads=2)
    monkeypatch.undo()
    assert total == cpu.total(narrow, threads=2, hubs=hubs)
    np.testing.assert_array_equal(at_vertex, cpu.by_vertex(narrow, threads=2, hubs=hubs))
    np.testing.assert_array_equal(support, neighbourhoods.by_edge(narrow, threads=2))
    np.testing.assert_array_equal(slots, slots_of_edges(narrow, source, target, threads=2))


def test_no_update_of_an_edge_that_all_workers_write_is_lost():
    graph = complete(220)
    expected = np.full(graph.num_edges, 218)
    for _ in range(300 if NIGHTLY else 25):
        np.testing.assert_array_equal(neighbourhoods.by_edge(graph.oriented(), threads=16), expected)


def test_no_update_of_a_hub_s_edges_is_lost():
    arcs = book(12, 4000)
    graph = Graph.from_edges(*np.array(arcs).T)
    expected = neighbourhoods.by_edge(graph.oriented(), threads=1)
    assert expected.max() == 4010
    for _ in range(300 if NIGHTLY else 25):
        np.testing.assert_array_equal(neighbourhoods.by_edge(graph.oriented(), threads=16), expected)


def test_counting_leaves_the_oriented_graph_as_it_was(any_device, wide_core):
    oriented = wide_core.oriented()
    before = [array.copy() for array in (oriented.rank, oriented.indptr, oriented.indices, oriented.degree)]
    for count in (EDGE_SUPPORT, TRIANGLES, TRIANGLE_COUNT):
        run(count, oriented, threads=2, device=any_device, progress=False)
    for array, copy in zip((oriented.rank, oriented.indptr, oriented.indices, oriented.degree), before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_what_does_not_fit_in_memory_is_refused_with_both_figures(wide_core, monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 1 << 10)
    with pytest.raises(OutOfMemoryError, match=r"takes about .* [KM]iB and 1\.0 KiB are available: use fewer threads"):
        run(TRIANGLE_COUNT, wide_core.oriented(), threads=2, device="cpu")


def test_the_hub_matrix_takes_at_most_8_bytes_an_edge(wide_core):
    for graph in (wide_core, complete(700), Graph.from_edges([0], [1]), Graph.from_edges([], [], num_vertices=9)):
        hubs = triangle_work.choose_hubs(graph.oriented())
        assert hubs <= graph.num_vertices
        assert hubs * hubs / 8 <= 8 * graph.num_edges
