"""The formulas of the graphlet transform, on the host and on a card, and the limits within which they fit 64 bits.

Compiled code evaluates the formulas vertex by vertex: NumPy would read and write memory for each of the hundred
operations. On a card, where memory is fast, CuPy evaluates the same formulas for all vertices at once: the kernels are
then called without compilation, on arrays of columns.

References
----------
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.counts.graphlets import four_vertex_on_card, three_vertex_on_card
from triadic.errors import CountOverflowError

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Ids, Int64Array
    from triadic.core.graphlets import GraphletCounts
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.rows import OrientedOnDevice
    from triadic.graph.graph import Graph
    from triadic.tiles.oriented_tiles import OrientedTiles

    Column = Int64Array

_LARGEST = 2**63 - 1
_BLOCK = 1 << 14


def raw_of_five(
    oriented: Oriented | OrientedTiles,
    triangles: Column,
    near: Int64Array,
    *,
    threads: int,
    out: Int64Array | None = None,
) -> Int64Array:
    """Return the first five raw frequencies at each vertex: int64, shape (n, 5); `out`, if given.

    Parameters
    ----------
    oriented : Oriented or OrientedTiles
        The graph.
    triangles : int64 array, shape (n,)
        Triangles at each rank.
    near : int64 array, shape (n, 1)
        Sum of the degrees of the neighbours of each rank.
    threads : int
        Number of threads.
    out : int64 array, shape (n, 5), optional
        Array that receives the result, such as a file mapped into memory.
    """
    raw = np.empty((oriented.num_vertices, 5), dtype=np.int64) if out is None else out
    _in_blocks(
        lambda first, last: five(oriented.rank, first, last, oriented.degree, triangles, near, raw), len(raw), threads
    )
    return raw


def raw_of_sixteen(
    oriented: Oriented, counts: GraphletCounts, *, threads: int, out: Int64Array | None = None
) -> Int64Array:
    """Return all raw frequencies at each vertex: int64, shape (n, 16); `out`, if given.

    Parameters
    ----------
    oriented : Oriented
        The graph.
    counts : GraphletCounts
        Counts at each rank.
    threads : int
        Number of threads.
    out : int64 array, shape (n, 16), optional
        Array that receives the result, such as a part of a larger one.
    """
    raw = np.empty((oriented.num_vertices, 16), dtype=np.int64) if out is None else out
    _in_blocks(
        lambda first, last: sixteen(oriented.rank, first, last, oriented.degree, *counts, raw),
        len(raw),
        threads,
    )
    return raw


def net_of(raw: Int64Array, *, threads: int) -> Int64Array:
    """Return the net frequencies that follow from raw ones: int64, the same shape."""
    net = np.empty_like(raw)
    _in_blocks(lambda first, last: to_net(raw, first, last, net), len(raw), threads)
    return net


def _in_blocks(task: Callable[[int, int], None], n: int, threads: int) -> None:
    """Run ``task(first, last)`` for blocks of n vertices."""
    cuts = blocks.cut_evenly(n, -(-n // _BLOCK))
    blocks.run(lambda _, b: task(cuts[b], cuts[b + 1]), len(cuts) - 1, threads=threads)


@kernel
def five(rank: Ids, first: int, last: int, degree: Column, triangles: Column, near: Column, raw: Int64Array) -> None:
    """Write the raw frequencies 0 to 4 of vertices `first` to `last` - 1."""
    for vertex in range(first, last):
        i = rank[vertex]
        k = degree[i]
        d = raw[vertex]
        d[0] = 1
        d[1] = k
        d[2] = near[i, 0] - k
        d[3] = k * (k - 1) >> 1
        d[4] = triangles[i]


@kernel
def sixteen(
    rank: Ids,
    first: int,
    last: int,
    degree: Column,
    triangles: Column,
    off_chord: Column,
    squares: Column,
    tetrahedra: Column,
    support_pairs: Column,
    support_degrees: Column,
    near_degrees: Column,
    near_pairs: Column,
    near_triangles: Column,
    path_ends: Column,
    raw: Int64Array,
) -> None:
    """Write the raw frequencies 0 to 15 of vertices `first` to `last` - 1; docs/graphlets.md lists the formulas."""
    for vertex in range(first, last):
        i = rank[vertex]
        k = degree[i]
        t = triangles[i]
        d = raw[vertex]
        d[0] = 1
        d[1] = k
        d[2] = near_degrees[i] - k
        d[3] = k * (k - 1) >> 1
        d[4] = t
        d[5] = path_ends[i] - 2 * (d[3] + t)
        d[6] = d[2] * (k - 1) - 2 * t
        d[7] = near_pairs[i]
        # C(k, 3) = C(k, 2) (k - 2) / 3: the division comes first, because the product could exceed 2**63. One of the
        # two factors is divisible by 3.
        d[8] = d[3] // 3 * (k - 2) + d[3] % 3 * ((k - 2) // 3)
        d[9] = near_triangles[i] - 2 * t
        d[10] = support_degrees[i] - 4 * t
        d[11] = (k - 2) * t
        d[12] = squares[i]
        d[13] = off_chord[i]
        d[14] = support_pairs[i]
        d[15] = tetrahedra[i]


@kernel
def to_net(raw: Int64Array, first: int, last: int, net: Int64Array) -> None:
    """Write the net frequencies of rows `first` to `last` - 1.

    A sum that wraps around 2**64 on the way wraps back, because the result fits.
    """
    for vertex in range(first, last):
        r = raw[vertex]
        n = net[vertex]
        n[0] = r[0]
        n[1] = r[1]
        n[2] = r[2] - 2 * r[4]
        n[3] = r[3] - r[4]
        n[4] = r[4]
        if len(r) == 5:
            continue
        n[5] = r[5] - 2 * r[9] - r[10] - 2 * r[12] + 4 * r[13] + 2 * r[14] - 6 * r[15]
        n[6] = r[6] - r[10] - 2 * r[11] - 2 * r[12] + 2 * r[13] + 4 * r[14] - 6 * r[15]
        n[7] = r[7] - r[9] - r[10] + 2 * r[13] + r[14] - 3 * r[15]
        n[8] = r[8] - r[11] + r[14] - r[15]
        n[9] = r[9] - 2 * r[13] + 3 * r[15]
        n[10] = r[10] - 2 * r[13] - 2 * r[14] + 6 * r[15]
        n[11] = r[11] - 2 * r[14] + 3 * r[15]
        n[12] = r[12] - r[13] - r[14] + 3 * r[15]
        n[13] = r[13] - 3 * r[15]
        n[14] = r[14] - 3 * r[15]
        n[15] = r[15]


def graphlets_on_card(graph: Graph, oriented: OrientedOnDevice, *, columns: int, net: bool) -> Any:  # noqa: ANN401 - an array of `xp`
    """Count the graphlets at each vertex of a graph on a device; the result stays there, as an array of its `xp`.

    With CUDA it is a CuPy array, which other libraries take over by DLPack without a copy.

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
    runtime, arrays = oriented.runtime, oriented.arrays
    with runtime.active():
        rank, degree = runtime.view(arrays.rank).astype(np.int64), runtime.view(arrays.degree)
    kernel_of_raw: Any = five if columns == 5 else sixteen
    kernel_of_net: Any = to_net
    counts: tuple[Any, ...]
    if columns == 5:
        counts = three_vertex_on_card(oriented)
    else:
        with runtime.active():
            largest = int(degree.max()) if len(degree) else 0
        if exceeds_int64(largest, oriented.num_edges):
            check_width(graph, oriented)
        counts = four_vertex_on_card(oriented)
    with runtime.active():
        frequencies = runtime.xp.empty((columns, len(rank)), dtype=np.int64)
        # One "vertex" whose every value is a column of the values of all vertices.
        kernel_of_raw.py_func(rank[None], 0, 1, degree, *counts, frequencies[None])
        if net:
            raw, frequencies = frequencies, runtime.xp.empty_like(frequencies)
            kernel_of_net.py_func(raw[None], 0, 1, frequencies[None])
        return frequencies.T


def exceeds_int64(largest: int, edges: int) -> bool:
    """Return whether a frequency could exceed 64 bits in a graph with this largest degree and number of edges."""
    # Every frequency but that of claws is at most the largest degree times the sum of all degrees.
    return max(comb(largest, 3), 2 * edges * largest) > _LARGEST


def check_width(graph: Graph, oriented: Oriented) -> None:
    """Raise if a frequency at some vertex could exceed 64 bits."""
    largest = int(oriented.degree.max(initial=0))
    if exceeds_int64(largest, oriented.num_edges):
        vertex = int(np.argmax(graph.degree))
        name = vertex if graph.labels is None or vertex >= len(graph.labels) else graph.labels[vertex]
        raise CountOverflowError(
            f"vertex {name} has {largest:,} neighbours: the number of claws with this root may exceed 2**63; "
            "graphlets=5 counts the graphlets of up to three vertices"
        )
