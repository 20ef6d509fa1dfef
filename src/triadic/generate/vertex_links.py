"""Networks whose vertices choose the ends of their links: Watts-Strogatz and Barabási-Albert graphs.

Computes: link `i` by hashing (seed, i), without the links of other vertices. It belongs to vertex ``i // (k / 2)`` of a
  Watts-Strogatz graph, and to vertex ``links + i // links`` of a Barabási-Albert graph.
Requires: an even k below the number of vertices; 1 <= links < vertices, and ids that fit the arrays.
Idea: a small hash table holds the choices of one vertex at a time, keeps them different, and needs no clearing between
  vertices.
  Watts-Strogatz: the vertices of a ring are joined to their nearest neighbours. One hash decides whether a link of the
  ring is rewired, so a new end that repeats a link of the ring is found without a table of the graph.
  (D. J. Watts and S. H. Strogatz, *Collective dynamics of 'small-world' networks*, Nature 393, 1998.)
  Barabási-Albert: each new vertex links to earlier vertices, drawn in proportion to their degrees. An entry drawn
  uniformly from the list of the ends of all earlier links is a vertex drawn in proportion to its degree. Entry 2 l of
  that list is the new vertex of link l, known from l; entry 2 l + 1 is the other end of link l, which is the result of
  an earlier draw. That draw is a hash and can be repeated, so the kernel follows the chain of draws until it meets a
  known vertex, after two steps on average.
  (P. Sanders and C. Schulz, *Scalable generation of scale-free graphs*, Information Processing Letters 116, 2016.)
Heuristic: if a draw of a Barabási-Albert graph repeats an end that the vertex has already, it is drawn again, but later
  vertices still see the first draw in the list of ends; otherwise every step of a chain would branch. A few links are
  therefore weighted where they were first drawn.
Cost: two hashes for a link of the ring that stays and about two more for a rewired one, more if k is near the number of
  vertices; about three hashes for a link of a Barabási-Albert graph, and no memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from triadic.core.checked import check_seed, checked
from triadic.core.compiled import kernel
from triadic.core.draws import PROBABILITY_SHIFT, as_threshold, below, derive_keys, draw, mix
from triadic.core.records import cached_property
from triadic.errors import ArgumentError
from triadic.generate.model import MOST_VERTICES, DrawnModel, check_fields, make_graph

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Uint64Array
    from triadic.graph.graph import Graph


_0, _1, _2 = np.uint64(0), np.uint64(1), np.uint64(2)
_NOBODY = np.uint64((1 << 64) - 1)


def watts_strogatz(
    num_vertices: int,
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
    num_vertices : int
        Number of vertices, from 1 to 2**31.
    k : int
        Number of neighbours of a vertex on the ring, half of them on each side; even and less than `num_vertices`.
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
        `k` is odd or not less than `num_vertices`, or another parameter is out of its range.
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
    return make_graph(WattsStrogatz(num_vertices, k, p, seed=seed, directed=directed), threads=threads, device=device)


@kernel
def _is_rewired(key: np.uint64, link: np.uint64, threshold: np.uint64) -> bool:
    return bool((draw(key, link, _0) >> PROBABILITY_SHIFT) < threshold)


@kernel
def _rewire(parameters: tuple[np.uint64, ...], start: np.uint64, source: Ids, target: Ids) -> None:
    """Write links; the first vertex's links before `start` are repeated, so that the ends of a vertex differ."""
    key, vertices, half, threshold = parameters
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


@checked
@dataclass(frozen=True)
class WattsStrogatz(DrawnModel):
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
    _draw_arcs = staticmethod(_rewire)

    vertices: int
    k: int
    p: float
    seed: int | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        check_fields(self, "p", vertices=(1, MOST_VERTICES))
        check_fields(self, k=(0, self.vertices - 1))
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

    @cached_property
    def parameters(self) -> tuple[np.uint64, ...]:
        """Arguments of the kernel before the range of arcs: key, vertices, links of a vertex, threshold of rewiring."""
        key = derive_keys(check_seed(self.seed), 1)[0]
        return key, np.uint64(self.vertices), np.uint64(self.group_size), as_threshold(self.p)


