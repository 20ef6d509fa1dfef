"""ORCA's orbits at each vertex and at each edge, and the number of each graphlet in a whole graph.

The directions of arcs are ignored. The 73 orbits are the places of a vertex in the 30 connected graphs of two to five
vertices, and the 68 edge orbits are the places of an edge in those of three to five. Orbits 0 to 14, and edge orbits 0
to 11, belong to graphs of up to four vertices. Frequencies are net: they count induced subgraphs.

References
----------
Pržulj (2007), Bioinformatics 23, e177, for graphlets of up to five vertices and their orbits.
Hočevar and Demšar (2014), Bioinformatics 30, 559, for the numbers of the orbits.
Hočevar and Demšar (2016), Journal of Statistical Software 71 (10), for edge orbits and their numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_number, check_option
from triadic.core.exact import exact_column_sums
from triadic.core.graphlets import (
    EDGE_ORBITS_OF_GRAPHLETS,
    EDGE_ORBITS_OF_SIZE,
    GRAPH_NAMES,
    ORBITS,
    ORBITS_OF_GRAPHLETS,
    ORBITS_OF_SIZE,
)
from triadic.core.memory import check_memory
from triadic.counts.count import run
from triadic.counts.edges import entries_of
from triadic.counts.graphlet_formulas import arrange, first_edge_too_large, first_too_large, label_of, net_of
from triadic.counts.graphlets import FIVE_VERTEX_COUNTS, FIVE_VERTICES_AT_EDGES, FOUR_VERTICES_AT_EDGES
from triadic.errors import CountOverflowError
from triadic.measures.batches import one_row_a_graph, sums_of_graphs
from triadic.measures.census import Census
from triadic.measures.edge_support import edge_support
from triadic.measures.graphlets.transform import graphlet_transform

if TYPE_CHECKING:
    from triadic.convert.result_table import Table
    from triadic.core.array_types import Int64Array
    from triadic.core.oriented import Oriented
    from triadic.core.progress import Machine, ProgressKeyword
    from triadic.graph.batch import GraphBatch
    from triadic.graph.graph import Graph
    from triadic.measures.batches import Columns


By = Literal["vertex", "edge"] | None


@overload
def graphlets(  # type: ignore[overload-overlap]  # a batch is a GraphLike too
    graph: GraphBatch, *, size: int = 4, by: None = None, **machine: Unpack[Machine]
) -> Table: ...


@overload
def graphlets(graph: GraphLike, *, size: int = 4, by: None = None, **machine: Unpack[Machine]) -> Census: ...


@overload
def graphlets(
    graph: GraphLike, *, size: int = 4, by: Literal["vertex", "edge"], **machine: Unpack[Machine]
) -> Int64Array: ...


def graphlets(
    graph: GraphLike,
    *,
    size: int = 4,
    by: By = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Any:
    """Count the induced connected subgraphs of up to three, four or five vertices, in total, by vertex or by edge.

    Parameters
    ----------
    graph : Graph, GraphBatch, TiledGraph, or any input that `Graph` accepts
        The directions of a directed graph are ignored. Of a `TiledGraph` subgraphs of three vertices are counted, in
        total or by vertex.
    size : {4, 3, 5}, default 4
        Number of vertices of the largest subgraphs.
    by : {None, "vertex", "edge"}, default None
        None counts in the whole graph; "vertex" at each vertex, by the orbit, its place in the subgraph; "edge" at each
        edge, by the orbit of the edge.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough. GPUs do not count orbits of edges.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    Census
        For ``by=None``, the number of subgraphs by name, as Python ints, in the order of the graphlets G0 (the edge) to
        G29 (the 5-clique) of Pržulj (2007): 3, 9 or 30 names. For a `GraphBatch`, a `Table`.
    int64 array, shape (n, 4), (n, 15) or (n, 73)
        For ``by="vertex"``, the number of subgraphs that hold the vertex at each orbit, with the numbers of ORCA:
        orbits 0 to 3, 14 or 72.
    int64 array, shape (num_edges, 2), (num_edges, 12) or (num_edges, 68)
        For ``by="edge"``, the number of subgraphs that hold the edge at each orbit of edges, with a row for each edge
        in the order of ``graph.edges()``: orbits 0 to 1, 11 or 67. In a directed graph there is a row for each arc,
        which has the counts of the edge between its two vertices.

    Raises
    ------
    ArgumentError
        If an argument does not have one of the accepted values.
    CountOverflowError
        If a frequency at a vertex or an edge could exceed 64 bits: near vertices with more than 3,810,779 neighbours,
        and for five vertices of some ten thousand. Totals of the whole graph may exceed 64 bits.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available, on the device or on the host.
    UnsupportedError
        If the graph is a `TiledGraph`, but for ``size=3``; if `device` names a GPU for orbits of edges; or if `size` is
        5 and `device` names a GPU for a graph of 2**31 triangles or more.

    See Also
    --------
    graphlet_transform : Count raw and net frequencies of the 16 graphlets of the fast graphlet transform.
    edge_support : Count the triangles at each edge, edge orbit 1.
    compare : Compare two networks by their graphlets.

    Notes
    -----
    Orbits of edges are numbered in the order of the graphlets, and within a graphlet in the order of the vertex orbits
    of the two ends of the edge, the smaller first.

    For ``size=3`` the cost is that of `triangles`, for ``size=4`` that of `graphlet_transform`. For ``size=5`` raw
    frequencies are put together from degrees, common neighbours, triangles and cliques, so that only 5-cycles and
    cliques are enumerated. The cost is the sum of the squares of the degrees, and, for 5-cycles, for each vertex the
    number of edges between vertices of smaller degree within two steps; vertices with the same neighbours are counted
    once. While counting, about 70 bytes per edge, 36 to 48 bytes per triangle and 130 bytes per vertex and thread are
    held beside the graph; then 760 bytes per vertex, 584 of which are the result. A GPU holds about 85 bytes per edge,
    36 bytes per triangle, 730 bytes per vertex, and up to half of its free memory for tables. Orbits of edges of five
    vertices take one to two times as long, and hold about 250 bytes per edge, 16 bytes per edge and thread, and 48
    bytes per triangle beside the graph, then 544 bytes per edge for the result.

    References
    ----------
    Pržulj (2007), Bioinformatics 23, e177, figure 1, for the order of the graphlets and the numbers of the orbits.
    Hočevar and Demšar (2014), "A combinatorial approach to graphlet counting", Bioinformatics 30, 559.
    Hočevar and Demšar (2016), "Computation of graphlet orbits for nodes and edges in sparse graphs", Journal of
    Statistical Software 71 (10).
    Pinar, Seshadhri and Vishal (2017), "ESCAPE: Efficiently counting all 5-vertex subgraphs", WWW.
    Pashanasangi and Seshadhri (2020), "Efficiently counting vertex orbits of all 5-vertex subgraphs, by EVOKE", WSDM.

    Examples
    --------
    >>> import triadic
    >>> paw = triadic.Graph.from_edges([0, 0, 1, 0], [1, 2, 2, 3])
    >>> triadic.graphlets(paw)["paw"], dict(triadic.graphlets(paw, size=3))
    (1, {'edge': 4, '2-path': 2, 'triangle': 1})
    >>> triadic.graphlets(paw, by="vertex")[0].tolist()
    [3, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    >>> [end.tolist() for end in paw.edges()]
    [[0, 0, 0, 1], [1, 2, 3, 2]]
    >>> orbits = triadic.graphlets(paw, by="edge")
    >>> orbits.shape, [row.nonzero()[0].tolist() for row in orbits]
    ((4, 12), [[0, 1, 8], [0, 1, 8], [0, 6], [1, 7]])
    """
    check_size(size)
    check_option("by", by, By)
    machine: Any = {"threads": threads, "device": device, "progress": progress}
    if by is None:
        return _totals(graph, size=size, **machine)
    return orbits_of_vertices(graph, size, **machine) if by == "vertex" else orbits_of_edges(graph, size, **machine)


def orbits_of_vertices(graph: GraphLike, size: int, **machine: Unpack[Machine]) -> Int64Array:
    """Return the net frequencies of ORCA's orbits at each vertex: int64, shape (n, 4), (n, 15) or (n, 73)."""
    if size < 5:
        # It issues the warning about directions itself.
        return graphlet_transform(graph, size=size, **machine).net[:, ORBITS[: ORBITS_OF_SIZE[size]]]
    graph = as_graph(graph, not_tiled=FIVE_VERTEX_COUNTS.not_tiled, batch=True, directions="ignored")
    threads = machine.get("threads")
    oriented = graph.oriented(threads=threads)
    _check_width(graph, oriented)
    net = net_of(run(FIVE_VERTEX_COUNTS, oriented, **machine), threads=resolve_threads(threads), in_place=True)
    arrange(oriented.rank, net)  # of 73 orbits, a million vertices take 584 MB
    return net


def _counts_of_graphs(batch: GraphBatch, *, size: int, **keywords: Any) -> Columns | None:  # noqa: ANN401 - keywords of `run`
    """Return the number of each graphlet in each graph of a batch."""
    sums = sums_of_graphs(batch, orbits_of_vertices(batch, size, **keywords))
    if sums is None:
        return None
    firsts = _first_orbits(sums.shape[1], ORBITS_OF_GRAPHLETS)
    return {name: sums[:, orbit] // times for name, (orbit, times) in firsts.items()}


def _first_orbits(orbits: int, places_of: tuple[tuple[int, ...], ...]) -> dict[str, tuple[int, int]]:
    """Return the first orbit of each graphlet below some orbits, and how many places of the graphlet it has."""
    return {
        name: (places[0], places.count(places[0]))
        for name, places in zip(GRAPH_NAMES, places_of, strict=True)
        if places and places[0] < orbits
    }


@one_row_a_graph("graphlets", _counts_of_graphs)
def _totals(graph: GraphLike, /, *, size: int, **machine: Any) -> Census:  # noqa: ANN401 - keywords of `run`
    """Return the number of each graphlet in the whole graph."""
    totals = totals_of_orbits(orbits_of_vertices(graph, size, **machine))
    return Census(tuple(totals), tuple(totals.values()))


def totals_of_orbits(
    orbits: Int64Array, places_of: tuple[tuple[int, ...], ...] = ORBITS_OF_GRAPHLETS
) -> dict[str, int]:
    """Return the number of each graphlet in the whole graph, by name, from its first orbit at all vertices.

    Parameters
    ----------
    orbits : int64 array, shape (n, 15) or (n, 73)
        Orbits of all vertices, as ``graphlets(graph, by="vertex")`` returns them.
    places_of : tuple of tuple of int, default ORBITS_OF_GRAPHLETS
        Orbits of each graphlet.
    """
    sums = exact_column_sums(orbits)
    return {name: sums[orbit] // times for name, (orbit, times) in _first_orbits(len(sums), places_of).items()}


def check_size(size: int) -> None:
    """Raise ArgumentError if graphlets of up to this size are not counted."""
    check_number("size=", size, *ORBITS_OF_SIZE)


def _check_width(graph: Graph, oriented: Oriented, *, edges: bool = False) -> None:
    """Raise if a frequency of an orbit of up to five vertices could exceed 64 bits at some vertex, or at some edge."""
    found = (first_edge_too_large if edges else first_too_large)(oriented)
    if found is None:
        return
    orbit, *ranks, bound = found
    ends = sorted(int(oriented.order[rank]) for rank in ranks)
    degrees = " and ".join(f"{int(oriented.degree[oriented.rank[end]]):,}" for end in ends)
    labels = " to ".join(f"{label_of(graph, end)}" for end in ends)
    raise CountOverflowError(
        f"orbit {orbit} at {'the edge from' if edges else 'vertex'} {labels}, which {'have' if edges else 'has'} "
        f"{degrees} neighbours, may have the frequency {bound:.2g}, above 2**63; size=4 counts the orbits of up to "
        "four vertices"
    )


def orbits_of_edges(graph: GraphLike, size: int, **machine: Unpack[Machine]) -> Int64Array:
    """Return the net frequencies of the orbits of edges: int64, shape (m, 2), (m, 12) or (m, 68)."""
    count = FIVE_VERTICES_AT_EDGES if size == 5 else FOUR_VERTICES_AT_EDGES
    graph = as_graph(graph, not_tiled=count.not_tiled, batch=True)
    if size == 3:
        triangles = edge_support(graph, **machine)
        source, target = graph.edges()
        paths = graph.degree[source] + graph.degree[target] - 2 - 2 * triangles
        return np.stack([paths, triangles], axis=1)
    threads = machine.get("threads")
    oriented = graph.oriented(threads=threads)
    if size == 5:
        _check_width(graph, oriented, edges=True)
    source, target = graph.edges()
    check_memory(
        8 * EDGE_ORBITS_OF_SIZE[size] * len(source),
        f"holding the frequencies of {EDGE_ORBITS_OF_SIZE[size]} orbits at {len(source):,} edges",
        "use more memory" if size == 4 else "use more memory, or size=4",
    )
    entry = entries_of(oriented, source, target, threads=threads)
    del source, target
    frequencies = run(count, oriented, entry, **machine)
    return net_of(frequencies, threads=resolve_threads(threads), in_place=True)


def totals_of_edge_orbits(orbits: Int64Array) -> dict[str, int]:
    """Return the number of each graphlet in the whole graph, by name, from its first orbit at all edges.

    Parameters
    ----------
    orbits : int64 array, shape (m, 12) or (m, 68)
        Orbits of all edges of an undirected graph, as ``graphlets(graph, by="edge")`` returns them.
    """
    return {GRAPH_NAMES[0]: len(orbits)} | totals_of_orbits(orbits, EDGE_ORBITS_OF_GRAPHLETS)
