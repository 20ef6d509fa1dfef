"""A network in many files, or in a table of another library, is the network of the one concatenated file."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import os
import sys
import tracemalloc
import warnings

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

import triadic
from triadic import Graph, read, tile
from triadic.errors import ArgumentError, MissingFileError, ReadError, WriteError
from triadic.io import ReadWarning, arc_stream, read_arcs
from triadic.io.reading import stream_arcs
from triadic.planning.plan import plan

NUMBERS = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 3), (7, 3), (10, 7), (0, 1), (9, 10), (1, 10), (4, 2), (11, 1)]
GAPS = [(10**12 * a + 5, 10**12 * b + 5) for a, b in NUMBERS]
NAMES = [(f"v{a}", f"v {b} ü") for a, b in NUMBERS]
WEIGHTS = np.arange(len(NUMBERS)) / 4


def same_arcs(found, expected):
    """Assert that two reads returned the same arcs on the same vertices."""
    assert np.array_equal(found.source, expected.source)
    assert np.array_equal(found.target, expected.target)
    assert found.source.dtype == expected.source.dtype
    assert (found.vertices, found.directed) == (expected.vertices, expected.directed)
    assert (found.labels is None) == (expected.labels is None)
    if expected.labels is not None:
        assert found.labels.dtype == expected.labels.dtype
        assert found.labels.tolist() == expected.labels.tolist()
    assert (found.weights is None) == (expected.weights is None)
    if expected.weights is not None:
        assert found.weights.tolist() == expected.weights.tolist()


def same_stream(network, expected, **keywords):
    """Assert that a stream returns the arcs of a read, twice, with and without a cache."""
    for keep in (0, 1 << 20):
        stream = stream_arcs(network, piece_arcs=2, threads=2, keep=keep, **keywords)
        survey = stream.survey()
        assert (survey.vertices, survey.arcs, stream.directed) == (expected.vertices, len(expected), expected.directed)
        assert (survey.labels is None) == (expected.labels is None)
        if expected.labels is not None:
            assert survey.labels.tolist() == expected.labels.tolist()
        degree = np.bincount(np.r_[expected.source, expected.target], minlength=expected.vertices)
        assert survey.degree.tolist() == degree.tolist()
        for _ in range(2):
            pieces = list(stream.pieces())
            assert all(0 < len(source) <= 2 for source, _ in pieces)
            for end, whole in enumerate((expected.source, expected.target)):
                found = np.concatenate([np.empty(0, whole.dtype), *(piece[end] for piece in pieces)])
                assert found.tolist() == whole.tolist()
                assert found.dtype == whole.dtype


def same_everywhere(network, expected, tmp_path):
    """Assert that reading, streaming, tiling and planning agree with the arcs of the one concatenated file."""
    same_arcs(read_arcs(network), expected)
    same_stream(network, expected)
    graph = Graph.from_arcs(expected)
    same_graph(read(network), graph)
    tiles = tile(network, tmp_path / "lake.tiles", memory="40MB", ranges=2)
    assert triadic.triangle_count(tiles) == triadic.triangle_count(graph)
    assert (tiles.num_vertices, tiles.num_edges) == (graph.num_vertices, graph.num_edges)
    found = plan(network)
    assert (found.vertices, found.edges) == (graph.num_vertices, graph.num_edges)


def same_graph(found, expected):
    """Assert that two graphs have the same arcs, labels and weights."""
    for name in ("indptr", "indices", "labels", "weights"):
        one, other = getattr(found, name), getattr(expected, name)
        assert (one is None) == (other is None), name
        assert one is None or one.tolist() == other.tolist(), name
    assert found.directed == expected.directed


def write_csv(folder, edges, *, files=4, header="source,target,weight", suffix=".csv", delimiter=","):
    """Write edges to several files in order, and return their text as one file."""
    lines = [delimiter.join((str(a), str(b), str(w))) for (a, b), w in zip(edges, WEIGHTS, strict=True)]
    folder.mkdir(parents=True, exist_ok=True)
    for i, part in enumerate(np.array_split(lines, files)):
        text = "".join(f"{line}\n" for line in ([header] if header else []) + part.tolist())
        path = folder / f"part-{i}{suffix}"
        path.write_bytes(gzip.compress(text.encode()) if suffix.endswith(".gz") else text.encode())
    return "".join(f"{line}\n" for line in ([header] if header else []) + lines)


def table_of(edges):
    source, target = zip(*edges, strict=True)
    return pa.table({"source": source, "target": target, "weight": WEIGHTS})


def write_parquet(folder, edges, *, files=4):
    """Write edges to several Parquet files in order, with two rows in each row group."""
    folder.mkdir(parents=True, exist_ok=True)
    table = table_of(edges)
    cuts = np.linspace(0, len(table), files + 1).astype(int)
    for i, (start, stop) in enumerate(itertools.pairwise(cuts)):
        pq.write_table(table.slice(start, stop - start), folder / f"part-{i}.parquet", row_group_size=2)


@pytest.fixture
def one_file(tmp_path):
    """Read the arcs of one file that holds a text."""

    def make(text, name="one.csv", **keywords):
        path = tmp_path / "one" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return read_arcs(path, **keywords)

    return make


@pytest.mark.parametrize("edges", [NUMBERS, GAPS, NAMES], ids=["numbers", "gaps", "names"])
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".tsv", ".txt", ""])
def test_a_folder_of_text_is_the_concatenated_file(tmp_path, one_file, edges, suffix):
    delimiter = "," if "csv" in suffix else "\t"
    text = write_csv(tmp_path / "a lake ü", edges, suffix=suffix, delimiter=delimiter, header="")
    same_everywhere(tmp_path / "a lake ü", one_file(text, f"one{suffix.removesuffix('.gz')}"), tmp_path)


@pytest.mark.parametrize("edges", [NUMBERS, GAPS, NAMES], ids=["numbers", "gaps", "names"])
def test_a_folder_of_parquet_is_the_concatenated_file(tmp_path, edges):
    write_parquet(tmp_path / "lake", edges)
    pq.write_table(table_of(edges), tmp_path / "one.parquet")
    same_everywhere(tmp_path / "lake", read_arcs(tmp_path / "one.parquet"), tmp_path)


def test_a_header_row_may_be_in_each_file(tmp_path, one_file):
    text = write_csv(tmp_path / "lake", NAMES)
    same_everywhere(str(tmp_path / "lake"), one_file(text), tmp_path)


def test_files_are_in_natural_order_and_in_folders_of_partitions(tmp_path, one_file):
    for i, (a, b) in enumerate(NAMES):
        folder = tmp_path / "lake" / f"year={2000 + i // 6}" / f"part={i % 6}"
        folder.mkdir(parents=True)
        (folder / "0.csv").write_text(f"{a},{b}\n{b},{a}\n")
    for marker in ("_SUCCESS", "_metadata", ".part-0.crc", "0.csv.crc"):
        (tmp_path / "lake" / marker).write_text("no edges")
    (tmp_path / "lake" / "_temporary").mkdir()
    (tmp_path / "lake" / "_temporary" / "0.csv").write_text("not,committed\n")
    expected = one_file("".join(f"{a},{b}\n{b},{a}\n" for a, b in NAMES))
    same_everywhere(tmp_path / "lake", expected, tmp_path)
    same_arcs(read_arcs(tmp_path / "lake" / "**" / "*.csv"), expected)
    same_arcs(read_arcs(tmp_path / "lake" / "year=*"), expected)


def test_part_2_is_read_before_part_10(tmp_path):
    for i in range(12):
        (tmp_path / f"part-{i}.csv").write_text(f"a{i},b{i}\nb{i},a{i}\n")
    assert read_arcs(tmp_path).labels.tolist()[::2] == [f"a{i}" for i in range(12)]
    assert read_arcs(tmp_path / "part-[0-9]*.csv").labels.tolist()[::2] == [f"a{i}" for i in range(12)]


def test_partitions_of_hive_are_read_as_one_network(tmp_path):
    write_parquet(tmp_path / "one", NUMBERS, files=1)
    table = table_of(NUMBERS).append_column("year", pa.array([2019 + i % 3 for i in range(len(NUMBERS))]))
    pq.write_to_dataset(table, tmp_path / "lake", partition_cols=["year"])
    assert (tmp_path / "lake" / "year=2020").is_dir()
    same_graph(read(tmp_path / "lake"), read(tmp_path / "one"))
    same_graph(read(pyarrow.dataset.dataset(tmp_path / "lake", partitioning="hive")), read(tmp_path / "one"))


def test_a_pattern_and_a_list_are_read_like_a_folder(tmp_path, one_file):
    text = write_csv(tmp_path / "lake", NAMES)
    expected = one_file(text)
    files = [tmp_path / "lake" / f"part-{i}.csv" for i in range(4)]
    for i, network in enumerate((files, tuple(map(str, files)), tmp_path / "lake" / "*.csv", f"{tmp_path}/*ke/p*.csv")):
        (tmp_path / str(i)).mkdir()
        same_everywhere(network, expected, tmp_path / str(i))
    backwards = read_arcs(files[::-1])
    assert backwards.labels.tolist() != expected.labels.tolist()
    assert len(backwards) == len(expected)


def test_a_folder_of_one_file_is_that_file_whatever_its_format(tmp_path):
    graph = triadic.generate.rmat(4, seed=1)
    triadic.write(graph, tmp_path / "net.graphml")
    same_graph(read(tmp_path / "*.graphml"), read(tmp_path / "net.graphml"))


def test_weights_are_read(tmp_path, one_file):
    text = write_csv(tmp_path / "csv", NAMES)
    write_parquet(tmp_path / "parquet", NAMES)
    expected = one_file(text, weights=True)
    assert expected.weights.tolist() == WEIGHTS.tolist()
    for network in (tmp_path / "csv", tmp_path / "parquet", table_of(NAMES), pl.from_arrow(table_of(NAMES)).lazy()):
        same_arcs(read_arcs(network, weights=True), expected)
        same_arcs(read_arcs(network, weights="weight"), expected)


def test_three_hundred_tiny_files(tmp_path):
    for i in range(300):
        (tmp_path / f"{i}.csv").write_text(f"{i},{(i + 1) % 300}\n{i},{(i + 2) % 300}\n")
    graph = read(tmp_path, directed=False)
    assert (graph.num_vertices, graph.num_edges) == (300, 600)
    assert triadic.triangle_count(graph) == 300
    stream = stream_arcs(tmp_path)
    told = []
    assert stream.survey(lambda *counts: told.append(counts)).arcs == 600
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert told[-1] == (size, size)


class TestIds:
    """Ids are numbers in all files, or names in all files."""

    @pytest.mark.parametrize("place", [0, 1, 2])
    def test_one_name_makes_all_ids_names(self, tmp_path, one_file, place):
        parts = ["1 2\n2 3\n", "3 1\n", "007 7\n"]
        parts[place] += "x 1\n"
        folder = tmp_path / "lake"
        folder.mkdir()
        for i, part in enumerate(parts):
            (folder / f"{i}.txt").write_text(part)
        expected = one_file("".join(parts), "one.txt")
        assert expected.labels.dtype == object
        same_everywhere(folder, expected, tmp_path)

    def test_quoted_integers_are_numbers(self, tmp_path, one_file):
        folder = tmp_path / "lake"
        folder.mkdir()
        (folder / "0.csv").write_text("5,6\n6,9\n")
        (folder / "1.csv").write_text('"7","5"\n')
        same_everywhere(folder, one_file("5,6\n6,9\n7,5\n"), tmp_path)

    def test_comments_and_odd_rows_in_later_files(self, tmp_path, one_file):
        folder = tmp_path / "lake"
        folder.mkdir()
        (folder / "0.txt").write_text("1\t2\n2\t3\n")
        (folder / "1.txt").write_text("4\t1\n# a comment\n 3   1\n")
        same_everywhere(folder, one_file("1 2\n2 3\n4 1\n3 1\n", "one.txt"), tmp_path)

    def test_numbers_in_one_file_of_parquet_and_names_in_another_are_names(self, tmp_path):
        pq.write_table(pa.table({"source": [1, 2], "target": [2, 3]}), tmp_path / "0.parquet")
        pq.write_table(pa.table({"source": ["a"], "target": ["2"]}), tmp_path / "1.parquet")
        arcs = read_arcs(tmp_path)
        assert arcs.labels.tolist() == ["1", "2", "3", "a"]
        same_stream(tmp_path, arcs)


class TestHeaders:
    """What a file states holds for all files."""

    def write(self, folder, *parts):
        folder.mkdir(exist_ok=True)
        for i, part in enumerate(parts):
            (folder / f"{i}.txt").write_text(part)
        return folder

    def test_a_direction_and_a_number_of_vertices_in_the_first_file_hold_for_all(self, tmp_path, one_file):
        parts = ["# Undirected graph\n# Nodes: 9 Edges: 2\n0 1\n", "1 5\n"]
        folder = self.write(tmp_path / "lake", *parts)
        same_everywhere(folder, one_file("".join(parts), "one.txt"), tmp_path)
        assert read(folder).num_vertices == 9

    def test_the_largest_number_of_vertices_counts(self, tmp_path):
        folder = self.write(tmp_path / "lake", "# Nodes: 3\n0 1\n", "# Nodes: 6\n1 2\n", "2 3\n")
        assert read_arcs(folder).vertices == 6
        same_stream(folder, read_arcs(folder))

    def test_directions_that_disagree_are_refused_with_both_files(self, tmp_path):
        folder = self.write(tmp_path / "lake", "1 2\n", "# Directed graph\n0 1\n", "# Undirected graph\n1 2\n")
        with pytest.raises(ReadError, match=r"2\.txt: has other directions than .*1\.txt \(undirected, not directed\)"):
            read(folder)
        assert not read(folder, directed=False).directed

    def test_a_bipartite_network_in_parts(self, tmp_path, one_file):
        parts = ["% bip\n% 3 2 3\n1 1\n1 3\n", "2 1\n"]
        folder = self.write(tmp_path / "lake", *parts)
        expected = one_file("".join(parts), "one.txt")
        assert expected.labels.tolist()[0] == "left:1"
        same_arcs(read_arcs(folder), expected)
        same_stream(folder, expected)

    @pytest.mark.parametrize("header", [None, True])
    def test_a_header_in_the_first_of_several_parts_names_the_columns_of_all(self, tmp_path, one_file, header):
        parts = ["weight,source,target\n1,a,b\n", "2,b,c\n", "3,c,a\n4,a,d\n"]
        folder = tmp_path / "lake"
        folder.mkdir()
        for i, part in enumerate(parts):
            (folder / f"{i}.csv").write_text(part)
        expected = one_file("".join(parts), weights=True)
        assert expected.weights.tolist() == [1, 2, 3, 4]
        same_arcs(read_arcs(folder, weights=True, header=header), expected)
        same_arcs(read_arcs(folder, weights=True, source="source", target="target"), expected)
        found = read_arcs(folder)
        assert found.origin.columns == "columns source → target, header in line 1"
        same_stream(folder, found)

    @pytest.mark.parametrize("header", ["", "Source,Target,Type\n"])
    def test_the_column_of_directions_is_checked_in_every_file(self, tmp_path, header):
        (tmp_path / "0.csv").write_text("Source,Target,Type\na,b,Undirected\n")
        (tmp_path / "1.csv").write_text(f"{header}b,c,Undirected\n")
        assert (read(tmp_path).directed, read(tmp_path).num_edges) == (False, 2)
        assert not stream_arcs(tmp_path).directed
        with (tmp_path / "1.csv").open("a") as file:
            file.write("c,d,Directed\n" * 300)
        with pytest.raises(ReadError, match=r"1\.csv: .*'Type' does not state one direction"):
            stream_arcs(tmp_path).survey()
        with pytest.raises(ReadError, match=r"1\.csv: .*'Type' does not state one direction"):
            read(tmp_path)
        assert read(tmp_path, directed=True).directed

    def test_other_columns_in_another_file_are_refused(self, tmp_path):
        (tmp_path / "0.csv").write_text("weight,source,target\n1,2,3\n")
        (tmp_path / "1.csv").write_text("source,target,weight\n1,2,3\n")
        with pytest.raises(ReadError, match=r"1\.csv: has other columns than .*0\.csv \(0 and 1, not 1 and 2\)"):
            read(tmp_path)

    def test_a_first_row_that_may_be_a_header_or_an_edge_is_refused(self, tmp_path):
        for i in range(2):
            (tmp_path / f"{i}.csv").write_text(f"user,pal\nanna{i},bert\n")
        with pytest.raises(ReadError, match=r"0\.csv: the first row may be a header or an edge"):
            read(tmp_path)
        assert (len(read_arcs(tmp_path, header=True)), len(read_arcs(tmp_path, header=False))) == (2, 4)

    def test_a_name_that_may_stand_for_a_missing_value_is_a_warning_at_the_caller(self, tmp_path):
        (tmp_path / "0.csv").write_text("from,to\nZA,BW\n")
        (tmp_path / "1.csv").write_text("from,to\nZA,NA\n")
        for action in (read, read_arcs, lambda network: stream_arcs(network).survey()):
            with pytest.warns(ReadWarning, match=r"the name 'NA' is read as a vertex") as caught:
                action(tmp_path)
            assert caught[0].filename == __file__

    def test_ids_that_a_program_changed_are_refused(self, tmp_path):
        (tmp_path / "0.csv").write_text("1,2\n2,3\n")
        (tmp_path / "1.csv").write_text("3,4\n4,5.0\n")
        for action in (read_arcs, lambda network: stream_arcs(network).survey()):
            with pytest.raises(ReadError, match=r"1\.csv, line 2: found the id '5\.0' among whole numbers"):
                action(tmp_path)
        (tmp_path / "2.csv").write_text("a,b\nb,a\n")
        assert "5.0" in read_arcs(tmp_path).labels.tolist()

    def test_parquet_written_by_triadic_states_its_direction(self, tmp_path):
        triadic.write(Graph.from_edges([0, 1], [1, 2], directed=False, num_vertices=5), tmp_path / "0.parquet")
        triadic.write(Graph.from_edges([2], [3], directed=False, num_vertices=7), tmp_path / "1.parquet")
        graph = read(tmp_path)
        assert (graph.directed, graph.num_vertices, graph.num_edges) == (False, 7, 3)


class TestErrors:
    """An error names the file within the folder, and its line."""

    @pytest.mark.parametrize(
        ("text", "keywords", "words"),
        [
            ("3,4\n5\n", {}, "found one id"),
            ("3,4\n5,-6\n", {}, "found the negative id '-6'"),
            ("3,4\n5,9\n", {"num_vertices": 8}, "expected less than num_vertices=8"),
            ("3,4\n5,99999999999999999999\n", {}, r"expected less than 2\*\*63"),
        ],
    )
    def test_a_line_that_is_wrong(self, tmp_path, text, keywords, words):
        (tmp_path / "0.csv").write_text("1,2\n2,3\n")
        (tmp_path / "1.csv").write_text(text)
        for action in (read_arcs, lambda *a, **k: stream_arcs(*a, **k).survey()):
            with pytest.raises(ReadError, match=rf"1\.csv, line 2: .*{words}") as caught:
                action(tmp_path, **keywords)
            assert "\n" not in str(caught.value)

    def test_a_weight_that_is_wrong(self, tmp_path):
        (tmp_path / "0.csv").write_text("1,2,3\n")
        (tmp_path / "1.csv").write_text("1,2,3\n2,3,nan\n")
        with pytest.raises(ReadError, match=r"1\.csv, line 2: found the weight 'nan'"):
            read(tmp_path, weights=2)

    @pytest.mark.parametrize(
        ("values", "words"), [([1, None], "no value in row 4"), ([1, -5], "found the id -5"), ([1, 99], "vertices=50")]
    )
    def test_a_row_of_parquet_that_is_wrong(self, tmp_path, values, words):
        pq.write_table(pa.table({"source": [1, 2], "target": [2, 3]}), tmp_path / "0.parquet")
        table = pa.table({"source": [1, 2, 3, 4], "target": [1, 1, *values]})
        pq.write_table(table, tmp_path / "1.parquet", row_group_size=2)
        for action in (read_arcs, lambda *a, **k: stream_arcs(*a, **k).survey()):
            with pytest.raises(ReadError, match=rf"1\.parquet: .*{words}"):
                action(tmp_path, num_vertices=50)

    def test_a_damaged_file(self, tmp_path):
        write_parquet(tmp_path, NUMBERS)
        (tmp_path / "part-2.parquet").write_bytes(b"PAR1 and no more")
        with pytest.raises(ReadError, match=r"part-2\.parquet: cannot be read as Parquet"):
            read(tmp_path)

    def test_a_column_that_one_file_lacks(self, tmp_path):
        write_parquet(tmp_path, NUMBERS)
        pq.write_table(pa.table({"a": [1], "b": [2]}), tmp_path / "part-9.parquet")
        with pytest.raises(ReadError, match=r"part-9\.parquet: "):
            read(tmp_path, source="source", target="target", weights="weight")

    def test_files_of_several_formats(self, tmp_path):
        write_parquet(tmp_path, NUMBERS)
        write_csv(tmp_path, NUMBERS)
        (tmp_path / "README.md").write_text("no edges")
        with pytest.raises(ReadError, match=r"formats: 1 \.md \(README\.md\), 4 csv \(part-0\.csv, .*/\*\.csv'"):
            read(tmp_path)
        same_graph(read(tmp_path / "*.csv"), read(tmp_path / "*.parquet"))
        with pytest.raises(ReadError, match=r"part-0\.parquet: is of the format parquet; expected csv"):
            read([tmp_path / "part-0.csv", tmp_path / "part-0.parquet"])

    def test_a_folder_without_edges(self, tmp_path):
        for action in (read, stream_arcs, plan, lambda network: tile(network, tmp_path / "t")):
            with pytest.raises(ReadError, match=r"holds no file of edges; looked for \.txt .*\.parquet"):
                action(tmp_path)
        (tmp_path / "notes.md").write_text("")
        with pytest.raises(ReadError, match=r"holds no file of edges, but notes\.md"):
            read(tmp_path)

    def test_files_of_networks_of_their_own(self, tmp_path):
        for i in range(2):
            triadic.write(triadic.generate.rmat(3, seed=1), tmp_path / f"{i}.graphml")
        with pytest.raises(ReadError, match=r"holds no file of edges, but 0\.graphml|networks of their own"):
            read(tmp_path)

    @pytest.mark.parametrize(
        ("entry", "kind"), [("_delta_log", "Delta Lake"), (".hoodie", "Hudi"), ("metadata", "Iceberg")]
    )
    def test_tables_with_a_log_hold_deleted_rows(self, tmp_path, entry, kind):
        write_parquet(tmp_path, NUMBERS)
        (tmp_path / entry).mkdir()
        (tmp_path / entry / "v1.metadata.json").write_text("{}")
        with pytest.raises(ReadError, match=f"is a table of {kind}"):
            read(tmp_path)

    @pytest.mark.parametrize("network", ["no/such", "no/*.csv", ["no/such.csv"]])
    def test_what_does_not_exist(self, network, tmp_path):
        for action in (read, stream_arcs, plan, lambda network: tile(network, tmp_path / "t")):
            with pytest.raises(MissingFileError, match=r"there is no such file|no file matches this pattern"):
                action(network)

    def test_wrong_arguments(self, tmp_path):
        for network in (5, np.zeros((2, 3)), {"a": 1}):
            with pytest.raises(ArgumentError, match="expected a path, a list of paths, a binary file, or a table"):
                read(network)
        with pytest.raises(MissingFileError):
            read(["x" * 5000, "y"])
        (tmp_path / "0.csv").write_text("1,2\n")
        with pytest.raises(ArgumentError, match="at least one path"):
            read([])
        with pytest.raises(ArgumentError, match="more than once"):
            read([tmp_path, tmp_path / "0.csv"])
        with pytest.raises(ArgumentError, match="a table has no format"):
            read(table_of(NUMBERS), format="csv")
        with pytest.raises(ArgumentError, match="opened as text"), (tmp_path / "0.csv").open() as file:
            read(file)

    def test_a_circle_of_links(self, tmp_path):
        (tmp_path / "0.csv").write_text("1,2\n")
        (tmp_path / "link").symlink_to(tmp_path)
        with pytest.raises(ReadError, match="link to a folder above it"):
            read(tmp_path)

    def test_a_file_that_changes_between_two_passes(self, tmp_path):
        write_csv(tmp_path, NUMBERS)
        stream = stream_arcs(tmp_path)
        stream.survey()
        os.utime(tmp_path / "part-2.csv", ns=(1, 1))
        with pytest.raises(ReadError, match=r"part-2\.csv: has changed"):
            list(stream.pieces())


def test_files_without_a_byte_are_skipped(tmp_path):
    (tmp_path / "0.csv").write_text("")
    with pytest.raises(ReadError, match="empty"):
        read([tmp_path])
    (tmp_path / "1.csv").write_text("")
    with pytest.raises(ReadError, match="all 2 files are empty"):
        read(tmp_path)
    (tmp_path / "2.csv").write_text("1,2\n")
    (tmp_path / "3.csv").write_text("source,target\n")
    (tmp_path / "4.csv.gz").write_bytes(gzip.compress(b""))
    assert len(read_arcs(tmp_path)) == 1


def tables(edges):
    """The same edges as a table of each library."""
    table = table_of(edges)
    frame = pl.from_arrow(table)
    relation = duckdb.from_arrow(table)
    return {
        "Arrow table": table,
        "Arrow dataset": pyarrow.dataset.dataset(table),
        "polars DataFrame": frame,
        "polars LazyFrame": frame.lazy().filter(pl.col("weight") >= 0),
        "pandas DataFrame": table.to_pandas(),
        "DuckDB relation": relation,
    }


class TestTables:
    """Tables of other libraries."""

    @pytest.mark.parametrize("edges", [NUMBERS, GAPS, NAMES], ids=["numbers", "gaps", "names"])
    @pytest.mark.parametrize("kind", list(tables(NUMBERS)))
    def test_a_table_is_read_streamed_tiled_and_planned_for(self, tmp_path, kind, edges):
        pq.write_table(table_of(edges), tmp_path / "one.parquet")
        table = tables(edges)[kind]
        same_everywhere(table, read_arcs(tmp_path / "one.parquet"), tmp_path)
        same_graph(Graph(table), Graph(table_of(edges)))
        same_graph(Graph(table, weights=True), Graph(table_of(edges), weights=True))

    def test_a_dataset_of_files(self, tmp_path):
        write_parquet(tmp_path / "lake", NAMES)
        dataset = pyarrow.dataset.dataset(tmp_path / "lake")
        same_everywhere(dataset, read_arcs(tmp_path / "lake"), tmp_path)
        same_graph(Graph(dataset), read(tmp_path / "lake"))

    def test_a_stream_that_can_be_read_once(self, tmp_path):
        expected = read_arcs(table_of(NAMES))
        same_arcs(read_arcs(table_of(NAMES).to_reader()), expected)
        for keep in (0, 1):
            stream = stream_arcs(table_of(NAMES).to_reader(2), keep=keep)
            assert stream.survey().labels.tolist() == expected.labels.tolist()
            assert sum(len(source) for source, _ in stream.pieces()) == len(expected)
        tiles = tile(table_of(NAMES).to_reader(), tmp_path / "tiles")
        assert tiles.num_edges == read(table_of(NAMES)).num_edges
        same_graph(Graph(table_of(NAMES).to_reader()), read(table_of(NAMES)))
        with pytest.raises(ArgumentError, match="read only once"):
            plan(table_of(NAMES).to_reader())

    def test_an_older_polars_without_batches(self, monkeypatch):
        monkeypatch.delattr(pl.LazyFrame, "collect_batches")
        same_stream(tables(NAMES)["polars LazyFrame"], read_arcs(table_of(NAMES)))

    def test_a_query_with_other_rows_each_time_is_refused(self):
        relation = duckdb.sql("select (random() * 50)::bigint as source, range % 50 as target from range(900)")
        stream = stream_arcs(relation)
        stream.survey()
        with pytest.raises(ReadError, match="DuckDB relation: returned other rows"):
            list(stream.pieces())

    def test_categories_and_columns_of_other_types(self):
        expected = read_arcs(table_of(NAMES))
        frame = table_of(NAMES).to_pandas()
        frame["mixed"] = [1, "a"] * 6
        frame[7] = 0
        same_arcs(read_arcs(frame), expected)
        same_arcs(read_arcs(frame.astype({"source": "category", "target": "category"})), expected)
        polars = pl.from_arrow(table_of(NAMES)).with_columns(pl.col("source", "target").cast(pl.Categorical))
        same_arcs(read_arcs(polars), expected)
        same_stream(polars.lazy(), expected)
        small = pl.from_arrow(table_of(NUMBERS)).with_columns(pl.col("source").cast(pl.UInt8))
        same_stream(small.lazy(), read_arcs(table_of(NUMBERS)))

    def test_errors_name_the_kind_of_table(self):
        with pytest.raises(ReadError, match=r"polars LazyFrame: "):
            read(pl.LazyFrame({"a": [1], "b": [2]}), source="x", target="y")
        with pytest.raises(ReadError, match=r"Arrow table: .*no value in row 2"):
            read(pa.table({"source": [1, None], "target": [1, 2]}))
        with pytest.raises(ReadError, match=r"DuckDB relation: found the id -1"):
            read(duckdb.sql("select -1 as source, 2 as target"))

    def test_tiles_of_another_table_are_not_taken_for_those_of_this_one(self, tmp_path):
        tile(table_of(NUMBERS), tmp_path / "tiles")
        with pytest.raises(WriteError, match="tiles of another input"):
            tile(table_of(NAMES), tmp_path / "tiles")


class TestOpenedFiles:
    """Standard input and opened files."""

    def test_a_binary_file_is_read_streamed_tiled_and_planned_for(self, tmp_path, one_file):
        text = write_csv(tmp_path / "lake", NAMES)
        expected = one_file(text)

        def opened():
            return io.BytesIO(gzip.compress(text.encode()))

        same_arcs(read_arcs(opened()), expected)
        stream = stream_arcs(opened())
        assert stream.survey().arcs == len(expected)
        assert sum(len(source) for source, _ in stream.pieces()) == len(expected)
        assert tile(opened(), tmp_path / "tiles").num_edges == Graph.from_arcs(expected).num_edges
        assert plan(opened()).edges == Graph.from_arcs(expected).num_edges
        with (tmp_path / "one" / "one.csv").open("rb") as file:
            same_arcs(read_arcs(file), expected)

    def test_a_binary_file_may_be_parquet(self):
        file = io.BytesIO()
        pq.write_table(table_of(NUMBERS), file)
        file.seek(0)
        same_graph(read(file), read(table_of(NUMBERS)))

    def test_the_copy_is_removed(self, tmp_path, monkeypatch):
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        read(io.BytesIO(b"1 2\n"))
        stream = stream_arcs(table_of(NUMBERS).to_reader())
        assert len(list(tmp_path.iterdir())) == 1
        del stream
        assert not list(tmp_path.iterdir())

    def test_standard_input_is_read_once_and_used_as_often_as_needed(self, monkeypatch, tmp_path):
        for content in (b"1 2\n2 3\n", b"5 6\n"):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
            assert read("-").num_edges == read("-").num_edges == content.count(b"\n")
        tile("-", tmp_path / "tiles")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"5 6\n")))
        assert tile("-", tmp_path / "tiles").num_edges == 1
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"5 7\n")))
        with pytest.raises(WriteError, match="tiles of another input"):
            tile("-", tmp_path / "tiles")

    def test_an_error_names_standard_input(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1 2\n3\n")))
        with pytest.raises(ReadError, match="standard input, line 2: found one id"):
            read("-")


def test_tiles_know_every_file_of_their_input(tmp_path):
    write_csv(tmp_path / "lake", NUMBERS)
    tiles = tile(tmp_path / "lake", tmp_path / "tiles")
    assert tile(tmp_path / "lake", tmp_path / "tiles").num_edges == tiles.num_edges
    part = tmp_path / "lake" / "part-3.csv"
    os.utime(part, ns=(1, 1))  # the time alone is no change
    assert tile(tmp_path / "lake", tmp_path / "tiles").num_edges == tiles.num_edges
    text = part.read_text()
    part.write_text(text.replace(text.splitlines()[-1], text.splitlines()[-2]))
    os.utime(part, ns=(1, 1))
    with pytest.raises(WriteError, match="tiles of another input"):
        tile(tmp_path / "lake", tmp_path / "tiles")


def test_a_folder_with_a_graph_or_tiles_is_no_folder_of_edges(tmp_path):
    graph = triadic.generate.rmat(5, seed=1)
    triadic.write(graph, tmp_path / "graph")
    (tmp_path / "graph" / "edges.csv").write_text("1,2\n")
    same_graph(read(tmp_path / "graph"), graph)
    tile(tmp_path / "graph", tmp_path / "tiles")
    with pytest.raises(ReadError, match="is a folder of tiles"):
        read(tmp_path / "tiles")


def test_a_large_lake_is_planned_from_some_of_its_files(tmp_path, monkeypatch):
    monkeypatch.setattr("triadic.io.sampling.MOST_ARCS", 2000)
    monkeypatch.setattr("triadic.io.table_blocks.MOST_ARCS", 2000)
    monkeypatch.setattr("triadic.io.text_blocks._FILE_BYTES", 1 << 12)
    monkeypatch.setattr("triadic.io.sampling._PLACE_BYTES", 1 << 9)
    rng = np.random.default_rng(1)
    ends = rng.integers(0, 3000, (2, 60_000))
    for i, part in enumerate(np.split(ends, 20, axis=1)):
        table = pa.table({"source": part[0], "target": part[1]})
        (tmp_path / "parquet").mkdir(exist_ok=True)
        (tmp_path / "csv").mkdir(exist_ok=True)
        pq.write_table(table, tmp_path / "parquet" / f"{i}.parquet", row_group_size=500)
        (tmp_path / "csv" / f"{i}.csv").write_text("".join(f"{a},{b}\n" for a, b in part.T))
    for network in (tmp_path / "parquet", tmp_path / "csv", pyarrow.dataset.dataset(tmp_path / "parquet")):
        found = plan(network)
        assert found.edges == pytest.approx(60_000, rel=0.15)
        assert "sample" in found.basis


def test_the_memory_of_a_pass_over_a_lake_is_that_of_a_few_pieces(tmp_path):
    for i in range(10):
        lines = [f"{j % 1000}\t{j % 997}\n" for j in range(i * 40_000, (i + 1) * 40_000)]
        (tmp_path / f"{i}.txt").write_text("".join(lines))
    stream = stream_arcs(tmp_path, piece_arcs=4096, threads=1)
    stream.survey()
    before = pa.default_memory_pool().bytes_allocated()
    tracemalloc.start()
    arrow = 0
    for _ in stream.pieces():
        arrow = max(arrow, pa.default_memory_pool().bytes_allocated() - before)
    peak = tracemalloc.get_traced_memory()[1] + arrow
    tracemalloc.stop()
    assert peak < 6_400_000 / 2


def test_a_lake_is_not_read_whole_by_tiling(tmp_path, monkeypatch):
    write_parquet(tmp_path / "lake", NUMBERS)
    monkeypatch.setattr(arc_stream, "stream_of_arcs", None)
    assert tile(tmp_path / "lake", tmp_path / "tiles").num_edges == read(tmp_path / "lake").num_edges
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert json.loads((tmp_path / "tiles" / "header.json").read_text())["origin"]["input"]["files"] == 4
