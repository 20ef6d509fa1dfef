"""What is written is read back, and appears whole or not at all."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strategies import examples
from triadic.core.arcs import Dropped
from triadic.errors import ArgumentError, ReadError, WriteError
from triadic.graph.graph import Graph
from triadic.io import read, read_arcs, write
from triadic.io.reading import stream_arcs
from triadic.io.stored_graphs import _header_checksum

FORMATS = [
    "n.txt",
    "n.txt.gz",
    "n.txt.zst",
    "n.csv",
    "n.tsv",
    "n.parquet",
    "n.mtx",
    "n.mtx.gz",
    "n.graphml",
    "n.gexf.zst",
    "n.triadic",
]

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=5)
NO_LABELS = st.none()


@st.composite
def graphs(draw, *, labels=NO_LABELS):
    n = draw(st.integers(1, 12))
    ends = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=30))
    numbers = st.floats(allow_nan=False, allow_infinity=False)
    weights = draw(st.none() | st.lists(numbers, min_size=len(ends), max_size=len(ends)))
    kind = draw(labels)
    names = None if kind is None else draw(st.lists(kind, min_size=n, max_size=n, unique=True))
    return Graph.from_edges(
        [a for a, _ in ends],
        [b for _, b in ends],
        num_vertices=n,
        directed=draw(st.booleans()),
        weights=weights,
        labels=None if names is None else np.array(names, dtype=object if isinstance(names[0], str) else np.int64),
        combine="max",
    )


def edges(graph):
    """The edges with their weights, by the names of their ends."""
    matrix = graph.to_scipy().tocoo()
    names = list(range(graph.num_vertices)) if graph.labels is None else graph.labels.tolist()
    ends = zip(matrix.coords[0].tolist(), matrix.coords[1].tolist(), strict=True)
    return {(names[a], names[b]): weight for (a, b), weight in zip(ends, matrix.data.tolist(), strict=True)}


def written_and_read(graph, path):
    write(graph, path)
    return read(path, weights=None if graph.weights is None else True)


# Its three rows of three numbers have a diagonal of zeros, as an adjacency matrix has.
@example(graph=Graph.from_edges([0, 1, 2], [1, 0, 0], weights=[0, 0, 0], directed=True))
@pytest.mark.parametrize("name", FORMATS)
@given(graph=graphs())
@examples(20)
def test_a_graph_without_labels_survives_every_format(tmp_path_factory, name, graph):
    again = written_and_read(graph, tmp_path_factory.getbasetemp() / name)
    assert (again.num_vertices, again.directed, again.labels) == (graph.num_vertices, graph.directed, None)
    assert (again.weights is None) == (graph.weights is None)
    assert edges(again) == edges(graph)


@pytest.mark.filterwarnings("ignore::triadic.errors.ReadWarning")  # some names are those of missing values
@pytest.mark.parametrize("name", ["n.txt", "n.csv", "n.tsv", "n.parquet", "n.triadic"])
@given(graph=graphs(labels=st.just(NAMES.filter(lambda name: not name.isdecimal()))))
@examples(20)
def test_names_survive_where_the_format_holds_them(tmp_path_factory, name, graph):
    again = written_and_read(graph, tmp_path_factory.getbasetemp() / name)
    assert edges(again) == edges(graph)
    assert again.directed is graph.directed
    assert again.num_vertices == graph.num_vertices


@pytest.mark.parametrize("name", ["n.txt", "n.csv", "n.parquet", "n.triadic"])
@given(graph=graphs(labels=st.just(st.integers(0, 2**63 - 1))))
@examples(20)
def test_numbers_as_labels_survive_where_the_format_holds_them(tmp_path_factory, name, graph):
    again = written_and_read(graph, tmp_path_factory.getbasetemp() / name)
    assert edges(again) == edges(graph)


class TestOwnFormat:
    @given(graph=graphs(labels=st.sampled_from([st.text(max_size=3), st.integers(-(2**63), 2**63 - 1)])))
    def test_it_keeps_everything(self, tmp_path_factory, graph):
        path = tmp_path_factory.getbasetemp() / "own"
        write(graph, path)
        again = read(path)
        assert again.labels.tolist() == graph.labels.tolist()
        assert again.dropped == graph.dropped
        assert np.array_equal(again.indptr, graph.indptr)
        assert np.array_equal(again.indices, graph.indices)
        assert again.indices.dtype == graph.indices.dtype
        assert (again.weights is None) == (graph.weights is None)
        assert graph.weights is None or np.array_equal(again.weights, graph.weights)
        assert json.loads((path / "header.json").read_text())["edges"] == graph.num_edges

    @pytest.fixture
    def folder(self, tmp_path):
        graph = Graph.from_edges([0, 1, 1, 3], [1, 2, 1, 0], weights=[1, 2, 3, 4], labels=["a", "b", "", "ü"])
        write(graph, tmp_path / "own")
        return tmp_path / "own"

    def test_what_was_dropped_is_remembered(self, folder):
        assert read(folder).dropped == Dropped(loops=1)

    def test_weights_are_taken_unless_refused(self, folder):
        assert read(folder).weights is not None
        assert read(folder, weights="weight").weights is not None
        assert read(folder, weights=False).weights is None
        with pytest.raises(ReadError, match="use weights=True"):
            read(folder, weights="cost")

    def test_it_may_be_read_as_something_else(self, folder):
        assert read(folder, directed=True).num_arcs == 6
        assert read(folder, num_vertices=9).num_vertices == 9
        with pytest.raises(ReadError, match="expected at most num_vertices=2"):
            read(folder, num_vertices=2)

    def test_as_arcs_it_gives_each_edge_from_both_ends(self, folder):
        arcs = read_arcs(folder)
        assert (len(arcs), arcs.both_ends, arcs.directed, arcs.labels.tolist()) == (6, True, False, ["a", "b", "", "ü"])

    def test_a_graph_without_weights_has_none_to_ask_for(self, tmp_path):
        write(Graph.from_edges([0], [1]), tmp_path / "own")
        with pytest.raises(ReadError, match="the graph has no weights"):
            read(tmp_path / "own", weights=True)

    def test_a_graph_may_replace_itself_while_mapped(self, folder):
        graph = read(folder)
        before = edges(graph)
        write(graph, folder)
        assert edges(graph) == edges(read(folder)) == before

    def test_another_folder_or_file_is_not_replaced(self, tmp_path):
        graph = Graph.from_edges([0], [1])
        (tmp_path / "precious").mkdir()
        (tmp_path / "precious" / "thesis.txt").write_text("all of it")
        (tmp_path / "file").write_text("x")
        for name in ("precious", "file"):
            with pytest.raises(WriteError, match="exists and is not a graph"):
                write(graph, tmp_path / name)
        assert (tmp_path / "precious" / "thesis.txt").read_text() == "all of it"

    def test_an_empty_folder_may_be_filled(self, tmp_path):
        (tmp_path / "new").mkdir()
        write(Graph.from_edges([0], [1]), tmp_path / "new")
        assert read(tmp_path / "new").num_edges == 1

    @pytest.mark.parametrize(
        ("damage", "words"),
        [
            (lambda folder: (folder / "indices.npy").unlink(), r"has no indices\.npy"),
            (lambda folder: (folder / "header.json").write_text("{"), r"header\.json cannot be read"),
            (lambda folder: (folder / "header.json").write_text("[" * 100_000), r"header\.json cannot be read"),
            (lambda folder: (folder / "header.json").write_text("{}"), r"header\.json is not of a graph"),
            (lambda folder: edit(folder, version=2), "is of version 2, this triadic reads version 1"),
            (lambda folder: edit(folder, vertices=-1), r"header\.json states vertices=-1, expected a count"),
            (lambda folder: edit(folder, arcs=True), "arcs=True"),
            (lambda folder: edit(folder, directed=0), "directed=0"),
            (lambda folder: edit(folder, labels="x"), "labels='x'"),
            (lambda folder: edit(folder, label=None, labels=[]), r"labels=\[\]"),
            (lambda folder: edit(folder, dropped=None), "loops=None"),
            (lambda folder: seal(folder, vertices=3), r"indptr\.npy holds 5 numbers, expected 4"),
            (lambda folder: seal(folder, arcs=7), r"indptr\.npy is damaged; expected it to rise from 0 to 7"),
            (lambda folder: np.save(folder / "indices.npy", np.zeros(6)), r"indices\.npy is not an array of int32"),
            (lambda folder: np.save(folder / "weights.npy", np.zeros((2, 3))), "of one dimension"),
            (lambda folder: np.save(folder / "indptr.npy", np.array([0, 4, 2, 5, 6])), r"indptr\.npy is damaged"),
            (lambda folder: np.save(folder / "label_ends.npy", np.array([4, 2, 2, 4])), r"label_ends\.npy is damaged"),
            (
                lambda folder: (as_before(folder), np.save(folder / "label_ends.npy", np.array([1, 2, 3, 4]))),
                "expected names in UTF-8",
            ),
            (lambda folder: seal(folder, vertices=5), r"indptr\.npy holds 5 numbers, expected 6"),
            (lambda folder: edit(folder, directed=True), r"header\.json is damaged; it does not have the checksum"),
            (lambda folder: seal(folder, files=3), "files=3, expected the size and the checksum of each file"),
            (lambda folder: seal(folder, files={}), r"indptr\.npy is damaged; it has 168 bytes, expected None"),
            (lambda folder: cut(folder / "indices.npy"), r"indices\.npy cannot be read"),
            (lambda folder: cut(folder / "indices.npy", 20), r"indices\.npy cannot be read"),
            (lambda folder: pickled(folder / "weights.npy"), r"weights\.npy cannot be read"),
        ],
    )
    def test_a_damaged_folder_is_refused(self, folder, damage, words):
        damage(folder)
        with pytest.raises(ReadError, match=words) as caught:
            read(folder)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize("name", ["indptr", "indices", "weights", "labels", "label_ends"])
    @pytest.mark.parametrize("place", [9, 100, -1])
    def test_every_flipped_bit_is_found_and_the_file_is_named(self, folder, name, place):
        file = folder / f"{name}.npy"
        content = bytearray(file.read_bytes())
        content[place] ^= 1
        file.write_bytes(content)
        for reader in (read, read_arcs) if name == "weights" else (read, read_arcs, stream_arcs):
            with pytest.raises(ReadError, match=rf"{name}\.npy (is damaged|cannot be read)"):
                reader(folder)

    def test_a_swap_of_two_edges_that_leaves_a_valid_graph_is_found(self, tmp_path):
        write(Graph.from_edges([0, 2], [1, 3]), tmp_path / "own")
        np.save(tmp_path / "own" / "indices.npy", np.array([2, 3, 0, 1], dtype=np.int32))
        with pytest.raises(ReadError, match=r"indices\.npy is damaged; it does not have the checksum"):
            read(tmp_path / "own")
        as_before(tmp_path / "own")
        assert read(tmp_path / "own").num_edges == 2

    def test_a_folder_of_an_earlier_version_has_no_checksums_and_is_read(self, folder):
        before = edges(read(folder))
        as_before(folder)
        assert edges(read(folder)) == before

    def test_the_arrays_stay_mapped_when_their_checksums_are_verified(self, folder):
        base = read(folder).indices
        while isinstance(base.base, np.ndarray):
            base = base.base
        assert isinstance(base, np.memmap)

    def test_an_index_out_of_range_is_refused_where_it_is_looked_at(self, folder):
        as_before(folder)
        np.save(folder / "indices.npy", np.array([1, 3, 0, 2, 1, 9], dtype=np.int32))
        with pytest.raises(ReadError, match="expected numbers from 0 to 3"):
            read_arcs(folder)


def edit(folder, **changes):
    header = json.loads((folder / "header.json").read_text())
    (folder / "header.json").write_text(json.dumps(header | changes))


def seal(folder, **changes):
    """Change fields of the header, as a writer of such a folder would write them."""
    edit(folder, **changes)
    header = json.loads((folder / "header.json").read_text())
    (folder / "header.json").write_text(json.dumps(header | {"checksum": _header_checksum(header)}))


def as_before(folder):
    """Remove the checksums, which earlier versions did not write."""
    header = json.loads((folder / "header.json").read_text())
    del header["files"], header["checksum"]
    (folder / "header.json").write_text(json.dumps(header))


def cut(path, left=-1):
    path.write_bytes(path.read_bytes()[:left])


def pickled(path):
    np.save(path, np.array([{}] * 6, dtype=object), allow_pickle=True)


class TestLabelsThatAListCannotHold:
    @pytest.mark.parametrize(
        ("name", "labels", "words"),
        [
            ("n.txt", ["a", "a", "b"], "the label 'a' stands for several vertices"),
            ("n.parquet", ["a", "a", "b"], "the label 'a' stands for several vertices"),
            ("n.txt", ["a", "", "b"], "text cannot hold the label ''"),
            ("n.csv", ["a", "x\ny", "b"], "text cannot hold the label"),
            ("n.csv", ["1", "01", "2"], "the labels are all integers, but not different ones"),
            ("n.txt", [4, 4, 5], "the label 4 stands for several vertices"),
            ("n.txt", [4, -1, 5], "the label -1 is negative"),
            ("n.txt", ["a", "b"], "a vertex past the 2 labels has edges"),
        ],
    )
    def test_they_are_refused_with_advice(self, tmp_path, name, labels, words):
        graph = Graph.from_edges([0, 1], [1, 2], labels=labels)
        with pytest.raises(WriteError, match=f"{words}.*; use a format that keeps the network .*triadic"):
            write(graph, tmp_path / name)
        assert list(tmp_path.iterdir()) == []

    def test_parquet_holds_what_text_does_not(self, tmp_path):
        graph = Graph.from_edges([0, 1], [1, 2], labels=["", "x\ny", "1"])
        write(graph, tmp_path / "n.parquet")
        assert edges(read(tmp_path / "n.parquet")) == edges(graph)

    def test_vertices_past_the_labels_may_be_isolated(self, tmp_path):
        graph = Graph.from_edges([0], [1], num_vertices=4, labels=["a", "b"])
        write(graph, tmp_path / "n.txt")
        assert (tmp_path / "n.txt").read_text().splitlines()[3:] == ['"a"\t"b"']
        assert read(tmp_path / "n.txt").num_vertices == 4


class TestWholeOrNotAtAll:
    @pytest.mark.parametrize("name", ["n.txt", "n.parquet", "n.mtx", "n.triadic"])
    def test_what_stood_there_is_untouched_by_a_failure(self, tmp_path, name, monkeypatch):
        write(Graph.from_edges([0], [1]), tmp_path / name)
        before = sorted(tmp_path.rglob("*"))

        def fail(*_, **__):
            raise OSError(28, "No space left on device")

        for module in ("tables", "parquet_file"):
            monkeypatch.setattr(f"triadic.io.{module}.edge_blocks", fail)
        monkeypatch.setattr("numpy.save", fail)
        monkeypatch.setattr("scipy.io.mmwrite", fail)
        with pytest.raises(WriteError, match="cannot be written: No space left on device"):
            write(Graph.from_edges([0, 1], [1, 2]), tmp_path / name)
        assert sorted(tmp_path.rglob("*")) == before
        monkeypatch.undo()
        assert read(tmp_path / name).num_edges == 1

    @pytest.mark.parametrize("name", ["n.txt", "n.csv.gz", "n.parquet", "n.mtx", "n.triadic"])
    def test_a_folder_that_is_not_there(self, tmp_path, name):
        with pytest.raises(WriteError, match="No such file or directory"):
            write(Graph.from_edges([0], [1]), tmp_path / "no" / name)

    def test_a_list_of_edges_does_not_replace_a_folder(self, tmp_path):
        (tmp_path / "n.txt").mkdir()
        with pytest.raises(WriteError, match="is a folder"):
            write(Graph.from_edges([0], [1]), tmp_path / "n.txt")


@pytest.mark.parametrize(
    ("name", "asked", "words"),
    [
        ("n.net", None, "format='pajek' is read only; expected one of text, csv"),
        ("n.xyz", None, "no format has the suffix '.xyz'; expected one of .txt"),
        ("n.txt", "texts", "format='texts' is not known"),
        ("n.parquet.gz", None, "not packed by gzip"),
        ("n.triadic.zst", None, "not packed by zstd"),
    ],
)
def test_formats_that_are_not_written_are_refused(tmp_path, name, asked, words):
    with pytest.raises(ArgumentError, match=words):
        write(Graph.from_edges([0], [1]), tmp_path / name, format=asked)
    assert list(tmp_path.iterdir()) == []


def test_an_explicit_format_outweighs_the_suffix(tmp_path):
    write(Graph.from_edges([0], [1]), tmp_path / "n.dat", format="matrix-market")
    assert (tmp_path / "n.dat").read_text().startswith("%%MatrixMarket matrix coordinate pattern symmetric")


def test_text_says_what_snap_says(tmp_path):
    write(Graph.from_edges([0, 3], [1, 1], num_vertices=6, directed=True), tmp_path / "n.txt")
    assert (tmp_path / "n.txt").read_text().splitlines() == [
        "# Directed graph, one line for each arc, written by triadic",
        "# Nodes: 6 Edges: 2",
        "# source\ttarget",
        "0\t1",
        "3\t1",
    ]


def test_csv_has_a_header_row_and_nothing_else(tmp_path):
    network = {"directed": True, "weights": [0.1], "labels": ["a", "b,c"]}
    write(Graph.from_edges([0], [1], **network), tmp_path / "n.csv")
    assert (tmp_path / "n.csv").read_text() == 'source,target,weight\n"a","b,c",0.1\n'


def test_csv_states_in_a_column_that_edges_have_no_direction(tmp_path):
    write(Graph.from_edges([1, 1], [0, 2], weights=[0.5, 2]), tmp_path / "n.csv")
    assert (tmp_path / "n.csv").read_text() == "source,target,weight,type\n0,1,0.5,Undirected\n1,2,2,Undirected\n"


def test_a_row_longer_than_a_block_is_written_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("triadic.io.edge_blocks._BLOCK_ARCS", 3)
    star = Graph.from_edges([0] * 9 + [1], [*range(1, 10), 2])
    for name in ("n.txt", "n.parquet"):
        write(star, tmp_path / name)
        assert edges(read(tmp_path / name)) == edges(star)


@pytest.mark.parametrize("damage", [2**30, -7, 0])
def test_an_own_folder_with_a_damaged_row_is_refused(tmp_path, damage):
    folder = tmp_path / "network.triadic"
    write(Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0]), folder)
    indices = np.load(folder / "indices.npy")
    indices[5] = damage
    np.save(folder / "indices.npy", indices)
    with pytest.raises(ReadError, match="damaged"):
        read(folder)
