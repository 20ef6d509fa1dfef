"""A batch: many graphs in one, made of graphs, arrays and tables, and taken apart again."""

from __future__ import annotations

import copy
import pickle

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import examples, networks
from triadic import Graph, GraphBatch
from triadic.errors import ArgumentError

TRIANGLE = Graph.from_edges([0, 1, 2], [1, 2, 0])
PATH = Graph.from_edges([0, 1], [1, 2])
EMPTY = Graph.from_edges([], [], num_vertices=0)


def arcs_of(graph):
    """The edges or arcs of a graph, and its number of vertices."""
    source, target = graph.edges()
    return graph.num_vertices, graph.directed, sorted(zip(source.tolist(), target.tolist(), strict=True))


@st.composite
def arrays_of_batches(draw):
    """Edges within graphs whose vertices stand in any order; some graphs, also at the end, have no vertices."""
    directed = draw(st.booleans())
    several = draw(st.lists(networks(directed=directed), min_size=1, max_size=5))
    graph_of_vertex = np.repeat(np.arange(len(several)), [network.vertices for network in several])
    first = np.cumsum([0, *(network.vertices for network in several)])
    new = np.array(draw(st.permutations(range(int(first[-1])))), dtype=np.int64)
    source = np.concatenate([network.source + start for network, start in zip(several, first, strict=False)])
    target = np.concatenate([network.target + start for network, start in zip(several, first, strict=False)])
    indicator = np.empty_like(graph_of_vertex)
    indicator[new] = graph_of_vertex
    return new[source], new[target], indicator, len(several), directed


class TestFromArrays:
    @examples(20)
    @given(arrays_of_batches(), st.integers(0, 3), st.integers(1, 4))
    def test_graphs_are_those_that_the_indicator_cuts_out(self, arrays, more, threads):
        source, target, indicator, graphs, directed = arrays
        batch = GraphBatch.from_arrays(
            source, target, indicator, num_graphs=graphs + more, directed=directed, threads=threads
        )
        assert len(batch) == batch.num_graphs == graphs + more
        assert batch.sizes.tolist() == np.bincount(indicator, minlength=graphs + more).tolist()
        for i, graph in enumerate(batch):
            vertices = np.flatnonzero(indicator == i)
            assert batch.vertices_of(i).tolist() == vertices.tolist()
            number = np.full(len(indicator), -1)
            number[vertices] = np.arange(len(vertices))
            inside = indicator[source] == i
            ends = number[source[inside]], number[target[inside]]
            assert arcs_of(graph) == arcs_of(Graph.from_edges(*ends, num_vertices=len(vertices), directed=directed))

    def test_offsets_say_the_same_as_an_indicator(self):
        by_offsets = GraphBatch.from_arrays([0, 3], [1, 4], offsets=[0, 3, 3, 5])
        by_numbers = GraphBatch.from_arrays([0, 3], [1, 4], [0, 0, 0, 2, 2], num_graphs=3)
        assert [arcs_of(graph) for graph in by_offsets] == [arcs_of(graph) for graph in by_numbers]
        assert by_offsets.offsets.tolist() == by_numbers.offsets.tolist() == [0, 3, 3, 5]

    def test_weights_and_labels_stay_with_their_edges_and_vertices(self):
        batch = GraphBatch.from_arrays(
            [0, 1], [2, 3], [0, 1, 0, 1], weights=[0.5, 2], labels=["a", "b", "c", "d"], names=["x", "y"]
        )
        assert [graph.labels.tolist() for graph in batch] == [["a", "c"], ["b", "d"]]
        assert [graph.weights.tolist() for graph in batch] == [[0.5, 0.5], [2, 2]]
        assert batch.names.tolist() == ["x", "y"]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({}, "expected either graph_of_vertex= or offsets="),
            ({"graph_of_vertex": [0, 0], "offsets": [0, 2]}, "expected either graph_of_vertex= or offsets="),
            ({"graph_of_vertex": [0]}, "graph_of_vertex: an edge ends at vertex 1, of 1 vertices"),
            ({"offsets": [0, 1]}, "offsets: an edge ends at vertex 1, of 1 vertices"),
            ({"graph_of_vertex": [0, 1]}, "edge 0 joins vertex 0 of graph 0 and vertex 1 of graph 1"),
            ({"graph_of_vertex": [0, 0, 2]}, "graph_of_vertex: graph 1 has no vertices; num_graphs=3 allows"),
            ({"graph_of_vertex": [0, -1]}, "graph_of_vertex"),
            ({"graph_of_vertex": [0.5, 0]}, "graph_of_vertex"),
            ({"graph_of_vertex": [0, 0], "num_graphs": 0}, "num_graphs=0: expected a whole number of at least 1"),
            ({"graph_of_vertex": [0, 0, 1], "num_graphs": 1}, "num_graphs=1: vertex 2 is in graph 1"),
            ({"graph_of_vertex": [0, 0, 2**40]}, "graphs for 3 vertices, expected small numbers"),
            ({"offsets": [1, 2]}, r"offsets\[0\] = 1: expected numbers that rise from 0"),
            ({"offsets": [0, 2, 1]}, r"offsets\[2\] = 1: expected numbers that rise from 0"),
            ({"offsets": [0, 2], "num_graphs": 2}, "num_graphs=2: offsets= has 1 graphs"),
            ({"graph_of_vertex": [0, 0], "names": ["a", "b"]}, "names: expected 1 names of graphs"),
        ],
    )
    def test_arrays_that_do_not_fit_are_named_in_one_line(self, arguments, message):
        with pytest.raises(ArgumentError, match=message) as refusal:
            GraphBatch.from_arrays([0], [1], **arguments)
        assert "\n" not in str(refusal.value)


