"""Counts on a CUDA card: kernels alone on R-MAT networks, and clustering in NumPy beside two cores of the host.

In ``gpu`` all is resident and *of it counting* is from one synchronization to the next, the kernels and the host's
launches; *seconds* have besides what each count makes anew, room for its results above all. A ratio is a count's time
over that of the total of triangles. Networks are made on the card, but for the directed one that closed triads are
counted in: the same arcs, made on the host.

In ``gpu-clustering`` the oriented graph is there, on the card and on the host, and the coefficients come out in NumPy.

docs/performance.md has medians of nine: ``--only gpu gpu-clustering --repeats 9``.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import triadic
from contest import Cell, Contender, LeftOutError, Settings
from triadic.devices.gpu import closed_triads, list_tasks, row_graphs, squares, triangles
from triadic.devices.gpu.list_counter import ListCounter
from triadic.devices.runtimes import registry as gpus
from triadic.errors import DeviceError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic import Graph
    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Runtime

_DEVICE = "cuda:0"
_SCALES = (18, 20, 22)
_CORES = 2
_SEED = 1


def cells():
    for topic, contenders in (("gpu", _kernels), ("gpu-clustering", _clustering)):
        for scale in _SCALES:
            yield Cell(topic, f"rmat-{scale}", partial(contenders, scale))


@contextmanager
def _kernels(scale: int, settings: Settings):
    graph = _made_on_the_card(scale)
    directed = triadic.generate.rmat(scale, seed=_SEED, directed=True, threads=settings.threads)
    runtime, edges, arcs = gpus.runtime(_DEVICE), graph.oriented(), directed.oriented()

    def added_up(counts, kind: type = np.int64) -> int:
        return int(runtime.download(counts).view(kind).sum(dtype=np.int64))

    def contender(name: str, kernels: Callable[[Runtime, Oriented], _Kernels], oriented: Oriented, triangles_of):
        return Contender(name, build=lambda: _made_ready(kernels, runtime, oriented), count=_run, numbers=triangles_of)

    yield [
        contender("triadic", _total, edges, lambda of: sum(map(added_up, of.parts))),
        contender("by vertex", _by_vertex, edges, lambda of: added_up(of.counts) // 3),
        contender("closed triads by code", _by_code, arcs, lambda of: added_up(of.counts)),
        contender("graphlets", _Graphlets, edges, lambda of: added_up(of.rows.support, np.int32) // 3),
    ]


@contextmanager
def _clustering(scale: int, settings: Settings):
    graph, threads = _made_on_the_card(scale), min(_CORES, settings.threads)
    pairs = graph.degree * (graph.degree - 1) // 2

    def triangles_of(coefficients: NDArray[np.float64]) -> int:
        return round(float(np.rint(coefficients * pairs).sum()) / 3)

    yield [
        Contender("triadic", count=lambda _: triadic.clustering(graph, device=_DEVICE), numbers=triangles_of),
        Contender(
            f"CPU, threads: {threads}",
            count=lambda _: triadic.clustering(graph, threads=threads, device="cpu"),
            numbers=triangles_of,
        ),
    ]


class _Graphlets:
    """What all graphlets follow from but for the sums over neighbours: the row graphs, and the squares."""

    def __init__(self, runtime: Runtime, oriented: Oriented) -> None:
        self.runtime = runtime
        self.rows, self.squares = row_graphs.RowGraphs(runtime, oriented), squares.Squares(runtime, oriented)

    def take(self, first: int, step: int) -> None:
        for kernels in (self.rows.add_tetrahedra, self.rows.add_off_chord, self.squares.take):
            kernels(first, step)


_Kernels = ListCounter | _Graphlets


def _total(runtime: Runtime, oriented: Oriented) -> triangles.TriangleCounter:
    return triangles.TriangleCounter(runtime, _there(oriented), None, "NUMBER")


def _by_vertex(runtime: Runtime, oriented: Oriented) -> triangles.TriangleCounter:
    counts = runtime.zeros(2 * oriented.num_vertices, np.uint32)
    return triangles.TriangleCounter(runtime, _there(oriented), counts, "BY_VERTEX")


def _by_code(runtime: Runtime, oriented: Oriented) -> ListCounter:
    return closed_triads.code_counter(runtime, _there(oriented), oriented)


def _there(oriented: Oriented) -> list_tasks.ListTasks:
    """Give a graph on the card, put there by the first count."""
    return list_tasks.prepared_on(_DEVICE, oriented)[0][1]


def _made_ready(make: Callable[[Runtime, Oriented], _Kernels], runtime: Runtime, oriented: Oriented) -> _Kernels:
    kernels = make(runtime, oriented)
    runtime.synchronize()
    return kernels


def _run(kernels: _Kernels) -> _Kernels:
    kernels.take(0, 1)
    kernels.runtime.synchronize()
    return kernels


def _made_on_the_card(scale: int) -> Graph:
    try:
        there = gpus.count(_DEVICE.partition(":")[0])
    except MissingExtraError as error:
        raise LeftOutError("CuPy is not installed") from error
    except DeviceError as error:
        raise LeftOutError(str(error)) from error
    if not there:
        raise LeftOutError("there is no CUDA card")
    return triadic.generate.rmat(scale, seed=_SEED, device=_DEVICE)
