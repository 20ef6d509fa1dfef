"""Every measure of a batch returns what it returns for each graph of the batch alone."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import examples, networks
from triadic import Graph, GraphBatch
from triadic.errors import ArgumentError, NothingToCompareError, UnsupportedError

OF_VERTICES = [
    "triangles",
    "clustering",
    "local_closure",
    "square_clustering",
    "graphlet_transform",
    "directed_clustering",
    "weighted_clustering",
]
OF_EDGES = ["edge_support", "trussness"]
OF_GRAPHS = [
    "graphlets",
    "triangle_count",
    "transitivity",
    "average_clustering",
    "average_closure",
    "dyad_census",
    "triad_census",
    "directed_transitivity",
    "structural_balance",
]
THREADS = [1, 2, 3, 4]
ONLY_WEIGHTED = {"weighted_clustering", "structural_balance"}
ONLY_DIRECTED = {"directed_clustering", "directed_transitivity"}
ONLY_UNDIRECTED = {"structural_balance"}
REFUSED = {
    "k_truss": lambda batch: triadic.k_truss(batch, 3),
    "list_triads": lambda batch: triadic.list_triads(batch, "030T"),
    "randomize": triadic.randomize,
    "graphlet_correlation_matrix": triadic.graphlet_correlation_matrix,
    "tile": lambda batch: triadic.tile(batch, "batch.tiles"),
}


def some_graphs(*, directed, weighted=False, seed=0, count=16):
    """Graphs of several sizes; among them are graphs without vertices and without edges."""
    random = np.random.default_rng(seed)
    graphs = []
    for number in range(count):
        n = [0, 1, 5, 40][number] if number < 4 else int(random.integers(2, 14))
        m = 0 if n < 2 or number == 2 else int(random.integers(n, 4 * n))
        # Of directed graphs, weights of arcs both ways differ, which are then added.
        weights = (random.random(m) if directed else random.choice([-1.0, 1.0], m)) if weighted else None
        ends = random.integers(0, max(n, 1), (2, m))
        graphs.append(Graph.from_edges(*ends, num_vertices=n, directed=directed, weights=weights, combine="first"))
    return graphs


def shuffled(graphs, seed=1):
    """The batch of graphs whose vertices are mixed."""
    batch = GraphBatch.from_graphs(graphs)
    new = np.random.default_rng(seed).permutation(batch.num_vertices)
    source, target = batch.graph.edges()
    graph_of_vertex = np.empty_like(batch.graph_of_vertex)
    graph_of_vertex[new] = batch.graph_of_vertex
    weights = batch.graph.weights
    if weights is not None and not batch.directed:
        row = np.repeat(np.arange(batch.num_vertices), np.diff(batch.graph.indptr))
        weights = weights[row < batch.graph.indices]
    arrays = new[source], new[target], graph_of_vertex
    return GraphBatch.from_arrays(*arrays, directed=batch.directed, weights=weights, num_graphs=len(graphs))


def cases(names):
    """The measures, each with the directions that it takes."""
    refused = {(name, False) for name in ONLY_DIRECTED} | {(name, True) for name in ONLY_UNDIRECTED}
    return [(name, directed) for name in names for directed in (False, True) if (name, directed) not in refused]


def graphs_for(name, *, directed):
    """Graphs that a measure takes."""
    return some_graphs(directed=directed, weighted=name in ONLY_WEIGHTED)


def measured(name, graph, **keywords):
    try:
        return getattr(triadic, name)(graph, **keywords)
    except UnsupportedError as error:
        pytest.skip(str(error))


def values(result):
    """The result of a measure as an array with a row for each vertex."""
    return np.stack(list(result), axis=1) if isinstance(result, tuple) else np.asarray(result)


@pytest.mark.parametrize(("name", "directed"), cases(OF_VERTICES))
class TestMeasuresOfVertices:
    def test_have_the_values_of_each_graph_on_any_number_of_threads(self, name, directed):
        graphs = graphs_for(name, directed=directed)
        alone = [values(measured(name, graph)) for graph in graphs]
        for threads in THREADS:
            batch = GraphBatch.from_graphs(graphs)
            whole = values(measured(name, batch, threads=threads))
            assert len(whole) == batch.num_vertices
            for i, of_graph in enumerate(alone):
                message = f"graph {i}, {threads} threads"
                np.testing.assert_array_equal(whole[batch.vertices_of(i)], of_graph, err_msg=message)

    def test_are_the_same_on_every_device(self, name, directed, any_device):
        batch = GraphBatch.from_graphs(graphs_for(name, directed=directed))
        on_device = values(measured(name, batch, device=any_device))
        np.testing.assert_allclose(on_device, values(measured(name, batch)), rtol=1e-12)

    def test_take_vertices_of_graphs_in_any_order(self, name, directed):
        batch = shuffled(graphs_for(name, directed=directed))
        whole = values(measured(name, batch))
        for i, graph in enumerate(batch):
            np.testing.assert_array_equal(whole[batch.vertices_of(i)], values(measured(name, graph)), err_msg=str(i))


@pytest.mark.parametrize(("name", "directed"), cases(OF_EDGES))
class TestMeasuresOfEdges:
    def test_have_the_values_of_each_graph_on_any_number_of_threads(self, name, directed):
        graphs = some_graphs(directed=directed)
        alone = np.concatenate([measured(name, graph) for graph in graphs])
        for threads in THREADS:
            whole = measured(name, GraphBatch.from_graphs(graphs), threads=threads)
            np.testing.assert_array_equal(whole, alone, err_msg=f"{threads} threads")

    def test_are_the_same_on_every_device(self, name, directed, any_device):
        batch = GraphBatch.from_graphs(some_graphs(directed=directed))
        np.testing.assert_array_equal(measured(name, batch, device=any_device), measured(name, batch))


def assert_rows_of_each_graph(table, results):
    """Compare a table with the results of single graphs: numbers, or mappings from names to numbers."""
    for i, result in enumerate(results):
        if isinstance(result, (int, float)):
            np.testing.assert_array_equal(np.asarray(table)[i], result, err_msg=str(i))
        else:
            assert {name: column[i] for name, column in table.items()} == dict(result), i


@pytest.mark.parametrize(("name", "directed"), cases(OF_GRAPHS))
class TestMeasuresOfGraphs:
    def test_have_the_values_of_each_graph_on_any_number_of_threads(self, name, directed):
        graphs = graphs_for(name, directed=directed)
        alone = [measured(name, graph) for graph in graphs]
        for threads in THREADS:
            assert_rows_of_each_graph(measured(name, GraphBatch.from_graphs(graphs), threads=threads), alone)

    def test_are_the_same_on_every_device(self, name, directed, any_device):
        batch = GraphBatch.from_graphs(graphs_for(name, directed=directed))
        on_device = measured(name, batch, device=any_device)
        np.testing.assert_allclose(np.asarray(on_device), np.asarray(measured(name, batch)), rtol=1e-12)

    def test_take_vertices_of_graphs_in_any_order(self, name, directed):
        batch = shuffled(graphs_for(name, directed=directed))
        assert_rows_of_each_graph(measured(name, batch), [measured(name, graph) for graph in batch])


def weighted_graphs(*, directed):
    """Graphs whose largest weights differ by orders of magnitude."""
    random = np.random.default_rng(3)
    graphs = []
    for number, graph in enumerate(some_graphs(directed=directed)):
        source, target = graph.edges()
        weights = random.random(len(source)) * 10.0 ** (number % 5 - 2)
        graphs.append(
            Graph.from_edges(source, target, num_vertices=graph.num_vertices, directed=directed, weights=weights)
        )
    return graphs


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize(
    ("method", "directed"), [("onnela", False), ("onnela", True), ("barrat", False), ("zhang-horvath", False)]
)
def test_weights_are_divided_by_the_largest_of_their_graph(method, directed, mixed):
    graphs = weighted_graphs(directed=directed)
    batch = shuffled(graphs) if mixed else GraphBatch.from_graphs(graphs)
    for largest in (None, 7.5):
        whole = triadic.weighted_clustering(batch, method=method, largest=largest)
        for i, graph in enumerate(batch):
            alone = triadic.weighted_clustering(graph, method=method, largest=largest)
            np.testing.assert_allclose(whole[batch.vertices_of(i)], alone, rtol=1e-12, err_msg=str(i))
    table = triadic.vertex_table(batch, "weighted_clustering")
    np.testing.assert_array_equal(table["weighted_clustering"], triadic.weighted_clustering(batch))


def test_weights_that_cannot_be_used_name_their_graph():
    good, none, negative = (Graph.from_edges([0, 1], [1, 2], weights=w) for w in ([1, 2], [0, -3], [1, -3]))
    empty = Graph.from_edges([], [], num_vertices=0, weights=[])
    batch = GraphBatch.from_graphs({"good": good, "empty": empty, "none": none})
    with pytest.raises(ArgumentError, match=r"^graph none: weights: the largest is 0 and others are negative"):
        triadic.weighted_clustering(batch)
    batch = GraphBatch.from_graphs({"good": good, "bad": negative})
    with pytest.raises(ArgumentError, match=r"expected weights of at least 0, got -3 in graph bad$"):
        triadic.weighted_clustering(batch, method="barrat")
    assert triadic.weighted_clustering(GraphBatch.from_graphs([empty, empty])).shape == (0,)


@examples(20)
@given(st.lists(networks(directed=True), min_size=1, max_size=6))
def test_the_census_of_any_batch_is_that_of_its_graphs(several):
    graphs = [network.graph() for network in several]
    batch = GraphBatch.from_graphs(graphs)
    assert_rows_of_each_graph(triadic.triad_census(batch), [triadic.triad_census(graph) for graph in graphs])
    whole = triadic.triad_census(batch, by="vertex")
    for i, graph in enumerate(graphs):
        np.testing.assert_array_equal(whole[batch.vertices_of(i)], triadic.triad_census(graph, by="vertex"))


@examples(20)
@given(st.lists(networks(directed=False), min_size=1, max_size=6))
def test_graphlets_of_any_batch_are_those_of_its_graphs(several):
    graphs = [network.graph() for network in several]
    batch = GraphBatch.from_graphs(graphs)
    transform = triadic.graphlet_transform(batch)
    alone = [triadic.graphlet_transform(graph) for graph in graphs]
    np.testing.assert_array_equal(transform.net, np.concatenate([each.net for each in alone]))
    for i, each in enumerate(alone):
        assert {name: column[i] for name, column in transform.graph_totals.items()} == each.totals


def test_labelled_triads_are_those_of_each_graph():
    graphs = some_graphs(directed=True)
    table = triadic.triad_census(GraphBatch.from_graphs(graphs), labelled=True)
    assert_rows_of_each_graph(table, [triadic.triad_census(graph, labelled=True) for graph in graphs])


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("types", [16, 64])
def test_the_census_of_some_vertices_takes_the_vertices_of_the_batch(types, mixed):
    graphs = some_graphs(directed=True)
    batch = shuffled(graphs) if mixed else GraphBatch.from_graphs(graphs)
    chosen = np.arange(batch.num_vertices) % 5 == 3
    table = triadic.triad_census(batch, labelled=types == 64, vertices=np.flatnonzero(chosen))
    alone = [
        triadic.triad_census(graph, labelled=types == 64, vertices=chosen[batch.vertices_of(i)])
        for i, graph in enumerate(batch)
    ]
    assert_rows_of_each_graph(table, alone)
    for arguments, message in [
        ({"labelled": 64}, "^labelled=64: expected True or False"),
        ({"vertices": [10**6]}, "^vertices: expected numbers below"),
    ]:
        with pytest.raises(ArgumentError, match=message):
            triadic.triad_census(batch, **arguments)


@pytest.mark.parametrize("over", ["all", "defined", "positive"])
def test_the_average_is_over_the_same_vertices(over):
    graphs = some_graphs(directed=False)
    table = triadic.average_clustering(GraphBatch.from_graphs(graphs), over=over)
    assert_rows_of_each_graph(table, [triadic.average_clustering(graph, over=over) for graph in graphs])


def test_results_that_are_objects_come_in_a_list():
    graphs = some_graphs(directed=False, weighted=True)
    batch = GraphBatch.from_graphs(graphs)
    spectra = triadic.clustering_spectrum(batch)
    assert len(spectra) == len(graphs)
    for graph, spectrum in zip(graphs, spectra, strict=True):
        assert repr(spectrum) == repr(triadic.clustering_spectrum(graph))
    assert_rows_of_each_graph(triadic.signed_triangles(batch), [triadic.signed_triangles(graph) for graph in graphs])
    whole = triadic.signed_triangles(batch, by="vertex")
    assert whole["graph"].tolist() == batch.names[batch.graph_of_vertex].tolist()
    for i, graph in enumerate(graphs):
        alone = triadic.signed_triangles(graph, by="vertex").to_numpy()
        np.testing.assert_array_equal(whole.to_numpy()[batch.vertices_of(i)], alone)


def test_significance_has_a_row_for_each_graph():
    graphs = some_graphs(directed=True)[3:6]
    table = triadic.significance(GraphBatch.from_graphs(graphs), samples=4, seed=1)
    alone = [triadic.significance(graph, samples=4, seed=1) for graph in graphs]
    assert list(table["graph"]) == [0, 1, 2]
    for i, result in enumerate(alone):
        for name, comparison in result.items():
            assert table[f"{name} count"][i] == comparison.count


@pytest.mark.parametrize("of", [None, "clustering", ("clustering", "graphlets"), "triads"])
@pytest.mark.parametrize("directed", [False, True])
def test_significance_of_graphs_with_nothing_to_compare_is_their_counts(of, directed):
    if directed and isinstance(of, tuple):
        pytest.skip("a directed graph is compared by its triads or without directions")
    star = Graph.from_edges([0, 0, 0], [1, 2, 3], directed=directed)
    triangle = Graph.from_edges([0, 1, 2, 1, 2, 0], [1, 2, 0, 0, 1, 2], directed=directed)
    none, empty = (Graph.from_edges([], [], num_vertices=n, directed=directed) for n in (4, 0))
    graphs = [star, some_graphs(directed=directed)[3], none, triangle, empty]
    batch = GraphBatch.from_graphs(graphs, names=list("abcde"))
    with pytest.warns(UserWarning, match=r"^4 of 5 graphs have no edges, or nothing that can be moved") as warned:
        table = triadic.significance(batch, of=of, samples=4, seed=1)
    assert [warning.filename for warning in warned] == [__file__]
    alone = triadic.significance(graphs[1], of=of, samples=4, seed=1)
    assert list(table) == [
        f"{name} {part}"
        for name in alone
        for part in ("count", "mean", "std", "z", "p", "q", *(("profile",) if name in alone.profile else ()))
    ]
    for column, values in table.items():
        name, _, part = column.rpartition(" ")
        expected = alone.profile[name] if part == "profile" else getattr(alone[name], part)
        np.testing.assert_array_equal(values[1], expected, err_msg=column)
        if part != "count":
            assert np.isnan(values[[0, 2, 3, 4]].astype(float)).all(), column
    for name in ("transitivity", "average_clustering"):
        if f"{name} count" in table:
            counts = [getattr(triadic, name)(graph.to_undirected()) for graph in graphs]
            np.testing.assert_allclose(table[f"{name} count"], counts, rtol=1e-12)
    if "300 count" in table:
        assert table["300 count"][[0, 2, 3, 4]].tolist() == [0, 0, 1, 0]


def test_significance_of_a_batch_of_stars_is_all_undefined_and_a_star_alone_is_an_error():
    star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    with pytest.warns(UserWarning, match="^2 of 2 graphs"):
        table = triadic.significance(GraphBatch.from_graphs([star, star]), samples=4)
    assert table["claw count"].tolist() == [1, 1]
    assert np.isnan(table["claw z"]).all()
    for graph in (star, Graph.from_edges([], [], num_vertices=3)):
        with pytest.raises(NothingToCompareError):
            triadic.significance(graph, samples=4)


def test_all_triangles_are_those_of_each_graph():
    graphs = some_graphs(directed=False)
    batch = GraphBatch.from_graphs(graphs)
    parts = [triadic.list_triangles(graph) + first for graph, first in zip(graphs, batch.offsets, strict=False)]
    expected = {tuple(each) for part in parts for each in np.sort(part, axis=1).tolist()}
    assert {tuple(each) for each in np.sort(triadic.list_triangles(batch), axis=1).tolist()} == expected
    listed = np.concatenate([*triadic.list_triangles(batch, batch=1000)])
    assert {tuple(each) for each in np.sort(listed, axis=1).tolist()} == expected


def test_generalized_degrees_are_those_of_each_graph():
    graphs = some_graphs(directed=False)
    whole = triadic.generalized_degree(GraphBatch.from_graphs(graphs))
    alone = [triadic.generalized_degree(graph) for graph in graphs]
    assert sum(each.sum() for each in alone) == whole.sum()
    first = 0
    for each in alone:
        part = whole[first : first + each.shape[0]]
        np.testing.assert_array_equal(part[:, : each.shape[1]].toarray(), each.toarray())
        first += each.shape[0]


def test_a_vertex_table_has_a_row_for_each_vertex_of_all_graphs():
    graphs = some_graphs(directed=True)
    names = ["degree", "clustering", "graphlets", "triads", "roles"]
    table = triadic.vertex_table(GraphBatch.from_graphs(graphs), names)
    alone = [np.asarray(triadic.vertex_table(graph, names)) for graph in graphs]
    np.testing.assert_array_equal(np.asarray(table), np.concatenate(alone))


def test_the_union_of_a_batch_is_one_network():
    """Its census has triads of vertices of different graphs."""
    batch = GraphBatch.from_graphs(some_graphs(directed=True))
    source, target = batch.graph.edges()
    alone = Graph.from_edges(source, target, num_vertices=batch.num_vertices, directed=True)
    assert triadic.triad_census(batch.graph) == triadic.triad_census(alone)
    np.testing.assert_array_equal(
        triadic.triad_census(batch.graph, by="vertex"), triadic.triad_census(alone, by="vertex")
    )


def test_graphs_without_vertices_count_nothing_wherever_they_stand():
    triangle, empty = Graph.from_edges([0, 1, 2], [1, 2, 0]), Graph.from_edges([], [], num_vertices=0)
    batch = GraphBatch.from_graphs([empty, triangle, empty, empty, triangle, empty])
    assert triadic.triangle_count(batch)["triangles"].tolist() == [0, 1, 0, 0, 1, 0]
    assert triadic.dyad_census(batch)["mutual"].tolist() == [0, 3, 0, 0, 3, 0]
    assert np.isnan(triadic.average_clustering(batch)["average_clustering"]).tolist() == [1, 0, 1, 1, 0, 1]
    assert triadic.graphlet_transform(batch).graph_totals["vertex"].tolist() == [0, 3, 0, 0, 3, 0]
    assert batch.edges_of_graphs.tolist() == [0, 3, 0, 0, 3, 0]


@pytest.mark.parametrize("name", REFUSED)
def test_a_function_of_one_network_refuses_a_batch(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((UnsupportedError, ArgumentError), match="GraphBatch") as refusal:
        REFUSED[name](GraphBatch.from_graphs(some_graphs(directed=True)))
    assert "\n" not in str(refusal.value)


def test_a_table_of_graphs_is_pickled_printed_and_converted():
    batch = GraphBatch.from_graphs(some_graphs(directed=True), names=[f"g{i}" for i in range(16)])
    table = triadic.triad_census(batch)
    again = pickle.loads(pickle.dumps(table))
    assert list(again) == list(table)
    assert repr(again) == repr(table)
    assert repr(table).startswith("Table of 16 graphs\ngraph")
    assert table.to_pandas().index.tolist() == batch.names.tolist()
    assert table.to_arrow().column_names == ["graph", *triadic.TRIAD_NAMES]
    assert table.to_polars()["graph"].to_list() == batch.names.tolist()
    assert np.asarray(table).shape == (16, 16)


OF_VERTICES_OF_A_BATCH = {
    "vertex_table": lambda batch: triadic.vertex_table(batch, ["degree", "triangles"]),
    "graphlet_transform": triadic.graphlet_transform,
    "graphlet_transform of three vertices": lambda batch: triadic.graphlet_transform(batch, size=3),
    "directed_clustering": lambda batch: triadic.directed_clustering(batch, parts=True),
}


@pytest.mark.parametrize("result_of", OF_VERTICES_OF_A_BATCH.values(), ids=list(OF_VERTICES_OF_A_BATCH))
class TestDataFramesOfVertices:
    def test_name_the_graph_of_each_vertex_before_its_label(self, result_of):
        graphs = [
            Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True, labels=["ann", "bob", "cem"]),
            Graph.from_edges([0], [1], directed=True, labels=["ann", "eva"]),
        ]
        result = result_of(GraphBatch.from_graphs(graphs, names=["Mon", "Tue"]))
        rows = [("Mon", "ann"), ("Mon", "bob"), ("Mon", "cem"), ("Tue", "ann"), ("Tue", "eva")]
        frames = [result.to_polars(), pickle.loads(pickle.dumps(result)).to_polars()]
        for frame in frames:
            assert frame.columns[:2] == ["graph", "label"]
            assert frame.select("graph", "label").rows() == rows
        table = result.to_pandas()
        assert list(table.index.names) == ["graph", "label"]
        assert table.index.tolist() == rows
        assert list(table.columns) == frames[0].columns[2:]

    def test_number_graphs_and_vertices_without_names(self, result_of):
        edges = [0, 4, 3, 1], [4, 2, 1, 3]
        table = result_of(GraphBatch.from_arrays(*edges, [0, 2, 0, 2, 0], num_graphs=3, directed=True)).to_polars()
        assert table["graph"].to_list() == [0, 2, 0, 2, 0]
        assert table["label"].to_list() == [0, 0, 1, 1, 2]

    def test_of_graphs_with_vertices_of_one_name_number_the_vertices(self, result_of):
        labels = ["c", "a", "a", "b"]
        batch = GraphBatch.from_arrays([1, 2], [2, 3], [0, 1, 1, 1], directed=True, labels=labels)
        table = result_of(batch).to_polars()
        assert table["label"].to_list() == [0, 0, 1, 2]

    def test_of_a_single_graph_have_no_column_of_graphs(self, result_of):
        assert result_of(Graph.from_edges([0], [1], directed=True)).to_polars().columns[0] == "label"


def test_a_vertex_table_of_a_batch_prints_graph_and_label():
    batch = GraphBatch.from_graphs([Graph.from_edges([0], [1], labels=["a", "b"])] * 2, names=["Mon", "Tue"])
    table = triadic.vertex_table(batch, "degree")
    assert repr(table).splitlines()[1:3] == ["graph  label  degree", "Mon        a       1"]
    assert table.to_arrow().column_names == ["graph", "label", "degree"]
    assert table["graph"].tolist() == ["Mon", "Mon", "Tue", "Tue"]