class TestFromGraphs:
    def test_any_graph_is_taken(self):
        batch = GraphBatch.from_graphs([nx.complete_graph(4), TRIANGLE, np.array([[0, 1], [1, 2]])], directed=False)
        assert batch.sizes.tolist() == [4, 3, 3]
        assert batch.edges_of_graphs.tolist() == [6, 3, 2]

    @pytest.mark.parametrize(
        ("graphs", "message"),
        [
            ([], "graphs: expected at least one graph"),
            ([TRIANGLE, 3], "graph 1: got int; expected a Graph, "),
            ([TRIANGLE, nx.DiGraph([(0, 1)])], "graph 1 is directed and graph 0 is not; expected directed=False"),
            ([TRIANGLE, Graph.from_edges([0], [1], weights=[1])], "graph 1 is weighted and graph 0 is not"),
            (nx.path_graph(3), "graphs: got one networkx.classes.graph.Graph; expected a list or a dict of graphs"),
            ("edges.txt", "graphs: got the path 'edges.txt'; expected a list or a dict of graphs, or triadic.read_ba"),
            ({}, "graphs: expected at least one graph"),
            ({"a": TRIANGLE, "b": 3}, "graph b: got int; expected a Graph, "),
            ({"a": TRIANGLE, "b": nx.DiGraph([(0, 1)])}, "graph b is directed and graph a is not"),
            ({0: [1], 1: [0]}, "graph 0: got list; expected a Graph, "),
            (None, "graphs: got None; expected a list or a dict of graphs"),
            (np.zeros((3, 4, 4)), r"graphs: got numpy\.ndarray; expected a list or a dict of graphs"),
            (
                pd.DataFrame({"a": [1]}),
                "expected a list or a dict of graphs, or triadic.GraphBatch.from_table for a ta",
            ),
        ],
    )
    def test_graphs_that_do_not_fit_are_named_in_one_line(self, graphs, message):
        with pytest.raises(ArgumentError, match=message) as refusal:
            GraphBatch.from_graphs(graphs)
        assert "\n" not in str(refusal.value)

    def test_the_keys_of_a_dict_are_the_names(self):
        batch = GraphBatch.from_graphs({"Mon": TRIANGLE, "Tue": PATH})
        assert batch.names.tolist() == ["Mon", "Tue"]
        assert [arcs_of(graph) for graph in batch] == [arcs_of(TRIANGLE), arcs_of(PATH)]
        table = triadic.triangle_count(batch)
        assert dict(zip(table["graph"], table["triangles"].tolist(), strict=True)) == {"Mon": 1, "Tue": 0}
        assert triadic.vertex_table(batch, "degree").to_polars()["graph"].to_list() == ["Mon"] * 3 + ["Tue"] * 3

    def test_keys_that_are_numbers_stay_numbers_and_others_become_strings(self):
        assert GraphBatch.from_graphs({7: TRIANGLE, 3: PATH}).names.dtype == np.int64
        assert GraphBatch.from_graphs({7: TRIANGLE, "x": PATH}).names.tolist() == ["7", "x"]
        assert GraphBatch.from_graphs({("a", 1): TRIANGLE, True: PATH}).names.tolist() == ["('a', 1)", "True"]

    def test_names_beside_keys_are_refused(self):
        with pytest.raises(ArgumentError, match="names: the keys of graphs are the names of the graphs"):
            GraphBatch.from_graphs({"Mon": TRIANGLE}, names=["Tue"])

    def test_numbers_as_names_stay_numbers(self):
        batch = GraphBatch.from_graphs([TRIANGLE, PATH], names=[7, 3])
        assert batch.names.dtype == np.int64
        assert triadic.transitivity(batch).to_polars()["graph"].dtype == pl.Int64


