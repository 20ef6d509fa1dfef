"""Barabási-Albert graphs: each new vertex links to earlier vertices, drawn in proportion to their degrees.

Computes: link `i`, which belongs to vertex ``links + i // links``, by hashing (seed, i), without the links before it.
Requires: 1 <= links < vertices, and ids that fit the arrays.
Idea: an entry drawn uniformly from the list of the ends of all earlier links is a vertex drawn in proportion to its
  degree. Entry 2 l of that list is the new vertex of link l, known from l; entry 2 l + 1 is the other end of link l,
  which is the result of an earlier draw. That draw is a hash and can be repeated, so the kernel follows the chain of
  draws until it meets a known vertex, after two steps on average.
  (P. Sanders and C. Schulz, *Scalable generation of scale-free graphs*, Information Processing Letters 116, 2016.)
Heuristic: if a draw repeats an end that the vertex has already, it is drawn again, but later vertices still see the
  first draw in the list of ends; otherwise every step of a chain would branch. A few links are therefore weighted
  where they were first drawn.
Cost: about three hashes per link; no memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from triadic.core.cached import cached_property
from triadic.core.checked import checked
from triadic.core.compiled import kernel
from triadic.core.draws import below, derive_keys, draw
from triadic.generate.arguments import MOST_VERTICES, check_seed, check_whole, set_fields
from triadic.generate.choice_table import claim, empty_table
from triadic.generate.model import make_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

    Ids = NDArray[np.integer[Any]]

_0, _1, _2 = np.uint64(0), np.uint64(1), np.uint64(2)


def barabasi_albert(
    vertices: int,
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
    vertices : int
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
    return make_graph(BarabasiAlbert(vertices, links, seed=seed, directed=directed), threads=threads, device=device)


@checked
@dataclass(frozen=True)
class BarabasiAlbert:
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

    vertices: int
    links: int
    seed: int | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        set_fields(
            self,
            vertices=check_whole("vertices", self.vertices, 2, MOST_VERTICES),
            seed=check_seed(self.seed),
        )
        set_fields(self, links=check_whole("links", self.links, 1, self.vertices - 1))

    @property
    def arcs(self) -> int:
        """Number of links; no two are equal."""
        return (self.vertices - self.links) * self.links

    def fill(self, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the links ``start, start + 1, …``: new vertices to `source`, earlier ones to `target`."""
        _fill(*self.parameters, np.uint64(start), source, target)

    @property
    def parameters(self) -> tuple[np.uint64, np.uint64]:
        """Arguments of the kernel before the range of arcs: key and number of links of a vertex."""
        return self._key, np.uint64(self.links)

    @property
    def group_size(self) -> int:
        """Number of links of a vertex, which depend on one another."""
        return self.links

    @cached_property
    def _key(self) -> np.uint64:
        return derive_keys(check_seed(self.seed), 1)[0]


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
def _fill(key: np.uint64, links: np.uint64, start: np.uint64, source: Ids, target: Ids) -> None:
    """Write links; the first vertex's links before `start` are repeated, so that the ends of a vertex differ."""
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
