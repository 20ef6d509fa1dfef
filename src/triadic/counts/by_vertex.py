"""From counts by rank, as counts give them, to counts by vertex, as measures do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.core.blocks import resolve_threads
from triadic.devices.cpu import vertex_arrays as cpu
from triadic.tiles.tiles import Tiles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented


def at_vertices(
    oriented: Oriented | Tiles, at_rank: NDArray[Any], *, threads: int | None, name: str | None = None
) -> NDArray[Any]:
    """Give what stands at the rank of each vertex, shape (n,); of tiles in the file of this name."""
    out = room(oriented, name, at_rank.dtype.type) if name is not None else None
    return cpu.take(at_rank, oriented.rank, threads=resolve_threads(threads), out=out)


def room(oriented: Oriented | Tiles, name: str, dtype: type[np.generic]) -> NDArray[Any] | None:
    """Give an array of n for a result of tiles, in a file; None of a graph in memory, whose results are there too."""
    return oriented.room(name, (oriented.num_vertices,), dtype) if isinstance(oriented, Tiles) else None
