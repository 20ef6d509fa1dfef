"""Many graphs from disk: data sets of TU Dortmund, folders of files, tables with a column of graphs."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import tracemalloc
import warnings
import zipfile
from pathlib import Path

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from triadic import read_batch
from triadic.core.arcs import Dropped
from triadic.core.memory import memory_limit
from triadic.errors import ArgumentError, MissingFileError, OutOfMemoryError, ReadError, ReadWarning, TriadicError
from triadic.io import read_arcs
from triadic.planning.plan import plan


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, and a function that writes files to it."""
    monkeypatch.chdir(tmp_path)

    def write(**files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write


@pytest.fixture
def data_set(tmp_path):
    """Write a data set named T, whose files are given by their suffixes."""

    def write(arcs="1, 2\n2, 1\n3,4\n4,3\n", graph_indicator="1\n1\n2\n2\n2\n", **more):
        path = tmp_path / "T"
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        for suffix, text in {"A": arcs, "graph_indicator": graph_indicator, **more}.items():
            if text is not None:
                (path / f"T_{suffix}.txt").write_text(text)
        return path

    return write


def edges_of(graph):
    source, target = graph.edges()
    return sorted(zip(source.tolist(), target.tolist(), strict=True))


class TestRealDataSets:
    @pytest.mark.parametrize("name", ["MUTAG", "PROTEINS", "NCI109"])
    def test_graphs_vertices_and_entries_are_those_of_other_programs(self, real_networks, name):
        expected = json.loads((real_networks / "batches" / "expected.json").read_text())[name]
        batch = read_batch(real_networks / "batches" / name)
        assert batch.num_graphs == expected["graphs"] == len(batch.graph_labels)
        assert batch.num_vertices == expected["vertices"]
        assert 2 * batch.num_edges == expected["entries"]
        assert not batch.directed
        assert batch.graph.dropped == Dropped()
        assert batch.sizes.min() > 0

    def test_every_graph_of_mutag_counts_as_in_networkx(self, real_networks):
        path = real_networks / "batches" / "MUTAG"
        batch = read_batch(path)
        indicator = np.loadtxt(path / "MUTAG_graph_indicator.txt", dtype=int)
        graphs = [nx.Graph() for _ in range(indicator.max())]
        for vertex, number in enumerate(indicator, 1):
            graphs[number - 1].add_node(vertex)
        for u, v in np.loadtxt(path / "MUTAG_A.txt", dtype=int, delimiter=","):
            graphs[indicator[u - 1] - 1].add_edge(u, v)
        assert batch.edges_of_graphs.tolist() == [graph.number_of_edges() for graph in graphs]
        squares, degree = triadic.square_clustering(batch), batch.graph.degree
        assert degree.tolist() == [d for graph in graphs for _, d in graph.degree]
        np.testing.assert_allclose(squares, [s for graph in graphs for s in nx.square_clustering(graph).values()])
        table = triadic.triad_census(batch)
        census = [nx.triadic_census(graph.to_directed()) for graph in graphs[:20]]
        for name in triadic.TRIAD_NAMES:
            assert table[name][:20].tolist() == [each[name] for each in census]
        assert batch.graph_labels.tolist() == list(map(int, (path / "MUTAG_graph_labels.txt").read_text().split()))


class TestDataSets:
    def test_an_edge_of_two_arcs_is_one_edge(self, data_set):
        batch = read_batch(data_set(graph_labels="7\n-1\n"))
        assert [edges_of(graph) for graph in batch] == [[(0, 1)], [(0, 1)]]
        assert batch.sizes.tolist() == [2, 3]
        assert batch.graph_labels.tolist() == [7, -1]
        assert batch[1:].graph_labels.tolist() == [-1]
        assert batch.graph.origin.direction == "stated"

    def test_an_arc_without_its_reverse_makes_the_set_directed(self, data_set):
        path = data_set(arcs="1, 2\n2, 1\n3,4\n")
        batch = read_batch(path)
        assert batch.directed
        assert batch.graph.origin.direction == "assumed"
        assert not read_batch(path, directed=False).directed
        assert read_batch(data_set(), directed=True).graph.num_arcs == 4

    def test_vertices_of_a_graph_need_not_follow_one_another(self, data_set):
        batch = read_batch(data_set(arcs="1,3\n3,1\n2,4\n4,2\n", graph_indicator="2\n1\n2\n1\n"))
        assert batch.graph_of_vertex.tolist() == [1, 0, 1, 0]
        assert [edges_of(graph) for graph in batch] == [[(0, 1)], [(0, 1)]]

    def test_values_of_arcs_are_weights(self, data_set):
        path = data_set(edge_attributes="1,.5\n1,.5\n2,3\n2,3\n")
        assert read_batch(path, weights=True)[1].weights.tolist() == [2, 2]
        assert read_batch(path, weights=1)[0].weights.tolist() == [0.5, 0.5]
        assert read_batch(path).graph.weights is None

    def test_values_and_several_labels_of_graphs_are_read(self, data_set):
        assert read_batch(data_set(graph_labels="0.5\n2\n")).graph_labels.tolist() == [0.5, 2]
        assert read_batch(data_set(graph_labels="1, 0\n0, 1\n")).graph_labels.tolist() == [[1, 0], [0, 1]]
        assert read_batch(data_set()).graph_labels is None

    def test_it_may_be_packed(self, data_set, tmp_path):
        data_set()
        packed = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, "T")
        assert read_batch(packed).sizes.tolist() == [2, 3]

    @pytest.mark.parametrize(
        ("files", "message"),
        [
            ({"graph_indicator": "\n"}, "T_graph_indicator.txt: the file is empty, expected numbers"),
            ({"arcs": "1,2\n2,6\n"}, "T_A.txt, line 2: found the vertex 6, expected 1 to 5, the lines of T_graph_ind"),
            ({"arcs": "0,1\n"}, "T_A.txt, line 1: found the vertex 0, expected 1 to 5"),
            (
                {"arcs": "1,2\n2,3\n"},
                "T_A.txt, line 2: the arc joins vertex 2 of graph 1 and vertex 3 of graph 2; expected arcs within",
            ),
            ({"arcs": "1,2\n1\n"}, "T_A.txt, line 2: expected 2 numbers in each line, found 1"),
            ({"arcs": "1,2\n\n2,1\n"}, "T_A.txt, line 2: expected 2 numbers in each line, found 0"),
            ({"arcs": "1,2\n2,b\n"}, "T_A.txt, line 2: found 'b', expected a whole number"),
            (
                {"arcs": "1,2\n2,99999999999999999999\n"},
                "line 2: found '99999999999999999999', expected a whole number",
            ),
            ({"arcs": "1,2\n2,1.5\n"}, "T_A.txt, line 2: found '1.5', expected a whole number"),
            (
                {"graph_indicator": "1\n0\n2\n2\n2\n"},
                "T_graph_indicator.txt, line 2: found the graph 0, expected numbe",
            ),
            (
                {"graph_indicator": "1\n1\n3\n3\n3\n"},
                "T_graph_indicator.txt: graph 2 has no vertex, and the last graph is 3",
            ),
            (
                {"graph_indicator": "1\n1\n99999999999\n3\n3\n"},
                "T_graph_indicator.txt: graph 2 has no vertex, and the last graph is 99999999999",
            ),
            ({"graph_labels": "1\n"}, "T_graph_labels.txt: graph 2 has no label; found 2 graphs, 1 labels"),
            ({"graph_labels": "1\n1\n1\n"}, "T_graph_labels.txt, line 3: graph 3 has a label, but no vertex"),
            ({"graph_labels": "x\ny\n"}, "T_graph_labels.txt, line 1: found 'x', expected a number"),
            ({"arcs": None}, "holds T_graph_indicator.txt, but no T_A.txt; expected both"),
            (
                {"graph_indicator": None},
                "T: holds T_A.txt, but no T_graph_indicator.txt; expected both, the files",
            ),
            (
                {"graph_indicator": None, "graph_labels": "1\n"},
                "T: holds T_A.txt, but no T_graph_indicator.txt; expected both",
            ),
        ],
    )
    def test_files_that_do_not_fit_are_named_with_line_and_graph(self, data_set, files, message):
        with pytest.raises(ReadError) as refusal:
            read_batch(data_set(**files))
        assert message in str(refusal.value)
        assert "\n" not in str(refusal.value)

    @pytest.mark.parametrize("arcs", ["", "\n"])
    def test_graphs_without_edges_are_read(self, data_set, arcs):
        batch = read_batch(data_set(arcs=arcs, graph_labels="1\n2\n"))
        assert batch.sizes.tolist() == [2, 3]
        assert batch.edges_of_graphs.tolist() == [0, 0]
        assert not batch.directed
        assert read_batch(data_set(arcs=arcs, edge_attributes=arcs), weights=True).graph.weights.tolist() == []
        assert read_batch(data_set(arcs=arcs), directed=True).directed

    def test_a_packed_set_without_edges_or_without_graphs(self, data_set, tmp_path):
        data_set(arcs="")
        assert read_batch(shutil.make_archive(str(tmp_path / "p"), "zip", tmp_path, "T")).num_edges == 0
        data_set(graph_indicator=None)
        packed = shutil.make_archive(str(tmp_path / "q"), "zip", tmp_path, "T")
        with pytest.raises(ReadError, match=r"holds T_A\.txt, but no T_graph_indicator\.txt; expected both"):
            read_batch(packed)

    @pytest.mark.parametrize("read", [triadic.read, read_arcs])
    @pytest.mark.parametrize("path", ["T", "T/*.txt", "T/T_*", "."])
    def test_it_is_no_single_network(self, data_set, monkeypatch, read, path):
        monkeypatch.chdir(data_set(graph_labels="1\n1\n").parent)
        with pytest.raises(ReadError) as refusal:
            read(path)
        folder = "./T" if path == "." else "T"
        assert str(refusal.value) == (
            f"{folder}: is a data set of TU Dortmund, which holds many graphs; triadic.read_batch({folder!r}) reads "
            "all of them, and so do commands with --batch, such as triadic clustering"
        )

    @pytest.mark.parametrize("read", [triadic.read, read_batch])
    @pytest.mark.parametrize("suffix", ["A", "graph_indicator", "graph_labels"])
    def test_a_file_of_it_is_no_network(self, data_set, read, suffix):
        path = data_set(graph_labels="1\n1\n")
        with pytest.raises(ReadError) as refusal:
            read(path / f"T_{suffix}.txt")
        assert f"T_{suffix}.txt: is a file of T, a data set of TU Dortmund, which holds many graphs" in str(
            refusal.value
        )
        assert f"triadic.read_batch({str(path)!r}) reads all of them" in str(refusal.value)

    def test_files_with_such_names_are_networks_if_the_format_is_named_or_the_others_are_not_there(self, data_set):
        path = data_set()
        assert triadic.read(path / "T_A.txt", format="text").num_vertices == 4
        data_set(graph_indicator=None)
        assert triadic.read(path / "T_A.txt").num_vertices == 4
        with pytest.raises(ReadError, match="but no T_graph_indicator"):
            triadic.read(path)
        assert read_batch(path, format="text").num_graphs == 1
        (path / "T_B.txt").write_text("1,2\n")
        assert read_batch(path).names.tolist() == ["T_A", "T_B"]

    def test_plans_and_tiles_are_refused_too(self, data_set):
        path = data_set()
        for call in (plan, lambda network: triadic.tile(network, path.parent / "tiles")):
            for network in (path, path / "T_A.txt"):
                with pytest.raises(ReadError, match="a data set of TU Dortmund, which holds many graphs"):
                    call(network)

    @pytest.mark.parametrize(
        ("weights", "message"),
        [
            (True, "there is no file *_edge_attributes.txt with values of the arcs"),
            ("width", "there is no file"),
        ],
    )
    def test_weights_that_are_not_there_are_refused(self, data_set, weights, message):
        with pytest.raises(ReadError) as refusal:
            read_batch(data_set(), weights=weights)
        assert message in str(refusal.value)

    def test_values_of_arcs_that_do_not_fit_are_refused(self, data_set):
        with pytest.raises(ReadError, match="found 1 lines, expected 4, one for each arc"):
            read_batch(data_set(edge_attributes="1\n"), weights=True)
        with pytest.raises(ReadError, match="weights=3: expected True, or the index of a column from 0 to 0"):
            read_batch(data_set(edge_attributes="1\n" * 4), weights=3)
        with pytest.raises(ReadError, match="line 2: found the weight nan, expected a finite number"):
            read_batch(data_set(edge_attributes="1\nnan\n1\n1\n"), weights=True)

    def test_columns_are_not_chosen(self, data_set):
        with pytest.raises(ArgumentError, match="graph='g': expected one CSV or Parquet file"):
            read_batch(data_set(), graph="g")
        with pytest.raises(ArgumentError, match="is a data set of TU Dortmund: expected no format="):
            read_batch(data_set(), source="u")

    @given(
        st.text("0123456789,- \n\r.xN", max_size=30),
        st.text("0123 \n-9", max_size=20),
        st.none() | st.text("01\n.-x", max_size=8),
    )
    def test_any_text_is_a_batch_or_an_error(self, tmp_path_factory, arcs, indicator, labels):
        path = tmp_path_factory.mktemp("sets")
        for suffix, text in {"A": arcs, "graph_indicator": indicator, "graph_labels": labels}.items():
            if text is not None:
                (path / f"D_{suffix}.txt").write_text(text, newline="")
        try:
            batch = read_batch(path)
        except TriadicError as error:
            assert "\n" not in str(error)  # noqa: PT017 - that it is raised is not asked for
            return
        assert batch.sizes.min() > 0
        assert batch.sizes.sum() == batch.num_vertices


