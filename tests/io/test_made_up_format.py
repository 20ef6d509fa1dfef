"""A format that is declared in this file alone is known to reading, writing, streaming, tiling and planning."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import triadic
from triadic.core.arcs import Arcs
from triadic.errors import ArgumentError, ReadError
from triadic.io import FORMATS, Format, read_arcs, register
from triadic.io.file_source import Source
from triadic.io.networks import detect
from triadic.io.reading import stream_arcs
from triadic.io.temporary_files import whole_stream
from triadic.planning.measures import MEASURES
from triadic.planning.plan import IN_MEMORY, TILES, plan
from triadic.planning.rates import Rates


def read_arrows(source, options):
    """Read lines such as ``0 -> 1``, below a line ``arrows 3`` with the number of vertices."""
    first, *rows = source.everything().decode().splitlines()
    if not first.startswith("arrows "):
        raise source.error(f"found {first!r}, expected 'arrows' and a number", line=1)
    ends = [tuple(map(int, row.split(" -> "))) for row in rows]
    return Arcs(
        source=np.array([u for u, _ in ends], dtype=np.int32),
        target=np.array([v for _, v in ends], dtype=np.int32),
        vertices=options.vertices_at_least(source, int(first.split()[1])),
        directed=options.directed is not False,
    )


def write_arrows(graph, path):
    source = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    rows = (f"{u} -> {v}\n" for u, v in zip(source.tolist(), graph.indices.tolist(), strict=True))
    with whole_stream(path) as stream:
        stream.write(f"arrows {graph.num_vertices}\n{''.join(rows)}".encode())


ARROWS = Format(
    name="arrows",
    suffixes=(".arrows",),
    recognise=lambda head: head.startswith(b"arrows "),
    read=read_arrows,
    write=write_arrows,
)


@pytest.fixture(autouse=True)
def _registered():
    register(ARROWS)
    yield
    del FORMATS["arrows"]


@pytest.fixture
def graph():
    return triadic.generate.rmat(6, edge_factor=4, seed=1, directed=True)


@pytest.fixture(params=["n.arrows", "n.arrows.gz", "n.txt"])
def path(request, graph, tmp_path):
    path = tmp_path / request.param
    triadic.write(graph, path, format="arrows")
    return path


def test_it_is_recognised_by_its_first_bytes_and_its_name(path):
    assert detect(Source(path)) is ARROWS


def test_it_is_recognised_by_its_name_alone(tmp_path):
    (tmp_path / "n.arrows").write_text("1 2")
    with pytest.raises(ReadError, match="line 1: found '1 2', expected 'arrows'"):
        triadic.read(tmp_path / "n.arrows")


def test_it_is_written_and_read_back(path, graph):
    again = triadic.read(path)
    np.testing.assert_array_equal(again.indptr, graph.indptr)
    np.testing.assert_array_equal(again.indices, graph.indices)
    assert again.directed
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == (path.suffix == ".gz")


def test_it_is_packed_in_any_way(graph, tmp_path):
    triadic.write(graph, tmp_path / "n.arrows")
    (tmp_path / "n").write_bytes(gzip.compress((tmp_path / "n.arrows").read_bytes()))
    assert triadic.read(tmp_path / "n").num_arcs == graph.num_arcs


def test_it_is_streamed_as_it_is_read(path):
    stream = stream_arcs(path, piece_arcs=10)
    whole = read_arcs(path)
    assert (stream.survey().vertices, stream.directed) == (whole.vertices, True)
    pieces = list(stream.pieces())
    assert len(pieces) > 1
    np.testing.assert_array_equal(np.concatenate([source for source, _ in pieces]), whole.source)
    np.testing.assert_array_equal(np.concatenate([target for _, target in pieces]), whole.target)


def test_it_is_tiled(path, graph, tmp_path):
    triadic.tile(path, tmp_path / "tiles")
    np.testing.assert_array_equal(triadic.triangles(triadic.TiledGraph(tmp_path / "tiles")), triadic.triangles(graph))


@pytest.mark.parametrize("by_tiles", [False, True])
def test_it_is_planned_for(path, graph, monkeypatch, by_tiles):
    each = dict.fromkeys(MEASURES, (0.001, 2.0))
    known = Rates(2, 0.5, 1e-7, 1e-8, 1e-7, 1e-8, 1e-9, each, each)
    monkeypatch.setattr("triadic.planning.plan.rates", lambda *_, **__: known)
    found = plan(path, by_tiles=by_tiles, threads=2)
    assert found.way == (TILES if by_tiles else IN_MEMORY)
    assert found.basis == f"from all of its {graph.num_arcs} arcs"
    assert found.bytes_read >= path.stat().st_size


def test_a_large_file_of_it_is_not_planned_for(path, monkeypatch):
    monkeypatch.setattr("triadic.io.sampling._WHOLE_BYTES", 10)
    with pytest.raises(ArgumentError, match="a file of the format arrows is read whole"):
        plan(path, threads=2)


def test_its_name_is_in_the_errors_for_other_names(path):
    with pytest.raises(ArgumentError, match=r"format='arrow' is not known; expected one of text, .*, arrows"):
        triadic.read(path, format="arrow")


def test_without_a_writer_it_is_read_only(graph, tmp_path):
    register(Format(name="dots", suffixes=(".dots",), read=read_arrows))
    try:
        with pytest.raises(ArgumentError, match=r"format='dots' is read only; expected one of text, .*, arrows"):
            triadic.write(graph, tmp_path / "n.dots")
    finally:
        del FORMATS["dots"]


@pytest.mark.parametrize("clash", [{"name": "arrows"}, {"name": "other", "suffixes": (".txt",)}])
def test_a_name_or_a_suffix_belongs_to_one_format(clash):
    before = dict(FORMATS)
    with pytest.raises(ArgumentError, match="expected another"):
        register(Format(read=read_arrows, **clash))
    assert before == FORMATS


@pytest.mark.parametrize("format_name", ["", "folder", "sg", "GAP", "pajek "])
def test_a_name_that_is_not_known_never_reaches_a_reader(path, format_name, monkeypatch):
    monkeypatch.setattr("triadic.io.networks.Source", None)
    for call in (triadic.read, read_arcs, stream_arcs):
        with pytest.raises(ArgumentError, match="is not known"):
            call(path, format=format_name)
