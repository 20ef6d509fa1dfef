"""The poster's two algorithms on a GPU: rows are copied to the device, and triangles are copied back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.runtimes.runtime import LANES, Source
from triadic.errors import UnsupportedError
from triadic_papers.local_clustering import local_clustering, neighbour_rows, timed
from triadic_papers.single_gpu import open_gpu

if TYPE_CHECKING:
    from triadic.core.arcs import Arcs
    from triadic.devices.runtimes.runtime import Buffer, Runtime
    from triadic.graph.graph import Graph
    from triadic_papers.adjacency import Adjacency
    from triadic_papers.local_clustering import LocalClustering

_SOURCE = Source("vertex_edge_centric", package="triadic_papers")


def vertex_centric(network: Graph | Arcs | Adjacency, *, device: str) -> LocalClustering:
    """Count with one thread per vertex; see `vertex_edge_centric.vertex_centric`."""
    return _on_device(network, device, by_arcs=False)


def edge_centric(network: Graph | Arcs | Adjacency, *, device: str) -> LocalClustering:
    """Count with one thread per edge and end; see `vertex_edge_centric.edge_centric`."""
    return _on_device(network, device, by_arcs=True)


def _on_device(network: Graph | Arcs | Adjacency, device: str, *, by_arcs: bool) -> LocalClustering:
    seconds: dict[str, float] = {}
    with timed(seconds, "rows"):
        indptr, indices = neighbour_rows(network)
    if indices.dtype.itemsize != 4:
        raise UnsupportedError(
            f"device={device!r}: {len(indptr) - 1:,} vertices are more than 2**31 - 1, the limit on a GPU"
        )
    with timed(seconds, "initialisation"):
        runtime = open_gpu(device, or_cpu=True)
    n, arcs = len(indptr) - 1, len(indices)
    runtime.check_room("a network's rows", indptr.nbytes, indices.nbytes, 8 * n, 4 * arcs * by_arcs)
    with timed(seconds, "compilation"):
        _count(runtime, runtime.zeros(1, np.int64), runtime.zeros(0, np.uint32), runtime.zeros(0, np.uint64), by_arcs)
        runtime.synchronize()
    with timed(seconds, "transfer"):
        rows = runtime.upload(indptr), runtime.upload(indices.view(np.uint32))
        triangles = runtime.empty(n, np.uint64)
        runtime.synchronize()
    with timed(seconds, "compute"):
        _count(runtime, *rows, triangles, by_arcs)
        runtime.synchronize()
    with timed(seconds, "transfer"):
        found = runtime.download(triangles).view(np.int64)
    return local_clustering(found, np.diff(indptr), seconds)


def _count(runtime: Runtime, indptr: Buffer, indices: Buffer, triangles: Buffer, by_arcs: bool) -> None:
    """Launch the kernels; with empty arrays they are only compiled."""
    n, arcs = len(indptr) - 1, len(indices)

    def launch(kernel: str, threads: int, *arguments: Any) -> None:  # noqa: ANN401 - buffers and numbers
        runtime.launch(_SOURCE, kernel, max(1, -(-threads // (LANES * runtime.teams))), *arguments)

    if not by_arcs:
        launch("vertex_centric", n, indptr, indices, np.uint64(n), triangles)
        return
    of_arcs = runtime.empty(arcs, np.uint32)
    launch("initialise_arcs", n, indptr, np.uint64(n), of_arcs)
    launch("count_over_arcs", arcs, indptr, indices, np.uint64(arcs), of_arcs)
    launch("sum_over_arcs", n, indptr, of_arcs, np.uint64(n), triangles)