class TestFolders:
    def test_each_file_is_a_graph_in_natural_order(self, folder):
        path = folder(graphs__g10_dot_txt="0 1\n1 2\n", graphs__g2_dot_txt="0 1\n")
        batch = read_batch(path / "graphs", directed=False)
        assert batch.names.tolist() == ["g2", "g10"]
        assert batch.edges_of_graphs.tolist() == [1, 2]
        assert batch.graph.labels is None

    def test_files_of_several_formats_and_patterns_and_lists_are_read(self, folder):
        gml = 'graph [ node [ id 1 label "a" ] node [ id 2 label "b" ] edge [ source 1 target 2 ] ]'
        folder(x_dot_gml=gml, y_dot_txt="# Undirected graph\n0 1\n1 2\n")
        batch = read_batch(["y.txt", "x.gml"])
        assert batch.names.tolist() == ["y", "x"]
        assert [graph.labels.tolist() for graph in batch] == [["0", "1", "2"], ["a", "b"]]
        assert read_batch("*.gml").names.tolist() == ["x"]

    def test_graphs_are_named_after_their_files_without_the_suffixes_of_formats(self, folder):
        folder(graphs__2024_dot_01_dot_05_dot_txt="0 1\n", graphs__b_dot_CSV="source,target\n0,1\n", graphs__c="0 1\n")
        Path("graphs/d.txt.gz").write_bytes(gzip.compress(b"0 1\n"))
        files = [f"graphs/{name}" for name in ("2024.01.05.txt", "b.CSV", "c", "d.txt.gz")]
        assert read_batch(files, directed=False).names.tolist() == ["2024.01.05", "b", "c", "d"]

    def test_graphs_whose_files_differ_in_their_suffixes_alone_have_the_full_names(self, folder):
        folder(graphs__a_dot_txt="0 1\n", graphs__a_dot_csv="source,target\n0,1\n")
        assert read_batch("graphs", directed=False).names.tolist() == ["a.csv", "a.txt"]

    def test_ids_with_gaps_in_one_file_label_the_vertices_of_all(self, folder):
        folder(graphs__a_dot_txt="0 1\n", graphs__b_dot_txt="5 7\n")
        assert [graph.labels.tolist() for graph in read_batch("graphs", directed=False)] == [[0, 1], [5, 7]]

    def test_weights_are_read_from_each_file(self, folder):
        folder(graphs__a_dot_csv="u,v,w\n0,1,2\n", graphs__b_dot_csv="u,v,w\n0,1,3\n")
        assert read_batch("graphs", directed=False, weights="w").graph.weights.tolist() == [2, 2, 3, 3]

    def test_a_warning_about_directions_comes_once(self, folder):
        folder(graphs__a_dot_txt="0 1\n1 2\n", graphs__b_dot_txt="0 1\n")
        with pytest.warns(triadic.errors.DirectionWarning, match="read as directed, but nothing") as remarks:
            triadic.directed_transitivity(read_batch("graphs"))
        assert len(remarks) == 1

    @pytest.mark.parametrize(
        ("files", "message"),
        [
            ({"g__a_dot_txt": "0 1\n", "g__b_dot_txt": ""}, "b.txt: the file is empty"),
            (
                {"g__a_dot_txt": "# Undirected graph\n0 1\n", "g__b_dot_txt": "0 1\n"},
                "b.txt: is directed, and g/a.txt is undirected; expected one kind, or directed=False",
            ),
            (
                {"g__a_dot_txt": "0 1\n", "g__b_dot_g6": "A_\nA_\n"},
                "b.g6: holds 2 graphs, expected one, as in each file of a folder, a pattern or a list; triadic.",
            ),
            ({"g__a_dot_txt": "0 1\n", "g__b_dot_txt": "x\n"}, "b.txt, line 1: found one id ('x')"),
            ({"g___hidden": "0 1\n"}, "g: holds no file of edges; looked for .txt"),
        ],
    )
    def test_a_folder_that_is_no_batch_is_refused_in_one_line(self, folder, files, message):
        folder(**files)
        with pytest.raises(ReadError) as refusal:
            read_batch("g")
        assert message in str(refusal.value)
        assert "\n" not in str(refusal.value)

    def test_one_graph_and_no_graph_are_refused(self, folder, tmp_path):
        folder(a_dot_txt="0 1\n")
        triadic.write(triadic.read("a.txt"), "a.triadic")
        with pytest.raises(ReadError, match="is one graph in triadic's own format; expected many"):
            read_batch("a.triadic")
        packed = shutil.make_archive(str(tmp_path / "p"), "zip", tmp_path, "a.txt")
        with pytest.raises(
            ReadError, match=r"holds no file .*_graph_indicator\.txt; expected a data set of TU Dortmund"
        ):
            read_batch(packed)
        with pytest.raises(MissingFileError, match="there is no such file"):
            read_batch("absent.csv")
        with pytest.raises(MissingFileError, match="no file matches this pattern"):
            read_batch("*.gml")
        with pytest.raises(ArgumentError, match=r"expected a file, or triadic\.GraphBatch\.from_table for a table"):
            read_batch(pa.table({"u": [1], "v": [2]}))


