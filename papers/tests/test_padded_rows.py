"""Clustering from a padded table: against brute force and the library, and what the listings find as printed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import examples, networks
from triadic.core.arcs import Arcs
from triadic.errors import ArgumentError, DeviceError, OutOfMemoryError, UnsupportedError
from triadic_papers import padded_rows_openmp
from triadic_papers.adjacency import adjacency
from triadic_papers.padded_rows import opencl, openmp, sequential
from triadic_papers.padded_rows_table import check_table, padded_table

GROUP = 32
SMALL_FILES = ["USAir97.net.gz", "celegans_metabolic.graph.gz"]


@pytest.fixture
def with_openmp():
    reason = padded_rows_openmp.why_not()
    if reason is not None:
        pytest.skip(reason)


def graph_of(*edges, vertices=None):
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    return triadic.Graph.from_edges(*ends, num_vertices=vertices)


def copies(count, size, *edges):
    """So many of one small network, side by side."""
    return graph_of(*[(u + size * copy, v + size * copy) for copy in range(count) for u, v in edges])


def check_equals_the_library(found, graph):
    np.testing.assert_array_equal(found.triangles, triadic.triangles(graph))
    np.testing.assert_array_equal(found.coefficients, triadic.clustering(graph))
    assert found.triangles.dtype == np.int64
    assert found.coefficients.dtype == np.float64
    if graph.num_vertices:
        assert found.mean == pytest.approx(triadic.average_clustering(graph), rel=1e-12)
    else:
        assert found.mean == 0


@given(networks())
def test_the_sequential_listing_finds_what_brute_force_does(network):
    found = sequential(network.graph())
    assert found.triangles.tolist() == naive.triangles(network.vertices, network.arcs)
    assert found.coefficients.tolist() == pytest.approx(naive.clustering(network.vertices, network.arcs))


@given(networks())
def test_the_sequential_listing_equals_the_library(network):
    check_equals_the_library(sequential(network.graph()), network.graph())


@examples(25)
@given(networks(), st.sampled_from([1, 8, 32, 128, 512]))
def test_the_kernel_equals_the_library_for_any_size_of_work_group(gpu_device, network, group):
    check_equals_the_library(opencl(network.graph(), device=gpu_device, group=group), network.graph())


@pytest.mark.parametrize(
    "threads", [pytest.param(1, marks=pytest.mark.nightly), 2, pytest.param(5, marks=pytest.mark.nightly)]
)
def test_openmp_equals_the_library_on_any_number_of_threads(with_openmp, threads):
    hubs = triadic.generate.barabasi_albert(300, 4, seed=5)
    found = openmp(hubs, threads=threads)
    check_equals_the_library(found, hubs)
    assert list(found.seconds) == ["rows", "initialisation", "table", "compilation", "compute"]


@pytest.mark.nightly
def test_openmp_takes_a_network_without_vertices(with_openmp):
    check_equals_the_library(openmp(graph_of(num_vertices=0)), graph_of(num_vertices=0))


@pytest.mark.parametrize("file", SMALL_FILES)
def test_real_networks_have_the_clustering_that_the_library_finds(real_networks, gpu_device, file):
    graph = triadic.read(real_networks / file)
    check_equals_the_library(sequential(graph), graph)
    check_equals_the_library(opencl(graph, device=gpu_device), graph)


@pytest.mark.nightly
def test_openmp_equals_the_library_on_a_real_network(real_networks, with_openmp):
    graph = triadic.read(real_networks / SMALL_FILES[0])
    check_equals_the_library(openmp(graph), graph)


@given(networks())
def test_raw_arcs_rows_and_a_graph_are_the_same_network(network):
    arcs = Arcs(network.source.astype(np.int32), network.target.astype(np.int32), network.vertices, network.directed)
    of_graph = sequential(network.graph())
    for same in (arcs, adjacency(arcs)):
        np.testing.assert_array_equal(sequential(same).triangles, of_graph.triangles)


@given(networks())
def test_a_row_has_the_degree_and_the_neighbours_and_is_filled_up(network):
    rows = adjacency(network.graph())
    degree = naive.degree(network.vertices, network.arcs)
    width = 1 + max(degree, default=0)
    expected = [
        [len(near), *sorted(near), *[-1] * (width - 1 - len(near))]
        for near in naive.neighbours(network.vertices, network.arcs)
    ]
    assert padded_table(rows.indptr, rows.indices).tolist() == expected


def test_a_hub_longer_than_a_work_group_is_counted_in_tiles(gpu_device):
    """A wheel: the hub's row is several tiles, and so is every other row, of padding."""
    rim = 3 * GROUP + 7
    around = [(1 + v, 1 + (v + 1) % rim) for v in range(rim)]
    wheel = graph_of(*[(0, 1 + v) for v in range(rim)], *around)
    found = opencl(wheel, device=gpu_device, group=GROUP)
    assert found.triangles.tolist() == [rim, *[2] * rim]


