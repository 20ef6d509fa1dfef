"""What is streamed in pieces is what is read whole: the same vertices, labels, arcs and direction, twice."""

from __future__ import annotations

import gzip
import struct
import tracemalloc
import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import examples
from triadic import generate, tile
from triadic.errors import ArgumentError, OutOfMemoryError, ReadError, TriadicError
from triadic.generate.model import stream_model
from triadic.graph.graph import Graph
from triadic.io import ReadWarning, read_arcs, write
from triadic.io import id_tallies as numbers
from triadic.io import parquet_file as parquet
from triadic.io.file_source import Source
from triadic.io.reading import stream_arcs

SAMPLES = {
    "n.txt": [
        "# Undirected graph\n# Nodes: 9 Edges: 3\n0\t1\n5\t3\n1\t2\n",
        "# Nodes: 3\n10 20\n10 30\n30 7\n",
        "# Nodes: 9\n5 6\n6 7\n",
        "1 2\n2 3\n3 3\n",
        "0 5\r\n5 9\r\n\r\n9 0\r\n",
        "0 1 \n2 3\n",
        "7 4000000000000000000\n4000000000000000000 1\n7 7\n",
        "% bip\n% 3 2 3\n1 1\n1 3\n2 1\n",
        "% bip\na b\nc a\na a\n",
        "% sym\n% 3 4 4\n",
        "Zoe Adam\nAdam \xdcmit\nZoe Zoe\n",
        "1 2\n" * 40 + "# in between\n3,4\n 5\t6\n" + "a 1\n01 1\n",
    ],
    "n.csv": [
        'source,target,weight\n"a,b",c,1\nc,"d ""e""",2.5\n',
        '"1","2"\n"02","1"\n"2","2"\n',
        "0;1;2\n3;4;5\n",
    ],
    "n.mtx": [
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n",
        "%%MatrixMarket matrix coordinate real skew-symmetric\n% c\n4 4 3\n2 1 0.5\n\n3  1 2\n4 3 1 \n",
        "%%MatrixMarket matrix coordinate integer hermitian\n3 3 3\n2 1 1\n3 3 1\n3 1 0\n",
        "%%MatrixMarket matrix coordinate pattern general\n3 3 0\n",
        "%%MatrixMarket matrix array integer general\n2 2\n1\n0\n3\n0\n",
        "%%MatrixMarket matrix array real general\n% c\n3 3\n1 0 0.5\n0 0 2\n% c\n\n1 1 0\n",
        "%%MatrixMarket matrix array real symmetric\n3 3\n1\n0\n0.25\n\n0 1\n7",
        "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1 0\r\n-1\r\n",
        "%%MatrixMarket matrix array complex hermitian\n3 3\n1 0 0 0 0 2\n0 0 1 1 0\n0\n",
        "%%MatrixMarket matrix array real general\n0 0\n",
    ],
    "n.graph": [
        "4 1\n\n4\n\n2\n",
        "%c\n\n\n% c\n5 6 101\n1 2 7 3 8\n% c\n1 1 7 3 9 4 0.5\n1 1 8 2 9\n1 2 0.5 5 1 5 2\n1 4 1 4 2\n\n\n",
        "3 4\n2 3 3\n1\n\n",
        "0 0\n",
        "1 1\n1 1\n",
    ],
    "n.net": [
        '*Vertices 3\n1 "a"\n2 b\n*Arcs\n1 2 5\n*Edges\n2 3\n',
        "% c\n\n*vertices 9\r\n*arcs\r\n1 2 0.5\r\n\r\n% c\r\n3 3\r\n9 1\r\n",
        '*Vertices 4\n*Edges\n1 2\n2 1\n4 3 7 c Blue l "x"\n*Arcs\n% none\n',
        "*Vertices 4\n*Edges\n1 2\n2 1\n*Edges :2\n2 1\n3 3\n",
        "*Vertices 5\n*Arcslist\n1 2 3 4\n5\n2 1\n*Edgeslist\n4 5\n",
        "*Vertices 3\n*Matrix\n0 1 1\n0 0\n0 2 0 1\n",
        "*Vertices 5 2\n*Matrix\n0 1 1\n1 0 0\n",
        "*Vertices 3\n1 x\n*Matrix\n0 0 0 0 0 0 0 0 0\n*Edges\n1 2\n",
        "*Vertices 2\n",
        "*Vertices 2\n*Edges\n",
    ],
    "n.graphml": [
        (
            "<graphml><graph edgedefault='directed'><node id='a'/><node id='7'/><edge source='7' target='a'/>"
            "<edge source='a' target='a' directed='false'/></graph></graphml>"
        )
    ],
    "n.gexf": ["<gexf><graph><nodes><node id='1'/><node id='0'/></nodes></graph></gexf>"],
    "n.gml": [
        'graph [ node [ id 1 label "a" ] node [ id 7 ] edge [ source 1 target 7 ] ]',
        "graph [\n  directed 1\n edge [ source 9 target 2\n ]\n # node [\n node [ id 2 ]\n node [ id 9 x [ id 3 ] ] ]",
        'graph\n[\nnode\n[\nid "0"\nlabel "a\n# b ]\nc" ] node [ id 1 label "\xdc" ]\nedge [ target 1 source 0 ]\n]',
        "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 0 ] ]\n",
        "graph [ node [ id 99999999999999999999 ] edge [ source 99999999999999999999 target 99999999999999999999 ] ]",
        "Version 1\ngraph [ ]\n",
    ],
}
MATRIX = "%%MatrixMarket matrix coordinate pattern general\n"
FAULTY = [
    ("n.txt", "1 2\n3 4\n5\n", {}),
    ("n.txt", "1 2\n3 -4\n", {}),
    ("n.txt", "1 2\n3 9\n4 2\n", {"num_vertices": 5}),
    ("n.txt", "a b\nc d\n", {"num_vertices": 3}),
    ("n.txt", "1 2\n3 99999999999999999999\n", {}),
    ("n.csv", 'a,b\n"c,d\ne,f\n', {}),
    ("n.csv", "a,b\nc,\n", {}),
    ("n.csv", "x,y\n1,2\n", {"source": "z"}),
    ("n.mtx", MATRIX + "9 9 5\n1 2\n2 3\n3 10\n0 4\n5 6\n", {}),
    ("n.mtx", MATRIX + "9 9 2\n1 2\n2 3\n3 4\n", {}),
    ("n.mtx", MATRIX + "9 9 3\n1 2\n2 3\n", {}),
    ("n.mtx", MATRIX + "9 9 2\n1 2\n2 x\n", {}),
    ("n.mtx", MATRIX + "9 9 0\n1 2\n", {}),
    ("n.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n0\n3\n", {}),
    ("n.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n0\n3 4 5 6\n", {}),
    ("n.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n0 x\n3\n", {}),
    ("n.mtx", "%%MatrixMarket matrix array real symmetric\n99999999999 99999999999\n1\n0\n3\n", {}),
    ("n.mtx", "%%MatrixMarket matrix array complex general\n1 1\n1 2 3\n", {}),
    ("n.gml", "graph [ node [ id 1 ] node [ id 1 ] ]", {}),
    ("n.gml", "graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]", {}),
    ("n.gml", "graph [ node [ id 1 ]\nedge [ source 1 ] ]", {}),
    ("n.gml", "graph [ node [ ] ]", {}),
    ("n.gml", 'graph [ node [ id 1 label "a ] ]', {}),
    ("n.gml", "graph [ node [ id 1 ]", {}),
    ("n.gml", "graf [ node [ id 1 ] ]", {"format": "gml"}),
    ("n.net", "*Vertices 3\n*Arcs\n1 2\n1 4\n", {}),
    ("n.net", "*Vertices 3\n*Arcs\n1 2\n1\n", {}),
    ("n.net", "*Vertices 3\n*Arcs\n1 2\n1 x\n", {}),
    ("n.net", "*Vertices 3\n*Arrows\n1 2\n", {}),
    ("n.net", "*Vertices x\n*Arcs\n1 2\n", {}),
    ("n.net", "*Arcs\n1 2\n*Vertices 3\n", {}),
    ("n.net", "*Vertices 3\n*Matrix\n1 2\n", {}),
    ("n.net", "*Vertices 3\n1 a\n1 b\n*Arcs\n1 2\n", {}),
    ("n.graph", "% c\n\n", {}),
    ("n.graph", "3 3 2\n2 3\n1 3\n1 2\n", {}),
    ("n.graph", "3 3\n2 3\n1 3\n", {}),
    ("n.graph", "999999999999 3\n2 3\n", {}),
    ("n.graph", "3 3\n2 3\n1 3\n1 2\n\n\n\n\n1\n", {}),
    ("n.graph", "3 3\n2 3\n1 4\n1 2\n", {}),
    ("n.graph", "3 3\n2 3\n1 3\n1 x\n", {}),
    ("n.graph", "3 4\n2 3\n1 3\n1 2\n", {}),
    ("n.graph", "4 2\n2 3\n1\n4\n\n", {}),
    ("n.graph", "3 3\n2 3\n1 3\n1 2\n", {"num_vertices": 2}),
]


