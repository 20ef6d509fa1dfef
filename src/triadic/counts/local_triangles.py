"""Triangles at selected vertices, counted from the rows of their neighbours alone.

The count takes symmetric rows by vertex, because an oriented row holds only part of the neighbours of a vertex. It runs
on the CPU: `triadic.devices.cpu.triangles.triangle_listing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from triadic.core.blocks import resolve_threads
from triadic.core.oriented import Oriented
from triadic.core.progress import reporting
from triadic.devices.cpu.triangles import triangle_listing as cpu
from triadic.graph.orientation import rows_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.devices.cpu.orient.row_sort import Rows

    Ids = NDArray[np.integer[Any]]

# Membership tests per edge of the graph, from which counting at all vertices takes no longer than counting locally.
_TESTS_PER_EDGE = 16

# Symmetric rows of directed graphs; they live as long as the oriented graph from which they are made.
_SKELETON_ROWS: WeakKeyDictionary[Oriented, Rows] = WeakKeyDictionary()


def is_local(oriented: Oriented | None, device: str) -> bool:
    """Return whether triangles can be counted locally: on the CPU, if the graph is not on a GPU."""
    return device == "cpu" or (device == "auto" and (oriented is None or oriented.device is None))


def skeleton_rows(oriented: Oriented, *, threads: int | None) -> tuple[NDArray[np.int64], Ids]:
    """Return indptr and indices of the skeleton of a directed graph; O(m) at the first call."""
    if oriented not in _SKELETON_ROWS:
        skeleton = Oriented(oriented.rank, oriented.indptr, oriented.indices, None, oriented.degree)
        _SKELETON_ROWS[oriented] = rows_of(skeleton, threads=resolve_threads(threads))
    rows = _SKELETON_ROWS[oriented]
    return rows.indptr, rows.indices


def count_at(
    indptr: NDArray[np.int64],
    indices: Ids,
    vertices: NDArray[np.int64],
    *,
    threads: int | None,
    progress: ProgressKeyword,
) -> NDArray[np.int64] | None:
    """Return the triangles at each of `vertices`: int64, shape (vertices,); None if all vertices take no longer."""
    workers = resolve_threads(threads)
    cost = cpu.costs_at(indptr, indices, vertices, threads=workers)
    if float(cost.sum(dtype=float)) > _TESTS_PER_EDGE * len(indices):
        return None
    with reporting(progress, "counting triangles") as report:
        return cpu.triangles_at(indptr, indices, vertices, cost, threads=workers, progress=report)
