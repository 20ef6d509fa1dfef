"""The memory that counting tiles holds, beside what an idle process holds, stays within `memory=`."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import triadic
from triadic.errors import OutOfMemoryError
from triadic.tiles.work import COUNT_FLOOR, most_needed

# From the environment, since the measured process, which runs this file, does not find the modules in tests/.
_NIGHTLY = "TRIADIC_NIGHTLY" in os.environ
_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_SIZES = ("18MB", "24MB", "36MB", "64MB", "100MB")
_SOME_SIZES = ("18MB", "100MB")  # in the ordinary run
_RANGES = (2, 4, 8, 16)
_STACK = 8 << 20  # bytes reserved for the stack of a thread


def _can_measure() -> bool:
    try:
        _CLEAR.write_text("5")
    except OSError:
        return False
    return "VmHWM" in _STATUS.read_text() and sys.platform == "linux"


@pytest.mark.skipif(not _can_measure(), reason="the peak of a process can be reset and read on Linux only")
@pytest.mark.parametrize(
    "measure",
    [
        "clustering",
        *(
            pytest.param(name, marks=pytest.mark.nightly)
            for name in ("triangle_count", "triad_census", "weighted_clustering")
        ),
    ],
)
def test_the_peak_of_a_count_stays_within_the_memory_allowed(measure, tmp_path):
    """The graph in memory takes 45 MB and more to count; the tiles have the fewest ranges that fit into the memory.

    A census also counts dyads in a pass over the stored tiles, which holds counts at all ranks of a range for each
    thread: some 20 MB for a single range. Weighted sums take eight columns.
    """
    sizes = _SIZES[{"triad_census": 1, "weighted_clustering": 2}.get(measure, 0) :] if _NIGHTLY else _SOME_SIZES
    words = [sys.executable, __file__, measure, str(tmp_path), *sizes]
    measured = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    expected = measured.pop()["sum"]
    for size, row in zip(sizes, measured, strict=True):
        assert row["peak"] <= 1.1 * row["memory"], (size, measured)
        assert row["sum"] == pytest.approx(expected, rel=1e-12 if measure == "weighted_clustering" else 0, abs=0)
    assert len({row["sum"] for row in measured}) == 1
    assert {row["ranges"] for row in measured if row["memory"] < 30e6}.isdisjoint({1})
    assert measured[-1]["ranges"] == 1


def _measure(measure: str, folder: Path, sizes: list[str]) -> list[dict[str, float]]:
    """Count with each size of memory under a limit of the system, and return peaks above the idle process."""
    import resource  # Linux only

    function, directed = getattr(triadic, measure), measure == "triad_census"
    for scale in (12, 17):
        model = triadic.generate.RMat(scale, directed=directed, seed=1)
        source, options = model, {}
        if measure == "weighted_clustering":
            source, options = folder / f"graph-{scale}.parquet", {"weights": True, "directed": False}
            triadic.write(_with_weights(triadic.generate.make_graph(model)), source)
        for ranges in (1, *_RANGES):
            triadic.tile(source, folder / f"tiles-{scale}-{ranges}", ranges=ranges, threads=2, **options)
    # Compiles kernels and loads libraries; kernels of several ranges are loaded by the least memory.
    for scale, ranges in ((12, _RANGES[-1]), (12, 1), (17, _RANGES[-1])):
        warm = triadic.TiledGraph(folder / f"tiles-{scale}-{ranges}", results=folder / f"warm-{scale}-{ranges}")
        function(warm, threads=2)
    columns, rows = {"triangle_count": 0, "triad_census": 0, "weighted_clustering": 8}.get(measure, 1), []
    for size in sizes:
        for ranges in (1, *_RANGES):
            tiled = triadic.TiledGraph(folder / f"tiles-17-{ranges}", memory=size, results=folder / f"results-{size}")
            layout = (tiled._weighted_oriented if columns == 8 else tiled.oriented()).leafless.layout
            if sum(most_needed(layout, threads=2, columns=columns)) + COUNT_FLOOR <= tiled._memory:
                break
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        _CLEAR.write_text("5")
        idle, data = _of("VmRSS"), _of("VmData")
        memory = tiled._memory
        # Beside the memory, the stacks of threads are reserved, and the pools of the allocator for each.
        most = data + int(1.1 * memory) + 8 * _STACK
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.RLIM_INFINITY))
        found = function(tiled, threads=2)
        resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        peak = _of("VmHWM") - idle
        cuts = json.loads(next((folder / f"results-{size}").rglob("progress.json")).read_text())["cuts"]
        rows.append({"peak": peak, "memory": memory, "sum": _sum(found), "ranges": len(cuts) - 1})
    graph = triadic.generate.make_graph(triadic.generate.RMat(17, directed=directed, seed=1))
    graph = _with_weights(graph) if measure == "weighted_clustering" else graph
    return [*rows, {"sum": _sum(function(graph))}]


def _with_weights(graph: triadic.Graph) -> triadic.Graph:
    source, target = graph.edges()
    weights = 1.0 + (source * target) % 7
    return triadic.Graph.from_edges(source, target, num_vertices=graph.num_vertices, weights=weights)


def _sum(found: object) -> float:
    """Return the sum of an array or a number; of a census one that depends on the number of every type."""
    if isinstance(found, Mapping):
        return float(sum(place**3 * count for place, count in enumerate(found.values())))
    return float(np.sum(found))


def _of(field: str) -> int:
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(field))
    return 1024 * int(line.split()[1])


def test_less_memory_than_the_least_is_refused_with_the_figure(tmp_path):
    triadic.tile(triadic.generate.RMat(12, seed=1), tmp_path / "tiles", ranges=1)
    with pytest.raises(OutOfMemoryError, match=r"ranges of tiles on .* takes") as error:
        triadic.triangles(triadic.TiledGraph(tmp_path / "tiles", memory=1000))
    least = str(error.value).split(" takes ")[1].partition(";")[0]
    number, unit = least.split(" ")
    enough = int(1.01 * float(number) * {"kB": 1e3, "MB": 1e6}[unit])  # the figure is rounded
    assert triadic.triangles(triadic.TiledGraph(tmp_path / "tiles", memory=enough)).any()
    with pytest.raises(OutOfMemoryError):
        triadic.clustering(triadic.TiledGraph(tmp_path / "tiles", memory=int(0.98 * enough), results=tmp_path / "a"))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_measure(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])))
