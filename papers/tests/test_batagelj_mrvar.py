"""Batagelj and Mrvar's census: against networkx, brute force, the library's own count, and other programs' figures."""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from pairs import by_night, pairs
from strategies import examples, networks
from triadic.core.arcs import Arcs
from triadic.errors import ArgumentError
from triadic.io import read_arcs
from triadic_papers.adjacency import adjacency
from triadic_papers.batagelj_mrvar import census, fold_codes, queued_census
from triadic_papers.batagelj_mrvar_codes import entry_table, final_census
from triadic_papers.batagelj_mrvar_kernels import count_queue, count_vertices
from triadic_papers.batagelj_mrvar_queues import BALANCES, WorkEstimates, task_queues, work_estimates


def raw(network):
    """The arcs as a file would give them, loops and repeats among them."""
    return Arcs(network.source.astype(np.int32), network.target.astype(np.int32), network.vertices, network.directed)


def proper_arcs(network):
    arcs = {(u, v) for u, v in network.arcs if u != v}
    return arcs if network.directed else arcs | {(v, u) for u, v in arcs}


def codes_by_triples(network, *, as_printed=False):
    """Look at every triple: code in rising order, or under the entry that the printed loop files it."""
    arcs = proper_arcs(network)
    found = [0] * 64

    def state(p, q):
        return ((p, q) in arcs) + 2 * ((q, p) in arcs)

    for u, v, w in combinations(range(network.vertices), 3):
        states = state(u, v), state(u, w), state(v, w)
        joined = [s for s in states if s]
        if as_printed and len(joined) == 1:
            code = 2 if joined == [3] else 1
        elif as_printed and states[0] == 0 and len(joined) == 2:  # a wedge at its highest vertex: (u, w, v)
            code = state(u, w) + 4 * state(u, v) + 16 * state(w, v)
        else:
            code = states[0] + 4 * states[1] + 16 * states[2]
        found[code] += 1
    return found


def small(network, most=25):
    """The network on its first vertices alone: every triple of it can be looked at."""
    n = min(network.vertices, most)
    return network._replace(vertices=n, arcs=[(u, v) for u, v in network.arcs if max(u, v) < n])


def random_digraph(n=400, arcs=6000, seed=3):
    """Hubs at small ids."""
    random = np.random.default_rng(seed)
    ends = (n * random.random((2, arcs)) ** 2).astype(np.int64)
    return triadic.Graph.from_edges(*ends, num_vertices=n, directed=True)


@given(networks(directed=True))
def test_the_sixteen_types_are_those_of_networkx(network):
    digraph = nx.DiGraph()
    digraph.add_nodes_from(range(network.vertices))
    digraph.add_edges_from(proper_arcs(network))
    assert census(raw(network)) == nx.triadic_census(digraph)


@given(networks())
def test_the_sixteen_types_are_those_of_the_library(network):
    graph = network.graph()
    assert census(graph) == triadic.triad_census(graph)


@given(networks())
def test_the_codes_in_rising_order_are_those_of_the_library(network):
    graph = network.graph()
    assert census(graph, types=64) == triadic.triad_census(graph, labelled=True)


@given(networks().map(small), st.booleans())
def test_the_codes_are_those_of_every_triple(network, as_printed):
    found = census(raw(network), types=64, as_printed=as_printed)
    assert list(found) == [str(code) for code in range(64)]
    assert list(found.values()) == codes_by_triples(network, as_printed=as_printed)


@given(networks(), st.booleans())
def test_the_codes_fold_into_the_types(network, as_printed):
    codes = census(raw(network), types=64, as_printed=as_printed)
    assert fold_codes(codes, as_printed=as_printed) == census(raw(network))


def test_as_printed_a_wedge_at_its_highest_vertex_is_filed_as_if_the_others_were_swapped():
    graph = triadic.Graph.from_edges([0, 2], [2, 1], directed=True)  # 0 -> 2 -> 1
    in_order, printed = census(graph, types=64), census(graph, types=64, as_printed=True)
    assert {code for code, count in in_order.items() if count} == {"36"}  # s(02) = 1, s(12) = 2
    assert {code for code, count in printed.items() if count} == {"17"}  # (0, 2, 1): s(02) = 1, s(21) = 1


def test_as_printed_every_dyadic_triad_is_filed_under_two_entries():
    graph = triadic.Graph.from_edges([4, 1, 2], [0, 2, 1], num_vertices=6, directed=True)
    printed = census(graph, types=64, as_printed=True)
    assert {code: count for code, count in printed.items() if count} == {"0": 12, "1": 4, "2": 4}
    assert fold_codes(printed, as_printed=True) == census(graph)


