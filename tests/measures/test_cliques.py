"""Cliques and simplices of every size: brute force, closed forms, other counts and programs, and what is refused."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import examples
from triadic.counts.cliques import CLIQUES
from triadic.counts.count import run
from triadic.devices.cpu import cliques
from triadic.errors import ArgumentError, CountOverflowError, OutOfMemoryError, OutOfTimeError, UnsupportedError

PLACES = ("source", "inner", "sink")


def naive(graph, *, directed):
    """Return the counts by size, by (place, vertex, size), and by (edge, size), following every ordered clique."""
    n = graph.num_vertices
    joined = np.zeros((n, n), dtype=bool)
    joined[graph.edges()] = True
    joined |= False if directed else joined.T
    totals, at_vertex, at_edge = Counter(), Counter(), Counter()

    def go_on(clique, candidates):
        for place, v in enumerate(candidates):
            longer, size = [*clique, v], len(clique) + 1
            totals[size] += 1
            for i, u in enumerate(longer):
                where = "" if not directed else PLACES[(i > 0) + (0 < i == size - 1)]
                at_vertex[where, u, size] += 1
            at_edge.update((*sorted(pair), size) for pair in combinations(longer, 2))
            later = candidates if directed else candidates[place + 1 :]
            go_on(longer, [w for w in later if joined[v, w]])

    go_on([], list(range(n)))
    return totals, at_vertex, at_edge


@st.composite
def graphs(draw, *, directed):
    n = draw(st.integers(1, 7 if directed else 11))
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v and (directed or u < v)]
    left_out = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    chosen = left_out if draw(st.booleans()) else set(pairs) - left_out
    arcs = np.array(sorted(chosen), dtype=np.int64).reshape(-1, 2)
    return triadic.Graph.from_edges(*arcs.T, directed=directed, num_vertices=n)


@examples(60)
@given(graph=graphs(directed=False), low=st.integers(1, 5), more=st.integers(0, 6), threads=st.integers(1, 3))
def test_cliques_are_those_of_brute_force(graph, low, more, threads):
    totals, at_vertex, at_edge = naive(graph, directed=False)
    assert dict(triadic.count(graph, "cliques", threads=threads)) == dict(sorted(totals.items()))
    wanted = {k: count for k, count in sorted(totals.items()) if low <= k <= low + more}
    size = (low, low + more)
    assert dict(triadic.count(graph, "cliques", size=size, threads=threads)) == wanted
    assert dict(triadic.count(graph, "cliques", size=low)) == {k: wanted[k] for k in wanted if k == low}
    table = triadic.count(graph, "cliques", by="vertex", size=size, threads=threads)
    edges = triadic.count(graph, "cliques", by="edge", size=size, threads=threads)
    assert list(table) == list(edges) == [f"cliques of {k}" for k in wanted]
    for k in wanted:
        assert table[f"cliques of {k}"].tolist() == [at_vertex["", v, k] for v in range(graph.num_vertices)]
        if k > 1:
            ends = zip(*map(np.ndarray.tolist, graph.edges()), strict=True)
            assert edges[f"cliques of {k}"].tolist() == [at_edge[(*sorted(pair), k)] for pair in ends]


@examples(60)
@given(graph=graphs(directed=True), low=st.integers(1, 4), more=st.integers(0, 4), threads=st.integers(1, 3))
def test_simplices_are_those_of_brute_force(graph, low, more, threads):
    totals, at_vertex, _ = naive(graph, directed=True)
    found = triadic.count(graph, "simplices", threads=threads)
    assert dict(found) == dict(sorted(totals.items()))
    assert found.euler_characteristic == sum((-1) ** (k - 1) * count for k, count in totals.items())
    wanted = {k: count for k, count in sorted(totals.items()) if low <= k <= low + more}
    assert dict(triadic.count(graph, "simplices", size=(low, low + more))) == wanted
    table = triadic.count(graph, "simplices", by="vertex", size=(low, low + more), threads=threads)
    for k in wanted:
        for place in PLACES:
            expected = [at_vertex[place, v, k] for v in range(graph.num_vertices)]
            assert table[f"simplices of {k} {place}"].tolist() == expected
    skeleton, _, _ = naive(graph.to_undirected(combine="first"), directed=False)
    assert dict(triadic.count(graph, "cliques")) == dict(skeleton)


@examples(20)
@given(graph=graphs(directed=False), steps=st.integers(1, 20))
def test_a_search_that_is_left_goes_on_where_it_was(graph, steps):
    whole = triadic.count(graph, "cliques", by="edge", threads=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cliques, "_STEPS", steps)
        for threads in (1, 2):
            parts = triadic.count(graph, "cliques", by="edge", threads=threads)
            assert {name: parts[name].tolist() for name in parts} == {name: whole[name].tolist() for name in whole}


def test_of_three_to_five_vertices_they_equal_triangles_and_orbits():
    graph = triadic.generate.rmat(9, seed=1)
    table = triadic.count(graph, "cliques", by="vertex", size=(2, 5))
    orbits = triadic.count(graph, "orbits", by="vertex", size=5)
    assert table["cliques of 2"].tolist() == graph.degree.tolist()
    assert table["cliques of 3"].tolist() == triadic.triangles(graph).tolist()
    assert table["cliques of 4"].tolist() == orbits["orbit 14"].tolist()
    assert table["cliques of 5"].tolist() == orbits["orbit 72"].tolist()
    at_edge = triadic.count(graph, "cliques", by="edge", size=3)
    assert at_edge["cliques of 3"].tolist() == triadic.edge_support(graph).tolist()
    assert triadic.count(graph, "A - B; B - C; C - D; D - A; A - C; B - D") == table["cliques of 4"].sum() // 4
    coefficient = triadic.higher_order_clustering(graph, size=2, by="vertex")
    np.testing.assert_allclose(coefficient, triadic.clustering(graph))


@pytest.mark.parametrize("largest", [31, 32, 33, 40])
def test_cliques_of_many_vertices_in_a_larger_graph(largest):
    noise = triadic.generate.erdos_renyi(100, 3700, seed=1).edges()
    source, target = np.triu_indices(largest, 1)
    graph = triadic.Graph.from_edges(np.append(source, noise[0] + 40), np.append(target, noise[1] + 40))
    found, totals = triadic.count(graph, "cliques", by="vertex"), triadic.count(graph, "cliques")
    assert [found[name].sum() for name in found.names] == [size * count for size, count in totals.items()]
    assert found[f"cliques of {largest}"][:largest].tolist() == [1] * largest
    assert found["cliques of 5"][:largest].tolist() == [comb(largest - 1, 4)] * largest


def test_counts_of_a_complete_graph_pass_64_bits():
    graph = triadic.Graph.from_edges(*np.triu_indices(200, 1))
    assert dict(triadic.count(graph, "cliques")) == {k: comb(200, k) for k in range(1, 201)}
    table = triadic.count(graph, "cliques", by="vertex", dtype=object)
    assert all(set(table[f"cliques of {k}"]) == {comb(199, k - 1)} for k in range(1, 201))
    table = triadic.count(graph, "cliques", by="edge", size=(99, 101), dtype=object)
    assert all(set(table[f"cliques of {k}"]) == {comb(198, k - 2)} for k in range(99, 102))
    with pytest.raises(CountOverflowError, match=r"cliques of 14: a count exceeds 2\*\*63; .* dtype=object"):
        triadic.count(graph, "cliques", by="vertex")
    small = triadic.count(graph, "cliques", by="vertex", size=(1, 13))
    assert small["cliques of 13"].dtype == np.int64
    assert triadic.higher_order_clustering(graph, size=100) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(10))
def test_simplices_equal_those_of_pyflagser(seed):
    pyflagser = pytest.importorskip("pyflagser")
    n, rng = 30 + 5 * seed, np.random.default_rng(seed)
    source, target = np.nonzero((rng.random((n, n)) < 0.3) & ~np.eye(n, dtype=bool))
    graph = triadic.Graph.from_edges(source, target, directed=True, num_vertices=n)
    matrix = graph.to_scipy().astype(bool).astype(np.float64).tocoo()
    found = pyflagser.flagser_count_unweighted(matrix, directed=True)
    assert list(triadic.count(graph, "simplices").values()) == [int(count) for count in found]


def test_simplices_of_a_nervous_system(real_networks):
    graph = triadic.read(real_networks / "celegansneural.gml.gz")
    assert list(triadic.count(graph, "simplices").values()) == [297, 2345, 4399, 3766, 2135, 863, 187, 6]


def test_vertices_batches_tables_and_random_networks():
    graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], labels=["a", "b", "c", "d"])
    found = triadic.count(graph, "cliques", by="vertex", size=3, vertices=["c", "d"])
    assert found.to_dict() == {"label": ["c", "d"], "cliques of 3": [1, 0]}
    table = triadic.vertex_table(graph, ["degree", "cliques"])
    assert list(table) == ["degree", "cliques of 1", "cliques of 2", "cliques of 3"]
    both = triadic.count(triadic.GraphBatch.from_graphs([graph, graph.subgraph(["c", "d"])]), "cliques")
    assert both.to_dict() == {
        "graph": [0, 1], "cliques of 1": [4, 2], "cliques of 2": [4, 1], "cliques of 3": [1, 0],
    }  # fmt: skip
    ring = triadic.generate.watts_strogatz(60, 8, 0.1, seed=1)
    compared = triadic.significance(ring, of="cliques", samples=5, seed=1, threads=2)
    counts = triadic.count(ring, "cliques")
    assert {name: compared[name].count for name in compared} == {f"cliques of {k}": counts[k] for k in counts if k > 2}
    some = triadic.significance(ring, of="cliques", size=4, samples=2, seed=1)
    assert list(some) == ["cliques of 4"]
    drawn = triadic.randomize(ring, samples=5, seed=1)
    assert [sample[0] for sample in compared.samples] == [triadic.triangle_count(one) for one in drawn]


def test_what_cannot_be_counted_is_refused_in_one_line(tmp_path, monkeypatch):
    graph = triadic.generate.watts_strogatz(60, 8, 0.1, seed=1)
    for size in (0, (3, 2), "3", (1, 2, 3), 2.5):
        with pytest.raises(ArgumentError, match="size="):
            triadic.count(graph, "cliques", size=size)
    with pytest.raises(ArgumentError, match="the graph has no directions; count its 'cliques'"):
        triadic.count(graph, "simplices")
    arcs = triadic.generate.rmat(5, seed=1, directed=True)
    with pytest.raises(ArgumentError, match=r"of='simplices': expected one of .*'cliques'"):
        triadic.count(arcs, "simplices", by="edge")
    with pytest.raises(ArgumentError, match=r"max_seconds=1.0: it does not belong to of='triangles'"):
        triadic.count(graph, "triangles", max_seconds=1.0)
    with pytest.raises(UnsupportedError, match="cliques"):
        triadic.count(graph, "cliques", device="cuda")
    triadic.write(graph, tmp_path / "edges.csv")
    with pytest.raises(UnsupportedError, match="tiles"):
        triadic.count(triadic.tile(tmp_path / "edges.csv", tmp_path / "tiles", ranges=2), "cliques")
    graph = triadic.generate.watts_strogatz(100_000, 8, 0.1, seed=1)
    graph.oriented()
    monkeypatch.setattr("triadic.core.memory.available_bytes", lambda: 1 << 20)
    with pytest.raises(OutOfMemoryError, match=r"count fewer sizes with size=\(low, high\)"):
        run(CLIQUES, graph.oriented(), (1, 8), np.zeros((20, 9), np.int64), threads=1)


def test_a_count_that_takes_too_long_says_how_far_it_came():
    graph = triadic.generate.erdos_renyi(300, 40_000, seed=1)
    with pytest.raises(OutOfTimeError, match=r"max_seconds=0.2: \d+% of the work was done; count fewer sizes"):
        triadic.count(graph, "cliques", max_seconds=0.2)
    calls = []

    def interrupt(done, total):
        calls.append(done)
        if len(calls) > 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        triadic.count(graph, "cliques", progress=interrupt, threads=2)


def test_a_count_is_explained():
    graph = triadic.generate.rmat(8, seed=1, directed=True)
    for of in ("cliques", "simplices"):
        plan = triadic.explain(graph, of).to_dict()
        assert plan["way"] == ["pivots"]
        assert plan["seconds"][0] > 0
        assert plan["bytes"][0] > 0