def streamed(path, *, piece_arcs=3, **asked):
    """The stream and its survey as an Arcs would have them, after checking what any stream promises."""
    opened = stream_model if isinstance(path, generate.RMat) else stream_arcs
    stream = opened(path, piece_arcs=piece_arcs, threads=2, **asked)
    survey = stream.survey()
    passes = [list(stream.pieces()) for _ in range(2)]
    for pieces in passes:
        assert all(0 < len(source) == len(target) <= piece_arcs for source, target in pieces)
    for (source, target), (again, too) in zip(*passes, strict=True):
        assert np.array_equal(source, again)
        assert np.array_equal(target, too)
    return stream, survey, passes[0]


def assert_same(path, *, piece_arcs=3, **asked):
    whole = read_arcs(path, weights=False, **asked)
    stream, survey, pieces = streamed(path, piece_arcs=piece_arcs, **asked)
    assert (stream.directed, survey.vertices, survey.arcs) == (whole.directed, whole.vertices, len(whole))
    if whole.labels is None:
        assert survey.labels is None
    else:
        assert survey.labels.dtype == whole.labels.dtype
        assert np.array_equal(survey.labels, whole.labels)
    degree = np.zeros(whole.vertices, dtype=np.int64)
    for place, end in enumerate((whole.source, whole.target)):
        np.add.at(degree, end, 1)
        given_end = np.concatenate([np.empty(0, end.dtype), *(piece[place] for piece in pieces)])
        assert given_end.dtype == end.dtype
        assert np.array_equal(given_end, end)
    assert survey.degree.dtype == np.int64
    assert np.array_equal(survey.degree, degree)