@given(networks())
def test_looking_up_the_pair_again_for_each_triad_changes_nothing(network):
    assert census(raw(network), types=64, precomputed=False) == census(raw(network), types=64)


@given(networks())
def test_rows_that_are_made_are_taken_as_they_are(network):
    rows = adjacency(raw(network))
    assert adjacency(rows) is rows
    assert census(rows) == queued_census(rows) == census(raw(network))


@given(networks())
def test_raw_arcs_and_their_graph_have_the_same_rows(network):
    one, other = adjacency(raw(network)), adjacency(network.graph())
    assert one.n == other.n
    assert one.widest == other.widest
    for field in ("arcs_indptr", "arcs_indices", "indptr", "indices"):
        assert getattr(one, field).dtype == getattr(other, field).dtype
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field))


@given(networks(), st.sampled_from(BALANCES), st.integers(1, 40))
def test_queues_hold_each_canonical_dyad_once(network, balance, queues):
    tail, head, starts = task_queues(adjacency(raw(network)), queues=queues, balance=balance)
    dyads = sorted({(min(u, v), max(u, v)) for u, v in network.arcs if u != v})
    assert list(zip(tail.tolist(), head.tolist(), strict=True)) == dyads
    assert starts[0] == 0
    assert starts[-1] == len(dyads)
    assert (np.diff(starts) > 0).all()
    assert len(starts) - 1 <= queues


@pytest.mark.parametrize("balance", ["canonical dyads", "set sizes", "authors", "estimate"])
def test_a_queue_is_closed_by_the_dyad_that_passes_the_bound(balance):
    graph = random_digraph()
    tail, head, starts = task_queues(adjacency(graph), queues=7, balance=balance)
    near = [set(row) for row in graph.to_undirected().to_scipy().tolil().rows]
    load_of = {
        "canonical dyads": lambda u, v: 1,
        "set sizes": lambda u, v: len((near[u] | near[v]) - {u, v}),
        "authors": lambda u, v: len(near[u]) + len(near[v]),
        "estimate": lambda u, v: len(near[u]) + len(near[v]) - 2,
    }[balance]
    load = [load_of(u, v) for u, v in zip(tail.tolist(), head.tolist(), strict=True)]
    bound = sum(load) // 7
    for first, last in pairwise(starts[:-1]):
        assert sum(load[first:last]) > bound
        assert sum(load[first : last - 1]) <= bound
    assert sum(load[starts[-2] : starts[-1] - 1]) <= bound


def test_queues_of_vertices_and_of_dyads_end_where_those_do():
    rows = adjacency(triadic.Graph.from_edges([0, 0, 0, 1, 4], [1, 2, 3, 2, 5]))  # degrees 3, 2, 2, 1, 1, 1
    by_vertices = task_queues(rows, queues=2, balance="vertices")  # of vertices 0 to 3, and 4 and 5
    assert by_vertices.starts.tolist() == [0, 4, 5]
    by_dyads = task_queues(rows, queues=3, balance="dyads")  # 01 02 03 10; 12 20 21 30; 45 54
    assert list(zip(by_dyads.tail.tolist(), by_dyads.head.tolist(), strict=True))[3:] == [(1, 2), (4, 5)]
    assert by_dyads.starts.tolist() == [0, 3, 4, 5]


@given(networks())
def test_the_three_estimates_of_the_work_are_sums_over_dyads(network):
    near = [set() for _ in range(network.vertices)]
    for u, v in network.arcs:
        if u != v:
            near[u].add(v)
            near[v].add(u)
    sets = authors = estimate = 0
    for u, v in combinations(range(network.vertices), 2):
        if v in near[u]:
            sets += len((near[u] | near[v]) - {u, v})
            authors += len(near[u]) + len(near[v])
            estimate += len(near[u]) + len(near[v]) - 2
    assert work_estimates(raw(network)) == WorkEstimates(sets, authors, estimate)


def test_slashdot_has_the_work_that_the_thesis_found(real_networks):
    found = work_estimates(read_arcs(real_networks / "soc-sign-Slashdot090221.txt.gz", directed=True))
    assert (found.authors, found.estimate) == (148_238_520, 147_237_558)  # Table 4.12


