"""Sparse matrices of SciPy and CuPy: an arc for each stored entry, directed unless each arc has its reverse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.convert.edges import refuse_columns, refuse_vertices
from triadic.core.arguments import take_square
from triadic.devices.gpu.arrays import is_on_card
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from triadic.io.options import ReadOptions


def make(given: Any, asked: ReadOptions, combine: str) -> Graph:  # noqa: ANN401 - any sparse matrix
    """Make a graph of a sparse matrix, as `Graph.from_scipy` does; its direction is told from where its entries stand.

    Raises
    ------
    ArgumentError
        A matrix that is not sparse or not square; weights by name; one on a card that is not symmetric.
    """
    refuse_columns(asked)
    refuse_vertices(asked)
    take_square(given)
    if asked.wants_weights and asked.weights is not True:
        raise ArgumentError(f"weights={asked.weights!r}: expected True, the values of a matrix have no name")
    directed = asked.directed
    if directed is None:
        directed = not is_symmetric(given)
        if directed and is_on_card(given.tocsr().data):
            raise ArgumentError(
                "graph: a matrix on a card that is not symmetric; expected directed=False, or one in memory"
            )
    if asked.wants_weights and combine != "sum":
        raise ArgumentError(f"combine={combine!r}: expected 'sum', as sparse matrices have it")
    return Graph.from_scipy(given, directed=directed, weights=asked.wants_weights)


def is_symmetric(matrix: Any) -> bool:  # noqa: ANN401 - any sparse matrix
    """Say whether each entry of a sparse matrix has its mirror image, whatever their values. O(m)."""
    once = matrix.tocsr().T.tocsr()  # turned, which sorts rows as well
    twice = once.T.tocsr()
    if len(once.indices) == 0:
        return True
    return bool((once.indptr == twice.indptr).all() and (once.indices == twice.indices).all())
