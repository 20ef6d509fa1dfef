"""Convert sparse matrices of SciPy and CuPy, edge indices of NumPy, PyTorch and CuPy, and PyTorch Geometric's ``Data``.

An edge index is an array of shape (2, edges).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.convert.graph_libraries import attributes_of, refuse, weight_name
from triadic.core.arguments import take_square
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.graph.graph_lists import in_memory, is_data_set, number_of_graphs

if TYPE_CHECKING:
    from triadic.convert.graph_libraries import ConvertOptions
    from triadic.core.array_types import AnyArray


def from_matrix(graph: Any, options: ConvertOptions) -> Graph:  # noqa: ANN401 - any sparse matrix
    """Convert a sparse matrix: each stored entry is an arc, and a symmetric pattern makes the graph undirected.

    Raises
    ------
    ArgumentError
        If the matrix is not sparse or not square, or if weights are requested by name.
    """
    refuse(options)
    take_square(graph)
    if options.wants_weights and options.weights is not True:
        raise ArgumentError(f"weights={options.weights!r}: expected True, the values of a matrix have no name")
    directed = options.directed
    if directed is None:
        directed = not is_symmetric(graph)
    if options.wants_weights and (options.combine is not None or options.directed is False):
        arcs = Graph.from_scipy(graph, directed=True, weights=True)  # which adds up repeated entries
        return arcs if directed else arcs.to_undirected(combine=options.combine)
    return Graph.from_scipy(graph, directed=directed, weights=options.wants_weights)


def is_symmetric(matrix: Any) -> bool:  # noqa: ANN401 - any sparse matrix
    """Return whether the pattern of stored entries of a sparse matrix is symmetric. O(m)."""
    transposed = matrix.tocsr().T.tocsr()  # which also sorts the rows
    rows = transposed.T.tocsr()
    if len(transposed.indices) == 0:
        return True
    return bool((transposed.indptr == rows.indptr).all() and (transposed.indices == rows.indices).all())


def from_edge_index(data: Any, options: ConvertOptions) -> Graph:  # noqa: ANN401 - an array of any library, or PyG's Data
    """Convert an edge index: sources in the first row, targets in the second.

    The graph is undirected if the reverse of each arc is an arc too, as PyTorch Geometric stores an undirected edge.

    Raises
    ------
    ArgumentError
        If the array is of another shape or does not hold whole numbers, or if weights are requested of a bare edge
        index.
    """
    refuse(options, attributes=hasattr(data, "edge_index"), vertices=False)
    index, vertices, weights = _parts(data, options)
    shape = tuple(getattr(index, "shape", ()))
    if len(shape) != 2 or shape[0] != 2:
        raise ArgumentError(
            f"graph: got {type(data).__name__} of shape {shape}; expected an edge_index of shape (2, edges), "
            "or an adjacency matrix as scipy.sparse.csr_array(matrix)"
        )
    columns, vertex_columns = _attributes(data, options)
    graph = _of_index((index[0], index[1]), vertices, weights, columns, options)
    return graph._with(vertex_columns=vertex_columns)  # noqa: SLF001 - for makers of graphs


def _of_index(
    ends: tuple[Any, Any],
    vertices: int | None,
    weights: Any,  # noqa: ANN401 - an array of any library
    columns: dict[str, AnyArray],
    options: ConvertOptions,
) -> Graph:
    directed, combine = options.directed, options.combine
    symmetric = False
    if not directed:
        graph = Graph.from_edges(*ends, num_vertices=vertices)
        symmetric = graph.dropped.reciprocal_merged == graph.num_edges
        if weights is None and not columns and (symmetric or directed is False):
            return graph._of_symmetric_rows() if symmetric else graph  # noqa: SLF001 - for makers of graphs
    arcs = Graph.from_edges(
        *ends, num_vertices=vertices, directed=True, weights=weights, columns=columns, combine=combine
    )
    if directed or (directed is None and not symmetric):
        return arcs
    if symmetric and combine is None and directed is None and not columns:  # both arcs of an edge carry its one weight
        return Graph.from_csr(arcs.indptr, arcs.indices, weights=arcs.weights)
    return arcs.to_undirected(combine=combine)


def _attributes(data: Any, options: ConvertOptions) -> tuple[dict[str, AnyArray], dict[str, AnyArray]]:  # noqa: ANN401 - as above
    """Return the attributes of edges and of nodes of PyG's ``Data`` that the options keep."""
    names = list(data.keys()) if options.keep else []

    def values(name: str) -> AnyArray:
        array = in_memory(data[name])
        return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array

    edges = [name for name in names if name != "edge_index" and data.is_edge_attr(name)]
    return attributes_of(options, (edges, values), ([name for name in names if data.is_node_attr(name)], values))


def _parts(data: Any, options: ConvertOptions) -> tuple[Any, int | None, Any]:  # noqa: ANN401 - an array, or PyG's Data
    """Return the edge index, the number of vertices and the weights."""
    if is_data_set(data):
        kind = type(data).__name__
        raise ArgumentError(f"graph: got the data set {kind}; expected a graph, or triadic.GraphBatch.from_graphs")
    if hasattr(data, "edge_types"):
        raise ArgumentError(f"graph: {type(data).__name__} has edges of several types; expected its to_homogeneous()")
    if not hasattr(data, "edge_index"):
        if options.wants_weights:
            raise ArgumentError(
                f"weights={options.weights!r}: an edge_index has none; expected Graph.from_edges(*index, weights=...)"
            )
        return data, options.num_vertices, None
    number = number_of_graphs(data)
    if number > 1:
        kind = type(data).__name__
        raise ArgumentError(f"graph: got a {kind} of {number} graphs; expected one, or triadic.GraphBatch.from_graphs")
    vertices = data.num_nodes if options.num_vertices is None else options.num_vertices
    name = weight_name(options, "edge_weight")
    if name is None:
        return data.edge_index, vertices, None
    weights = getattr(data, name, None)
    if weights is None:
        raise ArgumentError(f"weights={name!r}: {type(data).__name__} has no such attribute")
    shape = tuple(getattr(weights, "shape", ()))
    return data.edge_index, vertices, weights[:, 0] if len(shape) == 2 and shape[1] == 1 else weights
