"""Convert graphs, sparse matrices and edge indices of other libraries, and a `Graph` to another library's object.

Graphs are those of igraph, rustworkx, NetworKit and graph-tool, and PyTorch Geometric's ``Data``; matrices are sparse,
of SciPy and CuPy. An edge index of NumPy, PyTorch or CuPy is an array of shape (2, edges).

In rustworkx and NetworKit, the numbers of nodes have holes after nodes were removed. Filtered graphs of graph-tool are
converted, too. What the converters of all libraries do with options, attributes, weights and names is here as well.

`triadic.graph.exports` documents the functions ``to_...`` as its methods. Vertices go by their labels if every vertex
has a label of its own, and by their numbers otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.result_table import frame, imported
from triadic.core.arguments import take_square
from triadic.core.oriented import rows_of_entries
from triadic.core.records import value_class
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph, edge_arcs
from triadic.graph.graph_lists import in_memory, is_data_set, number_of_graphs
from triadic.graph.labels import usable_labels, vertex_names
from triadic.graph.weights import WEIGHT
from triadic.io.format import ReadOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import igraph
    import networkx as nx
    from numpy.typing import ArrayLike

    from triadic.convert.result_table import Backend
    from triadic.core.array_types import AnyArray, Int64Array

    Attributes = tuple[dict[str, AnyArray], dict[str, AnyArray]]
    Source = tuple[Iterable[str], Callable[[str], Sequence[object] | AnyArray]]


@value_class
class ConvertOptions(ReadOptions):
    """The keywords of `Graph`, which every converter takes.

    Attributes
    ----------
    combine : str or mapping from str to str, optional
        How to combine the weights and the columns of a repeated edge.
    """

    combine: str | Mapping[str, str] | None = None


def _graph_of_edges(
    ends: Int64Array,
    ids: Sequence[int] | Int64Array,
    names: Sequence[object] | None,
    options: ConvertOptions,
    *,
    directed: bool,
    weights: ArrayLike | None,
    attributes: Attributes = ({}, {}),
) -> Graph:
    """Make a graph of the edges of a library whose graphs have a direction and vertices of their own.

    Parameters
    ----------
    ends : int64 array, shape (edges, 2)
        Source and target of each edge, as ids.
    ids : sequence of int
        The id of each vertex, at least 0; there may be holes among them.
    names : sequence of object, or None
        The name of each vertex, from which `usable_labels` makes labels.
    options : ConvertOptions
        The keywords of `Graph`. By default the weights of parallel edges of an undirected graph of the library are
        added, whichever end stands first.
    directed : bool
        Whether the library's graph is directed.
    weights : array_like or None
        Weights of the edges.
    attributes : pair of dict of str to array, optional
        Columns of the edges and of the vertices. By default none.

    Raises
    ------
    ArgumentError
        If `options` asks for directions that the graph does not have, or sets a number of vertices or names of
        columns.
    """
    refuse(options, attributes=True, directed=directed)
    numbers = np.asarray(ids, np.int64)
    position = np.full(numbers.max(initial=-1) + 1, -1)
    position[numbers] = np.arange(len(numbers))
    columns, of_vertices = attributes
    graph = Graph.from_edges(
        *position[ends].T,
        num_vertices=len(numbers),
        directed=directed if options.directed is None else options.directed,
        weights=weights,
        columns=columns,
        labels=None if names is None else usable_labels(names),
        combine="sum" if options.combine is None and not directed else options.combine,
    )
    return graph._with(vertex_columns=of_vertices)  # noqa: SLF001 - for makers of graphs


def refuse(
    options: ReadOptions, *, attributes: bool = False, vertices: bool = True, directed: bool | None = None
) -> None:
    """Raise an ArgumentError if the options do not suit a graph of another library.

    Parameters
    ----------
    options : ReadOptions
        Options that may not name columns of a table.
    attributes : bool, default False
        Whether the options may name attributes.
    vertices : bool, default True
        Whether the graph has a number of vertices of its own, so that the options may set none.
    directed : bool, optional
        Direction of the graph: the options may not ask for directions of an undirected one. By default not known.
    """
    if (options.source, options.target) != (None, None):
        raise ArgumentError(
            f"source={options.source!r}, target={options.target!r}: expected a table, which has columns"
        )
    if options.keep and not attributes:
        raise ArgumentError(f"columns={list(options.keep)!r}: expected a table, or a graph whose edges have attributes")
    if options.num_vertices is not None and vertices:
        raise ArgumentError(
            f"num_vertices={options.num_vertices}: expected none, the graph has its own number of vertices"
        )
    if options.directed is True and directed is False:
        raise ArgumentError("directed=True: the graph is undirected, its edges have no direction")


def attributes_of(options: ReadOptions, edges: Source, vertices: Source) -> Attributes:
    """Return the attributes of edges and of vertices that the options keep.

    Parameters
    ----------
    options : ReadOptions
    edges, vertices : pair of an iterable of str and a callable
        Names of all attributes, and a function that returns the values of one of them, one for each edge or vertex;
        None is a missing one. The names are only asked for if the options name attributes.

    Returns
    -------
    edges, vertices : dict of str to array

    Raises
    ------
    ArgumentError
        An attribute does not exist, or its values are of several types or of one that no column has.
    """
    found: Attributes = ({}, {})
    if not options.keep:
        return found
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and only columns need it

    from triadic.io.arrow_columns import values_of  # noqa: PLC0415 - as above

    known = [list(dict.fromkeys(names)) for names, _ in (edges, vertices)]
    for name in options.keep:
        if name not in known[0] + known[1]:
            expected = f"the edges have {known[0] or 'no attributes'}, the vertices {known[1] or 'none'}"
            raise ArgumentError(f"columns={[name]!r}: {expected}")
        for columns, names, (_, values) in zip(found, known, (edges, vertices), strict=True):
            if name in names:
                try:
                    column = pa.chunked_array([pa.array(values(name), from_pandas=True)])
                except (pa.ArrowException, OverflowError) as error:
                    raise ArgumentError(f"columns={[name]!r}: {' '.join(str(error).split())[:200]}") from None
                columns[name] = values_of(column, name, ArgumentError)
    return found


def weight_name(options: ReadOptions, default: str = "weight") -> str | None:
    """Return the attribute that holds the weights: `default` for ``weights=True``, and None without weights."""
    if not options.wants_weights:
        return None
    if options.weights is not True and not isinstance(options.weights, str):
        raise ArgumentError(f"weights={options.weights!r}: expected the name of an attribute, or True for {default!r}")
    return default if options.weights is True else options.weights


def from_igraph(graph: Any, options: ConvertOptions) -> Graph:  # noqa: ANN401 - igraph.Graph
    """Convert an `igraph.Graph`; the vertex attribute "name" becomes the labels, as strings unless all are integers.

    Raises
    ------
    ArgumentError
        If the object is not a graph, or if an edge attribute with the name of the weights is missing or does not hold
        finite numbers.
    """
    ends = np.fromiter(chain.from_iterable(graph.get_edgelist()), np.int64).reshape(-1, 2)
    attribute, weights = weight_name(options), None
    if attribute is not None:
        if attribute not in graph.es.attributes():
            raise ArgumentError(f"weights={attribute!r}: the edges have {graph.es.attributes() or 'no attributes'}")
        weights = graph.es[attribute]
    names = graph.vs["name"] if "name" in graph.vs.attributes() else range(graph.vcount())
    return _graph_of_edges(
        ends,
        range(graph.vcount()),
        # A vertex that was added without a name goes by its number.
        [number if name is None else name for number, name in enumerate(names)],
        options,
        directed=graph.is_directed(),
        weights=weights,
        attributes=attributes_of(
            options, (graph.es.attributes(), graph.es.__getitem__), (graph.vs.attributes(), graph.vs.__getitem__)
        ),
    )


def from_rustworkx(graph: Any, options: ConvertOptions) -> Graph:  # noqa: ANN401 - rustworkx.PyGraph or PyDiGraph
    """Convert a `rustworkx.PyGraph` or `PyDiGraph`; node payloads become the labels, edge payloads the weights.

    Payloads that are neither strings, numbers nor tuples are data, not labels.

    Raises
    ------
    ArgumentError
        If the object is not a graph, or if an edge has no such weight.
    """
    are_names = all(isinstance(payload, (str, int, float, tuple, np.generic)) for payload in graph.nodes())
    weights: Any = None
    if options.wants_weights:
        weights = [_weight(payload, options.weights) for payload in graph.edges()]
    return _graph_of_edges(
        np.array(graph.edge_list(), np.int64).reshape(-1, 2),
        list(graph.node_indices()),
        graph.nodes() if are_names else None,
        options,
        directed=hasattr(graph, "successors"),
        weights=weights,
        attributes=attributes_of(options, _in_payloads(graph.edges()), _in_payloads(graph.nodes())),
    )


def _in_payloads(payloads: Iterable[object]) -> tuple[Iterable[str], Callable[[str], list[object]]]:
    """Return the names and the values of payloads that are mappings, as `attributes_of` takes them."""
    names = chain.from_iterable(payload for payload in payloads if isinstance(payload, Mapping))
    return names, lambda name: [each.get(name) if isinstance(each, Mapping) else None for each in payloads]


def _weight(payload: object, name: bool | str | int | None) -> object:
    if name is True:
        return payload
    if isinstance(payload, Mapping) and name in payload:
        return payload[name]
    raise ArgumentError(f"weights={name!r}: an edge has {payload!r}; expected a mapping with that key on every edge")


def from_networkit(graph: Any, options: ConvertOptions) -> Graph:  # noqa: ANN401 - networkit.Graph
    """Convert a `networkit.Graph`; ``weights=True`` takes its weights.

    Raises
    ------
    ArgumentError
        If the object is not a graph, or if weights are requested by name or of a graph without weights.
    """
    refuse(options)
    ids, weights = list(graph.iterNodes()), None
    if options.wants_weights:
        if options.weights is not True or not graph.isWeighted():
            raise ArgumentError(f"weights={options.weights!r}: expected True, of a graph of NetworKit that has weights")
        entries = np.fromiter(chain.from_iterable(graph.iterEdgesWeights()), np.float64).reshape(-1, 3)
        ends, weights = entries[:, :2].astype(np.int64), entries[:, 2]
    else:
        ends = np.fromiter(chain.from_iterable(graph.iterEdges()), np.int64).reshape(-1, 2)
    return _graph_of_edges(ends, ids, ids, options, directed=graph.isDirected(), weights=weights)


def from_graph_tool(graph: Any, options: ConvertOptions) -> Graph:  # noqa: ANN401 - graph_tool.Graph or GraphView
    """Convert a `graph_tool.Graph` or `GraphView`; the vertex property "name" becomes the labels.

    Raises
    ------
    ArgumentError
        If the object is not a graph, or has no edge property with the name of the weights.
    """
    ids = np.asarray(graph.get_vertices(), np.int64)
    name = weight_name(options)
    if name is None:
        entries = np.asarray(graph.get_edges())
    elif name in graph.ep:
        entries = np.asarray(graph.get_edges(eprops=[graph.ep[name]]))
    else:
        raise ArgumentError(f"weights={name!r}: the edge properties are {', '.join(graph.ep) or 'none'}")
    names = [graph.vp["name"][v] for v in ids.tolist()] if "name" in graph.vp else ids.tolist()
    return _graph_of_edges(
        entries[:, :2].astype(np.int64),
        ids,
        names,
        options,
        directed=graph.is_directed(),
        weights=None if name is None else entries[:, 2],
        attributes=attributes_of(
            options,
            (graph.ep, lambda name: [graph.ep[name][edge] for edge in graph.edges()]),
            (graph.vp, lambda name: [graph.vp[name][vertex] for vertex in ids.tolist()]),
        ),
    )


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


def to_networkx(graph: Graph) -> nx.Graph:
    """Return a networkx Graph or DiGraph; weights become the edge attribute "weight"."""
    package = imported("networkx", "to_networkx")
    converted: nx.Graph = package.DiGraph() if graph.directed else package.Graph()
    names = vertex_names(graph.labels, graph.num_vertices)
    # Nodes and edges without attributes are added by themselves: a dictionary for each takes time.
    nodes, ends = names.tolist(), [names[end].tolist() for end in graph.edges()]
    of_nodes, of_edges = _records(graph.vertex_columns), _records(_columns(graph))
    converted.add_nodes_from(zip(nodes, of_nodes, strict=True) if of_nodes else nodes)
    converted.add_edges_from(zip(*ends, *([of_edges] if of_edges else []), strict=True))
    return converted


def _records(columns: Mapping[str, AnyArray]) -> Iterator[dict[str, object]] | None:
    """Return the values of each row by name, without missing ones; None without columns."""
    if not columns:
        return None
    pairs = (zip(columns, row, strict=True) for row in zip(*map(_values, columns.values()), strict=True))
    return ({name: value for name, value in row if value is not None and value == value} for row in pairs)  # noqa: PLR0124 - NaN


def _values(column: AnyArray) -> list[Any]:
    """Return the values of a column; dates as those of Python, which have microseconds."""
    values: list[Any] = (column.astype("M8[us]") if column.dtype == "M8[ns]" else column).tolist()
    return values


def to_igraph(graph: Graph) -> igraph.Graph:
    """Return an igraph Graph; labels become the vertex attribute "name", weights the edge attribute "weight"."""
    package = imported("igraph", "to_igraph")
    ends = np.column_stack(graph.edges()).tolist()
    converted: igraph.Graph = package.Graph(n=graph.num_vertices, edges=ends, directed=graph.directed)
    names = vertex_names(graph.labels, graph.num_vertices)
    if names is graph.labels:
        converted.vs["name"] = names.tolist()
    for name, column in graph.vertex_columns.items():
        converted.vs[name] = _values(column)
    for name, column in _columns(graph).items():
        converted.es[name] = _values(column)
    return converted


def to_edge_index(graph: Graph) -> Int64Array:
    """Return source and target of each arc, an undirected edge as two arcs: int64, shape (2, num_arcs)."""
    return np.stack([rows_of_entries(graph.indptr), graph.indices.astype(np.int64)])


def to_frame(graph: Graph, backend: Backend) -> Any:  # noqa: ANN401 - a table of the library named
    """Return the edges as a table of one of the libraries."""
    names = vertex_names(graph.labels, graph.num_vertices)
    source, target = graph.edges()
    return frame({"source": names[source], "target": names[target]} | _columns(graph), backend)


def _columns(graph: Graph) -> dict[str, AnyArray]:
    """Return the columns of the edges in the order of ``graph.edges()``, weights first."""
    arcs = edge_arcs(graph)
    weights = {} if arcs.weights is None else {WEIGHT: arcs.weights}
    return {name: np.array(values) for name, values in (weights | dict(arcs.columns)).items()}