class TestPaths:
    @pytest.mark.parametrize(
        ("path", "message"),
        [
            (
                None,
                "path: got None; expected the path of a file or a folder, a pattern, a list of paths, or a bin",
            ),
            (3, "path: got int; expected the path of a file or a folder"),
            (nx.path_graph(3), "path: got networkx.classes.graph.Graph; expected the path of a file"),
            (
                [nx.path_graph(3)],
                "path[0]: got networkx.classes.graph.Graph; expected the path of a file; triadic.Graph",
            ),
            (["a.txt", 3], "path[1]: got int; expected the path of a file"),
            ([None], "path[0]: got None; expected the path of a file"),
            ([["a.txt"]], "path[0]: got list; expected the path of a file"),
            ([], "path=[]: expected at least one path"),
        ],
    )
    def test_other_objects_are_named(self, folder, path, message):
        folder(a_dot_txt="0 1\n")
        with pytest.raises(ArgumentError) as refusal:
            read_batch(path)
        assert str(refusal.value).startswith(message)
        assert "\n" not in str(refusal.value)
        if "networkx" in message:
            assert str(refusal.value).endswith("triadic.GraphBatch.from_graphs makes a batch of graphs in memory")

    def test_an_empty_folder_is_named(self, tmp_path):
        with pytest.raises(ReadError, match="is an empty folder; expected a file for each graph, or a data set"):
            read_batch(tmp_path)

    def test_an_opened_file_is_read(self, folder):
        folder(t_dot_csv="graph,from,to\n7,1,2\n8,1,2\n")
        with open("t.csv", "rb") as file:  # noqa: PTH123 - an opened file is what is read
            assert read_batch(file, format="csv").names.tolist() == [7, 8]


