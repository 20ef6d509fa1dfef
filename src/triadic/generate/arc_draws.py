"""Networks whose arcs are drawn one by one: R-MAT and Erdős-Rényi graphs.

Computes: arc `i` by hashing (seed, i), without a table of the other arcs.
Requires: for an R-MAT graph of 2**scale vertices, a table of 4,096 cells with the probabilities of six levels; for an
  Erdős-Rényi graph G(n, m), at most as many edges as there are pairs of vertices.
Idea: an arc of an R-MAT graph chooses a quarter of the adjacency matrix, then a quarter of that quarter, and so on. One
  draw from an alias table (A. J. Walker, *An efficient method for generating discrete random variables with general
  distributions*, ACM Transactions on Mathematical Software 3, 1977) chooses one of the 4,096 cells that six levels of
  quarters make. An entry has 32 bits: a threshold of 20 bits and an alias of 12. The table fits the first-level cache,
  and one 64-bit hash serves two draws, which is 12 levels. Thresholds of 20 bits change the probability of a cell by at
  most 2**-32 per contributing cell, less than any feasible sample could detect. The ids are then permuted by arithmetic
  on their bits, so that an id does not reveal its degree.
  G(n, m) has a fixed number of different edges, with every set of edges equally likely. A pair of vertices is a vertex
  and the gap to the other vertex around a ring, so the pairs form a rectangle of `vertices` by `gaps`. A keyed
  permutation of this rectangle, a Feistel network (J. Black and P. Rogaway, *Ciphers with arbitrary finite domains*,
  CT-RSA 2002), maps different numbers `i` to different pairs. For an even number of vertices the widest gap names each
  pair twice; a number that is mapped to the second name is permuted again.
Heuristic: ten rounds of the Feistel network suffice for large networks; below 1,024 vertices a round has few outcomes,
  and 24 are made.
Cost: per arc of an R-MAT graph one hash and two table look-ups for every 12 levels, two and four up to scale 24; per
  edge of G(n, m) one hash per round, about 60 ns; no other memory.

The models are those of D. Chakrabarti, Y. Zhan and C. Faloutsos, *R-MAT: a recursive model for graph mining*, SDM 2004,
and of P. Erdős and A. Rényi, *On random graphs I*, Publicationes Mathematicae 6, 1959.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from triadic.core.checked import check_seed, checked
from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, below, derive_keys, mix
from triadic.core.records import cached_property
from triadic.errors import ArgumentError
from triadic.generate.model import MOST_VERTICES, DrawnModel, check_fields, make_graph

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Ids, Uint32Array, Uint64Array
    from triadic.graph.graph import Graph


_LEVELS = 6  # levels of quarters in one draw
_CELLS = 1 << (2 * _LEVELS)
_THRESHOLD_BITS = 20
_MOST_SCALE = 40
_MOST_FACTOR = 1 << 20
_ROUNDS = 3  # rounds of the permutation of ids
_PASSES, _PASSES_OF_SMALL = 10, 24  # rounds of the permutation of pairs
_SMALL = 1 << 10

_0, _1, _2 = np.uint64(0), np.uint64(1), np.uint64(2)
_DRAW_BITS, _LEVEL_BITS, _CELL_BITS = np.uint64(32), np.uint64(_LEVELS), np.uint64(2 * _LEVELS)
_CELL_SHIFT = np.uint64(64 - 2 * _LEVELS)
_COLUMN, _CELL = np.uint64((1 << _LEVELS) - 1), np.uint64(_CELLS - 1)
_THRESHOLD = np.uint64((1 << _THRESHOLD_BITS) - 1)


def rmat(
    scale: int,
    edge_factor: int = 16,
    *,
    a: float = 0.57,
    b: float = 0.19,
    c: float = 0.19,
    seed: int | None = None,
    directed: bool = False,
    threads: int | None = None,
    device: str = "cpu",
) -> Graph:
    """Make a recursive-matrix (R-MAT, Kronecker) graph, which has a few hubs and many vertices of low degree.

    The defaults are those of Graph500 and of the GAP Benchmark Suite. All 2**scale vertices are part of the graph,
    isolated or not, and their ids are permuted at random. The model draws ``edge_factor * 2**scale`` arcs; loops and
    repeats are dropped, and the graph's attribute ``dropped`` counts them.

    Parameters
    ----------
    scale : int
        Logarithm to base 2 of the number of vertices, from 0 to 40.
    edge_factor : int, default 16
        Number of arcs drawn per vertex, from 0 to 2**20.
    a : float, default 0.57
        Probability of the upper left quarter of the adjacency matrix.
    b : float, default 0.19
        Probability of the upper right quarter.
    c : float, default 0.19
        Probability of the lower left quarter; the lower right one has the remaining ``1 - a - b - c``.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1. The same seed gives the same graph on any machine and any
        number of threads; by default a fresh seed is drawn.
    directed : bool, default False
        Return a directed graph, whose arcs run from row to column; by default the same arcs become edges.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    device : str, default "cpu"
        Device that makes the graph; the graph is the same on every device. "cuda" or "cuda:1" makes and orients the
        graph on that GPU, where measures count it; its arrays are copied to the host when they are first read. "opencl"
        or "opencl:1" makes the arcs, and the host makes the graph of them.

    Returns
    -------
    Graph
        A graph of ``2**scale`` vertices and at most ``edge_factor * 2**scale`` edges.

    Raises
    ------
    ArgumentError
        A parameter is out of its range, or ``a + b + c`` is more than 1.
    UnsupportedError
        `device` is a GPU and the graph has 2**31 or more vertices or more than 2**32 arcs.
    DeviceError
        There is no such device.
    MissingExtraError
        The package that reaches the device, CuPy or PyOpenCL, is not installed.
    OutOfMemoryError
        The graph does not fit in the memory of the host or the device.

    Notes
    -----
    An arc takes one hash for every 12 levels of `scale`, and no memory beside the result and a table of 16 KiB.

    References
    ----------
    D. Chakrabarti, Y. Zhan and C. Faloutsos, *R-MAT: a recursive model for graph mining*, SDM 2004.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.rmat(10, seed=1).num_vertices
    1024
    """
    model = RMat(scale, edge_factor, a=a, b=b, c=c, seed=seed, directed=directed)
    return make_graph(model, threads=threads, device=device)


@kernel
def _relabel(keys: Uint64Array, scale: np.uint64, x: np.uint64) -> np.uint64:
    """Permute numbers of `scale` bits: each round multiplies by an odd number, adds, and xors with a shift."""
    mask = (_1 << scale) - _1
    half = (scale + _1) >> _1
    for r in range(_ROUNDS):
        x = (x * (keys[2 * r + 1] | _1) + keys[2 * r + 2]) & mask
        x ^= x >> half
    return x


@kernel
def _fill_quarters(
    parameters: tuple[Uint64Array, Uint32Array, np.uint64, np.uint64], start: np.uint64, source: Ids, target: Ids
) -> None:
    """Draw rows and columns, the first level in the highest bit; levels beyond `scale` are shifted out."""
    keys, table, hashes, scale = parameters
    spare_levels = hashes * _2 * _LEVEL_BITS - scale
    for i in range(source.size):
        z = keys[0] + (start + np.uint64(i)) * hashes * GOLDEN
        u = _0
        v = _0
        for _ in range(hashes):
            bits = mix(z)
            z += GOLDEN
            for _half in range(2):
                cell = bits >> _CELL_SHIFT
                entry = np.uint64(table[cell])
                stays = ((bits >> _DRAW_BITS) & _THRESHOLD) < (entry >> _CELL_BITS)
                cell = cell if stays else entry & _CELL
                u = (u << _LEVEL_BITS) | (cell >> _LEVEL_BITS)
                v = (v << _LEVEL_BITS) | (cell & _COLUMN)
                bits <<= _DRAW_BITS
        source[i] = _relabel(keys, scale, u >> spare_levels)
        target[i] = _relabel(keys, scale, v >> spare_levels)


@checked
@dataclass(frozen=True)
class RMat(DrawnModel):
    """The recursive-matrix model; `rmat` describes it.

    Parameters
    ----------
    scale : int
        Logarithm to base 2 of the number of vertices, from 0 to 40.
    edge_factor : int, default 16
        Number of arcs drawn per vertex, from 0 to 2**20.
    a : float, default 0.57
        Probability of the upper left quarter of the adjacency matrix.
    b : float, default 0.19
        Probability of the upper right quarter.
    c : float, default 0.19
        Probability of the lower left quarter; the lower right one has the remaining ``1 - a - b - c``.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1; by default a fresh one, which the field then holds.
    directed : bool, default False
        Whether the arcs run from row to column; otherwise they are edges.

    Raises
    ------
    ArgumentError
        A parameter is out of its range, or ``a + b + c`` is more than 1.

    References
    ----------
    D. Chakrabarti, Y. Zhan and C. Faloutsos, *R-MAT: a recursive model for graph mining*, SDM 2004.

    Examples
    --------
    >>> from triadic import generate
    >>> model = generate.RMat(10, seed=1)
    >>> model.vertices, model.arcs
    (1024, 16384)
    """

    kernel: ClassVar[str] = "recursive"
    _draw_arcs = staticmethod(_fill_quarters)
    group_size: ClassVar[int] = 1

    scale: int
    edge_factor: int = 16
    a: float = 0.57
    b: float = 0.19
    c: float = 0.19
    seed: int | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        check_fields(self, "a", "b", "c", scale=(0, _MOST_SCALE), edge_factor=(0, _MOST_FACTOR))
        if self.a + self.b + self.c > 1 + 1e-9:
            raise ArgumentError(f"a={self.a}, b={self.b}, c={self.c}: expected a sum of at most 1")

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return 1 << self.scale

    @property
    def arcs(self) -> int:
        """Number of arcs, loops and repeats included."""
        return self.edge_factor << self.scale

    @cached_property
    def parameters(self) -> tuple[Uint64Array, Uint32Array, np.uint64, np.uint64]:
        """Arguments of the kernel before the range of arcs: keys, alias table, hashes per arc, scale."""
        keys, hashes = derive_keys(check_seed(self.seed), 1 + 2 * _ROUNDS), -(-self.scale // (2 * _LEVELS))
        quarters = np.array([[self.a, self.b], [self.c, max(0.0, 1 - self.a - self.b - self.c)]])
        cells = np.ones((1, 1))
        for _ in range(_LEVELS):
            cells = np.kron(cells, quarters)
        return keys, _alias_table(cells.ravel()), np.uint64(hashes), np.uint64(self.scale)


def _alias_table(probability: Float64Array) -> Uint32Array:
    """Pack for each cell the threshold below which a draw keeps the cell, and the alias taken otherwise."""
    size = len(probability)
    share = (probability * (size / probability.sum())).tolist()
    alias = list(range(size))
    threshold = [1.0] * size
    short = [cell for cell in range(size) if share[cell] < 1]
    rich = [cell for cell in range(size) if share[cell] >= 1]
    while short and rich:
        cell, giver = short.pop(), rich.pop()
        threshold[cell], alias[cell] = share[cell], giver
        share[giver] -= 1 - share[cell]
        (short if share[giver] < 1 else rich).append(giver)
    # A cell that keeps all draws is its own alias, so a threshold just below 1 serves as 1.
    bits = np.minimum(np.rint(np.array(threshold) * (1 << _THRESHOLD_BITS)), (1 << _THRESHOLD_BITS) - 1)
    packed: Uint32Array = bits.astype(np.uint32) << np.uint32(2 * _LEVELS)
    return packed | np.array(alias, np.uint32)


def erdos_renyi(
    num_vertices: int, edges: int, *, seed: int | None = None, directed: bool = False, threads: int | None = None
) -> Graph:
    """Make an Erdős-Rényi graph G(n, m), which has exactly `edges` different edges, drawn uniformly.

    Parameters
    ----------
    num_vertices : int
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
    return make_graph(ErdosRenyi(num_vertices, edges, seed=seed, directed=directed), threads=threads)


