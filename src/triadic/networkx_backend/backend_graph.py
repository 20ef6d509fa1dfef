"""The graph that networkx passes to the backend's functions, its conversions there and back, and users' options."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import networkx as nx
import numpy as np

from triadic.convert.from_networkx import arcs_of
from triadic.core.records import cached_property
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from triadic.core.arcs import Arcs
    from triadic.core.array_types import BoolArray, Float64Array, Int64Array

Value = TypeVar("Value")

_ARCS_FOR_THREADS = 1 << 14  # a count of fewer arcs ends before a second thread has started


class WeightedGraph(NamedTuple):
    """A graph with the weights of one attribute, and the largest weight, that of dropped loops included."""

    graph: Graph
    largest: float


class BackendGraph:
    """A converted networkx graph: immutable, in the state at the time of the conversion.

    It has the methods that networkx's dispatching and decorators call. Parallel edges are one edge.

    Attributes
    ----------
    nodes : list
        The node of each vertex, in networkx's order.
    arcs : Arcs
        The arcs, loops included, without weights.
    attributes : dict of float64 arrays, shape (arcs,)
        Weights of the arcs, by the name of their attribute.
    source : networkx.Graph, optional
        The networkx graph, if the conversion had to keep all attributes.
    """

    __networkx_backend__: ClassVar[str] = "triadic"

    def __init__(
        self,
        nodes: list[Hashable],
        arcs: Arcs,
        attributes: dict[Hashable, Float64Array],
        *,
        multigraph: bool = False,
        source: nx.Graph | None = None,
    ) -> None:
        self.nodes, self.arcs, self.attributes, self.source = nodes, arcs, attributes, source
        self._multigraph = multigraph
        self._cache: dict[Hashable, Any] = {}

    @classmethod
    def of(cls, graph: nx.Graph | BackendGraph, *, weight: Hashable | None = None) -> BackendGraph:
        """Return a converted graph unchanged; convert a networkx graph, as in a direct call of a backend function."""
        return graph if isinstance(graph, cls) else cls.from_networkx(graph, {} if weight is None else {weight: 1})

    @classmethod
    def from_networkx(cls, graph: nx.Graph, weights: dict[Hashable, float], *, keep: bool = False) -> BackendGraph:
        """Convert a graph with some attributes as weights, given with their defaults; `keep` the graph itself, too."""
        multigraph, attributes = graph.is_multigraph(), {}
        if multigraph or not weights:  # no algorithm reads weights of a multigraph
            nodes, arcs = arcs_of(graph)
        else:
            for weight, default in weights.items():
                nodes, arcs = arcs_of(graph, weight, default)
                attributes[weight] = _weights_of(arcs)
            arcs = replace(arcs, weights=None)
        return cls(nodes, arcs, attributes, multigraph=multigraph, source=graph if keep else None)

    @cached_property
    def graph(self) -> Graph:
        """The graph without weights."""
        return Graph.from_arcs(self.arcs, threads=self.threads)

    @property
    def options(self) -> dict[str, Any]:
        """The keywords of a measure of this graph, by the options that are set now; the measures check them."""
        config = nx.config.backends.get("triadic", {})
        threads = config.get("threads")
        if threads is None and len(self.arcs) < _ARCS_FOR_THREADS:
            threads = 1
        return {"device": config.get("device", "auto"), "threads": threads}

    @property
    def threads(self) -> int | None:
        """The number of threads for this graph, by the options that are set now."""
        threads: int | None = self.options["threads"]
        return threads

    @cached_property
    def index(self) -> dict[Hashable, int]:
        """The vertex of each node."""
        return dict(zip(self.nodes, range(len(self.nodes)), strict=True))

    @cached_property
    def loops(self) -> BoolArray:
        """Whether each vertex has a loop: shape (n,)."""
        loops = np.zeros(len(self.nodes), bool)
        loops[self.arcs.source[self.arcs.source == self.arcs.target]] = True
        return loops

    def has_weight(self, weight: Hashable) -> bool:
        """Return whether the graph was converted with an edge attribute, or with all attributes."""
        return weight in self.attributes or self.source is not None

    def weighted(self, weight: Hashable) -> WeightedGraph:
        """Return the graph with the weights of an attribute.

        Raises
        ------
        ArgumentError
            If the graph was converted without the attribute.
        """

        def made() -> WeightedGraph:
            weights = self._weights(weight)
            largest = float(weights.max()) if len(weights) else 1.0
            return WeightedGraph(Graph.from_arcs(replace(self.arcs, weights=weights), threads=self.threads), largest)

        return self.cached(("weights", weight), made)

    def _weights(self, weight: Hashable) -> Float64Array:
        if weight in self.attributes:
            return self.attributes[weight]
        if self.source is None:
            raise ArgumentError(
                f"weight={weight!r}: the graph was converted without it; expected convert_from_nx(graph, "
                f"edge_attrs={{{weight!r}: 1}})"
            )
        self.check_unchanged(self.source)
        return _weights_of(arcs_of(self.source, weight).arcs)

    def check_unchanged(self, source: nx.Graph) -> None:
        """Raise networkx's error if the numbers of nodes and edges have changed since the conversion."""
        edges = sum(map(len, source._adj.values()))  # noqa: SLF001 - ten times as fast as number_of_edges
        twice = 1 if self.arcs.directed else 2
        if len(source) != len(self.nodes) or edges != twice * len(self.arcs) - (twice - 1) * int(self.loops.sum()):
            raise nx.NetworkXError("the graph was changed after it was converted: convert it again")

    def cached(self, measure: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the result of a measure, computed once, since programs often ask for one node after another."""
        if measure not in self._cache:
            self._cache[measure] = compute()
        result: Value = self._cache[measure]
        return result

    def values_at(self, nodes: Any, values: Sequence[Value]) -> Value | dict[Hashable, Value]:  # noqa: ANN401 - as networkx
        """Return values as networkx does: the value of one node, or a dictionary for some nodes or all."""
        if nodes is None:
            return dict(zip(self.nodes, values, strict=True))
        if nodes in self:
            return values[self.index[nodes]]
        return {node: values[self.index[node]] for node in self.nbunch_iter(nodes)}

    def vertices_of(self, nodes: Any) -> Int64Array:  # noqa: ANN401 - as networkx
        """Return the vertices of some nodes, or of all nodes."""
        if nodes is None:
            return np.arange(len(self.nodes))
        return np.array([self.index[node] for node in self.nbunch_iter(nodes)], np.int64)

    # The interface of networkx graphs. `networkx.Graph.nbunch_iter` reads `_adj` and `_node`.

    @property
    def _adj(self) -> dict[Hashable, int]:
        return self.index

    _node = _adj

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.nodes)

    def __contains__(self, node: object) -> bool:
        return bool(nx.Graph.__contains__(self, node))

    def __repr__(self) -> str:
        kind = "multigraph" if self._multigraph else "graph"
        direction = "directed" if self.arcs.directed else "undirected"
        return f"BackendGraph({direction} {kind}, {len(self.nodes)} nodes)"

    def nbunch_iter(self, nbunch: Any = None) -> Iterator[Hashable]:  # noqa: ANN401 - as networkx
        """Iterate over the nodes of a bunch that are in the graph, by the rules of networkx."""
        return nx.Graph.nbunch_iter(self, nbunch)

    def order(self) -> int:
        """Return the number of nodes."""
        return len(self.nodes)

    number_of_nodes = order

    def is_directed(self) -> bool:
        """Return whether edges have a direction."""
        return self.arcs.directed

    def is_multigraph(self) -> bool:
        """Return whether the networkx graph can hold parallel edges."""
        return self._multigraph


def _weights_of(arcs: Arcs) -> Float64Array:
    assert arcs.weights is not None  # noqa: S101 - for the type checker; the arcs were read with weights
    return arcs.weights


def is_converted(graph: nx.Graph | BackendGraph, weight: Hashable | None = None) -> bool:
    """Return whether a call needs no conversion: the graph is converted, or its conversion is in networkx's cache.

    With `weight`, the graph must have been converted with this edge attribute.
    """
    if isinstance(graph, BackendGraph):
        return True
    cache = getattr(graph, "__networkx_cache__", None)
    if not cache or not nx.config.cache_converted_graphs:
        return False
    return any(
        isinstance(converted, BackendGraph) and (weight is None or converted.has_weight(weight))
        for converted in cache.get("backends", {}).get("triadic", {}).values()  # a string after a failure
    )


def convert_from_nx(
    graph: nx.Graph,
    edge_attrs: dict[Hashable, Any] | None = None,
    node_attrs: dict[Hashable, Any] | None = None,  # noqa: ARG001 - no algorithm here reads attributes of nodes
    preserve_edge_attrs: bool = False,
    preserve_node_attrs: bool = False,
    preserve_graph_attrs: bool = False,  # noqa: ARG001 - set whenever networkx caches
    name: str | None = None,  # noqa: ARG001 - networkx passes the name of the algorithm
    graph_name: str | None = None,  # noqa: ARG001 - networkx passes the name of the parameter
) -> BackendGraph:
    """Convert a networkx graph; networkx keeps the result in the graph's cache until the graph changes.

    Parameters
    ----------
    graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
        The graph to convert.
    edge_attrs : dict, optional
        The edge attributes that hold weights, each with the weight of an edge without the attribute.
    node_attrs, preserve_graph_attrs, name, graph_name
        Part of networkx's interface; without effect.
    preserve_edge_attrs, preserve_node_attrs : bool, default False
        Whether to keep the networkx graph as well, with all its attributes.

    Returns
    -------
    BackendGraph

    Raises
    ------
    UnsupportedError
        If a weight is not a finite real number.

    Examples
    --------
    >>> import networkx as nx
    >>> convert_from_nx(nx.path_graph(3))
    BackendGraph(undirected graph, 3 nodes)
    """
    if isinstance(graph, BackendGraph):
        return graph
    weights = {} if edge_attrs is None else edge_attrs
    return BackendGraph.from_networkx(graph, weights, keep=preserve_edge_attrs or preserve_node_attrs)


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:  # noqa: ANN401, ARG001 - networkx's interface
    """Convert a graph of the backend to networkx; any other object is returned unchanged.

    A graph that was converted with all its attributes is returned as a copy with all of them. Other graphs have their
    nodes, their edges and the attributes that were converted as weights.

    Examples
    --------
    >>> import networkx as nx
    >>> convert_to_nx(convert_from_nx(nx.path_graph(3))).edges
    EdgeView([(0, 1), (1, 2)])
    """
    if not isinstance(result, BackendGraph):
        return result
    if result.source is not None:
        result.check_unchanged(result.source)
        return result.source.copy()
    kinds = ((nx.Graph, nx.MultiGraph), (nx.DiGraph, nx.MultiDiGraph))
    graph = kinds[result.is_directed()][result.is_multigraph()]()
    nodes = result.nodes
    graph.add_nodes_from(nodes)
    ends = zip(result.arcs.source.tolist(), result.arcs.target.tolist(), strict=True)
    edges = [(nodes[u], nodes[v]) for u, v in ends]
    graph.add_edges_from(edges)
    for attribute, weights in result.attributes.items():
        nx.set_edge_attributes(graph, dict(zip(edges, weights.tolist(), strict=True)), attribute)
    return graph
