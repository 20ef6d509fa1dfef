"""Measures of the vertices of a graph on a device whose results stay there, as arrays of the runtime's `xp`.

With CUDA they are CuPy arrays, which other libraries take over by DLPack without a copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.gpu import four_vertex, triangles
from triadic.devices.gpu.neighbour_sums import sums_of
from triadic.devices.gpu.rows import degrees_on
from triadic.measures import graphlet_formulas as formulas
from triadic.measures.graphlets import check_width, exceeds_int64

if TYPE_CHECKING:
    from triadic.devices.gpu.oriented import OrientedOnDevice
    from triadic.graph.graph import Graph


def graphlets(graph: Graph, oriented: OrientedOnDevice, *, columns: int, net: bool) -> Any:  # noqa: ANN401 - an array of `xp`
    """Count the graphlets at each vertex.

    Parameters
    ----------
    graph : Graph
    oriented : OrientedOnDevice
        The oriented form of the graph.
    columns : {16, 5}
        Number of graphlets.
    net : bool
        Whether to count induced subgraphs only.

    Returns
    -------
    int64 array on the device, shape (n, columns)

    Raises
    ------
    CountOverflowError
        If a frequency could exceed 64 bits.
    DeviceError, OutOfMemoryError
        If the device fails, or has too little memory.
    """
    runtime = oriented.runtime
    rank, degree = _rank_and_degree(oriented)
    counts: tuple[Any, ...]
    if columns == 5:
        (near,) = sums_of(runtime, oriented, [degrees_on(runtime, oriented)])
        counts = triangles.on_device(runtime, oriented), near
    else:
        with runtime.active():
            largest = int(degree.max()) if len(degree) else 0
        if exceeds_int64(largest, oriented.num_edges):
            check_width(graph, oriented)
        counts = four_vertex.on_device(runtime, oriented)
    with runtime.active():
        if columns == 5:
            counts = counts[0], runtime.view(counts[1])[:, None]
        return formulas.on_card(runtime.xp, rank, degree, counts, net=net)


def clustering(oriented: OrientedOnDevice) -> Any:  # noqa: ANN401 - an array of `xp`
    """Compute the local clustering coefficient of each vertex: float64 array on the device, shape (n,).

    Raises
    ------
    DeviceError, OutOfMemoryError
        If the device fails, or has too little memory.
    """
    runtime = oriented.runtime
    rank, degree = _rank_and_degree(oriented)
    closed = triangles.on_device(runtime, oriented)
    with runtime.active():
        pairs = runtime.xp.maximum(degree * (degree - 1), 1)
        return (2.0 * closed / pairs)[rank]


def _rank_and_degree(oriented: OrientedOnDevice) -> tuple[Any, Any]:
    runtime, arrays = oriented.runtime, oriented.arrays
    with runtime.active():
        return runtime.view(arrays.rank).astype(np.int64), runtime.view(arrays.degree)