@kernel
def _fill_pairs(
    parameters: tuple[Uint64Array, np.uint64, np.uint64, np.uint64], start: np.uint64, source: Ids, target: Ids
) -> None:
    """Write the pairs to which the numbers ``start, start + 1, …`` are mapped: of all vertices, gaps and pairs."""
    keys, vertices, gaps, pairs = parameters
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


@checked
@dataclass(frozen=True)
class ErdosRenyi(DrawnModel):
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

    _draw_arcs = staticmethod(_fill_pairs)

    vertices: int
    edges: int
    seed: int | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        check_fields(self, vertices=(0, MOST_VERTICES))
        check_fields(self, edges=(0, self._pairs))

    @property
    def arcs(self) -> int:
        """Number of arcs; no two are equal."""
        return self.edges

    @property
    def _pairs(self) -> int:
        ordered = self.vertices * (self.vertices - 1)
        return ordered if self.directed else ordered // 2

    @cached_property
    def parameters(self) -> tuple[Uint64Array, np.uint64, np.uint64, np.uint64]:
        """Arguments of the kernel before the range of arcs: keys, numbers of vertices, gaps and pairs."""
        keys = derive_keys(check_seed(self.seed), _PASSES_OF_SMALL if self.vertices < _SMALL else _PASSES)
        gaps = self.vertices - 1 if self.directed else self.vertices // 2
        return keys, np.uint64(self.vertices), np.uint64(gaps), np.uint64(self._pairs)
