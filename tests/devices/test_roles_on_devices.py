"""Closed triads by vertex: every device counts the same roles as the CPU, and the same census."""

from __future__ import annotations

from copy import copy
from functools import partial

import numpy as np
import pytest
from hypothesis import given

import naive
import triadic
from pairs import each, pairs
from strategies import examples, networks
from triadic import Graph
from triadic.core.triad_types import CLOSED_ROLES, CLOSED_TYPE_OF_CODE, ROLE_OF_CODE
from triadic.counts import count as counting
from triadic.counts.count import run
from triadic.counts.triads import CENSUS_OF_VERTICES, CLOSED_ROLES_OF_VERTICES
from triadic.devices.cpu.triads import closed_triads as cpu
from triadic.devices.gpu import list_tasks
from triadic.devices.gpu import triads as gpu
from triadic.devices.runtimes import registry as gpus
from triadic.errors import DeviceError, OutOfMemoryError


def random_arcs(n, share, seed):
    """A random graph in which a pair of vertices has an arc one way, the other way, both ways or none."""
    return Graph.from_edges(*np.nonzero(np.random.default_rng(seed).random((n, n)) < share), directed=True)


def a_spine_with_pages(pages, spine, to_both):
    """A book graph: pages joined in the same way to both ends of a spine, so that one vertex has all lists."""
    page, end = np.tile(np.arange(2, pages + 2), 2), np.repeat([0, 1], pages)
    arcs = [*([(page, end)] if to_both & 1 else []), *([(end, page)] if to_both & 2 else [])]
    source, target = (
        np.concatenate(side) for side in zip(*arcs, ([u for u, _ in spine], [v for _, v in spine]), strict=True)
    )
    return Graph.from_edges(source, target, num_vertices=pages + 2, directed=True)


SHAPES = {
    "hubs": lambda: triadic.generate.rmat(10, seed=4, directed=True),
    "a tournament past the table of a middle row": lambda: Graph.from_edges(*np.triu_indices(530, 1), directed=True),
    "arcs of all kinds past the table of a middle row": lambda: random_arcs(550, 0.9, seed=4),
    "sparse arcs of all kinds": lambda: random_arcs(300, 0.05, seed=4),
    "edges without direction": lambda: triadic.generate.watts_strogatz(500, 10, 0.2, seed=4),
    "no edges": lambda: Graph.from_edges([], [], num_vertices=5, directed=True),
    "no vertices": lambda: Graph.from_edges([], [], num_vertices=0, directed=True),
}

# What is counted does not depend on the hubs and marks, nor the walk on the roles. The last table has no symmetry: its
# roles differ with the ranks of the vertices, as the counts of signs do.
TABLES = {"roles": ROLE_OF_CODE, "by rank": np.arange(192).reshape(3, 64) % 16}


@given(network=networks())
@examples(25)
def test_the_census_by_vertex_of_a_gpu_is_that_of_the_oracle(gpu_device, network):
    arcs = naive.simple(network.arcs, directed=network.directed).arcs
    found = triadic.triad_census(network.graph(), device=gpu_device, by="vertex")
    assert found.tolist() == naive.triad_census_by_vertex(network.vertices, arcs)


@pytest.mark.parametrize("roles", [ROLE_OF_CODE, CLOSED_TYPE_OF_CODE], ids=["roles", "types"])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_device_counts_the_same_roles_as_the_cpu(gpu_device, shape, roles):
    oriented = SHAPES[shape]().oriented()
    found, expected = gpu.by_role(gpu_device, oriented, roles), cpu.by_role(oriented, roles, threads=2)
    np.testing.assert_array_equal(found, expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)


@pytest.mark.parametrize(("shape", "hubs", "marked", "roles"), each(SHAPES, [0, 65], [64, 640, 32_000], TABLES))
def test_any_number_of_marked_ranks_finds_the_same_roles(gpu_device, monkeypatch, shape, hubs, marked, roles):
    roles = TABLES[roles]
    oriented = SHAPES[shape]().oriented()
    monkeypatch.setattr(list_tasks, "choose_marks", lambda n, _: (min(n, hubs), marked))
    found = gpu.by_role(gpu_device, oriented, roles)
    np.testing.assert_array_equal(found, cpu.by_role(oriented, roles, threads=2))


# Numbers around the bits of a word, or beyond the vertices.
@pytest.mark.parametrize(
    ("shape", "roles", "hubs"),
    each(
        ["hubs", "edges without direction", "arcs of all kinds past the table of a middle row"],
        TABLES,
        [0, 1, 63, 64, 65, 500, 10**6],
    ),
)
def test_any_number_of_hubs_finds_the_same_roles(gpu_device, monkeypatch, shape, roles, hubs):
    roles = TABLES[roles]
    oriented = SHAPES[shape]().oriented()
    monkeypatch.setattr(gpu, "prepared_on", lambda device, graph, **_: list_tasks.prepared_on(device, graph, hubs=hubs))
    found = gpu.by_role(gpu_device, oriented, roles)
    np.testing.assert_array_equal(found, cpu.by_role(oriented, roles, threads=2))


