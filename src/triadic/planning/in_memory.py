"""What reading a graph into memory and counting it there takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.oriented import Sizes
from triadic.devices.cpu import triangle_work as work
from triadic.devices.cpu.middle_lists import LIST, TEST
from triadic.graph.event_orientation import event_bytes, held_event_bytes
from triadic.io.tables import bytes_to_write

if TYPE_CHECKING:
    from triadic.planning.measures import Measure
    from triadic.planning.model import ModelShape
    from triadic.planning.sample import Sample
    from triadic.planning.shape import Shape

_OBJECTS = 1 << 20  # bytes of Python's own objects, and of buffers of threads
_BYTES_OF_EVENT = 16  # source, target and time
_READING = 16 << 20  # bytes of pieces of text that are parsed, and of Arrow's buffers, for a file of any size


def graph_bytes(sizes: Sizes) -> int:
    """Return the bytes of an oriented graph: ranks, indptr and degrees, indices and states."""
    id_bytes = 4 if sizes.vertices < 1 << 31 else 8
    return _OBJECTS + (id_bytes + 8 + 8) * sizes.vertices + (id_bytes + sizes.directed) * sizes.edges


def making_bytes(vertices: int, arcs: int, *, directed: bool, threads: int) -> int:
    """Estimate the most bytes held while a graph is made of `arcs` arcs, beside the arcs.

    Either each thread counts the degrees of all vertices, or keys of 8 bytes an arc are sorted into indices (int32) and
    states, beside degrees, ranks, and lengths and pointers of rows.
    """
    return _OBJECTS + max(8 * vertices * threads, (8 + 4 + 8 + 8) * vertices + (13 if directed else 12) * arcs)


def bytes_held(sample: Sample, shape: Shape | ModelShape, measure: Measure, *, threads: int) -> int:
    """Estimate the most bytes that reading a network, making the graph and counting hold at once."""
    if measure.count.takes == "events":
        return _event_bytes_held(sample, shape.vertices, measure, threads=threads)
    n, sizes = shape.vertices, shape.sizes
    labels = {None: 0, "numbers": 8 * n, "names": 120 * n}[sample.labels]
    # Arrow keeps the memory of its columns while the graph is made.
    making = making_bytes(n, sample.arcs, directed=shape.directed, threads=threads) + sample.read_bytes * sample.arcs
    # Other columns are computed from the result of the count, which is one of them or all of them.
    columns = measure.vertex_columns
    counted = measure.count.columns if measure.count.gives == "vertices" else 0
    counting = measure.count.bytes(sizes, threads) + 8 * max(0, columns - counted) * n
    writing = 8 * columns * n + bytes_to_write(n, columns) if columns else 0
    return _READING + labels + max(making, graph_bytes(sizes) + max(counting, writing))


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
