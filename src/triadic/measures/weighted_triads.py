"""Triads of graphs with weights: triangles by the signs of their edges, and the intensity of closed triads.

The numbers of triangles by sign tell the structural balance of a graph. Intensity and coherence are means of weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.convert.outward import vertex_names
from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import ResultTable
from triadic.core.exact import exact_column_sums
from triadic.core.formatting import format_float, html_table, plural, text_counts
from triadic.core.triad_types import CLOSED_NAMES
from triadic.counts.count import at_vertices, check_device, run
from triadic.counts.weights import (
    MOTIF_INTENSITY,
    SIGNED_TRIANGLE_COUNT,
    SIGNED_TRIANGLES,
    TILE_SIGNS,
    by_negatives,
    with_signs,
)
from triadic.errors import ArgumentError
from triadic.graph.graph import entry_weights, weight_limits, weights_of
from triadic.measures.batches import a_result_of_each_graph, one_row_a_graph
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph


SIGNED_TRIANGLE_NAMES = ("+++", "++-", "+--", "---")
_BALANCED = (0, 2)  # the types with an even number of negative edges


class _SignedTriangleCounts(NamedTuple):
    total: dict[str, int]
    by_vertex: Int64Array


class SignedTriangles(ResultTable, _SignedTriangleCounts):
    """Numbers of triangles by the signs of their edges: a named tuple.

    `to_pandas` and `to_polars` return a data frame with one row per vertex: the column "label", the index in pandas,
    and a column for each type.

    Attributes
    ----------
    total : dict of str to int
        Number of triangles of each type: "+++", "++-", "+--" and "---".
    by_vertex : int64 array, shape (n, 4)
        Number of triangles of each type at each vertex, with columns in the order of `total`. A column adds up to
        three times the total.

    See Also
    --------
    signed_triangles : Count the triangles of a graph.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1], [1, 2, 2], weights=[1, -1, -1])
    >>> triadic.signed_triangles(graph).balance
    1.0
    >>> triadic.signed_triangles(graph)
    SignedTriangles at 3 vertices, balance 1
      +++ 0
      ++- 0
      +-- 1
      --- 0
    """

    _labels: AnyArray | None = None

    @property
    def balance(self) -> float:
        """Share of triangles that are balanced, "+++" and "+--"; nan if there is no triangle."""
        return _balance(list(self.total.values()))

    def __repr__(self) -> str:
        return "\n".join([self._title(), *text_counts(self.total)])

    def _repr_html_(self) -> str:
        return html_table(self._title(), ("name", "count"), self.total.items())

    def _columns(self) -> dict[str, AnyArray]:
        names = vertex_names(self._labels, len(self.by_vertex))
        return {"label": names, **dict(zip(self.total, np.ascontiguousarray(self.by_vertex.T), strict=True))}

    def _title(self) -> str:
        size = plural(len(self.by_vertex), "vertex", "vertices")
        return f"SignedTriangles at {size}, balance {format_float(self.balance)}"


@a_result_of_each_graph
def signed_triangles(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> SignedTriangles:
    """Count the triangles by the number of negative edges, in total and at each vertex.

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
    SignedTriangles
        Number of triangles of each type, in total and at each vertex (int64, shape (n, 4)).

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
    >>> result = triadic.signed_triangles(graph)
    >>> result.total, result.balance
    ({'+++': 0, '++-': 1, '+--': 1, '---': 0}, 0.5)
    >>> result.by_vertex
    array([[0, 1, 1, 0],
           [0, 1, 1, 0],
           [0, 0, 1, 0],
           [0, 1, 0, 0]])
    """
    graph = as_graph(graph, tiled=True)
    if isinstance(graph, TiledGraph):
        at_rank = _of_tiles(graph, threads=threads, device=device, progress=progress)
    else:
        signs = _signs(graph, threads)
        at_rank = run(SIGNED_TRIANGLES, signs, threads=threads, device=device, progress=progress)
    oriented = graph.oriented(threads=threads)
    by_vertex = oriented.result("signed-triangles-by-vertex", at_rank.shape, np.int64)
    for column, of_type in enumerate(at_rank.T):
        by_vertex[:, column] = at_vertices(oriented, np.ascontiguousarray(of_type), threads=threads)
    found = SignedTriangles(_total_of(at_rank), by_vertex)
    found._labels = graph.labels  # noqa: SLF001 - of its own result
    return found


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
    graph = as_graph(graph, tiled=True)
    if isinstance(graph, TiledGraph):
        at_rank = _of_tiles(graph, threads=threads, device=device, progress=progress)
        return _balance(list(_total_of(at_rank).values()))
    signs = _signs(graph, threads)
    codes = run(SIGNED_TRIANGLE_COUNT, signs, threads=threads, device=device, progress=progress)
    return _balance(by_negatives(codes).tolist())


def _of_tiles(graph: TiledGraph, **machine: Any) -> Int64Array:  # noqa: ANN401 - threads, device and progress
    """Count the triangles of each type at each rank of tiles with weights."""
    if graph.directed:
        raise ArgumentError("graph: expected tiles of an undirected graph with signs")
    tiles = graph._weighted_oriented  # noqa: SLF001 - the form that only counts of weights take
    limits = tiles.layout.weight_limits or (1.0, 1.0)
    wrong = [limit for limit in limits if abs(limit) != 1]
    if wrong and graph.num_edges:
        raise ArgumentError(f"weights: expected +1 and -1 alone, got {wrong[0]:g}")
    return run(SIGNED_TRIANGLES, tiles, TILE_SIGNS, **machine)


def _total_of(at_rank: Int64Array) -> dict[str, int]:
    """Return the number of triangles of each type from those at ranks."""
    return {name: count // 3 for name, count in zip(SIGNED_TRIANGLE_NAMES, exact_column_sums(at_rank), strict=True)}


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


def _balance(total: list[int]) -> float:
    """Return the share of balanced triangles from the numbers of triangles of each type."""
    triangles = sum(total)
    return sum(total[i] for i in _BALANCED) / triangles if triangles else float("nan")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MotifIntensity(ResultTable):
    """Intensity and coherence of the closed triads of a weighted graph, added up by type.

    `to_pandas` and `to_polars` return a data frame with one row per type and the columns "name", the index in pandas,
    "count", "intensity" and "coherence".

    Attributes
    ----------
    names : tuple of str
        Names of the seven closed types of triads.
    counts : int64 array, shape (7,)
        Number of triads of each type.
    intensity : float64 array, shape (7,)
        Sum of the intensities of the triads of each type.
    coherence : float64 array, shape (7,)
        Sum of the coherences of the triads of each type, each from 0 to 1.

    See Also
    --------
    motif_intensity : Compute the intensities of a graph.
    """

    names: tuple[str, ...]
    counts: Int64Array
    intensity: Float64Array
    coherence: Float64Array

    def _columns(self) -> dict[str, AnyArray]:
        names = np.array(self.names, dtype=object)
        return {"name": names, "count": self.counts, "intensity": self.intensity, "coherence": self.coherence}

    def _rows(self) -> str:
        return "types"


def motif_intensity(
    graph: GraphLike,
    *,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> MotifIntensity:
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
    MotifIntensity
        For each of the seven closed types the number of triads, and the sums of their intensities and coherences.

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
    >>> found.names[0], found.intensity[0].round(3), found.coherence[0].round(3)
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
    inputs = (arcs, sums, logarithms)
    found = run(MOTIF_INTENSITY, oriented, *inputs, threads=threads, device=device, progress=progress)
    counts, intensity, coherence = found.reshape(len(CLOSED_NAMES), -1).T
    return MotifIntensity(CLOSED_NAMES, counts.astype(np.int64), intensity.copy(), coherence.copy())
