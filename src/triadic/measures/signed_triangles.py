"""Triangles of signed graphs, and how far the graph is in structural balance."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.exact import exact_column_sums
from triadic.counts.count import run
from triadic.counts.placement import at_vertices
from triadic.counts.signed_triangles import SIGNED_TRIANGLE_COUNT, SIGNED_TRIANGLES, by_negatives, with_signs
from triadic.errors import ArgumentError
from triadic.graph.weighted import entry_weights, weights_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph

SIGNED_TRIANGLE_NAMES = ("+++", "++-", "+--", "---")
_BALANCED = (0, 2)  # of those, by an even number of negative edges


class SignedTriangles(NamedTuple):
    """Triangles by the signs of their edges.

    Attributes
    ----------
    total : dict of str to int
        How many there are of "+++", "++-", "+--" and "---".
    by_vertex : int64 array, shape (n, 4)
        How many of them each vertex is in, in that order; a column adds up to three times the total.
    """

    total: dict[str, int]
    by_vertex: NDArray[np.int64]

    @property
    def balance(self) -> float:
        """The share of triangles that are balanced, "+++" and "+--"; nan where there is no triangle."""
        return _share(list(self.total.values()))


def signed_triangles(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> SignedTriangles:
    """Count triangles by how many of their edges are negative, in total and at each vertex.

    Parameters
    ----------
    graph : Graph
        An undirected one with weights +1 and -1.
    threads, device, progress
        As for `triangles`.

    Returns
    -------
    SignedTriangles

    Raises
    ------
    ArgumentError
        A directed graph, one without weights, or with others than +1 and -1.

    See Also
    --------
    structural_balance : the share of balanced triangles alone, sooner.

    Notes
    -----
    The cost of a triad census by vertex. Signs are put in the order of the oriented rows once a graph.

    References
    ----------
    Heider (1946), The Journal of Psychology 21, 107; Cartwright and Harary (1956), Psychological Review 63, 277;
    counted by type: Leskovec, Huttenlocher and Kleinberg (2010), CHI '10, 1361.

    Examples
    --------
    Two that agree about a third and fall out over a fourth.

    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 0, 1], [1, 2, 2, 3, 3], weights=[1, -1, -1, 1, -1])
    >>> found = triadic.signed_triangles(graph)
    >>> found.total, found.balance
    ({'+++': 0, '++-': 1, '+--': 1, '---': 0}, 0.5)
    >>> found.by_vertex
    array([[0, 1, 1, 0],
           [0, 1, 1, 0],
           [0, 0, 1, 0],
           [0, 1, 0, 0]])
    """
    oriented, negative = _signs(as_graph(graph), threads)
    at_rank = run(SIGNED_TRIANGLES, with_signs(oriented, negative), threads=threads, device=device, progress=progress)
    columns = [at_vertices(oriented, np.ascontiguousarray(column), threads=threads) for column in at_rank.T]
    total = {name: found // 3 for name, found in zip(SIGNED_TRIANGLE_NAMES, exact_column_sums(at_rank), strict=True)}
    return SignedTriangles(total, np.stack(columns, axis=1))


def structural_balance(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> float:
    """Give the share of triangles that are balanced: those with an even number of negative edges, "+++" and "+--".

    Parameters
    ----------
    graph, threads, device, progress
        As for `signed_triangles`.

    Returns
    -------
    float
        Between 0 and 1; nan where there is no triangle.

    Raises
    ------
    ArgumentError
        As for `signed_triangles`.

    References
    ----------
    Cartwright and Harary (1956), Psychological Review 63, 277: their degree of balance, of cycles of length three.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 0, 1], [1, 2, 2, 3, 3], weights=[1, -1, -1, 1, -1])
    >>> triadic.structural_balance(graph)
    0.5
    """
    oriented, negative = _signs(as_graph(graph), threads)
    codes = run(
        SIGNED_TRIANGLE_COUNT, with_signs(oriented, negative), threads=threads, device=device, progress=progress
    )
    return _share(by_negatives(codes).tolist())


def _signs(graph: Graph, threads: int | None) -> tuple[Oriented, NDArray[np.bool_]]:
    """Give which entries of the oriented rows are negative."""
    if graph.directed:
        raise ArgumentError(
            'graph: signs are taken of undirected graphs; expected one, as by graph.to_undirected(combine="max")'
        )
    weights = weights_of(graph)
    wrong = np.flatnonzero(np.abs(weights) != 1)
    if len(wrong):
        row, column = int(np.searchsorted(graph.indptr, wrong[0], side="right")) - 1, int(graph.indices[wrong[0]])
        raise ArgumentError(
            f"weights: expected +1 and -1 alone, got {weights[wrong[0]]:g} between vertices {row} and {column}"
        )
    return graph.oriented(threads=threads), entry_weights(graph, threads=threads).out < 0


def _share(total: list[int]) -> float:
    triangles = sum(total)
    return sum(total[i] for i in _BALANCED) / triangles if triangles else float("nan")