@pytest.mark.parametrize("shape", SHAPES)
def test_every_device_finds_the_same_census_by_vertex_as_the_cpu(gpu_device, shape):
    graph = SHAPES[shape]()
    found = triadic.triad_census(graph, device=gpu_device, by="vertex")
    expected = triadic.triad_census(graph, device="cpu", by="vertex")
    np.testing.assert_array_equal(found, expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)


@pytest.mark.parametrize(
    ("spine", "to_both", "pages"),
    pairs([[(0, 1)], [(1, 0)], [(0, 1), (1, 0)]], [1, 2, 3], [list_tasks.PART, 3 * list_tasks.PART + 5]),
)
def test_a_list_as_long_as_a_task_may_be_is_counted_whole(gpu_device, spine, to_both, pages):
    """Every row of a full task adds to the same count of the same vertex."""
    graph = a_spine_with_pages(pages, spine, to_both)
    found = gpu.by_role(gpu_device, graph.oriented(), ROLE_OF_CODE)[graph.oriented().rank]
    assert found[0].sum() == found[0].max() == found[1].max() == pages
    assert found[2:].sum() == pages
    np.testing.assert_array_equal(found, cpu.by_role(graph.oriented(), ROLE_OF_CODE, threads=2)[graph.oriented().rank])


@pytest.mark.parametrize(("shape", "cards"), each(SHAPES, [2, 3]))
def test_several_cards_share_the_triads_of_vertices(gpu_device, monkeypatch, shape, cards):
    # The same device under several names.
    one, graph = gpus.runtime(gpu_device), SHAPES[shape]()

    def under(name):
        other = copy(one)
        other.name = name
        return other

    monkeypatch.setattr(gpus, "count", lambda kind: cards)
    monkeypatch.setattr(gpus, "runtime", under)
    for count in (partial(triadic.triad_census, by="vertex"), roles_of):
        found = count(graph, device=f"{gpu_device.partition(':')[0]}:all")
        np.testing.assert_array_equal(found, count(graph, device="cpu"))


def roles_of(graph, *, device):
    return run(CLOSED_ROLES_OF_VERTICES, graph.oriented(), threads=2, device=device, progress=False)


@pytest.mark.parametrize("count", [partial(triadic.triad_census, by="vertex"), roles_of])
def test_triads_of_vertices_are_counted_on_the_named_device(gpu_device, count):
    graph, runtime = SHAPES["hubs"](), gpus.runtime(gpu_device)
    before = runtime.launches
    found = count(graph, device=gpu_device)
    assert runtime.launches > before
    np.testing.assert_array_equal(found, count(graph, device="cpu"))


def test_the_census_copies_its_arrays_to_a_device_once(gpu_device, monkeypatch):
    graph, runtime = SHAPES["hubs"](), gpus.runtime(gpu_device)
    triadic.triad_census(graph, device=gpu_device, by="vertex")
    triadic.triad_census(graph, device=gpu_device)
    uploads, upload = [], runtime.upload
    monkeypatch.setattr(type(runtime), "upload", lambda _, array: uploads.append(len(array)) or upload(array))
    triadic.triad_census(graph, device=gpu_device, by="vertex")
    triadic.triad_census(graph, device=gpu_device)
    assert uploads == [ROLE_OF_CODE.size]


def test_progress_of_a_census_by_vertex_reports_the_start_and_the_end(gpu_device):
    reports = []
    triadic.triad_census(SHAPES["hubs"](), device=gpu_device, progress=lambda *done: reports.append(done), by="vertex")
    assert (reports[0][0], reports[-1][0]) == (0, reports[-1][1])


@pytest.mark.parametrize("error", [DeviceError("it failed"), OutOfMemoryError("it is full")])
def test_if_a_device_chosen_by_auto_fails_the_cpu_counts_with_a_warning(monkeypatch, error):
    graph = SHAPES["hubs"]()

    def fail(*_, **__):
        raise error

    for declared in (CLOSED_ROLES_OF_VERTICES, CENSUS_OF_VERTICES):
        monkeypatch.setattr(declared, "gpu", fail)
        monkeypatch.setattr(declared, "gpu_over_parts", None)
    monkeypatch.setattr(counting, "FEWEST_EDGES", 0)
    for count in (partial(triadic.triad_census, by="vertex"), roles_of):
        expected = count(graph, device="cpu")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(counting, "resolve_device", lambda device, **_: "cuda:0")
            with pytest.warns(RuntimeWarning, match=f"counting on the CPU: {error}"):
                np.testing.assert_array_equal(count(graph, device="auto"), expected)
            with pytest.raises(type(error), match=str(error)):
                count(graph, device="cuda:0")


def test_counts_of_vertices_too_large_for_a_device_are_refused_with_the_figures(gpu_device, monkeypatch):
    graph, runtime = SHAPES["sparse arcs of all kinds"](), gpus.runtime(gpu_device)
    roles_of(graph, device=gpu_device)
    monkeypatch.setattr(type(runtime), "memory", lambda _: (1 << 10, 1 << 30))
    with pytest.raises(OutOfMemoryError, match=rf"{gpu_device}.*{300 * len(CLOSED_ROLES):,} counts take"):
        gpu.by_role(gpu_device, graph.oriented(), ROLE_OF_CODE)
