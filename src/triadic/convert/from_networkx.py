"""Convert graphs of networkx, multigraphs included.

One pass reads the dictionaries of the graph. Nodes are numbered in networkx's order, and only hashed, never compared
by size. For integers close together a NumPy table holds the numbers, and for all other nodes a dictionary.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, compress
from numbers import Real
from operator import methodcaller
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from triadic.convert.graph_libraries import attributes_of, refuse, weight_name
from triadic.core.arcs import Arcs
from triadic.core.oriented import index_dtype
from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.graph import Graph
from triadic.graph.labels import usable_labels

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from triadic.convert.graph_libraries import ConvertOptions
    from triadic.core.array_types import Float64Array, Ids


_TABLE_ENTRIES_PER_NODE = 8  # at most, or a dictionary is used


class NetworkxArcs(NamedTuple):
    """A networkx graph as arrays.

    Attributes
    ----------
    nodes : list
        The node of each vertex, in networkx's order.
    arcs : Arcs
        Each arc once, each edge of an undirected graph once, loops included; without labels.
    """

    nodes: list[Hashable]
    arcs: Arcs


def convert(graph: Any, options: ConvertOptions) -> Graph:  # noqa: ANN401 - networkx.Graph or a subclass
    """Convert a networkx graph; nodes become the labels, as integers if all are integers, otherwise as strings.

    Raises
    ------
    ArgumentError
        If the object is not a graph, if directions are requested of an undirected graph, or if no edge has the
        attribute of the weights or it does not hold finite numbers.
    """
    refuse(options, attributes=True, directed=graph.is_directed())
    weight = weight_name(options)
    if weight is not None and not any(weight in data for _, _, data in graph.edges(data=True)) and graph.size():
        raise ArgumentError(f"weights={weight!r}: no edge has that attribute")
    try:
        nodes, arcs = arcs_of(graph, weight, parallel=bool(options.keep))
    except UnsupportedError as error:  # which makes the networkx backend fall back to networkx
        raise ArgumentError(str(error).replace("weight=", "weights=", 1)) from error
    # The edges of networkx come in the order of the rows, as the arcs do.
    edges = chain.from_iterable(data for *_, data in graph.edges(data=True))
    of_nodes = chain.from_iterable(data for _, data in graph.nodes(data=True))
    columns, vertex_columns = attributes_of(
        options,
        (edges, lambda name: [value for *_, value in graph.edges(data=name)]),
        (of_nodes, lambda name: [value for _, value in graph.nodes(data=name)]),
    )
    arcs = replace(arcs, columns=columns, vertex_columns=vertex_columns, labels=usable_labels(nodes))
    converted = Graph.from_arcs(arcs, directed=options.directed, combine=options.combine)
    parallel = graph.number_of_edges() - len(arcs) if graph.is_multigraph() else 0
    if not parallel:
        return converted
    # Without weights the parallel edges of a multigraph are read as one; `dropped` counts them all the same.
    loops = sum(len(row[node]) for node, row in graph.adj.items() if node in row)
    duplicates = converted.dropped.duplicates + parallel - (loops - converted.dropped.loops)
    return converted._with(dropped=replace(converted.dropped, loops=loops, duplicates=duplicates))  # noqa: SLF001 - for makers of graphs


def arcs_of(
    graph: nx.Graph, weight: Hashable | None = None, default: float = 1.0, *, parallel: bool = False
) -> NetworkxArcs:
    """Read the arcs of a networkx graph of any class, views included.

    Parameters
    ----------
    graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
        Parallel edges become one arc; with `weight`, one arc each.
    weight : hashable, optional
        The edge attribute that holds the weights. By default the arcs have no weights.
    default : float, default 1.0
        The weight of an edge without the attribute.

    Returns
    -------
    NetworkxArcs

    Raises
    ------
    UnsupportedError
        If a weight is not a finite real number.
    networkx.NetworkXError
        If a neighbour is not a node, after the dictionaries of the graph were changed by hand.

    Notes
    -----
    O(nodes + edges), about 50 ns for each entry of the adjacency, and twice that with weights.

    Examples
    --------
    >>> import networkx as nx
    >>> read = arcs_of(nx.Graph([("a", "b"), ("b", "c")]))
    >>> read.nodes, read.arcs.source, read.arcs.target
    (['a', 'b', 'c'], array([0, 1], dtype=int32), array([1, 2], dtype=int32))
    """
    adjacency = graph._adj  # noqa: SLF001 - twice as fast as the public views, and graph views have it too
    nodes = list(adjacency)
    n, directed = len(nodes), graph.is_directed()
    width = np.fromiter(map(len, adjacency.values()), np.int64, count=n)
    target = _numbers(nodes, adjacency, int(np.add.reduce(width)))
    source = np.arange(n, dtype=target.dtype).repeat(width)
    attributes: Iterable[dict[Hashable, Any]] = ()
    if weight is not None or (parallel and graph.is_multigraph()):
        attributes = chain.from_iterable(map(methodcaller("values"), adjacency.values()))
        if graph.is_multigraph():
            bundles = list(attributes)
            times = np.fromiter(map(len, bundles), np.int64, count=len(bundles))
            source, target = np.repeat(source, times), np.repeat(target, times)
            attributes = chain.from_iterable(map(methodcaller("values"), bundles))
    if not directed:  # every edge but a loop stands in the rows of both its ends
        once = source <= target
        source, target = source[once], target[once]
        attributes = compress(attributes, once.tobytes()) if weight is not None else ()
    weights = None if weight is None else _as_floats([data.get(weight, default) for data in attributes], weight)
    return NetworkxArcs(nodes, Arcs(source, target, n, directed, weights))


def _numbers(nodes: list[Hashable], adjacency: dict[Hashable, Any], entries: int) -> Ids:
    """Return the number of each neighbour, row after row."""
    numbers = _numbers_by_table(nodes, adjacency, entries) if set(map(type, nodes)) == {int} else None
    if numbers is not None:
        return numbers
    number = dict(zip(nodes, range(len(nodes)), strict=True))
    neighbours = map(number.__getitem__, chain.from_iterable(adjacency.values()))
    try:
        return np.fromiter(neighbours, index_dtype(len(nodes)), count=entries)
    except KeyError as missing:
        raise nx.NetworkXError(
            f"{missing.args[0]!r} is a neighbour but no node: the graph was changed by hand"
        ) from None


def _numbers_by_table(nodes: list[Any], adjacency: dict[Hashable, Any], entries: int) -> Ids | None:
    """Return the numbers of integer neighbours; None if the table would be too long or a neighbour is no integer."""
    lowest, length = min(nodes), max(nodes) - min(nodes) + 1
    if length > _TABLE_ENTRIES_PER_NODE * len(nodes) or max(-lowest, lowest + length) > 2**62:
        return None
    try:
        slot = np.fromiter(chain.from_iterable(adjacency.values()), np.int64, count=entries)
    except (TypeError, ValueError, OverflowError):  # a neighbour is no integer, or a large one
        return None
    slot -= lowest
    if entries and (slot.min() < 0 or slot.max() >= length):
        return None
    dtype = index_dtype(len(nodes))
    table: Ids = np.full(length, -1, dtype)
    table[np.fromiter(nodes, np.int64, count=len(nodes)) - lowest] = np.arange(len(nodes), dtype=dtype)
    numbers: Ids = table[slot]
    return None if entries and numbers.min() < 0 else numbers


def _as_floats(values: list[Any], weight: Hashable) -> Float64Array:
    wrong = next((kind for kind in set(map(type, values)) - {int, float} if not issubclass(kind, Real)), None)
    if wrong is not None:
        raise UnsupportedError(f"weight={weight!r}: expected numbers, got {wrong.__name__}")
    try:
        floats = np.array(values, np.float64)
    except OverflowError:
        raise UnsupportedError(f"weight={weight!r}: expected numbers below 1.8e308, got a larger one") from None
    if not np.isfinite(floats).all():
        raise UnsupportedError(f"weight={weight!r}: expected finite numbers, got {floats[~np.isfinite(floats)][0]}")
    return floats
