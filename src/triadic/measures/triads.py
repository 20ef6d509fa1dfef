"""The triad census: how many triples of vertices are joined in each of the sixteen ways.

Closed triads are counted as triangles; the open ones follow from degrees. Write m, o, i for a vertex's mutual,
only-out and only-in neighbours: the vertex is the centre of C(o, 2) triples that are 021D or hold one, and so on; what
the closed triads hold is taken away. An undirected graph counts with every edge mutual.

References
----------
Holland and Leinhardt (1976), Sociological Methodology 7, 1; Batagelj and Mrvar (2001), Social Networks 23, 237; Moody
(1998), Social Networks 20, 291.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Literal, overload

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.arcs import Arcs
from triadic.core.blocks import resolve_threads
from triadic.core.exact import exact_column_sums, exact_sum
from triadic.core.progress import reporting
from triadic.core.triad_types import ASYMMETRIC, CLOSED_NAMES, HELD, MUTUAL, OPEN_NAMES, TRIAD_NAMES
from triadic.counts.closed_triads import (
    CENSUS_OF_VERTICES,
    CLOSED_TRIADS,
    LABELLED_CLOSED_TRIADS,
    labelled_codes,
    types_of,
)
from triadic.counts.count import check_device, run
from triadic.counts.dyads import DYADS
from triadic.devices.cpu.labelled_wedges import labelled_wedges
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.graph.induced import induced
from triadic.measures.census import Census
from triadic.measures.labelled_triads import labelled_census
from triadic.measures.triad_null import TriadCensus
from triadic.measures.vertex_subset import take_subset

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from triadic.core.progress import ProgressKeyword

_PIECE = 1 << 20  # vertices whose dyads are gone through at a time


def dyad_census(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> Census:
    """Count the mutual, asymmetric and null dyads of a graph.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triad_census`. There is next to nothing to do: an edge of the skeleton holds one arc or two. So the CPU
        alone does it, and a GPU that is named is an error.

    Returns
    -------
    Census
        "mutual", "asymmetric" and "null"; together C(n, 2).

    Examples
    --------
    >>> import triadic
    >>> triadic.dyad_census(triadic.Graph.from_edges([0, 1, 1], [1, 0, 2], directed=True)).to_dict()
    {'mutual': 1, 'asymmetric': 1, 'null': 1}
    """
    graph = as_graph(graph, tiled=True)
    graph.oriented(threads=threads)
    resolve_threads(threads)
    check_device(DYADS, device)
    _report_no_work(progress)
    mutual, asymmetric = dyads_of(graph)
    null = comb(graph.num_vertices, 2) - mutual - asymmetric
    return Census(("mutual", "asymmetric", "null"), (mutual, asymmetric, null))


@overload
def triad_census(
    graph: GraphLike,
    *,
    types: Literal[16] = 16,
    vertices: None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> TriadCensus: ...


@overload
def triad_census(
    graph: GraphLike,
    *,
    types: int = 16,
    vertices: ArrayLike | AbstractSet[int] | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Census: ...


def triad_census(
    graph: GraphLike,
    *,
    types: int = 16,
    vertices: ArrayLike | AbstractSet[int] | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Census:
    """Count the triads of each type.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes
        Edges of an undirected graph are mutual.
    types : {16, 64}, default 16
        The 16 types up to relabelling; or the 64 codes of vertices u < v < w, keys "0" to "63": s(uv) + 4 s(uw) +
        16 s(vw), where s is 1 for an arc from the lower vertex, 2 for one from the higher, 3 for both.
    vertices : array_like or set of int, or array_like of bool with shape (n,), optional
        Count only the triads that hold at least one of these: numbers 0 .. n - 1, not labels.
    threads : int, optional
        Number of threads; as many as the process may use by default. The result is the same for any number.
    device : str, default "auto"
        Where to count, as for `triadic.triangles`.
    progress : bool or callable, default False
        True for a bar on standard error; a callable gets ``(done, total)``.

    Returns
    -------
    TriadCensus or Census
        Together C(n, 3) triads, as Python ints. The 16 types of the whole graph are a `TriadCensus`, which knows what
        chance would make of them.

    Raises
    ------
    ArgumentError
        Other `types`; a vertex that does not exist or is given twice.

    Notes
    -----
    The cost of `triadic.triangle_count`, and O(m) beside it. A subset, however small, costs a second census: of the
    graph without it, which is made for that, O(m) time and memory.

    References
    ----------
    The codes are those of the triad census thesis, figure 2.5, which counts them from 1.

    Examples
    --------
    >>> import triadic
    >>> census = triadic.triad_census(triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True))
    >>> census["030T"], census["021C"], sum(census.values())
    (1, 2, 4)
    """
    graph = as_graph(graph, tiled=types == 16 and vertices is None)
    if types not in (16, 64):
        raise ArgumentError(f"types={types!r}: expected 16 or 64")
    kind = _census_16 if types == 16 else _census_64
    whole = kind(graph, threads, device, progress)
    if vertices is None:
        return whole
    outside = kind(_without(graph, vertices), threads, device, progress)
    return Census(whole.names, tuple(a - b for a, b in zip(whole.counts, outside.counts, strict=True)))


def triad_census_by_vertex(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> NDArray[np.int64]:
    """Count the triads of each type that each vertex is in.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triad_census`.

    Returns
    -------
    int64 array, shape (n, 16)
        Columns in the order of ``TRIAD_NAMES``; a row adds up to C(n - 1, 2), a column to three times the census.

    Raises
    ------
    ArgumentError
        From 2**32 vertices on, where C(n - 1, 2) does not fit.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> triadic.triad_census_by_vertex(graph)[:, triadic.TRIAD_NAMES.index("030T")]
    array([1, 1, 1, 0])
    """
    graph = as_graph(graph, tiled=True)
    n = graph.num_vertices
    if n >= 2**32:
        raise ArgumentError(f"graph: a vertex of {n} is in more triads than an int64 can count")
    mutual, asymmetric = dyads_of(graph)
    oriented = graph.oriented(threads=threads)
    return run(CENSUS_OF_VERTICES, oriented, (asymmetric, mutual), threads=threads, device=device, progress=progress)


def census_of(graph: Graph, by_vertex: NDArray[np.int64]) -> TriadCensus:
    """Give the census of a graph whose vertices have been counted: each triad stands in three rows."""
    counts_of_types = tuple(total // 3 for total in exact_column_sums(by_vertex))
    return TriadCensus(TRIAD_NAMES, counts_of_types, graph.num_vertices, *dyads_of(graph))


def cycle_transitivity(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> float:
    """Give the share of directed paths of length two that an arc closes to a cycle.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triad_census`.

    Returns
    -------
    float
        Three times the directed 3-cycles over the directed paths of length two between different vertices; 0 where
        there is no such path. Of an undirected graph its transitivity.

    References
    ----------
    Leist, Hawick and Playne (2011), CSTN-117, section 1 and algorithm 1.

    Examples
    --------
    >>> import triadic
    >>> triadic.cycle_transitivity(triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=True))
    0.75
    """
    graph = as_graph(graph)
    oriented = graph.oriented(threads=threads)
    types = types_of(run(CLOSED_TRIADS, oriented, threads=threads, device=device, progress=progress))
    closed = dict(zip(TRIAD_NAMES, types.tolist(), strict=True))
    cycles = closed["030C"] + closed["120C"] + closed["210"] + 2 * closed["300"]
    m, o, i = run(DYADS, oriented, threads=threads).T
    paths = exact_sum((m + i) * (m + o) - m)
    return 3 * cycles / paths if paths else 0.0


def _census_16(graph: Graph, threads: int | None, device: str, progress: ProgressKeyword) -> TriadCensus:
    n = graph.num_vertices
    oriented = graph.oriented(threads=threads)
    types = types_of(run(CLOSED_TRIADS, oriented, threads=threads, device=device, progress=progress))
    found = _wedges(run(DYADS, oriented, threads=threads))
    found |= {name: int(types[TRIAD_NAMES.index(name)]) for name in CLOSED_NAMES}
    for closed, held in HELD.items():
        for name, times in held.items():
            found[name] -= times * found[closed]
    mutual, asymmetric = dyads_of(graph)
    one_asymmetric = asymmetric * (n - 2) - sum(ASYMMETRIC[t] * x for t, x in found.items())
    one_mutual = mutual * (n - 2) - sum(MUTUAL[t] * x for t, x in found.items())
    found |= {"012": one_asymmetric, "102": one_mutual}
    found["003"] = comb(n, 3) - sum(found.values())
    return TriadCensus(TRIAD_NAMES, tuple(found[name] for name in TRIAD_NAMES), n, mutual, asymmetric)


def _wedges(dyads: NDArray[np.int64]) -> dict[str, int]:
    """Count the triples that two dyads with a vertex in common make, by the type of the two alone."""
    found = dict.fromkeys(OPEN_NAMES, 0)
    for start in range(0, len(dyads), _PIECE):
        m, o, i = dyads[start : start + _PIECE].T
        found["021D"] += exact_sum(o * (o - 1) // 2)
        found["021U"] += exact_sum(i * (i - 1) // 2)
        found["021C"] += exact_sum(o * i)
        found["111D"] += exact_sum(m * i)
        found["111U"] += exact_sum(m * o)
        found["201"] += exact_sum(m * (m - 1) // 2)
    return found


def _census_64(graph: Graph, threads: int | None, device: str, progress: ProgressKeyword) -> Census:
    oriented = graph.oriented(threads=threads)
    closed = labelled_codes(run(LABELLED_CLOSED_TRIADS, oriented, threads=threads, device=device, progress=progress))
    wedges = labelled_wedges(oriented, threads=resolve_threads(threads))
    return Census(tuple(map(str, range(64))), labelled_census(graph.num_vertices, closed, wedges))


def _report_no_work(progress: ProgressKeyword) -> None:
    """Report a count that is done at once: dyads follow from the numbers of edges and arcs."""
    with reporting(progress, DYADS.label) as report:
        if report is not None:
            report(0, 1)
            report(1, 1)


def dyads_of(graph: Graph) -> tuple[int, int]:
    """Give the number of mutual and of asymmetric dyads: an edge of the skeleton holds one arc or two."""
    edges = graph.num_edges
    return graph.num_arcs - edges, 2 * edges - graph.num_arcs


def _without(graph: Graph, vertices: ArrayLike | AbstractSet[int]) -> Graph:
    """Give the graph on the other vertices: its triads are those that hold none of these."""
    keep = ~take_subset("vertices", vertices, graph.num_vertices)
    source, target = graph.edges()
    arcs = Arcs(source, target, graph.num_vertices, graph.directed)
    return Graph.from_arcs(induced(arcs, keep))
