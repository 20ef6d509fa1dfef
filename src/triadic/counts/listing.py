"""Triangles of the skeleton and triads of one type, listed in order.

The triads of one type are listed on the CPU: `triadic.devices.cpu.triads.labelled_triads`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads, split
from triadic.core.memory import check_memory
from triadic.core.triad_types import ASYMMETRIC, MUTUAL, TRIAD_NAMES, TYPE_OF_CODE
from triadic.counts.count import Bytes, Count, Work
from triadic.devices.cpu.orient.id_rows import rows_above, rows_below
from triadic.devices.cpu.triads.labelled_triads import NOT_BEGUN, next_triads
from triadic.devices.cpu.triangles.triangle_listing import TriangleListing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.core.array_types import Int64Array
    from triadic.core.oriented import Oriented
    from triadic.core.progress import Progress

_TRIANGLE_BYTES = 24
# Blocks in the largest part. The first part has one block, so that it is listed at once; parts double in length.
_LARGEST = 64


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
    triangles = np.empty((total, 3), dtype=np.int64)
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
        part = np.empty((total if limit is None else min(total, limit), 3), dtype=np.int64)
        listing.write(first, counts, part)
        if len(part):
            yield part
        limit = None if limit is None else limit - len(part)
        first, size = last, min(2 * size, _LARGEST)
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
    position = np.array([0, 0, 0, NOT_BEGUN])
    seconds, mark = np.empty_like(oriented.rank), np.zeros(n, dtype=np.uint8)
    length, stop = _FIRST_TRIPLES, 0
    while limit is None or limit > 0:
        if position[0] == stop:
            if progress is not None:
                progress(stop, n)
            if stop == n:
                return
            stop = min(n, stop + -(-n // _PIECES))
        part = np.empty((length if limit is None else min(length, limit), 3), dtype=np.int64)
        listed = next_triads(
            every, above, below, starts, mutual + asymmetric, is_type, position, stop, seconds, mark, part
        )
        yield part[:listed]
        limit = None if limit is None else limit - listed
        if listed == len(part):
            length = min(2 * length, _MOST_TRIPLES)