@examples(30)
@given(networks(), st.sampled_from(BALANCES), st.booleans(), st.sampled_from([1, 2, 5]), st.sampled_from([None, 1, 9]))
def test_queues_on_any_number_of_workers_give_the_census_of_one_thread(network, balance, shared, threads, queues):
    found = queued_census(raw(network), balance=balance, shared=shared, threads=threads, queues=queues)
    assert found == census(raw(network))


# Every two of the three in each run; all of them in the nightly run.
OPTIONS = BALANCES, [False, True], [False, True]


@pytest.mark.parametrize(
    ("balance", "shared", "as_printed"),
    by_night(pairs(*OPTIONS), *OPTIONS),
)
def test_workers_share_the_codes_too(balance, shared, as_printed):
    graph = random_digraph()
    expected = census(graph, types=64, as_printed=as_printed)
    for threads in (1, 2, 5):
        found = queued_census(
            graph, types=64, as_printed=as_printed, balance=balance, shared=shared, threads=threads, queues=60
        )
        assert found == expected


def test_sixteen_workers_lose_no_update_of_a_shared_census():
    graph = random_digraph()
    expected = census(graph)
    assert all(queued_census(graph, shared=True, threads=16, queues=200) == expected for _ in range(20))


@pytest.mark.parametrize(
    ("file", "count"),
    [("wiki-Vote.txt.gz", census), pytest.param("eatSR.net.gz", queued_census, marks=pytest.mark.nightly)],
)
def test_real_networks_have_the_census_that_igraph_found(real_networks, file, count):
    known = json.loads((real_networks / "expected.json").read_text())[file]["triad_census"]
    assert count(read_arcs(real_networks / file, directed=True)) == known


def test_a_real_network_has_the_codes_that_the_library_finds(real_networks):
    graph = triadic.read(real_networks / "wiki-Vote.txt.gz")
    assert queued_census(graph, types=64) == triadic.triad_census(graph, labelled=True)


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("types", [16, 64])
def test_fewer_than_three_vertices_have_no_triad(n, types):
    ends = range(n - 1), range(1, n)
    for count in (census, queued_census):
        found = count(triadic.Graph.from_edges(*map(list, ends), num_vertices=n, directed=True), types=types)
        assert len(found) == types
        assert not any(found.values())


def test_a_network_of_millions_of_isolated_vertices_is_exact():
    n = 4_000_000  # C(n, 3) passes 2**63
    found = census(triadic.Graph.from_edges([5, 9], [9, 5], num_vertices=n, directed=True))
    assert {name: count for name, count in found.items() if count} == {"102": n - 2, "003": comb(n, 3) - (n - 2)}


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(("types", "as_printed"), [(16, False), (64, True), (64, False)])
def test_dyadic_triads_may_pass_what_64_bits_hold(types, as_printed, shared):
    n = 2**61
    path = triadic.Graph.from_edges(np.arange(99), np.arange(1, 100), directed=True)
    rows = adjacency(path)._replace(n=n)
    table, in_order = entry_table(types, as_printed=as_printed), types == 64 and not as_printed
    tail, head, starts = task_queues(rows, queues=1)
    entries = np.zeros(128, dtype=np.int64)
    count_queue(rows, tail, head, 0, starts[-1], table, in_order, shared, entries)
    found = final_census(n, types, [entries])
    dyadic = 99 * (n - 2) - 2 * 98
    assert sum(found.values()) == comb(n, 3)
    assert found["012" if types == 16 else "0"] == (dyadic if types == 16 else comb(n, 3) - dyadic - 98)
    if types == 16:
        assert dyadic > 2**63
        assert found["021C"] == 98
        count_vertices(rows, table, True, in_order, once := np.zeros(128, dtype=np.int64))
        assert final_census(n, types, [once]) == found


def test_an_undirected_edge_counts_as_mutual():
    graph = triadic.Graph.from_edges([0, 1, 2], [1, 2, 0], num_vertices=4)
    assert {name: count for name, count in census(graph).items() if count} == {"300": 1, "102": 3}


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"types": 13}, "types=13: expected 16 or 64"),
        ({"queues": 0}, "queues=0: expected a whole number"),
        ({"balance": "degree"}, "balance='degree': expected one of 'vertices', 'dyads'"),
        ({"threads": 0}, "threads=0"),
    ],
)
def test_arguments_that_do_not_exist_are_refused(keywords, message):
    with pytest.raises(ArgumentError, match=message):
        queued_census(triadic.Graph.from_edges([0], [1]), **keywords)
