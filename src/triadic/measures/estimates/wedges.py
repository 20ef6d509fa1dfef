"""Estimates from wedges of oriented rows: transitivity, triangles, the mean of local coefficients, and triads.

Each triangle {u, v, w} of ranks u > v > w has one wedge in the oriented rows: v and w in the row of u. With W such
wedges, of which the share p is closed, there are p W triangles, and the transitivity is 3 p W over the number of all
wedges, which the degrees tell. The mean of local coefficients is a sum over triangles, of 1 / C(k, 2) for the degree k
of each of its vertices; a row is drawn with weight C(row, 2) / C(k(u), 2), and then a closed wedge counts
1 + C(k(u), 2) / C(k(v), 2) + C(k(u), 2) / C(k(w), 2), at most 3, since u has the smallest degree.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.exact import exact_sum
from triadic.core.triad_types import ASYMMETRIC, CLOSED_NAMES, MUTUAL, TRIAD_NAMES, TYPE_OF_CODE
from triadic.counts.count import run
from triadic.counts.wedge_draws import WEDGE_DRAWS
from triadic.devices.cpu.wedge_sampling import CODES, SQUARES, UNIT, WEIGHTS, row_table, weight_shift
from triadic.measures.estimates.sampler import ClassSampler, Quantities, largest_of
from triadic.measures.triads import completed, dyads_of, open_triples
from triadic.tiles.oriented_tiles import OrientedTiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.weighted_choice import ChoiceTable
    from triadic.graph.graph import Graph
    from triadic.measures.estimates.result import Estimate
    from triadic.measures.estimates.sampler import Moments
    from triadic.tiles.range_values import RangeValues
    from triadic.tiles.tiled_graph import TiledGraph

    Draw = Callable[[int, int, int], NDArray[np.int64]]

_NANOSECONDS = 200.0
_PART = 1 << 15  # vertices
_ALL = np.ones(CODES, dtype=np.int64)


def transitivity(graph: Graph | TiledGraph, *, threads: int, device: str) -> ClassSampler:
    """Return the sampler of the transitivity."""
    table_sum, draw = closed_wedges(graph, threads=threads, device=device)
    wedges = wedges_of(graph)
    scale = 3 * table_sum / wedges if wedges else 0.0
    return _of_classes(["transitivity"], [_ALL], [0.0], [scale], draw, table_sum, most=1.0)


def transitivity_of(found: Estimate, graph: Graph | TiledGraph) -> Estimate:
    """Return the estimate of the transitivity that rests on the draws of an estimate of triangles.

    It is the estimate that `triadic.estimate` returns for the transitivity with the same seed, which draws the same
    wedges.
    """
    wedges = wedges_of(graph)
    value, low, high = (min(1.0, 3 * each / wedges) if wedges else 0.0 for each in (found.value, found.low, found.high))
    exact = "transitivity" if found.exact else ""
    return replace(found, of="transitivity", names=("transitivity",), value=value, low=low, high=high, exact=exact)


def wedges_of(graph: Graph | TiledGraph) -> int:
    """Return the number of wedges around the vertices of a graph, which workers of a cluster add up if they can."""
    oriented = graph.oriented()
    if isinstance(oriented, OrientedTiles):
        return oriented.total_over_ranks(_wedges_of_range)[0]
    return wedges_at(oriented.degree)


def _wedges_of_range(values: RangeValues) -> list[int]:
    return [wedges_at(values.degree)]


def wedges_at(degree: NDArray[np.int64]) -> int:
    """Return the number of wedges around vertices of these degrees."""
    return sum(exact_sum(part * (part - 1) >> 1) for part in parts_of(degree))


def parts_of(degree: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield the degrees in parts that fit the cache."""
    return (degree[start : start + _PART] for start in range(0, len(degree), _PART))


def triangles(graph: Graph | TiledGraph, *, threads: int, device: str) -> ClassSampler:
    """Return the sampler of the number of triangles."""
    table_sum, draw = closed_wedges(graph, threads=threads, device=device)
    return _of_classes(["triangles"], [_ALL], [0.0], [float(table_sum)], draw, table_sum)