class TestTables:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("t.csv", "graph_id,from,to\n7,1,2\n8,1,2\n7,2,3\n"),
            ("t.csv", "from;to;Graph ID\n1;2;7\n1;2;8\n2;3;7\n"),
            ("t.tsv", "from\tto\tgraph\n1\t2\t7\n1\t2\t8\n2\t3\t7\n"),
            ("t.txt", "# a comment\nfrom to graph\n1 2 7\n1  2 8\n2 3 7\n"),
        ],
    )
    def test_the_column_of_the_graphs_is_found_by_its_name(self, folder, name, text):
        folder(**{name.replace(".", "_dot_"): text})
        batch = read_batch(name)
        assert batch.names.tolist() == [7, 8]
        assert [graph.labels.tolist() for graph in batch] == [[1, 2, 3], [1, 2]]
        assert "graphs" in batch.graph.origin.columns

    def test_it_is_chosen_by_name_or_index(self, folder):
        folder(t_dot_csv="day,a,b,w\nMon,x,y,1\nTue,y,z,2\n", n_dot_txt="0 1 5 4\n1 2 5 4\n0 1 6 4\n")
        assert read_batch("t.csv", graph="day").names.tolist() == ["Mon", "Tue"]
        assert read_batch("t.csv", graph="DAY", weights="w").graph.weights.tolist() == [1, 2]
        assert read_batch("n.txt", graph=2).names.tolist() == [5, 6]
        assert read_batch("n.txt", graph="2", weights=True, directed=False)[0].weights.tolist() == [4, 4, 4, 4]
        assert read_batch("t.csv", graph=0, source="b", target="a")[0].edges()[0].tolist() == [0]

    def test_the_column_of_the_graphs_is_no_end_of_an_edge(self, folder):
        folder(t_dot_csv="1;1\n")
        with pytest.raises(ReadError, match="the columns are 0, 1: expected a graph and the two ends of an edge"):
            read_batch("t.csv", graph=0)

    def test_names_of_graphs_may_be_quoted_and_between_blanks(self, folder):
        folder(t_dot_csv='graph,source,target\n"a, b",1,2\n c ,1,2\n"c",2,3\n"say ""x""",1,2\n')
        assert read_batch("t.csv").names.tolist() == ["a, b", "c", 'say "x"']

    def test_gephis_column_of_directions_is_heard(self, folder):
        folder(t_dot_csv="Source,Target,Type,graph\n1,2,Undirected,a\n1,2,Undirected,b\n")
        assert not read_batch("t.csv").directed
        folder(t_dot_csv="Source,Target,Type,graph\n" + "1,2,Undirected,a\n" * 300 + "1,2,Directed,b\n")
        with pytest.raises(ReadError, match="the column 'Type' does not state one direction"):
            read_batch("t.csv")

    def test_parquet_is_read_as_its_table(self, tmp_path):
        table = pa.table({"graph": ["x", "y", "x"], "u": [1, 1, 2], "v": [2, 2, 3], "weight": [0.5, 2, 3]})
        pq.write_table(table, tmp_path / "t.parquet")
        batch = read_batch(tmp_path / "t.parquet", weights=True)
        again = triadic.GraphBatch.from_table(table, "graph", weights=True)
        assert batch.names.tolist() == again.names.tolist()
        assert [edges_of(graph) for graph in batch] == [edges_of(graph) for graph in again]
        assert batch.graph.weights.tolist() == again.graph.weights.tolist()

    def test_a_parquet_file_that_states_its_direction_is_heard(self, tmp_path):
        triadic.write(triadic.Graph.from_edges([0, 1], [1, 2]), tmp_path / "g.parquet")
        table = pq.read_table(tmp_path / "g.parquet")
        pq.write_table(table.append_column("graph", pa.array(["a", "b"])), tmp_path / "t.parquet")
        assert not read_batch(tmp_path / "t.parquet").directed

    @pytest.mark.parametrize(
        ("text", "keywords", "message"),
        [
            ("day,a,b\n1,1,2\n", {}, "the columns are day, a, b; none has a usual name of a graph, such as graph_id"),
            ("graph,network,u,v\n1,1,2,3\n", {}, "graph and network may both name the graphs; pass graph="),
            ("graph,u,v\n1,1,2\n", {"graph": "g"}, "there is no column 'g'; the columns are graph, u, v"),
            ("graph,u,v\na,1,2\n,2,3\n", {}, "row 2 has no value in the column of the graphs"),
            ("1,2,3\n4,5,6\n", {}, "its columns have no names; pass graph= (--graph), the index of the column"),
            ("graph,u,v\n", {}, "holds no rows, expected a row for each edge"),
            ("graph,u,v\na,1,2\nb,1\n", {}, "line 3: found 2 columns"),
            ("graph,u,v\na,1,2\nb,-1,2\n", {}, "found the"),
            ("", {}, "the file is empty"),
            ("graph,u,v,w\na,1,2,3\na,1,2,x\n", {"weights": "w"}, "line 3: found the weight 'x'"),
        ],
    )
    def test_a_text_that_is_no_batch_is_refused_in_one_line(self, folder, text, keywords, message):
        folder(t_dot_csv=text)
        with pytest.raises(ReadError) as refusal:
            read_batch("t.csv", **keywords)
        assert message in str(refusal.value)
        assert str(refusal.value).startswith("t.csv")
        assert "\n" not in str(refusal.value)

    def test_other_files_are_one_graph(self, folder):
        folder(x_dot_gml="graph [ node [ id 1 ] ]")
        with pytest.raises(ReadError, match=r"x\.gml: is one graph of the format gml; expected many"):
            read_batch("x.gml")

    @given(
        st.lists(st.tuples(st.sampled_from(["a", "b c", "7", "é"]), st.integers(0, 5), st.integers(0, 5)), min_size=1),
        st.sampled_from([",", ";", "\t"]),
    )
    def test_a_text_is_read_as_its_table(self, tmp_path_factory, rows, separator):
        path = tmp_path_factory.getbasetemp() / "rows.csv"
        path.write_text("\n".join(separator.join(map(str, row)) for row in [("graph", "from", "to"), *rows]) + "\n")
        columns = dict(zip(("graph", "from", "to"), map(list, zip(*rows, strict=True)), strict=True))
        expected = triadic.GraphBatch.from_table(pa.table(columns), "graph")
        found = read_batch(path)
        assert [str(name) for name in found.names] == expected.names.tolist()
        assert [edges_of(graph) for graph in found] == [edges_of(graph) for graph in expected]

    @given(st.text("graph,;uv12\"' \n\té", max_size=60), st.sampled_from([None, 0, 2, "graph"]))
    def test_any_text_is_a_batch_or_an_error(self, tmp_path_factory, text, graph):
        path = tmp_path_factory.getbasetemp() / "any.csv"
        path.write_text(text)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ReadWarning)
                batch = read_batch(path, graph=graph)
        except TriadicError as error:
            assert "\n" not in str(error)  # noqa: PT017 - that it is raised is not asked for
            return
        assert batch.sizes.min() > 0


