"""GAP Benchmark Suite's serialized graphs."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from triadic.errors import ReadError


def serialized(directed, rows, *, weights=None):
    """The bytes that GAP writes for the neighbours of each vertex; incoming arcs are left as zeros."""
    ends = np.cumsum([0, *map(len, rows)]).astype("<i8")
    neighbours = np.array([w for row in rows for w in row], dtype="<i4")
    if weights is not None:
        neighbours = np.stack([neighbours, np.array(weights, dtype="<i4")], axis=1)
    body = ends.tobytes() + neighbours.tobytes()
    return struct.pack("<?qq", directed, int(ends[-1]), len(rows)) + body + (bytes(len(body)) if directed else b"")


def test_an_undirected_graph_gives_each_edge_from_both_ends(arcs_of):
    arcs = arcs_of(serialized(False, [[1, 2], [0], [0], []]), "g.sg")
    assert (arcs.source.tolist(), arcs.target.tolist()) == ([0, 0, 1, 2], [1, 2, 0, 0])
    assert (arcs.vertices, arcs.directed, arcs.both_ends) == (4, False, True)


def test_a_directed_graph_gives_outgoing_arcs(arcs_of):
    arcs = arcs_of(serialized(True, [[1, 2], [], [0]]), "g.sg")
    assert (arcs.source.tolist(), arcs.target.tolist()) == ([0, 0, 2], [1, 2, 0])
    assert (arcs.directed, arcs.both_ends) == (True, False)


def test_weights_come_from_a_wsg(arcs_of):
    content = serialized(False, [[1], [0]], weights=[-5, -5])
    assert arcs_of(content, "g.wsg").weights is None
    assert arcs_of(content, "g.wsg", weights=True).weights.tolist() == [-5, -5]
    with pytest.raises(ReadError, match=r"a \.sg has no weights"):
        arcs_of(serialized(False, [[1], [0]]), "g.sg", weights=True)


def test_a_large_one_is_read_from_where_it_lies(arcs_of):
    rows = [[(v + 1) % 50_000] for v in range(50_000)]
    arcs = arcs_of(serialized(True, rows), "g.sg")
    assert np.array_equal(arcs.target, np.roll(np.arange(50_000), -1))


def test_no_vertices(arcs_of):
    assert arcs_of(serialized(False, []), "g.sg").vertices == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x00\x01", "found 2 bytes"),
        (serialized(False, [[1], [0]])[:-1], "found 48 bytes whose header states directed=0, 2 vertices and 2 arcs"),
        (serialized(False, [[1], [0]]) + b"\x00", "which would then have 49 bytes"),
        (b"\x02" + serialized(False, [[1], [0]])[1:], "directed=2"),
        (serialized(False, [[5], [0]]), "its neighbours go from 0 to 5, expected 0 to 1"),
        (serialized(False, [[-1], [0]]), "its neighbours go from -1"),
        (struct.pack("<?qq3q2i", False, 2, 2, 0, 5, 2, 1, 0), "its offsets are damaged"),
        (b"0 1\n1 2\n" * 10, "expected a serialized graph"),
    ],
)
def test_a_damaged_one_is_refused(arcs_of, content, words):
    with pytest.raises(ReadError, match=words):
        arcs_of(content, "g.sg")
