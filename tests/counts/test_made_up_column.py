"""A column of edges that nothing in the package knows is kept on every way of a graph, and a count of it adds it up.

The confidence of an arc is a function of its ends, so that it can be compared wherever the arc turns up.
"""

from __future__ import annotations

import pickle
from collections import defaultdict
from datetime import date

import numpy as np
import pytest
from hypothesis import given

import triadic
from strategies import Network, examples, networks
from triadic.core.compiled import kernel
from triadic.counts.count import Bytes, Count, Work, run
from triadic.devices.gpu.rows import cached, lists_on, places_on, rows_on
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import Source
from triadic.errors import ArgumentError, WriteError

NAME = "confidence"

SUM_AT_ENDS = """
/* Add the value of each edge at both its ends: those of the vertex's own row, and those of the rows that hold it. */
KERNEL void sum_at_ends(GLOBAL const i64 *RESTRICT indptr, GLOBAL const i64 *RESTRICT list_ptr,
                        GLOBAL const u32 *RESTRICT ends, GLOBAL const u32 *RESTRICT places, u64 n,
                        GLOBAL const i64 *RESTRICT values, GLOBAL i64 *RESTRICT sums) {
    u64 v = GLOBAL_THREAD;
    if (v < n) {
        i64 sum = 0;
        for (i64 i = indptr[v]; i < indptr[v + 1]; i++)
            sum += values[i];
        for (i64 k = list_ptr[v]; k < list_ptr[v + 1]; k++)
            sum += values[indptr[ends[k]] + places[k]];
        sums[v] = sum;
    }
}
"""


class _Written(Source):
    """A source that is written here, and not in a file."""

    def text(self, teams):
        return Source.text(self, teams) + SUM_AT_ENDS


def values_of(oriented):
    """Return the confidence of each edge, or the sum of that of its arcs."""
    column = oriented.columns[NAME]
    if oriented.state is None:
        return column.out
    return np.where(oriented.state & 1, column.out, 0) + np.where(oriented.state & 2, column.into, 0)


@kernel
def add_at_ends(indptr, indices, values, sums):
    for row in range(indptr.size - 1):
        for i in range(indptr[row], indptr[row + 1]):
            sums[row] += values[i]
            sums[indices[i]] += values[i]


def sums_on_cpu(oriented, *, threads, progress):
    sums = np.zeros(oriented.num_vertices, dtype=np.int64)
    add_at_ends(oriented.indptr, oriented.indices, values_of(oriented), sums)
    return sums


def sums_on_gpu(device, oriented, *, progress):
    runtime = runtimes_of(device)[0]
    rows, lists = rows_on(runtime, oriented), lists_on(runtime, oriented)
    values = cached(oriented, runtime, NAME, lambda: runtime.upload(values_of(oriented)))
    sums = runtime.zeros(rows.n, np.int64)
    runtime.launch_each(
        _Written("rows", headers=("search",)), "sum_at_ends", rows.n, rows.indptr, lists.ptr, lists.ends,
        places_on(runtime, oriented), np.uint64(rows.n), values, sums,
    )  # fmt: skip
    return runtime.download(sums)


CONFIDENCE = Count(
    name="confidences of vertices",
    gives="vertices",
    cpu=sums_on_cpu,
    gpu=sums_on_gpu,
    bytes=Bytes(vertex=8, edge=8),
    work=Work(vertex=1, edge=2),
    not_tiled="tiles have no such column",
)


def confidence(u, v, *, directed):
    u, v = (u, v) if directed or u < v else (v, u)
    return 7 * u + 3 * v + 1


def with_confidence(network):
    values = [confidence(u, v, directed=network.directed) for u, v in network.arcs]
    return network.graph(columns={NAME: np.array(values, dtype=np.int64)})


def assert_kept(graph):
    """Assert that each arc has its confidence; the labels of the vertices are the ends that it was made from."""
    rows = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    names = np.arange(graph.num_vertices) if graph.labels is None else graph.labels
    expected = [
        confidence(u, v, directed=graph.directed)
        for u, v in zip(names[rows].tolist(), names[graph.indices].tolist(), strict=True)
    ]
    assert graph.columns[NAME].tolist() == expected
    oriented = graph.oriented()
    larger, smaller = np.repeat(oriented.order, np.diff(oriented.indptr)), oriented.order[oriented.indices]
    state = np.full(oriented.num_edges, 1) if oriented.state is None else oriented.state
    column = oriented.columns[NAME]
    for bit, values, source, target in ((1, column.out, larger, smaller), (2, column.into, smaller, larger)):
        held = state & bit != 0
        ends = zip(names[source[held]].tolist(), names[target[held]].tolist(), strict=True)
        found = [] if values is None else values[held].tolist()
        assert found == [confidence(u, v, directed=graph.directed) for u, v in ends]


