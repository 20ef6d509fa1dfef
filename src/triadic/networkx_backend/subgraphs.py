"""Triangles one by one, trusses and triads, as in networkx; triads are correct with loops and parallel arcs, too.

`count_matches` counts what the matchers of ``networkx.algorithms.isomorphism`` list.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import networkx as nx
import numpy as np

import triadic
from triadic.convert.from_networkx import arcs_of
from triadic.core.pattern import MOST_VERTICES
from triadic.core.triad_types import TRIAD_NAMES, TYPE_OF_CODE
from triadic.counts.patterns import count_pattern
from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.graph import Graph
from triadic.measures.edge_support import trussness
from triadic.measures.patterns.pattern import Pattern
from triadic.measures.triangles import list_triangles
from triadic.networkx_backend.backend_graph import BackendGraph, convert_to_nx
from triadic.networkx_backend.reasons import algorithm, by_cost, refuse

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from triadic.measures.census import Census
    from triadic.networkx_backend.reasons import Answer

_BATCH = 1 << 20  # triangles that are held at a time
_RETURNS_GRAPHS = "the result is a networkx graph for every three nodes: making those is all the work"


@algorithm(
    should_run=by_cost("all_triangles"),
    note="Triangles in order of their vertices; with `nbunch`, beginning with its vertices.",
)
def all_triangles(G: nx.Graph, nbunch: Any = None) -> Iterator[tuple[Hashable, Hashable, Hashable]]:  # noqa: ANN401 - as in networkx
    """Iterate over the triangles of a graph, all or with a node of `nbunch`, as `networkx.all_triangles`.

    Triangles are sorted by their vertices. With `nbunch`, each triangle begins with its nodes of `nbunch`, in the order
    of `nbunch`.
    """
    graph = BackendGraph.of(G)
    refuse(graph, "directed")
    return _triangles(graph, nbunch)


def _triangles(graph: BackendGraph, nbunch: Any) -> Iterator[tuple[Hashable, Hashable, Hashable]]:  # noqa: ANN401 - as in networkx
    position = None
    if nbunch is not None:
        first = np.array(list(dict.fromkeys(graph.vertices_of(nbunch).tolist())), np.int64)
        position = np.arange(len(graph)) + len(first)
        position[first] = np.arange(len(first))
    nodes = graph.nodes
    for triangles in list_triangles(graph.graph, batch=_BATCH, threads=graph.threads):
        chosen = triangles
        if position is not None:  # those with a vertex of `nbunch`, such vertices first
            positions = position[triangles]
            found = (positions < len(first)).any(axis=1)
            order = np.argsort(positions[found], axis=1, kind="stable")
            chosen = np.take_along_axis(triangles[found], order, axis=1)
        for u, v, w in chosen.tolist():
            yield nodes[u], nodes[v], nodes[w]


@algorithm(should_run=by_cost("k_truss", local=False))
def k_truss(G: nx.Graph, k: int) -> nx.Graph:
    """Return the k-truss with all attributes, as `networkx.k_truss`: a copy of the graph, less edges and nodes.

    Raises
    ------
    networkx.NetworkXNotImplemented
        If the graph has loops, is directed or can hold parallel edges.
    """
    graph = G if isinstance(G, BackendGraph) else BackendGraph.from_networkx(G, {}, keep=True)
    refuse(graph, "directed", "multigraph")
    if graph.loops.any():
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    source, target = graph.graph.edges()
    # Below 3 every edge stays. networkx accepts every k that can be compared, numbers that are not whole included.
    stays = np.ones(len(source), bool)
    if k > 2:  # trussness is computed once for trusses of every k
        stays = graph.cached("trussness", lambda: trussness(graph.graph, **graph.options)) >= k
    in_truss = np.zeros(len(graph), bool)
    in_truss[source[stays]] = in_truss[target[stays]] = True
    truss, nodes = convert_to_nx(graph), graph.nodes
    dropped = zip(source[~stays].tolist(), target[~stays].tolist(), strict=True)
    truss.remove_edges_from([(nodes[u], nodes[v]) for u, v in dropped])
    truss.remove_nodes_from([nodes[v] for v in np.flatnonzero(~in_truss).tolist()])
    return truss


def _left_to_networkx(G: Any) -> Answer:  # noqa: ANN401, ARG001 - any graph
    return _RETURNS_GRAPHS


def _should_run(G: Any) -> Answer:  # noqa: ANN401 - any object
    return isinstance(G, BackendGraph) or "a triad has three nodes: networkx is as fast"


@algorithm(should_run=by_cost("triadic_census"), note="Also correct with `nodelist` if nodes outside it have loops.")
def triadic_census(G: nx.DiGraph, nodelist: Sequence[Hashable] | None = None) -> dict[str, int]:
    """Count the triads of each type, all or with a node of a list, as `networkx.triadic_census`.

    Raises
    ------
    ValueError
        If the list has repeats, or nodes that are not in the graph.
    """
    graph = BackendGraph.of(G)
    refuse(graph, "undirected")
    if nodelist is None:
        return dict(graph.cached("triadic census", lambda: _census(graph, None)))
    chosen = set(graph.vertices_of(nodelist).tolist())
    if len(nodelist) != len(chosen):
        raise ValueError("nodelist includes duplicate nodes or nodes not in G")
    return _census(graph, chosen)


def _census(graph: BackendGraph, vertices: set[int] | None) -> dict[str, int]:
    census: Census = triadic.triad_census(graph.graph, vertices=vertices, **graph.options)
    return census.to_dict()


@algorithm(can_run=lambda G: True, should_run=_should_run)  # noqa: ARG005 - any object
def is_triad(G: Any) -> bool:  # noqa: ANN401 - any object
    """Return whether a graph is a triad, directed, of three nodes and without loops, as `networkx.is_triad`."""
    if not isinstance(G, nx.Graph | BackendGraph):
        return False
    graph = BackendGraph.of(G)
    return len(graph) == 3 and graph.is_directed() and not graph.loops.any()


@algorithm(should_run=_should_run, note="Parallel arcs count once.")
def triad_type(G: nx.DiGraph) -> str:
    """Return the type of a triad, as `networkx.triad_type`; parallel arcs count once.

    Raises
    ------
    networkx.NetworkXAlgorithmError
        If the graph is not a triad.
    """
    graph = BackendGraph.of(G)
    refuse(graph, "undirected")
    if not is_triad(graph):
        raise nx.NetworkXAlgorithmError("G is not a triad (order-3 DiGraph)")
    # Bits of the codes of triadic.core.triad_types: arcs 0 -> 1, 1 -> 0, 0 -> 2, 2 -> 0, 1 -> 2, 2 -> 1.
    bit = {(0, 1): 1, (1, 0): 2, (0, 2): 4, (2, 0): 8, (1, 2): 16, (2, 1): 32}
    arcs = zip(graph.arcs.source.tolist(), graph.arcs.target.tolist(), strict=True)
    return TRIAD_NAMES[TYPE_OF_CODE[sum(bit[arc] for arc in arcs)]]


@algorithm(can_run=_left_to_networkx, should_run=_left_to_networkx, listed=False)
def all_triads(G: nx.DiGraph) -> NoReturn:  # noqa: ARG001 - networkx's signature
    """Raise, so that networkx runs its own code; `can_run` returns the reason."""
    raise UnsupportedError(f"all_triads: {_RETURNS_GRAPHS}")


@algorithm(can_run=_left_to_networkx, should_run=_left_to_networkx, listed=False)
def triads_by_type(G: nx.DiGraph) -> NoReturn:  # noqa: ARG001 - networkx's signature
    """Raise, so that networkx runs its own code; `can_run` returns the reason."""
    raise UnsupportedError(f"triads_by_type: {_RETURNS_GRAPHS}")


def count_matches(
    G: nx.Graph,
    P: nx.Graph,
    node_match: Hashable | list[Hashable] = None,
    edge_match: Hashable | list[Hashable] = None,
    induced: bool = True,
    *,
    threads: int | None = None,
) -> int:
    """Count the isomorphisms between subgraphs of a graph and a small graph, without listing them.

    Parameters
    ----------
    G : networkx.Graph or networkx.DiGraph
        Where to look.
    P : networkx.Graph or networkx.DiGraph
        The small graph: connected, of two to six nodes, with directions if `G` has them.
    node_match, edge_match : hashable or list of hashable, optional
        The attribute, or the attributes, that nodes and edges must have in common. Where an attribute is missing, it is
        None. By default attributes do not matter.
    induced : bool, default True
        True counts ``subgraph_isomorphisms_iter()`` of ``GraphMatcher(G, P)`` or ``DiGraphMatcher(G, P)``, with
        ``categorical_node_match`` and ``categorical_edge_match`` of these attributes; False counts
        ``subgraph_monomorphisms_iter()``, which ignores edges of `G` that `P` does not have.
    threads : int, optional
        Number of threads; by default as many as the process may use.

    Returns
    -------
    int
        Number of mappings: each subgraph counts once for each automorphism of `P` with its attributes.

    Raises
    ------
    ArgumentError
        If `P` is not connected, has another number of nodes, or loops with ``induced=False``; or if a function is
        passed in place of attributes.
    networkx.NetworkXNotImplemented
        If a graph can hold parallel edges, or one graph is directed and the other is not.
    TypeError
        If the value of an attribute is not hashable.

    See Also
    --------
    triadic.count : Count patterns, also at vertices and edges and by type.

    Notes
    -----
    As in networkx, a loop is an edge: with ``induced=True`` a node without a loop is not mapped to one that has a loop.

    Examples
    --------
    >>> import networkx as nx
    >>> from triadic.networkx_backend import count_matches
    >>> graph = nx.karate_club_graph()
    >>> count_matches(graph, nx.cycle_graph(4)), count_matches(graph, nx.cycle_graph(4), induced=False)
    (288, 1232)
    >>> friends = nx.Graph([("a", "b")])
    >>> nx.set_node_attributes(friends, {"a": "Mr. Hi", "b": "Officer"}, "club")
    >>> count_matches(graph, friends, node_match="club")
    11
    """
    if callable(node_match) or callable(edge_match):
        raise ArgumentError(
            "node_match, edge_match: got a function; expected attributes, such as 'color' or a list of them"
        )
    if G.is_multigraph() or P.is_multigraph() or G.is_directed() != P.is_directed():
        raise nx.NetworkXNotImplemented(
            f"expected two graphs, or two directed graphs, without parallel edges: {G}, {P}"
        )
    looped = not induced and nx.number_of_selfloops(P)
    if looped or not 2 <= len(P) <= MOST_VERTICES or not nx.is_connected(nx.Graph(P)):
        expected = f"a connected graph of two to {MOST_VERTICES} nodes, for induced=False without loops"
        raise ArgumentError(f"P: got {P}; expected {expected}")
    codes: dict[Any, int] = {None: 0}  # a number for each combination of values, from 1

    def code(data: dict[Any, Any], match: Any, *loop: int) -> int:  # noqa: ANN401 - one attribute or several
        values = map(data.get, match if isinstance(match, list) else [match])
        return codes.setdefault((*values, *loop), len(codes))

    def at(graph: nx.Graph, node: Hashable) -> int:
        loop = graph.adj[node].get(node)
        return code(graph.nodes[node], node_match, induced and loop is not None and code(loop, edge_match))

    of_nodes = np.array([at(G, node) for node in G], np.int64)
    of_edges = np.array([code(data, edge_match) for *_, data in G.edges(data=True)], np.int64)
    P = nx.convert_node_labels_to_integers(P)
    arrow, edge = "->" if G.is_directed() else "-", "" if edge_match is None else " [edge = {}]"
    parts = [
        f"v{u} {arrow} v{v}{edge.format(code(data, edge_match))}" for u, v, data in P.edges(data=True) if u != v
    ] + [f"v{v}.node = {at(P, v)}" for v in P if (of_nodes != at(P, v)).any()]
    arcs = replace(arcs_of(G).arcs, columns={"edge": of_edges}, vertex_columns={"node": of_nodes})
    shape = Pattern("; ".join(parts), induced=induced).shape
    return count_pattern(Graph.from_arcs(arcs), shape, threads=threads)
