"""Plans of networks of which the numbers of vertices and edges are all that is known, up to 10^12 edges."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import asdict

import numpy as np
import pytest

import triadic
from pairs import by_night
from triadic.counts.count import declared
from triadic.errors import ArgumentError, OutOfMemoryError, UnsupportedError
from triadic.planning import tile_costs
from triadic.planning.measures import MEASURES
from triadic.planning.plan import CLUSTER, IN_MEMORY, TILES, plan
from triadic.planning.rates import default_rates
from triadic.planning.sample import Sample
from triadic.planning.shape import ModelShape, sampled_shape, sizes_of, tiles_of
from triadic.planning.tile_costs import bytes_of_tiles
from triadic.tiles.layout import triples
from triadic.tiles.partition import cut_ranks
from triadic.tiles.work import BEGIN, BIT_TEST, ENTRY, RANK, TEST, RangeTriples, bytes_to_count, costs, put_together

_NETWORKS = {
    "small-world": lambda: triadic.generate.watts_strogatz(6_000, 10, 0.1, seed=1),
    "preferential": lambda: triadic.generate.barabasi_albert(6_000, 6, seed=1),
    "uniform": lambda: triadic.generate.erdos_renyi(6_000, 36_000, seed=1),
    "rmat": lambda: triadic.generate.rmat(12, seed=1),
}


def _shape_of(graph):
    oriented = graph.oriented()
    row = np.repeat(np.arange(graph.num_vertices), np.diff(oriented.indptr))
    everything = Sample(
        arcs=len(row),
        vertices=graph.num_vertices,
        directed=False,
        basis="",
        source=oriented.order[row],
        target=oriented.order[oriented.indices],
        place=np.zeros(len(row), dtype=np.int64),
    )
    return sampled_shape(everything)


_CUTS = {("small-world", 12), ("rmat", 12), ("preferential", 5), ("uniform", 2), ("rmat", 1)}


@pytest.mark.parametrize(
    ("network", "ranges"),
    by_night(_CUTS, _NETWORKS, (1, 2, 5, 12, 20)),
)
def test_triples_in_closed_form_are_those_that_are_enumerated(network, ranges):
    shape = _shape_of(_NETWORKS[network]())
    ends = np.cumsum(np.repeat(shape.degrees.values, shape.degrees.counts) + 8)
    inner = np.searchsorted(ends, np.arange(1, ranges) * ends[-1] / ranges)
    tiles = tiles_of(shape, np.unique(np.concatenate([[0], inner, [shape.vertices]])))
    layout = tiles.layout
    tested = put_together([tiles.row_pairs(i) for i in range(layout.ranges)])
    every = [RangeTriples(layout, i) for i in range(layout.ranges)]
    cost = costs(layout, tested)
    assert list(cost) == list(triples(layout))
    assert [of_range.i for of_range in every for _ in of_range.j] == [triple.i for triple in cost]
    for (i, j, k), nanoseconds in cost.items():
        entries = sum(int(layout.tile_edges[tile]) for tile in {(i, j), (i, k), (j, k)})
        walk = BEGIN * layout.tile_edges[i, j] + TEST * tested[i, j, k]
        ranks = sum(layout.length(r) for r in (i, j, k))
        assert nanoseconds == pytest.approx(walk * (BIT_TEST if j == k == 0 else 1) + ENTRY * entries + RANK * ranks)
    held = [
        bytes_to_count(layout, triple, threads=2, columns=3) + sum(layout.tile_bytes(*tile) for tile in triple.tiles)
        for triple in cost
    ]
    needed = max((of_range.needed(threads=2, columns=3) for of_range in every if len(of_range.j)), key=sum)
    assert needed.working + needed.tiles == max(held)
    ranges = [np.arange(layout.ranges)] * 3
    once = int(tiles.file_bytes.sum())
    assert bytes_of_tiles(ranges, once, tiles.file_bytes) == once
    assert bytes_of_tiles(ranges, once // 2, tiles.file_bytes) == once + 3 * (once - once // 2)


@pytest.mark.parametrize(("scale", "edge_factor"), [(14, 16), (15, 8), (15, 4)])
def test_a_model_is_like_the_network_that_it_makes(scale, edge_factor):
    graph = triadic.generate.rmat(scale, edge_factor, seed=1)
    sizes = graph.oriented().sizes
    model = ModelShape(sizes.vertices, sizes.edges, directed=False)
    assert sizes_of(model).row_pairs == pytest.approx(sizes.row_pairs, rel=0.35)
    assert 0.5 < sizes_of(model).longest_row / sizes.longest_row < 2
    assert model.degrees.counted == pytest.approx(np.count_nonzero(graph.degree >= 2), rel=0.5)
    cuts = cut_ranks(model.degrees, 4, 0, 0, 8)
    assert model.tile_edges(cuts).sum() == sizes.edges
    real = _shape_of(graph).tile_edges(cuts)
    ratio = model.tile_edges(cuts)[real > sizes.edges / 20] / real[real > sizes.edges / 20]
    assert np.all((ratio > 0.5) & (ratio < 2))


@pytest.mark.parametrize(
    ("vertices", "edges", "memory", "workers"),
    [
        (10**8, 2 * 10**9, "16GB", None),
        (10**9, 6 * 10**10, "64GB", None),
        (10**9, 224 * 10**9, None, 1000),
        (10**9, 224 * 10**9, "512GB", 16),
        (10**9, 10**12, "8TB", 64),
        (10**10, 10**12, "8TB", 64),
    ],
)
def test_large_sizes_are_planned_with_small_arrays(vertices, edges, memory, workers, speed):
    if workers is None:
        found = plan((vertices, edges), memory=memory, threads=4)
    else:
        found = plan((vertices, edges), workers=workers, worker_memory=memory)
        assert found.bytes_held <= found.memory
    assert found.way == (TILES if workers is None else CLUSTER)
    assert found.edges == edges
    assert found.tasks <= found.ranges * (found.ranges + 1) * (found.ranges + 2) // 6
    assert found.bytes_read >= 4 * edges
    assert all(taken > 0 for taken in found.seconds.values())
    assert len(ModelShape(vertices, edges, directed=False)._rank) < 5000


def test_a_plan_for_a_cluster_does_not_ask_this_machine(speed, monkeypatch):
    expected = plan((10**9, 224 * 10**9), workers=1000)
    assert (expected.threads, expected.memory) == (1, 16 * 10**9)
    assert expected.basis.endswith("tiled with --memory 11.1 GB")
    monkeypatch.setattr("triadic.planning.plan.available_bytes", lambda: 1)
    monkeypatch.setattr("triadic.core.blocks.allowed_threads", lambda: 3)
    assert plan((10**9, 224 * 10**9), workers=1000) == expected
    for memory in ("64GB", "1TB"):  # smaller tiles than fit make more tasks for the workers
        more = plan((10**9, 224 * 10**9), workers=1000, worker_memory=memory)
        assert sum(more.seconds.values()) < 1.1 * sum(expected.seconds.values())
    assert plan((10**9, 224 * 10**9), workers=16, worker_memory="512GB").ranges < expected.ranges
    with pytest.raises(
        OutOfMemoryError, match=r"a thread of a worker has .*: a task takes at least 67.1 MB beside 210"
    ):
        plan((10**9, 224 * 10**9), workers=1000, worker_memory="250MB")
    with pytest.raises(OutOfMemoryError, match=r"takes"):
        plan((10**9, 224 * 10**9), workers=1000, worker_memory="1GB")


def test_no_worker_keeps_much_more_than_its_share_of_the_vertices():
    shape = ModelShape(10**9, 224 * 10**9, directed=False)
    layout = tile_costs.cut(shape, memory=12 * 10**9, threads=1, cluster=1000).layout
    assert layout.ranges > 40
    assert np.diff(layout.cuts).max() * layout.ranges < 2.1 * layout.vertices


def test_more_ranges_are_chosen_before_a_plan_is_refused(speed):
    one, more = (plan((10**7, 10**8), memory=memory, threads=2) for memory in ("2GB", "250MB"))
    assert one.ranges < more.ranges
    with pytest.raises(OutOfMemoryError, match=r"takes at least \d"):
        plan((10**9, 6 * 10**10), memory="16GB", threads=2)
    with pytest.raises(OutOfMemoryError, match=r"tiling 3,000,000,000 vertices takes at least 48.2 GB"):
        plan((3 * 10**9, 6 * 10**10), memory="16GB", threads=2)
    with pytest.raises(ArgumentError, match=r"ranges=64: a range has 4,0\d\d,\d{3},\d{3} vertices"):  # as tiling does
        plan((10**10, 10**12), memory="8TB", threads=2)


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process can be read on Linux only")
def test_sizes_of_a_trillion_edges_take_little_memory(speed):
    # The speed is handed over: to measure it would compile kernels, which takes memory of its own.
    script = (
        "import sys\n"
        "from triadic.planning import plan as planning\n"
        "from triadic.planning.rates import Rates\n"
        "known = Rates(**eval(sys.argv[1]))\n"
        "planning.rates = lambda *_, **__: known\n"
        "for sizes, memory in (((10**9, 10**12), '8TB'), ((10**8, 2 * 10**9), '16GB')):\n"
        "    planning.plan(sizes, memory=memory, threads=2)\n"
        "with open('/proc/self/status') as lines:\n"
        "    sizes = dict(line.split()[:2] for line in lines if line.startswith(('VmHWM', 'RssFile')))\n"
        "print(int(sizes['VmHWM:']) - int(sizes['RssFile:']))\n"
    )
    command = [sys.executable, "-c", script, repr(asdict(speed))]
    child = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(child.stdout) < 110_000  # how much of a library is in memory beside, the system decides


def test_every_declared_count_is_planned(speed):
    for name, count in declared().items():
        found = plan((10_000, 100_000), of=name, memory="4GB", threads=2)
        assert (found.way, found.of) == (IN_MEMORY, name)
        assert found.bytes_held > 0
        if name in MEASURES:
            continue
        if count.runs_over_tiles:
            assert plan((10**6, 10**7), of=name, memory="300MB", threads=2).way in (IN_MEMORY, TILES)
        else:
            with pytest.raises(UnsupportedError, match="a tiled graph has no"):
                plan((10**6, 10**7), of=name, memory="100MB", threads=2)


def test_the_basis_says_that_the_machine_was_not_measured(monkeypatch):
    monkeypatch.setattr("triadic.planning.plan.rates", lambda threads, **_: default_rates(threads))
    assert plan((1000, 5000), memory="1GB", threads=2).basis.endswith("until --measure measures this one")


def test_a_plan_of_stored_tiles_refuses_those_that_are_too_coarse(tmp_path, speed):
    triadic.tile(triadic.generate.RMat(16, seed=1), tmp_path / "tiles", ranges=1)
    assert 12_000_000 < plan(tmp_path / "tiles", memory="1GB", threads=2).bytes_held < 10**9
    with pytest.raises(OutOfMemoryError, match=r"takes .*; allow more, or tile again with a smaller memory="):
        plan(tmp_path / "tiles", memory="12MB", threads=2)
