"""What reading a graph into memory and counting it there takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.oriented import Sizes
from triadic.counts.edges import EDGE_SUPPORT
from triadic.counts.triangles import TRIANGLES
from triadic.counts.weights import WEIGHTED_TRIANGLES
from triadic.devices.cpu.orient.middle_lists import LIST, TEST
from triadic.devices.cpu.triangles import triangle_work as work
from triadic.graph.events import event_bytes, held_event_bytes
from triadic.io.tables import bytes_to_write
from triadic.planning.measures import WEIGHTED_CLUSTERING

if TYPE_CHECKING:
    from triadic.planning.measures import Measure
    from triadic.planning.sample import Sample
    from triadic.planning.shape import ModelShape, Shape

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


def bytes_held(sample: Sample, shape: Shape | ModelShape, measure: Measure, *, threads: int) -> int:
    """Estimate the most bytes that reading a network, making the graph and counting hold at once."""
    if measure.count.takes == "events":
        return _event_bytes_held(sample, shape.vertices, measure, threads=threads)
    n, sizes = shape.vertices, shape.sizes
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


def _weighted_clustering_bytes(shape: Shape | ModelShape, *, threads: int) -> int:
    """Estimate the most bytes that a graph with weights and its clustering hold, once the graph is made of its arcs."""
    n, arcs = shape.vertices, shape.arcs
    sizes = (shape.to_undirected() if shape.directed else shape).sizes
    m = sizes.edges
    other = making = 0
    if shape.directed:  # the graph with directions stays in memory beside the one without, and so do its rows by vertex
        own = graph_bytes(shape.sizes) + weight_bytes(shape.sizes)
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


def _event_bytes_held(sample: Sample, n: int, measure: Measure, *, threads: int) -> int:
    """Estimate the same for a count of timed events, each of which takes 16 bytes."""
    events = sample.arcs
    making = event_bytes(n, events, threads=threads) + (sample.read_bytes + _BYTES_OF_EVENT) * events
    counting = (
        held_event_bytes(n, events)
        + _BYTES_OF_EVENT * events
        + measure.count.bytes(Sizes(n, events, directed=True, unit="events"), threads)
    )
    return _READING + _OBJECTS + max(making, counting)


def cost(shape: Shape | ModelShape, measure: Measure) -> float:
    """Estimate the nanoseconds that counting takes one thread: for triangles with the best number of hubs."""
    if not measure.has_hubs:
        return measure.count.work(shape.sizes)
    numbers = [hubs for hubs in work.HUBS if hubs <= shape.vertices and hubs * hubs <= 64 * shape.edges]
    return min(_cost_with_hubs(shape, hubs) for hubs in numbers)


def _cost_with_hubs(shape: Shape | ModelShape, hubs: int) -> float:
    found = shape.hub_rows(hubs)
    by_bits = float(np.sum(work.hub_cost(found.near, hubs) * found.rows))
    return by_bits + TEST * found.walked + LIST * found.lists + hubs * hubs / 64 * work.MATRIX_WORD
