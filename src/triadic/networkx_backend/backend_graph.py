"""The graph that networkx hands to the backend's functions: nodes by number, and triadic's graph of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import networkx as nx
import numpy as np

from triadic.convert.from_networkx import arcs_of
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.networkx_backend.options import threads_option

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs

Value = TypeVar("Value")


class Weighted(NamedTuple):
    """A graph with the weights of one attribute, and the largest of them: loops, which a graph drops, included."""

    graph: Graph
    largest: float


class BackendGraph:
    """A networkx graph, converted: immutable, and as it was when it was converted.

    It has what networkx's dispatching and its decorators ask of a graph, and nothing else. Parallel edges are one.

    Attributes
    ----------
    nodes : list
        The node of each vertex, in networkx's order.
    arcs : Arcs
        Loops included, without weights.
    attributes : dict of float64 arrays, shape (arcs,)
        Weights of the arcs, by the attribute that they are taken from.
    source : networkx.Graph, optional
        The graph that was converted, kept where all attributes were asked for.
    """

    __networkx_backend__: ClassVar[str] = "triadic"

    def __init__(
        self,
        nodes: list[Hashable],
        arcs: Arcs,
        attributes: dict[Hashable, NDArray[np.float64]],
        *,
        multigraph: bool = False,
        source: nx.Graph | None = None,
    ) -> None:
        self.nodes, self.arcs, self.attributes, self.source = nodes, arcs, attributes, source
        self._multigraph = multigraph
        self._weighted: dict[Hashable, Weighted] = {}
        self._kept: dict[Hashable, list[Any]] = {}

    @classmethod
    def of(cls, graph: nx.Graph | BackendGraph, *, weight: Hashable | None = None) -> BackendGraph:
        """Give a converted graph as it is; convert one of networkx, as where a function is called without it."""
        return graph if isinstance(graph, cls) else cls.read(graph, {} if weight is None else {weight: 1})

    @classmethod
    def read(cls, graph: nx.Graph, weights: dict[Hashable, float], *, keep: bool = False) -> BackendGraph:
        """Convert a graph, with the weights of these attributes and their defaults; keep it for all its attributes."""
        multigraph, attributes = graph.is_multigraph(), {}
        if multigraph or not weights:  # no function takes the weights of a multigraph
            nodes, arcs = arcs_of(graph)
        else:
            for weight, default in weights.items():
                nodes, arcs = arcs_of(graph, weight, default)
                attributes[weight] = _weights_of(arcs)
        source = graph if keep else None
        return cls(nodes, replace(arcs, weights=None), attributes, multigraph=multigraph, source=source)

    @cached_property
    def graph(self) -> Graph:
        """Triadic's graph, without weights."""
        return Graph.from_arcs(self.arcs, threads=threads_option(self))

    @cached_property
    def index(self) -> dict[Hashable, int]:
        """The number of each node."""
        return dict(zip(self.nodes, range(len(self.nodes)), strict=True))

    @cached_property
    def loops(self) -> NDArray[np.bool_]:
        """Which vertices have a loop: shape (n,)."""
        found = np.zeros(len(self.nodes), dtype=bool)
        found[self.arcs.source[self.arcs.source == self.arcs.target]] = True
        return found

    def weighted(self, weight: Hashable) -> Weighted:
        """Give the graph with the weights of an attribute.

        Raises
        ------
        ArgumentError
            An attribute that was not asked for when the graph was converted.
        """
        if weight not in self._weighted:
            weights = self._weights(weight)
            largest = float(weights.max()) if len(weights) else 1.0
            arcs = replace(self.arcs, weights=weights)
            self._weighted[weight] = Weighted(Graph.from_arcs(arcs, threads=threads_option(self)), largest)
        return self._weighted[weight]

    def _weights(self, weight: Hashable) -> NDArray[np.float64]:
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
        """Refuse to go on with a graph that has other nodes or another number of edges than when it was converted."""
        edges = sum(map(len, source._adj.values()))  # noqa: SLF001 - a tenth of number_of_edges' time
        twice = 1 if self.arcs.directed else 2
        if len(source) != len(self.nodes) or edges != twice * len(self.arcs) - (twice - 1) * int(self.loops.sum()):
            raise nx.NetworkXError("the graph was changed after it was converted: convert it again")

    def kept(self, measure: Hashable, values: Callable[[], list[Value]]) -> list[Value]:
        """Give what a measure is at each vertex, counted once: networkx may ask for one node at a time."""
        if measure not in self._kept:
            self._kept[measure] = values()
        return self._kept[measure]

    def at(self, nodes: Any, values: Sequence[Value]) -> Value | dict[Hashable, Value]:  # noqa: ANN401 - as networkx
        """Give values as networkx does: of one node, or a dictionary of some nodes or of all."""
        if nodes is None:
            return dict(zip(self.nodes, values, strict=True))
        if nodes in self:
            return values[self.index[nodes]]
        return {node: values[self.index[node]] for node in self.nbunch_iter(nodes)}

    def chosen(self, nodes: Any) -> NDArray[np.int64]:  # noqa: ANN401 - as networkx
        """Give the numbers of some nodes, or of all."""
        if nodes is None:
            return np.arange(len(self.nodes))
        return np.array([self.index[node] for node in self.nbunch_iter(nodes)], dtype=np.int64)

    # What networkx asks of a graph. Its own rules for bunches of nodes, and their errors, read these two.

    @property
    def _adj(self) -> dict[Hashable, int]:
        return self.index

    @property
    def _node(self) -> dict[Hashable, int]:
        return self.index

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.nodes)

    def __contains__(self, node: object) -> bool:
        return bool(nx.Graph.__contains__(self, node))

    def __repr__(self) -> str:
        kind = "multigraph" if self._multigraph else "graph"
        way = "directed" if self.arcs.directed else "undirected"
        return f"BackendGraph({way} {kind}, {len(self.nodes)} nodes)"

    def nbunch_iter(self, nbunch: Any = None) -> Iterator[Hashable]:  # noqa: ANN401 - as networkx
        """Iterate over those of some nodes that are in the graph; networkx's own."""
        nodes: Iterator[Hashable] = nx.Graph.nbunch_iter(self, nbunch)
        return nodes

    def order(self) -> int:
        """Give the number of nodes."""
        return len(self.nodes)

    number_of_nodes = order

    def is_directed(self) -> bool:
        """Say whether edges have a direction."""
        return self.arcs.directed

    def is_multigraph(self) -> bool:
        """Say whether the networkx graph could hold parallel edges."""
        return self._multigraph


def _weights_of(arcs: Arcs) -> NDArray[np.float64]:
    assert arcs.weights is not None  # noqa: S101 - for the type checker; the caller asked for them
    return arcs.weights
