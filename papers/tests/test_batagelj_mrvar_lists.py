"""The triad census over linked lists: against the census over rows, and the thesis's own figures."""

from __future__ import annotations

from itertools import chain

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import examples, networks
from triadic.core.arcs import Arcs
from triadic.errors import ArgumentError, OutOfMemoryError
from triadic.io import read_arcs
from triadic_papers import batagelj_mrvar_lists
from triadic_papers.adjacency import adjacency
from triadic_papers.batagelj_mrvar import census
from triadic_papers.batagelj_mrvar_kernels import is_in, open_neighbourhood
from triadic_papers.batagelj_mrvar_lists import VERSIONS, list_census, lists
from triadic_papers.batagelj_mrvar_queues import task_queues


def raw(network):
    """The arcs as a file would give them, loops and repeats among them."""
    return Arcs(network.source.astype(np.int32), network.target.astype(np.int32), network.vertices, network.directed)


def shuffled_digraph(n=300, arcs=4000, seed=7):
    """Arcs in no order, hubs at small ids."""
    source, target = (n * np.random.default_rng(seed).random((2, arcs)) ** 2).astype(np.int32)
    return Arcs(source, target, n, directed=True)


def nodes(lists, row):
    """The vertices in each node of a list, in its order."""
    blocked = hasattr(lists, "layout")
    where = lists.layout if blocked else lists
    node = lists.heads[row]
    while node != -1:
        length = lists.pool[node, where.length] if blocked else 1
        yield [int(lists.pool[node, where.vertex + k * (where.stride if blocked else 0)]) for k in range(length)]
        node = lists.pool[node, where.following]


@examples(25)
@given(networks(), st.sampled_from(VERSIONS), st.sampled_from([16, 64]), st.booleans())
def test_every_version_has_the_census_over_rows(network, version, types, as_printed):
    found = list_census(raw(network), version, types=types, as_printed=as_printed)
    assert found == census(raw(network), types=types, as_printed=as_printed)


@examples(30)
@given(networks(), st.sampled_from(VERSIONS))
def test_lists_fall_and_hold_each_vertex_once(network, version):
    made, rows = lists(raw(network), version), adjacency(raw(network))
    for of, indptr, indices in (
        (made.edges, rows.arcs_indptr, rows.arcs_indices),
        (made.neighbours, rows.indptr, rows.indices),
    ):
        for v in range(network.vertices):
            assert list(chain.from_iterable(nodes(of, v))) == indices[indptr[v] : indptr[v + 1]].tolist()[::-1]


@pytest.mark.parametrize("version", VERSIONS)
def test_lists_made_in_any_order_have_one_census(version):
    arcs = shuffled_digraph()
    expected = census(arcs, types=64)
    for given_as in (arcs, triadic.Graph.from_arcs(arcs), adjacency(arcs)):
        assert list_census(given_as, version, types=64) == expected


def test_nodes_have_the_bytes_of_tables_4_3_and_4_4():
    graph = triadic.Graph.from_edges([0, 1], [1, 2], directed=True)
    heads = 2 * 3 * 8
    assert lists(graph, "0.1").nbytes == 2 * 208 + 4 * 216 + heads
    assert lists(graph, "0.2").nbytes == lists(graph, "0.4").nbytes == 2 * 192 + 4 * 192 + heads


@pytest.mark.parametrize("version", ["0.5 blocks", "0.5 columns", "0.5"])
def test_a_list_made_in_order_fills_its_nodes(version):
    star = triadic.Graph.from_edges([0] * 64, list(range(1, 65)), directed=True)
    assert [len(node) for node in nodes(lists(star, version).neighbours, 0)] == [16] * 4


def test_eatsr_is_looked_up_as_often_as_in_the_thesis(real_networks):
    rows = adjacency(read_arcs(real_networks / "eatSR.net.gz", directed=True))
    tail, head, _ = task_queues(rows, queues=1)
    edges, neighbours = _look_ups(rows, tail, head, np.empty(rows.widest, dtype=np.int64))
    assert edges == 189_408_983  # the calls of is_edge and is_neighbor that gprof counted, section 4.2.3
    assert neighbours == 20_783_877


@numba.njit
def _look_ups(rows, tail, head, near):
    """Calls of is_edge and of is_neighbor by figures 2.4 and 2.5."""
    edges, neighbours = 0, 0
    for dyad in range(tail.size):
        u, v = np.int64(tail[dyad]), np.int64(head[dyad])
        edges += 1 + is_in(
            rows.arcs_indptr, rows.arcs_indices, u, v
        )  # line 9 looks for the arc back only after the other
        for k in range(open_neighbourhood(rows.indptr, rows.indices, u, v, near)):
            w = near[k]
            if u < w < v:
                neighbours += 1
            if v < w or (u < w and not is_in(rows.indptr, rows.indices, u, w)):
                edges += 6
    return edges, neighbours


@pytest.mark.parametrize(
    ("file", "version"), [("USAir97.net.gz", "0.1"), ("celegansneural.gml.gz", "0.4"), ("celegansneural.gml.gz", "0.5")]
)
def test_small_real_networks_have_the_census_that_the_library_finds(real_networks, file, version):
    graph = triadic.read(real_networks / file)
    assert list_census(graph, version) == triadic.triad_census(graph)


@pytest.mark.nightly
def test_a_real_network_in_blocks_has_the_census_that_the_library_finds(real_networks):
    graph = triadic.read(real_networks / "wiki-Vote.txt.gz")
    assert list_census(graph, "0.5") == triadic.triad_census(graph)


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("version", VERSIONS)
def test_fewer_than_three_vertices_have_no_triad(n, version):
    graph = triadic.Graph.from_edges(list(range(n - 1)), list(range(1, n)), num_vertices=n, directed=True)
    assert not any(list_census(graph, version).values())


def test_a_version_that_is_left_out_is_refused():
    with pytest.raises(ArgumentError, match=r"version='0.3': expected one of '0.1', '0.2'"):
        lists(triadic.Graph.from_edges([0], [1]), "0.3")


def test_lists_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr("triadic.core.memory.available_bytes", lambda: 1000)
    with pytest.raises(OutOfMemoryError, match=r"lists of version 0.1 for 3 arcs"):
        batagelj_mrvar_lists.lists(triadic.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=True))
