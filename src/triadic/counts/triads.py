"""Triads of a directed graph by the directions of their arcs, and the dyads and wedges that they hold.

A closed triad is a triangle. A triad of ranks u > v > w has a code of six bits (`triadic.core.triad_types`) and, if it
is closed, one of the 7 closed types; each vertex has one of 15 roles in it. An edge of an undirected graph counts as a
mutual dyad. Dyads of each kind, their wedges, and sums over neighbours add up over the edges of a graph. The triads of
one type are listed on the CPU: `triadic.devices.cpu.triads.labelled_triads`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.oriented import Oriented, int_empty, int_zeros
from triadic.core.triad_types import (
    ASYMMETRIC,
    CLOSED_NAMES,
    CLOSED_ROLES,
    CLOSED_TYPE_OF_CODE,
    MUTUAL,
    OPEN_NAMES,
    ROLE_OF_CODE,
    TRIAD_NAMES,
    TYPE_OF_CODE,
    states,
    turned,
)
from triadic.counts.count import Bytes, Count, Work, most_bytes, on_device_of, part_counter, run
from triadic.devices.cpu import vertex_arrays
from triadic.devices.cpu.orient.id_rows import rows_above, rows_below
from triadic.devices.cpu.triads import closed_triads as cpu
from triadic.devices.cpu.triads import labelled_triads as cpu_wedges
from triadic.devices.cpu.triads import vertex_census
from triadic.devices.cpu.triads.closed_triads import CODES, ORDERS
from triadic.devices.cpu.triangles import small_graphs
from triadic.devices.gpu import triads as gpu
from triadic.errors import OutOfMemoryError
from triadic.tiles.sums import EdgeCount

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.array_types import Int64Array
    from triadic.core.oriented import Sizes
    from triadic.core.progress import Progress
    from triadic.devices.cpu.triads.labelled_triads import LabelledWedges
    from triadic.tiles.oriented_tiles import OrientedTiles
    from triadic.tiles.sums import RangeValues


_WALK = Work(edge=11, pair=0.7)
_SMALL_EDGES = 40_000  # lists of closed triads have more to make up for than those of triangles
_TYPES = (np.arange(len(TRIAD_NAMES))[:, None] == TYPE_OF_CODE).astype(np.int64)  # types of the codes: shape (16, 64)
# While lists are sorted: keys of 8 and ends of 4 bytes an edge; pointers and lengths of rows and lists.
LISTING = Bytes(vertex=34, edge=12)


def bytes_of_roles(columns: int) -> Callable[[Sizes, int], int]:
    """Return the bytes of counts of closed triads at ranks: the lists, then marks and int64 counts of each thread.

    A thread writes the counts of the vertices of its triads; with a few threads about four fifths of all vertices, and
    none without edges, but all threads write at most three rows for each pair of entries that may close a triad.
    """
    held = Bytes(vertex=24, edge=4, state=1)

    def counting(sizes: Sizes, threads: int) -> int:
        written = min(0.8 * sizes.vertices, sizes.with_edges)
        rows = min(threads * written, max(written, 3 * sizes.row_pairs))
        return held(sizes, threads) + round((1 + 8 * columns) * rows)

    return most_bytes(LISTING, counting)


def types_of(codes: Int64Array) -> Int64Array:
    """Return counts by type, in the order of `triad_types.TRIAD_NAMES`, from counts by code: int64, shape (16,)."""
    return _TYPES @ codes


def labelled_codes(counts: Int64Array) -> Int64Array:
    """Return counts by labelled code, with vertices in the order of their ids: int64, shape (64,)."""
    codes = int_zeros(CODES)
    for order, code in np.argwhere(counts):
        codes[_sorted_code(int(order), int(code))] += counts[order, code]
    return codes


census_of_ranks, open_pairs = vertex_census.fill, cpu.open_pairs


def _census_on_gpu(
    device: str, oriented: Oriented, in_graph: tuple[int, int], *, progress: Progress | None
) -> Int64Array:
    threads = resolve_threads(None)
    try:
        return gpu.census_by_vertex(device, oriented, in_graph, threads=threads, progress=progress)
    except OutOfMemoryError as error:
        try:  # in blocks of rows, if there is room for the sums
            return _census_of_parts(oriented, in_graph, threads=threads, device=device, progress=progress)
        except OutOfMemoryError:
            raise error from None


def _census_of_parts(
    rows: Oriented | OrientedTiles,
    in_graph: tuple[int, int],
    *,
    threads: int | None,
    device: str,
    progress: Progress | None,
) -> Int64Array:
    """Count the triads of each vertex from closed triads, which add up over parts, dyads and the ends of wedges."""
    closed = run(CLOSED_TRIADS_OF_VERTICES, rows, threads=threads, device=device, progress=progress or False)
    dyads = run(DYADS, rows, threads=threads, device="cpu")
    ends = run(WEDGE_ENDS, rows, dyads, threads=threads, device="cpu")
    census = rows.result("census-by-vertex", (rows.num_vertices, len(TRIAD_NAMES)), np.int64)
    return census_of_ranks(rows, in_graph, dyads, ends, closed, threads=resolve_threads(threads), census=census)


def _sorted_code(order: int, code: int) -> int:
    """Return the code of a triad with its vertices in rising order of their ids.

    The bits of `order` are 1 if u < v, u < w and v < w.
    """
    pairs = ((0, 1), (0, 2), (1, 2))
    state = dict(zip(pairs, states(code), strict=True))
    state |= {(y, x): turned(of_pair) for (x, y), of_pair in state.items()}
    # The place of a vertex is the number of vertices below it.
    above = [y if order >> bit & 1 else x for bit, (x, y) in enumerate(pairs)]
    a, b, c = sorted(range(3), key=above.count)
    return state[a, b] + 4 * state[a, c] + 16 * state[b, c]


CLOSED_TRIADS = Count(
    name="closed triads",
    gives="total",
    columns=CODES,
    cpu=cpu.by_code,
    in_place=True,
    small=small_graphs.closed_triads,
    small_edges=_SMALL_EDGES,
    gpu=gpu.by_code,
    gpu_over_parts=gpu.CODES_OVER_PARTS,
    bytes=LISTING,
    work=_WALK,
    adds_over="triangles",
)
"""Closed triads by code: int64, shape (64,). `types_of` adds them up by type."""

LABELLED_CLOSED_TRIADS = Count(
    name="labelled closed triads",
    gives="total",
    columns=ORDERS * CODES,
    cpu=partial(cpu.by_code, labelled=True),
    gpu=partial(gpu.by_code, labelled=True),
    bytes=LISTING,
    work=_WALK,
    not_tiled="tiles contain the ranks of vertices, not the order of their ids",
)
"""Closed triads by the order of the original ids and by code: int64, shape (8, 64). `labelled_codes` merges orders."""


def _by_role(name: str, roles: Int64Array, columns: int, label: str = "") -> Count[Int64Array]:
    return Count(
        name=name,
        gives="vertices",
        columns=columns,
        cpu=cpu.by_role,
        in_place=True,
        small=small_graphs.closed_triads,
        small_edges=_SMALL_EDGES,
        gpu=gpu.by_role,
        gpu_over_parts=gpu.roles_over_parts(roles),
        inputs=(roles,),
        bytes=bytes_of_roles(columns),
        work=_WALK,
        adds_over="triangles",
        label=label,
    )


CLOSED_TRIADS_OF_VERTICES = _by_role("closed triads of vertices", CLOSED_TYPE_OF_CODE, len(CLOSED_NAMES))
"""Closed triads at each rank by type, in the order of `triad_types.CLOSED_NAMES`: int64, shape (n, 7)."""

CLOSED_ROLES_OF_VERTICES = _by_role(
    "roles of vertices in closed triads", ROLE_OF_CODE, len(CLOSED_ROLES), "counting closed triads"
)
"""Closed triads at each rank by role, in the order of `triad_types.CLOSED_ROLES`: int64, shape (n, 15)."""

CENSUS_OF_VERTICES = Count(
    name="triads of vertices",
    gives="vertices",
    columns=len(TRIAD_NAMES),
    cpu=vertex_census.census_by_vertex,
    small=vertex_census.census_by_vertex,
    small_edges=_SMALL_EDGES,
    gpu=_census_on_gpu,
    # After the closed triads, their counts, those of dyads and of wedge ends, and the result are held together.
    bytes=most_bytes(
        bytes_of_roles(len(CLOSED_NAMES)),
        Bytes(vertex=8 * (len(CLOSED_NAMES) + 3), sums=6, state=1),
        Bytes(vertex=8 * (len(CLOSED_NAMES) + 3 + 6 + len(TRIAD_NAMES))),
    ),
    work=_WALK,
    tiled=_census_of_parts,
    label="counting triads",
)
"""Triads of all types at each vertex (not rank), in the order of `triad_types.TRIAD_NAMES`: int64, shape (n, 16).