@pytest.mark.parametrize(
    ("name", "content"),
    [(name, text) for name in ("n.txt", "n.csv", "n.graph") for text in SAMPLES[name] if "\n3,4\n" not in text],
)
def test_what_was_kept_of_the_first_pass_is_what_the_second_would_give(file_of, monkeypatch, name, content):
    asked = {"directed": True}
    path = file_of(content, name)
    _, _, expected = streamed(path, **asked)
    for keep in (1 << 20, 8):
        stream = stream_arcs(path, piece_arcs=3, keep=keep, threads=2, **asked)
        survey = stream.survey()
        assert stream.held_bytes <= keep
        if keep > 8 and survey.arcs:
            assert stream.held_bytes
            monkeypatch.setattr(Source, "chunks", None)  # not to be read again
        for _ in range(2):
            for (source, target), (again, too) in zip(stream.pieces(), expected, strict=True):
                assert np.array_equal(source, again)
                assert np.array_equal(target, too)
        monkeypatch.undo()
        stream.forget()
        assert stream.held_bytes == 0
        assert len(list(stream.pieces())) == len(expected)


@pytest.mark.parametrize("name", SAMPLES)
def test_pieces_are_surveyed_first_where_that_was_not_done(file_of, name):
    path = file_of(SAMPLES[name][0], name)
    stream = stream_arcs(path)
    assert sum(len(source) for source, _ in stream.pieces()) == len(read_arcs(path))