def test_the_kernel_runs_on_the_device_that_is_named(gpu_device):
    from triadic.devices.runtimes import registry as gpus

    before = gpus.runtime(gpu_device).launches
    found = opencl(graph_of((0, 1), (1, 2), (2, 0)), device=gpu_device)
    assert gpus.runtime(gpu_device).launches == before + 2  # one of them for no vertices, to compile it
    assert list(found.seconds) == ["rows", "table", "initialisation", "compilation", "transfer", "compute"]


# What is printed, and its smallest counterexamples.


def as_the_listing_is_printed(graph, *, last_neighbour=0, end_of_row=0):
    """Listing 1 word for word; with 1, one of its two loop ends mended."""
    rows = adjacency(graph)
    table = padded_table(rows.indptr, rows.indices).tolist()
    found = []
    for i in range(len(table)):
        links, degree = 0, table[i][0]
        for j in range(1, degree + 1):
            for k in range(j + 1, degree + last_neighbour):
                searched = table[table[i][k]]
                for z in range(1, searched[0] + end_of_row):
                    links += table[i][j] == searched[z]
        found.append(links)
    return found


@given(networks())
def test_as_printed_is_the_listing_word_for_word(network):
    assert sequential(network.graph(), as_printed=True).triangles.tolist() == as_the_listing_is_printed(network.graph())
    mended = as_the_listing_is_printed(network.graph(), last_neighbour=1, end_of_row=1)
    assert mended == naive.triangles(network.vertices, network.arcs)


def test_a_triangle_as_printed_has_no_links_because_the_last_neighbour_is_left_out():
    triangle = graph_of((0, 1), (1, 2), (2, 0))
    assert sequential(triangle, as_printed=True).coefficients.tolist() == [0, 0, 0]
    assert sequential(triangle).coefficients.tolist() == [1, 1, 1]


def test_the_end_of_the_row_left_out_loses_one_corner_of_a_triangle():
    assert as_the_listing_is_printed(graph_of((0, 1), (1, 2), (2, 0)), last_neighbour=1) == [0, 1, 1]


def test_a_single_edge_as_printed_has_no_number_for_a_mean():
    edge = graph_of((0, 1))
    assert np.isnan(sequential(edge, as_printed=True).coefficients).all()
    assert np.isnan(sequential(edge, as_printed=True).mean)
    assert sequential(edge).mean == 0


def test_quotients_as_printed_are_of_single_precision():
    triangle_and_more = graph_of(*[(u, v) for u in range(4) for v in range(u)], (0, 4), (1, 4), (2, 4), (3, 4))
    found = sequential(triangle_and_more, as_printed=True).coefficients
    np.testing.assert_array_equal(found, found.astype(np.float32))


def test_a_square_as_printed_has_links_at_two_of_its_vertices(gpu_device):
    square = graph_of((0, 1), (1, 2), (2, 3), (3, 0))
    assert opencl(square, device=gpu_device, group=4, as_printed=True).coefficients.tolist() == [0, 1, 0, 1]
    assert opencl(square, device=gpu_device, group=4).coefficients.tolist() == [0, 0, 0, 0]


