"""From counts by rank and entry, as `run` returns them, to counts by vertex and edge, as measures return them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.devices.cpu.rows import slots_of_edges
from triadic.devices.cpu.vertex_arrays import take

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.tiles.tiles import Tiles

    Ids = NDArray[np.integer[Any]]


def at_vertices(
    graph: Oriented | Tiles, at_rank: NDArray[Any], *, threads: int | None, name: str | None = None
) -> NDArray[Any]:
    """Return for each vertex the value at its rank, shape (n,); of a tiled graph in the file of this name."""
    out = None if name is None else graph.result(name, (graph.num_vertices,), at_rank.dtype.type)
    return take(at_rank, graph.rank, threads=resolve_threads(threads), out=out)


def at_edges(
    oriented: Oriented, at_entry: NDArray[Any], source: Ids, target: Ids, *, threads: int | None
) -> NDArray[np.int64]:
    """Return for each of some edges the value at its entry: int64, shape (edges,)."""
    return at_entry[slots_of_edges(oriented, source, target, threads=resolve_threads(threads))].astype(np.int64)