class Geometric:
    """What is read of a ``Data`` or a ``Batch`` of PyTorch Geometric, which is not installed everywhere."""

    def __init__(self, num_nodes, arcs, batch=None):
        self.num_nodes = num_nodes
        self.edge_index = np.array(arcs, dtype=np.int64).reshape(-1, 2).T
        if batch is not None:
            self.batch, self.num_graphs = np.array(batch), max(batch) + 1


ONE_WAY, BOTH_WAYS, NO_EDGE = Geometric(3, [(0, 1)]), Geometric(2, [(0, 1), (1, 0)]), Geometric(1, [])
TWO = Geometric(4, [(0, 1), (1, 0), (2, 3), (3, 2)], batch=[0, 0, 1, 1])


class TestFromPyTorchGeometric:
    def test_a_list_is_one_graph_after_the_other(self):
        batch = GraphBatch.from_graphs([NO_EDGE, BOTH_WAYS, NO_EDGE, BOTH_WAYS], names=list("abcd"))
        assert [arcs_of(graph) for graph in batch] == [(1, False, []), (2, False, [(0, 1)])] * 2
        assert batch.names.tolist() == list("abcd")
        assert batch.graph.dropped.reciprocal_merged == 0
        assert GraphBatch.from_graphs({"a": NO_EDGE, 7: BOTH_WAYS}).names.tolist() == ["a", "7"]

    def test_one_arc_without_its_reverse_makes_all_graphs_directed(self):
        batch = GraphBatch.from_graphs([NO_EDGE, BOTH_WAYS, ONE_WAY])
        assert batch.directed
        assert [arcs_of(graph)[2] for graph in batch] == [[], [(0, 1), (1, 0)], [(0, 1)]]
        assert not GraphBatch.from_graphs([BOTH_WAYS, ONE_WAY], directed=False).directed
        assert GraphBatch.from_graphs([BOTH_WAYS], directed=True).directed

    def test_a_batch_in_a_list_is_several_graphs(self):
        batch = GraphBatch.from_graphs(iter([TWO, NO_EDGE, TWO]))
        assert batch.sizes.tolist() == [2, 2, 1, 2, 2]
        assert batch.edges_of_graphs.tolist() == [1, 1, 0, 1, 1]
        assert GraphBatch.from_graphs(TWO).sizes.tolist() == [2, 2]
        assert triadic.mmd(TWO, [BOTH_WAYS, BOTH_WAYS], of="degree") == 0
        assert triadic.mmd([TWO, ONE_WAY], [BOTH_WAYS, BOTH_WAYS, ONE_WAY], of="degree") == 0

    @pytest.mark.parametrize(
        ("graphs", "message"),
        [
            ({"a": TWO}, "graph a: got a Geometric of 2 graphs; expected one graph"),
            ([NO_EDGE, Geometric(2, [(0, 5)])], "graph 1: edge_index has the vertex 5, of 2 nodes"),
            ({"x": Geometric(2, [(-1, 0)])}, "graph x: edge_index has the vertex -1, of 2 nodes"),
            (Geometric(2, [(0, 1)], batch=[0, 1]), "edge 0 joins vertex 0 of graph 0 and vertex 1 of graph 1"),
            (Geometric(3, [], batch=[0, 1]), "batch: expected 3 numbers of graphs, got 2"),
            ([NO_EDGE, TWO, TRIANGLE], "graph 0: got .*Geometric; expected a Graph"),
        ],
    )
    def test_data_that_does_not_fit_is_named_in_one_line(self, graphs, message):
        with pytest.raises(ArgumentError, match=message) as refusal:
            GraphBatch.from_graphs(graphs)
        assert "\n" not in str(refusal.value)


