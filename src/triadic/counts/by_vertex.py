"""From counts by rank, as counts give them, to counts by vertex, as measures do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.blocks import resolve_threads
from triadic.devices.cpu import by_rank as cpu

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.oriented import Oriented


def at_vertices(oriented: Oriented, at_rank: NDArray[Any], *, threads: int | None) -> NDArray[Any]:
    """Give what stands at the rank of each vertex, shape (n,)."""
    return cpu.take(at_rank, oriented.rank, threads=resolve_threads(threads))
