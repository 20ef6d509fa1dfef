"""Triads of graphs with weights: triangles by the signs of their edges, and the intensity of closed triads.

The numbers of triangles by sign tell the structural balance of a graph. Intensity and coherence are means of weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import Table, table_of_vertices
from triadic.core.checked import check_option
from triadic.core.exact import exact_column_sums
from triadic.core.triad_types import CLOSED_NAMES
from triadic.counts.count import at_vertices, check_device, run
from triadic.counts.edges import (
    MOTIF_INTENSITY,
    SIGNED_TRIANGLE_COUNT,
    SIGNED_TRIANGLES,
    TILE_SIGNS,
    by_negatives,
    with_signs,
)
from triadic.errors import ArgumentError
from triadic.graph.batch import GraphBatch, vertex_columns
from triadic.graph.graph import entry_weights, weight_limits, weights_of
from triadic.measures.batches import one_row_a_graph
from triadic.measures.census import Census
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array
    from triadic.core.oriented import Oriented
    from triadic.core.progress import Machine, ProgressKeyword
    from triadic.graph.graph import Graph


SIGNED_TRIANGLE_NAMES = ("+++", "++-", "+--", "---")
_BALANCED = (0, 2)  # the types with an even number of negative edges


By = Literal["vertex"] | None


def signed_triangles(
    graph: GraphLike,
    *,
    by: By = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Census | Table:
    """Count the triangles by the number of negative edges, in total or at each vertex.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        An undirected graph with weights +1 and -1.
    by : {None, "vertex"}, default None
        None counts in the whole graph, or in each graph of a batch; "vertex" at each vertex.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    Census, or Table
        Number of triangles of the types "+++", "++-", "+--" and "---"; at each vertex a table of vertices, and in each
        graph of a batch a table of graphs, with a column for each type.

    Raises
    ------
    ArgumentError
        If the graph is directed, has no weights, or has weights other than +1 and -1; or if another argument does not
        have an accepted value.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.

    See Also
    --------
    structural_balance : Compute the share of balanced triangles, in less time.

    Notes
    -----
    The cost is that of `triad_census` by vertex. At the first call for a graph, its signs are sorted into the order of
    its oriented rows.

    References
    ----------
    Heider (1946), "Attitudes and cognitive organization", The Journal of Psychology 21, 107.
    Cartwright and Harary (1956), "Structural balance: a generalization of Heider's theory", Psychological Review 63,
    277.
    Leskovec, Huttenlocher and Kleinberg (2010), "Signed networks in social media", CHI '10, 1361, for counts by type.

    Examples
    --------
    Two people agree about a third one, and disagree about a fourth one.

    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 0, 1], [1, 2, 2, 3, 3], weights=[1, -1, -1, 1, -1])
    >>> triadic.signed_triangles(graph).to_dict(), triadic.structural_balance(graph)
    ({'+++': 0, '++-': 1, '+--': 1, '---': 0}, 0.5)
    >>> triadic.signed_triangles(graph, by="vertex")["+--"]
    array([1, 1, 1, 0])
    """
    check_option("by", by, By)
    counted: Any = _signed_totals if by is None else _signed_at_vertices
    return counted(graph, threads=threads, device=device, progress=progress)


@one_row_a_graph("signed_triangles")
def _signed_totals(graph: GraphLike, /, **machine: Unpack[Machine]) -> Census:
    """Return the number of triangles of each type."""
    return Census(SIGNED_TRIANGLE_NAMES, tuple(_signed_counts(graph, **machine)))


def _signed_at_vertices(graph: GraphLike, **machine: Unpack[Machine]) -> Table:
    """Return the number of triangles of each type at each vertex."""
    batch = graph if isinstance(graph, GraphBatch) else None
    graph = as_graph(graph, tiled=True, batch=True)
    threads = machine.get("threads")
    oriented = graph.oriented(threads=threads)
    if isinstance(graph, TiledGraph):
        at_rank = _of_tiles(graph, **machine)
    else:
        at_rank = run(SIGNED_TRIANGLES, _signs(graph, threads), **machine)
    columns = {
        name: at_vertices(oriented, np.ascontiguousarray(of_type), threads=threads)
        for name, of_type in zip(SIGNED_TRIANGLE_NAMES, at_rank.T, strict=True)
    }
    return table_of_vertices(columns, vertex_columns(graph.labels, graph.num_vertices, batch))


@one_row_a_graph("structural_balance")
def structural_balance(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> float:
    """Compute the share of triangles that are balanced: triangles with an even number of negative edges.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        An undirected graph with weights +1 and -1.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    float
        Share of the types "+++" and "+--", between 0 and 1; nan if the graph has no triangle.

    Raises
    ------
    ArgumentError
        If the graph is directed, has no weights, or has weights other than +1 and -1; or if another argument does not
        have an accepted value.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.

    See Also
    --------
    signed_triangles : Count the triangles of each type, also at each vertex.

    Notes
    -----
    The cost is that of `triad_census`.

    References
    ----------
    Cartwright and Harary (1956), "Structural balance: a generalization of Heider's theory", Psychological Review 63,
    277: the degree of balance, for cycles of length three.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 0, 1], [1, 2, 2, 3, 3], weights=[1, -1, -1, 1, -1])
    >>> triadic.structural_balance(graph)
    0.5
    """
    counts = _signed_counts(graph, threads=threads, device=device, progress=progress)
    triangles = sum(counts)
    return sum(counts[i] for i in _BALANCED) / triangles if triangles else float("nan")


def _signed_counts(graph: GraphLike, **machine: Unpack[Machine]) -> list[int]:
    """Return the number of triangles of each type."""
    graph = as_graph(graph, tiled=True)
    if isinstance(graph, TiledGraph):
        return [count // 3 for count in exact_column_sums(_of_tiles(graph, **machine))]
    return by_negatives(run(SIGNED_TRIANGLE_COUNT, _signs(graph, machine.get("threads")), **machine)).tolist()


def _of_tiles(graph: TiledGraph, **machine: Unpack[Machine]) -> Int64Array:
    """Count the triangles of each type at each rank of tiles with weights."""
    if graph.directed:
        raise ArgumentError("graph: expected tiles of an undirected graph with signs")
    tiles = graph._weighted_oriented  # noqa: SLF001 - the form that only counts of weights take
    limits = tiles.layout.weight_limits or (1.0, 1.0)
    wrong = [limit for limit in limits if abs(limit) != 1]
    if wrong and graph.num_edges:
        raise ArgumentError(f"weights: expected +1 and -1 alone, got {wrong[0]:g}")
    return run(SIGNED_TRIANGLES, tiles, TILE_SIGNS, **machine)


def _signs(graph: Graph, threads: int | None) -> Oriented:
    """Return the oriented graph with the signs of its entries."""
    if graph.directed:
        raise ArgumentError(
            'graph: expected an undirected graph with signs; graph.to_undirected(combine="max") returns one, in which '
            'two arcs of different signs become +1, and combine="min" one in which they become -1'
        )
    weights = weights_of(graph)
    wrong = np.flatnonzero(np.abs(weights) != 1)
    if len(wrong):
        row, column = int(np.searchsorted(graph.indptr, wrong[0], side="right")) - 1, int(graph.indices[wrong[0]])
        raise ArgumentError(
            f"weights: expected +1 and -1 alone, got {weights[wrong[0]]:g} between vertices {row} and {column}"
        )
    return with_signs(graph.oriented(threads=threads), entry_weights(graph, threads=threads).out < 0)


def motif_intensity(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> Table:
    """Compute the intensity and the coherence of the closed triads of a weighted graph.

    The intensity of a triad is the geometric mean of the weights of its arcs, and its coherence is the intensity
    divided by the arithmetic mean of the weights: 1 if all weights are equal, near 0 if one is much smaller than the
    others.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        With weights of at least 0. The edges of an undirected graph are mutual dyads, and its triangles are of the type
        "300".
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        "auto" or "cpu".
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    Table
        A row for each of the seven closed types, "name", with its number of triads, "count", and the sums of their
        intensities and of their coherences, "intensity" and "coherence".

    Raises
    ------
    ArgumentError
        The graph has no weights, or a negative one, or another argument does not have an accepted value.
    DeviceError
        If the device does not exist or fails.
    UnsupportedError
        The graph is a `TiledGraph`, or `device` names a GPU.

    See Also
    --------
    significance : Compare intensities with those of random graphs, by ``of="intensity"``.
    weighted_clustering : Compute clustering coefficients from weights.

    Notes
    -----
    The cost is that of counting the triangles with one exponential for each, and 24 bytes per edge.

    References
    ----------
    J.-P. Onnela, J. Saramäki, J. Kertész and K. Kaski, *Intensity and coherence of motifs in weighted complex
    networks*, Physical Review E 71, 065103, 2005.

    Examples
    --------
    >>> import triadic
    >>> loop = triadic.Graph.from_edges([0, 1, 0], [1, 2, 2], weights=[1.0, 2.0, 4.0], directed=True)
    >>> found = triadic.motif_intensity(loop)
    >>> found["name"][0], found["intensity"][0].round(3), found["coherence"][0].round(3)
    ('030T', np.float64(2.0), np.float64(0.857))
    """
    graph = as_graph(graph, directions="counted")
    least, _ = weight_limits(graph)
    if least < 0:
        raise ArgumentError(f"graph: it has the weight {least}; intensities need weights of at least 0")
    check_device(MOTIF_INTENSITY, device)
    oriented = graph.oriented(threads=threads)
    at_entry = entry_weights(graph, threads=threads)
    with np.errstate(divide="ignore"):
        if at_entry.into is None or oriented.state is None:
            arcs, sums, logarithms = np.ones(oriented.num_edges), at_entry.out, np.log(at_entry.out)
        else:
            out, into = (oriented.state & 1) > 0, (oriented.state & 2) > 0
            arcs, sums = out.astype(np.float64) + into, at_entry.out + at_entry.into
            logarithms = np.where(out, np.log(at_entry.out), 0.0) + np.where(into, np.log(at_entry.into), 0.0)
    found = run(MOTIF_INTENSITY, oriented, arcs, sums, logarithms, threads=threads, device=device, progress=progress)
    counts, intensity, coherence = found.reshape(len(CLOSED_NAMES), -1).T
    columns = {"count": counts.astype(np.int64), "intensity": intensity.copy(), "coherence": coherence.copy()}
    return Table(columns, {"name": np.array(CLOSED_NAMES, object)}, nouns=("type", "types"))