The input is a tuple of the numbers of asymmetric and of mutual dyads of the graph, or of arrays for a batch of graphs.
"""


DYADS = Count(
    name="dyads",
    gives="vertices",
    columns=3,
    cpu=cpu.dyads,
    bytes=Bytes(sums=3, state=1),
    work=Work(vertex=2, edge=2),
    adds_over="edges",
)
"""Mutual, only-out and only-in neighbours of each rank: int64, shape (n, 3)."""

WEDGE_ENDS = Count(
    name="ends of wedges",
    gives="vertices",
    columns=len(OPEN_NAMES),
    cpu=vertex_census.wedge_ends,
    bytes=Bytes(sums=len(OPEN_NAMES), state=1),
    work=Work(vertex=4, edge=4),
    adds_over="edges",
)
"""Pairs of dyads that share a vertex, by open type, at the ranks of their two ends: int64, shape (n, 6).

The input is the `DYADS` of the graph.
"""

NEIGHBOUR_SUMS = Count(
    name="neighbour sums",
    gives="vertices",
    cpu=vertex_arrays.neighbour_sums,
    gpu=gpu.neighbour_sums,
    bytes=Bytes(sums=1),  # for each column of the values
    work=Work(vertex=2, edge=2),
    adds_over="edges",
)
"""Sums of values over the neighbours of each rank, by column: int64, the shape of the values.

