"""Convert graphs of igraph, rustworkx, NetworKit and graph-tool, filtered graphs of graph-tool included.

In rustworkx and NetworKit, the numbers of nodes have holes after nodes were removed.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.edges import attributes_of, graph_of_edges, positions, refuse_columns, usable_labels, weight_name
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from triadic.core.array_types import AnyArray
    from triadic.graph.graph import Graph
    from triadic.io.format import ReadOptions


def from_igraph(graph: Any, options: ReadOptions, combine: str | Mapping[str, str] | None) -> Graph:  # noqa: ANN401 - igraph.Graph
    """Convert an `igraph.Graph`; the vertex attribute "name" becomes the labels, as strings unless all are integers.

    Raises
    ------
    ArgumentError
        If the object is not a graph, or if an edge attribute with the name of the weights is missing or does not hold
        finite numbers.
    """
    if not hasattr(graph, "get_edgelist"):
        raise ArgumentError(f"graph: got {type(graph).__name__} of igraph; expected a Graph")
    ends = np.fromiter(chain.from_iterable(graph.get_edgelist()), dtype=np.int64).reshape(-1, 2)
    attribute, weights = weight_name(options), None
    if attribute is not None:
        if attribute not in graph.es.attributes():
            raise ArgumentError(f"weights={attribute!r}: the edges have {graph.es.attributes() or 'no attributes'}")
        weights = graph.es[attribute]
    names = graph.vs["name"] if "name" in graph.vs.attributes() else range(graph.vcount())
    return graph_of_edges(
        (ends[:, 0], ends[:, 1]),
        graph.vcount(),
        options,
        combine,
        directed=graph.is_directed(),
        weights=weights,
        attributes=attributes_of(
            options,
            (graph.es.attributes(), graph.es.__getitem__),
            (graph.vs.attributes(), graph.vs.__getitem__),
        ),
        # A vertex that was added without a name goes by its number.
        labels=usable_labels([number if name is None else name for number, name in enumerate(names)]),
    )


def from_rustworkx(graph: Any, options: ReadOptions, combine: str | Mapping[str, str] | None) -> Graph:  # noqa: ANN401 - rustworkx.PyGraph or PyDiGraph
    """Convert a `rustworkx.PyGraph` or `PyDiGraph`; node payloads become the labels, edge payloads the weights.

    Payloads that are neither strings, numbers nor tuples are data, not labels.

    Raises
    ------
    ArgumentError
        If the object is not a graph, or if an edge has no such weight.
    """
    kinds = {kind.__name__ for kind in type(graph).__mro__}
    if not kinds & {"PyGraph", "PyDiGraph"}:
        raise ArgumentError(f"graph: got {type(graph).__name__} of rustworkx; expected a PyGraph or PyDiGraph")
    ids = list(graph.node_indices())
    position = positions(ids, max(ids, default=-1) + 1)
    ends = position[np.array(graph.edge_list(), dtype=np.int64).reshape(-1, 2)]
    weights: Any = None
    if options.wants_weights:
        weights = [_weight(payload, options.weights) for payload in graph.edges()]
    return graph_of_edges(
        (ends[:, 0], ends[:, 1]),
        len(ids),
        options,
        combine,
        directed="PyDiGraph" in kinds,
        weights=weights,
        attributes=attributes_of(options, _in_payloads(graph.edges()), _in_payloads(graph.nodes())),
        labels=_names(graph.nodes()),
    )


def _in_payloads(payloads: Iterable[object]) -> tuple[Iterable[str], Callable[[str], list[object]]]:
    """Return the names and the values of payloads that are mappings, as `attributes_of` takes them."""
    names = chain.from_iterable(payload for payload in payloads if isinstance(payload, Mapping))
    return names, lambda name: [each.get(name) if isinstance(each, Mapping) else None for each in payloads]


def _names(payloads: Sequence[object]) -> AnyArray | None:
    """Return the payloads of nodes as labels, unless some are no names but data, such as dictionaries."""
    if all(isinstance(payload, (str, int, float, tuple, np.generic)) for payload in payloads):
        return usable_labels(payloads)
    return None


def _weight(payload: object, name: bool | str | int | None) -> object:
    if name is True:
        return payload
    if isinstance(payload, Mapping) and name in payload:
        return payload[name]
    raise ArgumentError(f"weights={name!r}: an edge has {payload!r}; expected a mapping with that key on every edge")


def from_networkit(graph: Any, options: ReadOptions, combine: str | Mapping[str, str] | None) -> Graph:  # noqa: ANN401 - networkit.Graph
    """Convert a `networkit.Graph`; ``weights=True`` takes its weights.

    Raises
    ------
    ArgumentError
        If the object is not a graph, or if weights are requested by name or of a graph without weights.
    """
    if not hasattr(graph, "iterEdges"):
        raise ArgumentError(f"graph: got {type(graph).__name__} of NetworKit; expected a Graph")
    refuse_columns(options)
    ids = list(graph.iterNodes())
    position = positions(ids, graph.upperNodeIdBound())
    weights = None
    if options.wants_weights:
        if options.weights is not True or not graph.isWeighted():
            raise ArgumentError(f"weights={options.weights!r}: expected True, of a graph of NetworKit that has weights")
        entries = np.fromiter(chain.from_iterable(graph.iterEdgesWeights()), dtype=np.float64).reshape(-1, 3)
        ends, weights = entries[:, :2].astype(np.int64), entries[:, 2]
    else:
        ends = np.fromiter(chain.from_iterable(graph.iterEdges()), dtype=np.int64).reshape(-1, 2)
    ends = position[ends]
    return graph_of_edges(
        (ends[:, 0], ends[:, 1]),
        len(ids),
        options,
        combine,
        directed=graph.isDirected(),
        weights=weights,
        labels=usable_labels(ids),
    )


def from_graph_tool(graph: Any, options: ReadOptions, combine: str | Mapping[str, str] | None) -> Graph:  # noqa: ANN401 - graph_tool.Graph or GraphView
    """Convert a `graph_tool.Graph` or `GraphView`; the vertex property "name" becomes the labels.

    Raises
    ------
    ArgumentError
        If the object is not a graph, or has no edge property with the name of the weights.
    """
    if not hasattr(graph, "get_edges"):
        raise ArgumentError(f"graph: got {type(graph).__name__} of graph-tool; expected a Graph or GraphView")
    ids = np.asarray(graph.get_vertices(), dtype=np.int64)
    name = weight_name(options)
    if name is None:
        entries = np.asarray(graph.get_edges())
    elif name in graph.ep:
        entries = np.asarray(graph.get_edges(eprops=[graph.ep[name]]))
    else:
        raise ArgumentError(f"weights={name!r}: the edge properties are {', '.join(graph.ep) or 'none'}")
    ends = positions(ids, int(ids.max(initial=-1)) + 1)[entries[:, :2].astype(np.int64)]
    names = [graph.vp["name"][v] for v in ids.tolist()] if "name" in graph.vp else ids.tolist()
    return graph_of_edges(
        (ends[:, 0], ends[:, 1]),
        len(ids),
        options,
        combine,
        directed=graph.is_directed(),
        weights=None if name is None else entries[:, 2],
        attributes=attributes_of(
            options,
            (graph.ep, lambda name: [graph.ep[name][edge] for edge in graph.edges()]),
            (graph.vp, lambda name: [graph.vp[name][vertex] for vertex in ids.tolist()]),
        ),
        labels=usable_labels(names),
    )