def expected_sums(network):
    sums = defaultdict(int)
    kept = {(u, v) if network.directed or u < v else (v, u) for u, v in network.arcs if u != v}
    for u, v in kept:
        for end in (u, v):
            sums[end] += confidence(u, v, directed=network.directed)
    return [sums[v] for v in range(network.vertices)]


@given(network=networks())
@examples(60)
def test_it_is_kept_through_orientation_and_by_rows(network):
    graph = with_confidence(network)
    assert_kept(graph)
    assert_kept(pickle.loads(pickle.dumps(graph)))
    again = graph.filter(weights=(None, None)) if graph.is_weighted else graph.subgraph(range(graph.num_vertices))
    assert_kept(again)


@given(network=networks())
@examples(20)
def test_it_is_kept_by_selection(network):
    graph = with_confidence(network)
    half = np.arange(0, graph.num_vertices, 2)
    assert_kept(graph.subgraph(half))
    assert_kept(graph.largest_component())
    weighted = network.graph(
        columns={NAME: [confidence(u, v, directed=network.directed) for u, v in network.arcs]},
        weights=np.arange(len(network.arcs)),
        combine={"weight": "max"},
    )
    filtered = weighted.filter(weights=(3, None))
    assert_kept(filtered)
    assert_kept(triadic.k_truss(graph, 3))
    assert list(filtered.columns) == ["weight", NAME]


@given(first=networks(), second=networks())
@examples(20)
def test_it_is_kept_by_batches(first, second):
    both = [with_confidence(first), with_confidence(second._replace(directed=first.directed))]
    batch = triadic.GraphBatch.from_graphs(both)
    for graph, part in zip(both, batch, strict=True):
        assert_kept(part)
        assert part.columns[NAME].tolist() == graph.columns[NAME].tolist()
    joined = np.concatenate([graph.columns[NAME] for graph in both])
    assert batch.graph.columns[NAME].tolist() == joined.tolist()
    assert batch[[1, 0]].graph.columns[NAME].tolist() == np.roll(joined, len(both[1].indices)).tolist()


@given(network=networks())
@examples(20)
def test_a_count_of_it_adds_it_up_on_every_device(any_device, network):
    oriented = with_confidence(network).oriented()
    found = run(CONFIDENCE, oriented, device=any_device)
    assert found[oriented.rank].tolist() == expected_sums(network)


def test_a_count_of_it_adds_it_up_over_a_batch(any_device):
    networks_of_batch = [Network(4, [(0, 1), (1, 2), (2, 0), (3, 0)], directed=False), Network(2, [(1, 0)], False)]
    batch = triadic.GraphBatch.from_graphs(map(with_confidence, networks_of_batch))
    found = run(CONFIDENCE, batch.oriented(), device=any_device)[batch.oriented().rank]
    assert found.tolist() == [value for network in networks_of_batch for value in expected_sums(network)]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("sum", [9, 2]), ("max", [6, 2]), ("min", [3, 2]), ("mean", [4.5, 2.0]), ("first", [3, 2])],
)
@pytest.mark.parametrize("directed", [False, True])
def test_repeats_with_other_values_are_refused_unless_a_rule_combines_them(rule, expected, directed):
    ends = [0, 0, 1], [1, 1, 2]
    given_twice = {"columns": {NAME: [3, 6, 2]}, "directed": directed}
    with pytest.raises(ArgumentError, match="vertex 0 and vertex 1 are joined with the values 3 and 6; expected one"):
        triadic.Graph.from_edges(*ends, **given_twice)
    for combine in (rule, {NAME: rule}):
        graph = triadic.Graph.from_edges(*ends, **given_twice, combine=combine)
        assert sorted(set(graph.columns[NAME].tolist()), reverse=True) == expected
        assert graph.columns[NAME].dtype == (np.float64 if rule == "mean" else np.int64)
    with pytest.raises(ArgumentError, match='combine="error": vertex 0 and vertex 1 are joined more than once'):
        triadic.Graph.from_edges(*ends, **given_twice, combine={NAME: "error"})


