"""Samplers: what an estimate draws, and how the quantities follow from the draws.

A quantity is a mean of draws, times a number, plus a number. A `Sampler` draws from one or several strata. The draws of
a stratum are independent and equally distributed, and each quantity is a linear function of the mean of a value of the
draws of its stratum. Samplers whose draws fall into classes are `ClassSampler`: each class has a whole number as its
value for each quantity.

*Wedges of oriented rows* estimate transitivity, triangles, the mean of local coefficients, and triads. Each triangle
{u, v, w} of ranks u > v > w has one wedge in the oriented rows: v and w in the row of u. With W such wedges, of which
the share p is closed, there are p W triangles, and the transitivity is 3 p W over the number of all wedges, which the
degrees tell. The mean of local coefficients is a sum over triangles, of 1 / C(k, 2) for the degree k of each of its
vertices; a row is drawn with weight C(row, 2) / C(k(u), 2), and then a closed wedge counts
1 + C(k(u), 2) / C(k(v), 2) + C(k(u), 2) / C(k(w), 2), at most 3, since u has the smallest degree.

*Wedges with a vertex of each degree in the middle* estimate the clustering spectrum.

*Paths of three edges* estimate the induced subgraphs of four vertices, and their orbits. With S such paths in the graph
(triangles included), of which the share p induces a subgraph that has a such paths, there are p S / a of these
subgraphs: a is 1 for the 3-path, 2 for the paw, 4 for the 4-cycle, 6 for the diamond and 12 for the 4-clique. The last
three are met more often by centred paths, of which a 4-cycle and a diamond have one, and a 4-clique three. Claws have
no such path: the number of stars is exact, and paws (1), diamonds (2) and 4-cliques (4) are subtracted from it.

*Sets from oriented rows* estimate cliques of k vertices: each has its k - 1 smaller ranks in the row of its largest. A
row of length r is drawn with weight C(r, k - 1), and k - 1 different entries of it; the share p of the sets that are
cliques, times the sum of all weights, is their number.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from scipy.special import comb

from triadic.core.draws import GOLDEN, derive_keys, mix
from triadic.core.exact import exact_sum
from triadic.core.memory import check_memory
from triadic.core.oriented import frozen, int_empty, int_zeros, rows_of_entries
from triadic.core.records import record
from triadic.core.triad_types import ASYMMETRIC, CLOSED_NAMES, MUTUAL, TRIAD_NAMES, TYPE_OF_CODE
from triadic.counts.count import run
from triadic.counts.triangles import WEDGE_DRAWS
from triadic.devices.cpu.draws.choice import neighbours
from triadic.devices.cpu.draws.path_sampling import CLASSES, CLIQUE, CYCLE, DIAMOND, PATH, PAW, PathTables
from triadic.devices.cpu.draws.star_sampling import closed_by_class
from triadic.devices.cpu.draws.wedge_sampling import CODES, SQUARES, UNIT, WEIGHTS, row_table, weight_shift
from triadic.errors import CountOverflowError
from triadic.measures.batches import completed
from triadic.measures.clustering import stars_at, wedges_at, wedges_of
from triadic.measures.triads import dyads_of, open_triples
from triadic.tiles.oriented_tiles import OrientedTiles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.draws.choice import ChoiceTable
    from triadic.graph.graph import Graph
    from triadic.tiles.tiled_graph import TiledGraph

    Moments = tuple[Float64Array, Float64Array]
    Draw = Callable[[int, int, int], Int64Array]

_WEDGE_NANOSECONDS, _PATH_NANOSECONDS = 200.0, 700.0
_PART = 1 << 15  # vertices
_PLACES = 1 << 18  # of sets that are drawn at once
_HALF = np.uint64(32)
_ALL = np.ones(CODES, np.int64)
_WEDGES, _PATHS, _CENTRED = range(3)
_TWELFTHS = 12  # values of classes are twelfths of a subgraph
# Of each subgraph the sign and the stratum of the part that is drawn, and the twelfths of it that a draw of each class
# stands for. A paw has a star of three edges in 2 paths; a diamond 2 in 6, and a 4-clique 4 in 12.
_DRAWN: dict[str, tuple[int, int, dict[int, int]]] = {
    "edge": (1, _WEDGES, {}),
    "2-path": (-1, _WEDGES, dict.fromkeys(range(CODES), 3 * _TWELFTHS)),
    "triangle": (1, _WEDGES, dict.fromkeys(range(CODES), _TWELFTHS)),
    "3-path": (1, _PATHS, {PATH: 12}),
    "claw": (-1, _PATHS, {PAW: 6, DIAMOND: 4, CLIQUE: 4}),
    "4-cycle": (1, _CENTRED, {CYCLE: 12}),
    "paw": (1, _PATHS, {PAW: 6}),
    "diamond": (1, _CENTRED, {DIAMOND: 12}),
    "4-clique": (1, _CENTRED, {CLIQUE: 4}),
}
NAMES = tuple(_DRAWN)[1:]
# Vertices at which each of the orbits 0 to 14 of a subgraph occurs.
_ORBITS = (
    ("edge", 2), ("2-path", 2), ("2-path", 1), ("triangle", 3), ("3-path", 2), ("3-path", 2), ("claw", 3), ("claw", 1),
    ("4-cycle", 4), ("paw", 1), ("paw", 2), ("paw", 1), ("diamond", 2), ("diamond", 2), ("4-clique", 4),
)  # fmt: skip


@record
class Quantities:
    """What is estimated: each quantity is ``offset + scale * mean``.

    Attributes
    ----------
    names : sequence
        Names of the quantities, or the degrees of a spectrum.
    stratum : int64 array, shape (quantities,)
        Stratum whose draws have the mean.
    offset, scale : float64 arrays, shape (quantities,)
    largest : float64 array, shape (quantities,)
        Largest value of a draw; 0 if all are zero, so that the quantity is exact.
    most : float
        Largest possible quantity, such as 1 for a coefficient.
    """

    names: Sequence[Any] | AnyArray
    stratum: Int64Array
    offset: Float64Array
    scale: Float64Array
    largest: Float64Array
    most: float = np.inf

    def at(self, mean: Float64Array) -> Float64Array:
        """Return the quantities for these means."""
        return np.clip(self.offset + self.scale * mean, 0.0, self.most)


class Sampler(Protocol):
    """Draws from strata.

    Attributes
    ----------
    quantities : Quantities
    strata : int
        Number of strata.
    nanoseconds : float
        Rough time of a draw on one thread.
    """

    quantities: Quantities
    strata: int
    nanoseconds: float

    def moments(self, key: int, first: Int64Array, stop: Int64Array) -> Moments:
        """Return for each quantity the sums of values, and of their squares, over some draws.

        Parameters
        ----------
        key : int
            Key of the draws; the draws of two keys are independent.
        first, stop : int64 array, shape (strata,)
            The draws of each stratum: `first` to `stop` - 1.
        """


class ClassSampler:
    """Draws that fall into classes, from one or several strata.

    Parameters
    ----------
    rows : sequence of tuple
        Name, stratum, offset and scale of each quantity, see `Quantities`, and its value for each class.
    strata : sequence of tuple
        For each stratum the number of what can be drawn, and ``draw(key, first, stop)``, which returns the number of
        draws in each class. Without anything to draw, every quantity is exact.
    nanoseconds : float
        Rough time of a draw on one thread.
    most : float
        Largest possible quantity.
    """

    def __init__(
        self,
        rows: Sequence[tuple[str, int, float, float, Int64Array]],
        strata: Sequence[tuple[int, Draw]],
        nanoseconds: float = _WEDGE_NANOSECONDS,
        most: float = np.inf,
    ) -> None:
        names, stratum, offset, scale, self._values = zip(*rows, strict=True)
        largest = [float(row[-1].max()) if strata[row[1]][0] else 0.0 for row in rows]
        self.quantities = Quantities(
            names, np.array(stratum), np.array(offset), np.array(scale), np.array(largest), most
        )
        self._draws = [draw for _, draw in strata]
        self.strata, self.nanoseconds = len(strata), nanoseconds

    def moments(self, key: int, first: Int64Array, stop: Int64Array) -> Moments:
        """Return the sums of values and of their squares, see `Sampler`."""
        counts = [
            draw(int(own), int(first[s]), int(stop[s])) if stop[s] > first[s] else None
            for s, (own, draw) in enumerate(zip(derive_keys(key, self.strata), self._draws, strict=True))
        ]
        sums, squares = np.zeros(len(self._values)), np.zeros(len(self._values))
        for i, (stratum, value) in enumerate(zip(self.quantities.stratum, self._values, strict=True)):
            found = counts[stratum]
            if found is not None:
                sums[i], squares[i] = int(value @ found), int(value * value @ found)
        return sums, squares


def _of_closed_wedges(of: str, graph: Graph | TiledGraph, *, threads: int, device: str) -> ClassSampler:
    """Return the sampler of the number of triangles, or of the transitivity, which takes that of wedges, too."""
    drawn = closed_wedges(graph, threads=threads, device=device)
    scale, most = float(drawn[0]), np.inf
    if of == "transitivity":
        wedges, most = wedges_of(graph), 1.0
        scale = 3 * drawn[0] / wedges if wedges else 0.0
    return ClassSampler([(of, _WEDGES, 0.0, scale, _ALL)], [drawn], most=most)


transitivity, triangles = (partial(_of_closed_wedges, of) for of in ("transitivity", "triangles"))


def triads(graph: Graph | TiledGraph, *, threads: int, device: str) -> ClassSampler:
    """Return the sampler of the triad census: closed triads are drawn, and the others follow from them and dyads."""
    drawn = closed_wedges(graph, threads=threads, device=device)
    wedges = open_triples(graph.oriented(), threads=threads, device="auto" if device == "auto" else "cpu")
    mutual, asymmetric = dyads_of(graph)
    sizes = graph.num_vertices, mutual, asymmetric
    none = dict.fromkeys(CLOSED_NAMES, 0)
    exact = completed(wedges, none, *sizes)
    possible = [name for name in CLOSED_NAMES if MUTUAL[name] <= mutual and ASYMMETRIC[name] <= asymmetric]
    values, scales = int_zeros((len(TRIAD_NAMES), CODES)), np.zeros(len(TRIAD_NAMES))
    for closed in possible:
        with_one = completed(wedges, none | {closed: 1}, *sizes)
        codes = TRIAD_NAMES.index(closed) == TYPE_OF_CODE
        for i, name in enumerate(TRIAD_NAMES):
            change = with_one[name] - exact[name]
            values[i, codes] = abs(change)
            # The number of triads of a type rises with each closed triad, of any type, or falls with each.
            scales[i] = scales[i] or np.sign(change) * float(drawn[0])
    rows = [(name, _WEDGES, float(exact[name]), scales[i], values[i]) for i, name in enumerate(TRIAD_NAMES)]
    return ClassSampler(rows, [drawn])


def closed_wedges(graph: Graph | TiledGraph, *, threads: int, device: str) -> tuple[int, Draw]:
    """Return the number of wedges in oriented rows, and the function that draws some and counts the closed by code."""
    oriented = graph.oriented(threads=threads)
    total, table = _weights_of_rows(oriented, local=False, threads=threads)

    def draw(key: int, first: int, stop: int) -> Int64Array:
        found = run(WEDGE_DRAWS, oriented, table, key, first, stop, False, threads=threads, device=device)
        return found[:CODES]

    return total, draw


def _weights_of_rows(
    oriented: Oriented | OrientedTiles, *, local: bool, threads: int
) -> tuple[int, ChoiceTable | None]:
    """Return the sum of the weights of oriented rows, and the table of a graph in memory; tiles keep their own."""
    if isinstance(oriented, OrientedTiles):
        return oriented.wedge_draws.total(local=local), None
    table = row_table(oriented.indptr, oriented.degree, local=local, threads=threads)
    return int(table.total), table


class AverageClustering:
    """The sampler of the mean of local clustering coefficients over all vertices, see `Sampler`.

    Parameters
    ----------
    graph : Graph
    threads : int
    device : str
    """

    strata, nanoseconds = 1, _WEDGE_NANOSECONDS

    def __init__(self, graph: Graph | TiledGraph, *, threads: int, device: str) -> None:
        oriented = graph.oriented(threads=threads)
        total, table = _weights_of_rows(oriented, local=True, threads=threads)
        self._draw = partial(run, WEDGE_DRAWS, oriented, table, threads=threads, device=device)
        n = graph.num_vertices
        unit = 1 << weight_shift(n, local=True)
        weight = total / unit
        # Row u counts floor(2**shift a) + 1 in place of 2**shift a: a relative error below 10**-9.
        self.quantities = Quantities(
            ["average_clustering"],
            np.array([0]),
            np.array([0.0 if n else np.nan]),
            np.array([weight / n if n else 0.0]),
            np.array([3.0 if weight else 0.0]),
            most=1.0,
        )

    def moments(self, key: int, first: Int64Array, stop: Int64Array) -> Moments:
        """Return the sum of the weights of closed wedges, and of their squares, see `Sampler`."""
        found = self._draw(key, int(first[0]), int(stop[0]), True)
        return np.array([found[WEIGHTS] / UNIT]), np.array([found[SQUARES] / UNIT])


class LocalWedges:
    """The sampler of the mean local coefficient of classes of vertices, see `Sampler`; each class is a stratum.

    Parameters
    ----------
    graph : Graph
    threads : int
    by_degree : bool, default True
        Whether the vertices of each degree are a class; otherwise all vertices are one.
    """

    nanoseconds = 300.0

    def __init__(self, graph: Graph, *, threads: int, by_degree: bool = True) -> None:
        oriented = graph.oriented(threads=threads)
        self._rows, self._threads = neighbours(oriented, threads=threads), threads
        degree = oriented.degree if by_degree else int_zeros(oriented.num_vertices)
        self._members = frozen(np.argsort(degree, kind="stable"))
        names, start = np.unique(degree[self._members], return_index=True)
        self._start = frozen(np.append(start, len(degree)).astype(np.int64))
        self.strata = len(names)
        has_wedges = names >= 2 if by_degree else np.ones(self.strata, bool)
        self.quantities = Quantities(
            names if by_degree else ["average_clustering"],
            np.arange(self.strata),
            np.zeros(self.strata),
            np.ones(self.strata),
            has_wedges.astype(np.float64),
            most=1.0,
        )

    def moments(self, key: int, first: Int64Array, stop: Int64Array) -> Moments:
        """Return the number of closed wedges of each class, which is also the sum of squares, see `Sampler`."""
        closed = closed_by_class(self._rows, self._members, self._start, key, first, stop, threads=self._threads)
        return closed.astype(np.float64), closed.astype(np.float64)


def cliques(graph: Graph, *, size: int, threads: int, device: str) -> ClassSampler:  # noqa: ARG001 - of samplers
    """Return the sampler of the number of cliques of `size` vertices."""
    oriented, n, chosen = graph.oriented(threads=threads), graph.num_vertices, size - 1
    check_memory(8 * oriented.num_edges + 40 * n, "drawing for cliques")
    indptr, indices = oriented.indptr, oriented.indices
    length = np.diff(indptr)
    with np.errstate(over="ignore"):
        sums = comb(length, chosen).cumsum()
    total = float(sums[-1]) if n else 0.0
    if not np.isfinite(total):
        raise CountOverflowError(f"size={size}: the sets of {size} vertices that are drawn exceed 64-bit floats")
    entries = rows_of_entries(indptr).astype(np.int64) * n + indices  # which rise
    hashed: Any = mix.py_func  # type: ignore[attr-defined] # in NumPy

    def met(key: int, first: int, stop: int) -> int:
        steps = np.arange(first, stop, dtype=np.uint64) * GOLDEN
        bits = [hashed(own + steps) for own in derive_keys(key, size)]
        row = np.searchsorted(sums, (bits[chosen] >> np.uint64(11)) * (total * 2.0**-53), side="right")
        places = int_empty((stop - first, chosen))
        for i in range(chosen):  # R. Floyd's draw of different numbers
            last = length[row] - chosen + i
            drawn = ((bits[i] >> _HALF) * (last + 1).astype(np.uint64) >> _HALF).astype(np.int64)
            again = (places[:, :i] == drawn[:, None]).any(axis=1)
            places[:, i] = np.where(again, last, drawn)
        ranks = indices[indptr[row][:, None] + np.sort(places, axis=1)].astype(np.int64)
        for larger in range(1, chosen):
            for smaller in range(larger):
                wanted = ranks[:, larger] * n + ranks[:, smaller]
                ranks = ranks[entries[np.searchsorted(entries, wanted).clip(max=len(entries) - 1)] == wanted]
        return len(ranks)

    def draw(key: int, first: int, stop: int) -> Int64Array:
        part = max(1, _PLACES // size)
        return np.array([sum(met(key, start, min(start + part, stop)) for start in range(first, stop, part))])

    value = np.array([1])
    return ClassSampler([(f"cliques of {size}", 0, 0.0, total, value)], [(int(total > 0), draw)], size * size * 20.0)


def _of_subgraphs(wanted: list[tuple[str, str, int]], graph: Graph, *, threads: int, device: str) -> ClassSampler:
    """Return the sampler of the numbers of subgraphs: each with its name, that of the subgraph, and a factor."""
    oriented = graph.oriented(threads=threads)
    degree, rows = oriented.degree, neighbours(oriented, threads=threads)
    strata = [closed_wedges(graph, threads=threads, device=device)]
    for centred in (False, True):
        paths = PathTables(oriented, rows, centred=centred, threads=threads)
        strata.append((paths.total, partial(paths.tally, threads=threads)))
    parts_of_degree = (degree[start : start + _PART] for start in range(0, len(degree), _PART))
    stars = sum(exact_sum(stars_at(part)) for part in parts_of_degree)
    known = {"edge": oriented.num_edges, "2-path": wedges_at(degree), "claw": stars}
    quantities = []
    for name, subgraph, factor in wanted:
        sign, of, parts = _DRAWN[subgraph]
        value = int_zeros(CODES if of == _WEDGES else CLASSES)
        for kind, twelfths in parts.items():
            value[kind] = twelfths
        scale = sign * factor * strata[of][0] / _TWELFTHS
        quantities.append((name, of, float(factor * known.get(subgraph, 0)), scale, value))
    return ClassSampler(quantities, strata, _PATH_NANOSECONDS)


# The sampler of the numbers of induced connected subgraphs of three and four vertices, and that of the sums of orbits 0
# to 14 over all vertices, by ORCA's numbers.
graphlets = partial(_of_subgraphs, [(name, name, 1) for name in NAMES])
orbits = partial(_of_subgraphs, [(f"orbit {i}", *of_subgraph) for i, of_subgraph in enumerate(_ORBITS)])
