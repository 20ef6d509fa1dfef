"""Raw and net frequencies of graphlets and orbits, on the host and on a card, and the limits within which they fit.

Compiled code evaluates the formulas vertex by vertex: NumPy would read and write memory for each of the hundred
operations. On a card, where memory is fast, CuPy evaluates the same formulas for all vertices at once: the kernels are
then called without compilation, on arrays of columns.

References
----------
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC, for the transform of up to four
vertices, which goes on to five; `triadic.core.graphlets` has its matrices.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.graphlets import EDGE_ORBITS_OF_SIZE, ORBITS, ORBITS_OF_SIZE, raw_from_net
from triadic.core.oriented import Oriented, as_unsigned, rows_of_entries
from triadic.counts.graphlets import four_vertex_on_card, three_vertex_on_card
from triadic.errors import CountOverflowError

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Float64Array, Ids, Int64Array
    from triadic.devices.gpu.rows import OrientedOnDevice
    from triadic.graph.graph import Graph
    from triadic.tiles.oriented_tiles import OrientedTiles

    Column = Int64Array
    Floats = Float64Array

_ORBITS, _EDGE_ORBITS = ORBITS_OF_SIZE[5], EDGE_ORBITS_OF_SIZE[5]
_TREES, _EDGE_TREES = range(15, 24), range(12, 18)  # orbits of the trees of five vertices: path, fork and star
_LARGEST = 2**63 - 1
_BLOCK = 1 << 18  # frequencies


def raw_of(
    oriented: Oriented | OrientedTiles, counts: tuple[Int64Array, ...], *, threads: int, out: Int64Array
) -> Int64Array:
    """Write the raw frequencies at each vertex into `out`, and return it.

    Parameters
    ----------
    oriented : Oriented or OrientedTiles
        The graph.
    counts : GraphletCounts, or tuple of int64 array
        Counts at each rank; for five frequencies, the triangles and, of shape (n, 1), the sum of the degrees of the
        neighbours.
    threads : int
        Number of threads.
    out : int64 array, shape (n, 16) or (n, 5)
        Array that receives the result, such as a part of a larger one, or a file mapped into memory.
    """
    write: Any = five if out.shape[1] == 5 else sixteen
    rank, degree = oriented.rank, oriented.degree
    _in_blocks(lambda first, last: write(rank, first, last, degree, counts, out), out.shape, threads)
    return out


def _in_blocks(task: Callable[[int, int], None], shape: tuple[int, ...], threads: int) -> None:
    """Run ``task(first, last)`` for blocks of the rows of frequencies."""
    n, columns = shape
    if n * columns <= _BLOCK:  # small graphs take microseconds
        task(0, n)
        return
    cuts = blocks.cut_evenly(n, -(-n * columns // _BLOCK))
    blocks.run_cuts(lambda _, bounds: task(*bounds), cuts, threads=threads)


@kernel
def five(rank: Ids, first: int, last: int, degree: Column, counts: tuple[Column, Column], raw: Int64Array) -> None:
    """Write the raw frequencies 0 to 4 of vertices `first` to `last` - 1."""
    triangles, near = counts
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
def sixteen(rank: Ids, first: int, last: int, degree: Column, counts: tuple[Column, ...], raw: Int64Array) -> None:
    """Write the raw frequencies 0 to 15 of vertices `first` to `last` - 1; docs/graphlets.md lists the formulas."""
    (
        triangles,
        off_chord,
        squares,
        tetrahedra,
        support_pairs,
        support_degrees,
        near_degrees,
        near_pairs,
        near_triangles,
        path_ends,
    ) = counts
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
    counts: tuple[Any, ...]
    if columns == 5:
        counts = three_vertex_on_card(oriented)
    else:
        with runtime.active():
            check_width(graph, oriented.num_edges, int(degree.max()) if len(degree) else 0)
        counts = four_vertex_on_card(oriented)
    with runtime.active():
        frequencies = runtime.xp.empty((columns, len(rank)), dtype=np.int64)
        # One "vertex" whose every value is a column of the values of all vertices.
        kernel_of_raw.py_func(rank[None], 0, 1, degree, counts, frequencies[None])
        if net:
            ptr, rows, values = (each.tolist() for each in transform_columns(columns))
            for column in range(columns - 1, 0, -1):
                for p in range(ptr[column], ptr[column + 1]):
                    frequencies[rows[p]] -= values[p] * frequencies[column]
        return frequencies.T


def check_width(graph: Graph, edges: int, largest: int) -> None:
    """Raise if a frequency at some vertex could exceed 64 bits, with this number of edges and this largest degree."""
    # Every frequency but that of claws is at most the largest degree times the sum of all degrees.
    if max(comb(largest, 3), 2 * edges * largest) > _LARGEST:
        name = label_of(graph, int(np.argmax(graph.degree)))
        raise CountOverflowError(
            f"vertex {name} has {largest:,} neighbours: the number of claws with this root may exceed 2**63; "
            "size=3 counts the graphlets of up to three vertices"
        )


def label_of(graph: Graph, vertex: int) -> object:
    """Return the label of a vertex, or its number if it has none."""
    return vertex if graph.labels is None or vertex >= len(graph.labels) else graph.labels[vertex]


@cache
def transform_columns(columns: int) -> Any:  # noqa: ANN401 - arrays of two types
    """Return the matrix of the transform above its diagonal as compressed columns: pointers, rows, values."""
    entries = sorted((other, place, copies) for place, other, copies in entries_of(columns))
    others, rows, values = np.array(entries).T
    return as_unsigned(np.searchsorted(others, np.arange(columns + 1))), as_unsigned(rows.copy()), values.copy()


def entries_of(columns: int) -> list[tuple[int, int, int]]:
    """Return the entries of the matrix of the transform above its diagonal: row, column and value.

    16 and 5 columns are those of graphlets, 73 the orbits of vertices; 68 and 12 are those of edges.
    """
    places = ORBITS[: columns - 1] if columns in (5, 16) else range(columns)
    return [
        (places[orbit], places[other], copies)
        for (orbit, other), copies in raw_from_net(at_edges=columns in EDGE_ORBITS_OF_SIZE.values()).items()
        if other < len(places)
    ]


def net_of(raw: Int64Array, *, threads: int, in_place: bool = False) -> Int64Array:
    """Return the net frequencies that follow from raw ones: int64, the same shape.

    Parameters
    ----------
    raw : int64 array, shape (vertices, 5), (vertices, 16), (vertices, 73), (edges, 12) or (edges, 68)
        Raw frequencies; sums that wrapped around 2**64 wrap back, because net frequencies fit.
    threads : int
        Number of threads.
    in_place : bool, default False
        Whether they replace the raw frequencies.
    """
    net = raw if in_place else np.empty_like(raw)
    ptr, rows, values = transform_columns(raw.shape[1])

    def task(first: int, last: int) -> None:
        if not in_place:  # here, since threads touch new memory faster than one
            net[first:last] = raw[first:last]
        solve(first, last, ptr, rows, values, net)

    _in_blocks(task, raw.shape, threads)
    return net


@kernel
def solve(
    first: int, last: int, ptr: Int64Array, rows: Int64Array, values: Int64Array, frequencies: Int64Array
) -> None:
    """Replace the frequencies in rows `first` .. `last` - 1, from the densest graphlet back to the smallest.

    The frequency of each graphlet is subtracted from the raw frequencies of the graphlets that it contains. Zeros are
    skipped: most vertices and edges are in few dense graphlets.
    """
    for row in range(first, last):
        found = frequencies[row]
        for orbit in range(found.size - 1, 0, -1):
            count = found[orbit]
            if count != 0:
                for p in range(ptr[orbit], ptr[orbit + 1]):
                    found[rows[p]] -= values[p] * count


@kernel
def arrange(rank: Ids, rows: Int64Array) -> None:
    """Move the row of each vertex from its rank to its number, along the cycles of the permutation."""
    moved = np.zeros(rank.size, np.bool_)
    # Entry by entry: `rows[vertex] = rows[source]` could raise an error about shapes, which takes seconds to compile.
    for start in range(rank.size):
        if moved[start]:
            continue
        first = rows[start].copy()
        vertex, source = start, int(rank[start])
        while source != start:
            for k in range(rows.shape[1]):
                rows[vertex, k] = rows[source, k]
            moved[vertex] = True
            vertex, source = source, int(rank[source])
        for k in range(rows.shape[1]):
            rows[vertex, k] = first[k]
        moved[vertex] = True


def first_too_large(oriented: Oriented) -> tuple[int, int, float] | None:
    """Return an orbit and a rank at which a net frequency may exceed 64 bits, and the bound; None if all fit.

    An induced graphlet of five vertices contains trees of five vertices: its net frequency at a vertex is at most the
    number of trees at the vertex, divided by the number of trees in each graphlet. The numbers of trees are bounded by
    walks, in floating-point numbers.

    Parameters
    ----------
    oriented : Oriented
        The graph.
    """
    # No count of trees exceeds the fourth power of the largest degree, nor does one of fewer vertices.
    if int(oriented.degree.max(initial=0)) ** 4 <= _LARGEST:
        return None
    return _first_beyond(tree_bounds(oriented), _TREES, _ORBITS)


def first_edge_too_large(oriented: Oriented) -> tuple[int, int, int, float] | None:
    """Return an orbit, the ranks of an edge's ends at which a net frequency may exceed 64 bits, and the bound.

    The bounds are those of `first_too_large`, of the trees of five vertices to which an edge belongs.

    Parameters
    ----------
    oriented : Oriented
        The graph.

    Returns
    -------
    tuple or None
        None if all frequencies fit.
    """
    # No count of trees at an edge exceeds twice the third power of the largest degree, nor does one of fewer vertices.
    if 2 * int(oriented.degree.max(initial=0)) ** 3 <= _LARGEST:
        return None
    found = _first_beyond(tree_bounds_at_edges(oriented), _EDGE_TREES, _EDGE_ORBITS)
    if found is None:
        return None
    orbit, entry, bound = found
    low = int(np.searchsorted(oriented.indptr, entry, side="right")) - 1
    return orbit, low, int(oriented.indices[entry]), bound


def _first_beyond(bounds: Floats, trees: range, orbits: int) -> tuple[int, int, float] | None:
    """Return the first orbit of five vertices that may exceed 64 bits, the column of its largest bound, and the bound.

    `bounds` are those of the raw frequencies of `trees`: shape (trees, vertices) or (trees, edges).
    """
    entries = entries_of(orbits)
    for orbit in range(trees[0], orbits):
        # Each tree by which the orbit is bounded, and the number of such trees in each graphlet.
        within = [(orbit, 1)] if orbit in trees else []
        within += [(tree, copies) for tree, other, copies in entries if other == orbit and tree in trees]
        bound = np.min([bounds[tree - trees[0]] / copies for tree, copies in within], axis=0)
        place = int(np.argmax(bound))
        if bound[place] * (1 + 1e-9) > _LARGEST:
            return orbit, place, float(bound[place])
    return None


def tree_bounds(oriented: Oriented) -> Floats:
    """Return upper bounds of the raw frequencies of orbits 15 to 23 at each rank: float64, shape (9, n)."""
    _, k, near, more, others = _walks(oriented)
    path2 = near(more)
    path3 = near(path2)
    forks = near(others)
    return np.stack(
        [
            near(path3),
            path3 * more,
            path2 * path2 / 2,
            near(forks),
            near(path2 * np.maximum(k - 2, 0)),
            forks * more,
            path2 * others,
            near(others * np.maximum(k - 3, 0) / 3),
            k * others / 3 * np.maximum(k - 3, 0) / 4,
        ]
    )


def tree_bounds_at_edges(oriented: Oriented) -> Floats:
    """Return upper bounds of the raw frequencies of edge orbits 12 to 17 at each entry: float64, shape (6, m)."""
    low, k, near, more, others = _walks(oriented)
    high = oriented.indices

    def at_ends(values: Floats, others: Floats | float = 1.0) -> Floats:
        factors = np.broadcast_to(others, values.shape)
        return values[low] * factors[high] + values[high] * factors[low]

    path2 = near(more)
    return np.stack(
        [
            at_ends(near(path2)),
            at_ends(path2, more),
            at_ends(near(others)),
            at_ends(path2 * more),
            at_ends(others, more),
            at_ends(others * np.maximum(k - 3, 0) / 3),
        ]
    )


def _walks(oriented: Oriented) -> tuple[Int64Array, Floats, Callable[[Floats], Floats], Floats, Floats]:
    """Return what bounds of trees take.

    These are the rank of the row of each entry, the degrees k, a function that adds up values over the neighbours of
    each rank, the further neighbours of a neighbour, k - 1, and the pairs of them.
    """
    k, high = oriented.degree.astype(np.float64), oriented.indices
    low = rows_of_entries(oriented.indptr)

    def near(values: Floats) -> Floats:
        sums = np.zeros(len(k))
        np.add.at(sums, low, values[high])
        np.add.at(sums, high, values[low])
        return sums

    more = np.maximum(k - 1, 0)
    return low, k, near, more, more * np.maximum(k - 2, 0) / 2
