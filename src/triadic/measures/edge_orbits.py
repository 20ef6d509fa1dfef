"""ORCA's edge orbits at each edge. The directions of arcs are ignored.

The 68 orbits are the places of an edge in the connected graphs of three to five vertices; orbits 0 to 11 belong to
graphs of up to four vertices. Frequencies are net: they count induced subgraphs.

References
----------
Hočevar and Demšar (2016), Journal of Statistical Software 71 (10), for edge orbits and their numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
from triadic.core.edge_orbit_tables import EDGE_ORBITS_OF_GRAPHLETS, EDGE_ORBITS_OF_SIZE
from triadic.core.exact import exact_column_sums
from triadic.core.memory import check_memory
from triadic.core.orbit_tables import GRAPH_NAMES
from triadic.counts.count import run
from triadic.counts.edge_orbits import FIVE_VERTICES_AT_EDGES, FOUR_VERTICES_AT_EDGES
from triadic.devices.cpu.rows import slots_of_edges
from triadic.errors import ArgumentError, CountOverflowError
from triadic.measures.edge_orbit_formulas import first_too_large, make_net

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph


def edge_orbit_degrees(
    graph: GraphLike,
    *,
    size: int = 4,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> NDArray[np.int64]:
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
    if size not in EDGE_ORBITS_OF_SIZE:
        raise ArgumentError(f"size={size!r}: expected 4 or 5")
    count = FIVE_VERTICES_AT_EDGES if size == 5 else FOUR_VERTICES_AT_EDGES
    graph = as_graph(graph, not_tiled=count.not_tiled, batch=True)
    oriented = graph.oriented(threads=threads)
    if size == 5:
        _check_width(graph, oriented)
    source, target = graph.edges()
    check_memory(
        8 * EDGE_ORBITS_OF_SIZE[size] * len(source),
        f"holding the frequencies of {EDGE_ORBITS_OF_SIZE[size]} orbits at {len(source):,} edges",
        "use more memory" if size == 4 else "use more memory, or size=4",
    )
    entry = slots_of_edges(oriented, source, target, threads=resolve_threads(threads))
    del source, target
    frequencies = run(count, oriented, entry, threads=threads, device=device, progress=progress)
    make_net(frequencies, threads=resolve_threads(threads))
    return frequencies


def totals_of_edge_orbits(orbits: NDArray[np.int64]) -> dict[str, int]:
    """Return the number of each graphlet in the whole graph, by name, from its first orbit at all edges.

    Parameters
    ----------
    orbits : int64 array, shape (m, 12) or (m, 68)
        Orbits of all edges of an undirected graph, as `edge_orbit_degrees` returns them.
    """
    sums = exact_column_sums(orbits)
    totals = {GRAPH_NAMES[0]: len(orbits)}
    for name, places in zip(GRAPH_NAMES[1:], EDGE_ORBITS_OF_GRAPHLETS[1:], strict=True):
        if places[0] < len(sums):
            totals[name] = sums[places[0]] // places.count(places[0])
    return totals


def _check_width(graph: Graph, oriented: Oriented) -> None:
    """Raise if a frequency of an orbit of up to five vertices could exceed 64 bits at some edge."""
    found = first_too_large(oriented)
    if found is None:
        return
    orbit, low, high, bound = found
    order, labels = oriented.order, graph.labels
    u, v = sorted((int(order[low]), int(order[high])))
    names = [end if labels is None or end >= len(labels) else labels[end] for end in (u, v)]
    degrees = [f"{int(oriented.degree[oriented.rank[end]]):,}" for end in (u, v)]
    raise CountOverflowError(
        f"orbit {orbit} at the edge from {names[0]} to {names[1]}, which have {degrees[0]} and {degrees[1]} "
        f"neighbours, may have the frequency {bound:.2g}, above 2**63; size=4 counts the orbits of up to four vertices"
    )
