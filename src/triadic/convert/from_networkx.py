"""Graphs of networkx, multigraphs included: nodes as labels, an edge attribute as weights.

Its dictionaries are read in one pass. Nodes are numbered as networkx iterates over them, whatever they are: they are
never sorted, and looked up only by hash. Whole numbers that are not far apart go through a table in NumPy, anything
else through a dictionary.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import chain, compress, islice
from numbers import Real
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from triadic.convert.edges import refuse_columns, refuse_vertices, usable_labels, weight_name
from triadic.core.arcs import Arcs
from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from numpy.typing import NDArray

    from triadic.io.options import ReadOptions

    Ids = NDArray[np.integer[Any]]

_MOST_ROOM = 8  # entries of the table of whole numbers, for each node
_BATCH = 1 << 12  # edges whose weights are read at a time


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


def make(given: Any, asked: ReadOptions, combine: str) -> Graph:  # noqa: ANN401 - networkx.Graph or one derived from it
    """Make a graph of a networkx graph.

    Raises
    ------
    ArgumentError
        An object of networkx that is no graph; directions asked of a graph that has none; an edge attribute that is
        nowhere, or holds something else than finite numbers.
    """
    refuse_columns(asked)
    refuse_vertices(asked)
    if not hasattr(given, "_adj"):
        raise ArgumentError(f"graph: got {type(given).__name__} of networkx; expected a Graph or DiGraph")
    if asked.directed is True and not given.is_directed():
        raise ArgumentError("directed=True: the graph is undirected, its edges have no direction")
    weight = weight_name(asked)
    if weight is not None and len(given.edges) and not any(weight in data for _, _, data in given.edges(data=True)):
        raise ArgumentError(f"weights={weight!r}: no edge has that attribute")
    try:
        nodes, arcs = arcs_of(given, weight)
    except UnsupportedError as error:  # which leaves a call of networkx to it, and here there is nobody to leave it to
        raise ArgumentError(str(error).replace("weight=", "weights=", 1)) from error
    graph = Graph.from_arcs(replace(arcs, labels=usable_labels(nodes)), directed=asked.directed, combine=combine)
    repeats = given.number_of_edges() - len(arcs)
    if repeats:  # of a multigraph, whose parallel edges are read as one where no weights are
        dropped, loops = graph.dropped, _loops(given)
        more = loops - dropped.loops
        graph._dropped = replace(dropped, loops=loops, duplicates=dropped.duplicates + repeats - more)  # noqa: SLF001 - still being made
    return graph


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
    O(nodes + edges), some 50 ns for each entry of the adjacency, and twice that with weights.

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
    given: Iterable[dict[Hashable, Any]] = ()
    if weight is not None:
        given = chain.from_iterable(map(_values, adjacency.values()))
        if graph.is_multigraph():
            parallel = list(given)
            times = np.fromiter(map(len, parallel), dtype=np.int64, count=len(parallel))
            source, target = np.repeat(source, times), np.repeat(target, times)
            given = chain.from_iterable(map(_values, parallel))
    if not directed:  # every edge but a loop stands in the rows of both its ends
        once = source <= target
        source, target = source[once], target[once]
        given = compress(given, once.tobytes())
    weights = None if weight is None else _weights(graph, given, weight, default)
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


def _weights(
    graph: nx.Graph, given: Iterable[dict[Hashable, Any]], weight: Hashable, default: float
) -> NDArray[np.float64]:
    """Give an attribute of each edge, batch by batch, so that what is looked at more than once is in cache."""
    dictionaries, batches = iter(given), [np.empty(0)]
    by_key = graph.edge_attr_dict_factory is dict  # asking another kind by key may change it
    while edges := list(islice(dictionaries, _BATCH)):
        batches.append(_numbers_of(_attributes(edges, weight, default, by_key=by_key), weight))
    return np.concatenate(batches)


def _attributes(edges: list[dict[Hashable, Any]], weight: Hashable, default: float, *, by_key: bool) -> list[Any]:
    if by_key:  # half the time of asking with a default, where no edge lacks it
        with suppress(KeyError):
            return list(map(itemgetter(weight), edges))
    return [data.get(weight, default) for data in edges]


def _numbers_of(given: list[Any], weight: Hashable) -> NDArray[np.float64]:
    wrong = next((kind for kind in set(map(type, given)) if not issubclass(kind, Real)), None)
    if wrong is not None:
        raise UnsupportedError(f"weight={weight!r}: expected numbers, got {wrong.__name__}")
    try:
        numbers = np.array(given, dtype=np.float64)
    except OverflowError:
        raise UnsupportedError(f"weight={weight!r}: expected numbers below 1.8e308, got a larger one") from None
    if not np.isfinite(numbers).all():
        raise UnsupportedError(f"weight={weight!r}: expected finite numbers, got {numbers[~np.isfinite(numbers)][0]}")
    return numbers


def _loops(given: Any) -> int:  # noqa: ANN401 - a multigraph of networkx
    return sum(len(row[node]) for node, row in given.adj.items() if node in row)