def barabasi_albert(
    num_vertices: int,
    links: int,
    *,
    seed: int | None = None,
    directed: bool = False,
    threads: int | None = None,
    device: str = "cpu",
) -> Graph:
    """Grow a scale-free graph by preferential attachment.

    The graph begins as a star that joins vertex `links` to the vertices 0 to links - 1. Each later vertex adds `links`
    links to different earlier vertices, drawn in proportion to their degrees. A vertex that draws the same end twice
    draws again; later vertices still see the first draw, so that any part of the graph can be made on its own.

    Parameters
    ----------
    num_vertices : int
        Number of vertices, at most 2**31.
    links : int
        Number of links that each new vertex adds, from 1 to ``vertices - 1``.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1. The same seed gives the same graph on any machine and any
        number of threads; by default a fresh seed is drawn.
    directed : bool, default False
        Return a directed graph, in which each link is an arc from the new vertex to the earlier one.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    device : str, default "cpu"
        Device that makes the graph; the graph is the same on every device. "cuda" or "cuda:1" makes and orients the
        graph on that GPU, where measures count it; its arrays are copied to the host when they are first read. "opencl"
        or "opencl:1" makes the arcs, and the host makes the graph of them.

    Returns
    -------
    Graph
        A graph of ``(vertices - links) * links`` edges, without loops and repeats.

    Raises
    ------
    ArgumentError
        A parameter is out of its range.
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
    A link takes about three hashes and no memory beside the result.

    References
    ----------
    A.-L. Barabási and R. Albert, *Emergence of scaling in random networks*, Science 286, 509-512, 1999.
    P. Sanders and C. Schulz, *Scalable generation of scale-free graphs*, Information Processing Letters 116, 2016.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.barabasi_albert(100, 3, seed=1).num_edges
    291
    """
    return make_graph(BarabasiAlbert(num_vertices, links, seed=seed, directed=directed), threads=threads, device=device)


@kernel
def _end(key: np.uint64, links: np.uint64, link: np.uint64, attempt: np.uint64) -> np.uint64:
    """Return the end of `link`: follow the chain of draws that begins at this attempt."""
    while link >= links:
        place = below(draw(key, link, attempt), _2 * links * (link // links))
        link = place >> _1
        if place & _1 == _0:
            return links + link // links
        attempt = _0
    return link  # a link of the first star, whose end is known


@kernel
def _attach(parameters: tuple[np.uint64, ...], start: np.uint64, source: Ids, target: Ids) -> None:
    """Write links; the first vertex's links before `start` are repeated, so that the ends of a vertex differ."""
    key, links = parameters
    chosen = empty_table(links)
    skipped = start % links
    link = start - skipped
    for i in range(-np.int64(skipped), source.size):
        vertex = links + link // links
        attempt = _0
        end = _end(key, links, link, attempt)
        while not claim(chosen, vertex, end):
            attempt += _1
            end = _end(key, links, link, attempt)
        if i >= 0:
            source[i] = vertex
            target[i] = end
        link += _1


@checked
@dataclass(frozen=True)
class BarabasiAlbert(DrawnModel):
    """The model of growth by preferential attachment; `barabasi_albert` describes it.

    Parameters
    ----------
    vertices : int
        Number of vertices, at most 2**31.
    links : int
        Number of links that each new vertex adds, from 1 to ``vertices - 1``.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1; by default a fresh one, which the field then holds.
    directed : bool, default False
        Whether each link is an arc from the new vertex to the earlier one.

    Raises
    ------
    ArgumentError
        A parameter is out of its range.

    References
    ----------
    A.-L. Barabási and R. Albert, *Emergence of scaling in random networks*, Science 286, 509-512, 1999.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.BarabasiAlbert(6, 5, seed=1).arcs
    5
    """

    kernel: ClassVar[str] = "attachment"
    _draw_arcs = staticmethod(_attach)

    vertices: int
    links: int
    seed: int | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        check_fields(self, vertices=(2, MOST_VERTICES))
        check_fields(self, links=(1, self.vertices - 1))

    @property
    def arcs(self) -> int:
        """Number of links; no two are equal."""
        return (self.vertices - self.links) * self.links

    @cached_property
    def parameters(self) -> tuple[np.uint64, ...]:
        """Arguments of the kernel before the range of arcs: key and number of links of a vertex."""
        return derive_keys(check_seed(self.seed), 1)[0], np.uint64(self.links)

    @property
    def group_size(self) -> int:
        """Number of links of a vertex, which depend on one another."""
        return self.links


@kernel
def empty_table(choices: np.uint64) -> Uint64Array:
    """Return an empty table with room for `choices` choices of each vertex; at most half of its slots are used.

    The table has shape (2, slots). Row 0 holds the vertex whose choice a slot stores, row 1 the choice.
    """
    slots = np.int64(2)
    while slots < 2 * np.int64(choices):
        slots *= 2
    return np.full((2, slots), _NOBODY, np.uint64)


@kernel
def claim(table: Uint64Array, vertex: np.uint64, choice: np.uint64) -> bool:
    """Insert a choice of `vertex`; return False if the vertex has made that choice before."""
    last = np.uint64(table.shape[1]) - _1
    slot = mix(choice) & last
    while table[0, slot] == vertex:
        if table[1, slot] == choice:
            return False
        slot = (slot + _1) & last
    table[0, slot] = vertex
    table[1, slot] = choice
    return True
