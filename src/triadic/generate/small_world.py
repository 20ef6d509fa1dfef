"""Watts-Strogatz graphs: a ring of vertices joined to their nearest neighbours, with some links rewired at random.

Computes: link `i`, which belongs to vertex ``i // (k / 2)``, by hashing (seed, i).
Requires: an even k below the number of vertices.
Idea: one hash decides whether a link of the ring is rewired, so a new end that repeats a link of the ring is found
  without a table of the graph. A small table holds the rewired ends of one vertex at a time.
  (D. J. Watts and S. H. Strogatz, *Collective dynamics of 'small-world' networks*, Nature 393, 1998.)
Cost: two hashes for a link that stays and about two more for a rewired one; more if k is near the number of vertices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from triadic.core.cached import cached_property
from triadic.core.checked import checked
from triadic.core.compiled import kernel
from triadic.core.draws import PROBABILITY_SHIFT, as_threshold, below, derive_keys, draw
from triadic.errors import ArgumentError
from triadic.generate.arguments import (
    MOST_VERTICES,
    check_probability,
    check_seed,
    check_whole,
    set_fields,
)
from triadic.generate.choice_table import claim, empty_table
from triadic.generate.model import make_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

    Ids = NDArray[np.integer[Any]]

_0, _1 = np.uint64(0), np.uint64(1)


def watts_strogatz(
    vertices: int,
    k: int,
    p: float,
    *,
    seed: int | None = None,
    directed: bool = False,
    threads: int | None = None,
    device: str = "cpu",
) -> Graph:
    """Make a small-world graph: a ring lattice in which each link is rewired with probability `p`.

    Every vertex owns the links to the k / 2 vertices that follow it on the ring. A rewired link keeps its owner, and
    its other end is drawn uniformly; the draw is repeated if it makes a loop, equals a link of the ring that was not
    rewired, or equals an earlier choice of the owner. Two owners may choose each other, which happens for about
    (k p)² / 8 pairs in a graph of any size; such repeats are dropped, and the graph's attribute ``dropped`` counts
    them.

    Parameters
    ----------
    vertices : int
        Number of vertices, from 1 to 2**31.
    k : int
        Number of neighbours of a vertex on the ring, half of them on each side; even and less than `vertices`.
    p : float
        Probability that a link is rewired, from 0 to 1.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1. The same seed gives the same graph on any machine and any
        number of threads; by default a fresh seed is drawn.
    directed : bool, default False
        Return a directed graph, in which each link is an arc from its owner, so that k / 2 arcs leave every vertex.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    device : str, default "cpu"
        Device that makes the graph; the graph is the same on every device. "cuda" or "cuda:1" makes and orients the
        graph on that GPU, where measures count it; its arrays are copied to the host when they are first read. "opencl"
        or "opencl:1" makes the arcs, and the host makes the graph of them.

    Returns
    -------
    Graph
        A graph of ``vertices * k / 2`` links, less the dropped repeats.

    Raises
    ------
    ArgumentError
        `k` is odd or not less than `vertices`, or another parameter is out of its range.
    UnsupportedError
        `device` is a GPU and the graph has 2**31 or more vertices or more than 2**32 links.
    DeviceError
        There is no such device.
    MissingExtraError
        The package that reaches the device, CuPy or PyOpenCL, is not installed.
    OutOfMemoryError
        The graph does not fit in the memory of the host or the device.

    Notes
    -----
    A link takes two hashes, and a rewired one about two more.

    References
    ----------
    D. J. Watts and S. H. Strogatz, *Collective dynamics of 'small-world' networks*, Nature 393, 440-442, 1998.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.watts_strogatz(100, 4, 0.0).degree.tolist() == [4] * 100
    True
    """
    return make_graph(WattsStrogatz(vertices, k, p, seed=seed, directed=directed), threads=threads, device=device)


@checked
@dataclass(frozen=True)
class WattsStrogatz:
    """The small-world model; `watts_strogatz` describes it.

    Parameters
    ----------
    vertices : int
        Number of vertices, from 1 to 2**31.
    k : int
        Number of neighbours of a vertex on the ring, half of them on each side; even and less than `vertices`.
    p : float
        Probability that a link is rewired, from 0 to 1.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1; by default a fresh one, which the field then holds.
    directed : bool, default False
        Whether each link is an arc from its owner.

    Raises
    ------
    ArgumentError
        `k` is odd or not less than `vertices`, or another parameter is out of its range.

    References
    ----------
    D. J. Watts and S. H. Strogatz, *Collective dynamics of 'small-world' networks*, Nature 393, 440-442, 1998.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.WattsStrogatz(100, 4, 0.1, seed=1).arcs
    200
    """

    kernel: ClassVar[str] = "small_world"

    vertices: int
    k: int
    p: float
    seed: int | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        set_fields(
            self,
            vertices=check_whole("vertices", self.vertices, 1, MOST_VERTICES),
            p=check_probability("p", self.p),
            seed=check_seed(self.seed),
        )
        set_fields(self, k=check_whole("k", self.k, 0, self.vertices - 1))
        if self.k % 2:
            raise ArgumentError(f"k={self.k}: expected an even number, because half of the neighbours lie on each side")

    @property
    def arcs(self) -> int:
        """Number of links."""
        return self.vertices * self.group_size

    @property
    def group_size(self) -> int:
        """Number of links of a vertex, which depend on one another."""
        return self.k // 2

    def fill(self, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the links ``start, start + 1, …``: owners to `source`, other ends to `target`."""
        _fill(*self.parameters, np.uint64(start), source, target)

    @property
    def parameters(self) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
        """Arguments of the kernel before the range of arcs: key, vertices, links of a vertex, threshold of rewiring."""
        return self._key, np.uint64(self.vertices), np.uint64(self.group_size), as_threshold(self.p)

    @cached_property
    def _key(self) -> np.uint64:
        return derive_keys(check_seed(self.seed), 1)[0]


@kernel
def _is_rewired(key: np.uint64, link: np.uint64, threshold: np.uint64) -> bool:
    return bool((draw(key, link, _0) >> PROBABILITY_SHIFT) < threshold)


@kernel
def _fill(
    key: np.uint64,
    vertices: np.uint64,
    half: np.uint64,
    threshold: np.uint64,
    start: np.uint64,
    source: Ids,
    target: Ids,
) -> None:
    """Write links; the first vertex's links before `start` are repeated, so that the ends of a vertex differ."""
    chosen = empty_table(half)
    skipped = start % half
    link = start - skipped
    u = start // half
    step = _1
    for i in range(-np.int64(skipped), source.size):
        w = u + step
        w = w - vertices if w >= vertices else w
        if _is_rewired(key, link, threshold):
            attempt = _0
            taken = True
            while taken:
                attempt += _1
                w = below(draw(key, link, attempt), vertices)
                ahead = w - u if w >= u else w + vertices - u
                behind = vertices - ahead
                if ahead == _0:
                    continue
                if ahead <= half:
                    taken = not _is_rewired(key, u * half + ahead - _1, threshold)
                elif behind <= half:
                    taken = not _is_rewired(key, w * half + behind - _1, threshold)
                else:
                    taken = False
                taken = taken or not claim(chosen, u, w)
        if i >= 0:
            source[i] = u
            target[i] = w
        link += _1
        step += _1
        if step > half:
            step = _1
            u += _1
