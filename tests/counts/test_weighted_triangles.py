"""Weighted triangles: what the oracle adds up, the same to the bit for any number of threads, and nearly so on GPUs."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_clustering
import triadic
from pairs import each
from strategies import examples, networks
from triadic import Graph
from triadic.core import memory
from triadic.core.oriented import Oriented
from triadic.counts.count import run
from triadic.counts.edges import WEIGHTED_TRIANGLES, sums_of_pairs
from triadic.counts.triangles import TRIANGLES
from triadic.devices.cpu.intrinsics import Rows
from triadic.devices.cpu.orient.rows import slots_of_edges
from triadic.devices.cpu.triangles import weight_sums as end_sums
from triadic.devices.cpu.triangles import weighted_triangles as cpu
from triadic.devices.gpu import edge_values as gpu
from triadic.devices.runtimes import registry as gpus
from triadic.errors import OutOfMemoryError

THREADS = [1, 2, 3, 5, 8, 16]


def complete(n):
    return Graph.from_edges(*np.triu_indices(n, k=1))


SHAPES = {
    "no vertices": lambda: Graph.from_edges([], [], num_vertices=0),
    "no edges": lambda: Graph.from_edges([], [], num_vertices=40),
    "one edge": lambda: Graph.from_edges([0], [1]),
    "a star": lambda: Graph.from_edges(np.zeros(3000, dtype=int), np.arange(1, 3001)),
    "a clique past the table of a middle row": lambda: complete(600),
    "hubs": lambda: triadic.generate.rmat(11, seed=3),
    "a mesh": lambda: triadic.generate.delaunay(3000, seed=3),
    "small worlds": lambda: triadic.generate.watts_strogatz(2000, 16, 0.1, seed=3),
}


def random_values(oriented, *, signed=False, seed=5):
    random = np.random.default_rng(seed)
    values = np.exp(random.normal(0, 3, oriented.num_edges))
    return values * random.choice([-1, 1], oriented.num_edges) if signed else values


def assert_close(found, expected, values, oriented):
    """Compare to 1e-12 of what the absolute values add up to."""
    size = run(WEIGHTED_TRIANGLES, oriented, np.abs(values), threads=1, device="cpu", progress=False)
    assert found.dtype == np.float64
    assert np.all(np.abs(found - expected) <= 1e-12 * size)


@st.composite
def valued_networks(draw):
    """A network and a small whole number for each edge: they add up exactly in any order."""
    network = draw(networks())
    edges = naive.edges(network.arcs)
    return network, draw(st.lists(st.integers(-4, 9), min_size=len(edges), max_size=len(edges)))


def at_entries(oriented, edges, values):
    slots = slots_of_edges(oriented, *np.array(edges, dtype=oriented.rank.dtype).reshape(-1, 2).T, threads=1)
    found = np.zeros(oriented.num_edges)
    found[slots] = values
    return found


@given(valued=valued_networks(), hubs=st.sampled_from([0, 1, 3, 25, 64, 65, 10**6]), threads=st.sampled_from([1, 16]))
def test_any_number_of_hubs_adds_up_the_same(valued, hubs, threads):
    network, values = valued
    oriented, edges = network.graph().oriented(), naive.edges(network.arcs)
    found = cpu.by_vertex(oriented, at_entries(oriented, edges, values), threads=threads, hubs=hubs)
    by_edge = dict(zip(edges, values, strict=True))
    expected = naive_clustering.triangle_products(network.vertices, network.arcs, by_edge)
    assert found[oriented.rank].tolist() == expected


@pytest.mark.parametrize("hubs", [1, 63, 64, 65, 500, 10**6])
def test_rows_of_many_hubs_span_words(hubs):
    oriented = triadic.generate.rmat(12, seed=3).oriented()
    values = random_values(oriented, signed=True)
    expected = cpu.by_vertex(oriented, values, threads=1, hubs=0)
    assert_close(cpu.by_vertex(oriented, values, threads=2, hubs=hubs), expected, values, oriented)


@given(valued=valued_networks(), threads=st.sampled_from([1, 2, 16]))
def test_sums_over_triangles_are_what_the_oracle_adds_up(valued, threads):
    network, values = valued
    n, arcs, oriented = network.vertices, network.arcs, network.graph().oriented()
    edges = naive.edges(arcs)
    here, by_edge = at_entries(oriented, edges, values), dict(zip(edges, values, strict=True))
    keywords = {"threads": threads, "device": "cpu", "progress": False}
    products = run(WEIGHTED_TRIANGLES, oriented, here, **keywords)
    assert products[oriented.rank].tolist() == naive_clustering.triangle_products(n, arcs, by_edge)
    pairs = sums_of_pairs(oriented, here, **keywords)
    assert pairs[oriented.rank].tolist() == naive_clustering.triangle_pairs(n, arcs, by_edge)


@given(valued=valued_networks(), across=st.sampled_from([4, 32]))
@examples(25)
def test_a_gpu_adds_up_what_the_oracle_adds_up(gpu_device, valued, across):
    network, values = valued
    oriented, edges = network.graph().oriented(), naive.edges(network.arcs)
    found = gpu.by_vertex(gpu_device, oriented, at_entries(oriented, edges, values), across=across)
    by_edge = dict(zip(edges, values, strict=True))
    assert found[oriented.rank].tolist() == naive_clustering.triangle_products(network.vertices, network.arcs, by_edge)


@pytest.mark.parametrize("shape", SHAPES)
def test_with_ones_every_triangle_counts_one(shape):
    oriented = SHAPES[shape]().oriented()
    keywords = {"threads": 2, "device": "cpu", "progress": False}
    expected = run(TRIANGLES, oriented, **keywords)
    np.testing.assert_array_equal(run(WEIGHTED_TRIANGLES, oriented, np.ones(oriented.num_edges), **keywords), expected)
    np.testing.assert_array_equal(sums_of_pairs(oriented, np.ones(oriented.num_edges), **keywords), 2 * expected)


@pytest.mark.parametrize(("shape", "signed"), each(SHAPES, [False, True]))
def test_every_device_adds_up_what_the_cpu_adds_up(gpu_device, shape, signed):
    oriented = SHAPES[shape]().oriented()
    values = random_values(oriented, signed=signed)
    before = gpus.runtime(gpu_device).launches
    found = run(WEIGHTED_TRIANGLES, oriented, values, threads=1, device=gpu_device, progress=False)
    assert oriented.num_edges == 0 or gpus.runtime(gpu_device).launches > before
    expected = run(WEIGHTED_TRIANGLES, oriented, values, threads=1, device="cpu", progress=False)
    assert_close(found, expected, values, oriented)
    pairs = [
        sums_of_pairs(oriented, values, threads=1, device=device, progress=False) for device in (gpu_device, "cpu")
    ]
    np.testing.assert_array_equal(*pairs)  # supports are integers, and floats are added on the host


@pytest.mark.parametrize("cards", [2, 3])
def test_several_cards_share_the_sums(gpu_device, monkeypatch, cards):
    one = gpus.runtime(gpu_device)
    monkeypatch.setattr(gpus, "runtime", lambda name: one)
    oriented = SHAPES["hubs"]().oriented()
    values = random_values(oriented)
    found = gpu.by_vertex(f"{gpu_device.partition(':')[0]}:{','.join(map(str, range(cards)))}", oriented, values)
    assert_close(found, cpu.by_vertex(oriented, values, threads=1), values, oriented)


def book(spine, pages):
    """A clique, and pages that are joined to all of it: few vertices have nearly all lists."""
    arcs = [(u, v) for u in range(spine) for v in range(u)]
    arcs += [(spine + page, v) for page in range(pages) for v in range(spine)]
    return Graph.from_edges(*np.array(arcs).T)


@pytest.fixture(scope="module", params=["hubs", "book", "mesh"])
def crowd(request):
    """Networks whose sums are of many terms: with parts of lists, and with several cuts of rows."""
    makes = {
        "hubs": lambda: triadic.generate.rmat(14, seed=3),
        "book": lambda: book(12, 3 * cpu.PART),
        "mesh": lambda: triadic.generate.delaunay(20_000, seed=3),
    }
    return makes[request.param]().oriented()


@pytest.mark.parametrize(
    "threads", [pytest.param(number, marks=pytest.mark.nightly) if number in (3, 8) else number for number in THREADS]
)
def test_every_number_of_threads_gives_the_same_sums_to_the_bit(crowd, threads):
    values = random_values(crowd, signed=True)
    for hubs in (None, 0, 10**6):
        expected = cpu.by_vertex(crowd, values, threads=1, hubs=hubs)
        np.testing.assert_array_equal(cpu.by_vertex(crowd, values, threads=threads, hubs=hubs), expected)
    expected = end_sums.sum_at_ends(crowd, values, threads=1)
    np.testing.assert_array_equal(end_sums.sum_at_ends(crowd, values, threads=threads), expected)


def test_long_lists_are_in_parts_and_rows_in_several_cuts():
    oriented = book(12, 3 * cpu.PART).oriented()
    work = cpu.prepare(oriented, threads=1, hubs=0)
    parts = cpu.cut_lists(oriented.indptr, work.lists.indptr, oriented.num_edges)
    assert np.bincount(parts.vertex).max() >= 3
    assert parts.places > oriented.num_edges
    cuts = []
    end_sums.sum_over_cuts(oriented.indptr, lambda bounds, _: cuts.append(bounds[0]), threads=1)
    assert len(cuts) > 2


def test_no_sum_of_a_long_list_is_lost():
    """Pages all alike: what their two spines have is known exactly."""
    pages = 3 * cpu.PART + 5
    oriented = book(2, pages).oriented()
    found = cpu.by_vertex(oriented, np.full(oriented.num_edges, 0.5), threads=16, hubs=0)[oriented.rank]
    assert found[:2].tolist() == [pages / 8] * 2
    assert set(found[2:].tolist()) == {1 / 8}


def test_the_products_of_all_pairs_are_summed_without_a_difference():
    random = np.random.default_rng(2)
    lengths = np.array([0, 1, 2, 3, 50, 0])
    indptr, values = np.concatenate([[0], np.cumsum(lengths)]), random.integers(-9, 9, lengths.sum()).astype(float)
    sums, pairs = end_sums.sums_and_pairs(indptr, values, threads=2)
    row = [values[a:b] for a, b in pairwise(indptr)]
    assert sums.tolist() == [entries.sum() for entries in row]
    assert pairs.tolist() == [(entries.sum() ** 2 - (entries**2).sum()) / 2 for entries in row]
    assert end_sums.sums_and_pairs(np.array([0, 2]), np.array([1e200, 1e-200]), threads=1)[1].tolist() == [1.0]


@pytest.mark.nightly  # the tests of triangles and of declared counts have 64-bit ids in every run
def test_64_bit_vertex_ids_add_up_the_same(monkeypatch):
    narrow = triadic.generate.rmat(9, seed=3).oriented()
    wide = Oriented(narrow.rank.astype(np.int64), narrow.indptr, narrow.indices.astype(np.int64), None, narrow.degree)
    values = random_values(narrow)
    expected = [cpu.by_vertex(narrow, values, threads=2, hubs=hubs) for hubs in (0, 100)]
    prepare = cpu.prepare
    monkeypatch.setattr(
        cpu,
        "prepare",
        lambda *a, **k: replace(
            work := prepare(*a, **k), lists=Rows(work.lists.indptr, work.lists.indices.astype(np.uint64))
        ),
    )
    for hubs, sums in zip((0, 100), expected, strict=True):
        np.testing.assert_array_equal(cpu.by_vertex(wide, values, threads=2, hubs=hubs), sums)


def test_adding_up_leaves_what_it_was_given_as_it_was(crowd):
    values = random_values(crowd)
    given_arrays = [crowd.rank, crowd.indptr, crowd.indices, crowd.degree, values]
    before = [array.copy() for array in given_arrays]
    cpu.by_vertex(crowd, values, threads=2)
    end_sums.sum_at_ends(crowd, values, threads=2)
    for array, copy in zip(given_arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_what_does_not_fit_in_memory_is_refused_with_both_figures(monkeypatch):
    oriented = complete(30).oriented()
    monkeypatch.setattr(memory, "available_bytes", lambda: 1 << 10)
    with pytest.raises(OutOfMemoryError, match=r"takes about .* [KM]iB and 1\.0 KiB are available: use fewer threads"):
        run(WEIGHTED_TRIANGLES, oriented, np.ones(oriented.num_edges), threads=2, device="cpu")


def test_progress_rises_from_nothing_to_all():
    told = []
    oriented = SHAPES["hubs"]().oriented()
    run(
        WEIGHTED_TRIANGLES,
        oriented,
        np.ones(oriented.num_edges),
        threads=2,
        device="cpu",
        progress=lambda *now: told.append(now),
    )
    done, totals = zip(*told, strict=True)
    assert (list(done), len(set(totals))) == (sorted(done), 1)
    assert (done[0], done[-1]) == (0, totals[0])
