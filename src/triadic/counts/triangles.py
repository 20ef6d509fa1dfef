"""Triangles of the skeleton, in total and of vertices, local clustering coefficients, and random wedges.

Triangles and coefficients in the order of vertices are made on the device that counts triangles. Triangles at selected
vertices are counted from the rows of their neighbours alone. That count takes symmetric rows by vertex, because an
oriented row holds only part of the neighbours of a vertex. It runs on the CPU:
`triadic.devices.cpu.triangles.triangle_listing`, as the list of all triangles. Of random wedges, of which estimates are
made, it is counted how many are closed, and by which triads.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from triadic.core.blocks import resolve_threads, split
from triadic.core.memory import check_memory
from triadic.core.oriented import int_empty
from triadic.core.progress import reporting
from triadic.counts.count import Bytes, Count, Work, most_bytes, run
from triadic.devices.cpu.draws import wedge_sampling
from triadic.devices.cpu.triangles import small_graphs, triangle_listing
from triadic.devices.cpu.triangles import triangles as cpu
from triadic.devices.cpu.triangles.triangle_listing import TriangleListing
from triadic.devices.cpu.triangles.triangle_work import bytes_to_count
from triadic.devices.gpu import triads as gpu_triads
from triadic.devices.gpu import triangles as gpu
from triadic.errors import OutOfMemoryError
from triadic.graph.orientation import rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.array_types import AnyArray, Ids, Int64Array
    from triadic.core.oriented import Oriented
    from triadic.core.progress import Progress, ProgressKeyword
    from triadic.devices.cpu.draws.choice import ChoiceTable
    from triadic.tiles.oriented_tiles import OrientedTiles


_WALK = Work(edge=11, pair=0.5)


TRIANGLE_COUNT = Count(
    name="triangles",
    gives="total",
    cpu=cpu.total,
    in_place=True,
    small=small_graphs.total,
    gpu=gpu.total,
    gpu_over_parts=gpu.TOTAL_OVER_PARTS,
    bytes=bytes_to_count,
    work=_WALK,
    adds_over="triangles",
)
"""All triangles: an int."""

TRIANGLES = Count(
    name="triangles of vertices",
    gives="vertices",
    cpu=cpu.by_vertex,
    in_place=True,
    small=small_graphs.by_vertex,
    gpu=gpu.by_vertex,
    gpu_over_parts=gpu.AT_RANKS_OVER_PARTS,
    # Afterwards keys are freed, and each thread has marks, slots (int32) and counts (int64); it writes about a half.
    bytes=most_bytes(bytes_to_count, Bytes(vertex=24, edge=5, worker_vertex=6.5)),
    work=_WALK,
    adds_over="triangles",
)
"""The triangles at each rank: int64, shape (n,)."""


def _in_order(
    name: str,
    values: Callable[..., AnyArray],
    from_triangles: Callable[..., AnyArray],
    held: Bytes,
    not_tiled: str,
    dtype: type[np.generic] = np.int64,
) -> Count[Any]:
    """Return the count of values of vertices, which a GPU computes itself and the CPU from the triangles of ranks."""

    def on_gpu(device: str, oriented: Oriented, *, progress: Progress | None) -> AnyArray:
        threads = resolve_threads(None)
        try:
            return values(device, oriented, threads=threads, progress=progress)
        except OutOfMemoryError:  # triangles may still be counted in blocks of rows
            at_rank = run(TRIANGLES, oriented, threads=threads, device=device, progress=progress or False)
            return from_triangles(oriented, at_rank, threads=threads)

    return Count(
        name=name,
        gives="vertices",
        dtype=dtype,
        cpu=partial(cpu.of_vertices, from_triangles),
        small=partial(cpu.of_vertices, from_triangles),
        gpu=on_gpu,
        bytes=most_bytes(TRIANGLES.bytes, held),
        work=TRIANGLES.work,
        not_tiled=not_tiled,
        label=TRIANGLES.label,
    )


TRIANGLES_IN_ORDER = _in_order(
    "triangles in the order of vertices",
    gpu.triangles,
    cpu.triangles_from,
    Bytes(vertex=16),
    "the triangles of a tiled graph are put in order window by window",
)
"""The triangles at each vertex (not rank): int64, shape (n,)."""

COEFFICIENTS = _in_order(
    "clustering coefficients",
    gpu.coefficients,
    cpu.coefficients_from,
    Bytes(vertex=24),  # after the triangles, the coefficients of ranks and of vertices are held beside the counts
    "the coefficients of a tiled graph are computed range by range from its triangles",
    np.float64,
)
"""The local clustering coefficient of each vertex (not rank): float64, shape (n,)."""


# Membership tests per edge of the graph, from which counting at all vertices takes no longer than counting locally.
_TESTS_PER_EDGE = 16

# Symmetric rows of directed graphs; they live as long as the oriented graph from which they are made.
_SKELETON_ROWS: WeakKeyDictionary[Oriented, tuple[Int64Array, Ids]] = WeakKeyDictionary()


triangles_on_card = gpu.on_device


def is_local(oriented: Oriented | None, device: str) -> bool:
    """Return whether triangles can be counted locally: on the CPU, if the graph is not on a GPU."""
    return device == "cpu" or (device == "auto" and (oriented is None or oriented.device is None))


def skeleton_rows(oriented: Oriented, *, threads: int | None) -> tuple[Int64Array, Ids]:
    """Return indptr and indices of the skeleton of a directed graph; O(m) at the first call."""
    if oriented not in _SKELETON_ROWS:
        indptr, indices, _ = rows_of(oriented.with_state(None), threads=resolve_threads(threads))
        _SKELETON_ROWS[oriented] = indptr, indices
    return _SKELETON_ROWS[oriented]


def count_at(
    indptr: Int64Array,
    indices: Ids,
    vertices: Int64Array,
    *,
    threads: int | None,
    progress: ProgressKeyword,
) -> Int64Array | None:
    """Return the triangles at each of `vertices`: int64, shape (vertices,); None if all vertices take no longer."""
    workers = resolve_threads(threads)
    cost = triangle_listing.costs_at(indptr, indices, vertices, threads=workers)
    if float(cost.sum(dtype=float)) > _TESTS_PER_EDGE * len(indices):
        return None
    with reporting(progress, "counting triangles") as report:
        return triangle_listing.triangles_at(indptr, indices, vertices, cost, threads=workers, progress=report)


def _draws_of_tiles(
    tiles: OrientedTiles,
    table: ChoiceTable | None,  # noqa: ARG001 - tiles have tables of their own
    key: int,
    first: int,
    stop: int,
    local: bool,
    *,
    progress: Progress | None,
    **_: object,  # threads and a device
) -> Int64Array:
    """Draw wedges of a tiled graph on the CPU or a cluster, in two passes over the tiles for many draws."""
    return tiles.wedge_draws.tally(key, first, stop, local, progress)


WEDGE_DRAWS = Count(
    name="random wedges",
    gives="total",
    columns=wedge_sampling.COLUMNS,
    cpu=wedge_sampling.tally,
    gpu=gpu_triads.tally,
    bytes=Bytes(vertex=0.25),
    work=Work(vertex=1),
    tiled=_draws_of_tiles,
    label="drawing wedges",
)
"""Closed wedges of some draws by code, and sums of weights: int64, shape (66,).