def test_the_first_network_of_a_project_is_streamed(file_of):
    path = file_of("*Network a\n*Vertices 2\n*Arcs\n1 2\n*Network b\n*Vertices 1\n*Arcs\n1 1\n", "n.paj")
    with pytest.warns(ReadWarning, match="left out 1 network"):
        stream = stream_arcs(path, piece_arcs=1)
    assert [(source.tolist(), target.tolist()) for source, target in stream.pieces()] == [([0], [1])]


def test_edges_of_one_end_are_refused_without_a_survey_too(file_of):
    with pytest.raises(ReadError, match="vertex 1 has the neighbour 3, but 3 does not have 1"):
        list(stream_arcs(file_of("4 2\n2 3\n1\n4\n\n", "n.graph")).pieces())


def outcome(action):
    try:
        action()
    except TriadicError as error:
        return type(error), str(error)
    return None


REAL = [
    "PGPgiantcompo.graph.gz",
    "USAir97.net.gz",
    "USpowerGrid.net.gz",
    "celegans_metabolic.graph.gz",
    "celegansneural.gml.gz",
    "chesapeake.mtx",
    pytest.param("cnr-2000.tsv.gz", marks=pytest.mark.nightly),
    "connectome_herm_chem_edgelist.csv",
    "delaunay_n16.graph.gz",
    "eatSR.net.gz",
    "ego-twitter.txt.gz",
    "facebook_combined.txt.gz",
    "lagraph_karate.mtx",
    "pajek_GraphList.net",
    "soc-Slashdot0902.txt.gz",
    "soc-sign-Slashdot090221.txt.gz",
    pytest.param("web-NotreDame.txt.gz", marks=pytest.mark.nightly),
    "wiki-Vote.txt.gz",
]


@pytest.mark.parametrize("name", REAL)
def test_a_real_network_is_streamed_as_it_is_read(real_networks, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReadWarning)
        assert_same(real_networks / name, piece_arcs=100_000)


@pytest.mark.parametrize(("name", "content"), [(name, text) for name, texts in SAMPLES.items() for text in texts])
@pytest.mark.parametrize("asked", [{}, {"num_vertices": 60, "directed": True}, {"num_vertices": 2}], ids=str)
def test_a_file_is_streamed_as_it_is_read_or_refused_in_the_same_words(file_of, name, content, asked):
    path = file_of(content, name)
    refused = outcome(lambda: read_arcs(path, **asked))
    if refused is not None:
        assert outcome(lambda: stream_arcs(path, piece_arcs=3, **asked).survey()) == refused
    else:
        assert_same(path, **asked)


@pytest.mark.parametrize(("name", "content", "asked"), FAULTY)
def test_what_is_wrong_is_said_as_the_reader_says_it(file_of, name, content, asked):
    path = file_of("7 8\n" * 30 * (name == "n.txt" and content[0] == "1") + content, name)
    refused = outcome(lambda: read_arcs(path, **asked))
    assert refused is not None
    assert outcome(lambda: stream_arcs(path, piece_arcs=3, **asked).survey()) == refused


IDS = st.integers(0, 6) | st.integers(90, 99).map(str) | st.sampled_from(["a", "b", "03", 2**40])
ROWS = st.lists(
    st.tuples(IDS, IDS, st.sampled_from([" ", "\t", ",", "  "]), st.sampled_from(["\n", "\n# c\n", "\n\n"]))
)


