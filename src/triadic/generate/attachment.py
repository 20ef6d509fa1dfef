"""Barabási and Albert: each new vertex links to earlier ones, to each in proportion to the links it has.

Computes: link `i` of vertex links + i // links, by hashing (seed, i), with no list of the links before it.
Idea: an end drawn uniformly from the list of all ends of earlier links is a vertex drawn in proportion to its degree.
  Even places of that list are known (the new vertex); an odd place is the end that another draw gave, and that draw is
  a hash that can be made again: follow the trail until it ends, after two steps on average.
  (P. Sanders and C. Schulz, *Scalable generation of scale-free graphs*, Information Processing Letters 116, 2016.)
Heuristic: an end that its vertex has already is drawn again, but in the list of ends it stays as first drawn, or a
  trail would branch at every step. So later vertices weigh a few links where they were first drawn.
Cost: about three hashes a link; no memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from triadic.core.compiled import kernel
from triadic.generate.arguments import MOST_VERTICES, check_flag, check_seed, check_whole, settle
from triadic.generate.choice_table import claim, empty_table
from triadic.generate.draws import below, derive_keys, draw
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

    It begins as a star: vertex `links` linked to the vertices 0 .. links - 1. Each later vertex makes `links` links
    to different earlier ones, drawn in proportion to their degree. An end drawn twice for one vertex is drawn again;
    later vertices then still weigh the link where it was first drawn, which is what lets any part of the graph be
    made by itself.

    Parameters
    ----------
    vertices : int
        Number of vertices, at most 2**31.
    links : int
        Links that each new vertex makes: at least 1, less than `vertices`.
    seed : int, optional
        From 0 to 2**64 - 1. The same seed gives the same graph on any machine and any number of threads; None
        draws a fresh one.
    directed : bool, default False
        Keep each link as an arc from the new vertex to the earlier one.
    threads : int, optional
        By default as many as the process may use.
    device : str, default "cpu"
        What makes the graph, the same one everywhere. On "cuda" or "cuda:1" it is made and oriented on the card, is
        counted there and comes to the host when it is asked for; "opencl" or "opencl:1" makes the arcs alone.
        Undirected graphs only.

    Returns
    -------
    Graph
        ``(vertices - links) * links`` edges; nothing is dropped on the way.

    Raises
    ------
    ArgumentError
        If `links` is not less than `vertices`.
    UnsupportedError
        A directed graph, or 2**31 vertices or 2**32 + 1 links, on a GPU.
    DeviceError, MissingExtraError, OutOfMemoryError
        There is no such device, or what reaches it is not installed, or it is too small.

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


@dataclass(frozen=True)
class BarabasiAlbert:
    """The model of growth by preferential attachment; see `barabasi_albert`."""

    kernel: ClassVar[str] = "attachment"

    vertices: int
    links: int
    seed: int | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        settle(
            self,
            vertices=check_whole("vertices", self.vertices, 2, MOST_VERTICES),
            seed=check_seed(self.seed),
            directed=check_flag("directed", self.directed),
        )
        settle(self, links=check_whole("links", self.links, 1, self.vertices - 1))

    @property
    def arcs(self) -> int:
        """Number of links, all different."""
        return (self.vertices - self.links) * self.links

    def fill(self, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the links from number `start` on, the new vertex first."""
        _fill(*self.parameters, np.uint64(start), source, target)

    @property
    def parameters(self) -> tuple[np.uint64, np.uint64]:
        """What a kernel takes before the range: key, links of a vertex."""
        return self._key, np.uint64(self.links)

    @property
    def together(self) -> int:
        """Number of links of a vertex."""
        return self.links

    @cached_property
    def _key(self) -> np.uint64:
        key: np.uint64 = derive_keys(check_seed(self.seed), 1)[0]
        return key


@kernel
def _end(key: np.uint64, links: np.uint64, link: np.uint64, attempt: np.uint64) -> np.uint64:
    """Follow the trail from a draw for `link` to the vertex where it ends."""
    while link >= links:
        place = below(draw(key, link, attempt), _2 * links * (link // links))
        link = place >> _1
        if place & _1 == _0:
            return links + link // links
        attempt = _0
    return link  # of the star


@kernel
def _fill(key: np.uint64, links: np.uint64, start: np.uint64, source: Ids, target: Ids) -> None:
    """Write links; the first vertex's earlier ones are made again, for its ends to differ from theirs."""
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