class TestParts:
    def test_graphs_come_back_as_they_went_in(self):
        graphs = [EMPTY, TRIANGLE, PATH, EMPTY]
        batch = GraphBatch.from_graphs(graphs)
        assert [arcs_of(graph) for graph in batch] == [arcs_of(graph) for graph in graphs]
        assert arcs_of(batch[-2]) == arcs_of(PATH)

    @examples(20)
    @given(arrays_of_batches())
    def test_a_vertex_has_a_graph_and_a_number_in_it(self, arrays):
        source, target, indicator, graphs, directed = arrays
        batch = GraphBatch.from_arrays(source, target, indicator, num_graphs=graphs, directed=directed)
        for i in range(graphs):
            assert batch.number_of_vertex[batch.vertices_of(i)].tolist() == list(range(batch.sizes[i]))

    @pytest.mark.parametrize("labels", [False, True])
    @pytest.mark.parametrize("weights", [False, True])
    def test_directions_are_dropped_in_each_graph(self, weights, labels):
        random = np.random.default_rng(2)
        graphs = []
        for n in (0, 1, 5, 9, 12):
            ends = random.integers(0, max(n, 1), (2, 3 * n))
            graph = Graph.from_edges(
                *ends,
                num_vertices=n,
                directed=True,
                weights=random.random(3 * n) if weights else None,
                labels=[f"v{i}" for i in range(n)] if labels else None,
            )
            graphs.append(graph)
        batch = GraphBatch.from_graphs(graphs, names=list("abcde"))
        skeletons = batch.to_undirected()
        assert skeletons.to_undirected() is skeletons
        assert skeletons.names.tolist() == list("abcde")
        alone = [graph.to_undirected() for graph in graphs]
        merged = [graph.dropped.reciprocal_merged for graph in alone]
        assert skeletons.graph.dropped.reciprocal_merged == sum(merged) > 0
        for taken, expected in ((batch, graphs), (skeletons, alone)):
            for part, graph in zip(taken, expected, strict=True):
                for name in ("indptr", "indices", "weights", "labels"):
                    np.testing.assert_array_equal(getattr(part, name), getattr(graph, name), err_msg=name)
                    assert part.indices.dtype == graph.indices.dtype
                np.testing.assert_array_equal(triadic.triangles(part), triadic.triangles(graph))

    def test_weights_come_back_from_vertices_in_any_order(self):
        source, target, weights = [0, 3, 1, 4], [3, 5, 4, 2], [1.0, 2.0, 3.0, 4.0]
        batch = GraphBatch.from_arrays(source, target, [0, 1, 1, 0, 1, 0], weights=weights, labels=list("abcdef"))
        first, second = batch
        assert (first.labels.tolist(), second.labels.tolist()) == (["a", "d", "f"], ["b", "c", "e"])
        assert first.to_scipy().toarray().tolist() == [[0, 1, 0], [1, 0, 2], [0, 2, 0]]
        assert second.to_scipy().toarray().tolist() == [[0, 0, 3], [0, 0, 4], [3, 4, 0]]

    def test_a_slice_is_a_batch_with_its_names(self):
        batch = GraphBatch.from_graphs([TRIANGLE, PATH, EMPTY, TRIANGLE], names=list("abcd"))
        part = batch[::2]
        assert part.names.tolist() == ["a", "c"]
        assert part.sizes.tolist() == [3, 0]
        assert [arcs_of(graph) for graph in batch[1:]] == [arcs_of(graph) for graph in (PATH, EMPTY, TRIANGLE)]

    def test_graphs_are_found_by_their_names(self):
        batch = GraphBatch.from_graphs({"Mon": TRIANGLE, "Tue": PATH, "Wed": EMPTY})
        assert arcs_of(batch["Tue"]) == arcs_of(PATH)
        assert batch.vertices_of("Tue").tolist() == [3, 4, 5]
        assert batch[["Wed", "Mon"]].names.tolist() == ["Wed", "Mon"]
        assert batch[np.array(["Tue"])].sizes.tolist() == [3]
        for wrong in (lambda: batch["Sun"], lambda: batch.vertices_of("Sun"), lambda: batch[["Mon", "Sun"]]):
            with pytest.raises(ArgumentError, match=r"^graph 'Sun': no graph has this name, expected one of "):
                wrong()
        twice = GraphBatch.from_graphs([TRIANGLE, PATH], names=["a", "a"])
        with pytest.raises(ArgumentError, match=r"^graph 'a': 2 graphs have this name"):
            twice["a"]
        with pytest.raises(ArgumentError, match=r"^graph '1': no graph has this name"):
            GraphBatch.from_graphs([TRIANGLE, PATH], names=[1, 2])["1"]

    def test_there_is_no_graph_past_the_end_and_no_empty_batch(self):
        batch = GraphBatch.from_graphs([TRIANGLE, PATH])
        with pytest.raises(IndexError):
            batch[2]
        with pytest.raises(IndexError):
            batch.vertices_of(-3)
        for nothing in (slice(2, 3), [], [False, False]):
            with pytest.raises(ArgumentError, match="no graph is selected: expected at least one"):
                batch[nothing]

    def test_several_graphs_are_selected_by_numbers_or_a_mask_and_keep_their_numbers(self):
        batch = GraphBatch.from_graphs([TRIANGLE, EMPTY, PATH])
        for which in ([2, 0], np.array([-1, 0])):
            assert [arcs_of(graph) for graph in batch[which]] == [arcs_of(PATH), arcs_of(TRIANGLE)]
            assert batch[which].names.tolist() == [2, 0]
        assert batch[[True, False, True]].names.tolist() == batch[::2].names.tolist() == [0, 2]
        with pytest.raises(IndexError, match="expected a mask of 3 graphs, got 2 values"):
            batch[[True, False]]
        for wrong in (1.5, [0.5], None, True):
            with pytest.raises(
                TypeError, match="expected a number, a name, a slice, numbers, names or a mask of graphs"
            ):
                batch[wrong]

    def test_vertices_without_labels_are_numbered_where_other_graphs_have_labels(self):
        named = Graph.from_edges([0], [1], labels=["a", "b"])
        assert GraphBatch.from_graphs([named, TRIANGLE]).graph.labels.tolist() == ["a", "b", "0", "1", "2"]
        numbered = Graph.from_edges([0], [1], labels=[5, 6])
        assert GraphBatch.from_graphs([TRIANGLE, numbered]).graph.labels.tolist() == [0, 1, 2, 5, 6]

    def test_a_measure_that_fails_names_the_graph(self):
        star = Graph.from_edges([0, 0, 0], [1, 2, 3])
        batch = GraphBatch.from_graphs([PATH, star], names=["p", "s"])
        with pytest.raises(ArgumentError, match=r"^graph p: null='mutual': the graph is undirected"):
            triadic.significance(batch, samples=2, seed=1, null="mutual")

    @pytest.mark.parametrize("copied", [lambda batch: pickle.loads(pickle.dumps(batch)), copy.copy, copy.deepcopy])
    def test_a_copy_is_the_same_batch(self, copied):
        batch = GraphBatch.from_graphs([TRIANGLE, EMPTY, PATH], names=["x", "y", "z"])
        again = copied(batch)
        assert [arcs_of(graph) for graph in again] == [arcs_of(graph) for graph in batch]
        assert again.names.tolist() == batch.names.tolist()
        assert triadic.clustering(again).tolist() == triadic.clustering(batch).tolist()

    def test_it_prints_its_size(self):
        assert repr(GraphBatch.from_graphs([TRIANGLE, PATH])) == "GraphBatch(2 undirected graphs, 6 vertices, 5 edges)"
        directed = GraphBatch.from_graphs([nx.DiGraph([("a", "b"), ("b", "a")])])
        assert repr(directed) == "GraphBatch(1 directed graph, 2 vertices, 2 arcs, with labels)"
        single = GraphBatch.from_graphs([Graph.from_edges([0], [1])])
        assert repr(single) == "GraphBatch(1 undirected graph, 2 vertices, 1 edge)"
        html = GraphBatch.from_graphs([TRIANGLE, PATH])._repr_html_()
        assert "Batch of undirected graphs" in html