@examples(40)
@given(rows=ROWS, header=st.sampled_from(["", "# Nodes: 8\n", "% bip\n", "x y\n"]), packed=st.booleans())
def test_any_text_is_streamed_as_it_is_read(tmp_path_factory, rows, header, packed):
    content = (header + "".join(f"{a}{between}{b}{end}" for a, b, between, end in rows)).encode()
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(gzip.compress(content) if packed else content)
    refused = outcome(lambda: read_arcs(path))
    if refused is not None:
        assert outcome(lambda: stream_arcs(path, piece_arcs=2).survey()) == refused
    else:
        assert_same(path, piece_arcs=2)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (pa.array([1, 5, 5, 9, 1], pa.int64()), pa.array([5, 9, 5, 1, 9], pa.int32())),
        (pa.array([0, 2**40, 3, 0, 1]), pa.array([2**40, 3, 0, 0, 1], pa.uint64())),
        (pa.array(["x", "1", "x", "", "y"]), pa.array(["1", "2", "x", "y", "x"]).dictionary_encode()),
        (pa.array(["1", "2", "1", "3", "3"]), pa.array([2, 3, 3, 1, 0], pa.int16())),
        (pa.array([], pa.int64()), pa.array([], pa.int64())),
        (pa.array([], pa.string()), pa.array([], pa.string())),
    ],
    ids=["gaps", "sparse", "names", "mixed", "no numbers", "no names"],
)
@pytest.mark.parametrize("longest_group", [1 << 22, 1])
def test_parquet_is_streamed_as_it_is_read(tmp_path, monkeypatch, source, target, longest_group):
    monkeypatch.setattr(parquet, "_LONGEST_GROUP", longest_group)
    monkeypatch.setattr(parquet, "BATCH", 2)
    path = tmp_path / "n.parquet"
    pq.write_table(pa.table({"source": source, "target": target}), path, row_group_size=2)
    assert_same(path, piece_arcs=2)


@pytest.mark.parametrize(("values", "told"), [([1, 2, 3, None], "row 4"), ([1, -2, 3, 4], "-2"), ([1, 2, 3, 9], "9")])
def test_parquet_names_the_row_or_the_id_that_is_wrong(tmp_path, values, told):
    path = tmp_path / "n.parquet"
    pq.write_table(pa.table({"source": [0, 1, 2, 3], "target": values}), path, row_group_size=2)
    refused = outcome(lambda: read_arcs(path, num_vertices=5))
    assert told in refused[1]
    assert outcome(lambda: stream_arcs(path, num_vertices=5).survey()) == refused


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("asked", [{}, {"num_vertices": 30, "directed": True}], ids=str)
def test_rows_that_lie_in_a_file_are_streamed_as_they_are_read(tmp_path, directed, asked):
    arcs = generate.make_arcs(generate.RMat(scale=4, seed=3))
    graph = Graph.from_edges(arcs.source, arcs.target, num_vertices=20, directed=directed)
    write(graph, tmp_path / "n.triadic")
    assert_same(tmp_path / "n.triadic", **asked)
    offsets, neighbours = graph.indptr.astype("<i8"), graph.indices.astype("<i4")
    rows = offsets.tobytes() + neighbours.tobytes()
    header = struct.pack("<Bqq", directed, len(neighbours), 20)
    (tmp_path / "n.sg").write_bytes(header + rows * (1 + directed))
    assert_same(tmp_path / "n.sg", **asked)


def test_damaged_neighbours_are_found(tmp_path):
    path = tmp_path / "n.sg"
    path.write_bytes(struct.pack("<Bqq4q2i", False, 2, 3, 0, 1, 2, 2, 1, 7))
    assert outcome(lambda: stream_arcs(path).survey()) == outcome(lambda: read_arcs(path))


def test_a_model_is_streamed_as_it_is_made(tmp_path):
    model = generate.RMat(scale=5, seed=1)
    arcs = generate.make_arcs(model)
    stream, survey, pieces = streamed(model, piece_arcs=100)
    assert (stream.directed, survey.vertices, survey.arcs, survey.labels) == (False, 32, len(arcs), None)
    assert np.array_equal(np.concatenate([source for source, _ in pieces]), arcs.source)
    assert np.array_equal(survey.degree, np.bincount(np.concatenate([arcs.source, arcs.target]), minlength=32))
    with pytest.raises(ArgumentError, match="a model has no format"):
        tile(model, tmp_path / "tiles", num_vertices=40)
    with pytest.raises(ArgumentError, match="a file or a model"):
        stream_model(3)