def triads(graph: Graph | TiledGraph, *, threads: int, device: str) -> ClassSampler:
    """Return the sampler of the triad census: closed triads are drawn, and the others follow from them and dyads."""
    table_sum, draw = closed_wedges(graph, threads=threads, device=device)
    wedges = open_triples(graph.oriented(), threads=threads, device="auto" if device == "auto" else "cpu")
    mutual, asymmetric = dyads_of(graph)
    sizes = graph.num_vertices, mutual, asymmetric
    none = dict.fromkeys(CLOSED_NAMES, 0)
    exact = completed(wedges, none, *sizes)
    possible = [name for name in CLOSED_NAMES if MUTUAL[name] <= mutual and ASYMMETRIC[name] <= asymmetric]
    values, scales = np.zeros((len(TRIAD_NAMES), CODES), dtype=np.int64), np.zeros(len(TRIAD_NAMES))
    for closed in possible:
        with_one = completed(wedges, none | {closed: 1}, *sizes)
        codes = TRIAD_NAMES.index(closed) == TYPE_OF_CODE
        for i, name in enumerate(TRIAD_NAMES):
            change = with_one[name] - exact[name]
            values[i, codes] = abs(change)
            # The number of triads of a type rises with each closed triad, of any type, or falls with each.
            scales[i] = scales[i] or np.sign(change) * float(table_sum)
    offsets = [float(exact[name]) for name in TRIAD_NAMES]
    return _of_classes(list(TRIAD_NAMES), list(values), offsets, list(scales), draw, table_sum)


def closed_wedges(graph: Graph | TiledGraph, *, threads: int, device: str) -> tuple[int, Draw]:
    """Return the number of wedges in oriented rows, and the function that draws some and counts the closed by code."""
    oriented = graph.oriented(threads=threads)
    total, table = _weights_of_rows(oriented, local=False, threads=threads)

    def draw(key: int, first: int, stop: int) -> NDArray[np.int64]:
        found = run(WEDGE_DRAWS, oriented, table, key, first, stop, False, threads=threads, device=device)
        return found[:CODES]

    return total, draw


def _weights_of_rows(
    oriented: Oriented | OrientedTiles, *, local: bool, threads: int
) -> tuple[int, ChoiceTable | None]:
    """Return the sum of the weights of oriented rows, and the table of a graph in memory; tiles keep their own."""
    if isinstance(oriented, OrientedTiles):
        return oriented.wedge_draws.total(local=local), None
    table = row_table(oriented, local=local, threads=threads)
    return table.total, table


class AverageClustering:
    """The sampler of the mean of local clustering coefficients over all vertices, see `Sampler`.

    Parameters
    ----------
    graph : Graph
    threads : int
    device : str
    """

    strata, nanoseconds = 1, _NANOSECONDS

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
            np.zeros(1, dtype=np.int64),
            np.array([0.0 if n else np.nan]),
            np.array([weight / n if n else 0.0]),
            np.array([3.0 if weight else 0.0]),
            most=1.0,
        )

    def moments(self, key: int, first: NDArray[np.int64], stop: NDArray[np.int64]) -> Moments:
        """Return the sum of the weights of closed wedges, and of their squares, see `Sampler`."""
        found = self._draw(key, int(first[0]), int(stop[0]), True)
        return np.array([found[WEIGHTS] / UNIT]), np.array([found[SQUARES] / UNIT])


def _of_classes(
    names: list[str],
    values: list[NDArray[np.int64]],
    offsets: list[float],
    scales: list[float],
    draw: Draw,
    total: int,
    *,
    most: float = np.inf,
) -> ClassSampler:
    """Return a sampler of one stratum; without a wedge to draw, every quantity is exact."""
    largest = largest_of(values) if total else np.zeros(len(values))
    quantities = Quantities(
        names, np.zeros(len(names), dtype=np.int64), np.array(offsets), np.array(scales), largest, most
    )
    return ClassSampler(quantities, values, [draw], nanoseconds=_NANOSECONDS)
