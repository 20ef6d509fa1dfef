"""The loops of CSTN-117 on the Cell: seven phases that take turns, and algorithm 1 with the vector comparison.

Computes: the triangles and paths of a block of vertices.
Requires: lists in the form of figure 2: no arcs from a vertex to itself, padded with -1, which is no vertex.
Idea: each buffer processes one vertex. A phase that needs memory prefetches it and ends; in the meantime the other
  buffers take their turns (figure 3, algorithms 11 and 12). The innermost comparison has no branch (algorithm 13).
Cost: as algorithm 1, plus about one turn for every two entries of A_i and A_j.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic_papers.cstn117_dma import copy_async

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ends = NDArray[np.integer[Any]]
    Whole = int | np.int64  # the same to numba
    Buffer = Any  # a record of BUFFER

_FIELDS = ("phase", "v_i", "at_i", "end_i", "v_j", "at_j", "end_j", "v_k", "t", "p")
BUFFER = np.dtype([(name, np.int64) for name in _FIELDS])
_INACTIVE = 0
_LINE = 16  # end vertices of 32 bits in a cache line


@kernel
def process_block(V: NDArray[np.int64], A: Ends, v_s: int, v_e: int, B: NDArray[np.void]) -> None:
    """Count for vertices `v_s` to `v_e` - 1, the work block of algorithm 11; `B` holds the buffers and their counts."""
    v_curr = v_s
    for b in range(B.size):
        B[b].phase = 1
    active = B.size
    turn = 0
    while active > 0:
        # The buffer that has waited longest is most likely to have its data in the cache.
        b = B[turn]
        turn = turn + 1 if turn + 1 < B.size else 0
        if b.phase == 1:
            phase1(V, b, v_curr, v_e)
            v_curr += 1
            if b.phase == _INACTIVE:
                active -= 1
        elif b.phase != _INACTIVE:
            call_phase(V, A, b)


@kernel
def call_phase(V: NDArray[np.int64], A: Ends, b: Buffer) -> None:
    """Run the next phase of an active buffer."""
    if b.phase == 2:
        phase2(V, A, b)
    elif b.phase == 3:
        phase3(V, A, b)
    elif b.phase == 4:
        phase4(V, A, b)
    elif b.phase == 5:
        phase5(V, A, b)
    elif b.phase == 6:
        phase6(V, A, b)
    else:
        phase7(V, A, b)


@kernel
def phase1(V: NDArray[np.int64], b: Buffer, v_curr: int, v_e: int) -> None:
    """Take the next vertex v_i; prefetch the position of its list."""
    b.v_i = v_curr
    if b.v_i >= v_e:
        b.phase = _INACTIVE
    else:
        copy_async(V, 2 * b.v_i)
        b.phase = 2


@kernel
def phase2(V: NDArray[np.int64], A: Ends, b: Buffer) -> None:
    """Prefetch the list A_i."""
    b.at_i = V[2 * b.v_i]
    b.end_i = b.at_i + V[2 * b.v_i + 1]
    load_list(A, b.at_i, b.end_i)
    b.phase = 3


@kernel
def phase3(V: NDArray[np.int64], A: Ends, b: Buffer) -> None:
    """Take the next vertex v_j of A_i; prefetch the position of its list."""
    if b.at_i == b.end_i:
        b.phase = 1
    else:
        b.v_j = A[b.at_i]
        b.at_i += 1
        copy_async(V, 2 * b.v_j)
        b.phase = 4


@kernel
def phase4(V: NDArray[np.int64], A: Ends, b: Buffer) -> None:
    """Count paths; prefetch the list A_j if v_i can be the largest vertex of a circuit."""
    b.p += V[2 * b.v_j + 1]
    if b.v_j > b.v_i:
        b.phase = 3
    else:
        b.at_j = V[2 * b.v_j]
        b.end_j = b.at_j + V[2 * b.v_j + 1]
        load_list(A, b.at_j, b.end_j)
        b.phase = 5


@kernel
def phase5(V: NDArray[np.int64], A: Ends, b: Buffer) -> None:
    """Take the next vertex v_k of A_j; prefetch the position of its list."""
    if b.at_j == b.end_j:
        b.phase = 3
        return
    b.v_k = A[b.at_j]
    b.at_j += 1
    if b.v_k == b.v_i:
        b.p -= 2
    elif b.v_k < b.v_i:
        copy_async(V, 2 * b.v_k)
        b.phase = 6


@kernel
def phase6(V: NDArray[np.int64], A: Ends, b: Buffer) -> None:
    """Prefetch the list A_k."""
    load_list(A, V[2 * b.v_k], V[2 * b.v_k] + V[2 * b.v_k + 1])
    b.phase = 7


@kernel
def phase7(V: NDArray[np.int64], A: Ends, b: Buffer) -> None:
    """Search for v_i in A_k."""
    b.t += occurrences(A, V[2 * b.v_k], V[2 * b.v_k + 1], b.v_i)
    b.phase = 5


@kernel
def load_list(A: Ends, first: int, last: int) -> None:
    """Prefetch a list."""
    for place in range(first, last, _LINE):
        copy_async(A, place)


@kernel
def occurrences(A: Ends, first: Whole, length: Whole, v_i: Whole) -> int:
    """Return the number of times that a padded list contains a vertex, without a branch: algorithm 13."""
    # The compiler vectorises this loop only with values of the list's dtype and unsigned indices.
    wanted = A.dtype.type(v_i)
    last = first + ((length + 3) & ~3)
    t = 0
    for place in range(np.uint64(first), np.uint64(last)):
        t += 1 if A[place] == wanted else 0
    return t


@kernel
def process_small_block(V: NDArray[np.int64], A: Ends, first: int, last: int, found: NDArray[np.int64]) -> None:
    """Add the triangles and paths of a range of vertices to `found`: algorithm 1 as the PowerPC element runs it."""
    t, p = 0, 0
    for i in range(first, last):
        v_i = np.int64(i)
        for v_j in A[V[2 * i] : V[2 * i] + V[2 * i + 1]]:
            p += V[2 * v_j + 1]
            if v_i > v_j:
                for v_k in A[V[2 * v_j] : V[2 * v_j] + V[2 * v_j + 1]]:
                    if v_k == v_i:
                        p -= 2
                    elif v_i > v_k:
                        t += occurrences(A, V[2 * v_k], V[2 * v_k + 1], v_i)
    found[0] += t
    found[1] += p
