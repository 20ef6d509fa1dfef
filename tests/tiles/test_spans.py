"""Spans of triples, whose tiles are walked in place, hold exactly the triangles and closed triads of a graph."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import NIGHTLY, examples, networks
from triadic.core.triad_types import CLOSED_TYPE_OF_CODE
from triadic.counts.count import run
from triadic.counts.triads import CLOSED_ROLES_OF_VERTICES, CLOSED_TRIADS, CLOSED_TRIADS_OF_VERTICES
from triadic.counts.triangles import TRIANGLE_COUNT, TRIANGLES
from triadic.devices.cpu.triads import closed_triads
from triadic.devices.cpu.triangles import parts, triangle_work, triangles
from triadic.devices.cpu.triangles.triangle_work import rows_of
from triadic.tiles.layout import triples
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.oriented_tiles import OrientedTiles
from triadic.tiles.tile import Tile
from triadic.tiles.triple_part import join
from triadic.tiles.work import OpenSpans, SpanPlan, split_span

COUNTS = (TRIANGLES, TRIANGLE_COUNT, CLOSED_TRIADS, CLOSED_TRIADS_OF_VERTICES, CLOSED_ROLES_OF_VERTICES)
LITTLE, PLENTY = 1, 1 << 40  # bytes: spans of one range of w each, or of all


def spans_of(source, memory):
    return SpanPlan(source.layout, memory, threads=2, columns=1).spans(sorted(triples(source.layout)), in_place=True)


def sum_at_ranks(source, count, memory, columns=()):
    """Add up the counts at the local ranks of all spans."""
    opened, cuts = OpenSpans(source), source.layout.cuts
    sums = np.zeros((source.layout.vertices, *columns), dtype=np.int64)
    for span in spans_of(source, memory):
        for i, start, counts in split_span(source.layout, span, count(opened.open(span))):
            assert start == 0
            sums[cuts[i] : cuts[i + 1]] += counts
    return sums


@given(networks(), st.integers(1, 9), st.sampled_from([LITTLE, PLENTY]))
@examples(20)
def test_spans_hold_every_triangle_once(network, ranges, memory):
    graph = network.graph()
    source = MemoryTiles(graph.oriented(), ranges)
    sums = sum_at_ranks(source, lambda span: triangles.by_vertex(span, threads=2), memory)
    expected = np.empty(graph.num_vertices, dtype=np.int64)
    arcs = list(zip(network.source.tolist(), network.target.tolist(), strict=True))
    expected[graph.oriented().rank] = naive.triangles(network.vertices, arcs)
    assert np.array_equal(sums, expected)
    opened = OpenSpans(source)
    total = sum(triangles.total(opened.open(span), threads=1) for span in spans_of(source, memory))
    assert total == expected.sum() // 3


@given(networks(), st.integers(1, 9), st.sampled_from([LITTLE, PLENTY]))
@examples(20)
def test_spans_hold_every_closed_triad_once(network, ranges, memory):
    oriented = network._replace(directed=True).graph().oriented()
    source = MemoryTiles(oriented, ranges)
    sums = sum_at_ranks(source, lambda span: closed_triads.by_role(span, CLOSED_TYPE_OF_CODE, threads=2), memory, (7,))
    assert np.array_equal(sums, closed_triads.by_role(oriented, CLOSED_TYPE_OF_CODE, threads=1))
    opened = OpenSpans(source)
    codes = sum(closed_triads.by_code(opened.open(span), threads=1) for span in spans_of(source, memory))
    assert np.array_equal(codes + np.zeros(64), closed_triads.by_code(oriented, threads=1))


@given(networks(), st.integers(1, 6), st.sampled_from([1, 2, 8, 64]))
@examples(20)
def test_any_number_of_hubs_finds_the_same_triangles(network, ranges, hubs):
    oriented = network.graph().oriented()
    source = MemoryTiles(oriented, ranges)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "cheapest_hubs", lambda *sizes: min(hubs, sizes[1]))
        sums = sum_at_ranks(source, lambda span: triangles.by_vertex(span, threads=2), PLENTY)
        opened = OpenSpans(source)
        total = sum(triangles.total(opened.open(span), threads=2) for span in spans_of(source, LITTLE))
    expected = triangles.by_vertex(oriented, threads=1)
    assert np.array_equal(sums, expected)
    assert total == expected.sum() // 3


@given(networks(), st.integers(1, 6), st.integers(1, 4))
@examples(20)
def test_slices_of_triples_hold_every_triangle_once(network, ranges, slices):
    """As tasks on a cluster count them."""
    oriented = network._replace(directed=True).graph().oriented()
    source, total = MemoryTiles(oriented, ranges), 0
    codes = np.zeros(64, dtype=np.int64)
    for triple in triples(source.layout):
        cuts = np.linspace(0, source.layout.length(triple.i), slices + 1).astype(int)
        for rows in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
            span = join(source, triple, rows=rows).span
            total += triangles.total(span, threads=1)
            codes += closed_triads.by_code(span, threads=1)
    assert total == triangles.total(oriented, threads=1)
    assert np.array_equal(codes, closed_triads.by_code(oriented, threads=1))


@pytest.fixture(scope="module")
def five_networks(real_networks):
    """Undirected and directed, with hubs and without."""
    return {
        "rmat": triadic.generate.rmat(9, 6, seed=2, directed=True),
        "lattice": triadic.generate.watts_strogatz(400, 10, 0.1, seed=1),
        "clique": triadic.Graph.from_edges(*np.triu_indices(90, k=1)),
        "facebook": triadic.read(real_networks / "facebook_combined.txt.gz", directed=False),
        "wiki-Vote": triadic.read(real_networks / "wiki-Vote.txt.gz", directed=True),
    }


@pytest.mark.parametrize(
    "name", ["rmat", "lattice", "clique", pytest.param("facebook", marks=pytest.mark.nightly), "wiki-Vote"]
)
def test_many_cuts_count_as_memory_does(five_networks, name):
    oriented = five_networks[name].oriented()
    expected = {count.name: run(count, oriented, threads=2, device="cpu") for count in COUNTS}
    random, n = np.random.default_rng(len(name)), oriented.num_vertices
    for number in range(20 if NIGHTLY else 6):  # six have all numbers of threads with and without short ranges
        inner = np.sort(random.choice(np.arange(1, n), size=random.integers(0, 8), replace=False))
        if number % 2:  # ranges of the hubs are short in practice
            inner = np.unique(np.ceil(inner**2 / n).astype(np.int64))
        tiles = OrientedTiles(MemoryTiles(oriented, np.array([0, *inner, n])), None, 1 << 26)
        for count in COUNTS:
            found = run(count, tiles, threads=1 + number % 3, device="cpu")
            assert np.array_equal(found, expected[count.name]), (count.name, inner)


def test_spans_are_as_long_as_memory_allows():
    source = MemoryTiles(triadic.generate.rmat(12, seed=1).oriented(), 8)
    layout = source.layout
    every = sorted(triples(layout))
    lengths = []
    for memory in (1, 400_000, 800_000, 1 << 40):
        plan = SpanPlan(layout, memory, threads=2, columns=1)
        found = plan.spans(every, in_place=True)
        assert [triple for span in found for triple in span.triples] == every
        lengths.append(len(found))
        for span in found:
            needed = plan.bytes_to_count(span) + sum(layout.tile_bytes(*tile) for tile in span.tiles)
            assert len(span.thirds) == 1 or needed <= memory
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] == len(every)
    assert lengths[-1] == 8 * 9 // 2
    assert len(SpanPlan(layout, 1 << 40, threads=2, columns=1).spans(every, in_place=False)) == len(every)


def test_all_spans_of_a_pair_share_its_lists(monkeypatch):
    made = []
    make = triangle_work.middle_lists
    monkeypatch.setattr(parts, "middle_lists", lambda *words, **more: (made.append(words), make(*words, **more))[1])
    source = MemoryTiles(triadic.generate.rmat(9, seed=1).oriented(), 5)
    opened = OpenSpans(source)
    for span in spans_of(source, LITTLE):
        triangles.total(opened.open(span), threads=1)
    assert len(made) == 5 * 6 // 2


@given(st.lists(st.lists(st.integers(0, 30), unique=True).map(sorted), max_size=40), st.integers(1, 4))
def test_lists_hold_the_rows_of_each_column(rows, threads):
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    tile = Tile(indptr, np.array([v for row in rows for v in row], dtype=np.int32), None)
    for first in (0, 7):
        row_from = indptr[:-1] + np.array([sum(v < first for v in row) for row in rows], dtype=np.int64)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(triangle_work, "_PIECE", 1)
            starts = row_from if first else indptr[:-1]
            lists = triangle_work.middle_lists(*rows_of(tile), starts, columns=31, threads=threads)
        for v in range(31):
            assert lists.ends[lists.ptr[v] : lists.ptr[v + 1]].tolist() == [
                u for u, row in enumerate(rows) if v in row and v >= first
            ]
