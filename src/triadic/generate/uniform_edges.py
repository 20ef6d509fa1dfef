"""Erdős-Rényi graphs G(n, m): a fixed number of different edges, with every set of edges equally likely.

Computes: edge `i`, by hashing (seed, i), without a table of the other edges.
Requires: at most as many edges as there are pairs of vertices.
Idea: a pair of vertices is a vertex and the gap to the other vertex around a ring, so the pairs form a rectangle of
  `vertices` by `gaps`. A keyed permutation of this rectangle, a Feistel network (J. Black and P. Rogaway, *Ciphers with
  arbitrary finite domains*, CT-RSA 2002), maps different numbers `i` to different pairs. For an even number of
  vertices the widest gap names each pair twice; a number that is mapped to the second name is permuted again.
Heuristic: ten rounds suffice for large networks; below 1,024 vertices a round has few outcomes, and 24 are made.
Cost: one hash per round, about 60 ns per edge; no memory.

The model is that of P. Erdős and A. Rényi, *On random graphs I*, Publicationes Mathematicae 6, 1959.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.cached import cached_property
from triadic.core.checked import checked
from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, below, derive_keys, mix
from triadic.generate.arguments import MOST_VERTICES, check_seed, check_whole, set_fields
from triadic.generate.model import make_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

    Ids = NDArray[np.integer[Any]]

_ROUNDS, _ROUNDS_OF_SMALL = 10, 24
_SMALL = 1 << 10

_1 = np.uint64(1)


def erdos_renyi(
    vertices: int, edges: int, *, seed: int | None = None, directed: bool = False, threads: int | None = None
) -> Graph:
    """Make an Erdős-Rényi graph G(n, m), which has exactly `edges` different edges, drawn uniformly.

    Parameters
    ----------
    vertices : int
        Number of vertices, at most 2**31.
    edges : int
        Number of edges, at most the number of pairs: ``vertices * (vertices - 1) / 2``, or twice as many arcs in a
        directed graph.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1. The same seed gives the same graph on any machine and any
        number of threads; by default a fresh seed is drawn.
    directed : bool, default False
        Return a directed graph, whose arcs are drawn from all ordered pairs.
    threads : int, optional
        Number of threads; by default as many as the process may use.

    Returns
    -------
    Graph
        A graph of exactly `edges` edges, without loops and repeats.

    Raises
    ------
    ArgumentError
        `edges` is more than the number of pairs of vertices, or another parameter is out of its range.
    OutOfMemoryError
        The graph does not fit in memory.

    Notes
    -----
    An edge takes about 60 ns and no memory beside the result.

    References
    ----------
    P. Erdős and A. Rényi, *On random graphs I*, Publicationes Mathematicae 6, 290-297, 1959.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.erdos_renyi(100, 300, seed=1).num_edges
    300
    """
    return make_graph(ErdosRenyi(vertices, edges, seed=seed, directed=directed), threads=threads)


@checked
@dataclass(frozen=True)
class ErdosRenyi:
    """The model G(n, m) of uniformly drawn edges; `erdos_renyi` describes it.

    Parameters
    ----------
    vertices : int
        Number of vertices, at most 2**31.
    edges : int
        Number of edges, at most the number of pairs: ``vertices * (vertices - 1) / 2``, or twice as many arcs in a
        directed graph.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1; by default a fresh one, which the field then holds.
    directed : bool, default False
        Whether arcs are drawn from all ordered pairs.

    Raises
    ------
    ArgumentError
        `edges` is more than the number of pairs of vertices, or another parameter is out of its range.

    References
    ----------
    P. Erdős and A. Rényi, *On random graphs I*, Publicationes Mathematicae 6, 290-297, 1959.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.ErdosRenyi(4, 12, directed=True).arcs
    12
    """

    vertices: int
    edges: int
    seed: int | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        set_fields(
            self,
            vertices=check_whole("vertices", self.vertices, 0, MOST_VERTICES),
            seed=check_seed(self.seed),
        )
        set_fields(self, edges=check_whole("edges", self.edges, 0, self._pairs))

    @property
    def arcs(self) -> int:
        """Number of arcs; no two are equal."""
        return self.edges

    def fill(self, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the arcs ``start, start + 1, …``."""
        gaps = self.vertices - 1 if self.directed else self.vertices // 2
        _fill(
            self._keys,
            np.uint64(self.vertices),
            np.uint64(gaps),
            np.uint64(self._pairs),
            np.uint64(start),
            source,
            target,
        )

    @property
    def _pairs(self) -> int:
        ordered = self.vertices * (self.vertices - 1)
        return ordered if self.directed else ordered // 2

    @cached_property
    def _keys(self) -> NDArray[np.uint64]:
        return derive_keys(check_seed(self.seed), _ROUNDS_OF_SMALL if self.vertices < _SMALL else _ROUNDS)


@kernel
def _fill(
    keys: NDArray[np.uint64],
    vertices: np.uint64,
    gaps: np.uint64,
    pairs: np.uint64,
    start: np.uint64,
    source: Ids,
    target: Ids,
) -> None:
    """Write the pairs to which the numbers ``start, start + 1, …`` are mapped."""
    first_u = start % vertices
    first_gap = start // vertices
    for i in range(source.size):
        u = first_u
        gap = first_gap
        while True:
            for r in range(0, keys.size, 2):
                u += below(mix(keys[r] + gap * GOLDEN), vertices)
                u = u - vertices if u >= vertices else u
                gap += below(mix(keys[r + 1] + u * GOLDEN), gaps)
                gap = gap - gaps if gap >= gaps else gap
            if gap * vertices + u < pairs:
                break
        v = u + gap + _1
        source[i] = u
        target[i] = v - vertices if v >= vertices else v
        first_u += _1
        if first_u == vertices:
            first_u = np.uint64(0)
            first_gap += _1
