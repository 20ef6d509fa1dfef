"""Similarity of vertices by the orbits that they touch: of the vertices of one network, or of two networks.

The kernels compute the distances of every pair of a block of rows, one tile of columns after another. The logarithms
are taken once for each vertex and orbit. A pair then costs a difference, a minimum and a sum for each orbit, in the
same order whatever the block, so that results are equal for any number of threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack, overload

import numpy as np

from triadic.convert.result_table import ResultTable
from triadic.core import blocks
from triadic.core.arguments import unmasked
from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_whole
from triadic.core.compiled import kernel
from triadic.core.formatting import plural
from triadic.core.graphlets import ORBIT_DEPENDENCIES, ORBITS_OF_SIZE
from triadic.core.memory import check_memory
from triadic.core.progress import reporting
from triadic.core.records import record
from triadic.errors import ArgumentError
from triadic.measures.graphlets.comparison import OrbitSource, graph_or_orbits, labels_of, orbits_of
from triadic.measures.graphlets.orbits import check_size

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.core.progress import Machine, ProgressKeyword

    Table = Float64Array

_TABLES = 2.5  # held of each network at most: logarithms, their reciprocals, and counts or the columns of another table
_PAIRS = 1 << 19  # of a block: some 20 milliseconds
_LEAST_ROWS, _MOST_ROWS = 8, 256  # a block reads all columns, so that it must not be too low

_TILE = 128  # columns whose logarithms for 73 orbits stay in the second-level cache


@record(repr=False)
class SimilarVertices(ResultTable):
    """The most similar vertices of each vertex, as `graphlet_degree_similarity` returns them with `top`.

    `to_pandas` and `to_polars` return a data frame with a row for each vertex and each of its
    similar vertices: the columns "vertex", the index in pandas, "similar" and "similarity". Vertices have their labels,
    or their numbers if the networks have no labels or orbits were passed.

    Attributes
    ----------
    indices : int64 array, shape (n, top)
        Numbers of the vertices, the most similar first; of equally similar ones the smallest numbers.
    similarity : float64 array, shape (n, top)
        Similarities to these vertices.
    labels : tuple of array or None
        Labels of the vertices of both networks; None for a network without labels, or for orbits.

    See Also
    --------
    graphlet_degree_similarity : Compute the similarities.

    Examples
    --------
    >>> import triadic
    >>> path = triadic.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], labels=list("abcde"))
    >>> similar = triadic.graphlet_degree_similarity(path, top=1)
    >>> similar.indices[:, 0]
    array([4, 3, 1, 1, 0])
    >>> similar
    SimilarVertices of 5 vertices, the most similar of each
    vertex  similar  similarity
    a             e           1
    b             d           1
    c             b    0.963189
    d             b           1
    e             a           1
    """

    indices: Int64Array
    similarity: Float64Array
    labels: tuple[AnyArray | None, AnyArray | None] = (None, None)

    _rows = "rows"

    def _columns(self) -> dict[str, AnyArray]:
        n, top = self.indices.shape
        own, other = self.labels
        vertices, similar = np.repeat(np.arange(n), top), self.indices.reshape(-1)
        return {
            "vertex": vertices if own is None else own[vertices],
            "similar": similar if other is None else other[similar],
            "similarity": self.similarity.reshape(-1),
        }

    def _title(self) -> str:
        n, top = self.indices.shape
        most = "the most similar" if top == 1 else f"the {top:,} most similar"
        return f"SimilarVertices of {plural(n, 'vertex', 'vertices')}, {most} of each"


@overload
def graphlet_degree_similarity(
    a: OrbitSource,
    b: OrbitSource | None = None,
    *,
    size: int = 5,
    top: None = None,
    weights: ArrayLike | None = None,
    **machine: Unpack[Machine],
) -> Float64Array: ...


@overload
def graphlet_degree_similarity(
    a: OrbitSource,
    b: OrbitSource | None = None,
    *,
    size: int = 5,
    top: int,
    weights: ArrayLike | None = None,
    **machine: Unpack[Machine],
) -> SimilarVertices: ...


def graphlet_degree_similarity(
    a: OrbitSource,
    b: OrbitSource | None = None,
    *,
    size: int = 5,
    top: int | None = None,
    weights: ArrayLike | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Float64Array | SimilarVertices:
    """Compute how similar the neighbourhoods of vertices are, by the orbits that the vertices touch.

    The distance of two vertices u and v in orbit i, which u touches x times and v touches y times, is
    D_i = w_i |log(x + 1) - log(y + 1)| / log(max(x, y) + 2). The similarity is 1 minus the sum of D_i over all orbits,
    divided by the sum of the weights w_i.

    Parameters
    ----------
    a, b : Graph, any input that `Graph` accepts, GraphletTransform, or array
        The networks of the two vertices. The directions of directed graphs are ignored. By default, `b` is `a`. An
        array that `graphlets` returned by vertex for the same `size`, or some of its rows, saves counting the orbits
        again; a transform does for ``size=4``.
    size : {5, 4}, default 5
        Number of vertices of the largest subgraphs: 73 orbits, or 15.
    top : int, optional
        Return only this number of the most similar vertices of `b` for each vertex of `a`, without the vertex itself if
        `b` is None. By default, return the similarities of all pairs.
    weights : array of float, shape (73,) or (15,), optional
        Weight of each orbit, at least 0. The default is w_i = 1 - log(o_i) / log(73), where o_i is the published number
        of orbits that orbit i depends on; for ``size=4``, log(15) instead of log(73).
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count orbits, as for `graphlets`. Vertices are compared on the CPU.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    float64 array, shape (n_a, n_b), or SimilarVertices
        Similarities of all pairs, from 0 to 1; vertices that touch all orbits equally often have similarity 1. With
        `top`, the named tuple of the arrays ``indices`` and ``values``, both of shape (n_a, top), which prints as a
        table.

    Raises
    ------
    ArgumentError
        If `size` is not 4 or 5, `top` is larger than the number of vertices to choose from, the weights are not finite,
        negative or all 0, an array does not contain orbits, or another argument does not have an accepted value.
    CountOverflowError
        If the frequency of an orbit at a vertex could exceed 64 bits, as for `graphlets`.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting, or the result, needs more memory than is available.
    UnsupportedError
        If a graph is a `TiledGraph` or a `GraphBatch`, or `device` names a GPU that cannot count these orbits.

    See Also
    --------
    graphlets : Count the orbits at each vertex.
    compare : Compare two networks by their graphlets.

    Notes
    -----
    After the orbits are counted, a pair of vertices takes some 30 nanoseconds for 73 orbits; two logarithms are
    taken for each vertex and orbit, and none for each pair. The result takes 8 bytes per pair, or with `top` 16 bytes
    per vertex of `a` and entry; beside it, 1,460 bytes are held for each vertex of both networks.

    Milenković and Pržulj counted the o_i by hand. Nine of them, those of orbits 24, 26, 31, 41, 48, 54, 59, 60 and 64,
    are one less than the number of orbits that a vertex at orbit i touches within the graphlet. Programs use the
    published numbers, and so does this function.

    References
    ----------
    Milenković and Pržulj (2008), "Uncovering biological network function via graphlet degree signatures", Cancer
    Informatics 6, 257.

    Examples
    --------
    >>> import triadic
    >>> path = triadic.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> triadic.graphlet_degree_similarity(path).round(3)[0]
    array([1.   , 0.955, 0.936, 0.955, 1.   ])
    >>> most_similar = triadic.graphlet_degree_similarity(path, top=2)
    >>> most_similar.indices[0].tolist(), most_similar.similarity[0].round(3).tolist()
    ([4, 1], [1.0, 0.955])
    """
    check_size(size)
    share = _shares(weights, ORBITS_OF_SIZE[size])
    if top is not None:
        top = check_whole("top", top, 1, 1 << 62)
    keywords: dict[str, Any] = {"size": size, "threads": threads, "device": device, "progress": progress}
    one = b is None  # network
    a = graph_or_orbits(a, size)
    b = a if one else graph_or_orbits(b, size)
    first = orbits_of("a", a, **keywords)
    second = first if one else orbits_of("b", b, **keywords)
    n, m = len(first), len(second)
    choice = m - one
    if top is not None and top > choice:
        of = "other vertices in a" if one else "vertices in b"
        raise ArgumentError(f"top={top}: there are {choice:,} {of}; expected at most as many")
    result = 8 * n * m if top is None else 16 * n * top
    check_memory(
        result + round(8 * _TABLES * len(share) * (n + m)),
        f"comparing {n:,} by {m:,} vertices",
        "choose a smaller top, or rows of the orbits" if top else "top=10 keeps the most similar vertices only",
    )
    # Orbits that no vertex touches, as most in a tree, have distance 0.
    used = np.flatnonzero((share > 0) & (first.any(axis=0) | second.any(axis=0)))
    own = _tables(first[:, used], share[used])
    logs, scales = own if one else _tables(second[:, used], share[used])
    tables = (*own, np.ascontiguousarray(logs.T), np.ascontiguousarray(scales.T))
    if top is None:
        similarity = np.empty((n, m))
        _run_rows(lambda i, j: similar_pairs(*tables, i, j, one, similarity), n, m, threads, progress)
        return similarity
    found = np.empty((n, top), np.int64), np.empty((n, top))
    _run_rows(lambda i, j: most_similar(*tables, i, j, one, *found), n, m, threads, progress)
    return SimilarVertices(*found, (labels_of(a), labels_of(b)))


def _run_rows(
    task: Callable[[int, int], object], n: int, m: int, threads: int | None, progress: ProgressKeyword
) -> None:
    """Call ``task(first, last)`` for blocks of the n rows, each of which is compared with m columns."""
    rows = max(_LEAST_ROWS, min(_MOST_ROWS, _PAIRS // max(1, m)))
    cuts = blocks.cut_pieces(n, rows)
    with reporting(progress, "comparing vertices") as report:
        blocks.run_cuts(lambda _, rows: task(*rows), cuts, threads=resolve_threads(threads), progress=report)


def _shares(weights: ArrayLike | None, orbits: int) -> Table:
    """Return the weights of the orbits, divided by their sum: float64, shape (orbits,)."""
    if weights is None:
        share = 1 - np.log(ORBIT_DEPENDENCIES[:orbits]) / np.log(orbits)
    else:
        array = unmasked("weights", weights)
        if array.shape != (orbits,) or array.dtype.kind not in "iuf":
            raise ArgumentError(
                f"weights: expected {orbits} numbers, one for each orbit, got {array.dtype} of shape {array.shape}"
            )
        share = array.astype(np.float64)
        wrong = np.flatnonzero(~(np.isfinite(share) & (share >= 0)))
        if len(wrong):
            raise ArgumentError(f"weights[{wrong[0]}] = {array[wrong[0]]}: expected finite numbers of at least 0")
        if not share.any():
            raise ArgumentError("weights: all are 0; expected a positive weight of at least one orbit")
        share /= share.max()  # so that the sum is finite
    return np.asarray(share / share.sum())


def _tables(orbits: Int64Array, share: Table) -> tuple[Table, Table]:
    """Return the weighted logarithms of the counts plus 1, and the reciprocal logarithms of the counts plus 2."""
    counts = orbits.astype(np.float64)  # 2**63 plus 2 does not fit 64 bits
    return np.log1p(counts) * share, 1 / np.log(counts + 2)


@kernel
def similar_pairs(
    logs: Table,
    scales: Table,
    other_logs: Table,
    other_scales: Table,
    first: int,
    last: int,
    mirrored: bool,
    out: Table,
) -> None:
    """Write the similarities of the vertices `first` .. `last` - 1 and all vertices of the other table.

    Parameters
    ----------
    logs, scales : float64 arrays, shape (n, orbits)
        Logarithm of each count plus 1, times the weight of the orbit; and 1 / log(count + 2).
    other_logs, other_scales : float64 arrays, shape (orbits, m)
        The same of the other vertices.
    first, last : int
    mirrored : bool
        Whether both tables are of the same vertices. Each pair is then computed once, and written twice.
    out : float64 array, shape (n, m)
    """
    m = other_logs.shape[1]
    found = np.empty(_TILE, np.float64)
    for start in range(first if mirrored else 0, m, _TILE):
        stop = min(m, start + _TILE)
        for u in range(first, last):
            _distances(logs[u], scales[u], other_logs, other_scales, start, stop, found)
            row = out[u]
            for j in range(stop - start):
                row[start + j] = 1.0 - found[j]
            if mirrored:
                for v in range(max(start, last), stop):
                    out[v, u] = row[v]


@kernel
def most_similar(
    logs: Table,
    scales: Table,
    other_logs: Table,
    other_scales: Table,
    first: int,
    last: int,
    without_self: bool,
    indices: Int64Array,
    values: Table,
) -> None:
    """Write the most similar vertices of the other table for the vertices `first` .. `last` - 1, the best first.

    Of equally similar vertices the first ones are taken. The parameters are those of `similar_pairs`, with the results
    in `indices` and `values`: shape (n, top).
    """
    m, top = other_logs.shape[1], indices.shape[1]
    found = np.empty(_TILE, np.float64)
    values[first:last] = -1.0  # below every similarity
    for start in range(0, m, _TILE):
        stop = min(m, start + _TILE)
        for u in range(first, last):
            _distances(logs[u], scales[u], other_logs, other_scales, start, stop, found)
            best, which = values[u], indices[u]
            for j in range(stop - start):
                similarity = 1.0 - found[j]
                if similarity <= best[top - 1] or (without_self and start + j == u):
                    continue
                place = top - 1
                while place > 0 and best[place - 1] < similarity:
                    best[place], which[place] = best[place - 1], which[place - 1]
                    place -= 1
                best[place], which[place] = similarity, start + j


@kernel
def _distances(
    logs: Table, scales: Table, other_logs: Table, other_scales: Table, start: int, stop: int, found: Table
) -> None:
    """Write the distances of a vertex and the vertices `start` .. `stop` - 1 of the other table."""
    found[:] = 0.0
    for orbit in range(logs.size):
        log, scale = logs[orbit], scales[orbit]
        row, its_scales = other_logs[orbit, start:stop], other_scales[orbit, start:stop]
        for j in range(row.size):
            # The larger count has the larger logarithm, and the smaller scale.
            found[j] += abs(log - row[j]) * min(scale, its_scales[j])