def test_squares_as_printed_have_links_at_the_second_and_fourth_vertex_of_a_group(gpu_device):
    squares = copies(GROUP // 2, 4, (0, 1), (1, 2), (2, 3), (3, 0))
    found = opencl(squares, device=gpu_device, group=GROUP, as_printed=True).coefficients.reshape(2, GROUP)
    assert found[:, :4].tolist() == [[0, 1, 0, 1]] * 2
    assert not found[:, 4:].any()
    assert not opencl(squares, device=gpu_device).coefficients.any()


def test_of_triangles_as_printed_only_the_first_of_a_group_is_found(gpu_device):
    triangles = copies(GROUP, 3, (0, 1), (1, 2), (2, 0))
    found = opencl(triangles, device=gpu_device, group=GROUP, as_printed=True).triangles
    assert found[:GROUP].tolist() == [1, 1, 1] + [0] * (GROUP - 3)
    assert opencl(triangles, device=gpu_device).triangles.tolist() == [1] * 3 * GROUP


def test_a_clique_as_large_as_a_group_comes_out_by_the_listing_played_in_step(gpu_device):
    clique = graph_of(*[(u, v) for u in range(GROUP) for v in range(u)])
    rows = adjacency(clique)
    table = padded_table(rows.indptr, rows.indices)
    width, expected = table.shape[1], np.zeros(GROUP, dtype=np.int64)
    lanes = np.arange(GROUP)
    tile = np.zeros(GROUP, dtype=np.int64)
    for j in range(1, width):
        for k in range(j + 1, width):
            part = lanes[1 + lanes < width]  # one tile holds all but the first number of a row
            tile[part] = table[table[part, k], 1 + part]
            expected += (tile[None, : width - 1] == table[:, j, None]).sum(axis=1)
    found = opencl(clique, device=gpu_device, group=GROUP, as_printed=True).triangles
    np.testing.assert_array_equal(found, expected)
    assert (opencl(clique, device=gpu_device).triangles == (GROUP - 1) * (GROUP - 2) // 2).all()


def test_barriers_that_not_all_meet_are_refused(gpu_device):
    with pytest.raises(UnsupportedError, match="degrees are 1 to 2"):
        opencl(graph_of((0, 1), (1, 2)), device=gpu_device, group=GROUP, as_printed=True)
    with pytest.raises(UnsupportedError, match=f"3 vertices are in groups of {GROUP}"):
        opencl(graph_of((0, 1), (1, 2), (2, 0)), device=gpu_device, group=GROUP, as_printed=True)


# What is refused.


def test_a_table_of_more_than_a_gigabyte_is_refused_with_its_bytes():
    n = 15_812
    star = graph_of(*[(0, leaf) for leaf in range(1, n)])
    with pytest.raises(OutOfMemoryError, match=f"takes {4 * n * n:,} bytes; the limit is 1,000,000,000"):
        sequential(star)
    with pytest.raises(OutOfMemoryError, match=f"{4 * n * n:,} bytes"):
        opencl(star)  # before a device is looked for


def test_openmp_refuses_a_table_of_more_than_a_gigabyte(with_openmp):
    n = 15_812
    with pytest.raises(OutOfMemoryError, match=f"{4 * n * n:,} bytes"):
        openmp(graph_of(*[(0, leaf) for leaf in range(1, n)]))


def test_a_table_of_just_less_than_a_gigabyte_is_not_refused():
    indptr = np.zeros(15_812, dtype=np.int64)
    indptr[1:] = 15_810  # one hub
    assert check_table(indptr) == (15_811, 15_811)


def test_a_layer_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(padded_rows_openmp, "why_not", lambda: "numba's OpenMP threading layer cannot be loaded: no")
    with pytest.raises(DeviceError, match="OpenMP threading layer cannot be loaded"):
        openmp(graph_of((0, 1)))


def test_a_process_that_fails_says_why(with_openmp, monkeypatch):
    monkeypatch.setattr(padded_rows_openmp, "__name__", "triadic_papers.no_such_program")
    with pytest.raises(DeviceError, match=r"process with OpenMP's threads failed: .*no_such_program"):
        openmp(graph_of((0, 1)))


@pytest.mark.parametrize("device", ["cpu", "gpu", "", 3])
def test_a_device_that_is_no_gpu_is_refused(device):
    with pytest.raises(ArgumentError, match="expected a form such as 'cuda'"):
        opencl(graph_of((0, 1)), device=device)


@pytest.mark.parametrize("group", [0, 3, 2048, True, "all"])
def test_a_work_group_that_is_no_power_of_two_is_refused(group):
    with pytest.raises(ArgumentError, match="expected a power of two from 1 to 1024"):
        opencl(graph_of((0, 1)), group=group)


def test_no_threads_are_refused():
    with pytest.raises(ArgumentError, match="threads=0"):
        openmp(graph_of((0, 1)), threads=0)
