"""Plans of counts with weights, compared with what the counts take."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import triadic
from triadic.cli import main
from triadic.core.memory import parse_bytes
from triadic.errors import ArgumentError, OutOfMemoryError, ReadError, UnsupportedError
from triadic.planning import measures, tile_costs
from triadic.planning import plan as planning
from triadic.planning.measures import measure_of
from triadic.planning.plan import IN_MEMORY, TILES, plan
from triadic.planning.sample import sample_of
from triadic.planning.shape import shape_of
from triadic.planning.tile_costs import count_tiles
from triadic.tiles import partition, work
from triadic.tiles.tiling import make_tiles

_IO = Path("/proc/self/io")
_METHODS = ("onnela", "barrat", "zhang-horvath")


def _with_weights(graph: triadic.Graph) -> triadic.Graph:
    source, target = graph.edges()
    weights = np.random.default_rng(1).integers(1, 100, len(source)) / 8
    return triadic.Graph.from_edges(source, target, num_vertices=graph.num_vertices, weights=weights)


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> Path:
    """A network with weights, in a table with another column before them."""
    path = tmp_path_factory.mktemp("weighted") / "network.csv"
    graph = _with_weights(triadic.generate.rmat(11, seed=1))
    rows = zip(*graph.edges(), graph.weights[: graph.num_edges], strict=True)
    path.write_text("\n".join(["source,target,age,hours", *(f"{u},{v},7,{w}" for u, v, w in rows), ""]))
    return path


@pytest.fixture
def _no_floors(monkeypatch):
    """Count only the memory that grows with a graph, so that small graphs have several ranges."""
    monkeypatch.setattr(work, "COUNT_FLOOR", 0)
    monkeypatch.setattr(partition, "FLOOR_BYTES", 0)
    monkeypatch.setattr(measures, "_READING", 0)
    monkeypatch.setattr(measures, "_OBJECTS", 0)
    monkeypatch.setattr(planning, "_BUFFERS", 0)


def _write_as(graph: triadic.Graph, path: Path) -> None:
    """Write an undirected graph with whole weights in a format by the name of the file."""
    n = graph.num_vertices
    match path.name:
        case "n.graph":
            rows = (np.split(entries, graph.indptr[1:-1]) for entries in (graph.indices, graph.weights))
            lines = [" ".join(f"{v + 1} {w:.0f}" for v, w in zip(*row, strict=True)) for row in zip(*rows, strict=True)]
            path.write_text("\n".join([f"{n} {graph.num_edges} 001", *lines, ""]))
        case "n.wsg":
            entries = np.empty(len(graph.indices), dtype=[("vertex", "<i4"), ("weight", "<i4")])
            entries["vertex"], entries["weight"] = graph.indices, graph.weights
            header = np.array([len(entries), n], dtype="<i8").tobytes()
            path.write_bytes(b"\0" + header + graph.indptr.astype("<i8").tobytes() + entries.tobytes())
        case "n.net":
            rows = zip(*graph.edges(), strict=True)
            links = [f"{u + 1} {v + 1} {(u + v) % 5 + 1}" for u, v in rows]
            path.write_text("\n".join([f"*Vertices {n}", "*Edges", *links, ""]))
        case _:
            triadic.write(graph, path)


@pytest.mark.usefixtures("_no_floors")
@pytest.mark.parametrize(
    "name", ["n.txt", "n.csv", "n.parquet", "n.triadic", "n.mtx", "n.graph", "n.wsg", "n.net", "n.graphml"]
)
def test_tiles_of_a_plan_have_the_ranges_and_bytes_of_those_that_are_written(name, tmp_path):
    graph = triadic.generate.rmat(10, seed=1)
    source, target = graph.edges()
    graph = triadic.Graph.from_edges(source, target, num_vertices=graph.num_vertices, weights=(source + target) % 5 + 1)
    _write_as(graph, tmp_path / name)
    keywords = {"directed": False, "format": None, "num_vertices": None, "weights": True}
    shape = shape_of(sample_of(tmp_path / name, threads=1, **keywords))
    is_read_whole = name in ("n.mtx", "n.net", "n.graphml")  # for which little memory is too little
    for memory in (100_000_000,) if is_read_whole else (250_000, 3_000_000):
        cut = tile_costs.cut(shape, memory=memory, threads=1, weighted=True)
        made = make_tiles(tmp_path / name, tmp_path / str(memory), memory=memory, threads=1, **keywords)
        np.testing.assert_array_equal(cut.layout.cuts, made.tiles.layout.cuts)
        np.testing.assert_array_equal(cut.layout.tile_edges, made.tiles.layout.tile_edges)
        assert _nearly(cut.stored_bytes, (tmp_path / str(memory)).glob("tile-*-*"))
        stored = tile_costs.stored_tiles(tmp_path / str(memory), weights=True)
        np.testing.assert_allclose(stored.file_bytes, cut.file_bytes, atol=_HEAD)
        of_weights = (each.file_bytes - each.without_weights().file_bytes for each in (stored, cut))
        np.testing.assert_array_equal(*of_weights)
        assert (cut.layout.ranges > 1) == (memory == 250_000)


@pytest.mark.usefixtures("_no_floors")
def test_tiles_of_a_plan_with_directions_have_two_weights_an_edge(tmp_path):
    source, target = triadic.generate.rmat(10, seed=1, directed=True).edges()
    graph = triadic.Graph.from_edges(source, target, directed=True, weights=(source + target) % 5 + 1)
    triadic.write(graph, tmp_path / "n.csv")
    keywords = {"directed": True, "format": None, "num_vertices": None, "weights": True}
    shape = shape_of(sample_of(tmp_path / "n.csv", threads=1, **keywords))
    cut = tile_costs.cut(shape, memory=3_000_000, threads=1, weighted=True)
    make_tiles(tmp_path / "n.csv", tmp_path / "tiles", memory=3_000_000, threads=1, **keywords)
    assert _nearly(cut.stored_bytes, (tmp_path / "tiles").glob("tile-*-*"))
    assert cut.stored_bytes - cut.without_weights().stored_bytes == 16 * graph.num_edges


_HEAD = 200  # bytes by which the head of a tile's file may differ from what a plan takes it for


def _nearly(expected, files):
    """Return whether the files of tiles have a number of bytes, but for their heads."""
    sizes = [file.stat().st_size for file in files]
    return abs(sum(sizes) - expected) <= _HEAD * len(sizes)


def _moved() -> tuple[int, int]:
    fields = dict(line.split(": ") for line in _IO.read_text().splitlines())
    return int(fields["rchar"]), int(fields["wchar"])


@pytest.mark.usefixtures("_no_floors")
@pytest.mark.skipif(not _IO.exists(), reason="this system does not say what a process reads and writes")
@pytest.mark.parametrize("memory", [8_000_000, 60_000_000], ids=["edges set aside", "edges held"])
def test_bytes_read_and_written_are_predicted_within_a_fifth(memory, tmp_path, speed, mapped_bytes):
    path = tmp_path / "network.txt"
    triadic.write(_with_weights(triadic.generate.barabasi_albert(20_000, 6, seed=1)), path)
    found = plan(path, memory=memory, threads=2, by_tiles=True, directed=False, weights=2)
    assert found.of == "weighted_clustering"
    small = _with_weights(triadic.generate.rmat(6, seed=1))
    triadic.write(small, tmp_path / "small.txt")
    for name, edges in (("small", small.num_edges), ("network", found.edges)):  # the small one loads what is needed
        before = _moved()
        mapped_bytes.clear()
        made = make_tiles(
            tmp_path / f"{name}.txt", tmp_path / name, memory=found.memory_to_tile, threads=2, directed=False, weights=2
        )
        graph = triadic.TiledGraph(tmp_path / name, memory=found.memory)
        for method in _METHODS:
            triadic.weighted_clustering(graph, method=method, threads=2, device="cpu")
        triadic.triangles(graph, threads=2, device="cpu")
        triadic.clustering(graph, threads=2, device="cpu")
        assert (len(graph.degree), graph.num_edges) == (graph.num_vertices, edges)
        after = _moved()
    results = (tmp_path / "network" / "results").rglob("*.npy")
    mapped = sum(file.stat().st_size for file in results if not file.name.startswith("range-"))
    again = 24 * 8 * found.vertices  # strengths are written to a new file for each coefficient that takes them
    assert (made.tiles.layout.ranges > 1) == (memory == 8_000_000)
    assert found.ranges == made.tiles.layout.ranges
    assert found.bytes_written == pytest.approx(after[1] - before[1] + mapped + again, rel=0.2)
    assert found.bytes_read == pytest.approx(after[0] - before[0] + sum(mapped_bytes), rel=0.2)


def test_weights_are_no_end_and_take_more_of_everything(network, speed):
    plain, weighted = (plan(network, directed=False, weights=weights) for weights in (None, "hours"))
    assert (plain.of, weighted.of) == ("clustering", "weighted_clustering")
    assert (plain.way, weighted.way) == (IN_MEMORY, IN_MEMORY)
    assert (weighted.vertices, weighted.edges) == (plain.vertices, plain.edges)
    assert weighted.bytes_held > plain.bytes_held + 50 * plain.edges
    assert plan(network, directed=True, weights="hours").bytes_held > weighted.bytes_held
    tiled = [plan(network, directed=False, weights=weights, by_tiles=True) for weights in (None, "hours")]
    assert tiled[1].bytes_written - tiled[0].bytes_written > 8 * plain.edges
    assert tiled[1].bytes_read > tiled[0].bytes_read
    assert tiled[1].tasks == 3 * 1 + 2 * 1 + 1  # triples of one range, tiles, and the unweighted count
    named = plan(network, of="weighted_clustering", directed=False, weights=3)
    assert (named.bytes_held, named.of) == (weighted.bytes_held, weighted.of)


def test_tiles_of_a_directed_network_have_no_directions(network, speed):
    found = [plan(network, directed=directed, weights="hours", by_tiles=True) for directed in (True, False)]
    assert found[0].bytes_written == found[1].bytes_written


def test_sizes_with_weights(speed):
    one, other = plan((1000, 5000), weights=True), plan((1000, 5000), of="weighted_clustering")
    assert (one.way, one.bytes_held) == (IN_MEMORY, other.bytes_held)
    held = one.bytes_held
    assert held > plan((1000, 5000)).bytes_held
    large = plan((10**6, 10**7), memory="500MB", threads=2, weights=True)
    assert large.way == TILES
    assert large.bytes_held <= 500_000_000 + (16 << 20)
    values = plan((1000, 5000), of="weighted triangles", memory="1GB", threads=2).bytes_held
    assert values > plan((1000, 5000), memory="1GB", threads=2).bytes_held
    with pytest.raises(OutOfMemoryError):
        plan((10**6, 10**7), memory="50MB", threads=2, weights=True)
    with pytest.raises(OutOfMemoryError, match=r"counting 13 ranges of tiles on 2 threads takes") as found:
        plan((10**6, 10**7), memory="70MB", threads=2, weights=True)
    least = str(found.value).split("takes ")[1].partition(";")[0]
    assert plan((10**6, 10**7), memory=int(1.02 * parse_bytes(least)), threads=2, weights=True).way == TILES


def test_workers_hold_the_strengths_of_all_vertices_of_a_tile(tmp_path, speed):
    found = plan((10**6, 10**7), worker_memory="1GB", threads=2, workers=2, weights=True)
    triadic.tile(triadic.generate.RMat(12, seed=1), tmp_path / "tiles", ranges=1)
    tiles = tile_costs.stored_tiles(tmp_path / "tiles")
    held = [
        count_tiles(tiles, measure_of("dyads"), memory=10**9, threads=4, workers=workers).bytes_held
        for workers in (0, 2)
    ]
    assert found.bytes_held <= 10**9
    assert found.ranges > 1
    least = 4 * 3 * 24 * 2**12  # on each thread, three copies of three columns
    assert held[1] >= max(least, 2 * held[0])
    with pytest.raises(OutOfMemoryError, match="counting 1 ranges of tiles takes"):
        count_tiles(tiles, measure_of("dyads"), memory=least, threads=4, workers=2)


def test_stored_tiles_are_planned_with_their_weights(network, tmp_path, speed):
    triadic.tile(network, tmp_path / "tiles", directed=False, weights="hours")
    plain, one, other = (
        plan(tmp_path / "tiles", **words) for words in ({}, {"weights": "hours"}, {"of": "weighted_clustering"})
    )
    assert (plain.of, one.of) == ("clustering", "weighted_clustering")
    assert one.bytes_read == other.bytes_read > plain.bytes_read
    assert plan(tmp_path / "tiles", weights=True).bytes_read == one.bytes_read
    with pytest.raises(UnsupportedError, match="weights='age': the tiles have the weights of 'hours'; use weights=Tru"):
        plan(tmp_path / "tiles", weights="age")
    triadic.write(_with_weights(triadic.generate.rmat(5, seed=1)), tmp_path / "n.csv")
    triadic.tile(tmp_path / "n.csv", tmp_path / "found", directed=False, weights=True)
    with pytest.raises(UnsupportedError, match="the tiles have the weights that weights=True found; use weights=True"):
        plan(tmp_path / "found", weights="age")
    triadic.tile(network, tmp_path / "plain", directed=False)
    with pytest.raises(ArgumentError, match="the tiles have no weights; expected tiles that were made with weights"):
        plan(tmp_path / "plain", weights="hours")
    triadic.tile(network, tmp_path / "directed", directed=True, weights="hours")
    both_ways = plan(tmp_path / "directed", weights="hours")
    assert (both_ways.of, both_ways.edges) == (one.of, one.edges)
    assert both_ways.bytes_read > one.bytes_read


def test_weights_that_make_no_sense_are_refused(network, tmp_path, speed):
    with pytest.raises(ArgumentError, match="of='triads' takes no weights; leave weights= out, or expected one of clu"):
        plan(network, of="triads", weights="hours")
    with pytest.raises(ArgumentError, match="of='weighted_clustering' takes weights; expected weights=True or the na"):
        plan(network, of="weighted_clustering")
    with pytest.raises(ArgumentError, match="weights='hours': two sizes have no columns; expected True"):
        plan((1000, 5000), weights="hours")
    with pytest.raises(ReadError, match="'price'"):
        plan(network, weights="price")
    graph = triadic.generate.rmat(5, seed=1)
    for name in ("n.triadic", "n.mtx", "n.graphml"):
        triadic.write(graph, tmp_path / name)
        with pytest.raises(ReadError, match="weight"):
            plan(tmp_path / name, weights=True)
    assert plan(network, weights=False).of == "clustering"


@pytest.mark.usefixtures("_no_floors", "speed")
@pytest.mark.parametrize("direction", ["--directed", "--undirected"])
def test_the_command_cuts_a_network_that_does_not_fit_into_tiles(network, direction, monkeypatch, capsys):
    words = ["clustering", str(network), direction, "--weights", "hours", "--threads", "2", "--json"]

    def found(*more: str) -> tuple[dict, str]:
        assert main([*words, *more]) == 0
        printed = capsys.readouterr()
        return json.loads(printed.out), printed.err

    held, quiet = found()
    assert (quiet, "tiles" in held) == ("", False)
    for memory in ("1MB", None):
        if memory is None:  # half of it is for tiles
            monkeypatch.setattr("triadic.core.memory.available_bytes", lambda: 2_000_000)
            monkeypatch.setattr(planning, "available_bytes", lambda: 2_000_000)
        tiled, printed = found(*([] if memory is None else ["--memory", memory]))
        assert printed.startswith("way")
        assert "tiles  on disk" in printed
        assert tiled["tiles"]["ranges"] > 1
        assert (tiled["triangles"], tiled["average_clustering"]) == (held["triangles"], held["average_clustering"])
        averages = held["average_weighted_clustering"]
        assert list(averages) == list(_METHODS)
        assert tiled["average_weighted_clustering"] == pytest.approx(averages, rel=1e-12)


@pytest.mark.usefixtures("_no_floors", "speed")
def test_the_command_plans_a_network_that_fits_only_without_its_weights(tmp_path, capsys):
    path = tmp_path / "pairs.csv"
    source = np.arange(0, 40_000, 2)
    graph = triadic.Graph.from_edges(source, source + 1, directed=True, weights=np.ones(len(source)))
    triadic.write(graph, path)
    memory = str(17 * path.stat().st_size)
    for words, way in ((["--weights", "true"], "tiles  on disk"), ([], "")):
        assert main(["clustering", str(path), "--directed", *words, "--memory", memory]) == 0
        printed = capsys.readouterr().err
        assert way in printed if way else "way" not in printed


@pytest.mark.usefixtures("_no_floors", "speed")
def test_the_command_cuts_as_many_ranges_as_strengths_need(tmp_path, capsys):
    path = tmp_path / "sparse.csv"  # strengths take more memory than sorting its tiles
    triadic.write(_with_weights(triadic.generate.erdos_renyi(4_000, 6_000, seed=1)), path)
    found = plan(path, memory=600_000, threads=2, directed=False, weights=True)
    assert found.ranges == found.ranges_to_tile > 1
    words = ["clustering", str(path), "--undirected", "--weights", "true", "--memory", "600000", "--threads", "2"]
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tiles"]["ranges"] == found.ranges
    kept = ["--tiles", str(tmp_path / "tiles"), "--json"]
    for memory in ("600000", "60MB"):  # the second plan asks for no ranges, and the tiles are there
        assert main([*words[:-4], "--memory", memory, "--threads", "2", *kept]) == 0
        assert json.loads(capsys.readouterr().out)["tiles"]["ranges"] == found.ranges


def test_the_command_prints_plans_with_weights(network, capsys, speed):
    for words, expected in (([], "weighted_clustering"), (["--of", "weighted triangles"], "weighted triangles")):
        assert main(["plan", str(network), "--undirected", "--weights", "hours", *words]) == 0
        assert capsys.readouterr().out.startswith(f"{expected} of network.csv\nway")
    assert main(["plan", "--num-vertices", "100", "--edges", "900", "--weights", "true", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["of"] == "weighted_clustering"
    assert main(["plan", str(network), "--weights", "hours", "--of", "triads"]) != 0
    assert "of='triads' takes no weights" in capsys.readouterr().err
