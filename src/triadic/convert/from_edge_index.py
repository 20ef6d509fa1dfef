"""Arrays of shape (2, edges), as PyTorch Geometric's ``edge_index``, of NumPy, PyTorch or CuPy; and its ``Data``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.convert.edges import refuse_columns, weight_name
from triadic.devices.gpu.arrays import is_on_card
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from triadic.io.options import ReadOptions


def make(given: Any, asked: ReadOptions, combine: str) -> Graph:  # noqa: ANN401 - an array of any library, or PyG's Data
    """Make a graph of an edge index: sources in the first row, targets in the second.

    Undirected if each arc has its reverse, which is how PyTorch Geometric writes an undirected edge.

    Raises
    ------
    ArgumentError
        Another shape, or no whole numbers; weights of a bare edge index; one on a card that is not undirected.
    """
    refuse_columns(asked)
    index, vertices, weights = _parts(given, asked)
    shape = tuple(getattr(index, "shape", ()))
    if len(shape) != 2 or shape[0] != 2:
        raise ArgumentError(
            f"graph: got {type(given).__name__} of shape {shape}; expected an edge_index of shape (2, edges), "
            "or an adjacency matrix as scipy.sparse.csr_array(matrix)"
        )
    ends = index[0], index[1]
    if asked.directed:
        return _arcs(ends, vertices, weights, combine)
    graph = Graph.from_edges(*ends, vertices=vertices)
    both_ways = graph.dropped.reciprocal_merged == graph.num_edges
    if asked.directed is None and not both_ways:
        if is_on_card(index):
            raise ArgumentError(
                "graph: arcs on a card without their reverse; expected directed=False, or arrays in memory"
            )
        return _arcs(ends, vertices, weights, combine)
    if weights is not None:
        arcs = _arcs(ends, vertices, weights, combine)
        if both_ways:  # the two arcs of an edge give its one weight
            return Graph.from_csr(arcs.indptr, arcs.indices, weights=arcs.weights)
        return arcs.to_undirected(combine=combine)
    return graph._of_both_rows() if both_ways else graph  # noqa: SLF001 - still being made


def _arcs(ends: tuple[Any, Any], vertices: int | None, weights: Any, combine: str) -> Graph:  # noqa: ANN401 - arrays
    return Graph.from_edges(*ends, vertices=vertices, directed=True, weights=weights, combine=combine)


def _parts(given: Any, asked: ReadOptions) -> tuple[Any, int | None, Any]:  # noqa: ANN401 - as above
    """Give the edge index, the number of vertices and the weights."""
    if not hasattr(given, "edge_index"):
        if asked.wants_weights:
            raise ArgumentError(
                f"weights={asked.weights!r}: an edge_index has none; expected Graph.from_edges(*index, weights=...)"
            )
        return given, asked.vertices, None
    vertices = given.num_nodes if asked.vertices is None else asked.vertices
    name = weight_name(asked, "edge_weight")
    if name is None:
        return given.edge_index, vertices, None
    weights = getattr(given, name, None)
    if weights is None:
        raise ArgumentError(f"weights={name!r}: {type(given).__name__} has no such attribute")
    return given.edge_index, vertices, weights
