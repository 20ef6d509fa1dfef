"""Whatever bytes a file holds, a reader gives arcs or says what is wrong, and nothing else happens."""

from __future__ import annotations

import gzip
import json
import struct
import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import examples
from triadic.errors import TriadicError
from triadic.graph.graph import Graph
from triadic.io import ReadWarning, read, read_arcs, write

BANNER = b"%%MatrixMarket matrix coordinate "


def parquet():
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"source": ["a", "b"], "target": ["b", "c"], "weight": [1.0, 2.0]}), sink)
    return sink.getvalue().to_pybytes()


VALID = {
    "n.txt": [
        b"# Directed graph\n# Nodes: 9 Edges: 3\n# FromNodeId\tToNodeId\tSign\n0\t1\t1\r\n5\t3\t-1\n1\t2\t1\n",
        b"% bip weighted\n% 3 2 3\n1 1 0.5\n1 3 2\n2 1 1e3\n",
        b"1 2 3\n\n2  3\t4\n# c\n9999999999 7 1\n",
        b"Zoe Adam 3\nAdam \xc3\x9cmit 4\n",
    ],
    "n.csv": [b'source,target,weight\n"a,b",c,1\nc,"d ""e""",2.5\n', b"0;1;2\n3;4;5\n", b'"a", "b",1\nc,"d",2\n'],
    "n.tsv": [b"0\t1\t2\n1\t0\t3\n"],
    "n.mtx": [
        BANNER + b"real symmetric\n% c\n3 3 2\n2 1 0.5\n3 1 2\n",
        BANNER + b"pattern general\n3 3 2\n2 1\n3 1\n",
        BANNER + b"complex hermitian\n3 3 1\n2 1 0.5 2\n",
        b"%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n",
    ],
    "n.net": [
        b'*Network x\n*Vertices 4 2\n1 "a" 0.1 0.2\n2 b\n*Arcs :1 "r"\n1 2 5\n*Edges\n2 3 1 c Blue\n3 2 1\n',
        b"*Vertices 3\n*Matrix\n0 1 0\n0 0 2.5\n1 0 0\n*Arcslist\n1 2 3\n*Edgeslist\n3 1 2\n",
    ],
    "n.paj": [b"*Partition p\n*Vertices 2\n1\n2\n*Network a\n*Vertices 2\n*Edges\n1 2\n*Network b\n*Vertices 1\n"],
    "n.graph": [b"3 3 111 2\n1 4 5 2 7 3 8\n1 4 5 1 7 3 9\n1 4 5 1 8 2 9\n", b"% c\n4 1\n\n4\n\n2\n"],
    "n.gml": [
        b'Creator "x"\ngraph [\n directed 1\n node [ id 1 label "a" ] node [ id 7]\n edge [source 1 target 7 value 2] ]'
    ],
    "n.g6": [b">>graph6<<DQc\n", b"DQc\n", b":Fa@x^\n", b"&DI?AO?\n"],
    "n.sg": [struct.pack("<?qq4q4i", False, 4, 3, 0, 2, 3, 4, 1, 2, 0, 0)],
    "n.wsg": [struct.pack("<?qq3q4i", False, 2, 2, 0, 1, 2, 1, 7, 0, 7)],
    "n.parquet": [parquet()],
    "n.graphml": [
        (
            b'<?xml version="1.0"?>\n<graphml><key id="w" for="edge" attr.name="weight"><default>2</default></key>\n'
            b'<graph edgedefault="undirected"><node id="1"/><node id="a"/>'
            b'\n<edge source="1" target="a" directed="true"/>'
            b'<edge source="a" target="1"><data key="w">1.5</data></edge></graph></graphml>'
        )
    ],
    "n.gexf": [
        (
            b'<gexf version="1.2"><graph defaultedgetype="directed">\n<nodes><node id="0"/><node id="1"/></nodes>\n'
            b'<edges><edge source="0" target="1" weight="2"/><edge source="1" target="1" type="mutual"/></edges>'
            b"</graph></gexf>"
        )
    ],
}
# Bytes that mean something to one reader or another.
TELLING = st.sampled_from(list(b'0123456789 \t\n\r,;#%*"[]<>/&!-+.eaN\x00\xff')).map(lambda byte: bytes([byte]))
PIECES = st.lists(TELLING | st.binary(min_size=1, max_size=3), max_size=6).map(b"".join)


@st.composite
def mutated(draw, samples):
    """A valid file, with up to four pieces cut out, put in or doubled."""
    content = draw(st.sampled_from(samples))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(content)))
        stop = min(start + draw(st.integers(0, 8)), len(content))
        middle = draw(PIECES | st.just(content[start:stop] * 2))
        content = content[:start] + middle + content[stop:]
    return content


