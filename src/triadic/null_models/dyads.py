"""The dyads of a graph while a walk exchanges ends of its arcs: a matrix of bits if it is small, else a hash table.

Both answer every question alike, so that a walk does not depend on the choice. Kernels tell a matrix from a table by
its number of axes, of which numba compiles one branch alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.core.compiled import inline_kernel, kernel
from triadic.null_models.dyad_matrix import (
    closes_in_matrix,
    empty_matrix,
    exchange_in_matrix,
    fill_matrix,
    matrix_bytes,
    prefetch_in_matrix,
    reverse_in_matrix,
)
from triadic.null_models.dyad_table import (
    ARC,
    LONG,
    MUTUAL,
    SHORT,
    closes_in_table,
    copy_table,
    empty_table,
    exchange_in_table,
    fill_table,
    prefetch_in_table,
    reverse_in_table,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]
    Whole = int | np.integer[Any]
    Dyads = NDArray[np.unsignedinteger[Any]]

MATRIX = 2  # number of axes of a matrix; a table has one
# Up to 4,096 vertices. A matrix of twice as many is no faster than a table any more.
_MATRIX_BYTES = 1 << 21


def make_dyads(vertices: int, tail: Ids, head: Ids, left: Ids, right: Ids, *, ordered: bool) -> Dyads:
    """Return the dyads of some arcs, and of some edges or pairs joined both ways."""
    if matrix_bytes(vertices) <= _MATRIX_BYTES:
        matrix = empty_matrix(vertices)
        fill_matrix(matrix, tail, head, ARC)
        fill_matrix(matrix, left, right, MUTUAL)
        return matrix
    try:
        return _filled_table(vertices, tail, head, left, right, SHORT, ordered=ordered)
    except OverflowError:  # a graph that was made so that its dyads share a bucket
        return _filled_table(vertices, tail, head, left, right, LONG, ordered=ordered)


def _filled_table(vertices: int, tail: Ids, head: Ids, left: Ids, right: Ids, least: int, *, ordered: bool) -> Dyads:
    table = empty_table(vertices, len(tail) + len(left), least=least)
    fill_table(table, tail, head, ARC, ordered)
    fill_table(table, left, right, MUTUAL, ordered)
    return table


def copy_dyads(dyads: Dyads) -> Dyads:
    """Return a copy, for a walk of its own."""
    return dyads.copy() if dyads.ndim == MATRIX else copy_table(dyads)


@inline_kernel
def prefetch_dyads(dyads: Dyads, a: np.int32, b: np.int32, c: np.int32, d: np.int32, ordered: bool) -> None:
    """Prefetch what exchanging b and d reads or writes."""
    if dyads.ndim != MATRIX:
        prefetch_in_table(dyads, a, b, c, d, ordered)
    else:
        prefetch_in_matrix(dyads, a, b, c, d)


@inline_kernel
def exchange(dyads: Dyads, a: np.int32, b: np.int32, c: np.int32, d: np.int32, state: Whole, ordered: bool) -> bool:
    """Replace a-b and c-d by a-d and c-b, unless one of these is a loop or joined already; return whether it did."""
    if dyads.ndim == MATRIX:
        return exchange_in_matrix(dyads, a, b, c, d, state, ordered)
    return exchange_in_table(dyads, a, b, c, d, state, ordered)


@inline_kernel
def closes(dyads: Dyads, a: np.int32, b: np.int32, c: np.int32, ordered: bool) -> bool:
    """Return whether c->a exists, as a->b and b->c do, and none of the three has a reciprocal arc."""
    if dyads.ndim == MATRIX:
        return closes_in_matrix(dyads, a, b, c)
    return closes_in_table(dyads, a, b, c, ordered)


@kernel
def reverse(dyads: Dyads, a: np.int32, b: np.int32, c: np.int32, ordered: bool) -> None:
    """Reverse the 3-cycle a->b->c->a, which `closes`."""
    if dyads.ndim == MATRIX:
        reverse_in_matrix(dyads, a, b, c)
    else:
        reverse_in_table(dyads, a, b, c, ordered)
