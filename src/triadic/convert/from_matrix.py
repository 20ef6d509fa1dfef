"""Convert sparse matrices of SciPy and CuPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.convert.edges import refuse_columns, refuse_vertices
from triadic.core.arguments import take_square
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from triadic.io.options import ReadOptions


def convert(graph: Any, options: ReadOptions, combine: str | None) -> Graph:  # noqa: ANN401 - any sparse matrix
    """Convert a sparse matrix: each stored entry is an arc, and a symmetric pattern makes the graph undirected.

    Raises
    ------
    ArgumentError
        If the matrix is not sparse or not square, or if weights are requested by name.
    """
    refuse_columns(options)
    refuse_vertices(options)
    take_square(graph)
    if options.wants_weights and options.weights is not True:
        raise ArgumentError(f"weights={options.weights!r}: expected True, the values of a matrix have no name")
    directed = options.directed
    if directed is None:
        directed = not is_symmetric(graph)
    if options.wants_weights and (combine is not None or options.directed is False):
        arcs = Graph.from_scipy(graph, directed=True, weights=True)  # which adds up repeated entries
        return arcs if directed else arcs.to_undirected(combine=combine)
    return Graph.from_scipy(graph, directed=directed, weights=options.wants_weights)


def is_symmetric(matrix: Any) -> bool:  # noqa: ANN401 - any sparse matrix
    """Return whether the pattern of stored entries of a sparse matrix is symmetric. O(m)."""
    transposed = matrix.tocsr().T.tocsr()  # which also sorts the rows
    rows = transposed.T.tocsr()
    if len(transposed.indices) == 0:
        return True
    return bool((transposed.indptr == rows.indptr).all() and (transposed.indices == rows.indices).all())