ROWS = {"day": ["Tue", "Mon", "Tue", "Mon"], "from": [5, 1, 2, 2], "to": [2, 2, 9, 1], "n": [1.0, 2.0, 3.0, 4.0]}


class TestFromTable:
    @pytest.mark.parametrize("table_of", [pd.DataFrame, pl.DataFrame, pa.table])
    def test_graphs_stand_in_the_order_of_their_first_rows(self, table_of):
        batch = GraphBatch.from_table(table_of(ROWS), "day", weights="n")
        assert batch.names.tolist() == ["Tue", "Mon"]
        assert [graph.labels.tolist() for graph in batch] == [[2, 5, 9], [1, 2]]
        assert batch.directed
        assert batch[1].weights.tolist() == [2, 4]
        assert batch.graph.origin.columns == "columns from → to, weights n, graphs day"

    @examples(20)
    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9), st.integers(0, 9)), min_size=1), st.booleans())
    def test_each_graph_is_that_of_its_rows_alone(self, rows, named):
        graph, source, target = (list(column) for column in zip(*rows, strict=True))
        if named:
            source, target = (["v" + "x" * end for end in ends] for ends in (source, target))
        table = pa.table({"graph": graph, "source": source, "target": target})
        batch = GraphBatch.from_table(table, "graph", directed=False)
        assert batch.names.tolist() == list(dict.fromkeys(graph))
        for name, found in zip(batch.names, batch, strict=True):
            of_graph = table.filter(pa.compute.equal(table["graph"], int(name)))
            alone = Graph(of_graph.drop_columns("graph"), directed=False)
            assert arcs_of(found) == arcs_of(alone)
            labels = np.arange(alone.num_vertices) if alone.labels is None else alone.labels
            own = np.arange(alone.num_vertices) if found.labels is None else found.labels
            assert own.tolist() == labels.tolist()

    @pytest.mark.parametrize("name", ["graph", "Graph ID", "network", "snapshot_id", "gid"])
    @pytest.mark.parametrize("table_of", [pd.DataFrame, pl.DataFrame, pa.table])
    def test_the_column_of_the_graphs_is_found_by_its_usual_name(self, table_of, name):
        table = table_of({"n": [1, 2, 3], "from": [1, 2, 1], "to": [2, 3, 2], name: ["Mon", "Mon", "Tue"]})
        batch = GraphBatch.from_table(table, directed=False)
        assert batch.names.tolist() == ["Mon", "Tue"]
        assert batch.graph.origin.columns == f"columns from → to, graphs {name}"

    @pytest.mark.parametrize(
        ("columns", "found"),
        [
            (["day", "from", "to"], "none has a usual name of a graph, such as graph_id"),
            (["graph", "network", "from", "to"], "graph and network may both name the graphs"),
        ],
    )
    def test_a_column_of_graphs_is_not_guessed(self, columns, found):
        with pytest.raises(ArgumentError, match=f"the columns are {', '.join(columns)}; {found}; pass graph="):
            GraphBatch.from_table(pa.table({name: [1, 2] for name in columns}))

    def test_edges_are_directed_unless_told_and_those_of_arrays_are_not(self):
        table = pa.table({"graph": [0, 0], "source": [0, 1], "target": [1, 2]})
        assert GraphBatch.from_table(table).directed
        assert Graph(table.select(["source", "target"])).directed
        assert not GraphBatch.from_table(table, directed=False).directed
        assert not GraphBatch.from_arrays([0, 1], [1, 2], [0, 0, 0]).directed
        assert not Graph.from_edges([0, 1], [1, 2]).directed

    def test_numbers_without_gaps_are_no_labels(self):
        batch = GraphBatch.from_table(pa.table({"g": [4, 4, 2], "u": [0, 2, 1], "v": [1, 1, 0]}), 0)
        assert batch.graph.labels is None
        assert batch.names.tolist() == [4, 2]

    def test_categories_dates_and_truth_values_name_graphs(self):
        for names in (
            pa.array(["a", "b"]).dictionary_encode(),
            pa.array([True, False]),
            pa.array([0, 1], pa.date32()),
            pa.array([5, 6], pa.uint8()),
        ):
            assert GraphBatch.from_table(pa.table({"g": names, "u": [1, 1], "v": [2, 2]}), "g").num_graphs == 2

    @pytest.mark.parametrize(
        ("table", "keywords", "message"),
        [
            (
                ROWS,
                {"graph": "week"},
                "there is no column 'week'; the columns are day, from, to, n",
            ),
            (ROWS, {"graph": 9}, "graph=9: there is no such column, expected 0 to 3; the columns are"),
            (ROWS, {"graph": "n"}, "the column 'n' holds double, expected integers or strings, the names of graphs"),
            (ROWS, {"graph": "day", "source": "day"}, "source='day' is the column of the graphs"),
            (ROWS, {"graph": "day", "weights": 0}, "weights=0 is the column of the graphs"),
            (
                {"d": [1], "p": [1], "q": [1], "r": [1]},
                {"graph": "d"},
                "the columns are d, p, q, r: their names do not",
            ),
            (
                ROWS | {"day": ["x", None, "x", "y"]},
                {"graph": "day"},
                "the column 'day' has no name of a graph in row 2",
            ),
            (ROWS | {"from": [1, 2, None, 3]}, {"graph": "day"}, "the column 'from' has no value in row 3"),
            (ROWS | {"from": [1, 2, -4, 3]}, {"graph": "day"}, "found the id -4"),
            ({name: values[:0] for name, values in ROWS.items()}, {"graph": "day"}, "the table has no rows"),
            (ROWS, {"graph": "day", "combine": "most"}, "combine='most': expected one of"),
        ],
    )
    def test_a_table_that_is_no_batch_is_refused_in_one_line(self, table, keywords, message):
        with pytest.raises(ArgumentError, match=message) as refusal:
            GraphBatch.from_table(pa.table(table), **keywords)
        assert "\n" not in str(refusal.value)

    def test_other_objects_are_refused(self):
        with pytest.raises(ArgumentError, match=r"table: got builtins\.list; expected a table in memory"):
            GraphBatch.from_table([1, 2], "day")
