"""ORCA's orbits at each vertex, and the number of each graphlet in a whole graph. The directions of arcs are ignored.

The 73 orbits are the places of a vertex in the 30 connected graphs of two to five vertices; orbits 0 to 14 belong
to graphs of up to four vertices. Frequencies are net: they count induced subgraphs.

References
----------
Pržulj (2007), Bioinformatics 23, e177, for graphlets of up to five vertices and their orbits.
Hočevar and Demšar (2014), Bioinformatics 30, 559, for the numbers of the orbits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
from triadic.core.exact import exact_column_sums
from triadic.core.graphlet_types import ORBITS
from triadic.core.orbit_tables import GRAPH_NAMES, ORBITS_OF_GRAPHLETS, ORBITS_OF_SIZE
from triadic.counts.count import run
from triadic.counts.five_vertices import FIVE_VERTEX_COUNTS
from triadic.errors import ArgumentError, CountOverflowError
from triadic.graph.batch import sums_by_graph
from triadic.measures.census import Census
from triadic.measures.graph_table import one_row_a_graph
from triadic.measures.graphlets import graphlet_transform
from triadic.measures.orbit_formulas import first_too_large, net_orbits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.batch import GraphBatch
    from triadic.graph.graph import Graph
    from triadic.measures.graph_table import Columns

_NOT_TILED = FIVE_VERTEX_COUNTS.not_tiled


def orbit_degrees(
    graph: GraphLike,
    *,
    size: int = 4,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> NDArray[np.int64]:
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
    if size not in ORBITS_OF_SIZE:
        raise ArgumentError(f"size={size!r}: expected 4 or 5")
    # `graphlet_transform` issues the warning about directions itself.
    graph = as_graph(graph, not_tiled=_NOT_TILED, batch=True, directions="unused" if size == 4 else "ignored")
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


def totals_of_orbits(orbits: NDArray[np.int64]) -> dict[str, int]:
    """Return the number of each graphlet in the whole graph, by name, from its first orbit at all vertices.

    Parameters
    ----------
    orbits : int64 array, shape (n, 15) or (n, 73)
        Orbits of all vertices, as `orbit_degrees` returns them.
    """
    sums = exact_column_sums(orbits)
    return {
        name: sums[places[0]] // places.count(places[0])
        for name, places in zip(GRAPH_NAMES, ORBITS_OF_GRAPHLETS, strict=True)
        if places[0] < len(sums)
    }


def _check_width(graph: Graph, oriented: Oriented) -> None:
    """Raise if a frequency of an orbit of up to five vertices could exceed 64 bits at some vertex."""
    found = first_too_large(oriented)
    if found is None:
        return
    orbit, rank, bound = found
    vertex = int(oriented.order[rank])
    name = vertex if graph.labels is None or vertex >= len(graph.labels) else graph.labels[vertex]
    raise CountOverflowError(
        f"orbit {orbit} at vertex {name}, which has {int(oriented.degree[rank]):,} neighbours, may have the frequency "
        f"{bound:.2g}, above 2**63; size=4 counts the orbits of up to four vertices"
    )
