"""What reading a graph into memory and counting it there takes, by the cost model of the triangle kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu import triangle_work as work
from triadic.devices.cpu.middle_lists import LIST, TEST
from triadic.graph.orientation import graph_bytes
from triadic.planning.shape import pairs

if TYPE_CHECKING:
    from triadic.planning.counts import Kind
    from triadic.planning.sample import Sample
    from triadic.planning.shape import Shape

# What is held whatever the size: chunks of text being parsed, buffers of Arrow's and of threads.
_FLOOR_BYTES = 25 << 20


def bytes_held(sample: Sample, shape: Shape, kind: Kind, *, threads: int) -> int:
    """Estimate the most bytes that are held at once."""
    n, m, arcs = shape.vertices, shape.edges, sample.arcs
    labels = {None: 0, "numbers": 8 * n, "names": 120 * n}[sample.labels]
    # Arrow keeps the memory of its columns while the graph is made.
    making = sample.read_bytes * arcs + graph_bytes(n, arcs, threads=threads)
    graph = (24 + 8 * 2) * n + (5 if shape.directed else 4) * m
    counting = graph + 12 * m + (24 + (12 + 8 * kind.columns) * threads + 8 * kind.results) * n
    return _FLOOR_BYTES + labels + max(making, counting)


def cost(shape: Shape, kind: Kind) -> float:
    """Estimate what counting takes one thread, in the model's nanoseconds: of triangles by the best number of hubs."""
    most = [hubs for hubs in work.HUBS if hubs <= shape.vertices and hubs * hubs <= 64 * shape.edges]
    return min(_cost(shape, hubs) for hubs in (most if kind.by_bits else most[:1]))


def _cost(shape: Shape, hubs: int) -> float:
    hub = (shape.column < hubs).astype(np.int64)
    found = pairs(shape, hub, 2)
    # Pairs that are not both hubs are walked; a pair is tested once.
    walked = float(found[0, 0] + found[0, 1])
    met = np.bincount(shape.end[hub == 1]) if hubs else np.empty(0, dtype=np.int64)
    near = np.round(met[met > 0] * shape.edge).astype(np.int64)
    by_hubs = float(work.hub_cost(near, hubs).sum()) if len(near) else 0.0
    lists = float((hub == 0).sum()) * shape.edge
    return by_hubs + TEST * walked + LIST * lists + hubs * hubs / 64 * work.MATRIX_WORD
