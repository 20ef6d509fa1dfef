"""The triangles of the skeleton, listed in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads, split
from triadic.core.memory import check_memory
from triadic.core.oriented import Oriented
from triadic.counts.count import Bytes, Count, Work
from triadic.devices.cpu.triangles.triangle_listing import TriangleListing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.core.progress import Progress

_TRIANGLE_BYTES = 24
# Blocks in the largest part. The first part has one block, so that it is listed at once; parts double in length.
_LARGEST = 64


def all_triangles(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> NDArray[np.int64]:
    """List all triangles by original ids, u < v < w in lexicographic order: int64, shape (triangles, 3)."""
    counting, writing = split(progress, [1, 1])
    listing = TriangleListing(_skeleton(oriented), threads=threads)
    counts = listing.count(0, listing.blocks, counting)
    total = int(counts.sum())
    check_memory(
        _TRIANGLE_BYTES * total,
        f"an array of {total:,} triangles",
        "list them part by part with iter_triangles, or at most `limit` of them",
    )
    triangles = np.empty((total, 3), dtype=np.int64)
    listing.write(0, counts, triangles, writing)
    return triangles


def triangle_parts(
    oriented: Oriented, limit: int | None, *, threads: int | None, progress: Progress | None = None
) -> Iterator[NDArray[np.int64]]:
    """List the triangles in the same order part by part, at most `limit` in total; no part is empty."""
    if limit == 0:
        return
    listing = TriangleListing(_skeleton(oriented), threads=resolve_threads(threads))
    first, size = 0, 1
    while first < listing.blocks:
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
        if limit == 0:
            break
        first, size = last, min(2 * size, _LARGEST)
    if progress is not None:
        progress(listing.blocks, listing.blocks)


def _skeleton(oriented: Oriented) -> Oriented:
    """Return the oriented graph without directions."""
    if oriented.state is None:
        return oriented
    return Oriented(oriented.rank, oriented.indptr, oriented.indices, None, oriented.degree)


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