The inputs are the table of the rows (`triadic.devices.cpu.draws.wedge_sampling.row_table`; None for a tiled graph), a
key, the numbers of the first draw and of the last plus one, and whether rows have weights for local coefficients. The
wedges lie in oriented rows.
"""


_TRIANGLE_BYTES = 24
# Blocks in the largest part. The first part has one block, so that it is listed at once; parts double in length.
_LARGEST_PART = 64


def all_triangles(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> Int64Array:
    """List all triangles by original ids, u < v < w in lexicographic order: int64, shape (triangles, 3)."""
    counting, writing = split(progress, [1, 1])
    listing = TriangleListing(oriented, threads=threads)
    counts = listing.count(0, listing.blocks, counting)
    total = int(counts.sum())
    check_memory(
        _TRIANGLE_BYTES * total,
        f"an array of {total:,} triangles",
        "list them part by part with `batch`, or at most `limit` of them",
    )
    triangles = int_empty((total, 3))
    listing.write(0, counts, triangles, writing)
    return triangles


def triangle_parts(
    oriented: Oriented, limit: int | None, *, threads: int | None, progress: Progress | None = None
) -> Iterator[Int64Array]:
    """List the triangles in the same order part by part, at most `limit` in total; no part is empty."""
    listing = TriangleListing(oriented, threads=resolve_threads(threads))
    first, size = 0, 1
    while first < listing.blocks and limit != 0:
        if progress is not None:
            progress(first, listing.blocks)
        last = min(first + size, listing.blocks)
        counts = listing.count(first, last)
        total = int(counts.sum())
        part = int_empty((total if limit is None else min(total, limit), 3))
        listing.write(first, counts, part)
        if len(part):
            yield part
        limit = None if limit is None else limit - len(part)
        first, size = last, min(2 * size, _LARGEST_PART)
    if progress is not None:
        progress(listing.blocks, listing.blocks)


TRIANGLE_LIST = Count(
    name="listed triangles",
    gives="list",
    columns=3,
    cpu=all_triangles,
    bytes=Bytes(vertex=40, edge=24, worker_vertex=5),
    work=Work(edge=30, pair=1),
    not_tiled="the list would be longer than the tiles",
    label="listing triangles",
)
"""All triangles by original ids, u < v < w in lexicographic order: int64, shape (triangles, 3)."""
