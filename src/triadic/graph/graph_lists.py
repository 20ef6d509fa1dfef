"""The graphs of what people pass as a batch: a list, a dict, an iterator or a data set, also of PyTorch Geometric.

A ``Data``, a ``Batch``, or a list of them becomes the arrays of a batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.checked import type_name
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.array_types import AnyArray, Int64Array


# Objects of PyTorch Geometric have the type Any: it is no dependency, and need not be installed.


def is_geometric(graph: Any) -> bool:  # noqa: ANN401 - any object
    """Return whether an object is a ``Data`` or a ``Batch``, and not a data set of them."""
    has_edges = hasattr(graph, "edge_index") and hasattr(graph, "num_nodes") and not hasattr(graph, "edge_types")
    return has_edges and not is_data_set(graph)


def is_data_set(graphs: Any) -> bool:  # noqa: ANN401 - any object
    """Return whether an object is a ``Dataset``; one in memory has the attributes of its data, such as edge_index."""
    return any(
        kind.__name__ == "Dataset" and kind.__module__.partition(".")[0] == "torch_geometric"
        for kind in type(graphs).__mro__
    )


def number_of_graphs(data: Any) -> int:  # noqa: ANN401 - see above
    """Return the number of graphs of a ``Batch``, and 1 for a ``Data``."""
    if getattr(data, "batch", None) is None and getattr(data, "ptr", None) is None:
        return 1
    number = getattr(data, "num_graphs", None)
    return int(number) if number is not None else int(in_memory(data.batch).max(initial=-1)) + 1


def union_arrays(graphs: Sequence[Any], called: Sequence[int | str] | None) -> tuple[AnyArray, Int64Array, int]:
    """Return the disjoint union of graphs; a ``Batch`` among them is several.

    Parameters
    ----------
    graphs : sequence of Data and Batch
    called : sequence of int or str, or None
        Names of the graphs for errors; None if there is one object, which was given as a whole.

    Returns
    -------
    edge_index : int array, shape (2, arcs)
        End vertices of each arc.
    graph_of_vertex : int64 array, shape (n,)
        Graph of each vertex.
    num_graphs : int

    Raises
    ------
    ArgumentError
        If a graph has no edge_index, or an edge_index that does not fit its number of nodes.
    """
    indices, of_vertex, vertices, number = [], [], 0, 0
    for i, data in enumerate(graphs):
        where = "graphs: the " if called is None else f"graph {called[i]}: "
        if data.edge_index is None:
            kind = type(data).__name__
            raise ArgumentError(f"{where}{kind} has no edge_index; expected edges of shape (2, edges)")
        index, n = in_memory(data.edge_index), int(data.num_nodes)
        if index.ndim != 2 or len(index) != 2 or index.dtype.kind not in "iu":
            found = f"edge_index of {index.dtype} and shape {index.shape}"
            raise ArgumentError(
                f"{where.removesuffix('the ')}got an {found}; expected whole numbers of shape (2, edges)"
            )
        if index.size and not 0 <= index.min() <= index.max() < n:
            wrong = index.min() if index.min() < 0 else index.max()
            raise ArgumentError(f"{where.removesuffix('the ')}edge_index has the vertex {wrong}, of {n} nodes")
        indices.append(index.astype(np.int64, copy=False) + vertices if vertices else index)
        graph = _graph_of_vertex(data, n)
        graphs_here = number_of_graphs(data)
        of_vertex.append(graph + number)
        vertices, number = vertices + n, number + max(graphs_here, int(graph.max(initial=-1)) + 1)
    return np.concatenate(indices, axis=1), np.concatenate(of_vertex), number


def _graph_of_vertex(data: Any, n: int) -> Int64Array:  # noqa: ANN401 - see above
    """Return the graph of each vertex in a ``Batch``, and zeros for a ``Data``."""
    # `ptr` can be out of date: `Data.subgraph` selects from `batch` alone.
    numbers, offsets = getattr(data, "batch", None), getattr(data, "ptr", None)
    if numbers is None and offsets is not None:
        sizes = np.diff(in_memory(offsets))
        numbers = np.repeat(np.arange(len(sizes)), sizes)
    if numbers is None:
        return np.zeros(n, np.int64)
    if len(numbers) != n:
        raise ArgumentError(f"batch: expected {n} numbers of graphs, got {len(numbers)}")
    return in_memory(numbers).astype(np.int64, copy=False)


def in_memory(array: Any) -> AnyArray:  # noqa: ANN401 - a tensor, which may lie on a card, or any array
    """Return an array of NumPy with the values of an array of any library."""
    return np.asarray(array.cpu() if hasattr(array, "cpu") else array)


class GraphList(NamedTuple):
    """Graphs in order.

    Attributes
    ----------
    graphs : list of any inputs that `Graph` accepts
    called : list of int or str
        Name of each graph in messages.
    keys : int64 array or object array of str, or None
        Names, if the graphs were given as a mapping.
    """

    graphs: list[Any]
    called: list[Any]
    keys: AnyArray | None


def list_graphs(name: str, graphs: Any) -> GraphList:  # noqa: ANN401 - whatever a user passes
    """Return the graphs of a mapping or of a collection.

    Parameters
    ----------
    name : str
        Name of the argument, for errors.
    graphs : object

    Raises
    ------
    ArgumentError
        If the object is one graph, a path, or no collection.
    """
    if hasattr(graphs, "edge_types") and not is_data_set(graphs):
        raise ArgumentError(
            f"{name}: {type(graphs).__name__} has edges of several types; expected its to_homogeneous()"
        )
    if isinstance(graphs, (str, PathLike)):
        raise ArgumentError(
            f"{name}: got the path {str(graphs)!r}; expected a list or a dict of graphs, or triadic.read_batch"
        )
    if isinstance(graphs, Mapping) and not hasattr(graphs, "nodes"):
        keys = _keys(graphs)
        return GraphList(list(graphs.values()), keys.tolist(), keys)
    if not is_data_set(graphs) and (isinstance(graphs, Graph) or hasattr(graphs, "nodes")):
        raise ArgumentError(f"{name}: got one {type_name(graphs)}; expected a list or a dict of graphs")
    numbers = hasattr(graphs, "dtype") and graphs.dtype != object
    # A part of a data set, such as `torch.utils.data.random_split` returns, can only be indexed.
    indexed = hasattr(graphs, "__getitem__") and hasattr(graphs, "__len__")
    several = not numbers and not isinstance(graphs, bytes) and not hasattr(graphs, "columns")
    if not several or not (indexed or isinstance(graphs, Iterable)):
        table = ", or triadic.GraphBatch.from_table for a table" if hasattr(graphs, "columns") else ""
        raise ArgumentError(f"{name}: got {type_name(graphs)}; expected a list or a dict of graphs{table}")
    listed = list(graphs) if isinstance(graphs, Iterable) else [graphs[i] for i in range(len(graphs))]
    return GraphList(listed, list(range(len(listed))), None)


def _keys(graphs: Mapping[Any, Any]) -> AnyArray:
    """Return the keys of a mapping of graphs as names: strings, if they are not all whole numbers."""
    keys = list(graphs)
    if all(isinstance(key, (int, np.integer)) and not isinstance(key, bool) for key in keys):
        return np.array(keys, np.int64)
    return np.array([*map(str, keys)], object)
