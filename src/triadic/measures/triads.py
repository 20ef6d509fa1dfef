"""The dyad census and the triad census, of a graph and by vertex, and lists of the triads of one type.

The triad census counts the triples of vertices by the arcs among them. Closed triads are counted as triangles of the
skeleton; the numbers of open triads follow from the degrees. A vertex with m mutual, o only-out and i only-in
neighbours is the centre of C(o, 2) triples that either are of type 021D or contain one as part of a closed triad, and
so on for the other open types; the open triples within closed triads are then subtracted. An edge of an undirected
graph counts as a mutual dyad.

References
----------
Holland and Leinhardt (1976), Sociological Methodology 7, 1.
Batagelj and Mrvar (2001), Social Networks 23, 237.
Moody (1998), Social Networks 20, 291.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.arcs import Arcs
from triadic.core.checked import check_option
from triadic.core.progress import reporting
from triadic.core.triad_types import ASYMMETRIC, CLOSED_NAMES, MUTUAL, OPEN_NAMES, TRIAD_NAMES
from triadic.counts import triads as counts
from triadic.counts.count import check_device, run
from triadic.counts.triads import (
    CENSUS_OF_VERTICES,
    CLOSED_TRIADS,
    DYADS,
    LABELLED_CLOSED_TRIADS,
    WEDGES,
    labelled_codes,
    labelled_wedges,
    types_of,
)
from triadic.errors import ArgumentError
from triadic.graph.batch import GraphBatch
from triadic.graph.graph import Graph
from triadic.graph.selection import chosen_vertices, induced
from triadic.measures.batches import completed, dyad_censuses, dyads_of_graphs, one_row_a_graph, triad_censuses
from triadic.measures.census import Census, TriadCensus
from triadic.measures.patterns.matches import by_types
from triadic.measures.triangles import check_limit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triadic.convert.result_table import Table
    from triadic.core.array_types import Int64Array
    from triadic.core.oriented import Oriented
    from triadic.core.progress import Machine, ProgressKeyword
    from triadic.graph.selection import Vertices
    from triadic.measures.batches import Columns
    from triadic.null_models.constraints import Groups, Missing
    from triadic.tiles.oriented_tiles import OrientedTiles
    from triadic.tiles.tiled_graph import TiledGraph


@one_row_a_graph("dyads", dyad_censuses)
def dyad_census(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> Census:
    """Count the mutual, asymmetric and null dyads of a graph.

    A dyad is a pair of vertices. It is mutual if arcs join the two in both directions, asymmetric if one arc does, and
    null if no arc does.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        The edges of an undirected graph are mutual dyads.
    threads : int, optional
        Number of threads that orient a graph that has not been oriented; by default as many as the process may use.
    device : str, default "auto"
        "auto" or "cpu": the numbers of edges and arcs are known, so no GPU counts dyads.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    Census
        Numbers of "mutual", "asymmetric" and "null" dyads, which add up to C(n, 2).

    Raises
    ------
    ArgumentError
        If an argument does not have one of the accepted values.
    UnsupportedError
        If `device` names a GPU.
    OutOfMemoryError
        If orienting the graph needs more memory than is available.

    See Also
    --------
    triad_census : Count the triples of vertices by the arcs among them.

    Notes
    -----
    O(1) once the graph is oriented, which takes O(m) for m edges.

    References
    ----------
    Holland and Leinhardt (1976), "Local structure in social networks", Sociological Methodology 7, 1.

    Examples
    --------
    >>> import triadic
    >>> triadic.dyad_census(triadic.Graph.from_edges([0, 1, 1], [1, 0, 2], directed=True)).to_dict()
    {'mutual': 1, 'asymmetric': 1, 'null': 1}
    """
    graph = as_graph(graph, tiled=True, directions="counted")
    graph.oriented(threads=threads)
    check_device(DYADS, device)
    with reporting(progress, DYADS.label) as report:
        if report is not None:
            report(0, 1)
            report(1, 1)
    mutual, asymmetric = dyads_of(graph)
    null = comb(graph.num_vertices, 2) - mutual - asymmetric
    return Census(("mutual", "asymmetric", "null"), (mutual, asymmetric, null))


By = Literal["vertex", "type"] | None


def _of_batch(
    batch: GraphBatch,
    *,
    labelled: bool = False,
    vertices: Vertices | None = None,
    **keywords: Any,  # noqa: ANN401 - threads, device, progress
) -> Columns | None:
    """Return the census of each graph of a batch; `vertices` are those of the batch."""
    if vertices is None:
        return triad_censuses(batch, labelled=labelled, **keywords)
    arcs, others = _without(vertices, batch.graph)
    outside = GraphBatch.from_arrays(
        arcs.source, arcs.target, batch.graph_of_vertex[others], num_graphs=batch.num_graphs, directed=batch.directed
    )
    all_triads, without = (triad_census(each, labelled=labelled, **keywords) for each in (batch, outside))
    return {name: all_triads[name] - without[name] for name in all_triads}


@overload
def triad_census(  # type: ignore[overload-overlap]  # a batch is a GraphLike too
    graph: GraphBatch,
    *,
    by: None = None,
    labelled: bool = False,
    vertices: Vertices | None = None,
    **machine: Unpack[Machine],
) -> Table: ...


@overload
def triad_census(
    graph: GraphLike,
    *,
    by: None = None,
    labelled: Literal[False] = False,
    vertices: None = None,
    **machine: Unpack[Machine],
) -> TriadCensus: ...


@overload
def triad_census(
    graph: GraphLike,
    *,
    by: None = None,
    labelled: bool = False,
    vertices: Vertices | None = None,
    **machine: Unpack[Machine],
) -> Census: ...


@overload
def triad_census(graph: GraphLike, *, by: Literal["vertex"], **machine: Unpack[Machine]) -> Int64Array: ...


@overload
def triad_census(
    graph: GraphLike, *, by: Literal["type"], types: Groups, missing: Missing = "error", **machine: Unpack[Machine]
) -> Table: ...


def triad_census(
    graph: GraphLike,
    *,
    by: By = None,
    types: Groups | None = None,
    missing: Missing = "error",
    labelled: bool = False,
    vertices: Vertices | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Any:
    """Count the triads of a graph by type, in total or by vertex.

    A triad is a triple of vertices with the arcs among them.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        The edges of an undirected graph are mutual dyads. A `TiledGraph` has the 16 types of all triads only.
    by : {None, "vertex", "type"}, default None
        None counts all triads of the graph; "vertex" the triads that each vertex is in; "type" the connected triads of
        each combination of types of their vertices.
    types : str, mapping, Series or table by label, or array_like, shape (n,), optional
        Type of each vertex, for ``by="type"``: whole numbers or strings, or the name of a column of the vertices.
    missing : {"error", "type", "drop"}, default "error"
        Of `types`, whether vertices without a type are refused, have the type "(missing)", or are left out.
    labelled : bool, default False
        Whether to tell apart the vertices of a triad. The 16 types of triads are named as in ``TRIAD_NAMES``; the 64
        labelled types of vertices u < v < w are named "0" to "63": s(uv) + 4 s(uw) + 16 s(vw), where s is 0 for a null
        dyad, 1 for an arc from the lower vertex, 2 for an arc from the higher vertex, and 3 for a mutual dyad.
    vertices : array_like or set of int or str, or a mask, optional
        Count only the triads that contain at least one of these vertices, given as labels, or as numbers from 0 to
        n - 1 if the graph has no labels; by default all triads. A mask has a bool for each vertex: an array in the
        order of the vertices, or a mapping, Series or table that is aligned by label. The vertices of a `GraphBatch`
        are numbered through all its graphs.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    TriadCensus, or Census if `vertices` is given or the triads are labelled
        For ``by=None``, number of triads of each type, as Python ints; all triads together are C(n, 3). A `TriadCensus`
        also has the numbers that are expected in random graphs. For a `GraphBatch`, a `Table`.
    int64 array, shape (n, 16)
        For ``by="vertex"``, number of triads at each vertex, with a column for each type in the order of
        ``TRIAD_NAMES``. A row adds up to C(n - 1, 2), and a column to three times the census. The result for a
        `TiledGraph` is mapped into memory.

    Table
        For ``by="type"``, a row for each combination that occurs, with the "name" of the type of triad, the types of
        the "first", "second" and "third" vertex by role, and the "count".

    Raises
    ------
    ArgumentError
        If a vertex in `vertices` does not exist or occurs twice; if `by` is combined with `labelled` or
        `vertices`, or the graph then has 2**32 or more vertices, so that C(n - 1, 2) exceeds 64 bits; or if another
        argument does not have an accepted value.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If the triads of a `TiledGraph` are labelled, or `vertices` is given for one.

    See Also
    --------
    vertex_table : Compute the triads of each vertex and other measures as the columns of a table.
    list_triads : List the triads of one type.
    dyad_census : Count the dyads.
    significance : Compare the counts with those of random graphs.

    Notes
    -----
    The cost is that of `triangle_count` and O(m) for m edges; by vertex that of `triangles`, and 128 bytes per vertex.
    If `vertices` is given, the triads of the graph without these vertices are subtracted, which takes a second census
    and O(m) memory.

    References
    ----------
    Batagelj and Mrvar (2001), "A subquadratic triad census algorithm for large sparse networks with small maximum
    degree", Social Networks 23, 237.
    Moody (1998), "Matrix methods for calculating the triad census", Social Networks 20, 291.
    Nagpal (2013), "Study and evaluation of an irregular graph algorithm on multicore and GPU processor architectures",
    Università della Svizzera italiana, section 2.2; figure 2.5 has the 64 types, numbered from 1.

    Examples
    --------
    >>> import triadic
    >>> census = triadic.triad_census(triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True))
    >>> census["030T"], census["021C"], sum(census.values())
    (1, 2, 4)
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> triadic.triad_census(graph, by="vertex")[:, triadic.TRIAD_NAMES.index("030T")]
    array([1, 1, 1, 0])
    """
    check_option("by", by, By)
    if (
        by is types is None
        and str(missing) == "error"
        and not labelled
        and vertices is None
        and not isinstance(graph, GraphBatch)
    ):
        return _census(as_graph(graph, tiled=True, directions="counted"), threads, device, progress)
    machine: Any = {"threads": threads, "device": device, "progress": progress}
    if (types is not None or str(missing) != "error") and by != "type":
        raise ArgumentError(f"by={by!r}: types= is for by='type', and so is missing=; leave them out")
    if by is None:
        return _total(graph, labelled=labelled, vertices=vertices, **machine)
    if labelled or vertices is not None:
        given = "labelled=True" if labelled else "vertices="
        raise ArgumentError(f"by={by!r}: {given} counts triads of the whole graph; leave out one of the two")
    if by == "vertex":
        return triads_of_vertices(graph, **machine)
    return by_types("triads", graph, types, missing=missing, **machine)


@one_row_a_graph("triads", _of_batch)
def _total(
    graph: GraphLike,
    *,
    labelled: bool,
    vertices: Vertices | None,
    threads: int | None,
    device: str,
    progress: ProgressKeyword = False,
) -> Census:
    """Return the census of a graph."""
    in_memory, reason = "labelled=True", LABELLED_CLOSED_TRIADS.not_tiled
    if not labelled:
        in_memory, reason = "the census of some vertices", "the graph without these vertices has other tiles"
    graph = as_graph(graph, not_tiled=f"{in_memory} is counted in memory only: {reason}", directions="counted")
    census = labelled_census if labelled else _census
    whole = census(graph, threads, device, progress)
    if vertices is None:
        return whole
    outside = census(Graph.from_arcs(_without(vertices, graph)[0]), threads, device, progress)
    return Census(whole.names, tuple(a - b for a, b in zip(whole.counts, outside.counts, strict=True)))


def triads_of_vertices(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> Int64Array:
    """Return the number of triads of each type that each vertex is in: int64, shape (n, 16)."""
    in_graph: Any = dyads_of_graphs(graph, run(DYADS, graph.oriented())) if isinstance(graph, GraphBatch) else None
    graph = as_graph(graph, tiled=True, batch=True, directions="counted")
    n = graph.num_vertices
    if n >= 2**32:
        raise ArgumentError(f"graph: a vertex of {n} is in more triads than an int64 can count")
    mutual, asymmetric = in_graph or dyads_of(graph)
    oriented = graph.oriented(threads=threads)
    return run(CENSUS_OF_VERTICES, oriented, (asymmetric, mutual), threads=threads, device=device, progress=progress)


def census_of(graph: Graph | TiledGraph, sums: Sequence[int]) -> TriadCensus:
    """Return the census of a graph from the sum of each column of its census by vertex."""
    counts_of_types = tuple(total // 3 for total in sums)
    return TriadCensus(TRIAD_NAMES, counts_of_types, graph.num_vertices, *dyads_of(graph))


def dyads_of(graph: Graph | TiledGraph) -> tuple[int, int]:
    """Return the numbers of mutual and of asymmetric dyads: an edge of the skeleton is two arcs or one."""
    edges = graph.num_edges
    return graph.num_arcs - edges, 2 * edges - graph.num_arcs


def _census(graph: Graph | TiledGraph, threads: int | None, device: str, progress: ProgressKeyword) -> TriadCensus:
    n = graph.num_vertices
    oriented = graph.oriented(threads=threads)
    codes = run(CLOSED_TRIADS, oriented, threads=threads, device=device, progress=progress)
    types = dict(zip(TRIAD_NAMES, types_of(codes).tolist(), strict=True))
    wedges = open_triples(oriented, threads=threads, device=device)
    mutual, asymmetric = dyads_of(graph)
    census = completed(wedges, {name: types[name] for name in CLOSED_NAMES}, n, mutual, asymmetric)
    return TriadCensus(TRIAD_NAMES, tuple(census[name] for name in TRIAD_NAMES), n, mutual, asymmetric)


def open_triples(oriented: Oriented | OrientedTiles, *, threads: int | None, device: str) -> dict[str, int]:
    """Return the number of pairs of dyads that share a vertex, by the open type that they form with no third dyad."""
    low, high = run(WEDGES, oriented, threads=threads, device=device).tolist()
    return {name: (high[t] << 32) + low[t] for t, name in enumerate(OPEN_NAMES)}


def _without(vertices: Vertices, graph: Graph) -> tuple[Arcs, Int64Array]:
    """Return the arcs between all other vertices than these, and the numbers of the other vertices."""
    others = np.delete(np.arange(graph.num_vertices), chosen_vertices(vertices, graph, once=True))
    return induced(Arcs(*graph.edges(), graph.num_vertices, graph.directed), others), others


def labelled_census(graph: Graph, threads: int | None, device: str, progress: ProgressKeyword) -> Census:
    """Return the number of triads of each labelled type, "0" to "63"."""
    oriented = graph.oriented(threads=threads)
    closed = labelled_codes(run(LABELLED_CLOSED_TRIADS, oriented, threads=threads, device=device, progress=progress))
    wedges = labelled_wedges(oriented, threads=threads, device=device)
    x = closed.astype(object).reshape(4, 4, 4).transpose(2, 1, 0)  # the lowest digit of a code is s(uv)
    edge = slice(1, 4)
    x[edge, 0, edge] = wedges.middle[edge, edge] - x[edge, edge, edge].sum(axis=1)
    x[edge, edge, 0] = wedges.lowest[edge, edge] - x[edge, edge, edge].sum(axis=2)
    x[0, edge, edge] = wedges.highest[edge, edge] - x[edge, edge, edge].sum(axis=0)
    x[edge, 0, 0] = wedges.above[edge] - x[edge].sum(axis=(1, 2))
    x[0, edge, 0] = wedges.between[edge] - x[:, edge].sum(axis=(0, 2))
    x[0, 0, edge] = wedges.below[edge] - x[:, :, edge].sum(axis=(0, 1))
    x[0, 0, 0] = comb(graph.num_vertices, 3) - x.sum()
    return Census(tuple(map(str, range(64))), tuple(int(count) for count in x.transpose(2, 1, 0).ravel()))


def list_triads(
    graph: GraphLike, of: str, *, limit: int | None = None, progress: ProgressKeyword = False
) -> Iterator[tuple[int, int, int]]:
    """List the triples of vertices that form a triad of one type.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The edges of an undirected graph are mutual dyads.
    of : str
        Type of the triads, one of ``TRIAD_NAMES``.
    limit : int, optional
        Largest number of triples to list, the first ones in the order below; by default all.
    progress : bool or callable, default False
        True shows a progress bar on standard error while the triples are read; a callable is called with
        ``(done, total)``.

    Returns
    -------
    iterator of tuple of int
        Vertices u < v < w of each triad, as numbers from 0 to n - 1; the triples are in lexicographic order.

    Raises
    ------
    ArgumentError
        At the call: if `of` is not one of ``TRIAD_NAMES``, or `limit` is not a whole number of at least 0.
    OutOfMemoryError
        At the first triple: if sorting the edges needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    triad_census : Count the triads of each type.
    list_triangles : List the triangles.

    Notes
    -----
    The edges are sorted by vertex before the first triple, O(m), unless the graph has fewer mutual or asymmetric dyads
    than a triad of the type. The further cost is proportional to the triples whose numbers of mutual and asymmetric
    dyads are those of the type. The iterator holds 5 to 15 bytes per edge and about 40 per vertex beside the graph, and
    8 bytes per arc more while it sorts; triples are not stored.

    References
    ----------
    Batagelj and Mrvar (2001), Social Networks 23, 237, for the search from the dyads of the type.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> list(triadic.list_triads(graph, "021C"))
    [(0, 1, 3), (0, 2, 3)]
    """
    graph = as_graph(graph, directions="counted")
    if of not in TRIAD_NAMES:
        raise ArgumentError(f"of={of!r}: expected one of {', '.join(TRIAD_NAMES)}")
    return _triads(graph, of, check_limit(limit), progress)


def _triads(graph: Graph, name: str, limit: int | None, progress: ProgressKeyword) -> Iterator[tuple[int, int, int]]:
    mutual, asymmetric = dyads_of(graph)
    if limit == 0 or mutual < MUTUAL[name] or asymmetric < ASYMMETRIC[name]:
        return
    with reporting(progress, f"listing triads {name}") as report:
        for part in counts.list_triads(graph.oriented(), name, limit, report):
            yield from zip(*part.T.tolist(), strict=True)
