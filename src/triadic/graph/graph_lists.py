"""The graphs of what people pass as a batch: a list, a dict, an iterator or a data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.checked import type_name
from triadic.errors import ArgumentError
from triadic.graph.geometric import is_data_set
from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    keys: NDArray[Any] | None


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


def _keys(graphs: Mapping[Any, Any]) -> NDArray[Any]:
    """Return the keys of a mapping of graphs as names: strings, if they are not all whole numbers."""
    keys = list(graphs)
    if all(isinstance(key, (int, np.integer)) and not isinstance(key, bool) for key in keys):
        return np.array(keys, dtype=np.int64)
    return np.array([*map(str, keys)], dtype=object)
