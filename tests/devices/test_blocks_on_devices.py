"""Counts over pairs of blocks of rows equal counts of the whole graph, whatever the blocks and the source of rows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import triadic
from pairs import each
from triadic.core.triad_types import CLOSED_TYPE_OF_CODE, ROLE_OF_CODE
from triadic.counts import triads as closed
from triadic.counts import triangles
from triadic.counts.count import run
from triadic.devices.gpu import block_pairs, list_tasks, row_blocks
from triadic.devices.gpu.block_pairs import count_over_blocks, plan_blocks
from triadic.devices.gpu.row_blocks import Blocks, RowsOfGraph
from triadic.devices.runtimes import registry as gpus
from triadic.errors import DeviceError, OutOfMemoryError
from triadic.tiles import engine
from triadic.tiles.engine import RowsOfTiles
from triadic.tiles.layout import triples
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.sums import MemorySums, PartCounter
from triadic.tiles.triple_part import join, split_by_range

COUNTS = {
    "total": triangles.TRIANGLE_COUNT,
    "by vertex": triangles.TRIANGLES,
    "by code": closed.CLOSED_TRIADS,
    "by type": closed.CLOSED_TRIADS_OF_VERTICES,
    "by role": closed.CLOSED_ROLES_OF_VERTICES,
}
NETWORKS = {
    "hubs": lambda: triadic.generate.rmat(10, seed=3),
    "arcs": lambda: triadic.generate.rmat(10, seed=4, directed=True),
    "a mesh": lambda: triadic.generate.delaunay(1500, seed=3),
    "a clique with leaves": lambda: triadic.Graph.from_edges(
        *np.hstack([np.triu_indices(70, 1), [np.arange(70), np.arange(70, 140)]])
    ),
    "one edge": lambda: triadic.Graph.from_edges([0], [1]),
    "no edges": lambda: triadic.Graph.from_edges([], [], num_vertices=3),
}


@pytest.fixture
def small_blocks(monkeypatch):
    """Let plans cut for rooms of some kilobytes."""
    for name, value in {"_LEAST": 1 << 10, "FOR_SORTING": 0, "_SLACK": 0.0}.items():
        monkeypatch.setattr(block_pairs, name, value)


@pytest.fixture
def marked_ranks(monkeypatch):
    """Let small graphs have marked ranks too."""
    monkeypatch.setattr(list_tasks, "_MARKED_FROM", 1 << 10)
    monkeypatch.setattr(list_tasks, "_MARKED", 256)


def rooms(count, rows):
    """Return bytes from those of very small blocks to those of the whole graph."""
    over_parts = count.gpu_over_parts
    hubs = min(over_parts.most_hubs(rows.edges), rows.vertices) if over_parts.planes else 0
    least = 8 * over_parts.size(rows.vertices) + over_parts.planes * hubs * hubs // 8
    return [least + room for room in (20_000, 100_000, 400_000, 1 << 30)]


def expected(count, graph, rows):
    found = np.atleast_1d(np.asarray(run(count, graph.oriented(), threads=1, device="cpu")))
    return found[: rows.vertices] if count.gives == "vertices" else found


# A graph is cut by the room alone, whatever is counted.
@pytest.mark.parametrize(("count", "room", "network"), each(COUNTS, range(4), NETWORKS))
@pytest.mark.usefixtures("small_blocks")
def test_a_graph_in_blocks_has_the_counts_of_the_graph(gpu_device, network, count, room):
    graph, count, runtime = NETWORKS[network](), COUNTS[count], gpus.runtime(gpu_device)
    rows = RowsOfGraph(graph.oriented())
    whole = expected(count, graph, rows)
    assert len(whole) or not rows.vertices
    plans = [plan_blocks(runtime, rows, count.gpu_over_parts, room=of, largest=1 << 40) for of in rooms(count, rows)]
    numbers = {len(plan.cuts) - 1 for plan in plans}
    assert 1 in numbers
    assert rows.edges < 3000 or max(numbers) > 10
    found = count_over_blocks([runtime], rows, count.gpu_over_parts, room=rooms(count, rows)[room])
    assert np.array_equal(found, whole)


@pytest.mark.parametrize("count", ["total", "by vertex"])
@pytest.mark.usefixtures("small_blocks", "marked_ranks")
def test_columns_of_low_rank_are_tested_apart_in_each_pair_of_blocks(gpu_device, count, monkeypatch):
    count, runtime, launched = COUNTS[count], gpus.runtime(gpu_device), []
    rows = RowsOfGraph(NETWORKS["hubs"]().oriented())
    whole = expected(count, NETWORKS["hubs"](), rows)
    launch = type(runtime).launch

    def noted(self, source, *arguments, **keywords):
        launched.append(source.file)
        launch(self, source, *arguments, **keywords)

    monkeypatch.setattr(type(runtime), "launch", noted)
    for room in rooms(count, rows):
        plan = plan_blocks(runtime, rows, count.gpu_over_parts, room=room, largest=1 << 40)
        assert plan.marked
        launched.clear()
        assert np.array_equal(count_over_blocks([runtime], rows, count.gpu_over_parts, room=room), whole)
        assert "hub_lists" in launched


@pytest.mark.parametrize("count", ["by vertex", "by role"])
@pytest.mark.usefixtures("small_blocks")
def test_a_graph_that_fits_a_device_is_counted_while_it_is_copied(gpu_device, count, monkeypatch):
    graph, count, runtime = NETWORKS["arcs"](), COUNTS[count], gpus.runtime(gpu_device)
    over_parts = replace(count.gpu_over_parts, most_hubs=lambda _: 32, marks=False)
    monkeypatch.setattr(block_pairs, "_TURNS_FROM", 1000)
    for rows in (RowsOfGraph(graph.oriented()), RowsOfTiles(MemoryTiles(graph.oriented(), 3))):
        whole = expected(count, graph, rows)
        plan = plan_blocks(runtime, rows, over_parts, room=1 << 30, largest=1 << 40)
        assert plan.slots == len(plan.cuts) - 1 >= 8
        assert np.array_equal(count_over_blocks([runtime], rows, over_parts, room=1 << 30), whole)


@pytest.mark.usefixtures("small_blocks")
def test_a_block_that_cannot_be_copied_ends_the_count_with_its_error(gpu_device, monkeypatch):
    graph, runtime = NETWORKS["hubs"](), gpus.runtime(gpu_device)
    rows = RowsOfGraph(graph.oriented())
    room, load = rooms(triangles.TRIANGLES, rows)[0], Blocks._load

    def fails_late(self, first, last, slot):
        if first > rows.vertices // 2:
            raise DeviceError("no card")
        return load(self, first, last, slot)

    monkeypatch.setattr(Blocks, "_load", fails_late)
    with pytest.raises(DeviceError, match="no card"):
        count_over_blocks([runtime], rows, triangles.TRIANGLES.gpu_over_parts, room=room)


# A block is cut by ranks, whatever the tiles, and read in stages, whatever its size.
@pytest.mark.parametrize(
    ("ranges", "count", "staged", "room"),
    # Counts without states of entries and with them; rows of hubs are longer than 60.
    each([1, 3, 8], ["total", "by role"], [1 << 24, 60], range(4)),
)
@pytest.mark.usefixtures("small_blocks")
def test_blocks_do_not_depend_on_how_a_graph_was_cut_into_tiles(gpu_device, ranges, count, staged, room, monkeypatch):
    graph, count, runtime = NETWORKS["arcs"](), COUNTS[count], gpus.runtime(gpu_device)
    rows = RowsOfTiles(MemoryTiles(graph.oriented(), ranges))
    monkeypatch.setattr(block_pairs, "_STAGED", staged)
    found = count_over_blocks([runtime], rows, count.gpu_over_parts, room=rooms(count, rows)[room])
    assert np.array_equal(found, expected(count, graph, rows))


@pytest.mark.usefixtures("small_blocks")
def test_several_devices_share_the_blocks(gpu_device):
    graph, runtime = NETWORKS["hubs"](), gpus.runtime(gpu_device)
    rows = RowsOfGraph(graph.oriented())
    for count, number in ((triangles.TRIANGLES, 1), (triangles.TRIANGLE_COUNT, 2), (triangles.TRIANGLES, 3)):
        room, done = rooms(count, rows)[number], []
        found = count_over_blocks(
            [runtime] * 3, rows, count.gpu_over_parts, room=room, progress=lambda *of, done=done: done.append(of)
        )
        assert np.array_equal(found, expected(count, graph, rows))
        assert done[-1][0] == done[-1][1]


@pytest.mark.usefixtures("small_blocks")
def test_only_triangles_whose_largest_rank_is_counted_are_counted(gpu_device):
    graph, runtime = NETWORKS["hubs"](), gpus.runtime(gpu_device)
    rows, over_parts = RowsOfGraph(graph.oriented()), triangles.TRIANGLES.gpu_over_parts
    oriented = graph.oriented()
    row = [oriented.indices[oriented.indptr[u] : oriented.indptr[u + 1]].tolist() for u in range(rows.vertices)]
    ranks = np.array([(u, v, w) for u in range(rows.vertices) for v in row[u] for w in set(row[u]) & set(row[v])])
    for first, room in zip((1, 57, 300, rows.vertices), rooms(triangles.TRIANGLES, rows), strict=True):
        counted = np.bincount(ranks[ranks[:, 0] >= first].reshape(-1), minlength=rows.vertices)[: rows.vertices]
        assert np.array_equal(count_over_blocks([runtime], rows, over_parts, room=room, first=first), counted)


@pytest.mark.usefixtures("small_blocks")
def test_a_plan_keeps_to_its_room(gpu_device):
    rows, runtime = RowsOfGraph(NETWORKS["hubs"]().oriented()), gpus.runtime(gpu_device)
    over_parts = triangles.TRIANGLES.gpu_over_parts
    for room in rooms(triangles.TRIANGLES, rows):
        for largest in (1 << 40, 4000):
            plan = plan_blocks(runtime, rows, over_parts, room=room, largest=largest)
            entries = np.diff([rows.entries_before(int(cut)) for cut in plan.cuts])
            assert plan.cuts[0] == 0
            assert plan.cuts[-1] == rows.vertices
            held = 8 * over_parts.size(rows.vertices) + plan.hubs**2 // 8 + 17 * plan.listed
            held += plan.slots * (4 * entries.max() + 8 * np.diff(plan.cuts).max())
            assert held <= room or entries.max() == np.diff(graph_rows(rows)).max()
            assert 4 * plan.slots * entries.max() <= largest or entries.max() <= np.diff(graph_rows(rows)).max()
    with pytest.raises(OutOfMemoryError, match=r"counting in blocks takes at least \d.*B there and 100 B are free"):
        plan_blocks(runtime, rows, over_parts, room=100, largest=1 << 40)


def graph_rows(rows):
    return np.array([rows.entries_before(rank) for rank in range(rows.vertices + 1)])


@pytest.mark.usefixtures("small_blocks")
def test_a_device_that_is_fuller_than_planned_counts_smaller_blocks(gpu_device, monkeypatch):
    graph, runtime = NETWORKS["hubs"](), gpus.runtime(gpu_device)
    rows, refused, get = RowsOfGraph(graph.oriented()), [], Blocks.get

    def too_large(self, number, **keywords):
        if len(self) < 4:
            refused.append(len(self))
            raise OutOfMemoryError("no memory")
        return get(self, number, **keywords)

    monkeypatch.setattr(row_blocks.Blocks, "get", too_large)
    found = count_over_blocks([runtime], rows, triangles.TRIANGLES.gpu_over_parts, room=1_000_000)
    assert refused
    assert np.array_equal(found, expected(triangles.TRIANGLES, graph, rows))


@pytest.mark.usefixtures("small_blocks")
def test_a_graph_too_large_for_a_device_is_counted_in_blocks(gpu_device, monkeypatch):
    graph, arcs, runtime = NETWORKS["hubs"](), NETWORKS["arcs"](), gpus.runtime(gpu_device)
    measures = [
        ("triangle_count", triadic.triangle_count, graph),
        ("triangles", triadic.triangles, graph),
        ("clustering", triadic.clustering, graph),
        ("transitivity", triadic.transitivity, arcs),
        ("triad_census_by_vertex", partial(triadic.triad_census, by="vertex"), graph),
    ]
    on_cpu = [measure(network, device="cpu") for _, measure, network in measures]
    monkeypatch.setattr(type(runtime), "memory", lambda _: (110_000, 1 << 40))
    for (name, measure, network), found in zip(measures, on_cpu, strict=True):
        assert np.array_equal(measure(network, device=gpu_device), found), name
    with pytest.raises(OutOfMemoryError, match="free and a graph of 1,024 vertices"):
        triadic.edge_support(graph, device=gpu_device)


@pytest.mark.parametrize("count", COUNTS.values(), ids=COUNTS)
def test_a_device_counts_the_ranges_that_no_triple_was_counted_of(gpu_device, count):
    graph = NETWORKS["arcs"]()
    source = MemoryTiles(graph.oriented(), 5)
    counter = PartCounter(
        "count",
        lambda part, _, **__: np.atleast_1d(np.asarray(run(count, part, threads=1, device="cpu"))),
        count.columns,
        count.gives == "vertices",
    )
    runtime, firsts = gpus.runtime(gpu_device), []

    def on_device(rows, *, first, progress):
        firsts.append((first, rows.vertices))
        return count_over_blocks([runtime], rows, count.gpu_over_parts, first=first, progress=progress)

    def counted(sums, **keywords):
        engine.count(source, counter, sums, tests=lambda compute: compute(), memory=1 << 40, threads=1, **keywords)
        if counter.per_rank:
            return np.concatenate([sums.range_sums(i) for i in range(5)])
        return np.array(sums.totals)

    whole, cuts = counted(MemorySums(source.layout, counter)), source.layout.cuts
    sums, reports = MemorySums(source.layout, counter), []
    assert np.array_equal(counted(sums, on_device=on_device, progress=lambda *of: reports.append(of)), whole)
    assert firsts == [(0, cuts[5])]
    assert reports[-1][0] == reports[-1][1]
    # A run that was interrupted after a triple of range 2.
    sums, group = MemorySums(source.layout, counter), MemorySums(source.layout, counter)
    triple = next(triple for triple in sorted(triples(source.layout)) if triple.i == 2)
    counts = counter.count(join(source, triple), None)
    group.add((triple,), split_by_range(source.layout, triple, None, counts) if counter.per_rank else [counts])
    group.flush(sums)
    firsts.clear()
    assert np.array_equal(counted(sums, on_device=on_device), whole)
    assert firsts == [(0, cuts[2]), (cuts[3], cuts[5])]
    assert np.array_equal(counted(MemorySums(source.layout, counter), on_device=lambda *_, **__: None), whole)


def test_a_tiled_graph_on_a_device_joins_no_tiles(gpu_device, tmp_path, monkeypatch):
    arcs = NETWORKS["arcs"]()
    triadic.write(arcs, tmp_path / "graph")
    triadic.tile(tmp_path / "graph", tmp_path / "tiles", ranges=4)
    monkeypatch.setattr(engine, "join", lambda *_, **__: pytest.fail("joined"))
    tiled = triadic.TiledGraph(tmp_path / "tiles")
    assert triadic.triangle_count(tiled, device=gpu_device) == triadic.triangle_count(arcs)
    for measure in (triadic.triangles, partial(triadic.triad_census, by="vertex")):
        assert np.array_equal(measure(tiled, device=gpu_device), measure(arcs))
    assert triadic.triad_census(tiled, device=gpu_device) == triadic.triad_census(arcs)


def test_ranges_that_a_device_cannot_count_are_counted_by_triples(gpu_device, tmp_path, monkeypatch):
    graph = NETWORKS["hubs"]()
    triadic.write(graph, tmp_path / "graph")
    triadic.tile(tmp_path / "graph", tmp_path / "tiles", ranges=3)
    monkeypatch.setattr(block_pairs, "_LEAST", 1 << 60)
    tiled = triadic.TiledGraph(tmp_path / "tiles")
    assert np.array_equal(triadic.triangles(tiled, device=gpu_device), triadic.triangles(graph))


def test_entries_before_a_rank_are_those_of_the_rows():
    oriented = NETWORKS["hubs"]().oriented()
    for ranges in (1, 3, 7):
        rows = RowsOfTiles(MemoryTiles(oriented, ranges))
        assert [rows.entries_before(rank) for rank in range(rows.vertices + 1)] == oriented.indptr.tolist()


def test_roles_and_types_have_their_columns():
    for roles, columns in ((CLOSED_TYPE_OF_CODE, 7), (ROLE_OF_CODE, 15)):
        from triadic.devices.gpu.triads import roles_over_parts

        assert roles_over_parts(roles).size(10) == 10 * columns