SIZES = (*range(18), 31, 33, 62, 63, 64, 65, 130)
GRAPHS = [nx.gnp_random_graph(n, p, seed=n) for n in SIZES for p in (0.05, 0.5)]


class TestGraph6:
    @pytest.mark.parametrize("kind", ["g6", "s6", "mixed"])
    def test_lines_are_decoded_as_by_networkx(self, tmp_path, kind):
        path = tmp_path / f"graphs.{'g6' if kind == 'mixed' else kind}"
        writers = {"g6": [nx.to_graph6_bytes], "s6": [nx.to_sparse6_bytes]}
        used = writers.get(kind, [nx.to_sparse6_bytes, nx.to_graph6_bytes])
        path.write_bytes(b"".join(used[i % len(used)](graph, header=False) for i, graph in enumerate(GRAPHS)))
        batch = read_batch(path)
        assert batch.sizes.tolist() == [len(graph) for graph in GRAPHS]
        for found, graph in zip(batch, GRAPHS, strict=True):
            assert edges_of(found) == sorted(tuple(sorted(edge)) for edge in graph.edges)

    def test_lines_of_digraph6_are_directed(self, tmp_path):
        path = tmp_path / "graphs.d6"
        path.write_text("&DI?AO?\n&AO\n")  # the example of nauty's documentation, and an arc from 0 to 1
        batch = read_batch(path)
        assert batch.directed
        assert [edges_of(graph) for graph in batch] == [[(0, 2), (0, 4), (3, 1), (3, 4)], [(0, 1)]]
        assert batch.sizes.tolist() == [5, 2]

    def test_directions_may_be_dropped_and_an_edge_may_be_arcs_both_ways(self, tmp_path):
        path = tmp_path / "mixed.g6"
        path.write_text("&AO\nA_\n")
        assert [edges_of(graph) for graph in read_batch(path, directed=False)] == [[(0, 1)], [(0, 1)]]
        with pytest.raises(ReadError, match="graph 1 is undirected and graph 0 is directed"):
            read_batch(path, directed=True)
        path.write_text("A_\n")
        assert [edges_of(graph) for graph in read_batch(path, directed=True)] == [[(0, 1), (1, 0)]]

    def test_a_file_with_one_line_is_a_network(self, tmp_path):
        (tmp_path / "g.g6").write_text(">>graph6<<Bw\n")
        (tmp_path / "unnamed").write_text(">>sparse6<<:Bc\n")
        assert edges_of(triadic.read(tmp_path / "g.g6")) == [(0, 1), (0, 2), (1, 2)]
        assert triadic.read(tmp_path / "unnamed").num_vertices == 3
        assert triadic.read(tmp_path / "g.g6", num_vertices=9).num_vertices == 9
        assert read_batch(tmp_path / "g.g6").num_graphs == 1

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (">>graph6<<\n\n", "holds no graph, expected one graph a line"),
            ("A_\nBw?\n", "line 2: found 2 characters after the number of vertices, expected 1 for 3 vertices"),
            ("A_\n~~\n", "line 2: the line ends before the number of vertices does"),
            ("A_\nB w\n", "line 2: found the character ' ', expected characters from '?' to '~'"),
            ("A_\n&A_\n", "line 2: graph 1 is directed and graph 0 is undirected; expected one kind"),
            ("A_\n;A\n", "line 2: found incremental sparse6 (;)"),
            (":Bc\n:C~~~?\n", "line 2: found an edge of vertex"),
        ],
    )
    def test_damaged_lines_are_named(self, tmp_path, text, message):
        path = tmp_path / "g.g6"
        path.write_text(text)
        with pytest.raises(ReadError) as refusal:
            read_batch(path)
        assert message in str(refusal.value)
        assert "\n" not in str(refusal.value)

    def test_what_it_does_not_have_is_refused(self, tmp_path):
        path = tmp_path / "g.g6"
        path.write_text("A_\nA_\n")
        with pytest.raises(ReadError, match=r"holds 2 graphs, expected one; triadic\.read_batch"):
            triadic.read(path)
        with pytest.raises(ReadError, match="weights=True: graphs in graph6 have no weights"):
            read_batch(path, weights=True)
        with pytest.raises(ReadError, match="graph='a': files of the format graph6 have no columns"):
            read_batch(path, graph="a")
        with pytest.raises(ArgumentError, match="files of the format graph6 have no columns to choose"):
            read_batch(path, source=1)

    def test_more_vertices_than_memory_holds_are_refused(self, tmp_path):
        path = tmp_path / "g.s6"
        path.write_text(":~~~~~~~~\n")
        with pytest.raises(OutOfMemoryError):
            triadic.read(path)

    @given(st.lists(st.text(":&;?@ABCDw_~}|o", max_size=12), max_size=5))
    def test_any_lines_are_a_batch_or_an_error(self, tmp_path_factory, lines):
        path = tmp_path_factory.getbasetemp() / "any.g6"
        path.write_text("\n".join(lines))
        try:
            batch = read_batch(path)
        except TriadicError as error:
            assert "\n" not in str(error)  # noqa: PT017 - that it is raised is not asked for
            return
        assert batch.num_graphs == sum(1 for line in lines if line)


