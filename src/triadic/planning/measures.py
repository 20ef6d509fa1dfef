"""What can be planned: every declared count, and the commands that add passes over tiles and results to a count.

And what reading a graph into memory and counting it there takes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.oriented import Sizes
from triadic.core.records import value_class
from triadic.counts.count import declared
from triadic.counts.edges import (
    EDGE_SUPPORT,
    EXACT_PAIRS,
    EXACT_PRODUCTS,
    MOTIF_INTENSITY,
    STRENGTHS,
    WEIGHTED_TRIANGLES,
)
from triadic.counts.graphlets import FIVE_VERTEX_COUNTS, FOUR_VERTEX_COUNTS
from triadic.counts.triads import CENSUS_OF_VERTICES, CLOSED_TRIADS, CLOSED_TRIADS_OF_VERTICES
from triadic.counts.triangles import TRIANGLE_COUNT, TRIANGLES
from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.events import event_bytes, held_event_bytes
from triadic.io.tables import bytes_to_write
from triadic.planning.shape import layout_of, sizes_of
from triadic.tiles.layout import number_of_hubs
from triadic.tiles.work import RangeTriples, nanoseconds

if TYPE_CHECKING:
    from triadic.counts.count import Count
    from triadic.measures.patterns.pattern import Pattern
    from triadic.planning.sample import Sample
    from triadic.planning.shape import AnyShape


@value_class
class Measure:
    """A count, and what a command adds to it."""

    name: str
    count: Count[Any]  # in memory
    tile_count: Count[Any]  # in each tile, or in each triple of tiles
    rank_columns: int = 0  # columns of 8 bytes a vertex of the result files by rank
    vertex_columns: int = 0  # columns of the result files by vertex, or of the results in memory
    passes: int = 0  # over all tiles, beside the count
    weighted: bool = False  # whether the count takes the weights of edges
    undirected: bool = False  # whether the command counts the graph without directions, and makes tiles without them
    parts: tuple[Measure, ...] = ()  # the counts that the command runs one after another, if there are several

    @property
    def columns(self) -> int:
        """Number of columns of the sums at ranks; 0 for a count in total."""
        return self.tile_count.columns if self.tile_count.gives == "vertices" else 0

    def work(self, sizes: Sizes) -> float:
        """Estimate the work of all counts in memory; only ratios matter."""
        return sum(part.count.work(sizes) for part in self.parts or (self,))

    def check_tiled(self) -> None:
        """Raise UnsupportedError if a tiled graph does not have the count."""
        count = self.tile_count
        if not count.runs_over_tiles:
            raise UnsupportedError(
                f"a tiled graph has no {self.name}: {count.not_tiled}; allow the memory to count it untiled"
            )


_TRIADS_OF_VERTICES = Measure("triads by vertex", CENSUS_OF_VERTICES, CLOSED_TRIADS_OF_VERTICES, 16, 16, passes=2)
_CLUSTERING = Measure("clustering", TRIANGLES, TRIANGLES, 3, 3)
# The results by rank are the sums and the coefficients. Both coefficients that take strengths compute them.
_PRODUCTS = Measure("products", WEIGHTED_TRIANGLES, EXACT_PRODUCTS, EXACT_PRODUCTS.columns + 1, 1, weighted=True)
_PAIRS = Measure("pairs", EDGE_SUPPORT, EXACT_PAIRS, EXACT_PAIRS.columns + 1, 1, weighted=True)
_STRENGTHS = Measure("strengths", STRENGTHS, STRENGTHS, STRENGTHS.columns, weighted=True)
_OF_WEIGHTS = (_PRODUCTS, _PAIRS, _STRENGTHS, _PRODUCTS, _STRENGTHS, _CLUSTERING)
WEIGHTED_CLUSTERING = Measure(
    "weighted_clustering", WEIGHTED_TRIANGLES, EXACT_PRODUCTS, vertex_columns=6, weighted=True, undirected=True,
    parts=_OF_WEIGHTS,
)  # fmt: skip
"""The coefficients of Onnela, of Barrat and of Zhang and Horvath, and the unweighted ones; directions are ignored."""

GRAPHLETS = "graphlets of three vertices"
MEASURES = {
    "clustering": _CLUSTERING,
    "weighted_clustering": WEIGHTED_CLUSTERING,
    "triads": Measure("triads", CLOSED_TRIADS, CLOSED_TRIADS, 3, 0, passes=1),
    "triads by vertex": _TRIADS_OF_VERTICES,
    GRAPHLETS: Measure(GRAPHLETS, TRIANGLES, TRIANGLES, 3, 5, passes=1),
}
"""What commands count over tiles, by name."""
_HAVING = {None: "count", "vertex": "columns", "edge": "edges"}

# Counts that take weights and do not run over tiles; those that do have `takes_values`.
_UNTILED_WEIGHTS = (WEIGHTED_TRIANGLES, MOTIF_INTENSITY)


def measure_of(
    name: str | Pattern, by: str | None = None, size: int | None = None, *, weighted: bool = False
) -> Measure:
    """Return what `count` or a declared count calls by a name; with weights, "clustering" is "weighted_clustering".

    Raises
    ------
    ArgumentError
        Neither has this name, or a count that takes no weights is asked for with weights.
    """
    if name == "clustering" and weighted:
        return WEIGHTED_CLUSTERING
    measure = _measure_of(name, by, size)
    if weighted and not measure.weighted:
        of_weights = (each for each, count in declared().items() if _takes_weights(count))
        raise ArgumentError(
            f"of={name!r} takes no weights; leave weights= out, or expected one of "
            f"{', '.join(['clustering', WEIGHTED_CLUSTERING.name, *of_weights])}"
        )
    return measure


def _takes_weights(count: Count[Any]) -> bool:
    return count.takes_values or count in _UNTILED_WEIGHTS


def _measure_of(
    name: Any,  # noqa: ANN401 - a name or a pattern
    by: str | None,
    size: int | None,
) -> Measure:
    named = GRAPHLETS if (name, size) == ("graphlets", 3) else f"{name} by {by}"
    if by != "edge" and (named in MEASURES or name in MEASURES):
        return MEASURES.get(named) or MEASURES[name]
    from triadic.measures.patterns import matches  # noqa: PLC0415 - imports many measures
    from triadic.measures.registry import NAMES, countables_of  # noqa: PLC0415 - imports all measures

    if matches.is_pattern(name):
        pattern = matches.pattern_of(name)
        alike = FIVE_VERTEX_COUNTS if pattern.shape.size > 4 else FOUR_VERTEX_COUNTS  # takes about as long
        return Measure(pattern.text, alike, alike)
    counts, found = declared(), countables_of(name, size, having=_HAVING[by]) if name in NAMES else ()
    if not found and name not in counts:
        raise ArgumentError(f"of={name!r}: expected one of {', '.join(dict.fromkeys([*NAMES, *counts]))}")
    count = found[0].count if found else counts[name]
    if count is CENSUS_OF_VERTICES:
        return replace(_TRIADS_OF_VERTICES, name=name)
    columns = count.columns if count.gives == "vertices" else 0
    return Measure(name, count, count, rank_columns=columns, weighted=_takes_weights(count))


# In memory

_OBJECTS = 1 << 20  # bytes of Python's own objects, and of buffers of threads
_BYTES_OF_EVENT = 16  # source, target and time
_WEIGHTED_ARC = 16  # bytes of the ends of an arc as vertices, and of its weight
_SORTED_ROWS = 16  # bytes of an arc whose key and weight are sorted into rows by vertex
_READING = 16 << 20  # bytes of pieces of text that are parsed, and of Arrow's buffers, for a file of any size


def graph_bytes(sizes: Sizes) -> int:
    """Return the bytes of an oriented graph: ranks, indptr and degrees, indices and states."""
    id_bytes = 4 if sizes.vertices < 1 << 31 else 8
    return _OBJECTS + (id_bytes + 8 + 8) * sizes.vertices + (id_bytes + sizes.directed) * sizes.edges


def making_bytes(vertices: int, arcs: int, *, directed: bool, threads: int, weighted: bool = False) -> int:
    """Estimate the most bytes held while a graph is made of `arcs` arcs, beside the arcs.

    Either each thread counts the degrees of all vertices, or keys of 8 bytes an arc are sorted into indices (int32) and
    states, beside degrees, ranks, and lengths and pointers of rows. Weights are sorted beside the keys into those of
    the entries; of arcs with directions there are two of each.
    """
    of_arc = 13 if directed else 12
    if weighted:
        of_arc += 4 * 8 if directed else 2 * 8
    return _OBJECTS + max(8 * vertices * threads, (8 + 4 + 8 + 8) * vertices + of_arc * arcs)


def weight_bytes(sizes: Sizes) -> int:
    """Return the bytes of the weights of the entries of an oriented graph."""
    return 8 * (1 + sizes.directed) * sizes.edges


def bytes_held(sample: Sample, shape: AnyShape, measure: Measure, *, threads: int) -> int:
    """Estimate the most bytes that reading a network, making the graph and counting hold at once."""
    n, events = shape.vertices, sample.arcs
    if measure.count.takes == "events":
        held = held_event_bytes(n, events) + _BYTES_OF_EVENT * events
        counting = held + measure.count.bytes(Sizes(n, events, directed=True, unit="events"), threads)
        making = event_bytes(n, events, threads=threads) + (sample.read_bytes + _BYTES_OF_EVENT) * events
        return _READING + _OBJECTS + max(making, counting)
    sizes = sizes_of(shape)
    labels = {None: 0, "numbers": 8 * n, "names": 120 * n}[sample.labels]
    # Arrow keeps the memory of its columns while the graph is made.
    made = making_bytes(n, sample.arcs, directed=shape.directed, threads=threads, weighted=measure.weighted)
    making = made + sample.read_bytes * sample.arcs
    # Arrow's memory is not returned to the system before counting, which takes as much as making if there are weights.
    columns_of_arrow = max(0, sample.read_bytes - _WEIGHTED_ARC) * sample.arcs
    if measure is WEIGHTED_CLUSTERING:
        counting = columns_of_arrow + _weighted_clustering_bytes(shape, threads=threads)
        return _READING + labels + max(making, counting)
    # Other columns are computed from the result of the count, which is one of them or all of them.
    columns = measure.vertex_columns
    counted = measure.count.columns if measure.count.gives == "vertices" else 0
    counting = measure.count.bytes(sizes, threads) + 8 * max(0, columns - counted) * n
    if measure.weighted:  # the weights, and values made of them
        counting += weight_bytes(sizes) + 8 * sizes.edges
    writing = 8 * columns * n + bytes_to_write(n, columns) if columns else 0
    return _READING + labels + max(making, graph_bytes(sizes) + max(counting, writing))


def _weighted_clustering_bytes(shape: AnyShape, *, threads: int) -> int:
    """Estimate the most bytes that a graph with weights and its clustering hold, once the graph is made of its arcs."""
    n, arcs = shape.vertices, shape.arcs
    sizes = sizes_of(shape.to_undirected() if shape.directed else shape)
    m = sizes.edges
    other = making = 0
    if shape.directed:  # the graph with directions stays in memory beside the one without, and so do its rows by vertex
        own = graph_bytes(sizes_of(shape)) + weight_bytes(sizes_of(shape))
        other = own + _row_bytes(n, arcs)
        # Ends and directions of entries; ends, weights and keys of arcs. Then the ends again, of which the graph
        # without directions is made.
        rows = other + _SORTED_ROWS * arcs + 10 * m + 16 * arcs
        making = max(rows, other + 8 * arcs + making_bytes(n, arcs, directed=False, threads=threads, weighted=True))
    rows, values = _row_bytes(n, 2 * m), 8 * m
    # Strengths are added up over rows by vertex, which stay in memory: they are sorted, and then weights are scaled.
    strengths = values + rows + max(_SORTED_ROWS * 2 * m, 18 * m)
    triangles = max(values + WEIGHTED_TRIANGLES.bytes(sizes, threads), TRIANGLES.bytes(sizes, threads))
    pairs = values + EDGE_SUPPORT.bytes(sizes, threads)
    columns = WEIGHTED_CLUSTERING.vertex_columns
    last = max(strengths, rows + triangles, pairs, rows + bytes_to_write(n, columns))
    return max(making, other + graph_bytes(sizes) + weight_bytes(sizes) + 8 * columns * n + last)


def _row_bytes(vertices: int, arcs: int) -> int:
    """Return the bytes of rows by vertex with weights: indices and weights, and pointers."""
    return (4 + 8) * arcs + 8 * vertices


def cost(shape: AnyShape, measure: Measure) -> float:
    """Estimate the nanoseconds that counting takes one thread: of triangles as in tiles of hubs and others."""
    if measure.count not in (TRIANGLE_COUNT, TRIANGLES):  # whose hubs the CPU counts by rows of bits
        return measure.count.work(sizes_of(shape))
    cuts = np.unique([0, number_of_hubs(shape.vertices, shape.edges), shape.vertices])
    layout = layout_of(shape, cuts)
    of_ranges = (RangeTriples(layout, i) for i in range(layout.ranges))
    return float(sum(nanoseconds(layout, found, shape.row_pairs(cuts, found.i)).sum() for found in of_ranges))