@pytest.mark.parametrize("gap", [1, 3, 10**9])
def test_numbers_counted_in_a_table_or_by_merging_give_the_same_vertices(monkeypatch, gap):
    monkeypatch.setattr(numbers, "SMALL_TABLE", 16)
    monkeypatch.setattr(numbers, "_MERGED_AT_ONCE", 8)
    ids = np.random.default_rng(5).integers(0, 40, 200) * gap + 2
    tally = numbers.NumberTally(declared=None, ends=len(ids))
    for start in range(0, len(ids), 7):
        tally.add(pa.chunked_array([ids[start : start + 7]]))
    found = tally.numbered(stated=None)
    labels, vertices, counts = np.unique(ids, return_inverse=True, return_counts=True)
    assert np.array_equal(found.labels, labels)
    assert np.array_equal(found.degree, counts)
    assert np.array_equal(found.vertices_in(pa.chunked_array([ids])), vertices)


def test_a_file_that_changed_between_two_passes_is_refused(file_of):
    path = file_of("0 1\n1 2\n")
    stream = stream_arcs(path)
    stream.survey()
    file_of("0 1\n1 2\n2 3\n")
    with pytest.raises(ReadError, match="has changed"):
        list(stream.pieces())


def test_progress_ends_at_the_whole(file_of):
    told = []
    stream = stream_arcs(file_of("0 1\n1 2\n" * 50), piece_arcs=2)
    stream.survey(lambda *counts: told.append(counts))
    list(stream.pieces(lambda *counts: told.append(counts)))
    assert told.count((400, 400)) == 2
    assert len(told) > 10


def test_memory_is_that_of_a_few_pieces(tmp_path):
    path = tmp_path / "grid.txt"
    with path.open("w") as file:
        for start in range(0, 400_000, 40_000):
            file.writelines(f"{i % 1000}\t{i % 997}\n" for i in range(start, start + 40_000))
    assert _peak(path) < 6_400_000 / 2


def test_adjacency_lists_are_read_in_pieces(tmp_path):
    path = tmp_path / "ring.graph"
    n = 200_000
    with path.open("w") as file:
        file.write(f"{n} {n}\n")
        file.writelines(f"{(i + 1) % n + 1} {(i - 1) % n + 1}\n" for i in range(n))
    assert _peak(path) < 6_400_000 / 2


def _peak(path):
    """Bytes that the second pass over a file holds."""
    stream = stream_arcs(path, piece_arcs=4096, threads=1)
    stream.survey()
    before = pa.default_memory_pool().bytes_allocated()
    tracemalloc.start()
    arrow = 0
    for _ in stream.pieces():
        arrow = max(arrow, pa.default_memory_pool().bytes_allocated() - before)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak + arrow


def test_an_edge_from_one_of_its_ends_is_refused_where_memory_is_short_too(file_of, monkeypatch):
    stream = stream_arcs(file_of("4 2\n2 3\n1\n4\n\n", "n.graph"))
    monkeypatch.setattr("triadic.core.memory.available_bytes", lambda: 100)
    with pytest.raises(ReadError, match="in the line of one of its ends"):
        stream.survey()


def test_a_format_that_is_read_whole_is_refused_where_memory_is_short(file_of, monkeypatch):
    monkeypatch.setattr("triadic.core.memory.available_bytes", lambda: 10)
    for name in ("n.graphml", "n.gml", "n.mtx", "n.net"):
        path = file_of(SAMPLES[name][0], name)
        with pytest.raises(OutOfMemoryError, match=r"read whole,.* or Parquet \(triadic convert\)"):
            tile(path, path.with_suffix(".tiles"))


def test_a_missing_end_in_batches_of_a_table_names_its_row(tmp_path):
    table = pa.table({"source": [1, 2, 3, 4, 5], "target": [2, 3, None, 5, 1]})
    with pytest.raises(ReadError, match=r"the column 'target' has no value in row 3$"):
        tile(table.to_reader(max_chunksize=2), tmp_path / "tiles")
