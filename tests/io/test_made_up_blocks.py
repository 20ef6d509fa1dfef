"""A format in blocks that is declared here alone is read, also in folders, streamed, tiled, planned for and written."""

from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa
import pytest

import triadic
from triadic.io import FORMATS, Format, read_arcs, register
from triadic.io.blocks import Blocks
from triadic.io.reading import stream_arcs
from triadic.io.temporary_files import whole_stream
from triadic.planning.plan import IN_MEMORY, plan


class DashBlocks(Blocks):
    """Lines such as ``3-5``."""

    directed, taken = False, "numbers around dashes"

    def __init__(self, source, options):
        super().__init__(source)
        self.work = self.arcs = source.stored_bytes

    def parts(self, *, numeric, chunk_bytes, reported):
        for chunk in self.source.chunks(chunk_bytes):
            yield partial(self._rows, chunk)
            reported.add(len(chunk))

    def _rows(self, chunk):
        try:
            ends = np.array(chunk.replace(b"-", b" ").split(), dtype=np.int64).reshape(-1, 2)
        except ValueError:
            raise self.source.error("found a line that is no pair of numbers, expected lines such as 3-5") from None
        return pa.table({"source": ends[:, 0], "target": ends[:, 1]})


def write_dashes(graph, path):
    ends = zip(*(end.tolist() for end in graph.edges()), strict=True)
    with whole_stream(path) as stream:
        stream.write("".join(f"{u}-{v}\n" for u, v in ends).encode())


DASHES = Format(name="dashes", suffixes=(".dashes",), blocks=DashBlocks, write=write_dashes)


@pytest.fixture(autouse=True)
def _registered():
    register(DASHES)
    yield
    del FORMATS["dashes"]


@pytest.fixture
def graph():
    return triadic.generate.watts_strogatz(300, 6, 0.1, seed=1)


@pytest.fixture(params=["n.dashes", "n.dashes.gz"])
def path(request, graph, tmp_path):
    path = tmp_path / request.param
    triadic.write(graph, path)
    return path


def test_it_is_written_and_read_back(path, graph):
    again = triadic.read(path)
    assert (again.directed, again.num_edges, again.origin.columns) == (False, graph.num_edges, DashBlocks.taken)
    np.testing.assert_array_equal(again.indices, graph.indices)


def test_it_is_streamed_in_pieces_of_any_size(path):
    whole = read_arcs(path)
    for size in (1, 7, 1 << 20):
        stream = stream_arcs(path, piece_arcs=size)
        assert stream.survey().arcs == len(whole)
        pieces = list(stream.pieces())
        for place, end in enumerate((whole.source, whole.target)):
            np.testing.assert_array_equal(np.concatenate([piece[place] for piece in pieces]), end)


def test_it_is_tiled(path, graph, tmp_path):
    triadic.tile(path, tmp_path / "tiles")
    np.testing.assert_array_equal(triadic.triangles(triadic.TiledGraph(tmp_path / "tiles")), triadic.triangles(graph))


def test_a_folder_of_it_is_one_network(graph, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    source, target = graph.edges()
    for part in range(3):
        rows = zip(source[part::3].tolist(), target[part::3].tolist(), strict=True)
        (folder / f"{part}.dashes").write_text("".join(f"{u}-{v}\n" for u, v in rows))
    np.testing.assert_array_equal(triadic.triangles(triadic.read(folder)), triadic.triangles(graph))


def test_it_is_planned_for(path, graph):
    found = plan(path, threads=2)
    assert found.way == IN_MEMORY
    assert found.basis.startswith(f"from all of its {graph.num_edges} arcs")


def test_a_large_file_of_it_is_not_planned_for(path, monkeypatch):
    monkeypatch.setattr("triadic.io.sampling._WHOLE_BYTES", 10)
    with pytest.raises(triadic.errors.ArgumentError, match="files of its format are not sampled, and this one is too"):
        plan(path, threads=2)


def test_a_fault_is_one_line(tmp_path):
    path = tmp_path / "n.dashes"
    path.write_text("1-2\n3-x\n")
    with pytest.raises(triadic.errors.ReadError, match="expected lines such as 3-5"):
        triadic.read(path)


def test_a_format_without_any_reader_says_so(tmp_path):
    register(Format(name="nothing", suffixes=(".nothing",)))
    try:
        (tmp_path / "n.nothing").write_text("1 2")
        with pytest.raises(triadic.errors.ReadError, match="declares neither `read` nor `blocks`"):
            triadic.read(tmp_path / "n.nothing")
    finally:
        del FORMATS["nothing"]
