"""A network is the same after it is written in any format and read again, or writing refuses it."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from pairs import pairs
from strategies import NIGHTLY, examples
from triadic.core.arcs import Origin
from triadic.errors import ReadError, WriteError
from triadic.graph.graph import Graph
from triadic.io import FORMATS, read, write
from triadic.io.format import Format, Keeps, register
from triadic.io.reading import stream_arcs

WRITTEN = {name: known for name, known in FORMATS.items() if known.write is not None}
pytestmark = pytest.mark.filterwarnings("ignore::triadic.errors.ReadWarning")  # some names are those of missing values

EDGES = {
    "a path": ([0, 1, 2], [1, 2, 3]),
    "a path against the order": ([3, 2, 1], [2, 1, 0]),
    "a triangle with a tail": ([2, 0, 1, 3], [0, 1, 2, 1]),
    "two edges across": ([0, 1], [2, 3]),
    "isolated at the start": ([1, 2], [2, 3]),
    "isolated at the end": ([0, 1], [1, 0]),
    "no edges": ([], []),
}
LABELS = {
    "none": None,
    "numbers of the vertices": [0, 1, 2, 3],
    "rising numbers": [3, 7, 8, 2**62],
    "numbers in another order": [3, 0, 1, 2],
    "large numbers in another order": [30, 10, 50, 20],
    "names": ["ada", "bob", "cleo", "dan"],
    "names in another order": ["dan", "cleo", "bob", "ada"],
    "names of columns": ["source", "target", "type", "weight"],
    "names of numbers": ["3", "1", "2", "0"],
    "names with marks": ["#a", "% b", 'c"d, e', "nodes: 9\u00fc"],
    "names that describe networks": ["Directed graph", "Undirected network", "triadic vertices: [1]", "# Nodes: 3"],
    "some names that are missing": ["ada", "bob"],
    "empty and long names": ["", "x\ny", " a ", "b" * 2000],
    "the same name twice": ["ada", "bob", "ada", "cleo"],
    "negative numbers": [-1, 5, 6, 7],
    "names of negative numbers": ["-1", "-2", "3", "x"],
    "names with zeros": ["007", "08", "1", "2"],
    "damaged numbers": ["1.0", "2", "3", "4"],
    "half a letter": ["\ud800", "a", "b", "c"],
}


def network(edges, labels, *, directed, weighted):
    source, target = EDGES[edges]
    names = LABELS[labels]
    weights = [0.1 + 0.2 * i for i in range(len(source))] if weighted else None
    return Graph.from_edges(
        source,
        target,
        num_vertices=4,
        directed=directed,
        weights=weights,
        labels=None if names is None else np.array(names, dtype=object if isinstance(names[0], str) else np.int64),
    )


def family():
    """Yield networks of all edges with all labels at night; otherwise each kind of labels with two kinds of edges."""
    for number, labels in enumerate(LABELS):
        for turn, edges in enumerate(EDGES):
            if NIGHTLY:
                for directed in (False, True):
                    yield network(edges, labels, directed=directed, weighted=(number + turn + directed) % 3 == 0)
            elif (part := (number + 3 * turn) % 7) in ((0, 3), (1, 2))[number % 2]:
                # One has directions and one not, and one has weights and one not.
                yield network(edges, labels, directed=part % 2 == 1, weighted=part // 2 == 1)
    for directed, weighted in product((False, True), repeat=2):
        yield Graph.from_edges([], [], num_vertices=0, directed=directed, weights=[] if weighted else None)


def labels_of(graph):
    """The labels; None where they are the numbers of the vertices, which say nothing."""
    labels = None if graph.labels is None else graph.labels.tolist()
    return None if not labels or labels == list(range(len(labels))) else labels


def assert_same(again, graph):
    assert (again.num_vertices, again.directed) == (graph.num_vertices, graph.directed)
    assert labels_of(again) == labels_of(graph)
    np.testing.assert_array_equal(again.indptr, graph.indptr)
    np.testing.assert_array_equal(again.indices, graph.indices)
    assert (again.weights is None) == (graph.weights is None)
    if graph.weights is not None:
        assert again.weights.dtype == graph.weights.dtype
        np.testing.assert_array_equal(again.weights, graph.weights)


def read_back(path, graph):
    return read(path, weights=None if graph.weights is None else True)


def path_of(folder, name):
    return folder / f"network{WRITTEN[name].suffixes[0]}"


def test_every_format_that_is_written_declares_what_it_keeps():
    assert [name for name, known in WRITTEN.items() if known.keeps is None] == []


@pytest.mark.parametrize("name", WRITTEN)
def test_each_network_of_the_family_is_read_back_or_refused(tmp_path, name):
    path = path_of(tmp_path, name)
    refused = 0
    for graph in family():
        try:
            write(graph, path)
        except WriteError as error:
            refused += 1
            able = str(error).partition("keeps the network (")[2].partition(")")[0].split(", ")
            assert able
            assert name not in able
            for other in able:
                problem = FORMATS[other].label_problem
                assert problem is None or problem(graph) is None
            write(graph, path, lossy=True)
            again = read_back(path, graph)
            assert (again.num_vertices, again.num_arcs, again.labels) == (graph.num_vertices, graph.num_arcs, None)
        else:
            assert_same(read_back(path, graph), graph)
    assert refused < 0.6 * sum(1 for _ in family())


@pytest.mark.parametrize("first", WRITTEN)
def test_a_network_is_the_same_after_any_two_formats(tmp_path, first):
    names = ("none", "names in another order", "rising numbers", "numbers in another order")
    # Labels meet all edges and both directions; a format writes directions alike for all edges.
    for edges, labels, directed in pairs(("a path against the order", "isolated at the start"), names, (False, True)):
        graph = network(edges, labels, directed=directed, weighted=True)
        write(graph, path_of(tmp_path, first))
        between = read_back(path_of(tmp_path, first), graph)
        for second in WRITTEN:
            folder = tmp_path / "second"
            folder.mkdir(exist_ok=True)
            write(between, path_of(folder, second))
            assert_same(read_back(path_of(folder, second), graph), graph)


@st.composite
def labelled_graphs(draw):
    n = draw(st.integers(1, 8))
    ends = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=14))
    kind = draw(
        st.sampled_from(
            [
                st.text(st.characters(codec="utf-8"), min_size=1, max_size=3),
                st.integers(0, 12),
                st.text("012", max_size=2),
            ]
        )
    )
    labels = draw(st.lists(kind, min_size=n, max_size=n, unique=True))
    return Graph.from_edges(
        [a for a, _ in ends],
        [b for _, b in ends],
        num_vertices=n,
        directed=draw(st.booleans()),
        labels=np.array(labels, dtype=object if isinstance(labels[0], str) else np.int64),
    )


@pytest.mark.parametrize("name", WRITTEN)
@given(graph=labelled_graphs())
@examples(10, nightly=400)
def test_labels_and_their_order_are_kept_or_refused(tmp_path_factory, name, graph):
    path = path_of(tmp_path_factory.getbasetemp(), name)
    try:
        write(graph, path)
    except WriteError as error:
        assert "use a format that keeps the network" in str(error)  # noqa: PT017 - most networks are written
        return
    assert_same(read(path), graph)


@pytest.mark.parametrize("name", [name for name in WRITTEN if FORMATS[name].stream or FORMATS[name].blocks])
def test_a_stream_finds_the_same_vertices_as_a_reader(tmp_path, name):
    path = path_of(tmp_path, name)
    for graph in family():
        if FORMATS[name].label_problem is not None and FORMATS[name].label_problem(graph) is not None:
            continue
        write(graph, path)
        stream = stream_arcs(path, piece_arcs=2)
        survey = stream.survey()
        pieces = list(stream.pieces())
        source, target = (np.concatenate([piece[end] for piece in pieces] or [[]]).astype(int) for end in (0, 1))
        assert (survey.vertices, stream.directed) == (graph.num_vertices, graph.directed)
        again = Graph.from_edges(
            source, target, num_vertices=survey.vertices, directed=stream.directed, labels=survey.labels
        )
        assert_same(again, Graph.from_csr(graph.indptr, graph.indices, directed=graph.directed, labels=graph.labels))
        ends = np.bincount(np.concatenate([source, target]), minlength=survey.vertices)
        np.testing.assert_array_equal(survey.degree, ends)


@pytest.mark.parametrize("name", ["text", "csv", "tsv", "parquet"])
def test_a_file_that_lists_its_vertices_may_be_one_of_several(tmp_path, name):
    first, second = (tmp_path / f"part-{i}{WRITTEN[name].suffixes[0]}" for i in (1, 2))
    write(Graph.from_edges([0], [2], num_vertices=3, labels=["cleo", "bob", "ada"]), first)
    write(Graph.from_edges([1], [2], num_vertices=4, labels=["ada", "dan", "eve", "flo"]), second)
    paths = [first, second]
    whole = read(paths)
    assert whole.labels.tolist() == ["cleo", "bob", "ada", "dan", "eve", "flo"]
    assert sorted(whole.degree.tolist()) == [0, 0, 1, 1, 1, 1]
    assert stream_arcs(paths).survey().labels.tolist() == whole.labels.tolist()


def test_a_csv_of_an_ordinary_network_has_no_comments(tmp_path):
    (tmp_path / "a.txt").write_text("cleo ada\nada bob\ndan ada\ncleo dan\n")
    network = read(tmp_path / "a.txt", directed=False)
    write(network, tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text().splitlines()[0] == "source,target,type"
    assert "#" not in (tmp_path / "b.csv").read_text()
    assert_same(read(tmp_path / "b.csv"), network)
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(tmp_path / "b.csv")
    assert frame.columns.tolist() == ["source", "target", "type"]
    assert set(frame["type"]) == {"Undirected"}


def test_a_csv_with_isolated_vertices_says_so_in_a_comment(tmp_path):
    write(Graph.from_edges([1], [2], num_vertices=5, directed=True), tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text() == "# Nodes: 5\nsource,target\n1,2\n"


def test_average_clustering_survives_csv(tmp_path):
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], num_vertices=6)
    write(graph, tmp_path / "b.csv")
    assert triadic.average_clustering(read(tmp_path / "b.csv")) == triadic.average_clustering(graph) == 0.5


@pytest.mark.parametrize("name", [name for name in WRITTEN if FORMATS[name].keeps.assumed_direction])
def test_an_assumed_direction_stays_assumed(tmp_path, name):
    (tmp_path / "a.txt").write_text("0 1\n1 2\n")
    write(read(tmp_path / "a.txt"), path_of(tmp_path, name))
    again = read(path_of(tmp_path, name))
    assert (again.directed, again.origin.direction) == (True, "assumed")
    assert stream_arcs(path_of(tmp_path, name)).origin.direction == "assumed"


@pytest.mark.parametrize("name", [name for name in WRITTEN if name not in ("csv", "tsv")])
def test_a_direction_that_was_given_is_stated(tmp_path, name):
    write(Graph.from_edges([0, 1], [1, 2], directed=True), path_of(tmp_path, name))
    assert read(path_of(tmp_path, name)).origin == Origin(read(path_of(tmp_path, name)).origin.columns, "stated")


@pytest.mark.parametrize(
    ("keeps", "words"),
    [
        (Keeps(), "loses the labels of the vertices"),
        (Keeps(labels="x"), "loses the order of the vertices"),
        (Keeps(labels="x", numbering="x"), "loses the weights"),
        (Keeps(labels="x", numbering="x", weights="x"), "loses that the network is undirected"),
        (Keeps(labels="x", numbering="x", weights="x", direction="x"), "loses vertices without edges"),
    ],
)
def test_what_a_format_does_not_declare_to_keep_is_refused(tmp_path, keeps, words):
    graph = Graph.from_edges([0], [1], num_vertices=3, weights=[2.0], labels=["a", "b", "c"])
    writer = Format(
        name="dots", suffixes=(".dots",), read=None, write=lambda _, path: Path(path).write_text("..."), keeps=keeps
    )
    register(writer)
    try:
        with pytest.raises(WriteError, match=rf"the format 'dots' {words}; use .* \(text, .*triadic\), or lossy=True"):
            write(graph, tmp_path / "n.dots")
        assert list(tmp_path.iterdir()) == []
        write(graph, tmp_path / "n.dots", lossy=True)
        assert (tmp_path / "n.dots").exists()
    finally:
        del FORMATS["dots"]


DAMAGED_LISTS = ["[1, 2", '["a", 1]', "[[1]]", "[1.5]", "[99999999999999999999]"]


# A matrix keeps labels that several vertices share.
@pytest.mark.parametrize(
    ("name", "damage"), [*product(["n.txt", "n.mtx"], DAMAGED_LISTS), ("n.txt", '["a", "a"]'), ("n.mtx", "[1, 2, 3]")]
)
def test_a_damaged_list_of_vertices_is_refused(tmp_path, name, damage):
    if name == "n.txt":
        (tmp_path / name).write_text(f"# triadic vertices: {damage}\na b\n")
    else:
        (tmp_path / name).write_text(
            f"%%MatrixMarket matrix coordinate pattern general\n% triadic vertices: {damage}\n2 2 1\n1 2\n"
        )
    for reader in (read, lambda path: stream_arcs(path).survey()):
        with pytest.raises(ReadError, match=r"its list of vertices|its comments list 3 vertices") as caught:
            reader(tmp_path / name)
        assert "\n" not in str(caught.value)


def test_rows_may_name_vertices_that_are_not_listed(tmp_path):
    (tmp_path / "n.csv").write_text('# triadic vertices: ["b", "a"]\nsource,target\na,c\n')
    graph = read(tmp_path / "n.csv")
    assert (graph.labels.tolist(), graph.indices.tolist()) == (["b", "a", "c"], [2])


class TestStringsThatAreNoText:
    """Arrow does not look at the bytes of strings when it reads a file."""

    @pytest.fixture(params=["string", "large_string", "dictionary"])
    def column(self, request):
        names = pa.array([b"ada", b"bob", b"cl\xffeo", b"dan"])
        if request.param == "dictionary":
            return pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), names.view(pa.string()))
        if request.param == "large_string":
            return names.cast(pa.large_binary()).view(pa.large_string())
        return names.view(pa.string())

    @pytest.fixture
    def path(self, column, tmp_path):
        table = pa.table({"source": ["x", "y", "z", "x"], "target": column})
        pq.write_table(table, tmp_path / "n.parquet", row_group_size=2)
        return tmp_path / "n.parquet"

    @pytest.mark.parametrize("reader", ["read", "lake", "stream", "lake stream"])
    def test_a_parquet_file_is_refused_with_its_row(self, path, reader):
        network = [path] if "lake" in reader else path
        with pytest.raises(
            ReadError, match=r"n\.parquet: the column 'target' holds bytes that are not UTF-8 in row 3"
        ) as caught:
            stream_arcs(network).survey() if "stream" in reader else read(network)
        assert "\n" not in str(caught.value)

    def test_a_table_is_refused_with_its_row(self, column):
        table = pa.table({"source": ["x", "y", "z", "x"], "target": column})
        for reader in (read, lambda network: stream_arcs(network).survey()):
            with pytest.raises(ReadError, match="bytes that are not UTF-8 in row 3"):
                reader(table)