def test_a_table_is_read_without_importing_pandas(tmp_path):
    """The import takes longer than reading most files."""
    (tmp_path / "days.csv").write_text('day,from,to,weight\nMon,1,2,1\n"Tue, é",b,c,2\n', encoding="utf-8")
    text = (
        "import sys, triadic\n"
        "batch = triadic.read_batch('days.csv', graph='day', weights=True)\n"
        "assert batch.names.tolist() == ['Mon', 'Tue, é'], batch.names\n"
        "assert 'pandas' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-X", "utf8", "-c", text], check=True, cwd=tmp_path)


@pytest.mark.parametrize("form", ["csv", "parquet", "table", "folder"])
def test_a_column_of_graphs_that_is_not_read_is_warned_of(tmp_path, form):
    table = pa.table({"Graph ID": ["a", "a", "b"], "source": [1, 2, 1], "target": [2, 3, 2]})
    path = tmp_path / f"edges.{form}"
    if form == "csv":
        pa_csv.write_csv(table, path)
    elif form == "folder":
        path.mkdir()
        pq.write_table(table, path / "part-0.parquet")
    else:
        pq.write_table(table, path)

    def read(**options):
        return triadic.Graph(table, **options) if form == "table" else triadic.read(path, **options)

    with pytest.warns(ReadWarning, match=r"read as one network, though the column Graph ID may name .*--batch\) rea"):
        read()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(source="source", target="target")
        assert read(source="source", target="target", weights=False).num_arcs == 2
        if form in ("csv", "parquet"):
            assert triadic.read_batch(path).num_graphs == 2
            events = pa.table({"from": [1, 2], "to": [2, 3], "snapshot": [5, 6]})
            (pa_csv.write_csv if form == "csv" else pq.write_table)(events, path)
            assert triadic.read_temporal(path, time="snapshot").num_events == 2