ASKED = st.fixed_dictionaries(
    {},
    optional={
        "directed": st.sampled_from([None, True, False]),
        "weights": st.sampled_from([True, 2, "weight", None]),
        "num_vertices": st.integers(0, 20),
    },
)


def arcs_or_an_error(path, asked):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReadWarning)
            arcs = read_arcs(path, **asked)
    except TriadicError as error:
        assert "\n" not in str(error)  # noqa: PT017 - that it is raised is not asked for
        return
    assert len(arcs.source) == len(arcs.target) == len(arcs)
    assert arcs.source.dtype == arcs.target.dtype
    assert arcs.source.dtype == (np.int32 if arcs.vertices < 2**31 else np.int64)
    assert arcs.labels is None or len(arcs.labels) <= arcs.vertices
    assert type(arcs.vertices) is int
    assert type(arcs.directed) is bool
    if len(arcs):
        assert min(arcs.source.min(), arcs.target.min()) >= 0
        assert max(arcs.source.max(), arcs.target.max()) < arcs.vertices
    if asked.get("weights") not in (None, False):
        assert arcs.weights.dtype == np.float64
        assert arcs.weights.shape == arcs.source.shape
        assert np.isfinite(arcs.weights).all()
    else:
        assert arcs.weights is None


@pytest.mark.parametrize("name", VALID)
@given(data=st.data(), asked=ASKED)
@examples(20, nightly=5000)
def test_a_damaged_file(tmp_path_factory, name, data, asked):
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(data.draw(mutated(VALID[name])))
    arcs_or_an_error(path, asked)


@pytest.mark.parametrize("name", [*VALID, "n"])
@given(content=st.binary(max_size=200) | st.lists(TELLING, max_size=60).map(b"".join), asked=ASKED)
@examples(20, nightly=5000)
def test_any_bytes(tmp_path_factory, name, content, asked):
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(content)
    arcs_or_an_error(path, asked)


@given(
    content=mutated([gzip.compress(sample, mtime=0) for samples in VALID.values() for sample in samples]), asked=ASKED
)
def test_a_damaged_gzip(tmp_path_factory, content, asked):
    path = tmp_path_factory.getbasetemp() / "n.gz"
    path.write_bytes(content)
    arcs_or_an_error(path, asked)


@given(data=st.data())
def test_a_damaged_folder(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "own"
    write(Graph.from_edges([0, 1, 2], [1, 2, 0], weights=[1, 2, 3], labels=["a", "bc", ""], directed=True), path)
    victim = data.draw(st.sampled_from(sorted(path.iterdir())))
    victim.write_bytes(data.draw(mutated([victim.read_bytes()])))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            arcs = read_arcs(path)
        except TriadicError as error:
            assert "\n" not in str(error)  # noqa: PT017 - that it is raised is not asked for
        else:
            assert max(arcs.source.max(initial=0), arcs.target.max(initial=0)) <= arcs.vertices
    # What stands there has to be known as ours, or it could not be replaced by the next example.
    header = path / "header.json"
    header.write_text(json.dumps({"format": "triadic graph"}))


@pytest.mark.parametrize("size", [1, 7, 40])
@pytest.mark.parametrize("name", VALID)
def test_where_chunks_end_makes_no_difference(tmp_path, monkeypatch, name, size):
    for content in VALID[name]:
        # A comment between the rows of text keeps it off the way that has no chunks.
        (tmp_path / name).write_bytes(content + b"# c\n" if name in ("n.txt", "n.csv", "n.tsv") else content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReadWarning)
            monkeypatch.undo()
            whole = read_arcs(tmp_path / name)
            for module in ("file_source", "pajek"):
                monkeypatch.setattr(f"triadic.io.{module}.CHUNK_BYTES", size)
            chunked = read_arcs(tmp_path / name)
        assert np.array_equal(whole.source, chunked.source)
        assert np.array_equal(whole.target, chunked.target)
        assert np.array_equal(whole.labels, chunked.labels)


@pytest.mark.parametrize("name", VALID)
def test_every_sample_is_valid(tmp_path, name):
    for content in VALID[name]:
        (tmp_path / name).write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReadWarning)
            assert len(read_arcs(tmp_path / name)) > 0


def test_a_valid_file_of_every_kind_becomes_a_graph(tmp_path):
    for name in VALID:
        (tmp_path / name).write_bytes(VALID[name][-1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ReadWarning)
            assert read(tmp_path / name).num_arcs > 0
