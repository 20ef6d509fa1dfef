"""CSTN-117 on CPUs: against brute force, the engine, and the counterexamples to what is printed."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import examples, networks
from triadic.core.arcs import Arcs
from triadic.errors import ArgumentError, DeviceError, MissingExtraError
from triadic.io import read_arcs
from triadic_papers import cstn117_tbb
from triadic_papers.cstn117 import (
    Counts,
    clustering,
    clustering_phases,
    clustering_pthreads,
    clustering_tbb,
    digraph,
)
from triadic_papers.cstn117_digraph import padded, without_loops
from triadic_papers.cstn117_tbb import join, leaves

# Circuits of three arcs, and paths of two, that triads of each type hold.
CIRCUITS = {"030C": 1, "120C": 1, "210": 1, "300": 2}
PATHS = {"021C": 1, "111D": 1, "111U": 1, "030T": 1, "030C": 3, "201": 2, "120D": 2, "120U": 2, "120C": 3, "210": 4,
         "300": 6}  # fmt: skip


def raw_arcs(network):
    """The arcs as a file would give them, loops and repeats among them."""
    return Arcs(network.source.astype(np.int32), network.target.astype(np.int32), network.vertices, network.directed)


def brute_force(network):
    arcs = set(network.arcs) | (set() if network.directed else {(v, u) for u, v in network.arcs})
    paths = [(u, v, w) for u, v in arcs for x, w in arcs if v == x and len({u, v, w}) == 3]
    return Counts(sum((w, u) in arcs for u, _, w in paths) // 3, len(paths))


def of_engine(graph):
    if not graph.directed:
        wedges = sum(int(k) * (int(k) - 1) for k in graph.degree)
        return Counts(2 * triadic.triangle_count(graph), wedges)
    census = triadic.triad_census(graph)
    return Counts(*(sum(held * census[name] for name, held in table.items()) for table in (CIRCUITS, PATHS)))


def directed(*arcs, vertices=None):
    source, target = np.array(arcs, dtype=np.int32).reshape(-1, 2).T
    return Arcs(source, target, vertices or max(max(arc) for arc in arcs) + 1, directed=True)


@pytest.fixture(scope="module")
def tbb():
    """TBB under numba, each count in a process of its own; TRIADIC_REQUIRE may say that it must be there."""

    def count(graph, **keywords):
        try:
            return clustering_tbb(graph, **keywords)
        except MissingExtraError as error:
            (pytest.fail if "tbb" in os.environ.get("TRIADIC_REQUIRE", "").split(",") else pytest.skip)(str(error))

    return count


@given(networks())
def test_algorithm_1_finds_the_circuits_and_paths_of_brute_force(network):
    assert clustering(raw_arcs(network)) == brute_force(network)


@given(networks())
def test_a_graph_has_the_circuits_and_paths_that_the_engine_finds(network):
    graph = network.graph()
    found = clustering(graph)
    assert found == of_engine(graph)
    assert found.coefficient == pytest.approx(
        triadic.count(graph, "cycle_transitivity" if graph.directed else "transitivity"), rel=1e-14
    )


@examples(25)
@given(networks(), st.integers(1, 5), st.integers(1, 40))
def test_threads_find_the_same_with_blocks_of_any_size(network, threads, block):
    assert clustering_pthreads(raw_arcs(network), threads=threads, block=block) == brute_force(network)


@examples(25)
@given(networks(), st.integers(1, 4), st.integers(1, 20), st.integers(1, 40), st.integers(1, 10))
def test_the_phases_find_the_same_with_any_number_of_elements_and_buffers(network, spes, buffers, block, small):
    found = clustering_phases(raw_arcs(network), spes=spes, buffers=buffers, block=block, small_block=small)
    assert found == brute_force(network)


def test_tbb_finds_the_same(tbb):
    graph = triadic.generate.barabasi_albert(500, links=10, seed=1)
    assert tbb(graph, threads=2, grain=7) == clustering(graph)


@pytest.mark.nightly
def test_tbb_finds_the_same_on_any_number_of_threads(tbb):
    graph = triadic.generate.barabasi_albert(500, links=10, seed=1)
    assert tbb(graph, threads=1) == clustering(graph)
    with_loops = directed((0, 1), (1, 2), (2, 0), (2, 1), (2, 2), (1, 1))
    assert tbb(with_loops, threads=3, grain=1) == clustering(with_loops)


@pytest.mark.nightly
def test_another_layer_than_tbb_is_refused(monkeypatch):
    monkeypatch.setattr(cstn117_tbb, "_paths", lambda: {"NUMBA_THREADING_LAYER": "workqueue"})
    with pytest.raises(DeviceError, match="the threading layer 'workqueue': expected 'tbb'"):
        clustering_tbb(triadic.Graph.from_edges([0], [1]), threads=2)


def test_numba_without_tbb_names_the_extra(monkeypatch, tmp_path):
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['numba.np.ufunc.tbbpool'] = None\n")
    folders = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    monkeypatch.setattr(cstn117_tbb, "_paths", lambda: {"PYTHONPATH": folders})
    with pytest.raises(MissingExtraError, match=r"no TBB of 2021\.6 or later: pip install 'triadic-papers\[tbb\]'"):
        clustering_tbb(triadic.Graph.from_edges([0], [1]), threads=2)


@given(st.integers(0, 3000), st.integers(1, 100))
def test_leaves_are_halves_of_halves_and_join_adds_them_all(n, grain):
    starts = leaves(n, grain)
    assert starts[0] == 0
    assert starts[-1] == n
    assert (len(starts) - 1).bit_count() == 1
    assert np.diff(starts).max() <= grain
    assert join(np.diff(starts)[:, None]).tolist() == [n]


def test_as_printed_an_arc_to_itself_costs_a_path_that_is_not_there():
    loop = directed((0, 0))
    assert clustering(loop) == clustering_pthreads(loop) == Counts(0, 0)
    assert clustering(loop, as_printed=True) == clustering_pthreads(loop, as_printed=True) == Counts(0, -1)


@given(networks())
def test_without_arcs_to_themselves_what_is_printed_is_right(network):
    graph = network.graph()
    assert clustering(graph, as_printed=True) == clustering(graph)


def test_a_circuit_has_coefficient_one_and_so_has_an_undirected_triangle():
    assert clustering(directed((0, 1), (1, 2), (2, 0))) == Counts(1, 3)
    assert clustering(triadic.Graph.from_edges([0, 1, 2], [1, 2, 0])) == Counts(2, 6)
    assert Counts(1, 3).coefficient == Counts(2, 6).coefficient == 1


def test_arcs_to_themselves_and_back_make_no_paths():
    assert clustering(directed((0, 1), (1, 0), (0, 0), (1, 1))) == Counts(0, 0)


def test_no_paths_have_no_coefficient_but_zero():
    assert clustering(triadic.Graph.from_edges([], [], num_vertices=0)).coefficient == 0
    assert clustering_phases(triadic.Graph.from_edges([], [], num_vertices=3)).coefficient == 0


def test_a_small_world_of_the_paper_clusters_as_it_says():
    graph = triadic.generate.watts_strogatz(2000, k=50, p=0.1, seed=1)
    assert clustering_pthreads(graph, threads=2).coefficient == pytest.approx(0.53, abs=0.01)


@pytest.mark.parametrize("file", ["wiki-Vote.txt.gz", "facebook_combined.txt.gz", "PGPgiantcompo.graph.gz"])
def test_real_networks_have_what_the_engine_finds(real_networks, file):
    stated = json.loads((real_networks / "expected.json").read_text())[file]
    graph = triadic.read(real_networks / file, directed=stated["directed"])
    expected = of_engine(graph)
    assert clustering(graph) == clustering_pthreads(graph, threads=2) == clustering_phases(graph) == expected
    if not graph.directed:
        assert expected.triangles == 2 * stated["triangles"]
        assert expected.coefficient == pytest.approx(stated["transitivity"], rel=1e-12)


def test_a_real_network_with_arcs_to_themselves_has_the_paths_of_its_graph(real_networks):
    file = real_networks / "eatSR.net.gz"
    assert clustering(read_arcs(file)) == of_engine(triadic.read(file))


@pytest.mark.nightly
def test_tbb_finds_what_the_engine_finds_in_a_real_network(real_networks, tbb):
    graph = triadic.read(real_networks / "wiki-Vote.txt.gz")
    assert tbb(graph, threads=2) == of_engine(graph)


@given(networks())
def test_figure_2_has_each_list_at_16_bytes_and_nothing_but_padding_behind_it(network):
    proper = without_loops(digraph(raw_arcs(network)))
    V, A = padded(proper)
    places = A.reshape(-1, 4)
    assert not (V[::2] % 4).any()
    assert [A[s : s + length].tolist() for s, length in V.reshape(-1, 2)] == [
        proper.A[s:e].tolist() for s, e in zip(proper.V[:-1], proper.V[1:], strict=True)
    ]
    assert (A == -1).sum() == A.size - proper.A.size
    assert (places[:, 0] >= 0).all()


@given(networks())
def test_the_arrays_of_figure_1_are_the_arcs_of_the_network(network):
    V, A = digraph(raw_arcs(network))
    arcs = set(network.arcs) | (set() if network.directed else {(v, u) for u, v in network.arcs})
    source = np.repeat(np.arange(network.vertices), np.diff(V))
    assert list(zip(source.tolist(), A.tolist(), strict=True)) == sorted(arcs)


def test_arrays_made_once_are_taken_as_they_are():
    rows = digraph(triadic.Graph.from_edges([0, 1, 2], [1, 2, 0]))
    assert digraph(rows) is rows
    assert clustering(rows) == clustering_phases(rows) == clustering_pthreads(rows) == Counts(2, 6)


def test_steps_are_timed_and_layout_and_compiling_are_not_the_algorithm_s():
    found = clustering(triadic.Graph.from_edges([0, 1, 2], [1, 2, 0]))
    assert list(found.seconds) == ["layout", "compile", "reverse", "count"]
    assert found.elapsed == found.seconds["reverse"] + found.seconds["count"]


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (clustering_pthreads, "block"),
        (clustering_tbb, "grain"),
        *((clustering_phases, name) for name in ("spes", "buffers", "block", "small_block")),
    ],
)
@pytest.mark.parametrize("value", [0, -1, 2.0, True, "all"])
def test_a_number_of_nothing_is_refused(function, argument, value):
    with pytest.raises(ArgumentError, match=rf"{argument}=.*: expected a whole number of at least 1"):
        function(triadic.Graph.from_edges([0], [1]), **{argument: value})


def test_an_element_that_fails_stops_the_others_and_is_told(monkeypatch):
    from triadic_papers import cstn117_cell

    calls = []

    def fail(V, A, v_s, v_e, B):
        calls.append((v_s, v_e))
        if v_e:
            raise RuntimeError("an element fails")

    monkeypatch.setattr(cstn117_cell, "process_block", fail)
    with pytest.raises(RuntimeError, match="an element fails"):
        clustering_phases(triadic.generate.watts_strogatz(1000, k=4, p=0.1, seed=1), spes=2, block=10)
