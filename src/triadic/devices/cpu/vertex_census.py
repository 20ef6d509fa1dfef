"""The triad census of every vertex on the CPU: the kernels of `vertex_census_kernels`, run over all workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.triad_types import (
    ASYMMETRIC,
    CLOSED_NAMES,
    CLOSED_TYPE_OF_CODE,
    HELD,
    MUTUAL,
    OPEN_NAMES,
    TRIAD_NAMES,
)
from triadic.devices.cpu import closed_triads
from triadic.devices.cpu import vertex_census_kernels as kernels
from triadic.devices.cpu.closed_triads import states
from triadic.devices.cpu.middle_lists import as_unsigned
from triadic.devices.cpu.row_sums import sum_over_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

BYTES_TO_FILL = 8 * (7 + 3 + 6 + 16)  # of a vertex: closed triads, dyads, wedge ends and the result
_PIECE = 1 << 13  # vertices that a worker takes at a time

_OPEN = np.array([TRIAD_NAMES.index(name) for name in OPEN_NAMES])
_CLOSED = np.array([TRIAD_NAMES.index(name) for name in CLOSED_NAMES])
_HELD = np.array([[HELD[closed].get(name, 0) for name in OPEN_NAMES] for closed in CLOSED_NAMES])
_IN_TYPE = np.array([[dyads[name] for name in TRIAD_NAMES] for dyads in (ASYMMETRIC, MUTUAL)])


def dyads(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count mutual, only-out and only-in neighbours of each rank: int64, shape (n, 3)."""
    indices, state = as_unsigned(oriented.indices), states(oriented)

    def add(first: int, last: int, sums: NDArray[np.int64]) -> None:
        kernels.add_dyads(oriented.indptr, indices, state, first, last, sums)

    return sum_over_rows(oriented.indptr, 3, add, threads=threads, progress=progress)


def wedge_ends(
    oriented: Oriented, dyads_at: NDArray[np.int64], *, threads: int, progress: Progress | None = None
) -> NDArray[np.int64]:
    """Count the pairs of dyads that share a vertex and that each rank is an end of, closed by a third or not.

    Returns
    -------
    int64 array, shape (n, 6)
        By the type of the two alone, in the order of `triad_types.OPEN_NAMES`.
    """
    indices, state = as_unsigned(oriented.indices), states(oriented)

    def add(first: int, last: int, sums: NDArray[np.int64]) -> None:
        kernels.add_ends(oriented.indptr, indices, state, first, last, dyads_at, sums)

    return sum_over_rows(oriented.indptr, len(OPEN_NAMES), add, threads=threads, progress=progress)


def census_by_vertex(
    oriented: Oriented, in_graph: tuple[int, int], *, threads: int, progress: Progress | None = None
) -> NDArray[np.int64]:
    """Count the triads of each type at each vertex.

    Parameters
    ----------
    oriented : Oriented
    in_graph : tuple of int
        Asymmetric and mutual dyads of the graph.
    threads : int
    progress : callable, optional

    Returns
    -------
    int64 array, shape (n, 16)
        By vertex, not by rank; in the order of `triad_types.TRIAD_NAMES`.

    Raises
    ------
    OutOfMemoryError
        If what it takes is more than there is.
    """
    closed = closed_triads.by_role(oriented, CLOSED_TYPE_OF_CODE, threads=threads, progress=progress)
    dyads_at = dyads(oriented, threads=threads)
    return fill(
        oriented.rank, in_graph, dyads_at, wedge_ends(oriented, dyads_at, threads=threads), closed, threads=threads
    )


def fill(
    rank: NDArray[np.integer[Any]],
    in_graph: tuple[int, int],
    dyads_at: NDArray[np.int64],
    ends: NDArray[np.int64],
    closed: NDArray[np.int64],
    *,
    threads: int,
    census: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Make the census of every vertex of its dyads, the wedges it is an end of and its closed triads, all by rank.

    It is written to `census`, int64 of shape (n, 16), where that is given.
    """
    n = len(rank)
    census = np.empty((n, len(TRIAD_NAMES)), dtype=np.int64) if census is None else census
    cuts = blocks.cut_evenly(n, -(-n // _PIECE))
    of_graph = np.array(in_graph)

    def fill(_: int, b: int) -> None:
        kernels.fill_census(
            rank, cuts[b], cuts[b + 1], dyads_at, ends, closed, _OPEN, _CLOSED, _HELD, _IN_TYPE, of_graph,
            census,
        )  # fmt: skip

    blocks.run(fill, len(cuts) - 1, threads=threads)
    return census
