"""The graphlet transform: at every vertex, how often it has each place in each connected graph of up to four vertices.

Raw frequencies count subgraphs, net ones induced subgraphs. Raw ones follow from a few counts, net ones from raw ones:
docs/graphlets.md has the formulas and a picture of each graphlet.

References
----------
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC; "FGLT with CUDA", section 1,
for the first five; Hočevar and Demšar (2014), Bioinformatics 30, 559, for orbits.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
from triadic.core.graphlet_types import ORBITS
from triadic.counts.count import run
from triadic.counts.dyads import NEIGHBOUR_SUMS
from triadic.counts.four_vertices import FOUR_VERTEX_COUNTS, SQUARES
from triadic.counts.placement import at_vertices
from triadic.counts.triangles import TRIANGLES
from triadic.errors import ArgumentError, CountOverflowError
from triadic.measures import graphlet_formulas as formulas
from triadic.measures.graphlet_result import GraphletTransform

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph

_LARGEST = 2**63 - 1


def graphlet_transform(
    graph: GraphLike,
    *,
    graphlets: int = 16,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> GraphletTransform:
    """Count the graphlets of up to four vertices at every vertex.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes
        A directed graph is taken as its skeleton.
    graphlets : {16, 5}, default 16
        All; or the first five, those of up to three vertices, which need nothing but triangles.
    threads : int, optional
        Number of threads; as many as the process may use by default. The result is the same for any number.
    device : str, default "auto"
        Where to count, as for `triadic.triangles`.
    progress : bool or callable, default False
        True for a bar on standard error; a callable gets ``(done, total)``.

    Returns
    -------
    GraphletTransform
        Raw and net frequencies, int64 of shape (n, graphlets), and how often each graph is in the whole network.

    Raises
    ------
    ArgumentError
        Another number of graphlets.
    CountOverflowError
        A frequency that does not fit 64 bits: claws at a vertex of more than 3,810,779 neighbours. None ever wraps.
    OutOfMemoryError

    Notes
    -----
    Squares take most: O(sum over edges of the smaller degree). Beside the graph some 25 bytes an edge while counting,
    up to 40 where parts are very dense, 32 bytes a vertex and thread, and 128 bytes a vertex for the raw frequencies,
    as much again for the net ones when they are asked for.

    Examples
    --------
    >>> import triadic
    >>> found = triadic.graphlet_transform(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    >>> found.net[2].tolist()
    [1, 3, 0, 2, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    >>> found.totals["paw"], found.totals["2-path"]
    (1, 2)
    """
    graph = as_graph(graph, tiled=graphlets == 5)
    if graphlets not in (5, 16):
        raise ArgumentError(f"graphlets={graphlets!r}: expected 16 or 5")
    oriented = graph.oriented(threads=threads)
    if graphlets == 5:
        return GraphletTransform(_first_five(oriented, threads, device, progress), threads=threads, labels=graph.labels)
    _check_width(graph, oriented)
    return GraphletTransform(_sixteen(oriented, threads, device, progress), threads=threads, labels=graph.labels)


def orbit_degrees(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> NDArray[np.int64]:
    """Count the induced subgraphs of up to four vertices that touch each vertex at each of ORCA's orbits 0 to 14.

    Parameters
    ----------
    graph, threads, device, progress
        As for `graphlet_transform`, of which these are the net frequencies in another order.

    Returns
    -------
    int64 array, shape (n, 15)

    Raises
    ------
    CountOverflowError, OutOfMemoryError

    References
    ----------
    Pržulj (2007), Bioinformatics 23, e177, figure 1, numbers the orbits; Hočevar and Demšar (2014), Bioinformatics 30,
    559.

    Examples
    --------
    >>> import triadic
    >>> triadic.orbit_degrees(triadic.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0]))[0].tolist()
    [2, 2, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    """
    graph = as_graph(graph)
    found = graphlet_transform(graph, threads=threads, device=device, progress=progress)
    return found.net[:, ORBITS]


def square_clustering(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> NDArray[np.float64]:
    """Give each vertex's square clustering coefficient: the share of possible squares at it that there are.

    Parameters
    ----------
    graph, threads, device, progress
        As for `graphlet_transform`.

    Returns
    -------
    float64 array, shape (n,)
        Between 0 and 1; 0 where no square is possible.

    Notes
    -----
    For degrees k, triangles t and squares q, q / ((k - 1) Σ k_u - k (k - 1) - 2 t - q), the sum over the neighbours u;
    as `networkx.square_clustering`. The cost of counting squares, O(sum over edges of the smaller degree).

    References
    ----------
    Zhang, Wang, Wang and Zhu (2008), Physica A 387, 6869: its sum form, not the product of Lind, González and Herrmann
    (2005), Physical Review E 72, 056127.

    Examples
    --------
    >>> import triadic
    >>> triadic.square_clustering(triadic.Graph.from_edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 4])).round(3)
    array([0.333, 0.5  , 1.   , 0.5  , 0.   ])
    """
    graph = as_graph(graph)
    oriented = graph.oriented(threads=threads)
    degree = oriented.degree
    squares = run(SQUARES, oriented, threads=threads, device=device, progress=progress)
    triangles = run(TRIANGLES, oriented, threads=threads, device=device, progress=False)
    near = run(NEIGHBOUR_SUMS, oriented, degree[:, None], threads=threads, device=device)[:, 0]
    possible = (degree - 1) * near - degree * (degree - 1) - 2 * triangles - squares
    coefficient = np.zeros(len(degree))
    np.divide(squares, possible, out=coefficient, where=possible > 0)
    return at_vertices(oriented, coefficient, threads=threads)


def _first_five(oriented: Oriented, threads: int | None, device: str, progress: ProgressKeyword) -> NDArray[np.int64]:
    """Give the raw frequencies of the first five at each vertex."""
    triangles = run(TRIANGLES, oriented, threads=threads, device=device, progress=progress)
    near = run(NEIGHBOUR_SUMS, oriented, oriented.degree[:, None], threads=threads, device=device)
    raw = oriented.result("graphlets", (oriented.num_vertices, 5), np.int64)
    return formulas.raw_of_five(oriented, triangles, near, threads=resolve_threads(threads), out=raw)


def _sixteen(oriented: Oriented, threads: int | None, device: str, progress: ProgressKeyword) -> NDArray[np.int64]:
    """Give the raw frequencies of all sixteen at each vertex."""
    found = run(FOUR_VERTEX_COUNTS, oriented, threads=threads, device=device, progress=progress)
    return formulas.raw_of_sixteen(oriented, found, threads=resolve_threads(threads))


def _check_width(graph: Graph, oriented: Oriented) -> None:
    """Refuse a graph with a vertex at which some frequency could pass 2**63."""
    largest = int(oriented.degree.max(initial=0))
    # But for claws, no frequency is more than the largest degree times the sum of all degrees.
    if max(comb(largest, 3), 2 * oriented.num_edges * largest) > _LARGEST:
        vertex = int(np.argmax(graph.degree))
        name = vertex if graph.labels is None or vertex >= len(graph.labels) else graph.labels[vertex]
        raise CountOverflowError(
            f"vertex {name} has {largest:,} neighbours: how many claws have it as their root passes 2**63; "
            "graphlets=5 counts those of up to three vertices"
        )
