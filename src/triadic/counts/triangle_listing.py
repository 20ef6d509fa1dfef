"""The triangles of the skeleton, listed in order. On the CPU: `triadic.devices.cpu.triangle_listing`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.memory import check_memory
from triadic.core.oriented import Oriented
from triadic.core.progress import reporting, split
from triadic.devices.cpu.triangle_listing import TriangleListing
from triadic.devices.select import resolve_device

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword

_TRIANGLE_BYTES = 24
# Blocks a part, and as many times as many in each one more, up to the largest: the first part is there at once.
_LARGEST = 64


def check_device(device: str) -> None:
    """Refuse a device that does not list triangles."""
    resolve_device(device, count="listed triangles")


def all_triangles(
    oriented: Oriented, *, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.int64]:
    """List all triangles by original ids, u < v < w in lexicographic order: int64, shape (triangles, 3)."""
    check_device(device)
    with reporting(progress, "listing triangles") as report:
        counting, writing = split(report, [1, 1])
        listing = TriangleListing(_skeleton(oriented), threads=resolve_threads(threads))
        counts = listing.count(0, listing.blocks, counting)
        total = int(counts.sum())
        check_memory(
            _TRIANGLE_BYTES * total,
            f"an array of {total:,} triangles",
            "list them part by part with iter_triangles, or no more than a limit",
        )
        triangles = np.empty((total, 3), dtype=np.int64)
        listing.write(0, counts, triangles, writing)
    return triangles


def triangle_parts(oriented: Oriented, limit: int | None, *, threads: int | None) -> Iterator[NDArray[np.int64]]:
    """List triangles likewise part by part, with `limit` at most so many in all; no part is empty."""
    if limit == 0:
        return
    listing = TriangleListing(_skeleton(oriented), threads=resolve_threads(threads))
    first, size = 0, 1
    while first < listing.blocks:
        last = min(first + size, listing.blocks)
        counts = listing.count(first, last)
        total = int(counts.sum())
        part = np.empty((total if limit is None else min(total, limit), 3), dtype=np.int64)
        listing.write(first, counts, part)
        if len(part):
            yield part
        limit = None if limit is None else limit - len(part)
        if limit == 0:
            return
        first, size = last, min(2 * size, _LARGEST)


def _skeleton(oriented: Oriented) -> Oriented:
    if oriented.state is None:
        return oriented
    return Oriented(oriented.rank, oriented.indptr, oriented.indices, None, oriented.degree)