def test_an_arc_and_its_reverse_have_values_of_their_own_until_directions_are_dropped():
    graph = triadic.Graph.from_edges([0, 1], [1, 0], columns={NAME: [3, 6]}, directed=True)
    assert graph.columns[NAME].tolist() == [3, 6]
    with pytest.raises(ArgumentError, match="values 3 and 6; expected one value, combine="):
        graph.to_undirected()
    assert graph.to_undirected(combine={NAME: "max"}).columns[NAME].tolist() == [6, 6]


def test_values_may_be_texts_dates_and_missing():
    days = np.array([date(2024, 1, 2), date(2024, 1, 3), "NaT"], dtype="datetime64[D]")
    columns = {"kind": ["b", "a", "b"], "day": days, "share": [np.nan, 0.5, np.nan], "note": [None, "x", None]}
    ends = [0, 1, 0], [1, 2, 1]
    with pytest.raises(ArgumentError, match="column 'day'"):
        triadic.Graph.from_edges(*ends, columns=columns)
    graph = triadic.Graph.from_edges(*ends, columns=columns, combine={"day": "first"})
    assert graph.columns["kind"].tolist() == ["b", "b", "a", "a"]
    assert graph.columns["day"].tolist() == [date(2024, 1, 2)] * 2 + [date(2024, 1, 3)] * 2
    assert np.isnan(graph.columns["share"][0])
    assert graph.columns["note"].tolist() == [None, None, "x", "x"]
    latest = triadic.Graph.from_edges([0, 0], [1, 1], columns={"day": days[:2]}, combine="max")
    assert latest.columns["day"].tolist() == [date(2024, 1, 3)] * 2


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({NAME: [1, 2]}, r"columns\['confidence'\]: expected shape \(1,\), got \(2,\)"),
        ({"weight": [1]}, "columns: 'weight' names a column; expected a text other than source, target, weight"),
        ({3: [1]}, "columns: 3 names a column"),
        ([1], r"columns=\[1\]: expected a mapping from names to arrays"),
        ({NAME: np.ma.array([1], mask=[True])}, r"columns\['confidence'\]: 1 of 1 are masked"),
    ],
)
def test_other_columns_are_refused(columns, message):
    with pytest.raises(ArgumentError, match=message):
        triadic.Graph.from_edges([0], [1], columns=columns)


@pytest.mark.parametrize(
    ("combine", "message"),
    [
        ({"kind": "sum"}, "combine: no column is named 'kind', expected one of 'weight', 'confidence'"),
        ({NAME: "best"}, r"combine\['confidence'\]='best': expected one of 'sum', 'max'"),
        ({NAME: "sum"}, r"combine\['confidence'\]='sum': the column has <U1, expected numbers"),
        (3, "combine=3: expected one of 'sum', .*, or a mapping from columns to them"),
    ],
)
def test_other_rules_are_refused(combine, message):
    with pytest.raises(ArgumentError, match=message):
        triadic.Graph.from_edges([0, 1], [1, 0], columns={NAME: ["a", "b"]}, combine=combine)


def test_sums_that_are_not_exact_are_refused():
    large = {NAME: [2**53, 1]}
    with pytest.raises(ArgumentError, match=r"the values of the column add up to more than 2\*\*53"):
        triadic.Graph.from_edges([0, 1], [1, 0], columns=large, combine="sum")
    assert triadic.Graph.from_edges([0, 1], [1, 0], columns=large, combine="max").columns[NAME].tolist() == [2**53] * 2
    with pytest.raises(ArgumentError, match="values add up to more than a float64 can hold"):
        triadic.Graph.from_edges([0, 1], [1, 0], columns={NAME: [1e308, 1e308]}, combine="sum")
    with pytest.raises(ArgumentError, match=r"combine\['note'\]='max': the column has no order"):
        triadic.Graph.from_edges([0, 1], [1, 0], columns={"note": [None, "x"]}, combine="max")


def test_graphs_of_a_batch_have_the_same_columns():
    graphs = [triadic.Graph.from_edges([0], [1], columns={NAME: [1]}), triadic.Graph.from_edges([0], [1])]
    with pytest.raises(ArgumentError, match="graph 0 is one with the column 'confidence' and graph 1 is not"):
        triadic.GraphBatch.from_graphs(graphs)


def test_a_file_that_has_no_such_column_says_so(tmp_path):
    graph = triadic.Graph.from_edges([0], [1], columns={NAME: [1]})
    able = r"\(csv, tsv, parquet, graphml, gexf, triadic\)"
    words = f"loses the columns confidence; use a format that keeps the network {able}"
    with pytest.raises(WriteError, match=words):
        triadic.write(graph, tmp_path / "network.mtx")
    assert repr(graph) == "Graph(undirected, 2 vertices, 1 edge, with columns confidence)"
