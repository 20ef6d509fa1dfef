"""What is predicted of a count, against what it is then seen to take."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest

import triadic
from triadic.counts.count import run
from triadic.counts.triads import DYADS
from triadic.errors import ArgumentError, ReadError, UnsupportedError
from triadic.io import sampling
from triadic.io.file_source import Source
from triadic.io.format import ReadOptions
from triadic.io.metis_blocks import sample_metis
from triadic.io.reading import stream_arcs
from triadic.planning import measures, tile_costs
from triadic.planning.measures import MEASURES
from triadic.planning.plan import IN_MEMORY, TILES, plan
from triadic.planning.sample import sample_of
from triadic.planning.shape import pairs, shape_of
from triadic.planning.tile_costs import count_tiles
from triadic.tiles import partition as ranges_of_tiles
from triadic.tiles import work
from triadic.tiles.tiling import make_tiles
from triadic.tiles.work import costs as costs_of
from triadic.tiles.work import entries_tested, put_together

_IO = Path("/proc/self/io")
_NETWORKS = {
    "rmat": lambda: triadic.generate.rmat(13, seed=1, directed=True),
    "preferential": lambda: triadic.generate.barabasi_albert(10_000, 6, seed=1),
    "uniform": lambda: triadic.generate.erdos_renyi(10_000, 60_000, seed=1),
    "small-world": lambda: triadic.generate.watts_strogatz(10_000, 10, 0.1, seed=1),
    "lattice": lambda: triadic.generate.grid(200, 200),
}
# So large that what a process reads of the system besides is little beside their files.
_LARGER = {
    "rmat": lambda: triadic.generate.rmat(15, seed=1, directed=True),
    "preferential": lambda: triadic.generate.barabasi_albert(30_000, 6, seed=1),
    "uniform": lambda: triadic.generate.erdos_renyi(30_000, 180_000, seed=1),
    "small-world": lambda: triadic.generate.watts_strogatz(30_000, 10, 0.1, seed=1),
    "lattice": lambda: triadic.generate.grid(350, 350),
}
_MEMORY = 1_500_000


@pytest.fixture(scope="module", params=_NETWORKS)
def network(request, tmp_path_factory) -> Path:
    """A network as a text."""
    path = tmp_path_factory.mktemp("networks") / f"{request.param}.txt"
    triadic.write(_NETWORKS[request.param](), path)
    return path


@pytest.fixture(
    scope="module",
    params=[name if name in ("rmat", "lattice") else pytest.param(name, marks=pytest.mark.nightly) for name in _LARGER],
)
def larger_network(request, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("networks") / f"{request.param}.txt"
    triadic.write(_LARGER[request.param](), path)
    return path


def _moved() -> tuple[int, int]:
    fields = dict(line.split(": ") for line in _IO.read_text().splitlines())
    return int(fields["rchar"]), int(fields["wchar"])


@pytest.mark.skipif(not _IO.exists(), reason="this system does not say what a process reads and writes")
@pytest.mark.parametrize("memory", [3 * _MEMORY, 40 * _MEMORY], ids=["edges set aside", "edges held"])
def test_bytes_read_and_written_are_predicted_within_a_fifth(
    larger_network, memory, tmp_path, monkeypatch, speed, mapped_bytes
):
    monkeypatch.setattr(work, "COUNT_FLOOR", 0)
    monkeypatch.setattr(ranges_of_tiles, "FLOOR_BYTES", 0)  # so that small graphs have several ranges
    network = larger_network
    directed = network.stem == "rmat"
    found = plan(network, memory=memory, threads=2, by_tiles=True, directed=directed)
    for folder in (tmp_path / "first", tmp_path / "tiles"):  # modules and compiled kernels are read the first time
        before = _moved()
        mapped_bytes.clear()
        made = make_tiles(network, folder, memory=found.memory_to_tile, threads=2, directed=directed)
        graph = triadic.TiledGraph(folder, memory=found.memory)
        triadic.triangles(graph, threads=2, device="cpu")
        triadic.clustering(graph, threads=2, device="cpu")
        assert len(graph.degree) == found.vertices
        after = _moved()
    results = (tmp_path / "tiles" / "results").rglob("*.npy")
    mapped = sum(file.stat().st_size for file in results if not file.name.startswith("range-"))
    layout = made.tiles.layout
    assert (layout.ranges > 1) == (memory == 3 * _MEMORY)
    assert (found.vertices, found.edges, found.ranges) == (layout.vertices, layout.edges, layout.ranges)
    assert found.bytes_written == pytest.approx(after[1] - before[1] + mapped, rel=0.2)
    assert found.bytes_read == pytest.approx(after[0] - before[0] + sum(mapped_bytes), rel=0.2)


def test_the_cost_of_a_file_read_whole_is_that_of_its_tiles(network, tmp_path, monkeypatch):
    monkeypatch.setattr(work, "COUNT_FLOOR", 0)
    monkeypatch.setattr(ranges_of_tiles, "FLOOR_BYTES", 0)
    sample = sample_of(network, directed=False, format=None, num_vertices=None, threads=2)
    cut = tile_costs.cut(shape_of(sample), memory=_MEMORY, threads=2)
    tiles = triadic.tile(network, tmp_path / "tiles", memory=_MEMORY, threads=2, directed=False).oriented().source
    np.testing.assert_array_equal(cut.layout.cuts, tiles.layout.cuts)
    np.testing.assert_array_equal(cut.layout.tile_edges, tiles.layout.tile_edges)
    tested = entries_tested(tiles)
    np.testing.assert_array_equal(put_together([cut.row_pairs(i) for i in range(cut.layout.ranges)]), tested)
    costs = count_tiles(cut, MEASURES["clustering"], memory=10**9, threads=2).costs
    expected = sum(costs_of(tiles.layout.first_ranks(cut.counted), tested).values())
    assert sum(costs) == pytest.approx(expected)


def _write_as(graph: triadic.Graph, path: Path) -> None:
    """Write an undirected graph in a format by the name of the file."""
    edges, n = [(u, v) for u, v in zip(*graph.edges(), strict=True) if u < v], graph.num_vertices
    match path.name:
        case "n.graph":
            rows = [" ".join(str(v + 1) for v in np.split(graph.indices, graph.indptr[1:-1])[u]) for u in range(n)]
            path.write_text("\n".join([f"{n} {graph.num_edges}", *rows, ""]))
        case "n.sg":
            offsets, neighbours = graph.indptr.astype("<i8"), graph.indices.astype("<i4")
            header = struct.pack("<Bqq", False, len(neighbours), n)
            path.write_bytes(header + offsets.tobytes() + neighbours.tobytes())
        case "n.net":
            lines = [f"*Vertices {n}", "*Edges", *(f"{u + 1} {v + 1}" for u, v in edges)]
            path.write_text("\n".join([*lines, ""]))
        case "n.gml":
            nodes = "".join(f"node [ id {u} ]\n" for u in range(n))
            path.write_text(
                f"graph [\n{nodes}{''.join(f'edge [ source {u} target {v} ]' + chr(10) for u, v in edges)}]\n"
            )
        case "dense.mtx":
            values = graph.to_scipy().toarray().astype(int)
            lower = [str(value) for column in range(n) for value in values[column:, column]]
            path.write_text("\n".join(["%%MatrixMarket matrix array integer symmetric", f"{n} {n}", *lower, ""]))
        case _:
            triadic.write(graph, path)


@pytest.mark.parametrize(
    "name",
    [
        *("n.txt", "n.csv", "n.tsv", "n.parquet", "n.triadic", "n.mtx", "dense.mtx", "n.graph", "n.sg", "n.net"),
        *("n.gml", "n.graphml", "n.gexf"),
    ],
)
def test_a_plan_cuts_as_tile_does_for_each_format(name, tmp_path, monkeypatch):
    monkeypatch.setattr(work, "COUNT_FLOOR", 0)
    monkeypatch.setattr(ranges_of_tiles, "FLOOR_BYTES", 0)
    _write_as(triadic.generate.rmat(10, seed=1), tmp_path / name)
    options = {"directed": False, "format": None, "num_vertices": None}
    shape = shape_of(sample_of(tmp_path / name, threads=1, **options))
    found = []
    is_read_whole = Path(name).suffix in (".mtx", ".net", ".gml", ".graphml", ".gexf")  # little memory is too little
    for memory in (400_000_000,) if is_read_whole else (150_000, 3_000_000):
        cut = tile_costs.cut(shape, memory=memory, threads=1)
        tiled = triadic.tile(tmp_path / name, tmp_path / str(memory), memory=memory, threads=1, directed=False)
        layout = tiled.oriented().source.layout
        np.testing.assert_array_equal(cut.layout.cuts, layout.cuts)
        np.testing.assert_array_equal(cut.layout.tile_edges, layout.tile_edges)
        found.append(layout.ranges)
    assert len(found) == 1 or found[0] > found[-1]
    assert shape.keys == stream_arcs(tmp_path / name, **options).survey().arcs


def test_a_sample_tells_sizes_within_a_fifth_and_cost_within_twice(network, monkeypatch):
    monkeypatch.setattr("triadic.io.sampling._PLACE_BYTES", 1 << 11)
    whole = shape_of(sample_of(network, directed=False, format=None, num_vertices=None, threads=2))
    monkeypatch.setattr(sampling, "MOST_ARCS", 15_000)
    sample = sample_of(network, directed=False, format=None, num_vertices=None, threads=2)
    assert 0.15 < sample.share < 0.6
    shape = shape_of(sample)
    assert sample.arcs == pytest.approx(whole.keys, rel=0.05)
    assert shape.edges == pytest.approx(whole.edges, rel=0.2)
    assert shape.vertices == pytest.approx(whole.vertices, rel=0.2)
    wedges = [pairs(one, np.zeros(len(one.row), dtype=np.int64), 1)[0, 0] for one in (shape, whole)]
    if wedges[1] > whole.edges:  # elsewhere, as in a lattice, they are not what counting takes
        assert 0.5 < wedges[0] / wedges[1] < 2
    kind = MEASURES["clustering"]
    assert 0.5 < measures.cost(shape, kind) / measures.cost(whole, kind) < 2


@pytest.mark.parametrize("suffix", [".parquet", ".triadic", ".mtx"])
def test_formats_tell_the_same(suffix, tmp_path):
    graph = triadic.generate.rmat(9, seed=1)
    path = tmp_path / f"graph{suffix}"
    triadic.write(graph, path)
    sample = sample_of(path, directed=None, format=None, num_vertices=None, threads=1)
    assert sample.whole
    assert shape_of(sample).edges == graph.num_edges


@pytest.mark.parametrize("directed", [None, True, False])
def test_the_sample_of_a_metis_file_is_directed_if_it_is_asked_for(tmp_path, monkeypatch, directed):
    monkeypatch.setattr(sampling, "_WHOLE_BYTES", 1)
    _write_metis(triadic.generate.watts_strogatz(300, 6, 0.2, seed=1), tmp_path / "network.graph")
    found = sample_metis(Source(tmp_path / "network.graph"), ReadOptions(directed=directed), 1)
    assert found.directed is (directed is True)


def test_a_parquet_file_and_rows_are_sampled_in_places(tmp_path, monkeypatch):
    graph = triadic.generate.rmat(12, seed=1)
    monkeypatch.setattr(sampling, "MOST_ARCS", 10_000)
    for name in ("graph.parquet", "graph.triadic"):
        triadic.write(graph, tmp_path / name)
        sample = sample_of(tmp_path / name, directed=None, format=None, num_vertices=None, threads=1)
        assert not sample.whole
        assert sample.places >= 8
        shape = shape_of(sample)
        assert shape.vertices == pytest.approx(graph.num_vertices, rel=0.3)


def _write_metis(graph, path):
    rows = np.split(graph.indices + 1, graph.indptr[1:-1])
    lines = [f"{graph.num_vertices} {graph.num_edges}", *(" ".join(map(str, row.tolist())) for row in rows)]
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("packed", [False, True])
def test_adjacency_lists_and_matrices_are_read_whole_where_they_are_small(tmp_path, monkeypatch, packed):
    monkeypatch.setattr(sampling, "MOST_ARCS", 100)  # of which other formats would show a part
    monkeypatch.setattr("triadic.io.sampling._PLACE_BYTES", 1 << 10)
    graph = triadic.generate.rmat(9, seed=1)
    _write_metis(graph, tmp_path / "rmat.graph")
    triadic.write(graph, tmp_path / "rmat.mtx")
    for name in ("rmat.graph", "rmat.mtx"):
        path = tmp_path / name
        if packed:
            path = tmp_path / f"{name}.gz"
            path.write_bytes(gzip.compress((tmp_path / name).read_bytes()))
        sample = sample_of(path, directed=None, format=None, num_vertices=None, threads=1)
        assert sample.whole
        assert shape_of(sample).edges == graph.num_edges


def test_a_pattern_is_planned_for_in_memory_alone():
    found = plan((1000, 5000), of="A -> B; B -> C; A -> C", memory="1GB")
    assert (found.way, found.of) == (IN_MEMORY, "A -> B; B -> C; A -> C")
    larger = plan((1000, 5000), of="A - B; B - C; C - D; D - E", by="vertex", memory="1GB")
    assert larger.seconds["count"] > found.seconds["count"]
    with pytest.raises(UnsupportedError, match="a tiled graph has no A - B; B - C"):
        plan((10**7, 10**8), of="A - B; B - C", memory="50MB")
    with pytest.raises(ArgumentError, match="column 3"):
        plan((1000, 5000), of="A => B")


def test_a_large_matrix_is_too_large_to_plan_for(tmp_path, monkeypatch):
    triadic.write(triadic.generate.rmat(6, seed=1), tmp_path / "rmat.mtx")
    monkeypatch.setattr(sampling, "_WHOLE_BYTES", 1 << 10)
    with pytest.raises(ArgumentError, match=r"rmat\.mtx: .* too large to plan for; .*Parquet \(triadic convert writes"):
        sample_of(tmp_path / "rmat.mtx", directed=None, format=None, num_vertices=None, threads=1)


def test_a_large_metis_file_is_planned_for_by_its_header(tmp_path, monkeypatch, speed):
    graph = triadic.generate.rmat(12, seed=1)
    path = tmp_path / "rmat.graph"
    _write_metis(graph, path)
    whole = sample_of(path, directed=None, format=None, num_vertices=None, threads=1)
    monkeypatch.setattr(sampling, "_WHOLE_BYTES", 1 << 10)
    by_header = sample_of(path, directed=None, format=None, num_vertices=None, threads=1)
    assert by_header.basis == "from its header, assuming degrees as skewed as those of R-MAT"
    for field in ("arcs", "vertices", "directed", "labels", "input_bytes", "reads"):
        assert getattr(by_header, field) == getattr(whole, field), field
    shapes = [shape_of(sample) for sample in (by_header, whole)]
    assert shapes[0].edges == pytest.approx(graph.num_edges, rel=0.01)
    costs = [measures.cost(shape, MEASURES["clustering"]) for shape in shapes]
    assert 0.5 < costs[0] / costs[1] < 2
    assert 0 < by_header.survey < 1e-5


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("3 3\n2 x\n1 3\n1 2\n", r"line 2: found 'x', expected a number"),
        ("999999999999 3\n2 3\n", "is too short for a line of each of the 999999999999 vertices"),
    ],
)
def test_what_is_wrong_with_a_large_metis_file_is_told(tmp_path, monkeypatch, content, problem):
    monkeypatch.setattr(sampling, "_WHOLE_BYTES", 1)
    path = tmp_path / "n.graph"
    path.write_text(content)
    with pytest.raises(ReadError, match=problem):
        sample_of(path, directed=None, format=None, num_vertices=None, threads=1)
    path.write_text("3 4\n2 3 2\n1 3 1\n1 2\n")  # more edges than there are pairs
    assert sample_of(path, directed=None, format=None, num_vertices=None, threads=1).arcs == 8


def test_a_graph_that_fits_is_counted_in_memory_and_a_larger_one_by_tiles(speed):
    small = plan((1000, 5000), memory="1GB", threads=2)
    assert (small.way, small.edges, small.ranges, small.bytes_written) == (IN_MEMORY, 5000, 1, 0)
    large = plan((300_000, 1_000_000), memory="45MB", threads=2)
    assert large.way == TILES
    assert large.ranges > 1
    assert large.edges == pytest.approx(1_000_000, rel=0.01)
    assert str(large).startswith("way")
    assert str(large).endswith("Assuming degrees as skewed as those of R-MAT.")


def test_workers_share_what_one_would_do(speed):
    one, four = (plan((50_000, 800_000), worker_memory="400MB", workers=workers) for workers in (1, 4))
    assert 1 < one.tasks <= four.tasks
    assert one.seconds["count"] / 4 <= four.seconds["count"] < one.seconds["count"] / 1.5


def test_tiles_that_are_there_are_planned_for_without_reading_edges(tmp_path, speed):
    graph = triadic.generate.RMat(10, seed=1)
    tiled = triadic.tile(graph, tmp_path / "tiles", ranges=3)
    found = plan(tmp_path / "tiles", memory="100MB", threads=2)
    assert (found.way, found.edges, found.ranges) == (TILES, tiled.num_edges, 3)
    assert list(found.seconds) == ["count"]


def test_sums_over_edges_are_planned_and_counted_in_parts_of_a_large_range(tmp_path, speed):
    graph = triadic.generate.erdos_renyi(100_000, 50_000, seed=1)
    triadic.write(graph, tmp_path / "network.triadic")
    tiled = triadic.tile(tmp_path / "network.triadic", tmp_path / "tiles", ranges=1, memory="200MB")
    found = plan(tmp_path / "tiles", of="dyads", memory="2MB", threads=2)
    assert found.bytes_held <= 2_000_000
    dyads = run(DYADS, triadic.TiledGraph(tmp_path / "tiles", memory="2MB").oriented(), threads=2)
    np.testing.assert_array_equal(dyads[:, 0], tiled.oriented().degree)


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"of": "triads"}, "triads"),
        ({"of": "triads", "by": "vertex"}, "triads by vertex"),
        ({"of": "clustering", "by": "vertex"}, "clustering"),
        ({"of": "graphlets", "size": 3}, "graphlets of three vertices"),
        ({"of": "graphlets"}, "graphlets"),
        ({"of": "orbits", "by": "edge", "size": 5}, "orbits"),
        ({"of": "square_clustering"}, "square_clustering"),
    ],
)
def test_a_plan_is_of_what_count_names(speed, asked, named):
    assert plan((1000, 5000), memory="1GB", threads=2, **asked).of == named


def test_mistakes_are_named(speed):
    with pytest.raises(ArgumentError, match="of='triads': expected one of 'triangles', 'trussness', 'graphlets'"):
        plan((10, 10), of="triads", by="edge")
    with pytest.raises(ArgumentError, match="by='time': expected one of None, 'vertex', 'edge'"):
        plan((10, 10), by="time")
    with pytest.raises(ArgumentError, match="of='clique': expected one of degree, in_degree"):
        plan((10, 10), of="clique")
    with pytest.raises(ArgumentError, match="workers=0"):
        plan((10, 10), workers=0)
    with pytest.raises(ArgumentError, match=r"memory='2GB': workers have memory of their own; expected worker_memory="):
        plan((10, 10), workers=2, memory="2GB")
    with pytest.raises(ArgumentError, match=r"worker_memory=0: expected a size"):
        plan((10, 10), workers=2, worker_memory=0)
    with pytest.raises(ArgumentError, match=r"worker_memory='2GB': no workers are planned; expected workers= as well"):
        plan((10, 10), worker_memory="2GB")
    with pytest.raises(ArgumentError, match="--num-vertices 1 --edges 1"):
        plan((1, 1))
