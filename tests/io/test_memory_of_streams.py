"""Streams of files of tens of megabytes hold a few pieces, whatever the lengths of lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import triadic
from triadic.io import arc_stream, read_arcs
from triadic.io.reading import stream_arcs

_PEAK = """
import ctypes, gc, re, sys, warnings
from pathlib import Path
from triadic.io.reading import stream_arcs

def passed(path):
    stream = stream_arcs(path, piece_arcs=1 << 14, threads=1)
    arcs = stream.survey().arcs
    assert sum(len(source) for source, _ in stream.pieces()) == arcs
    return arcs

status = Path("/proc/self/status")
def bytes_of(name):
    return 1024 * int(re.search(name + ":[^0-9]*([0-9]+)", status.read_text())[1])

passed(sys.argv[1])  # what readers import and compile is in memory now
gc.collect()
ctypes.CDLL(None).malloc_trim(0)
Path("/proc/self/clear_refs").write_text("5")
start = bytes_of("VmRSS")
print(passed(sys.argv[2]), bytes_of("VmHWM") - start)
"""


def _metis(hubs):
    """A star: the line of its centre is as long as the lines of all other vertices together, or longer."""
    return f"{hubs + 1} {hubs}\n{' '.join(map(str, range(2, hubs + 2)))}\n" + "1\n" * hubs, 2 * hubs


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc of Linux tells the peak of memory")
def test_a_stream_holds_a_few_pieces(tmp_path):
    sizes, arcs = [], 0
    for size in (10, 3_000_000):
        text, arcs = _metis(size)
        path = tmp_path / f"{size}.graph"
        path.write_text(text)
        sizes.append(path)
    assert sizes[1].stat().st_size > 25e6
    words = [sys.executable, "-c", _PEAK, *map(str, sizes)]
    found, peak = subprocess.run(words, capture_output=True, text=True, check=True, timeout=170).stdout.split()
    degrees = 16 * 3_000_001  # and a table of the ends of one piece
    assert int(found) == arcs
    # 12 to 18 MB: threads of Arrow give back the memory of a piece sooner or later.
    assert int(peak) < 24e6 + degrees


@pytest.mark.parametrize("bytes_at_once", [1, 2, 3, 7, 1000])
def test_pieces_of_any_size_are_read_as_the_whole(tmp_path, monkeypatch, bytes_at_once):
    """Lines, comments and words are cut anywhere."""
    rng = np.random.default_rng(bytes_at_once)

    monkeypatch.setattr(arc_stream, "CHUNK_BYTES", bytes_at_once)
    for trial in range(5):
        n = int(rng.integers(2, 12))
        matrix = np.triu(rng.integers(0, 2, (n, n)), 1)
        matrix += matrix.T
        ends = ["\r\n", "\n", "\n% 1 2 %\n", "\n  % 9\n"]
        lines = [f"{n} {matrix.sum() // 2}", *(" ".join(map(str, np.flatnonzero(row) + 1)) for row in matrix)]
        metis = tmp_path / f"{trial}.graph"
        metis.write_text("".join(line + ends[rng.integers(4)] for line in lines), newline="")
        whole = read_arcs(metis)
        pieces = list(stream_arcs(metis, piece_arcs=1 << 20, threads=1).pieces())
        for place, end in enumerate((whole.source, whole.target)):
            assert np.array_equal(np.concatenate([piece[place] for piece in pieces] or [end[:0]]), end)


def test_network_formats_are_cut_into_tiles(tmp_path):

    graph = triadic.generate.rmat(8, seed=1)
    source, target = (np.asarray(end) for end in (graph.to_scipy().tocoo().row, graph.to_scipy().tocoo().col))
    rows = ["" for _ in range(graph.num_vertices)]
    for u, v in zip(source.tolist(), target.tolist(), strict=True):
        rows[u] += f" {v + 1}"
    once = [(u, v) for u, v in zip(source.tolist(), target.tolist(), strict=True) if u < v]
    dense = graph.to_scipy().toarray().astype(int)
    texts = {
        "graph": f"{graph.num_vertices} {graph.num_edges}\n" + "\n".join(rows) + "\n",
        "net": f"*Vertices {graph.num_vertices}\n*Edges\n" + "".join(f"{u + 1} {v + 1}\n" for u, v in once),
        "gml": "graph [\n" + "".join(f"node [ id {v} ]\n" for v in range(graph.num_vertices))
        + "".join(f"edge [ source {u} target {v} ]\n" for u, v in once) + "]\n",
        "mtx": f"%%MatrixMarket matrix array integer general\n{len(dense)} {len(dense)}\n"
        + "\n".join(map(str, dense.ravel())) + "\n",
    }  # fmt: skip
    expected = triadic.triangles(graph)
    for suffix, text in texts.items():
        path = Path(tmp_path / f"network.{suffix}")
        path.write_text(text)
        tiled = triadic.tile(path, tmp_path / f"{suffix}.tiles", ranges=3, directed=False)
        assert np.array_equal(triadic.triangles(tiled), expected), suffix
