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

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
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
from triadic.counts.orbits import FIVE_VERTEX_COUNTS, FIVE_VERTICES_AT_EDGES, FOUR_VERTICES_AT_EDGES
from triadic.errors import ArgumentError, CountOverflowError
from triadic.graph.batch import sums_by_graph
from triadic.measures.batches import one_row_a_graph
from triadic.measures.census import Census
from triadic.measures.graphlets.formulas import first_edge_too_large, first_too_large, label_of, net_of, net_orbits
from triadic.measures.graphlets.transform import graphlet_transform

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array
    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.batch import GraphBatch
    from triadic.graph.graph import Graph
    from triadic.measures.batches import Columns


def orbit_degrees(
    graph: GraphLike,
    *,
    size: int = 4,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Int64Array:
    """Count the induced subgraphs of up to four or five vertices that touch each vertex at each of ORCA's orbits.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    size : {4, 5}, default 4
        Number of vertices of the largest subgraphs.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    int64 array, shape (n, 15) or (n, 73)
        Number of induced subgraphs that touch the vertex at the orbit, with a column for each orbit: orbits 0 to 14 for
        ``size=4``, orbits 0 to 72 for ``size=5``.

    Raises
    ------
    ArgumentError
        If an argument does not have one of the accepted values.
    CountOverflowError
        If a frequency could exceed 64 bits: the claws at a vertex with more than 3,810,779 neighbours; for ``size=5``
        the stars of four leaves at a vertex with more than 121,977 neighbours, or paths and forks near such hubs.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available, on the device or on the host.
    UnsupportedError
        If the graph is a `TiledGraph`, or `size` is 5 and `device` names a GPU for a graph of 2**31 triangles or more.

    See Also
    --------
    graphlet_transform : Count the same for ``size=4`` as net frequencies, in the order of the graphlet transform.
    graphlet_counts : Count the subgraphs of each kind in the whole graph.

    Notes
    -----
    For ``size=4`` the cost is that of `graphlet_transform`. For ``size=5`` raw frequencies are put together from
    degrees, common neighbours, triangles and cliques, so that only 5-cycles and cliques are enumerated. The cost is the
    sum of the squares of the degrees, and, for 5-cycles, for each vertex the number of edges between vertices of
    smaller degree within two steps; vertices with the same neighbours are counted once. While counting, about 70 bytes
    per edge, 36 to 48 bytes per triangle and 130 bytes per vertex and thread are held beside the graph; then 760 bytes
    per vertex, 584 of which are the result. A GPU holds about 85 bytes per edge,
    36 bytes per triangle, 730 bytes per vertex, and up to half of its free memory for tables.

    References
    ----------
    Pržulj (2007), Bioinformatics 23, e177, figure 1, for the numbers of the orbits.
    Hočevar and Demšar (2014), "A combinatorial approach to graphlet counting", Bioinformatics 30, 559.
    Pinar, Seshadhri and Vishal (2017), "ESCAPE: Efficiently counting all 5-vertex subgraphs", WWW.
    Pashanasangi and Seshadhri (2020), "Efficiently counting vertex orbits of all 5-vertex subgraphs, by EVOKE", WSDM.

    Examples
    --------
    >>> import triadic
    >>> square = triadic.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> triadic.orbit_degrees(square)[0].tolist()
    [2, 2, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> cycle = triadic.Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 3, 4, 0])
    >>> orbits = triadic.orbit_degrees(cycle, size=5)
    >>> orbits.shape, orbits[0].nonzero()[0].tolist()
    ((5, 73), [0, 1, 2, 4, 5, 34])
    """
    check_size(size)
    # `graphlet_transform` issues the warning about directions itself.
    graph = as_graph(
        graph, not_tiled=FIVE_VERTEX_COUNTS.not_tiled, batch=True, directions="unused" if size == 4 else "ignored"
    )
    if size == 4:
        return graphlet_transform(graph, threads=threads, device=device, progress=progress).net[:, ORBITS]
    oriented = graph.oriented(threads=threads)
    _check_width(graph, oriented)
    raw = run(FIVE_VERTEX_COUNTS, oriented, threads=threads, device=device, progress=progress)
    return net_orbits(oriented, raw, threads=resolve_threads(threads))


def _counts_of_graphs(batch: GraphBatch, *, size: int = 5, **keywords: Any) -> Columns | None:  # noqa: ANN401 - keywords of `run`
    """Return the number of each graphlet in each graph of a batch."""
    orbits = orbit_degrees(batch, size=size, **keywords)
    if len(orbits) and int(orbits.max()) > np.iinfo(np.int64).max // int(batch.sizes.max()):
        return None  # a sum could exceed 64 bits
    firsts = {
        name: (places[0], places.count(places[0]))
        for name, places in zip(GRAPH_NAMES, ORBITS_OF_GRAPHLETS, strict=True)
        if places[0] < orbits.shape[1]
    }
    columns = [orbit for orbit, _ in firsts.values()]
    sums = sums_by_graph(orbits[batch.order[:, None], np.array(columns)], batch.offsets)
    return {name: sums[:, k] // times for k, (name, (_, times)) in enumerate(firsts.items())}


@one_row_a_graph("graphlets", _counts_of_graphs)
def graphlet_counts(
    graph: GraphLike,
    *,
    size: int = 5,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Census:
    """Count the induced connected subgraphs of each kind with two to four or five vertices in the whole graph.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    size : {5, 4}, default 5
        Number of vertices of the largest subgraphs.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count, as for `orbit_degrees`.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    Census
        Number of induced subgraphs by name, as Python ints, in the order of the graphlets G0 (the edge) to G29 (the
        5-clique) of Pržulj (2007); up to G8 (the 4-clique) for ``size=4``. For a `GraphBatch`, a `GraphTable`.

    Raises
    ------
    ArgumentError
        If an argument does not have one of the accepted values.
    CountOverflowError
        If the frequency of an orbit at a vertex could exceed 64 bits, as for `orbit_degrees`; totals may.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available, on the device or on the host.
    UnsupportedError
        If the graph is a `TiledGraph`, or `size` is 5 and `device` names a GPU for a graph of 2**31 triangles or more.

    See Also
    --------
    orbit_degrees : Count the subgraphs at each vertex.

    Notes
    -----
    The cost is that of `orbit_degrees`.

    References
    ----------
    Pržulj (2007), Bioinformatics 23, e177, figure 1, for the order of the graphlets.

    Examples
    --------
    >>> import triadic
    >>> counts = triadic.graphlet_counts(triadic.Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 4]))
    >>> counts["triangle"], counts["paw"], counts["(3,2)-lollipop"]
    (1, 1, 1)
    """
    orbits = orbit_degrees(graph, size=size, threads=threads, device=device, progress=progress)
    totals = totals_of_orbits(orbits)
    return Census(tuple(totals), tuple(totals.values()))


def totals_of_orbits(
    orbits: Int64Array, places_of: tuple[tuple[int, ...], ...] = ORBITS_OF_GRAPHLETS
) -> dict[str, int]:
    """Return the number of each graphlet in the whole graph, by name, from its first orbit at all vertices.

    Parameters
    ----------
    orbits : int64 array, shape (n, 15) or (n, 73)
        Orbits of all vertices, as `orbit_degrees` returns them.
    places_of : tuple of tuple of int, default ORBITS_OF_GRAPHLETS
        Orbits of each graphlet.
    """
    sums = exact_column_sums(orbits)
    return {
        name: sums[places[0]] // places.count(places[0])
        for name, places in zip(GRAPH_NAMES, places_of, strict=True)
        if places and places[0] < len(sums)
    }


def check_size(size: int) -> None:
    """Raise ArgumentError if orbits of graphlets of this size are not counted."""
    if size not in ORBITS_OF_SIZE:
        raise ArgumentError(f"size={size!r}: expected 4 or 5")


def _check_width(graph: Graph, oriented: Oriented) -> None:
    """Raise if a frequency of an orbit of up to five vertices could exceed 64 bits at some vertex."""
    found = first_too_large(oriented)
    if found is None:
        return
    orbit, rank, bound = found
    vertex = int(oriented.order[rank])
    raise CountOverflowError(
        f"orbit {orbit} at vertex {label_of(graph, vertex)}, which has {int(oriented.degree[rank]):,} neighbours, "
        f"may have the frequency {bound:.2g}, above 2**63; size=4 counts the orbits of up to four vertices"
    )


def edge_orbit_degrees(
    graph: GraphLike,
    *,
    size: int = 4,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Int64Array:
    """Count the induced subgraphs of up to four or five vertices that hold each edge at each of ORCA's edge orbits.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    size : {4, 5}, default 4
        Number of vertices of the largest subgraphs.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        "auto" or "cpu": GPUs do not count edge orbits.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    int64 array, shape (num_edges, 12) or (num_edges, 68); (num_arcs, 12) or (num_arcs, 68) for a directed graph
        Number of induced subgraphs that hold the edge at the orbit, with a row for each edge, in the order of
        ``graph.edges()``, and a column for each orbit: orbits 0 to 11 for ``size=4``, orbits 0 to 67 for ``size=5``. An
        arc has the counts of the edge between its two vertices.

    Raises
    ------
    ArgumentError
        If an argument does not have one of the accepted values.
    CountOverflowError
        If a frequency could exceed 64 bits: for ``size=5`` the stars of four leaves at the edges of a vertex with more
        than 3,810,780 neighbours, or paths and forks near such hubs.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`, or `device` names a GPU.

    See Also
    --------
    orbit_degrees : Count the orbits at each vertex.
    edge_support : Count the triangles at each edge, edge orbit 1.

    Notes
    -----
    Orbits have the numbers of ORCA: in the order of the graphlets, and within a graphlet in the order of the vertex
    orbits of the two ends of the edge, the smaller first.

    For ``size=4``, triangles, squares and 4-cliques are enumerated. For ``size=5`` raw frequencies are put together
    from degrees, common neighbours, triangles and cliques, as for `orbit_degrees`; the cost is one to two times that of
    vertices. While counting, about 250 bytes per edge, 16 bytes per edge and thread, and 48 bytes per triangle are held
    beside the graph; then 96 or 544 bytes per edge for the result.

    References
    ----------
    Hočevar and Demšar (2016), "Computation of graphlet orbits for nodes and edges in sparse graphs", Journal of
    Statistical Software 71 (10).
    Pinar, Seshadhri and Vishal (2017), "ESCAPE: Efficiently counting all 5-vertex subgraphs", WWW.
    Pashanasangi and Seshadhri (2020), "Efficiently counting vertex orbits of all 5-vertex subgraphs, by EVOKE", WSDM.

    Examples
    --------
    >>> import triadic
    >>> paw = triadic.Graph.from_edges([0, 0, 1, 0], [1, 2, 2, 3])
    >>> [end.tolist() for end in paw.edges()]
    [[0, 0, 0, 1], [1, 2, 3, 2]]
    >>> orbits = triadic.edge_orbit_degrees(paw)
    >>> orbits.shape, [row.nonzero()[0].tolist() for row in orbits]
    ((4, 12), [[0, 1, 8], [0, 1, 8], [0, 6], [1, 7]])
    """
    check_size(size)
    count = FIVE_VERTICES_AT_EDGES if size == 5 else FOUR_VERTICES_AT_EDGES
    graph = as_graph(graph, not_tiled=count.not_tiled, batch=True)
    oriented = graph.oriented(threads=threads)
    if size == 5:
        _check_width_at_edges(graph, oriented)
    source, target = graph.edges()
    check_memory(
        8 * EDGE_ORBITS_OF_SIZE[size] * len(source),
        f"holding the frequencies of {EDGE_ORBITS_OF_SIZE[size]} orbits at {len(source):,} edges",
        "use more memory" if size == 4 else "use more memory, or size=4",
    )
    entry = entries_of(oriented, source, target, threads=threads)
    del source, target
    frequencies = run(count, oriented, entry, threads=threads, device=device, progress=progress)
    net_of(frequencies, threads=resolve_threads(threads), out=frequencies)
    return frequencies


def totals_of_edge_orbits(orbits: Int64Array) -> dict[str, int]:
    """Return the number of each graphlet in the whole graph, by name, from its first orbit at all edges.

    Parameters
    ----------
    orbits : int64 array, shape (m, 12) or (m, 68)
        Orbits of all edges of an undirected graph, as `edge_orbit_degrees` returns them.
    """
    return {GRAPH_NAMES[0]: len(orbits)} | totals_of_orbits(orbits, EDGE_ORBITS_OF_GRAPHLETS)


def _check_width_at_edges(graph: Graph, oriented: Oriented) -> None:
    """Raise if a frequency of an orbit of up to five vertices could exceed 64 bits at some edge."""
    found = first_edge_too_large(oriented)
    if found is None:
        return
    orbit, low, high, bound = found
    u, v = sorted((int(oriented.order[low]), int(oriented.order[high])))
    degrees = [f"{int(oriented.degree[oriented.rank[end]]):,}" for end in (u, v)]
    raise CountOverflowError(
        f"orbit {orbit} at the edge from {label_of(graph, u)} to {label_of(graph, v)}, which have "
        f"{' and '.join(degrees)} neighbours, may have the frequency {bound:.2g}, above 2**63; size=4 counts the "
        "orbits of up to four vertices"
    )