The input is the values: int64, shape (n, columns).
"""


def _wedges_of_tiles(
    tiles: OrientedTiles,
    *,
    threads: int | None,
    device: str,  # noqa: ARG001 - every count of tiles is given one
    progress: Progress | None,
) -> Int64Array:
    """Count the wedges of a tiled graph from its dyads, which are counted on the CPU."""
    if tiles.on_cluster:
        return np.array(sum_over_dyads(_halves, tiles, threads=threads), np.int64).reshape(2, -1)
    return cpu.pairs_of(run(DYADS, tiles, threads=threads, device="cpu", progress=progress or False))


def _halves(dyads: Int64Array) -> list[int]:
    return cpu.pairs_of(dyads).ravel().tolist()


def sum_over_dyads(
    function: Callable[[Int64Array], list[int]], oriented: Oriented | OrientedTiles, *, threads: int | None
) -> list[int]:
    """Return the sums of a function of the `DYADS` of ranks, which workers compute range by range if a cluster counts.

    Parameters
    ----------
    function : callable
        Returns sums over the ranks whose dyads it is given: int64, shape (ranks, 3). It is pickled by name.
    oriented : Oriented or OrientedTiles
    threads : int, optional
    """
    if isinstance(oriented, Oriented) or not oriented.on_cluster:
        return function(run(DYADS, oriented, threads=threads))
    counter = part_counter(DYADS, {}, threads=threads, device="cpu")
    return oriented.total_over_ranks(partial(_of_dyads, function), (EdgeCount(counter),))


def _of_dyads(function: Callable[[Int64Array], list[int]], values: RangeValues) -> list[int]:
    return function(next(iter(values.counts.values())))


WEDGES = Count(
    name="wedges by type",
    gives="total",
    columns=2 * len(OPEN_NAMES),
    cpu=cpu.wedges,
    small=cpu.wedges_of_small,
    gpu=gpu.wedges,
    bytes=Bytes(sums=3, state=1),
    work=Work(vertex=4, edge=2),
    tiled=_wedges_of_tiles,
)
"""Pairs of dyads that share a vertex by open type, closed by a third dyad or not: int64, shape (2, 6).

The first row holds sums of the low 32 bits of each vertex's pairs, the second row sums of the rest, since a total can
exceed 64 bits.
"""


def labelled_wedges(oriented: Oriented, *, threads: int | None, device: str) -> LabelledWedges:
    """Count the wedges of a graph on the device that counts its labelled closed triads; on the CPU for lack of room."""
    found = on_device_of(LABELLED_CLOSED_TRIADS, device, oriented, lambda used: gpu.labelled_wedges(used, oriented))
    return cpu_wedges.labelled_wedges(oriented, threads=resolve_threads(threads)) if found is None else found


# Triples in the first part, which is short so that it is listed at once, and in the largest; parts double in length.
_FIRST_TRIPLES = 1 << 6
_MOST_TRIPLES = 1 << 14
_PIECES = 128  # number of parts of the search, between which progress is reported and Ctrl-C is handled


def list_triads(
    oriented: Oriented,
    name: str,
    limit: int | None,
    progress: Progress | None = None,
) -> Iterator[Int64Array]:
    """Yield the triads of a type by original ids, part by part: int64 arrays of shape (triads, 3).

    Each row is in rising order, and the rows are in lexicographic order. With `limit`, at most this number of triads
    is listed in total. Progress is reported in vertices whose triads have been listed as the first of three.
    """
    n, threads = oriented.num_vertices, resolve_threads(None)
    mutual, asymmetric = MUTUAL[name], ASYMMETRIC[name]
    every = rows_above(oriented, threads=threads)
    kinds = "all" if mutual and asymmetric else "mutual" if mutual else "asymmetric"
    above = every if kinds == "all" or not mutual + asymmetric else rows_above(oriented, dyads=kinds, threads=threads)
    # Only in a type of two dyads can both dyads be at the highest of the three vertices.
    below = rows_below(oriented, dyads=kinds, threads=threads) if mutual + asymmetric == 2 else above
    starts = np.flatnonzero(np.diff(above.indptr)).astype(oriented.rank.dtype)
    is_type = np.equal(TYPE_OF_CODE, TRIAD_NAMES.index(name))
    position = np.array([0, 0, 0, cpu_wedges.NOT_BEGUN])
    seconds, mark = np.empty_like(oriented.rank), np.zeros(n, np.uint8)
    length, stop = _FIRST_TRIPLES, 0
    while limit is None or limit > 0:
        if position[0] == stop:
            if progress is not None:
                progress(stop, n)
            if stop == n:
                return
            stop = min(n, stop + -(-n // _PIECES))
        part = int_empty((length if limit is None else min(length, limit), 3))
        listed = cpu_wedges.next_triads(
            every, above, below, starts, mutual + asymmetric, is_type, position, stop, seconds, mark, part
        )
        yield part[:listed]
        limit = None if limit is None else limit - listed
        if listed == len(part):
            length = min(2 * length, _MOST_TRIPLES)
