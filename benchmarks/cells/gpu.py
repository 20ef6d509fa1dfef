"""Counts on a CUDA card: kernels alone on R-MAT networks, and clustering in NumPy compared with two cores of the host.

In ``gpu`` the graph is already on the card. *Counting alone* is the time between two synchronizations, which is the
kernels and their launches by the host. *Seconds* also include the arrays that each count allocates, mainly for its
results. A ratio is the time of a count over the time of the total of triangles. Networks are generated on the card,
except the directed network for closed triads, which has the same arcs and is generated on the host.

In ``gpu-clustering`` the oriented graph is already on the card and on the host, and the coefficients are NumPy arrays.

``--only gpu gpu-clustering --repeats 9`` measures the figures of a card in performance-diary.md again.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import triadic
from contest import Cell, Contender, LeftOutError, Settings
from triadic.devices.gpu import four_vertex, list_tasks, triads, triangles
from triadic.devices.gpu import squares_and_cliques as squares
from triadic.devices.gpu.list_tasks import ListCounter
from triadic.devices.runtimes import registry
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
    graph = _rmat_on_card(scale)
    directed = triadic.generate.rmat(scale, seed=_SEED, directed=True, threads=settings.threads)
    runtime, edges, arcs = registry.runtime(_DEVICE), graph.oriented(), directed.oriented()

    def total(counts, kind: type = np.int64) -> int:
        return int(runtime.download(counts).view(kind).sum(dtype=np.int64))

    def contender(name: str, kernels: Callable[[Runtime, Oriented], _Kernels], oriented: Oriented, number):
        return Contender(name, build=lambda: _prepared(kernels, runtime, oriented), count=_run, numbers=number)

    yield [
        contender("triadic", _total, edges, lambda kernels: total(kernels.counts)),
        contender("by vertex", _by_vertex, edges, lambda kernels: total(kernels.counts) // 3),
        contender("closed triads by code", _by_code, arcs, lambda kernels: total(kernels.counts)),
        contender("graphlets", _Graphlets, edges, lambda kernels: total(kernels.rows.support, np.int32) // 3),
    ]


@contextmanager
def _clustering(scale: int, settings: Settings):
    graph, threads = _rmat_on_card(scale), min(_CORES, settings.threads)
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
    """The counts that all graphlets are computed from, without the sums over neighbours: row graphs and squares."""

    def __init__(self, runtime: Runtime, oriented: Oriented) -> None:
        self.runtime = runtime
        self.rows, self.squares = four_vertex.RowGraphs(runtime, oriented), squares.Squares(runtime, oriented)

    def take(self, first: int, step: int) -> None:
        for kernels in (self.rows.add_tetrahedra, self.rows.add_off_chord, self.squares.take):
            kernels(first, step)


_Kernels = ListCounter | _Graphlets


def _total(_: Runtime, oriented: Oriented) -> triangles.TriangleCounter:
    return triangles.TriangleCounter(_list_tasks(oriented), "NUMBER")


def _by_vertex(_: Runtime, oriented: Oriented) -> triangles.TriangleCounter:
    return triangles.TriangleCounter(_list_tasks(oriented), "BY_VERTEX")


def _by_code(_: Runtime, oriented: Oriented) -> ListCounter:
    return triads.code_counter(_list_tasks(oriented), oriented)


def _list_tasks(oriented: Oriented) -> list_tasks.ListTasks:
    """Return the tasks of a graph on the card, where the first count copies it."""
    return list_tasks.prepared_on(_DEVICE, oriented)[0]


def _prepared(make: Callable[[Runtime, Oriented], _Kernels], runtime: Runtime, oriented: Oriented) -> _Kernels:
    kernels = make(runtime, oriented)
    runtime.synchronize()
    return kernels


def _run(kernels: _Kernels) -> _Kernels:
    kernels.take(0, 1)
    kernels.runtime.synchronize()
    return kernels


def _rmat_on_card(scale: int) -> Graph:
    try:
        cards = registry.count(_DEVICE.partition(":")[0])
    except MissingExtraError as error:
        raise LeftOutError("CuPy is not installed") from error
    except DeviceError as error:
        raise LeftOutError(str(error)) from error
    if not cards:
        raise LeftOutError("no CUDA card was found")
    return triadic.generate.rmat(scale, seed=_SEED, device=_DEVICE)
