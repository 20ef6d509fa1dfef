"""From a networkx graph to arrays, in one pass over its dictionaries, and back.

Nodes are numbered as networkx iterates over them, whatever they are: they are never sorted, and looked up only by
hash. Whole numbers that are not far apart go through a table in NumPy, anything else through a dictionary.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from triadic.arcs import Arcs
from triadic.errors import UnsupportedError
from triadic.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]

_MOST_ROOM = 8  # entries of the table of whole numbers, for each node


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


def arcs_of(graph: nx.Graph, weight: Hashable | None = None, default: float = 1.0) -> NetworkxArcs:
    """Read the arcs of a networkx graph of any kind, a view included.

    Parameters
    ----------
    graph : networkx.Graph
        Or a DiGraph, MultiGraph or MultiDiGraph. Parallel edges become one arc, with a weight one arc each.
    weight : hashable, optional
        The edge attribute to take as weight; without it the arcs have no weights.
    default : float, default 1.0
        The weight of an edge without the attribute.

    Returns
    -------
    NetworkxArcs

    Raises
    ------
    UnsupportedError
        A weight that is not a finite real number.
    networkx.NetworkXError
        A neighbour that is no node, as where dictionaries of the graph were changed by hand.

    Notes
    -----
    O(nodes + edges), some 50 ns for each entry of the adjacency.

    Examples
    --------
    >>> import networkx as nx
    >>> read = arcs_of(nx.Graph([("a", "b"), ("b", "c")]))
    >>> read.nodes, read.arcs.source, read.arcs.target
    (['a', 'b', 'c'], array([0, 1], dtype=int32), array([1, 2], dtype=int32))
    """
    adjacency = graph._adj  # noqa: SLF001 - twice as fast as through its views, and where views of graphs have theirs too
    nodes = list(adjacency)
    n, directed = len(nodes), graph.is_directed()
    width = np.fromiter(map(len, adjacency.values()), dtype=np.int64, count=n)
    target = _numbers(nodes, adjacency, int(width.sum()))
    source = np.repeat(np.arange(n, dtype=target.dtype), width)
    weights = None
    if weight is not None:
        given: Iterable[dict[Hashable, Any]] = chain.from_iterable(map(_values, adjacency.values()))
        if graph.is_multigraph():
            parallel = list(given)
            times = np.fromiter(map(len, parallel), dtype=np.int64, count=len(parallel))
            source, target = np.repeat(source, times), np.repeat(target, times)
            given = chain.from_iterable(map(_values, parallel))
        weights = _weights([data.get(weight, default) for data in given], weight)
    if not directed:  # every edge but a loop stands in the rows of both its ends
        once = source <= target
        source, target = source[once], target[once]
        weights = None if weights is None else weights[once]
    return NetworkxArcs(nodes, Arcs(source, target, n, directed, weights))


def _values(row: dict[Hashable, Any]) -> Iterable[Any]:
    return row.values()


def _numbers(nodes: list[Hashable], adjacency: dict[Hashable, Any], entries: int) -> Ids:
    """Give the number of each neighbour, row after row."""
    dtype = np.dtype(np.int32 if len(nodes) <= np.iinfo(np.int32).max else np.int64)
    found = _from_table(nodes, adjacency, entries, dtype) if set(map(type, nodes)) == {int} else None
    if found is not None:
        return found
    number = dict(zip(nodes, range(len(nodes)), strict=True))
    neighbours = map(number.__getitem__, chain.from_iterable(adjacency.values()))
    try:
        return np.fromiter(neighbours, dtype=dtype, count=entries)
    except KeyError as missing:
        raise nx.NetworkXError(
            f"{missing.args[0]!r} is a neighbour but no node: the graph was changed by hand"
        ) from None


def _from_table(nodes: list[Any], adjacency: dict[Hashable, Any], entries: int, dtype: np.dtype[Any]) -> Ids | None:
    """Give numbers of nodes that are whole numbers; None where a table would be too long, or one is something else."""
    lowest, room = min(nodes), max(nodes) - min(nodes) + 1
    if room > _MOST_ROOM * len(nodes) or max(-lowest, lowest + room) > 2**62:
        return None
    try:
        place = np.fromiter(chain.from_iterable(adjacency.values()), dtype=np.int64, count=entries)
    except (TypeError, ValueError, OverflowError):  # equal to a whole number, and yet NumPy cannot take it
        return None
    place -= lowest
    if entries and (place.min() < 0 or place.max() >= room):
        return None
    table: Ids = np.full(room, -1, dtype=dtype)
    table[np.fromiter(nodes, dtype=np.int64, count=len(nodes)) - lowest] = np.arange(len(nodes), dtype=dtype)
    found: Ids = table[place]
    return None if entries and found.min() < 0 else found


def _weights(given: list[Any], weight: Hashable) -> NDArray[np.float64]:
    wrong = next((kind for kind in set(map(type, given)) if not issubclass(kind, Real)), None)
    if wrong is not None:
        raise UnsupportedError(f"weight={weight!r}: expected numbers, got {wrong.__name__}")
    try:
        weights = np.array(given, dtype=np.float64)
    except OverflowError:
        raise UnsupportedError(f"weight={weight!r}: expected numbers below 1.8e308, got a larger one") from None
    if not np.isfinite(weights).all():
        raise UnsupportedError(f"weight={weight!r}: expected finite numbers, got {weights[~np.isfinite(weights)][0]}")
    return weights


def graph_from_networkx(graph: nx.Graph, *, weight: Hashable | None = None) -> Graph:
    """Make triadic's graph of a networkx graph, with its nodes as labels where those are all strings or whole numbers.

    Parameters
    ----------
    graph : networkx.Graph
        Of any kind; the weights of parallel edges are added up.
    weight : hashable, optional
        The edge attribute to take as weights; 1 where an edge lacks it.

    Returns
    -------
    Graph

    Examples
    --------
    >>> import networkx as nx
    >>> graph_from_networkx(nx.Graph([("a", "b"), ("b", "c")])).labels
    array(['a', 'b', 'c'], dtype=object)
    """
    from triadic.convert.edges import usable_labels  # noqa: PLC0415 - what it imports may import this

    nodes, arcs = arcs_of(graph, weight)
    return Graph.from_arcs(replace(arcs, labels=usable_labels(nodes)))
