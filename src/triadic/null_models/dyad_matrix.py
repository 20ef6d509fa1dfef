"""A matrix of bits of the arcs of a small graph, which answers as a `dyad_table` does, but without hashing.

Computes: whether and how two vertices are joined, while the ends of arcs are exchanged.
Requires: n * n / 8 bytes, best fewer than the second-level cache has.
Idea: bit v of row u is set if there is an arc from u to v. The bits of the diagonal are set, so that a loop counts as
  joined already and needs no test. A step of a walk flips its bits whether it is accepted or not, by 1 or by 0, because
  the processor cannot foresee the outcome, and a wrong guess costs more than the flips. Words are bytes, so that steps
  which the processor overlaps seldom touch the same word.
Cost: two or four reads and four or eight flips of bits for each exchange.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import inline_kernel, kernel
from triadic.devices.cpu.intrinsics import prefetch
from triadic.null_models.dyad_table import ARC, MUTUAL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.unsignedinteger[Any]]
    Whole = int | np.integer[Any]

_1, _3, _7 = np.uint64(1), np.uint64(3), np.uint64(7)


def empty_matrix(vertices: int) -> Matrix:
    """Return the matrix of a graph without arcs."""
    matrix = np.zeros((vertices, (vertices + 7) // 8), dtype=np.uint8)
    vertex = np.arange(vertices, dtype=np.int32)
    fill_matrix(matrix, vertex, vertex, ARC)
    return matrix


def matrix_bytes(vertices: int) -> int:
    """Return the number of bytes of a matrix."""
    return vertices * ((vertices + 7) // 8)


@kernel
def fill_matrix(matrix: Matrix, source: NDArray[np.int32], target: NDArray[np.int32], state: Whole) -> None:
    """Set the bits of arcs, and of their reverses if the state is MUTUAL."""
    for i in range(source.size):
        u, v = np.uint64(source[i]), np.uint64(target[i])
        matrix[u, v >> _3] |= np.uint8(_1 << (v & _7))
        if state == MUTUAL:
            matrix[v, u >> _3] |= np.uint8(_1 << (u & _7))


@inline_kernel
def has_arc(matrix: Matrix, u: np.uint64, v: np.uint64) -> np.uint64:
    """Return 1 if there is an arc from u to v, otherwise 0; 1 if u and v are the same vertex."""
    return (np.uint64(matrix[u, v >> _3]) >> (v & _7)) & _1


@inline_kernel
def flip(matrix: Matrix, u: np.uint64, v: np.uint64, by: np.uint64) -> None:
    """Flip the bit of the arc from u to v if `by` is 1."""
    matrix[u, v >> _3] ^= np.uint8(by << (v & _7))


@inline_kernel
def prefetch_in_matrix(matrix: Matrix, a: np.int32, b: np.int32, c: np.int32, d: np.int32) -> None:
    """Prefetch the bits that exchanging b and d would read or write in either direction."""
    for u, v in ((a, b), (a, d), (c, b), (c, d)):
        for tail, head in ((u, v), (v, u)):
            prefetch(matrix, np.int64(tail) * matrix.shape[1] + (np.int64(head) >> 3))


@inline_kernel
def exchange_in_matrix(
    matrix: Matrix, u: np.int32, v: np.int32, x: np.int32, y: np.int32, state: Whole, ordered: bool
) -> bool:
    """Replace u-v and x-y by u-y and x-v, unless one of these is a loop or joined already; return whether it did."""
    a, b, c, d = np.uint64(u), np.uint64(v), np.uint64(x), np.uint64(y)
    taken = has_arc(matrix, a, d) | has_arc(matrix, c, b)
    if not ordered:
        taken |= has_arc(matrix, d, a) | has_arc(matrix, b, c)
    free = taken ^ _1
    flip(matrix, a, d, free)
    flip(matrix, c, b, free)
    flip(matrix, a, b, free)
    flip(matrix, c, d, free)
    if state == MUTUAL:
        flip(matrix, d, a, free)
        flip(matrix, b, c, free)
        flip(matrix, b, a, free)
        flip(matrix, d, c, free)
    return bool(free == _1)


@inline_kernel
def closes_in_matrix(matrix: Matrix, u: np.int32, v: np.int32, w: np.int32) -> bool:
    """Return whether the arc w->u is there, and none of u->v->w->u has a reciprocal arc."""
    a, b, c = np.uint64(u), np.uint64(v), np.uint64(w)
    back = has_arc(matrix, b, a) | has_arc(matrix, c, b) | has_arc(matrix, a, c)
    return bool((has_arc(matrix, c, a) & (back ^ _1)) == _1)


@kernel
def reverse_in_matrix(matrix: Matrix, u: np.int32, v: np.int32, w: np.int32) -> None:
    """Reverse the arcs u->v->w->u, none of which has a reciprocal arc."""
    a, b, c = np.uint64(u), np.uint64(v), np.uint64(w)
    for tail, head in ((a, b), (b, c), (c, a)):
        flip(matrix, tail, head, _1)
        flip(matrix, head, tail, _1)
