"""The loops of CSTN-117 on the CPU.

Computes: the triangles and paths of a range of vertices, by algorithm 1; reverse list lengths; layouts.
Requires: lists in the form of figure 1, without repeats, in any order.
Idea: for each arc from v_i to v_j, all of A_j are paths, except back to v_i and along an arc from a vertex to itself; a
  circuit is found at its largest vertex only, by searching the lists of the other two.
Cost: O(sum over arcs v_i > v_j of the lengths of the lists of A_j).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numba
import numpy as np

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Ends = NDArray[np.integer[Any]]
    Whole = int | np.int64  # the same to numba


@kernel
def reverse_lengths(V: NDArray[np.int64], A: Ends, with_loops: bool, R: NDArray[np.int64]) -> None:
    """Count the arcs that end at each vertex, with or without its arcs to itself; `R` is initially zero."""
    for i in range(V.size - 1):
        for place in range(V[i], V[i + 1]):
            if with_loops or A[place] != i:
                R[A[place]] += 1


@kernel
def count_vertices(
    V: NDArray[np.int64], A: Ends, R: NDArray[np.int64], first: int, last: int, found: NDArray[np.int64]
) -> None:
    """Add the triangles and paths of vertices `first` to `last` - 1 to `found`: the loop of algorithm 1."""
    t, p = 0, 0
    for i in range(first, last):
        v_i = np.int64(i)
        for at_j in range(V[v_i], V[v_i + 1]):
            v_j = np.int64(A[at_j])
            if v_j == v_i:
                p -= R[v_i]
                continue
            p += V[v_j + 1] - V[v_j]
            if v_i > v_j:
                for at_k in range(V[v_j], V[v_j + 1]):
                    v_k = np.int64(A[at_k])
                    if v_k == v_i:
                        p -= 2
                        continue
                    if v_k != v_j and v_i > v_k:
                        t += occurrences(A, V[v_k], V[v_k + 1], v_i)
    found[0] += t
    found[1] += p


@kernel
def occurrences(A: Ends, first: Whole, last: Whole, v_i: Whole) -> int:
    """Return the number of times that a list contains a vertex: the innermost loop."""
    # The compiler vectorises this loop only with values of the list's dtype and unsigned indices.
    wanted = A.dtype.type(v_i)
    t = 0
    for place in range(np.uint64(first), np.uint64(last)):
        if A[place] == wanted:
            t += 1
    return t


def _process_tasks(
    V: NDArray[np.int64], A: Ends, R: NDArray[np.int64], starts: NDArray[np.int64], found: NDArray[np.int64]
) -> None:
    for task in numba.prange(starts.size - 1):
        count_vertices(V, A, R, starts[task], starts[task + 1], found[task])


def compile_parallel() -> Callable[..., None]:
    """Return the parallel loop over ranges of vertices, algorithm 5 on each, for numba's current threading layer."""
    try:
        loop = numba.njit(parallel=True, nogil=True, cache=True)(_process_tasks)
    except RuntimeError:  # no folder for the cache
        loop = numba.njit(parallel=True, nogil=True)(_process_tasks)
    return cast("Callable[..., None]", loop)


@kernel
def count_loops(V: NDArray[np.int64], A: Ends, loops: NDArray[np.int64]) -> None:
    """Count the arcs of each vertex to itself."""
    for i in range(V.size - 1):
        loops[i] = occurrences(A, V[i], V[i + 1], np.int64(i))


@kernel
def keep_proper(V: NDArray[np.int64], A: Ends, proper: Ends) -> None:
    """Copy the arcs that connect two different vertices."""
    place = 0
    for i in range(V.size - 1):
        for end in A[V[i] : V[i + 1]]:
            if end != i:
                proper[place] = end
                place += 1


@kernel
def fill_padded(V: NDArray[np.int64], A: Ends, starts: NDArray[np.int64], places: Ends, padding: int) -> None:
    """Copy each list to its start in the layout of figure 2 and fill the rest with `padding`."""
    n = V.size - 1
    for i in range(n):
        place = starts[2 * i]
        for end in A[V[i] : V[i + 1]]:
            places[place] = end
            place += 1
        places[place : starts[2 * i + 2] if i + 1 < n else places.size] = padding


@kernel
def fill_sources(V: NDArray[np.int64], S: NDArray[np.uint32]) -> None:
    """Write the source of each arc."""
    for i in range(V.size - 1):
        S[V[i] : V[i + 1]] = i


@kernel
def sort_by_end_degree(V: NDArray[np.int64], A: Ends, place: NDArray[np.int64], S: NDArray[np.uint32]) -> None:
    """Write the source and end of each arc, sorted by the length of the end's list; the sort is stable.

    `place` is initially zero and has two entries more than the longest list.
    """
    for end in A:
        place[V[end + 1] - V[end] + 1] += 1
    for length in range(1, place.size):
        place[length] += place[length - 1]
    for i in range(V.size - 1):
        for end in A[V[i] : V[i + 1]]:
            length = V[end + 1] - V[end]
            S[place[length], 0] = i
            S[place[length], 1] = end
            place[length] += 1
