"""G(n, m): that many different edges, each set of them as likely as another.

Computes: edge `i` of `edges`, by itself, with no table of those already taken.
Idea: a pair of vertices is a vertex and the gap to the other, counted around a ring, so all pairs are a rectangle of
  `vertices` by `gaps`. A keyed permutation of the rectangle, a Feistel network (J. Black and P. Rogaway, *Ciphers
  with arbitrary finite domains*, CT-RSA 2002), takes number `i` to its pair: different numbers, different pairs.
  For an even number of vertices the widest gap joins each pair twice; numbers that land in the second half walk on.
  Ten rounds suffice for large networks; on a handful of vertices the rounds have few outcomes, and 24 are made.
Cost: a hash a round, about 60 ns an edge; no memory.

The model is that of P. Erdős and A. Rényi, *On random graphs I*, Publicationes Mathematicae 6, 1959.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.generate.arguments import MOST_VERTICES, check_flag, check_seed, check_whole, settle
from triadic.generate.draws import GOLDEN, below, derive_keys, mix
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
    """Make an Erdős-Rényi graph G(n, m): exactly `edges` different edges, drawn uniformly.

    Parameters
    ----------
    vertices : int
        Number of vertices, at most 2**31.
    edges : int
        Number of edges, at most all pairs: C(vertices, 2), or vertices * (vertices - 1) arcs if directed.
    seed : int, optional
        From 0 to 2**64 - 1. The same seed gives the same graph on any machine and any number of threads; None
        draws a fresh one.
    directed : bool, default False
        Draw `edges` different arcs out of all ordered pairs.
    threads : int, optional
        By default as many as the process may use.

    Returns
    -------
    Graph
        Nothing is dropped on the way.

    Raises
    ------
    ArgumentError
        If there are not so many pairs of vertices.

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


@dataclass(frozen=True)
class ErdosRenyi:
    """The uniform model; see `erdos_renyi`."""

    vertices: int
    edges: int
    seed: int | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        settle(
            self,
            vertices=check_whole("vertices", self.vertices, 0, MOST_VERTICES),
            directed=check_flag("directed", self.directed),
            seed=check_seed(self.seed),
        )
        settle(self, edges=check_whole("edges", self.edges, 0, self._pairs))

    @property
    def arcs(self) -> int:
        """Number of arcs, all different."""
        return self.edges

    def fill(self, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the arcs from number `start` on."""
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
    """Write the pairs that the numbers from `start` on are taken to."""
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