def packed_data_set(path, method=zipfile.ZIP_DEFLATED, indicator="1\n1\n"):
    with zipfile.ZipFile(path, "w", method) as packed:
        packed.writestr("T_A.txt", "1, 2\n2, 1\n")
        packed.writestr("T_graph_indicator.txt", indicator)
    return path.read_bytes()


def test_a_packed_data_set_whose_directory_or_text_is_damaged_is_one_line(tmp_path):
    path = tmp_path / "T.zip"
    whole = packed_data_set(path, indicator="".join(f"{1 + i // 50}\n" for i in range(1000)))
    directory = whole.index(b"PK\x01\x02")
    damaged = {
        "Bad magic number": whole[:directory] + b"PK\x01\x07" + whole[directory + 4 :],
        "version 25.5": whole[: directory + 6] + b"\xff" + whole[directory + 7 :],
        "cannot be unpacked": whole[: directory - 40] + b"\xff" * 40 + whole[directory:],
    }
    for found, content in damaged.items():
        path.write_bytes(content)
        with pytest.raises(ReadError, match=found) as raised:
            read_batch(path)
        assert "\n" not in str(raised.value)
    packed_data_set(path, zipfile.ZIP_BZIP2)
    with pytest.raises(ReadError, match="is packed by method 12; expected stored or deflated"):
        read_batch(path)


def test_no_more_is_unpacked_than_the_archive_states(tmp_path):
    path = tmp_path / "T.zip"
    whole = packed_data_set(path, indicator="1\n" * 20_000_000)
    size = (40_000_000).to_bytes(4, "little")
    assert whole.count(size) == 2
    path.write_bytes(whole.replace(size, (1000).to_bytes(4, "little")))
    tracemalloc.start()
    with pytest.raises(ReadError, match="Bad CRC-32"):
        read_batch(path)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_a_packed_data_set_is_compared_with_the_memory_before_it_is_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "T.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("T_A.txt", "1, 2\n2, 1\n")
        packed.writestr("T_graph_indicator.txt", "1\n" * 5_000_000)
    assert (tmp_path / "T.zip").stat().st_size < 100_000
    with (
        memory_limit(20 << 20),
        pytest.raises(OutOfMemoryError, match=r"T_graph_indicator.txt: reading 10 MiB that it"),
    ):
        read_batch(tmp_path / "T.zip")
    with (
        memory_limit(200 << 20),  # room for the text, not for its numbers
        pytest.raises(OutOfMemoryError, match=r"T_graph_indicator.txt: reading up to 5,000,000 numbers takes"),
    ):
        read_batch(tmp_path / "T.zip")
