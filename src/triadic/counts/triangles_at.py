"""Triangles at chosen vertices, by going through what is around them and no more.

Takes symmetric rows by vertex, and not an oriented graph, whose rows hold only part of a vertex's neighbours. On the
CPU: `triadic.devices.cpu.triangles_at`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from triadic.core.blocks import resolve_threads
from triadic.core.oriented import Oriented
from triadic.core.progress import reporting
from triadic.devices.cpu import triangles_at as cpu
from triadic.graph.orientation import rows_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.devices.cpu.row_sort import Rows

    Ids = NDArray[np.integer[Any]]

# A test in a row that was just fetched against what counting every triangle takes an edge: where the chosen vertices
# are in for more than so many tests an edge of the graph, counting at all vertices is no slower.
_TESTS_AN_EDGE = 16

# The skeleton's rows of directed graphs, for as long as the oriented graph they are made from.
_KEPT: WeakKeyDictionary[Oriented, Rows] = WeakKeyDictionary()


def may_go_around(oriented: Oriented | None, device: str) -> bool:
    """Whether triangles may be counted around the chosen vertices alone: not on a GPU."""
    return device == "cpu" or (device == "auto" and (oriented is None or oriented.device is None))


def skeleton_rows(oriented: Oriented, *, threads: int | None) -> tuple[NDArray[np.int64], Ids]:
    """Give indptr and indices of the skeleton of a directed graph; made once, O(m)."""
    if oriented not in _KEPT:
        skeleton = Oriented(oriented.rank, oriented.indptr, oriented.indices, None, oriented.degree)
        _KEPT[oriented] = rows_of(skeleton, threads=resolve_threads(threads))
    found = _KEPT[oriented]
    return found.indptr, found.indices


def by_chosen(
    indptr: NDArray[np.int64],
    indices: Ids,
    chosen: NDArray[np.int64],
    *,
    threads: int | None,
    progress: ProgressKeyword,
) -> NDArray[np.int64] | None:
    """Count the triangles at the chosen vertices: int64, shape (chosen,); none where that would not be worth it."""
    workers = resolve_threads(threads)
    cost = cpu.costs_at(indptr, indices, chosen, threads=workers)
    if float(cost.sum(dtype=float)) > _TESTS_AN_EDGE * len(indices):
        return None
    with reporting(progress, "counting triangles") as report:
        return cpu.triangles_at(indptr, indices, chosen, cost, threads=workers, progress=report)
