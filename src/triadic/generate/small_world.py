"""Watts and Strogatz: a ring of vertices, each linked to its nearest, with some links rewired at random.

Computes: link `i` of vertex i // (k / 2), by hashing (seed, i) and, where a link is rewired, those of the links that
  its new end might repeat.
Idea: whether any link of the ring still stands is one hash, so a new end can be refused without a table of the graph;
  only the earlier links of the same vertex are kept.
Cost: two hashes for a link that stays; for one rewired about two more, and more where k is near the number of
  vertices.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from triadic.core.compiled import kernel
from triadic.errors import ArgumentError
from triadic.generate.arguments import (
    MOST_VERTICES,
    check_flag,
    check_probability,
    check_seed,
    check_whole,
    settle,
)
from triadic.generate.choice_table import claim, empty_table
from triadic.generate.draws import PROBABILITY_SHIFT, as_threshold, below, derive_keys, draw
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
    """Make a small world: a ring lattice whose links are each rewired with probability `p`.

    Every vertex owns the links to the k / 2 vertices that follow it on the ring. A rewired link keeps its owner and
    goes to a vertex drawn uniformly; a loop, a link of the ring that still stands, and an end that the owner has
    chosen before are drawn again. What is not seen is two vertices that choose each other, about (k p)² / 8 pairs in
    the whole graph whatever its size: these are dropped as repeats, and counted on ``dropped``.

    Parameters
    ----------
    vertices : int
        Number of vertices, at most 2**31.
    k : int
        Neighbours of a vertex in the ring, half of them on each side: even, less than `vertices`.
    p : float
        Probability that a link is rewired.
    seed : int, optional
        From 0 to 2**64 - 1. The same seed gives the same graph on any machine and any number of threads; None
        draws a fresh one.
    directed : bool, default False
        Keep each link as an arc from its owner: k / 2 arcs leave every vertex.
    threads : int, optional
        By default as many as the process may use.
    device : str, default "cpu"
        What makes the graph, the same one everywhere. On "cuda" or "cuda:1" it is made and oriented on the card, is
        counted there and comes to the host when it is asked for; "opencl" or "opencl:1" makes the arcs alone.
        Undirected graphs only.

    Returns
    -------
    Graph

    Raises
    ------
    ArgumentError
        If k is odd or not less than `vertices`, or p is no probability.
    UnsupportedError
        A directed graph, or 2**31 vertices or 2**32 + 1 links, on a GPU.
    DeviceError, MissingExtraError, OutOfMemoryError
        There is no such device, or what reaches it is not installed, or it is too small.

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


@dataclass(frozen=True)
class WattsStrogatz:
    """The small-world model; see `watts_strogatz`."""

    kernel: ClassVar[str] = "small_world"

    vertices: int
    k: int
    p: float
    seed: int | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        settle(
            self,
            vertices=check_whole("vertices", self.vertices, 1, MOST_VERTICES),
            p=check_probability("p", self.p),
            seed=check_seed(self.seed),
            directed=check_flag("directed", self.directed),
        )
        settle(self, k=check_whole("k", self.k, 0, self.vertices - 1))
        if self.k % 2:
            raise ArgumentError(f"k={self.k}: expected an even number, half of the neighbours on each side")

    @property
    def arcs(self) -> int:
        """Number of links."""
        return self.vertices * self.together

    @property
    def together(self) -> int:
        """Number of links of a vertex."""
        return self.k // 2

    def fill(self, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the links from number `start` on, owner first."""
        _fill(*self.parameters, np.uint64(start), source, target)

    @property
    def parameters(self) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
        """What a kernel takes before the range: key, vertices, links of each, threshold of rewiring."""
        return self._key, np.uint64(self.vertices), np.uint64(self.together), as_threshold(self.p)

    @cached_property
    def _key(self) -> np.uint64:
        key: np.uint64 = derive_keys(check_seed(self.seed), 1)[0]
        return key


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
    """Write links; the first vertex's earlier ones are made again, for its new ends to differ from theirs."""
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
