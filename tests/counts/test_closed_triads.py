"""Closed triads: by type, by labelled code and by role, on any number of threads and ids of either width."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from strategies import networks
from triadic import Graph
from triadic.core import memory
from triadic.core.oriented import Oriented
from triadic.core.triad_types import CLOSED_NAMES, CLOSED_ROLES, OPEN_NAMES, ROLE_OF_CODE, TRIAD_NAMES, TYPE_OF_CODE
from triadic.counts.count import run
from triadic.counts.triads import (
    CLOSED_ROLES_OF_VERTICES,
    CLOSED_TRIADS,
    DYADS,
    LABELLED_CLOSED_TRIADS,
    labelled_codes,
    list_triads,
    types_of,
)
from triadic.devices.cpu.orient import id_rows
from triadic.devices.cpu.triads import closed_triads as cpu
from triadic.devices.cpu.triads import vertex_census
from triadic.devices.cpu.triads.labelled_triads import labelled_wedges
from triadic.devices.cpu.triangles import parts
from triadic.devices.gpu import triads as gpu_census
from triadic.errors import OutOfMemoryError
from triadic.generate import rmat

KEYWORDS = {"device": "auto", "progress": False}
CLOSED_CODES = [code for code in range(64) if code & 3 and code >> 2 & 3 and code >> 4]


def simple_arcs(network):
    return naive.simple(network.arcs, directed=network.directed).arcs


def naive_roles(vertices, arcs):
    """Count for each vertex how often it plays each role: the type, then its mutual, out and in dyads in the triad."""
    joined = set(arcs)
    found = [Counter() for _ in range(vertices)]
    for triple, code in naive.triads(vertices, arcs):
        if code in CLOSED_CODES:
            for v in triple:
                seen = [((v, w) in joined) + 2 * ((w, v) in joined) for w in triple if w != v]
                found[v][naive.TYPE_OF_CODE[code], seen.count(3), seen.count(1), seen.count(2)] += 1
    return [[counts[role] for role in CLOSED_ROLES] for counts in found]


# What there is to count


def test_the_16_types_have_the_names_that_drawings_give_them():
    assert tuple(naive.TRIADS) == TRIAD_NAMES
    assert [TRIAD_NAMES[place] for place in TYPE_OF_CODE] == naive.TYPE_OF_CODE
    assert {naive.TYPE_OF_CODE[code] for code in CLOSED_CODES} == set(CLOSED_NAMES)


def test_there_are_15_roles_in_closed_triads():
    roles = Counter(name for name, *_ in CLOSED_ROLES)
    assert roles == {"030T": 3, "030C": 1, "120D": 2, "120U": 2, "120C": 3, "210": 3, "300": 1}
    assert len(set(CLOSED_ROLES)) == 15
    assert all(mutual + out + into == 2 for _, mutual, out, into in CLOSED_ROLES)


def test_each_corner_of_a_code_plays_a_role_of_its_type():
    for code in CLOSED_CODES:
        assert {CLOSED_ROLES[ROLE_OF_CODE[corner, code]][0] for corner in range(3)} == {naive.TYPE_OF_CODE[code]}


# Counting


@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_types_codes_and_roles_are_what_the_oracle_counts(any_device, network, threads):
    n, arcs, oriented = network.vertices, simple_arcs(network), network.graph().oriented()
    census, codes = naive.triad_census(n, arcs), naive.labelled_census(n, arcs)
    keywords = {"threads": threads, "device": any_device, "progress": False}
    types = types_of(run(CLOSED_TRIADS, oriented, **keywords))
    assert types.tolist() == [count if name in CLOSED_NAMES else 0 for name, count in census.items()]
    labelled = labelled_codes(run(LABELLED_CLOSED_TRIADS, oriented, **keywords))
    assert labelled.tolist() == [count if code in CLOSED_CODES else 0 for code, count in enumerate(codes)]
    roles = run(CLOSED_ROLES_OF_VERTICES, oriented, **keywords)
    assert roles[oriented.rank].tolist() == naive_roles(n, arcs)
    assert types.dtype == labelled.dtype == roles.dtype == np.int64


@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_the_dyads_of_a_vertex_and_the_wedges_it_ends_are_what_the_oracle_counts(any_device, network, threads):
    n, joined, oriented = network.vertices, set(simple_arcs(network)), network.graph().oriented()
    neighbours = [{w for pair in joined if v in pair for w in pair if w != v} for v in range(n)]
    state = {(v, w): ((v, w) in joined) + 2 * ((w, v) in joined) for v in range(n) for w in neighbours[v]}
    dyads, ends = np.zeros((n, 3), dtype=int), np.zeros((n, 6), dtype=int)
    for (v, u), to_u in state.items():
        dyads[v, (3, 1, 2).index(to_u)] += 1
        for w in neighbours[u] - {v}:
            ends[v, OPEN_NAMES.index(naive.TYPE_OF_CODE[to_u + 16 * state[u, w]])] += 1
    if any_device == "cpu":
        at_rank = run(DYADS, oriented, threads=threads)
        found = vertex_census.wedge_ends(oriented, at_rank, threads=threads)
    else:
        at_rank, found = gpu_census.dyads_and_wedge_ends(any_device, oriented)
    assert at_rank[oriented.rank].tolist() == dyads.tolist()
    assert found[oriented.rank].tolist() == ends.tolist()


@given(network=networks(), threads=st.sampled_from([1, 2, 16]), dyads=st.sampled_from(["all", "mutual", "asymmetric"]))
def test_rows_by_id_hold_the_neighbours_on_either_side(network, threads, dyads):
    joined, graph = set(simple_arcs(network)), network.graph()
    kinds = {"all": {1, 2, 3}, "mutual": {3}, "asymmetric": {1, 2}}[dyads]
    if not graph.directed:
        joined |= {(v, u) for u, v in joined}
        dyads, kinds = "all", {3}
    pairs = combinations(range(network.vertices), 2)
    expected = [(u, v, s) for u, v in pairs if (s := ((u, v) in joined) + 2 * ((v, u) in joined)) in kinds]
    above = id_rows.rows_above(graph.oriented(), dyads=dyads, threads=threads)
    below = id_rows.rows_below(graph.oriented(), dyads=dyads, threads=threads)
    of_row = [np.repeat(np.arange(network.vertices), np.diff(rows.indptr)).tolist() for rows in (above, below)]
    assert list(zip(of_row[0], above.indices.tolist(), above.state.tolist(), strict=True)) == expected
    turned = sorted((v, u, s) for u, v, s in expected)
    assert list(zip(of_row[1], below.indices.tolist(), below.state.tolist(), strict=True)) == turned


@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_pairs_of_dyads_that_share_a_vertex_are_what_the_oracle_counts(network, threads):
    n, arcs = network.vertices, simple_arcs(network)
    state = Counter()
    for u, v in arcs:
        state[min(u, v), max(u, v)] += 1 if u < v else 2
    pairs, singles = np.zeros((3, 4, 4), dtype=int), np.zeros((3, 4), dtype=int)
    for u, v, w in combinations(range(n), 3):
        uv, uw, vw = state[u, v], state[u, w], state[v, w]
        pairs[0, uv, uw] += 1
        pairs[1, uv, vw] += 1
        pairs[2, uw, vw] += 1
        singles[0, uv] += 1
        singles[1, uw] += 1
        singles[2, vw] += 1
    found = labelled_wedges(network.graph().oriented(), threads=threads)
    for expected, got in zip([*pairs, *singles], found, strict=True):
        edges = (slice(1, 4),) * expected.ndim
        assert got[edges].tolist() == expected[edges].tolist()


@given(network=networks(directed=False))
def test_every_closed_triad_of_an_undirected_graph_is_300(any_device, network):
    oriented = network.graph().oriented()
    assert oriented.state is None
    types = types_of(run(CLOSED_TRIADS, oriented, threads=1, device=any_device, progress=False))
    assert types.tolist() == [0] * 15 + [naive.triangle_count(network.vertices, network.arcs)]


@pytest.fixture(scope="module")
def crowd():
    """A directed R-MAT network, oriented."""
    return rmat(11, seed=5, directed=True).oriented()


@pytest.mark.parametrize("threads", [1, 2, 3, 5, 8, 16])
def test_every_number_of_threads_gives_the_same_counts(crowd, threads):
    for labelled in (False, True):
        expected = cpu.by_code(crowd, labelled=labelled, threads=1)
        np.testing.assert_array_equal(cpu.by_code(crowd, labelled=labelled, threads=threads), expected)
    expected = cpu.by_role(crowd, ROLE_OF_CODE, threads=1)
    np.testing.assert_array_equal(cpu.by_role(crowd, ROLE_OF_CODE, threads=threads), expected)
    expected = vertex_census.census_by_vertex(crowd, (9, 9), threads=1)
    np.testing.assert_array_equal(vertex_census.census_by_vertex(crowd, (9, 9), threads=threads), expected)


def test_the_roles_add_up_to_three_a_triad(any_device, crowd):
    types, roles = (
        run(count, crowd, threads=2, device=any_device, progress=False)
        for count in (CLOSED_TRIADS, CLOSED_ROLES_OF_VERTICES)
    )
    types = types_of(types)
    for name in CLOSED_NAMES:
        columns = [role for role, (kind, *_) in enumerate(CLOSED_ROLES) if kind == name]
        assert types[TRIAD_NAMES.index(name)] > 0
        assert roles[:, columns].sum() == 3 * types[TRIAD_NAMES.index(name)]
    # In a transitive triple each of the three roles is played once.
    transitive = [role for role, (kind, *_) in enumerate(CLOSED_ROLES) if kind == "030T"]
    assert len(set(roles[:, transitive].sum(axis=0).tolist())) == 1


@pytest.mark.parametrize("threads", [1, 2, 16])
def test_the_lists_of_one_hub_may_be_shared_out_over_blocks(threads):
    """Pages point at both ends of a spine 0 -> 1: each is a transitive triple, all lists are of one vertex."""
    pages = 30_000
    page = np.arange(2, pages + 2)
    graph = Graph.from_edges(np.r_[0, page, page], np.r_[1, np.zeros(pages, int), np.ones(pages, int)], directed=True)
    oriented = graph.oriented()
    work = parts.prepare(oriented, threads=threads, hubs=0)
    assert threads == 1 or len(work.blocks) > 2
    types = types_of(run(CLOSED_TRIADS, oriented, threads=threads, **KEYWORDS))
    assert types[TRIAD_NAMES.index("030T")] == types.sum() == pages
    roles = run(CLOSED_ROLES_OF_VERTICES, oriented, threads=threads, **KEYWORDS)[oriented.rank]
    place = {role: CLOSED_ROLES.index(("030T", 0, *role)) for role in [(2, 0), (1, 1), (0, 2)]}
    assert roles[0].tolist() == [pages * (role == place[1, 1]) for role in range(15)]
    assert roles[1].tolist() == [pages * (role == place[0, 2]) for role in range(15)]
    assert set(roles[2:].argmax(axis=1).tolist()) == {place[2, 0]}
    assert set(roles[2:].sum(axis=1).tolist()) == {1}
    labelled = labelled_codes(run(LABELLED_CLOSED_TRIADS, oriented, threads=threads, **KEYWORDS))
    assert labelled[1 + 4 * 2 + 16 * 2] == labelled.sum() == pages


@pytest.mark.nightly  # takes seconds; the triangles of such a graph are counted in every run
def test_a_complete_graph_has_more_triads_than_32_bits_hold():
    n = 2400
    oriented = Graph.from_edges(*np.triu_indices(n, k=1)).oriented()
    types = types_of(run(CLOSED_TRIADS, oriented, threads=2, **KEYWORDS))
    assert types[TRIAD_NAMES.index("300")] == comb(n, 3) > 2**31


@pytest.mark.nightly  # the tests of triangles and of declared counts have 64-bit ids in every run
def test_64_bit_vertex_ids_count_the_same(crowd):
    wide = Oriented(
        crowd.rank.astype(np.int64), crowd.indptr, crowd.indices.astype(np.int64), crowd.state, crowd.degree
    )
    for labelled in (False, True):
        expected = cpu.by_code(crowd, labelled=labelled, threads=2)
        np.testing.assert_array_equal(cpu.by_code(wide, labelled=labelled, threads=2), expected)
    expected = cpu.by_role(crowd, ROLE_OF_CODE, threads=2)
    np.testing.assert_array_equal(cpu.by_role(wide, ROLE_OF_CODE, threads=2), expected)
    expected = vertex_census.census_by_vertex(crowd, (9, 9), threads=1)
    np.testing.assert_array_equal(vertex_census.census_by_vertex(wide, (9, 9), threads=2), expected)
    for name in ("030C", "201", "012"):
        for ours, theirs in zip(list_triads(crowd, name, 500), list_triads(wide, name, 500), strict=True):
            np.testing.assert_array_equal(ours, theirs)
    for ours, theirs in zip(labelled_wedges(crowd, threads=1), labelled_wedges(wide, threads=2), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_counting_leaves_the_oriented_graph_as_it_was(crowd):
    before = [array.copy() for array in (crowd.rank, crowd.indptr, crowd.indices, crowd.state, crowd.degree)]
    types_of(run(CLOSED_TRIADS, crowd, threads=2, **KEYWORDS))
    run(CLOSED_ROLES_OF_VERTICES, crowd, threads=2, **KEYWORDS)
    labelled_wedges(crowd, threads=2)
    for array, copy in zip((crowd.rank, crowd.indptr, crowd.indices, crowd.state, crowd.degree), before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_what_does_not_fit_in_memory_is_refused_with_both_figures(crowd, monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 1 << 10)
    for count in (CLOSED_TRIADS, CLOSED_ROLES_OF_VERTICES, LABELLED_CLOSED_TRIADS):
        with pytest.raises(OutOfMemoryError, match=r"takes .* [KM]iB and 1\.0 KiB are available: use fewer threads"):
            run(count, crowd, threads=2, **KEYWORDS)
